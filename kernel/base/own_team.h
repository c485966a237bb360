/* own_team.h: threads of throng's own, for one world (THRONG_THREADS_TEAM). A run does not wait for a thread that has
 * not begun: such a thread is left out. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_OWN_TEAM_H
#define THRONG_KERNEL_BASE_OWN_TEAM_H

#include <stdbool.h>

#include <throng/base.h>

struct own_team;

/* Returns a team of up to `workers` workers, the calling thread included; NULL without memory. Threads start in the
 * first run that needs them. */
struct own_team *throng_own_team_create(uint32_t workers, const throng_allocator *allocator);

/* Ends the threads, and releases the team. threads_lost: this process is a child of fork, and does not have them. */
void throng_own_team_destroy(struct own_team *team, bool threads_lost, const throng_allocator *allocator);

/* Runs work(0, context) on the calling thread. Meanwhile other threads may begin work(k, context), with different k
 * from 1 to workers - 1. Returns when all that have begun are done. So work(0, context) must return only when nothing
 * is left to begin. If the system refuses threads, there are fewer workers. */
void throng_own_team_run(struct own_team *team, uint32_t workers, void (*work)(uint32_t worker, void *context),
                         void *context);

#endif
