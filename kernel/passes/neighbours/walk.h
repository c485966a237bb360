/* walk.h: the neighbour walk of one space. It adds separation, cohesion, alignment, avoidance and the rare rules in one
 * pass. Formulas: docs/ARITHMETIC.md, "Neighbours of agent i". The sources that include this file define SPATIAL. Each
 * space has its own object file, so that two cores compile them at the same time.
 *
 * A block holds one agent per lane. The walk broadcasts each candidate of the block's list to all lanes. A mask has the
 * lanes that have it within their perception radius; only these add it. There is no branch and no sum across lanes, so
 * each lane adds its neighbours in canonical order, for every number of lanes.
 * - With avoidance, the walk over a list defers threats, and decides them in batches.
 * - Where a candidate costs much arithmetic, blocks of 16 lanes are walked in quarters (quarters.h).
 * - A block with a dense window walks the window's representatives instead of a list.
 * - A block with coincident agents is walked a second time, over its whole window.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_WALK_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_WALK_H

#include "base/compiler.h"
#include "passes/dense.h"
#include "passes/neighbours/candidates.h"
#include "passes/neighbours/quarters.h"
#include "passes/neighbours/walk_list.h"

#define SPACE (SPATIAL ? VARIANT_SPATIAL : 0u) /* part of every variant of this object */

/* Adds candidate j of a whole window. If it coincides with an agent, its offset from this agent is the difference of
 * their two lattice points, scaled down. */
LANES_INLINE void walk_coincident_candidate(const struct block *block, struct sums *sums, lv3 lattice, uint32_t j,
                                            uint32_t self, lf weight, lv3 shift, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  struct candidate it = {.j = j};
  lv3 d = candidate_offset(block, &it, shift, true, spatial);
  lf d2 = lf_add(lv3_dot(d, d, spatial), far_from_itself(self));
  lm within_radius = lf_less_equal(d2, block->radius_sq);
  it.coincident = lf_less_equal(d2, lf_set1(block->close_sq));
  if (lm_any(it.coincident)) {
    lv3 apart = lv3_sub(lattice, broadcast_lattice_point(block->frame->front->id[j], spatial), spatial);
    d = lv3_select(it.coincident, lv3_scale(apart, block->unit, spatial), d, spatial);
    d2 = lf_select(it.coincident, lv3_dot(d, d, spatial), d2);
  }
  within_radius = that_see(block, j, within_radius, variant);
  add_neighbour(block, sums, &it, d, d2, weight, within_radius, NULL, variant | VARIANT_COINCIDENT);
}

/* Adds a whole window. `dense`: of dense cells only the representatives are added. */
LANES_INLINE void walk_window(const struct block *block, struct sums *sums, const struct window *window, bool dense,
                              uint64_t *tested, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const struct grid *grid = block->frame->grid;
  const lv3 lattice = lattice_point(block->id, spatial);
  uint32_t from, to;
  lv3 shift;
  bool shifted;
  FOR_EACH_RANGE(grid, dense ? grid->thin_start : grid->start, window, from, to, shift, shifted, spatial) {
    *tested += to - from;
    if (!shifted) shift = no_shift();
    for (uint32_t k = from; k < to; k++) {
      const uint32_t j = dense ? grid->candidates[k].slot : k;
      const lf weight = lf_set1(dense ? grid->candidates[k].weight : 1.0f);
      const uint32_t self = !shifted && j - block->at < LANES ? j - block->at : NO_LANE;
      walk_coincident_candidate(block, sums, lattice, j, self, weight, shift, variant | VARIANT_WEIGHTS);
    }
  }
}

