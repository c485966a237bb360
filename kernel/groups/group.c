/* group.c: checks and sets groups, and fills the group table that the passes read.
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/arithmetic.h"
#include "groups/behaviour_internal.h"
#include "groups/group_internal.h"
#include "groups/group_fields.h"
#include "groups/group_pace.h"
#include "groups/parameters.h"
#include "state.h"
#include "agents/values.h"
#include "base/assertion.h"

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
  return throng_check_range(d->avoidance.radius, 0.0f, world->grid.space.radius, "group.avoidance.radius", error);
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
  if (world->grid.space.spatial && !d->upright) {
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
  TRY(check_fields(d, world->grid.space.radius, error));
  TRY(check_period(d, error));
  TRY(check_speed(d, error));
  TRY(check_reciprocal(world, d, error));
  TRY(check_acceleration(world, d, error));
  TRY(check_force(d, error));
  TRY(check_rigid_body(world, d, error));
  if (d->contact > 0.0f && d->body_radius > world->grid.space.radius * 0.5f) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "group.body_radius is %.9g, with contact allowed: 0 to half the world's perception_radius, %.9g",
                       (double)d->body_radius, (double)(world->grid.space.radius * 0.5f));
  }
  TRY(check_facing(d, error));
  TRY(throng_pace_check(&d->pace, world->grid.space.radius, error));
  return throng_behaviours_check(world, d, error);
}

void throng_groups_clear_signs(throng_group_def *def) {
  for (const throng_parameter *p = throng_group_fields; p->name; p++) throng_parameter_clear_sign(def, p);
  throng_behaviours_clear_signs(def);
}

uint64_t throng_groups_columns(const throng_group_def *def) {
  ASSERT_ALONE(def->behaviour_count <= THRONG_MAX_BEHAVIOURS);
  uint64_t columns = 0;
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    bool needed = (row->owner == OWNER_YAW && def->facing == THRONG_FACING_STEERED) ||
                  (row->owner == OWNER_YIELD && def->contact > 0.0f) ||
                  (row->owner == OWNER_PERIOD && def->steer_period > 1);
    for (int kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++) {
      const bool owns = row->kinds & THRONG_BIT(kind);
      needed = needed || (owns && throng_behaviours_have(def, (throng_behaviour_kind)kind));
    }
    if (needed) columns |= THRONG_BIT(column);
  }
  return columns;
}

/* Creates the columns that the group's behaviours and its contact need: all, or none. */
static throng_status need_columns(throng_world *world, const throng_group_def *def, throng_error *error) {
  const bool had_contact = world->agents.contact[0][0], had_seen = world->agents.seen;
  const struct columns had = world->agents.front;
  throng_status status = def->contact > 0.0f ? throng_columns_need_contact(&world->agents, world->grid.space.spatial,
                                                                           &world->def.allocator, error)
                                             : THRONG_OK;
  if (status == THRONG_OK && group_is_reciprocal(def)) {
    status = throng_columns_need_seen(&world->agents, world->grid.space.spatial, &world->def.allocator, error);
  }
  if (status == THRONG_OK) status = throng_value_need_all(world, throng_groups_columns(def), error);
  if (status == THRONG_OK) return THRONG_OK;
  throng_columns_drop(&world->agents, &had, &world->def.allocator);
  if (!had_contact) throng_columns_release_contact(&world->agents, &world->def.allocator);
  if (!had_seen) throng_columns_release_seen(&world->agents, &world->def.allocator);
  return status;
}

