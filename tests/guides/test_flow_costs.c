/* tests/guides/test_flow_costs.c: tests of computed flow fields over maps whose cells have costs, and of the costs of
 * speed zones. Agents go round a swamp, or through it, whichever takes less time.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/maps.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COMPUTED_HASH UINT64_C(0xc2f89155711b0811)

static uint64_t base_seed;
static float cost[MAP_CELLS];

static void open_map(map *m, uint32_t width, uint32_t height) {
  memset(m, 0, sizeof *m);
  m->width = width;
  m->height = height;
  m->cell = 1.0f;
  m->cost = cost;
  for (uint32_t k = 0; k < MAP_CELLS; k++) cost[k] = 1.0f;
}

/* In a corridor one cell wide the distance is exactly the sum of the costs of the cells on the way. */
static void corridors_add_costs_up(void **state) {
  (void)state;
  static map m;
  for (uint32_t round = 0; round < 20; round++) {
    test_rng rng = rng_from(base_seed + round);
    open_map(&m, MAP_SIDE, 1);
    for (uint32_t k = 0; k < m.width; k++)
      cost[k] = rng_pick(&rng, (const float[]){0.001f, 0.25f, 1.0f, 7.5f, 1000}, 5);
    const uint32_t goal = rng_below(&rng, MAP_SIDE);
    const throng_flow_goal g = map_goal(&m, goal, 0.0f);
    map_compute(&m, &g, 1);
    double sum = 0.0;
    for (uint32_t k = goal; k < m.width; k++) {
      if (k > goal) sum += (double)cost[k];
      assert_true(m.distance[k] == (float)sum && m.vectors[2 * k] == (k > goal ? -1.0f : 0.0f));
    }
  }
}

static double least(double a, double b) { return a < b ? a : b; }

/* The time of a cell by the upwind equation with its neighbours' times. */
static double upwind(const map *m, const double *time, int64_t i, int64_t j) {
  const int64_t k = j * m->width + i;
  const double a = least(i > 0 ? time[k - 1] : INFINITY, i + 1 < m->width ? time[k + 1] : INFINITY),
               b = least(j > 0 ? time[k - m->width] : INFINITY, j + 1 < m->height ? time[k + m->width] : INFINITY);
  const double low = least(a, b), apart = fabs(a - b), c = (double)cost[k];
  if (low == INFINITY) return INFINITY;
  return apart < c ? 0.5 * (a + b + sqrt(2.0 * c * c - apart * apart)) : low + c;
}

/* Random maps with random costs, against a brute force: the upwind equation of every cell, again and again until no
 * time changes. Then Dijkstra's bounds: at most the sum of costs over 4 neighbours. */
static void times_are_those_of_brute_force(void **state) {
  (void)state;
  static map m;
  static double time[MAP_CELLS], four[MAP_CELLS];
  for (uint32_t round = 0; round < 80; round++) {
    const uint64_t seed = base_seed + 100 + round;
    test_rng rng = rng_from(seed);
    map_random(&rng, &m, round);
    m.cost = cost;
    const uint32_t goal = map_free_cell(&rng, &m), cells = m.width * m.height;
    for (uint32_t k = 0; k < cells; k++) {
      cost[k] = round % 2 ? rng_float(&rng, 0.25f, 4.0f) : (k / 7 % 3 == 0 ? 10.0f : 0.3f);
      time[k] = four[k] = k == goal ? 0.0 : INFINITY;
      if (m.blocked[k] && k % 3 == 0) cost[k] = NAN; /* not read */
    }
    const throng_flow_goal g = map_goal(&m, goal, 0.0f);
    map_compute(&m, &g, 1);
    for (bool changed = true; changed;) {
      changed = false;
      for (int64_t k = 0; k < cells; k++) {
        const int64_t i = k % m.width, j = k / m.width;
        if (m.blocked[k]) continue;
        const double near[4] = {i > 0 ? four[k - 1] : INFINITY, i + 1 < m.width ? four[k + 1] : INFINITY,
                                j > 0 ? four[k - m.width] : INFINITY, j + 1 < m.height ? four[k + m.width] : INFINITY};
        const double sum = least(least(near[0], near[1]), least(near[2], near[3])) + (double)cost[k];
        const double now = upwind(&m, time, i, j);
        changed |= now < time[k] || sum < four[k];
        time[k] = least(time[k], now);
        four[k] = least(four[k], sum);
      }
    }
    for (uint32_t k = 0; k < cells; k++) {
      const double t = map_time(&m, k % m.width, k / m.width);
      const bool same = t == time[k] || fabs(t - time[k]) <= 1e-6 * time[k];
      if (!m.blocked[k] && !(same && t <= four[k] * (1.0 + 1e-6)))
        fail_msg("seed %" PRIu64 ", cell %u: %.9g, brute force %.9g, over 4 %.9g", seed, k, t, time[k], four[k]);
    }
  }
}

