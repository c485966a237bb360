/* values.c: see values.h. SPDX-License-Identifier: MIT */
#include "agents/values.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"

uint32_t throng_value_components(const struct throng_world *world, throng_column column) {
  bool spatial = world->grid.space.spatial;
  switch (column) {
  case THRONG_COLUMN_FACING:
  case THRONG_COLUMN_WANDER:
    return spatial ? 3 : 1;
  case THRONG_COLUMN_FAN:
    return 2;
  case THRONG_COLUMN_PERCEPTION_RADIUS:
  case THRONG_COLUMN_BODY_RADIUS:
  case THRONG_COLUMN_MASS:
  case THRONG_COLUMN_GROUP:
  case THRONG_COLUMN_PATH_PARAMETER:
  case THRONG_COLUMN_PATTERN:
  case THRONG_COLUMN_PATTERN_INSTRUCTION:
  case THRONG_COLUMN_FORMATION_PLACE:
  case THRONG_COLUMN_YAW_RATE:
  case THRONG_COLUMN_YAW_ACCELERATION:
    return 1;
  default:
    return 3;
  }
}

size_t throng_value_bytes(const struct throng_world *world, throng_column column) {
  return column == THRONG_COLUMN_GROUP ? 1 : throng_value_components(world, column) * sizeof(float);
}

static bool all_finite(const float *value, uint32_t components) {
  for (uint32_t c = 0; c < components; c++) {
    if (!(fabsf(value[c]) <= FLT_MAX)) return false;
  }
  return true;
}

static throng_status not_finite(const char *what, uint32_t k, const float *v, uint32_t components,
                                throng_error *error) {
  if (components == 1)
    return throng_fail(error, THRONG_ERROR_NOT_FINITE, "%s[%u] is %g, must be finite", what, k, (double)v[0]);
  return throng_fail(error, THRONG_ERROR_NOT_FINITE, "%s[%u] is (%g, %g, %g), must be finite", what, k, (double)v[0],
                     (double)v[1], (double)v[2]);
}

static throng_status check_inside(const struct throng_world *world, const float *p, const char *what, uint32_t k,
                                  throng_error *error) {
  const throng_world_def *def = &world->def;
  const float low[3] = {def->box_min.x, def->box_min.y, def->box_min.z};
  const float high[3] = {def->box_max.x, def->box_max.y, def->box_max.z};
  const float limit = world->grid.space.limit;
  for (int c = 0; c < 3; c++) {
    if (c == 1 && !world->grid.space.spatial) continue;
    if (!(fabsf(p[c]) <= limit)) {
      return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "%s[%u].%c is %.9g, allowed: -%.9g to %.9g", what, k,
                         "xyz"[c], (double)p[c], (double)limit, (double)limit);
    }
    bool inside = p[c] >= low[c] && (def->boundary == THRONG_BOUNDARY_PERIODIC ? p[c] < high[c] : p[c] <= high[c]);
    if (def->boundary != THRONG_BOUNDARY_UNBOUNDED && !inside) {
      return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "%s[%u].%c is %.9g, the world is %.9g to %.9g%s", what, k,
                         "xyz"[c], (double)p[c], (double)low[c], (double)high[c],
                         def -> boundary == THRONG_BOUNDARY_PERIODIC ? " (exclusive)" : "");
    }
  }
  return THRONG_OK;
}

static throng_status check_position(const struct throng_world *world, const float *p, uint32_t k, throng_error *error) {
  if (!all_finite(p, 3)) return not_finite("position", k, p, 3, error);
  TRY(check_inside(world, p, "position", k, error));
  if (throng_cells_is_blocked(&world->objects.cells, p[0], p[2])) {
    return throng_fail(error, THRONG_ERROR_BLOCKED, "position[%u] (%.9g, %.9g) lies in a blocked cell", k, (double)p[0],
                       (double)p[2]);
  }
  const struct vec at = {(double)p[0], world->grid.space.spatial ? (double)p[1] : 0.0, (double)p[2]};
  if (!throng_scenery_is_free(&world->objects.scenery, at, 0.0)) {
    return throng_fail(error, THRONG_ERROR_BLOCKED, "position[%u] (%.9g, %.9g, %.9g) lies inside scenery", k,
                       (double)p[0], (double)p[1], (double)p[2]);
  }
  return THRONG_OK;
}

static throng_status check_goal(const struct throng_world *world, const float *goal, uint32_t k, throng_error *error) {
  if (isnan(goal[0])) return THRONG_OK;
  if (!all_finite(goal, 3)) return not_finite("goal", k, goal, 3, error);
  return world->grid.space.periodic ? check_inside(world, goal, "goal", k, error) : THRONG_OK;
}

