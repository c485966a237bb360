/* hug_walls.c: wall following (Reynolds 1999). SPDX-License-Identifier: MIT */
#include "feelers.h"
#include "rays.h"

static const struct vec nothing = {0.0, 0.0, 0.0};

/* The surface nearest to a point, of shapes within reach; a normal of 0 where there is none. */
static struct nearest nearest_surface(const struct scenery *scenery, struct vec p, double reach) {
  struct scenery_near near = throng_scenery_near(scenery, p, nothing, reach);
  struct nearest first = {reach, nothing};
  uint32_t k, number = UINT32_MAX;
  while (throng_scenery_next(&near, &k)) {
    const struct nearest nearest = throng_shape_nearest(&scenery->shape[k], p);
    if (nearest.distance > first.distance || (nearest.distance == first.distance && k >= number)) continue;
    first = nearest;
    number = k;
  }
  return first;
}

/* The part of a vector along a surface. */
static struct vec along(struct vec a, struct vec normal) { return vec_sub(a, vec_scale(normal, vec_dot(a, normal))); }

struct vec throng_steer_along_walls(const struct feeler *feeler, const throng_hug_walls *how) {
  const double reach = (double)how->reach, ahead = (double)how->look_ahead_time;
  const struct ray ray = {feeler->p, vec_scale(feeler->v, ahead)};
  if (throng_scenery_is_empty(feeler->scenery, feeler->p, reach + vec_length(ray.way))) return nothing;
  const struct ray_hit hit = throng_ray_cast(feeler->scenery, &ray, true);
  const struct nearest then = nearest_surface(feeler->scenery, vec_add(ray.from, ray.way), reach);
  const bool meets = hit.t <= 1.0;
  const struct vec normal = meets ? hit.normal : then.normal;
  if (!(vec_dot(normal, normal) > 0.0)) return nothing;
  const double nearing = vec_dot(ray.way, normal), height = meets ? -(nearing * hit.t) : then.distance - nearing;

  const struct vec now = nearest_surface(feeler->scenery, feeler->p, reach).normal;
  struct vec side = vec_add(along(feeler->v, normal), vec_scale(along(now, normal), 0.1 * feeler->speed));
  const double length = vec_length(side);
  side = length > 1e-6 * feeler->speed ? vec_scale(side, 1.0 / length) : feeler_right(vec_scale(normal, -1.0));
  const struct vec way =
      vec_add(vec_scale(side, feeler->speed * ahead), vec_scale(normal, (double)how->distance - height));
  return feeler_change(feeler, vec_scale(vec_direction(way), feeler->speed), (double)how->time_to_target);
}
