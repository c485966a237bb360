/* test_speed_zones.c: tests of zones that multiply maximum speeds, by hand. test_reference_a.c compares their bits with
 * the reference. SPDX-License-Identifier: MIT */
#include "state.h"
#include "support/full.h"
#include "support/groups.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define TOP 10.0f

static const float frame_time = 1.0f / 60.0f;
static uint64_t base_seed;

/* A group that wants nothing. An agent that is faster than TOP has its maximum speed after a step. */
static throng_group_def fast_group(void) {
  throng_group_def g = stage_idle_group();
  g.max_speed = TOP;
  return g;
}

static throng_world *fast_world(bool spatial) {
  throng_world_def def = throng_default_world_def();
  def.space = spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
  const throng_group_def g = fast_group();
  return stage_world(&def, &g);
}

static throng_speed_zone circle(float x, float z, float radius, float factor) {
  throng_speed_zone zone = throng_default_speed_zone();
  zone.centre = (throng_vec3){x, 0, z};
  zone.radius = radius;
  zone.factor = factor;
  return zone;
}

static throng_speed_zone rectangle(float x, float z, float width, float length, float yaw, float factor) {
  throng_speed_zone zone = circle(x, z, 1, factor);
  zone.shape = THRONG_SPEED_ZONE_RECTANGLE;
  zone.width = width;
  zone.length = length;
  zone.yaw = yaw;
  return zone;
}

static void set(throng_world *world, const throng_speed_zone *list, uint32_t count) {
  throng_error error;
  throng_speed_zones_def def = throng_default_speed_zones_def();
  def.zones = list;
  def.count = count;
  require_ok(throng_world_set_speed_zones(world, &def, &error), &error);
  assert_int_equal(throng_world_speed_zone_count(world), count);
}

/* Returns an agent's maximum speed at p: its speed after a short step from 1000 m/s. */
static double speed_at(throng_world *world, throng_agent_id id, throng_vec3 p) {
  throng_error error;
  const throng_vec3 v = {1000, 0, 0};
  require_ok(throng_agents_move(world, &id, 1, &p, &v, &error), &error);
  stage_step(world, 1e-30f);
  return stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id));
}

static void require_speed(throng_world *world, throng_agent_id id, throng_vec3 p, float expected) {
  const double speed = speed_at(world, id, p);
  if (fabs(speed - (double)expected) > 1e-5 * (double)expected)
    fail_msg("at (%g, %g, %g) the maximum speed is %g, expected %g", (double)p.x, (double)p.y, (double)p.z, speed,
             (double)expected);
}

/* RiMEA's test 13: 10 m on the flat at 1.34 m/s, then 10 m of stairs at 0.65 m/s. */
static void stairs(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.max_speed = 1.34f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  throng_world *world = stage_world(NULL, &g);
  throng_agent_id id;
  const throng_vec3 p = {0, 0, 0}, v = {1.34f, 0, 0}, goal = {100, 0, 0};
  const throng_speed_zone zone = rectangle(15, 0, 10, 4, 0, 0.65f / 1.34f);
  stage_add(world, 1, &p, &v, &goal, &id);
  set(world, &zone, 1);
  double time = 0;
  for (; stage_read(world, THRONG_COLUMN_POSITION, id).x < 20.0f; time += 0.02) stage_step(world, 0.02f);
  print_message("10 m at 1.34 m/s and 10 m at 0.65 m/s: %.2f s\n", time);
  assert_true(fabs(time - (10 / 1.34 + 10 / 0.65)) < 0.01 * 22.8);
  for (int k = 0; k < 50; k++) stage_step(world, 0.02f);
  assert_true(fabs(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id)) - 1.34) < 0.01);
  throng_world_destroy(world);
}

