/* test_presets.c: tests that the presets of groups do what they are for, without tuning.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define MOST_AGENTS 160u

static const float frame_time = 1.0f / 60.0f;

#define PRESETS 5u
static const char *const preset_names[PRESETS] = {"flock", "school", "walkers", "vehicles", "moved"};
static throng_group_def preset(size_t number) {
  const throng_group_def all[PRESETS] = {throng_flock_group_def(), throng_school_group_def(),
                                         throng_walkers_group_def(), throng_vehicles_group_def(),
                                         throng_moved_group_def()};
  return all[number];
}

static void run(throng_world *world, float seconds) {
  for (int frame = 0; (float)frame < seconds * 60.0f; frame++) stage_step(world, frame_time);
}

/* A world with R = 1.4 m takes every preset, planar and spatial. The default world refuses walkers alone, and says
 * why. */
static void every_world_takes_them(void **state) {
  (void)state;
  for (size_t k = 0; k < 2 * PRESETS; k++) {
    throng_world_def def = throng_default_world_def();
    throng_error error;
    def.space = (throng_space)(k % 2);
    const throng_group_def g = preset(k / 2);
    const throng_group_def usual = throng_default_group_def();
    throng_world *world = stage_world(&def, &usual);
    const throng_status status = throng_world_set_group(world, 0, &g, &error);
    if (status != THRONG_OK) {
      assert_string_equal(preset_names[k / 2], "walkers");
      assert_non_null(strstr(error.text, "group.separation.radius is 1.2"));
    }
    throng_world_destroy(world);
    def.perception_radius = 1.4f;
    world = stage_world(&def, &g);
    const throng_vec3 p = {0, 0, 0}, goal = {9, 0, 0};
    stage_add(world, 1, &p, NULL, &goal, NULL);
    require_ok(throng_world_step(world, frame_time, &error), &error);
    throng_world_destroy(world);
  }
}

/* A flock, and one of its kind that is `behind` metres behind it with the same velocity. Returns the distance between
 * that one and the nearest other after 60 s, and writes the mean speed of the others. */
static float distance_behind(const throng_group_def *g, throng_space space, float behind, float *speed) {
  enum { COUNT = 60 };
  throng_world_def def = throng_default_world_def();
  test_rng rng = rng_from(7);
  throng_vec3 p[COUNT], v[COUNT];
  throng_error error;
  def.space = space;
  def.perception_radius = 20.0f;
  for (uint32_t i = 0; i < COUNT; i++) {
    p[i] = (throng_vec3){rng_float(&rng, -4, 4), space ? rng_float(&rng, -4, 4) : 0, rng_float(&rng, -4, 4)};
    v[i] = (throng_vec3){0.5f * g->max_speed, 0, 0};
  }
  p[0] = (throng_vec3){-4 - behind, 0, 0};
  throng_world *world = stage_world(&def, g);
  stage_add(world, COUNT, p, v, NULL, NULL);
  run(world, 60.0f);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, COUNT, p, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, COUNT, v, 0, &error), &error);
  throng_world_destroy(world);
  float nearest = INFINITY;
  *speed = 0.0f;
  for (uint32_t i = 1; i < COUNT; i++) {
    nearest = fminf(nearest, (float)stage_distance(p[0], p[i]));
    *speed += (float)stage_length(v[i]) / (float)(COUNT - 1);
  }
  return nearest;
}

/* Flocks cruise below their maximum speed, so that stragglers catch up. Without drag they go at max_speed, and a
 * straggler stays behind. */
static void stragglers_catch_up(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 4; k++) {
    const bool school = k / 2;
    const throng_space space = (throng_space)(k % 2);
    throng_group_def g = preset(school);
    float speed, fast;
    const float caught = distance_behind(&g, space, 12.0f, &speed);
    g.drag = 0.0f;
    const float left = distance_behind(&g, space, 12.0f, &fast);
    print_message("%s: %g m behind at %g of %g m/s; without cruise %g m at %g m/s\n", preset_names[school],
                  (double)caught, (double)speed, (double)g.max_speed, (double)left, (double)fast);
    assert_true(speed < 0.92f * g.max_speed && caught < 4.0f);
    assert_true(left > 6.0f);
  }
}

/* Agents on a ring go to the opposite points: all arrive within `seconds`, and bodies overlap by at most `overlap` of
 * two radii. */
static void cross(const throng_group_def *g, uint32_t count, float ring, float seconds, float radius, float overlap) {
  throng_world_def def = throng_default_world_def();
  throng_vec3 p[MOST_AGENTS], goal[MOST_AGENTS], now[MOST_AGENTS];
  throng_error error;
  def.perception_radius = radius;
  for (uint32_t i = 0; i < count; i++) {
    const float angle = 6.2831853f * (float)i / (float)count, far = ring + (float)(i % 3) * 6.0f * g->body_radius;
    p[i] = (throng_vec3){far * sinf(angle), 0, far * cosf(angle)};
    goal[i] = (throng_vec3){-p[i].x, 0, -p[i].z};
  }
  throng_world *world = stage_world(&def, g);
  stage_add(world, count, p, NULL, goal, NULL);
  double nearest = INFINITY, farthest = 0.0;
  for (int look = 0; (float)look < 20.0f * seconds; look++) {
    run(world, 0.05f);
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, count, now, 0, &error), &error);
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t j = 0; j < i; j++) nearest = fmin(nearest, stage_distance(now[i], now[j]));
  }
  for (uint32_t i = 0; i < count; i++) farthest = fmax(farthest, stage_distance(now[i], goal[i]));
  print_message("farthest from its goal %g m, nearest two %g m\n", farthest, nearest);
  throng_world_destroy(world);
  assert_true(farthest < 5.0 * (double)g->body_radius);
  assert_true(nearest > 2.0 * (double)(g->body_radius * (1.0f - overlap)));
}

static void walkers_cross_and_arrive(void **state) {
  (void)state;
  const throng_group_def g = throng_walkers_group_def();
  cross(&g, 40, 10.0f, 80.0f, 2.0f, 0.1f); /* the middle of the ring is crowded, and slow */
}

static void vehicles_cross_and_arrive(void **state) {
  (void)state;
  const throng_group_def g = throng_vehicles_group_def();
  cross(&g, 12, 80.0f, 60.0f, 40.0f, 0.2f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_world_takes_them),
      cmocka_unit_test(stragglers_catch_up),
      cmocka_unit_test(walkers_cross_and_arrive),
      cmocka_unit_test(vehicles_cross_and_arrive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
