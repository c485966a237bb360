/* tests/grid/test_budget.c: checks that the neighbour budget bounds the cost of a dense crowd, that its estimates have
 * no bias, and that it changes nothing in sparse parts.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/jobs.h"
#include "support/random.h"

#include <throng/throng.h>

#define FLOCK 4000u
#define CLUMP 700u
#define STRAYS 8u

typedef struct setting {
  uint32_t budget;
  throng_space space;
  throng_isa isa;
  uint32_t threads;
  float strength; /* of separation */
  const throng_job_system *jobs;
  bool strays; /* adds STRAYS agents so far away that torus cells hold agents of several true cells */
} setting;

static throng_world *new_world(const setting *s) {
  throng_world_def def = throng_default_world_def();
  def.space = s->space;
  def.neighbour_budget = s->budget;
  def.isa = s->isa;
  def.thread_count = s->threads ? s->threads : 1;
  def.profile = true;
  if (s->jobs) def.jobs = *s->jobs;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  throng_group_def group = throng_default_group_def();
  group.separation.strength = s->strength > 0.0f ? s->strength : 0.05f;
  group.cohesion.weight = 0.1f;
  group.avoidance.weight = 0.5f;
  require_ok(throng_world_set_group(world, 0, &group, &error), &error);
  return world;
}

/* Adds `count` agents in a box of `side` metres around (at, at, at). In an empty world their id indices are 1 to
 * count. */
static void add_box_at(throng_world *world, uint32_t count, float side, float at, uint64_t seed) {
  const bool spatial = throng_world_get_def(world).space == THRONG_SPACE_SPATIAL;
  test_rng rng = rng_from(seed);
  float(*p)[3] = calloc(count, sizeof *p), (*v)[3] = calloc(count, sizeof *v);
  assert_true(p && v);
  for (uint32_t k = 0; k < count; k++)
    for (int c = 0; c < 3; c++) {
      if (c == 1 && !spatial) continue;
      p[k][c] = at + rng_float(&rng, -0.5f, 0.5f) * side;
      v[k][c] = rng_float(&rng, -1.0f, 1.0f);
    }
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = p;
  agents.velocity.data = v;
  throng_error error;
  require_ok(throng_agents_add(world, &agents, count, NULL, &error), &error);
  free(p);
  free(v);
}

static void add_box(throng_world *world, uint32_t count, float side, uint64_t seed) {
  add_box_at(world, count, side, 0.0f, seed);
}

static void add_strays(throng_world *world) {
  for (uint32_t k = 0; k < STRAYS; k++) {
    const float p[3] = {(k & 1 ? 1.0f : -1.0f) * (3000.0f + 700.0f * (float)k), 0.0f, k & 2 ? 2500.5f : -4100.25f};
    throng_agents_def agents = throng_default_agents_def();
    agents.position.data = p;
    throng_error error;
    require_ok(throng_agents_add(world, &agents, 1, NULL, &error), &error);
  }
}

static void step_all(throng_world *world, uint32_t frames, float dt) {
  throng_error error;
  for (uint32_t k = 0; k < frames; k++) require_ok(throng_world_step(world, dt, &error), &error);
}

static uint64_t hash_floats(uint64_t hash, const float *values, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    uint32_t bits;
    memcpy(&bits, &values[k], sizeof bits);
    hash = (hash ^ bits) * 1099511628211u;
  }
  return hash;
}

/* Returns a hash of positions and velocities of the agents with id indices 1 to CLUMP, after `frames` frames. */
static uint64_t clump_bits(const setting *s, float side, uint32_t frames) {
  throng_world *world = new_world(s);
  add_box(world, CLUMP, side, 3);
  if (s->strays) add_strays(world);
  step_all(world, frames, 0.02f);
  static float column[2][CLUMP + STRAYS][3];
  throng_error error;
  const uint32_t count = CLUMP + (s->strays ? STRAYS : 0);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, count, column[0], 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, count, column[1], 0, &error), &error);
  require_sound(world, "a clump");
  throng_world_destroy(world);
  uint64_t hash = 14695981039346656037u;
  for (int c = 0; c < 2; c++) hash = hash_floats(hash, column[c][0], 3 * CLUMP);
  return hash;
}