/* Converts a target point. No other value of a definition depends on the host's axes. */
static throng_vec3 take_target(const struct space *space, throng_vec3 point) {
  return axes_take_point(space->axes, point);
}
/* Rounding must not put a point beyond a periodic axis. */
static throng_vec3 give_target(const struct space *space, throng_vec3 point) {
  point = axes_give_point(space->axes, point);
  float p[3] = {point.x, point.y, point.z};
  space_hold_host(space, true, p);
  return (throng_vec3){p[0], p[1], p[2]};
}
static void convert_targets(const struct space *space,
                            throng_vec3 convert(const struct space *space, throng_vec3 point), throng_group_def *def) {
  for (uint32_t k = 0; k < def->behaviour_count && k < THRONG_MAX_BEHAVIOURS; k++) {
    throng_target *const targets[2] = {&def->behaviour[k].target, &def->behaviour[k].other};
    for (int t = 0; t < 2; t++) {
      if (targets[t]->kind == THRONG_TARGET_POINT) targets[t]->point = convert(space, targets[t]->point);
    }
  }
}

/* Makes the group's agents due if a field other than the behaviours changes. */
static void note_change(throng_world *world, uint32_t group, const throng_group_def *def) {
  bool changed = false;
  if (!world->agents.front.f[COLUMN_KEPT_X]) return;
  for (const throng_parameter *p = throng_group_fields; p->name; p++) {
    changed |= throng_parameter_read(def, p) != throng_parameter_read(&world->group[group], p);
  }
  for (uint32_t slot = 0; changed && slot < world->agents.count; slot++) {
    if (meta_group(world->agents.front.meta[slot]) == group) throng_value_make_due(world, slot);
  }
}

/* Whether throng_world_integrate can use what turned facings when another definition was in force. */
static bool turns_alike(const throng_group_def *a, const throng_group_def *b) {
  const bool steered = a->facing == THRONG_FACING_STEERED;
  return steered == (b->facing == THRONG_FACING_STEERED) && (!steered || a->upright == b->upright);
}

OUT_OF_LINE throng_status throng_groups_set(throng_world *world, uint32_t group, const throng_group_def *def,
                                            throng_error *error) {
  REQUIRE_POINTER(def, error);
  throng_group_def taken = *def;
  if (world->grid.space.axes) convert_targets(&world->grid.space, take_target, &taken);
  TRY(throng_groups_check(world, group, &taken, error));
  throng_groups_clear_signs(&taken);
  def = &taken;
  TRY(throng_groups_make_room(world, group + 1, error));
  const bool kept = world->agents.front.f[COLUMN_KEPT_X];
  TRY(need_columns(world, def, error));
  if (!kept && world->agents.front.f[COLUMN_KEPT_X]) world->steered = false;
  note_change(world, group, def);
  if (!turns_alike(&world->group[group], def)) world->steered = false;
  world->group[group] = *def;
  world->group_defined[group] = true;
  world->piece.changes++;
  return THRONG_OK;
}

throng_status throng_world_set_group(throng_world *world, uint32_t group, const throng_group_def *def,
                                     throng_error *error) {
  RETURN_ALONE(world, error, throng_groups_set(world, group, def, error));
}

static OUT_OF_LINE throng_status group_get_inner(const throng_world *world, uint32_t group, throng_group_def *def,
                                                 throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(def, error);
  if (group >= THRONG_MAX_GROUPS || !world->group_defined[group]) {
    return throng_fail(error, THRONG_ERROR_NO_GROUP, "group %u is not defined", group);
  }
  *def = world->group[group];
  if (world->grid.space.axes) convert_targets(&world->grid.space, give_target, def);
  return THRONG_OK;
}

throng_status throng_world_get_group(const throng_world *world, uint32_t group, throng_group_def *def,
                                     throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, group_get_inner(world, group, def, error));
}

uint32_t throng_world_group_agent_count(const throng_world *world, uint32_t group) {
  return world && group < THRONG_MAX_GROUPS ? world_own_agents(world, group) : 0;
}

/* A signed square of a cosine. The passes compare it with dot(d, f) |dot(d, f)| / |d|^2. */
static float signed_square(float c) { return c * (c < 0.0f ? -c : c); }
#define ALL_ROUND -4.0f /* a border below every value that is compared with it */

