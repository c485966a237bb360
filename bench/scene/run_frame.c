/* SPDX-License-Identifier: MIT */
#include "scene/run_frame.h"

#include <stdlib.h>

static bool allocate(run_frame *frame, const throng_world *world, const bench_crowd *start, bench_problem *problem) {
  const uint32_t count = start->count;
  const bool planar = throng_world_get_def(world).space == THRONG_SPACE_PLANAR;
  if (!crowd_allocate(&frame->crowd, count, NULL, problem)) return false;
  frame->facing = malloc((count ? count : 1) * (planar ? 1 : 3) * sizeof *frame->facing);
  if (!frame->facing) return problem_set(problem, "out of memory for %u agents", count);
  for (uint32_t k = 0; k < count; k++) frame->crowd.id[k] = start->id[k];
  return true;
}

bool run_frame_read(run_frame *frame, const throng_world *world, const bench_crowd *start, bench_problem *problem) {
  const uint32_t count = start->count;
  throng_error error;
  if (!frame->facing && !allocate(frame, world, start, problem)) return false;
  frame->number = throng_world_frame(world);
  if (throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, count, frame->crowd.position, 0, &error) == THRONG_OK &&
      throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, count, frame->crowd.velocity, 0, &error) == THRONG_OK &&
      throng_agents_read(world, THRONG_COLUMN_GROUP, NULL, count, frame->crowd.group, 0, &error) == THRONG_OK &&
      throng_agents_read(world, THRONG_COLUMN_FACING, NULL, count, frame->facing, 0, &error) == THRONG_OK)
    return true;
  return problem_set(problem, "reading the agents back: %s: %s", throng_status_name(error.status), error.text);
}

void run_frame_release(run_frame *frame) {
  crowd_release(&frame->crowd);
  free(frame->facing);
  *frame = (run_frame){0};
}
