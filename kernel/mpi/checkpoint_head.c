/* checkpoint_head.c: what a checkpoint holds, without its agents. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <throng/snapshot.h>

#include "mpi/checkpoint_internal.h"

static throng_status no_memory(throng_error *error) {
  return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a checkpoint");
}

/* Checks that the definition is whole, and that records have the size that its space and columns make. */
static throng_status check_definition(const struct checkpoint *checkpoint, throng_error *error) {
  throng_world_def def;
  const throng_status status =
      throng_snapshot_get_def(checkpoint->definition, (size_t)checkpoint->definition_bytes, &def, error);
  if (status != THRONG_OK) return status;
  if (checkpoint->record_bytes == throng_piece_record_bytes(def.space, checkpoint->columns)) return THRONG_OK;
  return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "its records have %u bytes, with their columns %zu are needed",
                         checkpoint->record_bytes, throng_piece_record_bytes(def.space, checkpoint->columns));
}

static throng_status read_table(MPI_File file, struct checkpoint *checkpoint, throng_error *error) {
  const size_t head_bytes = throng_mpi_head_bytes(checkpoint->blocks);
  uint8_t *head = malloc(head_bytes);
  checkpoint->block = calloc((size_t)checkpoint->blocks + 1, sizeof *checkpoint->block);
  throng_status status = head && checkpoint->block ? THRONG_OK : no_memory(error);
  if (status == THRONG_OK) status = throng_mpi_read_bytes(file, 0, head, head_bytes, error);
  if (status == THRONG_OK) status = throng_mpi_read_table(checkpoint, head, error);
  free(head);
  return status;
}

static throng_status read_file(MPI_File file, struct checkpoint *checkpoint, throng_error *error) {
  uint8_t fixed[CHECKPOINT_FIXED_BYTES];
  MPI_Offset size = 0;
  throng_status status = throng_mpi_check_code(MPI_File_get_size(file, &size), "cannot read it", error);
  if (status == THRONG_OK && size < (MPI_Offset)sizeof fixed) {
    status = throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "these %lld bytes are no checkpoint, or only its beginning",
                             (long long)size);
  }
  if (status == THRONG_OK) status = throng_mpi_read_bytes(file, 0, fixed, sizeof fixed, error);
  if (status == THRONG_OK) status = throng_mpi_read_fixed(checkpoint, fixed, (uint64_t)size, error);
  if (status == THRONG_OK) status = read_table(file, checkpoint, error);
  if (status != THRONG_OK) return status;
  const size_t bytes = (size_t)checkpoint->definition_bytes;
  checkpoint->definition = malloc(bytes + 1);
  if (!checkpoint->definition) return no_memory(error);
  status = throng_mpi_read_bytes(file, throng_mpi_head_bytes(checkpoint->blocks), checkpoint->definition, bytes, error);
  return status == THRONG_OK ? check_definition(checkpoint, error) : status;
}

/* On rank 0. */
static throng_status read_alone(const char *path, struct checkpoint *checkpoint, throng_error *error) {
  MPI_File file;
  throng_status status = throng_mpi_check_byte_order(error);
  if (status == THRONG_OK) status = throng_mpi_check_path(path, error);
  if (status != THRONG_OK) return status;
  const int code = MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  status = throng_mpi_check_code(code, "cannot open it", error);
  if (status != THRONG_OK) return status;
  status = read_file(file, checkpoint, error);
  MPI_File_close(&file);
  return status;
}

static void broadcast(const throng_mpi *mpi, void *bytes, size_t size) {
  for (size_t done = 0; done < size; done += CHECKPOINT_PORTION) {
    const size_t left = size - done;
    MPI_Bcast((char *)bytes + done, (int)(left < CHECKPOINT_PORTION ? left : CHECKPOINT_PORTION), MPI_BYTE, 0,
              mpi->comm);
  }
}

/* Gives all ranks what rank 0 has read. */
static throng_status share(const throng_mpi *mpi, struct checkpoint *checkpoint, throng_error *error) {
  struct checkpoint shared = *checkpoint;
  broadcast(mpi, &shared, sizeof shared);
  if (mpi->rank != 0) {
    *checkpoint = shared;
    checkpoint->block = malloc(((size_t)shared.blocks + 1) * sizeof *shared.block);
    checkpoint->definition = malloc((size_t)shared.definition_bytes + 1);
  }
  const bool complete = checkpoint->block && checkpoint->definition;
  const throng_status status = throng_mpi_agree(mpi, complete ? THRONG_OK : no_memory(error), error);
  if (status != THRONG_OK) return status;
  broadcast(mpi, checkpoint->block, checkpoint->blocks * sizeof *checkpoint->block);
  broadcast(mpi, checkpoint->definition, (size_t)checkpoint->definition_bytes);
  return THRONG_OK;
}

throng_status throng_mpi_read_checkpoint(const throng_mpi *mpi, const char *path, struct checkpoint *checkpoint,
                                         throng_error *error) {
  *checkpoint = (struct checkpoint){0};
  throng_status status = THRONG_OK;
  if (mpi->rank == 0) status = throng_mpi_name_file(read_alone(path, checkpoint, error), path, error);
  status = throng_mpi_agree(mpi, status, error);
  if (status == THRONG_OK) status = share(mpi, checkpoint, error);
  if (status != THRONG_OK) throng_mpi_release_checkpoint(checkpoint);
  return status;
}

throng_status throng_mpi_inspect(MPI_Comm comm, const char *path, throng_mpi_checkpoint *found, throng_error *error) {
  throng_error own;
  throng_mpi here = {.comm = comm};
  struct checkpoint checkpoint;
  if (!error) error = &own;
  if (!path || !found) return throng_mpi_fail(error, THRONG_ERROR_NULL_ARGUMENT, "path or found is NULL");
  MPI_Comm_rank(comm, &here.rank);
  MPI_Comm_size(comm, &here.ranks);
  throng_status status = throng_mpi_read_checkpoint(&here, path, &checkpoint, error);
  if (status != THRONG_OK) return status;
  throng_mpi_checkpoint read = {
      .frame = checkpoint.frame, .agents = checkpoint.agents, .bytes = checkpoint.size, .blocks = checkpoint.blocks};
  status = throng_snapshot_get_def(checkpoint.definition, (size_t)checkpoint.definition_bytes, &read.world, error);
  status = throng_mpi_agree(&here, status, error);
  if (status == THRONG_OK) *found = read;
  throng_mpi_release_checkpoint(&checkpoint);
  return status;
}
