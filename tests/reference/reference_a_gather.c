/* tests/reference/reference_a_gather.c: arrive with gather or settle, without doors. SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

static bool share(const frame *f, const crowd_agent *a, const crowd_agent *other, const throng_behaviour *b, vec dp) {
  if (b->target.kind == THRONG_TARGET_OWN)
    return a->group == other->group && throng_agent_id_equal(a->target, other->target);
  if (b->target.kind != THRONG_TARGET_GOAL) return a->group == other->group;
  vec apart = frame_difference(f, a->goal, other->goal);
  float most = b->arrive.target_radius * b->arrive.target_radius;
  if (b->arrive.settle) {
    const float room = crowd_body(f->crowd, a) + crowd_body(f->crowd, other);
    if (room * room > most) most = room * room;
    if (isnan(other->goal.x)) apart = vec_sub(dp, frame_difference(f, a->position, other->position));
  }
  return vec_dot(f, apart, apart) <= most;
}

static int by_place(const void *left, const void *right) { return ref_a_compare_places(left, right); }

/* What an agent finds around it. */
typedef struct found {
  float filled, closing;
  vec away;
} found;

static void look(const frame *f, const crowd_agent *a, uint32_t j, vec dp, found *s) {
  const crowd_agent *other = &f->crowd->agents[j];
  const float rest = 0.1f * crowd_max_speed(f->crowd, a), body = crowd_body(f->crowd, other);
  const vec d = frame_difference(f, a->position, other->position), left = vec_sub(dp, d), v = other->velocity;
  if (vec_dot(f, left, left) < vec_dot(f, dp, dp) && vec_dot(f, v, v) <= rest * rest)
    s->filled = s->filled + (f->spatial ? (body * body) * body : body * body) * f->weight[j];
  const float near = 2.0f * (crowd_body(f->crowd, a) + body);
  if (!(vec_dot(f, d, d) <= near * near)) return;
  const vec away = vec_scale(d, -vec_inv_len(f, d));
  const float closing = vec_dot(f, v, away);
  if (!(closing > s->closing)) return;
  s->closing = closing;
  s->away = away;
}

static bool is_full(const frame *f, float filled, float distance, float b, float r, float enough) {
  const float edge = distance - b > 0.0f ? distance - b : 0.0f, part = r / distance;
  float all, seen;
  if (f->spatial) {
    all = (edge * edge) * edge;
    seen = ((0.5f * r) * r) * r * (1.0f - 0.375f * part);
    seen = seen - (((0.75f * r) * (b * r) - (1.5f * r) * (b * b)) + (b * b) * b);
  } else {
    all = edge * edge;
    seen = ((0.5f * r) * r) * (1.0f - 0.25f * part) - b * (r - b);
  }
  const float loose = enough * (f->spatial ? 0.2f : 0.3f), tight = enough * (f->spatial ? 0.5f : 0.75f);
  return filled > 0.0f && (filled >= loose * all || (0.5f * r < distance && filled >= tight * seen));
}

bool ref_a_gather(const frame *f, const crowd_agent *a, const throng_behaviour *b, vec dp, vec *answer) {
  const crowd *c = f->crowd;
  const float reach = crowd_perception(c, a), distance = sqrtf(vec_dot(f, dp, dp));
  const float slow = 0.25f * crowd_max_speed(c, a);
  const bool settles = b->arrive.settle, is_slow = vec_dot(f, a->velocity, a->velocity) <= slow * slow;
  if (settles ? !is_slow && vec_dot(f, dp, dp) > reach * reach : !b->arrive.gather) return false;
  canonical_place *place = malloc(((size_t)c->count + 1) * sizeof *place);
  uint32_t count = 0;
  if (place == NULL) abort();
  for (uint32_t j = 0; j < c->count; j++) {
    const crowd_agent *other = &c->agents[j];
    const vec d = frame_difference(f, a->position, other->position);
    if (other == a || f->weight[j] == 0.0f || !(vec_dot(f, d, d) <= reach * reach) || !share(f, a, other, b, dp))
      continue;
    place[count++] = ref_a_place(f, a->position, other->position, j);
  }
  qsort(place, count, sizeof *place, by_place);
  found s = {0.0f, 0.0f, {0.0f, 0.0f, 0.0f}};
  for (uint32_t k = 0; k < count; k++) look(f, a, place[k].agent, dp, &s);
  free(place);
  const bool near = distance <= b->arrive.target_radius;
  if (near && b->arrive.coast) return false;
  const float enough = settles && is_slow ? 0.6667f : 1.0f;
  if (!near && !is_full(f, s.filled, distance, crowd_body(c, a), reach, enough)) return false;
  const float rate = f->dt > 0.0f ? (1.0f / f->dt < 1e6f ? 1.0f / f->dt : 1e6f) : 0.0f;
  const bool aside = !settles && s.closing > 0.02f * crowd_max_speed(f->crowd, a);
  const vec wanted = aside ? vec_scale(s.away, s.closing) : (vec){0.0f, 0.0f, 0.0f};
  const float now = rate / crowd_share(c, a), soon = 1.0f / b->arrive.time_to_target;
  const vec change = vec_scale(vec_sub(wanted, a->velocity), aside ? now : soon);
  *answer = vec_clip(f, change, crowd_acceleration(c, a));
  return true;
}
