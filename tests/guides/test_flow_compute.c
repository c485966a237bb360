/* tests/guides/test_flow_compute.c: tests of computed flow fields against shortest paths and against the equation that
 * they solve. Agents that follow a field reach the goal and never enter a wall. Bad goals are refused.
 * SPDX-License-Identifier: MIT */
#include "support/maps.h"
#include "support/memory.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COMPUTED_HASH UINT64_C(0x24b7502ae2b5d415)
#define RANDOM_HASH UINT64_C(0x8dc6e72062c9984f)

static uint64_t base_seed;

/* Writes to `way` each cell's shortest path to the goal, in cells, over 4 neighbours or with `diagonals` over 8. A
 * diagonal does not pass a blocked cell. */
static void relax(const map *m, uint32_t goal, bool diagonals, double *way) {
  for (uint32_t k = 0; k < m->width * m->height; k++) way[k] = k == goal ? 0.0 : INFINITY;
  for (bool changed = true; changed;) {
    changed = false;
    for (int64_t j = 0; j < m->height; j++)
      for (int64_t i = 0; i < m->width; i++)
        for (int64_t k = 0; k < 9; k++) {
          const int64_t a = i + k % 3 - 1, b = j + k / 3 - 1;
          if (!map_is_free(m, i, j) || !map_is_free(m, a, b) || !map_is_free(m, a, j) || !map_is_free(m, i, b))
            continue;
          if (a != i && b != j && !diagonals) continue;
          const double through = way[b * m->width + a] + (a != i && b != j ? sqrt(2.0) : 1.0);
          if (!(through < way[j * m->width + i])) continue;
          way[j * m->width + i] = through;
          changed = true;
        }
  }
}

/* Tests the bounds of a computed distance, in cells. It is at least the straight line and at most the shortest path
 * over 4 neighbours. It is at most 1.2072 times the shortest path over 8 neighbours, because the equation gives a
 * diagonal step the length (2 + sqrt 2) / 2 instead of sqrt 2. It is at least cos(pi / 8) times that path, minus 0.25
 * where fronts meet, because a path over 8 neighbours is at most 1 / cos(pi / 8) times as long as a path in any
 * directions. On open maps it is close to the straight line. */
static void distances_lie_between_their_bounds(void **state) {
  (void)state;
  static map m;
  static double four[MAP_CELLS], eight[MAP_CELLS];
  for (uint32_t round = 0; round < 80; round++) {
    const uint64_t seed = base_seed + round;
    test_rng rng = rng_from(seed);
    map_random(&rng, &m, round);
    const uint32_t goal = map_free_cell(&rng, &m);
    const throng_flow_goal g = map_goal(&m, goal, 0.0f);
    map_compute(&m, &g, 1);
    relax(&m, goal, false, four);
    relax(&m, goal, true, eight);
    for (uint32_t k = 0; k < m.width * m.height; k++) {
      const double t = map_time(&m, k % m.width, k / m.width), rounding = 1e-6 * t;
      const double straight =
          hypot((double)(k % m.width) - (double)(goal % m.width), (double)(k / m.width) - (double)(goal / m.width));
      const bool reached = four[k] < INFINITY;
      if (reached != (t < INFINITY) || (m.distance[k] == 0.0f) != (k == goal))
        fail_msg("seed %" PRIu64 ", cell %u: distance %g", seed, k, t);
      if (!reached) continue;
      const bool good = t >= straight - rounding && t <= four[k] + rounding && t <= eight[k] * 1.2072 &&
                        t >= eight[k] * 0.9238 - 0.25 && (round % 4 != 3 || t <= straight * 1.03 + 0.5);
      if (!good)
        print_error("seed %" PRIu64 ", cell %u: %g, straight %g, over 4 %g, over 8 %g\n", seed, k, t, straight, four[k],
                    eight[k]);
      assert_true(good);
    }
  }
}

static double least(double a, double b) { return a < b ? a : b; }

