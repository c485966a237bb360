/* nearest.h: rules that count only their nearest neighbours. A first walk keeps the smallest squared distances of each
 * lane. They tell the distance of the farthest neighbour that counts. If all rules of every group count the same
 * neighbours, the usual walk follows with this distance as its radius. Otherwise, and where more neighbours are at
 * exactly this distance than count, it is the walk with RARE, which tests each rule and counts the ties in canonical
 * order. Formula: docs/ARITHMETIC.md, "The rules". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_NEAREST_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_NEAREST_H

#include "passes/neighbours/neighbour_block.h"

/* The lanes for which a candidate counts, for each rule. */
struct concerned {
  lm viewed; /* within the radius and the field of view */
  lm separation, avoidance;
  lw cohesion, alignment;
};

LANES_INLINE lm lanes_counted(lw w) { return lf_greater(lf_add_where(lf_zero(), w, lf_set1(1.0f)), lf_zero()); }

#define SORTED 8u

/* The smallest squared distances so far of each lane, in blocks of 8, ascending; and a group of distances that are not
 * among them yet. A group is sorted and merged at once: that takes half the time of inserting one after another. */
struct smallest {
  uint32_t most, blocks, grouped;
  _Alignas(64) float kept[THRONG_MAX_NEAREST / SORTED + 1][SORTED][LANES];
  float group[SORTED][LANES];
};

#define COMPARE(a, b)                                                                                                  \
  do {                                                                                                                 \
    const lf smaller = lf_min(a, b);                                                                                   \
    b = lf_max(a, b);                                                                                                  \
    a = smaller;                                                                                                       \
  } while (0)

/* A sorting network for any 8 values. */
LANES_INLINE void sort_any(lf v[SORTED]) {
  static const uint8_t pair[][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}, {0, 1}, {2, 3},
                                    {4, 5}, {6, 7}, {2, 4}, {3, 5}, {1, 4}, {3, 6}, {1, 2}, {3, 4}, {5, 6}};
#pragma GCC unroll 19
  for (uint32_t k = 0; k < 19; k++) COMPARE(v[pair[k][0]], v[pair[k][1]]);
}
/* The same for 8 values that are first ascending, then descending, or the other way round. */
LANES_INLINE void sort_bitonic(lf v[SORTED]) {
#pragma GCC unroll 3
  for (uint32_t step = SORTED / 2; step > 0; step /= 2) {
#pragma GCC unroll 8
    for (uint32_t k = 0; k < SORTED; k++) {
      if (!(k & step)) COMPARE(v[k], v[k + step]);
    }
  }
}

/* Merges the group into the smallest distances. */
static OUT_OF_LINE void merge_group(struct smallest *smallest) {
  lf group[SORTED], kept[SORTED], nearest = lf_set1(INFINITY);
  for (; smallest->grouped < SORTED; smallest->grouped++) lf_store(smallest->group[smallest->grouped], nearest);
  smallest->grouped = 0;
  for (uint32_t k = 0; k < SORTED; k++) {
    group[k] = lf_load(smallest->group[k]);
    nearest = lf_min(nearest, group[k]);
  }
  if (!lm_any(lf_less(nearest, lf_load(smallest->kept[smallest->blocks - 1][SORTED - 1])))) return;
  sort_any(group);
  for (uint32_t b = 0;; b++) {
    float(*of)[LANES] = smallest->kept[b];
    for (uint32_t k = 0; k < SORTED; k++) kept[k] = lf_min(lf_load(of[k]), group[SORTED - 1 - k]);
    if (b + 1 < smallest->blocks) {
      lf more[SORTED];
      for (uint32_t k = 0; k < SORTED; k++) more[k] = lf_max(lf_load(of[k]), group[SORTED - 1 - k]);
      sort_bitonic(more);
      for (uint32_t k = 0; k < SORTED; k++) group[k] = more[k];
    }
    sort_bitonic(kept);
    for (uint32_t k = 0; k < SORTED; k++) lf_store(of[k], kept[k]);
    if (b + 1 == smallest->blocks) return;
  }
}