static float cone_of(float angle) {
  ASSERT_ALONE(angle >= 0.0f);
  return angle >= SCALAR_TWO_PI ? ALL_ROUND : signed_square(scalar_cos(angle * 0.5f));
}

/* A neighbour that is up to BORDER radians beyond the border of the view counts as in view, for every facing. ROUNDING
 * is more than the error of the cosines that the passes compare. */
#define BORDER 1e-6f
#define ROUNDING 7e-7f
static float view_of(float field_of_view) {
  float sine, cosine;
  ASSERT_ALONE(field_of_view >= 0.0f);
  if (field_of_view >= SCALAR_TWO_PI) return ALL_ROUND;
  scalar_sincos(field_of_view * 0.5f, &sine, &cosine);
  return signed_square(cosine - (BORDER * sine + ROUNDING));
}

static bool turns_together(const throng_group_def *d) { return d->alignment.turns && d->alignment.weight > 0.0f; }

/* A queue and a pace must see the agents ahead in every frame, priorities need each rule by itself, and no turn is
 * kept: agents of such groups are due in every frame. */
static void fill_period(const throng_group_def *d, struct group_table *table, uint32_t g) {
  const bool always = d->combine != THRONG_COMBINE_WEIGHTED || d->queue.width > 0.0f || d->pace.on || turns_together(d);
  group_table_set_bits(table, PARAM_PERIOD, g, d->steer_period - 1);
  group_table_set_bits(table, PARAM_LONGEST_PERIOD, g, always ? 0 : LONGEST_PERIOD - 1);
}

/* Returns the mask of alignment. Without alignment it is cohesion's, whose neighbours the walk counts with it. */
static uint32_t flock_mask(const throng_group_def *d) {
  return d->alignment.weight > 0.0f ? d->alignment.mask : d->cohesion.mask;
}

static throng_separation_law law_of(const throng_world *world, const throng_group_def *d) {
  return d->separation.law == THRONG_SEPARATION_AS_WORLD ? world->def.separation_law : d->separation.law;
}

/* Returns the law of all live groups that separate; THRONG_SEPARATION_AS_WORLD if their laws differ. `laws`: a bit
 * 1u << law for each of them. */
static throng_separation_law common_law(const throng_world *world, uint32_t laws) {
  if (laws == 0) return world->def.separation_law;
  return laws & (laws - 1) ? THRONG_SEPARATION_AS_WORLD : (throng_separation_law)__builtin_ctz(laws);
}

static void fill_neighbour_rules(const throng_world *world, const throng_group_def *d, struct group_table *table,
                                 uint32_t g) {
  const struct {
    float weight;
    uint32_t priority, mask;
  } rules[] = {
      [RULE_SEPARATION] = {d->separation.weight, d->separation.priority, d->separation.mask},
      [RULE_COHESION] = {d->cohesion.weight, d->cohesion.priority, d->cohesion.mask},
      [RULE_ALIGNMENT] = {d->alignment.weight, d->alignment.priority, flock_mask(d)},
      [RULE_AVOIDANCE] = {group_is_reciprocal(d) ? 0.0f : d->avoidance.weight, d->avoidance.priority,
                          d->avoidance.mask},
      [RULE_ATTRACTION] = {d->attraction.weight, d->attraction.priority, d->attraction.mask},
  };
  for (int rule = 0; rule < RULE_LIST; rule++) {
    group_table_set(table, PARAM_WEIGHT + rule, g, rules[rule].weight);
    group_table_set_bits(table, PARAM_MASK + rule, g, rules[rule].mask);
    group_table_set_bits(table, PARAM_PRIORITY + rule, g, rules[rule].priority);
  }
  group_table_set_bits(table, PARAM_MASK + MASK_QUEUE, g, d->queue.mask);
  group_table_set_bits(table, PARAM_MASK + MASK_PACE, g, d->pace.mask);
  uint32_t forms = 0;
  if (d->separation.nearest_only) forms |= FORM_NEAREST_ONLY;
  if (d->cohesion.form == THRONG_COHESION_ARRIVE) forms |= FORM_COHESION_ARRIVE;
  if (d->cohesion.form == THRONG_COHESION_LATERAL) forms |= FORM_COHESION_LATERAL;
  if (d->cohesion.coast) forms |= FORM_COHESION_COAST;
  if (d->alignment.form == THRONG_ALIGNMENT_LATERAL) forms |= FORM_ALIGNMENT_LATERAL;
  const throng_avoidance_form avoids = d->avoidance.form;
  if (avoids == THRONG_AVOIDANCE_CONE_MEAN || avoids == THRONG_AVOIDANCE_CONE_NEAREST) forms |= FORM_CONE;
  if (avoids == THRONG_AVOIDANCE_CONE_NEAREST) forms |= FORM_CONE_NEAREST;
  if (d->walls_hide) forms |= FORM_WALLS_HIDE;
  if (d->separation.form == THRONG_SEPARATION_LATERAL) forms |= FORM_SEPARATION_LATERAL;
  if (law_of(world, d) == THRONG_SEPARATION_LINEAR) forms |= FORM_LINEAR;
  if (law_of(world, d) == THRONG_SEPARATION_INVERSE_SQUARE) forms |= FORM_INVERSE_SQUARE;
  group_table_set_bits(table, PARAM_FORMS, g, forms);
  fill_period(d, table, g);
}

