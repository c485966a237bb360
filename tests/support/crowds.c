/* tests/support/crowds.c: crowds from a seed.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979f
#define TWO_PI 6.28318530717959f
#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

const char *crowd_layout_name(crowd_layout layout) {
  static const char *const name[LAYOUT_COUNT] = {"uniform", "coincident", "borders", "lattice", "seam",
                                                 "far",     "aliased",    "one bin", "reach",   "mirror"};
  return name[layout];
}

void crowd_free(crowd *c) {
  if (c != NULL) free(c->agents);
  free(c);
}

static crowd *crowd_new(uint32_t count) {
  crowd *c = calloc(1, sizeof *c);
  if (c == NULL) abort();
  c->agents = calloc((size_t)count + 1, sizeof *c->agents);
  if (c->agents == NULL) abort();
  c->count = count;
  return c;
}

crowd *crowd_copy(const crowd *c) {
  crowd *copy = crowd_new(c->count);
  crowd_agent *agents = memcpy(copy->agents, c->agents, c->count * sizeof *agents);
  *copy = *c;
  copy->agents = agents;
  return copy;
}

uint32_t crowd_random_mask(test_rng *rng) {
  static const uint32_t mask[] = {0, 1u, 2u, 3u, 0x80000000u, 0xfffffffeu, 6u};
  return rng_chance(rng, 0.6f) ? THRONG_ALL_LAYERS : mask[rng_below(rng, COUNT_OF(mask))];
}

float crowd_random_weight(test_rng *rng) {
  return rng_chance(rng, 0.3f) ? 0.0f : (rng_chance(rng, 0.4f) ? 1.0f : rng_float(rng, 0.1f, 3.0f));
}

static float random_view(test_rng *rng) {
  const float views[] = {0.0f, 0.3f, PI * 0.5f, PI, PI * 1.5f, nextafterf(TWO_PI, 0.0f), TWO_PI};
  return rng_chance(rng, 0.3f) ? TWO_PI : rng_pick(rng, views, COUNT_OF(views));
}

/* Shuffles the entries. In half of the cases also chooses how to blend, and priorities. */
static void random_combination(test_rng *rng, throng_group_def *g) {
  for (uint32_t k = g->behaviour_count; k > 1; k--) {
    const uint32_t other = rng_below(rng, k);
    const throng_behaviour last = g->behaviour[k - 1];
    g->behaviour[k - 1] = g->behaviour[other];
    g->behaviour[other] = last;
  }
  if (rng_chance(rng, 0.5f)) return;
  g->combine = (throng_combine)rng_below(rng, 4);
  g->combine_threshold = rng_chance(rng, 0.3f) ? 0.0f : g->max_acceleration * rng_float(rng, 0.0f, 0.8f);
  for (uint32_t k = 0; k < g->behaviour_count; k++) g->behaviour[k].priority = rng_below(rng, THRONG_PRIORITIES);
  g->separation.priority = rng_below(rng, 3);
  g->cohesion.priority = rng_below(rng, 3);
  g->alignment.priority = rng_below(rng, 3);
  g->avoidance.priority = rng_below(rng, 3);
  for (uint32_t k = 0; k < THRONG_PRIORITIES; k++) g->combine_chance[k] = rng_float(rng, 0.0f, 1.0f);
}

/* Adds a behaviour of a random kind that has a target, with random values within the ranges of its parameters. */
static void random_behaviour(test_rng *rng, throng_group_def *g, float radius, bool limited) {
  const uint32_t pick = rng_below(rng, THRONG_BEHAVIOUR_WANDER + 3);
  const throng_behaviour_kind kind =
      (throng_behaviour_kind)(pick < THRONG_BEHAVIOUR_WANDER
                                  ? pick
                                  : pick - THRONG_BEHAVIOUR_WANDER + THRONG_BEHAVIOUR_KINEMATIC_SEEK);
  const bool fast = kind == THRONG_BEHAVIOUR_CHASE || kind == THRONG_BEHAVIOUR_VELOCITY_MATCH ||
                    kind == THRONG_BEHAVIOUR_CLEAR_WAY || kind == THRONG_BEHAVIOUR_FLEE;
  if (!limited && !fast) return;
  throng_behaviour *behaviour = throng_group_def_add(g, kind);
  behaviour->weight = rng_float(rng, -2.0f, 2.0f);
  throng_parameter p;
  for (uint32_t k = 0; throng_behaviour_get_parameter(kind, k, &p); k++) {
    const bool length = strstr(p.name, "time") == NULL && strstr(p.name, "prediction") == NULL;
    double value = (double)(rng_float(rng, 0.0f, 2.0f) * (length && p.highest > 10.0 ? radius : 1.0f));
    if (p.lowest < 0.0 && rng_chance(rng, 0.5f)) value = -value;
    if (rng_chance(rng, 0.2f)) value = p.lowest == 0.0 ? 0.0 : p.initial;
    if (!limited) value = length ? value : p.lowest;
    value = value < p.lowest ? p.lowest : value > p.highest ? p.highest : value;
    if (p.type == THRONG_PARAMETER_BOOL) value = value > 0.0;
    throng_behaviour_set_value(behaviour, &p, value);
  }
}

