/* grid_sort.c: sorts the agents into grid order. The bands are cut before the frame's strips run, so that each strip
 * lists its movers, and each worker the leavers of its strips.
 *   1. Hand over: the calling thread lists the newcomers of each band from the workers' lists.
 *   2. Bands: one task per band lists the band's movers, gives its agents their new slots (grid_place.c) and moves the
 *      columns (passes/index/sort.c).
 * Agents move little in a frame, so that few leave a band. If many do, all workers share step 1:
 *   1a. Movers: list the movers of each band, and count those that leave it, for each range of bands that one task
 *       handles.
 *   1b. Scatter: list the newcomers of each band.
 * Agents that the host has moved, added or removed since the last sort are movers, arrivals and departures too. The old
 * order cannot be used if these are many or if the torus changed. The cells of all agents are then found first, and
 * every agent counts as a leaver.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/assertion.h"
#include "grid/grid_displaced.h"
#include "grid/grid_place.h"

#define ALONE_AGENTS                                                                                                   \
  262144u                  /* one worker sorts up to this many agents as one band if all are leavers: caches hold
                                them */
#define BAND_AGENTS 8192u  /* about the maximum of a band; the data that its sort writes then stays in the L2 cache */
#define BANDS_A_WORKER 16u /* minimum of bands per worker, empty ones included, so that all workers finish together */
#define LEAST_AGENTS 1024u /* about the minimum of a band; a smaller crowd is one band */
#define STRIPS_A_WORKER 4u /* minimum of strips per worker, if there are enough agents, so that all finish together */
#define LISTED_ALONE                                                                                                   \
  32768u                 /* one worker lists the movers of up to this many agents: waking other workers would take
                                longer */
#define FEW_MOVERS 4u    /* if more than 1/4 of the agents move, all agents are placed */
#define FEW_LEAVERS 32u  /* if more than 1/32 of the agents leave their bands, all workers list the newcomers */
#define KEYS_GRAIN 8192u /* agents per task when finding cells */

/* Copies the movers of band `number` from the strips' lists to grid->moved, from the band's band_home on. */
static void list_movers(const struct grid *grid, uint32_t number) {
  const uint32_t begin = grid->band_home[number], end = grid->band_home[number + 1];
  struct grid_mover *moved = grid->moved + begin;
  for (uint32_t strip = grid_range_of(grid->strip_start, grid->strips, begin);
       strip < grid->strips && grid->strip_start[strip] < end; strip++) {
    const struct grid_mover_list *list = &grid->lists[strip];
    const struct grid_mover *mover = grid->mover + list->first;
    for (uint32_t k = 0; k < list->count; k++) {
      if (mover[k].slot >= begin && mover[k].slot < end) *moved++ = mover[k];
    }
  }
  ASSERT_ALONE(moved <= grid->moved + end);
  grid->band[number].movers = (uint32_t)(moved - (grid->moved + begin));
}

static uint32_t band_of(const struct grid *grid, uint32_t cell) {
  ASSERT_ALONE(cell >> torus_bits(&grid->next) == 0);
  return cell >> grid->band_shift;
}

/* If the next torus differs, the list means nothing and is not read. */
void throng_grid_list_leavers(const struct grid *grid, uint32_t strip, uint32_t worker) {
  ASSERT_ALONE(strip < grid->strips && worker < grid->workers);
  const struct grid_mover *mover = grid->mover + grid->lists[strip].first;
  const uint32_t movers = grid->lists[strip].count, room = grid_leavers_room(grid);
  struct grid_leavers *list = &grid->leavers[worker];
  if (list->sort != grid->sort) *list = (struct grid_leavers){.sort = grid->sort};
  list->movers += movers;
  if (movers > room - list->count) list->full = true;
  if (list->full) return;
  struct grid_mover *leaver = grid->leaver + (size_t)worker * room;
  uint32_t count = list->count;
  for (uint32_t k = 0; k < movers; k++) {
    leaver[count] = mover[k];
    count += (mover[k].from ^ mover[k].to) >> grid->band_shift != 0;
  }
  list->count = count;
}

