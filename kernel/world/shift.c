/* shift.c: the shift of origin. SPDX-License-Identifier: MIT */
#include <math.h>

#include "agents/lookup.h"
#include "base/arithmetic.h"
#include "base/float_environment.h"
#include "groups/behaviour.h"
#include "state.h"
#include "world/objects.h"

static throng_status check_agents(const throng_world *world, const float shift[3], throng_error *error) {
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

static throng_status check_box(const throng_world *world, const float shift[3], throng_error *error) {
  const throng_world_def *def = &world->def;
  const float edges[6] = {def->box_min.x, def->box_max.x, def->box_min.y,
                          def->box_max.y, def->box_min.z, def->box_max.z};
  if (def->boundary != THRONG_BOUNDARY_BOX) return THRONG_OK;
  for (int k = 0; k < 6; k++) {
    if (shifts_exactly(edges[k], shift[k / 2], world->grid.space.limit)) continue;
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                       "the box's edge at %.9g cannot be shifted by %.9g exactly, or would be too far out",
                       (double)edges[k], (double)shift[k / 2]);
  }
  return THRONG_OK;
}

static throng_status check_groups(const throng_world *world, const float shift[3], throng_error *error) {
  throng_group_def shifted;
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    if (!world->group_defined[g] || throng_behaviours_shift(world, g, shift, &shifted)) continue;
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "a target point of group %u cannot be shifted exactly", g);
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
  throng_objects_shift(&world->objects, shift);
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
  TRY(check_agents(world, by, error));
  TRY(check_box(world, by, error));
  TRY(check_groups(world, by, error));
  TRY(throng_objects_check_shift(world, by, error));
  apply_shift(world, by);
  world->dirty = true;
  if (shift) *shift = (throng_vec3){by[0], by[1], by[2]};
  return throng_commit_index(world, error); /* cannot fail: every position was checked */
}

throng_status throng_world_shift_origin(throng_world *world, int32_t bins_x, int32_t rows_y, int32_t rows_z,
                                        throng_vec3 *shift, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, world_shift_origin_inner(world, bins_x, rows_y, rows_z, shift, error));
}
