/* zone_speeds.c: the agents' maximum speeds in speed zones. Formula: docs/ARITHMETIC.md, "Speed zones".
 * SPDX-License-Identifier: MIT */
#include "base/compiler.h"
#include "passes/steering/surroundings.h"

/* Returns the lanes whose positions are in the zone. */
LANES_INLINE lm in_zone(const struct grid *grid, const struct speed_zone *zone, lv3 p, bool spatial) {
  const throng_vec3 c = zone->given.centre;
  const lv3 centre = {lf_set1(c.x), lf_set1(c.y), lf_set1(c.z)};
  const lv3 d = world_difference(grid, p, centre, spatial);
  lm inside;
  if (zone->given.shape == THRONG_SPEED_ZONE_CIRCLE) {
    inside = lf_less_equal(lv3_dot(d, d, false), lf_set1(zone->radius_sq));
  } else {
    const lf sine = lf_set1(zone->sine), cosine = lf_set1(zone->cosine);
    const lf across = lf_sub(lf_mul(d.x, cosine), lf_mul(d.z, sine));
    const lf along = lf_add(lf_mul(d.x, sine), lf_mul(d.z, cosine));
    inside = lm_and(lf_less_equal(lf_abs(across), lf_set1(zone->half_width)),
                    lf_less_equal(lf_abs(along), lf_set1(zone->half_length)));
  }
  return spatial ? lm_and(inside, lf_less_equal(lf_abs(d.y), lf_set1(zone->half_height))) : inside;
}

/* Writes the raster's factor for each lane of `who`, the agents at (x, z); INFINITY for the others. Lanes look up their
 * cells one by one, because cell numbers are exact: in double precision. */
static OUT_OF_LINE void look_up_raster(const struct speed_zones *zones, uint32_t who, const float x[LANES],
                                       const float z[LANES], float factor[LANES]) {
  lanes_rest();
  for (uint32_t k = 0; k < LANES; k++) factor[k] = who >> k & 1 ? throng_speed_raster_at(zones, x[k], z[k]) : INFINITY;
}
LANES_INLINE lf raster_factor(const struct speed_zones *zones, lu layers, lv3 p, lm who) {
  float x[LANES], z[LANES], factor[LANES];
  lf_store(x, p.x);
  lf_store(z, p.z);
  look_up_raster(zones, lm_bits(lu_test_where(who, layers, lu_set1(zones->mask))), x, z, factor);
  return lf_load(factor);
}

/* Returns the smallest factor of the zones, and of the raster, that each lane of `who` is in; INFINITY if it is in
 * none. */
LANES_INLINE lf least_factor(const struct frame *frame, const struct lane_groups *groups, lv3 p, lm who, bool spatial) {
  const struct speed_zones *zones = frame->speed_zones;
  const lu layers = lf_bits(load_param(frame, groups, PARAM_LAYER));
  lf factor = zones->factor ? raster_factor(zones, layers, p, who) : lf_set1(INFINITY);
  struct surroundings near;
  const struct shape *area;
  look_for(&near, &zones->reach.areas, frame, p, who, lf_zero(), true, true);
  while ((area = next_shape(&near, false))) { /* areas lie on the ground */
    const struct speed_zone *zone = &zones->list[zones->reach.of[area - zones->reach.areas.shape]];
    const lm slowed = lu_test_where(near.here, layers, lu_set1(zone->given.mask));
    if (!lm_any(slowed)) continue;
    const lm inside = lm_and(slowed, in_zone(frame->grid, zone, p, spatial));
    factor = lf_select(inside, lf_min(factor, lf_set1(zone->given.factor)), factor);
  }
  return factor;
}

/* Whether some zone may be near the strip's agents. A raster always counts as near. */
static bool meets_zones(const struct frame *frame, const struct strip *strip) {
  struct scenery_list list;
  if (frame->speed_zones->factor) return true;
  list.scenery = &frame->speed_zones->reach.areas;
  list.from = list.count = list.word = 0;
  list.to = list.scenery->shapes;
  list.pages = 0;
  for (int axis = 0; axis < 3; axis += 2) {
    const float *p = frame->front->f[COLUMN_POSITION_X + axis];
    lf low = lf_set1(p[strip->begin]), high = low;
    for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
      const lf q = lf_select(lm_first(lanes_left(at, strip->end)), lf_load(p + at), low);
      low = lf_min(low, q);
      high = lf_max(high, q);
    }
    list.low[axis] = (double)lf_lowest(low) - scenery_margin(list.scenery, 0.0f);
    list.high[axis] = (double)lf_highest(high) + scenery_margin(list.scenery, 0.0f);
  }
  return throng_scenery_list(&list);
}

/* Returns the agents' maximum speeds; NaN for the group's. `own`: those of their own. */
LANES_INLINE lf zoned_speed(const struct frame *frame, uint32_t at, uint32_t lanes, lf own, bool spatial) {
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  const lv3 p = load_lv3(frame->front->f + COLUMN_POSITION_X, at, spatial);
  const lf factor = least_factor(frame, &groups, p, lm_first(lanes), spatial);
  const lf speed = lf_select(lf_equal(own, own), own, load_param(frame, &groups, PARAM_MAX_SPEED));
  const lm zoned = lm_and(lf_less(factor, lf_set1(INFINITY)), lf_less(speed, lf_set1(INFINITY)));
  return lf_select(zoned, lf_min(lf_mul(speed, factor), lf_set1(MOST_ZONED_SPEED)), own);
}

LANES_INLINE void zone_speeds_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  float *to = frame->front->f[COLUMN_MAX_SPEED];
  ASSERT_ALONE(to && to != frame->own_speed); /* the host reads its own ones again */
  const bool meets = strip->begin < strip->end && meets_zones(frame, strip);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    const lf own = frame->own_speed ? lf_load(frame->own_speed + at) : lf_set1(NAN);
    lf_store_first(to + at, meets ? zoned_speed(frame, at, lanes, own, spatial) : own, lanes);
  }
}

DEFINE_PASS(zone_speeds)
