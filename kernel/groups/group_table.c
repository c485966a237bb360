/* group_table.c: fills the group table that the passes read. SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include "agents/values.h"
#include "base/arithmetic.h"
#include "base/assertion.h"
#include "groups/behaviour_internal.h"
#include "groups/group_internal.h"
#include "groups/group_pace.h"
#include "state.h"

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

/* Writes the numbers of nearest neighbours that separation, cohesion and alignment count; 0 = all. Returns whether the
 * rules that have a weight count the same ones. Without alignment the walk counts cohesion's neighbours with it. */
static bool list_nearest(const throng_group_def *d, uint32_t nearest[NEAREST_RULES]) {
  const float weight[NEAREST_RULES] = {d->separation.weight, d->cohesion.weight, d->alignment.weight};
  const uint32_t number[NEAREST_RULES] = {d->separation.nearest, d->cohesion.nearest, d->alignment.nearest};
  uint32_t least = UINT32_MAX, most = 0;
  for (int rule = 0; rule < NEAREST_RULES; rule++) {
    nearest[rule] = weight[rule] > 0.0f ? number[rule] : 0;
    if (!(weight[rule] > 0.0f)) continue;
    if (number[rule] < least) least = number[rule];
    if (number[rule] > most) most = number[rule];
  }
  if (!(d->alignment.weight > 0.0f)) nearest[RULE_ALIGNMENT] = nearest[RULE_COHESION];
  return least >= most;
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

struct neighbour_rule {
  float weight;
  uint32_t priority, mask;
};
/* Writes what blend and walk need of each rule over neighbours. Reciprocal avoidance changes the blended acceleration,
 * so it has no weight here. */
static void list_neighbour_rules(const throng_group_def *d, struct neighbour_rule rules[RULE_LIST]) {
  const float avoidance = group_is_reciprocal(d) ? 0.0f : d->avoidance.weight;
  rules[RULE_SEPARATION] = (struct neighbour_rule){d->separation.weight, d->separation.priority, d->separation.mask};
  rules[RULE_COHESION] = (struct neighbour_rule){d->cohesion.weight, d->cohesion.priority, d->cohesion.mask};
  rules[RULE_ALIGNMENT] = (struct neighbour_rule){d->alignment.weight, d->alignment.priority, flock_mask(d)};
  rules[RULE_AVOIDANCE] = (struct neighbour_rule){avoidance, d->avoidance.priority, d->avoidance.mask};
  rules[RULE_ATTRACTION] = (struct neighbour_rule){d->attraction.weight, d->attraction.priority, d->attraction.mask};
}

static void fill_neighbour_rules(const throng_world *world, const throng_group_def *d, struct group_table *table,
                                 uint32_t g) {
  struct neighbour_rule rules[RULE_LIST];
  list_neighbour_rules(d, rules);
  for (int rule = 0; rule < RULE_LIST; rule++) {
    group_table_set(table, PARAM_WEIGHT + rule, g, rules[rule].weight);
    group_table_set_bits(table, PARAM_MASK + rule, g, rules[rule].mask);
    group_table_set_bits(table, PARAM_PRIORITY + rule, g, rules[rule].priority);
  }
  uint32_t nearest[NEAREST_RULES];
  list_nearest(d, nearest);
  for (int rule = 0; rule < NEAREST_RULES; rule++)
    group_table_set(table, PARAM_NEAREST + rule, g, (float)nearest[rule]);
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

/* Returns the longest turn in a frame. */
static float longest_turn(const throng_group_def *d, float dt) {
  const float turn = d->max_yaw_rate < INFINITY ? d->max_yaw_rate * dt : MOST_TURN;
  return turn < MOST_TURN ? turn : MOST_TURN;
}

/* Returns the fastest turn, rad/s, in which a facing without a max_yaw_rate keeps up with the motion. */
static float turn_rate(const throng_group_def *d) {
  return d->facing == THRONG_FACING_SMOOTH ? 0.5f / d->facing_time : INFINITY;
}

/* Returns the rule whose weight an agent may replace; -1 if there is none. */
static float own_weight(const throng_group_def *d) {
  if (d->own_weight == THRONG_OWN_WEIGHT_NONE) return -1.0f;
  if (d->own_weight == THRONG_OWN_WEIGHT_BEHAVIOUR) return (float)(RULE_LIST + d->own_weight_entry);
  return (float)((int)d->own_weight - (int)THRONG_OWN_WEIGHT_SEPARATION + RULE_SEPARATION);
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

/* What is measured in body lengths. */
static void fill_bodies(const throng_group_def *d, struct group_table *table, uint32_t g) {
  const bool radii = d->own_bodies && d->radii_in_bodies;
  group_table_set(table, PARAM_OWN_BODIES, g, d->own_bodies ? d->body_radius : 0.0f);
  group_table_set(table, PARAM_RADII_IN_BODIES, g, radii ? 1.0f : 0.0f);
  group_table_set(table, PARAM_PERCEPTION_IN_BODIES, g, radii && d->perception_radius > 0.0f ? 1.0f : 0.0f);
  group_table_set(table, PARAM_FEELER_IN_BODIES, g, d->look_ahead_in_bodies ? 1.0f : 0.0f);
  group_table_set(table, PARAM_FEELER_UNIT, g, d->look_ahead_in_bodies ? 2.0f * d->body_radius : 1.0f);
}

/* What alignment turns by. */
static void fill_alignment_turn(const throng_group_def *d, struct group_table *table, uint32_t g) {
  group_table_set(table, PARAM_ALIGN_TURN, g, turns_together(d) ? d->alignment.weight : 0.0f);
  group_table_set(table, PARAM_ALIGN_TIME, g, d->alignment.time_to_target);
  group_table_set(table, PARAM_ALIGN_SLOW, g, d->alignment.turn_slow_radius);
  group_table_set(table, PARAM_ALIGN_TARGET, g, d->alignment.turn_target_radius);
}

static void fill_params(const throng_world *world, struct group_table *table, uint32_t g, float dt) {
  ASSERT(world, g < THRONG_MAX_GROUPS && world->group_defined[g]);
  const throng_group_def *d = &world->group[g];
  const float perception = group_perception(d, world->space.radius);
  const float values[PARAM_THRUST] = {
      [PARAM_MAX_SPEED] = d->max_speed,
      [PARAM_DESIRED_SPEED] = d->max_speed < INFINITY ? d->max_speed : 0.0f,
      [PARAM_MAX_ACCELERATION] = d->max_acceleration < INFINITY ? d->max_acceleration : NO_LIMIT_ACCELERATION,
      [PARAM_DAMP] = 1.0f / (1.0f + d->drag * dt),
      [PARAM_BODY_RADIUS] = d->body_radius,
      [PARAM_MASS] = d->mass,
      [PARAM_DRIVEN] = throng_behaviours_drive(world, d) ? 1.0f : 0.0f,
      [PARAM_CONTACT] = d->contact,
      [PARAM_MAX_PUSH] = push_speed(d) * dt,
      [PARAM_PERCEPTION_RADIUS] = perception,
      [PARAM_VIEW] = view_of(d->field_of_view),
      [PARAM_SEPARATION_VIEW] = view_of(d->separation.field_of_view),
      [PARAM_SEPARATION_RADIUS] = reach_of(d, d->separation.radius),
      [PARAM_SEPARATION_STRENGTH] = d->separation.strength,
      [PARAM_ALIGNMENT_RATE] = 1.0f / d->alignment.time_to_target,
      [PARAM_URGENCY_SQ] = d->avoidance.urgency * d->avoidance.urgency,
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
  fill_bodies(d, table, g);
  throng_pace_fill(&d->pace, table, g, dt);
  fill_actuation(d, table, g);
  fill_alignment_turn(d, table, g);
  fill_reciprocal(d, table, g);
  group_table_set(table, PARAM_THRESHOLD, g, d->combine_threshold);
  group_table_set(table, PARAM_OWN_WEIGHT, g, own_weight(d));
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

static void note_neighbour_rules(const throng_group_def *d, struct group_table *table, uint32_t live_layers) {
  struct neighbour_rule rules[RULE_LIST];
  list_neighbour_rules(d, rules);
  for (int rule = 0; rule < RULE_LIST; rule++) {
    const bool flock = rule == RULE_COHESION || rule == RULE_ALIGNMENT;
    if (rules[rule].weight != 0.0f) {
      table->rules |= 1u << rule;
      table->levels |= 1u << rules[rule].priority;
    }
    if (!(table->rules & 1u << rule) || !(live_layers & ~rules[rule].mask)) continue;
    table->features |= flock ? FEATURE_FLOCK_MASKS : FEATURE_OTHER_MASKS;
  }
}

static void note_nearest(const throng_group_def *d, struct group_table *table) {
  uint32_t nearest[NEAREST_RULES];
  if (!list_nearest(d, nearest)) table->features |= FEATURE_MORE_RULES;
  for (int rule = 0; rule < NEAREST_RULES; rule++) {
    if (nearest[rule] > table->nearest[rule]) table->nearest[rule] = nearest[rule];
    if (nearest[rule] > 0) table->features |= FEATURE_NEAREST;
  }
}

static void note_views(const throng_group_def *d, struct group_table *table) {
  const float view = d->field_of_view, separation_view = d->separation.field_of_view;
  if (view < SCALAR_TWO_PI || separation_view < SCALAR_TWO_PI) table->features |= FEATURE_VIEW;
  if (view != separation_view) table->features |= FEATURE_SEPARATION_VIEW;
  if (separation_view < SCALAR_TWO_PI) table->features |= FEATURE_BLIND_SEPARATION;
}

static void note_needs(const throng_world *world, struct group_table *table, uint32_t g, uint32_t live_layers) {
  const throng_group_def *d = &world->group[g], *largest = &world->group[table->largest];
  const float most = world->space.radius;
  note_neighbour_rules(d, table, live_layers);
  note_views(d, table);
  note_nearest(d, table);
  if (d->body_radius != largest->body_radius) table->features |= FEATURE_BODY_RADII;
  if (group_perception(d, most) != group_perception(largest, most)) table->features |= FEATURE_PERCEPTION_RADII;
  note_cohesion(d, table, live_layers);
  if (has_more_rules(d)) table->features |= FEATURE_MORE_RULES;
  if (d->walls_hide && (world->objects.scenery.shapes > 0 || world->objects.cells.blocked)) {
    table->features |= FEATURE_SIGHT | FEATURE_MORE_RULES;
  }
  if (d->queue.width > 0.0f) table->features |= FEATURE_QUEUE;
  if (d->avoidance.urgency > 0.0f) table->features |= FEATURE_URGENCY;
  if (group_is_reciprocal(d)) note_reciprocal(d, table, live_layers);
  throng_pace_note(world, table, g, live_layers);
  if (d->own_bodies && world->agents.front.f[COLUMN_BODY_RADIUS]) {
    table->features |= FEATURE_OWN_BODIES;
    if (d->separation.radius > 0.0f) table->features |= FEATURE_SEPARATION_RADIUS;
  }
  if (d->contact > 0.0f) {
    table->features |= FEATURE_CONTACT;
    if (d->body_radius > table->solid_body) table->solid_body = d->body_radius;
    const float push = fminf(group_row(table, PARAM_MAX_PUSH)[g], 0.125f * most);
    if (push > table->longest_push) table->longest_push = push;
  }
  if (d->facing != THRONG_FACING_INSTANT) table->features |= FEATURE_SMOOTH_FACING;
  if (d->upright && world->space.spatial) table->features |= FEATURE_UPRIGHT;
  if (d->max_yaw_rate < INFINITY || world->agents.front.f[COLUMN_MAX_YAW_RATE]) table->features |= FEATURE_TURN_LIMIT;
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
  bool driven = false, stands = false;        /* some solid group is, some is not */
  table->features = table->kinds = table->rules = table->levels = table->largest = 0;
  memset(table->entry, 0, sizeof table->entry);
  table->solid_body = table->longest_push = 0.0f;
  table->reciprocal_masks = table->brakes = false;
  table->pace_points = 0;
  memset(table->nearest, 0, sizeof table->nearest);
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
    if (group_row(table, PARAM_DRIVEN)[g] > 0.0f)
      driven = true;
    else
      stands = true;
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
  table->body_obstacles = table->heavy_bodies || (driven && stands);
  if (live == 1) table->features |= FEATURE_UNIFORM;
  const bool obstructed = world->space.box || world->objects.scenery.shapes > 0 ||
                          world->objects.cells.blocked != NULL || table->body_obstacles;
  if (table->features & FEATURE_CONTACT && obstructed && dt > 0.0f) table->features |= FEATURE_YIELD;
  if (world->agents.front.f[COLUMN_KEPT_X]) table->features |= FEATURE_SLICED;
}
