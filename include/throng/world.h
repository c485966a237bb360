/* throng/world.h: creates, steps and checks a world of agents.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_WORLD_H
#define THRONG_WORLD_H

#include "axes.h"
#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PLANAR: agents move in the x-z plane. y is a payload: no distance reads it and no step changes it; layers keep
 * floors apart. The facing is one angle, the yaw, anticlockwise from +z seen from above: facing = (sin yaw, cos yaw)
 * along (x, z).
 * SPATIAL: agents move in all three dimensions. The facing is a unit vector. */
typedef enum throng_space { THRONG_SPACE_PLANAR = 0, THRONG_SPACE_SPATIAL } throng_space;

/* UNBOUNDED: the world has no faces. Positions are limited to 2^22 bins (2^20 perception radii) from the origin on
 * each axis. float32 keeps a frame accurate up to about 16 km per metre of perception radius.
 * BOX: agents stay inside. At a face, the position stops there and the velocity into the face becomes 0.
 * PERIODIC: opposite faces are joined. Every difference of positions, also to goals, is the minimum image. */
typedef enum throng_boundary {
  THRONG_BOUNDARY_UNBOUNDED = 0,
  THRONG_BOUNDARY_BOX,
  THRONG_BOUNDARY_PERIODIC
} throng_boundary;

/* Separation's strength at distance d, with radius r, strength k and max_acceleration A (M 3.3.13, B 4.2.5; group.h
 * has the sources). Neighbours within 1e-6 perception radii R count as at the same point. For separation, cohesion,
 * alignment and avoidance such neighbours are within every radius and view. Their distance counts as 1.5e-11 R to
 * 1.7e-6 R, in a direction that the two ids fix (LINEAR: A beyond r). */
typedef enum throng_separation_law {
  THRONG_SEPARATION_INVERSE = 0,   /* k r / d (default) */
  THRONG_SEPARATION_LINEAR,        /* A (r - d) / r */
  THRONG_SEPARATION_INVERSE_SQUARE /* min(k / d^2, A) */
} throng_separation_law;

/* The update rule (M 3.1.3, T). clip(v, S) is v scaled down to length S if it is longer. Drag divides the velocity
 * before the clip. A steered yaw is updated in the same way, with max_yaw_rate and angular_drag. */
typedef enum throng_update {
  THRONG_UPDATE_SEMI_IMPLICIT = 0, /* v = clip(v + a dt, S), then p += v dt (default) */
  THRONG_UPDATE_EXPLICIT,          /* p += v dt, then v = clip(v + a dt, S) */
  THRONG_UPDATE_BALLISTIC          /* p += v dt + a dt^2 / 2, then v = clip(v + a dt, S) */
} throng_update;

/* The neighbour budget. Without one, every neighbour counts, so that a clump of m agents costs m^2 pairs per frame.
 * A budget of B bounds this: in a dense crowd an agent has about 2 B neighbours, which represent all (about B in an
 * even spatial crowd, up to 3.6 B in a clump as wide as R). The rule is for bins of R / 4 x R (x R in spatial
 * worlds). The surroundings of a bin are all bins in which an agent of the bin may have neighbours: 9 bins in each
 * of 3 rows (9 rows in spatial worlds). A bin is thinned if its surroundings hold more than 4 B agents, or the
 * middle 3 bins of each row more than 2 B. r of its m members then represent the bin, and each counts as m / r
 * agents. r is m * 4 B / (agents in the surroundings), or m * 2 B / (agents in the middle bins) if that is less,
 * rounded up. Every (m / r)-th member by id is a representative. They change every frame, so that each member
 * represents equally often. A bin with at most 4 B / 27 (4 B / 81) agents is not thinned.
 * Agents with no thinned bin in reach, and queries, have the same bits as without a budget. Examples for a budget of
 * 32: a planar flock with 20 neighbours is not thinned, because its surroundings hold 43 agents on average and 128
 * are allowed; a spatial flock (97) is nearer to the limit. The bits are the same on every machine and for every
 * number of threads and history; they depend on the number of the frame.
 * With thinned bins in reach, separation, cohesion and alignment are estimates, whose mean over frames is the exact
 * sum. In a clump of 400 agents, one frame's separation differs from the exact one by 73 % of its mean size with B =
 * 4 and by 32 % with B = 32; the mean of 3 000 frames differs by 0.1 %. Attraction, cohesion that arrives and the
 * mean of a cone are estimates too. Avoidance reacts to the first threat among the representatives. The nearest
 * neighbour, for rules that use only that one, and the agent ahead in a queue are found among the representatives,
 * so that the gaps of a queue may close inside a clump.
 * An agent of a clump costs 2 B pairs (4 B if the clump is as wide as R) and one more pair per bin in reach; where
 * density changes about twice that, and never more than 20 B (36 B in spatial worlds), because the bins in reach
 * form 4 (8) blocks within which each bin is in the surroundings of the others, and bins that are not thinned hold 4
 * B. Up to 16 agents of a row are searched together, so that lonely agents pay for the surroundings of their
 * companions. If the crowd extends so far that bins share cells of the hash, the agents of a cell pay for each
 * other. */
