/* tests/promises/golden.h: the golden scenes. SPDX-License-Identifier: MIT */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <throng/throng.h>

size_t golden_scene_count(void);
const char *golden_scene_name(size_t number);
/* The scene before its first frame; ends the program where it cannot be made. `jobs` NULL: the library's own
 * threads. */
throng_world *golden_scene_world(size_t number, throng_isa isa, uint32_t threads, const throng_job_system *jobs);
/* Ends the program and says why unless `status` is OK. */
void golden_check(throng_status status, const throng_error *error, const char *scene_name);

#endif
