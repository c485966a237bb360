/* group_checks.c: checks group definitions. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "agents/values.h"
#include "base/error.h"
#include "groups/behaviour_internal.h"
#include "groups/group_fields.h"
#include "groups/group_internal.h"
#include "groups/group_pace.h"
#include "groups/parameters.h"
#include "state.h"

static throng_status check_radius(const throng_group_def *d, float radius, float perception, const char *name,
                                  throng_error *error) {
  const float metres = group_metres(d, radius);
  if (!d->radii_in_bodies) return throng_check_range(radius, 0.0f, perception, name, error);
  if (metres <= perception && (metres > 0.0f || radius == 0.0f)) return THRONG_OK;
  return throng_fail(
      error, THRONG_ERROR_BAD_VALUE,
      "%s is %.9g body lengths of %.9g m, allowed: 0, or above 0 to the world's perception_radius, %.9g m", name,
      (double)radius, (double)(2.0f * d->body_radius), (double)perception);
}

static throng_status check_fields(const throng_group_def *d, float perception, throng_error *error) {
  for (const throng_parameter *p = throng_group_fields; p->name; p++) {
    TRY(throng_parameter_check(d, p, NULL, 0, error));
  }
  TRY(check_radius(d, d->perception_radius, perception, "group.perception_radius", error));
  TRY(check_radius(d, d->separation.radius, perception, "group.separation.radius", error));
  TRY(check_radius(d, d->cohesion.radius, perception, "group.cohesion.radius", error));
  TRY(check_radius(d, d->alignment.radius, perception, "group.alignment.radius", error));
  return check_radius(d, d->attraction.radius, perception, "group.attraction.radius", error);
}

static const throng_parameter *own_weight_field(void) {
  const throng_parameter *field = throng_group_fields;
  while (strcmp(field->name, "own_weight") != 0) field++;
  return field;
}

static throng_status check_own_weight(const throng_group_def *d, throng_error *error) {
  const uint32_t entry = d->own_weight_entry;
  const float rule[] = {1.0f,
                        d->separation.weight,
                        d->cohesion.weight,
                        d->alignment.weight,
                        group_is_reciprocal(d) ? 0.0f : d->avoidance.weight,
                        d->attraction.weight,
                        entry < d->behaviour_count ? d->behaviour[entry].weight : 0.0f};
  if (rule[d->own_weight] != 0.0f) return THRONG_OK;
  if (d->own_weight == THRONG_OWN_WEIGHT_BEHAVIOUR) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "group.own_weight_entry is %u, but the list has no behaviour with a weight there", entry);
  }
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group.own_weight is %s, which has no weight",
                     own_weight_field()->words[d->own_weight]);
}

static throng_status check_own_bodies(const throng_group_def *d, throng_error *error) {
  if (d->body_radius > 0.0f || !(d->own_bodies || d->look_ahead_in_bodies)) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group.%s is true, but body_radius is 0: it must be above 0",
                     d->own_bodies ? "own_bodies" : "look_ahead_in_bodies");
}

static throng_status check_period(const throng_group_def *d, throng_error *error) {
  if ((d->steer_period & (d->steer_period - 1)) == 0) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group.steer_period is %u, allowed: 1, 2, 4 or 8", d->steer_period);
}

/* Checks that max_speed is finite if a rule over neighbours needs it. */
static throng_status check_speed(const throng_group_def *d, throng_error *error) {
  if (d->max_speed != INFINITY) return THRONG_OK;
  const bool arrives = d->cohesion.weight > 0.0f && d->cohesion.form == THRONG_COHESION_ARRIVE;
  const bool evades = d->avoidance.weight > 0.0f && d->avoidance.form != THRONG_AVOIDANCE_PREDICT;
  if (!arrives && !evades && !d->pace.on) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group.max_speed is infinite, but %s needs a finite one",
                     arrives                  ? "cohesion.form, THRONG_COHESION_ARRIVE,"
                     : !evades                ? "pace"
                     : group_is_reciprocal(d) ? "avoidance.form, THRONG_AVOIDANCE_RECIPROCAL,"
                                              : "avoidance.form, a cone,");
}

