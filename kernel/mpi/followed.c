/* followed.c: the agents that every rank has, because groups have them as targets. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "mpi/assertion.h"
#include "mpi/mpi_internal.h"

static int by_index(const void *a, const void *b) {
  const throng_agent_id *x = a, *y = b;
  if (x->index != y->index) return x->index < y->index ? -1 : 1;
  return x->generation < y->generation ? -1 : x->generation > y->generation;
}

bool throng_mpi_is_followed(const throng_mpi *mpi, uint32_t index, uint32_t meta) {
  const throng_agent_id id = {index, (uint16_t)(meta >> 16), mpi->world_def.id_world};
  return mpi->followed_count > 0 && bsearch(&id, mpi->followed, mpi->followed_count, sizeof id, by_index);
}

/* Followed agents: the targets of groups, which all ranks have alike. */

static uint32_t sort_ids(throng_agent_id *ids, uint32_t count) {
  uint32_t kept = 0;
  qsort(ids, count, sizeof *ids, by_index);
  for (uint32_t k = 0; k < count; k++) {
    if (kept == 0 || by_index(&ids[kept - 1], &ids[k]) != 0) ids[kept++] = ids[k];
  }
  return kept;
}

static uint32_t add_target(const throng_target *target, throng_agent_id *ids, uint32_t count) {
  if (target->kind == THRONG_TARGET_AGENT && target->agent.index != 0) ids[count++] = target->agent;
  return count;
}

throng_status throng_mpi_find_followed(throng_mpi *mpi, throng_error *error) {
  throng_agent_id *ids = malloc(2u * THRONG_MAX_GROUPS * THRONG_MAX_BEHAVIOURS * sizeof *ids);
  uint32_t count = 0;
  for (uint32_t g = 0; ids && g < THRONG_MAX_GROUPS; g++) {
    throng_group_def def;
    if (throng_world_get_group(mpi->world, g, &def, NULL) != THRONG_OK) continue;
    for (uint32_t k = 0; k < def.behaviour_count; k++) {
      count = add_target(&def.behaviour[k].target, ids, count);
      count = add_target(&def.behaviour[k].other, ids, count);
    }
  }
  const throng_status status =
      ids ? THRONG_OK : throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for targets");
  if (ids) {
    free(mpi->followed);
    ASSERT_ALONE(count <= 2u * THRONG_MAX_GROUPS * THRONG_MAX_BEHAVIOURS);
    mpi->followed = ids;
    mpi->followed_count = sort_ids(ids, count);
  }
  return throng_mpi_agree(mpi, status, error);
}
