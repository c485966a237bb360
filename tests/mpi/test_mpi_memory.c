/* tests/mpi/test_mpi_memory.c: one rank has no memory. For every allocation of a call, all ranks return OUT_OF_MEMORY,
 * nothing is lost, and the call then works. It needs a linker with --wrap and runs on any number of ranks.
 *     test_mpi_memory [CASE]
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "mpi/mpi_internal.h"
#include "mpi/twin.h"

#define CHASERS 2u

/* Allocations of this thread until one fails; negative: none fails. */
static _Thread_local int left = -1;
static bool failed;

static bool is_refused(void) {
  if (left < 0 || left-- > 0) return false;
  failed = true;
  return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size) { return is_refused() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return is_refused() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return is_refused() ? NULL : __real_realloc(old, size); }

/* The messages of a frame end the job if there is no memory to receive them: throng/mpi.h. */
throng_status __real_throng_mpi_end_send(throng_mpi *mpi, struct peers *peers, throng_error *error);
throng_status __wrap_throng_mpi_end_send(throng_mpi *mpi, struct peers *peers, throng_error *error);
throng_status __wrap_throng_mpi_end_send(throng_mpi *mpi, struct peers *peers, throng_error *error) {
  const int before = left;
  left = -1;
  const throng_status status = __real_throng_mpi_end_send(mpi, peers, error);
  left = before;
  return status;
}

/* Calls `call` with one failed allocation after another on rank `poor`, until it needs no more. Calls `after` after
 * each failure. Returns the number of failures, or 0 on other ranks. */
typedef throng_status memory_call(twin *t, throng_error *error);
static uint32_t fail_each(twin *t, int poor, memory_call *call, void (*after)(twin *t)) {
  for (uint32_t failures = 0;; failures++) {
    throng_error error;
    if (rank == poor) left = (int)failures;
    failed = false;
    const throng_status status = call(t, &error);
    left = -1;
    CHECK_ALIKE(status);
    CHECK(status == THRONG_OK || status == THRONG_ERROR_OUT_OF_MEMORY);
    CHECK(rank != poor || failed == (status != THRONG_OK));
    if (status == THRONG_OK) return rank == poor ? failures : 0;
    CHECK(error.status == status);
    check_named(&error, poor);
    after(t);
  }
}

static bool solid; /* whether the agents below have contact */
/* A third of the agents chase agents anywhere. */
static throng_world *chasing_world(void) {
  throng_world *world = twin_world(7, THRONG_BOUNDARY_PERIODIC);
  throng_group_def chasers = throng_default_group_def();
  throng_group_def walkers;
  throng_error error;
  require_ok(throng_world_get_group(world, WALKERS, &walkers, &error), &error);
  if (!solid) walkers.contact = 0.0f;
  require_ok(throng_world_set_group(world, WALKERS, &walkers, &error), &error);
  chasers.max_speed = 9.0f;
  throng_group_def_add(&chasers, THRONG_BEHAVIOUR_PURSUE)->target.kind = THRONG_TARGET_OWN;
  require_ok(throng_world_set_group(world, CHASERS, &chasers, &error), &error);
  for (uint32_t index = 1; index <= TWIN_AGENTS; index += 3) {
    const throng_agent_id id = first_id(index), target = first_id(1 + index * 7 % TWIN_AGENTS);
    const uint8_t group = CHASERS;
    require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &id, 1, &group, 0, &error), &error);
    require_ok(throng_agents_write(world, THRONG_COLUMN_TARGET, &id, 1, &target, 0, &error), &error);
  }
  return world;
}

static twin open_chase(void) {
  twin t = {.whole = chasing_world()};
  throng_error error;
  require_ok(throng_mpi_create(chasing_world(), NULL, &t.mpi, &error), &error);
  check_twin(&t);
  return t;
}

static void release_requests(struct requests *list) {
  free(list->item);
  *list = (struct requests){0};
}
static void release_bytes(struct bytes *bytes) {
  free(bytes->data);
  *bytes = (struct bytes){0};
}