static throng_status check_reciprocal(const throng_world *world, const throng_group_def *d, throng_error *error) {
  if (!group_is_reciprocal(d)) return THRONG_OK;
  return throng_check_range(d->avoidance.radius, 0.0f, world->space.radius, "group.avoidance.radius", error);
}

/* Checks that velocities and positions stay finite if max_acceleration is infinite. */
static throng_status check_acceleration(const throng_world *world, const throng_group_def *d, throng_error *error) {
  const bool ballistic = world->def.update == THRONG_UPDATE_BALLISTIC;
  if (d->max_acceleration != INFINITY || (d->max_speed != INFINITY && !ballistic)) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group.max_acceleration is infinite, but %s",
                     ballistic ? "a world with THRONG_UPDATE_BALLISTIC needs a finite one"
                               : "so is group.max_speed: one of them must be finite");
}

static throng_status check_force(const throng_group_def *d, throng_error *error) {
  if (!d->steering_is_force || d->actuation != THRONG_ACTUATION_VEHICLE) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                     "group.steering_is_force is true, but actuation, THRONG_ACTUATION_VEHICLE, needs accelerations");
}

static throng_status check_rigid_body(const throng_world *world, const throng_group_def *d, throng_error *error) {
  if (d->actuation != THRONG_ACTUATION_RIGID_BODY) return THRONG_OK;
  if (world->space.spatial && !d->upright) {
    return throng_fail(
        error, THRONG_ERROR_UNSUPPORTED,
        "group.upright is false, but actuation, THRONG_ACTUATION_RIGID_BODY, needs it in spatial worlds");
  }
  const bool steered = d->facing == THRONG_FACING_STEERED;
  if (steered && d->moment_of_inertia > 0.0f) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group.%s, but actuation, THRONG_ACTUATION_RIGID_BODY, needs %s",
                     steered ? "moment_of_inertia is 0" : "facing is not THRONG_FACING_STEERED",
                     steered ? "one above 0" : "it");
}

static throng_status check_facing(const throng_group_def *d, throng_error *error) {
  if (d->alignment.turns && d->facing != THRONG_FACING_STEERED) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "group.alignment.turns is true, but facing is not THRONG_FACING_STEERED");
  }
  if (d->facing != THRONG_FACING_STEERED || d->max_yaw_rate < INFINITY) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                     "group.max_yaw_rate is infinite, but facing, THRONG_FACING_STEERED, needs a finite one");
}

throng_status throng_groups_check(const throng_world *world, uint32_t group, const throng_group_def *d,
                                  throng_error *error) {
  if (d->cookie != THRONG_GROUP_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "group definition has a wrong cookie: it is not from throng_default_group_def()");
  }
  if (group >= THRONG_MAX_GROUPS) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group is %u, allowed: 0 to %u", group, THRONG_MAX_GROUPS - 1);
  }
  TRY(check_fields(d, world->space.radius, error));
  TRY(check_period(d, error));
  TRY(check_speed(d, error));
  TRY(check_reciprocal(world, d, error));
  TRY(check_acceleration(world, d, error));
  TRY(check_force(d, error));
  TRY(check_rigid_body(world, d, error));
  if (d->contact > 0.0f && d->body_radius > world->space.radius * 0.5f) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "group.body_radius is %.9g, with contact allowed: 0 to half the world's perception_radius, %.9g",
                       (double)d->body_radius, (double)(world->space.radius * 0.5f));
  }
  TRY(check_facing(d, error));
  TRY(check_own_weight(d, error));
  TRY(check_own_bodies(d, error));
  TRY(throng_pace_check(&d->pace, world->space.radius, error));
  return throng_behaviours_check(world, d, error);
}
