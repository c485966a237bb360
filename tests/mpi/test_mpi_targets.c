/* tests/mpi/test_mpi_targets.c: own targets (THRONG_TARGET_OWN) anywhere in a world on many ranks. Each case compares
 * every column with one world after every frame. It runs on any number of ranks.
 *     test_mpi_targets [CASE]
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mpi/mpi_internal.h"
#include "mpi/twin.h"
#include "support/random.h"

#define AGENTS 2400u
#define SIDE 60.0f

/* Chasers pursue their targets. Jumpers keep their velocity, and may fly over whole regions in a frame. */
enum { CHASERS, JUMPERS };

static uint32_t spoilt; /* id index; 0: none */
static void spoil(const throng_block *block, void *context) {
  (void)context;
  for (uint32_t k = 0; k < block->count; k++) {
    if (block->id_index[k] == spoilt) block->acceleration_x[k] = NAN;
  }
}

static void set_groups(throng_world *world, bool solid) {
  throng_group_def chasers = throng_default_group_def(), jumpers = throng_default_group_def();
  throng_error error;
  chasers.max_speed = 9.0f;
  chasers.max_acceleration = 30.0f;
  chasers.contact = solid ? 0.5f : 0.0f;
  chasers.body_radius = 0.3f;
  throng_group_def_add(&chasers, THRONG_BEHAVIOUR_PURSUE)->target.kind = THRONG_TARGET_OWN;
  throng_group_def_add(&chasers, THRONG_BEHAVIOUR_WANDER);
  throng_group_def_add(&chasers, THRONG_BEHAVIOUR_CALLBACK);
  jumpers.max_speed = 1e6f;
  jumpers.separation.weight = jumpers.cohesion.weight = jumpers.alignment.weight = 0.0f;
  require_ok(throng_world_set_group(world, CHASERS, &chasers, &error), &error);
  require_ok(throng_world_set_group(world, JUMPERS, &jumpers, &error), &error);
  require_ok(throng_world_set_callback(world, 0, spoil, NULL, &error), &error);
}

/* Writes the index of each agent's target, or 0: agent k has index k + 1. */
typedef void choose_targets(const throng_vec3 *position, test_rng *rng, uint32_t *target);

static throng_world *make_world(throng_boundary boundary, bool solid, choose_targets *choose) {
  static throng_vec3 position[AGENTS], velocity[AGENTS];
  static throng_agent_id id[AGENTS];
  static uint32_t target[AGENTS];
  throng_world_def def = throng_default_world_def();
  throng_agents_def agents = throng_default_agents_def();
  throng_world *world = NULL;
  throng_error error;
  throng_world_def_set_boundary(&def, boundary);
  def.box_max = (throng_vec3){SIDE, SIDE, SIDE};
  def.perception_radius = TWIN_RADIUS;
  def.contact_iterations = 3;
  def.isa = isa_of_rank();
  def.thread_count = threads_of_rank();
  require_ok(throng_world_create(&def, &world, &error), &error);
  set_groups(world, solid);
  test_rng rng = rng_from(31);
  for (uint32_t k = 0; k < AGENTS; k++) {
    position[k] = (throng_vec3){rng_float(&rng, 0.0f, SIDE), 0.0f, rng_float(&rng, 0.0f, SIDE)};
    velocity[k] = (throng_vec3){rng_float(&rng, -5.0f, 5.0f), 0.0f, rng_float(&rng, -5.0f, 5.0f)};
  }
  agents.position = (throng_span){position, 0};
  agents.velocity = (throng_span){velocity, 0};
  require_ok(throng_agents_add(world, &agents, AGENTS, NULL, &error), &error);
  choose(position, &rng, target);
  for (uint32_t k = 0; k < AGENTS; k++) id[k] = target[k] ? first_id(target[k]) : (throng_agent_id){0};
  require_ok(throng_agents_write(world, THRONG_COLUMN_TARGET, NULL, AGENTS, id, 0, &error), &error);
  return world;
}

static twin open_targets(const throng_mpi_def *def, throng_boundary boundary, bool solid, choose_targets *choose) {
  twin t = {.whole = make_world(boundary, solid, choose)};
  throng_error error;
  require_ok(throng_mpi_create(make_world(boundary, solid, choose), def, &t.mpi, &error), &error);
  check_twin(&t);
  return t;
}

static throng_mpi_def with_slabs(uint32_t slabs, uint32_t balance_every) {
  throng_mpi_def def = throng_default_mpi_def();
  def.slabs = slabs;
  def.balance_every = balance_every;
  return def;
}

