/* SPDX-License-Identifier: MIT */
#include "lettering.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define FONT "DejaVu Sans"
#define LONGEST 128
#define HEADING_SIZE 13.5
#define HEADING_GAP 14.0

void lettering_colour(lettering *text, picture_colour colour, double alpha) {
  cairo_set_source_rgba(text->cairo, colour.r, colour.g, colour.b, alpha);
}

static void choose_font(cairo_t *cairo, double size, bool bold) {
  cairo_select_font_face(cairo, FONT, CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo, size);
}

static void show(lettering *text, double x, uint32_t colour, const char *line) {
  lettering_colour(text, colour_from_hex(colour), 1);
  cairo_move_to(text->cairo, x, text->y);
  cairo_show_text(text->cairo, line);
}

static void show_before(lettering *text, double x, uint32_t colour, const char *line) {
  cairo_text_extents_t extents;
  choose_font(text->cairo, TEXT_SIZE, false);
  cairo_text_extents(text->cairo, line, &extents);
  show(text, x - extents.x_advance, colour, line);
}

void lettering_say(lettering *text, double x, double size, bool bold, uint32_t colour, const char *format, ...) {
  char line[LONGEST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  choose_font(text->cairo, size, bold);
  show(text, x, colour, line);
}

void lettering_say_before(lettering *text, double x, uint32_t colour, const char *format, ...) {
  char line[LONGEST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  show_before(text, x, colour, line);
}

void lettering_fact(lettering *text, const char *what, const char *format, ...) {
  char line[LONGEST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  lettering_say(text, text->left, TEXT_SIZE, false, COLOUR_QUIET_TEXT, "%s", what);
  show_before(text, text->right, COLOUR_TEXT, line);
  text->y += LINE_HEIGHT;
}

void lettering_heading(lettering *text, const char *heading, const char *remark) {
  text->y += HEADING_GAP;
  lettering_say(text, text->left, HEADING_SIZE, true, COLOUR_TEXT, "%s", heading);
  show_before(text, text->right, COLOUR_QUIET_TEXT, remark);
  text->y += LINE_HEIGHT + 2;
}

const char *lettering_digits(char digits[32], uint64_t number) {
  char plain[24];
  int length = snprintf(plain, sizeof plain, "%" PRIu64, number), out = 0;
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) digits[out++] = ' ';
    digits[out++] = plain[i];
  }
  digits[out] = 0;
  return digits;
}
