/* tests/tiles/test_tile_aims.c: compares the aims of interception and of flocks on tiles with simple loops over all
 * agents, and checks what agents do that chase these aims.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

#define AGENTS 200u
#define MOST THRONG_TILE_LIMIT

static uint64_t base_seed;

/* Agents that move, and where they aim. */
typedef struct crew {
  int32_t x[AGENTS], z[AGENTS], before_x[AGENTS], before_z[AGENTS], aim_x[AGENTS], aim_z[AGENTS];
  throng_tiles tiles, aims;
  throng_tile_motion motion;
  throng_tile_targets targets;
} crew;

static void set_up(crew *c, uint32_t count) {
  memset(c, 0, sizeof *c);
  c->tiles = (throng_tiles){c->x, c->z, count};
  c->aims = (throng_tiles){c->aim_x, c->aim_z, count};
  c->motion = (throng_tile_motion){c->x, c->z, c->before_x, c->before_z, count};
  c->targets = (throng_tile_targets){c->aim_x, c->aim_z, count};
}

static int32_t within(test_rng *rng, int32_t most) { return (int32_t)rng_below(rng, 2 * (uint32_t)most + 1) - most; }

/* Places agents within `most` of the origin; one of eight coordinates is at a limit. Half of the steps are short. */
static void scatter(crew *c, test_rng *rng, uint32_t count, int32_t most) {
  set_up(c, count);
  int32_t *const now[] = {c->x, c->z}, *const before[] = {c->before_x, c->before_z};
  for (uint32_t k = 0; k < 2 * count; k++) {
    const int32_t at = rng_chance(rng, 0.125f) ? (rng_chance(rng, 0.5f) ? most : -most) : within(rng, most);
    const int32_t was = rng_chance(rng, 0.5f) ? within(rng, most) : at + within(rng, 2);
    now[k % 2][k / 2] = at;
    before[k % 2][k / 2] = was > MOST ? MOST : was < -MOST ? -MOST : was;
  }
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t kept(double a) { return (int32_t)(a > MOST ? MOST : a < -MOST ? -MOST : a); }
/* Rounds to the nearest integer, halves away from 0. The quotients of the tests are exact enough for that. */
static int64_t nearest(int64_t a, int64_t b) {
  const int64_t whole = llabs(a) / b, rest = llabs(a) % b;
  return (a < 0 ? -1 : 1) * (whole + (2 * rest >= b));
}

/* Interception. */

static void intercepts_are_the_formula(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed);
  throng_error error;
  static crew hunters, prey;
  for (int round = 0; round < 60; round++) {
    const int32_t most = round % 3 == 0 ? 5 : round % 3 == 1 ? 1000 : MOST;
    const bool common = round % 2;
    const uint32_t far = round % 5 == 0 ? 0 : round % 5 == 1 ? UINT32_MAX : rng_below(&rng, 40);
    scatter(&hunters, &rng, AGENTS, most);
    scatter(&prey, &rng, common ? 1 : AGENTS, most);
    require_ok(throng_tiles_aim_intercept(&hunters.motion, &prey.motion, far, &hunters.aims, &error), &error);
    for (uint32_t k = 0; k < AGENTS; k++) {
      const uint32_t t = common ? 0 : k;
      const int64_t u[2] = {prey.x[t] - prey.before_x[t], prey.z[t] - prey.before_z[t]};
      const int64_t v[2] = {hunters.x[k] - hunters.before_x[k], hunters.z[k] - hunters.before_z[k]};
      const int64_t way = larger(abs(prey.x[t] - hunters.x[k]), abs(prey.z[t] - hunters.z[k]));
      const int64_t closing = larger(abs((int32_t)(u[0] - v[0])), abs((int32_t)(u[1] - v[1])));
      for (int c = 0; c < 2; c++) {
        const int32_t at = c ? prey.z[t] : prey.x[t], aim = c ? hunters.aim_z[k] : hunters.aim_x[k];
        double expected = at; /* sums of integers below 2^53 are exact */
        if (closing > 0 && way > (int64_t)far * closing) expected += (double)u[c] * far;
        if (closing > 0 && way <= (int64_t)far * closing) expected += (double)nearest(u[c] * way, closing);
        assert_int_equal(aim, kept(expected));
      }
    }
  }
}

/* A target that crosses twice as fast as a hunter can go: a chase never comes near, an interception meets it. */
static void an_intercept_meets_what_a_chase_never_reaches(void **state) {
  (void)state;
  throng_error error;
  int32_t least[2] = {100, 100};
  for (int intercepts = 0; intercepts < 2; intercepts++) {
    static crew hunter, prey;
    set_up(&hunter, 1);
    set_up(&prey, 1);
    prey.x[0] = prey.before_x[0] = -40;
    prey.z[0] = prey.before_z[0] = 20;
    for (int tick = 0; tick < 60; tick++) {
      prey.before_x[0] = prey.x[0];
      prey.x[0] += 2;
      require_ok(throng_tiles_aim_intercept(&hunter.motion, &prey.motion, intercepts ? 100 : 0, &hunter.aims, &error),
                 &error);
      hunter.before_x[0] = hunter.x[0];
      hunter.before_z[0] = hunter.z[0];
      require_ok(throng_tiles_chase(&hunter.tiles, &hunter.targets, &error), &error);
      const int32_t off = larger(abs(prey.x[0] - hunter.x[0]), abs(prey.z[0] - hunter.z[0]));
      if (off < least[intercepts]) least[intercepts] = off;
    }
  }
  if (least[0] < 3 || least[1] > 1) fail_msg("nearest: chase %d, interception %d tiles", least[0], least[1]);
}

