/* tests/reference/reference_a_turns.c: reference A's angular behaviours.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

static const vec zero = {0.0f, 0.0f, 0.0f};

/* The agent, one of its entries and the entry's target. */
typedef struct turner {
  const frame *f;
  const crowd_agent *a;
  const throng_group_def *g;
  const throng_behaviour *b;
  ref_mark target;
} turner;

bool ref_a_only_turns(throng_behaviour_kind kind) {
  return kind == THRONG_BEHAVIOUR_ALIGN || kind == THRONG_BEHAVIOUR_FACE || kind == THRONG_BEHAVIOUR_LOOK ||
         kind == THRONG_BEHAVIOUR_ROTATION_MATCH;
}
static bool also_turns(const throng_behaviour *b) {
  if (b->kind == THRONG_BEHAVIOUR_FOLLOW_PATTERN) return true;
  return b->kind == THRONG_BEHAVIOUR_KINEMATIC_WANDER || (b->kind == THRONG_BEHAVIOUR_WANDER && b->wander.faces);
}

/* The radii of align, face, look and wander. */
typedef struct radii {
  float slow, target, time;
} radii;
static radii radii_of(const throng_behaviour *b) {
  if (b->kind != THRONG_BEHAVIOUR_WANDER)
    return (radii){b->align.slow_radius, b->align.target_radius, b->align.time_to_target};
  return (radii){b->wander.slow_radius, b->wander.target_radius, b->wander.time_to_target};
}

/* The rate of a turn if `left` is left of it. */
static float rate_for(const turner *m, float left, const radii *r) {
  if (left <= r->target) return 0.0f;
  const float fastest = crowd_max_yaw_rate(m->f->crowd, m->a);
  return left < r->slow ? fastest * left / r->slow : fastest;
}

static float turn_within(const turner *m, const radii *r, float left) {
  const float speed = rate_for(m, fabsf(left), r), wanted = left < 0.0f ? -speed : speed;
  return ref_a_clamp((wanted - m->a->yaw_rate) * (1.0f / r->time), crowd_yaw_acceleration(m->f->crowd, m->a));
}
static float turn_by(const turner *m, float left) {
  const radii r = radii_of(m->b);
  return turn_within(m, &r, left);
}

static float way_to(const turner *m, vec v) {
  if (!(v.x * v.x + v.z * v.z > 0.0f)) return 0.0f;
  return ref_a_wrap(ref_a_atan2(v.x, v.z) - frame_yaw(m->f, m->a->facing));
}

/* The rates that kinematic wander draws: about the vertical, and in spatial worlds upward. */
static float drawn_rate(const turner *m, uint32_t n) {
  const uint64_t seed = m->f->crowd->def.seed, now = m->f->crowd->frame;
  const throng_kinematic_wander *w = &m->b->kinematic_wander;
  const float draw =
      w->uniform ? ref_a_draw(seed, m->a->id, now, 2 * n) * 2.0f - 1.0f : ref_a_binomial(seed, m->a->id, now, n);
  return draw * (w->turn * crowd_max_yaw_rate(m->f->crowd, m->a));
}

/* The direction that the entry wants, in spatial worlds. */
static vec direction(const turner *m) {
  vec next;
  if (m->b->kind == THRONG_BEHAVIOUR_LOOK) return m->a->velocity;
  if (m->b->kind == THRONG_BEHAVIOUR_WANDER) return ref_a_wander_point(m->f, m->a, &m->b->wander, &next);
  if (m->b->kind == THRONG_BEHAVIOUR_FACE) return m->target.d;
  const ref_angle o = ref_a_sincos(m->b->align.offset);
  const vec t = m->target.facing;
  return (vec){t.x * o.cos + t.z * o.sin, t.y, t.z * o.cos - t.x * o.sin};
}

static float yaw_turn(const turner *m) {
  const throng_behaviour *b = m->b;
  if (b->kind == THRONG_BEHAVIOUR_KINEMATIC_WANDER) {
    const float change = drawn_rate(m, 3) - m->a->yaw_rate;
    const float rate = frame_rate(m->f) / crowd_turn_share(m->f->crowd, m->a);
    return ref_a_clamp(change * rate, crowd_yaw_acceleration(m->f->crowd, m->a));
  }
  if (b->kind == THRONG_BEHAVIOUR_FOLLOW_PATTERN) return ref_a_pattern_turn(m->f, m->a, &b->follow_pattern);
  if (b->kind == THRONG_BEHAVIOUR_ROTATION_MATCH) {
    const float change = m->target.yaw_rate - m->a->yaw_rate;
    return ref_a_clamp(change * (1.0f / b->rotation_match.time_to_target), crowd_yaw_acceleration(m->f->crowd, m->a));
  }
  if (m->f->spatial || b->kind != THRONG_BEHAVIOUR_ALIGN) return turn_by(m, way_to(m, direction(m)));
  return turn_by(m, ref_a_wrap(ref_a_wrap(m->target.yaw + b->align.offset) - m->a->facing.x));
}

