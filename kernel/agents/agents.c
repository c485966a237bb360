/* agents.c: adds and removes agents. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agents/batches.h"
#include "agents/lookup.h"
#include "agents/room.h"
#include "base/arithmetic.h"
#include "base/assertion.h"
#include "base/span.h"
#include "state.h"

throng_agents_def throng_default_agents_def(void) {
  throng_agents_def def;
  memset(&def, 0, sizeof def);
  def.cookie = THRONG_AGENTS_COOKIE;
  return def;
}

/* Adding. */

/* The spans of a definition as (column, span) pairs; position and group first. */
#define SPANS 11
static void list_spans(const throng_agents_def *def, struct column_span spans[SPANS]) {
  const struct column_span all[SPANS] = {{THRONG_COLUMN_POSITION, def->position},
                                         {THRONG_COLUMN_GROUP, def->group},
                                         {THRONG_COLUMN_VELOCITY, def->velocity},
                                         {THRONG_COLUMN_FACING, def->facing},
                                         {THRONG_COLUMN_GOAL, def->goal},
                                         {THRONG_COLUMN_PERCEPTION_RADIUS, def->perception_radius},
                                         {THRONG_COLUMN_BODY_RADIUS, def->body_radius},
                                         {THRONG_COLUMN_MASS, def->mass},
                                         {THRONG_COLUMN_MAX_SPEED, def->max_speed},
                                         {THRONG_COLUMN_STEER_PERIOD, def->steer_period},
                                         {THRONG_COLUMN_TARGET, def->target}};
  memcpy(spans, all, sizeof all);
}

static throng_status check_strides(const throng_world *world, const struct column_span spans[SPANS],
                                   throng_error *error) {
  for (int s = 0; s < SPANS; s++) {
    char field[48];
    if (!spans[s].span.data) continue;
    snprintf(field, sizeof field, "agents.%s.stride", throng_column_rows[spans[s].column].name);
    const size_t bytes = column_bytes(spans[s].column, world->space.spatial);
    TRY(span_check_stride(spans[s].span.stride, bytes, field, error));
  }
  return THRONG_OK;
}

/* Checks elements [from, from + count) of the spans, agent by agent. */
static throng_status check_elements(const throng_world *world, const struct column_span spans[SPANS], uint32_t from,
                                    uint32_t count, throng_error *error) {
  bool valid = true;
  for (int s = 0; s < SPANS && valid; s++) {
    if (spans[s].span.data) valid = throng_values_are_valid(world, spans[s], from, count);
  }
  for (uint32_t k = from; k < from + count && !valid; k++) {
    for (int s = 0; s < SPANS; s++) {
      if (!spans[s].span.data) continue;
      float room[3];
      TRY(throng_value_check(world, spans[s].column, throng_value_take(world, spans[s], k, room), k, error));
    }
  }
  return THRONG_OK;
}

/* Refuses an impossible count first, before spans are read. */
static throng_status check_new_agents(const throng_world *world, const throng_agents_def *def, uint32_t count,
                                      throng_error *error) {
  if (def->cookie != THRONG_AGENTS_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "agents definition has a wrong cookie: it is not from throng_default_agents_def()");
  }
  TRY(throng_room_check((uint64_t)world->agents.count + count, error));
  if (count > 0 && !def->position.data) {
    return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "agents definition: 'position.data' is NULL");
  }
  struct column_span spans[SPANS];
  list_spans(def, spans);
  TRY(check_strides(world, spans, error));
  for (uint32_t k = 0; k < count; k += BATCH) {
    TRY(check_elements(world, spans, k, count - k < BATCH ? count - k : BATCH, error));
  }
  return THRONG_OK;
}

static throng_status make_new_columns(throng_world *world, const throng_agents_def *def, uint32_t count,
                                      throng_error *error) {
  struct column_span spans[SPANS];
  list_spans(def, spans);
  for (int s = 0; s < SPANS; s++) {
    if (spans[s].span.data && count > 0) TRY(throng_value_need(world, spans[s].column, error));
  }
  return throng_values_need_height(world, spans[0], count, error);
}

/* Creates the columns that new agents need: all or none. */
static throng_status need_new_columns(throng_world *world, const throng_agents_def *def, uint32_t count,
                                      throng_error *error) {
  const struct columns had = world->agents.front;
  throng_status status = make_new_columns(world, def, count, error);
  if (status != THRONG_OK) throng_columns_drop(&world->agents, &had, &world->def.allocator);
  return status;
}

/* Appends an agent in group 0: gives the next slot to an id. */
static void place_id(throng_world *world, uint32_t index) {
  struct agents *agents = &world->agents;
  ASSERT(world, agents->count < agents->capacity && ids_is_live(&agents->ids, index));
  const uint32_t slot = agents->count++;
  struct id_entry *entry = ids_entry(&agents->ids, index);
  agents->front.id[slot] = index;
  agents->front.meta[slot] = meta_make(0, entry->generation);
  world_count_agent(world, agents->front.meta[slot], 1);
  entry_note_slot(entry, slot);
}

