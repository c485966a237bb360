/* agents.c: agents in and out, their memory, and their ids. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/arithmetic.h"
#include "base/assertion.h"
#include "agents/axes.h"
#include "state.h"
#include "agents/values.h"
#include "base/span.h"

#define LEAST_CAPACITY 64u

throng_agents_def throng_default_agents_def(void) {
  throng_agents_def def;
  memset(&def, 0, sizeof def);
  def.cookie = THRONG_AGENTS_COOKIE;
  return def;
}

/* Memory. */

static size_t column_bytes(uint32_t capacity) { return ((size_t)capacity + COLUMN_PADDING) * sizeof(float); }

static void release_columns(const throng_world *world, struct columns *columns, uint32_t capacity) {
  const throng_allocator *allocator = &world->def.allocator;
  for (int c = 0; c < COLUMN_COUNT; c++) throng_release(allocator, columns->f[c], column_bytes(capacity));
  throng_release(allocator, columns->id, column_bytes(capacity));
  throng_release(allocator, columns->meta, column_bytes(capacity));
  memset(columns, 0, sizeof *columns);
}

/* The same columns with room for `capacity` into `grown`, the first `count` agents copied. */
static bool grow_columns(const throng_world *world, const struct columns *columns, struct columns *grown,
                         uint32_t capacity) {
  const throng_allocator *allocator = &world->def.allocator;
  memset(grown, 0, sizeof *grown);
  bool complete = true;
  for (int c = 0; c < COLUMN_COUNT; c++) {
    if (!columns->f[c]) continue;
    grown->f[c] = throng_allocate(allocator, column_bytes(capacity));
    complete = complete && grown->f[c];
    if (grown->f[c]) memcpy(grown->f[c], columns->f[c], world->agents.count * sizeof(float));
  }
  grown->id = throng_allocate(allocator, column_bytes(capacity));
  grown->meta = throng_allocate(allocator, column_bytes(capacity));
  if (!complete || !grown->id || !grown->meta) {
    release_columns(world, grown, capacity);
    return false;
  }
  if (columns->id) memcpy(grown->id, columns->id, world->agents.count * sizeof(uint32_t));
  if (columns->meta) memcpy(grown->meta, columns->meta, world->agents.count * sizeof(uint32_t));
  return true;
}

/* Vectors of all agents that only a frame uses: accelerations, and the positions that contact works on. */
struct vectors {
  float *acceleration[3], *contact[2][3];
};

static void release_vector(const throng_world *world, float *column[3], uint32_t capacity) {
  for (int c = 0; c < 3; c++) {
    throng_release(&world->def.allocator, column[c], column_bytes(capacity));
    column[c] = NULL;
  }
}

static bool allocate_vector(const throng_world *world, float *column[3], bool height, uint32_t capacity) {
  bool complete = true;
  for (int c = 0; c < 3; c++) {
    bool wanted = c != 1 || height;
    column[c] = wanted ? throng_allocate(&world->def.allocator, column_bytes(capacity)) : NULL;
    complete = complete && (!wanted || column[c]);
  }
  return complete;
}

static void release_vectors(const throng_world *world, struct vectors *vectors, uint32_t capacity) {
  release_vector(world, vectors->acceleration, capacity);
  for (int k = 0; k < 2; k++) release_vector(world, vectors->contact[k], capacity);
}

/* Those that the world has, with room for `capacity`; all or none. */
static bool grow_vectors(const throng_world *world, struct vectors *grown, uint32_t capacity) {
  memset(grown, 0, sizeof *grown);
  const bool spatial = world->grid.space.spatial;
  bool complete = allocate_vector(world, grown->acceleration, spatial || world->agents.acceleration[1], capacity);
  for (int k = 0; k < 2 && world->agents.contact[k][0]; k++) {
    complete = complete && allocate_vector(world, grown->contact[k], spatial, capacity);
  }
  if (!complete) release_vectors(world, grown, capacity);
  return complete;
}

void throng_columns_release_contact(throng_world *world) {
  for (int k = 0; k < 2; k++) release_vector(world, world->agents.contact[k], world->agents.capacity);
}

