/* test_reciprocal_spatial.c: tests of reciprocal avoidance in spatial worlds: half-spaces of pairs, pairs that pass,
 * agents that change places on a sphere, scenery, and that only the state determines the bits.
 * SPDX-License-Identifier: MIT */
#include "support/fingerprint.h"
#include "support/groups.h"
#include "support/random.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define RATE 60.0f
#define PAIRS 1000u
#define BALLS 250u /* agents on the sphere */

static throng_world_def wide_world(void) {
  throng_world_def def = throng_default_world_def();
  def.space = THRONG_SPACE_SPATIAL;
  def.perception_radius = 5.0f;
  return def;
}

/* A group that flies to its goals. */
static throng_group_def flying_group(void) {
  throng_group_def g = stage_avoiding_group();
  g.max_acceleration = 4.0f;
  throng_arrive *arrive = &group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f)->arrive;
  arrive->slow_radius = 1.0f;
  arrive->target_radius = 0.05f;
  arrive->time_to_target = 0.5f;
  return g;
}

static throng_vec3 random_point(test_rng *rng, float most) {
  const float x = rng_float(rng, -most, most), y = rng_float(rng, -most, most);
  return (throng_vec3){x, y, rng_float(rng, -most, most)};
}

/* Returns the velocity of the first agent after a frame. */
static throng_vec3 next_velocity(const throng_world_def *def, const throng_group_def *g, uint32_t count,
                                 const throng_vec3 *positions, const throng_vec3 *velocities) {
  throng_agent_id ids[256];
  assert_true(count <= 256);
  throng_world *world = stage_world(def, g);
  stage_add(world, count, positions, velocities, NULL, ids);
  stage_step(world, 1.0f / RATE);
  const throng_vec3 v = stage_read(world, THRONG_COLUMN_VELOCITY, ids[0]);
  throng_world_destroy(world);
  return v;
}

static throng_vec3 next_of_pair(const throng_group_def *g, throng_vec3 p, throng_vec3 q, throng_vec3 v, throng_vec3 w) {
  const throng_world_def def = wide_world();
  return next_velocity(&def, g, 2, (const throng_vec3[]){p, q}, (const throng_vec3[]){v, w});
}

static void require_velocity(throng_vec3 v, double x, double y, double z) {
  if (hypot(hypot((double)v.x - x, (double)v.y - y), (double)v.z - z) < 3e-5) return;
  print_error("velocity (%.7f, %.7f, %.7f), expected (%.7f, %.7f, %.7f)\n", (double)v.x, (double)v.y, (double)v.z, x, y,
              z);
  fail();
}

/* The velocity on the border of a neighbour's half-space that is nearest to v, in double. The set of relative
 * velocities that collide within the horizon is the union of the balls around d / t with radius b / t, for times t up
 * to the horizon. u leaves it by the shortest way, which a search over t finds. Returns false if u is not in it. */
static bool exact_velocity(const double d[3], const double u[3], const double v[3], double b, double horizon,
                           double out[3]) {
  double length_sq = 0.0, best = -INFINITY, low = 1.0 / horizon, high = 1e3;
  for (int k = 0; k < 3; k++) length_sq += d[k] * d[k];
  if (length_sq <= b * b) low = high = (double)RATE;
  /* depth(h) = b h - |u - d h| is concave: its greatest value is where u is deepest */
  double h = low;
  for (int round = 0; round < 200; round++) {
    const double third = (high - low) / 3.0, at[2] = {low + third, high - third};
    double depth[2];
    for (int k = 0; k < 2; k++) {
      double w = 0.0;
      for (int c = 0; c < 3; c++) w += (u[c] - d[c] * at[k]) * (u[c] - d[c] * at[k]);
      depth[k] = b * at[k] - sqrt(w);
    }
    if (depth[0] < depth[1])
      low = at[0];
    else
      high = at[1];
    h = 0.5 * (low + high);
    best = depth[0] > depth[1] ? depth[0] : depth[1];
  }
  double w = 0.0;
  for (int c = 0; c < 3; c++) w += (u[c] - d[c] * h) * (u[c] - d[c] * h);
  for (int c = 0; c < 3; c++) out[c] = v[c] + 0.5 * best * (u[c] - d[c] * h) / sqrt(w);
  return best > 0.0;
}

