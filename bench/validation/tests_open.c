/* How well walkers get past each other: streams, corridors, and RVO2's scenes Circle and Blocks.
 * SPDX-License-Identifier: MIT */
#include "tests.h"

#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- streams: opposing walkers, mixed, on a torus of 50 m x 50 m ---- */

#define STREAMS(density, judged)                                                                                       \
  {"speed at " density "/m2", "m/s", 1.0, NO_HIGHEST, judged, "ours; people reach 1.0 only below 1.1/m2", 0},          \
      {"lane order at " density "/m2", "", 0, 0, NOT_JUDGED, "RVO2 at 2/m2: 0.32", 0},                                 \
      {"jerk at " density "/m2", "m/s3", 0, 8, judged, "ours; RVO2 at 2/m2: 16", 0},                                   \
      {"acceleration at " density "/m2", "m/s2", 0, 0, NOT_JUDGED, "", 0},                                             \
      {"turn rate at " density "/m2", "deg/s", 0, 0, NOT_JUDGED, "", 0},                                               \
      {"deepest overlap at " density "/m2", "cm", 0, 3, JUDGED, "bodies are solid", 0}, {                              \
    "time overlapping by 2 cm at " density "/m2", "%", 0, 0, NOT_JUDGED, "", 0                                         \
  }
static const test_figure figures_streams[] = {STREAMS("1", JUDGED_WITHOUT_PACE), STREAMS("2", JUDGED_WITHOUT_PACE)};
enum { STREAM_FIGURES = COUNT_OF(figures_streams) / 2 };

static void read_motion(const crowd_observer *observer, double *values) {
  values[0] = mean_of(&observer->jerk);
  values[1] = mean_of(&observer->acceleration);
  values[2] = mean_of(&observer->turn);
  values[3] = 100 * observer->deepest;
  values[4] = 100 * mean_of(&observer->overlapping);
}

static void read_arrivals(const crowd_trial *trial, double *values) {
  values[0] = trial->arrivals;
  values[1] = trial_mean_arrival(trial);
  values[2] = trial_last_arrival(trial);
}

static bool run_streams(test_run *run) {
  const crowd_place place = {.max_x = 50, .max_z = 50, .torus = true};
  for (uint32_t density = 1; density <= 2; density++) {
    double *values = &run->values[(density - 1) * STREAM_FIGURES];
    crowd_trial trial;
    if (!trial_open(&trial, &run->setting, density == 1 ? "1" : "2", &place, run->problem)) return false;
    bool ok = test_fill_torus(&trial, 2500 * density, true) && trial_run(&trial, 20, 10);
    values[0] = mean_of(&trial.observer.speed);
    values[1] = mean_of(&trial.observer.lane_order);
    read_motion(&trial.observer, values + 2);
    if (!test_end_trial(run, &trial, ok)) return false;
  }
  return true;
}

const validation_test test_streams = {"streams", "opposing streams of 2 500 and 5 000 on 50 m x 50 m", figures_streams,
                                      COUNT_OF(figures_streams), run_streams};

/* ---- corridor: 50 walkers from each end walk 50 m, past each other, between walls 4 m apart ---- */

static const test_figure figures_corridor[] = {
    {"arrived", "of 100", 100, 100, JUDGED, "nobody is blocked", 0},
    {"mean arrival", "s", 0, 0, NOT_JUDGED, "", 0},
    {"last arrival", "s", 0, 65, JUDGED, "ours; RVO2: 92", 0},
    {"lane order", "", 0.67, 0.97, JUDGED, "people 0.82: HERMES, Juelich 2009", 0},
    {"jerk", "m/s3", 0, 4, JUDGED, "ours; RVO2: 5.6", 0},
    {"acceleration", "m/s2", 0, 0, NOT_JUDGED, "", 0},
    {"turn rate", "deg/s", 0, 0, NOT_JUDGED, "", 0},
    {"deepest overlap", "cm", 0, 0, NOT_JUDGED, "", 0},
    {"time overlapping by 2 cm", "%", 0, 0, NOT_JUDGED, "", 0}};

