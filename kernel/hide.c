/* hide.c: hide (Reynolds 1999; Buckland, Programming Game AI by Example, ch. 3). SPDX-License-Identifier: MIT */
#include "feelers.h"

static const struct vec nothing = {0.0, 0.0, 0.0};

/* From the agent to where the obstacle is between it and the target, which lies at dp; false where it hides nobody. */
static bool place_behind(const struct feeler *feeler, const throng_hide *how, struct vec dp, const struct shape *ball,
                         struct vec *place) {
  const struct vec d = vec_sub(vec_of(ball->a), feeler->p), away = vec_sub(d, dp);
  const double radius = (double)ball->radius, length = vec_length(away);
  if (!(vec_length(d) - radius <= (double)how->reach && length > 0.0)) return false;
  *place = vec_add(d, vec_scale(away, (radius + feeler->body + (double)how->distance) / length));
  return true;
}

struct vec throng_steer_to_hide(const struct feeler *feeler, const throng_hide *how, struct vec dp) {
  struct scenery_near near = throng_scenery_near(feeler->scenery, feeler->p, nothing, (double)how->reach);
  struct vec best = nothing, place;
  double nearest = INFINITY;
  uint32_t k, number = 0;
  while (throng_scenery_next(&near, &k)) {
    const struct shape *shape = &feeler->scenery->shape[k];
    if (shape->kind != SHAPE_BALL || !place_behind(feeler, how, dp, shape, &place)) continue;
    const double distance = vec_length(place);
    if (distance > nearest || (distance == nearest && k > number)) continue;
    best = place;
    nearest = distance;
    number = k;
  }
  if (nearest == INFINITY) return nothing;
  double speed = feeler->speed;
  if (nearest < (double)how->slow_radius) speed = speed * nearest / (double)how->slow_radius;
  if (nearest <= (double)how->target_radius) speed = 0.0;
  const struct vec wanted = nearest > 0.0 ? vec_scale(best, speed / nearest) : nothing;
  return feeler_change(feeler, wanted, (double)how->time_to_target);
}
