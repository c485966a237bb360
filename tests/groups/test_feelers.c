/* tests/groups/test_feelers.c: tests of obstacle and wall avoidance against the reference and on known scenes, of
 * predictions that stop at walls, and of the fan's memory.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"
#include "support/stand.h"

#include "reference/reference_scenery.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint64_t base_seed;

#define AGENTS 80
static const throng_vec3 rest = {0, 0, 0};

static void random_parameters(test_rng *rng, throng_behaviour *b, float side) {
  throng_parameter p;
  for (uint32_t k = 0; throng_behaviour_get_parameter(b->kind, k, &p); k++) {
    const bool metres = strstr(p.name, "distance") || strcmp(p.name, "look_ahead") == 0;
    const float most = p.highest < 4.0 ? (float)p.highest : 4.0f,
                value = rng_float(rng, 0, metres ? side * 0.3f : most);
    if (p.type == THRONG_PARAMETER_FLOAT) assert_true(throng_behaviour_set_value(b, &p, (double)value));
    if (strcmp(p.name, "sees_all") == 0) assert_true(throng_behaviour_set_value(b, &p, rng_chance(rng, 0.8f)));
  }
  if (b->kind == THRONG_BEHAVIOUR_AVOID_WALLS) b->avoid_walls.rays = (throng_rays)rng_below(rng, 4);
  if (b->kind == THRONG_BEHAVIOUR_AVOID_OBSTACLES) b->avoid_obstacles.nearest_only = rng_below(rng, 2);
}

static void compare_frame(throng_world *world, const stand *s, borders *around, const throng_group_def *g, float dt,
                          bool spatial, uint64_t seed) {
  static throng_vec3 p[AGENTS], v[AGENTS], a[AGENTS];
  static float fan[AGENTS][2], next[AGENTS][2];
  const throng_behaviour *b = &g->behaviour[0];
  const bool walls = b->kind == THRONG_BEHAVIOUR_AVOID_WALLS;
  const throng_scenery_def scenery = stand_def(s);
  throng_error error;
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, p, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, AGENTS, v, 0, &error), &error);
  if (walls) require_ok(throng_agents_read(world, THRONG_COLUMN_FAN, NULL, AGENTS, fan, 0, &error), &error);
  require_ok(throng_world_steer(world, dt, &error), &error);
  require_ok(throng_world_steer(world, dt, &error), &error); /* a second steer changes nothing */
  require_ok(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, NULL, AGENTS, a, 0, &error), &error);
  require_ok(throng_world_integrate(world, dt, &error), &error);
  if (walls) require_ok(throng_agents_read(world, THRONG_COLUMN_FAN, NULL, AGENTS, next, 0, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) {
    const ref_feeler who = {p[k],        v[k],        g->body_radius, g->max_acceleration,
                            k + 1,       spatial,     g->max_speed,   borders_cells(around),
                            around->box, around->low, around->high,   {false, false}};
    const throng_vec3 felt = walls ? ref_avoid_walls(&scenery, &who, &b->avoid_walls, dt, fan[k])
                                   : ref_avoid_obstacles(&scenery, &who, &b->avoid_obstacles);
    const throng_vec3 want = group_blend_one(g, felt, spatial);
    const bool same = want.x == a[k].x && want.z == a[k].z && (!spatial || want.y == a[k].y);
    if (same && (!walls || memcmp(fan[k], next[k], sizeof fan[k]) == 0)) continue;
    print_error("seed %" PRIu64
                ", agent %u: (%a, %a, %a), the reference (%a, %a, %a); fan %a %g, the reference %a %g\n",
                seed, k + 1, (double)a[k].x, (double)a[k].y, (double)a[k].z, (double)want.x, (double)want.y,
                (double)want.z, (double)next[k][0], (double)next[k][1], (double)fan[k][0], (double)fan[k][1]);
    fail();
  }
}

