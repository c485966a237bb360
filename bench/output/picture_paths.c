/* Draws the paths that agents may follow.
 * SPDX-License-Identifier: MIT */
#include "output/picture_parts.h"

#include <math.h>

static void draw_path(cairo_t *cairo, const picture_view *view, const bench_scene *scene, const scene_path *path) {
  const uint32_t segments = path->closed ? path->count : path->count - 1;
  for (uint32_t k = 0; k < segments; k++) {
    const throng_vec3 *p = &path->points[k], *q = &path->points[(k + 1) % path->count];
    double from[3], to[3];
    for (int axis = 0; axis < 3; axis++) {
      from[axis] = (double)(&p->x)[axis];
      to[axis] = from[axis] + scene_way_along(scene, axis, from[axis], (double)(&q->x)[axis]);
    }
    picture_point a = view_project(view, from[0], from[1], from[2]), b = view_project(view, to[0], to[1], to[2]);
    cairo_move_to(cairo, a.x, a.y);
    cairo_line_to(cairo, b.x, b.y);
  }
  cairo_stroke(cairo);
}

void picture_draw_paths(cairo_t *cairo, const picture_view *view, const bench_scene *scene) {
  cairo_set_line_width(cairo, PATH_WIDTH);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
  set_colour(cairo, colour_from_hex(COLOUR_PATH), 1);
  for (uint32_t k = 0; k < scene->path_count; k++) draw_path(cairo, view, scene, &scene->paths[k]);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
}
