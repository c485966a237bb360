/* Corridors of a laboratory: how fast people walk at the same density, one way and both ways.
 * SPDX-License-Identifier: MIT */
#include "speed_density.h"

#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define HERMES "HERMES, Juelich 2009"
#define ENTRY_SECONDS 60 /* walkers come in for so long, if they find room */
#define LAST_SECONDS 300
#define AREA_END 2.0 /* measured: -2 <= x <= 2 */

#define SPEED_AT(density, people)                                                                                      \
  { "speed at " #density "/m2", "m/s", people, people, NOT_JUDGED, "people " #people ": " HERMES, density }
#define SPEED_ERROR(most)                                                                                              \
  { "mean error of speed", "m/s", 0, most, JUDGED, "people: " HERMES, 0 }
#define CLASSES                                                                                                        \
  { "classes of density seen", "of 7", SPEED_CLASSES, SPEED_CLASSES, JUDGED, "people: " HERMES, 0 }
enum { FIGURE_ERROR = SPEED_CLASSES, FIGURE_CLASSES, FIGURE_LEFT, FIGURE_OVERLAP, FIGURE_LANES };

/* The mean over the seen classes of |speed - people's|. */
static double mean_error(const double *speeds, const test_figure *figures) {
  running_mean error = {0};
  for (uint32_t k = 0; k < SPEED_CLASSES; k++)
    if (!isnan(speeds[k])) mean_add(&error, fabs(speeds[k] - figures[k].lowest));
  return mean_of(&error);
}

/* One trial: walkers come in at `rate` persons/(m s) at each end that they use. Without a door, door = width. */
typedef struct corridor_trial {
  float width, door;
  double rate;
} corridor_trial;

static bool walk_corridor(test_run *run, const corridor_trial *setting, bool both_ways, speed_density *measure,
                          running_mean *lanes) {
  laboratory_corridor corridor;
  laboratory_corridor_lay(&corridor, setting->width, setting->door);
  const double half = (double)setting->width / 2, end = (double)LABORATORY_END;
  const double rate = setting->rate * (double)setting->width;
  measure->corridor = (voronoi_rectangle){-end, -half, end, half};
  char part[48];
  crowd_trial trial;
  snprintf(part, sizeof part, "%.1f-%.2f-%.2f", (double)setting->width, (double)setting->door, setting->rate);
  if (!trial_open(&trial, &run->setting, part, &corridor.place, run->problem)) return false;
  trial.watch = speed_density_watch;
  trial.watch_context = measure;
  bool ok = true;
  for (int way = 0; way < (both_ways ? 2 : 1) && ok; way++) {
    crowd_walker like = laboratory_walker(&corridor, way == 0);
    if (both_ways) like.aim = AIM_WAY;
    ok = trial_append_entries(&trial, &like, (uint32_t)(rate * ENTRY_SECONDS), rate);
  }
  ok = ok && trial_run(&trial, LAST_SECONDS, 0);
  run->values[FIGURE_LEFT] += trial.count - trial.arrivals;
  run->values[FIGURE_OVERLAP] = fmax(run->values[FIGURE_OVERLAP], 100 * trial.observer.deepest);
  lanes->sum += trial.observer.lane_order.sum;
  lanes->count += trial.observer.lane_order.count;
  return test_end_trial(run, &trial, ok);
}

/* Runs the trials and reads all figures but the lane order. */
static bool walk_corridors(test_run *run, const corridor_trial *settings, uint32_t count, bool both_ways,
                           const test_figure *figures, running_mean *lanes) {
  speed_density measure = {.min_x = -AREA_END, .max_x = AREA_END};
  run->values[FIGURE_LEFT] = run->values[FIGURE_OVERLAP] = 0;
  for (uint32_t k = 0; k < count; k++)
    if (!walk_corridor(run, &settings[k], both_ways, &measure, lanes)) return false;
  run->values[FIGURE_CLASSES] = speed_density_means(&measure, run->values);
  run->values[FIGURE_ERROR] = mean_error(run->values, figures);
  return true;
}

/* ---- one way: the corridor is open, or has a door, behind which a jam forms ---- */

static const test_figure figures_one_way[] = {SPEED_AT(0.5, 1.42), SPEED_AT(1, 1.23),   SPEED_AT(1.5, 0.96),
                                              SPEED_AT(2, 0.74),   SPEED_AT(2.5, 0.57), SPEED_AT(3, 0.47),
                                              SPEED_AT(3.5, 0.42), SPEED_ERROR(0.08),   CLASSES,
                                              LABORATORY_LEFT,     LABORATORY_OVERLAP};

static bool run_one_way(test_run *run) {
  /* Without a door people reach 1.58 to 1.67 persons/(m s). */
  static const corridor_trial settings[] = {{1.8f, 0.7f, 1.6}, {1.8f, 0.95f, 1.6}, {1.8f, 1.2f, 1.6}, {2.4f, 1.3f, 1.6},
                                            {2.4f, 1.6f, 1.6}, {3.0f, 1.6f, 1.6},  {3.0f, 2.0f, 1.6}, {1.8f, 1.8f, 0.4},
                                            {1.8f, 1.8f, 0.8}, {1.8f, 1.8f, 1.2},  {1.8f, 1.8f, 1.6}, {2.4f, 2.4f, 0.4},
                                            {2.4f, 2.4f, 0.8}, {2.4f, 2.4f, 1.2},  {2.4f, 2.4f, 1.6}, {3.0f, 3.0f, 0.4},
                                            {3.0f, 3.0f, 0.8}, {3.0f, 3.0f, 1.2},  {3.0f, 3.0f, 1.6}};
  running_mean lanes = {0};
  return walk_corridors(run, settings, COUNT_OF(settings), false, figures_one_way, &lanes);
}

const validation_test test_corridor_one_way = {"corridor-one-way", "speed at the same Voronoi density, one way",
                                               figures_one_way, COUNT_OF(figures_one_way), run_one_way};

/* ---- both ways, at several rates; entrances as wide as the corridor ---- */

/* Lane order is not judged: people come in where their lane is, but these walkers at drawn places. */
static const test_figure figures_both_ways[] = {
    SPEED_AT(0.5, 1.34),
    SPEED_AT(1, 1.13),
    SPEED_AT(1.5, 0.93),
    SPEED_AT(2, 0.74),
    SPEED_AT(2.5, 0.59),
    SPEED_AT(3, 0.47),
    SPEED_AT(3.5, 0.40),
    SPEED_ERROR(0.10),
    CLASSES,
    LABORATORY_LEFT,
    LABORATORY_OVERLAP,
    {"lane order", "", 0.82, 0.82, NOT_JUDGED, "people 0.82: " HERMES ", corridor of 4 m", 0}};

static bool run_both_ways(test_run *run) {
  /* People reach a flow of 1.5 persons/(m s) in all: the last rates make jams. */
  static const corridor_trial settings[] = {{3.0f, 3.0f, 0.2}, {3.0f, 3.0f, 0.4}, {3.0f, 3.0f, 0.6}, {3.0f, 3.0f, 0.8},
                                            {3.0f, 3.0f, 1.0}, {3.6f, 3.6f, 0.2}, {3.6f, 3.6f, 0.4}, {3.6f, 3.6f, 0.6},
                                            {3.6f, 3.6f, 0.8}, {3.6f, 3.6f, 1.0}};
  running_mean lanes = {0};
  if (!walk_corridors(run, settings, COUNT_OF(settings), true, figures_both_ways, &lanes)) return false;
  run->values[FIGURE_LANES] = mean_of(&lanes);
  return true;
}

const validation_test test_corridor_both_ways = {"corridor-both-ways", "speed at the same Voronoi density, both ways",
                                                 figures_both_ways, COUNT_OF(figures_both_ways), run_both_ways};
