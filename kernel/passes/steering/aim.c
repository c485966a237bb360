/* aim.c: loads what the behaviours with a target read. It is compiled once: a copy in every behaviour would take more
 * code than the behaviours themselves. SPDX-License-Identifier: MIT */
#include "passes/steering/aim.h"

LANES_INLINE void load(struct aim *aim, const struct frame *frame, const struct strip *strip,
                       const struct entry_block *block, bool spatial) {
  float *const *f = frame->front->f;
  lv3 target = load_target(frame, strip, block, THE_TARGET, spatial);
  aim->p = load_lv3(f + COLUMN_POSITION_X, block->at, spatial);
  aim->v = load_lv3(f + COLUMN_VELOCITY_X, block->at, spatial);
  aim->exists = lf_equal(target.x, target.x);
  aim->dp = world_difference(frame->grid, target, aim->p, spatial);
  aim->limit = load_wanted_limit(frame, &block->groups, block->at, PARAM_MAX_ACCELERATION);
  aim->speed = load_desired_speed(frame, &block->groups, block->at);
  aim->heading = lv3_zero();
  aim->fastest = lf_set1(INFINITY);
}

void THRONG_TABLE(load_aim_planar)(struct aim *aim, const struct frame *frame, const struct strip *strip,
                                   const struct entry_block *block) {
  load(aim, frame, strip, block, false);
}

void THRONG_TABLE(load_aim_spatial)(struct aim *aim, const struct frame *frame, const struct strip *strip,
                                    const struct entry_block *block) {
  load(aim, frame, strip, block, true);
}