/* Forgets all memory that holds nothing between frames, so that the next call allocates it. */
static void starve(throng_mpi *mpi) {
  struct targets *targets = &mpi->targets;
  struct requests *const requests[] = {&targets->next_told, &targets->next_asked, &targets->once, &targets->out};
  struct wants *const wants[] = {&targets->gained, &targets->lost, &targets->moved, &targets->merged};
  struct bytes *const bytes[] = {&mpi->out, &mpi->in, &targets->answers};
  for (size_t k = 0; k < sizeof requests / sizeof *requests; k++) release_requests(requests[k]);
  for (size_t k = 0; k < sizeof wants / sizeof *wants; k++) {
    free(wants[k]->item);
    *wants[k] = (struct wants){0};
  }
  for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) release_bytes(bytes[k]);
  free(targets->elements.element);
  targets->elements = (struct list){0};
  for (int n = 0; mpi->contact && n < mpi->near.count; n++) {
    free(mpi->contact[n].own);
    free(mpi->contact[n].ghosts);
    mpi->contact[n] = (struct contact_list){0};
  }
}

static throng_status step(twin *t, throng_error *error) { return throng_mpi_step(t->mpi, TWIN_DT, error); }
static throng_status sync(twin *t, throng_error *error) { return throng_mpi_sync(t->mpi, error); }

static void nothing_moved(twin *t) {
  check_twin(t);
  starve(t->mpi);
}
static void no_agent_is_lost(twin *t) {
  throng_error error;
  require_error(throng_mpi_step(t->mpi, TWIN_DT, &error), THRONG_ERROR_NOT_INDEXED, &error);
  starve(t->mpi);
}

static void frames_fail(void) {
  throng_error error;
  twin t = open_chase();
  uint32_t failures = 0;
  for (int round = 0; round < 6 * ranks; round++) {
    step_twin(&t, 2);
    starve(t.mpi);
    failures += fail_each(&t, round % ranks, step, nothing_moved);
    require_ok(throng_world_step(t.whole, TWIN_DT, &error), &error);
    check_twin(&t);
  }
  CHECK(ranks == 1 || failures >= 12);
  step_twin(&t, 5);
  close_twin(&t);
}

static void frames_with_contact_fail(void) {
  solid = true;
  twin t = open_chase();
  solid = false;
  for (int poor = 0; poor < ranks; poor++) {
    throng_error error;
    starve(t.mpi);
    const uint32_t failures = fail_each(&t, poor, step, nothing_moved);
    CHECK(rank != poor || ranks == 1 || failures > 4);
    require_ok(throng_world_step(t.whole, TWIN_DT, &error), &error);
    check_twin(&t);
  }
  close_twin(&t);
}

static void syncs_fail(void) {
  twin t = open_chase();
  for (int poor = 0; poor < ranks; poor++) {
    step_twin(&t, 2);
    starve(t.mpi);
    const uint32_t failures = fail_each(&t, poor, sync, no_agent_is_lost);
    CHECK(rank != poor || failures > 10);
    check_twin(&t);
  }
  step_twin(&t, 5);
  close_twin(&t);
}

/* Calls that make something. `file` is in the folder of the test. */

static const char file[] = "test_mpi_memory.checkpoint";

static throng_mpi_def def; /* of create */
static throng_status create(twin *t, throng_error *error) {
  throng_world *world = chasing_world();
  const throng_status status = throng_mpi_create(world, &def, &t->mpi, error);
  if (status != THRONG_OK) throng_world_destroy(world);
  return status;
}
static throng_status load(twin *t, throng_error *error) {
  throng_world *world = chasing_world();
  const throng_status status = throng_mpi_load(world, NULL, file, &t->mpi, error);
  if (status != THRONG_OK) throng_world_destroy(world);
  return status;
}
static throng_status save(twin *t, throng_error *error) { return throng_mpi_save(t->mpi, file, error); }
static throng_status inspect(twin *t, throng_error *error) {
  throng_mpi_checkpoint found;
  (void)t;
  return throng_mpi_inspect(MPI_COMM_WORLD, file, &found, error);
}
static throng_status gather(twin *t, throng_error *error) {
  throng_world *whole = NULL;
  throng_error none;
  if (rank == 0) {
    static throng_agent_id ids[TWIN_AGENTS];
    uint32_t count;
    whole = chasing_world();
    require_ok(throng_agents_get_ids(whole, ids, TWIN_AGENTS, &count, &none), &none);
    require_ok(throng_agents_remove(whole, ids, count, &none), &none);
  }
  const throng_status status = throng_mpi_gather(t->mpi, 0, whole, error);
  if (rank == 0) CHECK(throng_agents_count(whole) == (status == THRONG_OK ? TWIN_AGENTS : 0));
  throng_world_destroy(whole);
  return status;
}
static void nothing_is_made(twin *t) { (void)t; }
static void no_file_is_left(twin *t) {
  FILE *found = fopen(file, "rb");
  CHECK(!found);
  check_twin(t);
}

