/* tests/test_errors.c: every field of every definition with values it must refuse, every function with what must not be NULL:
 * the status, and a text that names the field and the value.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/memory.h"
#include "support/groups.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char no_world; /* its address stands for a world that a failing create must not touch */

static throng_world *default_world(void) {
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  return world;
}

/* Whether the text has the number's leading digits, in any of the usual ways to write it. */
static bool has_number(const char *text, float value) {
  static const char *const formats[] = {"%g", "%.9g", "%.0f"};
  if (isnan(value)) return strstr(text, "nan") != NULL || strstr(text, "NaN") != NULL;
  if (isinf(value)) return strstr(text, "inf") != NULL;
  for (size_t k = 0; k < 3; k++) {
    char number[64];
    snprintf(number, sizeof number, formats[k], (double)value);
    number[strcspn(number, "e")] = '\0';
    if (strlen(number) > 4) number[4] = '\0';
    if (strstr(text, number) != NULL) return true;
  }
  return false;
}

/* The text names the field and the value. */
static void require_text(const throng_error *error, const char *word, float value) {
  if (strstr(error->text, word) != NULL && has_number(error->text, value)) return;
  print_error("'%s' does not name %s and %g\n", error->text, word, (double)value);
  fail();
}

/* One float field, one value that it must refuse. */
typedef struct bad_field {
  const char *name; /* how the text must call it */
  size_t offset;
  float value;
} bad_field;

#define GROUP(field, name, value)                                                                                      \
  { name, offsetof(throng_group_def, field), value }
#define REFUSES_NAN_INF_NEGATIVE(field, name)                                                                          \
  GROUP(field, name, NAN), GROUP(field, name, INFINITY), GROUP(field, name, -INFINITY), GROUP(field, name, -0.5f)
#define REFUSES_ZERO_TOO(field, name) REFUSES_NAN_INF_NEGATIVE(field, name), GROUP(field, name, 0.0f)

