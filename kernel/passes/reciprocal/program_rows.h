/* program_rows.h: what a velocity program reads and writes. The sources that include this file define SPATIAL before,
 * 0 or 1. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_PROGRAM_ROWS_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_PROGRAM_ROWS_H

#include "base/compiler.h"
#include "passes/reciprocal/lines.h"

#define MOST_HARD 16u                    /* half-spaces of one lane */
#define MOST_SOFT (SPATIAL ? 56u : 160u) /* as many as fit into the scratch of a walk */
#define MOST_STEPS 24u /* of one lane, to satisfy its half-spaces; and again, to make the greatest violation small */

/* The spatial program is large, so functions that it calls often are not inlined. */
#if SPATIAL
#define PROGRAM_INLINE static OUT_OF_LINE
#else
#define PROGRAM_INLINE LANES_INLINE
#endif

/* Half-spaces in memory. */
#if SPATIAL
struct plane_row {
  float x[LANES], y[LANES], z[LANES], c[LANES];
};
typedef struct plane_row half_space_row;
#else
typedef struct line_row half_space_row;
#endif

LANES_INLINE struct half_space load_half_space(const half_space_row *row) {
#if SPATIAL
  return (struct half_space){{lf_load(row->x), lf_load(row->y), lf_load(row->z)}, lf_load(row->c)};
#else
  return load_line(row);
#endif
}
LANES_INLINE void store_half_space(half_space_row *row, struct half_space it) {
#if SPATIAL
  lf_store(row->y, it.n.y);
#endif
  lf_store(row->x, it.n.x);
  lf_store(row->z, it.n.z);
  lf_store(row->c, it.c);
}
LANES_INLINE struct half_space select_half_space(lm where, struct half_space a, struct half_space b) {
  return (struct half_space){lv3_select(where, a.n, b.n, SPATIAL), lf_select(where, a.c, b.c)};
}
LANES_INLINE struct half_space half_space_where(lm where, struct half_space it) {
  return select_half_space(where, it, (struct half_space){lv3_zero(), lf_set1(NO_BORDER)});
}
LANES_INLINE lf violation_of(struct half_space it, lv3 v) { return lf_sub(it.c, lv3_dot(it.n, v, SPATIAL)); }

/* The most violated half-space so far, and by how much it is violated. */
struct worst {
  lf violation;
  struct half_space half_space;
};

struct velocity_program;
/* Looks for a half-space that the velocities of the program violate more than `worst`, among all soft ones. */
typedef void look_at_soft_rows(struct velocity_program *program, struct worst *worst);

struct velocity_program {
  lv3 wish, aside, v;          /* the wish; what replaces it before others; the velocity: all in the disc or ball */
  lf limit;                    /* its radius */
  uint32_t hard, soft, active; /* rows */
  half_space_row hard_row[MOST_HARD], soft_row[MOST_SOFT], active_row[2 * MOST_STEPS];
  half_space_row relative_row[MOST_HARD + 2 * MOST_STEPS];
#if SPATIAL
  struct line_row flat_row[MOST_HARD + 2 * MOST_STEPS]; /* lines on a plane */
#endif
  look_at_soft_rows *look_at_soft; /* NULL: all soft half-spaces are in soft_row */
  const void *context;             /* for look_at_soft */
};

#endif
