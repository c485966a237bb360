/* throng.c: throng in the contest, once per instruction set.
 * SPDX-License-Identifier: MIT */
#include "peer.h"

#include <stdlib.h>

#include "scene/scene.h"

typedef struct throng_crowd {
  peer_task task;
  throng_world *world;
  throng_vec3 *position;
} throng_crowd;

static void destroy(void *crowd) {
  throng_crowd *own = crowd;
  if (!own) return;
  throng_world_destroy(own->world);
  free(own->position);
  free(own);
}

static void *create(const peer_task *task, throng_isa isa) {
  bench_problem problem;
  throng_crowd *own = calloc(1, sizeof *own);
  if (!own) return NULL;
  own->task = *task;
  own->position = malloc((size_t)task->count * sizeof *own->position);
  own->world = scene_build(task->scene, task->crowd, task->threads, isa, task->counting, &problem);
  if (own->position && own->world) return own;
  destroy(own);
  return NULL;
}

static void *create_baseline(const peer_task *task) { return create(task, THRONG_ISA_BASELINE); }
static void *create_avx2(const peer_task *task) { return create(task, THRONG_ISA_AVX2); }
static void *create_avx512(const peer_task *task) { return create(task, THRONG_ISA_AVX512); }
static void *create_neon(const peer_task *task) { return create(task, THRONG_ISA_NEON); }

static bool start(void *crowd) {
  throng_crowd *own = crowd;
  const bench_crowd *from = own->task.crowd;
  return throng_agents_write(own->world, THRONG_COLUMN_POSITION, NULL, from->count, from->position, 0, NULL) ==
             THRONG_OK &&
         throng_agents_write(own->world, THRONG_COLUMN_VELOCITY, NULL, from->count, from->velocity, 0, NULL) ==
             THRONG_OK &&
         throng_world_index(own->world, NULL) == THRONG_OK &&
         (!own->task.counting || throng_world_reset_profile(own->world, NULL) == THRONG_OK);
}

static bool step(void *crowd) {
  throng_crowd *own = crowd;
  return throng_world_step(own->world, own->task.rules.dt, NULL) == THRONG_OK;
}

static double mean_neighbours(const void *crowd) {
  const throng_crowd *own = crowd;
  throng_profile profile = {0};
  throng_world_get_profile(own->world, &profile, NULL);
  return (double)profile.neighbours_found / (double)profile.agent_updates;
}

static bool read(const void *crowd, float (*position)[3]) {
  const throng_crowd *own = crowd;
  if (throng_agents_read(own->world, THRONG_COLUMN_POSITION, NULL, own->task.count, own->position, 0, NULL) !=
      THRONG_OK)
    return false;
  for (uint32_t i = 0; i < own->task.count; i++) peer_vector(position[i], own->position[i], own->task.rules.dimensions);
  return true;
}

#define THRONG_PEER(isa, create_with_isa)                                                                              \
  {                                                                                                                    \
    .name = "throng, " isa, .create = create_with_isa, .start = start, .step = step,                                   \
    .mean_neighbours = mean_neighbours, .read = read, .destroy = destroy, .scenes = PEER_ALL                           \
  }

const peer_crowd *throng_peer(throng_isa isa) {
  static const peer_crowd peers[THRONG_ISA_COUNT] = {[THRONG_ISA_BASELINE] = THRONG_PEER("baseline", create_baseline),
                                                     [THRONG_ISA_AVX2] = THRONG_PEER("avx2", create_avx2),
                                                     [THRONG_ISA_AVX512] = THRONG_PEER("avx512", create_avx512),
                                                     [THRONG_ISA_NEON] = THRONG_PEER("neon", create_neon)};
  return throng_isa_is_available(isa) && peers[isa].create ? &peers[isa] : NULL;
}
