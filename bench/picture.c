/* The page, the view and the scenery.
 * SPDX-License-Identifier: MIT */
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture_parts.h"

#define TURN_DEGREES 32.0  /* of the oblique view, about the vertical */
#define PITCH_DEGREES 24.0 /* the eye above the horizon */
#define DEGREE 0.01745329251994329577
#define MAX_MASK_SIDE 4096u

picture_point view_project(const picture_view *view, double x, double y, double z) {
  return (picture_point){view->origin_x + view->right[0] * x + view->right[1] * y + view->right[2] * z,
                         view->origin_y + view->down[0] * x + view->down[1] * y + view->down[2] * z};
}

void set_colour(cairo_t *cairo, picture_colour colour, double alpha) {
  cairo_set_source_rgba(cairo, colour.r, colour.g, colour.b, alpha);
}

/* A range of values: all of them, or, where some have strayed far off, three standard deviations about the mean. */
typedef struct value_range {
  double low, high, sum, squares, count;
} value_range;

static void range_add(value_range *range, double value) {
  range->low = range->count > 0 ? fmin(range->low, value) : value;
  range->high = range->count > 0 ? fmax(range->high, value) : value;
  range->sum += value;
  range->squares += value * value;
  range->count += 1;
}

static void range_limits(const value_range *range, double margin, double *min, double *max) {
  double count = fmax(range->count, 1), mean = range->sum / count;
  double reach = 3 * sqrt(fmax(range->squares / count - mean * mean, 0));
  *min = fmax(range->low, mean - reach) - margin;
  *max = fmin(range->high, mean + reach) + margin;
}

/* What is shown: the box, or where the agents are. */
static void find_extent(picture_view *view, const bench_scene *scene, const bench_crowd *crowd) {
  const throng_world_def *def = &scene->world;
  for (int axis = 0; axis < 3; axis++) {
    view->min[axis] = (double)(&def->box_min.x)[axis];
    view->max[axis] = (double)(&def->box_max.x)[axis];
    if (def->boundary != THRONG_UNBOUNDED) continue;
    value_range range = {0};
    for (uint32_t k = 0; k < crowd->count; k++) range_add(&range, (double)(&crowd->position[k].x)[axis]);
    range_limits(&range, (double)def->perception_radius, &view->min[axis], &view->max[axis]);
  }
}

static picture_point corner(const picture_view *view, int bits) {
  return view_project(view, bits & 1 ? view->max[0] : view->min[0], bits & 2 ? view->max[1] : view->min[1],
                      bits & 4 ? view->max[2] : view->min[2]);
}

/* Scales and shifts the view until what is shown fills the plot. */
static void fill_plot(picture_view *view, const bench_scene *scene, const bench_crowd *crowd) {
  value_range across = {0}, down = {0};
  double left, right, top, bottom, margin = 0;
  if (scene->world.boundary == THRONG_UNBOUNDED) {
    margin = (double)scene->world.perception_radius;
    for (uint32_t k = 0; k < crowd->count; k++) {
      throng_vec3 p = crowd->position[k];
      picture_point at = view_project(view, (double)p.x, (double)p.y, (double)p.z);
      range_add(&across, at.x);
      range_add(&down, at.y);
    }
  } else {
    for (int bits = 0; bits < 8; bits++) {
      range_add(&across, corner(view, bits).x);
      range_add(&down, corner(view, bits).y);
    }
  }
  range_limits(&across, margin, &left, &right);
  range_limits(&down, margin, &top, &bottom);
  double scale = fmin(PLOT_WIDTH / fmax(right - left, 1e-9), PLOT_HEIGHT / fmax(bottom - top, 1e-9));
  for (int axis = 0; axis < 3; axis++) {
    view->right[axis] *= scale;
    view->down[axis] *= scale;
  }
  view->pixels_per_metre = scale;
  view->left = PLOT_X + (PLOT_WIDTH - scale * (right - left)) / 2;
  view->origin_x = PLOT_X + PLOT_WIDTH / 2 - scale * (left + right) / 2;
  view->origin_y = PLOT_Y + PLOT_HEIGHT / 2 - scale * (top + bottom) / 2;
}

