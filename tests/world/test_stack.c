/* test_stack.c: tests that a call uses at most 32 KB of the caller's stack with every instruction set, so that fibers
 * of 48 KB can step worlds. Calls run on a stack that was filled with a known byte. Only release builds are measured.
 * SPDX-License-Identifier: MIT */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "support/check.h"
#include "support/crowds.h"

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

#define MOST_BYTES (32u * 1024u)
#define STACK_BYTES (512u * 1024u)
#define PAINT 0xA5

static _Alignas(4096) unsigned char stack[STACK_BYTES];

/* Runs a function in a thread on the filled stack. Returns how many bytes it used, including those of the thread
 * itself. */
static size_t depth_of(void *run(void *), void *context) {
  pthread_attr_t attributes;
  pthread_t thread;
  size_t untouched = 0;
  memset(stack, PAINT, sizeof stack);
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstack(&attributes, stack, sizeof stack), 0);
  assert_int_equal(pthread_create(&thread, &attributes, run, context), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  while (untouched < sizeof stack && stack[untouched] == PAINT) untouched++;
  return sizeof stack - untouched;
}

static void *run_nothing(void *context) { return context; }

struct task {
  throng_world *world;
  void *bytes; /* room for a snapshot */
  size_t room;
  throng_status status[8];
};

/* Calls the functions. One call fails, because writing the error text needs stack, too. */
static void *run_calls(void *context) {
  struct task *task = context;
  throng_error error;
  throng_neighbour found[4];
  uint32_t count = 0;
  size_t size = 0;
  for (int frame = 0; frame < 3; frame++) task->status[0] = throng_world_step(task->world, 0.02f, &error);
  task->status[1] = throng_world_steer(task->world, 0.02f, &error);
  task->status[2] = throng_world_integrate(task->world, 0.02f, &error);
  task->status[3] = throng_world_step(task->world, -1.5f, &error);
  task->status[4] =
      throng_world_query_nearest(task->world, (throng_vec3){1, 1, 1}, 4, THRONG_ALL_LAYERS, found, &count, &error);
  task->status[5] = throng_world_save_snapshot(task->world, task->bytes, task->room, &size, &error);
  if (task->status[5] == THRONG_OK)
    task->status[6] = throng_world_load_snapshot(task->world, task->bytes, size, &error);
  return NULL;
}

/* Returns the most bytes that the calls use with an instruction set, in crowds of all kinds. nothing: the bytes of a
 * thread that calls nothing. */
static size_t deepest(throng_isa isa, uint32_t threads, size_t nothing) {
  size_t most = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
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
    const size_t depth = depth_of(run_calls, &task) - nothing;
    if (depth > MOST_BYTES) print_error("seed %" PRIu64 ": %zu bytes of stack\n", seed, depth);
    if (depth > most) most = depth;
    throng_world_destroy(task.world);
    free(task.bytes);
  }
  return most;
}

static void a_small_stack_suffices(void **state) {
  (void)state;
  const size_t nothing = depth_of(run_nothing, NULL);
  for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT; isa++) {
    if (!throng_isa_is_available((throng_isa)isa)) continue;
    for (uint32_t threads = 1; threads <= 2; threads++) {
      const size_t most = deepest((throng_isa)isa, threads, nothing);
      print_message("%s, %u threads: %zu bytes of stack\n", throng_isa_name((throng_isa)isa), threads, most);
      assert_true(most <= MOST_BYTES);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_small_stack_suffices)};
  return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
#endif
