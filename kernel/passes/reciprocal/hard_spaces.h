/* hard_spaces.h: the hard half-spaces that keep the velocities of agents away from scenery and faces: no agent
 * approaches a surface so fast that its body would be in it after a short time. In planar worlds they are half-planes,
 * and blocked cells give one, too, or two in inner corners. Formulas: docs/ARITHMETIC.md, "Reciprocal avoidance".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_HARD_SPACES_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_HARD_SPACES_H

#include "passes/reciprocal/program_rows.h"
#include "passes/steering/borders.h"

/* What surfaces add to the programs of a block. */
struct hard_spaces {
  struct velocity_program *program;
  lf body, rate; /* rate: 1 / wall_horizon, but at most 1 / dt */
  uint32_t count[LANES];
};

/* Returns the row of a lane's first loosest half-space: that with the smallest c. */
LANES_INLINE uint32_t loosest_row(const struct velocity_program *program, uint32_t lane) {
  uint32_t loosest = 0;
  for (uint32_t row = 1; row < MOST_HARD; row++) {
    if (program->hard_row[row].c[lane] < program->hard_row[loosest].c[lane]) loosest = row;
  }
  return loosest;
}

/* Puts down a surface's half-space at the end of each lane's own ones. A lane has room for MOST_HARD: one more
 * takes the place of the loosest one, unless it is as loose. Few lanes have more than one. */
static OUT_OF_LINE void put_down_hard_space(struct hard_spaces *spaces, uint32_t bits, const half_space_row *from) {
  struct velocity_program *program = spaces->program;
  for (uint32_t k = 0; bits >> k; k++) {
    if (!(bits >> k & 1)) continue;
    const bool full = spaces->count[k] == MOST_HARD;
    const uint32_t row = full ? loosest_row(program, k) : spaces->count[k]++;
    ASSERT_ALONE(row < MOST_HARD && row <= program->hard);
    if (full && !(from->c[k] > program->hard_row[row].c[k])) continue;
    if (row == program->hard) {
      store_half_space(&program->hard_row[program->hard++], (struct half_space){lv3_zero(), lf_set1(NO_BORDER)});
    }
#if SPATIAL
    program->hard_row[row].y[k] = from->y[k];
#endif
    program->hard_row[row].x[k] = from->x[k];
    program->hard_row[row].z[k] = from->z[k];
    program->hard_row[row].c[k] = from->c[k];
  }
}

/* Adds a surface at a distance. The velocity 0 is in its half-space. */
PROGRAM_INLINE void add_hard_space(struct hard_spaces *spaces, lm here, lf distance, lv3 normal) {
  const lf gap = lf_max(lf_sub(distance, spaces->body), lf_zero());
  const struct half_space it = {normal, lf_negate(lf_mul(gap, spaces->rate))};
  const uint32_t bits = lm_bits(lf_less_where(here, lf_negate(spaces->program->limit), it.c));
  if (bits == 0) return;
  half_space_row row;
  store_half_space(&row, it);
  put_down_hard_space(spaces, bits, &row);
}

LANES_INLINE void add_faces(struct hard_spaces *spaces, const struct borders *borders, int axis, lf p) {
  const lf zero = lf_zero(), one = lf_set1(1.0f), back = lf_set1(-1.0f);
  if (borders->high[axis] == INFINITY) return;
  const lf low = lf_sub(p, lf_set1(borders->low[axis])), high = lf_sub(lf_set1(borders->high[axis]), p);
  const lv3 up = {axis == 0 ? one : zero, axis == 1 ? one : zero, axis == 2 ? one : zero};
  const lv3 down = {axis == 0 ? back : zero, axis == 1 ? back : zero, axis == 2 ? back : zero};
  add_hard_space(spaces, borders->faced, low, up);
  add_hard_space(spaces, borders->faced, high, down);
}

/* Adds the cells straight along the axis on which a lane's nearest surface has no normal: the other wall of an inner
 * corner. */
