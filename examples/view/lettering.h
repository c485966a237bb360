/* lettering.h: writes the text of a column with cairo.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_LETTERING_H
#define VIEW_LETTERING_H

#include <cairo/cairo.h>
#include <stdint.h>

#include "output/colour.h"

#define TEXT_SIZE 12.5
#define LINE_HEIGHT 19.0

#if defined(__GNUC__)
#define LETTERING_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define LETTERING_PRINTF(text, first)
#endif

typedef struct lettering {
  cairo_t *cairo;
  double left, right, y; /* the sides of the column; the height of the line that is written next */
} lettering;

void lettering_colour(lettering *text, picture_colour colour, double alpha);
/* Writes text from x on. It does not move to the next line. */
void lettering_say(lettering *text, double x, double size, bool bold, uint32_t colour, const char *format, ...)
    LETTERING_PRINTF(6, 7);
/* Writes text that ends at x. It does not move to the next line. */
void lettering_say_before(lettering *text, double x, uint32_t colour, const char *format, ...) LETTERING_PRINTF(4, 5);
/* Writes a line, a name on the left and its value on the right, and moves to the next line. */
void lettering_fact(lettering *text, const char *what, const char *format, ...) LETTERING_PRINTF(3, 4);
/* Writes a heading with a gap above it, and moves to the next line. */
void lettering_heading(lettering *text, const char *heading, const char *remark);
/* Formats a number as "1 234 567". Returns `digits`. */
const char *lettering_digits(char digits[32], uint64_t number);

#endif
