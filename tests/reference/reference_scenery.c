/* tests/reference/reference_scenery.c
 * SPDX-License-Identifier: MIT */
#include "reference/reference_scenery.h"

#include "reference/reference_a.h"

#include <math.h>

typedef struct dvec {
  double c[3];
} dvec;

static dvec make(const ref_feeler *who, throng_vec3 a) {
  return (dvec){{(double)a.x, who->spatial ? (double)a.y : 0.0, (double)a.z}};
}
static dvec plus(dvec a, dvec b, double s) { /* a + b s */
  return (dvec){{a.c[0] + b.c[0] * s, a.c[1] + b.c[1] * s, a.c[2] + b.c[2] * s}};
}
static dvec times(dvec a, double s) { return (dvec){{a.c[0] * s, a.c[1] * s, a.c[2] * s}}; }
static dvec minus(dvec a, dvec b) { return (dvec){{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}}; }
static double dot(dvec a, dvec b) { return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2]; }
static double length(dvec a) { return sqrt(dot(a, a)); }
static throng_vec3 rounded(dvec a) { return (throng_vec3){(float)a.c[0], (float)a.c[1], (float)a.c[2]}; }

static dvec right_of(dvec h) {
  const dvec level = {{-h.c[2], 0.0, h.c[0]}};
  const double l = length(level);
  return l > 0.0 ? times(level, 1.0 / l) : (dvec){{-1.0, 0.0, 0.0}};
}

static const throng_vec3 *point(throng_span span, uint32_t k) { return (const throng_vec3 *)span.data + k; }

throng_vec3 ref_avoid_obstacles(const throng_scenery_def *scenery, const ref_feeler *who,
                                const throng_avoid_obstacles *how) {
  const dvec v = make(who, who->v), p = make(who, who->p);
  const double speed = length(v), feeler = (double)how->look_ahead + (double)how->look_ahead_time * speed;
  if (speed == 0.0) return (throng_vec3){0, 0, 0};
  const dvec h = times(v, 1.0 / speed);
  dvec sum = {{0, 0, 0}};
  double nearest = INFINITY;
  for (uint32_t k = 0; k < scenery->obstacle_count; k++) {
    const dvec d = minus(make(who, *point(scenery->obstacle_centre, k)), p);
    const double reach = (double)((const float *)scenery->obstacle_radius.data)[k] + (double)who->body;
    const double ahead = dot(d, h), distance = length(d);
    const dvec off = minus(d, times(h, ahead));
    const double aside = length(off);
    if (ahead <= 0.0 || ahead >= feeler || aside >= reach) continue;
    dvec side = times(off, -1.0 / aside);
    if (aside <= 1e-6 * reach) side = times(right_of(h), who->id % 2 == 1 ? 1.0 : -1.0);
    const double strength = (double)how->strength * feeler / distance;
    if (how->nearest_only == 0.0f) {
      sum = plus(sum, side, strength);
    } else if (distance < nearest) {
      nearest = distance;
      sum = times(side, strength);
    }
  }
  const double q = dot(sum, sum), limit = (double)who->limit;
  return rounded(q > limit * limit ? times(sum, limit / sqrt(q)) : sum);
}

typedef struct ray {
  dvec from, way;
  double t; /* of the first hit; 2: none */
  dvec normal;
} ray;

static void meet(ray *r, double t, dvec normal) {
  if (!(t >= 0.0 && t <= 1.0) || t >= r->t) return;
  r->t = t;
  r->normal = normal;
}

static void meet_wall(ray *r, dvec a, dvec b) {
  const dvec e = minus(b, a), g = minus(a, r->from), w = r->way;
  const double x = w.c[0] * e.c[2] - w.c[2] * e.c[0];
  if (x == 0.0) return;
  const double t = (g.c[0] * e.c[2] - g.c[2] * e.c[0]) / x, u = (g.c[0] * w.c[2] - g.c[2] * w.c[0]) / x;
  const double s = (x > 0.0 ? -1.0 : 1.0) / length(e);
  if (u >= 0.0 && u <= 1.0) meet(r, t, (dvec){{e.c[2] * s, 0.0, -e.c[0] * s}});
}

