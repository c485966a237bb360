/* tests/mpi/test_mpi_cases.c: what hosts do with a world on many ranks, and what happens to it. Each case compares
 * every column with one world after every frame. It runs on any number of ranks; cases that need more are left out.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "mpi/mpi_internal.h"
#include "mpi/twin.h"
#include "support/random.h"

static throng_mpi_def with_slabs(uint32_t slabs) {
  throng_mpi_def def = throng_default_mpi_def();
  def.slabs = slabs;
  def.overlap = THRONG_MPI_OVERLAP_ON;
  return def;
}
static throng_vec3 at(float x, float z) { return (throng_vec3){x, 0.0f, z}; }

/* Wants nothing, but takes a time that has nothing to do with the number of agents. */
static void linger(const throng_block *block, void *context) {
  (void)context;
  const uint64_t draw = (block->frame * 31 + (uint64_t)rank * 17) % 7;
  const clock_t end = clock() + (clock_t)(draw * CLOCKS_PER_SEC / 30000); /* CPU time, because cuts by time follow it */
  while (clock() < end) {
  }
}

#ifdef THRONG_HAS_ZOLTAN
static const int built_cuts = THRONG_MPI_CUT_COUNT;
#else
static const int built_cuts = THRONG_MPI_CUT_RCB;
#endif

/* Cuts by time follow the noise of the machine, so they are other cuts in every frame and in every run. */
static void cuts_move_every_frame(void) {
  const uint32_t forms = (uint32_t)ranks + (built_cuts > THRONG_MPI_CUT_RCB);
  for (uint32_t slabs = 1; slabs <= forms; slabs++) {
    if (slabs <= (uint32_t)ranks && (uint32_t)ranks % slabs != 0) continue;
    throng_mpi_def def = with_slabs(slabs);
    if (slabs > (uint32_t)ranks) {
      def.slabs = 0;
      def.cut = THRONG_MPI_CUT_RCB;
    }
    def.balance = THRONG_MPI_BALANCE_TIME;
    def.balance_every = 1;
    twin t = open_twin(&def, THRONG_BOUNDARY_PERIODIC);
    throng_error error;
    require_ok(throng_world_set_callback(t.whole, 0, linger, NULL, &error), &error);
    require_ok(throng_world_set_callback(throng_mpi_world(t.mpi), 0, linger, NULL, &error), &error);
    sync_twin(&t);
    step_twin(&t, 25);
    CHECK(ranks == 1 || throng_mpi_get_stats(t.mpi).cuts > 0);
    close_twin(&t);
  }
}

/* Slabs are cut along z only. The regions of all forms cover the world without overlap. */
static void forms_of_regions(void) {
  for (int cut = 0; cut < built_cuts; cut++) {
    throng_mpi_def def = throng_default_mpi_def();
    def.cut = (throng_mpi_cut)cut;
    def.balance_every = 5;
    twin t = open_twin(&def, THRONG_BOUNDARY_PERIODIC);
    step_twin(&t, 12);
    test_rng rng = rng_from(5);
    for (int k = 0; k < 2000; k++) {
      const float x = rng_float(&rng, 0.0f, TWIN_SIDE), z = rng_float(&rng, 0.0f, TWIN_SIDE);
      int owners = 0;
      for (int owner = 0; owner < ranks; owner++) {
        throng_mpi_region region;
        throng_error error;
        require_ok(throng_mpi_get_region(t.mpi, owner, &region, &error), &error);
        if (cut == THRONG_MPI_CUT_SLABS) CHECK(region.min_x == -INFINITY && region.max_x == INFINITY);
        owners += x >= region.min_x && x < region.max_x && z >= region.min_z && z < region.max_z;
      }
      CHECK(owners == 1);
    }
    close_twin(&t);
  }
}