static const bad_field group_fields[] = {
    GROUP(max_speed, "max_speed", NAN),
    GROUP(max_speed, "max_speed", 0.0f),
    GROUP(max_speed, "max_speed", -1.0f),
    GROUP(max_speed, "max_speed", -INFINITY),
    REFUSES_ZERO_TOO(max_acceleration, "max_acceleration"),
    REFUSES_NAN_INF_NEGATIVE(drag, "drag"),
    REFUSES_NAN_INF_NEGATIVE(body_radius, "body_radius"),
    REFUSES_NAN_INF_NEGATIVE(perception_radius, "perception_radius"),
    GROUP(perception_radius, "perception_radius", 1.5f),
    REFUSES_NAN_INF_NEGATIVE(field_of_view, "field_of_view"),
    GROUP(field_of_view, "field_of_view", 6.5f),
    GROUP(max_yaw_rate, "max_yaw_rate", NAN),
    GROUP(max_yaw_rate, "max_yaw_rate", 0.0f),
    GROUP(max_yaw_rate, "max_yaw_rate", -1.0f),
    GROUP(max_yaw_rate, "max_yaw_rate", 10001.0f),
    GROUP(max_yaw_acceleration, "max_yaw_acceleration", NAN),
    GROUP(max_yaw_acceleration, "max_yaw_acceleration", 0.0f),
    GROUP(max_yaw_acceleration, "max_yaw_acceleration", -INFINITY),
    REFUSES_NAN_INF_NEGATIVE(angular_drag, "angular_drag"),
    REFUSES_NAN_INF_NEGATIVE(vehicle.max_thrust, "vehicle.max_thrust"),
    REFUSES_NAN_INF_NEGATIVE(vehicle.max_brake, "vehicle.max_brake"),
    REFUSES_NAN_INF_NEGATIVE(vehicle.max_lateral, "vehicle.max_lateral"),
    REFUSES_ZERO_TOO(vehicle.turning_radius, "vehicle.turning_radius"),
    REFUSES_NAN_INF_NEGATIVE(separation.weight, "separation.weight"),
    REFUSES_NAN_INF_NEGATIVE(separation.radius, "separation.radius"),
    GROUP(separation.radius, "separation.radius", 1.5f),
    REFUSES_NAN_INF_NEGATIVE(separation.strength, "separation.strength"),
    REFUSES_NAN_INF_NEGATIVE(separation.field_of_view, "separation.field_of_view"),
    GROUP(separation.field_of_view, "separation.field_of_view", 6.5f),
    REFUSES_NAN_INF_NEGATIVE(cohesion.weight, "cohesion.weight"),
    REFUSES_NAN_INF_NEGATIVE(alignment.weight, "alignment.weight"),
    REFUSES_ZERO_TOO(alignment.time_to_target, "alignment.time_to_target"),
    REFUSES_NAN_INF_NEGATIVE(cohesion.slow_radius, "cohesion.slow_radius"),
    REFUSES_NAN_INF_NEGATIVE(cohesion.target_radius, "cohesion.target_radius"),
    REFUSES_ZERO_TOO(cohesion.time_to_target, "cohesion.time_to_target"),
    REFUSES_NAN_INF_NEGATIVE(avoidance.weight, "avoidance.weight"),
    REFUSES_ZERO_TOO(avoidance.horizon, "avoidance.horizon"),
    REFUSES_NAN_INF_NEGATIVE(avoidance.cone, "avoidance.cone"),
    GROUP(avoidance.cone, "avoidance.cone", 6.5f),
    REFUSES_NAN_INF_NEGATIVE(attraction.weight, "attraction.weight"),
    REFUSES_NAN_INF_NEGATIVE(attraction.radius, "attraction.radius"),
    GROUP(attraction.radius, "attraction.radius", 1.5f),
    REFUSES_NAN_INF_NEGATIVE(attraction.strength, "attraction.strength"),
    REFUSES_NAN_INF_NEGATIVE(queue.width, "queue.width"),
    REFUSES_NAN_INF_NEGATIVE(queue.gap, "queue.gap"),
    REFUSES_ZERO_TOO(queue.time_to_target, "queue.time_to_target"),
    REFUSES_NAN_INF_NEGATIVE(queue.oncoming, "queue.oncoming"),
    GROUP(behaviour[0].weight, "behaviour[0].weight", NAN),
    GROUP(behaviour[0].weight, "behaviour[0].weight", INFINITY),
    GROUP(behaviour[0].weight, "behaviour[0].weight", -INFINITY),
    REFUSES_NAN_INF_NEGATIVE(behaviour[0].seek.time_to_target, "behaviour[0].seek.time_to_target"),
    REFUSES_NAN_INF_NEGATIVE(behaviour[1].arrive.slow_radius, "behaviour[1].arrive.slow_radius"),
    REFUSES_NAN_INF_NEGATIVE(behaviour[1].arrive.target_radius, "behaviour[1].arrive.target_radius"),
    REFUSES_ZERO_TOO(behaviour[1].arrive.time_to_target, "behaviour[1].arrive.time_to_target"),
    REFUSES_NAN_INF_NEGATIVE(behaviour[2].wander.radius, "behaviour[2].wander.radius"),
    REFUSES_NAN_INF_NEGATIVE(behaviour[2].wander.offset, "behaviour[2].wander.offset"),
    REFUSES_NAN_INF_NEGATIVE(behaviour[2].wander.rate, "behaviour[2].wander.rate"),
    GROUP(behaviour[2].wander.rate, "behaviour[2].wander.rate", 6.5f),
    REFUSES_NAN_INF_NEGATIVE(behaviour[3].align.slow_radius, "behaviour[3].align.slow_radius"),
    REFUSES_NAN_INF_NEGATIVE(behaviour[3].align.target_radius, "behaviour[3].align.target_radius"),
    REFUSES_ZERO_TOO(behaviour[3].align.time_to_target, "behaviour[3].align.time_to_target"),
    GROUP(behaviour[3].align.offset, "behaviour[3].align.offset", 3.2f),
    GROUP(behaviour[3].align.offset, "behaviour[3].align.offset", NAN),
    REFUSES_ZERO_TOO(behaviour[4].face.time_to_target, "behaviour[4].face.time_to_target"),
    REFUSES_ZERO_TOO(behaviour[5].look.time_to_target, "behaviour[5].look.time_to_target"),
    REFUSES_NAN_INF_NEGATIVE(combine_threshold, "combine_threshold"),
    REFUSES_NAN_INF_NEGATIVE(combine_chance[7], "combine_chance[7]"),
    GROUP(combine_chance[0], "combine_chance[0]", 1.5f),
};

