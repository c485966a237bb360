/* tests/frame/test_far.c: motion far from the origin, where neighbouring floats are far apart. Tests that its error is
 * within the bound of the documentation, and that the profile counts the moves that rounding suppresses.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>

#define AGENTS 60u
#define FRAMES 120

static uint64_t base_seed;

static throng_world *profiled_world(throng_space space, throng_update update) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  def.space = space;
  def.update = update;
  def.profile = true;
  g.max_speed = INFINITY;
  return stage_world(&def, &g);
}

static uint64_t lost_moves(const throng_world *world) {
  throng_profile profile;
  throng_error error;
  require_ok(throng_world_get_profile(world, &profile, &error), &error);
  return profile.lost_moves;
}

static double spacing(float a) { return (double)nextafterf(fabsf(a), INFINITY) - (double)fabsf(a); }

/* Returns a velocity in a random direction. */
static throng_vec3 heading(test_rng *rng, throng_space space, float speed) {
  const float yaw = rng_float(rng, -3.1f, 3.1f), pitch = space == THRONG_SPACE_SPATIAL ? rng_float(rng, -1, 1) : 0.0f;
  return (throng_vec3){speed * cosf(pitch) * sinf(yaw), speed * sinf(pitch), speed * cosf(pitch) * cosf(yaw)};
}

/* Returns a random position so far from the origin that neighbouring floats are at most `most` * `step` apart, and on
 * the x axis at least an eighth of that. step: the distance that an agent moves in one frame. */
static throng_vec3 far_out(test_rng *rng, double step, double most) {
  const float widest = (float)(0.49 * most * step * 0x1p23); /* half: the agent may move past the next power of two */
  return (throng_vec3){rng_float(rng, 0.25f, 1.0f) * (rng_chance(rng, 0.5f) ? widest : -widest),
                       rng_float(rng, -1, 1) * widest, rng_float(rng, -1, 1) * widest};
}

static void motion_is_accurate_where_the_pages_say(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 36; round++) {
    const uint64_t seed = base_seed + round;
    test_rng rng = rng_from(seed);
    const throng_space space = (throng_space)(round % 2);
    throng_world *world = profiled_world(space, (throng_update)(round / 2 % 3));
    const float dt = 1.0f / rng_pick(&rng, (const float[]){30, 60, 144, 240}, 4), speed = rng_float(&rng, 0.1f, 2.0f);
    throng_vec3 from[AGENTS], v[AGENTS];
    throng_agent_id id[AGENTS];
    for (uint32_t k = 0; k < AGENTS; k++) {
      from[k] = far_out(&rng, (double)speed * (double)dt, 0.02);
      v[k] = heading(&rng, space, speed);
      assert_true(spacing(from[k].x) <= 0.02 * (double)speed * (double)dt);
    }
    stage_add(world, AGENTS, from, v, NULL, id);
    for (int frame = 0; frame < FRAMES; frame++) stage_step(world, dt);
    const double way = (double)speed * (double)dt * FRAMES, bound = 0.0101 * way;
    for (uint32_t k = 0; k < AGENTS; k++) {
      const throng_vec3 to = stage_read(world, THRONG_COLUMN_POSITION, id[k]);
      for (int c = 0; c < 3; c += space == THRONG_SPACE_SPATIAL ? 1 : 2) {
        const double moved = (double)(&to.x)[c] - (double)(&from[k].x)[c];
        const double wanted = (double)(&v[k].x)[c] * (double)dt * FRAMES;
        if (fabs(moved - wanted) > bound)
          fail_msg("seed %" PRIu64 ", agent %u: %g m along axis %d, expected %g", seed, k, moved, c, wanted);
      }
    }
    assert_true(lost_moves(world) == 0);
    throng_world_destroy(world);
  }
}