#define VARIANT_ANY (VARIANT_VIEW | VARIANT_MASKS | VARIANT_GENERIC | VARIANT_RARE)
/* Chooses the nearest neighbours of every rule of a block, for all walks with RARE. */
static OUT_OF_LINE void choose_any(struct choosing *choosing, const struct frame *frame,
                                   const struct lane_groups *groups, const struct window *window, uint32_t at,
                                   uint32_t lanes, bool dense) {
  const unsigned variant = SPACE | VARIANT_ANY | VARIANT_CHOOSE;
  struct layer_lanes layer_lanes[LAYER_LANES];
  const struct block block = load_block(frame, groups, at, lanes, layer_lanes, variant);
  struct sums sums = sums_zero(&block);
  uint64_t tested = 0;
  sums.choosing = choosing;
  for (int rule = 0; rule < NEAREST_RULES; rule++) {
    choosing->rule = rule;
    begin_choice(&choosing->smallest, frame->groups->nearest[rule]);
    if (choosing->smallest.most > 0) {
      walk_window(&block, &sums, window, dense, &tested, variant);
      merge_group(&choosing->smallest);
    }
    choosing->choice[rule] = choice_of(&choosing->smallest, load_param(frame, groups, PARAM_NEAREST + rule));
  }
}
LANES_INLINE void choose_rare(struct sums *sums, struct choosing *choosing, const struct frame *frame,
                              const struct lane_groups *groups, const struct window *window, uint32_t at,
                              uint32_t lanes, bool dense, unsigned variant) {
  if (!(variant & VARIANT_RARE) || !(frame->groups->features & FEATURE_NEAREST)) return;
  choose_any(choosing, frame, groups, window, at, lanes, dense);
  sums->choosing = choosing;
}

/* A block's sums, and how many candidates were tested. */
struct walked {
  struct sums sums;
  uint64_t tested;
};

/* Returns the sums of a block with coincident agents, which is rare. There are only two variants: one for plain flocks,
 * and one with every rule, in which unused rules add nothing. */
LANES_INLINE struct sums walk_coincident(struct choosing *choosing, const struct frame *frame,
                                         const struct lane_groups *groups, const struct window *window, uint32_t at,
                                         uint32_t lanes, unsigned variant) {
  struct layer_lanes layer_lanes[LAYER_LANES];
  const struct block block = load_block(frame, groups, at, lanes, layer_lanes, variant);
  struct sums sums = sums_zero(&block);
  uint64_t tested = 0;
  choose_rare(&sums, choosing, frame, groups, window, at, lanes, false, variant);
  walk_window(&block, &sums, window, false, &tested, variant);
  return sums;
}

static COLD struct sums coincident_flock(struct choosing *choosing, const struct frame *frame,
                                         const struct lane_groups *groups, const struct window *window, uint32_t at,
                                         uint32_t lanes) {
  return walk_coincident(choosing, frame, groups, window, at, lanes, SPACE);
}
static COLD struct sums coincident_any(struct choosing *choosing, const struct frame *frame,
                                       const struct lane_groups *groups, const struct window *window, uint32_t at,
                                       uint32_t lanes) {
  return walk_coincident(choosing, frame, groups, window, at, lanes, SPACE | VARIANT_ANY);
}

typedef struct sums coincident_function(struct choosing *choosing, const struct frame *frame,
                                        const struct lane_groups *groups, const struct window *window, uint32_t at,
                                        uint32_t lanes);
LANES_INLINE coincident_function *coincident_of(const struct frame *frame, unsigned variant) {
  const bool plain = is_plain_flock(variant) && !(frame->groups->features & FEATURE_NEAREST);
  return plain ? coincident_flock : coincident_any;
}

static OUT_OF_LINE void count_pairs(const struct block *block, struct strip *strip, uint64_t tested, lc found_by_lane) {
  add_pairs(block, tested, found_by_lane, &strip->candidates_tested, &strip->neighbours_found);
}

/* The scratch of the walk. A worker walks one block pair at a time: listed, in quarters, or unlisted. */
struct walk_scratch {
  union {
    struct candidates list[PAIR_BLOCKS];
#if LANES == 16
    struct quarters quarters;
#endif
    struct {
      struct candidates part;
      struct layer_lanes layer_lanes[LAYER_LANES];
    } unlisted;
  };
  struct choosing choosing;
  struct threats threats; /* for unlisted blocks, for VARIANT_RARE, and for masks in space, which need the most stack.
                             In other walks the threats are on the stack: compilers then know that storing a threat
                             changes nothing else */
};
_Static_assert(sizeof(struct walk_scratch) <= WALK_SCRATCH_BYTES, "walk_scratch");
LANES_INLINE struct walk_scratch *scratch_of(struct strip *strip) { return (struct walk_scratch *)strip->walk_scratch; }

