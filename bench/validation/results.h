/* results.h: what the tests measured, the verdicts, and how they are printed and written.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_RESULTS_H
#define BENCH_VALIDATION_RESULTS_H

#include <stdio.h>

#include "tests.h"

#define MAX_SEEDS 100

/* One test with one model. */
typedef struct test_result {
  const crowd_model *model;
  const validation_test *test;
  uint32_t seeds;
  test_run *runs; /* seeds elements */
} test_result;

typedef enum figure_verdict { VERDICT_WITHIN, VERDICT_OUTSIDE, VERDICT_NOT_JUDGED } figure_verdict;
extern const char *const verdict_names[3]; /* "within" and so on */

/* A figure over the seeds. */
typedef struct figure_summary {
  double worst;             /* of the seeds, the value farthest from the middle of the right values; the mean if the
                               figure is not judged. NaN: a seed has no value */
  double least, mean, most; /* NaN: a seed has no value */
  figure_verdict verdict;
} figure_summary;

figure_summary result_summary(const test_result *result, uint32_t figure);

/* Writes a number with three significant digits; "never" for NaN. */
void result_number(char text[32], double value);
/* Writes the right values: "26 to 34", "at most 3", "at least 1". */
void result_right(char text[80], const test_figure *figure);

/* Prints a model's results, one line a figure; `all`: also the values of each seed. */
void results_print(const test_result *results, uint32_t count, bool all);
/* Prints a Markdown table: a column for each of the models; rows for the judged figures, the speed, and where the
 * model's numbers come from. The speed is that of the steps alone, in processor time; it
 * differs from run to run. */
void results_print_markdown(const test_result *results, uint32_t count);
/* How many figures are outside of their right values. */
uint32_t results_outside(const test_result *results, uint32_t count);

bool results_write_csv(FILE *stream, const test_result *results, uint32_t count);
bool results_write_json(FILE *stream, const test_result *results, uint32_t count);

#endif
