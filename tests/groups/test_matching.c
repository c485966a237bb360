/* test_matching.c: tests of rotation match and of the exact form of intercept.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

static const float frame_time = 1.0f / 60.0f;

static throng_world_def world_of(throng_space space) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  return def;
}

/* An agent that moves at 2 m/s in any direction at once, and a target. */
static throng_world *hunt(throng_space space, bool exact, throng_vec3 at, throng_vec3 moving, throng_agent_id ids[2]) {
  const throng_world_def def = world_of(space);
  throng_group_def g = stage_idle_group(), prey = stage_idle_group();
  g.max_speed = 2.0f;
  g.max_acceleration = INFINITY;
  throng_world *world = stage_world(&def, &g);
  throng_error error;
  prey.max_speed = 100.0f;
  require_ok(throng_world_set_group(world, 1, &prey, &error), &error);
  stage_add(world, 2, (throng_vec3[]){{0, 0, 0}, at}, (throng_vec3[]){{0, 0, 0}, moving}, NULL, ids);
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 1, &(uint8_t){1}, 0, &error), &error);
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_INTERCEPT, 1.0f);
  b->target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[1]};
  b->intercept.exact = exact;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  return world;
}

/* The agent meets a target across its way in the least time, on a straight line. */
static void meets_on_a_straight_line(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    const throng_space space = k ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    throng_agent_id ids[2];
    throng_world *world = hunt(space, true, (throng_vec3){0, 0, 10}, (throng_vec3){1, 0, 0}, ids);
    const float time = 10.0f / sqrtf(3.0f); /* sqrt(T^2 + 100) = 2 T */
    const int frames = (int)(time / frame_time);
    for (int frame = 0; frame < frames; frame++) {
      stage_step(world, frame_time);
      const throng_vec3 v = stage_read(world, THRONG_COLUMN_VELOCITY, ids[0]);
      assert_true(fabsf(v.x - 1.0f) < 1e-3f && fabsf(v.z - sqrtf(3.0f)) < 1e-3f);
    }
    assert_true(stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[0]),
                               stage_read(world, THRONG_COLUMN_POSITION, ids[1])) < 0.05);
    throng_world_destroy(world);
  }
}

static throng_vec3 wanted(throng_world *world, throng_agent_id id) {
  throng_error error;
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  return stage_read(world, THRONG_COLUMN_ACCELERATION, id);
}

/* A target that gets away is pursued, to the bit; a faster one that comes nearer is met. */
static void pursues_what_gets_away(void **state) {
  (void)state;
  const struct {
    throng_vec3 at, moving;
    bool meets;
  } cases[] = {{{3, 0, 10}, {0, 0, 3}, false},
               {{0, 0, 10}, {2.5f, 0, -0.1f}, false},
               {{0, 0, 10}, {0, 0, 2}, false}, /* as fast as the agent */
               {{6, 0, 8}, {-3, 0, -3}, true},
               {{0, 0, 10}, {0, 0, -2}, true}};
  for (int k = 0; k < 5; k++) {
    throng_agent_id ids[2];
    throng_error error;
    throng_world *world = hunt(THRONG_SPACE_PLANAR, true, cases[k].at, cases[k].moving, ids);
    const throng_vec3 a = wanted(world, ids[0]);
    throng_group_def g;
    require_ok(throng_world_get_group(world, 0, &g, &error), &error);
    const throng_target target = g.behaviour[0].target;
    const float most = g.behaviour[0].intercept.max_prediction;
    g.behaviour_count = 0;
    throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_PURSUE, 1.0f);
    b->target = target;
    b->pursue.max_prediction = most;
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    const throng_vec3 pursued = wanted(world, ids[0]);
    assert_true((memcmp(&a, &pursued, sizeof a) == 0) == !cases[k].meets || k == 4);
    throng_world_destroy(world);
  }
}

static void exact_needs_a_speed(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  g.max_speed = INFINITY;
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_INTERCEPT, 1.0f);
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  b->intercept.exact = true;
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "max_speed"));
  throng_world_destroy(world);
}

/* An agent takes on the yaw rate of another one: of a target that all share, or of its own. */
static void takes_on_the_rotation(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    const bool own = k & 1, upright = k & 4;
    const throng_world_def def = world_of(k & 2 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR);
    throng_group_def g = stage_idle_group();
    g.facing = THRONG_FACING_STEERED;
    g.max_yaw_rate = 3.0f;
    g.upright = upright;
    throng_world *world = stage_world(&def, &g);
    throng_agent_id ids[2];
    throng_error error;
    stage_add(world, 2, (throng_vec3[]){{0, 0, 0}, {50, 0, 0}}, NULL, NULL, ids);
    const float rate = 0.7f;
    require_ok(throng_agents_write(world, THRONG_COLUMN_YAW_RATE, &ids[1], 1, &rate, 0, &error), &error);
    require_ok(throng_agents_write(world, THRONG_COLUMN_TARGET, &ids[0], 1, &ids[1], 0, &error), &error);
    throng_group_def other = g;
    require_ok(throng_world_set_group(world, 1, &other, &error), &error);
    require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 1, &(uint8_t){1}, 0, &error), &error);
    throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_ROTATION_MATCH, 1.0f);
    b->target = own ? (throng_target){.kind = THRONG_TARGET_OWN}
                    : (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[1]};
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    stage_step(world, frame_time);
    const bool turns = !(k & 2) || upright; /* other facings have no rate */
    const float first = stage_read(world, THRONG_COLUMN_YAW_RATE, ids[0]).x;
    assert_true(fabsf(first - (turns ? rate * frame_time / 0.1f : 0.0f)) < 1e-4f);
    for (int frame = 0; frame < 120; frame++) stage_step(world, frame_time);
    assert_true(fabsf(stage_read(world, THRONG_COLUMN_YAW_RATE, ids[0]).x - (turns ? rate : 0.0f)) < 1e-3f);
    throng_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meets_on_a_straight_line),
      cmocka_unit_test(pursues_what_gets_away),
      cmocka_unit_test(exact_needs_a_speed),
      cmocka_unit_test(takes_on_the_rotation),
  };
  return cmocka_run_group_tests_name("matching", tests, NULL, NULL);
}
