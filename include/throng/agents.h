/* throng/agents.h: adds, removes, reads and writes agents, in bulk and by stable ids.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_AGENTS_H
#define THRONG_AGENTS_H

#include "axes.h"
#include "base.h"
#include "group.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sparse ids. The table of ids has 13 bytes for every index up to the largest: one agent with the index 1e8 takes 1.3
 * GB. With throng_world_def.sparse_ids it is a hash table: whatever the indices, at most 32 bytes per agent, for the
 * largest number of agents that the world has had, or for 49 if that was smaller. Use it if the host gives out ids, and
 * a world has only some of them. Results, hashes and the order of views do not depend on it. Differences:
 *   - throng_agents_add uses no index again. It gives the index after the largest that the world has ever had, with
 *     generation 1, and returns CAPACITY if that would be above 2^31 - 2.
 *   - The world forgets the generation of a removed agent. Its id names no live agent from then on. If
 *     throng_agents_add_with_ids uses the index again, the host must choose another generation. With the same one, an
 *     id that it kept of the removed agent would name the new agent.
 *   - A snapshot holds the ids of live agents, and the largest index so far. Only a world with sparse ids loads it.
 *   - Calls that go through all agents by ascending index sort the ids, once after each change or step:
 *     throng_agents_get_ids, `ids` of NULL, snapshots, recordings, throng_world_get_lost_agents,
 *     throng_world_fill_formation. */

/* The columns: an agent has one element in each. In brackets: components per agent, in planar / spatial worlds. All
 * components are float; GROUP is uint8_t, TARGET a throng_agent_id.
 * An optional column takes memory and time only after the host has given some agent a value for it.
 * Calls read and write columns in the host's axes (throng/axes.h); the ranges and units below are those after
 * conversion to throng's axes. "Memory" marks a column that a behaviour writes for its next frame. It exists once a
 * group has that behaviour. A host reads and writes it only to save and restore agents. */
