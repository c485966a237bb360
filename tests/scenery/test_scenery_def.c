/* tests/scenery/test_scenery_def.c: tests of throng_world_set_scenery: what is refused, that arrays are copied, that
 * shapes move with the origin, and its allocations.
 * SPDX-License-Identifier: MIT */
#include "support/memory.h"
#include "support/stage.h"
#include "support/stand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void blocked_places_are_refused(void **state) {
  (void)state;
  static stand s, over;
  memset(&s, 0, sizeof s);
  memset(&over, 0, sizeof over);
  add_ball(&s, 5, 0, 5, 1);
  throng_world *world = stand_plain_world(0);
  throng_error error;
  throng_edit edit;
  throng_agent_id ids[3];
  const throng_vec3 good[3] = {{2, 0, 2}, {8, 0, 8}, {6, 0, 5}}, /* the last is on the surface */
      bad[3] = {{2, 0, 2}, {8, 0, 8}, {5.9f, 0, 5}};
  set_stand(world, &s);
  assert_false(throng_world_is_free(world, (throng_vec3){5.5f, 1e9f, 5}, 0));
  assert_true(throng_world_is_free(world, (throng_vec3){6, 0, 5}, 0));
  stage_refuses_blocked(world, good, bad, ids);
  add_ball(&over, 8, 0, 8, 1); /* over a live agent: refused, the old scenery stays */
  add_ball(&over, 2, 0, 2, 1);
  const throng_scenery_def over_def = stand_def(&over);
  require_error(throng_world_set_scenery(world, &over_def, &error), THRONG_ERROR_BLOCKED, &error);
  assert_int_equal(error.agent.index, ids[0].index);
  assert_true(!throng_world_is_free(world, (throng_vec3){5.5f, 0, 5}, 0) && throng_world_is_free(world, good[1], 0));
  require_ok(throng_world_edit(world, &edit, &error), &error);
  for (uint32_t k = 0; k < 3; k++)
    if (edit.id_index[k] == ids[1].index) edit.position_x[k] = edit.position_z[k] = 5;
  require_error(throng_world_index(world, &error), THRONG_ERROR_BLOCKED, &error);
  assert_int_equal(error.agent.index, ids[1].index);
  require_ok(throng_world_set_scenery(world, NULL, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  assert_true(throng_world_is_free(world, (throng_vec3){5.5f, 0, 5}, 0));
  throng_world_destroy(world);
}

static void refused(throng_world *world, throng_scenery_def def, throng_status status, const char *name) {
  throng_error error;
  require_error(throng_world_set_scenery(world, &def, &error), status, &error);
  if (!strstr(error.text, name)) print_error("'%s' does not name %s\n", error.text, name);
  assert_non_null(strstr(error.text, name));
}

static void bad_definitions(void **state) {
  (void)state;
  throng_world *planar = stand_plain_world(0);
  throng_world *spatial = stand_world(THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_UNBOUNDED, 1, (throng_vec3){0, 0, 0}, 0,
                                      THRONG_UPDATE_SEMI_IMPLICIT);
  throng_error error;
  static stand s;
  memset(&s, 0, sizeof s);
  add_ball(&s, 1, 1, 1, 1);
  add_ball(&s, 2, 1, 1, 1);
  throng_scenery_def def = stand_def(&s), bad = def;
  require_error(throng_world_set_scenery(NULL, &def, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  bad.cookie = 0;
  refused(planar, bad, THRONG_ERROR_BAD_COOKIE, "cookie");
  bad = def;
  bad.obstacle_centre.data = NULL;
  refused(planar, bad, THRONG_ERROR_NULL_ARGUMENT, "obstacle_centre");
  bad = def;
  bad.obstacle_radius.data = NULL;
  refused(planar, bad, THRONG_ERROR_NULL_ARGUMENT, "obstacle_radius");
  bad = def;
  bad.obstacle_count = (1u << 22) + 1;
  refused(planar, bad, THRONG_ERROR_BAD_VALUE, "obstacle_count");
  static const float wrong[] = {0, -1, NAN, INFINITY, -INFINITY, 2e6f};
  for (int k = 0; k < 6; k++) {
    s.radius[1] = wrong[k];
    refused(planar, def, isfinite(wrong[k]) ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE, "obstacle_radius[1]");
    s.radius[1] = 1;
    if (k < 2) continue;
    s.centre[1].z = wrong[k];
    refused(spatial, def, isfinite(wrong[k]) ? THRONG_ERROR_OUT_OF_RANGE : THRONG_ERROR_NOT_FINITE,
            "obstacle_centre[1].z");
    s.centre[1].z = 1;
  }
  memset(&s, 0, sizeof s);
  add_wall(&s, 1, 1, 1, 2);
  add_wall(&s, 3, 3, 3, 3);
  refused(planar, stand_def(&s), THRONG_ERROR_BAD_VALUE, "wall_from[1]");
  refused(spatial, stand_def(&s), THRONG_ERROR_UNSUPPORTED, "wall_count");
  memset(&s, 0, sizeof s);
  s.boxes = 1;
  s.high[0] = (throng_vec3){1, 0, 1};
  refused(spatial, stand_def(&s), THRONG_ERROR_BAD_VALUE, "box_min[0].y");
  refused(planar, stand_def(&s), THRONG_ERROR_UNSUPPORTED, "box_count");
  memset(&s, 0, sizeof s);
  s.planes = 1;
  refused(spatial, stand_def(&s), THRONG_ERROR_BAD_VALUE, "plane_normal[0]");
  s.normal[0].x = NAN;
  refused(spatial, stand_def(&s), THRONG_ERROR_NOT_FINITE, "plane_normal[0].x");
  s.planes = 65;
  refused(spatial, stand_def(&s), THRONG_ERROR_BAD_VALUE, "plane_count");
  def = throng_default_scenery_def();
  require_ok(throng_world_set_scenery(planar, &def, &error), &error); /* no shapes */
  throng_world_destroy(planar);
  throng_world_destroy(spatial);
}

/* Arrays may have a stride. The world copies them, so later changes have no effect. */
static void arrays_are_copied(void **state) {
  (void)state;
  struct circle {
    throng_vec3 centre;
    float radius, colour;
  } circles[2] = {{{1, 0, 1}, 0.5f, 9}, {{3, 0, 3}, 0.5f, 9}};
  throng_world *world = stand_plain_world(0);
  throng_scenery_def def = throng_default_scenery_def();
  throng_error error;
  def.obstacle_centre = (throng_span){&circles[0].centre, sizeof circles[0]};
  def.obstacle_radius = (throng_span){&circles[0].radius, sizeof circles[0]};
  def.obstacle_count = 2;
  require_ok(throng_world_set_scenery(world, &def, &error), &error);
  memset(circles, 0, sizeof circles);
  assert_true(!throng_world_is_free(world, (throng_vec3){3.25f, 0, 3}, 0) &&
              throng_world_is_free(world, (throng_vec3){2, 0, 2}, 0));
  throng_world_destroy(world);
}

static void shapes_shift_with_the_origin(void **state) {
  (void)state;
  static stand s;
  memset(&s, 0, sizeof s);
  add_ball(&s, 5, 0, 5, 1);
  add_wall(&s, 8, 0, 8, 16);
  throng_world *world = stand_plain_world(0);
  throng_error error;
  throng_vec3 by;
  throng_agent_id id;
  const throng_vec3 p = {6, 0, 8};
  set_stand(world, &s);
  stage_add(world, 1, &p, NULL, NULL, &id);
  require_ok(throng_world_shift_origin(world, (throng_vec3){4, 0, -3}, &by, &error), &error);
  assert_true(!throng_world_is_free(world, (throng_vec3){1.5f, 0, 8}, 0) &&
              throng_world_is_free(world, (throng_vec3){5, 0, 5}, 0));
  stage_write(world, THRONG_COLUMN_VELOCITY, id, (throng_vec3){100, 0, 0});
  stage_step(world, 1);
  const throng_vec3 q = stage_read(world, THRONG_COLUMN_POSITION, id);
  assert_true(q.x < 4.0f && q.x > 3.999f && q.z == 11.0f);
  throng_world_destroy(world);
  world = stand_plain_world(0);
  s.from[0].x = 8.1f; /* 8.1f - 1000 is not a float */
  set_stand(world, &s);
  require_error(throng_world_shift_origin(world, (throng_vec3){1000, 0, 0}, &by, &error), THRONG_ERROR_OUT_OF_RANGE,
                &error);
  assert_non_null(strstr(error.text, "scenery"));
  assert_false(throng_world_is_free(world, (throng_vec3){5.5f, 0, 5}, 0));
  throng_world_destroy(world);
}

/* Each allocation of throng_world_set_scenery fails in turn: the world keeps its old scenery. Frames allocate
 * nothing. */
static void memory_is_asked_for_once(void **state) {
  (void)state;
  static stand old, next;
  memset(&old, 0, sizeof old);
  memset(&next, 0, sizeof next);
  add_ball(&old, 5, 0, 5, 1);
  for (int k = 0; k < 40; k++) add_wall(&next, (float)k, 20, (float)k + 0.5f, 22);
  const throng_scenery_def def = stand_def(&next);
  for (uint64_t k = 1;; k++) {
    test_memory memory = {0};
    throng_world_def world_def = throng_default_world_def();
    throng_world *world = NULL;
    throng_error error;
    world_def.thread_count = 1;
    world_def.allocator = test_allocator(&memory);
    require_ok(throng_world_create(&world_def, &world, &error), &error);
    set_stand(world, &old);
    memory.fail_at = memory.calls + k;
    const throng_status status = throng_world_set_scenery(world, &def, &error);
    memory.fail_at = 0;
    if (status == THRONG_OK) {
      assert_true(k == 5); /* four allocations: shapes, starts, entries, the table of clearance */
      const throng_vec3 p = {3, 0, 3}, v = {20, 0, 90};
      stage_add(world, 1, &p, &v, NULL, NULL);
      const uint64_t calls = memory.calls;
      for (int frame = 0; frame < 10; frame++) stage_step(world, 0.1f);
      assert_true(memory.calls == calls);
      throng_world_destroy(world);
      assert_true(memory.live == 0 && memory.mistakes == 0);
      return;
    }
    require_error(status, THRONG_ERROR_OUT_OF_MEMORY, &error);
    assert_false(throng_world_is_free(world, (throng_vec3){5, 0, 5}, 0));
    throng_world_destroy(world);
    assert_true(memory.live == 0 && memory.mistakes == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocked_places_are_refused), cmocka_unit_test(bad_definitions),
      cmocka_unit_test(arrays_are_copied),          cmocka_unit_test(shapes_shift_with_the_origin),
      cmocka_unit_test(memory_is_asked_for_once),
  };
  return cmocka_run_group_tests_name("scenery_def", tests, NULL, NULL);
}
