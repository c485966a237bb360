/* The names of what colours show.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "common/option_values.h"
#include "output/picture.h"

const char *const picture_colour_names[PICTURE_COLOURS] = {"default", "group", "heading", "speed", "density"};

bool picture_take_colours(const char *value, picture_colours *colours, bench_problem *problem) {
  for (int k = PICTURE_BY_GROUP; k < PICTURE_COLOURS; k++) {
    if (strcmp(picture_colour_names[k], value) != 0) continue;
    *colours = (picture_colours)k;
    return true;
  }
  return option_refuse("--colour", value, "group, heading, speed, density", problem);
}
