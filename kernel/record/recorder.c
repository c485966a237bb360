/* recorder.c: writes recordings (format: docs/FORMATS.md). SPDX-License-Identifier: MIT */
#include <string.h>

#include "agents/lookup.h"
#include "agents/values.h"
#include "base/assertion.h"
#include "frame/commit.h"
#include "frame/frame.h"
#include "record/recording_internal.h"
#include "world/inspect.h"

struct throng_recorder {
  throng_world *world;
  throng_record_hook hook;
  bool agents;
  struct buffer {
    uint8_t *bytes;
    size_t size, room;
  } last, now; /* last: snapshot after the last frame; now: snapshot before this frame, with the host's changes */
  struct buffer table, record; /* table: the hash table of throng_edit_write; record: the bytes that the hook gets */
};

/* Marks. */

uint64_t throng_recording_columns(const throng_world *world) {
  uint64_t columns = 0;
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    const bool present = row->arrays > 0 && world->agents.front.f[row->first];
    if (present || column == THRONG_COLUMN_GROUP) columns |= THRONG_BIT(column);
  }
  return columns;
}

uint32_t throng_recording_mark_of(const throng_world *world, uint32_t index, uint64_t columns) {
  ASSERT(world, ids_is_live(&world->agents.ids, index));
  const uint32_t slot = throng_lookup_slot(world, (throng_agent_id){index, 0, 0});
  const uint64_t hash = throng_inspect_hash_agent(world, slot, columns);
  return (uint32_t)(hash ^ hash >> 32);
}

void throng_recording_mark(struct archive *archive, const throng_world *world, bool agents) {
  uint64_t columns = throng_recording_columns(world);
  uint32_t count = agents ? world->agents.count : 0;
  throng_archive_u64(archive, &columns);
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    if (!(columns & THRONG_BIT(column))) continue;
    uint64_t hash = archive->mode == ARCHIVE_MEASURE ? 0 : throng_world_hash(world, THRONG_BIT(column));
    throng_archive_u64(archive, &hash);
  }
  throng_archive_u32(archive, &count);
  if (throng_archive_measured(archive, (size_t)count * sizeof(uint32_t))) return;
  throng_lookup_expect(world, count);
  if (!agents) return;
  struct id_loop all = throng_lookup_all(world);
  for (uint32_t index; (index = lookup_next(&all)) != 0;) {
    uint32_t mark = throng_recording_mark_of(world, index, columns);
    throng_archive_u32(archive, &mark);
  }
}

/* Memory. */

static throng_status need_room(const throng_world *world, struct buffer *buffer, size_t room, throng_error *error) {
  if (room <= buffer->room) return THRONG_OK;
  uint8_t *bytes = throng_allocate(&world->def.allocator, room);
  if (!bytes) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of a recording", room);
  memcpy(bytes, buffer->bytes ? buffer->bytes : bytes, buffer->size);
  throng_release(&world->def.allocator, buffer->bytes, buffer->room);
  buffer->bytes = bytes;
  buffer->room = room;
  return THRONG_OK;
}

static throng_status save(const throng_world *world, struct buffer *buffer, throng_error *error) {
  return throng_world_save_snapshot(world, buffer->bytes, buffer->room, &buffer->size, error);
}

/* Indexes the world, allocates the memory that the next frame needs, and takes the snapshot before that frame. */
static throng_status prepare(throng_recorder *recorder, throng_error *error) {
  throng_world *world = recorder->world;
  size_t size;
  if (world_has_changed(world)) TRY(throng_commit_index(world, error));
  TRY(throng_world_save_snapshot(world, NULL, 0, &size, error));
  const size_t marks = 16u * THRONG_COLUMN_COUNT + (recorder->agents ? 4u * (size_t)world->agents.count : 0);
  TRY(need_room(world, &recorder->last, size, error));
  TRY(need_room(world, &recorder->now, size, error));
  TRY(need_room(world, &recorder->record, size + marks + 256, error));
  TRY(need_room(world, &recorder->table, throng_edit_table_bytes(recorder->last.room), error));
  return save(world, &recorder->now, error);
}

static bool hand_over(const throng_recorder *recorder, size_t size) {
  return recorder->hook.write(recorder->record.bytes, size, recorder->hook.context);
}
static throng_status refused(throng_error *error) {
  return throng_fail(error, THRONG_ERROR_WRITE, "the recording's hook could not write");
}

/* Calls. */

