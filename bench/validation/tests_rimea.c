/* The tests of the RiMEA guideline (Richtlinie fuer Mikroskopische Entfluchtungsanalysen, 3.0, 2016) on which the
 * kernel has a say. The guideline draws most of its rooms; lengths that it does not state are those of JuPedSim's files
 * for the same tests (Utest/rimea_tests).
 * SPDX-License-Identifier: MIT */
#include "tests.h"

#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define RIMEA "RiMEA 3.0"

/* ---- 1: a walker keeps its speed: 40 m of corridor at 1.33 m/s ---- */

static const test_figure figures_1[] = {{"time", "s", 26, 34, JUDGED, RIMEA, 0}};

static bool run_1(test_run *run) {
  static const crowd_wall walls[] = {{-1, 0, 42, 0}, {-1, 2, 42, 2}};
  const crowd_place place = {.min_x = -1, .max_x = 42, .max_z = 2, .walls = walls, .wall_count = COUNT_OF(walls)};
  const crowd_walker walker = {.start_z = 1, .speed = 1.33f, .gates = {gate_east(40, 0, 2)}, .gate_count = 1};
  crowd_trial trial;
  if (!trial_open(&trial, &run->setting, "", &place, run->problem)) return false;
  bool ok = trial_append(&trial, &walker) && trial_run(&trial, 60, 0);
  run->values[0] = trial_last_arrival(&trial);
  return test_end_trial(run, &trial, ok);
}

const validation_test test_rimea_1 = {"rimea-1", "a corridor of 40 m at 1.33 m/s", figures_1, COUNT_OF(figures_1),
                                      run_1};

/* ---- 6: 20 walkers round a corner, nobody through a wall ---- */

static const test_figure figures_6[] = {{"arrived", "of 20", 20, 20, JUDGED, RIMEA, 0},
                                        {"seen outside", "walkers", 0, 0, JUDGED, RIMEA, 0},
                                        {"last arrival", "s", 0, 0, NOT_JUDGED, "", 0}};

/* Counts walkers outside of both corridors. */
static void watch_corner(crowd_trial *trial, void *context) {
  double *outside = context;
  for (uint32_t i = 0; i < trial->count; i++) {
    const crowd_walker *walker = &trial->walkers[i];
    const bool in_first = walker->x >= 0 && walker->x <= 12 && walker->z >= 0 && walker->z <= 2;
    const bool in_second = walker->x >= 10 && walker->x <= 12 && walker->z >= 2;
    if (!walker->absent && !in_first && !in_second) ++*outside;
  }
}

static bool run_6(test_run *run) {
  static const crowd_wall walls[] = {{10, 14, 10, 2}, {10, 2, 0, 2}, {0, 2, 0, 0}, {0, 0, 12, 0}, {12, 0, 12, 14}};
  const crowd_place place = {.max_x = 12, .max_z = 14, .walls = walls, .wall_count = COUNT_OF(walls)};
  const crowd_walker like = {.gates = {{10, 2, 12, 0}, gate_north(12, 10, 12)}, .gate_count = 2};
  crowd_trial trial;
  double outside = 0;
  if (!trial_open(&trial, &run->setting, "", &place, run->problem)) return false;
  trial.watch = watch_corner;
  trial.watch_context = &outside;
  bool ok = trial_spread(&trial, &like, 20, 0.2f, 0.2f, 6, 1.8f) && trial_run(&trial, 120, 0);
  run->values[0] = trial.arrivals;
  run->values[1] = outside;
  run->values[2] = trial_last_arrival(&trial);
  return test_end_trial(run, &trial, ok);
}

const validation_test test_rimea_6 = {"rimea-6", "20 walkers round a corner", figures_6, COUNT_OF(figures_6), run_6};

/* ---- 9: 1 000 walkers leave a room of 30 m x 20 m through four doors of 1 m, and through two ---- */

