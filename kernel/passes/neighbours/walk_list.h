/* walk_list.h: adds the candidates of a list to a block's sums. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_WALK_LIST_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_WALK_LIST_H

#include "passes/neighbours/candidates.h"

#define NO_LANE LANES /* the lane of candidates that are no agents of the block */

/* Infinity in lane k, 0 elsewhere; k may be NO_LANE. Added to the squared distances from agent k of the block, it keeps
 * the agent from being its own neighbour. */
LANES_INLINE lf far_from_itself(uint32_t k) {
  static const float far[2 * LANES] = {[LANES] = INFINITY};
  return lf_load(far + LANES - k);
}

/* Returns the lanes within the radius that count candidate j: with walls_hide, only those that see it. */
LANES_INLINE lm that_see(const struct block *block, uint32_t j, lm within_radius, unsigned variant) {
  if (!(variant & VARIANT_RARE) || !(block->frame->groups->features & FEATURE_SIGHT)) return within_radius;
  return without_hidden(block->frame, block->at, within_radius, block->rare.limited, j);
}

/* Adds candidate j to every lane that has it within its radius. `self`: it may be the agent of a lane, `lane`. With
 * VARIANT_GATHERED every candidate may be an agent of the block, and its id tells whose neighbour it must not be. */
LANES_INLINE void walk_candidate(const struct block *block, struct sums *sums, uint32_t j, lv3 shift, bool shifted,
                                 bool self, uint32_t lane, struct threats *threats, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const struct candidate it = {.j = j};
  lv3 d = candidate_offset(block, &it, shift, shifted, spatial);
  lf d2 = lv3_dot(d, d, spatial);
  if (self) d2 = lf_add(d2, far_from_itself(lane));
  if (variant & VARIANT_GATHERED) {
    d2 = lf_select(lu_equal(candidate_id(block, &it), block->id), lf_set1(INFINITY), d2);
  }
  lm within_radius = lf_less_equal(d2, block->radius_sq);
  sums->nearest_sq = lf_nearer(sums->nearest_sq, d2);
  within_radius = that_see(block, j, within_radius, variant);
  add_neighbour(block, sums, &it, d, d2, lf_set1(1.0f), within_radius, threats, variant);
}

/* Adds the candidates in these slots. Finding the first threat needs registers that the other sums use too. The loop
 * therefore defers threats, and decides them between batches. */
LANES_INLINE void walk_slots(const struct block *block, struct sums *sums, const uint32_t *slot, uint32_t candidates,
                             lv3 shift, bool shifted, struct threats *threats, unsigned variant) {
  const uint32_t some = variant & VARIANT_DEFER ? THREAT_BATCH : candidates;
  for (uint32_t begin = 0; begin < candidates; begin += some) {
    const uint32_t end = candidates - begin < some ? candidates : begin + some;
    if (variant & VARIANT_DEFER && threats->count > SOME_THREATS) decide_threats(block, sums, threats);
    for (uint32_t k = begin; k < end; k++)
      walk_candidate(block, sums, slot[k], shift, shifted, false, NO_LANE, threats, variant);
  }
}

/* Adds the candidates of a range of a list: the block's own agents, if they are in it, and those in these slots. */
LANES_INLINE void walk_range(const struct block *block, struct sums *sums, const struct list_range *range,
                             const uint32_t *slot, uint32_t candidates, struct threats *threats, unsigned variant) {
  for (uint32_t j = block->at; range->own && j < block->at + block->lanes; j++) {
    walk_candidate(block, sums, j, lv3_zero(), false, true, j - block->at, threats, variant);
  }
  if (range->shifted) {
    walk_slots(block, sums, slot, candidates, range->shift, true, threats, variant);
  } else {
    walk_slots(block, sums, slot, candidates, lv3_zero(), false, threats, variant);
  }
}

/* A shift that changes no bit: every number, also +0 and -0, plus -0 is the number itself. */
LANES_INLINE lv3 no_shift(void) { return (lv3){lf_set1(-0.0f), lf_set1(-0.0f), lf_set1(-0.0f)}; }

/* The same as walk_range in a third of the code: one loop adds the block's own agents and candidates with and without a
 * shift. */
LANES_INLINE void walk_range_in_one_loop(const struct block *block, struct sums *sums, const struct list_range *range,
                                         const uint32_t *slot, uint32_t candidates, struct threats *threats,
                                         unsigned variant) {
  const lv3 shift = range->shifted ? range->shift : no_shift();
  const uint32_t own = range->own ? block->lanes : 0;
  for (uint32_t n = 0; n < own + candidates; n++) {
    if (variant & VARIANT_DEFER && threats->count > SOME_THREATS) decide_threats(block, sums, threats);
    const uint32_t j = n < own ? block->at + n : slot[n - own];
    walk_candidate(block, sums, j, shift, true, true, n < own ? n : NO_LANE, threats, variant);
  }
}

/* Adds the candidates of a list. `threats` is memory for deferred threats. `small`: the code is to be small, because
 * such lists are rare, or because each candidate takes much code. */
