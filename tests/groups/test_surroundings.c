/* tests/groups/test_surroundings.c: tests of the behaviours that read scenery, among thousands of shapes. Each agent's
 * acceleration is that of the reference, which tests all shapes for each agent.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"
#include "support/stand.h"

#include "reference/reference_scenery.h"

#include <math.h>
#include <string.h>

#define AGENTS 300
#define SHAPES 2500 /* of each of two kinds */

static uint64_t base_seed;

static const throng_behaviour_kind kinds[] = {THRONG_BEHAVIOUR_AVOID_OBSTACLES, THRONG_BEHAVIOUR_AVOID_WALLS,
                                              THRONG_BEHAVIOUR_HIDE, THRONG_BEHAVIOUR_HUG_WALLS};

typedef struct forest {
  throng_vec3 centre[SHAPES], low[SHAPES], high[SHAPES], point[3], normal[3];
  float radius[SHAPES];
  throng_scenery_def def;
} forest;

/* Fills f with random circles and walls; in spatial worlds with balls, boxes and planes. Shapes near each other have
 * unrelated indices. */
static void plant(forest *f, test_rng *rng, const place *at) {
  const bool spatial = at->space == THRONG_SPACE_SPATIAL;
  for (uint32_t k = 0; k < SHAPES; k++) {
    f->centre[k] = random_point(rng, at);
    f->radius[k] = rng_float(rng, 0.05f, 2.0f);
    f->low[k] = f->high[k] = random_point(rng, at);
    f->high[k].x += rng_float(rng, spatial ? 0.1f : -6.0f, 6);
    f->high[k].y += rng_float(rng, 0.1f, 6);
    f->high[k].z += rng_float(rng, spatial ? 0.1f : -6.0f, 6);
  }
  for (uint32_t k = 0; k < 3; k++) {
    f->point[k] = at->origin;
    f->normal[k] = (throng_vec3){rng_float(rng, -0.02f, 0.02f), 1, rng_float(rng, -0.02f, 0.02f)};
    f->point[k].y -= 0.1f * at->side;
  }
  f->def = throng_default_scenery_def();
  f->def.obstacle_count = SHAPES;
  f->def.obstacle_centre.data = f->centre;
  f->def.obstacle_radius.data = f->radius;
  f->def.wall_count = spatial ? 0 : SHAPES;
  f->def.box_count = spatial ? SHAPES : 0;
  f->def.plane_count = spatial ? 3 : 0;
  f->def.wall_from.data = f->def.box_min.data = f->low;
  f->def.wall_to.data = f->def.box_max.data = f->high;
  f->def.plane_point.data = f->point;
  f->def.plane_normal.data = f->normal;
}

static throng_vec3 expected(const forest *f, const throng_group_def *g, throng_vec3 p, throng_vec3 v, uint32_t id,
                            bool spatial) {
  const ref_feeler who = {.p = p,
                          .v = v,
                          .body = g->body_radius,
                          .limit = g->max_acceleration,
                          .id = id,
                          .spatial = spatial,
                          .speed = g->max_speed};
  const throng_behaviour *b = &g->behaviour[0];
  const throng_vec3 q = b->target.point, dp = {q.x - p.x, q.y - p.y, q.z - p.z};
  float fan[2] = {0, 0};
  switch (b->kind) {
  case THRONG_BEHAVIOUR_AVOID_OBSTACLES:
    return ref_avoid_obstacles(&f->def, &who, &b->avoid_obstacles);
  case THRONG_BEHAVIOUR_AVOID_WALLS:
    return ref_avoid_walls(&f->def, &who, &b->avoid_walls, 0.05f, fan);
  case THRONG_BEHAVIOUR_HIDE:
    return ref_hide(&f->def, &who, &b->hide, dp);
  default:
    return ref_hug_walls(&f->def, &who, &b->hug_walls);
  }
}

/* Returns a group with a behaviour that reaches hundreds of shapes, and with limits that clip nothing. */
static throng_group_def looker(throng_behaviour_kind kind, const place *at) {
  throng_group_def g = stage_idle_group();
  g.body_radius = 0.25f;
  g.max_acceleration = 1e6f;
  g.max_speed = 20;
  throng_behaviour *b = group_want(&g, kind, 1.0f);
  b->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = at->origin};
  if (kind == THRONG_BEHAVIOUR_AVOID_OBSTACLES) b->avoid_obstacles.look_ahead_time = 4;
  if (kind == THRONG_BEHAVIOUR_AVOID_WALLS) b->avoid_walls.look_ahead_time = 3;
  if (kind == THRONG_BEHAVIOUR_HIDE) b->hide.reach = 60;
  if (kind == THRONG_BEHAVIOUR_HUG_WALLS) b->hug_walls.reach = 40;
  return g;
}

/* Returns a world with the forest and without agents. */
static throng_world *forest_world(const forest *f, const throng_group_def *g, const place *at, throng_isa isa) {
  throng_world_def def = throng_default_world_def();
  def.space = at->space;
  def.isa = isa;
  throng_world *world = stage_world(&def, g);
  throng_error error;
  require_ok(throng_world_set_scenery(world, &f->def, &error), &error);
  return world;
}

