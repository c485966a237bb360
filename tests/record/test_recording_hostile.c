/* tests/record/test_recording_hostile.c: tests of recordings that are truncated, changed or forged, and of failing
 * allocations: the call returns an error and leaves the world as it was. SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/memory.h"
#include "support/random.h"
#include "support/recordings.h"
#include "support/snapshots.h"

#include "record/recording_internal.h"

#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

/* A truncated recording replays the frames before the end. Then a step returns an error and leaves the world as it
 * was. */
static void cut_recordings(void **state) {
  (void)state;
  throng_world *world = quiet_world();
  tape t = {0};
  tape_record(world, &t, THRONG_RECORD_AGENTS, 4);
  throng_world *other = quiet_world();
  for (size_t size = 0; size < t.size; size += size < 64 ? 1 : 13) {
    uint8_t *bytes = malloc(size + 1);
    throng_replay replay;
    throng_error error;
    assert_non_null(bytes);
    memcpy(bytes, t.bytes, size);
    const uint64_t before = throng_world_hash(other, STATE_COLUMNS);
    if (throng_replay_begin(&replay, other, bytes, size, &error) != THRONG_OK) {
      assert_true(error.text[0] != 0 && throng_world_hash(other, STATE_COLUMNS) == before);
    } else {
      throng_status status = THRONG_OK;
      while (!throng_replay_has_ended(&replay) && status == THRONG_OK) {
        throng_replay_difference d;
        const uint64_t then = throng_world_hash(other, STATE_COLUMNS);
        status = throng_replay_step(&replay, other, &d, &error);
        if (status == THRONG_OK) assert_false(d.differs);
        if (status != THRONG_OK) assert_true(throng_world_hash(other, STATE_COLUMNS) == then);
      }
    }
    free(bytes);
  }
  throng_world_destroy(other);
  throng_world_destroy(world);
  free(t.bytes);
}

/* The replay of a recording with a flipped bit returns an error before its end. */
static void flipped_bits(void **state) {
  (void)state;
  throng_world *world = quiet_world();
  tape t = {0};
  tape_record(world, &t, THRONG_RECORD_AGENTS, 2);
  throng_world *other = quiet_world();
  test_rng rng = rng_from(base_seed + 500);
  for (int k = 0; k < 2000; k++) {
    const size_t at = rng_below(&rng, (uint32_t)t.size);
    const uint8_t bit = (uint8_t)(1u << rng_below(&rng, 8));
    throng_replay replay;
    throng_error error;
    t.bytes[at] ^= bit;
    throng_status status = throng_replay_begin(&replay, other, t.bytes, t.size, &error);
    while (status == THRONG_OK && !throng_replay_has_ended(&replay))
      status = throng_replay_step(&replay, other, NULL, &error);
    assert_true(status != THRONG_OK);
    t.bytes[at] ^= bit;
  }
  throng_world_destroy(other);
  throng_world_destroy(world);
  free(t.bytes);
}

/* Returns a recording with one frame. The frame's edit composes a snapshot of `size` bytes of two pieces. All other
 * bytes of the recording are valid. A piece is {offset in the last snapshot, bytes to copy}; the offset UINT64_MAX
 * stands for new bytes. */
static tape forge(const tape *t, uint64_t size, uint64_t pieces[2][2]) {
  struct archive file = {.mode = ARCHIVE_READ, .in = t->bytes, .size = t->size, .at = RECORDING_HEADER}, body;
  assert_true(throng_archive_next(&file, TAG_BASE, 0, &body));
  const size_t begin = file.at;
  assert_true(throng_archive_next(&file, TAG_FRAME, 0, &body));
  uint8_t *head = t->bytes + (body.in - t->bytes);
  uint64_t honest;
  throng_archive_take(&body, 1, 4 + 8);
  throng_archive_u64(&body, &honest);
  throng_edit_pass(&body, honest);
  tape forged = {.bytes = malloc(t->size + 64)};
  assert_non_null(forged.bytes);
  struct archive out = {.mode = ARCHIVE_WRITE, .out = forged.bytes, .size = t->size + 64};
  throng_archive_bytes(&out, t->bytes, begin);
  const size_t begun = throng_archive_begin(&out, TAG_FRAME, 0);
  throng_archive_bytes(&out, head, 4 + 8);
  throng_archive_u64(&out, &size);
  for (int k = 0; k < 4; k++) throng_archive_u64(&out, &pieces[k / 2][k % 2]);
  throng_archive_bytes(&out, head + body.at, body.size - body.at);
  throng_archive_end(&out, begun);
  uint64_t checksum = throng_archive_checksum(out.out + begun, out.at - begun);
  throng_archive_u64(&out, &checksum);
  assert_false(out.failed);
  forged.size = out.at;
  return forged;
}