void throng_room_release(throng_world *world) {
  const throng_allocator *allocator = &world->def.allocator;
  release_columns(world, &world->agents.front, world->agents.capacity);
  release_columns(world, &world->agents.back, world->agents.capacity);
  release_vector(world, world->agents.acceleration, world->agents.capacity);
  throng_columns_release_contact(world);
  throng_ids_release(&world->agents.ids, allocator);
  throng_grid_release(&world->grid, allocator);
}

/* Everything that grows with the agents, or nothing. */
static bool grow_agents(throng_world *world, uint32_t capacity) {
  const throng_allocator *allocator = &world->def.allocator;
  struct columns front, back;
  struct vectors vectors;
  struct grid grid;
  if (!grow_columns(world, &world->agents.front, &front, capacity)) return false;
  if (!grow_columns(world, &world->agents.back, &back, capacity)) {
    release_columns(world, &front, capacity);
    return false;
  }
  if (!grow_vectors(world, &vectors, capacity)) {
    release_columns(world, &front, capacity);
    release_columns(world, &back, capacity);
    return false;
  }
  if (!throng_grid_grow(&world->grid, &grid, capacity, allocator)) {
    release_columns(world, &front, capacity);
    release_columns(world, &back, capacity);
    release_vectors(world, &vectors, capacity);
    return false;
  }
  for (int c = 0; c < 3 && world->steered; c++) {
    if (vectors.acceleration[c]) {
      memcpy(vectors.acceleration[c], world->agents.acceleration[c], world->agents.count * sizeof(float));
    }
  }
  release_columns(world, &world->agents.front, world->agents.capacity);
  release_columns(world, &world->agents.back, world->agents.capacity);
  release_vector(world, world->agents.acceleration, world->agents.capacity);
  throng_columns_release_contact(world);
  throng_grid_release(&world->grid, allocator);
  world->agents.front = front;
  world->agents.back = back;
  memcpy(world->agents.acceleration, vectors.acceleration, sizeof vectors.acceleration);
  memcpy(world->agents.contact, vectors.contact, sizeof vectors.contact);
  world->grid = grid;
  world->agents.capacity = capacity;
  return true;
}

static throng_status out_of_memory(uint32_t agents, throng_error *error) {
  return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u agents", agents);
}

/* At least `needed`, at least twice of what there is unless that exactly is asked for. */
static uint32_t grown_capacity(uint64_t needed, uint32_t capacity, bool exactly) {
  uint64_t grown = exactly ? needed : 2 * (uint64_t)capacity;
  if (grown < needed) grown = needed;
  if (grown < LEAST_CAPACITY) grown = LEAST_CAPACITY;
  return grown > MAX_AGENTS ? MAX_AGENTS : (uint32_t)grown;
}

/* Agents, or indices of ids. */
static throng_status check_limit(uint64_t agents, throng_error *error) {
  if (agents <= MAX_AGENTS) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_CAPACITY, "%llu agents, at most %u", (unsigned long long)agents, MAX_AGENTS);
}

throng_status throng_room_make(throng_world *world, uint64_t agents, uint64_t indices, bool exactly,
                               throng_error *error) {
  TRY(check_limit(agents > indices ? agents : indices, error));
  if (agents > world->agents.capacity || world->agents.capacity == 0) {
    uint32_t capacity = grown_capacity(agents, world->agents.capacity, exactly);
    if (!grow_agents(world, capacity)) return out_of_memory(capacity, error);
  }
  if (indices > world->agents.ids.capacity || world->agents.ids.capacity == 0) {
    uint32_t capacity = grown_capacity(indices, world->agents.ids.capacity, exactly);
    struct id_table ids;
    if (!throng_ids_grow(&world->agents.ids, &ids, capacity, &world->def.allocator)) {
      return out_of_memory(capacity, error);
    }
    throng_ids_release(&world->agents.ids, &world->def.allocator);
    world->agents.ids = ids;
  }
  return THRONG_OK;
}

throng_status throng_room_create_columns(throng_world *world, throng_error *error) {
  TRY(throng_room_make(world, world->def.capacity, world->def.capacity, true, error));
  bool spatial = world->grid.space.spatial;
  for (int c = 0; c < COLUMN_WANDER_X; c++) {
    bool wanted = spatial || (c % 3 != 1 && c != COLUMN_FACING_Z);
    if (wanted) TRY(throng_columns_need(world, c, 1, 0.0f, error));
  }
  return THRONG_OK;
}

