/* values.c: see values.h. SPDX-License-Identifier: MIT */
#include "agents/values.h"
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agents/lookup.h"
#include "base/arithmetic.h"
#include "base/assertion.h"
#include "base/span.h"
#include "columns/convert.h"

static bool all_finite(const float *value, uint32_t components) {
  for (uint32_t c = 0; c < components; c++) {
    if (!(fabsf(value[c]) <= FLT_MAX)) return false;
  }
  return true;
}

/* `v`: in throng's axes. The text has the host's values. */
static throng_status not_finite(const struct throng_world *world, throng_column column, uint32_t k, const float *v,
                                throng_error *error) {
  const char *what = throng_column_rows[column].name;
  float host[3] = {v[0], v[1], v[2]};
  throng_convert_give(world->space.axes, column, world->space.spatial, host);
  return throng_fail(error, THRONG_ERROR_NOT_FINITE, "%s[%u] is (%g, %g, %g), must be finite", what, k, (double)host[0],
                     (double)host[1], (double)host[2]);
}

/* Checks that a position is within the limit and not beyond the faces. Along axes that are not periodic, a goal may be
 * anywhere within the limit. */
static throng_status check_inside(const struct throng_world *world, const float *p, bool goal, uint32_t k,
                                  throng_error *error) {
  const float *low = world->space.face_low, *high = world->space.face_high;
  const float limit = world->space.limit;
  const char *what = goal ? "goal" : "position";
  for (int c = 0; c < 3; c++) {
    const bool periodic = world->space.boundary[c] == THRONG_BOUNDARY_PERIODIC;
    if (c == 1 && !world->space.spatial) continue;
    const bool far = !(fabsf(p[c]) <= limit);
    if (!far && ((goal && !periodic) || (p[c] >= low[c] && p[c] <= high[c]))) continue;
    const struct axes_coordinate host =
        throng_axes_give_coordinate(world->space.axes, c, p[c], far ? -limit : low[c], far ? limit : high[c]);
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "%s[%u].%c is %.9g, %s %.9g to %.9g", what, k, host.axis,
                       host.value, far ? "allowed:" : "the world is", host.low, host.high);
  }
  return THRONG_OK;
}

static throng_status blocked(const struct throng_world *world, const float *p, uint32_t k, const char *where,
                             throng_error *error) {
  const throng_vec3 host = axes_show(world->space.axes, p[0], p[1], p[2]);
  return throng_fail(error, THRONG_ERROR_BLOCKED, "position[%u] (%.9g, %.9g, %.9g) lies %s", k, (double)host.x,
                     (double)host.y, (double)host.z, where);
}

static throng_status check_position(const struct throng_world *world, const float *given, uint32_t k,
                                    throng_error *error) {
  if (!all_finite(given, 3)) return not_finite(world, THRONG_COLUMN_POSITION, k, given, error);
  TRY(check_inside(world, given, false, k, error));
  float p[3] = {given[0], given[1], given[2]};
  space_hold(&world->space, p);
  if (throng_cells_is_blocked(&world->objects.cells, p[0], p[2])) {
    return blocked(world, given, k, "in a blocked cell", error);
  }
  const struct vec at = {(double)p[0], world->space.spatial ? (double)p[1] : 0.0, (double)p[2]};
  if (!throng_scenery_is_free(&world->objects.scenery, at, 0.0)) {
    return blocked(world, given, k, "inside scenery", error);
  }
  return THRONG_OK;
}

static throng_status check_goal(const struct throng_world *world, const float *goal, uint32_t k, throng_error *error) {
  if (isnan(goal[0])) return THRONG_OK;
  if (!all_finite(goal, 3)) return not_finite(world, THRONG_COLUMN_GOAL, k, goal, error);
  return check_inside(world, goal, true, k, error);
}

static throng_status check_fan(const float v[2], uint32_t k, throng_error *error) {
  if (v[0] >= 0.0f && v[0] <= SCALAR_HALF_PI && (v[1] == 0.0f || v[1] == 1.0f || v[1] == 2.0f)) return THRONG_OK;
  return throng_fail(error, all_finite(v, 2) ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE,
                     "fan[%u] is (%.9g, %.9g), allowed: an angle from 0 to pi / 2, and 0, 1 or 2", k, (double)v[0],
                     (double)v[1]);
}

