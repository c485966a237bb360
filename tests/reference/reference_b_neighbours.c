/* tests/reference/reference_b_neighbours.c: separation (M 3.3.13), cohesion and alignment (M 3.4.2), collision
 * avoidance (M 3.3.14), in double precision.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_b_internal.h"

/* Returns a bound on the error of |d| in float32: the sum of the errors of d, of the dot product and of the root. */
static double distance_error(fuzzy d) { return d.error + 3.0 * U * length(d); }

static bool in_view(book *b, double view, fuzzy facing, fuzzy d) {
  if (view >= 2.0 * 3.14159265) return true; /* a full circle, or smaller by less than the margin */
  const double along = dot(d, facing) / length(d), edge = cos(view * 0.5) - (1e-6 * sin(view * 0.5) + 7e-7);
  /* Rounding changes `along` and `edge` a little; the polynomials have errors in the facing of a yaw and in the
   * edge. */
  if (!clear_of(along, edge, 2.0 * POLYNOMIAL + d.error / length(d), 1.0)) b->unsafe = true;
  return along >= edge;
}

/* Returns the push away from the neighbour by the separation law. Its relative error is d.error / |d| for the
 * direction, at most three times that for the strength, and a dozen roundings. With the linear law the strength is a
 * difference; `weighed` is the sum of its two terms, because each has its own error. */
static fuzzy separate(const book *b, const crowd_agent *me, double radius, fuzzy d) {
  const double dist = length(d), amax = (double)crowd_acceleration(b->crowd, me);
  const double k = (double)crowd_group(b->crowd, me)->separation.strength;
  double strength = 0.0, weighed = 0.0;
  switch (crowd_law(b->crowd, me)) {
  case THRONG_SEPARATION_INVERSE:
    strength = weighed = k * radius / dist;
    break;
  case THRONG_SEPARATION_LINEAR:
    strength = amax * (radius - dist) / radius;
    weighed = amax * (radius + dist) / radius;
    break;
  default: /* inverse square */
    strength = weighed = fmin(k / (dist * dist), amax);
    break;
  }
  fuzzy push = {-d.x / dist * strength, -d.y / dist * strength, -d.z / dist * strength, 0.0};
  push.error = fabs(weighed) * (4.0 * d.error / dist + 16.0 * U);
  return push;
}

/* A running sum. Adding n terms rounds n times, each time by at most U times the sum of all lengths. */
typedef struct total {
  fuzzy sum;
  double lengths;
  double count;
} total;

static void accumulate(total *t, fuzzy a) {
  const double error = t->sum.error + a.error;
  t->sum = add(t->sum, a);
  t->sum.error = error;
  t->lengths += length(a);
  t->count += 1.0;
}

static fuzzy total_of(const total *t) {
  fuzzy s = t->sum;
  s.error += t->count * U * t->lengths;
  return s;
}

typedef struct danger {
  double time, time_error;
  uint32_t index; /* id index of the other agent */
  fuzzy at;       /* relative position at that time */
  fuzzy motion;   /* relative velocity of the other agent */
  double radii;   /* sum of the body radii */
} danger;

/* Whether the other agent is a threat; if so, writes to *out when and where the two agents are closest. The formula is
 * that of M 3.3.14, with the minus sign that is missing in two printings. */
static bool approach(book *b, const crowd_agent *me, const crowd_agent *other, fuzzy d, danger *out) {
  const crowd *c = b->crowd;
  const double radii = (double)crowd_body(c, me) + (double)crowd_body(c, other);
  const double horizon = (double)crowd_group(c, me)->avoidance.horizon, dist = length(d);
  fuzzy dv = add(exact(other->velocity, b->spatial), scale(exact(me->velocity, b->spatial), -1.0));
  dv.error = U * length(dv); /* only one subtraction rounds */
  const double speed_sq = dot(dv, dv);
  if (radii > 0.0 && !clear_of(dist, radii, distance_error(d), radii)) b->unsafe = true;
  danger threat = {0.0, 0.0, other->id.index, d, dv, radii};
  if (!(dist < radii)) {
    if (speed_sq == 0.0) return false;
    threat.time = -dot(d, dv) / speed_sq;
    const double dot_error = dist * length(dv) * 5.0 * U + d.error * length(dv);
    threat.time_error = dot_error / speed_sq + fabs(threat.time) * 8.0 * U;
    threat.at = add(d, scale(dv, threat.time));
    threat.at.error = d.error + length(dv) * threat.time_error + fabs(threat.time) * dv.error +
                      2.0 * U * (dist + length(dv) * fabs(threat.time));
  }
  const double miss = length(threat.at);
  bool decisions_clear = dist < radii || (clear_of(threat.time, 0.0, threat.time_error, horizon) &&
                                          clear_of(threat.time, horizon, threat.time_error, horizon));
  const bool in_time = threat.time >= 0.0 && threat.time <= horizon;
  if (in_time && radii > 0.0 && !clear_of(miss, radii, threat.at.error + 4.0 * U * miss, radii))
    decisions_clear = false;
  /* The time may be unclear if the two agents pass far from each other. */
  if (!decisions_clear && miss < 1.01 * radii + 4.0 * threat.at.error) b->unsafe = true;
  if (!in_time || !(miss < radii)) return false;
  if (!clear_of(miss, 1e-3 * radii, threat.at.error, 1e-3 * radii)) b->unsafe = true;
  *out = threat;
  return true;
}

