/* tests/guides/test_flow_field.c: tests of flow fields in a world: sampling, following, errors, memory, origin shifts.
 * SPDX-License-Identifier: MIT */
#include "support/maps.h"
#include "support/memory.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

static uint64_t base_seed;

static throng_vec3 sample(const throng_world *world, uint32_t number, float x, float z) {
  throng_vec3 v = {9, 9, 9};
  throng_error error;
  require_ok(throng_world_sample_flow_field(world, number, (throng_vec3){x, 0, z}, &v, &error), &error);
  return v;
}

/* A sample is that of the bilinear formula in double precision, except for rounding. */
static void samples_are_bilinear(void **state) {
  (void)state;
  static map m;
  uint32_t compared = 0;
  for (uint32_t round = 0; round < 30; round++) {
    test_rng rng = rng_from(base_seed + 400 + round);
    map_random(&rng, &m, 3);
    if (round % 5 == 0) m.width = 1;
    if (round % 7 == 0) m.height = 1;
    memset(m.blocked, 0, sizeof m.blocked);
    for (uint32_t k = 0; k < 2 * m.width * m.height; k++) m.vectors[k] = rng_float(&rng, -3.0f, 3.0f);
    throng_world *world = map_world(&m, m.cell);
    for (int k = 0; k < 200; k++) {
      const double u = (double)rng_float(&rng, -3.0f, (float)m.width + 3.0f),
                   w = (double)rng_float(&rng, -3.0f, (float)m.height + 3.0f);
      const float x = (float)((double)m.origin_x + u * (double)m.cell),
                  z = (float)((double)m.origin_z + w * (double)m.cell);
      const double a = fmin(fmax(((double)x - (double)m.origin_x) / (double)m.cell - 0.5, 0.0), m.width - 1.0),
                   b = fmin(fmax(((double)z - (double)m.origin_z) / (double)m.cell - 0.5, 0.0), m.height - 1.0);
      double wanted[2] = {0, 0};
      for (uint32_t j = 0; j < m.height; j++)
        for (uint32_t i = 0; i < m.width; i++) {
          const double weight = fmax(0.0, 1.0 - fabs(a - i)) * fmax(0.0, 1.0 - fabs(b - j));
          for (int c = 0; c < 2; c++) wanted[c] += weight * (double)m.vectors[2 * (j * m.width + i) + (uint32_t)c];
        }
      const throng_vec3 v = sample(world, 5, x, z);
      /* The bound: the position in cells is rounded three times, each time by 2^-24 of at most |coordinate| / cell plus
       * the number of samples. A sample changes by at most 6 per cell. */
      const double bound = 1e-6 + 12.0 * 1.8e-7 * ((fabs((double)x) + fabs((double)z)) / (double)m.cell + MAP_SIDE);
      if (hypot(wanted[0], wanted[1]) < 1.0 / 16.0 + bound) continue; /* it may count as 0 */
      compared++;
      assert_true(fabs((double)v.x - wanted[0]) < bound && fabs((double)v.z - wanted[1]) < bound && v.y == 0.0f);
    }
    throng_world_destroy(world);
  }
  assert_true(compared > 5900);
}

static void samples_at_places_that_matter(void **state) {
  (void)state;
  static map m;
  memset(&m, 0, sizeof m);
  m.width = 3, m.height = 2, m.cell = 2.0f, m.origin_x = -1.0f, m.origin_z = 10.0f;
  for (int k = 0; k < 12; k++) m.vectors[k] = (float)(k * k);
  throng_world *world = map_world(&m, 1.0f);
  for (uint32_t k = 0; k < 6; k++) {
    const throng_vec3 v = sample(world, 5, 2.0f * (float)(k % 3), 11.0f + 2.0f * (float)(k / 3));
    assert_true(v.x == m.vectors[2 * k] && v.z == m.vectors[2 * k + 1]);
  }
  const throng_vec3 corner = sample(world, 5, -1e30f, 1e30f), middle = sample(world, 5, 1.0f, 12.0f);
  assert_true(corner.x == 36.0f && corner.z == 49.0f);
  assert_true(middle.x == 0.25f * (0 + 4 + 36 + 64) && middle.z == 0.25f * (1 + 9 + 49 + 81));
  m.vectors[0] = 77.0f; /* the world has a copy */
  assert_true(sample(world, 5, 0.0f, 11.0f).x == 0.0f);
  throng_vec3 v, shift;
  throng_error error;
  require_error(throng_world_sample_flow_field(world, 4, (throng_vec3){0, 0, 0}, &v, &error), THRONG_ERROR_BAD_VALUE,
                &error);
  require_error(throng_world_sample_flow_field(world, 64, (throng_vec3){0, 0, 0}, &v, &error), THRONG_ERROR_BAD_VALUE,
                &error);
  require_error(throng_world_sample_flow_field(world, 5, (throng_vec3){NAN, 0, 0}, &v, &error), THRONG_ERROR_NOT_FINITE,
                &error);
  require_error(throng_world_sample_flow_field(world, 5, (throng_vec3){0, 0, INFINITY}, &v, &error),
                THRONG_ERROR_NOT_FINITE, &error);
  require_error(throng_world_sample_flow_field(world, 5, (throng_vec3){0, 0, 0}, NULL, &error),
                THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_sample_flow_field(NULL, 5, (throng_vec3){0, 0, 0}, &v, &error), THRONG_ERROR_NULL_ARGUMENT,
                &error);
  /* The field moves with the origin. */
  require_ok(throng_world_shift_origin(world, (throng_vec3){4.1f, 0, -3}, &shift, &error), &error);
  assert_true(sample(world, 5, 2.0f - shift.x, 13.0f - shift.z).x == 64.0f);
  throng_flow_field_def odd = map_field(&m);
  odd.origin.x = 0.1f; /* 0.1f - 262144 is not a float */
  require_ok(throng_world_set_flow_field(world, 9, &odd, &error), &error);
  require_error(throng_world_shift_origin(world, (throng_vec3){262144, 0, 0}, &shift, &error),
                THRONG_ERROR_OUT_OF_RANGE, &error);
  assert_true(sample(world, 5, 2.0f - 4.0f, 13.0f + 3.0f).x == 64.0f);
  require_ok(throng_world_set_flow_field(world, 5, NULL, &error), &error);
  require_error(throng_world_sample_flow_field(world, 5, (throng_vec3){0, 0, 0}, &v, &error), THRONG_ERROR_BAD_VALUE,
                &error);
  throng_world_destroy(world);
}

