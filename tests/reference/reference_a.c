/* tests/reference/reference_a.c: reference A's frame: steering, then integration.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a.h"
#include "reference/reference_a_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static frame frame_of(const crowd *c, float dt) {
  frame f = {.crowd = c, .spatial = crowd_is_spatial(c), .dt = dt};
  for (int axis = 0; axis < 3; axis++) f.axis[axis] = ref_a_axis(&c->def, axis);
  return f;
}

void ref_a_steer(crowd *c, float dt, throng_vec3 *next_wander) {
  ref_a_enter_zones(c);
  frame f = frame_of(c, dt);
  void *scratch = malloc(ref_a_scratch_size(c));
  float *weight = malloc(((size_t)c->count + 1) * sizeof *weight);
  if (scratch == NULL || weight == NULL) abort();
  ref_a_weights(&f, 1, weight);
  f.weight = weight;
  for (uint32_t i = 0; i < c->count; i++) {
    memory next;
    c->agents[i].acceleration = ref_a_steer_agent(&f, i, &next, scratch);
    ref_a_steer_turn(&f, &c->agents[i], next.facings);
    ref_a_propel(&f, &c->agents[i]);
    c->agents[i].next_kept = next.kept;
    c->agents[i].next_path_parameter = next.path_parameter;
    c->agents[i].next_pattern_instruction = next.pattern_instruction;
    c->agents[i].next_pattern_way = next.pattern_way;
    c->agents[i].next_pattern_time = next.pattern_time;
    if (next_wander != NULL) next_wander[i] = next.wander;
  }
  free(weight);
  free(scratch);
}

void ref_a_contain(const ref_axis *axis, float *position, float *velocity) {
  if (!axis->boxed) return;
  const float low = nextafterf(axis->min, INFINITY), high = nextafterf(axis->max, -INFINITY);
  if (*position < low) {
    *position = low;
    *velocity = *velocity > 0.0f ? *velocity : 0.0f;
  }
  if (*position > high) {
    *position = high;
    *velocity = *velocity < 0.0f ? *velocity : 0.0f;
  }
}

void ref_a_wrap_round(const ref_axis *axis, float *position) {
  if (axis->periodic && (*position < axis->min || *position >= axis->max)) {
    float t = *position - axis->min;
    t = t - axis->length * ref_a_floor(t / axis->length);
    if (t < 0.0f) t = t + axis->length;
    if (t >= axis->length) t = 0.0f;
    *position = axis->min + t;
    if (*position >= axis->max) *position = axis->min;
  }
}

static void follow_motion(const frame *f, crowd_agent *a, const throng_group_def *g) {
  vec v = a->velocity;
  if (g->upright) v.y = 0.0f;
  const float q = vec_dot(f, v, v), least = f->spatial ? 0x1p-120f : 0.0f;
  const float top = crowd_max_speed(f->crowd, a);
  const float automatic = isinf(top) ? 0.0f : 0.01f * top;
  const float slowest = g->facing_speed < 0.0f ? automatic : g->facing_speed;
  if (g->facing == THRONG_FACING_FIXED || !(q > least) || !(q >= slowest * slowest)) return;
  const float k = g->facing == THRONG_FACING_SMOOTH ? ref_a_smooth_factor(f->dt, g->facing_time) : 1.0f;
  const bool smooth = k < 1.0f; /* if k is 1 the agent faces its target at once */
  if (k == 0.0f) return;
  const bool backward = g->actuation == THRONG_ACTUATION_VEHICLE && vec_dot(f, v, frame_facing(f, a)) < 0.0f;
  if (backward) v = vec_scale(v, -1.0f);
  if (!f->spatial) {
    const float target = ref_a_atan2(v.x, v.z), yaw = a->facing.x;
    a->facing.x = smooth ? ref_a_wrap(yaw + k * ref_a_wrap(target - yaw)) : target;
    return;
  }
  vec target = vec_dir(f, v);
  if (smooth) {
    const float s = vec_dot(f, a->facing, target);
    vec across = vec_sub(target, vec_scale(a->facing, s));
    const float aside = vec_dot(f, across, across);
    const ref_angle by = ref_a_sincos(ref_a_atan2(sqrtf(aside), s) * k);
    if (s < 0.0f && aside < 1e-10f) across = frame_right(f, a);
    const vec part = vec_scale(across, by.sin * vec_inv_len(f, across));
    target = vec_dir(f, vec_add(vec_scale(a->facing, by.cos), part));
  }
  a->facing = target;
}

