/* canvas.h: the framebuffer that the world is drawn on. It has several samples per pixel, even if the window has one.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_CANVAS_H
#define VIEW_CANVAS_H

#include <epoxy/gl.h>

#include "common/problem.h"

typedef struct view_canvas {
  GLuint sampled, colour, depth; /* the framebuffer with several samples per pixel, and its buffers */
  GLuint plain, plain_colour;    /* the framebuffer with one sample per pixel, and its buffer */
  int width, height;
  int samples; /* samples per pixel; set it before the first use */
} view_canvas;

/* Makes the canvas the target of all drawing. Creates it, or resizes it to width * height pixels, where needed. */
bool canvas_begin(view_canvas *canvas, int width, int height, bench_problem *problem);
/* Copies the canvas into the window, `left` pixels from the left. The window is then the target of drawing. */
void canvas_end(const view_canvas *canvas, int left);
void canvas_release(view_canvas *canvas);

#endif
