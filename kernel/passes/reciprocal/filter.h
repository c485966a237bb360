/* filter.h: reciprocal avoidance, the last filter of what agents want. It takes the velocity nearest to the wish, to
 * which the blend leads, among those that no neighbour within the radius forbids. It walks the neighbours once more,
 * because the blend needs all other rules first. The half-spaces of all of them count. Formulas: docs/ARITHMETIC.md,
 * "Reciprocal avoidance". The sources that include this file define SPATIAL before. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_FILTER_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_FILTER_H

#include "passes/blocked.h"
#include "passes/reciprocal/half_spaces.h"
#include "passes/reciprocal/hard_spaces.h"
#include "passes/reciprocal/velocity_program.h"

/* The scratch of a block. */
struct reciprocal_scratch {
  struct velocity_program program;
  struct seen_lists lists;
};
_Static_assert(sizeof(struct reciprocal_scratch) <= WALK_SCRATCH_BYTES, "reciprocal_scratch");

/* A walk over a window. Without `worst` it puts down the half-spaces; with `worst` it looks at each of them. */
struct seen_walk {
  const struct avoiders *avoiders;
  const struct window *window;
  struct reciprocal_scratch *scratch;
  struct worst *worst;
};

/* Makes room for another half-space. Returns false if there is none. */
LANES_INLINE bool has_room(const struct seen_walk *walk) {
  struct velocity_program *program = &walk->scratch->program;
  if (program->soft < MOST_SOFT) return true;
  if (!walk->worst) return false;
  look_at_rows(walk->worst, program->soft_row, program->soft, program->v);
  program->soft = 0;
  return true;
}

/* Adds the half-spaces of the listed candidates, and empties the lists. Returns false if they are too many. */
static OUT_OF_LINE bool add_half_spaces(const struct seen_walk *walk, lv3 shift, bool shifted) {
  struct velocity_program *program = &walk->scratch->program;
  struct seen_lists *lists = &walk->scratch->lists;
  const uint32_t longest = fill_seen_lists(lists, grid_dummy(walk->avoiders->frame->grid));
  for (uint32_t k = 0; k < longest; k++) {
    struct half_space it;
    const lm in = avoid_candidates(walk->avoiders, lists, k, shift, shifted, &it);
    if (!lm_any(in)) continue;
    if (!has_room(walk)) return false;
    store_half_space(&program->soft_row[program->soft++], half_space_where(in, it));
  }
  for (uint32_t q = 0; q < SEEN_LISTS; q++) lists->count[q] = 0;
  return true;
}

/* Whether a list may be too short for LANES more candidates. */
LANES_INLINE bool is_full(const struct seen_lists *lists) {
  uint32_t longest = 0;
  for (uint32_t q = 0; q < SEEN_LISTS; q++) longest = lists->count[q] > longest ? lists->count[q] : longest;
  return longest > SEEN_CANDIDATES - LANES;
}

/* Lists the candidates [from, to), or the representatives of these numbers. */
LANES_INLINE bool list_seen_range(const struct seen_walk *walk, const struct seen_boxes *boxes, uint32_t from,
                                  uint32_t to, lv3 shift, bool shifted) {
  const struct frame *frame = walk->avoiders->frame;
  const struct grid *grid = frame->grid;
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  struct seen_lists *lists = &walk->scratch->lists;
  const uint32_t step = grid->dense ? 1 : LANES;
  for (uint32_t k = from; k < to; k += step) {
    if (is_full(lists) && !add_half_spaces(walk, shift, shifted)) return false;
    const uint32_t j = grid->dense ? grid->candidates[k].slot : k;
    lv3 q = load_lv3(position, j, SPATIAL);
    if (shifted) q = lv3_add(q, shift, SPATIAL);
    list_seen(lists, boxes, j, lm_first(grid->dense ? 1 : to - k), q);
  }
  return true;
}

/* Walks the window. Returns false if the half-spaces are too many to be put down. */
static OUT_OF_LINE bool walk_seen(const struct seen_walk *walk) {
  const struct avoiders *avoiders = walk->avoiders;
  const struct grid *grid = avoiders->frame->grid;
  struct seen_boxes boxes;
  const float radius_sq = lf_highest(lf_where(avoiders->who, avoiders->radius_sq));
  find_seen_boxes(&boxes, avoiders->frame, avoiders->at, avoiders->lanes, radius_sq);
  struct seen_lists *lists = &walk->scratch->lists;
  for (uint32_t q = 0; q < SEEN_LISTS; q++) lists->count[q] = 0;
  walk->scratch->program.soft = 0;
  uint32_t from, to;
  lv3 shift, listed = lv3_zero();
  bool shifted, is_listed_shifted = false;
  FOR_EACH_RANGE(grid, grid->dense ? grid->thin_start : grid->start, walk->window, from, to, shift, shifted, SPATIAL) {
    if ((shifted || is_listed_shifted) && !add_half_spaces(walk, listed, is_listed_shifted)) return false;
    listed = shift;
    is_listed_shifted = shifted;
    if (!list_seen_range(walk, &boxes, from, to, shift, shifted)) return false;
  }
  return add_half_spaces(walk, listed, is_listed_shifted);
}

/* Where the half-spaces are too many to be put down, each look at them walks the window again. */
static OUT_OF_LINE void look_at_window(struct velocity_program *program, struct worst *worst) {
  struct seen_walk walk = *(const struct seen_walk *)program->context;
  walk.worst = worst;
  walk_seen(&walk);
  look_at_rows(worst, program->soft_row, program->soft, program->v);
}

