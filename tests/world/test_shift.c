/* tests/world/test_shift.c: tests of throng_world_shift_origin. A shift changes only coordinates, and accelerations
 * keep their bits. A shift that would round a coordinate is refused.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

/* Returns the multiple of `unit` that is nearest to `value`. Its low bits are 0, so it can be shifted exactly. */
static float coarse(float value, float unit) { return rintf(value / unit) * unit; }
/* Returns such a multiple that is also away from the faces of the box, because the last float inside a face depends on
 * the origin. */
static float coarse_inside(float value) { return coarse(fminf(fmaxf(value, -15.5f), 15.5f), 0x1p-10f); }

/* Returns a crowd whose coordinates are multiples of 2^-10 m, so that shifts by some hundred metres are exact. */
static crowd *coarse_crowd(uint64_t seed, throng_space space, throng_boundary boundary) {
  const crowd_recipe recipe = {space, boundary, LAYOUT_UNIFORM, 120, true, false};
  crowd *c = crowd_random(seed, &recipe);
  const float unit = 0x1p-10f;
  c->def.perception_radius = 2.0f;
  for (uint32_t g = 0; g < c->group_count; g++) {
    test_rng rng = rng_from(seed + g);
    c->groups[g] = crowd_random_group(&rng, 2.0f, false);
    for (uint32_t k = 0; k < c->groups[g].behaviour_count; k++) {
      throng_target *target = &c->groups[g].behaviour[k].target;
      target->kind = (throng_target_kind)rng_below(&rng, 2);
      target->point = (throng_vec3){coarse(rng_float(&rng, -15, 15), unit), coarse(rng_float(&rng, -15, 15), unit),
                                    coarse(rng_float(&rng, -15, 15), unit)};
    }
  }
  c->def.box_min = (throng_vec3){-16, -16, -16};
  c->def.box_max = (throng_vec3){16, 16, 16};
  for (uint32_t k = 0; k < CROWD_MAX_FIELDS; k++) {
    c->fields[k].cell = 3.3f;
    c->fields[k].origin_x = -7.5f;
    c->fields[k].origin_z = -9.25f;
  }
  test_rng rng = rng_from(seed + 99);
  crowd_random_paths(c, &rng, (const float[]){-15, -15, -15}, (const float[]){15, 15, 15});
  for (uint32_t k = 0; k < CROWD_MAX_PATHS; k++)
    for (uint32_t i = 0; i < c->paths[k].count; i++) {
      throng_vec3 *p = &c->paths[k].point[i]; /* x rises by 0.25 m, so that no two consecutive points are equal */
      *p = (throng_vec3){(float)(i % 50) * 0.25f - 6.0f, coarse(p->y, unit), coarse(p->z, unit)};
    }
  for (uint32_t k = 0; k < c->attractor_count; k++) {
    throng_vec3 *p = &c->attractors[k].position;
    c->attractors[k].radius = rng_float(&rng, 0.5f, 12.0f);
    *p = (throng_vec3){coarse(rng_float(&rng, -15, 15), unit), coarse(rng_float(&rng, -15, 15), unit),
                       coarse(rng_float(&rng, -15, 15), unit)};
  }
  for (uint32_t k = 0; k < c->zone_count; k++) {
    c->zones[k].radius = c->zones[k].width = c->zones[k].length = c->zones[k].height = rng_float(&rng, 0.5f, 12.0f);
    c->zones[k].centre = (throng_vec3){coarse(rng_float(&rng, -15, 15), unit), coarse(rng_float(&rng, -15, 15), unit),
                                       coarse(rng_float(&rng, -15, 15), unit)};
  }
  c->raster.origin = (throng_vec3){-7.5f, 0, -3.25f};
  for (uint32_t g = 0; g < c->group_count; g++) {
    if (c->groups[g].behaviour_count < THRONG_MAX_BEHAVIOURS) group_want(&c->groups[g], THRONG_BEHAVIOUR_ATTRACTORS, 1);
  }
  for (uint32_t i = 0; i < c->count; i++) {
    crowd_agent *a = &c->agents[i];
    a->position = (throng_vec3){coarse(rng_float(&rng, -15, 15), unit), coarse(rng_float(&rng, -15, 15), unit),
                                coarse(rng_float(&rng, -15, 15), unit)};
    a->goal = (throng_vec3){coarse(rng_float(&rng, -15, 15), unit), coarse(rng_float(&rng, -15, 15), unit),
                            coarse(rng_float(&rng, -15, 15), unit)};
    if (i % 5 == 0) a->goal.x = NAN;
    a->perception = a->body = a->mass = NAN;
    a->velocity =
        (throng_vec3){coarse(a->velocity.x, 0x1p-6f), coarse(a->velocity.y, 0x1p-6f), coarse(a->velocity.z, 0x1p-6f)};
  }
  return c;
}

