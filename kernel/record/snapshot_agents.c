/* snapshot_agents.c: the agents of a snapshot, and their ids. SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include "agents/lookup.h"
#include "agents/room.h"
#include "agents/values.h"
#include "base/assertion.h"
#include "record/snapshot_parts.h"

#define LAST_GENERATION 65535u /* an index whose agent had this generation is retired when the agent is removed */
#define LOWER_BYTES 6u
#define SPARSE_BYTES 6u /* of an id index and its generation */

/* Columns. */

/* Writes to `arrays` the numbers of the arrays that a snapshot with these columns stores for `column`. Returns how many
 * there are. */
static int arrays_of(const throng_world *world, throng_column column, uint64_t columns, int arrays[3]) {
  ASSERT(world, (unsigned)column < THRONG_COLUMN_COUNT);
  const struct column_row *row = &throng_column_rows[column];
  const bool spatial = world->space.spatial;
  const int components = (int)column_components(column, spatial);
  int count = 0;
  for (int c = 0; c < components; c++) {
    const bool height = c == 1 && column_lacks_y(row, spatial);
    const bool stored = column == THRONG_COLUMN_POSITION && columns & SNAPSHOT_HEIGHTS;
    if (!height || stored) arrays[count++] = row->first + c;
  }
  return count;
}

static uint64_t columns_of(const throng_world *world) {
  uint64_t columns = !world->space.spatial && world->agents.front.f[COLUMN_POSITION_Y] ? SNAPSHOT_HEIGHTS : 0;
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    if (row->arrays > 0 && world->agents.front.f[row->first]) columns |= THRONG_BIT(column);
  }
  return columns;
}

static bool columns_are_legal(const throng_world *world, uint64_t columns) {
  const bool spatial = world->space.spatial;
  uint64_t possible = spatial ? 0 : SNAPSHOT_HEIGHTS, needed = 0;
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    if (row->arrays > 0) possible |= THRONG_BIT(column);
    if (row->owner == OWNER_WORLD) needed |= THRONG_BIT(column);
  }
  if (columns & THRONG_BIT(THRONG_COLUMN_STEER_PERIOD)) needed |= THRONG_BIT(THRONG_COLUMN_KEPT_ACCELERATION);
  return (columns & needed) == needed && (columns & ~possible) == 0;
}

/* Writing. */

static uint32_t slot_of(const throng_world *world, uint32_t index) {
  return throng_lookup_slot(world, (throng_agent_id){index, 0, 0});
}

static void write_live(struct archive *archive, const struct id_table *ids) {
  if (throng_archive_measured(archive, ((size_t)ids->used + 7) / 8)) return;
  for (uint32_t begin = 1; begin <= ids->used; begin += 8) {
    uint8_t bits = 0;
    for (uint32_t k = 0; k < 8; k++) bits |= (uint8_t)((uint32_t)ids_is_live(ids, begin + k) << k);
    throng_archive_u8(archive, &bits);
  }
}

static void write_highest(struct archive *archive, const struct id_table *ids) {
  if (throng_archive_measured(archive, (size_t)ids->used * sizeof *ids->highest)) return;
  for (uint32_t index = 1; index <= ids->used; index++) throng_archive_u16(archive, &ids->highest[index]);
}

static void write_free(struct archive *archive, const struct id_table *ids) {
  if (throng_archive_measured(archive, (size_t)ids->free_count * sizeof *ids->free)) return;
  for (uint32_t k = 0; k < ids->free_count; k++) throng_archive_u32(archive, &ids->free[k]);
}

/* Writes the agents whose generation is below the largest of their index; returns their number. */
static uint32_t write_lower(struct archive *archive, const struct id_table *ids) {
  uint32_t count = 0;
  for (uint32_t index = 1; index <= ids->used; index++) {
    if (!ids_is_live(ids, index) || ids->entry[index].generation == ids->highest[index]) continue;
    uint32_t lower = index;
    throng_archive_u32(archive, &lower);
    throng_archive_u16(archive, &ids->entry[index].generation);
    count++;
  }
  return count;
}

/* Sparse ids: the index of each agent, then the generation of each. */
static void write_sparse(struct archive *archive, const throng_world *world) {
  if (throng_archive_measured(archive, (size_t)world->agents.count * SPARSE_BYTES)) return;
  struct id_loop all = throng_lookup_all(world);
  for (uint32_t index; (index = lookup_next(&all)) != 0;) throng_archive_u32(archive, &index);
  all = throng_lookup_all(world);
  for (uint32_t index; (index = lookup_next(&all)) != 0;) {
    uint16_t generation = throng_lookup_id_of(world, index).generation;
    throng_archive_u16(archive, &generation);
  }
}

