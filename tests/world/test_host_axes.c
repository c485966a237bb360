/* tests/world/test_host_axes.c: tests of hosts with axes and units of their own. A scene set in the host's axes gives
 * the same state, to the bit, as the scene set in throng's axes; all results are in the host's axes.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGENTS 200u
#define POINTS 4u

/* A host's axes. The functions and factors turn throng's points, directions, lengths and yaws into the host's. */
struct host {
  const char *name;
  throng_axes axes;
  throng_vec3 (*point)(throng_vec3 own);
  throng_vec3 (*direction)(throng_vec3 own);
  float units, yaw;
};
static throng_vec3 own_point(throng_vec3 p) { return p; }
static throng_vec3 unity_point(throng_vec3 p) { return (throng_vec3){-p.x, p.y, p.z}; }
static throng_vec3 unreal_point(throng_vec3 p) { return (throng_vec3){100 * p.z, 100 * -p.x, 100 * p.y}; }
static throng_vec3 unreal_direction(throng_vec3 p) { return (throng_vec3){p.z, -p.x, p.y}; }
static throng_vec3 godot_point(throng_vec3 p) { return (throng_vec3){-p.x, p.y, -p.z}; }
static throng_vec3 robot_point(throng_vec3 p) { return (throng_vec3){0.25f * p.z, 0.25f * p.x, 0.25f * p.y}; }
static throng_vec3 robot_direction(throng_vec3 p) { return (throng_vec3){p.z, p.x, p.y}; }

static const struct host *list_hosts(void) {
  static struct host hosts[5];
  hosts[0] = (struct host){"throng", throng_axes_own(), own_point, own_point, 1, 1};
  hosts[1] = (struct host){"Unity", throng_axes_unity(), unity_point, unity_point, 1, -1};
  hosts[2] = (struct host){"Unreal", throng_axes_unreal(), unreal_point, unreal_direction, 100, -1};
  hosts[3] = (struct host){"Godot", throng_axes_godot(), godot_point, godot_point, 1, 1};
  hosts[4] = (struct host){
      "robot", {THRONG_AXIS_Y, THRONG_AXIS_Z, THRONG_AXIS_X, 0.25f}, robot_point, robot_direction, 0.25f, 1};
  return hosts;
}

static throng_vec3 smaller(throng_vec3 a, throng_vec3 b) {
  return (throng_vec3){fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)};
}
static throng_vec3 larger(throng_vec3 a, throng_vec3 b) {
  return (throng_vec3){fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)};
}

static void require_point(throng_vec3 got, throng_vec3 expected, const char *what) {
  if (got.x == expected.x && got.y == expected.y && got.z == expected.z) return;
  print_error("%s: (%.9g, %.9g, %.9g), expected (%.9g, %.9g, %.9g)\n", what, (double)got.x, (double)got.y,
              (double)got.z, (double)expected.x, (double)expected.y, (double)expected.z);
  fail();
}

static const throng_vec3 box_low = {-20, -8, -30}, box_high = {40, 24, 60}, target = {7.5f, 2, -12.25f};
static const throng_vec3 path_points[POINTS] = {{-10, 0, -20}, {10, 4, -20}, {10, 4, 20}, {-10, 0, 20}};

static throng_world *make_world(const struct host *host, throng_space space, throng_boundary boundary) {
  throng_world_def def = throng_default_world_def();
  const throng_vec3 corners[2] = {host->point(box_low), host->point(box_high)};
  throng_world *world = NULL;
  throng_error error;
  def.space = space;
  throng_world_def_set_boundary(&def, boundary);
  def.axes = host->axes;
  def.perception_radius = 2;
  def.thread_count = 1;
  def.box_min = smaller(corners[0], corners[1]);
  def.box_max = larger(corners[0], corners[1]);
  require_ok(throng_world_create(&def, &world, &error), &error);
  const throng_world_def got = throng_world_get_def(world);
  require_point(got.box_min, def.box_min, "box_min");
  require_point(got.box_max, def.box_max, "box_max");
  assert_memory_equal(&got.axes, &host->axes, sizeof got.axes);
  return world;
}

