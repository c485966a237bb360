/* tests/api/test_repeated.c: what an id, an element, a tile or a place does that a list has twice. The calls that
 * cannot use it refuse the whole list.
 * SPDX-License-Identifier: MIT */
#include "support/full.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#include <throng/piece.h>

#define AGENTS 6u
#define DT (1.0f / 60.0f)

static throng_vec3 place(uint32_t k) { return (throng_vec3){(float)k, 0.0f, 0.25f * (float)k}; }

static throng_world *make_world(bool sparse, throng_agent_id ids[AGENTS]) {
  throng_world_def def = throng_default_world_def();
  const throng_group_def group = stage_idle_group();
  throng_vec3 position[AGENTS];
  def.sparse_ids = sparse;
  throng_world *world = stage_world(&def, &group);
  for (uint32_t k = 0; k < AGENTS; k++) position[k] = place(k);
  stage_add(world, AGENTS, position, NULL, NULL, ids);
  return world;
}

static void an_id_is_removed_or_added_once(void **state) {
  (void)state;
  for (int sparse = 0; sparse < 2; sparse++) {
    throng_agent_id id[AGENTS];
    throng_world *world = make_world(sparse, id);
    throng_error error;
    const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
    const throng_agent_id twice[3] = {id[2], id[0], id[2]};
    require_error(throng_agents_remove(world, twice, 3, &error), THRONG_ERROR_STALE_ID, &error);
    assert_true(throng_agent_id_equal(error.agent, id[2]));
    const throng_vec3 position[3] = {{9, 0, 9}, {8, 0, 8}, {7, 0, 7}};
    throng_agents_def def = throng_default_agents_def();
    def.position.data = position;
    throng_agent_id new_ids[2][3] = {{{50, 1, 0}, {51, 1, 0}, {50, 1, 0}}, {{50, 1, 0}, {51, 1, 0}, {50, 2, 0}}};
    for (int k = 0; k < 2; k++) { /* an index belongs to one agent, whatever its generation */
      require_error(throng_agents_add_with_ids(world, &def, 3, new_ids[k], &error), THRONG_ERROR_STALE_ID, &error);
      assert_true(throng_agent_id_equal(error.agent, new_ids[k][2]));
    }
    assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);
    require_sound(world, "after lists with an id twice");
    new_ids[0][2].index = 52;
    require_ok(throng_agents_add_with_ids(world, &def, 3, new_ids[0], &error), &error);
    require_ok(throng_agents_remove(world, twice, 2, &error), &error);
    assert_int_equal(throng_agents_count(world), AGENTS + 1);
    require_sound(world, "after the same lists without it");
    throng_world_destroy(world);
  }
}

/* Every column of a world that has them all. */
static void the_last_written_value_of_an_id_counts(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    throng_agent_id id[FULL_AGENTS];
    const throng_world_def def = full_def((throng_space)space);
    throng_world *world = full_world(&def, id);
    throng_error error;
    uint32_t differ = 0;
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
      if (!(STATE_COLUMNS & THRONG_BIT(column))) continue;
      float value[3][3] = {{0}}, both[2][3] = {{0}}, after[3][3] = {{0}};
      const throng_agent_id source[3] = {id[5], id[9], id[5]}, twice[3] = {id[20], id[21], id[20]};
      require_ok(throng_agents_read(world, (throng_column)column, source, 3, value, sizeof value[0], &error), &error);
      assert_memory_equal(value[0], value[2], sizeof value[0]); /* reading an agent twice */
      memcpy(value[2], value[1], sizeof value[2]);
      const throng_status status =
          throng_agents_write(world, (throng_column)column, twice, 3, value, sizeof value[0], &error);
      require_ok(status, &error);
      require_ok(throng_agents_read(world, (throng_column)column, twice, 2, both, sizeof both[0], &error), &error);
      assert_memory_equal(both[0], value[2], sizeof both[0]);
      assert_memory_equal(both[1], value[1], sizeof both[1]);
      require_ok(throng_agents_read(world, (throng_column)column, source, 3, after, sizeof after[0], &error), &error);
      differ += memcmp(after[0], after[1], sizeof after[0]) != 0;
    }
    assert_in_range(differ, 8, THRONG_COLUMN_COUNT); /* columns in which the last value is not the first */
    require_sound(world, "after writing ids twice");
    uint32_t agents = 0;
    for (uint32_t group = 0; group < THRONG_MAX_GROUPS; group++) agents += throng_world_group_agent_count(world, group);
    assert_int_equal(agents, FULL_AGENTS);
    require_ok(throng_world_step(world, DT, &error), &error);
    throng_world_destroy(world);
  }
}