static void write_ids(struct archive *archive, const throng_world *world) {
  const struct id_table *ids = &world->agents.ids;
  struct archive counted = {.mode = ARCHIVE_MEASURE};
  uint32_t counts[4] = {world->agents.count, ids->used, ids->sparse ? 0 : write_lower(&counted, ids), ids->free_count};
  const size_t begun = throng_archive_begin(archive, TAG_IDS, 0);
  for (int k = 0; k < 4; k++) throng_archive_u32(archive, &counts[k]);
  if (ids->sparse) {
    write_sparse(archive, world);
  } else {
    write_live(archive, ids);
    write_highest(archive, ids);
    write_lower(archive, ids);
    write_free(archive, ids);
  }
  throng_archive_end(archive, begun);
}

static void write_groups(struct archive *archive, const throng_world *world) {
  if (throng_archive_measured(archive, world->agents.count)) return;
  struct id_loop all = throng_lookup_all(world);
  for (uint32_t index; (index = lookup_next(&all)) != 0;) {
    uint8_t group = (uint8_t)meta_group(world->agents.front.meta[slot_of(world, index)]);
    throng_archive_u8(archive, &group);
  }
}

static void write_column(struct archive *archive, const throng_world *world, const float *values) {
  float stretch[256];
  uint32_t count = 0;
  if (throng_archive_measured(archive, (size_t)world->agents.count * sizeof *values)) return;
  struct id_loop all = throng_lookup_all(world);
  for (uint32_t index; (index = lookup_next(&all)) != 0;) {
    stretch[count++] = values[slot_of(world, index)];
    if (count < sizeof stretch / sizeof *stretch) continue;
    throng_archive_floats(archive, stretch, count);
    count = 0;
  }
  throng_archive_floats(archive, stretch, count);
}

static void code_torus(struct archive *archive, struct torus *torus) {
  throng_archive_u32(archive, &torus->bits_x);
  throng_archive_u32(archive, &torus->bits_y);
  throng_archive_u32(archive, &torus->bits_z);
}

void throng_snapshot_write_agents(struct archive *archive, const throng_world *world) {
  uint64_t columns = columns_of(world);
  throng_lookup_expect(world, world->agents.count);
  write_ids(archive, world);
  const size_t begun = throng_archive_begin(archive, TAG_AGENTS, 0);
  struct torus torus = world->grid.torus;
  throng_archive_u64(archive, &columns);
  write_groups(archive, world);
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    int arrays[3];
    if (!(columns & THRONG_BIT(column))) continue;
    const int count = arrays_of(world, (throng_column)column, columns, arrays);
    for (int c = 0; c < count; c++) write_column(archive, world, world->agents.front.f[arrays[c]]);
  }
  code_torus(archive, &torus);
  throng_archive_end(archive, begun);
}

void throng_snapshot_write_no_agents(struct archive *archive, const throng_world *world) {
  uint64_t columns = columns_of(world);
  uint32_t none = 0;
  struct grid empty;
  throng_grid_init(&empty, &world->def, &world->space, 1, false);
  size_t begun = throng_archive_begin(archive, TAG_IDS, 0);
  for (int k = 0; k < 4; k++) throng_archive_u32(archive, &none);
  throng_archive_end(archive, begun);
  begun = throng_archive_begin(archive, TAG_AGENTS, 0);
  throng_archive_u64(archive, &columns);
  code_torus(archive, &empty.torus);
  throng_archive_end(archive, begun);
}

/* Reading. */

static throng_status read_ids(struct archive *file, bool sparse, struct snapshot_agents *agents, throng_error *error) {
  struct archive body;
  if (!throng_archive_next(file, TAG_IDS, 0, &body)) return throng_archive_malformed("ids", 0, error);
  throng_archive_u32(&body, &agents->count);
  throng_archive_u32(&body, &agents->used);
  throng_archive_u32(&body, &agents->lower_count);
  throng_archive_u32(&body, &agents->free_count);
  if (sparse) {
    agents->index = throng_archive_take(&body, agents->count, 4);
    agents->generation = throng_archive_take(&body, agents->count, 2);
  } else {
    agents->live = throng_archive_take(&body, ((uint64_t)agents->used + 7) / 8, 1);
    agents->highest = throng_archive_take(&body, agents->used, 2);
    agents->lower = throng_archive_take(&body, agents->lower_count, LOWER_BYTES);
    agents->free = throng_archive_take(&body, agents->free_count, 4);
  }
  if (sparse && agents->lower_count + (uint64_t)agents->free_count > 0)
    return throng_archive_malformed("ids", 0, error);
  return throng_archive_complete(&body) ? THRONG_OK : throng_archive_malformed("ids", 0, error);
}

