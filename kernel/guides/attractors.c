/* attractors.c: see attractors_internal.h. SPDX-License-Identifier: MIT */
#include "guides/attractors_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/definitions.h"
#include "base/error.h"

throng_attractor throng_default_attractor(void) {
  return (throng_attractor){.strength = 1.0f, .radius = 10.0f, .least_distance = 1.0f, .mask = THRONG_ALL_LAYERS};
}

throng_attractors_def throng_default_attractors_def(void) {
  throng_attractors_def def;
  memset(&def, 0, sizeof def);
  def.cookie = THRONG_ATTRACTORS_COOKIE;
  return def;
}

void throng_attractors_release(struct attractors *attractors, const throng_allocator *allocator) {
  throng_release(allocator, attractors->list, attractors->count * sizeof *attractors->list);
  throng_release(allocator, attractors->of, attractors->reach.shapes * sizeof *attractors->of);
  throng_scenery_release(&attractors->reach, allocator);
  memset(attractors, 0, sizeof *attractors);
}

static throng_status check_position(const struct space *space, const float p[3], uint32_t k, throng_error *error) {
  for (int c = 0; c < 3; c++) {
    const bool periodic = space->axis[c].period != 0;
    const float low = periodic ? space->axis[c].origin : -space->limit, high = periodic ? space->end[c] : space->limit;
    if (p[c] >= low && p[c] <= high) continue;
    const bool finite = fabsf(p[c]) <= FLT_MAX;
    return throng_fail(error, finite ? THRONG_ERROR_OUT_OF_RANGE : THRONG_ERROR_NOT_FINITE,
                       "attractors[%u].position.%c is %.9g, allowed: %.9g to %.9g", k, "xyz"[c], (double)p[c],
                       (double)low, (double)high);
  }
  return THRONG_OK;
}

/* Returns the largest radius: that of a ball that covers each position at most once. */
static float largest_radius(const struct space *space) {
  float largest = space->limit;
  for (int c = 0; c < 3; c++) {
    const struct grid_axis *axis = &space->axis[c];
    if (axis->period && 0.5f * axis->length < largest) largest = 0.5f * axis->length;
  }
  return largest;
}

/* Checks attractor k, and converts it to throng's axes. */
static throng_status read_attractor(const struct space *space, const throng_attractor *given, uint32_t k,
                                    throng_attractor *read, throng_error *error) {
  static const char *const laws[] = {"THRONG_ATTRACTOR_LINEAR", "THRONG_ATTRACTOR_INVERSE_SQUARE", NULL};
  float p[3];
  *read = *given;
  space_read_point(space, &given->position, p);
  read->position = (throng_vec3){p[0], p[1], p[2]};
  read->radius = axes_take_length(space->axes, given->radius);
  read->least_distance = axes_take_length(space->axes, given->least_distance);
  TRY(check_position(space, p, k, error));
  const struct {
    const char *name;
    float value, low, high;
  } members[] = {{"strength", read->strength, -KIND_MOST, KIND_MOST},
                 {"radius", read->radius, FLT_MIN, largest_radius(space)},
                 {"least_distance", read->least_distance, 1e-3f, KIND_MOST}};
  for (int m = 0; m < 3; m++) {
    char field[48];
    snprintf(field, sizeof field, "attractors[%u].%s", k, members[m].name);
    TRY(throng_check_range(members[m].value, members[m].low, members[m].high, field, error));
  }
  char field[48];
  snprintf(field, sizeof field, "attractors[%u].law", k);
  return throng_check_enum((int64_t)given->law, laws, field, error);
}

static struct shape ball_of(const throng_attractor *attractor) {
  const throng_vec3 p = attractor->position;
  return (struct shape){.kind = SHAPE_BALL, .a = {p.x, p.y, p.z}, .radius = attractor->radius};
}

