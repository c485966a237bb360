/* throng/snapshot.h: a world as bytes: save it, go back to it, go on from it elsewhere. Saved after frame n, loaded and stepped it is
 * bit for bit the world that never stopped: on any machine, instruction set, number of threads and capacity.
 *   A snapshot holds everything that decides about bits: the agents with all their columns, their ids (what is added later gets
 * the same ids as it would have), groups, cells, scenery, flow fields, paths, patterns, formations, the number of the frame,
 * which the random streams go by, and of the definition space, boundary, box, perception_radius, separation_law, update, seed,
 * id_world, neighbour_budget and contact_iterations. It does not hold
 *   - what differs without changing a bit: capacity, thread_count, isa, profile, allocator, hooks, job system; the profile;
 *   - functions: a world keeps its own callbacks (throng/callback.h), and the load refuses a world in which other numbers are set
 *     than were when it was saved. What a callback's context remembers is the caller's to save;
 *   - what throng_world_steer left: steer again after the load, which gives the same bits;
 *   - whom throng_world_watch watches: the world keeps that; what it knows of the agent is forgotten by the load.
 *   The bytes are little-endian, begin with "throngsn" and a version, carry a checksum, and are the same for the same state
 * whatever its history. Of an agent they take four for each float of its columns and 3.125 for group and id (5 floats in
 * a plain planar world: 23.1 bytes); each index that waits to be given out again takes 6.125.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_SNAPSHOT_H
#define THRONG_SNAPSHOT_H

#include "base.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the world to bytes[capacity]; *size is how many it takes. bytes == NULL asks for that alone. It allocates nothing.
 * Errors: NULL_ARGUMENT (world, size), NOT_INDEXED (agents were added, removed or moved since the last step: call
 * throng_world_index first), CAPACITY (the text names the size that it needs; nothing written but *size).
 * Thread-safe between steps. */
THRONG_API throng_status throng_world_save_snapshot(const throng_world *world, void *bytes, size_t capacity, size_t *size,
                                              throng_error *error);

/* Makes the world the one that was saved, and indexes it. It may hold anything before: the same world some frames later, which
 * is thereby rolled back, or an empty one that was just made. Its definition must be the one that was saved as far as that
 * holds it (see above), but for the box of a THRONG_BOUNDARY_BOX world, which throng_world_shift_origin moves and which the load moves
 * back. It grows if need be. Where it has the room, the columns, and the very objects (cells, scenery and so on) already,
 * nothing is allocated; an object that is not as it was saved is made anew. Optional columns that it did not have when it was
 * saved are released.
 *   The bytes may come from anywhere: of a file that is truncated, longer, changed or made up to do harm, the load says what is
 * wrong. All or nothing. Memory grows with `size` alone.
 *   Errors: NULL_ARGUMENT; BAD_VALUE (no snapshot, not all of it, a wrong checksum, what is no world; a definition or a callback
 * that differs: the text names the field and both values), UNSUPPORTED (another version), NOT_FINITE, OUT_OF_RANGE, NO_GROUP,
 * BLOCKED (of values, as in the calls that set them), CAPACITY, OUT_OF_MEMORY.
 * Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_load_snapshot(throng_world *world, const void *bytes, size_t size,
                                              throng_error *error);

/* The definition of the world that was saved, for throng_world_create: default in what a snapshot does not hold, for the caller
 * to fill in. Errors: NULL_ARGUMENT, and of the bytes as throng_world_load_snapshot; nothing is written then. Thread-safe. */
THRONG_API throng_status throng_snapshot_get_def(const void *bytes, size_t size, throng_world_def *def,
                                                   throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
