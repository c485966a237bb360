/* tests/agents/test_views.c: views, by which the host reads or writes columns directly, and reads of many agents.
 * SPDX-License-Identifier: MIT */
#include "support/agents.h"
#include "support/crowds.h"

#include <math.h>
#include <string.h>

static uint64_t base_seed;

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

/* Reading all agents, agents by id, and each agent alone must give the same bytes, and write none between elements. */
static void reads_of_many_and_of_one_are_equal(const throng_world *world, throng_column column) {
  enum { MOST = 1200, STRIDE = 20 };
  static throng_agent_id ids[MOST];
  static unsigned char all[MOST][STRIDE], by_id[MOST][STRIDE], alone[MOST][STRIDE];
  throng_error error;
  uint32_t count = 0;
  require_ok(throng_agents_get_ids(world, ids, MOST, &count, &error), &error);
  memset(all, 0xAB, sizeof all);
  memset(by_id, 0xAB, sizeof by_id);
  memset(alone, 0xAB, sizeof alone);
  for (uint32_t k = 0; k < count; k++)
    require_ok(throng_agents_read(world, column, &ids[k], 1, alone[k], STRIDE, &error), &error);
  require_ok(throng_agents_read(world, column, NULL, count, all, STRIDE, &error), &error);
  assert_memory_equal(all, alone, sizeof all);
  for (uint32_t k = 0; k < count / 2; k++) { /* in descending order */
    const throng_agent_id swapped = ids[k];
    ids[k] = ids[count - 1 - k];
    ids[count - 1 - k] = swapped;
  }
  require_ok(throng_agents_read(world, column, ids, count, by_id, STRIDE, &error), &error);
  for (uint32_t k = 0; k < count; k++) assert_memory_equal(by_id[k], alone[count - 1 - k], STRIDE);
}

/* Planar worlds have no array for the y of velocities and kept accelerations: it is 0, or NaN as x and z are. */
static void reads_have_a_y(const throng_world *world, throng_column column) {
  static float values[1200][3];
  throng_error error;
  const uint32_t count = throng_agents_count(world);
  require_ok(throng_agents_read(world, column, NULL, count, values, 0, &error), &error);
  for (uint32_t k = 0; k < count; k++)
    assert_true(isnan(values[k][0]) ? isnan(values[k][1]) && isnan(values[k][2]) : values[k][1] == 0.0f);
}

static void many_are_read_as_one(void **state) {
  (void)state;
  for (uint32_t kind = 0; kind < 8; kind++) {
    const crowd_recipe recipe = {(throng_space)(kind % 2), THRONG_BOUNDARY_BOX, LAYOUT_UNIFORM, 1100, true, false};
    crowd *c = crowd_random(base_seed + kind, &recipe);
    c->def.sparse_ids = kind / 2 % 2;
    if (kind < 4) crowd_slice(c, kind);
    throng_world *world = crowd_world(c, &(crowd_world_options){.history = 1 + kind});
    throng_error error;
    for (uint32_t frame = 0; frame < 2; frame++) require_ok(throng_world_step(world, 0.02f, &error), &error);
    if (kind >= 4) require_ok(throng_world_steer(world, 0.02f, &error), &error);
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
      if (kind < 4 && (column == THRONG_COLUMN_ACCELERATION || column == THRONG_COLUMN_YAW_ACCELERATION)) continue;
      reads_of_many_and_of_one_are_equal(world, (throng_column)column);
    }
    if (kind % 2 == 0) reads_have_a_y(world, THRONG_COLUMN_VELOCITY);
    if (kind % 2 == 0) reads_have_a_y(world, THRONG_COLUMN_KEPT_ACCELERATION);
    throng_world_destroy(world);
    crowd_free(c);
  }
}

int main(void) {
  base_seed = test_seed("test_views", 7);
  const struct CMUnitTest tests[] = {cmocka_unit_test(views_and_edits),
                                     cmocka_unit_test(views_have_groups_goals_and_generations),
                                     cmocka_unit_test(many_are_read_as_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
