/* tests/support/snapshots.h: snapshots in memory, and worlds with all kinds of objects that a snapshot holds.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_SNAPSHOTS_H
#define TEST_SNAPSHOTS_H

#include "support/crowds.h"

typedef struct snapshot {
  uint8_t *bytes; /* allocated with exactly `size` bytes, so that a sanitizer reports reads past the end */
  size_t size;
} snapshot;

/* Saves the world; fails the test if that fails. */
snapshot snapshot_take(const throng_world *world);
snapshot snapshot_take_indexed(throng_world *world);    /* indexes the world first: it may be dirty */
snapshot snapshot_copy(const snapshot *s, size_t size); /* the first `size` bytes of s; zeros after its end */
void snapshot_free(snapshot *s);
/* Writes the size and the checksum into the bytes, after a test has changed them. */
void snapshot_seal(snapshot *s);
bool snapshot_equal(const snapshot *a, const snapshot *b);
/* Whether saving the world gives exactly these bytes. */
bool snapshot_is_of(const snapshot *s, const throng_world *world);

/* Creates a world of the snapshot's definition and loads the snapshot. `options` may be NULL. */
throng_world *snapshot_world(const snapshot *s, const crowd_world_options *options);

/* Adds random scenery that blocks no agent: circles, walls and blocked cells in planar worlds; balls, boxes and planes
 * in spatial ones. Does nothing in a periodic world. */
void furnish_world(throng_world *world, uint64_t seed);
/* Removes up to 20 agents and adds up to 30 at positions of the others. Does the same for equal worlds and seeds.
 * Returns a hash of the new ids. */
uint64_t stir_world(throng_world *world, uint64_t seed);
/* Creates a world with few agents and many kinds of objects (no scenery or cells if it is periodic), steps it once, and
 * indexes it. `allocator` may be NULL. */
throng_world *small_furnished_world(uint64_t seed, const throng_allocator *allocator);

#endif
