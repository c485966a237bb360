/* test_borders.c: tests of behaviours that use scenery. They see blocked cells and the faces of a box world,
 * and wall avoidance sees circles, unless sees_all is false.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"
#include "support/stand.h"

#include <math.h>
#include <string.h>

enum yard { YARD_BOX, YARD_SPATIAL_BOX, YARD_CELLS, YARDS };

/* Creates a world of 20 m: a box, or a map whose outermost cells are blocked. */
static throng_world *yard_world(enum yard yard, const throng_group_def *g) {
  throng_world_def def = throng_default_world_def();
  if (yard == YARD_SPATIAL_BOX) def.space = THRONG_SPACE_SPATIAL;
  if (yard == YARD_BOX || yard == YARD_SPATIAL_BOX) {
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
    def.box_min = (throng_vec3){0, 0, 0};
    def.box_max = (throng_vec3){20, 20, 20};
  }
  throng_world *world = stage_world(&def, g);
  throng_error error;
  if (yard == YARD_CELLS) {
    static uint8_t blocked[22 * 22];
    for (int k = 0; k < 22 * 22; k++) blocked[k] = k % 22 == 0 || k % 22 == 21 || k / 22 == 0 || k / 22 == 21;
    throng_cells_def cells = throng_default_cells_def();
    cells.width = cells.height = 22;
    cells.origin = (throng_vec3){-1, 0, -1};
    cells.blocked = blocked;
    require_ok(throng_world_set_cells(world, &cells, &error), &error);
  }
  return world;
}

static float gap_of(enum yard yard, throng_vec3 p) {
  float gap = fminf(fminf(p.x, 20.0f - p.x), fminf(p.z, 20.0f - p.z));
  if (yard == YARD_SPATIAL_BOX) gap = fminf(gap, fminf(p.y, 20.0f - p.y));
  return gap;
}

/* Returns the smallest gap to the yard's border of an agent that avoids walls, and otherwise goes on. */
static float smallest_gap(enum yard yard, bool sees_all, float heading) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 2;
  g.max_acceleration = 6;
  g.facing = THRONG_FACING_SMOOTH;
  group_want(&g, THRONG_BEHAVIOUR_AVOID_WALLS, 2.0f)->avoid_walls.sees_all = sees_all;
  throng_behaviour *forward = group_want(&g, THRONG_BEHAVIOUR_WANDER, 0.25f);
  forward->wander.radius = forward->wander.rate = 0;
  throng_world *world = yard_world(yard, &g);
  const bool spatial = yard == YARD_SPATIAL_BOX;
  const throng_vec3 p = {10, spatial ? 10.0f : 0.0f, 10};
  const float climb = spatial ? 0.5f : 0.0f;
  const throng_vec3 v = {2 * cosf(heading), climb, 2 * sinf(heading)};
  throng_agent_id id;
  stage_add(world, 1, &p, &v, NULL, &id);
  float least = INFINITY;
  for (int frame = 0; frame < 400; frame++) {
    stage_step(world, 1.0f / 60.0f);
    least = fminf(least, gap_of(yard, stage_read(world, THRONG_COLUMN_POSITION, id)));
  }
  throng_world_destroy(world);
  return least;
}

static void walls_are_avoided_if_seen(void **state) {
  (void)state;
  for (int yard = 0; yard < YARDS; yard++) {
    for (int k = 0; k < 8; k++) {
      const float heading = 1.5707963f * (float)(k / 2) + (k % 2 == 0 ? 0.2f : -0.15f);
      const float seen = smallest_gap((enum yard)yard, true, heading);
      const float unseen = smallest_gap((enum yard)yard, false, heading);
      print_message("yard %d, heading %4.2f: gap %6.3f m, %6.3f m if not seen\n", yard, (double)heading, (double)seen,
                    (double)unseen);
      assert_true(seen > 0.1f && unseen < 0.001f);
    }
  }
}

/* A ray hits a circle beside its middle: the agent seeks the point in front of the circle there. */
static void circles_are_walls(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_error error;
  g.max_acceleration = 10;
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_AVOID_WALLS, 1.0f);
  b->avoid_walls.rays = THRONG_RAYS_SINGLE;
  throng_world *world = stage_world(NULL, &g);
  static stand s;
  memset(&s, 0, sizeof s);
  add_ball(&s, 10, 0, 10, 2);
  set_stand(world, &s);
  const throng_vec3 p = {6.5f, 0, 11}, v = {2, 0, 0};
  throng_agent_id id;
  stage_add(world, 1, &p, &v, NULL, &id);
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  const double hit = 3.5 - sqrt(3.0), x = hit - 0.8 * sqrt(3.0) / 2, z = 0.8 / 2;
  throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
  assert_true(fabs((double)a.x - 10 * x / hypot(x, z)) < 1e-4 && fabs((double)a.z - 10 * z / hypot(x, z)) < 1e-4);
  b->avoid_walls.sees_all = false;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, id)) == 0);
  throng_world_destroy(world);
}

