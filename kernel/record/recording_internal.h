/* record/recording_internal.h: parts of recordings that the recorder and the replay share; docs/FORMATS.md has the
 * format.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_RECORD_RECORDING_INTERNAL_H
#define THRONG_KERNEL_RECORD_RECORDING_INTERNAL_H

#include "record/archive.h"
#include "state.h"

#define RECORDING_FORMAT 4u
#define RECORDING_HEADER 12u
#define RECORDING_CHECKSUM 8u
#define TAG_BASE ARCHIVE_TAG('b', 'a', 's', 'e')
#define TAG_FRAME ARCHIVE_TAG('f', 'r', 'a', 'm')
static const uint8_t recording_magic[8] = {'t', 'h', 'r', 'o', 'n', 'g', 'r', 'c'};

/* Returns the bits of the columns that have marks: all columns of the world that are state. */
uint64_t throng_recording_columns(const throng_world *world);
/* Writes the marks of a world. */
void throng_recording_mark(struct archive *archive, const throng_world *world, bool agents);
/* Returns the mark of the agent with this id index. */
uint32_t throng_recording_mark_of(const throng_world *world, uint32_t index, uint64_t columns);

/* Does what throng_world_load_snapshot does, for a caller that has claimed the world and set the float environment
 * (snapshot.c). */
throng_status throng_snapshot_load(throng_world *world, const void *bytes, size_t size, throng_error *error);

/* Returns the size of the hash table that throng_edit_write needs for a last snapshot of `size` bytes. */
size_t throng_edit_table_bytes(size_t size);
/* Writes the pieces that make `now` from `last`. They take at most 16 bytes more than `now`. */
void throng_edit_write(struct archive *archive, const uint8_t *last, size_t last_size, uint8_t *now, size_t size,
                       uint32_t *table);
/* In mode READ it skips the pieces of a snapshot of `size` bytes. Sets `failed` if they do not add up to this size. */
void throng_edit_pass(struct archive *archive, uint64_t size);
/* Makes `now` from the pieces that throng_edit_pass has skipped for this size. Returns false if a copy is beyond the
 * end of `last`. */
bool throng_edit_apply(struct archive pieces, const uint8_t *last, size_t last_size, uint8_t *now, size_t size);

#endif
