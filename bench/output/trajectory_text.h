/* Trajectories as text that PedPy reads: a head of lines with '#', then one line per agent per frame,
 * "id frame x y" in metres. docs/FORMATS.md describes it.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TRAJECTORY_TEXT_H
#define BENCH_TRAJECTORY_TEXT_H

#include <inttypes.h>
#include <stdio.h>

/* Writes the head. `rate`: frames per second. `wkt`: the walkable area, or NULL. */
static inline void trajectory_text_begin(FILE *stream, double rate, const char *wkt) {
  fprintf(stream, "#framerate: %.7g\n", rate);
  if (wkt) fprintf(stream, "#geometry: %s\n", wkt);
  fputs("# id frame x/m y/m\n", stream);
}

/* Writes one line. The floats read back with the same bits. */
static inline void trajectory_text_add(FILE *stream, uint64_t id, uint32_t frame, float x, float y) {
  fprintf(stream, "%" PRIu64 " %" PRIu32 " %.9g %.9g\n", id, frame, (double)x, (double)y);
}

#endif
