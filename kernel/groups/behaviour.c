/* behaviour.c: see behaviour_internal.h. It also has the public table of kinds. SPDX-License-Identifier: MIT */
#include "groups/behaviour_internal.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "agents/lookup.h"
#include "base/arithmetic.h"
#include "base/assertion.h"
#include "groups/parameters.h"
#include "scenery/free_time.h"

struct kind {
  const char *name;
  uint32_t needs;
  throng_parameter parameter[THRONG_MAX_PARAMETERS + 1]; /* no name past the last */
};

#define MEMBER(name, member) ((throng_behaviour *)0)->name.member
#define PARAMETER(name, TYPE, member, value, low, high)                                                                \
  {#member,                                                                                                            \
   AS_##TYPE,                                                                                                          \
   .offset = offsetof(throng_behaviour, name.member),                                                                  \
   .initial = (double)(value),                                                                                         \
   .lowest = (double)(low),                                                                                            \
   .highest = (double)(high)},
#define ROW(CONSTANT, name, needs, parameters) [THRONG_BEHAVIOUR_##CONSTANT] = {#name, needs, {parameters}},
static const struct kind kinds[THRONG_BEHAVIOUR_KINDS] = {BEHAVIOUR_KINDS(ROW, PARAMETER)};

/* Checks that the rows name the types of the members. */
#define ROW_TYPES(CONSTANT, name, needs, parameters) parameters
#define PARAMETER_TYPE(name, TYPE, member, value, low, high)                                                           \
  _Static_assert(_Generic(MEMBER(name, member), MEMBER_##TYPE : 1, default : 0), #name "." #member);
BEHAVIOUR_KINDS(ROW_TYPES, PARAMETER_TYPE)

static const struct kind *kind_of(throng_behaviour_kind kind) {
  return (unsigned)kind < THRONG_BEHAVIOUR_KINDS ? &kinds[kind] : NULL;
}

int throng_behaviours_target_count(throng_behaviour_kind kind) {
  ASSERT_ALONE((unsigned)kind < THRONG_BEHAVIOUR_KINDS);
  return !(kinds[kind].needs & NEEDS_TARGET) ? 0 : kinds[kind].needs & NEEDS_OTHER ? 2 : 1;
}

throng_behaviour throng_default_behaviour(throng_behaviour_kind kind) {
  throng_behaviour behaviour;
  memset(&behaviour, 0, sizeof behaviour);
  const struct kind *row = kind_of(kind);
  if (!row) return behaviour;
  behaviour.kind = kind;
  behaviour.weight = 1.0f;
  for (const throng_parameter *p = row->parameter; p->name; p++) throng_parameter_write(&behaviour, p, p->initial);
  return behaviour;
}

const char *throng_behaviour_name(throng_behaviour_kind kind) {
  const struct kind *row = kind_of(kind);
  return row ? row->name : NULL;
}
bool throng_behaviour_get_parameter(throng_behaviour_kind kind, uint32_t k, throng_parameter *parameter) {
  const struct kind *row = kind_of(kind);
  if (!row || !parameter || k >= THRONG_MAX_PARAMETERS || !row->parameter[k].name) return false;
  *parameter = row->parameter[k];
  return true;
}
double throng_behaviour_get_value(const throng_behaviour *behaviour, const throng_parameter *parameter) {
  return behaviour && parameter ? throng_parameter_read(behaviour, parameter) : 0.0;
}
bool throng_behaviour_set_value(throng_behaviour *behaviour, const throng_parameter *parameter, double value) {
  return behaviour && parameter && throng_parameter_write(behaviour, parameter, value);
}

throng_behaviour *throng_group_def_add(throng_group_def *def, throng_behaviour_kind kind) {
  if (!def || !kind_of(kind)) return NULL;
  const uint32_t k = def->behaviour_count;
  throng_behaviour *behaviour = &def->behaviour[k < THRONG_MAX_BEHAVIOURS ? k : THRONG_MAX_BEHAVIOURS];
  if (k < UINT32_MAX) def->behaviour_count++;
  *behaviour = throng_default_behaviour(kind);
  return behaviour;
}

throng_behaviour *throng_group_def_find(throng_group_def *def, throng_behaviour_kind kind) {
  if (!def) return NULL;
  for (uint32_t k = 0; k < def->behaviour_count && k < THRONG_MAX_BEHAVIOURS; k++) {
    if (def->behaviour[k].kind == kind) return &def->behaviour[k];
  }
  return NULL;
}

/* Checks. */

static throng_status check_target(const struct throng_world *world, const throng_target *target, const char *field,
                                  throng_error *error) {
  char text[128];
  switch (target->kind) {
  case THRONG_TARGET_GOAL:
    return THRONG_OK;
  case THRONG_TARGET_POINT: {
    const float point[3] = {target->point.x, target->point.y, target->point.z};
    for (int c = 0; c < 3; c++) {
      if (c == 1 && !world->space.spatial) continue;
      snprintf(text, sizeof text, "%s.point", field);
      const bool periodic = world->space.boundary[c] == THRONG_BOUNDARY_PERIODIC;
      const float low = periodic ? (&world->def.box_min.x)[c] : -world->space.limit;
      const float high = periodic ? (&world->def.box_max.x)[c] : world->space.limit;
      TRY(throng_axes_check_coordinate(world->space.axes, c, point[c], low, high, text, error));
    }
    return THRONG_OK;
  }
  case THRONG_TARGET_AGENT:
    snprintf(text, sizeof text, "%s.agent", field);
    return throng_lookup_check_id(world, target->agent, text, error);
  case THRONG_TARGET_OWN:
    return THRONG_OK;
  }
  static const char *const names[] = {"THRONG_TARGET_GOAL", "THRONG_TARGET_POINT", "THRONG_TARGET_AGENT",
                                      "THRONG_TARGET_OWN", NULL};
  snprintf(text, sizeof text, "%s.kind", field);
  return throng_check_enum((int)target->kind, names, text, error);
}

/* Whether walls limit the prediction of a behaviour. */
static bool heeds_walls(const throng_behaviour *b) {
  if (b->kind == THRONG_BEHAVIOUR_PURSUE) return b->pursue.stop_at_walls || b->pursue.give_up_at_walls;
  return b->kind == THRONG_BEHAVIOUR_EVADE && (b->evade.stop_at_walls || b->evade.give_up_at_walls);
}

static throng_status check_yaw(const throng_group_def *def, uint32_t k, const char *name, throng_error *error) {
  if (def->behaviour[k].weight == 0.0f || def->facing == THRONG_FACING_STEERED) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                     "group.facing is not THRONG_FACING_STEERED, but behaviour[%u], %s, needs it", k, name);
}

/* Whether the behaviour gives an angular acceleration. */
static bool gives_turns(const throng_behaviour *b) {
  return (kinds[b->kind].needs & NEEDS_YAW) || (b->kind == THRONG_BEHAVIOUR_WANDER && b->wander.faces);
}

/* Returns the time_to_target of a behaviour; 0 if its kind has none. */
static double time_of(const throng_behaviour *b) {
  for (const throng_parameter *p = kinds[b->kind].parameter; p->name; p++) {
    if (strcmp(p->name, "time_to_target") == 0) return throng_parameter_read(b, p);
  }
  return 0.0;
}

/* Checks a time_to_target. 0 selects another form of the kind; other times are at least KIND_LEAST_TIME, so that 1 /
 * time does not overflow. */
static throng_status check_time(const throng_behaviour *b, uint32_t k, throng_error *error) {
  const double time = time_of(b), least = (double)KIND_LEAST_TIME;
  if (!(time > 0.0 && time < least)) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                     "group.behaviour[%u].%s.time_to_target is %.9g, allowed: 0, or %.9g to %.9g", k,
                     kinds[b->kind].name, time, least, (double)KIND_MOST);
}

