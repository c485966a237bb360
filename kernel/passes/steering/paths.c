/* paths.c: path following (Millington 3.3.12): finds the nearest point of the path within a window around the last one,
 * then seeks a target farther along. Formulas: docs/ARITHMETIC.md, "Paths".
 *
 * Four loops over a strip: the ranges of paths to search; the nearest points in them (path_search.h); the offsets to
 * the targets; the accelerations. Each loop is short, so that the processor can work on the next blocks while one waits
 * for loads or roots.
 * SPDX-License-Identifier: MIT */
#include "passes/steering/entry.h"
#include "passes/steering/path_search.h"
#include "passes/steering/route.h"

/* The values of the lanes' groups, limits by mass, and the agents' maximum speeds. */
struct gait {
  bool common;     /* these values are the same for all agents of the strip */
  lf limit, speed; /* A and S of the formulas */
  lu number;       /* index of the path */
  lf offset, offset_time, predict_time, window, slow_radius, target_radius;
  lm timed, predicts, backward; /* backward: toward the beginning of the path */
  lf time, rate;                /* time_to_target; 1 / time_to_target */
  lf circle, braking;           /* of vehicles that find routes: twice turning_radius; 0.5 / max_brake; 0 in others */
};

/* Loads how far ahead of vehicles their targets must be at least, at rest and for the square of their speed. Widens
 * their window: on a sharp turn the part of the path behind the turn may be nearer. */
LANES_INLINE void load_outlook(struct gait *gait, const struct frame *frame, const struct entry_block *block) {
  const lf zero = lf_zero(), radius = load_param(frame, &block->groups, PARAM_TURN_RADIUS);
  const lf brake = load_limit(frame, &block->groups, block->at, PARAM_BRAKE);
  const lm brakes = lm_and(lf_greater(radius, zero), lf_greater(brake, zero));
  gait->circle = lf_add(radius, radius);
  gait->window = lf_select(lf_greater(gait->window, zero), lf_max(gait->window, gait->circle), gait->window);
  gait->braking = lf_where(brakes, lf_div(lf_set1(0.5f), lf_select(brakes, brake, lf_set1(1.0f))));
}

LANES_INLINE void load_gait(struct gait *gait, const struct frame *frame, const struct strip *strip,
                            const struct entry_block *at) {
  const struct entry_block block = *at;
  const lf zero = lf_zero(), one = lf_set1(1.0f);
  gait->limit = load_wanted_limit(frame, &block.groups, block.at, PARAM_MAX_ACCELERATION);
  gait->speed = load_desired_speed(frame, &block.groups, block.at);
  gait->number = lf_truncate(ENTRY_VALUE(follow_path, index));
  gait->offset = ENTRY_VALUE(follow_path, offset);
  gait->offset_time = ENTRY_VALUE(follow_path, offset_time);
  gait->predict_time = ENTRY_VALUE(follow_path, predict_time);
  gait->window = ENTRY_VALUE(follow_path, window);
  gait->slow_radius = ENTRY_VALUE(follow_path, slow_radius);
  gait->target_radius = ENTRY_VALUE(follow_path, target_radius);
  gait->time = ENTRY_VALUE(follow_path, time_to_target);
  gait->timed = lf_greater(gait->time, zero);
  gait->rate = lf_div(one, lf_select(gait->timed, gait->time, one));
  gait->predicts = lf_greater(gait->predict_time, zero);
  gait->circle = gait->braking = zero;
  if (has_routes(frame)) load_outlook(gait, frame, &block);
  gait->backward =
      lm_or(lf_less(gait->offset, zero), lf_less_where(lf_equal(gait->offset, zero), gait->offset_time, zero));
}

LANES_INLINE bool load_followers(struct entry_block *block, struct gait *gait, const struct frame *frame,
                                 const struct strip *strip, uint32_t at) {
  if (!load_entry(block, frame, strip, at, THRONG_BEHAVIOUR_FOLLOW_PATH)) return false;
  if (gait->common) return true;
  load_gait(gait, frame, strip, block);
  gait->common = block->groups.uniform && !frame->front->f[COLUMN_MASS] && !frame->front->f[COLUMN_MAX_SPEED];
  return true;
}

/* Returns the path of the first lane in `lanes`. Moves the lanes that follow this path, mostly all of them, from
 * `lanes` to `here`. */
LANES_INLINE const struct path *next_path(const struct frame *frame, const struct gait *gait, lm *lanes, lm *here) {
  uint32_t numbers[LANES], lane = 0;
  lu_store(numbers, gait->number);
  ASSERT_ALONE(lm_any(*lanes));
  while (!(lm_bits(*lanes) >> lane & 1)) lane++;
  ASSERT_ALONE(numbers[lane] < THRONG_MAX_PATHS);
  *here = lm_and(*lanes, lu_equal(gait->number, lu_set1(numbers[lane])));
  *lanes = lm_without(*lanes, *here);
  return &frame->path[numbers[lane]];
}