/* A budget of 32 must not change a flock with about 20 neighbours per agent. */
static void sparse_crowds_stay_exact(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    uint64_t hash[2];
    throng_profile profile[2];
    for (int with = 0; with < 2; with++) {
      const setting s = {.budget = with ? 32 : 0, .space = (throng_space)space};
      throng_world *world = new_world(&s);
      add_box(world, FLOCK, space ? 9.4f : 25.1f, 1);
      step_all(world, 60, 1.0f / 60.0f);
      hash[with] = throng_world_hash(world, 0);
      assert_int_equal(throng_world_get_profile(world, &profile[with], NULL), THRONG_OK);
      throng_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(profile[0].candidates_tested == profile[1].candidates_tested);
    assert_true(profile[0].neighbours_found > 12ull * FLOCK * 60);
  }
}

/* The bits of a flock that does not perceive the clump must not change, although the clump has representatives. */
static void only_the_clump_changes(void **state) {
  (void)state;
  static float p[2][FLOCK + CLUMP][3];
  for (int with = 0; with < 2; with++) {
    const setting s = {.budget = with ? 32 : 0};
    throng_world *world = new_world(&s);
    add_box(world, FLOCK, 25.1f, 1);
    throng_error error;
    for (uint32_t k = 0; k < CLUMP; k++) {
      const float at[3] = {40.0f + 0.001f * (float)(k % 30), 0.0f, 0.002f * (float)(k / 30)};
      throng_agents_def agents = throng_default_agents_def();
      agents.position.data = at;
      require_ok(throng_agents_add(world, &agents, 1, NULL, &error), &error);
    }
    step_all(world, 30, 1.0f / 60.0f);
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, FLOCK + CLUMP, p[with], 0, &error), &error);
    throng_world_destroy(world);
  }
  assert_memory_equal(p[0], p[1], FLOCK * sizeof p[0][0]);
  assert_memory_not_equal(p[0][FLOCK], p[1][FLOCK], CLUMP * sizeof p[0][0]);
}

/* Returns the profile of two frames of a box in which agents hardly move. */
static throng_profile profile_of_box(const setting *s, uint32_t agents, float side, float at) {
  throng_world *world = new_world(s);
  add_box_at(world, agents, side, at, 2);
  step_all(world, 2, 1e-6f);
  throng_profile profile;
  assert_int_equal(throng_world_get_profile(world, &profile, NULL), THRONG_OK);
  throng_world_destroy(world);
  return profile;
}

/* With a budget, the mean number of candidates per agent must have a bound that holds for every size of the clump. */
static void cost_is_bounded(void **state) {
  (void)state;
  const uint32_t budget = 16, agents = 5000;
  for (int space = 0; space < 2; space++)
    for (float side = 1e-3f; side < 10.0f; side *= 2.7f) {
      const setting s = {.budget = budget, .space = (throng_space)space};
      const throng_profile profile = profile_of_box(&s, agents, side, 0.0f);
      const double mean = (double)profile.candidates_tested / (double)profile.agent_updates;
      if (mean > 8.0 * budget + (space ? 81.0 : 27.0))
        fail_msg("side %g m: %g candidates per agent", (double)side, mean);
    }
}

/* In a clump smaller than a bin, the mean number of neighbours must be about twice the budget, whether the clump is
 * within one grid cell or at a corner where several meet. */
static void small_clumps_have_twice_the_budget(void **state) {
  (void)state;
  const uint32_t budget = 16, agents = 2000;
  for (int space = 0; space < 2; space++)
    for (int within = 0; within < 2; within++)
      for (float side = 1e-4f; side < 0.1f; side *= 2.7f) {
        const setting s = {.budget = budget, .space = (throng_space)space};
        const throng_profile profile = profile_of_box(&s, agents, side, within ? 0.375f : 0.0f);
        const double mean = (double)profile.neighbours_found / (double)profile.agent_updates;
        /* Each cell rounds its number of representatives up, by at most 1; the -1 below is the agent itself. */
        const double cells = within ? 0.0 : space ? 8.0 : 4.0;
        if (mean < 2.0 * budget - 1.0 || mean > 2.0 * budget + cells)
          fail_msg("side %g m, within one bin: %d, %g neighbours per agent", (double)side, within, mean);
      }
}