static void the_reference_feels_the_same(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 120; round++) {
    const uint64_t seed = base_seed + round;
    test_rng rng = rng_from(seed);
    const bool spatial = round % 2;
    const place at = random_place(&rng, spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR);
    static stand s;
    s = random_stand(&rng, &at);
    borders around = random_borders(&rng, &at);
    throng_world_def def = throng_default_world_def();
    throng_group_def g = stage_idle_group();
    def.space = at.space;
    set_borders_box(&def, &around);
    g.body_radius = rng_chance(&rng, 0.3f) ? 0.0f : rng_float(&rng, 0, 0.05f) * at.side;
    g.max_acceleration = at.side;
    g.max_speed = at.side;
    throng_behaviour *b =
        group_want(&g, round % 4 < 2 ? THRONG_BEHAVIOUR_AVOID_WALLS : THRONG_BEHAVIOUR_AVOID_OBSTACLES, 1.0f);
    random_parameters(&rng, b, at.side);
    throng_world *world = stage_world(&def, &g);
    set_stand(world, &s);
    set_borders_cells(world, &around);
    throng_vec3 p[AGENTS], v[AGENTS];
    for (int k = 0; k < AGENTS;) {
      p[k] = random_point(&rng, &at);
      v[k] = random_point(&rng, &(place){at.space, {-0.5f * at.side, -0.5f * at.side, -0.5f * at.side}, at.side});
      if (!spatial) v[k].y = 0;
      if (rng_chance(&rng, 0.1f)) v[k] = (throng_vec3){0, 0, 0};
      if (rng_chance(&rng, 0.1f)) v[k].x = v[k].z = 0;
      if (throng_world_is_free(world, p[k], 0)) k++;
    }
    stage_add(world, AGENTS, p, v, NULL, NULL);
    for (int frame = 0; frame < 12; frame++) compare_frame(world, &s, &around, &g, 0.05f, spatial, seed);
    throng_world_destroy(world);
  }
}

/* An agent avoids an obstacle by a sideways acceleration k L / distance. If the agent moves exactly towards the
 * obstacle's centre, its id index chooses the side. There is no acceleration if the obstacle is behind, beside or too
 * far away, or the agent is at rest. */
static void one_obstacle(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.max_acceleration = 100;
  g.body_radius = 0.5f;
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_AVOID_OBSTACLES, 1.0f);
  b->avoid_obstacles.look_ahead = 10;
  b->avoid_obstacles.look_ahead_time = 0;
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  static stand s;
  memset(&s, 0, sizeof s);
  add_ball(&s, 5, 0, 0, 1);
  set_stand(world, &s);
  const throng_vec3 p[] = {{0, 0, 0.6f}, {0, 0, 0}, {0, 0, 0}, {10, 0, 0}, {0, 0, 1.6f}, {-6, 0, 0}, {0, 0, 0}},
                    v[] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 0}};
  throng_agent_id ids[7];
  stage_add(world, 7, p, v, NULL, ids);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  const double strength = 3 * 10 / sqrt(25 + 0.36);
  throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0]);
  assert_true(fabs((double)a.z - strength) < 1e-4 && fabsf(a.x) < 1e-5f);
  a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]); /* id 2: left of +x is -z */
  assert_true(fabsf(a.z + 6) < 1e-4f);
  a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[2]);
  assert_true(fabsf(a.z - 6) < 1e-4f);
  for (int k = 3; k < 7; k++) {
    a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[k]);
    assert_true(a.x == 0 && a.z == 0);
  }
  throng_world_destroy(world);
}

