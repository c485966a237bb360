/* tests/scenery/test_cells.c: tests of scenery cells: no agent ends a frame in a blocked cell or passes through one at
 * any speed, and blocked cells change nothing for agents far from them.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/random.h"
#include "support/stage.h"

#include "reference/reference_a.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

typedef struct map {
  uint32_t width, height;
  float cell, origin_x, origin_z;
  uint8_t blocked[64 * 64];
} map;

static void set_map(throng_world *world, const map *m) {
  throng_cells_def def = throng_default_cells_def();
  throng_error error;
  def.width = m->width;
  def.height = m->height;
  def.cell = m->cell;
  def.origin.x = m->origin_x;
  def.origin.z = m->origin_z;
  def.blocked = m->blocked;
  require_ok(throng_world_set_cells(world, &def, &error), &error);
}

static map random_map(test_rng *rng, float share) {
  static const float cells[] = {1.0f, 0.37f, 3.3f}, origins[] = {0.0f, -17.3f, 1000.1f};
  map m = {.width = 20 + rng_below(rng, 44), .height = 20 + rng_below(rng, 44)};
  m.cell = rng_pick(rng, cells, 3);
  m.origin_x = rng_pick(rng, origins, 3);
  m.origin_z = rng_pick(rng, origins, 3);
  for (uint32_t k = 0; k < m.width * m.height; k++) m.blocked[k] = rng_chance(rng, share);
  return m;
}

/* Returns a random free point of the map, sometimes exactly at or one float beside a border of cells. */
static throng_vec3 free_point(test_rng *rng, const throng_world *world, const map *m) {
  for (;;) {
    throng_vec3 p = {m->origin_x + m->cell * rng_float(rng, 0.0f, (float)m->width), 0.0f,
                     m->origin_z + m->cell * rng_float(rng, 0.0f, (float)m->height)};
    if (rng_chance(rng, 0.2f)) p.x = m->origin_x + m->cell * (float)rng_below(rng, m->width);
    if (rng_chance(rng, 0.2f))
      p.z = nextafterf(m->origin_z + m->cell * (float)rng_below(rng, m->height), rng_chance(rng, 0.5f) ? 1e9f : -1e9f);
    if (throng_world_is_free(world, p, 0)) return p;
  }
}

static throng_world *free_world(throng_boundary boundary, const map *m, throng_update update) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  throng_world_def_set_boundary(&def, boundary);
  def.update = update;
  def.box_min = (throng_vec3){m->origin_x, 0, m->origin_z};
  def.box_max = (throng_vec3){m->origin_x + m->cell * (float)m->width, 0, m->origin_z + m->cell * (float)m->height};
  g.max_speed = INFINITY;
  return stage_world(&def, &g);
}

static bool is_blocked(const throng_world *world, float x, float z) {
  return !throng_world_is_free(world, (throng_vec3){x, 0, z}, 0);
}

static void points_of_the_map(void **state) {
  (void)state;
  map m = {.width = 3, .height = 2, .cell = 2.0f, .origin_x = -1.0f, .origin_z = 10.0f, .blocked = {0, 1, 0, 1, 0, 0}};
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  assert_false(is_blocked(world, 1.5f, 11.0f));
  set_map(world, &m);
  memset(m.blocked, 1, sizeof m.blocked); /* the world has a copy */
  assert_true(is_blocked(world, 1.5f, 11.0f));
  assert_true(is_blocked(world, 1.0f, 10.0f)); /* [1, 3) x [10, 12) */
  assert_false(is_blocked(world, 3.0f, 10.0f) || is_blocked(world, 1.0f, 12.0f));
  assert_false(is_blocked(world, nextafterf(1.0f, 0.0f), 10.0f) || is_blocked(world, 1.0f, nextafterf(10.0f, 0.0f)));
  assert_true(is_blocked(world, nextafterf(3.0f, 0.0f), nextafterf(12.0f, 0.0f)));
  assert_true(is_blocked(world, -1.0f, 12.0f) && is_blocked(world, 0.9f, 13.9f));
  assert_true(is_blocked(world, 0.0f, 14.0f)); /* the far edge belongs to the last cell */
  static const float outside[][2] = {{-1.01f, 12}, {5.001f, 11}, {0, 14.001f}, {0, 9.9f}, {-1e6f, 1e6f}};
  for (int k = 0; k < 5; k++) assert_false(is_blocked(world, outside[k][0], outside[k][1]));
  static const float no_position[][2] = {{NAN, 11}, {1.5f, INFINITY}, {-1e30f, 1e30f}};
  for (int k = 0; k < 3; k++) assert_true(is_blocked(world, no_position[k][0], no_position[k][1]));
  throng_error error;
  require_ok(throng_world_set_cells(world, NULL, &error), &error);
  assert_false(is_blocked(world, 1.5f, 11.0f));
  throng_world_destroy(world);
}