/* The leavers that a worker has listed. */
struct leaver_range {
  const struct grid_mover *begin, *end;
};
static struct leaver_range leavers_of(const struct grid *grid, uint32_t worker) {
  const struct grid_leavers *list = &grid->leavers[worker];
  const struct grid_mover *begin = grid->leaver + (size_t)worker * grid_leavers_room(grid);
  return (struct leaver_range){begin, begin + (list->sort == grid->sort ? list->count : 0)};
}

/* The numbers of movers and leavers in all strips. `leavers` is UINT32_MAX if a list is full. */
struct totals {
  uint32_t movers, leavers;
};
static struct totals count_movers(const struct grid *grid) {
  struct totals sum = {0};
  bool full = false;
  for (uint32_t worker = 0; worker < grid->workers; worker++) {
    const struct grid_leavers *list = &grid->leavers[worker];
    if (list->sort != grid->sort) continue;
    sum.movers += list->movers;
    sum.leavers += list->count;
    full |= list->full;
  }
  if (full) sum.leavers = UINT32_MAX;
  return sum;
}

/* Lists the movers of band `number`, and counts those that leave it. */
static void count_leavers(const struct grid *grid, uint32_t number, uint32_t *histogram) {
  struct grid_band *band = &grid->band[number];
  const struct grid_mover *mover = grid->moved + grid->band_home[number];
  list_movers(grid, number);
  band->leavers = 0;
  for (const struct grid_mover *end = mover + band->movers; mover < end; mover++) {
    const uint32_t to = band_of(grid, mover->to);
    if (to == number) continue;
    histogram[to]++;
    band->leavers++;
  }
}

/* For an old order that cannot be used: counts all agents of the band's part as leavers. */
static void count_all(const struct grid *grid, uint32_t number, uint32_t *histogram) {
  const uint32_t begin = grid->band_home[number], end = grid->band_home[number + 1];
  for (uint32_t i = begin; i < end; i++) histogram[band_of(grid, grid->key[i])]++;
  grid->band[number].leavers = end - begin;
}

static void movers_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct grid_sort *job = context;
  const struct grid *grid = job->grid;
  (void)worker;
  for (uint32_t chunk = begin; chunk < end; chunk++) {
    uint32_t *histogram = grid->histogram + (size_t)chunk * grid->bands;
    memset(histogram, 0, grid->bands * sizeof *histogram);
    for (uint32_t band = job->chunk[chunk]; band < job->chunk[chunk + 1]; band++)
      (job->homes ? count_leavers : count_all)(grid, band, histogram);
  }
}

/* Adds up the newcomers of each band. */
static void count_comers(const struct grid *grid) {
  for (uint32_t k = 0; k < grid->bands; k++) grid->band[k].comers = 0;
  for (uint32_t chunk = 0; chunk < grid->chunks; chunk++) {
    const uint32_t *agents = grid->histogram + (size_t)chunk * grid->bands;
    for (uint32_t k = 0; k < grid->bands; k++) grid->band[k].comers += agents[k];
  }
}

/* Finds where each band's agents and newcomers begin. If all workers list the newcomers, those of a worker's first band
 * begin at the band's old first slot, in memory that this worker wrote last, unless too little of grid->mover would be
 * left for the bands after it. */
static void place_bands(const struct grid_sort *job, uint32_t count) {
  const struct grid *grid = job->grid;
  const struct executor *executor = job->executor;
  uint32_t first = 0, comer = 0, left = 0, worker = 0;
  for (uint32_t k = 0; k < grid->bands; k++) left += grid->band[k].leavers;
  for (uint32_t k = 0; k < grid->bands; k++) {
    struct grid_band *band = &grid->band[k];
    const uint32_t home = grid->band_home[k];
    for (; !job->listed && worker < executor->team && home >= executor->shares[worker].agent; worker++) {
      const uint32_t latest = home < count - left ? home : count - left;
      if (comer < latest) comer = latest;
    }
    grid->band_first[k] = first;
    band->comer = comer;
    comer += band->comers;
    left -= band->comers;
    first += grid->band_home[k + 1] - home - band->leavers + band->comers;
  }
  ASSERT_ALONE(first == count && left == job->move->departures - job->move->arrivals);
  ASSERT_ALONE(comer <= grid->capacity);
  grid->band_first[grid->bands] = first;
}

