/* neighbour_pair.h: adds one candidate to a block's sums, and turns sums into accelerations.
 * Formulas: docs/ARITHMETIC.md, "Neighbours of agent i". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_PAIR_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_PAIR_H

#include "passes/neighbours/neighbour_rare.h"

/* The offset from the candidate to each lane's agent. With this sign, the subtraction can broadcast the candidate's
 * position from memory. */
LANES_INLINE lv3 candidate_offset(const struct block *block, const struct candidate *it, lv3 shift, bool shifted,
                                  bool spatial) {
  lv3 q = candidate_position(block, it, spatial);
  if (shifted) q = lv3_add(q, shift, spatial);
  return lv3_sub(block->p, q, spatial);
}

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

LANES_INLINE lv3 add_where(lv3 sum, lw where, lv3 a, bool spatial) {
  return (lv3){lf_add_where(sum.x, where, a.x), spatial ? lf_add_where(sum.y, where, a.y) : sum.y,
               lf_add_where(sum.z, where, a.z)};
}

LANES_INLINE lv3 add_scaled_where(lv3 sum, lw where, lv3 a, lf scale, bool spatial) {
  return (lv3){lf_add_product_where(sum.x, where, a.x, scale),
               spatial ? lf_add_product_where(sum.y, where, a.y, scale) : sum.y,
               lf_add_product_where(sum.z, where, a.z, scale)};
}

/* The lanes for which a candidate counts, for each rule. */
struct concerned {
  lm viewed; /* within the radius and the field of view */
  lm separation, avoidance;
  lw cohesion, alignment;
};
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

/* The approach of a candidate, whose offset at time t is dv t - d. */
struct approach {
  lf closing, speed_sq; /* d . dv, above 0 if they come closer; |dv|^2 */
  lm apart;             /* the bodies do not overlap yet */
  lm threat;
};
/* A threat is a candidate whose body overlaps the agent's, or will overlap it: |dv t - d| < reach at the closest
 * approach. The test without a division is (d . dv)^2 > (d2 - reach^2) |dv|^2. */
LANES_INLINE struct approach approach_of(const struct block *block, const struct candidate *it, lv3 d, lf d2, lv3 v,
                                         lm within_radius, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  lf contact_sq =
      block->one_contact ? block->contact_sq : contact_squared(lf_add(block->body, candidate_body(block, it)));
  if (variant & VARIANT_COINCIDENT) d2 = lf_select(it->coincident, lf_zero(), d2);
  lf margin = lf_sub(d2, contact_sq);
  lv3 dv = lv3_sub(v, block->v, spatial);
  struct approach approach = {.closing = lv3_dot(d, dv, spatial), .speed_sq = lv3_dot(dv, dv, spatial)};
  approach.apart = lf_greater_equal(margin, lf_zero());
  lf towards = lf_mul(approach.closing, lf_abs(approach.closing));
  approach.threat = lf_greater_if(within_radius, approach.apart, towards, lf_mul(margin, approach.speed_sq));
  return approach;
}

/* Keeps the first threat (Millington 3.3.14): the smallest t = d . dv / |dv|^2, which is 0 for overlapping bodies. */
LANES_INLINE void add_threat(const struct block *block, struct sums *sums, const struct candidate *it,
                             const struct approach *approach) {
  lf time = lf_where(approach->apart, lf_div(approach->closing, approach->speed_sq));
  lu id = candidate_id(block, it);
  lm tie = lu_less_signed_where(lf_equal_where(approach->threat, time, sums->threat_time), id, sums->threat_id);
  lm first = lm_or(lf_less_where(approach->threat, time, sums->threat_time), tie);
  sums->threat_time = lf_select(first, time, sums->threat_time);
  sums->threat_id = lu_select(first, id, sums->threat_id);
  sums->threat_slot = lu_select(first, candidate_slot(it), sums->threat_slot);
}

/* Deferred threats. When the walk over a list begins a batch of THREAT_BATCH candidates, at most SOME_THREATS threats
 * are deferred. The block's own agents may follow the batch. */
#define THREAT_BATCH 64u
#define SOME_THREATS 16u
#define MOST_THREATS (SOME_THREATS + THREAT_BATCH + LANES)
struct threats {
  uint32_t count;
  uint32_t slot[MOST_THREATS];
  struct approach approach[MOST_THREATS];
};

