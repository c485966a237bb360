/* tests/mpi/ranks.c: see ranks.h. SPDX-License-Identifier: MIT */
#include "mpi/ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rank, ranks;

void start_ranks(int *argc, char ***argv, unsigned seconds) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  alarm(seconds);
}

static void end_job(void) {
  fflush(stdout);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}

void check(bool holds, const char *what, const char *file, int line) {
  if (holds) return;
  fprintf(stderr, "%s:%d: rank %d of %d: %s does not hold\n", file, line, rank, ranks, what);
  end_job();
}

void require(throng_status got, throng_status expected, const throng_error *error, const char *what, const char *file,
             int line) {
  const bool told =
      expected == THRONG_OK || (error->status == expected && error->text[0] != 0 && strchr(error->text, '\n') == NULL);
  if (got == expected && told) return;
  fprintf(stderr, "%s:%d: rank %d of %d: %s returned %s, expected %s: %s\n", file, line, rank, ranks, what,
          throng_status_name(got), throng_status_name(expected), got == THRONG_OK ? "" : error->text);
  end_job();
}

void check_alike(uint64_t number, const char *what, const char *file, int line) {
  uint64_t first = number;
  MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (first == number) return;
  fprintf(stderr, "%s:%d: %s is %016" PRIx64 " on rank %d, %016" PRIx64 " on rank 0\n", file, line, what, number, rank,
          first);
  end_job();
}

void check_named(const throng_error *error, int named) {
  char begin[24];
  snprintf(begin, sizeof begin, "rank %d:", named);
  if (strncmp(error->text, begin, strlen(begin)) == 0) return;
  fprintf(stderr, "rank %d: the error should begin with '%s': %s\n", rank, begin, error->text);
  end_job();
}

void run_rank_cases(const rank_case *cases, size_t count, const char *only) {
  for (size_t k = 0; k < count; k++) {
    if (only && strcmp(only, cases[k].name) != 0) continue;
    const double begun = MPI_Wtime();
    cases[k].run();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("%-40s %6.2f s\n", cases[k].name, MPI_Wtime() - begun);
    fflush(stdout);
  }
}

throng_isa isa_of_rank(void) {
  throng_isa available[THRONG_ISA_COUNT];
  int count = 0;
  for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT; isa++) {
    if (throng_isa_is_available((throng_isa)isa)) available[count++] = (throng_isa)isa;
  }
  return available[rank % count];
}

uint32_t threads_of_rank(void) { return 1 + (uint32_t)rank % 2; }
