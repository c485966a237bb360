/* scenery.c: checks and stores obstacles, walls, boxes and planes. SPDX-License-Identifier: MIT */
#include "scenery/scenery_internal.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/assertion.h"
#include "base/definitions.h"
#include "base/error.h"
#include "base/span.h"

#define MAX_SHAPES (1u << 22) /* per kind of shape */
#define MAX_PLANES 64u
#define MOST_CELLS 4194304.0

throng_scenery_def throng_default_scenery_def(void) {
  throng_scenery_def def;
  memset(&def, 0, sizeof def);
  def.cookie = THRONG_SCENERY_COOKIE;
  return def;
}

/* One kind of shape in the definition: two arrays. */
struct part {
  enum shape_kind kind;
  uint32_t count, most;
  const char *a, *b; /* the arrays' names */
  throng_span a_span, b_span;
  enum { EITHER_SPACE, PLANAR_ONLY, SPATIAL_ONLY } space;
};

static void list_parts(const throng_scenery_def *def, struct part parts[SHAPE_KINDS]) {
  const struct part list[SHAPE_KINDS] = {
      {SHAPE_BALL, def->obstacle_count, MAX_SHAPES, "obstacle_centre", "obstacle_radius", def->obstacle_centre,
       def->obstacle_radius, EITHER_SPACE},
      {SHAPE_WALL, def->wall_count, MAX_SHAPES, "wall_from", "wall_to", def->wall_from, def->wall_to, PLANAR_ONLY},
      {SHAPE_BOX, def->box_count, MAX_SHAPES, "box_min", "box_max", def->box_min, def->box_max, SPATIAL_ONLY},
      {SHAPE_PLANE, def->plane_count, MAX_PLANES, "plane_normal", "plane_point", def->plane_normal, def->plane_point,
       SPATIAL_ONLY}};
  memcpy(parts, list, sizeof list);
}

static throng_status check_part(const struct space *space, const struct part *part, throng_error *error) {
  static const char *const counts[SHAPE_KINDS] = {"obstacle_count", "wall_count", "box_count", "plane_count"};
  if (part->count == 0) return THRONG_OK;
  if (part->count > part->most) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "scenery.%s is %u, allowed: 0 to %u", counts[part->kind],
                       part->count, part->most);
  }
  if (part->space != EITHER_SPACE && (part->space == SPATIAL_ONLY) != space->spatial) {
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "scenery.%s is %u, but the world is %s", counts[part->kind],
                       part->count, space->spatial ? "spatial: use boxes and planes" : "planar: use walls");
  }
  if (!part->a_span.data || !part->b_span.data) {
    return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "scenery.%s is NULL", part->a_span.data ? part->b : part->a);
  }
  const size_t b_bytes = part->kind == SHAPE_BALL ? sizeof(float) : sizeof(throng_vec3);
  char field[48];
  snprintf(field, sizeof field, "scenery.%s.stride", part->a);
  TRY(span_check_stride(part->a_span.stride, sizeof(throng_vec3), field, error));
  snprintf(field, sizeof field, "scenery.%s.stride", part->b);
  return span_check_stride(part->b_span.stride, b_bytes, field, error);
}

static throng_status check_def(const struct space *space, const throng_scenery_def *def, throng_error *error) {
  if (def->cookie != THRONG_SCENERY_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "scenery definition has a wrong cookie: it is not from throng_default_scenery_def()");
  }
  struct part parts[SHAPE_KINDS];
  list_parts(def, parts);
  for (int kind = 0; kind < SHAPE_KINDS; kind++) TRY(check_part(space, &parts[kind], error));
  return THRONG_OK;
}

/* Reads element k of an array of points. */
static throng_status read_point(const struct space *space, throng_span span, const char *name, uint32_t k, float p[3],
                                throng_error *error) {
  space_read_point(space, span_at(span, sizeof(throng_vec3), k), p);
  for (int c = 0; c < 3; c++) {
    if (fabsf(p[c]) <= space->limit) continue;
    const struct axes_coordinate host = throng_axes_give_coordinate(space->axes, c, p[c], -space->limit, space->limit);
    return throng_fail(error, fabsf(p[c]) <= FLT_MAX ? THRONG_ERROR_OUT_OF_RANGE : THRONG_ERROR_NOT_FINITE,
                       "scenery.%s[%u].%c is %.9g, allowed: %.9g to %.9g", name, k, host.axis, host.value, host.low,
                       host.high);
  }
  return THRONG_OK;
}

static throng_status read_ball(const struct space *space, const struct part *part, uint32_t k, struct shape *shape,
                               throng_error *error) {
  TRY(read_point(space, part->a_span, part->a, k, shape->a, error));
  memcpy(&shape->radius, span_at(part->b_span, sizeof(float), k), sizeof(float));
  shape->radius = axes_take_length(space->axes, shape->radius);
  if (shape->radius > 0.0f && shape->radius <= space->limit) return THRONG_OK;
  bool finite = fabsf(shape->radius) <= FLT_MAX;
  return throng_fail(error, finite ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE,
                     "scenery.%s[%u] is %.9g, allowed: above 0, to %.9g", part->b, k, (double)shape->radius,
                     (double)space->limit);
}

