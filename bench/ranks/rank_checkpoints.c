/* SPDX-License-Identifier: MIT */
#include "ranks/rank_checkpoints.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void name_file(char path[CHECKPOINT_PATH_SIZE], const char *base, uint32_t number) {
  snprintf(path, CHECKPOINT_PATH_SIZE, "%s.%u", base, number);
}

static bool fail(const char *file, const throng_error *error, bench_problem *problem) {
  return problem_set(problem, "%s: %s: %s", file, throng_status_name(error->status), error->text);
}

/* Whether rank 0 has the file. */
static bool exists(const char *path) {
  int rank, found = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) found = access(path, F_OK) == 0;
  MPI_Bcast(&found, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return found != 0;
}

/* Whether rank 0 can write a checkpoint there: to a file, or under a new name. */
static bool is_file_or_new(const char *path) {
  struct stat status;
  int rank, is = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) is = stat(path, &status) != 0 || S_ISREG(status.st_mode);
  MPI_Bcast(&is, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return is != 0;
}

/* The two files of a base name, the newer one first. */
typedef struct pair {
  char path[2][CHECKPOINT_PATH_SIZE];
  uint32_t number[2];
  bool complete[2];
  throng_error error[2]; /* of a file that is not */
} pair;

static void find_pair(pair *found, const char *base) {
  throng_mpi_checkpoint content[2] = {{.frame = 0}, {.frame = 0}};
  for (uint32_t k = 0; k < 2; k++) {
    name_file(found->path[k], base, k);
    found->number[k] = k;
    found->complete[k] = throng_mpi_inspect(MPI_COMM_WORLD, found->path[k], &content[k], &found->error[k]) == THRONG_OK;
  }
  if (!found->complete[1] || (found->complete[0] && content[0].frame >= content[1].frame)) return;
  const pair was = *found;
  for (uint32_t k = 0; k < 2; k++) {
    snprintf(found->path[k], CHECKPOINT_PATH_SIZE, "%s", was.path[1 - k]);
    found->number[k] = was.number[1 - k];
    found->complete[k] = was.complete[1 - k];
    found->error[k] = was.error[1 - k];
  }
}

/* Says which file was not loaded, and why. */
static void tell(const char *path, const throng_error *error) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf(stderr, "throng-mpi-run: %s is not loaded: %s: %s\n", path, throng_status_name(error->status), error->text);
}

static bool load_pair(const rank_options *options, throng_world *world, throng_mpi **mpi, uint32_t *next,
                      bench_problem *problem) {
  static pair found; /* too large for a stack */
  throng_error error;
  find_pair(&found, options->restart);
  *next = 1 - found.number[0];
  if (!found.complete[0]) {
    if (exists(found.path[0])) return fail(found.path[0], &found.error[0], problem);
    if (exists(found.path[1])) return fail(found.path[1], &found.error[1], problem);
    return problem_set(problem, "option '--restart': no file '%.100s', '%.100s.0' or '%.100s.1'", options->restart,
                       options->restart, options->restart);
  }
  if (throng_mpi_load(world, &options->mpi, found.path[0], mpi, &error) == THRONG_OK) {
    if (!found.complete[1] && exists(found.path[1])) tell(found.path[1], &found.error[1]);
    return true;
  }
  if (!found.complete[1]) return fail(found.path[0], &error, problem);
  throng_error older;
  if (throng_mpi_load(world, &options->mpi, found.path[1], mpi, &older) != THRONG_OK)
    return fail(found.path[0], &error, problem);
  tell(found.path[0], &error);
  *next = found.number[0];
  return true;
}

bool rank_restart(const rank_options *options, throng_world *world, throng_mpi **mpi, uint32_t *next,
                  bench_problem *problem) {
  throng_error error;
  if (!exists(options->restart)) return load_pair(options, world, mpi, next, problem);
  if (throng_mpi_load(world, &options->mpi, options->restart, mpi, &error) == THRONG_OK) return true;
  return fail(options->restart, &error, problem);
}

bool rank_check_checkpoints(const rank_options *options, uint32_t *next, bench_problem *problem) {
  char path[2][CHECKPOINT_PATH_SIZE];
  if (!options->checkpoint) return true;
  for (uint32_t k = 0; k < 2; k++) {
    name_file(path[k], options->checkpoint, k);
    if (!is_file_or_new(path[k]))
      return problem_set(problem, "option '--checkpoint': '%.200s' is not a file, allowed is a file to write", path[k]);
  }
  if (options->restart && strcmp(options->restart, options->checkpoint) == 0) return true;
  for (uint32_t k = 0; k < 2; k++) {
    if (!options->restart || strcmp(options->restart, path[k]) != 0) continue;
    *next = 1 - k;
    return true;
  }
  for (uint32_t k = 0; k < 2; k++) {
    if (exists(path[k]))
      return problem_set(problem, "option '--checkpoint': '%.200s' exists: remove it, or go on from it with --restart",
                         path[k]);
  }
  return true;
}

bool rank_save_checkpoint(const rank_options *options, throng_mpi *mpi, uint32_t *next, bench_problem *problem) {
  char path[CHECKPOINT_PATH_SIZE];
  throng_error error;
  if (!options->checkpoint || throng_world_frame(throng_mpi_world(mpi)) % options->checkpoint_every != 0) return true;
  name_file(path, options->checkpoint, *next);
  if (throng_mpi_save(mpi, path, &error) != THRONG_OK) return fail(path, &error, problem);
  *next = 1 - *next;
  return true;
}
