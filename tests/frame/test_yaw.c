/* tests/frame/test_yaw.c: tests of THRONG_FACING_STEERED and the angular behaviours.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static uint64_t base_seed;

static throng_group_def spinner(float max_yaw_rate, float max_yaw_acceleration) {
  throng_group_def g = stage_idle_group();
  g.facing = THRONG_FACING_STEERED;
  g.max_yaw_rate = max_yaw_rate;
  g.max_yaw_acceleration = max_yaw_acceleration;
  return g;
}

static float read1(const throng_world *world, throng_column column, throng_agent_id id) {
  return stage_read(world, column, id).x;
}
static void write1(throng_world *world, throng_column column, throng_agent_id id, float value) {
  stage_write(world, column, id, (throng_vec3){value, 0, 0});
}
static double short_way(double from, double to) { return remainder(to - from, 2.0 * PI); }

/* Adds an agent at the origin with the facing `yaw`, in radians. */
static throng_agent_id add_one(throng_world *world, throng_vec3 velocity, float yaw) {
  const throng_vec3 p = {0, 0, 0};
  throng_agent_id id;
  stage_add(world, 1, &p, &velocity, NULL, &id);
  write1(world, THRONG_COLUMN_FACING, id, yaw);
  return id;
}

/* A world in which ids[0] (facing `yaw`) aligns to ids[1], which is at rest and has the facing `other`. */
static throng_world *aligning_pair(throng_group_def g, float yaw, float other, throng_agent_id ids[2]) {
  throng_group_def statue = stage_idle_group();
  statue.facing = THRONG_FACING_FIXED;
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  require_ok(throng_world_set_group(world, 1, &statue, &error), &error);
  ids[0] = add_one(world, (throng_vec3){0, 0, 0}, yaw);
  ids[1] = add_one(world, (throng_vec3){0, 0, 0}, other);
  const uint8_t group = 1;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 1, &group, 0, &error), &error);
  throng_behaviour *align = throng_group_def_find(&g, THRONG_BEHAVIOUR_ALIGN);
  align->target.kind = THRONG_TARGET_AGENT;
  align->target.agent = ids[1];
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  return world;
}

/* Align turns along the short arc, also across the seam at pi. yaws: the agent's yaw, the target's, and the offset. */
static void align_turns_by_the_short_arc(void **state) {
  (void)state;
  static const float yaws[][3] = {{3.0f, -3.0f, 0},   {-3.0f, 3.0f, 0},  {3.1f, -0.2f, 0},   {-2.0f, 2.0f, 0},
                                  {0.1f, -0.1f, 0},   {0.5f, 3.0f, 0},   {0.3f, 0.2f, 3.1f}, {-3.0f, -0.1f, -3.1f},
                                  {1.0f, 1.0f, 3.0f}, {2.9f, 3.1f, 0.5f}};
  for (size_t k = 0; k < sizeof yaws / sizeof yaws[0]; k++) {
    throng_group_def g = spinner(2.0f, 10.0f);
    group_want(&g, THRONG_BEHAVIOUR_ALIGN, 1.0f)->align.offset = yaws[k][2];
    throng_agent_id ids[2];
    throng_world *world = aligning_pair(g, yaws[k][0], yaws[k][1], ids);
    const double arc = short_way((double)yaws[k][0], (double)yaws[k][1] + (double)yaws[k][2]);
    double turned = 0.0, yaw = (double)yaws[k][0];
    for (int frame = 0; frame < 600; frame++) {
      stage_step(world, 1.0f / 60.0f);
      const double now = (double)read1(world, THRONG_COLUMN_FACING, ids[0]), way = short_way(yaw, now);
      assert_true(now > -PI - 1e-6 && now < PI + 1e-6);
      assert_true(way * arc > -1e-9); /* never in the other direction */
      turned += way;
      yaw = now;
    }
    assert_true(fabs(turned - arc) < 0.011);
    assert_true(fabsf(read1(world, THRONG_COLUMN_YAW_RATE, ids[0])) < 1e-3f);
    throng_world_destroy(world);
  }
}