static void meet_box(ray *r, dvec low, dvec high) {
  double in = -1.0, out = 1.0;
  dvec normal = {{0, 0, 0}};
  for (int c = 0; c < 3; c++) {
    const double w = r->way.c[c], p = r->from.c[c];
    if (w == 0.0) {
      if (p < low.c[c] || p > high.c[c]) return;
      continue;
    }
    const double near = ((w > 0.0 ? low.c[c] : high.c[c]) - p) / w, far = ((w > 0.0 ? high.c[c] : low.c[c]) - p) / w;
    out = far < out ? far : out;
    if (near <= in) continue;
    in = near;
    normal = (dvec){{0, 0, 0}};
    normal.c[c] = w > 0.0 ? -1.0 : 1.0;
  }
  if (in <= out) meet(r, in, normal);
}

static dvec plane_normal(const throng_scenery_def *s, const ref_feeler *who, uint32_t k) {
  const throng_vec3 given = *point(s->plane_normal, k);
  const double l = length(make(who, given));
  return make(who, (throng_vec3){(float)((double)given.x * (1.0 / l)), (float)((double)given.y * (1.0 / l)),
                                 (float)((double)given.z * (1.0 / l))});
}

static void meet_surfaces(const throng_scenery_def *s, const ref_feeler *who, ray *r) {
  for (uint32_t k = 0; k < s->wall_count; k++)
    meet_wall(r, make(who, *point(s->wall_from, k)), make(who, *point(s->wall_to, k)));
  for (uint32_t k = 0; k < s->box_count; k++)
    meet_box(r, make(who, *point(s->box_min, k)), make(who, *point(s->box_max, k)));
  for (uint32_t k = 0; k < s->plane_count; k++) {
    const dvec n = plane_normal(s, who, k);
    const double m = -dot(n, r->way);
    if (m > 0.0) meet(r, dot(n, minus(r->from, make(who, *point(s->plane_point, k)))) / m, n);
  }
}

/* At what feelers feel. */
static void cast(const throng_scenery_def *s, const ref_feeler *who, ray *r) {
  r->t = 2.0;
  meet_surfaces(s, who, r);
}

throng_vec3 ref_avoid_walls(const throng_scenery_def *scenery, const ref_feeler *who, const throng_avoid_walls *how,
                            float dt, float fan[2]) {
  const dvec v = make(who, who->v), p = make(who, who->p);
  const double speed = length(v), reach = (double)how->look_ahead + (double)how->look_ahead_time * speed;
  const int mode = (int)how->rays;
  const throng_vec3 none = {0, 0, 0};
  if (speed == 0.0) return none;
  float angle = how->angle;
  if (mode == THRONG_RAYS_FAN) {
    if (fan[0] > angle) angle = fan[0];
    if (angle > how->widest) angle = how->widest;
  }
  const dvec h = times(v, 1.0 / speed), right = right_of(h);
  const ref_angle turn = ref_a_sincos(angle);
  const double whisker = reach * (double)how->whisker;
  const dvec ahead = times(h, whisker * (double)turn.cos), aside = times(right, whisker * (double)turn.sin);
  ray rays[3] = {{.from = p, .way = times(h, reach)}, {.from = p}, {.from = p}};
  rays[1].way = minus(ahead, aside);
  rays[2].way = plus(ahead, aside, 1.0);
  if (mode == THRONG_RAYS_PARALLEL) {
    for (int k = 1; k < 3; k++) {
      rays[k].from = plus(p, right, k == 1 ? -(double)who->body : (double)who->body);
      rays[k].way = times(h, reach);
    }
  }
  int won = -1;
  double nearest = INFINITY;
  for (int k = 0; k < 3; k++) {
    rays[k].t = 2.0;
    if ((mode == THRONG_RAYS_SINGLE && k > 0) || (mode == THRONG_RAYS_PARALLEL && k == 0)) continue;
    cast(scenery, who, &rays[k]);
    const double distance = rays[k].t * length(rays[k].way);
    if (rays[k].t > 1.0 || distance >= nearest) continue;
    nearest = distance;
    won = k;
  }
  if (mode == THRONG_RAYS_FAN) {
    if (won >= 0 && fan[1] > 0.0f && rays[(int)fan[1]].t <= 1.0) won = (int)fan[1];
    float next = won >= 0 ? angle + how->spread_rate * dt : angle - how->spread_rate * dt;
    if (next > how->widest) next = how->widest;
    if (next < how->angle) next = how->angle;
    fan[0] = next;
    fan[1] = won >= 0 ? (float)won : 0.0f;
  }
  if (won < 0) return none;
  const dvec target =
      plus(plus(rays[won].from, rays[won].way, rays[won].t), rays[won].normal, (double)how->avoid_distance);
  const dvec to = minus(target, p);
  const double l = length(to);
  return l > 0.0 ? rounded(times(times(to, 1.0 / l), (double)who->limit)) : none;
}

