/* walls.c: behaviours that use surfaces: wall avoidance (Millington 3.3.15) and wall following (Reynolds 1999).
 * Formulas: docs/ARITHMETIC.md, "Scenery". SPDX-License-Identifier: MIT */
#include "passes/steering/aim.h"
#include "passes/steering/borders.h"

enum feeler_ray { RAY_LONG, RAY_LEFT, RAY_RIGHT, RAYS };

/* The rays of a block. A ray that a lane does not use has length 0. */
struct spread {
  struct lane_rays ray[RAYS];
  lm parallel, adapts; /* lanes with parallel rays; lanes with a fan */
  int first, end;      /* range of the rays in use */
  lf angle;            /* angle of whiskers and fans */
  lf length;
};

LANES_INLINE lm has_rays(const struct frame *frame, const struct strip *strip, struct entry_block block, int rays) {
  return lf_equal(ENTRY_VALUE(avoid_walls, rays), lf_set1((float)rays));
}

LANES_INLINE void spread_rays(struct spread *spread, const struct frame *frame, const struct strip *strip,
                              struct entry_block block, const struct feeler *feeler, bool spatial) {
  const lv3 heading = lv3_direction(feeler->v, spatial);
  const lv3 right = right_of(heading, spatial), forward = lv3_scale(heading, spread->length, spatial);
  const lm single = has_rays(frame, strip, block, THRONG_RAYS_SINGLE);
  const lv3 zero = lv3_zero();
  spread->first = lm_any(lm_without(block.wants, spread->parallel)) ? RAY_LONG : RAY_LEFT;
  spread->end = lm_any(lm_without(block.wants, single)) ? RAYS : RAY_LEFT;
  start_ray(&spread->ray[RAY_LONG], zero, lv3_select(spread->parallel, zero, forward, spatial), spatial);
  if (spread->end == RAY_LEFT) return;

  lf sine, cosine;
  lf_sincos(spread->angle, &sine, &cosine);
  const lf whisker = lf_mul(spread->length, ENTRY_VALUE(avoid_walls, whisker));
  const lv3 ahead = lv3_scale(heading, lf_mul(whisker, cosine), spatial),
            aside = lv3_scale(right, lf_mul(whisker, sine), spatial);
  for (int k = RAY_LEFT; k <= RAY_RIGHT; k++) {
    const bool left = k == RAY_LEFT;
    lv3 way = left ? lv3_sub(ahead, aside, spatial) : lv3_add(ahead, aside, spatial);
    way = lv3_select(single, zero, lv3_select(spread->parallel, forward, way, spatial), spatial);
    const lv3 from = lv3_scale(right, left ? lf_negate(feeler->body) : feeler->body, spatial);
    start_ray(&spread->ray[k], lv3_where(spread->parallel, from, spatial), way, spatial);
  }
}

/* Returns the number of the ray that the agent reacts to; -1 if none hits. */
LANES_INLINE lf winner_of(const struct spread *spread, lf latch) {
  lf winner = lf_set1(-1.0f), nearest = lf_set1(INFINITY), latched = lf_set1(2.0f);
  for (int k = spread->first; k < spread->end; k++) {
    const struct lane_rays *ray = &spread->ray[k];
    const lf number = lf_set1((float)k), distance = lf_mul(ray->part, lf_sqrt(ray->square));
    const lm wins = lf_less_where(ray_hits(ray), distance, nearest);
    winner = lf_select(wins, number, winner);
    nearest = lf_select(wins, distance, nearest);
    if (k > RAY_LONG) latched = lf_select(lf_equal(latch, number), ray->part, latched);
  }
  const lm stays = lm_and(spread->adapts, lf_less_equal(latched, lf_set1(1.0f)));
  return lf_select(stays, latch, winner);
}

/* Stores the fan's memory. */
LANES_INLINE void remember_fan(const struct frame *frame, const struct strip *strip, struct entry_block block,
                               const struct spread *spread, lm who, lf winner) {
  float *const *next = frame->back->f;
  const lm wins = lf_greater_equal(winner, lf_zero());
  const lf step = lf_mul(ENTRY_VALUE(avoid_walls, spread_rate), lf_set1(frame->dt));
  lf angle = lf_select(wins, lf_add(spread->angle, step), lf_sub(spread->angle, step));
  angle = lf_min(angle, ENTRY_VALUE(avoid_walls, widest));
  angle = lf_max(angle, ENTRY_VALUE(avoid_walls, angle));
  who = lm_and(who, spread->adapts);
  const lf old_angle = lf_load_first(next[COLUMN_FAN_ANGLE] + block.at, block.lanes),
           old_latch = lf_load_first(next[COLUMN_FAN_LATCH] + block.at, block.lanes);
  lf_store_first(next[COLUMN_FAN_ANGLE] + block.at, lf_select(who, angle, old_angle), block.lanes);
  lf_store_first(next[COLUMN_FAN_LATCH] + block.at, lf_select(who, lf_where(wins, winner), old_latch), block.lanes);
}

