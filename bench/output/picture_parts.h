/* Shared by the files picture*.c.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PICTURE_PARTS_H
#define BENCH_PICTURE_PARTS_H

#include <cairo/cairo.h>

#include "output/colour.h"
#include "output/picture.h"

#define PLOT_X 40.0 /* pixels: where the plot is on the page */
#define PLOT_Y 40.0
#define PLOT_WIDTH 1180.0
#define PLOT_HEIGHT 1070.0
#define LEGEND_X 1264.0
#define LEGEND_WIDTH 296.0

/* A parallel projection from metres to pixels:
 *   x in pixels = origin_x + dot(right, position)
 *   y in pixels = origin_y + dot(down, position)
 *   depth = toward_origin + dot(toward, position) */
typedef struct picture_view {
  double origin_x, origin_y;
  double right[3], down[3]; /* pixels per metre of x, y, z */
  double toward[3];         /* depth per metre of x, y, z; depth is 0 at the farthest corner, 1 at the nearest */
  double toward_origin;
  double pixels_per_metre;
  double left;           /* pixels: the left edge of the view */
  double min[3], max[3]; /* metres: what the view shows */
} picture_view;

typedef struct picture_point {
  double x, y;
} picture_point;

picture_view view_make(const bench_scene *scene, const picture_camera *camera);
picture_point view_project(const picture_view *view, double x, double y, double z);
/* Projects a corner of the view. It has the greater x if `bits & 1`, the greater y if `bits & 2`, and the greater z if
 * `bits & 4`. */
picture_point view_corner(const picture_view *view, int bits);

static inline void set_colour(cairo_t *cairo, picture_colour colour, double alpha) {
  cairo_set_source_rgba(cairo, colour.r, colour.g, colour.b, alpha);
}

#define PATH_WIDTH 7.0 /* pixels */
void picture_draw_paths(cairo_t *cairo, const picture_view *view, const bench_scene *scene);
/* Returns the length of the agents' marks in pixels. It is near the distance between agents on the page in `frame`. */
double picture_mark_length(const picture_view *view, const bench_scene *scene, const run_frame *frame);
void picture_draw_agents(cairo_t *cairo, const picture_view *view, const bench_scene *scene, const run_frame *frame,
                         double mark_length);
void picture_draw_legend(cairo_t *cairo, const picture_view *view, const bench_scene *scene, const run_frame *frame,
                         double mean_neighbours);

/* Whether agents are coloured by heading (scenes of one group) or by group. */
static inline bool picture_by_heading(const bench_scene *scene) { return scene->group_count == 1; }

#endif
