/* guides/path_internal.h: a path as the pass reads it: straight segments, each with its distance along the path. A pass
 * needs all values of a segment at once, therefore they are stored together, two segments per cache line.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GUIDES_PATH_INTERNAL_H
#define THRONG_KERNEL_GUIDES_PATH_INTERNAL_H

#include <throng/path.h>

#include "base/memory.h"
#include "base/space.h"

struct path_segment {
  float from[3];  /* metres: its first point; y is 0 in planar worlds */
  float along[3]; /* its unit direction */
  float start;    /* path parameter of its first point: rises from segment to segment */
  float length;
};

struct path {
  uint32_t segments; /* 0: no path */
  bool closed;
  float length;                 /* metres */
  float buckets_per_metre;      /* segments / length */
  struct path_segment *segment; /* [segments + 1]; the last one is the path's end: only its `from` and `start` are
                                   set */
  uint32_t *bucket;             /* [segments + 1]: the first segment that ends in this bucket or a later one */
};

/* Returns the bucket of a path parameter in [0, length]; it rises with the parameter. */
static inline uint32_t path_bucket(const struct path *path, float parameter) {
  uint32_t bucket = (uint32_t)(parameter * path->buckets_per_metre);
  return bucket < path->segments ? bucket : path->segments - 1;
}
/* Returns the first segment that does not end before a path parameter. */
static inline uint32_t path_segment_at(const struct path *path, float parameter) {
  const uint32_t bucket = path_bucket(path, parameter);
  uint32_t low = path->bucket[bucket], high = path->bucket[bucket + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (path->segment[middle + 1].start < parameter) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Checks a definition, and makes the path. On failure there is nothing to release. */
throng_status throng_path_make(const struct space *space, const throng_allocator *allocator, const throng_path_def *def,
                               struct path *path, throng_error *error);
void throng_path_release(struct path *path, const throng_allocator *allocator);

/* Checks that every point of a path can be shifted exactly and stays within +-limit. Only then may it be shifted. */
throng_status throng_path_check_shift(const struct path *path, const float shift[3], float limit, throng_error *error);
void throng_path_shift(struct path *path, const float shift[3]);

#endif