/* Whether a cell is the goal's own, or has its middle in the goal's circle. */
static bool in_circle(const map *m, const throng_flow_goal *goal, uint32_t cell) {
  const double x = ((double)goal->point.x - (double)m->origin_x) / (double)m->cell,
               z = ((double)goal->point.z - (double)m->origin_z) / (double)m->cell;
  return cell == (uint32_t)z * m->width + (uint32_t)x ||
         hypot(cell % m->width + 0.5 - x, cell / m->width + 0.5 - z) <= (double)goal->radius / (double)m->cell;
}

/* Marks the area of the goals: their own cells, and cells of a goal's circle that are connected to them within it. */
static void find_areas(const map *m, const throng_flow_goal *goals, uint32_t count, uint8_t *area) {
  memset(area, 0, MAP_CELLS);
  for (uint32_t g = 0; g < count; g++) {
    const throng_flow_goal own = {goals[g].point, 0.0f};
    for (uint32_t k = 0; k < m->width * m->height; k++) area[k] |= in_circle(m, &own, k);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < m->width * m->height; k++) {
      const uint32_t i = k % m->width, j = k / m->width;
      const uint32_t near[4] = {i > 0 ? k - 1 : k, i + 1 < m->width ? k + 1 : k, j > 0 ? k - m->width : k,
                                j + 1 < m->height ? k + m->width : k};
      for (uint32_t g = 0; g < count; g++)
        for (int side = 0; side < 4 && !area[k] && !m->blocked[k]; side++) {
          if (!area[near[side]] || !in_circle(m, &goals[g], k) || !in_circle(m, &goals[g], near[side])) continue;
          area[k] = 1;
          changed = true;
        }
    }
  }
}

/* Each distance solves the upwind equation of its neighbours' distances, also with several goals and radii. */
static void distances_solve_the_eikonal_equation(void **state) {
  (void)state;
  static map m;
  for (uint32_t round = 0; round < 80; round++) {
    const uint64_t seed = base_seed + 100 + round;
    test_rng rng = rng_from(seed);
    map_random(&rng, &m, round);
    throng_flow_goal goals[3];
    for (int k = 0; k < 3; k++)
      goals[k] = map_goal(&m, map_free_cell(&rng, &m), m.cell * rng_pick(&rng, (const float[]){0, 1.01f, 2.6f}, 3));
    map_compute(&m, goals, 3);
    static uint8_t area[MAP_CELLS];
    find_areas(&m, goals, 3, area);
    for (int64_t j = 0; j < m.height; j++)
      for (int64_t i = 0; i < m.width; i++) {
        if (!map_is_free(&m, i, j)) {
          assert_true(m.distance[j * m.width + i] == INFINITY);
          continue;
        }
        const bool in_goal = area[j * m.width + i];
        const double t = map_time(&m, i, j), a = least(map_time(&m, i - 1, j), map_time(&m, i + 1, j)),
                     b = least(map_time(&m, i, j - 1), map_time(&m, i, j + 1));
        assert_true(in_goal == (t == 0.0));
        if (in_goal || t == INFINITY) continue;
        double wanted = least(a, b) + 1.0;
        if (fabs(a - b) < 1.0) wanted = (a + b + sqrt(2.0 - (a - b) * (a - b))) / 2.0;
        if (fabs(wanted - t) > 1e-5 * (1.0 + t)) print_error("seed %" PRIu64 ": %g, not %g\n", seed, t, wanted);
        assert_true(fabs(wanted - t) <= 1e-5 * (1.0 + t));
      }
  }
}

