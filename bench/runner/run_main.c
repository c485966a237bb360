/* throng-run: steps a scene, prints what it measured, and writes a picture, the agents and the results.
 * It checks all input before it runs or writes anything.
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/streams.h"
#include "output/csv.h"
#include "runner/busy_threads.h"
#include "runner/replay_run.h"
#include "runner/report.h"
#include "runner/run_state.h"
#include "runner/tracks_run.h"
#include "scene/map.h"
#include "scene/scene_formations.h"
#include "scene/snapshots.h"

static void apply_options(bench_scene *scene, const run_options *options) {
  if (options->has_frames) scene->frames = options->frames;
  if (options->has_dt) scene->dt = options->dt;
  if (options->has_seed) scene->seed = options->seed;
}

static bool load_map(bench_scene *scene, const run_options *options, bench_problem *problem) {
  scene_cells cells;
  if (scene->world.space != THRONG_SPACE_PLANAR)
    return problem_set(problem, "option '--map': value '%.60s', allowed only with a planar scene: '%s' is spatial",
                       options->map, scene->name);
  if (!map_read(&cells, options->map, options->cell, problem)) return false;
  uint32_t longer = cells.width > cells.height ? cells.width : cells.height;
  double reach = (double)longer * (double)options->cell, limit = 0x1p20 * (double)scene->world.perception_radius;
  if (reach > limit) {
    scene_cells_release(&cells);
    return problem_set(problem, "option '--cell': value '%g' makes a map of %g m, allowed at most %g m",
                       (double)options->cell, reach, limit);
  }
  scene_use_map(scene, options->map, &cells);
  return true;
}

/* Sets the scene's number of agents. Without a map the scene's size may grow with it. */
static bool fit(bench_scene *scene, const run_options *options, uint32_t agents, bench_problem *problem) {
  if (!options->map) return scene_fit(scene, agents, problem);
  scene->agents = agents;
  return true;
}

/* Fits the scene to the agents of a file, and checks that they are in it. */
static bool fit_to_file(run_state *run, uint32_t agents, const uint64_t *lines, bench_problem *problem) {
  bench_scene *scene = &run->scene;
  const run_options *options = &run->options;
  bool ok = fit(scene, options, agents, problem);
  throng_world *empty = ok ? scene_build(scene, NULL, 1, THRONG_ISA_AUTO, false, problem) : NULL;
  ok = empty && csv_check_places(&run->start, lines, options->in, scene, empty, problem) &&
       crowd_complete(&run->start, scene, problem);
  throng_world_destroy(empty);
  if (!ok && scene_grows(scene)) problem_add(problem, "; the scene grows with its agents: --agents sets for how many");
  return ok;
}

/* A file does not say how large the scene was. A scene that grows therefore gets the size for the number of --agents;
 * without --agents, for the number of agents in the file. */
static bool load_agents(run_state *run, bench_problem *problem) {
  const bench_scene *scene = &run->scene;
  const run_options *options = &run->options;
  uint64_t *lines = NULL;
  if (!csv_read(&run->start, &lines, options->in, scene, problem)) return false;
  uint32_t count = run->start.count, largest_id = count ? run->start.id[count - 1] : 0;
  const uint32_t agents = options->has_agents ? options->agents : count;
  bool ok = agents == count || scene_grows(scene);
  if (!ok)
    problem_set(problem, "option '--agents': value '%u', allowed with --in are the %u of its file", options->agents,
                count);
  ok = ok && scene_check_memory(scene, count, largest_id, problem) && fit_to_file(run, agents, lines, problem);
  free(lines);
  return ok;
}

static bool place_agents(run_state *run, bench_problem *problem) {
  bench_scene *scene = &run->scene;
  uint32_t agents = run->options.has_agents ? run->options.agents : scene->agents;
  return scene_check_memory(scene, agents, agents, problem) && fit(scene, &run->options, agents, problem) &&
         crowd_spawn(&run->start, scene, problem);
}

/* Builds the world once before the run, so that input that the kernel refuses ends the program as bad input, and not as
 * a failed run. Also counts the agents without a place in their formation. */
static bool try_kernel(run_state *run, bench_problem *problem) {
  throng_error error;
  throng_world *world = scene_build(&run->scene, &run->start, 1, THRONG_ISA_AUTO, false, problem);
  if (!world) return false;
  bool ok =
      scene_fill_formations(world, &run->scene, &run->left_over, &error) || problem_set(problem, "%s", error.text);
  if (run->options.load) ok = ok && snapshot_start(world, &run->loaded, &run->start, problem);
  throng_world_destroy(world);
  return ok;
}