/* Loop 1: windows. */

/* Collects each lane's window. On a closed path a window may wrap around the seam. */
LANES_INLINE void add_window(struct path_search *search, const struct path *path, struct walker *walker,
                             const struct gait *gait, lm here, bool spatial) {
  ASSERT_ALONE(!lm_any(lf_less_where(here, lf_set1(path->length), walker->known)));
  const lf length = lf_set1(path->length), zero = lf_zero(), known = walker->known;
  lf reach = lf_select(lf_greater(gait->window, zero), lf_min(gait->window, length), length);
  lf before = lf_select(lm_without(gait->predicts, gait->backward), zero, reach);
  lf after = lf_select(lm_and(gait->predicts, gait->backward), zero, reach);
  lf low = lf_sub(known, before), high = lf_add(known, after);
  lm part = lf_equal(known, known);
  if (path->closed) part = lf_less_where(part, lf_add(before, after), length);

  lf from = lf_select(part, lf_max(low, zero), zero);
  walker->parameter = lf_select(here, from, walker->parameter);
  add_stretch(search, path, walker, here, from, lf_select(part, lf_min(high, length), length), spatial);
  if (!path->closed) return;
  part = lm_and(part, here);
  lm below = lf_less_where(part, low, zero), beyond = lm_or(below, lm_and(part, lf_greater(high, length)));
  if (lm_any(beyond)) {
    add_stretch(search, path, walker, beyond, lf_select(below, lf_add(low, length), zero),
                lf_select(below, length, lf_sub(high, length)), spatial);
  }
}

/* Loads positions and the last path parameters; lanes without a path keep theirs. */
LANES_INLINE void load_walker(struct walker *walker, const struct frame *frame, const struct entry_block *block,
                              const struct gait *gait, bool spatial) {
  float *const *front = frame->front->f;
  walker->p = load_lv3(front + COLUMN_POSITION_X, block->at, spatial);
  walker->lead = lv3_scale(load_lv3(front + COLUMN_VELOCITY_X, block->at, spatial), gait->predict_time, spatial);
  walker->known = lf_load(front[COLUMN_PATH_PARAMETER] + block->at);
  walker->parameter = lf_load_first(frame->back->f[COLUMN_PATH_PARAMETER] + block->at, block->lanes);
  walker->distance_sq = lf_set1(INFINITY);
}

LANES_INLINE void add_windows(struct path_search *search, struct gait *gait, const struct frame *frame,
                              const struct strip *strip, bool spatial) {
  struct walker *walker = search->walker;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES, walker++) {
    struct entry_block block;
    if (!load_followers(&block, gait, frame, strip, at)) continue;
    load_walker(walker, frame, &block, gait, spatial);
    if (lm_any(lm_and(block.wants, gait->predicts))) search->predicts = true;
    for (lm lanes = block.wants; lm_any(lanes);) {
      lm here;
      const struct path *path = next_path(frame, gait, &lanes, &here);
      if (path->segments == 0) continue;
      lm past = lf_less_where(here, lf_set1(path->length), walker->known);
      walker->known = lf_select(past, lf_set1(path->length), walker->known);
      add_window(search, path, walker, gait, here, spatial);
    }
  }
}

/* Loop 3: offsets to the targets. */

/* The targets of a block. */
struct course {
  lm here;  /* the lanes that follow a path */
  lv3 way;  /* offsets from the agents to their targets */
  lf speed; /* desired speed */
  lm ends;  /* the lanes whose target is the end of an open path */
};

/* Returns the first segment that does not end before the smallest path parameter of the lanes. If the guess is right,
 * the processor need not wait for the smallest parameter. */
LANES_INLINE uint32_t first_segment(const struct path *path, lm lanes, lf parameter, uint32_t guess) {
  for (int tries = 0; tries < 3 && guess < path->segments; tries++) {
    const struct path_segment *segment = &path->segment[guess];
    if (guess > 0 && lm_any(lf_less_equal_where(lanes, parameter, lf_set1(segment->start)))) {
      guess--;
    } else if (lm_any(lf_less_equal_where(lanes, parameter, lf_set1(segment[1].start)))) {
      return guess;
    } else {
      guess++;
    }
  }
  return path_segment_at(path, lf_lowest(lf_select(lanes, parameter, lf_set1(path->length))));
}

/* Returns the offsets from the agents of `left` to the path's points at their parameters. The search begins *ahead
 * segments after `first`: so far ahead the block before found its targets. */