/* Returns the largest speed at which contact pushes agents of the group. */
static float push_speed(const throng_group_def *d) {
  if (d->max_push_speed > 0.0f) return d->max_push_speed;
  const float speed = PUSH_PACE * d->max_speed;
  return speed > LEAST_PUSH ? speed : LEAST_PUSH;
}

/* Returns the speed below which agents of the group keep their facing. */
static float facing_speed(const throng_group_def *d) {
  if (d->facing_speed >= 0.0f) return d->facing_speed;
  return d->max_speed < INFINITY ? FACING_PACE * d->max_speed : 0.0f;
}

/* Whether agents of the group are vehicles that can drive forward, and turn by driving. */
static bool finds_routes(const throng_group_def *d) {
  const bool follows = d->facing == THRONG_FACING_INSTANT || d->facing == THRONG_FACING_SMOOTH;
  return d->actuation == THRONG_ACTUATION_VEHICLE && follows && d->vehicle.max_thrust > 0.0f &&
         d->vehicle.max_lateral > 0.0f;
}

/* Returns the longest turn in a frame, at most 4, which is more than half a turn. */
static float longest_turn(const throng_group_def *d, float dt) {
  const float turn = d->max_yaw_rate < INFINITY ? d->max_yaw_rate * dt : 4.0f;
  return turn < 4.0f ? turn : 4.0f;
}

/* Returns the fastest turn, rad/s, in which the facing keeps up with the motion. */
static float turn_rate(const throng_group_def *d) {
  const float rate = d->facing == THRONG_FACING_SMOOTH ? 0.5f / d->facing_time : INFINITY;
  return rate < d->max_yaw_rate ? rate : d->max_yaw_rate;
}

