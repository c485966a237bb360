/* tests/api/test_arguments_values.c: tries values of every float in definitions and columns. NaN, infinities and values
 * outside the range must be refused, with the right status and text, and leave the world unchanged. The ends of the
 * range and denormals must be accepted, and the world must step.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/fingerprint.h"
#include "support/full.h"
#include "support/groups.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159274f
#define MOST 1e9f
#define TIME 1e-6f /* the shortest allowed time, in seconds */

static throng_world *world;
static throng_agent_id id[FULL_AGENTS];

/* Checks that the world steps after it has accepted an unusual value, and that all agents stay inside the box. */
static void require_alive(const char *name, float value) {
  throng_error error;
  for (int frame = 0; frame < 3; frame++) {
    if (throng_world_step(world, frame == 2 ? 1.0f : 0.02f, &error) == THRONG_OK) continue;
    print_error("%s = %g: a step fails: %s\n", name, (double)value, error.text);
    fail();
  }
  throng_vec3 p[FULL_AGENTS];
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, FULL_AGENTS, p, 0, &error), &error);
  for (uint32_t k = 0; k < FULL_AGENTS; k++) {
    if (p[k].x >= 0 && p[k].x <= FULL_SIDE && p[k].z >= 0 && p[k].z <= FULL_SIDE && isfinite(p[k].y)) continue;
    print_error("%s = %g: an agent left the world, to (%g, %g, %g)\n", name, (double)value, (double)p[k].x,
                (double)p[k].y, (double)p[k].z);
    fail();
  }
  require_sound(world, name);
}

static int make_world(void **state) {
  const throng_world_def def = full_def(*state == NULL ? THRONG_SPACE_PLANAR : THRONG_SPACE_SPATIAL);
  world = full_world(&def, id);
  return 0;
}

static int destroy_world(void **state) {
  (void)state;
  throng_world_destroy(world);
  return 0;
}

static void fresh_world(void) {
  const throng_world_def def = throng_world_get_def(world);
  throng_world_destroy(world);
  world = full_world(&def, id);
}

/* One float, and its allowed values. */
typedef struct number {
  const char *name; /* must occur in the error text */
  float *at;
  float low, high;
  enum {
    NO_INFINITY,
    INFINITY_TOO,
    INFINITY_IS_BAD
  } infinity; /* refused as NOT_FINITE; allowed; or refused as BAD_VALUE */
  bool may_be_nan;
  float least;          /* smallest value above 0, if 0 has a special meaning; otherwise 0 */
  throng_status beyond; /* status for a value outside the range; 0: BAD_VALUE */
} number;

#define RANGE(what, where, least, most)                                                                                \
  { .name = what, .at = where, .low = least, .high = most }
#define RANGE_WITH(what, where, least, most, ...)                                                                      \
  { .name = what, .at = where, .low = least, .high = most, __VA_ARGS__ }

/* Calls the library with the definition or column that contains the float. */
typedef throng_status setter(const void *def, throng_error *error);

static void require_refused(const number *n, float value, setter *set, const void *def, throng_status expected) {
  throng_error error = {0};
  const uint64_t before = fingerprint(world);
  *n->at = value;
  const throng_status status = set(def, &error);
  if (status == expected && error.status == expected && strstr(error.text, n->name) && has_number(error.text, value) &&
      fingerprint(world) == before && set(def, NULL) == expected)
    return;
  print_error("%s = %.9g: returned %s, expected %s; text '%s'; the world is %s\n", n->name, (double)value,
              throng_status_name(status), throng_status_name(expected), error.text,
              fingerprint(world) == before ? "unchanged" : "changed");
  fail();
}

