/* grid_sort.c: the index. A counting sort in two levels, then the canonical order, then every column moves.
 *   1. histogram: bands of neighbouring cells, counted by chunks of agents in parallel
 *   2. scatter:   the agents' numbers, band by band
 *   3. bands:     each band by one task: count its cells, place, repair the order of ids, move the columns (passes/reorder.c)
 * One worker alone takes the whole world as one band and needs neither 1 nor 2 (6 % of flock2's frame).
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "grid.h"
#include "passes/passes.h"

#define BAND_AGENTS 2048u  /* about as many agents a band */
#define CHUNK_AGENTS 8192u /* a chunk is worth a task */
#define CROWDED_CELL 64u   /* above it a cell out of order is radix-sorted: insertion would be quadratic */

struct sort_job {
  struct grid *grid;
  const struct grid_move *move;
  uint32_t count;
};

static uint32_t chunk_begin(const struct sort_job *job, uint32_t chunk) {
  return (uint32_t)((uint64_t)job->count * chunk / job->grid->chunks);
}

static void histogram_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct sort_job *job = context;
  const struct grid *grid = job->grid;
  (void)worker;
  for (uint32_t chunk = begin; chunk < end; chunk++) {
    uint32_t *histogram = grid->histogram + (size_t)chunk * grid->bands;
    memset(histogram, 0, grid->bands * sizeof *histogram);
    uint32_t last = chunk_begin(job, chunk + 1);
    for (uint32_t i = chunk_begin(job, chunk); i < last; i++) histogram[grid->key[i] >> grid->band_shift]++;
  }
}

/* Turns counts into first places, band by band, chunk by chunk within a band. */
static void place_bands(struct grid *grid) {
  uint32_t sum = 0;
  for (uint32_t band = 0; band < grid->bands; band++) {
    grid->band_start[band] = sum;
    for (uint32_t chunk = 0; chunk < grid->chunks; chunk++) {
      uint32_t *slot = &grid->histogram[(size_t)chunk * grid->bands + band];
      uint32_t agents = *slot;
      *slot = sum;
      sum += agents;
    }
  }
  grid->band_start[grid->bands] = sum;
}

static void scatter_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct sort_job *job = context;
  const struct grid *grid = job->grid;
  (void)worker;
  for (uint32_t chunk = begin; chunk < end; chunk++) {
    uint32_t *place = grid->histogram + (size_t)chunk * grid->bands;
    uint32_t last = chunk_begin(job, chunk + 1);
    for (uint32_t i = chunk_begin(job, chunk); i < last; i++) {
      grid->banded[place[grid->key[i] >> grid->band_shift]++] = i;
    }
  }
}

/* Counts the band's cells and places its agents cell by cell. Leaves start[cell + 1] = the end of each cell. */
static void place_cells(const struct grid *grid, const uint32_t *id, uint32_t band, uint32_t begin, uint32_t end) {
  const uint32_t *banded = grid->bands > 1 ? grid->banded : NULL; /* NULL: all agents as they lie */
  uint32_t cells = 1u << grid->band_shift;
  uint32_t first_cell = band << grid->band_shift;
  uint32_t *cursor = grid->start + 1 + first_cell;
  memset(cursor, 0, cells * sizeof *cursor);
  for (uint32_t k = begin; k < end; k++) cursor[grid->key[banded ? banded[k] : k] - first_cell]++;
  uint32_t sum = begin;
  for (uint32_t cell = 0; cell < cells; cell++) {
    uint32_t agents = cursor[cell];
    cursor[cell] = sum;
    sum += agents;
  }
  for (uint32_t k = begin; k < end; k++) {
    uint32_t from = banded ? banded[k] : k;
    uint32_t to = cursor[grid->key[from] - first_cell]++;
    grid->cell_and_id[to] = (uint64_t)grid->key[from] << 32 | id[from];
    grid->order[to] = from;
  }
}

/* Least significant byte first, over the 32 bits of the id index; four rounds end where they began. */
static void radix_sort(const struct grid *grid, uint32_t begin, uint32_t end) {
  uint64_t *keys = grid->cell_and_id, *other_keys = grid->sort_keys;
  uint32_t *order = grid->order, *other_order = grid->sort_order;
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    uint32_t place[256] = {0};
    for (uint32_t k = begin; k < end; k++) place[keys[k] >> shift & 0xFF]++;
    uint32_t sum = begin;
    for (uint32_t digit = 0; digit < 256; digit++) {
      uint32_t agents = place[digit];
      place[digit] = sum;
      sum += agents;
    }
    for (uint32_t k = begin; k < end; k++) {
      uint32_t to = place[keys[k] >> shift & 0xFF]++;
      other_keys[to] = keys[k];
      other_order[to] = order[k];
    }
    uint64_t *swap_keys = keys;
    keys = other_keys;
    other_keys = swap_keys;
    uint32_t *swap_order = order;
    order = other_order;
    other_order = swap_order;
  }
}