/* Puts a ball and its images for each attractor into `reach`, behind one another. */
static bool fill_reach(const struct space *space, const throng_allocator *allocator, struct attractors *attractors) {
  struct scenery *reach = &attractors->reach;
  struct shape images[MOST_IMAGES];
  uint32_t balls = attractors->count, next = 0;
  for (uint32_t k = 0; k < attractors->count; k++) {
    const struct shape ball = ball_of(&attractors->list[k]);
    balls += throng_shape_images(space, &ball, images);
  }
  *reach = (struct scenery){.shapes = balls, .balls = balls, .spatial = space->spatial};
  reach->slack = 0x1p-40 * (double)space->limit;
  reach->shape = throng_allocate(allocator, balls * sizeof *reach->shape);
  attractors->of = throng_allocate(allocator, balls * sizeof *attractors->of);
  if (!reach->shape || !attractors->of) return false;
  for (uint32_t k = 0; k < attractors->count; k++) {
    const struct shape ball = ball_of(&attractors->list[k]);
    const uint32_t end = next + 1 + throng_shape_images(space, &ball, images);
    reach->shape[next] = ball;
    memcpy(reach->shape + next + 1, images, (end - next - 1) * sizeof *images);
    while (next < end) attractors->of[next++] = k;
  }
  ASSERT_ALONE(next == balls);
  return throng_scenery_build_grid(reach, 8.0 * (double)balls + 64.0, allocator);
}

static throng_status check_attractors(const throng_attractors_def *def, throng_error *error) {
  if (def->cookie != THRONG_ATTRACTORS_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "attractors definition has a wrong cookie: it is not from throng_default_attractors_def()");
  }
  if (def->count > THRONG_MAX_ATTRACTORS) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "attractors.count is %u, allowed: 0 to %u", def->count,
                       THRONG_MAX_ATTRACTORS);
  }
  if (def->count > 0 && !def->attractors) {
    return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "attractors.attractors is NULL");
  }
  return THRONG_OK;
}

/* Fills empty `attractors` from a definition. On failure the caller releases what they hold. */
static throng_status fill_attractors(const struct space *space, const throng_allocator *allocator,
                                     const throng_attractors_def *def, struct attractors *attractors,
                                     throng_error *error) {
  attractors->count = def->count;
  attractors->list = throng_allocate(allocator, def->count * sizeof *attractors->list);
  for (uint32_t k = 0; attractors->list && k < def->count; k++) {
    TRY(read_attractor(space, &def->attractors[k], k, &attractors->list[k], error));
  }
  if (attractors->list && fill_reach(space, allocator, attractors)) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u attractors", def->count);
}

throng_status throng_attractors_make(const struct space *space, const throng_allocator *allocator,
                                     const throng_attractors_def *def, struct attractors *attractors,
                                     throng_error *error) {
  memset(attractors, 0, sizeof *attractors);
  TRY(check_attractors(def, error));
  if (def->count == 0) return THRONG_OK;
  const throng_status status = fill_attractors(space, allocator, def, attractors, error);
  if (status != THRONG_OK) throng_attractors_release(attractors, allocator);
  return status;
}

/* Images move as their attractors do: only axes without a period can be shifted. */
throng_status throng_attractors_check_shift(const struct attractors *attractors, const float shift[3], float limit,
                                            throng_error *error) {
  for (uint32_t k = 0; k < attractors->count; k++) {
    for (int c = 0; c < 3; c++) {
      const float p = (&attractors->list[k].position.x)[c];
      if (shifts_exactly(p, shift[c], limit)) continue;
      return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                         "[%u].position.%c, %.9g, cannot be shifted by %.9g exactly, or would be too far out", k,
                         "xyz"[c], (double)p, (double)shift[c]);
    }
  }
  return THRONG_OK;
}

void throng_attractors_shift(struct attractors *attractors, const float shift[3]) {
  for (uint32_t k = 0; k < attractors->count; k++) {
    for (int c = 0; c < 3; c++) (&attractors->list[k].position.x)[c] -= shift[c];
  }
  throng_scenery_shift(&attractors->reach, shift);
}