/* Whether a straight line comes within `clearance` of a blocked cell (along x and z), in double precision. */
static bool touches(const map *m, throng_vec3 from, throng_vec3 to, double clearance) {
  for (uint32_t j = 0; j < m->height; j++)
    for (uint32_t i = 0; i < m->width; i++) {
      if (!m->blocked[j * m->width + i]) continue;
      const double low[2] = {(double)m->origin_x + i * (double)m->cell - clearance,
                             (double)m->origin_z + j * (double)m->cell - clearance};
      const double p[2] = {(double)from.x, (double)from.z}, d[2] = {(double)to.x - p[0], (double)to.z - p[1]};
      double enter = 0.0, leave = 1.0;
      for (int axis = 0; axis < 2; axis++) {
        const double high = low[axis] + (double)m->cell + 2.0 * clearance;
        if (d[axis] == 0.0) {
          if (p[axis] < low[axis] || p[axis] > high) enter = 2.0;
          continue;
        }
        const double a = (low[axis] - p[axis]) / d[axis], b = (high - p[axis]) / d[axis];
        enter = fmax(enter, fmin(a, b));
        leave = fmin(leave, fmax(a, b));
      }
      if (enter <= leave) return true;
    }
  return false;
}

#define AGENTS 120
static throng_vec3 before[AGENTS], after[AGENTS], velocity[AGENTS], slowed[AGENTS];

static throng_vec3 random_velocity(test_rng *rng) {
  const float speed = rng_pick(rng, (const float[]){0.1f, 3.0f, 40.0f, 900.0f, 20000.0f}, 5);
  if (rng_chance(rng, 0.2f)) return (throng_vec3){speed, 0, rng_chance(rng, 0.5f) ? speed : 0.0f};
  return (throng_vec3){rng_float(rng, -speed, speed), 0, rng_float(rng, -speed, speed)};
}

static void check_frame(const map *m, const throng_world *world, throng_boundary boundary, float dt, uint64_t seed) {
  for (int k = 0; k < AGENTS; k++) {
    const throng_vec3 p = before[k], q = after[k], aim = {p.x + velocity[k].x * dt, 0, p.z + velocity[k].z * dt};
    const bool blocked = !throng_world_is_free(world, q, 0);
    /* An agent moves at most as far as it would without cells: it may slide along walls, but does not walk round
     * them. */
    const double way = hypot((double)q.x - (double)p.x, (double)q.z - (double)p.z),
                 whole = hypot((double)aim.x - (double)p.x, (double)aim.z - (double)p.z);
    const double reach = fabs((double)p.x) + fabs((double)p.z) + whole, bound = reach * 4e-7 + 1e-6;
    const bool too_far = way > whole + bound;
    const bool clear = boundary == THRONG_BOUNDARY_UNBOUNDED && !touches(m, p, aim, (double)m->cell * 1e-3 + bound);
    const bool stopped =
        clear && (fabs((double)q.x - (double)aim.x) > bound || fabs((double)q.z - (double)aim.z) > bound ||
                  slowed[k].x != velocity[k].x || slowed[k].z != velocity[k].z);
    const bool faster = fabsf(slowed[k].x) > fabsf(velocity[k].x) || fabsf(slowed[k].z) > fabsf(velocity[k].z);
    if (!blocked && !too_far && !stopped && !faster) continue;
    print_error("seed %" PRIu64
                ", agent %d: from (%a, %a) with (%a, %a) * %a to (%a, %a), velocity then (%a, %a):%s%s%s%s\n",
                seed, k + 1, (double)p.x, (double)p.z, (double)velocity[k].x, (double)velocity[k].z, (double)dt,
                (double)q.x, (double)q.z, (double)slowed[k].x, (double)slowed[k].z, blocked ? " in a blocked cell" : "",
                too_far ? " too far" : "", stopped ? " stopped by nothing" : "", faster ? " faster than before" : "");
    fail();
  }
}