static throng_status check_behaviour(const struct throng_world *world, const throng_group_def *def, uint32_t k,
                                     throng_error *error) {
  const throng_behaviour *b = &def->behaviour[k];
  const struct kind *row = kind_of(b->kind);
  char field[80];
  if (!row) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "group.behaviour[%u].kind is %d, allowed: the kinds from %s to %s", k, (int)b->kind,
                       kinds[0].name, kinds[THRONG_BEHAVIOUR_KINDS - 1].name);
  }
  snprintf(field, sizeof field, "group.behaviour[%u].weight", k);
  TRY(throng_check_range(b->weight, -KIND_MOST, KIND_MOST, field, error));
  if (b->priority >= THRONG_PRIORITIES) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group.behaviour[%u].priority is %u, allowed: 0 to %u", k,
                       b->priority, THRONG_PRIORITIES - 1);
  }
  for (const throng_parameter *p = row->parameter; p->name; p++) {
    TRY(throng_parameter_check(b, p, row->name, k, error));
  }
  TRY(check_time(b, k, error));
  for (int which = 0; which < throng_behaviours_target_count(b->kind); which++) {
    snprintf(field, sizeof field, "group.behaviour[%u].%s", k, which ? "other" : "target");
    TRY(check_target(world, behaviour_target(b, which), field, error));
  }
  if (gives_turns(b)) TRY(check_yaw(def, k, row->name, error));
  const bool exact = b->kind == THRONG_BEHAVIOUR_INTERCEPT && b->intercept.exact;
  const bool timed = (row->needs & NEEDS_SPEED_TIMED) && time_of(b) > 0.0;
  const bool needs_speed = (row->needs & NEEDS_SPEED) || timed || exact;
  if (b->weight != 0.0f && needs_speed && def->max_speed == INFINITY) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "group.max_speed is infinite, but behaviour[%u], %s, needs a finite one", k, row->name);
  }
  for (uint32_t before = 0; before < k && (row->needs & NEEDS_MEMORY); before++) {
    if (def->behaviour[before].kind != b->kind) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "group.behaviour[%u] and [%u] are both %s: an agent has memory for one", before, k, row->name);
  }
  return THRONG_OK;
}