/* Sets the rules over neighbours in their common forms. */
static void random_rules(test_rng *rng, throng_group_def *g, float radius) {
  static const float times[] = {0.02f, 0.1f, 1.0f};
  g->separation.weight = crowd_random_weight(rng);
  g->separation.radius = rng_chance(rng, 0.5f) ? 0.0f : radius * rng_float(rng, 0.1f, 1.0f);
  g->separation.strength = rng_chance(rng, 0.1f) ? 0.0f : radius * rng_float(rng, 0.01f, 2.0f);
  g->separation.field_of_view = random_view(rng);
  g->separation.mask = crowd_random_mask(rng);
  g->cohesion.weight = crowd_random_weight(rng);
  g->cohesion.mask = crowd_random_mask(rng);
  if (g->max_speed == INFINITY || g->layer == 2) g->cohesion.form = THRONG_COHESION_SEEK;
  g->cohesion.coast = g->layer != 1;
  if (g->layer == 1) g->cohesion.slow_radius = radius * 0.5f, g->cohesion.target_radius = radius * 0.05f;
  g->alignment.weight = crowd_random_weight(rng);
  g->alignment.time_to_target = rng_pick(rng, times, 3);
  g->alignment.mask = crowd_random_mask(rng);
  g->avoidance.weight = crowd_random_weight(rng);
  g->avoidance.horizon = rng_float(rng, 0.2f, 4.0f);
  g->avoidance.mask = crowd_random_mask(rng);
}

throng_group_def crowd_random_group(test_rng *rng, float radius, bool may_be_fast) {
  static const float speeds[] = {0.3f, 1.4f, 5.0f}, accelerations[] = {0.5f, 3.0f, 40.0f};
  static const float drags[] = {0.0f, 0.0f, 0.5f, 3.0f}, bodies[] = {0.0f, 0.05f, 0.2f, 0.45f, 1.0f};
  static const float times[] = {0.02f, 0.1f, 1.0f}, radii[] = {0.0f, 0.1f, 0.5f, 2.0f};
  static const uint32_t layers[] = {0, 1, 2, 31};
  throng_group_def g = throng_default_group_def();
  const bool limited = !may_be_fast || rng_chance(rng, 0.85f);
  g.max_speed = limited ? radius * rng_pick(rng, speeds, 3) : INFINITY;
  g.max_acceleration = radius * rng_pick(rng, accelerations, 3);
  g.drag = rng_pick(rng, drags, 4);
  g.body_radius = radius * rng_pick(rng, bodies, 5);
  g.perception_radius =
      rng_chance(rng, 0.5f) ? 0.0f : (rng_chance(rng, 0.5f) ? radius : radius * rng_float(rng, 0.2f, 1.0f));
  g.field_of_view = random_view(rng);
  g.facing = (throng_facing)rng_below(rng, 3);
  g.facing_time = rng_pick(rng, times, 3);
  g.layer = layers[rng_below(rng, 4)];
  random_rules(rng, &g, radius);
  if (rng_chance(rng, 0.5f)) {
    throng_behaviour *seek = throng_group_def_add(&g, THRONG_BEHAVIOUR_SEEK);
    seek->weight = rng_float(rng, -2.0f, 2.0f);
    seek->seek.time_to_target = limited && rng_chance(rng, 0.5f) ? rng_pick(rng, times, 3) : 0.0f;
  }
  if (limited && rng_chance(rng, 0.4f)) {
    throng_behaviour *arrive = throng_group_def_add(&g, THRONG_BEHAVIOUR_ARRIVE);
    arrive->weight = rng_float(rng, 0.1f, 2.0f);
    arrive->arrive.slow_radius = radius * rng_pick(rng, radii, 4);
    arrive->arrive.target_radius = radius * rng_pick(rng, radii, 4) * 0.2f;
    arrive->arrive.time_to_target = rng_pick(rng, times, 3);
    arrive->arrive.coast = rng_chance(rng, 0.3f);
    arrive->arrive.gather = g.layer % 2;
    arrive->arrive.settle = g.layer % 3 == 1;
  }
  for (uint32_t more = rng_below(rng, 4); more > 0; more--) random_behaviour(rng, &g, radius, limited);
  if (rng_chance(rng, 0.4f)) {
    throng_behaviour *wander = throng_group_def_add(&g, THRONG_BEHAVIOUR_WANDER);
    wander->weight = rng_float(rng, 0.1f, 2.0f);
    wander->wander.radius = radius * rng_pick(rng, radii, 4);
    wander->wander.offset = radius * rng_pick(rng, radii, 4);
    wander->wander.rate = rng_chance(rng, 0.2f) ? 0.0f : rng_float(rng, 0.1f, 6.0f);
  }
  if (limited && rng_chance(rng, 0.4f)) {
    throng_behaviour *follow = throng_group_def_add(&g, THRONG_BEHAVIOUR_FOLLOW_FIELD);
    follow->weight = rng_float(rng, -2.0f, 2.0f);
    follow->follow_field.index = rng_below(rng, CROWD_MAX_FIELDS + 1); /* may not exist */
    follow->follow_field.time_to_target = rng_pick(rng, times, 3);
  }
  if (rng_chance(rng, 0.4f)) crowd_random_follower(rng, &g, radius, limited);
  random_combination(rng, &g);
  return g;
}