/* The vector of each free cell points to free neighbours that are not farther from a goal. */
static void every_cell_leads_to_a_goal(void **state) {
  (void)state;
  static map m;
  for (uint32_t round = 0; round < 80; round++) {
    const uint64_t seed = base_seed + 200 + round;
    test_rng rng = rng_from(seed);
    map_random(&rng, &m, round);
    throng_flow_goal goals[2];
    for (int k = 0; k < 2; k++) goals[k] = map_goal(&m, map_free_cell(&rng, &m), m.cell * 1.5f * (float)k);
    map_compute(&m, goals, 2);
    for (int64_t j = 0; j < m.height; j++)
      for (int64_t i = 0; i < m.width; i++) {
        const double x = (double)m.vectors[2 * (j * m.width + i)], z = (double)m.vectors[2 * (j * m.width + i) + 1];
        const double t = map_time(&m, i, j), length = hypot(x, z);
        if (!map_is_free(&m, i, j)) {
          assert_true(length == 0.0 || fabs(length - 0.5) < 1e-6);
          continue;
        }
        if (t == 0.0 || t == INFINITY) {
          assert_true(x == 0.0 && z == 0.0);
          continue;
        }
        const int64_t a = i + (x > 0.0) - (x < 0.0), b = j + (z > 0.0) - (z < 0.0);
        const bool good = fabs(length - 1.0) < 1e-6 && map_is_free(&m, a, j) && map_is_free(&m, i, b) &&
                          map_is_free(&m, a, b) && map_time(&m, a, j) <= t && map_time(&m, i, b) <= t;
        if (!good) print_error("seed %" PRIu64 ", cell %d, %d: (%g, %g)\n", seed, (int)i, (int)j, x, z);
        assert_true(good);
      }
  }
}

/* An agent in each free cell from which the goal can be reached moves along the sampled field. All agents reach the
 * goal: the field has no other points of rest, although samples near walls mix vectors of several cells. */
static void walkers_arrive(void **state) {
  (void)state;
  static map m;
  static throng_vec3 p[MAP_CELLS], v[MAP_CELLS];
  for (uint32_t round = 0; round < 24; round++) {
    const uint64_t seed = base_seed + 300 + round;
    test_rng rng = rng_from(seed);
    map_random(&rng, &m, round);
    const throng_flow_goal goal = map_goal(&m, map_free_cell(&rng, &m), m.cell * (round % 3 ? 2.5f : 0.0f));
    map_compute(&m, &goal, 1);
    throng_world *world = map_world(&m, m.cell);
    throng_error error;
    uint32_t count = 0;
    double farthest = 0.0;
    for (uint32_t k = 0; k < m.width * m.height; k++) {
      if (m.blocked[k] || m.distance[k] == INFINITY) continue;
      const float low = round % 2 ? 0.02f : 0.5f, high = round % 2 ? 0.98f : 0.5f;
      p[count++] = (throng_vec3){m.origin_x + ((float)(k % m.width) + rng_float(&rng, low, high)) * m.cell, 0,
                                 m.origin_z + ((float)(k / m.width) + rng_float(&rng, low, high)) * m.cell};
      farthest = fmax(farthest, (double)m.distance[k]);
    }
    stage_add(world, count, p, NULL, NULL, NULL);
    const double step = 0.1 * (double)m.cell;
    const uint32_t frames = (uint32_t)(2.5 * farthest / step) + 50;
    uint32_t away = 0;
    for (uint32_t frame = 0; frame <= frames; frame++) {
      away = 0;
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, count, p, 0, &error), &error);
      for (uint32_t k = 0; k < count; k++) {
        throng_vec3 f;
        require_ok(throng_world_sample_flow_field(world, 5, p[k], &f, &error), &error);
        const double length = stage_length(f), scale = length > 0.0 ? step / length : 0.0;
        v[k] = (throng_vec3){(float)((double)f.x * scale), 0, (float)((double)f.z * scale)};
        const uint32_t i = (uint32_t)fmax(0.0, floor(((double)p[k].x - (double)m.origin_x) / (double)m.cell)),
                       j = (uint32_t)fmax(0.0, floor(((double)p[k].z - (double)m.origin_z) / (double)m.cell));
        const uint32_t cell = (j < m.height ? j : j - 1) * m.width + (i < m.width ? i : i - 1);
        assert_true(throng_world_is_free(world, p[k], 0));
        if (m.distance[cell] <= m.cell) continue; /* at the goal; agents may move back and forth there */
        if (frame == frames)
          print_error("seed %" PRIu64 " (%u): from cell %u still at (%g, %g) in cells, field (%g, %g)\n", seed, round,
                      k, ((double)p[k].x - (double)m.origin_x) / (double)m.cell,
                      ((double)p[k].z - (double)m.origin_z) / (double)m.cell, (double)f.x, (double)f.z);
        away++;
      }
      if (frame == frames) break;
      require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, NULL, count, v, 0, &error), &error);
      stage_step(world, 1.0f);
    }
    assert_int_equal(away, 0);
    throng_world_destroy(world);
  }
}