typedef struct columns {
  uint32_t count;
  throng_vec3 position[200], velocity[200], facing[200], acceleration[200];
} columns;

static columns read_all(const throng_world *world, bool steered) {
  static columns c;
  throng_error error;
  memset(&c, 0, sizeof c);
  c.count = throng_agents_count(world);
  const size_t stride = sizeof(throng_vec3);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, c.count, c.position, stride, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, c.count, c.velocity, stride, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, c.count, c.facing, stride, &error), &error);
  if (steered)
    require_ok(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, NULL, c.count, c.acceleration, stride, &error),
               &error);
  return c;
}

/* After a shift, accelerations, velocities and facings have the same bits; positions differ by exactly the shift. */
static void what_follows_has_the_same_bits(void **state) {
  (void)state;
  static const int32_t moves[][3] = {{8, 0, -3}, {-64, 5, 0}, {1, -1, 1}, {0, 0, 16}, {-3, 0, 2}, {0, 0, 0}};
  for (uint32_t k = 0; k < 48; k++) {
    const throng_space space = (throng_space)(k % 2);
    crowd *c = coarse_crowd(base_seed + k, space, (throng_boundary)(k / 2 % 2));
    throng_world *here = crowd_world(c, NULL), *there = crowd_world(c, NULL);
    throng_error error;
    throng_vec3 shift = {9, 9, 9};
    const int32_t *move = moves[k % 6];
    const throng_vec3 by = {(float)move[0] * 0.5f, space == THRONG_SPACE_SPATIAL ? (float)move[1] * 2.0f : 0.0f,
                            (float)move[2] * 2.0f};
    const float off = k % 4 < 2 ? 0.0f : 0.24f; /* less than half a bin */
    if (k % 3 == 0) require_ok(throng_world_index(there, &error), &error);
    const throng_vec3 wished = {by.x + off, space == THRONG_SPACE_SPATIAL ? by.y - off : NAN, by.z + off};
    require_ok(throng_world_shift_origin(there, wished, &shift, &error), &error);
    assert_true(shift.x == by.x && shift.y == by.y && shift.z == by.z);
    require_sound(there, "shifted");
    for (int frame = 0; frame < 3; frame++) {
      require_ok(throng_world_steer(here, 0.25f, &error), &error);
      require_ok(throng_world_steer(there, 0.25f, &error), &error);
      const columns a = read_all(here, true), b = read_all(there, true);
      if (memcmp(a.acceleration, b.acceleration, sizeof a.acceleration) != 0)
        print_error("seed %" PRIu64 ", frame %d: accelerations differ\n", c->seed, frame);
      assert_memory_equal(a.acceleration, b.acceleration, sizeof a.acceleration);
      assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
      assert_memory_equal(a.facing, b.facing, sizeof a.facing);
      for (uint32_t i = 0; i < a.count; i++)
        assert_true(b.position[i].x == a.position[i].x - shift.x && b.position[i].y == a.position[i].y - shift.y &&
                    b.position[i].z == a.position[i].z - shift.z);
      /* The new positions round differently in the two worlds, so both worlds get coarse positions again. */
      require_ok(throng_world_integrate(here, 0.25f, &error), &error);
      require_ok(throng_world_integrate(there, 0.25f, &error), &error);
      columns moved = read_all(here, false);
      for (uint32_t i = 0; i < moved.count; i++)
        moved.position[i] = (throng_vec3){coarse_inside(moved.position[i].x),
                                          space ? coarse_inside(moved.position[i].y) : moved.position[i].y,
                                          coarse_inside(moved.position[i].z)};
      require_ok(throng_agents_write(here, THRONG_COLUMN_POSITION, NULL, moved.count, moved.position, 0, &error),
                 &error);
      for (uint32_t i = 0; i < moved.count; i++)
        moved.position[i] =
            (throng_vec3){moved.position[i].x - shift.x, moved.position[i].y - shift.y, moved.position[i].z - shift.z};
      require_ok(throng_agents_write(there, THRONG_COLUMN_POSITION, NULL, moved.count, moved.position, 0, &error),
                 &error);
    }
    throng_world_destroy(here);
    throng_world_destroy(there);
    crowd_free(c);
  }
}

