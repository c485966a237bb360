/* tests/record/test_forged_values.c: snapshots and records whose values were forged, with right checksums: the load is
 * refused with an error that names the agent and the value, or the loaded world steps.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/full.h"
#include "support/memory.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <throng/piece.h>

#include "columns/columns.h"

#define FRAMES 20
#define SPACES 2
#define HEADER 16u /* of a section */

static const float hostile[] = {0.0f,   -0.0f, 1e-45f,  -1e-45f,  1e-38f,   0.5f,      -0.7f,
                                1.001f, 2.0f,  -3.0f,   1e4f,     -1e9f,    1e12f,     1e18f,
                                -1e19f, 1e30f, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, NAN};
#define HOSTILE (sizeof hostile / sizeof *hostile)

static void put(uint8_t *at, float value) { memcpy(at, &value, sizeof value); }

/* Returns a world that has every column. The frames of group 0 keep facings, and use their length. */
static throng_world *rich_world(int space, throng_agent_id ids[FULL_AGENTS]) {
  throng_world_def def = full_def((throng_space)space);
  throng_error error;
  throng_world *world = full_world(&def, ids);
  throng_group_def g = full_group(&def, 0);
  g.facing = THRONG_FACING_FIXED;
  throng_group_def_add(&g, THRONG_BEHAVIOUR_CHASE)->weight = 1.0f;
  throng_group_def_add(&g, THRONG_BEHAVIOUR_OFFSET_PURSUIT)->target.kind = THRONG_TARGET_OWN;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  static const float one = 1.0f, place = 2.0f;
  require_ok(throng_agents_write(world, THRONG_COLUMN_TARGET, ids + 1, FULL_AGENTS - 1, ids, THRONG_STRIDE_ONE, &error),
             &error);
  static const throng_column columns[] = {THRONG_COLUMN_PATTERN,      THRONG_COLUMN_MAX_SPEED,
                                          THRONG_COLUMN_STEER_PERIOD, THRONG_COLUMN_PERCEPTION_RADIUS,
                                          THRONG_COLUMN_YAW_RATE,     THRONG_COLUMN_BLOCKED_TIME};
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
    require_ok(throng_agents_write(world, columns[k], ids, FULL_AGENTS, &one, THRONG_STRIDE_ONE, &error), &error);
  require_ok(
      throng_agents_write(world, THRONG_COLUMN_FORMATION_PLACE, ids, FULL_AGENTS, &place, THRONG_STRIDE_ONE, &error),
      &error);
  stage_step(world, 0.02f);
  return world;
}

static uint64_t get_u64(const uint8_t *at) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

/* Checks the error of a refused value. */
static void require_named(throng_status status, const throng_error *error, throng_agent_id id, throng_column column) {
  char agent[32];
  snprintf(agent, sizeof agent, "agent %u: ", id.index);
  require_error(status, status, error);
  const bool named = strstr(error->text, agent) && strstr(error->text, throng_column_name(column)) &&
                     throng_agent_id_equal(error->agent, id);
  if (!named) print_error("%s: '%s', agent %u\n", throng_column_name(column), error->text, error->agent.index);
  assert_true(named);
}

static void require_steps(throng_world *world, throng_column column, uint32_t component, float value) {
  for (int frame = 0; frame < FRAMES; frame++) {
    throng_error error;
    const throng_status status = throng_world_step(world, frame % 2 ? 1.0f / 60.0f : 0.05f, &error);
    if (status != THRONG_OK)
      print_error("%s[%u] = %g: %s\n", throng_column_name(column), component, (double)value, error.text);
    assert_int_equal(status, THRONG_OK);
  }
}

/* Returns the number of floats that a snapshot, or a record with heights, has of a column for each agent. */
static uint32_t floats_of(throng_column column, bool spatial, bool heights) {
  const struct column_row *row = &throng_column_rows[column];
  const uint32_t components = column_components(column, spatial);
  if (row->arrays == 0 || row->flags & COLUMN_DERIVED) return 0;
  const bool lacks = column_lacks_y(row, spatial) && !(column == THRONG_COLUMN_POSITION && heights);
  return components - lacks;
}