/* The edge is inside. A rectangle's length lies along its yaw. Heights count in spatial worlds alone. */
static void the_shapes(void **state) {
  (void)state;
  for (int spatial = 0; spatial < 2; spatial++) {
    throng_world *world = fast_world(spatial);
    throng_agent_id id;
    const throng_vec3 p = {0, 0, 0};
    stage_add(world, 1, &p, NULL, NULL, &id);
    throng_speed_zone list[2] = {circle(8, 16, 4, 0.5f), rectangle(-64, 0, 2, 8, 0, 0.25f)};
    list[0].centre.y = 6;
    list[0].height = 8;
    set(world, list, 2);
    require_speed(world, id, (throng_vec3){12, 6, 16}, TOP / 2);
    require_speed(world, id, (throng_vec3){12.001f, 6, 16}, TOP);
    require_speed(world, id, (throng_vec3){8, 10, 12}, TOP / 2);
    require_speed(world, id, (throng_vec3){8, 2, 14}, TOP / 2);
    require_speed(world, id, (throng_vec3){8, 10.01f, 16}, spatial ? TOP : TOP / 2);
    require_speed(world, id, (throng_vec3){8, -900, 16}, spatial ? TOP : TOP / 2);
    require_speed(world, id, (throng_vec3){-65, 500, 4}, TOP / 4);
    require_speed(world, id, (throng_vec3){-65.01f, 0, 0}, TOP);
    require_speed(world, id, (throng_vec3){-64, 0, -4.01f}, TOP);
    list[1].yaw = 1.5707963f; /* the length lies along x */
    set(world, list, 2);
    require_speed(world, id, (throng_vec3){-67.9f, 0, 0.9f}, TOP / 4);
    require_speed(world, id, (throng_vec3){-64, 0, 1.1f}, TOP);
    list[1].yaw = 0.7853982f; /* along (1, 1) */
    set(world, list, 2);
    require_speed(world, id, (throng_vec3){-61.4f, 0, 2.6f}, TOP / 4);
    require_speed(world, id, (throng_vec3){-66.6f, 0, 2.6f}, TOP);
    throng_world_destroy(world);
  }
}

/* The smallest factor counts where zones overlap; a zone counts for the layers of its mask; the agent's own max_speed
 * comes before its group's, and keeps the host's value; an infinite one stays infinite. */
static void overlaps_masks_and_own_speeds(void **state) {
  (void)state;
  throng_group_def g = fast_group();
  throng_world *world = stage_world(NULL, &g);
  throng_agent_id id;
  throng_error error;
  const throng_vec3 p = {0, 0, 0};
  stage_add(world, 1, &p, NULL, NULL, &id);
  throng_speed_zone list[3] = {circle(0, 0, 8, 4), circle(0, 4, 8, 0.5f), circle(4, 0, 8, 0.75f)};
  set(world, list, 3);
  require_speed(world, id, (throng_vec3){-4, 0, -6}, 4 * TOP);
  require_speed(world, id, (throng_vec3){6, 0, -3}, 0.75f * TOP);
  require_speed(world, id, (throng_vec3){2, 0, 2}, 0.5f * TOP);
  list[1].mask = 2u; /* the group is in layer 0 */
  set(world, list, 3);
  require_speed(world, id, (throng_vec3){2, 0, 2}, 0.75f * TOP);
  stage_write(world, THRONG_COLUMN_MAX_SPEED, id, (throng_vec3){3, 0, 0});
  require_speed(world, id, (throng_vec3){2, 0, 2}, 0.75f * 3);
  require_speed(world, id, (throng_vec3){200, 0, 2}, 3);
  float own;
  require_ok(throng_agents_read(world, THRONG_COLUMN_MAX_SPEED, &id, 1, &own, 0, &error), &error);
  assert_true(own == 3.0f);
  stage_write(world, THRONG_COLUMN_MAX_SPEED, id, (throng_vec3){NAN, 0, 0});
  require_speed(world, id, (throng_vec3){2, 0, 2}, 0.75f * TOP);
  g.max_speed = INFINITY;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_speed(world, id, (throng_vec3){2, 0, 2}, 1000);
  g.max_speed = 1e9f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_speed(world, id, (throng_vec3){-4, 0, -6}, 1000);
  throng_world_destroy(world);
}

/* Along a periodic axis the short way counts: a zone at the seam lies on both sides of it, and one that is wider than
 * the period covers all of it. */