/* Two crowds of `count` each, `length` m long and `apart` m from each other, walk `way` m. */
static bool meet(crowd_trial *trial, uint32_t count, float width, float length, float apart, float way) {
  const crowd_walker east = {.aim = AIM_WAY, .way_x = 1, .way_length = way};
  const crowd_walker west = {.aim = AIM_WAY, .way_x = -1, .way_length = way};
  return trial_spread(trial, &east, count, -length, 0.25f, 0, width - 0.25f) &&
         trial_spread(trial, &west, count, apart, 0.25f, apart + length, width - 0.25f);
}

static bool run_corridor(test_run *run) {
  static const crowd_wall walls[] = {{-20, 0, 70, 0}, {-20, 4, 70, 4}};
  const crowd_place place = {.min_x = -20, .max_x = 70, .max_z = 4, .walls = walls, .wall_count = COUNT_OF(walls)};
  crowd_trial trial;
  if (!trial_open(&trial, &run->setting, "", &place, run->problem)) return false;
  bool ok = meet(&trial, 50, 4, 12, 38, 50) && trial_run(&trial, 200, 0);
  read_arrivals(&trial, run->values);
  run->values[3] = mean_of(&trial.observer.lane_order);
  read_motion(&trial.observer, run->values + 4);
  return test_end_trial(run, &trial, ok);
}

const validation_test test_corridor = {"corridor", "50 walkers each way along a corridor of 4 m", figures_corridor,
                                       COUNT_OF(figures_corridor), run_corridor};

/* ---- lane: 40 walkers each way at 0.5/m2 along a passage of 2 m ---- */

static const test_figure figures_lane[] = {{"arrived", "of 80", 80, 80, JUDGED, "nobody is blocked", 0},
                                           {"last arrival", "s", 0, 0, NOT_JUDGED, "", 0},
                                           {"lane order", "", 0, 0, NOT_JUDGED, "", 0}};

static bool run_lane(test_run *run) {
  static const crowd_wall walls[] = {{-50, 0, 95, 0}, {-50, 2, 95, 2}};
  const crowd_place place = {.min_x = -50, .max_x = 95, .max_z = 2, .walls = walls, .wall_count = COUNT_OF(walls)};
  crowd_trial trial;
  if (!trial_open(&trial, &run->setting, "", &place, run->problem)) return false;
  bool ok = meet(&trial, 40, 2, 40, 5, 60) && trial_run(&trial, 300, 0);
  run->values[0] = trial.arrivals;
  run->values[1] = trial_last_arrival(&trial);
  run->values[2] = mean_of(&trial.observer.lane_order);
  return test_end_trial(run, &trial, ok);
}

const validation_test test_lane = {"lane", "40 walkers each way along a passage of 2 m", figures_lane,
                                   COUNT_OF(figures_lane), run_lane};

/* ---- ring: RVO2's Circle, at a sixth of its size: 250 walkers go to the opposite place of a circle ---- */

static const test_figure figures_ring[] = {{"arrived", "of 250", 250, 250, JUDGED, "RVO2: 250", 0},
                                           {"mean arrival", "s", 0, 0, NOT_JUDGED, "RVO2: 76", 0},
                                           {"last arrival", "s", 0, 100, JUDGED, "ours; RVO2: 90", 0},
                                           {"jerk", "m/s3", 0, 6, JUDGED, "ours; RVO2: 3.9", 0},
                                           {"acceleration", "m/s2", 0, 0, NOT_JUDGED, "RVO2: 0.38", 0},
                                           {"turn rate", "deg/s", 0, 0, NOT_JUDGED, "RVO2: 6", 0},
                                           {"deepest overlap", "cm", 0, 3, JUDGED, "RVO2: 11.5", 0},
                                           {"time overlapping by 2 cm", "%", 0, 0, NOT_JUDGED, "RVO2: 1.0", 0}};

#define RING_RADIUS 33.0
#define RING_COUNT 250
#define SCENE_BODY_RADIUS 0.25f

static bool run_ring(test_run *run) {
  const crowd_place place = {.min_x = -40, .min_z = -40, .max_x = 40, .max_z = 40, .body_radius = SCENE_BODY_RADIUS};
  crowd_trial trial;
  if (!trial_open(&trial, &run->setting, "", &place, run->problem)) return false;
  bool ok = true;
  for (int i = 0; i < RING_COUNT && ok; i++) {
    double sine, cosine;
    sincos_turns((i + 0.1 * random_unit(&trial.random)) / RING_COUNT, &sine, &cosine);
    const float x = (float)(RING_RADIUS * cosine), z = (float)(RING_RADIUS * sine);
    const crowd_walker walker = {.aim = AIM_POINT,
                                 .stays = true,
                                 .speed = WISH_SPEED,
                                 .start_x = x,
                                 .start_z = z,
                                 .goal_x = -x,
                                 .goal_z = -z,
                                 .goal_radius = 0.5f};
    ok = trial_append(&trial, &walker);
  }
  ok = ok && trial_run(&trial, 300, 0);
  read_arrivals(&trial, run->values);
  read_motion(&trial.observer, run->values + 3);
  return test_end_trial(run, &trial, ok);
}

