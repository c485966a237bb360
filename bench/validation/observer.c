/* SPDX-License-Identifier: MIT */
#include "observer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/trajectory_text.h"
#include "trial.h"

#define CELL 1.0f        /* metres, at least the diameter of a body */
#define DEEP 0.02        /* metres */
#define SLOWEST_TURN 0.1 /* m/s: the direction of slower walkers is noise */
#define LANE_AHEAD 8.0   /* metres */
#define LANE_ASIDE 0.4   /* metres */
#define DEGREES 57.29577951308232

bool observer_open(crowd_observer *observer, float min_x, float min_z, float max_x, float max_z, bool torus,
                   float body_radius, bench_problem *problem) {
  *observer = (struct crowd_observer){.min_x = min_x, .min_z = min_z, .body_radius = body_radius};
  observer->hash = UINT64_C(0xCBF29CE484222325);
  observer->columns = (uint32_t)((max_x - min_x) / CELL) + 1;
  observer->rows = (uint32_t)((max_z - min_z) / CELL) + 1;
  if (torus) {
    observer->period_x = max_x - min_x;
    observer->period_z = max_z - min_z;
    observer->columns = (uint32_t)(observer->period_x / CELL);
    observer->rows = (uint32_t)(observer->period_z / CELL);
  }
  observer->begin = malloc(((size_t)observer->columns * observer->rows + 1) * sizeof *observer->begin);
  return observer->begin ? true : problem_set(problem, "out of memory");
}

bool observer_reserve(crowd_observer *observer, uint32_t count, bench_problem *problem) {
  free(observer->order);
  observer->order = malloc((count + 1) * sizeof *observer->order);
  return observer->order ? true : problem_set(problem, "out of memory");
}

bool observer_write(crowd_observer *observer, const char *path, bench_problem *problem) {
  if (!output_open(&observer->trajectories, path, problem)) return false;
  observer->writes = true;
  trajectory_text_begin(observer->trajectories.stream, SAMPLES_PER_SECOND, NULL);
  return true;
}

bool observer_finish(crowd_observer *observer, bool ok, bench_problem *problem) {
  bool written = !observer->writes || output_close(&observer->trajectories, ok, problem);
  observer->writes = false;
  return written && ok;
}

void observer_close(crowd_observer *observer) {
  free(observer->begin);
  free(observer->order);
  observer->begin = observer->order = NULL;
}

/* FNV-1a over the bits of the position, the walker and the sample. */
static void hash_position(crowd_observer *observer, uint32_t index, uint32_t sample, float x, float z) {
  uint32_t words[4] = {index, sample};
  memcpy(&words[2], &x, sizeof x);
  memcpy(&words[3], &z, sizeof z);
  for (int k = 0; k < 4; k++) observer->hash = (observer->hash ^ words[k]) * UINT64_C(0x100000001B3);
}

static void measure_motion(crowd_observer *observer, const crowd_walker *walker, const double velocity[2],
                           const double acceleration[2]) {
  const double *before = walker->velocity;
  if (walker->aim == AIM_WAY)
    mean_add(&observer->speed, velocity[0] * (double)walker->way_x + velocity[1] * (double)walker->way_z);
  if (walker->samples < 2) return;
  mean_add(&observer->acceleration, hypot(acceleration[0], acceleration[1]));
  if (hypot(velocity[0], velocity[1]) > SLOWEST_TURN && hypot(before[0], before[1]) > SLOWEST_TURN) {
    double cross = before[0] * velocity[1] - before[1] * velocity[0];
    double dot = before[0] * velocity[0] + before[1] * velocity[1];
    mean_add(&observer->turn, fabs(atan2(cross, dot)) * DEGREES / SAMPLE_SECONDS);
  }
  if (walker->samples < 3) return;
  mean_add(&observer->jerk,
           hypot(acceleration[0] - walker->acceleration[0], acceleration[1] - walker->acceleration[1]) /
               SAMPLE_SECONDS);
}

void observer_move(crowd_observer *observer, crowd_walker *walker, uint32_t index, uint32_t sample, float x, float z,
                   bool counts) {
  hash_position(observer, index, sample, x, z);
  if (observer->writes) trajectory_text_add(observer->trajectories.stream, index + 1, sample, x, z);
  if (walker->samples > 0) {
    const double dx = observer_shortest((double)x - (double)walker->x, (double)observer->period_x);
    const double dz = observer_shortest((double)z - (double)walker->z, (double)observer->period_z);
    const double velocity[2] = {dx / SAMPLE_SECONDS, dz / SAMPLE_SECONDS};
    const double acceleration[2] = {(velocity[0] - walker->velocity[0]) / SAMPLE_SECONDS,
                                    (velocity[1] - walker->velocity[1]) / SAMPLE_SECONDS};
    walker->walked += dx * (double)walker->way_x + dz * (double)walker->way_z;
    if (counts) measure_motion(observer, walker, velocity, acceleration);
    memcpy(walker->velocity, velocity, sizeof velocity);
    memcpy(walker->acceleration, acceleration, sizeof acceleration);
  }
  walker->x = x;
  walker->z = z;
  walker->samples++;
}

