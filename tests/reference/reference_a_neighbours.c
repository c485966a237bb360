/* tests/reference/reference_a_neighbours.c: reference A's neighbour walk: separation, cohesion, alignment and avoidance
 * in float, as in docs/ARITHMETIC.md.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"
#include "reference/reference_sight.h"

#include <math.h>
#include <stdlib.h>

int ref_a_compare_places(const canonical_place *a, const canonical_place *b) {
  if (a->row_z != b->row_z) return a->row_z < b->row_z ? -1 : 1;
  if (a->row_y != b->row_y) return a->row_y < b->row_y ? -1 : 1;
  if (a->bin != b->bin) return a->bin < b->bin ? -1 : 1;
  return a->agent < b->agent ? -1 : (a->agent > b->agent ? 1 : 0); /* crowd.agents are sorted by id index */
}

static int canonical_order(const void *left, const void *right) {
  const neighbour *a = left, *b = right;
  return ref_a_compare_places(&a->place, &b->place);
}

/* Returns the key of the image of `to` that is nearest to `from`. An image beyond the seam has a key that is
 * axis->count greater or smaller. */
static int32_t seen_key(const ref_axis *axis, float from, float to) {
  if (!axis->exists) return 0;
  const float image = ref_a_image(axis, to - from);
  const int32_t key = ref_a_key(axis, to);
  return image > 0.0f ? key + axis->count : (image < 0.0f ? key - axis->count : key);
}

canonical_place ref_a_place(const frame *f, vec from, vec to, uint32_t agent) {
  return (canonical_place){seen_key(&f->axis[2], from.z, to.z), seen_key(&f->axis[1], from.y, to.y),
                           seen_key(&f->axis[0], from.x, to.x), agent};
}

/* Returns the lattice point of an id index, in a square (a cube in spatial worlds) of 2^16 integers per side. */
static vec place_among_all(const frame *f, uint32_t index) {
  const uint32_t h = ref_a_mix(index), h2 = ref_a_mix(h + 1);
  return (vec){(float)(h % 65536), f->spatial ? (float)(h2 % 65536) : 0.0f, (float)(h / 65536)};
}

static vec coincident_offset(const frame *f, uint32_t index_i, uint32_t index_j) {
  return vec_sub(place_among_all(f, index_j), place_among_all(f, index_i));
}

vec ref_a_coincident_direction(const frame *f, uint32_t index_i, uint32_t index_j) {
  return vec_dir(f, coincident_offset(f, index_i, index_j));
}

uint32_t ref_a_find_neighbours(const frame *f, uint32_t i, neighbour *found) {
  const crowd *c = f->crowd;
  const crowd_agent *me = &c->agents[i];
  const float radius = crowd_perception(c, me), guard = 1e-6f * c->def.perception_radius;
  const float guard_sq = guard * guard;
  uint32_t count = 0;
  for (uint32_t j = 0; j < c->count; j++) {
    if (j == i || f->weight[j] == 0.0f) continue;
    const crowd_agent *other = &c->agents[j];
    const vec d = frame_difference(f, me->position, other->position);
    const float d2 = vec_dot(f, d, d);
    if (!(d2 <= radius * radius)) continue;
    if (crowd_group(c, me)->walls_hide && !ref_sees(c->scenery, c->cells, me->position, other->position, f->spatial))
      continue;
    neighbour n = {.d = d, .d2 = d2, .coincident = d2 <= guard_sq};
    n.place = ref_a_place(f, me->position, other->position, j);
    if (n.coincident) {
      n.d = vec_scale(coincident_offset(f, me->id.index, other->id.index), guard * 0x1p-16f);
      n.d2 = vec_dot(f, n.d, n.d);
    }
    found[count++] = n;
  }
  uint32_t ordered = 1;
  while (ordered < count && canonical_order(&found[ordered - 1], &found[ordered]) < 0) ordered++;
  if (ordered < count) qsort(found, count, sizeof *found, canonical_order);
  return count;
}

bool ref_a_in_view(const frame *f, float field_of_view, vec facing, const neighbour *n) {
  if (n->coincident || field_of_view >= TWO_PI) return true;
  const float s = ref_a_sincos(field_of_view * 0.5f).sin;
  const float c = ref_a_sincos(field_of_view * 0.5f).cos - (1e-6f * s + 7e-7f);
  const float along = vec_dot(f, n->d, facing);
  return along * fabsf(along) >= (c * fabsf(c)) * n->d2;
}

