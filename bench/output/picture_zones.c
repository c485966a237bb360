/* Draws the speed zones, and the cells of the raster as square zones.
 * SPDX-License-Identifier: MIT */
#include "output/picture_parts.h"

#include <math.h>

#define CIRCLE_CORNERS 64

/* Adds the corner of a zone that is `across` and `along` from its centre, which is shifted by x and z. */
static void add_corner(cairo_t *cairo, const picture_view *view, const throng_speed_zone *zone, const double shift[2],
                       double across, double along) {
  const double sine = sin((double)zone->yaw), cosine = cos((double)zone->yaw);
  const picture_point p =
      view_project(view, (double)zone->centre.x + shift[0] + across * cosine + along * sine, view->min[1],
                   (double)zone->centre.z + shift[1] - across * sine + along * cosine);
  cairo_line_to(cairo, p.x, p.y);
}

static void draw_zone(cairo_t *cairo, const picture_view *view, const throng_speed_zone *zone, const double shift[2]) {
  if (zone->shape == THRONG_SPEED_ZONE_CIRCLE) {
    for (int k = 0; k < CIRCLE_CORNERS; k++) {
      const double turn = 6.283185307179586 * k / CIRCLE_CORNERS;
      add_corner(cairo, view, zone, shift, (double)zone->radius * sin(turn), (double)zone->radius * cos(turn));
    }
  } else {
    const double x = 0.5 * (double)zone->width, z = 0.5 * (double)zone->length;
    add_corner(cairo, view, zone, shift, -x, -z);
    add_corner(cairo, view, zone, shift, x, -z);
    add_corner(cairo, view, zone, shift, x, z);
    add_corner(cairo, view, zone, shift, -x, z);
  }
  cairo_close_path(cairo);
  cairo_fill(cairo);
}

/* Draws a zone, and its images along periodic axes. */
static void draw_images_of(cairo_t *cairo, const picture_view *view, const bench_scene *scene,
                           const throng_speed_zone *zone) {
  const double factor = (double)zone->factor, strength = fmin(fabs(log2(factor)) / 3.0, 1.0);
  set_colour(cairo, colour_from_hex(factor < 1.0 ? COLOUR_SLOW : COLOUR_FAST), 0.25 + 0.5 * strength);
  for (int k = 0; k < 9; k++) {
    const int lengths[2] = {k % 3 - 1, k / 3 - 1};
    double shift[2] = {0.0, 0.0};
    bool there = true;
    for (int axis = 0; axis < 2; axis++) {
      if (lengths[axis] == 0) continue;
      there = there && scene->world.boundary[2 * axis] == THRONG_BOUNDARY_PERIODIC;
      shift[axis] = lengths[axis] * (view->max[2 * axis] - view->min[2 * axis]);
    }
    if (there) draw_zone(cairo, view, zone, shift);
  }
}

static void draw_raster(cairo_t *cairo, const picture_view *view, const bench_scene *scene) {
  const throng_speed_raster *raster = &scene->zones.raster;
  throng_speed_zone cell = throng_default_speed_zone();
  cell.shape = THRONG_SPEED_ZONE_RECTANGLE;
  cell.width = cell.length = raster->cell;
  for (uint32_t j = 0; j < raster->height; j++) {
    for (uint32_t i = 0; i < raster->width; i++) {
      cell.factor = scene->zones.factor[(size_t)j * raster->width + i];
      cell.centre = (throng_vec3){raster->origin.x + ((float)i + 0.5f) * raster->cell, 0,
                                  raster->origin.z + ((float)j + 0.5f) * raster->cell};
      if (cell.factor != 1.0f) draw_images_of(cairo, view, scene, &cell);
    }
  }
}

void picture_draw_zones(cairo_t *cairo, const picture_view *view, const bench_scene *scene) {
  static const int ground[4] = {0, 1, 5, 4};
  if (!scene->zones.count && !scene->zones.factor) return;
  cairo_save(cairo);
  for (int k = 0; k < 4; k++) {
    const picture_point p = view_corner(view, ground[k]);
    cairo_line_to(cairo, p.x, p.y);
  }
  cairo_close_path(cairo);
  cairo_clip(cairo);
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE); /* no lines between the cells */
  draw_raster(cairo, view, scene);
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
  for (uint32_t k = 0; k < scene->zones.count; k++) draw_images_of(cairo, view, scene, &scene->zones.list[k]);
  cairo_restore(cairo);
}
