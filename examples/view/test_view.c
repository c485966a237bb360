/* test_view.c: tests the parts of throng-view that need no window: the pace with a simulated clock, and the camera.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "camera.h"
#include "pace.h"

#define FRAME (1.0 / 64) /* seconds of the scene per frame; sums of it are exact */
#define SECONDS 10

static int failures;

static void check(bool holds, const char *what, double value) {
  if (holds) return;
  failures++;
  fprintf(stderr, "FAILED: %s: %g\n", what, value);
}

typedef struct test_run {
  double speed;         /* seconds of the scene per second */
  double picture, step; /* real time that a picture takes, and that a frame takes, in seconds */
  bool paused;
} test_run;

/* Returns the number of frames that are stepped in SECONDS of real time. *behind: whether frames were ever dropped. */
static int frames_of(const test_run *run, view_pace *pace, bool *behind) {
  double now = 100;
  int frames = 0;
  *pace = (view_pace){.last = now, .since = now};
  *behind = false;
  while (now < 100 + SECONDS) {
    pace_begin(pace, now, run->speed, run->paused);
    while (pace_take(pace, now, FRAME)) {
      now += run->step;
      frames++;
      check(frames * FRAME <= (now - 100) * run->speed, "more frames are stepped than are due", frames);
    }
    now += run->picture;
    pace_end(pace, now, FRAME);
    *behind = *behind || pace->behind;
  }
  return frames;
}

static void test_pace(void) {
  view_pace pace;
  bool behind;
  const test_run even = {1, 1.0 / 64, 0, false}, twice = {2, 1.0 / 32, 0, false}, slow = {0.25, 1.0 / 64, 0, false};
  const test_run heavy = {1, 0.01, 0.05, false}, paused = {1, 1.0 / 64, 0, true};
  int frames = frames_of(&even, &pace, &behind);
  check(abs(frames - 64 * SECONDS) <= 1 && !behind, "frames at speed 1", frames);
  check(fabs(pace.achieved - 1) < 0.05 && fabs(pace.pictures_per_second - 64) < 2, "achieved speed at speed 1",
        pace.achieved);
  frames = frames_of(&twice, &pace, &behind);
  check(abs(frames - 128 * SECONDS) <= 4 && !behind, "frames at speed 2", frames);
  frames = frames_of(&slow, &pace, &behind);
  check(abs(frames - 16 * SECONDS) <= 1 && !behind, "frames at speed 1/4", frames);
  frames = frames_of(&paused, &pace, &behind);
  check(frames == 0 && !behind, "frames while paused", frames);
  /* A frame of 1 / 64 s takes 0.05 s: the run continues at less than a third of the speed, and reports that. */
  frames = frames_of(&heavy, &pace, &behind);
  check(behind && frames > 10 * SECONDS && frames <= 20 * SECONDS, "frames if a frame takes longer than its dt",
        frames);
  check(pace.achieved > 0.15 && pace.achieved < 0.32, "achieved speed if a frame takes longer than its dt",
        pace.achieved);
}

static void test_gap(void) {
  view_pace pace = {.last = 0, .since = 0};
  int frames = 0;
  pace_begin(&pace, 60, 1, false); /* the window was dragged for a minute */
  while (pace_take(&pace, 60, FRAME)) frames++;
  check(frames == 16, "frames after a gap of a minute, expected 16", frames);
}

/* A picture a quarter of a frame after the second frame is a quarter of the way from the first to the second. */
static void test_alpha(void) {
  view_pace pace = {.last = 0, .since = 0};
  pace_begin(&pace, 2.25 * FRAME, 1, false);
  while (pace_take(&pace, 2.25 * FRAME, FRAME)) continue;
  check(pace_alpha(&pace, FRAME) == 0.25f, "alpha, expected 0.25", (double)pace_alpha(&pace, FRAME));
  pace_begin(&pace, 3.5 * FRAME, 1, false); /* no frame is stepped: there was no time */
  check(pace_alpha(&pace, FRAME) == 1.0f, "alpha if frames are due, expected 1", (double)pace_alpha(&pace, FRAME));
}

/* For all turns and tilts of the camera, a fitted box is inside the picture and nearly fills its width or its height,
 * and the camera's target is in the middle of the picture. */
static void test_camera(void) {
  const float min[3] = {-10, 0, 30}, max[3] = {50, 12, 70};
  for (float tilt = -90; tilt <= 90; tilt += 22.5f)
    for (float turn = -180; turn < 180; turn += 33) {
      view_camera camera = {.width = 900, .height = 600, .turn = turn, .tilt = tilt};
      vec3 pixel;
      float low[2] = {1e9f, 1e9f}, high[2] = {-1e9f, -1e9f};
      camera_fit(&camera, min, max);
      for (int bits = 0; bits < 8; bits++) {
        const bool seen = camera_project(&camera, bits & 1 ? max[0] : min[0], bits & 2 ? max[1] : min[1],
                                         bits & 4 ? max[2] : min[2], pixel);
        check(seen, "a corner is behind the camera at this tilt", (double)tilt);
        for (int axis = 0; axis < 2; axis++) {
          low[axis] = fminf(low[axis], pixel[axis]);
          high[axis] = fmaxf(high[axis], pixel[axis]);
        }
      }
      check(low[0] >= 0 && low[1] >= 0 && high[0] <= 900 && high[1] <= 600,
            "a corner is outside the picture at this tilt", (double)tilt);
      check(high[0] - low[0] > 800 || high[1] - low[1] > 540, "the box does not fill the picture at this tilt",
            (double)tilt);
      camera_project(&camera, camera.target[0], camera.target[1], camera.target[2], pixel);
      check(fabsf(pixel[0] - 450) < 0.5f && fabsf(pixel[1] - 300) < 0.5f,
            "the target is not in the middle of the picture, but at x", (double)pixel[0]);
    }
}

/* From above, x is to the right and z is down. A pan by n pixels moves the picture by n pixels. */
static void test_directions(void) {
  const float min[3] = {0, 0, 0}, max[3] = {80, 0, 70};
  view_camera camera = {.width = 900, .height = 600, .tilt = CAMERA_FROM_ABOVE};
  vec3 pixel, moved;
  camera_fit(&camera, min, max);
  camera_project(&camera, 50, 0, 45, pixel);
  check(pixel[0] > 450 && pixel[1] > 300, "from above x is to the right and z down: pixel x of a point",
        (double)pixel[0]);
  camera_pan(&camera, 30, -20);
  camera_project(&camera, 50, 0, 45, moved);
  check(fabsf(moved[0] - pixel[0] - 30) < 0.1f && fabsf(moved[1] - pixel[1] + 20) < 0.1f,
        "a pan moves the picture by the same pixels: pixel x of a point", (double)moved[0]);
  const float distance = camera.distance;
  camera_zoom(&camera, 2);
  check(fabsf(camera.distance * 2 - distance) < 1e-3f, "a zoom by 2 halves the distance", (double)camera.distance);
}

int main(void) {
  test_pace();
  test_gap();
  test_alpha();
  test_camera();
  test_directions();
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
