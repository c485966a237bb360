/* grid_place.c: see grid_place.h. Most agents stay in their cell and are already in id order. Only the newcomers of a
 * cell are placed. They first get slots at the end of the cell, and the other agents fill its beginning. Insertion then
 * moves the newcomers to where their ids belong. If many agents move, a counting sort places all agents, and insertion
 * then puts the ids in order. SPDX-License-Identifier: MIT */
#include "base/assertion.h"
#include "grid/grid_place.h"

#include <string.h>

#include "base/compiler.h"

#define MOVERS_AHEAD                                                                                                   \
  16u                    /* ids are prefetched for the mover that comes this many movers later; in large crowds no cache
                            holds them */
#define CROWDED_CELL 64u /* larger cells are radix-sorted: insertion would be quadratic */

/* The state of placing one band. */
struct placement {
  const struct grid *grid;
  const struct sort_passes *passes;
  const uint32_t *id;  /* by old slot */
  uint32_t first, end; /* the band's new slots */
  uint32_t first_cell, cells, *cell_end;
  uint32_t home, home_end;  /* the band's old slots */
  struct grid_mover *moved; /* the band's movers; if one stays in the band, `slot` becomes its new slot */
  struct grid_mover *comer; /* the newcomers; `slot` becomes the new slot */
  uint32_t movers, comers;
  uint32_t *change; /* [cells] while movers are counted: agents that come to the cell minus agents that leave it. Then:
                       how many of the cell's newcomers have a slot */
  uint64_t *left;   /* a bit for each old slot from `home` on: its agent leaves its cell */
  uint64_t *taken;  /* a bit for each new slot from `first` on: a newcomer has it */
};

/* Returns the first slot of a cell. For the band's first cell it does not read start[]: the worker of the band before
 * may be writing it. */
static uint32_t cell_begin(const struct placement *place, uint32_t cell) {
  return cell == place->first_cell ? place->first : place->grid->start[cell];
}

/* Sorts a cell by id index, least significant byte first. After four rounds, an even number, the result is in
 * grid->order. */
static void radix_sort(const struct placement *place, uint32_t begin, uint32_t end) {
  ASSERT_ALONE(begin <= end && end <= place->end);
  uint32_t *order = place->grid->order, *other = place->grid->other_order;
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    uint32_t next[256] = {0};
    for (uint32_t k = begin; k < end; k++) next[place->id[order[k]] >> shift & 0xFF]++;
    uint32_t sum = begin;
    for (uint32_t digit = 0; digit < 256; digit++) {
      uint32_t agents = next[digit];
      next[digit] = sum;
      sum += agents;
    }
    for (uint32_t k = begin; k < end; k++) other[next[place->id[order[k]] >> shift & 0xFF]++] = order[k];
    uint32_t *swap = order;
    order = other;
    other = swap;
  }
}

/* Placing, if few agents move. */

/* Counts the changes of each cell, and keeps the movers that stay in the band. */
static void count_changes(struct placement *place) {
  uint32_t kept = 0;
  memset(place->change, 0, place->cells * sizeof *place->change);
  memset(place->left, 0, ((place->home_end - place->home) / 64 + 2) * sizeof *place->left);
  for (uint32_t k = 0; k < place->movers; k++) {
    const struct grid_mover mover = place->moved[k];
    ASSERT_ALONE(mover.slot >= place->home && mover.slot < place->home_end);
    ASSERT_ALONE(mover.from - place->first_cell < place->cells);
    const uint32_t bit = mover.slot - place->home;
    place->left[bit / 64] |= (uint64_t)1 << bit % 64;
    place->change[mover.from - place->first_cell]--;
    if (mover.to - place->first_cell >= place->cells) continue;
    place->change[mover.to - place->first_cell]++;
    place->moved[kept++] = mover;
  }
  place->movers = kept;
  for (uint32_t k = 0; k < place->comers; k++) place->change[place->comer[k].to - place->first_cell]++;
}

/* Newcomers of a cell take its last slots, from its end downward. */
static void take_places(const struct placement *place, struct grid_mover *list, uint32_t count) {
  while (count-- > 0) {
    const uint32_t cell = list[count].to - place->first_cell;
    const uint32_t at = place->cell_end[cell] - ++place->change[cell], bit = at - place->first;
    ASSERT_ALONE(at >= place->first && at < place->end);
    place->grid->order[at] = list[count].slot;
    place->taken[bit / 64] |= (uint64_t)1 << bit % 64;
    list[count].slot = at;
  }
}

/* Prefetches the ids of the agents in slots `at` and at - 1. */
static void fetch_ids(const struct placement *place, uint32_t at) {
  const uint32_t *order = place->grid->order + at;
  fetch(&place->id[order[0]], 0);
  if (at > place->first) fetch(&place->id[order[-1]], 0);
}

/* Moves each newcomer of a list down to where its id belongs. The list is in ascending order of slots within a cell, so
 * the agents of the cell before the newcomer are already in id order. */
static void order_comers(const struct placement *place, const struct grid_mover *list, uint32_t count) {
  uint32_t *order = place->grid->order;
  const uint32_t *id = place->id;
  for (uint32_t k = 0; k < count; k++) {
    if (k + MOVERS_AHEAD < count) fetch_ids(place, list[k + MOVERS_AHEAD].slot);
    uint32_t to = list[k].slot;
    const uint32_t from = order[to], cell = list[k].to;
    const uint32_t begin = cell_begin(place, cell), end = place->grid->start[cell + 1];
    if (to == begin || id[order[to - 1]] < id[from]) continue;
    if (end - begin > CROWDED_CELL) {
      radix_sort(place, begin, end);
      continue;
    }
    for (; to > begin && id[order[to - 1]] > id[from]; to--) order[to] = order[to - 1];
    order[to] = from;
  }
}

