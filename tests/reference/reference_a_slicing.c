/* tests/reference/reference_a_slicing.c: reference A's time slicing: who is due.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

uint32_t ref_a_period(const frame *f, const crowd_agent *a) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  if (g->combine != THRONG_COMBINE_WEIGHTED || g->queue.width > 0.0f || g->pace.on) return 1;
  if (g->alignment.turns && g->alignment.weight > 0.0f) return 1;
  return a->period == a->period ? (uint32_t)a->period : g->steer_period;
}

bool ref_a_is_due(const frame *f, const crowd_agent *a) {
  const uint32_t turn = (uint32_t)f->crowd->frame + ref_a_mix(a->id.index);
  if (turn % ref_a_period(f, a) == 0 || a->kept.x != a->kept.x) return true;
  return ref_a_yields(f) && crowd_group(f->crowd, a)->contact > 0.0f && ref_a_is_impatient(a);
}
