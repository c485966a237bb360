/* tests/frame/test_max_speed.c: tests of agents with maximum speeds of their own. An agent with one must move as if its
 * group had that max_speed, to the bit. test_reference_a compares the exact bits with the formulas.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/full.h"
#include "support/groups.h"
#include "support/stage.h"

#include <throng/passes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OTHER_COLUMNS (STATE_COLUMNS & ~THRONG_BIT(THRONG_COLUMN_MAX_SPEED))

static uint64_t base_seed;

static void set_speed(throng_world *world, throng_agent_id id, float speed) {
  stage_write(world, THRONG_COLUMN_MAX_SPEED, id, (throng_vec3){speed, 0, 0});
}

static uint64_t hash_after(const crowd *c, uint32_t frames) {
  const crowd_world_options options = {.threads = 1 + (uint32_t)(c->seed % 2)};
  throng_world *world = crowd_world(c, &options);
  for (uint32_t k = 0; k < frames; k++) stage_step(world, 0.05f);
  const uint64_t hash = throng_world_hash(world, OTHER_COLUMNS);
  throng_world_destroy(world);
  return hash;
}

/* Random crowds with all behaviours, rules, contact and yielding. In the second world another max_speed, or none, takes
 * the place of each group's, and every agent has its group's old one. */
static void an_own_speed_is_the_groups_speed(void **state) {
  (void)state;
  uint32_t differ = 0;
  for (uint32_t k = 0; k < 120; k++) {
    const crowd_recipe recipe = {
        (throng_space)(k % 2), k / 2 % CROWD_BOUNDARIES, LAYOUT_UNIFORM, 150, false, k % 5 == 0};
    crowd *c = crowd_random(base_seed + k, &recipe);
    for (uint32_t i = 0; i < c->count; i++) c->agents[i].max_speed = NAN;
    for (uint32_t g = 0; g < c->group_count; g++)
      if (isinf(c->groups[g].max_speed)) c->groups[g].max_speed = 2e8f;
    const uint64_t expected = hash_after(c, 6);
    for (uint32_t i = 0; i < c->count; i++) c->agents[i].max_speed = crowd_group(c, &c->agents[i])->max_speed;
    for (uint32_t g = 0; g < c->group_count; g++) c->groups[g].max_speed *= k % 3 == 0 ? 0.25f : 4.0f;
    if (hash_after(c, 6) != expected) {
      print_error("seed %llu: the bits differ\n", (unsigned long long)c->seed);
      fail();
    }
    for (uint32_t i = 0; i < c->count; i++) c->agents[i].max_speed = NAN;
    differ += hash_after(c, 6) != expected;
    crowd_free(c);
  }
  assert_true(differ > 100); /* so the groups' max_speed matters in these worlds */
}

/* hug_walls is not in random crowds. */
static void hug_walls_and_braking(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    throng_vec3 at[2][20];
    for (int own = 0; own < 2; own++) {
      throng_group_def g = stage_idle_group();
      g.facing_speed = -1.0f;
      throng_world_def def = throng_default_world_def();
      def.space = (throng_space)space;
      g.max_speed = own ? 9.0f : 2.5f;
      group_want(&g, THRONG_BEHAVIOUR_HUG_WALLS, 1.0f)->hug_walls.reach = 20.0f;
      group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 0.5f);
      throng_world *world = stage_world(&def, &g);
      const throng_scenery_def scenery = full_scenery((throng_space)space);
      throng_error error;
      throng_agent_id id;
      require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
      stage_add(world, 1, &(throng_vec3){36, space ? 1 : 0, 25}, &(throng_vec3){1, 0, 1}, &(throng_vec3){36, 0, 35},
                &id);
      if (own) set_speed(world, id, 2.5f);
      for (int k = 0; k < 20; k++) {
        if (k == 10) stage_write(world, THRONG_COLUMN_GOAL, id, (throng_vec3){NAN, NAN, NAN});
        stage_step(world, 0.1f);
        at[own][k] = stage_read(world, THRONG_COLUMN_VELOCITY, id);
      }
      throng_world_destroy(world);
    }
    assert_memory_equal(at[0], at[1], sizeof at[0]);
  }
}

/* An agent may be faster or slower than its group. With an infinite group speed, only those with an own one are
 * limited. */
