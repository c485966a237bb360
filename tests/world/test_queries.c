/* tests/world/test_queries.c: tests of queries against a search over all agents, of queries from several threads, and
 * of the profile's counts of candidates and neighbours.
 * SPDX-License-Identifier: MIT */
#include "support/brute_force.h"
#include "support/check.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

static void against_brute_force(void **state) {
  (void)state;
  static const uint32_t counts[] = {0, 1, 2, 9, 100, 500};
  static const uint32_t masks[] = {THRONG_ALL_LAYERS, THRONG_ALL_LAYERS, 1u, 6u, 0x80000000u, 0u};
  uint64_t seed = base_seed;
  for (uint32_t layout = 0; layout < LAYOUT_COUNT; layout++)
    for (uint32_t space = 0; space < 2; space++)
      for (uint32_t boundary = 0; boundary < CROWD_BOUNDARIES; boundary++)
        for (uint32_t n = 0; n < 6; n++, seed++) {
          const crowd_recipe recipe = {(throng_space)space, boundary,   (crowd_layout)layout,
                                       counts[n],           n % 2 == 0, false};
          bench *b = brute_open(seed, &recipe, 1);
          test_rng rng = rng_from(seed);
          const float r = b->crowd->def.perception_radius;
          const float radii[] = {0.0f, 0.1f * r, r, 2.7f * r, 40.0f * r, 1e30f, 3.4e38f};
          for (uint32_t k = 0; k < 10; k++) {
            const throng_vec3 centre = brute_random_centre(&rng, b->crowd);
            brute_require_radius(b, centre, rng_pick(&rng, radii, 7), masks[rng_below(&rng, 6)]);
            brute_require_nearest(b, centre, 1 + rng_below(&rng, k % 2 == 0 ? 8 : 1000), masks[rng_below(&rng, 6)]);
          }
          brute_close(b);
        }
}

static void batches_are_single_queries(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 24; round++) {
    const crowd_recipe recipe = {
        (throng_space)(round % 2), round % CROWD_BOUNDARIES, (crowd_layout)(round % LAYOUT_COUNT), 400, true, false};
    bench *b = brute_open(base_seed + 400 + round, &recipe, 1 + round % 3);
    test_rng rng = rng_from(round);
    throng_vec3 centres[70];
    uint32_t counts[70];
    throng_error error;
    throng_neighbour *many = calloc(70 * 400, sizeof *many);
    if (many == NULL) abort();
    for (uint32_t q = 0; q < 70; q++) centres[q] = brute_random_centre(&rng, b->crowd);
    const float radius = b->crowd->def.perception_radius * 1.5f;
    require_ok(throng_world_query_radius_batch(b->world, centres, 70, radius, 7, many, 400, counts, &error), &error);
    for (uint32_t q = 0; q < 70; q++) {
      uint32_t count;
      require_ok(throng_world_query_radius(b->world, centres[q], radius, 7, b->found, BRUTE_MOST, &count, &error),
                 &error);
      assert_int_equal(counts[q], count);
      if (count > 0) assert_memory_equal(&many[q * 400], b->found, count * sizeof *many);
    }
    require_ok(throng_world_query_nearest_batch(b->world, centres, 70, 13, 7, many, counts, &error), &error);
    for (uint32_t q = 0; q < 70; q++) {
      uint32_t count;
      require_ok(throng_world_query_nearest(b->world, centres[q], 13, 7, b->found, &count, &error), &error);
      assert_int_equal(counts[q], count);
      if (count > 0) assert_memory_equal(&many[q * 13], b->found, count * sizeof *many);
    }
    require_ok(throng_world_query_radius_batch(b->world, centres, 0, radius, 7, many, 400, counts, &error), &error);
    free(many);
    brute_close(b);
  }
}

