/* Draws the page and the scenery.
 * SPDX-License-Identifier: MIT */
#include "output/picture.h"

#include <math.h>
#include <stdlib.h>

#include "output/picture_parts.h"

#define MAX_MASK_SIDE 4096u

struct picture_page {
  const bench_scene *scene;
  picture_view view;
  picture_paint paint;
  double mark_length;                    /* pixels: of darts; 0 before the first frame */
  cairo_surface_t *background, *surface; /* background: the same in all frames; surface: the frame drawn last */
};

static void draw_face(cairo_t *cairo, const picture_view *view, const int corners[4]) {
  for (int i = 0; i < 4; i++) {
    picture_point p = view_corner(view, corners[i]);
    cairo_line_to(cairo, p.x, p.y);
  }
  cairo_close_path(cairo);
}

static const int ground_corners[4] = {0, 1, 5, 4};

static void draw_ground(cairo_t *cairo, const picture_view *view, const bench_scene *scene) {
  if (scene_is_open(scene)) return; /* no edge to draw */
  set_colour(cairo, colour_from_hex(COLOUR_GROUND), 1);
  draw_face(cairo, view, ground_corners);
  cairo_fill(cairo);
}

/* Whether the edges along an axis (1, 2 or 4) lie on periodic faces alone. */
static bool is_seam(const bench_scene *scene, int axis) {
  for (int k = 0; k < 3; k++)
    if (axis != 1 << k && scene_has_axis(scene, k) && scene->world.boundary[k] != THRONG_BOUNDARY_PERIODIC)
      return false;
  return true;
}

/* Draws edges of the box; those of periodic faces are dashed. Edges behind the agents (in planar worlds all four) are
 * drawn before the agents, with in_front false, and the others after them. */
static void draw_edges(cairo_t *cairo, const picture_view *view, const bench_scene *scene, bool in_front) {
  static const int nearest = 7;
  static const double dash[2] = {8, 6};
  if (scene_is_open(scene)) return;
  bool planar = scene->world.space == THRONG_SPACE_PLANAR;
  set_colour(cairo, colour_from_hex(COLOUR_LINE), in_front ? 0.9 : 0.7);
  cairo_set_line_width(cairo, 1.5);
  for (int from = 0; from < 8; from++)
    for (int axis = 1; axis <= 4; axis *= 2) {
      int to = from | axis;
      bool at_front = !planar && (from == nearest || to == nearest);
      if (from == to || at_front != in_front || (planar && (axis == 2 || from & 2))) continue;
      picture_point p = view_corner(view, from), q = view_corner(view, to);
      cairo_set_dash(cairo, dash, is_seam(scene, axis) ? 2 : 0, 0);
      cairo_move_to(cairo, p.x, p.y);
      cairo_line_to(cairo, q.x, q.y);
      cairo_stroke(cairo);
    }
  cairo_set_dash(cairo, NULL, 0, 0);
}

