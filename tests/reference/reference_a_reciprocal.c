/* tests/reference/reference_a_reciprocal.c: reference A's reciprocal avoidance, as in docs/ARITHMETIC.md, for one agent
 * at a time. SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

#include "reference/reference_scenery.h"

#define HARD 16 /* most hard half-spaces */

static float rate_of(float time) { return time > 1e-6f ? 1.0f / time : 1e6f; }

vec ref_a_course(const frame *f, const crowd_agent *a) {
  if (a->goal.x == a->goal.x) return vec_dir(f, frame_difference(f, a->position, a->goal));
  return frame_facing(f, a);
}

/* The normal of the side of the cone on which w is, times d2. s: the length of the tangent. */
static vec side_of_cone(const frame *f, vec d, float d2, vec w, float b, float s) {
  if (!f->spatial) {
    const float side = d.x * w.z - d.z * w.x > 0.0f ? s : -s;
    return (vec){-(d.x * b + d.z * side), 0.0f, d.x * side - d.z * b};
  }
  vec side = w;
  for (int k = 0; k < 2; k++) side = vec_sub(side, vec_scale(d, vec_dot(f, side, d) / d2));
  const float side_sq = vec_dot(f, side, side);
  if (side_sq <= vec_dot(f, w, w) * 0x1p-40f || d2 / side_sq == INFINITY)
    side = (d.x * d.x + d.z * d.z) * 4.0f < d2 ? (vec){0.0f, -d.z, d.y} : (vec){d.z, 0.0f, -d.x};
  const float across = s * sqrtf(d2 / vec_dot(f, side, side));
  return vec_sub(vec_scale(side, across), vec_scale(d, b));
}

/* The half-space that a neighbour at d leaves. */
static ref_half_space half_space_of(const frame *f, const crowd_agent *me, vec d, float d2, vec u, float b) {
  const throng_group_def *g = crowd_group(f->crowd, me);
  const bool touch = d2 <= b * b;
  const float rate = rate_of(g->avoidance.horizon), h = touch && !(g->contact > 0.0f) ? frame_rate(f) : rate;
  const vec w = vec_sub(u, vec_scale(d, h));
  const float q = vec_dot(f, w, w), x = vec_dot(f, w, d);
  ref_half_space it;
  float change;
  if (touch || (x < 0.0f && b * b * q < x * x)) {
    const float s = sqrtf(q);
    it.n = q > 0x1p-120f ? vec_scale(w, 1.0f / s) : vec_scale(d, -vec_inv_len(f, d));
    change = b * h - s;
  } else {
    it.n = vec_scale(side_of_cone(f, d, d2, w, b, sqrtf(d2 - b * b)), 1.0f / d2);
    change = -vec_dot(f, u, it.n);
  }
  it.c = vec_dot(f, it.n, me->velocity) + change * 0.5f;
  return it;
}

/* Writes the half-spaces of the neighbours that count, and returns their number. */
static int find_half_spaces(const frame *f, uint32_t i, const neighbour *found, uint32_t count, ref_half_space *out) {
  const crowd *c = f->crowd;
  const crowd_agent *me = &c->agents[i];
  const throng_group_def *g = crowd_group(c, me);
  const throng_avoidance *r = &g->avoidance;
  const vec course = ref_a_course(f, me), facing = frame_facing(f, me);
  int spaces = 0;
  for (uint32_t k = 0; k < count; k++) {
    const neighbour *n = &found[k];
    const crowd_agent *other = &c->agents[n->place.agent];
    const float b = crowd_body(c, me) + r->margin + crowd_body(c, other);
    const vec way = ref_a_course(f, other);
    const float near = b + b;
    if (!(r->mask & 1u << crowd_group(c, other)->layer)) continue;
    if (!(n->d2 <= near * near) && !ref_a_in_view(f, g->field_of_view, facing, n)) continue;
    if (!n->coincident && r->radius > 0.0f && !(n->d2 <= r->radius * r->radius)) continue;
    if (!(b > 0.0f) || !(vec_dot(f, way, course) < r->alike)) continue;
    const ref_half_space it = half_space_of(f, me, n->d, n->d2, vec_sub(me->velocity, other->velocity), b);
    if (-crowd_max_speed(c, me) < it.c) out[spaces++] = it;
  }
  return spaces;
}

/* The rate at which an agent may approach surfaces. */
static float wall_rate(const frame *f, const crowd_agent *me) {
  const float rate = rate_of(crowd_group(f->crowd, me)->avoidance.wall_horizon);
  return rate < frame_rate(f) ? rate : frame_rate(f);
}

