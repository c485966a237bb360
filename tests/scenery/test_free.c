/* tests/scenery/test_free.c: tests of throng_world_is_free. All coordinates are multiples of 1/16 m, so that the
 * comparison with all cells and shapes is exact, in integers.
 * SPDX-License-Identifier: MIT */
#include "support/random.h"
#include "support/stage.h"
#include "support/stand.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIDE 256 /* of the box, in sixteenths of a metre */
#define MAP_SIDE 24
#define SHAPES 10

static uint64_t base_seed;

typedef struct point {
  int64_t at[3]; /* sixteenths */
} point;
typedef enum verdict { BLOCKED, FREE, ON_THE_EDGE } verdict;

/* Random scenery and cells, in sixteenths of a metre. */
typedef struct ground {
  bool spatial, box;
  uint32_t balls, walls, boxes, planes;
  point centre[SHAPES], from[SHAPES], to[SHAPES], low[SHAPES], high[SHAPES], on_plane[SHAPES];
  int64_t radius[SHAPES];
  int plane_axis[SHAPES], plane_sign[SHAPES];
  int64_t width, height, cell, origin_x, origin_z; /* no cells: width is 0 */
  uint8_t blocked[MAP_SIDE * MAP_SIDE];
} ground;

static int64_t between(test_rng *rng, int64_t low, int64_t high) {
  return low + (int64_t)rng_below(rng, (uint32_t)(high - low + 1));
}
static float metres(int64_t sixteenths) { return (float)sixteenths * 0.0625f; }
static throng_vec3 vec_at(point p) { return (throng_vec3){metres(p.at[0]), metres(p.at[1]), metres(p.at[2])}; }

static point random_lattice_point(test_rng *rng, bool spatial, int64_t beyond) {
  point p = {{between(rng, -beyond, SIDE + beyond), 0, between(rng, -beyond, SIDE + beyond)}};
  if (spatial) p.at[1] = between(rng, -beyond, SIDE + beyond);
  return p;
}

static ground random_ground(test_rng *rng, bool spatial) {
  ground g = {.spatial = spatial, .box = rng_chance(rng, 0.7f), .balls = rng_below(rng, SHAPES)};
  for (uint32_t k = 0; k < g.balls; k++) {
    g.centre[k] = random_lattice_point(rng, spatial, 32);
    g.radius[k] = between(rng, 1, 40);
  }
  if (spatial) {
    g.boxes = rng_below(rng, SHAPES);
    g.planes = rng_below(rng, 3);
    for (uint32_t k = 0; k < g.boxes; k++) {
      g.low[k] = g.high[k] = random_lattice_point(rng, true, 32);
      for (int c = 0; c < 3; c++) g.high[k].at[c] += between(rng, 1, 60);
    }
    for (uint32_t k = 0; k < g.planes; k++) {
      g.plane_axis[k] = (int)rng_below(rng, 3);
      g.plane_sign[k] = rng_chance(rng, 0.5f) ? 1 : -1;
      g.on_plane[k] = random_lattice_point(rng, true, 0);
      g.on_plane[k].at[g.plane_axis[k]] = g.plane_sign[k] > 0 ? between(rng, 0, 64) : SIDE - between(rng, 0, 64);
    }
    return g;
  }
  g.walls = rng_below(rng, SHAPES);
  for (uint32_t k = 0; k < g.walls; k++) {
    do {
      g.from[k] = random_lattice_point(rng, false, 32);
      g.to[k] = random_lattice_point(rng, false, 32);
    } while (memcmp(&g.from[k], &g.to[k], sizeof g.to[k]) == 0);
  }
  if (rng_chance(rng, 0.7f)) {
    g.width = between(rng, 1, MAP_SIDE);
    g.height = between(rng, 1, MAP_SIDE);
    g.cell = between(rng, 1, 24);
    g.origin_x = between(rng, -64, 128);
    g.origin_z = between(rng, -64, 128);
    const float share = rng_pick(rng, (const float[]){0.02f, 0.3f}, 2);
    for (int64_t k = 0; k < g.width * g.height; k++) g.blocked[k] = rng_chance(rng, share);
  }
  return g;
}

