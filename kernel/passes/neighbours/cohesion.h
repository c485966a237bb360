/* cohesion.h: cohesion: what a neighbour adds, and the acceleration that follows from the sum. Formulas:
 * docs/ARITHMETIC.md, "The rules" and "Other forms of the rules". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_COHESION_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_COHESION_H

#include "passes/neighbours/lateral.h"

/* Adds a neighbour to cohesion's sum, in the lanes `where`. */
LANES_INLINE void add_to_cohesion(const struct block *block, struct sums *sums, lv3 d, lf weight, lw where,
                                  unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  if (variant & VARIANT_GENERIC ? !(block->rules & 1u << RULE_COHESION) : variant & VARIANT_WALKERS) return;
  const lv3 pull = variant & VARIANT_WEIGHTS ? lv3_scale(d, weight, spatial) : d;
  sums->cohesion = add_where(sums->cohesion, where, pull, spatial);
  if (variant & VARIANT_RARE) sums->rare.together = lf_add_where(sums->rare.together, where, weight);
}

/* What cohesion knows of a block's neighbours: the sum of the offsets from them, and their number. */
struct together {
  lv3 sum;
  lf count;
};
/* Seeks the mean position. No division: the sum has the direction of the mean. */
LANES_INLINE lv3 seek_together(const struct together *together, lf limit, bool spatial) {
  lf scale = lf_mul(lf_negate(limit), lv3_inv_len(together->sum, spatial));
  return lv3_scale(together->sum, scale, spatial);
}
/* The values of a block that cohesion reads. */
struct cohesion {
  lf speed, limit; /* S and A of the formulas */
  lf slow, stop, rate, forms;
};
LANES_INLINE void broadcast_cohesion(struct cohesion *c, const struct frame *frame, const struct lane_groups *groups) {
  const uint32_t group = meta_group(groups->meta[0]);
  const struct group_table *table = frame->groups;
  c->speed = lf_set1(group_row(table, PARAM_DESIRED_SPEED)[group]);
  c->limit = lf_set1(group_row(table, PARAM_MAX_ACCELERATION)[group]);
  c->slow = lf_set1(group_row(table, PARAM_COHESION_SLOW)[group]);
  c->stop = lf_set1(group_row(table, PARAM_COHESION_TARGET)[group]);
  c->rate = lf_set1(group_row(table, PARAM_COHESION_RATE)[group]);
  c->forms = lf_set1(group_row(table, PARAM_FORMS)[group]);
}
/* The loop keeps the code short. */
static OUT_OF_LINE void load_cohesion(struct cohesion *c, const struct frame *frame, const struct lane_groups *groups,
                                      uint32_t at) {
  static const int params[] = {PARAM_COHESION_SLOW, PARAM_COHESION_TARGET, PARAM_COHESION_RATE, PARAM_FORMS};
  float values[4][LANES];
  for (int k = 0; k < 4; k++) lf_store(values[k], load_param(frame, groups, params[k]));
  *c = (struct cohesion){load_desired_speed(frame, groups, at),
                         load_wanted_limit(frame, groups, at, PARAM_MAX_ACCELERATION),
                         lf_load(values[0]),
                         lf_load(values[1]),
                         lf_load(values[2]),
                         lf_load(values[3])};
}

/* Arrives at the mean position, whose distance times the number of neighbours is the length of the sum. Lanes whose
 * group does not arrive seek it. */
LANES_INLINE lv3 arrive_together(const struct frame *frame, uint32_t at, const struct cohesion *c,
                                 const struct together *together, bool spatial) {
  lv3 v = load_lv3(frame->front->f + COLUMN_VELOCITY_X, at, spatial);
  lf length = lv3_length(together->sum, spatial);
  lm inside = lf_less_equal(length, lf_mul(c->stop, together->count));
  lf pace = lf_div(c->speed, lf_max(length, lf_mul(c->slow, together->count)));
  lv3 wanted = lv3_scale(together->sum, lf_select(inside, lf_zero(), lf_negate(pace)), spatial);
  lv3 a = lv3_clip(lv3_scale(lv3_sub(wanted, v, spatial), c->rate, spatial), c->limit, spatial);
  lm none =
      lm_or(lf_equal(together->count, lf_zero()), lm_and(inside, has_form(lf_bits(c->forms), FORM_COHESION_COAST)));
  a = lv3_select(none, lv3_zero(), a, spatial);
  if (!(frame->groups->features & FEATURE_COHESION_SEEKS)) return a;
  lm arrives = has_form(lf_bits(c->forms), FORM_COHESION_ARRIVE);
  return lv3_select(arrives, a, seek_together(together, c->limit, spatial), spatial);
}
static OUT_OF_LINE lv3 arrive_together_planar(const struct frame *frame, const struct lane_groups *groups, uint32_t at,
                                              const struct together *together) {
  struct cohesion c;
  load_cohesion(&c, frame, groups, at);
  return arrive_together(frame, at, &c, together, false);
}
static OUT_OF_LINE lv3 arrive_together_spatial(const struct frame *frame, const struct lane_groups *groups, uint32_t at,
                                               const struct together *together) {
  struct cohesion c;
  load_cohesion(&c, frame, groups, at);
  return arrive_together(frame, at, &c, together, true);
}
/* A plain flock of one group has the code inlined. */
LANES_INLINE lv3 arrive_together_of(const struct block *block, const struct lane_groups *groups,
                                    const struct together *together, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const struct frame *frame = block->frame;
  const bool own = frame->front->f[COLUMN_MASS] || frame->front->f[COLUMN_MAX_SPEED];
  if (is_plain_flock(variant) && groups->uniform && !own) {
    struct cohesion c;
    broadcast_cohesion(&c, frame, groups);
    return arrive_together(frame, block->at, &c, together, spatial);
  }
  if (spatial) return arrive_together_spatial(frame, groups, block->at, together);
  return arrive_together_planar(frame, groups, block->at, together);
}

LANES_INLINE lv3 finish_cohesion(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                                 unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  lf count = variant & VARIANT_RARE ? sums->rare.together : sums->aligned;
  const struct together together = {sums->cohesion, count};
  lv3 a = block->frame->groups->features & FEATURE_COHESION_ARRIVES
              ? arrive_together_of(block, groups, &together, variant)
              : seek_together(&together, block->max_acceleration, spatial);
  if (!(variant & VARIANT_RARE)) return a;
  lv3 turns = steer_lateral(block, lv3_negate(sums->cohesion, spatial), spatial);
  return lv3_select(has_form(block->rare.forms, FORM_COHESION_LATERAL), turns, a, spatial);
}

#endif
