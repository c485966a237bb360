/* tests/agents/test_walk.c: a read of many agents, or of their instances, is cut into parts for threads. The values are
 * those that one agent's call reads, whatever the ids, their gaps and the threads. Threads of the host may read at
 * once, beside a batch of queries. Of several faults the first is named. SPDX-License-Identifier: MIT */
#include "support/random.h"
#include "support/stage.h"

#include "agents/walk.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

#define MOST 20000u
#define READERS 4u
#define ROUNDS 20

struct crowd_of_ids {
  throng_world *world;
  uint32_t count;
  throng_agent_id id[MOST], mixed[MOST]; /* by ascending index; in any order */
  throng_vec3 position[MOST];            /* of `id` */
};

/* Creates a world and removes agents from it, so that ids have gaps and the last part is short. */
static void set_up(struct crowd_of_ids *c, throng_threads threads, uint32_t thread_count, bool sparse, bool gaps) {
  static throng_vec3 p[MOST];
  static uint32_t order[MOST];
  throng_error error;
  test_rng rng = rng_from(base_seed + thread_count);
  throng_world_def def = throng_default_world_def();
  def.threads = threads;
  def.thread_count = thread_count;
  def.sparse_ids = sparse;
  require_ok(throng_world_create(&def, &c->world, &error), &error);
  for (uint32_t k = 0; k < MOST; k++) {
    p[k].x = rng_float(&rng, 0, 100);
    p[k].z = rng_float(&rng, 0, 100);
  }
  stage_add(c->world, MOST, p, NULL, NULL, c->id);
  rng_shuffle(&rng, order, MOST);
  const uint32_t removed = gaps ? MOST / 3 + thread_count : 0;
  for (uint32_t k = 0; k < MOST; k++) c->mixed[k] = c->id[order[k]];
  require_ok(throng_agents_remove(c->world, c->mixed, removed, &error), &error);
  stage_step(c->world, 0.01f);
  require_ok(throng_agents_get_ids(c->world, c->id, MOST, &c->count, &error), &error);
  assert_int_equal(c->count, MOST - removed);
  memmove(c->mixed, c->mixed + removed, c->count * sizeof *c->mixed);
  for (uint32_t k = 0; k < c->count; k++) c->position[k] = stage_read(c->world, THRONG_COLUMN_POSITION, c->id[k]);
}

/* Returns the position that agent `id` must have; the ids ascend. */
static throng_vec3 expected(const struct crowd_of_ids *c, throng_agent_id id) {
  uint32_t low = 0, high = c->count - 1;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (c->id[middle].index < id.index) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return c->position[low];
}

static bool instances_equal(const struct crowd_of_ids *c, float (*read)[4]) {
  throng_instances_def def = throng_default_instances_def();
  throng_error error;
  throng_view view;
  uint32_t wrong = 0;
  if (throng_agents_read_instances(c->world, &def, c->count, read, &error) != THRONG_OK) return false;
  if (throng_world_view(c->world, &view, &error) != THRONG_OK) return false;
  for (uint32_t k = 0; k < c->count; k++) {
    wrong += read[k][0] != view.position_x[k] || read[k][2] != view.position_z[k] || read[k][3] != view.yaw[k];
  }
  def.by_id = true;
  if (throng_agents_read_instances(c->world, &def, c->count, read, &error) != THRONG_OK) return false;
  for (uint32_t k = 0; k < c->count; k++) wrong += memcmp(read[k], &c->position[k], sizeof *c->position) != 0;
  return wrong == 0;
}

static void reads_are_right(const struct crowd_of_ids *c) {
  throng_vec3 *read = malloc(MOST * sizeof *read);
  throng_error error;
  assert_non_null(read);
  for (uint32_t count = c->count; count > 0; count /= 3) {
    require_ok(throng_agents_read(c->world, THRONG_COLUMN_POSITION, c->mixed, count, read, 0, &error), &error);
    for (uint32_t k = 0; k < count; k++) {
      const throng_vec3 right = expected(c, c->mixed[k]);
      assert_memory_equal(&read[k], &right, sizeof right);
    }
  }
  require_ok(throng_agents_read(c->world, THRONG_COLUMN_POSITION, NULL, c->count, read, 0, &error), &error);
  assert_memory_equal(read, c->position, c->count * sizeof *read);
  free(read);
  float(*instances)[4] = malloc(MOST * sizeof *instances);
  assert_non_null(instances);
  assert_true(instances_equal(c, instances));
  free(instances);
}

/* Writes that meet two bad values, or two ids of no agent, name the first and change nothing. */
static void the_first_fault_is_named(const struct crowd_of_ids *c, test_rng *rng) {
  static throng_vec3 v[MOST];
  throng_error error;
  memset(v, 0, sizeof v);
  const uint32_t first = rng_below(rng, c->count - 1), second = first + 1 + rng_below(rng, c->count - 1 - first);
  v[first].x = v[second].x = INFINITY;
  const uint64_t hash = throng_world_hash(c->world, STATE_COLUMNS);
  for (int all = 0; all < 2; all++) {
    const throng_agent_id *ids = all ? NULL : c->mixed;
    const throng_status status = throng_agents_write(c->world, THRONG_COLUMN_VELOCITY, ids, c->count, v, 0, &error);
    assert_int_equal(status, THRONG_ERROR_NOT_FINITE);
    assert_int_equal(error.agent.index, all ? c->id[first].index : c->mixed[first].index);
  }
  throng_agent_id *stale = malloc(c->count * sizeof *stale);
  assert_non_null(stale);
  memcpy(stale, c->mixed, c->count * sizeof *stale);
  stale[first].generation++;
  stale[second].generation++;
  assert_int_equal(throng_agents_read(c->world, THRONG_COLUMN_POSITION, stale, c->count, v, 0, &error),
                   THRONG_ERROR_STALE_ID);
  assert_int_equal(error.agent.index, c->mixed[first].index);
  free(stale);
  assert_int_equal(throng_world_hash(c->world, STATE_COLUMNS), hash);
}