static throng_status check_period(float period, uint32_t k, throng_error *error) {
  if (isnan(period) || period == 1.0f || period == 2.0f || period == 4.0f || period == 8.0f) return THRONG_OK;
  return throng_fail(error, fabsf(period) <= FLT_MAX ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE,
                     "steer_period[%u] is %.9g, allowed: 1, 2, 4 or 8, or NaN", k, (double)period);
}

/* Whether an id names no agent. */
static bool is_null(const void *element) {
  throng_agent_id id;
  memcpy(&id, element, sizeof id);
  return id.index == 0;
}

static throng_status check_target(const struct throng_world *world, const void *element, uint32_t k,
                                  throng_error *error) {
  throng_agent_id id;
  char what[24];
  if (is_null(element)) return THRONG_OK;
  memcpy(&id, element, sizeof id);
  snprintf(what, sizeof what, "target[%u]", k);
  return throng_lookup_check_id(world, id, what, error);
}

/* Checks that a number is within the limits that its column's row gives. */
static throng_status check_number(const struct column_row *row, float value, float high, uint32_t k,
                                  throng_error *error) {
  const bool above = row->flags & COLUMN_ABOVE_LOW ? value > row->low : value >= row->low;
  const bool inside = above && value <= high;
  if (inside && (!(row->flags & COLUMN_WHOLE) || value == scalar_floor(value))) return THRONG_OK;
  if (row->flags & COLUMN_MAY_BE_NAN && isnan(value)) return THRONG_OK;
  char allowed[80];
  const bool above_zero = row->flags & COLUMN_ABOVE_LOW && row->low == 0.0f;
  throng_text_range(allowed, sizeof allowed, above_zero ? FLT_MIN : row->low, high, false);
  return throng_fail(error, fabsf(value) <= FLT_MAX ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE,
                     "%s[%u] is %.9g, allowed: %s%s%s", row->name, k, (double)value,
                     row->flags & COLUMN_WHOLE ? "a whole number, " : "", allowed,
                     row->flags & COLUMN_MAY_BE_NAN ? ", or NaN" : "");
}

static throng_status check_numbers(const struct throng_world *world, throng_column column, const float *v, uint32_t k,
                                   throng_error *error) {
  const bool spatial = world->space.spatial;
  const struct column_row *row = &throng_column_rows[column];
  const uint32_t components = column_components(column, spatial);
  if (components == 3 && row->flags & COLUMN_MAY_BE_NAN && isnan(v[0])) return THRONG_OK;
  if (components == 3 && !all_finite(v, 3)) return not_finite(world, column, k, v, error);
  if (row->quantity[spatial] == QUANTITY_DIRECTION) {
    if (v[0] != 0.0f || v[1] != 0.0f || v[2] != 0.0f) return THRONG_OK;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s[%u] is (0, 0, 0), must have a direction", row->name, k);
  }
  const float high = column == THRONG_COLUMN_PERCEPTION_RADIUS ? world->space.radius : row->high;
  for (uint32_t c = 0; c < components; c++) TRY(check_number(row, v[c], high, k, error));
  return THRONG_OK;
}

static throng_status check_velocity(const struct throng_world *world, const float *v, uint32_t k, throng_error *error) {
  TRY(check_numbers(world, THRONG_COLUMN_VELOCITY, v, k, error));
  if (world->space.spatial || v[1] == 0.0f) return THRONG_OK;
  const struct axes_coordinate host = throng_axes_give_coordinate(world->space.axes, 1, v[1], 0.0f, 0.0f);
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "velocity[%u].%c is %.9g, must be 0 in a planar world", k,
                     host.axis, host.value);
}

const void *throng_value_take(const struct throng_world *world, struct column_span span, uint32_t k, float room[3]) {
  const bool spatial = world->space.spatial;
  const void *given = span_at(span.span, column_bytes(span.column, spatial), k);
  return throng_convert_take(world->space.axes, span.column, spatial, given, room);
}

