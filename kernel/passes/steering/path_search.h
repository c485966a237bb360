/* passes/path_search.h: the nearest places on paths, of a strip's agents: each among those of a stretch of its path. The formula is
 * that of docs/ARITHMETIC.md, "Paths".
 *
 * The lanes of a block have stretches of their own, but neighbours in space are mostly neighbours on the path: the segments that
 * some lane's stretch touches are gone through one by one, each against all lanes. A lane only regards those that its own stretch
 * touches, in their order, so that nothing depends on who shares its block. What is to be looked at is put down first for all blocks
 * of the strip: the ends of the loops, which no processor foresees, are known then before it comes to them.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PATH_SEARCH_H
#define THRONG_PATH_SEARCH_H

#include <math.h>

#include "passes/block.h"

#define STRIP_BLOCKS (STRIP_AGENTS / LANES)
#define MOST_STRETCHES (2 * STRIP_BLOCKS)
#define MANY_SEGMENTS 16u /* from here on those between the lanes' stretches, which nobody touches, are left out */

/* What is sought for a block's lanes, and what is found. */
struct walker {
  lv3 p, lead;    /* position; from there to the point whose nearest place on the path is sought */
  lf known;       /* the last parameter, at most the path's length; NaN where it is not known */
  lf parameter;   /* of the nearest so far */
  lf distance_sq; /* the square of how far it is */
  uint32_t first; /* where the last stretch put down begins: the targets are not far from there */
};

/* A stretch of a path for each of a block's lanes. */
struct path_stretch {
  lf low, high; /* parameters; low > high for the lanes that have none */
  const struct path *path;
  struct walker *walker;
  uint32_t first, last; /* the segments that the lanes touch are among these */
};

/* A strip's. */
struct path_search {
  const struct grid *grid;
  bool predicts; /* leads may be other than 0 */
  uint32_t stretches;
  struct path_stretch stretch[MOST_STRETCHES];
  struct walker walker[STRIP_BLOCKS];
};

LANES_INLINE lv3 lanes_of(const float v[3]) { return (lv3){lf_set1(v[0]), lf_set1(v[1]), lf_set1(v[2])}; }

/* How far a parameter is from the last one, along the path; NaN where that is not known. */
LANES_INLINE lf away(const struct path *path, lf known, lf parameter) {
  lf distance = lf_abs(lf_sub(parameter, known));
  return path->closed ? lf_min(distance, lf_sub(lf_set1(path->length), distance)) : distance;
}

/* The nearest places on some segments. */
LANES_INLINE void visit_segments(const struct grid *grid, const struct path_stretch *stretch, uint32_t first,
                                 uint32_t last, bool predicts, bool spatial) {
  struct walker *walker = stretch->walker;
  const lf low = stretch->low, high = stretch->high;
  const lv3 p = walker->p, lead = walker->lead;
  lf nearest_sq = walker->distance_sq, nearest = walker->parameter;
  const struct path_segment *segment = &stretch->path->segment[first], *end = &stretch->path->segment[last];
  for (; segment <= end; segment++) {
    const lf start = lf_set1(segment->start);
    const lv3 along = lanes_of(segment->along);
    lv3 w = lv3_sub(p, lanes_of(segment->from), spatial);
    if (predicts) w = lv3_add(w, lead, spatial);
    lv3 middle = lv3_scale(along, lf_set1(segment->length * 0.5f), spatial);
    w = nearest_image(grid, w, middle, spatial);

    lf least = lf_max(low, start), most = lf_min(high, lf_set1(segment[1].start));
    lf parameter = lf_min(lf_max(lf_add(start, lv3_dot(w, along, spatial)), least), most);
    lv3 e = lv3_sub(w, lv3_scale(along, lf_sub(parameter, start), spatial), spatial);
    lf distance_sq = lv3_dot(e, e, spatial);

    lm touches = lf_less_equal(least, most);
    lm better = lf_less_where(touches, distance_sq, nearest_sq);
    lm as_near = lf_equal_where(touches, distance_sq, nearest_sq);
    if (lm_any(as_near)) {
      lf farther = away(stretch->path, walker->known, nearest);
      better = lm_or(better, lf_less_where(as_near, away(stretch->path, walker->known, parameter), farther));
    }
    nearest_sq = lf_select(better, distance_sq, nearest_sq);
    nearest = lf_select(better, parameter, nearest);
  }
  walker->distance_sq = nearest_sq;
  walker->parameter = nearest;
}

/* Run by run: a run ends where no lane's stretch goes on. */
LANES_INLINE void visit_runs(const struct grid *grid, const struct path_stretch *stretch, bool predicts, bool spatial) {
  const struct path *path = stretch->path;
  for (lm left = lf_less_equal(stretch->low, stretch->high); lm_any(left);) {
    lf low = lf_select(left, stretch->low, lf_set1(path->length));
    const uint32_t first = path_segment_at(path, lf_lowest(low));
    uint32_t last = first;
    for (;; last++) {
      const lf end = lf_set1(path->segment[last + 1].start);
      left = lm_without(left, last + 1 < path->segments ? lf_less(stretch->high, end) : left);
      if (!lm_any(lf_less_equal_where(left, stretch->low, end))) break;
    }
    visit_segments(grid, stretch, first, last, predicts, spatial);
  }
}

/* Between which segments the lanes' stretches lie: the buckets give one too many at most at each end where the path's segments are
 * alike. */
LANES_INLINE void find_bounds(struct path_stretch *stretch) {
  const struct path *path = stretch->path;
  const float low = lf_lowest(stretch->low), high = lf_highest(stretch->high);
  stretch->first = path->bucket[path_bucket(path, low)];
  stretch->last = path->bucket[path_bucket(path, high) + 1];
  stretch->first += path->segment[stretch->first + 1].start < low;
  stretch->last -= path->segment[stretch->last].start > high;
  stretch->walker->first = stretch->first;
}

LANES_INLINE void visit_each(const struct path_search *search, bool predicts, bool spatial) {
  for (uint32_t k = 0; k < search->stretches; k++) {
    const struct path_stretch *stretch = &search->stretch[k];
    if (stretch->last - stretch->first < MANY_SEGMENTS) {
      visit_segments(search->grid, stretch, stretch->first, stretch->last, predicts, spatial);
    } else {
      visit_runs(search->grid, stretch, predicts, spatial);
    }
  }
}

/* Looks at all that was put down. */
LANES_INLINE void visit_stretches(struct path_search *search, bool spatial) {
  for (uint32_t k = 0; k < search->stretches; k++) find_bounds(&search->stretch[k]);
  if (search->predicts) {
    visit_each(search, true, spatial);
  } else {
    visit_each(search, false, spatial);
  }
  search->stretches = 0;
}

/* Puts a stretch down for each of some lanes. */
LANES_INLINE void add_stretch(struct path_search *search, const struct path *path, struct walker *walker, lm lanes,
                              lf low, lf high, bool spatial) {
  if (search->stretches == MOST_STRETCHES) visit_stretches(search, spatial);
  struct path_stretch *stretch = &search->stretch[search->stretches++];
  stretch->low = lf_select(lanes, low, lf_set1(INFINITY));
  stretch->high = lf_select(lanes, high, lf_set1(-INFINITY));
  stretch->path = path;
  stretch->walker = walker;
}

#endif