/* Without costs and with costs of 1 the field has the same bits. With costs of 4 it has the same directions, and four
 * times the distances. */
static void equal_costs_change_no_direction(void **state) {
  (void)state;
  static map plain, m;
  for (uint32_t round = 0; round < 20; round++) {
    test_rng rng = rng_from(base_seed + 200 + round);
    map_random(&rng, &plain, round);
    const throng_flow_goal g = map_goal(&plain, map_free_cell(&rng, &plain), plain.cell * 1.5f);
    map_compute(&plain, &g, 1);
    for (float c = 1.0f; c <= 4.0f; c *= 4.0f) {
      m = plain;
      m.cost = cost;
      for (uint32_t k = 0; k < MAP_CELLS; k++) cost[k] = c;
      map_compute(&m, &g, 1);
      assert_memory_equal(m.vectors, plain.vectors, 2 * sizeof(float) * m.width * m.height);
      for (uint32_t k = 0; k < m.width * m.height; k++) assert_true(m.distance[k] == c * plain.distance[k]);
    }
  }
}

/* The least time between a point at height a above a border and one at height b below it, `across` apart, where a metre
 * below costs c: by Snell's law, found by search. */
static double refracted(double a, double b, double across, double c) {
  double low = 0.0, high = across;
  for (int k = 0; k < 200; k++) {
    const double x = low + (high - low) / 3.0, y = high - (high - low) / 3.0;
    const double tx = hypot(a, x) + c * hypot(b, across - x), ty = hypot(a, y) + c * hypot(b, across - y);
    if (tx < ty) high = y;
    if (!(tx < ty)) low = x;
  }
  return hypot(a, low) + c * hypot(b, across - low);
}

/* Ground that costs 3 beyond a straight border: times are those of refracted lines, within 5 per cent and the cost of a
 * cell, which is how well the map knows the border. */
static void borders_refract(void **state) {
  (void)state;
  static map m;
  double worst = 0.0;
  open_map(&m, MAP_SIDE, MAP_SIDE);
  for (uint32_t k = 0; k < MAP_CELLS; k++) cost[k] = k / MAP_SIDE >= 24 ? 3.0f : 1.0f;
  const throng_flow_goal g = map_goal(&m, 4 * MAP_SIDE + 4, 0.0f);
  map_compute(&m, &g, 1);
  for (uint32_t j = 26; j < MAP_SIDE; j++)
    for (uint32_t i = 4; i < MAP_SIDE; i++) {
      const double t = map_time(&m, i, j), right = refracted(24.0 - 4.5, j + 0.5 - 24.0, (double)i - 4.0, 3.0);
      worst = fmax(worst, fabs(t - right) / right);
      assert_true(fabs(t - right) <= 0.05 * right + 3.0);
    }
  print_message("refracted routes: worst error %.1f %%\n", 100.0 * worst);
}

/* A swamp of 16 by 16 m between the start and the goal, which are 40 m apart. */
static throng_speed_zone swamp_of(float factor) {
  throng_speed_zone swamp = throng_default_speed_zone();
  swamp.centre = (throng_vec3){24, 0, 20};
  swamp.shape = THRONG_SPEED_ZONE_RECTANGLE;
  swamp.width = swamp.length = 16;
  swamp.factor = factor;
  return swamp;
}

/* Walks from one side of the swamp to the other, along a field with the zone's costs or without them. Returns the time;
 * *inside is the part of it that is spent in the swamp. */
