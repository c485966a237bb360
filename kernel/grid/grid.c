/* grid.c: geometry, memory and torus of the spatial hash. grid_sort.c sorts. SPDX-License-Identifier: MIT */
#include "grid/grid.h"

#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/assertion.h"
#include "grid/grid_displaced.h"

/* The smallest torus. Along x a block's window must fit. Along y and z the five rows of a window must be distinct: the
 * agents' row, the rows to each side, and one more to each side for rounding. */
#define MIN_BITS_X 5u
#define MIN_BITS_ROW 3u
#define PERIOD_CELL_BITS 18u
#define EMPTY_PERIOD_BITS 6u
#define AMPLE_CELL_BITS 25u
#define MAX_CELL_BITS 28u
/* With at most this many cells along an axis, many agents are near its ends. */
#define FEW_ROWS 16u
#define FEW_BINS (FEW_ROWS * REACH_BINS)

void throng_grid_init(struct grid *grid, const throng_world_def *def, const struct space *space, uint32_t workers,
                      bool packs) {
  memset(grid, 0, sizeof *grid);
  grid->workers = workers;
  grid->space = space;
  grid->thins = def->neighbour_budget > 0;
  grid->packs = packs;
  grid->torus = (struct torus){MIN_BITS_X, grid->space->spatial ? MIN_BITS_ROW : 0, MIN_BITS_ROW};
  grid->next = grid->torus;
}

size_t throng_grid_most_bands(const struct grid *grid) {
  size_t bands = 1;
  while (bands < GRID_MAX_BANDS && GRID_FEWEST_AGENTS * bands < grid->capacity) bands *= 2;
  return bands;
}

size_t throng_grid_most_chunks(const struct grid *grid) {
  if (grid->capacity <= GRID_CHUNK_AGENTS) return 1;
  const size_t chunks = (size_t)grid->capacity / GRID_CHUNK_AGENTS + grid->workers;
  return chunks < GRID_MAX_CHUNKS ? chunks : GRID_MAX_CHUNKS;
}

static size_t displaced_slots(uint32_t capacity) { return (size_t)capacity / DISPLACED_SHARE + 1; }

#define ARRAYS 25
/* The size of array k, for growing and releasing. */
static size_t array_bytes(const struct grid *grid, int k) {
  ASSERT_ALONE(k >= 0 && k < ARRAYS);
  size_t agents = (size_t)grid->capacity + COLUMN_PADDING, cells = (size_t)1 << grid->cell_bits;
  size_t strips = agents / 32 + 16; /* the worst case is 3 strips per 130 agents, for rows that alternate between 1 and
                           LEAST_STRIP_AGENTS + 1 agents */
  const size_t bands = throng_grid_most_bands(grid), bits = (agents / 64 + 2 * bands) * sizeof(uint64_t);
  size_t bytes[] = {(cells + 1) * sizeof(uint32_t),
                    agents * sizeof(struct grid_mover),
                    strips * sizeof(struct grid_mover_list),
                    agents * sizeof(struct grid_mover),
                    agents * sizeof(uint32_t),
                    agents * sizeof(uint32_t),
                    agents * sizeof(uint32_t),
                    cells * sizeof(uint32_t),
                    bits,
                    bits,
                    bands * sizeof(struct grid_band),
                    (bands + 1) * sizeof(uint32_t),
                    (bands + 1) * sizeof(uint32_t),
                    throng_grid_most_chunks(grid) * bands * sizeof(uint32_t),
                    strips * sizeof(uint32_t),
                    grid->thins ? (cells + 1) * sizeof(uint32_t) : 0,
                    grid->thins ? agents * sizeof(struct grid_candidate) : 0,
                    grid->thins ? agents * sizeof(struct grid_listed) : 0,
                    grid->packs ? agents * PACKED_FLOATS * sizeof(float) : 0,
                    grid->packs && grid->space->spatial ? agents * PACKED_MORE * sizeof(float) : 0,
                    displaced_slots(grid->capacity) * sizeof(uint32_t),
                    agents * sizeof(uint8_t),
                    grid->workers * sizeof(struct grid_leavers),
                    (size_t)grid->workers * grid_leavers_room(grid) * sizeof(struct grid_mover),
                    strips * sizeof(uint8_t)};
  return bytes[k];
}