/* Agents move on random maps at random speeds of up to thousands of cells per frame. */
static void nobody_ends_in_a_blocked_cell(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 90; round++) {
    const uint64_t seed = base_seed + round;
    test_rng rng = rng_from(seed);
    const map m = random_map(&rng, rng_pick(&rng, (const float[]){0.02f, 0.3f, 0.6f}, 3));
    const throng_boundary boundary = (throng_boundary)(round % 2);
    throng_world *world = free_world(boundary, &m, (throng_update)(round % 3));
    throng_error error;
    throng_edit edit;
    set_map(world, &m);
    for (int k = 0; k < AGENTS; k++) {
      before[k] = free_point(&rng, world, &m);
      const throng_vec3 top = throng_world_get_def(world).box_max, low = throng_world_get_def(world).box_min;
      if (boundary == THRONG_BOUNDARY_BOX)
        before[k].x = fmaxf(fminf(before[k].x, top.x), low.x), before[k].z = fmaxf(fminf(before[k].z, top.z), low.z);
      if (!throng_world_is_free(world, before[k], 0)) k--;
    }
    stage_add(world, AGENTS, before, NULL, NULL, NULL);
    for (int frame = 0; frame < 12; frame++) {
      const float dt = rng_pick(&rng, (const float[]){0.01f, 0.125f, 1.0f}, 3);
      for (int k = 0; k < AGENTS; k++) velocity[k] = random_velocity(&rng);
      require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, NULL, AGENTS, velocity, 0, &error), &error);
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, before, 0, &error), &error);
      stage_step(world, dt);
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, after, 0, &error), &error);
      require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, AGENTS, slowed, 0, &error), &error);
      check_frame(&m, world, boundary, dt, seed);
      require_sound(world, "cells");
    }
    require_ok(throng_world_edit(world, &edit, &error), &error);
    throng_world_destroy(world);
  }
}