static void half_spaces_of_pairs(void **state) {
  (void)state;
  const throng_group_def g = stage_avoiding_group();
  test_rng rng = rng_from(test_seed("test_reciprocal_spatial", 2011));
  uint32_t changed = 0, touching = 0;
  for (uint32_t k = 0; k < PAIRS; k++) {
    const throng_vec3 p = {1, 3, -2}, off = random_point(&rng, k % 4 == 0 ? 0.3f : 1.5f);
    const throng_vec3 q = {p.x + off.x, p.y + off.y, p.z + off.z}, v = random_point(&rng, 1.1f),
                      w = random_point(&rng, 1.1f);
    if (stage_length(v) < 0.2) continue; /* it would turn aside */
    const double d[3] = {(double)q.x - (double)p.x, (double)q.y - (double)p.y, (double)q.z - (double)p.z};
    const double u[3] = {(double)v.x - (double)w.x, (double)v.y - (double)w.y, (double)v.z - (double)w.z};
    double out[3];
    const bool changes = exact_velocity(d, u, (const double[]){(double)v.x, (double)v.y, (double)v.z}, 0.4, 2.0, out);
    if (changes && hypot(hypot(out[0], out[1]), out[2]) > 1.99) continue; /* at the border of the ball */
    const throng_vec3 got = next_of_pair(&g, p, q, v, w);
    if (changes)
      require_velocity(got, out[0], out[1], out[2]);
    else
      assert_memory_equal(&got, &v, sizeof v);
    changed += changes;
    touching += changes && stage_distance(p, q) < 0.4;
  }
  print_message("%u of %u changed, %u of them touch\n", changed, PAIRS, touching);
  assert_true(changed > PAIRS / 20 && touching > PAIRS / 40);
}

/* Agents that meet head-on take opposite sides: on level ways their right, on steep ways one at right angles to x. */
static void special_pairs(void **state) {
  (void)state;
  throng_group_def g = stage_avoiding_group();
  const throng_vec3 here = {0, 0, 0}, still = {0, 0, 0}, right = {1, 0, 0}, left = {-1, 0, 0}, up = {0, 1, 0},
                    down = {0, -1, 0};
  require_velocity(next_of_pair(&g, here, (throng_vec3){4, 0, 0}, right, left), 0.99, 0, -0.1 * sqrt(0.99));
  require_velocity(next_of_pair(&g, (throng_vec3){4, 0, 0}, here, left, right), -0.99, 0, 0.1 * sqrt(0.99));
  require_velocity(next_of_pair(&g, here, (throng_vec3){0, 4, 0}, up, down), 0, 0.99, 0.1 * sqrt(0.99));
  require_velocity(next_of_pair(&g, (throng_vec3){0, 4, 0}, here, down, up), 0, -0.99, -0.1 * sqrt(0.99));
  require_velocity(next_of_pair(&g, here, (throng_vec3){0, 1, 0}, right, right), 1, 0, 0);
  require_velocity(next_of_pair(&g, here, (throng_vec3){4, 0, 0}, right, (throng_vec3){1.5f, 0, 0}), 1, 0, 0);
  require_velocity(next_of_pair(&g, here, (throng_vec3){4, 0, 0}, still, still), 0, 0, 0);
  /* Bodies that just touch stay; with contact they need not part in one frame. */
  const throng_vec3 inside = {0, 0.3f, 0};
  require_velocity(next_of_pair(&g, here, (throng_vec3){0, 0.4f, 0}, still, still), 0, 0, 0);
  g.max_acceleration = 40.0f; /* of which it may use twice as much: 1.333 m/s in a frame */
  require_velocity(next_of_pair(&g, here, inside, still, still), 0, -80.0 / 60.0, 0);
  g.max_acceleration = 1e4f;
  g.contact = 1.0f;
  require_velocity(next_of_pair(&g, here, inside, still, still), 0, -0.025, 0);
}

/* A neighbour counts, too, where the relative velocity is so near to the axis of its cone that 64^2 m^2 divided by the
 * square of the difference, 2^-118 m^2/s^2, is no finite float. */
