/* tests/groups/test_sight.c: with walls_hide, neighbours behind scenery and blocked cells do not count.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/groups.h"
#include "support/stage.h"
#include "support/stand.h"

#include "reference/reference_a.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

static throng_group_def walker(bool walls_hide) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 1.4f;
  g.max_acceleration = 4.0f;
  g.body_radius = 0.25f;
  g.separation.weight = 1.0f;
  g.separation.radius = 2.5f;
  g.separation.strength = 3.0f;
  g.avoidance.weight = 1.0f;
  g.cohesion.weight = 0.3f;
  g.walls_hide = walls_hide;
  return g;
}

/* Ten walkers go along a line 0.4 m beside a wall. People stand on the other side of the wall. Returns how far the
 * walkers leave their line. */
static double leave_line(bool walls_hide, bool cells) {
  enum { WALKERS = 10, STANDING = 60 };
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 3.0f;
  throng_group_def g = walker(walls_hide), standing = stage_idle_group();
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.5f;
  throng_world *world = stage_world(&def, &g);
  throng_error error;
  require_ok(throng_world_set_group(world, 1, &standing, &error), &error);
  static stand s;
  memset(&s, 0, sizeof s);
  static uint8_t blocked[100];
  memset(blocked, 1, sizeof blocked);
  throng_cells_def map = throng_default_cells_def();
  map.width = 100, map.height = 1, map.cell = 0.5f, map.blocked = blocked;
  map.origin = (throng_vec3){-10, 0, -0.5f};
  add_wall(&s, -10, 0, 40, 0);
  if (cells) {
    require_ok(throng_world_set_cells(world, &map, &error), &error);
  } else {
    set_stand(world, &s);
  }
  throng_agent_id id[WALKERS];
  for (int k = 0; k < WALKERS; k++) {
    const throng_vec3 p = {-5.0f * (float)k, 0, 0.4f}, v = {1.4f, 0, 0}, goal = {1000, 0, 0.4f};
    stage_add(world, 1, &p, &v, &goal, &id[k]);
  }
  for (int k = 0; k < STANDING; k++) {
    const throng_vec3 p = {0.5f * (float)k - 5.0f, 0, k % 2 ? -0.8f : -1.2f};
    throng_agents_def agent = throng_default_agents_def();
    const uint8_t group = 1;
    agent.position.data = &p;
    agent.group.data = &group;
    require_ok(throng_agents_add(world, &agent, 1, NULL, &error), &error);
  }
  double most = 0;
  for (int frame = 0; frame < 900; frame++) {
    stage_step(world, 1 / 60.0f);
    for (int k = 0; k < WALKERS; k++) {
      const double off = fabs((double)stage_read(world, THRONG_COLUMN_POSITION, id[k]).z - 0.4);
      if (off > most) most = off;
    }
  }
  throng_world_destroy(world);
  return most;
}

static void people_behind_a_wall_do_not_push(void **state) {
  (void)state;
  for (int cells = 0; cells < 2; cells++) {
    const double before = leave_line(false, cells), now = leave_line(true, cells);
    print_message("beside a %s: %.2f m off the line, with walls_hide %.3g m\n", cells ? "row of cells" : "wall", before,
                  now);
    assert_true(before > 1.0 && now < 1e-6);
  }
}

/* Two agents of a planar world see each other if they are pushed apart: both, or neither. */
static bool see(throng_world *world, throng_vec3 p, throng_vec3 q) {
  const throng_vec3 both[2] = {p, q}, swapped[2] = {q, p};
  throng_agent_id ids[2];
  throng_error error;
  bool seen[2] = {false, false};
  for (int turn = 0; turn < 2; turn++) {
    stage_add(world, 2, turn ? swapped : both, NULL, NULL, ids);
    require_ok(throng_world_steer(world, 0.1f, &error), &error);
    for (int k = 0; k < 2; k++) {
      const bool pushed = stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[k])) > 0;
      if (turn || k) assert_int_equal(pushed, seen[0]);
      seen[0] = pushed;
    }
    require_ok(throng_agents_remove(world, ids, 2, &error), &error);
  }
  return seen[0];
}

