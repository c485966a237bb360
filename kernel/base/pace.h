/* pace.h: how many threads to use while the system keeps some of them waiting. A run waits for every thread that has a
 * task. If another program has that thread's core, the wait takes milliseconds, and fewer threads are faster. Times
 * only choose the number of threads: no bit of a result depends on it. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_PACE_H
#define THRONG_KERNEL_BASE_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
  uint32_t most;     /* threads to use at most */
  uint32_t frames;   /* since the last change of `most` or `patience` */
  uint32_t patience; /* after so many frames without a late run, more threads are tried */
  bool late;         /* a run of this frame was late */
};

#define PACE_LEAST_PATIENCE 8u
#define PACE_MOST_PATIENCE 1024u

static inline struct pace pace_start(uint32_t threads) {
  return (struct pace){.most = threads, .patience = PACE_LEAST_PATIENCE};
}

/* Notes a run: for how long the calling thread worked, and then waited for the others. It is late if the wait is far
 * longer than the work: threads that are not kept waiting share what there is to do. */
static inline void pace_note(struct pace *pace, uint64_t work_ns, uint64_t wait_ns) {
  if (wait_ns > 4 * work_ns + 200000) pace->late = true;
}

/* Begins a frame on at most `threads` threads. Returns how many to use. After a late run it takes a quarter less, for
 * four times as many frames as the last time. Each time that these frames pass without a late run it takes more, and
 * needs half as many frames for the next try. */
static inline uint32_t pace_next(struct pace *pace, uint32_t threads, uint32_t workers) {
  if (pace->late) {
    const uint32_t used = threads < pace->most ? threads : pace->most;
    pace->most = used > 1 ? used * 3 / 4 : 1;
    pace->patience = pace->patience < PACE_MOST_PATIENCE / 4 ? pace->patience * 4 : PACE_MOST_PATIENCE;
    pace->frames = 0;
    pace->late = false;
  } else if (++pace->frames >= pace->patience) {
    pace->most = pace->most + (pace->most + 2) / 3 < workers ? pace->most + (pace->most + 2) / 3 : workers;
    if (pace->patience > PACE_LEAST_PATIENCE) pace->patience /= 2;
    pace->frames = 0;
  }
  return threads < pace->most ? threads : pace->most;
}

#endif
