/* tests/grid/test_grid.c: runs throng_world_check after every frame, in difficult worlds and in long runs in which
 * agents are added and removed. Checks that views are in grid order and equal reads by id.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/stage.h"

#include "state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

static bool same_bits(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Checks that every agent is once in the view, with the values that reading by id gives. */
static void require_view(const throng_world *world) {
  throng_error error;
  throng_view view;
  require_ok(throng_world_view(world, &view, &error), &error);
  const uint32_t n = throng_agents_count(world);
  assert_int_equal(view.count, n);
  if (n == 0) return;
  throng_agent_id *ids = calloc(n, sizeof *ids);
  throng_vec3 *p = calloc(n, sizeof *p), *v = calloc(n, sizeof *v);
  if (ids == NULL || p == NULL || v == NULL) abort();
  uint32_t count;
  require_ok(throng_agents_get_ids(world, ids, n, &count, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, n, p, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, n, v, 0, &error), &error);
  const uint32_t top = ids[n - 1].index;
  uint32_t *slot = malloc(((size_t)top + 1) * sizeof *slot);
  if (slot == NULL) abort();
  memset(slot, 0xff, ((size_t)top + 1) * sizeof *slot);
  for (uint32_t k = 0; k < n; k++) {
    assert_true(view.id_index[k] <= top && slot[view.id_index[k]] == UINT32_MAX);
    slot[view.id_index[k]] = k;
  }
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t k = slot[ids[i].index];
    assert_true(k < n);
    assert_true(i == 0 || ids[i - 1].index < ids[i].index);
    assert_true(same_bits(view.position_x[k], p[i].x) && same_bits(view.position_z[k], p[i].z));
    assert_true(view.position_y == NULL ? p[i].y == 0.0f : same_bits(view.position_y[k], p[i].y));
    assert_true(same_bits(view.velocity_x[k], v[i].x) && same_bits(view.velocity_z[k], v[i].z));
    assert_true(view.velocity_y == NULL ? v[i].y == 0.0f : same_bits(view.velocity_y[k], v[i].y));
  }
  free(slot);
  free(ids);
  free(p);
  free(v);
}

static void check_recipe(uint64_t seed, const crowd_recipe *recipe, uint32_t frames) {
  static const float dts[] = {0.0f, 0.02f, 0.1f, 1.0f};
  crowd *c = crowd_random(seed, recipe);
  const crowd_world_options options = {.threads = 1 + (uint32_t)(seed % 3), .capacity = seed % 4 == 0 ? 20000 : 0};
  throng_world *world = crowd_world(c, &options);
  throng_error error;
  char when[100];
  require_sound(world, "before indexing");
  require_ok(throng_world_index(world, &error), &error);
  for (uint32_t frame = 0; frame < frames; frame++) {
    snprintf(when, sizeof when, "%s, seed %" PRIu64 ", %u agents, frame %u", crowd_layout_name(recipe->layout), seed,
             recipe->count, frame);
    require_sound(world, when);
    assert_true(throng_world_is_indexed(world));
    require_view(world);
    require_ok(throng_world_step(world, dts[(seed + frame) % 4], &error), &error);
  }
  require_sound(world, when);
  throng_world_destroy(world);
  crowd_free(c);
}

static void hostile_worlds(void **state) {
  (void)state;
  static const uint32_t counts[] = {0, 1, 3, 64, 65, 400};
  uint64_t seed = base_seed;
  for (uint32_t layout = 0; layout < LAYOUT_COUNT; layout++)
    for (uint32_t space = 0; space < 2; space++)
      for (uint32_t boundary = 0; boundary < CROWD_BOUNDARIES; boundary++)
        for (uint32_t k = 0; k < 6; k++) {
          const crowd_recipe recipe = {(throng_space)space, boundary,   (crowd_layout)layout,
                                       counts[k],           k % 2 == 0, false};
          check_recipe(seed++, &recipe, 6);
        }
}

static void large_worlds(void **state) {
  (void)state;
  uint64_t seed = base_seed + 1000;
  for (uint32_t layout = 0; layout < LAYOUT_COUNT; layout++) {
    if (layout == LAYOUT_COINCIDENT || layout == LAYOUT_ONE_BIN || layout == LAYOUT_LATTICE || layout == LAYOUT_SEAM ||
        layout == LAYOUT_FAR)
      continue; /* too many neighbours per agent */
    const crowd_recipe recipe = {
        (throng_space)(layout % 2), layout % CROWD_BOUNDARIES, (crowd_layout)layout, 20000, true, false};
    check_recipe(seed++, &recipe, 2);
  }
}

