/* mpi_internal.h: a rank's part of a world. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_MPI_MPI_INTERNAL_H
#define THRONG_KERNEL_MPI_MPI_INTERNAL_H

#include <stdbool.h>

#include <throng/mpi.h>
#include <throng/piece.h>

/* A cut of a tree. */
struct fork {
  bool along_z;
  float at;      /* regions with lower positions are on the low side */
  int low, high; /* 0 and more: a fork; less: the rank ~low, ~high */
};

/* The regions: slabs along z, each cut along x by itself; or a tree of cuts, each of which divides a region in two. */
struct cuts {
  uint32_t slabs, columns;   /* parts along z, and along x in each slab */
  float *z;                  /* [slabs + 1] from -INFINITY to INFINITY */
  float *x;                  /* [slabs][columns + 1] */
  struct fork *fork;         /* of a tree: at most ranks - 1; NULL: slabs */
  int root;                  /* of a tree: as low and high */
  throng_mpi_region *region; /* of a tree: [ranks] */
  float halo;                /* metres: how far from its region a rank needs ghosts */
  struct side {
    float low, high; /* the box; of an unbounded axis the bounds of the agents when they were first cut */
    float period;    /* 0: not periodic */
  } side_x, side_z;
};

/* A list of elements of the view. */
struct list {
  uint32_t *element, count, room;
};

#define COUNTS 3

/* The ranks that this one sends to and receives from. The lists and counts have an item for each. */
struct peers {
  MPI_Comm graph;
  int count, *rank;
  struct list *own, *ghosts; /* the elements to send: agents that the peer owns from now on, and its ghosts */
  int *counts, *counts_in;   /* [COUNTS * count] records to send and to receive: own, ghosts; the bits of dt */
  int *bytes, *bytes_in, *at, *at_in;
};

struct bytes {
  char *data;
  size_t room;
};

/* An id index and where it is. */
struct place {
  uint32_t index, element;
};
/* The contact positions that this rank exchanges with a peer, in the order of the ids. */
struct contact_list {
  struct place *own, *ghosts, *scratch;
  uint32_t own_count, ghost_count, own_room, ghost_room;
};

/* Why a frame must be run again: other than an error, this is mended at once. */
enum { REPEAT_ROOM = 1, REPEAT_FAR = 2 };

struct throng_mpi {
  throng_world *world;
  throng_mpi_def def;
  throng_world_def world_def;
  MPI_Comm comm;
  int rank, ranks;
  struct cuts cuts;
  struct peers near, all; /* near: the ranks in reach of this one's region */
  bool far;               /* this frame sends to all ranks */
  int repeat;             /* bits of why this rank wants to repeat the frame */
  uint64_t needed;        /* for REPEAT_ROOM: the capacity that this piece must have; 0: its own is enough */
  uint32_t columns, ghost_columns;
  size_t record_bytes, ghost_bytes;
  throng_agent_id *followed; /* agents that every rank has, by ascending index */
  uint32_t followed_count;
  bool ready;            /* every rank has its agents and ghosts; false after a throng_mpi_sync or cut that failed */
  bool solid;            /* some group has contact */
  float dt;              /* of this frame */
  uint64_t total, owned; /* agents of the world, and of this rank after the frame */
  struct contact_list *contact; /* [near.count] */
  struct bytes out, in;
  double mpi_seconds;  /* CPU time in MPI since create */
  double busy_seconds; /* CPU time outside of MPI since the last cut */
  throng_mpi_stats stats;
};

/* Around calls of MPI that wait for other ranks. */
struct wait {
  double cpu, wall;
};
struct wait throng_mpi_wait_begin(void);
void throng_mpi_wait_end(throng_mpi *mpi, struct wait begun);

/* Fills the error, and returns `status`. */
throng_status throng_mpi_fail(throng_error *error, throng_status status, const char *format, ...);
/* Makes room for `size` bytes. Returns false without memory. */
bool throng_mpi_room(throng_mpi *mpi, struct bytes *bytes, size_t size);
bool throng_mpi_list(struct list *list, uint32_t element);

/* agreement.c. Collective. Returns the same status on all ranks: that of the rank with the smallest agent in its error,
 * or of the first rank that failed. */
