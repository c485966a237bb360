/* grid.h: the spatial hash. Bins are R/4 wide along x, rows are one R high along z (and y in spatial worlds). Keys wrap onto
 * a torus of a power of two of bins and rows, so that memory follows the number of agents and not their spread (but of small
 * periods); aliased candidates are harmless, since every candidate's true distance is tested.
 *
 * Committed agents lie sorted by (cell, id index): rows are contiguous along x, and the order of a cell's true members, and
 * so every neighbour sum, does not depend on the torus (see docs/ARITHMETIC.md, canonical order).
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_GRID_H
#define THRONG_GRID_H

#include "columns/columns.h"
#include "base/executor.h"
#include "base/memory.h"
#include "base/space.h"
#include "base/trace.h"

/* A strip is consecutive agents that one task steers. */
#define BLOCK_AGENTS 16u        /* agents of the widest block: strips are cut in whole blocks */
#define STRIP_AGENTS 256u       /* at most this many agents a strip: its scratch stays in the L1 cache */
#define LEAST_STRIP_AGENTS 128u /* at most this many, where a worker would otherwise have fewer than four strips */

/* A cell's number is (row_z << bits_y | row_y) << bits_x | bin, each taken modulo its power of two. */
struct torus {
  uint32_t bits_x, bits_y, bits_z;
};
/* log2 of its cells. */
static inline uint32_t torus_bits(const struct torus *torus) { return torus->bits_x + torus->bits_y + torus->bits_z; }

/* A true cell of a crowded torus cell. */
struct grid_listed {
  uint32_t first, members; /* its first member's slot, and how many there are */
};

/* A candidate of a crowd that is too dense for the neighbour budget: it counts as `weight` agents. */
struct grid_candidate {
  uint32_t slot;
  float weight;
};

/* Neighbouring cells that one task sorts, and where their agents come from. */
struct grid_band {
  uint32_t movers;  /* how many from its band_home on change cell; not known of a share */
  uint32_t leavers; /* how many of those are another band's comers; of a share, all */
  uint32_t comer;   /* first of grid->mover who comes from another */
  uint32_t comers;  /* and how many do */
};

/* An agent that changes cell. */
struct grid_mover {
  uint32_t slot, from, to;
};

/* Those of a strip: `count` of them, from grid->mover[first] on. */
struct grid_mover_list {
  uint32_t first, count;
};

struct grid {
  struct space space;
  bool thins;         /* the world has a neighbour budget */
  bool packs;         /* some pass reads packed agents */
  bool dense;         /* this frame some cells are thinned: walk `candidates` in their windows */
  struct torus torus; /* of the committed order */
  struct torus next;  /* of the next */
  float slack[3];     /* a fraction of a cell: nearer than this to a border, rounding may reach one cell farther */

  uint32_t capacity;             /* agents */
  uint32_t cell_bits;            /* log2 of the cells there is room for */
  uint32_t *start;               /* [cells + 1] first agent of each cell */
  struct grid_mover *mover;      /* [agents] of each strip who changes cell; then of each band who comes to it */
  struct grid_mover_list *lists; /* [strips] */
  struct grid_mover *moved;      /* [agents] of each band who changes cell, from its band_home on */
  uint64_t *cell_and_id; /* [agents] of each committed agent where all are placed; shares the memory of `moved` */
  uint32_t *key;         /* [agents] where all are placed the cells that they go to */
  uint32_t *order;       /* [agents] where each committed agent came from */
  uint32_t *other_order; /* [agents] radix sort's other half; then strays (passes/sort.c) */
  uint32_t *change;      /* [cells] of a band's, for each worker or, where there are fewer, each band */
  /* [agents / 64 + 2 GRID_MAX_BANDS], of each band and spare ones, a bit for each slot that its agent leaves; for each place that
   * somebody who came has. */
  uint64_t *left, *taken;
  struct grid_band *band; /* [GRID_MAX_BANDS] */
  /* [GRID_MAX_BANDS + 1] of each band the first slot of those whom the last index put there or, where that says nothing, of an equal
   * share; the first of its agents, when they are sorted. */
  uint32_t *band_home, *band_first;
  uint32_t *histogram; /* [GRID_MAX_CHUNKS][GRID_MAX_BANDS] */
  uint32_t band_shift, bands, chunks;

  uint32_t *thin_start;              /* [cells + 1] first candidate of each cell; NULL unless `thins` */
  struct grid_candidate *candidates; /* [agents] */
  struct grid_listed *listed;        /* [agents] of a crowded torus cell from its first slot on */

  float *packed;      /* [agents][PACKED_FLOATS] an agent as passes/quarters.h asks for it; NULL unless `packs` */
  float *packed_more; /* [agents][PACKED_MORE] and what does not fit there in spatial worlds */

