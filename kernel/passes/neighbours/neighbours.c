/* passes/neighbours.c: separation, cohesion, alignment, collision avoidance and rarer rules in one walk over the neighbours.
 *
 * A block holds one agent a lane. Each candidate of its list is broadcast against the lanes and added where it is within
 * range: no branches, no horizontal sums, so a lane's sums run over its neighbours in the canonical order whatever the
 * width. With avoidance that walk puts a list's threats down, which are decided later. Where a candidate is worth much
 * arithmetic, blocks of 16 are walked in quarters (quarters.h). Whole windows, not lists, are walked where a few represent
 * many, and again where somebody stands on somebody else. The formulas are those of docs/ARITHMETIC.md, "Neighbours of agent
 * i".
 *
 * In the design's prototypes skipping a candidate when no lane is in range was 2.4 times slower.
 * SPDX-License-Identifier: MIT */
#include "base/compiler.h"
#include "passes/neighbours/candidates.h"
#include "passes/neighbours/quarters.h"

/* What to add to the lanes' squared distances from agent k of their own block: infinity to its own, which makes it none of its
 * neighbours, and to the others nothing. */
LANES_INLINE lf far_from_itself(uint32_t k) {
  static const float far[2 * LANES] = {[LANES] = INFINITY};
  return lf_load(far + LANES - k);
}

/* Candidate j against every lane; `self`: it is one of the block's own. */
LANES_INLINE void walk_candidate(const struct block *block, struct sums *sums, uint32_t j, lv3 shift, bool shifted,
                                 bool self, struct threats *threats, unsigned kind) {
  const bool spatial = kind & KIND_SPATIAL;
  const struct candidate it = {.j = j};
  lv3 d = candidate_offset(block, &it, shift, shifted, spatial);
  lf d2 = lv3_dot(d, d, spatial);
  if (self) d2 = lf_add(d2, far_from_itself(j - block->at));
  lm near = lf_less_equal(d2, block->radius_sq);
  sums->nearest_sq = lf_nearer(sums->nearest_sq, d2);
  add_neighbour(block, sums, &it, d, d2, lf_set1(1.0f), near, threats, kind);
}

/* Whether some cell of the window is thinned. */
LANES_INLINE bool window_is_dense(const struct grid *grid, const struct window *window, bool spatial) {
  uint32_t from, to, all = 0, kept = 0;
  lv3 shift;
  bool shifted;
  FOR_EACH_RANGE(grid, grid->start, window, from, to, shift, shifted, spatial) all += to - from;
  FOR_EACH_RANGE(grid, grid->thin_start, window, from, to, shift, shifted, spatial) kept += to - from;
  return kept < all;
}

/* Candidate j of a whole window. Where it stands on somebody, it is taken to stand a small distance apart, as the two's places among
 * all do. */
LANES_INLINE void walk_one_of_all(const struct block *block, struct sums *sums, lv3 place, uint32_t j, lf weight,
                                  lv3 shift, bool shifted, bool self, unsigned kind) {
  const bool spatial = kind & KIND_SPATIAL;
  struct candidate it = {.j = j};
  lv3 d = candidate_offset(block, &it, shift, shifted, spatial);
  lf d2 = lv3_dot(d, d, spatial);
  if (self) d2 = lf_add(d2, far_from_itself(j - block->at));
  lm near = lf_less_equal(d2, block->radius_sq);
  it.coincident = lf_less_equal(d2, lf_set1(block->close_sq));
  if (lm_any(it.coincident)) {
    lv3 apart = lv3_sub(place, broadcast_place(block->frame->front->id[j], spatial), spatial);
    d = lv3_select(it.coincident, lv3_scale(apart, block->unit, spatial), d, spatial);
    d2 = lf_select(it.coincident, lv3_dot(d, d, spatial), d2);
  }
  add_neighbour(block, sums, &it, d, d2, weight, near, NULL, kind | KIND_COINCIDENT);
}

