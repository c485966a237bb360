/* tests/agents/test_sparse_ids.c: tests that worlds with sparse ids give the results of dense ones, take memory by
 * agents instead of indices, and save and load only the ids of live agents.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/memory.h"
#include "support/random.h"
#include "support/snapshots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

#define INDICES 400u
#define BATCH 40u
#define ROUNDS 120u
#define LAST_INDEX 2147483646u
#define BYTES_AN_AGENT 32u
#define LEAST_COUNTED 49u /* agents; the smallest table has 128 places */

static uint64_t base_seed;

static throng_world *make_world(bool sparse, test_memory *memory) {
  throng_world_def def = throng_default_world_def();
  throng_world *world = NULL;
  throng_error error;
  def.sparse_ids = sparse;
  def.perception_radius = 4.0f;
  def.thread_count = 2;
  if (memory) def.allocator = test_allocator(memory);
  require_ok(throng_world_create(&def, &world, &error), &error);
  throng_group_def group = throng_default_group_def();
  group.separation.weight = 1.0f;
  throng_behaviour *seek = throng_group_def_add(&group, THRONG_BEHAVIOUR_SEEK);
  seek->target.kind = THRONG_TARGET_OWN;
  throng_group_def_add(&group, THRONG_BEHAVIOUR_WANDER);
  require_ok(throng_world_set_group(world, 0, &group, &error), &error);
  return world;
}

static throng_status add_with_ids(throng_world *world, const throng_agent_id *ids, uint32_t count, uint64_t seed,
                                  throng_error *error) {
  throng_vec3 position[BATCH];
  throng_agents_def agents = throng_default_agents_def();
  test_rng rng = rng_from(seed);
  assert_true(count <= BATCH);
  for (uint32_t k = 0; k < count; k++) {
    position[k] = (throng_vec3){rng_float(&rng, 0.0f, 40.0f), 0.0f, rng_float(&rng, 0.0f, 40.0f)};
  }
  agents.position.data = position;
  return throng_agents_add_with_ids(world, &agents, count, ids, error);
}

/* The reference: the generation of each live index; 0 = none. */
struct model {
  uint16_t generation[INDICES + 1];
  uint32_t count;
};

/* Spreads the model's indices over the whole range, unevenly and in order. */
static throng_agent_id id_of(uint32_t index, uint16_t generation) {
  return (throng_agent_id){index <= INDICES / 2 ? index : index * 7, generation, 0};
}

static void add_random(struct model *model, throng_world *worlds[2], test_rng *rng) {
  throng_agent_id ids[BATCH];
  uint32_t count = 0, refused = 0;
  for (uint32_t k = rng_below(rng, BATCH); k > 0; k--) {
    const uint32_t index = 1 + rng_below(rng, INDICES);
    if (model->generation[index] && rng_chance(rng, 0.95f)) continue;
    refused += model->generation[index] != 0;
    for (uint32_t i = 0; i < count; i++) refused += ids[i].index == id_of(index, 1).index;
    ids[count++] = id_of(index, (uint16_t)(1 + rng_below(rng, 3)));
  }
  const uint64_t seed = rng_next(rng);
  for (int w = 0; w < 2; w++) {
    throng_error error;
    const throng_status status = add_with_ids(worlds[w], ids, count, seed, &error);
    assert_int_equal(status, refused ? THRONG_ERROR_STALE_ID : THRONG_OK);
  }
  for (uint32_t k = 0; k < count && !refused; k++) {
    for (uint32_t index = 1; index <= INDICES; index++) {
      if (id_of(index, 1).index == ids[k].index) model->generation[index] = ids[k].generation;
    }
    model->count++;
  }
}

