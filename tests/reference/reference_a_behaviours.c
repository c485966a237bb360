/* tests/reference/reference_a_behaviours.c: reference A's lists of behaviours, and how they become one acceleration.
 * SPDX-License-Identifier: MIT */
#include "reference_a_internal.h"

static const vec zero = {0.0f, 0.0f, 0.0f};

/* Who steers, and where to. */
typedef struct aim {
  const frame *f;
  const crowd_agent *a;
  const throng_group_def *g;
  const throng_behaviour *b;
  bool exists;
  vec dp;
} aim;

static vec toward(const aim *m, vec wanted, float time) {
  return vec_clip(m->f, vec_scale(vec_sub(wanted, m->a->velocity), 1.0f / time), m->g->max_acceleration);
}

static vec seek_along(const aim *m, vec dp, float time) {
  const float inv_len = vec_inv_len(m->f, dp);
  if (time == 0.0f) return vec_scale(dp, m->g->max_acceleration * inv_len);
  return toward(m, vec_scale(dp, m->g->max_speed * inv_len), time);
}

static vec arrive_along(const aim *m, vec dp, float slow_radius, float target_radius, float time) {
  const float dist = sqrtf(vec_dot(m->f, dp, dp));
  float speed = m->g->max_speed;
  if (dist < slow_radius) speed = m->g->max_speed * dist / slow_radius;
  if (dist <= target_radius) speed = 0.0f;
  return toward(m, vec_scale(dp, speed * vec_inv_len(m->f, dp)), time);
}

static vec seek(const aim *m) { return seek_along(m, m->dp, m->b->seek.time_to_target); }

static vec arrive(const aim *m) {
  const throng_arrive *r = &m->b->arrive;
  return arrive_along(m, m->dp, r->slow_radius, r->target_radius, r->time_to_target);
}

/* Walks the agent's wander memory and gives the acceleration toward it. */
static vec wander(const aim *m, vec *next) {
  const frame *f = m->f;
  const crowd_agent *a = m->a;
  const throng_wander *w = &m->b->wander;
  const uint64_t seed = f->crowd->def.seed, now = f->crowd->frame;
  const float step = w->rate * sqrtf(f->dt);
  vec point;
  if (f->spatial) {
    const vec walk = {ref_a_binomial(seed, a->id, now, 0), ref_a_binomial(seed, a->id, now, 1),
                      ref_a_binomial(seed, a->id, now, 2)};
    const vec n = vec_add(a->wander, vec_scale(walk, step));
    const bool lost = n.x == 0.0f && n.y == 0.0f && n.z == 0.0f;
    *next = lost ? a->wander : vec_dir(f, n);
    point = vec_add(vec_scale(a->facing, w->offset), vec_scale(*next, w->radius));
  } else {
    next->x = ref_a_wrap(a->wander.x + ref_a_binomial(seed, a->id, now, 0) * step);
    const vec on_circle = facing_of_yaw(ref_a_wrap(a->facing.x + next->x));
    point = vec_add(vec_scale(facing_of_yaw(a->facing.x), w->offset), vec_scale(on_circle, w->radius));
  }
  return vec_scale(point, m->g->max_acceleration * vec_inv_len(f, point));
}

static const crowd_agent *agent_with(const crowd *c, throng_agent_id id) {
  for (uint32_t i = 0; i < c->count; i++) {
    if (memcmp(&c->agents[i].id, &id, sizeof id) == 0) return &c->agents[i];
  }
  return NULL;
}

static void aim_at(aim *m) {
  const throng_target *target = &m->b->target;
  const crowd_agent *agent = NULL;
  vec q = m->a->goal;
  if (target->kind == THRONG_TARGET_POINT) q = target->point;
  if (target->kind == THRONG_TARGET_AGENT) {
    agent = agent_with(m->f->crowd, target->agent);
    q = agent ? agent->position : (vec){NAN, NAN, NAN};
  }
  m->exists = q.x == q.x;
  m->dp = m->exists ? frame_difference(m->f, m->a->position, q) : zero;
}

static vec behave(const aim *m, vec *next_wander) {
  if (m->b->kind == THRONG_BEHAVIOUR_WANDER) return wander(m, next_wander);
  if (!m->exists) return zero;
  switch (m->b->kind) {
  case THRONG_BEHAVIOUR_SEEK:
    return seek(m);
  case THRONG_BEHAVIOUR_ARRIVE:
    return arrive(m);
  default:
    abort();
  }
}

/* The angular ones. */

static bool is_angular(throng_behaviour_kind kind) {
  return kind == THRONG_BEHAVIOUR_ALIGN || kind == THRONG_BEHAVIOUR_FACE || kind == THRONG_BEHAVIOUR_LOOK;
}

