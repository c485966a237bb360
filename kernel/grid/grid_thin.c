/* grid_thin.c: see grid_thin.h. A cell's surroundings are the cells of a window around it. The cell is dense if its
 * surroundings hold more than `limit` agents, or if their cells at most one bin away hold more than limit / 2. The
 * second test finds small clumps, whose agents are all within range of each other. A dense cell with m agents keeps r
 * representatives, each with weight m / r: every (m / r)-th agent in the order of ids. r is m * limit /
 * max(surroundings, 2 * near surroundings), rounded up. The phase, which says where counting begins, is the frame's
 * number times the golden ratio. So every agent is a representative equally often.
 *   Surroundings are counted for a range of cells of a row at once. The sum of `start` over the rows around gives, for
 * each cell, the number of agents that these rows have before the cell's bin, plus a constant. The difference of two
 * such sums is the number of agents in a window. If torus cells may hold several true cells, the true cells of each
 * torus cell with more than `share` agents are listed first, and surroundings are counted cell by cell.
 * SPDX-License-Identifier: MIT */
#include "base/assertion.h"
#include "grid/grid_thin.h"

#include <string.h>

#define TASKS 64u
#define RANGE_CELLS 256u

struct thin_job {
  struct grid *grid;
  const struct columns *columns;
  uint32_t limit;  /* agents that a cell's surroundings may hold */
  uint32_t share;  /* limit / (number of cells in the surroundings): cells with at most that many agents are not
                     thinned */
  uint32_t spared; /* see throng_grid_thin */
  uint32_t phase;  /* a fraction of 2^32 */
  bool aliased;    /* torus cells may hold agents of several true cells */
  uint32_t task_cells;
  uint32_t first[TASKS + 1]; /* first the number of candidates of each task, later its first position in
                                grid->candidates */
  bool dense[TASKS];
};

static struct true_cell cell_of_agent(const struct thin_job *job, uint32_t slot) {
  return throng_grid_cell_of(job->grid, job->columns, slot);
}

static bool same_cell(struct true_cell a, struct true_cell b) {
  return a.bin == b.bin && a.row_y == b.row_y && a.row_z == b.row_z;
}

/* Lists the true cells of a torus cell, in the order of their first agents. */
static void list_torus_cell(const struct thin_job *job, uint32_t cell) {
  const uint32_t begin = job->grid->start[cell], end = job->grid->start[cell + 1];
  struct grid_listed *list = job->grid->listed + begin;
  uint32_t count = 0;
  for (uint32_t k = begin; k < end; k++) {
    const struct true_cell here = cell_of_agent(job, k);
    uint32_t at = 0;
    while (at < count && !same_cell(cell_of_agent(job, list[at].first), here)) at++;
    ASSERT_ALONE(at <= count && begin + count <= end);
    if (at == count) list[count++] = (struct grid_listed){k, 0};
    list[at].members++;
  }
}

static uint32_t members(const struct thin_job *job, struct true_cell cell) {
  const struct grid *grid = job->grid;
  uint32_t at = grid_torus_cell(grid->space->axis, &grid->torus, cell.bin, cell.row_y, cell.row_z);
  uint32_t begin = grid->start[at], end = grid->start[at + 1];
  if (end - begin > job->share) {
    const struct grid_listed *listed = grid->listed + begin;
    for (uint32_t left = end - begin; left > 0; left -= listed++->members)
      if (same_cell(cell_of_agent(job, listed->first), cell)) return listed->members;
    return 0;
  }
  uint32_t count = 0;
  for (uint32_t k = begin; k < end; k++) count += same_cell(cell_of_agent(job, k), cell);
  return count;
}

static int32_t around(const struct grid_axis *axis, int32_t cell) {
  if (axis->period == 0) return cell;
  return cell < 0 ? cell + axis->period : cell >= axis->period ? cell - axis->period : cell;
}

/* Returns the number that decides whether a cell is dense: the agents around it, or twice those at most one bin
 * away. */
static uint64_t most_of(uint64_t all, uint64_t near) { return all > 2 * near ? all : 2 * near; }

/* Returns this number for one true cell, counted cell by cell. */
static uint64_t surroundings(const struct thin_job *job, struct true_cell cell) {
  const struct grid_axis *axis = job->grid->space->axis;
  const int32_t reach_y = job->grid->space->spatial ? REACH_ROWS : 0;
  uint64_t all = 0, near = 0;
  for (int32_t z = -REACH_ROWS; z <= REACH_ROWS; z++)
    for (int32_t y = -reach_y; y <= reach_y; y++)
      for (int32_t x = -REACH_BINS; x <= REACH_BINS; x++) {
        const struct true_cell there = {around(&axis[0], cell.bin + x), around(&axis[1], cell.row_y + y),
                                        around(&axis[2], cell.row_z + z)};
        const uint32_t count = members(job, there);
        all += count;
        if (x >= -1 && x <= 1) near += count;
      }
  return most_of(all, near);
}

