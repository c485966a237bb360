/* tests/reference/reference_a_behaviours.c: reference A's behaviours and their blend.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

static const vec zero = {0.0f, 0.0f, 0.0f};

typedef ref_mark mark;

/* The steered agent, one of its entries and the entry's targets. */
typedef struct aim {
  const frame *f;
  const crowd_agent *a;
  const throng_group_def *g;
  const throng_behaviour *b;
  mark target, other;
} aim;

static vec minus(vec v) { return (vec){-v.x, -v.y, -v.z}; }

static float vec_len(const aim *m, vec v) { return sqrtf(vec_dot(m->f, v, v)); }

static float max_speed(const aim *m) { return crowd_max_speed(m->f->crowd, m->a); }

static float most(const aim *m) { return crowd_acceleration(m->f->crowd, m->a); }

static vec toward(const aim *m, vec wanted, float time) {
  return vec_clip(m->f, vec_scale(vec_sub(wanted, m->a->velocity), 1.0f / time), most(m));
}

/* The routes of vehicles: to a place that moves with velocity u, and along a direction. */
static ref_route route_to(const aim *m, vec d, vec u, float near, float time, bool stops) {
  ref_route r = {.d = d, .time = time, .near = near, .backing = INFINITY, .place = true, .turns = true, .stops = stops};
  r.settles = ref_a_settles(m->f, m->a, u);
  ref_a_route(m->f, m->a, &r);
  return r;
}
static vec way_along(const aim *m, vec direction, float time) {
  ref_route r = {.d = direction, .time = time, .backing = INFINITY, .turns = true};
  ref_a_route(m->f, m->a, &r);
  return r.way;
}
static float smaller(float a, float b) { return a < b ? a : b; }

static vec seek_along(const aim *m, vec dp, float most_speed, float time) {
  const float inv_len = vec_inv_len(m->f, dp);
  if (time == 0.0f) return vec_scale(dp, most(m) * inv_len);
  return toward(m, vec_scale(dp, most_speed * inv_len), time);
}
static vec seek_to(const aim *m, vec d, vec u, float time) {
  const ref_route r = route_to(m, d, u, 0.0f, time, false);
  const vec a = seek_along(m, r.way, smaller(max_speed(m), r.fastest), time);
  return time == 0.0f ? ref_a_hold_back(m->f, m->a, &r, a) : a;
}
static vec flee_along(const aim *m, vec away, float time) {
  return seek_along(m, way_along(m, away, time), max_speed(m), time);
}

static vec arrive_velocity(const aim *m, vec dp, float fastest, float slow_radius, float target_radius) {
  const float dist = sqrtf(vec_dot(m->f, dp, dp));
  float speed = max_speed(m);
  if (dist < slow_radius) speed = max_speed(m) * dist / slow_radius;
  speed = smaller(speed, fastest);
  if (dist <= target_radius) speed = 0.0f;
  return vec_scale(dp, speed * vec_inv_len(m->f, dp));
}
static vec arrive_to(const aim *m, vec d, vec u, float slow_radius, float target_radius, float time) {
  const ref_route r = route_to(m, d, u, target_radius, time, true);
  return toward(m, arrive_velocity(m, r.way, r.fastest, slow_radius, target_radius), time);
}

static vec seek(const aim *m) { return seek_to(m, m->target.d, m->target.velocity, m->b->seek.time_to_target); }

static vec arrive(const aim *m) {
  const throng_arrive *r = &m->b->arrive;
  vec answer;
  if (ref_a_gather(m->f, m->a, m->b, m->target.d, &answer)) return answer;
  if (r->coast && vec_len(m, m->target.d) <= r->target_radius) return zero;
  return arrive_to(m, m->target.d, m->target.velocity, r->slow_radius, r->target_radius, r->time_to_target);
}

static bool panics(const aim *m, float radius) {
  return radius == 0.0f || vec_dot(m->f, m->target.d, m->target.d) <= radius * radius;
}

static vec flee(const aim *m) {
  if (!panics(m, m->b->flee.panic_radius)) return zero;
  return flee_along(m, minus(m->target.d), m->b->flee.time_to_target);
}

static float reach_time(const aim *m, vec d, float most) {
  const float time = vec_len(m, d) / max_speed(m);
  return time < most ? time : most;
}

