/* agents_io.c: reads and writes columns by id, and gives views of the columns. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "agents/walk.h"
#include "base/assertion.h"
#include "base/float_environment.h"
#include "base/span.h"
#include "state.h"

/* The checks that reading and writing have in common. */
static throng_status check_copy(const throng_world *world, throng_column column, const throng_agent_id *ids,
                                uint32_t count, const void *data, size_t stride, throng_error *error) {
  if ((unsigned)column >= THRONG_COLUMN_COUNT) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "column is %d, allowed: the columns from %s to %s", (int)column,
                       throng_column_rows[0].name, throng_column_rows[THRONG_COLUMN_COUNT - 1].name);
  }
  if (count > 0 && !data) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "data is NULL");
  size_t bytes = column_bytes(column, world->space.spatial);
  TRY(span_check_stride(stride, bytes, "stride", error));
  if (!ids && count != throng_agents_count(world)) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "count is %u, without ids it must be the agent count, %u", count,
                       throng_agents_count(world));
  }
  for (uint32_t k = ids ? throng_walk_valid(world, ids, count) : count; k < count; k++) {
    TRY(lookup_check_ids(world, ids, k, error));
  }
  if ((throng_column_rows[column].flags & COLUMN_STEERED) && !world->steered) {
    return throng_fail(error, THRONG_ERROR_NOT_STEERED, "there are accelerations only after throng_world_steer");
  }
  return THRONG_OK;
}

/* Reading. */

struct reading {
  throng_column column;
  char *data;
  size_t stride;
};
static void read_batch(const struct walk *walk, uint32_t from, uint32_t count, const uint32_t *slots, void *context) {
  const struct reading *reading = context;
  char *data = reading->data + from * reading->stride;
  throng_values_load(walk->world, reading->column, slots, count, data, reading->stride);
}

static OUT_OF_LINE throng_status agents_read_inner(const throng_world *world, throng_column column,
                                                   const throng_agent_id *ids, uint32_t count, void *data,
                                                   size_t stride, throng_error *error) {
  REQUIRE_POINTER(world, error);
  TRY(check_copy(world, column, ids, count, data, stride, error));
  if (stride == THRONG_STRIDE_ONE) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "stride is THRONG_STRIDE_ONE: all agents would be read into one");
  }
  if (stride == 0) stride = column_bytes(column, world->space.spatial);
  struct walk walk;
  throng_walk_begin(&walk, world, ids, count);
  throng_walk(&walk, read_batch, &(struct reading){column, data, stride});
  return THRONG_OK;
}

throng_status throng_agents_read(const throng_world *world, throng_column column, const throng_agent_id *ids,
                                 uint32_t count, void *data, size_t stride, throng_error *error) {
  if (!world || !world->space.axes) return agents_read_inner(world, column, ids, count, data, stride, error);
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, agents_read_inner(world, column, ids, count, data, stride, error));
}

/* Writing. */

/* Returns the id of agent k of the given ones, or of all. */
static throng_agent_id id_number(const throng_world *world, const throng_agent_id *ids, uint32_t k) {
  if (ids) return ids[k];
  ASSERT(world, k < world->agents.count);
  struct id_loop all = throng_lookup_all(world);
  throng_lookup_skip(&all, k);
  return throng_lookup_id_of(world, lookup_next(&all));
}

/* Checks elements [from, to) of the values, one by one. The error names the agent. */
static throng_status check_each(const throng_world *world, const struct column_span *given, const throng_agent_id *ids,
                                uint32_t from, uint32_t to, throng_error *error) {
  for (uint32_t k = from; k < to; k++) {
    throng_error of_value;
    float room[3];
    const void *element = throng_value_take(world, *given, k, room);
    if (throng_value_check(world, given->column, element, k, &of_value) == THRONG_OK) continue;
    const throng_agent_id id = id_number(world, ids, k);
    return throng_fail_agent(error, of_value.status, id, "agent %u: %.170s", id.index, of_value.text);
  }
  return THRONG_OK;
}

/* Checks a value for each agent. */
static throng_status check_values(const throng_world *world, const struct column_span *given,
                                  const throng_agent_id *ids, uint32_t count, throng_error *error) {
  for (uint32_t k = 0, agents; k < count; k += agents) {
    agents = count - k < BATCH ? count - k : BATCH;
    if (!throng_values_are_valid(world, *given, k, agents)) TRY(check_each(world, given, ids, k, k + agents, error));
  }
  return THRONG_OK;
}

