/* tests/test_flow_field.c: computed flow fields against plain shortest paths and against the equation that they solve; who
 * follows one arrives and stays out of walls; fields in a world: sampling, errors, memory, the shift of origin.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/memory.h"
#include "support/random.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

#define SIDE 48
#define CELLS (SIDE * SIDE)
#define COMPUTED_HASH UINT64_C(0x24b7502ae2b5d415)

typedef struct map {
  uint32_t width, height;
  float cell, origin_x, origin_z;
  uint8_t blocked[CELLS];
  float vectors[2 * CELLS], distance[CELLS];
} map;

static throng_cells_def cells_of(const map *m) {
  throng_cells_def def = throng_default_cells_def();
  def.width = m->width;
  def.height = m->height;
  def.cell = m->cell;
  def.origin_x = m->origin_x;
  def.origin_z = m->origin_z;
  def.blocked = m->blocked;
  return def;
}
static throng_flow_field_def field_of(const map *m) {
  throng_flow_field_def def = throng_default_flow_field_def();
  def.width = m->width;
  def.height = m->height;
  def.cell = m->cell;
  def.origin_x = m->origin_x;
  def.origin_z = m->origin_z;
  def.vectors = m->vectors;
  return def;
}
static throng_flow_goal goal_in(const map *m, uint32_t cell, float radius) {
  return (throng_flow_goal){m->origin_x + ((float)(cell % m->width) + 0.5f) * m->cell,
                            m->origin_z + ((float)(cell / m->width) + 0.5f) * m->cell, radius};
}
static void compute(map *m, const throng_flow_goal *goals, uint32_t count) {
  const throng_cells_def def = cells_of(m);
  throng_error error;
  require_ok(throng_flow_field_compute(&def, goals, count, m->vectors, m->distance, NULL, &error), &error);
}

/* A maze of corridors `width` cells wide, with some walls broken down, by a random walk that goes back when it is stuck. */
static void carve_maze(test_rng *rng, map *m, uint32_t width, float broken) {
  static uint32_t trail[CELLS];
  const uint32_t pitch = width + 1, columns = (m->width - 1) / pitch, rows = (m->height - 1) / pitch;
  static uint8_t seen[CELLS];
  memset(m->blocked, 1, sizeof m->blocked);
  memset(seen, 0, sizeof seen);
  uint32_t length = 1;
  trail[0] = 0;
  seen[0] = 1;
  while (length > 0) {
    const uint32_t at = trail[length - 1], i = at % columns, j = at / columns;
    uint32_t ways[4] = {0, 1, 2, 3}, k = 0;
    rng_shuffle(rng, ways, 4);
    for (uint32_t b = 1; b <= width; b++)
      for (uint32_t a = 1; a <= width; a++) m->blocked[(j * pitch + b) * m->width + i * pitch + a] = 0;
    for (; k < 4; k++) {
      const int dx = (ways[k] == 0) - (ways[k] == 1), dz = (ways[k] == 2) - (ways[k] == 3);
      if ((int)i + dx < 0 || (int)j + dz < 0 || (int)i + dx >= (int)columns || (int)j + dz >= (int)rows) continue;
      const uint32_t next = (uint32_t)((int)j + dz) * columns + (uint32_t)((int)i + dx);
      if (seen[next] && !rng_chance(rng, broken)) continue;
      for (uint32_t b = 1; b <= width; b++)
        for (uint32_t a = 1; a <= width; a++)
          m->blocked[(uint32_t)((int)(j * pitch + b) + dz) * m->width + (uint32_t)((int)(i * pitch + a) + dx)] = 0;
      if (seen[next]) continue;
      seen[next] = 1;
      trail[length++] = next;
      break;
    }
    if (k == 4) length--;
  }
}

