/* tests/frame/test_moved.c: a solid body that the host moves through a dense crowd is not deep in anybody.
 * SPDX-License-Identifier: MIT */
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

#define ACROSS 18
#define ALONG 14
#define PEOPLE (ACROSS * ALONG)
#define SPACING 0.55f
#define SPEED 5.0f
#define RATES 3
#define SEEDS 3

static const int rates[RATES] = {20, 60, 240};
static uint64_t base_seed;

/* People who walk to the right, in rows. */
static throng_world *crowd_of(throng_space space, float radius, float mass, uint64_t seed, throng_agent_id id[PEOPLE],
                              throng_agent_id *mover) {
  throng_world_def def = throng_default_world_def();
  const throng_group_def people = throng_walkers_group_def();
  throng_group_def moved = throng_moved_group_def();
  test_rng rng = rng_from(seed);
  throng_vec3 p[PEOPLE], v[PEOPLE], goal[PEOPLE];
  throng_error error;
  def.space = space;
  def.perception_radius = 3.0f;
  moved.body_radius = radius;
  moved.mass = mass;
  throng_world *world = stage_world(&def, &people);
  require_ok(throng_world_set_group(world, 1, &moved, &error), &error);
  for (int k = 0; k < PEOPLE; k++) {
    const float x = SPACING * ((float)(k % ACROSS) - 0.5f * ACROSS), z = SPACING * ((float)(k / ACROSS) - 0.5f * ALONG);
    p[k] = (throng_vec3){x + rng_float(&rng, -0.05f, 0.05f), 0, z + rng_float(&rng, -0.05f, 0.05f)};
    v[k] = (throng_vec3){1.0f, 0, 0};
    goal[k] = (throng_vec3){p[k].x + 50.0f, 0, p[k].z};
  }
  stage_add(world, PEOPLE, p, v, goal, id);
  const throng_vec3 start = {0, 0, -9};
  stage_add(world, 1, &start, NULL, NULL, mover);
  const uint8_t group = 1;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, mover, 1, &group, 0, &error), &error);
  return world;
}

/* Returns how deep the body is in another one at most, after each frame. */
static double deepest(throng_space space, float radius, float mass, int rate, uint64_t seed) {
  throng_agent_id id[PEOPLE], mover;
  throng_vec3 p[PEOPLE];
  throng_error error;
  double depth = 0.0;
  throng_world *world = crowd_of(space, radius, mass, seed, id, &mover);
  for (int frame = 0; frame < 3 * rate; frame++) {
    const float at = SPEED * (float)frame / (float)rate - 8.0f;
    const throng_vec3 here = {0, 0, at}, v = {0, 0, SPEED}, there = {0, 0, at + SPEED / (float)rate};
    require_ok(throng_agents_move(world, &mover, 1, &here, &v, &error), &error);
    stage_step(world, 1.0f / (float)rate);
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, id, PEOPLE, p, 0, &error), &error);
    for (int k = 0; k < PEOPLE; k++) depth = fmax(depth, (double)(radius + 0.2f) - stage_distance(p[k], there));
  }
  throng_world_destroy(world);
  return depth;
}

static void people_make_way(void **state) {
  (void)state;
  static const float radii[] = {0.3f, 1.4f};
  for (int r = 0; r < 2; r++)
    for (int h = 0; h < RATES; h++) {
      double most = 0.0;
      for (int s = 0; s < SEEDS; s++)
        most = fmax(most, deepest((throng_space)((r + h + s) % 2), radii[r], 1e6f, rates[h], base_seed + (uint64_t)s));
      print_message("radius %g m, %d frames per second, seeds %llu to %llu: at most %.3f m deep\n", (double)radii[r],
                    rates[h], (unsigned long long)base_seed, (unsigned long long)base_seed + SEEDS - 1, most);
      assert_true(most < 0.1);
    }
}

/* A body of their own mass is held up by people, and deep in them where the host puts it. */
static void light_bodies_do_not_push_whole(void **state) {
  (void)state;
  assert_true(deepest(THRONG_SPACE_PLANAR, 1.4f, 80.0f, 60, base_seed) > 0.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(people_make_way),
                                     cmocka_unit_test(light_bodies_do_not_push_whole)};
  base_seed = test_seed("test_moved", 54);
  return cmocka_run_group_tests_name("moved", tests, NULL, NULL);
}