static float look_ahead(const aim *m, bool by_speed, float most) {
  const float time = vec_len(m, m->target.d) / vec_len(m, m->a->velocity);
  if (!by_speed) return reach_time(m, m->target.d, most);
  return time < most ? time : most;
}

float ref_a_time_to_face(const crowd *c, throng_vec3 q, throng_vec3 u, float most) {
  const float at[3] = {q.x, q.y, q.z}, way[3] = {u.x, u.y, u.z};
  const float low[3] = {c->def.box_min.x, c->def.box_min.y, c->def.box_min.z};
  const float high[3] = {c->def.box_max.x, c->def.box_max.y, c->def.box_max.z};
  double part = 2.0;
  for (int axis = 0; axis < 3; axis++) {
    const double w = (double)way[axis] * (double)most;
    if (w == 0.0 || !ref_a_axis(&c->def, axis).boxed) continue;
    part = fmin(part, ((double)(w > 0.0 ? high[axis] : low[axis]) - (double)at[axis]) / w);
  }
  return part <= 1.0 ? (float)((double)most * part) : most;
}

/* Returns an entry's maximum prediction time: `most`, or with stop_at_walls the time until the target meets a face of a
 * box world if that is earlier. */
static float prediction(const aim *m, bool stops, float most) {
  return stops ? ref_a_time_to_face(m->f->crowd, m->target.position, m->target.velocity, most) : most;
}

static vec later(vec d, vec velocity, float time) { return vec_add(d, vec_scale(velocity, time)); }

/* Returns the time for which pursue and evade predict. */
static float predicted(const aim *m, bool by_speed, bool stops, bool gives_up, float most) {
  const float time = look_ahead(m, by_speed, prediction(m, stops, most));
  return gives_up && time > prediction(m, true, most) ? 0.0f : time;
}

static vec pursue(const aim *m) {
  const throng_pursue *r = &m->b->pursue;
  const float time = predicted(m, r->by_speed, r->stop_at_walls, r->give_up_at_walls, r->max_prediction);
  return seek_to(m, later(m->target.d, m->target.velocity, time), m->target.velocity, r->time_to_target);
}

static vec evade(const aim *m) {
  if (!panics(m, m->b->evade.panic_radius)) return zero;
  const throng_evade *r = &m->b->evade;
  const float time = predicted(m, r->by_speed, r->stop_at_walls, r->give_up_at_walls, r->max_prediction);
  return flee_along(m, minus(later(m->target.d, m->target.velocity, time)), r->time_to_target);
}

/* The acceleration of a chase to d: constant thrust beyond the slow distance, constant turn outside the dead band. */
static vec chase_to(const aim *m, vec d, float turn, float dead_band, bool thrusts, float slow_distance) {
  const vec f = frame_facing(m->f, m->a);
  const float q = vec_dot(m->f, d, d), along = vec_dot(m->f, f, d), sine = ref_a_sincos(dead_band).sin;
  const vec aside = vec_sub(d, vec_scale(f, along));
  const float off = vec_dot(m->f, aside, aside), limit = most(m);
  float thrust = 0.0f, sideways = 0.0f;
  vec side = vec_dir(m->f, aside);
  if (along < 0.0f && !(off > 0.0f)) side = frame_right(m->f, m->a);
  if (along < 0.0f || off > sine * sine * q) sideways = fabsf(turn) * limit;
  if (thrusts || q > slow_distance * slow_distance) thrust = limit;
  return vec_clip(m->f, vec_add(vec_scale(f, thrust), vec_scale(side, sideways)), limit);
}

/* The least time in which the agent, straight at its maximum speed, meets the target; that of pursue if it cannot. */
static float meeting_time(const aim *m, vec u, float longest) {
  const vec d = m->target.d;
  const float top = max_speed(m), a = vec_dot(m->f, u, u) - top * top, b = vec_dot(m->f, d, u), c = vec_dot(m->f, d, d);
  const float discriminant = b * b - a * c;
  float time = sqrtf(c) / top;
  if (discriminant >= 0.0f && b < 0.0f) {
    time = c / (sqrtf(discriminant) - b);
  } else if (discriminant >= 0.0f && a < 0.0f) {
    time = (sqrtf(discriminant) + b) / -a;
  }
  return time < longest ? time : longest;
}