static bool check_explained(const run_state *run, bench_problem *problem) {
  const run_options *options = &run->options;
  if (!options->explain) return true;
  if (run->scene.frames == 0) return problem_set(problem, "option '--explain': no frame, allowed with 1 or more");
  for (uint32_t i = 0; i < run->start.count; i++)
    if (run->start.id[i] == options->explain) return true;
  return problem_set(problem, "option '--explain': value '%u', allowed the id of one of the %u agents",
                     options->explain, run->start.count);
}

static bool prepare(run_state *run, bench_problem *problem) {
  const run_options *options = &run->options;
  if (!scene_load(&run->scene, options->scene, problem)) return false;
  apply_options(&run->scene, options);
  run->usual_agents = run->scene.agents;
  return (!options->map || load_map(&run->scene, options, problem)) && outputs_check(run, problem) &&
         (options->in ? load_agents(run, problem) : place_agents(run, problem)) && check_explained(run, problem) &&
         (!options->load || text_read(&run->loaded, options->load, SIZE_MAX - 1, problem)) && try_kernel(run, problem);
}

/* Allocates run->results: one element for each instruction set, kind of threads and number of threads. */
static bool name_combinations(run_state *run, bench_problem *problem) {
  const run_options *options = &run->options;
  const uint32_t per_isa = options->threads.count * options->threadings.count;
  run->result_count = (int)(per_isa * options->isas.count);
  run->results = calloc((size_t)run->result_count, sizeof *run->results);
  if (!run->results) return problem_set(problem, "out of memory");
  for (int i = 0; i < run->result_count; i++) {
    measurement *result = &run->results[i];
    result->isa = (throng_isa)options->isas.value[(uint32_t)i / per_isa];
    result->threading = (throng_threads)options->threadings.value[(uint32_t)i % per_isa / options->threads.count];
    result->busy_threads = options->busy_threads;
    result->threads = options->threads.value[(uint32_t)i % options->threads.count];
    result->agents = run->start.count;
    result->frames = run->scene.frames;
  }
  return true;
}

/* Returns the number of frames that the whole program steps. Sets *outputs to the number of files and movie frames that
 * the progress counts. */
static uint64_t all_steps(const run_state *run, uint32_t trace_frames, uint64_t *outputs) {
  const run_options *options = &run->options;
  uint64_t shown;
  show_work(options, &run->scene, &shown, outputs);
  uint64_t frames = shown + measure_frames(&run->scene, options->rounds) * (uint64_t)run->result_count;
  if (options->trace) frames += warm_up_frames(run->scene.frames) + trace_frames;
  if (options->explain) frames += run->scene.frames;
  return frames;
}

/* Combinations take turns in each round, so that a slow period of the machine affects all of them. */
static bool measure_all(run_state *run, const measure_context *context, bench_problem *problem) {
  const stop_place *stop = context->stop;
  for (uint32_t round = 0; round < run->options.rounds; round++)
    for (int i = 0; i < run->result_count && !stop->cut; i++)
      if (!measure_round(&run->results[i], context, round == 0 && i == 0 ? &run->last : NULL, problem)) return false;
  for (int i = 0; i < run->result_count && !stop->cut; i++)
    if (!measure_passes(&run->results[i], context, problem)) return false;
  return true;
}

static bool run_all(run_state *run, bench_problem *problem) {
  const run_options *options = &run->options;
  const uint32_t timed = run->scene.frames - warm_up_frames(run->scene.frames);
  const uint32_t trace_frames = options->trace_frames < timed ? options->trace_frames : timed;
  run_progress progress;
  const measure_context context = {.scene = &run->scene,
                                   .start = &run->start,
                                   .progress = &progress,
                                   .snapshot = options->load ? &run->loaded : NULL,
                                   .keeps_snapshot = options->save != NULL,
                                   .host = options->host,
                                   .stop = &run->stop};
  uint64_t outputs;
  if (!name_combinations(run, problem)) return false;
  const uint64_t steps = all_steps(run, trace_frames, &outputs);
  progress_start(&progress, "throng-run", steps, outputs, options->quiet);
  if (!busy_threads_start(options->busy_threads, problem)) return false;
  bool ok = !show_wanted(options) || show_run(&run->show, options, &run->results[0], &context, &run->last, problem);
  ok = ok && measure_all(run, &context, problem);
  if (options->trace && ok && !run->stop.cut) {
    ok = trace_record(&run->trace, &run->results[0], &context, trace_frames, problem);
    run->traced = !run->stop.cut;
  }
  if (options->explain && ok && !run->stop.cut) {
    ok = explain_record(&run->explanation, &run->results[0], &context, options->explain, problem);
    run->explained = !run->stop.cut;
  }
  busy_threads_stop();
  progress_finish(&progress);
  return ok;
}

