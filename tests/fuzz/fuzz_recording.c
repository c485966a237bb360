/* tests/fuzz/fuzz_recording.c: any bytes as a recording, with the checksums of its snapshot and its frames put right. A world that
 * refuses a part is as it was before; one that takes it is sound. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"
#include "support/snapshots.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

static void seal(uint8_t *bytes, size_t size) {
  struct archive file = {.mode = ARCHIVE_READ, .in = bytes, .size = size, .at = RECORDING_HEADER}, body;
  if (size < RECORDING_HEADER || !throng_archive_next(&file, TAG_BASE, 0, &body)) return;
  if (body.size > 28) {
    snapshot base = {bytes + (body.in - bytes), body.size};
    snapshot_seal(&base);
  }
  for (size_t begun = file.at; throng_archive_next(&file, TAG_FRAME, 0, &body); begun = file.at) {
    const size_t end = file.at;
    if (!throng_archive_take(&file, 1, RECORDING_CHECKSUM)) return;
    struct archive patch = {.mode = ARCHIVE_WRITE, .out = bytes, .size = size, .at = end};
    uint64_t checksum = throng_archive_checksum(bytes + begun, end - begun);
    throng_archive_u64(&patch, &checksum);
  }
}

static void replay_all(throng_world *world, const uint8_t *bytes, size_t size) {
  throng_replay replay;
  if (throng_replay_begin(&replay, world, bytes, size, NULL) != THRONG_OK) return;
  for (int frame = 0; frame < 8 && !throng_replay_ended(&replay); frame++) {
    throng_replay_difference difference;
    snapshot before = snapshot_take(world);
    const throng_status status = throng_replay_step(&replay, world, &difference, NULL);
    require(throng_world_check(world, NULL), "the world is sound");
    if (status != THRONG_OK)
      require(snapshot_is_of(&before, world), "a frame that was refused left the world as it was");
    snapshot_free(&before);
    if (status != THRONG_OK) return;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *bytes = malloc(size + 1);
  throng_world_def def;
  throng_world *world = NULL;
  if (!bytes) return 0;
  memcpy(bytes, data, size);
  seal(bytes, size);
  if (throng_replay_world_def(bytes, size, &def, NULL) == THRONG_OK) {
    def.thread_count = 1;
    require(throng_world_create(&def, &world, NULL) == THRONG_OK, "a definition that was read makes a world");
    replay_all(world, bytes, size);
  }
  throng_world_destroy(world);
  free(bytes);
  return 0;
}
