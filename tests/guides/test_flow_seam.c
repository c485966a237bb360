/* tests/guides/test_flow_seam.c: tests of flow fields in periodic worlds. Computed routes lead across the seam, which
 * is no special place of the map; fields are interpolated across it; fields of other lengths end there; maps that do
 * not tile a periodic axis are refused. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/maps.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t base_seed;

/* Creates a world with the map as its box, and an idle group 0. */
static throng_world *seam_world(const map *m, throng_boundary along_x, throng_boundary along_z, throng_space space) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  def.space = space;
  def.boundary[0] = along_x;
  def.boundary[1] = THRONG_BOUNDARY_UNBOUNDED;
  def.boundary[2] = along_z;
  def.perception_radius = m->cell;
  def.box_min = (throng_vec3){m->origin_x, 0, m->origin_z};
  def.box_max = (throng_vec3){m->origin_x + m->cell * (float)m->width, 0, m->origin_z + m->cell * (float)m->height};
  return stage_world(&def, &g);
}

static void compute_in(const throng_world *world, map *m, const throng_flow_goal *goals, uint32_t count) {
  const throng_cells_def cells = map_cells(m);
  throng_error error;
  require_ok(throng_world_compute_flow_field(world, &cells, goals, count, m->vectors, m->distance, NULL, &error),
             &error);
}
static void set_field(throng_world *world, const map *m) {
  const throng_flow_field_def field = map_field(m);
  throng_error error;
  require_ok(throng_world_set_flow_field(world, 5, &field, &error), &error);
}
static throng_vec3 sample(const throng_world *world, throng_vec3 p) {
  throng_vec3 v;
  throng_error error;
  require_ok(throng_world_sample_flow_field(world, 5, p, &v, &error), &error);
  return v;
}

/* A box world gives the bits of throng_flow_field_compute. */
static void boxes_have_no_seam(void **state) {
  (void)state;
  static map m, in_world;
  for (uint32_t round = 0; round < 8; round++) {
    test_rng rng = rng_from(base_seed + round);
    map_random(&rng, &m, round);
    const throng_flow_goal goal = map_goal(&m, map_free_cell(&rng, &m), 1.5f * m.cell);
    in_world = m;
    throng_world *world = seam_world(&m, THRONG_BOUNDARY_BOX, THRONG_BOUNDARY_UNBOUNDED, THRONG_SPACE_PLANAR);
    map_compute(&m, &goal, 1);
    compute_in(world, &in_world, &goal, 1);
    assert_memory_equal(&m, &in_world, sizeof m);
    throng_world_destroy(world);
  }
}

/* Moves the map's content by whole cells round the periodic axes. */
static void roll(const map *m, uint32_t by_x, uint32_t by_z, map *rolled) {
  *rolled = *m;
  for (uint32_t k = 0; k < m->width * m->height; k++) {
    const uint32_t i = (k % m->width + by_x) % m->width, j = (k / m->width + by_z) % m->height;
    rolled->blocked[j * m->width + i] = m->blocked[k];
  }
}

/* A periodic world has no special place: the distances of a map that was moved round the seam are those of the map,
 * moved; so are the vectors, unless two neighbours are equally near. */
