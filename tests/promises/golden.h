/* tests/promises/golden.h: the golden scenes. SPDX-License-Identifier: MIT */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <throng/throng.h>

size_t golden_scene_count(void);
const char *golden_scene_name(size_t number);
/* Creates the scene at frame 0; exits if that fails. `jobs` may be NULL: the library then uses its own threads. */
throng_world *golden_scene_world(size_t number, throng_isa isa, uint32_t threads, const throng_job_system *jobs);
/* Prints the error and exits unless `status` is THRONG_OK. */
void golden_check(throng_status status, const throng_error *error, const char *scene_name);

/* Sets 40 attractors in the scene's box. */
void golden_set_attractors(throng_world *world, const char *scene_name);

#endif
