/* tests/tiles/test_tiles.c: compares motion on tiles with Bresenham's lines as in the books and with simple loops.
 * Checks scenario 6 of the steering catalogue, coordinates at their limits, and errors.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"

#include "reference/reference_a.h"

#include <stdlib.h>
#include <string.h>

#define AGENTS 100u
#define MOST THRONG_TILE_LIMIT

static uint64_t base_seed;

/* Agents and their targets. */
typedef struct agents {
  int32_t x[AGENTS], z[AGENTS], target_x[AGENTS], target_z[AGENTS];
  throng_tiles tiles;
  throng_tile_targets targets;
} agents;

static int32_t coordinate(test_rng *rng, int32_t most) {
  return (int32_t)rng_below(rng, 2 * (uint32_t)most + 1) - most;
}

/* Places agents and targets at random within `most` of the origin on each axis; 10 % of the coordinates are at the
 * limits. */
static void scatter(agents *a, test_rng *rng, int32_t most) {
  *a = (agents){.tiles = {a->x, a->z, AGENTS}, .targets = {a->target_x, a->target_z, AGENTS}};
  int32_t *const column[] = {a->x, a->z, a->target_x, a->target_z};
  for (uint32_t k = 0; k < 4 * AGENTS; k++) {
    const int32_t value = coordinate(rng, most);
    column[k % 4][k / 4] = rng_chance(rng, 0.1f) ? (value < 0 ? -most : most) : value;
  }
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t steps_between(throng_tile a, throng_tile b) { return larger(abs(a.x - b.x), abs(a.z - b.z)); }
static throng_tile place(const agents *a, uint32_t k) { return (throng_tile){a->x[k], a->z[k]}; }
static throng_tile target(const agents *a, uint32_t k) { return (throng_tile){a->target_x[k], a->target_z[k]}; }
static bool same(throng_tile a, throng_tile b) { return a.x == b.x && a.z == b.z; }

/* Computes Bourg & Seemann's path along a line, with a running fraction. Their row and column are z and x. */
static uint32_t book_line(throng_tile from, throng_tile to, throng_tile *tiles) {
  int64_t row = from.z, column = from.x, rows = to.z - from.z, columns = to.x - from.x, fraction;
  const int row_step = rows < 0 ? -1 : 1, column_step = columns < 0 ? -1 : 1;
  uint32_t count = 0;
  rows = 2 * llabs(rows);
  columns = 2 * llabs(columns);
  if (columns > rows) {
    for (fraction = 2 * rows - columns; column != to.x; fraction += 2 * rows) {
      if (fraction >= 0) row += row_step, fraction -= 2 * columns;
      column += column_step;
      tiles[count++] = (throng_tile){(int32_t)column, (int32_t)row};
    }
  } else {
    for (fraction = 2 * columns - rows; row != to.z; fraction += 2 * columns) {
      if (fraction >= 0) column += column_step, fraction -= 2 * rows;
      row += row_step;
      tiles[count++] = (throng_tile){(int32_t)column, (int32_t)row};
    }
  }
  return count;
}

/* Chases along axes and along lines. */

static void a_chase_takes_the_longer_difference(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed);
  throng_error error;
  for (int along_lines = 0; along_lines < 2; along_lines++) {
    agents a;
    scatter(&a, &rng, 40);
    throng_tile_walker walkers[AGENTS] = {{{0, 0}, {0, 0}}};
    int32_t needed[AGENTS];
    for (uint32_t k = 0; k < AGENTS; k++) needed[k] = steps_between(place(&a, k), target(&a, k));
    for (int32_t tick = 1; tick <= 90; tick++) {
      if (along_lines) {
        require_ok(throng_tiles_chase_line(&a.tiles, &a.targets, walkers, &error), &error);
      } else {
        require_ok(throng_tiles_chase(&a.tiles, &a.targets, &error), &error);
      }
      for (uint32_t k = 0; k < AGENTS; k++)
        assert_int_equal(steps_between(place(&a, k), target(&a, k)), larger(needed[k] - tick, 0));
    }
  }
}