/* What makes accelerations of what agents want. */
static void fill_actuation(const throng_group_def *d, struct group_table *table, uint32_t g) {
  const bool drives = d->actuation == THRONG_ACTUATION_VEHICLE;
  group_table_set(table, PARAM_THRUST, g, drives ? d->vehicle.max_thrust : -1.0f);
  group_table_set(table, PARAM_BRAKE, g, d->vehicle.max_brake);
  group_table_set(table, PARAM_LATERAL, g, d->vehicle.max_lateral);
  group_table_set(table, PARAM_CURVATURE, g, 1.0f / d->vehicle.turning_radius);
  group_table_set(table, PARAM_TURN_RADIUS, g, finds_routes(d) ? d->vehicle.turning_radius : 0.0f);
  group_table_set(table, PARAM_TURN_RATE, g, turn_rate(d));
  group_table_set(table, PARAM_IS_FORCE, g, d->steering_is_force ? 1.0f : 0.0f);
  group_table_set(table, PARAM_INERTIA, g, d->moment_of_inertia);
  const bool rigid = d->actuation == THRONG_ACTUATION_RIGID_BODY;
  group_table_set(table, PARAM_ENGINE, g, rigid ? d->rigid_body.max_thrust / d->mass : -1.0f);
  group_table_set(table, PARAM_REVERSE, g, d->rigid_body.max_reverse / d->mass);
  group_table_set(table, PARAM_SIDE, g, d->rigid_body.max_side / d->mass);
  group_table_set(table, PARAM_LIFT, g, d->rigid_body.max_lift / d->mass);
  group_table_set(table, PARAM_LEVER, g, rigid ? d->mass * d->rigid_body.bow / d->moment_of_inertia : 0.0f);
}

/* Returns the radius of a rule, which the perception radius limits. */
static float reach_of(const throng_group_def *d, float radius) {
  return radius > 0.0f ? group_metres(d, radius) : FLT_MAX;
}
/* Returns the radius of alignment. Without alignment the walk counts cohesion's neighbours with it: see flock_mask. */
static float flock_reach(const throng_group_def *d) {
  return d->alignment.weight > 0.0f ? reach_of(d, d->alignment.radius) : FLT_MAX;
}
/* Returns a radius of cohesion; if it is negative, this part of the perception radius. */
static float part_of(float perception, float part, float radius) { return radius < 0.0f ? perception * part : radius; }

/* Returns 1 / time, at most 1e6. */
static float rate_of_time(float time) { return time > 1e-6f ? 1.0f / time : 1e6f; }

static void fill_reciprocal(const throng_group_def *d, struct group_table *table, uint32_t g) {
  const throng_avoidance *r = &d->avoidance;
  group_table_set(table, PARAM_AVOID_RATE, g, group_is_reciprocal(d) ? rate_of_time(r->horizon) : 0.0f);
  group_table_set(table, PARAM_AVOID_RADIUS, g, r->radius > 0.0f ? r->radius : FLT_MAX);
  group_table_set(table, PARAM_AVOID_MARGIN, g, r->margin);
  group_table_set(table, PARAM_AVOID_ALIKE, g, r->alike);
  group_table_set(table, PARAM_AVOID_WALLS, g, rate_of_time(r->wall_horizon));
}

/* Returns PARAM_FACING_FACTOR. */
static float facing_factor(const throng_group_def *d, float dt) {
  const float factors[] = {[THRONG_FACING_INSTANT] = 1.0f,
                           [THRONG_FACING_SMOOTH] = smooth_factor(dt, d->facing_time),
                           [THRONG_FACING_FIXED] = 0.0f,
                           [THRONG_FACING_STEERED] = -1.0f};
  return factors[d->facing];
}

