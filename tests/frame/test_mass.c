/* tests/frame/test_mass.c: tests of agents with masses of their own: every limit that is a force or a torque, contact,
 * and which values the column takes and refuses. test_reference_a compares the exact bits.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LIMIT 0x1p-10f /* below every wanted acceleration; a power of two, so that half of it is exact */

static uint64_t base_seed;

static void weigh(throng_world *world, throng_agent_id id, float mass) {
  stage_write(world, THRONG_COLUMN_MASS, id, (throng_vec3){mass, 0, 0});
}

/* The linear (m/s²) and angular (rad/s²) acceleration of an agent. */
typedef struct order {
  throng_vec3 linear;
  float turn;
} order;
static order steer(throng_world *world, throng_agent_id id) {
  throng_error error;
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  return (order){stage_read(world, THRONG_COLUMN_ACCELERATION, id),
                 stage_read(world, THRONG_COLUMN_YAW_ACCELERATION, id).x};
}

static void require_share(order whole, order part, float share, const char *what) {
  const bool wants = stage_length(whole.linear) > 0.0 || whole.turn != 0.0f;
  const bool right = part.linear.x == whole.linear.x * share && part.linear.y == whole.linear.y * share &&
                     part.linear.z == whole.linear.z * share && part.turn == whole.turn * share;
  if (wants && right) return;
  print_error("%s: (%g, %g, %g), %g became (%g, %g, %g), %g\n", what, (double)whole.linear.x, (double)whole.linear.y,
              (double)whole.linear.z, (double)whole.turn, (double)part.linear.x, (double)part.linear.y,
              (double)part.linear.z, (double)part.turn);
  fail();
}

/* Checks that the limited acceleration of the agent `id` is inverse to its mass: 80 kg (its group's mass), 160 kg and
 * 20 kg. */
static void compare_masses(throng_world *world, throng_agent_id id, const char *what) {
  const order whole = steer(world, id);
  weigh(world, id, 160.0f);
  require_share(whole, steer(world, id), 0.5f, what);
  weigh(world, id, 20.0f);
  require_share(whole, steer(world, id), 4.0f, what);
  weigh(world, id, NAN);
  require_share(whole, steer(world, id), 1.0f, what);
}

static void push(const throng_block *block, void *context) {
  (void)context;
  for (uint32_t k = 0; k < block->count; k++) block->acceleration_x[k] = 7.0f;
}

/* Sets the objects that behaviours refer to: path, pattern, formation, flow field and callback 0, an attractor, and a
 * wall and an obstacle ahead of the agent. */
static void furnish(throng_world *world) {
  static const throng_vec3 points[] = {{3, 0, 0}, {3, 0, 50}}, ball = {0.3f, 0, 2.5f},
                           wall[] = {{-9, 0, 1.25f}, {9, 0, 1.25f}};
  static const throng_pattern_instruction straight = {.thrust = 1};
  static const float radius = 1.0f, along[] = {1, 0};
  throng_error error;
  throng_path_def path = throng_default_path_def();
  path.points.data = points;
  path.count = 2;
  require_ok(throng_world_set_path(world, 0, &path, &error), &error);
  throng_pattern_def pattern = throng_default_pattern_def();
  pattern.instructions = &straight;
  pattern.count = 1;
  require_ok(throng_world_set_pattern(world, 0, &pattern, &error), &error);
  throng_formation_def formation = throng_default_formation_def();
  formation.places.data = points;
  formation.count = 2;
  require_ok(throng_world_set_formation(world, 0, &formation, &error), &error);
  throng_flow_field_def field = throng_default_flow_field_def();
  field.width = field.height = 1;
  field.vectors = along;
  require_ok(throng_world_set_flow_field(world, 0, &field, &error), &error);
  throng_scenery_def scenery = throng_default_scenery_def();
  scenery.obstacle_centre.data = &ball;
  scenery.obstacle_radius.data = &radius;
  scenery.obstacle_count = scenery.wall_count = 1;
  scenery.wall_from.data = &wall[0];
  scenery.wall_to.data = &wall[1];
  require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
  throng_attractor attractor = throng_default_attractor();
  attractor.position = points[0];
  throng_attractors_def attractors = throng_default_attractors_def();
  attractors.attractors = &attractor;
  attractors.count = 1;
  require_ok(throng_world_set_attractors(world, &attractors, &error), &error);
  require_ok(throng_world_set_callback(world, 0, push, NULL, &error), &error);
}