static void short_differences_count(void **state) {
  (void)state;
  throng_world_def def = wide_world();
  throng_group_def g = stage_avoiding_group();
  def.perception_radius = 100.0f;
  g.avoidance.horizon = 64.0f;
  const throng_vec3 p[2] = {{0, 0, 0}, {64, 0, 0}}, v[2] = {{0.5f, 0x1p-59f, 0}, {-0.5f, 0, 0}};
  /* The cone's side at right angles to x, to the right: half of 0.4 m in 64 s. */
  require_velocity(next_velocity(&def, &g, 2, p, v), 0.5, 0, -0.5 * 0.4 / 64.0);
}

/* Coincident agents part in opposite directions. */
static void coincident_agents_part(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  const throng_group_def g = stage_avoiding_group();
  const throng_vec3 here[2] = {{3, 1, 3}, {3, 1, 3}};
  throng_agent_id ids[2];
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 2, here, NULL, NULL, ids);
  stage_step(world, 1.0f / RATE);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_VELOCITY, ids[0]),
                    b = stage_read(world, THRONG_COLUMN_VELOCITY, ids[1]);
  assert_true(a.x == -b.x && a.y == -b.y && a.z == -b.z && a.y != 0.0f && stage_length(a) > 1.9);
  throng_world_destroy(world);
}

/* Heaps of agents at one point come apart, and no velocity is beyond the limit or not a number. */
static void heaps_part(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  const throng_group_def g = stage_avoiding_group();
  for (uint32_t count = 3; count <= 40; count++) {
    throng_vec3 p[40];
    throng_agent_id ids[40];
    throng_world *world = stage_world(&def, &g);
    throng_error error;
    for (uint32_t k = 0; k < count; k++) p[k] = (throng_vec3){3, 1, 3};
    stage_add(world, count, p, NULL, NULL, ids);
    for (int frame = 0; frame < 120; frame++) {
      stage_step(world, 1.0f / RATE);
      require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, ids, count, p, 0, &error), &error);
      for (uint32_t k = 0; k < count; k++) assert_true(stage_length(p[k]) < 2.0 + 1e-5);
    }
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, ids, count, p, 0, &error), &error);
    double nearest = INFINITY;
    for (uint32_t k = 0; k < count; k++)
      for (uint32_t j = 0; j < k; j++) nearest = fmin(nearest, stage_distance(p[j], p[k]));
    if (nearest < 0.4 - 1e-3) print_error("%u agents: nearest %.5f m of 0.4 m\n", count, nearest);
    assert_true(nearest >= 0.4 - 1e-3);
    throng_world_destroy(world);
  }
}

/* In one horizontal plane, a spatial world gives the velocities of a planar one. */
static void level_crowds_are_planar(void **state) {
  (void)state;
  throng_world_def planar = wide_world();
  const throng_world_def spatial = planar;
  planar.space = THRONG_SPACE_PLANAR;
  const throng_group_def g = stage_avoiding_group();
  test_rng rng = rng_from(test_seed("test_reciprocal_spatial", 2012));
  double worst = 0.0;
  uint32_t changed = 0, compared = 0;
  for (int k = 0; k < 300; k++) {
    throng_vec3 p[8] = {{0, 0, 0}}, v[8];
    for (int i = 0; i < 8; i++) {
      if (i) p[i] = (throng_vec3){rng_float(&rng, -3, 3), 0, rng_float(&rng, -3, 3)};
      v[i] = (throng_vec3){rng_float(&rng, -1.2f, 1.2f), 0, rng_float(&rng, -1.2f, 1.2f)};
    }
    const throng_vec3 a = next_velocity(&planar, &g, 8, p, v), b = next_velocity(&spatial, &g, 8, p, v);
    /* Where no velocity is allowed, or the plane leaves no way out, height helps. */
    if (fabsf(b.y) > 1e-4f) continue;
    const double error = stage_distance(a, b);
    if (error > worst) worst = error;
    compared++;
    changed += stage_distance(a, v[0]) > 1e-3;
  }
  print_message("%u of 300 are level, %u of them changed, worst difference %.1e m/s\n", compared, changed, worst);
  assert_true(worst < 1e-4 && compared > 200 && changed > 50);
}

