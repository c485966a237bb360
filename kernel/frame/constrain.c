/* constrain.c: see constrain.h. An agent moves as a point that keeps a distance from shapes: its body radius plus a
 * clearance larger than rounding errors, or its distance at the beginning of the frame if that is smaller. The
 * resulting position is a proposal: a test, exact for walls, then decides whether the straight line from the old
 * position to it meets a shape. If it does, the proposal is not used. Formulas: docs/ARITHMETIC.md.
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "base/arithmetic.h"
#include "base/assertion.h"
#include "frame/constrain.h"
#include "passes/own.h"
#include "scenery/scenery_internal.h"
#include "state.h"

#define MAX_CONTACTS 8
#define MAX_TRIES 3

struct contact {
  uint32_t shape;
  struct vec normal;
};

struct sweep {
  const struct scenery *scenery;
  const struct space *space;
  struct vec start; /* position at the beginning of the frame */
  double body, clearance, reach;
  bool close; /* so close to a shape that rounding matters */
  int contacts;
  struct contact contact[MAX_CONTACTS];
};

struct hit {
  double t; /* fraction of the line; above 1: no hit */
  uint32_t shape;
  struct vec normal;
};

static void consider(struct sweep *sweep, uint32_t k, struct vec at, struct vec way, struct hit *hit) {
  const struct shape *shape = &sweep->scenery->shape[k];
  const double distance = throng_shape_nearest(shape, sweep->start).distance;
  double margin = sweep->body + sweep->clearance;
  if (distance > sweep->reach + margin + sweep->clearance) return;
  if (shape->kind == SHAPE_WALL && distance == 0.0) return; /* the agent is on it */
  for (int c = 0; c < sweep->contacts; c++) {
    if (sweep->contact[c].shape == k) return; /* the agent slides along it already */
  }
  if (distance < 2.0 * sweep->clearance) sweep->close = true;
  if (distance < margin) margin = distance;
  struct vec normal;
  double t = throng_shape_hit(shape, at, way, margin, 0.25 * sweep->clearance, &normal);
  if (t > 1.0 || t > hit->t || (t == hit->t && k > hit->shape)) return;
  *hit = (struct hit){t, k, normal};
}

/* The first hit; on a tie that of the smallest shape number. */
static struct hit first_hit(struct sweep *sweep, struct vec at, struct vec way) {
  struct scenery_near near = throng_scenery_near(sweep->scenery, at, way, sweep->body + 2.0 * sweep->clearance);
  struct hit hit = {2.0, 0, {0.0, 0.0, 0.0}};
  uint32_t k;
  while (throng_scenery_next(&near, &k)) consider(sweep, k, at, way, &hit);
  return hit;
}

/* Whether direction `d` leads into no contact. */
static bool is_allowed(const struct sweep *sweep, struct vec d) {
  const double doubt = -1e-9 * vec_length(d);
  for (int c = 0; c < sweep->contacts; c++) {
    if (vec_dot(sweep->contact[c].normal, d) < doubt) return false;
  }
  return true;
}

/* Returns the part of a line or velocity `d` that the contacts allow. It is the first of these that leads into no
 * contact: the whole direction; its part along one contact, beginning with the last contact; in spatial worlds its part
 * along the edge between two contacts; 0. */
static struct vec slide(const struct sweep *sweep, struct vec d) {
  const double noise = vec_dot(d, d) * 1e-24;
  if (is_allowed(sweep, d)) return d;
  for (int c = sweep->contacts - 1; c >= 0; c--) {
    struct vec normal = sweep->contact[c].normal, along = vec_sub(d, vec_scale(normal, vec_dot(normal, d)));
    if (vec_dot(along, along) > noise && is_allowed(sweep, along)) return along;
  }
  for (int c = sweep->contacts - 1; sweep->scenery->spatial && c > 0; c--) {
    for (int b = c - 1; b >= 0; b--) {
      struct vec edge = vec_cross(sweep->contact[c].normal, sweep->contact[b].normal);
      double square = vec_dot(edge, edge);
      if (!(square > 1e-12)) continue;
      struct vec along = vec_scale(edge, vec_dot(edge, d) / square);
      if (vec_dot(along, along) > noise && is_allowed(sweep, along)) return along;
    }
  }
  return (struct vec){0.0, 0.0, 0.0};
}