/* Alignment that turns brings the yaws of neighbours together by the short arc, and an agent alone does not turn. */
static void alignment_turns_together(void **state) {
  (void)state;
  static const float yaws[][2] = {{3.0f, -3.0f}, {-2.5f, 2.5f}, {0.5f, 1.5f}, {-1.0f, 1.0f}};
  for (int k = 0; k < 4; k++) {
    throng_group_def g = spinner(2.0f, 10.0f);
    g.alignment.weight = 1.0f;
    throng_agent_id ids[3];
    throng_world *world = stage_world(NULL, &g);
    const throng_vec3 p[3] = {{0, 0, 0}, {0.5f, 0, 0}, {9, 0, 0}};
    throng_error error;
    stage_add(world, 3, p, NULL, NULL, ids);
    for (int i = 0; i < 2; i++) write1(world, THRONG_COLUMN_FACING, ids[i], yaws[k][i]);
    stage_step(world, 1.0f / 60.0f);
    assert_true(read1(world, THRONG_COLUMN_FACING, ids[0]) == yaws[k][0]); /* not without `turns` */
    g.alignment.turns = true;
    g.alignment.turn_target_radius = 0.0f;
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    write1(world, THRONG_COLUMN_YAW_RATE, ids[2], 1.0f);
    for (int frame = 0; frame < 600; frame++) stage_step(world, 1.0f / 60.0f);
    const double middle = (double)yaws[k][0] + 0.5 * short_way((double)yaws[k][0], (double)yaws[k][1]);
    for (int i = 0; i < 2; i++) {
      assert_true(fabs(short_way((double)read1(world, THRONG_COLUMN_FACING, ids[i]), middle)) < 0.02);
      assert_true(fabsf(read1(world, THRONG_COLUMN_YAW_RATE, ids[i])) < 1e-3f);
    }
    assert_true(read1(world, THRONG_COLUMN_YAW_RATE, ids[2]) == 1.0f);
    g.facing = THRONG_FACING_INSTANT;
    require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
    throng_world_destroy(world);
  }
}

/* If the aim is exactly half a turn away, the agent turns anticlockwise. */
static void opposite_is_half_a_turn(void **state) {
  (void)state;
  throng_group_def g = spinner(2.0f, 10.0f);
  group_want(&g, THRONG_BEHAVIOUR_ALIGN, 1.0f)->align.offset = 3.14159265f;
  throng_agent_id ids[2];
  throng_world *world = aligning_pair(g, 0.0f, 0.0f, ids);
  stage_step(world, 0.1f);
  assert_true(read1(world, THRONG_COLUMN_YAW_RATE, ids[0]) == 1.0f); /* B dt */
  for (int frame = 0; frame < 600; frame++) stage_step(world, 1.0f / 60.0f);
  assert_true(fabs(short_way((double)read1(world, THRONG_COLUMN_FACING, ids[0]), PI)) < 0.011);
  throng_world_destroy(world);
}

/* Turns an agent from the yaw `start` to 0. Returns by how many radians it overshoots. entries: how often it came
 * within the target radius. top and most: the limits of yaw rate and yaw acceleration. */
static double overshoot(float top, float most, float slow_radius, float time, float start, int *entries) {
  throng_group_def g = spinner(top, most);
  throng_behaviour *align = group_want(&g, THRONG_BEHAVIOUR_ALIGN, 1.0f);
  align->align.slow_radius = slow_radius;
  align->align.time_to_target = time;
  align->target = (throng_target){.kind = THRONG_TARGET_POINT};
  throng_world *world = stage_world(NULL, &g);
  const throng_agent_id id = add_one(world, (throng_vec3){0, 0, 0}, start);
  double beyond = 0.0;
  bool inside = false;
  *entries = 0;
  for (int frame = 0; frame < 6000; frame++) {
    stage_step(world, 0.002f);
    const double yaw = (double)read1(world, THRONG_COLUMN_FACING, id), past = start > 0.0f ? -yaw : yaw;
    if (past > beyond && past < 3.0) beyond = past;
    const bool now = fabs(yaw) <= 0.01;
    *entries += now && !inside;
    inside = now;
  }
  assert_true(inside && fabsf(read1(world, THRONG_COLUMN_YAW_RATE, id)) < 1e-3f);
  throng_world_destroy(world);
  return beyond;
}

