/* view_options.h: the command line of throng-view.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_OPTIONS_H
#define VIEW_OPTIONS_H

#include <throng/throng.h>

#include "common/option_table.h"

typedef enum colour_mode {
  COLOUR_BY_GROUP = 0,
  COLOUR_BY_HEADING,
  COLOUR_BY_SPEED,
  COLOUR_BY_PERIOD,
  COLOUR_BY_DENSITY,
  COLOUR_MODE_COUNT
} colour_mode;

/* Pixels of the window. */
typedef struct view_size {
  uint32_t width, height;
} view_size;

typedef struct view_options {
  const char *scene, *screenshot; /* screenshot: NULL = none */
  uint32_t agents, threads, frames, select, samples;
  view_size size;
  float speed, turn, tilt, zoom; /* turn and tilt in degrees */
  float trails;                  /* seconds; 0: none */
  throng_isa isa;
  colour_mode colour;
  bool has_agents, has_frames, has_select, has_turn, has_tilt, has_colour; /* the option was given */
  bool follow, paused, help, version;
} view_options;

#define LEAST_WIDTH 640 /* pixels of the window */
#define LEAST_HEIGHT 480
#define LEAST_SPEED 0.01f
#define MOST_SPEED 100.0f
#define LEAST_ZOOM 0.1f
#define MOST_ZOOM 1000.0f

extern const option_table view_option_table;
bool view_options_parse(view_options *options, int count, char **arguments, bench_problem *problem);
void view_options_print_help(void);
/* A key and its action, for the help. A NULL key ends the list. */
typedef struct view_key {
  const char *key, *what;
} view_key;
extern const view_key view_keys[];

#endif
