/* tests/api/test_errors.c: checks the status and the text (field and value) of errors in definitions of worlds, hooks,
 * time steps, and groups whose fields contradict each other. test_arguments_values.c tests single floats,
 * test_arguments.c pointers and ids.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/groups.h"
#include "support/memory.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char no_world; /* its address is the output of create before a call that must not change it */

static throng_world *default_world(void) {
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  return world;
}

/* Checks that the text contains the field's name and the value. */
static void require_text(const throng_error *error, const char *word, float value) {
  if (strstr(error->text, word) != NULL && has_number(error->text, value)) return;
  print_error("'%s' does not name %s and %g\n", error->text, word, (double)value);
  fail();
}

/* Returns a group that uses every field: steered facing, and many behaviours. */
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
  require_ok(throng_world_get_group(world, 0, &before, &error), &error);
  const throng_status status = throng_world_set_group(world, 0, g, &error);
  if (status == THRONG_OK) {
    print_error("%s = %g was accepted\n", name, (double)value);
    fail();
  }
  if (status != THRONG_ERROR_BAD_VALUE && status != THRONG_ERROR_NOT_FINITE) {
    print_error("%s = %g: %s\n", name, (double)value, throng_status_name(status));
    fail();
  }
  require_text(&error, name, value);
  require_ok(throng_world_get_group(world, 0, &after, &error), &error);
  assert_memory_equal(&before, &after, sizeof before);
}

static void group_definitions(void **state) {
  (void)state;
  throng_world *world = default_world();
  throng_error error;
  throng_group_def g = busy_group();
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  g = busy_group();
  g.layer = 32;
  require_group_refused(world, &g, "layer", 32.0f);
  g = busy_group();
  g.facing = (throng_facing)77;
  require_group_refused(world, &g, "facing", 77.0f);
  g = busy_group();
  g.actuation = (throng_actuation)3;
  require_group_refused(world, &g, "actuation", 3.0f);
  g = busy_group();
  g.cookie ^= 1;
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_COOKIE, &error);
  memset(&g, 0, sizeof g);
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_COOKIE, &error);
  g = busy_group();
  assert_true(throng_world_set_group(world, 256, &g, &error) != THRONG_OK);
  assert_non_null(strstr(error.text, "256"));
  assert_true(throng_world_set_group(world, 0xffffffffu, &g, &error) != THRONG_OK);
  throng_world_destroy(world);
}

/* max_speed may be infinite, but not with behaviours that want full speed. */
static void infinite_speed(void **state) {
  (void)state;
  throng_world *world = default_world();
  throng_error error;
  throng_group_def g = throng_default_group_def();
  g.max_speed = INFINITY;
  g.cohesion.form = THRONG_COHESION_SEEK;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.1f;
  require_group_refused(world, &g, "max_speed", INFINITY);
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.0f;
  group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f);
  require_group_refused(world, &g, "max_speed", INFINITY);
  throng_world_destroy(world);
}

/* max_acceleration may be infinite if something else keeps velocities and positions finite. */
static void infinite_acceleration(void **state) {
  (void)state;
  throng_world *world = default_world();
  throng_error error;
  throng_group_def g = throng_default_group_def();
  g.max_acceleration = INFINITY;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  g.max_speed = INFINITY;
  require_group_refused(world, &g, "max_speed", INFINITY);
  throng_world_destroy(world);
  throng_world_def def = throng_default_world_def();
  def.update = THRONG_UPDATE_BALLISTIC;
  require_ok(throng_world_create(&def, &world, &error), &error);
  g.max_speed = 2.0f;
  require_group_refused(world, &g, "max_acceleration", INFINITY);
  throng_world_destroy(world);
}

static void undefined_groups(void **state) {
  (void)state;
  throng_world *world = default_world();
  throng_error error;
  throng_group_def g = throng_default_group_def(), back;
  require_ok(throng_world_get_group(world, 0, &back, &error), &error);
  require_error(throng_world_get_group(world, 1, &back, &error), THRONG_ERROR_NO_GROUP, &error);
  require_error(throng_world_get_group(world, 256, &back, &error), THRONG_ERROR_NO_GROUP, &error);
  g.max_speed = 2.25f;
  require_ok(throng_world_set_group(world, 255, &g, &error), &error);
  require_ok(throng_world_get_group(world, 255, &back, &error), &error);
  assert_memory_equal(&g, &back, sizeof g);
  assert_int_equal(throng_world_group_agent_count(world, 254), 0);
  assert_int_equal(throng_world_group_agent_count(world, 1000), 0);
  throng_world_destroy(world);
}