static throng_status read_plane(const struct space *space, const struct part *part, uint32_t k, struct shape *shape,
                                throng_error *error) {
  float normal[3];
  memcpy(normal, span_at(part->a_span, sizeof normal, k), sizeof normal);
  if (space->axes) {
    throng_axes_take(space->axes, 1.0f, normal, shape->a);
  } else {
    memcpy(shape->a, normal, sizeof normal);
  }
  for (int c = 0; c < 3; c++) {
    if (fabsf(shape->a[c]) <= FLT_MAX) continue;
    return throng_fail(error, THRONG_ERROR_NOT_FINITE, "scenery.%s[%u].%c is %g, must be finite", part->a, k, "xyz"[c],
                       (double)shape -> a[c]);
  }
  if (!scalar_normalise(shape->a)) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "scenery.%s[%u] is 0", part->a, k);
  }
  return read_point(space, part->b_span, part->b, k, shape->b, error);
}

static throng_status read_points(const struct space *space, const struct part *part, uint32_t k, struct shape *shape,
                                 throng_error *error) {
  TRY(read_point(space, part->a_span, part->a, k, shape->a, error));
  TRY(read_point(space, part->b_span, part->b, k, shape->b, error));
  if (part->kind != SHAPE_BOX) return THRONG_OK;
  if (space->axes) throng_axes_swap_corners(space->axes, shape->a, shape->b);
  for (int c = 0; c < 3; c++) {
    if (shape->a[c] < shape->b[c]) continue;
    const struct axes_coordinate host =
        throng_axes_give_coordinate(space->axes, c, shape->a[c], shape->a[c], shape->b[c]);
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "scenery.box_min[%u].%c is %.9g, must be below box_max, %.9g", k,
                       host.axis, host.low, host.high);
  }
  return THRONG_OK;
}

static throng_status read_shape(const struct space *space, const struct part *part, uint32_t k, struct shape *shape,
                                throng_error *error) {
  shape->kind = part->kind;
  if (part->kind == SHAPE_BALL) {
    TRY(read_ball(space, part, k, shape, error));
  } else if (part->kind == SHAPE_PLANE) {
    TRY(read_plane(space, part, k, shape, error));
  } else {
    TRY(read_points(space, part, k, shape, error));
  }
  if (space->periodic) TRY(throng_shape_fit_period(space, shape, part->a, part->b, k, error));
  if (part->kind == SHAPE_WALL && shape->a[0] == shape->b[0] && shape->a[2] == shape->b[2]) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "scenery.wall_from[%u] and wall_to[%u] are the same point", k, k);
  }
  return THRONG_OK;
}

static throng_status read_shapes(const struct space *space, const throng_scenery_def *def, struct scenery *scenery,
                                 throng_error *error) {
  struct part parts[SHAPE_KINDS];
  struct shape *next = scenery->shape;
  list_parts(def, parts);
  for (int kind = 0; kind < SHAPE_KINDS; kind++) {
    for (uint32_t k = 0; k < parts[kind].count; k++) TRY(read_shape(space, &parts[kind], k, next++, error));
  }
  return THRONG_OK;
}

/* Adds the images of each kind of shape behind the shapes of that kind. */
static bool add_images(const struct space *space, const throng_allocator *allocator, struct scenery *scenery) {
  struct shape images[MOST_IMAGES], *given = scenery->shape;
  const uint32_t shapes = scenery->shapes;
  uint32_t all = shapes, from = 0, to = 0;
  for (uint32_t k = 0; k < shapes; k++) all += throng_shape_images(space, &given[k], images);
  struct shape *held = throng_allocate(allocator, all * sizeof *held);
  if (!held) return false;
  for (int kind = 0; kind < SHAPE_KINDS; kind++) {
    const uint32_t count = scenery->given[kind];
    scenery->first[kind] = to;
    memcpy(held + to, given + from, count * sizeof *held);
    to += count;
    for (uint32_t k = from; k < from + count; k++) {
      const uint32_t added = throng_shape_images(space, &given[k], images);
      memcpy(held + to, images, added * sizeof *held);
      to += added;
    }
    from += count;
  }
  ASSERT_ALONE(from == shapes && to == all);
  throng_release(allocator, given, shapes * sizeof *given);
  scenery->shape = held;
  scenery->shapes = all;
  scenery->balls = scenery->first[SHAPE_WALL];
  return true;
}

bool throng_scenery_is_free(const struct scenery *scenery, struct vec p, double radius) {
  const float at[3] = {(float)p.x, (float)p.y, (float)p.z};
  if (scenery->shapes == 0) return true;
  if (scenery->planes == 0 && distance_table_is_clear(&scenery->distances, at, (float)radius)) return true;
  struct scenery_near near = throng_scenery_near(scenery, p, (struct vec){0.0, 0.0, 0.0}, radius);
  uint32_t k;
  while (throng_scenery_next(&near, &k)) {
    if (throng_shape_nearest(&scenery->shape[k], p).distance < radius) return false;
  }
  return true;
}

