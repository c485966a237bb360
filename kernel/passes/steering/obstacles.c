/* obstacles.c: behaviours that use circles and balls: obstacle avoidance (Bourg 4.3, Reynolds 1999) and hiding
 * (Reynolds 1999; Buckland, Programming Game AI by Example, ch. 3). Formulas: docs/ARITHMETIC.md, "Scenery".
 * SPDX-License-Identifier: MIT */
#include "passes/steering/aim.h"
#include "passes/steering/borders.h"

struct avoidance {
  lv3 heading, right;
  lf length, strength; /* length L of the feeler; the strength times L */
  lm nearest_only;
  lv3 sum;
  lf nearest; /* with nearest_only: squared distance of the obstacle in the sum */
};

/* Adds the push of an obstacle in the way, whose squared distance is `distance`. */
LANES_INLINE void add_push(struct avoidance *felt, lm in_way, lv3 push, lf distance, bool spatial) {
  const lm nearer = lf_less_where(in_way, distance, felt->nearest);
  const lv3 sum = lv3_select(in_way, lv3_add(felt->sum, push, spatial), felt->sum, spatial);
  const lv3 only = lv3_select(nearer, push, felt->sum, spatial);
  felt->nearest = lf_select(nearer, distance, felt->nearest);
  felt->sum = lv3_select(felt->nearest_only, only, sum, spatial);
}

LANES_INLINE void feel_obstacle(struct avoidance *felt, const struct feeler *feeler, lm here, const struct shape *ball,
                                bool spatial) {
  const lv3 d = from_agent(ball->a, feeler, spatial);
  const lf ahead = lv3_dot(d, felt->heading, spatial), reach = lf_add(lf_set1(ball->radius), feeler->body);
  const lv3 off = lv3_sub(d, lv3_scale(felt->heading, ahead, spatial), spatial);
  const lf aside = lv3_dot(off, off, spatial);
  lm in_way = lf_less_where(lf_less_where(here, lf_zero(), ahead), ahead, felt->length);
  in_way = lf_less_where(in_way, aside, lf_mul(reach, reach));
  if (!lm_any(in_way)) return;

  const lf little = lf_mul(lf_set1(1e-5f), reach), distance = lv3_dot(d, d, spatial);
  const lm central = lf_less_equal(aside, lf_mul(little, little));
  const lv3 away = lv3_scale(off, lf_div(lf_set1(-1.0f), lf_sqrt(aside)), spatial);
  const lv3 side = lv3_select(central, felt->right, away, spatial);
  const lf strength = lf_min(lf_div(felt->strength, lf_sqrt(distance)), lf_set1(1e12f));
  const lv3 push = lv3_scale(side, strength, spatial);
  add_push(felt, in_way, push, distance, spatial);
}

/* Adds the push of the border that the feeler, as a ray, hits: sideways, away from it. */
LANES_INLINE void feel_border(struct avoidance *felt, const struct lane_rays *ray, bool spatial) {
  const lm hits = ray_hits(ray);
  if (!lm_any(hits)) return;
  const lv3 n = ray->normal;
  const lv3 off = lv3_sub(n, lv3_scale(felt->heading, lv3_dot(felt->heading, n, spatial), spatial), spatial);
  const lf aside = lv3_dot(off, off, spatial), distance = lf_max(lf_mul(ray->part, felt->length), lf_set1(1e-6f));
  const lv3 away = lv3_scale(off, lf_div(lf_set1(1.0f), lf_sqrt(aside)), spatial);
  const lv3 side = lv3_select(lf_less_equal(aside, lf_set1(1e-10f)), felt->right, away, spatial);
  const lf strength = lf_min(lf_div(felt->strength, distance), lf_set1(1e12f));
  add_push(felt, hits, lv3_scale(side, strength, spatial), lf_mul(distance, distance), spatial);
}
/* Adds the pushes of the first blocked cell and of the first face on the feeler's way. */
LANES_INLINE void feel_borders(struct avoidance *felt, const struct feeler *feeler, const struct borders *borders,
                               bool spatial) {
  struct lane_rays ray;
  const lv3 way = lv3_scale(felt->heading, felt->length, spatial);
  if (!spatial && lm_any(borders->mapped)) {
    start_ray(&ray, lv3_zero(), way, spatial);
    meet_cells(&ray, borders, feeler);
    feel_border(felt, &ray, spatial);
  }
  if (lm_any(borders->faced)) {
    start_ray(&ray, lv3_zero(), way, spatial);
    meet_faces(&ray, borders, feeler, spatial);
    feel_border(felt, &ray, spatial);
  }
}

