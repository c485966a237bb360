/* tests/cli/test_trails.c: tests the trails of pictures: they lie where agents were, end at their age and at seams, and
 * are those of the agent alone.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "scene/trails.h"

#define AGENTS 3u
#define SIDE 10.0f

typedef struct trail_walk {
  bench_scene scene;
  throng_world *world;
  trail_ring ring;
  trail_piece pieces[TRAIL_MOST_POINTS];
} trail_walk;

/* Starts agents that keep their velocity: agent k moves at k + 1 m/s along x from x = 1. */
static void begin(trail_walk *walk, throng_boundary boundary, double seconds) {
  bench_problem problem;
  throng_error error;
  throng_group_def group = throng_default_group_def();
  memset(walk, 0, sizeof *walk);
  walk->scene.dt = 0.125f;
  walk->scene.world = throng_default_world_def();
  walk->scene.world.space = THRONG_SPACE_PLANAR;
  walk->scene.world.thread_count = 1;
  walk->scene.world.perception_radius = 1;
  throng_world_def_set_boundary(&walk->scene.world, boundary);
  walk->scene.world.box_min = (throng_vec3){0, 0, 0};
  walk->scene.world.box_max = (throng_vec3){SIDE, SIDE, SIDE};
  group.separation.weight = group.cohesion.weight = group.alignment.weight = 0;
  group.max_speed = 10;
  require_ok(throng_world_create(&walk->scene.world, &walk->world, &error), &error);
  require_ok(throng_world_set_group(walk->world, 0, &group, &error), &error);
  assert_true(trails_create(&walk->ring, &walk->scene, seconds, AGENTS, &problem));
}

/* Adds agent k. */
static throng_agent_id add(trail_walk *walk, uint32_t k, uint16_t generation) {
  const throng_vec3 position = {1, 0, 2.0f * (float)(k + 1)}, velocity = {(float)(k + 1), 0, 0};
  const throng_agent_id id = {.index = k + 1, .generation = generation};
  throng_agents_def def = throng_default_agents_def();
  throng_error error;
  def.position.data = &position;
  def.velocity.data = &velocity;
  require_ok(throng_agents_add_with_ids(walk->world, &def, 1, &id, &error), &error);
  require_ok(throng_world_index(walk->world, &error), &error);
  return id;
}

static void go(trail_walk *walk, uint32_t frames) {
  throng_error error;
  for (uint32_t k = 0; k < frames; k++) {
    if (throng_world_frame(walk->world) % walk->ring.every == 0) trails_add(&walk->ring, walk->world);
    require_ok(throng_world_step(walk->world, walk->scene.dt, &error), &error);
  }
}

static uint32_t look(trail_walk *walk, throng_agent_id id, throng_vec3 *at) {
  throng_error error;
  require_ok(throng_agents_read(walk->world, THRONG_COLUMN_POSITION, &id, 1, at, 0, &error), &error);
  return trails_pieces(&walk->ring, throng_world_frame(walk->world), id.index, *at, walk->pieces);
}

static void end(trail_walk *walk) {
  trails_release(&walk->ring);
  throng_world_destroy(walk->world);
}

/* The last 2 s of 5: pieces follow one another from the agent back, age evenly, and end 2 s before. */
static void test_where_it_was(void **state) {
  (void)state;
  trail_walk walk;
  throng_vec3 at;
  begin(&walk, THRONG_BOUNDARY_UNBOUNDED, 2);
  const throng_agent_id id = add(&walk, 1, 1);
  go(&walk, 41);
  const uint32_t count = look(&walk, id, &at);
  assert_float_equal(at.x, 1 + 2 * 41 * 0.125, 1e-5);
  assert_int_equal(count, 16);
  for (uint32_t k = 0; k < count; k++) {
    const trail_piece *piece = &walk.pieces[k];
    assert_float_equal(piece->to.x, at.x - 0.25f * (float)k, 1e-4);
    assert_float_equal(piece->from.x, at.x - 0.25f * (float)(k + 1), 1e-4);
    assert_float_equal(piece->to.z, at.z, 0);
    assert_float_equal(piece->age, (k + 0.5) / 16, 1e-9);
  }
  end(&walk);
}

