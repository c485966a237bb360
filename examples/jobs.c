/* jobs.c: throng on the host's own threads (jobs_pool.c), through the two functions of throng_world_def.jobs. The
 * program compares bits and speed on one thread, on OpenMP's threads and on the host's threads. Each round times
 * each of the three once. The program prints the median of each.
 * usage: example_jobs [AGENTS [FRAMES [ROUNDS [WORKERS]]]]     default 50000 60 7 and the number of cores
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "jobs_pool.h"

#define DT (1.0f / 60.0f)
#define SPACING 0.4f /* metres */
#define MOST_ROUNDS 99

static void require(throng_status status, const throng_error *error) {
  if (status == THRONG_OK) return;
  fprintf(stderr, "%s: %s\n", throng_status_name(status), error->text);
  exit(1);
}

/* Creates a world with a square of `agents` agents that have four different velocities. */
static throng_world *make_flock(uint32_t agents, uint32_t threads, const throng_job_system *jobs) {
  uint32_t side = 1;
  while (side * side < agents) side++;
  throng_error error;
  throng_world *world = NULL;
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max.x = def.box_max.z = SPACING * (float)(side < 10 ? 10 : side);
  def.thread_count = threads;
  if (jobs) def.jobs = *jobs;
  require(throng_world_create(&def, &world, &error), &error);
  throng_vec3 *position = malloc(agents * sizeof *position), *velocity = malloc(agents * sizeof *velocity);
  if (!position || !velocity) abort();
  for (uint32_t k = 0; k < agents; k++) {
    position[k] = (throng_vec3){SPACING * (float)(k % side), 0.0f, SPACING * (float)(k / side)};
    velocity[k] = (throng_vec3){k % 3 ? 1.0f : -1.0f, 0.0f, k % 5 ? 0.5f : -0.5f};
  }
  throng_agents_def def_of_agents = throng_default_agents_def();
  def_of_agents.position.data = position;
  def_of_agents.velocity.data = velocity;
  require(throng_agents_add(world, &def_of_agents, agents, NULL, &error), &error);
  free(position);
  free(velocity);
  return world;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *rates, int count) {
  qsort(rates, (size_t)count, sizeof *rates, ascending);
  return rates[count / 2];
}

/* Returns argument k as a number from 1 to `most`; `fallback` if there is no argument k. */
static uint32_t number(int argc, char **argv, int k, uint32_t fallback, uint32_t most) {
  if (k >= argc) return fallback;
  const long value = strtol(argv[k], NULL, 10);
  if (value >= 1 && value <= (long)most) return (uint32_t)value;
  fprintf(stderr, "argument %d is %s, allowed: 1 to %u\n", k, argv[k], most);
  exit(2);
}

int main(int argc, char **argv) {
  const uint32_t agents = number(argc, argv, 1, 50000, 10000000), frames = number(argc, argv, 2, 60, 1000000);
  const int rounds = (int)number(argc, argv, 3, 7, MOST_ROUNDS);
  const uint32_t workers = number(argc, argv, 4, (uint32_t)sysconf(_SC_NPROCESSORS_ONLN), 1024);
  struct pool *pool = pool_create(workers);
  if (!pool) return fputs("cannot create the threads\n", stderr), 1;
  const throng_job_system jobs = pool_job_system(pool);
  static const char *const names[] = {"one thread", "throng's own", "the host's pool"};
  double rate[3][MOST_ROUNDS];
  uint64_t hash[3];
  for (int round = 0; round < rounds; round++) {
    for (int which = 0; which < 3; which++) {
      throng_error error;
      throng_world *world = make_flock(agents, which == 0 ? 1 : workers, which == 2 ? &jobs : NULL);
      require(throng_world_step(world, DT, &error), &error); /* starts threads and touches memory before the timing */
      const double begin = now();
      for (uint32_t frame = 0; frame < frames; frame++) require(throng_world_step(world, DT, &error), &error);
      rate[which][round] = (double)agents * (double)frames / (1e3 * (now() - begin));
      hash[which] = throng_world_hash(world, 0);
      throng_world_destroy(world);
    }
  }
  for (int which = 0; which < 3; which++) {
    printf("%-16s %4u workers %8.0f agents/ms, hash %016llx\n", names[which], which == 0 ? 1 : workers,
           median(rate[which], rounds), (unsigned long long)hash[which]);
  }
  printf("the host's pool reaches %.3f of the speed of throng's own threads\n",
         rate[2][rounds / 2] / rate[1][rounds / 2]);
  pool_destroy(pool);
  return hash[0] == hash[1] && hash[1] == hash[2] ? 0 : 1;
}
