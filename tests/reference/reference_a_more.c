/* tests/reference/reference_a_more.c: reference A's less common rules over neighbours: attraction, avoidance by cone,
 * queues, paces, and the lateral forms (docs/ARITHMETIC.md, "Other forms of the rules").
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

#include <float.h>

/* The agent that is steered, and its neighbours in canonical order. */
typedef struct asker {
  const frame *f;
  const crowd_agent *me;
  const throng_group_def *g;
  vec facing;
  const neighbour *found;
  uint32_t count;
} asker;

static const crowd_agent *agent_of(const asker *q, const neighbour *n) { return &q->f->crowd->agents[n->place.agent]; }

static bool considers(const asker *q, uint32_t mask, const neighbour *n) {
  return mask & 1u << crowd_group(q->f->crowd, agent_of(q, n))->layer;
}

static bool sees(const asker *q, uint32_t mask, const neighbour *n) {
  return considers(q, mask, n) && ref_a_in_view(q->f, q->g->field_of_view, q->facing, n);
}

static vec attraction(const asker *q) {
  const throng_attraction *r = &q->g->attraction;
  const float perception = crowd_perception(q->f->crowd, q->me), most = crowd_acceleration(q->f->crowd, q->me);
  const float own = crowd_own_metres(q->f->crowd, q->me, r->radius);
  const float radius = r->radius > 0.0f && own < perception ? own : perception;
  vec sum = {0.0f, 0.0f, 0.0f};
  for (uint32_t k = 0; k < q->count; k++) {
    const neighbour *n = &q->found[k];
    if (n->coincident || !(n->d2 <= radius * radius) || !sees(q, r->mask, n)) continue;
    const float h = 1.0f / sqrtf(n->d2), pull = r->strength * (h * h);
    const vec a = vec_scale(n->d, (pull < most ? pull : most) * h);
    sum = vec_add(sum, vec_scale(a, q->f->weight[n->place.agent]));
  }
  return vec_clip(q->f, sum, most);
}

static bool in_cone(const asker *q, vec heading, const neighbour *n) {
  const float cone = q->g->avoidance.cone;
  if (n->coincident || cone >= TWO_PI) return true;
  const float c = ref_a_sincos(cone * 0.5f).cos, x = vec_dot(q->f, n->d, heading);
  return x * fabsf(x) > (c * fabsf(c)) * n->d2;
}

static vec avoid_cone(const asker *q) {
  const frame *f = q->f;
  const bool nearest_only = q->g->avoidance.form == THRONG_AVOIDANCE_CONE_NEAREST;
  const vec v = q->me->velocity, heading = vec_dot(f, v, v) > 0.0f ? vec_dir(f, v) : q->facing;
  vec sum = {0.0f, 0.0f, 0.0f}, velocity = sum;
  float n = 0.0f, nearest = INFINITY;
  for (uint32_t k = 0; k < q->count; k++) {
    const neighbour *other = &q->found[k];
    const vec u = agent_of(q, other)->velocity;
    const float weight = f->weight[other->place.agent];
    if (!sees(q, q->g->avoidance.mask, other) || !in_cone(q, heading, other)) continue;
    if (!nearest_only) {
      n += weight;
      sum = vec_add(sum, vec_scale(other->d, weight));
      velocity = vec_add(velocity, vec_scale(u, weight));
    } else if (other->d2 < nearest) {
      n = 1.0f;
      sum = other->d;
      velocity = u;
      nearest = other->d2;
    }
  }
  if (!(n > 0.0f)) return (vec){0.0f, 0.0f, 0.0f};
  const vec d = vec_scale(sum, 1.0f / n), w = vec_scale(velocity, 1.0f / n);
  const float reach = sqrtf(vec_dot(f, d, d)) / crowd_max_speed(f->crowd, q->me), horizon = q->g->avoidance.horizon;
  const vec away = vec_scale(vec_add(d, vec_scale(w, reach < horizon ? reach : horizon)), -1.0f);
  return vec_scale(away, crowd_acceleration(q->f->crowd, q->me) * vec_inv_len(f, away));
}

