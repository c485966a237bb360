/* tests/support/snapshots.h: snapshots in memory, and worlds with everything that one holds.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_SNAPSHOTS_H
#define TEST_SNAPSHOTS_H

#include "support/crowds.h"

typedef struct snapshot {
  uint8_t *bytes; /* as many as there are, so that a sanitizer sees who reads past them */
  size_t size;
} snapshot;

/* Fails the test if the world cannot be saved. */
snapshot snapshot_take(const throng_world *world);
snapshot snapshot_take_indexed(throng_world *world);    /* of a world that may be dirty */
snapshot snapshot_copy(const snapshot *s, size_t size); /* the first `size` bytes of it, zeros after its end */
void snapshot_free(snapshot *s);
/* Gives the bytes the size and the checksum that a snapshot of them would have. */
void snapshot_seal(snapshot *s);
bool snapshot_equal(const snapshot *a, const snapshot *b);
/* Whether the world, saved, is these bytes. */
bool snapshot_is_of(const snapshot *s, const throng_world *world);

/* A new world of the snapshot's definition, loaded. `options` may be NULL. */
throng_world *snapshot_world(const snapshot *s, const crowd_world_options *options);

/* Puts blocked cells, circles and walls, balls, boxes and planes into a world that may have them, beside its agents. */
void furnish_world(throng_world *world, uint64_t seed);
/* Removes some agents and adds others at the places of those that stay; the same for equal worlds. Answers a hash of
 * the new ids. */
uint64_t stir_world(throng_world *world, uint64_t seed);
/* A world of few agents and something of everything, after a frame; indexed. `allocator` may be NULL. */
throng_world *small_furnished_world(uint64_t seed, const throng_allocator *allocator);

#endif
