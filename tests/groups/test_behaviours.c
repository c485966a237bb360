/* tests/groups/test_behaviours.c: tests of the rules over neighbours, on agents whose acceleration is known in advance.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

static uint64_t base_seed;

static throng_vec3 steered(throng_world *world, throng_agent_id id) {
  throng_error error;
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  return stage_read(world, THRONG_COLUMN_ACCELERATION, id);
}

/* Each law pushes two agents apart along the line between them, with the strength of its formula. */
static void separation_laws(void **state) {
  (void)state;
  static const float distances[] = {0.05f, 0.25f, 0.5f, 0.75f};
  for (int space = 0; space < 2; space++)
    for (int law = 0; law < 3; law++)
      for (int k = 0; k < 4; k++) {
        const double d = (double)distances[k], r = 0.8, strength = 0.4, amax = 3.0;
        const double wanted =
            law == 0 ? fmin(strength * r / d, amax) : (law == 1 ? amax * (r - d) / r : fmin(strength / (d * d), amax));
        throng_group_def g = stage_idle_group();
        throng_world_def def = throng_default_world_def();
        def.space = (throng_space)space;
        def.separation_law = (throng_separation_law)law;
        g.separation.weight = 1.0f;
        g.separation.radius = 0.8f;
        g.separation.strength = 0.4f;
        throng_world *world = stage_world(&def, &g);
        const throng_vec3 p[2] = {{2, 1, 3}, {2.0f + distances[k] * 0.6f, 1, 3.0f + distances[k] * 0.8f}};
        throng_agent_id ids[2];
        stage_add(world, 2, p, NULL, NULL, ids);
        const throng_vec3 a = steered(world, ids[0]), b = steered(world, ids[1]);
        /* The bound: coordinates near 3 are rounded by up to 2^-23 of their size, which is amplified by at most
         * (|p| / d)². */
        const double bound = amax * 1e-6 * (4.0 + 16.0 / d);
        assert_true(fabs((double)a.x + 0.6 * wanted) < bound && fabs((double)a.z + 0.8 * wanted) < bound &&
                    a.y == 0.0f);
        assert_true(fabs((double)a.x + (double)b.x) < bound && fabs((double)a.z + (double)b.z) < bound);
        throng_world_destroy(world);
      }
}

/* Six agents, far from other agents but in pairs: two of each group. The groups' laws are `laws`, the world's is
 * `of_world`. Writes the acceleration of the first agent of each pair. */
static void steer_pairs(throng_space space, throng_separation_law of_world, const throng_separation_law laws[3],
                        throng_vec3 a[3]) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  def.separation_law = of_world;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  throng_vec3 p[6];
  uint8_t groups[6];
  throng_agent_id ids[6];
  for (uint8_t k = 0; k < 6; k++) {
    p[k] = (throng_vec3){(float)(k / 2) * 50.0f + (float)(k % 2) * 0.25f, 0, (float)(k % 2) * 0.3f};
    groups[k] = k / 2;
  }
  for (uint32_t k = 0; k < 3; k++) {
    throng_group_def g = stage_idle_group();
    g.separation.weight = 1.0f;
    g.separation.radius = 0.8f;
    g.separation.strength = 0.4f;
    g.separation.law = laws[k];
    require_ok(throng_world_set_group(world, k, &g, &error), &error);
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = p;
  agents.group.data = groups;
  require_ok(throng_agents_add(world, &agents, 6, ids, &error), &error);
  for (int k = 0; k < 3; k++) a[k] = steered(world, ids[2 * k]);
  throng_world_destroy(world);
}