static throng_status check_radius(const struct throng_world *world, throng_column column, float radius, uint32_t k,
                                  throng_error *error) {
  if (isnan(radius)) return THRONG_OK; /* back to the group's */
  bool perception = column == THRONG_COLUMN_PERCEPTION_RADIUS;
  float most = perception ? world->grid.space.radius : FLT_MAX;
  if (!(fabsf(radius) <= FLT_MAX))
    return not_finite(perception ? "perception_radius" : "body_radius", k, &radius, 1, error);
  if (radius <= most && (perception ? radius > 0.0f : radius >= 0.0f)) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s[%u] is %.9g, allowed: %s %.9g",
                     perception ? "perception_radius" : "body_radius", k, (double)radius,
                     perception ? "above 0, to" : "0 to", (double)most);
}

static throng_status check_mass(float mass, uint32_t k, throng_error *error) {
  const float most = 1e9f;
  if (isnan(mass)) return THRONG_OK; /* back to the group's */
  if (!all_finite(&mass, 1)) return not_finite("mass", k, &mass, 1, error);
  if (mass > 0.0f && mass <= most) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "mass[%u] is %.9g, allowed: above 0, to %g", k, (double)mass,
                     (double)most);
}

static throng_status check_yaw_rate(const struct throng_world *world, float rate, uint32_t k, throng_error *error) {
  if (world->grid.space.spatial) {
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "yaw_rate[%u]: spatial worlds have no yaw", k);
  }
  if (!all_finite(&rate, 1)) return not_finite("yaw_rate", k, &rate, 1, error);
  if (fabsf(rate) <= MOST_YAW_RATE) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "yaw_rate[%u] is %.9g, allowed: -%g to %g", k, (double)rate,
                     (double)MOST_YAW_RATE, (double)MOST_YAW_RATE);
}

/* Element k of a column. */
static throng_status check_element(float value, float low, float high, const char *what, uint32_t k,
                                   throng_error *error) {
  if (value >= low && value <= high) return THRONG_OK;
  char field[40];
  snprintf(field, sizeof field, "%s[%u]", what, k);
  return throng_check_range(value, low, high, field, error);
}

/* NaN, or a whole number up to `most`. */
static throng_status check_number(float value, float most, const char *what, uint32_t k, throng_error *error) {
  if (isnan(value) || (value >= 0.0f && value <= most && value == scalar_floor(value))) return THRONG_OK;
  return throng_fail(error, isinf(value) ? THRONG_ERROR_NOT_FINITE : THRONG_ERROR_BAD_VALUE,
                     "%s[%u] is %.9g, allowed: a whole number, 0 to %g, or NaN", what, k, (double)value, (double)most);
}

static throng_status check_pattern(const struct throng_world *world, throng_column column, const float *v, uint32_t k,
                                   throng_error *error) {
  if (world->grid.space.spatial) {
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "pattern columns, [%u]: spatial worlds have no patterns", k);
  }
  if (column == THRONG_COLUMN_PATTERN) return check_number(v[0], THRONG_MAX_PATTERNS - 1.0f, "pattern", k, error);
  if (column == THRONG_COLUMN_PATTERN_INSTRUCTION)
    return check_number(v[0], THRONG_MAX_INSTRUCTIONS, "pattern_instruction", k, error);
  for (int c = 0; c < 3; c++) TRY(check_element(v[c], -1e9f, 1e9f, "pattern_way", k, error));
  return THRONG_OK;
}

