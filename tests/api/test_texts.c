/* test_texts.c: tests the numbers, element names, enumerators, limits and strides in error texts, in a locale whose
 * decimal separator is a comma. The rules that every error text must follow are checked by check.c, in every test.
 * SPDX-License-Identifier: MIT */
#include "support/agents.h"
#include "support/groups.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <throng/passes.h>

#include "base/text.h"

static throng_error error;

/* Checks that the text contains all these words. */
static void require_words(const char *const *words) {
  for (; *words; words++) {
    if (strstr(error.text, *words)) continue;
    print_error("'%s' does not say '%s'\n", error.text, *words);
    fail();
  }
}
#define SAYS_WORDS(status, call, ...)                                                                                  \
  do {                                                                                                                 \
    require_error(call, THRONG_ERROR_##status, &error);                                                                \
    require_words((const char *const[]){__VA_ARGS__, NULL});                                                           \
  } while (0)

static throng_status create(throng_world_def def) {
  throng_world *world = NULL;
  return throng_world_create(&def, &world, &error);
}

static void numbers(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.perception_radius = -1.5f;
  SAYS_WORDS(BAD_VALUE, create(def), "world.perception_radius is -1.5, allowed: 0.001 to 1e6");
  def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_min.x = 0.1f;
  def.box_max.x = -0.25f;
  SAYS_WORDS(BAD_VALUE, create(def), "0.1, must be below box_max.x, -0.25");
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0);
  throng_group_def g = throng_default_group_def();
  g.max_acceleration = -2.75f;
  SAYS_WORDS(BAD_VALUE, throng_world_set_group(world, 1, &g, &error), "is -2.75, allowed: above 0, to 1e9");
  g = throng_default_group_def();
  g.max_speed = -0.5f;
  SAYS_WORDS(BAD_VALUE, throng_world_set_group(world, 1, &g, &error), "is -0.5, allowed: above 0, to 1e9, or INFINITY");
  const throng_agent_id id = add_one(world, 0, 0);
  const float radius = -0.1f;
  SAYS_WORDS(BAD_VALUE, throng_agents_write(world, THRONG_COLUMN_BODY_RADIUS, &id, 1, &radius, 0, &error),
             "body_radius[0] is -0.1, allowed: ");
  uint32_t count;
  require_ok(throng_world_index(world, &error), &error);
  SAYS_WORDS(
      BAD_VALUE,
      throng_world_query_radius(world, (throng_vec3){0, 0, 0}, -2.5f, THRONG_ALL_LAYERS, NULL, 0, &count, &error),
      "radius is -2.5, allowed: 0 or more");
  throng_world_destroy(world);
}

/* An error text lists the words of its parameter, or a bool's two values, and says INFINITY where allowed. */
static void parameters(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0);
  throng_parameter p;
  uint32_t named = 0, infinite = 0;
  for (uint32_t k = 0; throng_group_def_get_parameter(k, &p); k++) {
    throng_group_def g = throng_default_group_def();
    const int32_t choice = 77;
    const float number = -1.0f;
    if (p.words) {
      memcpy((char *)&g + p.offset, &choice, sizeof choice);
      SAYS_WORDS(BAD_VALUE, throng_world_set_group(world, 1, &g, &error), p.name, "is 77, allowed: ");
      require_words(p.words);
      named++;
    }
    if (p.infinite) {
      memcpy((char *)&g + p.offset, &number, sizeof number);
      SAYS_WORDS(BAD_VALUE, throng_world_set_group(world, 1, &g, &error), p.name, "is -1, allowed: ", "or INFINITY");
      infinite++;
    }
  }
  assert_true(named >= 6 && infinite >= 3);
  for (int kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++) {
    for (uint32_t k = 0; throng_behaviour_get_parameter((throng_behaviour_kind)kind, k, &p); k++) {
      throng_group_def g = throng_default_group_def();
      throng_behaviour *b = throng_group_def_add(&g, (throng_behaviour_kind)kind);
      const int32_t choice = 77;
      if (p.type == THRONG_PARAMETER_BOOL) memset((char *)b + p.offset, 7, 1);
      if (p.words) memcpy((char *)b + p.offset, &choice, sizeof choice);
      if (p.type == THRONG_PARAMETER_BOOL)
        SAYS_WORDS(BAD_VALUE, throng_world_set_group(world, 1, &g, &error), p.name, "is 7, allowed: false or true");
      if (p.words) SAYS_WORDS(BAD_VALUE, throng_world_set_group(world, 1, &g, &error), p.name, p.words[0], p.words[1]);
    }
  }
  throng_world_destroy(world);
}

