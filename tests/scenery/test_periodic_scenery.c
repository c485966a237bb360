/* tests/scenery/test_periodic_scenery.c: scenery in worlds with periodic axes. An agent of such a world moves as an
 * agent of a world without them whose scenery has the images that docs/ARITHMETIC.md asks for, until it is wrapped.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/snapshots.h"
#include "support/stage.h"
#include "support/stand.h"
#include "support/twins.h"

#include <math.h>
#include <string.h>

#define SIDE TWINS_SIDE
#define GIVEN 12u
#define AGENTS 40u

static uint64_t base_seed;

static float at(throng_vec3 p, int axis) { return (&p.x)[axis]; }

/* Writes the offsets of the images of a shape from `low` to `high` that reach half a period around the box; the first
 * is 0, for the shape itself. */
static uint32_t offsets_of(const throng_world_def *def, const double low[3], const double high[3],
                           throng_vec3 offset[27]) {
  uint32_t count = 1;
  offset[0] = (throng_vec3){0, 0, 0};
  for (int x = -1; x <= 1; x++)
    for (int y = -1; y <= 1; y++)
      for (int z = -1; z <= 1; z++) {
        const int steps[3] = {x, y, z};
        bool wanted = x != 0 || y != 0 || z != 0;
        for (int axis = 0; axis < 3; axis++) {
          const float side = at(def->box_max, axis) - at(def->box_min, axis);
          const double moved = steps[axis] * (double)side;
          if (steps[axis] == 0) continue;
          wanted = wanted && twins_axis_is_periodic(def, axis) &&
                   low[axis] + moved <= (double)at(def->box_max, axis) + side / 2.0 &&
                   high[axis] + moved >= (double)at(def->box_min, axis) - side / 2.0;
        }
        if (wanted) offset[count++] = (throng_vec3){(float)x * SIDE, (float)y * SIDE, (float)z * SIDE};
      }
  return count;
}

static throng_vec3 plus(throng_vec3 a, throng_vec3 b) { return (throng_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }

static void extent(throng_vec3 a, throng_vec3 b, float radius, double low[3], double high[3]) {
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = fmin((double)at(a, axis), (double)at(b, axis)) - (double)radius;
    high[axis] = fmax((double)at(a, axis), (double)at(b, axis)) + (double)radius;
  }
}

/* The end of a wall that goes the short way. */
static throng_vec3 short_way(const throng_world_def *def, throng_vec3 from, throng_vec3 to) {
  for (int axis = 0; axis < 3; axis += 2) {
    float *end = &(&to.x)[axis];
    if (!twins_axis_is_periodic(def, axis)) continue;
    if (*end - at(from, axis) > SIDE / 2)
      *end -= SIDE;
    else if (*end - at(from, axis) < -SIDE / 2)
      *end += SIDE;
  }
  return to;
}

/* Adds the images of all shapes: first all shapes of a kind as they were given, then the images of each. */
static void add_images(const throng_world_def *def, const stand *given, stand *all) {
  throng_vec3 offset[27];
  double low[3], high[3];
  *all = *given;
  for (uint32_t k = 0; k < given->walls; k++) all->to[k] = short_way(def, given->from[k], given->to[k]);
  for (uint32_t k = 0; k < given->balls; k++) {
    extent(given->centre[k], given->centre[k], given->radius[k], low, high);
    const uint32_t count = offsets_of(def, low, high, offset);
    for (uint32_t i = 1; i < count; i++, all->balls++) {
      all->centre[all->balls] = plus(given->centre[k], offset[i]);
      all->radius[all->balls] = given->radius[k];
    }
  }
  for (uint32_t k = 0; k < given->walls; k++) {
    extent(given->from[k], all->to[k], 0, low, high);
    const uint32_t count = offsets_of(def, low, high, offset);
    for (uint32_t i = 1; i < count; i++, all->walls++) {
      all->from[all->walls] = plus(given->from[k], offset[i]);
      all->to[all->walls] = plus(all->to[k], offset[i]);
    }
  }
  for (uint32_t k = 0; k < given->boxes; k++) {
    extent(given->low[k], given->high[k], 0, low, high);
    const uint32_t count = offsets_of(def, low, high, offset);
    for (uint32_t i = 1; i < count; i++, all->boxes++) {
      all->low[all->boxes] = plus(given->low[k], offset[i]);
      all->high[all->boxes] = plus(given->high[k], offset[i]);
    }
  }
}

/* Returns a point of the box; many are near its faces. */
static throng_vec3 some_point(test_rng *rng) {
  float p[3];
  for (int c = 0; c < 3; c++) {
    p[c] = rng_float(rng, 0, SIDE);
    if (rng_chance(rng, 0.4f)) p[c] = rng_chance(rng, 0.5f) ? rng_float(rng, 0, 1) : rng_float(rng, SIDE - 1, SIDE);
    if (rng_chance(rng, 0.1f)) p[c] = rng_chance(rng, 0.5f) ? 0 : SIDE;
  }
  return (throng_vec3){p[0], p[1], p[2]};
}

