/* grid.h: the spatial hash. Bins are R/4 wide along x; rows are R wide along z (and along y in spatial worlds). Keys
 * wrap onto a torus of 2^n bins and 2^m rows, so that memory depends on the number of agents and not on their extent.
 * Several true cells may share a torus cell. Results stay correct, because the walk tests every candidate's true
 * distance.
 *
 * Committed agents are sorted by (torus cell, id index). A row is contiguous along x, and the agents of a true cell are
 * in the order of their ids whatever the torus, so that every neighbour sum has the canonical order
 * (docs/ARITHMETIC.md).
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GRID_GRID_H
#define THRONG_KERNEL_GRID_GRID_H

#include "base/executor.h"
#include "base/memory.h"
#include "base/space.h"
#include "base/trace.h"
#include "columns/columns.h"

/* A strip: consecutive agents that one task steers. */
#define BLOCK_AGENTS 16u        /* agents of the widest block; strips are cut into whole blocks */
#define STRIP_AGENTS 256u       /* maximum of a strip; the scratch of a strip then stays in the L1 cache */
#define LEAST_STRIP_AGENTS 128u /* maximum of a strip if a worker would have fewer than four larger strips */

/* A cell's number is (row_z << bits_y | row_y) << bits_x | bin, each taken modulo its power of two. */
struct torus {
  uint32_t bits_x, bits_y, bits_z;
};
/* log2 of the number of torus cells. */
static inline uint32_t torus_bits(const struct torus *torus) { return torus->bits_x + torus->bits_y + torus->bits_z; }

/* A true cell that shares a torus cell with others. */
struct grid_listed {
  uint32_t first, members; /* slot of its first agent; number of agents */
};

/* A representative: it counts as `weight` agents. */
struct grid_candidate {
  uint32_t slot;
  float weight;
};

/* A band: consecutive cells that one task sorts, and the agents that enter or leave it. */
struct grid_band {
  uint32_t movers;  /* agents in its old slots that change cell; unset if all agents are placed */
  uint32_t leavers; /* movers that go to another band; all agents if all are placed */
  uint32_t comer;   /* its first newcomer in grid->mover */
  uint32_t comers;  /* number of newcomers */
};

/* A mover: an agent that changes cell, or a displaced agent. A slot of the old order whose agent is gone, because it
 * was removed or leaves a piece of a world, is a mover to GRID_NOWHERE. */
struct grid_mover {
  uint32_t slot, from, to;
};
#define GRID_NOWHERE UINT32_MAX

/* A strip's movers: `count` from grid->mover[first] on. `waits`: in a piece of a world, the strip's agents may come and
 * go in the exchange of the frame. */
struct grid_mover_list {
  uint32_t first, count;
  bool waits;
};

/* A worker's list of leavers: those of the strips that it has settled. It has a cache line of its own. */
struct grid_leavers {
  _Alignas(64) uint64_t sort; /* the number of the sort for which it was filled; the lists of earlier sorts are empty */
  uint32_t movers;            /* movers in these strips */
  uint32_t count;             /* leavers in the list */
  bool full;                  /* leavers may be missing, because the list has too little room */
};

#define DISPLACED_SHARE 64u /* at most 1 of this many agents changes between sorts, or the world is dirty */

/* The displaced agents: those that are not in the slots of their cell, because the host has moved or added them, or
 * because they took the slot of a removed agent. Queries allow those in the list, and the next sort places all. */
struct displaced {
  uint32_t *slot;   /* [agents / DISPLACED_SHARE + 1] slots with marks, each once; also slots that removals emptied */
  uint8_t *state;   /* [agents] by slot: its mark; 0: its agent is that of the last sort, or it had none */
  uint32_t count;   /* elements of `slot` */
  uint32_t changed; /* agents that were moved or removed since the last sort */
  bool unlisted;    /* marks are missing in `slot`: the world is dirty */
};

struct grid {
  const struct space *space; /* the world's */
  bool thins;                /* the world has a neighbour budget */
  bool packs;                /* some instruction set reads packed agents */
  bool dense;                /* this frame has dense cells: their windows read `candidates` */
  struct torus torus;        /* the torus of the committed order */
  struct torus next;         /* the torus of the next order */
  bool replans;   /* the outer box has changed since the last sort: the next torus need not be like the committed one */
  float slack[3]; /* fraction of a cell: for an agent nearer than this to a border, rounding may put a neighbour one
                     cell farther away */

