/* test_stack.c: how much stack a call takes. Calls run on a painted stack, which shows how much they took, and on one
 * of 48 KB above memory that nobody may touch. Only release builds are measured. OpenMP's threads get 48 KB too:
 * tests/CMakeLists.txt sets OMP_STACKSIZE.
 * SPDX-License-Identifier: MIT */
#ifndef _WIN32
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#endif
#include "support/check.h"
#include "support/crowds.h"
#include "support/full.h"
#include "support/recordings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#if !defined(NDEBUG) || !defined(__OPTIMIZE__) || defined(_WIN32) || defined(__SANITIZE_ADDRESS__) ||                  \
    defined(__SANITIZE_THREAD__)
int main(void) {
  print_message("only release builds are measured\n");
  return 0;
}
#else
#include <pthread.h>
#include <sys/mman.h>

#define MOST_BYTES (32u * 1024u)
#define ROOMY (512u * 1024u)
#define SMALL (48u * 1024u)
#define GUARD (256u * 1024u) /* below a stack: touching it ends the process */
#define PAINT 0xA5

typedef void *work(void *context);

/* Runs a function on a painted stack of `bytes`; returns how many it took, with what a thread itself takes. */
static size_t depth_of(size_t bytes, work *run, void *context) {
  pthread_attr_t attributes;
  pthread_t thread;
  size_t untouched = 0;
  unsigned char *guard = mmap(NULL, GUARD + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(guard != MAP_FAILED);
  unsigned char *stack = guard + GUARD;
  assert_int_equal(mprotect(guard, GUARD, PROT_NONE), 0);
  memset(stack, PAINT, bytes);
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstack(&attributes, stack, bytes), 0);
  assert_int_equal(pthread_create(&thread, &attributes, run, context), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  while (untouched < bytes && stack[untouched] == PAINT) untouched++;
  munmap(guard, GUARD + bytes);
  return bytes - untouched;
}

static void *run_nothing(void *context) { return context; }

struct task {
  throng_world *world;
  throng_world_def def;
  void *bytes; /* room for a snapshot */
  size_t room;
};

/* Errors are written too: their texts take stack. */
static void *run_steps(void *context) {
  struct task *task = context;
  throng_error error;
  throng_neighbour found[4];
  uint32_t count = 0;
  size_t size = 0;
  for (int frame = 0; frame < 3; frame++) (void)throng_world_step(task->world, 0.02f, &error);
  (void)throng_world_steer(task->world, 0.02f, &error);
  (void)throng_world_integrate(task->world, 0.02f, &error);
  (void)throng_world_step(task->world, -1.5f, &error);
  (void)throng_world_query_nearest(task->world, (throng_vec3){1, 1, 1}, 4, THRONG_ALL_LAYERS, found, &count, &error);
  if (throng_world_save_snapshot(task->world, task->bytes, task->room, &size, &error) == THRONG_OK)
    (void)throng_world_load_snapshot(task->world, task->bytes, size, &error);
  return NULL;
}

/* Creates a world with some of everything, records it, queries it, changes it, and replays the recording. Its own
 * arrays are static. */
static void *run_everything(void *context) {
  static throng_agent_id ids[FULL_AGENTS];
  static throng_explanation why;
  static throng_vec3 p[FULL_AGENTS];
  static throng_neighbour found[FULL_AGENTS];
  static uint32_t counts[FULL_AGENTS];
  const struct task *task = context;
  throng_error error;
  throng_world *world = full_world(&task->def, ids);
  require_ok(throng_world_watch(world, ids[1], &error), &error);
  tape t = {0};
  tape_record(world, &t, THRONG_RECORD_FRAMES, 2);
  require_ok(throng_world_explain(world, ids[1], &why, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, ids, FULL_AGENTS, p, 0, &error), &error);
  require_ok(throng_world_query_nearest_batch(world, p, FULL_AGENTS, 1, THRONG_ALL_LAYERS, found, counts, &error),
             &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_POSITION, ids, FULL_AGENTS, p, 0, &error), &error);
  require_ok(throng_agents_remove(world, ids, 20, &error), &error);
  require_ok(throng_agents_reserve(world, 1000, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  (void)throng_world_shift_origin(world, (throng_vec3){8, 0, 8}, NULL, &error);
  require_sound(world, "on a small stack");
  throng_world_destroy(world);
  throng_replay replay;
  world = full_empty_world(&task->def);
  require_ok(throng_replay_begin(&replay, world, t.bytes, t.size, &error), &error);
  throng_replay_difference difference;
  require_ok(throng_replay_step(&replay, world, &difference, &error), &error);
  assert_false(difference.differs);
  throng_world_destroy(world);
  free(t.bytes);
  return NULL;
}

static size_t depth_of_crowd(throng_isa isa, uint32_t threads, uint64_t seed, size_t bytes) {
  const crowd_recipe recipe = {.space = (throng_space)(seed % 2),
                               .boundary = (throng_boundary)(seed / 2 % 3),
                               .layout = (crowd_layout)(seed % LAYOUT_COUNT),
                               .count = seed % 7 == 0 ? 2000 : 700,
                               .flocks = seed % 4 == 0};
  const crowd_world_options options = {.isa = isa, .threads = threads};
  crowd *c = crowd_random(seed, &recipe);
  struct task task = {.world = crowd_world(c, &options), .room = 4u << 20};
  crowd_free(c);
  task.bytes = malloc(task.room);
  assert_non_null(task.bytes);
  const size_t depth = depth_of(bytes, run_steps, &task);
  throng_world_destroy(task.world);
  free(task.bytes);
  return depth;
}

static size_t depth_of_everything(throng_isa isa, int space, int boundary, size_t bytes) {
  struct task task = {.def = full_def((throng_space)space)};
  throng_world_def_set_boundary(&task.def, (throng_boundary)boundary);
  task.def.isa = isa;
  return depth_of(bytes, run_everything, &task);
}

/* Calls of all kinds with an instruction set; returns the most that one took. */
static size_t deepest(throng_isa isa, uint32_t threads, size_t bytes) {
  const size_t nothing = depth_of(bytes, run_nothing, NULL);
  size_t most = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    const size_t depth = depth_of_crowd(isa, threads, seed, bytes) - nothing;
    if (depth > MOST_BYTES) print_error("seed %" PRIu64 ": %zu bytes of stack\n", seed, depth);
    if (depth > most) most = depth;
  }
  for (int kind = 0; kind < 6; kind++) {
    const size_t depth = depth_of_everything(isa, kind % 2, kind / 2, bytes) - nothing;
    if (depth > MOST_BYTES) print_error("space %d, boundary %d: %zu bytes of stack\n", kind % 2, kind / 2, depth);
    if (depth > most) most = depth;
  }
  return most;
}

static void require_at_most_32_kb(uint32_t threads, size_t bytes) {
  for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT; isa++) {
    if (!throng_isa_is_available((throng_isa)isa)) continue;
    const size_t most = deepest((throng_isa)isa, threads, bytes);
    print_message("%s, %u threads: %zu of %zu bytes\n", throng_isa_name((throng_isa)isa), threads, most, bytes);
    assert_true(most <= MOST_BYTES);
  }
}

static void calls_take_at_most_32_kb(void **state) {
  (void)state;
  require_at_most_32_kb(1, ROOMY);
}

static void calls_run_on_48_kb(void **state) {
  (void)state;
  require_at_most_32_kb(2, SMALL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(calls_take_at_most_32_kb), cmocka_unit_test(calls_run_on_48_kb)};
  return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
#endif