/* Groups with different laws in one world have the bits that each has in a world with its law. */
static void groups_have_laws_of_their_own(void **state) {
  (void)state;
  const throng_separation_law as_world = THRONG_SEPARATION_AS_WORLD;
  for (int space = 0; space < 2; space++)
    for (int law = 0; law < 3; law++) {
      throng_vec3 alone[3], mixed[3], named[3];
      steer_pairs((throng_space)space, (throng_separation_law)law,
                  (throng_separation_law[]){as_world, as_world, as_world}, alone);
      assert_true(stage_length(alone[0]) > 0.1 && stage_length(alone[0]) < 3.1);
      for (int world = 0; world < 3; world++) {
        const throng_separation_law own = (throng_separation_law)law, next = (throng_separation_law)((law + 1) % 3);
        steer_pairs((throng_space)space, (throng_separation_law)world, (throng_separation_law[]){own, next, as_world},
                    mixed);
        steer_pairs((throng_space)space, (throng_separation_law)world, (throng_separation_law[]){own, own, own}, named);
        assert_memory_equal(&alone[0], &mixed[0], sizeof alone[0]);
        assert_memory_equal(alone, named, sizeof alone);
        assert_true(mixed[1].x != mixed[0].x);
      }
    }
}

/* Radii in body lengths have the bits of the same radii in metres. */
static void radii_in_body_lengths(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 4.0f;
  throng_group_def g = stage_idle_group();
  g.separation.weight = g.attraction.weight = 1.0f;
  g.cohesion.weight = 0.5f;
  g.body_radius = 0.25f;
  const throng_vec3 p[4] = {{0, 0, 0}, {0.9f, 0, 0}, {0, 0, 1.4f}, {1.5f, 0, 1.5f}};
  throng_vec3 a[2];
  throng_error error;
  for (int bodies = 0; bodies < 2; bodies++) {
    const float unit = bodies ? 2.0f : 1.0f; /* body lengths per metre */
    g.radii_in_bodies = bodies;
    g.perception_radius = 2.0f * unit;
    g.separation.radius = 1.0f * unit;
    g.attraction.radius = 1.5f * unit;
    throng_world *world = stage_world(&def, &g);
    throng_agent_id ids[4];
    stage_add(world, 4, p, NULL, NULL, ids);
    a[bodies] = steered(world, ids[0]);
    float metres;
    require_ok(throng_agents_read(world, THRONG_COLUMN_PERCEPTION_RADIUS, ids, 1, &metres, 0, &error), &error);
    assert_true(metres == 2.0f);
    g.perception_radius = 8.0f; /* with body lengths exactly the world's 4 m */
    assert_true((throng_world_set_group(world, 0, &g, &error) == THRONG_OK) == bodies);
    if (bodies) g.attraction.radius = nextafterf(8.0f, 9.0f);
    require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
    g.body_radius = bodies ? 0.0f : g.body_radius;
    require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
    throng_world_destroy(world);
  }
  assert_memory_equal(&a[0], &a[1], sizeof a[0]);
}

/* Checks that coincident agents are pushed apart by the acceleration `a` also with tiny separation radii. Valid for
 * separation laws whose strength at distance 0 does not depend on the radius. */
static void require_push(throng_world *world, const throng_group_def *g, throng_agent_id id, throng_vec3 a) {
  static const float radii[] = {1e-7f, 1e-12f, 1e-39f};
  throng_error error;
  for (int k = 0; k < 3; k++) {
    throng_group_def tiny = *g;
    tiny.separation.radius = radii[k];
    require_ok(throng_world_set_group(world, 0, &tiny, &error), &error);
    const throng_vec3 b = steered(world, id);
    if (!(stage_distance(a, b) < 1e-3))
      fail_msg("separation radius %g: acceleration (%g, %g, %g), expected (%g, %g, %g)", (double)radii[k], (double)b.x,
               (double)b.y, (double)b.z, (double)a.x, (double)a.y, (double)a.z);
  }
  require_ok(throng_world_set_group(world, 0, g, &error), &error);
}