static void speeds_reach_their_limits(void **state) {
  (void)state;
  static const float of_groups[] = {2.0f, INFINITY};
  for (int k = 0; k < 2; k++) {
    throng_group_def g = stage_idle_group();
    g.max_speed = of_groups[k];
    group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
    throng_world *world = stage_world(NULL, &g);
    const throng_vec3 p[] = {{0, 0, 0}, {0, 0, 10}, {0, 0, 20}, {0, 0, 30}};
    const throng_vec3 goals[] = {{1e4f, 0, 0}, {1e4f, 0, 10}, {1e4f, 0, 20}, {1e4f, 0, 30}};
    throng_agent_id ids[4];
    stage_add(world, 4, p, NULL, goals, ids);
    set_speed(world, ids[1], 0.5f);
    set_speed(world, ids[2], 7.0f);
    set_speed(world, ids[3], 0.0f);
    for (int frame = 0; frame < 60; frame++) stage_step(world, 0.1f);
    const float expected[] = {k ? 18.0f : 2.0f, 0.5f, 7.0f, 0.0f};
    for (int i = 0; i < 4; i++) {
      const double speed = stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[i]));
      assert_true(fabs(speed - (double)expected[i]) <= 1e-5 * (double)expected[i]);
    }
    assert_true(stage_read(world, THRONG_COLUMN_POSITION, ids[3]).x == 0.0f);
    set_speed(world, ids[2], 1.0f); /* the next step limits the velocity */
    stage_step(world, 0.1f);
    assert_true(fabs(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[2])) - 1.0) < 1e-6);
    throng_world_destroy(world);
  }
}

/* An agent with a maximum speed of 0 stands, whatever it wants, also exactly at its target. Contact may push it. */
static void zero_stands(void **state) {
  (void)state;
  static const throng_vec3 goals[] = {{0, 0, 0}, {1, 0, 2}};
  for (int kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++)
    for (int k = 0; k < 4; k++) {
      if (kind == THRONG_BEHAVIOUR_CALLBACK) continue;
      throng_world_def def = throng_default_world_def();
      throng_error error;
      throng_group_def g = throng_default_group_def();
      g.cohesion.form = THRONG_COHESION_ARRIVE;
      g.avoidance.form = THRONG_AVOIDANCE_CONE_MEAN;
      g.avoidance.weight = 1.0f;
      g.facing = THRONG_FACING_STEERED;
      g.max_yaw_rate = 1.0f;
      if (k / 2) g.actuation = THRONG_ACTUATION_VEHICLE;
      throng_behaviour *b = group_want(&g, (throng_behaviour_kind)kind, 1.0f);
      if (kind == THRONG_BEHAVIOUR_ARRIVE) b->arrive.gather = true;
      throng_world *world = stage_world(&def, &g);
      const throng_vec3 p[] = {{0, 0, 0}, {0, 0, 0}, {0.5f, 0, 0}}, v[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
      throng_agent_id ids[3];
      stage_add(world, 3, p, v, (throng_vec3[]){goals[k % 2], goals[k % 2], goals[k % 2]}, ids);
      for (int i = 0; i < 3; i++) set_speed(world, ids[i], 0.0f);
      for (int frame = 0; frame < 5; frame++) {
        require_ok(throng_world_steer(world, 0.1f, &error), &error);
        for (int i = 0; i < 3; i++)
          assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[i])) <= 3.0001);
        require_ok(throng_world_integrate(world, 0.1f, &error), &error);
      }
      for (int i = 0; i < 3; i++) {
        assert_true(stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[i]), p[i]) == 0.0);
        assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[i])) == 0.0);
      }
      require_sound(world, throng_behaviour_name((throng_behaviour_kind)kind));
      throng_world_destroy(world);
    }
}