static void the_last_move_of_an_id_counts(void **state) {
  (void)state;
  throng_agent_id id[AGENTS];
  throng_world *world = make_world(false, id);
  throng_error error;
  const throng_agent_id twice[3] = {id[1], id[2], id[1]};
  const throng_vec3 to[3] = {{20, 0, 0}, {0, 0, 20}, {-20, 0, 0}}, speed[3] = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  require_ok(throng_world_index(world, &error), &error);
  require_ok(throng_agents_move(world, twice, 3, to, speed, &error), &error);
  assert_true(stage_read(world, THRONG_COLUMN_POSITION, id[1]).x == -20.0f);
  assert_true(stage_read(world, THRONG_COLUMN_VELOCITY, id[1]).x == 3.0f);
  require_sound(world, "after a move of an id twice");
  require_ok(throng_world_step(world, DT, &error), &error);
  throng_world_destroy(world);
}

/* Pieces. */

/* A record of a planar agent with a position. */
struct record {
  throng_piece_head head;
  float x, z;
};
#define POSITION THRONG_BIT(THRONG_COLUMN_POSITION)

enum deed { GIVE, TAKE };
struct plan {
  enum deed deed;
  bool as_ghosts, early, done;
};

/* Gives elements twice: in one list, and in two. */
static throng_status give(throng_world *world, const throng_piece_agents *agents, throng_error *error, void *context) {
  struct plan *plan = context;
  if (plan->done || agents->border_count < AGENTS) return THRONG_OK;
  const uint32_t *border = agents->border;
  const uint32_t lists[4][3] = {{border[0], border[0], border[1]},
                                {border[3], border[1], border[3]},
                                {border[0], border[1], agents->count},
                                {border[4], border[2], border[0]}};
  for (uint32_t k = 0; k < 3; k++)
    require_error(throng_piece_give(world, lists[k], 3, plan->as_ghosts, error), THRONG_ERROR_BAD_VALUE, error);
  assert_non_null(strstr(error->text, "elements[2]"));
  require_ok(throng_piece_give(world, border, 2, plan->as_ghosts, error), error);
  require_error(throng_piece_give(world, lists[3], 3, !plan->as_ghosts, error), THRONG_ERROR_BAD_VALUE, error);
  require_error(throng_piece_give(world, border, 1, plan->as_ghosts, error), THRONG_ERROR_BAD_VALUE, error);
  plan->done = true;
  return THRONG_OK;
}

static throng_status exchange(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                              void *context) {
  const struct plan *plan = context;
  const struct record twice[2] = {{{40, 1, 0, 0}, 1.0f, 2.0f}, {{40, 1, 0, 0}, 3.0f, 4.0f}};
  if (plan->deed == TAKE) return throng_piece_take(world, POSITION, twice, 2, true, error);
  if (plan->early) return THRONG_OK;
  return give(world, agents, error, context);
}

static throng_world *make_piece(struct plan *plan) {
  throng_agent_id id[AGENTS];
  throng_world *world = make_world(false, id);
  throng_piece_def def = throng_default_piece_def();
  throng_error error;
  def.exchange = exchange;
  def.begin = plan->early ? give : NULL;
  def.context = plan;
  require_ok(throng_piece_set(world, &def, &error), &error);
  require_ok(throng_piece_set_rim(world, INFINITY, &error), &error);
  return world;
}

static void an_element_is_given_once(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; kind++) {
    struct plan plan = {.deed = GIVE, .as_ghosts = kind % 2, .early = kind / 2};
    throng_world *world = make_piece(&plan);
    throng_error error;
    require_ok(throng_world_step(world, DT, &error), &error);
    assert_true(plan.done);
    for (int frame = 0; frame < 2; frame++) {
      require_sound(world, "after elements were given");
      assert_int_equal(throng_agents_count(world), AGENTS - 2);
      assert_int_equal(throng_piece_ghost_count(world), frame == 0 && plan.as_ghosts ? 2 : 0);
      require_ok(throng_world_step(world, DT, &error), &error);
    }
    throng_world_destroy(world);
  }
}

static void a_record_is_taken_once(void **state) {
  (void)state;
  struct plan plan = {.deed = TAKE};
  throng_world *world = make_piece(&plan);
  throng_error error;
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
  const struct record twice[2] = {{{40, 1, 0, 0}, 1.0f, 2.0f}, {{40, 2, 0, 0}, 3.0f, 4.0f}};
  for (int own = 0; own < 2; own++)
    require_error(throng_piece_take(world, POSITION, twice, 2, own, &error), THRONG_ERROR_STALE_ID, &error);
  require_error(throng_world_step(world, DT, &error), THRONG_ERROR_STALE_ID, &error);
  assert_true(throng_world_hash(world, STATE_COLUMNS) == hash && throng_agents_count(world) == AGENTS);
  require_sound(world, "after records with an id twice");
  throng_world_destroy(world);
}