void crowd_random_turns(test_rng *rng, throng_group_def *g) {
  static const float rates[] = {0.05f, 0.5f, 3.0f, 20.0f, 1e4f}, accelerations[] = {0.1f, 5.0f, 100.0f, INFINITY};
  static const float drags[] = {0.0f, 0.0f, 0.5f, 4.0f}, radii[] = {0.0f, 0.01f, 0.4f, 2.0f, 7.0f};
  static const float times[] = {0.02f, 0.1f, 1.0f};
  if (rng_chance(rng, 0.5f)) return;
  g->max_yaw_rate = rng_pick(rng, rates, 5);
  if (rng_chance(rng, 0.4f)) return;
  g->facing = THRONG_FACING_STEERED;
  g->max_yaw_acceleration = rng_pick(rng, accelerations, 4);
  g->angular_drag = rng_pick(rng, drags, 4);
  for (throng_behaviour_kind kind = THRONG_BEHAVIOUR_ALIGN; kind <= THRONG_BEHAVIOUR_LOOK; kind++) {
    throng_behaviour *turn = rng_chance(rng, 0.5f) ? group_add(g, kind) : NULL;
    if (turn == NULL) continue;
    turn->weight = rng_float(rng, -1.0f, 2.0f);
    turn->priority = rng_below(rng, THRONG_PRIORITIES);
    turn->align.slow_radius = rng_pick(rng, radii, 5);
    turn->align.target_radius = rng_pick(rng, radii, 4) * 0.2f;
    turn->align.time_to_target = rng_pick(rng, times, 3);
    if (kind == THRONG_BEHAVIOUR_ALIGN) turn->align.offset = rng_chance(rng, 0.3f) ? PI : rng_float(rng, -PI, PI);
  }
  throng_behaviour *match = rng_chance(rng, 0.4f) ? group_add(g, THRONG_BEHAVIOUR_ROTATION_MATCH) : NULL;
  if (match != NULL) {
    match->weight = rng_float(rng, -1.0f, 2.0f);
    match->rotation_match.time_to_target = rng_pick(rng, times, 3);
    if (rng_chance(rng, 0.5f)) match->target.kind = THRONG_TARGET_OWN;
  }
  throng_behaviour *stroll = throng_group_def_find(g, THRONG_BEHAVIOUR_WANDER);
  if (stroll != NULL && rng_chance(rng, 0.7f)) stroll->wander.faces = true;
  const bool limited = g->max_speed < INFINITY && rng_chance(rng, 0.4f);
  throng_behaviour *walk = limited ? group_add(g, THRONG_BEHAVIOUR_KINEMATIC_WANDER) : NULL;
  if (walk != NULL) {
    walk->weight = rng_float(rng, -1.0f, 2.0f);
    walk->priority = rng_below(rng, THRONG_PRIORITIES);
    walk->kinematic_wander.turn = rng_float(rng, 0.0f, 1.0f);
    walk->kinematic_wander.uniform = rng_chance(rng, 0.5f);
  }
  const uint32_t first = rng_below(rng, g->behaviour_count + 1); /* angular entries are not always last */
  for (uint32_t k = first; k + 1 < g->behaviour_count; k += 2) {
    const throng_behaviour here = g->behaviour[k];
    g->behaviour[k] = g->behaviour[k + 1];
    g->behaviour[k + 1] = here;
  }
}

