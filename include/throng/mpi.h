/* throng/mpi.h: one world on many machines. libthrong-mpi cuts a world into pieces, one for each process (rank) of MPI,
 * and steps them together, with the bits of one world. Every rank makes the same world, as if it were alone.
 * throng_mpi_create keeps the agents of its own region, and throng_mpi_step replaces throng_world_step.
 * docs/MACHINES.md, "One world on many machines", has a program, and says what regions, ghosts and targets cost.
 *   Every function whose comment says "collective" must be called by all ranks of the communicator, in the same order.
 * It returns the same status on all ranks. If an error concerns one rank, its text names that rank. Some errors return
 * at once, and the other ranks wait for ever unless they have the same error: NULL_ARGUMENT (but for the `whole` of
 * throng_mpi_gather), BAD_COOKIE, a wrong field of a throng_mpi_def, a wrong root.
 *   All or nothing: if a frame fails on one rank, it has happened on none. MPI ends the job when a rank dies: save
 * checkpoints (throng_mpi_save) to go on after that.
 *   Not thread-safe: the thread that called throng_mpi_create makes all calls. MPI_THREAD_FUNNELED is enough.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_MPI_H
#define THRONG_MPI_H

#include <mpi.h>

#include "agents.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A world that is cut over the ranks of a communicator. */
typedef struct throng_mpi throng_mpi;

/* The form of the regions. */
typedef enum throng_mpi_cut {
  THRONG_MPI_CUT_BLOCKS = 0, /* slabs along z, and each slab is cut along x by itself (default) */
  THRONG_MPI_CUT_SLABS,      /* slabs along z only: one for each rank */
  THRONG_MPI_CUT_RCB,        /* recursive coordinate bisection: halves of halves, each cut across its longer side. Good
                                for crowds in a few places. It needs Zoltan, which libthrong-mpi may lack */
  THRONG_MPI_CUT_COUNT
} throng_mpi_cut;

/* What the cuts make equal between the ranks. */
typedef enum throng_mpi_balance {
  THRONG_MPI_BALANCE_WORK = 0, /* an estimate of work: per agent 40, and 1 for each agent in the 3 x 3 squares of side R
                                  around it (default) */
  THRONG_MPI_BALANCE_AGENTS,   /* the number of agents */
  THRONG_MPI_BALANCE_TIME,     /* the time that the ranks needed since the last cut; before the first frame, the work */
  THRONG_MPI_BALANCE_COUNT
} throng_mpi_balance;

/* Whether the agents near a border move first, so that their messages travel while the others move. The bits are the
 * same. It costs a few per cent of a frame's computing time (docs/tried/threads.md), and saves waiting. A world with a
 * group that has a target (THRONG_TARGET_AGENT) does not do it. */
typedef enum throng_mpi_overlap {
  THRONG_MPI_OVERLAP_AUTO = 0, /* if not all ranks are on one machine (default) */
  THRONG_MPI_OVERLAP_ON,
  THRONG_MPI_OVERLAP_OFF,
  THRONG_MPI_OVERLAP_COUNT
} throng_mpi_overlap;

/* How a world is cut: the same on all ranks. */
typedef struct throng_mpi_def {
  MPI_Comm comm;              /* duplicated by create (default MPI_COMM_WORLD) */
  throng_mpi_cut cut;         /* default THRONG_MPI_CUT_BLOCKS */
  uint32_t slabs;             /* of THRONG_MPI_CUT_BLOCKS; the number of ranks must be a multiple of it. 0 = chosen so
                                 that regions are about as long as wide (default). With other cuts it must be 0 */
  throng_mpi_balance balance; /* default THRONG_MPI_BALANCE_WORK */
  uint32_t balance_every;     /* frames between new cuts; 0 = the first cut stays (default 100) */
  throng_mpi_overlap overlap; /* default THRONG_MPI_OVERLAP_AUTO */
  uint32_t cookie;            /* set by throng_default_mpi_def; do not touch */
} throng_mpi_def;

/* Thread-safe. */
THRONG_API throng_mpi_def throng_default_mpi_def(void);

/* Cuts `world`, which every rank must have made alike: the same definition, groups, objects, agents and frame number.
 * The number of threads, the instruction set and hooks may differ. `def` may be NULL: the default. On success the world
 * belongs to *mpi, and throng_mpi_destroy destroys it. Each region must be R long along x and z, except with
 * THRONG_MPI_CUT_RCB; an unbounded axis is as long as the agents' positions at this call. Collective. Errors:
 * NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE (a field; a world too small for so many regions; worlds that differ: the text
 * names the first rank whose world is not that of rank 0), UNSUPPORTED (a rank's library was built from other sources
 * than that of rank 0: the text names the rank; THRONG_MPI_CUT_RCB without Zoltan, or Zoltan cannot cut the world),
 * those of throng_world_index, OUT_OF_MEMORY.
 * After an error the world still belongs to the caller, but may lack agents: destroy it. */