/* Flocks. */

static throng_tile_member scratch[2 * AGENTS];
static const throng_tile_flock good = {5, 1, 4, 1, 8};

static int64_t mean_of(int64_t sum, int64_t n) { return n ? 256 * sum / n : 0; }

/* The documented formula for one agent and one axis, by a loop over all others. */
static int32_t flock_aim(const crew *c, const throng_tile_flock *f, uint32_t k, bool of_z) {
  static const int turn_x[] = {0, 1, 1, 1, 0, -1, -1, -1}, turn_z[] = {1, 1, 0, -1, -1, -1, 0, 1};
  const int32_t *now = of_z ? c->z : c->x, *before = of_z ? c->before_z : c->before_x;
  int64_t n = 0, m = 0, away = 0, near = 0, steps = 0;
  for (uint32_t j = 0; j < c->motion.count; j++) {
    const int32_t off = larger(abs(c->x[j] - c->x[k]), abs(c->z[j] - c->z[k]));
    if (j == k || off > (int32_t)f->radius) continue;
    n++;
    away += now[j] - now[k];
    steps += (now[j] > before[j]) - (now[j] < before[j]);
    if (off > (int32_t)f->separation_radius) continue;
    m++;
    near += now[j] - now[k];
    if (off == 0) near -= of_z ? turn_z[k % 8] : turn_x[k % 8];
  }
  if (n == 0) return kept((double)now[k] + (now[k] > before[k]) - (now[k] < before[k]));
  const int64_t want = (int64_t)f->cohesion * mean_of(away, n) + (int64_t)f->alignment * mean_of(steps, n) -
                       (int64_t)f->separation * mean_of(near, m);
  return kept((double)now[k] + (double)nearest(want, 256));
}

static void flocks_are_the_formula(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed + 1);
  throng_error error;
  static crew c;
  for (int round = 0; round < 200; round++) {
    static const int32_t extent[] = {0, 3, 12, 60, MOST};
    scatter(&c, &rng, round % 7 == 0 ? 1 : AGENTS, extent[round % 5]);
    throng_tile_flock f = {1 + rng_below(&rng, round % 2 ? 4 : THRONG_MAX_TILE_RADIUS), 0, rng_below(&rng, 9),
                           rng_below(&rng, 9), rng_below(&rng, 9)};
    f.separation_radius = rng_below(&rng, f.radius + 1);
    if (round % 11 == 0) f.separation = f.cohesion = f.alignment = THRONG_MAX_TILE_WEIGHT;
    require_ok(throng_tiles_aim_flock(&c.motion, &f, scratch, &c.aims, &error), &error);
    for (uint32_t k = 0; k < c.motion.count; k++) {
      assert_int_equal(c.aim_x[k], flock_aim(&c, &f, k, false));
      assert_int_equal(c.aim_z[k], flock_aim(&c, &f, k, true));
    }
  }
}

static void step_flock(crew *c) {
  throng_error error;
  require_ok(throng_tiles_aim_flock(&c->motion, &good, scratch, &c->aims, &error), &error);
  memcpy(c->before_x, c->x, sizeof c->x);
  memcpy(c->before_z, c->z, sizeof c->z);
  require_ok(throng_tiles_chase(&c->tiles, &c->targets, &error), &error);
}

/* Agents begin with random headings in a square of 30 tiles. After 100 ticks those that are near one another step
 * alike, and few share a tile. */
static void agents_become_a_flock(void **state) {
  (void)state;
  static crew c;
  test_rng rng = rng_from(base_seed + 2);
  set_up(&c, 100);
  for (uint32_t k = 0; k < 100; k++) {
    c.x[k] = within(&rng, 15);
    c.z[k] = within(&rng, 15);
    c.before_x[k] = c.x[k] + within(&rng, 1);
    c.before_z[k] = c.z[k] + within(&rng, 1);
  }
  for (int tick = 0; tick < 100; tick++) step_flock(&c);
  uint32_t pairs = 0, alike = 0, shared = 0;
  for (uint32_t k = 0; k < 100; k++) {
    for (uint32_t j = 0; j < k; j++) {
      const int32_t off = larger(abs(c.x[j] - c.x[k]), abs(c.z[j] - c.z[k]));
      const int32_t turn_x = c.x[j] - c.before_x[j] - (c.x[k] - c.before_x[k]);
      const int32_t turn_z = c.z[j] - c.before_z[j] - (c.z[k] - c.before_z[k]);
      pairs += off <= 4;
      alike += off <= 4 && abs(turn_x) <= 1 && abs(turn_z) <= 1 && abs(turn_x) + abs(turn_z) <= 1;
      shared += off == 0;
    }
  }
  if (pairs < 300 || alike < pairs * 3 / 4 || shared > 60)
    fail_msg("%u of %u near pairs step alike, %u share a tile", alike, pairs, shared);
}

