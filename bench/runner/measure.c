/* SPDX-License-Identifier: MIT */
#include "runner/measure.h"

#include <stdlib.h>

#include "common/summary.h"
#include "runner/stepping.h"
#include "scene/snapshots.h"

const char *const pass_names[PASS_COUNT] = {"index",     "neighbours", "behaviours", "integrate",
                                            "constrain", "waiting",    "other"};

static uint32_t timed_frames(const bench_scene *scene) { return scene->frames - warm_up_frames(scene->frames); }

/* The frames of the run that measures the passes. */
static uint32_t pass_frames_of(const bench_scene *scene) {
  return warm_up_frames(scene->frames) + profiled_frames(scene->frames);
}

uint64_t measure_frames(const bench_scene *scene, uint32_t rounds) {
  return rounds * (uint64_t)scene->frames + pass_frames_of(scene);
}

/* The share of each pass in the elapsed time of each frame. */
typedef double frame_shares[PASS_COUNT][PROFILED_FRAMES];

/* Sets the share of each part in one frame. The profile adds up the times of the passes over strips over all workers.
 * Divided by the number of threads, they and the waiting add up to steer_ns, the elapsed time. */
static void share_out(frame_shares shares, uint32_t frame, const throng_profile *profile, uint32_t threads,
                      double seconds) {
  const double busy[] = {(double)profile->neighbours_ns, (double)profile->behaviours_ns, (double)profile->integrate_ns,
                         (double)(profile->constrain_ns + profile->contact_ns)};
  const double elapsed = 1e9 * seconds;
  double ns[PASS_COUNT] = {[PASS_INDEX] = (double)profile->index_ns, [PASS_WAITING] = (double)profile->steer_ns};
  for (int i = 0; i < 4; i++) {
    ns[PASS_NEIGHBOURS + i] = busy[i] / threads;
    ns[PASS_WAITING] -= busy[i] / threads;
  }
  ns[PASS_OTHER] = elapsed - (double)profile->index_ns - (double)profile->steer_ns;
  for (int i = 0; i < PASS_COUNT; i++) shares[i][frame] = elapsed > 0 && ns[i] > 0 ? ns[i] / elapsed : 0;
}

/* Sets result->pass_share to the medians over frames, scaled so that they add up to 1. */
static void summarise_shares(measurement *result, frame_shares shares, uint32_t frames) {
  double sum = 0;
  for (int i = 0; i < PASS_COUNT; i++) sum += result->pass_share[i] = summary_of(shares[i], frames).median;
  for (int i = 0; i < PASS_COUNT && sum > 0; i++) result->pass_share[i] /= sum;
}

bool last_frame_read(last_frame *last, const throng_world *world, const measure_context *context,
                     bench_problem *problem) {
  return run_frame_read(&last->frame, world, context->start, problem) &&
         (!context->keeps_snapshot || snapshot_keep(&last->snapshot, world, problem));
}

/* Steps the last `frames` frames of a scene with flow fields. From the agents' distances to their goals before and
 * after these frames it counts the agents that have arrived, walk or are stuck. */
static bool step_to_goals(const run_steps *stepping, uint32_t frames, uint32_t *done, double *seconds, last_frame *last,
                          bench_problem *problem) {
  const bench_scene *scene = stepping->context->scene;
  const bench_crowd *start = stepping->context->start;
  run_frame frame = {0};
  const size_t bytes = (start->count + 1) * sizeof(float);
  float *before = malloc(bytes), *way = malloc(bytes);
  bool ok = before && way ? run_frame_read(&frame, stepping->world, start, problem)
                          : problem_set(problem, "out of memory for %u agents", start->count);
  ok = ok && scene_ways(stepping->world, scene, &frame.crowd, before, problem) &&
       stepping_go(stepping, frames, done, seconds, problem) &&
       run_frame_read(&frame, stepping->world, start, problem) &&
       scene_ways(stepping->world, scene, &frame.crowd, way, problem);
  if (ok && *done == frames) {
    last->arrivals = scene_count_arrivals(scene, &frame.crowd, before, way);
    last->has_arrivals = true;
  }
  run_frame_release(&frame);
  free(before);
  free(way);
  return ok;
}

/* Steps the timed frames. If `last` is given and the scene has flow fields, step_to_goals steps the last
 * PROGRESS_SECONDS of them. */
static bool step_timed(const run_steps *stepping, uint32_t *done, double *seconds, last_frame *last,
                       bench_problem *problem) {
  const bench_scene *scene = stepping->context->scene;
  const uint32_t goal_frames = scene->dt > 0 ? (uint32_t)(PROGRESS_SECONDS / (double)scene->dt) : 0;
  const uint32_t frames = timed_frames(scene);
  uint32_t tail = last && scene->field_count ? goal_frames : 0, tail_done = 0;
  double tail_seconds = 0;
  if (tail > frames) tail = frames;
  if (!stepping_go(stepping, frames - tail, done, seconds, problem)) return false;
  if (!last || !scene->field_count || stepping->context->stop->cut) return true;
  if (!step_to_goals(stepping, tail, &tail_done, &tail_seconds, last, problem)) return false;
  *done += tail_done;
  *seconds += tail_seconds;
  return true;
}

