/* Doors of a laboratory: flow, density ahead of the door, and time gaps, against those of recorded people.
 * SPDX-License-Identifier: MIT */
#include "laboratory.h"

#include <math.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define HERMES "HERMES, Juelich 2009"
#define WUPPERTAL "Wuppertal 2018"
#define LAST_SECONDS 400
#define CORRIDOR_RATE 2.0 /* persons/(m s): without a door people reach 1.58 to 1.67 */

/* Sources name people's value. */
#define FLOW(place, width, people, source)                                                                             \
  { "flow at " place, "1/s", people, people, NOT_JUDGED, "people " #people ": " source, width }
#define DENSITY(width, people)                                                                                         \
  {                                                                                                                    \
    "density ahead of " #width " m", "1/m2", 0.65 * (people), 1.35 * (people), JUDGED, "people " #people ": " HERMES,  \
        width                                                                                                          \
  }
#define GAP(width, name, unit, people, source)                                                                         \
  { "gaps at " #width " m, " name, unit, people, people, NOT_JUDGED, "people " #people ": " source, width }
#define GAPS(width, mean, lower, median, upper, most, above, source)                                                   \
  GAP(width, "mean", "s", mean, source), GAP(width, "lower quartile", "s", lower, source),                             \
      GAP(width, "median", "s", median, source), GAP(width, "upper quartile", "s", upper, source),                     \
      GAP(width, "95 %", "s", most, source), GAP(width, "above 1 s", "%", above, source)

enum {
  DOORS = 7,             /* behind a corridor */
  FIGURE_PRESS_FLOW = 7, /* the door of people who press */
  FIGURE_OPEN_FLOW = 8,  /* corridors without a door */
  FIGURE_FLOW_ERROR = 11,
  FIGURE_DENSITY = 12,
  DENSITIES = 5, /* the doors of which people's density is known */
  FIGURE_PRESS_DENSITY = 17,
  FIGURE_GAPS = 18,
  GAP_FIGURES = 7,
  GAP_DOORS = 2, /* the doors of which people's gaps are known */
  FIGURE_PRESS_GAPS = 32,
  FIGURE_LEFT = 39,
  FIGURE_OVERLAP,
};

static const test_figure figures[] = {
    FLOW("0.7 m behind 1.8 m", 0.7, 1.61, HERMES),
    FLOW("0.95 m behind 1.8 m", 0.95, 1.76, HERMES),
    FLOW("1.2 m behind 1.8 m", 1.2, 2.26, HERMES),
    FLOW("1.3 m behind 2.4 m", 1.3, 2.72, HERMES),
    FLOW("1.6 m behind 2.4 m", 1.6, 3.12, HERMES),
    FLOW("1.6 m behind 3.0 m", 1.6, 3.09, HERMES),
    FLOW("2.0 m behind 3.0 m", 2.0, 3.85, HERMES),
    FLOW("0.5 m, pressing", 0.5, 1.15, WUPPERTAL),
    FLOW("1.8 m without a door", 1.8, 2.84, HERMES),
    FLOW("2.4 m without a door", 2.4, 3.82, HERMES),
    FLOW("3.0 m without a door", 3.0, 5.01, HERMES),
    {"mean error of flow, seven doors", "%", 0, 8, JUDGED, "people: " HERMES, 0},
    DENSITY(0.7, 3.4),
    DENSITY(0.95, 2.7),
    DENSITY(1.2, 2.2),
    DENSITY(1.3, 2.9),
    DENSITY(1.6, 3.1),
    {"density ahead of 0.5 m, pressing", "1/m2", 6, 8, JUDGED, "people 7.8: " WUPPERTAL, 0.5},
    GAPS(0.7, 0.62, 0.49, 0.64, 0.76, 1.01, 6, HERMES),
    {"gaps at 0.7 m, longest", "s", 0, 3, JUDGED, "people 1.5: " HERMES, 0.7},
    GAPS(0.95, 0.57, 0.37, 0.58, 0.75, 1.04, 8, HERMES),
    GAP(0.95, "longest", "s", 1.2, HERMES),
    GAPS(0.5, 0.87, 0.68, 0.89, 1.03, 1.30, 36, WUPPERTAL),
    GAP(0.5, "longest", "s", 1.5, WUPPERTAL),
    LABORATORY_LEFT,
    LABORATORY_OVERLAP};

/* The recordings: corridor and door, m; people. The last three have no door; their numbers of people are ours. */
static const struct {
  float width, door;
  uint32_t count;
} recordings[] = {{1.8f, 0.7f, 148}, {1.8f, 0.95f, 158}, {1.8f, 1.2f, 167}, {2.4f, 1.3f, 248}, {2.4f, 1.6f, 284},
                  {3.0f, 1.6f, 272}, {3.0f, 2.0f, 350},  {1.8f, 1.8f, 200}, {2.4f, 2.4f, 250}, {3.0f, 3.0f, 300}};

/* Counts walkers in a square of 0.8 m ahead of a door, from the crossing of the first tenth to that of the last but one
 * tenth of them. */
typedef struct door_density {
  float door_x;
  running_mean inside;
} door_density;

#define SQUARE 0.8f /* metres: its side */
#define SQUARE_AHEAD 0.5f

static void watch_door(crowd_trial *trial, void *context) {
  door_density *density = context;
  const float max_x = density->door_x - SQUARE_AHEAD, min_x = max_x - SQUARE;
  uint32_t crossed = 0, inside = 0;
  for (uint32_t i = 0; i < trial->count; i++) {
    const crowd_walker *walker = &trial->walkers[i];
    crossed += walker->gate_at > 0;
    inside += !walker->absent && walker->x >= min_x && walker->x <= max_x && fabsf(walker->z) <= SQUARE / 2;
  }
  if (crossed >= trial->count / 10 && crossed <= trial->count - trial->count / 10) mean_add(&density->inside, inside);
}

/* The value below which `part` of the sorted values are, linear between two of them. */
static double quantile(const double *sorted, uint32_t count, double part) {
  const double at = part * (count - 1);
  const uint32_t below = (uint32_t)at;
  return below + 1 < count ? sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]) : sorted[count - 1];
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Writes mean, quartiles, 95 %, the share above 1 s and the longest of the times between the sorted crossings. */
static void read_gaps(const double *times, uint32_t count, double *values) {
  double gaps[LABORATORY_PEOPLE];
  uint32_t above = 0;
  for (int k = 0; k < GAP_FIGURES; k++) values[k] = NAN;
  if (count < 2) return;
  for (uint32_t k = 0; k + 1 < count; k++) {
    gaps[k] = times[k + 1] - times[k];
    above += gaps[k] > 1;
  }
  qsort(gaps, count - 1, sizeof *gaps, compare_doubles);
  values[0] = (times[count - 1] - times[0]) / (count - 1);
  values[1] = quantile(gaps, count - 1, 0.25);
  values[2] = quantile(gaps, count - 1, 0.5);
  values[3] = quantile(gaps, count - 1, 0.75);
  values[4] = quantile(gaps, count - 1, 0.95);
  values[5] = 100.0 * above / (count - 1);
  values[6] = gaps[count - 2];
}

/* Where the figures of a door go; NULL: nowhere. */
typedef struct door_values {
  double *flow, *density, *gaps;
} door_values;

/* Runs the trial and reads flow, density and gaps of gate 0. */
static bool measure_door(test_run *run, crowd_trial *trial, float door_x, door_values values) {
  double times[LABORATORY_PEOPLE];
  door_density density = {.door_x = door_x};
  trial->watch = watch_door;
  trial->watch_context = &density;
  const bool ok = trial_run(trial, LAST_SECONDS, 0);
  const uint32_t count = trial_crossings(trial, 0, times);
  const double end = count == trial->count ? times[count - 1] : LAST_SECONDS;
  *values.flow = count < 2 ? 0 : (count - 1) / (end - times[0]);
  if (values.density) *values.density = mean_of(&density.inside) / (double)(SQUARE * SQUARE);
  if (values.gaps) read_gaps(times, count, values.gaps);
  run->values[FIGURE_LEFT] += trial->count - trial->arrivals;
  run->values[FIGURE_OVERLAP] = fmax(run->values[FIGURE_OVERLAP], 100 * trial->observer.deepest);
  return test_end_trial(run, trial, ok);
}

/* People come from a crowd that waits at the entrance of the corridor. They come in faster than any door lets them out,
 * while they find room. */
static bool leave_corridor(test_run *run, uint32_t k) {
  const float width = recordings[k].width, door = recordings[k].door;
  laboratory_corridor corridor;
  laboratory_corridor_lay(&corridor, width, door);
  char part[32];
  crowd_trial trial;
  snprintf(part, sizeof part, "%.1f-%.2f", (double)width, (double)door);
  if (!trial_open(&trial, &run->setting, part, &corridor.place, run->problem)) return false;
  const crowd_walker like = laboratory_walker(&corridor, true);
  const door_values values = {.flow = &run->values[k < DOORS ? k : FIGURE_OPEN_FLOW + k - DOORS],
                              .density = k < DENSITIES ? &run->values[FIGURE_DENSITY + k] : NULL,
                              .gaps = k < GAP_DOORS ? &run->values[FIGURE_GAPS + k * GAP_FIGURES] : NULL};
  if (trial_append_entries(&trial, &like, recordings[k].count, CORRIDOR_RATE * (double)width))
    return measure_door(run, &trial, LABORATORY_END, values);
  return test_end_trial(run, &trial, false);
}

/* ---- people who press: 75 of them stand ahead of a door of 0.5 m, in an area 5.6 m wide ---- */

/* The barriers at the door narrow from 0.8 to 0.5 m, and make a passage 1.1 m long (J. Adrian et al., Crowds in front
 * of bottlenecks at entrances from the perspective of physics and social psychology, 2020). */
static bool press(test_run *run) {
  static const crowd_wall walls[] = {
      {-10, -2.8f, 0, -2.8f}, {0, -2.8f, 0, -0.4f}, {0, -0.4f, 0.15f, -0.25f}, {0.15f, -0.25f, 1.1f, -0.25f},
      {-10, 2.8f, 0, 2.8f},   {0, 2.8f, 0, 0.4f},   {0, 0.4f, 0.15f, 0.25f},   {0.15f, 0.25f, 1.1f, 0.25f}};
  const crowd_place place = {.min_x = -10,
                             .min_z = -4,
                             .max_x = 5,
                             .max_z = 4,
                             .presses = true,
                             .wish_speed = LABORATORY_SPEED,
                             .speed_deviation = LABORATORY_DEVIATION,
                             .walls = walls,
                             .wall_count = COUNT_OF(walls)};
  const crowd_walker like = {.gates = {gate_east(0, -0.4f, 0.4f), gate_east(1.1f, -0.25f, 0.25f), gate_east(3, -4, 4)},
                             .gate_count = 3};
  crowd_trial trial;
  if (!trial_open(&trial, &run->setting, "press", &place, run->problem)) return false;
  const door_values values = {&run->values[FIGURE_PRESS_FLOW], &run->values[FIGURE_PRESS_DENSITY],
                              &run->values[FIGURE_PRESS_GAPS]};
  if (trial_spread(&trial, &like, 75, -5.7f, -2.5f, -0.3f, 2.5f)) return measure_door(run, &trial, 0, values);
  return test_end_trial(run, &trial, false);
}

static bool run_doors(test_run *run) {
  running_mean error = {0};
  run->values[FIGURE_LEFT] = run->values[FIGURE_OVERLAP] = 0;
  for (uint32_t k = 0; k < COUNT_OF(recordings); k++)
    if (!leave_corridor(run, k)) return false;
  for (uint32_t k = 0; k < DOORS; k++) mean_add(&error, 100 * fabs(run->values[k] / figures[k].lowest - 1));
  run->values[FIGURE_FLOW_ERROR] = mean_of(&error);
  return press(run);
}

const validation_test test_doors_laboratory = {"doors-laboratory", "people leave corridors through doors", figures,
                                               COUNT_OF(figures), run_doors};
