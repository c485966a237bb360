/* tests/cli/test_density.c: compares the local density of pictures with a count over all pairs.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>

#include "scene/scene_density.h"
#include "scene/scene_math.h"

#define AGENTS 700

static void fill(bench_scene *scene, throng_space space, throng_boundary boundary, throng_vec3 size) {
  *scene = (bench_scene){.world = throng_default_world_def()};
  scene->world.space = space;
  throng_world_def_set_boundary(&scene->world, boundary);
  scene->world.box_min = (throng_vec3){-3, -2, 1};
  scene->world.box_max = (throng_vec3){-3 + size.x, -2 + size.y, 1 + size.z};
}

/* Counts agents that are near agent k in any of the world's images. */
static double count_all(const bench_scene *scene, float place[3][AGENTS], int k) {
  double near = 0;
  for (int other = 0; other < AGENTS; other++) {
    double squares = 0;
    for (int axis = 0; axis < 3; axis++) {
      const double side = (double)(&scene->world.box_max.x)[axis] - (double)(&scene->world.box_min.x)[axis];
      double way = (double)place[axis][other] - (double)place[axis][k];
      if (scene->world.boundary[axis] == THRONG_BOUNDARY_PERIODIC) way -= side * round(way / side);
      if (axis != 1 || scene->world.space == THRONG_SPACE_SPATIAL) squares += way * way;
    }
    near += squares <= 1;
  }
  return near;
}

static void check(throng_space space, throng_boundary boundary, throng_vec3 size) {
  static float place[3][AGENTS], density[AGENTS];
  bench_scene scene;
  fill(&scene, space, boundary, size);
  random_state random = random_for(7, (uint64_t)boundary, (uint64_t)space);
  for (int k = 0; k < AGENTS; k++)
    for (int axis = 0; axis < 3; axis++)
      place[axis][k] = random_between(&random, (&scene.world.box_min.x)[axis], (&scene.world.box_max.x)[axis]);
  assert_true(scene_density(&scene, place[0], place[1], place[2], AGENTS, density));
  const double room = space == THRONG_SPACE_PLANAR ? 3.14159265358979 : 4.18879020478639;
  for (int k = 0; k < AGENTS; k++)
    assert_float_equal(density[k], (float)fmin(count_all(&scene, place, k) / room, 5), 1e-5);
}

static void test_density(void **state) {
  (void)state;
  const throng_boundary boundaries[] = {THRONG_BOUNDARY_UNBOUNDED, THRONG_BOUNDARY_BOX, THRONG_BOUNDARY_PERIODIC};
  const throng_vec3 sizes[] = {{20, 9, 15.5f}, {4.3f, 4, 40}, {12.5f, 2.5f, 1.7f}};
  for (int b = 0; b < 3; b++)
    for (int s = 0; s < 3; s++) {
      check(THRONG_SPACE_PLANAR, boundaries[b], sizes[s]);
      check(THRONG_SPACE_SPATIAL, boundaries[b], sizes[s]);
    }
}

/* Nobody, and somebody alone: 1 agent in a circle of radius 1 m. */
static void test_few(void **state) {
  (void)state;
  bench_scene scene;
  const float zero = 0;
  float density = -1;
  fill(&scene, THRONG_SPACE_PLANAR, THRONG_BOUNDARY_UNBOUNDED, (throng_vec3){9, 9, 9});
  assert_true(scene_density(&scene, NULL, NULL, NULL, 0, NULL));
  assert_true(scene_density(&scene, &zero, NULL, &zero, 1, &density));
  assert_float_equal(density, 0.318310, 1e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_density), cmocka_unit_test(test_few)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
