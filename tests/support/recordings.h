/* tests/support/recordings.h: recordings in memory, and a world to record in which no agent moves.
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
/* Creates a world with the definition in the recording, and begins the replay in it. But the seed chooses the number of
 * threads, 1 or 2, and the instruction set. */
throng_world *tape_replay(const tape *t, uint64_t seed, throng_replay *replay);

/* Creates a world with 200 agents at rest. They are 3 m apart, farther than the perception radius, so none moves. */
throng_world *quiet_world(void);

#endif
