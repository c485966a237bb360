/* tests/promises/test_model.c: random sequences of public calls, applied to a world and to a simple model of it. A
 * sequence that fails, kills the process or does not end is shortened and printed. THRONG_TEST_SEED chooses the
 * sequences, THRONG_TEST_SEQUENCES their number; with THRONG_TEST_TRACE each call is printed before it is made.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* fork, MAP_ANONYMOUS */
#include "support/check.h"
#include "support/model.h"
#include "support/shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST 90u
#define PATIENCE 60u /* seconds for one sequence */

static uint64_t base_seed;

static uint32_t make_sequence(uint64_t seed, uint64_t numbers[LONGEST]) {
  test_rng rng = rng_from(seed);
  const uint32_t count = 2 + rng_below(&rng, LONGEST - 1);
  for (uint32_t k = 0; k < count; k++) numbers[k] = rng_next(&rng);
  return count;
}

static bool run_fails(const uint64_t *numbers, uint32_t count, void *planted) {
  char why[MODEL_WHY];
  return !model_run(numbers, count, *(bool *)planted, why);
}

/* Runs the sequence in another process. Returns whether that process is killed or exits with an error. With `planted`,
 * a difference between world and model aborts the process. */
static bool run_dies(const uint64_t *numbers, uint32_t count, void *planted) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    char why[MODEL_WHY];
    alarm(PATIENCE);
    if (freopen("/dev/null", "w", stderr) == NULL) _exit(0);
    if (!model_run(numbers, count, *(bool *)planted, why) && *(bool *)planted) abort();
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) abort();
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static void tell(const uint64_t *numbers, uint32_t count, const char *why) {
  print_error("  %s\n  the shortened sequence:\n  world 0x%016" PRIx64 "\n", why, numbers[0]);
  for (uint32_t k = 1; k < count; k++)
    print_error("  call  0x%016" PRIx64 ", %s\n", numbers[k], model_operation(numbers[k]));
}

static uint32_t how_many(void) {
  const char *text = getenv("THRONG_TEST_SEQUENCES");
  if (text != NULL && text[0] != '\0') return (uint32_t)strtoul(text, NULL, 0);
#if defined(NDEBUG)
  return 3000;
#else
  return 1000;
#endif
}

/* Shared memory: written by the process that runs the sequences, read by the one that waits for it. */
struct progress {
  uint32_t sequence;
  uint64_t calls;
};

/* Runs all sequences. Returns false after the first one in which world and model differ. */
static bool run_all(struct progress *progress, uint32_t sequences) {
  for (uint32_t s = 0; s < sequences; s++) {
    uint64_t numbers[LONGEST];
    bool planted = false;
    uint32_t count = make_sequence(base_seed + s, numbers);
    progress->sequence = s;
    alarm(PATIENCE);
    progress->calls += count - 1;
    if (!run_fails(numbers, count, &planted)) continue;
    char why[MODEL_WHY];
    print_error("sequence of seed %" PRIu64 ":\n", base_seed + s);
    alarm(0);
    count = shrink(numbers, count, run_fails, &planted);
    (void)model_run(numbers, count, false, why);
    tell(numbers, count, why);
    return false;
  }
  return true;
}

static void tell_what_kills(uint64_t seed) {
  uint64_t numbers[LONGEST];
  bool planted = false;
  uint32_t count = make_sequence(seed, numbers);
  print_error("sequence of seed %" PRIu64 ":\n", seed);
  if (!run_dies(numbers, count, &planted)) {
    print_error("  killed the process or did not end, but not when run alone\n");
    return;
  }
  count = shrink(numbers, count, run_dies, &planted);
  tell(numbers, count, "kills the process or does not end");
}

/* Runs the sequences in another process, so that this one can report which sequence killed it. */
static void world_and_model_agree(void **state) {
  (void)state;
  const uint32_t sequences = how_many();
  struct progress *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(progress != MAP_FAILED);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) exit(run_all(progress, sequences) ? EXIT_SUCCESS : EXIT_FAILURE);
  int status = 0;
  assert_true(child > 0 && waitpid(child, &status, 0) == child);
  const bool agreed = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
  const bool told = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE;
  if (!agreed && !told) tell_what_kills(base_seed + progress->sequence);
  print_message("%u sequences, %" PRIu64 " calls\n", sequences, progress->calls);
  munmap(progress, sizeof *progress);
  assert_true(agreed);
}

/* Checks that shrinking leaves only an add and two removals of a sequence that shows the planted defect. */
static void require_shrinks(fails_on *fails, uint32_t sequences) {
  uint32_t found = 0;
  for (uint32_t s = 0; s < sequences; s++) {
    uint64_t numbers[LONGEST];
    bool planted = true;
    uint32_t count = make_sequence(base_seed + 1000000 + s, numbers);
    if (!fails(numbers, count, &planted)) continue;
    count = shrink(numbers, count, fails, &planted);
    assert_int_equal(count, 4); /* the world's number and three calls */
    assert_string_equal(model_operation(numbers[1]), "add");
    assert_string_equal(model_operation(numbers[2]), "remove");
    assert_string_equal(model_operation(numbers[3]), "remove");
    found++;
  }
  assert_true(found >= sequences / 4);
}

static void failures_shrink(void **state) {
  (void)state;
  require_shrinks(run_fails, 40);
}

static void deaths_shrink(void **state) {
  (void)state;
  require_shrinks(run_dies, 4);
}

static bool has_three_sevens(const uint64_t *numbers, uint32_t count, void *calls) {
  uint32_t sevens = 0;
  for (uint32_t k = 0; k < count; k++) sevens += numbers[k] == 7;
  ++*(uint32_t *)calls;
  return sevens >= 3;
}

static void lists_shrink(void **state) {
  (void)state;
  uint64_t numbers[1000];
  uint32_t calls = 0;
  for (uint32_t k = 0; k < 1000; k++) numbers[k] = k % 90;
  assert_int_equal(shrink(numbers, 1000, has_three_sevens, &calls), 3);
  assert_true(numbers[0] == 7 && numbers[1] == 7 && numbers[2] == 7 && calls < 300);
  assert_int_equal(shrink(numbers, 3, has_three_sevens, &calls), 3);
}

int main(void) {
  base_seed = test_seed("test_model", 20260707);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_shrink),
      cmocka_unit_test(deaths_shrink), /* forks: before OpenMP has threads in this process */
      cmocka_unit_test(world_and_model_agree),
      cmocka_unit_test(failures_shrink),
  };
  return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
