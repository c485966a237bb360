/* tests/promises/test_minus_zero.c: a -0 that the host gives has the results of a +0: in every column, parameter and
 * definition. SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/full.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#include <throng/passes.h>
#include <throng/piece.h>

#include "agents/values.h"

#define SPACES 2
#define FRAMES 6
#define LONGEST_FRAME 0.05f

static throng_agent_id ids[FULL_AGENTS];

static throng_world *world_of(int space) {
  throng_world_def def = full_def((throng_space)space);
  return full_world(&def, ids);
}

static uint64_t hash_after(throng_world *world, uint64_t columns) {
  for (int frame = 0; frame < FRAMES; frame++) stage_step(world, LONGEST_FRAME / (float)(1 + frame % 3));
  const uint64_t hash = throng_world_hash(world, columns);
  throng_world_destroy(world);
  return hash;
}

/* Columns. */

/* Writes `zero` to one component of a column of half of the agents. Returns false if that is not legal. */
static bool write_zero(throng_world *world, throng_column column, uint32_t component, float zero) {
  throng_error error;
  float values[FULL_AGENTS][3];
  const uint32_t components = throng_column_components(column, throng_world_get_def(world).space);
  const size_t stride = sizeof values[0];
  require_ok(throng_agents_read(world, column, ids, FULL_AGENTS, values, stride, &error), &error);
  for (uint32_t k = 0; k < FULL_AGENTS; k += 2) {
    for (uint32_t c = 0; c < components; c++) values[k][c] = values[k][c] == values[k][c] ? values[k][c] : 1.0f;
    values[k][component] = zero;
  }
  return throng_agents_write(world, column, ids, FULL_AGENTS, values, stride, &error) == THRONG_OK;
}

static bool is_number(throng_column column) {
  return column != THRONG_COLUMN_GROUP && column != THRONG_COLUMN_TARGET && !(READ_ONLY_COLUMNS & THRONG_BIT(column));
}

static void in_columns(void **state) {
  (void)state;
  uint32_t legal = 0;
  for (int space = 0; space < SPACES; space++) {
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
      if (!is_number((throng_column)column)) continue;
      const uint32_t components = throng_column_components((throng_column)column, (throng_space)space);
      for (uint32_t c = 0; c < components; c++) {
        uint64_t hash[2];
        bool written[2];
        /* A signed value keeps its sign; what follows from it does not depend on it. */
        const uint64_t kept = value_is_magnitude(&throng_column_rows[column]) ? 0 : THRONG_BIT(column);
        for (int minus = 0; minus < 2; minus++) {
          throng_world *world = world_of(space);
          written[minus] = write_zero(world, (throng_column)column, c, minus ? -0.0f : 0.0f);
          hash[minus] = hash_after(world, STATE_COLUMNS & ~kept);
        }
        if (written[0] != written[1] || hash[0] != hash[1])
          print_error("space %d, %s[%u]: -0 differs from 0\n", space, throng_column_name((throng_column)column), c);
        assert_true(written[0] == written[1] && hash[0] == hash[1]);
        legal += written[0];
      }
    }
  }
  assert_true(legal > 40);
}

/* Magnitudes read as +0. */
static void magnitudes_are_stored_as_plus_zero(void **state) {
  (void)state;
  uint32_t tried = 0;
  for (int space = 0; space < SPACES; space++) {
    throng_world *world = world_of(space);
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
      if (!is_number((throng_column)column) || !value_is_magnitude(&throng_column_rows[column])) continue;
      if (!write_zero(world, (throng_column)column, 0, -0.0f)) continue;
      float value[3];
      throng_error error;
      require_ok(throng_agents_read(world, (throng_column)column, ids, 1, value, 0, &error), &error);
      assert_true(value[0] == 0.0f && !signbit(value[0]));
      tried++;
    }
    throng_world_destroy(world);
  }
  assert_true(tried >= 12);
}

/* Parameters. */