static void enumerators(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.space = (throng_space)2;
  SAYS_WORDS(BAD_VALUE, create(def), "world.space is 2, allowed: THRONG_SPACE_PLANAR or THRONG_SPACE_SPATIAL");
  def = throng_default_world_def();
  throng_world_def_set_boundary(&def, (throng_boundary)9);
  SAYS_WORDS(BAD_VALUE, create(def), "UNBOUNDED", "BOX", "or THRONG_BOUNDARY_PERIODIC");
  def = throng_default_world_def();
  def.separation_law = (throng_separation_law)9;
  SAYS_WORDS(BAD_VALUE, create(def), "THRONG_SEPARATION_INVERSE,", "LINEAR", "INVERSE_SQUARE");
  def = throng_default_world_def();
  def.update = (throng_update)-1;
  SAYS_WORDS(BAD_VALUE, create(def), "is -1", "SEMI_IMPLICIT", "EXPLICIT", "BALLISTIC");
  def = throng_default_world_def();
  def.isa = (throng_isa)50;
  SAYS_WORDS(BAD_VALUE, create(def), "THRONG_ISA_AUTO to THRONG_ISA_NEON");
  def = throng_default_world_def();
  def.threads = (throng_threads)7;
  SAYS_WORDS(BAD_VALUE, create(def), "threads is 7", "THRONG_THREADS_OPENMP to THRONG_THREADS_AUTO");
  def = throng_default_world_def();
  def.axes.x = (throng_axis)9;
  SAYS_WORDS(BAD_VALUE, create(def), "axes.x is 9, allowed: THRONG_AXIS_X to THRONG_AXIS_MINUS_Z");
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0), *spatial = new_world(THRONG_SPACE_SPATIAL, 0);
  throng_group_def g = throng_default_group_def();
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->target.kind = (throng_target_kind)5;
  SAYS_WORDS(BAD_VALUE, throng_world_set_group(world, 1, &g, &error), "target.kind is 5", "THRONG_TARGET_GOAL",
             "THRONG_TARGET_POINT", "THRONG_TARGET_AGENT");
  g.behaviour[0].kind = (throng_behaviour_kind)99;
  SAYS_WORDS(BAD_VALUE, throng_world_set_group(world, 1, &g, &error), "kind is 99, allowed: the kinds from seek to ");
  float room[3];
  SAYS_WORDS(BAD_VALUE, throng_agents_read(world, THRONG_COLUMN_COUNT, NULL, 0, room, 0, &error),
             "the columns from position to ");
  static uint8_t bytes[20000];
  size_t size = 0;
  require_ok(throng_world_save_snapshot(spatial, bytes, sizeof bytes, &size, &error), &error);
  SAYS_WORDS(BAD_VALUE, throng_world_load_snapshot(world, bytes, size, &error), "world.space is THRONG_SPACE_PLANAR",
             "saved THRONG_SPACE_SPATIAL");
  throng_world_destroy(world);
  throng_world_destroy(spatial);
}

static void elements(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 3);
  throng_agent_id ids[4];
  throng_vec3 p[4] = {{0, 0, 0}};
  for (int k = 0; k < 4; k++) ids[k] = add_one(world, (float)k, 0);
  ids[2].generation = 9;
  SAYS_WORDS(STALE_ID, throng_agents_read(world, THRONG_COLUMN_POSITION, ids, 4, p, 0, &error), "ids[2] {3, 9, 3}");
  SAYS_WORDS(STALE_ID, throng_agents_write(world, THRONG_COLUMN_POSITION, ids, 4, p, 0, &error), "ids[2] {3, 9, 3}");
  SAYS_WORDS(STALE_ID, throng_agents_remove(world, ids, 4, &error), "ids[2] {3, 9, 3}");
  ids[2].generation = 1;
  ids[1].world = 4;
  SAYS_WORDS(FOREIGN_ID, throng_agents_remove(world, ids, 4, &error), "ids[1] {2, 1, 4}");
  throng_agents_def def = throng_default_agents_def();
  def.position.data = p;
  const throng_agent_id own[2] = {{50, 1, 3}, {51, 1, 4}};
  SAYS_WORDS(FOREIGN_ID, throng_agents_add_with_ids(world, &def, 2, own, &error), "ids[1] {51, 1, 4}");
  ids[1].world = 3;
  const throng_agent_id twice[2] = {ids[0], ids[0]};
  SAYS_WORDS(STALE_ID, throng_agents_remove(world, twice, 2, &error), "ids[1]");
  throng_world_destroy(world);
}

