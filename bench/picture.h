/* The last frame of a run as a PNG: seen from above (planar) or obliquely (spatial), with a legend.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PICTURE_H
#define BENCH_PICTURE_H

#include <stdio.h>

#include "measure.h"

bool picture_write(FILE *stream, const bench_scene *scene, const last_frame *last, double mean_neighbours,
                   bench_problem *problem);

#endif
