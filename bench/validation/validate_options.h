/* validate_options.h: the command line of throng-validate.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_OPTIONS_H
#define BENCH_VALIDATION_OPTIONS_H

#include "common/option_values.h"
#include "tests.h"

#define MAX_TESTS 32
#define MAX_MODELS 16

extern const validation_test *const all_tests[];
extern const uint32_t all_test_count;

typedef struct validate_options {
  const crowd_model *models[MAX_MODELS];
  const validation_test *tests[MAX_TESTS];
  uint32_t model_count, test_count, seeds, threads;
  const char *out;
  bool quick, trajectories, markdown, verbose, quiet, help, version;
} validate_options;

bool validate_options_parse(validate_options *options, int count, char **arguments, bench_problem *problem);
void validate_options_print_help(void);

#endif
