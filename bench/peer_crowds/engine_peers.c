/* engine_peers.c: the engines in scenes of people: the same bodies, speeds, obstacles and wishes as throng.
 * SPDX-License-Identifier: MIT */
#include "engine_peers.h"

#include <omp.h>
#include <stdlib.h>

#include "engines/engine.h"
#include "people.h"

typedef struct engine_crowd {
  peer_task task;
  const crowd_engine *engine;
  void *crowd;
  uint64_t considered, frames;
} engine_crowd;

static void destroy(void *crowd) {
  engine_crowd *own = crowd;
  if (!own) return;
  own->engine->close(own->crowd);
  free(own);
}

static engine_person person_of(const peer_task *task, uint32_t agent) {
  engine_person person = people_person(task->people, agent);
  for (int axis = 0; axis < 2; axis++) {
    person.position[axis] = task->position[agent][axis];
    person.velocity[axis] = task->velocity[agent][axis];
  }
  return person;
}

static engine_place place_of(const peer_task *task) {
  const peer_people *people = task->people;
  const peer_rules *rules = &task->rules;
  return (engine_place){.min = {rules->box_min[0], rules->box_min[1]},
                        .max = {rules->box_max[0], rules->box_max[1]},
                        .periodic = {people->periodic[0], people->periodic[1]},
                        .dt = rules->dt,
                        .threads = task->threads,
                        .obstacle_count = people->obstacle_count,
                        .corners_end = people->corners_end,
                        .corner = (const float(*)[2])people->corner};
}

static void *create(const peer_task *task, uint32_t index) {
  const crowd_engine *list[ENGINES_MAX];
  engines_list(list);
  engine_crowd *own = calloc(1, sizeof *own);
  if (!own) return NULL;
  *own = (engine_crowd){.task = *task, .engine = list[index]};
  const engine_place place = place_of(task);
  own->crowd = own->engine->open(&place);
  bool ok = own->crowd;
  for (uint32_t i = 0; i < task->count && ok; i++) {
    const engine_person person = person_of(task, i);
    ok = own->engine->add(own->crowd, &person);
  }
  if (ok) return own;
  destroy(own);
  return NULL;
}

static bool start(void *crowd) {
  engine_crowd *own = crowd;
  bool ok = true;
  for (uint32_t i = 0; i < own->task.count && ok; i++) {
    const engine_person person = person_of(&own->task, i);
    ok = own->engine->put(own->crowd, i, &person);
  }
  own->considered = own->frames = 0;
  return ok;
}

static bool step(void *crowd) {
  engine_crowd *own = crowd;
  const int64_t count = own->task.count;
  bool ok = true;
#pragma omp parallel for num_threads((int)own->task.threads) reduction(&& : ok)
  for (int64_t i = 0; i < count; i++) {
    const uint32_t agent = (uint32_t)i;
    float at[2], wish[2];
    own->engine->read(own->crowd, agent, at);
    people_wish(own->task.people, agent, at, wish);
    ok = ok && own->engine->wish(own->crowd, agent, wish);
  }
  ok = ok && own->engine->step(own->crowd);
  own->frames++;
  if (own->task.counting) own->considered += own->engine->neighbours(own->crowd);
  return ok;
}

static double mean_neighbours(const void *crowd) {
  const engine_crowd *own = crowd;
  return (double)own->considered / ((double)own->frames * own->task.count);
}

static bool read(const void *crowd, float (*position)[3]) {
  const engine_crowd *own = crowd;
  for (uint32_t i = 0; i < own->task.count; i++) {
    own->engine->read(own->crowd, i, position[i]);
    position[i][2] = 0;
  }
  return true;
}

/* A function for each engine, because a peer's function has no other argument than the task. */
#define CREATE(index)                                                                                                  \
  static void *create_##index(const peer_task *task) { return create(task, index); }
CREATE(0)
CREATE(1)
CREATE(2)
CREATE(3)
CREATE(4)
CREATE(5)
CREATE(6)
CREATE(7)

int engine_peers_list(const peer_crowd **list) {
  static peer_crowd peers[ENGINES_MAX];
  static void *(*const creators[ENGINES_MAX])(const peer_task *) = {create_0, create_1, create_2, create_3,
                                                                    create_4, create_5, create_6, create_7};
  const crowd_engine *engines[ENGINES_MAX];
  const int count = (int)engines_list(engines);
  for (int k = 0; k < count; k++) {
    const crowd_engine *engine = engines[k];
    peers[k] = (peer_crowd){.name = engine->label,
                            .note = engine->note,
                            .missing = engine->missing,
                            .most_neighbours = engine->most_neighbours,
                            .own_rules = true,
                            .planar_only = true,
                            .one_thread = engine->one_thread,
                            .create = creators[k],
                            .start = start,
                            .step = step,
                            .mean_neighbours = mean_neighbours,
                            .read = read,
                            .destroy = destroy,
                            .scenes = PEER_PEOPLE};
    list[k] = &peers[k];
  }
  return count;
}