/* Align does not overshoot if max_yaw_acceleration is at least max_yaw_rate² / slow_radius. */
static void turns_brake_without_overshoot(void **state) {
  (void)state;
  int entries;
  static const float starts[] = {3.0f, -3.0f, 1.0f, -0.3f, 0.05f};
  for (size_t k = 0; k < 5; k++) {
    assert_true(overshoot(2.0f, 10.0f, 0.8f, 0.1f, starts[k], &entries) <= 0.01 && entries == 1);
    assert_true(overshoot(1.0f, 1.0f, 1.0f, 0.1f, starts[k], &entries) <= 0.01 && entries == 1);
    assert_true(overshoot(3.0f, INFINITY, 1.2f, 0.1f, starts[k], &entries) <= 0.01 && entries == 1);
  }
  assert_true(overshoot(2.0f, 2.0f, 0.5f, 0.02f, 3.0f, &entries) > 0.05); /* a quarter of that acceleration */
}

/* Returns the yaw acceleration by the formula of align in Millington's book, in double precision. left: radians to
 * turn; top and most: the limits of yaw rate and yaw acceleration; slow and target: radii in radians. */
static double book_turn(double left, double rate, double top, double most, double slow, double target, double time) {
  const double size = fabs(left), speed = size <= target ? 0.0 : size < slow ? top * size / slow : top;
  const double wanted = (copysign(speed, left) - rate) / time;
  return fabs(wanted) > most ? copysign(most, wanted) : wanted;
}

static void the_formulas_of_the_book(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed);
  for (int k = 0; k < 3000; k++) {
    const throng_behaviour_kind kind = (throng_behaviour_kind)(THRONG_BEHAVIOUR_ALIGN + k % 3);
    const float top = rng_float(&rng, 0.1f, 5.0f), most = k % 7 == 0 ? INFINITY : rng_float(&rng, 0.1f, 60.0f);
    const float yaw = rng_float(&rng, -3.14f, 3.14f), rate = rng_float(&rng, -top, top);
    const throng_vec3 v = {rng_float(&rng, -3, 3), 0, rng_float(&rng, -3, 3)},
                      point = {rng_float(&rng, -9, 9), 7, rng_float(&rng, -9, 9)};
    throng_group_def g = spinner(top, most);
    throng_behaviour *b = group_want(&g, kind, 1.0f);
    b->align.slow_radius = k % 5 == 0 ? 0.0f : rng_float(&rng, 0.01f, 3.0f);
    b->align.target_radius = rng_float(&rng, 0.0f, 0.1f);
    b->align.time_to_target = rng_float(&rng, 0.05f, 1.0f);
    if (kind == THRONG_BEHAVIOUR_ALIGN) b->align.offset = rng_float(&rng, -3.14f, 3.14f);
    b->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = point};
    throng_world *world = stage_world(NULL, &g);
    throng_error error;
    const throng_agent_id id = add_one(world, v, yaw);
    write1(world, THRONG_COLUMN_YAW_RATE, id, rate);
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    const double wanted = kind == THRONG_BEHAVIOUR_ALIGN  ? (double)b->align.offset
                          : kind == THRONG_BEHAVIOUR_FACE ? atan2((double)point.x, (double)point.z)
                                                          : atan2((double)v.x, (double)v.z);
    const double left = short_way((double)yaw, wanted), slow = (double)b->align.slow_radius,
                 target = (double)b->align.target_radius, time = (double)b->align.time_to_target;
    const double exact = book_turn(left, (double)rate, (double)top, (double)most, slow, target, time);
    const double got = (double)read1(world, THRONG_COLUMN_YAW_ACCELERATION, id);
    /* The angle's error is at most 2e-6; the yaw acceleration changes by top / (slow * time) per radian. */
    const double bound = 1e-6 * (double)top / time * (4.0 + (slow > 0.0 ? 4.0 / slow : 0.0));
    const bool edge = fabs(fabs(left) - target) < 4e-6 || fabs(fabs(left) - PI) < 4e-6;
    if (!edge && fabs(got - exact) > bound) {
      print_error("%s: left %g, rate %g: %.9g instead of %.9g\n", throng_behaviour_name(kind), left, (double)rate, got,
                  exact);
      fail();
    }
    throng_world_destroy(world);
  }
}

