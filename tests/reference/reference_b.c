/* tests/reference/reference_b.c: wander (M 3.3.11), blending (M 3.4.2) and the update rules (M 3.1.3) in double
 * precision, with bounds on float32's errors.
 *
 * How bounds are derived: inputs are floats, so they are exact. A rounded operation has an error of at most U = 2^-24
 * times its result. A sum of n terms has at most n * U times the sum of their lengths. direction(a) has twice the
 * relative error of a. Clipping is a projection and adds only its own roundings. Products of two errors are left out;
 * instead the test doubles the bound. So a bound grows with the number of neighbours and with the lengths of the terms.
 * No bound was fitted to results.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_b.h"
#include "reference/reference_b_internal.h"

#include "reference/reference_a.h" /* random draws: the books define no generator */

#define PI 3.14159265358979323846

static void span_of(const throng_world_def *def, double min[3], double max[3]) {
  min[0] = (double)def->box_min.x, min[1] = (double)def->box_min.y, min[2] = (double)def->box_min.z;
  max[0] = (double)def->box_max.x, max[1] = (double)def->box_max.y, max[2] = (double)def->box_max.z;
}

fuzzy book_difference(book *b, throng_vec3 p, throng_vec3 q) {
  const double from[3] = {(double)p.x, (double)p.y, (double)p.z}, to[3] = {(double)q.x, (double)q.y, (double)q.z};
  double min[3], max[3], d[3], error = 0.0;
  span_of(&b->crowd->def, min, max);
  for (int axis = 0; axis < 3; axis++) {
    const double side = max[axis] - min[axis];
    d[axis] = axis == 1 && !b->spatial ? 0.0 : to[axis] - from[axis];
    if (b->crowd->def.boundary[axis] == THRONG_BOUNDARY_PERIODIC && fabs(d[axis]) > side * 0.5) {
      d[axis] -= d[axis] > 0.0 ? side : -side;
      error += U * (2.0 * side + fabs(to[axis])); /* the side and the position of the image are rounded */
    }
    /* At half a box length two images are equally near. Only a goal can be so far away. */
    if (b->crowd->def.boundary[axis] == THRONG_BOUNDARY_PERIODIC && fabs(fabs(d[axis]) - side * 0.5) < MARGIN * side &&
        (axis != 1 || b->spatial))
      error += side;
  }
  fuzzy f = {d[0], d[1], d[2], 0.0};
  f.error = error + U * length(f);
  return f;
}

fuzzy book_facing(const book *b, const crowd_agent *a) {
  if (b->spatial) return exact(a->facing, true);
  return (fuzzy){sin((double)a->facing.x), 0.0, cos((double)a->facing.x), POLYNOMIAL};
}

/* Returns the acceleration toward a point on a circle in front of the agent; the point moves randomly. */
static fuzzy wander(book *b, const crowd_agent *a, const throng_wander *w) {
  const double step = (double)w->rate * sqrt(b->dt);
  const double radius = (double)w->radius, offset = (double)w->offset;
  double draw[3];
  for (uint32_t k = 0; k < 3; k++) draw[k] = (double)ref_a_binomial(b->crowd->def.seed, a->id, b->crowd->frame, k);
  fuzzy on_circle;
  if (b->spatial) {
    const fuzzy walk = scale((fuzzy){draw[0], draw[1], draw[2], 0.0}, step);
    on_circle = direction(add(exact(a->wander, true), walk));
  } else {
    const double angle = (double)a->wander.x + draw[0] * step, yaw = (double)a->facing.x;
    /* The errors of three products and sums, and of two wraps; each wrap rounds an angle of at most about pi. */
    const double angle_error = U * (4.0 * fabs(draw[0] * step) + 4.0 * PI + fabs(angle));
    on_circle = (fuzzy){sin(yaw + angle), 0.0, cos(yaw + angle), POLYNOMIAL + angle_error};
  }
  const fuzzy aim = add(scale(book_facing(b, a), offset), scale(on_circle, radius));
  if (length(aim) < 1e-2 * (radius + offset)) b->unsafe = true;
  return scale(w->faces ? book_facing(b, a) : direction(aim), (double)crowd_acceleration(b->crowd, a));
}

static fuzzy steer(book *b, uint32_t i) {
  const crowd_agent *a = &b->crowd->agents[i];
  const throng_group_def *g = crowd_group(b->crowd, a);
  fuzzy sum = book_neighbour_rules(b, i);
  const throng_behaviour *braking = book_brake_entry(b, a);
  for (uint32_t k = 0; k < g->behaviour_count; k++) {
    const throng_behaviour *want = &g->behaviour[k];
    if (want->weight == 0.0f) continue;
    fuzzy wish = want->kind == THRONG_BEHAVIOUR_WANDER ? wander(b, a, &want->wander) : book_aim(b, a, want);
    if (want == braking) wish = book_brake(b, a, want);
    sum = add(sum, scale(wish, (double)want->weight));
  }
  if (book_is_idle(g)) sum = add(sum, book_stand(b, a));
  return limit(sum, (double)crowd_acceleration(b->crowd, a));
}