throng_status throng_behaviours_check(const struct throng_world *world, const throng_group_def *def,
                                      throng_error *error) {
  if (def->behaviour_count > THRONG_MAX_BEHAVIOURS) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "a group holds %u behaviours, %u were added",
                       THRONG_MAX_BEHAVIOURS, def->behaviour_count);
  }
  for (uint32_t k = 0; k < def->behaviour_count; k++) TRY(check_behaviour(world, def, k, error));
  return THRONG_OK;
}

void throng_behaviours_clear_signs(throng_group_def *def) {
  ASSERT_ALONE(def->behaviour_count <= THRONG_MAX_BEHAVIOURS);
  for (uint32_t k = 0; k < def->behaviour_count; k++) {
    throng_behaviour *b = &def->behaviour[k];
    throng_vec3 *const point[2] = {&b->target.point, &b->other.point};
    for (int which = 0; which < 2; which++) {
      point[which]->x += 0.0f;
      point[which]->y += 0.0f;
      point[which]->z += 0.0f;
    }
    b->weight += 0.0f;
    for (const throng_parameter *p = kinds[b->kind].parameter; p->name; p++) throng_parameter_clear_sign(b, p);
  }
}

bool throng_behaviours_have(const throng_group_def *def, throng_behaviour_kind kind) {
  for (uint32_t k = 0; k < def->behaviour_count; k++) {
    if (def->behaviour[k].kind == kind && def->behaviour[k].weight != 0.0f) return true;
  }
  return false;
}

/* Writing the group table, which passes read. */

static uint32_t bits_of(const struct group_table *table, int param, uint32_t g) {
  uint32_t bits;
  memcpy(&bits, &group_row(table, param)[g], sizeof bits);
  return bits;
}

/* Returns bits of enum from_speed. `brakes`: an entry of the group brakes lost agents. */
static uint32_t from_speed(const throng_group_def *def, bool brakes) {
  return (def->max_push_speed > 0.0f ? 0 : FROM_SPEED_MAX_PUSH) |
         (def->facing_speed >= 0.0f ? 0 : FROM_SPEED_FACING_SPEED) | (brakes ? FROM_SPEED_REST : 0);
}

/* A target point, and a missing target, have the facing +z. */
void throng_behaviours_target(const struct throng_world *world, const throng_target *target, float values[]) {
  const float none[TARGET_PARAMS] = {NAN, NAN, NAN, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f};
  memcpy(values, none, sizeof none);
  if (target->kind == THRONG_TARGET_POINT) {
    values[0] = target->point.x;
    values[1] = target->point.y;
    values[2] = target->point.z;
  } else if (target->kind == THRONG_TARGET_AGENT && throng_agents_is_valid(world, target->agent)) {
    const uint32_t slot = throng_lookup_slot(world, target->agent);
    for (int c = 0; c < TARGET_PARAMS; c++) {
      const float *column = world->agents.front.f[c < TARGET_YAW_RATE ? COLUMN_POSITION_X + c : COLUMN_YAW_RATE];
      values[c] = column ? column[slot] : 0.0f;
    }
  }
}

