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

static void cast(const throng_scenery_def *s, const ref_feeler *who, ray *r) {
  r->t = 2.0;
  for (uint32_t k = 0; k < s->wall_count; k++)
    meet_wall(r, make(who, *point(s->wall_from, k)), make(who, *point(s->wall_to, k)));
  for (uint32_t k = 0; k < s->box_count; k++)
    meet_box(r, make(who, *point(s->box_min, k)), make(who, *point(s->box_max, k)));
  for (uint32_t k = 0; k < s->plane_count; k++) {
    const throng_vec3 given = *point(s->plane_normal, k);
    const double l = length(make(who, given));
    const dvec n = make(who, (throng_vec3){(float)((double)given.x * (1.0 / l)), (float)((double)given.y * (1.0 / l)),
                                           (float)((double)given.z * (1.0 / l))});
    const double m = -dot(n, r->way);
    if (m > 0.0) meet(r, dot(n, minus(r->from, make(who, *point(s->plane_point, k)))) / m, n);
  }
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

float ref_free_time(const throng_scenery_def *scenery, throng_vec3 q, throng_vec3 u, bool spatial, float most) {
  const ref_feeler who = {.spatial = spatial};
  ray r = {.from = make(&who, q), .way = times(make(&who, u), (double)most)};
  cast(scenery, &who, &r);
  meet_balls(scenery, &who, &r);
  return r.t <= 1.0 ? (float)((double)most * r.t) : most;
}
