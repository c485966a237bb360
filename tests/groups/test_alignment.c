/* test_alignment.c: tests that alignment matches the mean velocity of the neighbours. test_neighbour_forms.c tests its
 * other forms, test_yaw.c alignment that turns. SPDX-License-Identifier: MIT */
#include "support/stage.h"

#include <math.h>

static void alignment_matches_the_mean_velocity(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.alignment.weight = 1.0f;
  g.alignment.time_to_target = 1.0f;
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[3] = {{5, 0, 5}, {5.5f, 9, 5}, {5, -9, 5.5f}}, v[3] = {{0, 0, 0}, {1, 0, 0.5f}, {1, 0, -0.25f}};
  throng_agent_id ids[3];
  throng_error error;
  stage_add(world, 3, p, v, NULL, ids);
  const throng_vec3 a = stage_steered(world, ids[0]);
  assert_true(a.x == 1.0f && a.z == 0.125f); /* the mean velocity of its two neighbours */
  g.alignment.time_to_target = 0.1f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  assert_true(fabs(stage_length(stage_steered(world, ids[0])) - 3.0) < 1e-6); /* clipped */
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alignment_matches_the_mean_velocity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
