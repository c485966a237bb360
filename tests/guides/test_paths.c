/* tests/guides/test_paths.c: tests of following paths whose outcome is known in advance. test_reference_a compares the
 * exact bits.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static uint64_t base_seed;

static void set_path(throng_world *world, uint32_t number, const throng_vec3 *points, uint32_t count, bool closed) {
  throng_path_def def = throng_default_path_def();
  throng_error error;
  def.points.data = points;
  def.count = count;
  def.closed = closed;
  require_ok(throng_world_set_path(world, number, &def, &error), &error);
}

/* Makes g a group that follows path 0 and can brake hard. Returns the behaviour's parameters. */
static throng_follow_path *make_walkers(throng_group_def *g) {
  *g = stage_idle_group();
  g->max_speed = 1.0f;
  g->max_acceleration = 10.0f;
  throng_follow_path *follow = &group_want(g, THRONG_BEHAVIOUR_FOLLOW_PATH, 1.0f)->follow_path;
  follow->offset = 0.5f;
  return follow;
}

static float parameter_of(const throng_world *world, throng_agent_id id) {
  return stage_read(world, THRONG_COLUMN_PATH_PARAMETER, id).x;
}
static void set_parameter(throng_world *world, throng_agent_id id, float parameter) {
  stage_write(world, THRONG_COLUMN_PATH_PARAMETER, id, (throng_vec3){parameter, 0, 0});
}
static void regroup(throng_world *world, const throng_group_def *g) {
  throng_error error;
  require_ok(throng_world_set_group(world, 0, g, &error), &error);
}

/* Returns the distance along a closed path from one path parameter to another, in the shorter direction. */
static double step_along(const throng_world *world, float from, float to) {
  const double length = (double)throng_world_path_length(world, 0);
  return remainder((double)to - (double)from, length);
}

#define EIGHT 64
static void make_eight(throng_vec3 *points) {
  for (int k = 0; k < EIGHT; k++) {
    const double t = 2.0 * PI * (k + 0.5) / EIGHT;
    points[k] = (throng_vec3){(float)(20.0 * sin(t)), 0, (float)(10.0 * sin(2.0 * t))};
  }
}

/* Agents start beside the crossing of a figure of eight and follow it. least and most: the smallest and the largest
 * change of a path parameter in a frame. total: the mean distance along the path. */
static void lap_of_eight(float window, double *least, double *most, double *total) {
  enum { AGENTS = 20, FRAMES = 4000 };
  throng_vec3 points[EIGHT], p[AGENTS];
  throng_agent_id ids[AGENTS];
  float last[AGENTS];
  throng_group_def g;
  throng_follow_path *follow = make_walkers(&g);
  follow->window = window;
  throng_world *world = stage_world(NULL, &g);
  make_eight(points);
  set_path(world, 0, points, EIGHT, true);
  for (int k = 0; k < AGENTS; k++) { /* the path leads through the origin toward (-1, 1) */
    const float aside = 0.04f * ((float)k - 9.5f);
    p[k] = (throng_vec3){0.4f + aside, 3, -0.4f + aside};
  }
  stage_add(world, AGENTS, p, NULL, NULL, ids);
  stage_step(world, 1.0f / 30.0f);
  for (int k = 0; k < AGENTS; k++) last[k] = parameter_of(world, ids[k]);
  *least = INFINITY;
  *most = -INFINITY;
  *total = 0.0;
  for (int frame = 0; frame < FRAMES; frame++) {
    stage_step(world, 1.0f / 30.0f);
    for (int k = 0; k < AGENTS; k++) {
      const float now = parameter_of(world, ids[k]);
      const double step = step_along(world, last[k], now);
      *least = fmin(*least, step);
      *most = fmax(*most, step);
      *total += step / AGENTS;
      last[k] = now;
    }
  }
  throng_world_destroy(world);
}

