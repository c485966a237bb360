/* passes/neighbour_block.h: a block of agents at the walk over neighbours: what the walk needs of them, and what their neighbours
 * add up to. SPDX-License-Identifier: MIT */
#ifndef THRONG_NEIGHBOUR_BLOCK_H
#define THRONG_NEIGHBOUR_BLOCK_H

#include <float.h>
#include <math.h>

#include "passes/steering/entry.h"
#include "passes/window.h"

/* What an instance of the walk can do, as constants. A bit that nobody needs would cost operations, not change results. */
enum kind {
  KIND_SPATIAL = 1 << 0,
  KIND_GENERIC = 1 << 1,   /* any separation law and radius, any subset of the flocking rules, masks on all rules:
                             decided by (uniform) branches; without it: inverse law, separation within the perception
                             radius (but RADIUS), cohesion, alignment (but WALKERS), masks on the last two */
  KIND_AVOIDANCE = 1 << 2, /* with MORE: decided by a branch */
  KIND_VIEW = 1 << 3,
  KIND_MASKS = 1 << 4,
  KIND_WEIGHTS = 1 << 5, /* a candidate may stand for several agents */
  KIND_MORE = 1 << 6,    /* with GENERIC: the rules of neighbour_more.h */
  /* Avoidance asks so much of a candidate that with 16 lanes it is walked by quarters.h: fewer candidates, each at a higher price. */
  KIND_QUARTERS = LANES == 16 ? 1 << 7 : 0,
  KIND_LATER = 1 << 8,    /* of a list: threats are put down, and decided later */
  KIND_RADIUS = 1 << 9,   /* without GENERIC: separation may have a radius of its own; without AVOIDANCE, by a branch */
  KIND_WALKERS = 1 << 10, /* without GENERIC: neither cohesion nor alignment */
  KIND_COINCIDENT = 1 << 11 /* a candidate may stand on lanes: whole windows, dense ones and those walked again */
};
#define KIND_EXACT (KIND_SPATIAL | KIND_GENERIC | KIND_QUARTERS | KIND_WALKERS)

/* What KIND_MORE needs beside. */
struct more_block {
  lu forms; /* bits of enum neighbour_form */
  lm nearest_only;
  lf attraction_radius_sq, attraction_strength;
  lu attraction_mask;
  lm cone, cone_nearest;
  lf cone_edge; /* as view */
  lv3 heading;  /* of the cone */
  /* With FEATURE_QUEUE: */
  lu queue_mask;
  lm queues, has_goal;
  lv3 lane, goal; /* unit vector; the agent's goal */
  lf goal_sq, width_sq, gap, slowest, queue_rate, queue_grip;
};
struct more_sums {
  lf nearest_sq; /* of separation */
  lf together;   /* how many neighbours cohesion counts */
  lv3 attraction;
  lv3 cone, cone_velocity;
  lf cone_count, cone_nearest_sq;
  lf ahead, room, pace; /* of the one ahead: how far along the lane, how far beyond the gap, how fast */
};

/* The lanes whose masks let a layer through, rule by rule. */
struct layer_lanes {
  lw cohesion, alignment;
  lm separation, avoidance; /* with GENERIC */
};

/* A block of agents, one a lane: what the walk needs of them. Neither this nor the sums may hold an array or have their
 * address kept, or compilers leave them in memory instead of in registers. */
struct block {
  const struct frame *frame;
  uint32_t at, lanes;
  uint32_t rules;
  bool profile;
  bool asks_layers; /* of candidates: some rule may pass over some layer; with MORE always, since queues ask too */
  const struct layer_lanes *layer_lanes; /* [layers of the groups] where it asks, with fewer than 16 lanes */
  bool two_views;                        /* separation has a field of view of its own, */
  bool all_round;                        /* which may be all round, everybody's */
  bool two_radii;                        /* and a radius */
  bool one_reach;                        /* all bodies are alike: reach_sq serves any two */
  lm valid;
  lv3 p, v, facing;
  lf radius_sq; /* perception */
  lf separation_radius, separation_radius_sq;
  lf strength, max_acceleration;
  lf view, separation_view; /* minus the signed squares of the cosines */
  lf body, reach_sq, horizon;
  lu id, separation_mask, cohesion_mask, alignment_mask, avoidance_mask;
  float close_sq; /* coincidence: the square of 1e-6 R */
  lf unit;        /* of the places of those who stand on one spot, metres */
  struct more_block more;
};