throng_status throng_value_check(const struct throng_world *world, throng_column column, const void *element,
                                 uint32_t k, throng_error *error) {
  ASSERT(world, (unsigned)column < THRONG_COLUMN_COUNT && element);
  if (column == THRONG_COLUMN_GROUP) {
    uint8_t group = *(const uint8_t *)element;
    if (world->group_defined[group]) return THRONG_OK;
    return throng_fail(error, THRONG_ERROR_NO_GROUP, "group[%u] is %u, which is not defined", k, group);
  }
  float v[3] = {0.0f, 0.0f, 0.0f};
  memcpy(v, element, column_bytes(column, world->space.spatial));
  switch (column) {
  case THRONG_COLUMN_POSITION:
    return check_position(world, v, k, error);
  case THRONG_COLUMN_VELOCITY:
    return check_velocity(world, v, k, error);
  case THRONG_COLUMN_GOAL:
    return check_goal(world, v, k, error);
  case THRONG_COLUMN_FAN:
    return check_fan(v, k, error);
  case THRONG_COLUMN_STEER_PERIOD:
    return check_period(v[0], k, error);
  case THRONG_COLUMN_TARGET:
    return check_target(world, element, k, error);
  default:
    return check_numbers(world, column, v, k, error);
  }
}

/* Saved values. */

#define SAVED_UNIT_TOLERANCE 1e-3 /* throng/passes.h has the same; the passes' own directions are within 1e-6 */

static throng_status check_unit(const char *name, const float v[3], uint32_t k, throng_error *error) {
  const double x = (double)v[0], y = (double)v[1], z = (double)v[2], length = sqrt(x * x + y * y + z * z);
  if (fabs(length - 1.0) <= SAVED_UNIT_TOLERANCE) return THRONG_OK;
  return throng_fail(error, isfinite(length) ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE,
                     "%s[%u] is (%g, %g, %g), must be a unit vector", name, k, x, y, z);
}

/* Checks that a target lives, or may have lived, and is not the agent itself. */
static throng_status check_saved_target(const struct throng_world *world, const float v[3], throng_agent_id of,
                                        throng_error *error) {
  throng_agent_id id;
  memcpy(&id, v, sizeof id);
  const bool none = id.index == 0 && id.generation == 0 && id.world == 0;
  const bool lived = id.index >= 1 && id.index <= MAX_AGENTS && id.index != of.index && id.generation >= 1 &&
                     id.world == world->def.id_world;
  if (none || lived) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "its target {%u, %u, %u} is impossible", id.index, id.generation,
                     id.world);
}

throng_status throng_value_check_saved(const struct throng_world *world, throng_column column, const float element[3],
                                       throng_agent_id id, uint32_t k, throng_error *error) {
  const struct column_row *row = &throng_column_rows[column];
  throng_error of_value;
  throng_status status;
  if (column == THRONG_COLUMN_TARGET) {
    status = check_saved_target(world, element, id, &of_value);
  } else if (column == THRONG_COLUMN_PATTERN_WAY) {
    status = all_finite(element, 3) ? THRONG_OK : not_finite(world, column, k, element, &of_value);
  } else if (row->quantity[world->space.spatial] == QUANTITY_DIRECTION) {
    status = check_unit(row->name, element, k, &of_value);
  } else {
    status = throng_value_check(world, column, element, k, &of_value);
  }
  if (status == THRONG_OK) return THRONG_OK;
  return throng_fail_agent(error, status, id, "agent %u: %.170s", id.index, of_value.text);
}

/* Creates the kept accelerations, which have no y in planar worlds. */
static throng_status need_kept(struct throng_world *world, throng_error *error) {
  const bool spatial = world->space.spatial;
  const struct column_row *row = &throng_column_rows[THRONG_COLUMN_KEPT_ACCELERATION];
  const throng_allocator *allocator = &world->def.allocator;
  struct agents *agents = &world->agents;
  const struct columns had = agents->front;
  for (int c = 0; c < 3; c++) {
    if (agents->front.f[row->first + c] || (c == 1 && column_lacks_y(row, spatial))) continue;
    const throng_status status = throng_columns_need(agents, row->first + c, 1, column_fill(row), allocator, error);
    if (status == THRONG_OK) continue;
    throng_columns_drop(agents, &had, allocator);
    return status;
  }
  return THRONG_OK;
}