/* No agent leaves a closed room, at any speed, through walls, corners or between diagonal cells. */
static void nobody_tunnels(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 60; round++) {
    const uint64_t seed = base_seed + 500 + round;
    test_rng rng = rng_from(seed);
    map m = random_map(&rng, 0.0f);
    const uint32_t left = 5, right = m.width - 6, low = 4, high = m.height - 5;
    for (uint32_t j = low; j <= high; j++)
      for (uint32_t i = left; i <= right; i++)
        m.blocked[j * m.width + i] = i == left || i == right || j == low || j == high || rng_chance(&rng, 0.05f);
    throng_world *world = free_world(THRONG_BOUNDARY_UNBOUNDED, &m, (throng_update)(round % 3));
    throng_error error;
    set_map(world, &m);
    const double room[4] = {
        (double)m.origin_x + (left + 1) * (double)m.cell, (double)m.origin_x + right * (double)m.cell,
        (double)m.origin_z + (low + 1) * (double)m.cell, (double)m.origin_z + high * (double)m.cell};
    const double ulps = 2e-6 * (fabs(room[0]) + fabs(room[2]) + 1.0);
    for (int k = 0; k < AGENTS;) {
      before[k] = free_point(&rng, world, &m);
      if ((double)before[k].x > room[0] + ulps && (double)before[k].x < room[1] - ulps &&
          (double)before[k].z > room[2] + ulps && (double)before[k].z < room[3] - ulps)
        k++;
    }
    stage_add(world, AGENTS, before, NULL, NULL, NULL);
    for (int frame = 0; frame < 30; frame++) {
      for (int k = 0; k < AGENTS; k++) velocity[k] = random_velocity(&rng);
      require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, NULL, AGENTS, velocity, 0, &error), &error);
      stage_step(world, 0.5f);
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, after, 0, &error), &error);
      for (int k = 0; k < AGENTS; k++) {
        const double x = (double)after[k].x, z = (double)after[k].z;
        const bool inside = x >= room[0] - ulps && x <= room[1] + ulps && z >= room[2] - ulps && z <= room[3] + ulps;
        if (!inside || !throng_world_is_free(world, after[k], 0))
          print_error("seed %" PRIu64 ", frame %d, agent %d: got out to (%a, %a)\n", seed, frame, k + 1, x, z);
        assert_true(inside && throng_world_is_free(world, after[k], 0));
      }
    }
    throng_world_destroy(world);
  }
}

/* Two diagonal blocked cells have no gap: a line through their common corner is stopped. */
static void corners_are_closed(void **state) {
  (void)state;
  map m = {.width = 4, .height = 4, .cell = 1.0f, .origin_x = 0, .origin_z = 0};
  m.blocked[1 * 4 + 2] = m.blocked[2 * 4 + 1] = 1;
  throng_world *world = free_world(THRONG_BOUNDARY_UNBOUNDED, &m, THRONG_UPDATE_SEMI_IMPLICIT);
  throng_agent_id id[2];
  const throng_vec3 p[2] = {{1.5f, 0, 1.5f}, {2.25f, 0, 2.75f}}, v[2] = {{1, 0, 1}, {-0.5f, 0, -1.5f}};
  set_map(world, &m);
  stage_add(world, 2, p, v, NULL, id);
  stage_step(world, 1.0f);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_POSITION, id[0]),
                    b = stage_read(world, THRONG_COLUMN_POSITION, id[1]);
  assert_false(a.x >= 2.0f && a.z >= 2.0f);
  assert_false(b.x < 2.0f && b.z < 2.0f);
  assert_true(throng_world_is_free(world, a, 0) && throng_world_is_free(world, b, 0));
  throng_world_destroy(world);
}

static void walls_take_the_velocity_into_them(void **state) {
  (void)state;
  map m = {.width = 8, .height = 8, .cell = 1.0f, .origin_x = 0, .origin_z = 0};
  for (uint32_t j = 0; j < 8; j++) m.blocked[j * 8 + 4] = 1;
  throng_world *world = free_world(THRONG_BOUNDARY_UNBOUNDED, &m, THRONG_UPDATE_SEMI_IMPLICIT);
  const throng_vec3 p = {2.5f, 0, 2.5f}, v = {8, 0, 1};
  throng_agent_id id;
  set_map(world, &m);
  stage_add(world, 1, &p, &v, NULL, &id);
  stage_step(world, 1.0f);
  const throng_vec3 q = stage_read(world, THRONG_COLUMN_POSITION, id),
                    u = stage_read(world, THRONG_COLUMN_VELOCITY, id);
  assert_true(q.x < 4.0f && q.x > 3.99f && u.x == 0.0f && u.z == 1.0f);
  assert_true(fabsf(q.z - 3.5f) < 0.01f); /* it slid along */
  stage_step(world, 1.0f);
  assert_true(stage_read(world, THRONG_COLUMN_POSITION, id).x == q.x &&
              fabsf(stage_read(world, THRONG_COLUMN_POSITION, id).z - 4.5f) < 0.01f);
  throng_world_destroy(world);
}

