/* SPDX-License-Identifier: MIT */
#include "view_options.h"

#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "scene/trails.h"

#define MAX_ID 2147483646
#define MOST_SIDE 8192u
#define MOST_SAMPLES 16
#define AT(member) OPTION_AT(view_options, member)
#define GIVEN(member) .given = offsetof(view_options, member)

const view_key view_keys[] = {{"Space", "pause or continue"},
                              {"N", "step one frame"},
                              {"+  -", "double or halve the speed"},
                              {"R", "back to the start"},
                              {"Click", "select an agent, or none"},
                              {"F", "follow the selected agent"},
                              {"C", "colour by group, heading, speed, period, density"},
                              {"Drag", "turn and tilt the camera"},
                              {"Right drag", "move the camera (or Shift and drag)"},
                              {"Wheel", "nearer, farther"},
                              {"T", "view from above, or obliquely"},
                              {"Home", "show everything"},
                              {"Tab", "show or hide the side bar"},
                              {"H", "show or hide this help"},
                              {"Esc", "quit"},
                              {NULL, NULL}};

static bool take_size(const char *value, void *member) {
  uint64_t width, height;
  view_size *size = member;
  const char *times = strchr(value, 'x');
  if (!times || !text_to_uint(value, times, &width) || !text_to_uint(times + 1, value + strlen(value), &height) ||
      width < LEAST_WIDTH || width > MOST_SIDE || height < LEAST_HEIGHT || height > MOST_SIDE)
    return false;
  *size = (view_size){(uint32_t)width, (uint32_t)height};
  return true;
}

static const char *colour_mode_name(uint32_t k) {
  static const char *const names[COLOUR_MODE_COUNT] = {"group", "heading", "speed", "period", "density"};
  return k < COLOUR_MODE_COUNT ? names[k] : NULL;
}

static const option_row rows[] = {
    {"--scene", "NAME|FILE.json", AT(scene), .names = scene_built_in_name, .usual = "flock2",
     .help = "the scene (DEFAULT); built in: RANGE"},
    {"--agents", "N", AT(agents), .max = SCENE_MAX_AGENTS, GIVEN(has_agents),
     .help = "agents, RANGE (the scene's number)"},
    {"--threads", "N", AT(threads), .max = MAX_THREADS, .usual = "0",
     .help = "RANGE; 0 means all cores of the machine (DEFAULT)"},
    {"--isa", "NAME", AT(isa), .names = option_isa_name, .usual = "auto", .help = "RANGE (DEFAULT)"},
    {"--speed", "X", AT(speed), .min = LEAST_SPEED, .max = MOST_SPEED, .usual = "1",
     .help = "seconds of the scene per second, RANGE (DEFAULT)"},
    {"--size", "WxH", AT(size), .take = take_size, .allowed = "WIDTHxHEIGHT in pixels, 640x480 to 8192x8192",
     .usual = "1280x800", .help = "size of the window: RANGE (DEFAULT)"},
    {"--select", "ID", AT(select), .min = 1, .max = MAX_ID, GIVEN(has_select), .help = "selects this agent"},
    {"--follow", NULL, AT(follow), .needs = "--select", .help = "keeps the selected agent in the middle"},
    {"--paused", NULL, AT(paused), .forbids = "--frames", .help = "begins paused"},
    {"--samples", "N", AT(samples), .min = 1, .max = MOST_SAMPLES, .usual = "4",
     .help = "samples per pixel, for smooth edges, RANGE (DEFAULT); without a graphics card 1 is faster"},
    {"--colour", "MODE", AT(colour), .names = colour_mode_name, GIVEN(has_colour),
     .help = "RANGE (group; heading if there is one group)"},
    {"--trails", "SECONDS", AT(trails), .max = TRAIL_MOST_SECONDS,
     .help = "draws the way of each agent in the last SECONDS, which fades, RANGE (none)"},
    {"--turn", "D", AT(turn), .min = -360, .max = 360, GIVEN(has_turn),
     .help = "direction of the camera in degrees, RANGE"},
    {"--tilt", "D", AT(tilt), .min = -90, .max = 90, GIVEN(has_tilt),
     .help = "height of the camera in degrees, RANGE; 90 is from above"},
    {"--zoom", "X", AT(zoom), .min = LEAST_ZOOM, .max = MOST_ZOOM, .usual = "1",
     .help = "RANGE times as near as the view that shows everything (DEFAULT)"},
    {"--frames", "N", AT(frames), .min = 1, .max = SCENE_MAX_FRAMES, GIVEN(has_frames),
     .help = "steps RANGE frames as fast as possible, and quits; with --speed 8 it draws every eighth frame"},
    {"--screenshot", "FILE.png", AT(screenshot), .needs = "--frames",
     .help = "writes the last picture of --frames; `xvfb-run -a throng-view ...` needs no screen"},
    OPTION_HELP(view_options),
    OPTION_VERSION(view_options)};
const option_table view_option_table = {"throng-view", "shows a crowd as it moves", NULL, rows,
                                        sizeof rows / sizeof *rows};

bool view_options_parse(view_options *options, int count, char **arguments, bench_problem *problem) {
  *options = (view_options){0};
  return option_read(&view_option_table, options, count, arguments, problem) && option_check_isa(options->isa, problem);
}

void view_options_print_help(void) {
  option_print_help(&view_option_table);
  puts("");
  for (const view_key *key = view_keys; key->key; key++) printf("  %-23s %s\n", key->key, key->what);
  puts("\n"
       "At the end it prints the hash, which is that of throng-run after the same number of frames.\n"
       "Exit status: 0; 1 if there is no window, or a frame of --frames or the picture failed; 2 for bad input.");
}
