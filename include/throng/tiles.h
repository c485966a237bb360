/* throng/tiles.h: moves agents on tiles: chases, interception, flocks, lines, routes, step patterns and wandering on a
 * track. Calls work on batches in the caller's own integer columns, without a world. A host with a world can use the
 * tiles as its agents' goals.
 * All calls are thread-safe on columns that do not overlap, allocate nothing, and check all arguments before they
 * write: a call that fails changes nothing. The tiles are the same on every machine.
 * Source: B = Bourg & Seemann, AI for Game Developers, ch. 2 to 4. throng corrects two errors of
 * the code that B prints:
 *   - B 2-7 starts Bresenham's line with twice the right value, so that the line strays up to 0.95 tile from the
 * straight one. Here it strays at most half a tile.
 *   - B 3-6 repeats the corners of a route, so that an agent stands still for a tick at each corner. Here a route has
 * each corner once.
 * B's chase in continuous coordinates is throng_kinematic_seek.by_axis (throng/behaviour.h).
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_TILES_H
#define THRONG_TILES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_TILE_LIMIT 268435456 /* 2^28: coordinates are from -THRONG_TILE_LIMIT to THRONG_TILE_LIMIT */

/* A tile, by its column x and its row z. */
typedef struct throng_tile {
  int32_t x, z;
} throng_tile;

/* The agents' tiles, which calls change. */
typedef struct throng_tiles {
  int32_t *x, *z; /* [count] each; may be NULL if count is 0 */
  uint32_t count;
} throng_tiles;

/* Targets or origins: one tile per agent, or one for all. They must not overlap the tiles that the call changes. */
typedef struct throng_tile_targets {
  const int32_t *x, *z; /* [count] each */
  uint32_t count;       /* the number of agents, or 1: the same tile for all */
} throng_tile_targets;

/* Chase (B 2.1): moves each agent one step toward its target along each axis in which they differ. It reaches a target
 * at rest after max(|dx|, |dz|) calls, and then stays there.
 * Errors: NULL_ARGUMENT, BAD_VALUE (the targets' count), OUT_OF_RANGE (a tile). */
THRONG_API throng_status throng_tiles_chase(const throng_tiles *tiles, const throng_tile_targets *targets,
                                            throng_error *error);
/* Evade (B 2.1): moves each agent one step away from its target along each axis in which they differ. At
 * THRONG_TILE_LIMIT an agent stops.
 * Errors: as throng_tiles_chase. */
THRONG_API throng_status throng_tiles_evade(const throng_tiles *tiles, const throng_tile_targets *targets,
                                            throng_error *error);

/* The line that an agent follows: from `from` to `target`. All zero = none yet. */
typedef struct throng_tile_walker {
  throng_tile from, target;
} throng_tile_walker;

/* Line-of-sight chase (B 2.3): moves each agent one step along throng_tiles_make_line from the start of its line to
 * its target. A new line begins at the agent's tile if the target moved or the agent is not on its line. The chase
 * takes max(|dx|, |dz|) calls, and stays within half a tile of the straight line. walkers: [count], one per agent.
 * Errors: as throng_tiles_chase. */
THRONG_API throng_status throng_tiles_chase_line(const throng_tiles *tiles, const throng_tile_targets *targets,
                                                 throng_tile_walker *walkers, throng_error *error);

/* The motion of agents: their tiles now and one tick ago. */
typedef struct throng_tile_motion {
  const int32_t *x, *z;               /* [count] each */
  const int32_t *before_x, *before_z; /* [count] each: one tick ago; the agents' own tiles if they stood still */
  uint32_t count;
} throng_tile_motion;