static void the_short_way(void **state) {
  (void)state;
  for (int spatial = 0; spatial < 2; spatial++) {
    throng_world_def def = throng_default_world_def();
    def.space = spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    for (int axis = 0; axis < 3; axis++) {
      if (axis == 1 && !spatial) continue;
      def.boundary[axis] = THRONG_BOUNDARY_PERIODIC;
      (&def.box_min.x)[axis] = -10;
      (&def.box_max.x)[axis] = 30;
    }
    const throng_group_def g = fast_group();
    throng_world *world = stage_world(&def, &g);
    throng_agent_id id;
    const throng_vec3 p = {0, 0, 0};
    throng_speed_zone list[2] = {circle(29, -9, 4, 0.5f), rectangle(5, 5, 100, 2, 0, 0.25f)};
    list[0].centre.y = spatial ? 29 : 0;
    list[0].height = 6;
    stage_add(world, 1, &p, NULL, NULL, &id);
    set(world, list, 2);
    require_speed(world, id, (throng_vec3){-8, 28, 29}, TOP / 2);
    require_speed(world, id, (throng_vec3){-8, -9, -7}, TOP / 2);
    require_speed(world, id, (throng_vec3){27, -9, 28}, TOP / 2);
    require_speed(world, id, (throng_vec3){-8, 25, 29}, spatial ? TOP : TOP / 2);
    require_speed(world, id, (throng_vec3){-6, 29, -9}, TOP);
    require_speed(world, id, (throng_vec3){-9.5f, 0, 5.5f}, TOP / 4);
    require_speed(world, id, (throng_vec3){29.5f, 0, 4.5f}, TOP / 4);
    require_speed(world, id, (throng_vec3){25, 0, 6.5f}, TOP);
    throng_world_destroy(world);
  }
}

static bool is_inside(const throng_speed_zone *zone, throng_vec3 p, double slack) {
  const double dx = (double)p.x - (double)zone->centre.x, dz = (double)p.z - (double)zone->centre.z;
  if (zone->shape == THRONG_SPEED_ZONE_CIRCLE) return sqrt(dx * dx + dz * dz) <= (double)zone->radius + slack;
  const double sine = sin((double)zone->yaw), cosine = cos((double)zone->yaw);
  return fabs(dx * cosine - dz * sine) <= 0.5 * (double)zone->width + slack &&
         fabs(dx * sine + dz * cosine) <= 0.5 * (double)zone->length + slack;
}

/* A thousand zones and agents scattered over a square, against every zone in double precision. One zone more is
 * refused. A NaN is refused, too, and the zones stay. */
static void a_thousand(void **state) {
  (void)state;
  enum { COUNT = THRONG_MAX_SPEED_ZONES };
  static throng_speed_zone list[COUNT + 1];
  static throng_vec3 p[COUNT], v[COUNT];
  static throng_agent_id id[COUNT];
  test_rng rng = rng_from(base_seed);
  const throng_group_def g = fast_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  for (uint32_t k = 0; k < COUNT; k++) {
    const float x = rng_float(&rng, -200, 200), z = rng_float(&rng, -200, 200), factor = rng_float(&rng, 0.1f, 4.0f);
    list[k] = k % 2 ? circle(x, z, k % 101 == 0 ? 90.0f : rng_float(&rng, 0.1f, 8.0f), factor)
                    : rectangle(x, z, rng_float(&rng, 0.1f, 9.0f), rng_float(&rng, 0.1f, 30.0f),
                                rng_float(&rng, -3.14f, 3.14f), factor);
    p[k] = (throng_vec3){rng_float(&rng, -200, 200), 0, rng_float(&rng, -200, 200)};
    v[k] = (throng_vec3){1000, 0, 0};
  }
  set(world, list, COUNT);
  stage_add(world, COUNT, p, v, NULL, id); /* the array for speeds grows with the agents */
  throng_speed_zones_def def = throng_default_speed_zones_def();
  def.zones = list;
  def.count = COUNT + 1;
  require_error(throng_world_set_speed_zones(world, &def, &error), THRONG_ERROR_BAD_VALUE, &error);
  def.count = COUNT;
  const float factor = list[700].factor;
  list[700].factor = NAN;
  require_error(throng_world_set_speed_zones(world, &def, &error), THRONG_ERROR_NOT_FINITE, &error);
  assert_non_null(strstr(error.text, "zones[700].factor"));
  list[700].factor = factor;
  assert_int_equal(throng_world_speed_zone_count(world), COUNT);
  stage_step(world, 1e-30f);
  uint32_t slowed = 0;
  for (uint32_t i = 0; i < COUNT; i++) {
    double low = 5.0, high = 5.0; /* the factor, by zones that are a little larger and a little smaller */
    for (uint32_t k = 0; k < COUNT; k++) {
      if (is_inside(&list[k], p[i], 1e-4)) low = fmin(low, (double)list[k].factor);
      if (is_inside(&list[k], p[i], -1e-4)) high = fmin(high, (double)list[k].factor);
    }
    const double speed = stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id[i])) / (double)TOP;
    slowed += low < 5.0;
    if (low == 5.0) low = 1.0;
    if (high == 5.0) high = 1.0;
    if (fabs(speed - low) > 1e-5 && fabs(speed - high) > 1e-5)
      fail_msg("seed %" PRIu64 ", agent %u: factor %g, expected %g or %g", base_seed, i, speed, low, high);
  }
  assert_true(slowed > COUNT / 10 && slowed < COUNT);
  throng_world_destroy(world);
}