  uint32_t workers;         /* maximum of concurrent workers */
  uint32_t capacity;        /* agents */
  uint32_t cell_bits;       /* log2 of the capacity for cells */
  uint32_t *start;          /* [cells + 1] slot of each cell's first agent */
  struct grid_mover *mover; /* [agents] each strip's movers; if many leave their bands, then each band's newcomers */
  struct grid_mover_list *lists; /* [strips] */
  struct grid_mover *moved;      /* [agents] the movers of each band, from index band_home on */
  uint64_t *cell_and_id;         /* [agents] by new slot, and only if all agents are placed; shares the memory of
                                    `moved` */
  uint32_t *key;                 /* [agents] the new cell of each agent, only if all agents are placed */
  struct grid_mover *comer;      /* each band's newcomers, if few leave their bands; shares the memory of `key` */
  struct grid_leavers *leavers;  /* [workers] */
  struct grid_mover *leaver;     /* [workers][grid_leavers_room] */
  uint32_t *order;               /* [agents] the old slot of each new slot */
  uint32_t *other_order;         /* [agents] scratch of the radix sort, then of passes/index/sort.c */
  uint32_t *change;              /* [cells] a band's changes of population; one table per worker or band */
  /* [agents / 64 + 2 bands] words of bits. left: a bit is set for the old slot of each mover. taken: a bit is set for
   * the new slot of each newcomer of a cell. No two bands share a word. */
  uint64_t *left, *taken;
  struct grid_band *band; /* [bands]; here and above throng_grid_most_bands() */
  /* [bands + 1] band_home: each band's first old slot; if the old order cannot be used, the first slot of an
   * equal part of the agents. band_first: each band's first new slot. */
  uint32_t *band_home, *band_first;
  uint32_t *histogram; /* [throng_grid_most_chunks()][bands] */
  uint32_t band_shift, bands, chunks;
  uint64_t sort; /* the number of the next sort; the workers' lists of leavers have it too */

  uint32_t *thin_start;              /* [cells + 1] each cell's first element of `candidates`; NULL unless `thins` */
  struct grid_candidate *candidates; /* [agents] */
  struct grid_listed *listed;        /* [agents] the true cells of a torus cell, from the torus cell's first slot on */

  float *packed;      /* [agents][PACKED_FLOATS] see passes/neighbours/quarters.h; NULL unless `packs` */
  float *packed_more; /* [agents][PACKED_MORE] more floats per agent, for spatial worlds */

  uint32_t *strip_start; /* [strips + 1] */
  uint8_t *phase;        /* [strips] in a piece of a world: when the frame settles the strip (pieces/phases.h) */
  uint32_t strips;
  float bounds_min[3], bounds_max[3]; /* of the committed positions, and of those to which the host moved agents */

  struct displaced displaced;
};

/* A cell is dense if its surroundings hold more than GRID_SURROUNDINGS * budget agents, or if the cells of the
 * surroundings at most one bin away hold more than half of that. In other cells every agent is a candidate. */
#define GRID_SURROUNDINGS 4u
#define GRID_MAX_BANDS 4096u
#define GRID_MAX_CHUNKS 64u
#define GRID_FEWEST_AGENTS 512u /* the minimum of a band in larger crowds if each worker then has two bands */
#define GRID_CHUNK_AGENTS 8192u /* about the number of agents per task */
#define PACKED_FLOATS 8u
#define PACKED_MORE 4u

struct sort_passes; /* grid/grid_place.h */

/* The columns to sort: each array of `from` is written to `to` in the new order. */
struct grid_move {
  const struct sort_passes *passes;
  const float *from[COLUMN_COUNT];
  float *to[COLUMN_COUNT];
  const uint32_t *from_id, *from_meta;
  uint32_t *to_id, *to_meta;
  /* Agents that were added or come into a piece of a world, in the slots after the old order; movers to
   * GRID_NOWHERE. */
  uint32_t arrivals, departures;
};

/* Makes a grid without agents for a checked definition and its space, which must stay where it is. Allocates
 * nothing. */
void throng_grid_init(struct grid *grid, const throng_world_def *def, const struct space *space, uint32_t workers,
                      bool packs);
/* Makes `grown` a copy of `grid`, with its order, and memory for `capacity` agents and the next torus. May fail. */
bool throng_grid_grow(const struct grid *grid, struct grid *grown, uint32_t capacity,
                      const throng_allocator *allocator);
void throng_grid_release(struct grid *grid, const throng_allocator *allocator);

/* Return the maximum number of bands, and of the ranges of bands that tasks handle, that a sort of `capacity` agents
 * has. The grid has memory for them. */
size_t throng_grid_most_bands(const struct grid *grid);
size_t throng_grid_most_chunks(const struct grid *grid);

/* Chooses the torus of the next order by the agents' bounds. */
void throng_grid_plan(struct grid *grid, uint32_t count);
/* Whether `torus` can be that of `count` agents in a world with this definition, or in a piece of it. */
bool throng_grid_may_have_torus(const struct grid *grid, const struct torus *torus, uint32_t count);
/* Sets the bounds of `count` committed agents. */
void throng_grid_set_bounds(struct grid *grid, uint32_t count, const float min[3], const float max[3]);
/* Whether the next order has the same torus as the committed one. */
bool throng_grid_keeps_torus(const struct grid *grid);
/* Cuts the bands of the next order, and empties the workers' lists of leavers. It must run after throng_grid_plan and
 * before the strips list their movers. */