static void chase_and_evade_step_along_each_axis(void **state) {
  (void)state;
  throng_error error;
  int32_t x[] = {0, 0, 0, 5, -5}, z[] = {0, 0, 0, 5, 5};
  const int32_t target_x[] = {3, -3, 0, 5, -6}, target_z[] = {1, 0, -9, 5, 7};
  const throng_tiles tiles = {x, z, 5};
  const throng_tile_targets targets = {target_x, target_z, 5};
  require_ok(throng_tiles_chase(&tiles, &targets, &error), &error);
  const int32_t nearer_x[] = {1, -1, 0, 5, -6}, nearer_z[] = {1, 0, -1, 5, 6};
  assert_memory_equal(x, nearer_x, sizeof x);
  assert_memory_equal(z, nearer_z, sizeof z);
  require_ok(throng_tiles_evade(&tiles, &targets, &error), &error);
  const int32_t farther_x[] = {0, 0, 0, 5, -6}, farther_z[] = {1, 0, 0, 5, 5};
  assert_memory_equal(x, farther_x, sizeof x);
  assert_memory_equal(z, farther_z, sizeof z);
  const throng_tile_targets common = {target_x, target_z, 1};
  require_ok(throng_tiles_chase(&tiles, &common, &error), &error);
  const int32_t common_x[] = {1, 1, 1, 4, -5}, common_z[] = {1, 1, 1, 4, 4};
  assert_memory_equal(x, common_x, sizeof x);
  assert_memory_equal(z, common_z, sizeof z);
}

/* Bresenham's lines. */

static void lines_are_the_book_s(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed + 1);
  throng_error error;
  static throng_tile line[256], book[256];
  for (uint32_t round = 0; round < 4000; round++) {
    const int32_t most = round % 2 ? 6 : 100;
    const throng_tile shift = {coordinate(&rng, MOST - 100), coordinate(&rng, MOST - 100)};
    const throng_tile a = {coordinate(&rng, most) + shift.x, coordinate(&rng, most) + shift.z},
                      b = {coordinate(&rng, most) + shift.x, coordinate(&rng, most) + shift.z};
    uint32_t count, needed;
    require_ok(throng_tiles_make_line(a, b, NULL, 0, &needed, &error), &error);
    require_ok(throng_tiles_make_line(a, b, line, 256, &count, &error), &error);
    assert_int_equal(count, steps_between(a, b));
    assert_int_equal(count, needed);
    assert_int_equal(count, book_line(a, b, book));
    assert_memory_equal(line, book, count * sizeof *line);
    const int64_t dx = b.x - a.x, dz = b.z - a.z;
    for (uint32_t k = 0; k < count; k++) { /* each tile is at most half a tile off the line: |cross| / longer <= 1/2 */
      const int64_t cross = dx * (line[k].z - a.z) - dz * (line[k].x - a.x);
      assert_true(2 * llabs(cross) <= count);
    }
  }
}

/* Compares throng_tiles_chase_line with agents that follow the book's line, and compute a new one whenever the target
 * or the agent was moved. */
