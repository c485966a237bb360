/* replay.c: repeats recordings (format: docs/FORMATS.md). SPDX-License-Identifier: MIT */
#include <string.h>

#include "agents/lookup.h"
#include "base/assertion.h"
#include "frame/frame.h"
#include "record/recording_internal.h"

/* The parts. */

static throng_status open_recording(const uint8_t *bytes, size_t size, struct archive *file, struct archive *base,
                                    throng_error *error) {
  if (size < RECORDING_HEADER || memcmp(bytes, recording_magic, sizeof recording_magic) != 0) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "recording: these %zu bytes are not a recording, or only its beginning", size);
  }
  const uint32_t format = archive_get_u32(bytes + sizeof recording_magic);
  if (format != RECORDING_FORMAT) {
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "recording: version %u, this library reads version %u", format,
                       RECORDING_FORMAT);
  }
  *file = (struct archive){.mode = ARCHIVE_READ, .in = bytes, .size = size, .at = RECORDING_HEADER};
  if (throng_archive_next(file, TAG_BASE, 0, base)) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "recording: its first snapshot is cut off");
}

static throng_status malformed(const throng_replay *replay, const char *what, throng_error *error) {
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "recording: the frame at byte %zu %s", replay->at, what);
}

/* A recorded frame. */
struct recorded {
  float dt;
  uint64_t frame, edit;         /* number of the frame; size in bytes of the edited snapshot, 0 = no edit */
  struct archive pieces, marks; /* to be read later */
  size_t end;                   /* end of the frame in the bytes */
};

static throng_status read_frame(const throng_replay *replay, struct recorded *recorded, throng_error *error) {
  const uint8_t *bytes = replay->bytes;
  struct archive file = {.mode = ARCHIVE_READ, .in = bytes, .size = replay->size, .at = replay->at}, body;
  if (!throng_archive_next(&file, TAG_FRAME, 0, &body)) return malformed(replay, "is cut off", error);
  const uint8_t *checksum = throng_archive_take(&file, 1, RECORDING_CHECKSUM);
  if (!checksum) return malformed(replay, "is cut off", error);
  const size_t size = file.at - RECORDING_CHECKSUM - replay->at;
  if (archive_get_u64(checksum) != throng_archive_checksum(bytes + replay->at, size)) {
    return malformed(replay, "was changed: its checksum does not match", error);
  }
  throng_archive_float(&body, &recorded->dt);
  throng_archive_u64(&body, &recorded->frame);
  throng_archive_u64(&body, &recorded->edit);
  recorded->pieces = body;
  throng_edit_pass(&body, recorded->edit);
  recorded->marks = body;
  recorded->end = file.at;
  ASSERT_ALONE(recorded->end > replay->at && recorded->end <= replay->size); /* so a replay ends */
  return body.failed ? malformed(replay, "is not well-formed", error) : THRONG_OK;
}

/* Edits. */

/* The snapshots before an edit (`size` bytes) and after it (`room` bytes). `before` restores the world if the frame
 * fails. */
struct edit {
  uint8_t *before, *after;
  size_t size, room;
};

static throng_status make_edit(const throng_replay *replay, const struct recorded *recorded, throng_world *world,
                               struct edit *edit, throng_error *error) {
  TRY(throng_world_save_snapshot(world, NULL, 0, &edit->size, error));
  const bool larger = recorded->edit > edit->size && recorded->edit - edit->size > replay->size;
  if (larger || (size_t)recorded->edit != recorded->edit) {
    return malformed(replay, "states a larger snapshot than the recording has bytes for", error);
  }
  edit->room = (size_t)recorded->edit;
  edit->before = throng_allocate(&world->def.allocator, edit->size);
  edit->after = throng_allocate(&world->def.allocator, edit->room);
  if (!edit->before || !edit->after) {
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "recording: no memory for a snapshot of %zu bytes",
                       edit->room);
  }
  TRY(throng_world_save_snapshot(world, edit->before, edit->size, &edit->size, error));
  if (!throng_edit_apply(recorded->pieces, edit->before, edit->size, edit->after, edit->room)) {
    return malformed(replay, "takes more bytes from the snapshot before it than that has", error);
  }
  return throng_snapshot_load(world, edit->after, edit->room, error);
}

static void release_edit(struct edit *edit, const throng_world *world) {
  throng_release(&world->def.allocator, edit->before, edit->size);
  throng_release(&world->def.allocator, edit->after, edit->room);
}

/* Differences. */

static throng_agent_id first_agent(const throng_world *world, struct archive *marks, uint64_t columns) {
  struct id_loop all = throng_lookup_all(world);
  for (uint32_t index; (index = lookup_next(&all)) != 0;) {
    uint32_t mark;
    throng_archive_u32(marks, &mark);
    if (mark != throng_recording_mark_of(world, index, columns)) return throng_lookup_id_of(world, index);
  }
  return (throng_agent_id){0, 0, 0};
}