static throng_status begin(throng_recorder *recorder, throng_error *error) {
  TRY(prepare(recorder, error));
  uint8_t magic[sizeof recording_magic];
  uint32_t format = RECORDING_FORMAT;
  memcpy(magic, recording_magic, sizeof magic);
  struct archive archive = {.mode = ARCHIVE_WRITE, .out = recorder->record.bytes, .size = recorder->record.room};
  throng_archive_bytes(&archive, magic, sizeof magic);
  throng_archive_u32(&archive, &format);
  const size_t begun = throng_archive_begin(&archive, TAG_BASE, 0);
  throng_archive_bytes(&archive, recorder->now.bytes, recorder->now.size);
  throng_archive_end(&archive, begun);
  ASSERT(recorder->world, !archive.failed);
  if (!hand_over(recorder, archive.at)) return refused(error);
  return save(recorder->world, &recorder->last, error);
}

static void release(throng_recorder *recorder) {
  const throng_allocator allocator = recorder->world->def.allocator;
  throng_release(&allocator, recorder->last.bytes, recorder->last.room);
  throng_release(&allocator, recorder->now.bytes, recorder->now.room);
  throng_release(&allocator, recorder->record.bytes, recorder->record.room);
  throng_release(&allocator, recorder->table.bytes, recorder->table.room);
  throng_release(&allocator, recorder, sizeof *recorder);
}

static throng_status create_inner(throng_world *world, const throng_record_hook *hook, throng_record_detail detail,
                                  throng_recorder **recorder, throng_error *error) {
  REQUIRE_POINTER(hook, error);
  REQUIRE_POINTER(hook->write, error);
  REQUIRE_POINTER(recorder, error);
  static const char *const details[] = {"THRONG_RECORD_FRAMES", "THRONG_RECORD_AGENTS", NULL};
  TRY(throng_check_enum((int)detail, details, "detail", error));
  throng_recorder *made = throng_allocate(&world->def.allocator, sizeof *made);
  if (!made) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a recorder");
  made->world = world;
  made->hook = *hook;
  made->agents = detail == THRONG_RECORD_AGENTS;
  const throng_status status = begin(made, error);
  if (status != THRONG_OK) {
    release(made);
    return status;
  }
  *recorder = made;
  return THRONG_OK;
}

throng_status throng_recorder_create(throng_world *world, const throng_record_hook *hook, throng_record_detail detail,
                                     throng_recorder **recorder, throng_error *error) {
  RETURN_ALONE(world, error, create_inner(world, hook, detail, recorder, error));
}

void throng_recorder_destroy(throng_recorder *recorder) {
  if (!recorder) return;
  throng_world *world = recorder->world;
  CLAIM_OR_RETURN(world);
  release(recorder);
  claim_give_back(&world->claim);
}

static void write_edit(struct archive *archive, const throng_recorder *recorder) {
  const struct buffer *last = &recorder->last, *now = &recorder->now;
  const bool same = last->size == now->size && memcmp(last->bytes, now->bytes, now->size) == 0;
  uint64_t size = same ? 0 : now->size;
  ASSERT(recorder->world, recorder->table.room >= throng_edit_table_bytes(last->size));
  throng_archive_u64(archive, &size);
  if (same) return;
  throng_edit_write(archive, last->bytes, last->size, now->bytes, now->size, (uint32_t *)(void *)recorder->table.bytes);
}

static throng_status step_inner(throng_recorder *recorder, float dt, throng_error *error) {
  throng_world *world = recorder->world;
  TRY(prepare(recorder, error));
  TRY(throng_frame_step(world, dt, error));
  struct archive archive = {.mode = ARCHIVE_WRITE, .out = recorder->record.bytes, .size = recorder->record.room};
  uint64_t frame = world->frame;
  const size_t begun = throng_archive_begin(&archive, TAG_FRAME, 0);
  throng_archive_float(&archive, &dt);
  throng_archive_u64(&archive, &frame);
  write_edit(&archive, recorder);
  throng_recording_mark(&archive, world, recorder->agents);
  throng_archive_end(&archive, begun);
  uint64_t checksum = throng_archive_checksum(archive.out, archive.at);
  throng_archive_u64(&archive, &checksum);
  ASSERT(world, !archive.failed);
  if (hand_over(recorder, archive.at)) return save(world, &recorder->last, error);
  throng_status status = throng_snapshot_load(world, recorder->now.bytes, recorder->now.size, error);
  return status == THRONG_OK ? refused(error) : status;
}

throng_status throng_recorder_step(throng_recorder *recorder, float dt, throng_error *error) {
  REQUIRE_POINTER(recorder, error);
  throng_world *world = recorder->world;
  RETURN_ALONE(world, error, step_inner(recorder, dt, error));
}
