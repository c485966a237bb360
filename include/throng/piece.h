/* throng/piece.h: a piece of a world whose other pieces are elsewhere: in other threads, processes or machines. Every
 * piece has the definition, groups, objects and frame number of the whole world, and owns some of its agents. If an own
 * agent may perceive an agent of another piece, that agent is here as a ghost. Neighbour passes and queries see it;
 * this piece does not move, count, hash or explain it, or call callbacks for it. docs/MACHINES.md says how far away
 * ghosts must be. With all of them, the own agents have the same bits as in one world.
 *   In a frame, throng_world_step moves the own agents (with `begin` those near the border first), then calls
 * `exchange`. The host sends the new state of agents near the border (throng_piece_pack), gives away agents that have
 * crossed it (throng_piece_give) and takes what the other pieces sent (throng_piece_take). Ghosts that were not taken
 * leave the piece. The frame then checks and sorts. libthrong-mpi does this over MPI; examples/pieces.c does it with
 * threads.
 *   A piece refuses with UNSUPPORTED: throng_world_steer, throng_world_integrate, throng_world_shift_origin; and while
 * it has ghosts: snapshots, recorders, replays and throng_world_fill_formation.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PIECE_H
#define THRONG_PIECE_H

#include "agents.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The agents in the exchange of a frame: the own agents have moved, the ghosts not yet. Element k of every array
 * belongs to one agent. The arrays are valid until the exchange returns. */
typedef struct throng_piece_agents {
  uint32_t count;           /* own agents and ghosts */
  const uint32_t *id_index; /* [count] */
  const uint32_t *meta;     /* [count] as in throng_view; a ghost has the bit THRONG_META_GHOST */
  const float *position_x;  /* [count] metres, in throng's axes; of own agents the new positions */
  const float *position_y;  /* [count] NULL in planar worlds */
  const float *position_z;  /* [count] */
  const uint32_t *border;   /* [border_count] ascending: the own agents whose new positions are outside the inner box */
  uint32_t border_count;
} throng_piece_agents;

/* What connects a piece with the others. The functions are called by the thread that called throng_world_step. They may
 * call throng_piece_pack, throng_piece_give and throng_piece_take; every other call on the world that changes it is
 * BUSY. */
typedef struct throng_piece_def {
  /* Called once in every frame, after the own agents have moved. It takes the ghosts and new own agents of the next
   * frame. Its error fails the frame. It is also called in a frame that has already failed, because the other pieces
   * may wait; its result then does not count. It is not called if the step fails before agents move: dt out of range,
   * BUSY, or changes since the last frame that throng_world_index refuses. Required. */
  throng_status (*exchange)(throng_world *world, const throng_piece_agents *agents, throng_error *error, void *context);
  /* Called before the first contact iteration and after each. position[c][k] is the current position of element k of
   * the view before the frame; position[1] is NULL in planar worlds. The function overwrites the positions of all
   * ghosts with those that their owners have, and returns whether an agent of any piece was pushed; `pushed` says it of
   * this piece. The iterations end when it returns false, so all pieces must return the same. In the first call
   * `pushed` is true, and the result is ignored. NULL (default): a frame with a group that has contact > 0 returns
   * UNSUPPORTED. */
  bool (*contact)(float *const position[3], bool pushed, void *context);
  /* Called after the exchange, before the piece commits the frame. `status` is that of the frame in this piece, with
   * its error in *error. If the function returns an error, it must fill *error, and the piece keeps its old state. All
   * pieces must return alike: either all commit the frame, or none. NULL (default): returns `status`. */
  throng_status (*agree)(throng_status status, throng_error *error, void *context);
  /* Called once in every frame before `exchange`, when the agents of the rim (throng_piece_set_rim) have their state
   * after the frame and the others do not: the host begins to send. `agents` is as in `exchange`, but `border` lists
   * only own agents of the rim that are outside the inner box. It may call throng_piece_pack and throng_piece_give for
   * the agents in `border`. `exchange` then lists the own agents outside the inner box that were not in the rim: none,
   * unless an agent came from afar. The error of `begin` fails the frame. NULL (default): `exchange` lists all. */
  throng_status (*begin)(throng_world *world, const throng_piece_agents *agents, throng_error *error, void *context);
  /* Called in every contact iteration before `contact`, when the agents of the rim have been pushed and the others have
   * not: the host begins to send. `position` is that of the call of `contact` which follows, and has the new positions
   * of the rim. NULL (default): not called. */
  void (*contact_begin)(float *const position[3], void *context);
  /* Called between `begin` and `exchange`, and between `contact_begin` and `contact`, at most 3 times, while agents are
   * still to move. It may call no function of throng. NULL (default): not called. */
  void (*progress)(void *context);
  void *context;   /* passed to the functions */
  uint32_t cookie; /* set by throng_default_piece_def; do not touch */
} throng_piece_def;

/* Thread-safe. */
THRONG_API throng_piece_def throng_default_piece_def(void);