/* New cuts of a world without agents. */
static void a_world_is_emptied_and_refilled(void) {
  for (int cut = 0; cut < built_cuts; cut++) {
    throng_mpi_def def = throng_default_mpi_def();
    def.cut = (throng_mpi_cut)cut;
    def.balance_every = 1;
    twin t = open_twin(&def, THRONG_BOUNDARY_BOX);
    for (uint32_t k = 1; k <= TWIN_AGENTS; k++) remove_from_twin(&t, first_id(k));
    sync_twin(&t);
    step_twin(&t, 3);
    CHECK(throng_mpi_agents_count(t.mpi) == 0);
    /* All at one place: some regions have no width. */
    for (uint32_t k = 1; k <= 9; k++)
      add_to_twin(&t, first_id(TWIN_AGENTS + k), at(7.0f, 9.0f), WALKERS, (int)k % ranks);
    sync_twin(&t);
    step_twin(&t, 9);
    close_twin(&t);
  }
}

/* All messages of the first frames are empty. */
static void a_world_begins_without_agents(void) {
  throng_world *worlds[2];
  throng_error error;
  for (int k = 0; k < 2; k++) {
    throng_agent_id ids[TWIN_AGENTS];
    uint32_t count;
    worlds[k] = twin_world(7, THRONG_BOUNDARY_PERIODIC);
    require_ok(throng_agents_get_ids(worlds[k], ids, TWIN_AGENTS, &count, &error), &error);
    require_ok(throng_agents_remove(worlds[k], ids, count, &error), &error);
  }
  twin t = {.whole = worlds[0]};
  require_ok(throng_mpi_create(worlds[1], NULL, &t.mpi, &error), &error);
  step_twin(&t, 2);
  add_to_twin(&t, first_id(TWIN_AGENTS + 1), at(7.0f, 9.0f), WALKERS, ranks - 1);
  sync_twin(&t);
  step_twin(&t, 2);
  close_twin(&t);
}

static void boundaries(void) {
  static const throng_boundary all[] = {THRONG_BOUNDARY_BOX, THRONG_BOUNDARY_UNBOUNDED};
  for (int k = 0; k < 2; k++) {
    throng_mpi_def def = with_slabs(0);
    def.balance = THRONG_MPI_BALANCE_AGENTS;
    def.balance_every = 10;
    twin t = open_twin(&def, all[k]);
    step_twin(&t, 25);
    close_twin(&t);
  }
}

static void agents_come_and_go(void) {
  twin t = open_twin(NULL, THRONG_BOUNDARY_PERIODIC);
  test_rng rng = rng_from(11);
  for (uint32_t round = 0; round < 12; round++) {
    for (uint32_t k = 0; k < 10; k++) {
      const throng_agent_id added = first_id(TWIN_AGENTS + 1 + 10 * round + k),
                            removed = first_id(1 + 60 * round + 3 * k);
      const throng_vec3 place = at(rng_float(&rng, 0.0f, TWIN_SIDE), rng_float(&rng, 0.0f, TWIN_SIDE));
      add_to_twin(&t, added, place, WALKERS, (int)(k + round) % ranks);
      remove_from_twin(&t, removed);
    }
    sync_twin(&t);
    step_twin(&t, 2);
  }
  const throng_agent_id again = {1, 2, 0}; /* the index of an agent that was removed, in its next generation */
  add_to_twin(&t, again, at(5.0f, 5.0f), WALKERS, ranks - 1);
  sync_twin(&t);
  step_twin(&t, 2);
  close_twin(&t);
}