/* Checks that no agent becomes its own target. */
static throng_status check_own_targets(const throng_world *world, const struct column_span *given,
                                       const throng_agent_id *ids, uint32_t count, throng_error *error) {
  struct id_loop all = ids ? (struct id_loop){0} : throng_lookup_all(world);
  for (uint32_t k = 0; k < count; k++) {
    throng_agent_id target;
    memcpy(&target, span_at(given->span, sizeof target, k), sizeof target);
    const throng_agent_id id = ids ? ids[k] : throng_lookup_id_of(world, lookup_next(&all));
    if (target.index != id.index) continue;
    return throng_fail_agent(error, THRONG_ERROR_BAD_VALUE, id, "target[%u] {%u, %u, %u} is the agent itself", k,
                             id.index, id.generation, id.world);
  }
  return THRONG_OK;
}

static void write_batch(const struct walk *walk, uint32_t from, uint32_t count, const uint32_t *slots, void *context) {
  const struct column_span *given = context;
  throng_world *world = (throng_world *)walk->world;
  throng_values_store(world, *given, from, count, slots);
  throng_columns_note_write(&world->agents.front, given->column, slots, count);
}

static OUT_OF_LINE throng_status agents_write_inner(throng_world *world, struct column_span given,
                                                    const throng_agent_id *ids, uint32_t count, throng_error *error) {
  const throng_column column = given.column;
  TRY(check_copy(world, column, ids, count, given.span.data, given.span.stride, error));
  if (throng_column_rows[column].flags & COLUMN_DERIVED) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "column is %s, which can only be read",
                       throng_column_rows[column].name);
  }
  if (throng_column_rows[column].flags & COLUMN_STEERED) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "column is %s, which throng_world_edit_accelerations writes",
                       throng_column_rows[column].name);
  }
  TRY(check_values(world, &given, ids, count, error));
  if (column == THRONG_COLUMN_TARGET) TRY(check_own_targets(world, &given, ids, count, error));
  if (count == 0) return THRONG_OK;
  TRY(throng_value_need(world, column, error));
  if (column == THRONG_COLUMN_POSITION) TRY(throng_values_need_height(world, given, count, error));
  struct walk walk;
  throng_walk_begin(&walk, world, ids, count);
  throng_walk_in_order(&walk, write_batch, &given); /* an id may be in `ids` twice */
  world->steered = false;
  world->hooks->wrote(world, column);
  if (column == THRONG_COLUMN_POSITION) world->dirty = world->written = true;
  return THRONG_OK;
}

throng_status throng_agents_write(throng_world *world, throng_column column, const throng_agent_id *ids, uint32_t count,
                                  const void *data, size_t stride, throng_error *error) {
  const struct column_span given = {column, {data, stride}};
  RETURN_ALONE(world, error, agents_write_inner(world, given, ids, count, error));
}

/* Moving. */

struct move {
  struct column_span position, velocity; /* velocity.span.data is NULL if velocities stay */
};
static void move_batch(const struct walk *walk, uint32_t from, uint32_t count, const uint32_t *slots, void *context) {
  const struct move *move = context;
  throng_world *world = (throng_world *)walk->world;
  throng_values_store(world, move->position, from, count, slots);
  throng_columns_note_write(&world->agents.front, THRONG_COLUMN_POSITION, slots, count);
  if (move->velocity.span.data) throng_values_store(world, move->velocity, from, count, slots);
  for (uint32_t k = 0; k < count; k++) {
    if (!world->dirty && throng_grid_note_move(&world->grid, &world->agents.front, slots[k])) continue;
    throng_grid_mark(&world->grid, slots[k], slots[k] + 1);
    world->dirty = true;
  }
}

static OUT_OF_LINE throng_status agents_move_inner(throng_world *world, const throng_agent_id *ids, uint32_t count,
                                                   const throng_vec3 *positions, const throng_vec3 *velocities,
                                                   throng_error *error) {
  const struct column_span position = {THRONG_COLUMN_POSITION, {positions, 0}},
                           velocity = {THRONG_COLUMN_VELOCITY, {velocities, 0}};
  if (count > 0) REQUIRE_POINTER(positions, error);
  TRY(check_copy(world, THRONG_COLUMN_POSITION, ids, count, positions, 0, error));
  TRY(check_values(world, &position, ids, count, error));
  if (velocities) TRY(check_values(world, &velocity, ids, count, error));
  if (count == 0) return THRONG_OK;
  TRY(throng_values_need_height(world, position, count, error));
  struct walk walk;
  throng_walk_begin(&walk, world, ids, count);
  throng_walk_in_order(&walk, move_batch, &(struct move){position, velocity});
  world->piece.changes++;
  world->steered = false;
  return THRONG_OK;
}

