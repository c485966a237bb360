/* delivery.c: messages between any ranks. The receivers do not know who sends, and a frame must not cost a message to
 * every rank. Based on: Hoefler, Siebert and Lumsdaine, "Scalable communication protocols for dynamic sparse data
 * exchange", 2010. A rank sends synchronously: a send is complete when its receiver has the message. Once all its sends
 * are complete, the rank enters a barrier that does not block. It goes on receiving until all ranks have entered the
 * barrier.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "mpi/assertion.h"
#include "mpi/mpi_internal.h"

#define PART_BYTES ((size_t)1 << 20)

bool throng_mpi_open_delivery(throng_mpi *mpi) {
  struct delivery *delivery = &mpi->delivery;
  const size_t ranks = (size_t)mpi->ranks;
  delivery->part_bytes = PART_BYTES;
  delivery->parcel = malloc(ranks * sizeof *delivery->parcel);
  delivery->sent = malloc(ranks * sizeof *delivery->sent);
  delivery->arrived = malloc(ranks * sizeof *delivery->arrived);
  delivery->dropped = malloc(PART_BYTES);
  return delivery->parcel && delivery->sent && delivery->arrived && delivery->dropped;
}

void throng_mpi_release_delivery(struct delivery *delivery) {
  free(delivery->parcel);
  free(delivery->sent);
  free(delivery->arrived);
  free(delivery->dropped);
}

/* Appends a part that has arrived to mpi->in, if there is one. Returns false if it was dropped: the sender waits, and
 * there is no memory. */
static bool receive(throng_mpi *mpi, size_t *received) {
  const int tag = mpi->delivery.tag;
  MPI_Status status;
  int found, bytes;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, mpi->comm, &found, &status);
  if (!found) return true;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  ASSERT_ALONE(bytes > 0 && (size_t)bytes <= mpi->delivery.part_bytes); /* what `dropped` has room for */
  const bool room = throng_mpi_room(mpi, &mpi->in, *received + (size_t)bytes);
  char *to = room ? mpi->in.data + *received : mpi->delivery.dropped;
  MPI_Recv(to, bytes, MPI_BYTE, status.MPI_SOURCE, tag, mpi->comm, MPI_STATUS_IGNORE);
  if (room) *received += (size_t)bytes;
  return room;
}

/* Starts to send the next part of parcel k. A part has whole records, because the parts of several ranks mix. */
static void send_part(throng_mpi *mpi, int k, size_t record_bytes) {
  struct delivery *delivery = &mpi->delivery;
  struct parcel *parcel = &delivery->parcel[k];
  ASSERT_ALONE(record_bytes > 0 && record_bytes <= delivery->part_bytes && parcel->bytes % record_bytes == 0);
  const size_t most = delivery->part_bytes - delivery->part_bytes % record_bytes;
  const size_t part = parcel->bytes < most ? parcel->bytes : most;
  MPI_Issend(parcel->at, (int)part, MPI_BYTE, parcel->to, delivery->tag, mpi->comm, &delivery->sent[k]);
  parcel->at += part;
  parcel->bytes -= part;
  mpi->stats.messages++;
}

/* Starts to send the bytes to their ranks. Returns the number of parcels. */
static int start(throng_mpi *mpi, const char *data, const size_t *bytes, size_t record_bytes) {
  int count = 0;
  size_t at = 0;
  for (int rank = 0; rank < mpi->ranks; at += bytes[rank++]) {
    if (rank == mpi->rank || bytes[rank] == 0) continue;
    mpi->delivery.parcel[count] = (struct parcel){data + at, bytes[rank], rank};
    send_part(mpi, count++, record_bytes);
  }
  return count;
}

/* Sends the next parts of the parcels whose last part has arrived. Returns whether all have arrived. */
static bool send_more(throng_mpi *mpi, int parcels, size_t record_bytes) {
  struct delivery *delivery = &mpi->delivery;
  int count;
  MPI_Testsome(parcels, delivery->sent, &count, delivery->arrived, MPI_STATUSES_IGNORE);
  for (int k = 0; count != MPI_UNDEFINED && k < count; k++) {
    if (delivery->parcel[delivery->arrived[k]].bytes > 0) send_part(mpi, delivery->arrived[k], record_bytes);
  }
  return count == MPI_UNDEFINED; /* no part is on its way */
}

throng_status throng_mpi_deliver(throng_mpi *mpi, const char *data, const size_t *bytes, size_t record_bytes,
                                 size_t *records, throng_error *error) {
  size_t received = bytes[mpi->rank], before = 0;
  ASSERT_ALONE(record_bytes > 0 && received % record_bytes == 0);
  bool complete = throng_mpi_room(mpi, &mpi->in, received);
  mpi->delivery.tag = !mpi->delivery.tag; /* two tags are enough: no rank is two deliveries ahead of another */
  for (int rank = 0; rank < mpi->rank; rank++) before += bytes[rank];
  if (!complete) received = 0;
  if (received > 0) memcpy(mpi->in.data, data + before, received);
  const struct wait begun = throng_mpi_wait_begin();
  const int parcels = start(mpi, data, bytes, record_bytes);
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool entered = false;
  for (int done = 0; !done;) {
    complete = receive(mpi, &received) && complete;
    if (entered) {
      MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    } else {
      entered = send_more(mpi, parcels, record_bytes);
      if (entered) MPI_Ibarrier(mpi->comm, &barrier);
    }
  }
  throng_mpi_wait_end(mpi, begun);
  ASSERT_ALONE(received % record_bytes == 0);
  *records = complete ? received / record_bytes : 0;
  return complete ? THRONG_OK : throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for messages");
}