/* Sets all columns of the agents from slot `first` on to their defaults. */
static void set_defaults(throng_world *world, uint32_t first) {
  const uint32_t end = world->agents.count;
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    const float fill = column_fill(row);
    for (int c = row->first; c < row->first + row->arrays; c++) {
      float *values = world->agents.front.f[c];
      for (uint32_t slot = first; values && slot < end; slot++) values[slot] = fill;
    }
  }
}

/* Sets the columns of the agents from slot `first` on: agent first + k gets element k of each span. */
static void set_values(throng_world *world, const throng_agents_def *def, uint32_t first) {
  const uint32_t count = world->agents.count - first;
  struct column_span spans[SPANS];
  list_spans(def, spans);
  set_defaults(world, first);
  for (int s = 0; s < SPANS; s++) {
    if (!spans[s].span.data) continue;
    uint32_t slots[BATCH], agents;
    for (uint32_t k = 0; k < count; k += agents) {
      agents = count - k < BATCH ? count - k : BATCH;
      for (uint32_t i = 0; i < agents; i++) slots[i] = first + k + i;
      throng_values_store(world, spans[s], k, agents, slots);
    }
  }
  if (!def->facing.data) {
    for (uint32_t k = 0; k < count; k++) throng_value_default_facing(world, first + k);
  }
  throng_columns_forget_pose(&world->agents.front, first, first + count);
  float *const *f = world->agents.front.f;
  if (!world->space.spatial || !f[COLUMN_WANDER_X]) return;
  for (int c = 0; c < 3; c++)
    memcpy(f[COLUMN_WANDER_X + c] + first, f[COLUMN_FACING_X + c] + first, count * sizeof(float));
}

/* Notes that the agents from slot `first` on were added. */
static void mark_added(throng_world *world, uint32_t first) {
  if (first < world->added_from) world->added_from = first;
  world->piece.changes++;
  world->dirty = true;
  world->steered = false;
  throng_grid_mark(&world->grid, first, world->agents.count);
}

/* Returns the largest id index that adding `count` agents may reach. */
static uint64_t indices_for(const throng_world *world, uint32_t count) {
  uint32_t reusable = ids_reusable(&world->agents.ids);
  return (uint64_t)world->agents.ids.used + (count > reusable ? count - reusable : 0);
}

/* Sparse ids are not reused: the next index follows the largest one so far. */
static throng_status check_sparse(const throng_world *world, uint32_t count, throng_error *error) {
  const uint32_t used = world->agents.ids.used;
  if (!world->agents.ids.sparse || count <= MAX_AGENTS - used) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_CAPACITY,
                     "%u agents after id index %u, the largest so far: at most %u; choose ids with "
                     "throng_agents_add_with_ids",
                     count, used, MAX_AGENTS);
}

static OUT_OF_LINE throng_status agents_add_inner(throng_world *world, const throng_agents_def *def, uint32_t count,
                                                  throng_agent_id *ids, throng_error *error) {
  REQUIRE_POINTER(def, error);
  TRY(check_new_agents(world, def, count, error));
  TRY(check_sparse(world, count, error));
  TRY(throng_room_make(world, (uint64_t)world->agents.count + count, indices_for(world, count), false, error));
  TRY(need_new_columns(world, def, count, error));
  if (count == 0) return THRONG_OK;
  const uint32_t first = world->agents.count;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t index = throng_ids_take(&world->agents.ids);
    place_id(world, index);
    if (ids) ids[k] = throng_lookup_id_of(world, index);
  }
  set_values(world, def, first);
  mark_added(world, first);
  return THRONG_OK;
}

throng_status throng_agents_add(throng_world *world, const throng_agents_def *def, uint32_t count, throng_agent_id *ids,
                                throng_error *error) {
  RETURN_ALONE(world, error, agents_add_inner(world, def, count, ids, error));
}

static throng_status check_wanted_id(const throng_world *world, const throng_agent_id *ids, uint32_t k,
                                     throng_error *error) {
  const throng_agent_id id = ids[k];
  if (id.world != world->def.id_world) return throng_lookup_refuse(world, ids, k, error);
  if (id.index == 0 || id.index > MAX_AGENTS || id.generation == 0) {
    return throng_fail_agent(error, THRONG_ERROR_STALE_ID, id,
                             "ids[%u] {%u, %u, %u}: index 1 to %u, generation 1 to 65535", k, id.index, id.generation,
                             id.world, MAX_AGENTS);
  }
  return THRONG_OK;
}

static throng_status in_use(const throng_agent_id *ids, uint32_t k, throng_error *error) {
  const throng_agent_id id = ids[k];
  return throng_fail_agent(error, THRONG_ERROR_STALE_ID, id, "ids[%u] {%u, %u, %u} is in use", k, id.index,
                           id.generation, id.world);
}