/* A factor of 1 changes no bit, and neither do zones that were removed. */
static void a_factor_of_one(void **state) {
  (void)state;
  for (int spatial = 0; spatial < 2; spatial++) {
    throng_world_def def = full_def(spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR);
    throng_world *world[3];
    throng_error error;
    const throng_speed_zone one = circle(16, 16, 1000, 1), slow = circle(16, 16, 1000, 0.5f);
    for (int k = 0; k < 3; k++) {
      world[k] = full_world(&def, NULL);
      require_ok(throng_world_set_speed_zones(world[k], NULL, &error), &error);
      if (k == 1) set(world[k], &one, 1);
      if (k == 2) set(world[k], &slow, 1);
      if (k == 2) require_ok(throng_world_set_speed_zones(world[k], NULL, &error), &error);
    }
    for (int frame = 0; frame < 30; frame++) {
      for (int k = 0; k < 3; k++) stage_step(world[k], frame_time);
      const uint64_t hash = throng_world_hash(world[0], STATE_COLUMNS);
      assert_true(throng_world_hash(world[1], STATE_COLUMNS) == hash);
      assert_true(throng_world_hash(world[2], STATE_COLUMNS) == hash);
    }
    for (int k = 0; k < 3; k++) throng_world_destroy(world[k]);
  }
}

/* Agents that a zone makes four times as fast do not pass walls. */
static void walls_stop_fast_agents(void **state) {
  (void)state;
  enum { COUNT = 400 };
  test_rng rng = rng_from(base_seed);
  throng_group_def g = stage_idle_group();
  g.max_speed = 50.0f;
  g.max_acceleration = 1e6f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  static throng_vec3 p[COUNT], goal[COUNT];
  static throng_agent_id id[COUNT];
  const throng_vec3 from[4] = {{-10, 0, -10}, {10, 0, -10}, {10, 0, 10}, {-10, 0, 10}},
                    to[4] = {{10, 0, -10}, {10, 0, 10}, {-10, 0, 10}, {-10, 0, -10}};
  throng_scenery_def scenery = throng_default_scenery_def();
  scenery.wall_from.data = from;
  scenery.wall_to.data = to;
  scenery.wall_count = 4;
  require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
  const throng_speed_zone zone = circle(0, 0, 30, 4);
  set(world, &zone, 1);
  for (uint32_t k = 0; k < COUNT; k++) {
    p[k] = (throng_vec3){rng_float(&rng, -9, 9), 0, rng_float(&rng, -9, 9)};
    goal[k] = (throng_vec3){rng_float(&rng, -900, 900), 0, rng_float(&rng, -900, 900)};
  }
  stage_add(world, COUNT, p, NULL, goal, id);
  double fastest = 0;
  for (int frame = 0; frame < 40; frame++) {
    stage_step(world, 0.1f);
    for (uint32_t k = 0; k < COUNT; k++) {
      const throng_vec3 at = stage_read(world, THRONG_COLUMN_POSITION, id[k]);
      fastest = fmax(fastest, stage_distance(at, p[k]) / 0.1);
      if (!(fabsf(at.x) <= 10 && fabsf(at.z) <= 10))
        fail_msg("seed %" PRIu64 ", agent %u is at %g, %g", base_seed, k, (double)at.x, (double)at.z);
      p[k] = at;
    }
  }
  assert_true(fastest > 60.0);
  throng_world_destroy(world);
}