static void remove_random(struct model *model, throng_world *worlds[2], test_rng *rng) {
  throng_agent_id ids[INDICES];
  uint32_t count = 0;
  bool stale = false;
  for (uint32_t index = 1; index <= INDICES; index++) {
    if (!rng_chance(rng, model->generation[index] ? 0.1f : 0.0005f)) continue;
    stale = stale || !model->generation[index];
    ids[count++] = id_of(index, model->generation[index]);
  }
  if (count > 1 && rng_chance(rng, 0.1f)) {
    stale = true;
    ids[count - 1] = ids[0]; /* twice */
  }
  for (int w = 0; w < 2; w++) {
    throng_error error;
    assert_int_equal(throng_agents_remove(worlds[w], ids, count, &error), stale ? THRONG_ERROR_STALE_ID : THRONG_OK);
  }
  for (uint32_t k = 0; k < count && !stale; k++) {
    for (uint32_t index = 1; index <= INDICES; index++) {
      if (id_of(index, 1).index == ids[k].index) model->generation[index] = 0;
    }
    model->count--;
  }
}

/* Gives some agents other agents as their targets, which may be removed later. */
static void set_targets(throng_world *worlds[2], test_rng *rng) {
  throng_agent_id ids[INDICES], pair[2];
  uint32_t count = 0;
  require_ok(throng_agents_get_ids(worlds[0], ids, INDICES, &count, NULL), NULL);
  if (count < 2) return;
  for (int k = 0; k < 10; k++) {
    pair[0] = ids[rng_below(rng, count)];
    pair[1] = ids[rng_below(rng, count)];
    if (pair[0].index == pair[1].index) continue;
    for (int w = 0; w < 2; w++) {
      throng_error error;
      require_ok(throng_agents_write(worlds[w], THRONG_COLUMN_TARGET, pair, 1, pair + 1, 0, &error), &error);
    }
  }
}

static void require_equal(const struct model *model, throng_world *worlds[2]) {
  throng_agent_id ids[2][INDICES], lost[2][INDICES];
  float position[2][3 * INDICES];
  uint32_t count = 0, lost_count[2];
  for (int w = 0; w < 2; w++) {
    throng_error error;
    require_sound(worlds[w], w ? "sparse" : "dense");
    require_ok(throng_agents_get_ids(worlds[w], ids[w], INDICES, &count, &error), &error);
    assert_int_equal(count, model->count);
    require_ok(throng_agents_read(worlds[w], THRONG_COLUMN_POSITION, NULL, count, position[w], 0, &error), &error);
    require_ok(throng_world_get_lost_agents(worlds[w], lost[w], INDICES, &lost_count[w], &error), &error);
  }
  uint32_t k = 0;
  for (uint32_t index = 1; index <= INDICES; index++) {
    for (uint16_t generation = 1; generation <= 3; generation++) {
      const bool live = model->generation[index] == generation;
      const throng_agent_id id = id_of(index, generation);
      for (int w = 0; w < 2; w++) assert_true(throng_agents_is_valid(worlds[w], id) == live);
      if (live) assert_true(throng_agent_id_equal(ids[1][k++], id));
    }
  }
  assert_memory_equal(position[0], position[1], 3 * count * sizeof(float));
  assert_true(lost_count[0] == lost_count[1] && memcmp(lost[0], lost[1], lost_count[0] * sizeof *lost[0]) == 0);
  assert_true(throng_world_hash(worlds[0], 0) == throng_world_hash(worlds[1], 0));
}

/* Compares a few agents by their ids, which searches near their last slots. */
static void require_equal_reads(throng_world *worlds[2], test_rng *rng) {
  throng_agent_id ids[INDICES];
  uint32_t count = 0;
  float velocity[2][3];
  require_ok(throng_agents_get_ids(worlds[0], ids, INDICES, &count, NULL), NULL);
  for (int k = 0; k < 4 && count > 0; k++) {
    const throng_agent_id id = ids[rng_below(rng, count)];
    for (int w = 0; w < 2; w++) {
      throng_error error;
      require_ok(throng_agents_read(worlds[w], THRONG_COLUMN_VELOCITY, &id, 1, velocity[w], 0, &error), &error);
    }
    assert_memory_equal(velocity[0], velocity[1], sizeof velocity[0]);
  }
}