/* If cells are smaller than the distance between floats, either throng_world_set_cells refuses them, or no agent
 * ends in a blocked cell or passes through one. */
static void cells_finer_than_floats(void **state) {
  (void)state;
  static const float origins[] = {1e5f, -1e5f, 3e4f, 1000.1f};
  for (uint32_t k = 0; k < 4; k++) {
    map m = {.width = 64, .height = 16, .cell = 1e-3f, .origin_x = origins[k], .origin_z = 0.0f};
    for (uint32_t j = 0; j < m.height; j++) m.blocked[j * 64 + 3] = m.blocked[j * 64 + 40] = m.blocked[j * 64 + 41] = 1;
    throng_world *world = free_world(THRONG_BOUNDARY_UNBOUNDED, &m, THRONG_UPDATE_SEMI_IMPLICIT);
    throng_cells_def def = throng_default_cells_def();
    throng_error error;
    def.width = m.width;
    def.height = m.height;
    def.cell = m.cell;
    def.origin.x = m.origin_x;
    def.blocked = m.blocked;
    const throng_status status = throng_world_set_cells(world, &def, &error);
    if (status != THRONG_OK) {
      require_error(status, THRONG_ERROR_BAD_VALUE, &error);
      assert_non_null(strstr(error.text, "cell"));
      throng_world_destroy(world);
      continue;
    }
    const throng_vec3 p[2] = {{origins[k], 0, 0.0015f}, {origins[k] + 0.03f, 0, 0.0025f}},
                      v[2] = {{1, 0, 0}, {-2, 0, 0.1f}};
    throng_agent_id ids[2];
    stage_add(world, 2, p, v, NULL, ids);
    for (int frame = 0; frame < 5; frame++) {
      stage_step(world, 0.02f);
      for (int i = 0; i < 2; i++) {
        const throng_vec3 q = stage_read(world, THRONG_COLUMN_POSITION, ids[i]);
        assert_true(throng_world_is_free(world, q, 0));
        assert_true(fabsf(q.x - p[i].x) <= 0.2f);
      }
    }
    throng_world_destroy(world);
  }
}

/* A row of cells, every other one blocked. */
typedef struct row {
  float cell, origin;
  uint32_t cells;
  bool along_z, first_blocked;
  throng_isa isa;
} row;

#define ROW_CELLS 16384u
#define BESIDE 3 /* floats tested on each side of a border */

static throng_world *row_world(const row *r) {
  static uint8_t blocked[ROW_CELLS];
  for (uint32_t k = 0; k < ROW_CELLS; k++) blocked[k] = k % 2 != r->first_blocked;
  throng_world_def world_def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  throng_cells_def def = throng_default_cells_def();
  throng_error error;
  throng_world_def_set_boundary(&world_def, THRONG_BOUNDARY_UNBOUNDED);
  world_def.isa = r->isa;
  g.max_speed = INFINITY;
  throng_world *world = stage_world(&world_def, &g);
  def.width = r->along_z ? 1 : r->cells;
  def.height = r->along_z ? r->cells : 1;
  def.cell = r->cell;
  def.origin.x = r->along_z ? 0.0f : r->origin;
  def.origin.z = r->along_z ? r->origin : 0.0f;
  def.blocked = blocked;
  require_ok(throng_world_set_cells(world, &def, &error), &error);
  return world;
}

static throng_vec3 in_row(const row *r, float along, float across) {
  return r->along_z ? (throng_vec3){across, 0, along} : (throng_vec3){along, 0, across};
}

/* Writes the floats around a border; the border itself may lie between two floats. */
static void floats_beside(float beside[2 * BESIDE + 1], const row *r, uint32_t border) {
  float f = (float)((double)r->origin + (double)r->cell * border);
  for (int k = 0; k < BESIDE; k++) f = nextafterf(f, -INFINITY);
  for (int k = 0; k <= 2 * BESIDE; k++, f = nextafterf(f, INFINITY)) beside[k] = f;
}

