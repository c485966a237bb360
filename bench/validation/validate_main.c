/* throng-validate: runs tests of pedestrian dynamics, compares the results with right values, and prints a table.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "common/files.h"
#include "common/progress.h"
#include "common/streams.h"
#include "results.h"
#include "validate_options.h"

enum { EXIT_RUN_FAILED = 1, EXIT_BAD_INPUT = 2 };

static int fail(const bench_problem *problem, int status) {
  fprintf(stderr, "throng-validate: %s\n", problem->text);
  return status;
}

typedef struct validation {
  validate_options options;
  char trajectories[FILE_PATH_SIZE];
  test_result *results; /* by model, then by test */
  test_run *runs;       /* of all results, seeds each */
  uint32_t result_count;
} validation;

static bool prepare(validation *all, bench_problem *problem) {
  const validate_options *options = &all->options;
  if (!folder_check(options->out, "--out", problem) ||
      !path_join(all->trajectories, options->out, "trajectories", problem))
    return false;
  all->result_count = options->models.count * options->tests.count;
  all->results = calloc(all->result_count, sizeof *all->results);
  all->runs = calloc((size_t)all->result_count * options->seeds, sizeof *all->runs);
  if (!all->results || !all->runs) return problem_set(problem, "out of memory");
  for (uint32_t i = 0; i < all->result_count; i++) {
    test_result *result = &all->results[i];
    result->model = &models[options->models.value[i / options->tests.count]];
    result->test = all_tests[options->tests.value[i % options->tests.count]];
    result->seeds = options->seeds;
    result->runs = &all->runs[(size_t)i * options->seeds];
    for (uint32_t s = 0; s < options->seeds; s++)
      result->runs[s].setting = (trial_setting){.model = result->model,
                                                .seed = s + 1,
                                                .frame_rate = options->frame_rate,
                                                .trajectories = options->trajectories ? all->trajectories : NULL,
                                                .test = result->test->name};
  }
  return true;
}

/* Runs the tests on all threads; each test steps its worlds on one. */
static bool run_all(validation *all, bench_problem *problem) {
  const validate_options *options = &all->options;
  const int count = (int)(all->result_count * options->seeds);
  run_progress progress;
  bool ok = true;
  progress_start(&progress, "throng-validate", (uint64_t)count, 0, options->quiet);
  progress_part(&progress, "tests", 0, 0);
#ifdef _OPENMP
  const int threads = options->threads > 0 ? (int)options->threads : omp_get_num_procs();
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
#endif
  for (int k = 0; k < count; k++) {
    test_run *run = &all->runs[k];
    bench_problem own;
    run->problem = &own;
    const bool done = all->results[(uint32_t)k / options->seeds].test->run(run);
#ifdef _OPENMP
#pragma omp critical
#endif
    {
      if (!done && ok) *problem = own;
      ok = ok && done;
      progress_stepped(&progress, 1, 0);
    }
  }
  progress_finish(&progress);
  return ok;
}

typedef bool writer(FILE *stream, const test_result *results, uint32_t count);

static bool write_file(const validation *all, const char *name, writer *write, bench_problem *problem) {
  char path[FILE_PATH_SIZE];
  output_file output;
  return path_join(path, all->options.out, name, problem) && output_open(&output, path, problem) &&
         output_close(&output, write(output.stream, all->results, all->result_count), problem);
}

static int execute(validation *all) {
  bench_problem problem;
  const validate_options *options = &all->options;
  if (!prepare(all, &problem)) return fail(&problem, EXIT_BAD_INPUT);
  if (!run_all(all, &problem)) return fail(&problem, EXIT_RUN_FAILED);
  if (options->markdown)
    results_print_markdown(all->results, all->result_count);
  else
    results_print(all->results, all->result_count, options->verbose);
  if (!options->markdown)
    printf("\n%u figures are outside of their right values. Results: %s\n",
           results_outside(all->results, all->result_count), options->out);
  if (!write_file(all, "results.csv", results_write_csv, &problem) ||
      !write_file(all, "results.json", results_write_json, &problem))
    return fail(&problem, EXIT_RUN_FAILED);
  return EXIT_SUCCESS;
}

int main(int count, char **arguments) {
  streams_begin();
  validation all = {0};
  bench_problem problem;
  if (!validate_options_parse(&all.options, count, arguments, &problem)) return fail(&problem, EXIT_BAD_INPUT);
  if (all.options.help) {
    option_print_help(&validate_option_table);
    return streams_end("throng-validate", EXIT_SUCCESS);
  }
  if (all.options.version) {
    option_print_version(&validate_option_table);
    return streams_end("throng-validate", EXIT_SUCCESS);
  }
  const int status = execute(&all);
  free(all.results);
  free(all.runs);
  return streams_end("throng-validate", status);
}
