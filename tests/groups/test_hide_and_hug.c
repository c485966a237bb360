/* test_hide_and_hug.c: tests of the behaviours hide and hug_walls against the reference and on known scenes.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"
#include "support/stand.h"

#include "reference/reference_a.h"
#include "reference/reference_scenery.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint64_t base_seed;

#define AGENTS 80

static void random_parameters(test_rng *rng, throng_behaviour *b, float side) {
  throng_parameter p;
  for (uint32_t k = 0; throng_behaviour_get_parameter(b->kind, k, &p); k++) {
    const bool time = strstr(p.name, "time") != NULL;
    const float value = rng_float(rng, 0, time ? 1.0f : side * 0.4f);
    const bool low = rng_chance(rng, 0.1f) || (double)value < p.lowest;
    const double set = p.type == THRONG_PARAMETER_BOOL ? p.highest : (double)value;
    assert_true(throng_behaviour_set_value(b, &p, low ? p.lowest : set));
  }
}

static throng_vec3 expected(const stand *s, borders *around, const throng_group_def *g, throng_vec3 p, throng_vec3 v,
                            bool spatial) {
  const throng_scenery_def scenery = stand_def(s);
  const throng_behaviour *b = &g->behaviour[0];
  const ref_feeler who = {p,           v,           g->body_radius, g->max_acceleration,
                          0,           spatial,     g->max_speed,   borders_cells(around),
                          around->box, around->low, around->high,   {false, false}};
  const throng_vec3 q = b->target.point, dp = {q.x - p.x, q.y - p.y, q.z - p.z};
  const throng_vec3 a = b->kind == THRONG_BEHAVIOUR_HIDE ? ref_hide(&scenery, &who, &b->hide, dp)
                                                         : ref_hug_walls(&scenery, &who, &b->hug_walls);
  return group_blend_one(g, a, spatial);
}

/* Compares agents in a random scenery with the reference. Returns the id index of the first that differs, or 0. Adds to
 * *moved how many had an acceleration. */
static uint32_t compare_stand(uint64_t seed, uint32_t *moved) {
  test_rng rng = rng_from(seed);
  const bool spatial = seed % 2;
  const place at = random_place(&rng, spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR),
              around = {at.space, {-0.5f * at.side, -0.5f * at.side, -0.5f * at.side}, at.side};
  static stand s;
  s = random_stand(&rng, &at);
  borders border = random_borders(&rng, &at);
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  def.space = at.space;
  set_borders_box(&def, &border);
  g.body_radius = rng_chance(&rng, 0.3f) ? 0.0f : rng_float(&rng, 0, 0.05f) * at.side;
  g.max_acceleration = at.side * rng_float(&rng, 0.1f, 10);
  g.max_speed = at.side;
  throng_behaviour *b = group_want(&g, seed % 4 < 2 ? THRONG_BEHAVIOUR_HIDE : THRONG_BEHAVIOUR_HUG_WALLS, 1.0f);
  random_parameters(&rng, b, at.side);
  b->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = random_point(&rng, &at)};
  throng_world *world = stage_world(&def, &g);
  throng_error error;
  set_stand(world, &s);
  set_borders_cells(world, &border);
  throng_vec3 p[AGENTS], v[AGENTS], a[AGENTS];
  for (int k = 0; k < AGENTS;) {
    p[k] = random_point(&rng, &at);
    v[k] = random_point(&rng, &around);
    if (rng_chance(&rng, 0.1f)) v[k] = (throng_vec3){0, 0, 0};
    if (throng_world_is_free(world, p[k], 0)) k++;
  }
  stage_add(world, AGENTS, p, v, NULL, NULL);
  uint32_t wrong = 0;
  for (int frame = 0; frame < 8 && wrong == 0; frame++) {
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, p, 0, &error), &error);
    require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, AGENTS, v, 0, &error), &error);
    require_ok(throng_world_steer(world, 0.05f, &error), &error);
    require_ok(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, NULL, AGENTS, a, 0, &error), &error);
    require_ok(throng_world_integrate(world, 0.05f, &error), &error);
    for (uint32_t k = 0; k < AGENTS && wrong == 0; k++) {
      const throng_vec3 want = expected(&s, &border, &g, p[k], v[k], spatial);
      *moved += want.x != 0.0f;
      if (want.x != a[k].x || want.z != a[k].z || (spatial && want.y != a[k].y)) wrong = k + 1;
    }
  }
  throng_world_destroy(world);
  return wrong;
}

