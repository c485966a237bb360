/* tests/frame/test_vehicle_routes.c: tests of how vehicles go to places inside their turning circles and behind them.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

#define PI 3.14159265358979323846
#define DIRECTIONS 36
#define NEAR 0.5 /* metres: a vehicle that was so close to its goal has arrived */

static uint64_t base_seed;

static throng_group_def vehicle(throng_behaviour_kind kind, float max_brake) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 5.0f;
  g.max_acceleration = 5.0f;
  g.actuation = THRONG_ACTUATION_VEHICLE;
  g.vehicle = (throng_vehicle){3.0f, max_brake, 2.0f, 5.0f};
  throng_behaviour *b = group_want(&g, kind, 1.0f);
  if (kind != THRONG_BEHAVIOUR_ARRIVE) return g;
  b->arrive.slow_radius = 5.0f;
  b->arrive.target_radius = 0.3f;
  return g;
}

/* DIRECTIONS vehicles at one point, looking along +z, with goals all around them. */
typedef struct fleet {
  throng_world *world;
  throng_agent_id id[DIRECTIONS];
  throng_vec3 goal[DIRECTIONS];
  double nearest[DIRECTIONS];
  int changes[DIRECTIONS]; /* how often it began to drive the other way */
  double pace[DIRECTIONS]; /* m/s along the facing */
} fleet;

static throng_vec3 facing_of(const fleet *f, int k) {
  const throng_vec3 facing = stage_read(f->world, THRONG_COLUMN_FACING, f->id[k]);
  if (throng_world_get_def(f->world).space == THRONG_SPACE_SPATIAL) return facing;
  return (throng_vec3){(float)sin((double)facing.x), 0.0f, (float)cos((double)facing.x)};
}