throng_status throng_agents_move(throng_world *world, const throng_agent_id *ids, uint32_t count,
                                 const throng_vec3 *positions, const throng_vec3 *velocities, throng_error *error) {
  RETURN_ALONE(world, error, agents_move_inner(world, ids, count, positions, velocities, error));
}

/* Views. */

static throng_status check_view(const throng_world *world, throng_error *error) {
  if (!world->removed) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_NOT_INDEXED, "agents were removed: throng_world_index or a step first");
}

throng_status throng_world_view(const throng_world *world, throng_view *view, throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(view, error);
  TRY(check_view(world, error));
  float *const *f = world->agents.front.f;
  const bool spatial = world->space.spatial;
  const struct accelerations now = throng_value_accelerations(world);
  *view = (throng_view){.count = world->agents.count,
                        .id_world = world->def.id_world,
                        .id_index = world->agents.front.id,
                        .meta = world->agents.front.meta,
                        .position_x = f[COLUMN_POSITION_X],
                        .position_y = f[COLUMN_POSITION_Y],
                        .position_z = f[COLUMN_POSITION_Z],
                        .velocity_x = f[COLUMN_VELOCITY_X],
                        .velocity_y = f[COLUMN_VELOCITY_Y],
                        .velocity_z = f[COLUMN_VELOCITY_Z],
                        .yaw = spatial ? NULL : f[COLUMN_FACING_X],
                        .facing_x = spatial ? f[COLUMN_FACING_X] : NULL,
                        .facing_y = f[COLUMN_FACING_Y],
                        .facing_z = f[COLUMN_FACING_Z],
                        .goal_x = f[COLUMN_GOAL_X],
                        .goal_y = f[COLUMN_GOAL_Y],
                        .goal_z = f[COLUMN_GOAL_Z],
                        .acceleration_x = now.linear[0],
                        .acceleration_y = now.linear[1],
                        .acceleration_z = now.linear[2],
                        .yaw_rate = f[COLUMN_YAW_RATE],
                        .yaw_acceleration = now.yaw};
  return THRONG_OK;
}

static throng_status world_edit_inner(throng_world *world, throng_edit *edit, throng_error *error) {
  REQUIRE_POINTER(edit, error);
  TRY(check_view(world, error));
  float *const *f = world->agents.front.f;
  *edit = (throng_edit){.count = world->agents.count,
                        .id_index = world->agents.front.id,
                        .position_x = f[COLUMN_POSITION_X],
                        .position_y = f[COLUMN_POSITION_Y],
                        .position_z = f[COLUMN_POSITION_Z],
                        .velocity_x = f[COLUMN_VELOCITY_X],
                        .velocity_y = f[COLUMN_VELOCITY_Y],
                        .velocity_z = f[COLUMN_VELOCITY_Z]};
  for (uint32_t slot = 0; slot < edit->count && f[COLUMN_KEPT_X]; slot++) throng_value_make_due(world, slot);
  world->piece.changes++;
  world->dirty = world->written = true;
  world->steered = false;
  world->has_previous = false; /* the host does not say which agents it moves */
  return THRONG_OK;
}

throng_status throng_world_edit(throng_world *world, throng_edit *edit, throng_error *error) {
  RETURN_ALONE(world, error, world_edit_inner(world, edit, error));
}

static throng_status edit_accelerations_inner(throng_world *world, throng_edit *edit, throng_error *error) {
  REQUIRE_POINTER(edit, error);
  if (!world->steered) {
    return throng_fail(error, THRONG_ERROR_NOT_STEERED, "there are accelerations only after throng_world_steer");
  }
  const struct accelerations now = throng_value_accelerations(world);
  *edit = (throng_edit){.count = world->agents.count,
                        .id_index = world->agents.front.id,
                        .acceleration_x = now.linear[0],
                        .acceleration_y = now.linear[1],
                        .acceleration_z = now.linear[2],
                        .yaw_acceleration = now.yaw};
  return THRONG_OK;
}

throng_status throng_world_edit_accelerations(throng_world *world, throng_edit *edit, throng_error *error) {
  RETURN_ALONE(world, error, edit_accelerations_inner(world, edit, error));
}
