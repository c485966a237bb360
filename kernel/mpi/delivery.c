/* delivery.c: messages between any ranks. The receivers do not know who sends, and a frame must not cost a message to
 * every rank. Based on: Hoefler, Siebert and Lumsdaine, "Scalable communication protocols for dynamic sparse data
 * exchange", 2010. Synchronous sends complete when their receiver has them. A rank whose sends are complete enters a
 * barrier that does not block, and goes on receiving until all ranks have entered it.
 * SPDX-License-Identifier: MIT */
#include <limits.h>
#include <string.h>

#include "mpi/mpi_internal.h"

/* Appends a message that has arrived to mpi->in, if there is one. */
static void receive(throng_mpi *mpi, int tag, size_t *received) {
  MPI_Status status;
  int found, bytes;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, mpi->comm, &found, &status);
  if (!found) return;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  if (!throng_mpi_room(mpi, &mpi->in, *received + (size_t)bytes))
    MPI_Abort(mpi->comm, 1); /* the sender waits: there is no way back */
  MPI_Recv(mpi->in.data + *received, bytes, MPI_BYTE, status.MPI_SOURCE, tag, mpi->comm, MPI_STATUS_IGNORE);
  *received += (size_t)bytes;
}

/* Starts to send the bytes to their ranks. Returns the number of messages. */
static int start(throng_mpi *mpi, const char *data, const size_t *bytes, int tag) {
  MPI_Request *sent = mpi->targets.sent;
  int count = 0;
  for (int rank = 0; rank < mpi->ranks; data += bytes[rank++]) {
    if (rank == mpi->rank || bytes[rank] == 0) continue;
    MPI_Issend(data, (int)bytes[rank], MPI_BYTE, rank, tag, mpi->comm, &sent[count++]);
  }
  return count;
}

size_t throng_mpi_deliver(throng_mpi *mpi, const char *data, const size_t *bytes) {
  /* A rank is never two deliveries ahead of another. */
  const int tag = mpi->targets.tag = !mpi->targets.tag;
  size_t received = bytes[mpi->rank], before = 0;
  if (!throng_mpi_room(mpi, &mpi->in, received)) MPI_Abort(mpi->comm, 1);
  for (int rank = 0; rank < mpi->rank; rank++) before += bytes[rank];
  if (received > 0) memcpy(mpi->in.data, data + before, received);
  const struct wait begun = throng_mpi_wait_begin();
  const int messages = start(mpi, data, bytes, tag);
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool entered = false;
  for (int done = 0; !done;) {
    receive(mpi, tag, &received);
    if (entered) {
      MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    } else {
      int complete;
      MPI_Testall(messages, mpi->targets.sent, &complete, MPI_STATUSES_IGNORE);
      if (complete) MPI_Ibarrier(mpi->comm, &barrier);
      entered = complete != 0;
    }
  }
  throng_mpi_wait_end(mpi, begun);
  mpi->stats.messages += (uint64_t)messages;
  return received;
}
