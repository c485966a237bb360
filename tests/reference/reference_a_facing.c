/* tests/reference/reference_a_facing.c: reference A's limits of turns, steered yaw, and vehicles.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

#define PI 3.14159265358979f

float ref_a_clamp(float value, float limit) { return value > limit ? limit : (value < -limit ? -limit : value); }

static vec limited_direction(const frame *f, const crowd_agent *a, vec before, float most) {
  const vec next = a->facing, d = vec_sub(next, before);
  const float chord = 2.0f * ref_a_sincos(most * 0.5f).sin, along = vec_dot(f, before, next);
  if (!(vec_dot(f, d, d) > chord * chord)) return next;
  crowd_agent was = *a;
  was.facing = before;
  const vec across = along < -0.999999f ? frame_right(f, &was) : vec_sub(next, vec_scale(before, along));
  const ref_angle m = ref_a_sincos(most);
  return vec_dir(f, vec_add(vec_scale(before, m.cos), vec_scale(across, m.sin * vec_inv_len(f, across))));
}

void ref_a_limit_turn(const frame *f, crowd_agent *a, vec before) {
  const float most = crowd_max_yaw_rate(f->crowd, a) * f->dt;
  if (most == 0.0f) {
    a->facing = before;
  } else if (!f->spatial) {
    const float turn = ref_a_wrap(a->facing.x - before.x);
    if (fabsf(turn) > most) a->facing.x = ref_a_wrap(before.x + ref_a_clamp(turn, most));
  } else if (most < PI) {
    a->facing = limited_direction(f, a, before, most);
  }
}

/* Turns a facing of a spatial world that is not upright. */
static void swing(const frame *f, crowd_agent *a) {
  const float speed = sqrtf(vec_dot(f, a->swing, a->swing)), whole = speed * f->dt, angle = whole < PI ? whole : PI;
  const ref_angle turn = ref_a_sincos(angle);
  const float inverse = vec_inv_len(f, a->swing);
  if (!(angle * inverse > 0.0f)) return;
  a->facing = vec_dir(f, vec_add(vec_scale(a->facing, turn.cos), vec_scale(a->swing, turn.sin * inverse)));
}

void ref_a_spin(const frame *f, crowd_agent *a, float yaw) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  const float dt = f->dt, w = a->yaw_rate, b = a->yaw_acceleration, damp = 1.0f / (1.0f + g->angular_drag * dt);
  a->yaw_rate = ref_a_clamp((w + b * dt) * damp, crowd_max_yaw_rate(f->crowd, a));
  float turn = 0.0f;
  switch (f->crowd->def.update) {
  case THRONG_UPDATE_SEMI_IMPLICIT:
    turn = a->yaw_rate * dt;
    break;
  case THRONG_UPDATE_EXPLICIT:
    turn = w * dt;
    break;
  case THRONG_UPDATE_BALLISTIC:
    turn = w * dt + b * (0.5f * dt * dt);
    break;
  }
  turn = ref_a_clamp(turn, crowd_max_yaw_rate(f->crowd, a) * dt);
  turn = turn - TWO_PI * ref_a_floor(turn * 0.159154943091895f + 0.5f);
  if (f->spatial && !g->upright) swing(f, a);
  if (turn == 0.0f || (f->spatial && !g->upright)) return;
  yaw = ref_a_wrap(yaw + turn);
  a->facing = f->spatial ? facing_of_yaw(yaw) : (vec){yaw, a->facing.y, a->facing.z};
}

vec ref_a_drive(const frame *f, const crowd_agent *a, vec wanted) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  const throng_vehicle *car = &g->vehicle;
  if (g->actuation != THRONG_ACTUATION_VEHICLE) return wanted;
  const vec ahead = frame_facing(f, a);
  const float along = vec_dot(f, wanted, ahead);
  const float round = vec_dot(f, a->velocity, a->velocity) * (1.0f / car->turning_radius);
  float most = car->max_lateral < round ? car->max_lateral : round;
  if (ref_a_finds_routes(g) && !isinf(crowd_max_yaw_rate(f->crowd, a))) {
    const float turning = sqrtf(vec_dot(f, a->velocity, a->velocity)) * crowd_max_yaw_rate(f->crowd, a);
    most = most < turning ? most : turning;
  }
  const vec aside = vec_clip(f, vec_sub(wanted, vec_scale(ahead, along)), most);
  const float brake = crowd_limit(f->crowd, a, car->max_brake), thrust = crowd_limit(f->crowd, a, car->max_thrust);
  float driven = along > -brake ? along : -brake;
  driven = driven < thrust ? driven : thrust;
  return vec_add(vec_scale(ahead, driven), aside);
}

void ref_a_propel(const frame *f, crowd_agent *a) {
  const throng_group_def *g = crowd_group(f->crowd, a);
  const throng_rigid_body *body = &g->rigid_body;
  if (g->actuation != THRONG_ACTUATION_RIGID_BODY) return;
  const vec right = frame_right(f, a), ahead = f->spatial ? frame_level(f, a->facing) : frame_facing(f, a);
  const float ratio = crowd_mass_ratio(f->crowd, a);
  const float engine = body->max_thrust / g->mass * ratio, reverse = body->max_reverse / g->mass * ratio;
  float lever = g->mass * body->bow / g->moment_of_inertia / ratio;
  if (lever < 1e-18f) lever = 1e-18f;
  if (lever > 1e18f) lever = 1e18f;
  float thrust = vec_dot(f, a->acceleration, ahead);
  if (!(thrust > -reverse)) thrust = -reverse;
  if (!(thrust < engine)) thrust = engine;
  const float wanted = vec_dot(f, a->acceleration, right) - a->yaw_acceleration / lever;
  const float side = ref_a_clamp(wanted, body->max_side / g->mass * ratio);
  const float lift = ref_a_clamp(a->acceleration.y, body->max_lift / g->mass * ratio);
  a->acceleration = vec_add(vec_scale(ahead, thrust), vec_scale(right, side));
  a->acceleration.y = f->spatial ? lift : 0.0f;
  a->yaw_acceleration = ref_a_clamp(-(side * lever), 1e18f);
}

vec ref_a_wander_point(const frame *f, const crowd_agent *a, const throng_wander *w, vec *next) {
  const uint64_t seed = f->crowd->def.seed, now = f->crowd->frame;
  const float step = w->rate * sqrtf(f->dt);
  if (!f->spatial) {
    *next = (vec){ref_a_wrap(a->wander.x + ref_a_binomial(seed, a->id, now, 0) * step), a->wander.y, a->wander.z};
    const vec on_circle = facing_of_yaw(ref_a_wrap(a->facing.x + next->x));
    return vec_add(vec_scale(facing_of_yaw(a->facing.x), w->offset), vec_scale(on_circle, w->radius));
  }
  const vec walk = {ref_a_binomial(seed, a->id, now, 0), ref_a_binomial(seed, a->id, now, 1),
                    ref_a_binomial(seed, a->id, now, 2)};
  const vec n = vec_add(a->wander, vec_scale(walk, step));
  *next = vec_inv_len(f, n) > 0.0f ? vec_dir(f, n) : a->wander;
  return vec_add(vec_scale(a->facing, w->offset), vec_scale(*next, w->radius));
}
