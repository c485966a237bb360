/* test_threads.c: tests the choice of threads (throng_world_def.threads, THRONG_THREADS), and that a world's own team
 * gives the same bits, ends with the world, and does without threads that the system refuses.
 * SPDX-License-Identifier: MIT */
#ifndef _WIN32
#define _DEFAULT_SOURCE
#define _GNU_SOURCE /* pthread_getattr_np */
#endif
#include "support/stage.h"

#include "base/team_size.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#define COUNT 3000u
#define FRAMES 10
#define HOST_THREADS 4u
#define WORLDS 12u

static throng_world *flock_of(const throng_world_def *def) {
  static throng_vec3 p[COUNT];
  throng_error error;
  throng_world *world = NULL;
  require_ok(throng_world_create(def, &world, &error), &error);
  for (uint32_t k = 0; k < COUNT; k++) p[k] = (throng_vec3){(float)(k % 60), 0, (float)(k / 60) * 0.5f};
  stage_add(world, COUNT, p, NULL, NULL, NULL);
  return world;
}

static throng_world *flock(throng_threads threads, uint32_t thread_count, const throng_trace_hook *trace) {
  throng_world_def def = throng_default_world_def();
  def.threads = threads;
  def.thread_count = thread_count;
  if (trace) def.trace = *trace;
  return flock_of(&def);
}

static uint64_t run(throng_world *world) {
  for (int frame = 0; frame < FRAMES; frame++) stage_step(world, 0.02f);
  return throng_world_hash(world, STATE_COLUMNS);
}

static uint64_t run_once(throng_threads threads, uint32_t thread_count) {
  throng_world *world = flock(threads, thread_count, NULL);
  const uint64_t hash = run(world);
  throng_world_destroy(world);
  return hash;
}

/* Whether the build has the threads: throng may choose others. */
static bool has(throng_threads threads) {
  throng_world *world = flock(threads, 2, NULL);
  const throng_threads chosen = throng_world_get_def(world).threads;
  throng_world_destroy(world);
  return chosen == threads;
}

static void all_threads_give_the_same_bits(void **state) {
  (void)state;
  const uint64_t expected = run_once(THRONG_THREADS_SERIAL, 0);
  for (int threads = 0; threads < THRONG_THREADS_COUNT; threads++)
    for (uint32_t count = 1; count <= 8; count++) {
      const uint64_t hash = run_once((throng_threads)threads, count);
      if (hash != expected) print_error("%s, %u threads\n", throng_threads_name((throng_threads)threads), count);
      assert_true(hash == expected);
    }
}

/* The threads of the definition, or those of the environment variable if it has a value. */
static void the_definition_and_the_environment_choose(void **state) {
  (void)state;
  const char *text = getenv("THRONG_THREADS");
  char *kept = text ? strdup(text) : NULL;
  for (int threads = -1; threads < THRONG_THREADS_COUNT; threads++) {
    if (threads < 0) {
      setenv("THRONG_THREADS", "", 1);
    } else {
      setenv("THRONG_THREADS", throng_threads_name((throng_threads)threads), 1);
    }
    for (int wanted = 0; wanted < THRONG_THREADS_COUNT; wanted++) {
      throng_world *world = flock((throng_threads)wanted, 3, NULL);
      const throng_world_def def = throng_world_get_def(world);
      throng_world_destroy(world);
      const int chosen = threads < 0 ? wanted : threads;
#ifdef _OPENMP
      assert_int_equal(def.threads, chosen);
#else
      assert_int_equal(def.threads, chosen == THRONG_THREADS_SERIAL ? chosen : THRONG_THREADS_TEAM);
#endif
      assert_int_equal(def.thread_count, chosen == THRONG_THREADS_SERIAL ? 1 : 3);
    }
  }
  static const char *const unknown[] = {"fast", "TEAM", "team, serial", "1"};
  for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
    char refusal[120];
    throng_error error;
    throng_world *world = NULL;
    throng_world_def def = throng_default_world_def();
    setenv("THRONG_THREADS", unknown[k], 1);
    snprintf(refusal, sizeof refusal, "THRONG_THREADS=%s: allowed: openmp, team, serial, auto", unknown[k]);
    require_error(throng_world_create(&def, &world, &error), THRONG_ERROR_UNSUPPORTED, &error);
    assert_string_equal(error.text, refusal);
    assert_null(world);
  }
  unsetenv("THRONG_THREADS");
  if (kept) setenv("THRONG_THREADS", kept, 1);
  free(kept);
}