static void every_value_of_a_snapshot(void **state) {
  (void)state;
  uint32_t refused = 0, loaded = 0;
  for (int space = 0; space < SPACES; space++) {
    throng_agent_id ids[FULL_AGENTS];
    throng_world *world = rich_world(space, ids);
    snapshot saved = snapshot_take(world);
    size_t at = 0;
    while (memcmp(saved.bytes + at, "agen", 4) != 0) at++;
    const uint64_t columns = get_u64(saved.bytes + at + HEADER);
    at += HEADER + 8 + FULL_AGENTS; /* and the groups */
    for (int number = 0; number < THRONG_COLUMN_COUNT; number++) {
      const throng_column column = (throng_column)number;
      const uint32_t floats = columns & THRONG_BIT(number) ? floats_of(column, space, columns >> 63) : 0;
      for (uint32_t k = 0; k < floats * HOSTILE; k++) {
        const uint32_t agent = k % 3 * (FULL_AGENTS - 1) / 2;
        const float value = hostile[k % HOSTILE];
        throng_error error;
        snapshot forged = snapshot_copy(&saved, saved.size);
        put(forged.bytes + at + 4 * (k / HOSTILE * FULL_AGENTS + agent), value);
        snapshot_seal(&forged);
        const throng_status status = throng_world_load_snapshot(world, forged.bytes, forged.size, &error);
        const bool direction = throng_column_rows[column].quantity[space] == QUANTITY_DIRECTION;
        assert_false(status == THRONG_OK && direction && fabsf(value) > 1.01f);
        if (status == THRONG_OK) {
          require_steps(world, column, k / (uint32_t)HOSTILE, value);
          loaded++;
        } else {
          require_named(status, &error, ids[agent], column);
          refused++;
        }
        snapshot_free(&forged);
      }
      at += 4 * (size_t)floats * FULL_AGENTS;
    }
    throng_world_destroy(world);
    snapshot_free(&saved);
  }
  printf("%u values were refused, %u loaded\n", refused, loaded);
  assert_true(refused > 500 && loaded > 200);
}

/* A world that is no piece takes records as it loads snapshots. */
static void every_value_of_a_record(void **state) {
  (void)state;
  uint32_t refused = 0, taken = 0;
  for (int space = 0; space < SPACES; space++) {
    throng_agent_id ids[FULL_AGENTS];
    throng_world *world = rich_world(space, ids);
    snapshot saved = snapshot_take(world);
    throng_view view;
    require_ok(throng_world_view(world, &view, NULL), NULL);
    const uint64_t columns = throng_piece_columns(world);
    const uint32_t element = 7;
    const throng_agent_id id = throng_view_id(&view, element);
    uint8_t record[512], forged[512];
    const size_t bytes = throng_piece_record_bytes((throng_space)space, columns);
    assert_true(bytes <= sizeof record);
    require_ok(throng_piece_pack(world, columns, &element, 1, record, NULL), NULL);
    size_t at = sizeof(throng_piece_head);
    for (int number = 0; number < THRONG_COLUMN_COUNT; number++) {
      const throng_column column = (throng_column)number;
      const uint32_t floats = columns & THRONG_BIT(number) ? floats_of(column, space, columns >> 63) : 0;
      for (uint32_t k = 0; k < floats * HOSTILE; k++) {
        const float value = hostile[k % HOSTILE];
        throng_error error;
        require_ok(throng_world_load_snapshot(world, saved.bytes, saved.size, &error), &error);
        require_ok(throng_agents_remove(world, &id, 1, &error), &error);
        memcpy(forged, record, bytes);
        put(forged + at + 4 * (size_t)(k / HOSTILE), value);
        const throng_status status = throng_piece_take(world, columns, forged, 1, true, &error);
        if (status == THRONG_OK) {
          require_steps(world, column, k / (uint32_t)HOSTILE, value);
          taken++;
        } else {
          require_named(status, &error, id, column);
          refused++;
        }
      }
      at += 4 * (size_t)floats;
    }
    assert_true(at == bytes);
    throng_world_destroy(world);
    snapshot_free(&saved);
  }
  printf("%u values were refused, %u taken\n", refused, taken);
  assert_true(refused > 500 && taken > 200);
}

/* A forged number of ids, agents, places or cells does not make a load allocate more than the file has bytes for. */
static void memory_is_bounded_by_the_file(void **state) {
  (void)state;
  for (int sparse = 0; sparse < 2; sparse++) {
    test_memory memory = {0};
    throng_world_def def = throng_default_world_def();
    const throng_group_def g = stage_idle_group();
    throng_error error;
    def.sparse_ids = sparse;
    def.allocator = test_allocator(&memory);
    throng_world *world = stage_world(&def, &g);
    stage_add(world, 2, (const throng_vec3[2]){{1, 0, 1}, {2, 0, 2}}, NULL, NULL, NULL);
    snapshot saved = snapshot_take_indexed(world);
    const uint64_t before = memory.live_bytes;
    for (size_t at = 20; at + 4 <= saved.size - 8; at++) {
      static const uint32_t numbers[] = {0x7ffffffeu, 0x40000000u, 0x00100000u, 0x0000ffffu};
      for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        snapshot forged = snapshot_copy(&saved, saved.size);
        memcpy(forged.bytes + at, &numbers[k], 4);
        snapshot_seal(&forged);
        (void)throng_world_load_snapshot(world, forged.bytes, forged.size, &error);
        if (memory.live_bytes > before + (4u << 20))
          print_error("byte %zu, number %08x: %llu bytes\n", at, numbers[k], (unsigned long long)memory.live_bytes);
        assert_true(memory.live_bytes <= before + (4u << 20));
        snapshot_free(&forged);
      }
    }
    throng_world_destroy(world);
    snapshot_free(&saved);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_value_of_a_snapshot),
      cmocka_unit_test(every_value_of_a_record),
      cmocka_unit_test(memory_is_bounded_by_the_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