/* A candidate, j, the same to all lanes; or `packed`: one for each quarter of 16 lanes, with what is asked of them. Functions of this
 * file answer for both, each where it is asked: what nobody asks for is not loaded. */
struct candidate {
  bool packed;
  uint32_t j;
  lv3 p, v;
  lu id, slot; /* id index, and where it lies */
  lu layer;    /* the bit of its group's layer */
  lf body;
  lm coincident; /* those that it stands on; with KIND_COINCIDENT */
};

/* Where it stands on lanes, these as in `all` and not as decided by the offset; and without them. */
LANES_INLINE lm or_coincident(const struct candidate *it, lm decided, lm all, unsigned kind) {
  return kind & KIND_COINCIDENT ? lm_or(decided, lm_and(it->coincident, all)) : decided;
}
LANES_INLINE lm without_coincident(const struct candidate *it, lm where, unsigned kind) {
  return kind & KIND_COINCIDENT ? lm_without(where, it->coincident) : where;
}

struct sums {
  lv3 separation, cohesion, alignment;
  lc counted;                /* how many neighbours the alignment counts */
  lf aligned;                /* the same where they have weights, and when the walk is over */
  lc found;                  /* how many neighbours are within the perception radius; only while profiling */
  lf nearest_sq;             /* squared distance of the nearest candidate; whole windows leave it alone */
  lf threat_time;            /* of the first threat so far */
  lu threat_id, threat_slot; /* its id index and its place */
  struct more_sums more;
};

static inline bool bodies_are_alike(const struct frame *frame) {
  return !frame->front->f[COLUMN_BODY_RADIUS] && !(frame->groups->features & FEATURE_BODY_RADII);
}

static inline bool perception_is_alike(const struct frame *frame) {
  return !frame->front->f[COLUMN_PERCEPTION_RADIUS] && !(frame->groups->features & FEATURE_PERCEPTION_RADII);
}

