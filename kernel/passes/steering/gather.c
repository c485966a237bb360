/* gather.c: arrive with `gather`: agents stop at the crowd that waits at their target, and make way for those who come
 * later. Only agents within the perception radius count, and scenery within it. Formulas: docs/ARITHMETIC.md, "Gather".
 * SPDX-License-Identifier: MIT */
#include "base/compiler.h"
#include "passes/dense.h"
#include "passes/steering/aim.h"
#include "scenery/doors.h"

/* The agents of a block that gather, and what they find around them. */
struct gathering {
  const struct frame *frame;
  uint32_t at, lanes;
  lm who;
  struct aim aim;
  lv3 goal;     /* the goal column; x is NaN without a goal */
  lm by_goal;   /* the target is the goal; otherwise all agents of the group share it, except where each has its own */
  bool owns;    /* some lanes have their own targets: */
  lm by_own;    /* they share it with agents of the group that have the same target */
  lu target[2]; /* bits of their targets */
  lf share_sq;  /* goals at most that far apart are one: square of the target radius */
  lm settles, slow; /* slow: only of those that settle */
  lf reach, radius_sq, body, distance_sq, rest_sq;
  lu group;
  lf filled;  /* sum of squares, in spatial worlds cubes, of the bodies that wait nearer to the target */
  lf closing; /* the speed at which the fastest neighbour comes closer */
  lv3 away;   /* unit vector away from it */
};

#define SLOW_TO_SETTLE 0.25f   /* the fraction of max_speed up to which an agent may settle far from its target */
#define ENOUGH_TO_STAY 0.6667f /* the part of the bodies that stop an agent that then keeps it where it is */

LANES_INLINE lf length_of(lv3 a, bool spatial) { return lf_sqrt(lv3_dot(a, a, spatial)); }

