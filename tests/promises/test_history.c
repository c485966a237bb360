/* tests/promises/test_history.c: agents with the same ids and state must continue with the same bits, in whatever way
 * the world came to that state: by another order of adding, with agents that were removed since, another capacity,
 * earlier origins, or columns written late. Queries of other threads between steps, other worlds and the program's
 * locale must have no effect either.
 * SPDX-License-Identifier: MIT */
#include "support/fingerprint.h"
#include "support/full.h"
#include "support/random.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 20u
#define DT (1.0f / 48.0f)

static uint64_t base_seed;

static throng_agent_id id_of(uint32_t k) { return (throng_agent_id){10 + 3 * k, (uint16_t)(5 + k), FULL_WORLD_ID}; }

/* Adds only agent k of full.h, with this id. */
static void add_agent(throng_world *world, uint32_t k, throng_agent_id id) {
  const throng_agents_def all = full_agents(FULL_AGENTS);
  throng_agents_def def = all;
  throng_error error;
  def.position.data = (const throng_vec3 *)all.position.data + k;
  def.velocity.data = (const throng_vec3 *)all.velocity.data + k;
  def.goal.data = (const throng_vec3 *)all.goal.data + k;
  def.group.data = (const uint8_t *)all.group.data + k;
  def.perception_radius.data = def.body_radius.data = (const float *)all.body_radius.data + k;
  def.mass.data = (const float *)all.mass.data + k;
  def.max_speed.data = (const float *)all.max_speed.data + k;
  require_ok(throng_agents_add_with_ids(world, &def, 1, &id, &error), &error);
}

static void add_all(throng_world *world) {
  const throng_agents_def def = full_agents(FULL_AGENTS);
  throng_agent_id ids[FULL_AGENTS];
  throng_error error;
  for (uint32_t k = 0; k < FULL_AGENTS; k++) ids[k] = id_of(k);
  require_ok(throng_agents_add_with_ids(world, &def, FULL_AGENTS, ids, &error), &error);
}

static void remove_agent(throng_world *world, throng_agent_id id) {
  throng_error error;
  require_ok(throng_agents_remove(world, &id, 1, &error), &error);
}

/* Adds the agents one by one in random order, and indexes the world in between. */
static void one_by_one(throng_world *world, test_rng *rng) {
  uint32_t order[FULL_AGENTS];
  rng_shuffle(rng, order, FULL_AGENTS);
  for (uint32_t k = 0; k < FULL_AGENTS; k++) {
    add_agent(world, order[k], id_of(order[k]));
    if (rng_chance(rng, 0.1f)) throng_world_index(world, NULL);
  }
}

/* Adds the agents together with extra ones and removes the extra ones. Removes some agents and adds them again. */
static void among_strangers(throng_world *world, test_rng *rng) {
  for (uint32_t k = 0; k < FULL_AGENTS; k++) {
    add_agent(world, k, id_of(k));
    add_agent(world, FULL_AGENTS - 1 - k, (throng_agent_id){1000 + k, 1, FULL_WORLD_ID});
  }
  throng_world_index(world, NULL);
  for (uint32_t k = 0; k < FULL_AGENTS; k++) {
    remove_agent(world, (throng_agent_id){1000 + k, 1, FULL_WORLD_ID});
    if (!rng_chance(rng, 0.3f)) continue;
    remove_agent(world, id_of(k));
    add_agent(world, k, id_of(k));
  }
}

/* Shifts the origin and shifts it back, before or after adding the agents. */
static void shifted(throng_world *world, test_rng *rng) {
  throng_error error;
  const bool late = rng_chance(rng, 0.5f);
  if (late) add_all(world);
  require_ok(throng_world_shift_origin(world, (throng_vec3){2048, 6, -1024}, NULL, &error), &error);
  require_ok(throng_world_shift_origin(world, (throng_vec3){-2064, -6, 1024}, NULL, &error), &error);
  require_ok(throng_world_shift_origin(world, (throng_vec3){16, 0, 0}, NULL, &error), &error);
  if (!late) add_all(world);
}