/* Shortens a line that would leave the limits of a sweep. */
static struct vec stay_in_box(const struct sweep *sweep, struct vec at, struct vec way) {
  if (!sweep->space->box && !sweep->space->periodic) return way;
  const double p[3] = {at.x, at.y, at.z}, d[3] = {way.x, way.y, way.z};
  const float *low = sweep->space->sweep_low, *high = sweep->space->sweep_high;
  double part = 1.0;
  for (int c = 0; c < 3; c++) {
    double room = d[c] > 0.0 ? (double)high[c] - p[c] : (double)low[c] - p[c];
    if (d[c] == 0.0 || room / d[c] >= part) continue;
    part = room / d[c] > 0.0 ? room / d[c] : 0.0;
  }
  return part < 1.0 ? vec_scale(way, part) : way;
}

/* Rounds x to a float: up if `away` is positive, down if it is negative. The result is within [low, high]. */
static float round_away(double x, double away, float low, float high) {
  float p = (float)x;
  if (away > 0.0 && (double)p < x) p = next_float(p, true);
  if (away < 0.0 && (double)p > x) p = next_float(p, false);
  return p < low ? low : (p > high ? high : p);
}
static struct vec round_position(const struct sweep *sweep, struct vec p) {
  const float *low = sweep->space->sweep_low, *high = sweep->space->sweep_high;
  struct vec away = {0.0, 0.0, 0.0};
  for (int c = 0; c < sweep->contacts; c++) away = vec_add(away, sweep->contact[c].normal);
  return (struct vec){(double)round_away(p.x, away.x, low[0], high[0]),
                      sweep->space->spatial ? (double)round_away(p.y, away.y, low[1], high[1]) : 0.0,
                      (double)round_away(p.z, away.z, low[2], high[2])};
}

/* Whether the straight line from the agent's start to p meets no shape. */
static bool is_clear(const struct sweep *sweep, struct vec p) {
  const struct vec way = vec_sub(p, sweep->start);
  struct scenery_near near = throng_scenery_near(sweep->scenery, sweep->start, way, sweep->clearance);
  uint32_t k;
  while (throng_scenery_next(&near, &k)) {
    if (throng_shape_meets(&sweep->scenery->shape[k], sweep->start, p, 0x1p-10 * sweep->clearance)) return false;
  }
  return true;
}

/* Sweeps from the start toward *p. Sets *p to the position, and *v to the velocity, that the scenery allows. */
static void sweep_shapes(struct sweep *sweep, struct vec *p, struct vec *v) {
  const struct vec whole = vec_sub(*p, sweep->start);
  struct vec at = sweep->start, first = at, way = whole;
  double left = 1.0; /* fraction of the frame */
  sweep->contacts = 0;
  sweep->close = false;
  for (;;) {
    struct hit hit = first_hit(sweep, at, way);
    at = vec_add(at, hit.t > 1.0 ? way : vec_scale(way, hit.t));
    if (hit.t > 1.0 || sweep->contacts == MAX_CONTACTS) break;
    ASSERT_ALONE(sweep->contacts < MAX_CONTACTS && hit.shape < sweep->scenery->shapes && hit.t >= 0.0);
    sweep->contact[sweep->contacts++] = (struct contact){hit.shape, hit.normal};
    if (sweep->contacts == 1) first = round_position(sweep, at);
    left *= 1.0 - hit.t;
    way = stay_in_box(sweep, at, slide(sweep, vec_scale(whole, left)));
    if (vec_dot(way, way) == 0.0) break;
  }
  if (sweep->contacts == 0 && (!sweep->close || is_clear(sweep, *p))) return;
  const struct vec last = round_position(sweep, at);
  *v = slide(sweep, *v);
  if (vec_length(vec_sub(at, sweep->start)) < 0x1p-4 * sweep->clearance) {
    *p = sweep->start; /* so that rounding does not move an agent that is at rest */
  } else {
    *p = is_clear(sweep, last) ? last : (is_clear(sweep, first) ? first : sweep->start);
  }
}

/* Returns the last point of the straight line from the start to p before the body meets a shape or the agent a blocked
 * cell. */
