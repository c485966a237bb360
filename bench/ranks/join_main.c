/* throng-mpi-join: makes a snapshot of a checkpoint of many ranks, and back.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <throng/mpi.h>
#include <throng/piece.h>
#include <throng/snapshot.h>

#include "common/files.h"
#include "common/streams.h"
#include "common/text.h"

enum { EXIT_FAILED = 1, EXIT_BAD_INPUT = 2 };

static void print_help(void) {
  puts("throng-mpi-join: makes a snapshot of a checkpoint that many ranks have saved, and back.\n"
       "usage: throng-mpi-join CHECKPOINT SNAPSHOT\n"
       "       throng-mpi-join --split SNAPSHOT CHECKPOINT\n"
       "Needs no mpirun. The world must fit into the memory of one process.\n"
       "Exit status: 0 done; 1 the file cannot be written; 2 wrong options or files");
}

static bool fail(const char *file, const throng_error *error, bench_problem *problem) {
  return problem_set(problem, "%s: %s: %s", file, throng_status_name(error->status), error->text);
}

static throng_mpi_def alone(void) {
  throng_mpi_def def = throng_default_mpi_def();
  def.comm = MPI_COMM_SELF;
  return def;
}

/* Makes a world with this definition. */
static throng_status make_world(const throng_world_def *saved, throng_world **world, throng_error *error) {
  throng_world_def def = *saved;
  def.thread_count = 1;
  return throng_world_create(&def, world, error);
}

/* Reads a checkpoint, or a snapshot. */
static throng_mpi *open_file(const char *file, bool is_snapshot, bench_problem *problem) {
  const throng_mpi_def def = alone();
  throng_mpi_checkpoint found;
  throng_error error;
  throng_mpi *mpi;
  throng_world *world = NULL;
  bench_text text = {0};
  if (is_snapshot && !text_read(&text, file, SIZE_MAX / 4, problem)) return NULL;
  throng_status status = is_snapshot ? throng_snapshot_get_def(text.data, text.size, &found.world, &error)
                                     : throng_mpi_inspect(MPI_COMM_SELF, file, &found, &error);
  if (status == THRONG_OK) status = make_world(&found.world, &world, &error);
  if (status == THRONG_OK && is_snapshot) status = throng_world_load_snapshot(world, text.data, text.size, &error);
  if (status == THRONG_OK)
    status =
        is_snapshot ? throng_mpi_create(world, &def, &mpi, &error) : throng_mpi_load(world, &def, file, &mpi, &error);
  text_release(&text);
  if (status == THRONG_OK) return mpi;
  throng_world_destroy(world);
  fail(file, &error, problem);
  return NULL;
}

/* Adds and removes an agent where another one is, so that the world knows its id. An index in use is known. */
static throng_status let_live(throng_world *world, throng_agent_id id, const throng_agent_id *other,
                              throng_error *error) {
  throng_vec3 position;
  uint8_t group;
  throng_status status = throng_agents_read(world, THRONG_COLUMN_POSITION, other, 1, &position, 0, error);
  if (status == THRONG_OK) status = throng_agents_read(world, THRONG_COLUMN_GROUP, other, 1, &group, 0, error);
  if (status != THRONG_OK) return status;
  throng_agents_def def = throng_default_agents_def();
  def.position.data = &position;
  def.group.data = &group;
  status = throng_agents_add_with_ids(world, &def, 1, &id, error);
  if (status == THRONG_ERROR_STALE_ID) return THRONG_OK;
  return status == THRONG_OK ? throng_agents_remove(world, &id, 1, error) : status;
}

/* Agents keep the ids of targets that were removed. A checkpoint does not hold the ids of removed agents, but a
 * snapshot must, or its load refuses these targets. */
static throng_status remember_targets(throng_world *world, throng_error *error) {
  uint32_t count = throng_agents_count(world);
  if (count == 0 || !(throng_piece_columns(world) & THRONG_BIT(THRONG_COLUMN_TARGET))) return THRONG_OK;
  throng_agent_id *ids = malloc(2 * (size_t)count * sizeof *ids), *target = ids + count;
  if (!ids) {
    *error = (throng_error){.status = THRONG_ERROR_OUT_OF_MEMORY, .text = "no memory for targets"};
    return error->status;
  }
  throng_status status = throng_agents_get_ids(world, ids, count, &count, error);
  if (status == THRONG_OK) status = throng_agents_read(world, THRONG_COLUMN_TARGET, NULL, count, target, 0, error);
  for (uint32_t k = 0; k < count && status == THRONG_OK; k++) {
    if (target[k].index != 0 && !throng_agents_is_valid(world, target[k]))
      status = let_live(world, target[k], &ids[k], error);
  }
  free(ids);
  return status == THRONG_OK ? throng_world_index(world, error) : status;
}

/* One rank has no ghosts, so that its piece is the whole world. */
static bool write_snapshot(throng_mpi *mpi, const char *file, bench_problem *problem) {
  throng_world *world = throng_mpi_world(mpi);
  throng_error error;
  output_file output;
  size_t size = 0;
  if (remember_targets(world, &error) != THRONG_OK) return fail(file, &error, problem);
  if (throng_world_save_snapshot(world, NULL, 0, &size, &error) != THRONG_OK) return fail(file, &error, problem);
  char *bytes = malloc(size);
  if (!bytes) return problem_set(problem, "%s: out of memory for %zu bytes", file, size);
  bool ok = throng_world_save_snapshot(world, bytes, size, &size, &error) == THRONG_OK || fail(file, &error, problem);
  if (ok && output_open(&output, file, problem)) {
    ok = output_close(&output, fwrite(bytes, 1, size, output.stream) == size, problem);
  } else {
    ok = false;
  }
  free(bytes);
  return ok;
}

static bool write_checkpoint(throng_mpi *mpi, const char *file, bench_problem *problem) {
  throng_error error;
  return throng_mpi_save(mpi, file, &error) == THRONG_OK || fail(file, &error, problem);
}

static int run(int count, char **arguments, bench_problem *problem) {
  const bool split = count > 1 && strcmp(arguments[1], "--split") == 0;
  const int first = split ? 2 : 1;
  if (count > 1 && strcmp(arguments[1], "--help") == 0) {
    print_help();
    return EXIT_SUCCESS;
  }
  if (count != first + 2 || (!split && arguments[1][0] == '-')) {
    problem_set(problem, "allowed: CHECKPOINT SNAPSHOT, or --split SNAPSHOT CHECKPOINT, or --help");
    return EXIT_BAD_INPUT;
  }
  const char *from = arguments[first], *to = arguments[first + 1];
  throng_mpi *mpi = open_file(from, split, problem);
  if (!mpi) return EXIT_BAD_INPUT;
  const bool written = split ? write_checkpoint(mpi, to, problem) : write_snapshot(mpi, to, problem);
  throng_mpi_destroy(mpi);
  return written ? EXIT_SUCCESS : EXIT_FAILED;
}

int main(int count, char **arguments) {
  bench_problem problem = {{0}};
  int provided;
  streams_begin();
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &provided);
  const int status = run(count, arguments, &problem);
  if (status != EXIT_SUCCESS) fprintf(stderr, "throng-mpi-join: %s\n", problem.text);
  MPI_Finalize();
  return streams_end("throng-mpi-join", status);
}