static void random_vehicle(test_rng *rng, throng_group_def *g, float radius) {
  static const float accelerations[] = {0.0f, 0.5f, 3.0f, 40.0f}, radii[] = {1e-30f, 0.1f, 1.0f, 20.0f};
  if (rng_chance(rng, 0.7f)) return;
  g->actuation = THRONG_ACTUATION_VEHICLE;
  g->vehicle.max_thrust = radius * rng_pick(rng, accelerations, 4);
  g->vehicle.max_brake = radius * rng_pick(rng, accelerations, 4);
  g->vehicle.max_lateral = radius * rng_pick(rng, accelerations, 4);
  g->vehicle.turning_radius = radius * rng_pick(rng, radii, 4);
}

/* Gives groups yaw limits and vehicles, and some agents with steered facing a yaw rate. Uses a random stream of its
 * own. */
static void random_turns(crowd *c) {
  test_rng rng = rng_from(c->seed + 0x7a57e5u);
  for (uint32_t g = 0; g < c->group_count; g++) {
    crowd_random_turns(&rng, &c->groups[g]);
    random_vehicle(&rng, &c->groups[g], c->def.perception_radius);
  }
  for (uint32_t i = 0; i < c->count; i++) {
    const throng_group_def *g = crowd_group(c, &c->agents[i]);
    if (g->facing == THRONG_FACING_STEERED && rng_chance(&rng, 0.8f))
      c->agents[i].yaw_rate = rng_float(&rng, -1.2f, 1.2f) * (g->max_yaw_rate < 5000.0f ? g->max_yaw_rate : 5.0f);
  }
}

/* Returns the default group scaled to `radius`, in some cases with a narrower view, another separation radius,
 * avoidance, a mask or no cohesion. */
static throng_group_def flocking_group(test_rng *rng, float radius) {
  throng_group_def g = throng_default_group_def();
  g.max_speed = radius * 1.5f;
  g.max_acceleration = radius * 3.0f;
  g.body_radius = radius * 0.2f;
  g.separation.strength = radius;
  if (rng_chance(rng, 0.4f)) g.field_of_view = g.separation.field_of_view = random_view(rng);
  if (rng_chance(rng, 0.4f)) g.avoidance.weight = 1.0f;
  if (rng_chance(rng, 0.15f)) g.separation.radius = radius * 0.5f;
  g.cohesion.form = g.separation.radius > 0.0f ? THRONG_COHESION_SEEK : THRONG_COHESION_ARRIVE;
  g.cohesion.coast = g.avoidance.weight == 0.0f;
  if (rng_chance(rng, 0.15f)) g.alignment.mask = 2u;
  if (rng_chance(rng, 0.15f)) g.cohesion.weight = 0.0f;
  return g;
}

/* The common data of the functions that place agents. */
typedef struct site {
  test_rng *rng;
  crowd *crowd;
  float radius;
  float low[3], high[3]; /* the region to fill; the box where there is one */
} site;

static float nudge(test_rng *rng, float value) {
  const uint32_t steps = rng_below(rng, 4);
  const float toward = rng_chance(rng, 0.5f) ? INFINITY : -INFINITY;
  for (uint32_t k = 0; k < steps; k++) value = nextafterf(value, toward);
  return value;
}

/* Returns a side of the region, in perception radii. */
static float random_side(test_rng *rng, const crowd_recipe *r, int axis) {
  static const float periodic[] = {4.0f, 4.0f, 4.125f, 5.0f, 7.3f, 16.0f, 33.37f};
  if (r->layout == LAYOUT_UNIFORM || r->layout == LAYOUT_BORDERS) {
    const float neighbours = rng_float(rng, 0.5f, 30.0f), n = (float)r->count + 1.0f;
    const float side = r->space == THRONG_SPACE_SPATIAL ? cbrtf(n * 4.19f / neighbours) : sqrtf(n * PI / neighbours);
    return side < 4.01f && crowd_boundary(r->boundary, axis) == THRONG_BOUNDARY_PERIODIC ? 4.0f : side;
  }
  return rng_pick(rng, periodic, COUNT_OF(periodic));
}

