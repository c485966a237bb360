/* passes/neighbour_pair.h: what one candidate does to a block's lanes, and what the sums mean in the end.
 * The formulas are those of ../ARITHMETIC.md, "Neighbours of agent i". SPDX-License-Identifier: MIT */
#ifndef THRONG_NEIGHBOUR_PAIR_H
#define THRONG_NEIGHBOUR_PAIR_H

#include <float.h>
#include <math.h>

#include "window.h"

/* What an instance of the walk can do, as constants. A bit that nobody needs would cost operations, not change results. */
enum kind {
  KIND_SPATIAL = 1 << 0,
  KIND_GENERIC = 1 << 1,   /* any separation law and radius, any subset of the rules, masks on all of them: decided by
                             (uniform) branches; without it: inverse law, separation within the perception radius,
                             cohesion, alignment, masks on the last two */
  KIND_AVOIDANCE = 1 << 2, /* with GENERIC: decided by a branch */
  KIND_VIEW = 1 << 3,
  KIND_MASKS = 1 << 4,
  KIND_WEIGHTS = 1 << 5 /* a candidate may stand for several agents */
};
#define KIND_EXACT (KIND_SPATIAL | KIND_GENERIC)

/* A block of agents, one a lane: what the walk needs of them. Neither this nor the sums may hold an array or have their
 * address kept, or compilers leave them in memory instead of in registers. */
struct block {
  const struct frame *frame;
  uint32_t at, lanes;
  uint32_t rules;
  bool profile;
  bool two_views; /* separation has a field of view of its own */
  bool one_reach; /* all bodies are alike: reach_sq serves any two */
  lm valid;
  lv3 p, v, facing;
  lf radius_sq; /* perception */
  lf separation_radius, separation_radius_sq;
  lf strength, max_acceleration;
  lf view, separation_view; /* minus the signed squares of the cosines */
  lf body, reach_sq, horizon;
  lu id, separation_mask, cohesion_mask, alignment_mask, avoidance_mask;
  float close, close_sq; /* coincidence: 1e-6 R and its square */
};

struct sums {
  lv3 separation, cohesion, alignment;
  lf aligned;                /* how many neighbours the alignment counts */
  lf found;                  /* how many neighbours are within the perception radius; only while profiling */
  lf nearest_sq;             /* squared distance of the nearest candidate */
  lf threat_time;            /* of the first threat so far */
  lu threat_id, threat_slot; /* its id index and its place */
};

static inline unsigned needed_kind(const struct frame *frame) {
  const uint32_t flock = 1u << RULE_SEPARATION | 1u << RULE_COHESION | 1u << RULE_ALIGNMENT;
  uint32_t features = frame->groups->features, rules = frame->groups->rules;
  unsigned kind = frame->def->space == THRONG_SPATIAL ? KIND_SPATIAL : 0;
  if (features & FEATURE_VIEW) kind |= KIND_VIEW;
  if (features & (FEATURE_FLOCK_MASKS | FEATURE_OTHER_MASKS)) kind |= KIND_MASKS;
  bool common = (rules & flock) == flock && frame->def->separation_law == THRONG_SEPARATION_INVERSE &&
                !(features & (FEATURE_SEPARATION_RADIUS | FEATURE_OTHER_MASKS));
  if (!common) return kind | KIND_GENERIC;
  return rules & 1u << RULE_AVOIDANCE ? kind | KIND_AVOIDANCE : kind;
}

LANES_INLINE void load_view(struct block *block, const struct lane_groups *groups, bool spatial) {
  const struct frame *frame = block->frame;
  block->facing = load_facing(frame, block->at, spatial);
  block->view = lf_negate(load_param(frame, groups, PARAM_VIEW));
  block->separation_view = lf_negate(load_param(frame, groups, PARAM_SEPARATION_VIEW));
}
LANES_INLINE void load_masks(struct block *block, const struct lane_groups *groups) {
  const struct frame *frame = block->frame;
  block->separation_mask = load_mask(frame, groups, RULE_SEPARATION);
  block->cohesion_mask = load_mask(frame, groups, RULE_COHESION);
  block->alignment_mask = load_mask(frame, groups, RULE_ALIGNMENT);
  block->avoidance_mask = load_mask(frame, groups, RULE_AVOIDANCE);
}

/* The square of two bodies' radii, positive and finite; points threaten nobody. */
LANES_INLINE lf reach_squared(lf reach) {
  lf square = lf_max(lf_min(lf_mul(reach, reach), lf_set1(FLT_MAX)), lf_set1(FLT_MIN));
  return lf_select(lf_greater(reach, lf_zero()), square, lf_set1(-INFINITY));
}

