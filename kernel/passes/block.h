/* block.h: loads and stores the values of consecutive agents, one per lane. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_BLOCK_H
#define THRONG_KERNEL_PASSES_BLOCK_H

#include "base/arithmetic.h"
#include "base/compiler.h"
#include "lanes/math.h"
#include "passes/own.h"

_Static_assert(LANES <= BLOCK_AGENTS, "a strip's scratch has capacity for a whole block after its agents");
_Static_assert(STRIP_AGENTS % LANES == 0, "strips are cut into whole blocks");

LANES_INLINE lv3 load_lv3(float *const column[3], uint32_t at, bool spatial) {
  return (lv3){lf_load(column[0] + at), spatial ? lf_load(column[1] + at) : lf_zero(), lf_load(column[2] + at)};
}
/* One agent's vector in every lane. */
LANES_INLINE lv3 broadcast_lv3(float *const column[3], uint32_t at, bool spatial) {
  return (lv3){lf_set1(column[0][at]), spatial ? lf_set1(column[1][at]) : lf_zero(), lf_set1(column[2][at])};
}
/* Loads only the first `lanes` agents. Use it for back columns: another worker may be writing the slots after this
 * strip's agents. */
LANES_INLINE lv3 load_lv3_first(float *const column[3], uint32_t at, uint32_t lanes, bool spatial) {
  return (lv3){lf_load_first(column[0] + at, lanes), spatial ? lf_load_first(column[1] + at, lanes) : lf_zero(),
               lf_load_first(column[2] + at, lanes)};
}
LANES_INLINE void store_lv3(float *const column[3], uint32_t at, lv3 a, uint32_t lanes, bool spatial) {
  lf_store_first(column[0] + at, a.x, lanes);
  if (spatial) lf_store_first(column[1] + at, a.y, lanes);
  lf_store_first(column[2] + at, a.z, lanes);
}
/* Stores to a strip's scratch, which has capacity for a whole block. */
LANES_INLINE void store_scratch(float (*scratch)[STRIP_CAPACITY], uint32_t at, lv3 a, bool spatial) {
  ASSERT_ALONE(at <= STRIP_CAPACITY - LANES);
  lf_store(scratch[0] + at, a.x);
  if (spatial) lf_store(scratch[1] + at, a.y);
  lf_store(scratch[2] + at, a.z);
}

/* Returns the lanes whose bits are set. */
LANES_INLINE lm lanes_of_bits(uint32_t bits) {
  ASSERT_ALONE((uint64_t)bits >> LANES == 0);
  lm lanes = lm_first(0);
  for (uint32_t k = 0; bits >> k; k++) {
    if (bits >> k & 1) lanes = lm_or(lanes, lm_lane(k));
  }
  return lanes;
}

LANES_INLINE uint32_t lanes_left(uint32_t at, uint32_t end) {
  ASSERT_ALONE(at < end);
  return end - at < LANES ? end - at : LANES;
}

/* The groups of a block's agents. `uniform`: there is one live group, and its values are broadcast. `few`: there are so
 * few groups that values are looked up in registers. */
struct lane_groups {
  bool uniform, few;
  const uint32_t *meta; /* [LANES] */
};