static void fill_params(const throng_world *world, struct group_table *table, uint32_t g, float dt) {
  ASSERT(world, g < THRONG_MAX_GROUPS && world->group_defined[g]);
  const throng_group_def *d = &world->group[g];
  const float perception = group_perception(d, world->grid.space.radius);
  const float values[PARAM_THRUST] = {
      [PARAM_MAX_SPEED] = d->max_speed,
      [PARAM_DESIRED_SPEED] = d->max_speed < INFINITY ? d->max_speed : 0.0f,
      [PARAM_MAX_ACCELERATION] = d->max_acceleration < INFINITY ? d->max_acceleration : NO_LIMIT_ACCELERATION,
      [PARAM_DAMP] = 1.0f / (1.0f + d->drag * dt),
      [PARAM_BODY_RADIUS] = d->body_radius,
      [PARAM_MASS] = d->mass,
      [PARAM_CONTACT] = d->contact,
      [PARAM_MAX_PUSH] = push_speed(d) * dt,
      [PARAM_PERCEPTION_RADIUS] = perception,
      [PARAM_VIEW] = view_of(d->field_of_view),
      [PARAM_SEPARATION_VIEW] = view_of(d->separation.field_of_view),
      [PARAM_SEPARATION_RADIUS] = reach_of(d, d->separation.radius),
      [PARAM_SEPARATION_STRENGTH] = d->separation.strength,
      [PARAM_ALIGNMENT_RATE] = 1.0f / d->alignment.time_to_target,
      [PARAM_HORIZON] = d->avoidance.horizon,
      [PARAM_CONE] = cone_of(d->avoidance.cone),
      [PARAM_COHESION_SLOW] = part_of(perception, 0.4f, d->cohesion.slow_radius),
      [PARAM_COHESION_TARGET] = part_of(perception, 0.2f, d->cohesion.target_radius),
      [PARAM_COHESION_RATE] = 1.0f / d->cohesion.time_to_target,
      [PARAM_COHESION_RADIUS] = reach_of(d, d->cohesion.radius),
      [PARAM_ALIGNMENT_RADIUS] = flock_reach(d),
      [PARAM_ATTRACTION_RADIUS] = reach_of(d, d->attraction.radius),
      [PARAM_ATTRACTION_STRENGTH] = d->attraction.strength,
      [PARAM_QUEUE_WIDTH] = d->queue.width,
      [PARAM_QUEUE_GAP] = d->queue.gap,
      [PARAM_QUEUE_ONCOMING] = d->queue.oncoming,
      [PARAM_QUEUE_RATE] = 1.0f / d->queue.time_to_target,
      [PARAM_QUEUE_GRIP] = grip_of(d->queue.time_to_target, dt),
      [PARAM_FACING_SPEED_SQ] = facing_speed(d) * facing_speed(d),
      [PARAM_FACING_FACTOR] = facing_factor(d, dt),
      [PARAM_MAX_TURN] = longest_turn(d, dt),
      [PARAM_MAX_YAW_RATE] = d->max_yaw_rate,
      [PARAM_MAX_YAW_ACCELERATION] = d->max_yaw_acceleration,
      [PARAM_YAW_DAMP] = 1.0f / (1.0f + d->angular_drag * dt),
      [PARAM_UPRIGHT] = d->upright ? 1.0f : 0.0f,
  };
  for (int p = 0; p < PARAM_THRUST; p++) group_table_set(table, p, g, values[p]);
  throng_pace_fill(&d->pace, table, g, dt);
  fill_actuation(d, table, g);
  group_table_set(table, PARAM_ALIGN_TURN, g, turns_together(d) ? d->alignment.weight : 0.0f);
  group_table_set(table, PARAM_ALIGN_TIME, g, d->alignment.time_to_target);
  group_table_set(table, PARAM_ALIGN_SLOW, g, d->alignment.turn_slow_radius);
  group_table_set(table, PARAM_ALIGN_TARGET, g, d->alignment.turn_target_radius);
  fill_reciprocal(d, table, g);
  group_table_set(table, PARAM_THRESHOLD, g, d->combine_threshold);
  for (int level = 0; level < (int)THRONG_PRIORITIES; level++) {
    group_table_set(table, PARAM_CHANCE + level, g, d->combine_chance[level]);
  }
  fill_neighbour_rules(world, d, table, g);
  group_table_set_bits(table, PARAM_COMBINE, g, d->combine);
  throng_behaviours_fill(world, table, g, dt);
  group_table_set_bits(table, PARAM_LAYER, g, 1u << d->layer);
}

