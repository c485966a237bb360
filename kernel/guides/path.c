/* path.c: see path.h. What a path is made of is computed once, when it is set: docs/ARITHMETIC.md, "Paths".
 * SPDX-License-Identifier: MIT */
#include "guides/path.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/float_environment.h"
#include "state.h"
#include "agents/values.h"
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

/* Its y is 0 in planar worlds. */
static void load_point(const throng_world *world, const throng_path_def *def, uint32_t k, float point[3]) {
  memcpy(point, span_at(def->points, 3 * sizeof *point, k), 3 * sizeof *point);
  if (!world->grid.space.spatial) point[1] = 0.0f;
}

static throng_status check_points(const throng_world *world, const throng_path_def *def, throng_error *error) {
  const throng_world_def *box = &world->def;
  const float limit = world->grid.space.limit;
  const float low[3] = {box->box_min.x, box->box_min.y, box->box_min.z};
  const float high[3] = {box->box_max.x, box->box_max.y, box->box_max.z};
  for (uint32_t k = 0; k < def->count; k++) {
    float point[3];
    load_point(world, def, k, point);
    for (int c = 0; c < 3; c++) {
      const bool periodic = world->grid.space.axis[c].period != 0;
      char field[32];
      if (c == 1 && !world->grid.space.spatial) continue;
      snprintf(field, sizeof field, "path.points[%u].%c", k, "xyz"[c]);
      TRY(throng_check_range(point[c], periodic ? low[c] : -limit, periodic ? high[c] : limit, field, error));
    }
  }
  return THRONG_OK;
}

static throng_status check_path(const throng_world *world, const throng_path_def *def, throng_error *error) {
  if (def->cookie != THRONG_PATH_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "path definition has a wrong cookie: it is not from throng_default_path_def()");
  }
  if (def->count < 2 || def->count > THRONG_MAX_PATH_POINTS) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "path.count is %u, allowed: 2 to %u", def->count,
                       THRONG_MAX_PATH_POINTS);
  }
  if (!def->points.data) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "path.points.data is NULL");
  return check_points(world, def, error);
}

static throng_status fill_segments(const throng_world *world, const throng_path_def *def, struct path *path,
                                   throng_error *error) {
  double total = 0.0;
  for (uint32_t k = 0; k < path->segments; k++) {
    struct path_segment *segment = &path->segment[k], *next = segment + 1;
    double d[3];
    load_point(world, def, k, segment->from);
    load_point(world, def, (k + 1) % def->count, next->from);
    for (int c = 0; c < 3; c++)
      d[c] = (double)space_difference(&world->grid.space.axis[c], next->from[c], segment->from[c]);
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
  uint32_t bucket = 0;
  path->buckets_per_metre = (float)path->segments / path->length;
  for (uint32_t k = 0; k < path->segments; k++) {
    const uint32_t last = path_bucket(path, path->segment[k + 1].start);
    while (bucket <= last) path->bucket[bucket++] = k;
  }
  while (bucket <= path->segments) path->bucket[bucket++] = path->segments - 1;
}

throng_status throng_path_make(const throng_world *world, const throng_path_def *def, struct path *path,
                               throng_error *error) {
  TRY(check_path(world, def, error));
  const uint32_t segments = def->closed ? def->count : def->count - 1;
  void *memory = throng_allocate(&world->def.allocator, path_bytes(segments));
  if (!memory) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a path of %u points", def->count);
  *path = (struct path){.segments = segments, .closed = def->closed, .segment = memory};
  path->bucket = (uint32_t *)(path->segment + segments + 1);
  throng_status status = fill_segments(world, def, path, error);
  if (status == THRONG_OK) {
    fill_buckets(path);
  } else {
    throng_path_release(path, &world->def.allocator);
  }
  return status;
}

static OUT_OF_LINE throng_status world_set_path_inner(throng_world *world, uint32_t number, const throng_path_def *def,
                                                      throng_error *error) {
  REQUIRE_POINTER(world, error);
  if (number >= THRONG_MAX_PATHS) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "number is %u, allowed: 0 to %u", number, THRONG_MAX_PATHS - 1);
  }
  struct path path;
  memset(&path, 0, sizeof path);
  if (def) TRY(throng_path_make(world, def, &path, error));
  throng_path_release(&world->path[number], &world->def.allocator);
  world->path[number] = path;
  return THRONG_OK;
}

throng_status throng_world_set_path(throng_world *world, uint32_t number, const throng_path_def *def,
                                    throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, world_set_path_inner(world, number, def, error));
}

float throng_world_path_length(const throng_world *world, uint32_t number) {
  return world && number < THRONG_MAX_PATHS ? world->path[number].length : 0.0f;
}

/* Directions and lengths come of differences of points, which an exact shift leaves alone. */
throng_status throng_paths_check_shift(const throng_world *world, const float shift[3], throng_error *error) {
  for (uint32_t number = 0; number < THRONG_MAX_PATHS; number++) {
    const struct path *path = &world->path[number];
    for (uint32_t k = 0; path->segments && k <= path->segments; k++) {
      for (int c = 0; c < 3; c++) {
        const float a = path->segment[k].from[c];
        if (shifts_exactly(a, shift[c], world->grid.space.limit)) continue;
        return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                           "path %u: point %u cannot be shifted exactly, or would be too far out", number, k);
      }
    }
  }
  return THRONG_OK;
}

void throng_paths_shift(throng_world *world, const float shift[3]) {
  for (uint32_t number = 0; number < THRONG_MAX_PATHS; number++) {
    struct path *path = &world->path[number];
    for (uint32_t k = 0; path->segments && k <= path->segments; k++) {
      for (int c = 0; c < 3; c++) path->segment[k].from[c] -= shift[c];
    }
  }
}