static void place_movers(struct placement *place) {
  count_changes(place);
  place->passes->move_ends(place->cell_end, place->change, place->cells, place->first - place->home);
  memset(place->taken, 0, ((place->end - place->first) / 64 + 2) * sizeof *place->taken);
  take_places(place, place->comer, place->comers);
  take_places(place, place->moved, place->movers);
  place->passes->fill(place->home, place->home_end, place->left, place->taken, place->grid->order + place->first);
  order_comers(place, place->moved, place->movers);
  order_comers(place, place->comer, place->comers);
}

/* Placing, if many agents move. */

static inline bool in_band(const struct placement *place, uint32_t cell) {
  return cell - place->first_cell < place->cells;
}
static inline void count_agent(const struct placement *place, uint32_t cell) {
  place->cell_end[cell - place->first_cell]++;
}
static inline void place_agent(const struct placement *place, uint32_t from, uint32_t cell) {
  const uint32_t to = place->cell_end[cell - place->first_cell]++;
  ASSERT_ALONE(in_band(place, cell) && to < place->end);
  place->grid->cell_and_id[to] = (uint64_t)cell << 32 | place->id[from];
  place->grid->order[to] = from;
}

static void insert_back(const struct grid *grid, uint32_t begin, uint32_t to) {
  const uint64_t key = grid->cell_and_id[to];
  const uint32_t from = grid->order[to];
  for (; to > begin && grid->cell_and_id[to - 1] > key; to--) {
    grid->cell_and_id[to] = grid->cell_and_id[to - 1];
    grid->order[to] = grid->order[to - 1];
  }
  grid->cell_and_id[to] = key;
  grid->order[to] = from;
}

/* Sorts each cell by id. Agents are already in the order of their cells. Within a cell few ids are out of order, unless
 * the old order could not be used. */
static void order_all(const struct placement *place) {
  const struct grid *grid = place->grid;
  for (uint32_t k = place->first + 1; k < place->end; k++) {
    if (grid->cell_and_id[k - 1] <= grid->cell_and_id[k]) continue;
    const uint32_t cell = (uint32_t)(grid->cell_and_id[k] >> 32);
    const uint32_t begin = cell_begin(place, cell), end = grid->start[cell + 1];
    if (end - begin > CROWDED_CELL) {
      radix_sort(place, begin, end);
      for (k = begin; k < end; k++) grid->cell_and_id[k] = (uint64_t)cell << 32 | place->id[grid->order[k]];
    } else {
      insert_back(grid, place->first, k);
    }
  }
}

/* Writes the id of each new slot. */
static void keep_ids(const struct placement *place, uint32_t *to_id) {
  for (uint32_t k = place->first; k < place->end; k++) to_id[k] = (uint32_t)place->grid->cell_and_id[k];
}

/* Places all agents of a band. cell_end[c] first counts the agents of cell c, and then is the slot of its next
 * agent. */
static void place_all(const struct placement *place) {
  const uint32_t *key = place->grid->key;
  const struct grid_mover *comers_end = place->comer + place->comers;
  memset(place->cell_end, 0, place->cells * sizeof *place->cell_end);
  for (uint32_t i = place->home; i < place->home_end; i++)
    if (in_band(place, key[i])) count_agent(place, key[i]);
  for (const struct grid_mover *comer = place->comer; comer < comers_end; comer++) count_agent(place, comer->to);
  uint32_t sum = place->first;
  for (uint32_t cell = 0; cell < place->cells; cell++) {
    const uint32_t agents = place->cell_end[cell];
    place->cell_end[cell] = sum;
    sum += agents;
  }
  for (uint32_t i = place->home; i < place->home_end; i++)
    if (in_band(place, key[i])) place_agent(place, i, key[i]);
  for (const struct grid_mover *comer = place->comer; comer < comers_end; comer++)
    place_agent(place, comer->slot, comer->to);
  order_all(place);
}

void throng_grid_place(const struct grid_sort *sort, uint32_t number, uint32_t worker) {
  const struct grid *grid = sort->grid;
  const struct grid_band *band = &grid->band[number];
  const uint32_t cells = 1u << grid->band_shift, first_cell = number * cells;
  const bool at_home = sort->homes || grid->bands == 1;
  const uint32_t home = grid->band_home[number], first = grid->band_first[number];
  const uint32_t table = grid->bands > sort->executor->team ? worker : number;
  ASSERT_ALONE(number < grid->bands && worker < sort->executor->workers);
  struct placement place = {.grid = grid,
                            .passes = sort->move->passes,
                            .id = sort->move->from_id,
                            .first = first,
                            .end = grid->band_first[number + 1],
                            .first_cell = first_cell,
                            .cells = cells,
                            .cell_end = grid->start + 1 + first_cell,
                            .home = home,
                            .home_end = at_home ? grid->band_home[number + 1] : home,
                            .moved = grid->moved + home,
                            .movers = band->movers,
                            .comer = sort->comer + band->comer,
                            .comers = band->comers,
                            .change = grid->change + (size_t)table * cells,
                            .left = grid->left + home / 64 + 2 * number,
                            .taken = grid->taken + first / 64 + 2 * number};
  if (sort->few) {
    place_movers(&place);
  } else {
    const float *const *position = sort->move->from + COLUMN_POSITION_X;
    if (sort->homes) place.passes->keys(grid, position, place.home, place.home_end, grid->key);
    place_all(&place);
    keep_ids(&place, sort->move->to_id);
  }
}