static void coherence_on_a_crossing(void **state) {
  (void)state;
  double least, most, total;
  lap_of_eight(3.0f, &least, &most, &total);
  if (!(least >= 0.0 && most < 0.1)) print_error("steps from %g to %g m\n", least, most);
  assert_true(least >= 0.0 && most < 0.1); /* 0.033 m per frame at full speed: never back, no jumps */
  assert_true(total > 100.0);              /* more than a lap of 97 m */
  lap_of_eight(0.0f, &least, &most, &total);
  assert_true(most > 5.0 || least < -5.0); /* jumps from one branch to the other */
}

/* Returns how far (z) an agent follows a narrow detour at x = 10, before it arrives at x = 20. */
static double depth_of_detour(float predict_time, float window) {
  static const throng_vec3 points[] = {{0, 0, 0}, {10, 0, 0}, {10, 0, 8}, {10.3f, 0, 8}, {10.3f, 0, 0}, {20, 0, 0}};
  throng_group_def g;
  throng_follow_path *follow = make_walkers(&g);
  follow->offset = 0.1f;
  follow->predict_time = predict_time;
  follow->window = window;
  throng_world *world = stage_world(NULL, &g);
  set_path(world, 0, points, COUNT_OF(points), false);
  throng_agent_id id;
  stage_add(world, 1, &(throng_vec3){0, 0, 0.1f}, NULL, NULL, &id);
  double depth = 0.0;
  float last = 0.0f;
  for (int frame = 0; frame < 60 * 50; frame++) {
    stage_step(world, 1.0f / 60.0f);
    depth = fmax(depth, (double)stage_read(world, THRONG_COLUMN_POSITION, id).z);
    const float now = parameter_of(world, id);
    if (predict_time > 0.0f) assert_true(now >= last); /* never back */
    last = now;
  }
  assert_true(stage_distance(stage_read(world, THRONG_COLUMN_POSITION, id), points[5]) < 0.2);
  throng_world_destroy(world);
  return depth;
}

/* Without prediction an agent follows a detour whose two sides are 0.3 m apart. With prediction it skips the detour,
 * unless the window is too short for that. */
static void prediction_skips_what_plain_visits(void **state) {
  (void)state;
  assert_true(depth_of_detour(0.0f, 5.0f) > 7.5);
  assert_true(depth_of_detour(0.0f, 0.0f) > 7.5);
  assert_true(depth_of_detour(1.0f, 0.0f) < 1.0);
  assert_true(depth_of_detour(1.0f, 5.0f) > 6.0); /* the detour is longer than the window */
}

static void open_ends(void **state) {
  (void)state;
  static const throng_vec3 points[] = {{-5, 0, 0}, {5, 1, 0}, {5, 2, 6}};
  static const float slow[] = {0.0f, 0.3f, 4.0f};
  for (int space = 0; space < 2; space++)
    for (int backward = 0; backward < 2; backward++)
      for (int k = 0; k < 3; k++) {
        throng_group_def g;
        throng_follow_path *follow = make_walkers(&g);
        throng_world_def def = throng_default_world_def();
        def.space = (throng_space)space;
        if (backward) follow->offset = -follow->offset;
        follow->slow_radius = slow[k];
        follow->target_radius = 0.05f;
        throng_world *world = stage_world(&def, &g);
        set_path(world, 0, points, 3, false);
        throng_agent_id id;
        stage_add(world, 1, &(throng_vec3){4, 1, 1}, NULL, NULL, &id);
        for (int frame = 0; frame < 60 * 60; frame++) stage_step(world, 1.0f / 60.0f);
        throng_vec3 at = stage_read(world, THRONG_COLUMN_POSITION, id), end = points[backward ? 0 : 2];
        if (space == 0) at.y = end.y; /* y is ignored */
        assert_true(stage_distance(at, end) <= 0.06);
        assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id)) < 1e-3);
        const float length = throng_world_path_length(world, 0), m = parameter_of(world, id);
        assert_true(backward ? m >= 0.0f && m < 0.06f : m <= length && m > length - 0.06f);
        throng_world_destroy(world);
      }
}