static struct vec cut_line(struct sweep *sweep, const struct cells *cells, struct vec p) {
  const struct vec way = vec_sub(p, sweep->start);
  sweep->contacts = 0;
  const struct hit hit = first_hit(sweep, sweep->start, way);
  const double cell = throng_cells_hit(cells, (float)sweep->start.x, (float)sweep->start.z, (float)p.x, (float)p.z);
  const double part = hit.t < cell ? hit.t : cell;
  if (hit.t <= 1.0) sweep->contact[sweep->contacts++] = (struct contact){hit.shape, hit.normal};
  if (part <= 1.0) p = round_position(sweep, vec_add(sweep->start, vec_scale(way, part)));
  float x = (float)p.x, z = (float)p.z, ignored[2];
  throng_cells_sweep(cells, (float)sweep->start.x, (float)sweep->start.z, &x, &z, &ignored[0], &ignored[1]);
  p = (struct vec){(double)x, 0.0, (double)z}; /* rounding may have moved the point into the cell */
  return is_clear(sweep, p) ? p : sweep->start;
}

/* Sweeps through shapes and cells in turn: sliding along one may lead into the other. If the position still changes
 * after MAX_TRIES turns, the agent moves straight toward the result of the first slide or of the last one, whichever
 * way is longer, and stops at the first obstacle. */
static void sweep_all(struct sweep *sweep, const struct cells *cells, struct vec *p, struct vec *v) {
  struct vec first = *p;
  for (int k = 0; k < MAX_TRIES; k++) {
    const struct vec before = *p;
    sweep_shapes(sweep, p, v);
    if (k == 0) first = *p;
    if (!cells->blocked || (k > 0 && p->x == before.x && p->z == before.z)) return;
    float x = (float)p->x, z = (float)p->z, vx = (float)v->x, vz = (float)v->z;
    throng_cells_sweep(cells, (float)sweep->start.x, (float)sweep->start.z, &x, &z, &vx, &vz);
    bool changed = (double)x != p->x || (double)z != p->z;
    *p = (struct vec){(double)x, 0.0, (double)z};
    *v = (struct vec){(double)vx, 0.0, (double)vz};
    if (!changed) return;
  }
  const struct vec last = cut_line(sweep, cells, *p);
  first = cut_line(sweep, cells, first);
  const struct vec to_first = vec_sub(first, sweep->start), to_last = vec_sub(last, sweep->start);
  *p = vec_dot(to_first, to_first) > vec_dot(to_last, to_last) ? first : last;
  *v = (struct vec){0.0, 0.0, 0.0};
}

static struct vec load_vec(float *const column[3], uint32_t i, bool spatial) {
  return (struct vec){(double)column[0][i], spatial ? (double)column[1][i] : 0.0, (double)column[2][i]};
}
static void store_vec(float *const column[3], uint32_t i, struct vec a, bool spatial) {
  column[0][i] = (float)a.x;
  if (spatial) column[1][i] = (float)a.y;
  column[2][i] = (float)a.z;
}

static bool in_range(struct vec p, double limit) {
  return p.x >= -limit && p.x <= limit && p.y >= -limit && p.y <= limit && p.z >= -limit && p.z <= limit;
}

/* Cuts a motion that ends more than half a period beyond the box along a periodic axis. Returns whether it did. */
static bool cut_to_limits(const struct space *space, struct vec at, struct vec *p) {
  if (!space->periodic) return false;
  const struct sweep sweep = {.space = space};
  const struct vec way = vec_sub(*p, at), cut = stay_in_box(&sweep, at, way);
  if (cut.x == way.x && cut.y == way.y && cut.z == way.z) return false;
  *p = round_position(&sweep, vec_add(at, cut));
  return true;
}

static void constrain_to_scenery(const struct frame *frame, uint32_t i, float *const from[3], float *const to[3],
                                 float *const velocity[3]) {
  const struct scenery *scenery = frame->scenery;
  const struct space *space = frame->grid->space;
  const bool spatial = scenery->spatial;
  const double farthest = space->periodic ? (double)FLT_MAX : (double)space->limit;
  const struct vec at = load_vec(from, i, spatial), none = {0.0, 0.0, 0.0};
  struct vec p = load_vec(to, i, spatial), v = velocity ? load_vec(velocity, i, spatial) : none;
  if (!in_range(p, farthest) || !in_range(v, (double)MOST_SPEED)) return; /* the check of the frame will fail */
  if (cut_to_limits(space, at, &p)) store_vec(to, i, p, spatial);
  const struct vec way = vec_sub(p, at);
  if (way.x == 0.0 && way.y == 0.0 && way.z == 0.0) return;
  struct sweep sweep;
  sweep.scenery = scenery;
  sweep.space = space;
  sweep.start = at;
  sweep.reach = vec_length(way);
  sweep.body = (double)*body_radius_of(frame, i);
  sweep.clearance = 0x1p-20 * (fabs(at.x) + fabs(at.y) + fabs(at.z) + sweep.reach + (double)space->radius);
  const double around = sweep.reach + sweep.body + 2.0 * sweep.clearance;
  if (!frame->cells->blocked && throng_scenery_is_empty(scenery, at, around)) return;
  sweep_all(&sweep, frame->cells, &p, &v);
  store_vec(to, i, p, spatial);
  if (velocity) store_vec(velocity, i, v, spatial);
}