static void line_chases_follow_moving_targets(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed + 2);
  throng_error error;
  static throng_tile line[AGENTS][256];
  static agents a;
  scatter(&a, &rng, 30);
  throng_tile_walker walkers[AGENTS] = {{{0, 0}, {0, 0}}};
  uint32_t count[AGENTS], at[AGENTS];
  for (uint32_t k = 0; k < AGENTS; k++) count[k] = book_line(place(&a, k), target(&a, k), line[k]), at[k] = 0;
  for (int tick = 0; tick < 300; tick++) {
    throng_tile expected[AGENTS];
    for (uint32_t k = 0; k < AGENTS; k++) {
      const throng_tile old = target(&a, k);
      const bool thrown = rng_chance(&rng, 0.02f);
      if (rng_chance(&rng, 0.1f)) a.target_x[k] = coordinate(&rng, 30), a.target_z[k] = coordinate(&rng, 30);
      if (thrown) a.x[k] = 100; /* moves the agent off its line */
      if (thrown || !same(old, target(&a, k))) count[k] = book_line(place(&a, k), target(&a, k), line[k]), at[k] = 0;
      expected[k] = at[k] < count[k] ? line[k][at[k]++] : place(&a, k);
    }
    require_ok(throng_tiles_chase_line(&a.tiles, &a.targets, walkers, &error), &error);
    for (uint32_t k = 0; k < AGENTS; k++) assert_true(same(place(&a, k), expected[k]));
  }
}

/* Routes. */

