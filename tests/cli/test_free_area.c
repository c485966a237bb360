/* tests/cli/test_free_area.c: compares free areas with a direct count of the outlines around random points, and checks
 * their rings. Also checks that builds without SQLite refuse databases: this program has none.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "output/free_area.h"
#include "output/trajectory_database.h"
#include "scene/scene_math.h"

#define OUTLINES 12
#define CORNERS 5
#define POINTS 400

static random_state dice;

static int64_t pick(int64_t low, int64_t high) {
  return low + (int64_t)(random_next(&dice) % (uint64_t)(high - low + 1));
}

/* A rectangle that is covered outside, and polygons in it that are covered inside; they turn left. */
typedef struct outlines {
  area_point corner[OUTLINES][CORNERS];
  int count;
  int64_t size;
} outlines;

static int64_t twice_area(const area_point *corner, int count) {
  int64_t area = 0;
  for (int k = 0; k < count; k++) {
    const area_point a = corner[k], b = corner[(k + 1) % count];
    area += a.x * b.y - a.y * b.x;
  }
  return area;
}

/* Draws outlines with corners on a grid of `size` / `step` lines: with few lines many coincide. */
static void draw(outlines *out, int64_t size, int64_t step) {
  out->size = size;
  out->count = (int)pick(0, OUTLINES);
  for (int k = 0; k < out->count; k++) {
    const area_point centre = {pick(0, size / step), pick(0, size / step)};
    const int64_t reach = 1 + size / step / 4;
    const area_point low = {centre.x - pick(0, reach), centre.y - pick(0, reach)};
    const area_point high = {centre.x + pick(1, reach), centre.y + pick(1, reach)};
    const area_point corner[CORNERS] = {
        {low.x, centre.y}, {pick(low.x, high.x), low.y}, {high.x, low.y}, {high.x, centre.y}, {centre.x, high.y}};
    for (int i = 0; i < CORNERS; i++) out->corner[k][i] = (area_point){corner[i].x * step, corner[i].y * step};
    assert_true(twice_area(out->corner[k], CORNERS) >= 0);
  }
}

static area_edges edges_of(const outlines *drawn) {
  area_edges edges = {0};
  const int64_t s = drawn->size;
  const area_point around[4] = {{0, 0}, {0, s}, {s, s}, {s, 0}};
  for (int k = 0; k < 4; k++) assert_true(area_edges_add(&edges, around[k], around[(k + 1) % 4]));
  for (int k = 0; k < drawn->count; k++)
    for (int i = 0; i < CORNERS; i++)
      assert_true(area_edges_add(&edges, drawn->corner[k][i], drawn->corner[k][(i + 1) % CORNERS]));
  return edges;
}

/* Returns how often an outline turns around a point, or 9 if the point is within 2 units of it: a crossing may have
 * been rounded. */
static int turns_around(const area_point *corner, area_point p) {
  int turns = 0;
  for (int i = 0; i < CORNERS; i++) {
    const area_point a = corner[i], b = corner[(i + 1) % CORNERS];
    const int64_t turn = area_turn(a, b, p), length = llabs(b.x - a.x) + llabs(b.y - a.y);
    if (llabs(turn) <= 2 * length) return 9;
    if ((a.y <= p.y) != (b.y <= p.y)) turns += a.y <= p.y ? turn > 0 : -(turn < 0);
  }
  return turns;
}

/* Whether no outline covers a point: 1 or 0, or -1 if it is near an outline. */
static int is_free(const outlines *drawn, area_point p) {
  int covers = 0;
  for (int k = 0; k < drawn->count; k++) {
    const int turns = turns_around(drawn->corner[k], p);
    if (turns == 9) return -1;
    covers += turns;
  }
  return covers == 0;
}