static void fill_target(const struct throng_world *world, const throng_target *target, struct group_table *table,
                        int at, uint32_t g) {
  float values[TARGET_PARAMS];
  throng_behaviours_target(world, target, values);
  for (int c = 0; c < TARGET_PARAMS; c++) group_table_set(table, at + c, g, values[c]);
}

/* Returns the free time of the entry's target. */
static float free_time(const struct throng_world *world, const struct group_table *table, int at, uint32_t g,
                       float most) {
  float value[TARGET_FACING];
  for (int c = 0; c < TARGET_FACING; c++) {
    const bool level = c % 3 == 1 && !world->space.spatial;
    value[c] = level ? 0.0f : group_row(table, at + ENTRY_TARGET + c)[g];
  }
  const struct objects *objects = &world->objects;
  return throng_free_time(&objects->scenery, &objects->cells, &world->space, &world->def, value + TARGET_POSITION,
                          value + TARGET_VELOCITY, most);
}

/* Limits the prediction of pursue and evade with stop_at_walls to the target's free time. The table's
 * value of give_up_at_walls is the longest prediction that is not given up; EACH_FREE_TIME if each agent's own target
 * has a free time of its own, which the pass computes. */
static void fill_prediction(const struct throng_world *world, const throng_behaviour *b, struct group_table *table,
                            int at, uint32_t g) {
  const bool pursues = b->kind == THRONG_BEHAVIOUR_PURSUE, evades = b->kind == THRONG_BEHAVIOUR_EVADE;
  enum { MAX_PREDICTION = KIND_PARAMETER(pursue, max_prediction) };
  _Static_assert((int)MAX_PREDICTION == (int)KIND_PARAMETER(evade, max_prediction), "both kinds have it there");
  if (!pursues && !evades) return;
  float *most = &group_row(table, at + ENTRY_PARAMETER + MAX_PREDICTION)[g];
  const int place = pursues ? KIND_PARAMETER(pursue, give_up_at_walls) : KIND_PARAMETER(evade, give_up_at_walls);
  const bool heeds = heeds_walls(b), stops = pursues ? b->pursue.stop_at_walls : b->evade.stop_at_walls;
  if (heeds && b->target.kind == THRONG_TARGET_OWN) {
    group_row(table, at + ENTRY_PARAMETER + place)[g] = EACH_FREE_TIME;
    return;
  }
  const float most_free = heeds ? free_time(world, table, at, g, *most) : *most;
  group_row(table, at + ENTRY_PARAMETER + place)[g] = most_free;
  if (stops) *most = most_free;
}

static void fill_field(const struct flow_field *field, struct group_table *table, int at, uint32_t g) {
  const float values[] = {field->origin_x,
                          field->origin_z,
                          field->inverse,
                          (float)field->width - 1.0f,
                          (float)field->height - 1.0f,
                          field->repeats[0] ? (float)field->width : 0.0f,
                          field->repeats[1] ? (float)field->height : 0.0f};
  for (int c = 0; c < 7; c++) group_table_set(table, at + ENTRY_FIELD_ORIGIN_X + c, g, values[c]);
}

/* Whether a behaviour that needs no target can move every agent of the group now: its callback or pattern must be
 * set. */
static bool moves_alone(const struct throng_world *world, const throng_behaviour *b) {
  if (b->kind == THRONG_BEHAVIOUR_CALLBACK) return world->callbacks.call[b->callback.index] != NULL;
  return b->kind != THRONG_BEHAVIOUR_FOLLOW_PATTERN || world->objects.pattern[b->follow_pattern.index].count > 0;
}

static bool lacks_guide(const struct throng_world *world, const throng_behaviour *b) {
  const struct objects *objects = &world->objects;
  if (b->kind == THRONG_BEHAVIOUR_FOLLOW_PATH) return objects->path[b->follow_path.index].segments == 0;
  if (b->kind == THRONG_BEHAVIOUR_FOLLOW_FIELD) return !objects->flow_field[b->follow_field.index].vectors;
  return b->kind == THRONG_BEHAVIOUR_FORMATION && objects->formation[b->formation.index].places == 0;
}