/* Arrival k of a piece of a world as a mover. */
static struct grid_mover arrival_at(const struct grid_sort *job, uint32_t k) {
  const struct grid *grid = job->grid;
  const float *const *p = job->move->from + COLUMN_POSITION_X;
  const struct grid_axis *axis = grid->space->axis;
  const uint32_t slot = job->old_count + k;
  const int32_t row_y = grid->space->spatial ? throng_grid_cell(&axis[1], p[1][slot]) : 0;
  const uint32_t to = grid_torus_cell(axis, &grid->next, throng_grid_cell(&axis[0], p[0][slot]), row_y,
                                      throng_grid_cell(&axis[2], p[2][slot]));
  return (struct grid_mover){slot, GRID_NOWHERE, to};
}

static void hand_comer(const struct grid *grid, const struct grid_mover *mover) {
  struct grid_band *band = &grid->band[band_of(grid, mover->to)];
  grid->comer[band->comer + band->comers++] = *mover;
}

/* Lists the newcomers of each band from the workers' lists of leavers. */
static void hand_leavers(const struct grid_sort *job, uint32_t count) {
  const struct grid *grid = job->grid;
  for (uint32_t k = 0; k < grid->bands; k++) grid->band[k].leavers = grid->band[k].comers = 0;
  for (uint32_t worker = 0; worker < grid->workers; worker++) {
    const struct leaver_range leavers = leavers_of(grid, worker);
    for (const struct grid_mover *leaver = leavers.begin; leaver < leavers.end; leaver++) {
      grid->band[band_of(grid, leaver->from)].leavers++;
      if (leaver->to != GRID_NOWHERE) grid->band[band_of(grid, leaver->to)].comers++;
    }
  }
  for (uint32_t k = 0; k < job->move->arrivals; k++) grid->band[band_of(grid, arrival_at(job, k).to)].comers++;
  place_bands(job, count);
  for (uint32_t k = 0; k < grid->bands; k++) grid->band[k].comers = 0;
  for (uint32_t worker = 0; worker < grid->workers; worker++) {
    const struct leaver_range leavers = leavers_of(grid, worker);
    for (const struct grid_mover *leaver = leavers.begin; leaver < leavers.end; leaver++) {
      if (leaver->to != GRID_NOWHERE) hand_comer(grid, leaver);
    }
  }
  for (uint32_t k = 0; k < job->move->arrivals; k++) {
    const struct grid_mover arrival = arrival_at(job, k);
    hand_comer(grid, &arrival);
  }
}

/* Turns the counts into positions in grid->mover. A band's newcomers that come from one range of bands follow those
 * that come from the range before. */
static void place_comers(const struct grid *grid) {
  for (uint32_t k = 0; k < grid->bands; k++) grid->band[k].comers = 0;
  for (uint32_t chunk = 0; chunk < grid->chunks; chunk++) {
    uint32_t *place = grid->histogram + (size_t)chunk * grid->bands;
    for (uint32_t k = 0; k < grid->bands; k++) {
      const uint32_t agents = place[k];
      place[k] = grid->band[k].comer + grid->band[k].comers;
      grid->band[k].comers += agents;
    }
  }
}

static void scatter_leavers(const struct grid *grid, uint32_t number, uint32_t *place) {
  const struct grid_mover *mover = grid->moved + grid->band_home[number];
  for (const struct grid_mover *end = mover + grid->band[number].movers; mover < end; mover++) {
    const uint32_t to = band_of(grid, mover->to);
    if (to != number) grid->mover[place[to]++] = *mover;
  }
}

static void scatter_all(const struct grid *grid, uint32_t number, uint32_t *place) {
  for (uint32_t i = grid->band_home[number]; i < grid->band_home[number + 1]; i++) {
    const uint32_t to = grid->key[i];
    grid->mover[place[band_of(grid, to)]++] = (struct grid_mover){.slot = i, .to = to};
  }
}

