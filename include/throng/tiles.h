/* throng/tiles.h: motion on tiles: chases, lines, routes, step patterns and track wandering, in batches over the caller's own
 * columns of integers. No world is needed; who has one can turn the tiles into the goals of its agents.
 * All calls are thread-safe on columns that do not overlap, allocate nothing, and check everything before they write: one that
 * fails leaves the columns as they were. They give the same tiles on every machine.
 * Source: B = Bourg & Seemann, AI for Game Developers, ch. 2 and 3.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_TILES_H
#define THRONG_TILES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_TILE_LIMIT 268435456 /* 2^28: every coordinate is from -THRONG_TILE_LIMIT to THRONG_TILE_LIMIT */

/* A place on the grid. */
typedef struct throng_tile {
  int32_t x, z;
} throng_tile;

/* The agents' tiles, moved in place. */
typedef struct throng_tiles {
  int32_t *x, *z; /* [count] each; may be NULL where count is 0 */
  uint32_t count;
} throng_tiles;

/* What each agent aims at, or starts from: its own tile, or one for all. Must not overlap what is moved. */
typedef struct throng_tile_targets {
  const int32_t *x, *z; /* [count] each */
  uint32_t count;       /* the agents' count, or 1: the same for all */
} throng_tile_targets;

/* Chase (B 2.1): one step toward the target along each axis in which they differ. A chase of a resting target takes
 * max(|dx|, |dz|) calls and rests there.
 * Errors: NULL_ARGUMENT, BAD_VALUE (the targets' count), OUT_OF_RANGE (a tile). */
THRONG_API throng_status throng_tiles_chase(const throng_tiles *tiles, const throng_tile_targets *targets,
                                            throng_error *error);
/* Evade (B 2.1): one step away from the target along each axis in which they differ. At the limit an agent stops.
 * Errors: as throng_tiles_chase. */
THRONG_API throng_status throng_tiles_evade(const throng_tiles *tiles, const throng_tile_targets *targets,
                                            throng_error *error);

/* The line that an agent walks: begun at `from`, toward `target`. All zero = none yet. */
typedef struct throng_tile_walker {
  throng_tile from, target;
} throng_tile_walker;

/* Line-of-sight chase (B 2.3): one step along throng_tiles_make_line from where the agent's line began to its target. The line begins
 * anew, from the agent's tile, when the target has moved and when the agent is not on it. It takes max(|dx|, |dz|) calls too, and
 * strays from the straight line by half a tile at most. walkers: [count], one for each agent.
 * Errors: as throng_tiles_chase. */
THRONG_API throng_status throng_tiles_chase_line(const throng_tiles *tiles, const throng_tile_targets *targets,
                                                 throng_tile_walker *walkers, throng_error *error);

/* Bresenham's line (B 2.3): the tiles after `from`, to `to` and with it, into tiles[capacity]; *count is how many there are:
 * max(|dx|, |dz|). Each is a step in the longer direction, and also one in the other where the straight line has gone half a tile
 * or more that way since the last. tiles = NULL only counts.
 * Errors: NULL_ARGUMENT (count), OUT_OF_RANGE, CAPACITY (nothing written but *count). */
THRONG_API throng_status throng_tiles_make_line(throng_tile from, throng_tile to, throng_tile *tiles, uint32_t capacity,
                                          uint32_t *count, throng_error *error);

/* A route (B 3.2): the first of `corner_count` corners (at least 1), then the line to each next one; closed also the line back to
 * the first, which is not repeated. It is relative to its first tile, which becomes (0, 0). *count is how many tiles it has;
 * tiles = NULL only counts. Errors: NULL_ARGUMENT (corners, count), BAD_VALUE (corner_count), OUT_OF_RANGE, CAPACITY (nothing
 * written but *count, which is 2^32 - 1 where there are that many or more). */
THRONG_API throng_status throng_tiles_make_route(const throng_tile *corners, uint32_t corner_count, bool closed,
                                           throng_tile *tiles, uint32_t capacity, uint32_t *count, throng_error *error);

/* When each agent is where in a route or a pattern: at place tick + phase[k], which goes round, or stays at the end. */
typedef struct throng_tile_time {
  uint64_t tick;
  const uint32_t *phase; /* [agents]; NULL = 0 for all */
  bool once;             /* false: round and round. true: to the end, and there one stays */
} throng_tile_time;

/* Patrol (B 3.2): each agent to its origin + the route's tile of that time. Where they were does not matter.
 * Errors: NULL_ARGUMENT, BAD_VALUE (count 0, the origins' count), OUT_OF_RANGE (an origin, or a tile that an agent would come
 * to). */
THRONG_API throng_status throng_tiles_play_route(const throng_tiles *tiles, const throng_tile_targets *origins,
                                                 const throng_tile *route, uint32_t count, throng_tile_time time,
                                                 throng_error *error);

/* A line of control data (B 3.1): turn, then step. Headings are eighths of a turn, 0 to 7 = +z, (+x, +z), +x, (+x, -z), -z,
 * (-x, -z), -x, (-x, +z): the yaw in eighths, so that one's own right at heading 0 is -x. */
typedef struct throng_tile_step {
  int8_t right; /* eighths of a turn to one's own right; below 0 to the left */
  int8_t step;  /* tiles forward; below 0 back */
} throng_tile_step;

/* Plays each agent's line of control data of that time; nothing past the end of a pattern that is played once. headings: [agents],
 * turned in place. Nobody steps over the limit.
 * Errors: NULL_ARGUMENT, BAD_VALUE (count 0, a heading above 7), OUT_OF_RANGE. */
THRONG_API throng_status throng_tiles_play_steps(const throng_tiles *tiles, uint8_t *headings,
                                                 const throng_tile_step *pattern, uint32_t count, throng_tile_time time,
                                                 throng_error *error);

/* Where track wanderers may be: from (0, 0) to (width - 1, height - 1). */
typedef struct throng_tile_track {
  const uint8_t *mask;    /* width * height: mask[z * width + x], not 0 = track */
  uint32_t width, height; /* 1 to THRONG_TILE_LIMIT */
} throng_tile_track;

/* Who draws what: the k-th agent of a call has number first + k, so that a part of the columns draws as the whole does. */
typedef struct throng_tile_draws {
  uint64_t seed, tick; /* another tick = other draws */
  uint32_t first;
} throng_tile_draws;

/* Wandering on a track (B 3.2): a step to one of the eight neighbours that are track, but the tile before, each with the same chance;
 * back to the tile before only where there is no other, and nowhere where there is none at all. previous: the tiles before, moved in
 * place too, for each agent one; at first its own tile, or any that is not beside it: then every exit is open.
 * Errors: NULL_ARGUMENT, BAD_VALUE (the track's size, previous' count), OUT_OF_RANGE (an agent outside of the track's grid), BLOCKED
 * (one off the track). */
THRONG_API throng_status throng_tiles_wander(const throng_tiles *tiles, const throng_tiles *previous,
                                             const throng_tile_track *track, throng_tile_draws draws, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
