/* Draws attractors: circles around a plus where they attract, around a minus where they repel.
 * SPDX-License-Identifier: MIT */
#include "output/picture_parts.h"

#define ATTRACTOR_RADIUS 9.0 /* pixels */

void picture_draw_attractors(cairo_t *cairo, const picture_view *view, const bench_scene *scene) {
  const double arm = 0.5 * ATTRACTOR_RADIUS;
  set_colour(cairo, colour_from_hex(COLOUR_QUIET_TEXT), 1);
  cairo_set_line_width(cairo, 2);
  for (uint32_t k = 0; k < scene->attractors.count; k++) {
    const throng_attractor *attractor = &scene->attractors.list[k];
    const throng_vec3 *at = &attractor->position;
    const double y = scene_has_axis(scene, 1) ? (double)at->y : view->min[1];
    const picture_point p = view_project(view, (double)at->x, y, (double)at->z);
    cairo_new_path(cairo);
    cairo_arc(cairo, p.x, p.y, ATTRACTOR_RADIUS, 0, 6.283185307179586);
    cairo_move_to(cairo, p.x - arm, p.y);
    cairo_line_to(cairo, p.x + arm, p.y);
    if (attractor->strength > 0) {
      cairo_move_to(cairo, p.x, p.y - arm);
      cairo_line_to(cairo, p.x, p.y + arm);
    }
    cairo_stroke(cairo);
  }
}