void throng_scenery_release(struct scenery *scenery, const throng_allocator *allocator) {
  size_t cells = (size_t)scenery->cells[0] * (size_t)scenery->cells[1] * (size_t)scenery->cells[2];
  throng_release(allocator, scenery->shape, scenery->shapes * sizeof *scenery->shape);
  throng_release(allocator, scenery->start, (cells + 1) * sizeof *scenery->start);
  throng_release(allocator, scenery->entry, (size_t)scenery->entries * sizeof *scenery->entry);
  throng_distance_table_release(&scenery->distances, allocator);
  memset(scenery, 0, sizeof *scenery);
}

/* Fills empty `scenery` from a checked definition. On failure the caller releases what it holds. */
static throng_status fill_scenery(const struct space *space, const throng_allocator *allocator,
                                  const throng_scenery_def *def, struct scenery *scenery, throng_error *error) {
  scenery->spatial = space->spatial;
  scenery->shapes = def->obstacle_count + def->wall_count + def->box_count + def->plane_count;
  scenery->balls = def->obstacle_count;
  scenery->planes = def->plane_count;
  const uint32_t counts[SHAPE_KINDS] = {def->obstacle_count, def->wall_count, def->box_count, def->plane_count};
  for (int kind = 0; kind < SHAPE_KINDS; kind++) {
    scenery->given[kind] = counts[kind];
    if (kind > 0) scenery->first[kind] = scenery->first[kind - 1] + counts[kind - 1];
  }
  scenery->slack = 0x1p-40 * (double)space->limit;
  if (scenery->shapes == 0) return THRONG_OK;
  scenery->shape = throng_allocate(allocator, scenery->shapes * sizeof *scenery->shape);
  if (scenery->shape) TRY(read_shapes(space, def, scenery, error));
  const bool has_images = scenery->shape && (!space->periodic || add_images(space, allocator, scenery));
  double wanted = 8.0 * (double)scenery->shapes + 64.0;
  if (!has_images || !throng_scenery_build_grid(scenery, wanted < MOST_CELLS ? wanted : MOST_CELLS, allocator) ||
      !throng_distance_table_make(scenery->shape, scenery_first_plane(scenery), scenery->spatial, allocator,
                                  &scenery->distances)) {
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u shapes of scenery", scenery->shapes);
  }
  return THRONG_OK;
}

throng_status throng_scenery_make(const struct space *space, const throng_allocator *allocator,
                                  const throng_scenery_def *def, struct scenery *scenery, throng_error *error) {
  memset(scenery, 0, sizeof *scenery);
  TRY(check_def(space, def, error));
  throng_status status = fill_scenery(space, allocator, def, scenery, error);
  if (status != THRONG_OK) throng_scenery_release(scenery, allocator);
  return status;
}

/* The arrays that a shift changes: neither radii nor normals. */
static const char *const moved[SHAPE_KINDS][2] = {[SHAPE_BALL] = {"obstacle_centre"},
                                                  [SHAPE_WALL] = {"wall_from", "wall_to"},
                                                  [SHAPE_BOX] = {"box_min", "box_max"},
                                                  [SHAPE_PLANE] = {NULL, "plane_point"}};

/* Returns point 0 (a) or 1 (b) of shape k if a shift moves it, or NULL. */
static float *moved_points(const struct scenery *scenery, uint32_t k, int which) {
  struct shape *shape = &scenery->shape[k];
  return !moved[shape->kind][which] ? NULL : which == 0 ? shape->a : shape->b;
}

/* Names coordinate c of a point of shape k by the caller's array and the index in it. */
static throng_status refuse_shift(const struct scenery *scenery, uint32_t k, int which, int c, float by,
                                  throng_error *error) {
  const struct shape *shape = &scenery->shape[k];
  return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                     "%s[%u].%c, %.9g, cannot be shifted by %.9g exactly, or would be too far out",
                     moved[shape->kind][which], k - scenery->first[shape->kind], "xyz"[c],
                     (double)moved_points(scenery, k, which)[c], (double)by);
}

throng_status throng_scenery_check_shift(const struct scenery *scenery, const float shift[3], float limit,
                                         throng_error *error) {
  for (uint32_t k = 0; k < 2 * scenery->shapes; k++) {
    const float *p = moved_points(scenery, k / 2, k % 2);
    for (int c = 0; p && c < 3; c++) {
      if (!shifts_exactly(p[c], shift[c], limit)) return refuse_shift(scenery, k / 2, k % 2, c, shift[c], error);
    }
  }
  return THRONG_OK;
}

void throng_scenery_shift(struct scenery *scenery, const float shift[3]) {
  for (uint32_t k = 0; k < 2 * scenery->shapes; k++) {
    float *p = moved_points(scenery, k / 2, k % 2);
    for (int c = 0; p && c < 3; c++) p[c] -= shift[c];
  }
  for (int c = 0; c < 3; c++) scenery->origin[c] -= (double)shift[c];
  throng_distance_table_shift(&scenery->distances, scenery->shape, scenery_first_plane(scenery), scenery->spatial);
}