/* The end of a walk among walls with a constant thrust along the facing. */
typedef struct walk {
  throng_vec3 p, v;
  float closest; /* smallest distance to (0, 0, 0.1) */
  bool left;     /* x was below -10 */
} walk;
static walk walk_among(const stand *s, int rays, throng_vec3 p, float heading, int frames) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 2;
  g.max_acceleration = 6;
  g.facing = THRONG_FACING_SMOOTH;
  group_want(&g, THRONG_BEHAVIOUR_AVOID_WALLS, 2.0f)->avoid_walls.rays = (throng_rays)rays;
  throng_behaviour *forward = group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f);
  forward->wander.radius = forward->wander.rate = 0;
  throng_world *world = stage_world(NULL, &g);
  throng_agent_id id;
  set_stand(world, s);
  const throng_vec3 v = {2 * cosf(heading), 0, 2 * sinf(heading)};
  stage_add(world, 1, &p, &v, NULL, &id);
  walk w = {.closest = 1e9f};
  for (int frame = 0; frame < frames; frame++) {
    stage_step(world, 1.0f / 60.0f);
    w.p = stage_read(world, THRONG_COLUMN_POSITION, id);
    w.v = stage_read(world, THRONG_COLUMN_VELOCITY, id);
    w.closest = fminf(w.closest, (float)stage_distance(w.p, (throng_vec3){0, 0, 0.1f}));
    w.left = w.left || w.p.x < -10;
  }
  throng_world_destroy(world);
  return w;
}

/* In a wedge a walker with whiskers gets stuck and one with a fan turns back. A fan passes a narrow corridor. A single
 * ray misses a corner beside the way, which whiskers avoid. */
static void scenario_10(void **state) {
  (void)state;
  static stand wedge, corridor, corner;
  memset(&wedge, 0, sizeof wedge);
  memset(&corridor, 0, sizeof corridor);
  memset(&corner, 0, sizeof corner);
  add_wall(&wedge, 0, 0, -20 * 0.8660254f, 10); /* 60 degrees, open toward -x */
  add_wall(&wedge, 0, 0, -20 * 0.8660254f, -10);
  for (int k = -4; k <= 4; k++) {
    const throng_vec3 p = {-8, 0, (float)k * 0.3f};
    const walk whiskers = walk_among(&wedge, THRONG_RAYS_WHISKERS, p, 0.03f * (float)k, 1200);
    assert_true(!whiskers.left && whiskers.p.x > -0.5f); /* stuck: the body touches both walls 0.4 m before the apex */
    const walk fan = walk_among(&wedge, THRONG_RAYS_FAN, p, 0.03f * (float)k, 1200);
    assert_true(fan.left);
  }
  add_wall(&corridor, -20, 0.6f, 20, 0.6f); /* three bodies wide */
  add_wall(&corridor, -20, -0.6f, 20, -0.6f);
  for (int k = -3; k <= 3; k++) {
    const walk fan =
        walk_among(&corridor, THRONG_RAYS_FAN, (throng_vec3){-18, 0, 0.1f * (float)k}, 0.03f * (float)k, 1200);
    assert_true(fan.p.x > 20);
  }
  add_wall(&corner, 0, 0.1f, 3, 0.1f); /* a corner beside the way, nearer than the body radius */
  add_wall(&corner, 0, 0.1f, 0, 3);
  const walk single = walk_among(&corner, THRONG_RAYS_SINGLE, (throng_vec3){-5, 0, 0}, 0, 400);
  const walk whiskers = walk_among(&corner, THRONG_RAYS_WHISKERS, (throng_vec3){-5, 0, 0}, 0, 400);
  assert_true(single.closest < 0.2f + 1e-4f); /* the body touches the corner */
  assert_true(whiskers.closest > 0.25f);
}

/* Writes to `a` the accelerations of agents with the behaviour b among the scenery s. Their target is the agent 0,
 * which has the velocity u. */
static void hunt(const stand *s, const place *at, const throng_vec3 *p, throng_vec3 u, throng_behaviour b,
                 throng_vec3 a[AGENTS]) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  def.space = at->space;
  g.max_speed = INFINITY;
  throng_world *world = stage_world(&def, &g);
  throng_agent_id ids[AGENTS];
  throng_error error;
  throng_vec3 v[AGENTS] = {u};
  set_stand(world, s);
  stage_add(world, AGENTS, p, v, NULL, ids);
  g.max_speed = at->side;
  g.behaviour[g.behaviour_count++] = b;
  g.behaviour[0].target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[0]};
  static uint8_t group[AGENTS];
  memset(group, 1, sizeof group);
  require_ok(throng_world_set_group(world, 1, &g, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], AGENTS - 1, group, 0, &error), &error);
  require_ok(throng_world_steer(world, 0.05f, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, NULL, AGENTS, a, 0, &error), &error);
  throng_world_destroy(world);
}

