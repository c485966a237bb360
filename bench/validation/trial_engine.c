/* trial_engine.c: walks a trial's walkers with an engine (engines/engine.h) instead of throng.
 * SPDX-License-Identifier: MIT */
#include "trial_crowd.h"

#include <math.h>
#include <stdlib.h>

/* Only RVO2 takes these: as in its examples Blocks and Roadmap, and the circle of 15 m at a sixth of its size. */
#define HORIZON 5.0f
#define NEIGHBOUR_RADIUS 2.5f
#define SLOW_RADIUS 1.5f /* metres from their goals at which those who stay there begin to slow down, as throng's do */

typedef struct trial_engine {
  const crowd_engine *engine;
  void *crowd;
  uint32_t steps;        /* per frame */
  uint32_t *person;      /* by walker: its number in the crowd, in the order in which they were added */
  uint32_t people;       /* who were added */
  uint32_t *corners_end; /* each wall has two corners */
  float (*corner)[2];
} trial_engine;

static bool refused(crowd_trial *trial, const char *what) {
  return problem_set(trial->problem, "%s: %s failed", trial->model->name, what);
}

static void close(crowd_trial *trial) {
  trial_engine *own = trial->engine;
  if (!own) return;
  own->engine->close(own->crowd);
  free(own->person);
  free(own->corners_end);
  free(own->corner);
  free(own);
  trial->engine = NULL;
}

static void lay_walls(trial_engine *own, const crowd_place *place) {
  for (uint32_t i = 0; i < place->wall_count; i++) {
    const crowd_wall *wall = &place->walls[i];
    own->corner[2 * i][0] = wall->ax;
    own->corner[2 * i][1] = wall->az;
    own->corner[2 * i + 1][0] = wall->bx;
    own->corner[2 * i + 1][1] = wall->bz;
    own->corners_end[i] = 2 * i + 2;
  }
}

/* Opens the engine. It makes as many steps per frame as keep them within its usual length. */
static bool begin(crowd_trial *trial) {
  const crowd_place *place = &trial->place;
  trial_engine *own = calloc(1, sizeof *own);
  if (!own) return problem_set(trial->problem, "out of memory");
  trial->engine = own;
  own->engine = trial->model->engine;
  own->person = malloc((trial->count + 1) * sizeof *own->person);
  own->corners_end = malloc((place->wall_count + 1) * sizeof *own->corners_end);
  own->corner = malloc((2 * place->wall_count + 1) * sizeof *own->corner);
  if (!own->person || !own->corners_end || !own->corner) return problem_set(trial->problem, "out of memory");
  lay_walls(own, place);
  const float frame = 1.0f / (float)trial->frame_rate, usual = own->engine->usual_dt;
  own->steps = usual > 0 ? (uint32_t)ceilf(frame / usual - 0.001f) : 1;
  const engine_place where = {.min = {place->min_x, place->min_z},
                              .max = {place->max_x, place->max_z},
                              .periodic = {place->torus, place->torus},
                              .dt = frame / (float)own->steps,
                              .threads = 1,
                              .obstacle_count = place->wall_count,
                              .corners_end = own->corners_end,
                              .corner = (const float(*)[2])own->corner};
  own->crowd = own->engine->open(&where);
  return own->crowd || refused(trial, "opening its crowd");
}

static bool add(crowd_trial *trial, uint32_t i, throng_vec3 velocity) {
  trial_engine *own = trial->engine;
  const crowd_walker *walker = &trial->walkers[i];
  const engine_person person = {.position = {walker->start_x, walker->start_z},
                                .velocity = {velocity.x, velocity.z},
                                .radius = trial->place.body_radius,
                                .max_speed = walker->speed,
                                .neighbour_radius = NEIGHBOUR_RADIUS,
                                .horizon = HORIZON,
                                .wall_horizon = HORIZON};
  own->person[i] = own->people++;
  return own->engine->add(own->crowd, &person) || refused(trial, "adding people");
}

static bool remove_walker(crowd_trial *trial, uint32_t i) {
  trial_engine *own = trial->engine;
  return own->engine->remove(own->crowd, own->person[i]) || refused(trial, "removing people");
}

static bool read(crowd_trial *trial) {
  const trial_engine *own = trial->engine;
  for (uint32_t i = 0; i < trial->count; i++)
    if (!trial->walkers[i].absent) own->engine->read(own->crowd, own->person[i], trial->seen[i]);
  return true;
}

/* How a walker wants to walk: along its flow field or its way, or straight to its goal. */
static bool wish_of(crowd_trial *trial, const crowd_walker *walker, float wish[2]) {
  const crowd_place *place = &trial->place;
  const throng_vec3 at = {walker->x, 0, walker->z}, goal = trial_goal(trial, walker);
  throng_vec3 way = {goal.x - at.x, 0, goal.z - at.z};
  float speed = walker->speed, length;
  if (place->field_count > 0 &&
      throng_world_sample_flow_field(trial->world, walker->group, at, &way, NULL) != THRONG_OK)
    return refused(trial, "reading the flow field");
  if (walker->aim == AIM_WAY) way = (throng_vec3){walker->way_x, 0, walker->way_z};
  length = sqrtf(way.x * way.x + way.z * way.z);
  if (walker->stays && length < SLOW_RADIUS && walker->aim == AIM_POINT && place->field_count == 0)
    speed *= length / SLOW_RADIUS;
  if (place->stairs_factor > 0 && at.x >= place->stairs_min_x && at.x <= place->stairs_max_x)
    speed *= place->stairs_factor;
  wish[0] = length > 0 ? way.x / length * speed : 0;
  wish[1] = length > 0 ? way.z / length * speed : 0;
  return true;
}

static bool lead(crowd_trial *trial) {
  const trial_engine *own = trial->engine;
  for (uint32_t i = 0; i < trial->count; i++) {
    float wish[2];
    if (trial->walkers[i].absent) continue;
    if (!wish_of(trial, &trial->walkers[i], wish)) return false;
    if (!own->engine->wish(own->crowd, own->person[i], wish)) return refused(trial, "leading people");
  }
  return true;
}

static bool step(crowd_trial *trial) {
  const trial_engine *own = trial->engine;
  for (uint32_t k = 0; k < own->steps; k++)
    if (!own->engine->step(own->crowd)) return refused(trial, "a step");
  trial->agent_steps += (uint64_t)own->steps * trial->here;
  return true;
}

const trial_crowd engine_trial_crowd = {begin, add, remove_walker, read, lead, step, close};
