/* tests/agents/test_spans.c: spans of the caller's memory: packed, with a stride, and one value for all agents.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include <throng/passes.h>

#define AGENTS 300u

static throng_world *new_world(throng_space space) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  return world;
}

/* Every span of a definition, packed and as one value (THRONG_STRIDE_ONE), must give the same world. */
static void one_value_for_all(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    const throng_vec3 position = {1, 0, -2}, velocity = {0.5f, 0, 0.25f}, goal = {4, 0, 5}, ahead = {0, 0, -1};
    const float yaw = 1.5f, perception = 0.5f, body = 0.125f, mass = 70, speed = 2;
    const uint8_t group = 3;
    const void *const one[9] = {
        &position, &velocity, space ? (const void *)&ahead : &yaw, &group, &goal, &perception, &body, &mass, &speed};
    const size_t bytes[9] = {12, 12, space ? 12 : 4, 1, 12, 4, 4, 4, 4};
    static uint8_t packed[9][AGENTS * 12];
    for (int s = 0; s < 9; s++)
      for (uint32_t k = 0; k < AGENTS; k++) memcpy(&packed[s][k * bytes[s]], one[s], bytes[s]);
    uint64_t hash[2];
    for (int repeat = 0; repeat < 2; repeat++) {
      throng_world *world = new_world((throng_space)space);
      const throng_group_def g = throng_default_group_def();
      throng_agents_def def = throng_default_agents_def();
      throng_span *const span[9] = {&def.position,          &def.velocity,    &def.facing, &def.group,    &def.goal,
                                    &def.perception_radius, &def.body_radius, &def.mass,   &def.max_speed};
      throng_error error;
      require_ok(throng_world_set_group(world, group, &g, &error), &error);
      for (int s = 0; s < 9; s++)
        *span[s] = repeat ? (throng_span){one[s], THRONG_STRIDE_ONE} : (throng_span){packed[s], 0};
      require_ok(throng_agents_add(world, &def, AGENTS, NULL, &error), &error);
      hash[repeat] = throng_world_hash(world, STATE_COLUMNS);
      throng_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
  }
}

/* One value in an allocation of its size: a sanitizer reports if the library reads before or behind it. */
static void one_value_is_read_once(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR);
  throng_vec3 *position = malloc(sizeof *position);
  assert_non_null(position);
  *position = (throng_vec3){3, 0, 4};
  throng_agents_def def = throng_default_agents_def();
  def.position = (throng_span){position, THRONG_STRIDE_ONE};
  throng_error error;
  require_ok(throng_agents_add(world, &def, AGENTS, NULL, &error), &error);
  float *mass = malloc(sizeof *mass), read[AGENTS];
  assert_non_null(mass);
  *mass = 12;
  require_ok(throng_agents_write(world, THRONG_COLUMN_MASS, NULL, AGENTS, mass, THRONG_STRIDE_ONE, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_MASS, NULL, AGENTS, read, 0, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) assert_true(read[k] == 12.0f);
  *mass = -1;
  require_error(throng_agents_write(world, THRONG_COLUMN_MASS, NULL, AGENTS, mass, THRONG_STRIDE_ONE, &error),
                THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "mass[0] is -1"));
  free(mass);
  free(position);
  throng_world_destroy(world);
}

static void wrong_strides(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR);
  const throng_vec3 position[2] = {{1, 0, 1}, {2, 0, 2}};
  throng_agents_def def = throng_default_agents_def();
  def.position = (throng_span){position, 0};
  throng_error error;
  require_ok(throng_agents_add(world, &def, 2, NULL, &error), &error);
  float out[6];
  memset(out, 0x55, sizeof out);
  float before[6];
  memcpy(before, out, sizeof out);
  require_error(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, 2, out, THRONG_STRIDE_ONE, &error),
                THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "THRONG_STRIDE_ONE"));
  assert_memory_equal(out, before, sizeof out);
  require_error(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, 2, out, 11, &error), THRONG_ERROR_BAD_VALUE,
                &error);
  require_error(throng_agents_write(world, THRONG_COLUMN_POSITION, NULL, 2, out, 11, &error), THRONG_ERROR_BAD_VALUE,
                &error);
  throng_world_destroy(world);
}

