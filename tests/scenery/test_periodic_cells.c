/* tests/scenery/test_periodic_cells.c: scenery cells in worlds with periodic axes. An agent of such a world moves as an
 * agent of a world without them whose map repeats beside the box, until it is wrapped.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/stage.h"
#include "support/stand.h"
#include "support/twins.h"

#include <string.h>

#define SIDE TWINS_SIDE
#define MOST_CELLS 40u
#define AGENTS 60u

static uint64_t base_seed;

typedef struct map {
  uint32_t width, height;
  float cell;
  throng_vec3 origin;
  uint8_t blocked[16 * MOST_CELLS * MOST_CELLS];
} map;

static throng_cells_def def_of(const map *m) {
  throng_cells_def def = throng_default_cells_def();
  def.width = m->width;
  def.height = m->height;
  def.cell = m->cell;
  def.origin = m->origin;
  def.blocked = m->blocked;
  return def;
}

/* Returns a map whose cells are sums of powers of two, so that the repeated map has the same borders. */
static void some_map(test_rng *rng, map *m) {
  static const uint32_t sizes[] = {5, 10, 16, 20, 40};
  static const float starts[] = {0, 0, 0, 5, 12.5f, SIDE};
  m->width = m->height = sizes[rng_below(rng, 5)];
  m->cell = SIDE / (float)m->width;
  m->origin = (throng_vec3){rng_pick(rng, starts, 6), 0, rng_pick(rng, starts, 6)};
  for (uint32_t k = 0; k < m->width * m->height; k++) m->blocked[k] = rng_chance(rng, 0.25f);
}

/* The map four times along each periodic axis, in the place that the box needs. */
static void repeat(const throng_world_def *def, const map *m, map *all) {
  const uint32_t x = def->boundary[0] == THRONG_BOUNDARY_PERIODIC ? 4 : 1,
                 z = def->boundary[2] == THRONG_BOUNDARY_PERIODIC ? 4 : 1;
  *all = *m;
  all->width = x * m->width;
  all->height = z * m->height;
  if (x > 1) all->origin.x -= 2 * SIDE;
  if (z > 1) all->origin.z -= 2 * SIDE;
  for (uint32_t j = 0; j < all->height; j++)
    for (uint32_t i = 0; i < all->width; i++)
      all->blocked[j * all->width + i] = m->blocked[j % m->height * m->width + i % m->width];
}

static throng_vec3 some_point(test_rng *rng) {
  throng_vec3 p = {rng_float(rng, 0, SIDE), 0, rng_float(rng, 0, SIDE)};
  if (rng_chance(rng, 0.4f)) p.x = rng_chance(rng, 0.5f) ? rng_float(rng, 0, 0.3f) : rng_float(rng, SIDE - 0.3f, SIDE);
  if (rng_chance(rng, 0.4f)) p.z = rng_chance(rng, 0.5f) ? rng_float(rng, 0, 0.3f) : rng_float(rng, SIDE - 0.3f, SIDE);
  if (p.x >= SIDE) p.x = 0;
  if (p.z >= SIDE) p.z = 0;
  return p;
}

static void make_worlds(twins *t, test_rng *rng) {
  static map given, all;
  throng_error error;
  throng_world_def def = throng_default_world_def();
  crowd_set_boundary(&def, (const uint32_t[]){2, 3, 5}[rng_below(rng, 3)]);
  def.update = (throng_update)rng_below(rng, 3);
  throng_group_def group = stage_idle_group();
  group.body_radius = 0.2f;
  twins_make(t, def, &group);
  some_map(rng, &given);
  repeat(&def, &given, &all);
  const throng_cells_def few = def_of(&given), many = def_of(&all);
  require_ok(throng_world_set_cells(t->world, &few, &error), &error);
  require_ok(throng_world_set_cells(t->open, &many, &error), &error);
  if (rng_chance(rng, 0.3f)) { /* and a ball that has no images */
    stand s = {0};
    add_ball(&s, 10, 0, 10, 0.1f);
    set_stand(t->world, &s);
    set_stand(t->open, &s);
  }
}

static void an_agent_moves_as_on_a_repeated_map(void **state) {
  (void)state;
  static twins t;
  for (uint64_t seed = base_seed; seed < base_seed + 400; seed++) {
    test_rng rng = rng_from(seed);
    make_worlds(&t, &rng);
    for (uint32_t k = 0; k < 4 * AGENTS && t.count < AGENTS; k++) {
      const throng_vec3 p = some_point(&rng);
      twins_offer(&t, &rng, p, (throng_vec3){rng_float(&rng, -30, 30), 0, rng_float(&rng, -30, 30)});
    }
    twins_compare(&t, rng_float(&rng, 0.02f, 0.3f), seed);
  }
  print_message("%u coordinates were wrapped, and %u stopped\n", t.wraps, t.stops);
  assert_true(t.wraps > 100 && t.stops > 100);
}

