/* tests/frame/test_contact.c: tests of solid bodies: what one push does, which agents are pushed, that walls stop
 * them, and that crowds pass one another and come to rest. test_reference_a compares the exact bits.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/random.h"
#include "support/stage.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979f
#define DT (1.0f / 60.0f)
#define MOST_AGENTS 1000u

static uint64_t base_seed;

static throng_group_def solid_group(float body) {
  throng_group_def g = stage_idle_group();
  g.body_radius = body;
  g.contact = 1.0f;
  return g;
}

/* A world definition with R = 4 m and one contact iteration per frame. */
static throng_world_def one_iteration(void) {
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 4.0f;
  def.contact_iterations = 1;
  return def;
}

/* Runs one frame with two agents, of groups 0 and 1. p and v: their positions and velocities, before and after. */
static void push_pair(const throng_world_def *def, const throng_group_def groups[2], throng_vec3 p[2], throng_vec3 v[2],
                      float dt) {
  throng_world *world = stage_world(def, &groups[0]);
  const uint8_t group[2] = {0, 1};
  throng_agents_def agents = throng_default_agents_def();
  throng_error error;
  require_ok(throng_world_set_group(world, 1, &groups[1], &error), &error);
  agents.position.data = p;
  agents.velocity.data = v;
  agents.group.data = group;
  require_ok(throng_agents_add(world, &agents, 2, NULL, &error), &error);
  stage_step(world, dt);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, 2, p, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, 2, v, 0, &error), &error);
  throng_world_destroy(world);
}

static void a_pair_parts_at_once(void **state) {
  (void)state;
  /* The bodies overlap by 0.5 m. mass and share: each group's mass and contact. left and right: x of both agents after
   * the frame. */
  static const struct {
    float mass[2], share[2], left, right;
  } cases[] = {{{80, 80}, {1, 1}, -0.25f, 0.75f},    {{60, 20}, {1, 1}, -0.125f, 0.875f},
               {{1, 1}, {1, 0.5f}, -0.125f, 0.625f}, {{1e9f, 1e-30f}, {1, 1}, -0.5f * (1e-30f / 1e9f), 1.0f},
               {{80, 80}, {1, 0}, 0.0f, 0.5f},       {{80, 80}, {0, 1}, 0.0f, 0.5f}};
  for (uint32_t space = 0; space < 2; space++)
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
      throng_world_def def = one_iteration();
      def.space = (throng_space)space;
      throng_group_def groups[2] = {solid_group(0.5f), solid_group(0.5f)};
      for (int i = 0; i < 2; i++) groups[i].mass = cases[k].mass[i], groups[i].contact = cases[k].share[i];
      throng_vec3 p[2] = {{0, 0, 0}, {0.5f, 0, 0}}, v[2] = {{0, 0, 0}, {0, 0, 0}};
      push_pair(&def, groups, p, v, DT);
      assert_true(p[0].x == cases[k].left && p[1].x == cases[k].right);
      assert_true(p[0].z == 0.0f && p[1].z == 0.0f && v[0].x == 0.0f && v[1].x == 0.0f);
    }
}

/* An agent loses the velocity that a push undoes: each is pushed back by 0.125 m in 0.25 s, so it loses 0.5 m/s. All
 * numbers are exact floats. */
static void velocities_lose_what_runs_against_the_push(void **state) {
  (void)state;
  const throng_world_def def = one_iteration();
  const throng_group_def groups[2] = {solid_group(0.5f), solid_group(0.5f)};
  throng_vec3 p[2] = {{0, 0, 0}, {1.25f, 0, 0}}, v[2] = {{1, 0, 0.5f}, {-1, 0, 0.5f}};
  push_pair(&def, groups, p, v, 0.25f);
  assert_true(p[0].x == 0.125f && p[1].x == 1.125f);
  assert_true(v[0].x == 0.5f && v[1].x == -0.5f && v[0].z == 0.5f && v[1].z == 0.5f); /* unchanged across */
  throng_vec3 q[2] = {{0, 0, 0}, {1.0f, 0, 0}}, w[2] = {{1, 0, 0}, {0, 0, 0}};
  push_pair(&def, groups, q, w, 0.25f);
  assert_true(w[0].x == 0.5f && w[1].x == 0.0f); /* a push from behind adds no speed */
  throng_vec3 r[2] = {{0, 0, 0}, {0.5f, 0, 0}}, slow[2] = {{0.125f, 0, 0}, {0, 0, 0}};
  push_pair(&def, groups, r, slow, 0.25f);
  assert_true(slow[0].x == 0.0f && slow[1].x == 0.0f); /* a push never reverses a velocity */
}

