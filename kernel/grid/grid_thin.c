/* grid_thin.c: see grid_thin.h. A cell's surroundings are the cells of a window around it. The cell is dense if its
 * surroundings hold more than `limit` agents, or if the part of them at most one bin away holds more than limit / 2.
 * The second test is for small clumps, where all agents are within range of each other. Of a dense cell's m agents,
 * every (m / r)-th by id is a representative with weight m / r. r / m is limit / max(surroundings, 2 * near
 * surroundings), with r rounded up. The phase is the frame's number times the golden ratio, so that every agent
 * represents equally often.
 *   Surroundings are counted for a range of cells of a row at once. Summing `start` over the rows around gives, for
 * each cell, the number of agents before it there, plus a constant. The difference of two such sums is the number of
 * agents in a window. If torus cells may hold several true cells, the true cells of each torus cell with more than
 * `share` agents are listed first, and surroundings are counted cell by cell.
 * SPDX-License-Identifier: MIT */
#include "grid/grid_thin.h"
#include "base/assertion.h"

#include <string.h>

#define CHUNKS 64u
#define PIECE_CELLS 256u

struct thin_job {
  struct grid *grid;
  const struct columns *columns;
  uint32_t limit; /* agents that a cell's surroundings may hold */
  uint32_t share; /* limit / (number of cells in the surroundings): cells with at most this many agents are not
                     thinned */
  uint32_t phase; /* a fraction of 2^32 */
  bool aliased;   /* torus cells may hold agents of several true cells */
  uint32_t chunk_cells;
  uint32_t first[CHUNKS + 1]; /* each task's number of candidates, then its first position in grid->candidates */
  bool dense[CHUNKS];
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
  uint32_t at = grid_torus_cell(&grid->torus, cell.bin, cell.row_y, cell.row_z);
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

/* The population that decides whether a cell is dense: `all` agents around it, or twice the `near` ones. */
static uint64_t most_of(uint64_t all, uint64_t near) { return all > 2 * near ? all : 2 * near; }

/* Returns that population for one true cell, counted cell by cell. */
static uint64_t surroundings(const struct thin_job *job, struct true_cell cell) {
  const struct grid_axis *axis = job->grid->space.axis;
  const int32_t reach_y = job->grid->space.spatial ? REACH_ROWS : 0;
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
struct piece {
  uint32_t first, cells;
  /* Begins REACH_BINS cells to the left of the first. Element k: how many agents precede that cell in the rows around,
   * plus a constant. */
  uint32_t before[PIECE_CELLS + 2 * REACH_BINS + 1];
};

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Adds `count` elements of a row from `first` on, each plus `more`. */
static void add_places(uint32_t *restrict to, const uint32_t *restrict row, uint32_t first, uint32_t count,
                       uint32_t more) {
  if (count == 0) return;
  const uint32_t *place = row + first;
  for (uint32_t k = 0; k < count; k++) to[k] += place[k] + more;
}

/* Adds a row of `length` cells; the range begins at bin x. The row wraps around: its last cells come before its
 * first one, and its first ones after the last. */
static void add_row(struct piece *piece, const uint32_t *row, uint32_t x, uint32_t length) {
  const uint32_t agents = row[length] - row[0], end = piece->cells + 2 * REACH_BINS + 1;
  const uint32_t own = x < REACH_BINS ? REACH_BINS - x : 0, next = lesser(REACH_BINS + length + 1 - x, end);
  add_places(piece->before, row, length + x - REACH_BINS, own, -agents);
  add_places(piece->before + own, row, x + own - REACH_BINS, next - own, 0);
  add_places(piece->before + next, row, x + next - length - REACH_BINS, end - next, agents);
}

/* all_around: the agents around cell k of the range. near_around: those at most one bin away. */
static uint32_t all_around(const struct piece *piece, uint32_t k) {
  ASSERT_ALONE(k < piece->cells);
  return piece->before[k + 2 * REACH_BINS + 1] - piece->before[k];
}
static uint32_t near_around(const struct piece *piece, uint32_t k) {
  return piece->before[k + REACH_BINS + 2] - piece->before[k + REACH_BINS - 1];
}

/* Counts the surroundings of a range of cells. Returns whether the range has agents and a dense cell. In periodic
 * worlds a range is cut where the world ends; the torus cells beyond that are empty. */
static bool count_around(const struct thin_job *job, struct piece *piece) {
  ASSERT_ALONE(piece->cells <= PIECE_CELLS);
  const struct grid *grid = job->grid;
  const struct torus *torus = &grid->torus;
  if (grid->start[piece->first] == grid->start[piece->first + piece->cells]) return false;
  const struct true_cell first = grid_cell_in_torus(torus, piece->first);
  const int32_t reach_y = grid->space.spatial ? REACH_ROWS : 0;
  const uint32_t length = grid->space.axis[0].period ? (uint32_t)grid->space.axis[0].period : 1u << torus->bits_x;
  piece->cells = lesser(piece->cells, length - (uint32_t)first.bin);
  memset(piece->before, 0, (piece->cells + 2 * REACH_BINS + 1) * sizeof *piece->before);
  for (int32_t z = -REACH_ROWS; z <= REACH_ROWS; z++) {
    for (int32_t y = -reach_y; y <= reach_y; y++) {
      const int32_t row_y = around(&grid->space.axis[1], first.row_y + y),
                    row_z = around(&grid->space.axis[2], first.row_z + z);
      add_row(piece, grid->start + grid_torus_cell(torus, 0, row_y, row_z), (uint32_t)first.bin, length);
    }
  }
  uint32_t over = 0; /* its highest bit is set if a population exceeds the limit, because both are below 2^31 */
  for (uint32_t k = 0; k < piece->cells; k++) {
    over |= (job->limit - all_around(piece, k)) | (job->limit / 2 - near_around(piece, k));
  }
  return over >> 31;
}

/* Writes the candidates of a true cell, whose m agents begin at slot `first`, to `place` unless that is NULL.
 * Returns their number. `most` is the deciding population of its surroundings (docs/ARITHMETIC.md); 0 for cells that
 * are not thinned. */
static uint32_t thin_members(const struct thin_job *job, uint32_t first, uint32_t m, uint64_t most,
                             struct grid_candidate *place) {
  const uint32_t r = most > job->limit ? (uint32_t)(((uint64_t)m * job->limit + most - 1) / most) : m;
  ASSERT_ALONE(r <= m && (m == 0 || r > 0));
  if (!place) return r;
  const struct true_cell cell = cell_of_agent(job, first);
  const float weight = (float)m / (float)r;
  uint32_t turn =
      (uint32_t)((uint64_t)job->phase * m >> 32); /* an agent whose turn is below r represents m / r agents */
  for (uint32_t k = first, left = m; left > 0; k++) {
    if (job->aliased && !same_cell(cell_of_agent(job, k), cell)) continue;
    left--;
    if (turn < r) *place++ = (struct grid_candidate){k, weight};
    turn = turn >= r ? turn - r : turn + (m - r);
  }
  return r;
}

/* Does the same for all true cells of a torus cell, whose m agents begin at slot `first`. */
static uint32_t thin_folded(const struct thin_job *job, uint32_t first, uint32_t m, struct grid_candidate *place) {
  const struct grid_listed *listed = job->grid->listed + first;
  uint32_t count = 0;
  for (uint32_t left = m; left > 0; left -= listed++->members) {
    const uint64_t most = listed->members > job->share ? surroundings(job, cell_of_agent(job, listed->first)) : 0;
    count += thin_members(job, listed->first, listed->members, most, place ? place + count : NULL);
  }
  return count;
}

/* Does the same for `cells` cells of a row from `cell` on. If `places`, writes the candidates from position `begin` on,
 * and where each cell's candidates begin; if not, it only counts. */
static uint32_t thin_cells(const struct thin_job *job, uint32_t cell, uint32_t cells, uint32_t begin, bool places) {
  const struct grid *grid = job->grid;
  struct piece piece;
  piece.first = cell;
  piece.cells = cells;
  const bool thins = job->aliased || count_around(job, &piece);
  if (!thins && !places) return grid->start[cell + cells] - grid->start[cell];
  uint32_t count = 0;
  for (uint32_t k = 0; k < cells; k++) {
    const uint32_t first = grid->start[cell + k], m = grid->start[cell + k + 1] - first;
    struct grid_candidate *place = places ? grid->candidates + begin + count : NULL;
    if (places) grid->thin_start[cell + k] = begin + count;
    if (!thins || m <= job->share) {
      for (uint32_t n = 0; place && n < m; n++) place[n] = (struct grid_candidate){first + n, 1.0f};
      count += m;
    } else if (job->aliased) {
      count += thin_folded(job, first, m, place);
    } else {
      count += thin_members(job, first, m, most_of(all_around(&piece, k), near_around(&piece, k)), place);
    }
  }
  return count;
}

/* Counts one task's candidates. If `places`, also writes them from position `begin` on. */
static uint32_t thin_chunk(const struct thin_job *job, uint32_t chunk, uint32_t begin, bool places) {
  const uint32_t first = chunk * job->chunk_cells, row = 1u << job->grid->torus.bits_x;
  const uint32_t cells = lesser(lesser(row, PIECE_CELLS), job->chunk_cells);
  uint32_t count = 0;
  for (uint32_t cell = first; cell < first + job->chunk_cells; cell += cells) {
    count += thin_cells(job, cell, cells, begin + count, places);
  }
  return count;
}

static void list_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct thin_job *job = context;
  const uint32_t *start = job->grid->start;
  (void)worker;
  for (uint32_t cell = begin * job->chunk_cells; cell < end * job->chunk_cells; cell++)
    if (start[cell + 1] - start[cell] > job->share) list_torus_cell(job, cell);
}

static void count_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  struct thin_job *job = context;
  const uint32_t *start = job->grid->start;
  (void)worker;
  for (uint32_t chunk = begin; chunk < end; chunk++) {
    const uint32_t first = chunk * job->chunk_cells, last = first + job->chunk_cells;
    job->first[chunk] = thin_chunk(job, chunk, 0, false);
    job->dense[chunk] = job->first[chunk] < start[last] - start[first];
  }
}