throng_status throng_value_check(const struct throng_world *world, throng_column column, const void *element,
                                 uint32_t k, throng_error *error) {
  if (column == THRONG_COLUMN_GROUP) {
    uint8_t group = *(const uint8_t *)element;
    if (world->group_defined[group]) return THRONG_OK;
    return throng_fail(error, THRONG_ERROR_NO_GROUP, "group[%u] is %u, which is not defined", k, group);
  }
  float v[3] = {0.0f, 0.0f, 0.0f};
  memcpy(v, element, throng_value_bytes(world, column));
  switch (column) {
  case THRONG_COLUMN_POSITION:
    return check_position(world, v, k, error);
  case THRONG_COLUMN_VELOCITY:
    if (!all_finite(v, 3)) return not_finite("velocity", k, v, 3, error);
    for (int c = 0; c < 3; c++) TRY(check_element(v[c], -MOST_SPEED, MOST_SPEED, "velocity", k, error));
    if (world->grid.space.spatial || v[1] == 0.0f) return THRONG_OK;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "velocity[%u].y is %.9g, must be 0 in a planar world", k,
                       (double)v[1]);
  case THRONG_COLUMN_FACING:
  case THRONG_COLUMN_WANDER: {
    const char *what = column == THRONG_COLUMN_FACING ? "facing" : "wander";
    uint32_t components = throng_value_components(world, column);
    if (!all_finite(v, components)) return not_finite(what, k, v, components, error);
    if (world->grid.space.spatial && v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f) {
      return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s[%u] is (%g, %g, %g), must have a direction", what, k,
                         (double)v[0], (double)v[1], (double)v[2]);
    }
    if (!world->grid.space.spatial && fabsf(v[0]) > 3.1415928f) {
      return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s[%u] is %.9g, allowed: -pi to pi", what, k, (double)v[0]);
    }
    return THRONG_OK;
  }
  case THRONG_COLUMN_GOAL:
    return check_goal(world, v, k, error);
  case THRONG_COLUMN_FAN:
    if (v[0] >= 0.0f && v[0] <= SCALAR_HALF_PI && (v[1] == 0.0f || v[1] == 1.0f || v[1] == 2.0f)) return THRONG_OK;
    return throng_fail(error, all_finite(v, 2) ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE,
                       "fan[%u] is (%.9g, %.9g), allowed: an angle from 0 to pi / 2, and 0, 1 or 2", k, (double)v[0],
                       (double)v[1]);
  case THRONG_COLUMN_PATH_PARAMETER:
    return isnan(v[0]) ? THRONG_OK : check_element(v[0], 0.0f, FLT_MAX, "path_parameter", k, error);
  case THRONG_COLUMN_PATTERN:
  case THRONG_COLUMN_PATTERN_INSTRUCTION:
  case THRONG_COLUMN_PATTERN_WAY:
    return check_pattern(world, column, v, k, error);
  case THRONG_COLUMN_FORMATION_PLACE:
    return check_number(v[0], THRONG_MAX_FORMATION_PLACES - 1.0f, "formation_place", k, error);
  case THRONG_COLUMN_YAW_RATE:
    return check_yaw_rate(world, v[0], k, error);
  case THRONG_COLUMN_MASS:
    return check_mass(v[0], k, error);
  default:
    return check_radius(world, column, v[0], k, error);
  }
}

int throng_value_first(throng_column column) {
  switch (column) {
  case THRONG_COLUMN_POSITION:
    return COLUMN_POSITION_X;
  case THRONG_COLUMN_VELOCITY:
    return COLUMN_VELOCITY_X;
  case THRONG_COLUMN_FACING:
    return COLUMN_FACING_X;
  case THRONG_COLUMN_GOAL:
    return COLUMN_GOAL_X;
  case THRONG_COLUMN_WANDER:
    return COLUMN_WANDER_X;
  case THRONG_COLUMN_FAN:
    return COLUMN_FAN_ANGLE;
  case THRONG_COLUMN_PERCEPTION_RADIUS:
    return COLUMN_PERCEPTION_RADIUS;
  case THRONG_COLUMN_PATH_PARAMETER:
    return COLUMN_PATH_PARAMETER;
  case THRONG_COLUMN_PATTERN:
    return COLUMN_PATTERN;
  case THRONG_COLUMN_PATTERN_INSTRUCTION:
    return COLUMN_PATTERN_INSTRUCTION;
  case THRONG_COLUMN_PATTERN_WAY:
    return COLUMN_PATTERN_TURNED;
  case THRONG_COLUMN_FORMATION_PLACE:
    return COLUMN_FORMATION_PLACE;
  case THRONG_COLUMN_YAW_RATE:
    return COLUMN_YAW_RATE;
  case THRONG_COLUMN_MASS:
    return COLUMN_MASS;
  default:
    return COLUMN_BODY_RADIUS;
  }
}

throng_status throng_value_need(struct throng_world *world, throng_column column, throng_error *error) {
  if (column == THRONG_COLUMN_GROUP || value_is_steered(column)) return THRONG_OK;
  int first = throng_value_first(column), components = (int)throng_value_components(world, column);
  if (world->agents.front.f[first]) return THRONG_OK;
  if (column == THRONG_COLUMN_WANDER) {
    TRY(throng_columns_need(&world->agents, first, components, 0.0f, &world->def.allocator, error));
    for (int c = 0; c < components && components == 3; c++) {
      memcpy(world->agents.front.f[first + c], world->agents.front.f[COLUMN_FACING_X + c],
             world->agents.count * sizeof(float));
    }
    return THRONG_OK;
  }
  if (column == THRONG_COLUMN_YAW_RATE)
    return throng_columns_need_yaw_rate(&world->agents, &world->def.allocator, error);
  float fill = column == THRONG_COLUMN_FAN || column == THRONG_COLUMN_PATTERN_WAY ? 0.0f : NAN;
  return throng_columns_need(&world->agents, first, components, fill, &world->def.allocator, error);
}