/* Draws blocked cells by a mask of one byte per cell. Of grids wider than MAX_MASK_SIDE every nth cell is drawn. */
static void draw_cells(cairo_t *cairo, const picture_view *view, const scene_cells *cells) {
  if (!cells->width) return;
  uint32_t longer = cells->width > cells->height ? cells->width : cells->height;
  uint32_t thin = (longer + MAX_MASK_SIDE - 1) / MAX_MASK_SIDE;
  int width = (int)((cells->width + thin - 1) / thin), height = (int)((cells->height + thin - 1) / thin);
  cairo_surface_t *mask = cairo_image_surface_create(CAIRO_FORMAT_A8, width, height);
  if (cairo_surface_status(mask) == CAIRO_STATUS_SUCCESS) {
    unsigned char *pixels = cairo_image_surface_get_data(mask);
    size_t stride = (size_t)cairo_image_surface_get_stride(mask);
    for (uint32_t j = 0; j < (uint32_t)height; j++)
      for (uint32_t i = 0; i < (uint32_t)width; i++)
        pixels[j * stride + i] = cells->blocked[(size_t)j * thin * cells->width + (size_t)i * thin] ? 255 : 0;
    cairo_surface_mark_dirty(mask);
    picture_point origin = view_project(view, (double)cells->origin_x, view->min[1], (double)cells->origin_z);
    double cell = (double)cells->cell * thin * view->pixels_per_metre;
    cairo_save(cairo);
    draw_face(cairo, view, ground_corners); /* the last cells may extend beyond the box */
    cairo_clip(cairo);
    cairo_translate(cairo, origin.x, origin.y);
    cairo_scale(cairo, cell, cell);
    set_colour(cairo, colour_from_hex(COLOUR_BLOCKED), 1);
    cairo_pattern_t *pattern = cairo_pattern_create_for_surface(mask);
    cairo_pattern_set_filter(pattern, cell >= 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
    cairo_mask(cairo, pattern);
    cairo_pattern_destroy(pattern);
    cairo_restore(cairo);
  }
  cairo_surface_destroy(mask);
}

/* Draws planes as quadrilaterals between the upright edges of the view, and boxes by the three faces toward the
 * viewer. */
static void draw_solids(cairo_t *cairo, const picture_view *view, const scene_scenery *scenery) {
  static const int faces[3][4] = {
      {1, 3, 7, 5}, {4, 5, 7, 6}, {2, 3, 7, 6}}; /* greatest x, z, y; bits as in view_corner */
  static const double light[3] = {0.55, 0.75, 1};
  for (uint32_t k = 0; k < scenery->plane_count; k++) {
    const throng_vec3 *p = &scenery->point[k], *n = &scenery->normal[k];
    if (n->y == 0) continue;
    for (int i = 0; i < 4; i++) {
      const int bits = ground_corners[i];
      const double x = bits & 1 ? view->max[0] : view->min[0], z = bits & 4 ? view->max[2] : view->min[2];
      const double y =
          (double)p->y - ((x - (double)p->x) * (double)n->x + (z - (double)p->z) * (double)n->z) / (double)n->y;
      picture_point at = view_project(view, x, fmin(fmax(y, view->min[1]), view->max[1]), z);
      cairo_line_to(cairo, at.x, at.y);
    }
    cairo_close_path(cairo);
    set_colour(cairo, colour_from_hex(COLOUR_BLOCKED), 0.5);
    cairo_fill(cairo);
  }
  for (uint32_t k = 0; k < scenery->box_count; k++) {
    const throng_vec3 *low = &scenery->box_min[k], *high = &scenery->box_max[k];
    for (int face = 0; face < 3; face++) {
      for (int i = 0; i < 4; i++) {
        const int bits = faces[face][i];
        picture_point at = view_project(view, (double)(bits & 1 ? high->x : low->x),
                                        (double)(bits & 2 ? high->y : low->y), (double)(bits & 4 ? high->z : low->z));
        cairo_line_to(cairo, at.x, at.y);
      }
      cairo_close_path(cairo);
      picture_colour colour = colour_from_hex(COLOUR_LINE);
      set_colour(cairo, (picture_colour){colour.r * light[face], colour.g * light[face], colour.b * light[face]}, 1);
      cairo_fill(cairo);
    }
  }
}

/* Draws circles and balls as filled circles, and walls as lines. */
static void draw_scenery(cairo_t *cairo, const picture_view *view, const scene_scenery *scenery) {
  set_colour(cairo, colour_from_hex(COLOUR_BLOCKED), 1);
  for (uint32_t k = 0; k < scenery->circle_count; k++) {
    const throng_vec3 *centre = &scenery->centre[k];
    picture_point p =
        view_project(view, (double)centre->x, scenery->balls ? (double)centre->y : view->min[1], (double)centre->z);
    cairo_arc(cairo, p.x, p.y, (double)scenery->radius[k] * view->pixels_per_metre, 0, 6.283185307179586);
    cairo_fill(cairo);
  }
  set_colour(cairo, colour_from_hex(COLOUR_QUIET_TEXT), 1);
  cairo_set_line_width(cairo, 2);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
  for (uint32_t k = 0; k < scenery->wall_count; k++) {
    picture_point p = view_project(view, (double)scenery->from[k].x, view->min[1], (double)scenery->from[k].z);
    picture_point q = view_project(view, (double)scenery->to[k].x, view->min[1], (double)scenery->to[k].z);
    cairo_move_to(cairo, p.x, p.y);
    cairo_line_to(cairo, q.x, q.y);
    cairo_stroke(cairo);
  }
}

/* Draws the scenery of a planar world with its images across the seams, where they reach into the world. */
static void draw_images(cairo_t *cairo, const picture_view *view, const bench_scene *scene) {
  if (!scene_wraps(scene) || scene_has_axis(scene, 1)) {
    draw_scenery(cairo, view, &scene->scenery);
    return;
  }
  const bool wraps_x = scene->world.boundary[0] == THRONG_BOUNDARY_PERIODIC,
             wraps_z = scene->world.boundary[2] == THRONG_BOUNDARY_PERIODIC;
  const double side_x = view->max[0] - view->min[0], side_z = view->max[2] - view->min[2];
  const picture_point origin = view_project(view, 0, 0, 0);
  cairo_save(cairo);
  draw_face(cairo, view, ground_corners);
  cairo_clip(cairo);
  for (int k = 0; k < 9; k++) {
    const int x = k / 3 - 1, z = k % 3 - 1;
    if ((x && !wraps_x) || (z && !wraps_z)) continue;
    const picture_point moved = view_project(view, x * side_x, 0, z * side_z);
    cairo_save(cairo);
    cairo_translate(cairo, moved.x - origin.x, moved.y - origin.y);
    draw_scenery(cairo, view, &scene->scenery);
    cairo_restore(cairo);
  }
  cairo_restore(cairo);
}

/* Returns whether cairo succeeded; if not, sets the problem. */
static bool refuse(cairo_status_t status, bench_problem *problem) {
  return status == CAIRO_STATUS_SUCCESS || problem_set(problem, "picture: %s", cairo_status_to_string(status));
}

static bool draw_background(picture_page *picture, bench_problem *problem) {
  cairo_t *cairo = cairo_create(picture->background);
  set_colour(cairo, colour_from_hex(COLOUR_PAGE), 1);
  cairo_paint(cairo);
  draw_ground(cairo, &picture->view, picture->scene);
  picture_draw_zones(cairo, &picture->view, picture->scene);
  draw_cells(cairo, &picture->view, &picture->scene->cells);
  draw_images(cairo, &picture->view, picture->scene);
  draw_solids(cairo, &picture->view, &picture->scene->scenery);
  picture_draw_attractors(cairo, &picture->view, picture->scene);
  draw_edges(cairo, &picture->view, picture->scene, false);
  const cairo_status_t status = cairo_status(cairo);
  cairo_destroy(cairo);
  return refuse(status, problem);
}

picture_page *picture_create(const bench_scene *scene, const picture_camera *camera, const picture_style *style,
                             bench_problem *problem) {
  picture_page *made = calloc(1, sizeof *made);
  if (!made) {
    problem_set(problem, "out of memory for a picture");
    return NULL;
  }
  made->scene = scene;
  made->paint = paint_make(scene, style);
  made->view = view_make(scene, camera, picture_legend_height(scene, &made->paint));
  made->background = cairo_image_surface_create(CAIRO_FORMAT_RGB24, made->view.width, made->view.height);
  made->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, made->view.width, made->view.height);
  if (draw_background(made, problem) && refuse(cairo_surface_status(made->surface), problem)) return made;
  picture_destroy(made);
  return NULL;
}

