/* tests/scenery/test_distance_table.c: tests of the tables that say how far away scenery is: steps and distances
 * against brute force, and that the tables decide no bit.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/random.h"
#include "support/stage.h"
#include "support/stand.h"

#include "state.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint64_t base_seed;

/* Steps. */

#define MOST_CELLS 700

/* The number of steps between two cells along an axis. */
static uint32_t steps_along(uint32_t a, uint32_t b, uint32_t count, bool repeats) {
  const uint32_t direct = a > b ? a - b : b - a;
  return repeats && count - direct < direct ? count - direct : direct;
}
static uint32_t steps_to_nearest(const uint8_t *occupied, const uint32_t count[3], const bool repeats[3], uint32_t at) {
  uint32_t least = UINT8_MAX;
  for (uint32_t k = 0; k < count[0] * count[1] * count[2]; k++) {
    uint32_t most = 0, a = at, b = k;
    for (int c = 0; c < 3; c++) {
      const uint32_t steps = steps_along(a % count[c], b % count[c], count[c], repeats[c]);
      most = steps > most ? steps : most;
      a /= count[c];
      b /= count[c];
    }
    if (occupied[k] == 0 && most < least) least = most;
  }
  return least;
}

static void steps_equal_brute_force(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 200; round++) {
    const uint64_t seed = base_seed + round;
    test_rng rng = rng_from(seed);
    uint8_t occupied[MOST_CELLS], steps[MOST_CELLS];
    bool repeats[3];
    uint32_t count[3];
    do {
      for (int c = 0; c < 3; c++) {
        count[c] = rng_chance(&rng, 0.2f) ? 1 : 1 + rng_below(&rng, c == 0 ? 300 : 20);
        repeats[c] = rng_chance(&rng, 0.4f);
      }
    } while (count[0] * count[1] * count[2] > MOST_CELLS);
    const uint32_t cells = count[0] * count[1] * count[2];
    const float density = rng_pick(&rng, (const float[]){0, 0.003f, 0.02f, 0.5f}, 4);
    for (uint32_t k = 0; k < cells; k++) occupied[k] = rng_chance(&rng, density) ? 0 : UINT8_MAX;
    memcpy(steps, occupied, cells);
    throng_count_steps(steps, count, repeats);
    for (uint32_t k = 0; k < cells; k++) {
      const uint32_t expected = steps_to_nearest(occupied, count, repeats, k);
      if (steps[k] == expected) continue;
      fail_msg("seed %" PRIu64 ": cell %u of %u x %u x %u is %u steps away, expected %u", seed, k, count[0], count[1],
               count[2], steps[k], expected);
    }
  }
}

/* Distances. */

static double nearest_shape(const struct scenery *scenery, const float p[3]) {
  double least = INFINITY;
  for (uint32_t k = 0; k < scenery->shapes - scenery->planes; k++) {
    least = fmin(least, throng_shape_nearest(&scenery->shape[k], vec_of(p)).distance);
  }
  return least;
}

/* The distances of one in eight points are just shorter or just longer than the reach. No point within reach may count
 * as clear, and most others must. */
static void nothing_near_is_clear(void **state) {
  (void)state;
  uint32_t clear = 0, far = 0;
  for (uint32_t round = 0; round < 300; round++) {
    const uint64_t seed = base_seed + 1000 + round;
    test_rng rng = rng_from(seed);
    const place at = random_place(&rng, (throng_space)(round % 2));
    const stand s = random_stand(&rng, &at);
    throng_world *world =
        stand_world(at.space, THRONG_BOUNDARY_UNBOUNDED, 1, at.origin, 0, THRONG_UPDATE_SEMI_IMPLICIT);
    set_stand(world, &s);
    const struct scenery *scenery = &world->objects.scenery;
    for (int k = 0; k < 400; k++) {
      const throng_vec3 point = random_point(&rng, &at), centre = random_point(&rng, &at);
      const float spread = rng_pick(&rng, (const float[]){1, 1, 3, 100}, 4);
      const float p[3] = {centre.x + (point.x - centre.x) * spread,
                          at.space == THRONG_SPACE_SPATIAL ? centre.y + (point.y - centre.y) * spread : 0.0f,
                          centre.z + (point.z - centre.z) * spread};
      const double distance = nearest_shape(scenery, p);
      float reach = rng_float(&rng, 0, 0.3f) * at.side;
      if (rng_chance(&rng, 0.125f)) reach = (float)distance * rng_pick(&rng, (const float[]){0.999999f, 1.000001f}, 2);
      if (reach < 0.0f) reach = 0.0f; /* inside a shape */
      const bool is_clear = distance_table_is_clear(&scenery->distances, p, reach);
      if (is_clear && distance < (double)reach) {
        fail_msg("seed %" PRIu64 ": (%a, %a, %a) counts as clear within %g, but a shape is %g away", seed, (double)p[0],
                 (double)p[1], (double)p[2], (double)reach, distance);
      }
      if (distance < 2.0 * (double)reach + 0.2 * (double)at.side) continue;
      far++;
      clear += is_clear;
    }
    throng_world_destroy(world);
  }
  assert_true(far > 10000 && clear > far / 10 * 9);
}

