/* velocity_program.h: finds the velocity nearest to a wish that satisfies lines n . v >= c, and is in a disc around 0;
 * one program per lane. If no velocity satisfies all lines, it finds the one whose greatest violation is least. Hard
 * lines are never violated: the velocity 0 satisfies them.
 *
 * Each step adds the most violated line. In a convex program the new solution is on that line, and few lines matter:
 * the active lines. So a step searches the solution on one line, between the few active lines. Formulas:
 * docs/ARITHMETIC.md, "Reciprocal avoidance". Source: van den Berg, Guy, Lin, Manocha, Reciprocal n-Body Collision
 * Avoidance, 2011. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_VELOCITY_PROGRAM_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_VELOCITY_PROGRAM_H

#include "lanes/math.h"

#define MOST_HARD_LINES 16u /* of one lane */
#define MOST_SOFT_LINES 160u
#define MOST_STEPS 24u  /* of one lane, to satisfy its lines; and again, to find the least greatest violation */
#define VIOLATION 1e-5f /* m/s: smaller violations, and sines of smaller angles, do not count */
#define NO_LINE -1e9f   /* m/s: c of a line, with n = 0, that every velocity satisfies */

/* n . v >= c, with |n| = 1. */
struct line {
  lf x, z, c;
};
/* The same in memory. */
struct line_row {
  float x[LANES], z[LANES], c[LANES];
};

LANES_INLINE struct line load_line(const struct line_row *row) {
  return (struct line){lf_load(row->x), lf_load(row->z), lf_load(row->c)};
}
LANES_INLINE void store_line(struct line_row *row, struct line line) {
  lf_store(row->x, line.x);
  lf_store(row->z, line.z);
  lf_store(row->c, line.c);
}
LANES_INLINE struct line select_line(lm where, struct line a, struct line b) {
  return (struct line){lf_select(where, a.x, b.x), lf_select(where, a.z, b.z), lf_select(where, a.c, b.c)};
}
LANES_INLINE struct line line_where(lm where, struct line line) {
  return select_line(where, line, (struct line){lf_zero(), lf_zero(), lf_set1(NO_LINE)});
}

/* The most violated line so far, and by how much it is violated. */
struct worst {
  lf violation;
  struct line line;
};

struct velocity_program;
/* Looks for a line that the velocities of the program violate more than `worst`, among all soft lines. */
typedef void look_at_soft_lines(struct velocity_program *program, struct worst *worst);

struct velocity_program {
  lf wish_x, wish_z, x, z;     /* the wish; the velocity; both are in the disc */
  lf limit;                    /* the radius of the disc */
  uint32_t hard, soft, active; /* rows */
  struct line_row hard_line[MOST_HARD_LINES], soft_line[MOST_SOFT_LINES], active_line[2 * MOST_STEPS];
  struct line_row relative_line[MOST_HARD_LINES + 2 * MOST_STEPS];
  look_at_soft_lines *look_at_soft; /* NULL: all soft lines are in soft_line */
  const void *context;              /* for look_at_soft */
};

/* Of two equally violated lines the first counts. */
LANES_INLINE void look_at_lines(struct worst *worst, const struct line_row *row, uint32_t rows, lf x, lf z) {
  for (uint32_t k = 0; k < rows; k++) {
    const struct line line = load_line(&row[k]);
    const lf violation = lf_sub(line.c, lf_add(lf_mul(line.x, x), lf_mul(line.z, z)));
    worst->line = select_line(lf_less(worst->violation, violation), line, worst->line);
    worst->violation = lf_max(violation, worst->violation);
  }
}
LANES_INLINE void look_at_soft(struct velocity_program *program, struct worst *worst) {
  if (program->look_at_soft) {
    program->look_at_soft(program, worst);
  } else {
    look_at_lines(worst, program->soft_line, program->soft, program->x, program->z);
  }
}

/* The part of a line that is in the disc and satisfies some lines. Its points are n c + d t, with d = (n.z, -n.x) and t
 * from `low` to `high`. */