LANES_INLINE void load_gathering(struct gathering *g, const struct frame *frame, const struct strip *strip,
                                 const struct entry_block *block, bool spatial) {
  g->frame = frame;
  g->at = block->at;
  load_aim(&g->aim, frame, strip, block, spatial);
  g->goal = load_goal(frame, block->at, spatial);
  g->by_goal = with_target(frame, strip, block, THE_TARGET, THRONG_TARGET_GOAL);
  g->owns = frame->front->f[COLUMN_TARGET_INDEX] && uses_target(frame, strip, THE_TARGET, THRONG_TARGET_OWN);
  g->by_own = g->owns ? with_target(frame, strip, block, THE_TARGET, THRONG_TARGET_OWN) : lm_first(0);
  for (int c = 0; c < 2; c++)
    g->target[c] = g->owns ? lf_bits(lf_load(frame->front->f[COLUMN_TARGET_INDEX + c] + block->at)) : lu_set1(0);
  const lf target_radius =
      load_entry_param(frame, strip, block, ENTRY_PARAMETER + KIND_PARAMETER(arrive, target_radius));
  g->share_sq = lf_mul(target_radius, target_radius);
  const lf settle = load_entry_param(frame, strip, block, ENTRY_PARAMETER + KIND_PARAMETER(arrive, settle));
  g->settles = lf_greater(settle, lf_zero());
  g->reach = load_perception(frame, &block->groups, block->at);
  g->radius_sq = lf_mul(g->reach, g->reach);
  g->body = load_own_or_param(frame, &block->groups, block->at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
  g->distance_sq = lv3_dot(g->aim.dp, g->aim.dp, spatial);
  const lf rest = lf_mul(lf_set1(0.1f), g->aim.speed);
  g->rest_sq = lf_mul(rest, rest);
  const lf slow = lf_mul(lf_set1(SLOW_TO_SETTLE), g->aim.speed);
  g->slow = lf_less_equal_where(g->settles, lv3_dot(g->aim.v, g->aim.v, spatial), lf_mul(slow, slow));
  g->group = lane_group(&block->groups);
  g->filled = g->closing = lf_zero();
  g->away = lv3_zero();
}

/* The lanes that share their target with agent j. Those that settle also do if two bodies on the two goals would be
 * nearer than `room`, and for them an agent without a goal is where it wants to be: `left` from the target. */
LANES_INLINE lm sharing(const struct gathering *g, uint32_t j, lf room, lv3 left, bool spatial) {
  const struct frame *frame = g->frame;
  const lm same_group = lu_equal(g->group, lu_set1(meta_group(frame->front->meta[j])));
  lm same = lm_without(same_group, g->by_goal);
  for (int c = 0; c < 2 && g->owns; c++) {
    const lu other = lf_bits(lf_set1(frame->front->f[COLUMN_TARGET_INDEX + c][j]));
    same = lm_without(same, lm_without(g->by_own, lu_equal(g->target[c], other)));
  }
  float *const *goals = frame->front->f + COLUMN_GOAL_X;
  if (!goals[0]) return same;
  lv3 apart = world_difference(frame->grid, broadcast_lv3(goals, j, spatial), g->goal, spatial);
  if (isnan(goals[0][j])) apart = lv3_select(g->settles, left, apart, spatial);
  const lf share_sq = lf_max(g->share_sq, lf_where(g->settles, lf_mul(room, room)));
  return lm_or(same, lf_less_equal_where(g->by_goal, lv3_dot(apart, apart, spatial), share_sq));
}

/* Adds agent j, which counts as `weight` agents. */
LANES_INLINE void add_waiting(struct gathering *g, uint32_t j, float weight, lv3 shift, bool shifted, bool spatial) {
  const struct frame *frame = g->frame;
  lv3 q = broadcast_lv3(frame->front->f + COLUMN_POSITION_X, j, spatial);
  if (shifted) q = lv3_add(q, shift, spatial);
  const lv3 d = lv3_sub(q, g->aim.p, spatial), left = lv3_sub(g->aim.dp, d, spatial);
  const lf d2 = lv3_dot(d, d, spatial), body = lf_set1(*body_radius_of(frame, j));
  lm share = lm_and(g->who, sharing(g, j, lf_add(g->body, body), left, spatial));
  if (j - g->at < g->lanes) share = lm_without(share, lm_lane(j - g->at));
  share = lf_less_equal_where(share, d2, g->radius_sq);
  if (!lm_any(share)) return;
  const lv3 v = broadcast_lv3(frame->front->f + COLUMN_VELOCITY_X, j, spatial);
  lm waits = lf_less_where(share, lv3_dot(left, left, spatial), g->distance_sq);
  waits = lf_less_equal_where(waits, lv3_dot(v, v, spatial), g->rest_sq);
  const lf square = lf_mul(body, body);
  const lf fills = lf_mul(spatial ? lf_mul(square, body) : square, lf_set1(weight));
  g->filled = lf_add(g->filled, lf_where(waits, fills));

  const lf near = lf_mul(lf_set1(2.0f), lf_add(g->body, body));
  const lm close = lf_less_equal_where(share, d2, lf_mul(near, near));
  const lv3 away = lv3_scale(d, lf_negate(lv3_inv_len(d, spatial)), spatial);
  const lf closing = lv3_dot(v, away, spatial);
  const lm fastest = lf_less_where(close, g->closing, closing);
  g->closing = lf_select(fastest, closing, g->closing);
  g->away = lv3_select(fastest, away, g->away, spatial);
}

LANES_INLINE void look_for_waiting(struct gathering *g, const struct strip *strip, bool one_by_one, bool spatial) {
  const struct grid *grid = g->frame->grid;
  struct window window;
  uint32_t from, to;
  lv3 shift;
  bool shifted;
  make_window(&window, g->frame, strip, g->at, g->lanes, one_by_one, spatial);
  const bool dense = grid->dense && window_is_dense(grid, &window, spatial);
  FOR_EACH_RANGE(grid, dense ? grid->thin_start : grid->start, &window, from, to, shift, shifted, spatial) {
    for (uint32_t k = from; k < to; k++) {
      const struct grid_candidate one = {k, 1.0f}, *candidate = dense ? &grid->candidates[k] : &one;
      add_waiting(g, candidate->slot, candidate->weight, shift, shifted, spatial);
    }
  }
}

/* The lanes whose way to the target is filled by agents who wait. Two volumes may be full: all that is nearer to the
 * target, loosely, or what the agent perceives of it, tightly. */
LANES_INLINE lm is_full(const struct gathering *g, bool spatial) {
  const lf one = lf_set1(1.0f), half = lf_set1(0.5f), b = g->body, r = g->reach, zero = lf_zero();
  const lf distance = lf_sqrt(g->distance_sq), edge = lf_max(lf_sub(distance, b), zero);
  const lf part = lf_div(r, distance);
  lf all = lf_mul(edge, edge), seen;
  if (spatial) {
    all = lf_mul(all, edge);
    seen = lf_mul(lf_mul(lf_mul(lf_mul(half, r), r), r), lf_sub(one, lf_mul(lf_set1(0.375f), part)));
    const lf border =
        lf_sub(lf_mul(lf_mul(lf_set1(0.75f), r), lf_mul(b, r)), lf_mul(lf_mul(lf_set1(1.5f), r), lf_mul(b, b)));
    seen = lf_sub(seen, lf_add(border, lf_mul(lf_mul(b, b), b)));
  } else {
    seen = lf_mul(lf_mul(lf_mul(half, r), r), lf_sub(one, lf_mul(lf_set1(0.25f), part)));
    seen = lf_sub(seen, lf_mul(b, lf_sub(r, b)));
  }
  const lf enough = lf_select(g->slow, lf_set1(ENOUGH_TO_STAY), one);
  const lf loose = lf_mul(enough, lf_set1(spatial ? 0.2f : 0.3f));
  const lf tight = lf_mul(enough, lf_set1(spatial ? 0.5f : 0.75f));
  const lm far = lf_less_where(g->who, lf_mul(half, r), distance);
  const lm behind = lf_less_equal_where(far, lf_mul(tight, seen), g->filled);
  const lm full = lm_or(behind, lf_less_equal_where(g->who, lf_mul(loose, all), g->filled));
  return lm_and(full, lf_greater(g->filled, zero));
}

/* The bits of `asked` whose agents are in or before a door that leads to their target. */
static OUT_OF_LINE uint32_t in_doors(const struct frame *frame, uint32_t at, uint32_t asked, const float *dp_x,
                                     const float *dp_z, const float *body, const float *reach) {
  lanes_rest();
  uint32_t bits = 0;
  float *const *f = frame->front->f;
  for (uint32_t k = 0; asked >> k; k++) {
    if (!(asked >> k & 1)) continue;
    const struct vec p = {(double)f[COLUMN_POSITION_X][at + k], 0.0, (double)f[COLUMN_POSITION_Z][at + k]};
    const struct vec way = {(double)dp_x[k], 0.0, (double)dp_z[k]};
    if (throng_doors_on_way(frame->scenery, frame->cells, p, way, (double)body[k], (double)reach[k])) bits |= 1u << k;
  }
  return bits;
}

LANES_INLINE lm without_doors(const struct gathering *g, lm full) {
  if (!lm_any(full) || !throng_doors_exist(g->frame->scenery, g->frame->cells)) return full;
  float dp_x[LANES], dp_z[LANES], body[LANES], reach[LANES];
  lf_store(dp_x, g->aim.dp.x);
  lf_store(dp_z, g->aim.dp.z);
  lf_store(body, g->body);
  lf_store(reach, g->reach);
  const uint32_t bits = in_doors(g->frame, g->at, lm_bits(full), dp_x, dp_z, body, reach);
  for (uint32_t k = 0; bits >> k; k++) {
    if (bits >> k & 1) full = lm_without(full, lm_lane(k));
  }
  return full;
}

/* The lanes that look for others who wait. Those that settle do so near their targets, and where they are slow. */
LANES_INLINE lm lanes_that_look(const struct gathering *g, lm gathers) {
  const lm near = lf_less_equal_where(g->settles, g->distance_sq, g->radius_sq);
  return lm_or(lm_without(gathers, g->settles), lm_or(near, g->slow));
}

LANES_INLINE void gather_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  const bool one_by_one = throng_grid_periodic_aliased(frame->grid);
  struct entry_block block;
  struct gathering g;
  for (uint32_t at = strip->begin; at < strip->end; at += g.lanes) {
    g.lanes = window_agents(frame->grid, strip, at, LANES, one_by_one);
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_ARRIVE)) continue;
    load_gathering(&g, frame, strip, &block, spatial);
    const lm gathers = lf_greater(ENTRY_VALUE(arrive, gather), lf_zero());
    const lm wants = lm_and(block.wants, lanes_that_look(&g, gathers));
    g.who = lm_and(lm_and(wants, lm_first(g.lanes)), g.aim.exists);
    if (!lm_any(g.who)) continue;
    look_for_waiting(&g, strip, one_by_one, spatial);

    const lm near = lf_less_equal_where(g.who, length_of(g.aim.dp, spatial), ENTRY_VALUE(arrive, target_radius));
    const lm coasts = lm_and(near, lf_greater(ENTRY_VALUE(arrive, coast), lf_zero()));
    const lm stops = lm_without(lm_or(near, without_doors(&g, is_full(&g, spatial))), coasts);
    const lm gives_way = lf_less_where(lm_without(stops, g.settles), lf_mul(lf_set1(0.02f), g.aim.speed), g.closing);
    const lv3 aside = lv3_sub(lv3_scale(g.away, g.closing, spatial), g.aim.v, spatial);
    const lv3 at_once =
        lv3_clip(lv3_scale(aside, load_rate(frame, &block.groups, at, false), spatial), g.aim.limit, spatial);
    const lv3 brake = toward_velocity(&g.aim, lv3_zero(), ENTRY_VALUE(arrive, time_to_target), spatial);
    store_entry_where(strip, at - strip->begin, stops, lv3_select(gives_way, at_once, brake, spatial), spatial);
    leave_out_rules(frame, strip, at - strip->begin, lm_and(stops, g.settles), spatial);
  }
}

DEFINE_PASS(gather)
