/* grid_sort.c: the index. A counting sort in two levels, then the canonical order, then every column moves.
 *   1. histogram: bands of neighbouring cells; who leaves the band that the last index put it into, counted by chunks of bands
 *   2. scatter:   their numbers, band by band
 *   3. bands:     each band by one task: count its cells, place, repair the order of ids, move the columns (passes/sort.c)
 * Agents move little in a frame, so that few leave. Where the last order says nothing, since agents came or went or the torus changed,
 * all do.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "grid.h"
#include "passes/passes.h"

#define ALONE_AGENTS 262144u /* one worker sorts up to as many as one band: the caches hold them */
#define BAND_AGENTS 8192u    /* at most about as many agents a band: what it writes stays in the L2 cache */
#define BANDS_A_WORKER 16u   /* at least, empty ones too, so that all are busy to the end */
#define LEAST_AGENTS 1024u   /* but not less a band */
#define CHUNK_AGENTS 8192u   /* about as many a chunk are worth a task */
#define CROWDED_CELL 64u     /* above it a cell out of order is radix-sorted: insertion would be quadratic */

struct sort_job {
  struct grid *grid;
  const struct grid_move *move;
  bool homes; /* who keeps its band is found where the last index put that; else all are listed as if they left it */
};

static uint32_t chunk_band(const struct grid *grid, uint32_t chunk) {
  return (uint32_t)((uint64_t)grid->bands * chunk / grid->chunks);
}

/* Lists the slots of those who leave the band at grid->order + home. */
static uint32_t list_leavers(const struct sort_job *job, uint32_t band) {
  const struct grid *grid = job->grid;
  const uint32_t begin = grid->band[band].home, end = grid->band[band + 1].home;
  uint32_t *list = grid->order + begin;
  if (job->homes) {
    const uint32_t cells = 1u << grid->band_shift;
    return job->move->passes->leavers(grid->key, begin, end, band * cells, cells, list);
  }
  for (uint32_t i = begin; i < end; i++) list[i - begin] = i;
  return end - begin;
}

static void histogram_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct sort_job *job = context;
  const struct grid *grid = job->grid;
  (void)worker;
  for (uint32_t chunk = begin; chunk < end; chunk++) {
    uint32_t *histogram = grid->histogram + (size_t)chunk * grid->bands;
    memset(histogram, 0, grid->bands * sizeof *histogram);
    const uint32_t last = chunk_band(grid, chunk + 1);
    for (uint32_t band = chunk_band(grid, chunk); band < last; band++) {
      const uint32_t *list = grid->order + grid->band[band].home;
      const uint32_t leavers = list_leavers(job, band);
      for (uint32_t k = 0; k < leavers; k++) histogram[grid->key[list[k]] >> grid->band_shift]++;
      grid->band[band].leavers = leavers;
    }
  }
}

/* Turns counts into first places, band by band, chunk by chunk within a band. */
static void place_bands(struct grid *grid) {
  uint32_t sum = 0, comers = 0;
  for (uint32_t k = 0; k < grid->bands; k++) {
    struct grid_band *band = &grid->band[k];
    band->first = sum;
    band->comers = comers;
    for (uint32_t chunk = 0; chunk < grid->chunks; chunk++) {
      uint32_t *slot = &grid->histogram[(size_t)chunk * grid->bands + k];
      uint32_t agents = *slot;
      *slot = comers;
      comers += agents;
    }
    sum += band[1].home - band->home - band->leavers + comers - band->comers;
  }
  grid->band[grid->bands].first = sum;
  grid->band[grid->bands].comers = comers;
}

static void scatter_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct sort_job *job = context;
  const struct grid *grid = job->grid;
  (void)worker;
  for (uint32_t chunk = begin; chunk < end; chunk++) {
    uint32_t *place = grid->histogram + (size_t)chunk * grid->bands;
    const uint32_t last = chunk_band(grid, chunk + 1);
    for (uint32_t band = chunk_band(grid, chunk); band < last; band++) {
      const uint32_t *list = grid->order + grid->band[band].home;
      for (uint32_t k = 0; k < grid->band[band].leavers; k++)
        grid->banded[place[grid->key[list[k]] >> grid->band_shift]++] = list[k];
    }
  }
}

/* What a band's agents are placed with. */
struct placement {
  const uint32_t *key, *id;
  uint32_t *cursor; /* [cell - first_cell] where the cell's next agent goes */
  uint32_t first_cell, cells;
  uint64_t *cell_and_id;
  uint32_t *order;
};

static inline bool stays(const struct placement *place, uint32_t from) {
  return place->key[from] - place->first_cell < place->cells;
}
static inline void count_agent(const struct placement *place, uint32_t from) {
  place->cursor[place->key[from] - place->first_cell]++;
}
static inline void place_agent(const struct placement *place, uint32_t from) {
  const uint32_t to = place->cursor[place->key[from] - place->first_cell]++;
  place->cell_and_id[to] = (uint64_t)place->key[from] << 32 | place->id[from];
  place->order[to] = from;
}

