/* tests/reference/reference_a_paths.c: reference A's path following. Every agent tests every segment of its path.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

typedef struct segment {
  vec a, u;
  float s, l;
} segment;

typedef struct path {
  bool closed;
  uint32_t count;
  float length;
  segment segment[CROWD_PATH_POINTS + 1]; /* segment[count].s is the path's length */
} path;

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

static path measure(const frame *f, const crowd_path *points) {
  path p = {.closed = points->closed, .count = points->closed ? points->count : points->count - 1};
  double sum = 0.0;
  for (uint32_t i = 0; i < p.count; i++) {
    vec from = points->point[i], to = points->point[(i + 1) % points->count];
    if (!f->spatial) from.y = to.y = 0.0f;
    const vec d = frame_difference(f, from, to);
    const double x = (double)d.x, y = (double)d.y, z = (double)d.z, len = sqrt(x * x + y * y + z * z);
    sum += len;
    p.segment[i].a = from;
    p.segment[i].u = (vec){(float)(x / len), (float)(y / len), (float)(z / len)};
    p.segment[i].l = (float)len;
    p.segment[i + 1].s = (float)sum;
  }
  p.length = p.segment[p.count].s;
  return p;
}

static vec imaged(const frame *f, vec w, vec from) {
  w.x += ref_a_image(&f->axis[0], w.x - from.x);
  if (f->spatial) w.y += ref_a_image(&f->axis[1], w.y - from.y);
  w.z += ref_a_image(&f->axis[2], w.z - from.z);
  return w;
}

typedef struct best {
  float distance_sq, q;
} best;

static float away(const path *p, float m0, float q) {
  const float d = fabsf(q - m0);
  return p->closed ? smaller(d, p->length - d) : d;
}

static void look_at(const frame *f, const crowd_agent *agent, const throng_follow_path *r, const path *p, float m0,
                    float lo, float hi, best *b) {
  for (uint32_t i = 0; i < p->count; i++) {
    const segment *k = &p->segment[i];
    if (!(lo <= k[1].s && hi >= k->s)) continue;
    vec w = vec_add(vec_sub(agent->position, k->a), vec_scale(agent->velocity, r->predict_time));
    w = imaged(f, w, vec_scale(k->u, k->l * 0.5f));
    float q = larger(k->s + vec_dot(f, w, k->u), larger(lo, k->s));
    q = smaller(q, smaller(hi, k[1].s));
    const vec e = vec_sub(w, vec_scale(k->u, q - k->s));
    const float distance_sq = vec_dot(f, e, e);
    const bool less_far = distance_sq == b->distance_sq && away(p, m0, q) < away(p, m0, b->q);
    if (distance_sq < b->distance_sq || less_far) *b = (best){distance_sq, q};
  }
}

static float next_parameter(const frame *f, const crowd_agent *a, const throng_follow_path *r, const path *p,
                            bool backward) {
  const bool known = a->path_parameter == a->path_parameter, predictive = r->predict_time > 0.0f;
  const float length = p->length, m0 = known ? smaller(a->path_parameter, length) : NAN;
  const throng_group_def *g = crowd_group(f->crowd, a);
  float window = r->window;
  if (ref_a_finds_routes(g)) window = larger(window, g->vehicle.turning_radius + g->vehicle.turning_radius);
  const float reach = r->window > 0.0f ? smaller(window, length) : length;
  const float before = predictive && !backward ? 0.0f : reach, after = predictive && backward ? 0.0f : reach;
  const float lo = m0 - before, hi = m0 + after;
  const bool whole = !known || (p->closed && !(before + after < length));
  best b = {INFINITY, whole ? 0.0f : larger(lo, 0.0f)};
  if (whole) {
    look_at(f, a, r, p, m0, 0.0f, length, &b);
  } else {
    look_at(f, a, r, p, m0, larger(lo, 0.0f), smaller(hi, length), &b);
    if (p->closed && lo < 0.0f)
      look_at(f, a, r, p, m0, lo + length, length, &b);
    else if (p->closed && hi > length)
      look_at(f, a, r, p, m0, 0.0f, hi - length, &b);
  }
  return p->closed && !(b.q < length) ? 0.0f : b.q;
}

/* Returns the offset of the target: for agents that find routes at least what their circle and their brakes need. */
static float clear_offset(const frame *f, const crowd_agent *a, const path *p, float o, bool backward) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  if (!ref_a_finds_routes(g)) return o;
  const float brake = crowd_limit(f->crowd, a, g->vehicle.max_brake), v2 = vec_dot(f, a->velocity, a->velocity);
  float least = g->vehicle.turning_radius + g->vehicle.turning_radius;
  if (brake > 0.0f) least = least + v2 * (0.5f / brake);
  if (p->closed) least = smaller(least, p->length * 0.25f);
  const float longer = larger(fabsf(o), least);
  return backward ? -longer : longer;
}

vec ref_a_follow_path(const frame *f, const crowd_agent *a, const throng_follow_path *r, float *next) {
  const crowd_path *points = &f->crowd->paths[r->index];
  if (points->count == 0) return (vec){0.0f, 0.0f, 0.0f};
  const path p = measure(f, points);
  const float now = sqrtf(vec_dot(f, a->velocity, a->velocity)), top = crowd_max_speed(f->crowd, a);
  const float least = isinf(top) ? 0.0f : top * 0.1f;
  const float length = p.length, o = r->offset + (now > least ? now : least) * r->offset_time;
  const bool backward = r->offset < 0.0f || (r->offset == 0.0f && r->offset_time < 0.0f);
  const float m = next_parameter(f, a, r, &p, backward);
  *next = m;
  const float ahead = clear_offset(f, a, &p, o, backward);
  float to = m + smaller(larger(ahead, -length), length);
  if (p.closed)
    to = to < 0.0f ? to + length : (to >= length ? to - length : to);
  else
    to = smaller(larger(to, 0.0f), length);
  const segment *k = p.segment;
  while (!(to <= k[1].s)) k++;
  vec dp = vec_add(vec_sub(k->a, a->position), vec_scale(k->u, to - k->s));
  if (!f->spatial) dp.y = 0.0f;
  dp = imaged(f, dp, (vec){0.0f, 0.0f, 0.0f});
  const bool ends = !p.closed && (backward ? to <= 0.0f : to >= length);
  ref_route way = {.d = dp, .time = r->time_to_target, .near = r->target_radius, .place = true};
  way.settles = way.stops = ends;
  way.backing = ends ? fabsf(o) : 0.0f;
  ref_a_route(f, a, &way);
  const float inv_len = vec_inv_len(f, way.way);
  if (r->time_to_target == 0.0f)
    return ref_a_hold_back(f, a, &way, vec_scale(way.way, crowd_acceleration(f->crowd, a) * inv_len));
  float left = backward ? m : length - m, speed = top;
  if (ends) left = sqrtf(vec_dot(f, dp, dp));
  if (!p.closed && left < r->slow_radius) speed = top * left / r->slow_radius;
  if (!p.closed && left <= r->target_radius) speed = 0.0f;
  speed = smaller(speed * way.longer, smaller(top, way.fastest));
  const vec wanted = vec_scale(way.way, speed * inv_len);
  return vec_clip(f, vec_scale(vec_sub(wanted, a->velocity), 1.0f / r->time_to_target),
                  crowd_acceleration(f->crowd, a));
}
