/* separation.h: separation: what a neighbour adds, and the acceleration that follows from the sum. Formulas:
 * docs/ARITHMETIC.md, "The rules" and "Other forms of the rules". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_SEPARATION_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_SEPARATION_H

#include "passes/neighbours/lateral.h"

/* The lattice may put a coincident candidate beyond the separation radius. LINEAR then leaves out its taper, which
 * would be negative. */
LANES_INLINE lf linear_weight(const struct block *block, lf d2, unsigned variant) {
  lf taper = lf_div(lf_set1(1.0f), block->separation_radius);
  if (variant & VARIANT_COINCIDENT) taper = lf_where(lf_less_equal(d2, block->separation_radius_sq), taper);
  return lf_sub(lf_div(lf_set1(1.0f), lf_sqrt(d2)), taper);
}
LANES_INLINE lf inverse_square_weight(const struct block *block, lf d2) {
  lf h = lf_div(lf_set1(1.0f), lf_sqrt(d2));
  return lf_mul(lf_min(lf_mul(block->strength, lf_mul(h, h)), block->max_acceleration), h);
}
/* Chooses between one value per separation law by the law of each agent's group. */
LANES_INLINE lf by_law(const struct block *block, lf inverse, lf linear, lf inverse_square) {
  lf value = lf_select(has_form(block->rare.forms, FORM_LINEAR), linear, inverse);
  return lf_select(has_form(block->rare.forms, FORM_INVERSE_SQUARE), inverse_square, value);
}

/* Returns the factor w of d in separation's sum. Only VARIANT_RARE has groups with different laws. */
LANES_INLINE lf separation_weight(const struct block *block, lf d2, unsigned variant) {
  const lf inverse = lf_div(lf_set1(1.0f), d2);
  if (!(variant & VARIANT_GENERIC)) return inverse;
  switch (block->frame->groups->separation_law) {
  case THRONG_SEPARATION_INVERSE:
    return inverse;
  case THRONG_SEPARATION_LINEAR:
    return linear_weight(block, d2, variant);
  case THRONG_SEPARATION_INVERSE_SQUARE:
    return inverse_square_weight(block, d2);
  case THRONG_SEPARATION_AS_WORLD:
    break;
  }
  if (!(variant & VARIANT_RARE)) return inverse;
  return by_law(block, inverse, linear_weight(block, d2, variant), inverse_square_weight(block, d2));
}

/* Whether some group's law is linear. */
LANES_INLINE bool tapers(const struct block *block, unsigned variant) {
  const throng_separation_law law = block->frame->groups->separation_law;
  return law == THRONG_SEPARATION_LINEAR || (variant & VARIANT_RARE && law == THRONG_SEPARATION_AS_WORLD);
}

/* `to_separation`: the lanes for which the neighbour counts in separation. Those of them with nearest_only replace
 * their sum by `push` if this neighbour is the nearest so far. Returns the others: the caller adds `push` to their
 * sums. */
LANES_INLINE lm keep_nearest(const struct block *block, struct sums *sums, lv3 push, lf d2, lm to_separation,
                             bool spatial) {
  lm nearer = lf_less_where(lm_and(to_separation, block->rare.nearest_only), d2, sums->rare.nearest_sq);
  sums->rare.nearest_sq = lf_select(nearer, d2, sums->rare.nearest_sq);
  sums->separation = lv3_select(nearer, push, sums->separation, spatial);
  return lm_without(to_separation, block->rare.nearest_only);
}

/* Returns the direction at right angles to the facing, away from the side of a neighbour. */
LANES_INLINE lv3 away_from_side(lv3 facing, lu id, lv3 d, lf d2, bool spatial) {
  lv3 aside = aside_of(facing, d, lv3_dot(facing, d, spatial), spatial);
  lm in_line = lf_less_equal(lv3_dot(aside, aside, spatial), lf_mul(lf_set1(1e-10f), d2));
  return side_of(facing, id, aside, in_line, spatial);
}

/* Replaces `push`, which is d w, by a vector of its length at right angles to the facing, away from the side of the
 * neighbour, where the group separates so (Bourg & Seemann 4.2.5). It is 0 in lanes outside `where`. */
LANES_INLINE lv3 push_aside(const struct block *block, lv3 push, lv3 d, lf d2, lf w, lm where, bool spatial) {
  lv3 side = away_from_side(block->facing, block->id, d, d2, spatial);
  lv3 lateral = lv3_where(where, lv3_scale(side, lf_mul(w, lf_sqrt(d2)), spatial), spatial);
  return lv3_select(has_form(block->rare.forms, FORM_SEPARATION_LATERAL), lateral, push, spatial);
}

/* Adds a neighbour to separation's sum, in the lanes `where`. */
LANES_INLINE void add_to_separation(const struct block *block, struct sums *sums, lv3 d, lf d2, lf weight, lm where,
                                    unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL, generic = variant & VARIANT_GENERIC,
             weighted = variant & VARIANT_WEIGHTS;
  if (!generic && !weighted) {
    const lw lanes = lw_from_mask(where);
    sums->separation = add_scaled_where(sums->separation, lanes, d, lf_inverse_where(lanes, d2), spatial);
    return;
  }
  if (generic && !(block->rules & 1u << RULE_SEPARATION)) return;
  const lf w = separation_weight(block, d2, variant);
  lv3 push = lv3_scale(d, w, spatial);
  if (variant & VARIANT_RARE && block->frame->groups->features & FEATURE_LATERAL) {
    push = push_aside(block, push, d, d2, w, where, spatial);
  }
  if (variant & VARIANT_RARE) where = keep_nearest(block, sums, push, d2, where, spatial);
  if (weighted) push = lv3_scale(push, weight, spatial);
  if (generic && tapers(block, variant)) {
    push = lv3_where(where, push, spatial); /* 1 / radius may be infinite, and lf_add_where wants finite numbers */
  }
  sums->separation = add_where(sums->separation, lw_from_mask(where), push, spatial);
}

LANES_INLINE lv3 finish_separation(const struct block *block, const struct sums *sums, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const lf inverse = lf_mul(block->strength, block->separation_radius), one = lf_set1(1.0f);
  lf scale = inverse;
  switch (block->frame->groups->separation_law) {
  case THRONG_SEPARATION_INVERSE:
    break;
  case THRONG_SEPARATION_LINEAR:
    scale = block->max_acceleration;
    break;
  case THRONG_SEPARATION_INVERSE_SQUARE:
    scale = one;
    break;
  case THRONG_SEPARATION_AS_WORLD:
    if (variant & VARIANT_RARE) scale = by_law(block, inverse, block->max_acceleration, one);
    break;
  }
  return lv3_clip(lv3_scale(sums->separation, scale, spatial), block->max_acceleration, spatial);
}

#endif
