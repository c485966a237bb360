/* tests/fuzz/seeds_snapshot.c: writes the seeds of fuzz_snapshot to a folder: snapshots of small random worlds.
 * usage: seeds_snapshot FOLDER
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "support/snapshots.h"

static bool write_file(const char *folder, uint32_t number, const snapshot *s) {
  char path[1024];
  snprintf(path, sizeof path, "%s/seed%u", folder, number);
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  const bool written = fwrite(s->bytes, 1, s->size, file) == s->size;
  return fclose(file) == 0 && written;
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  for (uint32_t seed = 0; seed < 60; seed++) {
    throng_world *world = small_furnished_world(seed, NULL);
    snapshot s = snapshot_take(world);
    const bool written = write_file(arguments[1], seed, &s);
    snapshot_free(&s);
    throng_world_destroy(world);
    if (!written) {
      fprintf(stderr, "seeds_snapshot: cannot write to %s\n", arguments[1]);
      return 1;
    }
  }
  return 0;
}