/* An agent follows closed paths in both directions: a square, and a path across the seam of a periodic world. */
static void closed_paths_wrap(void **state) {
  (void)state;
  static const throng_vec3 square[] = {{0, 0, 0}, {8, 0, 0}, {8, 0, 8}, {0, 0, 8}};
  static const throng_vec3 round[] = {{1, 0, 5}, {6, 0, 5}, {11, 0, 5}};
  for (int periodic = 0; periodic < 2; periodic++)
    for (int backward = 0; backward < 2; backward++)
      for (int predictive = 0; predictive < 2; predictive++) {
        throng_group_def g;
        throng_follow_path *follow = make_walkers(&g);
        throng_world_def def = throng_default_world_def();
        if (periodic) throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
        def.box_max = (throng_vec3){16, 16, 16};
        if (backward) follow->offset = -follow->offset;
        if (predictive) follow->predict_time = 0.1f;
        throng_world *world = stage_world(&def, &g);
        set_path(world, 0, periodic ? round : square, periodic ? 3 : 4, true);
        const float length = throng_world_path_length(world, 0);
        assert_true(length == (periodic ? 16.0f : 32.0f));
        throng_agent_id id;
        stage_add(world, 1, &(throng_vec3){3, 0, periodic ? 5.5f : 0.5f}, NULL, NULL, &id);
        stage_step(world, 1.0f / 60.0f);
        double total = 0.0;
        for (int frame = 0; frame < 60 * 80; frame++) {
          const float before = parameter_of(world, id);
          stage_step(world, 1.0f / 60.0f);
          const float now = parameter_of(world, id);
          const double step = step_along(world, before, now) * (backward ? -1.0 : 1.0);
          assert_true(now >= 0.0f && now < length && step < 0.6 && (!predictive || step >= 0.0));
          total += step;
        }
        assert_true(total > 70.0);
        throng_world_destroy(world);
      }
}

/* An agent that the host moves away looks for the path only within the window around its parameter. If the host sets
 * the parameter to NAN, it takes the nearest point of the whole path. */
static void forgetting_after_a_displacement(void **state) {
  (void)state;
  static const throng_vec3 points[] = {{0, 0, 0}, {30, 0, 0}, {30, 0, 5}, {0, 0, 5}};
  throng_group_def g;
  throng_follow_path *follow = make_walkers(&g);
  follow->window = 3.0f;
  throng_world *world = stage_world(NULL, &g);
  set_path(world, 0, points, 4, false);
  throng_agent_id id;
  stage_add(world, 1, &(throng_vec3){10, 0, 0.5f}, NULL, NULL, &id);
  assert_true(isnan(parameter_of(world, id)));
  stage_step(world, 0.01f);
  assert_true(fabsf(parameter_of(world, id) - 10.0f) < 0.1f);
  stage_write(world, THRONG_COLUMN_POSITION, id, (throng_vec3){20, 0, 4});
  stage_step(world, 0.01f);
  assert_true(fabsf(parameter_of(world, id) - 13.0f) < 0.1f); /* the end of the window */
  set_parameter(world, id, 10.0f);
  set_parameter(world, id, NAN);
  assert_true(isnan(parameter_of(world, id)));
  stage_step(world, 0.01f);
  assert_true(fabsf(parameter_of(world, id) - 45.0f) < 0.1f);
  throng_world_destroy(world);
}

/* Returns the path parameter after one frame of an agent at rest at `p` whose parameter was `known`. */
static float found(const throng_vec3 *points, uint32_t count, bool closed, throng_vec3 p, float known, float window) {
  throng_group_def g;
  throng_follow_path *follow = make_walkers(&g);
  follow->window = window;
  throng_world *world = stage_world(NULL, &g);
  set_path(world, 0, points, count, closed);
  throng_agent_id id;
  stage_add(world, 1, &p, NULL, NULL, &id);
  set_parameter(world, id, known);
  stage_step(world, 1e-30f);
  const float parameter = parameter_of(world, id);
  throng_world_destroy(world);
  return parameter;
}