static vec intercept(const aim *m) {
  const throng_intercept *r = &m->b->intercept;
  const vec u = m->target.velocity;
  const float closing = vec_len(m, vec_sub(u, m->a->velocity));
  float time = 0.0f;
  if (closing > 0.0f && closing >= r->least_speed && vec_dot(m->f, frame_facing(m->f, m->a), m->target.d) >= 0.0f) {
    time = vec_len(m, m->target.d) / closing;
    if (!(time < r->max_prediction)) time = r->max_prediction;
  }
  if (r->exact) time = meeting_time(m, u, r->max_prediction);
  const vec meet = later(m->target.d, u, time);
  if (r->turn == 0.0f) return seek_to(m, meet, u, r->time_to_target);
  const ref_route way = route_to(m, meet, u, 0.0f, 0.0f, false);
  return ref_a_hold_back(m->f, m->a, &way, chase_to(m, way.way, r->turn, r->dead_band, false, 0.0f));
}

static vec velocity_match(const aim *m) { return toward(m, m->target.velocity, m->b->velocity_match.time_to_target); }

static vec chase(const aim *m) {
  const throng_chase *r = &m->b->chase;
  const bool evades = r->turn < 0.0f;
  ref_route way = {.d = m->target.d, .place = true, .settles = ref_a_settles(m->f, m->a, m->target.velocity)};
  ref_a_route(m->f, m->a, &way);
  const vec d = evades ? minus(m->target.d) : way.way;
  const vec a = chase_to(m, d, r->turn, r->dead_band, evades, r->slow_distance);
  return evades ? a : ref_a_hold_back(m->f, m->a, &way, a);
}

/* Returns the horizontal unit vector to the right of a facing. */
static vec right_of(const aim *m, vec facing) {
  if (!m->f->spatial) return (vec){-facing.z, 0.0f, facing.x};
  const vec side = vec_dir(m->f, (vec){-facing.z, 0.0f, facing.x});
  return side.x == 0.0f && side.z == 0.0f ? (vec){-1.0f, 0.0f, 0.0f} : side;
}

/* Returns the vector from the steered agent to a point in the target's local coordinates. */
static vec to_place(const aim *m, float to_right, float to_up, float forward) {
  const vec f = m->target.facing, right = right_of(m, f);
  vec place = vec_add(vec_scale(right, to_right), vec_scale(f, forward));
  if (m->f->spatial) {
    const vec up = {right.y * f.z - right.z * f.y, right.z * f.x - right.x * f.z, right.x * f.y - right.y * f.x};
    place = vec_add(place, vec_scale(up, to_up));
  }
  return vec_add(m->target.d, place);
}

static vec offset_pursuit(const aim *m) {
  const throng_offset_pursuit *r = &m->b->offset_pursuit;
  const vec d = to_place(m, r->right, r->up, r->forward);
  const vec then = later(d, m->target.velocity, reach_time(m, d, r->max_prediction));
  return arrive_to(m, then, m->target.velocity, r->slow_radius, r->target_radius, r->time_to_target);
}

static vec formation(const aim *m) {
  const throng_formation *r = &m->b->formation;
  if (r->index >= CROWD_MAX_FORMATIONS) return zero;
  const crowd_formation *formation = &m->f->crowd->formations[r->index];
  if (!(m->a->formation_place < (float)formation->count)) return zero;
  const vec slot = formation->place[(int)m->a->formation_place];
  vec d = to_place(m, slot.x, slot.y, slot.z);
  d = (vec){d.x + ref_a_image(&m->f->axis[0], d.x), m->f->spatial ? d.y + ref_a_image(&m->f->axis[1], d.y) : 0.0f,
            d.z + ref_a_image(&m->f->axis[2], d.z)};
  const ref_route way = route_to(m, d, m->target.velocity, r->target_radius, r->time_to_target, true);
  const vec along =
      vec_add(m->target.velocity, arrive_velocity(m, way.way, way.fastest, r->slow_radius, r->target_radius));
  return toward(m, vec_clip(m->f, along, max_speed(m)), r->time_to_target);
}

static vec clear_way(const aim *m) {
  const throng_clear_way *r = &m->b->clear_way;
  const vec f = m->target.facing, d = minus(m->target.d);
  const float ahead = vec_dot(m->f, f, d);
  const vec aside = vec_sub(d, vec_scale(f, ahead));
  const float off = vec_dot(m->f, aside, aside);
  if (!(ahead > 0.0f && ahead <= r->length && off <= r->width * r->width)) return zero;
  return vec_scale(off > 0.0f ? vec_dir(m->f, aside) : right_of(m, f), most(m));
}