/* A snapshot has the zones, and the loaded world goes on with the same bits. A shift of the origin takes them along. */
static void snapshots_and_shifts(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.space = THRONG_SPACE_SPATIAL;
  const throng_group_def g = fast_group();
  throng_world *world = stage_world(&def, &g);
  throng_error error;
  throng_agent_id id;
  const throng_vec3 p = {130, 8, 64};
  throng_speed_zone list[2] = {circle(128, 66, 16, 0.5f), rectangle(140, 64, 32, 8, 0.5f, 0.25f)};
  list[0].height = 32;
  list[1].mask = 2u;
  stage_add(world, 1, &p, NULL, NULL, &id);
  set(world, list, 2);
  stage_step(world, frame_time);
  snapshot saved = snapshot_take(world);
  throng_world *loaded = snapshot_world(&saved, NULL);
  assert_int_equal(throng_world_speed_zone_count(loaded), 2);
  assert_true(snapshot_is_of(&saved, loaded));
  require_speed(loaded, id, p, TOP / 2);
  const throng_vec3 wished = {128, 0, 64}, far = {130, 8, 88};
  throng_vec3 exact;
  require_speed(world, id, far, TOP);
  require_ok(throng_world_load_snapshot(world, saved.bytes, saved.size, &error), &error);
  require_ok(throng_world_shift_origin(world, wished, &exact, &error), &error);
  assert_true(exact.x == 128.0f && exact.z == 64.0f);
  require_speed(world, id, (throng_vec3){2, 8, 0}, TOP / 2);
  require_speed(world, id, (throng_vec3){2, 8, 24}, TOP);
  snapshot_free(&saved);
  throng_world_destroy(world);
  throng_world_destroy(loaded);
}

static void set_raster(throng_world *world, const throng_speed_raster *raster, const throng_speed_zone *list,
                       uint32_t count) {
  throng_error error;
  throng_speed_zones_def def = throng_default_speed_zones_def();
  def.zones = list;
  def.count = count;
  def.raster = *raster;
  require_ok(throng_world_set_speed_zones(world, &def, &error), &error);
}

/* 3 by 2 cells of 4 m from (-2, 10) on. */
static throng_speed_raster terrain(void) {
  static const float factor[6] = {0.5f, 1.0f, 2.0f, 0.25f, 0.75f, 4.0f};
  throng_speed_raster raster = throng_default_speed_zones_def().raster;
  raster.factor = factor;
  raster.width = 3;
  raster.height = 2;
  raster.cell = 4.0f;
  raster.origin = (throng_vec3){-2, 77, 10};
  return raster;
}

/* Each cell has its factor, at every height; the far edges belong to the last cells; beyond them is no zone. */
static void the_raster(void **state) {
  (void)state;
  for (int spatial = 0; spatial < 2; spatial++) {
    throng_world *world = fast_world(spatial);
    throng_agent_id id;
    const throng_vec3 p = {0, 0, 0};
    throng_speed_raster raster = terrain();
    stage_add(world, 1, &p, NULL, NULL, &id);
    set_raster(world, &raster, NULL, 0);
    assert_int_equal(throng_world_speed_zone_count(world), 0);
    require_speed(world, id, (throng_vec3){-2, 0, 10}, 0.5f * TOP);
    require_speed(world, id, (throng_vec3){1.9f, -300, 13.9f}, 0.5f * TOP);
    require_speed(world, id, (throng_vec3){2, 0, 13}, TOP);
    require_speed(world, id, (throng_vec3){7, 0, 11}, 2 * TOP);
    require_speed(world, id, (throng_vec3){-1, 0, 14}, 0.25f * TOP);
    require_speed(world, id, (throng_vec3){4, 50, 17}, 0.75f * TOP);
    require_speed(world, id, (throng_vec3){10, 0, 18}, 4 * TOP);
    require_speed(world, id, (throng_vec3){10.01f, 0, 17}, TOP);
    require_speed(world, id, (throng_vec3){9, 0, 18.01f}, TOP);
    require_speed(world, id, (throng_vec3){-2.01f, 0, 11}, TOP);
    require_speed(world, id, (throng_vec3){0, 0, 9.99f}, TOP);
    raster.mask = 2u; /* the group is in layer 0 */
    set_raster(world, &raster, NULL, 0);
    require_speed(world, id, (throng_vec3){-2, 0, 10}, TOP);
    throng_world_destroy(world);
  }
}