/* Compares a world with marks, and returns the first difference. */
static throng_replay_difference compare_marks(const throng_world *world, struct archive marks) {
  throng_replay_difference difference = {.frame = world->frame};
  const uint64_t columns = throng_recording_columns(world);
  uint64_t recorded_columns;
  uint32_t count;
  throng_archive_u64(&marks, &recorded_columns);
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    uint64_t recorded = 0;
    if (recorded_columns & THRONG_BIT(column)) throng_archive_u64(&marks, &recorded);
    const uint64_t replayed = columns & THRONG_BIT(column) ? throng_world_hash(world, THRONG_BIT(column)) : 0;
    if (recorded == replayed || difference.differs) continue;
    difference.differs = true;
    difference.column = (throng_column)column;
    difference.recorded = recorded;
    difference.replayed = replayed;
  }
  if (!difference.differs) return (throng_replay_difference){0};
  throng_archive_u32(&marks, &count);
  if (count == world->agents.count && columns == recorded_columns)
    difference.agent = first_agent(world, &marks, columns);
  return difference;
}

/* Whether the marks are only of known columns, and have the length that their columns and number of agents require. */
static bool marks_are_sound(struct archive marks) {
  uint64_t columns;
  uint32_t count;
  throng_archive_u64(&marks, &columns);
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    if (columns & THRONG_BIT(column)) throng_archive_take(&marks, 1, sizeof(uint64_t));
  }
  throng_archive_u32(&marks, &count);
  throng_archive_take(&marks, count, sizeof(uint32_t));
  return throng_archive_complete(&marks) && columns >> THRONG_COLUMN_COUNT == 0;
}

/* Calls. */

throng_status throng_replay_get_def(const void *bytes, size_t size, throng_world_def *def, throng_error *error) {
  struct archive file, base;
  REQUIRE_POINTER(bytes, error);
  TRY(open_recording(bytes, size, &file, &base, error));
  return throng_snapshot_get_def(base.in, base.size, def, error);
}

static throng_status begin_inner(throng_replay *replay, throng_world *world, const void *bytes, size_t size,
                                 throng_error *error) {
  struct archive file, base;
  REQUIRE_POINTER(replay, error);
  REQUIRE_POINTER(bytes, error);
  TRY(open_recording(bytes, size, &file, &base, error));
  TRY(throng_snapshot_load(world, base.in, base.size, error));
  *replay = (throng_replay){bytes, size, file.at};
  return THRONG_OK;
}

throng_status throng_replay_begin(throng_replay *replay, throng_world *world, const void *bytes, size_t size,
                                  throng_error *error) {
  RETURN_ALONE(world, error, begin_inner(replay, world, bytes, size, error));
}

bool throng_replay_has_ended(const throng_replay *replay) { return !replay || replay->at == replay->size; }

/* Applies the recorded edit, if there is one, and steps the world. If the step fails, the edit is undone. */
static throng_status run_frame(const throng_replay *replay, const struct recorded *recorded, throng_world *world,
                               throng_error *error) {
  struct edit edit = {NULL, NULL, 0, 0};
  throng_status status = THRONG_OK;
  bool edited = false;
  if (recorded->edit > 0) {
    status = make_edit(replay, recorded, world, &edit, error);
    edited = status == THRONG_OK;
  }
  if (status == THRONG_OK) status = throng_frame_step(world, recorded->dt, error);
  throng_error lost;
  if (status != THRONG_OK && edited) throng_snapshot_load(world, edit.before, edit.size, &lost);
  release_edit(&edit, world);
  return status;
}

static throng_status replay_step_inner(throng_replay *replay, throng_world *world, throng_replay_difference *difference,
                                       throng_error *error) {
  REQUIRE_POINTER(replay, error);
  struct recorded recorded;
  if (throng_replay_has_ended(replay)) return throng_fail(error, THRONG_ERROR_BAD_VALUE, "recording: no frame is left");
  TRY(read_frame(replay, &recorded, error));
  if (!marks_are_sound(recorded.marks)) return malformed(replay, "is not well-formed", error);
  if (recorded.edit == 0 && recorded.frame != world->frame + 1) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "recording: its next step begins at frame %llu, but the world is at frame %llu",
                       (unsigned long long)recorded.frame - 1, (unsigned long long)world->frame);
  }
  TRY(run_frame(replay, &recorded, world, error));
  replay->at = recorded.end;
  if (difference) *difference = compare_marks(world, recorded.marks);
  return THRONG_OK;
}

throng_status throng_replay_step(throng_replay *replay, throng_world *world, throng_replay_difference *difference,
                                 throng_error *error) {
  RETURN_ALONE(world, error, replay_step_inner(replay, world, difference, error));
}
