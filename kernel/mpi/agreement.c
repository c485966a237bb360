/* agreement.c: what all ranks say of a call or of a frame. SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mpi/assertion.h"
#include "mpi/cpu_clock.h"
#include "mpi/mpi_internal.h"

struct wait throng_mpi_wait_begin(void) {
  return (struct wait){cpu_seconds(), MPI_Wtime()};
}
void throng_mpi_wait_end(throng_mpi *mpi, struct wait begun) {
  mpi->mpi_seconds += cpu_seconds() - begun.cpu;
  mpi->stats.wait_seconds += MPI_Wtime() - begun.wall;
}

throng_status throng_mpi_fail(throng_error *error, throng_status status, const char *format, ...) {
  if (!error) return status;
  memset(error, 0, sizeof *error);
  error->status = status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return status;
}

/* Gives all ranks the error of the rank that failed: the one with the smallest agent, or else the first. */
static throng_status share_error(const throng_mpi *mpi, throng_status status, throng_error *error) {
  struct {
    long key;
    int rank;
  } own = {0x7fffffffL, mpi->rank}, first;
  ASSERT_ALONE(error && (status == THRONG_OK || error->status == status));
  if (status != THRONG_OK) own.key = error->agent.index != 0 ? (long)error->agent.index : 0x7ffffffeL;
  MPI_Allreduce(&own, &first, 1, MPI_LONG_INT, MPI_MINLOC, mpi->comm);
  if (mpi->rank == first.rank) {
    char text[sizeof error->text];
    memcpy(text, error->text, sizeof text);
    snprintf(error->text, sizeof error->text, "rank %d: %.*s", mpi->rank, (int)sizeof text - 20, text);
  }
  MPI_Bcast(error, (int)sizeof *error, MPI_BYTE, first.rank, mpi->comm);
  return error->status;
}

throng_status throng_mpi_agree(const throng_mpi *mpi, throng_status status, throng_error *error) {
  throng_error own = {0};
  int failed = status != THRONG_OK, any;
  if (!error) error = &own;
  if (failed) error->status = status;
  MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, mpi->comm);
  return any ? share_error(mpi, status, error) : THRONG_OK;
}

throng_status throng_mpi_agree_to_begin(throng_mpi *mpi, throng_status status, float dt, throng_error *error) {
  const bool failed = status != THRONG_OK;
  uint32_t bits;
  memcpy(&bits, &dt, sizeof bits);
  uint32_t own[3] = {failed, bits, ~bits}, most[3];
  if (failed) error->status = status;
  const struct wait begun = throng_mpi_wait_begin();
  MPI_Allreduce(own, most, 3, MPI_UINT32_T, MPI_MAX, mpi->comm);
  throng_mpi_wait_end(mpi, begun);
  if (most[0] > 0) return share_error(mpi, status, error);
  return most[1] == ~most[2] ? THRONG_OK : throng_mpi_compare(mpi, bits, "dt", error);
}

throng_status throng_mpi_agree_on_frame(throng_status status, throng_error *error, void *context) {
  throng_mpi *mpi = context;
  const bool failed = status != THRONG_OK && mpi->repeat == 0;
  uint64_t own[5] = {failed, mpi->repeat & REPEAT_ROOM, mpi->repeat & REPEAT_FAR, mpi->repeat & REPEAT_LATE,
                     mpi->owned};
  uint64_t sum[5];
  ASSERT_ALONE((mpi->repeat & ~(REPEAT_ROOM | REPEAT_FAR | REPEAT_LATE)) == 0);
  throng_error ignored = {0};
  if (!error) error = &ignored;
  const struct wait begun = throng_mpi_wait_begin();
  MPI_Allreduce(own, sum, 5, MPI_UINT64_T, MPI_SUM, mpi->comm);
  throng_mpi_wait_end(mpi, begun);
  if (sum[0] > 0) {
    mpi->repeat = 0;
    return share_error(mpi, failed ? status : THRONG_OK, error);
  }
  mpi->repeat = (sum[1] ? REPEAT_ROOM : 0) | (sum[2] ? REPEAT_FAR : 0) | (sum[3] ? REPEAT_LATE : 0);
  if (mpi->repeat) return throng_mpi_fail(error, THRONG_ERROR_CAPACITY, "the frame runs again");
  if (sum[4] == mpi->total) return THRONG_OK;
  return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "the ranks have %llu agents, the world has %llu",
                         (unsigned long long)sum[4], (unsigned long long)mpi->total);
}

throng_status throng_mpi_compare(const throng_mpi *mpi, uint64_t number, const char *what, throng_error *error) {
  uint64_t first = number;
  MPI_Bcast(&first, 1, MPI_UINT64_T, 0, mpi->comm);
  int differs = number != first ? mpi->rank : mpi->ranks, rank;
  MPI_Allreduce(&differs, &rank, 1, MPI_INT, MPI_MIN, mpi->comm);
  if (rank == mpi->ranks) return THRONG_OK;
  return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "rank %d: its %s is not that of rank 0", rank, what);
}

throng_status throng_mpi_compare_builds(const throng_mpi *mpi, throng_error *error) {
  const uint64_t own[2] = {throng_piece_sources(), THRONG_SOURCES_HASH};
  uint64_t first[2] = {own[0], own[1]}, other[2] = {own[0], own[1]};
  MPI_Bcast(first, 2, MPI_UINT64_T, 0, mpi->comm);
  int differs = memcmp(own, first, sizeof own) != 0 ? mpi->rank : mpi->ranks, rank;
  MPI_Allreduce(&differs, &rank, 1, MPI_INT, MPI_MIN, mpi->comm);
  if (rank == mpi->ranks) return THRONG_OK;
  MPI_Bcast(other, 2, MPI_UINT64_T, rank, mpi->comm);
  const int part = other[0] == first[0];
  return throng_mpi_fail(error, THRONG_ERROR_UNSUPPORTED,
                         "rank %d: its %s was built from other sources (hash %016llx) than that of rank 0 (%016llx)",
                         rank, part == 1 ? "libthrong-mpi" : "libthrong", (unsigned long long)other[part],
                         (unsigned long long)first[part]);
}