typedef enum throng_column {
  /* [3] metres; y is payload in planar worlds */
  THRONG_COLUMN_POSITION = 0,
  /* [3] m/s, -1e18 to 1e18; y must be 0 in planar worlds; the next step limits |v| */
  THRONG_COLUMN_VELOCITY,
  /* [1: yaw, radians, -pi to pi / 3: unit vector] */
  THRONG_COLUMN_FACING,
  /* optional [3] metres, -2^20 R to 2^20 R as positions, else OUT_OF_RANGE: where THRONG_TARGET_GOAL and queues lead; y
   * is ignored in planar worlds. An agent without a goal reads as NaN; writing a NaN x removes the goal */
  THRONG_COLUMN_GOAL,
  /* memory of wander [1: angle, radians, -pi to pi / 3: unit vector]; starts at 0 / the facing */
  THRONG_COLUMN_WANDER,
  /* optional [1] metres, 0 < r <= the world's: how far the agent perceives neighbours; NaN = the group's, the
   * default */
  THRONG_COLUMN_PERCEPTION_RADIUS,
  /* optional [1] metres, 0 to 1e9: radius of the agent's body; NaN = the group's, the default */
  THRONG_COLUMN_BODY_RADIUS,
  /* [1] uint8_t, a defined group */
  THRONG_COLUMN_GROUP,
  /* [3] m/s^2, written by the last throng_world_steer; valid until the next step or index */
  THRONG_COLUMN_ACCELERATION,
  /* memory of avoid_walls [2: radians, 0 to pi / 2; ray 0, 1 or 2]; starts at 0 */
  THRONG_COLUMN_FAN,
  /* memory of follow_path [1] metres along the path, >= 0. NaN = unknown: the next frame searches the whole path.
   * Starts at NaN */
  THRONG_COLUMN_PATH_PARAMETER,
  /* [1] rad/s, -1e4 to 1e4, anticlockwise; the next step limits |w|. The column exists once a group has
   * THRONG_FACING_STEERED, and starts at 0; agents of other groups keep their rate. In spatial worlds only the
   * facings of groups with `upright` turn by it */
  THRONG_COLUMN_YAW_RATE,
  /* [1] rad/s^2, written by the last throng_world_steer; 0 unless the yaw is steered, and in spatial worlds unless the
   * group has `upright` */
  THRONG_COLUMN_YAW_ACCELERATION,
  /* optional [1] index of the agent's pattern, whole, 0 to 63; NaN = its group's */
  THRONG_COLUMN_PATTERN,
  /* memory of follow_pattern [1] number of the current instruction, whole, 0 to 65 536. NaN = the next frame begins at
   * the first instruction, with a way of 0. Starts at NaN */
  THRONG_COLUMN_PATTERN_INSTRUCTION,
  /* memory of follow_pattern [3]: what the agent did since the instruction began: radians turned, anticlockwise;
   * metres moved along x and along z; each -1e9 to 1e9. Starts at 0 */
  THRONG_COLUMN_PATTERN_WAY,
  /* [1] number of the agent's place in its group's formation, whole, 0 to 4095; NaN = none. The column exists once a
   * group keeps a formation, and starts at NaN (throng/formation.h) */
  THRONG_COLUMN_FORMATION_PLACE,
  /* optional [1] kilograms, 0 < m <= 1e9; NaN = the group's, the default. throng_group_def.mass describes the effect */
  THRONG_COLUMN_MASS,
  /* memory of yielding [1] seconds, 0 to 1. It grows while the agent is blocked close to scenery or to certain bodies,
   * and falls while it is not ("Yielding", throng/group.h). The column exists once a group has contact, and starts at
   * 0. Frames in which nobody can be blocked keep it */
  THRONG_COLUMN_BLOCKED_TIME,
  /* optional [1] m/s, 0 to 1e9; 0 = the agent does not move; NaN = the group's, the default. It replaces
   * throng_group_def.max_speed for this agent in all that depends on it, and may be larger or smaller */
  THRONG_COLUMN_MAX_SPEED,
  /* optional [1] frames, 1, 2, 4 or 8; NaN = the group's, the default ("Time slicing", throng/group.h). A host may
   * write it in any frame, for example by the distance to the camera */
  THRONG_COLUMN_STEER_PERIOD,
  /* memory of time slicing [3] m/s^2: what the rules over neighbours wanted when the agent was last due; y is 0 in
   * planar worlds. NaN = nothing is kept: the agent is due in the next frame. The column exists once a group has a
   * steer_period above 1, or the host has written a steer period. It starts at NaN, and stays NaN while the agent's
   * period is 1 */
  THRONG_COLUMN_KEPT_ACCELERATION,
  /* [1] the cue of the agent's current instruction (throng/pattern.h). NaN = no instruction. It follows from the
   * pattern and PATTERN_INSTRUCTION: it takes no memory, and cannot be written */
  THRONG_COLUMN_PATTERN_CUE,
  /* optional [one throng_agent_id, which counts as 2 components] the agent that behaviours with THRONG_TARGET_OWN are
   * bound to; a null id = none, the default. Writing an id that names no live agent is STALE_ID, one of another world
   * FOREIGN_ID, and the agent itself BAD_VALUE. If the target is removed later, the column keeps its id */
  THRONG_COLUMN_TARGET,
  /* memory of follow_pattern [1] seconds since the instruction began, 0 to 1e9. Starts at 0 */
  THRONG_COLUMN_PATTERN_TIME,
  /* optional [1] rad/s, 0 < w <= 1e4; NaN = the group's, the default. It replaces throng_group_def.max_yaw_rate for
   * this agent in all that depends on it, and may be larger or smaller */
  THRONG_COLUMN_MAX_YAW_RATE,
  /* optional [1] -1e9 to 1e9; NaN = the group's, the default. For this agent it replaces the weight of the rule or
   * behaviour that its group names (throng_group_def.own_weight). 0 leaves that out. Groups that name none ignore it */
  THRONG_COLUMN_WEIGHT,
  THRONG_COLUMN_COUNT
} throng_column;

