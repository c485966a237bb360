/* tests/agents/test_axes_faces.c: faces of the world's box in the axes and units of a host, in all 48 arrangements of
 * three axes. Every call takes positions on a face; both faces of a period are one point; error texts have the
 * host's coordinates and limits.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WAYS 48 /* six orders of three axes, each with eight pairs of signs */

static throng_axes way(int number, float units) {
  static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  int axis[3];
  for (int c = 0; c < 3; c++) axis[c] = orders[number / 8][c] + (number >> c & 1 ? 3 : 0);
  return (throng_axes){(throng_axis)axis[0], (throng_axis)axis[1], (throng_axis)axis[2], units};
}

/* A world whose box is 0 to 100 m along each of the host's axes. */
static throng_world *square(const throng_axes *axes, throng_space space, throng_boundary boundary) {
  throng_world_def def = throng_default_world_def();
  const float side = 100.0f * axes->units_per_metre;
  throng_world *world = NULL;
  throng_error error;
  def.axes = *axes;
  def.space = space;
  def.thread_count = 1;
  def.box_max = (throng_vec3){side, side, side};
  throng_world_def_set_boundary(&def, boundary);
  require_ok(throng_world_create(&def, &world, &error), &error);
  return world;
}

static throng_vec3 read_position(const throng_world *world, throng_agent_id id) {
  throng_vec3 p;
  throng_error error;
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, &id, 1, &p, 0, &error), &error);
  return p;
}

/* Gives positions with some coordinates on faces (bits of `high`: which) to each call that takes a position. The host
 * reads 0 for both faces of a period, and a coordinate between the faces of a box. */
static void put_on_faces(throng_world *world, uint32_t high, bool periodic, int height) {
  const float side = throng_world_get_def(world).box_max.x, middle = 0.5f * side;
  const throng_vec3 p = {high & 1 ? side : 0, high & 2 ? side : 0, high & 4 ? side : 0},
                    centre = {middle, middle, middle};
  throng_agents_def agents = throng_default_agents_def();
  throng_agent_id id;
  throng_error error;
  throng_neighbour found;
  uint32_t count = 0;
  agents.position.data = agents.goal.data = &p;
  assert_true(throng_world_is_free(world, p, 0));
  for (int call = 0; call < 4; call++) {
    if (call == 0) require_ok(throng_agents_add(world, &agents, 1, &id, &error), &error);
    if (call == 1) require_ok(throng_agents_write(world, THRONG_COLUMN_POSITION, &id, 1, &p, 0, &error), &error);
    if (call == 2) require_ok(throng_agents_move(world, &id, 1, &p, NULL, &error), &error);
    if (call == 3) require_ok(throng_world_step(world, 0.1f, &error), &error);
    const throng_vec3 got = read_position(world, id);
    for (int k = 0; k < 3; k++) {
      const float at = (&got.x)[k], given = (&p.x)[k];
      if (k == height) continue; /* planar: a payload */
      if (periodic ? at == 0 : at > 0 && at < side && fabsf(at - given) <= 1e-5f * side) continue;
      fail_msg("call %d: %g on axis %d reads as %.9g", call, (double)given, k, (double)at);
    }
    require_ok(throng_world_index(world, &error), &error);
    require_ok(throng_world_query_nearest(world, p, 1, 1, &found, &count, &error), &error);
    assert_true(count == 1 && found.distance <= 2e-5f * side);
    if (call < 2) require_ok(throng_agents_move(world, &id, 1, &centre, NULL, &error), &error);
    if (call < 2) require_ok(throng_world_index(world, &error), &error);
  }
  require_ok(throng_agents_remove(world, &id, 1, &error), &error);
  require_sound(world, "on faces");
}

static void both_faces_of_a_period_are_one_point(void **state) {
  (void)state;
  static const float units[] = {1.0f, 100.0f, 0.3048f, 3.2808399f};
  for (int k = 0; k < WAYS * 4; k++) {
    const throng_axes axes = way(k / 4, units[k % 4]);
    for (int space = 0; space < 2; space++) {
      for (int periodic = 0; periodic < 2; periodic++) {
        throng_world *world =
            square(&axes, (throng_space)space, periodic ? THRONG_BOUNDARY_PERIODIC : THRONG_BOUNDARY_BOX);
        for (uint32_t high = 0; high < 8; high++)
          put_on_faces(world, high, periodic, space == THRONG_SPACE_PLANAR ? (int)axes.y % 3 : -1);
        throng_world_destroy(world);
      }
    }
  }
}