LANES_INLINE lv3 way_to(const struct frame *frame, const struct path *path, lm left, lv3 p, lf parameter,
                        uint32_t first, uint32_t *ahead, bool spatial) {
  lv3 way = lv3_zero();
  uint32_t guess = first + *ahead;
  for (bool begun = false; lm_any(left); begun = true) {
    uint32_t k = first_segment(path, left, parameter, guess);
    if (!begun) *ahead = k - first;
    lm on;
    do {
      const struct path_segment *segment = &path->segment[k++];
      on = lf_less_equal_where(left, parameter, lf_set1(segment[1].start));
      lf t = lf_sub(parameter, lf_set1(segment->start));
      lv3 here = lv3_sub(lanes_of(segment->from), p, spatial);
      here = lv3_add(here, lv3_scale(lanes_of(segment->along), t, spatial), spatial);
      way = lv3_select(on, here, way, spatial);
      left = lm_without(left, on);
    } while (lm_any(on) && lm_any(left));
    guess = k;
  }
  return nearest_image(frame->grid, way, lv3_zero(), spatial);
}

/* Returns the distance along the path from the nearest points to the targets. */
LANES_INLINE lf target_offset(const struct gait *gait, lv3 v, bool spatial) {
  if (lm_bits(lf_equal(gait->offset_time, lf_zero())) == lm_bits(lm_first(LANES))) return gait->offset;
  const lf speed = lf_max(lf_sqrt(lv3_dot(v, v, spatial)), lf_mul(gait->speed, lf_set1(0.1f)));
  return lf_add(gait->offset, lf_mul(speed, gait->offset_time));
}

/* Returns the offset, but for vehicles at least so far that their smallest circle and their brakes leave them room for
 * what the path does there; on a closed path at most a quarter of it. */
LANES_INLINE lf clear_offset(const struct path *path, const struct gait *gait, lf offset, lv3 v, bool spatial) {
  const lf stop = lf_mul(lv3_dot(v, v, spatial), gait->braking);
  lf least = lf_add(gait->circle, lf_where(lf_greater(gait->braking, lf_zero()), stop));
  if (path->closed) least = lf_min(least, lf_set1(path->length * 0.25f));
  const lf longer = lf_max(lf_abs(offset), least);
  return lf_select(lf_greater(gait->circle, lf_zero()), lf_select(gait->backward, lf_negate(longer), longer), offset);
}

/* Returns parameter + offset, limited to the ends of an open path or wrapped around a closed one. */
LANES_INLINE lf target_parameter(const struct path *path, lf parameter, lf offset) {
  const lf length = lf_set1(path->length), zero = lf_zero();
  lf g = lf_add(parameter, lf_min(lf_max(offset, lf_negate(length)), length));
  if (!path->closed) return lf_min(lf_max(g, zero), length);
  lf back = lf_select(lf_greater_equal(g, length), lf_sub(g, length), g);
  return lf_select(lf_less(g, zero), lf_add(g, length), back);
}

/* The lanes whose target is the end of an open path. */
LANES_INLINE lm leads_to_end(const struct path *path, const struct gait *gait, lf target) {
  if (path->closed) return lm_first(0);
  return lm_or(lf_less_equal_where(gait->backward, target, lf_zero()),
               lm_without(lf_greater_equal(target, lf_set1(path->length)), gait->backward));
}

/* Returns the desired speed toward the target; lower near the end of an open path. */
LANES_INLINE lf wanted_speed(const struct path *path, const struct gait *gait, lf parameter, lm at_end, lv3 way,
                             bool spatial) {
  const lf length = lf_set1(path->length);
  if (path->closed) return gait->speed;
  lf left = lf_select(gait->backward, parameter, lf_sub(length, parameter));
  left = lf_select(at_end, lf_sqrt(lv3_dot(way, way, spatial)), left);
  lf divisor = lf_select(lf_greater(gait->slow_radius, lf_zero()), gait->slow_radius, lf_set1(1.0f));
  lf slow = lf_div(lf_mul(gait->speed, left), divisor);
  lf speed = lf_select(lf_less(left, gait->slow_radius), slow, gait->speed);
  return lf_select(lf_less_equal(left, gait->target_radius), lf_zero(), speed);
}