static vec interpose(const aim *m) {
  const throng_interpose *r = &m->b->interpose;
  if (!m->other.exists) return zero;
  const float time = reach_time(m, vec_scale(vec_add(m->target.d, m->other.d), 0.5f), r->max_prediction);
  const vec one = later(m->target.d, m->target.velocity, time), two = later(m->other.d, m->other.velocity, time);
  const vec pace = vec_scale(vec_add(m->target.velocity, m->other.velocity), 0.5f);
  return arrive_to(m, vec_scale(vec_add(one, two), 0.5f), pace, r->slow_radius, r->target_radius, r->time_to_target);
}

static vec at_once(const aim *m, vec wanted) {
  const float rate = frame_rate(m->f) / crowd_share(m->f->crowd, m->a);
  return vec_clip(m->f, vec_scale(vec_sub(wanted, m->a->velocity), rate), most(m));
}

static bool within(const aim *m, float radius) { return vec_dot(m->f, m->target.d, m->target.d) <= radius * radius; }

static vec by_axes(const aim *m, vec way, float speed) {
  const float rate = frame_rate(m->f);
  const vec wanted = {ref_a_clamp(way.x * rate, speed), m->f->spatial ? ref_a_clamp(way.y * rate, speed) : 0.0f,
                      ref_a_clamp(way.z * rate, speed)};
  return vec_clip(m->f, wanted, speed);
}
static float side(float a, float speed) { return a > 0.0f ? speed : (a < 0.0f ? -speed : 0.0f); }

static vec kinematic_seek(const aim *m) {
  const float radius = m->b->kinematic_seek.radius;
  if (within(m, radius)) return at_once(m, zero);
  const ref_route r = route_to(m, m->target.d, m->target.velocity, radius, 0.0f, false);
  const float speed = smaller(max_speed(m), r.fastest);
  if (m->b->kinematic_seek.by_axis) return at_once(m, by_axes(m, r.way, speed));
  return at_once(m, vec_scale(r.way, speed * vec_inv_len(m->f, r.way)));
}

static vec kinematic_flee(const aim *m) {
  const float radius = m->b->kinematic_flee.radius;
  if (radius > 0.0f && !within(m, radius)) return at_once(m, zero);
  const vec away = way_along(m, minus(m->target.d), 0.0f);
  const float speed = max_speed(m);
  const vec sides = {side(away.x, speed), m->f->spatial ? side(away.y, speed) : 0.0f, side(away.z, speed)};
  if (m->b->kinematic_flee.by_axis) return at_once(m, vec_clip(m->f, sides, speed));
  return at_once(m, vec_scale(away, speed * vec_inv_len(m->f, away)));
}

static vec kinematic_arrive(const aim *m) {
  const throng_kinematic_arrive *r = &m->b->kinematic_arrive;
  if (within(m, r->radius)) return at_once(m, zero);
  const ref_route way = route_to(m, m->target.d, m->target.velocity, r->radius, 0.0f, true);
  const float in_time = vec_len(m, way.way) / r->time_to_target;
  const float speed = smaller(smaller(in_time, max_speed(m)), way.fastest);
  return at_once(m, vec_scale(way.way, speed * vec_inv_len(m->f, way.way)));
}

/* Moves the wander memory. Returns the acceleration toward the new wander point, or along the facing. */
static vec wander(const aim *m, vec *next) {
  const vec point = ref_a_wander_point(m->f, m->a, &m->b->wander, next);
  if (m->b->wander.faces) return vec_scale(frame_facing(m->f, m->a), most(m));
  return vec_scale(point, most(m) * vec_inv_len(m->f, point));
}

/* Whether a field with these samples is as long as the period of an axis. */
static bool repeats(const ref_axis *axis, float cell, uint32_t samples) {
  const double largest = fmax(fabs((double)axis->min), fabs((double)axis->max));
  return axis->periodic && fabs((double)cell * samples - (double)axis->length) <= 0x1p-21 * largest;
}

static float place_along(const ref_axis *axis, float coordinate, float origin, float cell, uint32_t samples) {
  float place = (coordinate - origin) * (1.0f / cell) - 0.5f, last = (float)samples - 1.0f;
  if (repeats(axis, cell, samples)) {
    last = (float)samples;
    place = place - last * ref_a_floor(place / last);
  }
  return place <= 0.0f ? 0.0f : (place < last ? place : last);
}