typedef struct throng_world_def {
  throng_space space;                   /* default THRONG_SPACE_PLANAR */
  throng_boundary boundary;             /* default THRONG_BOUNDARY_UNBOUNDED */
  throng_axes axes;                     /* the host's (throng/axes.h): the axes and the unit of all values that calls
                                           copy in or out. Scalars of this definition and of groups stay in metres and
                                           seconds. Default: throng's own, metres */
  throng_vec3 box_min, box_max;         /* in the host's axes, for BOX and PERIODIC: min < max along each axis (in
                                           planar worlds not along the vertical one), within 2^20 R of the origin;
                                           PERIODIC: sides of at least 4 R. Default 0 and 100 */
  float perception_radius;              /* R, metres, 1e-3 to 1e6 (default 1): the largest perception radius of any
                                           agent */
  throng_separation_law separation_law; /* default THRONG_SEPARATION_INVERSE */
  throng_update update;                 /* default THRONG_UPDATE_SEMI_IMPLICIT */
  uint64_t seed;                        /* of every random draw (default 1) */
  uint32_t capacity;                    /* allocate for this many agents, 0 to 2^31 - 2 (default 0); a full world
                                           grows */
  uint16_t id_world;                    /* written into ids (default 0): with a different number per world, a world
                                           refuses ids of other worlds */
  uint32_t neighbour_budget;            /* 0 = none: every neighbour counts (default); else 1 to 2^24, as described
                                           above */
  uint32_t contact_iterations;          /* 1 to 16 (default 4): how often a frame pushes solid bodies apart, at most
                                           (throng_group_def.contact); without such groups it has no cost */
  uint32_t thread_count;                /* 0 = all of the machine's (default), 1 = only the calling thread, at most
                                           1024. A frame uses one thread per 256 agents. If one host thread steps
                                           small and large worlds in turn, give the small ones 1, because libgomp
                                           starts new threads when their number changes */
  throng_isa isa;                       /* the best instruction set that the world may use (default AUTO). The
                                           environment variable THRONG_ISA, which create reads, can lower it.
                                           Create refuses a set that the build or the CPU lacks */
  bool profile;                         /* collect throng_profile (default false) */
  throng_allocator allocator;           /* default: aligned_alloc and free */
  throng_log_hook log;
  throng_assert_hook assertion;
  throng_trace_hook trace; /* default: none */
  throng_job_system jobs;  /* default: OpenMP; the calling thread in a build without OpenMP */
  uint32_t cookie;         /* set by throng_default_world_def; do not touch */
} throng_world_def;

/* Thread-safe. */
THRONG_API throng_world_def throng_default_world_def(void);

/* Creates a world without agents. Group 0 has the default definition, and the world is indexed. *world is set only
 * on success.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE, NOT_FINITE, OUT_OF_RANGE (box), UNSUPPORTED (isa), OUT_OF_MEMORY.
 * Thread-safe: a program may have any number of worlds, and different threads may use different worlds at once. */
THRONG_API throng_status throng_world_create(const throng_world_def *def, throng_world **world, throng_error *error);

/* Releases the world. NULL is allowed. */
THRONG_API void throng_world_destroy(throng_world *world);

/* The world's definition, with the isa and thread_count that were chosen. NULL: the default definition. Thread-safe. */
THRONG_API throng_world_def throng_world_get_def(const throng_world *world);

