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

static bool stands(const throng_pattern_instruction *i) {
  return i->step == 0.0f && (i->turn != 0.0f || i->wait > 0.0f);
}

/* time: since the instruction began. */
static bool is_done(const throng_pattern_instruction *i, vec way, float time, float yaw, float dt) {
  if (i->step != 0.0f) {
    const vec along = facing_of_yaw(step_yaw(i, way, yaw));
    const float gone = along.x * way.y + along.z * way.z, end = i->step * 0.9999f;
    return i->step > 0.0f ? gone >= end : gone <= end;
  }
  if (stands(i)) return fabsf(ref_a_wrap(step_yaw(i, way, yaw) - yaw)) <= 0.005f && time + 0.5f * dt >= i->wait;
  if (i->heading > 0.0f && so_far(i, way.x) >= i->heading) return true;
  return i->distance > 0.0f && way.y * way.y + way.z * way.z >= i->distance * i->distance;
}

/* The heading: the facing's horizontal direction, which is +z for vertical facings, and its yaw. */
static vec ahead_of(const frame *f, vec facing) {
  return f->spatial ? frame_level(f, facing) : facing_of_yaw(facing.x);
}

static const crowd_pattern *pattern_of(const frame *f, const crowd_agent *a, const throng_follow_pattern *r) {
  static const crowd_pattern none;
  const float number = a->pattern == a->pattern ? a->pattern : (float)r->index;
  return number >= (float)CROWD_MAX_PATTERNS ? &none : &f->crowd->patterns[(int)number];
}

/* An agent's progress: the number of its instruction; the way and the time since it began. */
typedef struct progress {
  float number, time;
  vec way;
} progress;

/* Returns the agent's instruction in this frame, or NULL. Writes the progress, unless the pattern does not exist. */
static const throng_pattern_instruction *current(const frame *f, const crowd_agent *a, const throng_follow_pattern *r,
                                                 progress *now) {
  const progress begin = {0.0f, 0.0f, {0.0f, 0.0f, 0.0f}};
  const crowd_pattern *p = pattern_of(f, a, r);
  const float n = (float)p->count;
  *now = (progress){a->pattern_instruction, a->pattern_time, a->pattern_way};
  if (p->count == 0) return NULL;
  if (now->number < n &&
      is_done(&p->instruction[(int)now->number], now->way, now->time, frame_yaw(f, a->facing), f->dt)) {
    const float next = now->number + 1.0f;
    *now = begin;
    now->number = next;
  }
  if (now->number != now->number || (p->loop && now->number >= n)) *now = begin;
  return now->number < n ? &p->instruction[(int)now->number] : NULL;
}

/* Whether the agent stands when instruction c has ended. */
static bool stops_after(const crowd_pattern *p, float c) {
  const uint32_t next = (uint32_t)c + 1;
  if (next < p->count) return stands(&p->instruction[next]);
  return p->loop ? stands(&p->instruction[0]) : p->stands;
}
static bool stands_at_end(const crowd_pattern *p, float c) { return p->stands && c >= (float)p->count && p->count > 0; }

static float taper_of(const throng_pattern_instruction *i, vec way) {
  float taper = 1.0f;
  if (i->heading > 0.0f) taper = 1.0f - so_far(i, way.x) / i->heading;
  if (!(taper > 0.05f)) taper = 0.05f;
  return taper < 1.0f ? taper : 1.0f;
}

/* The acceleration toward the end of a step. */
static vec step(const frame *f, const crowd_agent *a, const throng_pattern_instruction *i, vec way, bool stops) {
  const vec along = facing_of_yaw(step_yaw(i, way, frame_yaw(f, a->facing)));
  const vec end = {along.x * i->step - way.y, 0.0f, along.z * i->step - way.z};
  const float most = crowd_max_speed(f->crowd, a), length = sqrtf(vec_dot(f, end, end));
  const float reach = length * frame_rate(f), brakes = sqrtf(crowd_acceleration(f->crowd, a) * length);
  float speed = most < reach ? most : reach;
  if (stops && brakes < speed) speed = brakes;
  const vec wanted = vec_scale(end, speed * vec_inv_len(f, end));
  const float rate = frame_rate(f) / crowd_share(f->crowd, a);
  return vec_clip(f, vec_scale(vec_sub(wanted, a->velocity), rate), crowd_acceleration(f->crowd, a));
}

static vec stand(const frame *f, const crowd_agent *a) {
  const float rate = frame_rate(f) / crowd_share(f->crowd, a);
  const vec back = vec_sub((vec){0.0f, 0.0f, 0.0f}, a->velocity);
  return vec_clip(f, vec_scale(back, rate), crowd_acceleration(f->crowd, a));
}