static void seam_is_no_special_place(void **state) {
  (void)state;
  static map m, other;
  for (uint32_t round = 0; round < 60; round++) {
    const uint64_t seed = base_seed + 100 + round;
    test_rng rng = rng_from(seed);
    map_random(&rng, &m, round);
    m.origin_x = m.origin_z = 0.0f;
    m.cell = 0.5f; /* exact sums */
    const bool along_x = round % 3 != 1, along_z = round % 3 != 0;
    const uint32_t by_x = along_x ? rng_below(&rng, m.width) : 0, by_z = along_z ? rng_below(&rng, m.height) : 0;
    roll(&m, by_x, by_z, &other);
    throng_world *world = seam_world(&m, along_x ? THRONG_BOUNDARY_PERIODIC : THRONG_BOUNDARY_BOX,
                                     along_z ? THRONG_BOUNDARY_PERIODIC : THRONG_BOUNDARY_BOX, THRONG_SPACE_PLANAR);
    throng_flow_goal goals[2], rolled[2];
    for (int k = 0; k < 2; k++) {
      const uint32_t cell = map_free_cell(&rng, &m);
      const float radius = m.cell * rng_pick(&rng, (const float[]){0, 1.01f, 3.6f}, 3);
      goals[k] = map_goal(&m, cell, radius);
      rolled[k] =
          map_goal(&m, (cell / m.width + by_z) % m.height * m.width + (cell % m.width + by_x) % m.width, radius);
    }
    compute_in(world, &m, goals, 2);
    compute_in(world, &other, rolled, 2);
    for (uint32_t k = 0; k < m.width * m.height; k++) {
      const uint32_t i = (k % m.width + by_x) % m.width, j = (k / m.width + by_z) % m.height, to = j * m.width + i;
      const double a = (double)m.distance[k], b = (double)other.distance[to];
      if (a != b && !(fabs(a - b) <= 1e-5 * (1.0 + a)))
        fail_msg("seed %" PRIu64 ", cell %u: %g, moved by %u, %u: %g", seed, k, a, by_x, by_z, b);
      const double turned = hypot((double)(m.vectors[2 * k] - other.vectors[2 * to]),
                                  (double)(m.vectors[2 * k + 1] - other.vectors[2 * to + 1]));
      if (turned > 1e-3 && m.blocked[k])
        fail_msg("seed %" PRIu64 ", blocked cell %u: another vector, moved by %u, %u", seed, k, by_x, by_z);
    }
    throng_world_destroy(world);
  }
}

/* Agents in all cells walk along the sampled field, also across the seam, and reach the goal by a way that is hardly
 * longer than their distances say; no cell stops them. */
static void walkers_arrive_across_the_seam(void **state) {
  (void)state;
  static map m;
  static throng_vec3 p[MAP_CELLS], v[MAP_CELLS];
  throng_error error;
  for (uint32_t round = 0; round < 6; round++) {
    const uint64_t seed = base_seed + 300 + round;
    test_rng rng = rng_from(seed);
    map_random(&rng, &m, round);
    const throng_flow_goal goal = map_goal(&m, map_free_cell(&rng, &m), m.cell * 2.5f);
    throng_world *world = seam_world(&m, THRONG_BOUNDARY_PERIODIC,
                                     round % 2 ? THRONG_BOUNDARY_PERIODIC : THRONG_BOUNDARY_BOX, THRONG_SPACE_PLANAR);
    compute_in(world, &m, &goal, 1);
    set_field(world, &m);
    const throng_cells_def cells = map_cells(&m);
    require_ok(throng_world_set_cells(world, &cells, &error), &error);
    uint32_t count = 0;
    double farthest = 0.0;
    for (uint32_t k = 0; k < m.width * m.height; k++) {
      if (m.blocked[k] || m.distance[k] == INFINITY) continue;
      p[count++] = (throng_vec3){m.origin_x + ((float)(k % m.width) + 0.5f) * m.cell, 0,
                                 m.origin_z + ((float)(k / m.width) + 0.5f) * m.cell};
      farthest = fmax(farthest, (double)m.distance[k]);
    }
    stage_add(world, count, p, NULL, NULL, NULL);
    const double step = 0.1 * (double)m.cell;
    const uint32_t frames = (uint32_t)(2.5 * farthest / step) + 50;
    for (uint32_t frame = 0; frame < frames; frame++) {
      for (uint32_t k = 0; k < count; k++) {
        const throng_vec3 f = sample(world, p[k]);
        const double length = stage_length(f), scale = length > 0.0 ? step / length : 0.0;
        v[k] = (throng_vec3){(float)((double)f.x * scale), 0, (float)((double)f.z * scale)};
      }
      require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, NULL, count, v, 0, &error), &error);
      stage_step(world, 1.0f);
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, count, p, 0, &error), &error);
    }
    for (uint32_t k = 0; k < count; k++) {
      const uint32_t i = (uint32_t)fmax(0.0, floor(((double)p[k].x - (double)m.origin_x) / (double)m.cell)),
                     j = (uint32_t)fmax(0.0, floor(((double)p[k].z - (double)m.origin_z) / (double)m.cell));
      const uint32_t cell = (j < m.height ? j : j - 1) * m.width + (i < m.width ? i : i - 1);
      if (m.distance[cell] > 2.0f * m.cell)
        fail_msg("seed %" PRIu64 ": an agent is still at %g, %g, %g m from the goal", seed, (double)p[k].x,
                 (double)p[k].z, (double)m.distance[cell]);
    }
    throng_world_destroy(world);
  }
}