/* Everything on and steered, so that no field is out of use. */
static throng_group_def busy_group(void) {
  throng_group_def g = throng_default_group_def();
  g.facing = THRONG_FACING_STEERED;
  g.max_yaw_rate = 2.0f;
  g.avoidance.weight = 1.0f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.5f;
  group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f);
  group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f);
  group_want(&g, THRONG_BEHAVIOUR_ALIGN, 1.0f);
  group_want(&g, THRONG_BEHAVIOUR_FACE, 1.0f);
  group_want(&g, THRONG_BEHAVIOUR_LOOK, 1.0f);
  return g;
}

static void require_group_refused(throng_world *world, const throng_group_def *g, const char *name, float value) {
  throng_error error;
  throng_group_def before, after;
  require_ok(throng_group_get(world, 0, &before, &error), &error);
  const throng_status status = throng_group_set(world, 0, g, &error);
  if (status == THRONG_OK) {
    print_error("%s = %g was accepted\n", name, (double)value);
    fail();
  }
  if (status != THRONG_ERROR_BAD_VALUE && status != THRONG_ERROR_NOT_FINITE) {
    print_error("%s = %g: %s\n", name, (double)value, throng_status_name(status));
    fail();
  }
  require_text(&error, name, value);
  require_ok(throng_group_get(world, 0, &after, &error), &error);
  assert_memory_equal(&before, &after, sizeof before);
}

static void group_definitions(void **state) {
  (void)state;
  throng_world *world = default_world();
  throng_error error;
  throng_group_def g = busy_group();
  require_ok(throng_group_set(world, 0, &g, &error), &error);
  for (size_t k = 0; k < sizeof group_fields / sizeof group_fields[0]; k++) {
    g = busy_group();
    memcpy((char *)&g + group_fields[k].offset, &group_fields[k].value, sizeof(float));
    require_group_refused(world, &g, group_fields[k].name, group_fields[k].value);
  }
  static const float times[] = {0.0f, -1.0f, NAN, INFINITY};
  for (size_t k = 0; k < 4; k++) {
    g = busy_group();
    g.facing_time = times[k];
    require_group_refused(world, &g, "facing_time", times[k]);
  }
  for (size_t k = 1; k < 4; k++) {
    g = busy_group();
    g.facing_speed = times[k];
    require_group_refused(world, &g, "facing_speed", times[k]);
  }
  g = busy_group();
  g.layer = 32;
  require_group_refused(world, &g, "layer", 32.0f);
  g = busy_group();
  g.facing = (throng_facing)77;
  require_group_refused(world, &g, "facing", 77.0f);
  g = busy_group();
  g.actuation = (throng_actuation)2;
  require_group_refused(world, &g, "actuation", 2.0f);
  g = busy_group();
  g.cookie ^= 1;
  require_error(throng_group_set(world, 0, &g, &error), THRONG_ERROR_BAD_COOKIE, &error);
  memset(&g, 0, sizeof g);
  require_error(throng_group_set(world, 0, &g, &error), THRONG_ERROR_BAD_COOKIE, &error);
  g = busy_group();
  assert_true(throng_group_set(world, 256, &g, &error) != THRONG_OK);
  assert_non_null(strstr(error.text, "256"));
  assert_true(throng_group_set(world, 0xffffffffu, &g, &error) != THRONG_OK);
  throng_world_destroy(world);
}

/* An infinite speed limit is fine, but not for behaviours that go at full speed. */
static void infinite_speed(void **state) {
  (void)state;
  throng_world *world = default_world();
  throng_error error;
  throng_group_def g = throng_default_group_def();
  g.max_speed = INFINITY;
  require_ok(throng_group_set(world, 0, &g, &error), &error);
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  require_ok(throng_group_set(world, 0, &g, &error), &error);
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.1f;
  require_group_refused(world, &g, "max_speed", INFINITY);
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.0f;
  group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f);
  require_group_refused(world, &g, "max_speed", INFINITY);
  throng_world_destroy(world);
}