/* Whether the group uses more than the common forms of the rules over neighbours. */
static bool has_more_rules(const throng_group_def *d) {
  return (d->separation.weight > 0.0f &&
          (d->separation.nearest_only || d->separation.form != THRONG_SEPARATION_PUSH)) ||
         (d->cohesion.weight > 0.0f && d->cohesion.radius > 0.0f) ||
         (d->alignment.weight > 0.0f && d->alignment.radius > 0.0f) ||
         (d->cohesion.weight > 0.0f && d->cohesion.form == THRONG_COHESION_LATERAL) ||
         (d->alignment.weight > 0.0f && d->alignment.form != THRONG_ALIGNMENT_MATCH) ||
         (d->avoidance.weight > 0.0f && d->avoidance.form != THRONG_AVOIDANCE_PREDICT && !group_is_reciprocal(d)) ||
         d->attraction.weight > 0.0f || d->queue.width > 0.0f || turns_together(d);
}

/* Notes the form of cohesion. The common walk counts the neighbours of cohesion and of alignment together. */
static void note_cohesion(const throng_group_def *d, struct group_table *table, uint32_t live_layers) {
  if (d->cohesion.weight == 0.0f) return;
  if (d->cohesion.form != THRONG_COHESION_ARRIVE) {
    table->features |= FEATURE_COHESION_SEEKS;
    return;
  }
  table->features |= FEATURE_COHESION_ARRIVES;
  if (live_layers & (d->cohesion.mask ^ flock_mask(d))) table->features |= FEATURE_MORE_RULES;
}

static void note_reciprocal(const throng_group_def *d, struct group_table *table, uint32_t live_layers) {
  table->features |= FEATURE_RECIPROCAL;
  if (live_layers & ~d->avoidance.mask) table->reciprocal_masks = true;
}

static void note_needs(const throng_world *world, struct group_table *table, uint32_t g, uint32_t live_layers) {
  const throng_group_def *d = &world->group[g];
  for (int rule = 0; rule < RULE_COUNT; rule++) {
    if (group_row(table, PARAM_WEIGHT + rule)[g] == 0.0f) continue;
    uint32_t priority;
    memcpy(&priority, &group_row(table, PARAM_PRIORITY + rule)[g], sizeof priority);
    if (priority == NO_PRIORITY) continue;
    table->rules |= 1u << rule;
    table->levels |= 1u << priority;
  }
  uint32_t neighbour_rules = table->rules & NEIGHBOUR_RULES;
  for (int rule = 0; rule < RULE_LIST; rule++) {
    uint32_t mask;
    memcpy(&mask, &group_row(table, PARAM_MASK + rule)[g], sizeof mask);
    if (!(neighbour_rules & 1u << rule) || !(live_layers & ~mask)) continue;
    bool flock = rule == RULE_COHESION || rule == RULE_ALIGNMENT;
    table->features |= flock ? FEATURE_FLOCK_MASKS : FEATURE_OTHER_MASKS;
  }
  if (group_row(table, PARAM_VIEW)[g] > -4.0f || group_row(table, PARAM_SEPARATION_VIEW)[g] > -4.0f) {
    table->features |= FEATURE_VIEW;
  }
  if (group_row(table, PARAM_SEPARATION_VIEW)[g] != group_row(table, PARAM_VIEW)[g]) {
    table->features |= FEATURE_SEPARATION_VIEW;
  }
  if (group_row(table, PARAM_SEPARATION_VIEW)[g] > -4.0f) table->features |= FEATURE_BLIND_SEPARATION;
  if (d->body_radius != world->group[table->largest].body_radius) table->features |= FEATURE_BODY_RADII;
  if (group_row(table, PARAM_PERCEPTION_RADIUS)[g] != group_row(table, PARAM_PERCEPTION_RADIUS)[table->largest]) {
    table->features |= FEATURE_PERCEPTION_RADII;
  }
  note_cohesion(d, table, live_layers);
  if (has_more_rules(d)) table->features |= FEATURE_MORE_RULES;
  if (d->walls_hide && (world->objects.scenery.shapes > 0 || world->objects.cells.blocked)) {
    table->features |= FEATURE_SIGHT | FEATURE_MORE_RULES;
  }
  if (d->queue.width > 0.0f) table->features |= FEATURE_QUEUE;
  if (group_is_reciprocal(d)) note_reciprocal(d, table, live_layers);
  throng_pace_note(world, table, g, live_layers);
  if (d->contact > 0.0f) {
    table->features |= FEATURE_CONTACT;
    if (d->body_radius > table->solid_body) table->solid_body = d->body_radius;
  }
  if (d->facing != THRONG_FACING_INSTANT) table->features |= FEATURE_SMOOTH_FACING;
  if (d->upright && world->grid.space.spatial) table->features |= FEATURE_UPRIGHT;
  if (d->max_yaw_rate < INFINITY) table->features |= FEATURE_TURN_LIMIT;
  if (d->facing == THRONG_FACING_STEERED) table->features |= FEATURE_STEERED_YAW;
  if (d->actuation == THRONG_ACTUATION_VEHICLE) table->features |= FEATURE_VEHICLES;
  if (finds_routes(d)) table->features |= FEATURE_ROUTES;
  if (d->steering_is_force) table->features |= FEATURE_FORCE;
  if (d->actuation == THRONG_ACTUATION_RIGID_BODY) table->features |= FEATURE_RIGID_BODIES;
  if (d->combine != THRONG_COMBINE_WEIGHTED) table->features |= FEATURE_COMBINE;
  if (turns_together(d)) table->features |= FEATURE_ALIGNMENT_TURNS;
  if (d->separation.weight > 0.0f && d->separation.form == THRONG_SEPARATION_LATERAL) {
    table->features |= FEATURE_LATERAL;
  }
  throng_behaviours_note(world, table, g);
}