#define WAYS ((2 * BESIDE + 1) * (2 * BESIDE + 1))

/* Moves agents between all pairs of floats beside the border, all in one frame, and checks where they end. Starting
 * points in blocked cells are left out. */
static void cross(const row *r, throng_world *world, uint32_t border) {
  static throng_vec3 from[WAYS], aim[WAYS], way[WAYS];
  throng_agent_id id[WAYS];
  throng_error error;
  float beside[2 * BESIDE + 1];
  uint32_t ways = 0;
  floats_beside(beside, r, border);
  for (int k = 0; k < WAYS; k++) {
    const float a = beside[k / (2 * BESIDE + 1)], b = beside[k % (2 * BESIDE + 1)];
    from[ways] = in_row(r, a, r->cell * 0.5f);
    aim[ways] = in_row(r, b, r->cell * 0.5f);
    way[ways] = in_row(r, b - a, 0.0f);
    if (throng_world_is_free(world, from[ways], 0)) ways++;
  }
  stage_add(world, ways, from, way, NULL, id);
  stage_step(world, 1.0f);
  for (uint32_t k = 0; k < ways; k++) {
    const throng_vec3 q = stage_read(world, THRONG_COLUMN_POSITION, id[k]),
                      u = stage_read(world, THRONG_COLUMN_VELOCITY, id[k]);
    const bool stopped = !throng_world_is_free(world, aim[k], 0);
    const throng_vec3 left = stopped ? in_row(r, 0.0f, 0.0f) : way[k];
    const bool right = stopped ? throng_world_is_free(world, q, 0) : q.x == aim[k].x && q.z == aim[k].z;
    if (!right || u.x != left.x || u.z != left.z)
      print_error("cells of %a from %a along %c, border %u: from (%a, %a) to (%a, %a), not (%a, %a)\n", (double)r->cell,
                  (double)r->origin, r->along_z ? 'z' : 'x', border, (double)from[k].x, (double)from[k].z, (double)q.x,
                  (double)q.z, (double)aim[k].x, (double)aim[k].z);
    assert_true(right && u.x == left.x && u.z == left.z);
  }
  require_ok(throng_agents_remove(world, id, ways, &error), &error);
}

/* An agent that would enter a blocked cell is stopped; all others end at exactly the wanted position. The kernel tests
 * only agents that may cross a border, so the positions here are the nearest floats to it. */