/* Makes the world a piece; NULL makes it a whole world again. Allocates memory for the first agents, if the world has
 * none, and 8 bytes per agent of the capacity.
 * Errors: NULL_ARGUMENT (world, def.exchange), BAD_COOKIE, UNSUPPORTED (NULL while it has ghosts), OUT_OF_MEMORY. */
THRONG_API throng_status throng_piece_set(throng_world *world, const throng_piece_def *def, throng_error *error);

/* Sets the inner box. No other piece needs an own agent that is inside it after a frame. The exchange lists the own
 * agents outside it (`border`). In metres and throng's axes; infinite sides are allowed; planar worlds ignore y. The
 * default is empty: all own agents are listed. Errors: NULL_ARGUMENT, NOT_FINITE (NaN), UNSUPPORTED (the world is no
 * piece). */
THRONG_API throng_status throng_piece_set_inner_box(throng_world *world, throng_vec3 min, throng_vec3 max,
                                                    throng_error *error);

/* Sets the rim's width. With `begin` in throng_piece_def, agents outside the inner box or nearer than `width` metres to
 * a side of it move first. Some agents near these may move first too. An agent that moves farther than this in one
 * frame may leave the inner box after `begin` was called; `exchange` then lists it. INFINITY: all agents, for a host
 * that also sends agents inside the inner box. The default is 0. The bits are the same. Errors: NULL_ARGUMENT,
 * NOT_FINITE (NaN), BAD_VALUE (negative), UNSUPPORTED (the world is no piece). */
THRONG_API throng_status throng_piece_set_rim(throng_world *world, float width, throng_error *error);

/* Sets the outer box: the host promises that every own agent is in it, and every ghost except ghosts that are only
 * targets. In a periodic world, a piece that is smaller than about 1/16 of it steps many times slower without this box.
 * The bits are the same. In metres and throng's axes; infinite sides are allowed. Along a periodic axis min may be
 * below the world's box, or max above it: the box then goes on at the other side. Other axes, and worlds with a
 * neighbour budget, ignore it. The default is infinite. The world is then dirty. Errors: NULL_ARGUMENT, NOT_FINITE
 * (NaN), BAD_VALUE (min above max), UNSUPPORTED (the world is no piece). A frame, or throng_world_index, that finds an
 * own agent outside returns OUT_OF_RANGE. */
THRONG_API throng_status throng_piece_set_outer_box(throng_world *world, throng_vec3 min, throng_vec3 max,
                                                    throng_error *error);

/* Tells the piece which groups have agents somewhere in the world: live[g] != 0 for group g of THRONG_MAX_GROUPS. A
 * frame leaves out what no group with agents needs. Without this call, a piece may leave out what another one does:
 * bits and contact iterations can then differ. Call it again after the set has changed. NULL: the groups with agents or
 * ghosts in this piece (default). Errors: NULL_ARGUMENT (world), NO_GROUP (a group that is not defined), UNSUPPORTED
 * (the world is no piece). */
THRONG_API throng_status throng_piece_set_live_groups(throng_world *world, const uint8_t *live, throng_error *error);

/* Sets the number of the next frame: a piece that was made later goes on where the world is. Errors: NULL_ARGUMENT. */
THRONG_API throng_status throng_piece_set_frame(throng_world *world, uint64_t frame, throng_error *error);

/* Finds an own agent or a ghost: writes its element in the view, or, in an exchange, in throng_piece_agents. Returns
 * false if the piece does not have the agent. Thread-safe between steps. */
THRONG_API bool throng_piece_find(const throng_world *world, throng_agent_id agent, uint32_t *element);

/* Returns a hash of the world's definition, groups, objects and frame number, to compare those of pieces. The
 * instruction set, threads and hooks are not part of it. 0 for NULL, and if there is no memory. Thread-safe between
 * steps. */
THRONG_API uint64_t throng_piece_hash_definition(const throng_world *world);

/* Returns a hash of the sources that this library was built from. Libraries of the same sources compute the same bits,
 * whatever compiled them; pieces whose libraries have other sources may differ. 0: not known, in the one-file
 * distribution. Thread-safe. */
THRONG_API uint64_t throng_piece_sources(void);

/* Writes a snapshot (throng/snapshot.h) of the world without its agents to bytes[capacity], and its size to *size. With
 * bytes == NULL it only writes the size. A world that loads the snapshot has the definition, groups, objects, columns
 * and frame number of this one, and can take the agents as records. Pieces with the same columns write the same bytes.
 * Errors: NULL_ARGUMENT (world, size), CAPACITY (the text names the needed size; only *size is written). Thread-safe
 * between steps. */
THRONG_API throng_status throng_piece_save_definition(const throng_world *world, void *bytes, size_t capacity,
                                                      size_t *size, throng_error *error);