static const test_figure figures_9[] = {{"four doors", "s", 0, 0, NOT_JUDGED, "", 0},
                                        {"two doors", "s", 0, 0, NOT_JUDGED, "", 0},
                                        {"two doors / four doors", "", 1.85, 2.15, JUDGED, RIMEA ": about 2", 0}};

static bool leave_hall(test_run *run, bool all_doors, double *seconds) {
  static const crowd_wall walls[] = {{0, 0, 4, 0},     {5, 0, 25, 0},   {26, 0, 30, 0}, {30, 0, 30, 20},
                                     {30, 20, 26, 20}, {25, 20, 5, 20}, {4, 20, 0, 20}, {0, 20, 0, 0},
                                     {4, 20, 5, 20},   {25, 20, 26, 20}};
  const crowd_place place = {
      .min_z = -4, .max_x = 30, .max_z = 24, .walls = walls, .wall_count = COUNT_OF(walls) - (all_doors ? 2 : 0)};
  const crowd_walker like = {.gate_count = 2};
  crowd_trial trial;
  if (!trial_open(&trial, &run->setting, all_doors ? "four-doors" : "two-doors", &place, run->problem)) return false;
  bool ok = trial_spread(&trial, &like, 1000, 0.3f, 0.3f, 29.7f, 19.7f);
  for (uint32_t i = 0; i < trial.count && ok; i++) {
    crowd_walker *walker = &trial.walkers[i];
    const float door = walker->x < 15 ? 4 : 25;
    const bool north = all_doors && walker->z > 10;
    walker->gates[0] = north ? gate_north(20, door, door + 1) : gate_south(0, door, door + 1);
    walker->gates[1] = north ? gate_north(22, 0, 30) : gate_south(-2, 0, 30);
  }
  ok = ok && trial_run(&trial, 900, 0);
  *seconds = trial_last_arrival(&trial);
  return test_end_trial(run, &trial, ok);
}

static bool run_9(test_run *run) {
  double *values = run->values;
  if (!leave_hall(run, true, &values[0]) || !leave_hall(run, false, &values[1])) return false;
  values[2] = values[1] / values[0];
  return true;
}

const validation_test test_rimea_9 = {"rimea-9", "1 000 walkers leave a hall", figures_9, COUNT_OF(figures_9), run_9};

/* ---- 10: 23 walkers of 12 rooms leave through the exit that they were given. Their routes are flow fields ---- */

static const test_figure figures_10[] = {{"left by their exit", "of 23", 23, 23, JUDGED, RIMEA, 0},
                                         {"last arrival", "s", 0, 0, NOT_JUDGED, "", 0}};

typedef struct cabin {
  float min_x, max_x, door;
  bool north, main_exit;
} cabin;

static const cabin rooms[] = {
    {0, 3, 1.5f, true, true},    {3, 6, 4.5f, true, true},      {7.2f, 9, 8.1f, true, true},
    {9, 12, 10.5f, true, true},  {12, 15, 13.5f, true, false},  {15, 18, 16.5f, true, false},
    {0, 3, 1.5f, false, true},   {3, 6, 4.5f, false, true},     {6, 9, 7.5f, false, true},
    {9, 12, 10.5f, false, true}, {12, 15, 13.5f, false, false}, {15, 18, 16.5f, false, false},
};
#define HALF_DOOR 0.45f

static uint32_t make_rooms(crowd_wall *walls) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < COUNT_OF(rooms); i++) {
    const cabin *room = &rooms[i];
    const float inner = room->north ? 6 : 5, outer = room->north ? 11 : 0;
    walls[count++] = (crowd_wall){room->min_x, inner, room->door - HALF_DOOR, inner};
    walls[count++] = (crowd_wall){room->door + HALF_DOOR, inner, room->max_x, inner};
    walls[count++] = (crowd_wall){room->min_x, inner, room->min_x, outer};
    walls[count++] = (crowd_wall){room->max_x, inner, room->max_x, outer};
    walls[count++] = (crowd_wall){room->min_x, outer, room->max_x, outer};
  }
  walls[count++] = (crowd_wall){0, 5, 0, 6};
  return count;
}