static void the_rectangle_closes_and_repeats(void **state) {
  (void)state;
  throng_error error;
  const throng_tile corner[] = {{10, 3}, {18, 3}, {18, 12}, {10, 12}};
  throng_tile route[40], open[40];
  uint32_t count, open_count, one;
  require_ok(throng_tiles_make_route(corner, 4, true, route, 40, &count, &error), &error);
  require_ok(throng_tiles_make_route(corner, 4, false, open, 40, &open_count, &error), &error);
  require_ok(throng_tiles_make_route(corner, 1, true, NULL, 0, &one, &error), &error);
  assert_int_equal(count, 34);
  assert_int_equal(open_count, 26);
  assert_int_equal(one, 1);
  assert_memory_equal(route, open, sizeof *open * open_count);
  const throng_tile first = {0, 0}, last = {0, 1};
  assert_true(same(route[0], first) && same(route[33], last));
  uint32_t corners = 0;
  for (uint32_t k = 0; k < count; k++) {
    const throng_tile now = route[k], next = route[(k + 1) % count];
    assert_int_equal(abs(now.x - next.x) + abs(now.z - next.z), 1);
    for (int c = 0; c < 4; c++) corners += now.x == corner[c].x - 10 && now.z == corner[c].z - 3;
  }
  assert_int_equal(corners, 4);

  static agents a;
  test_rng rng = rng_from(base_seed + 3);
  uint32_t phase[AGENTS];
  scatter(&a, &rng, 1000);
  for (uint32_t k = 0; k < AGENTS; k++) phase[k] = k < 50 ? k : (uint32_t)rng_next(&rng);
  throng_tile_time time = {.phase = phase};
  for (time.tick = 0; time.tick < 200; time.tick++) {
    require_ok(throng_tiles_play_route(&a.tiles, &a.targets, route, count, time, &error), &error);
    for (uint32_t k = 0; k < AGENTS; k++) {
      const throng_tile way = route[(phase[k] + time.tick) % 34];
      assert_true(a.x[k] == a.target_x[k] + way.x && a.z[k] == a.target_z[k] + way.z);
    }
  }
  time = (throng_tile_time){.tick = UINT64_MAX, .phase = phase, .once = true};
  require_ok(throng_tiles_play_route(&a.tiles, &a.targets, open, open_count, time, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++)
    assert_true(a.x[k] == a.target_x[k] && a.z[k] == a.target_z[k] + 9); /* the corner (10, 12) */
  time = (throng_tile_time){.tick = UINT64_MAX, .phase = NULL};
  require_ok(throng_tiles_play_route(&a.tiles, &a.targets, route, count, time, &error), &error);
  const throng_tile way = route[UINT64_MAX % 34];
  assert_true(a.x[7] == a.target_x[7] + way.x && a.z[7] == a.target_z[7] + way.z);
}

/* Plays a square of right turns, and random steps that are compared with a simple loop. */
static void steps_turn_and_go(void **state) {
  (void)state;
  throng_error error;
  const throng_tile_step square[] = {{0, 2}, {0, 1}, {2, 1}, {0, 2}, {2, 3}, {2, 3}, {2, 0}};
  int32_t x[] = {5}, z[] = {-5};
  uint8_t heading[] = {0};
  const throng_tiles one = {x, z, 1};
  const int32_t wanted[][2] = {{5, -3}, {5, -2}, {4, -2}, {2, -2}, {2, -5}, {5, -5}, {5, -5}};
  for (uint32_t tick = 0; tick < 70; tick++) { /* +z, then its right, -x */
    require_ok(throng_tiles_play_steps(&one, heading, square, 7, (throng_tile_time){.tick = tick}, &error), &error);
    assert_true(x[0] == wanted[tick % 7][0] && z[0] == wanted[tick % 7][1]);
  }
  for (uint32_t tick = 0; tick < 9; tick++) {
    const throng_tile_time once = {.tick = tick, .once = true};
    require_ok(throng_tiles_play_steps(&one, heading, square, 2, once, &error), &error);
    assert_int_equal(z[0], tick == 0 ? -3 : -2);
  }

  static const int dx[] = {0, 1, 1, 1, 0, -1, -1, -1}, dz[] = {1, 1, 0, -1, -1, -1, 0, 1};
  static agents a, before;
  test_rng rng = rng_from(base_seed + 4);
  throng_tile_step pattern[13];
  uint8_t headings[AGENTS], old[AGENTS];
  uint32_t phase[AGENTS];
  scatter(&a, &rng, 1000);
  for (int k = 0; k < 13; k++)
    pattern[k] = (throng_tile_step){(int8_t)rng_below(&rng, 256), (int8_t)rng_below(&rng, 256)};
  for (uint32_t k = 0; k < AGENTS; k++) phase[k] = rng_below(&rng, 40), headings[k] = (uint8_t)rng_below(&rng, 8);
  for (uint32_t tick = 0; tick < 60; tick++) {
    before = a;
    memcpy(old, headings, sizeof old);
    const throng_tile_time time = {.tick = tick, .phase = phase};
    require_ok(throng_tiles_play_steps(&a.tiles, headings, pattern, 13, time, &error), &error);
    for (uint32_t k = 0; k < AGENTS; k++) {
      const throng_tile_step s = pattern[(tick + phase[k]) % 13];
      const int h = (old[k] + 1024 - s.right) % 8;
      assert_true(headings[k] == h && a.x[k] == before.x[k] + s.step * dx[h] && a.z[k] == before.z[k] + s.step * dz[h]);
    }
  }
}

/* Track wandering. */

#define SIDE 24u

typedef struct walk {
  uint8_t mask[SIDE * SIDE];
  throng_tile_track track;
  int32_t x[AGENTS], z[AGENTS], previous_x[AGENTS], previous_z[AGENTS];
  throng_tiles tiles, previous;
} walk;

static bool on_track(const walk *w, int32_t x, int32_t z) {
  return x >= 0 && z >= 0 && x < (int32_t)SIDE && z < (int32_t)SIDE && w->mask[z * (int32_t)SIDE + x] != 0;
}

/* Makes a random part of the tiles the track. share: this fraction of all tiles. Places agents on the track; they have
 * no earlier tile yet. */
static void lay_track(walk *w, test_rng *rng, float share) {
  *w = (walk){.track = {w->mask, SIDE, SIDE},
              .tiles = {w->x, w->z, AGENTS},
              .previous = {w->previous_x, w->previous_z, AGENTS}};
  w->mask[0] = 1;
  for (uint32_t k = 0; k < SIDE * SIDE; k++)
    if (rng_chance(rng, share)) w->mask[k] = (uint8_t)(1 + rng_below(rng, 255));
  for (uint32_t k = 0; k < AGENTS; k++) {
    while (!on_track(w, w->x[k], w->z[k]))
      w->x[k] = (int32_t)rng_below(rng, SIDE), w->z[k] = (int32_t)rng_below(rng, SIDE);
    w->previous_x[k] = w->x[k];
    w->previous_z[k] = w->z[k];
  }
}

/* Computes an agent's next tile by the documented formula. draw(0) chooses among the exits in the order of headings,
 * except the one from which the agent came. At a dead end the agent turns back. */
static throng_tile plain_wander(const walk *w, uint32_t k, throng_tile_draws draws) {
  static const int dx[] = {0, 1, 1, 1, 0, -1, -1, -1}, dz[] = {1, 1, 0, -1, -1, -1, 0, 1};
  const throng_tile at = {w->x[k], w->z[k]}, before = {w->previous_x[k], w->previous_z[k]};
  throng_tile open[8];
  int exits = 0, ways = 0;
  for (int h = 0; h < 8; h++) {
    const throng_tile t = {at.x + dx[h], at.z + dz[h]};
    if (!on_track(w, t.x, t.z)) continue;
    ways++;
    if (!same(t, before)) open[exits++] = t;
  }
  if (exits == 0) return ways ? before : at;
  const float u = ref_a_draw(draws.seed, (throng_agent_id){.index = draws.first + k}, draws.tick, 0);
  return open[(int)(u * (float)exits)];
}

static void wanderers_keep_to_the_track(void **state) {
  (void)state;
  throng_error error;
  for (uint32_t round = 0; round < 12; round++) {
    static walk w;
    test_rng rng = rng_from(base_seed + 5 + round);
    lay_track(&w, &rng, round % 4 == 0 ? 0.02f : round % 4 == 1 ? 0.25f : round % 4 == 2 ? 0.6f : 1.0f);
    throng_tile_draws draws = {.seed = rng_next(&rng), .tick = rng_next(&rng), .first = (uint32_t)rng_next(&rng)};
    for (int tick = 0; tick < 200; tick++, draws.tick++) {
      throng_tile expected[AGENTS], before[AGENTS], at[AGENTS];
      for (uint32_t k = 0; k < AGENTS; k++) {
        expected[k] = plain_wander(&w, k, draws);
        before[k] = (throng_tile){w.previous_x[k], w.previous_z[k]};
        at[k] = (throng_tile){w.x[k], w.z[k]};
      }
      require_ok(throng_tiles_wander(&w.tiles, &w.previous, &w.track, draws, &error), &error);
      for (uint32_t k = 0; k < AGENTS; k++) {
        const throng_tile now = {w.x[k], w.z[k]};
        assert_true(same(now, expected[k]) && on_track(&w, now.x, now.z) && steps_between(at[k], now) <= 1);
        assert_true(w.previous_x[k] == at[k].x && w.previous_z[k] == at[k].z);
        if (same(at[k], now) || !same(now, before[k])) continue;
        uint32_t ways = 0; /* an agent may turn back only at a dead end */
        for (int32_t z = at[k].z - 1; z <= at[k].z + 1; z++)
          for (int32_t x = at[k].x - 1; x <= at[k].x + 1; x++) ways += on_track(&w, x, z);
        assert_int_equal(ways, 2);
      }
    }
  }
}

/* Four dead ends of two tiles meet at a crossing. Agents from each of them must take each of the other three about
 * equally often. */
static void wanderers_use_every_exit(void **state) {
  (void)state;
  throng_error error;
  static walk w;
  uint32_t taken[4][4] = {{0}};
  int from[AGENTS];
  test_rng rng = rng_from(base_seed + 20);
  lay_track(&w, &rng, 0.0f);
  static const int way_x[] = {1, -1, 1, -1}, way_z[] = {1, 1, -1, -1}; /* diagonals: they touch only at the crossing */
  w.mask[5 * SIDE + 5] = 1;
  for (int way = 0; way < 4; way++)
    for (int far = 1; far <= 2; far++) w.mask[(5 + far * way_z[way]) * (int)SIDE + 5 + far * way_x[way]] = 1;
  for (uint32_t k = 0; k < AGENTS; k++) w.x[k] = w.z[k] = w.previous_x[k] = w.previous_z[k] = 5, from[k] = -1;
  for (uint64_t tick = 0; tick < 2000; tick++) {
    require_ok(throng_tiles_wander(&w.tiles, &w.previous, &w.track, (throng_tile_draws){42, tick, 0}, &error), &error);
    for (uint32_t k = 0; k < AGENTS; k++) {
      for (int way = 0; way < 4; way++) {
        if (w.x[k] != 5 + 2 * way_x[way] || w.z[k] != 5 + 2 * way_z[way]) continue;
        if (from[k] >= 0) taken[from[k]][way]++;
        from[k] = way;
      }
    }
  }
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++) assert_true(a == b ? taken[a][b] == 0 : abs((int)taken[a][b] - 4166) < 350);
}

