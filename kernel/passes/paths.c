/* passes/paths.c: path following (Millington 3.3.12): the nearest place on the path within a window around the last one, then
 * a target farther along. The formula is that of ../ARITHMETIC.md, "Paths".
 *
 * Lanes have windows of their own, but neighbours in space are mostly neighbours on the path: the segments that some lane's
 * window touches are gone through one by one, each against all lanes. A lane only regards those that its own window touches,
 * in their order, so that nothing depends on who shares its block.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include "entry.h"

/* What the lanes' groups, and their masses, say. */
struct gait {
  lf limit, speed; /* A and S */
  lu number;       /* of the path */
  lf offset, offset_time, predict_time, window, slow_radius, target_radius;
  lm timed, predicts, backward; /* backward: toward the path's beginning */
  lf rate;                      /* 1 / time_to_target */
};

LANES_INLINE void load_gait(struct gait *gait, const struct frame *frame, const struct strip *strip,
                            const struct entry_block *at) {
  const struct entry_block block = *at;
  const lf zero = lf_zero(), one = lf_set1(1.0f);
  gait->limit = load_limit(frame, &block.groups, block.at, PARAM_MAX_ACCELERATION);
  gait->speed = load_param(frame, &block.groups, PARAM_DESIRED_SPEED);
  gait->number = lf_truncate(ENTRY_VALUE(follow_path.path));
  gait->offset = ENTRY_VALUE(follow_path.offset);
  gait->offset_time = ENTRY_VALUE(follow_path.offset_time);
  gait->predict_time = ENTRY_VALUE(follow_path.predict_time);
  gait->window = ENTRY_VALUE(follow_path.window);
  gait->slow_radius = ENTRY_VALUE(follow_path.slow_radius);
  gait->target_radius = ENTRY_VALUE(follow_path.target_radius);
  lf time = ENTRY_VALUE(follow_path.time_to_target);
  gait->timed = lf_greater(time, zero);
  gait->rate = lf_div(one, lf_select(gait->timed, time, one));
  gait->predicts = lf_greater(gait->predict_time, zero);
  gait->backward =
      lm_or(lf_less(gait->offset, zero), lf_less_where(lf_equal(gait->offset, zero), gait->offset_time, zero));
}

/* Where the block before was: this one's agents are mostly beside it. */
struct guess {
  uint32_t first, last; /* the segments where its first and its last run of windows began */
  uint32_t ahead;       /* from there to the targets' segment */
};

/* A block's lanes, and the path that some of them follow. */
struct follower {
  const struct grid *grid;
  const struct path *path;
  struct guess *guess;
  lm here;                   /* the lanes that follow this path */
  lv3 p, v;                  /* position and velocity */
  lv3 lead;                  /* from the position to the place whose nearest point is sought */
  lf known;                  /* the last parameter; NaN where it is not known */
  lf parameter, distance_sq; /* what is found, and the square of how far it is from there */
};

LANES_INLINE lv3 lanes_of(const float v[3]) { return (lv3){lf_set1(v[0]), lf_set1(v[1]), lf_set1(v[2])}; }

/* How far a parameter is from the last one, along the path; NaN where that is not known. */
LANES_INLINE lf away(const struct follower *f, lf parameter) {
  lf distance = lf_abs(lf_sub(parameter, f->known));
  return f->path->closed ? lf_min(distance, lf_sub(lf_set1(f->path->length), distance)) : distance;
}

/* The nearest point of one segment, for the lanes whose stretch [low, high] touches it. */
LANES_INLINE void try_segment(struct follower *f, const struct path_segment *segment, lm touches, lf low, lf high,
                              bool spatial) {
  const lf start = lf_set1(segment->start), length = lf_set1(segment->length);
  const lv3 along = lanes_of(segment->along);
  lv3 w = lv3_add(lv3_sub(f->p, lanes_of(segment->from), spatial), f->lead, spatial);
  w = nearest_image(f->grid, w, lv3_scale(along, lf_mul(length, lf_set1(0.5f)), spatial), spatial);

  lf t = lf_max(lv3_dot(w, along, spatial), lf_max(lf_sub(low, start), lf_zero()));
  t = lf_min(t, lf_min(lf_sub(high, start), length));
  lv3 e = lv3_sub(w, lv3_scale(along, t, spatial), spatial);
  lf distance_sq = lv3_dot(e, e, spatial);
  lf parameter = lf_min(lf_max(lf_add(start, t), low), high);

  lm better = lf_less_where(touches, distance_sq, f->distance_sq);
  lm as_near = lf_equal_where(touches, distance_sq, f->distance_sq);
  if (lm_any(as_near)) better = lm_or(better, lf_less_where(as_near, away(f, parameter), away(f, f->parameter)));
  f->distance_sq = lf_select(better, distance_sq, f->distance_sq);
  f->parameter = lf_select(better, parameter, f->parameter);
}

