/* record/recording_internal.h: what the recorder writes and the replay reads.
 *
 * The format, version 3, little-endian like a snapshot's (archive.h): 8 bytes "throngrc", 32 bits version; section
 * "base", the snapshot at the beginning; then a section "fram" for each frame and after it 64 bits checksum of the
 * section:
 *   float dt; 64 bits the number of the frame that the step led to; the edit; the marks.
 * Edit: 64 bits size of the snapshot before the step, 0 if the host changed nothing; then pieces, that make it from
 * its beginning to its end: 64 bits offset in the snapshot after the frame before, 64 bits count of bytes, more than
 * 0; the offset is 2^64 - 1 where the bytes are not from there, and follow, else not below the end of the piece from
 * there before it.
 * Marks: 32 bits which columns there are; a hash of each; 32 bits count of agents marked; of each, by ascending id
 * index, 32 bits of its hash over all these columns. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_RECORD_RECORDING_INTERNAL_H
#define THRONG_KERNEL_RECORD_RECORDING_INTERNAL_H

#include "record/archive.h"
#include "state.h"

#define RECORDING_FORMAT 3u
#define RECORDING_HEADER 12u
#define RECORDING_CHECKSUM 8u
#define TAG_BASE ARCHIVE_TAG('b', 'a', 's', 'e')
#define TAG_FRAME ARCHIVE_TAG('f', 'r', 'a', 'm')
static const uint8_t recording_magic[8] = {'t', 'h', 'r', 'o', 'n', 'g', 'r', 'c'};

/* Bits 1u << throng_column of the columns that are marked: those that the world has, and that are state. */
uint32_t throng_recording_columns(const throng_world *world);
/* The marks of a world as it is. */
void throng_recording_mark(struct archive *archive, const throng_world *world, bool agents);
/* One agent's. */
uint32_t throng_recording_mark_of(const throng_world *world, uint32_t index, uint32_t columns);

/* How much memory throng_edit_write wants as its table, for a snapshot of `size` bytes before. */
size_t throng_edit_table_bytes(size_t size);
/* The pieces that make `now` of `last`: at most 16 bytes more than `now`. */
void throng_edit_write(struct archive *archive, const uint8_t *last, size_t last_size, uint8_t *now, size_t size,
                       uint32_t *table);
/* READ: passes over the pieces of a snapshot of `size` bytes; failed where they do not make one. */
void throng_edit_pass(struct archive *archive, uint64_t size);
/* Makes `now` of pieces that were passed over as making as many bytes; false where one is from beyond the end of
 * `last`. */
bool throng_edit_apply(struct archive pieces, const uint8_t *last, size_t last_size, uint8_t *now, size_t size);

#endif
