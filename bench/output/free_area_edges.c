/* Splits edges where they meet.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "output/free_area.h"

/* A point at which edge number `edge` must be split; `way`: |dx| + |dy| from the edge's beginning. */
typedef struct area_cut {
  size_t edge;
  int64_t way;
  area_point at;
} area_cut;

typedef struct cut_list {
  area_cut *list;
  size_t count, capacity;
} cut_list;

static area_edge ordered(area_point from, area_point to, int32_t covers) {
  return area_order(from, to) < 0 ? (area_edge){from, to, covers} : (area_edge){to, from, -covers};
}

static bool append(area_edges *edges, area_point from, area_point to, int32_t covers) {
  if (area_same(from, to)) return true;
  if (edges->count == edges->capacity) {
    const size_t capacity = edges->capacity ? 2 * edges->capacity : 256;
    area_edge *list = realloc(edges->list, capacity * sizeof *list);
    if (!list) return false;
    edges->list = list;
    edges->capacity = capacity;
  }
  edges->list[edges->count++] = ordered(from, to, covers);
  return true;
}

bool area_edges_add(area_edges *edges, area_point from, area_point to) { return append(edges, from, to, 1); }

void area_edges_release(area_edges *edges) {
  free(edges->list);
  *edges = (area_edges){0};
}

static int by_points(const void *left, const void *right) {
  const area_edge *a = left, *b = right;
  const int order = area_order(a->from, b->from);
  return order ? order : area_order(a->to, b->to);
}

/* Sorts the edges, joins equal ones, and drops those with equally covered sides. */
static void merge(area_edges *edges) {
  size_t kept = 0;
  if (edges->count) qsort(edges->list, edges->count, sizeof *edges->list, by_points);
  for (size_t k = 0, end; k < edges->count; k = end) {
    area_edge edge = edges->list[k];
    for (end = k + 1; end < edges->count && by_points(&edges->list[end], &edge) == 0; end++)
      edge.covers += edges->list[end].covers;
    if (edge.covers) edges->list[kept++] = edge;
  }
  edges->count = kept;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Whether a point is in the rectangle with these two corners, where a.x <= b.x. */
static bool is_between(area_point p, area_point a, area_point b) {
  return a.x <= p.x && p.x <= b.x && smaller(a.y, b.y) <= p.y && p.y <= larger(a.y, b.y);
}

/* Adds a cut of edge number `edge`, unless the point is one of its ends. */
static bool add_cut(cut_list *cuts, const area_edges *edges, size_t edge, area_point at) {
  const area_edge *cut = &edges->list[edge];
  if (area_same(at, cut->from) || area_same(at, cut->to)) return true;
  if (cuts->count == cuts->capacity) {
    const size_t capacity = cuts->capacity ? 2 * cuts->capacity : 256;
    area_cut *list = realloc(cuts->list, capacity * sizeof *list);
    if (!list) return false;
    cuts->list = list;
    cuts->capacity = capacity;
  }
  cuts->list[cuts->count++] = (area_cut){edge, at.x - cut->from.x + llabs(at.y - cut->from.y), at};
  return true;
}

static bool differ(int64_t a, int64_t b) { return (a < 0 && b > 0) || (a > 0 && b < 0); }

/* Adds the cuts of two edges whose bounding boxes touch. */
static bool cut_pair(cut_list *cuts, const area_edges *edges, size_t i, size_t j) {
  const area_edge a = edges->list[i], b = edges->list[j];
  const int64_t b_from = area_turn(a.from, a.to, b.from), b_to = area_turn(a.from, a.to, b.to);
  const int64_t a_from = area_turn(b.from, b.to, a.from), a_to = area_turn(b.from, b.to, a.to);
  if (differ(b_from, b_to) && differ(a_from, a_to)) {
    const double along = (double)a_from / ((double)a_from - (double)a_to);
    const area_point at = {a.from.x + llround(along * (double)(a.to.x - a.from.x)),
                           a.from.y + llround(along * (double)(a.to.y - a.from.y))};
    return add_cut(cuts, edges, i, at) && add_cut(cuts, edges, j, at);
  }
  return (b_from || !is_between(b.from, a.from, a.to) || add_cut(cuts, edges, i, b.from)) &&
         (b_to || !is_between(b.to, a.from, a.to) || add_cut(cuts, edges, i, b.to)) &&
         (a_from || !is_between(a.from, b.from, b.to) || add_cut(cuts, edges, j, a.from)) &&
         (a_to || !is_between(a.to, b.from, b.to) || add_cut(cuts, edges, j, a.to));
}

/* The edges must be sorted by from.x, their smallest x. */
static bool find_cuts(cut_list *cuts, const area_edges *edges) {
  cuts->count = 0;
  for (size_t i = 0; i < edges->count; i++) {
    const area_edge *a = &edges->list[i];
    const int64_t low = smaller(a->from.y, a->to.y), high = larger(a->from.y, a->to.y);
    for (size_t j = i + 1; j < edges->count && edges->list[j].from.x <= a->to.x; j++) {
      const area_edge *b = &edges->list[j];
      if (larger(b->from.y, b->to.y) < low || smaller(b->from.y, b->to.y) > high) continue;
      if (!cut_pair(cuts, edges, i, j)) return false;
    }
  }
  return true;
}

static int by_edge_and_way(const void *left, const void *right) {
  const area_cut *a = left, *b = right;
  if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
  return a->way != b->way ? (a->way < b->way ? -1 : 1) : area_order(a->at, b->at);
}

/* Replaces the edges that have cuts by their parts. A cut counts only if it is in the rectangle between the cut before
 * it and the edge's end: rounding may have moved it out. Then |dx| + |dy| of the parts add up to that of the edge. A
 * part has at least 1, so the edges cannot be split without end. */
static bool apply_cuts(area_edges *edges, cut_list *cuts) {
  qsort(cuts->list, cuts->count, sizeof *cuts->list, by_edge_and_way);
  for (size_t k = 0; k < cuts->count;) {
    const size_t number = cuts->list[k].edge;
    const area_edge edge = edges->list[number];
    area_point from = edge.from, first = edge.to;
    for (; k < cuts->count && cuts->list[k].edge == number; k++) {
      const area_point at = cuts->list[k].at;
      if (!is_between(at, from, edge.to)) continue;
      if (area_same(from, edge.from))
        first = at;
      else if (!append(edges, from, at, edge.covers))
        return false;
      from = at;
    }
    if (!append(edges, from, edge.to, edge.covers)) return false;
    edges->list[number] = ordered(edge.from, first, edge.covers);
  }
  return true;
}

bool area_edges_split(area_edges *edges) {
  cut_list cuts = {0};
  bool ok = true;
  do {
    merge(edges);
    ok = find_cuts(&cuts, edges) && (!cuts.count || apply_cuts(edges, &cuts));
  } while (ok && cuts.count);
  free(cuts.list);
  return ok;
}