#define MANY 300000u /* enough for several bands per worker */

/* Creates a periodic world. Half of the caller's agents are so fast that they cross many bands per frame. */
static throng_world *many_agents(uint32_t threads, const throng_vec3 *p, const throng_vec3 *v) {
  throng_world_def def = throng_default_world_def();
  def.thread_count = threads;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max.x = def.box_max.z = 300.0f;
  throng_group_def group = throng_default_group_def();
  group.max_speed = 1000.0f;
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = p;
  agents.velocity.data = v;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_world_set_group(world, 0, &group, &error), &error);
  require_ok(throng_agents_add(world, &agents, MANY, NULL, &error), &error);
  return world;
}

static void many_bands(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed + 2000);
  throng_vec3 *p = calloc(MANY, sizeof *p), *v = calloc(MANY, sizeof *v);
  if (p == NULL || v == NULL) abort();
  for (uint32_t k = 0; k < MANY; k++) {
    const float speed = k % 2 == 0 ? 1.0f : 700.0f;
    p[k] = (throng_vec3){rng_float(&rng, 0, 299), 0, rng_float(&rng, 0, 299)};
    v[k] = (throng_vec3){rng_float(&rng, -speed, speed), 0, rng_float(&rng, -speed, speed)};
  }
  throng_world *one = many_agents(1, p, v), *three = many_agents(3, p, v);
  throng_error error;
  for (uint32_t frame = 0; frame < 3; frame++) {
    require_ok(throng_world_step(one, 0.05f, &error), &error);
    require_ok(throng_world_step(three, 0.05f, &error), &error);
    require_sound(one, "many agents, one worker");
    require_sound(three, "many agents, three workers");
    assert_true(throng_world_hash(one, STATE_COLUMNS) == throng_world_hash(three, STATE_COLUMNS));
  }
  throng_world_destroy(one);
  throng_world_destroy(three);
  free(p);
  free(v);
}

#define MOVERS 20000u

/* In each round this share of the agents whose position.z is below `z` moves. */
typedef struct {
  float share, z;
} moving;

/* Moves the agents that `who` describes to random positions, some of them into a dense heap. at[id index] is an agent's
 * position. */
static void move_some(test_rng *rng, throng_world *world, throng_vec3 *at, const moving *who) {
  throng_edit edit;
  throng_error error;
  for (uint32_t id = 1; id <= MOVERS; id++) {
    if (at[id].z >= who->z || !rng_chance(rng, who->share)) continue;
    at[id] = (throng_vec3){rng_float(rng, 0, 39), 0, rng_float(rng, 0, 39)};
    if (rng_chance(rng, 0.3f)) at[id] = (throng_vec3){rng_float(rng, 20.0f, 20.2f), 0, 20.5f};
  }
  require_ok(throng_world_edit(world, &edit, &error), &error);
  for (uint32_t k = 0; k < edit.count; k++) {
    edit.position_x[k] = at[edit.id_index[k]].x;
    edit.position_z[k] = at[edit.id_index[k]].z;
  }
}

/* For few and many movers, on one and several workers: the grid must be sound and every agent at its position. */
static void movers(void **state) {
  (void)state;
  static const moving rounds[] = {{1.0f, 40},  {0.0f, 40}, {0.0001f, 40}, {0.01f, 40}, {0.1f, 40}, {0.24f, 40},
                                  {0.26f, 40}, {0.5f, 40}, {0.9f, 40},    {0.05f, 40}, {1.0f, 40}, {0.2f, 40},
                                  {1.0f, 8},   {0.9f, 4},  {1.0f, 24}}; /* in these three, only agents of some rows
                                                                           move */
  throng_vec3 *at = calloc(MOVERS + 1, sizeof *at);
  if (at == NULL) abort();
  for (uint32_t threads = 1; threads <= 5; threads += 2) {
    throng_world_def def = throng_default_world_def();
    def.thread_count = threads;
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
    def.box_max.x = def.box_max.z = 40.0f;
    throng_agents_def agents = throng_default_agents_def();
    agents.position.data = at;
    throng_world *world = NULL;
    throng_error error;
    test_rng rng = rng_from(base_seed + 3000);
    require_ok(throng_world_create(&def, &world, &error), &error);
    memset(at, 0, (MOVERS + 1) * sizeof *at);
    require_ok(throng_agents_add(world, &agents, MOVERS, NULL, &error), &error);
    for (size_t k = 0; k < sizeof rounds / sizeof rounds[0]; k++) {
      char when[80];
      snprintf(when, sizeof when, "%.4f of the agents with z < %.0f moved, %u threads", (double)rounds[k].share,
               (double)rounds[k].z, threads);
      move_some(&rng, world, at, &rounds[k]);
      require_ok(throng_world_index(world, &error), &error);
      require_sound(world, when);
      require_view(world);
      throng_view view;
      require_ok(throng_world_view(world, &view, &error), &error);
      for (uint32_t i = 0; i < view.count; i++) {
        const throng_vec3 *p = &at[view.id_index[i]];
        assert_true(same_bits(view.position_x[i], p->x) && same_bits(view.position_z[i], p->z));
      }
    }
    throng_world_destroy(world);
  }
  free(at);
}