/* Frames of three threads, of which each late one is followed by fewer threads for longer. */
static void late_runs_get_fewer_threads_for_some_frames(void **state) {
  (void)state;
  struct team_size size = team_size_start(8);
  team_size_note(&size, 30000, 20000); /* the wait for the last task */
  assert_int_equal(team_size_next(&size, 8, 8), 8);
  team_size_note(&size, 30000, 4000000);
  assert_int_equal(team_size_next(&size, 3, 8), 2);
  team_size_note(&size, 30000, 4000000);
  assert_int_equal(team_size_next(&size, 3, 8), 1);
  uint32_t frames = 0, threads = 1, last = 1;
  for (; threads < 8; last = threads, frames++) {
    threads = team_size_next(&size, 8, 8);
    assert_in_range(threads, last, last + (last + 2) / 3);
  }
  assert_in_range(frames, 4 * 4 * TEAM_LEAST_PATIENCE, 8 * 16 * TEAM_LEAST_PATIENCE);
  for (int k = 0; k < 20; k++) {
    team_size_note(&size, 30000, 4000000);
    threads = team_size_next(&size, 8, 8);
  }
  assert_int_equal(threads, 1);
  for (frames = 0; team_size_next(&size, 8, 8) == 1; frames++) {
  }
  assert_int_equal(frames + 1, TEAM_MOST_PATIENCE);
}

#define SECOND_NS 1000000000u

static void the_second_late_frame_of_a_second_leaves_openmp(void **state) {
  (void)state;
  struct team_size size = team_size_start(2);
  uint64_t now = 5;
  for (int k = 0; k < 5; k++, now += SECOND_NS + 1) { /* late frames, each more than a second after the last */
    assert_false(team_size_leaves_openmp(&size, now + 7));
    team_size_note(&size, 30000, 4000000);
    assert_false(team_size_leaves_openmp(&size, now));
    assert_int_equal(team_size_next(&size, 2, 2), 2);
  }
  team_size_note(&size, 30000, 4000000);
  assert_true(team_size_leaves_openmp(&size, now - 1));
  assert_true(size.own);
}

struct sleepers {
  _Atomic bool sleep;
  _Atomic uint32_t others; /* events of other threads than the calling one */
};

static void sleep_in_others(const throng_trace_event *event, void *context) {
  struct sleepers *sleepers = context;
  if (event->worker == 0) return;
  atomic_fetch_add(&sleepers->others, 1);
  if (atomic_load(&sleepers->sleep)) usleep(3000);
}

/* Steps until a frame has events of other threads (`wanted`), or has none. */
static void step_until(throng_world *world, struct sleepers *sleepers, bool wanted) {
  for (int frame = 0; frame < 20000; frame++) {
    atomic_store(&sleepers->others, 0);
    stage_step(world, 0.001f);
    if ((atomic_load(&sleepers->others) > 0) == wanted) return;
  }
  fail();
}

static void a_world_does_without_late_threads(void **state) {
  (void)state;
  for (int threads = 0; threads < THRONG_THREADS_COUNT; threads++) {
    if (threads == THRONG_THREADS_SERIAL || !has((throng_threads)threads)) continue;
    struct sleepers sleepers = {false, 0};
    const throng_trace_hook hook = {sleep_in_others, &sleepers};
    throng_world *world = flock((throng_threads)threads, 2, &hook);
    step_until(world, &sleepers, true);
    atomic_store(&sleepers.sleep, true);
    step_until(world, &sleepers, true);
    step_until(world, &sleepers, false);
    atomic_store(&sleepers.sleep, false);
    step_until(world, &sleepers, true);
    throng_world_destroy(world);
  }
}

static void count_line(const char *text, void *context) {
  if (strstr(text, "goes over to threads of its own")) ++*(uint32_t *)context;
}