static vec field_sample(const frame *f, const crowd_field *field, uint32_t i, uint32_t j) {
  if (i >= field->width) i = repeats(&f->axis[0], field->cell, field->width) ? 0 : field->width - 1;
  if (j >= field->height) j = repeats(&f->axis[2], field->cell, field->height) ? 0 : field->height - 1;
  const float *s = &field->vectors[2 * (j * field->width + i)];
  return (vec){s[0], 0.0f, s[1]};
}

static vec mix(vec a, vec b, float t) { return vec_add(a, vec_scale(vec_sub(b, a), t)); }

static vec follow_field(const aim *m) {
  const throng_follow_field *r = &m->b->follow_field;
  if (r->index >= CROWD_MAX_FIELDS) return zero;
  const crowd_field *field = &m->f->crowd->fields[r->index];
  const frame *f = m->f;
  const float u = place_along(&f->axis[0], m->a->position.x, field->origin_x, field->cell, field->width),
              w = place_along(&f->axis[2], m->a->position.z, field->origin_z, field->cell, field->height);
  const uint32_t i = u < (float)field->width ? (uint32_t)u : field->width - 1,
                 j = w < (float)field->height ? (uint32_t)w : field->height - 1;
  const float fx = u - (float)i, fz = w - (float)j;
  vec g = mix(mix(field_sample(f, field, i, j), field_sample(f, field, i + 1, j), fx),
              mix(field_sample(f, field, i, j + 1), field_sample(f, field, i + 1, j + 1), fx), fz);
  float longest = 0.0f;
  for (uint32_t k = 0; k < 4; k++) {
    const vec s = field_sample(f, field, i + k % 2, j + k / 2);
    longest = fmaxf(longest, s.x * s.x + s.z * s.z);
  }
  if (g.x * g.x + g.z * g.z < fminf(longest, 1.0f) * 0x1p-8f) {
    const uint32_t right = fx < 0.5f ? 0 : 1, up = fz < 0.5f ? 0 : 1;
    const vec nearest = field_sample(f, field, i + right, j + up), way = {(float)right - fx, 0.0f, (float)up - fz};
    g = nearest.x * way.x + nearest.z * way.z > 0.0f ? nearest : zero;
  }
  ref_route way = {.d = vec_scale(vec_clip(f, g, 1.0f), max_speed(m)), .time = r->time_to_target};
  ref_a_route(f, m->a, &way);
  return toward(m, vec_dot(f, g, g) > 0.25f ? way.way : way.d, r->time_to_target);
}

static const crowd_agent *agent_with(const crowd *c, throng_agent_id id) {
  for (uint32_t i = 0; i < c->count; i++) {
    if (memcmp(&c->agents[i].id, &id, sizeof id) == 0) return &c->agents[i];
  }
  return NULL;
}

ref_mark ref_a_look_at(const frame *f, const crowd_agent *a, const throng_target *target) {
  const crowd_agent *agent = NULL;
  mark k = {.facing = f->spatial ? (vec){0.0f, 0.0f, 1.0f} : facing_of_yaw(0.0f)};
  vec q = a->goal;
  if (target->kind == THRONG_TARGET_POINT) q = target->point;
  if (target->kind == THRONG_TARGET_AGENT || target->kind == THRONG_TARGET_OWN) {
    agent = agent_with(f->crowd, target->kind == THRONG_TARGET_OWN ? a->target : target->agent);
    if (agent == NULL) return k;
    q = agent->position;
    k.velocity = agent->velocity;
    k.facing = frame_facing(f, agent);
    if (!f->spatial) k.yaw = agent->facing.x;
    k.yaw_rate = agent->yaw_rate;
  }
  k.exists = q.x == q.x;
  k.position = q;
  if (k.exists) k.d = frame_difference(f, a->position, q);
  return k;
}
static mark look_at(const aim *m, const throng_target *target) { return ref_a_look_at(m->f, m->a, target); }

