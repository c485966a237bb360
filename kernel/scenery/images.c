/* images.c: the images of shapes in worlds with periodic axes. Formulas: docs/ARITHMETIC.md, "Images of shapes".
 * SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "scenery/scenery_internal.h"

/* Whether a shape, shifted by whole lengths, comes within half a period of the box along an axis. */
static bool comes_near(const struct space *space, const struct shape *shape, int c, int lengths) {
  const double length = (double)space->axis[c].length;
  double low, high;
  shape_extent(shape, c, &low, &high);
  return low + lengths * length <= (double)space->end[c] + 0.5 * length &&
         high + lengths * length >= (double)space->axis[c].origin - 0.5 * length;
}

uint32_t throng_shape_images(const struct space *space, const struct shape *shape, struct shape images[MOST_IMAGES]) {
  uint32_t count = 0;
  if (shape->kind == SHAPE_PLANE) return 0;
  for (int k = 0; k < 27; k++) {
    const int lengths[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
    struct shape image = *shape;
    bool near = k != 13; /* the shape itself */
    for (int c = 0; c < 3 && near; c++) {
      if (lengths[c] == 0) continue;
      near = space->axis[c].period && comes_near(space, shape, c, lengths[c]);
      image.a[c] += (float)lengths[c] * space->axis[c].length;
      image.b[c] += (float)lengths[c] * space->axis[c].length;
    }
    if (near) images[count++] = image;
  }
  return count;
}

static throng_status refuse_length(const struct space *space, int c, double length, const char *a, const char *b,
                                   uint32_t k, throng_error *error) {
  return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                     "scenery.%s[%u] and %s[%u] are %.9g m long along %c, allowed: half of the period, %.9g m", a, k, b,
                     k, length, throng_axes_give_coordinate(space->axes, c, 0.0f, 0.0f, 0.0f).axis,
                     0.5 * (double)space->axis[c].length);
}

throng_status throng_shape_fit_period(const struct space *space, struct shape *shape, const char *a, const char *b,
                                      uint32_t k, throng_error *error) {
  for (int c = 0; c < 3; c++) {
    const struct grid_axis *axis = &space->axis[c];
    if (axis->period == 0) continue;
    if (shape->kind == SHAPE_PLANE) {
      if (shape->a[c] == 0.0f) continue;
      return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                         "scenery.%s[%u].%c is %.9g, must be 0: a plane across a periodic axis has no end", a, k,
                         "xyz"[c], (double)shape -> a[c]);
    }
    if (!(shape->a[c] >= axis->origin && shape->a[c] <= space->end[c])) {
      const struct axes_coordinate host =
          throng_axes_give_coordinate(space->axes, c, shape->a[c], axis->origin, space->end[c]);
      return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "scenery.%s[%u].%c is %.9g, the world is %.9g to %.9g", a, k,
                         host.axis, host.value, host.low, host.high);
    }
    if (shape->kind == SHAPE_WALL) shape->b[c] = space_image(axis, shape->b[c], shape->a[c]);
    double low, high;
    shape_extent(shape, c, &low, &high);
    if (high - low > 0.5 * (double)axis->length) {
      return refuse_length(space, c, high - low, a, b, k, error);
    }
  }
  return THRONG_OK;
}
