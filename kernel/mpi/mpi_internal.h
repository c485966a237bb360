/* mpi_internal.h: a rank's part of a world. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_MPI_MPI_INTERNAL_H
#define THRONG_KERNEL_MPI_MPI_INTERNAL_H

#include <stdbool.h>

#include <throng/mpi.h>
#include <throng/piece.h>

/* A cut of a tree. */
struct fork {
  bool along_z;
  float at;      /* metres: positions below it are on the low side */
  int low, high; /* what is on each side. n >= 0: fork n; n < 0: the region of rank ~n */
};

/* The regions. There are two forms: slabs along z, where each slab has its own cuts along x; or a tree of cuts, where
 * each cut divides a region in two. */
struct cuts {
  uint32_t slabs, columns;   /* parts along z, and along x in each slab */
  float *z;                  /* [slabs + 1] from -INFINITY to INFINITY */
  float *x;                  /* [slabs][columns + 1] */
  struct fork *fork;         /* of a tree: [ranks - 1]; NULL: the form is slabs */
  int root;                  /* of a tree: its first cut, numbered as fork.low */
  throng_mpi_region *region; /* of a tree: [ranks] */
  float halo;                /* metres: how far from its region a rank needs ghosts */
  struct side {
    float low, high; /* the box of the world. Along an unbounded axis: the bounds of the agents at the first cut */
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

/* The messages on their way: the counts of records; the records, or positions of a contact iteration. */
struct sending {
  enum { SENDING_NOTHING, SENDING_COUNTS, SENDING_RECORDS } state;
  MPI_Request request;
};

struct bytes {
  char *data;
  size_t room;
};

/* An agent's id index, and its element in the view. */
struct place {
  uint32_t index, element;
};
/* The contact positions that this rank exchanges with a peer, in the order of the ids. */
struct contact_list {
  struct place *own, *ghosts;
  uint32_t own_count, ghost_count, own_room, ghost_room;
};

/* Values of want.owner that are no ranks. NONE: the target was removed, or every rank has it. */
enum { OWNER_UNKNOWN = -2, OWNER_NONE = -1 };
/* An agent that is the target of own agents (THRONG_TARGET_OWN). */
struct want {
  uint32_t index;
  uint16_t generation;
  int owner;      /* the rank that owns it before the frame, OWNER_UNKNOWN or OWNER_NONE */
  uint32_t users; /* own agents that have this target */
};
struct wants {
  struct want *item;
  size_t count, room;
};

/* Kinds of requests. ADD: rank `from` wants the agent after every frame from now on. REMOVE: it no longer does.
 * ONCE: it wants the agent after this frame only. Two kinds are for the directory. HOLDS: rank `from` has the agent.
 * FIND: rank `from` will own an agent that has this one as target. */
enum { REQUEST_ADD, REQUEST_REMOVE, REQUEST_ONCE, REQUEST_HOLDS, REQUEST_FIND };
struct request {
  uint32_t index;
  uint16_t generation, kind;
  int from, to; /* to: the rank that gets the request */
};
struct requests {
  struct request *item;
  size_t count, room;
};

/* What a rank knows of own targets. */
struct targets {
  bool used;                 /* some group has THRONG_TARGET_OWN, and the column exists. The same on all ranks */
  struct wants wants;        /* by ascending id */
  struct wants gained, lost; /* targets of the agents that came to this rank in this frame, and of those that left it */
  struct wants moved;        /* the agents that came or left */
  struct requests told;      /* what this rank wants of others after every frame, in the order of (to, id) */
  struct requests asked;     /* what others want of this rank after every frame, in the order of (from, id) */
  struct requests next_told, next_asked; /* the same from this frame on, if it does not fail */
  bool asked_changes;                    /* false: `asked` stays, and next_asked is not valid */
  struct requests once;                  /* what others want of this rank after this frame only, by (from, id) */
  struct requests out;                   /* to send */
  struct wants merged;                   /* scratch */
  struct list elements;                  /* scratch */
  struct bytes answers;                  /* records for the ranks that asked, in the order of ranks */
  size_t *bytes, *next;                  /* [ranks] the bytes that a delivery sends to each rank; scratch */
};

/* What is left to send to a rank, in parts. */
struct parcel {
  const char *at;
  size_t bytes;
  int to;
};
/* Sends messages in parts. MPI counts bytes in int, and a rank without memory must be able to drop a part.
 * throng_mpi_gather uses parts of the same size. */
struct delivery {
  struct parcel *parcel; /* [ranks] */
  MPI_Request *sent;     /* [ranks] the part of each parcel that is on its way */
  int *arrived;          /* [ranks] scratch: parcels whose part has arrived */
  size_t part_bytes;     /* the maximum of a part */
  char *dropped;         /* [part_bytes] receives a part that is dropped */
  int tag;
};

/* Positions of agents by element: of a view, or in an exchange. */
struct placed {
  const uint32_t *meta;
  const float *x, *z;
};

/* Why a frame must run again. ROOM: a piece has too little capacity. FAR: an agent left for a rank that is no peer.
 * LATE: an agent outside the rim left the inner box. */
enum { REPEAT_ROOM = 1, REPEAT_FAR = 2, REPEAT_LATE = 4 };

struct throng_mpi {
  throng_world *world;
  throng_mpi_def def;
  throng_world_def world_def;
  MPI_Comm comm;
  int rank, ranks;
  struct cuts cuts;
  throng_vec3 inner_min, inner_max; /* a box along x and z: no other rank needs an own agent inside it */
  struct peers near, all;           /* near: the ranks in reach of this one's region */
  bool far;                         /* this frame sends to all ranks */
  struct sending sending;
  bool overlaps;       /* agents near the inner box move first, so that messages travel while the others move */
  throng_status begun; /* what throng_mpi_begin returned in this frame */
  float rim;           /* metres: agents nearer than this to a side of the inner box move first; INFINITY: all do */
  int repeat;          /* REPEAT_ROOM, REPEAT_FAR and REPEAT_LATE as bits; 0: the frame need not run again */
  uint64_t needed;     /* for REPEAT_ROOM: the capacity that this piece must have; 0: it has enough */
  uint64_t columns, ghost_columns;
  size_t record_bytes, ghost_bytes;
  throng_agent_id *followed; /* agents that every rank has, by ascending index */
  uint32_t followed_count;
  bool ready;            /* every rank has its agents and ghosts; false after a throng_mpi_sync or cut that failed */
  uint64_t changes;      /* throng_piece_changes when all ranks knew of them */
  bool solid;            /* some group has contact */
  float dt;              /* of this frame */
  uint64_t total, owned; /* agents of the world, and of this rank after the frame */
  struct contact_list *contact; /* [near.count] */
  struct targets targets;
  struct delivery delivery;
  struct bytes out, in;
  double mpi_seconds;  /* CPU time in MPI since create */
  double busy_seconds; /* CPU time outside of MPI since the last cut */
  double cpu_begun;    /* CPU time of the process before create */
  throng_mpi_stats stats;
};

/* The clocks before a call of MPI that waits for other ranks. */
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

/* agreement.c. Collective. Returns the same status on all ranks: THRONG_OK if all ranks have that. If the errors name
 * agents, it returns the error with the smallest agent, otherwise that of the first rank that failed. */
throng_status throng_mpi_agree(const throng_mpi *mpi, throng_status status, throng_error *error);
/* The same before a frame: it also compares dt. */
throng_status throng_mpi_agree_to_begin(throng_mpi *mpi, throng_status status, float dt, throng_error *error);
/* The same at the end of a frame: it also counts the agents of all ranks. */
throng_status throng_mpi_agree_on_frame(throng_status status, throng_error *error, void *context);
/* Collective. Returns BAD_VALUE with the first rank whose number is not that of rank 0. */
throng_status throng_mpi_compare(const throng_mpi *mpi, uint64_t number, const char *what, throng_error *error);
/* Collective. Returns UNSUPPORTED with the first rank whose libraries have other sources than those of rank 0. */
throng_status throng_mpi_compare_builds(const throng_mpi *mpi, throng_error *error);

/* step.c. Makes a throng_mpi for this rank's world. It has no cuts yet. Collective. */
throng_status throng_mpi_open(throng_world *world, const throng_mpi_def *def, throng_mpi **out, throng_error *error);
/* Releases all but the world. Collective. */
void throng_mpi_close(throng_mpi *mpi);
/* The same after an error. The world is no piece then. Returns `status`. Collective. */
throng_status throng_mpi_abandon(throng_mpi *mpi, throng_status status);
/* Makes the world a piece (throng/piece.h). It keeps all its agents. */
throng_status throng_mpi_become_piece(throng_mpi *mpi, throng_error *error);

/* partition.c. Makes the first cuts from the positions of the agents. `alike`: every rank has all agents of the world,
 * so the ranks compute the same cuts without messages. Collective. */
throng_status throng_mpi_cut_world(throng_mpi *mpi, bool alike, throng_error *error);
/* Makes new cuts between frames. *moved: whether there are new ones. Collective. */
throng_status throng_mpi_balance_again(throng_mpi *mpi, bool *moved, throng_error *error);
int throng_mpi_owner(const struct cuts *cuts, float x, float z);
/* Whether a rank needs an agent at this place as a ghost. */
bool throng_mpi_concerns(const struct cuts *cuts, int rank, float x, float z);
throng_mpi_region throng_mpi_region_of(const struct cuts *cuts, int rank);

/* cuts.c. The rank that owns a place, by the tree of cuts. */
int throng_mpi_tree_owner(const struct cuts *cuts, float x, float z);
void throng_mpi_release_cuts(struct cuts *cuts);

/* rcb.c. Whether this library was built with Zoltan, which makes the trees of cuts. */
bool throng_mpi_has_rcb(void);
/* Cuts the world so that the sums of the agents' weights are about equal. Ghosts have the weight 0. After an error the
 * cuts are as before. Collective. */
throng_status throng_mpi_cut_by_rcb(throng_mpi *mpi, const throng_view *view, const uint64_t *weight, bool alike,
                                    throng_error *error);

/* peers.c. After new cuts: finds the ranks in reach of this one's region. Collective. */
throng_status throng_mpi_find_peers(throng_mpi *mpi, throng_error *error);
void throng_mpi_release_peers(struct peers *peers);
void throng_mpi_release_contacts(throng_mpi *mpi);
/* Begins to send the listed agents to the peers; no other messages to peers may be on their way. A rank that fails
 * sends nothing, and must end it, too. Collective. */
throng_status throng_mpi_begin_send(throng_mpi *mpi, struct peers *peers, throng_error *error);
/* Lets the messages that were begun go on. */
void throng_mpi_go_on(throng_mpi *mpi, struct peers *peers);
/* Waits for the messages: then the records of all peers are in mpi->in. Collective. */
throng_status throng_mpi_end_send(throng_mpi *mpi, struct peers *peers, throng_error *error);
/* After throng_mpi_end_send. take: takes all records in mpi->in. take_from: takes those of peer k: its agents that this
 * rank owns from now on, or (`own` false) those that are ghosts. */
throng_status throng_mpi_take_from(throng_mpi *mpi, const struct peers *peers, int k, bool own, throng_error *error);
throng_status throng_mpi_take(throng_mpi *mpi, const struct peers *peers, throng_error *error);

/* step.c. Returns `refusal` if this piece has changed since the last throng_mpi_sync in a way that others must know. */
throng_status throng_mpi_check_synced(const throng_mpi *mpi, throng_status refusal, throng_error *error);

/* migration.c. The functions of a piece: they send when the agents at the border have moved, and take when all have. */
throng_status throng_mpi_begin(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                               void *context);
void throng_mpi_progress(void *context);
throng_status throng_mpi_exchange(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                                  void *context);
/* A rank that cannot step calls it instead of throng_world_step. The other ranks, which step, then fail too. */
throng_status throng_mpi_fail_frame(throng_mpi *mpi, throng_status status, throng_error *error);
/* Sends all agents to their owners and makes all ghosts again. Collective. */
throng_status throng_mpi_redistribute(throng_mpi *mpi, throng_error *error);

/* followed.c. Whether every rank has the agent with this id index, and meta as in throng_view. */
bool throng_mpi_is_followed(const throng_mpi *mpi, uint32_t index, uint32_t meta);
/* Lists the agents that every rank has: the targets of groups. Collective. */
throng_status throng_mpi_find_followed(throng_mpi *mpi, throng_error *error);

/* delivery.c. Allocates what a delivery needs. Returns false without memory. */
bool throng_mpi_open_delivery(throng_mpi *mpi);
void throng_mpi_release_delivery(struct delivery *delivery);
/* Sends bytes[rank] bytes to each rank, which follow each other in `data` and are records of record_bytes bytes. Writes
 * how many records came. They are in mpi->in, in any order. Returns OUT_OF_MEMORY, and no records, if this rank has no
 * memory for them. Collective. */
throng_status throng_mpi_deliver(throng_mpi *mpi, const char *data, const size_t *bytes, size_t record_bytes,
                                 size_t *records, throng_error *error);

/* targets.c. Own targets. In a frame: */
/* Finds the owners of all targets. Before the step, while the view is that of the last frame. */
throng_status throng_mpi_list_wants(throng_mpi *mpi, throng_error *error);
/* After own agents have moved: tells the owners of targets what this rank wants from now on. `agents` NULL: nothing
 * changes. targets.told and targets.asked change only in throng_mpi_settle_targets, so that a frame that fails changes
 * nothing. Collective. */
throng_status throng_mpi_ask(throng_mpi *mpi, const throng_piece_agents *agents, throng_error *error);
/* Whether an own agent that leaves must stay as a ghost because it is a target. */
bool throng_mpi_keeps_target(const throng_mpi *mpi, uint32_t index, uint32_t meta);
/* Notes the targets of agents that came, whose records are in mpi->in. */
throng_status throng_mpi_note_arrivals(throng_mpi *mpi, const struct peers *peers, throng_error *error);
/* Packs the targets that other ranks asked for. If `status` is an error, it packs none and returns the error. */
throng_status throng_mpi_pack_answers(throng_mpi *mpi, const struct placed *agents, throng_status status,
                                      throng_error *error);
/* Sends them, and writes the number of records that came: they are in mpi->in. Collective. */
throng_status throng_mpi_send_answers(throng_mpi *mpi, uint32_t *count, throng_error *error);
/* Takes over the changes of a frame that did not fail. */
void throng_mpi_settle_targets(throng_mpi *mpi);

/* target_lists.c. */
/* Allocates the arrays with an item for each rank. Returns false without memory. */
bool throng_mpi_open_targets(throng_mpi *mpi);
void throng_mpi_release_targets(struct targets *targets);
int throng_mpi_compare_ids(uint32_t index, uint16_t generation, uint32_t other_index, uint16_t other_generation);
/* request_room and want_room make room for `room` items, the others add one. They return false without memory. */
bool throng_mpi_request_room(struct requests *list, size_t room);
bool throng_mpi_add_request(struct requests *list, struct request request);
bool throng_mpi_want_room(struct wants *list, size_t room);
bool throng_mpi_add_want(struct wants *list, uint32_t index, uint16_t generation);
/* Sorts a list by id, and unites items with the same id: their users are added. */
void throng_mpi_unite_wants(struct wants *list);
/* Returns NULL if there is none. */
struct want *throng_mpi_find_want(const struct wants *list, uint32_t index, uint16_t generation);
/* Makes a new array of the agents' targets. After an error *targets is NULL. */
throng_status throng_mpi_read_targets(const throng_mpi *mpi, const uint32_t *elements, uint32_t count,
                                      throng_agent_id **targets, throng_error *error);
throng_status throng_mpi_no_memory_for_targets(throng_error *error);
/* Sends targets.out, and writes the number of requests that came: they are in mpi->in. Collective. */
throng_status throng_mpi_send_requests(throng_mpi *mpi, size_t *count, throng_error *error);
/* Sends targets.out, and takes over the requests that came: makes targets.next_asked and adds to targets.once.
 * Collective. */
throng_status throng_mpi_hear(throng_mpi *mpi, throng_error *error);
/* Compares requests by (from, id). */
int throng_mpi_by_asker(const void *a, const void *b);

/* directory.c. Between frames: each rank learns which of its agents are targets, and which ranks own the agents that
 * have these targets from now on. `view` NULL: this rank has failed, and takes part without agents. Collective. */
throng_status throng_mpi_locate_targets(throng_mpi *mpi, const throng_view *view, throng_error *error);
/* Lists the targets of own agents. */
throng_status throng_mpi_want_targets(throng_mpi *mpi, throng_error *error);

/* rounds.c. Before a frame: lists the agents whose positions the contact iterations exchange. */
throng_status throng_mpi_list_contacts(throng_mpi *mpi, throng_error *error);
void throng_mpi_begin_contact(float *const position[3], void *context);
bool throng_mpi_contact(float *const position[3], bool pushed, void *context);

#endif