/* The columns have both faces as one value: the near face in throng's axes. */
static void both_faces_have_the_same_bits(void **state) {
  (void)state;
  const throng_axes godot = throng_axes_godot();
  throng_world *world = square(&godot, THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC);
  const throng_vec3 p[2] = {{0, 100, 0}, {100, 0, 100}};
  throng_agents_def agents = throng_default_agents_def();
  throng_error error;
  throng_view view;
  agents.position.data = p;
  require_ok(throng_agents_add(world, &agents, 2, NULL, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  require_ok(throng_world_view(world, &view, &error), &error);
  for (uint32_t k = 0; k < 2; k++)
    assert_true(view.position_x[k] == -100 && view.position_y[k] == 0 && view.position_z[k] == -100);
  throng_world_destroy(world);
}

/* Coordinates and limits of error texts are the host's: its axis, its order of the limits, its unit, and no -0. */
static void errors_have_the_coordinates_of_the_host(void **state) {
  (void)state;
  const struct {
    const char *name;
    throng_axes axes;
    const char *text, *centre;
  } rows[] = {{"throng", throng_axes_own(), "position[0].x is -1, the world is 0 to 100", "allowed: 0 to 100"},
              {"Unity", throng_axes_unity(), "position[0].x is -1, the world is 0 to 100", "allowed: 0 to 100"},
              {"Godot", throng_axes_godot(), "position[0].x is -1, the world is 0 to 100", "allowed: 0 to 100"},
              {"Unreal", throng_axes_unreal(), "position[0].x is -1, the world is 0 to 10000", "allowed: 0 to 10000"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    throng_world *world = square(&rows[k].axes, THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC);
    const throng_vec3 inside = {50, 50, 50}, outside = {-1, 50, 50};
    throng_agents_def agents = throng_default_agents_def();
    throng_group_def group = throng_default_group_def();
    throng_path_def path = throng_default_path_def();
    throng_scenery_def scenery = throng_default_scenery_def();
    const throng_vec3 points[2] = {inside, outside};
    const float radius = 1;
    throng_error error;
    uint32_t count;
    agents.position.data = &inside;
    require_ok(throng_agents_add(world, &agents, 1, NULL, &error), &error);
    require_ok(throng_world_index(world, &error), &error);
    agents.position.data = &outside;
#define NAMES(status, word, call)                                                                                      \
  do {                                                                                                                 \
    require_error(call, status, &error);                                                                               \
    if (!strstr(error.text, word)) fail_msg("%s: '%s' does not have '%s'", rows[k].name, error.text, word);            \
    if (strstr(error.text, "-0 ") || strstr(error.text, "-0,")) fail_msg("%s: %s", rows[k].name, error.text);          \
  } while (0)
    NAMES(THRONG_ERROR_OUT_OF_RANGE, rows[k].text, throng_agents_add(world, &agents, 1, NULL, &error));
    NAMES(THRONG_ERROR_OUT_OF_RANGE, "centre.x is -1,",
          throng_world_query_radius(world, outside, 1, 1, NULL, 0, &count, &error));
    NAMES(THRONG_ERROR_OUT_OF_RANGE, rows[k].centre,
          throng_world_query_nearest(world, outside, 1, 1, &(throng_neighbour){0}, &count, &error));
    throng_behaviour *seek = throng_group_def_add(&group, THRONG_BEHAVIOUR_SEEK);
    seek->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = outside};
    NAMES(THRONG_ERROR_BAD_VALUE, "point.x is -1,", throng_world_set_group(world, 0, &group, &error));
    path.points.data = points;
    path.count = 2;
    NAMES(THRONG_ERROR_BAD_VALUE, "path.points[1].x is -1,", throng_world_set_path(world, 0, &path, &error));
    scenery.obstacle_centre.data = &outside;
    scenery.obstacle_radius.data = &radius;
    scenery.obstacle_count = 1;
    NAMES(THRONG_ERROR_OUT_OF_RANGE, "obstacle_centre[0].x is -1,", throng_world_set_scenery(world, &scenery, &error));
    throng_world_destroy(world);
    throng_world_def def = throng_default_world_def();
    def.axes = rows[k].axes;
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
    def.box_min = (throng_vec3){7, 7, 7};
    def.box_max = (throng_vec3){8, 6, 8};
    def.space = THRONG_SPACE_SPATIAL;
    NAMES(THRONG_ERROR_BAD_VALUE, "box_min.y is 7, must be below box_max.y, 6",
          throng_world_create(&def, &world, &error));
#undef NAMES
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_faces_of_a_period_are_one_point),
      cmocka_unit_test(both_faces_have_the_same_bits),
      cmocka_unit_test(errors_have_the_coordinates_of_the_host),
  };
  return cmocka_run_group_tests_name("axes_faces", tests, NULL, NULL);
}