/* Accelerations are not written by throng_agents_write. Without a steer there are none. */
static void accelerations(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0);
  const throng_agent_id id = add_one(world, 0, 0);
  const throng_vec3 a = {0, 0, 0};
  SAYS_WORDS(NOT_STEERED, throng_agents_write(world, THRONG_COLUMN_ACCELERATION, &id, 1, &a, 0, &error),
             "only after throng_world_steer");
  require_ok(throng_world_steer(world, 0.02f, &error), &error);
  SAYS_WORDS(BAD_VALUE, throng_agents_write(world, THRONG_COLUMN_ACCELERATION, &id, 1, &a, 0, &error),
             "column is acceleration, which throng_world_edit_accelerations writes");
  SAYS_WORDS(BAD_VALUE, throng_agents_write(world, THRONG_COLUMN_YAW_ACCELERATION, &id, 1, &a, 0, &error),
             "yaw_acceleration");
  throng_world_destroy(world);
}

/* Strides smaller than an element. */

static const float values[64] = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f};

static void strides_of_agents(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0), *spatial = new_world(THRONG_SPACE_SPATIAL, 0);
  throng_agents_def good = throng_default_agents_def();
  good.position.data = values;
  const struct {
    const char *name;
    size_t offset, bytes;
  } spans[] = {{"position", offsetof(throng_agents_def, position), 12},
               {"velocity", offsetof(throng_agents_def, velocity), 12},
               {"facing", offsetof(throng_agents_def, facing), 4},
               {"goal", offsetof(throng_agents_def, goal), 12},
               {"perception_radius", offsetof(throng_agents_def, perception_radius), 4},
               {"body_radius", offsetof(throng_agents_def, body_radius), 4},
               {"mass", offsetof(throng_agents_def, mass), 4}};
  for (size_t k = 0; k < sizeof spans / sizeof spans[0]; k++) {
    for (size_t stride = 1; stride < spans[k].bytes; stride++) {
      throng_agents_def def = good;
      const throng_span span = {values + 1, stride};
      char field[128];
      memcpy((char *)&def + spans[k].offset, &span, sizeof span);
      snprintf(field, sizeof field, "agents.%s.stride is %zu, allowed: 0, or at least the %zu bytes", spans[k].name,
               stride, spans[k].bytes);
      SAYS_WORDS(BAD_VALUE, throng_agents_add(world, &def, 2, NULL, &error), field);
      const throng_agent_id ids[2] = {{50, 1, 0}, {51, 1, 0}};
      SAYS_WORDS(BAD_VALUE, throng_agents_add_with_ids(world, &def, 2, ids, &error), field);
    }
  }
  throng_agents_def facing = good;
  facing.facing = (throng_span){values, 8};
  SAYS_WORDS(BAD_VALUE, throng_agents_add(spatial, &facing, 2, NULL, &error), "agents.facing.stride is 8");
  const throng_agent_id id[2] = {add_one(world, 0, 0), add_one(world, 1, 0)};
  SAYS_WORDS(BAD_VALUE, throng_agents_write(world, THRONG_COLUMN_VELOCITY, id, 2, values, 4, &error), "stride is 4");
  float room[8];
  SAYS_WORDS(BAD_VALUE, throng_agents_read(world, THRONG_COLUMN_VELOCITY, id, 2, room, 8, &error), "stride is 8");
  throng_world_destroy(world);
  throng_world_destroy(spatial);
}