/* An agent 2 m from one end of a corridor of 40 m goes to a goal 2 m from the other end: across the seam, 4 m, if the
 * axis is periodic; 36 m through the corridor if it has walls. */
static void short_way_crosses_the_seam(void **state) {
  (void)state;
  static map m;
  for (uint32_t round = 0; round < 8; round++) {
    const bool along_z = round & 1, periodic = round & 2;
    const throng_space space = round & 4 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    const throng_boundary along = periodic ? THRONG_BOUNDARY_PERIODIC : THRONG_BOUNDARY_BOX;
    memset(&m, 0, sizeof m);
    m.width = along_z ? 8 : 40;
    m.height = along_z ? 40 : 8;
    m.cell = 1.0f;
    throng_world *world =
        seam_world(&m, along_z ? THRONG_BOUNDARY_BOX : along, along_z ? along : THRONG_BOUNDARY_BOX, space);
    const throng_vec3 start = along_z ? (throng_vec3){4, 1, 2} : (throng_vec3){2, 1, 4};
    const throng_flow_goal goal = {along_z ? (throng_vec3){4, 0, 38} : (throng_vec3){38, 0, 4}, 1.0f};
    compute_in(world, &m, &goal, 1);
    set_field(world, &m);
    throng_group_def g = stage_idle_group();
    throng_error error;
    g.max_speed = 2.0f;
    group_want(&g, THRONG_BEHAVIOUR_FOLLOW_FIELD, 1.0f)->follow_field.index = 5;
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    throng_agent_id id;
    stage_add(world, 1, &start, NULL, NULL, &id);
    const double distance = (double)m.distance[along_z ? 2 * 8 + 4 : 4 * 40 + 2];
    assert_true(periodic ? distance < 6.0 : distance > 30.0);
    double farthest = 0.0, end = 0.0;
    for (int frame = 0; frame < 200; frame++) {
      stage_step(world, 0.02f);
      const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, id);
      end = (double)(along_z ? p.z : p.x);
      if (end < 20.0) farthest = fmax(farthest, end);
    }
    if (periodic) {
      assert_true(farthest <= 2.0 && end > 36.0 && end < 40.0);
    } else {
      assert_true(end > 7.0 && end < 12.0);
    }
    throng_world_destroy(world);
  }
}

/* Between the last sample and the image of the first one a field of the host is interpolated too, if it is as long as
 * the period. A shorter one keeps the value of its last sample, and an origin inside of the box moves the samples. */