static void tell_objects(const struct host *host, throng_world *world, throng_space space, bool scenery) {
  throng_error error;
  throng_vec3 points[POINTS], places[3] = {{1, 0, -1}, {-1, 0.5f, -2}, {0, 0, 3}};
  for (uint32_t k = 0; k < POINTS; k++) points[k] = host->point(path_points[k]);
  for (uint32_t k = 0; k < 3; k++) {
    places[k] = (throng_vec3){host->units * places[k].x, host->units * places[k].y, host->units * places[k].z};
  }
  throng_path_def path = throng_default_path_def();
  path.points = (throng_span){points, 0};
  path.count = POINTS;
  require_ok(throng_world_set_path(world, 1, &path, &error), &error);
  throng_formation_def formation = throng_default_formation_def();
  formation.places = (throng_span){places, 0};
  formation.count = 3;
  require_ok(throng_world_set_formation(world, 2, &formation, &error), &error);
  throng_attractor attractor = throng_default_attractor();
  attractor.position = host->point((throng_vec3){3, space == THRONG_SPACE_SPATIAL ? 6.0f : 0.0f, 2});
  attractor.radius = 8 * host->units;
  attractor.least_distance = 2 * host->units;
  attractor.law = THRONG_ATTRACTOR_INVERSE_SQUARE;
  throng_attractors_def attractors = throng_default_attractors_def();
  attractors.attractors = &attractor;
  attractors.count = 1;
  require_ok(throng_world_set_attractors(world, &attractors, &error), &error);
  throng_speed_zone zone = throng_default_speed_zone();
  zone.centre = host->point((throng_vec3){-2, space == THRONG_SPACE_SPATIAL ? 5.0f : 0.0f, 4});
  zone.shape = THRONG_SPEED_ZONE_RECTANGLE;
  zone.radius = 5 * host->units;
  zone.width = 3 * host->units;
  zone.length = 14 * host->units;
  zone.height = 9 * host->units;
  zone.yaw = host->yaw * 0.75f;
  throng_speed_zones_def zones = throng_default_speed_zones_def();
  zones.zones = &zone;
  zones.count = 1;
  require_ok(throng_world_set_speed_zones(world, &zones, &error), &error);
  if (!scenery) return;
  const bool spatial = space == THRONG_SPACE_SPATIAL;
  const throng_vec3 centre = host->point((throng_vec3){16, spatial ? 3.0f : 0.0f, 40}),
                    from = host->point((throng_vec3){-5, 0, 30}), to = host->point((throng_vec3){5, 0, 34});
  const throng_vec3 a = host->point((throng_vec3){-18, -6, 45}), b = host->point((throng_vec3){-10, 2, 50});
  const throng_vec3 low = smaller(a, b), high = larger(a, b), ground = host->point((throng_vec3){0, -4, 0}),
                    normal = host->direction((throng_vec3){0, 1, 0.25f});
  const float radius = 2.5f * host->units;
  throng_scenery_def def = throng_default_scenery_def();
  def.obstacle_centre = (throng_span){&centre, 0};
  def.obstacle_radius = (throng_span){&radius, 0};
  def.obstacle_count = 1;
  def.wall_from = (throng_span){&from, 0};
  def.wall_to = (throng_span){&to, 0};
  def.wall_count = !spatial;
  def.box_min = (throng_span){&low, 0};
  def.box_max = (throng_span){&high, 0};
  def.plane_point = (throng_span){&ground, 0};
  def.plane_normal = (throng_span){&normal, 0};
  def.box_count = def.plane_count = spatial;
  require_ok(throng_world_set_scenery(world, &def, &error), &error);
}

/* Sets scenery cells, if the world may have them, and a flow field that leads around them to a goal. */
static void tell_maps(const struct host *host, throng_world *world, bool may_have_cells) {
  enum { WIDTH = 12, HEIGHT = 20 };
  uint8_t blocked[WIDTH * HEIGHT] = {0};
  float vectors[2 * WIDTH * HEIGHT], distance[WIDTH * HEIGHT];
  throng_error error;
  for (int j = 8; j < 12; j++) blocked[j * WIDTH + 11] = 1;
  throng_cells_def cells = throng_default_cells_def();
  cells.width = WIDTH;
  cells.height = HEIGHT;
  cells.cell = 2 * host->units;
  cells.origin = host->point((throng_vec3){12, 0, -10});
  cells.blocked = blocked;
  if (may_have_cells) require_ok(throng_world_set_cells(world, &cells, &error), &error);
  const throng_flow_goal goal = {host->point((throng_vec3){19, 0, 11}), 3 * host->units};
  require_ok(throng_flow_field_compute(&host->axes, &cells, &goal, 1, vectors, distance, NULL, &error), &error);
  assert_true(distance[0] > 16 * host->units && distance[0] < 20 * host->units);
  throng_flow_field_def field = throng_default_flow_field_def();
  field.width = WIDTH;
  field.height = HEIGHT;
  field.cell = cells.cell;
  field.origin = cells.origin;
  field.vectors = vectors;
  require_ok(throng_world_set_flow_field(world, 4, &field, &error), &error);
}