/* Noise, mazes, open fields and rooms, of several sizes and places. */
static void random_map(test_rng *rng, map *m, uint32_t kind) {
  static const float cells[] = {1.0f, 0.37f, 3.3f}, origins[] = {0.0f, -17.3f, 1000.1f};
  memset(m, 0, sizeof *m);
  m->width = 8 + rng_below(rng, SIDE - 7);
  m->height = 8 + rng_below(rng, SIDE - 7);
  m->cell = rng_pick(rng, cells, 3);
  m->origin_x = rng_pick(rng, origins, 3);
  m->origin_z = rng_pick(rng, origins, 3);
  const float share = rng_pick(rng, (const float[]){0.1f, 0.25f, 0.4f}, 3);
  if (kind % 4 == 0)
    for (uint32_t k = 0; k < m->width * m->height; k++) m->blocked[k] = rng_chance(rng, share);
  if (kind % 4 == 1) carve_maze(rng, m, 1 + rng_below(rng, 3), 0.02f);
  if (kind % 4 == 2) /* walls with a gap now and then */
    for (uint32_t j = 0; j < m->height; j++)
      for (uint32_t i = 0; i < m->width; i++)
        m->blocked[j * m->width + i] = (i % 7 == 3 || j % 9 == 4) && rng_chance(rng, 0.85f);
}
static uint32_t free_cell(test_rng *rng, const map *m) {
  for (;;) {
    const uint32_t cell = rng_below(rng, m->width * m->height);
    if (!m->blocked[cell]) return cell;
  }
}

static bool is_free(const map *m, int64_t i, int64_t j) {
  return i >= 0 && j >= 0 && i < m->width && j < m->height && !m->blocked[j * m->width + i];
}
/* In cells; INFINITY outside and where blocked. */
static double time_at(const map *m, int64_t i, int64_t j) {
  return is_free(m, i, j) ? (double)m->distance[j * m->width + i] / (double)m->cell : INFINITY;
}

/* Shortest ways over 4 or 8 neighbours (diagonals not past a blocked corner), by relaxing until nothing changes. */
static void relax(const map *m, uint32_t goal, bool diagonals, double *way) {
  for (uint32_t k = 0; k < m->width * m->height; k++) way[k] = k == goal ? 0.0 : INFINITY;
  for (bool changed = true; changed;) {
    changed = false;
    for (int64_t j = 0; j < m->height; j++)
      for (int64_t i = 0; i < m->width; i++)
        for (int64_t k = 0; k < 9; k++) {
          const int64_t a = i + k % 3 - 1, b = j + k / 3 - 1;
          if (!is_free(m, i, j) || !is_free(m, a, b) || !is_free(m, a, j) || !is_free(m, i, b)) continue;
          if (a != i && b != j && !diagonals) continue;
          const double through = way[b * m->width + a] + (a != i && b != j ? sqrt(2.0) : 1.0);
          if (!(through < way[j * m->width + i])) continue;
          way[j * m->width + i] = through;
          changed = true;
        }
  }
}

/* Straight lines are the lower bound; ways along the axes the upper one, and ways over eight neighbours where each diagonal
 * counts as (2 + sqrt 2) / 2, which is what one makes of its two neighbours. Those ways are at most 1 / cos(pi / 8) longer than free
 * ones, which the solution undercuts a little at most where fronts meet. In the open it is close to the straight line. */
