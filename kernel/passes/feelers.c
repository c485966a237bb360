/* passes/feelers.c: the behaviours that steer by scenery. Agents of a block one after the other: the geometry is all branches.
 * The formulas are those of ../ARITHMETIC.md, "Scenery". SPDX-License-Identifier: MIT */
#include "../feelers.h"

#include <string.h>

#include "entry.h"

/* What the agents of a block feel, agent by agent. */
struct felt {
  float a[3][LANES];
};
LANES_INLINE void store_felt(const struct frame *frame, struct strip *strip, const struct entry_block *block,
                             const struct felt *felt, bool spatial) {
  store_entry(frame, strip, block, (lv3){lf_load(felt->a[0]), lf_load(felt->a[1]), lf_load(felt->a[2])}, spatial);
}
LANES_INLINE void keep_felt(struct felt *felt, uint32_t k, struct vec a) {
  felt->a[0][k] = (float)a.x;
  felt->a[1][k] = (float)a.y;
  felt->a[2][k] = (float)a.z;
}

static double at_or_zero(float *const *f, int column, uint32_t i, bool there) {
  return there ? (double)f[column][i] : 0.0;
}
static struct feeler feeler_of(const struct frame *frame, uint32_t i, bool spatial) {
  float *const *f = frame->front->f;
  const uint32_t group = meta_group(frame->front->meta[i]);
  return (struct feeler){
      frame->scenery,
      {(double)f[COLUMN_POSITION_X][i], at_or_zero(f, COLUMN_POSITION_Y, i, spatial), (double)f[COLUMN_POSITION_Z][i]},
      {(double)f[COLUMN_VELOCITY_X][i], at_or_zero(f, COLUMN_VELOCITY_Y, i, spatial), (double)f[COLUMN_VELOCITY_Z][i]},
      (double)*body_radius_of(frame, i),
      (double)limit_of(frame, i, PARAM_MAX_ACCELERATION),
      (double)frame->groups->param[PARAM_DESIRED_SPEED][group],
      frame->front->id[i]};
}
/* The parameters of an agent's group, in their order. */
static void read_parameters(const struct frame *frame, const struct strip *strip, uint32_t i, void *to, int count) {
  const int at = PARAM_ENTRY + ENTRY_PARAMS * (int)strip->entry + ENTRY_PARAMETER;
  const uint32_t group = meta_group(frame->front->meta[i]);
  for (int p = 0; p < count; p++) memcpy((float *)to + p, &frame->groups->param[at + p][group], sizeof(float));
}

LANES_INLINE void avoid_obstacles_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_AVOID_OBSTACLES)) continue;
    const uint32_t wants = lm_bits(block.wants);
    struct felt felt = {{{0.0f}}};
    lanes_rest();
    for (uint32_t k = 0; frame->scenery->shapes && k < block.lanes; k++) {
      if (!(wants >> k & 1)) continue;
      const struct feeler feeler = feeler_of(frame, at + k, spatial);
      throng_avoid_obstacles how;
      read_parameters(frame, strip, at + k, &how, (int)(sizeof how / sizeof(float)));
      keep_felt(&felt, k, throng_feel_obstacles(&feeler, &how));
    }
    store_felt(frame, strip, &block, &felt, spatial);
  }
}
DEFINE_BEHAVIOUR(avoid_obstacles)

LANES_INLINE void avoid_walls_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  float *const *memory = frame->front->f, *const *next = frame->back->f;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_AVOID_WALLS)) continue;
    const uint32_t wants = lm_bits(block.wants);
    struct felt felt = {{{0.0f}}};
    lanes_rest();
    for (uint32_t k = 0; frame->scenery->shapes && k < block.lanes; k++) {
      if (!(wants >> k & 1)) continue;
      const struct feeler feeler = feeler_of(frame, at + k, spatial);
      throng_avoid_walls how;
      read_parameters(frame, strip, at + k, &how, (int)(sizeof how / sizeof(float)));
      struct fan fan = {memory[COLUMN_FAN_ANGLE][at + k], memory[COLUMN_FAN_LATCH][at + k]};
      keep_felt(&felt, k, throng_feel_walls(&feeler, &how, frame->dt, &fan));
      next[COLUMN_FAN_ANGLE][at + k] = fan.angle;
      next[COLUMN_FAN_LATCH][at + k] = fan.latch;
    }
    store_felt(frame, strip, &block, &felt, spatial);
  }
}
DEFINE_BEHAVIOUR(avoid_walls)

LANES_INLINE void hide_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_HIDE)) continue;
    float dp[3][LANES];
    const lv3 target = load_target(frame, strip, &block, THE_TARGET, spatial);
    const lv3 d =
        world_difference(frame->grid, target, load_lv3(frame->front->f + COLUMN_POSITION_X, at, spatial), spatial);
    lf_store(dp[0], d.x);
    lf_store(dp[1], d.y);
    lf_store(dp[2], d.z);
    const uint32_t wants = lm_bits(lm_and(block.wants, lf_equal(target.x, target.x)));
    struct felt felt = {{{0.0f}}};
    lanes_rest();
    for (uint32_t k = 0; frame->scenery->shapes && k < block.lanes; k++) {
      if (!(wants >> k & 1)) continue;
      const struct feeler feeler = feeler_of(frame, at + k, spatial);
      throng_hide how;
      read_parameters(frame, strip, at + k, &how, (int)(sizeof how / sizeof(float)));
      const struct vec from = {(double)dp[0][k], (double)dp[1][k], (double)dp[2][k]};
      keep_felt(&felt, k, throng_steer_to_hide(&feeler, &how, from));
    }
    store_felt(frame, strip, &block, &felt, spatial);
  }
}
DEFINE_BEHAVIOUR(hide)

LANES_INLINE void hug_walls_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_HUG_WALLS)) continue;
    const uint32_t wants = lm_bits(block.wants);
    struct felt felt = {{{0.0f}}};
    lanes_rest();
    for (uint32_t k = 0; frame->scenery->shapes && k < block.lanes; k++) {
      if (!(wants >> k & 1)) continue;
      const struct feeler feeler = feeler_of(frame, at + k, spatial);
      throng_hug_walls how;
      read_parameters(frame, strip, at + k, &how, (int)(sizeof how / sizeof(float)));
      keep_felt(&felt, k, throng_steer_along_walls(&feeler, &how));
    }
    store_felt(frame, strip, &block, &felt, spatial);
  }
}
DEFINE_BEHAVIOUR(hug_walls)