static void refuse_values(const number *n, setter *set, const void *def) {
  const throng_status beyond = n->beyond == THRONG_OK ? THRONG_ERROR_BAD_VALUE : n->beyond;
  const float good = *n->at, infinity = INFINITY;
  if (!n->may_be_nan) require_refused(n, NAN, set, def, THRONG_ERROR_NOT_FINITE);
  if (n->infinity == NO_INFINITY) require_refused(n, infinity, set, def, THRONG_ERROR_NOT_FINITE);
  if (n->infinity == INFINITY_IS_BAD) require_refused(n, infinity, set, def, THRONG_ERROR_BAD_VALUE);
  require_refused(n, -infinity, set, def, THRONG_ERROR_NOT_FINITE);
  if (n->high < FLT_MAX) require_refused(n, nextafterf(n->high, infinity), set, def, beyond);
  if (n->high < FLT_MAX) require_refused(n, FLT_MAX, set, def, beyond);
  if (n->low > -FLT_MAX) require_refused(n, nextafterf(n->low, -infinity), set, def, beyond);
  if (n->low > -FLT_MAX) require_refused(n, -FLT_MAX, set, def, beyond);
  if (n->least > 0.0f) require_refused(n, nextafterf(n->least, 0.0f), set, def, beyond);
  if (n->least > 0.0f) require_refused(n, 1e-45f, set, def, beyond);
  *n->at = good;
}

/* Tries the ends of the range, and denormals that are in it, each in a new world. */
static void accept_values(const number *n, setter *set, const void *def) {
  const float good = *n->at, values[] = {n->low, n->high, INFINITY, n->least > 0.0f ? n->least : 1e-45f, -1e-45f};
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
    throng_error error;
    if (isinf(values[k]) ? n->infinity != INFINITY_TOO : values[k] < n->low || values[k] > n->high) continue;
    fresh_world();
    *n->at = values[k];
    const throng_status status = set(def, &error);
    if (status != THRONG_OK) {
      print_error("%s = %.9g was refused: %s\n", n->name, (double)values[k], error.text);
      fail();
    }
    require_alive(n->name, values[k]);
  }
  *n->at = good;
  fresh_world();
}

static void try_number(const number *n, setter *set, const void *def) {
  refuse_values(n, set, def);
  accept_values(n, set, def);
}

/* Groups. All groups are set, so that every agent uses the values. */

static throng_status set_groups(const void *def, throng_error *error) {
  throng_status status = THRONG_OK;
  for (uint32_t g = 0; g < 3 && status == THRONG_OK; g++) status = throng_world_set_group(world, g, def, error);
  return status;
}

static throng_group_def everything_on(void) {
  throng_group_def g = throng_default_group_def();
  g.avoidance.weight = g.attraction.weight = 1.0f;
  g.queue.width = 0.5f;
  g.facing = THRONG_FACING_STEERED;
  g.max_yaw_rate = 2.0f;
  g.actuation = THRONG_ACTUATION_VEHICLE;
  g.moment_of_inertia = 3.0f;
  g.contact = 0.5f;
  g.facing_speed = 0.1f;
  g.pace.on = true;
  g.pace.radius = 0.5f;
  return g;
}

/* Tries values of a parameter that is not a float. `object` is the definition or behaviour that contains it. Values
 * just outside the range must be refused, and both ends of the range accepted. */