/* Seeks the point `distance` in front of the wall that the winning ray hits. */
LANES_INLINE lv3 away_from(const struct spread *spread, lf winner, lf distance, lf limit, bool spatial) {
  lv3 target = lv3_zero();
  for (int k = spread->first; k < spread->end; k++) {
    const struct lane_rays *ray = &spread->ray[k];
    const lv3 point = lv3_add(ray->from, lv3_scale(ray->way, ray->part, spatial), spatial);
    const lv3 before = lv3_add(point, lv3_scale(ray->normal, distance, spatial), spatial);
    target = lv3_select(lf_equal(winner, lf_set1((float)k)), before, target, spatial);
  }
  return lv3_scale(lv3_direction(target, spatial), limit, spatial);
}

LANES_INLINE void avoid_walls_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  float *const *memory = frame->front->f;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_AVOID_WALLS)) continue;
    struct feeler feeler;
    load_feeler(&feeler, frame, &block, spatial);
    const lm sees_all = sees_all_of(ENTRY_VALUE(avoid_walls, sees_all));
    struct borders borders = load_borders(frame, sees_all);
    lm feels = frame->scenery->shapes > 0 ? block.wants : lm_and(block.wants, see_borders(&borders));
    feels = moving(&feeler, feels, spatial);
    if (!lm_any(feels)) {
      store_entry(frame, strip, &block, lv3_zero(), spatial);
      continue;
    }
    const lf unit = load_feeler_unit(frame, &block.groups, at),
             look_ahead = lf_mul(ENTRY_VALUE(avoid_walls, look_ahead), unit);
    const lf ahead = lf_mul(ENTRY_VALUE(avoid_walls, look_ahead_time), lv3_length(feeler.v, spatial));
    const lf rest = ENTRY_VALUE(avoid_walls, angle);
    struct spread spread;
    spread.parallel = has_rays(frame, strip, block, THRONG_RAYS_PARALLEL);
    spread.adapts = has_rays(frame, strip, block, THRONG_RAYS_FAN);
    spread.length = lf_min(lf_add(look_ahead, ahead), lf_set1(FEELER_MOST));
    spread.angle = lf_min(lf_max(lf_load(memory[COLUMN_FAN_ANGLE] + at), rest), ENTRY_VALUE(avoid_walls, widest));
    spread.angle = lf_select(spread.adapts, spread.angle, rest);
    spread_rays(&spread, frame, strip, block, &feeler, spatial);

    struct surroundings near;
    const struct shape *shape;
    const lf reach = lf_add(spread.length, feeler.body);
    look_around(&near, frame, &feeler, feels, reach, lm_any(sees_all), true);
    while ((shape = next_shape(&near, spatial))) {
      const lm here = shape->kind == SHAPE_BALL ? lm_and(near.here, sees_all) : near.here;
      for (int k = spread.first; k < spread.end; k++) meet_shape(&spread.ray[k], &feeler, here, shape, spatial);
    }
    borders.mapped = lm_and(borders.mapped, feels);
    cut_borders(&borders, &feeler, reach, spatial);
    if (!spatial) cut_cells(&borders, &feeler, spread.ray + spread.first, spread.end - spread.first);
    for (int k = spread.first; k < spread.end; k++) meet_borders(&spread.ray[k], &borders, &feeler, spatial);
    const lf winner = winner_of(&spread, lf_load(memory[COLUMN_FAN_LATCH] + at));
    remember_fan(frame, strip, block, &spread, feels, winner);
    const lf limit = load_wanted_limit(frame, &block.groups, at, PARAM_MAX_ACCELERATION);
    lv3 a = away_from(&spread, winner, ENTRY_VALUE(avoid_walls, avoid_distance), limit, spatial);
    store_entry(frame, strip, &block, lv3_where(feels, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(avoid_walls)

/* Returns the component of a vector along a surface. */
LANES_INLINE lv3 along(lv3 a, lv3 normal, bool spatial) {
  return lv3_sub(a, lv3_scale(normal, lv3_dot(a, normal, spatial), spatial), spatial);
}

/* The nearest surfaces for an agent that follows walls: on its way ahead, at its future position, and at its
 * position. */
struct follower {
  struct lane_rays ray;
  struct surface then, now;
};

/* Returns the wanted velocity along the surface ahead; 0 without a surface. */
LANES_INLINE lv3 follow_surface(const struct follower *follower, lv3 v, lf speed, lf time, lf distance, bool spatial) {
  const lm meets = ray_hits(&follower->ray);
  const lv3 normal = lv3_select(meets, follower->ray.normal, follower->then.normal, spatial);
  const lf nearing = lv3_dot(follower->ray.way, normal, spatial);
  const lf height =
      lf_select(meets, lf_negate(lf_mul(nearing, follower->ray.part)), lf_sub(follower->then.distance, nearing));
  const lv3 turn = lv3_scale(along(follower->now.normal, normal, spatial), lf_mul(lf_set1(0.1f), speed), spatial);
  lv3 side = lv3_add(along(v, normal, spatial), turn, spatial);
  const lf square = lv3_dot(side, side, spatial), little = lf_mul(lf_set1(1e-5f), speed);
  const lm moves = lf_greater(square, lf_mul(little, little));
  side = lv3_scale(side, lf_div(lf_set1(1.0f), lf_sqrt(square)), spatial);
  side = lv3_select(moves, side, right_of(lv3_negate(normal, spatial), spatial), spatial);

  const lf ahead = lf_min(lf_mul(speed, time), lf_set1(FEELER_MOST));
  const lv3 off = lv3_scale(normal, lf_sub(distance, height), spatial);
  const lv3 way = lv3_add(lv3_scale(side, ahead, spatial), off, spatial);
  return lv3_scale(way, lf_mul(speed, lv3_inv_len(way, spatial)), spatial);
}

/* Returns the offset to the agent's future position. */
LANES_INLINE lv3 way_ahead(lv3 v, lf time, bool spatial) {
  const lf most = lf_set1(1e18f);
  lv3 way = lv3_scale(v, time, spatial);
  way = (lv3){lf_clamp(way.x, most), spatial ? lf_clamp(way.y, most) : way.y, lf_clamp(way.z, most)};
  return lv3_clip(way, lf_set1(FEELER_MOST), spatial);
}

LANES_INLINE void hug_walls_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_HUG_WALLS)) continue;
    struct feeler feeler;
    load_feeler(&feeler, frame, &block, spatial);
    const lf time = ENTRY_VALUE(hug_walls, look_ahead_time), reach = ENTRY_VALUE(hug_walls, reach);
    const lv3 zero = lv3_zero();
    struct follower follower = {.then = {reach, zero, lm_first(0)}, .now = {reach, zero, lm_first(0)}};
    start_ray(&follower.ray, zero, way_ahead(feeler.v, time, spatial), spatial);
    const lv3 way = follower.ray.way;

    struct surroundings near;
    const struct shape *shape;
    const lf around = lf_add(reach, lv3_length(way, spatial));
    look_around(&near, frame, &feeler, block.wants, around, true, true);
    while ((shape = next_shape(&near, spatial))) {
      meet_shape(&follower.ray, &feeler, near.here, shape, spatial);
      near_shape(&follower.then, &feeler, near.here, shape, way, spatial);
      near_shape(&follower.now, &feeler, near.here, shape, zero, spatial);
    }
    struct borders borders = load_borders(frame, lm_and(block.wants, sees_all_of(ENTRY_VALUE(hug_walls, sees_all))));
    cut_borders(&borders, &feeler, around, spatial);
    meet_borders(&follower.ray, &borders, &feeler, spatial);
    find_nearest_border(&follower.then, &borders, &feeler, way, reach, spatial);
    find_nearest_border(&follower.now, &borders, &feeler, zero, reach, spatial);
    struct aim aim = {.v = feeler.v,
                      .limit = load_wanted_limit(frame, &block.groups, at, PARAM_MAX_ACCELERATION),
                      .speed = load_desired_speed(frame, &block.groups, at)};
    const lv3 wanted = follow_surface(&follower, feeler.v, aim.speed, time, ENTRY_VALUE(hug_walls, distance), spatial);
    const lm any = lm_or(ray_hits(&follower.ray), follower.then.found);
    const lv3 a = toward_velocity(&aim, wanted, ENTRY_VALUE(hug_walls, time_to_target), spatial);
    store_entry(frame, strip, &block, lv3_where(any, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(hug_walls)
