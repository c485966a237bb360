/* SPDX-License-Identifier: MIT */
#include "output/picture_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FONT "DejaVu Sans"
#define TWO_PI 6.28318530717958647692
#define MAX_LISTED_GROUPS 12u
#define LINE_HEIGHT 30.0

static void say(cairo_t *cairo, double x, double y, double size, bool bold, uint32_t colour, const char *text) {
  cairo_select_font_face(cairo, FONT, CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo, size);
  set_colour(cairo, colour_from_hex(colour), 1);
  cairo_move_to(cairo, x, y);
  cairo_show_text(cairo, text);
}

/* Draws text that ends at x. */
static void say_before(cairo_t *cairo, double x, double y, double size, uint32_t colour, const char *text) {
  cairo_text_extents_t extents;
  cairo_select_font_face(cairo, FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo, size);
  cairo_text_extents(cairo, text, &extents);
  say(cairo, x - extents.x_advance, y, size, false, colour, text);
}

/* Formats a number as "1 234 567". */
static void group_digits(char text[32], uint64_t number) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%" PRIu64, number), out = 0;
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) text[out++] = ' ';
    text[out++] = digits[i];
  }
  text[out] = 0;
}

/* Writes the name of a file without folder and ending, cut to 24 characters. */
static void base_name(char text[32], const char *path) {
  const char *slash = strrchr(path, '/');
  const char *begin = slash ? slash + 1 : path;
  size_t length = strcspn(begin, ".");
  snprintf(text, 25, "%.*s", (int)(length < 24 ? length : 24), begin);
  for (; *text; text++)
    if (*text < 0x20 || *text > 0x7E) *text = '_';
}

static double say_fact(cairo_t *cairo, double y, const char *what, const char *value) {
  say(cairo, 0, y, 16, false, COLOUR_QUIET_TEXT, what);
  say_before(cairo, LEGEND_WIDTH, y, 16, COLOUR_TEXT, value);
  return y + LINE_HEIGHT;
}

static double draw_title(cairo_t *cairo, const bench_scene *scene) {
  double size = strlen(scene->name) > 14 ? 22 : 32;
  say(cairo, 0, PLOT_Y + 30, size, true, COLOUR_TEXT, scene->name);
  set_colour(cairo, colour_from_hex(COLOUR_LINE), 0.6);
  cairo_rectangle(cairo, 0, PLOT_Y + 50, LEGEND_WIDTH, 1);
  cairo_fill(cairo);
  return PLOT_Y + 88;
}

static double draw_facts(cairo_t *cairo, double y, const picture_view *view, const bench_scene *scene,
                         const run_frame *frame, const picture_paint *paint, double mean_neighbours) {
  char text[64], boundary[40];
  double side[3];
  for (int axis = 0; axis < 3; axis++) side[axis] = view->max[axis] - view->min[axis];
  if (scene->map) {
    base_name(text, scene->map);
    y = say_fact(cairo, y, "map", text);
  }
  group_digits(text, frame->crowd.count);
  y = say_fact(cairo, y, "agents", text);
  group_digits(text, frame->number);
  y = say_fact(cairo, y, "frame", text);
  snprintf(text, sizeof text, "%.2f s", (double)frame->number * (double)scene->dt);
  y = say_fact(cairo, y, "time", text);
  if (scene->world.space == THRONG_SPACE_PLANAR)
    snprintf(text, sizeof text, "%.4g \303\227 %.4g m", side[0], side[2]);
  else
    snprintf(text, sizeof text, "%.3g \303\227 %.3g \303\227 %.3g m", side[0], side[1], side[2]);
  scene_name_boundary(scene, boundary);
  y = say_fact(cairo, y, boundary, text);
  snprintf(text, sizeof text, "%.4g m", (double)scene->world.perception_radius);
  y = say_fact(cairo, y, "perception radius", text);
  if (mean_neighbours > 0) {
    snprintf(text, sizeof text, "%.1f", mean_neighbours);
    y = say_fact(cairo, y, "mean neighbours", text);
  }
  if (paint->trails) {
    snprintf(text, sizeof text, "%g s", paint->trails->seconds);
    y = say_fact(cairo, y, "trails", text);
  }
  return y + 24;
}

