/* velocity_program.h: finds the velocity nearest to a wish that satisfies half-spaces n . v >= c, and is in a disc
 * around 0, in spatial worlds in a ball; one program per lane. If no velocity satisfies all half-spaces, it finds the
 * one whose greatest violation is smallest. Hard half-spaces are never violated by more than rounding, because the
 * velocity 0 satisfies them. A search that needs more than MOST_STEPS ends at the last velocity that violated no hard
 * half-space.
 *
 * Each step adds the most violated half-space. In a convex program the new solution is on its border, and few
 * half-spaces matter: the active ones. So a step searches the solution on one border, among the few active half-spaces:
 * planar_step.h, spatial_step.h. Formulas: docs/ARITHMETIC.md, "Reciprocal avoidance". Source: van den Berg, Guy, Lin,
 * Manocha, Reciprocal n-Body Collision Avoidance, 2011. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_VELOCITY_PROGRAM_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_VELOCITY_PROGRAM_H

#include "passes/reciprocal/program_rows.h"

#if SPATIAL
#include "passes/reciprocal/spatial_step.h"
#else
#include "passes/reciprocal/planar_step.h"
#endif

/* Of two equally violated half-spaces the first counts. */
LANES_INLINE void look_at_rows(struct worst *worst, const half_space_row *row, uint32_t rows, lv3 v) {
  for (uint32_t k = 0; k < rows; k++) {
    const struct half_space it = load_half_space(&row[k]);
    const lf violation = violation_of(it, v);
    worst->half_space = select_half_space(lf_less(worst->violation, violation), it, worst->half_space);
    worst->violation = lf_max(violation, worst->violation);
  }
}
PROGRAM_INLINE void find_worst_soft(struct velocity_program *program, struct worst *worst) {
  if (program->look_at_soft) {
    program->look_at_soft(program, worst);
  } else {
    look_at_rows(worst, program->soft_row, program->soft, program->v);
  }
}

LANES_INLINE void add_active(struct velocity_program *program, lm where, struct half_space it) {
  ASSERT_ALONE(program->active < 2 * MOST_STEPS);
  store_half_space(&program->active_row[program->active++], half_space_where(where, it));
}

/* What no velocity satisfies: the lanes, the half-space that was added last, and where that is hard. */
struct failed {
  lm lanes, hard;
  struct half_space half_space;
};

/* Adds the most violated hard half-space, or if none is violated the most violated soft one, until none is violated or
 * the steps are used up. From the first soft one on, the velocity is to be nearest to `aside`. Returns the lanes in
 * which the last one leaves no velocity. */
LANES_INLINE struct failed satisfy_half_spaces(struct velocity_program *program, lm who) {
  const lf least = least_violation(program);
  struct failed failed = {lm_first(0), lm_first(0), {lv3_zero(), lf_zero()}};
  lv3 held = lv3_zero(); /* the last velocity that violated no hard half-space */
  for (uint32_t step = 0;; step++) {
    struct worst worst = {least, failed.half_space};
    look_at_rows(&worst, program->hard_row, program->hard, program->v);
    const lm hard = lf_less(least, worst.violation);
    held = lv3_select(hard, held, program->v, SPATIAL);
    if (step == MOST_STEPS) break;
    worst.violation = lf_select(hard, lf_set1(INFINITY), least);
    find_worst_soft(program, &worst);
    who = lf_less_where(who, least, worst.violation);
    if (!lm_any(who)) break;
    program->wish = lv3_select(lm_without(who, hard), program->aside, program->wish, SPATIAL);
    const lm some = move_to_nearest(program, worst.half_space, who), fails = lm_without(who, some);
    failed.lanes = lm_or(failed.lanes, fails);
    failed.hard = lm_or(failed.hard, lm_and(fails, hard));
    failed.half_space = select_half_space(fails, worst.half_space, failed.half_space);
    who = some;
    add_active(program, who, worst.half_space);
  }
  program->v = lv3_select(who, held, program->v, SPATIAL);
  return failed;
}

/* A hard half-space that was added last is never violated. So these lanes begin again, from the velocity 0, with the
 * soft one that it violates most. */