static void undefined_groups(void **state) {
  (void)state;
  throng_world *world = default_world();
  throng_error error;
  throng_group_def g = throng_default_group_def(), back;
  require_ok(throng_group_get(world, 0, &back, &error), &error);
  require_error(throng_group_get(world, 1, &back, &error), THRONG_ERROR_NO_GROUP, &error);
  require_error(throng_group_get(world, 256, &back, &error), THRONG_ERROR_NO_GROUP, &error);
  g.max_speed = 2.25f;
  require_ok(throng_group_set(world, 255, &g, &error), &error);
  require_ok(throng_group_get(world, 255, &back, &error), &error);
  assert_memory_equal(&g, &back, sizeof g);
  assert_int_equal(throng_group_agent_count(world, 254), 0);
  assert_int_equal(throng_group_agent_count(world, 1000), 0);
  throng_world_destroy(world);
}

static void require_world_refused(const throng_world_def *def, throng_status expected, const char *word, float value) {
  throng_error error;
  throng_world *world = (throng_world *)(void *)&no_world; /* must stay as it is */
  const throng_status status = throng_world_create(def, &world, &error);
  if (status != expected) {
    print_error("%s = %g: %s, expected %s\n", word, (double)value, throng_status_name(status),
                throng_status_name(expected));
    fail();
  }
  assert_ptr_equal(world, (throng_world *)(void *)&no_world);
  require_error(status, expected, &error);
  require_text(&error, word, value);
}

static void world_definitions(void **state) {
  (void)state;
  const throng_status bad = THRONG_ERROR_BAD_VALUE;
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
#define REFUSED(field, bad_value, status, name)                                                                        \
  do {                                                                                                                 \
    throng_world_def d = def;                                                                                          \
    d.field = bad_value;                                                                                               \
    require_world_refused(&d, status, name, (float)(bad_value));                                                       \
  } while (0)
  REFUSED(perception_radius, NAN, THRONG_ERROR_NOT_FINITE, "perception_radius");
  REFUSED(perception_radius, INFINITY, THRONG_ERROR_NOT_FINITE, "perception_radius");
  REFUSED(perception_radius, 0.0f, bad, "perception_radius");
  REFUSED(perception_radius, -1.0f, bad, "perception_radius");
  REFUSED(perception_radius, 0.0009f, bad, "perception_radius");
  REFUSED(perception_radius, 1.1e6f, bad, "perception_radius");
  REFUSED(space, (throng_space)2, bad, "space");
  REFUSED(boundary, (throng_boundary)3, bad, "boundary");
  REFUSED(separation_law, (throng_separation_law)3, bad, "separation_law");
  REFUSED(update, (throng_update)3, bad, "update");
  REFUSED(isa, (throng_isa)50, bad, "isa");
  REFUSED(thread_count, 1025u, bad, "thread_count");
  REFUSED(capacity, 0x80000000u, bad, "capacity");
#undef REFUSED
  throng_error error;
  throng_world *world = NULL;
  throng_world_def d = def;
  d.cookie = 0;
  require_error(throng_world_create(&d, &world, &error), THRONG_ERROR_BAD_COOKIE, &error);
  for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT; isa++) {
    d = def;
    d.isa = (throng_isa)isa;
    if (!throng_isa_available((throng_isa)isa))
      require_error(throng_world_create(&d, &world, &error), THRONG_ERROR_UNSUPPORTED, &error);
  }
  assert_null(world);
}

static void boxes(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
  for (int boundary = THRONG_BOX; boundary <= THRONG_PERIODIC; boundary++)
    for (int space = 0; space < 2; space++) {
      def.boundary = (throng_boundary)boundary;
      def.space = (throng_space)space;
      for (int axis = 0; axis < 3; axis++) {
        if (axis == 1 && space == THRONG_PLANAR) continue;
        const size_t place = (size_t)axis * sizeof(float);
        static const float lows[] = {100.0f, 200.0f, NAN, -INFINITY, -2e6f},
                           highs[] = {0.0f, -5.0f, NAN, INFINITY, 2e6f};
        for (int k = 0; k < 5; k++) {
          const throng_status expected =
              k < 2 ? THRONG_ERROR_BAD_VALUE : (k < 4 ? THRONG_ERROR_NOT_FINITE : THRONG_ERROR_OUT_OF_RANGE);
          throng_world_def d = def;
          memcpy((char *)&d.box_min + place, &lows[k], sizeof(float));
          require_world_refused(&d, expected, k < 2 ? "box" : "box_min", lows[k]);
          d = def;
          memcpy((char *)&d.box_max + place, &highs[k], sizeof(float));
          require_world_refused(&d, expected, k < 2 ? "box" : "box_max", highs[k]);
        }
      }
    }
  /* Periodic sides of at least 4 R. */
  def.boundary = THRONG_PERIODIC;
  def.space = THRONG_PLANAR;
  def.box_max = (throng_vec3){4.0f, 0.0f, 3.9f};
  require_world_refused(&def, THRONG_ERROR_BAD_VALUE, "box", 3.9f);
  def.box_max.z = 4.0f;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  throng_world_destroy(world);
  /* Unbounded worlds do not look at the box. */
  def.boundary = THRONG_UNBOUNDED;
  def.box_min.x = NAN;
  require_ok(throng_world_create(&def, &world, &error), &error);
  throng_world_destroy(world);
}

