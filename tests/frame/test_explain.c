/* test_explain.c: tests of the explanation of a watched agent: its contributions add up to its acceleration.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a.h"
#include "support/crowds.h"
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const uint64_t base_seed = 20260512;

static throng_vec3 plus(throng_vec3 sum, throng_vec3 a, float w) {
  return (throng_vec3){sum.x + a.x * w, sum.y + a.y * w, sum.z + a.z * w};
}

/* In random crowds, the explained acceleration is the one that throng_world_steer gave. Where nothing else limits it,
 * it is the clipped weighted sum of the contributions. */
static void contributions_add_up(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 60; k++) {
    const crowd_recipe recipe = {
        (throng_space)(k % 2), (throng_boundary)(k % 3), (crowd_layout)(k % 2), 120, true, false};
    crowd *c = crowd_random(base_seed + k, &recipe);
    crowd_make_unsliced(c);
    const crowd_world_options options = {.threads = 1 + k % 3};
    throng_world *world = crowd_world(c, &options);
    throng_error error;
    const uint32_t i = (k * 37) % c->count;
    const throng_group_def *g = &c->groups[c->agents[i].group];
    throng_explanation e;
    require_ok(throng_world_watch(world, c->agents[i].id, &error), &error);
    require_error(throng_world_explain(world, c->agents[i].id, &e, &error), THRONG_ERROR_NOT_STEERED, &error);
    require_ok(throng_world_steer(world, 0.02f, &error), &error);
    require_ok(throng_world_explain(world, c->agents[i].id, &e, &error), &error);
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, c->agents[i].id);
    assert_memory_equal(&a, &e.acceleration, sizeof a);
    assert_true(e.agent.index == c->agents[i].id.index && e.group == c->agents[i].group && e.frame == 0);
    assert_true(e.combine == g->combine && e.max_acceleration == crowd_acceleration(c, &c->agents[i]));
    throng_vec3 sum = {0, 0, 0};
    for (uint32_t n = 0; n < e.count; n++) sum = plus(sum, e.contribution[n].acceleration, e.contribution[n].weight);
    const double length = stage_length(sum), most = (double)e.max_acceleration;
    if (length > most) sum = plus((throng_vec3){0, 0, 0}, sum, (float)(most / length));
    const bool free = g->actuation == THRONG_ACTUATION_FREE && g->queue.width == 0.0f && !g->pace.on;
    const bool adds_up = g->combine == THRONG_COMBINE_WEIGHTED && free;
    if (adds_up && stage_distance(sum, a) > 1e-4 * (most + length))
      print_error("seed %" PRIu64 ", agent %u: the contributions do not add up\n", c->seed, i);
    if (adds_up) assert_true(stage_distance(sum, a) <= 1e-4 * (most + length));
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* Watching an agent changes no bit of the world. Each frame has a new explanation. Other agents have none. */
static void watching_changes_nothing(void **state) {
  (void)state;
  const crowd_recipe recipe = {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, LAYOUT_UNIFORM, 300, true, false};
  crowd *c = crowd_random(base_seed + 900, &recipe);
  throng_world *plain = crowd_world(c, NULL), *watched = crowd_world(c, NULL);
  throng_error error;
  throng_explanation e;
  require_ok(throng_world_watch(watched, c->agents[5].id, &error), &error);
  for (uint64_t frame = 0; frame < 10; frame++) {
    const throng_vec3 p = stage_read(watched, THRONG_COLUMN_POSITION, c->agents[5].id);
    require_ok(throng_world_step(plain, 0.02f, &error), &error);
    require_ok(throng_world_step(watched, 0.02f, &error), &error);
    require_ok(throng_world_explain(watched, c->agents[5].id, &e, &error), &error);
    assert_true(e.frame == frame && e.position.x == p.x && e.position.z == p.z);
    assert_true(throng_world_hash(plain, STATE_COLUMNS) == throng_world_hash(watched, STATE_COLUMNS));
  }
  require_error(throng_world_explain(watched, c->agents[6].id, &e, &error), THRONG_ERROR_NOT_STEERED, &error);
  require_ok(throng_agents_remove(watched, &c->agents[5].id, 1, &error), &error);
  require_ok(throng_world_step(watched, 0.02f, &error), &error);
  require_error(throng_world_explain(watched, c->agents[5].id, &e, &error), THRONG_ERROR_STALE_ID, &error);
  require_error(throng_world_watch(watched, c->agents[5].id, &error), THRONG_ERROR_STALE_ID, &error);
  require_ok(throng_world_watch(watched, (throng_agent_id){0, 0, 0}, &error), &error);
  require_error(throng_world_explain(watched, c->agents[6].id, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_watch(NULL, c->agents[6].id, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  throng_world_destroy(plain);
  throng_world_destroy(watched);
  crowd_free(c);
}

/* A frame that fails leaves the explanation of the frame before. */
static void failed_frames_explain_nothing(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.max_speed = INFINITY;
  throng_world *world = stage_world(NULL, &g);
  throng_agent_id id;
  throng_error error;
  throng_explanation e;
  stage_add(world, 1, &(throng_vec3){0, 0, 0}, &(throng_vec3){1, 0, 0}, NULL, &id);
  require_ok(throng_world_watch(world, id, &error), &error);
  stage_step(world, 0.5f);
  stage_write(world, THRONG_COLUMN_VELOCITY, id, (throng_vec3){1e17f, 0, 0});
  require_error(throng_world_step(world, 0.5f, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  require_ok(throng_world_explain(world, id, &e, &error), &error);
  assert_true(e.frame == 0 && e.velocity.x == 1.0f && e.count == 0);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contributions_add_up),
      cmocka_unit_test(watching_changes_nothing),
      cmocka_unit_test(failed_frames_explain_nothing),
  };
  return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