/* Interception (B 2.5): writes to aims the tile on which each agent would meet its target. Pass aims as the targets of
 * throng_tiles_chase or throng_tiles_chase_line. The velocity of agents and targets, in tiles per tick, is the
 * difference between now and one tick ago. A length |d| is the larger of |dx| and |dz|. The time is T =
 * min(|target - agent| / |target's velocity - agent's velocity|, max_prediction) ticks. The aim is target +
 * T * target's velocity, rounded to the nearest tile (halves away from the target) and kept within THRONG_TILE_LIMIT.
 * If the two velocities are equal, or max_prediction is 0, the aim is the target's tile. targets: one per agent, or one
 * for all. aims: [agents' count]; it must not overlap other columns.
 * Errors: NULL_ARGUMENT, BAD_VALUE (the count of targets or aims), OUT_OF_RANGE (a tile). */
THRONG_API throng_status throng_tiles_aim_intercept(const throng_tile_motion *agents, const throng_tile_motion *targets,
                                                    uint32_t max_prediction, const throng_tiles *aims,
                                                    throng_error *error);

#define THRONG_MAX_TILE_RADIUS 32u   /* tiles */
#define THRONG_MAX_TILE_WEIGHT 1000u /* of a flocking rule */

/* A flock on tiles. Neighbours are the other agents of the call that are at most `radius` tiles away along each axis.
 * Their means give the wanted displacement: cohesion * (their mean tile - the agent's tile) + alignment * (their mean
 * last step) + separation * (the agent's tile - the mean tile of those within separation_radius). A last step has -1, 0
 * or 1 along each axis. A good start: radius 5, separation_radius 1, separation 4, cohesion 1, alignment 8. */
typedef struct throng_tile_flock {
  uint32_t radius;                          /* tiles, 1 to THRONG_MAX_TILE_RADIUS */
  uint32_t separation_radius;               /* tiles, 0 to radius; 0 = only agents on the same tile */
  uint32_t separation, cohesion, alignment; /* weights, 0 to THRONG_MAX_TILE_WEIGHT */
} throng_tile_flock;

/* Memory that throng_tiles_aim_flock uses during the call. Its content has no meaning for the caller. */
typedef struct throng_tile_member {
  uint64_t key;
  uint32_t agent;
  int8_t step_x, step_z;
} throng_tile_member;

/* Flocking (B 4.1, with means over tiles): writes each agent's tile plus its wanted displacement, rounded to the
 * nearest tile, to aims, within THRONG_TILE_LIMIT. Pass aims as the targets of throng_tiles_chase: an agent then steps
 * along each axis along which it wants to move by half a tile or more. An agent without neighbours aims one more step
 * in the direction of its last one. Separation moves an agent away from the others on its own tile in the direction of
 * heading k mod 8 (throng_tile_step); k is its number in the call. Many agents may share a tile. The time is that of
 * sorting the agents by tile, plus 2 * radius + 1 rows per agent, however dense they are. scratch: [2 * agents' count].
 * aims: [agents' count]; it must not overlap other columns.
 * Errors: NULL_ARGUMENT, BAD_VALUE (flock, aims' count), OUT_OF_RANGE (a tile). */
THRONG_API throng_status throng_tiles_aim_flock(const throng_tile_motion *agents, const throng_tile_flock *flock,
                                                throng_tile_member *scratch, const throng_tiles *aims,
                                                throng_error *error);

/* Bresenham's line (B 2.3): writes the tiles after `from` up to and including `to` to tiles[capacity]. *count is
 * their number, max(|dx|, |dz|). Each tile is one step along the longer axis from the tile before. It is also one step
 * along the other axis if the straight line has moved half a tile or more along that axis since the last such
 * step. If `tiles` is NULL, only counts.
 * Errors: NULL_ARGUMENT (count), OUT_OF_RANGE, CAPACITY (only *count is written). */
THRONG_API throng_status throng_tiles_make_line(throng_tile from, throng_tile to, throng_tile *tiles, uint32_t capacity,
                                                uint32_t *count, throng_error *error);