static void half_hooks(void **state) {
  (void)state;
  test_memory memory = {0};
  throng_world_def def = throng_default_world_def();
  throng_world *world = NULL;
  throng_error error;
  def.thread_count = 1;
  def.allocator = test_allocator(&memory);
  def.allocator.release = NULL;
  assert_true(throng_world_create(&def, &world, &error) != THRONG_OK);
  assert_non_null(strstr(error.text, "allocator"));
  def.allocator = test_allocator(&memory);
  def.allocator.allocate = NULL;
  assert_true(throng_world_create(&def, &world, &error) != THRONG_OK);
  assert_non_null(strstr(error.text, "allocator"));
  assert_null(world);
}

static void *never_enqueue(throng_task *task, uint32_t count, uint32_t least, void *task_context, void *context) {
  (void)task, (void)count, (void)least, (void)task_context, (void)context;
  return NULL;
}

static void never_finish(void *job, void *context) { (void)job, (void)context; }

static void half_job_systems(void **state) {
  (void)state;
  const throng_job_system bad[] = {{never_enqueue, NULL, NULL, 2},
                                   {NULL, never_finish, NULL, 2},
                                   {never_enqueue, never_finish, NULL, 0},
                                   {never_enqueue, never_finish, NULL, 1025}};
  for (size_t k = 0; k < 4; k++) {
    throng_world_def def = throng_default_world_def();
    throng_world *world = NULL;
    throng_error error;
    def.jobs = bad[k];
    assert_true(throng_world_create(&def, &world, &error) != THRONG_OK);
    assert_non_null(strstr(error.text, "jobs"));
    assert_null(world);
  }
}

static void time_steps(void **state) {
  (void)state;
  throng_world *world = default_world();
  throng_error error;
  static const float bad[] = {-1e-9f, -1.0f, 1.001f, FLT_MAX, NAN, INFINITY, -INFINITY};
  require_ok(throng_steer(world, 0.1f, &error), &error);
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    const throng_status expected = isfinite(bad[k]) ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE;
    require_error(throng_step(world, bad[k], &error), expected, &error);
    require_text(&error, "dt", bad[k]);
    require_error(throng_steer(world, bad[k], &error), expected, &error);
    require_error(throng_integrate(world, bad[k], &error), expected, &error);
  }
  assert_true(throng_world_frame(world) == 0);
  require_ok(throng_step(world, 0.0f, &error), &error);
  require_ok(throng_step(world, 1.0f, &error), &error);
  require_ok(throng_step(world, -0.0f, &error), &error);
  assert_true(throng_world_frame(world) == 3);
  throng_world_destroy(world);
}