static void meet_balls(const throng_scenery_def *s, const ref_feeler *who, ray *r) {
  for (uint32_t k = 0; k < s->obstacle_count; k++) {
    const dvec d = minus(r->from, make(who, *point(s->obstacle_centre, k)));
    const double radius = (double)((const float *)s->obstacle_radius.data)[k];
    const double a = dot(r->way, r->way), b = dot(d, r->way), c = dot(d, d) - radius * radius;
    if (c < 0.0 || b >= 0.0 || b * b - a * c < 0.0) continue;
    const double t = (-b - sqrt(b * b - a * c)) / a;
    meet(r, t, times(plus(d, r->way, t), 1.0 / radius));
  }
}

/* At all that stands there, in the order of the shapes' numbers. */
static void cast_at_all(const throng_scenery_def *s, const ref_feeler *who, ray *r) {
  r->t = 2.0;
  meet_balls(s, who, r);
  meet_surfaces(s, who, r);
}

float ref_free_time(const throng_scenery_def *scenery, throng_vec3 q, throng_vec3 u, bool spatial, float most) {
  const ref_feeler who = {.spatial = spatial};
  ray r = {.from = make(&who, q), .way = times(make(&who, u), (double)most)};
  cast_at_all(scenery, &who, &r);
  return r.t <= 1.0 ? (float)((double)most * r.t) : most;
}

static throng_vec3 change_to(const ref_feeler *who, dvec wanted, float time) {
  const dvec a = times(minus(wanted, make(who, who->v)), 1.0 / (double)time);
  const double q = dot(a, a), limit = (double)who->limit;
  return rounded(q > limit * limit ? times(a, limit / sqrt(q)) : a);
}

throng_vec3 ref_hide(const throng_scenery_def *scenery, const ref_feeler *who, const throng_hide *how, throng_vec3 dp) {
  const dvec p = make(who, who->p);
  dvec best = {{0, 0, 0}};
  double nearest = INFINITY;
  for (uint32_t k = 0; k < scenery->obstacle_count; k++) {
    const dvec d = minus(make(who, *point(scenery->obstacle_centre, k)), p), away = minus(d, make(who, dp));
    const double r = (double)((const float *)scenery->obstacle_radius.data)[k], l = length(away);
    if (length(d) - r > (double)how->reach || l == 0.0) continue;
    const dvec place = plus(d, away, (r + (double)who->body + (double)how->distance) / l);
    if (length(place) >= nearest) continue;
    nearest = length(place);
    best = place;
  }
  if (nearest == INFINITY) return (throng_vec3){0, 0, 0};
  double speed = (double)who->speed;
  if (nearest < (double)how->slow_radius) speed = (double)who->speed * nearest / (double)how->slow_radius;
  if (nearest <= (double)how->target_radius) speed = 0.0;
  return change_to(who, nearest > 0.0 ? times(best, speed / nearest) : best, how->time_to_target);
}

/* The nearest surface. */
typedef struct surface {
  double distance;
  dvec normal;
} surface;

static void keep(surface *s, double distance, dvec normal) {
  if (distance > s->distance || (distance == s->distance && length(s->normal) > 0.0)) return;
  s->distance = distance;
  s->normal = normal;
}