/* Adds a whole window; `dense`: of a cell that is too dense for the neighbour budget those who represent the others. */
LANES_INLINE void walk_window(const struct block *block, struct sums *sums, const struct window *window, bool dense,
                              uint64_t *tested, unsigned kind) {
  const bool spatial = kind & KIND_SPATIAL;
  const struct grid *grid = block->frame->grid;
  const lv3 place = place_among_all(block->id, spatial);
  uint32_t from, to;
  lv3 shift;
  bool shifted;
  FOR_EACH_RANGE(grid, dense ? grid->thin_start : grid->start, window, from, to, shift, shifted, spatial) {
    *tested += to - from;
    for (uint32_t k = from; k < to; k++) {
      const uint32_t j = dense ? grid->candidates[k].slot : k;
      const lf weight = lf_set1(dense ? grid->candidates[k].weight : 1.0f);
      if (shifted) {
        walk_one_of_all(block, sums, place, j, weight, shift, true, false, kind | KIND_WEIGHTS);
      } else {
        const bool self = j - block->at < LANES;
        walk_one_of_all(block, sums, place, j, weight, lv3_zero(), false, self, kind | KIND_WEIGHTS);
      }
    }
  }
}

/* The sums of a block, and how many candidates were tested. */
struct walked {
  struct sums sums;
  uint64_t tested;
};

/* The sums of the rare block in which somebody stands on somebody else, again. There are two bodies, plain flocks' and one that
 * serves every kind: what a kind lacks is neutral. */
LANES_INLINE struct sums walk_again(const struct frame *frame, const struct lane_groups *groups,
                                    const struct window *window, uint32_t at, uint32_t lanes, unsigned kind) {
  struct layer_lanes layer_lanes[THRONG_MAX_LAYERS];
  const struct block block = load_block(frame, groups, at, lanes, layer_lanes, kind);
  struct sums sums = sums_zero(&block);
  uint64_t tested = 0;
  walk_window(&block, &sums, window, false, &tested, kind);
  return sums;
}

#define KIND_ANY (KIND_VIEW | KIND_MASKS | KIND_GENERIC | KIND_MORE)
#define DEFINE_AGAIN(name, kind)                                                                                       \
  static COLD struct sums walk_again_##name(const struct frame *frame, const struct lane_groups *groups,               \
                                            const struct window *window, uint32_t at, uint32_t lanes) {                \
    return walk_again(frame, groups, window, at, lanes, kind);                                                         \
  }
DEFINE_AGAIN(planar_flock, 0u)
DEFINE_AGAIN(planar_any, KIND_ANY)
DEFINE_AGAIN(spatial_flock, KIND_SPATIAL)
DEFINE_AGAIN(spatial_any, KIND_SPATIAL | KIND_ANY)

typedef struct sums again_function(const struct frame *frame, const struct lane_groups *groups,
                                   const struct window *window, uint32_t at, uint32_t lanes);
LANES_INLINE again_function *again_of(unsigned kind) {
  if (kind == 0) return walk_again_planar_flock;
  if (kind == KIND_SPATIAL) return walk_again_spatial_flock;
  return kind & KIND_SPATIAL ? walk_again_spatial_any : walk_again_planar_any;
}

LANES_INLINE void count_pairs(struct strip *strip, uint32_t lanes, uint64_t tested, lc found_by_lane) {
  float found[LANES];
  lf_store(found, lf_from_count(found_by_lane));
  for (uint32_t k = 0; k < lanes; k++) strip->neighbours_found += (uint64_t)found[k];
  strip->candidates_tested += tested * lanes;
}

/* Adds candidates of a list. To decide the first threat takes registers that the other sums need: so the walk only puts threats
 * down, and they are decided when there are some, or no more candidates. */
LANES_INLINE void walk_slots(const struct block *block, struct sums *sums, const uint32_t *slot, uint32_t candidates,
                             lv3 shift, bool shifted, struct threats *threats, unsigned kind) {
  const uint32_t some = kind & KIND_LATER ? PIECE : candidates;
  for (uint32_t begin = 0; begin < candidates; begin += some) {
    const uint32_t end = candidates - begin < some ? candidates : begin + some;
    if (kind & KIND_LATER && threats->count > SOME_THREATS) add_threats(block, sums, threats);
    for (uint32_t k = begin; k < end; k++) walk_candidate(block, sums, slot[k], shift, shifted, false, threats, kind);
  }
}