static void constrain_to_cells(const struct frame *frame, uint32_t i, float *const from[3], float *const to[3],
                               float *const velocity[3]) {
  const struct space *space = frame->grid->space;
  struct vec p = load_vec(to, i, false);
  if (!in_range(p, space->periodic ? (double)FLT_MAX : (double)space->limit)) return; /* as above */
  if (cut_to_limits(space, load_vec(from, i, false), &p)) store_vec(to, i, p, false);
  float ignored[2], *vx = velocity ? &velocity[0][i] : &ignored[0], *vz = velocity ? &velocity[2][i] : &ignored[1];
  throng_cells_sweep(frame->cells, from[0][i], from[2][i], &to[0][i], &to[2][i], vx, vz);
}

void throng_constrain(const struct frame *frame, const struct motion_passes *passes, const struct strip *strip,
                      float *const from[3], float *const to[3], float *const velocity[3]) {
  uint32_t listed[STRIP_CAPACITY];
  const uint32_t count = passes->encounters(frame, strip, from, to, listed);
  for (uint32_t k = 0; k < count; k++) {
    if (frame->scenery->shapes) {
      constrain_to_scenery(frame, listed[k], from, to, velocity);
    } else {
      constrain_to_cells(frame, listed[k], from, to, velocity);
    }
  }
}

void throng_constrain_wrap(const struct frame *frame, const struct strip *strip) {
  const struct space *space = frame->grid->space;
  float *const *to = frame->back->f + COLUMN_POSITION_X, *const *from = frame->front->f + COLUMN_POSITION_X;
  if (!space->periodic) return;
  for (uint32_t i = strip->begin; i < strip->end; i++) {
    const struct vec p = load_vec(to, i, space->spatial);
    const struct vec wrapped = {(double)space_wrap(space, 0, (float)p.x), (double)space_wrap(space, 1, (float)p.y),
                                (double)space_wrap(space, 2, (float)p.z)};
    if (wrapped.x == p.x && wrapped.y == p.y && wrapped.z == p.z) continue;
    const bool free = throng_scenery_is_free(frame->scenery, wrapped, 0.0) &&
                      throng_cells_is_free(frame->cells, (float)wrapped.x, (float)wrapped.z, 0.0f);
    store_vec(to, i, free ? wrapped : load_vec(from, i, space->spatial), space->spatial);
  }
}

static bool near_face(const struct space *space, const float p[3], float reach) {
  for (int c = 0; c < 3; c++) {
    if (space->boundary[c] != THRONG_BOUNDARY_BOX) continue;
    if (p[c] - space->face_low[c] < reach || space->face_high[c] - p[c] < reach) return true;
  }
  return false;
}

void throng_constrain_blocked(const struct frame *frame, const struct strip *strip) {
  const struct space *space = frame->grid->space;
  const float *before = frame->front->f[COLUMN_BLOCKED_TIME];
  float *time = frame->back->f[COLUMN_BLOCKED_TIME];
  for (uint32_t i = strip->begin; i < strip->end; i++) {
    if (time[i] >= 0.0f) continue;
    const struct vec at = load_vec(frame->front->f + COLUMN_POSITION_X, i, space->spatial);
    const float p[3] = {(float)at.x, (float)at.y, (float)at.z}, reach = NEAR_RADII * *body_radius_of(frame, i);
    const bool near = near_face(space, p, reach) || !throng_scenery_is_free(frame->scenery, at, (double)reach) ||
                      !throng_cells_is_free(frame->cells, p[0], p[2], reach);
    const float shorter = before[i] > frame->dt ? before[i] - frame->dt : 0.0f;
    time[i] = near ? -time[i] : shorter;
  }
}