throng_status throng_snapshot_read_agents(struct archive *file, const throng_world *world,
                                          struct snapshot_agents *agents, throng_error *error) {
  struct archive body;
  memset(agents, 0, sizeof *agents);
  TRY(read_ids(file, world->agents.ids.sparse, agents, error));
  if (!throng_archive_next(file, TAG_AGENTS, 0, &body)) return throng_archive_malformed("agents", 0, error);
  throng_archive_u64(&body, &agents->columns);
  if (!columns_are_legal(world, agents->columns)) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "the agents have the columns %016llx (bits), which are impossible in this kind of world",
                       (unsigned long long)agents->columns);
  }
  agents->group = throng_archive_take(&body, agents->count, 1);
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    int arrays[3];
    if (!(agents->columns & THRONG_BIT(column))) continue;
    const int count = arrays_of(world, (throng_column)column, agents->columns, arrays);
    for (int c = 0; c < count; c++) agents->f[arrays[c]] = throng_archive_take(&body, agents->count, 4);
  }
  code_torus(&body, &agents->torus);
  if (!throng_archive_complete(&body)) return throng_archive_malformed("agents", 0, error);
  if (throng_grid_may_have_torus(&world->grid, &agents->torus, agents->count)) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "the grid has %u, %u and %u bits, which no world of its kind has",
                     agents->torus.bits_x, agents->torus.bits_y, agents->torus.bits_z);
}

throng_status throng_snapshot_make_room(const struct snapshot_agents *agents, throng_world *world,
                                        throng_error *error) {
  TRY(throng_room_make(world, agents->count, agents->used, true, error));
  TRY(throng_room_make_torus(world, &agents->torus, error));
  TRY(throng_value_need_all(world, agents->columns & ~SNAPSHOT_HEIGHTS, error));
  return agents->columns & SNAPSHOT_HEIGHTS ? throng_value_need_y(world, error) : THRONG_OK;
}

/* Checking. */

static bool is_live(const struct snapshot_agents *agents, uint32_t index) {
  ASSERT_ALONE(index >= 1 && (index - 1) / 8 <= (agents->used + 7) / 8);
  return ((uint32_t)agents->live[(index - 1) / 8] >> (index - 1) % 8 & 1u) != 0;
}
static uint32_t highest_of(const struct snapshot_agents *agents, uint32_t index) {
  ASSERT_ALONE(index >= 1 && index <= agents->used);
  return archive_get_u16(agents->highest + 2 * (size_t)(index - 1));
}

static throng_status bad_index(uint32_t index, const char *what, throng_error *error) {
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "id index %u %s", index, what);
}

/* Checks the stack of free indices. It uses the table of slots for its marks, because this table is rebuilt later. */
static throng_status check_stack(const struct snapshot_agents *agents, struct id_table *ids, throng_error *error) {
  ids_forget_slots(ids);
  for (uint32_t index = 0; index <= agents->used; index++) ids_note_slot(ids, index, 0);
  for (uint32_t k = 0; k < agents->free_count; k++) {
    const uint32_t index = archive_get_u32(agents->free + 4 * (size_t)k);
    if (index == 0 || index > agents->used)
      return bad_index(index, "is on the list of free indices, but was never used", error);
    if (ids_last_slot(ids, index)) return bad_index(index, "is twice on the list of free indices", error);
    ids_note_slot(ids, index, 1);
  }
  return THRONG_OK;
}

static throng_status check_lower(const struct snapshot_agents *agents, throng_error *error) {
  uint32_t before = 0;
  for (uint32_t k = 0; k < agents->lower_count; k++) {
    const uint8_t *at = agents->lower + LOWER_BYTES * (size_t)k;
    const uint32_t index = archive_get_u32(at), generation = archive_get_u16(at + 4);
    if (index <= before || index > agents->used || !is_live(agents, index) || generation == 0 ||
        generation >= highest_of(agents, index)) {
      return bad_index(index, "has an impossible generation", error);
    }
    before = index;
  }
  return THRONG_OK;
}

static uint32_t sparse_index(const struct snapshot_agents *agents, uint32_t k) {
  return archive_get_u32(agents->index + 4 * (size_t)k);
}
static uint16_t sparse_generation(const struct snapshot_agents *agents, uint32_t k) {
  return (uint16_t)archive_get_u16(agents->generation + 2 * (size_t)k);
}