/* The first segment that does not end before the least of the lanes' parameters. A guess that comes true saves the processor
 * from waiting for the lanes. */
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

/* The segments that the lanes' stretches touch, in runs: a run ends where no lane's goes on. */
LANES_INLINE void search(struct follower *f, lm lanes, lf low, lf high, bool spatial) {
  const struct path *path = f->path;
  bool first = true;
  for (lm left = lanes; lm_any(left);) {
    uint32_t k = first_segment(path, left, low, f->guess->last);
    if (first) f->guess->first = k;
    first = false;
    f->guess->last = k;
    lm touches;
    do {
      const struct path_segment *segment = &path->segment[k++];
      const lf end = lf_set1(segment[1].start);
      touches = lf_less_equal_where(left, low, end);
      try_segment(f, segment, touches, low, high, spatial);
      left = lm_without(left, k < path->segments ? lf_less(high, end) : left);
      touches = lm_and(touches, left);
    } while (lm_any(touches));
  }
}

/* The nearest place within each lane's window; on a closed path that may go on beyond the seam. */
LANES_INLINE void search_window(struct follower *f, const struct gait *gait, bool spatial) {
  const lf length = lf_set1(f->path->length), zero = lf_zero();
  lf reach = lf_select(lf_greater(gait->window, zero), lf_min(gait->window, length), length);
  lf before = lf_select(lm_without(gait->predicts, gait->backward), zero, reach);
  lf after = lf_select(lm_and(gait->predicts, gait->backward), zero, reach);
  lf low = lf_sub(f->known, before), high = lf_add(f->known, after);
  lm part = lf_equal(f->known, f->known);
  if (f->path->closed) part = lf_less_where(part, lf_add(before, after), length);

  lf from = lf_select(part, lf_max(low, zero), zero);
  f->distance_sq = lf_set1(INFINITY);
  f->parameter = from;
  search(f, f->here, from, lf_select(part, lf_min(high, length), length), spatial);
  if (!f->path->closed) return;
  part = lm_and(part, f->here);
  lm below = lf_less_where(part, low, zero), beyond = lm_or(below, lm_and(part, lf_greater(high, length)));
  if (lm_any(beyond)) {
    search(f, beyond, lf_select(below, lf_add(low, length), zero), lf_select(below, length, lf_sub(high, length)),
           spatial);
  }
  f->parameter = lf_select(lf_less(f->parameter, length), f->parameter, zero);
}

/* From the agent to the path's point at a parameter. */
LANES_INLINE lv3 way_to(const struct follower *f, lf parameter, bool spatial) {
  const struct path *path = f->path;
  lv3 way = lv3_zero();
  uint32_t guess = f->guess->first;
  for (lm left = f->here; lm_any(left);) {
    uint32_t k = first_segment(path, left, parameter, guess + f->guess->ahead);
    f->guess->ahead = k - guess;
    guess = f->guess->last;
    lm on;
    do {
      const struct path_segment *segment = &path->segment[k++];
      on = lf_less_equal_where(left, parameter, lf_set1(segment[1].start));
      lf t = lf_sub(parameter, lf_set1(segment->start));
      lv3 here = lv3_sub(lanes_of(segment->from), f->p, spatial);
      here = lv3_add(here, lv3_scale(lanes_of(segment->along), t, spatial), spatial);
      way = lv3_select(on, here, way, spatial);
      left = lm_without(left, on);
    } while (lm_any(on) && lm_any(left));
  }
  return nearest_image(f->grid, way, lv3_zero(), spatial);
}

/* The parameter that lies `offset` farther on: kept on an open path, carried round a closed one. */
LANES_INLINE lf target_parameter(const struct path *path, lf parameter, lf offset) {
  const lf length = lf_set1(path->length), zero = lf_zero();
  lf g = lf_add(parameter, lf_min(lf_max(offset, lf_negate(length)), length));
  if (!path->closed) return lf_min(lf_max(g, zero), length);
  lf back = lf_select(lf_greater_equal(g, length), lf_sub(g, length), g);
  return lf_select(lf_less(g, zero), lf_add(g, length), back);
}

/* The speed wanted toward the target; less before an open path's end. */
LANES_INLINE lf wanted_speed(const struct follower *f, const struct gait *gait, lf target, lv3 way, bool spatial) {
  const lf length = lf_set1(f->path->length);
  if (f->path->closed) return gait->speed;
  lm at_end = lm_or(lf_less_equal_where(gait->backward, target, lf_zero()),
                    lm_without(lf_greater_equal(target, length), gait->backward));
  lf left = lf_select(gait->backward, f->parameter, lf_sub(length, f->parameter));
  left = lf_select(at_end, lf_sqrt(lv3_dot(way, way, spatial)), left);
  lf divisor = lf_select(lf_greater(gait->slow_radius, lf_zero()), gait->slow_radius, lf_set1(1.0f));
  lf slow = lf_div(lf_mul(gait->speed, left), divisor);
  lf speed = lf_select(lf_less(left, gait->slow_radius), slow, gait->speed);
  return lf_select(lf_less_equal(left, gait->target_radius), lf_zero(), speed);
}