vec ref_a_swing_to(const frame *f, const crowd_agent *a, vec way, float slow, float target) {
  const turner m = {.f = f, .a = a, .g = crowd_group(f->crowd, a)};
  const radii r = {.slow = slow, .target = target};
  if (vec_inv_len(f, way) == 0.0f) return zero;
  const vec t = vec_dir(f, way);
  const float along = vec_dot(f, a->facing, t);
  vec aside = vec_sub(t, vec_scale(a->facing, along));
  const float q = vec_dot(f, aside, aside), left = ref_a_atan2(sqrtf(q), along);
  if (along < 0.0f && q < 1e-10f) aside = frame_right(f, a);
  const float wanted = rate_for(&m, left, &r), most = left * frame_rate(f);
  return vec_scale(aside, (wanted < most ? wanted : most) * vec_inv_len(f, aside));
}

static vec swing(const turner *m) {
  if (m->b->kind == THRONG_BEHAVIOUR_ROTATION_MATCH) return zero;
  if (m->b->kind == THRONG_BEHAVIOUR_FOLLOW_PATTERN) return ref_a_pattern_swing(m->f, m->a, &m->b->follow_pattern);
  if (m->b->kind != THRONG_BEHAVIOUR_KINEMATIC_WANDER) {
    const radii r = radii_of(m->b);
    return ref_a_swing_to(m->f, m->a, direction(m), r.slow, r.target);
  }
  const vec k = m->a->facing, r = frame_right(m->f, m->a);
  const vec up = {r.y * k.z - r.z * k.y, r.z * k.x - r.x * k.z, r.x * k.y - r.y * k.x};
  return vec_add(vec_scale(r, drawn_rate(m, 3)), vec_scale(up, drawn_rate(m, 4)));
}

/* How alignment turns, as an upright or planar facing (x) or as any other. */
static vec alignment_turn(const frame *f, const crowd_agent *a, bool by_yaw, vec facings) {
  const turner m = {.f = f, .a = a, .g = crowd_group(f->crowd, a)};
  const throng_alignment *r = &m.g->alignment;
  const radii turn = {r->turn_slow_radius, r->turn_target_radius, r->time_to_target};
  if (!r->turns || r->weight == 0.0f || !(vec_dot(f, facings, facings) > 0.0f)) return zero;
  const float weight = crowd_weight(f->crowd, a, THRONG_OWN_WEIGHT_ALIGNMENT, 0, r->weight);
  if (!by_yaw) return vec_scale(ref_a_swing_to(f, a, facings, turn.slow, turn.target), weight);
  return (vec){turn_within(&m, &turn, way_to(&m, facings)) * weight, 0.0f, 0.0f};
}

void ref_a_steer_turn(const frame *f, crowd_agent *a, vec facings) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  const bool by_yaw = !f->spatial || g->upright;
  const vec together = g->facing == THRONG_FACING_STEERED ? alignment_turn(f, a, by_yaw, facings) : zero;
  float yaw = by_yaw ? 0.0f + together.x : 0.0f;
  vec free_turn = by_yaw ? zero : vec_add(zero, together);
  for (uint32_t k = 0; k < g->behaviour_count && g->facing == THRONG_FACING_STEERED; k++) {
    turner m = {.f = f, .a = a, .g = g, .b = &g->behaviour[k]};
    if (m.b->weight == 0.0f || (!ref_a_only_turns(m.b->kind) && !also_turns(m.b))) continue;
    const bool aims = m.b->kind == THRONG_BEHAVIOUR_ALIGN || m.b->kind == THRONG_BEHAVIOUR_FACE ||
                      m.b->kind == THRONG_BEHAVIOUR_ROTATION_MATCH;
    if (aims) m.target = ref_a_look_at(f, a, &m.b->target);
    if (aims && !m.target.exists) continue;
    const float weight = crowd_weight(f->crowd, a, THRONG_OWN_WEIGHT_BEHAVIOUR, k, m.b->weight);
    if (by_yaw) yaw = yaw + yaw_turn(&m) * weight;
    if (!by_yaw) free_turn = vec_add(free_turn, vec_scale(swing(&m), weight));
  }
  a->yaw_acceleration = ref_a_clamp(yaw, crowd_yaw_acceleration(f->crowd, a)) * crowd_turn_share(f->crowd, a);
  a->swing = vec_clip(f, free_turn, crowd_max_yaw_rate(f->crowd, a));
}
