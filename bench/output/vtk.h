/* A run as a series of files for ParaView and other programs that read VTK's: the agents of each frame, the scenery once, and
 * series.pvd, which names them with their times.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VTK_H
#define BENCH_VTK_H

#include <stdio.h>

#include "scene/run_frame.h"

typedef struct vtk_series {
  const char *folder;
  double dt;
  uint64_t *frames; /* those written */
  uint32_t count, capacity;
} vtk_series;

/* Starts a series and writes scenery.vtp, where the scene has any. */
bool vtk_series_begin(vtk_series *series, const char *folder, const bench_scene *scene, bench_problem *problem);
/* The agents of `frame`, which was read from `world`. */
bool vtk_series_add(vtk_series *series, const throng_world *world, const run_frame *frame, bench_problem *problem);
bool vtk_series_end(vtk_series *series, bench_problem *problem);
void vtk_series_release(vtk_series *series);

/* Of vtk_scenery.c: whether there is any; false with a problem where memory does not suffice. */
bool vtk_write_scenery(FILE *stream, const bench_scene *scene, bench_problem *problem);
bool vtk_has_scenery(const bench_scene *scene);

#endif