static vec behave(aim *m, memory *next) {
  static vec (*const bound[THRONG_BEHAVIOUR_KINDS])(const aim *) = {
      [THRONG_BEHAVIOUR_SEEK] = seek,
      [THRONG_BEHAVIOUR_FLEE] = flee,
      [THRONG_BEHAVIOUR_ARRIVE] = arrive,
      [THRONG_BEHAVIOUR_PURSUE] = pursue,
      [THRONG_BEHAVIOUR_EVADE] = evade,
      [THRONG_BEHAVIOUR_INTERCEPT] = intercept,
      [THRONG_BEHAVIOUR_CHASE] = chase,
      [THRONG_BEHAVIOUR_VELOCITY_MATCH] = velocity_match,
      [THRONG_BEHAVIOUR_OFFSET_PURSUIT] = offset_pursuit,
      [THRONG_BEHAVIOUR_CLEAR_WAY] = clear_way,
      [THRONG_BEHAVIOUR_INTERPOSE] = interpose,
      [THRONG_BEHAVIOUR_KINEMATIC_SEEK] = kinematic_seek,
      [THRONG_BEHAVIOUR_KINEMATIC_FLEE] = kinematic_flee,
      [THRONG_BEHAVIOUR_KINEMATIC_ARRIVE] = kinematic_arrive,
      [THRONG_BEHAVIOUR_FORMATION] = formation,
  };
  if (m->b->kind == THRONG_BEHAVIOUR_WANDER) return wander(m, &next->wander);
  if (m->b->kind == THRONG_BEHAVIOUR_FOLLOW_PATH)
    return ref_a_follow_path(m->f, m->a, &m->b->follow_path, &next->path_parameter);
  if (m->b->kind == THRONG_BEHAVIOUR_FOLLOW_PATTERN)
    return ref_a_follow_pattern(m->f, m->a, &m->b->follow_pattern, next);
  if (m->b->kind == THRONG_BEHAVIOUR_FOLLOW_FIELD) return follow_field(m);
  if (m->b->kind == THRONG_BEHAVIOUR_ATTRACTORS) return ref_a_attractors(m->f, m->a, &m->b->attractors);
  if (m->b->kind == THRONG_BEHAVIOUR_KINEMATIC_WANDER)
    return at_once(m, vec_scale(frame_facing(m->f, m->a), max_speed(m)));
  m->target = look_at(m, &m->b->target);
  m->other = look_at(m, &m->b->other);
  return m->target.exists ? bound[m->b->kind](m) : zero;
}

/* Lost targets. */

static bool is_bound(throng_behaviour_kind kind) {
  const bool moves_alone = kind == THRONG_BEHAVIOUR_WANDER || kind == THRONG_BEHAVIOUR_KINEMATIC_WANDER ||
                           kind == THRONG_BEHAVIOUR_FOLLOW_PATTERN;
  return !moves_alone && !ref_a_only_turns(kind) && kind != THRONG_BEHAVIOUR_ATTRACTORS;
}

/* Whether a bound entry lacks its target, path, field or place for this agent. */
static bool is_missing(const aim *m) {
  const crowd *c = m->f->crowd;
  const throng_behaviour *b = m->b;
  if (b->kind == THRONG_BEHAVIOUR_FOLLOW_FIELD) return b->follow_field.index >= CROWD_MAX_FIELDS;
  if (b->kind == THRONG_BEHAVIOUR_FOLLOW_PATH)
    return b->follow_path.index >= CROWD_MAX_PATHS || c->paths[b->follow_path.index].count == 0;
  if (!look_at(m, &b->target).exists) return true;
  if (b->kind == THRONG_BEHAVIOUR_INTERPOSE) return !look_at(m, &b->other).exists;
  if (b->kind != THRONG_BEHAVIOUR_FORMATION) return false;
  return b->formation.index >= CROWD_MAX_FORMATIONS ||
         !(m->a->formation_place < (float)c->formations[b->formation.index].count);
}

static bool has_pattern(const frame *f, const crowd_agent *a, uint32_t index) {
  return a->pattern == a->pattern || (index < CROWD_MAX_PATTERNS && f->crowd->patterns[index].count > 0);
}

bool ref_a_has_bound_entry(const throng_group_def *g) {
  for (uint32_t k = 0; k < g->behaviour_count; k++) {
    if (g->behaviour[k].weight != 0.0f && is_bound(g->behaviour[k].kind)) return true;
  }
  return false;
}

