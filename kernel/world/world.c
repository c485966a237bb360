/* world.c: a world from its definition to its end, and what can be asked of it as a whole. SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "groups/behaviour.h"
#include "base/float_environment.h"
#include "passes/isa.h"
#include "state.h"
#include "agents/values.h"
#include "agents/lookup.h"
#include "agents/room.h"

throng_world_def throng_default_world_def(void) {
  throng_world_def def;
  memset(&def, 0, sizeof def);
  def.space = THRONG_SPACE_PLANAR;
  def.boundary = THRONG_BOUNDARY_UNBOUNDED;
  def.box_max = (throng_vec3){100.0f, 100.0f, 100.0f};
  def.perception_radius = 1.0f;
  def.separation_law = THRONG_SEPARATION_INVERSE;
  def.update = THRONG_UPDATE_SEMI_IMPLICIT;
  def.seed = 1;
  def.contact_iterations = 4;
  def.isa = THRONG_ISA_AUTO;
  def.cookie = THRONG_WORLD_COOKIE;
  return def;
}

static throng_status check_enum(unsigned value, unsigned last, const char *field, throng_error *error) {
  if (value <= last) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s is %u, allowed: 0 to %u", field, value, last);
}

static throng_status check_side(const throng_world_def *def, float min, float max, char axis, throng_error *error) {
  const float limit = space_limit(def->perception_radius);
  if (!(fabsf(min) <= FLT_MAX) || !(fabsf(max) <= FLT_MAX)) {
    return throng_fail(error, THRONG_ERROR_NOT_FINITE, "world.box_min.%c, box_max.%c are %g, %g, must be finite", axis,
                       axis, (double)min, (double)max);
  }
  if (!(min < max)) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.box_min.%c is %.9g, must be below box_max.%c, %.9g", axis,
                       (double)min, axis, (double)max);
  }
  if (fabsf(min) > limit || fabsf(max) > limit) {
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "world.box_%s.%c is %.9g, allowed: -%.9g to %.9g",
                       fabsf(min) > limit ? "min" : "max", axis, (double)(fabsf(min) > limit ? min : max),
                       (double)limit, (double)limit);
  }
  if (def->boundary == THRONG_BOUNDARY_PERIODIC && max - min < 4.0f * def->perception_radius) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "world.box is %.9g m along %c, a periodic one needs 4 perception_radius, %.9g",
                       (double)(max - min), axis, (double)(4.0f * def->perception_radius));
  }
  return THRONG_OK;
}

static throng_status check_hooks(const throng_world_def *def, throng_error *error) {
  if (!def->allocator.allocate != !def->allocator.release) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.allocator needs both allocate and release, or neither");
  }
  if (!def->jobs.enqueue != !def->jobs.finish) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.jobs needs both enqueue and finish, or neither");
  }
  if (def->jobs.enqueue && (def->jobs.worker_count < 1 || def->jobs.worker_count > EXECUTOR_MAX_WORKERS)) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.jobs.worker_count is %u, allowed: 1 to %u",
                       def->jobs.worker_count, EXECUTOR_MAX_WORKERS);
  }
  return THRONG_OK;
}

throng_status throng_world_check_def(const throng_world_def *def, throng_error *error) {
  if (def->cookie != THRONG_WORLD_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "world definition has a wrong cookie: it is not from throng_default_world_def()");
  }
  TRY(check_enum((unsigned)def->space, THRONG_SPACE_SPATIAL, "world.space", error));
  TRY(check_enum((unsigned)def->boundary, THRONG_BOUNDARY_PERIODIC, "world.boundary", error));
  TRY(check_enum((unsigned)def->separation_law, THRONG_SEPARATION_INVERSE_SQUARE, "world.separation_law", error));
  TRY(check_enum((unsigned)def->update, THRONG_UPDATE_BALLISTIC, "world.update", error));
  TRY(check_enum((unsigned)def->isa, THRONG_ISA_COUNT - 1, "world.isa", error));
  TRY(check_enum(def->thread_count, EXECUTOR_MAX_WORKERS, "world.thread_count", error));
  TRY(check_enum(def->capacity, MAX_AGENTS, "world.capacity", error));
  TRY(check_enum(def->neighbour_budget, 1u << 24, "world.neighbour_budget", error));
  if (def->contact_iterations < 1 || def->contact_iterations > 16) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.contact_iterations is %u, allowed: 1 to 16",
                       def->contact_iterations);
  }
  TRY(throng_check_range(def->perception_radius, 1e-3f, 1e6f, "world.perception_radius", error));
  if (def->boundary != THRONG_BOUNDARY_UNBOUNDED) {
    TRY(check_side(def, def->box_min.x, def->box_max.x, 'x', error));
    if (def->space == THRONG_SPACE_SPATIAL) TRY(check_side(def, def->box_min.y, def->box_max.y, 'y', error));
    TRY(check_side(def, def->box_min.z, def->box_max.z, 'z', error));
  }
  return check_hooks(def, error);
}

/* The passes that the definition asks for, lowered by THRONG_ISA. */
static throng_status choose_passes(const throng_world_def *def, const struct pass_table **passes, throng_error *error) {
  const struct pass_table *wanted = throng_isa_passes(def->isa);
  if (!wanted) {
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "world.isa %s: this CPU or this build does not have it",
                       throng_isa_name(def->isa));
  }
  const char *name = getenv("THRONG_ISA");
  if (name && *name) {
    throng_isa isa = throng_isa_from_name(name);
    const struct pass_table *lowered = isa < THRONG_ISA_COUNT ? throng_isa_passes(isa) : NULL;
    if (!lowered) {
      return throng_fail(error, THRONG_ERROR_UNSUPPORTED,
                         "THRONG_ISA=%.40s: unknown, or this CPU or build does not have it", name);
    }
    if (isa != THRONG_ISA_AUTO && lowered->isa < wanted->isa) wanted = lowered;
  }
  *passes = wanted;
  return THRONG_OK;
}

