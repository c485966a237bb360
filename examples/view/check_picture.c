/* check_picture FILE.png [FILE2.png]: checks a picture of throng-view. It must show text in the side bar, and agents in
 * strong colours over a large part of the rest. With a second file, the two must differ.
 * SPDX-License-Identifier: MIT */
#include <cairo/cairo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDEBAR 292 /* pixels: width of the side bar */
#define STRONG 60   /* in strong colours, red, green and blue differ by more than this */
#define BRIGHT 200  /* a pixel of text: red, green and blue are larger than this */
#define TILES 8     /* the picture is divided into TILES x TILES parts */
#define LEAST_TILES 8
#define LEAST_STRONG 2000
#define LEAST_TEXT 500
#define LEAST_COLOURS 64

typedef struct findings {
  uint32_t strong, text, colours, tiles;
} findings;

static void look_at(uint32_t pixel, bool in_sidebar, findings *found, bool *tile, uint8_t *seen) {
  const int red = pixel >> 16 & 0xFF, green = pixel >> 8 & 0xFF, blue = pixel & 0xFF;
  const int most = red > green ? (red > blue ? red : blue) : green > blue ? green : blue;
  const int least = red < green ? (red < blue ? red : blue) : green < blue ? green : blue;
  if (in_sidebar) {
    found->text += least > BRIGHT;
    return;
  }
  const uint32_t colour = pixel & 0xFFFFFF;
  found->colours += !(seen[colour / 8] >> colour % 8 & 1);
  seen[colour / 8] |= (uint8_t)(1u << colour % 8);
  if (most - least <= STRONG) return;
  found->strong++;
  *tile = true;
}

static findings look(cairo_surface_t *picture) {
  static uint8_t seen[1 << 21]; /* a bit for each colour */
  findings found = {0};
  bool tiles[TILES][TILES] = {{false}};
  const int width = cairo_image_surface_get_width(picture), height = cairo_image_surface_get_height(picture);
  const unsigned char *rows = cairo_image_surface_get_data(picture);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      uint32_t pixel;
      memcpy(&pixel, rows + (size_t)y * (size_t)cairo_image_surface_get_stride(picture) + 4 * (size_t)x, sizeof pixel);
      look_at(pixel, x < SIDEBAR, &found, &tiles[y * TILES / height][x * TILES / width], seen);
    }
  for (int j = 0; j < TILES; j++)
    for (int i = 0; i < TILES; i++) found.tiles += tiles[j][i];
  return found;
}

static cairo_surface_t *open_picture(const char *file) {
  cairo_surface_t *picture = cairo_image_surface_create_from_png(file);
  if (cairo_surface_status(picture) == CAIRO_STATUS_SUCCESS) return picture;
  fprintf(stderr, "check_picture: %s: %s\n", file, cairo_status_to_string(cairo_surface_status(picture)));
  exit(EXIT_FAILURE);
}

static bool differ(cairo_surface_t *a, cairo_surface_t *b) {
  const size_t size = (size_t)cairo_image_surface_get_stride(a) * (size_t)cairo_image_surface_get_height(a);
  return cairo_image_surface_get_width(a) != cairo_image_surface_get_width(b) ||
         cairo_image_surface_get_height(a) != cairo_image_surface_get_height(b) ||
         memcmp(cairo_image_surface_get_data(a), cairo_image_surface_get_data(b), size) != 0;
}

int main(int count, char **arguments) {
  if (count < 2) return EXIT_FAILURE;
  cairo_surface_t *picture = open_picture(arguments[1]), *other = count > 2 ? open_picture(arguments[2]) : NULL;
  const findings found = look(picture);
  const bool same = other && !differ(picture, other);
  printf("%s: %u pixels of agents in %u of %d parts, %u pixels of text, %u colours%s\n", arguments[1], found.strong,
         found.tiles, TILES * TILES, found.text, found.colours, same ? "; the second picture is the same" : "");
  cairo_surface_destroy(picture);
  if (other) cairo_surface_destroy(other);
  return found.strong >= LEAST_STRONG && found.tiles >= LEAST_TILES && found.text >= LEAST_TEXT &&
                 found.colours >= LEAST_COLOURS && !same
             ? EXIT_SUCCESS
             : EXIT_FAILURE;
}