bool ref_a_is_driven(const throng_group_def *g) {
  if (g->cohesion.weight > 0.0f || g->alignment.weight > 0.0f || g->attraction.weight > 0.0f) return true;
  for (uint32_t k = 0; k < g->behaviour_count; k++) {
    const throng_behaviour *b = &g->behaviour[k];
    const bool reacts = b->kind == THRONG_BEHAVIOUR_AVOID_OBSTACLES || b->kind == THRONG_BEHAVIOUR_AVOID_WALLS;
    if (b->weight == 0.0f || ref_a_only_turns(b->kind)) continue;
    if (!reacts && b->kind != THRONG_BEHAVIOUR_CALLBACK) return true;
  }
  return false;
}

/* Nothing drives the agents of an idle group. Its brake has the position of the last entry that does not act. Returns
 * this position; THRONG_MAX_BEHAVIOURS if the group is not idle, or all act. */
static uint32_t idle_entry(const throng_group_def *g) {
  uint32_t last = THRONG_MAX_BEHAVIOURS;
  const bool pushed = g->separation.weight > 0.0f || g->avoidance.weight > 0.0f;
  if (!pushed || g->when_target_lost == THRONG_WHEN_LOST_COAST || ref_a_is_driven(g)) return last;
  for (uint32_t k = 0; k < THRONG_MAX_BEHAVIOURS; k++)
    if (k >= g->behaviour_count || g->behaviour[k].weight == 0.0f) last = k;
  return last;
}

bool ref_a_is_idle(const throng_group_def *g) { return idle_entry(g) < THRONG_MAX_BEHAVIOURS; }

static vec stand(const frame *f, const crowd_agent *a) {
  const float part = 10.0f * f->dt > 1.0f ? 1.0f : 10.0f * f->dt;
  const float k = frame_rate(f) / crowd_share(f->crowd, a) * part;
  return vec_clip(f, vec_scale(a->velocity, -k), crowd_acceleration(f->crowd, a));
}

/* Returns the index of the entry that brakes the agent because all its targets are missing; behaviour_count if there is
 * none. */
static uint32_t brake_entry(const frame *f, const crowd_agent *a, const throng_group_def *g) {
  const uint32_t none = g->behaviour_count;
  uint32_t first = none;
  if (g->when_target_lost == THRONG_WHEN_LOST_COAST) return none;
  for (uint32_t k = 0; k < g->behaviour_count; k++) {
    const aim m = {.f = f, .a = a, .g = g, .b = &g->behaviour[k]};
    if (m.b->weight == 0.0f || ref_a_only_turns(m.b->kind) || m.b->kind == THRONG_BEHAVIOUR_ATTRACTORS) continue;
    if (is_bound(m.b->kind)) {
      if (!is_missing(&m)) return none;
      if (first == none) first = k;
    } else if (m.b->kind != THRONG_BEHAVIOUR_FOLLOW_PATTERN || has_pattern(f, a, m.b->follow_pattern.index)) {
      return none;
    }
  }
  return first;
}

static float weight_of(const aim *m) {
  const uint32_t k = (uint32_t)(m->b - m->g->behaviour);
  return crowd_weight(m->f->crowd, m->a, THRONG_OWN_WEIGHT_BEHAVIOUR, k, m->b->weight);
}

static vec brake(const aim *m) {
  throng_parameter p;
  float time = 0.0f, limit = most(m);
  for (uint32_t k = 0; throng_behaviour_get_parameter(m->b->kind, k, &p); k++) {
    if (strcmp(p.name, "time_to_target") == 0) time = (float)throng_behaviour_get_value(m->b, &p);
  }
  if (time > 0.0f && !isinf(max_speed(m)) && max_speed(m) / time < limit) limit = max_speed(m) / time;
  const float own = weight_of(m), weight = fabsf(own), rate = frame_rate(m->f) / crowd_share(m->f->crowd, m->a);
  const float k = rate / (weight > 1.0f ? weight : 1.0f);
  return vec_clip(m->f, vec_scale(m->a->velocity, own < 0.0f ? k : -k), limit);
}

/* Whether an agent stands still at its target, or for want of one. */
static bool has_settled(const frame *f, const crowd_agent *a, const throng_group_def *g, uint32_t braking) {
  for (uint32_t k = 0; k < g->behaviour_count; k++) {
    const throng_behaviour *b = &g->behaviour[k];
    if (b->kind != THRONG_BEHAVIOUR_ARRIVE || b->weight == 0.0f || !b->arrive.settle) continue;
    if (k == braking) return true;
    const aim m = {.f = f, .a = a, .g = g, .b = b};
    const mark target = look_at(&m, &b->target);
    vec answer;
    if (target.exists && ref_a_gather(f, a, b, target.d, &answer)) return true;
  }
  return false;
}