static void an_element_is_packed_as_often_as_it_is_listed(void **state) {
  (void)state;
  throng_agent_id id[AGENTS];
  throng_world *world = make_world(false, id);
  throng_error error;
  const uint32_t twice[3] = {2, 4, 2};
  struct record record[3];
  require_ok(throng_world_index(world, &error), &error);
  require_ok(throng_piece_pack(world, POSITION, twice, 3, record, &error), &error);
  assert_memory_equal(&record[0], &record[2], sizeof record[0]);
  assert_true(record[0].head.index != record[1].head.index);
  throng_world_destroy(world);
}

/* Others. */

static void equal_tiles_in_a_row_are_a_wait(void **state) {
  (void)state;
  static const throng_tile corners[5] = {{3, 3}, {3, 3}, {5, 3}, {5, 3}, {5, 4}};
  static const throng_tile expected[4] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}};
  throng_tile tiles[8];
  throng_error error;
  uint32_t count;
  require_ok(throng_tiles_make_route(corners, 5, false, tiles, 8, &count, &error), &error);
  assert_int_equal(count, 4);
  assert_memory_equal(tiles, expected, sizeof expected);
  const throng_tile route[3] = {{0, 0}, {1, 0}, {1, 0}};
  int32_t x, z, zero = 0;
  for (uint64_t tick = 0; tick < 6; tick++) {
    require_ok(throng_tiles_play_route(&(throng_tiles){&x, &z, 1}, &(throng_tile_targets){&zero, &zero, 1}, route, 3,
                                       (throng_tile_time){.tick = tick}, &error),
               &error);
    assert_int_equal(x, route[tick % 3].x);
  }
}

static void equal_places_are_filled_by_different_agents(void **state) {
  (void)state;
  throng_agent_id id[AGENTS];
  throng_world *world = make_world(false, id);
  throng_error error;
  static const float places[3][3] = {{1, 0, 1}, {1, 0, 1}, {1, 0, 1}};
  throng_formation_def formation = throng_default_formation_def();
  throng_group_def group = stage_idle_group();
  throng_formation_fill fill;
  formation.places.data = places;
  formation.count = 3;
  require_ok(throng_world_set_formation(world, 0, &formation, &error), &error);
  throng_behaviour *keep = throng_group_def_add(&group, THRONG_BEHAVIOUR_FORMATION);
  keep->target = (throng_target){.kind = THRONG_TARGET_POINT};
  require_ok(throng_world_set_group(world, 0, &group, &error), &error);
  require_ok(throng_world_fill_formation(world, 0, &fill, &error), &error);
  assert_int_equal(fill.placed, 3);
  assert_int_equal(fill.open_places, 0);
  float number[AGENTS], seen = 0.0f;
  require_ok(throng_agents_read(world, THRONG_COLUMN_FORMATION_PLACE, id, AGENTS, number, 0, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) seen += isnan(number[k]) ? 0.0f : 1.0f + 10.0f * number[k];
  assert_true(seen == 33.0f); /* places 0, 1 and 2 */
  throng_world_destroy(world);
}

static void equal_goals_and_centres_are_allowed(void **state) {
  (void)state;
  throng_agent_id id[AGENTS];
  throng_world *world = make_world(false, id);
  throng_error error;
  const throng_cells_def cells = full_cells();
  static float once[2 * 4096], twice[2 * 4096];
  assert_true(cells.width * cells.height <= 4096);
  const throng_vec3 free = {cells.origin.x + 0.5f * cells.cell, 0.0f, cells.origin.z + 0.5f * cells.cell};
  const throng_flow_goal goals[2] = {{.point = free}, {.point = free}};
  require_ok(throng_flow_field_compute(NULL, &cells, goals, 1, once, NULL, NULL, &error), &error);
  require_ok(throng_flow_field_compute(NULL, &cells, goals, 2, twice, NULL, NULL, &error), &error);
  assert_memory_equal(once, twice, 2 * sizeof(float) * cells.width * cells.height);
  const throng_vec3 centres[2] = {place(2), place(2)};
  throng_neighbour found[2][AGENTS];
  uint32_t counts[2];
  require_ok(throng_world_index(world, &error), &error);
  require_ok(
      throng_world_query_radius_batch(world, centres, 2, 2.0f, THRONG_ALL_LAYERS, found[0], AGENTS, counts, &error),
      &error);
  assert_int_equal(counts[0], counts[1]);
  assert_memory_equal(found[0], found[1], counts[0] * sizeof found[0][0]);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_id_is_removed_or_added_once),
      cmocka_unit_test(the_last_written_value_of_an_id_counts),
      cmocka_unit_test(the_last_move_of_an_id_counts),
      cmocka_unit_test(an_element_is_given_once),
      cmocka_unit_test(a_record_is_taken_once),
      cmocka_unit_test(an_element_is_packed_as_often_as_it_is_listed),
      cmocka_unit_test(equal_tiles_in_a_row_are_a_wait),
      cmocka_unit_test(equal_places_are_filled_by_different_agents),
      cmocka_unit_test(equal_goals_and_centres_are_allowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