vec ref_a_follow_pattern(const frame *f, const crowd_agent *a, const throng_follow_pattern *r, memory *next) {
  const float most = crowd_acceleration(f->crowd, a);
  const crowd_pattern *p = pattern_of(f, a, r);
  progress now;
  const throng_pattern_instruction *i = current(f, a, r, &now);
  next->pattern_instruction = now.number;
  next->pattern_way = now.way;
  next->pattern_time = now.time;
  if (stands_at_end(p, now.number)) return stand(f, a);
  if (i == NULL) return (vec){0.0f, 0.0f, 0.0f};
  if (stands(i)) return stand(f, a);
  if (i->step != 0.0f) return step(f, a, i, now.way, stops_after(p, now.number));
  const vec along = vec_scale(ahead_of(f, a->facing), i->thrust * most),
            aside = vec_scale(frame_right(f, a), (i->right * taper_of(i, now.way)) * most);
  return vec_clip(f, vec_add(along, aside), most);
}

float ref_a_pattern_turn(const frame *f, const crowd_agent *a, const throng_follow_pattern *r) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  const float most = crowd_torque_limit(f->crowd, a);
  const bool rigid = g->actuation == THRONG_ACTUATION_RIGID_BODY;
  const float fastest = crowd_max_yaw_rate(f->crowd, a);
  float wanted = 0.0f;
  progress now;
  const throng_pattern_instruction *i = current(f, a, r, &now);
  if (i == NULL && (rigid || !stands_at_end(pattern_of(f, a, r), now.number))) return 0.0f;
  const bool leads = i != NULL && (i->step != 0.0f || stands(i));
  if (rigid && !leads) return 0.0f; /* its side force turns it */
  if (leads) {
    const float yaw = frame_yaw(f, a->facing), left = ref_a_wrap(step_yaw(i, now.way, yaw) - yaw),
                stops = sqrtf(most * 2.0f * fabsf(left));
    wanted = ref_a_clamp(left * frame_rate(f), fastest < stops ? fastest : stops);
  } else if (i != NULL) {
    wanted = -(i->right * taper_of(i, now.way)) * fastest;
  }
  const float rate = frame_rate(f) / crowd_turn_share(f->crowd, a);
  return ref_a_clamp((wanted - a->yaw_rate) * rate, crowd_yaw_acceleration(f->crowd, a));
}

vec ref_a_pattern_swing(const frame *f, const crowd_agent *a, const throng_follow_pattern *r) {
  progress now;
  const throng_pattern_instruction *i = current(f, a, r, &now);
  if (i == NULL) return (vec){0.0f, 0.0f, 0.0f};
  if (i->step != 0.0f || stands(i))
    return ref_a_swing_to(f, a, facing_of_yaw(step_yaw(i, now.way, frame_yaw(f, a->facing))), 0.0f, 0.0f);
  return vec_scale(frame_right(f, a), (i->right * taper_of(i, now.way)) * crowd_max_yaw_rate(f->crowd, a));
}

/* The facing of an agent that stands, or steps back, where the facing is not steered. */
static void hold_facing(const frame *f, crowd_agent *a, const throng_follow_pattern *r, vec facing) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  const crowd_pattern *p = pattern_of(f, a, r);
  static const throng_pattern_instruction none;
  const bool plays = a->pattern_instruction < (float)p->count, ended = stands_at_end(p, a->pattern_instruction);
  if (g->facing == THRONG_FACING_STEERED || (!plays && !ended)) return;
  const throng_pattern_instruction *i = plays ? &p->instruction[(int)a->pattern_instruction] : &none;
  if (!ended && !stands(i) && !(i->step < 0.0f)) return;
  const float yaw = frame_yaw(f, facing), left = ref_a_wrap(step_yaw(i, a->pattern_way, yaw) - yaw);
  const float turn = crowd_max_yaw_rate(f->crowd, a) * f->dt, most = turn < 4.0f ? turn : 4.0f;
  const float held = ref_a_wrap(yaw + ref_a_clamp(left, most));
  a->facing = f->spatial ? facing_of_yaw(held) : (vec){held, 0.0f, 0.0f};
}

void ref_a_go_on_way(const frame *f, crowd_agent *a, vec position, vec facing) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  for (uint32_t k = 0; k < g->behaviour_count; k++) {
    if (g->behaviour[k].kind != THRONG_BEHAVIOUR_FOLLOW_PATTERN || g->behaviour[k].weight == 0.0f) continue;
    hold_facing(f, a, &g->behaviour[k].follow_pattern, facing);
    const vec step = frame_difference(f, position, a->position);
    a->pattern_time = a->pattern_time + f->dt;
    a->pattern_way =
        vec_add(a->pattern_way, (vec){ref_a_wrap(frame_yaw(f, a->facing) - frame_yaw(f, facing)), step.x, step.z});
  }
}
