/* window.h: the window of a block or block pair: every row that may hold a neighbour, and in each row one range of bins
 * (two or more at a seam). Because floats round, a neighbour at distance R of an agent that is within `grid->slack` of
 * a cell's border can be one cell farther away than R is wide. Windows of such agents are therefore one cell wider.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_WINDOW_H
#define THRONG_KERNEL_PASSES_WINDOW_H

#include "passes/block.h"

#define MAX_RANGES 6
/* The maximum number of blocks in a block pair: two consecutive blocks of a row, or the last one alone. They share a
 * window. */
#define PAIR_BLOCKS 2u

/* Bins [first, last] of a torus row. `shift` metres are added to x of their agents. */
struct bin_range {
  uint32_t first, last;
  float shift;
};

struct window {
  int32_t bin_first, bin_last; /* bins of the agents: torus bins, or true bins along a periodic x axis */
  int32_t row_y, row_z;
  int32_t reach_y, reach_z;
  uint32_t ranges;
  struct bin_range range[MAX_RANGES];
};

LANES_INLINE uint32_t cell_of(const struct strip *strip, uint32_t agent) { return strip->cell[agent - strip->begin]; }
LANES_INLINE uint32_t low_bits(uint32_t value, uint32_t bits) { return value & ((1u << bits) - 1); }

/* In a piece of a world, bins that follow each other on the torus may be at both sides of the seam of a periodic axis,
 * or the last and the first of the piece. Returns how many of n agents of a row from slot `at` on are before such a
 * place. */
LANES_INLINE uint32_t before_seam(const struct grid *grid, const struct strip *strip, uint32_t at, uint32_t n) {
  const struct grid_axis *axis = &grid->space->axis[0];
  const uint32_t bits = grid->torus.bits_x;
  if (axis->first == 0) return n;
  const int32_t first = space_unwrap(axis, grid_unfold(axis, bits, low_bits(cell_of(strip, at), bits)));
  for (; n > 1; n--) {
    const int32_t last = space_unwrap(axis, grid_unfold(axis, bits, low_bits(cell_of(strip, at + n - 1), bits)));
    if (last >= first && (last < axis->period) == (first < axis->period)) break;
  }
  return n;
}

/* Returns how many agents from slot `at` on, at most `most`, can share a window: they are in one row and one strip, and
 * in so few bins that no torus cell is twice in the window. */
LANES_INLINE uint32_t window_agents(const struct grid *grid, const struct strip *strip, uint32_t at, uint32_t most,
                                    bool one_by_one) {
  ASSERT_ALONE(at >= strip->begin && at < strip->end && most >= 1);
  if (one_by_one) return 1;
  uint32_t bits = grid->torus.bits_x;
  ASSERT_ALONE(2 * (REACH_BINS + 1) < 1u << bits);
  uint32_t cell = cell_of(strip, at), end = strip->end;
  uint32_t row_end = grid->start[((cell >> bits) + 1) << bits];
  uint32_t n = (end < row_end ? end : row_end) - at;
  if (n > most) n = most;
  while (cell_of(strip, at + n - 1) - cell + 2 * (REACH_BINS + 1) >= 1u << bits) n--;
  return before_seam(grid, strip, at, n);
}

LANES_INLINE void add_range(const struct grid *grid, struct window *window, int32_t first, int32_t last, float shift) {
  if (first > last) return;
  uint32_t bits = grid->torus.bits_x;
  uint32_t a = low_bits((uint32_t)first, bits), b = low_bits((uint32_t)last, bits);
  ASSERT_ALONE(window->ranges + (a <= b ? 1u : 2u) <= MAX_RANGES);
  if (a <= b) {
    window->range[window->ranges++] = (struct bin_range){a, b, shift};
  } else { /* the range wraps around the torus */
    window->range[window->ranges++] = (struct bin_range){a, (1u << bits) - 1, shift};
    window->range[window->ranges++] = (struct bin_range){0, b, shift};
  }
}

/* Sets near[k] if one of n agents is so near a cell's border along axis k that rounding may put a neighbour one cell
 * farther away. This is true for every agent that is more than 2^20 cells from the origin. */
LANES_INLINE void near_borders(bool near[3], const struct grid *grid, float *const position[3], uint32_t at, uint32_t n,
                               bool spatial) {
  ASSERT_ALONE(n <= PAIR_BLOCKS * LANES);
  near[0] = near[1] = near[2] = false;
  for (uint32_t i = 0; i < PAIR_BLOCKS * LANES && i < n; i += LANES) {
    for (int k = 0; k < 3; k += spatial ? 1 : 2) {
      const struct grid_axis *axis = &grid->space->axis[k];
      lf cell = lf_mul(lf_sub(lf_load(position[k] + at + i), lf_set1(axis->origin)), lf_set1(axis->inverse));
      near[k] |= lm_any(lf_less_equal_where(lm_first(n - i), lf_off_whole(cell), lf_set1(grid->slack[k])));
    }
  }
}

/* The bins of a window in a piece of a world, whose cells begin at axis->first: it has no agents in cells before them.
 * The seam is before the cell with the unwrapped number `period`. */
