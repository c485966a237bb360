/* tests/cli/wrong_peers.c: peers with small errors, which throng-peers must refuse. In the test, throng-peers is linked
 * with them instead of the real peers.
 * SPDX-License-Identifier: MIT */
#include <peer.h>

static const peer_crowd *right(void) { return throng_peer(THRONG_ISA_BASELINE); }
static void *create(const peer_task *task) { return right()->create(task); }
static bool start(void *crowd) { return right()->start(crowd); }
static bool step(void *crowd) { return right()->step(crowd); }
static double mean_neighbours(const void *crowd) { return right()->mean_neighbours(crowd); }
static bool positions(const void *crowd, float (*position)[3]) { return right()->read(crowd, position); }
static void destroy(void *crowd) { right()->destroy(crowd); }

static double two_percent_more(const void *crowd) { return mean_neighbours(crowd) * 1.02; }

static bool one_metre_off(const void *crowd, float (*position)[3]) {
  if (!positions(crowd, position)) return false;
  position[0][1] += 1;
  return true;
}

static const peer_crowd miscounting = {.name = "miscounting",
                                       .planar_only = true,
                                       .create = create,
                                       .start = start,
                                       .step = step,
                                       .mean_neighbours = two_percent_more,
                                       .read = positions,
                                       .destroy = destroy};
static const peer_crowd straying = {.name = "straying",
                                    .create = create,
                                    .start = start,
                                    .step = step,
                                    .mean_neighbours = mean_neighbours,
                                    .read = one_metre_off,
                                    .destroy = destroy};

int peers_list(const peer_crowd *list[PEERS_MAX]) {
  list[0] = right();
  list[1] = &miscounting;
  list[2] = &straying;
  return 3;
}
