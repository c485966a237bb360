/* test_spatial_patterns.c: tests of patterns in spatial worlds. They lie in a horizontal plane.
 * test_reference_a.c compares their bits with the reference. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>

#define PI 3.14159265f

static const float frame_time = 1.0f / 60.0f;
static const float speed = 2.0f, force = 3.0f;

typedef throng_pattern_instruction instruction;

/* Returns a world with one agent that plays the list, from the origin. */
static throng_world *play(throng_space space, float limit, const instruction *list, uint32_t count, throng_vec3 v,
                          throng_agent_id *id) {
  const throng_vec3 p = {0, 0, 0};
  throng_world_def def = throng_default_world_def();
  throng_pattern_def pattern = throng_default_pattern_def();
  throng_group_def g = stage_idle_group();
  throng_error error;
  def.space = space;
  g.max_speed = speed;
  g.max_acceleration = limit;
  group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATTERN, 1.0f);
  throng_world *world = stage_world(&def, &g);
  pattern.instructions = list;
  pattern.count = count;
  require_ok(throng_world_set_pattern(world, 0, &pattern, &error), &error);
  stage_add(world, 1, &p, &v, NULL, id);
  return world;
}

static void require_wish(throng_world *world, throng_agent_id id, float x, float y, float z) {
  throng_error error;
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
  if (!(fabsf(a.x - x) < 1e-5f && fabsf(a.y - y) < 1e-5f && fabsf(a.z - z) < 1e-5f))
    fail_msg("acceleration (%g, %g, %g), expected (%g, %g, %g)", (double)a.x, (double)a.y, (double)a.z, (double)x,
             (double)y, (double)z);
}

/* A square is the same in both spaces, and stays at its height. */
static void a_square_is_that_of_the_plane(void **state) {
  (void)state;
  const instruction side[] = {{.thrust = 1, .distance = 5}, {.right = 1, .heading = PI / 2}};
  throng_agent_id flat, deep;
  throng_world *plane = play(THRONG_SPACE_PLANAR, force, side, 2, (throng_vec3){0, 0, speed}, &flat),
               *space = play(THRONG_SPACE_SPATIAL, force, side, 2, (throng_vec3){0, 0, speed}, &deep);
  float turned = 0.0f;
  for (int frame = 0; frame < 1500; frame++) {
    stage_step(plane, frame_time);
    stage_step(space, frame_time);
    const throng_vec3 a = stage_read(plane, THRONG_COLUMN_POSITION, flat),
                      b = stage_read(space, THRONG_COLUMN_POSITION, deep);
    assert_true(b.y == 0.0f);
    assert_true(hypotf(a.x - b.x, a.z - b.z) < 1e-2f);
    turned = fminf(turned, stage_read(space, THRONG_COLUMN_PATTERN_WAY, deep).x);
  }
  assert_true(turned < -1.4f); /* to the right */
  throng_world_destroy(plane);
  throng_world_destroy(space);
}

/* Forces are horizontal and of full size, however steep the facing is. */
static void forces_are_horizontal(void **state) {
  (void)state;
  const instruction ahead[] = {{.thrust = 1}}, aside[] = {{.right = 1}};
  const float s = sqrtf(0.5f);
  const struct {
    throng_vec3 facing;
    float x, z;
  } cases[] = {{{0, 0.8f, 0.6f}, 0, 1}, {{s, -s, 0}, 1, 0}, {{0, 1, 0}, 0, 1}, {{0, -1, 0}, 0, 1}, {{-s, 0, s}, -s, s}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    for (int side = 0; side < 2; side++) {
      throng_agent_id id;
      throng_world *world = play(THRONG_SPACE_SPATIAL, force, side ? aside : ahead, 1, (throng_vec3){0, 0.5f, 0}, &id);
      stage_write(world, THRONG_COLUMN_FACING, id, cases[k].facing);
      const float x = side ? -cases[k].z : cases[k].x, z = side ? cases[k].x : cases[k].z;
      require_wish(world, id, force * x, 0, force * z);
      throng_world_destroy(world);
    }
  }
}

/* Steps brake a climb. Their corners are those of a polygon, also if the agent begins with a vertical facing. */
static void steps_make_a_level_polygon(void **state) {
  (void)state;
  const instruction list[] = {{.turn = PI / 2, .step = 2}};
  for (int k = 0; k < 3; k++) {
    static const throng_vec3 starts[] = {{0, 0, 0}, {0, 1.5f, 0}, {0, -1.5f, 0}};
    throng_agent_id id;
    throng_world *world = play(THRONG_SPACE_SPATIAL, 1e4f, list, 1, starts[k], &id);
    throng_vec3 p = {0, 0, 0};
    float west = 0.0f, south = 0.0f;
    stage_write(world, THRONG_COLUMN_FACING, id, (throng_vec3){0, k == 2 ? -1 : 1, 0});
    for (int frame = 0; frame < 240; frame++) {
      stage_step(world, frame_time);
      p = stage_read(world, THRONG_COLUMN_POSITION, id);
      west = fminf(west, p.x), south = fminf(south, p.z);
      assert_true(p.y == 0.0f && stage_read(world, THRONG_COLUMN_VELOCITY, id).y == 0.0f);
    }
    assert_true(fabsf(west + 2.0f) < 0.05f && fabsf(south + 2.0f) < 0.05f); /* to the right of +z is -x, then -z */
    assert_true(hypotf(p.x, p.z) < 0.1f);
    throng_world_destroy(world);
  }
}

/* A distance is that along the ground. */
static void climbs_do_not_count(void **state) {
  (void)state;
  const instruction list[] = {{.distance = 1}, {.distance = 1}};
  throng_agent_id id;
  throng_world *world = play(THRONG_SPACE_SPATIAL, force, list, 2, (throng_vec3){0, 1.6f, 1.2f}, &id);
  for (int frame = 0; frame < 45; frame++) stage_step(world, frame_time); /* 1.2 m of climb, 0.9 m along the ground */
  assert_true(stage_read(world, THRONG_COLUMN_PATTERN_INSTRUCTION, id).x == 0.0f);
  for (int frame = 0; frame < 15; frame++) stage_step(world, frame_time);
  assert_true(stage_read(world, THRONG_COLUMN_PATTERN_INSTRUCTION, id).x == 1.0f);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_square_is_that_of_the_plane),
      cmocka_unit_test(forces_are_horizontal),
      cmocka_unit_test(steps_make_a_level_polygon),
      cmocka_unit_test(climbs_do_not_count),
  };
  return cmocka_run_group_tests_name("spatial_patterns", tests, NULL, NULL);
}