static void choose_region(site *s, const crowd_recipe *r) {
  static const float offsets[] = {0.0f, -0.5f, -1.0f, 100.0f, -1000.25f};
  static const float places[] = {0.0f, -4.0f, 61.7f, -1003.0f, 16001.3f, -99999.0f, 500000.0f};
  throng_world_def *def = &s->crowd->def;
  const float far = 0x1p20f * s->radius;
  for (int axis = 0; axis < 3; axis++) {
    float side = random_side(s->rng, r, axis) * s->radius;
    float low = rng_pick(s->rng, offsets, COUNT_OF(offsets)) * side;
    if (r->layout == LAYOUT_ALIASED) side = 0x1p13f * s->radius, low = side * -0.5f;
    if (r->layout == LAYOUT_REACH) low = rng_pick(s->rng, places, COUNT_OF(places)) * s->radius;
    if (r->layout == LAYOUT_FAR) {
      side = 8.0f * s->radius;
      low = rng_chance(s->rng, 0.5f) ? far * 0.9999f - side : far * -0.9999f;
    }
    s->low[axis] = low;
    s->high[axis] = low + side;
    /* Rounding may have made the side shorter than the 4 R that a periodic world needs. */
    while (crowd_boundary(r->boundary, axis) == THRONG_BOUNDARY_PERIODIC &&
           s->high[axis] - s->low[axis] < 4.0f * s->radius)
      s->high[axis] = nextafterf(s->high[axis], INFINITY);
  }
  if (r->boundary == THRONG_BOUNDARY_UNBOUNDED) return;
  def->box_min = (throng_vec3){s->low[0], s->low[1], s->low[2]};
  def->box_max = (throng_vec3){s->high[0], s->high[1], s->high[2]};
}

static float anywhere(site *s, int axis) { return rng_float(s->rng, s->low[axis], s->high[axis]); }

/* Returns a coordinate at a random border between bins (axis 0) or rows (other axes), at most three ulps off. */
static float on_border(site *s, int axis) {
  const float width = axis == 0 ? s->radius * 0.25f : s->radius;
  const float n = floorf(anywhere(s, axis) / width);
  return nudge(s->rng, n * width);
}

static float on_lattice(site *s, int axis) {
  const float step = s->radius * 0.25f, middle = 0.5f * (s->low[axis] + s->high[axis]);
  return floorf(middle / step) * step + (float)rng_below(s->rng, 12) * step;
}

static float at_seam(site *s, int axis) {
  const bool low = rng_chance(s->rng, 0.5f);
  const float reach = s->radius * rng_pick(s->rng, (const float[]){0.0f, 1e-6f, 0.01f, 0.5f}, 4);
  const float edge = low ? s->low[axis] : s->high[axis];
  return nudge(s->rng, low ? edge + rng_float(s->rng, 0.0f, reach) : edge - rng_float(s->rng, 0.0f, reach));
}

/* Returns one coordinate of an agent. Agents with the same `cluster` share a point or a centre in some layouts. */
static float place(site *s, crowd_layout layout, int axis, uint32_t cluster) {
  test_rng pile = rng_from(s->crowd->seed * 7919u + cluster * 3u + (uint32_t)axis);
  const float r = s->radius;
  switch (layout) {
  case LAYOUT_COINCIDENT: {
    const float point = rng_float(&pile, s->low[axis], s->high[axis]);
    return rng_chance(s->rng, 0.2f) ? nudge(s->rng, point) : point;
  }
  case LAYOUT_BORDERS:
    return on_border(s, axis);
  case LAYOUT_LATTICE:
    return on_lattice(s, axis);
  case LAYOUT_SEAM:
    return at_seam(s, axis);
  case LAYOUT_ALIASED: {
    const float unit = (axis == 0 ? 0.25f : 1.0f) * r * (float)(1u << (4 + rng_below(&pile, 8)));
    const float centre = floorf(rng_float(&pile, s->low[axis], s->high[axis]) / unit) * unit;
    return centre + rng_float(s->rng, -r, r);
  }
  case LAYOUT_ONE_BIN: {
    const float width = axis == 0 ? r * 0.25f : r, middle = 0.5f * (s->low[axis] + s->high[axis]);
    return (floorf(middle / width) + rng_float(s->rng, 0.001f, 0.999f)) * width;
  }
  default:
    return anywhere(s, axis);
  }
}

/* Moves a coordinate into the box; does nothing along an unbounded axis. The result is not on a face, except on the
 * near face of a periodic axis. */
static float into_region(const site *s, const crowd_recipe *r, int axis, float value) {
  const throng_boundary boundary = crowd_boundary(r->boundary, axis);
  if (boundary == THRONG_BOUNDARY_UNBOUNDED) return value;
  const bool boxed = boundary == THRONG_BOUNDARY_BOX;
  const float bottom = boxed ? nextafterf(s->low[axis], INFINITY) : s->low[axis];
  const float top = nextafterf(s->high[axis], -INFINITY);
  if (value < bottom) value = bottom;
  return value > top ? top : value;
}

