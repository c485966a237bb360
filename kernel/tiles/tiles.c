/* tiles.c: motion on tiles, in integers only. docs/ARITHMETIC.md, "Tiles", has the formulas.
 * SPDX-License-Identifier: MIT */
#include <throng/tiles.h>

#include "base/arithmetic.h"
#include "base/assertion.h"
#include "base/error.h"
#include "tiles/tiles_internal.h"

static int32_t kept(int32_t a) { return a > TILE_LIMIT ? TILE_LIMIT : a < -TILE_LIMIT ? -TILE_LIMIT : a; }

/* Checks. */

static throng_status fail_tile(int64_t x, int64_t z, const char *field, uint32_t k, throng_error *error) {
  return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "%s %u is (%lld, %lld), allowed: %d to %d", field, k,
                     (long long)x, (long long)z, -TILE_LIMIT, TILE_LIMIT);
}

static throng_status check_pointers(const int32_t *x, const int32_t *z, uint32_t count, const char *field,
                                    throng_error *error) {
  if (count == 0 || (x && z)) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "%ss' %s is NULL", field, x ? "z" : "x");
}

throng_status throng_tiles_check_columns(const int32_t *x, const int32_t *z, uint32_t count, const char *field,
                                         throng_error *error) {
  ASSERT_ALONE(field);
  TRY(check_pointers(x, z, count, field, error));
  uint32_t outside = 0; /* no early exit, so that the compiler vectorises the loop */
  for (uint32_t k = 0; k < count; k++) outside |= (uint32_t)(kept(x[k]) != x[k]) | (uint32_t)(kept(z[k]) != z[k]);
  for (uint32_t k = 0; k < count && outside; k++) {
    if (!inside(x[k]) || !inside(z[k])) return fail_tile(x[k], z[k], field, k, error);
  }
  return THRONG_OK;
}

static throng_status check_tiles(const throng_tiles *tiles, throng_error *error) {
  REQUIRE_POINTER(tiles, error);
  return throng_tiles_check_columns(tiles->x, tiles->z, tiles->count, "tile", error);
}

static throng_status check_targets(const throng_tile_targets *targets, uint32_t agents, const char *field,
                                   throng_error *error) {
  if (!targets) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "'%ss' is NULL", field);
  if (targets->count != agents && targets->count != 1) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%ss' count is %u, allowed: 1 or %u", field, targets->count,
                       agents);
  }
  return throng_tiles_check_columns(targets->x, targets->z, targets->count, field, error);
}

static throng_tile target_of(const throng_tile_targets *targets, uint32_t k) {
  ASSERT_ALONE(targets->count == 1 || k < targets->count);
  const uint32_t at = targets->count == 1 ? 0 : k;
  return (throng_tile){targets->x[at], targets->z[at]};
}

/* Chases. */

static void chase_axis(int32_t *a, const int32_t *target, uint32_t count, bool common, int32_t way) {
  ASSERT_ALONE(way == 1 || way == -1); /* a tile plus `way` fits in 32 bits */
  for (uint32_t k = 0; k < count; k++) a[k] = kept(a[k] + way * sign(target[common ? 0 : k] - a[k]));
}

/* Moves one step along each axis: `way` 1 toward the target, -1 away from it. */
static throng_status chase(const throng_tiles *tiles, const throng_tile_targets *targets, int32_t way,
                           throng_error *error) {
  TRY(check_tiles(tiles, error));
  TRY(check_targets(targets, tiles->count, "target", error));
  const bool common = targets->count == 1;
  chase_axis(tiles->x, targets->x, tiles->count, common, way);
  chase_axis(tiles->z, targets->z, tiles->count, common, way);
  return THRONG_OK;
}

throng_status throng_tiles_chase(const throng_tiles *tiles, const throng_tile_targets *targets, throng_error *error) {
  return chase(tiles, targets, 1, error);
}

throng_status throng_tiles_evade(const throng_tiles *tiles, const throng_tile_targets *targets, throng_error *error) {
  return chase(tiles, targets, -1, error);
}

/* A Bresenham line. Each step goes one tile along the longer axis. It also goes one tile along the other axis if
 * line_error would otherwise reach 2 * along. */
struct line {
  int32_t along, across; /* lengths: along >= across >= 0 */
  throng_tile forward, sideways;
};

static struct line line_between(throng_tile from, throng_tile to) {
  ASSERT_ALONE(inside(from.x) && inside(from.z) && inside(to.x) && inside(to.z));
  const int32_t dx = to.x - from.x, dz = to.z - from.z;
  const throng_tile in_x = {sign(dx), 0}, in_z = {0, sign(dz)};
  if (magnitude(dx) > magnitude(dz)) return (struct line){magnitude(dx), magnitude(dz), in_x, in_z};
  return (struct line){magnitude(dz), magnitude(dx), in_z, in_x};
}