/* Counts the band's cells and places its agents cell by cell. Leaves start[cell + 1] = the end of each cell. */
static void place_cells(const struct sort_job *job, uint32_t number) {
  const struct grid *grid = job->grid;
  const struct grid_band *band = &grid->band[number];
  const uint32_t cells = 1u << grid->band_shift, first_cell = number * cells;
  const struct placement place = {
      grid->key, job->move->from_id, grid->start + 1 + first_cell, first_cell, cells, grid->cell_and_id, grid->order};
  const uint32_t home = band->home, home_end = job->homes ? band[1].home : home;
  const uint32_t *comer = grid->banded + band->comers, *comers_end = grid->banded + band[1].comers;
  memset(place.cursor, 0, cells * sizeof *place.cursor);
  for (uint32_t i = home; i < home_end; i++)
    if (stays(&place, i)) count_agent(&place, i);
  for (const uint32_t *from = comer; from < comers_end; from++) count_agent(&place, *from);
  uint32_t sum = band->first;
  for (uint32_t cell = 0; cell < cells; cell++) {
    uint32_t agents = place.cursor[cell];
    place.cursor[cell] = sum;
    sum += agents;
  }
  for (uint32_t i = home; i < home_end; i++)
    if (stays(&place, i)) place_agent(&place, i);
  for (const uint32_t *from = comer; from < comers_end; from++) place_agent(&place, *from);
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
    const uint32_t first = grid->band[band].first, last = grid->band[band + 1].first;
    place_cells(job, band);
    repair_order(grid, first, last);
    job->move->passes->reorder(grid, job->move, first, last);
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
static uint32_t chunk_agent(const void *context, uint32_t chunk) {
  const struct grid *grid = ((const struct sort_job *)context)->grid;
  return grid->band[chunk_band(grid, chunk)].home;
}
static uint32_t band_agent(const void *job, uint32_t band) {
  return ((const struct sort_job *)job)->grid->band[band].first;
}

/* Puts the numbers of those who leave their band into `banded`, band by band. */
static void sort_bands(struct sort_job *job, uint32_t count, const struct executor *executor,
                       const struct tracer *tracer) {
  struct grid *grid = job->grid;
  grid->chunks = count / CHUNK_AGENTS + 1;
  if (grid->chunks > GRID_MAX_CHUNKS) grid->chunks = GRID_MAX_CHUNKS;
  if (grid->chunks > grid->bands) grid->chunks = grid->bands;
  for (uint32_t band = 0; band <= grid->bands; band++) {
    grid->band[band].home =
        job->homes ? grid->start[(size_t)band << grid->band_shift] : (uint32_t)((uint64_t)count * band / grid->bands);
  }
  throng_trace_run(tracer, executor, THRONG_PASS_HISTOGRAM, grid->chunks, 1, histogram_task, chunk_agent, job);
  place_bands(grid);
  throng_trace_run(tracer, executor, THRONG_PASS_SCATTER, grid->chunks, 1, scatter_task, chunk_agent, job);
}

static bool same_torus(const struct torus *a, const struct torus *b) {
  return a->bits_x == b->bits_x && a->bits_y == b->bits_y && a->bits_z == b->bits_z;
}

/* As many bands as agents and workers want: a power of two. */
static void cut_bands(struct grid *grid, uint32_t count, uint32_t workers) {
  uint32_t agents = count / (BANDS_A_WORKER * workers); /* a band */
  if (agents < LEAST_AGENTS) agents = LEAST_AGENTS;
  if (agents > BAND_AGENTS) agents = BAND_AGENTS;
  if (workers == 1 && count <= ALONE_AGENTS) agents = ALONE_AGENTS;
  const uint32_t bits = grid->next.bits_x + grid->next.bits_y + grid->next.bits_z;
  uint32_t band_bits = 0;
  while (band_bits < bits && 1u << band_bits < GRID_MAX_BANDS && (uint64_t)agents << band_bits < count) band_bits++;
  grid->bands = 1u << band_bits;
  grid->band_shift = bits - band_bits;
}

void throng_grid_sort(struct grid *grid, uint32_t count, bool sorted, const struct grid_move *move,
                      const struct executor *executor, const struct tracer *tracer) {
  cut_bands(grid, count, executor->workers);
  struct sort_job job = {grid, move, sorted && same_torus(&grid->torus, &grid->next)};
  if (grid->bands > 1) {
    sort_bands(&job, count, executor, tracer);
  } else { /* nobody leaves */
    job.homes = true;
    grid->band[0] = (struct grid_band){0, 0, 0, 0};
    grid->band[1] = (struct grid_band){count, count, 0, 0};
  }
  grid->start[0] = 0;
  throng_trace_run(tracer, executor, THRONG_PASS_BANDS, grid->bands, 1 + grid->bands / 256, band_task, band_agent,
                   &job);
  grid->torus = grid->next;
  cut_strips(grid, count);
}
