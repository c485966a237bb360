/* tests/frame/test_steer_integrate.c: tests of throng_world_steer and throng_world_integrate, of accelerations edited
 * between them, and of frames that fail.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/groups.h"

#include "reference/reference_a.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t base_seed;

static crowd *some_crowd(uint32_t k, uint32_t count) {
  const crowd_recipe recipe = {
      (throng_space)(k % 2), k / 2 % CROWD_BOUNDARIES, (crowd_layout)(k % LAYOUT_COUNT), count, k % 3 != 0, false};
  return crowd_random(base_seed + k, &recipe);
}

/* A steer (once or several times) and an integrate give the same state as a step. */
static void halves_are_the_whole(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 54; k++) {
    crowd *c = some_crowd(k, 130);
    const crowd_world_options options = {.threads = 1 + k % 2};
    throng_world *whole = crowd_world(c, NULL), *halves = crowd_world(c, &options);
    throng_error error;
    for (uint32_t frame = 0; frame < 5; frame++) {
      require_ok(throng_world_step(whole, 0.03f, &error), &error);
      for (uint32_t again = 0; again <= frame % 3; again++)
        require_ok(throng_world_steer(halves, 0.03f, &error), &error);
      assert_true(throng_world_frame(halves) == frame);
      require_ok(throng_world_integrate(halves, 0.03f, &error), &error);
      assert_true(throng_world_frame(halves) == frame + 1 && throng_world_frame(whole) == frame + 1);
      assert_true(throng_world_hash(whole, STATE_COLUMNS) == throng_world_hash(halves, STATE_COLUMNS));
    }
    throng_world_destroy(whole);
    throng_world_destroy(halves);
    crowd_free(c);
  }
}

