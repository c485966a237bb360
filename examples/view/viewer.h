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
  uint32_t single_frames; /* frames to step because N was pressed */
  bool stale;             /* the side bar must be drawn again */
  bench_problem failure;  /* of the frame that failed: it is shown, and no more frames are stepped */

  GLFWwindow *window;
  int width, height; /* pixels of the window */
  double scale;      /* pixels per unit of the panels */
  view_canvas canvas;
  crowd_draw crowd;
  scenery_mesh scenery;
  view_mesh background, markers, trails;
  GLuint mesh_program;
  GLint mesh_matrix;
  view_panel sidebar, help;
  panel_program panels;

  double *picture_ms; /* with --frames: the time of each picture so far */
  uint32_t pictures;
  double last_picture_ms;

  /* The mouse. */
  double mouse_x, mouse_y; /* pixels */
  double dragged;          /* pixels that the mouse has moved since the last press or release of a button */
  bool orbiting, panning;
} view_state;

bool viewer_open(view_state *viewer, const view_options *options, bench_problem *problem);
/* Runs until the window is closed or --frames frames are stepped. */
bool viewer_run(view_state *viewer, bench_problem *problem);
void viewer_close(view_state *viewer);

/* Fits the camera to the whole scene, then moves it nearer by the factor --zoom. */
void viewer_show_all(view_state *viewer);
/* Returns the width of the side bar in pixels; 0 if it is hidden. */
int viewer_sidebar_width(const view_state *viewer);
/* Sets viewer->scale to the screen's scale, limited so that the panels do not fill the window. */
void viewer_scale(view_state *viewer);
/* Registers the functions that react to keys, the mouse and the size of the window. */
void viewer_listen(view_state *viewer);
/* Draws the world and the panels. */
bool viewer_draw(view_state *viewer, bench_problem *problem);
bool viewer_open_drawing(view_state *viewer, bench_problem *problem);
void viewer_close_drawing(view_state *viewer);
/* Writes the window's contents to the file of --screenshot. */
bool viewer_write_screenshot(const view_state *viewer, bench_problem *problem);

#endif