/* Stores the candidate at the end of the list, without a branch. If it is no threat, the next candidate overwrites
 * it. */
LANES_INLINE void defer_threat(struct threats *threats, const struct candidate *it, const struct approach *approach) {
  threats->slot[threats->count] = it->j;
  threats->approach[threats->count] = *approach;
  threats->count += lm_any(approach->threat);
}

/* Decides the deferred threats, and empties the list. */
LANES_INLINE void decide_threats(const struct block *block, struct sums *sums, struct threats *threats) {
  for (uint32_t k = 0; k < threats->count; k++) {
    const struct candidate it = {.j = threats->slot[k]};
    add_threat(block, sums, &it, &threats->approach[k]);
  }
  threats->count = 0;
}

/* Whether the variant looks for threats. */
LANES_INLINE bool looks_for_threats(const struct block *block, unsigned variant) {
  return variant & VARIANT_RARE ? (block->rules & 1u << RULE_AVOIDANCE) != 0 : (variant & VARIANT_AVOIDANCE) != 0;
}

/* Adds a candidate to the sum of a pace, if it is ahead and does not come toward the agent. Lanes beyond the radius add
 * 0; those that coincide with the candidate add nothing. */
LANES_INLINE void add_ahead(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lf d2,
                            lf weight, lm within_radius, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const struct pace_block *pace = &block->pace;
  const lv3 v = candidate_velocity(block, it, spatial);
  lm where = lf_less(lv3_dot(d, pace->line, spatial), lf_zero());
  where = lf_less_where(where, pace->slowest, lv3_dot(v, pace->line, spatial));
  if (variant & VARIANT_RARE) {
    where = lm_and(where, without_coincident(it, within_radius, variant));
    where = lu_test_where(where, pace->mask, candidate_layer(block, it));
  }
  lf share = lf_max(lf_sub(pace->radius_sq, d2), lf_zero());
  if (variant & VARIANT_WEIGHTS) share = lf_mul(share, weight);
  sums->ahead = lf_add_where(sums->ahead, lw_from_mask(where), share);
}

/* Adds a candidate to the sums of the lanes in `within_radius`, which have it within their perception radius. d is the
 * offset from the candidate. In other lanes the terms may be infinite or NaN; the masks leave their sums unchanged.
 * With VARIANT_DEFER threats are deferred. */
LANES_INLINE void add_neighbour(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lf d2,
                                lf weight, lm within_radius, struct threats *threats, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL, generic = variant & VARIANT_GENERIC,
             weighted = variant & VARIANT_WEIGHTS;
  const bool flocks = !(variant & VARIANT_WALKERS);
  const uint32_t rules = block->rules;
  if (block->profile) sums->found = lc_add_where(sums->found, lw_from_mask(within_radius));
  if (paces(block, variant)) add_ahead(block, sums, it, d, d2, weight, within_radius, variant);
  struct concerned to = concerned_by(block, it, d, d2, within_radius, variant);
  /* Cohesion comes first: separation's products may then use d's registers. */
  if (generic ? rules & 1u << RULE_COHESION : flocks) {
    lv3 pull = weighted ? lv3_scale(d, weight, spatial) : d;
    sums->cohesion = add_where(sums->cohesion, to.cohesion, pull, spatial);
  }
  if (!generic && !weighted) {
    const lw where = lw_from_mask(to.separation);
    sums->separation = add_scaled_where(sums->separation, where, d, lf_inverse_where(where, d2), spatial);
  } else if (!generic || rules & 1u << RULE_SEPARATION) {
    const lf w = separation_weight(block, d2, variant);
    lv3 push = lv3_scale(d, w, spatial);
    if (variant & VARIANT_RARE && block->frame->groups->features & FEATURE_LATERAL) {
      push = push_aside(block, push, d, d2, w, to.separation, spatial);
    }
    if (variant & VARIANT_RARE) to.separation = keep_nearest(block, sums, push, d2, to.separation, spatial);
    if (weighted) push = lv3_scale(push, weight, spatial);
    if (generic && tapers(block, variant)) {
      push = lv3_where(to.separation, push,
                       spatial); /* 1 / radius may be infinite, and lf_add_where wants finite numbers */
    }
    sums->separation = add_where(sums->separation, lw_from_mask(to.separation), push, spatial);
  }
  const lv3 v = candidate_velocity(block, it, spatial);
  if (generic ? rules & (1u << RULE_ALIGNMENT | 1u << RULE_COHESION) : flocks) {
    if (weighted) {
      sums->aligned = lf_add_where(sums->aligned, to.alignment, weight);
    } else {
      sums->counted = lc_add_where(sums->counted, to.alignment);
    }
  }
  if (generic ? rules & 1u << RULE_ALIGNMENT : flocks) {
    lv3 share = weighted ? lv3_scale(v, weight, spatial) : v;
    sums->alignment = add_where(sums->alignment, to.alignment, share, spatial);
  }
  if (looks_for_threats(block, variant)) {
    const struct approach approach = approach_of(block, it, d, d2, v, to.avoidance, variant);
    if (variant & VARIANT_DEFER) {
      defer_threat(threats, it, &approach);
    } else {
      add_threat(block, sums, it, &approach);
    }
  }
  if (variant & VARIANT_RARE) {
    sums->rare.together = lf_add_where(sums->rare.together, to.cohesion, weight);
    if (block->frame->groups->features & FEATURE_ALIGNMENT_TURNS) {
      lv3 facing = broadcast_facing(block->all, it->j, spatial);
      sums->rare.facing = add_where(sums->rare.facing, to.alignment, lv3_scale(facing, weight, spatial), spatial);
    }
    add_rare(block, sums, it, d, d2, v, weight, candidate_layer(block, it), within_radius, to.viewed, variant);
  }
}

