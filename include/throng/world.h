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

/* PLANAR: agents move in the x-z plane. y is a payload: no distance reads it and no step changes it. To keep the floors
 * of a building apart, use layers. The facing is one angle, the yaw, anticlockwise from +z seen from above: facing =
 * (sin yaw, cos yaw) along (x, z).
 * SPATIAL: agents move in all three dimensions. The facing is a unit vector. */
typedef enum throng_space { THRONG_SPACE_PLANAR = 0, THRONG_SPACE_SPATIAL } throng_space;

/* The boundary along one axis. The axes of a world may differ: a corridor is PERIODIC along its way and BOX across it.
 * UNBOUNDED: the world has no faces there. Positions, goals and target points are at most 2^22 bins (2^20 perception
 * radii) from the origin. float32 keeps a frame accurate up to about 16 km per metre of perception radius.
 * BOX: agents stay strictly between the faces, from the first float above box_min to the last float below box_max; so
 * floor(coordinate / cell) is always a valid cell of a host's own grid, for both directions of its axis. Motion stops
 * there, and the velocity into the face becomes 0. If the host gives a position on a face, it becomes the nearest
 * position inside; a position beyond a face is OUT_OF_RANGE. Goals and target points may be beyond the faces.
 * PERIODIC: the two faces are joined: they are one point, and a host may give either. Positions are from box_min to the
 * last float below box_max: an agent that the host puts on box_max is on box_min. Every difference of positions, also
 * to goals, is the minimum image. */
typedef enum throng_boundary {
  THRONG_BOUNDARY_UNBOUNDED = 0,
  THRONG_BOUNDARY_BOX,
  THRONG_BOUNDARY_PERIODIC
} throng_boundary;

/* The update rule (M 3.1.3, T): position p, velocity v, acceleration a. clip(v, S) is v scaled down to length S, the
 * group's max_speed, if it is longer. Drag divides the velocity before the clip. A steered yaw is updated in the same
 * way, with max_yaw_rate and angular_drag. */
typedef enum throng_update {
  THRONG_UPDATE_SEMI_IMPLICIT = 0, /* v = clip(v + a dt, S), then p += v dt (default) */
  THRONG_UPDATE_EXPLICIT,          /* p += v dt, then v = clip(v + a dt, S) */
  THRONG_UPDATE_BALLISTIC          /* p += v dt + a dt^2 / 2, then v = clip(v + a dt, S) */
} throng_update;

/* The neighbour budget B. Without a budget, every neighbour counts: a clump of m agents has m^2 pairs per frame. With a
 * budget, a few agents of a cell that is too dense represent all of them in the rules over neighbours. An agent then
 * has about 2 B neighbours (about B in an even spatial crowd, up to 3.6 B in a clump as wide as the perception radius
 * R).
 *   Results depend on the frame number, but not on machine, threads or history. Queries, and agents with no dense cell
 * in their surroundings, have the same bits as without a budget.
 *   In dense cells, separation, cohesion, alignment, attraction and the mean of a cone are estimates. Over many frames
 * the mean of separation, cohesion and alignment is exact. Avoidance, queues and rules that use only the nearest
 * neighbour see only representatives, so the gaps of a queue may close inside a clump. An arrive with gather estimates
 * how many agents wait. Contact thins only cells that are 8 times denser; there only representatives push, each as one
 * agent.
 *   docs/GUIDE.md, "Dense crowds", says how to choose B; docs/PERFORMANCE.md has the cost; docs/ARITHMETIC.md,
 * "Neighbour budget", has the rule. */