/* Adds the half-space of a surface. If there are HARD, it takes the place of the first loosest one. */
static void add_hard(const frame *f, const crowd_agent *me, ref_half_space *out, int *count, float distance, vec n) {
  const float body = crowd_body(f->crowd, me), gap = distance - (body < 1e12f ? body : 1e12f);
  const float c = -((gap > 0.0f ? gap : 0.0f) * wall_rate(f, me));
  int loosest = 0;
  if (!(-crowd_max_speed(f->crowd, me) < c)) return;
  if (*count < HARD) {
    out[(*count)++] = (ref_half_space){n, c};
    return;
  }
  for (int k = 1; k < HARD; k++)
    if (out[k].c < out[loosest].c) loosest = k;
  if (c > out[loosest].c) out[loosest] = (ref_half_space){n, c};
}

static int find_hard(const frame *f, const crowd_agent *me, ref_half_space out[HARD]) {
  const crowd *c = f->crowd;
  const float body = crowd_body(c, me), rate = wall_rate(f, me);
  const float reach = (body < 1e12f ? body : 1e12f) + crowd_max_speed(c, me) / rate;
  const ref_feeler who = {.p = me->position,
                          .spatial = f->spatial,
                          .cells = c->cells,
                          .repeats = {f->axis[0].periodic, f->axis[2].periodic}};
  ref_surface found[64];
  int count = 0;
  const uint32_t surfaces = ref_surfaces(c->scenery, &who, reach < 1e12f ? reach : 1e12f, found, 64);
  for (uint32_t k = 0; k < surfaces; k++) add_hard(f, me, out, &count, found[k].distance, found[k].normal);
  const float p[3] = {me->position.x, me->position.y, me->position.z};
  for (int k = 0; k < 3; k++) {
    if (!f->axis[k].boxed) continue;
    for (int side = 0; side < 2; side++) {
      const float inward = side ? -1.0f : 1.0f;
      const float distance = side ? f->axis[k].max - p[k] : p[k] - f->axis[k].min;
      const vec n = {k == 0 ? inward : 0.0f, k == 1 ? inward : 0.0f, k == 2 ? inward : 0.0f};
      add_hard(f, me, out, &count, distance, n);
    }
  }
  return count;
}

/* Returns how far the agent would move with the velocity v, or NaN if that does not count for yielding. */
static float wished_way(const frame *f, const crowd_agent *me, const throng_group_def *g, vec v) {
  if (g->actuation != THRONG_ACTUATION_FREE) return NAN;
  const vec end = vec_add(me->position, vec_scale(vec_scale(v, 1.0f / (1.0f + g->drag * f->dt)), f->dt));
  const vec way = vec_sub(end, me->position);
  return sqrtf(vec_dot(f, way, way));
}

/* What the velocity is to be nearest to before others: of an agent that hardly moves, a velocity to one side of its
 * wish. */
static vec aside_of(const frame *f, const crowd_agent *me, vec wish, float limit) {
  const float slow = limit * 0.1f;
  const bool steep = f->spatial && (wish.x * wish.x + wish.z * wish.z) * 4.0f < vec_dot(f, wish, wish);
  const vec side = steep ? (vec){0.0f, wish.z, -wish.y} : (vec){-wish.z, 0.0f, wish.x};
  if (!(vec_dot(f, me->velocity, me->velocity) < slow * slow)) return wish;
  return vec_clip(f, vec_add(wish, vec_scale(side, 0.3f)), limit);
}

vec ref_a_avoid_others(const frame *f, uint32_t i, vec wanted, void *scratch) {
  crowd_agent *me = &f->crowd->agents[i];
  const throng_group_def *g = crowd_group(f->crowd, me);
  me->wished_way = NAN;
  if (g->avoidance.form != THRONG_AVOIDANCE_RECIPROCAL || g->avoidance.weight == 0.0f || f->dt == 0.0f) return wanted;
  const bool impatient = ref_a_yields(f) && g->contact > 0.0f && ref_a_is_impatient(me);
  const uint32_t count = impatient ? 0 : ref_a_find_neighbours(f, i, scratch);
  ref_half_space *soft = malloc(((size_t)count + 1) * sizeof *soft), hard[HARD];
  if (soft == NULL) abort();
  const float limit = crowd_max_speed(f->crowd, me);
  vec wish = vec_clip(f, vec_add(me->velocity, vec_scale(wanted, f->dt)), limit);
  if (!f->spatial) wish.y = 0.0f;
  me->wished_way = wished_way(f, me, g, wish);
  const ref_half_spaces softs = {soft, find_half_spaces(f, i, scratch, count, soft)};
  const ref_half_spaces hards = {hard, find_hard(f, me, hard)};
  const vec v = ref_a_solve(f, hards, softs, wish, aside_of(f, me, wish, limit), limit);
  free(soft);
  if (v.x == wish.x && v.y == wish.y && v.z == wish.z) return wanted;
  vec change = vec_scale(vec_sub(v, me->velocity), frame_rate(f));
  if (!f->spatial) change.y = 0.0f;
  change = vec_clip(f, change, crowd_force_limit(f->crowd, me) * 2.0f);
  return f->spatial ? vec_add(change, (vec){0.0f, 0.0f, 0.0f}) : change; /* in space -0 becomes 0 */
}