/* Adds the agents in reverse order, then writes every state column with the reference's values. */
static void written_late(throng_world *world, test_rng *rng, const throng_world *reference) {
  for (uint32_t k = 0; k < FULL_AGENTS; k++) add_agent(world, FULL_AGENTS - 1 - k, id_of(k));
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    throng_vec3 values[FULL_AGENTS];
    throng_error error;
    if (READ_ONLY_COLUMNS & THRONG_BIT(column)) continue;
    const size_t stride = sizeof *values;
    const throng_column c = (throng_column)column;
    require_ok(throng_agents_read(reference, c, NULL, FULL_AGENTS, values, stride, &error), &error);
    require_ok(throng_agents_write(world, c, NULL, FULL_AGENTS, values, stride, &error), &error);
    if (rng_chance(rng, 0.3f)) throng_world_index(world, NULL);
  }
}

typedef enum history { PLAIN, ONE_BY_ONE, STRANGERS, SHIFTED, LATE, WAYS } history;

static throng_world *reach(const throng_world_def *def, history way, test_rng *rng, const throng_world *reference) {
  throng_world *world = full_empty_world(def);
  throng_error error;
  if (way == PLAIN) add_all(world);
  if (way == ONE_BY_ONE) one_by_one(world, rng);
  if (way == STRANGERS) among_strangers(world, rng);
  if (way == SHIFTED) shifted(world, rng);
  if (way == LATE) written_late(world, rng, reference);
  require_ok(throng_world_fill_formation(world, 1, NULL, &error), &error);
  return world;
}

static void every_way_goes_on_alike(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed);
  for (uint32_t round = 0; round < 60; round++) {
    throng_world_def def = full_def((throng_space)(round % 2));
    if (round % 4 == 3) def.neighbour_budget = 2;
    throng_world *plain = reach(&def, PLAIN, &rng, NULL);
    const history way = (round / 2) % WAYS;
    def.capacity = round % 3 == 0 ? 0 : 7000 * (round % 3);
    def.thread_count = 1 + round % 3;
    throng_world *other = reach(&def, way, &rng, plain);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
      throng_error error;
      if (fingerprint(plain) != fingerprint(other))
        fail_msg("round %u, history %d: the worlds differ at frame %u", round, way, frame);
      require_ok(throng_world_step(plain, DT, &error), &error);
      require_ok(throng_world_step(other, DT, &error), &error);
    }
    throng_world_destroy(plain);
    throng_world_destroy(other);
  }
}

/* Threads. */

/* Calls functions that are thread-safe between steps. Returns a hash of their results; 0 if a call fails. */
static uint64_t ask(const throng_world *world, const throng_agent_id *ids, uint32_t round) {
  const throng_agent_id id = ids[round % FULL_AGENTS];
  throng_error error;
  throng_neighbour near[FULL_AGENTS];
  throng_explanation explanation;
  throng_group_def group;
  throng_view view;
  throng_agent_id all[FULL_AGENTS];
  throng_vec3 p = {0, 0, 0};
  uint32_t count = 0, found = 0;
  bool ok = throng_agents_read(world, THRONG_COLUMN_POSITION, &id, 1, &p, 0, &error) == THRONG_OK;
  ok &= throng_world_query_radius(world, p, 3.0f, THRONG_ALL_LAYERS, near, FULL_AGENTS, &found, &error) == THRONG_OK;
  ok &= throng_world_query_nearest(world, p, 7, THRONG_ALL_LAYERS, near, &count, &error) == THRONG_OK;
  ok &= throng_agents_get_ids(world, all, FULL_AGENTS, &count, &error) == THRONG_OK;
  ok &= throng_world_view(world, &view, &error) == THRONG_OK;
  ok &= throng_world_get_group(world, round % 3, &group, &error) == THRONG_OK;
  ok &= throng_world_explain(world, ids[4], &explanation, &error) == THRONG_OK;
  ok &= throng_agents_is_valid(world, id) && throng_world_is_indexed(world) && throng_world_check(world, &error);
  return ok ? fingerprint(world) + found + view.count + explanation.count + near[0].id.index : 0;
}