/* Whether a behaviour lacks its target, path, field or formation, so that it acts on no agent. Sets *needs to what an
 * agent must lack so that the behaviour does not act on it (enum lost_needs); 0 if there is nothing. */
static bool lacks_target(const struct throng_world *world, const throng_behaviour *b, uint32_t *needs) {
  bool goal = false, own = false;
  for (int which = 0; which < throng_behaviours_target_count(b->kind); which++) {
    const throng_target *target = behaviour_target(b, which);
    if (target->kind == THRONG_TARGET_AGENT && !throng_agents_is_valid(world, target->agent)) return true;
    goal = goal || target->kind == THRONG_TARGET_GOAL;
    own = own || target->kind == THRONG_TARGET_OWN;
  }
  const bool place = b->kind == THRONG_BEHAVIOUR_FORMATION;
  *needs = own && place    ? LOST_WITHOUT_TARGET_OR_PLACE
           : own           ? (goal ? LOST_WITHOUT_BOTH : LOST_WITHOUT_TARGET)
           : goal && place ? LOST_WITHOUT_EITHER
           : goal          ? LOST_WITHOUT_GOAL
           : place         ? LOST_WITHOUT_PLACE
                           : 0;
  return lacks_guide(world, b);
}

/* Returns the deceleration that stops an agent at max_speed within time_to_target; INFINITY if only max_acceleration
 * limits it. */
static float brake_of(const throng_group_def *def, const throng_behaviour *b) {
  const float time = (float)time_of(b);
  return time > 0.0f && def->max_speed < INFINITY ? def->max_speed / time : INFINITY;
}

bool throng_behaviours_drive(const struct throng_world *world, const throng_group_def *def) {
  if (def->cohesion.weight > 0.0f || def->alignment.weight > 0.0f || def->attraction.weight > 0.0f) return true;
  for (uint32_t k = 0; k < def->behaviour_count; k++) {
    const throng_behaviour *b = &def->behaviour[k];
    if (b->weight == 0.0f || kinds[b->kind].needs & TURNS_ALONE) continue;
    if (b->kind == THRONG_BEHAVIOUR_AVOID_OBSTACLES || b->kind == THRONG_BEHAVIOUR_AVOID_WALLS) continue;
    if (b->kind != THRONG_BEHAVIOUR_CALLBACK || moves_alone(world, b)) return true;
  }
  return false;
}

/* Whether nothing drives the group's agents, but separation or avoidance pushes them: without a brake they would drift
 * for ever. */
static bool is_idle(const struct throng_world *world, const throng_group_def *def) {
  const bool pushed = def->separation.weight > 0.0f || def->avoidance.weight > 0.0f;
  return pushed && def->when_target_lost != THRONG_WHEN_LOST_COAST && !throng_behaviours_drive(world, def);
}

/* Whether an entry of the list has a behaviour with a weight. */
static bool acts(const throng_group_def *def, uint32_t entry) {
  return entry < def->behaviour_count && def->behaviour[entry].weight != 0.0f;
}

/* Returns the last entry without a behaviour that acts; NO_ENTRY if all act. */
static uint32_t free_entry(const throng_group_def *def) {
  for (uint32_t k = THRONG_MAX_BEHAVIOURS; k-- > 0;) {
    if (!acts(def, k)) return k;
  }
  return NO_ENTRY;
}

/* Makes a free entry brake the agents of an idle group, and narrows their separation. Returns the entry; NO_ENTRY if
 * the group is not idle. */
static uint32_t fill_idle(const struct throng_world *world, struct group_table *table, uint32_t g) {
  const throng_group_def *def = &world->group[g];
  const uint32_t entry = is_idle(world, def) ? free_entry(def) : NO_ENTRY;
  if (entry == NO_ENTRY) return NO_ENTRY;
  group_table_set(table, PARAM_WEIGHT + RULE_LIST + (int)entry, g, 1.0f);
  group_table_set_bits(table, PARAM_PRIORITY + RULE_LIST + (int)entry, g, THRONG_PRIORITIES - 1);
  const float bodies = 2.0f * def->body_radius, radius = group_row(table, PARAM_SEPARATION_RADIUS)[g];
  group_table_set(table, PARAM_SEPARATION_RADIUS, g, radius < bodies ? radius : bodies);
  return entry;
}