static void log_world(const throng_world *world) {
  const throng_world_def *def = &world->def;
  if (!def->log.write) return;
  char text[120];
  snprintf(text, sizeof text, "throng %d.%d.%d: %s world, %s, %u worker%s", THRONG_VERSION_MAJOR, THRONG_VERSION_MINOR,
           THRONG_VERSION_PATCH, def->space == THRONG_SPACE_SPATIAL ? "spatial" : "planar", throng_isa_name(def->isa),
           def->thread_count, def->thread_count == 1 ? "" : "s");
  def->log.write(text, def->log.context);
}

static OUT_OF_LINE throng_status world_create_inner(const throng_world_def *def, throng_world **out,
                                                    throng_error *error) {
  REQUIRE_POINTER(def, error);
  REQUIRE_POINTER(out, error);
  TRY(throng_world_check_def(def, error));
  const struct pass_table *passes = NULL;
  TRY(choose_passes(def, &passes, error));

  throng_world *world = throng_allocate(&def->allocator, sizeof *world);
  if (!world) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a world");
  world->def = *def;
  world->passes = passes;
  world->def.isa = passes->isa;
  throng_executor_init(&world->executor, def->thread_count, &def->jobs);
  world->def.thread_count = world->executor.workers;
  world->tracer = (struct tracer){.hook = def->trace, .timed = def->profile || def->trace.event};
  throng_grid_init(&world->grid, def, passes->neighbours->pack);
  world->group[0] = throng_default_group_def();
  world->group_defined[0] = true;

  world->strips = throng_allocate(&def->allocator, world->executor.workers * sizeof *world->strips);
  world->executor.shares = throng_allocate(&def->allocator, world->executor.workers * sizeof *world->executor.shares);
  throng_status status =
      world->strips && world->executor.shares
          ? THRONG_OK
          : throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u workers", world->executor.workers);
  if (status == THRONG_OK) status = throng_room_create_columns(world, error);
  if (status == THRONG_OK) status = throng_commit_index(world, error);
  if (status != THRONG_OK) {
    throng_world_destroy(world);
    return status;
  }
  log_world(world);
  *out = world;
  return THRONG_OK;
}

throng_status throng_world_create(const throng_world_def *def, throng_world **out, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, world_create_inner(def, out, error));
}

void throng_world_destroy(throng_world *world) {
  if (!world) return;
  const throng_allocator allocator = world->def.allocator;
  throng_room_release(world);
  throng_cells_release(&world->cells, &allocator);
  for (uint32_t k = 0; k < THRONG_MAX_FLOW_FIELDS; k++) throng_flow_field_release(&world->flow_field[k], &allocator);
  throng_scenery_release(&world->scenery, &allocator);
  for (uint32_t k = 0; k < THRONG_MAX_PATHS; k++) throng_path_release(&world->path[k], &allocator);
  for (uint32_t k = 0; k < THRONG_MAX_PATTERNS; k++) throng_pattern_release(&world->pattern[k], &allocator);
  for (uint32_t k = 0; k < THRONG_MAX_FORMATIONS; k++) throng_formation_release(&world->formation[k], &allocator);
  throng_release(&allocator, world->strips, world->executor.workers * sizeof *world->strips);
  throng_release(&allocator, world->executor.shares, world->executor.workers * sizeof *world->executor.shares);
  throng_release(&allocator, world, sizeof *world);
}

throng_world_def throng_world_get_def(const throng_world *world) {
  return world ? world->def : throng_default_world_def();
}

uint64_t throng_world_frame(const throng_world *world) { return world ? world->frame : 0; }

