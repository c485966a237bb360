/* tests/frame/test_upright.c: tests that facings of groups with `upright` stay horizontal in spatial worlds, and follow
 * the horizontal part of the velocity as yaws of planar worlds do. test_reference_a.c compares their bits.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

static const float frame_time = 1.0f / 60.0f;

static throng_group_def walker(throng_facing facing) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 2.0f;
  g.facing = facing;
  g.facing_speed = -1.0f;
  g.upright = true;
  return g;
}

static throng_world *upright_world(const throng_group_def *g, throng_vec3 v, throng_vec3 facing, throng_agent_id *id) {
  const throng_vec3 p = {0, 0, 0};
  throng_world_def def = throng_default_world_def();
  def.space = THRONG_SPACE_SPATIAL;
  throng_world *world = stage_world(&def, g);
  stage_add(world, 1, &p, &v, NULL, id);
  stage_write(world, THRONG_COLUMN_FACING, *id, facing);
  return world;
}

static void require_facing(const throng_world *world, throng_agent_id id, float x, float y, float z) {
  const throng_vec3 f = stage_read(world, THRONG_COLUMN_FACING, id);
  if (!(fabsf(f.x - x) < 1e-6f && fabsf(f.y - y) < 1e-6f && fabsf(f.z - z) < 1e-6f))
    fail_msg("facing (%g, %g, %g), expected (%g, %g, %g)", (double)f.x, (double)f.y, (double)f.z, (double)x, (double)y,
             (double)z);
}

/* What one frame makes of a velocity and a facing. */
static void facings_are_horizontal(void **state) {
  (void)state;
  const throng_vec3 east = {1, 0, 0}, steep = {0.6f, 0.8f, 0}, up = {0, 1, 0}, down = {0, -1, 0};
  const struct {
    throng_vec3 v, facing;
    float x, z;
  } cases[] = {
      {{0, 1, 1}, {1, 0, 0}, 0, 1},        /* the horizontal part of the velocity */
      {{-0.6f, 1, 0.8f}, up, -0.6f, 0.8f}, /* the same, from a facing that is not horizontal */
      {{0, 0, 0}, east, 1, 0},             /* at rest the facing stays */
      {{0, 2, 0}, east, 1, 0},             /* straight up, too */
      {{0, -2, 0}, steep, 1, 0},           /* but it becomes horizontal */
      {{0, 0, 0}, up, 0, 1},               /* a vertical one becomes +z */
      {{0, 1, 0}, down, 0, 1},
      {{0.01f, 1.9f, 0.01f}, {-1, 0, 0}, -1, 0}, /* the horizontal speed is below facing_speed, 0.02 m/s */
      {{0, 1.9f, 0.03f}, {-1, 0, 0}, 0, 1},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const throng_group_def g = walker(THRONG_FACING_INSTANT);
    throng_agent_id id;
    throng_world *world = upright_world(&g, cases[k].v, cases[k].facing, &id);
    stage_step(world, frame_time);
    require_facing(world, id, cases[k].x, 0, cases[k].z);
    assert_true(stage_read(world, THRONG_COLUMN_VELOCITY, id).y == cases[k].v.y); /* it moves up as before */
    throng_world_destroy(world);
  }
  const throng_group_def fixed = walker(THRONG_FACING_FIXED);
  throng_agent_id id;
  throng_world *world = upright_world(&fixed, (throng_vec3){0, 0, 1}, steep, &id);
  stage_step(world, frame_time);
  require_facing(world, id, 1, 0, 0);
  throng_world_destroy(world);
}

/* Facings that lag behind or are limited turn as in a planar world, whatever the climb; from opposite to the motion
 * they turn to the right. A horizontal facing that stays keeps its bits. */
