/* Computes the part of the plane that nothing covers, as rings of points: the walkable area of a scene.
 * The caller adds the outlines of what covers the plane. Outlines may cross, touch and overlap. All coordinates are
 * whole numbers of a unit that the caller chooses, so all decisions are exact; only crossings are rounded to whole
 * units.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_FREE_AREA_H
#define BENCH_FREE_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AREA_MAX_COORDINATE (INT64_C(1) << 28) /* so that products of doubled differences fit into 64 bits */

typedef struct area_point {
  int64_t x, y;
} area_point;

/* From `from` to `to`. On its left, `covers` more outlines cover the plane than on its right. */
typedef struct area_edge {
  area_point from, to;
  int32_t covers;
} area_edge;

typedef struct area_edges {
  area_edge *list;
  size_t count, capacity;
} area_edges;

/* A simple ring without its first point at the end. `shell`: the ring around this hole; its own number: this ring is a
 * shell. Shells turn left, holes turn right. */
typedef struct area_ring {
  size_t begin, count; /* its points */
  uint32_t shell;
  double twice_area;    /* negative: a hole */
  area_point probe;     /* twice the coordinates of a point on the ring that no other ring touches */
  area_point low, high; /* the corners of its bounding box */
} area_ring;

typedef struct free_area {
  area_point *points;
  area_ring *rings;
  size_t point_count, point_capacity;
  uint32_t ring_count, ring_capacity;
} free_area;

/* Adds an edge with a covered left side. Returns false if memory runs out, as the functions below do. */
bool area_edges_add(area_edges *edges, area_point from, area_point to);
/* Splits the edges until they meet at their ends only. Then each edge is there once, with from.x <= to.x, and separates
 * two areas that are not covered equally often. */
bool area_edges_split(area_edges *edges);
void area_edges_release(area_edges *edges);

/* Finds the rings around the parts that nothing covers. The whole plane is covered once before the edges count.
 * `edges` must be split. */
bool free_area_find(free_area *area, const area_edges *edges);
/* Whether a point, whose coordinates are doubled, is in a shell and in none of its holes. */
bool free_area_has(const free_area *area, uint32_t shell, area_point doubled);
void free_area_release(free_area *area);

/* Twice the area of the triangle a, b, c; positive if c is on the left of the line from a to b. */
static inline int64_t area_turn(area_point a, area_point b, area_point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static inline bool area_same(area_point a, area_point b) { return a.x == b.x && a.y == b.y; }
static inline area_point area_doubled(area_point p) { return (area_point){2 * p.x, 2 * p.y}; }
static inline int area_order(area_point a, area_point b) {
  return a.x != b.x ? (a.x < b.x ? -1 : 1) : a.y != b.y ? (a.y < b.y ? -1 : 1) : 0;
}

#endif