/* Compares all accelerations with the reference. Returns how many are not 0. `first`: the reference's accelerations,
 * computed when isa is AUTO and read for other instruction sets. */
static uint32_t compare(const forest *f, const throng_group_def *g, const place *at, throng_isa isa,
                        const throng_vec3 *p, const throng_vec3 *v, throng_vec3 *first) {
  const bool spatial = at->space == THRONG_SPACE_SPATIAL;
  throng_world *world = forest_world(f, g, at, isa);
  throng_error error;
  throng_vec3 a[AGENTS];
  uint32_t felt = 0;
  stage_add(world, AGENTS, p, v, NULL, NULL);
  require_ok(throng_world_steer(world, 0.05f, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, NULL, AGENTS, a, 0, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) {
    if (isa == THRONG_ISA_AUTO) first[k] = group_blend_one(g, expected(f, g, p[k], v[k], k + 1, spatial), spatial);
    felt += first[k].x != 0.0f;
    assert_true(first[k].x - first[k].x == 0.0f && first[k].y - first[k].y == 0.0f && first[k].z - first[k].z == 0.0f);
    if (first[k].x == a[k].x && first[k].z == a[k].z && (!spatial || first[k].y == a[k].y)) continue;
    print_error("kind %d, isa %d, agent %u: (%a, %a, %a), the reference (%a, %a, %a)\n", (int)g->behaviour[0].kind,
                (int)isa, k + 1, (double)a[k].x, (double)a[k].y, (double)a[k].z, (double)first[k].x, (double)first[k].y,
                (double)first[k].z);
    fail();
  }
  throng_world_destroy(world);
  return felt;
}

static void each_feels_as_if_alone(void **state) {
  (void)state;
  static forest f;
  for (uint32_t round = 0; round < 16; round++) {
    test_rng rng = rng_from(base_seed + round);
    const float origin = round % 4 < 2 ? 0.0f : -70000.0f;
    const throng_space space = round % 2 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    const place at = {space,
                      {origin, space == THRONG_SPACE_SPATIAL ? origin : 0.0f, origin},
                      space == THRONG_SPACE_SPATIAL ? 90.0f : 400.0f};
    const throng_group_def g = looker(kinds[round / 4], &at);
    plant(&f, &rng, &at);
    throng_world *inside = forest_world(&f, &g, &at, THRONG_ISA_AUTO);
    static throng_vec3 p[AGENTS], v[AGENTS], first[AGENTS];
    for (uint32_t k = 0; k < AGENTS;) {
      p[k] = random_point(&rng, &at);
      v[k] = (throng_vec3){rng_float(&rng, -20, 20), rng_float(&rng, -20, 20), rng_float(&rng, -20, 20)};
      if (space == THRONG_SPACE_PLANAR) v[k].y = 0;
      if (k > 0 && rng_chance(&rng, 0.7f)) p[k] = (throng_vec3){p[k - 1].x + 0.3f, p[k - 1].y, p[k - 1].z};
      if (throng_world_is_free(inside, p[k], 0)) k++;
    }
    throng_world_destroy(inside);
    for (int isa = THRONG_ISA_AUTO; isa < THRONG_ISA_COUNT; isa++) {
      if (!throng_isa_is_available((throng_isa)isa)) continue;
      const uint32_t felt = compare(&f, &g, &at, (throng_isa)isa, p, v, first);
      if (isa == THRONG_ISA_AUTO) print_message("round %u: %u of %u agents reacted to a shape\n", round, felt, AGENTS);
      assert_true(felt > 20);
    }
  }
}

/* Returns a random number from 10^low to 10^high, with a uniform exponent. */
static float any_size(test_rng *rng, float low, float high) { return powf(10.0f, rng_float(rng, low, high)); }

/* Fills f with shapes from tiny ones to almost as large as `at`. */
static void plant_wildly(forest *f, test_rng *rng, const place *at, uint32_t shapes) {
  const bool spatial = at->space == THRONG_SPACE_SPATIAL;
  plant(f, rng, at);
  for (uint32_t k = 0; k < shapes; k++) {
    const float size = any_size(rng, -6, -0.5f) * at->side;
    f->radius[k] = rng_chance(rng, 0.1f) ? any_size(rng, -44, -10) : any_size(rng, -6, -1) * at->side;
    f->high[k] = f->low[k];
    f->high[k].x += size * rng_float(rng, spatial ? 0.1f : -1.0f, 1);
    f->high[k].y += size * rng_float(rng, 0.1f, 1);
    f->high[k].z += size * rng_float(rng, 0.1f, 1);
    for (int c = 0; c < 3; c++) { /* rounding may have made a side 0 */
      float *high = c == 0 ? &f->high[k].x : c == 1 ? &f->high[k].y : &f->high[k].z;
      if (*high == (c == 0 ? f->low[k].x : c == 1 ? f->low[k].y : f->low[k].z)) *high = nextafterf(*high, INFINITY);
    }
  }
  f->def.obstacle_count = shapes;
  f->def.wall_count = spatial ? 0 : shapes;
  f->def.box_count = spatial ? shapes : 0;
}

static throng_group_def wild_looker(test_rng *rng, throng_behaviour_kind kind, const place *at) {
  throng_group_def g = looker(kind, at);
  g.max_speed = any_size(rng, -6, 9);
  g.max_acceleration = any_size(rng, -3, 9);
  g.body_radius = rng_chance(rng, 0.3f) ? 0.0f : rng_chance(rng, 0.1f) ? 1e9f : any_size(rng, -3, 0) * at->side;
  throng_parameter p;
  for (uint32_t k = 0; throng_behaviour_get_parameter(kind, k, &p); k++) {
    const double value = (double)any_size(rng, -6, 9);
    if (p.type == THRONG_PARAMETER_ENUM) continue;
    const double allowed = value < p.lowest ? p.lowest : value > p.highest ? p.highest : value;
    const bool truth = p.type == THRONG_PARAMETER_BOOL;
    assert_true(throng_behaviour_set_value(&g.behaviour[0], &p, truth ? allowed > 0 : allowed));
  }
  if (kind == THRONG_BEHAVIOUR_AVOID_WALLS) g.behaviour[0].avoid_walls.rays = (throng_rays)rng_below(rng, 4);
  return g;
}

static void wild_numbers(void **state) {
  (void)state;
  static forest f;
  for (uint32_t round = 0; round < 240; round++) {
    test_rng rng = rng_from(base_seed + 100 + round);
    const throng_space space = round % 2 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    const place at = {space, {0, 0, 0}, any_size(&rng, -2, 5.9f)};
    const throng_group_def g = wild_looker(&rng, kinds[round / 2 % 4], &at);
    plant_wildly(&f, &rng, &at, 40);
    throng_vec3 p[AGENTS], v[AGENTS], first[AGENTS];
    throng_world *inside = forest_world(&f, &g, &at, THRONG_ISA_AUTO);
    for (uint32_t k = 0; k < AGENTS;) {
      const float speed = any_size(&rng, -26, 18);
      p[k] = random_point(&rng, &at);
      if (rng_chance(&rng, 0.2f)) p[k] = f.low[rng_below(&rng, 40)];
      if (space == THRONG_SPACE_PLANAR) p[k].y = 0;
      v[k] =
          (throng_vec3){rng_float(&rng, -1, 1) * speed, rng_float(&rng, -1, 1) * speed, rng_float(&rng, -1, 1) * speed};
      if (rng_chance(&rng, 0.2f)) v[k].x = 0;
      if (space == THRONG_SPACE_PLANAR) v[k].y = 0;
      if (throng_world_is_free(inside, p[k], 0)) k++;
    }
    throng_world_destroy(inside);
    for (int isa = THRONG_ISA_AUTO; isa < THRONG_ISA_COUNT; isa++) {
      if (throng_isa_is_available((throng_isa)isa)) compare(&f, &g, &at, (throng_isa)isa, p, v, first);
    }
  }
}

/* 490 000 obstacles, all within reach: hide gives the acceleration of the reference. */
static void far_numbers(void **state) {
  (void)state;
  enum { ROW = 700 };
  throng_world *world = stand_plain_world(0.25f);
  static throng_vec3 centre[ROW * ROW];
  static float radius[ROW * ROW];
  throng_scenery_def def = throng_default_scenery_def();
  throng_error error;
  for (uint32_t k = 0; k < ROW * ROW; k++) {
    centre[k] = (throng_vec3){(float)(k / ROW), 0, (float)(k % ROW)};
    radius[k] = 0.2f;
  }
  def.obstacle_count = ROW * ROW;
  def.obstacle_centre.data = centre;
  def.obstacle_radius.data = radius;
  require_ok(throng_world_set_scenery(world, &def, &error), &error);
  throng_group_def g = stage_idle_group();
  g.max_speed = 1;
  g.max_acceleration = 1e6f;
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_HIDE, 1.0f);
  b->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {-1, 0, -1}};
  b->hide.reach = 1e9f; /* all of them */
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  const throng_vec3 p[2] = {{0.5f, 0, 0.5f}, {699.5f, 0, 698.5f}}, v[2] = {{0, 0, 0}, {0, 0, 0}};
  throng_agent_id ids[2];
  stage_add(world, 2, p, v, NULL, ids);
  require_ok(throng_world_steer(world, 0.05f, &error), &error);
  for (int k = 0; k < 2; k++) {
    const ref_feeler who = {
        .p = p[k], .v = v[k], .body = g.body_radius, .limit = g.max_acceleration, .speed = g.max_speed};
    const throng_vec3 dp = {-1 - p[k].x, 0, -1 - p[k].z};
    const throng_vec3 want = group_blend_one(&g, ref_hide(&def, &who, &b->hide, dp), false),
                      a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[k]);
    assert_true(want.x == a.x && want.z == a.z && (a.x != 0 || a.z != 0));
  }
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_surroundings", 11);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_feels_as_if_alone),
      cmocka_unit_test(wild_numbers),
      cmocka_unit_test(far_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
