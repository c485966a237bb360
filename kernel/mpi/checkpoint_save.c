/* checkpoint_save.c: saves the world of all ranks in one file. Read throng_mpi_save() first.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/assertion.h"
#include "mpi/checkpoint_internal.h"

#define SUFFIX ".part"

/* A checkpoint that is being written. */
struct saving {
  throng_mpi *mpi;
  const char *path;
  char *part;              /* the name until the file is complete */
  uint64_t *order;         /* [count] own agents by ascending id: id index in the upper half, element in the lower */
  uint32_t count, portion; /* own agents; how many are written at once */
  uint32_t *elements;      /* [portion] */
  char *records;           /* [portion] */
  struct block own;        /* what this rank writes */
  uint64_t first;          /* the number of records of the ranks before this one */
  struct checkpoint checkpoint; /* on rank 0 with its blocks */
};

static throng_status no_memory(throng_error *error) {
  return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a checkpoint");
}

static int by_number(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static throng_status sort_agents(struct saving *saving, throng_error *error) {
  throng_view view;
  const throng_status status = throng_world_view(saving->mpi->world, &view, error);
  if (status != THRONG_OK) return status;
  saving->order = malloc(((size_t)view.count + 1) * sizeof *saving->order);
  if (!saving->order) return no_memory(error);
  for (uint32_t k = 0; k < view.count; k++) {
    if (!throng_view_is_ghost(&view, k)) saving->order[saving->count++] = (uint64_t)view.id_index[k] << 32 | k;
  }
  qsort(saving->order, saving->count, sizeof *saving->order, by_number);
  return THRONG_OK;
}

static throng_status write_definition(struct saving *saving, throng_error *error) {
  struct checkpoint *checkpoint = &saving->checkpoint;
  size_t size = 0;
  throng_status status = throng_piece_save_definition(saving->mpi->world, NULL, 0, &size, error);
  if (status != THRONG_OK) return status;
  checkpoint->definition_bytes = size;
  checkpoint->block = calloc((size_t)saving->mpi->ranks, sizeof *checkpoint->block);
  checkpoint->definition = malloc(size);
  if (!checkpoint->block || !checkpoint->definition) return no_memory(error);
  return throng_piece_save_definition(saving->mpi->world, checkpoint->definition, size, &size, error);
}

/* Finds what this rank will write. */
static throng_status prepare(struct saving *saving, throng_error *error) {
  const throng_mpi *mpi = saving->mpi;
  throng_status status = throng_mpi_check_byte_order(error);
  if (status != THRONG_OK) return status;
  status = throng_mpi_check_synced(mpi, THRONG_ERROR_NOT_INDEXED, error);
  if (status != THRONG_OK) return status;
  saving->part = malloc(strlen(saving->path) + sizeof SUFFIX);
  saving->portion = CHECKPOINT_PORTION / (uint32_t)mpi->record_bytes;
  ASSERT_ALONE(saving->portion > 0);
  saving->elements = malloc(saving->portion * sizeof *saving->elements);
  saving->records = malloc(saving->portion * mpi->record_bytes);
  if (!saving->part || !saving->elements || !saving->records) return no_memory(error);
  memcpy(saving->part, saving->path, strlen(saving->path));
  memcpy(saving->part + strlen(saving->path), SUFFIX, sizeof SUFFIX);
  status = sort_agents(saving, error);
  return status == THRONG_OK ? write_definition(saving, error) : status;
}

/* Collective. Every rank learns where its block begins. */
static void lay_out(struct saving *saving) {
  const throng_mpi *mpi = saving->mpi;
  struct checkpoint *checkpoint = &saving->checkpoint;
  saving->own.records = saving->count;
  MPI_Exscan(&saving->own.records, &saving->first, 1, MPI_UINT64_T, MPI_SUM, mpi->comm);
  if (mpi->rank == 0) saving->first = 0; /* MPI leaves it undefined */
  checkpoint->blocks = (uint32_t)mpi->ranks;
  checkpoint->frame = throng_world_frame(mpi->world);
  checkpoint->agents = mpi->total;
  checkpoint->columns = mpi->columns & ~THRONG_PIECE_PREVIOUS_POSE; /* loaded agents have none */
  checkpoint->record_bytes = (uint32_t)throng_piece_record_bytes(mpi->world_def.space, checkpoint->columns);
  ASSERT_ALONE(checkpoint->record_bytes <= mpi->record_bytes); /* saving->records has room */
  checkpoint->size = throng_mpi_first_block(checkpoint) + mpi->total * checkpoint->record_bytes;
}

/* On rank 0: makes an empty file. */
static throng_status make_file(const struct saving *saving, throng_error *error) {
  throng_status status = throng_mpi_check_path(saving->path, error);
  if (status == THRONG_OK) status = throng_mpi_check_path(saving->part, error);
  if (status != THRONG_OK) return status;
  FILE *file = fopen(saving->part, "wb");
  if (file && fclose(file) == 0) return THRONG_OK;
  return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "cannot make it: %s", strerror(errno));
}