static void steering_twice_gives_the_same(void **state) {
  (void)state;
  const uint64_t accelerations = THRONG_BIT(THRONG_COLUMN_ACCELERATION);
  for (uint32_t k = 0; k < 36; k++) {
    crowd *c = some_crowd(k, 90);
    throng_world *world = crowd_world(c, NULL);
    throng_error error;
    require_ok(throng_world_step(world, 0.03f, &error), &error);
    const uint64_t before = throng_world_hash(world, STATE_COLUMNS);
    require_ok(throng_world_steer(world, 0.03f, &error), &error);
    const uint64_t first = throng_world_hash(world, accelerations);
    assert_true(throng_world_hash(world, STATE_COLUMNS) == before); /* nor the wander memory */
    require_ok(throng_world_steer(world, 0.5f, &error), &error);
    require_ok(throng_world_steer(world, 0.03f, &error), &error);
    assert_true(throng_world_hash(world, accelerations) == first);
    assert_true(throng_world_hash(world, STATE_COLUMNS) == before);
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* The host changes the acceleration of every third agent by throng_world_edit_accelerations. */
static void edited_accelerations_count(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 36; k++) {
    crowd *c = some_crowd(k, 100);
    throng_world *world = crowd_world(c, NULL);
    throng_error error;
    throng_edit edit;
    throng_vec3 *next = calloc((size_t)c->count + 1, sizeof *next);
    if (next == NULL) abort();
    crowd_import(c, world);
    ref_a_steer(c, 0.05f, next);
    require_ok(throng_world_steer(world, 0.05f, &error), &error);
    require_ok(throng_world_edit_accelerations(world, &edit, &error), &error);
    assert_true(edit.count == c->count && edit.position_x == NULL && edit.velocity_z == NULL);
    assert_true(throng_world_is_indexed(world));
    for (uint32_t s = 0; s < edit.count; s++) {
      if (edit.id_index[s] % 3 != 0) continue;
      edit.acceleration_x[s] = 2.5f;
      edit.acceleration_z[s] += 1.0f;
      if (crowd_is_spatial(c)) edit.acceleration_y[s] = -0.5f;
    }
    for (uint32_t i = 0; i < c->count; i++) {
      if (c->agents[i].id.index % 3 != 0) continue;
      c->agents[i].acceleration.x = 2.5f;
      c->agents[i].acceleration.z += 1.0f;
      if (crowd_is_spatial(c)) c->agents[i].acceleration.y = -0.5f;
    }
    ref_a_integrate(c, 0.05f, next);
    require_ok(throng_world_integrate(world, 0.05f, &error), &error);
    require_crowd(c, world, STATE_COLUMNS, "edited accelerations");
    free(next);
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* The acceleration column can be read by id, but not written by id. */
static void accelerations_are_read_by_id(void **state) {
  (void)state;
  crowd *c = some_crowd(0, 20);
  throng_world *world = crowd_world(c, NULL);
  throng_error error;
  throng_vec3 value = {0.25f, 0.0f, -0.5f};
  const throng_agent_id id = c->agents[4].id;
  require_error(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, &id, 1, &value, 0, &error),
                THRONG_ERROR_NOT_STEERED, &error);
  crowd_import(c, world);
  ref_a_steer(c, 0.05f, NULL);
  require_ok(throng_world_steer(world, 0.05f, &error), &error);
  require_crowd(c, world, THRONG_BIT(THRONG_COLUMN_ACCELERATION), "read by id");
  require_error(throng_agents_write(world, THRONG_COLUMN_ACCELERATION, &id, 1, &value, 0, &error),
                THRONG_ERROR_BAD_VALUE, &error);
  require_crowd(c, world, THRONG_BIT(THRONG_COLUMN_ACCELERATION), "refused by id");
  require_ok(throng_world_integrate(world, 0.05f, &error), &error);
  require_error(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, &id, 1, &value, 0, &error),
                THRONG_ERROR_NOT_STEERED, &error);
  throng_world_destroy(world);
  crowd_free(c);
}

/* An integrate needs a steer after the last integrate, step, edit, or change of the set of agents. */
static void integrate_needs_a_steer(void **state) {
  (void)state;
  crowd *c = some_crowd(1, 30);
  throng_world *world = crowd_world(c, NULL);
  throng_error error;
  throng_edit edit;
  const throng_status needed = THRONG_ERROR_NOT_STEERED;
  require_error(throng_world_integrate(world, 0.1f, &error), needed, &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  require_ok(throng_world_integrate(world, 0.1f, &error), &error);
  require_error(throng_world_integrate(world, 0.1f, &error), needed, &error); /* committed */
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  require_ok(throng_world_step(world, 0.1f, &error), &error);
  require_error(throng_world_integrate(world, 0.1f, &error), needed, &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  require_ok(throng_agents_remove(world, &c->agents[0].id, 1, &error), &error);
  require_error(throng_world_integrate(world, 0.1f, &error), needed, &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  throng_agents_def def = throng_default_agents_def();
  def.position = (throng_span){&c->agents[0].position, 0};
  require_ok(throng_agents_add(world, &def, 1, NULL, &error), &error);
  require_error(throng_world_integrate(world, 0.1f, &error), needed, &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  require_ok(throng_world_edit(world, &edit, &error), &error);
  require_error(throng_world_integrate(world, 0.1f, &error), needed, &error);
  throng_world_destroy(world);
  crowd_free(c);
}

/* If the host changes groups or columns between steer and integrate, the integrate succeeds or returns NOT_STEERED. It
 * never writes wander angles that no pass computed. */
static void changes_between_the_halves(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 12; k++) {
    crowd *c = some_crowd(k, 50);
    for (uint32_t g = 0; g < c->group_count; g++) group_forget(&c->groups[g], THRONG_BEHAVIOUR_WANDER);
    for (uint32_t i = 0; i < c->count; i++) c->agents[i].goal.x = NAN;
    throng_world *world = crowd_world(c, NULL);
    throng_error error;
    throng_group_def wanderer = c->groups[0];
    group_want(&wanderer, THRONG_BEHAVIOUR_WANDER, 1.0f);
    throng_vec3 before[50], after[50];
    require_ok(throng_world_step(world, 0.05f, &error), &error);
    require_ok(throng_world_steer(world, 0.05f, &error), &error);
    require_ok(throng_world_set_group(world, 0, &wanderer, &error), &error);
    require_ok(throng_agents_write(world, THRONG_COLUMN_GOAL, &c->agents[7].id, 1, &c->agents[0].position, 0, &error),
               &error);
    require_ok(throng_agents_read(world, THRONG_COLUMN_WANDER, NULL, 50, before, sizeof before[0], &error), &error);
    const throng_status status = throng_world_integrate(world, 0.05f, &error);
    if (status != THRONG_OK) require_error(status, THRONG_ERROR_NOT_STEERED, &error);
    require_ok(throng_agents_read(world, THRONG_COLUMN_WANDER, NULL, 50, after, sizeof after[0], &error), &error);
    for (uint32_t i = 0; i < 50; i++) {
      assert_memory_equal(&before[i].x, &after[i].x, sizeof after[i].x); /* no agent has wandered yet */
      if (!crowd_is_spatial(c)) assert_true(after[i].x == 0.0f);
    }
    require_sound(world, "changed between the halves");
    require_ok(throng_world_step(world, 0.05f, &error), &error);
    require_sound(world, "after changes between the halves");
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* What a failed call must not change: the hash of the state, the frame number, and whether the world is indexed. */
typedef struct snapshot {
  uint64_t hash, frame;
  bool indexed;
} snapshot;

static snapshot snapshot_of(const throng_world *world) {
  return (snapshot){throng_world_hash(world, STATE_COLUMNS), throng_world_frame(world), throng_world_is_indexed(world)};
}

static void require_unchanged(const throng_world *world, snapshot before, const char *what) {
  const snapshot now = snapshot_of(world);
  if (now.hash != before.hash || now.frame != before.frame || now.indexed != before.indexed) {
    print_error("%s: a failed call changed the world\n", what);
    fail();
  }
  require_sound(world, what);
}

/* Bad accelerations of some agents fail the frame. The error names the agent with the smallest id index. */
static void a_frame_that_fails(void **state) {
  (void)state;
  static const struct {
    float acceleration, dt;
    throng_status status;
  } cases[] = {{NAN, 0.1f, THRONG_ERROR_NOT_FINITE},        {INFINITY, 0.1f, THRONG_ERROR_NOT_FINITE},
               {-INFINITY, 0.01f, THRONG_ERROR_NOT_FINITE}, {3e38f, 1.0f, THRONG_ERROR_OUT_OF_RANGE},
               {1e10f, 1.0f, THRONG_ERROR_OUT_OF_RANGE},    {-3e9f, 1.0f, THRONG_ERROR_OUT_OF_RANGE}};
  for (uint32_t k = 0; k < 48; k++) {
    crowd *c = some_crowd(k % 2, 300); /* unbounded */
    c->def.perception_radius = 1.0f;
    c->def.update = THRONG_UPDATE_SEMI_IMPLICIT;
    throng_group_def plain = throng_default_group_def();
    plain.max_speed = INFINITY;
    plain.cohesion.form = THRONG_COHESION_SEEK;
    for (uint32_t g = 0; g < c->group_count; g++) c->groups[g] = plain;
    for (uint32_t i = 0; i < c->count; i++) {
      c->agents[i].perception = c->agents[i].body = c->agents[i].mass = c->agents[i].max_speed = NAN;
      c->agents[i].position = (throng_vec3){(float)(i % 20), 0.0f, (float)(i / 20)};
    }
    const uint32_t which = k % 6;
    const crowd_world_options options = {.threads = 1 + k / 6 % 3};
    throng_world *world = crowd_world(c, &options);
    test_rng rng = rng_from(base_seed + k);
    throng_error error;
    throng_edit edit;
    require_ok(throng_world_step(world, 0.01f, &error), &error);
    const snapshot before = snapshot_of(world);
    require_ok(throng_world_steer(world, cases[which].dt, &error), &error);
    require_ok(throng_world_edit_accelerations(world, &edit, &error), &error);
    uint32_t smallest = UINT32_MAX;
    for (uint32_t broken = 0; broken < 1 + k / 12; broken++) {
      const uint32_t s = rng_below(&rng, edit.count);
      edit.acceleration_z[s] = cases[which].acceleration;
      if (edit.id_index[s] < smallest) smallest = edit.id_index[s];
    }
    require_error(throng_world_integrate(world, cases[which].dt, &error), cases[which].status, &error);
    assert_int_equal(error.agent.index, smallest);
    assert_true(throng_agents_is_valid(world, error.agent));
    require_unchanged(world, before, "integrate");
    require_ok(throng_world_step(world, 0.01f, &error), &error); /* the next frame succeeds */
    require_sound(world, "after a failed frame");
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* A step finds bad positions and velocities that the host wrote by an edit. */
static void a_step_that_fails(void **state) {
  (void)state;
  static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f};
  for (uint32_t k = 0; k < 16; k++) {
    crowd *c = some_crowd(k % 2, 200);
    c->def.update = THRONG_UPDATE_EXPLICIT; /* the velocity moves the agent before max_speed limits it */
    throng_world *world = crowd_world(c, NULL);
    throng_error error;
    throng_edit edit;
    require_ok(throng_world_step(world, 0.01f, &error), &error);
    require_ok(throng_world_edit(world, &edit, &error), &error);
    const uint32_t a = k * 7 % edit.count, b = k * 31 % edit.count;
    float *column = k / 4 % 2 == 0 ? edit.position_x : edit.velocity_z;
    column[a] = column[b] = bad[k % 4];
    const uint32_t smaller = edit.id_index[a] < edit.id_index[b] ? edit.id_index[a] : edit.id_index[b];
    const snapshot before = snapshot_of(world);
    const throng_status status = throng_world_step(world, 0.5f, &error);
    assert_true(status == THRONG_ERROR_NOT_FINITE || status == THRONG_ERROR_OUT_OF_RANGE);
    /* 3e38 is finite. The frame may also fail at an agent that aligns with this one and has a smaller id index. */
    if (k % 4 == 3)
      assert_true(error.agent.index <= smaller);
    else
      assert_int_equal(error.agent.index, smaller);
    const snapshot after = snapshot_of(world);
    assert_true(after.hash == before.hash && after.frame == before.frame);
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* Agents that move beyond the limit of an unbounded world fail the frame. */
static void walking_out_of_range(void **state) {
  (void)state;
  for (uint32_t space = 0; space < 2; space++) {
    throng_world_def def = throng_default_world_def();
    throng_agents_def agents = throng_default_agents_def();
    throng_group_def g = throng_default_group_def();
    throng_world *world = NULL;
    throng_error error;
    throng_agent_id ids[3];
    const float edge = 1048000.0f;
    const throng_vec3 p[3] = {{0, 0, 0}, {edge, 0, 5}, {5, 0, -edge}}, v[3] = {{1, 0, 1}, {1000, 0, 0}, {0, 0, -1000}};
    def.space = (throng_space)space;
    def.thread_count = 1;
    g.max_speed = INFINITY;
    g.cohesion.form = THRONG_COHESION_SEEK;
    agents.position = (throng_span){p, 0};
    agents.velocity = (throng_span){v, 0};
    require_ok(throng_world_create(&def, &world, &error), &error);
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    require_ok(throng_agents_add(world, &agents, 3, ids, &error), &error);
    const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
    const uint32_t smaller = ids[1].index < ids[2].index ? ids[1].index : ids[2].index;
    require_error(throng_world_step(world, 1.0f, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
    assert_int_equal(error.agent.index, smaller);
    assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);
    require_ok(throng_world_step(world, 0.25f, &error), &error);
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_steer_integrate", 60);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halves_are_the_whole),       cmocka_unit_test(steering_twice_gives_the_same),
      cmocka_unit_test(edited_accelerations_count), cmocka_unit_test(accelerations_are_read_by_id),
      cmocka_unit_test(integrate_needs_a_steer),    cmocka_unit_test(changes_between_the_halves),
      cmocka_unit_test(a_frame_that_fails),         cmocka_unit_test(a_step_that_fails),
      cmocka_unit_test(walking_out_of_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