/* Counts the calls that have changed what other pieces must know. It is another number than after the last frame if,
 * since then, agents were added, removed or moved, throng_world_edit was called, a column was written that other pieces
 * see (throng_piece_seen_columns, the group and the target), or groups, objects or the frame number were set. Frames do
 * not change it. Nor does a new column: throng_piece_columns tells that. 0 for NULL. Thread-safe between steps. */
THRONG_API uint64_t throng_piece_changes(const throng_world *world);

/* The number of ghosts. 0 for NULL. Thread-safe between steps. */
THRONG_API uint32_t throng_piece_ghost_count(const throng_world *world);
#define THRONG_META_GHOST 0x100u
/* Whether element k of a view is a ghost. */
static inline bool throng_view_is_ghost(const throng_view *view, uint32_t k) {
  return (view->meta[k] & THRONG_META_GHOST) != 0;
}

/* Records: agents as bytes, with the bits of their values. A record has the id index (4 bytes), the generation (2), the
 * group (1), a byte that is 0, and then 4 bytes for each component of each of its columns, in the byte order of the
 * machine. `columns` has the bit THRONG_BIT(throng_column) of each column, and maybe the two below. */
#define THRONG_PIECE_HEIGHT THRONG_BIT(63) /* records of planar worlds have the y of positions */
/* Records end with the pose before the last frame (throng_world_def.keep_previous_pose): x, z and yaw in planar worlds;
 * x, y, z and the facing in spatial ones. An agent that is taken without it, or by a world that is no piece, has its
 * pose as the previous one. */
#define THRONG_PIECE_PREVIOUS_POSE THRONG_BIT(62)
typedef struct throng_piece_head {
  uint32_t index;
  uint16_t generation;
  uint8_t group, zero;
} throng_piece_head;

/* The columns that the world has. The pieces of a world send records with the union of their columns. 0 for NULL.
 * Thread-safe between steps. */
THRONG_API uint64_t throng_piece_columns(const throng_world *world);
/* The columns among these that other agents see, so that records of ghosts need no others. 0 for NULL. Thread-safe
 * between steps. */
THRONG_API uint64_t throng_piece_seen_columns(const throng_world *world);
/* The bytes of a record. 0 for an unknown space. Thread-safe. */
THRONG_API size_t throng_piece_record_bytes(throng_space space, uint64_t columns);

/* Makes the world have these columns, so that a frame can take records with them.
 * Errors: NULL_ARGUMENT, BAD_VALUE (an unknown column), OUT_OF_MEMORY. */
THRONG_API throng_status throng_piece_need_columns(throng_world *world, uint64_t columns, throng_error *error);

/* Writes the records of the agents elements[count] of the view to `records`, in that order. In the exchange of a frame
 * the records have the state after the frame, otherwise the committed state. An element that is listed twice gets two
 * records.
 * Errors: NULL_ARGUMENT, BAD_VALUE (an element, a column), NOT_INDEXED (agents were removed since the last sort). */
THRONG_API throng_status throng_piece_pack(const throng_world *world, uint64_t columns, const uint32_t *elements,
                                           uint32_t count, void *records, throng_error *error);

/* In the exchange of a frame: gives own agents to other pieces. Each stays in this piece as a ghost (`as_ghosts`), or
 * leaves it. Gives all or none. Errors: NULL_ARGUMENT, BAD_VALUE (an element that is not in the border list, was given
 * before, or is twice in `elements`), UNSUPPORTED (not in an exchange). */
THRONG_API throng_status throng_piece_give(throng_world *world, const uint32_t *elements, uint32_t count,
                                           bool as_ghosts, throng_error *error);

/* Takes agents from other pieces, as own agents (`own`) or as ghosts. In an exchange, agents that are ghosts here are
 * updated, others added. Between frames all are added; the world is dirty. A world that is no piece takes own agents.
 * Columns that the records lack keep a ghost's values; in new agents they have the defaults. Between frames it takes
 * all or none. If it fails in an exchange, the exchange must return the error, so that the frame fails.
 * Errors: NULL_ARGUMENT, BAD_VALUE (an unknown column; a byte 7 that is not 0; in an exchange, columns that the world
 * lacks, or a ghost that changes its group), NO_GROUP, STALE_ID (no id, an id that this piece owns, an id taken twice;
 * between frames also the id of a ghost), CAPACITY (in an exchange: more agents than the capacity; the text names the
 * number needed. Let all pieces fail the frame, call throng_agents_reserve, and step again), UNSUPPORTED (ghosts, and
 * the world is no piece; in `begin`), OUT_OF_MEMORY. A piece checks only positions and velocities, in its next frame or
 * throng_world_index; a world that is no piece checks all values, as a load of a snapshot does. */
THRONG_API throng_status throng_piece_take(throng_world *world, uint64_t columns, const void *records, uint32_t count,
                                           bool own, throng_error *error);

/* Between frames: removes all ghosts. Errors: NULL_ARGUMENT. */
THRONG_API throng_status throng_piece_drop_ghosts(throng_world *world, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
