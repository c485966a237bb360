/* tests/world/test_create.c: tests of the log line and the errors of throng_world_create.
 * SPDX-License-Identifier: MIT */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* setenv */
#endif
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct said {
  char text[200];
  uint32_t lines;
};

static void hear(const char *text, void *context) {
  struct said *said = context;
  said->lines++;
  snprintf(said->text, sizeof said->text, "%s", text);
}

static void the_log_names_space_instruction_set_and_workers(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++)
    for (uint32_t threads = 1; threads <= 2; threads++) {
      struct said said = {.lines = 0};
      throng_world_def def = throng_default_world_def();
      def.space = (throng_space)space;
      def.thread_count = threads;
      def.log = (throng_log_hook){hear, &said};
      throng_world *world = NULL;
      throng_error error;
      require_ok(throng_world_create(&def, &world, &error), &error);
      const throng_world_def made = throng_world_get_def(world);
      char expected[200];
      snprintf(expected, sizeof expected, "throng %d.%d.%d: %s world, %s, %u worker%s", THRONG_VERSION_MAJOR,
               THRONG_VERSION_MINOR, THRONG_VERSION_PATCH, space ? "spatial" : "planar", throng_isa_name(made.isa),
               made.thread_count, made.thread_count == 1 ? "" : "s");
#if !defined(__OPTIMIZE__) /* the library is compiled with the same options as this file */
      strcat(expected, "; compiled without optimisation: slow");
#endif
      assert_string_equal(said.text, expected);
      assert_int_equal(said.lines, 1);
      throng_world_destroy(world);
    }
}

/* Creates and destroys a world. If `refusal` is not NULL, throng_world_create must fail with this text. */
static void create(throng_isa isa, const char *refusal) {
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
  def.isa = isa;
  throng_world *world = NULL;
  throng_error error;
  if (refusal) {
    require_error(throng_world_create(&def, &world, &error), THRONG_ERROR_UNSUPPORTED, &error);
    assert_string_equal(error.text, refusal);
    assert_null(world);
  } else {
    require_ok(throng_world_create(&def, &world, &error), &error);
  }
  throng_world_destroy(world);
}

/* CMake's list of the instruction sets in the build: "baseline, avx2". */
static const char built_sets[] = BUILT_SETS;

static bool is_built(const char *name) {
  const char *at = strstr(built_sets, name);
  return at && (at == built_sets || at[-1] == ' ') && (at[strlen(name)] == 0 || at[strlen(name)] == ',');
}

static void an_instruction_set_that_is_not_built_is_refused_with_those_that_are(void **state) {
  (void)state;
  const char *text = getenv("THRONG_ISA");
  char *kept = text ? strdup(text) : NULL;
  static const char *const unknown[] = {"sse9", "AVX2", "baseline, avx2"};
  char refusal[200];
  for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT + 3; isa++) {
    const char *name = isa < THRONG_ISA_COUNT ? throng_isa_name((throng_isa)isa) : unknown[isa - THRONG_ISA_COUNT];
    char reason[120] = "this CPU does not have it";
    if (isa >= THRONG_ISA_COUNT || !is_built(name)) snprintf(reason, sizeof reason, "this build has %s", built_sets);
    const bool available = throng_isa_is_available((throng_isa)isa);
    assert_true(isa < THRONG_ISA_COUNT ? !available || is_built(name) : !available);
    unsetenv("THRONG_ISA");
    if (isa < THRONG_ISA_COUNT) {
      snprintf(refusal, sizeof refusal, "world.isa is %s: %s", name, reason);
      create((throng_isa)isa, available ? NULL : refusal);
    }
    snprintf(refusal, sizeof refusal, "THRONG_ISA=%s: %s", name, reason);
    setenv("THRONG_ISA", name, 1);
    create(THRONG_ISA_AUTO, available ? NULL : refusal);
  }
  unsetenv("THRONG_ISA");
  if (kept) setenv("THRONG_ISA", kept, 1);
  free(kept);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_log_names_space_instruction_set_and_workers),
      cmocka_unit_test(an_instruction_set_that_is_not_built_is_refused_with_those_that_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
