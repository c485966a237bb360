/* SPDX-License-Identifier: MIT */
#include "view_options.h"

#include <stdio.h>
#include <string.h>

#include "common/option_values.h"
#include "scene/scene.h"
#include "common/text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define MAX_ID 2147483646u
#define MOST_SIDE 8192u
#define MOST_SAMPLES 16u

const char *const colour_mode_names[COLOUR_MODE_COUNT] = {"group", "heading", "speed", "period", "density"};

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

static bool take_uint(const char *option, const char *value, uint32_t min, uint32_t max, uint32_t *target,
                      bench_problem *problem) {
  uint64_t number;
  if (!option_take_uint(option, value, min, max, &number, problem)) return false;
  *target = (uint32_t)number;
  return true;
}

static bool take_isa(view_options *options, const char *value, bench_problem *problem) {
  options->isa = throng_isa_from_name(value);
  if (options->isa == THRONG_ISA_COUNT)
    return option_refuse("--isa", value, "auto, baseline, avx2, avx512, neon", problem);
  return throng_isa_is_available(options->isa) ||
         option_refuse("--isa", value, "an instruction set that this CPU and this build have", problem);
}

static bool take_size(view_options *options, const char *value, bench_problem *problem) {
  uint64_t width, height;
  const char *times = strchr(value, 'x');
  if (times && text_to_uint(value, times, &width) && text_to_uint(times + 1, value + strlen(value), &height) &&
      width >= LEAST_WIDTH && width <= MOST_SIDE && height >= LEAST_HEIGHT && height <= MOST_SIDE) {
    options->width = (uint32_t)width;
    options->height = (uint32_t)height;
    return true;
  }
  return option_refuse("--size", value, "WIDTHxHEIGHT in pixels, 640x480 to 8192x8192", problem);
}

static bool take_colour(view_options *options, const char *value, bench_problem *problem) {
  for (int mode = 0; mode < COLOUR_MODE_COUNT; mode++)
    if (strcmp(colour_mode_names[mode], value) == 0) {
      options->colour = (colour_mode)mode;
      options->has_colour = true;
      return true;
    }
  return option_refuse("--colour", value, "group, heading, speed, period, density", problem);
}

/* An option whose value is a number: its range, where the value is stored, and a flag that is set (may be NULL). */
typedef struct float_option {
  const char *option;
  float min, max, *number;
  bool *given;
} float_option;

static bool take_float(view_options *options, const char *option, const char *value, bench_problem *problem) {
  const float_option floats[] = {{"--speed", LEAST_SPEED, MOST_SPEED, &options->speed, NULL},
                                 {"--turn", -360, 360, &options->turn, &options->has_turn},
                                 {"--tilt", -90, 90, &options->tilt, &options->has_tilt},
                                 {"--zoom", LEAST_ZOOM, MOST_ZOOM, &options->zoom, NULL}};
  const float_option *found = floats;
  while (strcmp(found->option, option) != 0) found++;
  if (found->given) *found->given = true;
  return option_take_float(option, value, found->min, found->max, found->number, problem);
}

static const char *const valued_options[] = {"--scene",      "--agents", "--threads", "--isa",    "--size",
                                             "--screenshot", "--frames", "--select",  "--turn",   "--tilt",
                                             "--zoom",       "--colour", "--speed",   "--samples"};

static bool take_value(void *context, const char *option, const char *value, bench_problem *problem) {
  view_options *options = context;
  if (strcmp(option, "--scene") == 0) return options->scene = value, true;
  if (strcmp(option, "--screenshot") == 0) return options->screenshot = value, true;
  if (strcmp(option, "--isa") == 0) return take_isa(options, value, problem);
  if (strcmp(option, "--size") == 0) return take_size(options, value, problem);
  if (strcmp(option, "--colour") == 0) return take_colour(options, value, problem);
  if (strcmp(option, "--threads") == 0) return take_uint(option, value, 0, MAX_THREADS, &options->threads, problem);
  if (strcmp(option, "--samples") == 0) return take_uint(option, value, 1, MOST_SAMPLES, &options->samples, problem);
  if (strcmp(option, "--agents") == 0) {
    options->has_agents = true;
    return take_uint(option, value, 0, SCENE_MAX_AGENTS, &options->agents, problem);
  }
  if (strcmp(option, "--frames") == 0) {
    options->has_frames = true;
    return take_uint(option, value, 1, SCENE_MAX_FRAMES, &options->frames, problem);
  }
  if (strcmp(option, "--select") == 0) {
    options->has_select = true;
    return take_uint(option, value, 1, MAX_ID, &options->select, problem);
  }
  return take_float(options, option, value, problem); /* the rest of valued_options */
}

static bool *find_flag(void *context, const char *argument) {
  view_options *options = context;
  if (strcmp(argument, "--follow") == 0) return &options->follow;
  if (strcmp(argument, "--paused") == 0) return &options->paused;
  if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) return &options->help;
  return strcmp(argument, "--version") == 0 ? &options->version : NULL;
}

bool view_options_parse(view_options *options, int count, char **arguments, bench_problem *problem) {
  static const option_set set = {"throng-view", valued_options, COUNT_OF(valued_options), find_flag, take_value};
  *options = (view_options){.scene = "flock2", .width = 1280, .height = 800, .samples = 4, .speed = 1, .zoom = 1};
  if (!option_read_all(&set, options, count, arguments, problem)) return false;
  if (options->screenshot && !options->has_frames)
    return problem_set(problem, "option '--screenshot': allowed only with --frames");
  if (options->follow && !options->has_select)
    return problem_set(problem, "option '--follow': allowed only with --select");
  if (options->paused && options->has_frames)
    return problem_set(problem, "option '--paused': not allowed with --frames");
  return true;
}

void view_options_print_help(void) {
  puts("throng-view: shows a crowd as it moves\n"
       "\n"
       "  --scene NAME|FILE.json  the scene (flock2); built in:");
  printf("                         ");
  for (const built_in_scene *scene = built_in_scenes; scene->name; scene++) printf(" %s", scene->name);
  puts(
      "\n"
      "  --agents N              agents, 0 to 2147483646 (the scene's number)\n"
      "  --threads N             1 to 1024; 0 means all cores of the machine (0)\n"
      "  --isa NAME              auto, baseline, avx2, avx512, neon (auto)\n"
      "  --speed X               seconds of the scene per second, 0.01 to 100 (1)\n"
      "  --size WxH              size of the window in pixels (1280x800)\n"
      "  --select ID             selects this agent\n"
      "  --follow                keeps the selected agent in the middle\n"
      "  --paused                begins paused\n"
      "  --samples N             samples per pixel, for smooth edges, 1 to 16 (4); without a graphics card 1 is "
      "faster\n"
      "  --colour MODE           group, heading, speed, period, density (group; heading if there is one group)\n"
      "  --turn D, --tilt D      direction and height of the camera in degrees; tilt 90 is from above\n"
      "  --zoom X                0.1 to 1000 times as near as the view that shows everything (1)\n"
      "  --frames N              steps 1 to 1000000000 frames as fast as possible, and quits; with --speed 8 it draws\n"
      "                          every eighth frame\n"
      "  --screenshot FILE.png   writes the last picture of --frames; `xvfb-run -a throng-view ...` needs no screen\n"
      "  --help, --version\n");
  for (const view_key *key = view_keys; key->key; key++) printf("  %-23s %s\n", key->key, key->what);
  puts("\n"
       "At the end it prints the hash, which is that of throng-run after the same number of frames.\n"
       "Exit status: 0; 1 if there is no window, or a frame of --frames or the picture failed; 2 for bad input.");
}
