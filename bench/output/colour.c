/* SPDX-License-Identifier: MIT */
#include "output/colour.h"

#include <math.h>

#define TWO_PI 6.28318530717958647692
#define PALETTE_SIZE 8

picture_colour colour_from_hex(uint32_t rgb) {
  return (picture_colour){(rgb >> 16 & 0xFF) / 255.0, (rgb >> 8 & 0xFF) / 255.0, (rgb & 0xFF) / 255.0};
}

static double to_srgb(double linear) {
  if (linear <= 0) return 0;
  double value = linear < 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055;
  return value < 1 ? value : 1;
}

/* Oklab (B. Ottosson, A perceptual color space for image processing, 2020) with lightness 0.76 and chroma 0.135. */
picture_colour colour_of_hue(double turns) {
  const double lightness = 0.76, chroma = 0.135;
  double a = chroma * cos(turns * TWO_PI), b = chroma * sin(turns * TWO_PI);
  double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return (picture_colour){to_srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                          to_srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                          to_srgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

picture_colour colour_of_heading(double x, double z) { return colour_of_hue(atan2(x, z) / TWO_PI); }

picture_colour colour_of_group(const bench_scene *scene, uint32_t group) {
  static const uint32_t palette[PALETTE_SIZE] = {0x5BB8FF, 0xFFB347, 0x7CE38B, 0xFF6F91,
                                                 0xC79BFF, 0xF4E06D, 0x4FE0D0, 0xE8E8E8};
  if (scene->groups[group].colour != SCENE_NO_COLOUR) return colour_from_hex(scene->groups[group].colour);
  if (group < PALETTE_SIZE) return colour_from_hex(palette[group]);
  return colour_of_hue(group * 0.38196601125);
}

#define STOPS 7

/* Returns the colour at `part`, 0 to 1, of a series of evenly spaced colours. */
static picture_colour colour_between(const uint32_t stops[STOPS], double part) {
  const double place = fmin(fmax(part, 0), 1) * (STOPS - 1);
  const int at = place < STOPS - 1 ? (int)place : STOPS - 2;
  return colour_mix(colour_from_hex(stops[at]), colour_from_hex(stops[at + 1]), place - at);
}

picture_colour colour_of_speed(double part) {
  static const uint32_t plasma[STOPS] = {0x7E03A8, 0xA82296, 0xCC4778, 0xE56B5D, 0xF89540, 0xFDC328, 0xF0F921};
  return colour_between(plasma, part);
}

picture_colour colour_of_density(double part) {
  static const uint32_t viridis[STOPS] = {0x3B528B, 0x2C728E, 0x21918C, 0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725};
  return colour_between(viridis, part);
}

picture_colour colour_mix(picture_colour a, picture_colour b, double part) {
  return (picture_colour){a.r + (b.r - a.r) * part, a.g + (b.g - a.g) * part, a.b + (b.b - a.b) * part};
}
