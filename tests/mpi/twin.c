/* tests/mpi/twin.c: see twin.h. SPDX-License-Identifier: MIT */
#include "mpi/twin.h"

#include "support/random.h"

static void set_twin_groups(throng_world *world) {
  throng_group_def walkers = throng_default_group_def(), flyers = throng_default_group_def();
  throng_error error;
  walkers.max_speed = 3.0f;
  walkers.contact = 0.5f;
  walkers.body_radius = 0.4f;
  throng_group_def_add(&walkers, THRONG_BEHAVIOUR_WANDER);
  throng_group_def_add(&walkers, THRONG_BEHAVIOUR_CALLBACK);
  flyers.max_speed = 1e6f;
  flyers.separation.weight = flyers.cohesion.weight = flyers.alignment.weight = 0.0f;
  require_ok(throng_world_set_group(world, WALKERS, &walkers, &error), &error);
  require_ok(throng_world_set_group(world, FLYERS, &flyers, &error), &error);
}

throng_world *twin_world(uint64_t seed, throng_boundary boundary) {
  throng_world_def def = throng_default_world_def();
  throng_agents_def agents = throng_default_agents_def();
  throng_vec3 position[TWIN_AGENTS], velocity[TWIN_AGENTS];
  throng_world *world = NULL;
  throng_error error;
  throng_world_def_set_boundary(&def, boundary);
  def.box_max = (throng_vec3){TWIN_SIDE, TWIN_SIDE, TWIN_SIDE};
  def.perception_radius = TWIN_RADIUS;
  def.contact_iterations = 3;
  def.profile = true;
  def.isa = isa_of_rank();
  def.thread_count = threads_of_rank();
  require_ok(throng_world_create(&def, &world, &error), &error);
  set_twin_groups(world);
  test_rng rng = rng_from(seed);
  for (uint32_t k = 0; k < TWIN_AGENTS; k++) {
    position[k] = (throng_vec3){rng_float(&rng, 0.0f, TWIN_SIDE), 0.0f, rng_float(&rng, 0.0f, TWIN_SIDE)};
    velocity[k] = (throng_vec3){rng_float(&rng, -0.5f, 0.5f), 0.0f, rng_float(&rng, -0.5f, 0.5f)};
  }
  agents.position = (throng_span){position, 0};
  agents.velocity = (throng_span){velocity, 0};
  require_ok(throng_agents_add(world, &agents, TWIN_AGENTS, NULL, &error), &error);
  return world;
}

twin open_twin(const throng_mpi_def *def, throng_boundary boundary) {
  twin t = {.whole = twin_world(7, boundary)};
  throng_error error;
  require_ok(throng_mpi_create(twin_world(7, boundary), def, &t.mpi, &error), &error);
  check_twin(&t);
  return t;
}

void close_twin(twin *t) {
  throng_mpi_destroy(t->mpi);
  throng_world_destroy(t->whole);
}

void check_twin(const twin *t) {
  const uint64_t hash = throng_mpi_hash(t->mpi, EVERY_COLUMN);
  throng_error error;
  CHECK_ALIKE(hash);
  CHECK(hash == throng_world_hash(t->whole, EVERY_COLUMN));
  CHECK(throng_mpi_agents_count(t->mpi) == throng_agents_count(t->whole));
  CHECK(throng_world_frame(throng_mpi_world(t->mpi)) == throng_world_frame(t->whole));
  CHECK(throng_world_check(throng_mpi_world(t->mpi), &error));
}

void step_twin(twin *t, uint32_t frames) {
  throng_error error;
  for (uint32_t frame = 0; frame < frames; frame++) {
    require_ok(throng_mpi_step(t->mpi, TWIN_DT, &error), &error);
    require_ok(throng_world_step(t->whole, TWIN_DT, &error), &error);
    check_twin(t);
  }
}

void sync_twin(twin *t) {
  throng_error error;
  require_ok(throng_mpi_sync(t->mpi, &error), &error);
  check_twin(t);
}

throng_agent_id first_id(uint32_t index) { return (throng_agent_id){index, 1, 0}; }

bool owns(const twin *t, throng_agent_id id) {
  static throng_agent_id own[8192];
  throng_error error;
  uint32_t count;
  require_ok(throng_agents_get_ids(throng_mpi_world(t->mpi), own, 8192, &count, &error), &error);
  for (uint32_t k = 0; k < count; k++) {
    if (throng_agent_id_equal(own[k], id)) return true;
  }
  return false;
}

int owner_of(const twin *t, throng_agent_id id) {
  int own = owns(t, id) ? rank : -1, owner;
  MPI_Allreduce(&own, &owner, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(owner >= 0 && (own < 0 || own == owner));
  return owner;
}

void move_in_twin(twin *t, throng_agent_id id, throng_vec3 position, throng_vec3 velocity) {
  throng_error error;
  require_ok(throng_agents_move(t->whole, &id, 1, &position, &velocity, &error), &error);
  if (!owns(t, id)) return;
  require_ok(throng_agents_move(throng_mpi_world(t->mpi), &id, 1, &position, &velocity, &error), &error);
}

void add_to_twin(twin *t, throng_agent_id id, throng_vec3 position, uint8_t group, int adder) {
  throng_agents_def def = throng_default_agents_def();
  throng_error error;
  def.position = (throng_span){&position, 0};
  def.group = (throng_span){&group, 0};
  require_ok(throng_agents_add_with_ids(t->whole, &def, 1, &id, &error), &error);
  if (rank != adder) return;
  require_ok(throng_agents_add_with_ids(throng_mpi_world(t->mpi), &def, 1, &id, &error), &error);
}

void remove_from_twin(twin *t, throng_agent_id id) {
  throng_error error;
  const bool own = owns(t, id);
  require_ok(throng_agents_remove(t->whole, &id, 1, &error), &error);
  if (own) require_ok(throng_agents_remove(throng_mpi_world(t->mpi), &id, 1, &error), &error);
}