static void check_points(const outlines *drawn, const free_area *area) {
  for (int n = 0; n < POINTS; n++) {
    const area_point p = {pick(3, drawn->size - 3), pick(3, drawn->size - 3)};
    const int wanted = is_free(drawn, p);
    int shells = 0;
    for (uint32_t ring = 0; ring < area->ring_count; ring++)
      if (area->rings[ring].shell == ring) shells += free_area_has(area, ring, area_doubled(p));
    if (wanted >= 0) assert_int_equal(shells, wanted);
  }
}

/* Rings do not touch themselves, have no corner on a straight line, and have holes only in shells. */
static void check_rings(const free_area *area) {
  for (uint32_t k = 0; k < area->ring_count; k++) {
    const area_ring *ring = &area->rings[k];
    const area_point *points = &area->points[ring->begin];
    assert_true(ring->count >= 3);
    assert_true((ring->twice_area > 0) == (ring->shell == k));
    assert_true(area->rings[ring->shell].twice_area > -ring->twice_area || ring->shell == k);
    for (size_t i = 0; i < ring->count; i++) {
      assert_true(area_turn(points[i], points[(i + 1) % ring->count], points[(i + 2) % ring->count]) != 0);
      for (size_t j = 0; j < i; j++) assert_false(area_same(points[i], points[j]));
    }
  }
}

static bool crosses(const area_edge *a, const area_edge *b) {
  const int64_t from = area_turn(a->from, a->to, b->from), to = area_turn(a->from, a->to, b->to);
  const int64_t own_from = area_turn(b->from, b->to, a->from), own_to = area_turn(b->from, b->to, a->to);
  return ((from > 0 && to < 0) || (from < 0 && to > 0)) &&
         ((own_from > 0 && own_to < 0) || (own_from < 0 && own_to > 0));
}

static void check_edges(const area_edges *edges) {
  for (size_t k = 0; k < edges->count; k++)
    for (size_t other = 0; other < k; other++) assert_false(crosses(&edges->list[k], &edges->list[other]));
}

static void random_outlines(void **state) {
  (void)state;
  static const int64_t sizes[][2] = {{40, 10}, {200, 10}, {1000, 1}, {AREA_MAX_COORDINATE / 2, 1}};
  for (uint64_t seed = 0; seed < 2000; seed++) {
    outlines drawn;
    free_area area;
    dice = random_for(seed, 0, 0);
    draw(&drawn, sizes[seed % 4][0], sizes[seed % 4][1]);
    area_edges edges = edges_of(&drawn);
    assert_true(area_edges_split(&edges));
    check_edges(&edges);
    assert_true(free_area_find(&area, &edges));
    check_rings(&area);
    check_points(&drawn, &area);
    free_area_release(&area);
    area_edges_release(&edges);
  }
}

/* Two squares in a rectangle touch at a corner: the hole that would touch itself is two holes. */
static void corners_that_touch(void **state) {
  (void)state;
  static const area_point corner[3][4] = {
      {{0, 0}, {0, 9}, {9, 9}, {9, 0}}, {{2, 2}, {4, 2}, {4, 4}, {2, 4}}, {{4, 4}, {6, 4}, {6, 6}, {4, 6}}};
  area_edges edges = {0};
  free_area area;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 4; i++) assert_true(area_edges_add(&edges, corner[k][i], corner[k][(i + 1) % 4]));
  assert_true(area_edges_split(&edges));
  assert_true(free_area_find(&area, &edges));
  assert_int_equal(area.ring_count, 3);
  check_rings(&area);
  double sum = 0;
  for (uint32_t k = 0; k < area.ring_count; k++) sum += area.rings[k].twice_area;
  assert_true(sum == 2 * (81 - 8));
  free_area_release(&area);
  area_edges_release(&edges);
}

static void no_database(void **state) {
  (void)state;
  bench_problem problem;
  assert_false(trajectory_database_check(&problem));
  assert_non_null(strstr(problem.text, "cannot write .sqlite"));
  assert_non_null(strstr(problem.text, "libsqlite3-dev"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_outlines), cmocka_unit_test(corners_that_touch),
                                     cmocka_unit_test(no_database)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
