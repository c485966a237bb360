/* records.c: agents as records, as they travel between the pieces of a world (throng/piece.h). A record has the bits of
 * the columns, so that nothing is rounded or checked twice.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include <throng/piece.h>

#include "agents/lookup.h"
#include "agents/room.h"
#include "agents/values.h"
#include "base/assertion.h"
#include "state.h"

/* The columns of records, and the arrays that hold them, in the order of a record. `previous` arrays of the previous
 * pose follow the `arrays` of the columns. */
struct layout {
  int arrays, previous;
  int array[COLUMN_COUNT];
  const struct column_row *row[COLUMN_COUNT]; /* of the column that the array belongs to */
  size_t bytes;                               /* of a record */
};

#define ALL_COLUMNS ((THRONG_BIT(THRONG_COLUMN_COUNT) - 1) | THRONG_PIECE_PREVIOUS_POSE | THRONG_PIECE_HEIGHT)

static bool in_records(throng_column column) {
  return throng_column_rows[column].arrays > 0 && !(throng_column_rows[column].flags & COLUMN_DERIVED);
}

static void add_previous(struct layout *layout, bool spatial) {
  for (int c = COLUMN_PREVIOUS; c < COLUMN_COUNT; c++) {
    const int pose = column_of_pose(c);
    const bool planar = pose == COLUMN_POSITION_X || pose == COLUMN_POSITION_Z || pose == COLUMN_FACING_X;
    if (spatial || planar) layout->array[layout->arrays + layout->previous++] = c;
  }
}

static struct layout layout_of(bool spatial, uint64_t columns) {
  struct layout layout = {.bytes = sizeof(throng_piece_head)};
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    if (!(columns & THRONG_BIT(column)) || !in_records((throng_column)column)) continue;
    for (uint32_t c = 0; c < column_components((throng_column)column, spatial); c++) {
      const bool height = column == THRONG_COLUMN_POSITION && columns & THRONG_PIECE_HEIGHT;
      if (c == 1 && column_lacks_y(row, spatial) && !height) continue;
      layout.row[layout.arrays] = row;
      layout.array[layout.arrays++] = row->first + (int)c;
    }
  }
  if (columns & THRONG_PIECE_PREVIOUS_POSE) add_previous(&layout, spatial);
  ASSERT_ALONE(layout.arrays + layout.previous <= COLUMN_COUNT);
  layout.bytes += (size_t)(layout.arrays + layout.previous) * sizeof(float);
  return layout;
}

uint64_t throng_piece_columns(const throng_world *world) {
  uint64_t columns = 0;
  if (!world) return 0;
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    if (in_records((throng_column)column) && world->agents.front.f[row->first]) columns |= THRONG_BIT(column);
  }
  if (world->def.keep_previous_pose) columns |= THRONG_PIECE_PREVIOUS_POSE;
  const bool height = !world->space.spatial && world->agents.front.f[COLUMN_POSITION_Y];
  return height ? columns | THRONG_PIECE_HEIGHT : columns;
}

static bool some_group_gathers(const throng_world *world) {
  for (uint32_t g = 0; g < world->group_room; g++) {
    for (uint32_t k = 0; world->group_defined[g] && k < world->group[g].behaviour_count; k++) {
      const throng_behaviour *b = &world->group[g].behaviour[k];
      if (b->kind == THRONG_BEHAVIOUR_ARRIVE && (b->arrive.gather || b->arrive.settle)) return true;
    }
  }
  return false;
}