static void strides_of_objects(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0), *spatial = new_world(THRONG_SPACE_SPATIAL, 0);
  throng_path_def path = throng_default_path_def();
  path.points = (throng_span){values, 4};
  path.count = 3;
  SAYS_WORDS(BAD_VALUE, throng_world_set_path(world, 0, &path, &error), "path.points.stride is 4");
  throng_formation_def formation = throng_default_formation_def();
  formation.places = (throng_span){values, 11};
  formation.count = 3;
  SAYS_WORDS(BAD_VALUE, throng_world_set_formation(world, 0, &formation, &error), "formation.places.stride is 11");
  throng_scenery_def scenery = throng_default_scenery_def();
  scenery.obstacle_count = 2;
  scenery.obstacle_centre = (throng_span){values, 4};
  scenery.obstacle_radius = (throng_span){values, 0};
  SAYS_WORDS(BAD_VALUE, throng_world_set_scenery(world, &scenery, &error), "scenery.obstacle_centre.stride is 4");
  scenery.obstacle_centre.stride = 12;
  scenery.obstacle_radius.stride = 3;
  SAYS_WORDS(BAD_VALUE, throng_world_set_scenery(world, &scenery, &error), "scenery.obstacle_radius.stride is 3");
  scenery = throng_default_scenery_def();
  scenery.wall_count = 2;
  scenery.wall_from = (throng_span){values, 0};
  scenery.wall_to = (throng_span){values + 1, 8};
  SAYS_WORDS(BAD_VALUE, throng_world_set_scenery(world, &scenery, &error), "scenery.wall_to.stride is 8");
  scenery = throng_default_scenery_def();
  scenery.plane_count = 2;
  scenery.plane_normal = (throng_span){values, 4};
  scenery.plane_point = (throng_span){values, 0};
  SAYS_WORDS(BAD_VALUE, throng_world_set_scenery(spatial, &scenery, &error), "scenery.plane_normal.stride is 4");
  throng_passes *passes = NULL;
  const throng_world_def def = throng_default_world_def();
  require_ok(throng_passes_create(&def, &passes, &error), &error);
  throng_passes_agents_def agents = throng_default_passes_agents_def();
  agents.count = 2;
  agents.position = agents.velocity = (throng_vectors){values, values, values, 0};
  agents.mass = (throng_span){values, 2};
  SAYS_WORDS(BAD_VALUE, throng_passes_build_grid(passes, &agents, &error), "agents.mass.stride is 2");
  throng_passes_destroy(passes);
  throng_world_destroy(world);
  throng_world_destroy(spatial);
}

static const char *format(const char *text, ...) {
  static char out[64];
  va_list arguments;
  va_start(arguments, text);
  throng_text_format(out, sizeof out, text, arguments);
  va_end(arguments);
  return out;
}

static void formats(void **state) {
  (void)state;
  assert_string_equal(format("%.9g %.9g %.9g", (double)0.1f, (double)16777217.0f, (double)1e-6f), "0.1 16777216 1e-6");
  assert_string_equal(format("%.9g %.9g", (double)FLT_MAX, (double)FLT_MIN), "3.4028235e38 1.1754944e-38");
  assert_string_equal(format("%g %g %g %.0f", 1.5, -0.0, 1e20, 4294967295.0), "1.5 -0 1e20 4294967295");
  assert_string_equal(format("%g %.9g %g", (double)NAN, (double)-INFINITY, (double)INFINITY), "nan -inf inf");
  assert_string_equal(format("%zu %llu %u %d %c%s", (size_t)7, 1ull << 40, 3u, -4, 'x', "yz"),
                      "7 1099511627776 3 -4 xyz");
  assert_string_equal(format("%.3s|%08x|%016llx", "abcdef", 255u, 255ull), "abc|000000ff|00000000000000ff");
  assert_int_equal(
      strlen(format("%s%s", "0123456789012345678901234567890123456789", "0123456789012345678901234567890")), 63);
}

int main(void) {
  if (!comma_locale()) print_message("no locale with a decimal comma: testing in locale C\n");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers),  cmocka_unit_test(parameters),        cmocka_unit_test(enumerators),
      cmocka_unit_test(elements), cmocka_unit_test(strides_of_agents), cmocka_unit_test(strides_of_objects),
      cmocka_unit_test(formats),  cmocka_unit_test(accelerations),
  };
  return cmocka_run_group_tests_name("texts", tests, NULL, NULL);
}
