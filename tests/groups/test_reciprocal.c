/* test_reciprocal.c: tests of reciprocal avoidance: what is refused, half-planes of pairs, pairs that pass, and that
 * all neighbours count. SPDX-License-Identifier: MIT */
#include "support/fingerprint.h"
#include "support/groups.h"
#include "support/random.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define RATE 60.0f
#define PAIRS 1000u

static throng_world_def wide_world(void) {
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 5.0f;
  return def;
}

static void refuses(const throng_world_def *def, throng_group_def g, throng_status status, const char *text) {
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(def, &idle);
  throng_error error;
  assert_int_equal(throng_world_set_group(world, 0, &g, &error), status);
  assert_string_equal(error.text, text);
  g.avoidance.weight = 0.0f; /* then it is not checked */
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  throng_world_destroy(world);
}

static void what_is_refused(void **state) {
  (void)state;
  throng_world_def def = wide_world();
  throng_group_def g = stage_avoiding_group();
  g.max_speed = INFINITY;
  refuses(&def, g, THRONG_ERROR_BAD_VALUE,
          "group.max_speed is infinite, but avoidance.form, THRONG_AVOIDANCE_RECIPROCAL, needs a finite one");
  g = stage_avoiding_group();
  g.avoidance.radius = 5.5f;
  refuses(&def, g, THRONG_ERROR_BAD_VALUE, "group.avoidance.radius is 5.5, allowed: 0 to 5");
  def.space = THRONG_SPACE_SPATIAL;
  refuses(&def, g, THRONG_ERROR_BAD_VALUE, "group.avoidance.radius is 5.5, allowed: 0 to 5");
}

/* Returns the velocity of the first agent after a frame. */
static throng_vec3 next_velocity(const throng_group_def *g, uint32_t count, const throng_vec3 *positions,
                                 const throng_vec3 *velocities) {
  const throng_world_def def = wide_world();
  throng_agent_id ids[64];
  throng_world *world = stage_world(&def, g);
  stage_add(world, count, positions, velocities, NULL, ids);
  stage_step(world, 1.0f / RATE);
  const throng_vec3 v = stage_read(world, THRONG_COLUMN_VELOCITY, ids[0]);
  throng_world_destroy(world);
  return v;
}

static void require_velocity(throng_vec3 v, double x, double z) {
  if (hypot((double)v.x - x, (double)v.z - z) < 2e-5) return;
  print_error("velocity (%.7f, %.7f), expected (%.7f, %.7f)\n", (double)v.x, (double)v.z, x, z);
  fail();
}

/* The half-plane of a neighbour, in double and by angles (van den Berg and others, section 4), and the velocity on its
 * line that is nearest to v. Returns false if v is in it. */
static bool exact_velocity(const throng_vec3 p[2], const throng_vec3 v[2], double b, double horizon, double out[2]) {
  const double dx = (double)p[1].x - (double)p[0].x, dz = (double)p[1].z - (double)p[0].z, d = hypot(dx, dz);
  const double ux = (double)v[0].x - (double)v[1].x, uz = (double)v[0].z - (double)v[1].z;
  const double h = d > b ? 1.0 / horizon : (double)RATE, wx = ux - dx * h, wz = uz - dz * h, w = hypot(wx, wz);
  double nx = wx / w, nz = wz / w, change = b * h - w;
  if (d > b && -(wx * dx + wz * dz) <= w * b) { /* a leg of the cone */
    const double side = dx * wz - dz * wx > 0.0 ? 1.0 : -1.0, angle = atan2(dz, dx) + side * asin(b / d);
    nx = -sin(angle) * side;
    nz = cos(angle) * side;
    change = -(ux * nx + uz * nz);
  }
  out[0] = (double)v[0].x + nx * 0.5 * change;
  out[1] = (double)v[0].z + nz * 0.5 * change;
  return change > 0.0;
}