static float separation_weight(const frame *f, const crowd_agent *me, float radius, float d2) {
  switch (crowd_law(f->crowd, me)) {
  case THRONG_SEPARATION_INVERSE:
    return 1.0f / d2;
  case THRONG_SEPARATION_LINEAR:
    return d2 > radius * radius ? 1.0f / sqrtf(d2) : 1.0f / sqrtf(d2) - 1.0f / radius;
  default: /* inverse square */
    break;
  }
  const float h = 1.0f / sqrtf(d2);
  const float push = crowd_group(f->crowd, me)->separation.strength * (h * h), most = crowd_acceleration(f->crowd, me);
  return (push < most ? push : most) * h;
}

/* A vector of length w |d| at right angles to the facing, to the side where d points (Bourg & Seemann 4.2.5). */
static vec lateral_term(const frame *f, const crowd_agent *me, vec facing, vec d, float d2, float w) {
  const vec aside = vec_sub(d, vec_scale(facing, vec_dot(f, facing, d)));
  vec side = vec_dir(f, aside);
  if (vec_dot(f, aside, aside) <= 1e-10f * d2) {
    side = vec_scale(frame_right(f, me), me->id.index % 2 == 1 ? -1.0f : 1.0f);
  }
  return vec_scale(side, w * sqrtf(d2));
}

static vec separation_finish(const frame *f, const crowd_agent *me, float radius, vec sum) {
  const float strength = crowd_group(f->crowd, me)->separation.strength, most = crowd_acceleration(f->crowd, me);
  float factor = -1.0f;
  if (crowd_law(f->crowd, me) == THRONG_SEPARATION_INVERSE) factor = -(strength * radius);
  if (crowd_law(f->crowd, me) == THRONG_SEPARATION_LINEAR) factor = -most;
  return vec_clip(f, vec_scale(sum, factor), most);
}

/* Returns the direction to the right of a relative motion u. For -u it returns the opposite direction, also if u is
 * vertical. */
static vec side_of(const frame *f, vec u) {
  const vec right = {-u.z, 0.0f, u.x};
  if (!f->spatial) return right;
  if (vec_inv_len(f, right) > 0.0f) return vec_dir(f, right);
  return (vec){u.y < 0.0f ? 1.0f : -1.0f, 0.0f, 0.0f};
}

/* The part of max_acceleration with which an agent avoids a threat: it grows as the time to contact shrinks. t: the
 * time of the closest approach; c: the offset then; b: the sum of the bodies. */
static float urgency_of(const frame *f, float full, vec c, vec dv, float t, float b) {
  const float deep_sq = b * b - vec_dot(f, c, c);
  const float lead = sqrtf(deep_sq > 0.0f ? deep_sq : 0.0f) * vec_inv_len(f, dv);
  const float time = t - lead > 0.0f ? t - lead : 0.0f, full_sq = full * full;
  return full_sq > 0.0f && time * time > full_sq ? full_sq / (time * time) : 1.0f;
}

/* The time until the closest approach of a threat, NaN if there is no threat, and the acceleration that avoids it. */
typedef struct threat {
  float time;
  vec answer;
} threat;

static threat avoid(const frame *f, const crowd_agent *me, const crowd_agent *other, const neighbour *n) {
  const threat none = {NAN, {0.0f, 0.0f, 0.0f}};
  const throng_group_def *g = crowd_group(f->crowd, me);
  const float b = crowd_body(f->crowd, me) + crowd_body(f->crowd, other), amax = crowd_acceleration(f->crowd, me);
  if (!(b > 0.0f)) return none;
  if (n->coincident) {
    const vec u = ref_a_coincident_direction(f, me->id.index, other->id.index);
    return (threat){0.0f, vec_scale(u, -amax)};
  }
  const vec dv = vec_sub(other->velocity, me->velocity);
  const float x = vec_dot(f, n->d, dv), q = vec_dot(f, dv, dv), m = b * b - n->d2;
  if (!(m > 0.0f || x * fabsf(x) < m * q)) return none;
  const float t = m > 0.0f ? 0.0f : -x / q;
  if (!(t <= g->avoidance.horizon)) return none;
  const vec c = vec_add(n->d, vec_scale(dv, t));
  const float c2 = vec_dot(f, c, c);
  const vec u = vec_dir(f, vec_sub(me->velocity, other->velocity));
  const float part = urgency_of(f, g->avoidance.urgency, c, dv, t, b);
  if (c2 < (1e-3f * b) * (1e-3f * b) && vec_dot(f, u, u) > 0.0f)
    return (threat){t, vec_scale(vec_scale(side_of(f, u), amax), part)};
  return (threat){t, vec_scale(vec_scale(vec_scale(c, vec_inv_len(f, c)), -amax), part)};
}