/* A shift also moves goals, the box and scenery cells. The reverse shift restores the state to the bit. */
static void everything_comes_along(void **state) {
  (void)state;
  static const uint8_t blocked[4] = {1, 0, 0, 0};
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  throng_error error;
  throng_cells_def cells = throng_default_cells_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  throng_world *world = stage_world(&def, &g);
  cells.width = cells.height = 2;
  cells.cell = 4.0f;
  cells.origin.x = 8.0f;
  cells.origin.z = 16.0f;
  cells.blocked = blocked;
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  const throng_vec3 p = {50, 3, 50}, goal = {60, 0, 40};
  throng_agent_id id;
  stage_add(world, 1, &p, NULL, &goal, &id);
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
  throng_vec3 shift;
  require_ok(throng_world_shift_origin(world, (throng_vec3){10, 0, 20}, &shift, &error), &error);
  assert_true(shift.x == 10.0f && shift.y == 0.0f && shift.z == 20.0f);
  assert_true(stage_distance(stage_read(world, THRONG_COLUMN_POSITION, id), (throng_vec3){40, 3, 30}) == 0.0);
  const throng_vec3 there = stage_read(world, THRONG_COLUMN_GOAL, id);
  assert_true(there.x == 50.0f && there.z == 20.0f);
  assert_true(throng_world_get_def(world).box_min.x == -10.0f && throng_world_get_def(world).box_max.z == 80.0f);
  assert_true(!throng_world_is_free(world, (throng_vec3){-1, 0, -3}, 0) &&
              throng_world_is_free(world, (throng_vec3){9, 0, 17}, 0));
  throng_agents_def outside = throng_default_agents_def();
  const throng_vec3 far_side = {91, 0, 0};
  outside.position.data = &far_side;
  require_error(throng_agents_add(world, &outside, 1, NULL, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  require_ok(throng_world_shift_origin(world, (throng_vec3){-10, 0, -20}, NULL, &error), &error);
  assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);
  throng_world_destroy(world);
}

static void target_points_must_be_exact(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group(), back;
  throng_target *target = &group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->target;
  target->kind = THRONG_TARGET_POINT;
  target->point = (throng_vec3){0.1f, 0, 0};
  throng_error error;
  throng_world *world = stage_world(&def, &g);
  require_error(throng_world_shift_origin(world, (throng_vec3){1000, 0, 0}, NULL, &error), THRONG_ERROR_OUT_OF_RANGE,
                &error);
  assert_non_null(strstr(error.text, "group 0: behaviour[0].target.point.x, 0.1"));
  require_ok(throng_world_get_group(world, 0, &back, &error), &error);
  assert_true(back.behaviour[0].target.point.x == 0.1f);
  target->point.x = 2.5f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_world_shift_origin(world, (throng_vec3){1000, 0, 0}, NULL, &error), &error);
  require_ok(throng_world_get_group(world, 0, &back, &error), &error);
  assert_true(back.behaviour[0].target.point.x == -997.5f);
  throng_world_destroy(world);
}

static void inexact_shifts_are_refused(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_vec3 shift = {7, 7, 7};
  throng_agent_id ids[3];
  const throng_vec3 p[3] = {{1, 0, 1}, {0.1f, 0, 2}, {3, 0, 1e-20f}};
  stage_add(world, 3, p, NULL, NULL, ids);
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
  require_error(throng_world_shift_origin(world, (throng_vec3){1000, 0, 0}, &shift, &error), THRONG_ERROR_OUT_OF_RANGE,
                &error);
  assert_int_equal(error.agent.index, ids[1].index);
  require_error(throng_world_shift_origin(world, (throng_vec3){0, 0, 1}, &shift, &error), THRONG_ERROR_OUT_OF_RANGE,
                &error);
  assert_int_equal(error.agent.index, ids[2].index);
  /* Too far from the origin. */
  static const float far_away[] = {1048576.0f, -1048576.0f, 2097152.0f, 2097153.0f, -3e38f, INFINITY, NAN};
  for (int k = 0; k < 7; k++) {
    const throng_status expected = isfinite(far_away[k]) ? THRONG_ERROR_OUT_OF_RANGE : THRONG_ERROR_NOT_FINITE;
    require_error(throng_world_shift_origin(world, (throng_vec3){far_away[k], 0, 0}, &shift, &error), expected, &error);
  }
  assert_true(throng_world_hash(world, STATE_COLUMNS) == hash && shift.x == 7.0f);
  require_sound(world, "refused shifts");
  throng_world_destroy(world);
  /* Periodic worlds cannot be shifted. */
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  world = stage_world(&def, &g);
  require_error(throng_world_shift_origin(world, (throng_vec3){1, 0, 0}, &shift, &error), THRONG_ERROR_UNSUPPORTED,
                &error);
  throng_world_destroy(world);
}