/* An agent follows the faces of a box and a map's blocked cells, at the distance that it wants, all round. */
static void walls_are_followed(void **state) {
  (void)state;
  for (int yard = YARD_BOX; yard <= YARD_CELLS; yard++) {
    throng_group_def g = stage_idle_group();
    g.max_speed = 1.5f;
    g.max_acceleration = 15;
    throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_HUG_WALLS, 1.0f);
    throng_world *world = yard_world((enum yard)yard, &g);
    const throng_vec3 p = {17.5f, 10, 10}, v = {1, 0, 0.5f};
    throng_agent_id id;
    throng_error error;
    stage_add(world, 1, &p, &v, NULL, &id);
    float least = INFINITY, most = 0;
    uint32_t sides = 0;
    for (int frame = 0; frame < 4000; frame++) {
      stage_step(world, 1.0f / 60.0f);
      const throng_vec3 q = stage_read(world, THRONG_COLUMN_POSITION, id);
      if (frame < 240) continue;
      least = fminf(least, gap_of((enum yard)yard, q));
      most = fmaxf(most, gap_of((enum yard)yard, q));
      sides |= (unsigned)(q.x > 18) | (unsigned)(q.x < 2) << 1 | (unsigned)(q.z > 18) << 2 | (unsigned)(q.z < 2) << 3;
    }
    print_message("yard %d: %5.3f to %5.3f m off, sides %x\n", yard, (double)least, (double)most, sides);
    assert_true(least > 0.45f && most < 0.65f && sides == 15);
    b->hug_walls.sees_all = false;
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, id)) == 0.0);
    throng_world_destroy(world);
  }
}

/* An agent runs behind a block of blocked cells, and not to a place in it or outside of the box. Behind a circle at the
 * face of the box there is no place. */
static void hiding_behind_cells(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  throng_error error;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_max = (throng_vec3){40, 1, 20};
  def.perception_radius = 1;
  g.max_speed = 3;
  g.max_acceleration = 10;
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_HIDE, 1.0f);
  b->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {2, 0, 10}};
  b->hide.reach = 30;
  throng_world *world = stage_world(&def, &g);
  static uint8_t blocked[40 * 20];
  for (int j = 8; j < 12; j++)
    for (int i = 20; i < 24; i++) blocked[j * 40 + i] = 1;
  throng_cells_def cells = throng_default_cells_def();
  cells.width = 40;
  cells.height = 20;
  cells.blocked = blocked;
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  static stand s;
  memset(&s, 0, sizeof s);
  add_ball(&s, 39, 0, 19, 0.5f); /* a place behind it would be outside */
  set_stand(world, &s);
  const throng_vec3 p = {26, 0, 15}, v = {0, 0, 0};
  throng_agent_id id;
  stage_add(world, 1, &p, &v, NULL, &id);
  for (int frame = 0; frame < 400; frame++) stage_step(world, 1.0f / 60.0f);
  const throng_vec3 q = stage_read(world, THRONG_COLUMN_POSITION, id);
  print_message("hides at (%.2f, %.2f)\n", (double)q.x, (double)q.z);
  assert_true(q.x > 24 && q.x < 25.5f && q.z > 8 && q.z < 13);
  const float way = (q.z - 10) / (q.x - 2); /* the line from the target passes through the block */
  assert_true(fabsf(way * 20) < 2 || fabsf(way * 18) < 2);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id)) < 0.01);
  memset(blocked, 0, sizeof blocked);
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, id)) == 0.0);
  b->hide.sees_all = false; /* now it runs to the place outside, and stops at the face */
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, id)) > 1.0);
  throng_world_destroy(world);
}

/* Obstacle avoidance pushes away from a face or blocked cell that its feeler hits, at right angles to the velocity,
 * with strength k L / distance. Straight ahead the id index chooses the side. At rest, along a face and far from it
 * there is no push. */
static void obstacles_push_sideways(void **state) {
  (void)state;
  for (int yard = YARD_BOX; yard <= YARD_CELLS; yard++) {
    throng_group_def g = stage_idle_group();
    throng_error error;
    g.max_acceleration = 100;
    throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_AVOID_OBSTACLES, 1.0f);
    b->avoid_obstacles.look_ahead = 6;
    b->avoid_obstacles.look_ahead_time = 0;
    throng_world *world = yard_world((enum yard)yard, &g);
    const throng_vec3 p[6] = {{16, 10, 9}, {17, 10, 9}, {17, 10, 9}, {19.5f, 10, 9}, {19.5f, 10, 9}, {12, 10, 9}};
    const throng_vec3 v[6] = {{1, 0, 1}, {1, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 0, 0}, {1, 0, 0}};
    throng_agent_id ids[6];
    stage_add(world, 6, p, v, NULL, ids);
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    const double distance = 4 * 1.41421356, push = 3 * 6 / distance;
    throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0]);
    assert_true(fabs((double)a.x + push * 0.70710678) < 1e-4 && fabs((double)a.z - push * 0.70710678) < 1e-4);
    a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]); /* id 2: left of +x is -z */
    assert_true(fabsf(a.z + 6) < 1e-4f && a.x == 0);
    a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[2]);
    assert_true(fabsf(a.z - 6) < 1e-4f && a.x == 0);
    for (int k = 3; k < 6; k++) assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[k])) == 0);
    b->avoid_obstacles.sees_all = false;
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0])) == 0);
    throng_world_destroy(world);
  }
}

