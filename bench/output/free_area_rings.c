/* Follows the edges around the parts that nothing covers.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "output/free_area.h"

/* An edge in one of its two directions. Number 2k is edge k in its own direction, number 2k + 1 is edge k reversed. */
typedef struct half_edge {
  area_point from, to;
  size_t number;
} half_edge;

/* The half-edges sorted by their beginnings and then by angle, turning left. */
typedef struct edge_fans {
  const area_edges *edges;
  half_edge *list;
  size_t count;
  size_t *place;        /* place[number]: its index in the list */
  size_t *first, *last; /* of the half-edges with the same beginning: the range of their indices */
  size_t *in_loop;      /* in_loop[first]: position of this beginning in the loop, plus 1; 0: it is not in the loop */
  size_t *loop;         /* half-edges of the ring that is followed */
  bool *done;
} edge_fans;

/* 0 for directions from 0 to less than 180 degrees, else 1. */
static int half_plane(const half_edge *edge) {
  return edge->to.y < edge->from.y || (edge->to.y == edge->from.y && edge->to.x < edge->from.x);
}

static int by_beginning_and_angle(const void *left, const void *right) {
  const half_edge *a = left, *b = right;
  const int order = area_order(a->from, b->from);
  if (order) return order;
  if (half_plane(a) != half_plane(b)) return half_plane(a) - half_plane(b);
  const int64_t turn = area_turn(a->from, a->to, b->to);
  return turn > 0 ? -1 : turn < 0;
}

static void fans_close(edge_fans *fans) {
  free(fans->list);
  free(fans->place);
  free(fans->first);
  free(fans->last);
  free(fans->in_loop);
  free(fans->loop);
  free(fans->done);
}

static bool fans_open(edge_fans *fans, const area_edges *edges) {
  const size_t count = 2 * edges->count;
  *fans = (edge_fans){.edges = edges, .count = count};
  fans->list = malloc((count + 1) * sizeof *fans->list);
  fans->place = malloc((count + 1) * sizeof *fans->place);
  fans->first = malloc((count + 1) * sizeof *fans->first);
  fans->last = malloc((count + 1) * sizeof *fans->last);
  fans->in_loop = calloc(count + 1, sizeof *fans->in_loop);
  fans->loop = malloc((count + 1) * sizeof *fans->loop);
  fans->done = calloc(count + 1, sizeof *fans->done);
  if (!fans->list || !fans->place || !fans->first || !fans->last || !fans->in_loop || !fans->loop || !fans->done)
    return false;
  for (size_t k = 0; k < edges->count; k++) {
    fans->list[2 * k] = (half_edge){edges->list[k].from, edges->list[k].to, 2 * k};
    fans->list[2 * k + 1] = (half_edge){edges->list[k].to, edges->list[k].from, 2 * k + 1};
  }
  if (count) qsort(fans->list, count, sizeof *fans->list, by_beginning_and_angle);
  for (size_t k = 0, end; k < count; k = end) {
    for (end = k; end < count && area_same(fans->list[end].from, fans->list[k].from); end++) fans->first[end] = k;
    for (size_t i = k; i < end; i++) fans->last[i] = end - 1;
  }
  for (size_t k = 0; k < count; k++) fans->place[fans->list[k].number] = k;
  return true;
}

/* Returns the half-edge that follows around the area on the left: the first one to the right of the way back. */
static size_t next_around(const edge_fans *fans, size_t at) {
  const size_t back = fans->place[fans->list[at].number ^ 1];
  return back == fans->first[back] ? fans->last[back] : back - 1;
}

/* Returns how many outlines cover the area on the left of a half-edge: it counts what a ray to its middle crosses, from
 * below, or for an upright edge from the left. Middles are doubled, so that they are whole numbers. */
static int32_t covers_on_the_left(const area_edges *edges, const half_edge *edge) {
  const area_edge *own = &edges->list[edge->number / 2];
  const area_point middle = {edge->from.x + edge->to.x, edge->from.y + edge->to.y};
  const bool upright = own->from.x == own->to.x, reversed = edge->number & 1;
  int32_t covers = 1;
  for (size_t k = 0; k < edges->count && 2 * edges->list[k].from.x <= middle.x; k++) {
    const area_point from = area_doubled(edges->list[k].from), to = area_doubled(edges->list[k].to);
    const int64_t turn = area_turn(from, to, middle);
    if (!upright && middle.x < to.x && turn > 0) covers += edges->list[k].covers;
    if (upright && from.y <= middle.y && middle.y < to.y && turn < 0) covers -= edges->list[k].covers;
    if (upright && to.y <= middle.y && middle.y < from.y && turn > 0) covers += edges->list[k].covers;
  }
  if (upright) return reversed ? covers - own->covers : covers;
  return reversed ? covers : covers + own->covers;
}

static bool add_point(free_area *area, area_point point) {
  if (area->point_count == area->point_capacity) {
    const size_t capacity = area->point_capacity ? 2 * area->point_capacity : 256;
    area_point *points = realloc(area->points, capacity * sizeof *points);
    if (!points) return false;
    area->points = points;
    area->point_capacity = capacity;
  }
  area->points[area->point_count++] = point;
  return true;
}