static void scatter_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct grid_sort *job = context;
  const struct grid *grid = job->grid;
  (void)worker;
  for (uint32_t chunk = begin; chunk < end; chunk++) {
    uint32_t *place = grid->histogram + (size_t)chunk * grid->bands;
    for (uint32_t band = job->chunk[chunk]; band < job->chunk[chunk + 1]; band++)
      (job->homes ? scatter_leavers : scatter_all)(grid, band, place);
  }
}

/* Returns the end of the slots that a worker may prefetch while it moves this band. It must not prefetch slots that
 * another worker will move: their data stays in the other core's cache. */
static uint32_t fetch_end(const struct grid_sort *job, uint32_t band, uint32_t worker) {
  const struct grid *grid = job->grid;
  const struct executor_share *share = &job->executor->shares[worker];
  const uint32_t end = worker + 1 < job->executor->team ? share[1].agent : grid->capacity;
  const bool own = grid->band_first[band] >= share->agent && grid->band_first[band] < end;
  return own ? end : grid->band_home[band + 1];
}

static void band_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct grid_sort *job = context;
  const struct grid *grid = job->grid;
  for (uint32_t band = begin; band < end; band++) {
    if (job->listed) list_movers(grid, band);
    throng_grid_place(job, band, worker);
    job->move->passes->reorder(grid, job->move, grid->band_first[band], grid->band_first[band + 1],
                               fetch_end(job, band, worker), job->few);
  }
}

/* Cuts the agents [begin, end) of one row into equal strips of whole blocks, of at most `most` agents. */
static uint32_t cut_row(struct grid *grid, uint32_t strips, uint32_t begin, uint32_t end, uint32_t most) {
  uint32_t pieces = (end - begin + most - 1) / most;
  uint32_t piece = ((end - begin + pieces - 1) / pieces + BLOCK_AGENTS - 1) / BLOCK_AGENTS * BLOCK_AGENTS;
  for (; begin < end; begin += piece) grid->strip_start[strips++] = begin;
  return strips;
}

static uint32_t limited(uint32_t least, uint32_t most, uint32_t agents) {
  return agents < least ? least : agents > most ? most : agents;
}

/* The maximum number of agents of a strip. */
static uint32_t most_agents(uint32_t count, uint32_t workers) {
  if (workers == 1) return STRIP_AGENTS;
  const uint32_t wanted = count / (STRIPS_A_WORKER * workers) / BLOCK_AGENTS * BLOCK_AGENTS;
  return limited(LEAST_STRIP_AGENTS, STRIP_AGENTS, wanted);
}

/* Cuts strips of at most `most` agents. Short rows share a strip and long rows are cut, so that few blocks have fewer
 * agents than lanes. */
static void cut_strips(struct grid *grid, uint32_t count, uint32_t most) {
  const uint32_t rows = 1u << (grid->torus.bits_y + grid->torus.bits_z);
  uint32_t strips = 0, begin = 0, row_begin = 0;
  for (uint32_t row = 0; row < rows; row++) {
    uint32_t row_end = grid->start[(row + 1) << grid->torus.bits_x];
    if (row_end - begin > most) {
      if (begin < row_begin) grid->strip_start[strips++] = begin;
      begin = row_begin;
      if (row_end - begin > most) {
        strips = cut_row(grid, strips, begin, row_end, most);
        begin = row_end;
      }
    }
    row_begin = row_end;
  }
  if (begin < count) grid->strip_start[strips++] = begin;
  ASSERT_ALONE(begin <= count);
  grid->strip_start[strips] = count;
  grid->strips = strips;
}

#define SHARE_PART 8u /* a worker's range moves by at most 1/8 of its length to begin with a band */

/* Gives the workers about equal ranges of `count` agents that begin with a band, before the sort or after it
 * (`sorted`). A worker then sorts the bands whose agents it steers in the next frame. */