/* The host moves agents anywhere; and in a frame an agent flies over whole regions. */
static void agents_jump(void) {
  twin t = open_twin(NULL, THRONG_BOUNDARY_PERIODIC);
  test_rng rng = rng_from(12);
  for (uint32_t round = 0; round < 8; round++) {
    for (uint32_t k = 0; k < 40; k++) {
      const throng_agent_id id = first_id(1 + rng_below(&rng, TWIN_AGENTS));
      const throng_vec3 place = at(rng_float(&rng, 0.0f, TWIN_SIDE), rng_float(&rng, 0.0f, TWIN_SIDE));
      move_in_twin(&t, id, place, at(rng_float(&rng, -1.0f, 1.0f), 0.5f));
    }
    sync_twin(&t);
    step_twin(&t, 2);
  }
  const throng_agent_id flyer = first_id(TWIN_AGENTS + 1);
  add_to_twin(&t, flyer, at(1.0f, 1.0f), FLYERS, 0);
  sync_twin(&t);
  for (uint32_t round = 0; round < 12; round++) {
    const float speed_x = rng_float(&rng, -1.0f, 1.0f), speed_z = rng_float(&rng, -1.0f, 1.0f);
    const throng_vec3 velocity = at(speed_x * TWIN_SIDE / TWIN_DT, speed_z * TWIN_SIDE / TWIN_DT);
    move_in_twin(&t, flyer, at(rng_float(&rng, 0.0f, TWIN_SIDE), rng_float(&rng, 0.0f, TWIN_SIDE)), velocity);
    sync_twin(&t);
    step_twin(&t, 3);
  }
  close_twin(&t);
}

/* With four columns, a rank has two neighbours round the ring: an agent that flies to the third repeats the frame. */
static void frames_run_again_for_a_far_flight(void) {
  if (ranks < 4) return;
  const throng_mpi_def def = with_slabs(1);
  twin t = open_twin(&def, THRONG_BOUNDARY_PERIODIC);
  const throng_agent_id flyer = first_id(TWIN_AGENTS + 1);
  add_to_twin(&t, flyer, at(1.0f, 1.0f), FLYERS, 0);
  move_in_twin(&t, flyer, at(1.0f, 1.0f), at(0.0f, 0.0f));
  sync_twin(&t);
  CHECK(owner_of(&t, flyer) == 0);
  throng_mpi_region region;
  throng_error error;
  require_ok(throng_mpi_get_region(t.mpi, 2, &region, &error), &error);
  move_in_twin(&t, flyer, at(1.0f, 1.0f), at(((region.min_x + region.max_x) * 0.5f - 1.0f) / TWIN_DT, 0.0f));
  sync_twin(&t);
  step_twin(&t, 1);
  CHECK(owner_of(&t, flyer) == 2);
  CHECK(throng_mpi_get_stats(t.mpi).repeats > 0);
  close_twin(&t);
}

/* As above, but the agent lands in the neighbouring region, so near its other side that the third rank needs it. */
static void frames_run_again_for_a_far_halo(void) {
  if (ranks < 4) return;
  throng_mpi_def def = with_slabs(1);
  def.balance_every = 0;
  for (int apart = 0; apart < 3; apart++) {
    twin t = open_twin(&def, THRONG_BOUNDARY_PERIODIC);
    const throng_agent_id flyer = first_id(TWIN_AGENTS + 1);
    throng_mpi_region region;
    throng_error error;
    require_ok(throng_mpi_get_region(t.mpi, 1, &region, &error), &error);
    const float z = 3.0f + 15.0f * (float)apart, x = region.max_x - 0.4f * (float)(apart + 1);
    add_to_twin(&t, flyer, at(1.0f, z), FLYERS, 0);
    move_in_twin(&t, flyer, at(1.0f, z), at((x - 1.0f) / TWIN_DT, 0.0f));
    sync_twin(&t);
    CHECK(owner_of(&t, flyer) == 0);
    step_twin(&t, 1);
    CHECK(owner_of(&t, flyer) == 1);
    step_twin(&t, 1); /* the walkers of rank 2 perceive it */
    close_twin(&t);
  }
}

