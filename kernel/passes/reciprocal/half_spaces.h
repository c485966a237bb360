/* half_spaces.h: the half-plane of velocities that a neighbour leaves to an agent; in spatial worlds the half-space. If
 * both take half of the change, no velocity of the two leads to a collision within the horizon. Formulas:
 * docs/ARITHMETIC.md, "Reciprocal avoidance". The sources that include this file define SPATIAL before.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_HALF_SPACES_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_HALF_SPACES_H

#include "base/compiler.h"
#include "passes/neighbours/neighbour_sight.h"
#include "passes/reciprocal/seen_agents.h"
#include "passes/reciprocal/velocity_program.h"

/* The agents of a block that avoid others. */
struct avoiders {
  const struct frame *frame;
  uint32_t at, lanes;
  lm who;
  lv3 p, v, course, facing;
  lf radius_sq, reach; /* reach: the body radius and the margin */
  lf rate, touching;   /* 1 / the time in which bodies may not collide; the same of bodies that touch */
  lf alike, limit;     /* limit: the maximum speed */
  lf view;             /* in the form of PARAM_VIEW */
  lu id, mask;
  lm limited; /* scenery may hide neighbours; only with FEATURE_SIGHT */
  float close_sq;
  lf unit; /* metres per unit of the lattice on which coincident agents are placed */
};

LANES_INLINE void load_avoiders(struct avoiders *avoiders, const struct frame *frame, const struct lane_groups *groups,
                                uint32_t at, uint32_t lanes, lm who) {
  const struct columns *front = frame->front;
  ASSERT_ALONE(groups->meta == front->meta + at);
  const float close = 1e-6f * frame->grid->space->radius;
  const lf perception = load_perception(frame, groups, at);
  const lf radius = load_param(frame, groups, PARAM_AVOID_RADIUS), near = lf_set1(close * close);
  const lf body = load_own_or_param(frame, groups, at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
  const lm solid = lf_greater(load_param(frame, groups, PARAM_CONTACT), lf_zero());
  avoiders->frame = frame;
  avoiders->at = at;
  avoiders->lanes = lanes;
  avoiders->who = who;
  avoiders->p = load_lv3(front->f + COLUMN_POSITION_X, at, SPATIAL);
  avoiders->v = load_lv3(front->f + COLUMN_VELOCITY_X, at, SPATIAL);
  avoiders->course = load_course(frame, at, avoiders->p, SPATIAL);
  avoiders->radius_sq = lf_min(lf_max(lf_mul(radius, radius), near), lf_mul(perception, perception));
  avoiders->reach = lf_add(body, load_param(frame, groups, PARAM_AVOID_MARGIN));
  avoiders->rate = load_param(frame, groups, PARAM_AVOID_RATE);
  avoiders->touching = lf_select(solid, avoiders->rate, lf_set1(frame->rate));
  avoiders->alike = load_param(frame, groups, PARAM_AVOID_ALIKE);
  avoiders->limit = load_max_speed(frame, groups, at);
  avoiders->id = lu_load(front->id + at);
  avoiders->mask = load_mask(frame, groups, RULE_AVOIDANCE);
  avoiders->close_sq = close * close;
  avoiders->unit = lf_set1(close * 0x1p-16f);
  if (frame->groups->features & FEATURE_VIEW) {
    avoiders->facing = load_facing(frame, at, SPATIAL);
    avoiders->view = load_param(frame, groups, PARAM_VIEW);
  }
  if (frame->groups->features & FEATURE_SIGHT) {
    const lm hides = lu_test(lf_bits(load_param(frame, groups, PARAM_FORMS)), lu_set1(FORM_WALLS_HIDE));
    avoiders->limited = limited_sight(frame, at, lm_and(who, hides), perception);
  }
}

/* The layers of the candidates at one position of the lists. */
static OUT_OF_LINE lu layers_of(const struct frame *frame, const struct seen_lists *lists, uint32_t k) {
  float layer[LANES];
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const uint32_t slot = lists->slot[lane / 4][k];
    const bool dummy = slot == grid_dummy(frame->grid);
    layer[lane] = dummy ? 0.0f : group_row(frame->groups, PARAM_LAYER)[meta_group(frame->front->meta[slot])];
  }
  return lf_bits(lf_load(layer));
}