/* Adds a window that does not fit a list, in parts. */
LANES_INLINE void walk_parts(const struct block *block, struct sums *sums, const struct window *window,
                             struct walk_scratch *scratch, uint64_t *tested, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const struct grid *grid = block->frame->grid;
  float *const *position = block->frame->front->f + COLUMN_POSITION_X;
  const uint32_t at = block->at, end = at + block->lanes;
  struct bounds bounds;
  find_bounds(&bounds, block->frame, at, block->lanes, spatial);
  struct candidates *part = &scratch->unlisted.part;
  uint32_t from, to;
  lv3 shift;
  bool shifted;
  FOR_EACH_RANGE(grid, grid->start, window, from, to, shift, shifted, spatial) {
    while (from < to) {
      from = list_part(part, &bounds, position, at, end, from, to, shift, shifted, spatial);
      walk_list(block, sums, part, &scratch->threats, tested, true, variant);
    }
  }
}

/* A block pair and its candidates. */
struct block_pair {
  bool one_by_one;  /* of the frame: a window has the cells of one agent, because the torus is smaller than the world */
  uint32_t at, end; /* slots of its agents */
  bool in_quarters; /* it is one block, whose candidates are listed for each quarter */
  bool dense;       /* the window has dense cells */
  bool listed;      /* the window fits the lists */
  struct window window;
};

LANES_INLINE bool list_pair(const struct block_pair *pair, struct candidates list[PAIR_BLOCKS],
                            const struct frame *frame) {
  struct bounds bounds[PAIR_BLOCKS];
  find_pair_bounds(bounds, frame, pair->at, pair->end, SPATIAL);
  return list_window(list, bounds, frame, &pair->window, pair->at, pair->end, SPATIAL, false);
}
#if LANES == 16 && SPATIAL
/* Lists the window of a block of one agent without refining: that would take longer than it saves. */
static OUT_OF_LINE bool list_alone(const struct block_pair *pair, struct candidates list[PAIR_BLOCKS],
                                   const struct frame *frame) {
  return list_pair(pair, list, frame);
}
LANES_INLINE bool list_refined(const struct block_pair *pair, struct candidates list[PAIR_BLOCKS],
                               const struct frame *frame, bool one_by_one) {
  if (one_by_one) return list_alone(pair, list, frame);
  struct bounds bounds[PAIR_BLOCKS];
  find_fixed_blocks(bounds, frame, pair->at, pair->end);
  return list_window(list, bounds, frame, &pair->window, pair->at, pair->end, true, true);
}
#endif

/* Begins the block pair at slot `at`: its agents, window and lists. */
LANES_INLINE void begin_pair(struct block_pair *pair, const struct frame *frame, struct strip *strip, uint32_t at) {
  const struct grid *grid = frame->grid;
  struct candidates *list = scratch_of(strip)->list;
  pair->in_quarters = false;
  const bool one_by_one = pair->one_by_one;
  const uint32_t agents = window_agents(grid, strip, at, PAIR_BLOCKS * LANES, one_by_one);
  pair->at = at;
  pair->end = at + agents;
  make_window(&pair->window, frame, strip, at, agents, one_by_one, SPATIAL);
  pair->dense = grid->dense && window_is_dense(grid, &pair->window, SPATIAL);
  if (pair->dense) {
    pair->listed = false;
    return;
  }
#if LANES == 16 && SPATIAL
  pair->listed = list_refined(pair, list, frame, one_by_one);
#else
  pair->listed = list_pair(pair, list, frame);
#endif
}
/* Variants begin a pair in the same way, so most of them call this function. */
static OUT_OF_LINE void begin_any_pair(struct block_pair *pair, const struct frame *frame, struct strip *strip,
                                       uint32_t at) {
  begin_pair(pair, frame, strip, at);
}

#if LANES == 16
/* Begins a pair that is one block and is walked in quarters. Returns false if quarters would take longer. */
LANES_INLINE bool begin_quarters(struct block_pair *pair, const struct frame *frame, struct strip *strip, uint32_t at) {
  const struct grid *grid = frame->grid;
  const bool one_by_one = pair->one_by_one;
  const uint32_t lanes = window_agents(grid, strip, at, LANES, one_by_one);
  if (grid->dense || !is_long(strip, at, lanes)) return false;
  make_window(&pair->window, frame, strip, at, lanes, one_by_one, SPATIAL);
  if (crosses_seam(grid, &pair->window)) return false;
  pair->at = at;
  pair->end = at + lanes;
  pair->in_quarters = true;
  pair->dense = false;
  return list_quarters(&scratch_of(strip)->quarters, frame, frame, &pair->window, at, lanes, SPATIAL);
}
static OUT_OF_LINE void begin_pair_or_quarters(struct block_pair *pair, const struct frame *frame, struct strip *strip,
                                               uint32_t at) {
  if (!begin_quarters(pair, frame, strip, at)) begin_any_pair(pair, frame, strip, at);
}
#endif