static void a_lone_agent_keeps_its_heading(void **state) {
  (void)state;
  static crew c;
  set_up(&c, 2);
  c.before_x[0] = 1;
  c.x[1] = c.before_x[1] = 100;
  for (int tick = 0; tick < 10; tick++) step_flock(&c);
  assert_true(c.x[0] == -10 && c.z[0] == 0 && c.x[1] == 100 && c.z[1] == 0);
}

/* A crowd on one tile disperses. */
static void agents_leave_a_common_tile(void **state) {
  (void)state;
  static crew c;
  set_up(&c, 64);
  for (int tick = 0; tick < 12; tick++) step_flock(&c);
  uint32_t crowded = 0;
  for (uint32_t k = 0; k < 64; k++) {
    uint32_t here = 0;
    for (uint32_t j = 0; j < 64; j++) here += c.x[j] == c.x[k] && c.z[j] == c.z[k];
    if (here > crowded) crowded = here;
  }
  if (crowded > 16) fail_msg("%u of 64 agents are still on one tile", crowded);
}

/* Refused calls must change nothing. */
static void aims_are_checked(void **state) {
  (void)state;
  throng_error error;
  static crew c;
  set_up(&c, 3);
  const throng_tiles fewer = {c.aim_x, c.aim_z, 2}, no_z = {c.aim_x, NULL, 3};
  const throng_tile_motion no_before = {c.x, c.z, NULL, c.before_z, 3}, two = {c.x, c.z, c.before_x, c.before_z, 2},
                           far = {c.x, c.z, c.before_x, (int32_t[]){0, 0, MOST + 1}, 3}, nobody = {.count = 0};
  memset(c.aim_x, 7, sizeof c.aim_x);
  memset(c.aim_z, 7, sizeof c.aim_z);
  require_error(throng_tiles_aim_intercept(NULL, &c.motion, 9, &c.aims, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_aim_intercept(&c.motion, NULL, 9, &c.aims, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_aim_intercept(&c.motion, &c.motion, 9, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_aim_intercept(&c.motion, &c.motion, 9, &no_z, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_aim_intercept(&no_before, &c.motion, 9, &c.aims, &error), THRONG_ERROR_NULL_ARGUMENT,
                &error);
  require_error(throng_tiles_aim_intercept(&c.motion, &two, 9, &c.aims, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_aim_intercept(&c.motion, &c.motion, 9, &fewer, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_aim_intercept(&c.motion, &far, 9, &c.aims, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  assert_non_null(strstr(error.text, "target before 2 is (0, 268435457)"));
  require_error(throng_tiles_aim_flock(NULL, &good, scratch, &c.aims, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_aim_flock(&c.motion, NULL, scratch, &c.aims, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_aim_flock(&c.motion, &good, NULL, &c.aims, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_aim_flock(&c.motion, &good, scratch, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_tiles_aim_flock(&c.motion, &good, scratch, &fewer, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_tiles_aim_flock(&far, &good, scratch, &c.aims, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  const throng_tile_flock bad[] = {{0, 0, 1, 1, 1},    {33, 0, 1, 1, 1},   {4, 5, 1, 1, 1},
                                   {4, 1, 1001, 1, 1}, {4, 1, 1, 1001, 1}, {4, 1, 1, 1, 1001}};
  for (int k = 0; k < 6; k++)
    require_error(throng_tiles_aim_flock(&c.motion, &bad[k], scratch, &c.aims, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "flock.alignment is 1001, allowed: 0 to 1000"));
  int32_t sevens;
  memset(&sevens, 7, sizeof sevens);
  for (int k = 0; k < 3; k++) assert_true(c.aim_x[k] == sevens && c.aim_z[k] == sevens);
  const throng_tiles nothing = {NULL, NULL, 0};
  require_ok(throng_tiles_aim_flock(&nobody, &good, NULL, &nothing, &error), &error);
  require_ok(throng_tiles_aim_intercept(&nobody, &nobody, 9, &nothing, &error), &error);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intercepts_are_the_formula),
      cmocka_unit_test(an_intercept_meets_what_a_chase_never_reaches),
      cmocka_unit_test(flocks_are_the_formula),
      cmocka_unit_test(agents_become_a_flock),
      cmocka_unit_test(a_lone_agent_keeps_its_heading),
      cmocka_unit_test(agents_leave_a_common_tile),
      cmocka_unit_test(aims_are_checked),
  };
  base_seed = test_seed("tile aims", 2000);
  return cmocka_run_group_tests_name("tile aims", tests, NULL, NULL);
}