/* Yaw rate 1, yaw acceleration 2, dt = 1/2: all results are exact floats. */
static void update_rules(void **state) {
  (void)state;
  static const float wanted[3] = {1.0f, 0.5f, 0.75f};
  const throng_group_def g = spinner(100.0f, 10.0f);
  for (int update = 0; update < 3; update++) {
    throng_world_def def = throng_default_world_def();
    def.update = (throng_update)update;
    throng_world *world = stage_world(&def, &g);
    throng_error error;
    throng_edit edit;
    throng_view view;
    const throng_agent_id id = add_one(world, (throng_vec3){0, 0, 0}, 0.25f);
    write1(world, THRONG_COLUMN_YAW_RATE, id, 1.0f);
    require_ok(throng_world_view(world, &view, &error), &error);
    assert_true(view.yaw_rate != NULL && view.yaw_rate[0] == 1.0f && view.yaw_acceleration == NULL);
    require_ok(throng_world_steer(world, 0.5f, &error), &error);
    assert_true(read1(world, THRONG_COLUMN_YAW_ACCELERATION, id) == 0.0f);
    require_ok(throng_world_edit_accelerations(world, &edit, &error), &error);
    assert_true(edit.yaw_acceleration != NULL && edit.acceleration_y == NULL);
    edit.yaw_acceleration[0] = 2.0f;
    require_ok(throng_world_view(world, &view, &error), &error);
    assert_true(view.yaw_acceleration == edit.yaw_acceleration && view.acceleration_y == NULL);
    assert_true(read1(world, THRONG_COLUMN_YAW_ACCELERATION, id) == 2.0f &&
                stage_read(world, THRONG_COLUMN_ACCELERATION, id).y == 0.0f);
    require_ok(throng_world_integrate(world, 0.5f, &error), &error);
    assert_true(read1(world, THRONG_COLUMN_FACING, id) == 0.25f + wanted[update]);
    assert_true(read1(world, THRONG_COLUMN_YAW_RATE, id) == 2.0f);
    throng_world_destroy(world);
  }
}

/* An agent may spin several times in a frame: its yaw is the turned angle modulo 2 pi. Then angular drag slows it. */
static void fast_spins_and_drag(void **state) {
  (void)state;
  throng_group_def g = spinner(1e4f, 10.0f);
  throng_world *world = stage_world(NULL, &g);
  const throng_agent_id id = add_one(world, (throng_vec3){0, 0, 0}, 0.5f);
  for (int k = 0; k < 40; k++) {
    const float rate = (float)(k - 20) * 499.7f, yaw = read1(world, THRONG_COLUMN_FACING, id);
    write1(world, THRONG_COLUMN_YAW_RATE, id, rate);
    stage_step(world, 1.0f);
    assert_true(read1(world, THRONG_COLUMN_YAW_RATE, id) == rate);
    assert_true(fabs(short_way((double)read1(world, THRONG_COLUMN_FACING, id), (double)yaw + (double)rate)) < 2e-3);
  }
  g.angular_drag = 4.0f;
  throng_error error;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  write1(world, THRONG_COLUMN_YAW_RATE, id, -3.0f);
  stage_step(world, 0.25f);
  assert_true(read1(world, THRONG_COLUMN_YAW_RATE, id) == -1.5f);
  throng_world_destroy(world);
}

