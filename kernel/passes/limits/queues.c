/* queues.c: limits accelerations along the queue line. The neighbour walk has found the agent ahead (neighbour_rare.h).
 * Formula: docs/ARITHMETIC.md, "Blend". SPDX-License-Identifier: MIT */
#include "passes/limits/cut.h"

LANES_INLINE void queue_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  ASSERT_ALONE(frame->groups->features & (FEATURE_QUEUE | FEATURE_GAP));
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t k = at - strip->begin, lanes = lanes_left(at, strip->end);
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    lv3 a = load_lv3_first(strip->acceleration, k, lanes, spatial);
    lv3 lane = {lf_load(strip->lane[0] + k), spatial ? lf_load(strip->lane[1] + k) : lf_zero(),
                lf_load(strip->lane[2] + k)};
    lf most = lf_load(strip->most + k), along = lv3_dot(a, lane, spatial);
    lm waits = lm_and(lm_first(lanes), lf_greater(along, most));
    if (!lm_any(waits)) continue;
    const lv3 cut = cut_along(frame, &groups, at, a, lane, lf_sub(along, most), spatial);
    store_lv3(strip->acceleration, k, lv3_select(waits, cut, a, spatial), lanes, spatial);
  }
}

DEFINE_PASS(queue)