void throng_groups_build(throng_world *world, float dt) {
  struct group_table *table = &world->groups;
  uint32_t live = 0, live_layers = 0, laws = 0;
  float lightest = INFINITY, heaviest = 0.0f; /* of the solid groups */
  table->features = table->kinds = table->rules = table->levels = table->largest = 0;
  memset(table->entry, 0, sizeof table->entry);
  table->solid_body = 0.0f;
  table->reciprocal_masks = table->brakes = false;
  table->pace_points = 0;
  for (uint32_t g = 0; g < world->group_room; g++) {
    if (!group_is_live(world, g)) continue;
    live++;
    table->largest = g;
    live_layers |= 1u << world->group[g].layer;
    if (world->group[g].separation.weight > 0.0f) laws |= 1u << law_of(world, &world->group[g]);
    fill_params(world, table, g, dt);
    if (!(world->group[g].contact > 0.0f)) continue;
    lightest = fminf(lightest, world->group[g].mass);
    heaviest = fmaxf(heaviest, world->group[g].mass);
  }
  for (uint32_t g = 0; g < world->group_room; g++) {
    if (!group_is_live(world, g)) continue;
    note_needs(world, table, g, live_layers);
    table->layer_row[g] = (uint32_t)__builtin_popcount(live_layers & ((1u << world->group[g].layer) - 1));
  }
  table->separation_law = common_law(world, laws);
  if (table->separation_law == THRONG_SEPARATION_AS_WORLD) table->features |= FEATURE_MORE_RULES;
  table->layers = 0;
  for (; live_layers; live_layers &= live_layers - 1) table->live_layer[table->layers++] = live_layers & -live_layers;
  ASSERT(world, live <= THRONG_MAX_GROUPS && table->layers <= THRONG_MAX_LAYERS);
  table->heavy_bodies = lightest * HEAVY < heaviest;
  if (live == 1) table->features |= FEATURE_UNIFORM;
  const bool obstructed =
      world->grid.space.box || world->objects.scenery.shapes > 0 || world->objects.cells.blocked != NULL;
  if (table->features & FEATURE_CONTACT && obstructed && dt > 0.0f) table->features |= FEATURE_YIELD;
  if (world->agents.front.f[COLUMN_KEPT_X]) table->features |= FEATURE_SLICED;
}