/* An agent flies from the middle of its region to a border: it is not in the rim, which moves and is sent first. */
static void frames_run_again_for_a_narrow_rim(void) {
  if (ranks != 2) return; /* with more, every strip of this small world has agents of the rim */
  for (int overlap = THRONG_MPI_OVERLAP_AUTO; overlap < THRONG_MPI_OVERLAP_COUNT; overlap++) {
    throng_mpi_def def = with_slabs(2);
    def.balance_every = 0;
    def.overlap = (throng_mpi_overlap)overlap;
    twin t = open_twin(&def, THRONG_BOUNDARY_PERIODIC);
    const throng_agent_id flyer = first_id(TWIN_AGENTS + 1);
    throng_mpi_region region;
    throng_error error;
    require_ok(throng_mpi_get_region(t.mpi, 1, &region, &error), &error);
    const float high = region.max_z == INFINITY ? TWIN_SIDE : region.max_z, middle = 0.5f * (region.min_z + high);
    add_to_twin(&t, flyer, at(20.0f, middle), FLYERS, 0);
    move_in_twin(&t, flyer, at(20.0f, middle), at(0.0f, (high - 0.4f - middle) / TWIN_DT));
    sync_twin(&t);
    const uint64_t before = throng_mpi_get_stats(t.mpi).repeats;
    step_twin(&t, 1);
    CHECK(owner_of(&t, flyer) == 1);
    const bool repeats = throng_mpi_get_stats(t.mpi).repeats > before;
    CHECK(repeats == (overlap == THRONG_MPI_OVERLAP_ON)); /* the ranks of this test share a machine */
    step_twin(&t, 3);
    close_twin(&t);
  }
}

/* An agent that flies diagonally over the corner of four regions, and over the seam. */
static void an_agent_crosses_a_corner(void) {
  if (ranks != 4) return;
  const throng_mpi_def def = with_slabs(2);
  throng_mpi_def still = def;
  still.balance_every = 0;
  twin t = open_twin(&still, THRONG_BOUNDARY_PERIODIC);
  throng_mpi_region low;
  throng_error error;
  require_ok(throng_mpi_get_region(t.mpi, 0, &low, &error), &error);
  const throng_agent_id flyer = first_id(TWIN_AGENTS + 1);
  add_to_twin(&t, flyer, at(low.max_x - 0.3f, low.max_z - 0.3f), FLYERS, 3);
  move_in_twin(&t, flyer, at(low.max_x - 0.3f, low.max_z - 0.3f), at(0.5f / TWIN_DT, 0.5f / TWIN_DT));
  sync_twin(&t);
  CHECK(owner_of(&t, flyer) == 0);
  step_twin(&t, 1);
  const int after_corner = owner_of(&t, flyer);
  CHECK(after_corner == 3 || low.max_x == INFINITY);
  move_in_twin(&t, flyer, at(TWIN_SIDE - 0.3f, TWIN_SIDE - 0.3f), at(0.5f / TWIN_DT, 0.5f / TWIN_DT));
  sync_twin(&t);
  CHECK(owner_of(&t, flyer) == 3);
  step_twin(&t, 1);
  CHECK(owner_of(&t, flyer) == 0);
  step_twin(&t, 3);
  close_twin(&t);
}

/* Every agent leaves the last rank's region; later all come back. */
static void a_region_is_emptied_and_refilled(void) {
  throng_mpi_def def = with_slabs(1);
  def.balance_every = 0;
  twin t = open_twin(&def, THRONG_BOUNDARY_PERIODIC);
  test_rng rng = rng_from(13);
  throng_mpi_region last;
  throng_error error;
  require_ok(throng_mpi_get_region(t.mpi, ranks - 1, &last, &error), &error);
  const float low = ranks == 1 ? 8.0f : last.min_x;
  for (int refill = 0; refill < 2; refill++) {
    for (uint32_t index = 1; index <= TWIN_AGENTS; index++) {
      const float x = refill ? rng_float(&rng, low, TWIN_SIDE) : rng_float(&rng, 4.0f, low - 4.0f);
      move_in_twin(&t, first_id(index), at(x, rng_float(&rng, 0.0f, TWIN_SIDE)), at(0.0f, 0.0f));
    }
    sync_twin(&t);
    if (ranks > 1) CHECK((throng_agents_count(throng_mpi_world(t.mpi)) > 0) == ((rank == ranks - 1) == (refill == 1)));
    step_twin(&t, 10);
  }
  close_twin(&t);
}