/* The origin has no size to round, and no distance from a shape that it is in. */
static void the_origin_may_be_in_a_shape(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    static stand s;
    memset(&s, 0, sizeof s);
    add_ball(&s, 0, 0, 0, 5);
    throng_world *world = stand_world((throng_space)space, THRONG_BOUNDARY_UNBOUNDED, 1, (throng_vec3){0, 0, 0}, 0,
                                      THRONG_UPDATE_SEMI_IMPLICIT);
    set_stand(world, &s);
    const throng_vec3 places[] = {{0, 0, 0}, {-0.0f, 0, 0}, {1e-45f, 0, 0}, {0, 0, -1e-40f}};
    for (int k = 0; k < 4; k++) {
      throng_agents_def agents = throng_default_agents_def();
      throng_error error;
      agents.position.data = &places[k];
      require_error(throng_agents_add(world, &agents, 1, NULL, &error), THRONG_ERROR_BLOCKED, &error);
    }
    throng_world_destroy(world);
  }
}

/* Bits. */

/* Makes the tables say that shapes and blocked cells may be anywhere. */
static void without_tables(throng_world *world) {
  struct distance_table *distances = &world->objects.scenery.distances;
  struct cells *cells = &world->objects.cells;
  if (distances->steps)
    memset(distances->steps, 0, (size_t)distances->count[0] * distances->count[1] * distances->count[2]);
  for (int c = 0; c < 3; c++) {
    distances->low[c] = -1e30f;
    distances->high[c] = 1e30f;
  }
  if (cells->steps) memset(cells->steps, 0, (size_t)cells->width * cells->height);
}

/* Sets scenery and cells after it has removed the agents in them. Returns whether the world takes them. */
static bool set_scenery(throng_world *world, const stand *s, borders *b) {
  throng_error error;
  const throng_scenery_def def = stand_def(s);
  for (bool scenery = true;; scenery = false) {
    for (;;) {
      const throng_status status = scenery ? throng_world_set_scenery(world, &def, &error)
                                           : throng_world_set_cells(world, borders_cells(b), &error);
      if (status == THRONG_OK) break;
      if (status != THRONG_ERROR_BLOCKED) return false;
      require_ok(throng_agents_remove(world, &error.agent, 1, &error), &error);
    }
    if (!scenery) return true;
  }
}

static void the_tables_decide_no_bit(void **state) {
  (void)state;
  uint32_t rounds = 0;
  for (uint32_t round = 0; round < 90; round++) {
    const uint64_t seed = base_seed + 2000 + round;
    const crowd_recipe recipe = {.space = (throng_space)(round % 2),
                                 .boundary = round / 2 % CROWD_BOUNDARIES,
                                 .layout = round % 3 ? LAYOUT_UNIFORM : LAYOUT_SEAM,
                                 .count = 200};
    crowd *c = crowd_random(seed, &recipe);
    test_rng rng = rng_from(seed + 1000);
    const place at = {recipe.space, c->agents[0].position, c->def.perception_radius * rng_float(&rng, 1, 6)};
    static stand s;
    s = random_stand(&rng, &at);
    borders b = random_borders(&rng, &at);
    throng_world *world[2];
    throng_error error;
    bool both = true;
    for (int w = 0; w < 2; w++) {
      world[w] = crowd_world(c, NULL);
      both &= set_scenery(world[w], &s, &b);
    }
    without_tables(world[1]);
    for (int frame = 0; frame < 20; frame++) {
      throng_vec3 shifted[2];
      for (int w = 0; w < 2 && frame == 10; w++) {
        (void)throng_world_shift_origin(world[w], (throng_vec3){at.side, 0, 0}, &shifted[w], &error);
        if (w == 1) without_tables(world[w]);
      }
      for (int w = 0; w < 2; w++) stage_step(world[w], rng.state % 2 ? 0.02f : 0.2f);
      if (throng_world_hash(world[0], 0) == throng_world_hash(world[1], 0)) continue;
      fail_msg("seed %" PRIu64 ", frame %d: the tables of distances change the state", seed, frame);
    }
    rounds += both;
    for (int w = 0; w < 2; w++) throng_world_destroy(world[w]);
    crowd_free(c);
  }
  assert_true(rounds > 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_equal_brute_force),
      cmocka_unit_test(nothing_near_is_clear),
      cmocka_unit_test(the_origin_may_be_in_a_shape),
      cmocka_unit_test(the_tables_decide_no_bit),
  };
  base_seed = test_seed("distance_table", 20261130);
  return cmocka_run_group_tests_name("distance_table", tests, NULL, NULL);
}