/* Steps two clumps with alternating ids. If the second is 4096 R away in x and in z, the torus wraps, and both clumps
 * share torus cells. Returns a hash of the first clump's positions, and the number of candidates tested. */
static uint64_t twin_bits(const setting *s, float away_x, float away_z, uint64_t *tested) {
  enum { ALL = 2 * CLUMP };
  static float p[ALL][3], moved[ALL][3];
  throng_world *world = new_world(s);
  test_rng rng = rng_from(12);
  for (uint32_t k = 0; k < ALL; k++) {
    for (int c = 0; c < 3; c++)
      p[k][c] = c == 1 && s->space == THRONG_SPACE_PLANAR ? 0.0f : rng_float(&rng, -0.6f, 0.6f);
    if (k % 2 == 0) continue;
    p[k][0] += away_x;
    p[k][2] += away_z;
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = p;
  throng_error error;
  require_ok(throng_agents_add(world, &agents, ALL, NULL, &error), &error);
  step_all(world, 20, 0.02f);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, ALL, moved, 0, &error), &error);
  throng_profile profile;
  assert_int_equal(throng_world_get_profile(world, &profile, NULL), THRONG_OK);
  *tested = profile.candidates_tested;
  require_sound(world, "twin clumps");
  throng_world_destroy(world);
  uint64_t hash = 14695981039346656037u;
  for (uint32_t k = 0; k < ALL; k += 2) hash = hash_floats(hash, moved[k], 3);
  return hash;
}

/* The bits of a clump that shares torus cells with another must not change, although agents of both are candidates. */
static void folded_clumps(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++)
    for (uint32_t threads = 1; threads <= 3; threads++) {
      const setting s = {.budget = 8, .space = (throng_space)space, .threads = threads};
      uint64_t apart, folded;
      assert_true(twin_bits(&s, 12.0f, 0.0f, &apart) == twin_bits(&s, 4096.0f, 4096.0f, &folded));
      assert_true(2 * folded > 3 * apart);
    }
}

static void same_bits_everywhere(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    const setting first = {.budget = 8, .space = (throng_space)space, .isa = THRONG_ISA_BASELINE};
    if (!throng_isa_is_available(THRONG_ISA_BASELINE)) skip();
    const uint64_t expected = clump_bits(&first, 1.3f, 40);
    const setting exact = {.space = (throng_space)space};
    assert_true(clump_bits(&exact, 1.3f, 40) != expected); /* the budget has an effect */
    for (int isa = THRONG_ISA_AUTO; isa < THRONG_ISA_COUNT; isa++) {
      if (!throng_isa_is_available((throng_isa)isa)) continue;
      for (uint32_t threads = 1; threads <= 3; threads++) {
        setting s = {.budget = 8, .space = (throng_space)space, .isa = (throng_isa)isa, .threads = threads};
        assert_true(clump_bits(&s, 1.3f, 40) == expected);
        s.strays = true; /* another torus, whose cells hold agents of several true cells */
        assert_true(clump_bits(&s, 1.3f, 40) == expected);
      }
    }
    test_jobs jobs = {.worker_count = 4, .rng = rng_from(9)};
    const throng_job_system system = test_job_system(&jobs);
    const setting s = {.budget = 8, .space = (throng_space)space, .threads = 4, .jobs = &system};
    assert_true(clump_bits(&s, 1.3f, 40) == expected);
  }
}

enum { STILL = 400 };

/* Computes the accelerations of a clump that does not move: of the last frame, and their mean over all frames. The
 * separation is too weak to be clipped. */