static void tell_group(const struct host *host, throng_world *world) {
  throng_group_def def = throng_default_group_def(), got;
  throng_error error;
  throng_behaviour *seek = throng_group_def_add(&def, THRONG_BEHAVIOUR_SEEK);
  seek->target.kind = THRONG_TARGET_POINT;
  seek->target.point = host->point(target);
  throng_group_def_add(&def, THRONG_BEHAVIOUR_ARRIVE);
  throng_group_def_add(&def, THRONG_BEHAVIOUR_FOLLOW_PATH)->follow_path.index = 1;
  throng_group_def_add(&def, THRONG_BEHAVIOUR_WANDER);
  throng_group_def_add(&def, THRONG_BEHAVIOUR_ATTRACTORS);
  throng_group_def_add(&def, THRONG_BEHAVIOUR_FOLLOW_FIELD)->follow_field.index = 4;
  throng_behaviour *keep = throng_group_def_add(&def, THRONG_BEHAVIOUR_FORMATION);
  keep->formation.index = 2;
  keep->target.kind = THRONG_TARGET_POINT;
  keep->target.point = host->point(target);
  require_ok(throng_world_set_group(world, 0, &def, &error), &error);
  require_ok(throng_world_get_group(world, 0, &got, &error), &error);
  assert_memory_equal(&got, &def, sizeof got);
}

static throng_vec3 start_of(uint32_t k, throng_space space) {
  return (throng_vec3){(float)(k % 20) - 8, space == THRONG_SPACE_SPATIAL ? 4 + 0.5f * (float)(k % 7) : 0.0f,
                       1.5f * (float)(k / 20) - 5};
}

static void tell_agents(const struct host *host, throng_world *world, throng_space space) {
  throng_vec3 position[AGENTS], goal[AGENTS], velocity = host->point((throng_vec3){0.5f, 0, -0.25f});
  const float body = 0.25f * host->units;
  for (uint32_t k = 0; k < AGENTS; k++) {
    position[k] = host->point(start_of(k, space));
    goal[k] = host->point((throng_vec3){(float)(k % 9), 0, (float)(k % 11)});
  }
  throng_agents_def def = throng_default_agents_def();
  throng_error error;
  def.position = (throng_span){position, 0};
  def.velocity = (throng_span){&velocity, THRONG_STRIDE_ONE};
  def.goal = (throng_span){goal, 0};
  def.body_radius = (throng_span){&body, THRONG_STRIDE_ONE};
  require_ok(throng_agents_add(world, &def, AGENTS, NULL, &error), &error);
  throng_vec3 got[AGENTS];
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, got, 0, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) require_point(got[k], position[k], "position");
}

static throng_world *tell_scene(const struct host *host, throng_space space, throng_boundary boundary) {
  throng_world *world = make_world(host, space, boundary);
  throng_error error;
  tell_objects(host, world, space, boundary != THRONG_BOUNDARY_PERIODIC);
  tell_maps(host, world, space == THRONG_SPACE_PLANAR && boundary != THRONG_BOUNDARY_PERIODIC);
  tell_group(host, world);
  tell_agents(host, world, space);
  require_ok(throng_world_fill_formation(world, 0, NULL, &error), &error);
  return world;
}

