/* neighbour_block.h: a block in the neighbour walk: the values of its agents that the walk reads, and the sums over
 * their neighbours. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_BLOCK_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_BLOCK_H

#include <float.h>
#include <math.h>

#include "passes/neighbours/neighbour_sight.h"
#include "passes/steering/entry.h"
#include "passes/window.h"

/* What a variant of the walk can do. The bits are constants in each variant. A bit that is set but not needed takes
 * time but changes no result. */
enum variant {
  VARIANT_SPATIAL = 1 << 0,
  VARIANT_GENERIC =
      1 << 1, /* any separation law and radius, any subset of rules, masks on all rules, chosen by branches at run
                 time. Without it: inverse law, separation within the perception radius (or RADIUS), cohesion and
                 alignment (or WALKERS), masks on these two */
  VARIANT_AVOIDANCE = 1 << 2, /* with RARE a branch tests whether the rule is used */
  VARIANT_VIEW = 1 << 3,
  VARIANT_MASKS = 1 << 4,
  VARIANT_WEIGHTS = 1 << 5, /* a candidate may represent several agents */
  VARIANT_RARE = 1 << 6,    /* only with GENERIC: rules and forms that few groups use */
  /* Only with 16 lanes: the walk in quarters (quarters.h), which is faster with avoidance. */
  VARIANT_QUARTERS = LANES == 16 ? 1 << 7 : 0,
  VARIANT_DEFER = 1 << 8,       /* the walk over a list defers threats */
  VARIANT_RADIUS = 1 << 9,      /* without GENERIC: separation has its own radius; without AVOIDANCE a branch tests
                                  this */
  VARIANT_WALKERS = 1 << 10,    /* without GENERIC: neither cohesion nor alignment; only planar */
  VARIANT_COINCIDENT = 1 << 11, /* a candidate may coincide with agents; only for walks over whole windows */
  VARIANT_GATHERED = 1 << 12,   /* the block's agents are gathered (gathered.c) */
  VARIANT_PACE = 1 << 13,       /* groups may have a pace; only with VIEW. With RARE a branch tests this */
  VARIANT_GAP = 1 << 14,        /* groups may keep a time gap, or count oncoming agents; only with PACE */
  VARIANT_CHOOSE = 1 << 15      /* the walk finds which neighbours are the nearest, and adds nothing (nearest.h) */
};
#define VARIANT_EXACT (VARIANT_SPATIAL | VARIANT_GENERIC | VARIANT_QUARTERS | VARIANT_WALKERS)

LANES_INLINE bool is_plain_flock(unsigned variant) { return !(variant & ~(unsigned)VARIANT_SPATIAL); }

/* The values of a block that the rare rules read. */
struct rare_block {
  lu forms; /* bits of enum neighbour_form */
  lm nearest_only;
  lf cohesion_radius_sq, alignment_radius_sq;
  lf attraction_radius_sq, attraction_strength;
  lu attraction_mask;
  lm cone, cone_nearest;
  lf cone_edge; /* in the form of `view` */
  lv3 heading;  /* the cone's axis */
  lm limited;   /* scenery may hide neighbours from these agents; only with FEATURE_SIGHT */
  /* Only with FEATURE_QUEUE: */
  lu queue_mask;
  lm queues, has_goal;
  lv3 queue_line, goal; /* unit vector of the queue line; the goal */
  lf goal_sq, width_sq, gap, slowest, queue_rate, queue_grip;
};
struct rare_sums {
  lf nearest_sq; /* the nearest, for separation.nearest_only */
  lf together;   /* number of neighbours that cohesion counts */
  lv3 attraction;
  lv3 cone, cone_velocity;
  lv3 facing; /* of the neighbours that alignment counts */
  lf cone_count, cone_nearest_sq;
  lf ahead, room, pace; /* of the agent ahead in the queue: distance along the queue line, metres beyond the gap, speed
                           along the line */
};

/* The nearest neighbours that a rule counts. */
struct choice {
  lf nearest;  /* how many; 0 = all */
  lf limit_sq; /* squared distance of the farthest one; INFINITY: all neighbours count */
  lf ties;     /* how many more at exactly this distance count */
};

/* The lanes that consider a layer, for each rule. */
struct layer_lanes {
  lw cohesion, alignment;
  lm separation, avoidance; /* with GENERIC */
};

#define LAYER_LANES (LANES < 16 ? THRONG_MAX_LAYERS : 1u) /* elements: 16 lanes do not read them */