/* Loads the column's values in these slots. */
LANES_INLINE lf gather(const float *column, const uint32_t slot[LANES]) {
  float value[LANES];
  for (uint32_t k = 0; k < LANES; k++) value[k] = column[slot[k]];
  return lf_load(value);
}
LANES_INLINE lv3 gather_lv3(float *const column[3], const uint32_t slot[LANES], bool spatial) {
  return (lv3){gather(column[0], slot), spatial ? gather(column[1], slot) : lf_zero(), gather(column[2], slot)};
}
LANES_INLINE lf gather_body(const struct frame *frame, const uint32_t slot[LANES]) {
  float value[LANES];
  for (uint32_t k = 0; k < LANES; k++) value[k] = *body_radius_of(frame, slot[k]);
  return lf_load(value);
}

/* The unit vector to the right of the relative motion e; 0 if e is 0. For two agents that are threats to each other e
 * is opposite, so they get opposite sides. */
LANES_INLINE lv3 right_of_motion(lv3 e, bool spatial) {
  lv3 u = lv3_direction(e, spatial), right = right_of(u, spatial);
  if (!spatial) return right;
  lf level = lf_add(lf_mul(u.x, u.x), lf_mul(u.z, u.z));
  lm down = lm_without(lf_less(u.y, lf_zero()), lf_greater(level, lf_set1(LANES_LEAST_SQUARE)));
  right.x = lf_select(down, lf_set1(1.0f), right.x);
  return lv3_where(lf_greater(lv3_dot(u, u, true), lf_zero()), right, true);
}

/* Reacts to the first threat: accelerates away from its relative position at the closest approach, or to the right of
 * the relative motion if that position is nearly 0. Lanes without a threat load the block's first agent instead; this
 * takes less time than a mispredicted branch. */