uint64_t throng_piece_seen_columns(const throng_world *world) {
  uint64_t seen = THRONG_BIT(THRONG_COLUMN_POSITION) | THRONG_BIT(THRONG_COLUMN_VELOCITY) |
                  THRONG_BIT(THRONG_COLUMN_FACING) | THRONG_BIT(THRONG_COLUMN_BODY_RADIUS) |
                  THRONG_BIT(THRONG_COLUMN_MASS) | THRONG_BIT(THRONG_COLUMN_BLOCKED_TIME) |
                  THRONG_BIT(THRONG_COLUMN_MAX_SPEED);
  /* Reciprocal avoidance reads the goals of others, and a crowd that gathers reads their targets. */
  if (world && world->agents.seen) seen |= THRONG_BIT(THRONG_COLUMN_GOAL);
  if (world && some_group_gathers(world)) seen |= THRONG_BIT(THRONG_COLUMN_GOAL) | THRONG_BIT(THRONG_COLUMN_TARGET);
  return throng_piece_columns(world) & seen;
}

size_t throng_piece_record_bytes(throng_space space, uint64_t columns) {
  if ((unsigned)space > THRONG_SPACE_SPATIAL) return 0;
  return layout_of(space == THRONG_SPACE_SPATIAL, columns).bytes;
}

static throng_status check_columns(uint64_t columns, throng_error *error) {
  if (!(columns & ~ALL_COLUMNS)) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                     "columns are %016llx, allowed: bits 0 to %d, THRONG_PIECE_PREVIOUS_POSE and THRONG_PIECE_HEIGHT",
                     (unsigned long long)columns, THRONG_COLUMN_COUNT - 1);
}

static throng_status need_columns_inner(throng_world *world, uint64_t columns, throng_error *error) {
  TRY(check_columns(columns, error));
  const uint64_t missing = columns & ~throng_piece_columns(world);
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    if (missing & THRONG_BIT(column) && in_records((throng_column)column))
      TRY(throng_value_need(world, (throng_column)column, error));
  }
  return missing & THRONG_PIECE_HEIGHT && !world->space.spatial ? throng_value_need_y(world, error) : THRONG_OK;
}

throng_status throng_piece_need_columns(throng_world *world, uint64_t columns, throng_error *error) {
  RETURN_ALONE(world, error, need_columns_inner(world, columns, error));
}

/* The array that has the newest values of a column: in the exchange of a frame, that of the new state. */
static float *newest(const throng_world *world, int array) {
  const bool new_state = world->piece.exchanging && world->piece.written[array];
  return (new_state ? &world->agents.back : &world->agents.front)->f[array];
}

/* The array that has the previous values of a part of the pose. In the exchange of a frame these are the committed
 * ones. */
static const float *previous(const throng_world *world, int array) {
  const bool stored = world->has_previous && !world->piece.exchanging;
  return world->agents.front.f[stored ? array : column_of_pose(array)];
}

static void pack_agent(const throng_world *world, const struct layout *layout, uint32_t slot, char *record) {
  const uint32_t meta = world->agents.front.meta[slot];
  ASSERT(world, slot < world->agents.count);
  const throng_piece_head head = {world->agents.front.id[slot], (uint16_t)meta_generation(meta),
                                  (uint8_t)meta_group(meta), 0};
  memcpy(record, &head, sizeof head);
  record += sizeof head;
  for (int k = 0; k < layout->arrays; k++, record += sizeof(float)) {
    const float *values = newest(world, layout->array[k]);
    memcpy(record, &values[slot], sizeof(float));
  }
  for (int k = 0; k < layout->previous; k++, record += sizeof(float))
    memcpy(record, &previous(world, layout->array[layout->arrays + k])[slot], sizeof(float));
}

throng_status throng_piece_pack(const throng_world *world, uint64_t columns, const uint32_t *elements, uint32_t count,
                                void *records, throng_error *error) {
  REQUIRE_POINTER(world, error);
  if (count > 0) REQUIRE_POINTER(elements, error);
  if (count > 0) REQUIRE_POINTER(records, error);
  TRY(check_columns(columns, error));
  if (world->removed) {
    return throng_fail(error, THRONG_ERROR_NOT_INDEXED, "agents were removed: throng_world_index or a step first");
  }
  const struct layout layout = layout_of(world->space.spatial, columns);
  for (int k = 0; k < layout.arrays; k++) {
    if (world->agents.front.f[layout.array[k]]) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "columns are %016llx, but the world has %016llx",
                       (unsigned long long)columns, (unsigned long long)throng_piece_columns(world));
  }
  for (uint32_t k = 0; k < count; k++) {
    if (elements[k] < world->agents.count) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "elements[%u] is %u, the view has %u", k, elements[k],
                       world->agents.count);
  }
  for (uint32_t k = 0; k < count; k++) pack_agent(world, &layout, elements[k], (char *)records + k * layout.bytes);
  return THRONG_OK;
}