static void corners_and_ties(void **state) {
  (void)state;
  static const throng_vec3 u[] = {{0, 0, 0}, {0, 0, 10}, {4, 0, 10}, {4, 0, 0}};
  const throng_vec3 middle = {2, 0, 5}, outside = {-3, 0, 13};
  assert_true(found(u, 4, false, outside, NAN, 0.0f) == 10.0f); /* the corner itself */
  assert_true(found(u, 4, false, middle, NAN, 0.0f) == 5.0f);   /* no parameter: the first of the nearest points */
  assert_true(found(u, 4, false, middle, 8.0f, 0.0f) == 5.0f);
  assert_true(found(u, 4, false, middle, 18.0f, 0.0f) == 19.0f); /* two points are 2 m away */
  assert_true(found(u, 4, true, middle, 24.5f, 0.0f) == 19.0f);
  assert_true(found(u, 4, true, middle, 0.5f, 0.0f) == 5.0f);
  assert_true(found(u, 4, true, (throng_vec3){2, 0, 2}, 1.0f, 2.5f) == 2.0f);
  assert_true(found(u, 4, true, (throng_vec3){2, 0, -1}, 0.5f, 3.0f) == 26.0f); /* back across the seam: 26 of 28 m */
  assert_true(found(u, 4, true, (throng_vec3){-1, 0, 2}, 27.0f, 4.0f) == 2.0f); /* forward across the seam */
  assert_true(found(u, 4, false, middle, 99.0f, 4.0f) == 20.0f); /* 99 counts as the end, 24: the window is 20 to 24 */
  assert_true(found(u, 2, false, (throng_vec3){0, 0, -9}, NAN, 0.0f) == 0.0f);
}

/* Checks that the agent's acceleration has the direction (x, z) and the length max_acceleration; 0 for (0, 0). */
static void require_direction(throng_world *world, throng_agent_id id, double x, double z) {
  throng_error error;
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
  const double length = sqrt(x * x + z * z), most = 10.0;
  if (length == 0.0) assert_true(a.x == 0.0f && a.z == 0.0f);
  if (length > 0.0)
    assert_true(fabs((double)a.x - most * x / length) < 1e-4 && fabs((double)a.z - most * z / length) < 1e-4);
}

static void offsets_and_their_signs(void **state) {
  (void)state;
  static const throng_vec3 points[] = {{0, 0, 0}, {10, 0, 0}};
  throng_group_def g;
  throng_follow_path *follow = make_walkers(&g);
  follow->time_to_target = 0.0f;
  throng_world *world = stage_world(NULL, &g);
  set_path(world, 0, points, 2, false);
  throng_agent_id id;
  stage_add(world, 1, &(throng_vec3){5, 7, 1}, &(throng_vec3){2, 0, 0}, NULL, &id);
  require_direction(world, id, 0.5, -1.0);
  follow->offset = -3.0f;
  regroup(world, &g);
  require_direction(world, id, -3.0, -1.0);
  follow->offset_time = 1.0f; /* 2 m more */
  regroup(world, &g);
  require_direction(world, id, -1.0, -1.0);
  follow->offset = 0.0f;
  regroup(world, &g);
  require_direction(world, id, 2.0, -1.0);
  follow->offset_time = -1.0f;
  regroup(world, &g);
  require_direction(world, id, -2.0, -1.0);
  follow->offset_time = 0.0f;
  regroup(world, &g);
  require_direction(world, id, 0.0, -1.0);
  follow->offset = 1e9f; /* limited to the path's end */
  regroup(world, &g);
  require_direction(world, id, 5.0, -1.0);
  stage_write(world, THRONG_COLUMN_POSITION, id, points[1]); /* at the target */
  require_direction(world, id, 0.0, 0.0);
  throng_world_destroy(world);
}

