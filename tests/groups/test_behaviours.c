/* test_behaviours.c: tests of what the rules over neighbours have in common, fields of view, masks and height, and of
 * the blend. test_separation.c, test_cohesion.c, test_alignment.c and test_avoidance.c test each rule.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>

#define PI 3.14159265358979323846

/* Whether an agent at the origin with its facing along +z has cohesion with a neighbour at `angle` from +z. */
static bool sees(float view, double angle, bool spatial) {
  throng_group_def g = stage_idle_group();
  throng_world_def def = throng_default_world_def();
  def.space = spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
  g.cohesion.weight = 1.0f;
  g.field_of_view = view;
  throng_world *world = stage_world(&def, &g);
  const throng_vec3 p[2] = {{0, 0, 0}, {(float)(0.5 * sin(angle)), 0, (float)(0.5 * cos(angle))}};
  throng_agent_id ids[2];
  stage_add(world, 2, p, NULL, NULL, ids);
  const bool seen = stage_length(stage_steered(world, ids[0])) > 0.0;
  throng_world_destroy(world);
  return seen;
}

static void fields_of_view(void **state) {
  (void)state;
  static const double views[] = {30, 45, 90, 180, 270, 350};
  for (int spatial = 0; spatial < 2; spatial++) {
    for (int k = 0; k < 6; k++)
      for (int side = -1; side <= 1; side += 2) {
        const float view = (float)(views[k] * PI / 180.0);
        const double half = views[k] * PI / 360.0;
        assert_true(sees(view, side * (half - 0.001), spatial != 0));
        assert_false(sees(view, side * (half + 0.001), spatial != 0));
        assert_true(sees(view, 0.0, spatial != 0));
      }
    assert_true(sees((float)(2.0 * PI), PI, spatial != 0));
    assert_true(sees(0.0f, 0.0, spatial != 0));
    assert_false(sees(0.0f, 0.01, spatial != 0));
    assert_true(sees((float)(1.5 * PI), PI * 0.5, spatial != 0)); /* at 90 degrees, where the cosine is 0 */
  }
}

/* Masks are one-way: the hare keeps away from the hound's layer, but the hound does not react to the hare. Neither
 * reacts to its own group. */
static void masks_are_one_way(void **state) {
  (void)state;
  throng_group_def hare = stage_idle_group(), hound = stage_idle_group();
  hare.layer = 31;
  hound.layer = 4;
  hare.separation.weight = hound.separation.weight = 1.0f;
  hare.separation.mask = 1u << 4;
  hound.separation.mask = 1u << 7;
  throng_world *world = stage_world(NULL, &hare);
  throng_error error;
  require_ok(throng_world_set_group(world, 200, &hound, &error), &error);
  const throng_vec3 p[4] = {{0, 0, 0}, {0.5f, 0, 0}, {10, 0, 10}, {10.5f, 0, 10}};
  const uint8_t groups[4] = {0, 200, 0, 0};
  throng_agents_def def = throng_default_agents_def();
  throng_agent_id ids[4];
  def.position.data = p;
  def.group.data = groups;
  require_ok(throng_agents_add(world, &def, 4, ids, &error), &error);
  assert_true(stage_steered(world, ids[0]).x < 0.0f);
  assert_true(stage_length(stage_steered(world, ids[1])) == 0.0);
  assert_true(stage_length(stage_steered(world, ids[2])) == 0.0 && stage_length(stage_steered(world, ids[3])) == 0.0);
  throng_world_destroy(world);
}

/* In planar worlds a difference of y has no effect (layers can separate the floors of a building); in spatial worlds it
 * has. */
static void height_counts_in_space_only(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    throng_group_def g = stage_idle_group();
    throng_world_def def = throng_default_world_def();
    def.space = (throng_space)space;
    g.cohesion.weight = 1.0f;
    throng_world *world = stage_world(&def, &g);
    const throng_vec3 p[2] = {{0, 0, 0}, {0.5f, 3, 0}};
    throng_agent_id ids[2];
    stage_add(world, 2, p, NULL, NULL, ids);
    assert_true((stage_length(stage_steered(world, ids[0])) > 0.0) == (space == 0));
    throng_world_destroy(world);
  }
}

/* A weight scales a rule, weight 0 turns it off, and the sum is clipped. */
static void blending(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.cohesion.weight = 0.5f;
  g.cohesion.form = THRONG_COHESION_SEEK;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 0.25f);
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[2] = {{0, 0, 0}, {0.5f, 0, 0}}, goals[2] = {{0, 0, 9}, {NAN, NAN, NAN}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, NULL, goals, ids);
  throng_vec3 a = stage_steered(world, ids[0]);
  assert_true(a.x == 1.5f && a.z == 0.75f);
  g.cohesion.weight = 0.0f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  a = stage_steered(world, ids[0]);
  assert_true(a.x == 0.0f && a.z == 0.75f);
  g.cohesion.weight = 40.0f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 30.0f);
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  a = stage_steered(world, ids[0]);
  assert_true(fabsf(a.x - 2.4f) < 1e-5f && fabsf(a.z - 1.8f) < 1e-5f);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_of_view),
      cmocka_unit_test(masks_are_one_way),
      cmocka_unit_test(height_counts_in_space_only),
      cmocka_unit_test(blending),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
