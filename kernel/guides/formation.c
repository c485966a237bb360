/* formation.c: see formation_internal.h. SPDX-License-Identifier: MIT */
#include "guides/formation_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/definitions.h"
#include "base/error.h"
#include "base/span.h"

throng_formation_def throng_default_formation_def(void) {
  throng_formation_def def;
  memset(&def, 0, sizeof def);
  def.cookie = THRONG_FORMATION_COOKIE;
  return def;
}

static size_t place_bytes(uint32_t places) { return (size_t)places * PLACE_FLOATS * sizeof(float); }

void throng_formation_release(struct formation *formation, const throng_allocator *allocator) {
  throng_release(allocator, formation->place, place_bytes(formation->places));
  memset(formation, 0, sizeof *formation);
}

/* Returns the maximum of a place's coordinates: half the shortest side along a periodic axis. The offset from the
 * target to a place with only one coordinate other than 0 is then a minimum image, for every facing of the target. */
static float longest_place(const struct space *space) {
  float longest = KIND_MOST;
  for (int k = 0; k < 3; k++) {
    const struct grid_axis *axis = &space->axis[k];
    if (axis->period && 0.5f * axis->length < longest) longest = 0.5f * axis->length;
  }
  return longest;
}

/* Loads place k. (right, up, forward) are lengths: they have the host's unit but do not depend on its axes. */
static void load_place(const struct space *space, const throng_formation_def *def, uint32_t k, float place[3]) {
  memcpy(place, span_at(def->places, 3 * sizeof *place, k), 3 * sizeof *place);
  for (int c = 0; c < 3; c++) place[c] = axes_take_length(space->axes, place[c]);
}

static throng_status check_formation(const struct space *space, const throng_formation_def *def, throng_error *error) {
  if (def->cookie != THRONG_FORMATION_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "formation definition has a wrong cookie: it is not from throng_default_formation_def()");
  }
  if (def->count < 1 || def->count > THRONG_MAX_FORMATION_PLACES) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "formation.count is %u, allowed: 1 to %u", def->count,
                       THRONG_MAX_FORMATION_PLACES);
  }
  if (!def->places.data) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "formation.places.data is NULL");
  TRY(span_check_stride(def->places.stride, 3 * sizeof(float), "formation.places.stride", error));
  const float most = longest_place(space);
  for (uint32_t k = 0; k < def->count; k++) {
    static const char *const axis[] = {"right", "up", "forward"};
    float place[3];
    load_place(space, def, k, place);
    for (int c = 0; c < 3; c++) {
      char field[40];
      if (c == 1 && !space->spatial) continue;
      snprintf(field, sizeof field, "formation.places[%u].%s", k, axis[c]);
      TRY(throng_check_range(place[c], -most, most, field, error));
    }
  }
  return THRONG_OK;
}

throng_status throng_formation_make(const struct space *space, const throng_allocator *allocator,
                                    const throng_formation_def *def, struct formation *formation, throng_error *error) {
  TRY(check_formation(space, def, error));
  float *place = throng_allocate(allocator, place_bytes(def->count));
  if (!place) {
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a formation of %u places", def->count);
  }
  for (uint32_t k = 0; k < def->count; k++) {
    load_place(space, def, k, place + PLACE_FLOATS * k);
    if (!space->spatial) place[PLACE_FLOATS * k + 1] = 0.0f;
  }
  *formation = (struct formation){def->count, place};
  return THRONG_OK;
}