static throng_vec3 beside(test_rng *rng, throng_vec3 p, float reach) {
  return (throng_vec3){p.x + rng_float(rng, -reach, reach), p.y + rng_float(rng, -reach, reach),
                       p.z + rng_float(rng, -reach, reach)};
}

static throng_vec3 some_velocity(test_rng *rng, bool spatial, float most) {
  const throng_vec3 v = beside(rng, (throng_vec3){0, 0, 0}, most);
  return (throng_vec3){v.x, spatial ? v.y : 0, v.z};
}

static void some_shapes(test_rng *rng, bool spatial, stand *s) {
  s->balls = rng_below(rng, GIVEN);
  s->walls = spatial ? 0 : rng_below(rng, GIVEN);
  s->boxes = spatial ? rng_below(rng, GIVEN) : 0;
  for (uint32_t k = 0; k < GIVEN; k++) {
    s->centre[k] = some_point(rng);
    s->radius[k] = rng_float(rng, 0.1f, rng_chance(rng, 0.1f) ? 5.0f : 1.0f);
    s->from[k] = k > 0 && rng_chance(rng, 0.4f) ? s->from[k - 1] : some_point(rng);
    s->to[k] = beside(rng, s->from[k], 4);
    for (int c = 0; c < 3; c++) { /* the caller gives ends in the box */
      float *end = &(&s->to[k].x)[c];
      if (*end < 0) *end += SIDE;
      if (*end > SIDE) *end -= SIDE;
    }
    s->low[k] = some_point(rng);
    s->high[k] =
        plus(s->low[k], (throng_vec3){rng_float(rng, 0.1f, 3), rng_float(rng, 0.1f, 3), rng_float(rng, 0.1f, 3)});
  }
}

/* Agents that ignore each other and may feel walls and obstacles. */
static throng_group_def some_group(test_rng *rng) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 30;
  g.max_acceleration = 20;
  g.body_radius = rng_chance(rng, 0.3f) ? 0 : rng_float(rng, 0.05f, 0.4f);
  static const throng_behaviour_kind kinds[] = {THRONG_BEHAVIOUR_AVOID_WALLS, THRONG_BEHAVIOUR_AVOID_OBSTACLES,
                                                THRONG_BEHAVIOUR_HUG_WALLS};
  if (rng_chance(rng, 0.7f)) throng_group_def_add(&g, kinds[rng_below(rng, 3)]);
  return g;
}

static void make_worlds(twins *t, test_rng *rng) {
  static stand given, all;
  throng_world_def def = throng_default_world_def();
  def.space = (throng_space)rng_below(rng, 2);
  crowd_set_boundary(&def, 2 + rng_below(rng, CROWD_BOUNDARIES - 2));
  def.update = (throng_update)rng_below(rng, 3);
  const throng_group_def group = some_group(rng);
  twins_make(t, def, &group);
  some_shapes(rng, def.space == THRONG_SPACE_SPATIAL, &given);
  add_images(&t->def, &given, &all);
  set_stand(t->world, &given);
  set_stand(t->open, &all);
}

static void an_agent_moves_as_among_images(void **state) {
  (void)state;
  static twins t;
  for (uint64_t seed = base_seed; seed < base_seed + 600; seed++) {
    test_rng rng = rng_from(seed);
    make_worlds(&t, &rng);
    const bool spatial = t.def.space == THRONG_SPACE_SPATIAL;
    for (uint32_t k = 0; k < 4 * AGENTS && t.count < AGENTS; k++) {
      throng_vec3 p = some_point(&rng);
      for (int c = 0; c < 3; c++)
        if ((&p.x)[c] >= SIDE) (&p.x)[c] = nextafterf(SIDE, 0);
      twins_offer(&t, &rng, p, some_velocity(&rng, spatial, rng_chance(&rng, 0.1f) ? 30 : 8));
    }
    twins_compare(&t, rng_float(&rng, 0.05f, 0.3f), seed);
  }
  print_message("%u coordinates were wrapped, and %u stopped\n", t.wraps, t.stops);
  assert_true(t.wraps > 100 && t.stops > 100);
}

