/* Projects metres to pixels.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include "output/picture_parts.h"

#define TURN_DEGREES 32.0  /* oblique view: rotation about the vertical axis */
#define PITCH_DEGREES 24.0 /* oblique view: how far the viewer looks down */
#define DEGREE 0.01745329251994329577

picture_point view_project(const picture_view *view, double x, double y, double z) {
  return (picture_point){view->origin_x + view->right[0] * x + view->right[1] * y + view->right[2] * z,
                         view->origin_y + view->down[0] * x + view->down[1] * y + view->down[2] * z};
}

picture_point view_corner(const picture_view *view, int bits) {
  return view_project(view, bits & 1 ? view->max[0] : view->min[0], bits & 2 ? view->max[1] : view->min[1],
                      bits & 4 ? view->max[2] : view->min[2]);
}

static void range_add(value_range *range, double value) {
  range->low = range->count > 0 ? fmin(range->low, value) : value;
  range->high = range->count > 0 ? fmax(range->high, value) : value;
  range->sum += value;
  range->squares += value * value;
  range->count += 1;
}

/* Sets [min, max] to the range of all values. Cuts it to three standard deviations on each side of the mean. Then adds
 * the margin at both ends. */
static void range_limits(const value_range *range, double margin, double *min, double *max) {
  double count = fmax(range->count, 1), mean = range->sum / count;
  double reach = 3 * sqrt(fmax(range->squares / count - mean * mean, 0));
  *min = fmax(range->low, mean - reach) - margin;
  *max = fmin(range->high, mean + reach) + margin;
}

/* Returns a view with directions only, without scale and origin. */
static picture_view unscaled_view(const bench_scene *scene) {
  picture_view view = {0};
  if (scene->world.space == THRONG_SPACE_PLANAR) {
    /* The viewer looks down from above. On the page, x points right and z points down. */
    view.right[0] = 1;
    view.down[2] = 1;
    return view;
  }
  double turn_sin = sin(TURN_DEGREES * DEGREE), turn_cos = cos(TURN_DEGREES * DEGREE);
  double pitch_sin = sin(PITCH_DEGREES * DEGREE), pitch_cos = cos(PITCH_DEGREES * DEGREE);
  const double right[3] = {turn_cos, 0, -turn_sin};
  const double down[3] = {turn_sin * pitch_sin, -pitch_cos, turn_cos * pitch_sin};
  const double toward[3] = {turn_sin * pitch_cos, pitch_sin, turn_cos * pitch_cos}; /* all above 0: see view_make */
  for (int axis = 0; axis < 3; axis++) {
    view.right[axis] = right[axis];
    view.down[axis] = down[axis];
    view.toward[axis] = toward[axis];
  }
  return view;
}

void picture_camera_see(picture_camera *camera, const bench_scene *scene, const bench_crowd *crowd) {
  if (!scene_is_open(scene)) return;
  const picture_view view = unscaled_view(scene);
  for (uint32_t k = 0; k < crowd->count; k++) {
    const double p[3] = {(double)crowd->position[k].x, (double)crowd->position[k].y, (double)crowd->position[k].z};
    const picture_point at = view_project(&view, p[0], p[1], p[2]);
    for (int axis = 0; axis < 3; axis++) range_add(&camera->axis[axis], p[axis]);
    range_add(&camera->across, at.x);
    range_add(&camera->down, at.y);
  }
}

/* Sets the part of the world that the view shows: the box, and along unbounded axes where the agents are. */
static void find_extent(picture_view *view, const bench_scene *scene, const picture_camera *camera) {
  const throng_world_def *def = &scene->world;
  for (int axis = 0; axis < 3; axis++) {
    view->min[axis] = (double)(&def->box_min.x)[axis];
    view->max[axis] = (double)(&def->box_max.x)[axis];
    if (def->boundary[axis] == THRONG_BOUNDARY_UNBOUNDED)
      range_limits(&camera->axis[axis], (double)def->perception_radius, &view->min[axis], &view->max[axis]);
  }
}

/* Rounds up to an even number, unless only rounding errors are above one. */
static int even(double pixels) { return 2 * (int)ceil(pixels / 2 - 1e-3); }

/* Scales and moves the view so that it fills the plot, and makes the page as large as plot and legend. */
static void fill_plot(picture_view *view, const bench_scene *scene, const picture_camera *camera,
                      double legend_height) {
  value_range across = camera->across, down = camera->down;
  double left, right, top, bottom, margin = (double)scene->world.perception_radius;
  if (!scene_is_open(scene)) {
    margin = 0;
    for (int bits = 0; bits < 8; bits++) {
      range_add(&across, view_corner(view, bits).x);
      range_add(&down, view_corner(view, bits).y);
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
  const double width = scale * (right - left), height = scale * (bottom - top);
  view->legend_x = PLOT_X + width + LEGEND_GAP;
  view->width = even(view->legend_x + LEGEND_WIDTH + LEGEND_MARGIN);
  view->height = even(fmin(fmax(PLOT_Y + height + PLOT_FOOT, legend_height), PICTURE_HEIGHT));
  view->origin_x = PLOT_X - scale * left;
  view->origin_y = PLOT_Y + (view->height - PLOT_Y - height - PLOT_FOOT) / 2 - scale * top;
}

picture_view view_make(const bench_scene *scene, const picture_camera *camera, double legend_height) {
  picture_view view = unscaled_view(scene);
  double nearest = 0, farthest = 0;
  find_extent(&view, scene, camera);
  for (int axis = 0; axis < 3; axis++) {
    nearest += view.toward[axis] * view.max[axis];
    farthest += view.toward[axis] * view.min[axis];
  }
  double depth = fmax(nearest - farthest, 1e-9);
  view.toward_origin = -farthest / depth;
  for (int axis = 0; axis < 3; axis++) view.toward[axis] /= depth;
  fill_plot(&view, scene, camera, legend_height);
  return view;
}
