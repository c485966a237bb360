/* Chooses the colours of agents.
 * SPDX-License-Identifier: MIT */
#include "output/picture_parts.h"
#include "scene/scene_density.h"

#include <math.h>

/* Returns the largest maximum speed of a group that is finite; 1 m/s if there is none. */
static double largest_speed(const bench_scene *scene) {
  double most = 0;
  for (uint32_t i = 0; i < scene->group_count; i++) {
    const double speed = (double)scene->groups[i].def.max_speed;
    if (isfinite(speed)) most = fmax(most, speed);
  }
  return most > 0 ? most : 1;
}

picture_paint paint_make(const bench_scene *scene, const picture_style *style) {
  const picture_colours colours = style->colours;
  picture_paint paint = {.colours = colours, .trails = style->trails};
  if (colours == PICTURE_BY_DEFAULT) paint.colours = scene->group_count == 1 ? PICTURE_BY_HEADING : PICTURE_BY_GROUP;
  if (colours == PICTURE_BY_SPEED) paint.most = largest_speed(scene);
  if (colours == PICTURE_BY_DENSITY) paint.most = (double)DENSITY_MOST;
  return paint;
}

picture_colour paint_colour(const picture_paint *paint, double value) {
  const double part = value / paint->most;
  return paint->colours == PICTURE_BY_SPEED ? colour_of_speed(part) : colour_of_density(part);
}
