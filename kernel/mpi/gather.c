/* gather.c: brings all agents into one world. The root receives the records of one rank after another. Long lists are
 * sent in parts, so that MPI can count their bytes.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "mpi/assertion.h"
#include "mpi/mpi_internal.h"

#define GATHER_TAG 2 /* deliveries use 0 and 1 */

struct gathering {
  int root;
  uint32_t *element; /* [count] own agents */
  uint32_t count;
  uint64_t *counts; /* [ranks] on the root: agents of each rank */
  char *records;    /* on the root: of all agents, one rank after another */
  uint64_t all;     /* on the root: the number of these */
};

static throng_status no_memory(throng_error *error) {
  return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory to gather");
}

/* Records in a message, at most. */
static uint32_t part_of(const throng_mpi *mpi) {
  ASSERT_ALONE(mpi->record_bytes > 0 && mpi->record_bytes <= mpi->delivery.part_bytes);
  return (uint32_t)(mpi->delivery.part_bytes / mpi->record_bytes);
}

/* Lists what this rank will send. */
static throng_status prepare(throng_mpi *mpi, struct gathering *gathering, throng_error *error) {
  throng_view view;
  throng_status status = throng_mpi_check_synced(mpi, THRONG_ERROR_NOT_INDEXED, error);
  if (status == THRONG_OK) status = throng_world_view(mpi->world, &view, error);
  if (status != THRONG_OK) return status;
  gathering->counts = malloc((size_t)mpi->ranks * sizeof *gathering->counts);
  gathering->element = malloc(((size_t)view.count + 1) * sizeof *gathering->element);
  if (!gathering->counts || !gathering->element) return no_memory(error);
  for (uint32_t k = 0; k < view.count; k++) {
    if (!throng_view_is_ghost(&view, k)) gathering->element[gathering->count++] = k;
  }
  return throng_mpi_room(mpi, &mpi->out, part_of(mpi) * mpi->record_bytes) ? THRONG_OK : no_memory(error);
}

/* On the root. */
static throng_status make_room(const throng_mpi *mpi, struct gathering *gathering, throng_error *error) {
  for (int rank = 0; rank < mpi->ranks; rank++) gathering->all += gathering->counts[rank];
  if (gathering->all > UINT32_MAX)
    return throng_mpi_fail(error, THRONG_ERROR_CAPACITY, "%llu agents are too many for one world",
                           (unsigned long long)gathering->all);
  gathering->records = malloc((size_t)gathering->all * mpi->record_bytes + 1);
  return gathering->records ? THRONG_OK : no_memory(error);
}

/* Sends the own records, or puts them into `to` on the root. After an error the root still gets their number. */
static throng_status give(throng_mpi *mpi, const struct gathering *gathering, char *to, throng_error *error) {
  throng_status status = THRONG_OK;
  for (uint32_t done = 0, part; done < gathering->count; done += part) {
    const uint32_t left = gathering->count - done;
    part = left < part_of(mpi) ? left : part_of(mpi);
    char *packed = to ? to + done * mpi->record_bytes : mpi->out.data;
    if (status == THRONG_OK)
      status = throng_piece_pack(mpi->world, mpi->columns, gathering->element + done, part, packed, error);
    if (!to) MPI_Send(packed, (int)(part * mpi->record_bytes), MPI_BYTE, gathering->root, GATHER_TAG, mpi->comm);
  }
  return status;
}

/* On the root: receives the records of another rank. */
static void receive(const throng_mpi *mpi, uint64_t count, int from, char *to) {
  for (uint64_t done = 0, part; done < count; done += part) {
    const uint64_t left = count - done;
    part = left < part_of(mpi) ? left : part_of(mpi);
    MPI_Recv(to + done * mpi->record_bytes, (int)(part * mpi->record_bytes), MPI_BYTE, from, GATHER_TAG, mpi->comm,
             MPI_STATUS_IGNORE);
  }
}

/* Brings all records to the root. */
static throng_status bring(throng_mpi *mpi, const struct gathering *gathering, throng_error *error) {
  throng_status status = THRONG_OK;
  char *to = gathering->records;
  if (mpi->rank != gathering->root) return give(mpi, gathering, NULL, error);
  for (int rank = 0; rank < mpi->ranks; rank++) {
    if (rank == mpi->rank) {
      status = give(mpi, gathering, to, error);
    } else {
      receive(mpi, gathering->counts[rank], rank, to);
    }
    to += (size_t)gathering->counts[rank] * mpi->record_bytes;
  }
  ASSERT_ALONE(to == gathering->records + (size_t)gathering->all * mpi->record_bytes);
  return status;
}

/* Collective. */
static throng_status gather(throng_mpi *mpi, struct gathering *gathering, throng_world *whole, throng_error *error) {
  const bool takes = mpi->rank == gathering->root;
  throng_status status = prepare(mpi, gathering, error);
  if (takes && !whole) status = throng_mpi_fail(error, THRONG_ERROR_NULL_ARGUMENT, "'whole' is NULL");
  status = throng_mpi_agree(mpi, status, error);
  if (status != THRONG_OK) return status;
  const uint64_t own = gathering->count;
  MPI_Gather(&own, 1, MPI_UINT64_T, gathering->counts, 1, MPI_UINT64_T, gathering->root, mpi->comm);
  status = throng_mpi_agree(mpi, takes ? make_room(mpi, gathering, error) : THRONG_OK, error);
  if (status != THRONG_OK) return status;
  status = throng_mpi_agree(mpi, bring(mpi, gathering, error), error);
  if (status != THRONG_OK) return status;
  if (takes) status = throng_piece_take(whole, mpi->columns, gathering->records, (uint32_t)gathering->all, true, error);
  return throng_mpi_agree(mpi, status, error);
}

throng_status throng_mpi_gather(throng_mpi *mpi, int root, throng_world *whole, throng_error *error) {
  struct gathering gathering = {.root = root};
  throng_error own;
  if (!error) error = &own;
  if (!mpi) return throng_mpi_fail(error, THRONG_ERROR_NULL_ARGUMENT, "'mpi' is NULL");
  if (root < 0 || root >= mpi->ranks)
    return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "root is %d, allowed: 0 to %d", root, mpi->ranks - 1);
  const throng_status status = gather(mpi, &gathering, whole, error);
  free(gathering.element);
  free(gathering.counts);
  free(gathering.records);
  return status;
}