static throng_vec3 random_direction(test_rng *rng, bool spatial, bool axes_only) {
  static const throng_vec3 axis[] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}};
  if (axes_only) return axis[rng_below(rng, spatial ? 6 : 4)];
  throng_vec3 d;
  float q;
  do {
    d = (throng_vec3){rng_float(rng, -1, 1), spatial ? rng_float(rng, -1, 1) : 0.0f, rng_float(rng, -1, 1)};
    q = d.x * d.x + d.y * d.y + d.z * d.z;
  } while (q > 1.0f || q < 0.01f);
  const float scale = 1.0f / sqrtf(q);
  return (throng_vec3){d.x * scale, d.y * scale, d.z * scale};
}

static void random_motion(site *s, const crowd_recipe *r, crowd_agent *a) {
  const bool spatial = r->space == THRONG_SPACE_SPATIAL, axes = r->layout == LAYOUT_LATTICE || rng_chance(s->rng, 0.2f);
  const throng_vec3 d = random_direction(s->rng, spatial, axes), f = random_direction(s->rng, spatial, axes);
  const float top = crowd_group(s->crowd, a)->max_speed, speed_limit = isinf(top) ? s->radius : top;
  const float speed = rng_chance(s->rng, 0.15f) ? 0.0f : speed_limit * rng_float(s->rng, 0.0f, 1.2f);
  a->velocity = (throng_vec3){d.x * speed, d.y * speed, d.z * speed};
  if (spatial)
    a->facing = f;
  else
    a->facing.x = axes ? (float)rng_below(s->rng, 4) * (PI * 0.5f) - PI * 0.5f : rng_float(s->rng, -PI, PI);
  if (a->facing.x > PI) a->facing.x = PI;
}

/* Places b at the perception radius from a along one axis, give or take three ulps; in some cases a little aside. */
static void make_reach_pair(site *s, const crowd_recipe *r, crowd_agent *a, crowd_agent *b) {
  const uint32_t axis = rng_below(s->rng, r->space == THRONG_SPACE_SPATIAL ? 3 : 2);
  const float reach = rng_chance(s->rng, 0.5f) ? s->radius : -s->radius;
  const float aside = rng_chance(s->rng, 0.7f) ? 0.0f : rng_float(s->rng, -1e-3f, 1e-3f) * s->radius;
  b->position = a->position;
  float *const places[3] = {&b->position.x, &b->position.z, &b->position.y};
  *places[axis] = nudge(s->rng, *places[axis] + reach);
  *places[(axis + 1) % 2] += aside;
}

static void make_mirror_pair(site *s, const crowd_recipe *r, crowd_agent *a, crowd_agent *b) {
  const bool spatial = r->space == THRONG_SPACE_SPATIAL;
  const throng_vec3 d = random_direction(s->rng, spatial, rng_chance(s->rng, 0.5f));
  const float reach = s->radius * rng_float(s->rng, 0.01f, 0.45f), speed = s->radius * rng_float(s->rng, 0.1f, 0.4f);
  const float p[3] = {anywhere(s, 0), anywhere(s, 1), anywhere(s, 2)};
  a->position = (throng_vec3){p[0] - d.x * reach, p[1] - d.y * reach, p[2] - d.z * reach};
  b->position = (throng_vec3){p[0] + d.x * reach, p[1] + d.y * reach, p[2] + d.z * reach};
  a->velocity = (throng_vec3){d.x * speed, d.y * speed, d.z * speed};
  b->velocity = (throng_vec3){-a->velocity.x, 0.0f - a->velocity.y, -a->velocity.z};
}

static void random_optional(site *s, const crowd_recipe *r, uint32_t i, bool goals, bool perceptions, bool bodies) {
  crowd_agent *a = &s->crowd->agents[i];
  a->goal = (throng_vec3){NAN, NAN, NAN};
  a->perception = a->body = a->mass = a->max_speed = a->period = a->max_yaw_rate = a->weight = NAN;
  a->kept = (throng_vec3){NAN, NAN, NAN};
  if (goals && rng_chance(s->rng, 0.7f)) {
    a->goal = rng_chance(s->rng, 0.2f) ? a->position : (throng_vec3){anywhere(s, 0), anywhere(s, 1), anywhere(s, 2)};
    float *g[3] = {&a->goal.x, &a->goal.y, &a->goal.z};
    for (int axis = 0; axis < 3; axis++)
      if (axis != 1 || r->space == THRONG_SPACE_SPATIAL) *g[axis] = into_region(s, r, axis, *g[axis]);
  }
  if (perceptions && rng_chance(s->rng, 0.7f))
    a->perception = rng_chance(s->rng, 0.2f) ? s->radius : s->radius * rng_float(s->rng, 0.01f, 1.0f);
  if (bodies && rng_chance(s->rng, 0.7f))
    a->body = rng_chance(s->rng, 0.2f) ? 0.0f : s->radius * rng_float(s->rng, 0.0f, 0.6f);
}