static void half_planes_of_pairs(void **state) {
  (void)state;
  const throng_group_def g = stage_avoiding_group();
  test_rng rng = rng_from(test_seed("test_reciprocal", 2011));
  uint32_t changed = 0, touching = 0;
  for (uint32_t k = 0; k < PAIRS; k++) {
    const float reach = k % 4 == 0 ? 0.4f : 1.5f;
    const throng_vec3 p[2] = {{1, 0, -2}, {1 + rng_float(&rng, -reach, reach), 0, -2 + rng_float(&rng, -reach, reach)}};
    const throng_vec3 v[2] = {{rng_float(&rng, -1.3f, 1.3f), 0, rng_float(&rng, -1.3f, 1.3f)},
                              {rng_float(&rng, -1.3f, 1.3f), 0, rng_float(&rng, -1.3f, 1.3f)}};
    double expected[2];
    if (stage_length(v[0]) < 0.2) continue; /* it would turn aside */
    const throng_vec3 got = next_velocity(&g, 2, p, v);
    const bool changes = exact_velocity(p, v, 0.4, 2.0, expected) && stage_distance(p[0], p[1]) <= 5.0;
    const double speed = hypot(expected[0], expected[1]);
    if (changes && speed > 1.99) continue; /* at the border of the disc */
    require_velocity(got, changes ? expected[0] : (double)v[0].x, changes ? expected[1] : (double)v[0].z);
    changed += changes;
    touching += changes && stage_distance(p[0], p[1]) < 0.4;
  }
  print_message("%u of %u changed, %u of them touch\n", changed, PAIRS, touching);
  assert_true(changed > PAIRS / 10 && touching > PAIRS / 20);
}

static void special_pairs(void **state) {
  (void)state;
  throng_group_def g = stage_avoiding_group();
  /* The relative velocity is in the middle of the circle: a leg counts, that of the right hand. */
  const throng_vec3 head_on[] = {{0, 0, 0}, {4, 0, 0}}, meeting[] = {{1, 0, 0}, {-1, 0, 0}},
                    still[] = {{0, 0, 0}, {0, 0, 0}};
  require_velocity(next_velocity(&g, 2, head_on, meeting), 0.99, -0.1 * sqrt(0.99));
  const throng_vec3 abreast[] = {{0, 0, 0}, {0, 0, 1}}, same[] = {{1, 0, 0}, {1, 0, 0}},
                    faster[] = {{1, 0, 0}, {1.5f, 0, 0}};
  require_velocity(next_velocity(&g, 2, abreast, same), 1, 0);
  require_velocity(next_velocity(&g, 2, head_on, faster), 1, 0);
  require_velocity(next_velocity(&g, 2, head_on, still), 0, 0);
  /* Bodies that just touch stay; with contact they need not part in one frame. */
  const throng_vec3 touching[] = {{0, 0, 0}, {0.4f, 0, 0}}, inside[] = {{0, 0, 0}, {0.3f, 0, 0}};
  require_velocity(next_velocity(&g, 2, touching, still), 0, 0);
  g.max_acceleration = 40.0f; /* of which it may use twice as much: 1.333 m/s in a frame */
  require_velocity(next_velocity(&g, 2, inside, still), -80.0 / 60.0, 0);
  g.max_acceleration = 1e4f;
  require_velocity(next_velocity(&g, 2, inside, still), -2, 0);
  g.contact = 1.0f;
  require_velocity(next_velocity(&g, 2, inside, still), -0.025, 0);
}

/* Coincident agents part in opposite directions. */
static void coincident_agents_part(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  const throng_group_def g = stage_avoiding_group();
  const throng_vec3 here[2] = {{3, 0, 3}, {3, 0, 3}};
  throng_agent_id ids[2];
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 2, here, NULL, NULL, ids);
  stage_step(world, 1.0f / RATE);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_VELOCITY, ids[0]),
                    b = stage_read(world, THRONG_COLUMN_VELOCITY, ids[1]);
  assert_true(a.x == -b.x && a.z == -b.z && stage_length(a) > 1.9);
  throng_world_destroy(world);
}

