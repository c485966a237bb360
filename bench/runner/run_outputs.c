/* Writes the files that throng-run leaves at its end.
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "output/csv.h"
#include "output/picture.h"
#include "runner/report.h"
#include "runner/run_state.h"

/* Checks that no two outputs have the same name. They would overwrite each other. */
static bool names_differ(const run_options *options, const output_paths *paths, bench_problem *problem) {
  const struct {
    const char *path, *option;
  } files[] = {
      {paths->picture, "--out"},   {paths->agents, "--out"},      {paths->results, options->json ? "--json" : "--out"},
      {options->csv, "--csv"},     {options->trace, "--trace"},   {options->save, "--save"},
      {options->movie, "--movie"}, {options->record, "--record"}, {options->trajectories, "--trajectories"}};
  const size_t count = sizeof files / sizeof *files;
  for (size_t k = 0; k < count; k++) {
    for (size_t other = 0; other < k; other++) {
      if (!files[k].path || !files[other].path || strcmp(files[k].path, files[other].path) != 0) continue;
      return problem_set(problem, "options '%s' and '%s' would both write %s", files[other].option, files[k].option,
                         files[k].path);
    }
  }
  return true;
}

bool outputs_check(run_state *run, bench_problem *problem) {
  const run_options *options = &run->options;
  output_paths *paths = &run->paths;
  if (!folder_check(options->out, "--out", problem) ||
      !path_join(paths->picture, options->out, "picture.png", problem) ||
      !path_join(paths->agents, options->out, "agents.csv", problem) ||
      !path_join(paths->results, options->out, "results.json", problem))
    return false;
  if (options->json) {
    if (!file_check(options->json, "--json", problem)) return false;
    snprintf(paths->results, sizeof paths->results, "%s", options->json);
  }
  if (options->csv && !file_check(options->csv, "--csv", problem)) return false;
  if (options->trace && !file_check(options->trace, "--trace", problem)) return false;
  if (options->save && !file_check(options->save, "--save", problem)) return false;
  return names_differ(options, paths, problem) && file_check(paths->picture, "--out", problem) &&
         file_check(paths->agents, "--out", problem) &&
         file_check(paths->results, options->json ? "--json" : "--out", problem) &&
         show_check(options, &run->scene, problem);
}

/* Closes a file and adds `path` to the list of written files. `written`: its content was written without an error. */
static bool close_output(run_state *run, output_file *output, const char *path, bool written, bench_problem *problem) {
  if (!output_close(output, written, problem)) return false;
  run->written[run->written_count++] = path;
  return true;
}

static bool draw_picture(FILE *stream, const run_state *run, bench_problem *problem) {
  const picture_style style = show_style(&run->show, &run->options);
  return picture_write_frame(stream, &run->scene, &run->last.frame, &style, run->results[0].mean_neighbours, problem);
}

static bool write_results(FILE *stream, const run_state *run) {
  return report_json(stream, &run->scene, run->results, run->result_count,
                     run->last.has_arrivals ? &run->last.arrivals : NULL, run->stop.cut ? &run->stop : NULL);
}

static bool write_snapshot(FILE *stream, const bench_text *snapshot) {
  return fwrite(snapshot->data, 1, snapshot->size, stream) == snapshot->size;
}

bool outputs_write(run_state *run, bench_problem *problem) {
  output_file output;
  const run_options *options = &run->options;
  const output_paths *paths = &run->paths;
  bool ok = output_open(&output, paths->picture, problem) &&
            close_output(run, &output, paths->picture, draw_picture(output.stream, run, problem), problem);
  ok = ok && output_open(&output, paths->agents, problem) &&
       close_output(run, &output, paths->agents, csv_write(output.stream, &run->last.frame.crowd), problem);
  ok = ok && output_open(&output, paths->results, problem) &&
       close_output(run, &output, paths->results, write_results(output.stream, run), problem);
  if (options->csv)
    ok = ok && output_open(&output, options->csv, problem) &&
         close_output(run, &output, options->csv,
                      report_csv(output.stream, &run->scene, run->results, run->result_count), problem);
  if (run->traced)
    ok = ok && output_open(&output, options->trace, problem) &&
         close_output(run, &output, options->trace,
                      trace_write(output.stream, &run->trace, &run->scene, &run->results[0]), problem);
  if (options->save)
    ok = ok && output_open(&output, options->save, problem) &&
         close_output(run, &output, options->save, write_snapshot(output.stream, &run->last.snapshot), problem);
  return ok;
}

void outputs_list(const run_state *run) {
  puts("");
  for (int i = 0; i < run->written_count; i++) puts(run->written[i]);
  show_report(stdout, &run->show, &run->options, "", "\n");
}

void outputs_report_stop(const run_state *run) {
  const stop_place *stop = &run->stop;
  fprintf(stderr, "throng-run: stopped by %s after frame %" PRIu64 " of %" PRIu64 " (%s): wrote", stop_name(),
          stop->frame, stop->last, stop->during);
  for (int i = 0; i < run->written_count; i++) fprintf(stderr, "%s %s", i ? "," : "", run->written[i]);
  show_report(stderr, &run->show, &run->options, ", ", "");
  fputs("\n", stderr);
}
