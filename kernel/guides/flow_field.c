/* flow_field.c: see flow_field_internal.h. SPDX-License-Identifier: MIT */
#include "guides/flow_field_internal.h"

#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/assertion.h"
#include "base/definitions.h"
#include "base/error.h"
#include "scenery/cells.h"

throng_flow_field_def throng_default_flow_field_def(void) {
  throng_flow_field_def def;
  memset(&def, 0, sizeof def);
  def.cell = 1.0f;
  def.cookie = THRONG_FLOW_FIELD_COOKIE;
  return def;
}

static size_t field_bytes(const struct flow_field *field) {
  return (size_t)field->stride * (field->height + 1) * sizeof *field->vectors;
}

void throng_flow_field_release(struct flow_field *field, const throng_allocator *allocator) {
  throng_release(allocator, field->vectors, field_bytes(field));
  memset(field, 0, sizeof *field);
}

static throng_status check_field(const struct space *space, const throng_flow_field_def *def, struct map_frame *frame,
                                 throng_error *error) {
  if (def->cookie != THRONG_FLOW_FIELD_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "flow field definition has a wrong cookie: it is not from throng_default_flow_field_def()");
  }
  if (!def->vectors) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "flow_field.vectors is NULL");
  *frame = throng_cells_frame(space->axes, "flow_field", def->width, def->height, def->cell, def->origin);
  TRY(throng_cells_check_frame(space->axes, frame, space->limit, error));
  const size_t floats = 2 * (size_t)def->width * def->height;
  for (size_t k = 0; k < floats; k++) {
    if (def->vectors[k] >= -1e9f && def->vectors[k] <= 1e9f) continue;
    return throng_fail(error, isfinite(def->vectors[k]) ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE,
                       "flow_field.vectors[%zu] is %.9g, allowed: -1e9 to 1e9", k, (double)def->vectors[k]);
  }
  return THRONG_OK;
}

static void copy_vectors(struct flow_field *field, const float *vectors) {
  const size_t row = 2 * (size_t)field->width;
  for (uint32_t j = 0; j <= field->height; j++) {
    const float *from = vectors + row * (j < field->height ? j : field->repeats[1] ? 0 : j - 1);
    float *to = field->vectors + (size_t)field->stride * j;
    memcpy(to, from, row * sizeof *to);
    memcpy(to + row, field->repeats[0] ? from : from + row - 2, 2 * sizeof *to);
  }
}

throng_status throng_flow_field_make(const struct space *space, const throng_allocator *allocator,
                                     const throng_flow_field_def *def, struct flow_field *field, throng_error *error) {
  struct map_frame frame;
  TRY(check_field(space, def, &frame, error));
  *field = (struct flow_field){.width = def->width,
                               .height = def->height,
                               .stride = 2 * (def->width + 1),
                               .cell = frame.cell,
                               .origin_x = frame.origin_x,
                               .origin_z = frame.origin_z,
                               .inverse = 1.0f / frame.cell,
                               .repeats = {throng_cells_tile(space, &frame, 0), throng_cells_tile(space, &frame, 1)}};
  field->vectors = throng_allocate(allocator, field_bytes(field));
  if (!field->vectors) {
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a flow field of %zu bytes",
                       field_bytes(field));
  }
  copy_vectors(field, def->vectors);
  return THRONG_OK;
}

/* Returns a coordinate in cells from the first sample, limited to the range of the samples. Where the field repeats,
 * the range ends at the first sample's next image. */
static float place_along(float coordinate, float origin, float inverse, uint32_t samples, bool repeats) {
  float place = (coordinate - origin) * inverse - 0.5f, last = (float)(samples - 1);
  if (repeats) {
    last = (float)samples;
    place -= last * floorf(place / last);
  }
  place = place > 0.0f ? place : 0.0f;
  return place < last ? place : last;
}
static uint32_t sample_below(float place, uint32_t samples) {
  const uint32_t sample = (uint32_t)place;
  return sample < samples ? sample : samples - 1;
}

static float mix(float a, float b, float part) { return a + (b - a) * part; }

/* Returns the field at (x, z). If the interpolated vector counts as 0, the result is the nearest sample, provided that
 * it points toward its own position; if not, the result is 0. So agents stop where vectors meet, but not between
 * vectors that diverge. */
throng_vec3 throng_flow_field_sample(const struct flow_field *field, float x, float z) {
  ASSERT_ALONE(field->vectors && field->width >= 1 && field->height >= 1);
  const float u = place_along(x, field->origin_x, field->inverse, field->width, field->repeats[0]),
              w = place_along(z, field->origin_z, field->inverse, field->height, field->repeats[1]);
  const uint32_t i = sample_below(u, field->width), j = sample_below(w, field->height);
  const float *low = field->vectors + (size_t)field->stride * j + 2 * i, *high = low + field->stride;
  const float fx = u - (float)i, fz = w - (float)j;
  const float vx = mix(mix(low[0], low[2], fx), mix(high[0], high[2], fx), fz),
              vz = mix(mix(low[1], low[3], fx), mix(high[1], high[3], fx), fz);
  float longest = 0.0f;
  for (int k = 0; k < 4; k++) {
    const float *s = (k < 2 ? low : high) + 2 * (k % 2);
    longest = fmaxf(longest, s[0] * s[0] + s[1] * s[1]);
  }
  if (vx * vx + vz * vz >= fminf(longest, 1.0f) * (FLOW_LEAST * FLOW_LEAST)) return (throng_vec3){vx, 0.0f, vz};
  const float *nearest = (fz < 0.5f ? low : high) + (fx < 0.5f ? 0 : 2);
  const float way_x = (fx < 0.5f ? 0.0f : 1.0f) - fx, way_z = (fz < 0.5f ? 0.0f : 1.0f) - fz;
  if (!(nearest[0] * way_x + nearest[1] * way_z > 0.0f)) return (throng_vec3){0.0f, 0.0f, 0.0f};
  return (throng_vec3){nearest[0], 0.0f, nearest[1]};
}

throng_status throng_flow_field_check_shift(const struct flow_field *field, const float shift[3], float limit,
                                            throng_error *error) {
  if (shifts_exactly(field->origin_x, shift[0], limit) && shifts_exactly(field->origin_z, shift[2], limit) &&
      throng_cells_fit_floats(field->origin_x - shift[0], field->cell, field->width) &&
      throng_cells_fit_floats(field->origin_z - shift[2], field->cell, field->height)) {
    return THRONG_OK;
  }
  return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                     "its origin cannot be shifted exactly, or it would be too far out or too fine for floats there");
}

void throng_flow_field_shift(struct flow_field *field, const float shift[3]) {
  field->origin_x -= shift[0];
  field->origin_z -= shift[2];
}