/* Agents at one point are pushed apart; the accelerations of a pair are opposite. */
static void coincident_agents_part(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++)
    for (int law = 0; law < 3; law++)
      for (int pile = 2; pile <= 10; pile += 8) {
        throng_group_def g = stage_idle_group();
        throng_world_def def = throng_default_world_def();
        def.space = (throng_space)space;
        def.separation_law = (throng_separation_law)law;
        g.separation.weight = 1.0f;
        g.separation.field_of_view = 0.0f; /* coincident agents are pushed apart whatever the view */
        throng_world *world = stage_world(&def, &g);
        throng_vec3 p[10];
        throng_agent_id ids[10];
        for (int k = 0; k < 10; k++) p[k] = (throng_vec3){-3.7f, 0.4f, 12.1f};
        stage_add(world, (uint32_t)pile, p, NULL, NULL, ids);
        if (pile == 2) {
          const throng_vec3 a = steered(world, ids[0]), b = steered(world, ids[1]);
          assert_true(a.x == -b.x && a.y == -b.y && a.z == -b.z && fabs(stage_length(a) - 3.0) < 1e-3);
          if (law != THRONG_SEPARATION_INVERSE) require_push(world, &g, ids[0], a);
        }
        for (int k = 0; k < 200; k++) stage_step(world, 0.02f);
        for (int i = 0; i < pile; i++)
          for (int j = 0; j < i; j++)
            assert_true(stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[i]),
                                       stage_read(world, THRONG_COLUMN_POSITION, ids[j])) > 1e-3);
        throng_world_destroy(world);
      }
}

/* A flock of at least three agents at one point comes apart. (A pair with equal weights stays: separation and cohesion
 * want almost the same acceleration in opposite directions.) */
static void coincident_flocks_part(void **state) {
  (void)state;
  enum { MOST = 200 };
  static const int piles[] = {3, 4, 10, MOST};
  for (size_t n = 0; n < sizeof piles / sizeof piles[0]; n++)
    for (int space = 0; space < 2; space++)
      for (int law = 0; law < 3; law++)
        for (int budget = 0; budget <= 8; budget += 8) {
          throng_world_def def = throng_default_world_def();
          def.space = (throng_space)space;
          def.separation_law = (throng_separation_law)law;
          def.neighbour_budget = (uint32_t)budget;
          throng_group_def g = stage_idle_group();
          g.separation.weight = g.cohesion.weight = g.alignment.weight = 1.0f;
          throng_world *world = stage_world(&def, &g);
          const int pile = piles[n];
          throng_vec3 p[MOST];
          for (int k = 0; k < pile; k++) p[k] = (throng_vec3){-3.7f, 0.4f, 12.1f};
          stage_add(world, (uint32_t)pile, p, NULL, NULL, NULL);
          for (int k = 0; k < 10; k++) stage_step(world, 0.02f);
          throng_error error;
          require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, (uint32_t)pile, p, 0, &error), &error);
          double least = INFINITY;
          for (int i = 0; i < pile; i++)
            for (int j = 0; j < i; j++) least = fmin(least, stage_distance(p[i], p[j]));
          if (!(least > 1e-5))
            fail_msg("space %d, law %d, budget %d, %d agents: the nearest two are %g m apart after 10 frames", space,
                     law, budget, pile, least);
          throng_world_destroy(world);
        }
}

/* A crowded square or cube of agents separates and comes to rest, with all distances at least the separation radius. */
static void separation_comes_to_rest(void **state) {
  (void)state;
  enum { AGENTS = 40 };
  test_rng rng = rng_from(base_seed);
  for (int space = 0; space < 2; space++)
    for (int law = 0; law < 3; law++) {
      throng_group_def g = stage_idle_group();
      throng_world_def def = throng_default_world_def();
      def.space = (throng_space)space;
      def.separation_law = (throng_separation_law)law;
      g.separation.weight = 1.0f;
      g.separation.radius = 0.7f;
      g.max_speed = 1.5f;
      throng_world *world = stage_world(&def, &g);
      throng_vec3 p[AGENTS], a[AGENTS];
      throng_error error;
      for (int k = 0; k < AGENTS; k++)
        p[k] = (throng_vec3){rng_float(&rng, 0, 2), rng_float(&rng, 0, 2), rng_float(&rng, 0, 2)};
      stage_add(world, AGENTS, p, NULL, NULL, NULL);
      double push = 1.0;
      for (int k = 0; k < 4000 && push > 0.0; k++) {
        stage_step(world, 0.02f);
        if (k % 50 != 0) continue;
        push = 0.0;
        require_ok(throng_world_steer(world, 0.02f, &error), &error);
        require_ok(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, NULL, AGENTS, a, 0, &error), &error);
        for (int i = 0; i < AGENTS; i++) push += stage_length(a[i]);
      }
      assert_true(push == 0.0);
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, p, 0, &error), &error);
      for (int i = 0; i < AGENTS; i++)
        for (int j = 0; j < i; j++) {
          if (space == 0) p[i].y = p[j].y = 0.0f;
          assert_true(stage_distance(p[i], p[j]) >= 0.7 * 0.999999);
        }
      throng_world_destroy(world);
    }
}