/* Checks that no id is live, or twice in `ids`. */
static throng_status claim_ids(throng_world *world, const throng_agent_id *ids, uint32_t count, throng_error *error) {
  uint32_t claimed = 0;
  while (claimed < count && throng_ids_claim(&world->agents.ids, ids[claimed].index)) claimed++;
  for (uint32_t k = 0; k < claimed; k++) throng_ids_drop_claim(&world->agents.ids, ids[k].index);
  return claimed == count ? THRONG_OK : in_use(ids, claimed, error);
}

static OUT_OF_LINE throng_status agents_add_with_ids_inner(throng_world *world, const throng_agents_def *def,
                                                           uint32_t count, const throng_agent_id *ids,
                                                           throng_error *error) {
  REQUIRE_POINTER(def, error);
  if (count > 0) REQUIRE_POINTER(ids, error);
  TRY(check_new_agents(world, def, count, error));
  uint32_t largest = world->agents.ids.used;
  for (uint32_t k = 0; k < count; k++) {
    TRY(check_wanted_id(world, ids, k, error));
    if (ids_is_live(&world->agents.ids, ids[k].index)) return in_use(ids, k, error);
    if (ids[k].index > largest) largest = ids[k].index;
  }
  TRY(throng_room_make(world, (uint64_t)world->agents.count + count, largest, false, error));
  TRY(claim_ids(world, ids, count, error));
  TRY(need_new_columns(world, def, count, error));
  if (count == 0) return THRONG_OK;
  const uint32_t first = world->agents.count;
  for (uint32_t k = 0; k < count; k++) {
    throng_ids_take_exactly(&world->agents.ids, ids[k].index, ids[k].generation);
    place_id(world, ids[k].index);
  }
  set_values(world, def, first);
  mark_added(world, first);
  return THRONG_OK;
}

throng_status throng_agents_add_with_ids(throng_world *world, const throng_agents_def *def, uint32_t count,
                                         const throng_agent_id *ids, throng_error *error) {
  RETURN_ALONE(world, error, agents_add_with_ids_inner(world, def, count, ids, error));
}

/* Copies the agent in the slot `from` to another slot, and marks the slot, unless throng_grid_note_removal has listed
 * it. */
static void copy_agent(throng_world *world, uint32_t slot, uint32_t from) {
  struct columns *front = &world->agents.front;
  if (world->dirty) throng_grid_mark(&world->grid, slot, slot + 1);
  for (int c = 0; c < COLUMN_COUNT; c++) {
    if (front->f[c]) front->f[c][slot] = front->f[c][from];
  }
  front->id[slot] = front->id[from];
  front->meta[slot] = front->meta[from];
  ids_note_slot(&world->agents.ids, front->id[slot], slot);
}

/* Removes an agent: the last agent moves to its slot. Agents that were added since the last sort stay behind the
 * others. */
static void remove_agent(throng_world *world, throng_agent_id id) {
  ASSERT(world, world->agents.count > 0 && ids_is_live(&world->agents.ids, id.index));
  const uint32_t slot = throng_lookup_slot(world, id), last = --world->agents.count;
  if (!world->dirty && !throng_grid_note_removal(&world->grid, slot, last)) world->dirty = true;
  world_count_agent(world, world->agents.front.meta[slot], -1);
  const bool before_added = slot < world->added_from && world->added_from <= last;
  if (before_added) copy_agent(world, slot, --world->added_from);
  copy_agent(world, before_added ? world->added_from : slot, last);
  throng_ids_give_back(&world->agents.ids, id.index);
}

static throng_status agents_remove_inner(throng_world *world, const throng_agent_id *ids, uint32_t count,
                                         throng_error *error) {
  if (count == 0) return THRONG_OK;
  REQUIRE_POINTER(ids, error);
  throng_status status = THRONG_OK;
  uint32_t known = 0;
  while (known < count && status == THRONG_OK) { /* an id is marked as not live until the end of the check, so that a
                                                    duplicate fails */
    status = lookup_check_ids(world, ids, known, error);
    if (status == THRONG_OK) ids_entry(&world->agents.ids, ids[known++].index)->state &= (uint8_t)~ID_LIVE;
  }
  for (uint32_t k = 0; k < known; k++) ids_entry(&world->agents.ids, ids[k].index)->state |= ID_LIVE;
  if (status != THRONG_OK) return status;
  throng_lookup_expect(world, count);
  for (uint32_t k = 0; k < count; k++) remove_agent(world, ids[k]);
  world->piece.changes++;
  world->removed = true;
  world->steered = false;
  return THRONG_OK;
}

throng_status throng_agents_remove(throng_world *world, const throng_agent_id *ids, uint32_t count,
                                   throng_error *error) {
  RETURN_ALONE(world, error, agents_remove_inner(world, ids, count, error));
}
