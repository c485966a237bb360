/* tests/reference/reference_a_contact.c: reference A's contact. It tests every pair in every iteration.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

#include <stdlib.h>

/* What another agent adds to the sums of agent i: the push of an overlap, and the way that i makes for it. */
typedef struct meeting {
  canonical_place place;
  bool overlap, gives, heavy; /* heavy: j's group is more than 100 times as heavy */
  vec push, way;
  float most; /* how far j may push a much lighter body */
} meeting;

static int canonical_order(const void *left, const void *right) {
  const meeting *a = left, *b = right;
  return ref_a_compare_places(&a->place, &b->place);
}

/* Returns the group's largest push in a frame, for an agent with this maximum speed. */
static float longest_push(const frame *f, const throng_group_def *g, float speed) {
  const float automatic = 2.0f * speed > 2.0f ? 2.0f * speed : 2.0f;
  return (g->max_push_speed > 0.0f ? g->max_push_speed : automatic) * f->dt;
}

static bool is_solid(const crowd *c, const crowd_agent *a) { return crowd_group(c, a)->contact > 0.0f; }

bool ref_a_has_contact(const frame *f) {
  const crowd *c = f->crowd;
  for (uint32_t i = 0; i < c->count; i++)
    if (is_solid(c, &c->agents[i])) return f->dt > 0.0f;
  return false;
}

float ref_a_solid_radius(const crowd *c, const crowd_agent *a) {
  const float body = crowd_body(c, a), most = c->def.perception_radius * 0.5f;
  return body < most ? body : most;
}

/* Returns the image of q that was nearest to agent i at the start of the frame. */
static float shifted(const ref_axis *axis, float q, float committed_difference) {
  return axis->periodic ? q + ref_a_image(axis, committed_difference) : q;
}

/* Whether j adds to the sums of i; writes what it adds to *found. `first`: in the first iteration, where agents make
 * way. */
static bool meets(const frame *f, const vec *committed, uint32_t i, uint32_t j, bool first, meeting *found) {
  const crowd *c = f->crowd;
  const crowd_agent *me = &c->agents[i], *other = &c->agents[j];
  const throng_group_def *mine = crowd_group(c, me), *others = crowd_group(c, other);
  const float radius = c->def.perception_radius, guard = 1e-6f * radius,
              b = ref_a_solid_radius(c, me) + ref_a_solid_radius(c, other);
  const vec p = committed[i], q = committed[j], before = frame_difference(f, p, q);
  if (i == j || f->weight[j] == 0.0f || !is_solid(c, other) || !(vec_dot(f, before, before) <= radius * radius))
    return false;
  const vec d = {shifted(&f->axis[0], other->position.x, q.x - p.x) - me->position.x,
                 f->spatial ? shifted(&f->axis[1], other->position.y, q.y - p.y) - me->position.y : 0.0f,
                 shifted(&f->axis[2], other->position.z, q.z - p.z) - me->position.z};
  const float d2 = vec_dot(f, d, d);
  const float share = mine->contact < others->contact ? mine->contact : others->contact;
  const float mass = crowd_mass(c, other), part = share * (mass / (crowd_mass(c, me) + mass));
  found->overlap = d2 < b * b;
  found->heavy = mine->mass * 100.0f < others->mass;
  found->most = longest_push(f, others, crowd_max_speed(c, other));
  found->gives = first && ref_a_yields(f) && ref_a_make_way(f, me, other, d, b, part, &found->way);
  if (!found->overlap && !found->gives) return false;
  found->place = ref_a_place(f, p, q, j);
  if (!found->overlap) return true;
  found->push = d2 <= guard * guard
                    ? vec_scale(ref_a_coincident_direction(f, me->id.index, other->id.index), -(b * part))
                    : vec_scale(d, -(((b - sqrtf(d2)) * part) / sqrtf(d2)));
  return true;
}

bool ref_a_has_heavy(const crowd *c) {
  float least = INFINITY, most = 0.0f;
  for (uint32_t i = 0; i < c->count; i++) {
    const throng_group_def *g = crowd_group(c, &c->agents[i]);
    if (!(g->contact > 0.0f)) continue;
    least = fminf(least, g->mass);
    most = fmaxf(most, g->mass);
  }
  return least * 100.0f < most;
}

bool ref_a_has_obstacles(const crowd *c) {
  bool driven = false, stands = false;
  for (uint32_t i = 0; i < c->count; i++) {
    const throng_group_def *g = crowd_group(c, &c->agents[i]);
    if (!(g->contact > 0.0f)) continue;
    driven |= ref_a_is_driven(g);
    stands |= !ref_a_is_driven(g);
  }
  return ref_a_has_heavy(c) || (driven && stands);
}

