/* tests/frame/test_turn_limits.c: tests that agents stay within their limits of turning, acceleration and speed.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

#define PI 3.14159265358979323846

static uint64_t base_seed;

/* Returns the angle between two unit vectors, in radians. */
static double angle_between(throng_vec3 a, throng_vec3 b) { return 2.0 * asin(fmin(1.0, 0.5 * stage_distance(a, b))); }

enum { STEPS = 10000, AGENTS = 5, MODES = 8 };

/* A world of agents whose velocities a test replaces at random. The modes from 4 on are spatial. */
typedef struct pushed {
  test_rng rng;
  int mode, step;
  bool spatial;
  throng_group_def group;
  throng_world *world;
  float spin[AGENTS]; /* yaw rates after the last step, rad/s */
} pushed;

static pushed push_agents(int mode) {
  pushed c = {.rng = rng_from(base_seed + 100 + (uint64_t)mode), .mode = mode, .spatial = mode >= 4};
  throng_world_def def = throng_default_world_def();
  throng_group_def *g = &c.group;
  def.space = c.spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.update = (throng_update)(mode % 3);
  *g = throng_default_group_def();
  g->facing = mode % 4 == 3 && c.spatial ? THRONG_FACING_SMOOTH : (throng_facing)(mode % 4);
  g->max_yaw_rate = rng_float(&c.rng, 0.2f, 4.0f);
  g->max_yaw_acceleration = 6.0f;
  group_want(g, THRONG_BEHAVIOUR_WANDER, 1.0f)->wander.rate = 6.0f;
  group_want(g, THRONG_BEHAVIOUR_SEEK, -2.0f)->target.kind = THRONG_TARGET_POINT;
  if (g->facing == THRONG_FACING_STEERED) {
    group_want(g, THRONG_BEHAVIOUR_LOOK, 1.5f);
    group_want(g, THRONG_BEHAVIOUR_FACE, -1.0f);
  }
  c.world = stage_world(&def, g);
  throng_vec3 p[AGENTS];
  for (int i = 0; i < AGENTS; i++) p[i] = (throng_vec3){rng_float(&c.rng, 0, 9), 1, rng_float(&c.rng, 0, 9)};
  stage_add(c.world, AGENTS, p, NULL, p, NULL);
  return c;
}

static void throw_about(pushed *c) {
  throng_vec3 v[AGENTS];
  throng_error error;
  for (int i = 0; i < AGENTS; i++)
    v[i] =
        (throng_vec3){rng_float(&c->rng, -1, 1), c->spatial ? rng_float(&c->rng, -1, 1) : 0, rng_float(&c->rng, -1, 1)};
  require_ok(throng_agents_write(c->world, THRONG_COLUMN_VELOCITY, NULL, AGENTS, v, 0, &error), &error);
}

static void read_all(const pushed *c, throng_column column, throng_vec3 values[AGENTS]) {
  throng_error error;
  require_ok(throng_agents_read(c->world, column, NULL, AGENTS, values, sizeof *values, &error), &error);
}

static void require_spins(pushed *c, float dt) {
  throng_vec3 now[AGENTS];
  read_all(c, THRONG_COLUMN_YAW_RATE, now);
  for (int i = 0; i < AGENTS; i++) {
    assert_true(fabsf(now[i].x) <= c->group.max_yaw_rate);
    assert_true(fabs((double)now[i].x - (double)c->spin[i]) <= 6.0 * (double)dt * 1.000001 + 1e-6);
    c->spin[i] = now[i].x;
  }
}

static void step_within_limits(pushed *c, float dt) {
  throng_vec3 before[AGENTS], after[AGENTS], a[AGENTS], v[AGENTS];
  throng_error error;
  read_all(c, THRONG_COLUMN_FACING, before);
  require_ok(throng_world_steer(c->world, dt, &error), &error);
  read_all(c, THRONG_COLUMN_ACCELERATION, a);
  require_ok(throng_world_integrate(c->world, dt, &error), &error);
  read_all(c, THRONG_COLUMN_VELOCITY, v);
  read_all(c, THRONG_COLUMN_FACING, after);
  for (int i = 0; i < AGENTS; i++) {
    const double most = (double)c->group.max_yaw_rate * (double)dt;
    const double turn = c->spatial ? angle_between(before[i], after[i])
                                   : fabs(remainder((double)after[i].x - (double)before[i].x, 2.0 * PI));
    if (turn > most + 1e-6) print_error("mode %d, step %d: turned %g, allowed %g\n", c->mode, c->step, turn, most);
    assert_true(turn <= most + 1e-6);
    assert_true(stage_length(a[i]) <= 3.0 * 1.000001);
    assert_true(stage_length(v[i]) <= 1.5 * 1.000001);
    if (c->spatial) assert_true(fabs(stage_length(after[i]) - 1.0) < 1e-6);
  }
  if (c->group.facing == THRONG_FACING_STEERED) require_spins(c, dt);
}

/* Random velocities and turns exceed no limit, with any facing. */
static void limits_hold(void **state) {
  (void)state;
  for (int mode = 0; mode < MODES; mode++) {
    pushed c = push_agents(mode);
    for (c.step = 0; c.step < STEPS; c.step++) {
      const float dt = c.step % 100 == 0 ? 0.5f : rng_float(&c.rng, 0.0f, 0.04f);
      if (c.step % 9 == 0) throw_about(&c);
      step_within_limits(&c, dt);
    }
    throng_world_destroy(c.world);
  }
}

/* A facing turns to the direction of flight along a great circle: by max_yaw_rate * dt per frame, until it is there. */
static void spatial_turns(void **state) {
  (void)state;
  static const throng_vec3 looks[] = {{0, 0, 1}, {0, 1, 0}, {0.6f, -0.8f, 0}, {0, 1e-5f, -1}},
                           flies[] = {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}, {0.1f, 0.5f, 1}, {0, 0.001f, 1}};
  for (size_t a = 0; a < 4; a++)
    for (size_t b = 0; b < 5; b++) {
      throng_world_def def = throng_default_world_def();
      def.space = THRONG_SPACE_SPATIAL;
      throng_group_def g = stage_idle_group();
      g.max_yaw_rate = 0.5f;
      throng_world *world = stage_world(&def, &g);
      throng_agent_id id;
      stage_add(world, 1, &(throng_vec3){0, 0, 0}, &flies[b], NULL, &id);
      stage_write(world, THRONG_COLUMN_FACING, id, looks[a]);
      const double length = stage_length(flies[b]);
      const throng_vec3 goal = {(float)((double)flies[b].x / length), (float)((double)flies[b].y / length),
                                (float)((double)flies[b].z / length)};
      throng_vec3 f = stage_read(world, THRONG_COLUMN_FACING, id);
      double left = angle_between(f, goal);
      for (int frame = 0; frame < 70; frame++) {
        stage_step(world, 0.1f);
        const throng_vec3 next = stage_read(world, THRONG_COLUMN_FACING, id);
        const double now = angle_between(next, goal);
        const double turn = angle_between(f, next);
        assert_true(turn < 0.05 + 1e-6 && fabs(stage_length(next) - 1.0) < 1e-6);
        if (left > 0.0501 && left < 3.09) assert_true(fabs(turn - 0.05) < 1e-5 && fabs(left - now - 0.05) < 2e-3);
        f = next;
        left = now;
      }
      assert_true(left < 1e-6);
      throng_world_destroy(world);
    }
}

int main(void) {
  base_seed = test_seed("test_turn_limits", 451);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_hold),
      cmocka_unit_test(spatial_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