static vec lateral(const asker *q, vec sum) {
  const float along = vec_dot(q->f, q->facing, sum);
  const vec aside = vec_sub(sum, vec_scale(q->facing, along));
  const float off = sqrtf(vec_dot(q->f, aside, aside));
  vec side = vec_dir(q->f, aside);
  if (off == 0.0f && along < 0.0f) side = vec_scale(frame_right(q->f, q->me), q->me->id.index % 2 == 1 ? 1.0f : -1.0f);
  return vec_scale(side, crowd_acceleration(q->f->crowd, q->me) * (ref_a_atan2(off, along) * 0.318309886183791f));
}

/* Finds the nearest agent ahead on the queue line. Returns the maximum acceleration along the line that keeps the gap
 * to that agent; INFINITY if no agent is ahead. */
static float queue(const asker *q, vec lane, bool has_goal, vec goal) {
  const frame *f = q->f;
  const throng_queue *r = &q->g->queue;
  float first = INFINITY, most = INFINITY;
  for (uint32_t k = 0; k < q->count; k++) {
    const neighbour *n = &q->found[k];
    const crowd_agent *other = agent_of(q, n);
    if (n->coincident || !considers(q, r->mask, n)) continue;
    const float ahead = vec_dot(f, n->d, lane), pace = vec_dot(f, other->velocity, lane);
    const vec aside = vec_sub(n->d, vec_scale(lane, ahead)), left = frame_difference(f, other->position, q->me->goal);
    if (!(ahead > 0.0f && ahead < first && pace >= -r->oncoming)) continue;
    if (!(vec_dot(f, aside, aside) <= r->width * r->width)) continue;
    if (has_goal && !(vec_dot(f, left, left) < vec_dot(f, goal, goal))) continue;
    first = ahead;
    const float room = ahead - (crowd_body(f->crowd, q->me) + crowd_body(f->crowd, other)) - r->gap;
    const float rate = 1.0f / r->time_to_target, allowed = pace + room * rate;
    const float grip = 4.0f / r->time_to_target, most_grip = grip * f->dt > 1.0f ? 1.0f / f->dt : grip;
    most = ((allowed > 0.0f ? allowed : 0.0f) - vec_dot(f, q->me->velocity, lane)) * most_grip;
  }
  return most;
}

/* Sums the agents ahead on the queue line. */
static float sum_ahead(const asker *q, vec lane) {
  const frame *f = q->f;
  const throng_pace *r = &q->g->pace;
  const float perception = crowd_perception(f->crowd, q->me), perception_sq = perception * perception;
  const float pace_sq = r->radius * r->radius, radius_sq = pace_sq < perception_sq ? pace_sq : perception_sq;
  float sum = 0.0f;
  for (uint32_t k = 0; k < q->count; k++) {
    const neighbour *n = &q->found[k];
    const crowd_agent *other = agent_of(q, n);
    if (n->coincident || !considers(q, r->mask, n) || !(n->d2 < radius_sq)) continue;
    if (!(vec_dot(f, n->d, lane) > 0.0f)) continue;
    const bool comes = !(vec_dot(f, other->velocity, lane) > -r->oncoming);
    sum += (radius_sq - n->d2) * (comes ? r->oncoming_weight : 1.0f) * f->weight[n->place.agent];
  }
  return sum;
}

/* The maximum acceleration along the queue line that keeps the time gap to the agent ahead; INFINITY without one. */
static float keep_gap(const asker *q, vec lane) {
  const frame *f = q->f;
  const throng_pace *r = &q->g->pace;
  if (!r->on || !(r->time_gap > 0.0f)) return INFINITY;
  float lowest = INFINITY;
  for (uint32_t k = 0; k < q->count; k++) {
    const neighbour *n = &q->found[k];
    const crowd_agent *other = agent_of(q, n);
    if (n->coincident || !considers(q, r->mask, n)) continue;
    const float ahead = vec_dot(f, n->d, lane), aside_sq = n->d2 - ahead * ahead;
    const float room = crowd_body(f->crowd, q->me) + crowd_body(f->crowd, other) + r->gap;
    const vec course = ref_a_course(f, other);
    if (!(ahead > 0.0f && ahead + vec_dot(f, n->d, course) > 0.0f)) continue;
    if (!(aside_sq < room * room && vec_dot(f, course, lane) > r->alike)) continue;
    const float u = vec_dot(f, other->velocity, lane), way = (ahead - room) + aside_sq * (1.0f / room);
    const float speed = (u > 0.0f ? u : 0.0f) + way * (1.0f / r->time_gap);
    if (speed < lowest) lowest = speed;
  }
  if (lowest == INFINITY) return INFINITY;
  const float least = r->push * crowd_max_speed(f->crowd, q->me), wanted = lowest > least ? lowest : least;
  const float grip = 4.0f / r->time_to_target, most_grip = grip * f->dt > 1.0f ? 1.0f / f->dt : grip;
  return (wanted - vec_dot(f, q->me->velocity, lane)) * most_grip;
}

