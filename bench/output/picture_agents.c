/* Draws agents. In planar worlds, those whose rules use their bodies are discs at body radius. Others are darts that
 * point along their facing. If darts would be too small, draws a glow that shows the density.
 * SPDX-License-Identifier: MIT */
#include "output/picture_parts.h"
#include "scene/scene_density.h"
#include "scene/scene_seen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SMALLEST_MARK 2.4  /* pixels; shorter marks become a glow */
#define LARGEST_MARK 26.0  /* pixels */
#define SMALLEST_DISC 1.5  /* pixels: radius; agents with smaller bodies are darts */
#define POINTED_DISC 4.0   /* pixels: larger discs show the facing */
#define THICKEST_TRAIL 2.5 /* pixels */
#define SQUARE 24          /* pixels: side of the squares in which agents are counted */

typedef struct agent_mark {
  double x, y;             /* pixels */
  double along_x, along_y; /* the facing on the page: of length 1 if it is parallel to the page */
  double toward;           /* nearness to the viewer: 0 at the farthest corner of the view, 1 at the nearest */
  double radius;           /* pixels: of a disc; 0: a dart */
  picture_colour colour;
  uint32_t agent; /* its place in the frame */
} agent_mark;

/* What the agents of one frame look like. */
typedef struct crowd_look {
  const picture_view *view;
  const bench_scene *scene;
  const run_frame *frame;
  const picture_paint *paint;
  float *density; /* per agent; NULL unless colours show it */
} crowd_look;