static throng_world *world_of(const ground *g) {
  static stand s;
  memset(&s, 0, sizeof s);
  s.balls = g->balls;
  s.walls = g->walls;
  s.boxes = g->boxes;
  s.planes = g->planes;
  for (uint32_t k = 0; k < SHAPES; k++) {
    s.centre[k] = vec_at(g->centre[k]);
    s.radius[k] = metres(g->radius[k]);
    s.from[k] = vec_at(g->from[k]);
    s.to[k] = vec_at(g->to[k]);
    s.low[k] = vec_at(g->low[k]);
    s.high[k] = vec_at(g->high[k]);
    s.point[k] = vec_at(g->on_plane[k]);
    (&s.normal[k].x)[g->plane_axis[k]] = 2.0f * (float)g->plane_sign[k];
  }
  throng_world *world = stand_world(g->spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR,
                                    g->box ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_UNBOUNDED, metres(SIDE),
                                    (throng_vec3){0, 0, 0}, 0.1f, THRONG_UPDATE_SEMI_IMPLICIT);
  set_stand(world, &s);
  if (g->width > 0) {
    throng_cells_def cells = throng_default_cells_def();
    throng_error error;
    cells.width = (uint32_t)g->width;
    cells.height = (uint32_t)g->height;
    cells.cell = metres(g->cell);
    cells.origin.x = metres(g->origin_x);
    cells.origin.z = metres(g->origin_z);
    cells.blocked = g->blocked;
    require_ok(throng_world_set_cells(world, &cells, &error), &error);
  }
  return world;
}

/* Brute force. */

static int64_t dot(point a, point b) { return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2]; }
static point minus(point a, point b) { return (point){{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}}; }
static int64_t beyond(int64_t x, int64_t low, int64_t high) { return x < low ? low - x : x > high ? x - high : 0; }

static bool meets_ball(const ground *g, uint32_t k, point p, int64_t r) {
  const point d = minus(p, g->centre[k]);
  return dot(d, d) < (g->radius[k] + r) * (g->radius[k] + r);
}

static bool meets_box(const ground *g, uint32_t k, point p, int64_t r) {
  int64_t square = 0;
  bool inside = true;
  for (int c = 0; c < 3; c++) {
    const int64_t out = beyond(p.at[c], g->low[k].at[c], g->high[k].at[c]);
    square += out * out;
    inside = inside && p.at[c] > g->low[k].at[c] && p.at[c] < g->high[k].at[c];
  }
  return inside || square < r * r;
}

static bool meets_plane(const ground *g, uint32_t k, point p, int64_t r) {
  const int c = g->plane_axis[k];
  return (p.at[c] - g->on_plane[k].at[c]) * g->plane_sign[k] < r;
}

/* Whether a body is free of a wall. ON_THE_EDGE: it exactly touches the wall between its ends, where the kernel's
 * rounding may decide either way. */
static verdict beside_wall(const ground *g, uint32_t k, point p, int64_t r) {
  const point along = minus(g->to[k], g->from[k]), from = minus(p, g->from[k]), to = minus(p, g->to[k]);
  const int64_t t = dot(from, along), whole = dot(along, along);
  if (r == 0) return FREE;
  if (t <= 0) return dot(from, from) < r * r ? BLOCKED : FREE;
  if (t >= whole) return dot(to, to) < r * r ? BLOCKED : FREE;
  const int64_t cross = along.at[0] * from.at[2] - along.at[2] * from.at[0];
  const int64_t left = cross * cross, right = r * r * whole;
  return left < right ? BLOCKED : left > right ? FREE : ON_THE_EDGE;
}

/* Whether a cell contains the coordinate x. Cells are half open, but the last one includes the map's far edge. */
static bool holds(int64_t x, int64_t low, int64_t cell, bool last) { return x >= low && x - low < cell + last; }

