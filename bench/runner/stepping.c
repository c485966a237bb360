/* SPDX-License-Identifier: MIT */
#include "runner/stepping.h"

#include <stdio.h>

#include "common/clock.h"
#include "scene/scene_seen.h"
#include "scene/snapshots.h"

#define BATCH_SECONDS 0.05 /* intended maximum time of a batch of frames, after which the progress is updated */
#define MAX_BATCH 1048576u

bool stepping_begin(run_steps *stepping, const measurement *run, const measure_context *context, const char *during,
                    uint32_t frames, bool profile, bench_problem *problem) {
  char label[FIELD_NAME_SIZE + 64];
  *stepping = (struct run_steps){.context = context, .during = during};
  bench_scene scene = *context->scene;
  scene.world.threads = run->threading;
  stepping->world = scene_build(&scene, context->start, run->threads, run->isa, profile, problem);
  if (!stepping->world) return false;
  if (context->snapshot && !snapshot_start(stepping->world, context->snapshot, context->start, problem)) {
    throng_world_destroy(stepping->world);
    return false;
  }
  stepping->last = throng_world_frame(stepping->world) + frames;
  snprintf(label, sizeof label, "%s, %s", during, throng_isa_name(throng_world_get_def(stepping->world).isa));
  progress_part(context->progress, label, context->start->count, frames);
  return true;
}

static throng_status step_once(const run_steps *stepping, throng_error *error) {
  const float dt = stepping->context->scene->dt;
  if (!scene_set_periods(stepping->context->scene, stepping->world, error)) return error->status;
  return stepping->recorder ? throng_recorder_step(stepping->recorder, dt, error)
                            : throng_world_step(stepping->world, dt, error);
}

/* Steps `count` frames, or fewer if the user stops the run. *seconds: the time of the steps alone. */
static bool step_batch(const run_steps *stepping, uint32_t count, uint32_t *done, double *seconds,
                       bench_problem *problem) {
  throng_error error;
  *seconds = 0;
  for (*done = 0; *done < count && !stop_wanted(); ++*done) {
    if (stepping->host) host_work_do(stepping->host);
    const double begin = clock_seconds();
    if (step_once(stepping, &error) != THRONG_OK)
      return problem_set(problem, "%s: frame %llu: %s: %s", stepping->context->scene->file,
                         (unsigned long long)throng_world_frame(stepping->world) + 1, throng_status_name(error.status),
                         error.text);
    const double taken = clock_seconds() - begin;
    if (stepping->times) frame_times_add(stepping->times, taken);
    *seconds += taken;
  }
  return true;
}

/* Steps in batches, and updates the progress between them. The time of the updates is not in *seconds. */
bool stepping_go(const run_steps *stepping, uint32_t frames, uint32_t *done, double *seconds, bench_problem *problem) {
  uint32_t batch = 1, all = 0, count = 0;
  double spent = 0, stepped;
  while (all < frames && !stop_wanted()) {
    const double begin = clock_seconds();
    if (!step_batch(stepping, frames - all < batch ? frames - all : batch, &count, &stepped, problem)) return false;
    const double taken = clock_seconds() - begin;
    spent += stepped;
    all += count;
    progress_stepped(stepping->context->progress, count, taken - stepped);
    if (taken < BATCH_SECONDS / 2 && batch < MAX_BATCH) batch *= 2;
    if (taken > BATCH_SECONDS && batch > 1) batch /= 2;
  }
  if (all < frames)
    *stepping->context->stop =
        (stop_place){true, throng_world_frame(stepping->world), stepping->last, stepping->during};
  if (done) *done = all;
  if (seconds) *seconds = spent;
  return true;
}

void stepping_end(run_steps *stepping) {
  throng_recorder_destroy(stepping->recorder);
  throng_world_destroy(stepping->world);
}