/* Plain flocks with 16 lanes have the code inlined, because a call would take 2 to 5 % of their frame. */
LANES_INLINE void begin_pair_of(struct block_pair *pair, const struct frame *frame, struct strip *strip, uint32_t at,
                                unsigned variant) {
#if LANES == 16
  if (is_plain_flock(variant)) {
    begin_pair(pair, frame, strip, at);
    return;
  }
  if (variant & VARIANT_QUARTERS) {
    begin_pair_or_quarters(pair, frame, strip, at);
    return;
  }
#else
  (void)variant;
#endif
  begin_any_pair(pair, frame, strip, at);
}

/* Walks a block whose window does not fit a list or is dense. A dense window is made for this block alone, because in
 * the pair's larger window an agent could get more neighbours than the neighbour budget allows. */
LANES_INLINE struct walked walk_unlisted(const struct frame *frame, struct strip *strip,
                                         const struct lane_groups *groups, const struct window *window, uint32_t at,
                                         uint32_t lanes, bool dense, unsigned variant) {
  struct walk_scratch *scratch = scratch_of(strip);
  const struct block block = load_block(frame, groups, at, lanes, scratch->unlisted.layer_lanes, variant);
  struct walked walked = {sums_zero(&block), 0};
  struct window own;
  if (dense) make_window(&own, frame, strip, at, lanes, throng_grid_periodic_aliased(frame->grid), SPATIAL);
  choose_rare(&walked.sums, &scratch->choosing, frame, groups, dense ? &own : window, at, lanes, dense, variant);
  if (dense) {
    walk_window(&block, &walked.sums, &own, true, &walked.tested, variant);
  } else {
    walk_parts(&block, &walked.sums, window, scratch, &walked.tested, variant);
  }
  return walked;
}
typedef struct walked walk_function(const struct frame *frame, struct strip *strip, const struct lane_groups *groups,
                                    const struct window *window, uint32_t at, uint32_t lanes, bool dense);
/* Unlisted blocks are rare, so that few functions are enough: for plain flocks, other flocks and all other rules. */
#define VARIANT_ANY_FLOCK (VARIANT_RADIUS | VARIANT_VIEW | VARIANT_MASKS)
static OUT_OF_LINE struct walked unlisted_flock(const struct frame *frame, struct strip *strip,
                                                const struct lane_groups *groups, const struct window *window,
                                                uint32_t at, uint32_t lanes, bool dense) {
  return walk_unlisted(frame, strip, groups, window, at, lanes, dense, SPACE);
}
static OUT_OF_LINE struct walked unlisted_any_flock(const struct frame *frame, struct strip *strip,
                                                    const struct lane_groups *groups, const struct window *window,
                                                    uint32_t at, uint32_t lanes, bool dense) {
  return walk_unlisted(frame, strip, groups, window, at, lanes, dense, SPACE | VARIANT_ANY_FLOCK);
}
static OUT_OF_LINE struct walked unlisted_any(const struct frame *frame, struct strip *strip,
                                              const struct lane_groups *groups, const struct window *window,
                                              uint32_t at, uint32_t lanes, bool dense) {
  return walk_unlisted(frame, strip, groups, window, at, lanes, dense, SPACE | VARIANT_ANY);
}

LANES_INLINE walk_function *unlisted_of(const struct frame *frame, unsigned variant) {
  if (frame->groups->features & FEATURE_NEAREST) return unlisted_any;
  if (is_plain_flock(variant)) return unlisted_flock;
  return variant & ~(unsigned)(VARIANT_SPATIAL | VARIANT_ANY_FLOCK) ? unlisted_any : unlisted_any_flock;
}

static OUT_OF_LINE bool limit_list(float limit_sq[LANES], struct choosing *choosing, const struct frame *frame,
                                   const struct lane_groups *groups, const struct candidates *list, uint32_t at,
                                   uint32_t lanes) {
  return limit_to_nearest(limit_sq, &choosing->smallest, frame, groups, list, at, lanes, SPATIAL);
}

