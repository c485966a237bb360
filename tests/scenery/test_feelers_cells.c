/* tests/scenery/test_feelers_cells.c: what feelers find among scenery cells, against the reference, which tests every
 * cell: on lattices, in blocked cells, outside of the map and on its borders.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"

#include "base/error.h"
#include "reference/reference_map.h"
#include "scenery/feelers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint64_t base_seed;
static const throng_allocator allocator = {0}; /* the default */

#define MOST 400
typedef struct town {
  throng_cells_def def;
  ref_map map;
  uint8_t blocked[MOST];
  struct cells cells;
} town;

/* Makes an axis as long as the map periodic. The map's origin is somewhere in the box. */
static void make_periodic(town *t, struct space *space, test_rng *rng, int axis) {
  struct grid_axis *x = &space->axis[axis];
  x->period = 4;
  x->length = t->def.cell * (float)(axis ? t->def.height : t->def.width);
  x->origin = (axis ? t->def.origin.z : t->def.origin.x) - x->length * rng_pick(rng, (const float[]){0, 0.4f, 1}, 3);
  space->low[axis] = x->origin;
  space->high[axis] = space->end[axis] = fmaxf(x->origin + x->length, axis ? t->def.origin.z : t->def.origin.x);
  t->map.repeats[axis / 2] = true;
}

static void build(town *t, test_rng *rng) {
  memset(t, 0, sizeof *t);
  t->def = throng_default_cells_def();
  t->def.width = 1 + rng_below(rng, 20);
  t->def.height = 1 + rng_below(rng, 20);
  t->def.cell = rng_pick(rng, (const float[]){1.0f, 0.5f, 0.1f, 7.3f}, 4);
  t->def.origin.x = rng_pick(rng, (const float[]){0.0f, -3.0f, 17.7f, -9000.5f}, 4);
  t->def.origin.z = rng_pick(rng, (const float[]){0.0f, -4.5f, 1000.1f, -8.25f}, 4);
  t->def.blocked = t->blocked;
  const float density = rng_pick(rng, (const float[]){0.02f, 0.2f, 0.6f}, 3);
  for (uint32_t k = 0; k < t->def.width * t->def.height; k++) t->blocked[k] = rng_chance(rng, density);
  struct space space;
  memset(&space, 0, sizeof space);
  space.limit = 1e6f;
  t->map.cells = &t->def;
  for (int c = 0; c < 3; c++) {
    space.low[c] = -1e6f;
    space.high[c] = 1e6f;
    if (c != 1 && rng_chance(rng, 0.4f)) make_periodic(t, &space, rng, c);
  }
  throng_error error;
  require_ok(throng_cells_make(&space, &allocator, &t->def, &t->cells, &error), &error);
}

/* Returns a coordinate in or near the map, often on a border or next to one. */
static float coordinate(test_rng *rng, float origin, float cell, uint32_t cells) {
  const float place = rng_float(rng, -2, (float)cells + 2), whole = floorf(place);
  const float x = origin + cell * (rng_chance(rng, 0.5f) ? whole : place);
  return rng_chance(rng, 0.2f) ? nextafterf(x, rng_chance(rng, 0.5f) ? -INFINITY : INFINITY) : x;
}
static throng_vec3 point_near(test_rng *rng, const town *t) {
  return (throng_vec3){coordinate(rng, t->def.origin.x, t->def.cell, t->def.width), 0,
                       coordinate(rng, t->def.origin.z, t->def.cell, t->def.height)};
}

static void rays_hit_the_same(void **state) {
  (void)state;
  static town t;
  uint32_t hits = 0;
  for (uint32_t round = 0; round < 300; round++) {
    test_rng rng = rng_from(base_seed + round);
    build(&t, &rng);
    for (int k = 0; k < 300; k++) {
      const throng_vec3 s = point_near(&rng, &t), e = point_near(&rng, &t);
      throng_vec3 w = {e.x - s.x, 0, e.z - s.z};
      if (rng_chance(&rng, 0.1f)) w.x = 0;
      if (rng_chance(&rng, 0.1f)) w.z = 0;
      if (rng_chance(&rng, 0.1f)) w.x = w.z = t.def.cell * floorf(rng_float(&rng, -4, 4));
      if (rng_chance(&rng, 0.1f)) w = (throng_vec3){w.x * 1e10f, 0, w.z * 1e10f};
      const struct cell_hit hit = throng_cells_feel(&t.cells, s.x, s.z, w.x, w.z);
      const ref_map_hit want = ref_map_ray(&t.map, s, w);
      hits += want.t <= 1.0f;
      if (hit.part == want.t && hit.normal_x == want.normal.x && hit.normal_z == want.normal.z) continue;
      print_error("seed %" PRIu64 ": from (%a, %a) by (%a, %a): %a, the reference %a\n", base_seed + round, (double)s.x,
                  (double)s.z, (double)w.x, (double)w.z, (double)hit.part, (double)want.t);
      fail();
    }
    throng_cells_release(&t.cells, &allocator);
  }
  print_message("%u of 90000 rays hit a cell\n", hits);
  assert_true(hits > 10000);
}