/* Returns "position", "velocity" and so on; "?" for anything else. Thread-safe. */
THRONG_API const char *throng_column_name(throng_column column);
/* Returns the number of components of a column: 1, 2 or 3; 0 if `column` or `space` is unknown. Thread-safe. */
THRONG_API uint32_t throng_column_components(throng_column column, throng_space space);

/* Values of many agents in the caller's memory: value k is at (char *)data + k * stride. */
typedef struct throng_span {
  const void *data;
  size_t stride; /* bytes from one value to the next, at least the size of a value; 0 = tightly packed;
                    THRONG_STRIDE_ONE = one value for all agents. Other strides are BAD_VALUE */
} throng_span;
#define THRONG_STRIDE_ONE ((size_t)-1)

/* The values of new agents. data == NULL: the default of that column. */
typedef struct throng_agents_def {
  throng_span position;          /* required; on or between the faces of a box (throng_boundary) */
  throng_span velocity;          /* default 0 */
  throng_span facing;            /* default: along the velocity; +z if that is 0. Spatial: any vector except 0; it is
                                    normalised unless its length is within 1e-6 of 1 */
  throng_span group;             /* default 0 */
  throng_span goal;              /* default none */
  throng_span perception_radius; /* default the group's */
  throng_span body_radius;       /* default the group's */
  throng_span mass;              /* default the group's */
  throng_span max_speed;         /* default the group's */
  throng_span steer_period;      /* default the group's */
  throng_span target;            /* throng_agent_id of agents that the world has before the call; default none */
  uint32_t cookie;               /* set by throng_default_agents_def; do not touch */
} throng_agents_def;

/* Thread-safe. */
THRONG_API throng_agents_def throng_default_agents_def(void);

/* Allocates memory for `capacity` agents in all. Adding up to that number then does not allocate.
 * Errors: NULL_ARGUMENT, CAPACITY (over 2^31 - 2), OUT_OF_MEMORY. */
THRONG_API throng_status throng_agents_reserve(throng_world *world, uint32_t capacity, throng_error *error);

/* Adds `count` agents, which may be 0, and writes their ids to ids[count]; `ids` may be NULL. Adds all or none. The
 * world is then dirty.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, NOT_FINITE, BAD_VALUE, OUT_OF_RANGE, NO_GROUP, BLOCKED (the text names the
 * number k of the agent, and the value in throng's axes and metres), CAPACITY, OUT_OF_MEMORY. */
THRONG_API throng_status throng_agents_add(throng_world *world, const throng_agents_def *def, uint32_t count,
                                           throng_agent_id *ids, throng_error *error);

/* Adds agents with ids that the caller chose, for example from a file or another machine. The index of an id is 1 to
 * 2^31 - 2, not in use, and not twice in `ids`; its generation is at least 1; its `world` is this world's
 * throng_world_def.id_world. When throng_agents_add reuses an index, it continues above the highest generation that the
 * index has had. Memory grows with the largest index, unless the world has sparse ids.
 * Errors: as throng_agents_add; STALE_ID (null, in use or twice in `ids`), FOREIGN_ID. */
THRONG_API throng_status throng_agents_add_with_ids(throng_world *world, const throng_agents_def *def, uint32_t count,
                                                    const throng_agent_id *ids, throng_error *error);

/* Removes agents, all or none. The ids of other agents do not change. Queries no longer find the removed agents. An
 * indexed world stays indexed, up to the limit that throng_agents_move describes. After a removal throng_world_view and
 * throng_world_edit return NOT_INDEXED until the next step or throng_world_index.
 * Errors: NULL_ARGUMENT, STALE_ID (also an id that is twice in `ids`), FOREIGN_ID. */