static double length_of(throng_vec3 v) {
  return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

static picture_colour colour_of(const crowd_look *look, uint32_t k, double facing_x, double facing_z) {
  switch (look->paint->colours) {
  case PICTURE_BY_HEADING:
    return colour_of_heading(facing_x, facing_z);
  case PICTURE_BY_SPEED:
    return paint_colour(look->paint, length_of(look->frame->crowd.velocity[k]));
  case PICTURE_BY_DENSITY:
    return paint_colour(look->paint, look->density ? (double)look->density[k] : 0);
  default:
    return colour_of_group(look->scene, look->frame->crowd.group[k]);
  }
}

/* Returns the radius of an agent's disc in pixels; 0 for a dart. */
static double disc_radius(const crowd_look *look, uint32_t k) {
  const throng_group_def *group = &look->scene->groups[look->frame->crowd.group[k]].def;
  const double radius = (double)group->body_radius * look->view->pixels_per_metre;
  const bool planar = look->scene->world.space == THRONG_SPACE_PLANAR;
  return planar && scene_group_has_body(group) && radius >= SMALLEST_DISC ? radius : 0;
}

static agent_mark make_mark(const crowd_look *look, uint32_t k) {
  const picture_view *view = look->view;
  const bench_scene *scene = look->scene;
  const run_frame *frame = look->frame;
  throng_vec3 p = frame->crowd.position[k];
  double facing[3] = {0, 0, 0};
  bool planar = scene->world.space == THRONG_SPACE_PLANAR;
  if (planar) {
    facing[0] = sin((double)frame->facing[k]);
    facing[2] = cos((double)frame->facing[k]);
  } else {
    for (int axis = 0; axis < 3; axis++) facing[axis] = (double)frame->facing[3 * (size_t)k + (size_t)axis];
  }
  picture_point at = view_project(view, (double)p.x, (double)p.y, (double)p.z);
  agent_mark mark = {.x = at.x, .y = at.y, .toward = 1, .agent = k};
  for (int axis = 0; axis < 3; axis++) {
    mark.along_x += view->right[axis] * facing[axis] / view->pixels_per_metre;
    mark.along_y += view->down[axis] * facing[axis] / view->pixels_per_metre;
  }
  mark.radius = disc_radius(look, k);
  mark.colour = colour_of(look, k, facing[0], facing[2]);
  mark.colour = colour_mix(mark.colour, colour_from_hex(COLOUR_PAGE), 0.22 * scene_period_level(scene, p));
  if (!planar) {
    mark.toward = view->toward_origin + view->toward[0] * (double)p.x + view->toward[1] * (double)p.y +
                  view->toward[2] * (double)p.z;
    mark.toward = fmin(fmax(mark.toward, 0), 1);
    mark.colour = colour_mix(colour_from_hex(COLOUR_PAGE), mark.colour, 0.25 + 0.75 * mark.toward);
  }
  return mark;
}

/* Draws a dart: a tip, two corners behind it and a notch between these corners. */
static void draw_dart(cairo_t *cairo, const agent_mark *mark, double length, double alpha) {
  double size = length * (0.55 + 0.45 * mark->toward);
  double foreshortening = hypot(mark->along_x, mark->along_y), ux = 0, uy = 1;
  if (foreshortening > 1e-6) {
    ux = mark->along_x / foreshortening;
    uy = mark->along_y / foreshortening;
  }
  double along = size * (0.4 + 0.6 * foreshortening), across = size * 0.36, notch = along * 0.22;
  set_colour(cairo, mark->colour, alpha);
  cairo_move_to(cairo, mark->x + ux * along * 0.6, mark->y + uy * along * 0.6);
  cairo_line_to(cairo, mark->x - ux * along * 0.4 - uy * across, mark->y - uy * along * 0.4 + ux * across);
  cairo_line_to(cairo, mark->x - ux * (along * 0.4 - notch), mark->y - uy * (along * 0.4 - notch));
  cairo_line_to(cairo, mark->x - ux * along * 0.4 + uy * across, mark->y - uy * along * 0.4 - ux * across);
  cairo_close_path(cairo);
  cairo_fill(cairo);
}

/* Draws a disc, and in large ones a dark dart. */
static void draw_disc(cairo_t *cairo, const agent_mark *mark) {
  set_colour(cairo, mark->colour, 0.95);
  cairo_new_path(cairo);
  cairo_arc(cairo, mark->x, mark->y, mark->radius, 0, 6.283185307179586);
  cairo_fill(cairo);
  if (mark->radius < POINTED_DISC) return;
  agent_mark dart = *mark;
  dart.colour = colour_mix(mark->colour, colour_from_hex(COLOUR_PAGE), 0.7);
  draw_dart(cairo, &dart, 1.5 * mark->radius, 1);
}

static int by_nearness(const void *left, const void *right) {
  const agent_mark *a = left, *b = right;
  return a->toward < b->toward ? -1 : a->toward > b->toward;
}

/* Draws the trails of all agents, below the marks. */
static void draw_trails(cairo_t *cairo, const crowd_look *look, const agent_mark *marks, double length) {
  cairo_set_line_width(cairo, fmin(fmax(length * 0.12, 1), THICKEST_TRAIL));
  for (uint32_t k = 0; k < look->frame->crowd.count; k++)
    picture_draw_trail(cairo, look->view, look->paint->trails, look->frame, marks[k].agent, marks[k].colour,
                       0.3 + 0.6 * marks[k].toward);
}

static void draw_marks(cairo_t *cairo, const crowd_look *look, double length) {
  uint32_t count = look->frame->crowd.count;
  agent_mark *marks = malloc((count ? count : 1) * sizeof *marks);
  if (!marks) return;
  for (uint32_t k = 0; k < count; k++) marks[k] = make_mark(look, k);
  if (look->scene->world.space == THRONG_SPACE_SPATIAL) qsort(marks, count, sizeof *marks, by_nearness);
  double alpha = length > 8 ? 0.95 : 0.85;
  if (look->paint->trails) draw_trails(cairo, look, marks, length);
  for (uint32_t k = 0; k < count; k++) {
    if (marks[k].radius > 0)
      draw_disc(cairo, &marks[k]);
    else
      draw_dart(cairo, &marks[k], length, alpha);
  }
  free(marks);
}

typedef struct pixel_glow {
  float r, g, b, count;
} pixel_glow;

/* Gives each pixel the mean colour of the agents in it. The more agents, the more opaque it is. */
static void draw_glow(cairo_t *cairo, const crowd_look *look) {
  const run_frame *frame = look->frame;
  int width = PICTURE_WIDTH, height = PICTURE_HEIGHT;
  pixel_glow *glows = calloc((size_t)width * (size_t)height, sizeof *glows);
  if (!glows) return;
  for (uint32_t k = 0; k < frame->crowd.count; k++) {
    agent_mark mark = make_mark(look, k);
    if (!(mark.x >= 0 && mark.x < width && mark.y >= 0 && mark.y < height)) continue;
    pixel_glow *glow = &glows[(size_t)mark.y * (size_t)width + (size_t)mark.x];
    glow->r += (float)mark.colour.r;
    glow->g += (float)mark.colour.g;
    glow->b += (float)mark.colour.b;
    glow->count += 1;
  }
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
    unsigned char *pixels = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    double per_pixel = (double)frame->crowd.count / (PLOT_WIDTH * PLOT_HEIGHT), rate = 0.9 / fmax(per_pixel, 0.6);
    for (int j = 0; j < height; j++)
      for (int i = 0; i < width; i++) {
        const pixel_glow *glow = &glows[(size_t)j * (size_t)width + (size_t)i];
        if (glow->count <= 0) continue;
        double n = (double)glow->count, alpha = 1 - exp(-rate * n), scale = 255 * alpha / n;
        uint32_t pixel = (uint32_t)(255 * alpha) << 24 | (uint32_t)((double)glow->r * scale) << 16 |
                         (uint32_t)((double)glow->g * scale) << 8 | (uint32_t)((double)glow->b * scale);
        memcpy(pixels + (size_t)j * stride + (size_t)i * 4, &pixel, 4);
      }
    cairo_surface_mark_dirty(surface);
    cairo_set_source_surface(cairo, surface, 0, 0);
    cairo_paint(cairo);
  }
  cairo_surface_destroy(surface);
  free(glows);
}