/* The lanes of `who` that avoid others: those that are not impatient. */
LANES_INLINE lm that_avoid(const struct frame *frame, const struct lane_groups *groups, uint32_t at, lm who) {
  if (!(frame->groups->features & FEATURE_YIELD)) return who;
  const lm solid = lf_greater(load_param(frame, groups, PARAM_CONTACT), lf_zero());
  return lm_without(who, lm_and(solid, load_impatient(frame->front, at)));
}

#define SLOW_PACE 0.1f /* the fraction of max_speed below which an agent tries to walk round others */
#define SIDE_PART 0.3f /* the part of its wish by which it then turns aside */

/* A vector at right angles to a wish: level, and to its left, unless the wish is steep. */
LANES_INLINE lv3 beside(lv3 wish) {
  const lv3 level = {lf_negate(wish.z), lf_zero(), wish.x};
  if (!SPATIAL) return level;
  const lf level_sq = lf_add(lf_mul(wish.x, wish.x), lf_mul(wish.z, wish.z));
  const lm steep = lf_less(lf_mul(level_sq, lf_set1(4.0f)), lv3_dot(wish, wish, true));
  return lv3_select(steep, (lv3){lf_zero(), wish.z, lf_negate(wish.y)}, level, true);
}

/* Sets the wish, where the programs begin, and the velocity that replaces it before others. For agents that hardly
 * move that is a velocity to one side of the wish: agents that stand before each other would stand there for ever.
 * Before surfaces alone the wish stays, so that they slide. */
LANES_INLINE void set_wish(struct velocity_program *program, const struct avoiders *avoiders, lv3 wish) {
  const lf slow = lf_mul(avoiders->limit, lf_set1(SLOW_PACE)), part = lf_set1(SIDE_PART);
  const lm stands = lf_less(lv3_dot(avoiders->v, avoiders->v, SPATIAL), lf_mul(slow, slow));
  program->wish = program->aside = program->v = wish;
  if (!lm_any(stands)) return;
  const lv3 aside = lv3_add(wish, lv3_scale(beside(wish), part, SPATIAL), SPATIAL);
  program->aside = lv3_select(stands, lv3_clip(aside, avoiders->limit, SPATIAL), wish, SPATIAL);
}

/* Changes the accelerations of the lanes `who` so that these agents reach the nearest allowed velocities. */
LANES_INLINE void filter_block(const struct avoiders *avoiders, const struct lane_groups *groups,
                               const struct window *window, struct strip *strip, lm who) {
  const struct frame *frame = avoiders->frame;
  struct reciprocal_scratch *scratch = (struct reciprocal_scratch *)strip->walk_scratch;
  struct velocity_program *program = &scratch->program;
  const uint32_t k = avoiders->at - strip->begin;
  const lv3 a = load_lv3_first(strip->acceleration, k, avoiders->lanes, SPATIAL);
  lv3 wish = lv3_add(avoiders->v, lv3_scale(a, lf_set1(frame->dt), SPATIAL), SPATIAL);
  wish = lv3_clip(wish, avoiders->limit, SPATIAL);
  if (frame->wished) {
    keep_wished_way(frame, groups, avoiders->at, who, avoiders->p, wish, avoiders->lanes, SPATIAL);
  }
  const struct seen_walk walk = {avoiders, window, scratch, NULL};
  set_wish(program, avoiders, wish);
  program->limit = avoiders->limit;
  program->active = 0;
  add_hard_spaces(program, frame, groups, avoiders->at, avoiders->lanes, who);
  program->soft = 0;
  program->look_at_soft = !lm_any(avoiders->who) || walk_seen(&walk) ? NULL : look_at_window;
  program->context = &walk;
  solve_velocities(program, who);

  const lv3 v = program->v;
  lm same = lm_and(lf_equal(v.x, wish.x), lf_equal(v.z, wish.z));
  if (SPATIAL) same = lm_and(same, lf_equal(v.y, wish.y));
  lv3 change = lv3_scale(lv3_sub(v, avoiders->v, SPATIAL), lf_set1(frame->rate), SPATIAL);
  const lf most = load_limit(frame, groups, avoiders->at, PARAM_MAX_ACCELERATION);
  change = lv3_clip(change, lf_mul(most, lf_set1(2.0f)), SPATIAL);
  if (SPATIAL) change = lv3_add(change, lv3_zero(), true); /* -0 becomes 0 */
  const lv3 allowed = lv3_select(lm_without(who, same), change, a, SPATIAL);
  store_lv3(strip->acceleration, k, allowed, avoiders->lanes, SPATIAL);
}

static void filter_strip(const struct frame *frame, struct strip *strip) {
  const bool one_by_one = throng_grid_periodic_aliased(frame->grid);
  uint32_t lanes;
  for (uint32_t at = strip->begin; at < strip->end; at += lanes) {
    lanes = window_agents(frame->grid, strip, at, LANES, one_by_one);
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    const lm who = lf_less_where(lm_first(lanes), lf_zero(), load_param(frame, &groups, PARAM_AVOID_RATE));
    if (!lm_any(who)) {
      if (frame->wished) lf_store_first(frame->wished + at, lf_set1(-1.0f), lanes);
      continue;
    }
    struct avoiders avoiders;
    load_avoiders(&avoiders, frame, &groups, at, lanes, that_avoid(frame, &groups, at, who));
    struct window window;
    make_window(&window, frame, strip, at, lanes, one_by_one, SPATIAL);
    filter_block(&avoiders, &groups, &window, strip, who);
  }
}

static void pack_strip(const struct frame *frame, struct strip *strip) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    pack_seen_block(frame, at, lanes_left(at, strip->end));
  }
}

#endif