/* Whether a neighbour is within a rule's radius, in metres; a `given` 0 stands for the perception radius. */
static bool is_within(const neighbour *n, float given, float radius, const sums *s) {
  const float reach = given > 0.0f && radius < s->perception ? radius : s->perception;
  return n->coincident || n->d2 <= reach * reach;
}

/* Notes for which rules the neighbours count, before `nearest`. */
static void note_counting(const frame *f, const crowd_agent *me, neighbour *found, uint32_t count, const sums *s) {
  const throng_group_def *g = crowd_group(f->crowd, me);
  const vec facing = frame_facing(f, me);
  for (uint32_t k = 0; k < count; k++) {
    neighbour *n = &found[k];
    const uint32_t layer = 1u << crowd_group(f->crowd, &f->crowd->agents[n->place.agent])->layer;
    const bool viewed = ref_a_in_view(f, g->field_of_view, facing, n);
    n->counts[0] = g->separation.mask & layer && (n->coincident || n->d2 <= s->radius * s->radius) &&
                   ref_a_in_view(f, g->separation.field_of_view, facing, n);
    n->counts[1] = g->cohesion.mask & layer && viewed &&
                   is_within(n, g->cohesion.radius, crowd_own_metres(f->crowd, me, g->cohesion.radius), s);
    n->counts[2] = g->alignment.mask & layer && viewed &&
                   is_within(n, g->alignment.radius, crowd_own_metres(f->crowd, me, g->alignment.radius), s);
  }
}

/* Leaves only the `most` nearest of the neighbours that count for a rule. */
static void leave_nearest(neighbour *found, uint32_t count, int rule, uint32_t most) {
  neighbour *kept[THRONG_MAX_NEAREST];
  uint32_t n = 0;
  for (uint32_t k = 0; k < count && most > 0; k++) {
    if (!found[k].counts[rule]) continue;
    found[k].counts[rule] = false;
    if (n == most && found[k].d2 >= kept[n - 1]->d2) continue;
    uint32_t at = n < most ? n++ : n - 1;
    for (; at > 0 && kept[at - 1]->d2 > found[k].d2; at--) kept[at] = kept[at - 1];
    kept[at] = &found[k];
  }
  for (uint32_t k = 0; k < n; k++) kept[k]->counts[rule] = true;
}

static void sum_neighbours(const frame *f, const crowd_agent *me, const neighbour *found, uint32_t count, sums *s) {
  const crowd *c = f->crowd;
  const throng_group_def *g = crowd_group(c, me);
  const vec facing = frame_facing(f, me);
  float best_time = NAN;
  for (uint32_t k = 0; k < count; k++) {
    const neighbour *n = &found[k];
    const crowd_agent *other = &c->agents[n->place.agent];
    const uint32_t layer = 1u << crowd_group(c, other)->layer;
    const bool viewed = ref_a_in_view(f, g->field_of_view, facing, n);
    const float represents = f->weight[n->place.agent];
    if (n->counts[0]) {
      const float weight = g->separation.nearest > 0 ? 1.0f : represents;
      const float w = separation_weight(f, me, s->radius, n->d2);
      const bool lateral = g->separation.form == THRONG_SEPARATION_LATERAL;
      const vec push = lateral ? lateral_term(f, me, facing, n->d, n->d2, w) : vec_scale(n->d, w);
      if (!g->separation.nearest_only) s->separation = vec_add(s->separation, vec_scale(push, weight));
      if (g->separation.nearest_only && n->d2 < s->nearest) s->separation = push, s->nearest = n->d2;
    }
    if (n->counts[1]) {
      const float weight = g->cohesion.nearest > 0 ? 1.0f : represents;
      s->together += weight;
      s->cohesion = vec_add(s->cohesion, vec_scale(n->d, weight));
    }
    if (n->counts[2]) {
      const float weight = g->alignment.nearest > 0 ? 1.0f : represents;
      s->aligned += weight;
      s->velocity = vec_add(s->velocity, vec_scale(other->velocity, weight));
      if (g->alignment.turns) s->facings = vec_add(s->facings, vec_scale(frame_facing(f, other), weight));
    }
    if (g->avoidance.mask & layer && viewed) {
      const threat t = avoid(f, me, other, n);
      const bool tie = t.time == best_time && n->place.agent < s->threat_agent;
      if (t.time == t.time && (best_time != best_time || t.time < best_time || tie)) {
        best_time = t.time;
        s->threat_agent = n->place.agent;
        s->avoidance = t.answer;
      }
    }
  }
}

