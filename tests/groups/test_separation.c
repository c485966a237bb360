/* test_separation.c: tests of separation: its laws, its radii, and agents at one point. test_neighbour_forms.c tests
 * its other forms. SPDX-License-Identifier: MIT */
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

static uint64_t base_seed;

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
        const throng_vec3 a = stage_steered(world, ids[0]), b = stage_steered(world, ids[1]);
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
  for (int k = 0; k < 3; k++) a[k] = stage_steered(world, ids[2 * k]);
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
    a[bodies] = stage_steered(world, ids[0]);
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
    const throng_vec3 b = stage_steered(world, id);
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
          const throng_vec3 a = stage_steered(world, ids[0]), b = stage_steered(world, ids[1]);
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

int main(void) {
  base_seed = test_seed("test_separation", 21);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(separation_laws),        cmocka_unit_test(groups_have_laws_of_their_own),
      cmocka_unit_test(radii_in_body_lengths),  cmocka_unit_test(coincident_agents_part),
      cmocka_unit_test(coincident_flocks_part), cmocka_unit_test(separation_comes_to_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
