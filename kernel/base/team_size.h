/* team_size.h: which and how many threads to use while the system keeps some of them waiting. A run waits for every
 * thread that has a task. If another program has that thread's core, the wait takes milliseconds, and fewer threads are
 * faster. Times only choose the threads: no bit of a result depends on them. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_TEAM_SIZE_H
#define THRONG_KERNEL_BASE_TEAM_SIZE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct team_size {
  uint32_t most;     /* threads to use at most */
  uint32_t frames;   /* since the last change of `most` or `patience` */
  uint32_t patience; /* frames without a late run after which more threads are tried */
  bool late;         /* a run of this frame was late */
  bool own;          /* runs use the own team instead of OpenMP's threads */
  atomic_bool taken; /* a run uses the threads */
  uint64_t late_ns;  /* when the last late frame on OpenMP's threads ended; 0: there was none */
};

#define TEAM_LEAST_PATIENCE 8u
#define TEAM_MOST_PATIENCE 1024u

static inline struct team_size team_size_start(uint32_t threads) {
  return (struct team_size){.most = threads, .patience = TEAM_LEAST_PATIENCE};
}

/* Notes a run: for how long the calling thread worked, and waited for the others before and after. OpenMP's threads may
 * keep it waiting before it begins: those that have not left the last run. The run is late if the wait is far longer
 * than the work: threads that are not kept waiting share what there is to do. */
static inline void team_size_note(struct team_size *size, uint64_t work_ns, uint64_t wait_ns) {
  if (wait_ns > 4 * work_ns + 200000) size->late = true;
}

#define LATE_AGAIN_NS 1000000000u

/* After a frame on OpenMP's threads: chooses the own team if the frame was late, and another one at most a second ago.
 * Returns whether it did. */
static inline bool team_size_leaves_openmp(struct team_size *size, uint64_t now_ns) {
  if (!size->late) return false;
  size->own = size->late_ns != 0 && now_ns - size->late_ns <= LATE_AGAIN_NS;
  size->late = false;
  size->late_ns = now_ns;
  return size->own;
}

/* Begins a frame on at most `threads` threads. Returns how many to use. After a late run it uses a quarter less, and
 * waits four times as many frames as after the last late run. If no run was late in these frames, it uses more threads,
 * and the next wait has half as many frames. */
static inline uint32_t team_size_next(struct team_size *size, uint32_t threads, uint32_t workers) {
  if (size->late) {
    const uint32_t used = threads < size->most ? threads : size->most;
    size->most = used > 1 ? used * 3 / 4 : 1;
    size->patience = size->patience < TEAM_MOST_PATIENCE / 4 ? size->patience * 4 : TEAM_MOST_PATIENCE;
    size->frames = 0;
    size->late = false;
  } else if (++size->frames >= size->patience) {
    size->most = size->most + (size->most + 2) / 3 < workers ? size->most + (size->most + 2) / 3 : workers;
    if (size->patience > TEAM_LEAST_PATIENCE) size->patience /= 2;
    size->frames = 0;
  }
  return threads < size->most ? threads : size->most;
}

#endif
