/* test_avoidance.c: tests of avoidance: which neighbours are threats, which of them counts, and pairs that pass.
 * test_neighbour_forms.c tests cones, test_reciprocal.c reciprocal avoidance. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>

#define PI 3.14159265358979323846

/* Returns the acceleration by avoidance of an agent at p with velocity v, for a neighbour at q with velocity u. */
static throng_vec3 avoiding(throng_vec3 p, throng_vec3 v, throng_vec3 q, throng_vec3 u, int space) {
  throng_group_def g = stage_idle_group();
  throng_world_def def = throng_default_world_def();
  def.space = (throng_space)space;
  def.perception_radius = 10.0f;
  g.avoidance.weight = 1.0f;
  g.avoidance.horizon = 5.0f;
  g.body_radius = 0.5f;
  throng_world *world = stage_world(&def, &g);
  const throng_vec3 positions[2] = {p, q}, velocities[2] = {v, u};
  throng_agent_id ids[2];
  stage_add(world, 2, positions, velocities, NULL, ids);
  const throng_vec3 a = stage_steered(world, ids[0]);
  throng_world_destroy(world);
  return a;
}

#define V(x, y, z) ((throng_vec3){x, y, z})

/* Tests which neighbours are threats, and the direction of the acceleration away from them. */
static void avoidance_of_one(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    /* The agents will pass 1.1 m apart in opposite directions: no threat. */
    assert_true(stage_length(avoiding(V(0, 0, 0), V(0, 0, 1), V(1.1f, 0, 6), V(0, 0, -1), space)) == 0.0);
    /* The agents would collide: a threat. The acceleration leads away from where the neighbour will be. */
    const throng_vec3 a = avoiding(V(0, 0, 0), V(0, 0, 1), V(3.2f, 0, 3), V(-1, 0, 0), space);
    assert_true(fabs(stage_length(a) - 3.0) < 1e-5 && a.x < 0.0f);
    /* No threat: they move apart, have the same velocity, meet after the horizon, or pass too far apart. */
    assert_true(stage_length(avoiding(V(0, 0, 0), V(0, 0, -1), V(0, 0, 3), V(0, 0, 1), space)) == 0.0);
    assert_true(stage_length(avoiding(V(0, 0, 0), V(0, 0, 1), V(0, 0, 3), V(0, 0, 1), space)) == 0.0);
    assert_true(stage_length(avoiding(V(0, 0, 0), V(0, 0, 0.5f), V(0, 0, 5.5f), V(0, 0, -0.5f), space)) == 0.0);
    assert_true(stage_length(avoiding(V(0, 0, 0), V(0, 0, 2), V(1.01f, 0, 4), V(0, 0, 0), space)) == 0.0);
    /* Overlapping bodies are a threat at time 0, even if they move apart or are at rest. */
    const throng_vec3 o = avoiding(V(0, 0, 0), V(0, 0, -1), V(0, 0, 0.5f), V(0, 0, 1), space);
    assert_true(o.x == 0.0f && o.z == -3.0f);
    assert_true(avoiding(V(0, 0, 0), V(0, 0, 0), V(0, 0, 0.5f), V(0, 0, 0), space).z == -3.0f);
    /* Head-on: the agent turns to its right, which is -x if it looks along +z. */
    const throng_vec3 h = avoiding(V(0, 0, 0), V(0, 0, 1), V(0, 0, 4), V(0, 0, -1), space);
    assert_true(fabsf(h.x + 3.0f) < 1e-6f && fabsf(h.z) < 1e-6f);
  }
}

/* The acceleration grows as the time to contact shrinks: (urgency / time)^2, and all of it from the urgency on. */
static void urgency(void **state) {
  (void)state;
  const double speed = 1.5, bodies = 1.0, aside = 0.6;
  for (int space = 0; space < 2; space++)
    for (double distance = 1.2; distance < 6; distance += 0.4)
      for (int k = 0; k < 4; k++) {
        const float full = (float[]){0.0f, 0.3f, 1.0f, 10.0f}[k];
        throng_group_def g = stage_idle_group();
        g.avoidance.weight = 1.0f;
        g.avoidance.horizon = 5.0f;
        g.avoidance.urgency = full;
        g.body_radius = 0.5f;
        throng_world_def def = throng_default_world_def();
        def.space = (throng_space)space;
        def.perception_radius = 10.0f;
        throng_world *world = stage_world(&def, &g);
        const throng_vec3 p[2] = {{0, 0, 0}, {(float)aside, 0, (float)distance}}, v[2] = {{0, 0, (float)speed}};
        throng_agent_id ids[2];
        stage_add(world, 2, p, v, NULL, ids);
        const throng_vec3 a = stage_steered(world, ids[0]);
        throng_world_destroy(world);
        const double time = (distance - sqrt(bodies * bodies - aside * aside)) / speed;
        const double part = full == 0.0f || time <= (double)full ? 1.0 : (double)(full * full) / (time * time);
        if (!(fabs(stage_length(a) - 3.0 * part) < 1e-4 * part && a.x < 0.0f))
          fail_msg("space %d, distance %.1f, urgency %.1f: %.6f, expected %.6f", space, distance, (double)full,
                   stage_length(a), 3.0 * part);
      }
}