/* The values of a block that a pace reads; only with FEATURE_PACE. */
struct pace_block {
  lu mask;
  lv3 line;     /* unit vector of the queue line */
  lf radius_sq; /* 0 in lanes without a pace */
  lf slowest;
  /* Only with FEATURE_GAP; room, in which agents stand, and its inverse only where all bodies are alike. */
  lf oncoming_weight, gap, gap_rate, alike, room, inverse_room;
};

/* The values of a block's agents that the walk reads. Neither this struct nor the sums may contain arrays or have their
 * address stored: compilers would keep them in memory instead of in registers. */
struct block {
  const struct frame *frame; /* its front columns have the block's agents */
  const struct frame
      *all; /* its front columns have the candidates; the same unless the block is gathered (gathered.c) */
  uint32_t at, lanes;
  uint32_t rules;
  bool profile;
  bool reads_layers; /* some rule may ignore some layer; always with RARE, because queues have a mask */
  const struct layer_lanes *layer_lanes; /* [live layers]; with fewer than 16 lanes */
  bool two_views;                        /* separation has its own field of view */
  bool all_round;                        /* separation's field of view is all round in every group */
  bool two_radii;                        /* separation has its own radius */
  bool one_contact;                      /* all bodies have one radius: contact_sq holds for any two agents */
  lm valid;
  lv3 p, v, facing;
  lf radius_sq;     /* the perception radius, squared; or the distance of the farthest of the nearest neighbours */
  lf perception_sq; /* the perception radius, squared */
  lf separation_radius, separation_radius_sq;
  lf strength, max_acceleration;
  lf view, separation_view; /* minus the signed squares of the cosines of half the view */
  lf body, contact_sq, horizon;
  lu id, separation_mask, cohesion_mask, alignment_mask, avoidance_mask;
  float close_sq; /* (1e-6 R)^2: agents at most that close are coincident */
  lf unit;        /* metres per unit of the lattice on which coincident agents are placed */
  struct pace_block pace;
  struct rare_block rare;
};

/* A candidate. It is either one candidate for all lanes, in slot j, or, if `packed`, one candidate per quarter, whose
 * data is in the fields below. In both cases the functions candidate_… return the data. They load it only when
 * called, so that unused data takes no time. */
struct candidate {
  bool packed;
  uint32_t j;
  lv3 p, v;
  lu id, slot; /* id index and slot */
  lu layer;    /* the bit of its group's layer */
  lf body;
  lv3 course;    /* only with FEATURE_GAP */
  lm coincident; /* lanes that it coincides with; only with VARIANT_COINCIDENT */
};

/* Lanes that coincide with the candidate have no direction to it, so a test of directions cannot decide about them.
 * or_coincident adds those that are in `all` to the lanes `decided` by such a test; without_coincident removes them. */
LANES_INLINE lm or_coincident(const struct candidate *it, lm decided, lm all, unsigned variant) {
  return variant & VARIANT_COINCIDENT ? lm_or(decided, lm_and(it->coincident, all)) : decided;
}
LANES_INLINE lm without_coincident(const struct candidate *it, lm where, unsigned variant) {
  return variant & VARIANT_COINCIDENT ? lm_without(where, it->coincident) : where;
}

struct sums {
  lv3 separation, cohesion, alignment;
  lc counted;                /* number of neighbours that alignment counts; cohesion counts the same ones, but in
                                the rare rules (rare.together) */
  lf aligned;                /* sum of the weights of these neighbours; in walks without weights it is set from
                                `counted` after the walk */
  lc found;                  /* number of neighbours; only with a profile */
  lf nearest_sq;             /* squared distance of the nearest candidate; walks over whole windows do not set it */
  lf ahead;                  /* of a pace: sum over the agents ahead */
  lf following;              /* of a time gap: the lowest speed allowed so far */
  lf threat_time;            /* seconds until the first threat so far */
  lu threat_id, threat_slot; /* its id index and slot */
  struct choosing *choosing; /* the nearest neighbours of each rule; only with RARE and FEATURE_NEAREST: nearest.h */
  struct rare_sums rare;
};

static inline bool bodies_are_alike(const struct frame *frame) {
  return !frame->front->f[COLUMN_BODY_RADIUS] && !(frame->groups->features & FEATURE_BODY_RADII);
}

static inline bool perception_is_alike(const struct frame *frame) {
  return !frame->front->f[COLUMN_PERCEPTION_RADIUS] &&
         !(frame->groups->features & (FEATURE_PERCEPTION_RADII | FEATURE_OWN_BODIES));
}

