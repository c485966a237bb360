/* SPDX-License-Identifier: MIT */
#ifndef BENCH_COLOUR_H
#define BENCH_COLOUR_H

#include <stdint.h>

#include "scene/scene.h"

/* Colours of pictures, as 0xRRGGBB. */
#define COLOUR_PAGE 0x10151Fu
#define COLOUR_GROUND 0x171E2Bu
#define COLOUR_BLOCKED 0x3A465Au
#define COLOUR_LINE 0x5C6B82u
#define COLOUR_PATH 0x33405Au
#define COLOUR_SLOW 0x8A5A2Bu /* speed zones with a factor below 1 */
#define COLOUR_FAST 0x2B8A6Bu
#define COLOUR_TEXT 0xE6EBF2u
#define COLOUR_QUIET_TEXT 0x93A0B4u

typedef struct picture_colour {
  double r, g, b; /* sRGB, 0 to 1 */
} picture_colour;

picture_colour colour_from_hex(uint32_t rgb);
/* Returns the hue at `turns`, a fraction of the colour circle. All hues have the same lightness. */
picture_colour colour_of_hue(double turns);
/* Returns the colour of a direction on the ground. */
picture_colour colour_of_heading(double x, double z);
/* Returns the group's colour in the scene. If the scene gives none, returns one of a set of distinct colours. */
picture_colour colour_of_group(const bench_scene *scene, uint32_t group);
/* Return the colour of a speed or a density, as a fraction of the largest one that is shown. Both series are
 * perceptually uniform, and their lightness increases evenly: they are the upper three quarters of matplotlib's plasma
 * and viridis (CC0). */
picture_colour colour_of_speed(double part);
picture_colour colour_of_density(double part);
/* Mixes two colours: part 0 gives a, part 1 gives b. */
picture_colour colour_mix(picture_colour a, picture_colour b, double part);

#endif