/* Removes the lanes from which scenery hides their candidates. */
static OUT_OF_LINE lm without_unseen(const struct avoiders *avoiders, const struct seen_lists *lists, uint32_t k,
                                     lm in) {
  for (uint32_t q = 0; q < SEEN_LISTS; q++) {
    const lm quarter = lanes_of_bits(lm_bits(avoiders->limited) & 0xFu << 4 * q);
    if (lm_any(lm_and(in, quarter))) in = without_hidden(avoiders->frame, avoiders->at, in, quarter, lists->slot[q][k]);
  }
  return in;
}

/* A candidate that coincides with an agent counts as if both were on the lattice. */
LANES_INLINE lv3 spread_coincident(const struct avoiders *avoiders, lu id, lm coincident, lv3 d) {
  const lv3 apart = lv3_sub(lattice_point(id, SPATIAL), lattice_point(avoiders->id, SPATIAL), SPATIAL);
  return lv3_select(coincident, lv3_scale(apart, avoiders->unit, SPATIAL), d, SPATIAL);
}

#if SPATIAL
/* A direction at right angles to d, and the opposite one for -d: so two agents that meet head-on take opposite sides.
 * It is level, and to the right, unless d is steep. */
LANES_INLINE lv3 side_of(lv3 d, lf d2) {
  const lf level_sq = lf_add(lf_mul(d.x, d.x), lf_mul(d.z, d.z));
  const lm steep = lf_less(lf_mul(level_sq, lf_set1(4.0f)), d2);
  return lv3_select(steep, (lv3){lf_zero(), lf_negate(d.z), d.y}, (lv3){d.z, lf_zero(), lf_negate(d.x)}, true);
}

/* The normal of the cone of velocities that lead to a collision, times d2, on the side of w. s: the length of the
 * tangent from the agent to the ball around d. The part of w along d is subtracted twice, because rounding leaves some
 * of it. */
LANES_INLINE lv3 side_of_cone(lv3 d, lf d2, lv3 w, lf reach, lf s, lm round) {
  const lf w2 = lv3_dot(w, w, true);
  lv3 side = w;
  for (int k = 0; k < 2; k++) side = lv3_sub(side, lv3_scale(d, lf_div(lv3_dot(side, d, true), d2), true), true);
  lf side_sq = lv3_dot(side, side, true), ratio = lf_div(d2, side_sq);
  /* Shorter ones are rounding errors, or so short that the ratio overflows. */
  const lm none = lm_or(lf_less_equal(side_sq, lf_mul(w2, lf_set1(0x1p-40f))), lf_equal(ratio, lf_set1(INFINITY)));
  const lm other = lm_without(none, round);
  if (lm_any(other)) {
    side = lv3_select(other, side_of(d, d2), side, true);
    side_sq = lv3_dot(side, side, true);
    ratio = lf_div(d2, side_sq);
  }
  const lf across = lf_mul(s, lf_sqrt(ratio));
  return lv3_sub(lv3_scale(side, across, true), lv3_scale(d, reach, true), true);
}
#else
/* The normal of the cone of velocities that lead to a collision, times d2, on the side of w. s: the length of the
 * tangent from the agent to the circle around d. */
LANES_INLINE lv3 side_of_cone(lv3 d, lf d2, lv3 w, lf reach, lf s, lm round) {
  (void)d2;
  (void)round;
  const lm left = lf_greater(lf_sub(lf_mul(d.x, w.z), lf_mul(d.z, w.x)), lf_zero());
  const lf side = lf_select(left, s, lf_negate(s));
  return (lv3){lf_negate(lf_add(lf_mul(d.x, reach), lf_mul(d.z, side))), lf_zero(),
               lf_sub(lf_mul(d.x, side), lf_mul(d.z, reach))};
}
#endif

/* The half-space of a neighbour at d, with the relative velocity u = v_i - v_j. `reach`: the distance at which the
 * bodies touch. */
