/* tests/support/wrong.c
 * SPDX-License-Identifier: MIT */
#include "support/wrong.h"

#include <string.h>

#include "support/fingerprint.h"

throng_error wrong_error;

static struct {
  const throng_world *world;
  uint64_t print;
  bool indexed;
} watched;

void wrong_watch(const throng_world *world) {
  watched.world = world;
  watched.print = fingerprint(world);
  watched.indexed = throng_world_is_indexed(world);
}

void wrong_check(throng_status got, throng_status again, throng_status expected, const char *word, const char *call,
                 const char *file, int line) {
  require_status(got, expected, &wrong_error, call, file, line);
  require_status(again, expected, NULL, call, file, line);
  if (strstr(wrong_error.text, word) == NULL) {
    print_error("%s\n  '%s' does not name '%s'\n", call, wrong_error.text, word);
    _fail(file, line);
  }
  memset(&wrong_error, 0, sizeof wrong_error);
  if (watched.world == NULL) return;
  if (fingerprint(watched.world) == watched.print && throng_world_is_indexed(watched.world) == watched.indexed) return;
  print_error("%s\n  changed the world\n", call);
  _fail(file, line);
}
