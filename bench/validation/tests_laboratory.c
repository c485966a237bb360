/* Corridors of a laboratory: how fast people walk at the same density, one way and both ways.
 * SPDX-License-Identifier: MIT */
#include "speed_density.h"

#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define PEOPLE "people: HERMES, Juelich 2009"
#define ENTRY_SECONDS 60 /* walkers come in for so long, if they find room */
#define LAST_SECONDS 300
#define AREA_END 2.0 /* measured: -2 <= x <= 2 */

#define SPEED_AT(density, people)                                                                                      \
  { "speed at " #density "/m2, people " #people, "m/s", 0, 0, NOT_JUDGED, PEOPLE, density }
#define CLASSES                                                                                                        \
  { "classes of density seen", "of 7", SPEED_CLASSES, SPEED_CLASSES, JUDGED, PEOPLE, 0 }
enum { FIGURE_ERROR = SPEED_CLASSES, FIGURE_CLASSES, FIGURE_LEFT, FIGURE_OVERLAP, FIGURE_LANES };

/* The mean over the seen classes of |speed - people's|. */
static double mean_error(const double *speeds, const double *people) {
  running_mean error = {0};
  for (uint32_t k = 0; k < SPEED_CLASSES; k++)
    if (!isnan(speeds[k])) mean_add(&error, fabs(speeds[k] - people[k]));
  return mean_of(&error);
}

/* Walkers come in at `rate` persons/(m s) at each end that they use. */
static bool walk_corridor(test_run *run, float width, float door, double rate, bool both_ways, speed_density *measure) {
  laboratory_corridor corridor;
  laboratory_corridor_lay(&corridor, width, door);
  const double half = (double)width / 2, end = (double)LABORATORY_END;
  measure->corridor = (voronoi_rectangle){-end, -half, end, half};
  measure->min_x = -AREA_END;
  measure->max_x = AREA_END;
  const uint32_t count = (uint32_t)(rate * (double)width * ENTRY_SECONDS);
  char part[48];
  crowd_trial trial;
  snprintf(part, sizeof part, "%.1f-%.2f-%.2f", (double)width, (double)door, rate);
  if (!trial_open(&trial, &run->setting, part, &corridor.place, run->problem)) return false;
  trial.watch = speed_density_watch;
  trial.watch_context = measure;
  bool ok = true;
  for (int way = 0; way < (both_ways ? 2 : 1) && ok; way++) {
    crowd_walker like = laboratory_walker(&corridor, way == 0);
    if (both_ways) like.aim = AIM_WAY;
    ok = trial_append_entries(&trial, &like, count, rate * (double)width);
  }
  ok = ok && trial_run(&trial, LAST_SECONDS, 0);
  run->values[FIGURE_LEFT] += trial.count - trial.arrivals;
  run->values[FIGURE_OVERLAP] = fmax(run->values[FIGURE_OVERLAP], 100 * trial.observer.deepest);
  if (both_ways) run->values[FIGURE_LANES] = mean_of(&trial.observer.lane_order);
  return test_end_trial(run, &trial, ok);
}

static void read_speeds(test_run *run, const speed_density *measure, const double *people) {
  run->values[FIGURE_CLASSES] = speed_density_means(measure, run->values);
  run->values[FIGURE_ERROR] = mean_error(run->values, people);
}

/* ---- one way: the corridor is open, or has a door, behind which a jam forms ---- */

static const test_figure figures_one_way[] = {SPEED_AT(0.5, 1.42),
                                              SPEED_AT(1, 1.23),
                                              SPEED_AT(1.5, 0.96),
                                              SPEED_AT(2, 0.74),
                                              SPEED_AT(2.5, 0.57),
                                              SPEED_AT(3, 0.47),
                                              SPEED_AT(3.5, 0.42),
                                              {"mean error of speed", "m/s", 0, 0.08, JUDGED, PEOPLE, 0},
                                              CLASSES,
                                              LABORATORY_LEFT,
                                              LABORATORY_OVERLAP};
static const double people_one_way[SPEED_CLASSES] = {1.42, 1.23, 0.96, 0.74, 0.57, 0.47, 0.42};

static bool run_one_way(test_run *run) {
  static const struct {
    float width, door;
  } doors[] = {{1.8f, 0.7f}, {1.8f, 0.95f}, {1.8f, 1.2f}, {2.4f, 1.3f}, {2.4f, 1.6f}, {3.0f, 1.6f}, {3.0f, 2.0f}};
  static const float widths[] = {1.8f, 2.4f, 3.0f};
  static const double rates[] = {0.4, 0.8, 1.2, 1.6}; /* persons/(m s); people reach 1.67 */
  speed_density measure = {0};
  bool ok = true;
  run->values[FIGURE_LEFT] = run->values[FIGURE_OVERLAP] = 0;
  for (uint32_t k = 0; k < COUNT_OF(doors) && ok; k++)
    ok = walk_corridor(run, doors[k].width, doors[k].door, 1.6, false, &measure);
  for (uint32_t k = 0; k < COUNT_OF(widths) * COUNT_OF(rates) && ok; k++) {
    const float width = widths[k / COUNT_OF(rates)];
    ok = walk_corridor(run, width, width, rates[k % COUNT_OF(rates)], false, &measure);
  }
  read_speeds(run, &measure, people_one_way);
  return ok;
}

const validation_test test_corridor_one_way = {"corridor-one-way", "speed at the same Voronoi density, one way",
                                               figures_one_way, COUNT_OF(figures_one_way), run_one_way};

/* ---- both ways, at several rates; entrances as wide as the corridor ---- */

/* Lane order: people in a corridor of 4 m with entrances of its full width have .82. Here the corridor of 3.6 m. */
static const test_figure figures_both_ways[] = {
    SPEED_AT(0.5, 1.34),
    SPEED_AT(1, 1.13),
    SPEED_AT(1.5, 0.93),
    SPEED_AT(2, 0.74),
    SPEED_AT(2.5, 0.59),
    SPEED_AT(3, 0.47),
    SPEED_AT(3.5, 0.40),
    {"mean error of speed", "m/s", 0, 0.10, JUDGED, PEOPLE, 0},
    CLASSES,
    LABORATORY_LEFT,
    LABORATORY_OVERLAP,
    {"lane order at 3.6 m", "", 0.67, 0.97, JUDGED, PEOPLE ", 4 m: 0.82", 0}};
static const double people_both_ways[SPEED_CLASSES] = {1.34, 1.13, 0.93, 0.74, 0.59, 0.47, 0.40};

static bool run_both_ways(test_run *run) {
  static const float widths[] = {3.0f, 3.6f};
  static const double rates[] = {0.2, 0.4, 0.6, 0.8}; /* persons/(m s) at each end; people reach 1.6 in all */
  speed_density measure = {0};
  bool ok = true;
  run->values[FIGURE_LEFT] = run->values[FIGURE_OVERLAP] = 0;
  for (uint32_t k = 0; k < COUNT_OF(widths) * COUNT_OF(rates) && ok; k++) {
    const float width = widths[k / COUNT_OF(rates)];
    ok = walk_corridor(run, width, width, rates[k % COUNT_OF(rates)], true, &measure);
  }
  read_speeds(run, &measure, people_both_ways);
  return ok;
}

const validation_test test_corridor_both_ways = {"corridor-both-ways", "speed at the same Voronoi density, both ways",
                                                 figures_both_ways, COUNT_OF(figures_both_ways), run_both_ways};