static void no_time_turns_nobody(void **state) {
  (void)state;
  for (int mode = 0; mode < 7; mode++) {
    throng_world_def def = throng_default_world_def();
    def.space = mode >= 4 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    throng_group_def g = spinner(2.0f, 10.0f);
    g.facing = (throng_facing)(mode % 4);
    if (mode == 3) group_want(&g, THRONG_BEHAVIOUR_LOOK, 1.0f);
    throng_world *world = stage_world(&def, &g);
    throng_error error;
    const throng_vec3 p[4] = {{0, 0, 0}, {5, 0, 5}, {9, 0, 1}, {3, 0, 3}},
                      v[4] = {{1, 0, 0}, {0, 0, -1}, {0, 0, 0}, {1, 0, 1}};
    stage_add(world, 4, p, v, NULL, NULL);
    const throng_vec3 facing[4] = {{0.1f, 0.2f, 0.3f}, {-3.14159265f, 0, 0.1f}, {3, 2, 1}, {-1, -2, 0.7f}};
    require_ok(throng_agents_write(world, THRONG_COLUMN_FACING, NULL, 4, facing, sizeof facing[0], &error), &error);
    const float rates[4] = {1.0f, 0.0f, -2.0f, 0.5f};
    if (mode == 3) require_ok(throng_agents_write(world, THRONG_COLUMN_YAW_RATE, NULL, 4, rates, 0, &error), &error);
    const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
    stage_step(world, 0.0f);
    assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);
    throng_world_destroy(world);
  }
}

/* An agent at rest keeps its facing. The behaviour look brakes its spin. */
static void at_rest(void **state) {
  (void)state;
  for (int mode = 0; mode < 4; mode++) {
    throng_group_def g = spinner(2.0f, 4.0f);
    g.facing = (throng_facing)mode;
    if (mode == THRONG_FACING_STEERED) group_want(&g, THRONG_BEHAVIOUR_LOOK, 1.0f);
    throng_world *world = stage_world(NULL, &g);
    const throng_agent_id id = add_one(world, (throng_vec3){0, 0, 0}, -1.25f);
    for (int k = 0; k < 5; k++) stage_step(world, 0.1f);
    assert_true(read1(world, THRONG_COLUMN_FACING, id) == -1.25f);
    if (mode == THRONG_FACING_STEERED) {
      write1(world, THRONG_COLUMN_YAW_RATE, id, 1.0f);
      stage_step(world, 0.1f);
      assert_true(fabsf(read1(world, THRONG_COLUMN_YAW_RATE, id) - 0.6f) < 1e-6f); /* max_yaw_acceleration * dt less */
      for (int k = 0; k < 100; k++) stage_step(world, 0.1f);
      assert_true(fabsf(read1(world, THRONG_COLUMN_YAW_RATE, id)) < 1e-6f);
      const float kept = read1(world, THRONG_COLUMN_FACING, id);
      stage_step(world, 0.1f);
      assert_true(kept > -1.25f && kept < -1.0f && fabsf(read1(world, THRONG_COLUMN_FACING, id) - kept) < 1e-6f);
    }
    throng_world_destroy(world);
  }
}

/* Face has no direction to turn to: the agent is on its target, has no target, or its target was removed. */
static void targets_that_give_no_yaw(void **state) {
  (void)state;
  throng_group_def g = spinner(2.0f, 4.0f);
  throng_behaviour *face = group_want(&g, THRONG_BEHAVIOUR_FACE, 1.0f);
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  const throng_agent_id id = add_one(world, (throng_vec3){0, 0, 0}, 1.0f);
  write1(world, THRONG_COLUMN_YAW_RATE, id, 0.5f);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  assert_true(read1(world, THRONG_COLUMN_YAW_ACCELERATION, id) == 0.0f); /* no goal: no acceleration */
  face->target.kind = THRONG_TARGET_POINT;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  assert_true(read1(world, THRONG_COLUMN_YAW_ACCELERATION, id) == -4.0f); /* on the target: the spin is braked */
  const throng_agent_id prey = add_one(world, (throng_vec3){0, 0, 0}, 0.0f);
  face->target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = prey};
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_agents_remove(world, &prey, 1, &error), &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  assert_true(read1(world, THRONG_COLUMN_YAW_ACCELERATION, id) == 0.0f && throng_world_lost_target_count(world) == 1);
  throng_world_destroy(world);
}