/* Returns (2 * d + 1) * along. d is how many tiles, in the direction across, the straight line is beyond the tile at
 * `k` along and `m` across. For the tiles of the line the result is at least 0 and below 2 * along. */
static int64_t line_error(const struct line *line, int64_t k, int64_t m) {
  return 2 * line->across * k + line->along - 2 * line->along * m;
}

static throng_tile one_step(throng_tile at, const struct line *line, bool aside) {
  at.x += line->forward.x + (aside ? line->sideways.x : 0);
  at.z += line->forward.z + (aside ? line->sideways.z : 0);
  return at;
}

/* Finds the position of a tile along and across the line; false if the tile is not on the line or is its end. */
static bool place_on_line(const struct line *line, throng_tile from, throng_tile at, int64_t *k, int64_t *m) {
  const int64_t dx = (int64_t)at.x - from.x, dz = (int64_t)at.z - from.z;
  *k = dx * line->forward.x + dz * line->forward.z;
  *m = dx * line->sideways.x + dz * line->sideways.z;
  const bool aside = line->across == 0 && (line->forward.x ? dz : dx) != 0;
  const int64_t error = line_error(line, *k, *m);
  return !aside && *k >= 0 && *k < line->along && error >= 0 && error < 2 * (int64_t)line->along;
}

static throng_tile walk_line(throng_tile_walker *walker, throng_tile at, throng_tile target) {
  if (at.x == target.x && at.z == target.z) return at;
  struct line line = line_between(walker->from, walker->target);
  int64_t k = 0, m = 0;
  if (walker->target.x != target.x || walker->target.z != target.z || !place_on_line(&line, walker->from, at, &k, &m)) {
    *walker = (throng_tile_walker){at, target};
    line = line_between(at, target);
    k = m = 0;
  }
  ASSERT_ALONE(k < line.along); /* the agent is not at the end, so the step stays on the line */
  return one_step(at, &line, line_error(&line, k + 1, m) >= 2 * (int64_t)line.along);
}

static throng_status check_walkers(const throng_tile_walker *walkers, uint32_t count, throng_error *error) {
  if (count > 0) REQUIRE_POINTER(walkers, error);
  for (uint32_t k = 0; k < count; k++) {
    const throng_tile ends[2] = {walkers[k].from, walkers[k].target};
    for (int end = 0; end < 2; end++) {
      if (inside(ends[end].x) && inside(ends[end].z)) continue;
      return fail_tile(ends[end].x, ends[end].z, end ? "target of walker" : "start of walker", k, error);
    }
  }
  return THRONG_OK;
}

throng_status throng_tiles_chase_line(const throng_tiles *tiles, const throng_tile_targets *targets,
                                      throng_tile_walker *walkers, throng_error *error) {
  TRY(check_tiles(tiles, error));
  TRY(check_targets(targets, tiles->count, "target", error));
  TRY(check_walkers(walkers, tiles->count, error));
  for (uint32_t k = 0; k < tiles->count; k++) {
    const throng_tile at = {tiles->x[k], tiles->z[k]}, next = walk_line(&walkers[k], at, target_of(targets, k));
    tiles->x[k] = next.x;
    tiles->z[k] = next.z;
  }
  return THRONG_OK;
}

/* Lines and routes. */

static throng_status check_corner(throng_tile tile, const char *field, uint32_t k, throng_error *error) {
  return inside(tile.x) && inside(tile.z) ? THRONG_OK : fail_tile(tile.x, tile.z, field, k, error);
}

/* Sets *count to the number of tiles. Fails if there are 2^32 - 1 tiles or more, or more than `capacity`; without
 * `tiles`, `capacity` does not matter. */
static throng_status make_room(uint64_t needed, const throng_tile *tiles, uint32_t capacity, uint32_t *count,
                               throng_error *error) {
  *count = needed < UINT32_MAX ? (uint32_t)needed : UINT32_MAX;
  if (needed < UINT32_MAX && (!tiles || needed <= capacity)) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_CAPACITY, "there are %llu tiles, room for %u", (unsigned long long)needed,
                     capacity);
}

/* Writes the line's first `count` tiles, each minus `origin`. Returns the address after the last one. */
static throng_tile *write_line(throng_tile from, throng_tile to, uint32_t count, throng_tile origin,
                               throng_tile *tiles) {
  const struct line line = line_between(from, to);
  int64_t ahead = line.along; /* line_error */
  ASSERT_ALONE(count <= (uint32_t)line.along);
  for (uint32_t k = 0; k < count; k++) {
    ahead += 2 * (int64_t)line.across;
    const bool aside = ahead >= 2 * (int64_t)line.along;
    if (aside) ahead -= 2 * (int64_t)line.along;
    ASSERT_ALONE(ahead >= 0 && ahead < 2 * (int64_t)line.along);
    from = one_step(from, &line, aside);
    *tiles++ = (throng_tile){from.x - origin.x, from.z - origin.z};
  }
  return tiles;
}

