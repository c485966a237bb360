/* attractors.c: see attractors_internal.h. SPDX-License-Identifier: MIT */
#include "guides/attractors_internal.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

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
  throng_reach_release(&attractors->reach, allocator);
  memset(attractors, 0, sizeof *attractors);
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
  TRY(throng_reach_check_point(space, p, "attractors", k, "position", error));
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

static struct shape ball_of(const void *list, uint32_t k) {
  const throng_attractor *attractor = (const throng_attractor *)list + k;
  const throng_vec3 p = attractor->position;
  return (struct shape){.kind = SHAPE_BALL, .a = {p.x, p.y, p.z}, .radius = attractor->radius};
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
  if (attractors->list &&
      throng_reach_make(space, allocator, attractors->list, def->count, ball_of, &attractors->reach)) {
    return THRONG_OK;
  }
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

throng_status throng_attractors_check_shift(const struct attractors *attractors, const float shift[3], float limit,
                                            throng_error *error) {
  for (uint32_t k = 0; k < attractors->count; k++) {
    TRY(throng_reach_check_shift(&attractors->list[k].position, "position", k, shift, limit, error));
  }
  return THRONG_OK;
}

void throng_attractors_shift(struct attractors *attractors, const float shift[3]) {
  for (uint32_t k = 0; k < attractors->count; k++) {
    for (int c = 0; c < 3; c++) (&attractors->list[k].position.x)[c] -= shift[c];
  }
  throng_reach_shift(&attractors->reach, attractors->list, ball_of, shift);
}
