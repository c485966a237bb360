/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "snapshots.h"

#define PROFILED_FRAMES 300u
#define BATCHES 100u

const char *const pass_names[PASS_COUNT] = {"index", "neighbours", "behaviours", "integrate", "constrain"};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

typedef struct step_context {
  throng_world *world;
  const bench_scene *scene;
  run_progress *progress;
  char label[64];
} step_context;

/* Steps in batches and draws the progress between them, where the clock stands still. */
static bool step(const step_context *stepping, uint32_t frames, double *seconds, bench_problem *problem) {
  uint32_t batch = frames / BATCHES + 1;
  throng_error error;
  *seconds = 0;
  for (uint32_t done = 0; done < frames; done += batch) {
    uint32_t count = frames - done < batch ? frames - done : batch;
    double begin = now();
    for (uint32_t i = 0; i < count; i++)
      if (throng_step(stepping->world, stepping->scene->dt, &error) != THRONG_OK)
        return problem_set(problem, "%s: frame %llu: %s: %s", stepping->scene->file,
                           (unsigned long long)throng_world_frame(stepping->world), throng_status_name(error.status),
                           error.text);
    *seconds += now() - begin;
    progress_add(stepping->progress, count, stepping->label);
  }
  return true;
}

static bool warm_up(const step_context *stepping, bench_problem *problem) {
  double unused;
  return step(stepping, stepping->scene->frames ? WARM_UP_FRAMES : 0, &unused, problem);
}