static void turn(const frame *f, crowd_agent *a, const throng_group_def *g) {
  const float yaw = frame_yaw(f, a->facing);
  if (g->upright && f->spatial && a->facing.y != 0.0f) a->facing = frame_level(f, a->facing);
  const vec before = a->facing;
  if (g->facing == THRONG_FACING_STEERED) {
    ref_a_spin(f, a, yaw);
    return;
  }
  follow_motion(f, a, g);
  if (!isinf(crowd_max_yaw_rate(f->crowd, a))) ref_a_limit_turn(f, a, before);
}

static void move(const frame *f, crowd_agent *a) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  const vec v = a->velocity, accel = a->acceleration, p = a->position;
  const float dt = f->dt, damp = 1.0f / (1.0f + g->drag * dt);
  vec v1 = vec_scale(vec_add(v, vec_scale(accel, dt)), damp);
  const float top = crowd_max_speed(f->crowd, a);
  if (!isinf(top)) {
    v1 = vec_clip(f, v1, top);
    const float least = 1e-6f * top, now = vec_dot(f, v1, v1);
    const bool rests = ref_a_has_bound_entry(g) || ref_a_is_idle(g);
    if (rests && now < least * least && now <= vec_dot(f, v, v)) v1 = (vec){0.0f, 0.0f, 0.0f};
  }
  const vec wanted = vec_sub(vec_add(p, vec_scale(v1, dt)), p);
  a->wanted_way = isnan(a->wished_way) ? sqrtf(vec_dot(f, wanted, wanted)) : a->wished_way;
  vec p1 = p;
  switch (f->crowd->def.update) {
  case THRONG_UPDATE_SEMI_IMPLICIT:
    p1 = vec_add(p, vec_scale(v1, dt));
    break;
  case THRONG_UPDATE_EXPLICIT:
    p1 = vec_add(p, vec_scale(v, dt));
    break;
  case THRONG_UPDATE_BALLISTIC:
    p1 = vec_add(p, vec_add(vec_scale(v, dt), vec_scale(accel, 0.5f * dt * dt)));
    break;
  }
  if (!f->spatial) {
    p1.y = p.y; /* planar motion does not change y */
    v1.y = v.y;
  }
  ref_a_contain(&f->axis[0], &p1.x, &v1.x);
  ref_a_contain(&f->axis[1], &p1.y, &v1.y);
  ref_a_contain(&f->axis[2], &p1.z, &v1.z);
  a->position = p1;
  a->velocity = v1;
}

static void settle(const frame *f, crowd_agent *a) {
  ref_a_wrap_round(&f->axis[0], &a->position.x);
  ref_a_wrap_round(&f->axis[1], &a->position.y);
  ref_a_wrap_round(&f->axis[2], &a->position.z);
  turn(f, a, crowd_group(f->crowd, a));
}

void ref_a_integrate(crowd *c, float dt, const throng_vec3 *next_wander) {
  ref_a_enter_zones(c);
  if (dt == 0.0f) {
    c->frame++;
    return;
  }
  frame f = frame_of(c, dt);
  vec *committed = malloc(((size_t)c->count + 1) * sizeof *committed);
  float *weight = malloc(((size_t)c->count + 1) * sizeof *weight);
  if (committed == NULL || weight == NULL) abort();
  if (ref_a_has_contact(&f)) ref_a_weights(&f, 8, weight);
  f.weight = weight;
  for (uint32_t i = 0; i < c->count; i++) {
    committed[i] = c->agents[i].position;
    c->agents[i].wander = next_wander[i];
    c->agents[i].kept = c->agents[i].next_kept;
    c->agents[i].path_parameter = c->agents[i].next_path_parameter;
    c->agents[i].pattern_instruction = c->agents[i].next_pattern_instruction;
    c->agents[i].pattern_way = c->agents[i].next_pattern_way;
    c->agents[i].pattern_time = c->agents[i].next_pattern_time;
    move(&f, &c->agents[i]);
  }
  if (ref_a_has_contact(&f)) ref_a_contact(&f, c, committed);
  for (uint32_t i = 0; i < c->count; i++) {
    const vec facing = c->agents[i].facing;
    settle(&f, &c->agents[i]);
    ref_a_go_on_way(&f, &c->agents[i], committed[i], facing);
  }
  free(committed);
  free(weight);
  c->frame++;
}

void ref_a_step(crowd *c, float dt) {
  throng_vec3 *next = malloc(((size_t)c->count + 1) * sizeof *next);
  if (next == NULL) abort();
  ref_a_steer(c, dt, next);
  ref_a_integrate(c, dt, next);
  free(next);
}
