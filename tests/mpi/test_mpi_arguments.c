/* tests/mpi/test_mpi_arguments.c: the functions of throng/mpi.h with wrong arguments, the same on every rank.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "mpi/twin.h"

/* As in support/wrong.h. */
#define ANSWERS(value, function, ...) CHECK(function(__VA_ARGS__) == (value))
#define SURVIVES(function, ...) function(__VA_ARGS__)

/* Takes the place of the library's own function. */
static uint64_t pretended_sources = 1;
uint64_t throng_piece_sources(void) { return pretended_sources; }

static void libraries_that_differ_are_refused(void) {
  throng_world *world = twin_world(7, THRONG_BOUNDARY_BOX);
  for (int other = 1; other < ranks; other++) {
    throng_mpi *mpi = NULL;
    throng_error error;
    pretended_sources = rank >= other ? 0xabcdefu : 1;
    require_error(throng_mpi_create(world, NULL, &mpi, &error), THRONG_ERROR_UNSUPPORTED, &error);
    check_named(&error, other);
    CHECK(strstr(error.text, "libthrong was built from other sources (hash 0000000000abcdef)") != NULL);
    CHECK(mpi == NULL && throng_mpi_create(world, NULL, &mpi, NULL) == THRONG_ERROR_UNSUPPORTED);
  }
  pretended_sources = 1;
  throng_world_destroy(world);
}

static void of_create(void) {
  throng_world *world = twin_world(7, THRONG_BOUNDARY_BOX);
  throng_mpi_def def = throng_default_mpi_def();
  throng_mpi *mpi = NULL;
  throng_error error;
  require_error(throng_mpi_create(NULL, &def, &mpi, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_mpi_create(world, &def, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  def.cookie++;
  require_error(throng_mpi_create(world, &def, &mpi, &error), THRONG_ERROR_BAD_COOKIE, &error);
  def = throng_default_mpi_def();
  def.balance = THRONG_MPI_BALANCE_COUNT;
  require_error(throng_mpi_create(world, &def, &mpi, &error), THRONG_ERROR_BAD_VALUE, &error);
  def = throng_default_mpi_def();
  def.overlap = THRONG_MPI_OVERLAP_COUNT;
  require_error(throng_mpi_create(world, &def, &mpi, &error), THRONG_ERROR_BAD_VALUE, &error);
  def = throng_default_mpi_def();
  def.slabs = (uint32_t)ranks + 1;
  require_error(throng_mpi_create(world, &def, &mpi, &error), THRONG_ERROR_BAD_VALUE, &error);
  def = throng_default_mpi_def();
  def.cut = THRONG_MPI_CUT_COUNT;
  require_error(throng_mpi_create(world, &def, &mpi, &error), THRONG_ERROR_BAD_VALUE, &error);
  def.cut = THRONG_MPI_CUT_SLABS;
  def.slabs = (uint32_t)ranks;
  require_error(throng_mpi_create(world, &def, &mpi, &error), THRONG_ERROR_BAD_VALUE, &error);
#ifndef THRONG_HAS_ZOLTAN
  def.cut = THRONG_MPI_CUT_RCB;
  def.slabs = 0;
  require_error(throng_mpi_create(world, &def, &mpi, &error), THRONG_ERROR_UNSUPPORTED, &error);
  CHECK(strstr(error.text, "built without Zoltan") != NULL);
#endif
  CHECK(throng_mpi_create(NULL, NULL, NULL, NULL) == THRONG_ERROR_NULL_ARGUMENT);
  CHECK(mpi == NULL);
  throng_world_destroy(world);
}

static void of_null(void) {
  const throng_mpi_stats stats = throng_mpi_get_stats(NULL);
  throng_mpi_region region;
  throng_error error;
  CHECK(stats.frames == 0 && stats.messages == 0 && stats.step_seconds == 0.0);
  SURVIVES(throng_mpi_destroy, NULL);
  SURVIVES(throng_mpi_get_stats, NULL);
  ANSWERS(NULL, throng_mpi_world, NULL);
  ANSWERS(0, throng_mpi_agents_count, NULL);
  ANSWERS(0, throng_mpi_hash, NULL, 0);
  require_error(throng_mpi_sync(NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_mpi_step(NULL, TWIN_DT, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_mpi_gather(NULL, 0, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_mpi_get_region(NULL, 0, &region, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  CHECK(throng_mpi_sync(NULL, NULL) == THRONG_ERROR_NULL_ARGUMENT);
}

static void of_others(void) {
  twin t = open_twin(NULL, THRONG_BOUNDARY_BOX);
  throng_mpi_region region;
  throng_error error;
  static const float wrong[] = {-0.1f, 1.5f, INFINITY};
  for (int k = 0; k < 3; k++) require_error(throng_mpi_step(t.mpi, wrong[k], &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_mpi_step(t.mpi, NAN, &error), THRONG_ERROR_NOT_FINITE, &error);
  CHECK(throng_mpi_step(t.mpi, NAN, NULL) == THRONG_ERROR_NOT_FINITE);
  require_error(throng_mpi_get_region(t.mpi, 0, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_mpi_get_region(t.mpi, -1, &region, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_mpi_get_region(t.mpi, ranks, &region, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_mpi_gather(t.mpi, -1, NULL, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_mpi_gather(t.mpi, ranks, NULL, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_mpi_gather(t.mpi, ranks - 1, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  check_named(&error, ranks - 1);
  throng_world *full = rank == 0 ? twin_world(7, THRONG_BOUNDARY_BOX) : NULL; /* it has the agents already */
  require_error(throng_mpi_gather(t.mpi, 0, full, &error), THRONG_ERROR_STALE_ID, &error);
  throng_world_destroy(full);
  check_twin(&t);
  step_twin(&t, 2);
  close_twin(&t);
}

int main(int argc, char **argv) {
  start_ranks(&argc, &argv, 300);
  libraries_that_differ_are_refused();
  of_create();
  of_null();
  of_others();
  MPI_Finalize();
  return 0;
}