static void distances_lie_between_their_bounds(void **state) {
  (void)state;
  static map m;
  static double four[CELLS], eight[CELLS];
  for (uint32_t round = 0; round < 80; round++) {
    const uint64_t seed = base_seed + round;
    test_rng rng = rng_from(seed);
    random_map(&rng, &m, round);
    const uint32_t goal = free_cell(&rng, &m);
    const throng_flow_goal g = goal_in(&m, goal, 0.0f);
    compute(&m, &g, 1);
    relax(&m, goal, false, four);
    relax(&m, goal, true, eight);
    for (uint32_t k = 0; k < m.width * m.height; k++) {
      const double t = time_at(&m, k % m.width, k / m.width), rounding = 1e-6 * t;
      const double straight =
          hypot((double)(k % m.width) - (double)(goal % m.width), (double)(k / m.width) - (double)(goal / m.width));
      const bool reached = four[k] < INFINITY;
      if (reached != (t < INFINITY) || (m.distance[k] == 0.0f) != (k == goal)) fail_msg("seed %" PRIu64, seed);
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

/* Each distance solves the upwind equation of its neighbours'. With several goals and areas. */
static void distances_solve_the_eikonal_equation(void **state) {
  (void)state;
  static map m;
  for (uint32_t round = 0; round < 80; round++) {
    const uint64_t seed = base_seed + 100 + round;
    test_rng rng = rng_from(seed);
    random_map(&rng, &m, round);
    throng_flow_goal goals[3];
    for (int k = 0; k < 3; k++)
      goals[k] = goal_in(&m, free_cell(&rng, &m), m.cell * rng_pick(&rng, (const float[]){0, 1.01f, 2.6f}, 3));
    compute(&m, goals, 3);
    for (int64_t j = 0; j < m.height; j++)
      for (int64_t i = 0; i < m.width; i++) {
        if (!is_free(&m, i, j)) {
          assert_true(m.distance[j * m.width + i] == INFINITY);
          continue;
        }
        bool in_goal = false;
        for (int k = 0; k < 3; k++)
          in_goal = in_goal || hypot((double)goals[k].x - (double)m.origin_x - ((double)i + 0.5) * (double)m.cell,
                                     (double)goals[k].z - (double)m.origin_z - ((double)j + 0.5) * (double)m.cell) <=
                                   fmax((double)goals[k].radius, 0.01 * (double)m.cell);
        const double t = time_at(&m, i, j), a = least(time_at(&m, i - 1, j), time_at(&m, i + 1, j)),
                     b = least(time_at(&m, i, j - 1), time_at(&m, i, j + 1));
        assert_true(in_goal == (t == 0.0));
        if (in_goal || t == INFINITY) continue;
        double wanted = least(a, b) + 1.0;
        if (fabs(a - b) < 1.0) wanted = (a + b + sqrt(2.0 - (a - b) * (a - b))) / 2.0;
        if (fabs(wanted - t) > 1e-5 * (1.0 + t)) print_error("seed %" PRIu64 ": %g, not %g\n", seed, t, wanted);
        assert_true(fabs(wanted - t) <= 1e-5 * (1.0 + t));
      }
  }
}

/* From every free cell: straight out of it along its vector into a free cell that is nearer, and so on to a goal. */
static void every_cell_leads_to_a_goal(void **state) {
  (void)state;
  static map m;
  for (uint32_t round = 0; round < 80; round++) {
    const uint64_t seed = base_seed + 200 + round;
    test_rng rng = rng_from(seed);
    random_map(&rng, &m, round);
    throng_flow_goal goals[2];
    for (int k = 0; k < 2; k++) goals[k] = goal_in(&m, free_cell(&rng, &m), m.cell * 1.5f * (float)k);
    compute(&m, goals, 2);
    for (int64_t j = 0; j < m.height; j++)
      for (int64_t i = 0; i < m.width; i++) {
        const double x = (double)m.vectors[2 * (j * m.width + i)], z = (double)m.vectors[2 * (j * m.width + i) + 1];
        const double t = time_at(&m, i, j), length = hypot(x, z);
        if (!is_free(&m, i, j)) {
          assert_true(length == 0.0 || fabs(length - 0.5) < 1e-6);
          continue;
        }
        if (t == 0.0 || t == INFINITY) {
          assert_true(x == 0.0 && z == 0.0);
          continue;
        }
        const int64_t a = i + (x > 0.0) - (x < 0.0), b = j + (z > 0.0) - (z < 0.0);
        const bool good = fabs(length - 1.0) < 1e-6 && is_free(&m, a, j) && is_free(&m, i, b) && is_free(&m, a, b) &&
                          time_at(&m, a, j) <= t && time_at(&m, i, b) <= t;
        if (!good) print_error("seed %" PRIu64 ", cell %d, %d: (%g, %g)\n", seed, (int)i, (int)j, x, z);
        assert_true(good);
      }
  }
}

static throng_world *world_of(const map *m, float radius) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  throng_error error;
  def.boundary = THRONG_BOX;
  def.perception_radius = radius;
  def.box_min = (throng_vec3){m->origin_x, 0, m->origin_z};
  def.box_max = (throng_vec3){m->origin_x + m->cell * (float)m->width, 0, m->origin_z + m->cell * (float)m->height};
  throng_world *world = stage_world(&def, &g);
  const throng_cells_def cells = cells_of(m);
  const throng_flow_field_def field = field_of(m);
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  require_ok(throng_world_set_flow_field(world, 5, &field, &error), &error);
  return world;
}

/* Somebody in every free cell that has a way, now and then near its border, walks where the sampled field points: all arrive, however
 * the corners of walls mix into it, and stay: the field has no other place to rest. */
static void walkers_arrive(void **state) {
  (void)state;
  static map m;
  static throng_vec3 p[CELLS], v[CELLS];
  for (uint32_t round = 0; round < 24; round++) {
    const uint64_t seed = base_seed + 300 + round;
    test_rng rng = rng_from(seed);
    random_map(&rng, &m, round);
    const throng_flow_goal goal = goal_in(&m, free_cell(&rng, &m), m.cell * (round % 3 ? 2.5f : 0.0f));
    compute(&m, &goal, 1);
    throng_world *world = world_of(&m, m.cell);
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
      require_ok(throng_agents_read(world, THRONG_POSITION, NULL, count, p, 0, &error), &error);
      for (uint32_t k = 0; k < count; k++) {
        throng_vec3 f;
        require_ok(throng_world_sample_flow_field(world, 5, p[k].x, p[k].z, &f, &error), &error);
        const double length = stage_length(f), scale = length > 0.0 ? step / length : 0.0;
        v[k] = (throng_vec3){(float)((double)f.x * scale), 0, (float)((double)f.z * scale)};
        const uint32_t i = (uint32_t)fmax(0.0, floor(((double)p[k].x - (double)m.origin_x) / (double)m.cell)),
                       j = (uint32_t)fmax(0.0, floor(((double)p[k].z - (double)m.origin_z) / (double)m.cell));
        const uint32_t cell = (j < m.height ? j : j - 1) * m.width + (i < m.width ? i : i - 1);
        assert_false(throng_world_is_blocked(world, p[k].x, p[k].z));
        if (m.distance[cell] <= m.cell) continue; /* round a goal of a single cell they go to and fro */
        if (frame == frames)
          print_error("seed %" PRIu64 " (%u): from cell %u still at (%g, %g) in cells, field (%g, %g)\n", seed, round,
                      k, ((double)p[k].x - (double)m.origin_x) / (double)m.cell,
                      ((double)p[k].z - (double)m.origin_z) / (double)m.cell, (double)f.x, (double)f.z);
        away++;
      }
      if (frame == frames) break;
      require_ok(throng_agents_write(world, THRONG_VELOCITY, NULL, count, v, 0, &error), &error);
      stage_step(world, 1.0f);
    }
    assert_int_equal(away, 0);
    throng_world_destroy(world);
  }
}

/* A pocket behind a wall, and the wall itself: no way, no direction. */
static void pockets_have_no_way(void **state) {
  (void)state;
  static map m;
  memset(&m, 0, sizeof m);
  m.width = 12, m.height = 5, m.cell = 2.0f;
  for (uint32_t j = 0; j < 5; j++) m.blocked[j * 12 + 7] = 1;
  const throng_flow_goal goal = {3.0f, 3.0f, 0.0f};
  compute(&m, &goal, 1);
  for (uint32_t k = 0; k < 60; k++) {
    const bool far_side = k % 12 > 7, wall = k % 12 == 7;
    assert_true((m.distance[k] == INFINITY) == (far_side || wall));
    if (far_side || wall) assert_true(m.vectors[2 * k] == 0.0f && m.vectors[2 * k + 1] == 0.0f);
  }
  assert_true(m.distance[2 * 12 + 1] == 2.0f && m.vectors[2 * (2 * 12 + 1) + 1] == -1.0f);
}

/* The bits of a computed field, for other compilers and machines to be held against. */
static void computed_bits(void **state) {
  (void)state;
  static map m;
  test_rng rng = rng_from(11);
  memset(&m, 0, sizeof m);
  m.width = m.height = SIDE, m.cell = 0.75f, m.origin_x = -3.0f;
  carve_maze(&rng, &m, 3, 0.05f);
  const throng_flow_goal goals[2] = {goal_in(&m, 1 * SIDE + 1, 2.0f), goal_in(&m, 30 * SIDE + 30, 0.0f)};
  compute(&m, goals, 2);
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint32_t k = 0; k < 3 * CELLS; k++) {
    uint32_t bits;
    memcpy(&bits, k < 2 * CELLS ? &m.vectors[k] : &m.distance[k - 2 * CELLS], sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3u;
  }
  if (hash != COMPUTED_HASH) print_error("0x%016" PRIx64 "\n", hash);
  assert_true(hash == COMPUTED_HASH);
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
  const throng_flow_goal good = {0.5f, 0.5f, 0.0f};
  throng_cells_def cells = cells_of(&m);
  throng_error error;
  const struct {
    throng_flow_goal goal;
    throng_status status;
    const char *text;
  } bad[] = {
      {{3.5f, 1.5f, 0}, THRONG_ERROR_BLOCKED, "goals[1]"},     {{6.5f, 1, 0}, THRONG_ERROR_OUT_OF_RANGE, "goals[1]"},
      {{1, -0.01f, 0}, THRONG_ERROR_OUT_OF_RANGE, "goals[1]"}, {{NAN, 1, 0}, THRONG_ERROR_NOT_FINITE, "goals[1]"},
      {{1, INFINITY, 0}, THRONG_ERROR_NOT_FINITE, "goals[1]"}, {{1, 1, -1}, THRONG_ERROR_BAD_VALUE, "goals[1].radius"},
      {{1, 1, 2e9f}, THRONG_ERROR_BAD_VALUE, "radius"},        {{1, 1, NAN}, THRONG_ERROR_NOT_FINITE, "radius"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    const throng_flow_goal goals[2] = {good, bad[k].goal};
    require_error(throng_flow_field_compute(&cells, goals, 2, m.vectors, m.distance, NULL, &error), bad[k].status,
                  &error);
    assert_non_null(strstr(error.text, bad[k].text));
  }
#define REFUSED(expected, ...) require_error(throng_flow_field_compute(__VA_ARGS__, NULL, &error), expected, &error)
  REFUSED(THRONG_ERROR_BAD_VALUE, &cells, &good, 0, m.vectors, m.distance);
  REFUSED(THRONG_ERROR_NULL_ARGUMENT, &cells, NULL, 1, m.vectors, m.distance);
  REFUSED(THRONG_ERROR_NULL_ARGUMENT, &cells, &good, 1, NULL, m.distance);
  REFUSED(THRONG_ERROR_NULL_ARGUMENT, NULL, &good, 1, m.vectors, m.distance);
  cells.cookie = 0;
  REFUSED(THRONG_ERROR_BAD_COOKIE, &cells, &good, 1, m.vectors, m.distance);
  cells = cells_of(&m);
  cells.width = 0;
  REFUSED(THRONG_ERROR_BAD_VALUE, &cells, &good, 1, m.vectors, m.distance);
  cells = cells_of(&m);
  cells.blocked = NULL;
  REFUSED(THRONG_ERROR_NULL_ARGUMENT, &cells, &good, 1, m.vectors, m.distance);
#undef REFUSED
  test_memory memory = {.fail_at = 1};
  const throng_allocator allocator = test_allocator(&memory);
  cells = cells_of(&m);
  require_error(throng_flow_field_compute(&cells, &good, 1, m.vectors, m.distance, &allocator, &error),
                THRONG_ERROR_OUT_OF_MEMORY, &error);
  assert_memory_equal(&m, &before, sizeof m);
  require_ok(throng_flow_field_compute(&cells, &good, 1, m.vectors, NULL, &allocator, &error), &error);
  assert_memory_equal(m.distance, before.distance, sizeof m.distance);
  assert_true(memory.live == 0 && memory.mistakes == 0);
}

static throng_vec3 sample(const throng_world *world, uint32_t number, float x, float z) {
  throng_vec3 v = {9, 9, 9};
  throng_error error;
  require_ok(throng_world_sample_flow_field(world, number, x, z, &v, &error), &error);
  return v;
}

/* Against the bilinear formula in double, within the rounding of a handful of float operations. */
static void samples_are_bilinear(void **state) {
  (void)state;
  static map m;
  for (uint32_t round = 0; round < 30; round++) {
    test_rng rng = rng_from(base_seed + 400 + round);
    random_map(&rng, &m, 3);
    if (round % 5 == 0) m.width = 1;
    if (round % 7 == 0) m.height = 1;
    memset(m.blocked, 0, sizeof m.blocked);
    for (uint32_t k = 0; k < 2 * m.width * m.height; k++) m.vectors[k] = rng_float(&rng, -3.0f, 3.0f);
    throng_world *world = world_of(&m, m.cell);
    for (int k = 0; k < 200; k++) {
      const double u = (double)rng_float(&rng, -3.0f, (float)m.width + 3.0f),
                   w = (double)rng_float(&rng, -3.0f, (float)m.height + 3.0f);
      const float x = (float)((double)m.origin_x + u * (double)m.cell),
                  z = (float)((double)m.origin_z + w * (double)m.cell);
      const double a = fmin(fmax(((double)x - (double)m.origin_x) / (double)m.cell - 0.5, 0.0), m.width - 1.0),
                   b = fmin(fmax(((double)z - (double)m.origin_z) / (double)m.cell - 0.5, 0.0), m.height - 1.0);
      double wanted[2] = {0, 0};
      for (uint32_t j = 0; j < m.height; j++)
        for (uint32_t i = 0; i < m.width; i++) {
          const double weight = fmax(0.0, 1.0 - fabs(a - i)) * fmax(0.0, 1.0 - fabs(b - j));
          for (int c = 0; c < 2; c++) wanted[c] += weight * (double)m.vectors[2 * (j * m.width + i) + (uint32_t)c];
        }
      const throng_vec3 v = sample(world, 5, x, z);
      /* A place is off by three roundings of at most |coordinate| / cell + samples, a sample changes by 6 at most a cell. */
      const double bound = 1e-6 + 12.0 * 1.8e-7 * ((fabs((double)x) + fabs((double)z)) / (double)m.cell + SIDE);
      assert_true(fabs((double)v.x - wanted[0]) < bound && fabs((double)v.z - wanted[1]) < bound && v.y == 0.0f);
    }
    throng_world_destroy(world);
  }
}

static void samples_at_places_that_matter(void **state) {
  (void)state;
  static map m;
  memset(&m, 0, sizeof m);
  m.width = 3, m.height = 2, m.cell = 2.0f, m.origin_x = -1.0f, m.origin_z = 10.0f;
  for (int k = 0; k < 12; k++) m.vectors[k] = (float)(k * k);
  throng_world *world = world_of(&m, 1.0f);
  for (uint32_t k = 0; k < 6; k++) {
    const throng_vec3 v = sample(world, 5, 2.0f * (float)(k % 3), 11.0f + 2.0f * (float)(k / 3));
    assert_true(v.x == m.vectors[2 * k] && v.z == m.vectors[2 * k + 1]);
  }
  const throng_vec3 corner = sample(world, 5, -1e30f, 1e30f), middle = sample(world, 5, 1.0f, 12.0f);
  assert_true(corner.x == 36.0f && corner.z == 49.0f);
  assert_true(middle.x == 0.25f * (0 + 4 + 36 + 64) && middle.z == 0.25f * (1 + 9 + 49 + 81));
  m.vectors[0] = 77.0f; /* it was copied */
  assert_true(sample(world, 5, 0.0f, 11.0f).x == 0.0f);
  throng_vec3 v, shift;
  throng_error error;
  require_error(throng_world_sample_flow_field(world, 4, 0, 0, &v, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_sample_flow_field(world, 64, 0, 0, &v, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_sample_flow_field(world, 5, NAN, 0, &v, &error), THRONG_ERROR_NOT_FINITE, &error);
  require_error(throng_world_sample_flow_field(world, 5, 0, INFINITY, &v, &error), THRONG_ERROR_NOT_FINITE, &error);
  require_error(throng_world_sample_flow_field(world, 5, 0, 0, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_sample_flow_field(NULL, 5, 0, 0, &v, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  /* The field moves with the origin. */
  require_ok(throng_world_shift_origin(world, 16, 0, -3, &shift, &error), &error);
  assert_true(sample(world, 5, 2.0f - shift.x, 13.0f - shift.z).x == 64.0f);
  throng_flow_field_def odd = field_of(&m);
  odd.origin_x = 0.1f; /* as a float not a number of centimetres, let alone so far out */
  require_ok(throng_world_set_flow_field(world, 9, &odd, &error), &error);
  require_error(throng_world_shift_origin(world, 1 << 20, 0, 0, &shift, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  assert_true(sample(world, 5, 2.0f - 4.0f, 13.0f + 3.0f).x == 64.0f);
  require_ok(throng_world_set_flow_field(world, 5, NULL, &error), &error);
  require_error(throng_world_sample_flow_field(world, 5, 0, 0, &v, &error), THRONG_ERROR_BAD_VALUE, &error);
  throng_world_destroy(world);
}

static void bad_definitions(void **state) {
  (void)state;
  static map m;
  memset(&m, 0, sizeof m);
  m.width = m.height = 2, m.cell = 1.0f;
  m.vectors[0] = 3.0f;
  throng_world *world = world_of(&m, 1.0f);
  const throng_flow_field_def good = field_of(&m);
  throng_error error;
  float vectors[8] = {0};
#define REFUSED(field, value, expected)                                                                                \
  do {                                                                                                                 \
    throng_flow_field_def d = good;                                                                                    \
    d.field = value;                                                                                                   \
    require_error(throng_world_set_flow_field(world, 5, &d, &error), expected, &error);                                \
    assert_non_null(strstr(error.text, #field));                                                                       \
    assert_true(sample(world, 5, 0.0f, 0.0f).x == 3.0f);                                                               \
  } while (0)
  REFUSED(width, 0, THRONG_ERROR_BAD_VALUE);
  REFUSED(width, 16385, THRONG_ERROR_BAD_VALUE);
  REFUSED(height, 0, THRONG_ERROR_BAD_VALUE);
  REFUSED(height, 0xffffffffu, THRONG_ERROR_BAD_VALUE);
  REFUSED(cell, 0.0f, THRONG_ERROR_BAD_VALUE);
  REFUSED(cell, 2e6f, THRONG_ERROR_BAD_VALUE);
  REFUSED(cell, NAN, THRONG_ERROR_NOT_FINITE);
  REFUSED(origin_x, INFINITY, THRONG_ERROR_NOT_FINITE);
  REFUSED(origin_z, NAN, THRONG_ERROR_NOT_FINITE);
  REFUSED(origin_x, 1e9f, THRONG_ERROR_BAD_VALUE);
  REFUSED(origin_z, -1e9f, THRONG_ERROR_BAD_VALUE);
  REFUSED(vectors, NULL, THRONG_ERROR_NULL_ARGUMENT);
  REFUSED(cookie, 0, THRONG_ERROR_BAD_COOKIE);
  vectors[5] = 2e9f;
  REFUSED(vectors, vectors, THRONG_ERROR_BAD_VALUE);
  vectors[5] = -INFINITY;
  REFUSED(vectors, vectors, THRONG_ERROR_NOT_FINITE);
  assert_non_null(strstr(error.text, "[5]"));
#undef REFUSED
  throng_flow_field_def fine = good; /* finer than floats so far out */
  fine.cell = 1e-3f;
  fine.origin_x = 1e5f;
  require_error(throng_world_set_flow_field(world, 5, &fine, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_set_flow_field(world, 64, &good, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_set_flow_field(world, 64, NULL, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_set_flow_field(NULL, 0, &good, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  throng_world_destroy(world);
}

static void memory_is_given_back(void **state) {
  (void)state;
  static map m;
  memset(&m, 0, sizeof m);
  m.width = 40, m.height = 30, m.cell = 1.0f;
  test_memory memory = {0};
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  throng_error error;
  def.space = THRONG_SPATIAL; /* fields have no height: fit for flyers too */
  def.allocator = test_allocator(&memory);
  throng_world *world = stage_world(&def, &g);
  throng_flow_field_def field = field_of(&m);
  m.vectors[0] = 1.0f;
  require_ok(throng_world_set_flow_field(world, 63, &field, &error), &error);
  require_ok(throng_world_set_flow_field(world, 0, &field, &error), &error);
  const uint64_t live = memory.live;
  m.vectors[0] = 2.0f;
  memory.fail_at = memory.calls + 1;
  require_error(throng_world_set_flow_field(world, 63, &field, &error), THRONG_ERROR_OUT_OF_MEMORY, &error);
  assert_true(memory.live == live && sample(world, 63, 0.0f, 0.0f).x == 1.0f);
  require_ok(throng_world_set_flow_field(world, 63, &field, &error), &error);
  assert_true(memory.live == live && sample(world, 63, 0.0f, 0.0f).x == 2.0f);
  require_ok(throng_world_set_flow_field(world, 63, NULL, &error), &error);
  assert_true(memory.live == live - 1);
  throng_world_destroy(world);
  assert_true(memory.live == 0 && memory.mistakes == 0);
}

/* A field that turns: right, up, and nothing in the last column. */
static throng_world *world_that_turns(throng_space space, throng_group_def g) {
  static map m;
  static const float vectors[] = {1, 0, 0, 2, 0, 0, 1, 0, 0, 2, 0, 0};
  throng_world_def def = throng_default_world_def();
  throng_error error;
  memset(&m, 0, sizeof m);
  m.width = 3, m.height = 2, m.cell = 2.0f;
  memcpy(m.vectors, vectors, sizeof vectors);
  def.space = space;
  throng_world *world = stage_world(&def, &g);
  const throng_flow_field_def field = field_of(&m);
  require_ok(throng_world_set_flow_field(world, 63, &field, &error), &error);
  return world;
}
static throng_vec3 steered(throng_world *world, throng_agent_id id) {
  throng_error error;
  require_ok(throng_steer(world, 0.01f, &error), &error);
  return stage_read(world, THRONG_ACCELERATION, id);
}

static void following(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    throng_group_def g = stage_idle_group();
    throng_error error;
    g.max_speed = 2.0f;
    g.max_acceleration = 100.0f;
    throng_behaviour *follow = throng_group_def_add(&g, THRONG_BEHAVIOUR_FOLLOW_FIELD);
    follow->follow_field.field = 63.0f;
    follow->follow_field.time_to_target = 0.5f;
    throng_world *world = world_that_turns((throng_space)space, g);
    const throng_vec3 p[4] = {{1, 5, 2}, {3, 0, -40}, {1.5f, 0, 1}, {5.5f, 0, 1}}, v = {0.5f, space ? 1.0f : 0.0f, -0.5f};
    const throng_vec3 speeds[4] = {v, v, v, v};
    throng_agent_id ids[4];
    stage_add(world, 4, p, speeds, NULL, ids);
    const float y = space ? -2.0f : 0.0f; /* a flyer's climb is damped */
    const throng_vec3 a = steered(world, ids[0]), b = steered(world, ids[1]), c = steered(world, ids[2]),
                      d = steered(world, ids[3]);
    assert_true(a.x == 3.0f && a.y == y && a.z == 1.0f);
    assert_true(b.x == -1.0f && b.z == 5.0f); /* of length 2 there, and yet max_speed */
    /* A quarter of the way from (1, 0) to (0, 2): along (3, 2). */
    assert_true(fabsf(c.x - (2.0f * 3.0f / sqrtf(13.0f) - 0.5f) * 2.0f) < 1e-5f &&
                fabsf(c.z - (2.0f * 2.0f / sqrtf(13.0f) + 0.5f) * 2.0f) < 1e-5f);
    assert_true(d.x == -1.0f && d.y == y && d.z == 1.0f); /* brakes */
    g.behaviour[0].follow_field.field = 62.0f;            /* there is none: left alone */
    require_ok(throng_group_set(world, 0, &g, &error), &error);
    assert_true(stage_length(steered(world, ids[0])) == 0.0 && stage_length(steered(world, ids[3])) == 0.0);
    g.behaviour[0].follow_field.field = 0.5f;
    require_error(throng_group_set(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
    assert_non_null(strstr(error.text, "behaviour[0].follow_field.field"));
    g.behaviour[0].follow_field.field = 64.0f;
    require_error(throng_group_set(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
    g.behaviour[0].follow_field.field = 1.0f;
    g.max_speed = INFINITY;
    require_error(throng_group_set(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
    throng_world_destroy(world);
  }
}

/* Two opposite vectors: midway between them the nearest decides, not nothing. */
static void ridges_let_nobody_rest(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.max_speed = 1.0f;
  throng_group_def_add(&g, THRONG_BEHAVIOUR_FOLLOW_FIELD);
  static map m;
  memset(&m, 0, sizeof m);
  m.width = 2, m.height = 1, m.cell = 1.0f;
  m.vectors[0] = -1.0f, m.vectors[2] = 1.0f;
  throng_world *world = stage_world(NULL, &g);
  const throng_flow_field_def field = field_of(&m);
  throng_error error;
  require_ok(throng_world_set_flow_field(world, 0, &field, &error), &error);
  const throng_vec3 p = {1.0f, 0, 0.5f};
  throng_agent_id id;
  stage_add(world, 1, &p, NULL, NULL, &id);
  assert_true(sample(world, 0, 1.0f, 0.5f).x == 1.0f);
  assert_true(steered(world, id).x > 1.0f);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_flow_field", 4100);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_lie_between_their_bounds),
      cmocka_unit_test(distances_solve_the_eikonal_equation),
      cmocka_unit_test(every_cell_leads_to_a_goal),
      cmocka_unit_test(walkers_arrive),
      cmocka_unit_test(pockets_have_no_way),
      cmocka_unit_test(computed_bits),
      cmocka_unit_test(goals_that_are_refused),
      cmocka_unit_test(samples_are_bilinear),
      cmocka_unit_test(samples_at_places_that_matter),
      cmocka_unit_test(following),
      cmocka_unit_test(ridges_let_nobody_rest),
      cmocka_unit_test(bad_definitions),
      cmocka_unit_test(memory_is_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