/* The hash. */

uint64_t throng_inspect_hash_agent(const throng_world *world, uint32_t slot, uint32_t columns) {
  throng_agent_id id = throng_lookup_id_at(world, slot);
  uint64_t h = mix64((uint64_t)id.generation << 32 | id.index);
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    if (!(columns & 1u << column)) continue;
    uint32_t bits[3] = {0, 0, 0};
    throng_value_load(world, (throng_column)column, slot, bits);
    for (int c = 0; c < 3; c++) h = mix64(h + (bits[c] ^ (uint64_t)(3 * column + c + 1) << 32));
  }
  return h;
}

uint64_t throng_world_hash(const throng_world *world, uint32_t columns) {
  if (!world) return 0;
  if (columns == 0) columns = 1u << THRONG_COLUMN_POSITION | 1u << THRONG_COLUMN_VELOCITY | 1u << THRONG_COLUMN_FACING;
  uint64_t sum = 0;
  for (uint32_t slot = 0; slot < world->agents.count; slot++) sum += throng_inspect_hash_agent(world, slot, columns);
  return sum;
}

/* The check. */

static OUT_OF_LINE bool world_check_inner(const throng_world *world, throng_error *error) {
  if (!world) {
    throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "world is NULL");
    return false;
  }
  uint32_t in_groups[THRONG_MAX_GROUPS] = {0};
  throng_lookup_expect(world, world->agents.count);
  for (uint32_t slot = 0; slot < world->agents.count; slot++) {
    throng_agent_id id = throng_lookup_id_at(world, slot);
    in_groups[meta_group(world->agents.front.meta[slot])]++;
    throng_error stale;
    if (throng_lookup_check_id(world, id, "agent", &stale) != THRONG_OK || throng_lookup_slot(world, id) != slot) {
      throng_fail_agent(error, THRONG_ERROR_STALE_ID, id, "agent %u in slot %u: its id does not lead back to it",
                        id.index, slot);
      return false;
    }
  }
  if (world->agents.ids.live != world->agents.count || memcmp(in_groups, world->group_agents, sizeof in_groups) != 0) {
    throng_fail(error, THRONG_ERROR_BAD_VALUE, "live ids or group counts do not match the agents");
    return false;
  }
  const char *what = NULL;
  if (world->dirty || throng_grid_check(&world->grid, &world->agents.front, world->agents.count, &what)) return true;
  throng_fail(error, THRONG_ERROR_BAD_VALUE, "grid: %s", what);
  return false;
}

bool throng_world_check(const throng_world *world, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(bool, world_check_inner(world, error));
}

/* The shift of origin. */

static throng_status check_shift(const throng_world *world, const float shift[3], throng_error *error) {
  float *const *f = world->agents.front.f;
  throng_status status = THRONG_OK;
  uint32_t bad = 0;
  for (uint32_t slot = 0; slot < world->agents.count; slot++) {
    for (int c = 0; c < 3; c++) {
      const float *p = f[COLUMN_POSITION_X + c], *goal = f[COLUMN_GOAL_X + c];
      if (shift[c] == 0.0f || (bad != 0 && bad <= world->agents.front.id[slot])) continue;
      bool exact = shifts_exactly(p[slot], shift[c], world->grid.space.limit);
      if (goal && !isnan(goal[slot])) exact = exact && subtracts_exactly(goal[slot], shift[c]);
      if (!exact) bad = world->agents.front.id[slot];
    }
  }
  if (bad != 0) {
    throng_agent_id id = throng_lookup_id_of(world, bad);
    status =
        throng_fail_agent(error, THRONG_ERROR_OUT_OF_RANGE, id,
                          "agent %u: its position or goal cannot be shifted exactly, or would be too far out", bad);
  }
  return status;
}

static throng_status check_frame_shift(const throng_world *world, const float shift[3], throng_error *error) {
  const throng_world_def *def = &world->def;
  const float edges[8] = {def->box_min.x, def->box_max.x, def->box_min.y,        def->box_max.y,
                          def->box_min.z, def->box_max.z, world->cells.origin_x, world->cells.origin_z};
  const int axis[8] = {0, 0, 1, 1, 2, 2, 0, 2};
  for (int k = 0; k < 8; k++) {
    if (k < 6 && def->boundary != THRONG_BOUNDARY_BOX) continue;
    if (k >= 6 && !world->cells.blocked) continue;
    if (shifts_exactly(edges[k], shift[axis[k]], world->grid.space.limit)) continue;
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                       "the %s's edge at %.9g cannot be shifted by %.9g exactly, or would be too far out",
                       k < 6 ? "box" : "cell grid", (double)edges[k], (double)shift[axis[k]]);
  }
  if (!throng_scenery_can_shift(&world->scenery, shift, world->grid.space.limit)) {
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                       "a shape of the scenery cannot be shifted exactly, or would be too far out");
  }
  const struct cells *cells = &world->cells;
  if (!cells->blocked || (throng_cells_fit_floats(cells->origin_x - shift[0], cells->cell, cells->width) &&
                          throng_cells_fit_floats(cells->origin_z - shift[2], cells->cell, cells->height))) {
    return THRONG_OK;
  }
  return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                     "the cell grid, %.9g m a cell, is too fine for floats so far out", (double)cells->cell);
}