static void anyone(const throng_vec3 *position, test_rng *rng, uint32_t *target) {
  (void)position;
  for (uint32_t k = 0; k < AGENTS; k++) {
    target[k] = rng_below(rng, 5) == 0 ? 0 : 1 + rng_below(rng, AGENTS);
    if (target[k] == k + 1) target[k] = 0;
  }
}
static void one_agent(const throng_vec3 *position, test_rng *rng, uint32_t *target) {
  (void)position, (void)rng;
  for (uint32_t k = 0; k < AGENTS; k++) target[k] = k == 0 ? AGENTS : 1;
}
static void the_next_in_a_ring(const throng_vec3 *position, test_rng *rng, uint32_t *target) {
  (void)position, (void)rng;
  for (uint32_t k = 0; k < AGENTS; k++) target[k] = 1 + (k + 1) % AGENTS;
}
/* The nearest along x of those at about the same z. */
static void a_near_one(const throng_vec3 *position, test_rng *rng, uint32_t *target) {
  (void)rng;
  for (uint32_t k = 0; k < AGENTS; k++) {
    float nearest = INFINITY;
    for (uint32_t j = 0; j < AGENTS; j++) {
      const float x = position[j].x - position[k].x, z = position[j].z - position[k].z, d = x * x + z * z;
      if (j == k || d >= nearest) continue;
      nearest = d;
      target[k] = j + 1;
    }
  }
}

/* Every layout, with cuts that move. */
static void targets_anywhere(void) {
  for (uint32_t slabs = 1; slabs <= (uint32_t)ranks; slabs++) {
    if ((uint32_t)ranks % slabs != 0) continue;
    const throng_mpi_def def = with_slabs(slabs, 7);
    twin t = open_targets(&def, slabs == 1 ? THRONG_BOUNDARY_PERIODIC : THRONG_BOUNDARY_BOX, slabs == 2, anyone);
    step_twin(&t, 25);
    const throng_mpi_stats stats = throng_mpi_get_stats(t.mpi);
    CHECK(stats.frames == 25 && (ranks == 1) == (stats.request_bytes == 0));
    close_twin(&t);
  }
}

/* Messages of one record each. */
static void messages_in_parts(void) {
  twin t = open_targets(NULL, THRONG_BOUNDARY_PERIODIC, false, anyone);
  step_twin(&t, 3);
  const uint64_t before = throng_mpi_get_stats(t.mpi).messages;
  t.mpi->delivery.part_bytes = t.mpi->ghost_bytes + 1;
  sync_twin(&t);
  step_twin(&t, 5);
  CHECK(ranks == 1 || throng_mpi_get_stats(t.mpi).messages > before + AGENTS);
  close_twin(&t);
}

/* Own targets far away make no rank a peer: these exchange with each other in every frame and contact iteration. */
static void peers_stay_neighbours(void) {
  if (ranks < 3) return;
  const throng_mpi_def def = with_slabs(1, 0);
  twin t = open_targets(&def, THRONG_BOUNDARY_BOX, false, anyone);
  step_twin(&t, 2);
  CHECK(t.mpi->near.count == (rank == 0 || rank == ranks - 1 ? 1 : 2));
  close_twin(&t);
}

static void all_have_one_target(void) {
  twin t = open_targets(NULL, THRONG_BOUNDARY_UNBOUNDED, true, one_agent);
  step_twin(&t, 60); /* they meet */
  close_twin(&t);
}

static void targets_in_a_ring(void) {
  twin t = open_targets(NULL, THRONG_BOUNDARY_PERIODIC, true, the_next_in_a_ring);
  step_twin(&t, 25);
  close_twin(&t);
}

static void near_targets(void) {
  twin t = open_targets(NULL, THRONG_BOUNDARY_BOX, true, a_near_one);
  step_twin(&t, 25);
  close_twin(&t);
}

static void cuts_move_every_frame(void) {
  throng_mpi_def def = with_slabs(0, 1);
  def.balance = THRONG_MPI_BALANCE_TIME;
  twin t = open_targets(&def, THRONG_BOUNDARY_PERIODIC, false, anyone);
  step_twin(&t, 15);
  close_twin(&t);
}

/* Lost targets, and an id that comes back. */
static void targets_are_removed(void) {
  twin t = open_targets(NULL, THRONG_BOUNDARY_PERIODIC, false, the_next_in_a_ring);
  for (uint32_t round = 0; round < 5; round++) {
    for (uint32_t k = 0; k < 30; k++) remove_from_twin(&t, first_id(1 + round * 100 + 3 * k));
    sync_twin(&t);
    step_twin(&t, 3);
    uint64_t lost = throng_world_lost_target_count(throng_mpi_world(t.mpi)), sum;
    MPI_Allreduce(&lost, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == throng_world_lost_target_count(t.whole));
  }
  for (uint32_t k = 0; k < 10; k++) {
    const throng_vec3 place = {3.0f + 5.0f * (float)k, 0.0f, 55.0f - 5.0f * (float)k};
    add_to_twin(&t, first_id(1 + 3 * k), place, CHASERS, (int)k % ranks); /* the same id: it is a target again */
    add_to_twin(&t, (throng_agent_id){101 + 3 * k, 2, 0}, place, CHASERS, (int)k % ranks); /* another one */
  }
  sync_twin(&t);
  step_twin(&t, 5);
  close_twin(&t);
}

static void give_target(twin *t, throng_agent_id id, throng_agent_id target) {
  throng_error error;
  require_ok(throng_agents_write(t->whole, THRONG_COLUMN_TARGET, &id, 1, &target, 0, &error), &error);
  if (!owns(t, id)) return;
  require_ok(throng_agents_write(throng_mpi_world(t->mpi), THRONG_COLUMN_TARGET, &id, 1, &target, 0, &error), &error);
}

