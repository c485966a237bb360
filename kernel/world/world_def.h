/* world_def.h: the check of a world's definition. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_WORLD_WORLD_DEF_H
#define THRONG_KERNEL_WORLD_WORLD_DEF_H

#include <throng/world.h>

/* The names of the enumerators, for errors; NULL ends them. */
extern const char *const throng_world_spaces[], *const throng_world_boundaries[], *const throng_world_separation_laws[],
                                                                                      *const throng_world_updates[];

/* Makes the -0 of the box's corners +0. */
void throng_world_clear_signs(throng_world_def *def);
throng_status throng_world_check_def(const throng_world_def *def, throng_error *error);

#endif