static void the_reference_steers_the_same(void **state) {
  (void)state;
  uint32_t moved = 0;
  for (uint32_t round = 0; round < 160; round++) {
    const uint32_t wrong = compare_stand(base_seed + round, &moved);
    if (wrong != 0)
      print_error("seed %" PRIu64 ", agent %u: not the reference's acceleration\n", base_seed + round, wrong);
    assert_int_equal(wrong, 0);
  }
  assert_true(moved > 160 * AGENTS);
}

/* Moves one agent of the group g from p with velocity v for `frames` frames, and calls `watch` after each. */
typedef void watcher(throng_vec3 p, throng_vec3 v, int frame, void *context);
static void run(const stand *s, const throng_group_def *g, throng_space space, throng_vec3 p, throng_vec3 v, int frames,
                watcher *watch, void *context) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  throng_world *world = stage_world(&def, g);
  throng_agent_id id;
  set_stand(world, s);
  stage_add(world, 1, &p, &v, NULL, &id);
  for (int frame = 0; frame < frames; frame++) {
    stage_step(world, 1.0f / 60.0f);
    watch(stage_read(world, THRONG_COLUMN_POSITION, id), stage_read(world, THRONG_COLUMN_VELOCITY, id), frame, context);
  }
  throng_world_destroy(world);
}

static void note_place(throng_vec3 p, throng_vec3 v, int frame, void *context) {
  (void)v;
  (void)frame;
  *(throng_vec3 *)context = p;
}

/* An agent hides behind the nearer of two obstacles, as seen from the target. It does nothing without an obstacle, and
 * if the only obstacle in reach has the target at its centre. */
static void hiding(void **state) {
  (void)state;
  const throng_vec3 still = {0, 0, 0}, from = {1, 0, 3};
  for (int space = 0; space < 2; space++) {
    static stand s;
    memset(&s, 0, sizeof s);
    throng_group_def g = stage_idle_group();
    g.max_speed = 2;
    g.body_radius = 0.25f;
    throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_HIDE, 1.0f);
    b->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {0, 0, 0}};
    throng_vec3 p;
    run(&s, &g, (throng_space)space, from, still, 20, note_place, &p);
    assert_true(p.x == 1 && p.z == 3);
    add_ball(&s, 6, 0, 8, 1);
    run(&s, &g, (throng_space)space, from, still, 900, note_place, &p);
    assert_true(stage_distance(p, (throng_vec3){0.6f * 11.75f, 0, 0.8f * 11.75f}) < 0.11); /* 10 + 1 + 0.25 + 0.5 */
    add_ball(&s, -4, 0, 0, 0.5f);
    run(&s, &g, (throng_space)space, from, still, 900, note_place, &p);
    assert_true(stage_distance(p, (throng_vec3){-5.25f, 0, 0}) < 0.11);
    b->hide.reach = 5;
    b->target.point = (throng_vec3){-4, 0, 0}; /* the centre of the only obstacle in reach */
    run(&s, &g, (throng_space)space, from, still, 20, note_place, &p);
    assert_true(p.x == 1 && p.z == 3);
  }
}

/* Measurements of an agent that follows a surface: its distance from the surface, its speed, and how far it moved. */
typedef struct trail {
  int settled;                              /* later frames count */
  double least, most, slowest, way, turned; /* metres, m/s; radians about the origin */
  throng_vec3 last;
  double (*distance)(throng_vec3 p);
} trail;
static void note_trail(throng_vec3 p, throng_vec3 v, int frame, void *context) {
  trail *t = context;
  if (frame > t->settled) {
    const double d = t->distance(p);
    t->least = fmin(t->least, d);
    t->most = fmax(t->most, d);
    t->slowest = fmin(t->slowest, stage_length(v));
    t->way += stage_distance(p, t->last);
    t->turned += remainder(atan2((double)p.x, (double)p.z) - atan2((double)t->last.x, (double)t->last.z), 6.283185307);
  }
  t->last = p;
}
static trail follow(const stand *s, throng_space space, throng_vec3 p, throng_vec3 v, double (*distance)(throng_vec3)) {
  throng_group_def g = stage_idle_group();
  g.max_acceleration = 12;
  g.max_speed = 1.5f;
  group_want(&g, THRONG_BEHAVIOUR_HUG_WALLS, 1.0f);
  trail t = {240, INFINITY, 0, INFINITY, 0, 0, p, distance};
  run(s, &g, space, p, v, 2400, note_trail, &t);
  print_message("follows: %.3f to %.3f m off, at least %.3f m/s, %.1f m, %.2f rounds\n", t.least, t.most, t.slowest,
                t.way, t.turned / 6.283185307);
  return t;
}