static void require_world_refused(const throng_world_def *def, throng_status expected, const char *word, float value) {
  throng_error error;
  throng_world *world = (throng_world *)(void *)&no_world; /* must stay unchanged */
  const throng_status status = throng_world_create(def, &world, &error);
  if (status != expected) {
    print_error("%s = %g: create returned %s, expected %s\n", word, (double)value, throng_status_name(status),
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
  REFUSED(boundary[0], (throng_boundary)3, bad, "boundary[0]");
  REFUSED(boundary[1], (throng_boundary)3, bad, "boundary[1]");
  REFUSED(boundary[2], (throng_boundary)3, bad, "boundary[2]");
  REFUSED(separation_law, (throng_separation_law)3, bad, "separation_law");
  REFUSED(update, (throng_update)3, bad, "update");
  REFUSED(isa, (throng_isa)50, bad, "isa");
  REFUSED(threads, THRONG_THREADS_COUNT, bad, "threads");
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
    if (!throng_isa_is_available((throng_isa)isa))
      require_error(throng_world_create(&d, &world, &error), THRONG_ERROR_UNSUPPORTED, &error);
  }
  assert_null(world);
}

static void boxes(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
  for (int boundary = THRONG_BOUNDARY_BOX; boundary <= THRONG_BOUNDARY_PERIODIC; boundary++)
    for (int space = 0; space < 2; space++) {
      throng_world_def_set_boundary(&def, (throng_boundary)boundary);
      def.space = (throng_space)space;
      for (int axis = 0; axis < 3; axis++) {
        if (axis == 1 && space == THRONG_SPACE_PLANAR) continue;
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
  /* The sides of a periodic box must be at least 4 R. */
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.space = THRONG_SPACE_PLANAR;
  def.box_max = (throng_vec3){4.0f, 0.0f, 3.9f};
  require_world_refused(&def, THRONG_ERROR_BAD_VALUE, "box", 3.9f);
  def.box_max.z = 4.0f;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  throng_world_destroy(world);
  /* Unbounded worlds do not check the box. */
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_UNBOUNDED);
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
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    const throng_status expected = isfinite(bad[k]) ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE;
    require_error(throng_world_step(world, bad[k], &error), expected, &error);
    require_text(&error, "dt", bad[k]);
    require_error(throng_world_steer(world, bad[k], &error), expected, &error);
    require_error(throng_world_integrate(world, bad[k], &error), expected, &error);
  }
  assert_true(throng_world_frame(world) == 0);
  require_ok(throng_world_step(world, 0.0f, &error), &error);
  require_ok(throng_world_step(world, 1.0f, &error), &error);
  require_ok(throng_world_step(world, -0.0f, &error), &error);
  assert_true(throng_world_frame(world) == 3);
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
  static const char *const threads[] = {"openmp", "team", "serial", "auto"};
  for (int k = 0; k < THRONG_THREADS_COUNT; k++) {
    assert_string_equal(throng_threads_name((throng_threads)k), threads[k]);
    assert_int_equal(throng_threads_from_name(threads[k]), k);
  }
  assert_true(throng_isa_is_available(THRONG_ISA_AUTO));
  assert_false(throng_isa_is_available(THRONG_ISA_COUNT));
  assert_false(throng_isa_is_available((throng_isa)-1));
}

int main(void) {
  comma_locale();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(group_definitions),
      cmocka_unit_test(infinite_speed),
      cmocka_unit_test(infinite_acceleration),
      cmocka_unit_test(undefined_groups),
      cmocka_unit_test(world_definitions),
      cmocka_unit_test(boxes),
      cmocka_unit_test(half_hooks),
      cmocka_unit_test(half_job_systems),
      cmocka_unit_test(time_steps),
      cmocka_unit_test(names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
