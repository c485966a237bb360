/* tests/groups/test_gather.c: crowds that share a target wait around it: they come to rest, and leave doors free.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"
#include "support/stand.h"

#include <math.h>
#include <string.h>

static uint64_t base_seed;

#define MOST 500
typedef struct gathering {
  throng_world *world;
  uint32_t count;
  float hz;
  throng_vec3 p[MOST], before[MOST];
} gathering;

static throng_group_def walker(bool gather) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 1.4f;
  g.max_acceleration = 4.0f;
  g.body_radius = 0.25f;
  g.contact = 1.0f;
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f);
  b->arrive.slow_radius = 1.5f;
  b->arrive.target_radius = 0.05f;
  b->arrive.time_to_target = 0.5f;
  b->arrive.gather = gather;
  return g;
}

/* A room 10 m wide behind the line z = 0, with a door 1.2 m wide in the middle: of walls, or of cells. */
static void build_room(throng_world *world, bool cells) {
  static stand s;
  static uint8_t blocked[60 * 60];
  throng_cells_def map = throng_default_cells_def();
  throng_error error;
  memset(&s, 0, sizeof s);
  add_wall(&s, -5, 0, -0.6f, 0);
  add_wall(&s, 0.6f, 0, 5, 0);
  add_wall(&s, -5, 0, -5, 10);
  add_wall(&s, 5, 0, 5, 10);
  add_wall(&s, -5, 10, 5, 10);
  if (!cells) set_stand(world, &s);
  if (!cells) return;
  for (int j = 0; j < 60; j++) {
    for (int i = 0; i < 60; i++) {
      const bool front = j == 4 && i >= 4 && i <= 55 && (i < 27 || i > 32);
      blocked[j * 60 + i] = front || (j > 4 && j <= 55 && (i == 4 || i == 55)) || (j == 55 && i >= 4 && i <= 55);
    }
  }
  map.width = map.height = 60;
  map.cell = 0.2f;
  map.origin = (throng_vec3){-6, 0, -1};
  map.blocked = blocked;
  require_ok(throng_world_set_cells(world, &map, &error), &error);
}

/* Agents in a square before the line z = 0 whose goal is `depth` behind it. */
static gathering begin(uint64_t seed, uint32_t count, float hz, float depth, const throng_group_def *group, int room) {
  static gathering g;
  throng_world_def def = throng_default_world_def();
  test_rng rng = rng_from(seed);
  const float side = 0.9f * sqrtf((float)count) + 1.0f;
  def.perception_radius = 2.0f;
  def.contact_iterations = 6;
  g.world = stage_world(&def, group);
  g.count = count;
  g.hz = hz;
  if (room) build_room(g.world, room == 2);
  for (uint32_t k = 0; k < count; k++) {
    const throng_vec3 goal = {0, 0, depth};
    const throng_vec3 p = {rng_float(&rng, -0.5f, 0.5f) * side, 0, -1.1f - rng_float(&rng, 0, 1) * side};
    stage_add(g.world, 1, &p, NULL, &goal, NULL);
  }
  return g;
}

static void run(gathering *g, float seconds) {
  for (int k = 0; k < (int)(seconds * g->hz); k++) stage_step(g->world, 1.0f / g->hz);
}

/* Runs 10 s more. Returns the longest way of an agent. */
static double last_way(gathering *g) {
  static double way[MOST];
  throng_error error;
  double longest = 0;
  memset(way, 0, sizeof way);
  require_ok(throng_agents_read(g->world, THRONG_COLUMN_POSITION, NULL, g->count, g->p, 0, &error), &error);
  for (int k = 0; k < (int)(10.0f * g->hz); k++) {
    memcpy(g->before, g->p, sizeof g->p);
    stage_step(g->world, 1.0f / g->hz);
    require_ok(throng_agents_read(g->world, THRONG_COLUMN_POSITION, NULL, g->count, g->p, 0, &error), &error);
    for (uint32_t i = 0; i < g->count; i++) way[i] += stage_distance(g->p[i], g->before[i]);
  }
  for (uint32_t i = 0; i < g->count; i++) longest = way[i] > longest ? way[i] : longest;
  return longest;
}

static uint32_t inside(const gathering *g) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < g->count; i++) count += g->p[i].z > 0;
  return count;
}

