/* leaders.c: behaviours in the local coordinates of the agent itself or of a leader, or between two targets. Formulas:
 * docs/ARITHMETIC.md, "Behaviours". SPDX-License-Identifier: MIT */
#include "passes/steering/aim.h"

/* The way of vehicles to the target. A chaser never drives backward. */
LANES_INLINE lv3 way_forward(struct aim *aim, const struct frame *frame, const struct strip *strip,
                             const struct entry_block *block, bool spatial) {
  const lm all = lm_first(LANES), none = lm_first(0);
  struct route route = {.backing = lf_zero(),
                        .dp = aim->dp,
                        .near = lf_zero(),
                        .time = lf_zero(),
                        .places = all,
                        .turns = none,
                        .stops = none};
  route.settles = is_slow(aim, load_target_velocity(frame, strip, block, THE_TARGET, spatial), spatial);
  return take_route(aim, frame, block, &route);
}

LANES_INLINE void chase_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_CHASE)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    struct pursuit how = {.turn = ENTRY_VALUE(chase, turn), .slow = ENTRY_VALUE(chase, slow_distance)};
    lf cosine;
    lf_sincos(ENTRY_VALUE(chase, dead_band), &how.sine, &cosine);
    how.evades = lf_less(how.turn, lf_zero());
    lv3 f = load_facing(frame, at, spatial), way = aim.dp;
    if (has_routes(frame)) way = way_forward(&aim, frame, strip, &block, spatial);
    lv3 d = lv3_select(how.evades, lv3_negate(aim.dp, spatial), way, spatial);
    lv3 a = chase_along(&aim, &how, f, d, spatial);
    if (has_routes(frame))
      a = lv3_select(how.evades, a, hold_back(frame, a, aim.v, aim.heading, aim.fastest, spatial), spatial);
    store_entry(frame, strip, &block, lv3_where(aim.exists, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(chase)

/* Converts (right, up, forward) of a facing to the world's axes. */
LANES_INLINE lv3 in_frame(lv3 facing, lf right, lf up, lf forward, bool spatial) {
  lv3 r = right_of(facing, spatial);
  lv3 place = lv3_add(lv3_scale(r, right, spatial), lv3_scale(facing, forward, spatial), spatial);
  if (!spatial) return place;
  lv3 above = {lf_sub(lf_mul(r.y, facing.z), lf_mul(r.z, facing.y)),
               lf_sub(lf_mul(r.z, facing.x), lf_mul(r.x, facing.z)),
               lf_sub(lf_mul(r.x, facing.y), lf_mul(r.y, facing.x))};
  return lv3_add(place, lv3_scale(above, up, true), true);
}

LANES_INLINE void offset_pursuit_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_OFFSET_PURSUIT)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lv3 facing = load_target_facing(frame, strip, &block, spatial);
    lv3 offset = in_frame(facing, ENTRY_VALUE(offset_pursuit, right), ENTRY_VALUE(offset_pursuit, up),
                          ENTRY_VALUE(offset_pursuit, forward), spatial);
    lv3 u = load_target_velocity(frame, strip, &block, THE_TARGET, spatial), d = lv3_add(aim.dp, offset, spatial);
    lf time = time_to_reach(&aim, d, ENTRY_VALUE(offset_pursuit, max_prediction), spatial);
    lf near = ENTRY_VALUE(offset_pursuit, target_radius), soon = ENTRY_VALUE(offset_pursuit, time_to_target);
    lv3 way = way_to_place(&aim, frame, &block, after(d, u, time, spatial), u, near, soon, true, spatial);
    lv3 a = arrive_along(&aim, way, ENTRY_VALUE(offset_pursuit, slow_radius), near, soon, spatial);
    store_entry(frame, strip, &block, lv3_where(aim.exists, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(offset_pursuit)

/* (right, up, forward) of the agents' places; NaN in lanes without one. */
LANES_INLINE lv3 load_slots(const struct frame *frame, const struct entry_block *block, lf number) {
  static const float none[PLACE_FLOATS] = {NAN, NAN, NAN, NAN};
  lf own = lf_load(frame->front->f[COLUMN_FORMATION_PLACE] + block->at);
  own = lf_select(lm_and(block->wants, lf_equal(own, own)), own, lf_set1((float)THRONG_MAX_FORMATION_PLACES));
  uint32_t formation_of[LANES], index[LANES];
  const float *slot[LANES];
  lu_store(formation_of, lf_truncate(lf_where(block->wants, number)));
  lu_store(index, lf_truncate(own));
  for (uint32_t k = 0; k < LANES; k++) {
    ASSERT_ALONE(formation_of[k] < THRONG_MAX_FORMATIONS);
    const struct formation *formation = &frame->formation[formation_of[k]];
    slot[k] = index[k] < formation->places ? formation->place + PLACE_FLOATS * (size_t)index[k] : none;
  }
  lf value[PLACE_FLOATS];
  lf_load_fours(value, slot);
  return (lv3){value[0], value[1], value[2]};
}

LANES_INLINE void formation_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  lv3 facing = lv3_zero();
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_FORMATION)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lv3 slot = load_slots(frame, &block, ENTRY_VALUE(formation, index));
    const bool own = uses_target(frame, strip, THE_TARGET, THRONG_TARGET_OWN);
    if (at == strip->begin || own || !block.groups.uniform) /* the same for all blocks of one group with one target */
      facing = load_target_facing(frame, strip, &block, spatial);
    lv3 d = lv3_add(aim.dp, in_frame(facing, slot.x, slot.y, slot.z, spatial), spatial);
    d = nearest_image(frame->grid, d, lv3_zero(), spatial);
    lf near = ENTRY_VALUE(formation, target_radius), time = ENTRY_VALUE(formation, time_to_target);
    d = way_to_target(&aim, frame, strip, &block, d, near, time, true, spatial);
    lv3 w = arrive_velocity(&aim, d, ENTRY_VALUE(formation, slow_radius), near, spatial);
    lv3 along = lv3_add(load_target_velocity(frame, strip, &block, THE_TARGET, spatial), w, spatial);
    lv3 a = toward_velocity(&aim, lv3_clip(along, aim.speed, spatial), time, spatial);
    lm placed = lm_and(aim.exists, lf_equal(slot.x, slot.x));
    store_entry(frame, strip, &block, lv3_where(placed, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(formation)

LANES_INLINE void clear_way_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_CLEAR_WAY)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lf width = ENTRY_VALUE(clear_way, width);
    lv3 facing = load_target_facing(frame, strip, &block, spatial), d = lv3_negate(aim.dp, spatial);
    lf ahead = lv3_dot(facing, d, spatial);
    lv3 aside = lv3_sub(d, lv3_scale(facing, ahead, spatial), spatial);
    lf off = lv3_dot(aside, aside, spatial);
    lm in_way = lm_and(lf_greater(ahead, lf_zero()), lf_less_equal(ahead, ENTRY_VALUE(clear_way, length)));
    in_way = lm_and(in_way, lf_less_equal(off, lf_mul(width, width)));
    lv3 side = lv3_scale(aside, lv3_inv_len(aside, spatial), spatial);
    side = lv3_select(lf_greater(off, lf_zero()), side, right_of(facing, spatial), spatial);
    lv3 a = lv3_scale(side, aim.limit, spatial);
    store_entry(frame, strip, &block, lv3_where(lm_and(aim.exists, in_way), a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(clear_way)

LANES_INLINE void interpose_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  const lf half = lf_set1(0.5f);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_INTERPOSE)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lv3 other = load_target(frame, strip, &block, THE_OTHER, spatial);
    lm both = lm_and(aim.exists, lf_equal(other.x, other.x));
    lv3 d = world_difference(frame->grid, other, aim.p, spatial);
    lv3 u = load_target_velocity(frame, strip, &block, THE_TARGET, spatial),
        w = load_target_velocity(frame, strip, &block, THE_OTHER, spatial);
    lv3 middle = lv3_scale(lv3_add(aim.dp, d, spatial), half, spatial);
    lf time = time_to_reach(&aim, middle, ENTRY_VALUE(interpose, max_prediction), spatial);
    lv3 met = lv3_add(after(aim.dp, u, time, spatial), after(d, w, time, spatial), spatial);
    lf near = ENTRY_VALUE(interpose, target_radius), soon = ENTRY_VALUE(interpose, time_to_target);
    lv3 pace = lv3_scale(lv3_add(u, w, spatial), half, spatial);
    lv3 way = way_to_place(&aim, frame, &block, lv3_scale(met, half, spatial), pace, near, soon, true, spatial);
    lv3 a = arrive_along(&aim, way, ENTRY_VALUE(interpose, slow_radius), near, soon, spatial);
    store_entry(frame, strip, &block, lv3_where(both, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(interpose)