static bool fill_rooms(crowd_trial *trial) {
  for (uint32_t i = 0; i < COUNT_OF(rooms); i++) {
    const cabin *room = &rooms[i];
    const float min_z = room->north ? 6.3f : 0.3f;
    crowd_walker like = {.group = room->main_exit ? 0 : 1, .gate_count = 1};
    like.gates[0] = room->main_exit ? gate_north(11, 6, 7.2f) : gate_east(18, 5, 6);
    /* The guideline has 23 walkers in 12 rooms. */
    if (!trial_spread(trial, &like, i == 0 ? 1 : 2, room->min_x + 0.3f, min_z, room->max_x - 0.3f, min_z + 4.4f))
      return false;
  }
  return true;
}

static bool run_10(test_run *run) {
  crowd_wall walls[5 * COUNT_OF(rooms) + 1];
  const crowd_place place = {.max_x = 20,
                             .max_z = 13,
                             .walls = walls,
                             .wall_count = make_rooms(walls),
                             .field_count = 2,
                             .field_x = {6.6f, 19.5f},
                             .field_z = {12.5f, 5.5f},
                             .field_radius = 0.3f};
  crowd_trial trial;
  if (!trial_open(&trial, &run->setting, "", &place, run->problem)) return false;
  bool ok = fill_rooms(&trial) && trial_run(&trial, 180, 0);
  run->values[0] = trial.arrivals;
  run->values[1] = trial_last_arrival(&trial);
  return test_end_trial(run, &trial, ok);
}

const validation_test test_rimea_10 = {"rimea-10", "12 rooms, two exits", figures_10, COUNT_OF(figures_10), run_10};

/* ---- 12: 150 walkers go from a room through a corridor into another room: only the first may be crowded ---- */

static const test_figure figures_12[] = {{"arrived", "of 150", 150, 150, JUDGED, RIMEA, 0},
                                         {"crowd ahead of the corridor", "1/m2", 0, 0, NOT_JUDGED, "", 0},
                                         {"crowd ahead of the exit", "1/m2", 0, 0, NOT_JUDGED, "", 0},
                                         {"exit / corridor", "", 0, 0.5, JUDGED, RIMEA ": no jam at the exit", 0}};

typedef struct crowd_watch {
  float x;              /* the crowd is in the 2 m ahead of this x, from z 4 to 6 */
  running_mean density; /* from 10 s on, while at least 30 walkers have not left */
} crowd_watch;

static void watch_crowds(crowd_trial *trial, void *context) {
  crowd_watch *crowds = context;
  if (trial_seconds(trial) < 10 || trial->here < 30) return;
  for (int c = 0; c < 2; c++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < trial->count; i++) {
      const crowd_walker *walker = &trial->walkers[i];
      count +=
          !walker->absent && walker->x < crowds[c].x && walker->x > crowds[c].x - 2 && walker->z > 4 && walker->z < 6;
    }
    mean_add(&crowds[c].density, count / 4.0);
  }
}

static bool run_12(test_run *run) {
  static const crowd_wall walls[] = {{10, 4.5f, 10, 0},  {10, 0, 0, 0},        {0, 0, 0, 10},        {0, 10, 10, 10},
                                     {10, 10, 10, 5.5f}, {10, 5.5f, 15, 5.5f}, {10, 4.5f, 15, 4.5f}, {15, 4.5f, 15, 0},
                                     {15, 0, 25, 0},     {25, 0, 25, 4.5f},    {25, 5.5f, 25, 10},   {25, 10, 15, 10},
                                     {15, 10, 15, 5.5f}};
  const crowd_place place = {.max_x = 28, .max_z = 10, .walls = walls, .wall_count = COUNT_OF(walls)};
  const crowd_walker like = {
      .gates = {gate_east(10, 4.5f, 5.5f), gate_east(15, 4.5f, 5.5f), gate_east(25, 4.5f, 5.5f), gate_east(27, 0, 10)},
      .gate_count = 4};
  crowd_watch crowds[2] = {{.x = 10}, {.x = 25}};
  crowd_trial trial;
  if (!trial_open(&trial, &run->setting, "", &place, run->problem)) return false;
  trial.watch = watch_crowds;
  trial.watch_context = crowds;
  bool ok = trial_spread(&trial, &like, 150, 0.3f, 0.3f, 9.7f, 9.7f) && trial_run(&trial, 400, 0);
  run->values[0] = trial.arrivals;
  run->values[1] = mean_of(&crowds[0].density);
  run->values[2] = mean_of(&crowds[1].density);
  run->values[3] = run->values[2] / run->values[1];
  return test_end_trial(run, &trial, ok);
}