/* Returns the distance from `wished` to the nearest float that is a whole number of units. */
static double nearest_by_search(double wished, double unit) {
  const double k0 = round(wished / unit);
  double best = INFINITY;
  for (double beside = 0.0; !(best < (beside - 1.0) * unit); beside += 1.0) {
    for (int side = -1; side <= 1; side += 2) {
      const double length = (k0 + side * beside) * unit;
      if ((double)(float)length == length) best = fmin(best, fabs(length - wished));
    }
  }
  return best;
}
static bool is_nearest(float exact, float wished, double unit) {
  const double units = (double)exact / unit;
  return units == round(units) && units * unit == (double)exact &&
         fabs((double)exact - (double)wished) == nearest_by_search((double)wished, unit) &&
         !(exact == 0.0f && signbit(exact));
}

static void the_nearest_exact_shift_is_made(void **state) {
  (void)state;
  static const float radii[] = {1.0f, 2.0f, 0.1f, 3.3f, 1e-3f, 0x1.fffffep3f, 1e6f, 100.0f};
  throng_group_def g = stage_idle_group();
  uint32_t rounded = 0;
  for (uint32_t k = 0; k < 8; k++) {
    throng_world_def def = throng_default_world_def();
    throng_error error;
    test_rng rng = rng_from(base_seed + 100 + k);
    def.space = k % 2 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    def.perception_radius = radii[k];
    throng_world *world = stage_world(&def, &g);
    for (int round = 0; round < 200; round++) {
      const float reach = radii[k] * rng_pick(&rng, (const float[]){0.3f, 7.0f, 900.0f, 2e5f, 2e6f}, 5);
      const throng_vec3 wished = {rng_float(&rng, -reach, reach), rng_float(&rng, -reach, reach),
                                  rng_float(&rng, -reach, reach)};
      throng_vec3 exact;
      require_ok(throng_world_shift_origin(world, wished, &exact, &error), &error);
      const double row = (double)radii[k], bin = row * 0.25;
      const bool right = is_nearest(exact.x, wished.x, bin) && is_nearest(exact.z, wished.z, row) &&
                         (def.space == THRONG_SPACE_SPATIAL ? is_nearest(exact.y, wished.y, row) : exact.y == 0.0f);
      if (!right)
        print_error("R %a, wished (%a, %a, %a): (%a, %a, %a)\n", row, (double)wished.x, (double)wished.y,
                    (double)wished.z, (double)exact.x, (double)exact.y, (double)exact.z);
      assert_true(right);
      rounded += fabs((double)exact.x - (double)wished.x) > 0.51 * bin; /* the nearest multiple is not a float */
    }
    throng_world_destroy(world);
  }
  assert_true(rounded > 100);
}

/* A shift that would round a goal is refused. */
static void goals_must_be_exact(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_agent_id id;
  const throng_vec3 p = {1, 0, 1}, goal = {0.1f, 0, 1};
  stage_add(world, 1, &p, NULL, &goal, &id);
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
  require_error(throng_world_shift_origin(world, (throng_vec3){1000, 0, 0}, NULL, &error), THRONG_ERROR_OUT_OF_RANGE,
                &error);
  assert_int_equal(error.agent.index, id.index);
  assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);
  require_ok(throng_world_shift_origin(world, (throng_vec3){0, 0, 4}, NULL, &error), &error);
  throng_world_destroy(world);
}

