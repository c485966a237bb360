/* throng/snapshot.h: saves a world as bytes, and loads it: to roll back, or to continue elsewhere. A world that was
 * saved after a frame, loaded and stepped has the same bits as a world that was stepped without interruption: on any
 * machine, instruction set, number of threads and capacity. docs/FORMATS.md describes the bytes.
 *   A snapshot holds everything that later results depend on, and the order of throng_world_view. It does not hold what
 * has no effect on results: capacity, thread_count, isa, axes, allocator, hooks, job system, and the profile. It does
 * not hold functions: a world keeps its callbacks (throng/callback.h), the load fails if other callbacks are set than
 * when the world was saved, and the host must save the state of their contexts itself. After a load, steer again for
 * the accelerations of throng_world_steer; throng_world_watch keeps its agent, but the load discards the explanation.
 *   An agent takes 4 bytes per float of its columns and 3.125 for group and id (5 floats in a plain planar world: 23.1
 * bytes); an id index that waits to be reused takes 6.125 bytes. With sparse ids, group and id take 7 bytes, and other
 * indices none.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_SNAPSHOT_H
#define THRONG_SNAPSHOT_H

#include "base.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the world to bytes[capacity], and the size of the snapshot to *size. With bytes == NULL it only writes the
 * size. It allocates nothing.
 * Errors: NULL_ARGUMENT (world, size), NOT_INDEXED (since the last sort, agents were added, moved or removed, or
 * positions were written or edited: call throng_world_index first, even if throng_world_is_indexed returns true),
 * CAPACITY (the text names the needed size; only *size is written). Thread-safe between steps. */
THRONG_API throng_status throng_world_save_snapshot(const throng_world *world, void *bytes, size_t capacity,
                                                    size_t *size, throng_error *error);

/* Restores the saved world, and indexes it. The world may have any state before the load: for example, it may be the
 * same world some frames later, which is rolled back, or a new empty one. The parts of its definition that a snapshot
 * holds must be equal to the saved ones, except the box along THRONG_BOUNDARY_BOX axes: throng_world_shift_origin moves
 * that box, and the load sets it to the saved one.
 *   The world grows if needed. If it already has the capacity, the columns and the same objects (cells, scenery and so
 * on), nothing is allocated; an object that differs is replaced. Optional columns that the saved world did not have are
 * released. The bytes may come from an untrusted source. If they are truncated, too long, changed or forged, the load
 * fails and says what is wrong. Memory use is bounded by `size`. All or nothing.
 * Errors: NULL_ARGUMENT; BAD_VALUE (no snapshot, incomplete, wrong checksum, impossible content; or a definition or
 * callback that differs: the text names the field and both values); UNSUPPORTED (another version; the text names
 * both); NOT_FINITE, OUT_OF_RANGE, NO_GROUP, BLOCKED (values, as in the calls that set them); CAPACITY,
 * OUT_OF_MEMORY. Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_load_snapshot(throng_world *world, const void *bytes, size_t size,
                                                    throng_error *error);

/* Writes the definition of the saved world to *def, for throng_world_create. Members that a snapshot does not hold have
 * their defaults; the caller may change those.
 * Errors: NULL_ARGUMENT, and those of throng_world_load_snapshot about the bytes; nothing is written then.
 * Thread-safe. */
THRONG_API throng_status throng_snapshot_get_def(const void *bytes, size_t size, throng_world_def *def,
                                                 throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