/* The smallest factor counts where the raster and zones overlap; a cell with a factor of 1 does not count. */
static void the_raster_and_zones(void **state) {
  (void)state;
  const throng_group_def g = fast_group();
  throng_world *world = stage_world(NULL, &g);
  throng_agent_id id;
  throng_error error;
  const throng_vec3 p = {0, 0, 0};
  const throng_speed_raster raster = terrain();
  const throng_speed_zone fast = circle(0, 12, 5, 3);
  float cost[6];
  throng_cells_def cells = throng_default_cells_def();
  stage_add(world, 1, &p, NULL, NULL, &id);
  set_raster(world, &raster, &fast, 1);
  require_speed(world, id, (throng_vec3){0, 0, 12}, 0.5f * TOP);
  require_speed(world, id, (throng_vec3){4, 0, 12}, 3 * TOP);
  require_speed(world, id, (throng_vec3){0, 0, 8}, 3 * TOP);
  cells.width = 3;
  cells.height = 2;
  cells.cell = 4.0f;
  cells.origin = (throng_vec3){-2, 0, 10};
  require_ok(throng_world_compute_zone_costs(world, &cells, 1u, cost, &error), &error);
  const float expected[6] = {2, 1 / 3.0f, 0.5f, 4, 1 / 0.75f, 0.25f};
  assert_memory_equal(cost, expected, sizeof cost);
  set(world, &fast, 1); /* without the raster */
  require_speed(world, id, (throng_vec3){0, 0, 12}, 3 * TOP);
  require_speed(world, id, (throng_vec3){-1, 0, 17.5f}, TOP);
  throng_world_destroy(world);
}

