/* blend.c: runs the groups' lists, entry by entry, and blends all rules into one acceleration. Formulas:
 * docs/ARITHMETIC.md, "Blend". SPDX-License-Identifier: MIT */
#include <string.h>

#include "passes/blocked.h"
#include "passes/random.h"
#include "passes/steering/entry.h"

#define ROW(CONSTANT, name, needs, parameters) [THRONG_BEHAVIOUR_##CONSTANT] = BEHAVIOUR(name),
#define NO_PARAMETER(name, TYPE, member, value, low, high)
static pass_function *const kind_pass[THRONG_BEHAVIOUR_KINDS] = {BEHAVIOUR_KINDS(ROW, NO_PARAMETER)};

static void carry(const struct frame *frame, const struct strip *strip, int first, int arrays) {
  for (int c = first; c < first + arrays; c++) {
    const float *from = frame->front->f[c];
    if (!from) continue;
    memcpy(frame->back->f[c] + strip->begin, from + strip->begin, (strip->end - strip->begin) * sizeof *from);
  }
}

/* Copies behaviour memory from front to back columns first: some agents of the strip may not have the behaviour. */
static void carry_memory(const struct frame *frame, const struct strip *strip) {
  const uint64_t kinds = frame->groups->kinds;
#define X(NAME, name, arrays, names, planar, spatial, low, high, flags, owner, owners)                                 \
  if (OWNER_##owner == OWNER_MEMORY && kinds & (owners)) carry(frame, strip, COLUMN_FIRST_##arrays names, arrays);
  COLUMNS(X)
#undef X
}

static void list(const struct frame *frame, struct strip *strip) {
  const bool spatial = is_spatial(frame);
  carry_memory(frame, strip);
  if (frame->groups->features & FEATURE_OWN_TARGETS) THRONG_TABLE(find_targets)(frame, strip);
  for (strip->entry = 0; strip->entry < THRONG_MAX_BEHAVIOURS; strip->entry++) {
    const struct entry_use *use = &frame->groups->entry[strip->entry];
    float(*scratch)[STRIP_CAPACITY] = strip->rule[RULE_LIST + strip->entry];
    if (use->kinds ? use->mixed : use->brakes) memset(scratch, 0, 3 * sizeof *scratch);
    if (use->turns && use->mixed && spatial) memset(strip->turn[strip->entry], 0, sizeof strip->turn[0]);
    ASSERT_ALONE(use->kinds >> THRONG_BEHAVIOUR_KINDS == 0);
    for (uint32_t kind = 0; use->kinds >> kind; kind++) {
      if (use->kinds >> kind & 1) (*kind_pass[kind])(frame, strip);
    }
    if (use->gathers) THRONG_TABLE(gather)(frame, strip);
    if (use->brakes) THRONG_TABLE(brake)(frame, strip);
  }
}

LANES_INLINE lv3 load_weighted(const struct frame *frame, const struct lane_groups *groups, const struct strip *strip,
                               int rule, uint32_t k, bool spatial) {
  const float(*a)[STRIP_CAPACITY] = strip->rule[rule];
  lv3 acceleration = {lf_load(a[0] + k), spatial ? lf_load(a[1] + k) : lf_zero(), lf_load(a[2] + k)};
  return lv3_scale(acceleration, load_weight(frame, groups, strip->begin + k, rule), spatial);
}

/* Weighted blending (Millington 3.4.2): adds weight * acceleration of these rules. */
LANES_INLINE lv3 add_weighted(lv3 sum, const struct frame *frame, const struct lane_groups *groups,
                              const struct strip *strip, uint32_t rules, uint32_t k, bool spatial) {
  for (; rules; rules &= rules - 1) {
    sum = lv3_add(sum, load_weighted(frame, groups, strip, __builtin_ctz(rules), k, spatial), spatial);
  }
  return sum;
}

/* Time slicing: returns the sum of the rules over neighbours for agents that are due, and the kept acceleration of the
 * others. Writes what is kept for the next frame: the sum without avoidance. */
LANES_INLINE lv3 blend_neighbours(const struct frame *frame, const struct lane_groups *groups,
                                  const struct strip *strip, uint32_t at, bool spatial) {
  const uint32_t k = at - strip->begin, rules = frame->groups->rules & NEIGHBOUR_RULES, avoids = 1u << RULE_AVOIDANCE;
  const lu bits = lu_load(strip->due + k);
  const lm due = lu_test(bits, lu_set1(DUE)), keeps = lu_test(bits, lu_set1(KEEPS));
  const lv3 before = load_lv3(frame->front->f + COLUMN_KEPT_X, at, spatial), zero = lv3_zero();
  const lv3 all = add_weighted(zero, frame, groups, strip, rules, k, spatial);
  lv3 kept = rules & avoids ? add_weighted(zero, frame, groups, strip, rules & ~avoids, k, spatial) : all;
  kept = lv3_select(due, kept, before, spatial);
  const lf none = lf_set1(NAN);
  kept = lv3_select(keeps, kept, (lv3){none, none, none}, spatial);
  store_lv3(frame->back->f + COLUMN_KEPT_X, at, kept, lanes_left(at, strip->end), spatial);
  return lv3_select(due, all, before, spatial);
}

LANES_INLINE lv3 blend_all(const struct frame *frame, const struct lane_groups *groups, const struct strip *strip,
                           uint32_t at, bool spatial) {
  const uint32_t rules = frame->groups->rules, k = at - strip->begin;
  if (!(frame->groups->features & FEATURE_SLICED)) {
    return add_weighted(lv3_zero(), frame, groups, strip, rules, k, spatial);
  }
  const lv3 near = blend_neighbours(frame, groups, strip, at, spatial);
  return add_weighted(near, frame, groups, strip, rules & ~NEIGHBOUR_RULES, k, spatial);
}
/* Returns the sum over the rules of one priority. Sets `there` to the lanes with such a rule. */
LANES_INLINE lv3 blend_level(const struct frame *frame, const struct lane_groups *groups, const struct strip *strip,
                             uint32_t level, uint32_t k, lm *there, bool spatial) {
  lv3 sum = lv3_zero();
  *there = lm_first(0);
  for (uint32_t rules = frame->groups->rules; rules; rules &= rules - 1) {
    const int rule = __builtin_ctz(rules);
    lf weight = load_weight(frame, groups, strip->begin + k, rule);
    lu priority = lf_bits(load_param(frame, groups, PARAM_PRIORITY + rule));
    lm here = lm_without(lu_equal(priority, lu_set1(level)), lf_equal(weight, lf_zero()));
    *there = lm_or(*there, here);
    lv3 weighted = load_weighted(frame, groups, strip, rule, k, spatial);
    sum = lv3_add(sum, lv3_where(here, weighted, spatial), spatial);
  }
  return sum;
}

/* Priority (Millington 3.4.1), budget and dithering (Reynolds 1999), in lanes whose groups combine in these ways. */
LANES_INLINE lv3 blend_levels(const struct frame *frame, const struct lane_groups *groups, const struct strip *strip,
                              uint32_t at, lv3 weighted, lf limit, bool spatial) {
  lu combine = lf_bits(load_param(frame, groups, PARAM_COMBINE));
  lm budget = lu_equal(combine, lu_set1(THRONG_COMBINE_BUDGET)),
     dither = lu_equal(combine, lu_set1(THRONG_COMBINE_DITHER));
  lu state = draw_state(frame, at);
  lf threshold = load_param(frame, groups, PARAM_THRESHOLD), left = limit;
  lv3 first = lv3_zero(), shares = lv3_zero();
  lm done = lm_first(0);
  ASSERT_ALONE(frame->groups->levels >> THRONG_PRIORITIES == 0);
  for (uint32_t level = 0; frame->groups->levels >> level; level++) {
    if (!(frame->groups->levels >> level & 1)) continue;
    lm there;
    lv3 sum = blend_level(frame, groups, strip, level, at - strip->begin, &there, spatial);
    lv3 share = lv3_clip(sum, left, spatial);
    shares = lv3_add(shares, share, spatial);
    left = lf_max(lf_sub(left, lf_sqrt(lv3_dot(share, share, spatial))), lf_zero());

    lf chance = load_param(frame, groups, PARAM_CHANCE + (int)level);
    lm passed_over = lm_without(dither, lf_less(draw(frame, state, DRAW_DITHER + level), chance));
    lm acts = lm_without(lm_without(there, done), passed_over);
    first = lv3_select(acts, sum, first, spatial);
    lm longer = lf_greater(lv3_dot(sum, sum, spatial), lf_mul(threshold, threshold));
    done = lm_or(done, lm_and(acts, longer));
  }
  lv3 sum = lv3_select(budget, shares, first, spatial);
  return lv3_select(lu_equal(combine, lu_set1(THRONG_COMBINE_WEIGHTED)), weighted, sum, spatial);
}

/* Loads what alignment adds to the turn, of the groups whose alignment turns. Other lanes hold no such value. */
LANES_INLINE lf load_alignment_turn(const struct frame *frame, const struct lane_groups *groups, uint32_t at,
                                    const float *turn) {
  const lm turns = lf_greater(load_param(frame, groups, PARAM_ALIGN_TURN), lf_zero());
  return lf_where(turns, lf_mul(lf_load(turn), load_weight(frame, groups, at, RULE_ALIGNMENT)));
}

/* Angular behaviours are always added by weight. */
LANES_INLINE lf blend_turns(const struct frame *frame, const struct lane_groups *groups, const struct strip *strip,
                            uint32_t at) {
  lf sum = lf_zero();
  if (frame->groups->features & FEATURE_ALIGNMENT_TURNS) {
    const float *turn = strip->rule[RULE_ALIGNMENT][1] + (at - strip->begin);
    sum = lf_add(sum, load_alignment_turn(frame, groups, at, turn));
  }
  for (int entry = 0; entry < (int)THRONG_MAX_BEHAVIOURS; entry++) {
    if (!frame->groups->entry[entry].turns) continue;
    lf turn = lf_load(strip->rule[RULE_LIST + entry][1] + (at - strip->begin));
    sum = lf_add(sum, lf_mul(turn, load_weight(frame, groups, at, RULE_LIST + entry)));
  }
  sum = lf_clamp(sum, load_wanted_limit(frame, groups, at, PARAM_MAX_YAW_ACCELERATION));
  return lf_mul(sum, load_share(frame, groups, at, true));
}

/* The same in spatial worlds, where each entry has three numbers: entry.h, store_entry_turning. */
LANES_INLINE void blend_turning(const struct frame *frame, const struct lane_groups *groups, struct strip *strip,
                                uint32_t at) {
  const uint32_t k = at - strip->begin, lanes = lanes_left(at, strip->end);
  lv3 sum = lv3_zero();
  if (frame->groups->features & FEATURE_ALIGNMENT_TURNS) {
    float(*const turn)[STRIP_CAPACITY] = strip->turn[TURN_OF_ALIGNMENT];
    lv3 turning = {load_alignment_turn(frame, groups, at, turn[0] + k),
                   load_alignment_turn(frame, groups, at, turn[1] + k),
                   load_alignment_turn(frame, groups, at, turn[2] + k)};
    sum = lv3_add(sum, turning, true);
  }
  for (int entry = 0; entry < (int)THRONG_MAX_BEHAVIOURS; entry++) {
    if (!frame->groups->entry[entry].turns) continue;
    float(*const turn)[STRIP_CAPACITY] = strip->turn[entry];
    lv3 turning = {lf_load(turn[0] + k), lf_load(turn[1] + k), lf_load(turn[2] + k)};
    sum = lv3_add(sum, lv3_scale(turning, load_weight(frame, groups, at, RULE_LIST + entry), true), true);
  }
  lm upright = lf_greater(load_param(frame, groups, PARAM_UPRIGHT), lf_zero());
  lf yaw = lf_clamp(sum.x, load_wanted_limit(frame, groups, at, PARAM_MAX_YAW_ACCELERATION));
  yaw = lf_mul(yaw, load_share(frame, groups, at, true));
  lv3 swing = lv3_clip(lv3_select(upright, lv3_zero(), sum, true), load_max_yaw_rate(frame, groups, at), true);
  lf_store_first(strip->turning[TURNING_YAW] + k, lf_where(upright, yaw), lanes);
  store_lv3(strip->turning + TURNING_X, k, swing, lanes, true);
}

LANES_INLINE void leave_out_impatient(const struct frame *frame, const struct lane_groups *groups, struct strip *strip,
                                      uint32_t at, bool spatial) {
  const lm impatient = load_impatient(frame->front, at);
  if (!lm_any(impatient)) return;
  const lm solid = lf_greater(load_param(frame, groups, PARAM_CONTACT), lf_zero());
  leave_out_rules(frame, strip, at - strip->begin, lm_and(impatient, solid), spatial);
}

LANES_INLINE void blend_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    lf limit = load_wanted_limit(frame, &groups, at, PARAM_MAX_ACCELERATION);
    if (frame->groups->features & FEATURE_YIELD) leave_out_impatient(frame, &groups, strip, at, spatial);
    lv3 sum = blend_all(frame, &groups, strip, at, spatial);
    if (frame->groups->features & FEATURE_COMBINE) {
      sum = blend_levels(frame, &groups, strip, at, sum, limit, spatial);
    }
    sum = lv3_clip(sum, limit, spatial);
    if (frame->groups->features & FEATURE_FORCE) {
      sum = lv3_scale(sum, load_share(frame, &groups, at, false), spatial);
    }
    store_lv3(strip->acceleration, at - strip->begin, sum, lanes_left(at, strip->end), spatial);
    if (!(frame->groups->features & FEATURE_STEERED_YAW)) continue;
    if (spatial) {
      blend_turning(frame, &groups, strip, at);
    } else {
      lf turn = blend_turns(frame, &groups, strip, at);
      lf_store_first(strip->acceleration[1] + (at - strip->begin), turn, lanes_left(at, strip->end));
    }
  }
}

static void blend(const struct frame *frame, struct strip *strip) {
  CALL_IN_SPACE(is_spatial(frame), blend_strip, frame, strip);
}

const struct behaviour_passes THRONG_TABLE(behaviours) = {list, blend, THRONG_TABLE(progress)};