LANES_INLINE lv3 toward(const struct follower *f, const struct gait *gait, lf target, bool spatial) {
  lv3 way = way_to(f, target, spatial);
  lf inverse = lv3_inv_len(way, spatial);
  lv3 a = lv3_scale(way, lf_mul(gait->limit, inverse), spatial);
  if (!lm_any(gait->timed)) return a;
  lv3 desired = lv3_scale(way, lf_mul(wanted_speed(f, gait, target, way, spatial), inverse), spatial);
  lv3 smooth = lv3_clip(lv3_scale(lv3_sub(desired, f->v, spatial), gait->rate, spatial), gait->limit, spatial);
  return lv3_select(gait->timed, smooth, a, spatial);
}

LANES_INLINE void load_follower(struct follower *f, const struct frame *frame, uint32_t at, bool spatial) {
  float *const *front = frame->front->f;
  f->p = load_lv3(front + COLUMN_POSITION_X, at, spatial);
  f->v = load_lv3(front + COLUMN_VELOCITY_X, at, spatial);
}

/* The parameters that the lanes come to. */
LANES_INLINE lf find(const struct frame *frame, uint32_t at, const struct gait *gait, struct follower *f,
                     bool spatial) {
  f->lead = lv3_scale(f->v, gait->predict_time, spatial);
  lf memory = lf_load(frame->front->f[COLUMN_PATH_PARAMETER] + at);
  f->known = lf_select(lf_equal(memory, memory), lf_min(memory, lf_set1(f->path->length)), memory);
  search_window(f, gait, spatial);
  return f->parameter;
}

/* The accelerations, from there. */
LANES_INLINE lv3 follow(const struct gait *gait, const struct follower *f, bool spatial) {
  lf offset = gait->offset;
  if (lm_bits(lf_equal(gait->offset_time, lf_zero())) != lm_bits(lm_first(LANES))) {
    lf speed = lf_sqrt(lv3_dot(f->v, f->v, spatial));
    offset = lf_add(offset, lf_mul(speed, gait->offset_time));
  }
  return toward(f, gait, target_parameter(f->path, f->parameter, offset), spatial);
}

/* Path by path: mostly all lanes follow one. `finds`: the parameters, else the accelerations; a constant. */
LANES_INLINE void follow_paths(const struct frame *frame, struct strip *strip, struct guess *guesses, bool finds,
                               bool spatial) {
  struct guess guess = {0, 0, 0};
  struct gait gait = {.limit = lf_zero()};
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_FOLLOW_PATH)) continue;
    const bool same = block.groups.uniform && !frame->front->f[COLUMN_MASS]; /* one group: once */
    if (at == strip->begin || !same) load_gait(&gait, frame, strip, &block);
    uint32_t numbers[LANES];
    lu_store(numbers, gait.number);
    struct guess *found = &guesses[(at - strip->begin) / LANES];
    if (!finds) guess = (struct guess){found->first, found->last, guess.ahead};
    float *memory = frame->back->f[COLUMN_PATH_PARAMETER] + at;
    lf parameter = lf_load_first(memory, block.lanes);
    lv3 a = lv3_zero();
    for (lm left = block.wants; lm_any(left);) {
      uint32_t lane = 0;
      while (!(lm_bits(left) >> lane & 1)) lane++;
      struct follower f = {.grid = frame->grid,
                           .path = &frame->path[numbers[lane]],
                           .guess = &guess,
                           .here = lm_and(left, lu_equal(gait.number, lu_set1(numbers[lane]))),
                           .parameter = parameter};
      left = lm_without(left, f.here);
      if (f.path->segments == 0) continue;
      load_follower(&f, frame, at, spatial);
      if (finds) {
        parameter = lf_select(f.here, find(frame, at, &gait, &f, spatial), parameter);
      } else {
        a = lv3_select(f.here, follow(&gait, &f, spatial), a, spatial);
      }
    }
    if (finds) {
      *found = guess;
      lf_store_first(memory, parameter, block.lanes);
    } else {
      store_entry(frame, strip, &block, a, spatial);
    }
  }
}

/* Two walks over the strip: the processor overlaps the ends of the second one's blocks, which wait for roots and divisions,
 * where it would not see past the search of the next. */
LANES_INLINE void follow_path_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  struct guess guesses[STRIP_AGENTS / LANES];
  follow_paths(frame, strip, guesses, true, spatial);
  follow_paths(frame, strip, guesses, false, spatial);
}
DEFINE_BEHAVIOUR(follow_path)
