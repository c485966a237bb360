/* room.c: memory for more agents: columns, grid and id table grow together; and the workers' strips.
 * SPDX-License-Identifier: MIT */
#include "agents/room.h"
#include "base/assertion.h"

#define MIN_CAPACITY 64u

/* Grows columns and grid: both, or none. */
static throng_status grow_agents(throng_world *world, uint32_t capacity, throng_error *error) {
  ASSERT(world, capacity >= world->agents.count && capacity <= MAX_AGENTS);
  const throng_allocator *allocator = &world->def.allocator;
  struct agents agents;
  struct grid grid;
  TRY(throng_columns_grow(&world->agents, &agents, capacity, world->space.spatial, allocator, error));
  if (!throng_grid_grow(&world->grid, &grid, capacity, allocator)) {
    throng_columns_release(&agents, allocator);
    return throng_columns_out_of_memory(capacity, error);
  }
  throng_columns_release(&world->agents, allocator);
  throng_grid_release(&world->grid, allocator);
  world->agents = agents;
  world->grid = grid;
  ids_forget_order(&world->agents.ids);
  return THRONG_OK;
}

static throng_status grow_ids(throng_world *world, uint32_t capacity, throng_error *error) {
  ASSERT(world, (world->agents.ids.sparse || capacity >= world->agents.ids.used) && capacity <= MAX_AGENTS);
  const throng_allocator *allocator = &world->def.allocator;
  struct id_table ids;
  if (!throng_ids_grow(&world->agents.ids, &ids, capacity, allocator)) {
    return throng_columns_out_of_memory(capacity, error);
  }
  throng_ids_release(&world->agents.ids, allocator);
  world->agents.ids = ids;
  return THRONG_OK;
}

/* Returns the capacity to allocate: at least `needed`, and at least twice `capacity` unless `exactly`; 0 if none is
 * needed. */
static uint32_t grown_capacity(uint64_t needed, uint32_t capacity, bool exactly) {
  uint64_t grown = exactly ? needed : 2 * (uint64_t)capacity;
  if (needed == 0) return 0;
  if (grown < needed) grown = needed;
  if (grown < MIN_CAPACITY) grown = MIN_CAPACITY;
  return grown > MAX_AGENTS ? MAX_AGENTS : (uint32_t)grown;
}

throng_status throng_room_check(uint64_t agents, throng_error *error) {
  if (agents <= MAX_AGENTS) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_CAPACITY, "%llu agents, at most %u", (unsigned long long)agents, MAX_AGENTS);
}

static throng_status make_ids(throng_world *world, uint64_t agents, uint64_t indices, bool exactly,
                              throng_error *error) {
  const uint32_t capacity = world->agents.ids.capacity;
  if (world->agents.ids.sparse) indices = agents;
  if (indices <= capacity && capacity > 0) return THRONG_OK;
  if (indices == 0) indices = 1;
  return grow_ids(world, grown_capacity(indices, capacity, exactly), error);
}

throng_status throng_room_make_strips(throng_world *world, throng_error *error) {
  const uint32_t workers = world->executor.workers;
  if (world->strips) return THRONG_OK;
  world->strips = throng_allocate(&world->def.allocator, workers * sizeof *world->strips);
  if (!world->strips) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u workers", workers);
  world->strip_count = workers;
  return THRONG_OK;
}

void throng_room_release_strips(throng_world *world) {
  throng_release(&world->def.allocator, world->strips, world->strip_count * sizeof *world->strips);
  world->strips = NULL;
  world->strip_count = 0;
}

throng_status throng_room_make(throng_world *world, uint64_t agents, uint64_t indices, bool exactly,
                               throng_error *error) {
  const uint32_t capacity = world->agents.capacity;
  TRY(throng_room_check(agents > indices ? agents : indices, error));
  if (agents > 0) TRY(throng_room_make_strips(world, error));
  if (agents > capacity || !world->grid.start) {
    TRY(grow_agents(world, grown_capacity(agents, capacity, exactly), error));
  }
  return make_ids(world, agents, indices, exactly, error);
}

throng_status throng_room_make_torus(throng_world *world, const struct torus *torus, throng_error *error) {
  struct grid grid = world->grid, grown;
  grid.next = *torus;
  if (torus_bits(torus) <= world->grid.cell_bits) return THRONG_OK;
  if (!throng_grid_grow(&grid, &grown, grid.capacity, &world->def.allocator))
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for 2^%u cells", torus_bits(torus));
  throng_grid_release(&world->grid, &world->def.allocator);
  world->grid = grown;
  ids_forget_order(&world->agents.ids);
  return THRONG_OK;
}

throng_status throng_room_make_ids(throng_world *world, uint64_t agents, uint64_t indices, throng_error *error) {
  TRY(throng_room_check(agents > indices ? agents : indices, error));
  return make_ids(world, agents, indices, false, error);
}

throng_status throng_room_create_columns(throng_world *world, throng_error *error) {
  TRY(throng_room_make(world, world->def.capacity, world->def.capacity, true, error));
  return throng_columns_create(&world->agents, world->space.spatial, world->def.keep_previous_pose,
                               &world->def.allocator, error);
}

void throng_room_release(throng_world *world) {
  const throng_allocator *allocator = &world->def.allocator;
  throng_columns_release(&world->agents, allocator);
  throng_ids_release(&world->agents.ids, allocator);
  throng_grid_release(&world->grid, allocator);
  throng_room_release_strips(world);
}

throng_status throng_agents_reserve(throng_world *world, uint32_t capacity, throng_error *error) {
  RETURN_ALONE(world, error, throng_room_make(world, capacity, capacity, true, error));
}