/* Agents that were added on rank 0 all fly into the region of the last rank, whose piece has no capacity for them. */
static void a_piece_grows_within_a_frame(void) {
  throng_mpi_def def = with_slabs(1);
  def.balance_every = 0;
  twin t = open_twin(&def, THRONG_BOUNDARY_BOX);
  throng_mpi_region last;
  throng_error error;
  require_ok(throng_mpi_get_region(t.mpi, ranks - 1, &last, &error), &error);
  const float target = ranks == 1 ? 40.0f : (last.min_x + TWIN_SIDE) * 0.5f;
  for (uint32_t k = 0; k < 3000; k++) {
    const throng_agent_id id = first_id(TWIN_AGENTS + 1 + k);
    const float x = 0.01f * (float)(k % 100), z = 0.015f * (float)k;
    add_to_twin(&t, id, at(x, z), FLYERS, 0);
    if (rank != 0) continue;
    const throng_vec3 velocity = at((target - x) / TWIN_DT, 0.0f);
    require_ok(throng_agents_write(throng_mpi_world(t.mpi), THRONG_COLUMN_VELOCITY, &id, 1, &velocity, 0, &error),
               &error);
  }
  for (uint32_t k = 0; k < 3000; k++) {
    const throng_agent_id id = first_id(TWIN_AGENTS + 1 + k);
    const throng_vec3 velocity = at((target - 0.01f * (float)(k % 100)) / TWIN_DT, 0.0f);
    require_ok(throng_agents_write(t.whole, THRONG_COLUMN_VELOCITY, &id, 1, &velocity, 0, &error), &error);
  }
  sync_twin(&t);
  const uint64_t growths = throng_mpi_get_stats(t.mpi).growths;
  step_twin(&t, 1);
  if (ranks > 1 && rank == ranks - 1) CHECK(throng_agents_count(throng_mpi_world(t.mpi)) >= 3000);
  if (ranks > 1) CHECK(throng_mpi_get_stats(t.mpi).repeats > 0);
  if (ranks > 1 && rank == ranks - 1) CHECK(throng_mpi_get_stats(t.mpi).growths > growths);
  close_twin(&t);
}

/* Errors. */

static uint32_t spoilt[2]; /* id indices; 0: none */
/* Wants what is not finite for the spoilt agents. */
static void spoil(const throng_block *block, void *context) {
  (void)context;
  for (uint32_t k = 0; k < block->count; k++) {
    if (block->id_index[k] == spoilt[0] || block->id_index[k] == spoilt[1]) block->acceleration_x[k] = NAN;
  }
}

static void a_frame_fails_on_all_ranks(void) {
  const throng_mpi_def def = with_slabs(0);
  twin t = open_twin(&def, THRONG_BOUNDARY_PERIODIC);
  throng_error error, whole_error;
  require_ok(throng_world_set_callback(t.whole, 0, spoil, NULL, &error), &error);
  require_ok(throng_world_set_callback(throng_mpi_world(t.mpi), 0, spoil, NULL, &error), &error);
  sync_twin(&t);
  step_twin(&t, 5);
  for (uint32_t index = 20; index < 32; index++) {
    spoilt[0] = index;
    spoilt[1] = index + 400;
    const int owner = owner_of(&t, first_id(index));
    const uint64_t repeats = throng_mpi_get_stats(t.mpi).repeats;
    require_error(throng_mpi_step(t.mpi, TWIN_DT, &error), THRONG_ERROR_NOT_FINITE, &error);
    CHECK(throng_mpi_get_stats(t.mpi).repeats == repeats);
    require_error(throng_world_step(t.whole, TWIN_DT, &whole_error), THRONG_ERROR_NOT_FINITE, &whole_error);
    CHECK(error.agent.index == index && throng_agent_id_equal(error.agent, whole_error.agent));
    check_named(&error, owner);
    check_twin(&t); /* nothing has moved */
    spoilt[0] = spoilt[1] = 0;
    step_twin(&t, 1);
  }
  close_twin(&t);
}