/* Cohesion in the forms seek and arrive. */
static vec come_together(const frame *f, const crowd_agent *me, const sums *s) {
  const throng_group_def *g = crowd_group(f->crowd, me);
  const throng_cohesion *r = &g->cohesion;
  if (r->form == THRONG_COHESION_SEEK)
    return vec_scale(s->cohesion, crowd_acceleration(f->crowd, me) * vec_inv_len(f, s->cohesion));
  if (!(s->together > 0.0f)) return (vec){0.0f, 0.0f, 0.0f};
  const float of_group = crowd_metres(g, g->perception_radius);
  const float usual = of_group > 0.0f ? of_group : f->crowd->def.perception_radius;
  const float slow = (r->slow_radius < 0.0f ? usual * 0.4f : r->slow_radius) * s->together;
  const float stop = (r->target_radius < 0.0f ? usual * 0.2f : r->target_radius) * s->together;
  const float length = sqrtf(vec_dot(f, s->cohesion, s->cohesion)), most = crowd_acceleration(f->crowd, me);
  const bool inside = length <= stop;
  if (inside && r->coast) return (vec){0.0f, 0.0f, 0.0f};
  const float pace = crowd_max_speed(f->crowd, me) / (length > slow ? length : slow);
  const vec wanted = inside ? (vec){0.0f, 0.0f, 0.0f} : vec_scale(s->cohesion, pace);
  return vec_clip(f, vec_scale(vec_sub(wanted, me->velocity), 1.0f / r->time_to_target), most);
}

/* The distance within which the agents of an idle group separate: a body length. */
static float idle_bodies(const crowd *c, const crowd_agent *me) {
  const throng_group_def *g = crowd_group(c, me);
  const float bodies = 2.0f * g->body_radius, radius = crowd_metres(g, g->separation.radius);
  const float least = g->separation.radius > 0.0f && radius < bodies ? radius : bodies;
  return g->own_bodies && g->radii_in_bodies && me->body == me->body ? least * (me->body / g->body_radius) : least;
}

rule_accelerations ref_a_neighbour_rules(const frame *f, uint32_t i, void *scratch) {
  const crowd_agent *me = &f->crowd->agents[i];
  const throng_group_def *g = crowd_group(f->crowd, me);
  const float perception = crowd_perception(f->crowd, me), own = crowd_own_metres(f->crowd, me, g->separation.radius);
  const float most = crowd_acceleration(f->crowd, me);
  neighbour *found = scratch;
  uint32_t count = ref_a_find_neighbours(f, i, found);
  sums s = {.nearest = INFINITY,
            .perception = perception,
            .radius = g->separation.radius > 0.0f && own < perception ? own : perception};
  const float bodies = idle_bodies(f->crowd, me);
  if (ref_a_is_idle(g) && bodies < s.radius) s.radius = bodies;
  note_counting(f, me, found, count, &s);
  leave_nearest(found, count, 0, g->separation.nearest);
  leave_nearest(found, count, 1, g->cohesion.nearest);
  leave_nearest(found, count, 2, g->alignment.nearest);
  sum_neighbours(f, me, found, count, &s);
  rule_accelerations r;
  r.separation = separation_finish(f, me, s.radius, s.separation);
  r.cohesion = come_together(f, me, &s);
  r.alignment = (vec){0.0f, 0.0f, 0.0f};
  if (s.aligned > 0.0f) {
    const vec mean = vec_scale(s.velocity, 1.0f / s.aligned);
    const vec wanted = vec_scale(vec_sub(mean, me->velocity), 1.0f / g->alignment.time_to_target);
    r.alignment = vec_clip(f, wanted, most);
  }
  r.avoidance = s.avoidance;
  r.facings = s.facings;
  ref_a_more_rules(f, me, found, count, &s, &r);
  return r;
}

size_t ref_a_scratch_size(const crowd *c) { return ((size_t)c->count + 1) * sizeof(neighbour); }
