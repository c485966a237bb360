/* tests.h: the tests of throng-validate, and what each of them measures.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_TESTS_H
#define BENCH_VALIDATION_TESTS_H

#include "trial.h"

#define MAX_FIGURES 48
#define NO_HIGHEST 1e300

typedef enum figure_judged {
  JUDGED,
  JUDGED_WITHOUT_PACE, /* only for models without pace: walkers with pace are slow in such a crowd, as people are */
  NOT_JUDGED
} figure_judged;

/* A number that a test measures. It is right from `lowest` to `highest`; "at most" begins at 0. Of a figure that is not
 * judged, both are the value of recorded people, or 0. */
typedef struct test_figure {
  const char *name, *unit;
  double lowest, highest;
  figure_judged judged;
  const char *source; /* of the right value */
  double at;          /* the density or the width to which it belongs, for the pictures; else 0 */
} test_figure;

typedef struct test_run {
  trial_setting setting;
  double values[MAX_FIGURES]; /* NaN: could not be measured, because walkers did not come through */
  uint64_t hash;              /* of all positions of all trials */
  uint64_t agent_steps;       /* steps of walkers in all trials, and the seconds that they took */
  double step_seconds;
  bench_problem *problem;
} test_run;

typedef struct validation_test {
  const char *name, *title;
  const test_figure *figures;
  uint32_t figure_count;
  bool (*run)(test_run *run); /* false with a problem if a call failed */
} validation_test;

extern const validation_test test_rimea_1, test_rimea_4, test_rimea_6, test_rimea_9, test_rimea_10, test_rimea_12,
    test_rimea_13, test_bottleneck, test_counterflow, test_streams, test_corridor, test_lane, test_ring, test_blocks,
    test_corridor_one_way, test_corridor_both_ways, test_doors_laboratory;

/* Ends a trial: adds its hash to that of the test, and closes it. Returns `ok`. */
bool test_end_trial(test_run *run, crowd_trial *trial, bool ok);

/* Spreads walkers evenly over a torus. All walk along +x; if both ways, every second one along -x. */
bool test_fill_torus(crowd_trial *trial, uint32_t count, bool both_ways);

/* Persons per second through a gate: from the crossing of the first tenth of `expected` walkers to that of the last but
 * one tenth. If fewer crossed, until `seconds`, the end of the trial. */
double test_flow(const crowd_trial *trial, uint32_t gate, uint32_t expected, double seconds);

#endif