/* Returns the bits of enum variant that the live groups need. walk.h has a variant for every result. */
static inline unsigned needed_variant(const struct frame *frame) {
  const uint32_t separation = 1u << RULE_SEPARATION, flock = separation | 1u << RULE_COHESION | 1u << RULE_ALIGNMENT;
  const uint64_t features = frame->groups->features;
  const uint32_t rules = frame->groups->rules & flock;
  const bool avoids = frame->groups->rules & 1u << RULE_AVOIDANCE, spatial = is_spatial(frame);
  unsigned variant = spatial ? VARIANT_SPATIAL : 0;
  if (features & FEATURE_VIEW) variant |= VARIANT_VIEW;
  if (features & FEATURE_MASKS) variant |= VARIANT_MASKS;
  const unsigned rare = variant | VARIANT_GENERIC | VARIANT_RARE;
  const unsigned pace = (features & FEATURE_PACE ? VARIANT_PACE : 0) | (features & FEATURE_GAP ? VARIANT_GAP : 0);
  if (features & FEATURE_MORE_RULES || (pace && spatial)) return rare;
  const bool same = !(features & (FEATURE_MASKS | FEATURE_SEPARATION_VIEW)) && !avoids && !pace;
  if (features & FEATURE_NEAREST && !same) return rare; /* the rules do not count the same neighbours */
  if (avoids) variant |= VARIANT_QUARTERS | VARIANT_AVOIDANCE;
  if (frame->groups->separation_law == THRONG_SEPARATION_INVERSE && !(features & FEATURE_OTHER_MASKS)) {
    const unsigned radius = features & FEATURE_SEPARATION_RADIUS ? VARIANT_RADIUS : 0u;
    if (rules == flock && !pace) return variant | radius;
    const bool walkers = rules == separation && avoids && !spatial && !(variant & VARIANT_MASKS);
    if (walkers) return variant | radius | pace | VARIANT_WALKERS;
  }
  if (pace) return rare;
  /* Generic variants with a view also have masks. */
  return variant | VARIANT_GENERIC | (variant & VARIANT_VIEW ? VARIANT_MASKS : 0u);
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

/* With fewer than 16 lanes, testing a mask takes three operations. Each layer is therefore tested once per block,
 * and the result is looked up by the candidate's layer. */
LANES_INLINE void fill_layer_lanes(struct layer_lanes *layer_lanes, const struct block *block, unsigned variant) {
  const struct group_table *groups = block->frame->groups;
  ASSERT_ALONE(groups->layers <= THRONG_MAX_LAYERS);
  for (uint32_t k = 0; k < groups->layers; k++) {
    const lu layer = lu_set1(groups->live_layer[k]);
    layer_lanes[k].cohesion = lw_from_mask(lu_test(block->cohesion_mask, layer));
    layer_lanes[k].alignment = lw_from_mask(lu_test(block->alignment_mask, layer));
    if (!(variant & VARIANT_GENERIC)) continue;
    layer_lanes[k].separation = lu_test(block->separation_mask, layer);
    layer_lanes[k].avoidance = lu_test(block->avoidance_mask, layer);
  }
}

LANES_INLINE lm has_form(lu forms, uint32_t form) { return lu_test(forms, lu_set1(form)); }

LANES_INLINE void load_queue(struct block *block, const struct lane_groups *groups, bool spatial) {
  const struct frame *frame = block->frame;
  struct rare_block *rare = &block->rare;
  lf width = load_param(frame, groups, PARAM_QUEUE_WIDTH);
  rare->queues = lf_greater(width, lf_zero());
  rare->width_sq = lf_mul(width, width);
  rare->gap = load_param(frame, groups, PARAM_QUEUE_GAP);
  rare->slowest = lf_negate(load_param(frame, groups, PARAM_QUEUE_ONCOMING));
  rare->queue_rate = load_param(frame, groups, PARAM_QUEUE_RATE);
  rare->queue_grip = load_param(frame, groups, PARAM_QUEUE_GRIP);
  rare->queue_mask = load_mask(frame, groups, MASK_QUEUE);
  rare->goal = load_goal(frame, block->at, spatial);
  rare->has_goal = lf_equal(rare->goal.x, rare->goal.x);
  lv3 to_goal = world_difference(frame->grid, rare->goal, block->p, spatial);
  rare->goal_sq = lv3_dot(to_goal, to_goal, spatial);
  rare->queue_line = course_of(to_goal, rare->has_goal, block->facing, spatial);
}
LANES_INLINE void load_pace(struct block *block, const struct lane_groups *groups, bool gaps, bool spatial) {
  const struct frame *frame = block->frame;
  struct pace_block *pace = &block->pace;
  const lv3 goal = load_goal(frame, block->at, spatial);
  const lv3 to_goal = world_difference(frame->grid, goal, block->p, spatial);
  pace->line = course_of(to_goal, lf_equal(goal.x, goal.x), block->facing, spatial);
  pace->radius_sq = lf_min(load_param(frame, groups, PARAM_PACE_RADIUS_SQ), block->radius_sq);
  pace->slowest = lf_negate(load_param(frame, groups, PARAM_PACE_ONCOMING));
  pace->mask = load_mask(frame, groups, MASK_PACE);
  if (!gaps) return;
  pace->oncoming_weight = load_param(frame, groups, PARAM_PACE_ONCOMING_WEIGHT);
  pace->gap = load_param(frame, groups, PARAM_PACE_GAP);
  pace->alike = load_param(frame, groups, PARAM_PACE_ALIKE);
  pace->gap_rate = load_param(frame, groups, PARAM_PACE_GAP_RATE);
  pace->room = lf_add(lf_add(block->body, block->body), pace->gap);
  pace->inverse_room = lf_div(lf_set1(1.0f), pace->room);
}

/* Returns the radius of a rule where those of groups are measured in bodies; FLT_MAX stands for the perception
 * radius. */
static OUT_OF_LINE lf radius_in_bodies(const struct frame *frame, const struct lane_groups *lane, uint32_t at,
                                       lf radius) {
  const lm scaled = lf_greater(load_param(frame, lane, PARAM_RADII_IN_BODIES), lf_zero());
  const lm given = lf_less_where(scaled, radius, lf_set1(FLT_MAX));
  return lf_select(given, lf_mul(radius, load_body_scale(frame, lane, at)), radius);
}
/* Loads the radius of a rule, which is at most the perception radius. */
LANES_INLINE lf load_radius(const struct frame *frame, const struct lane_groups *groups, uint32_t at, int param,
                            lf most) {
  lf radius = load_param(frame, groups, param);
  if (frame->groups->features & FEATURE_OWN_BODIES) radius = radius_in_bodies(frame, groups, at, radius);
  return lf_min(radius, most);
}
LANES_INLINE lf load_radius_squared(const struct frame *frame, const struct lane_groups *groups, uint32_t at, int param,
                                    lf most) {
  lf radius = load_radius(frame, groups, at, param, most);
  return lf_mul(radius, radius);
}

LANES_INLINE void load_rare(struct block *block, const struct lane_groups *groups, bool spatial) {
  const struct frame *frame = block->frame;
  struct rare_block *rare = &block->rare;
  rare->forms = lf_bits(load_param(frame, groups, PARAM_FORMS));
  rare->nearest_only = has_form(rare->forms, FORM_NEAREST_ONLY);
  lf perception = load_perception(frame, groups, block->at);
  rare->cohesion_radius_sq = load_radius_squared(frame, groups, block->at, PARAM_COHESION_RADIUS, perception);
  rare->alignment_radius_sq = load_radius_squared(frame, groups, block->at, PARAM_ALIGNMENT_RADIUS, perception);
  rare->attraction_radius_sq = load_radius_squared(frame, groups, block->at, PARAM_ATTRACTION_RADIUS, perception);
  rare->attraction_strength = load_param(frame, groups, PARAM_ATTRACTION_STRENGTH);
  rare->attraction_mask = load_mask(frame, groups, RULE_ATTRACTION);
  if (frame->groups->features & FEATURE_SIGHT) {
    const lm who = lm_and(block->valid, has_form(rare->forms, FORM_WALLS_HIDE));
    rare->limited = limited_sight(frame, block->at, who, perception);
  }
  rare->cone = has_form(rare->forms, FORM_CONE);
  rare->cone_nearest = has_form(rare->forms, FORM_CONE_NEAREST);
  rare->cone_edge = lf_negate(load_param(frame, groups, PARAM_CONE));
  lm moves = lf_greater(lv3_dot(block->v, block->v, spatial), lf_zero());
  lv3 direction = lv3_scale(block->v, lv3_inv_len(block->v, spatial), spatial);
  rare->heading = lv3_select(moves, direction, block->facing, spatial);
  if (frame->groups->features & FEATURE_QUEUE) load_queue(block, groups, spatial);
}

/* Returns the square of a contact distance, limited so that it is positive and finite; -infinity for two points, which
 * are no threat to each other. */
LANES_INLINE lf contact_squared(lf contact) {
  lf square = lf_max(lf_min(lf_mul(contact, contact), lf_set1(FLT_MAX)), lf_set1(FLT_MIN));
  return lf_select(lf_greater(contact, lf_zero()), square, lf_set1(-INFINITY));
}

/* Whether some group has a pace. */
LANES_INLINE bool paces(const struct block *block, unsigned variant) {
  if (variant & VARIANT_RARE) return block->frame->groups->features & FEATURE_PACE;
  return variant & VARIANT_PACE;
}

/* Whether some group keeps a time gap, or counts oncoming agents. */
LANES_INLINE bool keeps_gaps(const struct block *block, unsigned variant) {
  if (variant & VARIANT_RARE) return block->frame->groups->features & FEATURE_GAP;
  return variant & VARIANT_GAP;
}

/* Whether the walk tests which of the neighbours are the nearest. */
LANES_INLINE bool tests_nearest(const struct block *block, unsigned variant) {
  return variant & VARIANT_RARE && block->frame->groups->features & FEATURE_NEAREST;
}

LANES_INLINE struct block load_block(const struct frame *frame, const struct lane_groups *groups, uint32_t at,
                                     uint32_t lanes, struct layer_lanes *layer_lanes, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const struct columns *front = frame->front;
  ASSERT_ALONE(lanes >= 1 && lanes <= LANES && groups->meta == front->meta + at);
  struct block block;
  block.frame = block.all = frame;
  block.at = at;
  block.lanes = lanes;
  block.rules = frame->groups->rules;
  block.profile = frame->profile;
  block.reads_layers = variant & VARIANT_MASKS && (!(variant & VARIANT_GENERIC) || variant & VARIANT_RARE ||
                                                   frame->groups->features & FEATURE_MASKS);
  block.two_views = frame->groups->features & FEATURE_SEPARATION_VIEW;
  block.all_round = !(frame->groups->features & FEATURE_BLIND_SEPARATION);
  block.two_radii = frame->groups->features & FEATURE_SEPARATION_RADIUS;
  block.one_contact = bodies_are_alike(frame);
  block.valid = lm_first(lanes);
  block.p = load_lv3(front->f + COLUMN_POSITION_X, at, spatial);
  block.v = load_lv3(front->f + COLUMN_VELOCITY_X, at, spatial);
  block.id = lu_load(front->id + at);
  const float close = 1e-6f * frame->grid->space->radius;
  block.close_sq = close * close;
  block.unit = lf_set1(close * 0x1p-16f);

  lf radius = load_perception(frame, groups, at);
  block.radius_sq = block.perception_sq = lf_mul(radius, radius);
  block.separation_radius = load_radius(frame, groups, at, PARAM_SEPARATION_RADIUS, radius);
  block.separation_radius_sq = lf_mul(block.separation_radius, block.separation_radius);
  block.strength = load_param(frame, groups, PARAM_SEPARATION_STRENGTH);
  block.max_acceleration = load_wanted_limit(frame, groups, at, PARAM_MAX_ACCELERATION);
  block.body = block.contact_sq = block.horizon = lf_zero();
  if (block.rules & 1u << RULE_AVOIDANCE || variant & VARIANT_RARE) {
    block.body = load_own_or_param(frame, groups, at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
    block.contact_sq = contact_squared(lf_add(block.body, block.body));
    block.horizon = load_param(frame, groups, PARAM_HORIZON);
  }
  if (variant & VARIANT_VIEW) load_view(&block, groups, spatial);
  if (variant & VARIANT_MASKS) load_masks(&block, groups);
  block.layer_lanes = layer_lanes;
  if (LANES < 16 && block.reads_layers) fill_layer_lanes(layer_lanes, &block, variant);
  if (variant & VARIANT_RARE) load_rare(&block, groups, spatial);
  if (paces(&block, variant)) load_pace(&block, groups, keeps_gaps(&block, variant), spatial);
  return block;
}

LANES_INLINE lv3 candidate_position(const struct block *block, const struct candidate *it, bool spatial) {
  return it->packed ? it->p : broadcast_lv3(block->all->front->f + COLUMN_POSITION_X, it->j, spatial);
}
LANES_INLINE lv3 candidate_velocity(const struct block *block, const struct candidate *it, bool spatial) {
  return it->packed ? it->v : broadcast_lv3(block->all->front->f + COLUMN_VELOCITY_X, it->j, spatial);
}
/* Where a candidate wants to go; only with FEATURE_GAP. */
LANES_INLINE lv3 candidate_course(const struct block *block, const struct candidate *it, bool spatial) {
  if (it->packed) return it->course;
  const float *of = block->all->seen + (size_t)it->j * (spatial ? SEEN_FLOATS_SPATIAL : SEEN_FLOATS);
  return spatial ? (lv3){lf_set1(of[8]), lf_set1(of[9]), lf_set1(of[10])}
                 : (lv3){lf_set1(of[6]), lf_zero(), lf_set1(of[7])};
}
LANES_INLINE lu candidate_id(const struct block *block, const struct candidate *it) {
  return it->packed ? it->id : lu_set1(block->all->front->id[it->j]);
}
LANES_INLINE lu candidate_slot(const struct candidate *it) { return it->packed ? it->slot : lu_set1(it->j); }
LANES_INLINE lu candidate_layer(const struct block *block, const struct candidate *it) {
  const struct frame *frame = block->all;
  return it->packed ? it->layer
                    : lf_bits(lf_set1(group_row(frame->groups, PARAM_LAYER)[meta_group(frame->front->meta[it->j])]));
}
LANES_INLINE const struct layer_lanes *candidate_layer_lanes(const struct block *block, const struct candidate *it) {
  const struct frame *frame = block->all;
  return &block->layer_lanes[frame->groups->layer_row[meta_group(frame->front->meta[it->j])]];
}
LANES_INLINE lf candidate_body(const struct block *block, const struct candidate *it) {
  return it->packed ? it->body : lf_set1(*body_radius_of(block->all, it->j));
}

/* Adds the pairs of a block's agents. Each agent had `tested` candidates. Other pieces count the pairs of ghosts. */
LANES_INLINE void add_pairs(const struct block *block, uint64_t tested, lc found_by_lane, uint64_t *all_tested,
                            uint64_t *all_found) {
  const uint32_t *meta = block->frame->front->meta + block->at;
  float found[LANES];
  lf_store(found, lf_from_count(found_by_lane));
  for (uint32_t k = 0; k < block->lanes; k++) {
    if (meta[k] & META_GHOST) continue;
    *all_tested += tested;
    *all_found += (uint64_t)found[k];
  }
}

LANES_INLINE struct sums sums_zero(const struct block *block) {
  struct sums sums;
  sums.separation = sums.cohesion = sums.alignment = lv3_zero();
  sums.counted = sums.found = lc_zero();
  sums.aligned = sums.ahead = lf_zero();
  sums.following = lf_set1(INFINITY);
  sums.nearest_sq = block->radius_sq;
  sums.threat_time = block->horizon;
  sums.threat_id = sums.threat_slot =
      lu_set1(0x7FFFFFFFu); /* larger than any id, so that a threat exactly at the horizon counts */
  sums.rare.attraction = sums.rare.cone = sums.rare.cone_velocity = sums.rare.facing = lv3_zero();
  sums.rare.together = sums.rare.cone_count = sums.rare.room = sums.rare.pace = lf_zero();
  sums.rare.nearest_sq = sums.rare.cone_nearest_sq = sums.rare.ahead = lf_set1(INFINITY);
  return sums;
}

/* Add to sums in the lanes `where`. */
LANES_INLINE lv3 add_where(lv3 sum, lw where, lv3 a, bool spatial) {
  return (lv3){lf_add_where(sum.x, where, a.x), spatial ? lf_add_where(sum.y, where, a.y) : sum.y,
               lf_add_where(sum.z, where, a.z)};
}
LANES_INLINE lv3 add_scaled_where(lv3 sum, lw where, lv3 a, lf scale, bool spatial) {
  return (lv3){lf_add_product_where(sum.x, where, a.x, scale),
               spatial ? lf_add_product_where(sum.y, where, a.y, scale) : sum.y,
               lf_add_product_where(sum.z, where, a.z, scale)};
}
/* The same for an `a` that may be infinite or NaN in other lanes. */
LANES_INLINE lv3 rare_where(lv3 sum, lm where, lv3 a, bool spatial) {
  return lv3_add(sum, lv3_where(where, a, spatial), spatial);
}

#endif