throng_status throng_agents_reserve(throng_world *world, uint32_t capacity, throng_error *error) {
  REQUIRE_POINTER(world, error);
  return throng_room_make(world, capacity, capacity, true, error);
}

throng_status throng_columns_need(throng_world *world, int first, int components, float fill, throng_error *error) {
  const throng_allocator *allocator = &world->def.allocator;
  float *made[6] = {0};
  for (int c = 0; c < 2 * components; c++) {
    made[c] = throng_allocate(allocator, column_bytes(world->agents.capacity));
    if (made[c]) continue;
    for (int undo = 0; undo < c; undo++) throng_release(allocator, made[undo], column_bytes(world->agents.capacity));
    return out_of_memory(world->agents.capacity, error);
  }
  for (int c = 0; c < components; c++) {
    world->agents.front.f[first + c] = made[2 * c];
    world->agents.back.f[first + c] = made[2 * c + 1];
    for (uint32_t slot = 0; slot < world->agents.count; slot++) made[2 * c][slot] = fill;
  }
  return THRONG_OK;
}

throng_status throng_columns_need_yaw_rate(throng_world *world, throng_error *error) {
  float *acceleration = throng_allocate(&world->def.allocator, column_bytes(world->agents.capacity));
  if (!acceleration) return out_of_memory(world->agents.capacity, error);
  throng_status status = throng_columns_need(world, COLUMN_YAW_RATE, 1, 0.0f, error);
  if (status != THRONG_OK) {
    throng_release(&world->def.allocator, acceleration, column_bytes(world->agents.capacity));
    return status;
  }
  world->agents.acceleration[1] = acceleration;
  return THRONG_OK;
}

void throng_columns_drop(throng_world *world, const struct columns *had) {
  for (int c = 0; c < COLUMN_COUNT; c++) {
    if (had->f[c]) continue;
    throng_release(&world->def.allocator, world->agents.front.f[c], column_bytes(world->agents.capacity));
    throng_release(&world->def.allocator, world->agents.back.f[c], column_bytes(world->agents.capacity));
    world->agents.front.f[c] = world->agents.back.f[c] = NULL;
  }
  if (!world->grid.space.spatial && !had->f[COLUMN_YAW_RATE]) { /* its accelerations go with it */
    throng_release(&world->def.allocator, world->agents.acceleration[1], column_bytes(world->agents.capacity));
    world->agents.acceleration[1] = NULL;
  }
}

throng_status throng_columns_need_contact(throng_world *world, throng_error *error) {
  if (world->agents.contact[0][0]) return THRONG_OK;
  if (allocate_vector(world, world->agents.contact[0], world->grid.space.spatial, world->agents.capacity) &&
      allocate_vector(world, world->agents.contact[1], world->grid.space.spatial, world->agents.capacity)) {
    return THRONG_OK;
  }
  throng_columns_release_contact(world);
  return out_of_memory(world->agents.capacity, error);
}

/* Ids. */

throng_agent_id throng_lookup_id_at(const throng_world *world, uint32_t slot) {
  uint16_t generation = (uint16_t)meta_generation(world->agents.front.meta[slot]);
  return (throng_agent_id){world->agents.front.id[slot], generation, world->def.id_world};
}

throng_agent_id throng_lookup_id_of(const throng_world *world, uint32_t index) {
  return (throng_agent_id){index, world->agents.ids.generation[index], world->def.id_world};
}

throng_status throng_lookup_check_id(const throng_world *world, throng_agent_id id, const char *what,
                                     throng_error *error) {
  if (id.index != 0 && id.world != world->def.id_world) {
    return throng_fail_agent(error, THRONG_ERROR_FOREIGN_ID, id,
                             "%s {%u, %u, %u} is an id of world %u, this is world %u", what, id.index, id.generation,
                             id.world, id.world, world->def.id_world);
  }
  if (!ids_is_live(&world->agents.ids, id.index) || world->agents.ids.generation[id.index] != id.generation) {
    return throng_fail_agent(error, THRONG_ERROR_STALE_ID, id, "%s {%u, %u, %u} names no live agent", what, id.index,
                             id.generation, id.world);
  }
  return THRONG_OK;
}

