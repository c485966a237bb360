/* throng/world.h: a world of agents: make it, step it, look at it.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_WORLD_H
#define THRONG_WORLD_H

#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PLANAR: agents steer in the x-z plane; y is payload (never read by a distance, never integrated: floors are told apart by
 * layers); the facing is one angle, yaw, anticlockwise from +z seen from above: facing = (sin yaw, cos yaw) along (x, z).
 * SPATIAL: full 3-D; the facing is a unit vector. */
typedef enum throng_space { THRONG_SPACE_PLANAR = 0, THRONG_SPACE_SPATIAL } throng_space;

/* UNBOUNDED: no walls; positions are limited to 2^22 bins (2^20 perception radii) from the origin on each axis; float32
 * keeps a frame accurate up to about 16 km per metre of perception radius.
 * BOX: agents are contained; at a face the position stops there and the velocity into it becomes 0.
 * PERIODIC: the faces are glued together; every difference of positions (goals too) is the minimum image. */
typedef enum throng_boundary { THRONG_BOUNDARY_UNBOUNDED = 0, THRONG_BOUNDARY_BOX, THRONG_BOUNDARY_PERIODIC } throng_boundary;

/* Separation's strength at distance d, with radius r, strength k and max_acceleration A (STEERING: M 3.3.13, B 4.2.5).
 * Neighbours within 1e-6 perception radii R share a spot: for separation, cohesion, alignment and avoidance they are within every
 * radius and view and stand 1.5e-11 R to 1.7e-6 R apart, each two where their ids say (LINEAR: A beyond r). */
typedef enum throng_separation_law {
  THRONG_SEPARATION_INVERSE = 0,    /* k r / d (default) */
  THRONG_SEPARATION_LINEAR,         /* A (r - d) / r */
  THRONG_SEPARATION_INVERSE_SQUARE  /* min(k / d^2, A) */
} throng_separation_law;

/* M 3.1.3, T. clip(v, S): v scaled down to length S if longer. Drag divides the velocity before the clip. Yaws that are
 * steered likewise, with max_yaw_rate and angular_drag. */
typedef enum throng_update {
  THRONG_UPDATE_SEMI_IMPLICIT = 0, /* v = clip(v + a dt, S), then p += v dt (default) */
  THRONG_UPDATE_EXPLICIT,          /* p += v dt, then v = clip(v + a dt, S) */
  THRONG_UPDATE_BALLISTIC          /* p += v dt + a dt^2 / 2, then v = clip(v + a dt, S) */
} throng_update;

/* The neighbour budget. Every neighbour counts, so a clump of m agents costs m^2 pairs a frame: exact, but it can stop a game.
 * A budget of B bounds that: in a crowd that is too dense an agent has about 2 B neighbours, who stand for all (about B in an
 * even crowd in space, up to 3.6 B in a clump as wide as R). Take a bin of R / 4 x R (x R in spatial worlds) and all the bins in
 * which an agent of it may have neighbours: 9 in each of 3 rows (9 rows). Where those hold more than 4 B agents, or the middle 3
 * of each row more than 2 B, the bin's m members are represented by r of them, each counting as m / r agents; r is m times 4 B
 * over the agents in those bins, or times 2 B over those in the middle ones if that is less, rounded up. Representatives are every
 * (m / r)-th by id, and others every frame: each member serves equally often. A bin with no more than its share, 4 B / 27
 * (4 B / 81) agents, is left alone.
 *   Exact as without a budget, bit for bit: agents with no such bin in reach, and queries. 32 leaves a planar flock with 20
 * neighbours alone, whose bins hold 43 agents on average where 128 are allowed; a spatial one (97) keeps less distance. The
 * same bits on every machine, number of threads and history, given the number of the frame.
 *   Elsewhere separation, cohesion and alignment sum estimates whose mean over frames is the exact sum. In a clump of 400
 * agents one frame's separation is off by 73 % of its mean size with B = 4 and by 32 % with B = 32; the mean of 3 000 frames by
 * 0.1 %. Attraction, cohesion that arrives and the mean of a cone are estimates likewise. Avoidance answers the first threat
 * among the representatives; the nearest neighbour, where a rule looks at that alone, and the one ahead in a queue are sought
 * among them too, so that a queue may close up inside a clump.
 *   An agent of a clump then costs 2 B pairs, 4 B where it is as wide as R, and one more for each bin around it; where density
 * changes, about twice that, and never more than 20 B (36 B in spatial worlds): the bins around it fall into 4 (8) blocks within
 * which each is in the others' surroundings, and those that are left alone hold 4 B. Up to 16 agents of a row are looked at
 * together, so loners pay for what is near their companions, and where the crowd reaches so far that bins share the hash's cells,
 * those of one cell pay for one another. 50 000 agents within one R, with B = 32 (scene `packed`), take 2.2 to 3.0 times flock2's
 * frame; on one spot, to the millionth of R, 1.9 to 3.4 times, as long as they stay there. */