/* Two bodies overlap by 0.8 m. Contact moves each by at most max(2 max_speed, 2 m/s) dt, unless the group says. */
static void pushes_have_the_agents_limit(void **state) {
  (void)state;
  static const struct {
    float own, of_group, moved;
  } cases[] = {{5.0f, 0.0f, 0.1f}, {0.1f, 0.0f, 0.02f}, {0.0f, 0.0f, 0.02f}, {5.0f, 4.0f, 0.04f}, {NAN, 0.0f, 0.06f}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    throng_world_def def = throng_default_world_def();
    throng_group_def g = stage_idle_group();
    g.max_speed = 3.0f;
    g.contact = 1.0f;
    g.body_radius = 0.5f;
    g.max_push_speed = cases[k].of_group;
    throng_world *world = stage_world(&def, &g);
    throng_agent_id ids[2];
    stage_add(world, 2, (throng_vec3[]){{0, 0, 0}, {0.2f, 0, 0}}, NULL, NULL, ids);
    set_speed(world, ids[0], cases[k].own);
    stage_step(world, 0.01f);
    const double moved = -(double)stage_read(world, THRONG_COLUMN_POSITION, ids[0]).x;
    assert_true(fabs(moved - (double)cases[k].moved) < 1e-6);
    throng_world_destroy(world);
  }
}

static void what_is_read_and_what_is_refused(void **state) {
  (void)state;
  static const struct {
    float speed;
    throng_status status;
  } bad[] = {{-1.0f, THRONG_ERROR_BAD_VALUE},
             {-1e-45f, THRONG_ERROR_BAD_VALUE},
             {1.1e9f, THRONG_ERROR_BAD_VALUE},
             {INFINITY, THRONG_ERROR_NOT_FINITE},
             {-INFINITY, THRONG_ERROR_NOT_FINITE}};
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[] = {{0, 0, 0}, {1, 0, 0}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, NULL, NULL, ids);
  for (int own = 0; own < 2; own++) {
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
      const float two[] = {1.0f, bad[k].speed};
      throng_agents_def def = throng_default_agents_def();
      def.max_speed.data = two;
      stage_refuses_values(world, ids, THRONG_COLUMN_MAX_SPEED, "max_speed", two, def, bad[k].status);
    }
    set_speed(world, ids[1], 1.25f);
    assert_true(stage_read(world, THRONG_COLUMN_MAX_SPEED, ids[0]).x == 1000.0f);
    assert_true(stage_read(world, THRONG_COLUMN_MAX_SPEED, ids[1]).x == 1.25f);
  }
  set_speed(world, ids[1], -0.0f);
  assert_true(stage_read(world, THRONG_COLUMN_MAX_SPEED, ids[1]).x == 0.0f);
  set_speed(world, ids[1], NAN);
  g.max_speed = 3.0f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  assert_true(stage_read(world, THRONG_COLUMN_MAX_SPEED, ids[1]).x == 3.0f);
  throng_world_destroy(world);
}

/* A host that counts in centimetres gives and gets centimetres per second. Host passes refuse by agent. */
static void units_and_host_passes(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  def.axes.units_per_metre = 100.0f;
  throng_world *world = stage_world(&def, &g);
  throng_agent_id id;
  throng_error error;
  stage_add(world, 1, &(throng_vec3){0, 0, 0}, &(throng_vec3){900, 0, 0}, NULL, &id);
  set_speed(world, id, 150.0f);
  stage_step(world, 0.1f);
  assert_true(fabsf(stage_read(world, THRONG_COLUMN_VELOCITY, id).x - 150.0f) < 1e-3f);
  assert_true(stage_read(world, THRONG_COLUMN_MAX_SPEED, id).x == 150.0f);
  throng_world_destroy(world);

  def = throng_default_world_def();
  throng_passes *passes;
  require_ok(throng_passes_create(&def, &passes, &error), &error);
  const float values[] = {0, 0, 0}, speeds[] = {1, -2, 3};
  throng_passes_agents_def agents = throng_default_passes_agents_def();
  agents.count = 3;
  agents.position = agents.velocity = (throng_vectors){values, values, values, 0};
  agents.max_speed = (throng_span){speeds, 0};
  require_error(throng_passes_build_grid(passes, &agents, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_true(error.agent.index == 2 && strstr(error.text, "max_speed[2] is -2") != NULL);
  throng_passes_destroy(passes);
}

int main(void) {
  base_seed = test_seed("test_max_speed", 2024);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_own_speed_is_the_groups_speed),
      cmocka_unit_test(hug_walls_and_braking),
      cmocka_unit_test(speeds_reach_their_limits),
      cmocka_unit_test(zero_stands),
      cmocka_unit_test(pushes_have_the_agents_limit),
      cmocka_unit_test(what_is_read_and_what_is_refused),
      cmocka_unit_test(units_and_host_passes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