LANES_INLINE void load_groups(struct lane_groups *lane, const struct frame *frame, uint32_t at) {
  ASSERT_ALONE(frame->groups->largest < frame->groups->row);
  lane->uniform = (frame->groups->features & FEATURE_UNIFORM) != 0;
  lane->few = frame->groups->largest < LANE_LOOKUP;
  lane->meta = frame->front->meta + at;
}
/* The group number of each lane. */
LANES_INLINE lu lane_group(const struct lane_groups *lane) { return lu_and(lu_load(lane->meta), lu_set1(0xFFu)); }
LANES_INLINE lf load_param(const struct frame *frame, const struct lane_groups *lane, int param) {
  const float *table = group_row(frame->groups, param);
  if (lane->uniform) return lf_set1(table[meta_group(lane->meta[0])]);
  if (LANE_LOOKUP >= THRONG_MAX_GROUPS || lane->few) return lf_lookup(table, lane_group(lane));
  return lf_gather(table, lane_group(lane));
}
LANES_INLINE lu load_mask(const struct frame *frame, const struct lane_groups *lane, int rule) {
  return lf_bits(load_param(frame, lane, PARAM_MASK + rule));
}
/* Loads each agent's own value, or its group's if it has none. */
LANES_INLINE lf load_own_or_param(const struct frame *frame, const struct lane_groups *lane, uint32_t at, int column,
                                  int param) {
  const float *own = frame->front->f[column];
  if (!own) return load_param(frame, lane, param);
  lf value = lf_load(own + at);
  return lf_select(lf_equal(value, value), value, load_param(frame, lane, param)); /* NaN: no own value */
}
/* Loads the agents' maximum speeds; S of the formulas, which is 0 where max_speed is infinite. */
LANES_INLINE lf load_max_speed(const struct frame *frame, const struct lane_groups *lane, uint32_t at) {
  return load_own_or_param(frame, lane, at, COLUMN_MAX_SPEED, PARAM_MAX_SPEED);
}
LANES_INLINE lf load_desired_speed(const struct frame *frame, const struct lane_groups *lane, uint32_t at) {
  return load_own_or_param(frame, lane, at, COLUMN_MAX_SPEED, PARAM_DESIRED_SPEED);
}
/* Loads the agents' maximum yaw rates; and the longest turns in a frame, as PARAM_MAX_TURN. */
LANES_INLINE lf load_max_yaw_rate(const struct frame *frame, const struct lane_groups *lane, uint32_t at) {
  return load_own_or_param(frame, lane, at, COLUMN_MAX_YAW_RATE, PARAM_MAX_YAW_RATE);
}
LANES_INLINE lf load_max_turn(const struct frame *frame, const struct lane_groups *lane, uint32_t at) {
  const lf of_group = load_param(frame, lane, PARAM_MAX_TURN);
  const float *own = frame->front->f[COLUMN_MAX_YAW_RATE];
  if (!own) return of_group;
  lf rate = lf_load(own + at), turn = lf_min(lf_mul(rate, lf_set1(frame->dt)), lf_set1(MOST_TURN));
  return lf_select(lf_equal(rate, rate), turn, of_group);
}
/* Loads the agents' bodies over their group's where body lengths are those of the agents; 1 elsewhere. These functions
 * are called in few worlds: in line they would make every variant of the neighbour walk longer. */
static OUT_OF_LINE lf load_body_scale(const struct frame *frame, const struct lane_groups *lane, uint32_t at) {
  const lf one = lf_set1(1.0f), measure = load_param(frame, lane, PARAM_OWN_BODIES);
  if (!frame->front->f[COLUMN_BODY_RADIUS]) return one;
  lf own = lf_load(frame->front->f[COLUMN_BODY_RADIUS] + at);
  return lf_select(lm_and(lf_equal(own, own), lf_greater(measure, lf_zero())), lf_div(own, measure), one);
}
/* Returns the perception radii where those of groups are measured in bodies. */
static OUT_OF_LINE lf perception_in_bodies(const struct frame *frame, const struct lane_groups *lane, uint32_t at,
                                           lf radius) {
  lm scaled = lf_greater(load_param(frame, lane, PARAM_PERCEPTION_IN_BODIES), lf_zero());
  const float *own = frame->front->f[COLUMN_PERCEPTION_RADIUS];
  if (own) scaled = lm_without(scaled, lf_equal(lf_load(own + at), lf_load(own + at)));
  const lf most = lf_set1(frame->grid->space->radius);
  return lf_select(scaled, lf_min(lf_mul(radius, load_body_scale(frame, lane, at)), most), radius);
}
/* Loads the agents' perception radii. */
LANES_INLINE lf load_perception(const struct frame *frame, const struct lane_groups *lane, uint32_t at) {
  lf radius = load_own_or_param(frame, lane, at, COLUMN_PERCEPTION_RADIUS, PARAM_PERCEPTION_RADIUS);
  return frame->groups->features & FEATURE_OWN_BODIES ? perception_in_bodies(frame, lane, at, radius) : radius;
}
/* Loads the unit of look_ahead: a metre, or a body length. */
LANES_INLINE lf load_feeler_unit(const struct frame *frame, const struct lane_groups *lane, uint32_t at) {
  lf unit = load_param(frame, lane, PARAM_FEELER_UNIT);
  if (!(frame->groups->features & FEATURE_OWN_BODIES)) return unit;
  const lm bodies = lf_greater(load_param(frame, lane, PARAM_FEELER_IN_BODIES), lf_zero());
  return lf_select(bodies, lf_mul(unit, load_body_scale(frame, lane, at)), unit);
}