static void pieces_that_lie(void **state) {
  (void)state;
  throng_world *world = quiet_world(), *other = quiet_world();
  tape t = {0};
  throng_recorder *recorder;
  throng_error error;
  const throng_record_hook hook = tape_hook(&t);
  const throng_agent_id id = {77, 1, 0};
  size_t size;
  require_ok(throng_recorder_create(world, &hook, THRONG_RECORD_AGENTS, &recorder, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, &id, 1, &(throng_vec3){1, 0, 1}, 0, &error), &error);
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  throng_recorder_destroy(recorder);
  require_ok(throng_world_save_snapshot(world, NULL, 0, &size, &error), &error);
  struct lie {
    uint64_t size, pieces[2][2];
    const char *text;
  } lies[] = {{size, {{8, size - 8}, {0, 8}}, "not well-formed"},        /* in the wrong order */
              {size, {{0, size - 8}, {0, 8}}, "not well-formed"},        /* the same bytes twice */
              {size - 8, {{0, size - 16}, {size - 8, 8}}, "snapshot: "}, /* the result is not a snapshot */
              {size, {{0, 8}, {9, size - 8}}, "takes more"},
              {size, {{0, 8}, {UINT64_MAX - 1, size - 8}}, "not well-formed"},
              {size, {{0, 0}, {0, size}}, "not well-formed"},
              {size, {{0, 8}, {8, size}}, "not well-formed"},
              {size, {{0, 8}, {UINT64_MAX, size - 8}}, "not well-formed"}, /* new bytes beyond the end */
              {(uint64_t)1 << 40, {{0, 8}, {8, ((uint64_t)1 << 40) - 8}}, "larger"},
              {UINT64_MAX, {{0, 8}, {8, UINT64_MAX - 8}}, "larger"}};
  for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
    tape forged = forge(&t, lies[k].size, lies[k].pieces);
    throng_replay replay;
    require_ok(throng_replay_begin(&replay, other, forged.bytes, forged.size, &error), &error);
    const uint64_t hash = throng_world_hash(other, STATE_COLUMNS);
    const throng_status status = throng_replay_step(&replay, other, NULL, &error);
    if (status != THRONG_ERROR_BAD_VALUE || !strstr(error.text, lies[k].text))
      print_error("lie %zu: status %d, %s\n", k, (int)status, error.text);
    assert_true(status == THRONG_ERROR_BAD_VALUE && strstr(error.text, lies[k].text));
    assert_true(throng_world_hash(other, STATE_COLUMNS) == hash);
    free(forged.bytes);
  }
  uint64_t nothing[2][2] = {{0, 8}, {8, size - 8}}; /* well-formed, but without the host's change */
  tape forged = forge(&t, size, nothing);
  throng_replay replay;
  throng_replay_difference d;
  require_ok(throng_replay_begin(&replay, other, forged.bytes, forged.size, &error), &error);
  require_ok(throng_replay_step(&replay, other, &d, &error), &error);
  assert_true(d.differs && d.agent.index == id.index);
  free(forged.bytes);
  throng_world_destroy(other);
  throng_world_destroy(world);
  free(t.bytes);
}

/* Returns a world with the recording's definition and the test's allocator. */
static throng_world *counted_world(const tape *t, test_memory *memory) {
  throng_world_def def;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_replay_get_def(t->bytes, t->size, &def, &error), &error);
  def.allocator = test_allocator(memory);
  require_ok(throng_world_create(&def, &world, &error), &error);
  return world;
}
static void require_given_back(throng_world *world, const test_memory *memory) {
  throng_world_destroy(world);
  assert_int_equal(memory->mistakes, 0);
  assert_int_equal(memory->live, 0);
}

