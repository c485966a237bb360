/* tests/cli/stub_engine.c: an engine whose people walk as they wish, through each other and through walls. The test of
 * throng-validate links it in the place of RVO2, so that it needs no peer's source.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engines/engine.h"

#define MOST_PEOPLE 1000u

typedef struct stub {
  engine_place place;
  float position[MOST_PEOPLE][2], wish[MOST_PEOPLE][2];
  bool removed[MOST_PEOPLE];
  uint32_t people;
} stub;

static void *open(const engine_place *place) {
  stub *own = calloc(1, sizeof *own);
  if (own) own->place = *place;
  return own;
}

static bool put(void *crowd, uint32_t person, const engine_person *at) {
  stub *own = crowd;
  memcpy(own->position[person], at->position, sizeof at->position);
  return true;
}

static bool add(void *crowd, const engine_person *person) {
  stub *own = crowd;
  return own->people < MOST_PEOPLE && put(crowd, own->people++, person);
}

static bool wish(void *crowd, uint32_t person, const float velocity[2]) {
  stub *own = crowd;
  memcpy(own->wish[person], velocity, sizeof own->wish[person]);
  return !own->removed[person];
}

static bool remove_person(void *crowd, uint32_t person) {
  stub *own = crowd;
  if (own->removed[person]) return false;
  own->removed[person] = true;
  return true;
}

static bool step(void *crowd) {
  stub *own = crowd;
  for (uint32_t i = 0; i < own->people; i++)
    for (int axis = 0; axis < 2; axis++) {
      float *at = &own->position[i][axis];
      const float min = own->place.min[axis], max = own->place.max[axis];
      *at += own->place.dt * own->wish[i][axis];
      if (own->place.periodic[axis] && *at >= max) *at -= max - min;
      if (own->place.periodic[axis] && *at < min) *at += max - min;
    }
  return true;
}

static void read(const void *crowd, uint32_t person, float position[2]) {
  const stub *own = crowd;
  memcpy(position, own->position[person], sizeof own->position[person]);
}

static uint64_t neighbours(void *crowd) {
  (void)crowd;
  return 0;
}

extern const crowd_engine rvo2_engine;
const crowd_engine rvo2_engine = {.name = "rvo2",
                                  .label = "stub",
                                  .note = "walks straight",
                                  .one_thread = true,
                                  .usual_dt = 0.01f,
                                  .open = open,
                                  .add = add,
                                  .put = put,
                                  .wish = wish,
                                  .remove = remove_person,
                                  .step = step,
                                  .read = read,
                                  .neighbours = neighbours,
                                  .close = free};
