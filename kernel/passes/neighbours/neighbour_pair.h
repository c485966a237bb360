/* neighbour_pair.h: adds one candidate to a block's sums, and turns sums into accelerations. Each rule has a header of
 * its own. Formulas: docs/ARITHMETIC.md, "Neighbours of agent i". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_PAIR_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_PAIR_H

#include "passes/neighbours/ahead.h"
#include "passes/neighbours/alignment.h"
#include "passes/neighbours/avoidance.h"
#include "passes/neighbours/cohesion.h"
#include "passes/neighbours/nearest.h"
#include "passes/neighbours/neighbour_rare.h"
#include "passes/neighbours/separation.h"

/* The offset from the candidate to each lane's agent. With this sign, the subtraction can broadcast the candidate's
 * position from memory. */
LANES_INLINE lv3 candidate_offset(const struct block *block, const struct candidate *it, lv3 shift, bool shifted,
                                  bool spatial) {
  lv3 q = candidate_position(block, it, spatial);
  if (shifted) q = lv3_add(q, shift, spatial);
  return lv3_sub(block->p, q, spatial);
}

/* Removes the lanes whose masks exclude the candidate's layer. */
LANES_INLINE struct concerned apply_masks(struct concerned to, const struct block *block, const struct candidate *it,
                                          unsigned variant) {
#if LANES == 16 /* here a test is one instruction */
  const lu layer = candidate_layer(block, it);
  to.cohesion = lu_test_where(to.viewed, block->cohesion_mask, layer);
  to.alignment = lu_test_where(to.viewed, block->alignment_mask, layer);
  if (!(variant & VARIANT_GENERIC)) return to;
  to.separation = lu_test_where(to.separation, block->separation_mask, layer);
  to.avoidance = lu_test_where(to.avoidance, block->avoidance_mask, layer);
#else
  const struct layer_lanes *lanes = candidate_layer_lanes(block, it);
  to.cohesion = lw_where(to.viewed, lanes->cohesion);
  to.alignment = lw_where(to.viewed, lanes->alignment);
  if (!(variant & VARIANT_GENERIC)) return to;
  to.separation = lm_and(to.separation, lanes->separation);
  to.avoidance = lm_and(to.avoidance, lanes->avoidance);
#endif
  return to;
}

LANES_INLINE struct concerned concerned_by(const struct block *block, const struct candidate *it, lv3 d, lf d2,
                                           lm within_radius, unsigned variant) {
  struct concerned to = {.viewed = within_radius, .separation = within_radius};
  if (variant & VARIANT_VIEW) {
    lf behind = lv3_dot(d, block->facing, variant & VARIANT_SPATIAL);
    lf behind_sq = lf_mul(behind, lf_abs(behind));
    lm seen = lf_less_equal_where(within_radius, behind_sq, lf_mul(block->view, d2));
    to.viewed = or_coincident(it, seen, within_radius, variant);
    if (!block->all_round) {
      to.separation = to.viewed;
      if (block->two_views) {
        seen = lf_less_equal_where(within_radius, behind_sq, lf_mul(block->separation_view, d2));
        to.separation = or_coincident(it, seen, within_radius, variant);
      }
    }
  }
  to.avoidance = to.viewed;
  to.cohesion = to.alignment = lw_from_mask(to.viewed);
  if (variant & VARIANT_GENERIC || (variant & VARIANT_RADIUS && (variant & VARIANT_AVOIDANCE || block->two_radii))) {
    lm within = lf_less_equal_where(to.separation, d2, block->separation_radius_sq);
    to.separation = or_coincident(it, within, to.separation, variant);
  }
  if (block->reads_layers) to = apply_masks(to, block, it, variant);
  if (variant & VARIANT_RARE) {
    lm close = lf_less_equal_where(to.viewed, d2, block->rare.cohesion_radius_sq);
    to.cohesion = lw_where(or_coincident(it, close, to.viewed, variant), to.cohesion);
    close = lf_less_equal_where(to.viewed, d2, block->rare.alignment_radius_sq);
    to.alignment = lw_where(or_coincident(it, close, to.viewed, variant), to.alignment);
    to.avoidance = lm_without(to.avoidance, block->rare.cone);
  }
  return to;
}

/* Adds a candidate to the sums of the lanes in `within_radius`, which have it within their perception radius. d is the
 * offset from the candidate. In other lanes the terms may be infinite or NaN; the masks leave their sums unchanged. */
