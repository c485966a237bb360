/* peers_main.c: throng-peers times throng and its peers in turn on the same flocks, and prints a table.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "common/files.h"
#include "common/streams.h"
#include "table.h"

enum { EXIT_RUN_FAILED = 1, EXIT_BAD_INPUT = 2 };

static int fail(const bench_problem *problem, int status) {
  fprintf(stderr, "throng-peers: %s\n", problem->text);
  return status;
}

static bool prepare(peer_contest *contests, const peers_options *options, bench_problem *problem) {
  if (options->json && !file_check(options->json, "--json", problem)) return false;
  for (uint32_t i = 0; i < options->scenes.count; i++)
    if (!contest_prepare(&contests[i], peers_scene_name(options->scenes.value[i]), options, problem)) return false;
  return true;
}

static bool run_all(peer_contest *contests, const peers_options *options, bench_problem *problem) {
  run_progress progress;
  progress_start(&progress, "throng-peers", contest_parts(options) * options->scenes.count, 0, false);
  bool ok = true;
  for (uint32_t i = 0; i < options->scenes.count && ok; i++)
    ok = contest_run(&contests[i], options, &progress, problem);
  progress_finish(&progress);
  return ok;
}

static bool write_json(const peer_contest *contests, const peers_options *options, bench_problem *problem) {
  output_file output;
  return output_open(&output, options->json, problem) &&
         output_close(&output, table_json(output.stream, contests, options), problem);
}

static int execute(peer_contest *contests, const peers_options *options) {
  bench_problem problem;
  if (!prepare(contests, options, &problem)) return fail(&problem, EXIT_BAD_INPUT);
  if (!run_all(contests, options, &problem)) return fail(&problem, EXIT_RUN_FAILED);
  table_head(options);
  for (uint32_t i = 0; i < options->scenes.count; i++) table_print(&contests[i], options);
  table_foot(contests, options);
  return options->json && !write_json(contests, options, &problem) ? fail(&problem, EXIT_RUN_FAILED) : EXIT_SUCCESS;
}

int main(int count, char **arguments) {
  streams_begin();
  peers_options options;
  bench_problem problem;
  if (!peers_options_parse(&options, count, arguments, &problem)) return fail(&problem, EXIT_BAD_INPUT);
  if (options.help) {
    option_print_help(&peers_option_table);
    return streams_end("throng-peers", EXIT_SUCCESS);
  }
  if (options.version) {
    option_print_version(&peers_option_table);
    return streams_end("throng-peers", EXIT_SUCCESS);
  }
  peer_contest *contests = calloc(options.scenes.count, sizeof *contests);
  int status = contests ? execute(contests, &options) : EXIT_RUN_FAILED;
  for (uint32_t i = 0; i < options.scenes.count && contests; i++) contest_release(&contests[i]);
  free(contests);
  return streams_end("throng-peers", status);
}