/* Drops the combinations that have no round because the user stopped the run. */
static void keep_measured(run_state *run) {
  int kept = 0;
  for (int i = 0; i < run->result_count; i++)
    if (run->results[i].rounds) run->results[kept++] = run->results[i];
  run->result_count = kept;
}

static bool check_hash(const measurement *first, const measurement *run, uint32_t round) {
  if (run->round[round].hash == first->round[0].hash) return true;
  fprintf(stderr,
          "throng-run: HASHES DIFFER: %016" PRIx64 " (%s, %u threads, round 1) and %016" PRIx64
          " (%s, %u threads, round %u). This is a defect: every run must give the same bits.\n",
          first->round[0].hash, throng_isa_name(first->isa), first->threads, run->round[round].hash,
          throng_isa_name(run->isa), run->threads, round + 1);
  return false;
}

/* Checks that the run for movies and files gave the same hash as the timed runs. */
static bool check_show(const run_state *run) {
  const measurement *first = &run->results[0];
  if (!run->show.complete || run->result_count == 0 || first->frames < run->scene.frames ||
      run->show.hash == first->round[0].hash)
    return true;
  fprintf(stderr,
          "throng-run: HASHES DIFFER: %016" PRIx64 " of the run that was drawn or recorded and %016" PRIx64
          " of the one that was timed. This is a defect: every run must give the same bits.\n",
          run->show.hash, first->round[0].hash);
  return false;
}

static bool check_hashes(const run_state *run) {
  for (int i = 0; i < run->result_count; i++)
    for (uint32_t round = 0; round < run->results[i].rounds; round++)
      if (!check_hash(&run->results[0], &run->results[i], round)) return false;
  return check_show(run);
}

static int fail(const bench_problem *problem, int status) {
  fprintf(stderr, "throng-run: %s\n", problem->text);
  return status;
}

static int execute(run_state *run) {
  bench_problem problem;
  if (!prepare(run, &problem)) return fail(&problem, EXIT_BAD_INPUT);
  bool quiet = run->options.quiet;
  stop_on_signals();
  if (!quiet) report_head(&run->scene, run->start.count);
  if (!quiet) report_size(&run->scene, run->start.count, run->usual_agents, run->options.in != NULL);
  if (!quiet && run->scene.formation_count) report_left_over(run->left_over);
  fflush(stdout);
  if (!run_all(run, &problem)) return fail(&problem, EXIT_RUN_FAILED);
  keep_measured(run);
  bool same = check_hashes(run);
  if (!quiet && run->result_count) report_table(run->results, run->result_count, same);
  if (run->explained) explain_print(stdout, &run->explanation);
  if (!quiet && run->last.has_arrivals) report_arrivals(&run->last.arrivals);
  if (!outputs_write(run, &problem)) return fail(&problem, EXIT_RUN_FAILED);
  if (!quiet && !run->stop.cut) outputs_list(run);
  if (run->stop.cut) outputs_report_stop(run);
  if (!same) return EXIT_RUN_FAILED;
  return run->stop.cut ? stop_exit_status() : EXIT_SUCCESS;
}

static int replay(const run_options *options) {
  bench_problem problem;
  stop_on_signals();
  switch (replay_run(options, &problem)) {
  case REPLAY_SAME:
    return EXIT_SUCCESS;
  case REPLAY_DIFFERS:
    return fail(&problem, EXIT_RUN_FAILED);
  case REPLAY_STOPPED:
    return fail(&problem, stop_exit_status());
  default:
    return fail(&problem, EXIT_BAD_INPUT);
  }
}

static int replay_tracks(const run_options *options) {
  bench_problem problem;
  stop_on_signals();
  const int status = tracks_run(options, &problem);
  return status == EXIT_SUCCESS ? status : fail(&problem, status);
}

int main(int count, char **arguments) {
  streams_begin();
  run_state *run = calloc(1, sizeof *run);
  if (!run) return EXIT_RUN_FAILED;
  int status = EXIT_SUCCESS;
  bench_problem problem;
  if (!options_parse(&run->options, count, arguments, &problem))
    status = fail(&problem, EXIT_BAD_INPUT);
  else if (run->options.help)
    option_print_help(&run_option_table);
  else if (run->options.version)
    options_print_version();
  else if (run->options.replay)
    status = replay(&run->options);
  else if (run->options.replay_tracks)
    status = replay_tracks(&run->options);
  else
    status = execute(run);
  scene_release(&run->scene);
  crowd_release(&run->start);
  text_release(&run->loaded);
  last_frame_release(&run->last);
  trace_release(&run->trace);
  show_release(&run->show);
  free(run->results);
  free(run);
  return streams_end("throng-run", status);
}