LANES_INLINE void add_unwrapped(const struct grid *grid, struct window *window, int32_t reach) {
  const struct grid_axis *axis = &grid->space->axis[0];
  const int32_t own = space_unwrap(axis, window->bin_first), period = axis->period, end = axis->first + period - 1;
  int32_t first = own - reach, last = own + (window->bin_last - window->bin_first) + reach;
  if (first < axis->first) first = axis->first;
  if (last > end) last = end;
  const float length = axis->length;
  add_range(grid, window, first, last < period ? last : period - 1, own < period ? 0.0f : -length);
  add_range(grid, window, first < period ? period : first, last, own < period ? length : 0.0f);
}

/* Makes the window of the n agents from slot `at` on. */
LANES_INLINE void make_window(struct window *window, const struct frame *frame, const struct strip *strip, uint32_t at,
                              uint32_t n, bool one_by_one, bool spatial) {
  const struct grid *grid = frame->grid;
  const struct torus *torus = &grid->torus;
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  ASSERT_ALONE(at >= strip->begin && n >= 1 && n <= strip->end - at);
  window->ranges = 0;
  uint32_t cell = cell_of(strip, at);
  const struct true_cell place = grid_cell_in_torus(grid->space->axis, torus, cell);
  window->bin_first = place.bin;
  window->bin_last = window->bin_first + (int32_t)(cell_of(strip, at + n - 1) - cell);
  window->row_y = place.row_y;
  window->row_z = place.row_z;
  if (one_by_one) { /* a periodic axis is longer than the torus: true cells, not torus cells */
    window->bin_first = window->bin_last = throng_grid_cell(&grid->space->axis[0], position[0][at]);
    window->row_y = spatial ? throng_grid_cell(&grid->space->axis[1], position[1][at]) : 0;
    window->row_z = throng_grid_cell(&grid->space->axis[2], position[2][at]);
  }
  bool near[3];
  near_borders(near, grid, position, at, n, spatial);
  window->reach_y = spatial ? REACH_ROWS + near[1] : 0;
  window->reach_z = REACH_ROWS + near[2];

  const struct grid_axis *axis = &grid->space->axis[0];
  const int32_t reach = REACH_BINS + near[0], first = window->bin_first - reach, last = window->bin_last + reach,
                period = axis->period;
  /* No torus cell is twice in the window. */
  ASSERT_ALONE((uint32_t)(last - first) < 1u << torus->bits_x);
  ASSERT_ALONE(2u * (uint32_t)window->reach_z < 1u << torus->bits_z);
  ASSERT_ALONE(!spatial || 2u * (uint32_t)window->reach_y < 1u << torus->bits_y);
  if (period == 0) {
    add_range(grid, window, first, last, 0.0f);
  } else if (axis->first != 0) {
    add_unwrapped(grid, window, reach);
  } else {
    float length = axis->length;
    if (first < 0) add_range(grid, window, first + period, period - 1, -length);
    add_range(grid, window, first < 0 ? 0 : first, last < period ? last : period - 1, 0.0f);
    if (last >= period) add_range(grid, window, 0, last - period, length);
  }
}

/* Returns the torus row of row number row + step along an axis. Sets *shift to the shift of its agents. */
LANES_INLINE uint32_t window_row(const struct grid_axis *axis, uint32_t bits, int32_t row, int32_t step, float *shift) {
  int32_t there = row + step;
  *shift = 0.0f;
  if (axis->period && there < 0) {
    there += axis->period;
    *shift = -axis->length;
  } else if (axis->period && there >= axis->period) {
    there -= axis->period;
    *shift = axis->length;
  }
  return grid_fold(axis, bits, there);
}

/* A loop over the candidate ranges [from, to) of the window, in canonical order. start[cell] is the slot of a cell's
 * first agent. With a constant `spatial` == false the loop over y disappears. */
#define FOR_EACH_RANGE(grid, start, window, from, to, shift, shifted, spatial)                                         \
  for (int32_t step_z = -(window)->reach_z; step_z <= (window)->reach_z; step_z++)                                     \
    for (int32_t reach_y = (spatial) ? (window)->reach_y : 0, step_y = -reach_y; step_y <= reach_y; step_y++)          \
      for (uint32_t range_index = 0; range_index < (window)->ranges; range_index++)                                    \
        if (window_range(grid, start, window, step_y, step_z, range_index, &(from), &(to), &(shift), &(shifted),       \
                         spatial))

/* Finds one candidate range of the window; false if it is empty. */
LANES_INLINE bool window_range(const struct grid *grid, const uint32_t *start, const struct window *window,
                               int32_t step_y, int32_t step_z, uint32_t index, uint32_t *from, uint32_t *to, lv3 *shift,
                               bool *shifted, bool spatial) {
  const struct bin_range *range = &window->range[index];
  float shift_y = 0.0f, shift_z;
  uint32_t row = window_row(&grid->space->axis[2], grid->torus.bits_z, window->row_z, step_z, &shift_z);
  if (spatial) {
    row <<= grid->torus.bits_y;
    row |= window_row(&grid->space->axis[1], grid->torus.bits_y, window->row_y, step_y, &shift_y);
  }
  row <<= grid->torus.bits_x;
  *from = start[row + range->first];
  *to = start[row + range->last + 1];
  *shifted = range->shift != 0.0f || shift_y != 0.0f || shift_z != 0.0f;
  *shift = (lv3){lf_set1(range->shift), lf_set1(shift_y), lf_set1(shift_z)};
  return *from < *to;
}

#endif
