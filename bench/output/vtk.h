/* Writes a run for ParaView and other readers of VTK: one file of agents per frame, one file of scenery, and
 * series.pvd, which lists the frames with their times.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VTK_H
#define BENCH_VTK_H

#include <stdio.h>

#include "scene/run_frame.h"

typedef struct vtk_series {
  const char *folder;
  double dt;
  uint64_t *frames; /* the frames written */
  uint32_t count, capacity;
} vtk_series;

/* Begins a series, and writes scenery.vtp if the scene has scenery. */
bool vtk_series_begin(vtk_series *series, const char *folder, const bench_scene *scene, bench_problem *problem);
/* Writes the agents of `frame`, which was read from `world`. */
bool vtk_series_add(vtk_series *series, const throng_world *world, const run_frame *frame, bench_problem *problem);
/* Writes series.pvd. */
bool vtk_series_end(vtk_series *series, bench_problem *problem);
void vtk_series_release(vtk_series *series);

/* vtk_scenery.c: writes the box, the shapes and the blocked cells. Returns false with a problem if memory runs out. */
bool vtk_write_scenery(FILE *stream, const bench_scene *scene, bench_problem *problem);
/* Whether there is anything to write: a box, shapes or blocked cells. */
bool vtk_has_scenery(const bench_scene *scene);

#endif