/* Creates the periods and the kept accelerations: both, or none. */
static throng_status need_periods(struct throng_world *world, throng_error *error) {
  const throng_allocator *allocator = &world->def.allocator;
  const struct columns had = world->agents.front;
  TRY(need_kept(world, error));
  const throng_status status = throng_columns_need(&world->agents, COLUMN_STEER_PERIOD, 1, NAN, allocator, error);
  if (status != THRONG_OK) throng_columns_drop(&world->agents, &had, allocator);
  return status;
}

throng_status throng_value_need(struct throng_world *world, throng_column column, throng_error *error) {
  ASSERT(world, (unsigned)column < THRONG_COLUMN_COUNT);
  const struct column_row *row = &throng_column_rows[column];
  const throng_allocator *allocator = &world->def.allocator;
  struct agents *agents = &world->agents;
  if (row->arrays == 0 || agents->front.f[row->first]) return THRONG_OK;
  if (row->owner == OWNER_YAW) return throng_columns_need_yaw_rate(agents, allocator, error);
  if (row->owner == OWNER_PERIOD) return need_kept(world, error);
  if (column == THRONG_COLUMN_STEER_PERIOD) return need_periods(world, error);
  const int components = (int)column_components(column, world->space.spatial);
  TRY(throng_columns_need(agents, row->first, components, column_fill(row), allocator, error));
  for (int c = 0; c < components && row->quantity[world->space.spatial] == QUANTITY_DIRECTION; c++) {
    memcpy(agents->front.f[row->first + c], agents->front.f[COLUMN_FACING_X + c], agents->count * sizeof(float));
  }
  return THRONG_OK;
}

throng_status throng_value_need_y(struct throng_world *world, throng_error *error) {
  if (world->agents.front.f[COLUMN_POSITION_Y]) return THRONG_OK;
  return throng_columns_need(&world->agents, COLUMN_POSITION_Y, 1, 0.0f, &world->def.allocator, error);
}

throng_status throng_value_need_all(struct throng_world *world, uint64_t columns, throng_error *error) {
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    if (columns & THRONG_BIT(column)) TRY(throng_value_need(world, (throng_column)column, error));
  }
  return THRONG_OK;
}

void throng_value_make_due(struct throng_world *world, uint32_t slot) {
  for (int c = COLUMN_KEPT_X; c <= COLUMN_KEPT_Z; c++) {
    if (world->agents.front.f[c]) world->agents.front.f[c][slot] = NAN;
  }
}

void throng_value_store(struct throng_world *world, throng_column column, uint32_t slot, const void *element) {
  ASSERT(world, (unsigned)column < THRONG_COLUMN_COUNT && slot < world->agents.count);
  struct columns *front = &world->agents.front;
  if (throng_column_rows[column].flags & COLUMN_MAKES_DUE) throng_value_make_due(world, slot);
  if (column == THRONG_COLUMN_GROUP) {
    uint32_t group = *(const uint8_t *)element;
    const uint32_t meta = front->meta[slot];
    world_count_agent(world, meta, -1);
    front->meta[slot] = meta_make(group, meta_generation(meta)) | (meta & META_GHOST);
    world_count_agent(world, front->meta[slot], 1);
    return;
  }
  float v[3] = {0.0f, 0.0f, 0.0f};
  const bool spatial = world->space.spatial;
  const struct column_row *row = &throng_column_rows[column];
  const uint32_t components = column_components(column, spatial);
  memcpy(v, element, components * sizeof(float));
  float *const *to = front->f + row->first;
  if (column == THRONG_COLUMN_POSITION) space_hold(&world->space, v);
  if (row->quantity[spatial] == QUANTITY_DIRECTION) {
    scalar_make_unit(v);
    for (int c = 0; c < 3; c++) to[c][slot] = v[c];
    return;
  }
  if (column == THRONG_COLUMN_TARGET && is_null(v)) v[1] = 0.0f; /* one bit pattern for no target */
  const bool none = row->flags & COLUMN_MAY_BE_NAN && isnan(v[0]);
  for (uint32_t c = 0; c < components; c++) {
    if (to[c]) to[c][slot] = value_stored(row, none ? NAN : v[c]);
  }
}

