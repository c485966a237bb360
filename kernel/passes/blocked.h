/* blocked.h: how long agents have been blocked: the memory of yielding. Formulas: docs/ARITHMETIC.md, "Yielding".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_BLOCKED_H
#define THRONG_KERNEL_PASSES_BLOCKED_H

#include "passes/block.h"

#define PATIENCE 0.3f     /* seconds: an agent with a longer blocked time is impatient */
#define MOST_BLOCKED 1.0f /* seconds: the longest blocked time */
#define BLOCKED_PACE 0.2f /* the fraction of max_speed below which an agent may be blocked */

LANES_INLINE bool is_impatient(const struct columns *front, uint32_t slot) {
  return front->f[COLUMN_BLOCKED_TIME][slot] > PATIENCE;
}
LANES_INLINE lm load_impatient(const struct columns *front, uint32_t at) {
  return lf_greater(lf_load(front->f[COLUMN_BLOCKED_TIME] + at), lf_set1(PATIENCE));
}

/* How far an agent at p with velocity v moves in a frame if nothing stops it. Both ends are rounded, so that rounding
 * alone blocks no agent. */
LANES_INLINE lf free_way(const struct frame *frame, lv3 p, lv3 v, bool spatial) {
  const lv3 end = lv3_add(p, lv3_scale(v, lf_set1(frame->dt), spatial), spatial), way = lv3_sub(end, p, spatial);
  return lf_sqrt(lv3_dot(way, way, spatial));
}

/* Reciprocal avoidance lets an agent stand before others that do not move either. So it keeps a distance for the lanes
 * `who` of agents at p: how far they wished to move before it changed their velocity. All other agents have -1.
 * Vehicles and rigid bodies may be slower than they wish, so they do not count. */
LANES_INLINE void keep_wished_way(const struct frame *frame, const struct lane_groups *groups, uint32_t at, lm who,
                                  lv3 p, lv3 wish, uint32_t lanes, bool spatial) {
  const lf zero = lf_zero(), damp = load_param(frame, groups, PARAM_DAMP);
  who = lf_less_where(who, load_param(frame, groups, PARAM_THRUST), zero);
  who = lf_less_where(who, load_param(frame, groups, PARAM_ENGINE), zero);
  const lf way = free_way(frame, p, lv3_scale(wish, damp, spatial), spatial);
  lf_store_first(frame->wished + at, lf_select(who, way, lf_set1(-1.0f)), lanes);
}

/* Integration writes to the back column, for note_blocked, how far agents at p with the velocity v would move in a
 * frame if nothing stopped them. A distance that reciprocal avoidance kept takes its place. */
LANES_INLINE void keep_wanted_way(const struct frame *frame, uint32_t at, lv3 p, lv3 v, uint32_t lanes, bool spatial) {
  lf way = free_way(frame, p, v, spatial);
  if (frame->wished) {
    const lf wished = lf_load_first(frame->wished + at, lanes);
    way = lf_select(lf_greater_equal(wished, lf_zero()), wished, way);
  }
  lf_store_first(frame->back->f[COLUMN_BLOCKED_TIME] + at, way, lanes);
}

/* Writes the blocked times of agents that moved by `way` in this frame. A time that grows is written negative: only an
 * agent close to scenery, or to a body that is an obstacle, is blocked. note_body_obstacles and
 * throng_constrain_blocked find those. */
LANES_INLINE void note_blocked(const struct frame *frame, uint32_t at, lv3 way, uint32_t lanes, bool spatial) {
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  const lf dt = lf_set1(frame->dt), speed = load_max_speed(frame, &groups, at);
  const lf limit = load_limit(frame, &groups, at, PARAM_MAX_ACCELERATION);
  const lf wanted = lf_load_first(frame->back->f[COLUMN_BLOCKED_TIME] + at, lanes);
  const lf moved = lf_sqrt(lv3_dot(way, way, spatial));
  const lf least = lf_mul(lf_min(limit, speed), lf_set1(0.5f * (frame->dt * frame->dt)));
  lm blocked = lf_greater(load_param(frame, &groups, PARAM_CONTACT), lf_zero());
  blocked = lm_and(blocked, lf_less(speed, lf_set1(INFINITY)));
  blocked = lm_and(blocked, lf_greater(lf_sub(wanted, moved), least));
  blocked = lm_and(blocked, lf_less(moved, lf_mul(speed, lf_set1(BLOCKED_PACE * frame->dt))));

  const lf time = lf_load(frame->front->f[COLUMN_BLOCKED_TIME] + at);
  const lf longer = lf_min(lf_add(time, dt), lf_set1(MOST_BLOCKED)), shorter = lf_max(lf_sub(time, dt), lf_zero());
  lf_store_first(frame->back->f[COLUMN_BLOCKED_TIME] + at, lf_select(blocked, lf_negate(longer), shorter), lanes);
}

#endif