/* Adds up to 60 agents around a point; `spread` 0 puts all of them at the point. */
static void add_some(test_rng *rng, throng_world *world, throng_vec3 centre, float spread) {
  throng_vec3 p[60];
  const uint32_t count = 1 + rng_below(rng, 60);
  for (uint32_t k = 0; k < count; k++)
    p[k] = (throng_vec3){centre.x + rng_float(rng, -spread, spread), centre.y + rng_float(rng, -spread, spread),
                         centre.z + rng_float(rng, -spread, spread)};
  throng_agents_def def = throng_default_agents_def();
  def.position = (throng_span){p, 0};
  throng_error error;
  require_ok(throng_agents_add(world, &def, count, NULL, &error), &error);
}

static void remove_some(test_rng *rng, throng_world *world) {
  const uint32_t n = throng_agents_count(world);
  throng_agent_id *ids = calloc((size_t)n + 1, sizeof *ids);
  if (ids == NULL) abort();
  throng_error error;
  uint32_t count, gone = 0;
  require_ok(throng_agents_get_ids(world, ids, n, &count, &error), &error);
  for (uint32_t i = 0; i < n; i++)
    if (rng_chance(rng, 0.3f)) ids[gone++] = ids[i];
  require_ok(throng_agents_remove(world, ids, gone, &error), &error);
  assert_int_equal(throng_agents_count(world), n - gone);
  free(ids);
}

/* Moves all agents through the edit view, to random positions within `spread` of the origin in x and z. */
static void scatter_all(test_rng *rng, throng_world *world, float spread) {
  throng_edit edit;
  throng_error error;
  require_ok(throng_world_index(world, &error), &error); /* edits refuse after removals */
  require_ok(throng_world_edit(world, &edit, &error), &error);
  for (uint32_t k = 0; k < edit.count; k++) {
    edit.position_x[k] = rng_float(rng, -spread, spread);
    edit.position_z[k] = rng_float(rng, -spread, spread);
  }
}

static void long_walks(void **state) {
  (void)state;
  for (uint32_t walk = 0; walk < 8; walk++) {
    test_rng rng = rng_from(base_seed + 77 + walk);
    throng_world_def def = throng_default_world_def();
    throng_error error;
    throng_world *world = NULL;
    def.space = (throng_space)(walk % 2);
    def.thread_count = 1 + walk % 3;
    require_ok(throng_world_create(&def, &world, &error), &error);
    throng_vec3 centre = {0, 0, 0};
    for (uint32_t round = 0; round < 120; round++) {
      const float reach = rng_chance(&rng, 0.1f) ? 5000.0f : 5.0f;
      centre = (throng_vec3){centre.x * 0.9f + rng_float(&rng, -reach, reach), rng_float(&rng, -3, 3),
                             rng_float(&rng, -reach, reach)};
      add_some(&rng, world, centre, rng_pick(&rng, (const float[]){0.0f, 0.1f, 3.0f, 200.0f}, 4));
      if (rng_chance(&rng, 0.7f)) remove_some(&rng, world);
      if (rng_chance(&rng, 0.1f))
        scatter_all(&rng, world, rng_pick(&rng, (const float[]){0.0f, 1.0f, 60.0f, 9000.0f}, 4));
      assert_true(!throng_world_is_indexed(world) || throng_agents_count(world) == 0);
      require_sound(world, "dirty");
      require_ok(rng_chance(&rng, 0.5f) ? throng_world_step(world, 0.05f, &error) : throng_world_index(world, &error),
                 &error);
      require_sound(world, "a long walk");
      require_view(world);
    }
    throng_world_destroy(world);
  }
}

