/* rounds.c: contact iterations over ranks. Before each iteration every rank needs the positions that its ghosts have
 * after the one before. Owner and receiver list the same agents in the order of their ids, so that a message is
 * positions alone.
 * SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/assertion.h"
#include "mpi/cpu_clock.h"
#include "mpi/mpi_internal.h"

#define BLOCK 64u /* agents of the view that are tested at a time */

static bool add_place(struct place **list, uint32_t *count, uint32_t *room, struct place place) {
  if (*count == *room) {
    const uint32_t grown = *room ? 2 * *room : 256;
    struct place *more = realloc(*list, grown * sizeof *more);
    if (!more) return false;
    *list = more;
    *room = grown;
  }
  (*list)[(*count)++] = place;
  return true;
}

static int by_index(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Which agents this rank sends to a peer between frames is decided as in the exchange: by the committed positions. */
static bool list_agent(throng_mpi *mpi, const throng_view *view, uint32_t k, bool followed) {
  const float x = view->position_x[k], z = view->position_z[k];
  const struct place place = {view->id_index[k], k};
  const bool ghost = throng_view_is_ghost(view, k);
  const int owner = ghost ? throng_mpi_owner(&mpi->cuts, x, z) : mpi->rank;
  /* Ghosts farther away are targets: no own agent can touch them. */
  if (ghost && !followed && !throng_mpi_concerns(&mpi->cuts, mpi->rank, x, z)) return true;
  bool listed = true;
  for (int n = 0; n < mpi->near.count; n++) {
    struct contact_list *list = &mpi->contact[n];
    const int peer = mpi->near.rank[n];
    if (ghost && peer == owner) listed = add_place(&list->ghosts, &list->ghost_count, &list->ghost_room, place);
    if (!ghost && (followed || throng_mpi_concerns(&mpi->cuts, peer, x, z)))
      listed = add_place(&list->own, &list->own_count, &list->own_room, place) && listed;
  }
  return listed;
}

static bool is_inside(const throng_mpi *mpi, float x, float z) {
  const throng_vec3 *low = &mpi->inner_min, *high = &mpi->inner_max;
  return (x > low->x) & (x < high->x) & (z > low->z) & (z < high->z);
}

/* Whether all elements of [begin, end) are in the inner box. */
static bool are_inside(const throng_mpi *mpi, const throng_view *view, uint32_t begin, uint32_t end) {
  const throng_vec3 low = mpi->inner_min, high = mpi->inner_max;
  const float *x = view->position_x, *z = view->position_z;
  int outside = 0;
  for (uint32_t k = begin; k < end; k++) /* no early exit, so that the compiler vectorises the loop */
    outside |= (x[k] <= low.x) | (x[k] >= high.x) | (z[k] <= low.z) | (z[k] >= high.z);
  return !outside;
}

/* Lists the elements of [begin, end) that are not. */
static bool list_border(throng_mpi *mpi, const throng_view *view, uint32_t begin, uint32_t end) {
  bool listed = true;
  for (uint32_t k = begin; k < end; k++) {
    if (is_inside(mpi, view->position_x[k], view->position_z[k])) continue;
    const bool followed = throng_mpi_is_followed(mpi, view->id_index[k], view->meta[k]);
    listed = list_agent(mpi, view, k, followed) && listed;
  }
  return listed;
}

/* Lists the followed agents inside the inner box. */
static bool list_followed(throng_mpi *mpi, const throng_view *view) {
  bool listed = true;
  for (uint32_t n = 0; n < mpi->followed_count; n++) {
    uint32_t k;
    if (throng_piece_find(mpi->world, mpi->followed[n], &k) && is_inside(mpi, view->position_x[k], view->position_z[k]))
      listed = list_agent(mpi, view, k, true) && listed;
  }
  return listed;
}

static void sort_list(struct place *list, uint32_t count) {
  if (count > 0) qsort(list, count, sizeof *list, by_index);
}

/* Makes room for the messages, because an iteration cannot fail, and checks that MPI can count their numbers. There are
 * at most 3 for each agent. */
static throng_status reserve(throng_mpi *mpi, throng_error *error) {
  size_t floats = 0, floats_in = 0;
  for (int n = 0; n < mpi->near.count; n++) {
    floats += (size_t)3 * mpi->contact[n].own_count;
    floats_in += (size_t)3 * mpi->contact[n].ghost_count;
  }
  if (floats > INT_MAX || floats_in > INT_MAX)
    return throng_mpi_fail(error, THRONG_ERROR_CAPACITY, "its contact messages have more than 2^31 - 1 numbers");
  if (throng_mpi_room(mpi, &mpi->out, floats * sizeof(float)) &&
      throng_mpi_room(mpi, &mpi->in, floats_in * sizeof(float)))
    return THRONG_OK;
  return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for contacts");
}

throng_status throng_mpi_list_contacts(throng_mpi *mpi, throng_error *error) {
  throng_view view;
  const throng_status status = throng_world_view(mpi->world, &view, error);
  if (status != THRONG_OK || mpi->near.count == 0) return status;
  for (int n = 0; n < mpi->near.count; n++) mpi->contact[n].own_count = mpi->contact[n].ghost_count = 0;
  bool listed = list_followed(mpi, &view);
  for (uint32_t begin = 0; begin < view.count; begin += BLOCK) { /* neighbours in the view are near each other */
    const uint32_t end = view.count - begin < BLOCK ? view.count : begin + BLOCK;
    if (!are_inside(mpi, &view, begin, end)) listed = list_border(mpi, &view, begin, end) && listed;
  }
  if (!listed) return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for contacts");
  for (int n = 0; n < mpi->near.count; n++) {
    sort_list(mpi->contact[n].own, mpi->contact[n].own_count);
    sort_list(mpi->contact[n].ghosts, mpi->contact[n].ghost_count);
  }
  return reserve(mpi, error);
}

/* Lays out the messages: `axes` floats for each agent. */
static void lay_out(const throng_mpi *mpi, int axes) {
  ASSERT_ALONE(mpi->contact && (axes == 2 || axes == 3));
  const struct peers *peers = &mpi->near;
  int at = 0, at_in = 0;
  for (int n = 0; n < peers->count; n++) {
    peers->at[n] = at;
    peers->at_in[n] = at_in;
    at += peers->bytes[n] = axes * (int)mpi->contact[n].own_count;
    at_in += peers->bytes_in[n] = axes * (int)mpi->contact[n].ghost_count;
  }
}

void throng_mpi_begin_contact(float *const position[3], void *context) {
  throng_mpi *mpi = context;
  const struct peers *peers = &mpi->near;
  const int axes = position[1] ? 3 : 2, last = peers->count - 1;
  const double begun = cpu_seconds() - mpi->mpi_seconds;
  ASSERT_ALONE(mpi->sending.state == SENDING_NOTHING);
  lay_out(mpi, axes);
  float *out = (float *)(void *)mpi->out.data;
  for (int n = 0; n < peers->count; n++) {
    const struct contact_list *list = &mpi->contact[n];
    for (uint32_t k = 0; k < list->own_count; k++) {
      for (int c = 0; c < 3; c++) {
        if (position[c]) *out++ = position[c][list->own[k].element];
      }
    }
  }
  ASSERT_ALONE((size_t)((char *)out - mpi->out.data) <= mpi->out.room); /* which `reserve` has made */
  const struct wait wait = throng_mpi_wait_begin();
  mpi->sending.state = SENDING_RECORDS;
  MPI_Ineighbor_alltoallv(mpi->out.data, peers->bytes, peers->at, MPI_FLOAT, mpi->in.data, peers->bytes_in,
                          peers->at_in, MPI_FLOAT, peers->graph, &mpi->sending.request);
  throng_mpi_wait_end(mpi, wait);
  if (last >= 0) mpi->stats.contact_bytes += (size_t)(peers->at[last] + peers->bytes[last]) * sizeof(float);
  mpi->stats.contact_seconds += cpu_seconds() - mpi->mpi_seconds - begun;
}

bool throng_mpi_contact(float *const position[3], bool pushed, void *context) {
  throng_mpi *mpi = context;
  const struct peers *peers = &mpi->near;
  if (mpi->sending.state == SENDING_NOTHING) throng_mpi_begin_contact(position, context); /* before the first one */
  const double begun = cpu_seconds() - mpi->mpi_seconds;
  int own = pushed, any;
  const struct wait wait = throng_mpi_wait_begin();
  MPI_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, mpi->comm);
  MPI_Wait(&mpi->sending.request, MPI_STATUS_IGNORE);
  throng_mpi_wait_end(mpi, wait);
  mpi->sending.state = SENDING_NOTHING;
  const float *in = (const float *)(const void *)mpi->in.data;
  for (int n = 0; n < peers->count; n++) {
    const struct contact_list *list = &mpi->contact[n];
    for (uint32_t k = 0; k < list->ghost_count; k++) {
      for (int c = 0; c < 3; c++) {
        if (position[c]) position[c][list->ghosts[k].element] = *in++;
      }
    }
  }
  ASSERT_ALONE((size_t)((const char *)in - mpi->in.data) <= mpi->in.room);
  mpi->stats.contact_seconds += cpu_seconds() - mpi->mpi_seconds - begun;
  return any != 0;
}
