/* tests/scenery/test_bodies_and_cells.c: worlds with both blocked cells and shapes. Tests that an agent's whole body
 * keeps its distance from shapes, whether a cell, a shape or another body deflects it.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SIDE 24u
#define CIRCLES 14u
#define WALLS 8u
#define AGENTS 80u

static uint64_t base_seed;

struct ground {
  float cell, origin, body;
  bool contact, box;
  uint8_t blocked[SIDE * SIDE];
  throng_vec3 centre[CIRCLES], from[WALLS], to[WALLS];
  float radius[CIRCLES];
};

static throng_vec3 random_point(test_rng *rng, const struct ground *g) {
  const float side = g->cell * SIDE;
  return (throng_vec3){g->origin + rng_float(rng, 0.0f, side), 0, g->origin + rng_float(rng, 0.0f, side)};
}

static struct ground random_ground(test_rng *rng) {
  struct ground g = {.cell = rng_float(rng, 0.5f, 2.0f),
                     .origin = rng_pick(rng, (const float[]){0.0f, -40.0f, 700.0f}, 3)};
  g.body = g.cell * rng_float(rng, 0.05f, 0.4f);
  g.contact = rng_chance(rng, 0.3f);
  g.box = rng_chance(rng, 0.5f);
  const float share = rng_float(rng, 0.02f, 0.3f);
  for (uint32_t k = 0; k < SIDE * SIDE; k++) g.blocked[k] = rng_chance(rng, share);
  for (uint32_t k = 0; k < CIRCLES; k++) {
    g.centre[k] = random_point(rng, &g);
    g.radius[k] = g.cell * rng_float(rng, 0.1f, 1.5f);
  }
  for (uint32_t k = 0; k < WALLS; k++) {
    g.from[k] = random_point(rng, &g);
    g.to[k] =
        (throng_vec3){g.from[k].x + g.cell * rng_float(rng, -3, 3), 0, g.from[k].z + g.cell * rng_float(rng, -3, 3)};
  }
  return g;
}

static throng_world *ground_world(const struct ground *g) {
  throng_world_def def = throng_default_world_def();
  throng_group_def group = stage_idle_group();
  throng_cells_def cells = throng_default_cells_def();
  throng_scenery_def scenery = throng_default_scenery_def();
  throng_error error;
  const float high = g->origin + g->cell * SIDE;
  def.thread_count = 1;
  def.perception_radius = 2.0f;
  throng_world_def_set_boundary(&def, g->box ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_UNBOUNDED);
  def.box_min = (throng_vec3){g->origin, 0, g->origin};
  def.box_max = (throng_vec3){high, 1, high};
  group.max_speed = INFINITY;
  group.body_radius = g->body;
  group.contact = g->contact ? 1.0f : 0.0f;
  cells.width = cells.height = SIDE;
  cells.cell = g->cell;
  cells.origin = (throng_vec3){g->origin, 0, g->origin};
  cells.blocked = g->blocked;
  scenery.obstacle_centre.data = g->centre;
  scenery.obstacle_radius.data = g->radius;
  scenery.obstacle_count = CIRCLES;
  scenery.wall_from.data = g->from;
  scenery.wall_to.data = g->to;
  scenery.wall_count = WALLS;
  throng_world *world = stage_world(&def, &group);
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
  return world;
}

static double from_wall(throng_vec3 p, throng_vec3 a, throng_vec3 b) {
  const double ex = (double)b.x - (double)a.x, ez = (double)b.z - (double)a.z;
  const double x = (double)p.x - (double)a.x, z = (double)p.z - (double)a.z, square = ex * ex + ez * ez;
  const double t = square > 0.0 ? fmin(fmax((x * ex + z * ez) / square, 0.0), 1.0) : 0.0;
  return hypot(x - t * ex, z - t * ez);
}
/* Returns the distance of p from shape k. The circles have the first numbers, then the walls. */
static double from_shape(const struct ground *g, uint32_t k, throng_vec3 p) {
  if (k >= CIRCLES) return from_wall(p, g->from[k - CIRCLES], g->to[k - CIRCLES]);
  return hypot((double)p.x - (double)g->centre[k].x, (double)p.z - (double)g->centre[k].z) - (double)g->radius[k];
}

static throng_vec3 read_one(const throng_world *world, throng_agent_id id) {
  return stage_read(world, THRONG_COLUMN_POSITION, id);
}

/* Checks that an agent ends a frame at least its body radius from every shape, or, if it began nearer, at least as far
 * as it began. (A push of contact begins between these two distances, and must not reduce the distance either.) */
static void require_distance(const struct ground *g, throng_vec3 before, throng_vec3 after, uint64_t seed) {
  const double rounding = 1e-6 * (fabs((double)after.x) + fabs((double)after.z) + 1.0);
  for (uint32_t k = 0; k < CIRCLES + WALLS; k++) {
    const double keep = fmin(from_shape(g, k, before), (double)g->body), is = from_shape(g, k, after);
    if (is >= keep - rounding) continue;
    fail_msg("seed %" PRIu64 ": from (%a, %a) to (%a, %a): %g from shape %u, body %g, at first %g", seed,
             (double)before.x, (double)before.z, (double)after.x, (double)after.z, is, k, (double)g->body,
             from_shape(g, k, before));
  }
}

