/* test_callback.c: the host's own behaviours. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define COUNT 2000u

/* The context of `pull`. The counters say how often it was called, how many agents it steered, and how many neighbours
 * its queries found. */
typedef struct spring {
  const throng_world *world;
  _Atomic uint32_t calls, agents, near;
} spring;

/* A callback: a spring pulls each agent to a point that depends on its id index. It also queries the world, which a
 * callback may do. */
static void pull(const throng_block *block, void *context) {
  spring *s = context;
  atomic_fetch_add(&s->calls, 1);
  for (uint32_t k = 0; k < block->count; k++) {
    if (!block->wanted[k]) {
      block->acceleration_x[k] = NAN; /* not read where `wanted` is false */
      continue;
    }
    const float home = (float)(block->id_index[k] % 40);
    throng_neighbour hit[2];
    uint32_t found = 0;
    const throng_vec3 p = {block->position_x[k], 0, block->position_z[k]};
    if (throng_world_query_nearest(s->world, p, 2, THRONG_ALL_LAYERS, hit, &found, NULL) == THRONG_OK)
      atomic_fetch_add(&s->near, found);
    block->acceleration_x[k] = (home - block->position_x[k]) * 0.5f + (float)found;
    block->acceleration_z[k] = (home - block->position_z[k]) * 0.5f - block->velocity_z[k];
    atomic_fetch_add(&s->agents, 1);
    if (block->group[k] != 2) s->world = NULL;
  }
}

static throng_world *spring_world(spring *s, uint32_t threads, throng_isa isa) {
  throng_world_def def = throng_default_world_def();
  throng_group_def idle = stage_idle_group(), own;
  def.thread_count = threads;
  def.isa = isa;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  own = idle;
  own.max_acceleration = 5.0f;
  group_want(&own, THRONG_BEHAVIOUR_CALLBACK, 0.5f)->callback.index = 3;
  require_ok(throng_world_set_group(world, 1, &idle, &error), &error);
  require_ok(throng_world_set_group(world, 2, &own, &error), &error);
  *s = (spring){.world = world};
  require_ok(throng_world_set_callback(world, 3, pull, s, &error), &error);
  test_rng rng = rng_from(77);
  static throng_vec3 p[COUNT];
  static uint8_t group[COUNT];
  for (uint32_t i = 0; i < COUNT; i++) {
    p[i] = (throng_vec3){rng_float(&rng, 0, 40), 0, rng_float(&rng, 0, 40)};
    group[i] = (uint8_t)(1 + i % 2);
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = p;
  agents.group.data = group;
  require_ok(throng_agents_add(world, &agents, COUNT, NULL, &error), &error);
  return world;
}

static uint64_t run_springs(uint32_t threads, throng_isa isa) {
  spring s;
  throng_world *world = spring_world(&s, threads, isa);
  for (int frame = 0; frame < 20; frame++) stage_step(world, 0.02f);
  assert_int_equal(s.agents, 20 * COUNT / 2);
  assert_true(s.calls >= 20 && s.near > 0 && s.world == world);
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
  throng_world_destroy(world);
  return hash;
}

static void the_same_bits_everywhere(void **state) {
  (void)state;
  const uint64_t hash = run_springs(1, THRONG_ISA_BASELINE);
  for (uint32_t threads = 1; threads <= 4; threads++)
    for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT; isa++)
      if (throng_isa_is_available((throng_isa)isa)) assert_true(run_springs(threads, (throng_isa)isa) == hash);
}