int picture_width(const picture_page *picture) { return picture->view.width; }
int picture_height(const picture_page *picture) { return picture->view.height; }

bool picture_draw(picture_page *picture, const run_frame *frame, double mean_neighbours, bench_problem *problem) {
  cairo_t *cairo = cairo_create(picture->surface);
  if (picture->mark_length <= 0) picture->mark_length = picture_mark_length(&picture->view, picture->scene, frame);
  cairo_set_source_surface(cairo, picture->background, 0, 0);
  cairo_paint(cairo);
  cairo_save(cairo);
  cairo_rectangle(cairo, 0, 0, picture->view.legend_x - 20, picture->view.height);
  cairo_clip(cairo);
  picture_draw_paths(cairo, &picture->view, picture->scene);
  picture_draw_agents(cairo, &picture->view, picture->scene, frame, &picture->paint, picture->mark_length);
  cairo_restore(cairo);
  draw_edges(cairo, &picture->view, picture->scene, true);
  picture_draw_legend(cairo, &picture->view, picture->scene, frame, &picture->paint, mean_neighbours);
  const cairo_status_t status = cairo_status(cairo);
  cairo_destroy(cairo);
  return refuse(status, problem);
}

const unsigned char *picture_pixels(picture_page *picture) {
  cairo_surface_flush(picture->surface);
  return cairo_image_surface_get_data(picture->surface);
}

static cairo_status_t to_stream(void *stream, const unsigned char *data, unsigned int length) {
  return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

bool picture_write(FILE *stream, picture_page *picture, bench_problem *problem) {
  return refuse(cairo_surface_write_to_png_stream(picture->surface, to_stream, stream), problem);
}

void picture_destroy(picture_page *picture) {
  if (!picture) return;
  cairo_surface_destroy(picture->background);
  cairo_surface_destroy(picture->surface);
  free(picture);
}

bool picture_write_frame(FILE *stream, const bench_scene *scene, const run_frame *frame, const picture_style *style,
                         double mean_neighbours, bench_problem *problem) {
  picture_camera camera = {0};
  picture_camera_see(&camera, scene, &frame->crowd);
  if (style->trails) picture_camera_see_trails(&camera, style->trails, frame);
  picture_page *picture = picture_create(scene, &camera, style, problem);
  const bool ok =
      picture && picture_draw(picture, frame, mean_neighbours, problem) && picture_write(stream, picture, problem);
  picture_destroy(picture);
  return ok;
}