/* Returns `next`, the agent's position after pushes, or a point nearer to `before`, its position before contact: all
 * pushes of a frame together move an agent by at most its maximum push speed times dt, or as far as much heavier bodies
 * push it, `heavy`. A way beyond the agent's own limit stays. */
static vec limited(const frame *f, const crowd_agent *a, vec before, float heavy, vec next) {
  float most = longest_push(f, crowd_group(f->crowd, a), crowd_max_speed(f->crowd, a));
  const vec so_far = vec_sub(a->position, before);
  const float far = sqrtf(vec_dot(f, so_far, so_far));
  if (heavy > most) most = heavy;
  if (ref_a_has_heavy(f->crowd) && far > most) most = far;
  const vec way = vec_sub(next, before);
  return vec_dot(f, way, way) > most * most ? vec_add(before, vec_clip(f, way, most)) : next;
}

static vec pushed(const frame *f, const vec *committed, vec before, uint32_t i, bool first, meeting *scratch) {
  const crowd_agent *a = &f->crowd->agents[i];
  uint32_t met = 0, n = 0, gives = 0;
  if (!is_solid(f->crowd, a)) return a->position;
  for (uint32_t j = 0; j < f->crowd->count; j++)
    if (meets(f, committed, i, j, first, &scratch[met])) met++;
  if (met == 0) return a->position;
  qsort(scratch, met, sizeof *scratch, canonical_order);
  vec sum = {0.0f, 0.0f, 0.0f}, aside = {0.0f, 0.0f, 0.0f}, whole = {0.0f, 0.0f, 0.0f};
  float most = 0.0f;
  bool heavy = false;
  for (uint32_t k = 0; k < met; k++) {
    if (scratch[k].overlap && scratch[k].heavy) {
      whole = vec_add(whole, scratch[k].push), heavy = true;
      most = scratch[k].most > most ? scratch[k].most : most;
    } else if (scratch[k].overlap) {
      sum = vec_add(sum, scratch[k].push), n++;
    }
    if (scratch[k].gives) aside = vec_add(aside, scratch[k].way), gives++;
  }
  vec way = vec_scale(sum, 2.0f / ((float)n + 1.0f));
  const float along = vec_dot(f, way, whole), square = vec_dot(f, whole, whole);
  if (along < 0.0f && square > 0.0f) way = vec_sub(way, vec_scale(whole, along / square));
  vec next = vec_add(a->position, heavy ? vec_add(way, whole) : way);
  if (gives > 0) next = vec_add(next, vec_clip(f, aside, ref_a_most_aside(f, a)));
  next = limited(f, a, before, most, next);
  float ignored = 0.0f;
  ref_a_contain(&f->axis[0], &next.x, &ignored);
  ref_a_contain(&f->axis[1], &next.y, &ignored);
  ref_a_contain(&f->axis[2], &next.z, &ignored);
  if (!f->spatial) next.y = a->position.y;
  return next;
}

/* Reduces the part of the velocity that points against the push, which is the vector from `before` to the agent's
 * position. A frame of 0.02 s or more takes all of it, but at most push / dt; a shorter one takes its share. */
static void slow_down(const frame *f, crowd_agent *a, vec before) {
  const vec way = vec_sub(a->position, before);
  const float s = vec_dot(f, a->velocity, way), q = vec_dot(f, way, way);
  if (!(s < 0.0f && q > 0.0f)) return;
  const float stop = -s / q, rate = 1.0f / f->dt, share = f->dt / 0.02f;
  const float y = a->velocity.y;
  a->velocity = vec_add(a->velocity, vec_scale(way, (stop < rate ? stop : rate) * (share < 1.0f ? share : 1.0f)));
  if (!f->spatial) a->velocity.y = y;
}

void ref_a_contact(const frame *f, crowd *c, const vec *committed) {
  const size_t count = (size_t)c->count + 1;
  vec *moved = malloc(count * sizeof *moved), *next = malloc(count * sizeof *next);
  meeting *scratch = malloc(count * sizeof *scratch);
  if (moved == NULL || next == NULL || scratch == NULL) abort();
  for (uint32_t i = 0; i < c->count; i++) moved[i] = c->agents[i].position;
  for (uint32_t k = 0; k < c->def.contact_iterations; k++) {
    for (uint32_t i = 0; i < c->count; i++) next[i] = pushed(f, committed, moved[i], i, k == 0, scratch);
    for (uint32_t i = 0; i < c->count; i++) c->agents[i].position = next[i];
  }
  for (uint32_t i = 0; i < c->count; i++) {
    slow_down(f, &c->agents[i], moved[i]);
    if (ref_a_yields(f)) ref_a_note_blocked(f, &c->agents[i], i, committed);
  }
  free(moved);
  free(next);
  free(scratch);
}