/* An offset by time alone lets an agent at rest start, in both directions. */
static void offset_by_time_starts(void **state) {
  (void)state;
  static const float times[] = {1.0f, 0.2f, -1.0f};
  const throng_vec3 points[2] = {{0, 0, 0}, {90, 0, 0}}, p = {45, 0, 0};
  for (int k = 0; k < 3; k++) {
    throng_group_def g = stage_idle_group();
    throng_agent_id id;
    g.max_speed = 1.5f;
    g.max_acceleration = 3.0f;
    throng_follow_path *follow = &group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATH, 1.0f)->follow_path;
    follow->offset = 0.0f;
    follow->offset_time = times[k];
    throng_world *world = stage_world(NULL, &g);
    set_path(world, 0, points, 2, false);
    stage_add(world, 1, &p, NULL, NULL, &id);
    for (int frame = 0; frame < 1200; frame++) stage_step(world, 1.0f / 60.0f);
    const float way = stage_read(world, THRONG_COLUMN_POSITION, id).x - 45.0f;
    assert_true((times[k] > 0.0f ? way : -way) > 25.0f);
    throng_world_destroy(world);
  }
}

/* A path that was deleted or never set gives no acceleration. The agent keeps its parameter for the next path. */
static void paths_come_and_go(void **state) {
  (void)state;
  static const throng_vec3 points[] = {{0, 0, 0}, {10, 0, 0}, {10, 0, 10}};
  throng_group_def g;
  throng_follow_path *follow = make_walkers(&g);
  follow->time_to_target = 0.0f;
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_agent_id id;
  stage_add(world, 1, &(throng_vec3){6, 0, 1}, NULL, NULL, &id);
  require_direction(world, id, 0.0, 0.0);
  assert_true(throng_world_path_length(world, 0) == 0.0f && throng_world_path_length(world, 64) == 0.0f);
  assert_true(throng_world_path_length(NULL, 0) == 0.0f);
  set_path(world, 0, points, 3, false);
  assert_true(throng_world_path_length(world, 0) == 20.0f);
  require_direction(world, id, 0.5, -1.0);
  stage_step(world, 1e-30f);
  assert_true(parameter_of(world, id) == 6.0f);
  require_ok(throng_world_set_path(world, 0, NULL, &error), &error);
  require_direction(world, id, 0.0, 0.0);
  stage_step(world, 1e-30f);
  assert_true(parameter_of(world, id) == 6.0f); /* unchanged */
  set_path(world, 0, points, 2, true);          /* closed: 10 m out and 10 m back */
  assert_true(throng_world_path_length(world, 0) == 20.0f);
  require_direction(world, id, 0.5, -1.0);
  follow->index = 63;
  regroup(world, &g);
  require_direction(world, id, 0.0, 0.0);
  throng_world_destroy(world);
}