static uint32_t line_tiles(throng_tile from, throng_tile to) {
  return (uint32_t)larger(magnitude(to.x - from.x), magnitude(to.z - from.z));
}

throng_status throng_tiles_make_line(throng_tile from, throng_tile to, throng_tile *tiles, uint32_t capacity,
                                     uint32_t *count, throng_error *error) {
  REQUIRE_POINTER(count, error);
  TRY(check_corner(from, "end", 0, error));
  TRY(check_corner(to, "end", 1, error));
  TRY(make_room(line_tiles(from, to), tiles, capacity, count, error));
  if (tiles) write_line(from, to, *count, (throng_tile){0, 0}, tiles);
  return THRONG_OK;
}

throng_status throng_tiles_make_route(const throng_tile *corners, uint32_t corner_count, bool closed,
                                      throng_tile *tiles, uint32_t capacity, uint32_t *count, throng_error *error) {
  REQUIRE_POINTER(corners, error);
  REQUIRE_POINTER(count, error);
  if (corner_count == 0) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "corner_count is 0, allowed: 1 or more");
  }
  for (uint32_t k = 0; k < corner_count; k++) TRY(check_corner(corners[k], "corner", k, error));
  uint64_t needed = 1;
  for (uint32_t k = 1; k < corner_count; k++) needed += line_tiles(corners[k - 1], corners[k]);
  const throng_tile first = corners[0], last = corners[corner_count - 1];
  const uint32_t way_back = closed ? line_tiles(last, first) : 0, between = way_back > 0 ? way_back - 1 : 0;
  TRY(make_room(needed + between, tiles, capacity, count, error));
  if (!tiles) return THRONG_OK;
  throng_tile *end = tiles;
  *end++ = (throng_tile){0, 0};
  for (uint32_t k = 1; k < corner_count; k++) {
    end = write_line(corners[k - 1], corners[k], line_tiles(corners[k - 1], corners[k]), first, end);
  }
  end = write_line(last, first, between, first, end);
  ASSERT_ALONE(end == tiles + *count);
  return THRONG_OK;
}

/* Routes and patterns, of which an agent plays one element per tick. */

/* Returns the position of agent k in a route or pattern of `count` elements; `count` if it is past the end. */
static uint32_t place_at(throng_tile_time time, uint32_t k, uint32_t count) {
  const uint64_t phase = time.phase ? time.phase[k] : 0;
  ASSERT_ALONE(count > 0);
  if (!time.once) return (uint32_t)((time.tick % count + phase) % count);
  return time.tick < count && time.tick + phase < count ? (uint32_t)(time.tick + phase) : count;
}

static throng_status check_count(uint32_t count, throng_error *error) {
  return count > 0 ? THRONG_OK : throng_fail(error, THRONG_ERROR_BAD_VALUE, "count is 0, allowed: 1 or more");
}

throng_status throng_tiles_play_route(const throng_tiles *tiles, const throng_tile_targets *origins,
                                      const throng_tile *route, uint32_t count, throng_tile_time time,
                                      throng_error *error) {
  REQUIRE_POINTER(tiles, error);
  TRY(check_pointers(tiles->x, tiles->z, tiles->count, "tile", error));
  TRY(check_targets(origins, tiles->count, "origin", error));
  REQUIRE_POINTER(route, error);
  TRY(check_count(count, error));
  for (int writing = 0; writing < 2; writing++) {
    for (uint32_t k = 0; k < tiles->count; k++) {
      const uint32_t place = place_at(time, k, count);
      const throng_tile origin = target_of(origins, k), way = route[place < count ? place : count - 1];
      const int64_t x = (int64_t)origin.x + way.x, z = (int64_t)origin.z + way.z;
      if (!inside(x) || !inside(z)) return fail_tile(x, z, "next tile of agent", k, error);
      if (!writing) continue;
      tiles->x[k] = (int32_t)x;
      tiles->z[k] = (int32_t)z;
    }
  }
  return THRONG_OK;
}