/* Creates a world with agents at `p` and steps it with dt 0. */
static throng_world *world_of(const throng_world_def *def, const throng_vec3 *p, uint32_t count) {
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(def, &world, &error), &error);
  stage_add(world, count, p, NULL, NULL, NULL);
  stage_step(world, 0.0f);
  require_sound(world, "after one frame");
  return world;
}
static throng_world *world_on(uint32_t threads, const throng_vec3 *p, uint32_t count) {
  throng_world_def def = throng_default_world_def();
  def.thread_count = threads;
  return world_of(&def, p, count);
}

/* Creates a world with agents at random positions of a box. */
static throng_world *world_of_box(throng_space space, throng_boundary boundary, uint32_t count, throng_vec3 side) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  throng_world_def_set_boundary(&def, boundary);
  if (boundary != THRONG_BOUNDARY_UNBOUNDED) def.box_max = side;
  throng_vec3 *p = calloc(count, sizeof *p);
  if (p == NULL) abort();
  test_rng rng = rng_from(base_seed + 77);
  for (uint32_t k = 0; k < count; k++)
    p[k] = (throng_vec3){rng_float(&rng, 0.0f, side.x), rng_float(&rng, 0.0f, side.y), rng_float(&rng, 0.0f, side.z)};
  p[0] = (throng_vec3){0.0f, 0.0f, 0.0f};
  p[1] = (throng_vec3){side.x * 0.9999f, side.y * 0.9999f, side.z * 0.9999f};
  throng_world *world = world_of(&def, p, count);
  free(p);
  return world;
}

/* Checks the numbers of bins and rows of the torus, as powers of two, for agents in a box (R is 1 m). */
static void toruses_have_room(void **state) {
  (void)state;
  static const struct {
    throng_space space;
    throng_boundary boundary;
    uint32_t agents;
    throng_vec3 side;
    uint32_t bits[3]; /* x, y, z */
  } cases[] = {
      /* Spatial, about 20 neighbours per agent: no axis is folded. */
      {THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_UNBOUNDED, 4000, {9.4f, 9.4f, 9.4f}, {6, 4, 4}},
      {THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, 24000, {17.1f, 17.1f, 17.1f}, {7, 5, 5}},
      /* Spatial, about 5 neighbours per agent; planar, about 3. */
      {THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, 10000, {20.3f, 20.3f, 20.3f}, {7, 5, 5}},
      {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_UNBOUNDED, 10000, {102.0f, 0.0f, 102.0f}, {9, 0, 7}},
      /* Too few agents for so many cells: rows are folded before bins. */
      {THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, 6000, {17.1f, 17.1f, 17.1f}, {7, 5, 4}},
      {THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, 3000, {17.1f, 17.1f, 17.1f}, {7, 4, 4}},
      {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, 1000, {300.0f, 0.0f, 300.0f}, {8, 0, 5}},
      /* Axes with few cells get more, so that the ends of the world are not adjacent on the torus: 32 bins and 8 rows;
       * 16 rows; 64 bins, but not 32 rows. */
      {THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, 2000, {7.9f, 7.9f, 7.9f}, {6, 4, 4}},
      {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, 5000, {40.0f, 0.0f, 15.9f}, {8, 0, 5}},
      {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, 5000, {15.9f, 0.0f, 31.9f}, {7, 0, 5}},
      /* A periodic torus has all cells of the period, unless that is very large or nearly empty. */
      {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, 1000, {55.0f, 0.0f, 50.0f}, {8, 0, 6}},
      {THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, 2000, {32.0f, 32.0f, 64.0f}, {7, 5, 6}},
      {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, 50, {256.0f, 0.0f, 128.0f}, {10, 0, 7}},
      {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, 50, {256.0f, 0.0f, 256.0f}, {7, 0, 4}},
      {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, 4000, {512.0f, 0.0f, 256.0f}, {9, 0, 6}},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    throng_world *world = world_of_box(cases[k].space, cases[k].boundary, cases[k].agents, cases[k].side);
    const struct torus torus = world->grid.torus;
    const uint32_t *bits = cases[k].bits;
    if (torus.bits_x != bits[0] || torus.bits_y != bits[1] || torus.bits_z != bits[2])
      fail_msg("case %zu: the torus has bits %u, %u, %u, expected %u, %u, %u", k, torus.bits_x, torus.bits_y,
               torus.bits_z, bits[0], bits[1], bits[2]);
    throng_world_destroy(world);
  }
}