static void turns_are_those_of_the_plane(void **state) {
  (void)state;
  for (int mode = 0; mode < 6; mode++) {
    throng_group_def g = walker(mode % 2 ? THRONG_FACING_SMOOTH : THRONG_FACING_INSTANT);
    g.facing_time = 0.3f;
    if (mode % 3) g.max_yaw_rate = mode % 3 == 1 ? 2.0f : 300.0f;
    throng_world_def def = throng_default_world_def();
    throng_world *plane = stage_world(&def, &g);
    const throng_vec3 origin = {0, 0, 0}, back = {0, 0, -1}, climb = {0, 1.5f, -1};
    throng_agent_id flat, id;
    stage_add(plane, 1, &origin, &back, NULL, &flat);
    stage_write(plane, THRONG_COLUMN_FACING, flat, (throng_vec3){-1e-3f, 0, 0});
    throng_world *world = upright_world(&g, climb, (throng_vec3){-1e-3f, 0, 1}, &id);
    for (int frame = 0; frame < 120; frame++) {
      stage_step(plane, frame_time);
      stage_step(world, frame_time);
      const float yaw = stage_read(plane, THRONG_COLUMN_FACING, flat).x;
      const throng_vec3 f = stage_read(world, THRONG_COLUMN_FACING, id);
      assert_true(f.y == 0.0f && fabsf(f.x - sinf(yaw)) < 1e-4f && fabsf(f.z - cosf(yaw)) < 1e-4f);
    }
    throng_world_destroy(plane);
    throng_world_destroy(world);
  }
  throng_group_def g = walker(THRONG_FACING_INSTANT);
  g.max_yaw_rate = 2.0f;
  throng_agent_id id;
  throng_world *world = upright_world(&g, (throng_vec3){0, 1, -1}, (throng_vec3){0, 0, 1}, &id);
  stage_step(world, frame_time);
  require_facing(world, id, -sinf(2.0f * frame_time), 0, cosf(2.0f * frame_time)); /* to the right of +z is -x */
  stage_write(world, THRONG_COLUMN_VELOCITY, id, (throng_vec3){0, 1, 0});
  const throng_vec3 before = stage_read(world, THRONG_COLUMN_FACING, id);
  for (int frame = 0; frame < 100; frame++) stage_step(world, frame_time);
  const throng_vec3 after = stage_read(world, THRONG_COLUMN_FACING, id);
  assert_memory_equal(&before, &after, sizeof before);
  throng_world_destroy(world);
}

/* The vertical is the host's: with z up, facings have no z. */
static void hosts_choose_the_vertical(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  const throng_group_def g = walker(THRONG_FACING_INSTANT);
  const throng_vec3 p = {1, 2, 3}, v = {0.6f, 0.8f, 1};
  throng_agent_id id;
  throng_error error;
  def.space = THRONG_SPACE_SPATIAL;
  def.axes.x = THRONG_AXIS_X, def.axes.y = THRONG_AXIS_Z, def.axes.z = THRONG_AXIS_Y;
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 1, &p, &v, NULL, &id);
  require_ok(throng_world_shift_origin(world, (throng_vec3){-8, 4, 16}, NULL, &error), &error);
  stage_step(world, frame_time);
  require_facing(world, id, 0.6f, 0.8f, 0);
  throng_world_destroy(world);
}

/* A vehicle that is upright looks ahead while it backs up. */
static void upright_vehicles_back_up(void **state) {
  (void)state;
  throng_group_def g = walker(THRONG_FACING_INSTANT);
  throng_agent_id id;
  g.actuation = THRONG_ACTUATION_VEHICLE;
  throng_world *world = upright_world(&g, (throng_vec3){0, 0.5f, -1}, (throng_vec3){0.1f, 0, 1}, &id);
  stage_step(world, frame_time);
  require_facing(world, id, 0, 0, 1);
  throng_world_destroy(world);
}

/* Planar worlds: the field changes no bit. */
static void planar_worlds_have_no_use_for_it(void **state) {
  (void)state;
  throng_vec3 end[2];
  for (int upright = 0; upright < 2; upright++) {
    throng_group_def g = walker(THRONG_FACING_SMOOTH);
    const throng_vec3 p = {0, 0, 0}, v = {1, 0, 0.5f};
    throng_agent_id id;
    g.upright = upright;
    throng_world *world = stage_world(NULL, &g);
    stage_add(world, 1, &p, &v, NULL, &id);
    stage_write(world, THRONG_COLUMN_FACING, id, (throng_vec3){-2, 0, 0});
    for (int frame = 0; frame < 5; frame++) stage_step(world, frame_time);
    end[upright] = stage_read(world, THRONG_COLUMN_FACING, id);
    throng_world_destroy(world);
  }
  assert_true(end[0].x == end[1].x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(facings_are_horizontal),           cmocka_unit_test(turns_are_those_of_the_plane),
      cmocka_unit_test(hosts_choose_the_vertical),        cmocka_unit_test(upright_vehicles_back_up),
      cmocka_unit_test(planar_worlds_have_no_use_for_it),
  };
  return cmocka_run_group_tests_name("upright", tests, NULL, NULL);
}