static uint64_t hash_of_group(int space, uint32_t group, const throng_group_def *def, throng_status *status) {
  throng_world *world = world_of(space);
  throng_error error;
  *status = throng_world_set_group(world, group, def, &error);
  const uint64_t definition = throng_piece_hash_definition(world);
  return hash_after(world, STATE_COLUMNS) ^ definition;
}

static void in_groups(void **state) {
  (void)state;
  throng_parameter p;
  uint32_t legal = 0;
  for (int space = 0; space < SPACES; space++) {
    const throng_world_def world_def = full_def((throng_space)space);
    for (uint32_t k = 0; throng_group_def_get_parameter(k, &p); k++) {
      if (p.type != THRONG_PARAMETER_FLOAT || strncmp(p.name, "pace.", 5) == 0) continue;
      throng_status status[2];
      uint64_t hash[2];
      for (int minus = 0; minus < 2; minus++) {
        throng_group_def def = full_group(&world_def, 0);
        def.avoidance.weight = def.attraction.weight = 1.0f;
        def.vehicle.turning_radius = 2.0f;
        if (k % 2) def.queue.width = 1.0f;
        throng_group_def_set_value(&def, &p, minus ? -0.0 : 0.0);
        hash[minus] = hash_of_group(space, 0, &def, &status[minus]);
      }
      if (hash[0] != hash[1]) print_error("space %d, group.%s: -0 differs from 0\n", space, p.name);
      assert_true(status[0] == status[1] && hash[0] == hash[1]);
      legal += status[0] == THRONG_OK;
    }
  }
  assert_true(legal > 60);
}

static void in_behaviours(void **state) {
  (void)state;
  throng_parameter p;
  uint32_t legal = 0;
  for (int space = 0; space < SPACES; space++) {
    const throng_world_def world_def = full_def((throng_space)space);
    for (int kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++) {
      for (uint32_t k = 0; throng_behaviour_get_parameter((throng_behaviour_kind)kind, k, &p); k++) {
        if (p.type != THRONG_PARAMETER_FLOAT) continue;
        throng_status status[2];
        uint64_t hash[2];
        for (int minus = 0; minus < 2; minus++) {
          throng_group_def def = full_group(&world_def, 0);
          def.behaviour_count = 0;
          def.facing = THRONG_FACING_STEERED;
          def.max_yaw_rate = 3.0f;
          throng_behaviour *b = throng_group_def_add(&def, (throng_behaviour_kind)kind);
          b->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {minus ? -0.0f : 0.0f, 0.0f, 30.0f}};
          b->other = b->target;
          throng_behaviour_set_value(b, &p, minus ? -0.0 : 0.0);
          hash[minus] = hash_of_group(space, 0, &def, &status[minus]);
        }
        if (hash[0] != hash[1])
          print_error("space %d, %s.%s: -0 differs from 0\n", space, throng_behaviour_name((throng_behaviour_kind)kind),
                      p.name);
        assert_true(status[0] == status[1] && hash[0] == hash[1]);
        legal += status[0] == THRONG_OK;
      }
    }
  }
  assert_true(legal > 90);
}

/* Definitions. */