/* Pairs that meet head-on, or almost, pass each other without touching. */
static void pairs_pass(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  throng_group_def g = stage_avoiding_group();
  g.avoidance.alike = 0.5f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.5f;
  static throng_vec3 position[2 * PAIRS], goal[2 * PAIRS];
  static throng_agent_id ids[2 * PAIRS];
  test_rng rng = rng_from(test_seed("test_reciprocal", 2012));
  for (uint32_t k = 0; k < PAIRS; k++) {
    const float angle = rng_float(&rng, -3.1f, 3.1f), c = cosf(angle), s = sinf(angle),
                aside = rng_float(&rng, -0.3f, 0.3f);
    const throng_vec3 middle = {(float)(k % 40) * 30.0f, 0, (float)(k / 40) * 30.0f};
    for (int side = 0; side < 2; side++) {
      const float way = side ? 4.0f : -4.0f, off = side ? aside : 0.0f;
      position[2 * k + (uint32_t)side] = (throng_vec3){middle.x + c * way - s * off, 0, middle.z + s * way + c * off};
      goal[2 * k + (uint32_t)side] = (throng_vec3){middle.x - c * way * 2, 0, middle.z - s * way * 2};
    }
  }
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 2 * PAIRS, position, NULL, goal, ids);
  double nearest = INFINITY;
  for (int frame = 0; frame < 420; frame++) {
    stage_step(world, 1.0f / RATE);
    throng_error error;
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, ids, 2 * PAIRS, position, 0, &error), &error);
    for (uint32_t k = 0; k < PAIRS; k++) {
      const double d = stage_distance(position[2 * k], position[2 * k + 1]);
      if (d < nearest) nearest = d;
    }
  }
  print_message("nearest %.5f m of 0.4 m\n", nearest);
  assert_true(nearest >= 0.4 - 1e-3);
  for (uint32_t k = 0; k < PAIRS; k++) assert_true(stage_distance(position[2 * k], goal[2 * k]) < 1.5);
  throng_world_destroy(world);
}

/* Agents who stand face to face walk round each other. */
static void standing_pairs_pass(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  throng_group_def g = stage_avoiding_group();
  g.max_speed = 1.34f;
  g.max_acceleration = 4.0f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.5f;
  const throng_vec3 start[2] = {{0, 0, 0}, {0.42f, 0, 0}}, goal[2] = {{30, 0, 0}, {-30, 0, 0}};
  throng_agent_id ids[2];
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 2, start, NULL, goal, ids);
  for (int frame = 0; frame < 300; frame++) stage_step(world, 1.0f / RATE);
  const throng_vec3 one = stage_read(world, THRONG_COLUMN_POSITION, ids[0]);
  print_message("after 5 s at %.2f m\n", (double)one.x);
  assert_true(one.x > 2.0f);
  throng_world_destroy(world);
}

/* The last of 60 neighbours binds, and the others do not. */
static void all_neighbours_count(void **state) {
  (void)state;
  const throng_group_def g = stage_avoiding_group();
  throng_vec3 p[62] = {{0, 0, 0}}, v[62] = {{1, 0, 0}};
  for (int k = 1; k <= 60; k++) { /* they walk abreast, below and behind */
    p[k] = (throng_vec3){-0.5f - 0.5f * (float)(k % 6), 0, -3.0f + 0.3f * (float)(k / 6)};
    v[k] = (throng_vec3){-0.5f, 0, -0.5f};
  }
  require_velocity(next_velocity(&g, 61, p, v), 1, 0);
  p[61] = (throng_vec3){2, 0, 0.1f}; /* in the last bin of the last row that has agents */
  v[61] = (throng_vec3){-1, 0, 0};
  const throng_vec3 alone[2] = {p[0], p[61]}, meeting[2] = {v[0], v[61]};
  const throng_vec3 one = next_velocity(&g, 2, alone, meeting), all = next_velocity(&g, 62, p, v);
  assert_true(fabsf(one.z) > 0.05f);
  assert_true(one.x == all.x && one.z == all.z);
}

