/* Draws the trails of agents. They are the fainter the older they are.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include "output/picture_parts.h"

void picture_draw_trail(cairo_t *cairo, const picture_view *view, const trail_ring *trails, const run_frame *frame,
                        uint32_t k, picture_colour colour, double alpha) {
  trail_piece pieces[TRAIL_MOST_POINTS];
  const uint32_t count = trails_pieces(trails, frame->number, frame->crowd.id[k], frame->crowd.position[k], pieces);
  for (uint32_t i = 0; i < count; i++) {
    const throng_vec3 *from = &pieces[i].from, *to = &pieces[i].to;
    const picture_point p = view_project(view, (double)from->x, (double)from->y, (double)from->z);
    const picture_point q = view_project(view, (double)to->x, (double)to->y, (double)to->z);
    set_colour(cairo, colour, alpha * (1 - pieces[i].age));
    cairo_move_to(cairo, p.x, p.y);
    cairo_line_to(cairo, q.x, q.y);
    cairo_stroke(cairo);
  }
}

void picture_camera_see_trails(picture_camera *camera, const trail_ring *trails, const run_frame *frame) {
  trail_piece pieces[TRAIL_MOST_POINTS];
  for (uint32_t k = 0; k < frame->crowd.count; k++) {
    const uint32_t count = trails_pieces(trails, frame->number, frame->crowd.id[k], frame->crowd.position[k], pieces);
    for (uint32_t i = 0; i < count; i++) {
      const bench_crowd point = {.count = 1, .position = &pieces[i].from};
      picture_camera_see(camera, trails->scene, &point);
    }
  }
}