static double cross_swamp(float factor, bool with_costs, double *inside) {
  static map m;
  throng_error error;
  const throng_speed_zone swamp = swamp_of(factor);
  throng_speed_zones_def zones = throng_default_speed_zones_def();
  zones.zones = &swamp;
  zones.count = 1;
  throng_group_def g = stage_idle_group();
  g.max_speed = 1.34f;
  g.max_acceleration = 10.0f;
  group_want(&g, THRONG_BEHAVIOUR_FOLLOW_FIELD, 1.0f)->follow_field.index = 5;
  throng_world *world = stage_world(NULL, &g);
  throng_agent_id id;
  const throng_vec3 p = {4, 0, 20.3f};
  stage_add(world, 1, &p, NULL, NULL, &id);
  require_ok(throng_world_set_speed_zones(world, &zones, &error), &error);
  open_map(&m, MAP_SIDE, 40);
  throng_cells_def cells = map_cells(&m);
  if (with_costs) require_ok(throng_world_compute_zone_costs(world, &cells, 1u, cost, &error), &error);
  const throng_flow_goal goal = {{44.5f, 0, 20.5f}, 2};
  map_compute(&m, &goal, 1);
  const throng_flow_field_def field = map_field(&m);
  require_ok(throng_world_set_flow_field(world, 5, &field, &error), &error);
  double time = 0.0;
  for (*inside = 0.0; stage_read(world, THRONG_COLUMN_POSITION, id).x < 42.0f && time < 400.0; time += 0.05) {
    stage_step(world, 0.05f);
    const throng_vec3 at = stage_read(world, THRONG_COLUMN_POSITION, id);
    if (fabsf(at.x - 24) < 8 && fabsf(at.z - 20) < 8) *inside += 0.05;
  }
  throng_world_destroy(world);
  return time;
}

static void walkers_choose_the_faster_way(void **state) {
  (void)state;
  double inside;
  const double slow = cross_swamp(0.2f, false, &inside);
  assert_true(inside > 16.0 / 0.27 - 1.0);
  const double round_it = cross_swamp(0.2f, true, &inside);
  print_message("swamp of factor 0.2: straight through %.1f s, with costs %.1f s (%.1f s inside)\n", slow, round_it,
                inside);
  assert_true(round_it < 38.0 && inside < 1.0);
  const double through = cross_swamp(0.9f, true, &inside);
  print_message("swamp of factor 0.9: with costs %.1f s (%.1f s inside)\n", through, inside);
  assert_true(inside > 12.0 && through < 32.0);
}

static throng_speed_zone random_zone(test_rng *rng, uint32_t k) {
  throng_speed_zone zone = throng_default_speed_zone();
  zone.centre = (throng_vec3){rng_float(rng, -15, 25), rng_float(rng, -3, 3), rng_float(rng, -15, 25)};
  zone.shape = (throng_speed_zone_shape)(k % 2);
  zone.radius = rng_float(rng, 0.5f, 6.0f);
  zone.width = rng_float(rng, 0.5f, 3.0f);
  zone.length = rng_float(rng, 0.5f, 30.0f);
  zone.yaw = rng_float(rng, -3.0f, 3.0f);
  zone.height = rng_float(rng, 1.0f, 6.0f);
  zone.factor = rng_float(rng, 0.1f, 4.0f);
  if (k % 5 == 0) zone.mask = 1u << 7;
  return zone;
}