/* Several calls for parts of the agents, in any order, must have the same result as one call for all. */
static void pieces_make_the_whole(void **state) {
  (void)state;
  throng_error error;
  static walk whole, parts;
  test_rng rng = rng_from(base_seed + 21);
  lay_track(&whole, &rng, 0.4f);
  parts = whole;
  for (uint64_t tick = 0; tick < 50; tick++) {
    require_ok(
        throng_tiles_wander(&whole.tiles, &whole.previous, &whole.track, (throng_tile_draws){7, tick, 0}, &error),
        &error);
    const uint32_t cut[] = {0, 1, 37, AGENTS};
    for (int p = 2; p >= 0; p--) {
      const uint32_t first = cut[p], count = cut[p + 1] - first;
      const throng_tiles tiles = {parts.x + first, parts.z + first, count},
                         previous = {parts.previous_x + first, parts.previous_z + first, count};
      require_ok(throng_tiles_wander(&tiles, &previous, &whole.track, (throng_tile_draws){7, tick, first}, &error),
                 &error);
    }
    assert_memory_equal(whole.x, parts.x, sizeof whole.x);
    assert_memory_equal(whole.z, parts.z, sizeof whole.z);
  }
}

/* Agents at the limits of tile coordinates. */
static void nobody_leaves_the_limits(void **state) {
  (void)state;
  throng_error error;
  test_rng rng = rng_from(base_seed + 22);
  static agents a;
  scatter(&a, &rng, MOST);
  throng_tile_walker walkers[AGENTS] = {{{0, 0}, {0, 0}}};
  for (int tick = 0; tick < 50; tick++) {
    throng_tile before[AGENTS];
    for (uint32_t k = 0; k < AGENTS; k++) before[k] = place(&a, k);
    require_ok(throng_tiles_chase_line(&a.tiles, &a.targets, walkers, &error), &error);
    for (uint32_t k = 0; k < AGENTS; k++) {
      const int32_t left = steps_between(before[k], target(&a, k));
      assert_int_equal(steps_between(place(&a, k), target(&a, k)), larger(left - 1, 0));
    }
  }
  int32_t x[] = {MOST, -MOST, MOST - 1}, z[] = {-MOST, MOST, 0};
  const int32_t far_x[] = {-MOST, MOST, 0}, far_z[] = {MOST, -MOST, 0};
  const throng_tiles tiles = {x, z, 3};
  const throng_tile_targets targets = {far_x, far_z, 3};
  for (int tick = 0; tick < 3; tick++) require_ok(throng_tiles_evade(&tiles, &targets, &error), &error);
  assert_true(x[0] == MOST && z[0] == -MOST && x[1] == -MOST && z[1] == MOST && x[2] == MOST && z[2] == 0);
  uint8_t headings[] = {3, 7, 0};
  const throng_tile_step stride = {0, 127};
  require_ok(throng_tiles_play_steps(&tiles, headings, &stride, 1, (throng_tile_time){0}, &error), &error);
  assert_true(x[0] == MOST && z[0] == -MOST && x[1] == -MOST && z[1] == MOST && x[2] == MOST && z[2] == 127);
  uint32_t count;
  const throng_tile corner[] = {{-MOST, -MOST}, {MOST, MOST - 1}};
  require_ok(throng_tiles_make_line(corner[0], corner[1], NULL, 0, &count, &error), &error);
  assert_int_equal(count, 2 * MOST);
  require_ok(throng_tiles_make_route(corner, 2, true, NULL, 0, &count, &error), &error);
  assert_int_equal(count, 4u * MOST);
}