static void try_whole(void *object, const throng_parameter *p, const char *name, const throng_group_def *g) {
  throng_group_def *as_group = object; /* p->offset fits the type of `object`, definition or behaviour */
  const double good = throng_group_def_get_value(as_group, p), ends[] = {p->lowest, p->highest};
  const uint64_t before = fingerprint(world);
  throng_error error;
  if (p->type == THRONG_PARAMETER_BOOL) {
    memset((char *)object + p->offset, 2, sizeof(bool)); /* a byte that is no bool */
  } else {
    assert_true(throng_group_def_set_value(as_group, p, p->highest + 1));
  }
  require_error(set_groups(g, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_true(strstr(error.text, name) && has_number(error.text, (float)p->highest + 1));
  assert_true(fingerprint(world) == before);
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    assert_true(throng_group_def_set_value(as_group, p, ends[k]));
    require_ok(set_groups(g, &error), &error);
    require_alive(name, (float)ends[k]);
    fresh_world();
  }
  assert_true(throng_group_def_set_value(as_group, p, good));
}

/* Narrows a parameter's range as the group's other members and the world require. */
static void narrow(number *n, const throng_group_def *g) {
  const float r = throng_world_get_def(world).perception_radius;
  const bool forms_need_it = n->at == &g->max_speed && g->cohesion.form == THRONG_COHESION_ARRIVE,
             cone_needs_it = n->at == &g->max_speed && g->avoidance.form != THRONG_AVOIDANCE_PREDICT,
             yaw_needs_it = n->at == &g->max_yaw_rate && g->facing == THRONG_FACING_STEERED;
  if (n->at == &g->max_speed && g->pace.on) n->infinity = INFINITY_IS_BAD;
  if (forms_need_it || cone_needs_it || yaw_needs_it) n->infinity = INFINITY_IS_BAD;
  if (n->at == &g->body_radius) n->high = 0.5f * r; /* because the group has contact */
  if (n->at == &g->perception_radius || n->at == &g->separation.radius || n->at == &g->attraction.radius ||
      n->at == &g->cohesion.radius || n->at == &g->alignment.radius || n->at == &g->pace.radius)
    n->high = r;
}

static void groups(void **state) {
  (void)state;
  throng_group_def g = everything_on();
  throng_parameter p;
  for (int form = 0; form < 3; form++) {
    g.cohesion.form = (throng_cohesion_form)form;
    g.alignment.form = (throng_alignment_form)(form % 2);
    g.avoidance.form = (throng_avoidance_form)form;
    g.combine = (throng_combine)(1 + form);
    for (uint32_t k = 0; throng_group_def_get_parameter(k, &p); k++) {
      char name[100];
      snprintf(name, sizeof name, "group.%s", p.name);
      if (p.type == THRONG_PARAMETER_LAYERS) continue; /* all bits are allowed */
      const uint32_t density = (uint32_t)((const float *)(const void *)((char *)&g + p.offset) - g.pace.density);
      if (density < g.pace.points) continue; /* test_pace.c */
      const bool planar = strcmp(p.name, "facing") == 0 || strcmp(p.name, "actuation") == 0 ||
                          strcmp(p.name, "avoidance.form") == 0; /* some of their values */
      const bool steered = planar && throng_world_get_def(world).space == THRONG_SPACE_SPATIAL;
      if (strcmp(p.name, "own_weight") == 0) continue; /* test_own_values.c */
      if (p.type != THRONG_PARAMETER_FLOAT) {
        const bool forces = strcmp(p.name, "steering_is_force") == 0 && g.actuation == THRONG_ACTUATION_VEHICLE;
        if (form == 0 && !steered && !forces) try_whole(&g, &p, name, &g);
        continue;
      }
      number n = RANGE_WITH(name, (float *)((char *)&g + p.offset), (float)p.lowest, (float)p.highest,
                            .infinity = p.infinite ? INFINITY_TOO : NO_INFINITY);
      narrow(&n, &g);
      try_number(&n, set_groups, &g);
    }
  }
}

/* Every parameter of every kind (from throng_behaviour_get_parameter), and the weight and the target of each kind. */
static void behaviours(void **state) {
  (void)state;
  const bool spatial = throng_world_get_def(world).space == THRONG_SPACE_SPATIAL;
  for (throng_behaviour_kind kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++) {
    throng_group_def g = everything_on();
    g.actuation = THRONG_ACTUATION_FREE;
    throng_behaviour *b = throng_group_def_add(&g, kind);
    throng_parameter p;
    throng_error error;
    const bool has_index = throng_behaviour_get_parameter(kind, 0, &p) && p.type == THRONG_PARAMETER_UINT32;
    if (has_index) assert_true(throng_behaviour_set_value(b, &p, FULL_NUMBER));
    if (spatial && set_groups(&g, &error) == THRONG_ERROR_UNSUPPORTED) continue;
    number n = RANGE("group.behaviour[0].weight", &b->weight, -MOST, MOST);
    try_number(&n, set_groups, &g);
    for (uint32_t k = 0; throng_behaviour_get_parameter(kind, k, &p); k++) {
      const bool timed = strcmp(p.name, "time_to_target") == 0 && p.lowest == 0.0;
      char name[100];
      snprintf(name, sizeof name, "group.behaviour[0].%s.%s", throng_behaviour_name(kind), p.name);
      if (spatial && strcmp(p.name, "faces") == 0) continue; /* needs a steered yaw */
      if (p.type != THRONG_PARAMETER_FLOAT) {
        try_whole(b, &p, name, &g);
        continue;
      }
      n = (number)RANGE_WITH(name, (float *)((char *)b + p.offset), (float)p.lowest, (float)p.highest,
                             .least = timed ? TIME : 0);
      try_number(&n, set_groups, &g);
    }
  }
}

static void targets(void **state) {
  (void)state;
  const float limit = 0x1p20f * throng_world_get_def(world).perception_radius;
  for (int which = 0; which < 2; which++) {
    throng_group_def g = everything_on();
    throng_behaviour *b = throng_group_def_add(&g, THRONG_BEHAVIOUR_INTERPOSE);
    throng_target *target = which == 0 ? &b->target : &b->other;
    target->kind = THRONG_TARGET_POINT;
    const number numbers[] = {RANGE(which == 0 ? "target.point.x" : "other.point.x", &target->point.x, -limit, limit),
                              RANGE(which == 0 ? "target.point.z" : "other.point.z", &target->point.z, -limit, limit)};
    for (int k = 0; k < 2; k++) try_number(&numbers[k], set_groups, &g);
  }
}

/* Objects of the world. */

static throng_status set_cells(const void *def, throng_error *error) {
  return throng_world_set_cells(world, def, error);
}
static throng_status set_scenery(const void *def, throng_error *error) {
  return throng_world_set_scenery(world, def, error);
}
static throng_status set_field(const void *def, throng_error *error) {
  return throng_world_set_flow_field(world, FULL_NUMBER, def, error);
}
static throng_status set_path(const void *def, throng_error *error) {
  return throng_world_set_path(world, FULL_NUMBER, def, error);
}
static throng_status set_pattern(const void *def, throng_error *error) {
  return throng_world_set_pattern(world, FULL_NUMBER, def, error);
}
static throng_status set_formation(const void *def, throng_error *error) {
  return throng_world_set_formation(world, FULL_NUMBER, def, error);
}

static throng_status set_attractors(const void *def, throng_error *error) {
  return throng_world_set_attractors(world, def, error);
}

static throng_status set_zones(const void *def, throng_error *error) {
  return throng_world_set_speed_zones(world, def, error);
}

static void maps(void **state) {
  (void)state;
  throng_flow_field_def field = full_field();
  float vectors[512];
  memcpy(vectors, field.vectors, sizeof vectors);
  field.vectors = vectors;
  const float limit = 0x1p20f * throng_world_get_def(world).perception_radius;
  const number sizes[] = {RANGE("flow_field.cell", &field.cell, 1e-3f, 1e6f),
                          RANGE("flow_field.origin.x", &field.origin.x, -limit, limit),
                          RANGE("flow_field.origin.z", &field.origin.z, -limit, limit)};
  for (int k = 0; k < 3; k++) refuse_values(&sizes[k], set_field, &field);
  const number vector = RANGE("flow_field.vectors[77]", &vectors[77], -MOST, MOST);
  try_number(&vector, set_field, &field);
  if (throng_world_get_def(world).space == THRONG_SPACE_SPATIAL) return;
  throng_cells_def cells = full_cells();
  const number cell[] = {RANGE("cells.cell", &cells.cell, 1e-3f, 1e6f),
                         RANGE("cells.origin.x", &cells.origin.x, -limit, limit),
                         RANGE("cells.origin.z", &cells.origin.z, -limit, limit)};
  for (int k = 0; k < 3; k++) refuse_values(&cell[k], set_cells, &cells);
}

static void goals_of_fields(void **state) {
  (void)state;
  static throng_flow_goal goal = {{1, NAN, 1}, 0};
  static float vectors[512];
  const throng_cells_def cells = full_cells();
  const float odd[] = {NAN, INFINITY, -INFINITY, -1.0f, FLT_MAX, -FLT_MAX, 2e9f};
  for (int member = 0; member < 3; member++)
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
      throng_error error;
      throng_flow_goal bad = goal;
      *(member == 0 ? &bad.point.x : member == 1 ? &bad.point.z : &bad.radius) = odd[k];
      const throng_status expected = !isfinite(odd[k]) ? THRONG_ERROR_NOT_FINITE
                                     : member < 2      ? THRONG_ERROR_OUT_OF_RANGE
                                                       : THRONG_ERROR_BAD_VALUE;
      require_error(throng_flow_field_compute(NULL, &cells, &bad, 1, vectors, NULL, NULL, &error), expected, &error);
      assert_true(strstr(error.text, "goals[0]") && has_number(error.text, odd[k]));
    }
}

