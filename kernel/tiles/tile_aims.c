/* tile_aims.c: the tiles at which intercepting and flocking agents aim, in integers only. docs/ARITHMETIC.md, "Tiles",
 * has the formulas. SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/assertion.h"
#include "base/error.h"
#include "tiles/tiles_internal.h"

/* Checks. */

static throng_status check_motion(const throng_tile_motion *motion, const char *field, const char *before,
                                  throng_error *error) {
  TRY(throng_tiles_check_columns(motion->x, motion->z, motion->count, field, error));
  return throng_tiles_check_columns(motion->before_x, motion->before_z, motion->count, before, error);
}

static throng_status check_aims(const throng_tiles *aims, uint32_t agents, throng_error *error) {
  REQUIRE_POINTER(aims, error);
  if (aims->count != agents) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "aims' count is %u, allowed: %u", aims->count, agents);
  }
  if (agents == 0 || (aims->x && aims->z)) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "aims' %s is NULL", aims->x ? "z" : "x");
}

static throng_status check_range(uint32_t value, uint32_t low, uint32_t high, const char *field, throng_error *error) {
  if (value >= low && value <= high) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "flock.%s is %u, allowed: %u to %u", field, value, low, high);
}

static int32_t kept_far(int64_t a) {
  return (int32_t)(a > TILE_LIMIT ? TILE_LIMIT : a < -TILE_LIMIT ? -TILE_LIMIT : a);
}

/* Returns a / b, rounded to the nearest integer, halves away from 0. b > 0. */
static int64_t rounded(int64_t a, int64_t b) {
  ASSERT_ALONE(b > 0);
  return a < 0 ? -((b - 2 * a) / (2 * b)) : (2 * a + b) / (2 * b);
}

/* Interception. */

/* Where the target is on one axis after `far` / `closing` ticks, at most `most` ticks. */
static int32_t meeting(int32_t at, int32_t before, int32_t far, int32_t closing, uint32_t most) {
  const int64_t step = (int64_t)at - before;
  ASSERT_ALONE(far >= 0 && closing >= 0);
  if (closing == 0) return at;
  if (far > (int64_t)most * closing) return kept_far(at + step * most);
  return kept_far(at + rounded(step * far, closing));
}

throng_status throng_tiles_aim_intercept(const throng_tile_motion *agents, const throng_tile_motion *targets,
                                         uint32_t max_prediction, const throng_tiles *aims, throng_error *error) {
  REQUIRE_POINTER(agents, error);
  REQUIRE_POINTER(targets, error);
  TRY(check_motion(agents, "agent", "agent before", error));
  if (targets->count != agents->count && targets->count != 1) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "targets' count is %u, allowed: 1 or %u", targets->count,
                       agents->count);
  }
  TRY(check_motion(targets, "target", "target before", error));
  TRY(check_aims(aims, agents->count, error));
  for (uint32_t k = 0; k < agents->count; k++) {
    const uint32_t at = targets->count == 1 ? 0 : k;
    const int32_t x = targets->x[at], z = targets->z[at], before_x = targets->before_x[at],
                  before_z = targets->before_z[at];
    const int32_t far = larger(magnitude(x - agents->x[k]), magnitude(z - agents->z[k]));
    const int32_t closing = larger(magnitude((x - before_x) - (agents->x[k] - agents->before_x[k])),
                                   magnitude((z - before_z) - (agents->z[k] - agents->before_z[k])));
    aims->x[k] = meeting(x, before_x, far, closing, max_prediction);
    aims->z[k] = meeting(z, before_z, far, closing, max_prediction);
  }
  return THRONG_OK;
}

/* Flocks. */

#define ROW 32 /* a member's key is its row, then its column; both are moved by MIDDLE to be positive */
#define MIDDLE (1u << 31)
_Static_assert(TILE_LIMIT + THRONG_MAX_TILE_RADIUS < MIDDLE, "a key plus or minus a radius stays in its row");

static uint64_t key_of(int32_t x, int32_t z) {
  return (uint64_t)((uint32_t)z + MIDDLE) << ROW | ((uint32_t)x + MIDDLE);
}
static int32_t column_of(uint64_t key) { return (int32_t)((uint32_t)key - MIDDLE); }

/* Sorts members[count] by key, one byte at a time. Overwrites the `count` elements after them. Returns the sorted
 * members, in one of the two places. */
static throng_tile_member *sort_members(throng_tile_member *members, uint32_t count) {
  throng_tile_member *from = members, *to = members + count;
  ASSERT_ALONE(count > 0);
  for (int shift = 0; shift < 64; shift += 8) {
    uint32_t start[256] = {0}, sum = 0;
    for (uint32_t k = 0; k < count; k++) start[from[k].key >> shift & 255]++;
    if (start[from[0].key >> shift & 255] == count) continue; /* all have the same byte */
    for (int byte = 0; byte < 256; byte++) {
      const uint32_t here = start[byte];
      start[byte] = sum;
      sum += here;
    }
    ASSERT_ALONE(sum == count);
    for (uint32_t k = 0; k < count; k++) to[start[from[k].key >> shift & 255]++] = from[k];
    throng_tile_member *const other = from;
    from = to;
    to = other;
  }
  return from;
}

/* The members in one row of the square around an agent: [first, end) of the sorted members, and the sums of their
 * columns and of their last steps. From agent to agent, in order of keys, both ends only grow. */