static void the_floats_beside_borders(void **state) {
  (void)state;
  static const row rows[] = {{.cell = 1.0f, .cells = 20},
                             {.cell = 0.37f, .origin = -17.3f, .cells = 40},
                             {.cell = 3.3f, .origin = 1000.1f, .cells = 40},
                             {.cell = 0.05f, .origin = 1e5f, .cells = 64},
                             {.cell = 0.25f, .origin = 1e5f, .cells = 64},
                             {.cell = 0.25f, .origin = -1e5f, .cells = 64},
                             {.cell = 2.2f, .origin = -9e5f, .cells = 64},
                             {.cell = 1e-3f, .cells = 64},
                             {.cell = 0.1f, .origin = -819.3f, .cells = ROW_CELLS},
                             {.cell = 0.3f, .origin = 0.1f, .cells = ROW_CELLS},
                             {.cell = 1.9f, .origin = -9e5f, .cells = ROW_CELLS}};
  for (uint32_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
    for (uint32_t variant = 0; variant < 16; variant++) {
      row r = rows[k];
      r.along_z = variant & 1;
      r.first_blocked = variant & 2;
      r.isa = (throng_isa)(variant / 4);
      if (!throng_isa_is_available(r.isa)) continue;
      throng_world *world = row_world(&r);
      test_rng rng = rng_from(base_seed + k);
      cross(&r, world, 0);
      cross(&r, world, r.cells - 1);
      cross(&r, world, r.cells);
      for (int n = 0; n < 12; n++) cross(&r, world, rng_below(&rng, r.cells));
      throng_world_destroy(world);
    }
}

/* A billion floats beside a border at 0 have its distance from the origin, in double. To try them one by one would take
 * hours here. */
static void a_border_at_zero(void **state) {
  (void)state;
  map m = {.width = 8, .height = 8, .cell = 1.0f, .origin_x = -4.0f, .origin_z = -4.0f};
  for (uint32_t k = 0; k < 64; k++) m.blocked[k] = k % 8 == 4 || k % 8 == 1;
  throng_world *world = free_world(THRONG_BOUNDARY_UNBOUNDED, &m, THRONG_UPDATE_SEMI_IMPLICIT);
  set_map(world, &m);
  for (uint32_t k = 0; k < 1000; k++) {
    throng_agent_id id;
    stage_add(world, 1, &(throng_vec3){-0.5f, 0, -4.0f + 0.007f * (float)k}, &(throng_vec3){4, 0, 0.5f}, NULL, &id);
    stage_step(world, 0.25f);
    const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, id);
    assert_true(p.x < 0.0f && p.x > -1e-15f && !is_blocked(world, p.x, p.z));
    assert_true(is_blocked(world, nextafterf(p.x, 1.0f), p.z));
    assert_true(stage_read(world, THRONG_COLUMN_VELOCITY, id).x == 0.0f);
  }
  throng_world_destroy(world);
}

/* Blocked cells far away change no bit: a crowd moves as in the reference, which has no cells. */
static void far_from_cells_nothing_changes(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 12; round++) {
    const crowd_recipe recipe = {THRONG_SPACE_PLANAR, (throng_boundary)(round % 2), LAYOUT_UNIFORM, 150, true, false};
    crowd *c = crowd_random(base_seed + 900 + round, &recipe);
    crowd_make_patient(c); /* cells would let agents yield */
    throng_world *world = crowd_world(c, NULL);
    map m = {.width = 30, .height = 30, .cell = c->def.perception_radius * 2.0f};
    m.origin_x =
        c->def.boundary[0] == THRONG_BOUNDARY_BOX ? c->def.box_max.x + m.cell : 1e5f * c->def.perception_radius;
    memset(m.blocked, 1, sizeof m.blocked);
    set_map(world, &m);
    crowd_import(c, world);
    for (int frame = 0; frame < 6; frame++) {
      ref_a_step(c, 0.02f);
      stage_step(world, 0.02f);
      require_crowd(c, world, STATE_COLUMNS, "cells far away");
    }
    throng_world_destroy(world);
    crowd_free(c);
  }
}

static void blocked_places_are_refused(void **state) {
  (void)state;
  map m = {.width = 4, .height = 4, .cell = 1.0f, .origin_x = 0, .origin_z = 0};
  m.blocked[0] = 1;
  throng_world *world = free_world(THRONG_BOUNDARY_UNBOUNDED, &m, THRONG_UPDATE_SEMI_IMPLICIT);
  throng_error error;
  throng_edit edit;
  throng_agent_id ids[3];
  const throng_vec3 good[3] = {{2, 0, 2}, {0.5f, 0, 1.5f}, {1.5f, 0, 0.5f}},
                    bad[3] = {{2, 0, 2}, {3, 0, 3}, {0.5f, 0, 0.5f}};
  set_map(world, &m);
  stage_refuses_blocked(world, good, bad, ids);
  /* New cells over a live agent. */
  throng_cells_def cells = throng_default_cells_def();
  uint8_t blocked[16] = {0};
  blocked[4] = blocked[1] = 1; /* cells (0, 1) and (1, 0), where ids[1] and ids[2] are */
  cells.width = cells.height = 4;
  cells.blocked = blocked;
  cells.cell = 1.0f;
  require_error(throng_world_set_cells(world, &cells, &error), THRONG_ERROR_BLOCKED, &error);
  assert_int_equal(error.agent.index, ids[1].index < ids[2].index ? ids[1].index : ids[2].index);
  assert_true(is_blocked(world, 0.5f, 0.5f) && !is_blocked(world, 0.5f, 1.5f));
  /* If the host edits an agent into a blocked cell, the next index or step refuses it. */
  require_ok(throng_world_edit(world, &edit, &error), &error);
  for (uint32_t k = 0; k < 3; k++)
    if (edit.id_index[k] == ids[0].index) edit.position_x[k] = edit.position_z[k] = 0.25f;
  require_error(throng_world_index(world, &error), THRONG_ERROR_BLOCKED, &error);
  assert_int_equal(error.agent.index, ids[0].index);
  assert_true(throng_world_step(world, 0.1f, &error) == THRONG_ERROR_BLOCKED);
  throng_world_destroy(world);
}