/* Pairs that meet head-on, or almost, pass each other without touching. */
static void pairs_pass(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  throng_group_def g = flying_group();
  g.max_acceleration = 1e4f;
  static throng_vec3 position[2 * PAIRS], goal[2 * PAIRS];
  static throng_agent_id ids[2 * PAIRS];
  test_rng rng = rng_from(test_seed("test_reciprocal_spatial", 2013));
  for (uint32_t k = 0; k < PAIRS; k++) {
    throng_vec3 way = random_point(&rng, 1.0f);
    const throng_vec3 aside = random_point(&rng, k % 10 ? 0.2f : 0.0f);
    if (k % 50 == 0) way = (throng_vec3){0, 1, 0};
    const float s = 4.0f / ((float)stage_length(way) + 1e-3f);
    const throng_vec3 middle = {(float)(k % 10) * 30.0f, (float)(k / 10 % 10) * 30.0f, (float)(k / 100) * 30.0f};
    for (uint32_t side = 0; side < 2; side++) {
      const float t = side ? s : -s, off = side ? 1.0f : 0.0f;
      position[2 * k + side] = (throng_vec3){middle.x + way.x * t + aside.x * off, middle.y + way.y * t + aside.y * off,
                                             middle.z + way.z * t + aside.z * off};
      goal[2 * k + side] = (throng_vec3){middle.x - way.x * t, middle.y - way.y * t, middle.z - way.z * t};
    }
  }
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 2 * PAIRS, position, NULL, goal, ids);
  double nearest = INFINITY;
  for (int frame = 0; frame < 360; frame++) {
    stage_step(world, 1.0f / RATE);
    throng_error error;
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, ids, 2 * PAIRS, position, 0, &error), &error);
    for (uint32_t k = 0; k < PAIRS; k++) nearest = fmin(nearest, stage_distance(position[2 * k], position[2 * k + 1]));
  }
  print_message("nearest %.5f m of 0.4 m\n", nearest);
  assert_true(nearest >= 0.4 - 1e-3);
  for (uint32_t k = 0; k < PAIRS; k++) assert_true(stage_distance(position[2 * k], goal[2 * k]) < 1.5);
  throng_world_destroy(world);
}

/* Agents who stand face to face, also one above the other, pass each other. */
static void standing_pairs_pass(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  const throng_group_def g = flying_group();
  for (int upright = 0; upright < 2; upright++) {
    const float x = upright ? 0.0f : 1.0f, y = upright ? 1.0f : 0.0f;
    const throng_vec3 start[2] = {{0, 0, 0}, {0.42f * x, 0.42f * y, 0}},
                      goal[2] = {{30 * x, 30 * y, 0}, {-30 * x, -30 * y, 0}};
    throng_agent_id ids[2];
    throng_world *world = stage_world(&def, &g);
    stage_add(world, 2, start, NULL, goal, ids);
    for (int frame = 0; frame < 300; frame++) stage_step(world, 1.0f / RATE);
    const throng_vec3 one = stage_read(world, THRONG_COLUMN_POSITION, ids[0]);
    print_message("after 5 s at %.2f m\n", stage_length(one));
    assert_true(one.x * x + one.y * y > 2.0f);
    throng_world_destroy(world);
  }
}

/* Evenly spread places on a sphere (a spiral by the golden angle). */
static throng_vec3 place_on_sphere(uint32_t k, float radius) {
  const float y = 1.0f - 2.0f * ((float)k + 0.5f) / (float)BALLS, r = sqrtf(1.0f - y * y),
              angle = 2.3999632f * (float)k;
  return (throng_vec3){radius * r * cosf(angle), radius * y, radius * r * sinf(angle)};
}

/* 250 agents on a sphere fly to the opposite places. RVO2-3D (c8e6044) with the same radii, speed, horizon, neighbour
 * distance and time step, 10 neighbours and no limit of acceleration: all arrive, the last after 17.8 s, and the
 * deepest overlap is 19.7 mm; with 50 neighbours it is 7.3 mm. */
static void agents_change_places_on_a_sphere(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  const throng_group_def g = flying_group();
  static throng_vec3 position[BALLS], goal[BALLS];
  static throng_agent_id ids[BALLS];
  for (uint32_t k = 0; k < BALLS; k++) {
    position[k] = place_on_sphere(k, 15.0f);
    goal[k] = (throng_vec3){-position[k].x, -position[k].y, -position[k].z};
  }
  throng_world *world = stage_world(&def, &g);
  stage_add(world, BALLS, position, NULL, goal, ids);
  double nearest = INFINITY;
  uint32_t arrived = 0, frame = 0;
  for (; frame < 3600 && arrived < BALLS; frame++) {
    throng_error error;
    stage_step(world, 1.0f / RATE);
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, ids, BALLS, position, 0, &error), &error);
    arrived = 0;
    for (uint32_t k = 0; k < BALLS; k++) {
      arrived += stage_distance(position[k], goal[k]) < 0.8;
      for (uint32_t j = 0; j < k; j++) nearest = fmin(nearest, stage_distance(position[k], position[j]));
    }
  }
  print_message("%u arrived after %.1f s, deepest overlap %.4f m\n", arrived, (double)frame / (double)RATE,
                0.4 - nearest);
  assert_true(arrived == BALLS && frame < 25 * 60 && 0.4 - nearest < 0.0073);
  throng_world_destroy(world);
}