/* What the live groups need of an instance; there is one for each answer (neighbours.c). */
static inline unsigned needed_kind(const struct frame *frame) {
  const uint32_t separation = 1u << RULE_SEPARATION, flock = separation | 1u << RULE_COHESION | 1u << RULE_ALIGNMENT;
  const uint32_t features = frame->groups->features, rules = frame->groups->rules & flock;
  const bool avoids = frame->groups->rules & 1u << RULE_AVOIDANCE;
  unsigned kind = frame->def->space == THRONG_SPACE_SPATIAL ? KIND_SPATIAL : 0;
  if (features & FEATURE_VIEW) kind |= KIND_VIEW;
  if (features & FEATURE_MASKS) kind |= KIND_MASKS;
  if (features & FEATURE_MORE_RULES) return kind | KIND_GENERIC | KIND_MORE;
  if (avoids) kind |= KIND_QUARTERS | KIND_AVOIDANCE;
  if (frame->def->separation_law == THRONG_SEPARATION_INVERSE && !(features & FEATURE_OTHER_MASKS)) {
    const unsigned radius = features & FEATURE_SEPARATION_RADIUS ? KIND_RADIUS : 0u;
    if (rules == flock) return kind | radius;
    if (rules == separation && avoids && !(kind & KIND_MASKS)) return kind | radius | KIND_WALKERS;
  }
  /* No instance has any rules and a view without masks. */
  return kind | KIND_GENERIC | (kind & KIND_VIEW ? KIND_MASKS : 0u);
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

/* With fewer than 16 lanes a mask is tested in three operations: so each layer is tested once a block, and a candidate's looked up. */
LANES_INLINE void fill_layer_lanes(struct layer_lanes *layer_lanes, const struct block *block, unsigned kind) {
  const struct group_table *groups = block->frame->groups;
  for (uint32_t k = 0; k < groups->layers; k++) {
    const lu layer = lu_set1(groups->live_layer[k]);
    layer_lanes[k].cohesion = lw_from_mask(lu_test(block->cohesion_mask, layer));
    layer_lanes[k].alignment = lw_from_mask(lu_test(block->alignment_mask, layer));
    if (!(kind & KIND_GENERIC)) continue;
    layer_lanes[k].separation = lu_test(block->separation_mask, layer);
    layer_lanes[k].avoidance = lu_test(block->avoidance_mask, layer);
  }
}

LANES_INLINE lm has_form(lu forms, uint32_t form) { return lu_test(forms, lu_set1(form)); }

/* The lane of a queue: toward the agent's goal, or along its facing. */
LANES_INLINE void load_lane(struct block *block, const struct lane_groups *groups, bool spatial) {
  const struct frame *frame = block->frame;
  struct more_block *more = &block->more;
  lf width = load_param(frame, groups, PARAM_QUEUE_WIDTH);
  more->queues = lf_greater(width, lf_zero());
  more->width_sq = lf_mul(width, width);
  more->gap = load_param(frame, groups, PARAM_QUEUE_GAP);
  more->slowest = lf_negate(load_param(frame, groups, PARAM_QUEUE_ONCOMING));
  more->queue_rate = load_param(frame, groups, PARAM_QUEUE_RATE);
  more->queue_grip = load_param(frame, groups, PARAM_QUEUE_GRIP);
  more->queue_mask = load_mask(frame, groups, MASK_QUEUE);
  more->goal = load_goal(frame, block->at, spatial);
  more->has_goal = lf_equal(more->goal.x, more->goal.x);
  lv3 way = world_difference(frame->grid, more->goal, block->p, spatial);
  more->goal_sq = lv3_dot(way, way, spatial);
  lv3 toward = lv3_scale(way, lv3_inv_len(way, spatial), spatial);
  more->lane = lv3_select(more->has_goal, toward, block->facing, spatial);
}

LANES_INLINE void load_more(struct block *block, const struct lane_groups *groups, bool spatial) {
  const struct frame *frame = block->frame;
  struct more_block *more = &block->more;
  more->forms = lf_bits(load_param(frame, groups, PARAM_FORMS));
  more->nearest_only = has_form(more->forms, FORM_NEAREST_ONLY);
  lf perception = load_own_or_param(frame, groups, block->at, COLUMN_PERCEPTION_RADIUS, PARAM_PERCEPTION_RADIUS);
  lf radius = lf_min(load_param(frame, groups, PARAM_ATTRACTION_RADIUS), perception);
  more->attraction_radius_sq = lf_mul(radius, radius);
  more->attraction_strength = load_param(frame, groups, PARAM_ATTRACTION_STRENGTH);
  more->attraction_mask = load_mask(frame, groups, RULE_ATTRACTION);
  more->cone = has_form(more->forms, FORM_CONE);
  more->cone_nearest = has_form(more->forms, FORM_CONE_NEAREST);
  more->cone_edge = lf_negate(load_param(frame, groups, PARAM_CONE));
  lm moves = lf_greater(lv3_dot(block->v, block->v, spatial), lf_zero());
  lv3 direction = lv3_scale(block->v, lv3_inv_len(block->v, spatial), spatial);
  more->heading = lv3_select(moves, direction, block->facing, spatial);
  if (frame->groups->features & FEATURE_QUEUE) load_lane(block, groups, spatial);
}

/* The square of two bodies' radii, positive and finite; points threaten nobody. */
LANES_INLINE lf reach_squared(lf reach) {
  lf square = lf_max(lf_min(lf_mul(reach, reach), lf_set1(FLT_MAX)), lf_set1(FLT_MIN));
  return lf_select(lf_greater(reach, lf_zero()), square, lf_set1(-INFINITY));
}

LANES_INLINE struct block load_block(const struct frame *frame, const struct lane_groups *groups, uint32_t at,
                                     uint32_t lanes, struct layer_lanes *layer_lanes, unsigned kind) {
  const bool spatial = kind & KIND_SPATIAL;
  const struct columns *front = frame->front;
  struct block block;
  block.frame = frame;
  block.at = at;
  block.lanes = lanes;
  block.rules = frame->groups->rules;
  block.profile = frame->profile;
  block.asks_layers =
      kind & KIND_MASKS && (!(kind & KIND_GENERIC) || kind & KIND_MORE || frame->groups->features & FEATURE_MASKS);
  block.two_views = frame->groups->features & FEATURE_SEPARATION_VIEW;
  block.all_round = !(frame->groups->features & FEATURE_BLIND_SEPARATION);
  block.two_radii = frame->groups->features & FEATURE_SEPARATION_RADIUS;
  block.one_reach = bodies_are_alike(frame);
  block.valid = lm_first(lanes);
  block.p = load_lv3(front->f + COLUMN_POSITION_X, at, spatial);
  block.v = load_lv3(front->f + COLUMN_VELOCITY_X, at, spatial);
  block.id = lu_load(front->id + at);
  const float close = 1e-6f * frame->grid->space.radius;
  block.close_sq = close * close;
  block.unit = lf_set1(close * 0x1p-16f);

  lf radius = load_own_or_param(frame, groups, at, COLUMN_PERCEPTION_RADIUS, PARAM_PERCEPTION_RADIUS);
  block.radius_sq = lf_mul(radius, radius);
  block.separation_radius = lf_min(load_param(frame, groups, PARAM_SEPARATION_RADIUS), radius);
  block.separation_radius_sq = lf_mul(block.separation_radius, block.separation_radius);
  block.strength = load_param(frame, groups, PARAM_SEPARATION_STRENGTH);
  block.max_acceleration = load_limit(frame, groups, at, PARAM_MAX_ACCELERATION);
  block.body = block.reach_sq = block.horizon = lf_zero();
  if (block.rules & 1u << RULE_AVOIDANCE || kind & KIND_MORE) {
    block.body = load_own_or_param(frame, groups, at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
    block.reach_sq = reach_squared(lf_add(block.body, block.body));
    block.horizon = load_param(frame, groups, PARAM_HORIZON);
  }
  if (kind & KIND_VIEW) load_view(&block, groups, spatial);
  if (kind & KIND_MASKS) load_masks(&block, groups);
  block.layer_lanes = layer_lanes;
  if (LANES < 16 && block.asks_layers) fill_layer_lanes(layer_lanes, &block, kind);
  if (kind & KIND_MORE) load_more(&block, groups, spatial);
  return block;
}

LANES_INLINE lv3 candidate_position(const struct block *block, const struct candidate *it, bool spatial) {
  return it->packed ? it->p : broadcast_lv3(block->frame->front->f + COLUMN_POSITION_X, it->j, spatial);
}
LANES_INLINE lv3 candidate_velocity(const struct block *block, const struct candidate *it, bool spatial) {
  return it->packed ? it->v : broadcast_lv3(block->frame->front->f + COLUMN_VELOCITY_X, it->j, spatial);
}
LANES_INLINE lu candidate_id(const struct block *block, const struct candidate *it) {
  return it->packed ? it->id : lu_set1(block->frame->front->id[it->j]);
}
LANES_INLINE lu candidate_slot(const struct candidate *it) { return it->packed ? it->slot : lu_set1(it->j); }
LANES_INLINE lu candidate_layer(const struct block *block, const struct candidate *it) {
  const struct frame *frame = block->frame;
  return it->packed ? it->layer : lu_set1(frame->groups->layer_bit[meta_group(frame->front->meta[it->j])]);
}
LANES_INLINE const struct layer_lanes *candidate_layer_lanes(const struct block *block, const struct candidate *it) {
  const struct frame *frame = block->frame;
  return &block->layer_lanes[frame->groups->layer_row[meta_group(frame->front->meta[it->j])]];
}
LANES_INLINE lf candidate_body(const struct block *block, const struct candidate *it) {
  return it->packed ? it->body : lf_set1(*body_radius_of(block->frame, it->j));
}

LANES_INLINE struct sums sums_zero(const struct block *block) {
  struct sums sums;
  sums.separation = sums.cohesion = sums.alignment = lv3_zero();
  sums.counted = sums.found = lc_zero();
  sums.aligned = lf_zero();
  sums.nearest_sq = block->radius_sq;
  sums.threat_time = block->horizon;
  sums.threat_id = sums.threat_slot =
      lu_set1(0x7FFFFFFFu); /* larger than any id: a threat just at the horizon counts */
  sums.more.attraction = sums.more.cone = sums.more.cone_velocity = lv3_zero();
  sums.more.together = sums.more.cone_count = sums.more.room = sums.more.pace = lf_zero();
  sums.more.nearest_sq = sums.more.cone_nearest_sq = sums.more.ahead = lf_set1(INFINITY);
  return sums;
}

#endif