static void share_agents(const struct grid_sort *job, uint32_t count, bool sorted) {
  const uint32_t *band = sorted ? job->grid->band_first : job->grid->band_home, workers = job->executor->team;
  uint32_t before = 0;
  for (uint32_t k = 1; k < workers; k++) {
    const uint32_t even = (uint32_t)((uint64_t)count * k / workers), most = count / workers / SHARE_PART;
    while (*band < even) before = *band++;
    const uint32_t behind = *band;
    const uint32_t agent = even - before < behind - even ? before : behind;
    const uint32_t off = agent < even ? even - agent : agent - even;
    job->executor->shares[k].agent = off <= most ? agent : even;
  }
}

/* Cuts the bands into ranges, one per task. The agents of each worker are cut into equally many ranges, so that a
 * worker handles its own agents here too. A small crowd is one range; with very many workers, several workers share a
 * range. */
static void cut_chunks(struct grid_sort *job, uint32_t count) {
  struct grid *grid = job->grid;
  const struct executor_share *share = job->executor->shares;
  const uint32_t workers = job->executor->team, each = count / (GRID_CHUNK_AGENTS * workers) + 1;
  grid->chunks = workers * each < GRID_MAX_CHUNKS ? workers * each : GRID_MAX_CHUNKS / workers * workers;
  if (grid->chunks == 0) grid->chunks = GRID_MAX_CHUNKS;
  if (count <= (job->few ? LISTED_ALONE : GRID_CHUNK_AGENTS)) grid->chunks = 1;
  uint32_t band = 0;
  for (uint32_t chunk = 0; chunk < grid->chunks; chunk++) {
    const uint32_t whole = chunk * workers / grid->chunks, part = chunk * workers % grid->chunks;
    const uint32_t begin = share[whole].agent, end = whole + 1 < workers ? share[whole + 1].agent : count;
    const uint32_t agent = begin + (uint32_t)((uint64_t)(end - begin) * part / grid->chunks);
    while (grid->band_home[band] < agent) band++;
    job->chunk[chunk] = band;
    job->chunk_agent[chunk] = grid->band_home[band];
  }
  ASSERT_ALONE(band <= grid->bands && grid->chunks <= throng_grid_most_chunks(grid));
  job->chunk[grid->chunks] = grid->bands;
  job->chunk_agent[grid->chunks] = count;
}

/* Lists the newcomers of each band, and unless `listed` its movers. */
static void list_changes(struct grid_sort *job, const struct tracer *tracer) {
  struct grid *grid = job->grid;
  const uint32_t count = job->old_count;
  for (uint32_t band = 0; band <= grid->bands; band++) {
    grid->band_home[band] =
        job->homes ? grid->start[(size_t)band << grid->band_shift] : (uint32_t)((uint64_t)count * band / grid->bands);
  }
  if (job->listed) {
    hand_leavers(job, job->count);
  } else if (grid->bands > 1) {
    share_agents(job, count, false);
    cut_chunks(job, count);
    throng_trace_run(tracer, job->executor, THRONG_PASS_HISTOGRAM, grid->chunks, 1, movers_task, job->chunk_agent, job);
    count_comers(grid);
    place_bands(job, count);
    place_comers(grid);
    throng_trace_run(tracer, job->executor, THRONG_PASS_SCATTER, grid->chunks, 1, scatter_task, job->chunk_agent, job);
  } else { /* all agents are placed in one band */
    ASSERT_ALONE(!job->few);
    grid->band[0].comer = grid->band[0].comers = 0;
    grid->band_first[0] = 0;
    grid->band_first[1] = count;
  }
}

/* Finds the cell that each agent goes to. */
static void keys_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct grid_sort *job = context;
  (void)worker;
  job->move->passes->keys(job->grid, job->move->from + COLUMN_POSITION_X, begin, end, job->grid->key);
}

bool throng_grid_keeps_torus(const struct grid *grid) {
  const struct torus *a = &grid->torus, *b = &grid->next;
  return a->bits_x == b->bits_x && a->bits_y == b->bits_y && a->bits_z == b->bits_z;
}