/* An agent avoids bodies close behind it, which its field of view does not have, but not those farther away. */
static void near_bodies_count_on_every_side(void **state) {
  (void)state;
  throng_group_def all = stage_avoiding_group(), ahead = all;
  ahead.field_of_view = 1.5f;
  const throng_vec3 v[2] = {{0.5f, 0, 0}, {1.5f, 0, 0.1f}};
  for (int far = 0; far < 2; far++) {
    const throng_vec3 p[2] = {{0, 0, 0}, {far ? -0.85f : -0.75f, 0, 0}}; /* 0.8 m is twice the sum of the radii */
    const throng_vec3 wide = next_velocity(&all, 2, p, v), narrow = next_velocity(&ahead, 2, p, v);
    assert_true(stage_distance(wide, v[0]) > 0.01);
    assert_true(far ? narrow.x == v[0].x && narrow.z == v[0].z : narrow.x == wide.x && narrow.z == wide.z);
  }
}

/* A crowd of two streams. */
static throng_world *streams(throng_group_def g, uint32_t count, throng_agent_id *ids, throng_vec3 *goals) {
  const throng_world_def def = wide_world();
  static throng_vec3 position[400];
  test_rng rng = rng_from(test_seed("test_reciprocal", 2013));
  for (uint32_t k = 0; k < count; k++) {
    position[k] = (throng_vec3){rng_float(&rng, -7, 7), 0, rng_float(&rng, -7, 7)};
    goals[k] = (throng_vec3){k % 2 ? 40.0f : -40.0f, 0, position[k].z};
  }
  throng_world *world = stage_world(&def, &g);
  stage_add(world, count, position, NULL, goals, ids);
  return world;
}

static throng_group_def walking_group(void) {
  throng_group_def g = stage_avoiding_group();
  g.max_speed = 1.34f;
  g.max_acceleration = 4.0f;
  g.contact = 1.0f;
  g.avoidance.radius = 1.5f;
  g.avoidance.alike = 0.5f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.5f;
  return g;
}

static void same_state_of(const throng_world *a, const throng_world *b, uint64_t columns) {
  assert_true(throng_world_hash(a, columns) == throng_world_hash(b, columns));
}
static void same_state(const throng_world *a, const throng_world *b) { assert_true(fingerprint(a) == fingerprint(b)); }

/* An agent in nobody's way moves as if the rule did not exist. */
static void free_agents_are_untouched(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  static throng_agent_id ids[300];
  static throng_vec3 position[300], goal[300];
  for (uint32_t k = 0; k < 300; k++) {
    position[k] = (throng_vec3){(float)(k % 20) * 3.0f, 0, (float)(k / 20) * 3.1f};
    goal[k] = (throng_vec3){position[k].x + 40.0f, 0, position[k].z - 10.0f};
  }
  throng_group_def g = walking_group();
  g.avoidance.alike = 2.0f;
  throng_world *with = stage_world(&def, &g);
  g.avoidance.weight = 0.0f;
  throng_world *without = stage_world(&def, &g);
  stage_add(with, 300, position, NULL, goal, ids);
  stage_add(without, 300, position, NULL, goal, ids);
  for (int frame = 0; frame < 60; frame++) {
    stage_step(with, 1.0f / RATE);
    stage_step(without, 1.0f / RATE);
    same_state_of(with, without, THRONG_BIT(THRONG_COLUMN_POSITION) | THRONG_BIT(THRONG_COLUMN_VELOCITY));
  }
  throng_world_destroy(with);
  throng_world_destroy(without);
}

/* The filter acts in every frame, whatever the period. */
static void periods_change_nothing(void **state) {
  (void)state;
  static throng_agent_id ids[400];
  static throng_vec3 goals[400];
  throng_group_def g = walking_group();
  throng_world *always = streams(g, 300, ids, goals);
  g.steer_period = 8;
  throng_world *seldom = streams(g, 300, ids, goals);
  for (int frame = 0; frame < 60; frame++) {
    stage_step(always, 1.0f / RATE);
    stage_step(seldom, 1.0f / RATE);
    for (uint32_t k = 0; k < 300; k++) {
      const throng_vec3 p = stage_read(always, THRONG_COLUMN_VELOCITY, ids[k]),
                        q = stage_read(seldom, THRONG_COLUMN_VELOCITY, ids[k]);
      assert_memory_equal(&p, &q, sizeof p);
    }
  }
  throng_world_destroy(always);
  throng_world_destroy(seldom);
}

