/* shift.c: the shift of origin. SPDX-License-Identifier: MIT */
#include <math.h>

#include "agents/lookup.h"
#include "base/arithmetic.h"
#include "base/float_environment.h"
#include "groups/behaviour.h"
#include "state.h"

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
