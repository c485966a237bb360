/* Shared by the files picture*.c.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PICTURE_PARTS_H
#define BENCH_PICTURE_PARTS_H

#include <cairo/cairo.h>

#include "output/colour.h"
#include "output/picture.h"

#define PLOT_X 40.0 /* pixels: where the plot is on the page */
#define PLOT_Y 40.0
#define PLOT_WIDTH 1180.0 /* its largest size; in one direction the plot is as large */
#define PLOT_HEIGHT 1070.0
#define PLOT_FOOT 90.0 /* for the scale bar below the plot */
#define LEGEND_GAP 44.0
#define LEGEND_WIDTH 296.0
#define LEGEND_MARGIN 40.0
_Static_assert((int)PLOT_X + (int)PLOT_WIDTH + (int)LEGEND_GAP + (int)LEGEND_WIDTH + (int)LEGEND_MARGIN ==
                       PICTURE_WIDTH &&
                   (int)PLOT_Y + (int)PLOT_HEIGHT + (int)PLOT_FOOT == PICTURE_HEIGHT,
               "the largest plot and the legend fill the largest page");

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
  double legend_x;       /* pixels: the left edge of the legend */
  int width, height;     /* pixels: the page */
  double min[3], max[3]; /* metres: what the view shows */
} picture_view;

typedef struct picture_point {
  double x, y;
} picture_point;

/* How agents are coloured. */
typedef struct picture_paint {
  picture_colours colours;  /* not PICTURE_BY_DEFAULT */
  double most;              /* BY_SPEED, BY_DENSITY: the value of the last colour */
  const trail_ring *trails; /* NULL: none */
} picture_paint;

picture_paint paint_make(const bench_scene *scene, const picture_style *style);
/* Returns the colour of a speed or a density. */
picture_colour paint_colour(const picture_paint *paint, double value);

/* Makes a view whose page has room for a legend of this height. */
picture_view view_make(const bench_scene *scene, const picture_camera *camera, double legend_height);
picture_point view_project(const picture_view *view, double x, double y, double z);
/* Projects a corner of the view. It has the greater x if `bits & 1`, the greater y if `bits & 2`, and the greater z if
 * `bits & 4`. */
picture_point view_corner(const picture_view *view, int bits);

static inline void set_colour(cairo_t *cairo, picture_colour colour, double alpha) {
  cairo_set_source_rgba(cairo, colour.r, colour.g, colour.b, alpha);
}

#define PATH_WIDTH 7.0 /* pixels */
void picture_draw_paths(cairo_t *cairo, const picture_view *view, const bench_scene *scene);
/* picture_zones.c: draws the speed zones on the ground, the slower or the faster the stronger. */
void picture_draw_zones(cairo_t *cairo, const picture_view *view, const bench_scene *scene);
/* picture_attractors.c */
void picture_draw_attractors(cairo_t *cairo, const picture_view *view, const bench_scene *scene);
/* Returns the length of the darts in pixels. It is near the distance between agents on the page in `frame`. */
double picture_mark_length(const picture_view *view, const bench_scene *scene, const run_frame *frame);
void picture_draw_agents(cairo_t *cairo, const picture_view *view, const bench_scene *scene, const run_frame *frame,
                         const picture_paint *paint, double mark_length);
/* Draws the trail of agent k of the frame. */
void picture_draw_trail(cairo_t *cairo, const picture_view *view, const trail_ring *trails, const run_frame *frame,
                        uint32_t k, picture_colour colour, double alpha);
void picture_draw_legend(cairo_t *cairo, const picture_view *view, const bench_scene *scene, const run_frame *frame,
                         const picture_paint *paint, double mean_neighbours);
/* Returns the height of the legend in pixels, from the top of the page. */
double picture_legend_height(const bench_scene *scene, const picture_paint *paint);

#endif