/* A world that was loaded from a snapshot in mid-run goes on with the same bits. */
static void snapshots_in_mid_run(void **state) {
  (void)state;
  static throng_agent_id ids[400];
  static throng_vec3 goals[400];
  throng_world *world = streams(walking_group(), 300, ids, goals);
  for (int frame = 0; frame < 30; frame++) stage_step(world, 1.0f / RATE);
  snapshot taken = snapshot_take(world);
  throng_world *loaded = snapshot_world(&taken, NULL);
  same_state(world, loaded);
  for (int frame = 0; frame < 60; frame++) {
    stage_step(world, 1.0f / RATE);
    stage_step(loaded, 1.0f / RATE);
    same_state(world, loaded);
  }
  throng_world_destroy(world);
  throng_world_destroy(loaded);
  snapshot_free(&taken);
}

/* Sets walls from a[k] to b[k]. */
static void set_walls(throng_world *world, uint32_t count, const throng_vec3 *a, const throng_vec3 *b) {
  throng_scenery_def def = throng_default_scenery_def();
  throng_error error;
  def.wall_from.data = a;
  def.wall_to.data = b;
  def.wall_count = count;
  require_ok(throng_world_set_scenery(world, &def, &error), &error);
}

/* An agent that walks into a wall, a blocked cell or a face stops where its body touches. */
static void walls_stop_agents(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++) {
    throng_world_def def = wide_world();
    const throng_group_def g = walking_group();
    if (kind == 2) {
      throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
      def.box_min = (throng_vec3){-10, 0, -10};
      def.box_max = (throng_vec3){4, 0, 10};
    }
    throng_world *world = stage_world(&def, &g);
    throng_error error;
    const throng_vec3 from = {4, 0, -5}, to = {4, 0, 5}, start = {0, 0, 0}, goal = {20, 0, 0};
    if (kind == 0) set_walls(world, 1, &from, &to);
    if (kind == 1) {
      const uint8_t blocked[4] = {0, 1, 0, 1};
      throng_cells_def cells = throng_default_cells_def();
      cells.width = cells.height = 2;
      cells.cell = 8.0f;
      cells.origin = (throng_vec3){-4, 0, -8};
      cells.blocked = blocked;
      require_ok(throng_world_set_cells(world, &cells, &error), &error);
    }
    throng_agent_id id;
    stage_add(world, 1, &start, NULL, kind == 2 ? &from : &goal, &id);
    double nearest = INFINITY;
    for (int frame = 0; frame < 400; frame++) {
      stage_step(world, 1.0f / RATE);
      const double gap = 4.0 - (double)stage_read(world, THRONG_COLUMN_POSITION, id).x;
      nearest = gap < nearest ? gap : nearest;
    }
    print_message("kind %d: nearest %.5f m\n", kind, nearest);
    assert_true(nearest > 0.2 - 1e-4 && nearest < 0.21);
    throng_world_destroy(world);
  }
}

/* An agent that walks into an inner corner of blocked cells stops where its body touches both walls, whatever the angle
 * and the side. */
static void inner_corners_stop_agents(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  const throng_group_def g = walking_group();
  const throng_vec3 start = {0, 0, 0};
  for (int turn = 0; turn < 4; turn++) {
    for (float slope = 0.5f; slope <= 2.0f; slope *= 2.0f) {
      const float x = turn & 1 ? -1.0f : 1.0f, z = turn & 2 ? -1.0f : 1.0f;
      uint8_t blocked[256] = {0}; /* cells of 0.5 m; free: those less than 3 m from 0 on both axes */
      for (int k = 0; k < 256; k++) blocked[k] = k % 16 < 2 || k % 16 > 13 || k / 16 < 2 || k / 16 > 13;
      throng_cells_def cells = throng_default_cells_def();
      throng_error error;
      throng_agent_id id;
      cells.width = cells.height = 16;
      cells.cell = 0.5f;
      cells.origin = (throng_vec3){-4, 0, -4};
      cells.blocked = blocked;
      throng_world *world = stage_world(&def, &g);
      require_ok(throng_world_set_cells(world, &cells, &error), &error);
      const throng_vec3 goal = {20.0f * x, 0, 20.0f * slope * z};
      stage_add(world, 1, &start, NULL, &goal, &id);
      double nearest = INFINITY;
      for (int frame = 0; frame < 900; frame++) {
        stage_step(world, 1.0f / RATE);
        const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, id);
        nearest = fmin(nearest, 3.0 - fmax(fabs((double)p.x), fabs((double)p.z)));
      }
      const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, id);
      print_message("corner %d, slope %.1f: nearest %.5f m, ends at (%.4f, %.4f)\n", turn, (double)slope, nearest,
                    (double)p.x, (double)p.z);
      assert_true(nearest > 0.2 - 1e-4);
      assert_true(p.x * x > 2.7f && p.z * z > 2.7f);
      throng_world_destroy(world);
    }
  }
}

