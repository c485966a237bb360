/* tests/mpi/ranks.h: checks for programs that mpirun starts. cmocka cannot be used here: a rank that leaves a test
 * early would let the others wait for ever. A check that fails prints why and ends the job on all ranks.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_RANKS_H
#define TEST_RANKS_H

#include <throng/mpi.h>
#include <throng/throng.h>

extern int rank, ranks; /* of MPI_COMM_WORLD */

/* Call it first. It starts MPI, and ends the job if it takes longer than `seconds`. */
void start_ranks(int *argc, char ***argv, unsigned seconds);

/* A test that all ranks run together. */
typedef struct rank_case {
  const char *name;
  void (*run)(void);
} rank_case;

/* Runs all cases, or the one of this name, and prints how long each takes. `only` may be NULL. */
void run_rank_cases(const rank_case *cases, size_t count, const char *only);

/* Ends the job unless the condition holds. */
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
void check(bool holds, const char *what, const char *file, int line);

/* Ends the job unless the call returns this status, and unless the error has it too, with a text of one line. */
#define require_ok(call, error) require((call), THRONG_OK, (error), #call, __FILE__, __LINE__)
#define require_error(call, expected, error) require((call), (expected), (error), #call, __FILE__, __LINE__)
void require(throng_status got, throng_status expected, const throng_error *error, const char *what, const char *file,
             int line);

/* Ends the job unless all ranks give the same number. */
#define CHECK_ALIKE(number) check_alike((uint64_t)(number), #number, __FILE__, __LINE__)
void check_alike(uint64_t number, const char *what, const char *file, int line);

/* Ends the job unless the text begins with "rank <named>:". */
void check_named(const throng_error *error, int named);

/* An instruction set and a number of threads that differ between ranks, as far as this CPU allows. */
throng_isa isa_of_rank(void);
uint32_t threads_of_rank(void);

#endif