static void still_clump(uint32_t budget, int frames, float once[STILL][3], double mean[STILL][3]) {
  const setting s = {.budget = budget};
  throng_world *world = new_world(&s);
  throng_group_def group = throng_default_group_def();
  group.separation.strength = 1e-5f;
  group.cohesion.weight = group.alignment.weight = 0.0f;
  group.when_target_lost = THRONG_WHEN_LOST_COAST; /* an idle group's separation is short */
  throng_error error;
  require_ok(throng_world_set_group(world, 0, &group, &error), &error);
  add_box(world, STILL, 0.8f, 6);
  for (int frame = 0; frame < frames; frame++) {
    require_ok(throng_world_steer(world, 0.0f, &error), &error);
    require_ok(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, NULL, STILL, once, 0, &error), &error);
    require_ok(throng_world_integrate(world, 0.0f, &error), &error);
    for (uint32_t k = 0; k < STILL; k++)
      for (int c = 0; c < 3; c++) mean[k][c] += (double)once[k][c] / frames;
  }
  throng_world_destroy(world);
}

/* Separation is linear in its sum, so the mean over frames must approach the exact acceleration although one frame has
 * an error. */
static void estimates_have_no_bias(void **state) {
  (void)state;
  static const struct {
    uint32_t budget;
    double least, most; /* bounds on the relative error of one frame */
  } cases[] = {{4, 0.3, 0.8}, {32, 0.05, 0.35}};
  static float once[STILL][3];
  static double exact[STILL][3], mean[STILL][3];
  still_clump(0, 1, once, exact);
  for (size_t which = 0; which < sizeof cases / sizeof cases[0]; which++) {
    enum { FRAMES = 3000 };
    memset(mean, 0, sizeof mean);
    still_clump(cases[which].budget, FRAMES, once, mean);
    double off = 0.0, size = 0.0, one_frame = 0.0;
    for (uint32_t k = 0; k < STILL; k++)
      for (int c = 0; c < 3; c += 2) {
        off += fabs(mean[k][c] - exact[k][c]);
        one_frame += fabs((double)once[k][c] - exact[k][c]);
        size += fabs(exact[k][c]);
      }
    print_message("budget %u: relative error of the mean of %d frames %.5f, of one frame %.3f\n", cases[which].budget,
                  FRAMES, off / size, one_frame / size);
    assert_true(one_frame > cases[which].least * size && one_frame < cases[which].most * size);
    assert_true(off < 0.003 * size);
  }
}

static double spread(const throng_world *world, uint32_t count) {
  static float p[CLUMP][3];
  assert_int_equal(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, count, p, 0, NULL), THRONG_OK);
  double sum = 0.0;
  for (uint32_t k = 0; k < count; k++) sum += (double)(p[k][0] * p[k][0] + p[k][2] * p[k][2]);
  return sqrt(sum / count);
}

/* A clump must spread with a budget about as far as without one. */
static void dense_crowds_separate(void **state) {
  (void)state;
  double open[2];
  for (int with = 0; with < 2; with++) {
    const setting s = {.budget = with ? 32 : 0};
    throng_world *world = new_world(&s);
    add_box(world, CLUMP, 0.7f, 7);
    const double before = spread(world, CLUMP);
    step_all(world, 180, 1.0f / 60.0f);
    open[with] = spread(world, CLUMP);
    assert_true(open[with] > 2.0 * before);
    throng_world_destroy(world);
  }
  print_message("root mean square distance after 3 s: %.3f m, without a budget %.3f m\n", open[1], open[0]);
  assert_true(fabs(open[1] - open[0]) < 0.1 * open[0]);
}

static void bad_budgets(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_world *world = NULL;
  throng_error error;
  def.neighbour_budget = (1u << 24) + 1;
  require_error(throng_world_create(&def, &world, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "neighbour_budget"));
  assert_null(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sparse_crowds_stay_exact),
      cmocka_unit_test(only_the_clump_changes),
      cmocka_unit_test(cost_is_bounded),
      cmocka_unit_test(small_clumps_have_twice_the_budget),
      cmocka_unit_test(folded_clumps),
      cmocka_unit_test(same_bits_everywhere),
      cmocka_unit_test(estimates_have_no_bias),
      cmocka_unit_test(dense_crowds_separate),
      cmocka_unit_test(bad_budgets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
