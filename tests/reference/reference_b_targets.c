/* tests/reference/reference_b_targets.c: behaviours toward a target in double precision: flee (M 3.3.3), arrive (M
 * 3.3.4), pursue and evade (M 3.3.8), intercept (B 2.5), velocity match (M 3.3.6), offset pursuit and interpose (R),
 * and the kinematic behaviours (M 3.2.1). For the bounds see reference_b.c. The error of a quotient n / d is
 * (n's error + n / d * d's error) / d.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a.h" /* for the faces of a box, which are not in the books */
#include "reference/reference_b_internal.h"

#include <string.h>

static const fuzzy none = {0.0, 0.0, 0.0, 0.0};

/* A number, and a bound on its error in float32. */
typedef struct amount {
  double value, error;
} amount;

/* A target, relative to the agent that is steered. */
typedef struct mark {
  bool exists;
  fuzzy d, velocity, facing;
  throng_vec3 q, u; /* position and velocity in float */
} mark;

typedef struct aim {
  book *b;
  const crowd_agent *a;
  const throng_group_def *g;
  mark target, other;
} aim;

static double max_speed(const aim *m) { return (double)crowd_max_speed(m->b->crowd, m->a); }

static fuzzy minus(fuzzy a) { return (fuzzy){-a.x, -a.y, -a.z, a.error}; }

static void require_way(book *b, fuzzy d) {
  if (d.error > MARGIN * length(d)) b->unsafe = true;
}

static mark look_at(book *b, const crowd_agent *a, const throng_target *target) {
  mark m = {.facing = {0.0, 0.0, 1.0, POLYNOMIAL}};
  throng_vec3 q = a->goal;
  if (target->kind == THRONG_TARGET_POINT) q = target->point;
  const throng_agent_id id = target->kind == THRONG_TARGET_OWN ? a->target : target->agent;
  const bool agent = target->kind == THRONG_TARGET_AGENT || target->kind == THRONG_TARGET_OWN;
  if (agent) q.x = NAN;
  for (uint32_t i = 0; agent && i < b->crowd->count; i++) {
    const crowd_agent *other = &b->crowd->agents[i];
    if (memcmp(&other->id, &id, sizeof other->id) != 0) continue;
    q = other->position;
    m.velocity = exact(other->velocity, b->spatial);
    m.u = other->velocity;
    m.facing = book_facing(b, other);
  }
  m.exists = q.x == q.x;
  m.q = q;
  if (!m.exists) return m;
  m.d = book_difference(b, a->position, q);
  require_way(b, m.d);
  return m;
}

/* Returns |d| / speed, at most `most`. */
static amount time_over(fuzzy d, amount speed, double most) {
  if (speed.value == 0.0) return (amount){most, 0.0};
  const double time = length(d) / speed.value;
  const double error = (d.error + time * speed.error) / speed.value + 5.0 * U * time;
  return time - 4.0 * error > most ? (amount){most, 0.0} : (amount){fmin(time, most), error};
}

static fuzzy later(fuzzy d, fuzzy velocity, amount time) {
  fuzzy place = add(d, scale(velocity, time.value));
  place.error += length(velocity) * time.error;
  return place;
}

static fuzzy toward(const aim *m, fuzzy wanted, double time) {
  const fuzzy change = add(wanted, minus(exact(m->a->velocity, m->b->spatial)));
  return limit(scale(change, 1.0 / time), (double)crowd_acceleration(m->b->crowd, m->a));
}

static fuzzy seek(const aim *m, fuzzy d, float time) {
  require_way(m->b, d);
  if (time == 0.0f) return scale(direction(d), (double)crowd_acceleration(m->b->crowd, m->a));
  return toward(m, scale(direction(d), max_speed(m)), (double)time);
}

static fuzzy arrive(const aim *m, fuzzy d, const throng_arrive *r) {
  const double dist = length(d), slow = (double)r->slow_radius, near = (double)r->target_radius;
  const double error = d.error + 4.0 * U * dist;
  double speed = max_speed(m);
  require_way(m->b, d);
  if (near > 0.0 && dist > 0.0 && !clear_of(dist, near, error, near)) m->b->unsafe = true;
  if (slow > 0.0 && !clear_of(dist, slow, error, slow)) m->b->unsafe = true;
  if (dist <= near && r->coast) return none;
  if (dist < slow) speed *= dist / slow;
  if (dist <= near) speed = 0.0;
  fuzzy wanted = scale(direction(d), speed);
  wanted.error += 4.0 * U * speed + (dist > 0.0 && dist < slow ? speed * d.error / dist : 0.0);
  return toward(m, wanted, (double)r->time_to_target);
}