static void twice_the_mass_halves_every_behaviour(void **state) {
  (void)state;
  for (int k = 0; k < THRONG_BEHAVIOUR_KINDS; k++) {
    const throng_behaviour_kind kind = (throng_behaviour_kind)k;
    throng_group_def g = stage_idle_group();
    g.max_acceleration = g.max_yaw_acceleration = LIMIT;
    g.max_yaw_rate = 3.0f;
    g.facing = THRONG_FACING_STEERED;
    throng_behaviour *want = group_want(&g, kind, 1.0f);
    const throng_vec3 ahead = {2, 0, 9}, behind = {0.2f, 0, -1};
    want->target = (throng_target){.kind = THRONG_TARGET_POINT};
    want->target.point = kind == THRONG_BEHAVIOUR_CLEAR_WAY ? behind : ahead;
    want->other = (throng_target){.kind = THRONG_TARGET_POINT, .point = behind};
    if (kind == THRONG_BEHAVIOUR_ALIGN) want->align.offset = 1.0f;
    if (kind == THRONG_BEHAVIOUR_HUG_WALLS) want->hug_walls.reach = 20.0f;
    throng_world *world = stage_world(NULL, &g);
    const throng_vec3 p = {0, 0, 0}, v = {0, 0, 1.5f};
    throng_agent_id id;
    furnish(world);
    stage_add(world, 1, &p, &v, NULL, &id);
    stage_write(world, THRONG_COLUMN_FACING, id, (throng_vec3){0.25f, 0, 0});
    if (kind == THRONG_BEHAVIOUR_ROTATION_MATCH) /* the target does not turn */
      stage_write(world, THRONG_COLUMN_YAW_RATE, id, (throng_vec3){2.0f, 0, 0});
    if (kind == THRONG_BEHAVIOUR_FORMATION)
      stage_write(world, THRONG_COLUMN_FORMATION_PLACE, id, (throng_vec3){0, 0, 0});
    compare_masses(world, id, throng_behaviour_name(kind));
    throng_world_destroy(world);
  }
}

static throng_group_def with_rule(int rule) {
  throng_group_def g = stage_idle_group();
  g.max_acceleration = LIMIT;
  g.avoidance.horizon = 100.0f;
  if (rule < 3) g.separation.weight = 1.0f;
  if (rule >= 3 && rule < 6) g.cohesion.weight = 1.0f;
  if (rule >= 6 && rule < 8) g.alignment.weight = 1.0f;
  if (rule >= 8 && rule < 11) g.avoidance.weight = 1.0f;
  if (rule == 11) g.attraction.weight = 1.0f;
  g.cohesion.form = (throng_cohesion_form)(rule % 3);
  g.cohesion.coast = false;
  g.alignment.form = (throng_alignment_form)(rule % 2);
  g.avoidance.form = (throng_avoidance_form)((rule + 1) % 3);
  g.avoidance.cone = 6.0f;
  return g;
}

/* Tests the three separation laws and all forms of the other rules. The neighbour's mass does not change the agent's
 * acceleration. */
static void twice_the_mass_halves_every_rule(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++)
    for (int rule = 0; rule < 12; rule++) {
      char what[32];
      throng_world_def def = throng_default_world_def();
      def.space = (throng_space)space;
      def.perception_radius = 4.0f;
      def.separation_law = (throng_separation_law)(rule % 3);
      const throng_group_def g = with_rule(rule);
      throng_world *world = stage_world(&def, &g);
      const throng_vec3 p[] = {{0, 0, 0}, {0.3f, 0, 0.4f}}, v[] = {{0, 0, 1}, {-0.5f, 0, 0}};
      throng_agent_id ids[2];
      stage_add(world, 2, p, v, NULL, ids);
      snprintf(what, sizeof what, "rule %d", rule);
      compare_masses(world, ids[0], what);
      const order before = steer(world, ids[0]);
      weigh(world, ids[1], 3.0f);
      require_share(before, steer(world, ids[0]), 1.0f, what);
      throng_world_destroy(world);
    }
}

/* A wanted acceleration below the limit does not depend on the mass. */
static void weak_wishes_stay(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.max_acceleration = 100.0f;
  group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f)->arrive.time_to_target = 1.0f;
  g.max_speed = 1.5f;
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p = {0, 0, 0}, goal = {5, 0, 1};
  throng_agent_id id;
  stage_add(world, 1, &p, NULL, &goal, &id);
  const order whole = steer(world, id);
  weigh(world, id, 800.0f);
  require_share(whole, steer(world, id), 1.0f, "below the limit");
  weigh(world, id, 80.0f * 1000.0f);
  assert_true(fabs(stage_length(steer(world, id).linear) - 0.1) < 1e-6);
  throng_world_destroy(world);
}