static void nothing_happens_where_it_must_not(void **state) {
  (void)state;
  const throng_world_def def = one_iteration();
  throng_group_def groups[2] = {solid_group(0.5f), solid_group(0.5f)};
  throng_vec3 p[2] = {{0, 0, 0}, {0.5f, 0, 0}}, v[2] = {{1, 0, 0}, {0, 0, 0}};
  push_pair(&def, groups, p, v, 0.0f); /* dt = 0 moves no agent */
  assert_true(p[0].x == 0.0f && p[1].x == 0.5f && v[0].x == 1.0f);
  throng_vec3 q[2] = {{0, 0, 0}, {1.0f, 0, 0}}, still[2] = {{0, 0, 0}, {0, 0, 0}};
  push_pair(&def, groups, q, still, DT); /* touching is no overlap */
  assert_true(q[0].x == 0.0f && q[1].x == 1.0f);
  throng_vec3 r[2] = {{0, 0, 0}, {0, 3.0f, 0.5f}}, rest[2] = {{0, 0, 0}, {0, 0, 0}};
  push_pair(&def, groups, r, rest, DT); /* in planar worlds y has no effect and is unchanged */
  assert_true(r[0].z == -0.25f && r[1].z == 0.75f && r[1].y == 3.0f);
  groups[0].body_radius = groups[1].body_radius = 0.0f;
  throng_vec3 s[2] = {{0, 0, 0}, {0, 0, 0}}, none[2] = {{0, 0, 0}, {0, 0, 0}};
  push_pair(&def, groups, s, none, DT); /* body radius 0 never overlaps */
  assert_true(s[0].x == 0.0f && s[1].x == 0.0f && s[0].z == 0.0f);
}

/* Agents farther apart than R at the beginning of a frame are not pushed before the next frame. */
static void who_was_out_of_reach_is_met_later(void **state) {
  (void)state;
  const throng_world_def def = one_iteration();
  const throng_group_def groups[2] = {solid_group(0.5f), solid_group(0.5f)};
  throng_vec3 p[2] = {{0, 0, 0}, {4.25f, 0, 0}}, v[2] = {{7.5f, 0, 0}, {-7.5f, 0, 0}};
  push_pair(&def, groups, p, v, 0.25f);
  assert_true(p[0].x == 1.875f && p[1].x == 2.375f && v[0].x == 7.5f);
  memset(v, 0, sizeof v);
  push_pair(&def, groups, p, v, 0.25f);
  assert_true(p[0].x == 1.625f && p[1].x == 2.625f);
}

static void across_the_seam(void **state) {
  (void)state;
  throng_world_def def = one_iteration();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_min = (throng_vec3){-8, -8, -8};
  def.box_max = (throng_vec3){8, 8, 8};
  const throng_group_def groups[2] = {solid_group(0.5f), solid_group(0.5f)};
  throng_vec3 p[2] = {{-7.875f, 0, 1}, {7.875f, 0, 1}}, v[2] = {{0, 0, 0}, {0, 0, 0}};
  push_pair(&def, groups, p, v, DT);
  assert_true(p[0].x == -7.5f && p[1].x == 7.5f && p[0].z == 1.0f);
  throng_vec3 q[2] = {{-7.875f, 0, 1}, {-7.625f, 0, 1}}, w[2] = {{0, 0, 0}, {0, 0, 0}};
  push_pair(&def, groups, q, w, DT); /* one is pushed round */
  assert_true(q[0].x == 7.75f && q[1].x == -7.25f);
}

