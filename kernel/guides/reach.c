/* reach.c: see reach.h. SPDX-License-Identifier: MIT */
#include "guides/reach.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assertion.h"
#include "base/error.h"

bool throng_reach_make(const struct space *space, const throng_allocator *allocator, const void *list, uint32_t count,
                       reach_area *area, struct reach *reach) {
  struct shape images[MOST_IMAGES];
  uint32_t shapes = count, next = 0;
  for (uint32_t k = 0; k < count; k++) {
    const struct shape own = area(list, k);
    shapes += throng_shape_images(space, &own, images);
  }
  reach->areas = (struct scenery){.shapes = shapes, .spatial = space->spatial, .slack = 0x1p-40 * (double)space->limit};
  reach->areas.shape = throng_allocate(allocator, shapes * sizeof *reach->areas.shape);
  reach->of = throng_allocate(allocator, shapes * sizeof *reach->of);
  if (!reach->areas.shape || !reach->of) return false;
  for (uint32_t k = 0; k < count; k++) {
    const struct shape own = area(list, k);
    const uint32_t end = next + 1 + throng_shape_images(space, &own, images);
    reach->areas.shape[next] = own;
    memcpy(reach->areas.shape + next + 1, images, (end - next - 1) * sizeof *images);
    while (next < end) reach->of[next++] = k;
  }
  ASSERT_ALONE(next == shapes);
  if (reach->areas.shape[0].kind == SHAPE_BALL) reach->areas.balls = shapes;
  return throng_scenery_build_grid(&reach->areas, 8.0 * (double)shapes + 64.0, allocator);
}

void throng_reach_release(struct reach *reach, const throng_allocator *allocator) {
  throng_release(allocator, reach->of, reach->areas.shapes * sizeof *reach->of);
  throng_scenery_release(&reach->areas, allocator);
  memset(reach, 0, sizeof *reach);
}

void throng_reach_shift(struct reach *reach, const void *list, reach_area *area, const float shift[3]) {
  struct scenery *areas = &reach->areas;
  for (int c = 0; c < 3; c++) {
    if (shift[c] == 0.0f) continue; /* periodic axes: images keep their coordinates */
    for (uint32_t k = 0; k < areas->shapes; k++) {
      const struct shape own = area(list, reach->of[k]);
      areas->shape[k].a[c] = own.a[c];
      areas->shape[k].b[c] = own.b[c];
    }
    areas->origin[c] -= (double)shift[c];
  }
}

throng_status throng_reach_check_point(const struct space *space, const float p[3], const char *list, uint32_t k,
                                       const char *member, throng_error *error) {
  for (int c = 0; c < 3; c++) {
    const bool periodic = space->axis[c].period != 0;
    const float low = periodic ? space->axis[c].origin : -space->limit, high = periodic ? space->end[c] : space->limit;
    if (p[c] >= low && p[c] <= high) continue;
    const bool finite = fabsf(p[c]) <= FLT_MAX;
    const struct axes_coordinate host = throng_axes_give_coordinate(space->axes, c, p[c], low, high);
    return throng_fail(error, finite ? THRONG_ERROR_OUT_OF_RANGE : THRONG_ERROR_NOT_FINITE,
                       "%s[%u].%s.%c is %.9g, allowed: %.9g to %.9g", list, k, member, host.axis, host.value, host.low,
                       host.high);
  }
  return THRONG_OK;
}

throng_status throng_reach_check_shift(const throng_vec3 *point, const char *member, uint32_t k, const float shift[3],
                                       float limit, throng_error *error) {
  for (int c = 0; c < 3; c++) {
    const float p = (&point->x)[c];
    if (shifts_exactly(p, shift[c], limit)) continue;
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                       "[%u].%s.%c, %.9g, cannot be shifted by %.9g exactly, or would be too far out", k, member,
                       "xyz"[c], (double)p, (double)shift[c]);
  }
  return THRONG_OK;
}