/* Chooses the number of bands, a power of two, by the numbers of agents and workers. */
static void cut_bands(struct grid *grid, uint32_t count, uint32_t workers, bool homes) {
  uint32_t least = LEAST_AGENTS; /* per band, as is `agents` */
  if (workers > 1 && count > LEAST_AGENTS) least = limited(GRID_FEWEST_AGENTS, LEAST_AGENTS, count / (2 * workers));
  uint32_t agents = limited(least, BAND_AGENTS, count / (BANDS_A_WORKER * workers));
  if (!homes && workers == 1 && count <= ALONE_AGENTS) agents = ALONE_AGENTS;
  const uint32_t bits = torus_bits(&grid->next);
  uint32_t band_bits = 0;
  while (band_bits < bits && 1u << band_bits < GRID_MAX_BANDS && (uint64_t)agents << band_bits < count) band_bits++;
  grid->bands = 1u << band_bits;
  ASSERT_ALONE(grid->bands <= throng_grid_most_bands(grid) && band_bits <= bits);
  grid->band_shift = bits - band_bits;
}

/* Returns the number of bands without the last bands that have neither agents nor newcomers. These need no task: their
 * cells already begin at the end of all agents, unless the number of agents changes. */
static uint32_t used_bands(const struct grid_sort *job) {
  const struct grid *grid = job->grid;
  const uint32_t count = job->old_count;
  uint32_t bands = grid->bands;
  while (job->homes && count == job->count && bands > 1 && grid->band_home[bands - 1] == count &&
         grid->band[bands - 1].comers == 0)
    bands--;
  return bands;
}

void throng_grid_prepare_sort(struct grid *grid, uint32_t count, const struct executor *executor) {
  ASSERT_ALONE(count <= grid->capacity && executor->team <= grid->workers);
  cut_bands(grid, count, executor->team, true);
  grid->sort++;
}

/* How few agents change cells, so that less than all need to be placed: see struct grid_sort. */
static bool is_few(const struct grid *grid, uint32_t count, struct totals totals) {
  return throng_grid_keeps_torus(grid) && totals.movers <= count / FEW_MOVERS;
}
static bool is_listed(uint32_t count, struct totals totals) { return totals.leavers <= count / FEW_LEAVERS; }

bool throng_grid_takes_traffic(const struct grid *grid, uint32_t count, uint32_t arrivals, bool sorted) {
  const struct totals totals = count_movers(grid);
  return sorted && arrivals <= count / FEW_LEAVERS && is_few(grid, count, totals) && is_listed(count, totals);
}

void throng_grid_sort(struct grid *grid, uint32_t count, bool sorted, const struct grid_move *move,
                      const struct executor *executor, const struct tracer *tracer) {
  const uint32_t old_count = count;
  count += move->arrivals - move->departures;
  ASSERT_ALONE(count <= grid->capacity && old_count + move->arrivals <= grid->capacity);
  ASSERT_ALONE(torus_bits(&grid->next) <= grid->cell_bits);
  const struct totals totals = count_movers(grid);
  const bool homes = sorted && throng_grid_keeps_torus(grid), few = sorted && is_few(grid, old_count, totals);
  const bool listed = few && is_listed(old_count, totals);
  ASSERT_ALONE(listed || (move->arrivals == 0 && move->departures == 0));
  struct grid_sort job = {.grid = grid,
                          .move = move,
                          .executor = executor,
                          .old_count = old_count,
                          .count = count,
                          .homes = homes,
                          .few = few,
                          .listed = listed,
                          .comer = listed ? grid->comer : grid->mover};
  if (!homes) {
    throng_trace_run(tracer, executor, THRONG_PASS_KEYS, count, KEYS_GRAIN, keys_task, NULL, &job);
    cut_bands(grid, count, executor->team, false);
  }
  list_changes(&job, tracer);
  share_agents(&job, count, true);
  grid->start[0] = 0;
  throng_trace_run(tracer, executor, THRONG_PASS_BANDS, used_bands(&job), 1 + grid->bands / 256, band_task,
                   grid->band_first, &job);
  grid->torus = grid->next;
  grid->replans = false;
  throng_grid_forget_displaced(grid);
  cut_strips(grid, count, most_agents(count, executor->team));
}
