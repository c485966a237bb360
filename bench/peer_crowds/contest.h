/* contest.h: runs throng and its peers on one scene. It first compares their results, then times them in turn.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "common/progress.h"
#include "peer.h"
#include "peers_options.h"
#include "scene/scene.h"

#define CONTEST_MAX_ROWS (PEERS_MAX * MAX_CHOICES)
#define CONTEST_WARM_UP_FRAMES 2u

/* One peer (or throng) with one number of threads. */
typedef struct contest_row {
  const peer_crowd *peer;
  uint32_t threads;
  char left_out[96];      /* "" if it ran. If not: the reason; then the members below are not set */
  double minimum, median; /* agent-updates per millisecond, over the rounds */
  double spread;          /* (maximum - minimum) / median */
  double ratio;           /* throng's median (best instruction set, same threads) / this row's median */
  double mean_neighbours; /* per agent per frame */
} contest_row;

typedef struct peer_contest {
  bench_scene scene;
  bench_crowd crowd;
  struct peer_people *people; /* NULL: the scene is a flock */
  peer_task task;
  float (*position)[3], (*velocity)[3]; /* the arrays of `task`, owned by the contest */
  /* One group of rows for each number of threads. Throng's best instruction set is the first row of its group. */
  contest_row rows[CONTEST_MAX_ROWS];
  int row_count;
} peer_contest;

/* Loads the scene and places the agents. */
bool contest_prepare(peer_contest *contest, const char *scene, const peers_options *options, bench_problem *problem);
/* Fills the rows. Returns false with a problem if a program fails, or if its mean neighbours or positions differ too
 * much from throng's. */
bool contest_run(peer_contest *contest, const peers_options *options, run_progress *progress, bench_problem *problem);
void contest_release(peer_contest *contest);

/* Returns the maximum number of steps that contest_run reports to `progress`. Peers that are left out report none. */
uint64_t contest_parts(const peers_options *options);

#endif