/* Adds the candidates of a list. */
LANES_INLINE void walk_list(const struct block *block, struct sums *sums, const struct candidates *list,
                            uint64_t *tested, unsigned kind) {
  struct threats threats;
  threats.count = 0;
  if (kind & (KIND_AVOIDANCE | KIND_MORE)) kind |= KIND_LATER;
  uint32_t k = 0;
  for (uint32_t s = 0; s < list->stretches; s++) {
    const struct stretch *stretch = &list->stretch[s];
    for (uint32_t j = block->at; stretch->own && j < block->at + block->lanes; j++) {
      walk_candidate(block, sums, j, lv3_zero(), false, true, &threats, kind);
    }
    if (stretch->own) *tested += block->lanes;
    if (stretch->shifted) {
      walk_slots(block, sums, list->slot + k, stretch->end - k, stretch->shift, true, &threats, kind);
    } else {
      walk_slots(block, sums, list->slot + k, stretch->end - k, lv3_zero(), false, &threats, kind);
    }
    k = stretch->end;
  }
  if (kind & KIND_LATER) add_threats(block, sums, &threats);
  *tested += list->count;
  sums->aligned = lf_from_count(sums->counted);
}

/* Adds those of a window that is too much for a list, piece by piece. */
LANES_INLINE void walk_pieces(const struct block *block, struct sums *sums, const struct window *window,
                              uint64_t *tested, unsigned kind) {
  const bool spatial = kind & KIND_SPATIAL;
  const struct grid *grid = block->frame->grid;
  float *const *position = block->frame->front->f + COLUMN_POSITION_X;
  const uint32_t at = block->at, end = at + block->lanes;
  struct reach reach;
  find_reach(&reach, block->frame, at, block->lanes, spatial);
  struct candidates list;
  uint32_t from, to;
  lv3 shift;
  bool shifted;
  FOR_EACH_RANGE(grid, grid->start, window, from, to, shift, shifted, spatial) {
    while (from < to) {
      from = list_piece(&list, &reach, position, at, end, from, to, shift, shifted, spatial);
      walk_list(block, sums, &list, tested, kind);
    }
  }
}

/* A run of blocks, and what they look at. */
struct run {
  uint32_t at, end; /* its agents */
  bool dense;       /* by those who represent others */
  bool listed;      /* else piece by piece */
  struct window window;
  struct candidates list[RUN_BLOCKS];
};

LANES_INLINE bool list_run(struct run *run, const struct frame *frame, bool spatial) {
  struct reach reach[RUN_BLOCKS];
  find_reaches(reach, frame, run->at, run->end, spatial);
  return list_window(run->list, reach, frame, &run->window, run->at, run->end, spatial, false);
}
#if LANES == 16
/* In space, of one agent, whose list is not worth refining. */
static OUT_OF_LINE bool list_alone(struct run *run, const struct frame *frame) { return list_run(run, frame, true); }
LANES_INLINE bool list_refined(struct run *run, const struct frame *frame, bool one_by_one) {
  if (one_by_one) return list_alone(run, frame);
  struct reach reach[RUN_BLOCKS];
  find_sights(reach, frame, run->at, run->end);
  return list_window(run->list, reach, frame, &run->window, run->at, run->end, true, true);
}
#endif

/* The run of a strip that begins at `at`. */
LANES_INLINE void begin_run(struct run *run, const struct frame *frame, const struct strip *strip, uint32_t at,
                            bool spatial) {
  const struct grid *grid = frame->grid;
  const bool one_by_one = throng_grid_periodic_aliased(grid);
  const uint32_t agents = window_agents(grid, strip, at, RUN_BLOCKS * LANES, one_by_one);
  run->at = at;
  run->end = at + agents;
  make_window(&run->window, frame, strip, at, agents, one_by_one, spatial);
  run->dense = grid->dense && window_is_dense(grid, &run->window, spatial);
  if (run->dense) {
    run->listed = false;
    return;
  }
#if LANES == 16
  if (spatial) {
    run->listed = list_refined(run, frame, one_by_one);
    return;
  }
#endif
  run->listed = list_run(run, frame, spatial);
}

/* All kinds begin a run in the same way: out of line, that is compiled once. With 16 lanes a call for each run costs 2 to 5 %
 * of a frame. */
#if LANES < 16
#define RUN_FUNCTION static OUT_OF_LINE
#else
#define RUN_FUNCTION LANES_INLINE
#endif
RUN_FUNCTION void begin_run_planar(struct run *run, const struct frame *frame, const struct strip *strip, uint32_t at) {
  begin_run(run, frame, strip, at, false);
}
RUN_FUNCTION void begin_run_spatial(struct run *run, const struct frame *frame, const struct strip *strip,
                                    uint32_t at) {
  begin_run(run, frame, strip, at, true);
}

