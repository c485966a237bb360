/* checkpoint_load.c: loads a world that other ranks have saved. Every rank reads and checks an even share of the
 * records, and only then the worlds change. The ranks then cut the world, and send the agents to their owners.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <throng/snapshot.h>

#include "mpi/checkpoint_internal.h"

/* The records that this rank reads: [begin, end) of all, which may be in several blocks. */
struct share {
  uint64_t begin, end;
  char *records;
  uint64_t *sums; /* [blocks] the part of each block's checksum that they give */
};

static throng_status no_memory(throng_error *error) {
  return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a checkpoint");
}

static throng_status make_share(const throng_mpi *mpi, const struct checkpoint *checkpoint, struct share *share,
                                throng_error *error) {
  const uint64_t each = checkpoint->agents / (uint64_t)mpi->ranks, more = checkpoint->agents % (uint64_t)mpi->ranks;
  const uint64_t rank = (uint64_t)mpi->rank;
  share->begin = each * rank + (rank < more ? rank : more);
  share->end = share->begin + each + (rank < more);
  share->records = malloc((size_t)((share->end - share->begin) * checkpoint->record_bytes) + 1);
  share->sums = calloc((size_t)checkpoint->blocks + 1, sizeof *share->sums);
  if (share->end - share->begin > UINT32_MAX)
    return throng_mpi_fail(error, THRONG_ERROR_CAPACITY, "too many agents for so few ranks");
  return share->records && share->sums ? THRONG_OK : no_memory(error);
}

static throng_status read_share(MPI_File file, const struct checkpoint *checkpoint, struct share *share,
                                throng_error *error) {
  const size_t bytes = checkpoint->record_bytes;
  const throng_status status =
      throng_mpi_read_bytes(file, throng_mpi_first_block(checkpoint) + share->begin * bytes, share->records,
                            (size_t)(share->end - share->begin) * bytes, error);
  if (status != THRONG_OK) return status;
  uint64_t first = 0; /* of the block, among all records */
  for (uint32_t k = 0; k < checkpoint->blocks; k++) {
    const uint64_t last = first + checkpoint->block[k].records;
    const uint64_t begin = share->begin > first ? share->begin : first, end = share->end < last ? share->end : last;
    if (begin < end) {
      share->sums[k] =
          throng_mpi_sum_records(share->records + (begin - share->begin) * bytes, bytes, end - begin, begin - first);
    }
    first = last;
  }
  return THRONG_OK;
}

/* Returns the same on all ranks, because they compare the same sums. */
static throng_status check_sums(const throng_mpi *mpi, const struct checkpoint *checkpoint, struct share *share,
                                const char *path, throng_error *error) {
  MPI_Allreduce(MPI_IN_PLACE, share->sums, (int)checkpoint->blocks, MPI_UINT64_T, MPI_SUM, mpi->comm);
  for (uint32_t k = 0; k < checkpoint->blocks; k++) {
    if (share->sums[k] == checkpoint->block[k].checksum) continue;
    throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "block %u of %u is damaged: the checksum differs", k + 1,
                    checkpoint->blocks);
    return throng_mpi_name_file(THRONG_ERROR_BAD_VALUE, path, error);
  }
  return THRONG_OK;
}

/* Reads and checks the whole file. Collective. */
static throng_status read_all(const throng_mpi *mpi, const char *path, struct checkpoint *checkpoint,
                              struct share *share, throng_error *error) {
  MPI_File file;
  throng_status status = throng_mpi_read_checkpoint(mpi, path, checkpoint, error);
  if (status == THRONG_OK) status = throng_mpi_agree(mpi, make_share(mpi, checkpoint, share, error), error);
  if (status == THRONG_OK) status = throng_mpi_open_file(mpi, path, false, &file, error);
  if (status != THRONG_OK) return status;
  status = throng_mpi_name_file(read_share(file, checkpoint, share, error), path, error);
  MPI_File_close(&file);
  status = throng_mpi_agree(mpi, status, error);
  return status == THRONG_OK ? check_sums(mpi, checkpoint, share, path, error) : status;
}

/* An id table has memory for every index up to the largest: 14 bytes each. A file may ask for MOST_FREE indices, for
 * 16 times its agents, or for as many as the host has asked for itself (throng_world_def.capacity). */