fuzzy book_arrive(book *b, const crowd_agent *a, fuzzy d, const throng_arrive *r) {
  const aim m = {.b = b, .a = a};
  return arrive(&m, d, r);
}

static bool is_within(const aim *m, float radius) {
  const double dist = length(m->target.d), r = (double)radius;
  if (r > 0.0 && !clear_of(dist, r, m->target.d.error + 4.0 * U * dist, r)) m->b->unsafe = true;
  return dist <= r;
}
static bool panics(const aim *m, float radius) { return radius == 0.0f || is_within(m, radius); }

static fuzzy predicted(const aim *m, bool by_speed, bool stops, bool gives_up, float max_prediction) {
  const float free_time = ref_a_time_to_face(m->b->crowd, m->target.q, m->target.u, max_prediction);
  const float most = stops ? free_time : max_prediction;
  const double now = length(exact(m->a->velocity, m->b->spatial));
  const amount speed = by_speed ? (amount){now, 4.0 * U * now} : (amount){max_speed(m), 0.0};
  amount time = time_over(m->target.d, speed, (double)most);
  if (gives_up && free_time < most) {
    if (!clear_of(time.value, (double)free_time, time.error, (double)free_time)) m->b->unsafe = true;
    if (time.value > (double)free_time) time = (amount){0.0, 0.0};
  }
  return later(m->target.d, m->target.velocity, time);
}

/* The time in which the agent, straight at its maximum speed, meets the target; that of pursue if it cannot. The error
 * of a root follows from the rounding of the three terms, over the derivative there, which is twice the square root. */
static amount meeting_time(const aim *m, double most) {
  const fuzzy d = m->target.d, u = m->target.velocity;
  const double top = max_speed(m), a = dot(u, u) - top * top, b = dot(d, u), c = dot(d, d);
  const double square = b * b - a * c, sum = length(u) + top, off = 32.0 * U * length(d) + 4.0 * d.error;
  if (!clear_of(square, 0.0, length(d) * sum * sum * off, c * sum * sum)) m->b->unsafe = true;
  if (!clear_of(b, 0.0, length(u) * off, length(d) * sum) || !clear_of(a, 0.0, 16.0 * U * sum * sum, sum * sum))
    m->b->unsafe = true;
  if (square < 0.0 || (b >= 0.0 && a >= 0.0)) return time_over(d, (amount){top, 0.0}, most);
  const double root = sqrt(square), time = b < 0.0 ? c / (root - b) : (root + b) / -a;
  if (!(root > 0.0)) return (amount){0.0, 0.0};
  const double way = length(d) + sum * time;
  const amount meets = {time, (32.0 * U * way * way + 4.0 * d.error * way) / (2.0 * root)};
  if (meets.error > MARGIN * time) m->b->unsafe = true;
  return time - 4.0 * meets.error > most ? (amount){most, 0.0} : (amount){fmin(time, most), meets.error};
}

static fuzzy intercept(const aim *m, const throng_intercept *r) {
  if (r->exact) {
    const amount time = meeting_time(m, (double)r->max_prediction);
    return seek(m, later(m->target.d, m->target.velocity, time), r->time_to_target);
  }
  const fuzzy dv = add(m->target.velocity, minus(exact(m->a->velocity, m->b->spatial)));
  const fuzzy f = book_facing(m->b, m->a), d = m->target.d;
  const double closing = length(dv), ahead = dot(f, d), least = (double)r->least_speed, far = length(d);
  const amount speed = {closing, dv.error + 4.0 * U * closing};
  if (closing > 0.0 && !clear_of(closing, least, speed.error, least + closing)) m->b->unsafe = true;
  if (far > 0.0 && !clear_of(ahead, 0.0, far * (f.error + 6.0 * U) + d.error, far)) m->b->unsafe = true;
  if (closing > 0.0 && speed.error > MARGIN * closing) m->b->unsafe = true;
  if (closing == 0.0 || closing < least || ahead < 0.0) return seek(m, d, r->time_to_target);
  return seek(m, later(d, m->target.velocity, time_over(d, speed, (double)r->max_prediction)), r->time_to_target);
}

