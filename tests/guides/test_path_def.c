/* tests/guides/test_path_def.c: tests of paths and parameters that are refused: the error names the field, and nothing
 * has changed.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static throng_group_def follower(void) {
  throng_group_def g = stage_idle_group();
  group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATH, 1.0f);
  return g;
}

/* Checks that the path is refused with `status` and a text that names `field`, and that nothing has changed. */
static void refuse_path(throng_world *world, uint32_t number, const throng_path_def *def, throng_status status,
                        const char *field) {
  throng_error error;
  const float length = throng_world_path_length(world, 0);
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
  require_error(throng_world_set_path(world, number, def, &error), status, &error);
  if (strstr(error.text, field) == NULL) print_error("'%s' is not in '%s'\n", field, error.text);
  assert_non_null(strstr(error.text, field));
  assert_true(throng_world_path_length(world, 0) == length && throng_world_hash(world, STATE_COLUMNS) == hash);
}

static void bad_paths(void **state) {
  (void)state;
  const throng_group_def g = follower();
  const throng_vec3 good[] = {{0, NAN, 0}, {3, 1, 0}, {3, 1, 4}};
  throng_world *world = stage_world(NULL, &g);
  throng_path_def def = throng_default_path_def();
  throng_error error;
  require_error(throng_world_set_path(NULL, 0, &def, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  def.points.data = good;
  def.count = 3;
  def.closed = true;
  require_ok(throng_world_set_path(world, 0, &def, &error), &error); /* y does not matter */
  assert_true(throng_world_path_length(world, 0) == 12.0f);
  refuse_path(world, 64, &def, THRONG_ERROR_BAD_VALUE, "index");
  def.count = 1;
  refuse_path(world, 0, &def, THRONG_ERROR_BAD_VALUE, "count");
  def.count = 65537;
  refuse_path(world, 0, &def, THRONG_ERROR_BAD_VALUE, "count");
  def.count = 3;
  def.points.data = NULL;
  refuse_path(world, 0, &def, THRONG_ERROR_NULL_ARGUMENT, "points");
  def.cookie++;
  refuse_path(world, 0, &def, THRONG_ERROR_BAD_COOKIE, "cookie");
  def.cookie--;
  const struct {
    throng_vec3 last;
    throng_status status;
    const char *field;
    bool closed;
  } bad[] = {{{NAN, 0, 0}, THRONG_ERROR_NOT_FINITE, "points[2].x", false},
             {{0, 0, -INFINITY}, THRONG_ERROR_NOT_FINITE, "points[2].z", false},
             {{1.1e6f, 0, 0}, THRONG_ERROR_BAD_VALUE, "points[2].x", false},
             {{3, 7, 0}, THRONG_ERROR_BAD_VALUE, "points[2]", false},
             {{3, 0, 1e-30f}, THRONG_ERROR_BAD_VALUE, "points[2]", false},
             {{0, 2, 0}, THRONG_ERROR_BAD_VALUE, "points[0]", true}};
  for (uint32_t k = 0; k < COUNT_OF(bad); k++) {
    const throng_vec3 points[] = {good[0], good[1], bad[k].last};
    def.points.data = points;
    def.closed = bad[k].closed;
    refuse_path(world, 0, &def, bad[k].status, bad[k].field);
  }
  const throng_vec3 nothing[] = {{0, 0, 0}, {1e-39f, 0, 0}}; /* above 0, but too short for a segment */
  def.points.data = nothing;
  def.count = 2;
  def.closed = false;
  refuse_path(world, 0, &def, THRONG_ERROR_BAD_VALUE, "too short");
  throng_world_destroy(world);

  throng_world_def periodic = throng_default_world_def();
  throng_world_def_set_boundary(&periodic, THRONG_BOUNDARY_PERIODIC);
  world = stage_world(&periodic, &g);
  const throng_vec3 outside[] = {{1, 0, 1}, {2, 0, 101}};
  def.points.data = outside;
  def.count = 2;
  def.closed = false;
  refuse_path(world, 0, &def, THRONG_ERROR_BAD_VALUE, "points[1].z");
  throng_world_destroy(world);
}

static void refuse_group(throng_world *world, const throng_group_def *g, const char *field) {
  throng_error error;
  const throng_status status = throng_world_set_group(world, 0, g, &error);
  assert_true(status == THRONG_ERROR_BAD_VALUE || status == THRONG_ERROR_NOT_FINITE);
  if (strstr(error.text, field) == NULL) print_error("'%s' is not in '%s'\n", field, error.text);
  assert_non_null(strstr(error.text, field));
}

static void bad_followers(void **state) {
  (void)state;
  const throng_group_def good = follower();
  throng_group_def g = good;
  throng_world *world = stage_world(NULL, &good);
  throng_error error;
  throng_parameter parameter;
  for (uint32_t k = 0; throng_behaviour_get_parameter(THRONG_BEHAVIOUR_FOLLOW_PATH, k, &parameter); k++) {
    const double bad[] = {(double)NAN, (double)INFINITY, (double)-INFINITY, parameter.highest * 1.1,
                          parameter.lowest * 1.1 - 1.0};
    for (uint32_t i = 0; i < COUNT_OF(bad) && parameter.type == THRONG_PARAMETER_FLOAT; i++) {
      g = good;
      assert_true(throng_behaviour_set_value(&g.behaviour[0], &parameter, bad[i]));
      if (bad[i] >= parameter.lowest) assert_false(bad[i] <= parameter.highest);
      refuse_group(world, &g, parameter.name);
    }
  }
  g = good;
  g.behaviour[0].follow_path.index = 64;
  refuse_group(world, &g, "follow_path.index is 64, allowed: 0 to 63");
  g = good;
  throng_group_def_add(&g, THRONG_BEHAVIOUR_FOLLOW_PATH);
  refuse_group(world, &g, "follow_path");
  g = good;
  g.max_speed = INFINITY;
  refuse_group(world, &g, "max_speed");
  g.behaviour[0].follow_path.time_to_target = 0.0f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);

  throng_agent_id id;
  stage_add(world, 1, &(throng_vec3){0, 0, 0}, NULL, NULL, &id);
  const float bad[] = {-1.0f, INFINITY, -INFINITY};
  stage_write(world, THRONG_COLUMN_PATH_PARAMETER, id, (throng_vec3){3.0f, 0, 0});
  for (uint32_t k = 0; k < 3; k++) {
    const throng_status wanted = k == 0 ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE;
    require_error(throng_agents_write(world, THRONG_COLUMN_PATH_PARAMETER, &id, 1, &bad[k], 0, &error), wanted, &error);
    assert_true(stage_read(world, THRONG_COLUMN_PATH_PARAMETER, id).x == 3.0f);
  }
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_paths),
      cmocka_unit_test(bad_followers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
