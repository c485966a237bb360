/* checkpoint_internal.h: the parts of a checkpoint file; docs/FORMATS.md has their format.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_MPI_CHECKPOINT_INTERNAL_H
#define THRONG_KERNEL_MPI_CHECKPOINT_INTERNAL_H

#include "mpi/mpi_internal.h"

#define CHECKPOINT_FORMAT 2u
#define CHECKPOINT_FIXED_BYTES 60u  /* the head without its table of blocks and its checksum */
#define CHECKPOINT_PORTION 1048576u /* bytes that are read or written at once */

/* What a rank has saved. */
struct block {
  uint64_t records, checksum;
};

struct checkpoint {
  uint64_t size, frame, agents, definition_bytes; /* size: of the whole file */
  uint64_t columns;                               /* of the records */
  uint32_t blocks, record_bytes;
  struct block *block; /* [blocks] */
  char *definition;    /* [definition_bytes] a snapshot of the world without agents */
};

/* checkpoint_format.c. */
void throng_mpi_release_checkpoint(struct checkpoint *checkpoint);
/* The bytes of the head: fixed part, table of blocks, checksum. */
size_t throng_mpi_head_bytes(uint32_t blocks);
void throng_mpi_write_head(const struct checkpoint *checkpoint, uint8_t *bytes);
/* Reads the fixed part of a file with file_bytes bytes. */
throng_status throng_mpi_read_fixed(struct checkpoint *checkpoint, const uint8_t *bytes, uint64_t file_bytes,
                                    throng_error *error);
/* Reads the table of blocks from a whole head, and checks it. The fixed part has been read, and checkpoint->block has
 * memory. */
throng_status throng_mpi_read_table(struct checkpoint *checkpoint, const uint8_t *bytes, throng_error *error);
/* Where the first block begins in the file. */
uint64_t throng_mpi_first_block(const struct checkpoint *checkpoint);
/* The part of a block's checksum that `count` records give, from record `first` of the block on. The checksum of a
 * block is the sum of its parts, so that several ranks can check one block. */
uint64_t throng_mpi_sum_records(const char *records, size_t record_bytes, uint64_t count, uint64_t first);
/* Returns UNSUPPORTED on big-endian machines: records have the byte order of the machine. */
throng_status throng_mpi_check_byte_order(throng_error *error);

/* checkpoint_file.c. Returns BAD_VALUE if there is something else than a file at `path`: a folder, a device or a pipe,
 * which could wait for ever. */
throng_status throng_mpi_check_path(const char *path, throng_error *error);
/* Opens a file of all ranks, to read or to write it. Returns BAD_VALUE if there is none. Collective. */
throng_status throng_mpi_open_file(const throng_mpi *mpi, const char *path, bool write, MPI_File *file,
                                   throng_error *error);
throng_status throng_mpi_write_bytes(MPI_File file, uint64_t at, const void *bytes, size_t size, throng_error *error);
throng_status throng_mpi_read_bytes(MPI_File file, uint64_t at, void *bytes, size_t size, throng_error *error);
/* Fills the error with the text of MPI for `code`, and returns BAD_VALUE; THRONG_OK if the code is MPI_SUCCESS. */
throng_status throng_mpi_check_code(int code, const char *what, throng_error *error);
/* Puts "checkpoint 'NAME': " before the text of a failed call on this rank. Returns `status`. */
throng_status throng_mpi_name_file(throng_status status, const char *path, throng_error *error);

/* checkpoint_head.c. Rank 0 reads everything but the blocks; all ranks get it. Collective. */
throng_status throng_mpi_read_checkpoint(const throng_mpi *mpi, const char *path, struct checkpoint *checkpoint,
                                         throng_error *error);

#endif