/* Checks that the queries of `own` (in throng's axes) and `world` (in the host's) have the same results. */
static void require_same_answers(const struct host *host, const throng_world *own, throng_world *world) {
  throng_error error;
  throng_neighbour mine[AGENTS], theirs[AGENTS];
  throng_vec3 at[3] = {{2, 5, 3}, {-7, 4, 0}, {11, 6, 8}}, told[3];
  uint32_t count[2], counts[3];
  for (int k = 0; k < 3; k++) told[k] = host->point(at[k]);
  for (int k = 0; k < 3; k++) {
    require_ok(throng_world_query_radius(own, at[k], 6, THRONG_ALL_LAYERS, mine, AGENTS, &count[0], &error), &error);
    require_ok(throng_world_query_radius(world, told[k], 6 * host->units, THRONG_ALL_LAYERS, theirs, AGENTS, &count[1],
                                         &error),
               &error);
    assert_true(count[0] == count[1] && count[0] > 0);
    for (uint32_t n = 0; n < count[0]; n++) {
      assert_true(throng_agent_id_equal(mine[n].id, theirs[n].id));
      assert_true(theirs[n].distance == mine[n].distance * host->units);
    }
    require_ok(throng_world_query_nearest(own, at[k], 5, THRONG_ALL_LAYERS, mine, &count[0], &error), &error);
    require_ok(throng_world_query_nearest(world, told[k], 5, THRONG_ALL_LAYERS, theirs, &count[1], &error), &error);
    for (uint32_t n = 0; n < 5; n++) assert_true(theirs[n].distance == mine[n].distance * host->units);
    for (float radius = 0; radius < 8; radius += 0.5f)
      assert_int_equal(throng_world_is_free(own, at[k], radius),
                       throng_world_is_free(world, told[k], radius * host->units));
  }
  throng_neighbour batch[3][5];
  require_ok(throng_world_query_nearest_batch(world, told, 3, 5, THRONG_ALL_LAYERS, batch[0], counts, &error), &error);
  assert_memory_equal(batch[2], theirs, sizeof batch[2]);
  throng_neighbour near[3][AGENTS];
  require_ok(throng_world_query_radius_batch(world, told, 3, 6 * host->units, THRONG_ALL_LAYERS, near[0], AGENTS,
                                             counts, &error),
             &error);
  require_ok(
      throng_world_query_radius(world, told[1], 6 * host->units, THRONG_ALL_LAYERS, theirs, AGENTS, &count[1], &error),
      &error);
  assert_int_equal(counts[1], count[1]);
  assert_memory_equal(near[1], theirs, count[1] * sizeof theirs[0]);
  for (float x = 10; x < 40; x += 1.75f) {
    throng_vec3 vector[2];
    const throng_vec3 point = {x, 2, x - 15};
    require_ok(throng_world_sample_flow_field(own, 4, point, &vector[0], &error), &error);
    require_ok(throng_world_sample_flow_field(world, 4, host->point(point), &vector[1], &error), &error);
    require_point(vector[1], host->direction(vector[0]), "sample of a flow field");
  }
  assert_true(throng_world_path_length(world, 1) == throng_world_path_length(own, 1) * host->units);
}

static void require_same_explanations(const struct host *host, const throng_world *own, const throng_world *world,
                                      throng_agent_id id) {
  throng_explanation mine, theirs;
  throng_error error;
  require_ok(throng_world_explain(own, id, &mine, &error), &error);
  require_ok(throng_world_explain(world, id, &theirs, &error), &error);
  require_point(theirs.position, host->point(mine.position), "explained position");
  require_point(theirs.velocity, host->point(mine.velocity), "explained velocity");
  require_point(theirs.acceleration, host->point(mine.acceleration), "explained acceleration");
  assert_true(theirs.max_acceleration == mine.max_acceleration * host->units);
  assert_true(theirs.yaw_acceleration == mine.yaw_acceleration * host->yaw);
  assert_true(theirs.count == mine.count && mine.count >= 4);
  for (uint32_t k = 0; k < mine.count; k++)
    require_point(theirs.contribution[k].acceleration, host->point(mine.contribution[k].acceleration), "contribution");
}

static void require_same_shift(const struct host *host, throng_world *own, throng_world *world) {
  throng_vec3 mine, theirs;
  throng_error error;
  const throng_vec3 wished = {4, 0, -6};
  require_ok(throng_world_shift_origin(own, wished, &mine, &error), &error);
  require_ok(throng_world_shift_origin(world, host->point(wished), &theirs, &error), &error);
  require_point(theirs, host->point(mine), "shift");
  const throng_world_def def = throng_world_get_def(world);
  const throng_vec3 low = {box_low.x - mine.x, box_low.y - mine.y, box_low.z - mine.z};
  const throng_vec3 high = {box_high.x - mine.x, box_high.y - mine.y, box_high.z - mine.z};
  require_point(def.box_min, smaller(host->point(low), host->point(high)), "shifted box_min");
  require_point(def.box_max, larger(host->point(low), host->point(high)), "shifted box_max");
}