static float turn_by(const aim *m, float left, float slow_radius, float target_radius, float time) {
  const throng_group_def *g = m->g;
  float speed = g->max_yaw_rate;
  if (fabsf(left) < slow_radius) speed = g->max_yaw_rate * fabsf(left) / slow_radius;
  if (fabsf(left) <= target_radius) speed = 0.0f;
  const float wanted = left < 0.0f ? -speed : speed;
  return ref_a_clamp((wanted - m->a->yaw_rate) * (1.0f / time), g->max_yaw_acceleration);
}

static float way_to(const aim *m, vec v) {
  return vec_dot(m->f, v, v) > 0.0f ? ref_a_wrap(ref_a_atan2(v.x, v.z) - m->a->facing.x) : 0.0f;
}

static float turn_of(const aim *m) {
  const throng_behaviour *b = m->b;
  if (b->kind == THRONG_BEHAVIOUR_LOOK)
    return turn_by(m, way_to(m, m->a->velocity), b->look.slow_radius, b->look.target_radius, b->look.time_to_target);
  if (!m->exists) return 0.0f;
  if (b->kind == THRONG_BEHAVIOUR_FACE)
    return turn_by(m, way_to(m, m->dp), b->face.slow_radius, b->face.target_radius, b->face.time_to_target);
  const crowd_agent *other = b->target.kind == THRONG_TARGET_AGENT ? agent_with(m->f->crowd, b->target.agent) : NULL;
  const float wanted = ref_a_wrap((other ? other->facing.x : 0.0f) + b->align.offset);
  return turn_by(m, ref_a_wrap(wanted - m->a->facing.x), b->align.slow_radius, b->align.target_radius,
                 b->align.time_to_target);
}

float ref_a_steer_yaw(const frame *f, uint32_t i) {
  const crowd_agent *a = &f->crowd->agents[i];
  const throng_group_def *g = crowd_group(f->crowd, a);
  float sum = 0.0f;
  if (g->facing != THRONG_FACING_STEERED) return sum;
  for (uint32_t k = 0; k < g->behaviour_count; k++) {
    aim m = {.f = f, .a = a, .g = g, .b = &g->behaviour[k]};
    if (m.b->weight == 0.0f || !is_angular(m.b->kind)) continue;
    aim_at(&m);
    sum = sum + turn_of(&m) * m.b->weight;
  }
  return ref_a_clamp(sum, g->max_yaw_acceleration);
}

/* All that an agent wants, in the order of addition. */
typedef struct wishes {
  int count;
  struct {
    float weight;
    uint32_t priority;
    vec acceleration;
  } wish[4 + THRONG_MAX_BEHAVIOURS];
} wishes;

static void wish(wishes *w, float weight, uint32_t priority, vec acceleration) {
  if (weight == 0.0f) return;
  w->wish[w->count].weight = weight;
  w->wish[w->count].priority = priority;
  w->wish[w->count++].acceleration = acceleration;
}

static vec sum_of(const wishes *w, uint32_t level, bool all, bool *there) {
  vec sum = zero;
  *there = false;
  for (int k = 0; k < w->count; k++) {
    if (!all && w->wish[k].priority != level) continue;
    sum = vec_add(sum, vec_scale(w->wish[k].acceleration, w->wish[k].weight));
    *there = true;
  }
  return sum;
}

static vec combine(const frame *f, const crowd_agent *a, const throng_group_def *g, const wishes *w) {
  const float limit = g->max_acceleration, threshold = g->combine_threshold;
  bool there;
  vec result = zero;
  float left = limit;
  if (g->combine == THRONG_COMBINE_WEIGHTED) return vec_clip(f, sum_of(w, 0, true, &there), limit);
  for (uint32_t level = 0; level < THRONG_PRIORITIES; level++) {
    const vec sum = sum_of(w, level, false, &there);
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

vec ref_a_steer_agent(const frame *f, uint32_t i, vec *next_wander, void *scratch) {
  const crowd_agent *a = &f->crowd->agents[i];
  const throng_group_def *g = crowd_group(f->crowd, a);
  const rule_accelerations near = ref_a_neighbour_rules(f, i, scratch);
  wishes w = {0};
  wish(&w, g->separation.weight, g->separation.priority, near.separation);
  wish(&w, g->cohesion.weight, g->cohesion.priority, near.cohesion);
  wish(&w, g->alignment.weight, g->alignment.priority, near.alignment);
  wish(&w, g->avoidance.weight, g->avoidance.priority, near.avoidance);
  *next_wander = a->wander;
  for (uint32_t k = 0; k < g->behaviour_count; k++) {
    aim m = {.f = f, .a = a, .g = g, .b = &g->behaviour[k]};
    if (m.b->weight == 0.0f || is_angular(m.b->kind)) continue;
    aim_at(&m);
    wish(&w, m.b->weight, m.b->priority, behave(&m, next_wander));
  }
  return ref_a_drive(f, a, combine(f, a, g, &w));
}