THRONG_API throng_status throng_mpi_create(throng_world *world, const throng_mpi_def *def, throng_mpi **mpi,
                                           throng_error *error);

/* Collective. NULL is allowed and does nothing. */
THRONG_API void throng_mpi_destroy(throng_mpi *mpi);

/* This rank's piece, to look at and to change between frames. These changes need throng_mpi_sync, on all ranks, before
 * the next frame:
 *   - own agents removed, moved (throng_agents_move, throng_world_edit), or added anywhere in the world
 *     (throng_agents_add_with_ids; throng_agents_add may choose an id that another rank has);
 *   - position, velocity, facing, group, target, body radius, mass, max speed or blocked time of own agents written,
 *     and the goal if some group has reciprocal avoidance or gathers;
 *   - the first value in a column that the world did not have;
 *   - groups and objects set, alike on every rank.
 * Other columns, and callbacks alike on every rank, need no throng_mpi_sync. If one is missing, throng_mpi_step returns
 * BAD_VALUE, throng_mpi_save and throng_mpi_gather return NOT_INDEXED, and none of them changes anything.
 * throng_mpi_hash has the agents as they are.
 *   Do not step the piece itself, and do not call functions that begin with throng_piece_set. A target agent that this
 * rank does not have is STALE_ID: set such targets before throng_mpi_create. throng/piece.h says what is refused with
 * UNSUPPORTED; use throng_mpi_gather first. Counts and hashes leave out ghosts; views contain them
 * (throng_view_is_ghost). NULL for NULL. */
THRONG_API throng_world *throng_mpi_world(throng_mpi *mpi);

/* Takes over the changes that the host made to the pieces: checks that definitions, groups and objects are alike, sends
 * agents to their owners, and makes all ghosts again. Collective. Errors: NULL_ARGUMENT, BAD_VALUE (the text names the
 * first rank that differs from rank 0), STALE_ID (an id that two ranks own, found when both agents come to one rank),
 * those of throng_world_index, OUT_OF_MEMORY. After an error no agent is lost: correct the pieces and call it again. */
THRONG_API throng_status throng_mpi_sync(throng_mpi *mpi, throng_error *error);

/* Steps one frame: throng_world_step for the whole world. All ranks give the same dt. Collective. It allocates at new
 * cuts, and if a piece, list or message is larger than ever before (throng_mpi_stats.growths counts pieces and
 * messages). A frame in which a piece has too little capacity, or an agent crosses a whole region or (with overlap)
 * comes to a border from afar, runs again at once; callbacks are then called again.
 * Errors: as throng_world_step; also BAD_VALUE (ranks with different dt; changes without throng_mpi_sync: the text
 * names the first such rank), CAPACITY (a rank sends more than 2 GiB of agents, or more than 2^31 contact coordinates),
 * UNSUPPORTED (Zoltan cannot cut the world), OUT_OF_MEMORY. If error->agent is set, it has the smallest id of all
 * ranks. A rank that has no memory to receive agents ends the job. */
THRONG_API throng_status throng_mpi_step(throng_mpi *mpi, float dt, throng_error *error);

/* The number of agents of the whole world, as of the last frame or throng_mpi_sync. 0 for NULL. */
THRONG_API uint64_t throng_mpi_agents_count(const throng_mpi *mpi);

/* The hash of the whole world: what throng_world_hash gives for one world. On every rank. Collective; 0 for NULL. */
THRONG_API uint64_t throng_mpi_hash(const throng_mpi *mpi, uint64_t columns);

/* Adds all agents to the world `whole` of rank `root`, which should have the definition of the world, and none of its
 * agents. Other ranks pass NULL. For small worlds, pictures and explanations. It does not set the frame number
 * (throng_piece_set_frame). Collective.
 * Errors: NULL_ARGUMENT (`whole` on the root), BAD_VALUE (root), CAPACITY (more than 2^31 agents), NOT_INDEXED
 * (changes without throng_mpi_sync), STALE_ID, NO_GROUP, OUT_OF_MEMORY. */
THRONG_API throng_status throng_mpi_gather(throng_mpi *mpi, int root, throng_world *whole, throng_error *error);

/* Checkpoints: the whole world in one file, so that a run can go on after a failure, on another number of ranks, other
 * machines or other instruction sets, with the same bits. docs/FORMATS.md has the format. A file with the name that was
 * given to throng_mpi_save is complete: it has another name until all ranks have written it to disk. All ranks need the
 * same file system. Files may come from an untrusted source: a load checks every value, as a load of a snapshot does.
 * Unless ids are sparse, it refuses (CAPACITY) an id index above the largest of 2^22, 16 times the agents, and
 * world.capacity. So a forged file makes it take at most the file's size and 64 MB. A checkpoint holds what a snapshot
 * holds, but not:
 *   - the ids of agents that were removed: an index without an agent counts as never used;
 *   - the order of throng_world_view. */