/* Returns the largest overlap of any two agents, as a fraction of the sum of their radii. */
static float largest_overlap(const throng_vec3 *p, uint32_t count, float body, bool spatial) {
  const float sum = 2.0f * body;
  float nearest_sq = sum * sum;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < i; j++) {
      const float dx = p[i].x - p[j].x, dy = spatial ? p[i].y - p[j].y : 0.0f, dz = p[i].z - p[j].z;
      const float d2 = dx * dx + dy * dy + dz * dz;
      if (d2 < nearest_sq) nearest_sq = d2;
    }
  return (sum - sqrtf(nearest_sq)) / sum;
}

static void read_all(const throng_world *world, throng_column column, throng_vec3 *values, uint32_t count) {
  throng_error error;
  require_ok(throng_agents_read(world, column, NULL, count, values, 0, &error), &error);
}

static void coincident_agents_part(void **state) {
  (void)state;
  static const uint32_t counts[] = {2, 3, 10, MOST_AGENTS};
  static throng_vec3 p[MOST_AGENTS];
  for (uint32_t space = 0; space < 2; space++)
    for (uint32_t k = 0; k < 4; k++) {
      throng_world_def def = throng_default_world_def();
      def.space = (throng_space)space;
      const throng_group_def g = solid_group(0.25f);
      throng_world *world = stage_world(&def, &g);
      for (uint32_t i = 0; i < counts[k]; i++) p[i] = (throng_vec3){1.5f, 0.0f, -2.5f};
      stage_add(world, counts[k], p, NULL, NULL, NULL);
      uint32_t frames = 0;
      float overlap = 1.0f;
      while (overlap > 0.01f && frames++ < 1500) {
        stage_step(world, DT);
        if (frames > 10 && frames % 25 != 0) continue;
        read_all(world, THRONG_COLUMN_POSITION, p, counts[k]);
        for (uint32_t i = 0; i < counts[k]; i++) assert_true(isfinite(p[i].x) && isfinite(p[i].y) && isfinite(p[i].z));
        overlap = largest_overlap(p, counts[k], 0.25f, space);
      }
      print_message("%u at one point, %s: apart after %u frames\n", counts[k], space ? "spatial" : "planar", frames);
      assert_true(overlap <= 0.01f && frames <= (counts[k] == 2 ? 1u : 1500u));
      require_sound(world, "parted");
      throng_world_destroy(world);
    }
}

/* With body radius 0, a world with contact 1 and a world with contact 0 have the same bits. */
static void worlds_without_overlaps_are_as_they_were(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 6; k++) {
    const crowd_recipe recipe = {(throng_space)(k % 2), k / 2, LAYOUT_UNIFORM, 300, true, false};
    crowd *c = crowd_random(base_seed + k, &recipe);
    crowd_make_fluid(c);
    crowd_make_unsliced(c); /* a changed group is due */
    for (uint32_t i = 0; i < c->count; i++) c->agents[i].body = NAN;
    for (uint32_t g = 0; g < c->group_count; g++) c->groups[g].mass = 80.0f;
    throng_world *fluid = crowd_world(c, NULL);
    for (uint32_t g = 0; g < c->group_count; g++) {
      c->groups[g].contact = 1.0f;
      c->groups[g].body_radius = 0.0f;
      c->groups[g].own_bodies = false;
    }
    throng_group_def group;
    throng_error error;
    for (uint32_t g = 0; g < c->group_count; g++) {
      require_ok(throng_world_get_group(fluid, g, &group, &error), &error);
      group.body_radius = 0.0f;
      group.own_bodies = false;
      require_ok(throng_world_set_group(fluid, g, &group, &error), &error);
    }
    throng_world *solid = crowd_world(c, NULL);
    for (uint32_t frame = 0; frame < 5; frame++) {
      stage_step(fluid, 0.05f);
      stage_step(solid, 0.05f);
      assert_true(throng_world_hash(fluid, STATE_COLUMNS) == throng_world_hash(solid, STATE_COLUMNS));
    }
    throng_world_destroy(fluid);
    throng_world_destroy(solid);
    crowd_free(c);
  }
}

/* Walls. */

#define ROOMS 24u /* cells per side of the map */