static throng_status check_group_shift(const throng_world *world, const float shift[3], throng_error *error) {
  throng_group_def shifted;
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    if (!world->group_defined[g] || throng_behaviours_shift(world, g, shift, &shifted)) continue;
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "a target point of group %u cannot be shifted exactly", g);
  }
  return THRONG_OK;
}

static throng_status check_fields_shift(const throng_world *world, const float shift[3], throng_error *error) {
  for (uint32_t k = 0; k < THRONG_MAX_FLOW_FIELDS; k++) {
    const struct flow_field *field = &world->flow_field[k];
    if (!field->vectors) continue;
    if (shifts_exactly(field->origin_x, shift[0], world->grid.space.limit) &&
        shifts_exactly(field->origin_z, shift[2], world->grid.space.limit) &&
        throng_cells_fit_floats(field->origin_x - shift[0], field->cell, field->width) &&
        throng_cells_fit_floats(field->origin_z - shift[2], field->cell, field->height)) {
      continue;
    }
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                       "flow field %u cannot be shifted exactly, or would be too far out or too fine for floats there",
                       k);
  }
  return THRONG_OK;
}

static void apply_shift(throng_world *world, const float shift[3]) {
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    throng_group_def shifted;
    if (world->group_defined[g] && throng_behaviours_shift(world, g, shift, &shifted)) world->group[g] = shifted;
  }
  for (int c = 0; c < 3; c++) {
    float *p = world->agents.front.f[COLUMN_POSITION_X + c], *goal = world->agents.front.f[COLUMN_GOAL_X + c];
    if (shift[c] == 0.0f) continue;
    for (uint32_t slot = 0; slot < world->agents.count; slot++) {
      p[slot] -= shift[c];
      if (goal) goal[slot] -= shift[c];
    }
  }
  if (world->def.boundary == THRONG_BOUNDARY_BOX) {
    throng_vec3 *box[2] = {&world->def.box_min, &world->def.box_max};
    for (int k = 0; k < 2; k++) {
      box[k]->x -= shift[0];
      box[k]->y -= shift[1];
      box[k]->z -= shift[2];
    }
  }
  throng_paths_shift(world, shift);
  world->cells.origin_x -= shift[0];
  world->cells.origin_z -= shift[2];
  for (uint32_t k = 0; k < THRONG_MAX_FLOW_FIELDS; k++) {
    world->flow_field[k].origin_x -= shift[0];
    world->flow_field[k].origin_z -= shift[2];
  }
  throng_scenery_shift(&world->scenery, shift);
}

static OUT_OF_LINE throng_status world_shift_origin_inner(throng_world *world, int32_t bins_x, int32_t rows_y,
                                                          int32_t rows_z, throng_vec3 *shift, throng_error *error) {
  REQUIRE_POINTER(world, error);
  if (world->grid.space.periodic) {
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "a periodic world has no origin to shift");
  }
  if (rows_y != 0 && !world->grid.space.spatial) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "rows_y is %d, must be 0 in a planar world", rows_y);
  }
  const double radius = (double)world->grid.space.radius;
  const double exact[3] = {bins_x * (radius * 0.25), rows_y * radius, rows_z * radius};
  const float by[3] = {(float)exact[0], (float)exact[1], (float)exact[2]};
  for (int c = 0; c < 3; c++) {
    if ((double)by[c] == exact[c]) continue;
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "a shift of %.17g along %c is no float", exact[c], "xyz"[c]);
  }
  if (world->dirty) TRY(throng_commit_index(world, error));
  TRY(check_shift(world, by, error));
  TRY(check_frame_shift(world, by, error));
  TRY(check_group_shift(world, by, error));
  TRY(check_fields_shift(world, by, error));
  TRY(throng_paths_check_shift(world, by, error));
  apply_shift(world, by);
  world->dirty = true;
  if (shift) *shift = (throng_vec3){by[0], by[1], by[2]};
  return throng_commit_index(world, error); /* cannot fail: every position was checked */
}

throng_status throng_world_shift_origin(throng_world *world, int32_t bins_x, int32_t rows_y, int32_t rows_z,
                                        throng_vec3 *shift, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, world_shift_origin_inner(world, bins_x, rows_y, rows_z, shift, error));
}