static void require_equal_views(throng_world *worlds[2]) {
  throng_view view[2];
  for (int w = 0; w < 2; w++) require_ok(throng_world_view(worlds[w], &view[w], NULL), NULL);
  assert_int_equal(view[0].count, view[1].count);
  for (uint32_t k = 0; k < view[0].count; k++) assert_int_equal(view[0].id_index[k], view[1].id_index[k]);
}

static void random_changes_give_the_results_of_dense_ids(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed);
  struct model model = {.count = 0};
  throng_world *worlds[2] = {make_world(false, NULL), make_world(true, NULL)};
  for (uint32_t round = 0; round < ROUNDS; round++) {
    throng_error error;
    add_random(&model, worlds, &rng);
    if (rng_chance(&rng, 0.5f)) set_targets(worlds, &rng);
    remove_random(&model, worlds, &rng);
    require_equal(&model, worlds);
    for (int w = 0; w < 2; w++) require_ok(throng_world_step(worlds[w], 0.05f, &error), &error);
    require_equal_reads(worlds, &rng);
    require_equal(&model, worlds);
    require_equal_views(worlds);
  }
  for (int w = 0; w < 2; w++) throng_world_destroy(worlds[w]);
}

/* Returns different indices for different n from 1 on: the divisor is a prime number. */
static uint32_t spread(uint32_t n) { return (uint32_t)((uint64_t)n * 1000003u % 2147483629u); }

static void the_table_takes_at_most_32_bytes_an_agent(void **state) {
  (void)state;
  test_memory memory = {0};
  const throng_allocator allocator = test_allocator(&memory);
  struct id_table ids = {.sparse = true};
  double most = 0.0;
  for (uint32_t n = 1; n <= 200000; n++) {
    if (n > ids.capacity) {
      struct id_table grown;
      assert_true(throng_ids_grow(&ids, &grown, n > 64 ? n : 64, &allocator));
      throng_ids_release(&ids, &allocator);
      ids = grown;
    }
    throng_ids_take_exactly(&ids, spread(n), (uint16_t)(1 + n % 5));
    if (n < LEAST_COUNTED) continue;
    if ((double)memory.live_bytes / n > most) most = (double)memory.live_bytes / n;
  }
  print_message("at most %.1f bytes an agent\n", most);
  assert_true(most <= BYTES_AN_AGENT);
  for (uint32_t n = 1; n <= 200000; n++) throng_ids_give_back(&ids, spread(n));
  assert_int_equal(ids.live, 0);
  throng_ids_release(&ids, &allocator);
  assert_true(memory.live == 0 && memory.mistakes == 0);
}

static void the_last_index_costs_no_more_than_the_first(void **state) {
  (void)state;
  test_memory near = {0}, far = {0};
  const throng_agent_id first = {1, 1, 0}, last = {LAST_INDEX, 65535, 0};
  throng_world *small = make_world(true, &near), *world = make_world(true, &far);
  throng_error error;
  require_ok(add_with_ids(small, &first, 1, 1, &error), &error);
  require_ok(add_with_ids(world, &last, 1, 1, &error), &error);
  assert_true(near.live_bytes == far.live_bytes);
  require_ok(throng_world_step(world, 0.05f, &error), &error);
  require_sound(world, "the last index");
  snapshot saved = snapshot_take(world), other;
  require_ok(throng_world_step(small, 0.05f, &error), &error);
  other = snapshot_take(small);
  assert_true(saved.size == other.size);
  const throng_vec3 zero = {0, 0, 0};
  throng_agents_def plain = throng_default_agents_def();
  plain.position.data = &zero;
  require_error(throng_agents_add(world, &plain, 1, NULL, &error), THRONG_ERROR_CAPACITY, &error);
  assert_non_null(strstr(error.text, "2147483646"));
  require_ok(throng_agents_remove(world, &last, 1, &error), &error);
  assert_false(throng_agents_is_valid(world, last));
  require_error(throng_agents_add(world, &plain, 1, NULL, &error), THRONG_ERROR_CAPACITY, &error);
  require_ok(add_with_ids(world, &first, 1, 1, &error), &error);
  assert_int_equal(throng_agents_count(world), 1);
  snapshot_free(&saved);
  snapshot_free(&other);
  throng_world_destroy(small);
  throng_world_destroy(world);
  assert_true(near.live == 0 && far.live == 0 && far.mistakes == 0);
}