  uint32_t *strip_start; /* [strips + 1] */
  uint32_t strips;
  float bounds_min[3], bounds_max[3]; /* of the committed positions */
};

/* Where a cell's surroundings hold at most so many agents for each of the budget, and those of them that are at most a bin away half
 * as many, all of its own are candidates. */
#define GRID_SURROUNDINGS 4u
#define GRID_MAX_BANDS 4096u
#define GRID_MAX_CHUNKS 64u
#define PACKED_FLOATS 8u
#define PACKED_MORE 4u

struct sort_passes; /* grid/grid_place.h */

/* The columns to sort: each array of `from` is put in order into `to`. */
struct grid_move {
  const struct sort_passes *passes;
  const float *from[COLUMN_COUNT];
  float *to[COLUMN_COUNT];
  const uint32_t *from_id, *from_meta;
  uint32_t *to_id, *to_meta;
};

/* Geometry from a checked definition; no memory yet. */
void throng_grid_init(struct grid *grid, const throng_world_def *def, bool packs);
/* A copy of `grid`, its order included, with room for `capacity` into `grown`; false = no memory. */
bool throng_grid_grow(const struct grid *grid, struct grid *grown, uint32_t capacity,
                      const throng_allocator *allocator);
void throng_grid_release(struct grid *grid, const throng_allocator *allocator);

/* Picks the torus for the next order from where `bounds` says the agents are. */
void throng_grid_plan(struct grid *grid, uint32_t count);
/* Takes note of where `count` committed agents lie. */
void throng_grid_set_bounds(struct grid *grid, uint32_t count, const float min[3], const float max[3]);
/* Whether the next order's torus is the committed one's. */
bool throng_grid_keeps_torus(const struct grid *grid);
/* Counting sort of `count` agents by their cells under `next` into (cell, id) order, and the strips. The torus becomes `next`. Cannot
 * fail. `sorted`: nobody came or went since the last sort, and of each strip the movers are listed. */
void throng_grid_sort(struct grid *grid, uint32_t count, bool sorted, const struct grid_move *move,
                      const struct executor *executor, const struct tracer *tracer);

/* The unwrapped cell of a coordinate along an axis; the same arithmetic as the passes'. */
int32_t throng_grid_cell(const struct grid_axis *axis, float coordinate);
/* The unwrapped cell numbers of an agent: its true cell, of which a torus cell may hold several. */
struct true_cell {
  int32_t bin, row_y, row_z;
};
struct true_cell throng_grid_cell_of(const struct grid *grid, const struct columns *columns, uint32_t slot);
/* The torus cell of unwrapped cell numbers. */
static inline uint32_t grid_torus_cell(const struct torus *torus, int32_t bin, int32_t row_y, int32_t row_z) {
  uint32_t x = (uint32_t)bin & ((1u << torus->bits_x) - 1);
  uint32_t y = (uint32_t)row_y & ((1u << torus->bits_y) - 1);
  uint32_t z = (uint32_t)row_z & ((1u << torus->bits_z) - 1);
  return ((z << torus->bits_y | y) << torus->bits_x) | x;
}
/* And where a torus cell lies in it: of the true cells that it stands for, the one that is least and not below 0 on each axis. */
static inline struct true_cell grid_cell_in_torus(const struct torus *torus, uint32_t cell) {
  const uint32_t row = cell >> torus->bits_x;
  return (struct true_cell){(int32_t)(cell & ((1u << torus->bits_x) - 1)), (int32_t)(row & ((1u << torus->bits_y) - 1)),
                            (int32_t)(row >> torus->bits_y)};
}
/* Of `ranges` that lie one behind the other, and the first of which begins at 0, the last that begins at `slot` or before. */
static inline uint32_t grid_range_of(const uint32_t *start, uint32_t ranges, uint32_t slot) {
  uint32_t low = 0, high = ranges;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    *(start[middle] <= slot ? &low : &high) = middle;
  }
  return low;
}
/* A slot behind all others, whose packed agent is infinitely far away. */
static inline uint32_t grid_nobody(const struct grid *grid) { return grid->capacity + COLUMN_PADDING - 1; }
/* Whether the occupied cells, and what a window adds to them, may meet themselves on the torus. */
bool throng_grid_may_alias(const struct grid *grid);
/* Whether a periodic world is too sparse for the torus to hold it without aliasing. */
bool throng_grid_periodic_aliased(const struct grid *grid);
/* Checks the whole structure against the columns; on a defect answers false and a text. */
bool throng_grid_check(const struct grid *grid, const struct columns *columns, uint32_t count, const char **what);

#endif