static picture_view make_view(const bench_scene *scene, const bench_crowd *crowd) {
  picture_view view = {0};
  find_extent(&view, scene, crowd);
  if (scene->world.space == THRONG_PLANAR) {
    /* From above with x to the right, z points down the page. */
    view.right[0] = 1;
    view.down[2] = 1;
    fill_plot(&view, scene, crowd);
    return view;
  }
  double turn_sin = sin(TURN_DEGREES * DEGREE), turn_cos = cos(TURN_DEGREES * DEGREE);
  double pitch_sin = sin(PITCH_DEGREES * DEGREE), pitch_cos = cos(PITCH_DEGREES * DEGREE);
  const double right[3] = {turn_cos, 0, -turn_sin};
  const double down[3] = {turn_sin * pitch_sin, -pitch_cos, turn_cos * pitch_sin};
  const double toward[3] = {turn_sin * pitch_cos, pitch_sin, turn_cos * pitch_cos}; /* all above 0 */
  double nearest = 0, farthest = 0;
  for (int axis = 0; axis < 3; axis++) {
    nearest += toward[axis] * view.max[axis];
    farthest += toward[axis] * view.min[axis];
  }
  double depth = fmax(nearest - farthest, 1e-9);
  view.toward_origin = -farthest / depth;
  for (int axis = 0; axis < 3; axis++) {
    view.right[axis] = right[axis];
    view.down[axis] = down[axis];
    view.toward[axis] = toward[axis] / depth;
  }
  fill_plot(&view, scene, crowd);
  return view;
}

static void draw_face(cairo_t *cairo, const picture_view *view, const int corners[4]) {
  for (int i = 0; i < 4; i++) {
    picture_point p = corner(view, corners[i]);
    cairo_line_to(cairo, p.x, p.y);
  }
  cairo_close_path(cairo);
}

static const int ground_corners[4] = {0, 1, 5, 4};

static void draw_ground(cairo_t *cairo, const picture_view *view, const bench_scene *scene) {
  if (scene->world.boundary == THRONG_UNBOUNDED) return; /* endless */
  set_colour(cairo, colour_from_hex(COLOUR_GROUND), 1);
  draw_face(cairo, view, ground_corners);
  cairo_fill(cairo);
}

/* The edges of the box: those behind the agents (and in planar worlds all four) before them, the rest after. */
static void draw_edges(cairo_t *cairo, const picture_view *view, const bench_scene *scene, bool in_front) {
  static const int nearest = 7;
  if (scene->world.boundary == THRONG_UNBOUNDED) return;
  bool planar = scene->world.space == THRONG_PLANAR;
  set_colour(cairo, colour_from_hex(COLOUR_LINE), in_front ? 0.9 : 0.7);
  cairo_set_line_width(cairo, 1.5);
  if (scene->world.boundary == THRONG_PERIODIC) cairo_set_dash(cairo, (const double[]){8, 6}, 2, 0);
  for (int from = 0; from < 8; from++)
    for (int axis = 1; axis <= 4; axis *= 2) {
      int to = from | axis;
      bool at_front = !planar && (from == nearest || to == nearest);
      if (from == to || at_front != in_front || (planar && (axis == 2 || from & 2))) continue;
      picture_point p = corner(view, from), q = corner(view, to);
      cairo_move_to(cairo, p.x, p.y);
      cairo_line_to(cairo, q.x, q.y);
      cairo_stroke(cairo);
    }
  cairo_set_dash(cairo, NULL, 0, 0);
}

/* Blocked cells as a mask of one byte a cell; very fine grids are thinned out. */
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
    draw_face(cairo, view, ground_corners); /* the last cells may reach out of the box */
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

/* Boxes by their three faces toward the viewer; planes where they pass through the upright edges of what is shown. */
static void draw_solids(cairo_t *cairo, const picture_view *view, const scene_scenery *scenery) {
  static const int faces[3][4] = {{1, 3, 7, 5}, {4, 5, 7, 6}, {2, 3, 7, 6}}; /* greatest x, z, y: bits as in corner() */
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

/* Circles and balls filled, walls as lines. */
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

static cairo_status_t to_stream(void *stream, const unsigned char *data, unsigned int length) {
  return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

bool picture_write(FILE *stream, const bench_scene *scene, const last_frame *last, double mean_neighbours,
                   bench_problem *problem) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, PICTURE_WIDTH, PICTURE_HEIGHT);
  cairo_t *cairo = cairo_create(surface);
  picture_view view = make_view(scene, &last->crowd);
  set_colour(cairo, colour_from_hex(COLOUR_PAGE), 1);
  cairo_paint(cairo);
  draw_ground(cairo, &view, scene);
  draw_cells(cairo, &view, &scene->cells);
  draw_scenery(cairo, &view, &scene->scenery);
  draw_solids(cairo, &view, &scene->scenery);
  draw_edges(cairo, &view, scene, false);
  cairo_save(cairo);
  cairo_rectangle(cairo, 0, 0, LEGEND_X - 20, PICTURE_HEIGHT);
  cairo_clip(cairo);
  picture_draw_paths(cairo, &view, scene);
  picture_draw_agents(cairo, &view, scene, last);
  cairo_restore(cairo);
  draw_edges(cairo, &view, scene, true);
  picture_draw_legend(cairo, &view, scene, last, mean_neighbours);
  cairo_status_t status = cairo_status(cairo);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png_stream(surface, to_stream, stream);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  if (status == CAIRO_STATUS_SUCCESS) return true;
  return problem_set(problem, "picture: %s", cairo_status_to_string(status));
}