/* The cells of a wall without gaps, and the cells behind it, have an infinite distance and no direction. */
static void pockets_have_no_way(void **state) {
  (void)state;
  static map m;
  memset(&m, 0, sizeof m);
  m.width = 12, m.height = 5, m.cell = 2.0f;
  for (uint32_t j = 0; j < 5; j++) m.blocked[j * 12 + 7] = 1;
  const throng_flow_goal goal = {{3.0f, 0.0f, 3.0f}, 0.0f};
  map_compute(&m, &goal, 1);
  for (uint32_t k = 0; k < 60; k++) {
    const bool far_side = k % 12 > 7, wall = k % 12 == 7;
    assert_true((m.distance[k] == INFINITY) == (far_side || wall));
    if (far_side || wall) assert_true(m.vectors[2 * k] == 0.0f && m.vectors[2 * k + 1] == 0.0f);
  }
  assert_true(m.distance[2 * 12 + 1] == 2.0f && m.vectors[2 * (2 * 12 + 1) + 1] == -1.0f);
}

/* The bits of a computed field must be the same with every compiler and on every machine. */
static void computed_bits(void **state) {
  (void)state;
  static map m;
  test_rng rng = rng_from(11);
  memset(&m, 0, sizeof m);
  m.width = m.height = MAP_SIDE, m.cell = 0.75f, m.origin_x = -3.0f;
  map_carve_maze(&rng, &m, 3, 0.05f);
  const throng_flow_goal goals[2] = {map_goal(&m, 1 * MAP_SIDE + 1, 2.0f), map_goal(&m, 30 * MAP_SIDE + 30, 0.0f)};
  map_compute(&m, goals, 2);
  const uint64_t hash = map_hash(&m);
  if (hash != COMPUTED_HASH) print_error("0x%016" PRIx64 "\n", hash);
  assert_true(hash == COMPUTED_HASH);
}

/* The same of 200 random maps, some with costs. The hash was first that of fast marching with a binary heap. */
static void bits_of_random_maps(void **state) {
  (void)state;
  static map m;
  static float cost[MAP_CELLS];
  uint64_t hash = 0;
  for (uint32_t round = 0; round < 200; round++) {
    test_rng rng = rng_from(5000 + round);
    map_random(&rng, &m, round);
    throng_flow_goal goals[2];
    for (int k = 0; k < 2; k++) {
      const uint32_t cell = map_free_cell(&rng, &m); /* before the radius: compilers order arguments as they like */
      goals[k] = map_goal(&m, cell, m.cell * rng_pick(&rng, (const float[]){0, 2.6f}, 2));
    }
    for (uint32_t k = 0; k < m.width * m.height; k++) {
      cost[k] = rng_pick(&rng, (const float[]){1, 1.5f, 0.3f, 40, 0.001f}, round % 3 ? 5 : 1);
    }
    m.cost = round % 2 ? cost : NULL;
    map_compute(&m, goals, 2);
    hash = hash * 31 + map_hash(&m);
  }
  if (hash != RANDOM_HASH) print_error("0x%016" PRIx64 "\n", hash);
  assert_true(hash == RANDOM_HASH);
}