void throng_value_default_facing(throng_world *world, uint32_t slot) {
  ASSERT(world, slot < world->agents.count);
  float *const *f = world->agents.front.f;
  float v[3] = {f[COLUMN_VELOCITY_X][slot], world->space.spatial ? f[COLUMN_VELOCITY_Y][slot] : 0.0f,
                f[COLUMN_VELOCITY_Z][slot]};
  if (!world->space.spatial) {
    f[COLUMN_FACING_X][slot] = scalar_atan2(v[0], v[2]);
    return;
  }
  if (!scalar_normalise(v)) v[2] = 1.0f;
  for (int c = 0; c < 3; c++) f[COLUMN_FACING_X + c][slot] = v[c];
}

struct accelerations throng_value_accelerations(const struct throng_world *world) {
  if (!world->steered) return (struct accelerations){0};
  float *const *a = world->agents.acceleration;
  bool steered = world->groups.features & FEATURE_STEERED_YAW;
  if (world->space.spatial) {
    float *const yaw = steered ? world->agents.turning[TURNING_YAW] : NULL;
    return (struct accelerations){.linear = {a[0], a[1], a[2]}, .yaw = yaw};
  }
  return (struct accelerations){.linear = {a[0], NULL, a[2]}, .yaw = steered ? a[1] : NULL};
}

/* Returns the value of a column for the agents of a group that have no value of their own. */
static float group_value(const struct throng_world *world, throng_column column, uint32_t group) {
  const throng_group_def *def = &world->group[group];
  if (column == THRONG_COLUMN_BODY_RADIUS) return def->body_radius;
  if (column == THRONG_COLUMN_MASS) return def->mass;
  if (column == THRONG_COLUMN_MAX_SPEED) return def->max_speed;
  if (column == THRONG_COLUMN_STEER_PERIOD) return (float)def->steer_period;
  return group_perception(def, world->space.radius);
}

/* Returns the cue of the agent's current instruction; NaN if it has none. */
static float cue_of(const struct throng_world *world, uint32_t slot, uint32_t group) {
  float *const *f = world->agents.front.f;
  const throng_group_def *def = &world->group[group];
  const throng_behaviour *plays = NULL;
  for (uint32_t k = 0; k < def->behaviour_count; k++) {
    if (def->behaviour[k].kind == THRONG_BEHAVIOUR_FOLLOW_PATTERN) plays = &def->behaviour[k];
  }
  if (!plays || !f[COLUMN_PATTERN_INSTRUCTION]) return NAN;
  const float own = f[COLUMN_PATTERN] ? f[COLUMN_PATTERN][slot] : NAN, now = f[COLUMN_PATTERN_INSTRUCTION][slot];
  const struct pattern *pattern = &world->objects.pattern[own == own ? (uint32_t)own : plays->follow_pattern.index];
  return now < (float)pattern->count ? pattern->instruction[(uint32_t)now].cue : NAN;
}

void throng_value_load(const struct throng_world *world, throng_column column, uint32_t slot, void *element) {
  ASSERT(world, (unsigned)column < THRONG_COLUMN_COUNT && slot < world->agents.count);
  const struct columns *front = &world->agents.front;
  uint32_t group = meta_group(front->meta[slot]);
  if (column == THRONG_COLUMN_GROUP) {
    *(uint8_t *)element = (uint8_t)group;
    return;
  }
  float v[3];
  const struct column_row *row = &throng_column_rows[column];
  const uint32_t components = column_components(column, world->space.spatial);
  if (column == THRONG_COLUMN_PATTERN_CUE) {
    v[0] = cue_of(world, slot, group);
  } else if (row->flags & COLUMN_STEERED) {
    const struct accelerations now = throng_value_accelerations(world);
    float *const *from = column == THRONG_COLUMN_ACCELERATION ? now.linear : &now.yaw;
    for (uint32_t c = 0; c < components; c++) v[c] = from[c] ? from[c][slot] : 0.0f;
  } else {
    float *const *from = front->f + row->first;
    for (uint32_t c = 0; c < components; c++) {
      const bool lacks_y = c > 0 && v[0] == v[0];
      v[c] = from[c] ? from[c][slot] : lacks_y ? 0.0f : column_fill(row);
    }
    if (row->flags & COLUMN_OF_GROUP && isnan(v[0])) v[0] = group_value(world, column, group);
  }
  memcpy(element, v, components * sizeof(float));
}