/* An agent in nobody's way moves as if the rule did not exist. */
static void free_agents_are_untouched(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  static throng_agent_id ids[300];
  static throng_vec3 position[300], goal[300];
  for (uint32_t k = 0; k < 300; k++) {
    position[k] = (throng_vec3){(float)(k % 10) * 3.0f, (float)(k / 10 % 6) * 3.1f, (float)(k / 60) * 3.2f};
    goal[k] = (throng_vec3){position[k].x + 40.0f, position[k].y + 20.0f, position[k].z - 10.0f};
  }
  throng_group_def g = flying_group();
  throng_world *with = stage_world(&def, &g);
  g.avoidance.weight = 0.0f;
  throng_world *without = stage_world(&def, &g);
  stage_add(with, 300, position, NULL, goal, ids);
  stage_add(without, 300, position, NULL, goal, ids);
  const uint64_t moves = THRONG_BIT(THRONG_COLUMN_POSITION) | THRONG_BIT(THRONG_COLUMN_VELOCITY);
  for (int frame = 0; frame < 60; frame++) {
    stage_step(with, 1.0f / RATE);
    stage_step(without, 1.0f / RATE);
    assert_true(throng_world_hash(with, moves) == throng_world_hash(without, moves));
  }
  throng_world_destroy(with);
  throng_world_destroy(without);
}

static throng_vec3 along(throng_vec3 p, throng_vec3 way, float s) {
  return (throng_vec3){p.x + way.x * s, p.y + way.y * s, p.z + way.z * s};
}

/* Of 151 neighbours one binds. The others are 1.2 m away or more, and move away: each has a half-space whose border the
 * agent's velocity is at least 0.3 m/s away from. These are more than the program has rows for. Wherever the neighbour
 * that binds is among them, it counts. */
static void all_neighbours_count(void **state) {
  (void)state;
  enum { OTHERS = 150, CASES = 100 };
  const throng_world_def def = wide_world();
  const throng_group_def g = stage_avoiding_group();
  const throng_vec3 here = {0, 0, 0};
  test_rng rng = rng_from(test_seed("test_reciprocal_spatial", 2016));
  throng_vec3 p[OTHERS + 2] = {here}, v[OTHERS + 2];
  for (int i = 0; i < CASES; i++) {
    throng_vec3 way = random_point(&rng, 1.0f);
    while (stage_length(way) < 0.1) way = random_point(&rng, 1.0f);
    v[0] = along(here, way, 1.0f / (float)stage_length(way));
    for (uint32_t k = 1; k <= OTHERS; k++) {
      do p[k] = random_point(&rng, 3.0f);
      while (stage_length(p[k]) < 1.2 || stage_length(p[k]) > 3.0);
      v[k] = along(v[0], p[k], 0.2f);
    }
    const throng_vec3 free = next_velocity(&def, &g, OTHERS + 1, p, v);
    assert_memory_equal(&free, &v[0], sizeof free);
    p[OTHERS + 1] = along(random_point(&rng, 0.1f), v[0], 2.0f);
    v[OTHERS + 1] = along(here, v[0], -1.0f);
    const throng_vec3 one = next_of_pair(&g, here, p[OTHERS + 1], v[0], v[OTHERS + 1]),
                      all = next_velocity(&def, &g, OTHERS + 2, p, v);
    assert_true(stage_distance(one, v[0]) > 0.03);
    assert_memory_equal(&one, &all, sizeof one);
  }
}

/* A dense crowd in a periodic box. The positions are multiples of 2^-10 m, whose differences are exact everywhere in
 * the box. */