static uint32_t min_frames(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t profiled_frames(const bench_scene *scene) { return min_frames(scene->frames, PROFILED_FRAMES); }

uint64_t measure_frames(const bench_scene *scene, uint32_t rounds) {
  if (scene->frames == 0) return 0;
  return rounds * ((uint64_t)scene->frames + WARM_UP_FRAMES) + profiled_frames(scene) + WARM_UP_FRAMES;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double median_of(double *values, uint32_t count) {
  qsort(values, count, sizeof *values, compare);
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Of each frame: nanoseconds per agent in each pass. */
typedef double pass_frames[PASS_COUNT][PROFILED_FRAMES];

/* The parts of the strips are counted per worker (contact with what else constrains); here they share what the strips took by the clock, so that all
 * passes add up to the frame. */
static void share_out(pass_frames ns, uint32_t frame, const throng_profile *profile) {
  const double updates = profile->agent_updates ? (double)profile->agent_updates : 1;
  const uint64_t parts[] = {profile->neighbours_ns, profile->behaviours_ns, profile->integrate_ns,
                            profile->constrain_ns + profile->contact_ns};
  double sum = 0;
  for (int i = 0; i < 4; i++) sum += (double)parts[i];
  ns[PASS_INDEX][frame] = (double)profile->index_ns / updates;
  for (int i = 0; i < 4; i++)
    ns[PASS_NEIGHBOURS + i][frame] = sum > 0 ? (double)profile->steer_ns * ((double)parts[i] / sum) / updates : 0;
}

static bool read_last(last_frame *last, const throng_world *world, const bench_crowd *start, bench_problem *problem) {
  uint32_t count = start->count;
  bool planar = throng_world_get_def(world).space == THRONG_PLANAR;
  throng_error error;
  last->frame = throng_world_frame(world);
  if (!crowd_allocate(&last->crowd, count, NULL, problem)) return false;
  last->facing = malloc((count ? count : 1) * (planar ? 1 : 3) * sizeof *last->facing);
  if (!last->facing) return problem_set(problem, "out of memory for %u agents", count);
  for (uint32_t k = 0; k < count; k++) last->crowd.id[k] = start->id[k];
  if (throng_agents_read(world, THRONG_POSITION, NULL, count, last->crowd.position, 0, &error) == THRONG_OK &&
      throng_agents_read(world, THRONG_VELOCITY, NULL, count, last->crowd.velocity, 0, &error) == THRONG_OK &&
      throng_agents_read(world, THRONG_GROUP, NULL, count, last->crowd.group, 0, &error) == THRONG_OK &&
      throng_agents_read(world, THRONG_FACING, NULL, count, last->facing, 0, &error) == THRONG_OK)
    return true;
  return problem_set(problem, "reading the agents back: %s: %s", throng_status_name(error.status), error.text);
}

/* A new world at the scene's start, for the combination that `result` names. */
static bool start_stepping(step_context *stepping, const measurement *result, const measure_context *context,
                           bool profile, bench_problem *problem) {
  *stepping = (step_context){.scene = context->scene, .progress = context->progress};
  snprintf(stepping->label, sizeof stepping->label, "%.*s, %s", FIELD_NAME_SIZE, context->scene->name,
           throng_isa_name(result->isa));
  stepping->world = scene_build(context->scene, context->start, result->threads, result->isa, profile, problem);
  if (!stepping->world || !context->snapshot) return stepping->world != NULL;
  if (snapshot_start(stepping->world, context->snapshot, context->start, problem)) return true;
  throng_world_destroy(stepping->world);
  return false;
}

/* The last seconds of a scene with flow fields: who gets nearer to a goal, and who has arrived? */
static bool step_to_goals(const step_context *stepping, const bench_crowd *start, uint32_t frames, double *seconds,
                          last_frame *last, bench_problem *problem) {
  last_frame earlier = {0};
  const size_t bytes = (start->count + 1) * sizeof(float);
  float *before = malloc(bytes), *way = malloc(bytes);
  bool ok = before && way ? read_last(&earlier, stepping->world, start, problem)
                          : problem_set(problem, "out of memory for %u agents", start->count);
  ok = ok && scene_ways(stepping->scene, &earlier.crowd, before, problem) && step(stepping, frames, seconds, problem) &&
       read_last(last, stepping->world, start, problem) && scene_ways(stepping->scene, &last->crowd, way, problem);
  if (ok) last->arrivals = scene_count_arrivals(stepping->scene, &last->crowd, before, way);
  last_frame_release(&earlier);
  free(before);
  free(way);
  return ok;
}

static bool step_and_read(const step_context *stepping, const bench_crowd *start, double *seconds, last_frame *last,
                          bench_problem *problem) {
  const bench_scene *scene = stepping->scene;
  double tail_seconds = 0;
  if (!last || !scene->field_count)
    return step(stepping, scene->frames, seconds, problem) &&
           (!last || read_last(last, stepping->world, start, problem));
  uint32_t tail = min_frames(scene->frames, scene->dt > 0 ? (uint32_t)(PROGRESS_SECONDS / (double)scene->dt) : 0);
  bool ok = step(stepping, scene->frames - tail, seconds, problem) &&
            step_to_goals(stepping, start, tail, &tail_seconds, last, problem);
  *seconds += tail_seconds;
  return ok;
}

bool measure_round(measurement *result, const measure_context *context, last_frame *last, bench_problem *problem) {
  step_context stepping;
  timed_round *round = &result->round[result->rounds];
  if (!start_stepping(&stepping, result, context, false, problem)) return false;
  bool ok = warm_up(&stepping, problem) && step_and_read(&stepping, context->start, &round->seconds, last, problem);
  if (last && context->keeps_snapshot) ok = ok && snapshot_keep(&last->snapshot, stepping.world, problem);
  throng_world_def def = throng_world_get_def(stepping.world);
  result->threads = def.thread_count;
  result->isa = def.isa;
  round->hash = throng_world_hash(stepping.world, 0);
  result->rounds += ok;
  throng_world_destroy(stepping.world);
  return ok;
}

static bool profile_frame(const step_context *stepping, throng_profile *profile, bench_problem *problem) {
  double unused;
  throng_error error;
  if (throng_world_profile_reset(stepping->world, &error) != THRONG_OK)
    return problem_set(problem, "profile: %s", error.text);
  if (!step(stepping, 1, &unused, problem)) return false;
  if (throng_world_profile(stepping->world, profile, &error) == THRONG_OK) return true;
  return problem_set(problem, "profile: %s", error.text);
}

bool measure_passes(measurement *result, const measure_context *context, bench_problem *problem) {
  pass_frames ns;
  step_context stepping;
  uint64_t updates = 0, tested = 0, found = 0;
  const uint32_t frames = profiled_frames(context->scene);
  if (frames == 0) return true;
  if (!start_stepping(&stepping, result, context, true, problem)) return false;
  bool ok = warm_up(&stepping, problem);
  for (uint32_t frame = 0; frame < frames && ok; frame++) {
    throng_profile profile = {0};
    ok = profile_frame(&stepping, &profile, problem);
    share_out(ns, frame, &profile);
    updates += profile.agent_updates;
    tested += profile.candidates_tested;
    found += profile.neighbours_found;
  }
  for (int i = 0; i < PASS_COUNT && ok; i++) result->pass_ns[i] = median_of(ns[i], frames);
  if (updates) result->mean_neighbours = (double)found / (double)updates;
  if (found) result->candidates_per_neighbour = (double)tested / (double)found;
  throng_world_destroy(stepping.world);
  return ok;
}

bool measure_hooked(const measurement *result, const measure_context *context, const throng_trace_hook *hook,
                    uint32_t frames, bench_problem *problem) {
  double unused;
  step_context stepping;
  bench_scene hooked = *context->scene;
  hooked.world.trace = *hook;
  hooked.frames = frames;
  measure_context hooked_context = *context;
  hooked_context.scene = &hooked;
  if (!start_stepping(&stepping, result, &hooked_context, false, problem)) return false;
  bool ok = warm_up(&stepping, problem) && step(&stepping, hooked.frames, &unused, problem);
  throng_world_destroy(stepping.world);
  return ok;
}

bool measure_watched(const measurement *result, const measure_context *context, throng_agent_id agent,
                     throng_explanation *explanation, bench_problem *problem) {
  double unused;
  step_context stepping;
  throng_error error;
  if (!start_stepping(&stepping, result, context, false, problem)) return false;
  bool ok = throng_world_watch(stepping.world, agent, &error) == THRONG_OK || problem_set(problem, "%s", error.text);
  ok = ok && warm_up(&stepping, problem) && step(&stepping, context->scene->frames, &unused, problem);
  if (ok && throng_agent_explain(stepping.world, agent, explanation, &error) != THRONG_OK)
    ok = problem_set(problem, "%s", error.text);
  throng_world_destroy(stepping.world);
  return ok;
}

void last_frame_release(last_frame *last) {
  crowd_release(&last->crowd);
  free(last->facing);
  text_release(&last->snapshot);
  last->facing = NULL;
}