struct part {
  lf low, high;
  lm some; /* lanes of `who` in which the part is not empty */
};
LANES_INLINE struct part part_of_line(struct line line, lf limit, const struct line_row *row, uint32_t rows, lm who) {
  const lf least = lf_set1(VIOLATION), zero = lf_zero();
  const lf square = lf_sub(lf_mul(limit, limit), lf_mul(line.c, line.c)), half = lf_sqrt(lf_max(square, zero));
  struct part part = {lf_negate(half), half, lf_less_equal_where(who, zero, square)};
  lm bad = lm_first(0);
  for (uint32_t k = 0; k < rows; k++) {
    const struct line other = load_line(&row[k]);
    const lf slope = lf_sub(lf_mul(other.x, line.z), lf_mul(other.z, line.x));
    const lf along = lf_add(lf_mul(other.x, line.x), lf_mul(other.z, line.z));
    const lf rest = lf_sub(other.c, lf_mul(line.c, along)), t = lf_div(rest, slope);
    const lm above = lf_greater(slope, least), below = lf_less(slope, lf_negate(least));
    part.low = lf_max(lf_select(above, t, part.low), part.low);
    part.high = lf_min(lf_select(below, t, part.high), part.high);
    bad = lm_or(bad, lm_without(lf_less(zero, rest), lm_or(above, below)));
  }
  part.some = lm_without(lf_less_equal_where(part.some, part.low, part.high), bad);
  return part;
}

LANES_INLINE void set_velocity(struct velocity_program *program, lm where, struct line line, lf t) {
  program->x = lf_select(where, lf_add(lf_mul(line.x, line.c), lf_mul(line.z, t)), program->x);
  program->z = lf_select(where, lf_sub(lf_mul(line.z, line.c), lf_mul(line.x, t)), program->z);
}
LANES_INLINE void add_active(struct velocity_program *program, lm where, struct line line) {
  store_line(&program->active_line[program->active++], line_where(where, line));
}

/* What no velocity satisfies: the lanes, the line that was added last, and where that line is hard. */
struct failed {
  lm lanes, hard;
  struct line line;
};

/* Adds the most violated hard line, or if none is violated the most violated soft line, until none is violated. Returns
 * the lanes in which the last line leaves no velocity. */
LANES_INLINE struct failed satisfy_lines(struct velocity_program *program, lm who) {
  const lf least = lf_set1(VIOLATION);
  struct failed failed = {lm_first(0), lm_first(0), {lf_zero(), lf_zero(), lf_zero()}};
  for (uint32_t step = 0; step < MOST_STEPS; step++) {
    struct worst worst = {least, failed.line};
    look_at_lines(&worst, program->hard_line, program->hard, program->x, program->z);
    const lm hard = lf_less(least, worst.violation);
    worst.violation = lf_select(hard, lf_set1(INFINITY), least);
    look_at_soft(program, &worst);
    who = lf_less_where(who, least, worst.violation);
    if (!lm_any(who)) break;
    const struct line line = worst.line;
    const struct part part = part_of_line(line, program->limit, program->active_line, program->active, who);
    const lf nearest = lf_sub(lf_mul(program->wish_x, line.z), lf_mul(program->wish_z, line.x));
    set_velocity(program, part.some, line, lf_min(lf_max(nearest, part.low), part.high));
    const lm fails = lm_without(who, part.some);
    failed.lanes = lm_or(failed.lanes, fails);
    failed.hard = lm_or(failed.hard, lm_and(fails, hard));
    failed.line = select_line(fails, line, failed.line);
    who = part.some;
    add_active(program, who, line);
  }
  return failed;
}

/* A hard line that was added last is never violated. So these lanes begin again, from the velocity 0, with the soft
 * line that it violates most. */