const validation_test test_rimea_12 = {"rimea-12", "a bottleneck between two rooms", figures_12, COUNT_OF(figures_12),
                                       run_12};

/* ---- 13: stairs, a zone in which walkers are slower ---- */

static const test_figure figures_13[] = {
    {"10 m at 1.34, 10 m at 0.65 m/s", "s", 22.3, 23.3, JUDGED, "arithmetic: 22.8", 0},
    {"arrived", "of 150", 150, 150, JUDGED, RIMEA, 0},
    {"flow onto the stairs / into the corridor", "", 0, 0.95, JUDGED, RIMEA ": a jam below the stairs", 0}};

#define STAIRS_FACTOR 0.485f /* 0.65 / 1.34: between Weidmann's 0.61 m/s up and 0.69 m/s down */

static bool climb_alone(test_run *run) {
  const crowd_place place = {.min_x = -2,
                             .min_z = -1,
                             .max_x = 22,
                             .max_z = 1,
                             .stairs_min_x = 10,
                             .stairs_max_x = 20,
                             .stairs_factor = STAIRS_FACTOR};
  const crowd_walker walker = {
      .start_x = -2, .speed = WISH_SPEED, .gates = {gate_east(0, -1, 1), gate_east(20, -1, 1)}, .gate_count = 2};
  crowd_trial trial;
  if (!trial_open(&trial, &run->setting, "alone", &place, run->problem)) return false;
  bool ok = trial_append(&trial, &walker) && trial_run(&trial, 60, 0);
  run->values[0] = trial.walkers[0].passed[1] - trial.walkers[0].passed[0];
  return test_end_trial(run, &trial, ok);
}

static bool climb_together(test_run *run) {
  static const crowd_wall walls[] = {{0, 0, 0, -3}, {0, -3, -5, -3}, {-5, -3, -5, 5}, {-5, 5, 0, 5},
                                     {0, 5, 0, 2},  {0, 2, 18, 2},   {0, 0, 18, 0}};
  const crowd_place place = {.min_x = -5,
                             .min_z = -3,
                             .max_x = 18,
                             .max_z = 5,
                             .walls = walls,
                             .wall_count = COUNT_OF(walls),
                             .stairs_min_x = 12,
                             .stairs_max_x = 15,
                             .stairs_factor = STAIRS_FACTOR};
  const crowd_walker like = {.gates = {gate_east(0, 0, 2), gate_east(12, 0, 2), gate_east(16, 0, 2)}, .gate_count = 3};
  crowd_trial trial;
  if (!trial_open(&trial, &run->setting, "together", &place, run->problem)) return false;
  bool ok = trial_spread(&trial, &like, 150, -4.75f, -2.75f, -0.25f, 4.75f) && trial_run(&trial, 400, 0);
  run->values[1] = trial.arrivals;
  run->values[2] = test_flow(&trial, 1, 150, 400) / test_flow(&trial, 0, 150, 400);
  return test_end_trial(run, &trial, ok);
}

static bool run_13(test_run *run) { return climb_alone(run) && climb_together(run); }

const validation_test test_rimea_13 = {"rimea-13", "stairs", figures_13, COUNT_OF(figures_13), run_13};