/* Returns the lanes with a maximum speed of their own whose group has a bit of enum from_speed. Sets *speed to it. */
LANES_INLINE lm load_own_speed(const struct frame *frame, const struct lane_groups *lane, uint32_t at, uint32_t bit,
                               lf *speed) {
  const float *own = frame->front->f[COLUMN_MAX_SPEED];
  *speed = lf_zero();
  if (!own) return lm_first(0);
  *speed = lf_load(own + at);
  return lm_and(lf_equal(*speed, *speed), lu_test(lf_bits(load_param(frame, lane, PARAM_FROM_SPEED)), lu_set1(bit)));
}
/* Loads the group's mass / the agent's, 1 for agents without a mass of their own. `turns`: the ratio of their moments
 * of inertia, which is 1 in groups with a moment_of_inertia. */
LANES_INLINE lf load_mass_ratio(const struct frame *frame, const struct lane_groups *lane, uint32_t at, bool turns) {
  lf mass = lf_load(frame->front->f[COLUMN_MASS] + at), ratio = lf_div(load_param(frame, lane, PARAM_MASS), mass);
  ratio = lf_min(lf_max(ratio, lf_set1(LEAST_MASS_RATIO)), lf_set1(MOST_MASS_RATIO));
  lm own = lf_equal(mass, mass); /* NaN: no own value */
  if (turns) own = lm_without(own, lf_greater(load_param(frame, lane, PARAM_INERTIA), lf_zero()));
  return lf_select(own, ratio, lf_set1(1.0f));
}
LANES_INLINE lm steers_by_force(const struct frame *frame, const struct lane_groups *lane) {
  return lf_greater(load_param(frame, lane, PARAM_IS_FORCE), lf_zero());
}
/* Loads a group's limit that is a force or a torque, as the acceleration that it gives each agent. The limit of the
 * group is the acceleration of an agent with the group's mass: docs/ARITHMETIC.md, "Masses". `wanted`: the limit of
 * what agents want, which is that of the group's mass where steering is a force. */
LANES_INLINE lf load_limit_of(const struct frame *frame, const struct lane_groups *lane, uint32_t at, int param,
                              bool wanted) {
  lf limit = load_param(frame, lane, param);
  if (!frame->front->f[COLUMN_MASS]) return limit;
  lf ratio = load_mass_ratio(frame, lane, at, param == PARAM_MAX_YAW_ACCELERATION);
  if (wanted && frame->groups->features & FEATURE_FORCE) {
    ratio = lf_select(steers_by_force(frame, lane), lf_set1(1.0f), ratio);
  }
  return lf_mul(limit, ratio);
}
LANES_INLINE lf load_limit(const struct frame *frame, const struct lane_groups *lane, uint32_t at, int param) {
  return load_limit_of(frame, lane, at, param, false);
}
LANES_INLINE lf load_wanted_limit(const struct frame *frame, const struct lane_groups *lane, uint32_t at, int param) {
  return load_limit_of(frame, lane, at, param, true);
}
/* Loads by what the wanted acceleration is multiplied: 1, but a ratio of masses or moments of inertia where steering is
 * a force. */
LANES_INLINE lf load_share(const struct frame *frame, const struct lane_groups *lane, uint32_t at, bool turns) {
  const lf one = lf_set1(1.0f);
  if (!(frame->groups->features & FEATURE_FORCE) || !frame->front->f[COLUMN_MASS]) return one;
  return lf_select(steers_by_force(frame, lane), load_mass_ratio(frame, lane, at, turns), one);
}
/* Loads the wanted acceleration per m/s (rad/s) of a change within the frame: 1 / dt if steering is no force. */
LANES_INLINE lf load_rate(const struct frame *frame, const struct lane_groups *lane, uint32_t at, bool turns) {
  if (!(frame->groups->features & FEATURE_FORCE)) return lf_set1(frame->rate);
  return lf_div(lf_set1(frame->rate), load_share(frame, lane, at, turns));
}

/* Loads the facing as a vector: (sin yaw, cos yaw) in planar worlds. */
LANES_INLINE lv3 load_facing(const struct frame *frame, uint32_t at, bool spatial) {
  float *const *column = frame->front->f + COLUMN_FACING_X;
  if (spatial) return load_lv3(column, at, true);
  lv3 facing = lv3_zero();
  lf_sincos(lf_load(column[0] + at), &facing.x, &facing.z);
  return facing;
}
/* One agent's facing in every lane. */
LANES_INLINE lv3 broadcast_facing(const struct frame *frame, uint32_t at, bool spatial) {
  float *const *column = frame->front->f + COLUMN_FACING_X;
  if (spatial) return broadcast_lv3(column, at, true);
  lv3 facing = lv3_zero();
  lf_sincos(lf_set1(column[0][at]), &facing.x, &facing.z);
  return facing;
}
/* The unit vector to the right of a facing. */
LANES_INLINE lv3 right_of(lv3 facing, bool spatial) {
  lv3 right = {lf_negate(facing.z), lf_zero(), facing.x};
  if (!spatial) return right;
  lf q = lf_add(lf_mul(right.x, right.x), lf_mul(right.z, right.z));
  lm upright = lf_greater(q, lf_set1(LANES_LEAST_SQUARE));
  lf inverse = lf_where(upright, lf_div(lf_set1(1.0f), lf_sqrt(q)));
  right = (lv3){lf_mul(right.x, inverse), lf_zero(), lf_mul(right.z, inverse)};
  right.x = lf_select(upright, right.x, lf_set1(-1.0f));
  return right;
}