/* Sets a map of rooms that are separated by walls one cell thick, without doors. */
static void set_rooms(throng_world *world) {
  static uint8_t blocked[ROOMS * ROOMS];
  for (uint32_t k = 0; k < ROOMS * ROOMS; k++) blocked[k] = k % ROOMS % 8 == 4 || k / ROOMS % 8 == 3;
  throng_cells_def def = throng_default_cells_def();
  throng_error error;
  def.width = def.height = ROOMS;
  def.cell = 0.25f;
  def.blocked = blocked;
  require_ok(throng_world_set_cells(world, &def, &error), &error);
}

/* Returns the number of the room that contains the free point p. */
static int room_of(throng_vec3 p) {
  const int i = (int)floorf(p.x * 4.0f), j = (int)floorf(p.z * 4.0f);
  return (i + 3) / 8 + 8 * ((j + 4) / 8);
}

#define SPAWNED 12

/* Agents begin almost at one point and end apart. Returns the largest speed of a push in the first frame. */
static double separate(float max_speed, float max_push_speed, double limit) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = solid_group(0.25f);
  throng_vec3 p[SPAWNED], next[SPAWNED];
  double first = 0.0;
  def.perception_radius = 4.0f;
  g.max_speed = max_speed;
  g.max_push_speed = max_push_speed;
  throng_world *world = stage_world(&def, &g);
  for (int k = 0; k < SPAWNED; k++) p[k] = (throng_vec3){0.02f * (float)(k % 4), 0, 0.02f * (float)(k / 4)};
  stage_add(world, SPAWNED, p, NULL, NULL, NULL);
  for (int frame = 0; frame < 600; frame++) {
    stage_step(world, DT);
    read_all(world, THRONG_COLUMN_POSITION, next, SPAWNED);
    for (int k = 0; k < SPAWNED; k++) {
      const double speed = stage_distance(p[k], next[k]) / (double)DT;
      assert_true(speed <= limit * (1.0 + 1e-4));
      if (frame == 0) first = fmax(first, speed);
    }
    memcpy(p, next, sizeof p);
  }
  for (int k = 0; k < SPAWNED; k++)
    for (int j = 0; j < k; j++) assert_true(stage_distance(p[j], p[k]) > 0.95 * 0.5);
  throng_world_destroy(world);
  return first;
}

static void spawned_agents_separate_smoothly(void **state) {
  (void)state;
  assert_true(fabs(separate(1.4f, 0.0f, 2.8) - 2.8) < 1e-3);
  assert_true(fabs(separate(0.3f, 0.0f, 2.0) - 2.0) < 1e-3);
  assert_true(fabs(separate(1.4f, 0.5f, 0.5) - 0.5) < 1e-3);
  assert_true(separate(1.4f, INFINITY, INFINITY) > 10.0);
}

/* Three bodies that wait at one point do not turn on the spot: at most 2 rad in 30 s. */
static void waiting_bodies_do_not_spin(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_group_def g = solid_group(0.25f);
  const throng_vec3 p[3] = {{-5, 0, 0}, {4, 0, 3}, {0, 0, -6}}, goals[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  float before[3], yaw[3];
  double turned = 0.0;
  throng_error error;
  def.perception_radius = 2.0f;
  g.max_speed = 1.4f;
  g.max_acceleration = 3.0f;
  g.facing_speed = throng_default_group_def().facing_speed;
  throng_group_def_add(&g, THRONG_BEHAVIOUR_ARRIVE);
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 3, p, NULL, goals, NULL);
  for (int frame = 0; frame < 1200 + 1800; frame++) {
    stage_step(world, DT);
    require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, 3, yaw, 0, &error), &error);
    for (int k = 0; k < 3 && frame >= 1200; k++)
      turned += fabs(remainder((double)(yaw[k] - before[k]), 2.0 * (double)PI));
    memcpy(before, yaw, sizeof yaw);
  }
  assert_true(turned <= 2.0);
  throng_world_destroy(world);
}

