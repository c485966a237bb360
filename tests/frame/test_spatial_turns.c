/* tests/frame/test_spatial_turns.c: tests of THRONG_FACING_STEERED in spatial worlds. Upright facings turn about the
 * vertical as yaws of planar worlds do; others turn toward a direction at a limited rate.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979

static const float frame_time = 1.0f / 60.0f;

static throng_group_def turner(throng_behaviour_kind kind, bool upright, throng_vec3 target) {
  throng_group_def g = stage_idle_group();
  g.facing = THRONG_FACING_STEERED;
  g.max_yaw_rate = 2.0f;
  g.upright = upright;
  throng_behaviour *b = group_want(&g, kind, 1.0f);
  b->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = target};
  return g;
}

static throng_world *turner_world(throng_space space, const throng_group_def *g, throng_vec3 v, throng_vec3 facing,
                                  throng_agent_id *id) {
  const throng_vec3 p = {0, 0, 0};
  throng_world_def def = throng_default_world_def();
  def.space = space;
  throng_world *world = stage_world(&def, g);
  stage_add(world, 1, &p, &v, NULL, id);
  stage_write(world, THRONG_COLUMN_FACING, *id, facing);
  return world;
}

static throng_vec3 facing_of(const throng_world *world, throng_agent_id id) {
  return stage_read(world, THRONG_COLUMN_FACING, id);
}
static double angle_between(throng_vec3 a, throng_vec3 b) { return 2.0 * asin(fmin(1.0, 0.5 * stage_distance(a, b))); }

/* A facing goes along the great circle, at W rad/s or slower near the end, and stops there without overshoot. */
static void facings_turn_along_great_circles(void **state) {
  (void)state;
  static const float radii[] = {0.0f, 0.8f};
  const throng_vec3 from = {0, 0.6f, 0.8f}, targets[] = {{3, 1, 0}, {0, 5, 0}, {0, -5, 0}, {-1, -2, -3}};
  for (int k = 0; k < 8; k++) {
    throng_group_def g = turner(THRONG_BEHAVIOUR_FACE, false, targets[k / 2]);
    g.behaviour[0].face.slow_radius = radii[k % 2];
    g.behaviour[0].face.target_radius = 0.0f;
    throng_agent_id id;
    throng_world *world = turner_world(THRONG_SPACE_SPATIAL, &g, (throng_vec3){0, 0, 0}, from, &id);
    const double size = stage_length(targets[k / 2]);
    const throng_vec3 to = {(float)(targets[k / 2].x / size), (float)(targets[k / 2].y / size),
                            (float)(targets[k / 2].z / size)};
    const double whole = angle_between(from, to);
    double left = whole;
    for (int frame = 0; frame < 600; frame++) {
      const throng_vec3 before = facing_of(world, id);
      stage_step(world, frame_time);
      const throng_vec3 f = facing_of(world, id);
      const double now = angle_between(f, to), turned = angle_between(before, f);
      assert_true(turned < 2.0 / 60.0 + 1e-5 && now <= left + 1e-5);
      assert_true(fabs(turned + now - left) < 1e-5);                  /* straight there */
      assert_true(fabs(angle_between(from, f) + now - whole) < 1e-4); /* on the great circle */
      if (left > 0.85) assert_true(fabs(turned - 2.0 / 60.0) < 1e-5); /* at the full rate */
      left = now;
    }
    assert_true(left < 1e-3 && (k % 2 == 1 || left < 1e-6));
    throng_world_destroy(world);
  }
}

/* From the opposite direction a facing turns to the right; a vertical one turns to -x. */
static void opposite_directions_turn_right(void **state) {
  (void)state;
  const throng_vec3 facings[] = {{0, 0, 1}, {0, 1, 0}, {0, -1, 0}, {0.6f, 0, -0.8f}, {0, 0.6f, 0.8f}},
                    rights[] = {{-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}, {0.8f, 0, 0.6f}, {-1, 0, 0}};
  const float sine = sinf(2.0f * frame_time), cosine = cosf(2.0f * frame_time);
  for (int k = 0; k < 5; k++) {
    const throng_vec3 f = facings[k], r = rights[k];
    const throng_group_def g = turner(THRONG_BEHAVIOUR_FACE, false, (throng_vec3){-2 * f.x, -2 * f.y, -2 * f.z});
    throng_agent_id id;
    throng_world *world = turner_world(THRONG_SPACE_SPATIAL, &g, (throng_vec3){0, 0, 0}, f, &id);
    stage_step(world, frame_time);
    const throng_vec3 wanted = {f.x * cosine + r.x * sine, f.y * cosine + r.y * sine, f.z * cosine + r.z * sine};
    assert_true(stage_distance(facing_of(world, id), wanted) < 1e-5);
    throng_world_destroy(world);
  }
}

