/* peers_list.c: lists throng and the peers. A peer that was not built has the reason in `missing`.
 * SPDX-License-Identifier: MIT */
#include "engine_peers.h"
#include "peer.h"

#ifdef PEERS_HAVE_NANOFLANN
#define NANOFLANN (&nanoflann_peer)
#else
static const peer_crowd no_nanoflann = {.name = "nanoflann",
                                        .missing = "not installed (Debian: libnanoflann-dev, g++)"};
#define NANOFLANN (&no_nanoflann)
#endif
#ifdef PEERS_HAVE_DETOUR
#define DETOUR (&detour_peer)
#else
static const peer_crowd no_detour = {.name = "DetourCrowd", .missing = "not installed (Debian: librecast-dev, g++)"};
#define DETOUR (&no_detour)
#endif
int peers_list(const peer_crowd *list[PEERS_MAX]) {
  int count = 0;
  for (int isa = THRONG_ISA_COUNT - 1; isa > THRONG_ISA_AUTO; isa--) {
    const peer_crowd *own = throng_peer((throng_isa)isa);
    if (own) list[count++] = own;
  }
  list[count++] = &textbook_peer;
  list[count++] = NANOFLANN;
  list[count++] = DETOUR;
  return count + engine_peers_list(list + count);
}
