/* SPDX-License-Identifier: MIT */
#include "micro/ceiling.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define MOST_KEPT 256

double ceiling_clock(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

uint32_t ceiling_workers(uint32_t threads) {
#ifdef _OPENMP
  return threads ? threads : (uint32_t)omp_get_num_procs();
#else
  (void)threads;
  return 1;
#endif
}

double *ceiling_kept(const char *format, ...) {
  static struct {
    char name[64];
    double figure;
  } kept[MOST_KEPT];
  static size_t count;
  char name[sizeof kept->name];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  for (size_t k = 0; k < count; k++)
    if (strcmp(kept[k].name, name) == 0) return &kept[k].figure;
  size_t k = count < MOST_KEPT ? count++ : MOST_KEPT - 1;
  memcpy(kept[k].name, name, sizeof name);
  kept[k].figure = 0;
  return &kept[k].figure;
}

/* These functions return how many floats an agent has in a column of vectors, in the facing, and in the group that the
 * passes read. */
static double vector_floats(const bench_scene *scene) { return scene->world.space == THRONG_SPACE_SPATIAL ? 3 : 2; }
static double facing_floats(const bench_scene *scene) { return scene->world.space == THRONG_SPACE_SPATIAL ? 3 : 1; }
/* With one group, the passes do not read an agent's group. */
static double group_floats(const bench_scene *scene) { return scene->group_count > 1 ? 1 : 0; }

/* Counts the rules over neighbours, and the positions of the behaviour lists, that some group uses. */
#define NEIGHBOUR_RULES (THRONG_MAX_CONTRIBUTIONS - THRONG_MAX_BEHAVIOURS)
static double rules(const bench_scene *scene) {
  bool used[THRONG_MAX_CONTRIBUTIONS] = {false};
  for (uint32_t i = 0; i < scene->group_count; i++) {
    const throng_group_def *def = &scene->groups[i].def;
    const float weight[NEIGHBOUR_RULES] = {def->separation.weight, def->cohesion.weight, def->alignment.weight,
                                           def->avoidance.weight, def->attraction.weight};
    for (uint32_t k = 0; k < NEIGHBOUR_RULES; k++) used[k] = used[k] || weight[k] != 0.0f;
    for (uint32_t k = 0; k < def->behaviour_count; k++) used[NEIGHBOUR_RULES + k] |= def->behaviour[k].weight != 0.0f;
  }
  double count = 0;
  for (uint32_t k = 0; k < THRONG_MAX_CONTRIBUTIONS; k++) count += used[k];
  return count;
}

/* The blend reads one acceleration per rule and writes one. The bytes that behaviours read are not counted, because no
 * scene of throng-bench has behaviours. */
double ceiling_behaviours_bytes(const bench_scene *scene) {
  return 4 * (group_floats(scene) + (rules(scene) + 1) * vector_floats(scene));
}

/* Motion reads group, position, velocity, acceleration and facing, and writes position, velocity and facing. */
double ceiling_motion_bytes(const bench_scene *scene) {
  return 4 * (group_floats(scene) + 5 * vector_floats(scene) + 2 * facing_floats(scene));
}

/* The sort writes the old slot of each new slot, and moves position, velocity, facing, group and id. */
double ceiling_index_bytes(const bench_scene *scene) {
  return 4 + 8 * (2 * vector_floats(scene) + facing_floats(scene) + 2);
}