static throng_world *plain_world(throng_space space) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  def.perception_radius = 10.0f;
  throng_group_def g = stage_idle_group();
  g.separation.weight = 1.0f;
  g.walls_hide = true;
  return stage_world(&def, &g);
}
#define AT(x, z) ((throng_vec3){x, 0, z})

static void walls_end_where_they_end(void **state) {
  (void)state;
  throng_world *world = plain_world(THRONG_SPACE_PLANAR);
  static stand s;
  memset(&s, 0, sizeof s);
  add_wall(&s, 0, 0, 2, 0);
  add_wall(&s, 2, 0, 3, -1); /* shares an end */
  set_stand(world, &s);
  assert_false(see(world, AT(1, 1), AT(1, -1)));
  assert_false(see(world, AT(1e-3f, 1e-3f), AT(1, -1e-3f)));
  assert_false(see(world, AT(0, 1), AT(0, -1)));          /* exactly through the end */
  assert_true(see(world, AT(-1e-6f, 1), AT(-1e-6f, -1))); /* past it */
  assert_false(see(world, AT(2.5f, 1), AT(1.5f, -1)));    /* through the shared end */
  assert_true(see(world, AT(1, 0), AT(1, -1)));           /* exactly on the wall */
  assert_true(see(world, AT(1, 0), AT(1, 1)));            /* … to both sides */
  assert_true(see(world, AT(0, 0), AT(1, 1)));            /* exactly at its end */
  assert_true(see(world, AT(-1, 0), AT(0, 0)));           /* along the wall */
  assert_true(see(world, AT(-2, 0), AT(-1, 0)));
  assert_true(see(world, AT(0.5f, 1), AT(2, 1))); /* on one side */
  assert_true(see(world, AT(4, 1), AT(4, -3)));   /* beside both */
  throng_world_destroy(world);
}

static void cells_hide_and_corners_are_shut(void **state) {
  (void)state;
  static const uint8_t blocked[16] = {0, 0, 0, 0,  /* z from 0 to 1 */
                                      0, 1, 0, 0,  /* 1 to 2 */
                                      0, 0, 1, 0,  /* 2 to 3 */
                                      0, 0, 0, 0}; /* 3 to 4 */
  throng_world *world = plain_world(THRONG_SPACE_PLANAR);
  throng_cells_def map = throng_default_cells_def();
  throng_error error;
  map.width = map.height = 4;
  map.blocked = blocked;
  require_ok(throng_world_set_cells(world, &map, &error), &error);
  assert_false(see(world, AT(0.5f, 1.5f), AT(2.5f, 1.5f)));
  assert_false(see(world, AT(1.5f, 0.5f), AT(1.5f, 2.5f)));
  assert_true(see(world, AT(0.5f, 0.5f), AT(3.5f, 0.5f)));
  assert_false(see(world, AT(1.5f, 2.5f), AT(2.5f, 1.5f))); /* between two blocked cells that share a corner */
  assert_true(see(world, AT(0.5f, 1.5f), AT(1.5f, 0.5f)));  /* touches the corner of one */
  assert_true(see(world, AT(2.5f, 1.5f), AT(3.5f, 2.5f)));  /* the same, the other diagonal */
  assert_true(see(world, AT(0.5f, 2.0f), AT(1.5f, 2.0f)));  /* along a border, in the free row above it */
  assert_false(see(world, AT(0.5f, 1.0f), AT(2.5f, 1.0f))); /* along a border, in the row of the blocked cell */
  assert_true(see(world, AT(-1, -1), AT(5, -1)));           /* outside of the map */
  throng_world_destroy(world);
}