/* Sets the ring's area and bounding box. */
static void measure(const free_area *area, area_ring *ring) {
  const area_point *points = &area->points[ring->begin];
  ring->low = ring->high = points[0];
  for (size_t k = 0; k < ring->count; k++) {
    const area_point p = points[k];
    if (k >= 2) ring->twice_area += (double)area_turn(points[0], points[k - 1], p);
    if (p.x < ring->low.x) ring->low.x = p.x;
    if (p.y < ring->low.y) ring->low.y = p.y;
    if (p.x > ring->high.x) ring->high.x = p.x;
    if (p.y > ring->high.y) ring->high.y = p.y;
  }
}

/* Adds the ring of these half-edges, without points on straight lines. */
static bool add_ring(free_area *area, const edge_fans *fans, const size_t *loop, size_t count) {
  const half_edge *probe = &fans->list[loop[0]];
  area_ring ring = {.begin = area->point_count, .shell = area->ring_count};
  ring.probe = (area_point){probe->from.x + probe->to.x, probe->from.y + probe->to.y};
  for (size_t k = 0; k < count; k++) {
    const half_edge *before = &fans->list[loop[k ? k - 1 : count - 1]], *edge = &fans->list[loop[k]];
    if (area_turn(before->from, edge->from, edge->to) != 0 && !add_point(area, edge->from)) return false;
  }
  ring.count = area->point_count - ring.begin;
  measure(area, &ring);
  if (area->ring_count == area->ring_capacity) {
    const uint32_t capacity = area->ring_capacity ? 2 * area->ring_capacity : 16;
    area_ring *rings = realloc(area->rings, capacity * sizeof *rings);
    if (!rings) return false;
    area->rings = rings;
    area->ring_capacity = capacity;
  }
  area->rings[area->ring_count++] = ring;
  return true;
}

/* Follows the half-edges from `begin` around the area on their left. Each time the way comes back to a point, the part
 * since then is a ring of its own: so rings touch at points, but are simple. */
static bool follow(free_area *area, edge_fans *fans, size_t begin) {
  const bool is_free = covers_on_the_left(fans->edges, &fans->list[begin]) == 0;
  size_t count = 0, at = begin;
  do {
    fans->done[at] = true;
    if (is_free) {
      fans->in_loop[fans->first[at]] = count + 1;
      fans->loop[count++] = at;
    }
    at = next_around(fans, at);
    const size_t seen = is_free ? fans->in_loop[fans->first[at]] : 0;
    if (!seen) continue;
    if (!add_ring(area, fans, &fans->loop[seen - 1], count - (seen - 1))) return false;
    while (count >= seen) fans->in_loop[fans->first[fans->loop[--count]]] = 0;
  } while (at != begin);
  return true;
}

static bool is_inside(const free_area *area, const area_ring *ring, area_point doubled) {
  const area_point *points = &area->points[ring->begin];
  bool inside = false;
  if (doubled.x < 2 * ring->low.x || doubled.x > 2 * ring->high.x || doubled.y < 2 * ring->low.y ||
      doubled.y > 2 * ring->high.y)
    return false;
  for (size_t k = 0; k < ring->count; k++) {
    const area_point from = area_doubled(points[k ? k - 1 : ring->count - 1]), to = area_doubled(points[k]);
    if ((from.x <= doubled.x) == (to.x <= doubled.x)) continue;
    if ((area_turn(from, to, doubled) > 0) == (from.x < to.x)) inside = !inside;
  }
  return inside;
}

bool free_area_has(const free_area *area, uint32_t shell, area_point doubled) {
  if (!is_inside(area, &area->rings[shell], doubled)) return false;
  for (uint32_t k = 0; k < area->ring_count; k++)
    if (k != shell && area->rings[k].shell == shell && is_inside(area, &area->rings[k], doubled)) return false;
  return true;
}

/* A hole is in the smallest shell around it. */
static void find_shells(free_area *area) {
  for (uint32_t hole = 0; hole < area->ring_count; hole++) {
    area_ring *ring = &area->rings[hole];
    if (ring->twice_area > 0) continue;
    double smallest = 0;
    for (uint32_t k = 0; k < area->ring_count; k++) {
      const area_ring *shell = &area->rings[k];
      if (shell->twice_area <= 0 || (smallest > 0 && shell->twice_area >= smallest)) continue;
      if (!is_inside(area, shell, ring->probe)) continue;
      ring->shell = k;
      smallest = shell->twice_area;
    }
  }
}

bool free_area_find(free_area *area, const area_edges *edges) {
  edge_fans fans;
  *area = (free_area){0};
  bool ok = fans_open(&fans, edges);
  for (size_t k = 0; k < fans.count && ok; k++)
    if (!fans.done[k]) ok = follow(area, &fans, k);
  if (ok) find_shells(area);
  fans_close(&fans);
  return ok;
}

void free_area_release(free_area *area) {
  free(area->points);
  free(area->rings);
  *area = (free_area){0};
}