LANES_INLINE lv3 avoid_threat(const struct block *block, const struct sums *sums, bool spatial) {
  const struct frame *frame = block->all;
  lm threatened = lm_and(block->valid, lu_less_signed(sums->threat_slot, lu_set1(0x7FFFFFFFu)));
  if (!lm_any(threatened)) return lv3_zero();

  uint32_t slot[LANES];
  lu_store(slot, lu_select(threatened, sums->threat_slot, lu_set1(block->at)));
  lv3 p = gather_lv3(frame->front->f + COLUMN_POSITION_X, slot, spatial);
  lv3 v = gather_lv3(frame->front->f + COLUMN_VELOCITY_X, slot, spatial);
  lf contact = lf_add(block->body, block->one_contact ? block->body : gather_body(frame, slot));

  lv3 d = world_difference(frame->grid, p, block->p, spatial);
  lv3 dv = lv3_sub(v, block->v, spatial);
  lv3 closest = lv3_add(d, lv3_scale(dv, sums->threat_time, spatial), spatial);
  lv3 away = lv3_scale(closest, lv3_inv_len(closest, spatial), spatial);
  lv3 a = lv3_scale(away, lf_negate(block->max_acceleration), spatial);

  lf dead_ahead = lf_mul(lf_set1(1e-3f), contact);
  lm head_on = lf_less(lv3_dot(closest, closest, spatial), lf_mul(dead_ahead, dead_ahead));
  lm coincident = lf_less_equal(lv3_dot(d, d, spatial), lf_set1(block->close_sq));
  if (lm_any(lm_and(head_on, threatened))) {
    lv3 right = right_of_motion(lv3_sub(block->v, v, spatial), spatial);
    head_on = lm_and(head_on, lf_greater(lv3_dot(right, right, spatial), lf_zero()));
    a = lv3_select(head_on, lv3_scale(right, block->max_acceleration, spatial), a, spatial);
  }
  if (lm_any(lm_and(coincident, threatened))) {
    lv3 u = coincident_direction(block->id, sums->threat_id, spatial);
    a = lv3_select(coincident, lv3_scale(u, lf_negate(block->max_acceleration), spatial), a, spatial);
  }
  return lv3_where(threatened, a, spatial);
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

/* What cohesion knows of a block's neighbours: the sum of the offsets from them, and their number. */
struct together {
  lv3 sum;
  lf count;
};
/* Seeks the mean position. No division: the sum has the direction of the mean. */
LANES_INLINE lv3 seek_together(const struct together *together, lf limit, bool spatial) {
  lf scale = lf_mul(lf_negate(limit), lv3_inv_len(together->sum, spatial));
  return lv3_scale(together->sum, scale, spatial);
}
/* The values of a block that cohesion reads. */
struct cohesion {
  lf speed, limit; /* S and A of the formulas */
  lf slow, stop, rate, forms;
};
LANES_INLINE void broadcast_cohesion(struct cohesion *c, const struct frame *frame, const struct lane_groups *groups) {
  const uint32_t group = meta_group(groups->meta[0]);
  const struct group_table *table = frame->groups;
  c->speed = lf_set1(group_row(table, PARAM_DESIRED_SPEED)[group]);
  c->limit = lf_set1(group_row(table, PARAM_MAX_ACCELERATION)[group]);
  c->slow = lf_set1(group_row(table, PARAM_COHESION_SLOW)[group]);
  c->stop = lf_set1(group_row(table, PARAM_COHESION_TARGET)[group]);
  c->rate = lf_set1(group_row(table, PARAM_COHESION_RATE)[group]);
  c->forms = lf_set1(group_row(table, PARAM_FORMS)[group]);
}
/* The loop keeps the code short. */
static OUT_OF_LINE void load_cohesion(struct cohesion *c, const struct frame *frame, const struct lane_groups *groups,
                                      uint32_t at) {
  static const int params[] = {PARAM_COHESION_SLOW, PARAM_COHESION_TARGET, PARAM_COHESION_RATE, PARAM_FORMS};
  float values[4][LANES];
  for (int k = 0; k < 4; k++) lf_store(values[k], load_param(frame, groups, params[k]));
  *c = (struct cohesion){load_desired_speed(frame, groups, at),
                         load_wanted_limit(frame, groups, at, PARAM_MAX_ACCELERATION),
                         lf_load(values[0]),
                         lf_load(values[1]),
                         lf_load(values[2]),
                         lf_load(values[3])};
}

/* Arrives at the mean position, whose distance times the number of neighbours is the length of the sum. Lanes whose
 * group does not arrive seek it. */
LANES_INLINE lv3 arrive_together(const struct frame *frame, uint32_t at, const struct cohesion *c,
                                 const struct together *together, bool spatial) {
  lv3 v = load_lv3(frame->front->f + COLUMN_VELOCITY_X, at, spatial);
  lf length = lv3_length(together->sum, spatial);
  lm inside = lf_less_equal(length, lf_mul(c->stop, together->count));
  lf pace = lf_div(c->speed, lf_max(length, lf_mul(c->slow, together->count)));
  lv3 wanted = lv3_scale(together->sum, lf_select(inside, lf_zero(), lf_negate(pace)), spatial);
  lv3 a = lv3_clip(lv3_scale(lv3_sub(wanted, v, spatial), c->rate, spatial), c->limit, spatial);
  lm none =
      lm_or(lf_equal(together->count, lf_zero()), lm_and(inside, has_form(lf_bits(c->forms), FORM_COHESION_COAST)));
  a = lv3_select(none, lv3_zero(), a, spatial);
  if (!(frame->groups->features & FEATURE_COHESION_SEEKS)) return a;
  lm arrives = has_form(lf_bits(c->forms), FORM_COHESION_ARRIVE);
  return lv3_select(arrives, a, seek_together(together, c->limit, spatial), spatial);
}
static OUT_OF_LINE lv3 arrive_together_planar(const struct frame *frame, const struct lane_groups *groups, uint32_t at,
                                              const struct together *together) {
  struct cohesion c;
  load_cohesion(&c, frame, groups, at);
  return arrive_together(frame, at, &c, together, false);
}
static OUT_OF_LINE lv3 arrive_together_spatial(const struct frame *frame, const struct lane_groups *groups, uint32_t at,
                                               const struct together *together) {
  struct cohesion c;
  load_cohesion(&c, frame, groups, at);
  return arrive_together(frame, at, &c, together, true);
}
/* A plain flock of one group has the code inlined. */
LANES_INLINE lv3 arrive_together_of(const struct block *block, const struct lane_groups *groups,
                                    const struct together *together, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const struct frame *frame = block->frame;
  const bool own = frame->front->f[COLUMN_MASS] || frame->front->f[COLUMN_MAX_SPEED];
  if (is_plain_flock(variant) && groups->uniform && !own) {
    struct cohesion c;
    broadcast_cohesion(&c, frame, groups);
    return arrive_together(frame, block->at, &c, together, spatial);
  }
  if (spatial) return arrive_together_spatial(frame, groups, block->at, together);
  return arrive_together_planar(frame, groups, block->at, together);
}

LANES_INLINE lv3 finish_cohesion(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                                 unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  lf count = variant & VARIANT_RARE ? sums->rare.together : sums->aligned;
  const struct together together = {sums->cohesion, count};
  lv3 a = block->frame->groups->features & FEATURE_COHESION_ARRIVES
              ? arrive_together_of(block, groups, &together, variant)
              : seek_together(&together, block->max_acceleration, spatial);
  if (!(variant & VARIANT_RARE)) return a;
  lv3 turns = steer_lateral(block, lv3_negate(sums->cohesion, spatial), spatial);
  return lv3_select(has_form(block->rare.forms, FORM_COHESION_LATERAL), turns, a, spatial);
}

LANES_INLINE lv3 finish_alignment(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                                  unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  lm any = lf_greater(sums->aligned, lf_zero());
  lf inverse = lf_div(lf_set1(1.0f), sums->aligned);
  lv3 change = lv3_sub(lv3_scale(sums->alignment, inverse, spatial), block->v, spatial);
  change = lv3_scale(change, load_param(block->frame, groups, PARAM_ALIGNMENT_RATE), spatial);
  lv3 a = lv3_where(any, lv3_clip(change, block->max_acceleration, spatial), spatial);
  if (!(variant & VARIANT_RARE)) return a;
  lv3 turns = steer_lateral(block, sums->alignment, spatial);
  return lv3_select(has_form(block->rare.forms, FORM_ALIGNMENT_LATERAL), turns, a, spatial);
}

LANES_INLINE lv3 finish_avoidance(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                                  unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  lv3 a = avoid_threat(block, sums, spatial);
  if (!(variant & VARIANT_RARE)) return a;
  return lv3_select(block->rare.cone, avoid_cone(block, groups, sums, spatial), a, spatial);
}

/* Stores one acceleration per rule in the strip's scratch. */
LANES_INLINE void finish_rules(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                               struct strip *strip, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const uint32_t rules = block->rules, at = block->at - strip->begin;
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
  if (!(variant & VARIANT_RARE)) return;
  if (rules & 1u << RULE_ATTRACTION) {
    lv3 a = lv3_clip(lv3_negate(sums->rare.attraction, spatial), block->max_acceleration, spatial);
    store_scratch(strip->rule[RULE_ATTRACTION], at, a, spatial);
  }
  if (block->frame->groups->features & FEATURE_ALIGNMENT_TURNS) {
    finish_alignment_turn(block, groups, sums, strip, spatial);
  }
  if (block->frame->groups->features & FEATURE_QUEUE) finish_queue(block, sums, strip, spatial);
}

#endif