static uint32_t cell_along(float value, float min, uint32_t cells) {
  const float cell = (value - min) / CELL;
  return cell <= 0 ? 0 : cell >= (float)cells ? cells - 1 : (uint32_t)cell;
}

static uint32_t cell_of(const crowd_observer *observer, const crowd_walker *walker) {
  return cell_along(walker->z, observer->min_z, observer->rows) * observer->columns +
         cell_along(walker->x, observer->min_x, observer->columns);
}

/* A counting sort of the walkers into cells. */
static void sort_into_cells(crowd_observer *observer, const crowd_walker *walkers, uint32_t count) {
  const uint32_t cells = observer->columns * observer->rows;
  memset(observer->begin, 0, (cells + 1) * sizeof *observer->begin);
  for (uint32_t i = 0; i < count; i++)
    if (!walkers[i].absent) observer->begin[cell_of(observer, &walkers[i]) + 1]++;
  for (uint32_t c = 0; c < cells; c++) observer->begin[c + 1] += observer->begin[c];
  for (uint32_t i = 0; i < count; i++)
    if (!walkers[i].absent) observer->order[observer->begin[cell_of(observer, &walkers[i])]++] = i;
  memmove(observer->begin + 1, observer->begin, cells * sizeof *observer->begin);
  observer->begin[0] = 0;
}

/* Calls `visit` for each other walker in the cells up to `reach_x` and `reach_z` metres away from walker `index`. Some
 * of these walkers are farther away. */
typedef void visitor(void *context, const crowd_walker *other, double dx, double dz);
static void visit_near(const crowd_observer *observer, const crowd_walker *walkers, uint32_t index, float reach_x,
                       float reach_z, visitor *visit, void *context) {
  const crowd_walker *own = &walkers[index];
  const int columns = (int)observer->columns, rows = (int)observer->rows;
  const int cell = (int)cell_of(observer, own), reach_columns = (int)ceilf(reach_x / CELL);
  const int reach_rows = (int)ceilf(reach_z / CELL);
  const bool torus = observer->period_x > 0;
  for (int dr = -reach_rows; dr <= reach_rows; dr++) {
    int row = cell / columns + dr;
    if (torus) row = (row + rows) % rows;
    if (row < 0 || row >= rows) continue;
    for (int dc = -reach_columns; dc <= reach_columns; dc++) {
      int column = cell % columns + dc;
      if (torus) column = (column + columns) % columns;
      if (column < 0 || column >= columns) continue;
      const uint32_t *begin = &observer->begin[row * columns + column];
      for (uint32_t k = begin[0]; k < begin[1]; k++) {
        const crowd_walker *other = &walkers[observer->order[k]];
        if (other != own)
          visit(context, other, observer_shortest((double)other->x - (double)own->x, (double)observer->period_x),
                observer_shortest((double)other->z - (double)own->z, (double)observer->period_z));
      }
    }
  }
}

static void find_deepest(void *context, const crowd_walker *other, double dx, double dz) {
  (void)other;
  double *square = context, distance = dx * dx + dz * dz;
  if (distance < *square) *square = distance;
}

typedef struct lane_count {
  const crowd_walker *own;
  double same, other;
} lane_count;

static void count_lane(void *context, const crowd_walker *other, double dx, double dz) {
  lane_count *lane = context;
  const double x = (double)lane->own->way_x, z = (double)lane->own->way_z;
  if (fabs(dx * x + dz * z) > LANE_AHEAD || fabs(dx * z - dz * x) > LANE_ASIDE) return;
  if ((double)other->way_x * x + (double)other->way_z * z > 0)
    lane->same++;
  else
    lane->other++;
}

void observer_neighbours(crowd_observer *observer, const crowd_walker *walkers, uint32_t count, bool lanes) {
  sort_into_cells(observer, walkers, count);
  const double touch = 2 * (double)observer->body_radius;
  for (uint32_t i = 0; i < count; i++) {
    if (walkers[i].absent) continue;
    double nearest = touch * touch;
    visit_near(observer, walkers, i, CELL, CELL, find_deepest, &nearest);
    const double depth = touch - sqrt(nearest);
    if (depth > observer->deepest) observer->deepest = depth;
    mean_add(&observer->overlapping, depth > DEEP);
    if (!lanes || walkers[i].aim != AIM_WAY) continue;
    lane_count lane = {.own = &walkers[i]};
    visit_near(observer, walkers, i, (float)LANE_AHEAD, (float)LANE_ASIDE, count_lane, &lane);
    if (lane.same + lane.other == 0) continue;
    const double order = (lane.same - lane.other) / (lane.same + lane.other);
    mean_add(&observer->lane_order, order * order);
  }
}
