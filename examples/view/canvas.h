/* canvas.h: the framebuffer that the world is drawn on, with several samples per pixel whatever the window has.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_CANVAS_H
#define VIEW_CANVAS_H

#include <epoxy/gl.h>

#include "common/problem.h"

typedef struct view_canvas {
  GLuint sampled, colour, depth; /* the framebuffer with samples, and its buffers */
  GLuint plain, plain_colour;    /* of one */
  int width, height;
  int samples; /* samples per pixel; set it before the first use */
} view_canvas;

/* Makes the canvas the target of all drawing, and makes or resizes it to that many pixels. */
bool canvas_begin(view_canvas *canvas, int width, int height, bench_problem *problem);
/* Copies the canvas into the window, `left` pixels from the left. The window is then the target of drawing. */
void canvas_end(const view_canvas *canvas, int left);
void canvas_release(view_canvas *canvas);

#endif