static void scenery(void **state) {
  (void)state;
  const bool spatial = throng_world_get_def(world).space == THRONG_SPACE_SPATIAL;
  const float limit = 0x1p20f * throng_world_get_def(world).perception_radius, tiny = 1e-45f;
  throng_scenery_def def = full_scenery(spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR);
  throng_vec3 centre = {40, 40, 40}, from = {38, 0, 20}, to = {38, 0, 30}, low = {50, 50, 50}, high = {54, 55, 56},
              point = {0, 2, 0}, normal = {0, 3, 0};
  float radius = 3.0f;
  def.obstacle_centre.data = &centre;
  def.obstacle_radius.data = &radius;
  def.obstacle_count = 1;
  def.wall_from.data = &from;
  def.wall_to.data = &to;
  def.box_min.data = &low;
  def.box_max.data = &high;
  def.plane_point.data = &point;
  def.plane_normal.data = &normal;
  const throng_status far = THRONG_ERROR_OUT_OF_RANGE;
  const number common[] = {RANGE_WITH("obstacle_centre[0].x", &centre.x, -limit, limit, .beyond = far),
                           RANGE_WITH("obstacle_centre[0].z", &centre.z, -limit, limit, .beyond = far)};
  const number flat[] = {RANGE_WITH("wall_from[0].x", &from.x, -limit, limit, .beyond = far),
                         RANGE_WITH("wall_from[0].z", &from.z, -limit, limit, .beyond = far),
                         RANGE_WITH("wall_to[0].x", &to.x, -limit, limit, .beyond = far),
                         RANGE_WITH("wall_to[0].z", &to.z, -limit, limit, .beyond = far)};
  const number solid[] = {RANGE_WITH("obstacle_centre[0].y", &centre.y, -limit, limit, .beyond = far),
                          RANGE_WITH("box_min[0].x", &low.x, -limit, limit, .beyond = far),
                          RANGE_WITH("box_max[0].y", &high.y, -limit, limit, .beyond = far),
                          RANGE_WITH("plane_point[0].z", &point.z, -limit, limit, .beyond = far),
                          RANGE_WITH("plane_normal[0].x", &normal.x, -FLT_MAX, FLT_MAX, .beyond = far),
                          RANGE_WITH("plane_normal[0].y", &normal.y, -FLT_MAX, FLT_MAX, .beyond = far)};
  for (int k = 0; k < 2; k++) try_number(&common[k], set_scenery, &def);
  const number size = RANGE("obstacle_radius[0]", &radius, tiny, limit);
  refuse_values(&size, set_scenery, &def);
  for (int k = 0; k < 4 && !spatial; k++) try_number(&flat[k], set_scenery, &def);
  for (int k = 0; k < 6 && spatial; k++) refuse_values(&solid[k], set_scenery, &def);
}

