/* rays.c: see rays.h. SPDX-License-Identifier: MIT */
#include "scenery/rays.h"

static double hit_wall(const struct shape *wall, const struct ray *ray) {
  const struct vec a = vec_of(wall->a), along = vec_sub(vec_of(wall->b), a), way = ray->way;
  const struct vec to = vec_sub(a, ray->from);
  const double across = way.x * along.z - way.z * along.x;
  if (across == 0.0) return 2.0;
  const double t = (to.x * along.z - to.z * along.x) / across, u = (to.x * way.z - to.z * way.x) / across;
  return t >= 0.0 && t <= 1.0 && u >= 0.0 && u <= 1.0 ? t : 2.0;
}

/* Returns the hit with a box by the slab test: the ray hits the box where it enters the last slab, if it leaves none
 * before. */
static double hit_box(const struct shape *box, const struct ray *ray) {
  const double from[3] = {ray->from.x, ray->from.y, ray->from.z}, way[3] = {ray->way.x, ray->way.y, ray->way.z};
  double enter = -1.0, leave = 1.0;
  for (int c = 0; c < 3; c++) {
    const double low = (double)box->a[c] - from[c], high = (double)box->b[c] - from[c];
    if (way[c] == 0.0) {
      if (low > 0.0 || high < 0.0) return 2.0;
      continue;
    }
    const double in = (way[c] > 0.0 ? low : high) / way[c], out = (way[c] > 0.0 ? high : low) / way[c];
    if (in > enter) enter = in;
    if (out < leave) leave = out;
  }
  return enter >= 0.0 && enter <= leave ? enter : 2.0;
}

static double hit_plane(const struct shape *plane, const struct ray *ray) {
  const struct vec normal = vec_of(plane->a);
  const double nearing = -vec_dot(normal, ray->way);
  return nearing > 0.0 ? vec_dot(normal, vec_sub(ray->from, vec_of(plane->b))) / nearing : 2.0;
}

/* The smaller root of |from + way t - centre| = radius, from outside. */
static double hit_ball(const struct shape *ball, const struct ray *ray) {
  const struct vec d = vec_sub(ray->from, vec_of(ball->a));
  const double radius = (double)ball->radius, a = vec_dot(ray->way, ray->way), b = vec_dot(d, ray->way);
  const double c = vec_dot(d, d) - radius * radius, root = b * b - a * c;
  return c >= 0.0 && b < 0.0 && root >= 0.0 ? (-b - sqrt(root)) / a : 2.0;
}

static double hit(const struct shape *shape, const struct ray *ray) {
  switch (shape->kind) {
  case SHAPE_WALL:
    return hit_wall(shape, ray);
  case SHAPE_BOX:
    return hit_box(shape, ray);
  case SHAPE_PLANE:
    return hit_plane(shape, ray);
  default:
    return hit_ball(shape, ray);
  }
}

double throng_ray_cast(const struct scenery *scenery, const struct ray *ray) {
  struct scenery_near near = throng_scenery_near(scenery, ray->from, ray->way, 0.0);
  double first = 2.0;
  uint32_t k;
  while (throng_scenery_next(&near, &k)) {
    const double t = hit(&scenery->shape[k], ray);
    if (t >= 0.0 && t <= 1.0 && t < first) first = t;
  }
  return first;
}