uint32_t throng_agents_count(const throng_world *world) { return world ? world->agents.count : 0; }

bool throng_agents_is_valid(const throng_world *world, throng_agent_id id) {
  return world && throng_lookup_check_id(world, id, "id", NULL) == THRONG_OK;
}

throng_status throng_agents_get_ids(const throng_world *world, throng_agent_id *out, uint32_t capacity, uint32_t *count,
                                    throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(count, error);
  *count = world->agents.count;
  if (capacity < world->agents.count) {
    return throng_fail(error, THRONG_ERROR_CAPACITY, "ids has room for %u, there are %u agents", capacity,
                       world->agents.count);
  }
  if (world->agents.count > 0 && !out) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "'ids' is NULL");
  uint32_t k = 0;
  for (uint32_t index = 1; index <= world->agents.ids.used; index++) {
    if (!ids_is_live(&world->agents.ids, index)) continue;
    out[k++] = throng_lookup_id_of(world, index);
  }
  return THRONG_OK;
}

/* Adding. */

/* The spans of a definition as (column, span) pairs; position and group first. */
#define SPANS 8
struct column_span {
  throng_column column;
  throng_span span;
};
static void list_spans(const throng_agents_def *def, struct column_span spans[SPANS]) {
  const struct column_span all[SPANS] = {{THRONG_COLUMN_POSITION, def->position},
                                         {THRONG_COLUMN_GROUP, def->group},
                                         {THRONG_COLUMN_VELOCITY, def->velocity},
                                         {THRONG_COLUMN_FACING, def->facing},
                                         {THRONG_COLUMN_GOAL, def->goal},
                                         {THRONG_COLUMN_PERCEPTION_RADIUS, def->perception_radius},
                                         {THRONG_COLUMN_BODY_RADIUS, def->body_radius},
                                         {THRONG_COLUMN_MASS, def->mass}};
  memcpy(spans, all, sizeof all);
}

/* The k-th new agent's element, in throng's axes; `room` is for one that has to be converted. */
static const void *new_element(const throng_world *world, const throng_agents_def *def, struct column_span span,
                               uint32_t k, float room[3]) {
  const void *given = span_at(span.span, throng_value_bytes(world, span.column), k);
  return axes_take(world, def->axes, span.column, given, room);
}

/* A count that cannot be is refused before it leads past the end of an array. */
static throng_status check_new_agents(const throng_world *world, const throng_agents_def *def, uint32_t count,
                                      throng_error *error) {
  if (def->cookie != THRONG_AGENTS_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "agents definition has a wrong cookie: it is not from throng_default_agents_def()");
  }
  TRY(throng_axes_check(def->axes, error));
  TRY(check_limit((uint64_t)world->agents.count + count, error));
  if (count > 0 && !def->position.data) {
    return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "agents definition: 'position.data' is NULL");
  }
  struct column_span spans[SPANS];
  list_spans(def, spans);
  for (uint32_t k = 0; k < count; k++) {
    for (int s = 0; s < SPANS; s++) {
      if (!spans[s].span.data) continue;
      float room[3];
      TRY(throng_value_check(world, spans[s].column, new_element(world, def, spans[s], k, room), k, error));
    }
  }
  return THRONG_OK;
}

/* Whether planar agents bring a height, which then needs a column. */
static bool has_height(const throng_world *world, const throng_agents_def *def, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    float room[3], p[3];
    memcpy(p, new_element(world, def, (struct column_span){THRONG_COLUMN_POSITION, def->position}, k, room), sizeof p);
    if (p[1] != 0.0f) return true;
  }
  return false;
}

static throng_status make_new_columns(throng_world *world, const throng_agents_def *def, uint32_t count,
                                      throng_error *error) {
  struct column_span spans[SPANS];
  list_spans(def, spans);
  for (int s = 0; s < SPANS; s++) {
    if (spans[s].span.data && count > 0) TRY(throng_value_need(world, spans[s].column, error));
  }
  if (!world->agents.front.f[COLUMN_POSITION_Y] && has_height(world, def, count)) {
    TRY(throng_columns_need(world, COLUMN_POSITION_Y, 1, 0.0f, error));
  }
  return THRONG_OK;
}