static void place_all(site *s, const crowd_recipe *r) {
  crowd *c = s->crowd;
  const uint32_t clusters = r->layout == LAYOUT_COINCIDENT ? 1 + r->count / 10 : 1 + r->count / 24;
  const bool goals = rng_chance(s->rng, 0.5f), perceptions = rng_chance(s->rng, 0.25f),
             bodies = rng_chance(s->rng, 0.25f);
  uint32_t index = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    crowd_agent *a = &c->agents[i];
    index += r->plain_ids ? 1 : 1 + rng_below(s->rng, 3);
    a->id = (throng_agent_id){index, (uint16_t)(r->plain_ids ? 1 : 1 + rng_below(s->rng, 65535)), c->def.id_world};
    a->group = (uint8_t)rng_below(s->rng, c->group_count);
    const uint32_t cluster = r->layout == LAYOUT_COINCIDENT && i < 2 ? 0 : rng_below(s->rng, clusters);
    a->position = (throng_vec3){place(s, r->layout, 0, cluster), place(s, r->layout, 1, cluster),
                                place(s, r->layout, 2, cluster)};
    random_motion(s, r, a);
    if (r->layout == LAYOUT_REACH && i % 2 == 1) make_reach_pair(s, r, &c->agents[i - 1], a);
    if (r->layout == LAYOUT_MIRROR && i % 2 == 1) make_mirror_pair(s, r, &c->agents[i - 1], a);
    if (r->space == THRONG_SPACE_PLANAR && rng_chance(s->rng, 0.5f)) a->position.y = 0.0f;
  }
  for (uint32_t i = 0; i < c->count; i++) {
    throng_vec3 *p = &c->agents[i].position;
    p->x = into_region(s, r, 0, p->x);
    p->z = into_region(s, r, 2, p->z);
    if (r->space == THRONG_SPACE_SPATIAL) p->y = into_region(s, r, 1, p->y);
    random_optional(s, r, i, goals, perceptions, bodies);
  }
}

/* Chooses a target: each agent's goal, a point, or a random agent, which may be of the same group. */
static void random_target(site *s, const crowd_recipe *r, throng_target *target) {
  target->kind = (throng_target_kind)rng_below(s->rng, s->crowd->count == 0 ? 2 : 3);
  target->point = (throng_vec3){into_region(s, r, 0, anywhere(s, 0)), into_region(s, r, 1, anywhere(s, 1)),
                                into_region(s, r, 2, anywhere(s, 2))};
  if (s->crowd->count > 0) target->agent = s->crowd->agents[rng_below(s->rng, s->crowd->count)].id;
}

static void random_targets(site *s, const crowd_recipe *r) {
  for (uint32_t g = 0; g < s->crowd->group_count; g++) {
    for (uint32_t k = 0; k < s->crowd->groups[g].behaviour_count; k++) {
      throng_behaviour *b = &s->crowd->groups[g].behaviour[k];
      random_target(s, r, &b->target);
      random_target(s, r, &b->other);
    }
  }
}

/* Makes flow fields around random agents. Half have coarse vectors, some of them zero or opposite to each other. */
static void random_fields(site *s) {
  const float limit = 0x1p20f * s->radius;
  for (uint32_t k = 0; k < CROWD_MAX_FIELDS; k++) {
    crowd_field *field = &s->crowd->fields[k];
    throng_vec3 about = {0, 0, 0};
    if (s->crowd->count > 0) about = s->crowd->agents[rng_below(s->rng, s->crowd->count)].position;
    field->width = 1 + rng_below(s->rng, CROWD_FIELD_SIDE);
    field->height = 1 + rng_below(s->rng, CROWD_FIELD_SIDE);
    field->cell = s->radius * rng_pick(s->rng, (const float[]){1.0f, 2.0f, 6.3f}, 3);
    crowd_tile_field(s->crowd, *s->rng, field);
    field->origin_x = fmaxf(-limit, about.x - 0.5f * field->cell * (float)rng_below(s->rng, 2 * field->width));
    field->origin_z = fmaxf(-limit, about.z - 0.5f * field->cell * (float)rng_below(s->rng, 2 * field->height));
    const bool coarse = rng_chance(s->rng, 0.5f);
    for (uint32_t i = 0; i < 2 * field->width * field->height; i++)
      field->vectors[i] = coarse ? (float)rng_below(s->rng, 3) - 1.0f : rng_float(s->rng, -1.0f, 1.0f);
  }
}