typedef struct throng_world_def {
  throng_space space;                   /* default THRONG_SPACE_PLANAR */
  throng_boundary boundary;             /* default THRONG_BOUNDARY_UNBOUNDED */
  throng_vec3 box_min, box_max;         /* metres, BOX and PERIODIC: min < max on x, z (and y in spatial worlds), within
                                           2^20 R of the origin; PERIODIC: sides >= 4 R. Default 0 and 100 */
  float perception_radius;              /* R, metres, 1e-3 to 1e6 (default 1): the largest any agent can have */
  throng_separation_law separation_law; /* default THRONG_SEPARATION_INVERSE */
  throng_update update;                 /* default THRONG_UPDATE_SEMI_IMPLICIT */
  uint64_t seed;                        /* of every random draw (default 1) */
  uint32_t capacity;                    /* agents to make room for, 0 to 2^31 - 2 (default 0); the world grows when full */
  uint16_t id_world;                    /* stamped into ids (default 0): give worlds different numbers, and an id of
                                           one is refused by another */
  uint32_t neighbour_budget;            /* 0 = none: every neighbour counts (default); else 1 to 2^24: see above */
  uint32_t contact_iterations;          /* 1 to 16 (default 4): how often a frame pushes solid bodies apart, at most
                                           (throng_group_def.contact); without such groups it costs nothing */
  uint32_t thread_count;                /* 0 = all of the machine's (default), 1 = the calling thread alone, at most 1024;
                                           of these a frame has one for each 256 agents. Where one host thread steps small
                                           worlds and large ones in turn, give the small ones 1: libgomp starts threads
                                           anew where their number changes */
  throng_isa isa;                       /* the highest instruction set to use (default AUTO). The environment variable
                                           THRONG_ISA, read by create, lowers it further */
  bool profile;                         /* collect throng_profile (default false) */
  throng_allocator allocator;           /* default: aligned_alloc and free */
  throng_log_hook log;
  throng_assert_hook assertion;
  throng_trace_hook trace;              /* default: none */
  throng_job_system jobs;               /* default: OpenMP, or the calling thread in a build without it */
  uint32_t cookie;                      /* set by throng_default_world_def; do not touch */
} throng_world_def;

/* Thread-safe. */
THRONG_API throng_world_def throng_default_world_def(void);

/* Makes a world; *world is set only on success. It has no agents, group 0 with the default definition, and is indexed.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE, NOT_FINITE, OUT_OF_RANGE (box), UNSUPPORTED (isa), OUT_OF_MEMORY.
 * Thread-safe: a program may have any number of worlds; different worlds may be used by different threads at once. */
THRONG_API throng_status throng_world_create(const throng_world_def *def, throng_world **world, throng_error *error);

/* Frees everything. NULL is allowed. */
THRONG_API void throng_world_destroy(throng_world *world);

/* The definition as the world runs it: isa and thread_count are the ones chosen. NULL gives the default. Thread-safe. */
THRONG_API throng_world_def throng_world_get_def(const throng_world *world);