static void bodies_keep_their_distance(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 120; round++) {
    const uint64_t seed = base_seed + round;
    test_rng rng = rng_from(seed);
    const struct ground g = random_ground(&rng);
    throng_world *world = ground_world(&g);
    throng_agent_id id[AGENTS];
    throng_vec3 before[AGENTS], velocity[AGENTS];
    for (uint32_t k = 0; k < AGENTS;) {
      before[k] = random_point(&rng, &g);
      if (throng_world_is_free(world, before[k], 0)) k++;
    }
    stage_add(world, AGENTS, before, NULL, NULL, id);
    for (int frame = 0; frame < 12; frame++) {
      const float speed = g.cell * rng_pick(&rng, (const float[]){1.0f, 6.0f, 60.0f}, 3);
      throng_error error;
      for (uint32_t k = 0; k < AGENTS; k++) {
        velocity[k] = (throng_vec3){rng_float(&rng, -speed, speed), 0, rng_float(&rng, -speed, speed)};
        before[k] = read_one(world, id[k]);
      }
      require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, id, AGENTS, velocity, 0, &error), &error);
      stage_step(world, rng_pick(&rng, (const float[]){0.02f, 0.2f, 1.0f}, 3));
      for (uint32_t k = 0; k < AGENTS; k++) {
        const throng_vec3 after = read_one(world, id[k]);
        require_distance(&g, before[k], after, seed);
        if (!throng_world_is_free(world, after, 0)) fail_msg("seed %" PRIu64 ": agent %u is blocked", seed, k);
      }
    }
    throng_world_destroy(world);
  }
}

/* Returns a world with a blocked row of cells along x and, at smaller z, a circle. The gap between them is narrowest at
 * x = 12, where it is `gap` metres wide. */
static throng_world *narrows(float gap, float body) {
  static struct ground g;
  memset(&g, 0, sizeof g);
  g = (struct ground){.cell = 1.0f, .body = body};
  for (uint32_t k = 0; k < SIDE * SIDE; k++) g.blocked[k] = k / SIDE >= 10;
  for (uint32_t k = 0; k < CIRCLES; k++) {
    g.centre[k] = (throng_vec3){12.0f, 0, k == 0 ? 10.0f - gap - 1.5f : -5.0f * (float)k};
    g.radius[k] = 1.5f;
  }
  for (uint32_t k = 0; k < WALLS; k++) g.from[k] = g.to[k] = (throng_vec3){1.0f, 0, 1.0f + 0.1f * (float)k};
  for (uint32_t k = 0; k < WALLS; k++) g.to[k].x = 1.5f;
  return ground_world(&g);
}

/* A body that fits through the gap passes it. A larger one moves into the gap until it touches the circle, and stays
 * there. */
static void bodies_come_as_far_as_they_fit(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed);
  for (uint32_t round = 0; round < 300; round++) {
    const float body = rng_float(&rng, 0.1f, 0.3f), gap = body * rng_float(&rng, 0.2f, 1.5f),
                speed = rng_float(&rng, 1, 9);
    const float heading = rng_float(&rng, 0.0f, 0.9f); /* radians; 0: along the row, larger: towards the row */
    throng_world *world = narrows(gap, body);
    const throng_vec3 start = {rng_float(&rng, 8.0f, 9.5f), 0, rng_float(&rng, 9.0f, 9.99f)};
    throng_vec3 p = start;
    throng_agent_id id;
    stage_add(world, 1, &p, NULL, NULL, &id);
    for (int frame = 0; frame < 600; frame++) {
      stage_write(world, THRONG_COLUMN_VELOCITY, id, (throng_vec3){speed * cosf(heading), 0, speed * sinf(heading)});
      stage_step(world, 1.0f / 60.0f);
    }
    p = read_one(world, id);
    const double distance = hypot((double)p.x - 12.0, (double)p.z - (10.0 - (double)gap - 1.5)) - 1.5;
    const bool passed = p.x > 13.0f, fits = gap > 1.001f * body;
    const bool waits = fabs(distance - (double)body) < 0.01 * (double)body && 10.0f - p.z < 0.01f;
    if (fits ? passed : waits || gap > 0.999f * body) {
      throng_world_destroy(world);
      continue;
    }
    fail_msg("seed %" PRIu64 ", round %u: gap %g, body %g, heading %g, from (%g, %g): at (%g, %g), %g from the circle",
             base_seed, round, (double)gap, (double)body, (double)heading, (double)start.x, (double)start.z,
             (double)p.x, (double)p.z, distance);
  }
}

int main(void) {
  base_seed = test_seed("test_bodies_and_cells", 16000);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_keep_their_distance),
      cmocka_unit_test(bodies_come_as_far_as_they_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