/* The columns that new agents bring: all, or none and the world has those that it had. */
static throng_status need_new_columns(throng_world *world, const throng_agents_def *def, uint32_t count,
                                      throng_error *error) {
  const struct columns had = world->agents.front;
  throng_status status = make_new_columns(world, def, count, error);
  if (status != THRONG_OK) throng_columns_drop(world, &had);
  return status;
}

void throng_value_default_facing(throng_world *world, uint32_t slot) {
  float *const *f = world->agents.front.f;
  float v[3] = {f[COLUMN_VELOCITY_X][slot], world->grid.space.spatial ? f[COLUMN_VELOCITY_Y][slot] : 0.0f,
                f[COLUMN_VELOCITY_Z][slot]};
  if (!world->grid.space.spatial) {
    f[COLUMN_FACING_X][slot] = scalar_atan2(v[0], v[2]);
    return;
  }
  if (!scalar_normalise(v)) v[2] = 1.0f;
  for (int c = 0; c < 3; c++) f[COLUMN_FACING_X + c][slot] = v[c];
}

static void place_agent(throng_world *world, const throng_agents_def *def, uint32_t k, uint32_t index) {
  struct columns *front = &world->agents.front;
  ASSERT(world, world->agents.count < world->agents.capacity && index <= world->agents.ids.capacity);
  uint32_t slot = world->agents.count++;
  front->id[slot] = index;
  front->meta[slot] = meta_make(0, world->agents.ids.generation[index]);
  world->group_agents[0]++;
  ids_note_slot(&world->agents.ids, index, slot);
  for (int c = 0; c < COLUMN_COUNT; c++) {
    if (front->f[c]) front->f[c][slot] = c < COLUMN_GOAL_X ? 0.0f : NAN;
  }
  struct column_span spans[SPANS];
  list_spans(def, spans);
  for (int s = 0; s < SPANS; s++) {
    float room[3];
    if (!spans[s].span.data) continue;
    throng_value_store(world, spans[s].column, slot, new_element(world, def, spans[s], k, room));
  }
  if (!def->facing.data) throng_value_default_facing(world, slot);
  if (world->grid.space.spatial && front->f[COLUMN_WANDER_X]) {
    for (int c = 0; c < 3; c++) front->f[COLUMN_WANDER_X + c][slot] = front->f[COLUMN_FACING_X + c][slot];
  }
}

static void mark_changed(throng_world *world) {
  world->dirty = true;
  world->placed = false;
  world->steered = false;
}

/* The largest index that adding `count` agents may reach. */
static uint64_t indices_for(const throng_world *world, uint32_t count) {
  uint32_t reusable = ids_reusable(&world->agents.ids);
  return (uint64_t)world->agents.ids.used + (count > reusable ? count - reusable : 0);
}

static OUT_OF_LINE throng_status agents_add_inner(throng_world *world, const throng_agents_def *def, uint32_t count,
                                                  throng_agent_id *ids, throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(def, error);
  TRY(check_new_agents(world, def, count, error));
  TRY(throng_room_make(world, (uint64_t)world->agents.count + count, indices_for(world, count), false, error));
  TRY(need_new_columns(world, def, count, error));
  if (count == 0) return THRONG_OK;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t index = throng_ids_take(&world->agents.ids);
    place_agent(world, def, k, index);
    if (ids) ids[k] = throng_lookup_id_of(world, index);
  }
  mark_changed(world);
  return THRONG_OK;
}

throng_status throng_agents_add(throng_world *world, const throng_agents_def *def, uint32_t count, throng_agent_id *ids,
                                throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, agents_add_inner(world, def, count, ids, error));
}