/* On a path of 65536 points with very different distances, agents find a point as near as the nearest of all. */
static void long_irregular_paths(void **state) {
  (void)state;
  enum { POINTS = 65536, AGENTS = 400 };
  static throng_vec3 points[POINTS], p[AGENTS];
  static double along[POINTS];
  static throng_agent_id ids[AGENTS];
  static const float steps[] = {0.1f, 0.5f, 5.0f};
  test_rng rng = rng_from(base_seed);
  for (int k = 1; k < POINTS; k++) {
    const float step = k % 4096 < 1024 ? steps[0] : rng_pick(&rng, steps, 3);
    points[k] = (throng_vec3){points[k - 1].x + rng_float(&rng, 0.5f, 1.0f) * step, 0,
                              points[k - 1].z + rng_float(&rng, -1.0f, 1.0f) * step};
    along[k] = along[k - 1] + stage_distance(points[k - 1], points[k]);
  }
  throng_group_def g;
  throng_follow_path *follow = make_walkers(&g);
  follow->window = 0.0f;
  throng_world *world = stage_world(NULL, &g);
  set_path(world, 0, points, POINTS, false);
  assert_true(fabs((double)throng_world_path_length(world, 0) - along[POINTS - 1]) < 1e-6 * along[POINTS - 1]);
  for (int k = 0; k < AGENTS; k++) {
    p[k] = points[rng_below(&rng, POINTS)];
    p[k].z += rng_float(&rng, -3.0f, 3.0f);
  }
  stage_add(world, AGENTS, p, NULL, NULL, ids);
  stage_step(world, 1e-30f);
  for (int i = 0; i < AGENTS; i++) {
    const double m = (double)parameter_of(world, ids[i]);
    double best = INFINITY, got = INFINITY;
    for (int k = 0; k + 1 < POINTS; k++) {
      const double dx = (double)points[k + 1].x - (double)points[k].x,
                   dz = (double)points[k + 1].z - (double)points[k].z;
      const double wx = (double)p[i].x - (double)points[k].x, wz = (double)p[i].z - (double)points[k].z;
      const double length = along[k + 1] - along[k], t = fmin(fmax((wx * dx + wz * dz) / length, 0.0), length);
      best = fmin(best, hypot(wx - dx * t / length, wz - dz * t / length));
      if (m < along[k] - 0.1 || m > along[k + 1] + 0.1) continue;
      const double u = fmin(fmax(m - along[k], 0.0), length);
      got = fmin(got, hypot(wx - dx * u / length, wz - dz * u / length));
    }
    if (!(got <= best + 0.1)) print_error("agent %d: at %g m, %g m away; the nearest is %g m away\n", i, m, got, best);
    assert_true(got <= best + 0.1); /* as a float, a parameter of 60 km is exact to some cm */
  }
  throng_world_destroy(world);
}

/* Returns a world with THRONG_MAX_PATHS groups. A third of them follow the long path 0, the others a path of their own.
 * One group in ten follows no path, and one path in ten is missing. Only the group `only` has agents; all groups if
 * `only` is THRONG_MAX_PATHS. */
static throng_world *make_many_ways(uint32_t only, uint32_t agents, throng_agent_id *ids) {
  test_rng rng = rng_from(base_seed);
  throng_group_def g;
  throng_follow_path *follow = make_walkers(&g);
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  for (uint32_t group = 0; group < THRONG_MAX_PATHS; group++) {
    throng_vec3 points[48];
    const uint32_t count = group == 0 ? 48 : 6;
    for (uint32_t k = 0; k < count; k++) points[k] = (throng_vec3){rng_float(&rng, -9, 9), 0, rng_float(&rng, -9, 9)};
    if (group % 10 != 5) set_path(world, group, points, count, rng_chance(&rng, 0.5f));
    follow->index = group % 3 == 0 ? 0 : group;
    follow->window = rng_float(&rng, 0.5f, 20.0f);
    follow->predict_time = rng_chance(&rng, 0.5f) ? 0.0f : 0.5f;
    g.behaviour_count = group % 10 == 7 ? 0 : 1;
    require_ok(throng_world_set_group(world, group, &g, &error), &error);
  }
  for (uint32_t k = 0; k < agents; k++) {
    const throng_vec3 p = {rng_float(&rng, -9, 9), 0, rng_float(&rng, -9, 9)}, v = {rng_float(&rng, -1, 1), 0, 0};
    const uint32_t group = rng_below(&rng, THRONG_MAX_PATHS);
    const float length = throng_world_path_length(world, group % 3 == 0 ? 0 : group);
    const float known = rng_float(&rng, 0.0f, 1.1f * length);
    const bool forgot = rng_chance(&rng, 0.2f);
    if (only != THRONG_MAX_PATHS && only != group) continue;
    throng_agents_def def = throng_default_agents_def();
    def.position.data = &p;
    def.velocity.data = &v;
    def.group.data = &group;
    require_ok(throng_agents_add(world, &def, 1, &ids[k], &error), &error);
    set_parameter(world, ids[k], forgot ? NAN : known);
  }
  return world;
}