static throng_status check_sparse(const struct snapshot_agents *agents, throng_error *error) {
  uint32_t before = 0;
  for (uint32_t k = 0; k < agents->count; k++) {
    const uint32_t index = sparse_index(agents, k);
    if (index <= before || index > agents->used) return bad_index(index, "is out of order, or was never used", error);
    if (sparse_generation(agents, k) == 0) return bad_index(index, "has generation 0", error);
    before = index;
  }
  return THRONG_OK;
}

static throng_status check_ids(const struct snapshot_agents *agents, struct id_table *ids, throng_error *error) {
  uint32_t live = 0;
  if (ids->sparse) return check_sparse(agents, error);
  TRY(check_stack(agents, ids, error));
  for (uint32_t index = 1; index <= agents->used; index++) {
    const uint32_t highest = highest_of(agents, index);
    live += is_live(agents, index);
    if (is_live(agents, index) ? highest == 0 : highest != LAST_GENERATION && !ids_last_slot(ids, index)) {
      return bad_index(index, "is neither live, free nor retired, or has generation 0", error);
    }
  }
  for (uint32_t k = agents->used; k % 8 != 0; k++) {
    if (is_live(agents, k + 1)) return bad_index(k + 1, "is live, but was never used", error);
  }
  if (live != agents->count) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%u ids are live, but there are %u agents", live, agents->count);
  }
  return check_lower(agents, error);
}

/* A loop over the ids of the agents, in the order of the columns. */
struct agent_walk {
  const struct snapshot_agents *agents;
  uint32_t k, index;
};
static uint16_t lower_generation(const struct snapshot_agents *agents, uint32_t index) {
  for (uint32_t k = 0; k < agents->lower_count; k++) {
    const uint8_t *at = agents->lower + LOWER_BYTES * (size_t)k;
    if (archive_get_u32(at) == index) return (uint16_t)archive_get_u16(at + 4);
  }
  return (uint16_t)highest_of(agents, index);
}
static void walk_on(struct agent_walk *walk) {
  if (walk->agents->index) {
    walk->index = sparse_index(walk->agents, walk->k);
  } else {
    do {
      walk->index++;
    } while (!is_live(walk->agents, walk->index));
  }
  walk->k++;
}
static throng_agent_id walked_id(const struct agent_walk *walk, uint16_t id_world) {
  const uint16_t generation =
      walk->agents->index ? sparse_generation(walk->agents, walk->k - 1) : lower_generation(walk->agents, walk->index);
  return (throng_agent_id){walk->index, generation, id_world};
}

/* Checks that the target of agent `index`, which is of this world, lives or has lived. */
static throng_status check_target(const struct snapshot_agents *agents, const throng_world *world, const float v[3],
                                  uint32_t index, throng_error *error) {
  throng_agent_id id;
  memcpy(&id, v, sizeof id);
  const bool lived = id.index <= agents->used &&
                     (id.index == 0 || world->agents.ids.sparse || id.generation <= highest_of(agents, id.index));
  if (lived) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "agent %u: its target {%u, %u, %u} never lived", index, id.index,
                     id.generation, id.world);
}

static throng_status check_column(const struct snapshot_agents *agents, const throng_world *world, throng_column column,
                                  throng_error *error) {
  const int first = throng_column_rows[column].first;
  const int components = (int)column_components(column, world->space.spatial);
  struct agent_walk walk = {agents, 0, 0};
  while (walk.k < agents->count) {
    const uint32_t k = walk.k;
    float v[3] = {0.0f, 0.0f, 0.0f};
    walk_on(&walk);
    for (int c = 0; c < components; c++) {
      if (agents->f[first + c]) v[c] = archive_get_float(agents->f[first + c] + 4 * (size_t)k);
    }
    const throng_agent_id of = {walk.index, 0, world->def.id_world};
    throng_status status = throng_value_check_saved(world, column, v, of, k, error);
    if (status == THRONG_OK && column == THRONG_COLUMN_TARGET)
      status = check_target(agents, world, v, walk.index, error);
    if (status == THRONG_OK) continue;
    if (error) error->agent = walked_id(&walk, world->def.id_world);
    return status;
  }
  return THRONG_OK;
}

/* Checks that all agents are in the outer box, if the world is a piece. */
static throng_status check_outer_box(const struct snapshot_agents *agents, const throng_world *world,
                                     throng_error *error) {
  for (int c = 0; c < 3; c++) {
    const struct grid_axis *axis = &world->space.axis[c];
    const uint8_t *positions = agents->f[COLUMN_POSITION_X + c];
    if (axis->span == axis->period) continue;
    for (uint32_t k = 0; k < agents->count; k++) {
      const float p = archive_get_float(positions + 4 * (size_t)k);
      if (!grid_is_outside(axis, p)) continue;
      return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                         "position[%u].%c is %.9g, outside the outer box of this piece", k, "xyz"[c], (double)p);
    }
  }
  return THRONG_OK;
}