static fuzzy offset_pursuit(const aim *m, const throng_offset_pursuit *r) {
  const fuzzy f = m->target.facing, level = {-f.z, 0.0, f.x, f.error};
  fuzzy right = level;
  if (m->b->spatial) {
    if (length(level) < 1e-3) m->b->unsafe = true;
    right = direction(level);
  }
  fuzzy place = add(scale(right, (double)r->right), scale(f, (double)r->forward));
  if (m->b->spatial) {
    const fuzzy up = {right.y * f.z - right.z * f.y, right.z * f.x - right.x * f.z, right.x * f.y - right.y * f.x,
                      2.0 * right.error + 8.0 * U};
    place = add(place, scale(up, (double)r->up));
  }
  const fuzzy d = add(m->target.d, place);
  const amount speed = {max_speed(m), 0.0};
  const throng_arrive how = {r->slow_radius, r->target_radius, r->time_to_target, false, false, false};
  return arrive(m, later(d, m->target.velocity, time_over(d, speed, (double)r->max_prediction)), &how);
}

static fuzzy interpose(const aim *m, const throng_interpose *r) {
  if (!m->other.exists) return none;
  const amount speed = {max_speed(m), 0.0};
  const amount time = time_over(scale(add(m->target.d, m->other.d), 0.5), speed, (double)r->max_prediction);
  const fuzzy met = add(later(m->target.d, m->target.velocity, time), later(m->other.d, m->other.velocity, time));
  const throng_arrive how = {r->slow_radius, r->target_radius, r->time_to_target, false, false, false};
  return arrive(m, scale(met, 0.5), &how);
}

/* Returns the velocity along each axis on its own (B 2.1). Limiting each axis never increases a distance. */
static fuzzy by_axes(fuzzy way, double speed) {
  way.x = fmax(-speed, fmin(way.x, speed));
  way.y = fmax(-speed, fmin(way.y, speed));
  way.z = fmax(-speed, fmin(way.z, speed));
  return limit(way, speed);
}
/* Returns the velocity away from the target along each axis in which they differ. */
static fuzzy away_by_axes(const aim *m, double speed) {
  const double d[3] = {m->target.d.x, m->target.d.y, m->target.d.z};
  double v[3];
  for (int c = 0; c < 3; c++) {
    v[c] = d[c] > 0.0 ? -speed : d[c] < 0.0 ? speed : 0.0;
    if (m->target.d.error > 0.0 && fabs(d[c]) <= 4.0 * m->target.d.error) m->b->unsafe = true;
  }
  return limit((fuzzy){v[0], v[1], v[2], 0.0}, speed);
}

static fuzzy kinematic(const aim *m, const throng_behaviour *want) {
  const double speed = max_speed(m);
  fuzzy wanted = none;
  if (want->kind == THRONG_BEHAVIOUR_KINEMATIC_SEEK && !is_within(m, want->kinematic_seek.radius))
    wanted = want->kinematic_seek.by_axis ? by_axes(scale(m->target.d, 1.0 / m->b->dt), speed)
                                          : scale(direction(m->target.d), speed);
  if (want->kind == THRONG_BEHAVIOUR_KINEMATIC_FLEE && panics(m, want->kinematic_flee.radius))
    wanted = want->kinematic_flee.by_axis ? away_by_axes(m, speed) : scale(direction(minus(m->target.d)), speed);
  if (want->kind == THRONG_BEHAVIOUR_KINEMATIC_ARRIVE && !is_within(m, want->kinematic_arrive.radius))
    wanted = limit(scale(m->target.d, 1.0 / (double)want->kinematic_arrive.time_to_target), speed);
  return toward(m, wanted, m->b->dt);
}

bool book_aims(throng_behaviour_kind kind) {
  const bool by_hand = kind == THRONG_BEHAVIOUR_CHASE || kind == THRONG_BEHAVIOUR_CLEAR_WAY;
  return (kind <= THRONG_BEHAVIOUR_INTERPOSE && !by_hand) ||
         (kind >= THRONG_BEHAVIOUR_KINEMATIC_SEEK && kind <= THRONG_BEHAVIOUR_KINEMATIC_ARRIVE);
}