LANES_INLINE void walk_list(const struct block *block, struct sums *sums, const struct candidates *list,
                            struct threats *threats, uint64_t *tested, bool small, unsigned variant) {
  threats->count = 0;
  if (variant & (VARIANT_AVOIDANCE | VARIANT_RARE)) variant |= VARIANT_DEFER;
  uint32_t k = 0;
  for (uint32_t s = 0; s < list->ranges; s++) {
    const struct list_range *range = &list->range[s];
    ASSERT_ALONE(k <= range->end && range->end <= list->count);
    if (small) {
      walk_range_in_one_loop(block, sums, range, list->slot + k, range->end - k, threats, variant);
    } else {
      walk_range(block, sums, range, list->slot + k, range->end - k, threats, variant);
    }
    if (range->own) *tested += block->lanes;
    k = range->end;
  }
  if (variant & VARIANT_DEFER) decide_threats(block, sums, threats);
  *tested += list->count;
  sums->aligned = lf_from_count(sums->counted);
}

/* Notes the distances of listed candidates [from, to), or of the block's own agents, in the lanes that have them in
 * radius and view. `n`: how many are grouped; returns the new number. */
LANES_INLINE uint32_t note_listed(const struct block *block, struct smallest *smallest, const uint32_t *slot,
                                  uint32_t from, uint32_t to, lv3 shift, bool own, uint32_t n, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  for (uint32_t k = from; k < to; k++) {
    const struct candidate it = {.j = own ? k : slot[k]};
    const lv3 d = candidate_offset(block, &it, shift, true, spatial);
    lf d2 = lv3_dot(d, d, spatial);
    if (own) d2 = lf_add(d2, far_from_itself(k - block->at));
    lm where = lf_less_equal(d2, block->radius_sq);
    if (variant & VARIANT_VIEW) {
      const lf behind = lv3_dot(d, block->facing, spatial);
      where = lf_less_equal_where(where, lf_mul(behind, lf_abs(behind)), lf_mul(block->view, d2));
    }
    lf_store(smallest->group[n++], lf_select(where, d2, lf_set1(INFINITY)));
    if (n < SORTED) continue;
    smallest->grouped = n;
    merge_group(smallest);
    n = 0;
  }
  return n;
}
/* The range with the block's own agents comes first: the nearest candidates are in it, and groups of farther ones need
 * no merge then. The order does not change the result. */
LANES_INLINE void note_list(const struct frame *frame, const struct lane_groups *groups, struct smallest *smallest,
                            const struct candidates *list, uint32_t at, uint32_t lanes, unsigned variant) {
  const struct block block = load_block(frame, groups, at, lanes, NULL, variant);
  uint32_t first = 0, n = 0;
  while (first + 1 < list->ranges && !list->range[first].own) first++;
  for (uint32_t s = 0; s < list->ranges; s++) {
    const uint32_t r = s + first < list->ranges ? s + first : s + first - list->ranges;
    const struct list_range *range = &list->range[r];
    const lv3 shift = range->shifted ? range->shift : no_shift();
    if (range->own) n = note_listed(&block, smallest, NULL, at, at + lanes, shift, true, n, variant);
    const uint32_t from = r > 0 ? list->range[r - 1].end : 0;
    n = note_listed(&block, smallest, list->slot, from, range->end, shift, false, n, variant);
  }
  smallest->grouped = n;
  merge_group(smallest);
}

/* Writes the squared distances of the farthest neighbours that count, at most the squared perception radius, for rules
 * that all count the same ones. Returns false if some lane has more neighbours at exactly that distance. */
LANES_INLINE bool limit_to_nearest(float limit_sq[LANES], struct smallest *smallest, const struct frame *frame,
                                   const struct lane_groups *groups, const struct candidates *list, uint32_t at,
                                   uint32_t lanes, bool spatial) {
  const unsigned space = spatial ? VARIANT_SPATIAL : 0u;
  uint32_t most = 0;
  for (int rule = 0; rule < NEAREST_RULES; rule++) {
    if (frame->groups->nearest[rule] > most) most = frame->groups->nearest[rule];
  }
  begin_choice(smallest, most + 1);
  if (frame->groups->features & FEATURE_VIEW) {
    note_list(frame, groups, smallest, list, at, lanes, space | VARIANT_VIEW);
  } else {
    note_list(frame, groups, smallest, list, at, lanes, space);
  }
  lf nearest = lf_zero();
  for (int rule = 0; rule < NEAREST_RULES; rule++) {
    nearest = lf_max(nearest, load_param(frame, groups, PARAM_NEAREST + rule));
  }
  lf limit = lf_set1(INFINITY), next = limit;
  for (uint32_t k = 0; k <= most; k++) {
    const lf kept = lf_load(smallest->kept[k / SORTED][k % SORTED]);
    limit = lf_select(lf_equal(nearest, lf_set1((float)(k + 1))), kept, limit);
    next = lf_select(lf_equal(nearest, lf_set1((float)k)), kept, next);
  }
  const lf radius = load_perception(frame, groups, at);
  lf_store(limit_sq, lf_min(limit, lf_mul(radius, radius)));
  const lm tie = lm_and(lf_less(limit, lf_set1(INFINITY)), lf_equal(next, limit));
  return !lm_any(lm_and(tie, lm_first(lanes)));
}

#endif