/* Agents drift for many frames. None ends inside a shape, whatever rounding does at the seam. */
static void no_agent_ends_inside(void **state) {
  (void)state;
  for (uint64_t seed = base_seed + 1000; seed < base_seed + 1040; seed++) {
    static stand given;
    test_rng rng = rng_from(seed);
    throng_error error;
    throng_world_def def = throng_default_world_def();
    def.space = (throng_space)(seed % 2);
    const bool spatial = def.space == THRONG_SPACE_SPATIAL;
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
    def.box_min = (throng_vec3){0.1f, 0.1f, 0.1f};
    def.box_max = (throng_vec3){SIDE + 0.3f, SIDE + 0.3f, SIDE + 0.3f};
    throng_group_def group = stage_idle_group();
    group.body_radius = seed % 3 ? 0.2f : 0;
    group.contact = seed % 4 ? 0 : 1;
    throng_world *world = stage_world(&def, &group);
    some_shapes(&rng, spatial, &given);
    for (uint32_t k = 0; k < GIVEN; k++) {
      given.centre[k] = plus(given.centre[k], (throng_vec3){0.15f, 0.15f, 0.15f});
      given.from[k] = plus(given.from[k], (throng_vec3){0.15f, 0.15f, 0.15f});
      given.to[k] = plus(given.to[k], (throng_vec3){0.15f, 0.15f, 0.15f});
      given.low[k] = plus(given.low[k], (throng_vec3){0.15f, 0.15f, 0.15f});
      given.high[k] = plus(given.high[k], (throng_vec3){0.15f, 0.15f, 0.15f});
    }
    const throng_scenery_def few = stand_def(&given);
    require_ok(throng_world_set_scenery(world, &few, &error), &error);
    throng_agent_id ids[AGENTS];
    throng_vec3 start[AGENTS], velocity[AGENTS];
    uint32_t count = 0;
    for (uint32_t k = 0; k < 4 * AGENTS && count < AGENTS; k++) {
      const throng_vec3 p = plus(some_point(&rng), (throng_vec3){0.1f, 0.1f, 0.1f});
      if (!throng_world_is_free(world, p, 0)) continue;
      start[count] = p;
      velocity[count++] = some_velocity(&rng, spatial, 40);
    }
    stage_add(world, count, start, velocity, NULL, ids);
    for (uint32_t frame = 0; frame < 60; frame++) {
      stage_step(world, 0.05f);
      for (uint32_t k = 0; k < count; k++) {
        assert_true(throng_world_is_free(world, stage_read(world, THRONG_COLUMN_POSITION, ids[k]), 0));
        if (frame % 10 == 9) stage_write(world, THRONG_COLUMN_VELOCITY, ids[k], some_velocity(&rng, spatial, 40));
      }
    }
    throng_world_destroy(world);
  }
}

/* A wall across the seam stops an agent that comes from either end. A wall that a caller gives from one end of the
 * world to the other goes the short way. */
static void a_wall_across_the_seam(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){SIDE, 1, SIDE};
  throng_group_def group = stage_idle_group();
  group.body_radius = 0;
  throng_world *world = stage_world(&def, &group);
  stand s = {0};
  add_wall(&s, SIDE - 1, 5, 1, 5);
  set_stand(world, &s);
  const throng_vec3 p[4] = {{0.5f, 0, 4}, {SIDE - 0.5f, 0, 4}, {10, 0, 4}, {SIDE - 2, 0, 4}},
                    v[4] = {{0, 0, 2}, {0, 0, 2}, {0, 0, 2}, {2.5f, 0, 2}};
  throng_agent_id ids[4];
  stage_add(world, 4, p, v, NULL, ids);
  stage_step(world, 1.0f);
  for (int k = 0; k < 4; k++) {
    const throng_vec3 at_last = stage_read(world, THRONG_COLUMN_POSITION, ids[k]);
    if (k == 2) assert_true(at_last.z == 6.0f);
    if (k != 2) assert_true(at_last.z < 5.0f && at_last.z > 4.999f);
  }
  assert_true(stage_read(world, THRONG_COLUMN_POSITION, ids[3]).x ==
              0.5f); /* it slid along the wall, across the seam */
  throng_world_destroy(world);
}

/* A neighbour across the seam is hidden by a wall at the seam. */
static void walls_hide_across_the_seam(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){SIDE, 1, SIDE};
  throng_group_def group = throng_default_group_def();
  group.walls_hide = true;
  for (int hidden = 0; hidden < 2; hidden++) {
    throng_world *world = stage_world(&def, &group);
    stand s = {0};
    add_wall(&s, SIDE, 5, SIDE, hidden ? 9 : 6);
    set_stand(world, &s);
    const throng_vec3 p[2] = {{0.2f, 0, 8}, {SIDE - 0.2f, 0, 8}};
    throng_agent_id ids[2];
    stage_add(world, 2, p, NULL, NULL, ids);
    stage_step(world, 0.1f);
    const throng_vec3 v = stage_read(world, THRONG_COLUMN_VELOCITY, ids[0]);
    assert_true((v.x == 0.0f) == (hidden == 1));
    throng_world_destroy(world);
  }
}

