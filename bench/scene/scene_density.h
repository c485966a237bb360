/* The local density of agents, for pictures.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_DENSITY_H
#define BENCH_SCENE_DENSITY_H

#include "scene/scene.h"

#define DENSITY_RADIUS 1.0 /* metres */
#define DENSITY_MOST 5.0f  /* larger densities are returned as this one */

/* Sets density[k] to the density around agent k: the number of agents within DENSITY_RADIUS of it, itself included,
 * divided by the area of this circle; in spatial worlds by the volume of the ball. The area is that of the whole circle
 * also near walls. Unit: 1/m^2; in spatial worlds 1/m^3. x, y and z have an element per agent; an array that is NULL is
 * all 0. Returns false if memory is short. */
bool scene_density(const bench_scene *scene, const float *x, const float *y, const float *z, uint32_t count,
                   float *density);

#endif