LANES_INLINE void begin_again(struct velocity_program *program, struct failed *failed) {
  if (!lm_any(failed->hard)) return;
  for (uint32_t k = 0; k < program->active; k++) {
    const lm kept = lm_without(lm_first(LANES), failed->hard);
    store_half_space(&program->active_row[k], half_space_where(kept, load_half_space(&program->active_row[k])));
  }
  program->v = lv3_select(failed->hard, lv3_zero(), program->v, SPATIAL);
  const lf none = lf_set1(0.5f * NO_BORDER);
  struct worst worst = {none, failed->half_space};
  find_worst_soft(program, &worst);
  failed->half_space = select_half_space(failed->hard, worst.half_space, failed->half_space);
  failed->lanes = lm_without(failed->lanes, lm_without(failed->hard, lf_less(none, worst.violation)));
}

/* The half-space in which `other` is violated at most as much as `it`. */
LANES_INLINE struct half_space equal_violation(struct half_space other, struct half_space it) {
  const lv3 n = lv3_sub(other.n, it.n, SPATIAL);
  const lf c = lf_sub(other.c, it.c), length = lv3_length(n, SPATIAL), inverse = lf_div(lf_set1(1.0f), length);
  const lm none = lm_or(lf_less_equal(length, lf_set1(VIOLATION)), lf_less_equal(other.c, lf_set1(0.5f * NO_BORDER)));
  return half_space_where(lm_without(lm_first(LANES), none),
                          (struct half_space){lv3_scale(n, inverse, SPATIAL), lf_mul(c, inverse)});
}

/* Moves to the velocity in the disc or ball that violates `it` least, but no hard half-space, and no active one more
 * than `it`. Returns the lanes that have such a velocity. */
LANES_INLINE lm violate_least(struct velocity_program *program, struct half_space it, lm who) {
  lv3 v = lv3_scale(it.n, program->limit, SPATIAL);
  const uint32_t rows = program->hard + program->active;
  for (uint32_t k = 0; k < rows; k++) {
    const struct half_space border =
        k < program->hard ? load_half_space(&program->hard_row[k])
                          : equal_violation(load_half_space(&program->active_row[k - program->hard]), it);
    store_half_space(&program->relative_row[k], border);
    const lm beyond = lf_less_where(who, lv3_dot(border.n, v, SPATIAL), border.c);
    if (!lm_any(beyond)) continue;
    const lm some = move_farthest(program, border, k, it.n, beyond, &v);
    who = lm_without(who, lm_without(beyond, some));
  }
  program->v = lv3_select(who, v, program->v, SPATIAL);
  return who;
}

/* Finds the velocity whose greatest violation is smallest, where no velocity satisfies all half-spaces. */
LANES_INLINE void share_violation(struct velocity_program *program, struct failed failed) {
  begin_again(program, &failed);
  struct half_space it = failed.half_space;
  lm who = failed.lanes;
  for (uint32_t step = 0; step < MOST_STEPS && lm_any(who); step++) {
    who = violate_least(program, it, who);
    add_active(program, who, it);
    const lf least = lf_add(violation_of(it, program->v), least_violation(program));
    struct worst worst = {least, it};
    find_worst_soft(program, &worst);
    who = lf_less_where(who, least, worst.violation);
    it = worst.half_space;
  }
}

/* For assertions: the lanes in which all hard half-spaces have the velocity 0. */
LANES_INLINE lm may_stand(const struct velocity_program *program) {
  lm may = lm_first(LANES);
  for (uint32_t k = 0; k < program->hard; k++)
    may = lf_less_equal_where(may, load_half_space(&program->hard_row[k]).c, lf_zero());
  return may;
}
/* For assertions: the lanes in which a velocity is in the disc or ball, except for rounding. */
LANES_INLINE lm is_within_limit(const struct velocity_program *program, lv3 v) {
  const lf most = lf_mul(program->limit, lf_set1(1.0001f));
  return lf_less_equal(lv3_dot(v, v, SPATIAL), lf_mul(most, most));
}

/* Solves the programs of the lanes `who`, from v and with no active half-space. Where v satisfies all half-spaces, it
 * is the solution, even if it is not the wish. */
LANES_INLINE void solve_velocities(struct velocity_program *program, lm who) {
  ASSERT_ALONE(program->active == 0 && program->hard <= MOST_HARD);
  ASSERT_ALONE(!lm_any(lm_without(who, may_stand(program))));
  ASSERT_ALONE(!lm_any(lm_without(who, is_within_limit(program, program->wish))));
  ASSERT_ALONE(!lm_any(lm_without(who, is_within_limit(program, program->v))));
  const struct failed failed = satisfy_half_spaces(program, who);
  if (lm_any(failed.lanes)) share_violation(program, failed);
}

#endif