throng_status throng_tiles_play_steps(const throng_tiles *tiles, uint8_t *headings, const throng_tile_step *pattern,
                                      uint32_t count, throng_tile_time time, throng_error *error) {
  TRY(check_tiles(tiles, error));
  if (tiles->count > 0) REQUIRE_POINTER(headings, error);
  REQUIRE_POINTER(pattern, error);
  TRY(check_count(count, error));
  for (uint32_t k = 0; k < tiles->count; k++) {
    if (headings[k] < 8) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "heading %u is %u, allowed: 0 to 7", k, headings[k]);
  }
  for (uint32_t k = 0; k < tiles->count; k++) {
    const uint32_t place = place_at(time, k, count);
    if (place == count) continue;
    const throng_tile_step now = pattern[place];
    headings[k] = (uint8_t)((headings[k] - now.right) & 7);
    tiles->x[k] = kept(tiles->x[k] + now.step * heading_x[headings[k]]);
    tiles->z[k] = kept(tiles->z[k] + now.step * heading_z[headings[k]]);
  }
  return THRONG_OK;
}

/* Track wandering. */

static bool on_track(const throng_tile_track *track, int64_t x, int64_t z) {
  if (x < 0 || z < 0 || x >= track->width || z >= track->height) return false;
  return track->mask[(size_t)z * track->width + (size_t)x] != 0;
}

static throng_status check_track(const throng_tiles *tiles, const throng_tile_track *track, throng_error *error) {
  REQUIRE_POINTER(track, error);
  REQUIRE_POINTER(track->mask, error);
  if (track->width == 0 || track->height == 0 || track->width > TILE_LIMIT || track->height > TILE_LIMIT) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "track is %u x %u, allowed: 1 x 1 to %d x %d", track->width,
                       track->height, TILE_LIMIT, TILE_LIMIT);
  }
  for (uint32_t k = 0; k < tiles->count; k++) {
    const int32_t x = tiles->x[k], z = tiles->z[k];
    if (x < 0 || z < 0 || (uint32_t)x >= track->width || (uint32_t)z >= track->height) {
      return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "tile %u is (%d, %d), allowed: (0, 0) to (%u, %u)", k, x, z,
                         track->width - 1, track->height - 1);
    }
    if (on_track(track, x, z)) continue;
    return throng_fail(error, THRONG_ERROR_BLOCKED, "tile %u, (%d, %d), is off the track", k, x, z);
  }
  return THRONG_OK;
}

static throng_status check_previous(const throng_tiles *tiles, const throng_tiles *previous, throng_error *error) {
  REQUIRE_POINTER(previous, error);
  if (previous->count != tiles->count) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "previous' count is %u, allowed: %u", previous->count,
                       tiles->count);
  }
  return throng_tiles_check_columns(previous->x, previous->z, previous->count, "previous tile", error);
}

/* Returns a random number below n: n times draw(0), rounded down (docs/ARITHMETIC.md, "Random draws"). */
static uint32_t draw_below(throng_tile_draws draws, uint32_t k, uint32_t n) {
  ASSERT_ALONE(n >= 1 && n <= 256); /* a draw of 24 bits times n has 32 bits */
  uint32_t h = scalar_mix((uint32_t)draws.seed + (draws.first + k));
  h = scalar_mix(h ^ (uint32_t)(draws.seed >> 32));
  h = scalar_mix(h ^ (uint32_t)draws.tick);
  h = scalar_mix(h ^ (uint32_t)(draws.tick >> 32));
  return ((h >> 8) * n) >> 24;
}

static throng_tile wander(const throng_tile_track *track, throng_tile at, throng_tile before, throng_tile_draws draws,
                          uint32_t k) {
  throng_tile open[8];
  uint32_t exits = 0;
  ASSERT_ALONE(on_track(track, at.x, at.z));
  bool back = false;
  for (int heading = 0; heading < 8; heading++) {
    const throng_tile next = {at.x + heading_x[heading], at.z + heading_z[heading]};
    if (!on_track(track, next.x, next.z)) continue;
    if (next.x == before.x && next.z == before.z) {
      back = true;
    } else {
      open[exits++] = next;
    }
  }
  if (exits > 0) return open[draw_below(draws, k, exits)];
  return back ? before : at;
}

throng_status throng_tiles_wander(const throng_tiles *tiles, const throng_tiles *previous,
                                  const throng_tile_track *track, throng_tile_draws draws, throng_error *error) {
  TRY(check_tiles(tiles, error));
  TRY(check_previous(tiles, previous, error));
  TRY(check_track(tiles, track, error));
  for (uint32_t k = 0; k < tiles->count; k++) {
    const throng_tile at = {tiles->x[k], tiles->z[k]}, before = {previous->x[k], previous->z[k]};
    const throng_tile next = wander(track, at, before, draws, k);
    previous->x[k] = at.x;
    previous->z[k] = at.z;
    tiles->x[k] = next.x;
    tiles->z[k] = next.z;
  }
  return THRONG_OK;
}