static void a_world_leaves_openmp_for_good(void **state) {
  (void)state;
  if (!has(THRONG_THREADS_AUTO)) skip();
  const uint64_t expected = run_once(THRONG_THREADS_SERIAL, 0);
  struct sleepers sleepers = {true, 0};
  uint32_t lines = 0;
  throng_world_def def = throng_default_world_def();
  assert_int_equal(def.threads, THRONG_THREADS_AUTO);
  def.thread_count = 2;
  def.log = (throng_log_hook){count_line, &lines};
  def.trace = (throng_trace_hook){sleep_in_others, &sleepers};
  throng_world *world = flock_of(&def);
  assert_true(run(world) == expected);
  for (int frame = 0; frame < 3 * FRAMES; frame++) stage_step(world, 0.001f);
  assert_int_equal(lines, 1);
  throng_world_destroy(world);
}

/* Returns how many threads this process has; 0 where that is not known. */
static uint32_t threads_of_process(void) {
  uint32_t count = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return 0;
  for (const struct dirent *task = readdir(tasks); task; task = readdir(tasks)) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

/* A thread that was joined may be in /proc for a moment. */
static void require_threads(uint32_t expected) {
  for (int k = 0; k < 2000 && threads_of_process() != expected; k++) usleep(1000);
  assert_int_equal(threads_of_process(), expected);
}

static void the_team_ends_with_its_world(void **state) {
  (void)state;
  if (!has(THRONG_THREADS_TEAM)) skip();
  const uint32_t before = threads_of_process();
  throng_world *first = flock(THRONG_THREADS_TEAM, 4, NULL), *second = flock(THRONG_THREADS_TEAM, 3, NULL);
  require_threads(before); /* they start in the first frame */
  const uint64_t hash = run(first);
  require_threads(before ? before + 3 : 0);
  assert_true(run(second) == hash);
  require_threads(before ? before + 5 : 0);
  throng_world_destroy(first);
  require_threads(before ? before + 2 : 0);
  throng_world_destroy(second);
  require_threads(before);
}

struct host_thread {
  pthread_t thread;
  uint64_t expected;
  uint32_t wrong;
};

static void *live_through_worlds(void *context) {
  struct host_thread *own = context;
  for (uint32_t k = 0; k < WORLDS; k++) {
    throng_world *world = NULL, *other = NULL;
    throng_world_def def = throng_default_world_def();
    throng_agents_def agents = throng_default_agents_def();
    static const throng_vec3 spot = {1, 0, 1};
    def.threads = THRONG_THREADS_TEAM;
    def.thread_count = 1 + k % 4;
    throng_vec3 p[600];
    for (uint32_t i = 0; i < 600; i++) p[i] = (throng_vec3){(float)(i % 30), 0, (float)(i / 30) * 0.5f};
    agents.position.data = p;
    own->wrong += throng_world_create(&def, &world, NULL) != THRONG_OK;
    own->wrong += throng_world_create(&def, &other, NULL) != THRONG_OK;
    own->wrong += throng_agents_add(world, &agents, 600, NULL, NULL) != THRONG_OK;
    agents.position.data = &spot;
    own->wrong += throng_agents_add(other, &agents, 1, NULL, NULL) != THRONG_OK;
    for (int frame = 0; frame < 3; frame++) {
      own->wrong += throng_world_step(world, 0.02f, NULL) != THRONG_OK;
      own->wrong += throng_world_step(other, 0.02f, NULL) != THRONG_OK;
    }
    const uint64_t hash = throng_world_hash(world, 0);
    if (own->expected == 0) own->expected = hash;
    own->wrong += hash != own->expected;
    throng_world_destroy(other);
    throng_world_destroy(world);
  }
  return NULL;
}

static void host_threads_may_have_worlds_of_their_own(void **state) {
  (void)state;
  const uint32_t before = threads_of_process();
  struct host_thread host[HOST_THREADS] = {0};
  live_through_worlds(&host[0]);
  for (uint32_t k = 0; k < HOST_THREADS; k++) {
    host[k].expected = host[0].expected;
    assert_int_equal(pthread_create(&host[k].thread, NULL, live_through_worlds, &host[k]), 0);
  }
  for (uint32_t k = 0; k < HOST_THREADS; k++) {
    pthread_join(host[k].thread, NULL);
    assert_int_equal(host[k].wrong, 0);
  }
  require_threads(before);
}

static void a_region_of_the_host_steps_serially(void **state) {
  (void)state;
#ifdef _OPENMP
  const uint64_t expected = run_once(THRONG_THREADS_SERIAL, 0);
  uint32_t wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
  {
    const uint32_t before = threads_of_process();
    throng_world *world = NULL;
    /* cmocka's checks must not fail on another thread. */
#pragma omp critical
    world = flock(THRONG_THREADS_TEAM, 3, NULL);
    for (int frame = 0; frame < FRAMES; frame++) wrong += throng_world_step(world, 0.02f, NULL) != THRONG_OK;
    wrong += throng_world_hash(world, STATE_COLUMNS) != expected;
    wrong += threads_of_process() != before;
    throng_world_destroy(world);
  }
  assert_int_equal(wrong, 0);
#else
  (void)state;
  skip();
#endif
}

#if defined(__linux__) && defined(__GLIBC__)
#define TEAM_STACK ((size_t)8 << 20)
static _Atomic size_t smallest_stack;

static void note_stack(const throng_trace_event *event, void *context) {
  pthread_attr_t attributes;
  void *address;
  size_t size = 0;
  (void)context;
  if (event->worker == 0 || pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  pthread_attr_getstack(&attributes, &address, &size);
  pthread_attr_destroy(&attributes);
  size_t known = atomic_load(&smallest_stack);
  while ((known == 0 || size < known) && !atomic_compare_exchange_weak(&smallest_stack, &known, size)) {
  }
}

/* Whatever the usual size of a stack is. */
static void a_worker_has_the_stack_that_the_manual_names(void **state) {
  (void)state;
  if (!has(THRONG_THREADS_TEAM)) skip();
  const throng_trace_hook hook = {note_stack, NULL};
  throng_world *world = flock(THRONG_THREADS_TEAM, 4, &hook);
  for (int k = 0; k < 1000 && atomic_load(&smallest_stack) == 0; k++) run(world);
  throng_world_destroy(world);
  assert_in_range(atomic_load(&smallest_stack), TEAM_STACK - 64 * 1024, TEAM_STACK);
}

/* In a process that may have no more memory for stacks: all frames are as on one thread. */
static void threads_that_the_system_refuses_are_not_missed(void **state) {
  (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  skip(); /* they reserve terabytes */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  skip();
#endif
#endif
  if (!has(THRONG_THREADS_TEAM)) skip();
  const uint64_t expected = run_once(THRONG_THREADS_SERIAL, 0);
  fflush(NULL);
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    char line[256];
    unsigned long pages = 0;
    throng_world *world = flock(THRONG_THREADS_TEAM, 8, NULL);
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || !fgets(line, sizeof line, file) || sscanf(line, "%lu", &pages) != 1) _exit(2);
    fclose(file);
    const rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + TEAM_STACK * 9 / 8; /* one stack fits */
    const struct rlimit limit = {bytes, bytes};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(3);
    for (int frame = 0; frame < FRAMES; frame++)
      if (throng_world_step(world, 0.02f, NULL) != THRONG_OK) _exit(4);
    if (threads_of_process() > 2) _exit(5);
    _exit(throng_world_hash(world, STATE_COLUMNS) == expected ? 0 : 6);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
#if defined(__linux__) && defined(__GLIBC__)
    cmocka_unit_test(threads_that_the_system_refuses_are_not_missed), /* forks: before the process has threads */
#endif
    cmocka_unit_test(all_threads_give_the_same_bits),
    cmocka_unit_test(the_definition_and_the_environment_choose),
    cmocka_unit_test(late_runs_get_fewer_threads_for_some_frames),
    cmocka_unit_test(the_second_late_frame_of_a_second_leaves_openmp),
    cmocka_unit_test(a_world_does_without_late_threads),
    cmocka_unit_test(a_world_leaves_openmp_for_good),
    cmocka_unit_test(the_team_ends_with_its_world),
    cmocka_unit_test(host_threads_may_have_worlds_of_their_own),
    cmocka_unit_test(a_region_of_the_host_steps_serially),
#if defined(__linux__) && defined(__GLIBC__)
    cmocka_unit_test(a_worker_has_the_stack_that_the_manual_names),
#endif
  };
  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
