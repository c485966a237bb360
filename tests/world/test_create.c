/* tests/world/test_create.c: what creating a world says. SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <stdio.h>
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
#if !defined(__OPTIMIZE__) /* this file is compiled as the library is */
      strcat(expected, "; compiled without optimisation: slow");
#endif
      assert_string_equal(said.text, expected);
      assert_int_equal(said.lines, 1);
      throng_world_destroy(world);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_log_names_space_instruction_set_and_workers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