/* One frame of `dt` seconds, 0 <= dt <= 1 (dt = 0 moves nobody, but counts as a frame): index if the world is dirty, steer, integrate,
 * constrain, push solid bodies apart, check, index. All or nothing: on error every agent is as it was before the call.
 * Errors: NULL_ARGUMENT, BAD_VALUE or NOT_FINITE (dt), NOT_FINITE or OUT_OF_RANGE (an agent's result, or a dirty world's
 * state; error->agent names the smallest id), BLOCKED (a dirty world). A dirty world is indexed even where the step then
 * fails. Never allocates. One call at a time per world.
 *   Which dt: rates are per second and random walks scale with dt, so frames of any length mean the same; but what is to be
 * reached in a time T (time_to_target, facing_time, a queue's quarter) is reached without a swing while dt <= T, swings up to
 * 2 T, and does not come to rest beyond. With the default times of 0.1 s: up to 1/10 s; rules over neighbours, and bodies that
 * are solid, want max_speed * dt below a body radius or two: 1/20 s for walkers. A longer frame is n calls of dt / n
 * (substeps), each a frame of its own: all or nothing holds for each. */
THRONG_API throng_status throng_world_step(throng_world *world, float dt, throng_error *error);

/* The two halves of a step, for a host that integrates itself or looks between. throng_world_steer leaves the world unmoved and
 * writes each agent's acceleration into the column THRONG_COLUMN_ACCELERATION; it may be repeated, with the same bits.
 * throng_world_integrate reads that column (which the host may have edited), moves the agents and commits the frame.
 * A host that moves its agents itself and never calls throng_world_integrate stays in the same frame: random walks, dithering and the
 * turns of a neighbour budget stand still, and facings are the host's to write.
 * steer and integrate with the same dt give the bits of one step. A throng_world_step between them, even one that fails in its frame, ends what
 * throng_world_steer began. Errors as throng_world_step; NOT_STEERED. Neither allocates. */
THRONG_API throng_status throng_world_steer(throng_world *world, float dt, throng_error *error);
THRONG_API throng_status throng_world_integrate(throng_world *world, float dt, throng_error *error);

/* Rebuilds the grid if the world is dirty (after add, remove, moved positions); then queries answer again. Errors:
 * NULL_ARGUMENT, NOT_FINITE, OUT_OF_RANGE or BLOCKED (an agent that an edited view put there). */
THRONG_API throng_status throng_world_index(throng_world *world, throng_error *error);

/* Whether queries would answer. false for NULL. Thread-safe between steps. */
THRONG_API bool throng_world_is_indexed(const throng_world *world);

/* Moves the origin by about `wished` (metres): every position, goal, target point, box, cell grid, flow field, path and
 * shape becomes p - exact. The shift that is made is the nearest to `wished` that is a whole number of bins (R / 4) along x
 * and of rows (R) along y and z, and a float; `exact` says which it was, and may be NULL. y is ignored in planar worlds.
 * Refused unless every subtraction is exact. Then the state is the same, displaced, in the same canonical order, and so are
 * the accelerations of the next steer. Positions integrated afterwards round at their new magnitude.
 * Errors: NULL_ARGUMENT, NOT_FINITE, UNSUPPORTED (a periodic world), OUT_OF_RANGE (`wished` beyond twice the world's limit
 * of positions, or something that would be inexact or beyond the limit; an agent is named), and those of
 * throng_world_index where the world is dirty. */
THRONG_API throng_status throng_world_shift_origin(throng_world *world, throng_vec3 wished, throng_vec3 *exact,
                                                   throng_error *error);

/* Frames committed since create. 0 for NULL. Thread-safe between steps. */
THRONG_API uint64_t throng_world_frame(const throng_world *world);

/* A hash of the agents: the sum modulo 2^64, over agents, of a mix of index, generation and the raw bits of the columns
 * in `columns` (a bit set of 1u << throng_column; 0 = position, velocity and facing). It does not depend on memory
 * order, so the hashes of the pieces of a world add up to the world's. 0 for NULL. Thread-safe between steps. */
THRONG_API uint64_t throng_world_hash(const throng_world *world, uint32_t columns);

/* Checks the whole structure (grid, order, ids, groups): true if sound; else says what is wrong. For tests and bug hunts;
 * takes time proportional to the agents. */
THRONG_API bool throng_world_check(const throng_world *world, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
