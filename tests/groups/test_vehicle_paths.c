/* test_vehicle_paths.c: vehicles of the preset on paths with sharp turns. They drive no extra circles, and lose little
 * time. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

#define PI 3.14159265358979323846
#define RATES 3
#define SEEDS 3
#define MOST_POINTS 6
#define STEPS 4000 /* of the speed profile */

static const int rates[RATES] = {20, 60, 240};
static uint64_t base_seed;

typedef struct road {
  const char *name;
  uint32_t points;
  bool closed;
  double most;                 /* turns of a vehicle, as a multiple of those of the road */
  float point[MOST_POINTS][2]; /* right, forward: it begins forward */
} road;
static const road roads[] = {
    {"one right angle", 3, false, 1.5, {{0, 0}, {0, 60}, {30, 60}}},
    {"four right angles", 6, false, 1.5, {{0, 0}, {0, 60}, {30, 60}, {30, 0}, {36, 0}, {36, 80}}},
    {"short end", 3, false, 1.5, {{0, 0}, {0, 60}, {8, 60}}},
    {"turn of 135 degrees", 3, false, 2.0, {{0, 0}, {0, 60}, {40, 20}}},
    {"closed square", 4, true, 1.5, {{0, 0}, {0, 60}, {60, 60}, {60, 0}}},
};

/* Forms of follow_path. */
enum form { DEFAULT_OFFSET, OFFSET_8, OFFSET_20, OFFSET_TIME, NO_TIME, PREDICTS, BACKWARD, FORMS };
static const char *const form_name[FORMS] = {"default offset",      "offset 8 m",       "offset 20 m",
                                             "offset_time 0.8 s",   "time_to_target 0", "predict_time 0.3 s",
                                             "toward the beginning"};
static throng_group_def driver(enum form form) {
  throng_group_def g = throng_vehicles_group_def();
  throng_group_def_find(&g, THRONG_BEHAVIOUR_ARRIVE)->weight = 0.0f;
  throng_follow_path *b = &throng_group_def_add(&g, THRONG_BEHAVIOUR_FOLLOW_PATH)->follow_path;
  if (form == OFFSET_8) b->offset = 8.0f;
  if (form == OFFSET_20) b->offset = 20.0f;
  if (form == OFFSET_TIME) b->offset_time = 0.8f;
  if (form == NO_TIME) b->time_to_target = 0.0f;
  if (form == PREDICTS) b->predict_time = 0.3f;
  if (form == BACKWARD) b->offset = -1.0f;
  return g;
}

/* The points of a road, turned by `angle`. In spatial worlds the road is level. */
static void lay(const road *r, double angle, bool reversed, throng_vec3 points[MOST_POINTS]) {
  for (uint32_t k = 0; k < r->points; k++) {
    const float *p = r->point[reversed ? r->points - 1 - k : k];
    const double x = (double)p[0], z = (double)p[1];
    points[k] = (throng_vec3){(float)(x * cos(angle) + z * sin(angle)), 0, (float)(z * cos(angle) - x * sin(angle))};
  }
}

static double turn_at(const road *r, uint32_t k) {
  const float *a = r->point[(k + r->points - 1) % r->points], *b = r->point[k], *c = r->point[(k + 1) % r->points];
  const double before = atan2((double)(b[0] - a[0]), (double)(b[1] - a[1]));
  return fabs(remainder(atan2((double)(c[0] - b[0]), (double)(c[1] - b[1])) - before, 2.0 * PI));
}

/* The turns of a road, or of a lap. */
static double turns_of(const road *r) {
  double sum = 0.0;
  for (uint32_t k = r->closed ? 0 : 1; k < r->points - (r->closed ? 0 : 1); k++) sum += turn_at(r, k);
  return sum;
}

/* The free time of an open road: all limits of the vehicle, and in corners its smallest circle with max_lateral. */
static double free_time(const road *r, const throng_group_def *g) {
  double at[MOST_POINTS] = {0}, fastest[STEPS], time = 0.0, speed = 0.0;
  const double radius = (double)g->vehicle.turning_radius;
  for (uint32_t k = 1; k < r->points; k++)
    at[k] =
        at[k - 1] + hypot((double)(r->point[k][0] - r->point[k - 1][0]), (double)(r->point[k][1] - r->point[k - 1][1]));
  const double step = at[r->points - 1] / STEPS;
  for (int i = 0; i < STEPS; i++) {
    fastest[i] = (double)g->max_speed;
    for (uint32_t k = 1; k + 1 < r->points; k++)
      if (fabs(i * step - at[k]) < radius) fastest[i] = sqrt((double)g->vehicle.max_lateral * radius);
  }
  for (int i = 0; i < STEPS; i++)
    speed = fastest[i] = fmin(fastest[i], sqrt(speed * speed + 2.0 * (double)g->vehicle.max_thrust * step));
  speed = 0.0;
  for (int i = STEPS - 1; i >= 0; i--) {
    speed = fmin(fastest[i], sqrt(speed * speed + 2.0 * (double)g->vehicle.max_brake * step));
    time += step / fmax(speed, 0.3);
  }
  return time;
}

typedef struct drive {
  throng_world *world;
  throng_agent_id id;
  double yaw, turned;
} drive;