throng_status throng_snapshot_check_agents(const struct snapshot_agents *agents, throng_world *world,
                                           throng_error *error) {
  TRY(check_ids(agents, &world->agents.ids, error));
  for (uint32_t k = 0; k < agents->count; k++) {
    TRY(throng_value_check(world, THRONG_COLUMN_GROUP, &agents->group[k], k, error));
  }
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    if (agents->columns & THRONG_BIT(column)) TRY(check_column(agents, world, (throng_column)column, error));
  }
  return check_outer_box(agents, world, error);
}

/* Writing the agents into the world. */

static void put_sparse(const struct snapshot_agents *agents, throng_world *world) {
  struct id_table *ids = &world->agents.ids;
  throng_ids_clear(ids);
  ids->used = agents->used;
  for (uint32_t k = 0; k < agents->count; k++) {
    const uint32_t index = sparse_index(agents, k);
    throng_ids_take_exactly(ids, index, sparse_generation(agents, k));
    ids_note_slot(ids, index, k);
    world->agents.front.id[k] = index;
  }
  ids_know_slots(ids);
}

/* Sets the ids of the world: agent k of the snapshot gets slot k. */
static void put_ids(const struct snapshot_agents *agents, throng_world *world) {
  struct id_table *ids = &world->agents.ids;
  ASSERT(world, agents->used <= ids->capacity && agents->free_count <= agents->used);
  const uint8_t *lower = agents->lower;
  const uint32_t had = ids->used > agents->used ? ids->used : agents->used;
  for (uint32_t index = 0; index <= had; index++) ids->entry[index].state = 0;
  memset(ids->highest, 0, ((size_t)had + 1) * sizeof *ids->highest);
  ids->used = agents->used;
  ids->live = ids->retired = 0;
  for (uint32_t index = 1; index <= agents->used; index++) {
    ids->highest[index] = ids->entry[index].generation = (uint16_t)highest_of(agents, index);
    if (is_live(agents, index)) {
      if (agents->lower_count && lower < agents->lower + LOWER_BYTES * (size_t)agents->lower_count &&
          archive_get_u32(lower) == index) {
        ids->entry[index].generation = (uint16_t)archive_get_u16(lower + 4);
        lower += LOWER_BYTES;
      }
      ids->entry[index].state = ID_LIVE;
      world->agents.front.id[ids->live] = index;
      ids_note_slot(ids, index, ids->live++);
    } else if (ids->highest[index] == LAST_GENERATION) {
      ids->entry[index].state = ID_RETIRED;
      ids->retired++;
    }
  }
  ids->free_count = agents->free_count;
  for (uint32_t k = 0; k < agents->free_count; k++) {
    ids->free[k] = archive_get_u32(agents->free + 4 * (size_t)k);
    ids->entry[ids->free[k]].state |= ID_STACKED;
  }
  atomic_store(&ids->slots_known, 2);
}

static void put_column(const struct snapshot_agents *agents, throng_world *world, throng_column column) {
  const struct column_row *row = &throng_column_rows[column];
  for (int c = row->first; c < row->first + row->arrays; c++) {
    float *to = world->agents.front.f[c];
    for (uint32_t k = 0; agents->f[c] && k < agents->count; k++)
      to[k] = value_stored(row, archive_get_float(agents->f[c] + 4 * (size_t)k));
  }
}

void throng_snapshot_put_agents(const struct snapshot_agents *agents, throng_world *world) {
  struct columns kept = world->agents.front;
  for (int c = 0; c < COLUMN_PREVIOUS; c++) {
    if (!agents->f[c]) kept.f[c] = NULL;
  }
  throng_columns_drop(&world->agents, &kept, &world->def.allocator);
  (world->agents.ids.sparse ? put_sparse : put_ids)(agents, world);
  ASSERT(world, world->agents.ids.live == agents->count && agents->count <= world->agents.capacity);
  world->agents.count = agents->count;
  world->placed = world->has_previous = false;
  world->added_from = 0;
  memset(world->group_agents, 0, sizeof world->group_agents);
  for (uint32_t k = 0; k < agents->count; k++) {
    world->agents.front.meta[k] =
        meta_make(agents->group[k], throng_lookup_id_of(world, world->agents.front.id[k]).generation);
    world->group_agents[agents->group[k]]++;
  }
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) put_column(agents, world, (throng_column)column);
}
