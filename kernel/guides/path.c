/* path.c: see path_internal.h. Segments are computed once, when a path is set: docs/ARITHMETIC.md, "Paths".
 * SPDX-License-Identifier: MIT */
#include "guides/path_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/assertion.h"
#include "base/definitions.h"
#include "base/error.h"
#include "base/span.h"

throng_path_def throng_default_path_def(void) {
  throng_path_def def;
  memset(&def, 0, sizeof def);
  def.cookie = THRONG_PATH_COOKIE;
  return def;
}

static size_t path_bytes(uint32_t segments) {
  return ((size_t)segments + 1) * (sizeof(struct path_segment) + sizeof(uint32_t));
}

void throng_path_release(struct path *path, const throng_allocator *allocator) {
  throng_release(allocator, path->segment, path_bytes(path->segments));
  memset(path, 0, sizeof *path);
}

static void load_point(const struct space *space, const throng_path_def *def, uint32_t k, float point[3]) {
  space_read_point(space, span_at(def->points, sizeof(throng_vec3), k), point);
}

static throng_status check_points(const struct space *space, const throng_path_def *def, throng_error *error) {
  for (uint32_t k = 0; k < def->count; k++) {
    float point[3];
    load_point(space, def, k, point);
    for (int c = 0; c < 3; c++) {
      const struct grid_axis *axis = &space->axis[c];
      const float low = axis->period ? axis->origin : -space->limit, high = axis->period ? space->end[c] : space->limit;
      char field[32];
      if (c == 1 && !space->spatial) continue;
      snprintf(field, sizeof field, "path.points[%u]", k);
      TRY(throng_axes_check_coordinate(space->axes, c, point[c], low, high, field, error));
    }
  }
  return THRONG_OK;
}

static throng_status check_path(const struct space *space, const throng_path_def *def, throng_error *error) {
  if (def->cookie != THRONG_PATH_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "path definition has a wrong cookie: it is not from throng_default_path_def()");
  }
  if (def->count < 2 || def->count > THRONG_MAX_PATH_POINTS) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "path.count is %u, allowed: 2 to %u", def->count,
                       THRONG_MAX_PATH_POINTS);
  }
  if (!def->points.data) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "path.points.data is NULL");
  TRY(span_check_stride(def->points.stride, 3 * sizeof(float), "path.points.stride", error));
  return check_points(space, def, error);
}

static throng_status fill_segments(const struct space *space, const throng_path_def *def, struct path *path,
                                   throng_error *error) {
  double total = 0.0;
  ASSERT_ALONE(def->count >= 2 && (path->segments == def->count || path->segments == def->count - 1));
  for (uint32_t k = 0; k < path->segments; k++) {
    struct path_segment *segment = &path->segment[k], *next = segment + 1;
    double d[3];
    load_point(space, def, k, segment->from);
    load_point(space, def, (k + 1) % def->count, next->from);
    for (int c = 0; c < 3; c++) d[c] = (double)space_difference(&space->axis[c], next->from[c], segment->from[c]);
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    total += length;
    next->start = (float)total;
    segment->length = (float)length;
    if (!(next->start > segment->start)) {
      return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                         "path.points[%u] is %.9g m from the one before it, at %.9g m: it must make the path longer",
                         (k + 1) % def->count, length, (double)segment->start);
    }
    for (int c = 0; c < 3; c++) segment->along[c] = (float)(d[c] / length);
  }
  path->length = path->segment[path->segments].start;
  if (!((float)path->segments / path->length <= FLT_MAX)) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "path is %.9g m long, too short for %u segments",
                       (double)path->length, path->segments);
  }
  return THRONG_OK;
}

static void fill_buckets(struct path *path) {
  ASSERT_ALONE(path->segments >= 1 && path->length > 0.0f);
  uint32_t bucket = 0;
  path->buckets_per_metre = (float)path->segments / path->length;
  for (uint32_t k = 0; k < path->segments; k++) {
    const uint32_t last = path_bucket(path, path->segment[k + 1].start);
    ASSERT_ALONE(last <= path->segments);
    while (bucket <= last) path->bucket[bucket++] = k;
  }
  ASSERT_ALONE(bucket <= path->segments + 1);
  while (bucket <= path->segments) path->bucket[bucket++] = path->segments - 1;
}

throng_status throng_path_make(const struct space *space, const throng_allocator *allocator, const throng_path_def *def,
                               struct path *path, throng_error *error) {
  TRY(check_path(space, def, error));
  const uint32_t segments = def->closed ? def->count : def->count - 1;
  void *memory = throng_allocate(allocator, path_bytes(segments));
  if (!memory) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a path of %u points", def->count);
  *path = (struct path){.segments = segments, .closed = def->closed, .segment = memory};
  path->bucket = (uint32_t *)(path->segment + segments + 1);
  throng_status status = fill_segments(space, def, path, error);
  if (status == THRONG_OK) {
    fill_buckets(path);
  } else {
    throng_path_release(path, allocator);
  }
  return status;
}

/* Checks the points only: directions and lengths are differences of points, which an exact shift does not change. */
throng_status throng_path_check_shift(const struct path *path, const float shift[3], float limit, throng_error *error) {
  for (uint32_t k = 0; k <= path->segments; k++) {
    for (int c = 0; c < 3; c++) {
      if (shifts_exactly(path->segment[k].from[c], shift[c], limit)) continue;
      return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                         "points[%u].%c, %.9g, cannot be shifted by %.9g exactly, or would be too far out", k, "xyz"[c],
                         (double)path -> segment[k].from[c], (double)shift[c]);
    }
  }
  return THRONG_OK;
}

void throng_path_shift(struct path *path, const float shift[3]) {
  for (uint32_t k = 0; k <= path->segments; k++) {
    for (int c = 0; c < 3; c++) path->segment[k].from[c] -= shift[c];
  }
}