static void worlds_that_differ_are_refused(void) {
  if (ranks == 1) return;
  throng_error error;
  for (int what = 0; what < 3; what++) {
    throng_mpi *mpi = NULL;
    const int other = what == 1 ? 1 : ranks - 1;
    throng_world *world = twin_world(rank == other && what == 0 ? 8 : 7, THRONG_BOUNDARY_PERIODIC);
    throng_group_def group = throng_default_group_def();
    group.max_speed = rank == other && what == 1 ? 2.0f : 1.0f;
    if (what == 1) require_ok(throng_world_set_group(world, 3, &group, &error), &error);
    if (what == 2 && rank == other) require_ok(throng_piece_set_frame(world, 3, &error), &error);
    require_error(throng_mpi_create(world, NULL, &mpi, &error), THRONG_ERROR_BAD_VALUE, &error);
    check_named(&error, other);
    CHECK(strstr(error.text, what == 0 ? "set of agents" : "definition, groups, objects or frame number") != NULL);
    CHECK(mpi == NULL);
    require_ok(throng_world_step(world, TWIN_DT, &error), &error); /* it is still a whole world, and the caller's */
    throng_world_destroy(world);
  }
}

static void changes_that_differ_are_refused(void) {
  if (ranks == 1) return;
  twin t = open_twin(NULL, THRONG_BOUNDARY_PERIODIC);
  throng_error error;
  throng_group_def group = throng_default_group_def();
  group.max_speed = 2.0f;
  step_twin(&t, 2);
  require_ok(throng_world_set_group(t.whole, 3, &group, &error), &error);
  if (rank != 1) require_ok(throng_world_set_group(throng_mpi_world(t.mpi), 3, &group, &error), &error);
  require_error(throng_mpi_sync(t.mpi, &error), THRONG_ERROR_BAD_VALUE, &error);
  check_named(&error, 1);
  if (rank == 1) require_ok(throng_world_set_group(throng_mpi_world(t.mpi), 3, &group, &error), &error);
  sync_twin(&t);
  step_twin(&t, 2);
  close_twin(&t);
}

static void an_id_that_two_ranks_own_is_refused(void) {
  if (ranks == 1) return;
  twin t = open_twin(NULL, THRONG_BOUNDARY_PERIODIC);
  const throng_agent_id id = first_id(TWIN_AGENTS + 1);
  const throng_vec3 place = at(20.0f, 20.0f);
  throng_agents_def def = throng_default_agents_def();
  throng_error error;
  def.position = (throng_span){&place, 0};
  add_to_twin(&t, id, place, WALKERS, 0);
  if (rank == 1) require_ok(throng_agents_add_with_ids(throng_mpi_world(t.mpi), &def, 1, &id, &error), &error);
  require_error(throng_mpi_sync(t.mpi, &error), THRONG_ERROR_STALE_ID, &error);
  close_twin(&t);
}

/* Others. */

static void gathered_agents_are_the_whole_world(void) {
  twin t = open_twin(NULL, THRONG_BOUNDARY_PERIODIC);
  throng_error error;
  step_twin(&t, 5);
  for (int root = 0; root < ranks; root++) {
    throng_world *whole = NULL;
    if (root == ranks - 1) t.mpi->delivery.part_bytes = t.mpi->record_bytes + 1; /* messages of one agent */
    if (rank == root) {
      throng_agent_id ids[TWIN_AGENTS];
      uint32_t count;
      whole = twin_world(7, THRONG_BOUNDARY_PERIODIC);
      require_ok(throng_agents_get_ids(whole, ids, TWIN_AGENTS, &count, &error), &error);
      require_ok(throng_agents_remove(whole, ids, count, &error), &error);
      require_ok(throng_piece_set_frame(whole, throng_mpi_get_stats(t.mpi).frames, &error), &error);
    }
    require_ok(throng_mpi_gather(t.mpi, root, whole, &error), &error);
    check_twin(&t);
    if (rank == root) {
      CHECK(throng_world_hash(whole, EVERY_COLUMN) == throng_world_hash(t.whole, EVERY_COLUMN));
      require_ok(throng_world_step(whole, TWIN_DT, &error), &error);
    }
    step_twin(&t, 1);
    if (rank == root) CHECK(throng_world_hash(whole, EVERY_COLUMN) == throng_world_hash(t.whole, EVERY_COLUMN));
    throng_world_destroy(whole);
  }
  close_twin(&t);
}

