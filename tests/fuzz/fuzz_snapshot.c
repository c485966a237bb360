/* tests/fuzz/fuzz_snapshot.c: loads any bytes as a snapshot, after its size and checksum have been made valid, so that
 * the decoder reads them. A world that refuses them must be unchanged. A world that accepts them must be sound, and a
 * snapshot of it must give the same next frames.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "support/snapshots.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "failed: %s\n", what);
  abort();
}

static throng_world *empty_world(const snapshot *s) {
  throng_world_def def;
  throng_world *world = NULL;
  if (throng_snapshot_get_def(s->bytes, s->size, &def, NULL) != THRONG_OK) return NULL;
  def.thread_count = 1;
  require(throng_world_create(&def, &world, NULL) == THRONG_OK, "a definition that was read can make a world");
  return world;
}

/* Checks that the world is sound, and that it and a world loaded from its snapshot have the same next two frames. */
static void go_on(throng_world *world) {
  require(throng_world_check(world, NULL), "the world is sound");
  snapshot saved = snapshot_take(world);
  throng_world *other = empty_world(&saved);
  require(other && throng_world_load_snapshot(other, saved.bytes, saved.size, NULL) == THRONG_OK,
          "a saved snapshot can be loaded");
  for (int frame = 0; frame < 2; frame++) {
    const throng_status status = throng_world_step(world, 0.02f, NULL);
    require(throng_world_step(other, 0.02f, NULL) == status, "both worlds return the same status from a step");
    require(throng_world_hash(world, 0) == throng_world_hash(other, 0), "both worlds have the same state after a step");
    require(throng_world_check(world, NULL), "the world is sound after a frame");
  }
  throng_world_destroy(other);
  snapshot_free(&saved);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const snapshot given = {(uint8_t *)(uintptr_t)data, size};
  snapshot sealed = snapshot_copy(&given, size);
  snapshot_seal(&sealed);
  throng_world *world = empty_world(&sealed);
  if (world) {
    snapshot before = snapshot_take(world);
    throng_error error;
    if (throng_world_load_snapshot(world, sealed.bytes, sealed.size, &error) == THRONG_OK) {
      go_on(world);
    } else {
      require(snapshot_is_of(&before, world), "a world that refused the bytes is unchanged");
    }
    snapshot_free(&before);
  }
  throng_world_destroy(world);
  snapshot_free(&sealed);
  return 0;
}