/* Those of a block whose window is too much for one list, or too dense: then its own window, as its run's would go past the
 * budget's bound. */
LANES_INLINE struct walked walk_unlisted(const struct frame *frame, const struct strip *strip,
                                         const struct lane_groups *groups, const struct window *window, uint32_t at,
                                         uint32_t lanes, bool dense, unsigned kind) {
  struct layer_lanes layer_lanes[THRONG_MAX_LAYERS];
  const struct block block = load_block(frame, groups, at, lanes, layer_lanes, kind);
  struct walked walked = {sums_zero(&block), 0};
  if (dense) {
    struct window own;
    make_window(&own, frame, strip, at, lanes, throng_grid_periodic_aliased(frame->grid), kind & KIND_SPATIAL);
    walk_window(&block, &walked.sums, &own, true, &walked.tested, kind);
  } else {
    walk_pieces(&block, &walked.sums, window, &walked.tested, kind);
  }
  return walked;
}
typedef struct walked walk_function(const struct frame *frame, const struct strip *strip,
                                    const struct lane_groups *groups, const struct window *window, uint32_t at,
                                    uint32_t lanes, bool dense);

/* From a block's sums to what its rules want; where somebody stands on somebody else, which only dense walks have seen to, from
 * sums of another walk. */
LANES_INLINE void finish_block(const struct block *block, const struct lane_groups *groups, struct walked *walked,
                               const struct window *window, bool dense, struct strip *strip, unsigned kind) {
  const lm close = lf_less_equal(walked->sums.nearest_sq, lf_set1(block->close_sq));
  if (!dense && lm_any(lm_and(block->valid, close))) {
    walked->sums = again_of(kind)(block->frame, groups, window, block->at, block->lanes);
  }
  finish_rules(block, groups, &walked->sums, strip, kind);
  if (block->profile) count_pairs(strip, block->lanes, walked->tested, walked->sums.found);
}

#if LANES == 16
/* A block, agents from `at` on, in quarters: returns its end, or `at` where that does not pay. */
LANES_INLINE uint32_t block_in_quarters(const struct frame *frame, struct strip *strip, uint32_t at, unsigned kind) {
  const struct grid *grid = frame->grid;
  const bool one_by_one = throng_grid_periodic_aliased(grid);
  const uint32_t lanes = window_agents(grid, strip, at, LANES, one_by_one);
  if (grid->dense || !is_long(strip, at, lanes)) return at;
  struct window window;
  make_window(&window, frame, strip, at, lanes, one_by_one, kind & KIND_SPATIAL);
  if (crosses_seam(grid, &window)) return at;
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  const struct block block = load_block(frame, &groups, at, lanes, NULL, kind);
  struct quarters quarters;
  if (!list_quarters(&quarters, &block, &window, kind)) return at;
  struct walked walked = {sums_zero(&block), 0};
  walk_quarters(&block, &walked.sums, &quarters, &walked.tested, kind);
  finish_block(&block, &groups, &walked, &window, false, strip, kind);
  return at + lanes;
}
#endif

/* One kind's pass over a strip. `kind` is a constant in every instance; `unlisted` is its walk_unlisted, out of line: the
 * compiler takes twice as long over all loops in one function. */
LANES_INLINE void neighbours_strip(const struct frame *frame, struct strip *strip, walk_function *unlisted,
                                   unsigned kind) {
  struct run run;
  for (uint32_t next = strip->begin; next < strip->end; next = run.end) {
#if LANES == 16
    run.end = kind & KIND_QUARTERS ? block_in_quarters(frame, strip, next, kind) : next;
    if (run.end > next) continue;
#endif
    (kind & KIND_SPATIAL ? begin_run_spatial : begin_run_planar)(&run, frame, strip, next);
    for (uint32_t k = 0; k < RUN_BLOCKS && run.at + k * LANES < run.end; k++) {
      const uint32_t at = run.at + k * LANES, lanes = lanes_left(at, run.end);
      struct lane_groups groups;
      load_groups(&groups, frame, at);
      struct layer_lanes layer_lanes[THRONG_MAX_LAYERS];
      const struct block block = load_block(frame, &groups, at, lanes, layer_lanes, kind);
      struct walked walked = {sums_zero(&block), 0};
      if (run.listed) {
        walk_list(&block, &walked.sums, &run.list[k], &walked.tested, kind);
      } else {
        walked = unlisted(frame, strip, &groups, &run.window, at, lanes, run.dense);
      }
      finish_block(&block, &groups, &walked, &run.window, run.dense, strip, kind);
    }
  }
}