/* In a box world the prediction ends at the faces: the pursuer aims at the place where the target meets the face. */
static void predictions_stop_at_faces(void **state) {
  (void)state;
  for (int axis = 0; axis < 2; axis++)
    for (int sign = -1; sign <= 1; sign += 2) {
      throng_world_def def = throng_default_world_def();
      throng_group_def idle = stage_idle_group(), g = idle;
      throng_agent_id ids[2];
      throng_error error;
      const float side = (float)sign;
      throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
      def.box_min = (throng_vec3){-10, -10, -10};
      def.box_max = (throng_vec3){10, 10, 10};
      throng_world *world = stage_world(&def, &idle);
      const throng_vec3 p[2] = {{axis ? 4.0f : 8.0f * side, 0, axis ? 8.0f * side : 4.0f}, {1, 0, 1}};
      const throng_vec3 v[2] = {{axis ? 0.0f : 2.0f * side, 0, axis ? 2.0f * side : 0.0f}, {0, 0, 0}};
      stage_add(world, 2, p, v, NULL, ids);
      g.max_speed = 1.0f;
      throng_behaviour *b = throng_group_def_add(&g, THRONG_BEHAVIOUR_PURSUE);
      b->target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[0]};
      b->pursue.max_prediction = 3.0f;
      b->pursue.stop_at_walls = true;
      require_ok(throng_world_set_group(world, 1, &g, &error), &error);
      const uint8_t group = 1;
      require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 1, &group, 0, &error), &error);
      require_ok(throng_world_steer(world, 0.01f, &error), &error);
      const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]);
      const throng_vec3 met = {axis ? 4.0f : 10.0f * side, 0, axis ? 10.0f * side : 4.0f};
      assert_true(fabsf(a.x * (met.z - 1) - a.z * (met.x - 1)) < 1e-4f && a.x * (met.x - 1) + a.z * (met.z - 1) > 0);
      throng_world_destroy(world);
    }
}

/* With stop_at_walls the prediction ends at the time when the target would reach scenery. The accelerations are the
 * same as without it and with that time as max_prediction. With give_up_at_walls they are those without a prediction
 * where that time is shorter than the prediction. */