LANES_INLINE struct block load_block(const struct frame *frame, const struct lane_groups *groups, uint32_t at,
                                     uint32_t lanes, unsigned kind) {
  const bool spatial = kind & KIND_SPATIAL;
  const struct columns *front = frame->front;
  struct block block;
  block.frame = frame;
  block.at = at;
  block.lanes = lanes;
  block.rules = frame->groups->rules;
  block.profile = frame->profile;
  block.two_views = frame->groups->features & FEATURE_SEPARATION_VIEW;
  block.one_reach = !front->f[COLUMN_BODY_RADIUS] && !(frame->groups->features & FEATURE_BODY_RADII);
  block.valid = lm_first(lanes);
  block.p = load_lv3(front->f + COLUMN_POSITION_X, at, spatial);
  block.v = load_lv3(front->f + COLUMN_VELOCITY_X, at, spatial);
  block.id = lu_load(front->id + at);
  block.close = 1e-6f * frame->grid->radius;
  block.close_sq = block.close * block.close;

  lf radius = load_own_or_param(frame, groups, at, COLUMN_PERCEPTION_RADIUS, PARAM_PERCEPTION_RADIUS);
  block.radius_sq = lf_mul(radius, radius);
  block.separation_radius = lf_min(load_param(frame, groups, PARAM_SEPARATION_RADIUS), radius);
  block.separation_radius_sq = lf_mul(block.separation_radius, block.separation_radius);
  block.strength = load_param(frame, groups, PARAM_SEPARATION_STRENGTH);
  block.max_acceleration = load_param(frame, groups, PARAM_MAX_ACCELERATION);
  block.body = block.reach_sq = block.horizon = lf_zero();
  if (block.rules & 1u << RULE_AVOIDANCE) {
    block.body = load_own_or_param(frame, groups, at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
    block.reach_sq = reach_squared(lf_add(block.body, block.body));
    block.horizon = load_param(frame, groups, PARAM_HORIZON);
  }
  if (kind & KIND_VIEW) load_view(&block, groups, spatial);
  if (kind & KIND_MASKS) load_masks(&block, groups);
  return block;
}

LANES_INLINE struct sums sums_zero(const struct block *block) {
  struct sums sums;
  sums.separation = sums.cohesion = sums.alignment = lv3_zero();
  sums.aligned = sums.found = lf_zero();
  sums.nearest_sq = block->radius_sq;
  sums.threat_time = block->horizon;
  sums.threat_id = sums.threat_slot =
      lu_set1(0x7FFFFFFFu); /* larger than any id: a threat just at the horizon counts */
  return sums;
}

/* From candidate j's position to the lanes': this way round a broadcast from memory is a subtraction's operand. */
LANES_INLINE lv3 candidate_offset(const struct block *block, uint32_t j, lv3 shift, bool shifted, bool spatial) {
  float *const *f = block->frame->front->f;
  lv3 q = {lf_set1(f[COLUMN_POSITION_X][j]), spatial ? lf_set1(f[COLUMN_POSITION_Y][j]) : lf_zero(),
           lf_set1(f[COLUMN_POSITION_Z][j])};
  if (shifted) q = lv3_add(q, shift, spatial);
  return lv3_sub(block->p, q, spatial);
}

/* The weight w of separation's sum of d * w. */
LANES_INLINE lf separation_weight(const struct block *block, lf d2, unsigned kind) {
  const lf one = lf_set1(1.0f);
  if (!(kind & KIND_GENERIC)) return lf_div(one, d2);
  switch (block->frame->def->separation_law) {
  case THRONG_SEPARATION_LINEAR:
    return lf_sub(lf_div(one, lf_sqrt(d2)), lf_div(one, block->separation_radius));
  case THRONG_SEPARATION_INVERSE_SQUARE: {
    lf h = lf_div(one, lf_sqrt(d2));
    return lf_mul(lf_min(lf_mul(block->strength, lf_mul(h, h)), block->max_acceleration), h);
  }
  default:
    return lf_div(one, d2);
  }
}

LANES_INLINE lv3 add_where(lv3 sum, lw where, lv3 a, bool spatial) {
  return (lv3){lf_add_where(sum.x, where, a.x), spatial ? lf_add_where(sum.y, where, a.y) : sum.y,
               lf_add_where(sum.z, where, a.z)};
}

/* Closest approach t = -(d . dv) / |dv|^2, overlapping bodies at once; the first threat stays (Millington 3.3.14).
 * |d + dv t| < reach is tested before the division: (d . dv)^2 > (d2 - reach^2) |dv|^2. */
LANES_INLINE void add_threat(const struct block *block, struct sums *sums, uint32_t j, lv3 d, lf d2, lv3 v, lm near,
                             bool coincident, bool spatial) {
  lf reach_sq = block->one_reach ? block->reach_sq
                                 : reach_squared(lf_add(block->body, lf_set1(*body_radius_of(block->frame, j))));
  lf margin = coincident ? reach_sq : lf_sub(reach_sq, d2);
  lm apart = lf_less_equal(margin, lf_zero());
  lv3 dv = lv3_sub(block->v, v, spatial);
  lf speed_sq = lv3_dot(dv, dv, spatial), closing = lv3_dot(d, dv, spatial); /* < 0: they come closer */
  lf time = lf_where(apart, lf_div(lf_negate(closing), speed_sq));
  lf towards = lf_select(apart, lf_mul(closing, lf_abs(closing)), lf_set1(-1.0f)); /* below any margin > 0 */
  lm threat = coincident ? lm_without(near, apart) : lf_less_where(near, towards, lf_mul(margin, speed_sq));

  lu id = lu_set1(block->frame->front->id[j]);
  lm tie = lu_less_signed_where(lf_equal_where(threat, time, sums->threat_time), id, sums->threat_id);
  lm first = lm_or(lf_less_where(threat, time, sums->threat_time), tie);
  sums->threat_time = lf_select(first, time, sums->threat_time);
  sums->threat_id = lu_select(first, id, sums->threat_id);
  sums->threat_slot = lu_select(first, lu_set1(j), sums->threat_slot);
}

/* Adds candidate j to the lanes in `near`, those within their perception radius; d points from j to them. Lanes that are not
 * in `near` may come out as anything where d2 is all but 0. */
LANES_INLINE void add_neighbour(const struct block *block, struct sums *sums, uint32_t j, lv3 d, lf d2, lf weight,
                                lm near, bool coincident, unsigned kind) {
  const bool spatial = kind & KIND_SPATIAL, generic = kind & KIND_GENERIC, weighted = kind & KIND_WEIGHTS;
  const uint32_t rules = block->rules;
  const struct columns *front = block->frame->front;
  if (block->profile) sums->found = lf_count_where(sums->found, lw_from_mask(near));

  lm to_separation = near, to_cohesion = near, to_alignment = near, to_avoidance = near;
  if ((kind & KIND_VIEW) && !coincident) {
    lf behind = lv3_dot(d, block->facing, spatial);
    lf behind_sq = lf_mul(behind, lf_abs(behind));
    to_separation = lf_less_equal_where(near, behind_sq, lf_mul(block->view, d2));
    to_cohesion = to_alignment = to_avoidance = to_separation;
    if (block->two_views) to_separation = lf_less_equal_where(near, behind_sq, lf_mul(block->separation_view, d2));
  }
  if (generic && !coincident) {
    to_separation = lf_less_equal_where(to_separation, d2, block->separation_radius_sq);
  }
  if (kind & KIND_MASKS) {
    lu layer = lu_set1(block->frame->groups->layer_bit[meta_group(front->meta[j])]);
    to_cohesion = lu_test_where(to_cohesion, block->cohesion_mask, layer);
    to_alignment = lu_test_where(to_alignment, block->alignment_mask, layer);
    if (generic) {
      to_separation = lu_test_where(to_separation, block->separation_mask, layer);
      to_avoidance = lu_test_where(to_avoidance, block->avoidance_mask, layer);
    }
  }

  if (!generic || rules & 1u << RULE_SEPARATION) {
    lv3 push = lv3_scale(d, separation_weight(block, d2, kind), spatial);
    if (weighted) push = lv3_scale(push, weight, spatial);
    if (generic && block->frame->def->separation_law == THRONG_SEPARATION_LINEAR) {
      push = lv3_where(to_separation, push,
                       spatial); /* 1 / radius may be infinite, and lf_add_where wants finite numbers */
    }
    sums->separation = add_where(sums->separation, lw_from_mask(to_separation), push, spatial);
  }
  if (!generic || rules & 1u << RULE_COHESION) {
    lv3 pull = weighted ? lv3_scale(d, weight, spatial) : d;
    sums->cohesion = add_where(sums->cohesion, lw_from_mask(to_cohesion), pull, spatial);
  }
  float *const *f = front->f;
  lv3 v = {lf_set1(f[COLUMN_VELOCITY_X][j]), spatial ? lf_set1(f[COLUMN_VELOCITY_Y][j]) : lf_zero(),
           lf_set1(f[COLUMN_VELOCITY_Z][j])};
  if (!generic || rules & 1u << RULE_ALIGNMENT) {
    lw aligned = lw_from_mask(to_alignment);
    sums->aligned = weighted ? lf_add_where(sums->aligned, aligned, weight) : lf_count_where(sums->aligned, aligned);
    lv3 share = weighted ? lv3_scale(v, weight, spatial) : v;
    sums->alignment = add_where(sums->alignment, aligned, share, spatial);
  }
  if (generic ? (rules & 1u << RULE_AVOIDANCE) != 0 : (kind & KIND_AVOIDANCE) != 0) {
    add_threat(block, sums, j, d, d2, v, to_avoidance, coincident, spatial);
  }
}

/* The answer to the first threat: away from where it will be, or to one's own right where that is dead ahead. */
LANES_INLINE lv3 avoid_threat(const struct block *block, const struct sums *sums, bool spatial) {
  const struct frame *frame = block->frame;
  lm threatened = lm_and(block->valid, lu_less_signed(sums->threat_slot, lu_set1(0x7FFFFFFFu)));
  if (!lm_any(threatened)) return lv3_zero();

  uint32_t slot[LANES];
  float value[7][LANES] = {{0}};
  lu_store(slot, sums->threat_slot);
  uint32_t bits = lm_bits(threatened);
  for (uint32_t k = 0; k < LANES; k++) {
    if (!(bits >> k & 1)) continue;
    for (int c = 0; c < 3; c++) {
      if (c == 1 && !spatial) continue;
      value[c][k] = frame->front->f[COLUMN_POSITION_X + c][slot[k]];
      value[3 + c][k] = frame->front->f[COLUMN_VELOCITY_X + c][slot[k]];
    }
    value[6][k] = *body_radius_of(frame, slot[k]);
  }
  lv3 p = {lf_load(value[0]), lf_load(value[1]), lf_load(value[2])};
  lv3 v = {lf_load(value[3]), lf_load(value[4]), lf_load(value[5])};
  lf reach = lf_add(block->body, lf_load(value[6]));

  lv3 d = world_difference(frame->grid, p, block->p, spatial);
  lv3 dv = lv3_sub(v, block->v, spatial);
  lv3 closest = lv3_add(d, lv3_scale(dv, sums->threat_time, spatial), spatial);
  lv3 away = lv3_scale(closest, lv3_inv_len(closest, spatial), spatial);
  lv3 answer = lv3_scale(away, lf_negate(block->max_acceleration), spatial);

  lf dead_ahead = lf_mul(lf_set1(1e-3f), reach);
  lm head_on = lf_less(lv3_dot(closest, closest, spatial), lf_mul(dead_ahead, dead_ahead));
  lm coincident = lf_less_equal(lv3_dot(d, d, spatial), lf_set1(block->close_sq));
  if (lm_any(lm_and(head_on, threatened))) {
    lv3 right = right_of(load_facing(frame, block->at, spatial), spatial);
    answer = lv3_select(head_on, lv3_scale(right, block->max_acceleration, spatial), answer, spatial);
  }
  if (lm_any(lm_and(coincident, threatened))) {
    lv3 u = coincident_direction(block->id, sums->threat_id, spatial);
    answer = lv3_select(coincident, lv3_scale(u, lf_negate(block->max_acceleration), spatial), answer, spatial);
  }
  return lv3_where(threatened, answer, spatial);
}

/* From sums to one acceleration a rule, into the strip's scratch. */
LANES_INLINE void finish_rules(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                               struct strip *strip, bool spatial) {
  const uint32_t rules = block->rules, at = block->at - strip->begin;
  const struct frame *frame = block->frame;
  const lf limit = block->max_acceleration;
  if (rules & 1u << RULE_SEPARATION) {
    lf scale;
    switch (frame->def->separation_law) {
    case THRONG_SEPARATION_LINEAR:
      scale = limit;
      break;
    case THRONG_SEPARATION_INVERSE_SQUARE:
      scale = lf_set1(1.0f);
      break;
    default:
      scale = lf_mul(block->strength, block->separation_radius);
      break;
    }
    lv3 a = lv3_clip(lv3_scale(sums->separation, scale, spatial), limit, spatial);
    store_scratch(strip->rule[RULE_SEPARATION], at, a, spatial);
  }
  if (rules & 1u << RULE_COHESION) { /* the direction of the mean is the direction of the sum */
    lf scale = lf_mul(lf_negate(limit), lv3_inv_len(sums->cohesion, spatial));
    store_scratch(strip->rule[RULE_COHESION], at, lv3_scale(sums->cohesion, scale, spatial), spatial);
  }
  if (rules & 1u << RULE_ALIGNMENT) {
    lm any = lf_greater(sums->aligned, lf_zero());
    lf inverse = lf_div(lf_set1(1.0f), sums->aligned);
    lv3 change = lv3_sub(lv3_scale(sums->alignment, inverse, spatial), block->v, spatial);
    change = lv3_scale(change, load_param(frame, groups, PARAM_ALIGNMENT_RATE), spatial);
    store_scratch(strip->rule[RULE_ALIGNMENT], at, lv3_where(any, lv3_clip(change, limit, spatial), spatial), spatial);
  }
  if (rules & 1u << RULE_AVOIDANCE) {
    store_scratch(strip->rule[RULE_AVOIDANCE], at, avoid_threat(block, sums, spatial), spatial);
  }
}

#endif
