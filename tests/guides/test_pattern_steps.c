/* test_pattern_steps.c: tests of patterns of turns, steps and waits (Bourg & Seemann 3.1).
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>

#define PI 3.14159265f
#define DEGREES (PI / 180.0f)

static const float frame_time = 1.0f / 60.0f;

typedef throng_pattern_instruction instruction;

static throng_group_def player(void) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 1.5f;
  g.max_acceleration = 30.0f;
  group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATTERN, 1.0f);
  return g;
}

/* A world with one agent at rest at the origin, which faces +z. */
static throng_world *play(throng_space space, const throng_group_def *g, const instruction *list, uint32_t count,
                          bool loop, bool stands, throng_agent_id *id) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  throng_world *world = stage_world(&def, g);
  throng_pattern_def pattern = throng_default_pattern_def();
  throng_error error;
  pattern.instructions = list;
  pattern.count = count;
  pattern.loop = loop;
  pattern.stands = stands;
  require_ok(throng_world_set_pattern(world, 0, &pattern, &error), &error);
  stage_add(world, 1, &(throng_vec3){0, 0, 0}, NULL, NULL, id);
  return world;
}

static void run(throng_world *world, float seconds) {
  for (int frame = 0; frame < (int)lrintf(seconds / frame_time); frame++) stage_step(world, frame_time);
}

static float yaw_of(throng_world *world, throng_agent_id id, throng_space space) {
  const throng_vec3 f = stage_read(world, THRONG_COLUMN_FACING, id);
  return space == THRONG_SPACE_PLANAR ? f.x : atan2f(f.x, f.z);
}

/* Requires that the agent is at rest at (x, z), and faces `right` radians to the right of +z. */
static void require_stands(throng_world *world, throng_agent_id id, throng_space space, float x, float z, float right,
                           float within) {
  const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, id),
                    v = stage_read(world, THRONG_COLUMN_VELOCITY, id);
  const float yaw = yaw_of(world, id, space), off = remainderf(yaw + right, 2.0f * PI);
  if (hypotf(p.x - x, p.z - z) <= within && stage_length(v) <= 1e-3 && fabsf(off) <= 0.006f) return;
  fail_msg("at (%.4g, %.4g) with %.3g m/s and yaw %.4g; expected (%.4g, %.4g), at rest, yaw %.4g", (double)p.x,
           (double)p.z, stage_length(v), (double)yaw, (double)x, (double)z, -(double)right);
}

/* The first seven lines of B 3-2, as they are. */
static const instruction lines_of_b[] = {{.step = 2}, {.step = 2}, {.turn = 10 * DEGREES}, {.turn = 10 * DEGREES},
                                         {.step = 2}, {.step = 2}, {.turn = -10 * DEGREES}};

static void the_lines_of_b(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    const throng_space space = k % 2 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    throng_group_def g = player();
    g.upright = k % 4 == 3;
    if (k >= 4) {
      g.facing = THRONG_FACING_STEERED;
      g.max_yaw_rate = 4.0f;
      g.max_yaw_acceleration = 100.0f;
    }
    throng_agent_id id;
    throng_world *world = play(space, &g, lines_of_b, 7, false, true, &id);
    run(world, 10.0f);
    const float right = 20 * DEGREES; /* the right of +z is -x */
    require_stands(world, id, space, -4.0f * sinf(right), 4.0f + 4.0f * cosf(right), 10 * DEGREES, 0.03f);
    assert_true(stage_read(world, THRONG_COLUMN_PATTERN_INSTRUCTION, id).x == 7.0f);
    throng_world_destroy(world);
  }
}