static throng_status check_wanted_id(const throng_world *world, throng_agent_id id, uint32_t k, throng_error *error) {
  if (id.world != world->def.id_world) return throng_lookup_check_id(world, id, "ids[k]", error);
  if (id.index == 0 || id.index > MAX_AGENTS || id.generation == 0) {
    return throng_fail_agent(error, THRONG_ERROR_STALE_ID, id,
                             "ids[%u] {%u, %u, %u}: index 1 to %u, generation 1 to 65535", k, id.index, id.generation,
                             id.world, MAX_AGENTS);
  }
  if (id.index <= world->agents.ids.capacity && (world->agents.ids.state[id.index] & (ID_LIVE | ID_CLAIMED))) {
    return throng_fail_agent(error, THRONG_ERROR_STALE_ID, id, "ids[%u] {%u, %u, %u} is in use", k, id.index,
                             id.generation, id.world);
  }
  return THRONG_OK;
}

static throng_status claim_ids(throng_world *world, const throng_agent_id *ids, uint32_t count, throng_error *error) {
  throng_status status = THRONG_OK;
  uint32_t claimed = 0;
  while (claimed < count && status == THRONG_OK) {
    status = check_wanted_id(world, ids[claimed], claimed, error);
    if (status == THRONG_OK) world->agents.ids.state[ids[claimed++].index] |= ID_CLAIMED;
  }
  for (uint32_t k = 0; k < claimed; k++) world->agents.ids.state[ids[k].index] &= (uint8_t)~ID_CLAIMED;
  return status;
}

static OUT_OF_LINE throng_status agents_add_with_ids_inner(throng_world *world, const throng_agents_def *def,
                                                           uint32_t count, const throng_agent_id *ids,
                                                           throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(def, error);
  if (count > 0) REQUIRE_POINTER(ids, error);
  TRY(check_new_agents(world, def, count, error));
  uint32_t largest = world->agents.ids.used;
  for (uint32_t k = 0; k < count; k++) {
    TRY(check_wanted_id(world, ids[k], k, error));
    if (ids[k].index > largest) largest = ids[k].index;
  }
  TRY(throng_room_make(world, (uint64_t)world->agents.count + count, largest, false, error));
  TRY(claim_ids(world, ids, count, error));
  TRY(need_new_columns(world, def, count, error));
  if (count == 0) return THRONG_OK;
  for (uint32_t k = 0; k < count; k++) {
    throng_ids_take_exactly(&world->agents.ids, ids[k].index, ids[k].generation);
    place_agent(world, def, k, ids[k].index);
  }
  mark_changed(world);
  return THRONG_OK;
}

throng_status throng_agents_add_with_ids(throng_world *world, const throng_agents_def *def, uint32_t count,
                                         const throng_agent_id *ids, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, agents_add_with_ids_inner(world, def, count, ids, error));
}

/* Removing: the last agent takes the place. */
static void remove_agent(throng_world *world, throng_agent_id id) {
  struct columns *front = &world->agents.front;
  ASSERT(world, world->agents.count > 0 && ids_is_live(&world->agents.ids, id.index));
  const uint32_t slot = throng_lookup_slot(world, id), last = --world->agents.count;
  world->group_agents[meta_group(front->meta[slot])]--;
  for (int c = 0; c < COLUMN_COUNT; c++) {
    if (front->f[c]) front->f[c][slot] = front->f[c][last];
  }
  front->id[slot] = front->id[last];
  front->meta[slot] = front->meta[last];
  ids_note_slot(&world->agents.ids, front->id[slot], slot);
  throng_ids_give_back(&world->agents.ids, id.index);
}

throng_status throng_agents_remove(throng_world *world, const throng_agent_id *ids, uint32_t count,
                                   throng_error *error) {
  REQUIRE_POINTER(world, error);
  if (count == 0) return THRONG_OK;
  REQUIRE_POINTER(ids, error);
  throng_status status = THRONG_OK;
  uint32_t known = 0;
  while (known < count && status == THRONG_OK) { /* not live for a moment, so that a duplicate shows */
    status = throng_lookup_check_id(world, ids[known], "ids[k]", error);
    if (status == THRONG_OK) world->agents.ids.state[ids[known++].index] &= (uint8_t)~ID_LIVE;
  }
  for (uint32_t k = 0; k < known; k++) world->agents.ids.state[ids[k].index] |= ID_LIVE;
  if (status != THRONG_OK) return status;
  throng_lookup_expect(world, count);
  for (uint32_t k = 0; k < count; k++) remove_agent(world, ids[k]);
  mark_changed(world);
  return THRONG_OK;
}