static bool meets_cell(const ground *g, int64_t i, int64_t j, point p, int64_t r) {
  const int64_t x = g->origin_x + i * g->cell, z = g->origin_z + j * g->cell;
  if (!g->blocked[j * g->width + i]) return false;
  const int64_t dx = beyond(p.at[0], x, x + g->cell), dz = beyond(p.at[2], z, z + g->cell);
  return dx * dx + dz * dz < r * r ||
         (holds(p.at[0], x, g->cell, i == g->width - 1) && holds(p.at[2], z, g->cell, j == g->height - 1));
}

static verdict brute(const ground *g, point p, int64_t r) {
  verdict result = FREE;
  for (int c = 0; g->box && c < 3; c++) {
    if ((c != 1 || g->spatial) && (p.at[c] < 0 || p.at[c] > SIDE)) return BLOCKED;
  }
  for (uint32_t k = 0; k < g->balls; k++)
    if (meets_ball(g, k, p, r)) return BLOCKED;
  for (uint32_t k = 0; k < g->boxes; k++)
    if (meets_box(g, k, p, r)) return BLOCKED;
  for (uint32_t k = 0; k < g->planes; k++)
    if (meets_plane(g, k, p, r)) return BLOCKED;
  for (int64_t j = 0; j < g->height; j++)
    for (int64_t i = 0; i < g->width; i++)
      if (meets_cell(g, i, j, p, r)) return BLOCKED;
  for (uint32_t k = 0; k < g->walls; k++) {
    const verdict wall = beside_wall(g, k, p, r);
    if (wall == BLOCKED) return BLOCKED;
    if (wall == ON_THE_EDGE) result = ON_THE_EDGE;
  }
  return result;
}

static void every_cell_and_shape_counts(void **state) {
  (void)state;
  uint32_t verdicts[3] = {0, 0, 0};
  for (uint32_t round = 0; round < 400; round++) {
    const uint64_t seed = base_seed + round;
    test_rng rng = rng_from(seed);
    const ground g = random_ground(&rng, round % 2);
    throng_world *world = world_of(&g);
    for (int k = 0; k < 400; k++) {
      const int64_t r = rng_chance(&rng, 0.2f) ? 0 : between(&rng, 1, rng_chance(&rng, 0.1f) ? 400 : 40);
      const point p = random_lattice_point(&rng, g.spatial, 24);
      throng_vec3 asked = vec_at(p);
      if (!g.spatial) asked.y = rng_pick(&rng, (const float[]){0.0f, 3.0f, NAN}, 3); /* ignored */
      const verdict expected = brute(&g, p, r);
      const bool is_free = throng_world_is_free(world, asked, metres(r));
      verdicts[expected]++;
      if (expected == ON_THE_EDGE || is_free == (expected == FREE)) continue;
      print_error("seed %" PRIu64 ", %s world, (%g, %g, %g) with radius %g: %s, must be %s\n", seed,
                  g.spatial ? "spatial" : "planar", (double)asked.x, (double)asked.y, (double)asked.z,
                  (double)metres(r), is_free ? "free" : "not free", expected == FREE ? "free" : "not free");
      fail();
    }
    throng_world_destroy(world);
  }
  assert_true(verdicts[FREE] > 20000 && verdicts[BLOCKED] > 20000 && verdicts[ON_THE_EDGE] < 1000);
}

