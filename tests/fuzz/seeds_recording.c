/* tests/fuzz/seeds_recording.c: writes the seeds of fuzz_recording to a folder: recordings of small random worlds.
 * usage: seeds_recording FOLDER
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "support/snapshots.h"

static bool write_part(const void *bytes, size_t size, void *context) {
  return fwrite(bytes, 1, size, (FILE *)context) == size;
}

static bool record(const char *folder, uint32_t seed) {
  char path[1024];
  snprintf(path, sizeof path, "%s/seed%u", folder, seed);
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  throng_world *world = small_furnished_world(seed, NULL);
  const throng_record_hook hook = {write_part, file};
  throng_recorder *recorder = NULL;
  bool good = throng_recorder_create(world, &hook, seed % 2 ? THRONG_RECORD_AGENTS : THRONG_RECORD_FRAMES, &recorder,
                                     NULL) == THRONG_OK;
  for (uint32_t frame = 0; frame < 4 && good; frame++) {
    if (frame % 2) stir_world(world, seed + frame);
    throng_recorder_step(recorder, 0.02f, NULL);
  }
  throng_recorder_destroy(recorder);
  throng_world_destroy(world);
  return fclose(file) == 0 && good;
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  for (uint32_t seed = 0; seed < 30; seed++) {
    if (record(arguments[1], seed)) continue;
    fprintf(stderr, "seeds_recording: cannot write to %s\n", arguments[1]);
    return 1;
  }
  return 0;
}