/* The definition of a world. */
typedef struct throng_world_def {
  throng_space space;                   /* default THRONG_SPACE_PLANAR */
  throng_boundary boundary[3];          /* along the x, y and z of the host's axes; planar worlds ignore the vertical
                                           one (default THRONG_BOUNDARY_UNBOUNDED). throng_world_def_set_boundary sets
                                           all three */
  throng_axes axes;                     /* the host's axes and unit (throng/axes.h), for all values that calls copy in
                                           or out. Scalars of this definition and of groups are always in metres and
                                           seconds. Default: throng's own, metres */
  throng_vec3 box_min, box_max;         /* in the host's axes. Along a BOX or PERIODIC axis: min < max, within 2^20 R
                                           of the origin; BOX: at least one float between them; PERIODIC: a side of at
                                           least 4 R. Ignored along an UNBOUNDED axis, and in planar worlds along the
                                           vertical one. Default 0 and 100 */
  float perception_radius;              /* R, metres, 1e-3 to 1e6 (default 1): the largest perception radius of any
                                           agent */
  throng_separation_law separation_law; /* for groups with AS_WORLD (group.h); not AS_WORLD itself (default
                                           THRONG_SEPARATION_INVERSE) */
  throng_update update;                 /* default THRONG_UPDATE_SEMI_IMPLICIT */
  uint64_t seed;                        /* of every random draw (default 1) */
  uint32_t capacity;                    /* create allocates memory for this many agents, 0 to 2^31 - 2 (default 0); a
                                           full world grows */
  uint16_t id_world;                    /* written into ids (default 0). A world refuses ids with another number: give
                                           each world its own number */
  uint32_t neighbour_budget;            /* 0 = none: every neighbour counts (default); else 1 to 2^24, as described
                                           above */
  uint32_t contact_iterations;          /* 1 to 16 (default 4): the maximum number of contact iterations in a frame. No
                                           cost if no group is solid (throng_group_def.contact > 0) */
  uint32_t thread_count;                /* 0 = all of the machine's (default), 1 = only the calling thread, at most
                                           1024. A frame uses about one thread per 256 agents. If one host thread
                                           steps small and large worlds in turn, give the small ones 1, because
                                           libgomp starts new threads when their number changes */
  throng_threads threads;               /* whose threads (default THRONG_THREADS_AUTO). The environment variable
                                           THRONG_THREADS (openmp, team, serial or auto), which create reads, replaces
                                           it. Not used if there is a job system */
  throng_isa isa;                       /* the best instruction set that the world may use (default AUTO). The
                                           environment variable THRONG_ISA, which create reads, can lower it. Create
                                           refuses an instruction set that the build or the CPU lacks */
  bool profile;                         /* collect throng_profile (default false) */
  throng_allocator allocator;           /* default: aligned_alloc and free */
  throng_log_hook log;
  throng_assert_hook assertion;
  throng_trace_hook trace; /* default: none */
  throng_job_system jobs;  /* default: none; `threads` says on which threads tasks run */
  bool sparse_ids;         /* default false. true: memory for ids follows the number of agents, not the largest id
                              index ("Sparse ids", agents.h) */
  bool keep_previous_pose; /* default false. true: the world keeps the position and facing that each agent had before
                              the last frame, so that throng_agents_read_instances can interpolate. No bit of a frame
                              depends on it. 24 bytes per agent of the capacity in planar worlds, 48 in spatial ones */
  uint32_t cookie;         /* set by throng_default_world_def; do not touch */
} throng_world_def;

/* Thread-safe. */
THRONG_API throng_world_def throng_default_world_def(void);

/* Sets the boundary of all three axes. NULL is allowed and does nothing. Thread-safe. */
THRONG_API void throng_world_def_set_boundary(throng_world_def *def, throng_boundary boundary);

/* Creates a world without agents. Group 0 has the default definition, and the world is indexed. *world is set only
 * on success.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE, NOT_FINITE, OUT_OF_RANGE (box), UNSUPPORTED (isa, or an environment
 * variable), OUT_OF_MEMORY.
 * Memory: an empty world takes at most 27 KB (planar) or 45 KB (spatial). The first agent adds 164 KB for each thread,
 * and for up to 64 agents 23 KB (planar) or 131 KB (spatial).
 * Thread-safe: a program may have any number of worlds, and different threads may use different worlds at once. */
THRONG_API throng_status throng_world_create(const throng_world_def *def, throng_world **world, throng_error *error);

/* Releases the world. NULL is allowed. During a call that changes the world, for example in a callback, it does
 * nothing, and an assertion fails. */
THRONG_API void throng_world_destroy(throng_world *world);

/* The world's definition, with the isa, threads and thread_count that were chosen. In a child of fork, thread_count is
 * 1 if a world of the parent had used threads of OpenMP or of its own: the child does not have them, and steps on the
 * calling thread. NULL: the default definition. Thread-safe. */
THRONG_API throng_world_def throng_world_get_def(const throng_world *world);

/* Steps one frame of `dt` seconds, 0 <= dt <= 1: indexes the world as throng_world_index does, steers, integrates,
 * constrains, pushes solid bodies apart, checks and sorts. All or nothing: on error every agent is as before the call,
 * and the world is indexed unless dt was wrong or the indexing failed. Never allocates. docs/GUIDE.md, "Choosing the
 * numbers", says how to choose dt; docs/LIMITS.md has the stack that it takes.
 *   With dt = 0 no column of any agent changes a bit, whatever its speed or overlap. The frame indexes a dirty world;
 * an agent that the host put on a face of a box is then inside. It steers: callbacks run, their errors fail the frame,
 * and the watched agent's explanation and the profile are of this frame. In a piece of a world the exchange runs,
 * without contact. The frame number grows by 1, and what depends on it goes on: random draws, steer_period, the
 * representatives of a neighbour budget. What a behaviour has yet to find, such as a path parameter, it finds in the
 * next frame with dt > 0.
 *   Errors: NULL_ARGUMENT, BAD_VALUE or NOT_FINITE (dt), NOT_FINITE or OUT_OF_RANGE (an agent's result; error->agent is
 * the smallest id), and those of throng_world_index. */