/* Right of the heading for odd id indices, left of it for even ones. */
LANES_INLINE lv3 side_of_id(const struct frame *frame, uint32_t at, lv3 heading, bool spatial) {
  const lm odd = lu_test(lu_load(frame->front->id + at), lu_set1(1));
  const lv3 right = right_of(heading, spatial);
  return lv3_select(odd, right, lv3_negate(right, spatial), spatial);
}

LANES_INLINE void avoid_obstacles_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_AVOID_OBSTACLES)) continue;
    struct feeler feeler;
    load_feeler(&feeler, frame, &block, spatial);
    const lf speed = lv3_length(feeler.v, spatial);
    const lf unit = load_feeler_unit(frame, &block.groups, at),
             look_ahead = lf_mul(ENTRY_VALUE(avoid_obstacles, look_ahead), unit);
    const lf ahead = lf_mul(ENTRY_VALUE(avoid_obstacles, look_ahead_time), speed);
    struct avoidance felt = {.sum = lv3_zero(), .nearest = lf_set1(INFINITY)};
    felt.heading = lv3_direction(feeler.v, spatial);
    felt.right = side_of_id(frame, at, felt.heading, spatial);
    felt.length = lf_min(lf_add(look_ahead, ahead), lf_set1(FEELER_MOST));
    felt.strength = lf_mul(ENTRY_VALUE(avoid_obstacles, strength), felt.length);
    felt.nearest_only = lf_greater(ENTRY_VALUE(avoid_obstacles, nearest_only), lf_zero());

    struct surroundings near;
    const struct shape *shape;
    const lm feels = moving(&feeler, block.wants, spatial);
    look_around(&near, frame, &feeler, feels, lf_add(felt.length, feeler.body), true, false);
    while ((shape = next_shape(&near, spatial))) feel_obstacle(&felt, &feeler, near.here, shape, spatial);
    const lm sees_all = sees_all_of(ENTRY_VALUE(avoid_obstacles, sees_all));
    struct borders borders = load_borders(frame, lm_and(feels, sees_all));
    cut_borders(&borders, &feeler, felt.length, spatial);
    feel_borders(&felt, &feeler, &borders, spatial);
    const lf limit = load_wanted_limit(frame, &block.groups, at, PARAM_MAX_ACCELERATION);
    store_entry(frame, strip, &block, lv3_clip(felt.sum, limit, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(avoid_obstacles)

/* The nearest hiding place so far. */
struct cover {
  lf reach, distance;
  lv3 place;              /* offset from the agent */
  lf nearest;             /* squared length of the offset */
  struct borders borders; /* no place is in a blocked cell or outside of the box */
};

/* The bits of the points, of those in `asked`, that are in blocked cells. */
static OUT_OF_LINE uint32_t blocked_bits(const struct cells *cells, uint32_t asked, const float x[LANES],
                                         const float z[LANES]) {
  lanes_rest();
  uint32_t bits = 0;
  for (uint32_t k = 0; asked >> k; k++) {
    if ((asked >> k & 1) && throng_cells_is_blocked(cells, x[k], z[k])) bits |= 1u << k;
  }
  return bits;
}
LANES_INLINE lm between(float low, float high, lf p) {
  return lf_less_where(lf_less(lf_set1(low), p), p, lf_set1(high));
}
/* The lanes of `who` whose hiding place, an offset from the agent, is inside the box and not in a blocked cell. */
LANES_INLINE lm can_be_reached(const struct borders *borders, const struct feeler *feeler, lm who, lv3 place,
                               bool spatial) {
  const lv3 q = lv3_add(feeler->p, place, spatial);
  lm inside = lm_and(between(borders->low[0], borders->high[0], q.x), between(borders->low[2], borders->high[2], q.z));
  if (spatial) inside = lm_and(inside, between(borders->low[1], borders->high[1], q.y));
  who = lm_without(who, lm_without(borders->faced, inside));
  const lm asked = lm_and(who, borders->mapped);
  if (spatial || !lm_any(asked)) return who;
  float x[LANES], z[LANES];
  lf_store(x, q.x);
  lf_store(z, q.z);
  return lm_without(who, lanes_of_bits(blocked_bits(borders->cells, lm_bits(asked), x, z)));
}

/* Tests the hiding place behind an obstacle, as seen from the target. */
LANES_INLINE void look_behind(struct cover *cover, const struct feeler *feeler, lm here, const struct shape *ball,
                              lv3 dp, bool spatial) {
  const lf radius = lf_set1(ball->radius);
  const lv3 d = from_agent(ball->a, feeler, spatial), away = lv3_sub(d, dp, spatial);
  const lf length = lv3_dot(away, away, spatial);
  const lf gap = lf_sub(lf_sqrt(lv3_dot(d, d, spatial)), radius);
  lm hides = lf_less_where(lf_less_equal_where(here, gap, cover->reach), lf_zero(), length);
  if (!lm_any(hides)) return;
  const lf behind = lf_add(lf_add(radius, feeler->body), cover->distance);
  const lv3 place = lv3_add(d, lv3_scale(away, lf_div(behind, lf_sqrt(length)), spatial), spatial);
  const lf square = lv3_dot(place, place, spatial);
  hides = lf_less_where(hides, square, cover->nearest);
  if (!lm_any(hides)) return;
  hides = can_be_reached(&cover->borders, feeler, hides, place, spatial);
  cover->place = lv3_select(hides, place, cover->place, spatial);
  cover->nearest = lf_select(hides, square, cover->nearest);
}

/* What throng_cells_cover takes and returns, for the agents of a block. */
struct lane_hiders {
  float x[LANES], z[LANES], threat_x[LANES], threat_z[LANES], reach[LANES], body[LANES], distance[LANES];
  float place_x[LANES], place_z[LANES];
};
/* Returns the bits of the agents, of those in `asked`, that find a hiding place. */
static OUT_OF_LINE uint32_t find_covers(const struct borders *borders, uint32_t asked, struct lane_hiders *lane) {
  lanes_rest();
  uint32_t found = 0;
  for (uint32_t k = 0; k < LANES; k++) {
    float place[2] = {0.0f, 0.0f};
    const struct hider hider = {{lane->x[k], lane->z[k]},
                                {lane->threat_x[k], lane->threat_z[k]},
                                {borders->low[0], borders->low[2]},
                                {borders->high[0], borders->high[2]},
                                lane->reach[k],
                                lane->body[k],
                                lane->distance[k]};
    if ((asked >> k & 1) && throng_cells_cover(borders->cells, &hider, place)) found |= 1u << k;
    lane->place_x[k] = place[0];
    lane->place_z[k] = place[1];
  }
  return found;
}
/* Tests the nearest hiding place behind a blocked cell. */
LANES_INLINE void look_behind_cells(struct cover *cover, const struct feeler *feeler, lv3 dp) {
  const struct borders *borders = &cover->borders;
  if (!lm_any(borders->mapped)) return;
  struct lane_hiders lane;
  lf_store(lane.x, feeler->p.x);
  lf_store(lane.z, feeler->p.z);
  lf_store(lane.threat_x, dp.x);
  lf_store(lane.threat_z, dp.z);
  lf_store(lane.reach, cover->reach);
  lf_store(lane.body, feeler->body);
  lf_store(lane.distance, cover->distance);
  const lm found = lanes_of_bits(find_covers(borders, lm_bits(borders->mapped), &lane));
  const lv3 place = {lf_load(lane.place_x), lf_zero(), lf_load(lane.place_z)};
  const lf square = lv3_dot(place, place, false);
  const lm hides = lf_less_where(found, square, cover->nearest);
  cover->place = lv3_select(hides, place, cover->place, false);
  cover->nearest = lf_select(hides, square, cover->nearest);
}

LANES_INLINE void hide_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_HIDE)) continue;
    struct feeler feeler;
    struct aim aim;
    load_feeler(&feeler, frame, &block, spatial);
    load_aim(&aim, frame, strip, &block, spatial);
    const lm hides = lm_and(block.wants, aim.exists), sees_all = sees_all_of(ENTRY_VALUE(hide, sees_all));
    struct cover cover = {ENTRY_VALUE(hide, reach), ENTRY_VALUE(hide, distance), lv3_zero(), lf_set1(INFINITY),
                          load_borders(frame, lm_and(hides, sees_all))};

    struct surroundings near;
    const struct shape *shape;
    look_around(&near, frame, &feeler, hides, cover.reach, true, false);
    while ((shape = next_shape(&near, spatial))) look_behind(&cover, &feeler, near.here, shape, aim.dp, spatial);
    if (!spatial) look_behind_cells(&cover, &feeler, aim.dp);
    const lf stop = ENTRY_VALUE(hide, target_radius), time = ENTRY_VALUE(hide, time_to_target);
    const lv3 way = way_to_place(&aim, frame, &block, cover.place, lv3_zero(), stop, time, true, spatial);
    const lv3 a = arrive_along(&aim, way, ENTRY_VALUE(hide, slow_radius), stop, time, spatial);
    const lm found = lf_less(cover.nearest, lf_set1(INFINITY));
    store_entry(frame, strip, &block, lv3_where(found, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(hide)