/* The parallel rays of a body that is wider than its gap to a wall start behind the wall. They see no wall there, and
 * those on the free side do. */
static void rays_that_start_behind_a_wall(void **state) {
  (void)state;
  for (int yard = YARD_BOX; yard <= YARD_CELLS; yard++) {
    throng_group_def g = stage_idle_group();
    throng_error error;
    g.body_radius = 0.5f;
    g.max_acceleration = 10;
    throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_AVOID_WALLS, 1.0f);
    b->avoid_walls.rays = THRONG_RAYS_PARALLEL;
    throng_world *world = yard_world((enum yard)yard, &g);
    const throng_vec3 p[2] = {{19.75f, 10, 10}, {19.75f, 10, 18.75f}}, v[2] = {{0, 0, 1}, {0, 0, 1}};
    throng_agent_id ids[2];
    stage_add(world, 2, p, v, NULL, ids);
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0])) == 0);
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]);
    assert_true(stage_length(a) > 9.9);
    throng_world_destroy(world);
  }
}

/* What an agent and its target, which moves, want among the cells of a periodic world of 20 m, if all of them are moved
 * by whole cells round the seam. */
static throng_vec3 wanted_at(throng_behaviour_kind kind, uint32_t by_x, uint32_t by_z) {
  static const uint32_t walls[][2] = {{7, 10}, {7, 11}, {7, 12}, {3, 4}, {12, 11}};
  throng_group_def g = stage_idle_group();
  g.max_speed = 3;
  g.max_acceleration = 8;
  throng_behaviour *b = group_want(&g, kind, 1.0f);
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){20, 0, 20};
  throng_world *world = stage_world(&def, &g);
  uint8_t blocked[400] = {0};
  throng_cells_def cells = throng_default_cells_def();
  throng_error error;
  for (size_t k = 0; k < sizeof walls / sizeof *walls; k++)
    blocked[(walls[k][1] + by_z) % 20 * 20 + (walls[k][0] + by_x) % 20] = 1;
  cells.width = cells.height = 20;
  cells.blocked = blocked;
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  const throng_vec3 p[2] = {{fmodf(5.25f + (float)by_x, 20), 0, fmodf(11.25f + (float)by_z, 20)},
                            {fmodf(9.5f + (float)by_x, 20), 0, fmodf(11.75f + (float)by_z, 20)}};
  const throng_vec3 v[2] = {{2, 0, 0.125f}, {2, 0, 0}};
  throng_agent_id ids[2];
  stage_add(world, 2, p, v, NULL, ids);
  b->target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[1]};
  if (kind == THRONG_BEHAVIOUR_HIDE) b->hide.reach = 9;
  if (kind == THRONG_BEHAVIOUR_HUG_WALLS) b->hug_walls.reach = 2;
  if (kind == THRONG_BEHAVIOUR_PURSUE) b->pursue.stop_at_walls = true;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0]);
  throng_world_destroy(world);
  return a;
}

/* Cells beyond the seam are seen as those of any other place. All coordinates are exact, so that the results are equal
 * but for rounding. */
static void cells_across_the_seam(void **state) {
  (void)state;
  static const throng_behaviour_kind kinds[] = {THRONG_BEHAVIOUR_AVOID_WALLS, THRONG_BEHAVIOUR_AVOID_OBSTACLES,
                                                THRONG_BEHAVIOUR_HUG_WALLS, THRONG_BEHAVIOUR_HIDE,
                                                THRONG_BEHAVIOUR_PURSUE};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const throng_vec3 a = wanted_at(kinds[k], 0, 0);
    assert_true(stage_length(a) > 0.1);
    for (uint32_t by = 0; by < 20; by++) {
      const throng_vec3 b = wanted_at(kinds[k], by, 7 * by % 20);
      if (stage_distance(a, b) < 1e-4) continue;
      fail_msg("kind %d, moved by %u, %u: (%g, %g), not (%g, %g)", (int)kinds[k], by, 7 * by % 20, (double)b.x,
               (double)b.z, (double)a.x, (double)a.z);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walls_are_avoided_if_seen), cmocka_unit_test(circles_are_walls),
      cmocka_unit_test(walls_are_followed),        cmocka_unit_test(hiding_behind_cells),
      cmocka_unit_test(obstacles_push_sideways),   cmocka_unit_test(rays_that_start_behind_a_wall),
      cmocka_unit_test(cells_across_the_seam),
  };
  return cmocka_run_group_tests_name("borders", tests, NULL, NULL);
}