static void fill_lost(const struct throng_world *world, struct group_table *table, uint32_t g, float dt) {
  const throng_group_def *def = &world->group[g];
  uint32_t first = NO_ENTRY, needs = 0;
  bool moves = def->when_target_lost == THRONG_WHEN_LOST_COAST;
  float places = 0.0f;
  for (uint32_t k = 0; k < def->behaviour_count; k++) {
    const throng_behaviour *b = &def->behaviour[k];
    const uint32_t row = kinds[b->kind].needs;
    uint32_t needed = 0;
    if (b->weight == 0.0f || (row & TURNS_ALONE)) continue;
    if (row & MOVES_ALONE) moves = moves || moves_alone(world, b);
    if (b->kind == THRONG_BEHAVIOUR_FOLLOW_PATTERN) needs |= LOST_WITHOUT_PATTERN;
    if (!(row & (NEEDS_TARGET | NEEDS_GUIDE))) continue;
    if (first == NO_ENTRY) first = k;
    if (b->kind == THRONG_BEHAVIOUR_FORMATION) places = (float)world->objects.formation[b->formation.index].places;
    if (lacks_target(world, b, &needed)) continue;
    moves = moves || needed == 0;
    needs |= needed;
  }
  const uint32_t idle = first == NO_ENTRY ? fill_idle(world, table, g) : NO_ENTRY;
  const bool bound = first != NO_ENTRY, brakes = bound || idle != NO_ENTRY;
  const float least = brakes && def->max_speed < INFINITY ? REST_PACE * def->max_speed : 0.0f;
  group_table_set_bits(table, PARAM_FROM_SPEED, g, from_speed(def, brakes));
  group_table_set(table, PARAM_REST_SQ, g, least * least);
  group_table_set(table, PARAM_LOST_BRAKE, g, bound ? brake_of(def, &def->behaviour[first]) : INFINITY);
  group_table_set(table, PARAM_LOST_PLACES, g, places);
  group_table_set(table, PARAM_LOST_TIME, g, bound ? (float)time_of(&def->behaviour[first]) : 0.0f);
  group_table_set(table, PARAM_LOST_PART, g, bound || IDLE_RATE * dt > 1.0f ? 1.0f : IDLE_RATE * dt);
  group_table_set_bits(table, PARAM_LOST_ENTRY, g, moves ? NO_ENTRY : bound ? first : idle);
  group_table_set_bits(table, PARAM_LOST_NEEDS, g, needs);
}

void throng_behaviours_fill(const struct throng_world *world, struct group_table *table, uint32_t g, float dt) {
  ASSERT(world, g < THRONG_MAX_GROUPS && world->group_defined[g]);
  ASSERT(world, world->group[g].behaviour_count <= THRONG_MAX_BEHAVIOURS);
  const throng_group_def *def = &world->group[g];
  for (uint32_t k = 0; k < THRONG_MAX_BEHAVIOURS; k++) {
    const throng_behaviour *b = &def->behaviour[k];
    const bool used = acts(def, k);
    group_table_set(table, PARAM_WEIGHT + RULE_LIST + (int)k, g, used ? b->weight : 0.0f);
    const bool turns_alone = used && (kinds[b->kind].needs & TURNS_ALONE);
    const uint32_t priority = turns_alone ? NO_PRIORITY : used ? b->priority : 0;
    group_table_set_bits(table, PARAM_PRIORITY + RULE_LIST + (int)k, g, priority);
    group_table_set_bits(table, PARAM_KIND + (int)k, g, used ? (uint32_t)b->kind : NO_KIND);
    if (!used) continue;
    const int at = PARAM_ENTRY + ENTRY_PARAMS * (int)k;
    const throng_parameter *p = kinds[b->kind].parameter;
    for (int n = 0; p[n].name; n++)
      group_table_set(table, at + ENTRY_PARAMETER + n, g, (float)throng_parameter_read(b, &p[n]));
    for (int which = 0; which < throng_behaviours_target_count(b->kind); which++) {
      const throng_target *target = behaviour_target(b, which);
      group_table_set_bits(table, PARAM_TARGET_KIND + (int)THRONG_MAX_BEHAVIOURS * which + (int)k, g,
                           (uint32_t)target->kind);
      fill_target(world, target, table, at + ENTRY_TARGET + TARGET_PARAMS * which, g);
    }
    fill_prediction(world, b, table, at, g);
    if (b->kind == THRONG_BEHAVIOUR_FOLLOW_FIELD)
      fill_field(&world->objects.flow_field[b->follow_field.index], table, at, g);
  }
  fill_lost(world, table, g, dt);
}

