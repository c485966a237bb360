/* Where the world is drawn: several samples a pixel where wanted, whatever the window has.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_CANVAS_H
#define VIEW_CANVAS_H

#include <epoxy/gl.h>

#include "common/problem.h"

typedef struct view_canvas {
  GLuint sampled, colour, depth; /* a framebuffer of so many samples, and what it holds */
  GLuint plain, plain_colour;    /* of one */
  int width, height;
  int samples; /* of each pixel that are wanted; set it before the first use */
} view_canvas;

/* From here on everything is drawn on the canvas, made or resized to that many pixels. */
bool canvas_begin(view_canvas *canvas, int width, int height, bench_problem *problem);
/* Copies it into the window, its lower left corner at that pixel from the left; what follows is drawn on the window. */
void canvas_end(const view_canvas *canvas, int left);
void canvas_release(view_canvas *canvas);

#endif
