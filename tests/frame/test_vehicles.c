/* tests/frame/test_vehicles.c: tests of vehicles: no motion sideways, acceleration limits, and turning circles.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

#define PI 3.14159265358979323846

static uint64_t base_seed;

/* A vehicle that seeks the point `aim`. Its limits have no effect unless a test lowers them. */
static throng_group_def driver(throng_vec3 aim) {
  throng_group_def g = stage_idle_group();
  throng_behaviour *seek = group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  seek->target.kind = THRONG_TARGET_POINT;
  seek->target.point = aim;
  g.max_acceleration = 50.0f;
  g.actuation = THRONG_ACTUATION_VEHICLE;
  g.vehicle = (throng_vehicle){100.0f, 100.0f, 100.0f, 1e-6f};
  return g;
}

static throng_world *drive_in(throng_space space, const throng_group_def *g) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  return stage_world(&def, g);
}

static throng_vec3 facing_of(const throng_world *world, throng_agent_id id) {
  const throng_vec3 f = stage_read(world, THRONG_COLUMN_FACING, id);
  if (throng_world_get_def(world).space == THRONG_SPACE_SPATIAL) return f;
  return (throng_vec3){(float)sin((double)f.x), 0.0f, (float)cos((double)f.x)};
}

static double dot(throng_vec3 a, throng_vec3 b) {
  return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

/* A vehicle at rest drives forward in order to turn, but never moves sideways. */
static void nobody_sidesteps_at_rest(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++)
    for (int k = 0; k < 24; k++) {
      const double angle = k * PI / 12.0;
      const throng_vec3 aim = {(float)(9.0 * sin(angle)), 0, (float)(9.0 * cos(angle))}, p = {0, 0, 0};
      throng_group_def g = driver(aim);
      g.max_acceleration = 3.0f;
      throng_world *world = drive_in((throng_space)space, &g);
      throng_agent_id id;
      throng_error error;
      stage_add(world, 1, &p, NULL, NULL, &id); /* looks along +z */
      require_ok(throng_world_steer(world, 0.1f, &error), &error);
      const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
      assert_true(a.x == 0.0f && a.y == 0.0f && fabs((double)a.z - 3.0 * fmax(cos(angle), sqrt(0.5))) < 2e-6);
      throng_world_destroy(world);
    }
}

/* A wanted acceleration within the limits of the vehicle, toward a point ahead, is unchanged except by rounding. */
static void the_feasible_stays(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed);
  for (int k = 0; k < 200; k++) {
    const throng_vec3 v = {rng_float(&rng, -3, 3), 0, rng_float(&rng, 1, 3)}, p = {0, 0, 0};
    const throng_vec3 aim = {4 * v.x + rng_float(&rng, -1, 1), rng_float(&rng, -1, 1),
                             4 * v.z + rng_float(&rng, -1, 1)};
    throng_vec3 a[2];
    throng_group_def g = driver(aim);
    for (int free = 0; free < 2; free++) {
      g.actuation = free ? THRONG_ACTUATION_FREE : THRONG_ACTUATION_VEHICLE;
      throng_world *world = drive_in((throng_space)(k % 2), &g);
      throng_agent_id id;
      throng_error error;
      stage_add(world, 1, &p, &v, NULL, &id);
      require_ok(throng_world_steer(world, 0.1f, &error), &error);
      a[free] = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
      throng_world_destroy(world);
    }
    assert_true(stage_distance(a[0], a[1]) < 5e-5);
  }
}

/* A vehicle wanders for 10 000 frames. Its accelerations forward, backward and sideways stay within their limits. The
 * six runs have each facing but STEERED, in a planar and in a spatial world. */