LANES_INLINE struct half_space half_space_of(const struct avoiders *avoiders, lv3 d, lf d2, lv3 u, lf reach) {
  const lf reach_sq = lf_mul(reach, reach);
  const lm touch = lf_less_equal(d2, reach_sq);
  const lf h = lf_select(touch, avoiders->touching, avoiders->rate);
  const lv3 w = lv3_sub(u, lv3_scale(d, h, SPATIAL), SPATIAL);
  const lf w2 = lv3_dot(w, w, SPATIAL), toward = lv3_dot(w, d, SPATIAL);
  const lm ahead = lf_less_where(lf_less(toward, lf_zero()), lf_mul(reach_sq, w2), lf_mul(toward, toward));
  const lm round = lm_or(touch, ahead);
  const lf s = lf_sqrt(lf_select(round, w2, lf_sub(d2, reach_sq)));
  const lf inverse = lf_div(lf_set1(1.0f), lf_select(round, s, d2));
  lv3 n = lv3_scale(lv3_select(round, w, side_of_cone(d, d2, w, reach, s, round), SPATIAL), inverse, SPATIAL);
  const lm none = lm_without(round, lf_greater(w2, lf_set1(LANES_LEAST_SQUARE)));
  if (lm_any(none)) { /* the relative velocity is that in the middle of the circle or ball */
    n = lv3_select(none, lv3_scale(d, lf_negate(lv3_inv_len(d, SPATIAL)), SPATIAL), n, SPATIAL);
  }
  const lf change = lf_select(round, lf_sub(lf_mul(reach, h), s), lf_negate(lv3_dot(u, n, SPATIAL)));
  const lf own = lv3_dot(n, avoiders->v, SPATIAL);
  return (struct half_space){n, lf_add(own, lf_mul(change, lf_set1(0.5f)))};
}

/* Returns the lanes that avoid the candidates at position k of the lists, and their half-spaces. Those that have all
 * velocities up to the limit are left out. */
LANES_INLINE lm avoid_candidates(const struct avoiders *avoiders, const struct seen_lists *lists, uint32_t k, lv3 shift,
                                 bool shifted, struct half_space *half_space) {
  const struct frame *frame = avoiders->frame;
  const struct seen_agent it = load_seen_agent(frame, lists, k);
  lv3 q = it.p;
  if (shifted) q = lv3_add(q, shift, SPATIAL);
  lv3 d = lv3_sub(q, avoiders->p, SPATIAL);
  lf d2 = lv3_dot(d, d, SPATIAL);
  const lf alike = lv3_dot(it.course, avoiders->course, SPATIAL);
  const lf reach = lf_add(avoiders->reach, it.body);
  lm in = lf_less_equal_where(avoiders->who, d2, avoiders->radius_sq);
  in = lm_without(lf_less_where(in, alike, avoiders->alike), lu_equal(it.id, avoiders->id));
  in = lf_less_where(in, lf_zero(), reach);
  const lm coincident = lf_less_equal_where(in, d2, lf_set1(avoiders->close_sq));
  if (lm_any(coincident)) {
    d = spread_coincident(avoiders, it.id, coincident, d);
    d2 = lv3_dot(d, d, SPATIAL);
  }
  if (frame->groups->features & FEATURE_VIEW) {
    const lf ahead = lv3_dot(d, avoiders->facing, SPATIAL), near = lf_add(reach, reach);
    const lm seen = lf_greater_equal(lf_mul(ahead, lf_abs(ahead)), lf_mul(avoiders->view, d2));
    in = lm_and(in, lm_or(lm_or(seen, coincident), lf_less_equal(d2, lf_mul(near, near))));
  }
  if (frame->groups->reciprocal_masks) in = lm_and(in, lu_test(avoiders->mask, layers_of(frame, lists, k)));
  if (frame->groups->features & FEATURE_SIGHT && lm_any(in)) in = without_unseen(avoiders, lists, k, in);
  if (!lm_any(in)) return in;
  const lv3 u = lv3_sub(avoiders->v, it.v, SPATIAL);
  *half_space = half_space_of(avoiders, d, d2, u, reach);
  return lf_less_where(in, lf_negate(avoiders->limit), half_space->c);
}

#endif
