/* tests/world/test_boundary.c: tests of worlds whose axes have different boundaries. The bits of their frames are
 * tested by reference_a, with random crowds.
 * SPDX-License-Identifier: MIT */
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define SIDE 20.0f

/* A corridor: periodic along x, unbounded along y, walls along z. */
static throng_world_def corridor(throng_space space) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  def.boundary[0] = THRONG_BOUNDARY_PERIODIC;
  def.boundary[1] = THRONG_BOUNDARY_UNBOUNDED;
  def.boundary[2] = THRONG_BOUNDARY_BOX;
  def.box_min = (throng_vec3){0, NAN, 0};
  def.box_max = (throng_vec3){SIDE, -INFINITY, SIDE};
  return def;
}

static throng_status create(const throng_world_def *def, throng_error *error) {
  throng_world *world = NULL;
  const throng_status status = throng_world_create(def, &world, error);
  throng_world_destroy(world);
  return status;
}

static void one_call_sets_all_axes(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  for (int k = 0; k < 3; k++) assert_int_equal(def.boundary[k], THRONG_BOUNDARY_UNBOUNDED);
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  for (int k = 0; k < 3; k++) assert_int_equal(def.boundary[k], THRONG_BOUNDARY_BOX);
}

/* The box along an unbounded axis is ignored, and the others are checked, each by the rules of its boundary. */
static void each_axis_is_checked_by_its_own_rules(void **state) {
  (void)state;
  throng_error error;
  for (int space = 0; space < 2; space++) {
    throng_world_def def = corridor((throng_space)space);
    require_ok(create(&def, &error), &error);
    def.box_max.x = 3.9f; /* a periodic side below 4 R */
    require_error(create(&def, &error), THRONG_ERROR_BAD_VALUE, &error);
    assert_non_null(strstr(error.text, "along x"));
    def = corridor((throng_space)space);
    def.box_max.z = 0.5f; /* a box may be as narrow */
    require_ok(create(&def, &error), &error);
    def.box_max.z = -1.0f;
    require_error(create(&def, &error), THRONG_ERROR_BAD_VALUE, &error);
    assert_non_null(strstr(error.text, "box_min.z"));
    def = corridor((throng_space)space);
    def.boundary[1] = THRONG_BOUNDARY_BOX; /* only spatial worlds have a vertical boundary */
    const throng_status status = create(&def, &error);
    assert_int_equal(status, space == THRONG_SPACE_PLANAR ? THRONG_OK : THRONG_ERROR_NOT_FINITE);
  }
}

/* An agent wraps along x, stops along z, and leaves the box along y. */
static void each_axis_moves_by_its_own_rules(void **state) {
  (void)state;
  const throng_world_def def = corridor(THRONG_SPACE_SPATIAL);
  const throng_group_def idle = stage_idle_group();
  const throng_vec3 p = {SIDE - 1, 15, SIDE - 1}, v = {2, 100, 2};
  throng_world *world = stage_world(&def, &idle);
  throng_agent_id id;
  stage_add(world, 1, &p, &v, NULL, &id);
  stage_step(world, 1.0f);
  const throng_vec3 at = stage_read(world, THRONG_COLUMN_POSITION, id);
  const throng_vec3 speed = stage_read(world, THRONG_COLUMN_VELOCITY, id);
  assert_true(at.x == 1.0f && at.y == 115.0f && at.z == nextafterf(SIDE, 0.0f));
  assert_true(speed.x == 2.0f && speed.y == 100.0f && speed.z == 0.0f);
  throng_world_destroy(world);
}

/* Whether the world takes an agent at p with this goal. */
static throng_status add(throng_world *world, throng_vec3 p, throng_vec3 goal, throng_error *error) {
  throng_agents_def def = throng_default_agents_def();
  def.position.data = &p;
  def.goal.data = &goal;
  return throng_agents_add(world, &def, 1, NULL, error);
}

static void positions_and_goals(void **state) {
  (void)state;
  const throng_world_def def = corridor(THRONG_SPACE_SPATIAL);
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(&def, &idle);
  throng_error error;
  const throng_vec3 inside = {1, 1, 1};
  const struct {
    throng_vec3 p, goal;
    throng_status status;
  } cases[] = {{{0, -500, 0}, inside, THRONG_OK},
               {{SIDE, 0, 1}, inside, THRONG_OK},
               {{SIDE + 1, 0, 1}, inside, THRONG_ERROR_OUT_OF_RANGE},
               {{1, 0, SIDE}, inside, THRONG_OK},
               {{1, 0, SIDE + 1}, inside, THRONG_ERROR_OUT_OF_RANGE},
               {inside, {SIDE, 999, 999}, THRONG_OK},
               {inside, {SIDE + 1, 0, 0}, THRONG_ERROR_OUT_OF_RANGE},
               {inside, {-1, 0, 0}, THRONG_ERROR_OUT_OF_RANGE}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    assert_int_equal(add(world, cases[k].p, cases[k].goal, &error), cases[k].status);
  throng_group_def group = throng_default_group_def();
  throng_behaviour *seek = throng_group_def_add(&group, THRONG_BEHAVIOUR_SEEK);
  seek->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {SIDE, 999, 999}};
  require_ok(throng_world_set_group(world, 1, &group, &error), &error);
  seek->target.point.x = SIDE + 1;
  require_error(throng_world_set_group(world, 1, &group, &error), THRONG_ERROR_BAD_VALUE, &error);
  throng_world_destroy(world);
}