/* The last of the values for an id counts. */
static void writes_are_right(const struct crowd_of_ids *c) {
  throng_vec3 *v = calloc(c->count, sizeof *v), *read = calloc(c->count, sizeof *read);
  throng_agent_id *ids = malloc(c->count * sizeof *ids);
  throng_error error;
  assert_true(v && read && ids);
  for (uint32_t k = 0; k < c->count; k++) {
    v[k].x = (float)k;
    ids[k] = k % 3 == 0 ? c->mixed[0] : c->mixed[k];
  }
  require_ok(throng_agents_write(c->world, THRONG_COLUMN_VELOCITY, ids, c->count, v, 0, &error), &error);
  require_ok(throng_agents_read(c->world, THRONG_COLUMN_VELOCITY, ids, c->count, read, 0, &error), &error);
  for (uint32_t k = 0; k < c->count; k++) {
    const uint32_t last = k % 3 == 0 ? (c->count - 1) / 3 * 3 : k;
    assert_true(read[k].x == (float)last);
  }
  require_ok(throng_agents_write(c->world, THRONG_COLUMN_VELOCITY, NULL, c->count, v, 0, &error), &error);
  require_ok(throng_agents_read(c->world, THRONG_COLUMN_VELOCITY, NULL, c->count, read, 0, &error), &error);
  assert_memory_equal(read, v, c->count * sizeof *v);
  free(v);
  free(read);
  free(ids);
}

static void parts_give_what_one_agent_gives(void **state) {
  (void)state;
  static struct crowd_of_ids c;
  test_rng rng = rng_from(base_seed);
  for (uint32_t kind = 0; kind < 12; kind++) {
    const throng_threads threads = kind % 2 == 0 ? THRONG_THREADS_TEAM : THRONG_THREADS_OPENMP;
    set_up(&c, threads, 1 + kind / 4, kind / 2 % 2, kind % 3 > 0);
    reads_are_right(&c);
    the_first_fault_is_named(&c, &rng);
    writes_are_right(&c);
    throng_world_destroy(c.world);
  }
}

/* A thread of the host that reads, or runs batches of queries. */
struct host_thread {
  pthread_t thread;
  const struct crowd_of_ids *c;
  bool queries;
  uint32_t wrong;
  throng_vec3 read[MOST];
  float instances[MOST][4];
};
static bool queries_find_their_agents(struct host_thread *own) {
  throng_error error;
  uint32_t counts[64], found = 0;
  const throng_status status =
      throng_world_query_radius_batch(own->c->world, own->c->position, 64, 1, UINT32_MAX, NULL, 0, counts, &error);
  for (uint32_t k = 0; k < 64 && status == THRONG_OK; k++) found += counts[k] >= 1;
  return found == 64;
}
static bool reads_equal(struct host_thread *own) {
  throng_error error;
  memset(own->read, 0, sizeof own->read);
  return throng_agents_read(own->c->world, THRONG_COLUMN_POSITION, NULL, own->c->count, own->read, 0, &error) ==
             THRONG_OK &&
         memcmp(own->read, own->c->position, own->c->count * sizeof *own->read) == 0 &&
         instances_equal(own->c, own->instances);
}
static void *use(void *context) {
  struct host_thread *own = context;
  for (int round = 0; round < ROUNDS; round++) {
    if (!(own->queries ? queries_find_their_agents : reads_equal)(own)) own->wrong++;
  }
  return NULL;
}

static void threads_read_at_once(void **state) {
  (void)state;
  static struct crowd_of_ids c;
  for (uint32_t kind = 0; kind < 4; kind++) {
    static struct host_thread host[READERS];
    set_up(&c, kind % 2 == 0 ? THRONG_THREADS_TEAM : THRONG_THREADS_OPENMP, 3, kind / 2, true);
    ids_forget_slots(&c.world->agents.ids); /* the threads make the table of slots */
    for (uint32_t k = 0; k < READERS; k++) {
      host[k].c = &c;
      host[k].queries = k == 0;
      host[k].wrong = 0;
      assert_int_equal(pthread_create(&host[k].thread, NULL, use, &host[k]), 0);
    }
    for (uint32_t k = 0; k < READERS; k++) {
      pthread_join(host[k].thread, NULL);
      assert_int_equal(host[k].wrong, 0);
    }
    throng_world_destroy(c.world);
  }
}

int main(void) {
  base_seed = test_seed("test_walk", 11);
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_give_what_one_agent_gives),
                                     cmocka_unit_test(threads_read_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
