/* Draws frames with a legend: planar worlds from above, spatial ones obliquely.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PICTURE_H
#define BENCH_PICTURE_H

#include <stdio.h>

#include "scene/run_frame.h"
#include "scene/trails.h"

/* Pixels: the largest page. A page is as large as its plot and legend need, in even numbers, as movies require. */
#define PICTURE_WIDTH 1600
#define PICTURE_HEIGHT 1200

/* What the colours of agents show. */
typedef enum picture_colours {
  PICTURE_BY_DEFAULT = 0, /* the heading in scenes of one group, else the group */
  PICTURE_BY_GROUP,
  PICTURE_BY_HEADING,
  PICTURE_BY_SPEED,   /* 0 to the largest maximum speed of a group */
  PICTURE_BY_DENSITY, /* scene/scene_density.h */
  PICTURE_COLOURS
} picture_colours;
/* Returns "default", "group", ...; NULL after the last. */
const char *picture_colour_name(uint32_t k);

/* How a scene is drawn. */
typedef struct picture_style {
  picture_colours colours;
  const trail_ring *trails; /* NULL: none */
} picture_style;

/* The range and the sums of values. */
typedef struct value_range {
  double low, high, sum, squares, count;
} value_range;

/* What pictures show of a world without a box: a part that has nearly all agents of all frames that were passed to
 * picture_camera_see. The struct must be zeroed at first. */
typedef struct picture_camera {
  value_range axis[3], across, down; /* of the positions, in metres, and of their projections */
} picture_camera;

void picture_camera_see(picture_camera *camera, const bench_scene *scene, const bench_crowd *crowd);
/* Sees the trails of a frame. */
void picture_camera_see_trails(picture_camera *camera, const trail_ring *trails, const run_frame *frame);

/* Pictures of one scene. All of them have the same view and the same size of marks. The style's trails must outlive
 * them. */
typedef struct picture_page picture_page;

picture_page *picture_create(const bench_scene *scene, const picture_camera *camera, const picture_style *style,
                             bench_problem *problem);
/* Return the size of the page in pixels. */
int picture_width(const picture_page *picture);
int picture_height(const picture_page *picture);
/* Draws a frame. mean_neighbours 0: unknown, and not shown. */
bool picture_draw(picture_page *picture, const run_frame *frame, double mean_neighbours, bench_problem *problem);
/* Returns the frame drawn last: picture_height rows of picture_width pixels, uint32_t 0xXXRRGGBB each. */
const unsigned char *picture_pixels(picture_page *picture);
/* Writes the frame drawn last as a PNG. */
bool picture_write(FILE *stream, picture_page *picture, bench_problem *problem);
void picture_destroy(picture_page *picture);
/* Draws one frame as a PNG. mean_neighbours 0: unknown, and not shown. */
bool picture_write_frame(FILE *stream, const bench_scene *scene, const run_frame *frame, const picture_style *style,
                         double mean_neighbours, bench_problem *problem);

#endif
