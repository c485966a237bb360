/* Recorded trajectories of people, from the text form `obsmat` of the recordings ETH and UCY. docs/FORMATS.md describes
 * the files.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TRACKS_H
#define BENCH_TRACKS_H

#include <stddef.h>

#include "common/problem.h"

/* Where one person was in one recorded step. */
typedef struct track_row {
  uint32_t step, person; /* person: the position in tracks.persons */
  double x, z, vx, vz;   /* metres and m/s in the ground plane */
} track_row;

/* A person who was recorded at least twice. */
typedef struct track {
  uint32_t id;          /* the person's number in the file */
  uint32_t first, last; /* steps of the first and the last row */
  double end_x, end_z;  /* metres: the place of the last row */
  double length;        /* metres: the sum of the distances between successive rows */
} track;

typedef struct tracks {
  uint32_t person_count;
  uint32_t lone_count;  /* persons who were recorded only once, and are left out */
  uint32_t step_count;  /* steps 0 to step_count - 1 */
  uint32_t step_frames; /* the difference of the frame numbers of two successive steps */
  size_t row_count;
  track *persons;     /* by ascending id */
  track_row *rows;    /* by ascending step, then person */
  size_t *step_begin; /* the rows of step s are rows[step_begin[s]] to rows[step_begin[s + 1] - 1] */
} tracks;

#define TRACKS_MAX_STEPS 1000000u

/* Reads a recording. It has at least one person. The problem names the file and the line. */
bool tracks_read(tracks *recording, const char *file, bench_problem *problem);
void tracks_release(tracks *recording);

#endif
