/* SPDX-License-Identifier: MIT */
#include "ranks/rank_outputs.h"

#include <stdio.h>

#include "common/files.h"
#include "output/csv.h"

/* Reads the whole world into `frame` on rank 0. Only rank 0 sees a failed read. Collective. */
static bool gather(const rank_outputs *outputs, run_frame *frame, bench_problem *problem) {
  int rank;
  throng_error error;
  throng_world *whole = NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) whole = scene_build(outputs->scene, NULL, 1, THRONG_ISA_AUTO, false, problem);
  const bool made = rank != 0 || whole;
  bool ok = throng_mpi_gather(outputs->mpi, 0, whole, &error) == THRONG_OK;
  if (!ok && made) problem_set(problem, "gathering: %s: %s", throng_status_name(error.status), error.text);
  if (ok && rank == 0) {
    ok = run_frame_read(frame, whole, outputs->start, problem);
    frame->number = throng_world_frame(throng_mpi_world(outputs->mpi));
  }
  throng_world_destroy(whole);
  return ok;
}

static bool write_csv(const rank_outputs *outputs, const run_frame *frame, const char *name, bench_problem *problem) {
  char path[FILE_PATH_SIZE];
  output_file output;
  return path_join(path, outputs->options->out, name, problem) && output_open(&output, path, problem) &&
         output_close(&output, csv_write(output.stream, &frame->crowd), problem);
}

#ifdef THRONG_HAS_CAIRO
bool rank_outputs_check(const rank_options *options, bench_problem *problem) {
  char path[FILE_PATH_SIZE];
  return !options->out ||
         (folder_check(options->out, "--out", problem) && path_join(path, options->out, "picture.png", problem) &&
          file_check(path, "--out", problem) && path_join(path, options->out, "agents.csv", problem) &&
          file_check(path, "--out", problem));
}

static bool write_picture(const rank_outputs *outputs, const run_frame *frame, bench_problem *problem) {
  const picture_style style = {.colours = outputs->options->colour};
  const double neighbours = outputs->mean_neighbours;
  char path[FILE_PATH_SIZE];
  output_file output;
  return path_join(path, outputs->options->out, "picture.png", problem) && output_open(&output, path, problem) &&
         output_close(&output, picture_write_frame(output.stream, outputs->scene, frame, &style, neighbours, problem),
                      problem);
}
#else
bool rank_outputs_check(const rank_options *options, bench_problem *problem) {
  return !options->out ||
         problem_set(problem, "option '--out': this build cannot draw: Cairo was missing (Debian: libcairo2-dev)");
}

static bool write_picture(const rank_outputs *outputs, const run_frame *frame, bench_problem *problem) {
  (void)outputs;
  (void)frame;
  (void)problem;
  return true; /* not called: rank_outputs_check refuses --out */
}
#endif

/* Gathers the world. Rank 0 writes its table and, if `last`, also its picture. Collective. */
static bool write_gathered(const rank_outputs *outputs, bool last, bench_problem *problem) {
  char name[64] = "agents.csv";
  run_frame frame = {0};
  int rank, ok = gather(outputs, &frame, problem);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (ok && rank == 0) {
    if (!last) snprintf(name, sizeof name, CSV_FRAME_NAME, frame.number);
    ok = (!last || write_picture(outputs, &frame, problem)) && write_csv(outputs, &frame, name, problem);
  }
  run_frame_release(&frame);
  MPI_Bcast(&ok, 1, MPI_INT, 0, MPI_COMM_WORLD); /* the others stop too */
  return ok != 0;
}

bool rank_outputs_due(const rank_outputs *outputs) {
  const uint64_t steps = throng_world_frame(throng_mpi_world(outputs->mpi)) - outputs->first;
  return outputs->options->csv_every > 0 && steps % outputs->options->csv_every == 0;
}

bool rank_outputs_write_table(const rank_outputs *outputs, bench_problem *problem) {
  return write_gathered(outputs, false, problem);
}

bool rank_outputs_write_last(const rank_outputs *outputs, bench_problem *problem) {
  return !outputs->options->out || write_gathered(outputs, true, problem);
}