static OUT_OF_LINE void add_straight_cells(struct hard_spaces *spaces, const struct cells *cells,
                                           const struct feeler *feeler, const struct surface *nearest, lf reach) {
  struct lane_cells lane;
  float reaches[LANES];
  lf_store(lane.x, feeler->p.x);
  lf_store(lane.z, feeler->p.z);
  lf_store(lane.normal_x, nearest->normal.x);
  lf_store(lane.normal_z, nearest->normal.z);
  lf_store(reaches, reach);
  const uint32_t asked = lm_bits(nearest->found);
  lanes_rest();
  for (uint32_t k = 0; k < LANES; k++) {
    const int axis = lane.normal_x[k] == 0.0f ? 0 : 1;
    struct cell_surface surface = {.distance = INFINITY};
    if (asked >> k & 1 && (axis == 0 || lane.normal_z[k] == 0.0f)) {
      surface = throng_cells_straight(cells, lane.x[k], lane.z[k], axis, reaches[k]);
    }
    lane.found[k] = surface.found ? surface.distance : INFINITY;
    lane.normal_x[k] = surface.normal_x;
    lane.normal_z[k] = surface.normal_z;
  }
  const lf distance = lf_load(lane.found);
  const lv3 normal = {lf_load(lane.normal_x), lf_zero(), lf_load(lane.normal_z)};
  add_hard_space(spaces, lf_less(distance, lf_set1(INFINITY)), distance, normal);
}

/* Adds the blocked cell nearest to each agent, and in inner corners the other wall. */
LANES_INLINE void add_nearest_cells(struct hard_spaces *spaces, struct borders *borders, const struct feeler *feeler,
                                    lf reach) {
  struct lane_rays across; /* from corner to corner of a square around the agent */
  const lf twice = lf_add(reach, reach), back = lf_negate(reach);
  start_ray(&across, (lv3){back, lf_zero(), back}, (lv3){twice, lf_zero(), twice}, false);
  cut_cells(borders, feeler, &across, 1);
  if (!lm_any(borders->mapped)) return;
  struct surface surface = {reach, lv3_zero(), lm_first(0)};
  near_cells(&surface, borders, feeler, lv3_zero(), reach);
  add_hard_space(spaces, surface.found, surface.distance, surface.normal);
  add_straight_cells(spaces, borders->cells, feeler, &surface, reach);
}

/* Puts down the hard half-spaces of the lanes `who`. */
LANES_INLINE void add_hard_spaces(struct velocity_program *program, const struct frame *frame,
                                  const struct lane_groups *groups, uint32_t at, uint32_t lanes, lm who) {
  program->hard = 0;
  struct borders borders = load_borders(frame, who);
  if (frame->scenery->shapes == 0 && !lm_any(see_borders(&borders))) return;
  const lf rate = lf_min(load_param(frame, groups, PARAM_AVOID_WALLS), lf_set1(frame->rate));
  struct hard_spaces spaces = {.program = program, .rate = rate};
  const struct entry_block block = {.groups = *groups, .wants = who, .at = at, .lanes = lanes};
  struct feeler feeler;
  load_feeler(&feeler, frame, &block, SPATIAL);
  spaces.body = feeler.body;
  const lf reach = lf_min(lf_add(feeler.body, lf_div(program->limit, spaces.rate)), lf_set1(FEELER_MOST));
  struct surroundings near;
  const struct shape *shape;
  look_around(&near, frame, &feeler, who, reach, true, true);
  while ((shape = next_shape(&near, SPATIAL))) {
    struct surface surface = {reach, lv3_zero(), lm_first(0)};
    near_shape(&surface, &feeler, near.here, shape, lv3_zero(), SPATIAL);
    if (lm_any(surface.found)) add_hard_space(&spaces, surface.found, surface.distance, surface.normal);
  }
  if (!SPATIAL && lm_any(borders.mapped)) add_nearest_cells(&spaces, &borders, &feeler, reach);
  add_faces(&spaces, &borders, 0, feeler.p.x);
  if (SPATIAL) add_faces(&spaces, &borders, 1, feeler.p.y);
  add_faces(&spaces, &borders, 2, feeler.p.z);
}

#endif