static void plain_adds_take_the_index_after_the_largest(void **state) {
  (void)state;
  throng_world *world = make_world(true, NULL);
  const throng_agent_id chosen = {1000, 7, 0};
  const throng_vec3 zero[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  throng_agents_def plain = throng_default_agents_def();
  throng_agent_id ids[3];
  throng_error error;
  plain.position.data = zero;
  require_ok(throng_agents_add(world, &plain, 3, ids, &error), &error);
  for (uint32_t k = 0; k < 3; k++) assert_true(ids[k].index == k + 1 && ids[k].generation == 1);
  require_ok(throng_agents_remove(world, ids + 1, 2, &error), &error);
  require_ok(add_with_ids(world, &chosen, 1, 3, &error), &error);
  require_ok(throng_agents_remove(world, &chosen, 1, &error), &error);
  require_ok(throng_agents_add(world, &plain, 2, ids, &error), &error);
  assert_true(ids[0].index == 1001 && ids[1].index == 1002 && ids[0].generation == 1);
  require_ok(add_with_ids(world, &chosen, 1, 3, &error), &error); /* the same generation is legal */
  assert_true(throng_agents_is_valid(world, chosen));
  throng_world_destroy(world);
}

/* Returns a world with many agents under distant indices. */
static throng_world *scattered_world(bool sparse, test_memory *memory, uint32_t agents) {
  throng_world *world = make_world(sparse, memory);
  throng_error error;
  for (uint32_t k = 0; k < agents; k++) {
    const throng_agent_id id = {1 + 37 * ((k * 13) % agents), (uint16_t)(1 + k % 4), 0};
    require_ok(add_with_ids(world, &id, 1, k, &error), &error);
  }
  require_ok(throng_world_step(world, 0.05f, &error), &error);
  return world;
}

static void a_snapshot_holds_the_live_ids(void **state) {
  (void)state;
  throng_world *world = scattered_world(true, NULL, 100), *dense = scattered_world(false, NULL, 100);
  throng_world *empty = make_world(true, NULL), *full = scattered_world(true, NULL, 150);
  throng_error error;
  snapshot saved = snapshot_take(world), larger = snapshot_take(dense);
  assert_true(saved.size + 5000 < larger.size); /* 3601 indices */
  require_error(throng_world_load_snapshot(dense, saved.bytes, saved.size, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "sparse_ids"));
  require_error(throng_world_load_snapshot(world, larger.bytes, larger.size, &error), THRONG_ERROR_BAD_VALUE, &error);
  throng_world *loaded[] = {empty, full};
  for (int k = 0; k < 2; k++) {
    require_ok(throng_world_load_snapshot(loaded[k], saved.bytes, saved.size, &error), &error);
    require_sound(loaded[k], "loaded");
    assert_true(snapshot_is_of(&saved, loaded[k]));
  }
  for (int frame = 0; frame < 5; frame++) {
    require_ok(throng_world_step(world, 0.05f, &error), &error);
    require_ok(throng_world_step(dense, 0.05f, &error), &error);
    for (int k = 0; k < 2; k++) require_ok(throng_world_step(loaded[k], 0.05f, &error), &error);
  }
  for (int k = 0; k < 2; k++) assert_true(throng_world_hash(loaded[k], 0) == throng_world_hash(world, 0));
  assert_true(throng_world_hash(dense, 0) == throng_world_hash(world, 0));
  throng_world_def def;
  require_ok(throng_snapshot_get_def(saved.bytes, saved.size, &def, &error), &error);
  assert_true(def.sparse_ids);
  snapshot_free(&saved);
  snapshot_free(&larger);
  throng_world_destroy(world);
  throng_world_destroy(dense);
  for (int k = 0; k < 2; k++) throng_world_destroy(loaded[k]);
}

/* A changed snapshot is refused and changes nothing, or gives a sound world. */
static void changed_snapshots_are_refused_or_sound(void **state) {
  (void)state;
  throng_world *world = scattered_world(true, NULL, 30);
  snapshot saved = snapshot_take(world);
  test_rng rng = rng_from(base_seed + 1);
  uint32_t accepted = 0, refused = 0;
  for (uint32_t try = 0; try < 4000; try++) {
    throng_error error;
    snapshot changed = snapshot_copy(&saved, saved.size);
    /* The ids and the agents are the last sections. */
    const size_t at =
        changed.size - 8 - (1 + rng_below(&rng, (uint32_t)(changed.size < 1300 ? changed.size : 1300) - 40));
    changed.bytes[at] = rng_chance(&rng, 0.3f) ? 0 : (uint8_t)rng_next(&rng);
    if (rng_chance(&rng, 0.3f)) changed.bytes[at + 1] ^= 0xFF;
    snapshot_seal(&changed);
    if (throng_world_load_snapshot(world, changed.bytes, changed.size, &error) == THRONG_OK) {
      accepted++;
      require_sound(world, "a changed snapshot");
      /* It may have had a -0 or another NaN, whose bits the world does not keep. */
      snapshot kept = snapshot_take(world);
      assert_int_equal(kept.size, changed.size);
      require_ok(throng_world_load_snapshot(world, kept.bytes, kept.size, &error), &error);
      assert_true(snapshot_is_of(&kept, world));
      snapshot_free(&kept);
      require_ok(throng_world_load_snapshot(world, saved.bytes, saved.size, &error), &error);
    } else {
      refused++;
      assert_true(snapshot_is_of(&saved, world));
    }
    snapshot_free(&changed);
  }
  print_message("%u accepted, %u refused\n", accepted, refused);
  assert_true(accepted > 0 && refused > 0);
  snapshot_free(&saved);
  throng_world_destroy(world);
}

static void growth_is_all_or_nothing(void **state) {
  (void)state;
  for (uint64_t k = 1;; k++) {
    test_memory memory = {0};
    throng_world *world = scattered_world(true, &memory, 64);
    const uint64_t hash = throng_world_hash(world, 0), live = memory.live;
    throng_agent_id ids[BATCH];
    throng_error error;
    for (uint32_t i = 0; i < BATCH; i++) ids[i] = (throng_agent_id){1000000 + i, 1, 0};
    memory.fail_at = memory.calls + k;
    const throng_status status = add_with_ids(world, ids, BATCH, 5, &error);
    const bool failed = memory.calls >= memory.fail_at;
    memory.fail_at = 0;
    if (failed) {
      require_error(status, THRONG_ERROR_OUT_OF_MEMORY, &error);
      assert_true(throng_world_hash(world, 0) == hash && memory.live == live && throng_agents_count(world) == 64);
      assert_false(throng_agents_is_valid(world, ids[0]));
      require_ok(add_with_ids(world, ids, BATCH, 5, &error), &error);
    }
    require_sound(world, "after growth");
    const uint64_t calls = memory.calls;
    for (int frame = 0; frame < 3; frame++) require_ok(throng_world_step(world, 0.05f, &error), &error);
    require_ok(throng_agents_remove(world, ids, BATCH, &error), &error);
    require_ok(add_with_ids(world, ids, BATCH, 5, &error), &error);
    assert_true(memory.calls == calls);
    throng_world_destroy(world);
    assert_true(memory.live == 0 && memory.live_bytes == 0 && memory.mistakes == 0);
    if (!failed) break;
    assert_true(k < 200);
  }
}

int main(void) {
  base_seed = test_seed("test_sparse_ids", 45);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_changes_give_the_results_of_dense_ids),
      cmocka_unit_test(the_table_takes_at_most_32_bytes_an_agent),
      cmocka_unit_test(the_last_index_costs_no_more_than_the_first),
      cmocka_unit_test(plain_adds_take_the_index_after_the_largest),
      cmocka_unit_test(a_snapshot_holds_the_live_ids),
      cmocka_unit_test(changed_snapshots_are_refused_or_sound),
      cmocka_unit_test(growth_is_all_or_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