/* Taking. */

/* Records to take. */
struct taking {
  throng_world *world;
  const char *records;
  uint32_t count;
  bool own;
  struct layout layout;
};
static throng_piece_head head_at(const struct taking *taking, uint32_t k) {
  throng_piece_head head;
  ASSERT(taking->world, k < taking->count);
  memcpy(&head, taking->records + k * taking->layout.bytes, sizeof head);
  return head;
}
static throng_agent_id id_of(const struct taking *taking, const throng_piece_head *head) {
  return (throng_agent_id){head->index, head->generation, taking->world->def.id_world};
}

static throng_status check_head(const struct taking *taking, uint32_t k, throng_error *error) {
  const throng_piece_head head = head_at(taking, k);
  const throng_agent_id id = id_of(taking, &head);
  if (head.index == 0 || head.index > MAX_AGENTS || head.generation == 0) {
    return throng_fail_agent(error, THRONG_ERROR_STALE_ID, id, "records[%u] has id {%u, %u}: no id", k, head.index,
                             head.generation);
  }
  if (head.zero != 0) {
    return throng_fail_agent(error, THRONG_ERROR_BAD_VALUE, id, "records[%u] of agent %u: byte 7 is %u, must be 0", k,
                             head.index, head.zero);
  }
  if (taking->world->group_defined[head.group]) return THRONG_OK;
  return throng_fail_agent(error, THRONG_ERROR_NO_GROUP, id, "records[%u] of agent %u: group %u is not defined", k,
                           head.index, head.group);
}

static throng_status fail_owned(const struct taking *taking, uint32_t k, const char *why, throng_error *error) {
  const throng_piece_head head = head_at(taking, k);
  return throng_fail_agent(error, THRONG_ERROR_STALE_ID, id_of(taking, &head), "records[%u]: %s agent {%u, %u}", k, why,
                           head.index, head.generation);
}

static void store_values(const struct taking *taking, uint32_t k, uint32_t slot) {
  const char *value = taking->records + k * taking->layout.bytes + sizeof(throng_piece_head);
  for (int a = 0; a < taking->layout.arrays; a++, value += sizeof(float)) {
    float given;
    memcpy(&given, value, sizeof given);
    newest(taking->world, taking->layout.array[a])[slot] = value_stored(taking->layout.row[a], given);
  }
}

/* Writes the previous pose of the agent of record k to its slot: that of the record, or the agent's own pose if the
 * record has none. In the exchange of a frame the front arrays of the pose receive it (keep_pose in frame/commit.c). A
 * world that is no piece ignores that of the record, because it has not been checked. */
static void store_previous(const struct taking *taking, uint32_t k, uint32_t slot) {
  const struct layout *layout = &taking->layout;
  throng_world *world = taking->world;
  const char *value = taking->records + (k + 1) * layout->bytes - (size_t)layout->previous * sizeof(float);
  float *const *front = world->agents.front.f;
  if (!world->def.keep_previous_pose) return;
  for (int c = COLUMN_PREVIOUS; c < COLUMN_COUNT; c++) {
    const int pose = column_of_pose(c);
    if (front[c]) front[world->piece.exchanging ? pose : c][slot] = newest(world, pose)[slot];
  }
  for (int a = 0; a < layout->previous && world->piece.set; a++, value += sizeof(float)) {
    const int c = layout->array[layout->arrays + a];
    memcpy(&front[world->piece.exchanging ? column_of_pose(c) : c][slot], value, sizeof(float));
  }
}