LANES_INLINE void add_neighbour(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lf d2,
                                lf weight, lm within_radius, struct threats *threats, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  if (variant & VARIANT_CHOOSE) {
    const struct concerned all = concerned_by(block, it, d, d2, within_radius, variant);
    choose_neighbour(sums, &all, d2);
    return;
  }
  if (block->profile) {
    const bool limited = !(variant & (VARIANT_RARE | VARIANT_AVOIDANCE)) &&
                         block->frame->groups->features & FEATURE_NEAREST; /* radius_sq is that of the nearest */
    const lm found = limited ? lf_less_equal(d2, block->perception_sq) : within_radius;
    sums->found = lc_add_where(sums->found, lw_from_mask(found));
  }
  if (paces(block, variant)) add_ahead(block, sums, it, d, d2, weight, within_radius, variant);
  struct concerned to = concerned_by(block, it, d, d2, within_radius, variant);
  struct weights weights = {weight, weight, weight};
  if (tests_nearest(block, variant)) {
    to = keep_nearest_of_rules(to, sums->choosing, d2);
    weights = weights_of_nearest(sums->choosing, weight, variant);
  }
  /* Cohesion comes first: separation's products may then use d's registers. */
  add_to_cohesion(block, sums, d, weights.cohesion, to.cohesion, variant);
  add_to_separation(block, sums, d, d2, weights.separation, to.separation, variant);
  const lv3 v = candidate_velocity(block, it, spatial);
  add_to_alignment(block, sums, it, v, weights.alignment, to.alignment, variant);
  add_to_avoidance(block, sums, it, d, d2, v, weight, to.avoidance, to.viewed, threats, variant);
  if (variant & VARIANT_RARE) add_rare(block, sums, it, d, d2, v, weight, within_radius, to.viewed, variant);
}

/* For assertions: whether a component that the walk sums is -0 in some lane: lf_add_where then differs between
 * instruction sets. A sum that begins with +0 never becomes -0. */
LANES_INLINE bool has_minus_zero(lv3 sum, bool spatial) {
  const lm along = lm_or(lf_is_minus_zero(sum.x), lf_is_minus_zero(sum.z));
  return lm_any(spatial ? lm_or(along, lf_is_minus_zero(sum.y)) : along);
}

/* Stores one acceleration per rule in the strip's scratch. */
LANES_INLINE void finish_rules(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                               struct strip *strip, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const uint32_t rules = block->rules, at = block->at - strip->begin;
  ASSERT_ALONE(at < STRIP_AGENTS);
  ASSERT_ALONE(!has_minus_zero(sums->cohesion, spatial) && !has_minus_zero(sums->alignment, spatial));
  ASSERT_ALONE(variant & VARIANT_RARE || !has_minus_zero(sums->separation, spatial)); /* nearest_only replaces it */
  if (rules & 1u << RULE_SEPARATION) {
    store_scratch(strip->rule[RULE_SEPARATION], at, finish_separation(block, sums, variant), spatial);
  }
  if (rules & 1u << RULE_COHESION) {
    store_scratch(strip->rule[RULE_COHESION], at, finish_cohesion(block, groups, sums, variant), spatial);
  }
  if (rules & 1u << RULE_ALIGNMENT) {
    store_scratch(strip->rule[RULE_ALIGNMENT], at, finish_alignment(block, groups, sums, variant), spatial);
  }
  if (rules & 1u << RULE_AVOIDANCE) {
    store_scratch(strip->rule[RULE_AVOIDANCE], at, finish_avoidance(block, groups, sums, variant), spatial);
  }
  if (paces(block, variant)) lf_store(strip->ahead + at, sums->ahead);
  const bool queues = variant & VARIANT_RARE && block->frame->groups->features & FEATURE_QUEUE;
  if (queues) finish_queue(block, sums, strip, spatial);
  if (keeps_gaps(block, variant)) finish_gap(block, groups, sums, strip, queues, spatial);
  if (!(variant & VARIANT_RARE)) return;
  if (rules & 1u << RULE_ATTRACTION) {
    lv3 a = lv3_clip(lv3_negate(sums->rare.attraction, spatial), block->max_acceleration, spatial);
    store_scratch(strip->rule[RULE_ATTRACTION], at, a, spatial);
  }
  if (block->frame->groups->features & FEATURE_ALIGNMENT_TURNS) {
    finish_alignment_turn(block, groups, sums, strip, spatial);
  }
}

#endif
