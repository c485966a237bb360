/* test_attractors.c: tests of points that attract and repel, by hand. test_reference_a.c compares their bits with the
 * reference. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

static const float frame_time = 1.0f / 60.0f;

static throng_group_def drawn_group(void) {
  throng_group_def g = stage_idle_group();
  g.max_acceleration = 100.0f;
  group_want(&g, THRONG_BEHAVIOUR_ATTRACTORS, 1.0f);
  return g;
}

static throng_attractor attractor(float x, float z, float strength, float radius) {
  throng_attractor a = throng_default_attractor();
  a.position = (throng_vec3){x, 0, z};
  a.strength = strength;
  a.radius = radius;
  return a;
}

static void set(throng_world *world, const throng_attractor *list, uint32_t count) {
  throng_error error;
  throng_attractors_def def = throng_default_attractors_def();
  def.attractors = list;
  def.count = count;
  require_ok(throng_world_set_attractors(world, &def, &error), &error);
  assert_int_equal(throng_world_attractor_count(world), count);
}

static throng_vec3 pull_on(throng_world *world, throng_agent_id id) {
  throng_error error;
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  return stage_read(world, THRONG_COLUMN_ACCELERATION, id);
}

static void require_pull(throng_world *world, throng_agent_id id, float x, float y, float z) {
  const throng_vec3 a = pull_on(world, id);
  if (!(fabsf(a.x - x) < 1e-5f && fabsf(a.y - y) < 1e-5f && fabsf(a.z - z) < 1e-5f))
    fail_msg("acceleration (%g, %g, %g), expected (%g, %g, %g)", (double)a.x, (double)a.y, (double)a.z, (double)x,
             (double)y, (double)z);
}

/* Both laws at distances whose results are whole numbers or simple fractions, in both spaces. */
static void the_laws(void **state) {
  (void)state;
  const struct {
    throng_attractor_law law;
    float distance, strength, pull;
  } cases[] = {{THRONG_ATTRACTOR_LINEAR, 0.0f, 8, 0},           {THRONG_ATTRACTOR_LINEAR, 2.5f, 8, 6},
               {THRONG_ATTRACTOR_LINEAR, 5.0f, -8, -4},         {THRONG_ATTRACTOR_LINEAR, 10.0f, 8, 0},
               {THRONG_ATTRACTOR_LINEAR, 10.5f, 8, 0},          {THRONG_ATTRACTOR_INVERSE_SQUARE, 0.0f, 8, 0},
               {THRONG_ATTRACTOR_INVERSE_SQUARE, 1.0f, 8, 8},   {THRONG_ATTRACTOR_INVERSE_SQUARE, 2.0f, 8, 8},
               {THRONG_ATTRACTOR_INVERSE_SQUARE, 4.0f, -8, -2}, {THRONG_ATTRACTOR_INVERSE_SQUARE, 8.0f, 8, 0.5f},
               {THRONG_ATTRACTOR_INVERSE_SQUARE, 10.0f, 8, 0},  {THRONG_ATTRACTOR_LINEAR, 5.0f, 400, 100}};
  for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
    const bool spatial = k % 2;
    throng_world_def def = throng_default_world_def();
    def.space = spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    const throng_group_def g = drawn_group();
    throng_world *world = stage_world(&def, &g);
    throng_agent_id id;
    const throng_vec3 p = {3, 7, 5};
    throng_attractor a = attractor(3, 5, cases[k / 2].strength, 10);
    a.law = cases[k / 2].law;
    a.least_distance = 2.0f;
    a.position.y = spatial ? 7 + cases[k / 2].distance : -40;
    if (!spatial) a.position.x += cases[k / 2].distance;
    stage_add(world, 1, &p, NULL, NULL, &id);
    set(world, &a, 1);
    require_pull(world, id, spatial ? 0 : cases[k / 2].pull, spatial ? cases[k / 2].pull : 0, 0);
    throng_world_destroy(world);
  }
}

/* Pulls add up; only the layers of the mask feel them; with nearest_only the nearest one counts, and of two equally
 * near ones the first. Explanations name the behaviour. */
static void sums_masks_and_the_nearest(void **state) {
  (void)state;
  throng_group_def g = drawn_group();
  throng_world *world = stage_world(NULL, &g);
  throng_agent_id id;
  throng_error error;
  const throng_vec3 p = {0, 0, 0};
  throng_attractor list[3] = {attractor(5, 0, 2, 10), attractor(0, 5, 4, 10), attractor(0, -5, 6, 10)};
  stage_add(world, 1, &p, NULL, NULL, &id);
  require_pull(world, id, 0, 0, 0);
  set(world, list, 3);
  require_ok(throng_world_watch(world, id, &error), &error);
  require_pull(world, id, 1, 0, -1);
  stage_step(world, frame_time);
  throng_explanation told;
  require_ok(throng_world_explain(world, id, &told, &error), &error);
  assert_int_equal(told.count, 1);
  assert_string_equal(told.contribution[0].name, "attractors");
  assert_true(fabsf(told.contribution[0].acceleration.x - 1.0f) < 1e-5f);
  require_ok(throng_agents_move(world, &id, 1, &p, &p, &error), &error);
  list[1].mask = 2u; /* the group is in layer 0 */
  set(world, list, 3);
  require_pull(world, id, 1, 0, -3);
  list[0].position.x = 4;
  set(world, list, 3);
  group_want(&g, THRONG_BEHAVIOUR_ATTRACTORS, 1.0f)->attractors.nearest_only = true;
  g.layer = 1;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_pull(world, id, 1.2f, 0, 0);
  list[0].position.x = 5;
  set(world, list, 3);
  require_pull(world, id, 1, 0, 0);
  require_ok(throng_world_set_attractors(world, NULL, &error), &error);
  require_pull(world, id, 0, 0, 0);
  assert_int_equal(throng_world_attractor_count(world), 0);
  throng_world_destroy(world);
}