throng_status throng_mpi_agree(const throng_mpi *mpi, throng_status status, throng_error *error);
/* The same at the end of a frame: it also counts the agents of all ranks. */
throng_status throng_mpi_agree_on_frame(throng_status status, throng_error *error, void *context);
/* Collective. Returns BAD_VALUE with the first rank whose number is not that of rank 0. */
throng_status throng_mpi_compare(const throng_mpi *mpi, uint64_t number, const char *what, throng_error *error);
/* Collective. Returns UNSUPPORTED with the first rank whose libraries have other sources than those of rank 0. */
throng_status throng_mpi_compare_builds(const throng_mpi *mpi, throng_error *error);

/* step.c. Makes a throng_mpi of this rank's world and MPI's communicator, without cuts. Collective. */
throng_status throng_mpi_open(throng_world *world, const throng_mpi_def *def, throng_mpi **out, throng_error *error);
/* Releases all but the world. Collective. */
void throng_mpi_close(throng_mpi *mpi);
/* Gives the world the functions that connect it with the other pieces. It keeps all its agents. */
throng_status throng_mpi_become_piece(throng_mpi *mpi, throng_error *error);

/* partition.c. Cuts the world by the agents of the view: `alike`: all ranks have all agents, so they need no messages.
 * Collective. */
throng_status throng_mpi_cut_world(throng_mpi *mpi, bool alike, throng_error *error);
/* New cuts between frames: returns in *moved whether they differ. Collective. */
throng_status throng_mpi_balance_again(throng_mpi *mpi, bool *moved, throng_error *error);
int throng_mpi_owner(const struct cuts *cuts, float x, float z);
/* Whether a rank needs an agent at this place as a ghost. */
bool throng_mpi_concerns(const struct cuts *cuts, int rank, float x, float z);
throng_mpi_region throng_mpi_region_of(const struct cuts *cuts, int rank);
void throng_mpi_release_cuts(struct cuts *cuts);

/* rcb.c. Whether Zoltan is here, which cuts trees. */
bool throng_mpi_has_rcb(void);
/* Cuts the world by the agents' weights; 0: of another rank. After an error the cuts are as before. Collective. */
throng_status throng_mpi_cut_by_rcb(throng_mpi *mpi, const throng_view *view, const uint64_t *weight, bool alike,
                                    throng_error *error);
int throng_mpi_tree_owner(const struct cuts *cuts, float x, float z);

/* peers.c. The ranks in reach of this one's region after new cuts. Collective. */
throng_status throng_mpi_find_peers(throng_mpi *mpi, throng_error *error);
void throng_mpi_release_peers(struct peers *peers);
void throng_mpi_release_contacts(throng_mpi *mpi);
/* Sends the lists of all peers, and has the records of all in mpi->in. Collective. */
throng_status throng_mpi_send(throng_mpi *mpi, struct peers *peers, throng_error *error);
/* Takes the records in mpi->in: all of them, or those of peer k that this rank owns from now on, or its ghosts. */
throng_status throng_mpi_take_from(throng_mpi *mpi, const struct peers *peers, int k, bool own, throng_error *error);
throng_status throng_mpi_take(throng_mpi *mpi, const struct peers *peers, throng_error *error);

/* migration.c */
throng_status throng_mpi_exchange(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                                  void *context);
/* Instead of throng_world_step, on a rank that cannot step: the others, which do, then fail too. */
throng_status throng_mpi_fail_frame(throng_mpi *mpi, throng_status status, throng_error *error);
/* Sends all agents to their owners and makes all ghosts again. Collective. */
throng_status throng_mpi_redistribute(throng_mpi *mpi, throng_error *error);
/* Whether every rank has the agent with this id index, and meta as in throng_view. */
bool throng_mpi_is_followed(const throng_mpi *mpi, uint32_t index, uint32_t meta);
/* Lists the agents that every rank has. Collective. */
throng_status throng_mpi_find_followed(throng_mpi *mpi, throng_error *error);

/* rounds.c. Contact iterations. */
throng_status throng_mpi_list_contacts(throng_mpi *mpi, throng_error *error);
bool throng_mpi_contact(float *const position[3], bool pushed, void *context);

#endif