/* Steer and integrate give the same state as a step. After an integrate that failed, the host can correct the
 * accelerations and integrate again. */
static void halves(void **state) {
  (void)state;
  throng_group_def g = spinner(2.0f, 6.0f);
  group_want(&g, THRONG_BEHAVIOUR_LOOK, 1.0f);
  throng_world *whole = stage_world(NULL, &g), *parts = stage_world(NULL, &g), *worlds[2] = {whole, parts};
  throng_agent_id id = {0};
  throng_error error;
  throng_edit edit;
  for (int k = 0; k < 2; k++) id = add_one(worlds[k], (throng_vec3){1, 0, -2}, 0.5f);
  for (int frame = 0; frame < 20; frame++) {
    stage_step(whole, 0.05f);
    require_ok(throng_world_steer(parts, 0.05f, &error), &error);
    const float wanted = read1(parts, THRONG_COLUMN_YAW_ACCELERATION, id);
    const uint64_t hash = throng_world_hash(parts, STATE_COLUMNS);
    static const float broken[] = {NAN, -NAN};
    require_ok(throng_world_edit_accelerations(parts, &edit, &error), &error);
    edit.yaw_acceleration[0] = broken[frame % 2];
    require_error(throng_world_integrate(parts, 0.05f, &error), THRONG_ERROR_NOT_FINITE, &error);
    assert_true(error.agent.index == id.index && throng_world_hash(parts, STATE_COLUMNS) == hash);
    edit.yaw_acceleration[0] = wanted;
    edit.acceleration_x[0] = NAN;
    require_error(throng_world_integrate(parts, 0.05f, &error), THRONG_ERROR_NOT_FINITE, &error);
    edit.acceleration_x[0] = 0.0f;
    assert_true(read1(parts, THRONG_COLUMN_YAW_ACCELERATION, id) == wanted);
    require_ok(throng_world_integrate(parts, 0.05f, &error), &error);
    assert_true(throng_world_hash(whole, STATE_COLUMNS) == throng_world_hash(parts, STATE_COLUMNS));
  }
  for (int k = 0; k < 2; k++) throng_world_destroy(worlds[k]);
}

/* Angular behaviours do not change linear ones, for every way to combine them. */
static void linear_behaviours_do_not_mind(void **state) {
  (void)state;
  for (uint32_t combine = 0; combine < 4; combine++)
    for (uint32_t swapped = 0; swapped < 2; swapped++) {
      throng_group_def with = throng_default_group_def();
      with.facing = THRONG_FACING_STEERED;
      with.max_yaw_rate = 2.0f;
      with.combine = (throng_combine)combine;
      with.combine_threshold = 2.0f;
      throng_group_def without = with;
      group_want(&without, THRONG_BEHAVIOUR_SEEK, 0.2f)->priority = 1;
      group_want(&without, THRONG_BEHAVIOUR_ARRIVE, 0.5f)->priority = 2;
      if (swapped) group_want(&with, THRONG_BEHAVIOUR_FACE, 1.0f)->priority = 0;
      group_want(&with, THRONG_BEHAVIOUR_SEEK, 0.2f)->priority = 1;
      group_want(&with, THRONG_BEHAVIOUR_LOOK, 1.0f)->priority = 7;
      group_want(&with, THRONG_BEHAVIOUR_ARRIVE, 0.5f)->priority = 2;
      const crowd_recipe recipe = {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, LAYOUT_UNIFORM, 100, true, true};
      crowd *c = crowd_random(base_seed + 40 + combine, &recipe);
      for (uint32_t i = 0; i < c->count; i++) c->agents[i].yaw_rate = 0.0f, c->agents[i].goal = c->agents[0].position;
      c->group_count = 2; /* so that entry 0 has different kinds in the two groups */
      c->groups[0] = c->groups[1] = without;
      throng_world *plain = crowd_world(c, NULL);
      c->groups[0] = with;
      throng_world *turning = crowd_world(c, NULL);
      const uint64_t moves = THRONG_BIT(THRONG_COLUMN_POSITION) | THRONG_BIT(THRONG_COLUMN_VELOCITY);
      for (int frame = 0; frame < 5; frame++) {
        stage_step(plain, 0.05f);
        stage_step(turning, 0.05f);
        assert_true(throng_world_hash(plain, moves) == throng_world_hash(turning, moves));
      }
      assert_true(throng_world_hash(plain, 0) != throng_world_hash(turning, 0));
      throng_world_destroy(plain);
      throng_world_destroy(turning);
      crowd_free(c);
    }
}