static void solid_shapes_hide(void **state) {
  (void)state;
  throng_world *world = plain_world(THRONG_SPACE_PLANAR);
  static stand s;
  memset(&s, 0, sizeof s);
  add_ball(&s, 0, 0, 0, 1);
  set_stand(world, &s);
  assert_false(see(world, AT(-2, 0), AT(2, 0)));
  assert_true(see(world, AT(-2, 1), AT(2, 1))); /* touches it */
  assert_true(see(world, AT(-1, 0), AT(-2, 0)));
  throng_world_destroy(world);
  world = plain_world(THRONG_SPACE_SPATIAL);
  memset(&s, 0, sizeof s);
  s.low[0] = (throng_vec3){0, 0, 0};
  s.high[0] = (throng_vec3){1, 1, 1};
  s.boxes = 1;
  set_stand(world, &s);
  assert_false(see(world, (throng_vec3){-1, 0.5f, 0.5f}, (throng_vec3){2, 0.5f, 0.5f}));
  assert_false(see(world, (throng_vec3){-1, 0.5f, 0.5f}, (throng_vec3){0.5f, 1.2f, 0.6f}));
  assert_true(see(world, (throng_vec3){-1, 1, 0.5f}, (throng_vec3){2, 1, 0.5f})); /* along a face */
  assert_true(see(world, (throng_vec3){0, 0.5f, 0.5f}, (throng_vec3){-1, 0.5f, 0.5f}));
  throng_world_destroy(world);
}

/* The scenery of a random crowd: walls between points near agents, and shapes and cells that hold no agent. */
static void random_scenery(test_rng *rng, const crowd *c, throng_world *world, stand *s) {
  memset(s, 0, sizeof *s);
  const bool spatial = crowd_is_spatial(c);
  const float r = c->def.perception_radius, step = 0.25f * r;
  for (int k = 0; k < 24; k++) {
    throng_vec3 p = c->agents[rng_below(rng, c->count)].position, q = c->agents[rng_below(rng, c->count)].position;
    if (rng_chance(rng, 0.5f)) p.x += (float)((int)rng_below(rng, 5) - 2) * step;
    if (rng_chance(rng, 0.5f)) q.z += (float)((int)rng_below(rng, 5) - 2) * step;
    if (!spatial && (p.x != q.x || p.z != q.z) && k % 3 < 2) add_wall(s, p.x, p.z, q.x, q.z);
    if (!spatial && k % 3 < 2) continue;
    if (k % 3 == 2) add_ball(s, p.x, p.y, p.z, rng_float(rng, 0.05f, 0.6f) * r);
    if (k % 3 == 2) continue;
    s->low[s->boxes] = p;
    s->high[s->boxes++] = (throng_vec3){p.x + r * rng_float(rng, 0.1f, 1), p.y + r * rng_float(rng, 0.1f, 1),
                                        p.z + r * rng_float(rng, 0.1f, 1)};
  }
  /* A shape that an agent is in is refused: shapes are then left out one by one. */
  for (throng_error error;;) {
    const throng_scenery_def def = stand_def(s);
    const throng_status status = throng_world_set_scenery(world, &def, &error);
    if (status == THRONG_OK) return;
    assert_true(s->balls + s->boxes > 0);
    if (s->balls) s->balls--;
    if (s->boxes && (s->balls == 0 || spatial)) s->boxes--;
  }
}

#define SIDE 40u
static throng_cells_def random_cells(test_rng *rng, const crowd *c, uint8_t *blocked) {
  throng_cells_def map = throng_default_cells_def();
  const throng_vec3 middle = c->agents[0].position;
  map.width = map.height = SIDE;
  map.cell = 0.25f * c->def.perception_radius;
  map.origin = (throng_vec3){middle.x - 20.0f * map.cell, 0, middle.z - 20.0f * map.cell};
  map.blocked = blocked;
  for (uint32_t k = 0; k < SIDE * SIDE; k++) blocked[k] = rng_chance(rng, 0.3f);
  for (uint32_t i = 0; i < c->count; i++) {
    const throng_vec3 p = c->agents[i].position;
    const double x = ((double)p.x - (double)map.origin.x) / (double)map.cell,
                 z = ((double)p.z - (double)map.origin.z) / (double)map.cell;
    for (int k = 0; k < 9; k++) { /* and its neighbours, for rounding */
      const double cx = floor(x + 1e-6 * (k % 3 - 1)), cz = floor(z + 1e-6 * (k / 3 - 1));
      if (cx >= 0 && cz >= 0 && cx < SIDE && cz < SIDE) blocked[(uint32_t)cz * SIDE + (uint32_t)cx] = 0;
    }
  }
  return map;
}