void ref_a_more_rules(const frame *f, const crowd_agent *me, const neighbour *found, uint32_t count, const sums *s,
                      rule_accelerations *rules) {
  const throng_group_def *g = crowd_group(f->crowd, me);
  const asker q = {f, me, g, frame_facing(f, me), found, count};
  rules->attraction = attraction(&q);
  if (g->avoidance.form != THRONG_AVOIDANCE_PREDICT) rules->avoidance = avoid_cone(&q);
  if (g->cohesion.form == THRONG_COHESION_LATERAL) rules->cohesion = lateral(&q, s->cohesion);
  if (g->alignment.form == THRONG_ALIGNMENT_LATERAL) rules->alignment = lateral(&q, s->velocity);
  const bool has_goal = me->goal.x == me->goal.x;
  const vec goal = has_goal ? frame_difference(f, me->position, me->goal) : q.facing;
  rules->lane = has_goal ? vec_dir(f, goal) : q.facing;
  rules->most = g->queue.width > 0.0f ? queue(&q, rules->lane, has_goal, goal) : INFINITY;
  const float most = keep_gap(&q, rules->lane);
  if (most < rules->most) rules->most = most;
  rules->ahead = g->pace.on ? sum_ahead(&q, rules->lane) : 0.0f;
}

vec ref_a_wait(const frame *f, const crowd_agent *me, const rule_accelerations *near, vec wanted) {
  const float along = vec_dot(f, wanted, near->lane);
  if (!(along > near->most)) return wanted;
  const vec cut = vec_sub(wanted, vec_scale(near->lane, along - near->most));
  return vec_clip(f, cut, crowd_force_limit(f->crowd, me));
}

static float pace_factor(const throng_pace *r, float density) {
  float factor = r->factor[0];
  for (uint32_t k = 0; k < r->points; k++) {
    float slope = 0.0f;
    if (k + 1 < r->points) slope = (r->factor[k + 1] - r->factor[k]) / (r->density[k + 1] - r->density[k]);
    slope = slope > FLT_MAX ? FLT_MAX : slope < -FLT_MAX ? -FLT_MAX : slope;
    if (density >= r->density[k]) factor = r->factor[k] + (density - r->density[k]) * slope;
  }
  return factor;
}

vec ref_a_keep_pace(const frame *f, const crowd_agent *me, const rule_accelerations *near, vec wanted) {
  const throng_pace *r = &crowd_group(f->crowd, me)->pace;
  if (!r->on) return wanted;
  const float radius_sq = r->radius * r->radius, people = r->self + near->ahead * (1.0f / radius_sq);
  const float density = people * (4.0f / (3.14159265358979f * radius_sq));
  const float top = crowd_max_speed(f->crowd, me) * pace_factor(r, density);
  const vec v = me->velocity, way = vec_dot(f, v, v) > 0x1p-120f ? vec_dir(f, v) : vec_dir(f, wanted);
  const float grip = 4.0f / r->time_to_target, most_grip = grip * f->dt > 1.0f ? 1.0f / f->dt : grip;
  const float most = (top - sqrtf(vec_dot(f, v, v))) * most_grip, along = vec_dot(f, wanted, way);
  if (!(along > most)) return wanted;
  return vec_clip(f, vec_sub(wanted, vec_scale(way, along - most)), crowd_force_limit(f->crowd, me));
}