vec ref_a_steer_agent(const frame *f, uint32_t i, memory *next, void *scratch) {
  const crowd_agent *a = &f->crowd->agents[i];
  const throng_group_def *g = crowd_group(f->crowd, a);
  rule_accelerations near = ref_a_neighbour_rules(f, i, scratch);
  wishes w = {0};
  bool there;
  const uint32_t braking = brake_entry(f, a, g), idle = idle_entry(g);
  const bool impatient = ref_a_yields(f) && g->contact > 0.0f && ref_a_is_impatient(a);
  if (impatient || has_settled(f, a, g, braking)) near.separation = near.avoidance = (vec){0.0f, 0.0f, 0.0f};
  const bool due = ref_a_is_due(f, a);
  ref_a_wish(&w, crowd_weight(f->crowd, a, THRONG_OWN_WEIGHT_SEPARATION, 0, g->separation.weight),
             g->separation.priority, near.separation);
  ref_a_wish(&w, crowd_weight(f->crowd, a, THRONG_OWN_WEIGHT_COHESION, 0, g->cohesion.weight), g->cohesion.priority,
             near.cohesion);
  ref_a_wish(&w, crowd_weight(f->crowd, a, THRONG_OWN_WEIGHT_ALIGNMENT, 0, g->alignment.weight), g->alignment.priority,
             near.alignment);
  if (g->avoidance.form != THRONG_AVOIDANCE_RECIPROCAL)
    ref_a_wish(&w, crowd_weight(f->crowd, a, THRONG_OWN_WEIGHT_AVOIDANCE, 0, g->avoidance.weight),
               g->avoidance.priority, near.avoidance);
  ref_a_wish(&w, crowd_weight(f->crowd, a, THRONG_OWN_WEIGHT_ATTRACTION, 0, g->attraction.weight),
             g->attraction.priority, near.attraction);
  vec kept = a->kept;
  if (due) {
    wishes keeps = {0};
    ref_a_wish(&keeps, crowd_weight(f->crowd, a, THRONG_OWN_WEIGHT_SEPARATION, 0, g->separation.weight), 0,
               near.separation);
    ref_a_wish(&keeps, crowd_weight(f->crowd, a, THRONG_OWN_WEIGHT_COHESION, 0, g->cohesion.weight), 0, near.cohesion);
    ref_a_wish(&keeps, crowd_weight(f->crowd, a, THRONG_OWN_WEIGHT_ALIGNMENT, 0, g->alignment.weight), 0,
               near.alignment);
    ref_a_wish(&keeps, crowd_weight(f->crowd, a, THRONG_OWN_WEIGHT_ATTRACTION, 0, g->attraction.weight), 0,
               near.attraction);
    kept = ref_a_sum(&keeps, 0, true, &there);
  } else {
    w.count = 0;
    ref_a_wish(&w, 1.0f, 0, kept);
  }
  if (!f->spatial) kept.y = 0.0f;
  if (ref_a_period(f, a) == 1) kept = (vec){NAN, NAN, NAN};
  *next = (memory){kept,           near.facings,   a->wander, a->path_parameter, a->pattern_instruction,
                   a->pattern_way, a->pattern_time};
  for (uint32_t k = 0; k < THRONG_MAX_BEHAVIOURS; k++) {
    if (k == idle) ref_a_wish(&w, 1.0f, THRONG_PRIORITIES - 1, stand(f, a));
    if (k >= g->behaviour_count) continue;
    aim m = {.f = f, .a = a, .g = g, .b = &g->behaviour[k]};
    if (m.b->weight == 0.0f || ref_a_only_turns(m.b->kind)) continue;
    const vec acceleration = behave(&m, next);
    ref_a_wish(&w, weight_of(&m), m.b->priority, k == braking ? brake(&m) : acceleration);
  }
  const vec steering = vec_scale(ref_a_combine(f, a, g, &w), crowd_share(f->crowd, a));
  const vec paced = ref_a_keep_pace(f, a, &near, ref_a_wait(f, a, &near, steering));
  return ref_a_drive(f, a, ref_a_avoid_others(f, i, paced, scratch));
}