/* Walks block k of a pair. */
LANES_INLINE struct walked walk_block(struct block *block, const struct lane_groups *groups,
                                      const struct block_pair *pair, uint32_t k, struct strip *strip,
                                      unsigned variant) {
  struct walked walked = {sums_zero(block), 0};
  struct walk_scratch *scratch = scratch_of(strip);
#if LANES == 16
  if (variant & VARIANT_QUARTERS && pair->in_quarters) {
    walk_quarters(block, &walked.sums, &scratch->quarters, &walked.tested, variant);
    return walked;
  }
#endif
  if (pair->listed) {
    const bool rare = variant & VARIANT_RARE;
    const bool masks_in_space = variant & VARIANT_SPATIAL && variant & VARIANT_MASKS;
    struct threats own, *threats = rare || masks_in_space ? &scratch->threats : &own;
    choose_rare(&walked.sums, &scratch->choosing, block->frame, groups, &pair->window, block->at, block->lanes, false,
                variant);
    if (!(variant & (VARIANT_RARE | VARIANT_AVOIDANCE)) && block->frame->groups->features & FEATURE_NEAREST) {
      float limit_sq[LANES];
      if (!limit_list(limit_sq, &scratch->choosing, block->frame, groups, &scratch->list[k], block->at, block->lanes)) {
        walked.sums.nearest_sq = lf_zero(); /* ties: finish_block walks the window again */
        return walked;
      }
      block->radius_sq = lf_load(limit_sq);
    }
    walk_list(block, &walked.sums, &scratch->list[k], threats, &walked.tested, rare, variant);
    return walked;
  }
  return unlisted_of(block->frame, variant)(block->frame, strip, groups, &pair->window, block->at, block->lanes,
                                            pair->dense);
}

/* Turns a block's sums into one acceleration per rule. Coincident agents, and nearest neighbours that tie, need a
 * second walk; the walk over dense windows has handled them already. */
LANES_INLINE void finish_block(const struct block *block, const struct lane_groups *groups, struct walked *walked,
                               const struct block_pair *pair, struct strip *strip, unsigned variant) {
  const lm close = lf_less_equal(walked->sums.nearest_sq, lf_set1(block->close_sq));
  if (!pair->dense && lm_any(lm_and(block->valid, close))) {
    walked->sums = coincident_of(block->frame, variant)(&scratch_of(strip)->choosing, block->frame, groups,
                                                        &pair->window, block->at, block->lanes);
  }
  finish_rules(block, groups, &walked->sums, strip, variant);
  if (block->profile) count_pairs(block, strip, walked->tested, walked->sums.found);
}

/* The pass of one variant over a strip; `variant` is a constant wherever this function is inlined. */
LANES_INLINE void neighbours_strip(const struct frame *frame, struct strip *strip, unsigned variant) {
  struct block_pair pair;
  pair.one_by_one = throng_grid_periodic_aliased(frame->grid);
  for (uint32_t next = strip->begin; next < strip->end; next = pair.end) {
    begin_pair_of(&pair, frame, strip, next, variant);
    for (uint32_t k = 0; k < PAIR_BLOCKS && pair.at + k * LANES < pair.end; k++) {
      const uint32_t at = pair.at + k * LANES, lanes = lanes_left(at, pair.end);
      struct lane_groups groups;
      load_groups(&groups, frame, at);
      struct layer_lanes layer_lanes[LAYER_LANES];
      struct block block = load_block(frame, &groups, at, lanes, layer_lanes, variant);
      struct walked walked = walk_block(&block, &groups, &pair, k, strip, variant);
      finish_block(&block, &groups, &walked, &pair, strip, variant);
    }
  }
}

/* The variants: X(name, bits). A frame takes the first one that has all bits it needs. flock, crowd and walkers have
 * the inverse law, and their rules are constants. Combinations that are not listed take a variant with more bits: for
 * each of their own ones, three instruction sets would need another 30 to 40 KB (docs/tried/walk.csv). A crowd variant
 * with masks must not be the first for groups without masks and views, whose layers are not packed (quarters.h). */