/* If one result of a batch does not fit, the batch still returns all counts and the other results. */
static void a_batch_that_does_not_fit(void **state) {
  (void)state;
  const throng_vec3 p[6] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {5, 0, 5}, {5, 0, 5}, {9, 0, 9}};
  throng_world_def def = throng_default_world_def();
  throng_agents_def agents = throng_default_agents_def();
  throng_world *world = NULL;
  throng_error error;
  def.thread_count = 2;
  agents.position = (throng_span){p, 0};
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_agents_add(world, &agents, 6, NULL, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  const throng_vec3 centres[4] = {{0, 0, 0}, {5, 0, 5}, {9, 0, 9}, {20, 0, 20}};
  throng_neighbour found[8];
  uint32_t counts[4] = {77, 77, 77, 77};
  require_error(throng_world_query_radius_batch(world, centres, 4, 1.0f, 1, found, 2, counts, &error),
                THRONG_ERROR_CAPACITY, &error);
  assert_true(counts[0] == 3 && counts[1] == 2 && counts[2] == 1 && counts[3] == 0);
  assert_true(found[2].distance == 0.0f && found[3].distance == 0.0f && found[2].id.index < found[3].id.index);
  assert_true(found[4].distance == 0.0f);
  throng_world_destroy(world);
}

/* The distances of both agents round to 1 m, which is half of R; the nearer one has the larger id. */
static void ties_at_the_edge_of_a_search(void **state) {
  (void)state;
  const throng_vec3 p[2] = {{1, 0, 0.00034526698f}, {1, 0, 0}}, centre = {0, 0, 0};
  throng_world_def def = throng_default_world_def();
  const throng_group_def g = throng_default_group_def();
  throng_agent_id ids[2];
  throng_neighbour found[2];
  throng_error error;
  uint32_t count;
  def.perception_radius = 2.0f;
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 2, p, NULL, NULL, ids);
  require_ok(throng_world_index(world, &error), &error);
  for (uint32_t k = 1; k <= 2; k++) {
    require_ok(throng_world_query_nearest(world, centre, k, THRONG_ALL_LAYERS, found, &count, &error), &error);
    assert_true(count == k && found[0].distance == 1.0f && throng_agent_id_equal(found[0].id, ids[0]));
  }
  throng_world_destroy(world);
}

