/* tests/columns/test_columns.c: checks the table of columns through the public functions.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

/* The names of the columns and their numbers of components are those of the manual. */
static void names_and_components(void **state) {
  (void)state;
  const struct {
    const char *name;
    uint32_t planar, spatial;
  } columns[THRONG_COLUMN_COUNT] = {
      [THRONG_COLUMN_POSITION] = {"position", 3, 3},
      [THRONG_COLUMN_VELOCITY] = {"velocity", 3, 3},
      [THRONG_COLUMN_FACING] = {"facing", 1, 3},
      [THRONG_COLUMN_GOAL] = {"goal", 3, 3},
      [THRONG_COLUMN_WANDER] = {"wander", 1, 3},
      [THRONG_COLUMN_PERCEPTION_RADIUS] = {"perception_radius", 1, 1},
      [THRONG_COLUMN_BODY_RADIUS] = {"body_radius", 1, 1},
      [THRONG_COLUMN_GROUP] = {"group", 1, 1},
      [THRONG_COLUMN_ACCELERATION] = {"acceleration", 3, 3},
      [THRONG_COLUMN_FAN] = {"fan", 2, 2},
      [THRONG_COLUMN_PATH_PARAMETER] = {"path_parameter", 1, 1},
      [THRONG_COLUMN_YAW_RATE] = {"yaw_rate", 1, 1},
      [THRONG_COLUMN_YAW_ACCELERATION] = {"yaw_acceleration", 1, 1},
      [THRONG_COLUMN_PATTERN] = {"pattern", 1, 1},
      [THRONG_COLUMN_PATTERN_INSTRUCTION] = {"pattern_instruction", 1, 1},
      [THRONG_COLUMN_PATTERN_WAY] = {"pattern_way", 3, 3},
      [THRONG_COLUMN_PATTERN_TIME] = {"pattern_time", 1, 1},
      [THRONG_COLUMN_MAX_YAW_RATE] = {"max_yaw_rate", 1, 1},
      [THRONG_COLUMN_WEIGHT] = {"weight", 1, 1},
      [THRONG_COLUMN_FORMATION_PLACE] = {"formation_place", 1, 1},
      [THRONG_COLUMN_MASS] = {"mass", 1, 1},
      [THRONG_COLUMN_BLOCKED_TIME] = {"blocked_time", 1, 1},
      [THRONG_COLUMN_MAX_SPEED] = {"max_speed", 1, 1},
      [THRONG_COLUMN_STEER_PERIOD] = {"steer_period", 1, 1},
      [THRONG_COLUMN_KEPT_ACCELERATION] = {"kept_acceleration", 3, 3},
      [THRONG_COLUMN_PATTERN_CUE] = {"pattern_cue", 1, 1},
      [THRONG_COLUMN_TARGET] = {"target", 2, 2},
  };
  for (int k = 0; k < THRONG_COLUMN_COUNT; k++) {
    const throng_column column = (throng_column)k;
    if (columns[k].name == NULL) fail_msg("column %d, '%s', has no row here", k, throng_column_name(column));
    assert_string_equal(throng_column_name(column), columns[k].name);
    assert_int_equal(throng_column_components(column, THRONG_SPACE_PLANAR), columns[k].planar);
    assert_int_equal(throng_column_components(column, THRONG_SPACE_SPATIAL), columns[k].spatial);
  }
  assert_string_equal(throng_column_name(THRONG_COLUMN_COUNT), "?");
  assert_int_equal(throng_column_components(THRONG_COLUMN_COUNT, THRONG_SPACE_PLANAR), 0);
  assert_int_equal(throng_column_components(THRONG_COLUMN_POSITION, (throng_space)2), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_and_components)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