/* A step of 2 m, played once: with `stands` the agent stands at its end, without it drifts on. */
static void stands_at_the_end(void **state) {
  (void)state;
  const instruction list[] = {{.step = 2}};
  for (int stands = 0; stands < 2; stands++) {
    throng_group_def g = player();
    g.max_acceleration = 3.0f;
    throng_agent_id id;
    throng_world *world = play(THRONG_SPACE_PLANAR, &g, list, 1, false, stands, &id);
    run(world, 10.0f);
    if (stands) {
      require_stands(world, id, THRONG_SPACE_PLANAR, 0, 2, 0, 0.01f);
    } else {
      assert_true(stage_read(world, THRONG_COLUMN_POSITION, id).z > 5.0f);
    }
    throng_world_destroy(world);
  }
}

/* A step back keeps the facing, whatever the facing follows. */
static void steps_back(void **state) {
  (void)state;
  const instruction list[] = {{.turn = 90 * DEGREES, .step = -2}, {.step = 1}};
  static const throng_facing facings[] = {THRONG_FACING_INSTANT, THRONG_FACING_SMOOTH, THRONG_FACING_FIXED,
                                          THRONG_FACING_STEERED};
  for (int k = 0; k < 8; k++) {
    const throng_space space = k % 2 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    throng_group_def g = player();
    g.facing = facings[k / 2];
    if (g.facing == THRONG_FACING_STEERED) g.max_yaw_rate = 100.0f, g.max_yaw_acceleration = 1e4f;
    throng_agent_id id;
    throng_world *world = play(space, &g, list, 1, false, true, &id);
    run(world, 4.0f);
    require_stands(world, id, space, 2, 0, 90 * DEGREES, 0.02f);
    throng_world_destroy(world);
    world = play(space, &g, list, 2, false, true, &id);
    run(world, 6.0f);
    require_stands(world, id, space, 1, 0, 90 * DEGREES, 0.05f);
    throng_world_destroy(world);
  }
}

/* It waits for its time, to the frame, also while other behaviours push. */
static void waits_for_a_time(void **state) {
  (void)state;
  const instruction list[] = {{.wait = 1.5f}, {.turn = 1, .wait = 0.5f}, {.step = 1}};
  const throng_group_def g = player();
  throng_agent_id id;
  throng_world *world = play(THRONG_SPACE_PLANAR, &g, list, 3, true, false, &id);
  float begun[3] = {NAN, NAN, NAN};
  for (int frame = 0; frame < 150; frame++) {
    stage_step(world, frame_time);
    const int now = (int)stage_read(world, THRONG_COLUMN_PATTERN_INSTRUCTION, id).x;
    assert_true(now >= 0 && now < 3);
    if (isnan(begun[now])) begun[now] = (float)frame;
    const float time = stage_read(world, THRONG_COLUMN_PATTERN_TIME, id).x;
    assert_true(fabsf(time - ((float)frame + 1.0f - begun[now]) * frame_time) < 1e-4f);
  }
  assert_true(begun[0] == 0.0f && begun[1] == 90.0f && begun[2] == 120.0f);
  assert_true(fabsf(yaw_of(world, id, THRONG_SPACE_PLANAR) + 1.0f) < 0.006f);
  throng_world_destroy(world);
}

/* A turn in place keeps to max_yaw_rate. */
static void turns_in_place(void **state) {
  (void)state;
  const instruction list[] = {{.turn = PI / 2}, {.wait = 1e9f}};
  throng_group_def g = player();
  g.max_yaw_rate = 0.5f;
  throng_agent_id id;
  throng_world *world = play(THRONG_SPACE_PLANAR, &g, list, 2, false, false, &id);
  run(world, 1.0f);
  assert_true(fabsf(yaw_of(world, id, THRONG_SPACE_PLANAR) + 0.5f) < 1e-3f);
  run(world, 3.0f);
  require_stands(world, id, THRONG_SPACE_PLANAR, 0, 0, PI / 2, 1e-6f);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_lines_of_b),   cmocka_unit_test(stands_at_the_end), cmocka_unit_test(steps_back),
      cmocka_unit_test(waits_for_a_time), cmocka_unit_test(turns_in_place),
  };
  return cmocka_run_group_tests_name("pattern steps", tests, NULL, NULL);
}
