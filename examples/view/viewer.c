/* SPDX-License-Identifier: MIT */
#include "viewer.h"

#include <stdlib.h>

#define SPATIAL_TURN 32.0f
#define SPATIAL_TILT 20.0f

static void take_options(view_state *viewer) {
  const view_options *options = viewer->options;
  const bool by_heading = viewer->session.scene.group_count == 1;
  viewer->colour = options->has_colour ? options->colour : by_heading ? COLOUR_BY_HEADING : COLOUR_BY_GROUP;
  viewer->speed = options->speed;
  viewer->follow = options->follow;
  viewer->paused = options->paused;
  viewer->canvas.samples = (int)options->samples;
  viewer->show_sidebar = viewer->stale = true;
  const bool planar = session_is_planar(&viewer->session);
  viewer->camera.turn = options->has_turn ? options->turn : planar ? 0 : SPATIAL_TURN;
  viewer->camera.tilt = options->has_tilt ? options->tilt : planar ? CAMERA_FROM_ABOVE : SPATIAL_TILT;
}

void viewer_show_all(view_state *viewer) {
  view_camera *camera = &viewer->camera;
  float min[3], max[3];
  camera->width = (float)(viewer->width - viewer_sidebar_width(viewer));
  camera->height = (float)viewer->height;
  session_extent(&viewer->session, min, max);
  camera_fit(camera, min, max);
  camera_zoom(camera, viewer->options->zoom);
}

void viewer_scale(view_state *viewer) {
  float scale = 1;
  glfwGetWindowContentScale(viewer->window, &scale, NULL);
  viewer->scale = fmax(fmin((double)scale, (double)viewer->width / LEAST_WIDTH), 1);
}

static bool open_window(view_state *viewer, bench_problem *problem) {
  const view_options *options = viewer->options;
  const char *why = NULL;
  char title[FIELD_NAME_SIZE + 16];
  snprintf(title, sizeof title, "throng: %s", viewer->session.scene.name);
  if (glfwInit()) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    viewer->window = glfwCreateWindow((int)options->size.width, (int)options->size.height, title, NULL, NULL);
  }
  if (!viewer->window) {
    glfwGetError(&why);
    return problem_set(problem, "no window with OpenGL 3.3: %s; without a screen use: xvfb-run -a throng-view ...",
                       why ? why : "no reason given");
  }
  glfwMakeContextCurrent(viewer->window);
  glfwSwapInterval(options->has_frames ? 0 : 1);
  glfwGetFramebufferSize(viewer->window, &viewer->width, &viewer->height);
  glfwSetWindowSizeLimits(viewer->window, LEAST_WIDTH, LEAST_HEIGHT, GLFW_DONT_CARE, GLFW_DONT_CARE);
  viewer_scale(viewer);
  viewer_listen(viewer);
  return true;
}

bool viewer_open(view_state *viewer, const view_options *options, bench_problem *problem) {
  viewer->options = options;
  if (!session_open(&viewer->session, options, problem) ||
      !inspection_open(&viewer->inspection, &viewer->session, problem))
    return false;
  take_options(viewer);
  if (options->has_frames) {
    viewer->picture_ms = calloc(options->frames, sizeof *viewer->picture_ms);
    if (!viewer->picture_ms) return problem_set(problem, "out of memory for %u pictures", options->frames);
  }
  return true;
}

void viewer_close(view_state *viewer) {
  if (viewer->window) viewer_close_drawing(viewer);
  glfwTerminate();
  inspection_close(&viewer->inspection);
  session_close(&viewer->session);
  free(viewer->picture_ms);
}

/* Steps the frames that are due before the next picture. After a frame that fails, no frame is stepped. */
static void step_on(view_state *viewer) {
  const double dt = (double)viewer->session.scene.dt;
  const bool stopped = viewer->paused || viewer->failure.text[0];
  pace_begin(&viewer->pace, glfwGetTime(), (double)viewer->speed, stopped);
  for (; viewer->single_frames && !viewer->failure.text[0]; viewer->single_frames--)
    session_step(&viewer->session, &viewer->failure);
  if (dt <= 0) return; /* then any number of frames would be due */
  while (!viewer->failure.text[0] && pace_take(&viewer->pace, glfwGetTime(), dt))
    session_step(&viewer->session, &viewer->failure);
}

