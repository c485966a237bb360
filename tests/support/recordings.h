/* tests/support/recordings.h: recordings in memory, and the quiet crowd that most of them are of.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_RECORDINGS_H
#define TEST_RECORDINGS_H

#include <throng/throng.h>

#define TAPE_DT 0.02f

/* A recording in memory; `bytes` are the owner's to free. */
typedef struct tape {
  uint8_t *bytes;
  size_t size;
  uint32_t refuse; /* so many of the next writes fail */
} tape;

/* Writes to the tape, which must outlive the recorder. */
throng_record_hook tape_hook(tape *t);
/* Records the world's next frames, nothing between them. */
void tape_record(throng_world *world, tape *t, throng_record_detail detail, uint32_t frames);
/* A new world of the tape's definition where the replay begins; the seed picks its threads and instruction set. */
throng_world *tape_replay(const tape *t, uint64_t seed, throng_replay *replay);

/* 200 agents who do not see each other. */
throng_world *quiet_world(void);

#endif