/* Steps one frame of `dt` seconds, 0 <= dt <= 1: indexes a dirty world, steers, integrates, constrains, pushes solid
 * bodies apart, checks and indexes. dt = 0 moves no agent, but counts as a frame. All or nothing: on error every
 * agent is as before the call. A dirty world is indexed even if the step then fails. Never allocates. One call at a
 * time per world.
 * Errors: NULL_ARGUMENT, BAD_VALUE or NOT_FINITE (dt), NOT_FINITE or OUT_OF_RANGE (an agent's result, or the state
 * of a dirty world; error->agent is the smallest id), BLOCKED (a dirty world).
 * Which dt: rates are per second and random walks scale with dt, so that frames of any length mean the same. A
 * target with a time T (time_to_target, facing_time, a quarter of a queue's) is reached without oscillation if dt <=
 * T, with oscillation up to 2 T, and not at all beyond. The default times of 0.1 s allow up to 1/10 s. Rules over
 * neighbours and solid bodies need a max_speed * dt below one or two body radii: 1/20 s for walkers. Replace a
 * longer frame by n calls of dt / n; all or nothing then holds for each of them. */
THRONG_API throng_status throng_world_step(throng_world *world, float dt, throng_error *error);

/* The two halves of a step, for a host that integrates itself or acts between them. throng_world_steer moves no
 * agent. It writes each agent's acceleration into THRONG_COLUMN_ACCELERATION; a second call gives the same bits.
 * throng_world_integrate reads that column, which the host may have edited, moves the agents and commits the frame.
 * steer and integrate with the same dt give the bits of one step.
 * A host that moves its agents itself and never calls throng_world_integrate stays in the same frame: random walks,
 * dithering and the choice of representatives do not advance, and facings are the host's to write. After a
 * throng_world_step, even one that failed, throng_world_integrate needs a new throng_world_steer.
 * Errors: as throng_world_step; NOT_STEERED. Neither allocates. */
THRONG_API throng_status throng_world_steer(throng_world *world, float dt, throng_error *error);
THRONG_API throng_status throng_world_integrate(throng_world *world, float dt, throng_error *error);

/* Rebuilds the grid if the world is dirty: after agents were added, removed or moved. Queries need that.
 * Errors: NULL_ARGUMENT; NOT_FINITE, OUT_OF_RANGE or BLOCKED (an agent that the host moved). */
THRONG_API throng_status throng_world_index(throng_world *world, throng_error *error);

/* Whether the world is indexed, so that queries work. false for NULL. Thread-safe between steps. */
THRONG_API bool throng_world_is_indexed(const throng_world *world);

/* Moves the origin by about `wished` metres: every position, goal, target point, box, cell, flow field, path and
 * shape becomes p - exact. The shift `exact` is the one nearest to `wished` that is a float and a whole number of
 * bins (R / 4) along x and of rows (R) along y and z; `exact` may be NULL. y is ignored in planar worlds. The call
 * is refused unless every subtraction is exact. The shifted state is then the same, in the same order, and the next
 * steer gives the same accelerations. Positions that are integrated later round at their new magnitude.
 * Errors: NULL_ARGUMENT, NOT_FINITE, UNSUPPORTED (a periodic world), OUT_OF_RANGE (`wished` beyond twice the world's
 * limit of positions, or a value that would be inexact or beyond the limit; the text names it), and those of
 * throng_world_index if the world is dirty. */
THRONG_API throng_status throng_world_shift_origin(throng_world *world, throng_vec3 wished, throng_vec3 *exact,
                                                   throng_error *error);

/* The number of frames since the world was created. 0 for NULL. Thread-safe between steps. */
THRONG_API uint64_t throng_world_frame(const throng_world *world);

/* A hash of the agents: the sum modulo 2^64, over all agents, of a mix of index, generation and the bits of the
 * columns in `columns`, a bit set of 1u << throng_column; 0 = position, velocity and facing. It does not depend on
 * the order in memory, and the hashes of the parts of a world add up to the world's. 0 for NULL. Thread-safe between
 * steps. */
THRONG_API uint64_t throng_world_hash(const throng_world *world, uint32_t columns);

/* Checks grid, order, ids and groups. Returns true if they are consistent; if not, *what is the defect. For tests;
 * takes time proportional to the agents. */
THRONG_API bool throng_world_check(const throng_world *world, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