/* With --frames: steps --speed frames, but no more than are left. */
static bool step_counted(view_state *viewer, bench_problem *problem) {
  const uint64_t wanted = viewer->options->frames;
  const uint32_t each = viewer->speed > 1 ? (uint32_t)viewer->speed : 1;
  for (uint32_t k = 0; k < each && throng_world_frame(viewer->session.world) < wanted; k++)
    if (!session_step(&viewer->session, problem)) return false;
  return true;
}

/* Moves the camera with the selected agent (--follow). With --frames no user moves the camera; in a world without a box
 * it then follows the whole crowd. */
static void aim(view_state *viewer) {
  const bool open = scene_is_open(&viewer->session.scene);
  if (viewer->follow && viewer->inspection.valid) {
    const throng_vec3 *p = &viewer->inspection.drawn;
    glm_vec3_copy((vec3){p->x, p->y, p->z}, viewer->camera.target);
  } else if (viewer->options->has_frames && open) {
    viewer_show_all(viewer);
  }
}

/* Between the last two frames, unless the world stands still. */
static float alpha_of(const view_state *viewer) {
  const bool stands = viewer->paused || viewer->options->has_frames || viewer->failure.text[0];
  return stands ? 1.0f : pace_alpha(&viewer->pace, (double)viewer->session.scene.dt);
}

static bool picture(view_state *viewer, bench_problem *problem) {
  const double begin = glfwGetTime();
  if (!session_read_instances(&viewer->session, alpha_of(viewer), problem)) return false;
  if (!inspection_update(&viewer->inspection, &viewer->session, problem)) return false;
  aim(viewer);
  if (!viewer_draw(viewer, problem)) return false;
  if (viewer->options->has_frames) glFinish(); /* so that the whole picture is measured */
  viewer->last_picture_ms = (glfwGetTime() - begin) * 1e3;
  return true;
}

/* Runs with --frames. The values in the side bar are then means over all frames so far. */
static bool run_counted(view_state *viewer, bench_problem *problem) {
  const uint64_t frames = viewer->options->frames;
  bool last = false;
  viewer->pace.since = glfwGetTime();
  while (!last && !glfwWindowShouldClose(viewer->window)) {
    glfwPollEvents();
    if (!step_counted(viewer, problem)) return false;
    last = throng_world_frame(viewer->session.world) >= frames;
    session_take_times(&viewer->session);
    viewer->stale = viewer->stale || last;
    if (!picture(viewer, problem)) return false;
    viewer->picture_ms[viewer->pictures++] = viewer->last_picture_ms;
    if (last && viewer->options->screenshot && !viewer_write_screenshot(viewer, problem)) return false;
    glfwSwapBuffers(viewer->window);
    viewer->stale = pace_end(&viewer->pace, glfwGetTime(), (double)viewer->session.scene.dt);
  }
  if (last || !viewer->options->screenshot) return true;
  return problem_set(problem, "the window was closed before frame %llu: %s is not written", (unsigned long long)frames,
                     viewer->options->screenshot);
}

static bool run_by_the_clock(view_state *viewer, bench_problem *problem) {
  viewer->pace.last = viewer->pace.since = glfwGetTime();
  while (!glfwWindowShouldClose(viewer->window)) {
    glfwPollEvents();
    step_on(viewer);
    if (!picture(viewer, problem)) return false;
    glfwSwapBuffers(viewer->window);
    if (!pace_end(&viewer->pace, glfwGetTime(), (double)viewer->session.scene.dt)) continue;
    session_take_times(&viewer->session);
    session_begin_times(&viewer->session);
    viewer->stale = true;
  }
  return true;
}

bool viewer_run(view_state *viewer, bench_problem *problem) {
  if (!open_window(viewer, problem)) return false;
  viewer_show_all(viewer);
  if (!viewer_open_drawing(viewer, problem)) return false;
  return viewer->options->has_frames ? run_counted(viewer, problem) : run_by_the_clock(viewer, problem);
}