/* Each agent counts on the rank that owns it, and no ghost does. */
static void profiles_add_up(void) {
  twin t = open_twin(NULL, THRONG_BOUNDARY_PERIODIC);
  throng_profile own, whole;
  throng_error error;
  step_twin(&t, 8);
  require_ok(throng_world_get_profile(throng_mpi_world(t.mpi), &own, &error), &error);
  require_ok(throng_world_get_profile(t.whole, &whole, &error), &error);
  uint64_t sum[3] = {own.agent_updates, own.neighbours_found, own.lost_moves};
  MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  CHECK(whole.agent_updates == 8 * TWIN_AGENTS && whole.neighbours_found > 0);
  CHECK(sum[0] == whole.agent_updates && sum[1] == whole.neighbours_found && sum[2] == whole.lost_moves);
  close_twin(&t);
}

/* A test that cannot fail shows nothing: with too few ghosts, the bits differ. */
static void a_halo_too_small_changes_bits(void) {
  if (ranks == 1) return;
  twin t = open_twin(NULL, THRONG_BOUNDARY_PERIODIC);
  throng_error error;
  t.mpi->cuts.halo *= 0.25f;
  require_ok(throng_mpi_sync(t.mpi, &error), &error);
  for (int frame = 0; frame < 5; frame++) {
    require_ok(throng_mpi_step(t.mpi, TWIN_DT, &error), &error);
    require_ok(throng_world_step(t.whole, TWIN_DT, &error), &error);
  }
  CHECK(throng_mpi_hash(t.mpi, 0) != throng_world_hash(t.whole, 0));
  close_twin(&t);
}

int main(int argc, char **argv) {
  static const rank_case cases[] = {
      {"cuts_move_every_frame", cuts_move_every_frame},
      {"forms_of_regions", forms_of_regions},
      {"a_world_is_emptied_and_refilled", a_world_is_emptied_and_refilled},
      {"a_world_begins_without_agents", a_world_begins_without_agents},
      {"boundaries", boundaries},
      {"agents_come_and_go", agents_come_and_go},
      {"agents_jump", agents_jump},
      {"frames_run_again_for_a_far_flight", frames_run_again_for_a_far_flight},
      {"frames_run_again_for_a_far_halo", frames_run_again_for_a_far_halo},
      {"frames_run_again_for_a_narrow_rim", frames_run_again_for_a_narrow_rim},
      {"an_agent_crosses_a_corner", an_agent_crosses_a_corner},
      {"a_region_is_emptied_and_refilled", a_region_is_emptied_and_refilled},
      {"a_piece_grows_within_a_frame", a_piece_grows_within_a_frame},
      {"a_frame_fails_on_all_ranks", a_frame_fails_on_all_ranks},
      {"worlds_that_differ_are_refused", worlds_that_differ_are_refused},
      {"changes_that_differ_are_refused", changes_that_differ_are_refused},
      {"an_id_that_two_ranks_own_is_refused", an_id_that_two_ranks_own_is_refused},
      {"gathered_agents_are_the_whole_world", gathered_agents_are_the_whole_world},
      {"profiles_add_up", profiles_add_up},
      {"a_halo_too_small_changes_bits", a_halo_too_small_changes_bits},
  };
  start_ranks(&argc, &argv, 600);
  run_rank_cases(cases, sizeof cases / sizeof cases[0], argc > 1 ? argv[1] : NULL);
  MPI_Finalize();
  return 0;
}