static void null_worlds(void **state) {
  (void)state;
  const throng_status null = THRONG_ERROR_NULL_ARGUMENT;
  throng_error e;
  throng_world_def world_def = throng_default_world_def();
  throng_group_def group_def = throng_default_group_def();
  throng_agents_def agents_def = throng_default_agents_def();
  throng_cells_def cells_def = throng_default_cells_def();
  throng_world *world = NULL;
  throng_agent_id id = {1, 1, 0};
  throng_vec3 p = {0, 0, 0};
  throng_neighbour near;
  throng_view view;
  throng_edit edit;
  throng_profile profile;
  uint32_t count;
  require_error(throng_world_create(NULL, &world, &e), null, &e);
  require_error(throng_world_create(&world_def, NULL, &e), null, &e);
  require_error(throng_step(NULL, 0.1f, &e), null, &e);
  require_error(throng_steer(NULL, 0.1f, &e), null, &e);
  require_error(throng_integrate(NULL, 0.1f, &e), null, &e);
  require_error(throng_world_index(NULL, &e), null, &e);
  require_error(throng_world_shift_origin(NULL, 1, 0, 0, &p, &e), null, &e);
  require_error(throng_group_set(NULL, 0, &group_def, &e), null, &e);
  require_error(throng_group_get(NULL, 0, &group_def, &e), null, &e);
  require_error(throng_agents_reserve(NULL, 10, &e), null, &e);
  require_error(throng_agents_add(NULL, &agents_def, 0, NULL, &e), null, &e);
  require_error(throng_agents_add_with_ids(NULL, &agents_def, 0, &id, &e), null, &e);
  require_error(throng_agents_remove(NULL, &id, 1, &e), null, &e);
  require_error(throng_agents_ids(NULL, &id, 1, &count, &e), null, &e);
  require_error(throng_agents_read(NULL, THRONG_POSITION, NULL, 0, &p, 0, &e), null, &e);
  require_error(throng_agents_write(NULL, THRONG_POSITION, NULL, 0, &p, 0, &e), null, &e);
  require_error(throng_world_view(NULL, &view, &e), null, &e);
  require_error(throng_world_edit(NULL, false, &edit, &e), null, &e);
  require_error(throng_world_set_cells(NULL, &cells_def, &e), null, &e);
  require_error(throng_query_radius(NULL, p, 1, 1, &near, 1, &count, &e), null, &e);
  require_error(throng_query_nearest(NULL, p, 1, 1, &near, &count, &e), null, &e);
  require_error(throng_query_radius_batch(NULL, &p, 1, 1, 1, &near, 1, &count, &e), null, &e);
  require_error(throng_query_nearest_batch(NULL, &p, 1, 1, 1, &near, &count, &e), null, &e);
  require_error(throng_world_profile(NULL, &profile, &e), null, &e);
  require_error(throng_world_profile_reset(NULL, &e), null, &e);
  assert_false(throng_world_check(NULL, &e));
  throng_world_destroy(NULL);
  assert_int_equal(throng_agent_count(NULL), 0);
  assert_false(throng_agent_is_valid(NULL, id));
  assert_int_equal(throng_group_agent_count(NULL, 0), 0);
  assert_false(throng_world_is_indexed(NULL));
  assert_true(throng_world_frame(NULL) == 0);
  assert_false(throng_world_is_blocked(NULL, 0, 0));
  assert_true(throng_world_get_def(NULL).perception_radius == world_def.perception_radius);
  assert_int_equal(throng_world_get_def(NULL).cookie, world_def.cookie);
}