/* Notes that the rule of an entry is on a level of priority. */
static void note_level(struct group_table *table, uint32_t entry, uint32_t priority) {
  table->rules |= 1u << (RULE_LIST + entry);
  table->levels |= 1u << priority;
}

void throng_behaviours_note(const struct throng_world *world, struct group_table *table, uint32_t g) {
  const throng_group_def *def = &world->group[g];
  const uint32_t lost = bits_of(table, PARAM_LOST_ENTRY, g);
  const bool own_speeds = world->agents.front.f[COLUMN_MAX_SPEED] || speed_zones_exist(&world->objects.speed_zones);
  if (lost != NO_ENTRY) {
    table->entry[lost].brakes = table->brakes = true;
    if (!acts(def, lost)) note_level(table, lost, THRONG_PRIORITIES - 1); /* the brake of an idle group */
  }
  if (group_row(table, PARAM_SEPARATION_RADIUS)[g] < world->space.radius) {
    table->features |= FEATURE_SEPARATION_RADIUS; /* also where that of an idle group was narrowed */
  }
  if (group_row(table, PARAM_REST_SQ)[g] > 0.0f) table->features |= FEATURE_REST;
  if (own_speeds && bits_of(table, PARAM_FROM_SPEED, g) & FROM_SPEED_REST) table->features |= FEATURE_REST;
  for (uint32_t k = 0; k < THRONG_MAX_BEHAVIOURS; k++) {
    const throng_behaviour *b = &def->behaviour[k];
    struct entry_use *entry = &table->entry[k];
    if (!acts(def, k)) {
      entry->mixed = true;
      continue;
    }
    if (!(kinds[b->kind].needs & TURNS_ALONE)) note_level(table, k, b->priority);
    table->kinds |= THRONG_BIT(b->kind);
    entry->kinds |= THRONG_BIT(b->kind);
    entry->gathers = entry->gathers || (b->kind == THRONG_BEHAVIOUR_ARRIVE && (b->arrive.gather || b->arrive.settle));
    const bool plays = b->kind == THRONG_BEHAVIOUR_FOLLOW_PATTERN && def->facing == THRONG_FACING_STEERED;
    entry->turns = entry->turns || plays || gives_turns(b);
    for (int which = 0; which < throng_behaviours_target_count(b->kind); which++) {
      entry->targets[which] |= 1u << behaviour_target(b, which)->kind;
      if (behaviour_target(b, which)->kind == THRONG_TARGET_OWN) table->features |= FEATURE_OWN_TARGETS;
    }
    entry->mixed = entry->mixed || entry->kinds != THRONG_BIT(b->kind);
  }
}

throng_status throng_behaviours_shift(const struct throng_world *world, uint32_t g, const float shift[3],
                                      throng_group_def *shifted, throng_error *error) {
  *shifted = world->group[g];
  for (uint32_t k = 0; k < shifted->behaviour_count; k++) {
    throng_target *target[2] = {&shifted->behaviour[k].target, &shifted->behaviour[k].other};
    for (int which = 0; which < throng_behaviours_target_count(shifted->behaviour[k].kind); which++) {
      if (target[which]->kind != THRONG_TARGET_POINT) continue;
      float *point[3] = {&target[which]->point.x, &target[which]->point.y, &target[which]->point.z};
      for (int c = 0; c < 3; c++) {
        if (c == 1 && !world->space.spatial) continue;
        if (!shifts_exactly(*point[c], shift[c], world->space.limit)) {
          return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                             "group %u: behaviour[%u].%s.point.%c, %.9g, cannot be shifted by %.9g exactly, or would "
                             "be too far out",
                             g, k, which ? "other" : "target", "xyz"[c], (double)*point[c], (double)shift[c]);
        }
        *point[c] -= shift[c];
      }
    }
  }
  return THRONG_OK;
}