void throng_grid_prepare_sort(struct grid *grid, uint32_t count, const struct executor *executor);
/* After a strip has listed its movers: adds its leavers to the worker's list. */
void throng_grid_list_leavers(const struct grid *grid, uint32_t strip, uint32_t worker);
/* Whether the movers are listed, and they and the arrivals are so few that throng_grid_sort can handle arrivals and
 * departures: the list of newcomers has memory for a third of the capacity. */
bool throng_grid_takes_traffic(const struct grid *grid, uint32_t count, uint32_t arrivals, bool sorted);
/* Sorts `count` agents by (cell, id) under the torus `next`, which becomes the torus, and cuts the strips. No agent is
 * then displaced. Cannot fail.
 * `sorted`: each strip's movers and leavers are listed.
 * `count` includes departures, but not arrivals. */
void throng_grid_sort(struct grid *grid, uint32_t count, bool sorted, const struct grid_move *move,
                      const struct executor *executor, const struct tracer *tracer);

/* The true cell of a coordinate along an axis, by the same arithmetic as in the passes. */
int32_t throng_grid_cell(const struct grid_axis *axis, float coordinate);
/* In a piece of a world: whether a coordinate is outside the outer box along an axis. */
static inline bool grid_is_outside(const struct grid_axis *axis, float coordinate) {
  return axis->span < axis->period &&
         space_unwrap(axis, throng_grid_cell(axis, coordinate)) - axis->first >= axis->span;
}
/* A true cell: cell numbers that are not wrapped onto the torus. A torus cell may hold several. */
struct true_cell {
  int32_t bin, row_y, row_z;
};
struct true_cell throng_grid_cell_of(const struct grid *grid, const struct columns *columns, uint32_t slot);
/* The number along the torus of a true cell's number along an axis. */
static inline uint32_t grid_fold(const struct grid_axis *axis, uint32_t bits, int32_t cell) {
  return (uint32_t)space_unwrap(axis, cell) & ((1u << bits) - 1);
}
/* The smallest true number, from axis->first on, of a number along the torus. */
static inline int32_t grid_unfold(const struct grid_axis *axis, uint32_t bits, uint32_t number) {
  const uint32_t first = (uint32_t)axis->first;
  const int32_t cell = (int32_t)(first + ((number - first) & ((1u << bits) - 1)));
  return axis->first != 0 && cell >= axis->period ? cell - axis->period : cell;
}
/* The torus cell of a true cell. */
static inline uint32_t grid_torus_cell(const struct grid_axis axis[3], const struct torus *torus, int32_t bin,
                                       int32_t row_y, int32_t row_z) {
  const uint32_t x = grid_fold(&axis[0], torus->bits_x, bin), y = grid_fold(&axis[1], torus->bits_y, row_y),
                 z = grid_fold(&axis[2], torus->bits_z, row_z);
  return ((z << torus->bits_y | y) << torus->bits_x) | x;
}
/* The smallest true cell of a torus cell. */
static inline struct true_cell grid_cell_in_torus(const struct grid_axis axis[3], const struct torus *torus,
                                                  uint32_t cell) {
  const uint32_t row = cell >> torus->bits_x;
  return (struct true_cell){grid_unfold(&axis[0], torus->bits_x, cell & ((1u << torus->bits_x) - 1)),
                            grid_unfold(&axis[1], torus->bits_y, row & ((1u << torus->bits_y) - 1)),
                            grid_unfold(&axis[2], torus->bits_z, row >> torus->bits_y)};
}
/* Returns the number of the range that holds `slot`. start[] has the first slot of each of `ranges` consecutive ranges;
 * start[0] is 0. It is the last range with start <= slot. */
static inline uint32_t grid_range_of(const uint32_t *start, uint32_t ranges, uint32_t slot) {
  uint32_t low = 0, high = ranges;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    *(start[middle] <= slot ? &low : &high) = middle;
  }
  return low;
}
/* The number of leavers for which a worker's list has room: more than any strip has. */
static inline uint32_t grid_leavers_room(const struct grid *grid) {
  return grid->capacity / 8 / grid->workers + STRIP_AGENTS;
}
/* The dummy: a slot after all others, whose packed agent is infinitely far away. */
static inline uint32_t grid_dummy(const struct grid *grid) { return grid->capacity + COLUMN_PADDING - 1; }
/* Whether torus cells may hold several true cells of the agents and their windows. */
bool throng_grid_may_alias(const struct grid *grid);
/* Whether a periodic axis has more true cells than the torus: agents are then walked one by one. */
bool throng_grid_periodic_aliased(const struct grid *grid);
/* Checks the whole structure against the columns. If there is a defect, returns false and sets *what to a text. */
bool throng_grid_check(const struct grid *grid, const struct columns *columns, uint32_t count, const char **what);

#endif
