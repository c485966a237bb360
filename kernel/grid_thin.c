/* grid_thin.c: see grid_thin.h. A cell is dense if its surroundings, the cells that a window around it spans, hold more than
 * the limit, or those of them that are at most a bin away more than half of it: of a small clump everybody is in range of everybody.
 * Of its m members every (m / r)-th by id represents them with weight m / r, where r / m is the limit over the surroundings'
 * population, or over twice that of the near ones if it is more. The phase moves with the golden ratio of the frame's number, so
 * that each member's turn comes equally often and evenly.
 *   Where the torus folds, a torus cell may hold agents of several cells. A crowded one's cells are listed first, each with its
 * first member and their number, so that nothing is looked for among all its agents. SPDX-License-Identifier: MIT */
#include "grid_thin.h"

#define CHUNKS 64u

struct thin_job {
  struct grid *grid;
  const struct columns *columns;
  uint32_t limit; /* what a cell's surroundings may hold */
  uint32_t share; /* one cell's share of that: cells with as many or fewer are left alone */
  uint32_t phase; /* of 2^32 */
  bool aliased;   /* torus cells may hold agents of several true cells */
  uint32_t chunk_cells;
  uint32_t first[CHUNKS + 1]; /* each chunk's number of candidates, then its first place */
  bool dense[CHUNKS];
};

static struct true_cell cell_of_agent(const struct thin_job *job, uint32_t slot) {
  return throng_grid_cell_of(job->grid, job->columns, slot);
}

static bool same_cell(struct true_cell a, struct true_cell b) {
  return a.bin == b.bin && a.row_y == b.row_y && a.row_z == b.row_z;
}

/* Lists the true cells of a crowded torus cell from its first slot on, in the order of their first members; together they have
 * its agents. */
static void list_torus_cell(const struct thin_job *job, uint32_t cell) {
  const uint32_t begin = job->grid->start[cell], end = job->grid->start[cell + 1];
  struct grid_listed *list = job->grid->listed + begin;
  uint32_t count = 0;
  for (uint32_t k = begin; k < end; k++) {
    const struct true_cell here = cell_of_agent(job, k);
    uint32_t at = 0;
    while (at < count && !same_cell(cell_of_agent(job, list[at].first), here)) at++;
    if (at == count) list[count++] = (struct grid_listed){k, 0};
    list[at].members++;
  }
}

static uint32_t members(const struct thin_job *job, struct true_cell cell) {
  const struct grid *grid = job->grid;
  uint32_t at = grid_torus_cell(&grid->torus, cell.bin, cell.row_y, cell.row_z);
  uint32_t begin = grid->start[at], end = grid->start[at + 1];
  if (!job->aliased) return end - begin;
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

/* How many agents a cell's surroundings hold, or twice those at most a bin away if that is more. */
static uint64_t surroundings(const struct thin_job *job, struct true_cell cell) {
  const struct grid_axis *axis = job->grid->axis;
  const int32_t reach_y = job->grid->spatial ? REACH_ROWS : 0;
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
  return all > 2 * near ? all : 2 * near;
}

/* Puts the candidates of one true cell, whose m members begin at `first`, at `place`, unless that is NULL; returns how many. */
static uint32_t thin_members(const struct thin_job *job, uint32_t first, uint32_t m, struct grid_candidate *place) {
  const struct true_cell cell = cell_of_agent(job, first);
  uint32_t r = m;
  if (m > job->share) {
    const uint64_t most = surroundings(job, cell);
    if (most > job->limit) r = (uint32_t)(((uint64_t)m * job->limit + most - 1) / most);
  }
  if (!place) return r;
  const float weight = (float)m / (float)r;
  uint32_t turn =
      (uint32_t)((uint64_t)job->phase * m >> 32); /* a member whose turn is below r represents m / r others */
  for (uint32_t k = first, left = m; left > 0; k++) {
    if (job->aliased && !same_cell(cell_of_agent(job, k), cell)) continue;
    left--;
    if (turn < r) *place++ = (struct grid_candidate){k, weight};
    turn = turn >= r ? turn - r : turn + (m - r);
  }
  return r;
}

static uint32_t thin_torus_cell(const struct thin_job *job, uint32_t cell, struct grid_candidate *place) {
  const struct grid *grid = job->grid;
  const uint32_t begin = grid->start[cell], all = grid->start[cell + 1] - begin;
  if (all <= job->share) {
    for (uint32_t k = 0; place && k < all; k++) place[k] = (struct grid_candidate){begin + k, 1.0f};
    return all;
  }
  if (!job->aliased) return thin_members(job, begin, all, place);
  const struct grid_listed *listed = grid->listed + begin;
  uint32_t count = 0;
  for (uint32_t left = all; left > 0; left -= listed++->members)
    count += thin_members(job, listed->first, listed->members, place ? place + count : NULL);
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
    uint32_t first = chunk * job->chunk_cells, last = first + job->chunk_cells, count = 0;
    for (uint32_t cell = first; cell < last; cell++) count += thin_torus_cell(job, cell, NULL);
    job->first[chunk] = count;
    job->dense[chunk] = count < start[last] - start[first];
  }
}

static void place_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct thin_job *job = context;
  const struct grid *grid = job->grid;
  (void)worker;
  for (uint32_t chunk = begin; chunk < end; chunk++) {
    uint32_t place = job->first[chunk];
    for (uint32_t cell = chunk * job->chunk_cells; cell < (chunk + 1) * job->chunk_cells; cell++) {
      grid->thin_start[cell] = place;
      place += thin_torus_cell(job, cell, grid->candidates + place);
    }
  }
}

void throng_grid_thin(struct grid *grid, const struct columns *columns, uint32_t budget, uint64_t frame,
                      const struct executor *executor) {
  const uint32_t limit = budget * GRID_SURROUNDINGS;
  const uint32_t cells_around = (2 * REACH_BINS + 1) * (2 * REACH_ROWS + 1) * (grid->spatial ? 2 * REACH_ROWS + 1 : 1);
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
  grid->thin_start[cells] = sum;
}