/* Makes some groups' bodies solid and some agents impatient, and lets some groups not turn while slow. It has a random
 * stream of its own, so that it changes nothing else in the crowd. */
static void make_solid(crowd *c, uint64_t seed) {
  static const float shares[] = {0.0f, 0.3f, 1.0f, 1.0f}, masses[] = {80.0f, 80.0f, 1.0f, 1e-20f, 3e4f};
  static const float push_speeds[] = {0.0f, 0.0f, 0.5f, 20.0f, INFINITY};
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 5);
  c->def.contact_iterations = 1 + rng_below(&rng, 6);
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    d->contact = rng_pick(&rng, shares, COUNT_OF(shares));
    d->max_push_speed = rng_pick(&rng, push_speeds, COUNT_OF(push_speeds));
    d->mass = rng_pick(&rng, masses, COUNT_OF(masses));
    if (rng_chance(&rng, 0.3f)) d->facing_speed = rng_float(&rng, 0.0f, 1.0f) * c->def.perception_radius;
    if (d->body_radius > c->def.perception_radius * 0.5f) d->body_radius = c->def.perception_radius * 0.5f;
  }
  for (uint32_t i = 0; i < c->count; i++)
    if (rng_chance(&rng, 0.5f)) c->agents[i].blocked_time = rng_float(&rng, 0.0f, 1.0f);
}

void crowd_make_fluid(crowd *c) {
  for (uint32_t g = 0; g < c->group_count; g++) c->groups[g].contact = 0.0f;
}

crowd *crowd_random(uint64_t seed, const crowd_recipe *recipe) {
  static const float radii[] = {1.0f, 1.0f, 0.3f, 3.7f, 12.5f, 0.001f, 1e5f};
  test_rng rng = rng_from(seed * 0x2545f4914f6cdd1du + (uint64_t)recipe->layout);
  crowd *c = crowd_new(recipe->count);
  c->seed = seed;
  c->def = throng_default_world_def();
  c->def.space = recipe->space;
  crowd_set_boundary(&c->def, recipe->boundary);
  c->def.perception_radius = rng_pick(&rng, radii, COUNT_OF(radii));
  c->def.separation_law = recipe->flocks ? THRONG_SEPARATION_INVERSE : (throng_separation_law)rng_below(&rng, 3);
  c->def.update = (throng_update)rng_below(&rng, 3);
  c->def.seed = rng_next(&rng);
  c->def.id_world = (uint16_t)rng_below(&rng, 3);
  c->group_count = recipe->flocks ? 1 + rng_below(&rng, 2) : 1 + rng_below(&rng, 4);
  for (uint32_t g = 0; g < c->group_count; g++)
    c->groups[g] = recipe->flocks ? flocking_group(&rng, c->def.perception_radius)
                                  : crowd_random_group(&rng, c->def.perception_radius, recipe->layout != LAYOUT_FAR);
  if (seed % 3 == 0) make_solid(c, seed);
  if (seed % 4 == 1 && !recipe->flocks) crowd_ask_more(c, seed);
  for (uint32_t g = 0; g < c->group_count; g++) {
    c->groups[g].walls_hide = (seed / 2 + g) % 2;
    c->groups[g].upright = (seed / 3 + g) % 3 == 0;
  }
  static const uint32_t budgets[] = {0, 0, 0, 1, 2, 5, 16};
  c->def.neighbour_budget = budgets[seed % COUNT_OF(budgets)];
  site s = {.rng = &rng, .crowd = c, .radius = c->def.perception_radius};
  choose_region(&s, recipe);
  place_all(&s, recipe);
  if (seed % 5 == 2) crowd_weigh(c, seed);
  if (seed % 5 == 3) crowd_pace(c, seed);
  if (seed % 5 == 4) crowd_slice(c, seed);
  if (seed % 11 == 6) crowd_unlimit(c, seed);
  random_turns(c);
  crowd_choose_forms(c, seed, recipe->flocks);
  crowd_actuate(c, seed);
  random_targets(&s, recipe);
  random_fields(&s);
  if (seed % 7 == 4) crowd_hunt(c, seed);
  crowd_random_paths(c, &rng, s.low, s.high);
  crowd_random_patterns(c);
  crowd_random_formations(c);
  crowd_random_attractors(c);
  crowd_random_zones(c);
  if (seed % 9 == 4) crowd_own_values(c, seed);
  return c;
}