/* Upright facings: yaws and yaw rates are those of a planar world, wherever the target is above or below. */
static void upright_facings_turn_as_in_the_plane(void **state) {
  (void)state;
  const throng_behaviour_kind kinds[] = {THRONG_BEHAVIOUR_FACE, THRONG_BEHAVIOUR_ALIGN, THRONG_BEHAVIOUR_LOOK,
                                         THRONG_BEHAVIOUR_KINEMATIC_WANDER};
  for (int k = 0; k < 12; k++) {
    throng_group_def g = turner(kinds[k % 4], true, (throng_vec3){3, k < 4 ? 20 : 0, -2});
    if (g.behaviour[0].kind == THRONG_BEHAVIOUR_ALIGN) g.behaviour[0].align.offset = 2.5f;
    if (k >= 8) g.max_yaw_acceleration = INFINITY;
    g.max_speed = 1.0f;
    throng_agent_id flat, id;
    throng_world *plane = turner_world(THRONG_SPACE_PLANAR, &g, (throng_vec3){-0.6f, 0, 0}, (throng_vec3){0}, &flat),
                 *space =
                     turner_world(THRONG_SPACE_SPATIAL, &g, (throng_vec3){-0.6f, 0.7f, 0}, (throng_vec3){0, 0, 1}, &id);
    for (int frame = 0; frame < 200; frame++) {
      stage_step(plane, frame_time);
      stage_step(space, frame_time);
      const float yaw = facing_of(plane, flat).x, rate = stage_read(plane, THRONG_COLUMN_YAW_RATE, flat).x;
      const throng_vec3 f = facing_of(space, id);
      assert_true(f.y == 0.0f && fabsf(f.x - sinf(yaw)) < 1e-3f && fabsf(f.z - cosf(yaw)) < 1e-3f);
      assert_true(fabsf(stage_read(space, THRONG_COLUMN_YAW_RATE, id).x - rate) < 1e-2f);
    }
    throng_world_destroy(plane);
    throng_world_destroy(space);
  }
}

/* Without a wanted direction a facing keeps its bits; an upright one brakes its spin. */
static void nothing_wanted_is_no_turn(void **state) {
  (void)state;
  const throng_vec3 f = {0.48f, 0.6f, 0.64f}, level = {0.6f, 0, 0.8f}, none = {0, 0, 0};
  const throng_behaviour_kind kinds[] = {THRONG_BEHAVIOUR_LOOK, THRONG_BEHAVIOUR_FACE, THRONG_BEHAVIOUR_ALIGN};
  for (int k = 0; k < 6; k++) {
    throng_group_def g = turner(kinds[k % 3], k >= 3, none);
    if (kinds[k % 3] == THRONG_BEHAVIOUR_ALIGN) g.behaviour[0].target.kind = THRONG_TARGET_GOAL; /* there is none */
    throng_agent_id id;
    throng_world *world = turner_world(THRONG_SPACE_SPATIAL, &g, none, k < 3 ? f : level, &id);
    const throng_vec3 before = facing_of(world, id);
    for (int frame = 0; frame < 5; frame++) stage_step(world, frame % 2 ? frame_time : 0.0f);
    const throng_vec3 after = facing_of(world, id);
    assert_memory_equal(&before, &after, sizeof before);
    throng_world_destroy(world);
  }
  const throng_group_def g = turner(THRONG_BEHAVIOUR_LOOK, true, none);
  throng_agent_id id;
  throng_world *world = turner_world(THRONG_SPACE_SPATIAL, &g, (throng_vec3){0, 1, 0}, level, &id); /* straight up */
  stage_write(world, THRONG_COLUMN_YAW_RATE, id, (throng_vec3){1, 0, 0});
  for (int frame = 0; frame < 200; frame++) stage_step(world, frame_time);
  assert_true(fabsf(stage_read(world, THRONG_COLUMN_YAW_RATE, id).x) < 1e-3f);
  throng_world_destroy(world);
}