/* The instances: X(name, kind). Those called flock, crowd or walkers have the inverse law and their rules as constants. */
#define AVOIDS (KIND_AVOIDANCE | KIND_QUARTERS)
#define WALKS (AVOIDS | KIND_RADIUS | KIND_WALKERS)
#define KINDS_OF(X, space, s)                                                                                          \
  X(space##_flock, s)                                                                                                  \
  X(space##_flock_radius, (s) | KIND_RADIUS)                                                                           \
  X(space##_flock_view, (s) | KIND_RADIUS | KIND_VIEW)                                                                 \
  X(space##_flock_masks, (s) | KIND_RADIUS | KIND_MASKS)                                                               \
  X(space##_flock_view_masks, (s) | KIND_RADIUS | KIND_VIEW | KIND_MASKS)                                              \
  X(space##_crowd, (s) | AVOIDS)                                                                                       \
  X(space##_crowd_view, (s) | AVOIDS | KIND_VIEW)                                                                      \
  X(space##_crowd_masks, (s) | AVOIDS | KIND_MASKS)                                                                    \
  X(space##_crowd_view_masks, (s) | AVOIDS | KIND_VIEW | KIND_MASKS)                                                   \
  X(space##_crowd_radius, (s) | AVOIDS | KIND_RADIUS)                                                                  \
  X(space##_crowd_radius_view, (s) | AVOIDS | KIND_RADIUS | KIND_VIEW)                                                 \
  X(space##_crowd_radius_view_masks, (s) | AVOIDS | KIND_RADIUS | KIND_VIEW | KIND_MASKS)                              \
  X(space##_walkers, (s) | WALKS)                                                                                      \
  X(space##_walkers_view, (s) | WALKS | KIND_VIEW)                                                                     \
  X(space##_any, (s) | KIND_GENERIC)                                                                                   \
  X(space##_any_view_masks, (s) | KIND_GENERIC | KIND_VIEW | KIND_MASKS)                                               \
  X(space##_any_crowd, (s) | KIND_GENERIC | AVOIDS)                                                                    \
  X(space##_any_crowd_view_masks, (s) | KIND_GENERIC | AVOIDS | KIND_VIEW | KIND_MASKS)                                \
  X(space##_more, (s) | KIND_GENERIC | KIND_VIEW | KIND_MASKS | KIND_MORE)
#define KINDS(X) KINDS_OF(X, planar, 0u) KINDS_OF(X, spatial, KIND_SPATIAL)

#define DEFINE_KIND(name, kind)                                                                                        \
  static OUT_OF_LINE struct walked unlisted_##name(const struct frame *frame, const struct strip *strip,               \
                                                   const struct lane_groups *groups, const struct window *window,      \
                                                   uint32_t at, uint32_t lanes, bool dense) {                          \
    return walk_unlisted(frame, strip, groups, window, at, lanes, dense, kind);                                        \
  }                                                                                                                    \
  static void strip_##name(const struct frame *frame, struct strip *strip) {                                           \
    neighbours_strip(frame, strip, unlisted_##name, kind);                                                             \
  }
KINDS(DEFINE_KIND)

/* The cheapest instance that has what the live groups need. */
static void neighbours(const struct frame *frame, struct strip *strip) {
  static const struct {
    unsigned kind;
    pass_function *run;
  } kinds[] = {
#define LIST_KIND(name, kind) {kind, strip_##name},
      KINDS(LIST_KIND)};
  const unsigned kind = needed_kind(frame);
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    unsigned has = kinds[k].kind;
    if ((has & KIND_EXACT) == (kind & KIND_EXACT) && (has & kind) == kind) {
      kinds[k].run(frame, strip);
      return;
    }
  }
}

static bool reads_packed(const struct frame *frame) {
  return (needed_kind(frame) & KIND_QUARTERS) && !frame->grid->dense;
}

const struct neighbour_passes THRONG_TABLE(neighbours) = {neighbours, PACK, reads_packed};
