/* tests/guides/test_flow_rest.c: tests that the length of a flow field's vector is the wanted fraction of max_speed,
 * and that walkers therefore come to rest at the goals of computed fields, and where vectors point towards each other.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPEED 1.4f
#define SIDE 24
#define WALKERS 40

static uint64_t base_seed;

static throng_group_def walker(float time_to_target) {
  throng_group_def g = stage_idle_group();
  g.max_speed = SPEED;
  g.max_acceleration = 5.0f;
  group_want(&g, THRONG_BEHAVIOUR_FOLLOW_FIELD, 1.0f)->follow_field.time_to_target = time_to_target;
  return g;
}

static throng_world *field_world(const throng_group_def *g, uint32_t side, float cell, const float *vectors) {
  throng_flow_field_def field = throng_default_flow_field_def();
  throng_error error;
  throng_world *world = stage_world(NULL, g);
  field.width = field.height = side;
  field.cell = cell;
  field.vectors = vectors;
  require_ok(throng_world_set_flow_field(world, 0, &field, &error), &error);
  return world;
}

/* The largest distance that any walker moves in ten seconds, and the largest sum of its turns, in radians. */
struct unrest {
  double way, turn;
};

static struct unrest measure(throng_world *world, int rate) {
  static throng_vec3 before[WALKERS], now[WALKERS];
  static float old_yaw[WALKERS], yaw[WALKERS];
  double way[WALKERS] = {0}, turn[WALKERS] = {0};
  struct unrest most = {0.0, 0.0};
  throng_error error;
  for (int frame = 0; frame <= 10 * rate; frame++) {
    if (frame > 0) stage_step(world, 1.0f / (float)rate);
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, WALKERS, now, 0, &error), &error);
    require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, WALKERS, yaw, 0, &error), &error);
    for (int k = 0; k < WALKERS && frame > 0; k++) {
      way[k] += stage_distance(before[k], now[k]);
      turn[k] += fabs((double)(yaw[k] - old_yaw[k]));
    }
    memcpy(before, now, sizeof now);
    memcpy(old_yaw, yaw, sizeof yaw);
  }
  for (int k = 0; k < WALKERS; k++) {
    most.way = fmax(most.way, way[k]);
    most.turn = fmax(most.turn, turn[k]);
  }
  return most;
}

/* Computes a field for one goal, in an open map or between walls. Within 50 s all walkers must come to rest. */
static void rest_at_goal(float cell, float radius, int rate, bool walls, uint64_t seed) {
  static float vectors[2 * SIDE * SIDE], distance[SIDE * SIDE];
  uint8_t blocked[SIDE * SIDE] = {0};
  throng_cells_def map = throng_default_cells_def();
  const throng_flow_goal goal = {{10.5f * cell, 0, 12.5f * cell}, radius * cell};
  throng_error error;
  test_rng rng = rng_from(seed);
  for (int k = 0; walls && k < SIDE * SIDE; k++) blocked[k] = k / SIDE % 4 < 2 && k % SIDE % 10 < 8 && k % SIDE > 2;
  blocked[12 * SIDE + 10] = 0;
  map.width = map.height = SIDE;
  map.cell = cell;
  map.blocked = blocked;
  require_ok(throng_flow_field_compute(NULL, &map, &goal, 1, vectors, distance, NULL, &error), &error);
  const throng_group_def g = walker(0.3f);
  throng_world *world = field_world(&g, SIDE, cell, vectors);
  require_ok(throng_world_set_cells(world, &map, &error), &error);
  for (int k = 0; k < WALKERS;) {
    const int i = (int)rng_below(&rng, SIDE), j = (int)rng_below(&rng, SIDE);
    const throng_vec3 p = {((float)i + rng_float(&rng, 0.1f, 0.9f)) * cell, 0,
                           ((float)j + rng_float(&rng, 0.1f, 0.9f)) * cell};
    if (blocked[j * SIDE + i] || !(distance[j * SIDE + i] < fminf(10.0f * cell, 20.0f))) continue;
    stage_add(world, 1, &p, NULL, NULL, NULL);
    k++;
  }
  for (int frame = 0; frame < 50 * rate; frame++) stage_step(world, 1.0f / (float)rate);
  const struct unrest unrest = measure(world, rate);
  if (unrest.way > 0.01 || unrest.turn > 0.0) {
    fail_msg("cell %g, goal radius %g cells, %d frames per second, %s: %g m and %g rad in 10 s", (double)cell,
             (double)radius, rate, walls ? "walls" : "open", unrest.way, unrest.turn);
  }
  throng_world_destroy(world);
}

