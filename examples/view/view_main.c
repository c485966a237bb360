/* view_main.c: throng-view shows a scene in a window while it runs. It checks the command line and the scene before it
 * opens the window.
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/files.h"
#include "viewer.h"

enum { EXIT_RUN_FAILED = 1, EXIT_BAD_INPUT = 2 };

static int fail(const bench_problem *problem, int status) {
  fprintf(stderr, "throng-view: %s\n", problem->text);
  return status;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(view_state *viewer) {
  const throng_world *world = viewer->session.world;
  const uint32_t agents = throng_agents_count(world);
  printf("%s: %u agent%s, %" PRIu64 " frames, hash %016" PRIx64 "\n", viewer->session.scene.name, agents,
         agents == 1 ? "" : "s", throng_world_frame(world), throng_world_hash(world, 0));
  if (viewer->pictures == 0) return;
  qsort(viewer->picture_ms, viewer->pictures, sizeof *viewer->picture_ms, compare);
  printf("%u pictures of %d x %d: median %.1f ms each, a frame %.1f ms; drawn by %s\n", viewer->pictures, viewer->width,
         viewer->height, viewer->picture_ms[viewer->pictures / 2], viewer->session.times.frame_ms,
         (const char *)glGetString(GL_RENDERER));
}

static int execute(view_state *viewer, const view_options *options) {
  bench_problem problem;
  if (options->screenshot && !file_check(options->screenshot, "--screenshot", &problem))
    return fail(&problem, EXIT_BAD_INPUT);
  if (!viewer_open(viewer, options, &problem)) return fail(&problem, EXIT_BAD_INPUT);
  if (!viewer_run(viewer, &problem)) return fail(&problem, EXIT_RUN_FAILED);
  report(viewer);
  return EXIT_SUCCESS;
}

int main(int count, char **arguments) {
  view_options options;
  bench_problem problem;
  if (!view_options_parse(&options, count, arguments, &problem)) return fail(&problem, EXIT_BAD_INPUT);
  if (options.help) {
    view_options_print_help();
    return EXIT_SUCCESS;
  }
  if (options.version) {
    option_print_version(&view_option_table);
    return EXIT_SUCCESS;
  }
  view_state *viewer = calloc(1, sizeof *viewer);
  if (!viewer) return EXIT_RUN_FAILED;
  const int status = execute(viewer, &options);
  viewer_close(viewer);
  free(viewer);
  return status;
}
