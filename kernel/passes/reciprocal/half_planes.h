/* half_planes.h: the half-plane of velocities that a neighbour leaves to an agent. If both take half of the change, no
 * velocity of the two half-planes leads to a collision within the horizon. Formulas: docs/ARITHMETIC.md, "Reciprocal
 * avoidance". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_HALF_PLANES_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_HALF_PLANES_H

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
  const float close = 1e-6f * frame->grid->space.radius;
  const lf perception = load_own_or_param(frame, groups, at, COLUMN_PERCEPTION_RADIUS, PARAM_PERCEPTION_RADIUS);
  const lf radius = load_param(frame, groups, PARAM_AVOID_RADIUS), near = lf_set1(close * close);
  const lf body = load_own_or_param(frame, groups, at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
  const lm solid = lf_greater(load_param(frame, groups, PARAM_CONTACT), lf_zero());
  avoiders->frame = frame;
  avoiders->at = at;
  avoiders->lanes = lanes;
  avoiders->who = who;
  avoiders->p = load_lv3(front->f + COLUMN_POSITION_X, at, false);
  avoiders->v = load_lv3(front->f + COLUMN_VELOCITY_X, at, false);
  avoiders->course = load_course(frame, at, avoiders->p);
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
    avoiders->facing = load_facing(frame, at, false);
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
    layer[lane] = dummy ? 0.0f : frame->groups->param[PARAM_LAYER][meta_group(frame->front->meta[slot])];
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
  const lv3 apart = lv3_sub(lattice_point(id, false), lattice_point(avoiders->id, false), false);
  return lv3_select(coincident, lv3_scale(apart, avoiders->unit, false), d, false);
}

/* The half-plane of a neighbour at d, with the relative velocity u = v_i - v_j. `reach`: the distance at which the
 * bodies touch. */
LANES_INLINE struct line half_plane(const struct avoiders *avoiders, lv3 d, lf d2, lv3 u, lf reach) {
  const lf reach_sq = lf_mul(reach, reach);
  const lm touch = lf_less_equal(d2, reach_sq);
  const lf h = lf_select(touch, avoiders->touching, avoiders->rate);
  const lv3 w = lv3_sub(u, lv3_scale(d, h, false), false);
  const lf w2 = lv3_dot(w, w, false), toward = lv3_dot(w, d, false);
  const lm ahead = lf_less_where(lf_less(toward, lf_zero()), lf_mul(reach_sq, w2), lf_mul(toward, toward));
  const lm round = lm_or(touch, ahead);
  const lf s = lf_sqrt(lf_select(round, w2, lf_sub(d2, reach_sq)));
  const lf inverse = lf_div(lf_set1(1.0f), lf_select(round, s, d2));
  const lm left = lf_greater(lf_sub(lf_mul(d.x, w.z), lf_mul(d.z, w.x)), lf_zero());
  const lf side = lf_select(left, s, lf_negate(s));
  lf x = lf_negate(lf_add(lf_mul(d.x, reach), lf_mul(d.z, side))), z = lf_sub(lf_mul(d.x, side), lf_mul(d.z, reach));
  x = lf_mul(lf_select(round, w.x, x), inverse);
  z = lf_mul(lf_select(round, w.z, z), inverse);
  const lm none = lm_without(round, lf_greater(w2, lf_set1(LANES_LEAST_SQUARE)));
  if (lm_any(none)) { /* the relative velocity is that in the middle of the circle */
    const lv3 away = lv3_scale(d, lf_negate(lv3_inv_len(d, false)), false);
    x = lf_select(none, away.x, x);
    z = lf_select(none, away.z, z);
  }
  const lf along = lf_add(lf_mul(u.x, x), lf_mul(u.z, z));
  const lf change = lf_select(round, lf_sub(lf_mul(reach, h), s), lf_negate(along));
  const lf own = lf_add(lf_mul(x, avoiders->v.x), lf_mul(z, avoiders->v.z));
  return (struct line){x, z, lf_add(own, lf_mul(change, lf_set1(0.5f)))};
}

/* Returns the lanes that avoid the candidates at position k of the lists, and their half-planes. Half-planes that the
 * whole disc satisfies are left out. */
LANES_INLINE lm avoid_candidates(const struct avoiders *avoiders, const struct seen_lists *lists, uint32_t k, lv3 shift,
                                 bool shifted, struct line *line) {
  const struct frame *frame = avoiders->frame;
  const struct seen_agent it = load_seen_agent(frame, lists, k);
  lv3 q = {it.x, lf_zero(), it.z};
  if (shifted) q = lv3_add(q, shift, false);
  lv3 d = lv3_sub(q, avoiders->p, false);
  lf d2 = lv3_dot(d, d, false);
  const lf alike = lf_add(lf_mul(it.course_x, avoiders->course.x), lf_mul(it.course_z, avoiders->course.z));
  const lf reach = lf_add(avoiders->reach, it.body);
  lm in = lf_less_equal_where(avoiders->who, d2, avoiders->radius_sq);
  in = lm_without(lf_less_where(in, alike, avoiders->alike), lu_equal(it.id, avoiders->id));
  in = lf_less_where(in, lf_zero(), reach);
  const lm coincident = lf_less_equal_where(in, d2, lf_set1(avoiders->close_sq));
  if (lm_any(coincident)) {
    d = spread_coincident(avoiders, it.id, coincident, d);
    d2 = lv3_dot(d, d, false);
  }
  if (frame->groups->features & FEATURE_VIEW) {
    const lf ahead = lv3_dot(d, avoiders->facing, false), near = lf_add(reach, reach);
    const lm seen = lf_greater_equal(lf_mul(ahead, lf_abs(ahead)), lf_mul(avoiders->view, d2));
    in = lm_and(in, lm_or(lm_or(seen, coincident), lf_less_equal(d2, lf_mul(near, near))));
  }
  if (frame->groups->reciprocal_masks) in = lm_and(in, lu_test(avoiders->mask, layers_of(frame, lists, k)));
  if (frame->groups->features & FEATURE_SIGHT && lm_any(in)) in = without_unseen(avoiders, lists, k, in);
  if (!lm_any(in)) return in;
  const lv3 u = lv3_sub(avoiders->v, (lv3){it.vx, lf_zero(), it.vz}, false);
  *line = half_plane(avoiders, d, d2, u, reach);
  return lf_less_where(in, lf_negate(avoiders->limit), line->c);
}

#endif
