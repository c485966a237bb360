/* SPDX-License-Identifier: MIT */
#include "voronoi.h"

#include <math.h>
#include <stdbool.h>

#define MAX_CORNERS 64 /* people give their cells 3 to 12 corners; a further corner would be left out */

/* A convex polygon, anticlockwise, with its person at the origin. */
typedef struct voronoi_cell {
  voronoi_point corners[MAX_CORNERS];
  uint32_t count;
  double reach; /* the distance of the farthest corner from the person */
} voronoi_cell;

static void measure_reach(voronoi_cell *cell) {
  double square = 0;
  for (uint32_t k = 0; k < cell->count; k++)
    square = fmax(square, cell->corners[k].x * cell->corners[k].x + cell->corners[k].z * cell->corners[k].z);
  cell->reach = sqrt(square);
}

static voronoi_cell whole_rectangle(const voronoi_rectangle *rectangle, voronoi_point person) {
  const double min_x = rectangle->min_x - person.x, max_x = rectangle->max_x - person.x;
  const double min_z = rectangle->min_z - person.z, max_z = rectangle->max_z - person.z;
  voronoi_cell cell = {{{min_x, min_z}, {max_x, min_z}, {max_x, max_z}, {min_x, max_z}}, 4, 0};
  measure_reach(&cell);
  return cell;
}

/* Keeps the part of the cell that is nearer to its person than to `other`: there p . other <= |other|^2 / 2. */
static void cut(voronoi_cell *cell, voronoi_point other) {
  const double limit = (other.x * other.x + other.z * other.z) / 2;
  voronoi_cell left = {.count = 0};
  for (uint32_t k = 0; k < cell->count; k++) {
    const voronoi_point a = cell->corners[k], b = cell->corners[(k + 1) % cell->count];
    const double beyond_a = a.x * other.x + a.z * other.z - limit, beyond_b = b.x * other.x + b.z * other.z - limit;
    if (beyond_a <= 0 && left.count < MAX_CORNERS) left.corners[left.count++] = a;
    if ((beyond_a < 0 && beyond_b > 0) || (beyond_a > 0 && beyond_b < 0)) {
      const double part = beyond_a / (beyond_a - beyond_b);
      if (left.count < MAX_CORNERS)
        left.corners[left.count++] = (voronoi_point){a.x + part * (b.x - a.x), a.z + part * (b.z - a.z)};
    }
  }
  measure_reach(&left);
  *cell = left;
}

static double area_of(const voronoi_cell *cell) {
  double twice = 0;
  for (uint32_t k = 0; k < cell->count; k++) {
    const voronoi_point a = cell->corners[k], b = cell->corners[(k + 1) % cell->count];
    twice += a.x * b.z - a.z * b.x;
  }
  return twice / 2;
}

/* Cuts the cell by person `other`. Returns false if this person is too far along x to cut it, as all persons
 * beyond then are. */
static bool cut_by(voronoi_cell *cell, const voronoi_point *points, voronoi_point person, uint32_t other) {
  const voronoi_point way = {points[other].x - person.x, points[other].z - person.z};
  if (fabs(way.x) > 2 * cell->reach) return false;
  if (hypot(way.x, way.z) <= 2 * cell->reach) cut(cell, way);
  return true;
}

/* Sorts the points along x, by insertion: persons in a corridor are few. */
static void sort_along_x(const voronoi_point *points, uint32_t count, uint32_t *order) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t k = i;
    for (; k > 0 && points[order[k - 1]].x > points[i].x; k--) order[k] = order[k - 1];
    order[k] = i;
  }
}

void voronoi_areas(const voronoi_rectangle *rectangle, const voronoi_point *points, uint32_t count, uint32_t *order,
                   double *areas) {
  sort_along_x(points, count, order);
  for (uint32_t at = 0; at < count; at++) {
    const voronoi_point person = points[order[at]];
    voronoi_cell cell = whole_rectangle(rectangle, person);
    uint32_t ahead = at + 1, behind = at;
    /* Alternates between both sides, because near persons shorten the reach most. */
    for (bool more_ahead = true, more_behind = true; more_ahead || more_behind;) {
      more_ahead = more_ahead && ahead < count && cut_by(&cell, points, person, order[ahead++]);
      more_behind = more_behind && behind > 0 && cut_by(&cell, points, person, order[--behind]);
    }
    areas[order[at]] = area_of(&cell);
  }
}