/* With radius 0 a point is free if and only if an agent can be added there. */
static void points_are_free_where_agents_can_be_added(void **state) {
  (void)state;
  uint32_t added = 0, refused = 0;
  for (uint32_t round = 0; round < 60; round++) {
    test_rng rng = rng_from(base_seed + 1000 + round);
    const bool spatial = round % 2, periodic = round % 3 == 0;
    const ground g = random_ground(&rng, spatial);
    throng_world *world =
        periodic ? stand_world(spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC,
                               metres(SIDE), (throng_vec3){0, 0, 0}, 0.1f, THRONG_UPDATE_SEMI_IMPLICIT)
                 : world_of(&g);
    for (int k = 0; k < 300; k++) {
      const float odd[] = {0.0f, -0.0f, metres(SIDE), nextafterf(metres(SIDE), 0), NAN, INFINITY, -1e30f, 1.1e6f};
      throng_vec3 p = vec_at(random_lattice_point(&rng, spatial, 24));
      throng_agent_id id;
      throng_error error;
      throng_agents_def def = throng_default_agents_def();
      if (rng_chance(&rng, 0.2f)) p.x = rng_pick(&rng, odd, 8);
      if (rng_chance(&rng, 0.1f)) p.z = rng_pick(&rng, odd, 8);
      if (rng_chance(&rng, 0.1f) && spatial) p.y = rng_pick(&rng, odd, 8);
      def.position.data = &p;
      const bool taken = throng_agents_add(world, &def, 1, &id, &error) == THRONG_OK;
      if (taken) require_ok(throng_agents_remove(world, &id, 1, &error), &error);
      *(taken ? &added : &refused) += 1;
      if (throng_world_is_free(world, p, 0) == taken && throng_world_is_free(world, p, -0.0f) == taken) continue;
      print_error("round %u: (%a, %a, %a) is %s\n", round, (double)p.x, (double)p.y, (double)p.z,
                  taken ? "taken by add, but not free" : "free, but refused by add");
      fail();
    }
    throng_world_destroy(world);
  }
  assert_true(added > 5000 && refused > 2000);
}

/* A body that touches a circle or a wall is free; one that is a little larger is not. */
static void bodies_may_touch(void **state) {
  (void)state;
  static stand s;
  memset(&s, 0, sizeof s);
  add_ball(&s, 5, 0, 5, 1);
  add_wall(&s, 10, 0, 10, 4);
  throng_world *world = stand_plain_world(0);
  const float over = 0x1p-20f;
  set_stand(world, &s);
  assert_true(throng_world_is_free(world, (throng_vec3){5, 0, 8}, 2.0f));
  assert_false(throng_world_is_free(world, (throng_vec3){5, 0, 8}, 2.0f + over));
  assert_true(throng_world_is_free(world, (throng_vec3){12, 0, 2}, 2.0f));
  assert_false(throng_world_is_free(world, (throng_vec3){12, 0, 2}, 2.0f + over));
  assert_true(throng_world_is_free(world, (throng_vec3){13, 0, 8}, 5.0f)); /* 3, 4, 5 from the wall's end */
  assert_false(throng_world_is_free(world, (throng_vec3){13, 0, 8}, 5.0f + over));
  assert_true(throng_world_is_free(world, (throng_vec3){10, 0, 2}, 0.0f)); /* on the wall */
  assert_false(throng_world_is_free(world, (throng_vec3){10, 0, 2}, 1e-38f));
  throng_world_destroy(world);
}

static void odd_radii(void **state) {
  (void)state;
  static const float none[] = {NAN, INFINITY, -INFINITY, -1.0f, -1e-45f};
  throng_world *world = stand_plain_world(0);
  const throng_vec3 p = {1, 2, 3};
  for (int k = 0; k < 5; k++) assert_false(throng_world_is_free(world, p, none[k]));
  assert_true(throng_world_is_free(world, p, 3e38f)); /* the world has no scenery */
  assert_false(throng_world_is_free(NULL, p, 0));
  static stand s;
  memset(&s, 0, sizeof s);
  add_ball(&s, 500, 0, 500, 1);
  set_stand(world, &s);
  assert_true(throng_world_is_free(world, p, 700.0f));
  assert_false(throng_world_is_free(world, p, 3e38f));
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_cell_and_shape_counts),
      cmocka_unit_test(points_are_free_where_agents_can_be_added),
      cmocka_unit_test(bodies_may_touch),
      cmocka_unit_test(odd_radii),
  };
  base_seed = test_seed("free", 20261126);
  return cmocka_run_group_tests_name("free", tests, NULL, NULL);
}