/* The bodies have more area than the rooms, so they must overlap; still no agent leaves its room. */
static void nobody_is_pushed_through_a_wall(void **state) {
  (void)state;
  static throng_vec3 p[400], v[400], q[400];
  for (uint32_t round = 0; round < 4; round++) {
    test_rng rng = rng_from(base_seed + round);
    throng_world_def def = throng_default_world_def();
    throng_group_def g = solid_group(0.3f);
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
    def.box_max = (throng_vec3){6, 6, 6};
    g.mass = rng_float(&rng, 1.0f, 100.0f);
    throng_world *world = stage_world(&def, &g);
    set_rooms(world);
    for (uint32_t i = 0; i < 400; i++) {
      do p[i] = (throng_vec3){rng_float(&rng, 0, 6), 0, rng_float(&rng, 0, 6)};
      while (!throng_world_is_free(world, p[i], 0));
      v[i] = (throng_vec3){rng_float(&rng, -20, 20), 0, rng_float(&rng, -20, 20)};
    }
    stage_add(world, 400, p, v, NULL, NULL);
    for (uint32_t frame = 0; frame < 60; frame++) {
      stage_step(world, DT);
      read_all(world, THRONG_COLUMN_POSITION, q, 400);
      for (uint32_t i = 0; i < 400; i++) {
        const bool inside = q[i].x >= 0.0f && q[i].x <= 6.0f && q[i].z >= 0.0f && q[i].z <= 6.0f;
        if (inside && throng_world_is_free(world, q[i], 0) && room_of(q[i]) == room_of(p[i])) continue;
        print_error("seed %" PRIu64 ", frame %u: agent %u from (%g, %g) is at (%g, %g)\n", base_seed + round, frame, i,
                    (double)p[i].x, (double)p[i].z, (double)q[i].x, (double)q[i].z);
        fail();
      }
    }
    throng_world_destroy(world);
  }
}

/* The agent at the wall cannot move back, so each iteration halves the overlap by moving the other agent. */
static void a_wall_is_felt_by_the_next_one(void **state) {
  (void)state;
  throng_world_def def = one_iteration();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_max = (throng_vec3){8, 8, 8};
  def.contact_iterations = 10;
  const throng_group_def groups[2] = {solid_group(0.5f), solid_group(0.5f)};
  throng_vec3 p[2] = {{0, 0, 4}, {0.5f, 0, 4}}, v[2] = {{0, 0, 0}, {0, 0, 0}};
  push_pair(&def, groups, p, v, DT);
  assert_true(p[0].x == nextafterf(0.0f, 1.0f) && p[1].x == 1.0f - 0.5f / 1024.0f);
}

/* Definitions. */

static void refuse_group(throng_world *world, throng_group_def g, throng_status status, const char *part) {
  throng_error error;
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
  require_error(throng_world_set_group(world, 0, &g, &error), status, &error);
  assert_non_null(strstr(error.text, part));
  assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);
}

static void bad_definitions_are_refused(void **state) {
  (void)state;
  const throng_group_def good = solid_group(0.5f);
  throng_world *world = stage_world(NULL, &good); /* R = 1 */
  static const float masses[] = {0.0f, -1.0f, 2e9f}, shares[] = {-0.01f, 1.01f};
  throng_group_def g = good;
  for (int k = 0; k < 3; k++) g.mass = masses[k], refuse_group(world, g, THRONG_ERROR_BAD_VALUE, "group.mass");
  g.mass = NAN;
  refuse_group(world, g, THRONG_ERROR_NOT_FINITE, "group.mass");
  g = good;
  for (int k = 0; k < 2; k++) g.contact = shares[k], refuse_group(world, g, THRONG_ERROR_BAD_VALUE, "group.contact");
  g.contact = NAN;
  refuse_group(world, g, THRONG_ERROR_NOT_FINITE, "group.contact");
  g = good;
  g.body_radius = nextafterf(0.5f, 1.0f);
  refuse_group(world, g, THRONG_ERROR_BAD_VALUE, "with contact allowed: 0 to half the world's perception_radius, 0.5");
  g.contact = 0.0f;
  throng_error error;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error); /* without contact bodies may be any size */
  throng_world_destroy(world);

  static const uint32_t iterations[] = {0, 17};
  for (int k = 0; k < 2; k++) {
    throng_world_def def = throng_default_world_def();
    def.contact_iterations = iterations[k];
    require_error(throng_world_create(&def, &world, &error), THRONG_ERROR_BAD_VALUE, &error);
    assert_non_null(strstr(error.text, "world.contact_iterations"));
  }
}

/* Crowds. */