static void hosts_change_targets(void) {
  twin t = open_targets(NULL, THRONG_BOUNDARY_PERIODIC, false, anyone);
  test_rng rng = rng_from(32);
  for (uint32_t round = 0; round < 4; round++) {
    for (uint32_t k = 0; k < 40; k++) {
      const throng_agent_id a = first_id(1 + rng_below(&rng, AGENTS)), b = first_id(1 + rng_below(&rng, AGENTS));
      const throng_agent_id none = {0};
      if (a.index == b.index) continue;
      give_target(&t, a, owner_of(&t, a) == owner_of(&t, b) ? b : none);
    }
    sync_twin(&t);
    step_twin(&t, 3);
  }
  close_twin(&t);
}

/* Targets, and agents with targets, fly over regions: frames run again, and agents bring targets that a rank did not
 * have. */
static void targets_fly(void) {
  for (uint32_t slabs = 1; slabs <= 2 && slabs <= (uint32_t)ranks; slabs++) {
    if ((uint32_t)ranks % slabs != 0) continue;
    const throng_mpi_def def = with_slabs(slabs, 0);
    twin t = open_targets(&def, THRONG_BOUNDARY_PERIODIC, slabs == 1, anyone);
    test_rng rng = rng_from(33);
    const uint8_t group = JUMPERS;
    throng_error error;
    for (uint32_t k = 1; k <= 200; k++) {
      const throng_agent_id id = first_id(k);
      require_ok(throng_agents_write(t.whole, THRONG_COLUMN_GROUP, &id, 1, &group, 0, &error), &error);
      if (owns(&t, id))
        require_ok(throng_agents_write(throng_mpi_world(t.mpi), THRONG_COLUMN_GROUP, &id, 1, &group, 0, &error),
                   &error);
      const throng_vec3 velocity = {rng_float(&rng, -0.4f, 0.4f) * SIDE / TWIN_DT, 0.0f,
                                    rng_float(&rng, -0.4f, 0.4f) * SIDE / TWIN_DT};
      move_in_twin(&t, id, (throng_vec3){rng_float(&rng, 0.0f, SIDE), 0.0f, rng_float(&rng, 0.0f, SIDE)}, velocity);
    }
    sync_twin(&t);
    step_twin(&t, 12);
    CHECK(ranks < 4 || slabs > 1 || throng_mpi_get_stats(t.mpi).repeats > 0);
    close_twin(&t);
  }
}

/* A frame that fails on one rank changes nothing, and the next ones go on. */
static void frames_fail(void) {
  twin t = open_targets(NULL, THRONG_BOUNDARY_PERIODIC, false, anyone);
  throng_error error;
  for (uint32_t round = 0; round < 6; round++) {
    step_twin(&t, 2);
    spoilt = 1 + 397 * round;
    require_error(throng_mpi_step(t.mpi, TWIN_DT, &error), THRONG_ERROR_NOT_FINITE, &error);
    require_error(throng_world_step(t.whole, TWIN_DT, &error), THRONG_ERROR_NOT_FINITE, &error);
    check_twin(&t);
    spoilt = 0;
    require_error(throng_mpi_step(t.mpi, rank == 0 ? -1.0f : TWIN_DT, &error), THRONG_ERROR_BAD_VALUE, &error);
    check_twin(&t);
  }
  step_twin(&t, 3);
  close_twin(&t);
}

/* A test that cannot fail shows nothing: if nobody asks, the bits differ. */
static void bits_depend_on_the_targets(void) {
  if (ranks == 1) return;
  twin t = open_targets(NULL, THRONG_BOUNDARY_PERIODIC, false, anyone);
  throng_error error;
  t.mpi->targets.used = false;
  for (int frame = 0; frame < 3; frame++) {
    require_ok(throng_mpi_step(t.mpi, TWIN_DT, &error), &error);
    require_ok(throng_world_step(t.whole, TWIN_DT, &error), &error);
  }
  CHECK(throng_mpi_hash(t.mpi, 0) != throng_world_hash(t.whole, 0));
  close_twin(&t);
}

int main(int argc, char **argv) {
  static const rank_case cases[] = {
      {"targets_anywhere", targets_anywhere},
      {"messages_in_parts", messages_in_parts},
      {"peers_stay_neighbours", peers_stay_neighbours},
      {"all_have_one_target", all_have_one_target},
      {"targets_in_a_ring", targets_in_a_ring},
      {"near_targets", near_targets},
      {"cuts_move_every_frame", cuts_move_every_frame},
      {"targets_are_removed", targets_are_removed},
      {"hosts_change_targets", hosts_change_targets},
      {"targets_fly", targets_fly},
      {"frames_fail", frames_fail},
      {"bits_depend_on_the_targets", bits_depend_on_the_targets},
  };
  start_ranks(&argc, &argv, 600);
  run_rank_cases(cases, sizeof cases / sizeof cases[0], argc > 1 ? argv[1] : NULL);
  MPI_Finalize();
  return 0;
}