static void paths(void **state) {
  (void)state;
  const float limit = 0x1p20f * throng_world_get_def(world).perception_radius;
  const bool spatial = throng_world_get_def(world).space == THRONG_SPACE_SPATIAL;
  throng_vec3 points[3] = {{8, 8, 8}, {20, 9, 10}, {12, 12, 20}};
  throng_path_def def = full_path();
  def.points.data = points;
  def.count = 3;
  const number numbers[] = {RANGE("path.points[1].x", &points[1].x, -limit, limit),
                            RANGE("path.points[2].z", &points[2].z, -limit, limit),
                            RANGE("path.points[1].y", &points[1].y, -limit, limit)};
  for (int k = 0; k < (spatial ? 3 : 2); k++) try_number(&numbers[k], set_path, &def);
}

static void patterns(void **state) {
  (void)state;
  throng_pattern_instruction list[3] = {
      {0, 1, 0, 2, 0, 0, 0, 0}, {1, 0.5f, 1.5f, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0.5f, 2, 0}};
  throng_pattern_def def = full_pattern();
  def.instructions = list;
  def.count = 3;
  const number numbers[] = {RANGE("pattern.instructions[0].cue", &list[0].cue, -MOST, MOST),
                            RANGE("pattern.instructions[2].turn", &list[2].turn, -3.1415928f, 3.1415928f),
                            RANGE("pattern.instructions[1].cue", &list[1].cue, -MOST, MOST),
                            RANGE("pattern.instructions[2].step", &list[2].step, -MOST, MOST),
                            RANGE("pattern.instructions[0].right", &list[0].right, -1, 1),
                            RANGE("pattern.instructions[1].thrust", &list[1].thrust, -1, 1),
                            RANGE("pattern.instructions[1].heading", &list[1].heading, 0, 1e4f),
                            RANGE("pattern.instructions[0].distance", &list[0].distance, 0, MOST)};
  for (int k = 0; k < 8; k++) try_number(&numbers[k], set_pattern, &def);
}