static void predictions_stop_at_walls(void **state) {
  (void)state;
  uint32_t stopped = 0, futile = 0;
  for (uint32_t round = 0; round < 120; round++) {
    test_rng rng = rng_from(base_seed + 300 + round);
    const place at = random_place(&rng, round % 2 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR),
                around = {at.space, {-0.5f * at.side, -0.5f * at.side, -0.5f * at.side}, at.side};
    static stand s;
    s = random_stand(&rng, &at);
    throng_world *empty = stand_world(at.space, THRONG_BOUNDARY_UNBOUNDED, 1, rest, 0, THRONG_UPDATE_SEMI_IMPLICIT);
    throng_vec3 p[AGENTS], u = random_point(&rng, &around);
    set_stand(empty, &s);
    for (int k = 0; k < AGENTS;) {
      p[k] = random_point(&rng, &at);
      if (throng_world_is_free(empty, p[k], 0)) k++;
    }
    throng_world_destroy(empty);
    const bool evades = round % 4 >= 2;
    throng_behaviour b = throng_default_behaviour(evades ? THRONG_BEHAVIOUR_EVADE : THRONG_BEHAVIOUR_PURSUE);
    float *most = evades ? &b.evade.max_prediction : &b.pursue.max_prediction;
    *most = rng_chance(&rng, 0.2f) ? 1e9f : rng_float(&rng, 0, 2);
    if (rng_chance(&rng, 0.1f)) u = rest;
    const throng_scenery_def scenery = stand_def(&s);
    const float free_time = ref_free_time(&scenery, p[0], u, round % 2, *most);
    stopped += free_time < *most;
    static throng_vec3 with[AGENTS], without[AGENTS], plain[AGENTS], given_up[AGENTS], at_once[AGENTS];
    hunt(&s, &at, p, u, b, plain);
    *(evades ? &b.evade.give_up_at_walls : &b.pursue.give_up_at_walls) = true;
    hunt(&s, &at, p, u, b, given_up);
    *(evades ? &b.evade.stop_at_walls : &b.pursue.stop_at_walls) = true;
    hunt(&s, &at, p, u, b, with);
    *(evades ? &b.evade.stop_at_walls : &b.pursue.stop_at_walls) = false;
    *most = free_time;
    hunt(&s, &at, p, u, b, without);
    assert_memory_equal(with, without, sizeof with);
    *most = 0.0f;
    hunt(&s, &at, p, u, b, at_once);
    for (int k = 1; k < AGENTS; k++) { /* given up where stop_at_walls changes the acceleration */
      const bool changed = memcmp(&with[k], &plain[k], sizeof *plain) != 0;
      const bool gives_up = memcmp(&given_up[k], &at_once[k], sizeof *plain) == 0;
      if (changed) assert_true(gives_up);
      if (!gives_up) assert_memory_equal(&given_up[k], &plain[k], sizeof *plain);
      futile += changed;
    }
  }
  assert_true(stopped > 20 && futile > 100);
}

/* The prey moves at 1 m/s. 2 m ahead of it there is a wall, an obstacle, a blocked cell or nothing. The pursuer's
 * prediction ends there, unless there is nothing. */
static void prey_that_runs_into_something(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; kind++) {
    throng_group_def g = stage_idle_group();
    throng_world *world = stage_world(NULL, &g);
    static stand s;
    memset(&s, 0, sizeof s);
    if (kind == 1) add_wall(&s, 2, -5, 2, 5);
    if (kind == 2) add_ball(&s, 3, 0, 0, 1);
    set_stand(world, &s);
    throng_error error;
    throng_cells_def cells = throng_default_cells_def();
    const uint8_t blocked[4] = {0, 0, 0, 1};
    cells.width = 4;
    cells.height = 1;
    cells.origin.x = -1;
    cells.origin.z = -0.5f;
    cells.blocked = blocked;
    if (kind == 3) require_ok(throng_world_set_cells(world, &cells, &error), &error);
    const throng_vec3 p[2] = {{0, 0, 0}, {0, 0, -9}}, v[2] = {{1, 0, 0}, {0, 0, 0}};
    throng_agent_id ids[2];
    stage_add(world, 2, p, v, NULL, ids);
    g.max_speed = 1;
    throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_PURSUE, 1.0f);
    b->target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[0]};
    b->pursue.max_prediction = 6;
    b->pursue.stop_at_walls = true;
    const uint8_t group = 1;
    require_ok(throng_world_set_group(world, 1, &g, &error), &error);
    require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 1, &group, 0, &error), &error);
    require_ok(throng_world_steer(world, 0.1f, &error), &error);
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]);
    assert_true(fabsf(a.x / a.z - (kind == 0 ? 6.0f : 2.0f) / 9.0f) < 1e-5f);
    throng_world_destroy(world);
  }
}

/* A flock moves past an obstacle of radius 3 m. passed: how many agents pass it on each side. inside: how often an
 * agent was inside it. */