static void get_arrays(const struct grid *grid, void *arrays[ARRAYS]) {
  void *all[ARRAYS] = {
      grid->start,          grid->mover,           grid->lists,      grid->moved,     grid->key,
      grid->order,          grid->other_order,     grid->change,     grid->left,      grid->taken,
      grid->band,           grid->band_home,       grid->band_first, grid->histogram, grid->strip_start,
      grid->thin_start,     grid->candidates,      grid->listed,     grid->packed,    grid->packed_more,
      grid->displaced.slot, grid->displaced.state, grid->leavers,    grid->leaver,    grid->phase};
  memcpy(arrays, all, sizeof all);
}

static void set_arrays(struct grid *grid, void *const arrays[ARRAYS]) {
  grid->start = arrays[0];
  grid->mover = arrays[1];
  grid->lists = arrays[2];
  grid->moved = arrays[3];
  grid->cell_and_id = arrays[3]; /* shares the memory of `moved`, which has larger elements and is not read when all
                                    agents are placed */
  grid->key = arrays[4];
  grid->comer = arrays[4]; /* shares the memory of `key`, which is not read if few agents leave their bands */
  grid->order = arrays[5];
  grid->other_order = arrays[6];
  grid->change = arrays[7];
  grid->left = arrays[8];
  grid->taken = arrays[9];
  grid->band = arrays[10];
  grid->band_home = arrays[11];
  grid->band_first = arrays[12];
  grid->histogram = arrays[13];
  grid->strip_start = arrays[14];
  grid->thin_start = arrays[15];
  grid->candidates = arrays[16];
  grid->listed = arrays[17];
  grid->packed = arrays[18];
  grid->packed_more = arrays[19];
  grid->displaced.slot = arrays[20];
  grid->displaced.state = arrays[21];
  grid->leavers = arrays[22];
  grid->leaver = arrays[23];
  grid->phase = arrays[24];
}

int32_t throng_grid_cell(const struct grid_axis *axis, float coordinate) {
  int32_t cell = (int32_t)scalar_floor((coordinate - axis->origin) * axis->inverse);
  if (axis->period) {
    if (cell < 0) cell = 0;
    if (cell >= axis->period) cell = axis->period - 1;
  }
  return cell;
}

/* log2 of the smallest power of two that is at least `cells`; at least `least`. */
static uint32_t bits_for(uint64_t cells, uint32_t least) {
  uint32_t bits = least;
  while (((uint64_t)1 << bits) < cells) bits++;
  return bits;
}

static uint64_t axis_cells(const struct grid *grid, int k) {
  const struct grid_axis *axis = &grid->space->axis[k];
  if (axis->period) return (uint64_t)axis->span;
  int64_t low = throng_grid_cell(axis, grid->bounds_min[k]), high = throng_grid_cell(axis, grid->bounds_max[k]);
  return high < low ? 1 : (uint64_t)(high - low) + 1;
}

/* Returns log2 of the torus' cells along an axis: enough for its cells, and at least `least`. With `apart`, an axis
 * with few cells gets more, so that windows at its two ends do not overlap on the torus. Overlapping windows would give
 * agents useless candidates, and would shorten block pairs, which must not meet a candidate twice. */
static uint32_t axis_bits(const struct grid *grid, int k, uint32_t least, bool apart) {
  const uint64_t cells = axis_cells(grid, k);
  if (!apart || cells > (k == 0 ? FEW_BINS : FEW_ROWS)) return bits_for(cells, least);
  return bits_for(cells + (k == 0 ? 2 * (REACH_BINS + 1) : REACH_ROWS), least);
}
static struct torus torus_for(const struct grid *grid, bool apart) {
  return (struct torus){axis_bits(grid, 0, MIN_BITS_X, apart),
                        grid->space->spatial ? axis_bits(grid, 1, MIN_BITS_ROW, apart) : 0,
                        axis_bits(grid, 2, MIN_BITS_ROW, apart)};
}

/* Returns log2 of the torus' cells along an axis that a periodic axis should have at least; for others, and at least,
 * `least`. */
static uint32_t period_bits(const struct grid *grid, int k, uint32_t least) {
  return bits_for((uint64_t)grid->space->axis[k].span, least);
}

/* Returns log2 of the number of cells for `count` agents that suits any world: eight per agent (two if that is very
 * many), so that rounding to powers of two rarely makes rows share torus rows. */
static uint32_t agents_bits(const struct grid *grid, uint32_t count) {
  uint32_t bits = MIN_BITS_X + 2 * MIN_BITS_ROW + (grid->space->spatial ? MIN_BITS_ROW : 0);
  while (bits < MAX_CELL_BITS && (uint64_t)1 << bits < (bits < AMPLE_CELL_BITS ? 8 : 2) * (uint64_t)count) bits++;
  return bits;
}

/* Returns log2 of the maximum number of cells that periodic axes may get for `count` agents: no more if the world is
 * very large or nearly empty. */