/* THRONG_STRIDE_ONE in scenery, paths and formations. A path of equal points must be refused. */
static void other_spans(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR);
  const throng_vec3 centres[3] = {{1, 0, 1}, {5, 0, 5}, {9, 0, 1}}, here = {2, 0, 2};
  const float radius = 0.5f, radii[3] = {0.5f, 0.5f, 0.5f};
  throng_scenery_def scenery = throng_default_scenery_def();
  throng_error error;
  scenery.obstacle_centre = (throng_span){centres, 0};
  scenery.obstacle_count = 3;
  uint64_t hash[2];
  for (int repeat = 0; repeat < 2; repeat++) {
    scenery.obstacle_radius = repeat ? (throng_span){&radius, THRONG_STRIDE_ONE} : (throng_span){radii, 0};
    require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
    uint8_t bytes[4096];
    size_t size = 0;
    memset(bytes, 0, sizeof bytes);
    require_ok(throng_world_save_snapshot(world, bytes, sizeof bytes, &size, &error), &error);
    hash[repeat] = 0;
    for (size_t k = 0; k < size; k++) hash[repeat] = hash[repeat] * 31 + bytes[k];
  }
  assert_true(hash[0] == hash[1]);

  throng_path_def path = throng_default_path_def();
  path.points = (throng_span){&here, THRONG_STRIDE_ONE};
  path.count = 3;
  require_error(throng_world_set_path(world, 0, &path, &error), THRONG_ERROR_BAD_VALUE, &error);
  throng_formation_def formation = throng_default_formation_def();
  formation.places = (throng_span){&here, THRONG_STRIDE_ONE};
  formation.count = 5;
  require_ok(throng_world_set_formation(world, 0, &formation, &error), &error);
  assert_int_equal(throng_world_formation_place_count(world, 0), 5);
  throng_world_destroy(world);
}

/* throng_passes with spans of one value. */
static void spans_of_passes(void **state) {
  (void)state;
  const throng_world_def world_def = throng_default_world_def();
  throng_passes *passes = NULL;
  throng_error error;
  require_ok(throng_passes_create(&world_def, &passes, &error), &error);
  float place[AGENTS], rest[AGENTS] = {0};
  for (uint32_t k = 0; k < AGENTS; k++) place[k] = 0.25f * (float)k;
  throng_passes_agents_def def = throng_default_passes_agents_def();
  def.count = AGENTS;
  def.position.x = def.position.z = place;
  def.velocity.x = def.velocity.z = rest;
  const float mass = 40, perception = 0.5f;
  const uint8_t group = 2;
  const throng_group_def g = throng_default_group_def();
  require_ok(throng_passes_set_group(passes, group, &g, &error), &error);
  def.mass = (throng_span){&mass, THRONG_STRIDE_ONE};
  def.perception_radius = (throng_span){&perception, THRONG_STRIDE_ONE};
  def.group = (throng_span){&group, THRONG_STRIDE_ONE};
  require_ok(throng_passes_build_grid(passes, &def, &error), &error);
  const throng_world *world = throng_passes_get_world(passes);
  float masses[AGENTS], radii[AGENTS];
  uint8_t groups[AGENTS];
  require_ok(throng_agents_read(world, THRONG_COLUMN_MASS, NULL, AGENTS, masses, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_PERCEPTION_RADIUS, NULL, AGENTS, radii, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_GROUP, NULL, AGENTS, groups, 0, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) assert_true(masses[k] == mass && radii[k] == perception && groups[k] == group);
  /* Vectors of throng_passes have three arrays; their stride must be a multiple of a float. */
  def.position.stride = THRONG_STRIDE_ONE;
  require_error(throng_passes_build_grid(passes, &def, &error), THRONG_ERROR_BAD_VALUE, &error);
  throng_passes_destroy(passes);
}

static void ids_are_compared(void **state) {
  (void)state;
  const throng_agent_id id = {7, 2, 1};
  const throng_agent_id others[] = {{8, 2, 1}, {7, 3, 1}, {7, 2, 2}, {0, 2, 1}};
  assert_true(throng_agent_id_equal(id, (throng_agent_id){7, 2, 1}));
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    assert_false(throng_agent_id_equal(id, others[k]));
    assert_false(throng_agent_id_equal(others[k], id));
    assert_true(throng_agent_id_equal(others[k], others[k]));
  }
  assert_true(throng_agent_id_equal((throng_agent_id){0, 1, 2}, (throng_agent_id){0, 0, 0}));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_value_for_all), cmocka_unit_test(one_value_is_read_once),
                                     cmocka_unit_test(wrong_strides),     cmocka_unit_test(other_spans),
                                     cmocka_unit_test(spans_of_passes),   cmocka_unit_test(ids_are_compared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