/* Solid walkers 0.5 m wide that arrive at their goal at up to 1.5 m/s, with a weak separation and with avoidance of
 * weight `avoidance`. */
static throng_group_def walkers(float avoidance) {
  throng_group_def g = throng_default_group_def();
  g.max_acceleration = 4.0f;
  g.body_radius = 0.25f;
  g.contact = 1.0f;
  g.field_of_view = 4.712389f;
  g.facing_speed = 0.1f;
  g.separation.radius = 0.7f;
  g.separation.strength = 0.5f;
  g.cohesion.weight = g.alignment.weight = 0.0f;
  g.avoidance.weight = avoidance;
  g.avoidance.horizon = 1.5f;
  throng_arrive *arrive = &throng_group_def_add(&g, THRONG_BEHAVIOUR_ARRIVE)->arrive;
  arrive->slow_radius = 1.5f;
  arrive->target_radius = 0.05f;
  arrive->time_to_target = 0.5f;
  return g;
}

static throng_world *walkers_world(float avoidance, uint32_t iterations) {
  throng_world_def def = throng_default_world_def();
  const throng_group_def g = walkers(avoidance);
  def.perception_radius = 2.0f;
  def.contact_iterations = iterations;
  return stage_world(&def, &g);
}

static float planar_distance(throng_vec3 a, throng_vec3 b) {
  const float dx = a.x - b.x, dz = a.z - b.z;
  return sqrtf(dx * dx + dz * dz);
}

static uint32_t count_arrived(const throng_vec3 *p, const throng_vec3 *goal, uint32_t count, float within) {
  uint32_t arrived = 0;
  for (uint32_t i = 0; i < count; i++) arrived += planar_distance(p[i], goal[i]) <= within;
  return arrived;
}

static void two_agents_pass_each_other(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 20; k++) {
    test_rng rng = rng_from(base_seed + k);
    const float aside = k == 0 ? 0.0f : rng_float(&rng, -0.3f, 0.3f);
    throng_vec3 p[2] = {{-5, 0, 0}, {5, 0, aside}}, goal[2] = {{5, 0, 0}, {-5, 0, aside}};
    throng_world *world = walkers_world(0.35f, 4);
    stage_add(world, 2, p, NULL, goal, NULL);
    for (uint32_t frame = 0; frame < 600; frame++) {
      stage_step(world, DT);
      read_all(world, THRONG_COLUMN_POSITION, p, 2);
      assert_true(largest_overlap(p, 2, 0.25f, false) <= 0.05f);
    }
    if (count_arrived(p, goal, 2, 0.1f) != 2)
      print_error("seed %" PRIu64 ", %g m aside: an agent did not arrive\n", base_seed + k, (double)aside);
    assert_int_equal(count_arrived(p, goal, 2, 0.1f), 2);
    throng_world_destroy(world);
  }
}

/* 250 agents on a ring cross it to the opposite point: 50 m, or about 35 s, through one another. */
static void the_ring_swaps_places(void **state) {
  (void)state;
  static throng_vec3 p[250], goal[250];
  for (uint32_t k = 0; k < 3; k++) {
    test_rng rng = rng_from(base_seed + k);
    for (uint32_t i = 0; i < 250; i++) {
      const float angle = 2.0f * PI * (float)i / 250.0f, r = 25.0f + rng_float(&rng, -0.5f, 0.5f);
      p[i] = (throng_vec3){r * sinf(angle), 0, r * cosf(angle)};
      goal[i] = (throng_vec3){-p[i].x, 0, -p[i].z};
    }
    throng_world *world = walkers_world(0.35f, 6);
    stage_add(world, 250, p, NULL, goal, NULL);
    float worst = 0.0f;
    uint32_t frame = 0;
    for (; frame < 80 * 60 && count_arrived(p, goal, 250, 0.25f) < 250; frame++) {
      stage_step(world, DT);
      read_all(world, THRONG_COLUMN_POSITION, p, 250);
      const float overlap = largest_overlap(p, 250, 0.25f, false);
      if (overlap > worst) worst = overlap;
    }
    print_message("seed %" PRIu64 ": %u of 250 arrived after %.1f s, largest overlap %.1f %%\n", base_seed + k,
                  count_arrived(p, goal, 250, 0.25f), (double)frame / 60, 100.0 * (double)worst);
    assert_int_equal(count_arrived(p, goal, 250, 0.25f), 250);
    assert_true(worst <= 0.05f);
    throng_world_destroy(world);
  }
}

