/* directory.c: finds the targets of agents between frames, when any rank may hold any agent. Every id has a home: a
 * rank that hears which rank holds the agent and which ranks want it, and tells the holder. Frames need no directory
 * (targets.c). Based on: Pinar and Hendrickson, "Communication support for adaptive computation", 2001.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "mpi/assertion.h"
#include "mpi/mpi_internal.h"

static int home_of(const throng_mpi *mpi, uint32_t index) { return (int)(index % (uint32_t)mpi->ranks); }

/* Holders before ranks that ask. */
static int by_id(const void *a, const void *b) {
  const struct request *x = a, *y = b;
  const int order = throng_mpi_compare_ids(x->index, x->generation, y->index, y->generation);
  if (order != 0) return order;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

/* Lists what the homes must know of the agents of this rank. */
static throng_status list_agents(throng_mpi *mpi, const throng_view *view, throng_error *error) {
  struct requests *out = &mpi->targets.out;
  uint32_t *all = malloc(((size_t)view->count + 1) * sizeof *all);
  throng_agent_id *target = NULL;
  for (uint32_t k = 0; all && k < view->count; k++) all[k] = k;
  throng_status status = all && throng_mpi_request_room(out, 2 * (size_t)view->count)
                             ? throng_mpi_read_targets(mpi, all, view->count, &target, error)
                             : throng_mpi_no_memory_for_targets(error);
  for (uint32_t k = 0; status == THRONG_OK && k < view->count; k++) {
    const uint32_t index = view->id_index[k];
    const uint16_t generation = (uint16_t)(view->meta[k] >> 16);
    throng_mpi_add_request(out, (struct request){index, generation, REQUEST_HOLDS, mpi->rank, home_of(mpi, index)});
    if (target[k].index == 0) continue;
    const int owner = throng_mpi_owner(&mpi->cuts, view->position_x[k], view->position_z[k]);
    throng_mpi_add_request(out, (struct request){target[k].index, target[k].generation, REQUEST_FIND, owner,
                                                 home_of(mpi, target[k].index)});
  }
  free(all);
  free(target);
  return status;
}

/* As a home: lists what the holders must know. No rank hears of agents that were removed. */
static bool list_wanted(throng_mpi *mpi, size_t count) {
  struct request *in = (struct request *)(void *)mpi->in.data, *holder = NULL;
  bool complete = true;
  if (count > 0) qsort(in, count, sizeof *in, by_id);
  for (size_t k = 0; complete && k < count; k++) {
    if (in[k].kind == REQUEST_HOLDS) {
      holder = &in[k];
      continue;
    }
    const bool held =
        holder && throng_mpi_compare_ids(holder->index, holder->generation, in[k].index, in[k].generation) == 0;
    if (!held || (k > 0 && by_id(&in[k - 1], &in[k]) == 0)) continue;
    ASSERT_ALONE(in[k].kind == REQUEST_FIND);
    complete = throng_mpi_add_request(
        &mpi->targets.out, (struct request){in[k].index, in[k].generation, REQUEST_ONCE, in[k].from, holder->from});
  }
  return complete;
}

throng_status throng_mpi_locate_targets(throng_mpi *mpi, const throng_view *view, throng_error *error) {
  struct targets *targets = &mpi->targets;
  targets->wants.count = targets->told.count = targets->asked.count = targets->once.count = targets->out.count = 0;
  throng_status status = view ? list_agents(mpi, view, error) : THRONG_OK;
  if (status != THRONG_OK) targets->out.count = 0;
  throng_error later;
  size_t count;
  const throng_status sent = throng_mpi_send_requests(mpi, &count, status == THRONG_OK ? error : &later);
  if (status == THRONG_OK) status = sent;
  targets->out.count = 0;
  if (status == THRONG_OK && !list_wanted(mpi, count)) status = throng_mpi_no_memory_for_targets(error);
  const throng_status heard = throng_mpi_hear(mpi, status == THRONG_OK ? error : &later);
  return status == THRONG_OK ? heard : status;
}

throng_status throng_mpi_want_targets(throng_mpi *mpi, throng_error *error) {
  struct wants *wants = &mpi->targets.wants;
  throng_view view;
  throng_status status = throng_world_view(mpi->world, &view, error);
  if (status != THRONG_OK) return status;
  uint32_t *own = malloc(((size_t)view.count + 1) * sizeof *own), count = 0;
  for (uint32_t k = 0; own && k < view.count; k++) {
    if (!throng_view_is_ghost(&view, k)) own[count++] = k;
  }
  throng_agent_id *target = NULL;
  status = own ? throng_mpi_read_targets(mpi, own, count, &target, error) : throng_mpi_no_memory_for_targets(error);
  for (uint32_t k = 0; status == THRONG_OK && k < count; k++) {
    if (target[k].index != 0 && !throng_mpi_add_want(wants, target[k].index, target[k].generation))
      status = throng_mpi_no_memory_for_targets(error);
  }
  free(own);
  free(target);
  throng_mpi_unite_wants(wants);
  return status;
}