/* A callback's acceleration is weighted and explained like that of any behaviour. Without a callback it is 0. */
static void a_behaviour_like_any_other(void **state) {
  (void)state;
  spring s;
  throng_error error;
  throng_world *world = spring_world(&s, 1, THRONG_ISA_AUTO);
  const throng_agent_id id = {2, 1, 0};
  const throng_vec3 p = {2.0f, 0, 0};
  stage_write(world, THRONG_COLUMN_POSITION, id, p);
  require_ok(throng_world_watch(world, id, &error), &error);
  require_ok(throng_world_steer(world, 0.02f, &error), &error);
  throng_explanation e;
  require_ok(throng_world_explain(world, id, &e, &error), &error);
  assert_true(e.count == 1 && strcmp(e.contribution[0].name, "callback") == 0 && e.contribution[0].weight == 0.5f);
  assert_true(e.contribution[0].acceleration.z == 1.0f && e.acceleration.z == 0.5f);
  require_ok(throng_world_set_callback(world, 3, NULL, NULL, &error), &error);
  require_ok(throng_world_steer(world, 0.02f, &error), &error);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, id)) == 0.0);
  require_error(throng_world_set_callback(world, 8, pull, &s, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_set_callback(NULL, 0, pull, &s, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  throng_group_def g = stage_idle_group();
  group_want(&g, THRONG_BEHAVIOUR_CALLBACK, 1.0f)->callback.index = 8;
  require_error(throng_world_set_group(world, 4, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "callback.index is 8, allowed: 0 to 7"));
  throng_world_destroy(world);
}

static void poison(const throng_block *block, void *context) {
  for (uint32_t k = 0; k < block->count; k++)
    block->acceleration_x[k] = block->id_index[k] == 900 || block->id_index[k] == 1200 ? *(float *)context : 1.0f;
}

/* If a callback writes NaN or an infinity, the frame fails and changes nothing. The error names the agent with the
 * smallest id index. */
static void all_or_nothing(void **state) {
  (void)state;
  const float values[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3; k++) {
    spring s;
    float value = values[k];
    throng_error error;
    throng_world *world = spring_world(&s, 2, THRONG_ISA_AUTO);
    stage_step(world, 0.02f);
    const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
    require_ok(throng_world_set_callback(world, 3, poison, &value, &error), &error);
    require_error(throng_world_step(world, 0.02f, &error), THRONG_ERROR_NOT_FINITE, &error);
    assert_int_equal(error.agent.index, 900);
    assert_true(throng_world_hash(world, STATE_COLUMNS) == hash && throng_world_frame(world) == 1);
    require_error(throng_world_steer(world, 0.02f, &error), THRONG_ERROR_NOT_FINITE, &error);
    require_error(throng_world_integrate(world, 0.02f, &error), THRONG_ERROR_NOT_STEERED, &error);
    /* The frame also fails if a level before the callback's has an acceleration, so that the callback's is not used. */
    throng_group_def g;
    require_ok(throng_world_get_group(world, 2, &g, &error), &error);
    g.combine = THRONG_COMBINE_PRIORITY;
    g.behaviour[0].priority = 7;
    group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f);
    require_ok(throng_world_set_group(world, 2, &g, &error), &error);
    require_error(throng_world_step(world, 0.02f, &error), THRONG_ERROR_NOT_FINITE, &error);
    assert_int_equal(error.agent.index, 900);
    require_ok(throng_world_set_callback(world, 3, pull, &s, &error), &error);
    stage_step(world, 0.02f);
    throng_world_destroy(world);
  }
}

static void rush(const throng_block *block, void *context) {
  for (uint32_t k = 0; k < block->count; k++) block->acceleration_x[k] = *(float *)context;
}

/* A callback's acceleration is clipped to max_acceleration (5), then multiplied by its weight (0.5). */
static void limits_hold(void **state) {
  (void)state;
  spring s;
  throng_error error;
  float values[] = {-7.0f, 1e17f, 3e38f};
  throng_world *world = spring_world(&s, 2, THRONG_ISA_AUTO);
  for (int k = 0; k < 3; k++) {
    require_ok(throng_world_set_callback(world, 3, rush, &values[k], &error), &error);
    require_ok(throng_world_steer(world, 0.02f, &error), &error);
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, (throng_agent_id){2, 1, 0});
    assert_true(fabsf(a.x) > 2.499f && fabsf(a.x) < 2.501f && (a.x < 0.0f) == (k == 0) && a.z == 0.0f);
  }
  throng_world_destroy(world);
}

static void peep(const throng_block *block, void *context) {
  float a[3];
  const throng_agent_id id = {2, 1, 0};
  (void)block;
  *(throng_status *)((void **)context)[1] =
      throng_agents_read(((void **)context)[0], THRONG_COLUMN_ACCELERATION, &id, 1, a, 0, NULL);
}

/* A callback cannot read the accelerations of the frame that is being steered. */
static void nothing_half_done_is_read(void **state) {
  (void)state;
  spring s;
  throng_error error;
  throng_status status = THRONG_OK;
  throng_world *world = spring_world(&s, 1, THRONG_ISA_AUTO);
  void *context[2] = {world, &status};
  require_ok(throng_world_steer(world, 0.02f, &error), &error);
  require_ok(throng_world_set_callback(world, 3, peep, context, &error), &error);
  require_ok(throng_world_steer(world, 0.02f, &error), &error);
  assert_int_equal(status, THRONG_ERROR_NOT_STEERED);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_bits_everywhere),
      cmocka_unit_test(a_behaviour_like_any_other),
      cmocka_unit_test(all_or_nothing),
      cmocka_unit_test(limits_hold),
      cmocka_unit_test(nothing_half_done_is_read),
  };
  return cmocka_run_group_tests_name("callback", tests, NULL, NULL);
}