static void keep_point(surface *s, dvec from, dvec x, double radius) {
  const dvec d = minus(x, from);
  const double l = length(d);
  keep(s, l - radius, l > 0.0 ? times(d, 1.0 / l) : (dvec){{1.0, 0.0, 0.0}});
}

static void keep_wall(surface *s, dvec a, dvec b, dvec x) {
  const dvec e = minus(b, a), d = minus(x, a);
  const double g = dot(d, e), q = dot(e, e);
  if (g <= 0.0 || g >= q) {
    keep_point(s, g <= 0.0 ? a : b, x, 0.0);
    return;
  }
  const double y = e.c[0] * d.c[2] - e.c[2] * d.c[0], k = y < 0.0 ? -(1.0 / sqrt(q)) : 1.0 / sqrt(q);
  keep(s, y * k, (dvec){{-e.c[2] * k, 0.0, e.c[0] * k}});
}

static void keep_box(surface *s, dvec low, dvec high, dvec x) {
  dvec out = {{0, 0, 0}}, normal = {{0, 0, 0}};
  double deepest = -INFINITY;
  for (int c = 0; c < 3; c++) {
    const double below = low.c[c] - x.c[c], above = x.c[c] - high.c[c], sign = above > below ? 1.0 : -1.0;
    const double depth = above > below ? above : below;
    if (depth > 0.0) out.c[c] = sign * depth;
    if (depth <= deepest) continue;
    deepest = depth;
    normal = (dvec){{0, 0, 0}};
    normal.c[c] = sign;
  }
  if (deepest > 0.0)
    keep_point(s, (dvec){{0, 0, 0}}, out, 0.0);
  else
    keep(s, deepest, normal);
}

static surface surface_near(const throng_scenery_def *d, const ref_feeler *who, dvec x, float reach) {
  surface s = {(double)reach, {{0, 0, 0}}};
  for (uint32_t k = 0; k < d->obstacle_count; k++)
    keep_point(&s, make(who, *point(d->obstacle_centre, k)), x, (double)((const float *)d->obstacle_radius.data)[k]);
  for (uint32_t k = 0; k < d->wall_count; k++)
    keep_wall(&s, make(who, *point(d->wall_from, k)), make(who, *point(d->wall_to, k)), x);
  for (uint32_t k = 0; k < d->box_count; k++)
    keep_box(&s, make(who, *point(d->box_min, k)), make(who, *point(d->box_max, k)), x);
  for (uint32_t k = 0; k < d->plane_count; k++) {
    const dvec n = plane_normal(d, who, k);
    keep(&s, dot(n, minus(x, make(who, *point(d->plane_point, k)))), n);
  }
  return s;
}

static dvec along(dvec a, dvec n) { return plus(a, n, -dot(a, n)); }

throng_vec3 ref_hug_walls(const throng_scenery_def *scenery, const ref_feeler *who, const throng_hug_walls *how) {
  const dvec p = make(who, who->p), v = make(who, who->v);
  const double speed = (double)who->speed, ahead = (double)how->look_ahead_time;
  ray r = {.from = p, .way = times(v, ahead)};
  cast_at_all(scenery, who, &r);
  const surface then = surface_near(scenery, who, plus(p, r.way, 1.0), how->reach);
  const dvec n = r.t <= 1.0 ? r.normal : then.normal;
  if (length(n) == 0.0) return (throng_vec3){0, 0, 0};
  const double h = r.t <= 1.0 ? -(dot(r.way, n) * r.t) : then.distance - dot(r.way, n);
  const dvec m = surface_near(scenery, who, p, how->reach).normal;
  dvec s = plus(along(v, n), along(m, n), 0.1 * speed);
  s = length(s) > 1e-6 * speed ? times(s, 1.0 / length(s)) : right_of(times(n, -1.0));
  const dvec g = plus(times(s, speed * ahead), n, (double)how->distance - h);
  return change_to(who, length(g) > 0.0 ? times(times(g, 1.0 / length(g)), speed) : g, how->time_to_target);
}
