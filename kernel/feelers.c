/* feelers.c: obstacle avoidance (Bourg 4.3, Reynolds 1999) and wall avoidance (Millington 3.3.15). SPDX-License-Identifier: MIT */
#include "feelers.h"

#include "arithmetic.h"
#include "rays.h"

static const struct vec nothing = {0.0, 0.0, 0.0};

/* An obstacle in the feeler's way. */
struct bump {
  double distance; /* to its centre */
  struct vec push; /* sideways, with the strength that it asks for */
};

static bool feel_obstacle(const struct feeler *feeler, struct vec heading, double length, double strength,
                          const struct shape *ball, struct bump *bump) {
  struct vec d = vec_sub(vec_of(ball->a), feeler->p);
  double ahead = vec_dot(d, heading), reach = (double)ball->radius + feeler->body;
  if (!(ahead > 0.0 && ahead < length)) return false;
  struct vec off = vec_sub(d, vec_scale(heading, ahead));
  double aside = vec_length(off);
  if (!(aside < reach)) return false;
  bump->distance = vec_length(d);
  struct vec side = vec_scale(off, -1.0 / aside);
  if (!(aside > 1e-6 * reach)) side = vec_scale(feeler_right(heading), feeler->id & 1u ? 1.0 : -1.0);
  bump->push = vec_scale(side, strength * length / bump->distance);
  return true;
}

/* The obstacle to answer after number `last`: the next by number, or the nearest of all. */
static bool next_bump(const struct feeler *feeler, struct vec heading, double length, const throng_avoid_obstacles *how,
                      int64_t last, struct bump *found, int64_t *number) {
  const bool nearest = how->nearest_only != 0.0f;
  struct scenery_near near = throng_scenery_near(feeler->scenery, feeler->p, vec_scale(heading, length), feeler->body);
  uint32_t k;
  *number = -1;
  while (throng_scenery_next(&near, &k)) {
    const struct shape *shape = &feeler->scenery->shape[k];
    struct bump bump = {0.0, nothing};
    if (shape->kind != SHAPE_BALL || (int64_t)k <= last) continue;
    if (!nearest && *number >= 0 && (int64_t)k >= *number) continue;
    if (!feel_obstacle(feeler, heading, length, (double)how->strength, shape, &bump)) continue;
    if (nearest && *number >= 0 &&
        !(bump.distance < found->distance || (bump.distance == found->distance && (int64_t)k < *number)))
      continue;
    *found = bump;
    *number = (int64_t)k;
  }
  return *number >= 0;
}

struct vec throng_feel_obstacles(const struct feeler *feeler, const throng_avoid_obstacles *how) {
  const double speed = vec_length(feeler->v);
  if (!(speed > 0.0)) return nothing;
  const struct vec heading = vec_scale(feeler->v, 1.0 / speed);
  const double length = (double)how->look_ahead + (double)how->look_ahead_time * speed;
  if (throng_scenery_is_empty(feeler->scenery, feeler->p, length + feeler->body)) return nothing;
  struct vec sum = nothing;
  struct bump bump = {0.0, nothing};
  int64_t number = -1;
  while (next_bump(feeler, heading, length, how, number, &bump, &number)) {
    sum = vec_add(sum, bump.push);
    if (how->nearest_only != 0.0f) break;
  }
  return feeler_clip(feeler, sum);
}

enum feeler_ray { RAY_LONG, RAY_LEFT, RAY_RIGHT, RAYS };

/* The rays of a way of feeling; those that it does not have are left at length 0. */
static void spread_rays(const struct feeler *feeler, const throng_avoid_walls *how, double length, double angle,
                        struct ray rays[RAYS]) {
  const struct vec heading = vec_scale(feeler->v, 1.0 / vec_length(feeler->v)), right = feeler_right(heading);
  const struct vec forward = vec_scale(heading, length);
  for (int k = 0; k < RAYS; k++) rays[k] = (struct ray){feeler->p, nothing};
  if ((int)how->rays == THRONG_RAYS_PARALLEL) {
    rays[RAY_LEFT] = (struct ray){vec_sub(feeler->p, vec_scale(right, feeler->body)), forward};
    rays[RAY_RIGHT] = (struct ray){vec_add(feeler->p, vec_scale(right, feeler->body)), forward};
    return;
  }
  rays[RAY_LONG].way = forward;
  if ((int)how->rays == THRONG_RAYS_SINGLE) return;
  float sine, cosine;
  scalar_sincos((float)angle, &sine, &cosine);
  const double whisker = length * (double)how->whisker;
  const struct vec ahead = vec_scale(heading, whisker * (double)cosine),
                   aside = vec_scale(right, whisker * (double)sine);
  rays[RAY_LEFT].way = vec_sub(ahead, aside);
  rays[RAY_RIGHT].way = vec_add(ahead, aside);
}

/* Toward a point `avoid_distance` before the wall. */
static struct vec away_from(const struct feeler *feeler, const throng_avoid_walls *how, const struct ray *ray,
                            const struct ray_hit *hit) {
  const struct vec point = vec_add(ray->from, vec_scale(ray->way, hit->t));
  const struct vec target = vec_add(point, vec_scale(hit->normal, (double)how->avoid_distance));
  return vec_scale(vec_direction(vec_sub(target, feeler->p)), feeler->limit);
}

struct vec throng_feel_walls(const struct feeler *feeler, const throng_avoid_walls *how, float dt, struct fan *fan) {
  const bool adapts = (int)how->rays == THRONG_RAYS_FAN;
  float angle = adapts && fan->angle > how->angle ? fan->angle : how->angle;
  if (adapts && angle > how->widest) angle = how->widest;
  struct ray rays[RAYS];
  int first = -1;
  struct ray_hit hits[RAYS];
  double nearest = 0.0;
  const double speed = vec_length(feeler->v), length = (double)how->look_ahead + (double)how->look_ahead_time * speed;
  if (!(speed > 0.0)) return nothing;
  const bool empty = throng_scenery_is_empty(feeler->scenery, feeler->p, length + feeler->body);
  if (!empty) spread_rays(feeler, how, length, (double)angle, rays);
  for (int k = 0; k < RAYS && !empty; k++) {
    hits[k] = throng_ray_cast(feeler->scenery, &rays[k], false);
    double distance = hits[k].t * vec_length(rays[k].way);
    if (hits[k].t > 1.0 || (first >= 0 && !(distance < nearest))) continue;
    first = k;
    nearest = distance;
  }
  if (adapts) {
    const float step = how->spread_rate * dt;
    const int latch = (int)fan->latch;
    if (first >= 0 && latch != RAY_LONG && hits[latch].t <= 1.0) first = latch;
    fan->angle = first >= 0 ? angle + step : angle - step;
    if (fan->angle > how->widest) fan->angle = how->widest;
    if (fan->angle < how->angle) fan->angle = how->angle;
    fan->latch = first >= 0 ? (float)first : 0.0f;
  }
  return first >= 0 ? away_from(feeler, how, &rays[first], &hits[first]) : nothing;
}