/* Sets every number of the guides and of the scenery that is 0 to `zero`. */
static void set_objects(throng_world *world, int space, float zero) {
  throng_error error;
  const throng_vec3 points[3] = {{zero, zero, zero}, {20.0f, zero, zero}, {20.0f, zero, 20.0f}};
  throng_path_def path = full_path();
  path.points = (throng_span){points, 0};
  path.count = 3;
  require_ok(throng_world_set_path(world, FULL_NUMBER, &path, &error), &error);
  throng_formation_def formation = full_formation();
  formation.places = (throng_span){points, 0};
  formation.count = 3;
  require_ok(throng_world_set_formation(world, FULL_NUMBER, &formation, &error), &error);
  const throng_pattern_instruction list[2] = {{zero, 1.0f, zero, 0.1f, zero, zero, zero, zero},
                                              {zero, zero, zero, zero, zero, 1.0f, 0.1f, zero}};
  throng_pattern_def pattern = full_pattern();
  pattern.instructions = list;
  pattern.count = 2;
  require_ok(throng_world_set_pattern(world, FULL_NUMBER, &pattern, &error), &error);
  throng_flow_field_def field = throng_default_flow_field_def();
  const float vectors[8] = {zero, 1.0f, zero, zero, zero, zero, 1.0f, zero};
  field.width = field.height = 2;
  field.cell = 20.0f;
  field.origin = points[0];
  field.vectors = vectors;
  require_ok(throng_world_set_flow_field(world, FULL_NUMBER, &field, &error), &error);
  throng_attractor attractor[2] = {throng_default_attractor(), throng_default_attractor()};
  attractor[0].position = points[0];
  attractor[1].strength = zero;
  attractor[1].position = (throng_vec3){12.0f, 0.0f, 12.0f};
  throng_attractors_def attractors = {.attractors = attractor, .count = 2, .cookie = full_attractors().cookie};
  require_ok(throng_world_set_attractors(world, &attractors, &error), &error);
  throng_speed_zone zone = throng_default_speed_zone();
  zone.shape = THRONG_SPEED_ZONE_RECTANGLE;
  zone.centre = (throng_vec3){12.0f, zero, 12.0f};
  zone.yaw = zero;
  throng_speed_zones_def zones = throng_default_speed_zones_def();
  zones.zones = &zone;
  zones.count = 1;
  require_ok(throng_world_set_speed_zones(world, &zones, &error), &error);
  throng_scenery_def scenery = throng_default_scenery_def();
  const throng_vec3 low = {-1.0f, zero, zero}, high = {zero, 1.0f, 5.0f}, normal = {zero, 1.0f, zero};
  if (space == THRONG_SPACE_SPATIAL) {
    scenery.box_min = (throng_span){&low, 0};
    scenery.box_max = (throng_span){&high, 0};
    scenery.plane_normal = (throng_span){&normal, 0};
    scenery.plane_point = (throng_span){points, 0};
    scenery.box_count = scenery.plane_count = 1;
  } else {
    scenery.wall_from = (throng_span){&low, 0};
    scenery.wall_to = (throng_span){&high, 0};
    scenery.wall_count = 1;
  }
  require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
}

/* The corners of the box, the points of every guide and shape, and the length of a frame. */
static void in_definitions(void **state) {
  (void)state;
  for (int space = 0; space < SPACES; space++) {
    for (int boundary = 0; boundary <= THRONG_BOUNDARY_PERIODIC; boundary++) {
      uint64_t hash[2];
      for (int minus = 0; minus < 2; minus++) {
        const float zero = minus ? -0.0f : 0.0f;
        throng_world_def def = full_def((throng_space)space);
        throng_world_def_set_boundary(&def, (throng_boundary)boundary);
        def.box_min = (throng_vec3){zero, zero, zero};
        throng_world *world = full_world(&def, ids);
        if (boundary != THRONG_BOUNDARY_PERIODIC) set_objects(world, space, zero);
        stage_step(world, zero);
        hash[minus] = hash_after(world, STATE_COLUMNS);
      }
      assert_true(hash[0] == hash[1]);
    }
  }
}

/* Other ways in. */

static throng_world *two_pursuers(throng_agent_id of[2]) {
  throng_group_def g = stage_idle_group();
  throng_behaviour *pursue = throng_group_def_add(&g, THRONG_BEHAVIOUR_PURSUE);
  pursue->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {5.0f, 0.0f, 5.0f}};
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[2] = {{0.1f, 0.0f, 0.2f}, {0.6f, 0.0f, 0.1f}};
  stage_add(world, 2, p, NULL, NULL, of);
  for (int k = 0; k < 2; k++) stage_write(world, THRONG_COLUMN_MAX_SPEED, of[k], (throng_vec3){1.25f, 0, 0});
  require_ok(throng_world_index(world, NULL), NULL);
  return world;
}