static void formations(void **state) {
  (void)state;
  throng_vec3 slots[5] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
  throng_formation_def def = full_formation();
  def.places.data = slots;
  const number numbers[] = {RANGE("formation.places[0].right", &slots[0].x, -MOST, MOST),
                            RANGE("formation.places[4].forward", &slots[4].z, -MOST, MOST)};
  for (int k = 0; k < 2; k++) try_number(&numbers[k], set_formation, &def);
}

static void attractors(void **state) {
  (void)state;
  const float limit = 0x1p20f * throng_world_get_def(world).perception_radius, tiny = 1.17549435e-38f;
  const throng_status far = THRONG_ERROR_OUT_OF_RANGE;
  throng_attractor list[3];
  throng_attractors_def def = full_attractors();
  memcpy(list, def.attractors, sizeof list);
  def.attractors = list;
  const number numbers[] = {RANGE_WITH("attractors[0].position.x", &list[0].position.x, -limit, limit, .beyond = far),
                            RANGE_WITH("attractors[2].position.z", &list[2].position.z, -limit, limit, .beyond = far),
                            RANGE("attractors[1].strength", &list[1].strength, -MOST, MOST),
                            RANGE("attractors[0].radius", &list[0].radius, tiny, limit),
                            RANGE("attractors[2].least_distance", &list[2].least_distance, 1e-3f, MOST)};
  for (int k = 0; k < 5; k++) try_number(&numbers[k], set_attractors, &def);
  list[1] = throng_default_attractor();
  throng_error error;
  require_ok(set_attractors(&def, &error), &error);
  list[2].law = (throng_attractor_law)7;
  require_error(set_attractors(&def, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "attractors[2].law is 7, allowed: THRONG_ATTRACTOR_LINEAR"));
}

static void speed_zones(void **state) {
  (void)state;
  const float limit = 0x1p20f * throng_world_get_def(world).perception_radius, tiny = 1.17549435e-38f;
  const throng_status far = THRONG_ERROR_OUT_OF_RANGE;
  throng_speed_zone list[2];
  throng_speed_zones_def def = full_zones();
  float factor[16];
  memcpy(list, def.zones, sizeof list);
  memcpy(factor, def.raster.factor, sizeof factor);
  def.zones = list;
  def.raster.factor = factor;
  const number numbers[] = {RANGE_WITH("zones[0].centre.x", &list[0].centre.x, -limit, limit, .beyond = far),
                            RANGE_WITH("zones[1].centre.z", &list[1].centre.z, -limit, limit, .beyond = far),
                            RANGE("zones[0].radius", &list[0].radius, tiny, limit),
                            RANGE("zones[1].width", &list[1].width, tiny, limit),
                            RANGE("zones[1].length", &list[1].length, tiny, limit),
                            RANGE("zones[1].yaw", &list[1].yaw, -3.1415928f, 3.1415928f),
                            RANGE_WITH("zones[0].height", &list[0].height, tiny, limit, .infinity = INFINITY_TOO),
                            RANGE("zones[1].factor", &list[1].factor, tiny, 4.0f),
                            RANGE("speed_zones.raster.factor[7]", &factor[7], tiny, 4.0f),
                            RANGE("speed_zones.raster.cell", &def.raster.cell, 1e-3f, 1e6f)};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) try_number(&numbers[k], set_zones, &def);
  list[1] = throng_default_speed_zone();
  throng_error error;
  require_ok(set_zones(&def, &error), &error);
  list[1].shape = (throng_speed_zone_shape)2;
  require_error(set_zones(&def, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "zones[1].shape is 2, allowed: THRONG_SPEED_ZONE_CIRCLE"));
}