/* Refused calls must change nothing. */

static void chases_and_routes_are_checked(void **state) {
  (void)state;
  throng_error error;
  int32_t x[] = {1, 2}, z[] = {3, 4};
  const int32_t kept_x[] = {1, 2}, kept_z[] = {3, 4}, far[] = {0, MOST + 1}, low[] = {INT32_MIN, 0};
  const throng_tiles tiles = {x, z, 2}, no_x = {NULL, z, 2}, outside = {(int32_t[]){0, MOST + 1}, z, 2};
  const throng_tile_targets good = {kept_x, kept_z, 2}, bad_x = {far, kept_z, 2}, bad_z = {kept_x, low, 2},
                            three = {kept_x, kept_z, 3}, none = {kept_x, kept_z, 0}, no_z = {kept_x, NULL, 2};
  throng_tile_walker walkers[2] = {{{0, 0}, {0, 0}}}, bad_walkers[2] = {{{0, 0}, {0, 0}}, {{0, 0}, {0, INT32_MAX}}};
  require_error(throng_tiles_evade(NULL, &good, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_evade(&tiles, &three, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_evade(&outside, &good, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  require_error(throng_tiles_chase(NULL, &good, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_chase(&no_x, &good, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_chase(&tiles, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_chase(&tiles, &no_z, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_chase(&tiles, &three, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_chase(&tiles, &none, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_chase(&outside, &good, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  require_error(throng_tiles_chase(&tiles, &bad_x, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  assert_non_null(strstr(error.text, "target 1 is (268435457, 4)"));
  require_error(throng_tiles_chase_line(&tiles, &bad_z, walkers, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  require_error(throng_tiles_chase_line(&tiles, &good, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_chase_line(&tiles, &good, bad_walkers, &error), THRONG_ERROR_OUT_OF_RANGE, &error);

  const throng_tile route[] = {{0, 0}, {MOST, 0}, {INT32_MAX, INT32_MIN}};
  const throng_tile_time time = {.phase = (const uint32_t[]){0, 1}}, later = {.tick = 2};
  require_error(throng_tiles_play_route(&tiles, &good, NULL, 1, time, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_play_route(&tiles, &good, route, 0, time, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_play_route(&no_x, &good, route, 1, time, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_play_route(&tiles, &bad_x, route, 1, time, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  require_error(throng_tiles_play_route(&tiles, &good, route, 3, time, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  require_error(throng_tiles_play_route(&tiles, &good, route, 3, later, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  uint8_t headings[] = {0, 8};
  const throng_tile_step go = {0, 1};
  require_error(throng_tiles_play_steps(&tiles, headings, &go, 1, time, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_play_steps(&tiles, headings, &go, 0, time, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_play_steps(&tiles, NULL, &go, 1, time, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_play_steps(&tiles, headings, NULL, 1, time, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  assert_memory_equal(x, kept_x, sizeof x);
  assert_memory_equal(z, kept_z, sizeof z);
  const throng_tiles nobody = {NULL, NULL, 0};
  require_ok(throng_tiles_chase_line(&nobody, &(throng_tile_targets){NULL, NULL, 0}, NULL, &error), &error);
}

static void lines_and_tracks_are_checked(void **state) {
  (void)state;
  throng_error error;
  throng_tile room[4] = {{7, 7}, {7, 7}, {7, 7}, {7, 7}};
  const throng_tile origin = {0, 0}, far = {0, 4}, outside = {MOST + 1, 0}, corner[] = {{0, 0}, {0, 4}, {0, MOST + 1}};
  uint32_t count = 0;
  require_error(throng_tiles_make_line(origin, far, room, 3, &count, &error), THRONG_ERROR_CAPACITY, &error);
  assert_int_equal(count, 4);
  require_error(throng_tiles_make_line(origin, far, room, 4, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_make_line(origin, outside, room, 4, &count, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  require_error(throng_tiles_make_line(outside, origin, room, 4, &count, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  require_error(throng_tiles_make_route(corner, 2, false, room, 4, &count, &error), THRONG_ERROR_CAPACITY, &error);
  assert_int_equal(count, 5);
  require_error(throng_tiles_make_route(corner, 3, false, room, 4, &count, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  require_error(throng_tiles_make_route(corner, 0, false, room, 4, &count, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_make_route(NULL, 2, false, room, 4, &count, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_make_route(corner, 2, false, room, 4, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  throng_tile zigzag[10];
  for (int k = 0; k < 10; k++) zigzag[k] = (throng_tile){k % 2 ? MOST : -MOST, k};
  require_error(throng_tiles_make_route(zigzag, 10, false, NULL, 0, &count, &error), THRONG_ERROR_CAPACITY, &error);
  assert_int_equal(count, UINT32_MAX);
  for (int k = 0; k < 4; k++) assert_true(room[k].x == 7 && room[k].z == 7);

  static walk w;
  test_rng rng = rng_from(base_seed + 23);
  lay_track(&w, &rng, 0.5f);
  const walk kept = w;
  const throng_tile_draws draws = {0, 0, 0};
  const throng_tile_track none = {NULL, SIDE, SIDE}, empty = {w.mask, 0, SIDE}, huge = {w.mask, SIDE, MOST + 1u};
  throng_tiles fewer = w.previous;
  fewer.count--;
  require_error(throng_tiles_wander(&w.tiles, NULL, &w.track, draws, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_wander(&w.tiles, &w.previous, NULL, draws, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_wander(&w.tiles, &w.previous, &none, draws, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_wander(&w.tiles, &w.previous, &empty, draws, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_wander(&w.tiles, &w.previous, &huge, draws, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_wander(&w.tiles, &fewer, &w.track, draws, &error), THRONG_ERROR_BAD_VALUE, &error);
  w.x[99] = SIDE;
  require_error(throng_tiles_wander(&w.tiles, &w.previous, &w.track, draws, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  w.x[99] = -1;
  require_error(throng_tiles_wander(&w.tiles, &w.previous, &w.track, draws, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  w.x[99] = kept.x[99];
  const size_t under = (size_t)w.z[99] * SIDE + (size_t)w.x[99];
  w.mask[under] = 0;
  require_error(throng_tiles_wander(&w.tiles, &w.previous, &w.track, draws, &error), THRONG_ERROR_BLOCKED, &error);
  w.mask[under] = kept.mask[under];
  assert_memory_equal(&w, &kept, sizeof w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chase_takes_the_longer_difference),
      cmocka_unit_test(chase_and_evade_step_along_each_axis),
      cmocka_unit_test(lines_are_the_book_s),
      cmocka_unit_test(line_chases_follow_moving_targets),
      cmocka_unit_test(the_rectangle_closes_and_repeats),
      cmocka_unit_test(steps_turn_and_go),
      cmocka_unit_test(wanderers_keep_to_the_track),
      cmocka_unit_test(wanderers_use_every_exit),
      cmocka_unit_test(pieces_make_the_whole),
      cmocka_unit_test(nobody_leaves_the_limits),
      cmocka_unit_test(chases_and_routes_are_checked),
      cmocka_unit_test(lines_and_tracks_are_checked),
  };
  base_seed = test_seed("tiles", 1000);
  return cmocka_run_group_tests_name("tiles", tests, NULL, NULL);
}
