/* tests/agents/test_views.c: views, by which the host reads or writes columns directly.
 * SPDX-License-Identifier: MIT */
#include "support/agents.h"

#include <math.h>

static void views_and_edits(void **state) {
  (void)state;
  throng_error error;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0);
  throng_view view;
  throng_edit edit;
  require_ok(throng_world_view(world, &view, &error), &error);
  assert_int_equal(view.count, 0);
  const throng_agent_id id = add_one(world, 1, 2);
  require_ok(throng_world_index(world, &error), &error);
  require_ok(throng_world_view(world, &view, &error), &error);
  assert_true(view.count == 1 && view.id_index[0] == id.index && view.position_x[0] == 1.0f &&
              view.position_z[0] == 2.0f);
  assert_null(view.velocity_y);
  assert_null(view.position_y);
  assert_null(view.facing_x);
  assert_null(view.acceleration_x);
  assert_non_null(view.yaw);
  require_error(throng_world_edit_accelerations(world, &edit, &error), THRONG_ERROR_NOT_STEERED, &error);
  assert_true(throng_world_is_indexed(world));
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  require_ok(throng_world_edit_accelerations(world, &edit, &error), &error);
  assert_true(throng_world_is_indexed(world) && edit.count == 1 && edit.id_index[0] == id.index);
  assert_true(edit.acceleration_x && !edit.acceleration_y && edit.acceleration_z && !edit.yaw_acceleration);
  assert_true(!edit.position_x && !edit.position_y && !edit.position_z && !edit.velocity_x && !edit.velocity_z);
  require_ok(throng_world_edit(world, &edit, &error), &error);
  assert_false(throng_world_is_indexed(world));
  assert_true(edit.position_x && !edit.position_y && edit.position_z && edit.velocity_x && edit.velocity_z);
  assert_true(!edit.acceleration_x && !edit.acceleration_z);
  edit.position_x[0] = NAN;
  require_error(throng_world_index(world, &error), THRONG_ERROR_NOT_FINITE, &error);
  assert_int_equal(error.agent.index, id.index);
  edit.position_x[0] = 3e6f;
  require_error(throng_world_step(world, 0.1f, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  assert_int_equal(error.agent.index, id.index);
  edit.position_x[0] = 7.0f;
  require_ok(throng_world_index(world, &error), &error);
  float position[3];
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, &id, 1, position, 0, &error), &error);
  assert_true(position[0] == 7.0f);
  throng_world_destroy(world);
}

/* A view has the same groups, goals and generations as reads by id. */
static void views_have_groups_goals_and_generations(void **state) {
  (void)state;
  enum { AGENTS = 500 };
  for (int space = 0; space < 2; space++) {
    throng_error error;
    throng_world *world = new_world((throng_space)space, 9);
    throng_agent_id ids[AGENTS];
    for (uint32_t k = 0; k < AGENTS; k++) ids[k] = add_one(world, (float)(k * 37 % 101), (float)(k * 53 % 89));
    throng_view view;
    require_ok(throng_world_view(world, &view, &error), &error);
    assert_true(!view.goal_x && !view.goal_y && !view.goal_z && view.id_world == 9);
    const throng_group_def g = throng_default_group_def();
    const uint8_t groups[2] = {255, 1};
    for (uint32_t k = 0; k < 2; k++) require_ok(throng_world_set_group(world, groups[k], &g, &error), &error);
    for (uint32_t k = 0; k < AGENTS; k += 3) {
      const throng_vec3 goal = {(float)k, (float)(k % 7), -1};
      require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[k], 1, &groups[k % 2], 0, &error), &error);
      if (k % 2) require_ok(throng_agents_write(world, THRONG_COLUMN_GOAL, &ids[k], 1, &goal, 0, &error), &error);
    }
    require_ok(throng_agents_remove(world, ids, 50, &error), &error);
    for (uint32_t k = 0; k < 40; k++) ids[k] = add_one(world, (float)k, 1);
    require_ok(throng_world_step(world, 0.1f, &error), &error);
    require_ok(throng_world_view(world, &view, &error), &error);
    uint32_t younger = 0;
    for (uint32_t k = 0; k < view.count; k++) {
      const throng_agent_id id = throng_view_id(&view, k);
      uint8_t group;
      float goal[3];
      require_ok(throng_agents_read(world, THRONG_COLUMN_GROUP, &id, 1, &group, 0, &error), &error);
      require_ok(throng_agents_read(world, THRONG_COLUMN_GOAL, &id, 1, goal, 0, &error), &error);
      assert_int_equal(throng_view_group(&view, k), group);
      const float viewed[3] = {view.goal_x[k], view.goal_y[k], view.goal_z[k]};
      assert_memory_equal(viewed, goal, sizeof goal);
      younger += id.generation == 2;
    }
    assert_int_equal(view.count, AGENTS - 10);
    assert_int_equal(younger, 40);
    throng_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(views_and_edits),
                                     cmocka_unit_test(views_have_groups_goals_and_generations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