/* Returns the speed along x that steering wants of an agent at 0 that walks along x among walls. */
static float speed_among(uint32_t count, const throng_vec3 *from, const throng_vec3 *to, float speed, float dt) {
  const throng_world_def def = wide_world();
  const throng_group_def g = stage_avoiding_group();
  const throng_vec3 here = {0, 0, 0}, v = {speed, 0, 0};
  throng_agent_id id;
  throng_world *world = stage_world(&def, &g);
  set_walls(world, count, from, to);
  stage_add(world, 1, &here, &v, NULL, &id);
  throng_error error;
  require_ok(throng_world_steer(world, dt, &error), &error);
  const float wanted = speed + stage_read(world, THRONG_COLUMN_ACCELERATION, id).x * dt;
  throng_world_destroy(world);
  return wanted;
}

/* Of more than 16 surfaces within reach the nearest count. */
static void nearest_walls_count(void **state) {
  (void)state;
  throng_vec3 from[20], to[20];
  for (int k = 0; k < 20; k++) { /* short walls behind the agent */
    from[k] = (throng_vec3){-0.35f, 0, 0.01f * (float)(k - 10)};
    to[k] = (throng_vec3){-0.35f, 0, 0.01f * (float)(k - 9)};
  }
  from[19] = (throng_vec3){0.25f, 0, -1}; /* and one 5 cm before its body */
  to[19] = (throng_vec3){0.25f, 0, 1};
  assert_true(fabsf(speed_among(20, from, to, 1.0f, 1.0f / RATE) - 0.5f) < 1e-5f);
}

/* In frames longer than wall_horizon an agent wants to move up to a wall, and not through it. */
static void long_frames_end_at_walls(void **state) {
  (void)state;
  const throng_vec3 from = {0.5f, 0, -1}, to = {0.5f, 0, 1};
  assert_true(fabsf(speed_among(1, &from, &to, 2.0f, 0.25f) - 1.2f) < 1e-5f);
}

/* Returns a world in which an agent walks between two walls to an agent who stands there. */
static throng_world *barred_way(throng_agent_id ids[2]) {
  const throng_world_def def = wide_world();
  const throng_group_def walker = walking_group();
  throng_group_def idle = walker;
  idle.behaviour_count = 0;
  idle.avoidance.weight = 0.0f;
  const throng_vec3 from[2] = {{-5, 0, 0}, {-5, 0, 0.7f}}, to[2] = {{15, 0, 0}, {15, 0, 0.7f}};
  const throng_vec3 start[2] = {{0, 0, 0.35f}, {3, 0, 0.35f}}, goal[2] = {{12, 0, 0.35f}, {NAN, 0, 0}};
  const uint8_t group[2] = {0, 1};
  throng_world *world = stage_world(&def, &walker);
  throng_error error;
  require_ok(throng_world_set_group(world, 1, &idle, &error), &error);
  set_walls(world, 2, from, to);
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = start;
  agents.goal.data = goal;
  agents.group.data = group;
  require_ok(throng_agents_add(world, &agents, 2, ids, &error), &error);
  return world;
}

/* An agent whose way a body bars beside a wall is blocked, although avoidance, and not contact, makes it stand. So it
 * soon pushes on. Steering and integrating separately gives the same bits. */