static double off_line(throng_vec3 p) { return fabs((double)p.z); }
static double off_square(throng_vec3 p) { /* 4 by 4 about the origin */
  return hypot(fmax(fabs((double)p.x) - 2, 0), fmax(fabs((double)p.z) - 2, 0));
}
static double in_square(throng_vec3 p) { return 2 - fmax(fabs((double)p.x), fabs((double)p.z)); }
static double off_circle(throng_vec3 p) { return hypot((double)p.x, (double)p.z) - 2; }

static void add_square(stand *s, float half) {
  add_wall(s, -half, -half, half, -half);
  add_wall(s, half, -half, half, half);
  add_wall(s, half, half, -half, half);
  add_wall(s, -half, half, -half, -half);
}

/* An agent follows a straight wall from any heading or from rest, and stays on its side of the wall. */
static void a_straight_wall(void **state) {
  (void)state;
  static const float starts[][4] = {
      {0, 2, 1, 0}, {0, 1, 0, -1.5f}, {0, 3, 0, 0}, {0, -0.3f, -1, -1}, {0, 0.5f, 0, 1.5f}};
  static stand s;
  memset(&s, 0, sizeof s);
  add_wall(&s, -200, 0, 200, 0);
  for (int k = 0; k < 5; k++) {
    const trail t = follow(&s, THRONG_SPACE_PLANAR, (throng_vec3){starts[k][0], 0, starts[k][1]},
                           (throng_vec3){starts[k][2], 0, starts[k][3]}, off_line);
    assert_true(t.least > 0.495 && t.most < 0.505 && t.slowest > 1.499);
    assert_true((t.last.z > 0) == (starts[k][1] > 0));
    if (starts[k][2] != 0) assert_true((t.last.x > 0) == (starts[k][2] > 0));
  }
}

/* An agent follows convex and concave corners and a circle, in both directions, for more than one round. */
static void corners(void **state) {
  (void)state;
  static stand s, b, c;
  memset(&s, 0, sizeof s);
  memset(&b, 0, sizeof b);
  memset(&c, 0, sizeof c);
  add_square(&s, 2);
  b.low[0] = (throng_vec3){-2, -50, -2};
  b.high[0] = (throng_vec3){2, 50, 2};
  b.boxes = 1;
  add_ball(&c, 0, 0, 0, 2);
  for (int way = -1; way <= 1; way += 2) {
    const throng_vec3 v = {1.5f * (float)way, 0, 0}, out = {0, 0, 2.6f}, in = {0, 0, 1.4f};
    const trail t[] = {
        follow(&s, THRONG_SPACE_PLANAR, out, v, off_square), follow(&b, THRONG_SPACE_SPATIAL, out, v, off_square),
        follow(&c, THRONG_SPACE_PLANAR, out, v, off_circle), follow(&s, THRONG_SPACE_PLANAR, in, v, in_square)};
    for (int k = 0; k < 4; k++) {
      assert_true(t[k].turned * way > 6.283185307);
      assert_true(t[k].least > 0.47 && t[k].most < (k < 3 ? 0.52 : 0.62) && t[k].slowest > 1.3);
    }
  }
}

int main(void) {
  base_seed = test_seed("test_hide_and_hug", 8);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_reference_steers_the_same),
      cmocka_unit_test(hiding),
      cmocka_unit_test(a_straight_wall),
      cmocka_unit_test(corners),
  };
  return cmocka_run_group_tests_name("hide_and_hug", tests, NULL, NULL);
}
