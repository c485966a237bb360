/* tests/reference/reference_a_blend.c: reference A's blend of the accelerations that rules and behaviours want.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

void ref_a_wish(wishes *w, float weight, uint32_t priority, vec acceleration) {
  if (weight == 0.0f) return;
  w->wish[w->count].weight = weight;
  w->wish[w->count].priority = priority;
  w->wish[w->count++].acceleration = acceleration;
}

vec ref_a_sum(const wishes *w, uint32_t level, bool all, bool *there) {
  vec sum = {0.0f, 0.0f, 0.0f};
  *there = false;
  for (int k = 0; k < w->count; k++) {
    if (!all && w->wish[k].priority != level) continue;
    sum = vec_add(sum, vec_scale(w->wish[k].acceleration, w->wish[k].weight));
    *there = true;
  }
  return sum;
}

vec ref_a_combine(const frame *f, const crowd_agent *a, const throng_group_def *g, const wishes *w) {
  const float limit = crowd_acceleration(f->crowd, a), threshold = g->combine_threshold;
  bool there;
  vec result = {0.0f, 0.0f, 0.0f};
  float left = limit;
  if (g->combine == THRONG_COMBINE_WEIGHTED) return vec_clip(f, ref_a_sum(w, 0, true, &there), limit);
  for (uint32_t level = 0; level < THRONG_PRIORITIES; level++) {
    const vec sum = ref_a_sum(w, level, false, &there);
    if (!there) continue;
    if (g->combine == THRONG_COMBINE_BUDGET) {
      const vec share = vec_clip(f, sum, left);
      result = vec_add(result, share);
      left = left - sqrtf(vec_dot(f, share, share));
      left = left > 0.0f ? left : 0.0f;
      continue;
    }
    if (g->combine == THRONG_COMBINE_DITHER &&
        !(ref_a_draw(f->crowd->def.seed, a->id, f->crowd->frame, 16 + level) < g->combine_chance[level]))
      continue;
    result = sum;
    if (vec_dot(f, sum, sum) > threshold * threshold) break;
  }
  return vec_clip(f, result, limit);
}