static void bound_axis(book *b, int axis, double *position, double *velocity, double error) {
  double min[3], max[3];
  span_of(&b->crowd->def, min, max);
  if (axis == 1 && !b->spatial) return;
  if (b->crowd->def.boundary[axis] == THRONG_BOUNDARY_BOX) {
    const double measure = (double)b->crowd->def.perception_radius;
    if (!clear_of(*position, min[axis], error, measure) || !clear_of(*position, max[axis], error, measure))
      b->unsafe = true;
    if (*position < min[axis]) *velocity = fmax(*velocity, 0.0);
    if (*position > max[axis]) *velocity = fmin(*velocity, 0.0);
    *position = fmin(fmax(*position, min[axis]), max[axis]);
  }
  if (b->crowd->def.boundary[axis] == THRONG_BOUNDARY_PERIODIC) {
    const double side = max[axis] - min[axis];
    *position -= side * floor((*position - min[axis]) / side);
  }
}

static void turn(const book *b, const crowd_agent *a, const fuzzy *velocity, ref_b_result *out) {
  const throng_group_def *g = crowd_group(b->crowd, a);
  const double speed = length(*velocity), off = speed > 0.0 ? 2.0 * velocity->error / speed : 0.0;
  const double k = g->facing == THRONG_FACING_INSTANT ? 1.0 : 1.0 - exp(-b->dt / (double)g->facing_time);
  const fuzzy f = exact(a->facing, true);
  out->facing[0] = f.x, out->facing[1] = f.y, out->facing[2] = f.z;
  out->facing_bound = 0.0;
  if (g->facing == THRONG_FACING_FIXED || (speed == 0.0 && velocity->error == 0.0)) return;
  out->facing_bound = speed == 0.0 || off > 1e-2 ? INFINITY : off + POLYNOMIAL + 16.0 * U;
  if (!b->spatial) {
    const double swing = remainder(atan2(velocity->x, velocity->z) - f.x, 2.0 * PI);
    if (k < 1.0 && fabs(swing) > PI - 1e-2) out->facing_bound = INFINITY; /* the float turn may be reversed */
    out->facing[0] = f.x + k * swing;
    return;
  }
  const double t[3] = {velocity->x / speed, velocity->y / speed, velocity->z / speed};
  const double along = f.x * t[0] + f.y * t[1] + f.z * t[2];
  const double across[3] = {t[0] - f.x * along, t[1] - f.y * along, t[2] - f.z * along};
  const double sine = sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
  const double angle = k * atan2(sine, along), part = sine > 0.0 ? sin(angle) / sine : 0.0;
  const double old[3] = {f.x, f.y, f.z};
  for (int axis = 0; axis < 3; axis++) out->facing[axis] = old[axis] * cos(angle) + across[axis] * part;
  /* The books say "the shorter turn"; for opposite directions both turns are equally long. */
  if (k < 1.0 && along < -0.9999) out->facing_bound = INFINITY;
  /* An error of the target direction tilts the great circle of the turn. The tilt is large if the directions are nearly
   * equal or opposite. */
  out->facing_bound *= 4.0;
  if (k < 1.0) out->facing_bound = (out->facing_bound + 3.0 * POLYNOMIAL) * (1.0 + 1.0 / fmax(sine, 1e-2));
  if (k < 1.0 && sine < 1e-2) out->facing_bound += along > 0.0 ? 1e-6 : INFINITY;
}

static void move(book *b, const crowd_agent *a, fuzzy accel, ref_b_result *out) {
  const throng_group_def *g = crowd_group(b->crowd, a);
  const fuzzy p = exact(a->position, b->spatial), v = exact(a->velocity, b->spatial);
  const fuzzy pushed = add(v, scale(accel, b->dt));
  fuzzy v1 = scale(pushed, 1.0 / (1.0 + (double)g->drag * b->dt));
  v1.error += 3.0 * U * length(v1);
  const double speed = (double)crowd_max_speed(b->crowd, a);
  v1 = limit(v1, speed);
  /* An agent that is slower than this may be stopped, which is not in the books. */
  if (!isinf(speed) && length(v) > 0.0 && length(v1) < 2e-6 * speed) b->unsafe = true;
  fuzzy p1 = p;
  switch (b->crowd->def.update) {
  case THRONG_UPDATE_SEMI_IMPLICIT:
    p1 = add(p, scale(v1, b->dt));
    break;
  case THRONG_UPDATE_EXPLICIT:
    p1 = add(p, scale(v, b->dt));
    break;
  case THRONG_UPDATE_BALLISTIC:
    p1 = add(p, add(scale(v, b->dt), scale(accel, 0.5 * b->dt * b->dt)));
    break;
  }
  double position[3] = {p1.x, p1.y, p1.z}, velocity[3] = {v1.x, v1.y, v1.z};
  out->position_bound = p1.error;
  for (int axis = 0; axis < 3; axis++) {
    double min[3], max[3];
    span_of(&b->crowd->def, min, max);
    const bool wraps = b->crowd->def.boundary[axis] == THRONG_BOUNDARY_PERIODIC && (axis != 1 || b->spatial);
    if (wraps) out->position_bound += 5.0 * U * (fabs(min[axis]) + fabs(max[axis]));
    bound_axis(b, axis, &position[axis], &velocity[axis], p1.error);
    out->position[axis] = position[axis];
    out->velocity[axis] = velocity[axis];
  }
  out->velocity_bound = v1.error;
  v1.x = velocity[0], v1.y = velocity[1], v1.z = velocity[2];
  turn(b, a, &v1, out);
}

bool ref_b_step(const crowd *c, double dt, ref_b_result *results, uint32_t *culprit) {
  book b = {.crowd = c, .spatial = crowd_is_spatial(c), .dt = dt};
  for (uint32_t i = 0; i < c->count; i++) {
    const fuzzy a = steer(&b, i);
    move(&b, &c->agents[i], a, &results[i]);
    if (b.unsafe) {
      *culprit = i;
      return false;
    }
  }
  return true;
}
