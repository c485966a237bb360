/* test_round_trips.c: checks that reading columns and writing the values back changes no bit. This includes the
 * directions of spatial worlds.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 600u

/* Agents that wander and turn slowly, so that every formula of the passes computes some of their directions. */
static throng_world *turning_world(throng_space space, const throng_axes *axes, uint64_t seed, throng_agent_id *ids) {
  throng_error error;
  throng_world *world = NULL;
  throng_world_def def = throng_default_world_def();
  def.space = space;
  def.axes = *axes;
  def.thread_count = 1;
  require_ok(throng_world_create(&def, &world, &error), &error);
  for (uint32_t group = 0; group < 3; group++) {
    throng_group_def g = throng_default_group_def();
    group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f)->wander.rate = 3.0f;
    if (group > 0) g.facing = THRONG_FACING_SMOOTH;
    if (group > 1) g.max_yaw_rate = 1.5f;
    require_ok(throng_world_set_group(world, group, &g, &error), &error);
  }
  test_rng rng = rng_from(seed);
  throng_vec3 p[COUNT], v[COUNT];
  uint8_t groups[COUNT];
  for (uint32_t k = 0; k < COUNT; k++) {
    const bool spatial = space == THRONG_SPACE_SPATIAL;
    p[k] = (throng_vec3){rng_float(&rng, 0, 20), rng_float(&rng, 0, 20), rng_float(&rng, 0, 20)};
    v[k] = (throng_vec3){rng_float(&rng, -1, 1), rng_float(&rng, -1, 1), rng_float(&rng, -1, 1)};
    if (!spatial) *(axes->y % 3 == 2 ? &v[k].z : &v[k].y) = 0.0f;
    groups[k] = (uint8_t)(k % 3);
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = p;
  agents.velocity.data = v;
  agents.group.data = groups;
  require_ok(throng_agents_add(world, &agents, COUNT, ids, &error), &error);
  return world;
}

static const throng_column directions[2] = {THRONG_COLUMN_FACING, THRONG_COLUMN_WANDER};

/* Reads each column and writes the values back, for all agents at once and for a part of them. */
static void write_back(throng_world *world, const throng_agent_id *ids, uint32_t count) {
  throng_error error;
  float values[3 * COUNT];
  for (int k = 0; k < 2; k++) {
    require_ok(throng_agents_read(world, directions[k], ids, count, values, 0, &error), &error);
    require_ok(throng_agents_write(world, directions[k], ids, count, values, 0, &error), &error);
  }
}

static void directions_keep_their_bits(void **state) {
  (void)state;
  const throng_axes hosts[4] = {throng_axes_own(), throng_axes_unity(), throng_axes_unreal(), throng_axes_godot()};
  for (uint64_t seed = 1; seed <= 16; seed++) {
    const throng_axes *axes = &hosts[seed / 2 % 4];
    throng_agent_id ids[COUNT];
    throng_world *world = turning_world((throng_space)(seed % 2), axes, seed, ids),
                 *untouched = turning_world((throng_space)(seed % 2), axes, seed, ids);
    for (int frame = 0; frame < 40; frame++) {
      const uint64_t before = throng_world_hash(world, STATE_COLUMNS);
      write_back(world, ids, frame % 2 ? COUNT : COUNT / 3);
      if (throng_world_hash(world, STATE_COLUMNS) != before) print_error("seed %d, frame %d\n", (int)seed, frame);
      assert_true(throng_world_hash(world, STATE_COLUMNS) == before);
      stage_step(world, 0.03f);
      stage_step(untouched, 0.03f);
    }
    assert_true(throng_world_hash(world, STATE_COLUMNS) == throng_world_hash(untouched, STATE_COLUMNS));
    throng_world_destroy(world);
    throng_world_destroy(untouched);
  }
}

static double length_of(throng_vec3 v) {
  return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

/* Unit vectors of the host are stored unchanged, whichever way their components are rounded to floats. Longer and
 * shorter vectors are normalised. */
static void only_what_is_no_unit_is_normalised(void **state) {
  (void)state;
  test_rng rng = rng_from(31);
  throng_error error;
  throng_agent_id ids[COUNT];
  const throng_axes axes = throng_axes_own();
  throng_world *world = turning_world(THRONG_SPACE_SPATIAL, &axes, 31, ids);
  for (int k = 0; k < 4000; k++) {
    const throng_vec3 v = {rng_float(&rng, -1, 1), rng_float(&rng, -1, 1), rng_float(&rng, -1, 1)};
    const float inverse = 1.0f / sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    const throng_vec3 unit = {v.x * inverse, v.y * inverse, v.z * inverse};
    for (int c = 0; c < 2; c++) {
      stage_write(world, directions[c], ids[3], unit);
      throng_vec3 got = stage_read(world, directions[c], ids[3]);
      assert_memory_equal(&got, &unit, sizeof unit);
      stage_write(world, directions[c], ids[3], v);
      got = stage_read(world, directions[c], ids[3]);
      assert_true(fabs(length_of(got) - 1.0) < 1e-6);
    }
    throng_agents_def def = throng_default_agents_def();
    throng_agent_id id;
    const throng_vec3 p = {0, 0, 0};
    def.position.data = &p;
    def.facing.data = &unit;
    require_ok(throng_agents_add(world, &def, 1, &id, &error), &error);
    const throng_vec3 facing = stage_read(world, THRONG_COLUMN_FACING, id);
    const throng_vec3 wander = stage_read(world, THRONG_COLUMN_WANDER, id);
    assert_memory_equal(&facing, &unit, sizeof unit);
    assert_memory_equal(&wander, &unit, sizeof unit);
    require_ok(throng_agents_remove(world, &id, 1, &error), &error);
  }
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(directions_keep_their_bits),
      cmocka_unit_test(only_what_is_no_unit_is_normalised),
  };
  return cmocka_run_group_tests_name("round trips", tests, NULL, NULL);
}
