/* shift.c: the shift of origin. SPDX-License-Identifier: MIT */
#include <math.h>

#include "agents/lookup.h"
#include "base/arithmetic.h"
#include "base/assertion.h"
#include "frame/commit.h"
#include "groups/behaviour_internal.h"
#include "state.h"
#include "world/objects.h"

static throng_status check_agents(const throng_world *world, const float shift[3], throng_error *error) {
  float *const *f = world->agents.front.f;
  throng_status status = THRONG_OK;
  uint32_t bad = 0;
  for (uint32_t slot = 0; slot < world->agents.count; slot++) {
    for (int c = 0; c < 3; c++) {
      const float *p = f[COLUMN_POSITION_X + c], *goal = f[COLUMN_GOAL_X + c], limit = world->space.limit;
      if (shift[c] == 0.0f || (bad != 0 && bad <= world->agents.front.id[slot])) continue;
      bool exact = shifts_exactly(p[slot], shift[c], limit);
      if (goal && !isnan(goal[slot])) exact = exact && shifts_exactly(goal[slot], shift[c], limit);
      if (!exact) bad = world->agents.front.id[slot];
    }
  }
  if (bad != 0) {
    throng_agent_id id = throng_lookup_id_of(world, bad);
    status =
        throng_fail_agent(error, THRONG_ERROR_OUT_OF_RANGE, id,
                          "agent %u: its position or its goal cannot be shifted exactly, or would be too far out", bad);
  }
  return status;
}

static throng_status check_box(const throng_world *world, const float shift[3], throng_error *error) {
  const throng_world_def *def = &world->def;
  const float edges[6] = {def->box_min.x, def->box_max.x, def->box_min.y,
                          def->box_max.y, def->box_min.z, def->box_max.z};
  for (int k = 0; k < 6; k++) {
    if (world->space.boundary[k / 2] != THRONG_BOUNDARY_BOX) continue;
    if (shifts_exactly(edges[k], shift[k / 2], world->space.limit)) continue;
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                       "world.box_%s.%c, %.9g, cannot be shifted by %.9g exactly, or would be too far out",
                       k % 2 ? "max" : "min", "xyz"[k / 2], (double)edges[k], (double)shift[k / 2]);
  }
  return THRONG_OK;
}

static throng_status check_groups(const throng_world *world, const float shift[3], throng_error *error) {
  throng_group_def shifted;
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    if (world->group_defined[g]) TRY(throng_behaviours_shift(world, g, shift, &shifted, error));
  }
  return THRONG_OK;
}

static void apply_shift(throng_world *world, const float shift[3]) {
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    throng_group_def shifted;
    if (!world->group_defined[g]) continue;
    if (throng_behaviours_shift(world, g, shift, &shifted, NULL) == THRONG_OK) world->group[g] = shifted;
  }
  for (int c = 0; c < 3; c++) {
    float *p = world->agents.front.f[COLUMN_POSITION_X + c], *goal = world->agents.front.f[COLUMN_GOAL_X + c];
    float *previous = world->agents.front.f[COLUMN_PREVIOUS + c];
    if (shift[c] == 0.0f) continue;
    ASSERT(world, (p || world->agents.count == 0) && world->space.axis[c].period == 0);
    for (uint32_t slot = 0; slot < world->agents.count; slot++) {
      p[slot] -= shift[c];
      if (goal) goal[slot] -= shift[c];
      if (previous) previous[slot] -= shift[c]; /* may round: no frame reads it */
    }
  }
  for (int c = 0; c < 3; c++) {
    if (world->space.boundary[c] != THRONG_BOUNDARY_BOX) continue;
    (&world->def.box_min.x)[c] -= shift[c];
    (&world->def.box_max.x)[c] -= shift[c];
  }
  throng_space_set_box(&world->space, &world->def);
  throng_objects_shift(&world->objects, shift);
  throng_cells_fit_box(&world->objects.cells, &world->space);
  throng_cells_fit_box(&world->objects.speed_zones.map, &world->space);
}

static double whole_below(double a) {
  const double whole = (double)(int64_t)a;
  return whole > a ? whole - 1.0 : whole;
}

/* Returns the float nearest to `wished` that is a whole number of units. If the distance between floats is more than a
 * unit, only multiples of 2^n units are floats. The function uses the smallest n for which one of the two multiples
 * next to `wished` is a float. */
static float nearest_exact(double wished, double unit) {
  ASSERT_ALONE(unit > 0.0 && fabs(wished / unit) < 0x1p63); /* whole_below converts it to int64_t */
  for (double step = unit;; step *= 2.0) {
    const double low = whole_below(wished / step) * step, high = low + step;
    const bool low_fits = (double)(float)low == low, high_fits = (double)(float)high == high;
    if (!low_fits && !high_fits) continue;
    const bool takes_low = low_fits && (!high_fits || wished - low <= high - wished);
    return (float)(takes_low ? low : high) + 0.0f; /* never -0 */
  }
}

static throng_status check_wished(const struct space *space, const float wished[3], throng_error *error) {
  const float most = 2.0f * space->limit; /* the largest distance in a world */
  for (int c = 0; c < 3; c++) {
    if (fabsf(wished[c]) <= most) continue;
    return throng_fail(error, isfinite(wished[c]) ? THRONG_ERROR_OUT_OF_RANGE : THRONG_ERROR_NOT_FINITE,
                       "wished.%c is %.9g, allowed: -%.9g to %.9g", "xyz"[c], (double)wished[c], (double)most,
                       (double)most);
  }
  return THRONG_OK;
}

static OUT_OF_LINE throng_status shift_origin_inner(throng_world *world, throng_vec3 wished, throng_vec3 *exact,
                                                    throng_error *error) {
  const struct space *space = &world->space;
  TRY(world_refuse_piece(world, "all must shift alike", error));
  wished = axes_take_point(space->axes, wished);
  float by[3] = {wished.x, wished.y, wished.z};
  int periods = space->spatial ? 0 : 1; /* axes without an origin to shift */
  for (int c = 0; c < 3; c++) {
    if (space->axis[c].period) periods++;
    if (space->axis[c].period || (c == 1 && !space->spatial)) by[c] = 0.0f;
  }
  if (periods == 3) {
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "a world whose axes are all periodic has no origin to shift");
  }
  TRY(check_wished(space, by, error));
  const double row = (double)space->radius, bin = row * 0.25;
  const float shift[3] = {nearest_exact((double)by[0], bin), nearest_exact((double)by[1], row),
                          nearest_exact((double)by[2], row)};
  if (world_has_changed(world)) TRY(throng_commit_index(world, error));
  TRY(check_agents(world, shift, error));
  TRY(check_box(world, shift, error));
  TRY(check_groups(world, shift, error));
  TRY(throng_objects_check_shift(world, shift, error));
  apply_shift(world, shift);
  world->dirty = world->written = true;
  if (exact) *exact = axes_give_point(space->axes, (throng_vec3){shift[0], shift[1], shift[2]});
  return throng_commit_index(world, error); /* cannot fail: every position was checked */
}

throng_status throng_world_shift_origin(throng_world *world, throng_vec3 wished, throng_vec3 *exact,
                                        throng_error *error) {
  RETURN_ALONE(world, error, shift_origin_inner(world, wished, exact, error));
}