const validation_test test_ring = {"ring", "RVO2's Circle: 250 walkers to the opposite place", figures_ring,
                                   COUNT_OF(figures_ring), run_ring};

/* ---- blocks: RVO2's Blocks, at a fifth of its size: four times 25 walkers, to the opposite corner, past four blocks.
 * Their routes are flow fields ---- */

static const test_figure figures_blocks[] = {{"arrived", "of 100", 100, 100, JUDGED, "RVO2: 100", 0},
                                             {"mean arrival", "s", 0, 0, NOT_JUDGED, "RVO2: 46", 0},
                                             {"last arrival", "s", 0, 0, NOT_JUDGED, "RVO2: 95", 0},
                                             {"jerk", "m/s3", 0, 0, NOT_JUDGED, "RVO2: 6.7", 0},
                                             {"acceleration", "m/s2", 0, 0, NOT_JUDGED, "RVO2: 0.62", 0},
                                             {"turn rate", "deg/s", 0, 0, NOT_JUDGED, "RVO2: 15", 0},
                                             {"deepest overlap", "cm", 0, 3, JUDGED, "RVO2: 2.1", 0},
                                             {"time overlapping by 2 cm", "%", 0, 0, NOT_JUDGED, "RVO2: 0", 0}};

static bool run_blocks(test_run *run) {
  crowd_wall walls[16];
  for (int b = 0; b < 4; b++) {
    const float sx = b & 1 ? -1 : 1, sz = b & 2 ? -1 : 1, near = 2, far = 8;
    walls[4 * b] = (crowd_wall){sx * near, sz * near, sx * far, sz * near};
    walls[4 * b + 1] = (crowd_wall){sx * far, sz * near, sx * far, sz * far};
    walls[4 * b + 2] = (crowd_wall){sx * far, sz * far, sx * near, sz * far};
    walls[4 * b + 3] = (crowd_wall){sx * near, sz * far, sx * near, sz * near};
  }
  crowd_place place = {.min_x = -22,
                       .min_z = -22,
                       .max_x = 22,
                       .max_z = 22,
                       .body_radius = SCENE_BODY_RADIUS,
                       .walls = walls,
                       .wall_count = COUNT_OF(walls),
                       .field_count = 4,
                       .field_radius = 2};
  for (int g = 0; g < 4; g++) {
    place.field_x[g] = g & 1 ? 15 : -15;
    place.field_z[g] = g & 2 ? 15 : -15;
  }
  crowd_trial trial;
  if (!trial_open(&trial, &run->setting, "", &place, run->problem)) return false;
  bool ok = true;
  for (int i = 0; i < 100 && ok; i++) {
    const int group = i / 25, column = i % 5, row = i / 5 % 5;
    crowd_walker walker = {.aim = AIM_POINT, .stays = true, .group = (uint8_t)group, .speed = WISH_SPEED};
    walker.goal_x = place.field_x[group];
    walker.goal_z = place.field_z[group];
    walker.goal_radius = 4; /* as in RVO2's example */
    const float sx = group & 1 ? -1 : 1, sz = group & 2 ? -1 : 1;
    walker.start_x = sx * (11 + 2 * (float)column) + random_between(&trial.random, -0.2f, 0.2f);
    walker.start_z = sz * (11 + 2 * (float)row) + random_between(&trial.random, -0.2f, 0.2f);
    ok = trial_append(&trial, &walker);
  }
  ok = ok && trial_run(&trial, 300, 0);
  read_arrivals(&trial, run->values);
  read_motion(&trial.observer, run->values + 3);
  return test_end_trial(run, &trial, ok);
}

const validation_test test_blocks = {"blocks", "RVO2's Blocks with flow fields", figures_blocks,
                                     COUNT_OF(figures_blocks), run_blocks};