/* Returns the mean, over all agents, of the number of agents in an agent's square, itself included. A mean over squares
 * would be smaller, and marks would then overlap where most agents are. */
static double mean_crowding(const picture_view *view, const bench_crowd *crowd) {
  enum { COLUMNS = PICTURE_WIDTH / SQUARE + 1, ROWS = PICTURE_HEIGHT / SQUARE + 1 };
  uint32_t counts[ROWS][COLUMNS];
  double pairs = 0, agents = 0;
  memset(counts, 0, sizeof counts);
  for (uint32_t k = 0; k < crowd->count; k++) {
    throng_vec3 p = crowd->position[k];
    picture_point at = view_project(view, (double)p.x, (double)p.y, (double)p.z);
    if (at.x >= 0 && at.x < PICTURE_WIDTH && at.y >= 0 && at.y < PICTURE_HEIGHT)
      counts[(int)at.y / SQUARE][(int)at.x / SQUARE]++;
  }
  for (int j = 0; j < ROWS; j++)
    for (int i = 0; i < COLUMNS; i++) {
      pairs += (double)counts[j][i] * (double)counts[j][i];
      agents += (double)counts[j][i];
    }
  return agents > 0 ? pairs / agents : 1;
}

/* Marks are about as long as the distance of agents on the page, but not much larger than the largest bodies. */
double picture_mark_length(const picture_view *view, const bench_scene *scene, const run_frame *frame) {
  double length = 1.5 * SQUARE / sqrt(mean_crowding(view, &frame->crowd)), body = 0;
  if (scene->world.space == THRONG_SPACE_SPATIAL) length *= 1.7; /* many agents are hidden behind others */
  for (uint32_t i = 0; i < scene->group_count; i++) body = fmax(body, (double)scene->groups[i].def.body_radius);
  return fmin(length, fmin(LARGEST_MARK, fmax(8, 3.2 * body * view->pixels_per_metre)));
}

/* Returns the density around each agent; free it. NULL if memory is short. */
static float *densities(const bench_scene *scene, const bench_crowd *crowd) {
  const size_t count = crowd->count ? crowd->count : 1;
  float *values = malloc(4 * count * sizeof *values);
  if (!values) return NULL;
  float *x = values + count, *y = values + 2 * count, *z = values + 3 * count;
  for (uint32_t k = 0; k < crowd->count; k++) {
    x[k] = crowd->position[k].x;
    y[k] = crowd->position[k].y;
    z[k] = crowd->position[k].z;
  }
  if (scene_density(scene, x, y, z, crowd->count, values)) return values;
  free(values);
  return NULL;
}

void picture_draw_agents(cairo_t *cairo, const picture_view *view, const bench_scene *scene, const run_frame *frame,
                         const picture_paint *paint, double mark_length) {
  crowd_look look = {view, scene, frame, paint, NULL};
  if (paint->colours == PICTURE_BY_DENSITY) look.density = densities(scene, &frame->crowd);
  bool discs = false;
  for (uint32_t k = 0; k < frame->crowd.count && !discs; k++) discs = disc_radius(&look, k) > 0;
  if (mark_length < SMALLEST_MARK && !discs)
    draw_glow(cairo, &look);
  else
    draw_marks(cairo, &look, mark_length);
  free(look.density);
}
