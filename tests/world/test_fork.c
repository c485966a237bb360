/* test_fork.c: tests that a process made by fork can step its parent's worlds and its own, on one thread, with the same
 * bits, and that throng prints nothing in it. SPDX-License-Identifier: MIT */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "support/stage.h"

#include <stdio.h>
#include <string.h>

#ifdef _WIN32
int main(void) { return 0; }
#else
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT 3000u
#define SECONDS 60u /* after this time a child that hangs is ended */

static throng_threads kind; /* whose threads all worlds have */

static throng_world *threaded_world(uint32_t threads) {
  static throng_vec3 p[COUNT];
  throng_error error;
  throng_world *world = NULL;
  throng_world_def def = throng_default_world_def();
  def.threads = kind;
  def.thread_count = threads;
  require_ok(throng_world_create(&def, &world, &error), &error);
  for (uint32_t k = 0; k < COUNT; k++) p[k] = (throng_vec3){(float)(k % 60), 0, (float)(k / 60) * 0.5f};
  stage_add(world, COUNT, p, NULL, NULL, NULL);
  return world;
}

static uint64_t run(throng_world *world) {
  for (int frame = 0; frame < 10; frame++) stage_step(world, 0.02f);
  throng_neighbour found[64];
  uint32_t counts[64];
  throng_vec3 centres[64] = {{0, 0, 0}};
  throng_error error;
  require_ok(throng_world_query_nearest_batch(world, centres, 64, 1, THRONG_ALL_LAYERS, found, counts, &error), &error);
  return throng_world_hash(world, STATE_COLUMNS);
}

/* Runs in the child process. Returns its exit status: 0 if nothing is wrong. */
static int child(throng_world *world, uint64_t expected, uint32_t threads) {
  alarm(SECONDS);
  if (throng_world_get_def(world).thread_count != threads) return 1;
  if (run(world) != expected) return 2;
  throng_world *own = threaded_world(3);
  run(own);
  const uint32_t chosen = throng_world_get_def(own).thread_count;
  throng_world_destroy(own);
  throng_world_destroy(world);
  return (chosen > 1) == (threads > 1) ? 0 : 3;
}

/* Forks a child, which forks another, and checks both. Their standard error is a pipe, and nothing may be written to
 * it. */
static void require_child(throng_world *world, uint64_t expected, uint32_t threads, const char *when) {
  int ends[2], status = 0;
  char said[256];
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    const pid_t second = fork();
    if (second == 0) _exit(child(world, expected, threads));
    int of_second = 0;
    waitpid(second, &of_second, 0);
    const int own = child(world, expected, threads);
    _exit(own ? own : WIFEXITED(of_second) && WEXITSTATUS(of_second) == 0 ? 0 : 4);
  }
  close(ends[1]);
  const ssize_t bytes = read(ends[0], said, sizeof said - 1);
  said[bytes > 0 ? bytes : 0] = '\0';
  close(ends[0]);
  waitpid(pid, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || bytes != 0)
    print_error("%s: status %d, said '%s'\n", when, status, said);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0 && bytes == 0);
}

static void require_children(void) {
  throng_world *world = threaded_world(2), *twin = threaded_world(2), *alone = threaded_world(1);
  const uint32_t threads = throng_world_get_def(world).thread_count; /* 1 in a build without threads */
  const uint64_t expected = run(alone), later = run(alone);
  require_child(world, expected, threads, "before a step with threads");
  assert_true(run(world) == expected && run(twin) == expected);
  require_child(world, later, 1, "after it");
  require_child(world, later, 1, "once more");
  assert_int_equal(throng_world_get_def(world).thread_count, threads); /* the parent's threads are unchanged */
  assert_true(run(world) == later);
  throng_world_destroy(world);
  throng_world_destroy(twin);
  throng_world_destroy(alone);
}

/* In a child, because a process that has started threads once has lost them in its children. */
static void children_step_without_openmps_threads(void **state) {
  (void)state;
  int status = 0;
  fflush(NULL);
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    kind = THRONG_THREADS_OPENMP;
    require_children();
    _exit(0);
  }
  waitpid(pid, &status, 0);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void children_step_without_the_team(void **state) {
  (void)state;
  kind = THRONG_THREADS_TEAM;
  require_children();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(children_step_without_openmps_threads),
                                     cmocka_unit_test(children_step_without_the_team)};
  return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
#endif