/* A range of cells of a row, each of which holds one true cell. */
struct cell_range {
  uint32_t first, cells;
  /* Element k is for the cell k - REACH_BINS after the first one: the number of agents before its bin in the rows
   * around, plus a constant. */
  uint32_t before[RANGE_CELLS + 2 * REACH_BINS + 1];
};

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Adds `count` elements of `row`, from element `first` on, to the elements of `to`, and `more` to each. */
static void add_starts(uint32_t *restrict to, const uint32_t *restrict row, uint32_t first, uint32_t count,
                       uint32_t more) {
  if (count == 0) return;
  const uint32_t *start = row + first;
  for (uint32_t k = 0; k < count; k++) to[k] += start[k] + more;
}

/* Adds the starts of a row of `length` cells to a range that begins at bin x. The row wraps around: before its first
 * cell come its last cells, and after its last cell come its first cells. */
static void add_row(struct cell_range *range, const uint32_t *row, uint32_t x, uint32_t length) {
  const uint32_t agents = row[length] - row[0], end = range->cells + 2 * REACH_BINS + 1;
  const uint32_t own = x < REACH_BINS ? REACH_BINS - x : 0, next = lesser(REACH_BINS + length + 1 - x, end);
  add_starts(range->before, row, length + x - REACH_BINS, own, -agents);
  add_starts(range->before + own, row, x + own - REACH_BINS, next - own, 0);
  add_starts(range->before + next, row, x + next - length - REACH_BINS, end - next, agents);
}

/* all_around returns the number of agents around cell k of the range, near_around the number of those at most one bin
 * away. */
static uint32_t all_around(const struct cell_range *range, uint32_t k) {
  ASSERT_ALONE(k < range->cells);
  return range->before[k + 2 * REACH_BINS + 1] - range->before[k];
}
static uint32_t near_around(const struct cell_range *range, uint32_t k) {
  return range->before[k + REACH_BINS + 2] - range->before[k + REACH_BINS - 1];
}

/* Counts the surroundings of a range of cells. Returns whether a cell of the range is dense; false if the range has no
 * agents. In periodic worlds the range is cut where the world ends; the torus cells beyond that are empty. */
static bool count_around(const struct thin_job *job, struct cell_range *range) {
  ASSERT_ALONE(range->cells <= RANGE_CELLS);
  const struct grid *grid = job->grid;
  const struct torus *torus = &grid->torus;
  if (grid->start[range->first] == grid->start[range->first + range->cells]) return false;
  const struct true_cell first = grid_cell_in_torus(grid->space->axis, torus, range->first);
  const int32_t reach_y = grid->space->spatial ? REACH_ROWS : 0;
  const uint32_t length = grid->space->axis[0].period ? (uint32_t)grid->space->axis[0].period : 1u << torus->bits_x;
  range->cells = lesser(range->cells, length - (uint32_t)first.bin);
  memset(range->before, 0, (range->cells + 2 * REACH_BINS + 1) * sizeof *range->before);
  for (int32_t z = -REACH_ROWS; z <= REACH_ROWS; z++) {
    for (int32_t y = -reach_y; y <= reach_y; y++) {
      const int32_t row_y = around(&grid->space->axis[1], first.row_y + y),
                    row_z = around(&grid->space->axis[2], first.row_z + z);
      add_row(range, grid->start + grid_torus_cell(grid->space->axis, torus, 0, row_y, row_z), (uint32_t)first.bin,
              length);
    }
  }
  /* Numbers and limits are below 2^31, so a difference has its highest bit set if a number exceeds its limit. */
  uint32_t over = 0;
  for (uint32_t k = 0; k < range->cells; k++) {
    over |= (job->limit - all_around(range, k)) | (job->limit / 2 - near_around(range, k));
  }
  return over >> 31;
}

/* Writes the candidates of a true cell, whose m agents begin at slot `first`, to `to` unless `to` is NULL. Returns
 * their number. `most` is the result of most_of for the cell (docs/ARITHMETIC.md), or 0 for a cell that is not
 * thinned. */
static uint32_t thin_members(const struct thin_job *job, uint32_t first, uint32_t m, uint64_t most,
                             struct grid_candidate *to) {
  uint32_t r = most > job->limit ? (uint32_t)(((uint64_t)m * job->limit + most - 1) / most) : m;
  if (m <= (uint64_t)job->spared * r) r = m;
  ASSERT_ALONE(r <= m && (m == 0 || r > 0));
  if (!to) return r;
  const struct true_cell cell = cell_of_agent(job, first);
  const float weight = (float)m / (float)r;
  /* An agent whose turn is below r is a representative. */
  uint32_t turn = (uint32_t)((uint64_t)job->phase * m >> 32);
  for (uint32_t k = first, left = m; left > 0; k++) {
    if (job->aliased && !same_cell(cell_of_agent(job, k), cell)) continue;
    left--;
    if (turn < r) *to++ = (struct grid_candidate){k, weight};
    turn = turn >= r ? turn - r : turn + (m - r);
  }
  return r;
}