static void cohesion_and_alignment(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.cohesion.weight = 1.0f;
  g.cohesion.form = THRONG_COHESION_SEEK;
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[4] = {{5, 0, 5}, {5.5f, 9, 5}, {5, -9, 5.5f}, {50, 0, 50}},
                    v[4] = {{0, 0, 0}, {1, 0, 0.5f}, {1, 0, -0.25f}, {1, 0, 1}};
  throng_agent_id ids[4];
  throng_error error;
  stage_add(world, 4, p, v, NULL, ids);
  throng_vec3 a = steered(world, ids[0]);
  const float diagonal = 3.0f * sqrtf(0.5f);
  assert_true(fabsf(a.x - diagonal) < 1e-6f && fabsf(a.z - diagonal) < 1e-6f && a.y == 0.0f);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[3])) == 0.0); /* no neighbour */
  g.cohesion.weight = 0.0f;
  g.alignment.weight = 1.0f;
  g.alignment.time_to_target = 1.0f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  a = steered(world, ids[0]);
  assert_true(a.x == 1.0f && a.z == 0.125f); /* the mean velocity of its two neighbours */
  g.alignment.time_to_target = 0.1f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  assert_true(fabs(stage_length(steered(world, ids[0])) - 3.0) < 1e-6); /* clipped */
  throng_world_destroy(world);
}

/* Whether an agent at the origin with its facing along +z has cohesion with a neighbour at `angle` from +z. */
static bool sees(float view, double angle, bool spatial) {
  throng_group_def g = stage_idle_group();
  throng_world_def def = throng_default_world_def();
  def.space = spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
  g.cohesion.weight = 1.0f;
  g.field_of_view = view;
  throng_world *world = stage_world(&def, &g);
  const throng_vec3 p[2] = {{0, 0, 0}, {(float)(0.5 * sin(angle)), 0, (float)(0.5 * cos(angle))}};
  throng_agent_id ids[2];
  stage_add(world, 2, p, NULL, NULL, ids);
  const bool seen = stage_length(steered(world, ids[0])) > 0.0;
  throng_world_destroy(world);
  return seen;
}

static void fields_of_view(void **state) {
  (void)state;
  static const double views[] = {30, 45, 90, 180, 270, 350};
  for (int spatial = 0; spatial < 2; spatial++) {
    for (int k = 0; k < 6; k++)
      for (int side = -1; side <= 1; side += 2) {
        const float view = (float)(views[k] * PI / 180.0);
        const double half = views[k] * PI / 360.0;
        assert_true(sees(view, side * (half - 0.001), spatial != 0));
        assert_false(sees(view, side * (half + 0.001), spatial != 0));
        assert_true(sees(view, 0.0, spatial != 0));
      }
    assert_true(sees((float)(2.0 * PI), PI, spatial != 0));
    assert_true(sees(0.0f, 0.0, spatial != 0));
    assert_false(sees(0.0f, 0.01, spatial != 0));
    assert_true(sees((float)(1.5 * PI), PI * 0.5, spatial != 0)); /* at 90 degrees, where the cosine is 0 */
  }
}