bool measure_round(measurement *result, const measure_context *context, last_frame *last, bench_problem *problem) {
  run_steps stepping;
  uint32_t warm = 0, timed = 0;
  timed_round *round = &result->round[result->rounds];
  const frame_times before = result->times;
  if (!stepping_begin(&stepping, result, context, "timing", context->scene->frames, false, problem)) return false;
  stepping.host = &context->host;
  bool ok = stepping_go(&stepping, warm_up_frames(context->scene->frames), &warm, NULL, problem);
  stepping.times = &result->times;
  ok = ok && step_timed(&stepping, &timed, &round->seconds, last, problem);
  if (last) ok = ok && last_frame_read(last, stepping.world, context, problem);
  throng_world_def def = throng_world_get_def(stepping.world);
  result->threads = def.thread_count;
  result->threading = def.threads;
  result->isa = def.isa;
  round->hash = throng_world_hash(stepping.world, 0);
  if (context->stop->cut && last) result->frames = warm + timed;
  if (!context->stop->cut || last) result->timed_frames = timed;
  const bool counts = ok && (last || !context->stop->cut);
  result->rounds += counts;
  if (!counts) result->times = before;
  stepping_end(&stepping);
  return ok;
}

static bool profile_frame(const run_steps *stepping, throng_profile *profile, double *seconds, bench_problem *problem) {
  throng_error error;
  if (throng_world_reset_profile(stepping->world, &error) != THRONG_OK)
    return problem_set(problem, "profile: %s", error.text);
  if (!stepping_go(stepping, 1, NULL, seconds, problem)) return false;
  if (throng_world_get_profile(stepping->world, profile, &error) == THRONG_OK) return true;
  return problem_set(problem, "profile: %s", error.text);
}

bool measure_passes(measurement *result, const measure_context *context, bench_problem *problem) {
  frame_shares shares;
  run_steps stepping;
  uint64_t updates = 0, tested = 0, found = 0;
  const uint32_t frames = profiled_frames(context->scene->frames);
  if (frames == 0) return true;
  if (!stepping_begin(&stepping, result, context, "measuring the passes", pass_frames_of(context->scene), true,
                      problem))
    return false;
  stepping.host = &context->host;
  bool ok = stepping_go(&stepping, warm_up_frames(context->scene->frames), NULL, NULL, problem);
  for (uint32_t frame = 0; frame < frames && ok && !context->stop->cut; frame++) {
    throng_profile profile = {0};
    double seconds = 0;
    ok = profile_frame(&stepping, &profile, &seconds, problem);
    share_out(shares, frame, &profile, result->threads, seconds);
    updates += profile.agent_updates;
    tested += profile.candidates_tested;
    found += profile.neighbours_found;
  }
  if (ok && !context->stop->cut) summarise_shares(result, shares, frames);
  if (updates) result->mean_neighbours = (double)found / (double)updates;
  if (found) result->candidates_per_neighbour = (double)tested / (double)found;
  stepping_end(&stepping);
  return ok;
}

bool measure_hooked(const measurement *result, const measure_context *context, const throng_trace_hook *hook,
                    uint32_t frames, uint64_t *first, bench_problem *problem) {
  run_steps stepping;
  const uint32_t warm = warm_up_frames(context->scene->frames);
  bench_scene hooked = *context->scene;
  hooked.world.trace = *hook;
  measure_context hooked_context = *context;
  hooked_context.scene = &hooked;
  if (!stepping_begin(&stepping, result, &hooked_context, "tracing", warm + frames, false, problem)) return false;
  stepping.host = &context->host;
  *first = throng_world_frame(stepping.world) + warm;
  bool ok = stepping_go(&stepping, warm + frames, NULL, NULL, problem);
  stepping_end(&stepping);
  return ok;
}

bool measure_watched(const measurement *result, const measure_context *context, throng_agent_id agent,
                     throng_explanation *explanation, bench_problem *problem) {
  run_steps stepping;
  throng_error error;
  const uint32_t frames = context->scene->frames;
  if (!stepping_begin(&stepping, result, context, "explaining", frames, false, problem)) return false;
  bool ok = throng_world_watch(stepping.world, agent, &error) == THRONG_OK || problem_set(problem, "%s", error.text);
  ok = ok && stepping_go(&stepping, frames, NULL, NULL, problem);
  if (ok && !context->stop->cut && throng_world_explain(stepping.world, agent, explanation, &error) != THRONG_OK)
    ok = problem_set(problem, "%s", error.text);
  stepping_end(&stepping);
  return ok;
}

void last_frame_release(last_frame *last) {
  run_frame_release(&last->frame);
  text_release(&last->snapshot);
}