/* A vehicle's engine and brakes are forces, so twice the mass halves their limits. Its lateral limit is an
 * acceleration: the grip of wheels grows with the mass. */
static void vehicles_are_driven_by_forces(void **state) {
  (void)state;
  static const throng_vec3 goals[] = {{0, 0, 9}, {0, 0, -9}, {9, 0, 0}};
  static const throng_vec3 wanted[][2] = {
      {{0, 0, 2}, {0, 0, 1}}, {{0, 0, -4}, {0, 0, -2}}, {{0.5f, 0, 0}, {0.5f, 0, 0}}};
  for (int k = 0; k < 3; k++) {
    throng_group_def g = stage_idle_group();
    g.max_acceleration = 8.0f;
    g.actuation = THRONG_ACTUATION_VEHICLE;
    g.vehicle = (throng_vehicle){2.0f, 4.0f, 0.5f, 1.0f};
    g.facing = THRONG_FACING_FIXED; /* it wants to go straight to its goal, and not by a route */
    group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
    throng_world *world = stage_world(NULL, &g);
    const throng_vec3 p = {0, 0, 0}, v = {0, 0, 5};
    throng_agent_id id;
    stage_add(world, 1, &p, &v, &goals[k], &id);
    for (int heavy = 0; heavy < 2; heavy++) {
      if (heavy) weigh(world, id, 160.0f);
      assert_true(stage_distance(steer(world, id).linear, wanted[k][heavy]) < 1e-6);
    }
    throng_world_destroy(world);
  }
}

/* Bodies of one group, 1 m wide, in a line. One contact iteration pushes each pair apart by the agents' own masses.
 * NAN: the group's mass, 80 kg. */