/* The refusal names the array and the index of the point that the caller gave. */
static void the_point_that_would_round_is_named(void **state) {
  (void)state;
  static const throng_vec3 right[3] = {{0, 0, 0}, {4, 4, 4}, {8, 8, 8}},
                           wrong[3] = {{0, 0, 0}, {4, 4, 4}, {8, 8, 8.1f}};
  static const throng_vec3 low[3] = {{-1, -1, -1}, {3, 3, 3}, {7, 7, 7}}, up[3] = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
  static const float radius[3] = {1, 1, 1};
  static const char *const name[5] = {"scenery: obstacle_centre[2].z, 8.1, ", "scenery: wall_to[2].z, 8.1, ",
                                      "path 3: points[2].z, 8.1, ", "scenery: box_max[2].z, 8.1, ",
                                      "scenery: plane_point[2].z, 8.1, "};
  throng_group_def g = stage_idle_group();
  for (int what = 0; what < 5; what++) {
    throng_world_def def = throng_default_world_def();
    throng_error error;
    def.space = what < 3 ? THRONG_SPACE_PLANAR : THRONG_SPACE_SPATIAL;
    throng_world *world = stage_world(&def, &g);
    throng_scenery_def scenery = throng_default_scenery_def();
    scenery.obstacle_count = 3;
    scenery.obstacle_radius.data = radius;
    scenery.obstacle_centre.data = what == 0 ? wrong : right;
    scenery.wall_count = what < 3 ? 3 : 0;
    scenery.wall_from.data = low;
    scenery.wall_to.data = what == 1 ? wrong : right;
    scenery.box_count = scenery.plane_count = what < 3 ? 0 : 3;
    scenery.box_min.data = low;
    scenery.box_max.data = what == 3 ? wrong : right;
    scenery.plane_normal.data = up;
    scenery.plane_point.data = what == 4 ? wrong : right;
    throng_path_def path = throng_default_path_def();
    path.points.data = what == 2 ? wrong : right;
    path.count = 3;
    require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
    require_ok(throng_world_set_path(world, 3, &path, &error), &error);
    require_error(throng_world_shift_origin(world, (throng_vec3){0, 0, 1000}, NULL, &error), THRONG_ERROR_OUT_OF_RANGE,
                  &error);
    if (strstr(error.text, name[what]) != error.text || !strstr(error.text, "by 1000 exactly"))
      fail_msg("'%s' does not begin with '%s'", error.text, name[what]);
    throng_world_destroy(world);
  }
}

/* A shift that would move cells, scenery or a flow field beyond the limit of positions is refused. */
static void scenery_must_not_go_too_far(void **state) {
  (void)state;
  static const uint8_t blocked[4] = {1, 0, 0, 0};
  static const float vectors[8] = {1, 0, 1, 0, 1, 0, 1, 0};
  const throng_vec3 p = {1, 0, 1}, wall[2] = {{-1000000, 0, 0}, {-999000, 0, 0}};
  throng_group_def g = stage_idle_group();
  for (int what = 0; what < 3; what++) {
    throng_world *world = stage_world(NULL, &g);
    throng_error error;
    throng_cells_def cells = throng_default_cells_def();
    cells.width = cells.height = 2;
    cells.origin.x = -1000000;
    cells.blocked = blocked;
    throng_scenery_def scenery = throng_default_scenery_def();
    scenery.wall_from.data = &wall[0];
    scenery.wall_to.data = &wall[1];
    scenery.wall_count = 1;
    throng_flow_field_def field = throng_default_flow_field_def();
    field.width = field.height = 2;
    field.origin.x = -1000000;
    field.vectors = vectors;
    stage_add(world, 1, &p, NULL, NULL, NULL);
    if (what == 0) require_ok(throng_world_set_cells(world, &cells, &error), &error);
    if (what == 1) require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
    if (what == 2) require_ok(throng_world_set_flow_field(world, 0, &field, &error), &error);
    require_ok(throng_world_shift_origin(world, (throng_vec3){40000, 0, 0}, NULL, &error), &error);
    require_error(throng_world_shift_origin(world, (throng_vec3){40000, 0, 0}, NULL, &error), THRONG_ERROR_OUT_OF_RANGE,
                  &error);
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_shift", 3);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_follows_has_the_same_bits),      cmocka_unit_test(everything_comes_along),
      cmocka_unit_test(the_nearest_exact_shift_is_made),     cmocka_unit_test(inexact_shifts_are_refused),
      cmocka_unit_test(target_points_must_be_exact),         cmocka_unit_test(goals_must_be_exact),
      cmocka_unit_test(the_point_that_would_round_is_named), cmocka_unit_test(scenery_must_not_go_too_far),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
