/* tests/support/recordings.h: recordings in memory, and a quiet world to record.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_RECORDINGS_H
#define TEST_RECORDINGS_H

#include <throng/throng.h>

#define TAPE_DT 0.02f

/* A recording in memory. The owner frees `bytes`. */
typedef struct tape {
  uint8_t *bytes;
  size_t size;
  uint32_t refuse; /* how many of the next writes fail */
} tape;

/* Returns a hook that appends to the tape, which must outlive the recorder. */
throng_record_hook tape_hook(tape *t);
/* Steps the world `frames` times with TAPE_DT and records it. */
void tape_record(throng_world *world, tape *t, throng_record_detail detail, uint32_t frames);
/* Creates a world of the tape's definition and begins the replay in it. The seed chooses 1 or 2 threads and the
 * instruction set. */
throng_world *tape_replay(const tape *t, uint64_t seed, throng_replay *replay);

/* Creates a world with 200 agents that are 3 m apart. */
throng_world *quiet_world(void);

#endif