static void samples_across_the_seam(void **state) {
  (void)state;
  static map m;
  memset(&m, 0, sizeof m);
  m.width = 8, m.height = 2, m.cell = 1.0f;
  for (uint32_t k = 0; k < 16; k++) m.vectors[2 * k] = (float)(k % 8) + 1.0f;
  map box = m;
  box.height = 8;
  throng_world *world = seam_world(&box, THRONG_BOUNDARY_PERIODIC, THRONG_BOUNDARY_PERIODIC, THRONG_SPACE_PLANAR);
  set_field(world, &m);
  assert_true(sample(world, (throng_vec3){7.5f, 0, 1}).x == 8.0f);
  assert_true(sample(world, (throng_vec3){7.75f, 0, 1}).x == 6.25f); /* 8 - 7 / 4 */
  assert_true(sample(world, (throng_vec3){0.25f, 0, 1}).x == 2.75f);
  assert_true(sample(world, (throng_vec3){0.0f, 0, 1}).x == 4.5f && sample(world, (throng_vec3){8.0f, 0, 1}).x == 4.5f);
  assert_true(sample(world, (throng_vec3){0.25f, 0, 7}).x == 2.75f); /* the field ends along z */
  m.origin_x = 5.0f;
  set_field(world, &m);
  assert_true(sample(world, (throng_vec3){5.0f, 0, 1}).x == 4.5f && sample(world, (throng_vec3){0.5f, 0, 1}).x == 4.0f);
  assert_true(sample(world, (throng_vec3){4.25f, 0, 1}).x == 7.75f); /* its image 12.25, near sample 7 */
  m.origin_x = 0.0f;
  m.width = 7;
  for (uint32_t k = 0; k < 14; k++) m.vectors[2 * k] = (float)(k % 7) + 1.0f;
  set_field(world, &m);
  assert_true(sample(world, (throng_vec3){7.75f, 0, 1}).x == 7.0f && sample(world, (throng_vec3){0, 0, 1}).x == 1.0f);
  throng_world_destroy(world);
}

static void maps_that_are_refused(void **state) {
  (void)state;
  static map m, before;
  memset(&m, 0, sizeof m);
  m.width = 16, m.height = 8, m.cell = 1.0f;
  throng_world *world = seam_world(&m, THRONG_BOUNDARY_PERIODIC, THRONG_BOUNDARY_BOX, THRONG_SPACE_SPATIAL);
  before = m;
  throng_flow_goal goal = {{1, 0, 1}, 0};
  throng_cells_def cells = map_cells(&m);
  throng_error error;
#define REFUSED(expected, text_part)                                                                                   \
  require_error(throng_world_compute_flow_field(world, &cells, &goal, 1, m.vectors, m.distance, NULL, &error),         \
                expected, &error);                                                                                     \
  assert_non_null(strstr(error.text, text_part))
  cells.width = 15;
  REFUSED(THRONG_ERROR_BAD_VALUE, "15 m long along x, but the periodic world is 16 m long");
  cells = map_cells(&m);
  cells.origin.x = 17.0f;
  REFUSED(THRONG_ERROR_OUT_OF_RANGE, "cells.origin.x is 17");
  cells = map_cells(&m);
  goal.point.x = 16.5f;
  REFUSED(THRONG_ERROR_OUT_OF_RANGE, "goals[0] at (16.5");
  goal.point = (throng_vec3){1, 0, -0.5f};
  REFUSED(THRONG_ERROR_OUT_OF_RANGE, "goals[0]");
#undef REFUSED
  assert_memory_equal(&m, &before, sizeof m);
  cells.height = 3; /* may be any along z */
  goal.point = (throng_vec3){16, 0, 1};
  require_ok(throng_world_compute_flow_field(world, &cells, &goal, 1, m.vectors, m.distance, NULL, &error), &error);
  assert_true(m.distance[16] == 0.0f && m.distance[31] == 1.0f); /* the face is that of cell 0 */
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_flow_seam", 5200);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_have_no_seam),
      cmocka_unit_test(seam_is_no_special_place),
      cmocka_unit_test(walkers_arrive_across_the_seam),
      cmocka_unit_test(short_way_crosses_the_seam),
      cmocka_unit_test(samples_across_the_seam),
      cmocka_unit_test(maps_that_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