/* Columns, by throng_agents_write and throng_agents_add. */

static throng_column column_written;
static throng_status write_column(const void *def, throng_error *error) {
  throng_status status = THRONG_OK;
  for (int k = 0; k < 3 && status == THRONG_OK; k++) /* one of each group */
    status = throng_agents_write(world, column_written, &id[k], 1, def, 0, error);
  return status;
}

static void columns(void **state) {
  (void)state;
  const throng_world_def def = throng_world_get_def(world);
  const bool spatial = def.space == THRONG_SPACE_SPATIAL;
  const throng_status beyond = THRONG_ERROR_OUT_OF_RANGE;
  const float far = 0x1p20f * def.perception_radius;
  float v[3];
  const struct {
    throng_column column;
    number number;
    float good[3];
    enum { BOTH, PLANAR, SPATIAL } space;
  } rows[] = {
      {THRONG_COLUMN_POSITION, RANGE_WITH("position[0]", &v[0], 0, FULL_SIDE, .beyond = beyond), {9, 9, 9}, BOTH},
      {THRONG_COLUMN_POSITION, RANGE_WITH("position[0]", &v[1], 0, FULL_SIDE, .beyond = beyond), {9, 9, 9}, SPATIAL},
      {THRONG_COLUMN_POSITION, RANGE("position[0]", &v[1], -FLT_MAX, FLT_MAX), {9, 9, 9}, PLANAR},
      {THRONG_COLUMN_POSITION, RANGE_WITH("position[0]", &v[2], 0, FULL_SIDE, .beyond = beyond), {9, 9, 9}, BOTH},
      {THRONG_COLUMN_VELOCITY, RANGE("velocity[0]", &v[0], -1e18f, 1e18f), {1, 0, 1}, BOTH},
      {THRONG_COLUMN_VELOCITY, RANGE("velocity[0]", &v[1], -1e18f, 1e18f), {1, 0, 1}, SPATIAL},
      {THRONG_COLUMN_VELOCITY, RANGE("velocity[0]", &v[1], 0, 0), {1, 0, 1}, PLANAR},
      {THRONG_COLUMN_VELOCITY, RANGE("velocity[0]", &v[2], -1e18f, 1e18f), {1, 0, 1}, BOTH},
      {THRONG_COLUMN_FACING, RANGE("facing[0]", &v[0], -PI, PI), {1, 0, 0}, PLANAR},
      {THRONG_COLUMN_FACING, RANGE("facing[0]", &v[1], -FLT_MAX, FLT_MAX), {1, 0, 0}, SPATIAL},
      {THRONG_COLUMN_WANDER, RANGE("wander[0]", &v[0], -PI, PI), {1, 0, 0}, PLANAR},
      {THRONG_COLUMN_WANDER, RANGE("wander[0]", &v[2], -FLT_MAX, FLT_MAX), {1, 0, 0}, SPATIAL},
      {THRONG_COLUMN_GOAL,
       RANGE_WITH("goal[0]", &v[0], -far, far, .may_be_nan = true, .beyond = beyond),
       {9, 9, 9},
       BOTH},
      {THRONG_COLUMN_GOAL, RANGE_WITH("goal[0]", &v[2], -far, far, .beyond = beyond), {9, 9, 9}, BOTH},
      {THRONG_COLUMN_PERCEPTION_RADIUS,
       RANGE_WITH("perception_radius[0]", v, 1e-45f, def.perception_radius, .may_be_nan = true),
       {1},
       BOTH},
      {THRONG_COLUMN_BODY_RADIUS, RANGE_WITH("body_radius[0]", v, 0, MOST, .may_be_nan = true), {1}, BOTH},
      {THRONG_COLUMN_MASS, RANGE_WITH("mass[0]", v, 1e-45f, MOST, .may_be_nan = true), {1}, BOTH},
      {THRONG_COLUMN_MAX_SPEED, RANGE_WITH("max_speed[0]", v, 0, MOST, .may_be_nan = true), {1}, BOTH},
      {THRONG_COLUMN_MAX_YAW_RATE, RANGE_WITH("max_yaw_rate[0]", v, 1e-45f, 1e4f, .may_be_nan = true), {1}, BOTH},
      {THRONG_COLUMN_WEIGHT, RANGE_WITH("weight[0]", v, -MOST, MOST, .may_be_nan = true), {1}, BOTH},
      {THRONG_COLUMN_BLOCKED_TIME, RANGE("blocked_time[0]", v, 0, 1), {1}, BOTH},
      {THRONG_COLUMN_FAN, RANGE("fan[0]", v, 0, 0.5f * PI), {1, 2}, BOTH},
      {THRONG_COLUMN_PATH_PARAMETER, RANGE_WITH("path_parameter[0]", v, 0, FLT_MAX, .may_be_nan = true), {1}, BOTH},
      {THRONG_COLUMN_YAW_RATE, RANGE("yaw_rate[0]", v, -1e4f, 1e4f), {1}, BOTH},
      {THRONG_COLUMN_PATTERN_TIME, RANGE("pattern_time[0]", v, 0, MOST), {1}, BOTH},
      {THRONG_COLUMN_PATTERN_WAY, RANGE("pattern_way[0]", &v[0], -MOST, MOST), {1, 1, 1}, BOTH},
      {THRONG_COLUMN_PATTERN_WAY, RANGE("pattern_way[0]", &v[1], -MOST, MOST), {1, 1, 1}, BOTH},
      {THRONG_COLUMN_PATTERN_WAY, RANGE("pattern_way[0]", &v[2], -MOST, MOST), {1, 1, 1}, BOTH},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    if (rows[k].space == (spatial ? PLANAR : SPATIAL)) continue;
    memcpy(v, rows[k].good, sizeof v);
    column_written = rows[k].column;
    try_number(&rows[k].number, write_column, v);
  }
}