static void bad_definitions(void **state) {
  (void)state;
  static map m;
  memset(&m, 0, sizeof m);
  m.width = m.height = 2, m.cell = 1.0f;
  m.vectors[0] = 3.0f;
  throng_world *world = map_world(&m, 1.0f);
  const throng_flow_field_def good = map_field(&m);
  throng_error error;
  float vectors[8] = {0};
#define REFUSED(field, value, expected)                                                                                \
  do {                                                                                                                 \
    throng_flow_field_def d = good;                                                                                    \
    d.field = value;                                                                                                   \
    require_error(throng_world_set_flow_field(world, 5, &d, &error), expected, &error);                                \
    assert_non_null(strstr(error.text, #field));                                                                       \
    assert_true(sample(world, 5, 0.0f, 0.0f).x == 3.0f);                                                               \
  } while (0)
  REFUSED(width, 0, THRONG_ERROR_BAD_VALUE);
  REFUSED(width, 16385, THRONG_ERROR_BAD_VALUE);
  REFUSED(height, 0, THRONG_ERROR_BAD_VALUE);
  REFUSED(height, 0xffffffffu, THRONG_ERROR_BAD_VALUE);
  REFUSED(cell, 0.0f, THRONG_ERROR_BAD_VALUE);
  REFUSED(cell, 2e6f, THRONG_ERROR_BAD_VALUE);
  REFUSED(cell, NAN, THRONG_ERROR_NOT_FINITE);
  REFUSED(origin.x, INFINITY, THRONG_ERROR_NOT_FINITE);
  REFUSED(origin.z, NAN, THRONG_ERROR_NOT_FINITE);
  REFUSED(origin.x, 1e9f, THRONG_ERROR_BAD_VALUE);
  REFUSED(origin.z, -1e9f, THRONG_ERROR_BAD_VALUE);
  REFUSED(vectors, NULL, THRONG_ERROR_NULL_ARGUMENT);
  REFUSED(cookie, 0, THRONG_ERROR_BAD_COOKIE);
  vectors[5] = 2e9f;
  REFUSED(vectors, vectors, THRONG_ERROR_BAD_VALUE);
  vectors[5] = -INFINITY;
  REFUSED(vectors, vectors, THRONG_ERROR_NOT_FINITE);
  assert_non_null(strstr(error.text, "[5]"));
#undef REFUSED
  throng_flow_field_def fine = good; /* cells smaller than the distance between floats there */
  fine.cell = 1e-3f;
  fine.origin.x = 1e5f;
  require_error(throng_world_set_flow_field(world, 5, &fine, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_set_flow_field(world, 64, &good, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_set_flow_field(world, 64, NULL, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_set_flow_field(NULL, 0, &good, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  throng_world_destroy(world);
}

static void memory_is_given_back(void **state) {
  (void)state;
  static map m;
  memset(&m, 0, sizeof m);
  m.width = 40, m.height = 30, m.cell = 1.0f;
  test_memory memory = {0};
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  throng_error error;
  def.space = THRONG_SPACE_SPATIAL; /* spatial worlds have flow fields, too */
  def.allocator = test_allocator(&memory);
  throng_world *world = stage_world(&def, &g);
  throng_flow_field_def field = map_field(&m);
  m.vectors[0] = 1.0f;
  require_ok(throng_world_set_flow_field(world, 63, &field, &error), &error);
  require_ok(throng_world_set_flow_field(world, 0, &field, &error), &error);
  const uint64_t live = memory.live;
  m.vectors[0] = 2.0f;
  memory.fail_at = memory.calls + 1;
  require_error(throng_world_set_flow_field(world, 63, &field, &error), THRONG_ERROR_OUT_OF_MEMORY, &error);
  assert_true(memory.live == live && sample(world, 63, 0.0f, 0.0f).x == 1.0f);
  require_ok(throng_world_set_flow_field(world, 63, &field, &error), &error);
  assert_true(memory.live == live && sample(world, 63, 0.0f, 0.0f).x == 2.0f);
  require_ok(throng_world_set_flow_field(world, 63, NULL, &error), &error);
  assert_true(memory.live == live - 1);
  throng_world_destroy(world);
  assert_true(memory.live == 0 && memory.mistakes == 0);
}

/* Returns a world with a field whose columns point along +x, then along +z, then nowhere. */
static throng_world *world_that_turns(throng_space space, throng_group_def g) {
  static map m;
  static const float vectors[] = {1, 0, 0, 2, 0, 0, 1, 0, 0, 2, 0, 0};
  throng_world_def def = throng_default_world_def();
  throng_error error;
  memset(&m, 0, sizeof m);
  m.width = 3, m.height = 2, m.cell = 2.0f;
  memcpy(m.vectors, vectors, sizeof vectors);
  def.space = space;
  throng_world *world = stage_world(&def, &g);
  const throng_flow_field_def field = map_field(&m);
  require_ok(throng_world_set_flow_field(world, 63, &field, &error), &error);
  return world;
}
static throng_vec3 steered(throng_world *world, throng_agent_id id) {
  throng_error error;
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  return stage_read(world, THRONG_COLUMN_ACCELERATION, id);
}

static void following(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    throng_group_def g = stage_idle_group();
    throng_error error;
    g.max_speed = 2.0f;
    g.max_acceleration = 100.0f;
    throng_behaviour *follow = throng_group_def_add(&g, THRONG_BEHAVIOUR_FOLLOW_FIELD);
    follow->follow_field.index = 63;
    follow->follow_field.time_to_target = 0.5f;
    throng_world *world = world_that_turns((throng_space)space, g);
    const throng_vec3 p[4] = {{1, 5, 2}, {3, 0, -40}, {1.5f, 0, 1}, {5.5f, 0, 1}},
                      v = {0.5f, space ? 1.0f : 0.0f, -0.5f};
    const throng_vec3 speeds[4] = {v, v, v, v};
    throng_agent_id ids[4];
    stage_add(world, 4, p, speeds, NULL, ids);
    const float y = space ? -2.0f : 0.0f; /* the vertical velocity is damped */
    const throng_vec3 a = steered(world, ids[0]), b = steered(world, ids[1]), c = steered(world, ids[2]),
                      d = steered(world, ids[3]);
    assert_true(a.x == 3.0f && a.y == y && a.z == 1.0f);
    assert_true(b.x == -1.0f && b.z == 5.0f); /* the vector's length of 2 does not change the speed */
    /* A quarter of the way from the sample (1, 0) to the sample (0, 2): (0.75, 0.5), shorter than 1. */
    assert_true(fabsf(c.x - (2.0f * 0.75f - 0.5f) * 2.0f) < 1e-5f && fabsf(c.z - (2.0f * 0.5f + 0.5f) * 2.0f) < 1e-5f);
    assert_true(d.x == -1.0f && d.y == y && d.z == 1.0f); /* brakes */
    g.when_target_lost = THRONG_WHEN_LOST_COAST;
    g.behaviour[0].follow_field.index = 62; /* no such field: no acceleration */
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    assert_true(stage_length(steered(world, ids[0])) == 0.0 && stage_length(steered(world, ids[3])) == 0.0);
    g.behaviour[0].follow_field.index = 64;
    require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
    assert_non_null(strstr(error.text, "behaviour[0].follow_field.index is 64, allowed: 0 to 63"));
    g.behaviour[0].follow_field.index = 1;
    g.max_speed = INFINITY;
    require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
    throng_world_destroy(world);
  }
}

/* Midway between two opposite vectors the sample is one of them, not their mean 0. */
static void ridges_let_nobody_rest(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.max_speed = 1.0f;
  throng_group_def_add(&g, THRONG_BEHAVIOUR_FOLLOW_FIELD);
  static map m;
  memset(&m, 0, sizeof m);
  m.width = 2, m.height = 1, m.cell = 1.0f;
  m.vectors[0] = -1.0f, m.vectors[2] = 1.0f;
  throng_world *world = stage_world(NULL, &g);
  const throng_flow_field_def field = map_field(&m);
  throng_error error;
  require_ok(throng_world_set_flow_field(world, 0, &field, &error), &error);
  const throng_vec3 p = {1.0f, 0, 0.5f};
  throng_agent_id id;
  stage_add(world, 1, &p, NULL, NULL, &id);
  assert_true(sample(world, 0, 1.0f, 0.5f).x == 1.0f);
  assert_true(steered(world, id).x > 1.0f);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_flow_field", 4500);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_are_bilinear),
      cmocka_unit_test(samples_at_places_that_matter),
      cmocka_unit_test(following),
      cmocka_unit_test(ridges_let_nobody_rest),
      cmocka_unit_test(bad_definitions),
      cmocka_unit_test(memory_is_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