throng_status throng_value_need_all(struct throng_world *world, uint32_t columns, throng_error *error) {
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    if (columns & 1u << column) TRY(throng_value_need(world, (throng_column)column, error));
  }
  return THRONG_OK;
}

void throng_value_store(struct throng_world *world, throng_column column, uint32_t slot, const void *element) {
  struct columns *front = &world->agents.front;
  if (column == THRONG_COLUMN_GROUP) {
    uint32_t group = *(const uint8_t *)element;
    world->group_agents[meta_group(front->meta[slot])]--;
    world->group_agents[group]++;
    front->meta[slot] = meta_make(group, meta_generation(front->meta[slot]));
    return;
  }
  float v[3] = {0.0f, 0.0f, 0.0f};
  uint32_t components = throng_value_components(world, column);
  memcpy(v, element, components * sizeof(float));
  float *const *to = front->f + throng_value_first(column);
  if (components == 3 && (column == THRONG_COLUMN_FACING || column == THRONG_COLUMN_WANDER)) {
    scalar_normalise(v);
    for (int c = 0; c < 3; c++) to[c][slot] = v[c];
    return;
  }
  for (uint32_t c = 0; c < components; c++) {
    if (isnan(v[0])) v[c] = NAN; /* one bit pattern for "none", so that equal worlds have equal hashes */
    if (to[c]) to[c][slot] = v[c];
  }
}

void throng_value_default_facing(throng_world *world, uint32_t slot) {
  float *const *f = world->agents.front.f;
  float v[3] = {f[COLUMN_VELOCITY_X][slot], world->grid.space.spatial ? f[COLUMN_VELOCITY_Y][slot] : 0.0f,
                f[COLUMN_VELOCITY_Z][slot]};
  if (!world->grid.space.spatial) {
    f[COLUMN_FACING_X][slot] = scalar_atan2(v[0], v[2]);
    return;
  }
  if (!scalar_normalise(v)) v[2] = 1.0f;
  for (int c = 0; c < 3; c++) f[COLUMN_FACING_X + c][slot] = v[c];
}

struct accelerations throng_value_accelerations(const struct throng_world *world) {
  if (!world->steered) return (struct accelerations){0};
  float *const *a = world->agents.acceleration;
  if (world->grid.space.spatial) return (struct accelerations){.linear = {a[0], a[1], a[2]}};
  bool steered = world->groups.features & FEATURE_STEERED_YAW;
  return (struct accelerations){.linear = {a[0], NULL, a[2]}, .yaw = steered ? a[1] : NULL};
}

void throng_value_load(const struct throng_world *world, throng_column column, uint32_t slot, void *element) {
  const struct columns *front = &world->agents.front;
  uint32_t group = meta_group(front->meta[slot]);
  if (column == THRONG_COLUMN_GROUP) {
    *(uint8_t *)element = (uint8_t)group;
    return;
  }
  float v[3];
  uint32_t components = throng_value_components(world, column);
  if (column == THRONG_COLUMN_ACCELERATION || column == THRONG_COLUMN_YAW_ACCELERATION) {
    const struct accelerations now = throng_value_accelerations(world);
    float *const *from = column == THRONG_COLUMN_ACCELERATION ? now.linear : &now.yaw;
    for (uint32_t c = 0; c < components; c++) v[c] = from[c] ? from[c][slot] : 0.0f;
  } else {
    float *const *from = front->f + throng_value_first(column);
    const bool unknown = column == THRONG_COLUMN_GOAL || column == THRONG_COLUMN_PATH_PARAMETER ||
                         column == THRONG_COLUMN_PATTERN || column == THRONG_COLUMN_PATTERN_INSTRUCTION ||
                         column == THRONG_COLUMN_FORMATION_PLACE;
    const float none = unknown ? NAN : 0.0f;
    for (uint32_t c = 0; c < components; c++) v[c] = from[c] ? from[c][slot] : none;
    bool absent = !from[0] || isnan(v[0]);
    if (column == THRONG_COLUMN_PERCEPTION_RADIUS && absent) {
      float radius = world->group[group].perception_radius;
      v[0] = radius > 0.0f ? radius : world->grid.space.radius;
    }
    if (column == THRONG_COLUMN_BODY_RADIUS && absent) v[0] = world->group[group].body_radius;
    if (column == THRONG_COLUMN_MASS && absent) v[0] = world->group[group].mass;
  }
  memcpy(element, v, components * sizeof(float));
}