fuzzy book_aim(book *b, const crowd_agent *a, const throng_behaviour *want) {
  aim m = {.b = b, .a = a, .g = crowd_group(b->crowd, a), .target = look_at(b, a, &want->target)};
  if (!m.target.exists) return none;
  switch (want->kind) {
  case THRONG_BEHAVIOUR_SEEK:
    return seek(&m, m.target.d, want->seek.time_to_target);
  case THRONG_BEHAVIOUR_FLEE:
    return panics(&m, want->flee.panic_radius) ? seek(&m, minus(m.target.d), want->flee.time_to_target) : none;
  case THRONG_BEHAVIOUR_ARRIVE:
    return arrive(&m, m.target.d, &want->arrive);
  case THRONG_BEHAVIOUR_PURSUE:
    return seek(&m,
                predicted(&m, want->pursue.by_speed, want->pursue.stop_at_walls, want->pursue.give_up_at_walls,
                          want->pursue.max_prediction),
                want->pursue.time_to_target);
  case THRONG_BEHAVIOUR_EVADE:
    if (!panics(&m, want->evade.panic_radius)) return none;
    return seek(&m,
                minus(predicted(&m, want->evade.by_speed, want->evade.stop_at_walls, want->evade.give_up_at_walls,
                                want->evade.max_prediction)),
                want->evade.time_to_target);
  case THRONG_BEHAVIOUR_INTERCEPT:
    return intercept(&m, &want->intercept);
  case THRONG_BEHAVIOUR_VELOCITY_MATCH:
    return toward(&m, m.target.velocity, (double)want->velocity_match.time_to_target);
  case THRONG_BEHAVIOUR_OFFSET_PURSUIT:
    return offset_pursuit(&m, &want->offset_pursuit);
  case THRONG_BEHAVIOUR_INTERPOSE:
    m.other = look_at(b, a, &want->other);
    return interpose(&m, &want->interpose);
  default:
    return kinematic(&m, want);
  }
}

static bool is_missing(book *b, const crowd_agent *a, const throng_behaviour *want) {
  if (!look_at(b, a, &want->target).exists) return true;
  return want->kind == THRONG_BEHAVIOUR_INTERPOSE && !look_at(b, a, &want->other).exists;
}

const throng_behaviour *book_brake_entry(book *b, const crowd_agent *a) {
  const throng_group_def *g = crowd_group(b->crowd, a);
  const throng_behaviour *first = NULL;
  if (g->when_target_lost == THRONG_WHEN_LOST_COAST) return NULL;
  for (uint32_t k = g->behaviour_count; k > 0; k--) {
    const throng_behaviour *want = &g->behaviour[k - 1];
    if (want->weight == 0.0f) continue;
    if (want->kind == THRONG_BEHAVIOUR_WANDER || !is_missing(b, a, want)) return NULL;
    first = want;
  }
  return first;
}

bool book_is_idle(const throng_group_def *g) {
  const bool pushed = g->separation.weight > 0.0f || g->avoidance.weight > 0.0f;
  if (!pushed || g->cohesion.weight > 0.0f || g->alignment.weight > 0.0f || g->attraction.weight > 0.0f) return false;
  for (uint32_t k = 0; k < g->behaviour_count; k++)
    if (g->behaviour[k].weight != 0.0f) return false;
  return g->when_target_lost == THRONG_WHEN_LOST_BRAKE;
}

fuzzy book_stand(const book *b, const crowd_agent *a) {
  fuzzy brake =
      limit(scale(exact(a->velocity, b->spatial), -fmin(10.0, 1.0 / b->dt)), (double)crowd_acceleration(b->crowd, a));
  brake.error += 6.0 * U * length(brake);
  return brake;
}

fuzzy book_brake(const book *b, const crowd_agent *a, const throng_behaviour *want) {
  throng_parameter p;
  double time = 0.0, most = (double)crowd_acceleration(b->crowd, a);
  const double speed = (double)crowd_max_speed(b->crowd, a), weight = fabs((double)want->weight);
  for (uint32_t k = 0; throng_behaviour_get_parameter(want->kind, k, &p); k++) {
    if (strcmp(p.name, "time_to_target") == 0) time = throng_behaviour_get_value(want, &p);
  }
  if (time > 0.0 && !isinf(speed)) most = fmin(most, speed / time);
  const double rate = 1.0 / (b->dt * fmax(weight, 1.0));
  fuzzy brake = limit(scale(exact(a->velocity, b->spatial), want->weight < 0.0f ? rate : -rate), most);
  brake.error += 4.0 * U * length(brake);
  return brake;
}