/* Begins to choose the `most` nearest. */
LANES_INLINE void begin_choice(struct smallest *smallest, uint32_t most) {
  ASSERT_ALONE(most <= THRONG_MAX_NEAREST + 1);
  smallest->most = most;
  smallest->blocks = (most + SORTED - 1) / SORTED;
  smallest->grouped = 0;
  for (uint32_t b = 0; b < smallest->blocks; b++) {
    for (uint32_t k = 0; k < SORTED; k++) lf_store(smallest->kept[b][k], lf_set1(INFINITY));
  }
}
LANES_INLINE void note_distance(struct smallest *smallest, lf d2, lm where) {
  lf_store(smallest->group[smallest->grouped++], lf_select(where, d2, lf_set1(INFINITY)));
  if (smallest->grouped == SORTED) merge_group(smallest);
}

/* What the walk with RARE knows of the nearest neighbours. */
struct choosing {
  struct choice choice[NEAREST_RULES];
  int rule; /* whose neighbours are being chosen */
  struct smallest smallest;
};

/* Notes a candidate in the lanes in which it counts for the rule that chooses. */
LANES_INLINE void choose_neighbour(const struct sums *sums, const struct concerned *to, lf d2) {
  const int rule = sums->choosing->rule;
  lm where = to->separation;
  if (rule != RULE_SEPARATION) where = lanes_counted(rule == RULE_COHESION ? to->cohesion : to->alignment);
  note_distance(&sums->choosing->smallest, d2, where);
}

/* Returns the choice of the lanes, each of which counts `nearest` neighbours. */
LANES_INLINE struct choice choice_of(const struct smallest *smallest, lf nearest) {
  struct choice choice = {nearest, lf_set1(INFINITY), lf_zero()};
  for (uint32_t k = 0; k < smallest->most; k++) {
    const lm last = lf_equal(nearest, lf_set1((float)(k + 1)));
    choice.limit_sq = lf_select(last, lf_load(smallest->kept[k / SORTED][k % SORTED]), choice.limit_sq);
  }
  for (uint32_t k = 0; k < smallest->most; k++) {
    const lm counts = lf_greater(nearest, lf_set1((float)k));
    const lm tie = lf_equal_where(counts, lf_load(smallest->kept[k / SORTED][k % SORTED]), choice.limit_sq);
    choice.ties = lf_add(choice.ties, lf_where(tie, lf_set1(1.0f)));
  }
  return choice;
}

/* Returns the lanes in which a neighbour, which counts in `where`, is one of the nearest. */
LANES_INLINE lm among_nearest(struct choice *choice, lf d2, lw where) {
  const lm tie = lm_and(lf_equal(d2, choice->limit_sq), lf_greater(choice->ties, lf_zero()));
  choice->ties = lf_add_where(choice->ties, lw_where(tie, where), lf_set1(-1.0f));
  return lm_or(lf_less(d2, choice->limit_sq), tie);
}

/* How many agents a candidate counts as. */
struct weights {
  lf separation, cohesion, alignment;
};
/* One of the nearest neighbours counts once. */
LANES_INLINE lf once_if(lf nearest, lf weight) {
  return lf_select(lf_greater(nearest, lf_zero()), lf_set1(1.0f), weight);
}
LANES_INLINE struct weights weights_of_nearest(const struct choosing *choosing, lf weight, unsigned variant) {
  if (!(variant & VARIANT_WEIGHTS)) return (struct weights){weight, weight, weight};
  const struct choice *choice = choosing->choice;
  return (struct weights){once_if(choice[RULE_SEPARATION].nearest, weight),
                          once_if(choice[RULE_COHESION].nearest, weight),
                          once_if(choice[RULE_ALIGNMENT].nearest, weight)};
}

/* Removes the lanes in which the neighbour is not one of the nearest. */
LANES_INLINE struct concerned keep_nearest_of_rules(struct concerned to, struct choosing *choosing, lf d2) {
  struct choice *choice = choosing->choice;
  const lw separation = lw_from_mask(to.separation);
  to.separation = lm_and(to.separation, among_nearest(&choice[RULE_SEPARATION], d2, separation));
  to.cohesion = lw_where(among_nearest(&choice[RULE_COHESION], d2, to.cohesion), to.cohesion);
  to.alignment = lw_where(among_nearest(&choice[RULE_ALIGNMENT], d2, to.alignment), to.alignment);
  return to;
}

#endif
