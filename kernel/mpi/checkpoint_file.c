/* checkpoint_file.c: reads and writes a file of all ranks. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "mpi/assertion.h"
#include "mpi/checkpoint_internal.h"

throng_status throng_mpi_check_code(int code, const char *what, throng_error *error) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  if (code == MPI_SUCCESS) return THRONG_OK;
  MPI_Error_string(code, text, &length);
  return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "%s: %s", what, text);
}

throng_status throng_mpi_name_file(throng_status status, const char *path, throng_error *error) {
  char text[sizeof error->text];
  const char *slash = strrchr(path, '/');
  if (status == THRONG_OK) return status;
  ASSERT_ALONE(path && error);
  memcpy(text, error->text, sizeof text);
  snprintf(error->text, sizeof error->text, "checkpoint '%.40s': %.130s", slash ? slash + 1 : path, text);
  return status;
}

throng_status throng_mpi_check_path(const char *path, throng_error *error) {
  struct stat status;
  if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) return THRONG_OK;
  const char *slash = strrchr(path, '/');
  return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "'%.40s' is %s, allowed is a file", slash ? slash + 1 : path,
                         S_ISDIR(status.st_mode) ? "a folder" : "a device or a pipe");
}

throng_status throng_mpi_open_file(const throng_mpi *mpi, const char *path, bool write, MPI_File *file,
                                   throng_error *error) {
  /* MPI_File_open may wait for ever if only some ranks can open the file. So each first tries it alone. */
  throng_status status = throng_mpi_check_path(path, error);
  FILE *tried = status == THRONG_OK ? fopen(path, write ? "r+b" : "rb") : NULL;
  if (tried) {
    fclose(tried);
  } else if (status == THRONG_OK) {
    status = throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "cannot open it: %s", strerror(errno));
  }
  status = throng_mpi_agree(mpi, throng_mpi_name_file(status, path, error), error);
  if (status != THRONG_OK) return status;
  const int mode = write ? MPI_MODE_WRONLY : MPI_MODE_RDONLY;
  const int code = MPI_File_open(mpi->comm, path, mode, MPI_INFO_NULL, file);
  status = throng_mpi_name_file(throng_mpi_check_code(code, "cannot open it", error), path, error);
  return throng_mpi_agree(mpi, status, error);
}

/* MPI counts in int, so long parts are moved in portions. */
static int portion_of(size_t left) { return left < CHECKPOINT_PORTION ? (int)left : (int)CHECKPOINT_PORTION; }

throng_status throng_mpi_write_bytes(MPI_File file, uint64_t at, const void *bytes, size_t size, throng_error *error) {
  for (size_t done = 0; done < size;) {
    const int portion = portion_of(size - done);
    int written = 0;
    MPI_Status what;
    const int code =
        MPI_File_write_at(file, (MPI_Offset)(at + done), (const char *)bytes + done, portion, MPI_BYTE, &what);
    throng_status status = throng_mpi_check_code(code, "cannot write it", error);
    if (status != THRONG_OK) return status;
    MPI_Get_count(&what, MPI_BYTE, &written);
    if (written != portion)
      return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "cannot write it: only %d of %d bytes", written, portion);
    done += (size_t)portion;
  }
  return THRONG_OK;
}

throng_status throng_mpi_read_bytes(MPI_File file, uint64_t at, void *bytes, size_t size, throng_error *error) {
  for (size_t done = 0; done < size;) {
    const int portion = portion_of(size - done);
    int count = 0;
    MPI_Status what;
    const int code = MPI_File_read_at(file, (MPI_Offset)(at + done), (char *)bytes + done, portion, MPI_BYTE, &what);
    throng_status status = throng_mpi_check_code(code, "cannot read it", error);
    if (status != THRONG_OK) return status;
    MPI_Get_count(&what, MPI_BYTE, &count);
    if (count != portion)
      return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "cannot read it: only %d of %d bytes", count, portion);
    done += (size_t)portion;
  }
  return THRONG_OK;
}
