/* test_cohesion.c: tests that cohesion seeks the mean position of the neighbours. test_neighbour_forms.c tests its
 * other forms. SPDX-License-Identifier: MIT */
#include "support/stage.h"

#include <math.h>

static void cohesion_seeks_the_mean_position(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.cohesion.weight = 1.0f;
  g.cohesion.form = THRONG_COHESION_SEEK;
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[4] = {{5, 0, 5}, {5.5f, 9, 5}, {5, -9, 5.5f}, {50, 0, 50}};
  throng_agent_id ids[4];
  stage_add(world, 4, p, NULL, NULL, ids);
  const throng_vec3 a = stage_steered(world, ids[0]);
  const float diagonal = 3.0f * sqrtf(0.5f);
  assert_true(fabsf(a.x - diagonal) < 1e-6f && fabsf(a.z - diagonal) < 1e-6f && a.y == 0.0f);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[3])) == 0.0); /* no neighbour */
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cohesion_seeks_the_mean_position),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
