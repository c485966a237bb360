/* cut.h: the cut that a queue and a pace make in an acceleration. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_LIMITS_CUT_H
#define THRONG_KERNEL_PASSES_LIMITS_CUT_H

#include "passes/block.h"

/* Takes `over` m/s^2 of the acceleration along the unit vector `way`, and clips the rest to max_acceleration. */
LANES_INLINE lv3 cut_along(const struct frame *frame, const struct lane_groups *groups, uint32_t at, lv3 a, lv3 way,
                           lf over, bool spatial) {
  const lv3 cut = lv3_sub(a, lv3_scale(way, over, spatial), spatial);
  return lv3_clip(cut, load_limit(frame, groups, at, PARAM_MAX_ACCELERATION), spatial);
}

#endif
