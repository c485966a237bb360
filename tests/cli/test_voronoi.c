/* tests/cli/test_voronoi.c: compares the areas of Voronoi cells with known ones, and with cuts by all pairs.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <math.h>

#include "scene/scene_math.h"
#include "validation/voronoi.h"

#define PEOPLE 150

static void require_near(double got, double expected, double tolerance) {
  if (fabs(got - expected) > tolerance) fail_msg("got %.15g, expected %.15g", got, expected);
}

/* Each person of a square lattice has a square: 0.5 m x 0.5 m, 4 persons/m2. */
static void test_lattice(void **state) {
  (void)state;
  const voronoi_rectangle room = {-2, 1, 3, 4};
  voronoi_point points[60];
  double areas[60];
  uint32_t order[60];
  for (int k = 0; k < 60; k++) points[k] = (voronoi_point){-1.75 + 0.5 * (k % 10), 1.25 + 0.5 * (k / 10)};
  voronoi_areas(&room, points, 60, order, areas);
  for (int k = 0; k < 60; k++) require_near(areas[k], 0.25, 1e-12);
}

/* Two persons share the room along the line half-way between them; nobody and somebody alone. */
static void test_few(void **state) {
  (void)state;
  const voronoi_rectangle room = {0, 0, 4, 2};
  const voronoi_point points[2] = {{2.5, 1}, {0.5, 1}};
  double areas[2];
  uint32_t order[2];
  voronoi_areas(&room, points, 0, order, areas);
  voronoi_areas(&room, points, 1, order, areas);
  require_near(areas[0], 8, 1e-12);
  voronoi_areas(&room, points, 2, order, areas);
  require_near(areas[0], 5, 1e-12);
  require_near(areas[1], 3, 1e-12);
}

/* Integrates a cell over x: on a line of constant x, each other person leaves a half-line. The length that is left is
 * piecewise linear in x, so that the midpoint rule errs by about step^2 times the change of slope at each corner. */
static double area_by_all_pairs(const voronoi_rectangle *room, const voronoi_point *points, int own) {
  const int steps = 1000;
  const double step = (room->max_x - room->min_x) / steps;
  double area = 0;
  for (int s = 0; s < steps; s++) {
    const double x = room->min_x + (s + 0.5) * step - points[own].x;
    double low = room->min_z - points[own].z, high = room->max_z - points[own].z;
    for (int other = 0; other < PEOPLE; other++) {
      const double dx = points[other].x - points[own].x, dz = points[other].z - points[own].z;
      if (other == own) continue;
      const double limit = ((dx * dx + dz * dz) / 2 - x * dx) / dz;
      if (dz > 0)
        high = fmin(high, limit);
      else
        low = fmax(low, limit);
    }
    area += step * fmax(high - low, 0);
  }
  return area;
}

static void test_random(void **state) {
  (void)state;
  const voronoi_rectangle rooms[] = {{-4, -0.9, 4, 0.9}, {0, 0, 5, 5}, {-1, -30, 1, 30}};
  for (uint64_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
    const voronoi_rectangle *room = &rooms[r];
    random_state random = random_for(3, r, 0);
    voronoi_point points[PEOPLE];
    double areas[PEOPLE], sum = 0;
    uint32_t order[PEOPLE];
    for (int k = 0; k < PEOPLE; k++) {
      points[k].x = room->min_x + random_unit(&random) * (room->max_x - room->min_x);
      points[k].z = room->min_z + random_unit(&random) * (room->max_z - room->min_z);
    }
    voronoi_areas(room, points, PEOPLE, order, areas);
    for (int k = 0; k < PEOPLE; k++) {
      sum += areas[k];
      require_near(areas[k], area_by_all_pairs(room, points, k), 2e-3);
    }
    require_near(sum, (room->max_x - room->min_x) * (room->max_z - room->min_z), 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lattice), cmocka_unit_test(test_few),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
