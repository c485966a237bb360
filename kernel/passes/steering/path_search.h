/* path_search.h: finds, for a strip's agents, the nearest points within given ranges of their paths. Formulas:
 * docs/ARITHMETIC.md, "Paths".
 *
 * Each lane of a block has its own range, but agents that are close in space are mostly close on the path. So one loop
 * visits the segments of all lanes' ranges, each segment for all lanes at once. A lane uses only the segments of its
 * own range, in their order, so its result does not depend on the other lanes. The ranges of all blocks of a strip are
 * collected first. The bounds of the loops, which processors cannot predict, are then available early.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_STEERING_PATH_SEARCH_H
#define THRONG_KERNEL_PASSES_STEERING_PATH_SEARCH_H

#include <math.h>

#include "passes/block.h"

#define STRIP_BLOCKS (STRIP_AGENTS / LANES)
#define MOST_STRETCHES (2 * STRIP_BLOCKS)
#define MANY_SEGMENTS 16u /* with more segments, those between the lanes' ranges are skipped */

/* The search of one block, and its result. */
struct walker {
  lv3 p, lead;    /* position; the search is for the point of the path nearest to p + lead */
  lf known;       /* the last path parameter, at most the path's length; NaN if unknown */
  lf parameter;   /* path parameter of the nearest point found so far */
  lf distance_sq; /* its squared distance */
  uint32_t first; /* first segment of the last range; the target's segment is near it */
};

/* A range of a path for each lane of a block. */
struct path_stretch {
  lf low, high; /* path parameters; low > high in lanes without a range */
  const struct path *path;
  struct walker *walker;
  uint32_t first, last; /* bounds of the lanes' segments */
};

/* The searches of a strip. */
struct path_search {
  const struct grid *grid;
  bool predicts; /* some `lead` may not be 0 */
  uint32_t stretches;
  struct path_stretch stretch[MOST_STRETCHES];
  struct walker walker[STRIP_BLOCKS];
};

LANES_INLINE lv3 lanes_of(const float v[3]) { return (lv3){lf_set1(v[0]), lf_set1(v[1]), lf_set1(v[2])}; }

/* Returns the distance along the path between a path parameter and the last one, `known`; NaN if `known` is NaN. */
LANES_INLINE lf away(const struct path *path, lf known, lf parameter) {
  lf distance = lf_abs(lf_sub(parameter, known));
  return path->closed ? lf_min(distance, lf_sub(lf_set1(path->length), distance)) : distance;
}

/* Visits segments, and keeps the nearest point of each lane. */
LANES_INLINE void visit_segments(const struct grid *grid, const struct path_stretch *stretch, uint32_t first,
                                 uint32_t last, bool predicts, bool spatial) {
  ASSERT_ALONE(first <= last && last < stretch->path->segments);
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

/* Visits the lanes' ranges without the segments between them. */
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

/* Finds the segments of the lanes' ranges. The segments come from buckets. If all segments have the same length, this
 * gives at most one segment too many at each end. */
LANES_INLINE void find_stretch_bounds(struct path_stretch *stretch) {
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

/* Visits all collected ranges. */
LANES_INLINE void visit_stretches(struct path_search *search, bool spatial) {
  for (uint32_t k = 0; k < search->stretches; k++) find_stretch_bounds(&search->stretch[k]);
  if (search->predicts) {
    visit_each(search, true, spatial);
  } else {
    visit_each(search, false, spatial);
  }
  search->stretches = 0;
}

/* Collects a range for some lanes. */
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