/* The size of the torus must not change each time that an agent crosses the border of the last cells. */
static void a_torus_lasts(void **state) {
  (void)state;
  throng_world *world =
      world_of_box(THRONG_SPACE_PLANAR, THRONG_BOUNDARY_UNBOUNDED, 2000, (throng_vec3){31.9f, 0.0f, 31.9f});
  throng_error error;
  static throng_agent_id ids[2000];
  uint32_t count, changes = 0;
  require_ok(throng_agents_get_ids(world, ids, 2000, &count, &error), &error);
  for (uint32_t frame = 0; frame < 20; frame++) {
    const throng_vec3 p = {frame % 2 ? 32.5f : 31.5f, 0.0f, frame % 4 > 1 ? 32.5f : 31.5f};
    const struct torus before = world->grid.torus;
    require_ok(throng_agents_write(world, THRONG_COLUMN_POSITION, ids, 1, &p, 0, &error), &error);
    require_ok(throng_world_step(world, 0.0f, &error), &error);
    changes += memcmp(&before, &world->grid.torus, sizeof before) != 0;
  }
  assert_in_range(changes, 1, 2); /* to more bins, and to more rows */
  throng_world_destroy(world);
}

/* With enough agents there must be at least four strips and two bands per worker. One worker must have strips of nearly
 * the maximum length. */
static void small_crowds_are_shared(void **state) {
  (void)state;
  static const uint32_t counts[] = {700, 2048, 3000, 4096, 8192, 10000, 20000};
  throng_vec3 *p = calloc(20000, sizeof *p);
  if (p == NULL) abort();
  test_rng rng = rng_from(base_seed + 88);
  for (uint32_t threads = 1; threads <= 16; threads *= 2)
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
      const uint32_t count = counts[c];
      const float side = sqrtf((float)count / 6.0f);
      for (uint32_t k = 0; k < count; k++)
        p[k] = (throng_vec3){rng_float(&rng, 0.0f, side), 0.0f, rng_float(&rng, 0.0f, side)};
      throng_world *world = world_on(threads, p, count);
      const struct grid *grid = &world->grid;
      const uint32_t team = world->executor.team;
      uint32_t longest = 0;
      for (uint32_t k = 0; k < grid->strips; k++) {
        const uint32_t agents = grid->strip_start[k + 1] - grid->strip_start[k];
        longest = agents > longest ? agents : longest;
      }
      assert_in_range(longest, 1, STRIP_AGENTS);
      assert_in_range(grid->strips, 1, 3 * count / LEAST_STRIP_AGENTS + 1); /* most_strips tests the maximum */
      if (team == 1) assert_true(longest > STRIP_AGENTS / 2);
      if (team > 1 && count >= 4 * team * LEAST_STRIP_AGENTS) assert_true(grid->strips >= 4 * team);
      if (team > 1 && count >= 2 * team * 512) assert_true(grid->bands >= 2 * team);
      throng_world_destroy(world);
    }
  free(p);
}

/* The maximum number of strips: a row of one agent alternates with a row that is one agent too long for a strip. */
static void most_strips(void **state) {
  (void)state;
  enum { PAIRS = 40, ROW = LEAST_STRIP_AGENTS + 1, ALL = PAIRS * (ROW + 1) };
  throng_vec3 *p = calloc(ALL, sizeof *p);
  if (p == NULL) abort();
  for (uint32_t k = 0; k < ALL; k++) {
    const uint32_t pair = k / (ROW + 1), number = k % (ROW + 1);
    p[k] = (throng_vec3){(float)number * 0.4f, 0.0f, (float)(2 * pair) + (number == 0 ? 0.5f : 1.5f)};
  }
  throng_world *world = world_on(16, p, ALL);
  if (world->executor.team > 1) assert_int_equal(world->grid.strips, 3 * PAIRS);
  throng_world_destroy(world);
  free(p);
}

int main(void) {
  base_seed = test_seed("test_grid", 31337);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(toruses_have_room), cmocka_unit_test(a_torus_lasts),
      cmocka_unit_test(hostile_worlds),    cmocka_unit_test(large_worlds),
      cmocka_unit_test(many_bands),        cmocka_unit_test(movers),
      cmocka_unit_test(long_walks),        cmocka_unit_test(small_crowds_are_shared),
      cmocka_unit_test(most_strips),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