/* Two agents that seek each other's start pass each other, in every direction. */
static void mirror_pairs_pass(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++)
    for (int k = 0; k < 16; k++) {
      const double angle = k * PI / 8.0 + (k % 3) * 0.1;
      const throng_vec3 p = {(float)(4.0 * sin(angle)), 0, (float)(4.0 * cos(angle))}, q = {-p.x, 0, -p.z};
      throng_group_def g = stage_idle_group();
      throng_world_def def = throng_default_world_def();
      def.space = (throng_space)space;
      def.perception_radius = 4.0f;
      g.max_speed = 1.0f;
      g.body_radius = 0.3f;
      g.avoidance.weight = 3.0f;
      group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.5f;
      throng_world *world = stage_world(&def, &g);
      const throng_vec3 positions[2] = {p, q}, goals[2] = {q, p},
                        v[2] = {{q.x * 0.2f, 0, q.z * 0.2f}, {p.x * 0.2f, 0, p.z * 0.2f}};
      throng_agent_id ids[2];
      stage_add(world, 2, positions, v, goals, ids);
      double closest = INFINITY;
      for (int frame = 0; frame < 600; frame++) {
        stage_step(world, 1.0f / 60.0f);
        closest = fmin(closest, stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[0]),
                                               stage_read(world, THRONG_COLUMN_POSITION, ids[1])));
      }
      const double left = stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[0]), q);
      if (!(closest > 0.55 && left < 1.5))
        print_error("direction %d: closest %g, %g from the goal\n", k, closest, left);
      assert_true(closest > 0.55); /* the sum of radii is 0.6 m; one frame's delay may overlap a little */
      assert_true(left < 1.5);
      throng_world_destroy(world);
    }
}

/* Avoidance reacts to the earliest threat. If several threats are earliest, it reacts to the one with the lowest id
 * index. */
static void the_first_threat_counts(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 20.0f;
  g.avoidance.weight = 1.0f;
  g.avoidance.horizon = 10.0f;
  g.body_radius = 0.5f;
  for (int swapped = 0; swapped < 2; swapped++) {
    throng_world *world = stage_world(&def, &g);
    /* Agents 1 and 2 come from the sides and meet agent 0 at the same time. Agent 3 is nearer but meets it later. */
    throng_vec3 p[4] = {{0, 0, 0}, {4, 0, 3.5f}, {-4, 0, 3.5f}, {0, 0, -2}},
                v[4] = {{0, 0, 1}, {-1, 0, 0}, {1, 0, 0}, {0, 0, 1.3f}};
    if (swapped) p[1].x = -4, p[2].x = 4, v[1].x = 1, v[2].x = -1;
    throng_agent_id ids[4];
    stage_add(world, 4, p, v, NULL, ids);
    const throng_vec3 a = stage_steered(world, ids[0]);
    /* When closest, agents 1 and 2 are still on their own sides, so agent 0 turns away from the side of agent 1. */
    assert_true(ids[1].index < ids[2].index);
    assert_true(swapped ? a.x > 0.5f : a.x < -0.5f);
    throng_world_destroy(world);
  }
}

/* The bodies of hundreds of agents overlap, so all are threats at time 0. Each agent avoids the one with the lowest id
 * index, whatever the order of positions and the instruction set, also with attraction in the same group. */
static void the_first_of_hundreds_counts(void **state) {
  (void)state;
  enum { ROW = 17, MANY = ROW * ROW };
  for (int kind = 0; kind < 8; kind++)
    for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT; isa++) {
      if (!throng_isa_is_available((throng_isa)isa)) continue;
      const bool backwards = kind & 1, rarer = kind & 4;
      throng_group_def g = stage_idle_group();
      throng_world_def def = throng_default_world_def();
      def.isa = (throng_isa)isa;
      def.space = (throng_space)(kind >> 1 & 1);
      g.avoidance.weight = 1.0f;
      g.body_radius = 0.5f;
      g.attraction.weight = rarer ? 1.0f : 0.0f;
      g.attraction.mask = 0;
      throng_world *world = stage_world(&def, &g);
      throng_vec3 p[MANY];
      throng_agent_id ids[MANY];
      for (int k = 0; k < MANY; k++) {
        const int place = backwards ? MANY - 1 - k : k;
        p[k] = V(0.04f * (float)(place / ROW), 0, 0.04f * (float)(place % ROW));
      }
      stage_add(world, MANY, p, NULL, NULL, ids);
      throng_error error;
      require_ok(throng_world_steer(world, 0.1f, &error), &error);
      for (int k = 0; k < MANY; k++) {
        const int first = k == 0 ? 1 : 0;
        const double x = (double)p[k].x - (double)p[first].x, z = (double)p[k].z - (double)p[first].z,
                     length = sqrt(x * x + z * z);
        const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[k]);
        assert_true(fabs((double)a.x - 3.0 * x / length) < 1e-4 && fabs((double)a.z - 3.0 * z / length) < 1e-4);
      }
      throng_world_destroy(world);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(avoidance_of_one),
      cmocka_unit_test(urgency),
      cmocka_unit_test(mirror_pairs_pass),
      cmocka_unit_test(the_first_threat_counts),
      cmocka_unit_test(the_first_of_hundreds_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