static void flock_at_obstacle(float view, bool file, int passed[2], int *inside) {
  enum { FLOCK = 24 };
  throng_world_def def = throng_default_world_def();
  throng_group_def g = throng_default_group_def();
  def.perception_radius = 4;
  g.field_of_view = view;
  g.max_speed = 2;
  g.max_acceleration = 6;
  g.separation.radius = 1.5f;
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_AVOID_OBSTACLES, 4.0f);
  b->avoid_obstacles.look_ahead_time = 5;
  throng_behaviour *on = group_want(&g, THRONG_BEHAVIOUR_SEEK, 0.5f);
  on->target.kind = THRONG_TARGET_POINT;
  on->target.point = (throng_vec3){200, 0, 0};
  throng_world *world = stage_world(&def, &g);
  static stand s;
  memset(&s, 0, sizeof s);
  add_ball(&s, 20, 0, 0, 3);
  set_stand(world, &s);
  throng_vec3 p[FLOCK], v[FLOCK];
  throng_agent_id ids[FLOCK];
  for (int k = 0; k < FLOCK; k++) {
    p[k] = file ? (throng_vec3){(float)-k, 0, 0.4f}
                : (throng_vec3){(float)(k / 8) * -1.0f, 0, (float)(k % 8) * 0.9f - 3.15f};
    v[k] = (throng_vec3){2, 0, 0};
  }
  stage_add(world, FLOCK, p, v, NULL, ids);
  bool gone[FLOCK] = {false};
  passed[0] = passed[1] = *inside = 0;
  for (int frame = 0; frame < 2400; frame++) {
    stage_step(world, 1.0f / 60.0f);
    for (int k = 0; k < FLOCK; k++) {
      const throng_vec3 q = stage_read(world, THRONG_COLUMN_POSITION, ids[k]);
      *inside += stage_distance(q, (throng_vec3){20, 0, 0}) < 3.0;
      if (gone[k] || q.x < 20) continue;
      gone[k] = true;
      passed[q.z > 0]++;
    }
  }
  throng_world_destroy(world);
}
/* A flock with a wide view divides at an obstacle. Agents in single file with a narrow view all pass it on one side. */
static void scenario_8(void **state) {
  (void)state;
  int passed[2], inside;
  flock_at_obstacle(4.712389f, false, passed, &inside); /* wide: 270 degrees */
  print_message("scenario 8: wide %d left, %d right\n", passed[0], passed[1]);
  assert_true(inside == 0 && passed[0] + passed[1] == 24 && passed[0] >= 5 && passed[1] >= 5);
  flock_at_obstacle(0.785398f, true, passed, &inside); /* narrow: 45 degrees, in file */
  print_message("scenario 8: narrow %d left, %d right\n", passed[0], passed[1]);
  assert_true(inside == 0 && passed[0] == 0 && passed[1] == 24);
}

/* The fan column can be read and written, wrong values are refused, and an agent keeps its values when its group no
 * longer avoids walls. */
static void the_fan_is_remembered(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group(), other = g;
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_agent_id id;
  const throng_vec3 p = {0, 0, 0}, v = {1, 0, 0};
  static stand s;
  memset(&s, 0, sizeof s);
  add_wall(&s, 1, -1, 1, 1.2f);
  set_stand(world, &s);
  stage_add(world, 1, &p, &v, NULL, &id);
  float fan[2] = {9, 9};
  require_ok(throng_agents_read(world, THRONG_COLUMN_FAN, &id, 1, fan, 0, &error), &error);
  assert_true(fan[0] == 0 && fan[1] == 0);
  group_want(&g, THRONG_BEHAVIOUR_AVOID_WALLS, 1.0f);
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_world_set_group(world, 1, &other, &error), &error);
  stage_step(world, 0.05f);
  require_ok(throng_agents_read(world, THRONG_COLUMN_FAN, &id, 1, fan, 0, &error), &error);
  assert_true(fan[0] == 0.26f + 6.0f * 0.05f);
  const uint8_t group = 1;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &id, 1, &group, 0, &error), &error);
  stage_step(world, 0.05f);
  float kept[2];
  require_ok(throng_agents_read(world, THRONG_COLUMN_FAN, &id, 1, kept, 0, &error), &error);
  assert_true(memcmp(fan, kept, sizeof fan) == 0);
  const float good[2] = {1.0f, 2.0f}, bad[][2] = {{-0.1f, 0}, {2, 0}, {1, 3}, {1, 0.5f}, {NAN, 0}, {0, INFINITY}};
  require_ok(throng_agents_write(world, THRONG_COLUMN_FAN, &id, 1, good, 0, &error), &error);
  for (int k = 0; k < 6; k++) {
    const throng_status status = k < 4 ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE;
    require_error(throng_agents_write(world, THRONG_COLUMN_FAN, &id, 1, bad[k], 0, &error), status, &error);
  }
  require_ok(throng_agents_read(world, THRONG_COLUMN_FAN, &id, 1, kept, 0, &error), &error);
  assert_true(memcmp(good, kept, sizeof good) == 0);
  throng_behaviour second = throng_default_behaviour(THRONG_BEHAVIOUR_AVOID_WALLS);
  g.behaviour[g.behaviour_count++] = second;
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  throng_world_destroy(world);
}