static void insert_back(const struct grid *grid, uint32_t begin, uint32_t k) {
  uint64_t key = grid->cell_and_id[k];
  uint32_t from = grid->order[k];
  uint32_t to = k;
  while (to > begin && grid->cell_and_id[to - 1] > key) {
    grid->cell_and_id[to] = grid->cell_and_id[to - 1];
    grid->order[to] = grid->order[to - 1];
    to--;
  }
  grid->cell_and_id[to] = key;
  grid->order[to] = from;
}

/* Cells are in order; within a cell few ids are not, since the last frame left them sorted. */
static void repair_order(const struct grid *grid, uint32_t begin, uint32_t end) {
  for (uint32_t k = begin + 1; k < end; k++) {
    if (grid->cell_and_id[k - 1] <= grid->cell_and_id[k]) continue;
    uint32_t cell = (uint32_t)(grid->cell_and_id[k] >> 32);
    /* start[] of a band's first cell is its neighbour's to write, perhaps at this moment. */
    bool first_cell = (cell & ((1u << grid->band_shift) - 1)) == 0;
    uint32_t cell_begin = first_cell ? begin : grid->start[cell], cell_end = grid->start[cell + 1];
    if (cell_end - cell_begin > CROWDED_CELL) {
      radix_sort(grid, cell_begin, cell_end);
      k = cell_end;
    } else {
      insert_back(grid, begin, k);
    }
  }
}

static void band_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct sort_job *job = context;
  const struct grid *grid = job->grid;
  (void)worker;
  for (uint32_t band = begin; band < end; band++) {
    uint32_t first = grid->band_start[band], last = grid->band_start[band + 1];
    place_cells(grid, job->move->from_id, band, first, last);
    repair_order(grid, first, last);
    job->move->reorder(grid, job->move, first, last);
  }
}

/* Cuts [begin, end), agents of one row, into equal strips of whole blocks. */
static uint32_t cut_row(struct grid *grid, uint32_t strips, uint32_t begin, uint32_t end) {
  uint32_t pieces = (end - begin + STRIP_AGENTS - 1) / STRIP_AGENTS;
  uint32_t piece = ((end - begin + pieces - 1) / pieces + BLOCK_AGENTS - 1) / BLOCK_AGENTS * BLOCK_AGENTS;
  for (; begin < end; begin += piece) grid->strip_start[strips++] = begin;
  return strips;
}

/* Strips of at most STRIP_AGENTS: short rows together, long rows in pieces, so that few blocks are cut short. */
static void cut_strips(struct grid *grid, uint32_t count) {
  const uint32_t rows = 1u << (grid->torus.bits_y + grid->torus.bits_z);
  uint32_t strips = 0, begin = 0, row_begin = 0;
  for (uint32_t row = 0; row < rows; row++) {
    uint32_t row_end = grid->start[(row + 1) << grid->torus.bits_x];
    if (row_end - begin > STRIP_AGENTS) {
      if (begin < row_begin) grid->strip_start[strips++] = begin;
      begin = row_begin;
      if (row_end - begin > STRIP_AGENTS) {
        strips = cut_row(grid, strips, begin, row_end);
        begin = row_end;
      }
    }
    row_begin = row_end;
  }
  if (begin < count) grid->strip_start[strips++] = begin;
  grid->strip_start[strips] = count;
  grid->strips = strips;
}

/* The first agent of a chunk and of a band, for the trace. */
static uint32_t chunk_agent(const void *job, uint32_t chunk) { return chunk_begin(job, chunk); }
static uint32_t band_agent(const void *job, uint32_t band) {
  return ((const struct sort_job *)job)->grid->band_start[band];
}

/* Puts the agents' numbers into `banded`, band by band. */
static void sort_bands(struct sort_job *job, const struct executor *executor, const struct tracer *tracer) {
  struct grid *grid = job->grid;
  grid->chunks = job->count / CHUNK_AGENTS + 1;
  if (grid->chunks > GRID_MAX_CHUNKS) grid->chunks = GRID_MAX_CHUNKS;
  throng_trace_run(tracer, executor, THRONG_PASS_HISTOGRAM, grid->chunks, 1, histogram_task, chunk_agent, job);
  place_bands(grid);
  throng_trace_run(tracer, executor, THRONG_PASS_SCATTER, grid->chunks, 1, scatter_task, chunk_agent, job);
}

void throng_grid_sort(struct grid *grid, uint32_t count, const struct grid_move *move, const struct executor *executor,
                      const struct tracer *tracer) {
  uint32_t bits = grid->next.bits_x + grid->next.bits_y + grid->next.bits_z;
  uint32_t most = executor->workers == 1 ? 1 : GRID_MAX_BANDS;
  uint32_t band_bits = 0;
  while (band_bits < bits && (1u << band_bits) < most && ((uint64_t)BAND_AGENTS << band_bits) < count) band_bits++;
  grid->bands = 1u << band_bits;
  grid->band_shift = bits - band_bits;
  grid->band_start[0] = grid->start[0] = 0;
  grid->band_start[grid->bands] = count;

  struct sort_job job = {grid, move, count};
  if (grid->bands > 1) sort_bands(&job, executor, tracer);
  throng_trace_run(tracer, executor, THRONG_PASS_BANDS, grid->bands, 1 + grid->bands / 256, band_task, band_agent,
                   &job);
  grid->torus = grid->next;
  cut_strips(grid, count);
}