/* The reference needs exact differences of coordinates: see reference_sight.h. */
static void drop_denormals(crowd *c) {
  const float least = 1e-6f * c->def.perception_radius;
  for (uint32_t i = 0; i < c->count; i++) {
    throng_vec3 *p = &c->agents[i].position;
    if (fabsf(p->x) < least) p->x = 0;
    if (fabsf(p->z) < least) p->z = 0;
  }
}

static void the_reference_sees_the_same(void **state) {
  (void)state;
  static const throng_isa isas[] = {THRONG_ISA_BASELINE, THRONG_ISA_AVX2, THRONG_ISA_AVX512};
  static const crowd_layout layouts[] = {LAYOUT_UNIFORM, LAYOUT_LATTICE, LAYOUT_COINCIDENT, LAYOUT_REACH};
  uint32_t hidden = 0;
  for (uint32_t round = 0; round < 240; round++) {
    const uint64_t seed = base_seed + round;
    const bool spatial = round % 3 == 2;
    const crowd_recipe recipe = {spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR,
                                 THRONG_BOUNDARY_UNBOUNDED,
                                 layouts[round / 2 % 4],
                                 40 + round % 60,
                                 false,
                                 round % 5 == 0};
    crowd *c = crowd_random(seed, &recipe);
    crowd_make_patient(c); /* reference A's scenery decides about sight alone */
    for (uint32_t g = 0; g < c->group_count; g++) {
      c->groups[g].behaviour_count = 0;
      c->groups[g].own_weight = THRONG_OWN_WEIGHT_NONE;
    }
    c->groups[0].walls_hide = true;
    drop_denormals(c);
    crowd_world_options options = {.isa = isas[round / 3 % 3]};
    if (!throng_isa_is_available(options.isa)) options.isa = THRONG_ISA_BASELINE;
    throng_world *world = crowd_world(c, &options);
    crowd_import(c, world);
    test_rng rng = rng_from(seed);
    static stand s;
    static uint8_t blocked[SIDE * SIDE];
    throng_error error;
    random_scenery(&rng, c, world, &s);
    const throng_scenery_def scenery = stand_def(&s);
    const throng_cells_def cells = random_cells(&rng, c, blocked);
    const bool mapped = !spatial && round % 2 && cells.cell >= 1e-3f;
    if (mapped) require_ok(throng_world_set_cells(world, &cells, &error), &error);
    ref_a_steer(c, 0.1f, NULL);
    throng_vec3 *unhidden = calloc(c->count, sizeof *unhidden);
    for (uint32_t i = 0; i < c->count; i++) unhidden[i] = c->agents[i].acceleration;
    c->scenery = &scenery;
    c->cells = mapped ? &cells : NULL;
    ref_a_steer(c, 0.1f, NULL);
    for (uint32_t i = 0; i < c->count; i++)
      hidden += memcmp(&unhidden[i], &c->agents[i].acceleration, sizeof *unhidden) != 0;
    free(unhidden);
    require_ok(throng_world_steer(world, 0.1f, &error), &error);
    require_crowd(c, world, THRONG_BIT(THRONG_COLUMN_ACCELERATION), "sight");
    throng_world_destroy(world);
    crowd_free(c);
  }
  print_message("%u agents had hidden neighbours\n", hidden);
  assert_true(hidden > 500);
}

int main(void) {
  base_seed = test_seed("sight", 30);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(people_behind_a_wall_do_not_push), cmocka_unit_test(walls_end_where_they_end),
      cmocka_unit_test(cells_hide_and_corners_are_shut), cmocka_unit_test(solid_shapes_hide),
      cmocka_unit_test(the_reference_sees_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