static uint32_t most_period_bits(const struct grid *grid, uint32_t count) {
  const uint32_t most = agents_bits(grid, count) + EMPTY_PERIOD_BITS;
  return most < PERIOD_CELL_BITS ? most : PERIOD_CELL_BITS;
}

/* Returns log2 of the number of cells for `count` agents. A periodic axis gets all its cells, if they are not too many;
 * without them, agents are walked one by one. The outer box of a piece changes the result. */
static uint32_t cell_bits_for(const struct grid *grid, uint32_t count) {
  const uint32_t bits = agents_bits(grid, count);
  if (!grid->space->periodic) return bits;
  const uint32_t period = period_bits(grid, 0, MIN_BITS_X) + period_bits(grid, 2, MIN_BITS_ROW) +
                          (grid->space->spatial ? period_bits(grid, 1, MIN_BITS_ROW) : 0);
  return period > bits && period <= most_period_bits(grid, count) ? period : bits;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

bool throng_grid_grow(const struct grid *grid, struct grid *grown, uint32_t capacity,
                      const throng_allocator *allocator) {
  ASSERT_ALONE(capacity >= grid->capacity);
  *grown = *grid;
  grown->capacity = capacity;
  const uint32_t kept = larger(grid->cell_bits, torus_bits(&grid->next));
  grown->cell_bits = capacity > 0 ? larger(kept, cell_bits_for(grid, capacity)) : kept;
  void *arrays[ARRAYS] = {0};
  for (int k = 0; k < ARRAYS; k++) {
    size_t bytes = array_bytes(grown, k);
    if (bytes == 0) continue;
    arrays[k] = throng_allocate(allocator, bytes);
    if (!arrays[k]) {
      set_arrays(grown, arrays);
      throng_grid_release(grown, allocator);
      return false;
    }
  }
  set_arrays(grown, arrays);
  memset(grown->displaced.state, 0, (size_t)capacity + COLUMN_PADDING);
  if (grid->start) {
    size_t cells = (size_t)1 << torus_bits(&grid->torus);
    ASSERT_ALONE(torus_bits(&grid->torus) <= grown->cell_bits);
    memcpy(grown->start, grid->start, (cells + 1) * sizeof *grid->start);
    memcpy(grown->strip_start, grid->strip_start, (grid->strips + 1) * sizeof *grid->strip_start);
    memcpy(grown->displaced.slot, grid->displaced.slot, grid->displaced.count * sizeof *grid->displaced.slot);
    memcpy(grown->displaced.state, grid->displaced.state, grid->capacity);
  }
  if (grown->packed) {
    float *dummy = grown->packed + (size_t)grid_dummy(grown) * PACKED_FLOATS;
    dummy[0] = dummy[1] = INFINITY; /* x, and z or y */
  }
  return true;
}

void throng_grid_release(struct grid *grid, const throng_allocator *allocator) {
  void *arrays[ARRAYS];
  get_arrays(grid, arrays);
  for (int k = 0; k < ARRAYS; k++) throng_release(allocator, arrays[k], array_bytes(grid, k));
  memset(arrays, 0, sizeof arrays);
  set_arrays(grid, arrays);
}

/* Returns `planned` with each axis at least as long as that of the committed torus, if that takes at most 4 times as
 * many cells. A flock whose extent varies then keeps its torus, and most agents keep their order. */
static struct torus with_committed(const struct grid *grid, struct torus planned, uint32_t room) {
  const struct torus was = grid->torus, kept = {larger(planned.bits_x, was.bits_x), larger(planned.bits_y, was.bits_y),
                                                larger(planned.bits_z, was.bits_z)};
  return torus_bits(&kept) <= torus_bits(&planned) + 2 && torus_bits(&kept) <= room ? kept : planned;
}

/* In a world with periodic and other axes, halves the longest of the others. Returns false if there is none. */
static bool halve_open_axis(const struct grid *grid, struct torus *torus) {
  uint32_t *bits[3] = {&torus->bits_x, &torus->bits_y, &torus->bits_z}, *longest = NULL;
  for (int k = 0; k < 3; k++) {
    const uint32_t least = k == 0 ? MIN_BITS_X : MIN_BITS_ROW;
    if (grid->space->axis[k].period || *bits[k] <= least) continue;
    if (!longest || *bits[k] > *longest) longest = bits[k];
  }
  if (longest) *longest -= 1;
  return longest != NULL;
}

void throng_grid_plan(struct grid *grid, uint32_t count) {
  const uint32_t least_y = grid->space->spatial ? MIN_BITS_ROW : 0;
  uint32_t room = cell_bits_for(grid, count < grid->capacity ? count : grid->capacity);
  if (room > grid->cell_bits) room = grid->cell_bits;
  struct torus torus = torus_for(grid, true);
  if (torus_bits(&torus) > room) torus = torus_for(grid, false);
  if (!grid->replans) torus = with_committed(grid, torus, room);
  /* Too many cells for the memory: halve the longest axis, counting a bin as 1/16 of a row. Two rows in one torus row
   * take less time than short block pairs. A periodic axis comes last, because agents are then walked one by one. */
  while (torus_bits(&torus) > room) {
    if (grid->space->periodic && halve_open_axis(grid, &torus)) continue;
    if (torus.bits_x > MIN_BITS_X && torus.bits_x >= torus.bits_z + 4 && torus.bits_x >= torus.bits_y + 4) {
      torus.bits_x--;
    } else if (torus.bits_z > MIN_BITS_ROW && torus.bits_z >= torus.bits_y) {
      torus.bits_z--;
    } else if (torus.bits_y > least_y) {
      torus.bits_y--;
    } else if (torus.bits_z > MIN_BITS_ROW) {
      torus.bits_z--;
    } else {
      torus.bits_x--;
    }
  }
  ASSERT_ALONE(torus_bits(&torus) <= grid->cell_bits);
  ASSERT_ALONE(torus.bits_x >= 1 && torus.bits_z >= 1);
  grid->next = torus;
}

bool throng_grid_may_have_torus(const struct grid *grid, const struct torus *torus, uint32_t count) {
  const bool spatial = grid->space->spatial;
  const uint32_t agents = agents_bits(grid, count);
  const uint32_t most = grid->space->periodic ? larger(agents, most_period_bits(grid, count)) : agents;
  return torus->bits_x >= MIN_BITS_X && torus->bits_z >= MIN_BITS_ROW &&
         (spatial ? torus->bits_y >= MIN_BITS_ROW : torus->bits_y == 0) &&
         (uint64_t)torus->bits_x + torus->bits_y + torus->bits_z <= most;
}

/* Sets `slack` too. A coordinate of m cells has an error of a few times 2^-24 m cells, from a subtraction and a
 * product. R equals 4 bins or 1 row except for an error of at most 2^-21. */
void throng_grid_set_bounds(struct grid *grid, uint32_t count, const float min[3], const float max[3]) {
  for (int k = 0; k < 3; k++) {
    bool used = count > 0 && (k != 1 || grid->space->spatial);
    grid->bounds_min[k] = used ? min[k] : grid->space->axis[k].origin;
    grid->bounds_max[k] = used ? max[k] : grid->space->axis[k].origin;
  }
  for (int k = 0; k < 3; k++) {
    const struct grid_axis *axis = &grid->space->axis[k];
    float low = fabsf(grid->bounds_min[k]), high = fabsf(grid->bounds_max[k]);
    float cells = ((low > high ? low : high) + fabsf(axis->origin) + axis->length) * axis->inverse;
    grid->slack[k] = cells * 0x1p-20f + 0x1p-18f;
  }
}

bool throng_grid_may_alias(const struct grid *grid) {
  const uint32_t bits[3] = {grid->torus.bits_x, grid->torus.bits_y, grid->torus.bits_z};
  for (int k = 0; k < 3; k++) {
    if (k == 1 && !grid->space->spatial) continue;
    uint64_t beyond = grid->space->axis[k].period ? 0 : k == 0 ? REACH_BINS : REACH_ROWS;
    if (axis_cells(grid, k) + beyond > (uint64_t)1 << bits[k]) return true;
  }
  return false;
}

bool throng_grid_periodic_aliased(const struct grid *grid) {
  const uint32_t bits[3] = {grid->torus.bits_x, grid->torus.bits_y, grid->torus.bits_z};
  for (int k = 0; k < 3; k++) {
    if ((uint64_t)grid->space->axis[k].span > (uint64_t)1 << bits[k]) return true;
  }
  return false;
}

struct true_cell throng_grid_cell_of(const struct grid *grid, const struct columns *columns, uint32_t slot) {
  float *const *f = columns->f;
  return (struct true_cell){throng_grid_cell(&grid->space->axis[0], f[COLUMN_POSITION_X][slot]),
                            grid->space->spatial ? throng_grid_cell(&grid->space->axis[1], f[COLUMN_POSITION_Y][slot])
                                                 : 0,
                            throng_grid_cell(&grid->space->axis[2], f[COLUMN_POSITION_Z][slot])};
}