LANES_INLINE void begin_again(struct velocity_program *program, struct failed *failed) {
  if (!lm_any(failed->hard)) return;
  for (uint32_t k = 0; k < program->active; k++) {
    const struct line line = load_line(&program->active_line[k]);
    store_line(&program->active_line[k],
               select_line(failed->hard, (struct line){lf_zero(), lf_zero(), lf_set1(NO_LINE)}, line));
  }
  program->x = lf_select(failed->hard, lf_zero(), program->x);
  program->z = lf_select(failed->hard, lf_zero(), program->z);
  const lf none = lf_set1(0.5f * NO_LINE);
  struct worst worst = {none, failed->line};
  look_at_soft(program, &worst);
  failed->line = select_line(failed->hard, worst.line, failed->line);
  failed->lanes = lm_without(failed->lanes, lm_without(failed->hard, lf_less(none, worst.violation)));
}

/* The line on which `other` is violated as much as `line`: beyond it, `other` is violated less. */
LANES_INLINE struct line equal_violation(struct line other, struct line line) {
  const lf x = lf_sub(other.x, line.x), z = lf_sub(other.z, line.z), c = lf_sub(other.c, line.c);
  const lf length = lf_sqrt(lf_add(lf_mul(x, x), lf_mul(z, z))), inverse = lf_div(lf_set1(1.0f), length);
  const lm none = lm_or(lf_less_equal(length, lf_set1(VIOLATION)), lf_less_equal(other.c, lf_set1(0.5f * NO_LINE)));
  return line_where(lm_without(lm_first(LANES), none),
                    (struct line){lf_mul(x, inverse), lf_mul(z, inverse), lf_mul(c, inverse)});
}

/* Moves to the velocity in the disc that violates `line` least, but no hard line, and no active line more than `line`.
 * Returns the lanes that have such a velocity. */
LANES_INLINE lm violate_least(struct velocity_program *program, struct line line, lm who) {
  lf x = lf_mul(line.x, program->limit), z = lf_mul(line.z, program->limit);
  const uint32_t rows = program->hard + program->active;
  for (uint32_t k = 0; k < rows; k++) {
    const struct line border = k < program->hard
                                   ? load_line(&program->hard_line[k])
                                   : equal_violation(load_line(&program->active_line[k - program->hard]), line);
    store_line(&program->relative_line[k], border);
    const lm beyond = lf_less_where(who, lf_add(lf_mul(border.x, x), lf_mul(border.z, z)), border.c);
    if (!lm_any(beyond)) continue;
    const struct part part = part_of_line(border, program->limit, program->relative_line, k, beyond);
    const lf slope = lf_sub(lf_mul(line.x, border.z), lf_mul(line.z, border.x));
    const lf t = lf_select(lf_less(lf_zero(), slope), part.high, part.low);
    x = lf_select(part.some, lf_add(lf_mul(border.x, border.c), lf_mul(border.z, t)), x);
    z = lf_select(part.some, lf_sub(lf_mul(border.z, border.c), lf_mul(border.x, t)), z);
    who = lm_without(who, lm_without(beyond, part.some));
  }
  program->x = lf_select(who, x, program->x);
  program->z = lf_select(who, z, program->z);
  return who;
}

/* Finds the least greatest violation, where no velocity satisfies all lines. */
LANES_INLINE void share_violation(struct velocity_program *program, struct failed failed) {
  begin_again(program, &failed);
  struct line line = failed.line;
  lm who = failed.lanes;
  for (uint32_t step = 0; step < MOST_STEPS && lm_any(who); step++) {
    who = violate_least(program, line, who);
    add_active(program, who, line);
    const lf violation = lf_sub(line.c, lf_add(lf_mul(line.x, program->x), lf_mul(line.z, program->z)));
    const lf least = lf_add(violation, lf_set1(VIOLATION));
    struct worst worst = {least, line};
    look_at_soft(program, &worst);
    who = lf_less_where(who, least, worst.violation);
    line = worst.line;
  }
}

/* Solves the programs of the lanes `who`, from (x, z) and with no active line. Where (x, z) satisfies all lines, it is
 * the solution, even if it is not the wish. */
LANES_INLINE void solve_velocities(struct velocity_program *program, lm who) {
  const struct failed failed = satisfy_lines(program, who);
  if (lm_any(failed.lanes)) share_violation(program, failed);
}

#endif
