/* tests/reference/reference_a_patterns.c: reference A's patterns of movement.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

static float so_far(const throng_pattern_instruction *i, float turned) {
  if (i->right == 0.0f) return fabsf(turned);
  return i->right > 0.0f ? -turned : turned;
}

static bool is_done(const throng_pattern_instruction *i, vec way) {
  if (i->heading > 0.0f && so_far(i, way.x) >= i->heading) return true;
  return i->distance > 0.0f && way.y * way.y + way.z * way.z >= i->distance * i->distance;
}

vec ref_a_follow_pattern(const frame *f, const crowd_agent *a, const throng_follow_pattern *r, memory *next) {
  const vec nothing = {0.0f, 0.0f, 0.0f};
  const float number = a->pattern == a->pattern ? a->pattern : (float)r->index, most = crowd_acceleration(f->crowd, a);
  if (number >= (float)CROWD_MAX_PATTERNS) return nothing;
  const crowd_pattern *p = &f->crowd->patterns[(int)number];
  const float n = (float)p->count;
  float c = a->pattern_instruction;
  vec way = a->pattern_way;
  if (p->count == 0) return nothing;
  if (c < n && is_done(&p->instruction[(int)c], way)) {
    c = c + 1.0f;
    way = nothing;
  }
  if (c != c || (p->loop && c >= n)) {
    c = 0.0f;
    way = nothing;
  }
  next->pattern_instruction = c;
  next->pattern_way = way;
  if (!(c < n)) return nothing;
  const throng_pattern_instruction *i = &p->instruction[(int)c];
  float taper = 1.0f;
  if (i->heading > 0.0f) taper = 1.0f - so_far(i, way.x) / i->heading;
  if (!(taper > 0.05f)) taper = 0.05f;
  if (!(taper < 1.0f)) taper = 1.0f;
  const vec along = vec_scale(frame_facing(f, a), i->thrust * most),
            aside = vec_scale(frame_right(f, a), (i->right * taper) * most);
  return vec_clip(f, vec_add(along, aside), most);
}

void ref_a_go_on_way(const frame *f, crowd_agent *a, vec position, float yaw) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  for (uint32_t k = 0; k < g->behaviour_count; k++) {
    if (g->behaviour[k].kind != THRONG_BEHAVIOUR_FOLLOW_PATTERN || g->behaviour[k].weight == 0.0f) continue;
    const vec step = frame_difference(f, position, a->position);
    a->pattern_way = vec_add(a->pattern_way, (vec){ref_a_wrap(a->facing.x - yaw), step.x, step.z});
  }
}
