/* group.c: sets and gets the definitions of groups. SPDX-License-Identifier: MIT */
#include "agents/values.h"
#include "base/assertion.h"
#include "base/float_environment.h"
#include "groups/behaviour_internal.h"
#include "groups/group_fields.h"
#include "groups/group_internal.h"
#include "groups/parameters.h"
#include "state.h"

void throng_groups_clear_signs(throng_group_def *def) {
  for (const throng_parameter *p = throng_group_fields; p->name; p++) throng_parameter_clear_sign(def, p);
  throng_behaviours_clear_signs(def);
}

uint64_t throng_groups_columns(const throng_group_def *def) {
  ASSERT_ALONE(def->behaviour_count <= THRONG_MAX_BEHAVIOURS);
  uint64_t columns = 0;
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    bool needed = (row->owner == OWNER_YAW && def->facing == THRONG_FACING_STEERED) ||
                  (row->owner == OWNER_YIELD && def->contact > 0.0f) ||
                  (row->owner == OWNER_PERIOD && def->steer_period > 1);
    for (int kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++) {
      const bool owns = row->kinds & THRONG_BIT(kind);
      needed = needed || (owns && throng_behaviours_have(def, (throng_behaviour_kind)kind));
    }
    if (needed) columns |= THRONG_BIT(column);
  }
  return columns;
}

/* Creates the columns and arrays that the group needs: all, or none. */
static throng_status need_columns(throng_world *world, const throng_group_def *def, throng_error *error) {
  const unsigned arrays = (def->contact > 0.0f ? ARRAYS_CONTACT : 0u) | (group_reads_courses(def) ? ARRAYS_SEEN : 0u);
  const unsigned had_arrays = throng_columns_arrays(&world->agents);
  const struct columns had = world->agents.front;
  TRY(throng_columns_need_arrays(&world->agents, arrays, &world->def.allocator, error));
  const throng_status status = throng_value_need_all(world, throng_groups_columns(def), error);
  if (status == THRONG_OK) return THRONG_OK;
  throng_columns_drop(&world->agents, &had, &world->def.allocator);
  throng_columns_release_arrays(&world->agents, arrays & ~had_arrays, &world->def.allocator);
  return status;
}

/* Converts a target point. No other value of a definition depends on the host's axes. */
static throng_vec3 take_target(const struct space *space, throng_vec3 point) {
  return axes_take_point(space->axes, point);
}
/* Rounding must not put a point beyond a periodic axis. */
static throng_vec3 give_target(const struct space *space, throng_vec3 point) {
  point = axes_give_point(space->axes, point);
  float p[3] = {point.x, point.y, point.z};
  space_hold_host(space, true, p);
  return (throng_vec3){p[0], p[1], p[2]};
}
static void convert_targets(const struct space *space,
                            throng_vec3 convert(const struct space *space, throng_vec3 point), throng_group_def *def) {
  for (uint32_t k = 0; k < def->behaviour_count && k < THRONG_MAX_BEHAVIOURS; k++) {
    throng_target *const targets[2] = {&def->behaviour[k].target, &def->behaviour[k].other};
    for (int t = 0; t < 2; t++) {
      if (targets[t]->kind == THRONG_TARGET_POINT) targets[t]->point = convert(space, targets[t]->point);
    }
  }
}

/* Makes the group's agents due if a field other than the behaviours changes. */
static void note_change(throng_world *world, uint32_t group, const throng_group_def *def) {
  bool changed = false;
  if (!world->agents.front.f[COLUMN_KEPT_X]) return;
  for (const throng_parameter *p = throng_group_fields; p->name; p++) {
    changed |= throng_parameter_read(def, p) != throng_parameter_read(&world->group[group], p);
  }
  for (uint32_t slot = 0; changed && slot < world->agents.count; slot++) {
    if (meta_group(world->agents.front.meta[slot]) == group) throng_value_make_due(world, slot);
  }
}

/* Whether throng_world_integrate can use what turned facings when another definition was in force. */
static bool turns_alike(const throng_group_def *a, const throng_group_def *b) {
  const bool steered = a->facing == THRONG_FACING_STEERED;
  return steered == (b->facing == THRONG_FACING_STEERED) && (!steered || a->upright == b->upright);
}

OUT_OF_LINE throng_status throng_groups_set(throng_world *world, uint32_t group, const throng_group_def *def,
                                            throng_error *error) {
  REQUIRE_POINTER(def, error);
  throng_group_def taken = *def;
  if (world->space.axes) convert_targets(&world->space, take_target, &taken);
  TRY(throng_groups_check(world, group, &taken, error));
  throng_groups_clear_signs(&taken);
  def = &taken;
  TRY(throng_groups_make_room(world, group + 1, error));
  const bool kept = world->agents.front.f[COLUMN_KEPT_X];
  TRY(need_columns(world, def, error));
  if (!kept && world->agents.front.f[COLUMN_KEPT_X]) world->steered = false;
  note_change(world, group, def);
  if (!turns_alike(&world->group[group], def)) world->steered = false;
  world->group[group] = *def;
  world->group_defined[group] = true;
  world->piece.changes++;
  return THRONG_OK;
}

throng_status throng_world_set_group(throng_world *world, uint32_t group, const throng_group_def *def,
                                     throng_error *error) {
  RETURN_ALONE(world, error, throng_groups_set(world, group, def, error));
}

static OUT_OF_LINE throng_status group_get_inner(const throng_world *world, uint32_t group, throng_group_def *def,
                                                 throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(def, error);
  if (group >= THRONG_MAX_GROUPS || !world->group_defined[group]) {
    return throng_fail(error, THRONG_ERROR_NO_GROUP, "group %u is not defined", group);
  }
  *def = world->group[group];
  if (world->space.axes) convert_targets(&world->space, give_target, def);
  return THRONG_OK;
}

throng_status throng_world_get_group(const throng_world *world, uint32_t group, throng_group_def *def,
                                     throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, group_get_inner(world, group, def, error));
}

uint32_t throng_world_group_agent_count(const throng_world *world, uint32_t group) {
  return world && group < THRONG_MAX_GROUPS ? world_own_agents(world, group) : 0;
}