/* A raster tiles a periodic axis and repeats across its seam; one that does not fit is refused. */
static void the_raster_repeats(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_error error;
  def.boundary[0] = THRONG_BOUNDARY_PERIODIC;
  def.box_min.x = -4;
  def.box_max.x = 8;
  const throng_group_def g = fast_group();
  throng_world *world = stage_world(&def, &g);
  throng_agent_id id;
  const throng_vec3 p = {0, 0, 0};
  throng_speed_raster raster = terrain();
  stage_add(world, 1, &p, NULL, NULL, &id);
  set_raster(world, &raster, NULL, 0);
  require_speed(world, id, (throng_vec3){7, 0, 11}, 2 * TOP);
  require_speed(world, id, (throng_vec3){-3, 0, 11}, 2 * TOP); /* cell 2 begins at 6 and ends at 10, which is -2 */
  require_speed(world, id, (throng_vec3){-3, 0, 19}, TOP);
  throng_speed_zones_def zones = throng_default_speed_zones_def();
  zones.raster = raster;
  zones.raster.width = 2;
  require_error(throng_world_set_speed_zones(world, &zones, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "speed_zones.raster.width is 2: the cells are 8 m long along x"));
  zones.raster = raster;
  zones.raster.origin.x = 8.5f;
  require_error(throng_world_set_speed_zones(world, &zones, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  assert_non_null(strstr(error.text, "speed_zones.raster.origin.x is 8.5"));
  require_speed(world, id, (throng_vec3){7, 0, 11}, 2 * TOP); /* the raster stays */
  throng_world_destroy(world);
}

/* A snapshot has the raster. A shift of the origin takes it along, or is refused if the raster's origin would round. */
static void rasters_are_kept_and_shifted(void **state) {
  (void)state;
  for (int zoned = 0; zoned < 2; zoned++) {
    const throng_group_def g = fast_group();
    throng_world *world = stage_world(NULL, &g);
    throng_error error;
    throng_agent_id id;
    const throng_vec3 p = {0, 0, 12};
    throng_speed_raster raster = terrain();
    const throng_speed_zone zone = circle(200, 0, 5, 3);
    stage_add(world, 1, &p, NULL, NULL, &id);
    set_raster(world, &raster, &zone, (uint32_t)zoned);
    stage_step(world, frame_time);
    snapshot saved = snapshot_take(world);
    throng_world *loaded = snapshot_world(&saved, NULL);
    assert_true(snapshot_is_of(&saved, loaded));
    require_speed(loaded, id, p, TOP / 2);
    require_speed(loaded, id, (throng_vec3){9, 0, 17}, 4 * TOP);
    throng_vec3 exact;
    require_ok(throng_world_shift_origin(loaded, (throng_vec3){1000, 0, -50}, &exact, &error), &error);
    require_speed(loaded, id, (throng_vec3){9 - exact.x, 0, 17 - exact.z}, 4 * TOP);
    require_speed(loaded, id, (throng_vec3){9, 0, 17}, TOP);
    raster.origin.x = 0.1f;
    set_raster(loaded, &raster, NULL, 0);
    require_error(throng_world_shift_origin(loaded, (throng_vec3){1000, 0, 0}, NULL, &error), THRONG_ERROR_OUT_OF_RANGE,
                  &error);
    assert_non_null(strstr(error.text, "speed zones: raster: origin.x, 0.1"));
    snapshot_free(&saved);
    throng_world_destroy(world);
    throng_world_destroy(loaded);
  }
}

/* The boxes in which zones are looked up: a shift and its reverse restore their bits, although their corners round at
 * the far origin. */
static void shifts_restore_the_boxes(void **state) {
  (void)state;
  for (int spatial = 0; spatial < 2; spatial++) {
    throng_world *world = fast_world(spatial);
    throng_error error;
    const throng_speed_zone list[2] = {circle(0.5f, 0.25f, 0.1f, 0.5f), rectangle(-3, 8, 0.3f, 0.7f, 0.6f, 0.25f)};
    const throng_vec3 far = {262144, spatial ? 131072.0f : 0.0f, -524288};
    throng_vec3 exact;
    set(world, list, 2);
    const struct scenery *areas = &world->objects.speed_zones.reach.areas;
    struct shape before[2];
    memcpy(before, areas->shape, sizeof before);
    const double origin[3] = {areas->origin[0], areas->origin[1], areas->origin[2]};
    require_ok(throng_world_shift_origin(world, far, &exact, &error), &error);
    assert_true(exact.x == far.x && exact.y == far.y && exact.z == far.z);
    assert_memory_not_equal(before, areas->shape, sizeof before);
    assert_true(areas->shape[0].a[1] == 0.0f); /* areas lie on the ground */
    require_ok(throng_world_shift_origin(world, (throng_vec3){-far.x, -far.y, -far.z}, NULL, &error), &error);
    assert_int_equal(areas->shapes, 2);
    assert_memory_equal(before, areas->shape, sizeof before);
    assert_memory_equal(origin, areas->origin, sizeof origin);
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_speed_zones", 4417);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stairs),
      cmocka_unit_test(the_shapes),
      cmocka_unit_test(overlaps_masks_and_own_speeds),
      cmocka_unit_test(the_short_way),
      cmocka_unit_test(a_thousand),
      cmocka_unit_test(a_factor_of_one),
      cmocka_unit_test(walls_stop_fast_agents),
      cmocka_unit_test(snapshots_and_shifts),
      cmocka_unit_test(shifts_restore_the_boxes),
      cmocka_unit_test(the_raster),
      cmocka_unit_test(the_raster_and_zones),
      cmocka_unit_test(the_raster_repeats),
      cmocka_unit_test(rasters_are_kept_and_shifted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