#define CROWD 500u
static throng_world *crowd_of(throng_isa isa, uint32_t threads, float shift, throng_agent_id *ids) {
  throng_world_def def = wide_world();
  def.perception_radius = 3.0f;
  def.isa = isa;
  def.thread_count = threads;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_min = (throng_vec3){-8, -8, -8};
  def.box_max = (throng_vec3){8, 8, 8};
  static throng_vec3 position[CROWD], velocity[CROWD];
  throng_error error;
  throng_group_def g = stage_avoiding_group();
  g.max_acceleration = 8.0f;
  g.contact = 1.0f;
  test_rng rng = rng_from(test_seed("test_reciprocal_spatial", 2014));
  for (uint32_t k = 0; k < CROWD; k++) {
    float at[3];
    for (int c = 0; c < 3; c++) at[c] = fmodf((float)rng_below(&rng, 8192) * 0x1p-10f + shift, 16.0f) - 8.0f;
    position[k] = (throng_vec3){at[0], at[1], at[2]};
    velocity[k] = random_point(&rng, 1.0f);
  }
  throng_world *world = NULL;
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  stage_add(world, CROWD, position, velocity, NULL, ids);
  return world;
}

/* The agents that have more than 64 others within 3 m: more than a block has rows for. */
static uint32_t crowded_agents(const throng_world *world, const throng_agent_id *ids) {
  static throng_vec3 p[CROWD];
  throng_error error;
  uint32_t crowded = 0;
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, ids, CROWD, p, 0, &error), &error);
  for (uint32_t k = 0; k < CROWD; k++) {
    uint32_t others = 0;
    for (uint32_t j = 0; j < CROWD; j++) others += j != k && stage_distance(p[j], p[k]) < 3.0;
    crowded += others > 64;
  }
  return crowded;
}

/* Every instruction set and number of threads gives the same bits. */
static void bits_depend_on_the_state_alone(void **state) {
  (void)state;
  static throng_agent_id ids[CROWD];
  uint64_t expected = 0;
  for (int isa = THRONG_ISA_AUTO; isa < THRONG_ISA_COUNT; isa++) {
    if (!throng_isa_is_available((throng_isa)isa)) continue;
    for (uint32_t threads = 1; threads <= 3; threads++) {
      throng_world *world = crowd_of((throng_isa)isa, threads, 0.0f, ids);
      assert_true(crowded_agents(world, ids) > CROWD / 4);
      for (int frame = 0; frame < 60; frame++) stage_step(world, 1.0f / RATE);
      if (!expected) expected = fingerprint(world);
      assert_true(fingerprint(world) == expected);
      throng_world_destroy(world);
    }
  }
}

/* Agents at the seam are steered as in the middle of the box. */
static void seams_change_nothing(void **state) {
  (void)state;
  static throng_agent_id ids[CROWD], moved[CROWD];
  throng_world *middle = crowd_of(THRONG_ISA_AUTO, 1, 4.0f, ids), *seam = crowd_of(THRONG_ISA_AUTO, 1, 11.0f, moved);
  throng_error error;
  uint32_t steered = 0;
  require_ok(throng_world_steer(middle, 1.0f / RATE, &error), &error);
  require_ok(throng_world_steer(seam, 1.0f / RATE, &error), &error);
  for (uint32_t k = 0; k < CROWD; k++) {
    const throng_vec3 a = stage_read(middle, THRONG_COLUMN_ACCELERATION, ids[k]),
                      b = stage_read(seam, THRONG_COLUMN_ACCELERATION, moved[k]);
    assert_memory_equal(&a, &b, sizeof a);
    steered += stage_length(a) > 0.0;
  }
  assert_true(steered > CROWD / 4);
  throng_world_destroy(middle);
  throng_world_destroy(seam);
}

/* A world that was loaded from a snapshot in mid-run goes on with the same bits. */
static void snapshots_in_mid_run(void **state) {
  (void)state;
  static throng_agent_id ids[CROWD];
  throng_world *world = crowd_of(THRONG_ISA_AUTO, 1, 0.0f, ids);
  for (int frame = 0; frame < 30; frame++) stage_step(world, 1.0f / RATE);
  snapshot taken = snapshot_take(world);
  throng_world *loaded = snapshot_world(&taken, NULL);
  assert_true(fingerprint(world) == fingerprint(loaded));
  for (int frame = 0; frame < 60; frame++) {
    stage_step(world, 1.0f / RATE);
    stage_step(loaded, 1.0f / RATE);
    assert_true(fingerprint(world) == fingerprint(loaded));
  }
  throng_world_destroy(world);
  throng_world_destroy(loaded);
  snapshot_free(&taken);
}