static void place_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct thin_job *job = context;
  (void)worker;
  for (uint32_t chunk = begin; chunk < end; chunk++) thin_chunk(job, chunk, job->first[chunk], true);
}

void throng_grid_thin(struct grid *grid, const struct columns *columns, uint32_t budget, uint64_t frame,
                      const struct executor *executor) {
  ASSERT_ALONE(budget > 0 && grid->thins);
  const uint32_t limit = budget * GRID_SURROUNDINGS;
  const uint32_t cells_around =
      (2 * REACH_BINS + 1) * (2 * REACH_ROWS + 1) * (grid->space.spatial ? 2 * REACH_ROWS + 1 : 1);
  const uint32_t cells = 1u << torus_bits(&grid->torus);
  struct thin_job job = {.grid = grid,
                         .columns = columns,
                         .limit = limit,
                         .share = limit / cells_around,
                         .phase = (uint32_t)frame * 0x9E3779B9u,
                         .aliased = throng_grid_may_alias(grid),
                         .chunk_cells = cells / CHUNKS};
  if (job.aliased) throng_executor_run(executor, CHUNKS, 1, list_task, NULL, &job);
  throng_executor_run(executor, CHUNKS, 1, count_task, NULL, &job);
  uint32_t sum = 0;
  grid->dense = false;
  for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
    grid->dense |= job.dense[chunk];
    uint32_t count = job.first[chunk];
    job.first[chunk] = sum;
    sum += count;
  }
  if (!grid->dense) return;
  throng_executor_run(executor, CHUNKS, 1, place_task, NULL, &job);
  ASSERT_ALONE(sum <= grid->capacity);
  grid->thin_start[cells] = sum;
}