/* Writes the agent of record k to a slot after all others, with defaults for columns that the record lacks. */
static void append(const struct taking *taking, uint32_t k, uint32_t slot) {
  throng_world *world = taking->world;
  ASSERT(world, slot >= world->agents.count && slot < world->agents.capacity);
  const throng_piece_head head = head_at(taking, k);
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    for (int a = row->first; a < row->first + row->arrays; a++) {
      if (world->agents.front.f[a]) newest(world, a)[slot] = column_fill(row);
    }
  }
  world->agents.front.id[slot] = head.index;
  world->agents.front.meta[slot] = meta_make(head.group, head.generation) | (taking->own ? 0 : META_GHOST);
  store_values(taking, k, slot);
  store_previous(taking, k, slot);
}

/* In an exchange. */

static void arrive(const struct taking *taking, uint32_t k) {
  throng_world *world = taking->world;
  const throng_piece_head head = head_at(taking, k);
  const uint32_t slot = world->agents.count + world->piece.arrivals++;
  append(taking, k, slot);
  throng_ids_take_exactly(&world->agents.ids, head.index, head.generation);
  ids_note_slot(&world->agents.ids, head.index, slot);
}

static throng_status exchange_one(const struct taking *taking, uint32_t k, throng_error *error) {
  throng_world *world = taking->world;
  struct agents *agents = &world->agents;
  const throng_piece_head head = head_at(taking, k);
  if (!ids_is_live(&agents->ids, head.index)) {
    arrive(taking, k);
    return THRONG_OK;
  }
  const uint32_t slot = ids_last_slot(&agents->ids, head.index); /* the slots of ghosts and arrivals are known */
  const bool known = agents->front.id[slot] == head.index;
  if (known && slot >= agents->count) return fail_owned(taking, k, "this piece has taken twice", error);
  if (!known || !(agents->front.meta[slot] & META_GHOST) ||
      meta_generation(agents->front.meta[slot]) != head.generation) {
    return fail_owned(taking, k, "this piece owns", error);
  }
  if (agents->fate[slot] != FATE_LEAVES) return fail_owned(taking, k, "this piece has taken twice", error);
  if (meta_group(agents->front.meta[slot]) != head.group) {
    return throng_fail_agent(error, THRONG_ERROR_BAD_VALUE, id_of(taking, &head),
                             "records[%u] of agent %u: group %u, but the ghost has group %u", k, head.index, head.group,
                             meta_group(agents->front.meta[slot]));
  }
  agents->fate[slot] = taking->own ? FATE_BECOMES_OWN : FATE_STAYS;
  ASSERT(world, world->piece.departures > 0); /* every ghost was counted when the exchange began */
  world->piece.departures--;
  store_values(taking, k, slot);
  return THRONG_OK;
}

static throng_status take_in_exchange(const struct taking *taking, throng_error *error) {
  throng_world *world = taking->world;
  uint32_t arrivals = 0, largest = world->agents.ids.used;
  for (int a = 0; a < taking->layout.arrays; a++) {
    if (!world->agents.front.f[taking->layout.array[a]])
      return throng_fail(error, THRONG_ERROR_BAD_VALUE, "the records have columns that the world lacks");
  }
  for (uint32_t k = 0; k < taking->count; k++) {
    TRY(check_head(taking, k, error));
    const uint32_t index = head_at(taking, k).index;
    arrivals += !ids_is_live(&world->agents.ids, index);
    if (index > largest) largest = index;
  }
  const uint64_t needed = (uint64_t)world->agents.count + world->piece.arrivals + arrivals;
  if (needed > world->agents.capacity) {
    return throng_fail(error, THRONG_ERROR_CAPACITY, "the exchange brings %llu agents, the capacity is %u",
                       (unsigned long long)needed, world->agents.capacity);
  }
  TRY(throng_room_make_ids(world, needed, largest, error));
  for (uint32_t k = 0; k < taking->count; k++) TRY(exchange_one(taking, k, error));
  return THRONG_OK;
}