static fuzzy avoidance_answer(book *b, const crowd_agent *me, const danger *first) {
  const double amax = (double)crowd_acceleration(b->crowd, me);
  const double level = hypot(first->motion.x, first->motion.z), error = first->motion.error;
  if (length(first->at) >= 1e-3 * first->radii || length(first->motion) == 0.0)
    return scale(direction(first->at), -amax);
  /* Head-on, an agent avoids to the right of its motion relative to the other agent. So the two agents choose opposite
   * sides. */
  if (level == 0.0) return (fuzzy){first->motion.y < 0.0 ? -amax : amax, 0.0, 0.0, 4.0 * U * amax};
  if (error > 1e-3 * level) b->unsafe = true;
  return scale((fuzzy){first->motion.z / level, 0.0, -first->motion.x / level, 2.0 * error / level + 8.0 * U}, amax);
}

/* Keeps the earlier of two threats in *first. If both overlap the agent now, keeps the one with the lower id index. */
static void keep_first(book *b, danger *first, bool *any, danger next, double horizon) {
  const bool both_now = *any && first->time == 0.0 && next.time == 0.0;
  if (*any && !both_now && !clear_of(next.time, first->time, next.time_error + first->time_error, horizon))
    b->unsafe = true;
  const bool earlier = both_now ? next.index < first->index : next.time < first->time;
  if (!*any || earlier) *first = next;
  *any = true;
}

typedef struct sums {
  total push, offset, velocity;
  danger first;
  bool threatened;
} sums;

static bool is_within(book *b, float given, float radius, fuzzy d) {
  const double dist = length(d), r = (double)radius;
  if (given > 0.0f && !clear_of(dist, r, distance_error(d), r)) b->unsafe = true;
  return given == 0.0f || dist <= r;
}

/* The rules that may count only their nearest neighbours. */
typedef enum flock_rule { SEPARATION, COHESION, ALIGNMENT } flock_rule;

/* Whether another agent at d counts for a rule, before `nearest`. */
static bool counts(book *b, const crowd_agent *me, const crowd_agent *other, fuzzy d, double separation_radius,
                   flock_rule rule) {
  const throng_group_def *g = crowd_group(b->crowd, me);
  const uint32_t layer = 1u << crowd_group(b->crowd, other)->layer;
  const fuzzy facing = book_facing(b, me);
  if (length(d) > (double)crowd_perception(b->crowd, me)) return false;
  switch (rule) {
  case SEPARATION:
    if (!(g->separation.weight > 0.0f && g->separation.mask & layer)) return false;
    if (!clear_of(length(d), separation_radius, distance_error(d), separation_radius)) b->unsafe = true;
    return length(d) <= separation_radius && in_view(b, (double)g->separation.field_of_view, facing, d);
  case COHESION:
    return g->cohesion.mask & layer && in_view(b, (double)g->field_of_view, facing, d) &&
           is_within(b, g->cohesion.radius, crowd_own_metres(b->crowd, me, g->cohesion.radius), d);
  case ALIGNMENT:
    break;
  }
  return g->alignment.mask & layer && in_view(b, (double)g->field_of_view, facing, d) &&
         is_within(b, g->alignment.radius, crowd_own_metres(b->crowd, me, g->alignment.radius), d);
}

/* Whether fewer than `most` others that count are nearer than d. */
static bool is_near(book *b, const crowd_agent *me, const crowd_agent *other, fuzzy d, double separation_radius,
                    flock_rule rule, uint32_t most) {
  uint32_t nearer = 0;
  for (uint32_t k = 0; k < b->crowd->count && most > 0; k++) {
    const crowd_agent *third = &b->crowd->agents[k];
    if (third == me || third == other) continue;
    const fuzzy e = book_difference(b, me->position, third->position);
    if (!counts(b, me, third, e, separation_radius, rule)) continue;
    if (!clear_of(length(e), length(d), distance_error(d) + distance_error(e), length(d))) b->unsafe = true;
    if (length(e) < length(d)) nearer++;
  }
  return most == 0 || nearer < most;
}