/* A long trail has one position per several frames, and still begins at the agent and ends at its age. */
static void test_sparse(void **state) {
  (void)state;
  trail_walk walk;
  throng_vec3 at;
  begin(&walk, THRONG_BOUNDARY_UNBOUNDED, 100);
  assert_true(walk.ring.rows <= TRAIL_MOST_POINTS && walk.ring.every > 1);
  const throng_agent_id id = add(&walk, 0, 1);
  go(&walk, 1003);
  const uint32_t count = look(&walk, id, &at);
  assert_in_range(count, 80, TRAIL_MOST_POINTS);
  assert_float_equal(walk.pieces[0].to.x, at.x, 0);
  assert_float_equal(walk.pieces[count - 1].from.x, at.x - 100, 1e-2);
  for (uint32_t k = 1; k < count; k++) {
    assert_memory_equal(&walk.pieces[k].to, &walk.pieces[k - 1].from, sizeof walk.pieces[k].to);
    assert_true(walk.pieces[k].age > walk.pieces[k - 1].age);
  }
  end(&walk);
}

/* Across a seam one piece is missing, and no piece is longer than the way of a frame. */
static void test_seam(void **state) {
  (void)state;
  trail_walk walk;
  throng_vec3 at;
  begin(&walk, THRONG_BOUNDARY_PERIODIC, 4);
  const throng_agent_id id = add(&walk, 1, 1);
  go(&walk, 40); /* 10 m, once round the world */
  const uint32_t count = look(&walk, id, &at);
  assert_in_range(count, 30, 31);
  for (uint32_t k = 0; k < count; k++) assert_true(fabsf(walk.pieces[k].to.x - walk.pieces[k].from.x) < 0.2501f);
  end(&walk);
}

/* A trail begins where its agent was added. Another agent with the same id index has not the trail of the first. */
static void test_added_and_removed(void **state) {
  (void)state;
  trail_walk walk;
  throng_vec3 at;
  throng_error error;
  begin(&walk, THRONG_BOUNDARY_UNBOUNDED, 4);
  const throng_agent_id first = add(&walk, 0, 1);
  go(&walk, 8);
  const throng_agent_id late = add(&walk, 2, 1);
  go(&walk, 4);
  assert_int_equal(look(&walk, late, &at), 4);
  assert_float_equal(walk.pieces[3].from.x, 1, 1e-5);
  assert_int_equal(look(&walk, first, &at), 12);
  require_ok(throng_agents_remove(walk.world, &first, 1, &error), &error);
  const throng_agent_id again = add(&walk, 0, 2);
  go(&walk, 2);
  assert_int_equal(look(&walk, again, &at), 2);
  assert_float_equal(walk.pieces[1].from.x, 1, 1e-5);
  const throng_agent_id unknown = {.index = AGENTS + 1, .generation = 1};
  assert_int_equal(trails_pieces(&walk.ring, 14, unknown.index, at, walk.pieces), 0);
  end(&walk);
}

/* Positions after the frame that is shown are not used; a cleared ring has none; a resting agent has no pieces. */
static void test_other_frames(void **state) {
  (void)state;
  trail_walk walk;
  throng_vec3 at;
  begin(&walk, THRONG_BOUNDARY_UNBOUNDED, 4);
  const throng_agent_id id = add(&walk, 0, 1);
  go(&walk, 20);
  look(&walk, id, &at);
  const throng_vec3 earlier = {at.x - 10 * 0.125f, 0, at.z};
  assert_int_equal(trails_pieces(&walk.ring, 10, id.index, earlier, walk.pieces), 10);
  trails_clear(&walk.ring);
  assert_int_equal(trails_pieces(&walk.ring, 20, id.index, at, walk.pieces), 0);
  trails_add(&walk.ring, walk.world);
  assert_int_equal(trails_pieces(&walk.ring, 30, id.index, at, walk.pieces), 0);
  end(&walk);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_where_it_was), cmocka_unit_test(test_sparse),
                                     cmocka_unit_test(test_seam), cmocka_unit_test(test_added_and_removed),
                                     cmocka_unit_test(test_other_frames)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