THRONG_API throng_status throng_agents_remove(throng_world *world, const throng_agent_id *ids, uint32_t count,
                                              throng_error *error);

/* The number of live agents; 0 for NULL. Thread-safe between steps. */
THRONG_API uint32_t throng_agents_count(const throng_world *world);

/* Whether `id` is the id of a live agent of this world. Thread-safe between steps. */
THRONG_API bool throng_agents_is_valid(const throng_world *world, throng_agent_id id);

/* Writes the ids of all live agents, by ascending index, to ids[capacity]. *count is their number.
 * Errors: NULL_ARGUMENT, CAPACITY (only *count is written). Thread-safe between steps. */
THRONG_API throng_status throng_agents_get_ids(const throng_world *world, throng_agent_id *ids, uint32_t capacity,
                                               uint32_t *count, throng_error *error);

/* Reads a column of the agents ids[count]. If `ids` is NULL, reads all live agents by ascending id index; `count`
 * must then be throng_agents_count. Value k goes to (char *)data + k * stride; stride 0 = tightly packed.
 * Looking up a few ids after a step is a local search. Asking for more than 1/128 of the agents rebuilds the table of
 * ids once, in time proportional to the agents. An id may be in `ids` more than once.
 * Many agents are read on the world's threads. If another call uses these, or the host has a job system, the calling
 * thread reads alone.
 * Errors: NULL_ARGUMENT, BAD_VALUE (column, count, a stride smaller than an element, THRONG_STRIDE_ONE), STALE_ID,
 * FOREIGN_ID, NOT_STEERED (acceleration). Thread-safe between steps. */
THRONG_API throng_status throng_agents_read(const throng_world *world, throng_column column, const throng_agent_id *ids,
                                            uint32_t count, void *data, size_t stride, throng_error *error);

/* Writes a column: all values or none. `ids` is as in throng_agents_read. data and stride are as in throng_span; with
 * THRONG_STRIDE_ONE all agents get one value. Values are checked as in throng_agents_add. In spatial worlds, a facing
 * or wander direction whose length is within 1e-6 of 1 keeps its bits, as all do that throng_agents_read returns. Other
 * directions are normalised. Writing positions makes the world dirty; writing other columns does not. To move a few
 * agents without making the world dirty, use throng_agents_move. This function does not write accelerations: it returns
 * BAD_VALUE for them, or NOT_STEERED if there are none. Use throng_world_edit_accelerations. If an id is twice in
 * `ids`, its last value counts. Errors: as throng_agents_add and throng_agents_read. */
THRONG_API throng_status throng_agents_write(throng_world *world, throng_column column, const throng_agent_id *ids,
                                             uint32_t count, const void *data, size_t stride, throng_error *error);

/* Moves agents, for example those that players control: writes the positions of the agents ids[count] and, unless
 * `velocities` is NULL, their velocities. All or none. `ids` is as in throng_agents_read. Values are in the host's
 * axes, and are checked as in throng_agents_write. If an id is twice in `ids`, its last values count.
 *   An indexed world stays indexed, and queries find the agents at their new positions. But if more than 1/64 of the
 * agents were moved or removed since the last sort (in a world of fewer than 64 agents, more than one), the world is
 * then dirty. Views show the new values; a moved agent keeps its element until the next sort. The results of the next
 * step have the same bits as after throng_agents_write. docs/PERFORMANCE.md, "What costs time", has the cost.
 *   Errors of arguments: NULL_ARGUMENT (world, positions), BAD_VALUE (`ids` is NULL and `count` is not
 * throng_agents_count), STALE_ID, FOREIGN_ID, OUT_OF_MEMORY (in a planar world, for the first y other than 0).
 *   Errors of values: NOT_FINITE, OUT_OF_RANGE, BLOCKED (a position), BAD_VALUE (the y of a velocity in a planar
 * world). error->agent is then the first agent of `ids` with a wrong position. If all positions are right, it is the
 * first one with a wrong velocity. */