/* The cost of a cell is 1 / the factor that an agent in its middle has. */
static void costs_are_those_of_zones(void **state) {
  (void)state;
  enum { SIDE = 20 };
  for (uint32_t round = 0; round < 8; round++) {
    const bool spatial = round % 2, periodic = round / 2 % 2;
    test_rng rng = rng_from(base_seed + 300 + round);
    throng_world_def def = throng_default_world_def();
    throng_error error;
    def.space = spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    if (periodic) def.boundary[0] = def.boundary[2] = THRONG_BOUNDARY_PERIODIC;
    def.box_min = (throng_vec3){-15, -9, -15};
    def.box_max = (throng_vec3){25, 9, 25};
    throng_group_def g = stage_idle_group();
    g.max_speed = 8.0f;
    g.layer = 3;
    throng_world *world = stage_world(&def, &g);
    throng_speed_zone list[30];
    for (uint32_t k = 0; k < 30; k++) list[k] = random_zone(&rng, k);
    throng_speed_zones_def zones = throng_default_speed_zones_def();
    zones.zones = list;
    zones.count = 30;
    require_ok(throng_world_set_speed_zones(world, &zones, &error), &error);
    throng_cells_def cells = throng_default_cells_def();
    cells.width = cells.height = SIDE;
    cells.cell = 2.0f;
    cells.origin = (throng_vec3){periodic ? 3 : -15, 1, -15}; /* a periodic map may reach across the seam */
    require_ok(throng_world_compute_zone_costs(world, &cells, 1u << 3 | 1u << 9, cost, &error), &error);
    throng_vec3 p[SIDE * SIDE], v[SIDE * SIDE];
    throng_agent_id id[SIDE * SIDE];
    for (uint32_t k = 0; k < SIDE * SIDE; k++) {
      const float x = cells.origin.x + 2.0f * (float)(k % SIDE) + 1.0f;
      p[k] = (throng_vec3){x < 25 ? x : x - 40, 1, cells.origin.z + 2.0f * (float)(k / SIDE) + 1.0f};
      v[k] = (throng_vec3){100, 0, 0};
    }
    stage_add(world, SIDE * SIDE, p, v, NULL, id);
    stage_step(world, 1e-30f);
    uint32_t slowed = 0;
    for (uint32_t k = 0; k < SIDE * SIDE; k++) {
      const double speed = stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id[k]));
      slowed += cost[k] != 1.0f;
      if (fabs((double)cost[k] - 8.0 / speed) > 1e-5 * (double)cost[k])
        fail_msg("round %u, cell %u: cost %g, speed %g", round, k, (double)cost[k], speed);
    }
    assert_true(slowed > 20 && slowed < SIDE * SIDE);
    require_ok(throng_world_set_speed_zones(world, NULL, &error), &error);
    require_ok(throng_world_compute_zone_costs(world, &cells, THRONG_ALL_LAYERS, cost, &error), &error);
    for (uint32_t k = 0; k < SIDE * SIDE; k++) assert_true(cost[k] == 1.0f);
    throng_world_destroy(world);
  }
}

/* The bits must be the same with every compiler and on every machine. */
static void computed_bits(void **state) {
  (void)state;
  static map m;
  test_rng rng = rng_from(12);
  open_map(&m, MAP_SIDE, MAP_SIDE);
  map_carve_maze(&rng, &m, 3, 0.3f);
  for (uint32_t k = 0; k < MAP_CELLS; k++) cost[k] = rng_float(&rng, 0.1f, 9.0f);
  const throng_flow_goal goal = map_goal(&m, MAP_SIDE + 1, 2.0f);
  map_compute(&m, &goal, 1);
  if (map_hash(&m) != COMPUTED_HASH) print_error("0x%016" PRIx64 "\n", map_hash(&m));
  assert_true(map_hash(&m) == COMPUTED_HASH);
}

/* Costs out of range are refused, and name their cell; the arrays keep their values. */
static void costs_that_are_refused(void **state) {
  (void)state;
  static map m;
  const struct {
    float value;
    throng_status status;
  } bad[] = {{NAN, THRONG_ERROR_NOT_FINITE},  {INFINITY, THRONG_ERROR_NOT_FINITE}, {0.0f, THRONG_ERROR_BAD_VALUE},
             {-1.0f, THRONG_ERROR_BAD_VALUE}, {9.9e-4f, THRONG_ERROR_BAD_VALUE},   {1001.0f, THRONG_ERROR_BAD_VALUE}};
  open_map(&m, 5, 4);
  m.distance[0] = -7.0f;
  const throng_flow_goal g = map_goal(&m, 3, 0.0f);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    const throng_cells_def def = map_cells(&m);
    throng_error error;
    cost[12] = bad[k].value;
    const throng_status status = throng_flow_field_compute(NULL, &def, &g, 1, m.vectors, m.distance, NULL, &error);
    require_error(status, bad[k].status, &error);
    assert_non_null(strstr(error.text, "cells.cost[12]"));
    assert_true(m.distance[0] == -7.0f);
  }
}

int main(void) {
  base_seed = test_seed("test_flow_costs", 5077);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corridors_add_costs_up),
      cmocka_unit_test(times_are_those_of_brute_force),
      cmocka_unit_test(equal_costs_change_no_direction),
      cmocka_unit_test(borders_refract),
      cmocka_unit_test(walkers_choose_the_faster_way),
      cmocka_unit_test(costs_are_those_of_zones),
      cmocka_unit_test(computed_bits),
      cmocka_unit_test(costs_that_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
