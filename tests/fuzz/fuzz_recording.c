/* tests/fuzz/fuzz_recording.c: replays any bytes as a recording, after its checksums have been made valid. A world that
 * refuses a frame must be unchanged; one that accepts it must be sound. The bytes also go directly to throng_edit_pass,
 * throng_edit_apply and throng_edit_write: in a recording, a bad edit usually gives a snapshot with a wrong checksum,
 * which is refused before most of the decoder runs.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/recording_internal.h"
#include "support/snapshots.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "failed: %s\n", what);
  abort();
}

/* Makes the checksums of the snapshot and of all frames valid. */
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
  for (int frame = 0; frame < 8 && !throng_replay_has_ended(&replay); frame++) {
    throng_replay_difference difference;
    snapshot before = snapshot_take(world);
    const throng_status status = throng_replay_step(&replay, world, &difference, NULL);
    require(throng_world_check(world, NULL), "the world is sound");
    if (status != THRONG_OK) require(snapshot_is_of(&before, world), "a refused frame leaves the world as it was");
    snapshot_free(&before);
    if (status != THRONG_OK) return;
  }
}

/* Applies the bytes as an edit. The first two bytes are the number of old bytes, which are all zero; the next two are
 * the number of new bytes. */
static void edit_by(const uint8_t *data, size_t size) {
  struct archive pieces = {.mode = ARCHIVE_READ, .in = data, .size = size}, passed;
  uint16_t last_size = 0, now_size = 0;
  throng_archive_u16(&pieces, &last_size);
  throng_archive_u16(&pieces, &now_size);
  passed = pieces;
  throng_edit_pass(&passed, now_size);
  if (pieces.failed || passed.failed) return;
  uint8_t *last = calloc(last_size + 1u, 1), *now = malloc(now_size + 1u);
  if (last && now) throng_edit_apply(pieces, last, last_size, now, now_size);
  free(last);
  free(now);
}

/* Writes the edit that turns the first half of the bytes into the second, applies it, and compares the result. */
static void edit_to(const uint8_t *data, size_t size) {
  const size_t half = size / 2, rest = size - half;
  uint8_t *last = malloc(half + 1), *now = malloc(rest + 1), *made = malloc(rest + 1), *out = malloc(rest + 16);
  uint32_t *table = malloc(throng_edit_table_bytes(half));
  if (!last || !now || !made || !out || !table) abort();
  memcpy(last, data, half);
  memcpy(now, data + half, rest);
  struct archive written = {.mode = ARCHIVE_WRITE, .out = out, .size = rest + 16};
  throng_edit_write(&written, last, half, now, rest, table);
  require(!written.failed, "an edit takes at most 16 bytes more than its result");
  struct archive pieces = {.mode = ARCHIVE_READ, .in = out, .size = written.at}, passed = pieces;
  throng_edit_pass(&passed, rest);
  require(throng_archive_complete(&passed), "a written edit is well-formed");
  require(throng_edit_apply(pieces, last, half, made, rest), "a written edit can be applied");
  require(memcmp(made, now, rest) == 0, "an edit gives the bytes that it was written for");
  free(last);
  free(now);
  free(made);
  free(out);
  free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  edit_by(data, size);
  edit_to(data, size);
  uint8_t *bytes = malloc(size + 1);
  throng_world_def def;
  throng_world *world = NULL;
  if (!bytes) return 0;
  memcpy(bytes, data, size);
  seal(bytes, size);
  if (throng_replay_get_def(bytes, size, &def, NULL) == THRONG_OK) {
    def.thread_count = 1;
    require(throng_world_create(&def, &world, NULL) == THRONG_OK, "a definition that was read can make a world");
    replay_all(world, bytes, size);
  }
  throng_world_destroy(world);
  free(bytes);
  return 0;
}
