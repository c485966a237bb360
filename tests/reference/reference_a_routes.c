/* tests/reference/reference_a_routes.c: reference A's routes of vehicles. SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

bool ref_a_finds_routes(const throng_group_def *g) {
  return g->actuation == THRONG_ACTUATION_VEHICLE && g->facing <= THRONG_FACING_SMOOTH &&
         g->vehicle.max_thrust > 0.0f && g->vehicle.max_lateral > 0.0f;
}

bool ref_a_settles(const frame *f, const crowd_agent *a, vec u) {
  const float top = crowd_max_speed(f->crowd, a), slow = (isinf(top) ? 0.0f : top) * 0.25f;
  return vec_dot(f, u, u) <= slow * slow;
}

/* The values of the page that several of its steps read. */
typedef struct way {
  vec facing, side;
  float speed_sq, pace, x, y, l, l2, off, r, lateral, w, thrust, brake;
  bool turns_back, backs, passes;
} way;

static void look(const frame *f, const crowd_agent *a, const ref_route *in, way *k) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  const throng_vehicle *car = &g->vehicle;
  k->r = car->turning_radius;
  k->lateral = smaller(car->max_lateral, crowd_acceleration(f->crowd, a) * 0.5f);
  k->w = crowd_max_yaw_rate(f->crowd, a);
  if (g->facing == THRONG_FACING_SMOOTH) k->w = smaller(0.5f / g->facing_time, k->w);
  if (in->time > 0.0f) k->w = smaller(k->w, 0.5f / in->time);
  k->thrust = crowd_limit(f->crowd, a, car->max_thrust);
  k->brake = crowd_limit(f->crowd, a, car->max_brake);
  k->facing = frame_facing(f, a);
  k->speed_sq = vec_dot(f, a->velocity, a->velocity);
  k->pace = vec_dot(f, a->velocity, k->facing);
  k->l2 = vec_dot(f, in->d, in->d);
  k->l = sqrtf(k->l2);
  k->x = vec_dot(f, in->d, k->facing);
  const vec aside = vec_sub(in->d, vec_scale(k->facing, k->x));
  k->y = sqrtf(vec_dot(f, aside, aside));
  k->side = k->y > k->l * 1e-4f ? vec_scale(aside, vec_inv_len(f, aside)) : frame_right(f, a);
}

static void choose(const ref_route *in, way *k) {
  const float across = k->r + k->r, longer = k->pace < 0.0f ? 1.5f : 1.0f;
  const bool turns = in->turns && k->brake > 0.0f, behind = k->x < 0.0f;
  const float begin = turns ? across : across / longer;
  const bool inside = k->l2 < (behind ? begin : across * longer) * k->off;
  const bool close = k->l < smaller(across * longer, in->backing) && !inside;
  k->turns_back = in->settles && turns && inside;
  k->backs = k->turns_back || (behind && (!in->settles || close) && k->brake > 0.0f && in->backing > 0.0f);
  float circle = larger(k->r, k->speed_sq / k->lateral);
  circle = larger(circle, sqrtf(k->speed_sq) / k->w);
  const bool misses = behind ? k->l2 < circle * ((k->l + k->l) - k->x * 0.5f) : k->l2 < (circle + circle) * k->off;
  k->passes = in->settles && !turns && !k->backs && misses;
}

static void set_way(const frame *f, const crowd_agent *a, ref_route *r, const way *k) {
  const float back = k->backs ? -1.0f : 1.0f, speed = sqrtf(k->speed_sq), most = crowd_acceleration(f->crowd, a);
  const vec h = vec_scale(k->facing, back), s = vec_scale(k->side, k->turns_back ? -1.0f : 1.0f);
  float length = k->l, gain = larger((k->speed_sq * 4.0f) / (most * k->l), ((speed * r->time) * 4.0f) / k->l);
  if (k->turns_back || k->passes) length = k->l + (k->r + k->r);
  gain = larger(gain, 1.0f);
  const float sideways = k->y * gain;
  if (k->turns_back || k->passes) r->longer = length / k->l;
  r->heading = h;
  if (k->pace * back < 0.0f || k->passes) {
    r->way = vec_scale(h, length);
  } else if (k->turns_back || !(k->x * back >= sideways)) {
    r->way = vec_scale(vec_add(h, s), length * 0.70710678f);
  } else if (sideways > k->y) {
    const vec bent = vec_add(r->d, vec_scale(s, sideways - k->y));
    r->way = vec_scale(bent, length * vec_inv_len(f, bent));
  }
}

void ref_a_route(const frame *f, const crowd_agent *a, ref_route *r) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  way k;
  r->way = r->d;
  r->heading = (vec){0.0f, 0.0f, 0.0f};
  r->longer = 1.0f;
  r->fastest = INFINITY;
  if (!ref_a_finds_routes(g)) return;
  look(f, a, r, &k);
  const float near = r->place ? larger(r->near, k.r * 0.01f) : 0.0f;
  if (!(k.l > near)) return;
  k.off = larger(k.y - near, 0.0f);
  choose(r, &k);
  set_way(f, a, r, &k);
  float bend = k.off > 0.0f ? (k.l2 * 0.75f) / (k.off + k.off) : INFINITY;
  bend = larger(k.r, k.x < 0.0f ? k.l * 0.2f : bend);
  float fastest = smaller(sqrtf(k.lateral * bend), k.w * bend);
  const float slowing = k.backs ? k.thrust : k.brake;
  if (r->stops && slowing > 0.0f) fastest = smaller(fastest, sqrtf(slowing * k.l));
  if (r->settles || (r->place && !(r->backing > 0.0f))) r->fastest = fastest;
}

vec ref_a_hold_back(const frame *f, const crowd_agent *a, const ref_route *r, vec wanted) {
  const float time = f->dt > 0.25f ? f->dt : 0.25f;
  const float room = (r->fastest - vec_dot(f, a->velocity, r->heading)) / time;
  return vec_sub(wanted, vec_scale(r->heading, larger(vec_dot(f, wanted, r->heading) - room, 0.0f)));
}