struct window {
  uint32_t first, end;
  int64_t x, step_x, step_z;
};
/* Sums over the neighbours of an agent: offsets from it, and last steps. */
struct sums {
  int64_t count, x, z, step_x, step_z;
};

static void change_window(struct window *window, const throng_tile_member *member, int way) {
  window->x += way * column_of(member->key);
  window->step_x += way * member->step_x;
  window->step_z += way * member->step_z;
}

/* Adds up the other members within `radius` of member k. window[2 * radius + 1] is kept from member k - 1. */
static struct sums look_around(struct window *window, const throng_tile_member *members, uint32_t count, uint32_t k,
                               uint32_t radius) {
  const throng_tile_member *self = &members[k];
  ASSERT_ALONE(k < count && radius <= THRONG_MAX_TILE_RADIUS);
  ASSERT_ALONE(k == 0 || members[k - 1].key <= self->key); /* if not, the ends of the windows would have to shrink */
  struct sums sums = {-1, 0, 0, -self->step_x, -self->step_z}; /* the windows have the member itself, too */
  for (uint32_t row = 0; row <= 2 * radius; row++, window++) {
    const int64_t down = (int64_t)row - radius;
    const uint64_t middle = self->key + ((uint64_t)down << ROW);
    for (; window->end < count && members[window->end].key <= middle + radius; window->end++)
      change_window(window, &members[window->end], 1);
    for (; window->first < window->end && members[window->first].key < middle - radius; window->first++)
      change_window(window, &members[window->first], -1);
    ASSERT_ALONE(window->first <= window->end && window->end <= count);
    const int64_t here = window->end - window->first;
    sums.count += here;
    sums.x += window->x - here * column_of(self->key);
    sums.z += here * down;
    sums.step_x += window->step_x;
    sums.step_z += window->step_z;
  }
  ASSERT_ALONE(sums.count >= 0); /* the member itself was in a window */
  return sums;
}

/* The mean of a sum over n agents in 1/256 tile, rounded toward 0; 0 if there are none. */
static int64_t mean(int64_t sum, int64_t n) { return n > 0 ? 256 * sum / n : 0; }

static int32_t aim_of(int32_t at, const throng_tile_flock *flock, int64_t cohesion, int64_t alignment, int64_t near) {
  const int64_t want = flock->cohesion * cohesion + flock->alignment * alignment - flock->separation * near;
  return kept_far(at + rounded(want, 256));
}

static throng_status check_flock(const throng_tile_flock *flock, throng_error *error) {
  REQUIRE_POINTER(flock, error);
  TRY(check_range(flock->radius, 1, THRONG_MAX_TILE_RADIUS, "radius", error));
  TRY(check_range(flock->separation_radius, 0, flock->radius, "separation_radius", error));
  TRY(check_range(flock->separation, 0, THRONG_MAX_TILE_WEIGHT, "separation", error));
  TRY(check_range(flock->cohesion, 0, THRONG_MAX_TILE_WEIGHT, "cohesion", error));
  return check_range(flock->alignment, 0, THRONG_MAX_TILE_WEIGHT, "alignment", error);
}

throng_status throng_tiles_aim_flock(const throng_tile_motion *agents, const throng_tile_flock *flock,
                                     throng_tile_member *scratch, const throng_tiles *aims, throng_error *error) {
  REQUIRE_POINTER(agents, error);
  TRY(check_motion(agents, "agent", "agent before", error));
  TRY(check_flock(flock, error));
  TRY(check_aims(aims, agents->count, error));
  if (agents->count == 0) return THRONG_OK;
  REQUIRE_POINTER(scratch, error);
  for (uint32_t k = 0; k < agents->count; k++) {
    const int32_t x = agents->x[k], z = agents->z[k];
    scratch[k] = (throng_tile_member){key_of(x, z), k, (int8_t)sign(x - agents->before_x[k]),
                                      (int8_t)sign(z - agents->before_z[k])};
  }
  const throng_tile_member *members = sort_members(scratch, agents->count);
  struct window seen[2 * THRONG_MAX_TILE_RADIUS + 1], close[2 * THRONG_MAX_TILE_RADIUS + 1], same = {0};
  memset(seen, 0, sizeof seen);
  memset(close, 0, sizeof close);
  for (uint32_t k = 0; k < agents->count; k++) {
    const uint32_t agent = members[k].agent, heading = agent % HEADINGS;
    ASSERT_ALONE(agent < agents->count);
    const int32_t x = agents->x[agent], z = agents->z[agent];
    const struct sums all = look_around(seen, members, agents->count, k, flock->radius),
                      near = look_around(close, members, agents->count, k, flock->separation_radius),
                      here = look_around(&same, members, agents->count, k, 0);
    const bool alone = all.count == 0;
    const int64_t near_x = near.x - here.count * heading_x[heading], near_z = near.z - here.count * heading_z[heading];
    aims->x[agent] =
        alone ? kept_far(x + members[k].step_x)
              : aim_of(x, flock, mean(all.x, all.count), mean(all.step_x, all.count), mean(near_x, near.count));
    aims->z[agent] =
        alone ? kept_far(z + members[k].step_z)
              : aim_of(z, flock, mean(all.z, all.count), mean(all.step_z, all.count), mean(near_z, near.count));
  }
  return THRONG_OK;
}