#define AVOIDS (VARIANT_AVOIDANCE | VARIANT_QUARTERS)
#define WALKS (AVOIDS | VARIANT_RADIUS | VARIANT_WALKERS)
#if SPATIAL
#define VARIANTS_OF_SPACE(X) VARIANTS(X, spatial)
#define ONLY_PLANAR(variant)
#else
#define VARIANTS_OF_SPACE(X) VARIANTS(X, planar)
#define ONLY_PLANAR(variant) variant
#endif
#define VARIANTS(X, space)                                                                                             \
  /* three rules, one radius: the most common flock, and the fastest walk */                                           \
  X(space##_flock, SPACE)                                                                                              \
  /* flocks that look ahead */                                                                                         \
  X(space##_flock_view, SPACE | VARIANT_RADIUS | VARIANT_VIEW)                                                         \
  /* flocks of several kinds, and all other flocks */                                                                  \
  X(space##_flock_view_masks, SPACE | VARIANT_RADIUS | VARIANT_VIEW | VARIANT_MASKS)                                   \
  /* flocks that avoid collisions */                                                                                   \
  ONLY_PLANAR(X(planar_crowd, AVOIDS))                                                                                 \
  /* crowds with a separation radius */                                                                                \
  X(space##_crowd_radius, SPACE | AVOIDS | VARIANT_RADIUS)                                                             \
  /* crowds of several groups that look ahead */                                                                       \
  ONLY_PLANAR(X(planar_crowd_view_masks, AVOIDS | VARIANT_VIEW | VARIANT_MASKS))                                       \
  /* all other crowds */                                                                                               \
  X(space##_crowd_radius_view_masks, SPACE | AVOIDS | VARIANT_RADIUS | VARIANT_VIEW | VARIANT_MASKS)                   \
  /* pedestrians: separation and avoidance */                                                                          \
  ONLY_PLANAR(X(planar_walkers, WALKS))                                                                                \
  /* pedestrians that look ahead */                                                                                    \
  ONLY_PLANAR(X(planar_walkers_view, WALKS | VARIANT_VIEW))                                                            \
  /* pedestrians with a pace */                                                                                        \
  ONLY_PLANAR(X(planar_walkers_pace, WALKS | VARIANT_VIEW | VARIANT_PACE))                                             \
  /* pedestrians that keep a distance */                                                                               \
  ONLY_PLANAR(X(planar_walkers_gap, WALKS | VARIANT_VIEW | VARIANT_PACE | VARIANT_GAP))                                \
  /* other laws and single rules, such as separation alone: these walks are short, so views would take much of them */ \
  X(space##_any, SPACE | VARIANT_GENERIC)                                                                              \
  /* the same with views or masks */                                                                                   \
  X(space##_any_view_masks, SPACE | VARIANT_GENERIC | VARIANT_VIEW | VARIANT_MASKS)                                    \
  /* every other set of rules with avoidance */                                                                        \
  X(space##_any_crowd_view_masks, SPACE | VARIANT_GENERIC | AVOIDS | VARIANT_VIEW | VARIANT_MASKS)                     \
  /* the rare rules */                                                                                                 \
  X(space##_more, SPACE | VARIANT_GENERIC | VARIANT_VIEW | VARIANT_MASKS | VARIANT_RARE)

#define DEFINE_VARIANT(name, variant)                                                                                  \
  _Static_assert((VARIANT_SPATIAL & (variant)) == SPACE, "a variant of this space");                                   \
  _Static_assert(!(VARIANT_RARE & (variant)) || VARIANT_GENERIC & (variant), "rare rules only with GENERIC");          \
  _Static_assert(!(VARIANT_PACE & (variant)) || VARIANT_VIEW & (variant), "a pace only with VIEW");                    \
  _Static_assert(!(VARIANT_GAP & (variant)) || VARIANT_PACE & (variant), "a time gap only with PACE");                 \
  _Static_assert(!(VARIANT_WALKERS & (variant)) || !((VARIANT_GENERIC | VARIANT_SPATIAL) & (variant)), "walkers");     \
  static void strip_##name(const struct frame *frame, struct strip *strip) { neighbours_strip(frame, strip, variant); }
VARIANTS_OF_SPACE(DEFINE_VARIANT)

/* Runs the fastest variant with all bits that the live groups need. */
static void walk_strip(const struct frame *frame, struct strip *strip) {
  static const struct {
    unsigned variant;
    pass_function *run;
  } variants[] = {
#define LIST_VARIANT(name, variant) {variant, strip_##name},
      VARIANTS_OF_SPACE(LIST_VARIANT)};
  const unsigned variant = needed_variant(frame);
  for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++) {
    unsigned has = variants[k].variant;
    if ((has & VARIANT_EXACT) == (variant & VARIANT_EXACT) && (has & variant) == variant) {
      variants[k].run(frame, strip);
      return;
    }
  }
  ASSERT_ALONE(false); /* no variant has all bits */
}

#endif
