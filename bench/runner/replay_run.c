/* SPDX-License-Identifier: MIT */
#include "runner/replay_run.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/progress.h"
#include "common/stop.h"
#include "common/text.h"

static const char *const column_names[] = {"position",
                                           "velocity",
                                           "facing",
                                           "goal",
                                           "wander",
                                           "perception_radius",
                                           "body_radius",
                                           "group",
                                           "acceleration",
                                           "fan",
                                           "path_parameter",
                                           "yaw_rate",
                                           "yaw_acceleration",
                                           "pattern",
                                           "pattern_instruction",
                                           "pattern_way",
                                           "formation_place",
                                           "mass",
                                           "blocked_time",
                                           "max_speed",
                                           "steer_period",
                                           "kept_acceleration",
                                           "pattern_cue",
                                           "target",
                                           "pattern_time",
                                           "max_yaw_rate",
                                           "weight"};
_Static_assert(sizeof column_names / sizeof *column_names == THRONG_COLUMN_COUNT, "each column has its name");

static replay_result refuse(const bench_text *file, const throng_error *error, bench_problem *problem) {
  problem_set(problem, "%s: %s: %s", file->file, throng_status_name(error->status), error->text);
  return REPLAY_BAD;
}

static replay_result report_difference(const bench_text *file, const throng_replay_difference *difference,
                                       bench_problem *problem) {
  char agent[48] = "an agent";
  if (difference->agent.index) snprintf(agent, sizeof agent, "agent %" PRIu32, difference->agent.index);
  problem_set(problem,
              "%s: FRAME %" PRIu64 " DIFFERS: %s, column %s (hashes of the column: %016" PRIx64 " recorded, %016" PRIx64
              " replayed)",
              file->file, difference->frame, agent, column_names[difference->column], difference->recorded,
              difference->replayed);
  return REPLAY_DIFFERS;
}

static replay_result step_through(throng_world *world, throng_replay *replay, const bench_text *file,
                                  run_progress *progress, bench_problem *problem) {
  throng_replay_difference difference;
  throng_error error;
  size_t before = replay->at;
  for (; !throng_replay_has_ended(replay); before = replay->at) {
    if (stop_wanted()) {
      problem_set(problem, "stopped by %s after frame %" PRIu64 " of the replay", stop_name(),
                  throng_world_frame(world));
      return REPLAY_STOPPED;
    }
    if (throng_replay_step(replay, world, &difference, &error) != THRONG_OK) return refuse(file, &error, problem);
    if (difference.differs) return report_difference(file, &difference, problem);
    progress_stepped(progress, replay->at - before, 0);
  }
  return REPLAY_SAME;
}

static replay_result replay_once(const bench_text *file, uint32_t threads, throng_isa isa, run_progress *progress,
                                 bool quiet, bench_problem *problem) {
  throng_world_def def;
  throng_replay replay;
  throng_error error;
  throng_world *world = NULL;
  if (throng_replay_get_def(file->data, file->size, &def, &error) != THRONG_OK) return refuse(file, &error, problem);
  def.thread_count = threads;
  def.isa = isa;
  replay_result result = REPLAY_BAD;
  if (throng_world_create(&def, &world, &error) == THRONG_OK &&
      throng_replay_begin(&replay, world, file->data, file->size, &error) == THRONG_OK) {
    const uint64_t first = throng_world_frame(world);
    progress_part(progress, "replaying", throng_agents_count(world), 0);
    result = step_through(world, &replay, file, progress, problem);
    def = throng_world_get_def(world);
    if (result == REPLAY_SAME && !quiet)
      printf("%s: %" PRIu64 " frames of %" PRIu32 " agents, same bits (%s, %" PRIu32 " thread%s)\n", file->file,
             throng_world_frame(world) - first, throng_agents_count(world), throng_isa_name(def.isa), def.thread_count,
             def.thread_count == 1 ? "" : "s");
  } else {
    refuse(file, &error, problem);
  }
  throng_world_destroy(world);
  return result;
}

replay_result replay_run(const run_options *options, bench_problem *problem) {
  bench_text file;
  run_progress progress;
  replay_result result = REPLAY_SAME;
  if (!text_read(&file, options->replay, SIZE_MAX - 1, problem)) return REPLAY_BAD;
  /* The progress counts bytes of the recording, because the number of frames is known only at the end. */
  progress_start(&progress, "throng-run", (uint64_t)file.size * options->isas.count * options->threads.count, 0,
                 options->quiet);
  for (uint32_t i = 0; i < options->isas.count && result == REPLAY_SAME; i++)
    for (uint32_t k = 0; k < options->threads.count && result == REPLAY_SAME; k++)
      result = replay_once(&file, options->threads.value[k], (throng_isa)options->isas.value[i], &progress,
                           options->quiet, problem);
  progress_finish(&progress);
  text_release(&file);
  return result;
}
