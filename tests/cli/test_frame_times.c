/* tests/cli/test_frame_times.c: tests that a percentile of frame times, which is computed from a histogram, is at most
 * one bin's width above the exact one.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>

#include "runner/frame_times.h"

#define MOST 2000u
#define WIDTH (1.0 + 1.0 / FRAME_TIME_BINS)

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Writes random times from 10 µs up, spread over `octaves` octaves. */
static void fill(test_rng *rng, double *times, uint32_t count, uint32_t octaves) {
  for (uint32_t k = 0; k < count; k++)
    times[k] = ldexp(1e-5, (int)rng_below(rng, octaves)) * (double)rng_float(rng, 1, 2);
}

static void shares_are_those_of_sorted_times(void **state) {
  (void)state;
  test_rng rng = rng_from(test_seed("frame_times", 1));
  for (uint32_t run = 0; run < 200; run++) {
    static double times[MOST];
    const uint32_t count = 1 + rng_below(&rng, run % 2 ? 10 : MOST);
    frame_times *kept = calloc(1, sizeof *kept);
    assert_non_null(kept);
    fill(&rng, times, count, run % 3 ? 16 : 1);
    for (uint32_t k = 0; k < count; k++) frame_times_add(kept, times[k]);
    qsort(times, count, sizeof *times, ascending);
    assert_int_equal(kept->frames, count);
    assert_true(kept->most == times[count - 1]);
    assert_true(frame_times_percentile(kept, 100) == times[count - 1]);
    for (uint32_t percent = 0; percent < 100; percent++) {
      const uint32_t wanted = (percent * count + 99) / 100; /* the number of frames that may take at most that long */
      const double exact = times[wanted ? wanted - 1 : 0], got = frame_times_percentile(kept, percent);
      if (!(got >= exact && got <= exact * WIDTH)) fail_msg("%u %% of %u: %.9g for %.9g", percent, count, got, exact);
    }
    free(kept);
  }
}

static void no_frames_take_no_time(void **state) {
  static const frame_times none;
  (void)state;
  assert_true(frame_times_percentile(&none, 50) == 0 && frame_times_percentile(&none, 100) == 0);
}

/* Times of 0, and times below and above the bins. */
static void extremes_are_kept(void **state) {
  static frame_times kept;
  (void)state;
  frame_times_add(&kept, 0);
  assert_true(frame_times_percentile(&kept, 100) == 0);
  frame_times_add(&kept, 1e-300);
  frame_times_add(&kept, 1e9);
  assert_int_equal(kept.frames, 3);
  assert_true(kept.most == 1e9 && frame_times_percentile(&kept, 100) <= 1e9);
  assert_true(frame_times_percentile(&kept, 50) < 2e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shares_are_those_of_sorted_times),
                                     cmocka_unit_test(no_frames_take_no_time), cmocka_unit_test(extremes_are_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
