/* panel.h: a rectangle of text over the picture, drawn by cairo.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_PANEL_H
#define VIEW_PANEL_H

#include <cairo/cairo.h>
#include <epoxy/gl.h>

#include "common/problem.h"

typedef struct view_panel {
  cairo_surface_t *surface;
  GLuint texture;
  int width, height; /* pixels */
} view_panel;

/* The OpenGL program that draws all panels. */
typedef struct panel_program {
  GLuint program, array;
  GLint place, panel;
} panel_program;

bool panel_program_open(panel_program *program, bench_problem *problem);
void panel_program_close(panel_program *program);

/* Clears the panel and makes it width * height pixels large. Returns a cairo_t that draws on it, with a unit of `scale`
 * pixels; NULL with a problem if that fails. */
cairo_t *panel_begin(view_panel *panel, int width, int height, double scale, bench_problem *problem);
/* Destroys the cairo_t and copies the panel to the graphics card. */
bool panel_end(view_panel *panel, cairo_t *cairo, bench_problem *problem);
/* Draws the panel with its upper left corner at pixel (x, y) of the window. */
void panel_draw(const view_panel *panel, const panel_program *program, int x, int y, int window_width,
                int window_height);
void panel_release(view_panel *panel);

#endif