static double draw_groups(cairo_t *cairo, double y, const bench_scene *scene, const run_frame *frame) {
  uint64_t counts[THRONG_MAX_GROUPS] = {0};
  char text[64], number[32];
  for (uint32_t k = 0; k < frame->crowd.count; k++) counts[frame->crowd.group[k]]++;
  say(cairo, 0, y, 18, true, COLOUR_TEXT, "groups");
  y += LINE_HEIGHT + 4;
  for (uint32_t i = 0; i < scene->group_count && i < MAX_LISTED_GROUPS; i++) {
    set_colour(cairo, colour_of_group(scene, i), 1);
    cairo_move_to(cairo, 18, y - 6);
    cairo_line_to(cairo, 0, y - 14);
    cairo_line_to(cairo, 5, y - 6);
    cairo_line_to(cairo, 0, y + 2);
    cairo_close_path(cairo);
    cairo_fill(cairo);
    snprintf(text, sizeof text, "group %u", i);
    group_digits(number, counts[i]);
    say(cairo, 30, y, 16, false, COLOUR_TEXT, scene->groups[i].name[0] ? scene->groups[i].name : text);
    say_before(cairo, LEGEND_WIDTH, y, 16, COLOUR_QUIET_TEXT, number);
    y += LINE_HEIGHT;
  }
  if (scene->group_count > MAX_LISTED_GROUPS) {
    snprintf(text, sizeof text, "and %u more", scene->group_count - MAX_LISTED_GROUPS);
    say(cairo, 30, y, 16, false, COLOUR_QUIET_TEXT, text);
    y += LINE_HEIGHT;
  }
  return y + 24;
}

/* Draws a wheel with the colour of each direction on the ground, turned and tilted like the picture. */
static double draw_wheel(cairo_t *cairo, double y, const picture_view *view) {
  const double outer = 84, inner = 50, label = 102;
  const int sectors = 120;
  double across = hypot(view->right[0], view->right[2]), centre_x = LEGEND_WIDTH / 2, squash = 1;
  say(cairo, 0, y, 18, true, COLOUR_TEXT, "heading");
  if (view->down[1] < 0) squash = hypot(view->down[0], view->down[2]) / across;
  double centre_y = y + 34 + label * squash;
  cairo_save(cairo);
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_BEST);
  cairo_new_path(cairo); /* drawing text leaves a current point */
  for (int i = 0; i < sectors; i++) {
    /* Each sector extends a little under the next, so that no seam shows. */
    double begin = TWO_PI * i / sectors, end = TWO_PI * (i + 1.4) / sectors, middle = TWO_PI * (i + 0.5) / sectors;
    const double angle[4] = {begin, end, end, begin}, radius[4] = {outer, outer, inner, inner};
    for (int c = 0; c < 4; c++) {
      double x = sin(angle[c]) * radius[c] / across, z = cos(angle[c]) * radius[c] / across;
      cairo_line_to(cairo, centre_x + view->right[0] * x + view->right[2] * z,
                    centre_y + view->down[0] * x + view->down[2] * z);
    }
    cairo_close_path(cairo);
    set_colour(cairo, colour_of_heading(sin(middle), cos(middle)), 1);
    cairo_fill(cairo);
  }
  cairo_restore(cairo);
  double reach = label / across;
  say(cairo, centre_x + view->right[0] * reach - 6, centre_y + view->down[0] * reach + 5, 15, false, COLOUR_QUIET_TEXT,
      "x");
  say(cairo, centre_x + view->right[2] * reach - 5, centre_y + view->down[2] * reach + 5, 15, false, COLOUR_QUIET_TEXT,
      "z");
  return centre_y + label * squash + 50;
}

static double draw_key(cairo_t *cairo, double y, uint32_t colour, double height, const char *text) {
  set_colour(cairo, colour_from_hex(colour), 1);
  cairo_rectangle(cairo, 0, y - 5 - height / 2, 20, height);
  cairo_fill(cairo);
  say(cairo, 30, y, 16, false, COLOUR_TEXT, text);
  return y + LINE_HEIGHT;
}

/* Draws the scale bar: 1, 2 or 5 times a power of ten metres, at most a fifth of the plot's width. */
static void draw_scale_bar(cairo_t *cairo, const picture_view *view) {
  double wanted = PLOT_WIDTH / 5 / view->pixels_per_metre, metres = pow(10, floor(log10(wanted)));
  if (metres * 5 <= wanted)
    metres *= 5;
  else if (metres * 2 <= wanted)
    metres *= 2;
  char text[32];
  double x = PLOT_X, y = view->height - 44, length = metres * view->pixels_per_metre;
  set_colour(cairo, colour_from_hex(COLOUR_TEXT), 1);
  cairo_set_line_width(cairo, 2);
  cairo_move_to(cairo, x, y - 7);
  cairo_line_to(cairo, x, y);
  cairo_line_to(cairo, x + length, y);
  cairo_line_to(cairo, x + length, y - 7);
  cairo_stroke(cairo);
  snprintf(text, sizeof text, metres >= 1e5 || metres < 1e-3 ? "%.0e m" : "%g m", metres);
  say(cairo, x + length + 12, y + 2, 16, false, COLOUR_TEXT, text);
}

