/* frame.h: runs a frame for record/, and parts of a frame for pieces/ and world/host_passes.c.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_FRAME_FRAME_H
#define THRONG_KERNEL_FRAME_FRAME_H

#include "state.h"

/* A parallel run of a frame over strips. Its stage is what a worker does with a strip. */
struct frame_run {
  throng_world *world;
  const struct frame *frame;
  void (*stage)(const struct frame_run *run, struct strip *strip, struct lap *lap);
  bool settles;                   /* the strips then have their state after the frame */
  float *const *from, *const *to; /* positions: a contact iteration reads `from` and writes `to`; the settle after the
                                     last one reads `from` */
  const struct near_lists *near;  /* of a contact iteration */
};
/* Runs the stage on all strips. */
void throng_frame_run_strips(struct frame_run run);
/* Runs the stage on the strips [begin, end). `context` is a struct frame_run. */
throng_task throng_frame_run_task;

extern const struct world_hooks throng_whole_hooks; /* of a whole world */

/* Returns the data that passes read in a frame of `dt` seconds, and chooses the torus of the next order. The world must
 * be indexed. */
struct frame throng_frame_make(throng_world *world, float dt);
/* Steers one strip: every rule, and the blended acceleration. */
void throng_frame_steer_strip(const throng_world *world, const struct frame *frame, struct strip *strip,
                              struct lap *lap);
/* Prepares what the neighbour walk reads besides columns: representatives of dense cells, and packed agents. */
void throng_frame_prepare_neighbours(throng_world *world, const struct frame *frame);
/* Moves all strips by the accelerations in the columns. The back columns then hold the new state. */
void throng_frame_move(throng_world *world, const struct frame *frame);
/* Does what throng_world_step does, for a caller that has claimed the world and set the float environment. */
throng_status throng_frame_step(throng_world *world, float dt, throng_error *error);
/* Checks the dt of a frame. */
throng_status throng_frame_check_dt(float dt, throng_error *error);

#endif