/* Returns a recording of two frames, with changes before the second. */
static tape short_tape(void) {
  tape t = {0};
  throng_world *world = quiet_world();
  throng_recorder *recorder;
  throng_error error;
  const throng_record_hook hook = tape_hook(&t);
  require_ok(throng_recorder_create(world, &hook, THRONG_RECORD_AGENTS, &recorder, &error), &error);
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  stir_world(world, 5);
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  throng_recorder_destroy(recorder);
  throng_world_destroy(world);
  return t;
}

/* Each allocation of a replay fails in turn: the state is unchanged and no memory leaks. */
static void failing_memory(void **state) {
  (void)state;
  tape t = short_tape();
  bool done = false;
  for (uint32_t fail_at = 1; !done; fail_at++) {
    test_memory memory = {0};
    throng_world *world = counted_world(&t, &memory);
    throng_replay replay;
    throng_error error;
    memory.fail_at = memory.calls + fail_at;
    throng_status status = throng_replay_begin(&replay, world, t.bytes, t.size, &error);
    while (status == THRONG_OK && !throng_replay_has_ended(&replay)) {
      const uint64_t before = throng_world_hash(world, STATE_COLUMNS);
      status = throng_replay_step(&replay, world, NULL, &error);
      if (status != THRONG_OK) assert_true(before == throng_world_hash(world, STATE_COLUMNS));
    }
    done = status == THRONG_OK;
    if (!done) assert_int_equal(status, THRONG_ERROR_OUT_OF_MEMORY);
    require_given_back(world, &memory);
  }
  free(t.bytes);
}

/* Each allocation of a recorder fails in turn; when memory is available again, the recorder works again. If the world
 * does not grow, recording allocates nothing. */
static void a_recorders_memory(void **state) {
  (void)state;
  tape t = short_tape();
  uint64_t hash = 0;
  bool done = false;
  for (uint32_t fail_at = 1; !done; fail_at++) {
    test_memory memory = {0};
    throng_world *world = counted_world(&t, &memory);
    tape other = {0};
    const throng_record_hook hook = tape_hook(&other);
    throng_recorder *recorder = NULL;
    throng_replay replay;
    throng_error error;
    require_ok(throng_replay_begin(&replay, world, t.bytes, t.size, &error), &error);
    require_ok(throng_world_index(world, &error), &error);
    memory.fail_at = memory.calls + fail_at;
    throng_status status = throng_recorder_create(world, &hook, THRONG_RECORD_AGENTS, &recorder, &error);
    const bool created = status == THRONG_OK;
    for (int k = 0; k < 3 && created && status == THRONG_OK; k++)
      status = throng_recorder_step(recorder, TAPE_DT, &error);
    done = status == THRONG_OK;
    if (!done) assert_int_equal(status, THRONG_ERROR_OUT_OF_MEMORY);
    if (!created) assert_null(recorder);
    memory.fail_at = 0;
    if (!created) require_ok(throng_recorder_create(world, &hook, THRONG_RECORD_AGENTS, &recorder, &error), &error);
    while (throng_world_frame(world) < 3) require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
    if (hash == 0) hash = throng_world_hash(world, STATE_COLUMNS);
    assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);

    const uint64_t calls = memory.calls;
    const throng_agent_id id = {77, 1, 0};
    for (int k = 0; k < 4; k++) {
      require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, &id, 1, &(throng_vec3){(float)k, 0, 1}, 0, &error),
                 &error);
      require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
    }
    assert_int_equal(memory.calls, calls);
    throng_recorder_destroy(recorder);
    require_given_back(world, &memory);
    free(other.bytes);
  }
  free(t.bytes);
}

int main(void) {
  base_seed = test_seed("test_recording_hostile", 21);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cut_recordings), cmocka_unit_test(flipped_bits),       cmocka_unit_test(pieces_that_lie),
      cmocka_unit_test(failing_memory), cmocka_unit_test(a_recorders_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
