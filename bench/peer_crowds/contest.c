/* SPDX-License-Identifier: MIT */
#include "contest.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/summary.h"
#include "people.h"

#define NEIGHBOURS_TOLERANCE 0.01 /* allowed difference of the mean neighbours, as a fraction of throng's mean */
#define POSITION_TOLERANCE 1e-3   /* metres, root mean square; correct peers stay below 1e-5 */
#define COMPARED_FRAMES 30u       /* positions are compared after these frames; later, rounding errors have grown */

/* One thread's time is processor time, of which other programs take none. */
static double now(uint32_t threads) {
  struct timespec time;
  clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static peer_rules rules_of(const bench_scene *scene) {
  const throng_group_def *group = &scene->groups[0].def;
  peer_rules rules = {.dimensions = scene->world.space == THRONG_SPACE_PLANAR ? 2 : 3,
                      .radius = scene->world.perception_radius,
                      .dt = scene->dt,
                      .max_speed = group->max_speed,
                      .max_acceleration = group->max_acceleration,
                      .separation_weight = group->separation.weight,
                      .separation_strength = group->separation.strength,
                      .cohesion_weight = group->cohesion.weight,
                      .alignment_weight = group->alignment.weight,
                      .time_to_target = group->alignment.time_to_target};
  peer_vector(rules.box_min, scene->world.box_min, rules.dimensions);
  peer_vector(rules.box_max, scene->world.box_max, rules.dimensions);
  return rules;
}

bool contest_prepare(peer_contest *contest, const char *scene, const peers_options *options, bench_problem *problem) {
  if (!scene_load(&contest->scene, scene, problem) ||
      !scene_check_memory(&contest->scene, options->agents, options->agents, problem) ||
      !scene_fit(&contest->scene, options->agents, problem) || !crowd_spawn(&contest->crowd, &contest->scene, problem))
    return false;
  if (people_are_in(&contest->scene)) {
    contest->people = people_create(&contest->scene, &contest->crowd);
    if (!contest->people) return problem_set(problem, "%s: the people cannot be created", contest->scene.name);
  }
  uint32_t count = contest->crowd.count;
  contest->position = malloc(count * sizeof *contest->position);
  contest->velocity = malloc(count * sizeof *contest->velocity);
  if (!contest->position || !contest->velocity) return problem_set(problem, "out of memory for %u agents", count);
  peer_rules rules = rules_of(&contest->scene);
  for (uint32_t i = 0; i < count; i++) {
    peer_vector(contest->position[i], contest->crowd.position[i], rules.dimensions);
    peer_vector(contest->velocity[i], contest->crowd.velocity[i], rules.dimensions);
  }
  contest->task = (peer_task){.rules = rules,
                              .count = count,
                              .position = (const float(*)[3])contest->position,
                              .velocity = (const float(*)[3])contest->velocity,
                              .scene = &contest->scene,
                              .crowd = &contest->crowd,
                              .people = contest->people};
  return true;
}

void contest_release(peer_contest *contest) {
  people_destroy(contest->people);
  scene_release(&contest->scene);
  crowd_release(&contest->crowd);
  free(contest->position);
  free(contest->velocity);
}

uint64_t contest_parts(const peers_options *options) {
  const peer_crowd *list[PEERS_MAX];
  return (uint64_t)peers_list(list) * options->threads.count * (options->rounds + 1);
}

static void leave_out_where_unfit(contest_row *row, const peer_task *task) {
  const peer_crowd *who = row->peer;
  const peer_scenes scenes = task->people ? PEER_PEOPLE : PEER_FLOCKS;
  if (who->missing)
    snprintf(row->left_out, sizeof row->left_out, "%s", who->missing);
  else if (who->scenes != PEER_ALL && who->scenes != scenes)
    snprintf(row->left_out, sizeof row->left_out, task->people ? "no people" : "no flocks");
  else if (who->planar_only && task->rules.dimensions == 3)
    snprintf(row->left_out, sizeof row->left_out, "planar only");
  else if (who->one_thread && task->threads > 1)
    snprintf(row->left_out, sizeof row->left_out, "one thread only");
  else if (who->max_agents && task->count > who->max_agents)
    snprintf(row->left_out, sizeof row->left_out, "at most %u agents", who->max_agents);
}

static bool fail(const contest_row *row, const char *what, bench_problem *problem) {
  return problem_set(problem, "%s, %u threads: %s failed", row->peer->name, row->threads, what);
}

/* A program that takes part in the contest. */
typedef struct entrant {
  contest_row *row;
  void *crowd;
  double rate[PEERS_MAX_ROUNDS];
} entrant;

/* The entrants for one number of threads, without the programs that cannot run. The first is throng with the best
 * instruction set. */
typedef struct peer_field {
  peer_contest *contest;
  const peers_options *options;
  run_progress *progress;
  peer_task task;
  entrant entrants[PEERS_MAX];
  int count;
} peer_field;

static bool step(const entrant *who, uint32_t frames, bench_problem *problem) {
  for (uint32_t frame = 0; frame < frames; frame++)
    if (!who->row->peer->step(who->crowd)) return fail(who->row, "stepping a frame", problem);
  return true;
}

/* Steps the frames that are timed later. `position` receives the agents' positions after the first COMPARED_FRAMES
 * frames, or after the last if there are fewer. */
static bool rehearse(entrant *who, const peer_field *field, float (*position)[3], bench_problem *problem) {
  const peer_crowd *peer = who->row->peer;
  uint32_t frames = CONTEST_WARM_UP_FRAMES + field->options->frames;
  uint32_t first = frames < COMPARED_FRAMES ? frames : COMPARED_FRAMES;
  who->crowd = peer->create(&field->task);
  if (!who->crowd) return fail(who->row, "creating its crowd", problem);
  bool ok = peer->start(who->crowd) || fail(who->row, "setting the start", problem);
  ok = ok && step(who, first, problem);
  ok = ok && (peer->read(who->crowd, position) || fail(who->row, "reading its positions", problem));
  ok = ok && step(who, frames - first, problem);
  if (ok) who->row->mean_neighbours = peer->mean_neighbours(who->crowd);
  peer->destroy(who->crowd);
  who->crowd = NULL;
  return ok;
}

static double distance_apart(const peer_field *field, float (*a)[3], float (*b)[3]) {
  double sum = 0;
  for (uint32_t i = 0; i < field->task.count; i++)
    for (int axis = 0; axis < 3; axis++) {
      double d = (double)a[i][axis] - (double)b[i][axis];
      sum += d * d;
    }
  return sqrt(sum / field->task.count);
}

/* Checks that an entrant computes the same flock as the first one: mean neighbours and positions. An entrant that
 * considers a limited number of neighbours or follows other rules is not checked. */
static bool agree(const peer_field *field, const entrant *who, float (*position)[3], float (*expected)[3],
                  bench_problem *problem) {
  const contest_row *row = who->row, *reference = field->entrants[0].row;
  if (row->peer->most_neighbours || row->peer->own_rules) return true;
  if (!(fabs(row->mean_neighbours - reference->mean_neighbours) <= NEIGHBOURS_TOLERANCE * reference->mean_neighbours))
    return problem_set(problem, "%s, %s, %u threads: %.4f neighbours on average, but %s finds %.4f",
                       field->contest->scene.name, row->peer->name, row->threads, row->mean_neighbours,
                       reference->peer->name, reference->mean_neighbours);
  double apart = distance_apart(field, position, expected);
  if (!(apart <= POSITION_TOLERANCE))
    return problem_set(
        problem, "%s, %s, %u threads: its agents are %.3g m from those of %s (root mean square), allowed %g m",
        field->contest->scene.name, row->peer->name, row->threads, apart, reference->peer->name, POSITION_TOLERANCE);
  return true;
}

/* Lets every entrant step the frames once, and compares it with the first. */
static bool check(peer_field *field, bench_problem *problem) {
  size_t size = field->task.count * sizeof(float[3]);
  float(*position)[3] = malloc(size), (*expected)[3] = malloc(size);
  bool ok = position && expected;
  if (!ok) problem_set(problem, "out of memory for %u agents", field->task.count);
  field->task.counting = true;
  for (int i = 0; i < field->count && ok; i++) {
    entrant *who = &field->entrants[i];
    progress_part(field->progress, who->row->peer->name, 0, 0);
    ok = rehearse(who, field, i == 0 ? expected : position, problem) &&
         (i == 0 || agree(field, who, position, expected, problem));
    progress_stepped(field->progress, 1, 0);
  }
  field->task.counting = false;
  free(position);
  free(expected);
  return ok;
}

/* Times an entrant in one round: repeats the same frames from the same start until they have taken --seconds. */
static bool take_turn(entrant *who, const peer_field *field, uint32_t round, bench_problem *problem) {
  double seconds = 0, updates = 0;
  do {
    if (!who->row->peer->start(who->crowd)) return fail(who->row, "setting the start", problem);
    if (!step(who, CONTEST_WARM_UP_FRAMES, problem)) return false;
    double begin = now(field->task.threads);
    if (!step(who, field->options->frames, problem)) return false;
    seconds += now(field->task.threads) - begin;
    updates += (double)field->task.count * field->options->frames;
  } while (seconds < (double)field->options->seconds);
  who->rate[round] = updates / (seconds * 1e3);
  return true;
}

static void summarise(entrant *who, uint32_t rounds) {
  const summary rates = summary_of(who->rate, rounds);
  who->row->minimum = rates.min;
  who->row->median = rates.median;
  who->row->spread = rates.spread;
}

static bool run_rounds(peer_field *field, bench_problem *problem) {
  uint32_t rounds = field->options->rounds;
  bool ok = true;
  for (int i = 0; i < field->count && ok; i++) {
    entrant *who = &field->entrants[i];
    who->crowd = who->row->peer->create(&field->task);
    ok = who->crowd || fail(who->row, "creating its crowd", problem);
  }
  for (uint32_t round = 0; round < rounds; round++)
    for (int i = 0; i < field->count && ok; i++) {
      progress_part(field->progress, field->entrants[i].row->peer->name, 0, 0);
      ok = take_turn(&field->entrants[i], field, round, problem);
      progress_stepped(field->progress, 1, 0);
    }
  for (int i = 0; i < field->count; i++) {
    entrant *who = &field->entrants[i];
    who->row->peer->destroy(who->crowd);
    if (ok) summarise(who, rounds);
    if (ok) who->row->ratio = field->entrants[0].row->median / who->row->median;
  }
  return ok;
}

static bool run_threads(peer_field *field, bench_problem *problem) {
  const peer_crowd *list[PEERS_MAX];
  int peers = peers_list(list);
  for (int i = 0; i < peers; i++) {
    contest_row *row = &field->contest->rows[field->contest->row_count++];
    *row = (contest_row){.peer = list[i], .threads = field->task.threads};
    leave_out_where_unfit(row, &field->task);
    if (!row->left_out[0]) field->entrants[field->count++].row = row;
  }
  return check(field, problem) && run_rounds(field, problem);
}

bool contest_run(peer_contest *contest, const peers_options *options, run_progress *progress, bench_problem *problem) {
  bool ok = true;
  for (uint32_t t = 0; t < options->threads.count && ok; t++) {
    peer_field field = {.contest = contest, .options = options, .progress = progress, .task = contest->task};
    field.task.threads = options->threads.value[t] ? options->threads.value[t] : (uint32_t)omp_get_num_procs();
    ok = run_threads(&field, problem);
  }
  return ok;
}