static void goals_that_are_refused(void **state) {
  (void)state;
  static map m, before;
  memset(&m, 0, sizeof m);
  m.width = 6, m.height = 4, m.cell = 1.0f;
  m.blocked[9] = 1;
  memset(m.vectors, 7, sizeof m.vectors);
  memset(m.distance, 7, sizeof m.distance);
  before = m;
  const throng_flow_goal good = {{0.5f, 0.0f, 0.5f}, 0.0f};
  throng_cells_def cells = map_cells(&m);
  throng_error error;
  const struct {
    throng_flow_goal goal;
    throng_status status;
    const char *text;
  } bad[] = {
      {{{3.5f, 0, 1.5f}, 0}, THRONG_ERROR_BLOCKED, "goals[1]"},
      {{{6.5f, 0, 1}, 0}, THRONG_ERROR_OUT_OF_RANGE, "goals[1]"},
      {{{1, 0, -0.01f}, 0}, THRONG_ERROR_OUT_OF_RANGE, "goals[1]"},
      {{{NAN, 0, 1}, 0}, THRONG_ERROR_NOT_FINITE, "goals[1]"},
      {{{1, 0, INFINITY}, 0}, THRONG_ERROR_NOT_FINITE, "goals[1]"},
      {{{1, 0, 1}, -1}, THRONG_ERROR_BAD_VALUE, "goals[1].radius"},
      {{{1, 0, 1}, 2e9f}, THRONG_ERROR_BAD_VALUE, "radius"},
      {{{1, 0, 1}, NAN}, THRONG_ERROR_NOT_FINITE, "radius"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    const throng_flow_goal goals[2] = {good, bad[k].goal};
    require_error(throng_flow_field_compute(NULL, &cells, goals, 2, m.vectors, m.distance, NULL, &error), bad[k].status,
                  &error);
    assert_non_null(strstr(error.text, bad[k].text));
  }
#define REFUSED(expected, ...)                                                                                         \
  require_error(throng_flow_field_compute(NULL, __VA_ARGS__, NULL, &error), expected, &error)
  REFUSED(THRONG_ERROR_BAD_VALUE, &cells, &good, 0, m.vectors, m.distance);
  REFUSED(THRONG_ERROR_NULL_ARGUMENT, &cells, NULL, 1, m.vectors, m.distance);
  REFUSED(THRONG_ERROR_NULL_ARGUMENT, &cells, &good, 1, NULL, m.distance);
  REFUSED(THRONG_ERROR_NULL_ARGUMENT, NULL, &good, 1, m.vectors, m.distance);
  cells.cookie = 0;
  REFUSED(THRONG_ERROR_BAD_COOKIE, &cells, &good, 1, m.vectors, m.distance);
  cells = map_cells(&m);
  cells.width = 0;
  REFUSED(THRONG_ERROR_BAD_VALUE, &cells, &good, 1, m.vectors, m.distance);
  cells = map_cells(&m);
  cells.blocked = NULL;
  REFUSED(THRONG_ERROR_NULL_ARGUMENT, &cells, &good, 1, m.vectors, m.distance);
#undef REFUSED
  test_memory memory = {.fail_at = 1};
  const throng_allocator allocator = test_allocator(&memory);
  cells = map_cells(&m);
  require_error(throng_flow_field_compute(NULL, &cells, &good, 1, m.vectors, m.distance, &allocator, &error),
                THRONG_ERROR_OUT_OF_MEMORY, &error);
  assert_memory_equal(&m, &before, sizeof m);
  require_ok(throng_flow_field_compute(NULL, &cells, &good, 1, m.vectors, NULL, &allocator, &error), &error);
  assert_memory_equal(m.distance, before.distance, sizeof m.distance);
  assert_true(memory.live == 0 && memory.mistakes == 0);
}

int main(void) {
  base_seed = test_seed("test_flow_compute", 4100);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_lie_between_their_bounds),
      cmocka_unit_test(distances_solve_the_eikonal_equation),
      cmocka_unit_test(every_cell_leads_to_a_goal),
      cmocka_unit_test(walkers_arrive),
      cmocka_unit_test(pockets_have_no_way),
      cmocka_unit_test(computed_bits),
      cmocka_unit_test(bits_of_random_maps),
      cmocka_unit_test(goals_that_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