/* A snapshot holds the shapes and not their images; the loaded world makes these again. */
static void snapshots_hold_what_was_given(void **state) {
  (void)state;
  static stand given;
  test_rng rng = rng_from(base_seed + 5000);
  throng_error error;
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){SIDE, SIDE, SIDE};
  for (int space = 0; space < 2; space++) {
    def.space = (throng_space)space;
    throng_group_def group = stage_idle_group();
    throng_world *world = stage_world(&def, &group), *loaded = stage_world(&def, &group);
    do {
      some_shapes(&rng, space == THRONG_SPACE_SPATIAL, &given);
    } while (given.balls + given.walls + given.boxes < GIVEN);
    const throng_scenery_def scenery = stand_def(&given);
    require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
    throng_vec3 p = some_point(&rng);
    while (!throng_world_is_free(world, p, 0.1f)) p = some_point(&rng);
    const throng_vec3 v = some_velocity(&rng, space == THRONG_SPACE_SPATIAL, 20);
    stage_add(world, 1, &p, &v, NULL, NULL);
    stage_step(world, 0.1f);
    snapshot saved = snapshot_take(world);
    require_ok(throng_world_load_snapshot(loaded, saved.bytes, saved.size, &error), &error);
    snapshot again = snapshot_take(loaded);
    assert_true(saved.size == again.size && memcmp(saved.bytes, again.bytes, saved.size) == 0);
    for (int k = 0; k < 20; k++) {
      stage_step(world, 0.1f);
      stage_step(loaded, 0.1f);
      assert_true(throng_world_hash(world, 0) == throng_world_hash(loaded, 0));
    }
    snapshot_free(&saved);
    snapshot_free(&again);
    throng_world_destroy(world);
    throng_world_destroy(loaded);
  }
}

static void refuse(throng_world *world, const stand *s, throng_status status, const char *text) {
  const throng_scenery_def def = stand_def(s);
  throng_error error;
  require_error(throng_world_set_scenery(world, &def, &error), status, &error);
  if (!strstr(error.text, text)) print_error("'%s' does not say '%s'\n", error.text, text);
  assert_non_null(strstr(error.text, text));
}

/* Shapes must begin in the box, and be at most half a period long. */
static void too_long_and_outside(void **state) {
  (void)state;
  static stand s;
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){SIDE, SIDE, SIDE};
  const throng_group_def idle = stage_idle_group();
  throng_world *planar = stage_world(&def, &idle);
  def.space = THRONG_SPACE_SPATIAL;
  throng_world *spatial = stage_world(&def, &idle);
  throng_error error;
  s = (stand){.balls = 1, .centre = {{1, 1, 1}}, .radius = {5.01f}};
  refuse(planar, &s, THRONG_ERROR_BAD_VALUE, "10.02 m long along x, allowed: half of the period, 10 m");
  s.radius[0] = 5;
  const throng_scenery_def fits = stand_def(&s);
  require_ok(throng_world_set_scenery(planar, &fits, &error), &error);
  s.centre[0].z = SIDE + 1;
  refuse(planar, &s, THRONG_ERROR_OUT_OF_RANGE, "obstacle_centre[0].z is 21, the world is 0 to 20");
  s = (stand){.walls = 1, .from = {{0, 0, 3}}, .to = {{SIDE, 0, 3}}};
  refuse(planar, &s, THRONG_ERROR_BAD_VALUE, "the same point");
  s.to[0].x = 3 * SIDE;
  refuse(planar, &s, THRONG_ERROR_BAD_VALUE, "wall_from[0] and wall_to[0] are 40 m long along x");
  s = (stand){.boxes = 1, .low = {{19, 1, 1}}, .high = {{29.5f, 2, 2}}};
  refuse(spatial, &s, THRONG_ERROR_BAD_VALUE, "box_min[0] and box_max[0] are 10.5 m long along x");
  throng_scenery_def plane = throng_default_scenery_def();
  const throng_vec3 normal = {0, 1, 0}, point = {0, 1, 0};
  plane.plane_normal.data = &normal;
  plane.plane_point.data = &point;
  plane.plane_count = 1;
  require_error(throng_world_set_scenery(spatial, &plane, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "plane_normal[0].y is 1, must be 0"));
  throng_world_destroy(spatial);
  def.boundary[1] = THRONG_BOUNDARY_BOX; /* a floor */
  spatial = stage_world(&def, &idle);
  require_ok(throng_world_set_scenery(spatial, &plane, &error), &error);
  throng_world_destroy(planar);
  throng_world_destroy(spatial);
}

int main(void) {
  base_seed = test_seed("test_periodic_scenery", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_agent_moves_as_among_images), cmocka_unit_test(no_agent_ends_inside),
      cmocka_unit_test(a_wall_across_the_seam),         cmocka_unit_test(walls_hide_across_the_seam),
      cmocka_unit_test(snapshots_hold_what_was_given),  cmocka_unit_test(too_long_and_outside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