/* Masks are one-way: the hare keeps away from the hound's layer, but the hound does not react to the hare. Neither
 * reacts to its own group. */
static void masks_are_one_way(void **state) {
  (void)state;
  throng_group_def hare = stage_idle_group(), hound = stage_idle_group();
  hare.layer = 31;
  hound.layer = 4;
  hare.separation.weight = hound.separation.weight = 1.0f;
  hare.separation.mask = 1u << 4;
  hound.separation.mask = 1u << 7;
  throng_world *world = stage_world(NULL, &hare);
  throng_error error;
  require_ok(throng_world_set_group(world, 200, &hound, &error), &error);
  const throng_vec3 p[4] = {{0, 0, 0}, {0.5f, 0, 0}, {10, 0, 10}, {10.5f, 0, 10}};
  const uint8_t groups[4] = {0, 200, 0, 0};
  throng_agents_def def = throng_default_agents_def();
  throng_agent_id ids[4];
  def.position.data = p;
  def.group.data = groups;
  require_ok(throng_agents_add(world, &def, 4, ids, &error), &error);
  assert_true(steered(world, ids[0]).x < 0.0f);
  assert_true(stage_length(steered(world, ids[1])) == 0.0);
  assert_true(stage_length(steered(world, ids[2])) == 0.0 && stage_length(steered(world, ids[3])) == 0.0);
  throng_world_destroy(world);
}

/* In planar worlds a difference of y has no effect (layers can separate the floors of a building); in spatial worlds it
 * has. */
static void height_counts_in_space_only(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    throng_group_def g = stage_idle_group();
    throng_world_def def = throng_default_world_def();
    def.space = (throng_space)space;
    g.cohesion.weight = 1.0f;
    throng_world *world = stage_world(&def, &g);
    const throng_vec3 p[2] = {{0, 0, 0}, {0.5f, 3, 0}};
    throng_agent_id ids[2];
    stage_add(world, 2, p, NULL, NULL, ids);
    assert_true((stage_length(steered(world, ids[0])) > 0.0) == (space == 0));
    throng_world_destroy(world);
  }
}

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
  const throng_vec3 a = steered(world, ids[0]);
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
    const throng_vec3 a = steered(world, ids[0]);
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

/* A weight scales a rule, weight 0 turns it off, and the sum is clipped. */
static void blending(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.cohesion.weight = 0.5f;
  g.cohesion.form = THRONG_COHESION_SEEK;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 0.25f);
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[2] = {{0, 0, 0}, {0.5f, 0, 0}}, goals[2] = {{0, 0, 9}, {NAN, NAN, NAN}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, NULL, goals, ids);
  throng_vec3 a = steered(world, ids[0]);
  assert_true(a.x == 1.5f && a.z == 0.75f);
  g.cohesion.weight = 0.0f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  a = steered(world, ids[0]);
  assert_true(a.x == 0.0f && a.z == 0.75f);
  g.cohesion.weight = 40.0f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 30.0f);
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  a = steered(world, ids[0]);
  assert_true(fabsf(a.x - 2.4f) < 1e-5f && fabsf(a.z - 1.8f) < 1e-5f);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_behaviours", 21);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(separation_laws),
      cmocka_unit_test(groups_have_laws_of_their_own),
      cmocka_unit_test(radii_in_body_lengths),
      cmocka_unit_test(coincident_agents_part),
      cmocka_unit_test(coincident_flocks_part),
      cmocka_unit_test(separation_comes_to_rest),
      cmocka_unit_test(cohesion_and_alignment),
      cmocka_unit_test(fields_of_view),
      cmocka_unit_test(masks_are_one_way),
      cmocka_unit_test(height_counts_in_space_only),
      cmocka_unit_test(avoidance_of_one),
      cmocka_unit_test(mirror_pairs_pass),
      cmocka_unit_test(the_first_threat_counts),
      cmocka_unit_test(the_first_of_hundreds_counts),
      cmocka_unit_test(blending),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
