/* SPDX-License-Identifier: MIT */
#include "scene/snapshots.h"

#include <stdlib.h>

bool snapshot_start(throng_world *world, const bench_text *file, const bench_crowd *start, bench_problem *problem) {
  throng_error error;
  const uint16_t number = throng_world_get_def(world).id_world;
  if (throng_world_load_snapshot(world, file->data, file->size, &error) != THRONG_OK)
    return problem_set(problem, "%s: %s: %s", file->file, throng_status_name(error.status), error.text);
  if (throng_agents_count(world) != start->count)
    return problem_set(problem, "%s: a snapshot of %u agents, allowed is one of the %u agents of the run", file->file,
                       throng_agents_count(world), start->count);
  for (uint32_t k = 0; k < start->count; k++)
    if (!throng_agents_is_valid(world, (throng_agent_id){start->id[k], 1, number}))
      return problem_set(problem, "%s: a snapshot without agent %u, which the run starts with", file->file,
                         start->id[k]);
  return true;
}

bool snapshot_keep(bench_text *kept, const throng_world *world, bench_problem *problem) {
  throng_error error;
  size_t size = 0;
  *kept = (bench_text){.file = "snapshot"};
  if (throng_world_save_snapshot(world, NULL, 0, &size, &error) == THRONG_OK) kept->data = malloc(size);
  if (!kept->data) return problem_set(problem, "out of memory for a snapshot of %zu bytes", size);
  if (throng_world_save_snapshot(world, kept->data, size, &kept->size, &error) == THRONG_OK) return true;
  return problem_set(problem, "snapshot: %s: %s", throng_status_name(error.status), error.text);
}
