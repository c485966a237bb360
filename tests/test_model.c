/* tests/test_model.c: random sequences of public calls, each made of a world and of a simple model of it. One that fails is
 * cut down to a short one and printed. THRONG_TEST_SEED chooses others, THRONG_TEST_SEQUENCES how many, THRONG_TEST_TRACE
 * tells each call before it is made.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/model.h"
#include "support/shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 90u

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

static void tell(const uint64_t *numbers, uint32_t count) {
  char why[MODEL_WHY];
  (void)model_run(numbers, count, false, why);
  print_error("  %s\n  the shortest such sequence:\n  world 0x%016" PRIx64 "\n", why, numbers[0]);
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

static void world_and_model_agree(void **state) {
  (void)state;
  const uint32_t sequences = how_many();
  uint64_t calls = 0;
  for (uint32_t s = 0; s < sequences; s++) {
    uint64_t numbers[LONGEST];
    bool planted = false;
    uint32_t count = make_sequence(base_seed + s, numbers);
    calls += count - 1;
    if (!run_fails(numbers, count, &planted)) continue;
    print_error("sequence of seed %" PRIu64 ":\n", base_seed + s);
    count = shrink(numbers, count, run_fails, &planted);
    tell(numbers, count);
    fail();
  }
  print_message("%u sequences, %" PRIu64 " calls\n", sequences, calls);
}

/* A defect that only an add and two removals show is found, and nothing else is left of the sequence. */
static void failures_shrink(void **state) {
  (void)state;
  uint32_t found = 0;
  for (uint32_t s = 0; s < 40; s++) {
    uint64_t numbers[LONGEST];
    bool planted = true;
    uint32_t count = make_sequence(base_seed + 1000000 + s, numbers);
    if (!run_fails(numbers, count, &planted)) continue;
    count = shrink(numbers, count, run_fails, &planted);
    assert_int_equal(count, 4); /* the world's number, and three */
    assert_string_equal(model_operation(numbers[1]), "add");
    assert_string_equal(model_operation(numbers[2]), "remove");
    assert_string_equal(model_operation(numbers[3]), "remove");
    found++;
  }
  assert_true(found >= 10);
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
      cmocka_unit_test(failures_shrink),
      cmocka_unit_test(world_and_model_agree),
  };
  return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