static void nobody_blocks_the_door(void **state) {
  (void)state;
  static const float rates[] = {20, 60, 240};
  for (int room = 1; room <= 2; room++) {
    for (int k = 0; k < 3; k++) {
      for (uint64_t seed = base_seed; seed < base_seed + (k < 2 ? 3 : 1); seed++) {
        const throng_group_def plain = walker(false), waits = walker(true);
        gathering g = begin(seed, 40, rates[k], 1.2f, &plain, room);
        run(&g, 50);
        last_way(&g);
        const uint32_t before = inside(&g);
        throng_world_destroy(g.world);
        g = begin(seed, 40, rates[k], 1.2f, &waits, room);
        run(&g, 50);
        const double way = last_way(&g);
        print_message("%s, %g Hz, seed %u: %u of 40 inside, with gather %u; way in the last 10 s %.4f m\n",
                      room == 1 ? "walls" : "cells", (double)rates[k], (unsigned)seed, before, inside(&g), way);
        assert_true(inside(&g) == 40 && way < 0.3);
        throng_world_destroy(g.world);
      }
    }
  }
}

/* Crowds of any size come to rest, without walls too. */
static void large_crowds_come_to_rest(void **state) {
  (void)state;
  const throng_group_def waits = walker(true);
  gathering g = begin(base_seed, MOST, 60, 1.2f, &waits, 0);
  run(&g, 50);
  const double way = last_way(&g);
  double farthest = 0;
  for (uint32_t i = 0; i < g.count; i++) farthest = fmax(farthest, hypot((double)g.p[i].x, (double)g.p[i].z - 1.2));
  print_message("500 agents: way in the last 10 s %.4f m, farthest %.2f m\n", way, farthest);
  assert_true(way < 0.05);
  assert_true(farthest < 10.5); /* bodies packed as tightly as possible would need a radius of 5.9 m */
  throng_world_destroy(g.world);
}

static void crowds_in_space_come_to_rest(void **state) {
  (void)state;
  enum { COUNT = 150 };
  throng_group_def waits = walker(true);
  waits.behaviour[0].target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {1, 2, 3}};
  throng_world_def def = throng_default_world_def();
  test_rng rng = rng_from(base_seed);
  def.space = THRONG_SPACE_SPATIAL;
  def.perception_radius = 2.0f;
  def.contact_iterations = 6;
  static gathering g;
  g.world = stage_world(&def, &waits);
  g.count = COUNT;
  g.hz = 60;
  for (int k = 0; k < COUNT; k++) {
    const throng_vec3 p = {rng_float(&rng, -8, -2), rng_float(&rng, -3, 3), rng_float(&rng, -3, 3)};
    stage_add(g.world, 1, &p, NULL, NULL, NULL);
  }
  run(&g, 40);
  const double way = last_way(&g);
  double farthest = 0;
  for (uint32_t i = 0; i < g.count; i++) farthest = fmax(farthest, stage_distance(g.p[i], (throng_vec3){1, 2, 3}));
  print_message("150 agents in space: way in the last 10 s %.4f m, farthest %.2f m\n", way, farthest);
  assert_true(way < 0.05 && farthest < 4.0);
  throng_world_destroy(g.world);
}

/* Only agents with the same goal count, and an agent alone arrives as without gather. */
static void others_do_not_count(void **state) {
  (void)state;
  for (int same = 0; same < 2; same++) {
    throng_vec3 a[2];
    for (int gather = 0; gather < 2; gather++) {
      const throng_group_def g = walker(gather);
      throng_world_def def = throng_default_world_def();
      def.perception_radius = 3.0f;
      throng_world *world = stage_world(&def, &g);
      throng_error error;
      throng_agent_id id;
      const throng_vec3 p = {0, 0, 0}, v = {1, 0, 0}, goal = {1, 0, 0}, next = {1, 0, same ? 0.0f : 0.1f};
      stage_add(world, 1, &p, &v, &goal, &id);
      for (int k = 0; k < 3; k++) {
        const throng_vec3 there = {0.6f + 0.2f * (float)k, 0, 0.3f};
        stage_add(world, 1, &there, NULL, &next, NULL);
      }
      require_ok(throng_world_steer(world, 0.1f, &error), &error);
      a[gather] = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
      throng_world_destroy(world);
    }
    assert_true((a[0].x == a[1].x && a[0].z == a[1].z) == !same);
    if (same) assert_true(fabsf(a[1].x + 2) < 1e-6f); /* brakes: -v / time_to_target */
  }
}

int main(void) {
  base_seed = test_seed("gather", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nobody_blocks_the_door), cmocka_unit_test(large_crowds_come_to_rest),
      cmocka_unit_test(crowds_in_space_come_to_rest), cmocka_unit_test(others_do_not_count)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
