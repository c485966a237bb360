/* path.h: the world's paths, as the passes read them: straight segments, each with its distance along the path. A pass
 * needs all of a segment at once, so that its numbers lie together, two segments to a cache line.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PATH_SEGMENTS_H
#define THRONG_PATH_SEGMENTS_H

#include <throng/path.h>

struct path_segment {
  float from[3];  /* metres: where it begins; y is 0 in planar worlds */
  float along[3]; /* its direction, of length 1 */
  float start;    /* metres along the path where it begins: rises from segment to segment */
  float length;
};

struct path {
  uint32_t segments; /* 0 = there is no path */
  bool closed;
  float length;                 /* metres */
  float buckets_per_metre;      /* segments / length */
  struct path_segment *segment; /* [segments + 1]: the last one is the end, from and start alone */
  uint32_t *bucket;             /* [segments + 1]: the first segment that ends in this bucket or a later one */
};

/* Rises with the parameter, 0 <= parameter <= length. */
static inline uint32_t path_bucket(const struct path *path, float parameter) {
  uint32_t bucket = (uint32_t)(parameter * path->buckets_per_metre);
  return bucket < path->segments ? bucket : path->segments - 1;
}
/* The first segment that does not end before a parameter. */
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

struct throng_world;

/* Checks a definition and makes the path of it; on failure nothing is left to release. */
throng_status throng_path_make(const struct throng_world *world, const throng_path_def *def, struct path *path,
                               throng_error *error);
void throng_path_release(struct path *path, const throng_allocator *allocator);

/* The shift of origin: whether every point of the world's paths can be shifted exactly; and the shift. */
throng_status throng_paths_check_shift(const struct throng_world *world, const float shift[3], throng_error *error);
void throng_paths_shift(struct throng_world *world, const float shift[3]);

#endif