/* Between frames. */

/* Checks all values of record k: it may be from a file. Pieces trust each other. */
static throng_status check_values(const struct taking *taking, uint32_t k, throng_error *error) {
  const struct layout *layout = &taking->layout;
  const throng_piece_head head = head_at(taking, k);
  const char *value = taking->records + k * layout->bytes + sizeof head;
  for (int a = 0; a < layout->arrays;) {
    const struct column_row *row = layout->row[a];
    float v[3] = {0.0f, 0.0f, 0.0f};
    for (; a < layout->arrays && layout->row[a] == row; a++, value += sizeof(float))
      memcpy(&v[layout->array[a] - row->first], value, sizeof(float));
    const throng_column column = (throng_column)(row - throng_column_rows);
    TRY(throng_value_check_saved(taking->world, column, v, id_of(taking, &head), k, error));
  }
  return THRONG_OK;
}

static throng_status take_between_frames(const struct taking *taking, throng_error *error) {
  throng_world *world = taking->world;
  struct agents *agents = &world->agents;
  uint32_t largest = agents->ids.used;
  for (uint32_t k = 0; k < taking->count; k++) {
    TRY(check_head(taking, k, error));
    const uint32_t index = head_at(taking, k).index;
    if (ids_is_live(&agents->ids, index)) return fail_owned(taking, k, "the piece already has", error);
    if (!world->piece.set) TRY(check_values(taking, k, error));
    if (index > largest) largest = index;
  }
  TRY(throng_room_make(world, (uint64_t)agents->count + taking->count, largest, false, error));
  const uint32_t first = agents->count;
  for (uint32_t k = 0; k < taking->count; k++) {
    const throng_piece_head head = head_at(taking, k);
    if (ids_is_live(&agents->ids, head.index)) { /* an id that the records have twice: take nothing */
      while (agents->count > first) throng_ids_give_back(&agents->ids, agents->front.id[--agents->count]);
      return fail_owned(taking, k, "the records have twice", error);
    }
    append(taking, k, agents->count);
    throng_ids_take_exactly(&agents->ids, head.index, head.generation);
    ids_note_slot(&agents->ids, head.index, agents->count++);
  }
  for (uint32_t slot = first; slot < agents->count; slot++) world_count_agent(world, agents->front.meta[slot], 1);
  if (first < world->added_from) world->added_from = first;
  world->piece.changes++;
  world->dirty = true;
  world->steered = false;
  throng_grid_mark(&world->grid, first, agents->count);
  return THRONG_OK;
}

static throng_status take_inner(const struct taking *taking, throng_error *error) {
  if (taking->count == 0) return THRONG_OK;
  if (!taking->world->piece.set && !taking->own)
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "the world is no piece: it takes no ghosts");
  REQUIRE_POINTER(taking->records, error);
  return taking->world->piece.exchanging ? take_in_exchange(taking, error) : take_between_frames(taking, error);
}

static throng_status check_and_take(throng_world *world, uint64_t columns, const void *records, uint32_t count,
                                    bool own, throng_error *error) {
  TRY(check_columns(columns, error));
  const struct taking taking = {world, records, count, own, layout_of(world->space.spatial, columns)};
  if (!world->piece.exchanging) TRY(need_columns_inner(world, columns, error));
  return take_inner(&taking, error);
}

throng_status throng_piece_take(throng_world *world, uint64_t columns, const void *records, uint32_t count, bool own,
                                throng_error *error) {
  REQUIRE_POINTER(world, error);
  if (world->piece.beginning)
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "throng_piece_take works only in `exchange`, not in `begin`");
  if (world->piece.exchanging) return check_and_take(world, columns, records, count, own, error);
  RETURN_ALONE(world, error, check_and_take(world, columns, records, count, own, error));
}