static void same_scene_in_both(void **state) {
  (void)state;
  const struct host *hosts = list_hosts();
  for (int run = 0; run < 20; run++) {
    const struct host *host = &hosts[run % 5];
    const throng_space space = (throng_space)(run / 5 % 2);
    const throng_boundary boundary = run / 10 ? THRONG_BOUNDARY_PERIODIC : THRONG_BOUNDARY_BOX;
    throng_world *own = tell_scene(&hosts[0], space, boundary), *world = tell_scene(host, space, boundary);
    throng_error error;
    throng_agent_id ids[AGENTS];
    uint32_t count;
    print_message("%s, space %d, boundary %d\n", host->name, (int)space, (int)boundary);
    require_ok(throng_agents_get_ids(own, ids, AGENTS, &count, &error), &error);
    require_ok(throng_world_watch(own, ids[3], &error), &error);
    require_ok(throng_world_watch(world, ids[3], &error), &error);
    if (boundary == THRONG_BOUNDARY_BOX) require_same_shift(host, own, world);
    for (int frame = 0; frame < 15; frame++) {
      assert_true(throng_world_hash(own, STATE_COLUMNS) == throng_world_hash(world, STATE_COLUMNS));
      require_ok(throng_world_step(own, 0.05f, &error), &error);
      require_ok(throng_world_step(world, 0.05f, &error), &error);
    }
    assert_true(throng_world_hash(own, STATE_COLUMNS) == throng_world_hash(world, STATE_COLUMNS));
    require_same_answers(host, own, world);
    require_same_explanations(host, own, world, ids[3]);
    throng_world_destroy(own);
    throng_world_destroy(world);
  }
}

/* A snapshot has the same bytes whatever the host's axes are. The definition read from it is in throng's axes. */
static void snapshots_have_no_axes(void **state) {
  (void)state;
  const struct host *hosts = list_hosts();
  throng_world *own = tell_scene(&hosts[0], THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX);
  throng_error error;
  size_t size = 0;
  require_ok(throng_world_step(own, 0.05f, &error), &error);
  require_ok(throng_world_save_snapshot(own, NULL, 0, &size, &error), &error);
  uint8_t *bytes = malloc(2 * size);
  assert_non_null(bytes);
  require_ok(throng_world_save_snapshot(own, bytes, size, &size, &error), &error);
  for (int k = 1; k < 5; k++) {
    throng_world *world = tell_scene(&hosts[k], THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX);
    throng_world_def def;
    size_t written = 0;
    require_ok(throng_world_step(world, 0.05f, &error), &error);
    require_ok(throng_world_save_snapshot(world, bytes + size, size, &written, &error), &error);
    assert_true(written == size && memcmp(bytes, bytes + size, size) == 0);
    require_ok(throng_snapshot_get_def(bytes + size, size, &def, &error), &error);
    require_point(def.box_min, box_low, "saved box_min");
    require_point(def.box_max, box_high, "saved box_max");
    assert_memory_equal(&def.axes, &hosts[0].axes, sizeof def.axes);
    throng_world *other = make_world(&hosts[k], THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX);
    require_ok(throng_world_load_snapshot(other, bytes, size, &error), &error);
    const throng_world_def kept = throng_world_get_def(other);
    assert_memory_equal(&kept.axes, &hosts[k].axes, sizeof kept.axes);
    throng_vec3 mine[AGENTS], theirs[AGENTS];
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, mine, 0, &error), &error);
    require_ok(throng_agents_read(other, THRONG_COLUMN_POSITION, NULL, AGENTS, theirs, 0, &error), &error);
    assert_memory_equal(mine, theirs, sizeof mine);
    throng_world_destroy(other);
    throng_world_destroy(world);
  }
  free(bytes);
  throng_world_destroy(own);
}

/* A box whose maximum is below its minimum along one of the host's axes is refused. */
static void corners_in_the_wrong_order(void **state) {
  (void)state;
  const struct host *hosts = list_hosts();
  for (int k = 0; k < 5; k++) {
    throng_world_def def = throng_default_world_def();
    throng_world *world = NULL;
    throng_error error;
    def.space = THRONG_SPACE_SPATIAL;
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
    def.axes = hosts[k].axes;
    def.box_min = (throng_vec3){0, 0, 0};
    for (int c = 0; c < 3; c++) {
      def.box_max = (throng_vec3){c == 0 ? -50.0f : 50, c == 1 ? -50.0f : 50, c == 2 ? -50.0f : 50};
      require_error(throng_world_create(&def, &world, &error), THRONG_ERROR_BAD_VALUE, &error);
    }
    def.box_max = (throng_vec3){50, 50, 50};
    require_ok(throng_world_create(&def, &world, &error), &error);
    throng_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_scene_in_both), cmocka_unit_test(snapshots_have_no_axes),
                                     cmocka_unit_test(corners_in_the_wrong_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