/* Groups with several behaviours over scenery give the same bits for every instruction set and thread count. */
static void every_table_and_thread_count_agrees(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed + 700);
  const place at = {THRONG_SPACE_PLANAR, {0, 0, 0}, 60};
  static stand s;
  s = random_stand(&rng, &at);
  static throng_vec3 p[600], v[600];
  static uint8_t group[600];
  uint64_t expected = 0;
  for (int isa = THRONG_ISA_AUTO; isa < THRONG_ISA_COUNT; isa++)
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
      if (!throng_isa_is_available((throng_isa)isa)) continue;
      throng_world_def def = throng_default_world_def();
      throng_group_def g = throng_default_group_def(), h = g;
      throng_world *world = NULL;
      throng_error error;
      throng_agents_def agents = throng_default_agents_def();
      def.isa = (throng_isa)isa;
      def.thread_count = threads;
      group_want(&g, THRONG_BEHAVIOUR_AVOID_WALLS, 2.0f);
      group_want(&g, THRONG_BEHAVIOUR_AVOID_OBSTACLES, 2.0f);
      group_want(&h, THRONG_BEHAVIOUR_WANDER, 1.0f);
      group_want(&h, THRONG_BEHAVIOUR_AVOID_WALLS, 1.5f)->avoid_walls.rays = THRONG_RAYS_PARALLEL;
      require_ok(throng_world_create(&def, &world, &error), &error);
      require_ok(throng_world_set_group(world, 0, &g, &error), &error);
      require_ok(throng_world_set_group(world, 1, &h, &error), &error);
      set_stand(world, &s);
      if (expected == 0) {
        for (int k = 0; k < 600;) {
          p[k] = random_point(&rng, &at);
          v[k] = (throng_vec3){rng_float(&rng, -1, 1), 0, rng_float(&rng, -1, 1)};
          group[k] = (uint8_t)rng_below(&rng, 2);
          if (throng_world_is_free(world, p[k], 0)) k++;
        }
      }
      agents.position.data = p;
      agents.velocity.data = v;
      agents.group.data = group;
      require_ok(throng_agents_add(world, &agents, 600, NULL, &error), &error);
      for (int frame = 0; frame < 60; frame++) stage_step(world, 0.05f);
      const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
      if (expected == 0) expected = hash;
      assert_true(hash == expected);
      throng_world_destroy(world);
    }
}

int main(void) {
  base_seed = test_seed("test_feelers", 33);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_obstacle),
      cmocka_unit_test(the_reference_feels_the_same),
      cmocka_unit_test(predictions_stop_at_walls),
      cmocka_unit_test(predictions_stop_at_faces),
      cmocka_unit_test(prey_that_runs_into_something),
      cmocka_unit_test(scenario_8),
      cmocka_unit_test(scenario_10),
      cmocka_unit_test(the_fan_is_remembered),
      cmocka_unit_test(every_table_and_thread_count_agrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