static throng_status write_block(struct saving *saving, MPI_File file, throng_error *error) {
  const throng_mpi *mpi = saving->mpi;
  const size_t bytes = saving->checkpoint.record_bytes;
  const uint64_t begin = throng_mpi_first_block(&saving->checkpoint) + saving->first * bytes;
  throng_status status = THRONG_OK;
  for (uint32_t done = 0; done < saving->count && status == THRONG_OK; done += saving->portion) {
    const uint32_t left = saving->count - done, count = left < saving->portion ? left : saving->portion;
    for (uint32_t k = 0; k < count; k++) saving->elements[k] = (uint32_t)saving->order[done + k];
    status = throng_piece_pack(mpi->world, saving->checkpoint.columns, saving->elements, count, saving->records, error);
    if (status != THRONG_OK) return status;
    saving->own.checksum += throng_mpi_sum_records(saving->records, bytes, count, done);
    status = throng_mpi_write_bytes(file, begin + done * bytes, saving->records, count * bytes, error);
  }
  return status;
}

/* On rank 0. */
static throng_status write_head(const struct saving *saving, MPI_File file, throng_error *error) {
  const struct checkpoint *checkpoint = &saving->checkpoint;
  const size_t size = throng_mpi_head_bytes(checkpoint->blocks);
  uint8_t *head = malloc(size);
  if (!head) return no_memory(error);
  throng_mpi_write_head(checkpoint, head);
  throng_status status = throng_mpi_write_bytes(file, 0, head, size, error);
  free(head);
  if (status != THRONG_OK) return status;
  return throng_mpi_write_bytes(file, size, checkpoint->definition, (size_t)checkpoint->definition_bytes, error);
}

/* Collective. Names the file in the error of this rank. */
static throng_status agree(const struct saving *saving, throng_status status, throng_error *error) {
  return throng_mpi_agree(saving->mpi, throng_mpi_name_file(status, saving->path, error), error);
}

static throng_status fill_file(struct saving *saving, throng_error *error) {
  throng_mpi *mpi = saving->mpi;
  MPI_File file;
  throng_status status = throng_mpi_open_file(mpi, saving->part, true, &file, error);
  if (status != THRONG_OK) return status;
  status = agree(saving, write_block(saving, file, error), error);
  MPI_Gather(&saving->own, (int)sizeof saving->own, MPI_BYTE, saving->checkpoint.block, (int)sizeof saving->own,
             MPI_BYTE, 0, mpi->comm);
  if (status == THRONG_OK) status = agree(saving, mpi->rank == 0 ? write_head(saving, file, error) : THRONG_OK, error);
  if (status == THRONG_OK)
    status = agree(saving, throng_mpi_check_code(MPI_File_sync(file), "cannot write it", error), error);
  throng_error later;
  const throng_status closed =
      agree(saving, throng_mpi_check_code(MPI_File_close(&file), "cannot close it", &later), &later);
  if (status != THRONG_OK || closed == THRONG_OK) return status;
  *error = later;
  return closed;
}

/* On rank 0: the complete file gets its name. Writing the folder to disk keeps it after a power cut; folders of some
 * systems cannot be written so, which is no error. */
static throng_status rename_file(const struct saving *saving, throng_error *error) {
  if (rename(saving->part, saving->path) != 0)
    return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "cannot rename its part: %s", strerror(errno));
  char *slash = strrchr(saving->part, '/');
  if (slash) slash[slash == saving->part] = '\0';
  const int folder = open(slash ? saving->part : ".", O_RDONLY);
  if (folder >= 0) {
    fsync(folder);
    close(folder);
  }
  return THRONG_OK;
}

static throng_status save_file(struct saving *saving, throng_error *error) {
  const bool first = saving->mpi->rank == 0;
  lay_out(saving);
  throng_status status = agree(saving, first ? make_file(saving, error) : THRONG_OK, error);
  if (status != THRONG_OK) return status;
  status = fill_file(saving, error);
  if (status == THRONG_OK) status = agree(saving, first ? rename_file(saving, error) : THRONG_OK, error);
  if (status != THRONG_OK && first) remove(saving->part);
  return status;
}

throng_status throng_mpi_save(throng_mpi *mpi, const char *path, throng_error *error) {
  throng_error own;
  struct saving saving = {.mpi = mpi, .path = path};
  if (!error) error = &own;
  if (!mpi || !path) return throng_mpi_fail(error, THRONG_ERROR_NULL_ARGUMENT, "mpi or path is NULL");
  throng_status status = throng_mpi_agree(mpi, prepare(&saving, error), error);
  if (status == THRONG_OK) {
    status = throng_mpi_compare(mpi, throng_piece_hash_definition(mpi->world),
                                "definition, groups, objects or frame number", error);
  }
  if (status == THRONG_OK) status = save_file(&saving, error);
  throng_mpi_release_checkpoint(&saving.checkpoint);
  free(saving.part);
  free(saving.order);
  free(saving.elements);
  free(saving.records);
  return status;
}
