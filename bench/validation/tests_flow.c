/* How fast crowds are: the fundamental diagram, counterflow, and doors.
 * SPDX-License-Identifier: MIT */
#include "tests.h"

#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

bool test_end_trial(test_run *run, crowd_trial *trial, bool ok) {
  run->hash = run->hash * UINT64_C(0x9E3779B97F4A7C15) + trial->observer.hash;
  run->agent_steps += trial->agent_steps;
  run->step_seconds += trial->step_seconds;
  trial_close(trial);
  return ok;
}

bool test_fill_torus(crowd_trial *trial, uint32_t count, bool both_ways) {
  const crowd_place *place = &trial->place;
  const crowd_walker like = {.aim = AIM_WAY, .way_x = 1};
  if (!trial_spread(trial, &like, count, place->min_x, place->min_z, place->max_x, place->max_z)) return false;
  for (uint32_t i = 0; i < count && both_ways; i++) trial->walkers[i].way_x = i % 2 ? -1 : 1;
  return true;
}

double test_flow(const crowd_trial *trial, uint32_t gate, uint32_t expected, double seconds) {
  double times[1024];
  const uint32_t count = trial_crossings(trial, gate, times), first = expected / 10, last = expected - expected / 10;
  if (count <= first) return 0;
  if (count <= last) return (count - first) / (seconds - times[first]);
  return (last - first) / (times[last] - times[first]);
}

/* ---- RiMEA 4, the fundamental diagram: all walk one way on a torus of 20 m x 10 m ---- */

#define AREA_LENGTH 20.0f
#define AREA_WIDTH 10.0f
#define WARM_UP 20.0
#define WEIDMANN "Weidmann 1993"

