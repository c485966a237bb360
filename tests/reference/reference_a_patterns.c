/* tests/reference/reference_a_patterns.c: reference A's patterns of movement.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

static float so_far(const throng_pattern_instruction *i, float turned) {
  if (i->right == 0.0f) return fabsf(turned);
  return i->right > 0.0f ? -turned : turned;
}

#define TWO_PI 6.28318530717959f

/* The yaw to which an instruction's step leads. */
static float step_yaw(const throng_pattern_instruction *i, vec way, float yaw) {
  float turned = ref_a_clamp(way.x, 1e9f);
  turned = turned - TWO_PI * floorf(turned * 0.159154943091895f + 0.5f);
  return ref_a_wrap(ref_a_wrap(yaw - turned) - i->turn);
}

static bool is_done(const throng_pattern_instruction *i, vec way, float yaw) {
  if (i->step > 0.0f) {
    const vec along = facing_of_yaw(step_yaw(i, way, yaw));
    return along.x * way.y + along.z * way.z >= i->step * 0.9999f;
  }
  if (i->heading > 0.0f && so_far(i, way.x) >= i->heading) return true;
  return i->distance > 0.0f && way.y * way.y + way.z * way.z >= i->distance * i->distance;
}

/* The heading: the facing's horizontal direction, which is +z for vertical facings, and its yaw. */
static vec ahead_of(const frame *f, vec facing) {
  return f->spatial ? frame_level(f, facing) : facing_of_yaw(facing.x);
}

/* Returns the agent's instruction in this frame, or NULL. Writes the number of the instruction and the way since it
 * began, unless the pattern does not exist. */
static const throng_pattern_instruction *current(const frame *f, const crowd_agent *a, const throng_follow_pattern *r,
                                                 float *number_now, vec *way_now) {
  const vec nothing = {0.0f, 0.0f, 0.0f};
  const float number = a->pattern == a->pattern ? a->pattern : (float)r->index;
  if (number >= (float)CROWD_MAX_PATTERNS) return NULL;
  const crowd_pattern *p = &f->crowd->patterns[(int)number];
  const float n = (float)p->count;
  float c = a->pattern_instruction;
  vec way = a->pattern_way;
  if (p->count == 0) return NULL;
  if (c < n && is_done(&p->instruction[(int)c], way, frame_yaw(f, a->facing))) {
    c = c + 1.0f;
    way = nothing;
  }
  if (c != c || (p->loop && c >= n)) {
    c = 0.0f;
    way = nothing;
  }
  *number_now = c;
  *way_now = way;
  return c < n ? &p->instruction[(int)c] : NULL;
}

static float taper_of(const throng_pattern_instruction *i, vec way) {
  float taper = 1.0f;
  if (i->heading > 0.0f) taper = 1.0f - so_far(i, way.x) / i->heading;
  if (!(taper > 0.05f)) taper = 0.05f;
  return taper < 1.0f ? taper : 1.0f;
}

/* The acceleration toward the end of a step. */
static vec step(const frame *f, const crowd_agent *a, const throng_pattern_instruction *i, vec way) {
  const vec along = facing_of_yaw(step_yaw(i, way, frame_yaw(f, a->facing)));
  const vec end = {along.x * i->step - way.y, 0.0f, along.z * i->step - way.z};
  const float most = crowd_max_speed(f->crowd, a), reach = sqrtf(vec_dot(f, end, end)) * frame_rate(f);
  const vec wanted = vec_scale(end, (most < reach ? most : reach) * vec_inv_len(f, end));
  const float rate = frame_rate(f) / crowd_share(f->crowd, a);
  return vec_clip(f, vec_scale(vec_sub(wanted, a->velocity), rate), crowd_acceleration(f->crowd, a));
}

vec ref_a_follow_pattern(const frame *f, const crowd_agent *a, const throng_follow_pattern *r, memory *next) {
  const float most = crowd_acceleration(f->crowd, a);
  const throng_pattern_instruction *i = current(f, a, r, &next->pattern_instruction, &next->pattern_way);
  if (i == NULL) return (vec){0.0f, 0.0f, 0.0f};
  if (i->step > 0.0f) return step(f, a, i, next->pattern_way);
  const vec along = vec_scale(ahead_of(f, a->facing), i->thrust * most),
            aside = vec_scale(frame_right(f, a), (i->right * taper_of(i, next->pattern_way)) * most);
  return vec_clip(f, vec_add(along, aside), most);
}

float ref_a_pattern_turn(const frame *f, const crowd_agent *a, const throng_follow_pattern *r) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  const float most = crowd_torque_limit(f->crowd, a);
  float number, wanted;
  vec way;
  const throng_pattern_instruction *i = current(f, a, r, &number, &way);
  if (i == NULL) return 0.0f;
  if (g->actuation == THRONG_ACTUATION_RIGID_BODY && i->step == 0.0f) return 0.0f; /* its side force turns it */
  if (i->step > 0.0f) {
    const float yaw = frame_yaw(f, a->facing), left = ref_a_wrap(step_yaw(i, way, yaw) - yaw),
                stops = sqrtf(most * 2.0f * fabsf(left));
    wanted = ref_a_clamp(left * frame_rate(f), g->max_yaw_rate < stops ? g->max_yaw_rate : stops);
  } else {
    wanted = -(i->right * taper_of(i, way)) * g->max_yaw_rate;
  }
  const float rate = frame_rate(f) / crowd_turn_share(f->crowd, a);
  return ref_a_clamp((wanted - a->yaw_rate) * rate, crowd_yaw_acceleration(f->crowd, a));
}

vec ref_a_pattern_swing(const frame *f, const crowd_agent *a, const throng_follow_pattern *r) {
  float number;
  vec way;
  const throng_pattern_instruction *i = current(f, a, r, &number, &way);
  if (i == NULL) return (vec){0.0f, 0.0f, 0.0f};
  if (i->step > 0.0f) return ref_a_swing_to(f, a, facing_of_yaw(step_yaw(i, way, frame_yaw(f, a->facing))), 0.0f, 0.0f);
  return vec_scale(frame_right(f, a), (i->right * taper_of(i, way)) * crowd_group(f->crowd, a)->max_yaw_rate);
}

void ref_a_go_on_way(const frame *f, crowd_agent *a, vec position, vec facing) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  for (uint32_t k = 0; k < g->behaviour_count; k++) {
    if (g->behaviour[k].kind != THRONG_BEHAVIOUR_FOLLOW_PATTERN || g->behaviour[k].weight == 0.0f) continue;
    const vec step = frame_difference(f, position, a->position);
    a->pattern_way =
        vec_add(a->pattern_way, (vec){ref_a_wrap(frame_yaw(f, a->facing) - frame_yaw(f, facing)), step.x, step.z});
  }
}
