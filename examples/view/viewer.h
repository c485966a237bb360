/* viewer.h: the window, its contents and its loop.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_VIEWER_H
#define VIEW_VIEWER_H

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "canvas.h"
#include "crowd_draw.h"
#include "pace.h"
#include "panel.h"
#include "scenery_mesh.h"

typedef struct view_state {
  const view_options *options;
  view_session session;
  view_inspection inspection;
  view_camera camera;
  colour_mode colour;
  view_pace pace;
  float speed;
  bool paused, follow, show_sidebar, show_help;
  uint32_t single_frames; /* asked for one by one */
  bool stale;             /* the side bar says what was */
  bench_problem failure;  /* of the frame that failed: it is shown, and no frame is stepped */

  GLFWwindow *window;
  int width, height; /* pixels of the window */
  double scale;      /* pixels of a panel's unit */
  view_canvas canvas;
  crowd_draw crowd;
  scenery_mesh scenery;
  view_mesh background, markers;
  GLuint mesh_program;
  GLint mesh_matrix;
  view_panel sidebar, help;
  panel_program panels;

  double *picture_ms; /* of the pictures so far, with --frames */
  uint32_t pictures;
  double last_picture_ms;

  /* The mouse. */
  double mouse_x, mouse_y, dragged; /* pixels; since the button was pressed */
  bool orbiting, panning;
} view_state;

bool viewer_open(view_state *viewer, const view_options *options, bench_problem *problem);
/* Runs until the window is closed or --frames frames are stepped. */
bool viewer_run(view_state *viewer, bench_problem *problem);
void viewer_close(view_state *viewer);

/* Fits the camera to the whole scene, or --zoom times as near. */
void viewer_show_all(view_state *viewer);
/* The width of the side bar in pixels. */
int viewer_sidebar_width(const view_state *viewer);
/* The scale of panels: the screen's, limited so that they never fill the window. */
void viewer_scale(view_state *viewer);
void viewer_listen(view_state *viewer);
/* Draws the window, and writes the picture to --screenshot's file. */
bool viewer_draw(view_state *viewer, bench_problem *problem);
bool viewer_open_drawing(view_state *viewer, bench_problem *problem);
void viewer_close_drawing(view_state *viewer);
bool viewer_write_screenshot(const view_state *viewer, bench_problem *problem);

#endif