/* The horizontal direction of a facing of a spatial world; +z if it is vertical. */
LANES_INLINE lv3 level_of(lv3 facing) {
  lv3 right = right_of(facing, true);
  return (lv3){right.z, lf_zero(), lf_negate(right.x)};
}

LANES_INLINE lf yaw_of(lv3 a) { return lf_atan2(a.x, a.z); }

/* Returns what must be added to a difference along a periodic axis to get the minimum image: -length, 0 or length. */
LANES_INLINE lf image_shift(lf difference, float length) {
  lf half = lf_set1(length * 0.5f);
  lf shift = lf_where(lf_less(difference, lf_negate(half)), lf_set1(length));
  return lf_select(lf_greater(difference, half), lf_set1(-length), shift);
}
LANES_INLINE lf axis_difference(const struct grid_axis *axis, lf to, lf from) {
  if (axis->period == 0) return lf_sub(to, from);
  return lf_sub(lf_add(to, image_shift(lf_sub(to, from), axis->length)), from);
}
/* to - from; along periodic axes the minimum image. */
LANES_INLINE lv3 world_difference(const struct grid *grid, lv3 to, lv3 from, bool spatial) {
  return (lv3){axis_difference(&grid->space->axis[0], to.x, from.x),
               spatial ? axis_difference(&grid->space->axis[1], to.y, from.y) : lf_zero(),
               axis_difference(&grid->space->axis[2], to.z, from.z)};
}

LANES_INLINE lf axis_image(const struct grid_axis *axis, lf w, lf middle) {
  if (axis->period == 0) return w;
  return lf_add(w, image_shift(lf_sub(w, middle), axis->length));
}
/* The image of w that is nearest to `middle`. */
LANES_INLINE lv3 nearest_image(const struct grid *grid, lv3 w, lv3 middle, bool spatial) {
  const struct grid_axis *axis = grid->space->axis;
  return (lv3){axis_image(&axis[0], w.x, middle.x), spatial ? axis_image(&axis[1], w.y, middle.y) : w.y,
               axis_image(&axis[2], w.z, middle.z)};
}

/* The distance from q to [low, high], with the sign of its direction; 0 inside. */
LANES_INLINE lf outside(lf low, lf high, lf q) { return lf_sub(q, lf_max(lf_min(q, high), low)); }

/* Coincident agents count as if they were at points of a lattice. An agent's lattice point is a point of a square (in
 * spatial worlds a cube) of integers that depends on its id index alone. No two agents have the same point. */
LANES_INLINE lv3 lattice_point(lu id, bool spatial) {
  const lu low = lu_set1(0xFFFF), h = lu_mix(id);
  lf y = spatial ? lf_from_int(lu_and(lu_mix(lu_add(h, lu_set1(1))), low)) : lf_zero();
  return (lv3){lf_from_int(lu_and(h, low)), y, lf_from_int(lu_shift_right(h, 16))};
}
/* One agent's lattice point in every lane. */
LANES_INLINE lv3 broadcast_lattice_point(uint32_t id, bool spatial) {
  const uint32_t h = scalar_mix(id);
  lf y = spatial ? lf_set1((float)(scalar_mix(h + 1) & 0xFFFF)) : lf_zero();
  return (lv3){lf_set1((float)(h & 0xFFFF)), y, lf_set1((float)(h >> 16))};
}
/* Returns the unit vector that is used as the direction from an agent to a coincident one. For the other agent it is
 * the opposite vector. */
LANES_INLINE lv3 coincident_direction(lu id, lu other, bool spatial) {
  lv3 way = lv3_sub(lattice_point(other, spatial), lattice_point(id, spatial), spatial);
  return lv3_scale(way, lv3_inv_len(way, spatial), spatial);
}

#endif