static void limits_hold(void **state) {
  (void)state;
  for (int mode = 0; mode < 6; mode++) {
    test_rng rng = rng_from(base_seed + 10 + (uint64_t)mode);
    throng_group_def g = driver((throng_vec3){3, 1, -4});
    g.max_speed = 4.0f;
    g.max_acceleration = 6.0f;
    g.facing = (throng_facing)(mode / 2);
    g.max_yaw_rate = mode < 3 ? INFINITY : 2.0f;
    g.vehicle = (throng_vehicle){2.0f, 3.0f, 1.5f, 2.5f};
    group_want(&g, THRONG_BEHAVIOUR_WANDER, 2.0f)->wander.rate = 6.0f;
    throng_world *world = drive_in((throng_space)(mode % 2), &g);
    const throng_vec3 p = {0, 0, 0}, start = {0.5f, 0, 0.1f};
    throng_agent_id id;
    throng_error error;
    double widest = 0.0;
    stage_add(world, 1, &p, &start, NULL, &id);
    for (int step = 0; step < 10000; step++) {
      if (step % 400 == 0) {
        stage_write(world, THRONG_COLUMN_POSITION, id, p);
        stage_write(world, THRONG_COLUMN_VELOCITY, id,
                    (throng_vec3){rng_float(&rng, -2, 2), 0, step % 800 == 0 ? 0.0f : rng_float(&rng, -2, 2)});
      }
      const throng_vec3 f = facing_of(world, id), v = stage_read(world, THRONG_COLUMN_VELOCITY, id);
      const float dt = rng_float(&rng, 0.001f, 0.04f);
      require_ok(throng_world_steer(world, dt, &error), &error);
      const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
      const double along = dot(a, f), aside = sqrt(fmax(0.0, dot(a, a) - along * along));
      assert_true(along < 2.0 + 1e-5 && along > -3.0 - 1e-5);
      assert_true(aside < fmin(1.5, dot(v, v) / 2.5) + 2e-3);
      widest = fmax(widest, aside);
      require_ok(throng_world_integrate(world, dt, &error), &error);
      assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id)) < 4.00001);
    }
    assert_true(widest > 1.4); /* the lateral limit had an effect */
    throng_world_destroy(world);
  }
}

/* A vehicle steers hard left for one second, at constant speed. Returns the angle in radians by which its facing turns.
 * speed: m/s; lateral: the lateral limit, m/s²; radius: the minimum turning radius, m. */
static double turn_rate(double speed, float lateral, float radius) {
  const throng_vec3 p = {0, 0, 0}, v = {0, 0, (float)speed};
  throng_group_def g = driver((throng_vec3){1000, 0, 0}); /* +x lies to the left of +z */
  g.vehicle = (throng_vehicle){0.0f, 0.0f, lateral, radius};
  throng_world *world = stage_world(NULL, &g);
  throng_agent_id id;
  throng_error error;
  stage_add(world, 1, &p, &v, NULL, &id);
  double turned = 0.0;
  for (int step = 0; step < 1000; step++) {
    const throng_vec3 f = facing_of(world, id), at = stage_read(world, THRONG_COLUMN_POSITION, id);
    throng_behaviour *seek = throng_group_def_find(&g, THRONG_BEHAVIOUR_SEEK); /* gets a target to the left */
    seek->target.point = (throng_vec3){at.x + 100.0f * f.z, 0, at.z - 100.0f * f.x};
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    stage_step(world, 0.001f);
    const throng_vec3 next = facing_of(world, id);
    turned += asin((double)next.x * (double)f.z - (double)next.z * (double)f.x);
  }
  assert_true(fabs(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id)) / speed - 1.0) < 0.01);
  throng_world_destroy(world);
  return turned;
}

/* The turning radius is the minimum radius at low speed, and |v|² / max_lateral at high speed. */
static void circles_grow_with_speed(void **state) {
  (void)state;
  static const double speeds[] = {0.1, 0.5, 1.0, 2.0, 4.0, 8.0};
  for (int k = 0; k < 6; k++) {
    const double radius = fmax(1.5, speeds[k] * speeds[k] / 3.0);
    assert_true(fabs(turn_rate(speeds[k], 3.0f, 1.5f) * radius / speeds[k] - 1.0) < 0.01);
  }
  assert_true(fabs(turn_rate(2.0, 0.0f, 1.5f)) < 1e-6); /* without lateral acceleration: straight on */
}

/* A vehicle reaches a goal behind it, with and without brakes. Without brakes it never slows down. */
static void a_goal_behind(void **state) {
  (void)state;
  for (int brakes = 0; brakes < 2; brakes++) {
    const throng_vec3 p = {0, 0, 0}, v = {0.1f, 0, 2.0f}, goal = {0, 0, -20};
    throng_group_def g = driver(goal);
    g.max_acceleration = 3.0f;
    g.max_speed = 2.0f;
    g.max_yaw_rate = 2.0f;
    g.vehicle = (throng_vehicle){3.0f, brakes ? 3.0f : 0.0f, 3.0f, 2.0f};
    throng_world *world = stage_world(NULL, &g);
    throng_agent_id id;
    stage_add(world, 1, &p, &v, NULL, &id);
    double nearest = 100.0;
    for (int step = 0; step < 3000; step++) {
      stage_step(world, 0.01f);
      nearest = fmin(nearest, stage_distance(stage_read(world, THRONG_COLUMN_POSITION, id), goal));
      if (!brakes) assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id)) > 1.9);
    }
    assert_true(nearest < 1.0);
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_vehicles", 1886);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nobody_sidesteps_at_rest), cmocka_unit_test(the_feasible_stays), cmocka_unit_test(limits_hold),
      cmocka_unit_test(circles_grow_with_speed),  cmocka_unit_test(a_goal_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