/* Whether a cell of a rectangle, counted from cells_begin, is blocked. */
static bool any_blocked(const struct cells *cells, const struct cell_range *range) {
  for (uint32_t z = range->first_z; z <= range->last_z; z++) {
    for (uint32_t x = range->first_x; x <= range->last_x; x++) {
      if (cells->blocked[(size_t)(z % cells->height) * cells->width + x % cells->width]) return true;
    }
  }
  return false;
}

/* Whether no cell of the square around the middle of a rectangle, which the rectangle is in, is blocked. */
static bool square_is_free(const struct cells *cells, const struct cell_range *range) {
  const int64_t more_x = range->last_x - range->first_x, more_z = range->last_z - range->first_z;
  const int64_t more = more_x > more_z ? more_x : more_z, half = more - more / 2;
  const int64_t x = range->first_x + more_x / 2, z = range->first_z + more_z / 2;
  for (int64_t k = z - half; k <= z + half; k++) {
    for (int64_t i = x - half; i <= x + half; i++) {
      if (cells_blocked_at(cells, i + cells_begin(cells, 0), k + cells_begin(cells, 1))) return false;
    }
  }
  return true;
}

/* A rectangle with a blocked cell is never called free. A free one is called free if it crosses no seam, and has at
 * most three cells each way or a free square around its middle. */
static void free_rectangles_are_free(void **state) {
  (void)state;
  static town t;
  uint32_t free = 0;
  for (uint32_t round = 0; round < 300; round++) {
    test_rng rng = rng_from(base_seed + 3000 + round);
    build(&t, &rng);
    const uint32_t width = t.def.width, height = t.def.height;
    for (int k = 0; k < 300; k++) {
      struct cell_range range;
      range.first_x = rng_below(&rng, t.cells.repeats[0] ? 4 * width : width);
      range.first_z = rng_below(&rng, t.cells.repeats[1] ? 4 * height : height);
      range.last_x = range.first_x + rng_below(&rng, 6);
      range.last_z = range.first_z + rng_below(&rng, 6);
      if (!t.cells.repeats[0] && range.last_x >= width) range.last_x = width - 1;
      if (!t.cells.repeats[1] && range.last_z >= height) range.last_z = height - 1;
      const bool seam =
          range.first_x / width != range.last_x / width || range.first_z / height != range.last_z / height;
      const bool small = range.last_x - range.first_x <= 2 && range.last_z - range.first_z <= 2;
      const bool said = cells_surely_free(&t.cells, &range), blocked = any_blocked(&t.cells, &range);
      free += said;
      assert_false(said && (blocked || seam));
      if (!blocked && !seam && small) assert_true(said);
      if (!seam && square_is_free(&t.cells, &range)) assert_true(said);
    }
    throng_cells_release(&t.cells, &allocator);
  }
  print_message("%u of 90000 rectangles are free\n", free);
  assert_true(free > 10000 && free < 80000);
}

static void the_nearest_cell_is_the_same(void **state) {
  (void)state;
  static town t;
  uint32_t found = 0;
  for (uint32_t round = 0; round < 100; round++) {
    test_rng rng = rng_from(base_seed + 1000 + round);
    build(&t, &rng);
    for (int k = 0; k < 200; k++) {
      const throng_vec3 x = point_near(&rng, &t);
      const float reach = rng_chance(&rng, 0.2f) ? 1e9f : t.def.cell * floorf(rng_float(&rng, 0, 6));
      const struct cell_surface surface = throng_cells_nearest(&t.cells, x.x, x.z, reach);
      const ref_map_surface want = ref_map_nearest(&t.map, x, reach);
      found += want.found;
      if (surface.found == want.found && surface.distance == want.distance && surface.normal_x == want.normal.x &&
          surface.normal_z == want.normal.z)
        continue;
      print_error("seed %" PRIu64 ": from (%a, %a) within %a: %a, the reference %a\n", base_seed + 1000 + round,
                  (double)x.x, (double)x.z, (double)reach, (double)surface.distance, (double)want.distance);
      fail();
    }
    throng_cells_release(&t.cells, &allocator);
  }
  print_message("%u of 20000 points have a blocked cell near\n", found);
  assert_true(found > 5000 && found < 19900);
}