/* Stores the path parameters, and finds the targets. */
LANES_INLINE void set_course(struct course *course, const struct frame *frame, const struct walker *walker,
                             const struct entry_block *block, const struct gait *gait, uint32_t *ahead, bool spatial) {
  float *const *front = frame->front->f;
  lv3 p = load_lv3(front + COLUMN_POSITION_X, block->at, spatial);
  lv3 v = load_lv3(front + COLUMN_VELOCITY_X, block->at, spatial);
  lf parameter = walker->parameter;
  *course = (struct course){lm_first(0), lv3_zero(), lf_zero(), lm_first(0)};
  for (lm lanes = block->wants; lm_any(lanes);) {
    lm here;
    const struct path *path = next_path(frame, gait, &lanes, &here);
    if (path->segments == 0) continue;
    lm past = lm_without(here, lf_less(parameter, lf_set1(path->length)));
    if (path->closed) parameter = lf_select(past, lf_zero(), parameter);
    lf offset = target_offset(gait, v, spatial);
    if (has_routes(frame)) offset = clear_offset(path, gait, offset, v, spatial);
    lf target = target_parameter(path, parameter, offset);
    lv3 way = way_to(frame, path, here, p, target, walker->first, ahead, spatial);
    lm at_end = lm_and(here, leads_to_end(path, gait, target));
    lf speed = wanted_speed(path, gait, parameter, at_end, way, spatial);
    course->ends = lm_or(course->ends, at_end);
    course->here = lm_or(course->here, here);
    course->way = lv3_select(here, way, course->way, spatial);
    course->speed = lf_select(here, speed, course->speed);
  }
  lf_store_first(frame->back->f[COLUMN_PATH_PARAMETER] + block->at, parameter, block->lanes);
}

LANES_INLINE void set_courses(struct course *course, struct gait *gait, const struct frame *frame,
                              const struct strip *strip, const struct walker *walker, bool spatial) {
  uint32_t ahead = 0;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES, course++, walker++) {
    struct entry_block block;
    if (!load_followers(&block, gait, frame, strip, at)) continue;
    set_course(course, frame, walker, &block, gait, &ahead, spatial);
  }
}

/* Loop 4: accelerations. */

LANES_INLINE lv3 toward(const struct gait *gait, lv3 v, lv3 way, lf speed, bool spatial) {
  lf inverse = lv3_inv_len(way, spatial);
  lv3 a = lv3_scale(way, lf_mul(gait->limit, inverse), spatial);
  if (!lm_any(gait->timed)) return a;
  lv3 desired = lv3_scale(way, lf_mul(speed, inverse), spatial);
  lv3 smooth = lv3_clip(lv3_scale(lv3_sub(desired, v, spatial), gait->rate, spatial), gait->limit, spatial);
  return lv3_select(gait->timed, smooth, a, spatial);
}

/* The acceleration along the routes of vehicles. A path leads forward; only its end is a place to back up to. */
LANES_INLINE lv3 toward_by_route(const struct frame *frame, const struct entry_block *block,
                                 const struct course *course, const struct gait *gait, lv3 v, bool spatial) {
  struct route route = {.v = v, .dp = course->way, .limit = gait->limit, .time = gait->time};
  route.near = gait->target_radius;
  route.places = lm_first(LANES);
  route.backing = lf_where(course->ends, lf_abs(target_offset(gait, v, spatial)));
  route.settles = route.stops = course->ends;
  route.turns = lm_first(0);
  THRONG_TABLE(find_route)(frame, block, &route);
  const lf speed = lf_min(lf_mul(course->speed, route.longer), lf_min(gait->speed, route.fastest));
  const lv3 a = toward(gait, v, route.way, speed, spatial);
  return lv3_select(gait->timed, a, hold_back(frame, a, v, route.heading, route.fastest, spatial), spatial);
}

LANES_INLINE void accelerate(const struct frame *frame, struct strip *strip, struct gait *gait,
                             const struct course *course, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES, course++) {
    struct entry_block block;
    if (!load_followers(&block, gait, frame, strip, at)) continue;
    lv3 v = load_lv3(frame->front->f + COLUMN_VELOCITY_X, at, spatial);
    lv3 a = has_routes(frame) ? toward_by_route(frame, &block, course, gait, v, spatial)
                              : toward(gait, v, course->way, course->speed, spatial);
    store_entry(frame, strip, &block, lv3_where(course->here, a, spatial), spatial);
  }
}

LANES_INLINE void follow_path_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  ASSERT_ALONE(strip->end - strip->begin <= STRIP_AGENTS);
  struct path_search search;
  struct course courses[STRIP_BLOCKS];
  struct gait gait = {.common = false};
  search.grid = frame->grid;
  search.stretches = 0;
  search.predicts = false;
  add_windows(&search, &gait, frame, strip, spatial);
  visit_stretches(&search, spatial);
  set_courses(courses, &gait, frame, strip, search.walker, spatial);
  accelerate(frame, strip, &gait, courses, spatial);
}
DEFINE_BEHAVIOUR(follow_path)