static double dot(throng_vec3 a, throng_vec3 b) {
  return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

/* `tilt` turns the goals of spatial worlds out of the horizontal plane. */
static fleet fleet_of(const throng_group_def *g, throng_space space, double distance, float speed, double tilt) {
  fleet f = {.world = NULL};
  throng_world_def def = throng_default_world_def();
  throng_vec3 at[DIRECTIONS], v[DIRECTIONS];
  def.space = space;
  if (space == THRONG_SPACE_PLANAR) tilt = 0.0;
  f.world = stage_world(&def, g);
  for (int k = 0; k < DIRECTIONS; k++) {
    const double angle = k * 2.0 * PI / DIRECTIONS, aside = distance * sin(angle);
    at[k] = (throng_vec3){0, 0, 0};
    v[k] = (throng_vec3){0, 0, speed};
    f.goal[k] = (throng_vec3){(float)(aside * cos(tilt)), (float)(aside * sin(tilt)), (float)(distance * cos(angle))};
    f.nearest[k] = distance;
  }
  stage_add(f.world, DIRECTIONS, at, v, f.goal, f.id);
  return f;
}

static void fleet_step(fleet *f, float dt) {
  stage_step(f->world, dt);
  for (int k = 0; k < DIRECTIONS; k++) {
    const throng_vec3 p = stage_read(f->world, THRONG_COLUMN_POSITION, f->id[k]);
    const double pace = dot(stage_read(f->world, THRONG_COLUMN_VELOCITY, f->id[k]), facing_of(f, k));
    f->nearest[k] = fmin(f->nearest[k], stage_distance(p, f->goal[k]));
    if (fabs(pace) < 1e-2) continue;
    if (pace * f->pace[k] < 0.0) f->changes[k]++;
    f->pace[k] = pace;
  }
}

static int arrived(const fleet *f) {
  int count = 0;
  for (int k = 0; k < DIRECTIONS; k++) count += f->nearest[k] < NEAR;
  return count;
}

/* Returns how many arrive within a minute. Stops when all have. */
static int drive_for_a_minute(fleet *f, float dt) {
  for (int step = 0; (float)step * dt < 60.0f && arrived(f) < DIRECTIONS; step++) fleet_step(f, dt);
  return arrived(f);
}

/* Wherever the goal lies, at whatever frame time: with brakes and without. */
static void goals_all_around(void **state) {
  (void)state;
  static const throng_behaviour_kind kinds[] = {THRONG_BEHAVIOUR_ARRIVE, THRONG_BEHAVIOUR_SEEK};
  static const float dts[] = {1 / 20.0f, 1 / 60.0f, 1 / 240.0f}, distances[] = {4.0f, 8.0f, 16.0f};
  for (int mode = 0; mode < 2 * 2 * 3 * 3 * 2; mode++) {
    const float brake = mode % 2 ? 3.0f : 0.0f, dt = dts[mode / 4 % 3], distance = distances[mode / 12 % 3];
    const throng_group_def g = vehicle(kinds[mode / 2 % 2], brake);
    const throng_space space = (throng_space)(mode / 36);
    fleet f = fleet_of(&g, space, (double)distance, 0.0f, 0.7);
    const int count = drive_for_a_minute(&f, dt);
    if (count < DIRECTIONS)
      print_error("%s, %s, max_brake %g, %g m, dt %g: %d of %d arrive\n", space ? "spatial" : "planar",
                  mode / 2 % 2 ? "seek" : "arrive", (double)brake, (double)distance, (double)dt, count, DIRECTIONS);
    assert_int_equal(count, DIRECTIONS);
    throng_world_destroy(f.world);
  }
}

/* Vehicles that arrive come to rest there, after few changes of gear, and stay. */
static void they_come_to_rest(void **state) {
  (void)state;
  for (int mode = 0; mode < 8; mode++) {
    const throng_group_def g = vehicle(THRONG_BEHAVIOUR_ARRIVE, 3.0f);
    fleet f = fleet_of(&g, (throng_space)(mode % 2), mode & 2 ? 4.0 : 9.0, mode & 4 ? 4.0f : 0.0f, 0.3);
    for (int step = 0; step < 60 * 60; step++) fleet_step(&f, 1 / 60.0f);
    for (int k = 0; k < DIRECTIONS; k++) {
      const throng_vec3 p = stage_read(f.world, THRONG_COLUMN_POSITION, f.id[k]);
      assert_true(stage_distance(p, f.goal[k]) < 0.35);
      assert_true(stage_length(stage_read(f.world, THRONG_COLUMN_VELOCITY, f.id[k])) < 1e-3);
      assert_true(f.changes[k] <= 3);
    }
    throng_world_destroy(f.world);
  }
}

/* Every kind that leads to a place brings all vehicles there. */
static void other_kinds(void **state) {
  (void)state;
  static const throng_behaviour_kind kinds[] = {
      THRONG_BEHAVIOUR_PURSUE,         THRONG_BEHAVIOUR_INTERCEPT,        THRONG_BEHAVIOUR_CHASE,
      THRONG_BEHAVIOUR_KINEMATIC_SEEK, THRONG_BEHAVIOUR_KINEMATIC_ARRIVE, THRONG_BEHAVIOUR_INTERPOSE,
      THRONG_BEHAVIOUR_OFFSET_PURSUIT};
  for (int mode = 0; mode < 7 * 2 * 2; mode++) {
    const throng_behaviour_kind kind = kinds[mode / 4];
    throng_group_def g = vehicle(kind, mode % 2 ? 3.0f : 0.0f);
    if (kind == THRONG_BEHAVIOUR_OFFSET_PURSUIT) g.behaviour[0].offset_pursuit.forward = 0.0f;
    fleet f = fleet_of(&g, THRONG_SPACE_PLANAR, mode / 2 % 2 ? 4.0 : 8.0, 0.0f, 0.0);
    const int count = drive_for_a_minute(&f, 1 / 60.0f);
    if (count < DIRECTIONS) print_error("kind %d, mode %d: %d of %d arrive\n", (int)kind, mode, count, DIRECTIONS);
    assert_int_equal(count, DIRECTIONS);
    throng_world_destroy(f.world);
  }
}

/* A vehicle that backs up to a goal behind it goes on looking away from the goal. */
static void the_facing_stays(void **state) {
  (void)state;
  for (int mode = 0; mode < 8; mode++) {
    throng_group_def g = vehicle(THRONG_BEHAVIOUR_ARRIVE, 3.0f);
    g.facing = mode & 2 ? THRONG_FACING_SMOOTH : THRONG_FACING_INSTANT;
    g.max_yaw_rate = mode & 4 ? 1.0f : INFINITY;
    throng_world_def def = throng_default_world_def();
    def.space = (throng_space)(mode % 2);
    fleet f = {.world = stage_world(&def, &g)};
    const throng_vec3 p = {0, 0, 0}, goal = {0, 0, -4};
    stage_add(f.world, 1, &p, NULL, &goal, f.id);
    double fastest = 0.0;
    for (int step = 0; step < 1200; step++) {
      stage_step(f.world, 1 / 60.0f);
      const throng_vec3 v = stage_read(f.world, THRONG_COLUMN_VELOCITY, f.id[0]);
      assert_true((double)facing_of(&f, 0).z > 0.99999);
      fastest = fmin(fastest, (double)v.z);
    }
    assert_true(fastest < -1.0);
    assert_true(stage_distance(stage_read(f.world, THRONG_COLUMN_POSITION, f.id[0]), goal) < 0.35);
    throng_world_destroy(f.world);
  }
}

/* Vehicles beside the end of a path, and on the path with any facing, come to its end. */
static void ends_of_paths(void **state) {
  (void)state;
  for (int mode = 0; mode < 8; mode++) {
    throng_group_def g = vehicle(THRONG_BEHAVIOUR_FOLLOW_PATH, mode & 1 ? 3.0f : 0.0f);
    g.behaviour[0].follow_path.offset = 3.0f;
    throng_world *world = stage_world(NULL, &g);
    const throng_vec3 begin = mode & 2 ? (throng_vec3){30, 0, 1} : (throng_vec3){-3, 0, -2}, end = {2, 0, 3};
    const throng_vec3 points[] = {begin, end};
    throng_path_def path = throng_default_path_def();
    throng_error error;
    path.points.data = points;
    path.count = 2;
    require_ok(throng_world_set_path(world, 0, &path, &error), &error);
    throng_vec3 at[DIRECTIONS], v[DIRECTIONS];
    throng_agent_id id[DIRECTIONS];
    for (int k = 0; k < DIRECTIONS; k++) {
      const double angle = k * 2.0 * PI / DIRECTIONS;
      at[k] = mode & 4 ? (throng_vec3){0, 0, 0} : begin;
      v[k] = (throng_vec3){(float)(0.1 * sin(angle)), 0, (float)(0.1 * cos(angle))};
    }
    stage_add(world, DIRECTIONS, at, v, NULL, id);
    bool there[DIRECTIONS] = {false};
    for (int step = 0; step < 60 * 60; step++) {
      stage_step(world, 1 / 60.0f);
      for (int k = 0; k < DIRECTIONS; k++)
        if (stage_distance(stage_read(world, THRONG_COLUMN_POSITION, id[k]), end) < NEAR) there[k] = true;
    }
    for (int k = 0; k < DIRECTIONS; k++) {
      if (!there[k]) print_error("path, mode %d, direction %d\n", mode, k);
      assert_true(there[k]);
    }
    throng_world_destroy(world);
  }
}

/* Vehicles of all sizes with brakes reach goals anywhere. */
static void random_vehicles(void **state) {
  (void)state;
  for (int round = 0; round < 60; round++) {
    test_rng rng = rng_from(base_seed + (uint64_t)round);
    throng_group_def g = vehicle(round % 3 ? THRONG_BEHAVIOUR_ARRIVE : THRONG_BEHAVIOUR_SEEK, 0.0f);
    g.max_speed = rng_float(&rng, 2, 12);
    g.max_acceleration = rng_float(&rng, 2, 8);
    g.vehicle =
        (throng_vehicle){rng_float(&rng, 1, 6), rng_float(&rng, 1, 6), rng_float(&rng, 1, 6), rng_float(&rng, 0.5f, 7)};
    g.max_yaw_rate = rng_chance(&rng, 0.5f) ? INFINITY : rng_float(&rng, 0.7f, 3);
    g.facing = rng_chance(&rng, 0.3f) ? THRONG_FACING_SMOOTH : THRONG_FACING_INSTANT;
    const float dt = rng_float(&rng, 0.004f, 0.05f), speed = rng_float(&rng, -0.7f, 1.0f) * g.max_speed;
    const double distance = (double)rng_float(&rng, 1.0f, 16.0f);
    fleet f = fleet_of(&g, (throng_space)(round % 2), distance, speed, (double)rng_float(&rng, 0, 6));
    const int count = drive_for_a_minute(&f, dt);
    if (count < DIRECTIONS) print_error("round %d: %d of %d arrive\n", round, count, DIRECTIONS);
    assert_int_equal(count, DIRECTIONS);
    throng_world_destroy(f.world);
  }
}

int main(void) {
  base_seed = test_seed("test_vehicle_routes", 1769);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goals_all_around), cmocka_unit_test(they_come_to_rest), cmocka_unit_test(other_kinds),
      cmocka_unit_test(the_facing_stays), cmocka_unit_test(ends_of_paths),     cmocka_unit_test(random_vehicles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