/* An agent that flies into a ball, a box, a plane or a face stops where its body touches. */
static void scenery_stops_agents(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; kind++) {
    throng_world_def def = wide_world();
    throng_group_def g = flying_group();
    g.max_speed = 1.34f;
    if (kind == 3) {
      throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
      def.box_min = (throng_vec3){-10, -10, -10};
      def.box_max = (throng_vec3){10, 4, 10};
    }
    throng_world *world = stage_world(&def, &g);
    throng_error error;
    throng_scenery_def scenery = throng_default_scenery_def();
    const throng_vec3 centre = {0, 7, 0}, low = {-5, 4, -5}, high = {5, 8, 5}, at = {0, 4, 0}, down = {0, -1, 0};
    const float radius = 3.0f;
    scenery.obstacle_centre.data = &centre;
    scenery.obstacle_radius.data = &radius;
    scenery.obstacle_count = kind == 0;
    scenery.box_min.data = &low;
    scenery.box_max.data = &high;
    scenery.box_count = kind == 1;
    scenery.plane_point.data = &at;
    scenery.plane_normal.data = &down;
    scenery.plane_count = kind == 2;
    if (kind < 3) require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
    throng_agent_id id;
    const throng_vec3 start = {0, 0, 0}, goal = {0, kind == 3 ? 4.0f : 20.0f, 0};
    stage_add(world, 1, &start, NULL, &goal, &id);
    double nearest = INFINITY;
    for (int frame = 0; frame < 400; frame++) {
      stage_step(world, 1.0f / RATE);
      nearest = fmin(nearest, 4.0 - (double)stage_read(world, THRONG_COLUMN_POSITION, id).y);
    }
    print_message("kind %d: nearest %.5f m\n", kind, nearest);
    assert_true(nearest > 0.2 - 1e-4 && nearest < 0.21);
    throng_world_destroy(world);
  }
}

/* A crowd that flies into the corner of a box presses nobody into the faces, though no velocity satisfies all. */
static void corners_hold(void **state) {
  (void)state;
  throng_world_def def = wide_world();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_min = (throng_vec3){-6, -6, -6};
  def.box_max = (throng_vec3){4, 4, 4};
  throng_group_def g = flying_group();
  g.max_speed = 1.34f;
  g.max_acceleration = 1e4f; /* so that agents reach the velocities that they choose */
  throng_vec3 start[60], goal[60];
  throng_agent_id ids[60];
  test_rng rng = rng_from(test_seed("test_reciprocal_spatial", 2015));
  for (int k = 0; k < 60; k++) {
    start[k] = random_point(&rng, 3.0f);
    goal[k] = (throng_vec3){4, 4, 4};
  }
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 60, start, NULL, goal, ids);
  double nearest = INFINITY;
  for (int frame = 0; frame < 600; frame++) {
    stage_step(world, 1.0f / RATE);
    for (int k = 0; k < 60; k++) {
      const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, ids[k]);
      nearest = fmin(nearest, 4.0 - fmax((double)p.x, fmax((double)p.y, (double)p.z)));
    }
  }
  print_message("nearest to a face %.5f m of 0.2 m\n", nearest);
  assert_true(nearest > 0.2 - 1e-3);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(half_spaces_of_pairs),
      cmocka_unit_test(special_pairs),
      cmocka_unit_test(short_differences_count),
      cmocka_unit_test(coincident_agents_part),
      cmocka_unit_test(heaps_part),
      cmocka_unit_test(level_crowds_are_planar),
      cmocka_unit_test(pairs_pass),
      cmocka_unit_test(standing_pairs_pass),
      cmocka_unit_test(agents_change_places_on_a_sphere),
      cmocka_unit_test(free_agents_are_untouched),
      cmocka_unit_test(all_neighbours_count),
      cmocka_unit_test(bits_depend_on_the_state_alone),
      cmocka_unit_test(seams_change_nothing),
      cmocka_unit_test(snapshots_in_mid_run),
      cmocka_unit_test(scenery_stops_agents),
      cmocka_unit_test(corners_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