/* Yaw accelerations are weighted and added; the sum is limited by max_yaw_acceleration. */
static void weights(void **state) {
  (void)state;
  throng_group_def g = spinner(2.0f, 10.0f);
  throng_behaviour *align = throng_group_def_add(&g, THRONG_BEHAVIOUR_ALIGN);
  align->target.kind = THRONG_TARGET_POINT;
  align->align.time_to_target = 1.0f;
  align->weight = 0.5f;
  throng_behaviour *look = throng_group_def_add(&g, THRONG_BEHAVIOUR_LOOK);
  look->look.time_to_target = 1.0f;
  look->weight = 2.0f;
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  const throng_agent_id id = add_one(world, (throng_vec3){0, 0, -1}, 1.5f); /* align: -2, look: 2 */
  throng_explanation why;
  require_ok(throng_world_watch(world, id, &error), &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  assert_true(read1(world, THRONG_COLUMN_YAW_ACCELERATION, id) == 3.0f);
  require_ok(throng_world_explain(world, id, &why, &error), &error);
  assert_true(why.count == 2 && why.yaw_acceleration == 3.0f && stage_length(why.acceleration) == 0.0);
  assert_true(why.contribution[0].yaw_acceleration == -2.0f && why.contribution[1].yaw_acceleration == 2.0f);
  assert_true(why.contribution[1].weight == 2.0f && why.contribution[1].priority == THRONG_PRIORITIES);
  look->weight = 50.0f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  assert_true(read1(world, THRONG_COLUMN_YAW_ACCELERATION, id) == 10.0f);
  look->weight = -50.0f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  assert_true(read1(world, THRONG_COLUMN_YAW_ACCELERATION, id) == -10.0f);
  throng_world_destroy(world);
}

/* An agent with another facing keeps its yaw rate. A group's facing may change, but not between steer and
 * integrate. */
static void rates_outlast_other_facings(void **state) {
  (void)state;
  throng_group_def still = stage_idle_group(), g = spinner(5.0f, 10.0f);
  throng_world *world = stage_world(NULL, &still);
  throng_error error;
  const throng_agent_id a = add_one(world, (throng_vec3){0, 0, 0}, 0.0f),
                        b = add_one(world, (throng_vec3){0, 0, 0}, 0.0f);
  assert_true(read1(world, THRONG_COLUMN_YAW_RATE, a) == 0.0f);
  write1(world, THRONG_COLUMN_YAW_RATE, a, 3.0f);
  write1(world, THRONG_COLUMN_YAW_RATE, b, -1.0f);
  stage_step(world, 0.1f);
  assert_true(read1(world, THRONG_COLUMN_YAW_RATE, a) == 3.0f && read1(world, THRONG_COLUMN_FACING, a) == 0.0f);
  require_ok(throng_world_set_group(world, 7, &g, &error), &error);
  const uint8_t group = 7;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &b, 1, &group, 0, &error), &error);
  stage_step(world, 0.5f);
  assert_true(read1(world, THRONG_COLUMN_YAW_RATE, a) == 3.0f && read1(world, THRONG_COLUMN_FACING, a) == 0.0f);
  assert_true(read1(world, THRONG_COLUMN_YAW_RATE, b) == -1.0f && read1(world, THRONG_COLUMN_FACING, b) == -0.5f);
  require_ok(throng_world_steer(world, 0.5f, &error), &error);
  require_ok(throng_world_set_group(world, 7, &g, &error), &error);
  require_ok(throng_world_integrate(world, 0.5f, &error), &error); /* the facing is the same: no new steer needed */
  assert_true(read1(world, THRONG_COLUMN_FACING, b) == -1.0f);
  for (int k = 0; k < 2; k++) {
    require_ok(throng_world_steer(world, 0.5f, &error), &error);
    require_ok(throng_world_set_group(world, 7, k == 0 ? &still : &g, &error), &error);
    require_error(throng_world_integrate(world, 0.5f, &error), THRONG_ERROR_NOT_STEERED, &error);
  }
  throng_world_destroy(world);
}