/* Makes a route (B 3.2): writes the first of `corner_count` corners (at least 1), then the line to each next corner, to
 * tiles[capacity]. If `closed`, then also the line back to the first corner, which is not repeated. Tiles are relative
 * to the first one, which is (0, 0). Equal corners in a row add no tile. *count is the number of tiles. If `tiles` is
 * NULL, only counts.
 * Errors: NULL_ARGUMENT (corners, count), BAD_VALUE (corner_count), OUT_OF_RANGE, CAPACITY (only *count is written;
 * it is 2^32 - 1 if there are that many or more). */
THRONG_API throng_status throng_tiles_make_route(const throng_tile *corners, uint32_t corner_count, bool closed,
                                                 throng_tile *tiles, uint32_t capacity, uint32_t *count,
                                                 throng_error *error);

/* The time of each agent in a route or a pattern: agent k is at position tick + phase[k], which repeats, or stops at
 * the end. */
typedef struct throng_tile_time {
  uint64_t tick;
  const uint32_t *phase; /* [agents]; NULL = 0 for all */
  bool once;             /* false: repeats. true: stops at the end */
} throng_tile_time;

/* Patrol (B 3.2): moves each agent to its origin plus the route's tile at the agent's time. On equal tiles in a row the
 * agent waits. The agents' previous tiles do not matter.
 * Errors: NULL_ARGUMENT, BAD_VALUE (count 0, the origins' count), OUT_OF_RANGE (an origin, or a tile that an agent
 * would reach). */
THRONG_API throng_status throng_tiles_play_route(const throng_tiles *tiles, const throng_tile_targets *origins,
                                                 const throng_tile *route, uint32_t count, throng_tile_time time,
                                                 throng_error *error);

/* One line of control data (B 3.1): first turn, then step. Headings are eighths of a turn: 0 to 7 = +z, (+x, +z),
 * +x, (+x, -z), -z, (-x, -z), -x, (-x, +z). A heading is the yaw in eighths of a turn, so that the agent's right at
 * heading 0 is -x. */
typedef struct throng_tile_step {
  int8_t right; /* eighths of a turn to the agent's right; below 0 to its left */
  int8_t step;  /* tiles forward; below 0 back */
} throng_tile_step;

/* Plays, for each agent, the line of control data at the agent's time. After the end of a pattern that is played once,
 * agents do not move. headings: [agents], which the call changes. At THRONG_TILE_LIMIT an agent stops.
 * Errors: NULL_ARGUMENT, BAD_VALUE (count 0, a heading above 7), OUT_OF_RANGE. */
THRONG_API throng_status throng_tiles_play_steps(const throng_tiles *tiles, uint8_t *headings,
                                                 const throng_tile_step *pattern, uint32_t count, throng_tile_time time,
                                                 throng_error *error);

/* The tiles on which agents may wander: from (0, 0) to (width - 1, height - 1). */
typedef struct throng_tile_track {
  const uint8_t *mask;    /* width * height: mask[z * width + x], not 0 = track */
  uint32_t width, height; /* 1 to THRONG_TILE_LIMIT */
} throng_tile_track;

/* The random draws of a call. Agent k of the call has the number first + k. So calls on parts of the columns can have
 * the same draws as one call on all. */
typedef struct throng_tile_draws {
  uint64_t seed, tick; /* another tick = other draws */
  uint32_t first;
} throng_tile_draws;

/* Wandering on a track (B 3.2): moves each agent to one of the eight neighbour tiles that are track, with equal
 * probability, but not to its previous tile. It goes back to the previous tile only if no other neighbour tile is
 * track, and stays if no neighbour tile is. previous: one tile per agent, which the call changes. Before the first
 * call, set it to the agent's own tile, or to a tile that is not next to it; every neighbour tile is then possible.
 * Errors: NULL_ARGUMENT, BAD_VALUE (the track's size, previous' count), OUT_OF_RANGE (an agent outside the track's
 * grid), BLOCKED (an agent off the track). */
THRONG_API throng_status throng_tiles_wander(const throng_tiles *tiles, const throng_tiles *previous,
                                             const throng_tile_track *track, throng_tile_draws draws,
                                             throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