#define MOST_FREE (UINT64_C(1) << 22)

static throng_status check_indices(const throng_world *world, const struct checkpoint *checkpoint,
                                   const struct share *share, throng_error *error) {
  const throng_world_def def = throng_world_get_def(world);
  uint64_t most = 16 * checkpoint->agents > MOST_FREE ? 16 * checkpoint->agents : MOST_FREE;
  if (def.capacity > most) most = def.capacity;
  for (uint64_t k = 0; !def.sparse_ids && k < share->end - share->begin; k++) {
    throng_piece_head head;
    memcpy(&head, share->records + k * checkpoint->record_bytes, sizeof head);
    if (head.index <= most) continue;
    throng_mpi_fail(error, THRONG_ERROR_CAPACITY,
                    "agent %u: its id index needs sparse_ids, or a capacity of the world as large; allowed: 1 to %llu",
                    head.index, (unsigned long long)most);
    error->agent = (throng_agent_id){head.index, head.generation, def.id_world};
    return THRONG_ERROR_CAPACITY;
  }
  return THRONG_OK;
}

/* Checks that the records have all columns of the definition. */
static throng_status check_columns(const throng_world *world, const struct checkpoint *checkpoint,
                                   throng_error *error) {
  const uint64_t lacks = throng_piece_columns(world) & ~checkpoint->columns & ~THRONG_PIECE_PREVIOUS_POSE;
  if (!lacks) return THRONG_OK;
  return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "its records lack the columns %016llx (bits)",
                         (unsigned long long)lacks);
}

/* Gives the world the checkpoint's definition, and this rank's share of its agents. */
static throng_status fill_world(throng_mpi *mpi, const struct checkpoint *checkpoint, const struct share *share,
                                throng_error *error) {
  throng_world *world = mpi->world;
  throng_status status = check_indices(world, checkpoint, share, error);
  if (status == THRONG_OK)
    status = throng_world_load_snapshot(world, checkpoint->definition, (size_t)checkpoint->definition_bytes, error);
  if (status == THRONG_OK) status = check_columns(world, checkpoint, error);
  if (status != THRONG_OK) return status;
  status =
      throng_piece_take(world, checkpoint->columns, share->records, (uint32_t)(share->end - share->begin), true, error);
  return status == THRONG_OK ? throng_world_index(world, error) : status;
}

/* Collective. */
static throng_status load_world(throng_mpi *mpi, const char *path, throng_error *error) {
  struct checkpoint checkpoint = {0};
  struct share share = {0};
  throng_status status = read_all(mpi, path, &checkpoint, &share, error);
  if (status == THRONG_OK) {
    status = throng_mpi_name_file(fill_world(mpi, &checkpoint, &share, error), path, error);
    status = throng_mpi_agree(mpi, status, error);
  }
  free(share.records);
  free(share.sums);
  throng_mpi_release_checkpoint(&checkpoint);
  return status;
}

/* The ranks have different agents of the world: cuts it, and sends them to their owners. Collective. */
static throng_status become_pieces(throng_mpi *mpi, throng_error *error) {
  mpi->world_def = throng_world_get_def(mpi->world); /* the checkpoint may have moved the box */
  throng_status status = throng_mpi_cut_world(mpi, false, error);
  if (status == THRONG_OK) status = throng_mpi_agree(mpi, throng_mpi_become_piece(mpi, error), error);
  return status == THRONG_OK ? throng_mpi_sync(mpi, error) : status;
}

throng_status throng_mpi_load(throng_world *world, const throng_mpi_def *def, const char *path, throng_mpi **out,
                              throng_error *error) {
  throng_error own;
  throng_mpi *mpi;
  if (!error) error = &own;
  if (!world || !path || !out) return throng_mpi_fail(error, THRONG_ERROR_NULL_ARGUMENT, "world, path or mpi is NULL");
  throng_status status = throng_mpi_open(world, def, &mpi, error);
  if (status != THRONG_OK) return status;
  status = load_world(mpi, path, error);
  if (status == THRONG_OK) status = become_pieces(mpi, error);
  if (status != THRONG_OK) return throng_mpi_abandon(mpi, status);
  *out = mpi;
  return THRONG_OK;
}