static void wrong_questions(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_world *world = NULL;
  throng_error error;
  def.thread_count = 1;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  require_ok(throng_world_create(&def, &world, &error), &error);
  throng_neighbour found[4];
  uint32_t count = 0;
  const throng_vec3 ok = {1, 0, 1}, nan = {1, 0, NAN}, inf = {INFINITY, 0, 1}, outside = {3e6f, 0, 1};
  static const struct {
    float radius;
    throng_status status;
  } radii[] = {{-1.0f, THRONG_ERROR_BAD_VALUE},
               {NAN, THRONG_ERROR_NOT_FINITE},
               {INFINITY, THRONG_ERROR_NOT_FINITE},
               {-INFINITY, THRONG_ERROR_NOT_FINITE}};
  for (uint32_t k = 0; k < 4; k++) {
    require_error(throng_world_query_radius(world, ok, radii[k].radius, 1, found, 4, &count, &error), radii[k].status,
                  &error);
    require_error(throng_world_query_radius_batch(world, &ok, 1, radii[k].radius, 1, found, 4, &count, &error),
                  radii[k].status, &error);
  }
  require_error(throng_world_query_radius(world, nan, 1, 1, found, 4, &count, &error), THRONG_ERROR_NOT_FINITE, &error);
  require_error(throng_world_query_radius(world, inf, 1, 1, found, 4, &count, &error), THRONG_ERROR_NOT_FINITE, &error);
  require_error(throng_world_query_radius(world, outside, 1, 1, found, 4, &count, &error), THRONG_ERROR_OUT_OF_RANGE,
                &error);
  require_error(throng_world_query_nearest(world, ok, 0, 1, found, &count, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_query_nearest(world, nan, 1, 1, found, &count, &error), THRONG_ERROR_NOT_FINITE, &error);
  require_error(throng_world_query_nearest(world, outside, 1, 1, found, &count, &error), THRONG_ERROR_OUT_OF_RANGE,
                &error);
  require_error(throng_world_query_nearest_batch(world, &nan, 1, 1, 1, found, &count, &error), THRONG_ERROR_NOT_FINITE,
                &error);
  require_error(throng_world_query_nearest_batch(world, &ok, 1, 0, 1, found, &count, &error), THRONG_ERROR_BAD_VALUE,
                &error);
  throng_world_destroy(world);
}

static void require_dirty(throng_world *world, throng_status expected) {
  throng_error error;
  throng_neighbour found[40];
  uint32_t counts[2];
  const throng_vec3 centres[2] = {{1, 0, 1}, {2, 0, 2}};
  const throng_status status[4] = {throng_world_query_radius(world, centres[0], 1, 1, found, 40, counts, &error),
                                   throng_world_query_nearest(world, centres[0], 3, 1, found, counts, &error),
                                   throng_world_query_radius_batch(world, centres, 2, 1, 1, found, 20, counts, &error),
                                   throng_world_query_nearest_batch(world, centres, 2, 3, 1, found, counts, &error)};
  for (uint32_t k = 0; k < 4; k++) assert_int_equal(status[k], expected);
  assert_true(throng_world_is_indexed(world) == (expected == THRONG_OK));
}

static void dirty_worlds_do_not_answer(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_agents_def agents = throng_default_agents_def();
  const throng_vec3 p[3] = {{1, 0, 1}, {2, 0, 2}, {3, 0, 3}};
  throng_agent_id id[3];
  throng_world *world = NULL;
  throng_error error;
  throng_edit edit;
  def.thread_count = 1;
  agents.position = (throng_span){p, 0};
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_dirty(world, THRONG_OK);
  require_ok(throng_agents_add(world, &agents, 3, id, &error), &error);
  require_dirty(world, THRONG_ERROR_NOT_INDEXED);
  require_ok(throng_world_index(world, &error), &error);
  require_dirty(world, THRONG_OK);
  require_ok(throng_agents_remove(world, &id[1], 1, &error), &error);
  require_dirty(world, THRONG_OK); /* one change is never too many */
  require_ok(throng_agents_remove(world, &id[2], 1, &error), &error);
  require_dirty(world, THRONG_ERROR_NOT_INDEXED);
  require_ok(throng_world_step(world, 0.1f, &error), &error);
  require_dirty(world, THRONG_OK);
  require_ok(throng_agents_write(world, THRONG_COLUMN_POSITION, &id[0], 1, p, 0, &error), &error);
  require_dirty(world, THRONG_ERROR_NOT_INDEXED);
  require_ok(throng_world_index(world, &error), &error);
  require_ok(throng_world_edit(world, &edit, &error), &error);
  require_dirty(world, THRONG_ERROR_NOT_INDEXED);
  require_ok(throng_world_index(world, &error), &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  require_dirty(world, THRONG_OK);
  require_ok(throng_world_integrate(world, 0.1f, &error), &error);
  require_dirty(world, THRONG_OK);
  throng_world_destroy(world);
}

/* One of several threads that read the same world. The first reads by id after a step rebuild the id table, which all
 * threads may do at the same time. */
typedef struct reader {
  const throng_world *world;
  const crowd *crowd;
  uint32_t seed;
  uint64_t sum; /* a hash of all query results */
  uint32_t failures;
} reader;

static void *read_world(void *argument) {
  reader *r = argument;
  test_rng rng = rng_from(r->seed);
  throng_neighbour found[64];
  for (uint32_t k = 0; k < 200; k++) {
    const crowd_agent *a = &r->crowd->agents[rng_below(&rng, r->crowd->count)];
    throng_vec3 p = {0.0f, 0.0f, 0.0f};
    uint32_t count = 0, bits;
    r->failures += throng_agents_read(r->world, THRONG_COLUMN_POSITION, &a->id, 1, &p, 0, NULL) != THRONG_OK;
    r->failures += !throng_agents_is_valid(r->world, a->id);
    r->failures += throng_world_query_nearest(r->world, p, 5, THRONG_ALL_LAYERS, found, &count, NULL) != THRONG_OK;
    for (uint32_t n = 0; n < count; n++) {
      memcpy(&bits, &found[n].distance, sizeof bits);
      r->sum = r->sum * 31 + found[n].id.index + bits;
    }
    r->failures +=
        throng_world_query_radius(r->world, p, r->crowd->def.perception_radius, 1u, NULL, 0, &count, NULL) != THRONG_OK;
    r->sum = r->sum * 31 + count;
  }
  return NULL;
}

static void many_threads_may_ask_at_once(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 20; round++) {
    const crowd_recipe recipe = {
        (throng_space)(round % 2), round % CROWD_BOUNDARIES, LAYOUT_UNIFORM, 500, round % 4 < 2, false};
    bench *b = brute_open(base_seed + 800 + round, &recipe, 2);
    throng_error error;
    pthread_t threads[4];
    reader together[4], alone[4];
    require_ok(throng_world_step(b->world, 0.01f, &error), &error);
    for (uint32_t k = 0; k < 4; k++) {
      together[k] = alone[k] = (reader){b->world, b->crowd, round * 4 + k, 0, 0};
      assert_int_equal(pthread_create(&threads[k], NULL, read_world, &together[k]), 0);
    }
    for (uint32_t k = 0; k < 4; k++) pthread_join(threads[k], NULL);
    for (uint32_t k = 0; k < 4; k++) {
      read_world(&alone[k]);
      assert_true(together[k].failures == 0 && alone[k].failures == 0 && together[k].sum == alone[k].sum);
    }
    brute_close(b);
  }
}

/* Steps a world. Returns NULL, or the argument if a step failed. Several threads run it, each with its own world. */
static void *run_world(void *argument) {
  throng_world *world = argument;
  for (uint32_t frame = 0; frame < 10; frame++)
    if (throng_world_step(world, 0.02f, NULL) != THRONG_OK) return argument;
  return NULL;
}

static void many_threads_may_have_worlds(void **state) {
  (void)state;
  const crowd_recipe recipe = {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, LAYOUT_UNIFORM, 700, true, false};
  crowd *c = crowd_random(base_seed + 950, &recipe);
  throng_world *worlds[4];
  pthread_t threads[4];
  for (uint32_t k = 0; k < 4; k++) {
    const crowd_world_options options = {.threads = 1 + k % 2};
    worlds[k] = crowd_world(c, &options);
    assert_int_equal(pthread_create(&threads[k], NULL, run_world, worlds[k]), 0);
  }
  for (uint32_t k = 0; k < 4; k++) {
    void *failed = NULL;
    pthread_join(threads[k], &failed);
    assert_null(failed);
  }
  for (uint32_t k = 1; k < 4; k++)
    assert_true(throng_world_hash(worlds[k], STATE_COLUMNS) == throng_world_hash(worlds[0], STATE_COLUMNS));
  for (uint32_t k = 0; k < 4; k++) throng_world_destroy(worlds[k]);
  crowd_free(c);
}

/* The profile's number of neighbours is that of all pairs of agents within the perception radius. */
static void the_profile_counts_neighbours(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 12; round++) {
    const crowd_recipe recipe = {(throng_space)(round % 2), round % CROWD_BOUNDARIES, LAYOUT_UNIFORM, 300, true, false};
    crowd *c = crowd_random(base_seed + 700 + round, &recipe);
    c->def.neighbour_budget = 0; /* with a budget a representative counts as one neighbour */
    c->groups[0].separation.weight = 1.0f;
    const crowd_world_options options = {.threads = 1 + round % 2, .profile = true};
    throng_world *world = crowd_world(c, &options);
    throng_error error;
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < c->count; i++) {
      const float r = crowd_perception(c, &c->agents[i]);
      for (uint32_t j = 0; j < c->count; j++)
        pairs += j != i && brute_squared_distance(c, c->agents[i].position, c->agents[j].position) <= r * r;
    }
    require_ok(throng_world_step(world, 0.0f, &error), &error);
    throng_profile profile;
    require_ok(throng_world_get_profile(world, &profile, &error), &error);
    assert_true(profile.frames == 1 && profile.agent_updates == 300);
    if (profile.neighbours_found != pairs)
      print_error("seed %" PRIu64 ": %" PRIu64 " neighbours, expected %" PRIu64 "\n", c->seed, profile.neighbours_found,
                  pairs);
    assert_true(profile.neighbours_found == pairs);
    assert_true(profile.candidates_tested >= pairs);
    require_ok(throng_world_reset_profile(world, &error), &error);
    require_ok(throng_world_get_profile(world, &profile, &error), &error);
    assert_true(profile.frames == 0 && profile.neighbours_found == 0);
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* Blocks with coincident agents read candidates twice. The profile counts each candidate once. */
static void the_profile_counts_candidates_once(void **state) {
  (void)state;
  enum { AGENTS = 60 };
  uint64_t tested[2];
  for (int apart = 0; apart < 2; apart++) {
    throng_world_def def = throng_default_world_def();
    def.profile = true;
    throng_world *world = NULL;
    throng_error error;
    require_ok(throng_world_create(&def, &world, &error), &error);
    throng_vec3 p[AGENTS];
    for (int k = 0; k < AGENTS; k++) p[k] = (throng_vec3){0.37f * (float)(k % 8), 0.0f, 0.37f * (float)(k / 8)};
    p[AGENTS - 1] = p[20];
    p[AGENTS - 1].x += 0.001f * (float)apart;
    throng_agents_def agents = throng_default_agents_def();
    agents.position.data = p;
    require_ok(throng_agents_add(world, &agents, AGENTS, NULL, &error), &error);
    require_ok(throng_world_step(world, 0.0f, &error), &error);
    throng_profile profile;
    require_ok(throng_world_get_profile(world, &profile, &error), &error);
    tested[apart] = profile.candidates_tested;
    throng_world_destroy(world);
  }
  assert_true(tested[0] == tested[1] && tested[0] > AGENTS);
}

/* Returns the number of candidates per neighbour in a random flock in which agents have about 20 neighbours. The flock
 * fills a square or cube whose lower corner has the coordinates `least` times its side. */
static double candidates_of_flock(throng_space space, uint32_t count, float least, throng_isa isa) {
  enum { AGENTS = 8000 };
  throng_world_def def = throng_default_world_def();
  def.space = space;
  def.isa = isa;
  def.profile = true;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  const bool spatial = space == THRONG_SPACE_SPATIAL;
  const float per_agent = (spatial ? 4.0f / 3.0f : 1.0f) * 3.14159265f / 20.0f; /* R is 1 */
  const float side = spatial ? cbrtf(per_agent * (float)count) : sqrtf(per_agent * (float)count);
  const float low = least * side, high = low + side;
  static throng_vec3 p[AGENTS];
  assert_true(count <= AGENTS);
  test_rng rng = rng_from(base_seed + 900);
  for (uint32_t k = 0; k < count; k++) {
    p[k].x = rng_float(&rng, low, high);
    p[k].y = spatial ? rng_float(&rng, low, high) : 0.0f;
    p[k].z = rng_float(&rng, low, high);
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = p;
  require_ok(throng_agents_add(world, &agents, count, NULL, &error), &error);
  require_ok(throng_world_step(world, 0.0f, &error), &error);
  throng_profile profile;
  require_ok(throng_world_get_profile(world, &profile, &error), &error);
  throng_world_destroy(world);
  return (double)profile.candidates_tested / (double)profile.neighbours_found;
}

/* The end of the torus crosses a flock that lies on both sides of 0. That must not add many candidates. */
static void flocks_anywhere_test_as_many(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    const double beside = candidates_of_flock((throng_space)space, 4000, 0.3f, THRONG_ISA_AUTO);
    for (float least = -0.9f; least < 0.0f; least += 0.2f) {
      const double across = candidates_of_flock((throng_space)space, 4000, least, THRONG_ISA_AUTO);
      if (across > 1.3 * beside)
        fail_msg("seed %" PRIu64
                 ", space %d: %g candidates per neighbour if the flock begins at %g of its side, %g if at 0.3",
                 base_seed, space, across, (double)least, beside);
    }
  }
}

/* Whatever the size of a flock, its rows must not share torus cells, which would add candidates. */
static void flocks_of_any_size_test_as_many(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    const double wanted = candidates_of_flock((throng_space)space, 8000, 0.3f, THRONG_ISA_BASELINE);
    for (uint32_t count = 2000; count < 8000; count += 500) {
      const double got = candidates_of_flock((throng_space)space, count, 0.3f, THRONG_ISA_BASELINE);
      if (got > 1.1 * wanted)
        fail_msg("seed %" PRIu64 ", space %d: %g candidates per neighbour for %u agents, %g for 8000", base_seed, space,
                 got, count, wanted);
    }
  }
}

int main(void) {
  base_seed = test_seed("test_queries", 5150);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(against_brute_force),
      cmocka_unit_test(batches_are_single_queries),
      cmocka_unit_test(a_batch_that_does_not_fit),
      cmocka_unit_test(ties_at_the_edge_of_a_search),
      cmocka_unit_test(wrong_questions),
      cmocka_unit_test(dirty_worlds_do_not_answer),
      cmocka_unit_test(the_profile_counts_neighbours),
      cmocka_unit_test(the_profile_counts_candidates_once),
      cmocka_unit_test(flocks_anywhere_test_as_many),
      cmocka_unit_test(flocks_of_any_size_test_as_many),
      cmocka_unit_test(many_threads_may_ask_at_once),
      cmocka_unit_test(many_threads_may_have_worlds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