/* Columns whose values must be whole numbers, with fractions. */
static void whole_numbers(void **state) {
  (void)state;
  static const struct {
    throng_column column;
    const char *name;
    float last;
  } rows[] = {{THRONG_COLUMN_PATTERN, "pattern[0]", 63},
              {THRONG_COLUMN_PATTERN_INSTRUCTION, "pattern_instruction[0]", 65536},
              {THRONG_COLUMN_FORMATION_PLACE, "formation_place[0]", 4095}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const float bad[] = {-1, -1e-45f, 1e-45f, 0.5f, rows[k].last + 1, FLT_MAX, -FLT_MAX},
                good[] = {0, rows[k].last, NAN};
    float value;
    column_written = rows[k].column;
    const number n = RANGE(rows[k].name, &value, 0, rows[k].last);
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
      require_refused(&n, bad[b], write_column, &value, THRONG_ERROR_BAD_VALUE);
    require_refused(&n, INFINITY, write_column, &value, THRONG_ERROR_NOT_FINITE);
    for (size_t g = 0; g < sizeof good / sizeof *good; g++) {
      throng_error error;
      require_ok(throng_agents_write(world, column_written, id, 1, &good[g], 0, &error), &error);
      require_alive(rows[k].name, good[g]);
    }
    fresh_world();
  }
}

int main(void) {
  comma_locale();
  static char spatial;
#define BOTH_SPACES(test)                                                                                              \
  cmocka_unit_test_prestate_setup_teardown(test, make_world, destroy_world, NULL),                                     \
      cmocka_unit_test_prestate_setup_teardown(test, make_world, destroy_world, &spatial)
  const struct CMUnitTest tests[] = {
      BOTH_SPACES(groups),          BOTH_SPACES(behaviours),  BOTH_SPACES(targets),    BOTH_SPACES(maps),
      BOTH_SPACES(scenery),         BOTH_SPACES(paths),       BOTH_SPACES(formations), BOTH_SPACES(columns),
      BOTH_SPACES(attractors),      BOTH_SPACES(speed_zones), BOTH_SPACES(patterns),   BOTH_SPACES(whole_numbers),
      BOTH_SPACES(goals_of_fields),
  };
  return cmocka_run_group_tests_name("arguments_values", tests, NULL, NULL);
}