static void consider(book *b, const crowd_agent *me, const crowd_agent *other, double separation_radius, sums *s) {
  const throng_group_def *g = crowd_group(b->crowd, me);
  const double perception = (double)crowd_perception(b->crowd, me);
  const uint32_t layer = 1u << crowd_group(b->crowd, other)->layer;
  const fuzzy d = book_difference(b, me->position, other->position), facing = book_facing(b, me);
  const double dist = length(d);
  if (!clear_of(dist, perception, distance_error(d), perception)) b->unsafe = true;
  if (dist > perception) return;
  if (dist < MARGIN * (double)b->crowd->def.perception_radius) b->unsafe = true; /* almost coincident */
  if (counts(b, me, other, d, separation_radius, SEPARATION) &&
      is_near(b, me, other, d, separation_radius, SEPARATION, g->separation.nearest))
    accumulate(&s->push, separate(b, me, separation_radius, d));
  if (!in_view(b, (double)g->field_of_view, facing, d)) return;
  if (counts(b, me, other, d, separation_radius, COHESION) &&
      is_near(b, me, other, d, separation_radius, COHESION, g->cohesion.nearest))
    accumulate(&s->offset, d);
  if (counts(b, me, other, d, separation_radius, ALIGNMENT) &&
      is_near(b, me, other, d, separation_radius, ALIGNMENT, g->alignment.nearest))
    accumulate(&s->velocity, exact(other->velocity, b->spatial));
  danger threat;
  if (g->avoidance.weight > 0.0f && g->avoidance.mask & layer && approach(b, me, other, d, &threat))
    keep_first(b, &s->first, &s->threatened, threat, (double)g->avoidance.horizon);
}

fuzzy book_neighbour_rules(book *b, uint32_t i) {
  const crowd *c = b->crowd;
  const crowd_agent *me = &c->agents[i];
  const throng_group_def *g = crowd_group(c, me);
  const double amax = (double)crowd_acceleration(c, me);
  double radius = (double)crowd_perception(c, me);
  if (g->separation.radius > 0.0f) radius = fmin(radius, (double)crowd_own_metres(c, me, g->separation.radius));
  if (book_is_idle(g)) radius = fmin(radius, 2.0 * (double)g->body_radius);
  sums s = {0};
  for (uint32_t j = 0; j < c->count; j++)
    if (j != i) consider(b, me, &c->agents[j], radius, &s);
  fuzzy blended = {0.0, 0.0, 0.0, 0.0};
  if (s.push.count > 0.0) blended = add(blended, scale(limit(total_of(&s.push), amax), (double)g->separation.weight));
  if (s.offset.count > 0.0 && g->cohesion.weight > 0.0f) {
    const fuzzy middle = scale(total_of(&s.offset), 1.0 / s.offset.count);
    const float of_group = crowd_metres(g, g->perception_radius);
    const float sight = of_group > 0.0f ? of_group : c->def.perception_radius;
    const throng_arrive how = {g->cohesion.slow_radius < 0.0f ? 0.4f * sight : g->cohesion.slow_radius,
                               g->cohesion.target_radius < 0.0f ? 0.2f * sight : g->cohesion.target_radius,
                               g->cohesion.time_to_target,
                               g->cohesion.coast,
                               false,
                               false};
    if (length(middle) < 20.0 * middle.error) b->unsafe = true; /* the agent is at the neighbours' centre */
    const fuzzy seeks = scale(direction(middle), amax);
    const fuzzy a = g->cohesion.form == THRONG_COHESION_ARRIVE ? book_arrive(b, me, middle, &how) : seeks;
    blended = add(blended, scale(a, (double)g->cohesion.weight));
  }
  if (s.velocity.count > 0.0 && g->alignment.weight > 0.0f) {
    const fuzzy mean = scale(total_of(&s.velocity), 1.0 / s.velocity.count);
    const fuzzy wanted = add(mean, scale(exact(me->velocity, b->spatial), -1.0));
    const fuzzy a = limit(scale(wanted, 1.0 / (double)g->alignment.time_to_target), amax);
    blended = add(blended, scale(a, (double)g->alignment.weight));
  }
  if (s.threatened) blended = add(blended, scale(avoidance_answer(b, me, &s.first), (double)g->avoidance.weight));
  return blended;
}