static void null_arguments(void **state) {
  (void)state;
  const throng_status null = THRONG_ERROR_NULL_ARGUMENT;
  throng_world *world = default_world();
  throng_error e;
  throng_agents_def def = throng_default_agents_def();
  throng_vec3 p = {0, 0, 0};
  throng_neighbour near;
  throng_agent_id id;
  uint32_t count;
  require_error(throng_group_set(world, 0, NULL, &e), null, &e);
  require_error(throng_group_get(world, 0, NULL, &e), null, &e);
  require_error(throng_agents_add(world, NULL, 1, NULL, &e), null, &e);
  require_error(throng_agents_add(world, &def, 1, NULL, &e), null, &e); /* no positions */
  def.position.data = &p;
  require_error(throng_agents_add_with_ids(world, &def, 1, NULL, &e), null, &e);
  require_error(throng_agents_add_with_ids(world, NULL, 1, &id, &e), null, &e);
  require_ok(throng_agents_add(world, &def, 1, &id, &e), &e);
  require_error(throng_agents_remove(world, NULL, 1, &e), null, &e);
  require_error(throng_agents_ids(world, NULL, 1, &count, &e), null, &e);
  require_error(throng_agents_ids(world, &id, 1, NULL, &e), null, &e);
  require_error(throng_agents_read(world, THRONG_POSITION, &id, 1, NULL, 0, &e), null, &e);
  require_error(throng_world_view(world, NULL, &e), null, &e);
  require_error(throng_world_edit(world, false, NULL, &e), null, &e);
  require_ok(throng_world_index(world, &e), &e);
  require_error(throng_query_radius(world, p, 1, 1, NULL, 1, &count, &e), null, &e);
  require_error(throng_query_radius(world, p, 1, 1, &near, 1, NULL, &e), null, &e);
  require_error(throng_query_nearest(world, p, 1, 1, NULL, &count, &e), null, &e);
  require_error(throng_query_nearest(world, p, 1, 1, &near, NULL, &e), null, &e);
  require_error(throng_query_radius_batch(world, NULL, 1, 1, 1, &near, 1, &count, &e), null, &e);
  require_error(throng_query_radius_batch(world, &p, 1, 1, 1, &near, 1, NULL, &e), null, &e);
  require_error(throng_query_nearest_batch(world, NULL, 1, 1, 1, &near, &count, &e), null, &e);
  require_error(throng_query_nearest_batch(world, &p, 1, 1, 1, NULL, &count, &e), null, &e);
  throng_profile profile;
  require_error(throng_world_profile(world, NULL, &e), null, &e);
  require_error(throng_world_profile(world, &profile, &e), THRONG_ERROR_UNSUPPORTED, &e);
  require_error(throng_world_profile_reset(world, &e), THRONG_ERROR_UNSUPPORTED, &e);
  def.cookie = 0;
  require_error(throng_agents_add(world, &def, 1, NULL, &e), THRONG_ERROR_BAD_COOKIE, &e);
  require_error(throng_agents_add_with_ids(world, &def, 1, &id, &e), THRONG_ERROR_BAD_COOKIE, &e);
  require_error(throng_agents_reserve(world, 0x80000000u, &e), THRONG_ERROR_CAPACITY, &e);
  /* The error is optional everywhere. */
  assert_int_equal(throng_step(world, NAN, NULL), THRONG_ERROR_NOT_FINITE);
  assert_int_equal(throng_group_set(world, 0, NULL, NULL), null);
  assert_int_equal(throng_agents_add(world, &def, 1, NULL, NULL), THRONG_ERROR_BAD_COOKIE);
  assert_int_equal(throng_world_create(NULL, NULL, NULL), null);
  assert_true(throng_world_check(world, NULL));
  throng_world_destroy(world);
}

static void names(void **state) {
  (void)state;
  for (int status = THRONG_OK; status <= THRONG_ERROR_UNSUPPORTED; status++) {
    const char *name = throng_status_name((throng_status)status);
    assert_non_null(name);
    assert_true(strncmp(name, status == 0 ? "THRONG_OK" : "THRONG_ERROR_", status == 0 ? 9 : 13) == 0);
    for (int other = 0; other < status; other++)
      assert_string_not_equal(name, throng_status_name((throng_status)other));
  }
  assert_non_null(throng_status_name((throng_status)1000));
  static const char *const isas[] = {"auto", "baseline", "avx2", "avx512", "neon"};
  for (int isa = 0; isa < THRONG_ISA_COUNT; isa++) {
    assert_string_equal(throng_isa_name((throng_isa)isa), isas[isa]);
    assert_int_equal(throng_isa_from_name(isas[isa]), isa);
  }
  assert_string_equal(throng_isa_name((throng_isa)99), "?");
  assert_int_equal(throng_isa_from_name("AVX2 "), THRONG_ISA_COUNT);
  assert_int_equal(throng_isa_from_name(""), THRONG_ISA_COUNT);
  assert_int_equal(throng_isa_from_name(NULL), THRONG_ISA_COUNT);
  assert_true(throng_isa_available(THRONG_ISA_AUTO));
  assert_false(throng_isa_available(THRONG_ISA_COUNT));
  assert_false(throng_isa_available((throng_isa)-1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(group_definitions), cmocka_unit_test(infinite_speed), cmocka_unit_test(undefined_groups),
      cmocka_unit_test(world_definitions), cmocka_unit_test(boxes),          cmocka_unit_test(half_hooks),
      cmocka_unit_test(half_job_systems),  cmocka_unit_test(time_steps),     cmocka_unit_test(null_worlds),
      cmocka_unit_test(null_arguments),    cmocka_unit_test(names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