/* Draws a bar with the colours of speeds or densities, and their scale. */
static double draw_ramp(cairo_t *cairo, double y, const bench_scene *scene, const picture_paint *paint) {
  const bool speed = paint->colours == PICTURE_BY_SPEED, planar = scene->world.space == THRONG_SPACE_PLANAR;
  const int steps = 74;
  char text[64];
  say(cairo, 0, y, 18, true, COLOUR_TEXT, speed ? "speed" : "density");
  if (!speed) say_before(cairo, LEGEND_WIDTH, y, 16, COLOUR_QUIET_TEXT, "agents within 1 m");
  y += 18;
  for (int k = 0; k < steps; k++) {
    set_colour(cairo, paint_colour(paint, paint->most * (k + 0.5) / steps), 1);
    cairo_rectangle(cairo, LEGEND_WIDTH * k / steps, y, LEGEND_WIDTH / steps + 0.5, 20);
    cairo_fill(cairo);
  }
  y += 20 + LINE_HEIGHT;
  snprintf(text, sizeof text, "%.3g%s %s", paint->most, speed ? "" : " or more",
           speed    ? "m/s"
           : planar ? "per m\302\262"
                    : "per m\302\263");
  say(cairo, 0, y - 6, 16, false, COLOUR_QUIET_TEXT, "0");
  say_before(cairo, LEGEND_WIDTH, y - 6, 16, COLOUR_QUIET_TEXT, text);
  return y + 24;
}

static double draw_colours(cairo_t *cairo, double y, const picture_view *view, const bench_scene *scene,
                           const run_frame *frame, const picture_paint *paint) {
  if (paint->colours == PICTURE_BY_GROUP) return draw_groups(cairo, y, scene, frame);
  if (paint->colours == PICTURE_BY_HEADING) return draw_wheel(cairo, y, view);
  return draw_ramp(cairo, y, scene, paint);
}

/* Draws the legend with its left edge at 0. Returns where it ends. */
static double draw_column(cairo_t *cairo, const picture_view *view, const bench_scene *scene, const run_frame *frame,
                          const picture_paint *paint, double mean_neighbours) {
  double y = draw_title(cairo, scene);
  y = draw_facts(cairo, y, view, scene, frame, paint, mean_neighbours);
  y = draw_colours(cairo, y, view, scene, frame, paint);
  if (scene->path_count) y = draw_key(cairo, y, COLOUR_PATH, PATH_WIDTH, "path");
  if (scene->cells.width) y = draw_key(cairo, y, COLOUR_BLOCKED, 20, "blocked");
  bool slow = false, fast = false;
  for (uint32_t k = 0; k < scene->zones.count; k++) {
    slow = slow || scene->zones.list[k].factor < 1.0f;
    fast = fast || scene->zones.list[k].factor > 1.0f;
  }
  for (size_t k = 0; k < (size_t)scene->zones.raster.width * scene->zones.raster.height; k++) {
    slow = slow || scene->zones.factor[k] < 1.0f;
    fast = fast || scene->zones.factor[k] > 1.0f;
  }
  if (slow) y = draw_key(cairo, y, COLOUR_SLOW, 20, "slow");
  if (fast) y = draw_key(cairo, y, COLOUR_FAST, 20, "fast");
  return y;
}

void picture_draw_legend(cairo_t *cairo, const picture_view *view, const bench_scene *scene, const run_frame *frame,
                         const picture_paint *paint, double mean_neighbours) {
  cairo_save(cairo);
  cairo_translate(cairo, view->legend_x, 0);
  draw_column(cairo, view, scene, frame, paint, mean_neighbours);
  cairo_restore(cairo);
  draw_scale_bar(cairo, view);
}

double picture_legend_height(const bench_scene *scene, const picture_paint *paint) {
  cairo_surface_t *nothing = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cairo = cairo_create(nothing);
  const picture_camera camera = {0};
  const picture_view view = view_make(scene, &camera, 0);
  const run_frame frame = {0};
  const double height = draw_column(cairo, &view, scene, &frame, paint, 1);
  cairo_destroy(cairo);
  cairo_surface_destroy(nothing);
  return height;
}