typedef struct asker {
  const throng_world *world;
  const throng_agent_id *ids;
  uint64_t sum;
} asker;

static void *ask_often(void *argument) {
  asker *a = argument;
  for (uint32_t round = 0; round < 40; round++) a->sum = a->sum * 31 + ask(a->world, a->ids, round);
  return NULL;
}

static void many_ask_between_steps(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    throng_world_def def = full_def((throng_space)space);
    throng_agent_id ids[FULL_AGENTS];
    def.thread_count = 2;
    throng_world *world = full_world(&def, ids);
    throng_error error;
    require_ok(throng_world_watch(world, ids[4], &error), &error);
    for (int frame = 0; frame < 10; frame++) {
      pthread_t threads[5];
      asker askers[5], alone = {world, ids, 0};
      require_ok(throng_world_step(world, DT, &error), &error);
      for (int k = 0; k < 5; k++) { /* the first thread that looks up an id rebuilds the table of ids */
        askers[k] = alone;
        assert_int_equal(pthread_create(&threads[k], NULL, ask_often, &askers[k]), 0);
      }
      for (int k = 0; k < 5; k++) pthread_join(threads[k], NULL);
      ask_often(&alone);
      assert_true(ask(world, ids, 0) != 0);
      for (int k = 0; k < 5; k++) assert_true(askers[k].sum == alone.sum);
    }
    throng_world_destroy(world);
  }
}

/* A thread's function: creates a world, steps and changes it, and destroys it. Writes the fingerprint to *argument. */
static void *live(void *argument) {
  throng_world_def def = full_def(THRONG_SPACE_PLANAR);
  throng_agents_def agents = full_agents(9);
  throng_agent_id ids[9];
  def.thread_count = 2;
  throng_world *world = full_world(&def, NULL);
  bool ok = true;
  for (uint32_t frame = 0; frame < 60; frame++) {
    ok &= throng_world_step(world, DT, NULL) == THRONG_OK;
    ok &= throng_agents_add(world, &agents, 9, ids, NULL) == THRONG_OK;
    ok &= throng_world_step(world, DT, NULL) == THRONG_OK;
    ok &= throng_agents_remove(world, ids, 9, NULL) == THRONG_OK;
  }
  *(uint64_t *)argument = ok ? fingerprint(world) : 0;
  throng_world_destroy(world);
  return NULL;
}

static void worlds_do_not_meet(void **state) {
  (void)state;
  pthread_t threads[3];
  uint64_t prints[3], alone;
  live(&alone);
  for (int k = 0; k < 3; k++) assert_int_equal(pthread_create(&threads[k], NULL, live, &prints[k]), 0);
  for (int k = 0; k < 3; k++) pthread_join(threads[k], NULL);
  assert_true(alone != 0);
  for (int k = 0; k < 3; k++) assert_true(prints[k] == alone);
}

/* A locale whose decimal separator is a comma must have no effect. The build creates such a locale if it can
 * (LOCPATH). */
static void locales(void **state) {
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
  uint64_t prints[2];
  live(&prints[0]);
  bool found = false;
  for (size_t k = 0; k < sizeof names / sizeof *names && !found; k++)
    found = setlocale(LC_ALL, names[k]) != NULL && strcmp(localeconv()->decimal_point, ",") == 0;
  if (!found) {
    print_message("no locale with a decimal comma is installed\n");
    skip();
  }
  live(&prints[1]);
  throng_world_def def = throng_default_world_def();
  throng_world *world = NULL;
  throng_error error;
  def.perception_radius = -0.5f;
  require_error(throng_world_create(&def, &world, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "perception_radius"));
  assert_int_equal(throng_isa_from_name("avx2"), THRONG_ISA_AVX2);
  setlocale(LC_ALL, "C");
  assert_true(prints[0] == prints[1]);
}

int main(void) {
  base_seed = test_seed("test_history", 1517);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_way_goes_on_alike),
      cmocka_unit_test(many_ask_between_steps),
      cmocka_unit_test(worlds_do_not_meet),
      cmocka_unit_test(locales),
  };
  return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
