/* planar_step.h: a step of a velocity program in planar worlds: the best velocity on one line. Formulas:
 * docs/ARITHMETIC.md, "Reciprocal avoidance". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_PLANAR_STEP_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_PLANAR_STEP_H

#include "passes/reciprocal/program_rows.h"

LANES_INLINE lf least_violation(const struct velocity_program *program) {
  (void)program;
  return lf_set1(VIOLATION);
}

/* Moves the lanes `who` to the velocity nearest to the wish, on a line and in the active half-planes. Returns the lanes
 * that have such a velocity. */
LANES_INLINE lm move_to_nearest(struct velocity_program *program, struct half_space line, lm who) {
  const struct part part = part_of_line(line, program->limit, program->active_row, program->active, who);
  const lf t = lf_min(lf_max(place_on_line(line, program->wish), part.low), part.high);
  program->v = lv3_select(part.some, point_of_line(line, t), program->v, false);
  return part.some;
}

/* Moves *v to the point farthest along `way`, on a line and in the first `rows` half-planes of relative_row. Returns
 * the lanes that have such a point. */
LANES_INLINE lm move_farthest(struct velocity_program *program, struct half_space line, uint32_t rows, lv3 way, lm who,
                              lv3 *v) {
  const struct part part = part_of_line(line, program->limit, program->relative_row, rows, who);
  const lf t = lf_select(lf_less(lf_zero(), place_on_line(line, way)), part.high, part.low);
  *v = lv3_select(part.some, point_of_line(line, t), *v, false);
  return part.some;
}

#endif
