/* tests/reference/reference_scenery.c
 * SPDX-License-Identifier: MIT */
#include "reference/reference_scenery.h"

#include "reference/reference_a.h"
#include "reference/reference_map.h"

#include <math.h>

#define MOST 1e12f

typedef throng_vec3 vec;
static const vec none = {0, 0, 0};

static vec plus(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec minus(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec times(vec a, float s) { return (vec){a.x * s, a.y * s, a.z * s}; }
/* In planar worlds y is 0 in all vectors, so this is the planar dot product. */
static float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static float length(vec a) { return sqrtf(dot(a, a)); }
#define LEAST 0x1p-120f /* a vector has a direction if its squared length is above this */
static float inv_len(vec a) { return dot(a, a) > LEAST ? 1.0f / length(a) : 0.0f; }
static vec clip(vec a, float m) {
  if (!(dot(a, a) > m * m)) return a;
  const vec along = isinf(dot(a, a)) ? times(a, 0x1p-66f) : a;
  return times(along, m / length(along));
}
static float least(float a, float b) { return a < b ? a : b; }
static float most(float a, float b) { return a > b ? a : b; }

static vec own(const ref_feeler *who, vec a) { return (vec){a.x, who->spatial ? a.y : 0.0f, a.z}; }
/* Returns the vector from the agent to a point of a shape. */
static vec there(const ref_feeler *who, const throng_vec3 *a) { return own(who, minus(*a, who->p)); }
static float body_of(const ref_feeler *who) { return least(who->body, MOST); }
static vec right_of(const ref_feeler *who, vec h) {
  const vec right = {-h.z, 0, h.x};
  if (!who->spatial) return right;
  return dot(right, right) > LEAST ? times(right, inv_len(right)) : (vec){-1, 0, 0};
}

static const throng_vec3 *point(throng_span span, uint32_t k) { return (const throng_vec3 *)span.data + k; }
static float radius_of(const throng_scenery_def *s, uint32_t k) { return ((const float *)s->obstacle_radius.data)[k]; }

typedef struct ray {
  vec from, way;
  float t; /* fraction of `way` before the first hit; 2: no hit */
  vec normal;
} ray;

static void meet(ray *r, float t, vec normal) {
  if (!(t >= 0.0f && t <= 1.0f) || t >= r->t) return;
  r->t = t;
  r->normal = normal;
}

static float axis_of(vec a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
static vec along_axis(int axis, float a) {
  return (vec){axis == 0 ? a : 0.0f, axis == 1 ? a : 0.0f, axis == 2 ? a : 0.0f};
}

static ref_map map_of(const ref_feeler *who) { return (ref_map){who->cells, {who->repeats[0], who->repeats[1]}}; }

static void meet_cells(const ref_feeler *who, ray *r) {
  if (!who->cells) return;
  const ref_map map = map_of(who);
  const ref_map_hit hit = ref_map_ray(&map, plus(who->p, r->from), r->way);
  meet(r, hit.t, hit.normal);
}
static void meet_faces(const ref_feeler *who, ray *r) {
  for (int c = 0; who->box && c < 3; c += who->spatial ? 1 : 2) {
    const float w = axis_of(r->way, c), face = w > 0.0f ? axis_of(who->high, c) : axis_of(who->low, c);
    if (w == 0.0f) continue;
    meet(r, ((face - axis_of(who->p, c)) - axis_of(r->from, c)) / w, along_axis(c, w > 0.0f ? -1.0f : 1.0f));
  }
}

/* The pushes of obstacle avoidance. `nearest`: the squared distance of the one that counts with nearest_only. */
typedef struct pushes {
  bool nearest_only;
  vec sum;
  float nearest;
} pushes;
static void push_by(pushes *all, vec push, float distance_sq) {
  if (!all->nearest_only) {
    all->sum = plus(all->sum, push);
  } else if (distance_sq < all->nearest) {
    all->nearest = distance_sq;
    all->sum = push;
  }
}

static void push_from_border(pushes *all, const ref_feeler *who, const throng_avoid_obstacles *how, const ray *r, vec h,
                             float feeler) {
  if (!(r->t <= 1.0f)) return;
  const vec right = right_of(who, h), off = minus(r->normal, times(h, dot(h, r->normal)));
  const float q = dot(off, off), distance = most(r->t * feeler, 1e-6f);
  vec side = times(right, who->id % 2 == 1 ? 1.0f : -1.0f);
  if (q > 1e-10f) side = times(off, 1.0f / sqrtf(q));
  push_by(all, times(side, least((how->strength * feeler) / distance, 1e12f)), distance * distance);
}

throng_vec3 ref_avoid_obstacles(const throng_scenery_def *scenery, const ref_feeler *who,
                                const throng_avoid_obstacles *how) {
  const vec v = own(who, who->v);
  if (!(dot(v, v) > LEAST)) return none;
  const vec h = times(v, inv_len(v));
  const float feeler = least(how->look_ahead + how->look_ahead_time * length(v), MOST);
  pushes all = {how->nearest_only, none, INFINITY};
  for (uint32_t k = 0; k < scenery->obstacle_count; k++) {
    const vec d = there(who, point(scenery->obstacle_centre, k));
    const float ahead = dot(d, h), reach = radius_of(scenery, k) + body_of(who);
    const vec off = minus(d, times(h, ahead));
    const float q = dot(off, off);
    if (!(ahead > 0.0f && ahead < feeler && q < reach * reach)) continue;
    const vec right = right_of(who, h), beside = who->id % 2 == 1 ? right : times(right, -1.0f);
    const vec side = q > (1e-5f * reach) * (1e-5f * reach) ? times(off, -1.0f / sqrtf(q)) : beside;
    const vec push = times(side, least((how->strength * feeler) / length(d), 1e12f));
    push_by(&all, push, dot(d, d));
  }
  const vec w = times(h, feeler);
  const ray straight = {none, dot(w, w) > LEAST ? w : none, 2.0f, none};
  ray to_cell = straight, to_face = straight;
  if (how->sees_all) {
    meet_cells(who, &to_cell);
    meet_faces(who, &to_face);
  }
  push_from_border(&all, who, how, &to_cell, h, feeler);
  push_from_border(&all, who, how, &to_face, h, feeler);
  return clip(all.sum, who->limit);
}

static void meet_wall(ray *r, vec e, vec a) {
  const vec g = minus(a, r->from), w = r->way;
  float x = w.x * e.z - w.z * e.x, y = g.x * w.z - g.z * w.x;
  const float s = x > 0.0f ? -inv_len(e) : inv_len(e);
  if (x < 0.0f) {
    x = -x;
    y = -y;
  }
  if (!(x > 0.0f && y >= 0.0f && y <= x)) return;
  const vec c = plus(g, times(e, y / x));
  meet(r, dot(c, w) / dot(w, w), (vec){e.z * s, 0, -e.x * s});
}

static void meet_box(ray *r, vec low, vec high) {
  const float from[3] = {r->from.x, r->from.y, r->from.z}, way[3] = {r->way.x, r->way.y, r->way.z};
  const float lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
  float in = -1.0f, out = 1.0f, face[3] = {0, 0, 0};
  for (int c = 0; c < 3; c++) {
    const float below = lows[c] - from[c], above = highs[c] - from[c], w = way[c];
    if (w == 0.0f) {
      if (below > 0.0f || above < 0.0f) return;
      continue;
    }
    const float enters = (w > 0.0f ? below : above) / w, leaves = (w > 0.0f ? above : below) / w;
    out = least(leaves, out);
    if (enters <= in) continue;
    in = enters;
    face[0] = face[1] = face[2] = 0.0f;
    face[c] = w > 0.0f ? -1.0f : 1.0f;
  }
  if (in <= out) meet(r, in, (vec){face[0], face[1], face[2]});
}

/* Returns the plane's normal, scaled to length 1 as in the world. */
static vec plane_normal(const throng_scenery_def *s, uint32_t k) {
  const throng_vec3 n = *point(s->plane_normal, k);
  const double l = sqrt((double)n.x * (double)n.x + (double)n.y * (double)n.y + (double)n.z * (double)n.z);
  return (vec){(float)((double)n.x * (1.0 / l)), (float)((double)n.y * (1.0 / l)), (float)((double)n.z * (1.0 / l))};
}

static vec along_wall(const throng_scenery_def *s, uint32_t k) {
  const vec e = minus(*point(s->wall_to, k), *point(s->wall_from, k));
  return (vec){e.x, 0, e.z};
}

static void meet_surfaces(const throng_scenery_def *s, const ref_feeler *who, ray *r) {
  for (uint32_t k = 0; k < s->wall_count; k++) meet_wall(r, along_wall(s, k), there(who, point(s->wall_from, k)));
  for (uint32_t k = 0; k < s->box_count; k++)
    meet_box(r, there(who, point(s->box_min, k)), there(who, point(s->box_max, k)));
  for (uint32_t k = 0; k < s->plane_count; k++) {
    const vec n = plane_normal(s, k);
    const float m = -dot(n, r->way);
    if (m > 0.0f) meet(r, dot(n, minus(r->from, there(who, point(s->plane_point, k)))) / m, n);
  }
}

static void meet_balls(const throng_scenery_def *s, const ref_feeler *who, ray *r) {
  for (uint32_t k = 0; k < s->obstacle_count; k++) {
    const vec d = minus(there(who, point(s->obstacle_centre, k)), r->from);
    const float radius = radius_of(s, k), a = dot(r->way, r->way), nearest = dot(d, r->way) / a;
    const vec off = minus(d, times(r->way, nearest));
    const float j = radius * radius - dot(off, off);
    if (!(dot(d, d) >= radius * radius && nearest > 0.0f && j >= 0.0f)) continue;
    const float t = most(nearest - sqrtf(j) / sqrtf(a), 0.0f);
    const vec out = minus(times(r->way, t), d);
    meet(r, t, inv_len(out) > 0.0f ? times(out, inv_len(out)) : times(r->way, -inv_len(r->way)));
  }
}

static void spread(const ref_feeler *who, const throng_avoid_walls *how, float reach, float angle, ray rays[3]) {
  const vec v = own(who, who->v), h = times(v, inv_len(v)), right = right_of(who, h), forward = times(h, reach);
  const ref_angle turn = ref_a_sincos(angle);
  const float whisker = reach * how->whisker;
  const vec ahead = times(h, whisker * turn.cos), aside = times(right, whisker * turn.sin);
  rays[0] = (ray){none, forward, 2.0f, none};
  rays[1] = (ray){none, minus(ahead, aside), 2.0f, none};
  rays[2] = (ray){none, plus(ahead, aside), 2.0f, none};
  if (how->rays != THRONG_RAYS_PARALLEL) return;
  rays[1] = (ray){times(right, -body_of(who)), forward, 2.0f, none};
  rays[2] = (ray){times(right, body_of(who)), forward, 2.0f, none};
}

throng_vec3 ref_avoid_walls(const throng_scenery_def *scenery, const ref_feeler *who, const throng_avoid_walls *how,
                            float dt, float fan[2]) {
  const vec v = own(who, who->v);
  const float reach = least(how->look_ahead + how->look_ahead_time * length(v), MOST);
  const throng_rays mode = how->rays;
  const uint32_t shapes = scenery->obstacle_count + scenery->wall_count + scenery->box_count + scenery->plane_count;
  const bool more = how->sees_all && (who->box || who->cells);
  if (!(dot(v, v) > LEAST) || (shapes == 0 && !more)) return none;
  float angle = how->angle;
  if (mode == THRONG_RAYS_FAN) angle = least(fan[0] > angle ? fan[0] : angle, how->widest);
  ray rays[3];
  spread(who, how, reach, angle, rays);
  int won = -1;
  float nearest = INFINITY;
  for (int k = 0; k < 3; k++) {
    if ((mode == THRONG_RAYS_SINGLE && k > 0) || (mode == THRONG_RAYS_PARALLEL && k == 0)) continue;
    if (!(dot(rays[k].way, rays[k].way) > LEAST)) rays[k].way = none;
    if (how->sees_all) meet_balls(scenery, who, &rays[k]);
    meet_surfaces(scenery, who, &rays[k]);
    if (how->sees_all) {
      meet_cells(who, &rays[k]);
      meet_faces(who, &rays[k]);
    }
    const float distance = rays[k].t * length(rays[k].way);
    if (rays[k].t > 1.0f || distance >= nearest) continue;
    nearest = distance;
    won = k;
  }
  if (mode == THRONG_RAYS_FAN) {
    if (fan[1] > 0.0f && rays[(int)fan[1]].t <= 1.0f) won = (int)fan[1];
    const float next = won >= 0 ? angle + how->spread_rate * dt : angle - how->spread_rate * dt;
    fan[0] = most(least(next, how->widest), how->angle);
    fan[1] = won >= 0 ? (float)won : 0.0f;
  }
  if (won < 0) return none;
  const vec q =
      plus(plus(rays[won].from, times(rays[won].way, rays[won].t)), times(rays[won].normal, how->avoid_distance));
  return times(times(q, inv_len(q)), who->limit);
}

static vec dir_time(const ref_feeler *who, vec wanted, float time) {
  return clip(times(minus(wanted, own(who, who->v)), 1.0f / time), who->limit);
}

/* Whether p is inside the box and not in a blocked cell. */
static bool is_reachable(const ref_feeler *who, vec p) {
  for (int c = 0; who->box && c < 3; c += who->spatial ? 1 : 2) {
    if (!(axis_of(p, c) > axis_of(who->low, c) && axis_of(p, c) < axis_of(who->high, c))) return false;
  }
  const ref_map map = map_of(who);
  return !who->cells || !ref_map_is_blocked(&map, p);
}

throng_vec3 ref_hide(const throng_scenery_def *scenery, const ref_feeler *who, const throng_hide *how, throng_vec3 dp) {
  vec best = none;
  float nearest = INFINITY;
  for (uint32_t k = 0; k < scenery->obstacle_count; k++) {
    const vec d = there(who, point(scenery->obstacle_centre, k)), away = minus(d, own(who, dp));
    const float r = radius_of(scenery, k), l = dot(away, away);
    if (!(length(d) - r <= how->reach && l > 0.0f)) continue;
    const vec place = plus(d, times(away, ((r + body_of(who)) + how->distance) / sqrtf(l)));
    if (dot(place, place) >= nearest || (how->sees_all && !is_reachable(who, plus(who->p, place)))) continue;
    nearest = dot(place, place);
    best = place;
  }
  if (how->sees_all && who->cells) {
    const ref_map_hider hider = {who->p, dp, how->reach, body_of(who), how->distance, who->box, who->low, who->high};
    const ref_map map = map_of(who);
    const vec place = ref_map_cover(&map, &hider);
    if (dot(place, place) < nearest) {
      nearest = dot(place, place);
      best = place;
    }
  }
  if (nearest == INFINITY) return none;
  const float n = sqrtf(nearest);
  float speed = n < how->slow_radius ? (who->speed * n) / how->slow_radius : who->speed;
  if (n <= how->target_radius) speed = 0.0f;
  return dir_time(who, times(best, speed * inv_len(best)), how->time_to_target);
}

/* The nearest surface so far; without a surface, the search radius and a zero normal. */
typedef ref_surface surface;

static void keep(surface *s, float distance, vec normal) {
  if (!(distance < s->distance || (distance == s->distance && length(s->normal) == 0.0f))) return;
  s->distance = distance;
  s->normal = normal;
}

static void keep_point(surface *s, vec d, float radius) {
  const float l = length(d);
  keep(s, l - radius, l > 0.0f ? times(d, 1.0f / l) : (vec){1, 0, 0});
}

/* e is the vector along the wall; d and f are the vectors from its two ends to the position. */
static void keep_wall(surface *s, vec e, vec d, vec f) {
  const float g = dot(d, e), y = e.x * d.z - e.z * d.x, k = y < 0.0f ? -inv_len(e) : inv_len(e);
  if (g <= 0.0f || g >= dot(e, e))
    keep_point(s, g <= 0.0f ? d : f, 0.0f);
  else
    keep(s, y * k, (vec){-e.z * k, 0, e.x * k});
}

static void keep_box(surface *s, vec low, vec high, vec x) {
  const float lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z}, at[3] = {x.x, x.y, x.z};
  float out[3] = {0, 0, 0}, normal[3] = {0, 0, 0}, deepest = -INFINITY;
  for (int c = 0; c < 3; c++) {
    const float below = lows[c] - at[c], above = at[c] - highs[c], sign = above > below ? 1.0f : -1.0f;
    const float depth = most(above, below);
    if (depth > 0.0f) out[c] = sign * depth;
    if (depth <= deepest) continue;
    deepest = depth;
    normal[0] = normal[1] = normal[2] = 0.0f;
    normal[c] = sign;
  }
  if (deepest > 0.0f)
    keep_point(s, (vec){out[0], out[1], out[2]}, 0.0f);
  else
    keep(s, deepest, (vec){normal[0], normal[1], normal[2]});
}

static void keep_borders(surface *s, const ref_feeler *who, vec x, float reach) {
  if (who->cells) {
    const ref_map map = map_of(who);
    const ref_map_surface found = ref_map_nearest(&map, plus(who->p, x), reach);
    if (found.found) keep(s, found.distance, found.normal);
  }
  for (int c = 0; who->box && c < 3; c += who->spatial ? 1 : 2) {
    const float p = axis_of(who->p, c), at = axis_of(x, c);
    keep(s, at - (axis_of(who->low, c) - p), along_axis(c, 1.0f));
    keep(s, (axis_of(who->high, c) - p) - at, along_axis(c, -1.0f));
  }
}

static surface surface_near(const throng_scenery_def *d, const ref_feeler *who, vec x, float reach, bool sees_all) {
  surface s = {reach, none};
  for (uint32_t k = 0; k < d->obstacle_count; k++)
    keep_point(&s, minus(x, there(who, point(d->obstacle_centre, k))), radius_of(d, k));
  for (uint32_t k = 0; k < d->wall_count; k++)
    keep_wall(&s, along_wall(d, k), minus(x, there(who, point(d->wall_from, k))),
              minus(x, there(who, point(d->wall_to, k))));
  for (uint32_t k = 0; k < d->box_count; k++)
    keep_box(&s, there(who, point(d->box_min, k)), there(who, point(d->box_max, k)), x);
  for (uint32_t k = 0; k < d->plane_count; k++) {
    const vec n = plane_normal(d, k);
    keep(&s, dot(n, minus(x, there(who, point(d->plane_point, k)))), n);
  }
  if (sees_all) keep_borders(&s, who, x, reach);
  return s;
}

uint32_t ref_surfaces(const throng_scenery_def *d, const ref_feeler *who, float reach, ref_surface *out,
                      uint32_t most) {
  const uint32_t before = d ? d->obstacle_count + d->wall_count : 0, boxes = d ? before + d->box_count : 0;
  const uint32_t shapes = d ? boxes + d->plane_count : 0;
  uint32_t count = 0;
  ref_map_surface other = {0};
  for (uint32_t k = 0; k <= shapes && count < most; k++) {
    surface s = {reach, none};
    if (k == shapes) {
      const ref_map map = map_of(who);
      const ref_map_surface found = who->cells ? ref_map_nearest(&map, who->p, reach) : (ref_map_surface){0};
      if (found.found) keep(&s, found.distance, found.normal);
      if (found.found && (found.normal.x == 0.0f || found.normal.z == 0.0f)) {
        other = ref_map_straight(&map, who->p, found.normal.x == 0.0f ? 0 : 1, reach);
      }
    } else if (k < d->obstacle_count) {
      keep_point(&s, minus(none, there(who, point(d->obstacle_centre, k))), radius_of(d, k));
    } else if (k < before) {
      const uint32_t w = k - d->obstacle_count;
      keep_wall(&s, along_wall(d, w), minus(none, there(who, point(d->wall_from, w))),
                minus(none, there(who, point(d->wall_to, w))));
    } else if (k < boxes) {
      keep_box(&s, there(who, point(d->box_min, k - before)), there(who, point(d->box_max, k - before)), none);
    } else {
      const vec n = plane_normal(d, k - boxes);
      keep(&s, dot(n, minus(none, there(who, point(d->plane_point, k - boxes)))), n);
    }
    if (length(s.normal) > 0.0f) out[count++] = s;
  }
  if (other.found && count < most) out[count++] = (surface){other.distance, other.normal};
  return count;
}

static float within(float a) { return a > 1e18f ? 1e18f : (a < -1e18f ? -1e18f : a); }
static vec along(vec a, vec n) { return minus(a, times(n, dot(a, n))); }

throng_vec3 ref_hug_walls(const throng_scenery_def *scenery, const ref_feeler *who, const throng_hug_walls *how) {
  const vec v = own(who, who->v);
  const vec u = times(v, how->look_ahead_time);
  const vec w = clip((vec){within(u.x), within(u.y), within(u.z)}, MOST);
  ray r = {none, dot(w, w) > LEAST ? w : none, 2.0f, none};
  meet_balls(scenery, who, &r);
  meet_surfaces(scenery, who, &r);
  if (how->sees_all) {
    meet_cells(who, &r);
    meet_faces(who, &r);
  }
  const surface then = surface_near(scenery, who, r.way, how->reach, how->sees_all);
  const vec n = r.t <= 1.0f ? r.normal : then.normal;
  if (r.t > 1.0f && length(then.normal) == 0.0f) return none;
  const float h = r.t <= 1.0f ? -(dot(r.way, n) * r.t) : then.distance - dot(r.way, n);
  const vec m = surface_near(scenery, who, none, how->reach, how->sees_all).normal;
  vec s = plus(along(v, n), times(along(m, n), 0.1f * who->speed));
  const float q = dot(s, s), little = 1e-5f * who->speed;
  s = q > little * little ? times(s, 1.0f / sqrtf(q)) : right_of(who, times(n, -1.0f));
  const vec g = plus(times(s, least(who->speed * how->look_ahead_time, MOST)), times(n, how->distance - h));
  return dir_time(who, times(g, who->speed * inv_len(g)), how->time_to_target);
}