static void covers_are_the_same(void **state) {
  (void)state;
  static town t;
  uint32_t found = 0;
  for (uint32_t round = 0; round < 100; round++) {
    test_rng rng = rng_from(base_seed + 2000 + round);
    build(&t, &rng);
    for (int k = 0; k < 200; k++) {
      const throng_vec3 p = point_near(&rng, &t), q = point_near(&rng, &t), a = point_near(&rng, &t);
      const bool box = rng_chance(&rng, 0.5f);
      const ref_map_hider who = {.p = p,
                                 .dp = {q.x - p.x, 0, q.z - p.z},
                                 .reach = rng_chance(&rng, 0.2f) ? 1e9f : t.def.cell * rng_float(&rng, 0, 8),
                                 .body = rng_chance(&rng, 0.3f) ? 0 : t.def.cell * rng_float(&rng, 0, 1),
                                 .distance = rng_chance(&rng, 0.3f) ? 0 : t.def.cell * rng_float(&rng, 0, 2),
                                 .box = box,
                                 .low = {fminf(p.x, a.x), 0, fminf(p.z, a.z)},
                                 .high = {fmaxf(p.x, a.x), 0, fmaxf(p.z, a.z)}};
      const struct hider hider = {.p = {p.x, p.z},
                                  .threat = {who.dp.x, who.dp.z},
                                  .low = {box ? who.low.x : -INFINITY, box ? who.low.z : -INFINITY},
                                  .high = {box ? who.high.x : INFINITY, box ? who.high.z : INFINITY},
                                  .reach = who.reach,
                                  .body = who.body,
                                  .distance = who.distance};
      const throng_vec3 want = ref_map_cover(&t.map, &who);
      float place[2] = {NAN, NAN};
      const bool any = throng_cells_cover(&t.cells, &hider, place);
      found += any;
      assert_true(any == (want.x == want.x));
      if (any) assert_true(place[0] == want.x && place[1] == want.z);
    }
    throng_cells_release(&t.cells, &allocator);
  }
  print_message("%u of 20000 agents have a hiding place\n", found);
  assert_true(found > 5000 && found < 19900);
}

/* A ray sees the first free cell's border to a blocked one. From inside a blocked cell it sees the next blocked cell,
 * but not the walls of its own. */
static void single_rays(void **state) {
  (void)state;
  static town t;
  memset(&t, 0, sizeof t);
  uint8_t row[6] = {0, 0, 1, 1, 0, 1};
  t.def = throng_default_cells_def();
  t.def.width = 6;
  t.def.height = 1;
  t.def.blocked = row;
  struct space space;
  memset(&space, 0, sizeof space);
  space.limit = 1e6f;
  throng_error error;
  require_ok(throng_cells_make(&space, &allocator, &t.def, &t.cells, &error), &error);
  static const struct {
    float x, z, way_x, way_z, part, normal;
  } rays[] = {
      {0.5f, 0.5f, 3, 0, 0.5f, -1},       /* ahead */
      {0.5f, 0.5f, 1.5f, 0, 1, -1},       /* ends exactly on the border */
      {0.5f, 0.5f, 1.25f, 0, 2, 0},       /* ends before it */
      {2, 0.5f, -1, 0, 2, 0},             /* out of a blocked cell */
      {2.5f, 0.5f, 4, 0, 0.625f, -1},     /* out of it, and into the next */
      {-2, 0.5f, 8, 0, 0.5f, -1},         /* from outside of the map */
      {8, 0.5f, -4, 0, 0.5f, 1},          /* the same, back */
      {2.5f, -1, 0, 0.5f, 2, 0},          /* ends before the map */
      {1.5f, 0, 0, 1, 2, 0},              /* along a face */
      {0.5f, 0.5f, 0, 0, 2, 0},           /* no length */
      {-5, 0.5f, -1e12f, 0, 2, 0},        /* away from the map */
      {0.5f, 0.5f, 1e12f, 1e3f, 0, -1.5f} /* very long: part is 1.5e-12 */
  };
  for (size_t k = 0; k < sizeof rays / sizeof *rays; k++) {
    const struct cell_hit hit = throng_cells_feel(&t.cells, rays[k].x, rays[k].z, rays[k].way_x, rays[k].way_z);
    if (rays[k].normal == -1.5f) {
      assert_true(hit.part == 1.5e-12f && hit.normal_x == -1.0f);
    } else {
      assert_true(hit.part == rays[k].part && hit.normal_x == rays[k].normal && hit.normal_z == 0.0f);
    }
  }
  throng_cells_release(&t.cells, &allocator);
}

int main(void) {
  base_seed = test_seed("test_feelers_cells", 43);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_hit_the_same),
      cmocka_unit_test(free_rectangles_are_free),
      cmocka_unit_test(the_nearest_cell_is_the_same),
      cmocka_unit_test(covers_are_the_same),
      cmocka_unit_test(single_rays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