static void goals(void **state) {
  (void)state;
  static const float cells[] = {0.25f, 1.0f, 3.0f}, radii[] = {0.0f, 1.0f, 3.0f};
  static const int rates[] = {20, 60, 240};
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++)
      for (int h = 0; h < 3; h++)
        for (int walls = 0; walls < 2; walls++) rest_at_goal(cells[c], radii[r], rates[h], walls == 1, base_seed);
}

/* Tests a walker's speed in a field of equal vectors, for several lengths of the vector. */
static void lengths(void **state) {
  (void)state;
  static const float length[] = {0.3f, 0.9f, 1.0f, 7.0f}, part[] = {0.3f, 0.9f, 1.0f, 1.0f};
  for (int k = 0; k < 4; k++) {
    const float vector[2] = {0.6f * length[k], 0.8f * length[k]};
    const throng_group_def g = walker(0.1f);
    throng_world *world = field_world(&g, 1, 1.0f, vector);
    throng_agent_id id;
    stage_add(world, 1, &(throng_vec3){5, 0, 5}, NULL, NULL, &id);
    for (int frame = 0; frame < 600; frame++) stage_step(world, 1.0f / 60.0f);
    const throng_vec3 v = stage_read(world, THRONG_COLUMN_VELOCITY, id);
    assert_true(fabs(stage_length(v) - (double)(part[k] * SPEED)) < 1e-5 && fabsf(v.x * 4 - v.z * 3) < 1e-5f);
    throng_world_destroy(world);
  }
}

/* Agents come to rest where vectors point towards each other, and move away where they point apart. */
static void opposite_vectors(void **state) {
  (void)state;
  static const float meet[4] = {1, 0, -1, 0}, part[4] = {-1, 0, 1, 0};
  for (int k = 0; k < 2; k++) {
    const float row[8] = {(k ? part : meet)[0], 0, (k ? part : meet)[2], 0,
                          (k ? part : meet)[0], 0, (k ? part : meet)[2], 0};
    const throng_group_def g = walker(0.3f);
    throng_world *world = field_world(&g, 2, 1.0f, row);
    throng_agent_id ids[3];
    stage_add(world, 3, (const throng_vec3[]){{1, 0, 1}, {0.999f, 0, 1}, {1.3f, 0, 1}}, NULL, NULL, ids);
    for (int frame = 0; frame < 1200; frame++) stage_step(world, 1.0f / 60.0f);
    for (int i = 0; i < 3; i++) {
      const double speed = stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[i]));
      assert_true(k ? fabs(speed - (double)SPEED) < 1e-4 : speed < 1e-3);
    }
    throng_world_destroy(world);
  }
}

static void not_a_number(void **state) {
  (void)state;
  const throng_group_def g = walker(0.1f);
  const float even[2] = {1, 0};
  throng_world *world = field_world(&g, 1, 1.0f, even);
  throng_flow_field_def field = throng_default_flow_field_def();
  throng_error error;
  field.width = field.height = 1;
  for (int k = 0; k < 2; k++) {
    float bad[2] = {1, 1};
    bad[k] = NAN;
    field.vectors = bad;
    require_error(throng_world_set_flow_field(world, 0, &field, &error), THRONG_ERROR_NOT_FINITE, &error);
  }
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goals),
      cmocka_unit_test(lengths),
      cmocka_unit_test(opposite_vectors),
      cmocka_unit_test(not_a_number),
  };
  base_seed = test_seed("test_flow_rest", 1200);
  return cmocka_run_group_tests_name("flow_rest", tests, NULL, NULL);
}