static void bodies_push_by_their_own_masses(void **state) {
  (void)state;
  static const struct {
    uint32_t count;
    float mass[3], to[3];
  } cases[] = {{2, {60, 20, 0}, {-0.125f, 0.875f, 0}},
               {2, {NAN, 240, 0}, {-0.375f, 0.625f, 0}},
               {2, {NAN, NAN, 0}, {-0.25f, 0.75f, 0}},
               {3, {60, 20, 20}, {-0.125f, 0.5f + 0.125f * (2.0f / 3.0f), 1.25f}}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (int space = 0; space < 2; space++) {
      throng_world_def def = throng_default_world_def();
      def.space = (throng_space)space;
      def.perception_radius = 4.0f;
      def.contact_iterations = 1;
      throng_group_def g = stage_idle_group();
      g.body_radius = 0.5f;
      g.contact = 1.0f;
      throng_world *world = stage_world(&def, &g);
      const throng_vec3 p[] = {{0, 0, 0}, {0.5f, 0, 0}, {1, 0, 0}};
      throng_agents_def agents = throng_default_agents_def();
      throng_agent_id ids[3];
      throng_error error;
      agents.position.data = p;
      agents.mass.data = cases[k].mass;
      require_ok(throng_agents_add(world, &agents, cases[k].count, ids, &error), &error);
      stage_step(world, 0.02f);
      for (uint32_t i = 0; i < cases[k].count; i++) {
        const throng_vec3 now = stage_read(world, THRONG_COLUMN_POSITION, ids[i]);
        assert_true(fabsf(now.x - cases[k].to[i]) < 1e-6f && now.z == 0.0f);
      }
      throng_world_destroy(world);
    }
}

/* An agent whose own mass equals its group's moves as one without a mass of its own, to the bit. */
static void the_groups_mass_written_out_changes_nothing(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 24; k++) {
    const crowd_recipe recipe = {(throng_space)(k % 2), THRONG_BOUNDARY_UNBOUNDED, LAYOUT_UNIFORM, 200, false, false};
    crowd *c = crowd_random(base_seed + k, &recipe);
    uint64_t hash[2];
    for (int written = 0; written < 2; written++) {
      for (uint32_t i = 0; i < c->count; i++)
        c->agents[i].mass = written && i % 7 ? crowd_group(c, &c->agents[i])->mass : NAN;
      throng_world *world = crowd_world(c, NULL);
      for (int frame = 0; frame < 5; frame++) stage_step(world, 0.02f);
      hash[written] = throng_world_hash(world, STATE_COLUMNS);
      throng_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
    crowd_free(c);
  }
}

/* The ratio of the group's mass to the agent's is limited to 1e-9 … 1e9, so max_acceleration stays finite and above
 * 0. */
static void extreme_masses(void **state) {
  (void)state;
  static const float masses[] = {1e-45f, 1e-38f, 1e-10f, 80.0f, 1e9f}, of_group[] = {1.2e-38f, 1.0f, 1e9f};
  for (size_t k = 0; k < 15; k++) {
    throng_group_def g = stage_idle_group();
    g.mass = of_group[k / 5];
    g.contact = 1.0f;
    g.max_speed = 2.0f;
    g.max_yaw_rate = 1.0f;
    g.max_yaw_acceleration = INFINITY;
    g.facing = THRONG_FACING_STEERED;
    g.separation.weight = g.avoidance.weight = 1.0f;
    group_want(&g, THRONG_BEHAVIOUR_LOOK, 1.0f);
    group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
    throng_world *world = stage_world(NULL, &g);
    const throng_vec3 p[] = {{0, 0, 0}, {0.1f, 0, 0}}, goal[] = {{9, 0, 0}, {9, 0, 0}};
    const double ratio = (double)g.mass / (double)masses[k % 5];
    throng_agent_id ids[2];
    throng_error error;
    throng_explanation e;
    stage_add(world, 2, p, NULL, goal, ids);
    weigh(world, ids[0], masses[k % 5]);
    require_ok(throng_world_watch(world, ids[0], &error), &error);
    for (int frame = 0; frame < 20; frame++) stage_step(world, 0.05f);
    require_ok(throng_world_explain(world, ids[0], &e, &error), &error);
    const double expected = 3.0 * fmin(fmax(ratio, 1e-9), 1e9);
    assert_true(fabs((double)e.max_acceleration - expected) <= 1e-6 * expected);
    require_sound(world, "extreme masses");
    throng_world_destroy(world);
  }
}

static void what_is_read_and_what_is_refused(void **state) {
  (void)state;
  static const struct {
    float mass;
    throng_status status;
  } bad[] = {{0.0f, THRONG_ERROR_BAD_VALUE},      {-0.0f, THRONG_ERROR_BAD_VALUE},
             {-80.0f, THRONG_ERROR_BAD_VALUE},    {1.1e9f, THRONG_ERROR_BAD_VALUE},
             {INFINITY, THRONG_ERROR_NOT_FINITE}, {-INFINITY, THRONG_ERROR_NOT_FINITE}};
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[] = {{0, 0, 0}, {1, 0, 0}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, NULL, NULL, ids);
  assert_true(stage_read(world, THRONG_COLUMN_MASS, ids[0]).x == 80.0f);
  for (int own = 0; own < 2; own++) {
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
      const float two[] = {50.0f, bad[k].mass};
      throng_agents_def def = throng_default_agents_def();
      def.mass.data = two;
      stage_refuses_values(world, ids, THRONG_COLUMN_MASS, "mass", two, def, bad[k].status);
    }
    weigh(world, ids[1], 55.0f);
    assert_true(stage_read(world, THRONG_COLUMN_MASS, ids[0]).x == 80.0f);
    assert_true(stage_read(world, THRONG_COLUMN_MASS, ids[1]).x == 55.0f);
  }
  g.mass = 30.0f; /* changes the agents without a mass of their own */
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  stage_step(world, 0.02f);
  assert_true(stage_read(world, THRONG_COLUMN_MASS, ids[0]).x == 30.0f &&
              stage_read(world, THRONG_COLUMN_MASS, ids[1]).x == 55.0f);
  weigh(world, ids[1], NAN);
  assert_true(stage_read(world, THRONG_COLUMN_MASS, ids[1]).x == 30.0f);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_mass", 1313);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(twice_the_mass_halves_every_behaviour),
      cmocka_unit_test(twice_the_mass_halves_every_rule),
      cmocka_unit_test(weak_wishes_stay),
      cmocka_unit_test(vehicles_are_driven_by_forces),
      cmocka_unit_test(bodies_push_by_their_own_masses),
      cmocka_unit_test(the_groups_mass_written_out_changes_nothing),
      cmocka_unit_test(extreme_masses),
      cmocka_unit_test(what_is_read_and_what_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