static void creates_and_loads_fail(void) {
  def = throng_default_mpi_def();
  if (rank == 0) remove(file); /* of an earlier run */
  for (int poor = 0; poor < ranks; poor++) {
    twin t = {.whole = chasing_world()};
    uint32_t failures = fail_each(&t, poor, create, nothing_is_made);
    step_twin(&t, 2);
    failures = fail_each(&t, poor, gather, nothing_moved);
    CHECK(rank != poor || failures > 1);
    failures = fail_each(&t, poor, save, no_file_is_left);
    CHECK(rank != poor || failures > 5);
    failures = fail_each(&t, poor, inspect, nothing_is_made);
    CHECK(rank != poor || failures > 1);
    throng_mpi_destroy(t.mpi);
    failures = fail_each(&t, poor, load, nothing_is_made);
    CHECK(rank != poor || failures > 20);
    step_twin(&t, 2);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) CHECK(remove(file) == 0);
    close_twin(&t);
  }
}

static void synced(twin *t) {
  throng_error error;
  require_ok(throng_mpi_sync(t->mpi, &error), &error);
  nothing_moved(t);
}

/* Frames that begin with new cuts. */
static void cuts_fail(void) {
  static const throng_mpi_cut cuts[] = {
      THRONG_MPI_CUT_BLOCKS,
#ifdef THRONG_HAS_ZOLTAN
      THRONG_MPI_CUT_RCB,
#endif
  };
  def = throng_default_mpi_def();
  def.balance_every = 1;
  for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
    def.cut = cuts[k];
    for (int poor = 0; poor < ranks; poor++) {
      throng_error error;
      twin t = {.whole = chasing_world()};
      fail_each(&t, poor, create, nothing_is_made);
      step_twin(&t, 2);
      const uint32_t failures = fail_each(&t, poor, step, synced);
      CHECK(rank != poor || ranks == 1 || failures > 10);
      require_ok(throng_world_step(t.whole, TWIN_DT, &error), &error);
      check_twin(&t);
      close_twin(&t);
    }
  }
}

#ifdef THRONG_HAS_ZOLTAN
/* The result of Zoltan on the last rank; 0: its own. */
static int pretended;
#define ZOLTAN_ARGUMENTS                                                                                               \
  void *zoltan, int *changes, int *ids, int *locals, int *in, unsigned **in_id, unsigned **in_local, int **from,       \
      int **from_part, int *out, unsigned **out_id, unsigned **out_local, int **to, int **to_part
int __real_Zoltan_LB_Partition(ZOLTAN_ARGUMENTS);
int __wrap_Zoltan_LB_Partition(ZOLTAN_ARGUMENTS);
int __wrap_Zoltan_LB_Partition(ZOLTAN_ARGUMENTS) {
  const int status = __real_Zoltan_LB_Partition(zoltan, changes, ids, locals, in, in_id, in_local, from, from_part, out,
                                                out_id, out_local, to, to_part);
  return pretended != 0 && rank == ranks - 1 ? pretended : status;
}

static void zoltan_fails(void) {
  static const struct {
    int zoltan;
    throng_status status;
  } cases[] = {{-1, THRONG_ERROR_UNSUPPORTED}, {-2, THRONG_ERROR_OUT_OF_MEMORY}}; /* ZOLTAN_FATAL, ZOLTAN_MEMERR */
  def = throng_default_mpi_def();
  def.cut = THRONG_MPI_CUT_RCB;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    throng_error error;
    twin t;
    pretended = cases[k].zoltan;
    require_error(create(&t, &error), cases[k].status, &error);
    check_named(&error, ranks - 1);
  }
  pretended = 0;
}
#else
static void zoltan_fails(void) {}
#endif

int main(int argc, char **argv) {
  static const rank_case cases[] = {
      {"frames_fail", frames_fail}, {"frames_with_contact_fail", frames_with_contact_fail},
      {"syncs_fail", syncs_fail},   {"creates_and_loads_fail", creates_and_loads_fail},
      {"cuts_fail", cuts_fail},     {"zoltan_fails", zoltan_fails},
  };
  start_ranks(&argc, &argv, 600);
  run_rank_cases(cases, sizeof cases / sizeof cases[0], argc > 1 ? argv[1] : NULL);
  MPI_Finalize();
  return 0;
}