/* 200 agents have the same goal. After 10 s they must hardly move any more. */
static void a_crowd_with_one_goal_settles(void **state) {
  (void)state;
  static throng_vec3 p[200], v[200], goal[200], before[200];
  for (uint32_t k = 0; k < 4; k++) {
    test_rng rng = rng_from(base_seed + k);
    const float avoidance = k % 2 == 0 ? 0.0f : 0.35f;
    for (uint32_t i = 0; i < 200; i++) {
      const float angle = rng_float(&rng, -PI, PI), r = 10.0f * sqrtf(rng_float(&rng, 0, 1));
      p[i] = (throng_vec3){r * sinf(angle), 0, r * cosf(angle)};
      goal[i] = (throng_vec3){0, 0, 0};
    }
    throng_world *world = walkers_world(avoidance, 4);
    stage_add(world, 200, p, NULL, goal, NULL);
    for (uint32_t frame = 0; frame < 10 * 60; frame++) stage_step(world, DT);
    double speed = 0.0, way = 0.0, net = 0.0, turn = 0.0;
    float yaw[200], last_yaw[200];
    throng_error error;
    require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, 200, yaw, 0, &error), &error);
    read_all(world, THRONG_COLUMN_POSITION, p, 200);
    memcpy(before, p, sizeof p);
    for (uint32_t frame = 0; frame < 120; frame++) {
      throng_vec3 last[200];
      memcpy(last, p, sizeof p);
      memcpy(last_yaw, yaw, sizeof yaw);
      stage_step(world, DT);
      read_all(world, THRONG_COLUMN_POSITION, p, 200);
      read_all(world, THRONG_COLUMN_VELOCITY, v, 200);
      require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, 200, yaw, 0, &error), &error);
      for (uint32_t i = 0; i < 200; i++) {
        speed += stage_length(v[i]) / (200 * 120);
        turn += fabs(remainder((double)yaw[i] - (double)last_yaw[i], 2.0 * (double)PI)) / (200 * 2);
        way += (double)planar_distance(p[i], last[i]) / (200 * 2);
      }
    }
    for (uint32_t i = 0; i < 200; i++) net += (double)planar_distance(p[i], before[i]) / (200 * 2);
    const float overlap = largest_overlap(p, 200, 0.25f, false);
    print_message("seed %" PRIu64
                  ", avoidance %.2f: after 10 s mean speed %.4f m/s; per second %.4f m moved, %.4f m of it net, "
                  "and %.2f rad turned; overlap %.1f %%\n",
                  base_seed + k, (double)avoidance, speed, way, net, turn, 100.0 * (double)overlap);
    assert_true(speed < 0.05 * 1.5); /* 5 % of max_speed */
    /* way - net: the metres per agent and second that lead nowhere; at most a tenth of the body radius. */
    assert_true(way - net < 0.1 * 0.25 && turn < 1.0 && overlap < 0.05f);
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_contact", 404);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pair_parts_at_once),
      cmocka_unit_test(velocities_lose_what_runs_against_the_push),
      cmocka_unit_test(nothing_happens_where_it_must_not),
      cmocka_unit_test(who_was_out_of_reach_is_met_later),
      cmocka_unit_test(across_the_seam),
      cmocka_unit_test(coincident_agents_part),
      cmocka_unit_test(worlds_without_overlaps_are_as_they_were),
      cmocka_unit_test(spawned_agents_separate_smoothly),
      cmocka_unit_test(waiting_bodies_do_not_spin),
      cmocka_unit_test(nobody_is_pushed_through_a_wall),
      cmocka_unit_test(a_wall_is_felt_by_the_next_one),
      cmocka_unit_test(bad_definitions_are_refused),
      cmocka_unit_test(two_agents_pass_each_other),
      cmocka_unit_test(the_ring_swaps_places),
      cmocka_unit_test(a_crowd_with_one_goal_settles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