static void standing_agents_are_blocked(void **state) {
  (void)state;
  throng_agent_id ids[2];
  throng_world *world = barred_way(ids), *halves = barred_way(ids);
  throng_error error;
  float longest = 0.0f;
  for (int frame = 0; frame < 600; frame++) {
    stage_step(world, 1.0f / RATE);
    require_ok(throng_world_steer(halves, 1.0f / RATE, &error), &error);
    require_ok(throng_world_integrate(halves, 1.0f / RATE, &error), &error);
    same_state(world, halves);
    const float blocked = stage_read(world, THRONG_COLUMN_BLOCKED_TIME, ids[0]).x;
    longest = blocked > longest ? blocked : longest;
  }
  const float pushed = stage_read(world, THRONG_COLUMN_POSITION, ids[1]).x - 3.0f;
  print_message("blocked for %.2f s, pushed the other by %.2f m\n", (double)longest, (double)pushed);
  assert_true(longest > 0.3f && pushed > 0.2f);
  throng_world_destroy(world);
  throng_world_destroy(halves);
}

/* An agent passes a door that is little wider than its body. */
static void narrow_doors_are_passed(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  const throng_group_def g = walking_group();
  const throng_vec3 from[2] = {{4, 0, -5}, {4, 0, 0.25f}}, to[2] = {{4, 0, -0.25f}, {4, 0, 5}};
  const throng_vec3 start = {0, 0, 0.1f}, goal = {9, 0, -0.1f};
  throng_agent_id id;
  throng_world *world = stage_world(&def, &g);
  set_walls(world, 2, from, to);
  stage_add(world, 1, &start, NULL, &goal, &id);
  for (int frame = 0; frame < 600; frame++) stage_step(world, 1.0f / RATE);
  assert_true(stage_read(world, THRONG_COLUMN_POSITION, id).x > 8.0f);
  throng_world_destroy(world);
}

/* A crowd that walks into a corner presses nobody into the walls, though no velocity satisfies all. */
static void corners_hold(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  throng_group_def g = walking_group();
  g.contact = 0.0f;
  g.avoidance.alike = 2.0f;
  const throng_vec3 from[2] = {{4, 0, -6}, {-6, 0, 4}}, to[2] = {{4, 0, 4}, {4, 0, 4}};
  throng_vec3 start[40], goal[40];
  throng_agent_id ids[40];
  test_rng rng = rng_from(test_seed("test_reciprocal", 2014));
  for (int k = 0; k < 40; k++) {
    start[k] = (throng_vec3){rng_float(&rng, -3, 3.5f), 0, rng_float(&rng, -3, 3.5f)};
    goal[k] = (throng_vec3){6, 0, 6};
  }
  throng_world *world = stage_world(&def, &g);
  set_walls(world, 2, from, to);
  stage_add(world, 40, start, NULL, goal, ids);
  double nearest = INFINITY;
  for (int frame = 0; frame < 600; frame++) {
    stage_step(world, 1.0f / RATE);
    for (int k = 0; k < 40; k++) {
      const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, ids[k]);
      const double gap = 4.0 - (double)(p.x > p.z ? p.x : p.z);
      nearest = gap < nearest ? gap : nearest;
    }
  }
  print_message("nearest to a wall %.5f m of 0.2 m\n", nearest);
  assert_true(nearest > 0.2 - 1e-3);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(half_planes_of_pairs),
      cmocka_unit_test(special_pairs),
      cmocka_unit_test(coincident_agents_part),
      cmocka_unit_test(pairs_pass),
      cmocka_unit_test(standing_pairs_pass),
      cmocka_unit_test(all_neighbours_count),
      cmocka_unit_test(near_bodies_count_on_every_side),
      cmocka_unit_test(free_agents_are_untouched),
      cmocka_unit_test(periods_change_nothing),
      cmocka_unit_test(snapshots_in_mid_run),
      cmocka_unit_test(walls_stop_agents),
      cmocka_unit_test(inner_corners_stop_agents),
      cmocka_unit_test(nearest_walls_count),
      cmocka_unit_test(long_frames_end_at_walls),
      cmocka_unit_test(standing_agents_are_blocked),
      cmocka_unit_test(narrow_doors_are_passed),
      cmocka_unit_test(corners_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
