/* group_pace.c: see group_pace.h. SPDX-License-Identifier: MIT */
#include "groups/group_pace.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/assertion.h"
#include "base/error.h"
#include "groups/group_internal.h"
#include "state.h"

throng_status throng_pace_check(const throng_pace *pace, float perception, throng_error *error) {
  if (!pace->on) return THRONG_OK;
  TRY(throng_check_range(pace->radius, 0.0f, perception, "group.pace.radius", error));
  for (uint32_t k = 1; k < pace->points; k++) {
    if (pace->density[k] > pace->density[k - 1]) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "group.pace.density[%u] is %.9g, allowed: above density[%u], which is %.9g", k,
                       (double)pace->density[k], k - 1, (double)pace->density[k - 1]);
  }
  return THRONG_OK;
}

/* A slope is infinite where two densities are nearly equal. No density is between them, so any finite slope will do. */
static float finite_slope(float x) { return x > FLT_MAX ? FLT_MAX : x < -FLT_MAX ? -FLT_MAX : x; }

void throng_pace_fill(const throng_pace *pace, struct group_table *table, uint32_t g, float dt) {
  ASSERT_ALONE(pace->points <= THRONG_PACE_POINTS && dt >= 0.0f);
  const float radius_sq = pace->radius * pace->radius;
  group_table_set(table, PARAM_PACE_RADIUS_SQ, g, pace->on ? radius_sq : 0.0f);
  group_table_set(table, PARAM_PACE_ONCOMING, g, pace->oncoming);
  group_table_set(table, PARAM_PACE_SELF, g, pace->self);
  group_table_set(table, PARAM_PACE_INVERSE, g, 1.0f / radius_sq);
  group_table_set(table, PARAM_PACE_SHARE, g, 4.0f / (SCALAR_PI * radius_sq));
  group_table_set(table, PARAM_PACE_GRIP, g, grip_of(pace->time_to_target, dt));
  group_table_set(table, PARAM_PACE_ONCOMING_WEIGHT, g, pace->oncoming_weight);
  group_table_set(table, PARAM_PACE_GAP, g, pace->gap);
  group_table_set(table, PARAM_PACE_GAP_RATE, g, pace->on && pace->time_gap > 0.0f ? 1.0f / pace->time_gap : 0.0f);
  group_table_set(table, PARAM_PACE_ALIKE, g, pace->alike);
  group_table_set(table, PARAM_PACE_PUSH, g, pace->push);
  if (!pace->on) return;
  const uint32_t last = pace->points - 1;
  for (uint32_t k = 0; k < THRONG_PACE_POINTS; k++) {
    float slope = 0.0f;
    if (k < last) slope = (pace->factor[k + 1] - pace->factor[k]) / (pace->density[k + 1] - pace->density[k]);
    group_table_set(table, (int)(PARAM_PACE_DENSITY + k), g, k <= last ? pace->density[k] : INFINITY);
    group_table_set(table, (int)(PARAM_PACE_FACTOR + k), g, pace->factor[k]);
    group_table_set(table, (int)(PARAM_PACE_SLOPE + k), g, finite_slope(slope));
  }
}

/* Whether two groups have the same table of factors. */
static bool pace_alike(const throng_pace *a, const throng_pace *b) {
  const size_t size = a->points * sizeof *a->density;
  return a->points == b->points && memcmp(a->density, b->density, size) == 0 && memcmp(a->factor, b->factor, size) == 0;
}

void throng_pace_note(const throng_world *world, struct group_table *table, uint32_t g, uint32_t live_layers) {
  const throng_pace *pace = &world->group[g].pace;
  if (!pace->on) return;
  if (table->pace_points == 0) table->pace_like = g;
  const bool alike = table->pace_like < THRONG_MAX_GROUPS && pace_alike(pace, &world->group[table->pace_like].pace);
  if (!alike) table->pace_like = THRONG_MAX_GROUPS;
  if (pace->points > table->pace_points) table->pace_points = pace->points;
  table->features |= FEATURE_PACE;
  if (group_keeps_gaps(&world->group[g])) table->features |= FEATURE_GAP;
  if (live_layers & ~pace->mask) table->features |= FEATURE_MORE_RULES;
}
