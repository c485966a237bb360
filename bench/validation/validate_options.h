/* validate_options.h: the command line of throng-validate.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_OPTIONS_H
#define BENCH_VALIDATION_OPTIONS_H

#include "common/option_table.h"
#include "tests.h"

extern const validation_test *const all_tests[];
extern const uint32_t all_test_count;

typedef struct validate_options {
  option_list models, tests; /* indices of models and all_tests */
  uint32_t seeds, threads, frame_rate;
  const char *out;
  bool quick, peers, trajectories, markdown, verbose, quiet, help, version;
} validate_options;

extern const option_table validate_option_table;

bool validate_options_parse(validate_options *options, int count, char **arguments, bench_problem *problem);

#endif