THRONG_API throng_status throng_world_step(throng_world *world, float dt, throng_error *error);

/* The two halves of a step, for a host that integrates itself or acts between them. throng_world_steer moves no
 * agent. It writes each agent's acceleration into THRONG_COLUMN_ACCELERATION; a second call gives the same bits.
 * throng_world_integrate reads that column, which the host may have edited, moves the agents and commits the frame.
 * steer and integrate with the same dt give the bits of one step. An integrate with dt = 0 changes no column, whatever
 * the dt of the steer.
 * If a host moves its agents itself and never calls throng_world_integrate, the frame number does not grow. Random
 * draws (wander, THRONG_COMBINE_DITHER) and the representatives of a neighbour budget then stay the same, and the host
 * must write the facings. After a throng_world_step, even one that failed, throng_world_integrate needs a new
 * throng_world_steer.
 * Errors: as throng_world_step; NOT_STEERED (integrate). Neither allocates. */
THRONG_API throng_status throng_world_steer(throng_world *world, float dt, throng_error *error);
THRONG_API throng_status throng_world_integrate(throng_world *world, float dt, throng_error *error);

/* Sorts the agents into grid order if any were added, moved or removed, or positions were written or edited, since the
 * last sort. Every step sorts too. The world is then indexed, until it is dirty. A world is dirty if agents were added,
 * positions were written or edited (throng_agents_write, throng_world_edit), or more than 1/64 of the agents were moved
 * or removed since the last sort (in a world of fewer than 64 agents, more than one). Queries need an indexed world.
 * Errors: NULL_ARGUMENT; NOT_FINITE, OUT_OF_RANGE or BLOCKED (an agent's state; error->agent is the smallest id). */
THRONG_API throng_status throng_world_index(throng_world *world, throng_error *error);

/* Whether the world is indexed, so that queries work. false for NULL. Thread-safe between steps.
 * Even if it returns true, throng_world_view and throng_world_edit return NOT_INDEXED after agents were removed, and
 * throng_world_save_snapshot after agents were moved or removed. Call throng_world_index before them. */
THRONG_API bool throng_world_is_indexed(const throng_world *world);

/* Moves the origin by about `wished`: subtracts `exact` from all positions, goals, target points, shapes, paths and
 * attractors, and from the box, cells and flow fields. `exact` is the vector nearest to `wished` that consists of
 * floats and is a whole number of bins (R / 4) along throng's x and of rows (R) along its y and z; the argument may
 * be NULL. Both are lengths in the host's axes. `wished` is ignored, and `exact` is 0, along periodic axes and along
 * y in planar worlds. The call is refused unless every subtraction is exact. The shifted state is then the same, in
 * the same order, and the next steer gives the same accelerations. Positions that are integrated later round at their
 * new magnitude.
 * Errors: NULL_ARGUMENT, NOT_FINITE, UNSUPPORTED (all axes are periodic), OUT_OF_RANGE (`wished` beyond twice the
 * world's limit of positions, or a value that would be inexact or beyond the limit; the text names it), and those of
 * throng_world_index. */
THRONG_API throng_status throng_world_shift_origin(throng_world *world, throng_vec3 wished, throng_vec3 *exact,
                                                   throng_error *error);

/* The number of frames since the world was created. 0 for NULL. Thread-safe between steps. */
THRONG_API uint64_t throng_world_frame(const throng_world *world);

/* Returns a hash of the agents: the sum, modulo 2^64 over all agents, of a hash of the agent's id index, generation and
 * values. `columns` has the bit THRONG_BIT(throng_column) of each column to include; 0 = position, velocity and facing.
 * The hash does not depend on the order in memory. If a world is split into several worlds, the sum of their hashes is
 * the hash of the whole. 0 for NULL. Thread-safe between steps. */
THRONG_API uint64_t throng_world_hash(const throng_world *world, uint64_t columns);

/* Checks grid, order, ids and groups. Returns true if they are consistent; if not, *error describes the defect. For
 * tests: takes time proportional to the number of agents. */
THRONG_API bool throng_world_check(const throng_world *world, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