/* Some agents stand still though they have a velocity; others move, or have none. */
static void the_profile_counts_lost_moves(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 24; round++) {
    const uint64_t seed = base_seed + 100 + round;
    test_rng rng = rng_from(seed);
    const throng_space space = (throng_space)(round % 2);
    throng_world *world = profiled_world(space, (throng_update)(round / 2 % 3));
    const float dt = 1.0f / 240.0f;
    throng_vec3 p[AGENTS], v[AGENTS], now;
    throng_agent_id id[AGENTS];
    uint64_t lost = 0;
    for (uint32_t k = 0; k < AGENTS; k++) {
      const bool far = rng_chance(&rng, 0.5f), still = rng_chance(&rng, 0.3f);
      const float out = far ? 50000.0f : 100.0f; /* floats are 3.9 mm and 7.6 um apart */
      p[k] = (throng_vec3){out + rng_float(&rng, 0, 1), out + rng_float(&rng, 0, 1), out + rng_float(&rng, 0, 1)};
      v[k] = heading(&rng, space, still ? 0.0f : 0.2f); /* 0.8 mm a frame */
      lost += far && !still;
    }
    stage_add(world, AGENTS, p, v, NULL, id);
    for (int frame = 0; frame < FRAMES; frame++) stage_step(world, dt);
    if (lost_moves(world) != lost * FRAMES)
      fail_msg("seed %" PRIu64 ": %" PRIu64 " lost moves, expected %" PRIu64, seed, lost_moves(world), lost * FRAMES);
    for (uint32_t k = 0; k < AGENTS; k++) {
      now = stage_read(world, THRONG_COLUMN_POSITION, id[k]);
      const bool moved = now.x != p[k].x || now.y != p[k].y || now.z != p[k].z;
      assert_true(moved == (p[k].x < 1000.0f && (v[k].x != 0.0f || v[k].z != 0.0f)));
    }
    throng_error error;
    require_ok(throng_world_reset_profile(world, &error), &error);
    stage_step(world, 0.0f);
    assert_true(lost_moves(world) == 0); /* dt = 0 moves no agent */
    require_ok(throng_world_steer(world, dt, &error), &error);
    require_ok(throng_world_integrate(world, dt, &error), &error);
    assert_true(lost_moves(world) == lost);
    throng_world_destroy(world);
  }
}

/* The remedy that the guide describes: throng_world_shift_origin. */
static void a_shift_of_origin_brings_the_moves_back(void **state) {
  (void)state;
  throng_world *world = profiled_world(THRONG_SPACE_PLANAR, THRONG_UPDATE_SEMI_IMPLICIT);
  const throng_vec3 p = {50000.5f, 0, -70000.25f}, v = {0.2f, 0, 0.1f};
  throng_agent_id id;
  throng_error error;
  stage_add(world, 1, &p, &v, NULL, &id);
  stage_step(world, 1.0f / 240.0f);
  assert_true(lost_moves(world) == 1);
  require_ok(throng_world_shift_origin(world, p, NULL, &error), &error);
  stage_step(world, 1.0f / 240.0f);
  assert_true(lost_moves(world) == 1);
  throng_world_destroy(world);
}

/* Agents that a face, a wall or a body stops are not counted as lost moves. */
static void agents_that_are_stopped_do_not_count(void **state) {
  (void)state;
  for (int update = 0; update < 3; update++) {
    throng_world_def def = throng_default_world_def();
    throng_group_def g = stage_idle_group();
    throng_error error;
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
    def.update = (throng_update)update;
    def.profile = true;
    g.max_speed = INFINITY;
    throng_world *world = stage_world(&def, &g);
    throng_cells_def cells = throng_default_cells_def();
    static const uint8_t blocked[2] = {1, 0};
    cells.width = 2;
    cells.height = 1;
    cells.origin = (throng_vec3){40, 0, 40};
    cells.blocked = blocked;
    require_ok(throng_world_set_cells(world, &cells, &error), &error);
    const throng_vec3 p[2] = {{99, 0, 50}, {39, 0, 40.5f}}, v = {50, 0, 0};
    throng_agent_id id[2];
    stage_add(world, 2, p, NULL, NULL, id);
    for (int frame = 0; frame < 20; frame++) {
      for (int k = 0; k < 2; k++) stage_write(world, THRONG_COLUMN_VELOCITY, id[k], v);
      stage_step(world, 0.05f);
    }
    assert_true(lost_moves(world) == 0);
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_far", 1459);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motion_is_accurate_where_the_pages_say),
      cmocka_unit_test(the_profile_counts_lost_moves),
      cmocka_unit_test(a_shift_of_origin_brings_the_moves_back),
      cmocka_unit_test(agents_that_are_stopped_do_not_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