/* An agent near one end of the corridor sees one near the other end; agents at opposite walls do not see each other. */
static void queries_look_across_the_seam_alone(void **state) {
  (void)state;
  const throng_world_def def = corridor(THRONG_SPACE_PLANAR);
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(&def, &idle);
  const throng_vec3 p[3] = {{0.25f, 0, 0.25f}, {SIDE - 0.25f, 0, 0.25f}, {0.25f, 0, SIDE - 0.25f}};
  throng_neighbour found[3];
  throng_error error;
  throng_agent_id ids[3];
  uint32_t count = 0;
  stage_add(world, 3, p, NULL, NULL, ids);
  require_ok(throng_world_index(world, &error), &error);
  require_ok(throng_world_query_radius(world, p[0], 1.0f, THRONG_ALL_LAYERS, found, 3, &count, &error), &error);
  assert_int_equal(count, 2);
  assert_int_equal(found[1].id.index, ids[1].index);
  assert_true(found[1].distance == 0.5f);
  throng_world_destroy(world);
}

/* The origin shifts along the axes that are not periodic. */
static void the_origin_shifts_along_other_axes(void **state) {
  (void)state;
  const throng_world_def def = corridor(THRONG_SPACE_SPATIAL);
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(&def, &idle);
  const throng_vec3 p = {3, 4, 5};
  throng_agent_id id;
  throng_error error;
  throng_vec3 shift;
  stage_add(world, 1, &p, NULL, NULL, &id);
  require_ok(throng_world_shift_origin(world, (throng_vec3){8, 16, -32}, &shift, &error), &error);
  assert_true(shift.x == 0.0f && shift.y == 16.0f && shift.z == -32.0f);
  const throng_vec3 at = stage_read(world, THRONG_COLUMN_POSITION, id);
  assert_true(at.x == 3.0f && at.y == -12.0f && at.z == 37.0f);
  const throng_world_def now = throng_world_get_def(world);
  assert_true(now.box_min.x == 0.0f && now.box_max.x == SIDE && now.box_min.z == 32.0f && now.box_max.z == SIDE + 32);
  stage_step(world, 0.1f);
  throng_world_destroy(world);
}

/* The boundary is in the host's axes, as the box is: along Unreal's y, to the right, throng's axis is x. */
static void the_boundary_is_in_the_axes_of_the_host(void **state) {
  (void)state;
  const throng_group_def idle = stage_idle_group();
  throng_world_def def = corridor(THRONG_SPACE_SPATIAL);
  def.axes = throng_axes_unreal(); /* x forward, y right, z up; centimetres */
  def.boundary[0] = THRONG_BOUNDARY_BOX;
  def.boundary[1] = THRONG_BOUNDARY_PERIODIC;
  def.boundary[2] = THRONG_BOUNDARY_UNBOUNDED;
  def.box_min = (throng_vec3){0, 0, NAN};
  def.box_max = (throng_vec3){2000, 2000, NAN};
  throng_world *world = stage_world(&def, &idle);
  const throng_vec3 p = {1900, 1900, 1900}, v = {200, 200, 200};
  throng_agent_id id;
  stage_add(world, 1, &p, &v, NULL, &id);
  stage_step(world, 1.0f);
  const throng_vec3 at = stage_read(world, THRONG_COLUMN_POSITION, id);
  assert_true(at.x < 2000.0f && at.x > 1999.9f);
  assert_true(fabsf(at.y - 100.0f) < 0.01f && fabsf(at.z - 2100.0f) < 0.01f);
  const throng_world_def got = throng_world_get_def(world);
  assert_memory_equal(got.boundary, def.boundary, sizeof def.boundary);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_call_sets_all_axes),
      cmocka_unit_test(each_axis_is_checked_by_its_own_rules),
      cmocka_unit_test(each_axis_moves_by_its_own_rules),
      cmocka_unit_test(positions_and_goals),
      cmocka_unit_test(queries_look_across_the_seam_alone),
      cmocka_unit_test(the_origin_shifts_along_other_axes),
      cmocka_unit_test(the_boundary_is_in_the_axes_of_the_host),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