/* Writes and counts the candidates of all true cells of a torus cell, whose m agents begin at slot `first`. */
static uint32_t thin_folded(const struct thin_job *job, uint32_t first, uint32_t m, struct grid_candidate *to) {
  const struct grid_listed *listed = job->grid->listed + first;
  uint32_t count = 0;
  for (uint32_t left = m; left > 0; left -= listed++->members) {
    const uint64_t most = listed->members > job->share ? surroundings(job, cell_of_agent(job, listed->first)) : 0;
    count += thin_members(job, listed->first, listed->members, most, to ? to + count : NULL);
  }
  return count;
}

/* Returns the number of candidates of `cells` cells of a row, from `cell` on. If `writes`, also writes them from
 * position `begin` on, and the position of each cell's first candidate to grid->thin_start. */
static uint32_t thin_cells(const struct thin_job *job, uint32_t cell, uint32_t cells, uint32_t begin, bool writes) {
  const struct grid *grid = job->grid;
  struct cell_range range;
  range.first = cell;
  range.cells = cells;
  const bool thins = job->aliased || count_around(job, &range);
  if (!thins && !writes) return grid->start[cell + cells] - grid->start[cell];
  uint32_t count = 0;
  for (uint32_t k = 0; k < cells; k++) {
    const uint32_t first = grid->start[cell + k], m = grid->start[cell + k + 1] - first;
    struct grid_candidate *to = writes ? grid->candidates + begin + count : NULL;
    if (writes) grid->thin_start[cell + k] = begin + count;
    if (!thins || m <= job->share) {
      for (uint32_t n = 0; to && n < m; n++) to[n] = (struct grid_candidate){first + n, 1.0f};
      count += m;
    } else if (job->aliased) {
      count += thin_folded(job, first, m, to);
    } else {
      count += thin_members(job, first, m, most_of(all_around(&range, k), near_around(&range, k)), to);
    }
  }
  return count;
}

/* Counts one task's candidates. If `writes`, also writes them from position `begin` on. */
static uint32_t thin_task_cells(const struct thin_job *job, uint32_t task, uint32_t begin, bool writes) {
  const uint32_t first = task * job->task_cells, row = 1u << job->grid->torus.bits_x;
  const uint32_t cells = lesser(lesser(row, RANGE_CELLS), job->task_cells);
  uint32_t count = 0;
  for (uint32_t cell = first; cell < first + job->task_cells; cell += cells) {
    count += thin_cells(job, cell, cells, begin + count, writes);
  }
  return count;
}

static void list_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct thin_job *job = context;
  const uint32_t *start = job->grid->start;
  (void)worker;
  for (uint32_t cell = begin * job->task_cells; cell < end * job->task_cells; cell++)
    if (start[cell + 1] - start[cell] > job->share) list_torus_cell(job, cell);
}

static void count_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  struct thin_job *job = context;
  const uint32_t *start = job->grid->start;
  (void)worker;
  for (uint32_t task = begin; task < end; task++) {
    const uint32_t first = task * job->task_cells, last = first + job->task_cells;
    job->first[task] = thin_task_cells(job, task, 0, false);
    job->dense[task] = job->first[task] < start[last] - start[first];
  }
}

static void write_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct thin_job *job = context;
  (void)worker;
  for (uint32_t task = begin; task < end; task++) thin_task_cells(job, task, job->first[task], true);
}

void throng_grid_thin(struct grid *grid, const struct columns *columns, uint32_t budget, enum spared spared,
                      uint64_t frame, const struct executor *executor) {
  ASSERT_ALONE(budget > 0 && grid->thins);
  const uint32_t limit = budget * GRID_SURROUNDINGS;
  const uint32_t cells_around =
      (2 * REACH_BINS + 1) * (2 * REACH_ROWS + 1) * (grid->space->spatial ? 2 * REACH_ROWS + 1 : 1);
  const uint32_t cells = 1u << torus_bits(&grid->torus);
  struct thin_job job = {.grid = grid,
                         .columns = columns,
                         .limit = limit,
                         .share = limit / cells_around,
                         .spared = spared,
                         .phase = (uint32_t)frame * 0x9E3779B9u,
                         .aliased = throng_grid_may_alias(grid),
                         .task_cells = cells / TASKS};
  if (job.aliased) throng_executor_run(executor, TASKS, 1, list_task, NULL, &job);
  throng_executor_run(executor, TASKS, 1, count_task, NULL, &job);
  uint32_t sum = 0;
  grid->dense = false;
  for (uint32_t task = 0; task < TASKS; task++) {
    grid->dense |= job.dense[task];
    uint32_t count = job.first[task];
    job.first[task] = sum;
    sum += count;
  }
  if (!grid->dense) return;
  throng_executor_run(executor, TASKS, 1, write_task, NULL, &job);
  ASSERT_ALONE(sum <= grid->capacity);
  grid->thin_start[cells] = sum;
}