THRONG_API throng_status throng_agents_move(throng_world *world, const throng_agent_id *ids, uint32_t count,
                                            const throng_vec3 *positions, const throng_vec3 *velocities,
                                            throng_error *error);

/* Pointers to the columns. Element k of every array belongs to agent throng_view_id(&view, k). After a sort the
 * elements are in grid order. Until the next sort, agents that the host moves keep their elements, and added agents
 * come last. Values are in throng's axes and metres. Arrays that the world lacks are NULL: y of velocities in planar
 * worlds, and optional columns without values. position_y is NULL while every y is 0. Group and generation share one
 * array, which throng_view_group and throng_view_id decode. The pointers are valid until the next step, index, addition
 * or removal. */
typedef struct throng_view {
  uint32_t count;
  uint16_t id_world; /* throng_world_def.id_world */
  const uint32_t *id_index;
  const uint32_t *meta; /* group in bits 0 to 7, generation in bits 16 to 31 */
  const float *position_x, *position_y, *position_z;
  const float *velocity_x, *velocity_y, *velocity_z;
  const float *yaw;                                              /* planar */
  const float *facing_x, *facing_y, *facing_z;                   /* spatial */
  const float *goal_x, *goal_y, *goal_z;                         /* NaN x: none */
  const float *acceleration_x, *acceleration_y, *acceleration_z; /* NULL unless throng_world_steer was the last step */
  const float *yaw_rate;
  const float
      *yaw_acceleration; /* NULL unless throng_world_steer was the last step and a live group's yaw is steered */
} throng_view;

/* Return the id and the group of agent k, k < view->count. */
static inline throng_agent_id throng_view_id(const throng_view *view, uint32_t k) {
  const throng_agent_id id = {view->id_index[k], (uint16_t)(view->meta[k] >> 16), view->id_world};
  return id;
}
static inline uint8_t throng_view_group(const throng_view *view, uint32_t k) {
  return (uint8_t)(view->meta[k] & 0xFFu);
}

/* Sets *view to pointers for reading.
 * Errors: NULL_ARGUMENT, NOT_INDEXED (agents were removed since the last step or throng_world_index). Thread-safe
 * between steps. */
THRONG_API throng_status throng_world_view(const throng_world *world, throng_view *view, throng_error *error);

/* Pointers to the columns that a host may write. Order, axes and units are as in throng_view. Arrays that the world
 * lacks are NULL. */
typedef struct throng_edit {
  uint32_t count;
  const uint32_t *id_index;
  float *position_x, *position_y, *position_z; /* set by throng_world_edit */
  float *velocity_x, *velocity_y, *velocity_z;
  float *acceleration_x, *acceleration_y, *acceleration_z; /* set by throng_world_edit_accelerations */
  float *yaw_acceleration;
} throng_edit;

/* Sets *edit to pointers to positions and velocities for writing; the other pointers are NULL. The world is then dirty,
 * even if nothing is written. The next step or index checks the values. It refuses a NaN, an infinity and a position
 * out of range, and names the agent. It moves a position on a face of a box to the nearest position inside.
 * All agents are then due ("Time slicing", group.h).
 * Errors: NULL_ARGUMENT, NOT_INDEXED (agents were removed since the last step or throng_world_index). */
THRONG_API throng_status throng_world_edit(throng_world *world, throng_edit *edit, throng_error *error);

/* Sets *edit to pointers to the accelerations for writing, between throng_world_steer and throng_world_integrate, for
 * example to add a host's forces; the other pointers are NULL. The world stays indexed. throng_world_integrate refuses
 * an acceleration that is not finite (NOT_FINITE, the agent with the smallest id index) and may then be called again.
 * Errors: NULL_ARGUMENT, NOT_STEERED. */
THRONG_API throng_status throng_world_edit_accelerations(throng_world *world, throng_edit *edit, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