/* Right: Weidmann's speed, 1.34 (1 - exp(-1.913 (1 / density - 1 / 5.4))), within a fraction. */
#define SPEED(density, weidmann, off)                                                                                  \
  { "speed at " #density "/m2", "m/s", (weidmann) * (1 - (off)), (weidmann) * (1 + (off)), JUDGED, WEIDMANN, density }
#define SPEED_SEEN(density)                                                                                            \
  { "speed at " #density "/m2", "m/s", 0, 0, NOT_JUDGED, WEIDMANN, density }

static const test_figure figures_4[] = {SPEED_SEEN(0.25),     SPEED(0.5, 1.30, 0.15), SPEED(1, 1.06, 0.15),
                                        SPEED_SEEN(1.5),      SPEED(2, 0.61, 0.15),   SPEED_SEEN(2.5),
                                        SPEED(3, 0.33, 0.15), SPEED_SEEN(4)};

static const crowd_place area = {.max_x = AREA_LENGTH, .max_z = AREA_WIDTH, .torus = true};

static bool run_4(test_run *run) {
  for (uint32_t k = 0; k < COUNT_OF(figures_4); k++) {
    const uint32_t count = (uint32_t)(figures_4[k].at * (double)(AREA_LENGTH * AREA_WIDTH));
    char part[32];
    crowd_trial trial;
    snprintf(part, sizeof part, "%g", figures_4[k].at);
    if (!trial_open(&trial, &run->setting, part, &area, run->problem)) return false;
    bool ok = test_fill_torus(&trial, count, false) && trial_run(&trial, WARM_UP + 10, WARM_UP);
    run->values[k] = mean_of(&trial.observer.speed);
    if (!test_end_trial(run, &trial, ok)) return false;
  }
  return true;
}

const validation_test test_rimea_4 = {"rimea-4", "the fundamental diagram, one way", figures_4, COUNT_OF(figures_4),
                                      run_4};

/* ---- counterflow on the same torus; every second walker comes the other way ---- */

static const test_figure figures_counterflow[] = {
    SPEED(1, 1.06, 0.20), {"lane order at 1/m2", "", 0, 0, NOT_JUDGED, "RVO2: 0.34", 0},
    SPEED(2, 0.61, 0.30), {"lane order at 2/m2", "", 0, 0, NOT_JUDGED, "RVO2: 0.32", 0},
    SPEED_SEEN(3),        {"lane order at 3/m2", "", 0, 0, NOT_JUDGED, "", 0}};

static bool run_counterflow(test_run *run) {
  for (uint32_t k = 0; k < COUNT_OF(figures_counterflow); k += 2) {
    const uint32_t count = (uint32_t)(figures_counterflow[k].at * (double)(AREA_LENGTH * AREA_WIDTH));
    char part[32];
    crowd_trial trial;
    snprintf(part, sizeof part, "%g", figures_counterflow[k].at);
    if (!trial_open(&trial, &run->setting, part, &area, run->problem)) return false;
    bool ok = test_fill_torus(&trial, count, true) && trial_run(&trial, WARM_UP + 20, WARM_UP);
    run->values[k] = mean_of(&trial.observer.speed);
    run->values[k + 1] = mean_of(&trial.observer.lane_order);
    if (!test_end_trial(run, &trial, ok)) return false;
  }
  return true;
}

const validation_test test_counterflow = {"counterflow", "both ways on a torus of 20 m x 10 m", figures_counterflow,
                                          COUNT_OF(figures_counterflow), run_counterflow};

/* ---- bottleneck: 150 walkers leave a room of 10 m x 10 m through a door ---- */

#define DOOR_SECONDS 300
/* Right: what recordings give, measured as here: .95 m 1.86, 1.2 m 1.95, 1.3 m 2.09, 1.6 m 1.93 and 2.00, 2.0 m 1.91.
 * Doors below .8 m pass more per metre, 1.8 to 2.5: .7 m 2.32; .5 m 2.33 and 2.47 (Wuppertal 2018). */
#define DOOR_SOURCE "people: HERMES, Juelich 2009"
#define DOOR(width)                                                                                                    \
  { "flow at " #width " m", "1/(m s)", 1.6, 2.1, JUDGED, DOOR_SOURCE, width }

static const test_figure figures_bottleneck[] = {
    DOOR(0.8),
    DOOR(1.0),
    DOOR(1.2),
    DOOR(1.6),
    DOOR(2.0),
    {"longest gap at 1.0 m", "s", 0, 3, JUDGED, DOOR_SOURCE, 0},
    {"left behind, all doors", "walkers", 0, 0, JUDGED, "nobody is blocked", 0}};
enum { DOORS = 5, GAP_DOOR = 1 };

/* The longest time between two crossings, without the first tenth and the last tenth of the walkers. */
static double longest_gap(const crowd_trial *trial, uint32_t expected) {
  double times[1024], longest = 0;
  const uint32_t count = trial_crossings(trial, 0, times);
  if (count < expected - expected / 10) return NAN;
  for (uint32_t k = expected / 10 + 1; k < expected - expected / 10; k++)
    if (times[k] - times[k - 1] > longest) longest = times[k] - times[k - 1];
  return longest;
}

static bool pass_door(test_run *run, uint32_t door) {
  const float half = (float)figures_bottleneck[door].at / 2;
  const crowd_wall walls[] = {{0, -half, 0, -5}, {0, -5, -10, -5}, {-10, -5, -10, 5}, {-10, 5, 0, 5}, {0, 5, 0, half}};
  const crowd_place place = {
      .min_x = -10, .min_z = -5, .max_x = 4, .max_z = 5, .walls = walls, .wall_count = COUNT_OF(walls)};
  const crowd_walker like = {.gates = {gate_east(0, -half, half), gate_east(3, -5, 5)}, .gate_count = 2};
  char part[32];
  crowd_trial trial;
  snprintf(part, sizeof part, "%.1f", figures_bottleneck[door].at);
  if (!trial_open(&trial, &run->setting, part, &place, run->problem)) return false;
  bool ok = trial_spread(&trial, &like, 150, -9.7f, -4.7f, -0.3f, 4.7f) && trial_run(&trial, DOOR_SECONDS, 0);
  run->values[door] = test_flow(&trial, 0, 150, DOOR_SECONDS) / figures_bottleneck[door].at;
  if (door == GAP_DOOR) run->values[DOORS] = longest_gap(&trial, 150);
  run->values[DOORS + 1] += trial.count - trial.arrivals;
  return test_end_trial(run, &trial, ok);
}

static bool run_bottleneck(test_run *run) {
  run->values[DOORS + 1] = 0;
  for (uint32_t door = 0; door < DOORS; door++)
    if (!pass_door(run, door)) return false;
  return true;
}

const validation_test test_bottleneck = {"bottleneck", "150 walkers through a door", figures_bottleneck,
                                         COUNT_OF(figures_bottleneck), run_bottleneck};