/* Puts -0 in the place of a maximum speed of 1.25 m/s. Returns how many there were. */
static uint32_t forge_speeds(uint8_t *bytes, size_t size) {
  const float speed = 1.25f, zero = -0.0f;
  uint32_t found = 0;
  for (size_t at = 0; at + sizeof speed <= size; at++) {
    if (memcmp(bytes + at, &speed, sizeof speed) != 0) continue;
    memcpy(bytes + at, &zero, sizeof zero);
    found++;
  }
  return found;
}

static void require_standing(throng_world *world, const throng_agent_id of[2]) {
  for (int k = 0; k < 2; k++) {
    const float speed = stage_read(world, THRONG_COLUMN_MAX_SPEED, of[k]).x;
    assert_true(speed == 0.0f && !signbit(speed));
  }
  for (int frame = 0; frame < 20; frame++) stage_step(world, 1.0f / 60.0f);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, of[0])) == 0.0);
}

static void in_snapshots(void **state) {
  (void)state;
  throng_agent_id of[2];
  throng_error error;
  throng_world *world = two_pursuers(of);
  snapshot saved = snapshot_take(world);
  assert_int_equal(forge_speeds(saved.bytes, saved.size), 2);
  snapshot_seal(&saved);
  require_ok(throng_world_load_snapshot(world, saved.bytes, saved.size, &error), &error);
  require_standing(world, of);
  throng_world_destroy(world);
  snapshot_free(&saved);
}

static void in_records(void **state) {
  (void)state;
  throng_agent_id of[2];
  throng_error error;
  throng_world *world = two_pursuers(of);
  const uint32_t elements[2] = {0, 1};
  const uint64_t columns = throng_piece_columns(world);
  uint8_t records[512];
  const size_t bytes = 2 * throng_piece_record_bytes(THRONG_SPACE_PLANAR, columns);
  assert_true(bytes <= sizeof records);
  require_ok(throng_piece_pack(world, columns, elements, 2, records, &error), &error);
  assert_int_equal(forge_speeds(records, bytes), 2);
  require_ok(throng_agents_remove(world, of, 2, &error), &error);
  require_ok(throng_piece_take(world, columns, records, 2, true, &error), &error);
  require_standing(world, of);
  throng_world_destroy(world);
}

/* The passes over a host's own columns. */
static void in_host_columns(void **state) {
  (void)state;
  float acceleration[2][2][2];
  for (int minus = 0; minus < 2; minus++) {
    throng_error error;
    throng_passes *passes;
    const throng_world_def def = throng_default_world_def();
    require_ok(throng_passes_create(&def, &passes, &error), &error);
    throng_group_def g = throng_default_group_def();
    g.avoidance.weight = 1.0f;
    g.avoidance.form = THRONG_AVOIDANCE_CONE_MEAN;
    require_ok(throng_passes_set_group(passes, 0, &g, &error), &error);
    const float x[2] = {0.0f, 0.3f}, z[2] = {0.0f, 0.5f}, v[2] = {0.0f, 0.5f};
    const float zero[2] = {minus ? -0.0f : 0.0f, minus ? -0.0f : 0.0f};
    throng_passes_agents_def agents = throng_default_passes_agents_def();
    agents.count = 2;
    agents.position = (throng_vectors){.x = x, .z = z};
    agents.velocity = (throng_vectors){.x = v, .z = v};
    agents.max_speed.data = agents.body_radius.data = zero;
    require_ok(throng_passes_build_grid(passes, &agents, &error), &error);
    float *a = acceleration[minus][0], *b = acceleration[minus][1];
    const throng_passes_wishes wishes = {.acceleration = {.x = a, .z = b}};
    require_ok(throng_passes_run_neighbours(passes, 0.05f, &wishes, &error), &error);
    throng_passes_destroy(passes);
  }
  assert_memory_equal(acceleration[0], acceleration[1], sizeof acceleration[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_columns),     cmocka_unit_test(magnitudes_are_stored_as_plus_zero),
      cmocka_unit_test(in_groups),      cmocka_unit_test(in_behaviours),
      cmocka_unit_test(in_definitions), cmocka_unit_test(in_snapshots),
      cmocka_unit_test(in_records),     cmocka_unit_test(in_host_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