static void bad_definitions(void **state) {
  (void)state;
  static const uint8_t blocked[4];
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_cells_def good = throng_default_cells_def();
  good.width = good.height = 2;
  good.cell = 1.0f;
  good.blocked = blocked;
#define REFUSED(field, value, expected)                                                                                \
  do {                                                                                                                 \
    throng_cells_def d = good;                                                                                         \
    d.field = value;                                                                                                   \
    require_error(throng_world_set_cells(world, &d, &error), expected, &error);                                        \
    assert_non_null(strstr(error.text, #field));                                                                       \
  } while (0)
  REFUSED(width, 0, THRONG_ERROR_BAD_VALUE);
  REFUSED(width, 16385, THRONG_ERROR_BAD_VALUE);
  REFUSED(height, 0, THRONG_ERROR_BAD_VALUE);
  REFUSED(height, 0xffffffffu, THRONG_ERROR_BAD_VALUE);
  REFUSED(cell, 0.0f, THRONG_ERROR_BAD_VALUE);
  REFUSED(cell, -1.0f, THRONG_ERROR_BAD_VALUE);
  REFUSED(cell, 2e6f, THRONG_ERROR_BAD_VALUE);
  REFUSED(blocked, NULL, THRONG_ERROR_NULL_ARGUMENT);
  REFUSED(cookie, 0, THRONG_ERROR_BAD_COOKIE);
#undef REFUSED
  static const float not_numbers[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3; k++) {
    throng_cells_def d = good;
    d.cell = not_numbers[k];
    assert_true(throng_world_set_cells(world, &d, &error) != THRONG_OK && strstr(error.text, "cell") != NULL);
    d = good;
    d.origin.x = not_numbers[k];
    assert_true(throng_world_set_cells(world, &d, &error) != THRONG_OK && strstr(error.text, "origin.x") != NULL);
    d = good;
    d.origin.z = not_numbers[k];
    assert_true(throng_world_set_cells(world, &d, &error) != THRONG_OK && strstr(error.text, "origin.z") != NULL);
  }
  throng_world_destroy(world);
  throng_world_def def = throng_default_world_def();
  def.space = THRONG_SPACE_SPATIAL;
  world = stage_world(&def, &g);
  require_error(throng_world_set_cells(world, &good, &error), THRONG_ERROR_UNSUPPORTED, &error);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_cells", 640);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_of_the_map),
      cmocka_unit_test(nobody_ends_in_a_blocked_cell),
      cmocka_unit_test(nobody_tunnels),
      cmocka_unit_test(corners_are_closed),
      cmocka_unit_test(walls_take_the_velocity_into_them),
      cmocka_unit_test(cells_finer_than_floats),
      cmocka_unit_test(the_floats_beside_borders),
      cmocka_unit_test(a_border_at_zero),
      cmocka_unit_test(far_from_cells_nothing_changes),
      cmocka_unit_test(blocked_places_are_refused),
      cmocka_unit_test(bad_definitions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
