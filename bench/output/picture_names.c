/* The names of what colours show.
 * SPDX-License-Identifier: MIT */
#include "output/picture.h"

const char *picture_colour_name(uint32_t k) {
  static const char *const names[PICTURE_COLOURS] = {"default", "group", "heading", "speed", "density"};
  return k < PICTURE_COLOURS ? names[k] : NULL;
}