static double yaw_of(const drive *d) {
  const throng_vec3 f = stage_read(d->world, THRONG_COLUMN_FACING, d->id);
  const bool spatial = throng_world_get_def(d->world).space == THRONG_SPACE_SPATIAL;
  return spatial ? atan2((double)f.x, (double)f.z) : (double)f.x;
}

static drive begin(const road *r, const throng_group_def *group, throng_space space, double angle, bool reversed,
                   throng_vec3 points[MOST_POINTS]) {
  throng_world_def def = throng_default_world_def();
  throng_path_def path = throng_default_path_def();
  throng_group_def g = *group;
  throng_error error;
  drive d = {.yaw = angle};
  const float facing[3] = {space ? (float)sin(angle) : (float)angle, 0, (float)cos(angle)};
  def.space = space;
  def.perception_radius = 40.0f;
  g.upright = space == THRONG_SPACE_SPATIAL;
  d.world = stage_world(&def, &g);
  lay(r, angle, reversed, points);
  path.points.data = points;
  path.count = r->points;
  path.closed = r->closed;
  require_ok(throng_world_set_path(d.world, 0, &path, &error), &error);
  stage_add(d.world, 1, &points[reversed ? r->points - 1 : 0], NULL, NULL, &d.id);
  require_ok(throng_agents_write(d.world, THRONG_COLUMN_FACING, &d.id, 1, facing, 0, &error), &error);
  return d;
}

static void advance(drive *d, int rate) {
  stage_step(d->world, 1.0f / (float)rate);
  const double yaw = yaw_of(d);
  d->turned += fabs(remainder(yaw - d->yaw, 2.0 * PI));
  d->yaw = yaw;
}

/* Open roads: the turns are at most r->most times those of the road, the time is at most 1.3 times the free time. */
static void check_road(const road *r, enum form form, throng_space space, int rate, double angle, double most[2]) {
  const throng_group_def g = driver(form);
  throng_vec3 points[MOST_POINTS];
  const bool reversed = form == BACKWARD;
  drive d = begin(r, &g, space, angle, reversed, points);
  const throng_vec3 end = points[reversed ? 0 : r->points - 1];
  int frame = 0;
  for (; frame < 120 * rate && stage_distance(stage_read(d.world, THRONG_COLUMN_POSITION, d.id), end) > 3.0; frame++)
    advance(&d, rate);
  const double turns = d.turned / turns_of(r), time = (double)frame / rate / free_time(r, &g);
  throng_world_destroy(d.world);
  most[0] = fmax(most[0], turns);
  most[1] = fmax(most[1], time);
  if (turns > r->most || time > 1.3)
    fail_msg("%s, %s, %s, %d frames per second, %g rad: turns %.2f times, time %.2f times", r->name, form_name[form],
             space ? "spatial" : "planar", rate, angle, turns, time);
}

/* Closed roads: in 60 s the vehicle turns at most r->most times as much as the road that it drove. */
static void check_laps(const road *r, enum form form, throng_space space, int rate, double angle, double most[2]) {
  const throng_group_def g = driver(form);
  throng_vec3 points[MOST_POINTS];
  drive d = begin(r, &g, space, angle, false, points);
  double way = 0.0, before = 0.0;
  const double length = (double)throng_world_path_length(d.world, 0);
  if (form == BACKWARD) d.turned -= PI; /* it begins in the wrong direction, and turns around once */
  for (int frame = 0; frame < 60 * rate; frame++) {
    advance(&d, rate);
    const double at = (double)stage_read(d.world, THRONG_COLUMN_PATH_PARAMETER, d.id).x;
    way += remainder(at - before, length);
    before = at;
  }
  throng_world_destroy(d.world);
  const double laps = fabs(way) / length, turns = d.turned / (laps * turns_of(r));
  most[0] = fmax(most[0], turns);
  if (turns > r->most || laps < 60.0 / 1.3 / 29.0)
    fail_msg("%s, %s, %s, %d frames per second, %g rad: turns %.2f times, %.2f laps", r->name, form_name[form],
             space ? "spatial" : "planar", rate, angle, turns, laps);
}

static void vehicles_drive_no_circles(void **state) {
  (void)state;
  for (int k = 0; k < (int)(sizeof roads / sizeof *roads); k++) {
    double most[2] = {0.0, 0.0};
    for (int mode = 0; mode < FORMS * RATES * SEEDS; mode++) {
      const int seed = mode / (FORMS * RATES);
      test_rng rng = rng_from(base_seed + (uint64_t)seed);
      const double angle = (double)rng_float(&rng, -3, 3);
      const throng_space space = (throng_space)((mode + seed) % 2);
      (roads[k].closed ? check_laps : check_road)(&roads[k], (enum form)(mode % FORMS), space,
                                                  rates[mode / FORMS % RATES], angle, most);
    }
    print_message("%s, 20, 60 and 240 frames per second, seeds %llu to %llu: turns at most %.2f times, time %.2f\n",
                  roads[k].name, (unsigned long long)base_seed, (unsigned long long)base_seed + SEEDS - 1, most[0],
                  most[1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(vehicles_drive_no_circles)};
  base_seed = test_seed("test_vehicle_paths", 54);
  return cmocka_run_group_tests_name("vehicle_paths", tests, NULL, NULL);
}