/* Align looks where the target looks, turned about the vertical by the offset. */
static void align_looks_where_the_target_looks(void **state) {
  (void)state;
  const throng_group_def leader = stage_idle_group();
  const throng_vec3 p[2] = {{0, 0, 0}, {5, 5, 5}}, climb = {0, 0.6f, 0.8f};
  throng_world_def def = throng_default_world_def();
  throng_agent_id ids[2];
  throng_error error;
  def.space = THRONG_SPACE_SPATIAL;
  throng_world *world = stage_world(&def, &leader);
  stage_add(world, 2, p, NULL, NULL, ids);
  stage_write(world, THRONG_COLUMN_FACING, ids[1], climb);
  throng_group_def g = turner(THRONG_BEHAVIOUR_ALIGN, false, p[0]);
  g.behaviour[0].target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[1]};
  g.behaviour[0].align.offset = (float)(PI / 2);
  require_ok(throng_world_set_group(world, 1, &g, &error), &error);
  const uint8_t one = 1;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[0], 1, &one, 0, &error), &error);
  for (int frame = 0; frame < 600; frame++) stage_step(world, frame_time);
  assert_true(stage_distance(facing_of(world, ids[0]), (throng_vec3){0.8f, 0.6f, 0}) < 0.011); /* target_radius */
  throng_world_destroy(world);
}

/* Kinematic wander goes along its facing at full speed and turns into all directions; halves make whole frames. */
static void wander_in_space(void **state) {
  (void)state;
  throng_group_def g = turner(THRONG_BEHAVIOUR_KINEMATIC_WANDER, false, (throng_vec3){0, 0, 0});
  g.max_speed = 2.0f;
  g.max_acceleration = 1e4f;
  g.max_yaw_rate = 20.0f;
  throng_agent_id id, same;
  throng_error error;
  throng_world *world = turner_world(THRONG_SPACE_SPATIAL, &g, (throng_vec3){0, 0, 2}, (throng_vec3){0, 0, 1}, &id),
               *halves = turner_world(THRONG_SPACE_SPATIAL, &g, (throng_vec3){0, 0, 2}, (throng_vec3){0, 0, 1}, &same);
  float low = 0.0f, high = 0.0f;
  for (int frame = 0; frame < 2000; frame++) {
    const throng_vec3 f = facing_of(world, id);
    stage_step(world, frame_time);
    require_ok(throng_world_steer(halves, frame_time, &error), &error);
    require_ok(throng_world_integrate(halves, frame_time, &error), &error);
    const throng_vec3 v = stage_read(world, THRONG_COLUMN_VELOCITY, id), now = facing_of(world, id);
    assert_true(stage_distance(v, (throng_vec3){2 * f.x, 2 * f.y, 2 * f.z}) < 1e-4);
    assert_true(angle_between(f, now) < 20.0 / 60.0 + 1e-5);
    low = fminf(low, now.y), high = fmaxf(high, now.y);
  }
  assert_true(low < -0.8f && high > 0.8f);
  assert_true(throng_world_hash(world, 0) == throng_world_hash(halves, 0));
  throng_world_destroy(world);
  throng_world_destroy(halves);
}

/* A steered facing plays patterns: forces along its heading, and turns about the side of the instruction. */
static void steered_facings_play_patterns(void **state) {
  (void)state;
  const throng_pattern_instruction list[] = {
      {.thrust = 1, .distance = 1}, {.right = 1, .heading = 1.5f}, {.thrust = 1, .distance = 1}};
  for (int upright = 0; upright < 2; upright++) {
    throng_group_def g = turner(THRONG_BEHAVIOUR_FOLLOW_PATTERN, upright, (throng_vec3){0, 0, 0});
    throng_pattern_def pattern = throng_default_pattern_def();
    throng_agent_id id;
    throng_error error;
    g.max_speed = 2.0f;
    pattern.instructions = list;
    pattern.count = 3;
    pattern.loop = false;
    throng_world *world = turner_world(THRONG_SPACE_SPATIAL, &g, (throng_vec3){0, 0, 0}, (throng_vec3){0, 0, 1}, &id);
    require_ok(throng_world_set_pattern(world, 0, &pattern, &error), &error);
    for (int frame = 0; frame < 900; frame++) stage_step(world, frame_time);
    assert_true(stage_read(world, THRONG_COLUMN_PATTERN_INSTRUCTION, id).x == 3.0f);
    const throng_vec3 f = facing_of(world, id);
    assert_true(fabsf(f.x + sinf(1.5f)) < 0.1f && f.y == 0.0f && fabsf(f.z - cosf(1.5f)) < 0.1f);
    throng_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(facings_turn_along_great_circles),     cmocka_unit_test(opposite_directions_turn_right),
      cmocka_unit_test(upright_facings_turn_as_in_the_plane), cmocka_unit_test(nothing_wanted_is_no_turn),
      cmocka_unit_test(align_looks_where_the_target_looks),   cmocka_unit_test(wander_in_space),
      cmocka_unit_test(steered_facings_play_patterns),
  };
  return cmocka_run_group_tests_name("spatial_turns", tests, NULL, NULL);
}