static void require_same(const throng_world *world, throng_agent_id id, const throng_world *other,
                         throng_agent_id other_id, throng_column column, uint32_t group) {
  const throng_vec3 a = stage_read(world, column, id), b = stage_read(other, column, other_id);
  if (memcmp(&a, &b, sizeof a) != 0)
    print_error("column %d of agent %u, group %u: %.9g %.9g %.9g among the others, %.9g %.9g %.9g alone\n", (int)column,
                id.index, group, (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y, (double)b.z);
  assert_memory_equal(&a, &b, sizeof a);
}

/* Agents of one block follow many different paths or none. They have the same state as in a world of their group
 * alone. */
static void many_paths_side_by_side(void **state) {
  (void)state;
  enum { AGENTS = 1000 };
  static throng_agent_id all[AGENTS], own[AGENTS];
  throng_world *together = make_many_ways(THRONG_MAX_PATHS, AGENTS, all);
  for (int k = 0; k < 3; k++) stage_step(together, 0.1f);
  for (uint32_t group = 0; group < THRONG_MAX_PATHS; group++) {
    memset(own, 0, sizeof own);
    throng_world *alone = make_many_ways(group, AGENTS, own);
    for (int k = 0; k < 3; k++) stage_step(alone, 0.1f);
    for (uint32_t k = 0; k < AGENTS; k++) {
      if (own[k].index == 0) continue;
      require_same(together, all[k], alone, own[k], THRONG_COLUMN_PATH_PARAMETER, group);
      require_same(together, all[k], alone, own[k], THRONG_COLUMN_VELOCITY, group);
    }
    throng_world_destroy(alone);
  }
  throng_world_destroy(together);
}

static void shifted_exactly_or_not(void **state) {
  (void)state;
  throng_vec3 points[] = {{-8, 0, 0}, {8, 0, 1}};
  throng_group_def g;
  throng_follow_path *follow = make_walkers(&g);
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_agent_id id;
  set_path(world, 5, points, 2, true);
  follow->index = 5;
  regroup(world, &g);
  stage_add(world, 1, &(throng_vec3){4, 0, 0.5f}, NULL, NULL, &id);
  stage_step(world, 1e-30f);
  const float before = parameter_of(world, id);
  require_ok(throng_world_shift_origin(world, (throng_vec3){1000, 0, -70}, NULL, &error), &error);
  stage_step(world, 1e-30f);
  assert_true(parameter_of(world, id) == before);
  points[1].x = 8.1f;
  set_path(world, 5, points, 2, true);
  require_error(throng_world_shift_origin(world, (throng_vec3){10000, 0, 0}, NULL, &error), THRONG_ERROR_OUT_OF_RANGE,
                &error);
  assert_non_null(strstr(error.text, "path 5"));
  assert_true(stage_read(world, THRONG_COLUMN_POSITION, id).x == 4.0f - 1000.0f);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_paths", 20241);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coherence_on_a_crossing),
      cmocka_unit_test(prediction_skips_what_plain_visits),
      cmocka_unit_test(open_ends),
      cmocka_unit_test(closed_paths_wrap),
      cmocka_unit_test(forgetting_after_a_displacement),
      cmocka_unit_test(corners_and_ties),
      cmocka_unit_test(offsets_and_their_signs),
      cmocka_unit_test(offset_by_time_starts),
      cmocka_unit_test(paths_come_and_go),
      cmocka_unit_test(long_irregular_paths),
      cmocka_unit_test(many_paths_side_by_side),
      cmocka_unit_test(shifted_exactly_or_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
