/* cuts.c: what both forms of cuts need: those of partition.c, and the tree of rcb.c. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "mpi/assertion.h"
#include "mpi/mpi_internal.h"

int throng_mpi_tree_owner(const struct cuts *cuts, float x, float z) {
  int at = cuts->root;
  while (at >= 0) at = (cuts->fork[at].along_z ? z : x) < cuts->fork[at].at ? cuts->fork[at].low : cuts->fork[at].high;
  ASSERT_ALONE(cuts->region); /* of rank ~at: only a tree has regions */
  return ~at;
}

void throng_mpi_release_cuts(struct cuts *cuts) {
  free(cuts->z);
  free(cuts->x);
  free(cuts->fork);
  free(cuts->region);
  cuts->z = cuts->x = NULL;
  cuts->fork = NULL;
  cuts->region = NULL;
}