/* Along a periodic axis the pull goes the short way, and a radius of half the period reaches everywhere. */
static void the_short_way(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_error error;
  def.boundary[0] = THRONG_BOUNDARY_PERIODIC;
  def.box_min = (throng_vec3){-10, 0, 0};
  def.box_max = (throng_vec3){30, 0, 0};
  const throng_group_def g = drawn_group();
  throng_world *world = stage_world(&def, &g);
  throng_agent_id id[2];
  const throng_vec3 p[2] = {{29, 0, 100}, {11, 0, 100}};
  throng_attractor a = attractor(-10, 100, 20, 20);
  stage_add(world, 2, p, NULL, NULL, id);
  set(world, &a, 1);
  require_pull(world, id[0], 19, 0, 0);
  require_pull(world, id[1], 1, 0, 0);
  a.radius = nextafterf(20, 30);
  throng_attractors_def bad = throng_default_attractors_def();
  bad.attractors = &a;
  bad.count = 1;
  require_error(throng_world_set_attractors(world, &bad, &error), THRONG_ERROR_BAD_VALUE, &error);
  a.radius = 5;
  a.position.x = 30.5f;
  require_error(throng_world_set_attractors(world, &bad, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  require_pull(world, id[0], 19, 0, 0);
  throng_world_destroy(world);
}

/* A thousand attractors and agents scattered over a square: each agent gets the sum over those around it. One attractor
 * more is refused. A NaN is refused, too, and the attractors stay. */
static void a_thousand(void **state) {
  (void)state;
  enum { COUNT = THRONG_MAX_ATTRACTORS };
  static throng_attractor list[COUNT + 1];
  static throng_vec3 p[COUNT];
  static throng_agent_id id[COUNT];
  test_rng rng = rng_from(4243);
  const throng_group_def g = drawn_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  for (uint32_t k = 0; k < COUNT; k++) {
    const float radius = k % 100 == 0 ? 150.0f : rng_float(&rng, 0.5f, 12.0f);
    list[k] = attractor(rng_float(&rng, -200, 200), rng_float(&rng, -200, 200), rng_float(&rng, -1, 1), radius);
    p[k] = (throng_vec3){rng_float(&rng, -200, 200), 0, rng_float(&rng, -200, 200)};
  }
  stage_add(world, COUNT, p, NULL, NULL, id);
  set(world, list, COUNT);
  throng_attractors_def def = throng_default_attractors_def();
  def.attractors = list;
  def.count = COUNT + 1;
  require_error(throng_world_set_attractors(world, &def, &error), THRONG_ERROR_BAD_VALUE, &error);
  def.count = COUNT;
  list[700].strength = NAN;
  require_error(throng_world_set_attractors(world, &def, &error), THRONG_ERROR_NOT_FINITE, &error);
  assert_non_null(strstr(error.text, "attractors[700].strength"));
  list[700].strength = 0.0f;
  assert_int_equal(throng_world_attractor_count(world), COUNT);
  set(world, list, COUNT);
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  for (uint32_t i = 0; i < COUNT; i++) {
    double x = 0, z = 0;
    for (uint32_t k = 0; k < COUNT; k++) {
      const double dx = (double)list[k].position.x - (double)p[i].x, dz = (double)list[k].position.z - (double)p[i].z;
      const double d = sqrt(dx * dx + dz * dz), radius = (double)list[k].radius;
      if (d >= radius) continue;
      x += dx / d * (double)list[k].strength * (radius - d) / radius;
      z += dz / d * (double)list[k].strength * (radius - d) / radius;
    }
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id[i]);
    assert_true(fabs((double)a.x - x) < 1e-5 && fabs((double)a.z - z) < 1e-5);
  }
  throng_world_destroy(world);
}

/* A snapshot has the attractors, and the loaded world goes on with the same bits. A shift of the origin takes them
 * along. */
static void snapshots_and_shifts(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  const throng_group_def g = drawn_group();
  throng_world *world = stage_world(&def, &g);
  throng_error error;
  throng_agent_id id;
  const throng_vec3 p = {130, 0, 64};
  throng_attractor list[2] = {attractor(128, 66, 3, 16), attractor(140, 64, -2, 16)};
  list[1].law = THRONG_ATTRACTOR_INVERSE_SQUARE;
  stage_add(world, 1, &p, NULL, NULL, &id);
  set(world, list, 2);
  stage_step(world, frame_time);
  snapshot saved = snapshot_take(world);
  throng_world *loaded = snapshot_world(&saved, NULL);
  assert_int_equal(throng_world_attractor_count(loaded), 2);
  assert_true(snapshot_is_of(&saved, loaded));
  const throng_vec3 before = pull_on(world, id), wished = {128, 0, 64};
  throng_vec3 exact, after;
  stage_step(world, frame_time);
  stage_step(loaded, frame_time);
  assert_true(throng_world_hash(world, STATE_COLUMNS) == throng_world_hash(loaded, STATE_COLUMNS));
  require_ok(throng_world_load_snapshot(world, saved.bytes, saved.size, &error), &error);
  require_ok(throng_world_shift_origin(world, wished, &exact, &error), &error);
  after = pull_on(world, id);
  assert_true(exact.x != 0.0f && before.x == after.x && before.z == after.z);
  snapshot_free(&saved);
  throng_world_destroy(world);
  throng_world_destroy(loaded);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_laws),   cmocka_unit_test(sums_masks_and_the_nearest), cmocka_unit_test(the_short_way),
      cmocka_unit_test(a_thousand), cmocka_unit_test(snapshots_and_shifts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