/* Saves the world to `path`, after a frame or throng_mpi_sync. It first writes "PATH.part", and then gives it its name,
 * so that an older file with this name stays until the new one is complete. Both may be files or new names, and not
 * folders, devices or pipes. It takes 8 bytes of memory per agent of the
 * rank. Collective.
 * Errors: NULL_ARGUMENT; NOT_INDEXED (changes without throng_mpi_sync); BAD_VALUE
 * (the file cannot be written; a definition that differs, as in throng_mpi_sync); UNSUPPORTED (a big-endian machine);
 * OUT_OF_MEMORY. After an error an older file with this name is unchanged. */
THRONG_API throng_status throng_mpi_save(throng_mpi *mpi, const char *path, throng_error *error);

/* What a checkpoint holds. */
typedef struct throng_mpi_checkpoint {
  throng_world_def world; /* for throng_world_create. Members that a snapshot does not hold have their defaults */
  uint64_t frame;         /* throng_world_frame() */
  uint64_t agents, bytes; /* of the world; of the file */
  uint32_t blocks;        /* the number of ranks that saved it */
} throng_mpi_checkpoint;

/* Reads and checks the file at `path` except its agents, on the ranks of `comm`. It must be a file, and not a folder, a
 * device or a pipe. Collective.
 * Errors: NULL_ARGUMENT; those of throng_mpi_load about the file. */
THRONG_API throng_status throng_mpi_inspect(MPI_Comm comm, const char *path, throng_mpi_checkpoint *found,
                                            throng_error *error);

/* Loads a checkpoint into `world` and makes it this rank's piece, as throng_mpi_create does. `world` may have any
 * agents, groups and objects: those of the checkpoint replace them. Its definition, which throng_mpi_inspect returns,
 * and its callbacks must be those of the world that was saved, as in throng_world_load_snapshot. `def` may be NULL: the
 * default. The number of ranks, the instruction sets and the threads may be others than when it was saved. A rank reads
 * an even share of the agents; at most 2 GiB of them go to other ranks. Collective.
 *   On success the world belongs to *mpi. If the file is refused (no checkpoint, or truncated, too long or altered),
 * the world is unchanged, and another file can be loaded. After other errors, destroy the world.
 *   Errors: NULL_ARGUMENT; BAD_COOKIE; BAD_VALUE (a field; the file cannot be read, is no checkpoint, is incomplete or
 * damaged; a definition or callback that differs; a world too small for so many regions); UNSUPPORTED (another version:
 * the text names both; a big-endian machine; libraries that differ, as in throng_mpi_create); STALE_ID, NO_GROUP,
 * NOT_FINITE, OUT_OF_RANGE, BLOCKED (impossible agents); CAPACITY (too many agents for so few ranks); OUT_OF_MEMORY. */
THRONG_API throng_status throng_mpi_load(throng_world *world, const throng_mpi_def *def, const char *path,
                                         throng_mpi **mpi, throng_error *error);

/* A rank's region: it owns agents with min <= p < max along x and z, in metres and throng's axes. The sides at the ends
 * of the world are infinite. */
typedef struct throng_mpi_region {
  float min_x, max_x, min_z, max_z;
} throng_mpi_region;
/* All ranks know all regions. Errors: NULL_ARGUMENT, BAD_VALUE (rank). */
THRONG_API throng_status throng_mpi_get_region(const throng_mpi *mpi, int rank, throng_mpi_region *region,
                                               throng_error *error);

/* What this rank did since create. step_seconds, exchange_seconds and contact_seconds are CPU time of all threads of
 * the process, outside of MPI. wait_seconds is wall time in MPI. cpu_seconds is all CPU time of the process. */
typedef struct throng_mpi_stats {
  uint64_t frames, cuts, repeats, growths; /* repeats: frames that ran again, because a piece had too little room,
                                                or an agent moved far */
  uint64_t ghosts, migrants;               /* records that this rank sent in frames */
  uint64_t ghost_bytes, migrant_bytes, contact_bytes, messages;
  uint64_t request_bytes;                                 /* lists of targets that it asked other ranks for */
  double step_seconds, exchange_seconds, contact_seconds; /* step: throng_mpi_step without the other two */
  double wait_seconds, cpu_seconds;
} throng_mpi_stats;
/* All zero for NULL. */
THRONG_API throng_mpi_stats throng_mpi_get_stats(const throng_mpi *mpi);

#ifdef __cplusplus
}
#endif

#endif
