/* tests/world/test_faces.c: positions at the faces of boxes that round badly. Every position that an agent may have is
 * allowed as the centre of a query.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define BOXES 4000u
#define AGENTS 6u

static uint64_t base_seed;

/* A box whose length, max - min, usually rounds. */
static throng_world_def random_box(test_rng *rng, throng_boundary boundary) {
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
  def.space = (throng_space)rng_below(rng, 2);
  def.boundary = boundary;
  def.perception_radius = ldexpf(rng_float(rng, 1.0f, 2.0f), (int)rng_below(rng, 7) - 3);
  const float least = 4.0f * def.perception_radius;
  float *low = &def.box_min.x, *high = &def.box_max.x;
  for (int c = 0; c < 3; c++) {
    const float side = least * ldexpf(rng_float(rng, 1.01f, 2.0f), (int)rng_below(rng, 18));
    const float nearer = side * ldexpf(rng_float(rng, 0.5f, 1.0f), -(int)rng_below(rng, 12)); /* the face nearer to 0 */
    const bool up = rng_chance(rng, 0.5f);
    low[c] = up ? nearer - side : -nearer;
    high[c] = up ? nearer : side - nearer;
  }
  return def;
}

static float first_inside(const throng_world_def *def, int c) {
  const float low = (&def->box_min.x)[c];
  return def->boundary == THRONG_BOUNDARY_PERIODIC ? low : nextafterf(low, INFINITY);
}
static float last_inside(const throng_world_def *def, int c) { return nextafterf((&def->box_max.x)[c], -INFINITY); }

/* On each axis the first or the last float inside the box, or one between. */
static void random_positions(test_rng *rng, const throng_world_def *def, throng_vec3 position[AGENTS]) {
  for (uint32_t k = 0; k < AGENTS; k++) {
    for (int c = 0; c < 3; c++) {
      const float first = first_inside(def, c), last = last_inside(def, c);
      const float inside[3] = {first, last, first + (last - first) * rng_float(rng, 0.0f, 0.99f)};
      (&position[k].x)[c] = inside[rng_below(rng, 3)];
    }
  }
}

static throng_world *world_with(const throng_world_def *def, const throng_vec3 *position, uint32_t count,
                                throng_agent_id *id) {
  throng_world *world = NULL;
  throng_error error;
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = position;
  require_ok(throng_world_create(def, &world, &error), &error);
  require_ok(throng_agents_add(world, &agents, count, id, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  return world;
}

/* Whether `id` is among the results, at distance 0. */
static void require_found(const throng_neighbour *found, uint32_t count, throng_agent_id id, const char *what) {
  for (uint32_t n = 0; n < count; n++)
    if (throng_agent_id_equal(found[n].id, id) && found[n].distance == 0.0f) return;
  fail_msg("seed %" PRIu64 ", %s: %u results, without agent %u at distance 0", base_seed, what, count, id.index);
}

static void require_queries(throng_world *world, throng_vec3 centre, throng_agent_id id) {
  throng_neighbour found[AGENTS];
  uint32_t count = 0;
  throng_error error;
  require_ok(throng_world_query_radius(world, centre, 0.0f, THRONG_ALL_LAYERS, found, AGENTS, &count, &error), &error);
  require_found(found, count, id, "radius");
  require_ok(throng_world_query_nearest(world, centre, AGENTS, THRONG_ALL_LAYERS, found, &count, &error), &error);
  assert_int_equal(count, AGENTS);
  require_found(found, count, id, "nearest");
  require_ok(throng_world_query_radius_batch(world, &centre, 1, 0.0f, THRONG_ALL_LAYERS, found, AGENTS, &count, &error),
             &error);
  require_found(found, count, id, "batch");
  require_ok(throng_world_query_nearest_batch(world, &centre, 1, AGENTS, THRONG_ALL_LAYERS, found, &count, &error),
             &error);
  require_found(found, count, id, "nearest batch");
}

static void agents_may_ask_where_they_are(void **state) {
  (void)state;
  for (uint32_t b = 0; b < BOXES; b++) {
    test_rng rng = rng_from(base_seed + b);
    const throng_world_def def = random_box(&rng, b % 2 ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_PERIODIC);
    throng_vec3 position[AGENTS];
    throng_agent_id id[AGENTS];
    throng_error error;
    random_positions(&rng, &def, position);
    throng_world *world = world_with(&def, position, AGENTS, id);
    for (uint32_t k = 0; k < AGENTS; k++) {
      throng_vec3 at;
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, &id[k], 1, &at, 0, &error), &error);
      assert_memory_equal(&at, &position[k], sizeof at);
      require_queries(world, at, id[k]);
    }
    throng_world_destroy(world);
  }
}

/* A centre on the far face of a periodic box is one on the near face. */
static void centres_may_be_on_faces(void **state) {
  (void)state;
  for (uint32_t b = 0; b < BOXES; b++) {
    test_rng rng = rng_from(base_seed + BOXES + b);
    const throng_world_def def = random_box(&rng, b % 2 ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_PERIODIC);
    throng_vec3 position = {first_inside(&def, 0), first_inside(&def, 1), first_inside(&def, 2)}, centre;
    throng_agent_id id;
    throng_error error;
    throng_world *world = world_with(&def, &position, 1, &id);
    for (int c = 0; c < 3; c++) (&centre.x)[c] = (rng_chance(&rng, 0.5f) ? &def.box_min.x : &def.box_max.x)[c];
    throng_neighbour found;
    uint32_t count = 0;
    require_ok(throng_world_query_nearest(world, centre, 1, THRONG_ALL_LAYERS, &found, &count, &error), &error);
    assert_int_equal(count, 1);
    const float rounding = 1e-6f * (fabsf(def.box_min.x) + fabsf(def.box_max.x) + fabsf(def.box_min.y) +
                                    fabsf(def.box_max.y) + fabsf(def.box_min.z) + fabsf(def.box_max.z));
    if (def.boundary == THRONG_BOUNDARY_PERIODIC && found.distance > rounding)
      fail_msg("seed %" PRIu64 ", box %u: an agent on the seam at distance %g", base_seed, b, (double)found.distance);
    require_ok(throng_world_query_radius(world, centre, found.distance, THRONG_ALL_LAYERS, &found, 1, &count, &error),
               &error);
    const float beyond = 1.01f * (def.box_max.x - def.box_min.x);
    centre.x = rng_chance(&rng, 0.5f) ? def.box_max.x + beyond : def.box_min.x - beyond;
    if (def.boundary == THRONG_BOUNDARY_PERIODIC)
      require_error(throng_world_query_nearest(world, centre, 1, THRONG_ALL_LAYERS, &found, &count, &error),
                    THRONG_ERROR_OUT_OF_RANGE, &error);
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_faces", 1459);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agents_may_ask_where_they_are),
      cmocka_unit_test(centres_may_be_on_faces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