/* Cells of 0.1 m tile 20.3 m up to rounding. No agent ends in a blocked cell, whatever rounding does at the seam. */
static void no_agent_ends_in_a_blocked_cell(void **state) {
  (void)state;
  static uint8_t blocked[203 * 203];
  test_rng rng = rng_from(base_seed);
  throng_error error;
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_min = (throng_vec3){0.1f, 0, 0.1f};
  def.box_max = (throng_vec3){20.4f, 0, 20.4f};
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(&def, &idle);
  throng_cells_def cells = throng_default_cells_def();
  cells.width = cells.height = 203;
  cells.cell = 0.1f;
  cells.origin = (throng_vec3){0.1f, 0, 0.1f};
  cells.blocked = blocked;
  for (size_t k = 0; k < sizeof blocked; k++) blocked[k] = rng_chance(&rng, 0.1f);
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  throng_agent_id ids[AGENTS];
  throng_vec3 start[AGENTS], velocity[AGENTS];
  uint32_t count = 0;
  while (count < AGENTS) {
    const throng_vec3 p = some_point(&rng);
    if (!throng_world_is_free(world, p, 0)) continue;
    start[count] = p;
    velocity[count++] = (throng_vec3){rng_float(&rng, -5, 5), 0, rng_float(&rng, -5, 5)};
  }
  stage_add(world, count, start, velocity, NULL, ids);
  for (uint32_t frame = 0; frame < 400; frame++) {
    stage_step(world, 0.02f);
    for (uint32_t k = 0; k < count; k++) {
      assert_true(throng_world_is_free(world, stage_read(world, THRONG_COLUMN_POSITION, ids[k]), 0));
      if (frame % 10 != 9) continue;
      const throng_vec3 v = {rng_float(&rng, -5, 5), 0, rng_float(&rng, -5, 5)};
      stage_write(world, THRONG_COLUMN_VELOCITY, ids[k], v);
    }
  }
  throng_world_destroy(world);
}

/* Blocked cells at one end of the world hide neighbours at the other end. */
static void cells_hide_across_the_seam(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){SIDE, 1, SIDE};
  throng_group_def group = throng_default_group_def();
  group.walls_hide = true;
  for (int hidden = 0; hidden < 2; hidden++) {
    throng_world *world = stage_world(&def, &group);
    static map m;
    throng_error error;
    m = (map){.width = 40, .height = 40, .cell = 0.5f};
    m.blocked[16 * 40] = (uint8_t)hidden;
    const throng_cells_def cells = def_of(&m);
    require_ok(throng_world_set_cells(world, &cells, &error), &error);
    const throng_vec3 p[2] = {{0.6f, 0, 8.2f}, {SIDE - 0.2f, 0, 8.2f}};
    throng_agent_id ids[2];
    stage_add(world, 2, p, NULL, NULL, ids);
    stage_step(world, 0.1f);
    assert_true((stage_read(world, THRONG_COLUMN_VELOCITY, ids[0]).x == 0.0f) == (hidden == 1));
    throng_world_destroy(world);
  }
}

/* The cells must tile a periodic axis; along other axes the map may have any size. */
static void cells_must_tile(void **state) {
  (void)state;
  static map m;
  throng_error error;
  throng_world_def def = throng_default_world_def();
  def.boundary[0] = THRONG_BOUNDARY_PERIODIC;
  def.boundary[2] = THRONG_BOUNDARY_BOX;
  def.box_max = (throng_vec3){SIDE, 1, SIDE};
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(&def, &idle);
  m = (map){.width = 20, .height = 7, .cell = 1};
  throng_cells_def cells = def_of(&m);
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  cells.width = 19;
  require_error(throng_world_set_cells(world, &cells, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(
      strstr(error.text, "cells.width is 19: the cells are 19 m long along x, but the periodic world is 20"));
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_periodic_cells", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_agent_moves_as_on_a_repeated_map),
      cmocka_unit_test(no_agent_ends_in_a_blocked_cell),
      cmocka_unit_test(cells_hide_across_the_seam),
      cmocka_unit_test(cells_must_tile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
