/* hard_lines.h: the lines that keep the velocities of agents away from walls, circles, blocked cells and faces: no
 * agent approaches a surface so fast that its body would be in it after a short time. Formulas: docs/ARITHMETIC.md,
 * "Reciprocal avoidance". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_HARD_LINES_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_HARD_LINES_H

#include "passes/reciprocal/velocity_program.h"
#include "passes/steering/borders.h"

/* What surfaces add to the programs of a block. */
struct hard_lines {
  struct velocity_program *program;
  lf body, rate; /* rate: 1 / wall_horizon, but at most 1 / dt */
  uint32_t count[LANES];
};

/* Returns the row of a lane's first loosest line: that with the smallest c. */
LANES_INLINE uint32_t loosest_row(const struct velocity_program *program, uint32_t lane) {
  uint32_t loosest = 0;
  for (uint32_t row = 1; row < MOST_HARD_LINES; row++) {
    if (program->hard_line[row].c[lane] < program->hard_line[loosest].c[lane]) loosest = row;
  }
  return loosest;
}

/* Puts down a surface's line at the end of each lane's own lines. A lane has room for MOST_HARD_LINES: a line more
 * takes the place of the loosest one, unless it is as loose. Few lanes have more than one line. */
static OUT_OF_LINE void put_down_hard_line(struct hard_lines *lines, uint32_t bits, const struct line_row *line) {
  struct velocity_program *program = lines->program;
  for (uint32_t k = 0; bits >> k; k++) {
    if (!(bits >> k & 1)) continue;
    const bool full = lines->count[k] == MOST_HARD_LINES;
    const uint32_t row = full ? loosest_row(program, k) : lines->count[k]++;
    if (full && !(line->c[k] > program->hard_line[row].c[k])) continue;
    if (row == program->hard) {
      const lf none = lf_set1(NO_LINE), zero = lf_zero();
      store_line(&program->hard_line[program->hard++], (struct line){zero, zero, none});
    }
    program->hard_line[row].x[k] = line->x[k];
    program->hard_line[row].z[k] = line->z[k];
    program->hard_line[row].c[k] = line->c[k];
  }
}

/* Adds a surface at a distance. The velocity 0 satisfies its line. */
LANES_INLINE void add_hard_line(struct hard_lines *lines, lm here, lf distance, lv3 normal) {
  const lf gap = lf_max(lf_sub(distance, lines->body), lf_zero());
  const struct line line = {normal.x, normal.z, lf_negate(lf_mul(gap, lines->rate))};
  const uint32_t bits = lm_bits(lf_less_where(here, lf_negate(lines->program->limit), line.c));
  if (bits == 0) return;
  struct line_row row;
  store_line(&row, line);
  put_down_hard_line(lines, bits, &row);
}

LANES_INLINE void add_faces(struct hard_lines *lines, const struct borders *borders, int axis, lf p) {
  const lf zero = lf_zero(), one = lf_set1(1.0f), back = lf_set1(-1.0f);
  if (borders->high[axis] == INFINITY) return;
  const lf low = lf_sub(p, lf_set1(borders->low[axis])), high = lf_sub(lf_set1(borders->high[axis]), p);
  add_hard_line(lines, borders->faced, low, axis == 0 ? (lv3){one, zero, zero} : (lv3){zero, zero, one});
  add_hard_line(lines, borders->faced, high, axis == 0 ? (lv3){back, zero, zero} : (lv3){zero, zero, back});
}

/* Adds the blocked cell nearest to each agent. */
LANES_INLINE void add_nearest_cells(struct hard_lines *lines, struct borders *borders, const struct feeler *feeler,
                                    lf reach) {
  struct lane_rays across; /* from corner to corner of a square around the agent */
  const lf twice = lf_add(reach, reach), back = lf_negate(reach);
  start_ray(&across, (lv3){back, lf_zero(), back}, (lv3){twice, lf_zero(), twice}, false);
  cut_cells(borders, feeler, &across, 1);
  if (!lm_any(borders->mapped)) return;
  struct surface surface = {reach, lv3_zero(), lm_first(0)};
  near_cells(&surface, borders, feeler, lv3_zero(), reach);
  add_hard_line(lines, surface.found, surface.distance, surface.normal);
}

/* Puts down the hard lines of the lanes `who`. */
LANES_INLINE void add_hard_lines(struct velocity_program *program, const struct frame *frame,
                                 const struct lane_groups *groups, uint32_t at, uint32_t lanes, lm who) {
  program->hard = 0;
  struct borders borders = load_borders(frame, who);
  if (frame->scenery->shapes == 0 && !lm_any(see_borders(&borders))) return;
  const lf rate = lf_min(load_param(frame, groups, PARAM_AVOID_WALLS), lf_set1(frame->rate));
  struct hard_lines lines = {.program = program, .rate = rate};
  const struct entry_block block = {.groups = *groups, .wants = who, .at = at, .lanes = lanes};
  struct feeler feeler;
  load_feeler(&feeler, frame, &block, false);
  lines.body = feeler.body;
  const lf reach = lf_min(lf_add(feeler.body, lf_div(program->limit, lines.rate)), lf_set1(FEELER_MOST));
  struct surroundings near;
  const struct shape *shape;
  look_around(&near, frame, &feeler, who, reach, true, true);
  while ((shape = next_shape(&near, false))) {
    struct surface surface = {reach, lv3_zero(), lm_first(0)};
    near_shape(&surface, &feeler, near.here, shape, lv3_zero(), false);
    if (lm_any(surface.found)) add_hard_line(&lines, surface.found, surface.distance, surface.normal);
  }
  if (lm_any(borders.mapped)) add_nearest_cells(&lines, &borders, &feeler, reach);
  add_faces(&lines, &borders, 0, feeler.p.x);
  add_faces(&lines, &borders, 2, feeler.p.z);
}

#endif