static void require_refused(throng_world *world, const throng_group_def *g, throng_status status) {
  throng_error error;
  throng_group_def before, after;
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
  require_ok(throng_world_get_group(world, 0, &before, &error), &error);
  require_error(throng_world_set_group(world, 0, g, &error), status, &error);
  require_ok(throng_world_get_group(world, 0, &after, &error), &error);
  assert_memory_equal(&before, &after, sizeof before);
  assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);
}

static void refusals(void **state) {
  (void)state;
  const throng_group_def idle = stage_idle_group();
  for (int space = 0; space < 2; space++) {
    throng_world_def def = throng_default_world_def();
    def.space = (throng_space)space;
    throng_world *world = stage_world(&def, &idle);
    throng_error error;
    throng_group_def g = spinner(INFINITY, 10.0f);
    require_refused(world, &g, THRONG_ERROR_BAD_VALUE);
    for (throng_behaviour_kind kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++) {
      if (!kind_turns(kind)) continue;
      g = idle;
      group_want(&g, kind, 1.0f);
      require_refused(world, &g, THRONG_ERROR_BAD_VALUE);
      group_want(&g, kind, 0.0f);
      require_ok(throng_world_set_group(world, 0, &g, &error), &error);
      require_ok(throng_world_set_group(world, 0, &idle, &error), &error);
    }
    const throng_vec3 p = {0, 0, 0};
    throng_agent_id id;
    stage_add(world, 1, &p, NULL, NULL, &id);
    static const float rates[] = {NAN, INFINITY, -INFINITY, 10001.0f, -10001.0f};
    for (int k = 0; k < 5; k++) {
      const throng_status wrong = k < 3 ? THRONG_ERROR_NOT_FINITE : THRONG_ERROR_BAD_VALUE;
      require_error(throng_agents_write(world, THRONG_COLUMN_YAW_RATE, &id, 1, &rates[k], 0, &error), wrong, &error);
    }
    const float rate = 0.0f;
    require_error(throng_agents_write(world, THRONG_COLUMN_YAW_ACCELERATION, &id, 1, &rate, 0, &error),
                  THRONG_ERROR_NOT_STEERED, &error);
    float got = 7.0f;
    require_ok(throng_agents_read(world, THRONG_COLUMN_YAW_RATE, &id, 1, &got, 0, &error), &error);
    assert_true(got == 0.0f);
    require_error(throng_agents_read(world, THRONG_COLUMN_YAW_ACCELERATION, &id, 1, &got, 0, &error),
                  THRONG_ERROR_NOT_STEERED, &error);
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_yaw", 451);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(align_turns_by_the_short_arc),
      cmocka_unit_test(alignment_turns_together),
      cmocka_unit_test(opposite_is_half_a_turn),
      cmocka_unit_test(turns_brake_without_overshoot),
      cmocka_unit_test(the_formulas_of_the_book),
      cmocka_unit_test(update_rules),
      cmocka_unit_test(fast_spins_and_drag),
      cmocka_unit_test(no_time_turns_nobody),
      cmocka_unit_test(at_rest),
      cmocka_unit_test(targets_that_give_no_yaw),
      cmocka_unit_test(halves),
      cmocka_unit_test(linear_behaviours_do_not_mind),
      cmocka_unit_test(weights),
      cmocka_unit_test(rates_outlast_other_facings),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
