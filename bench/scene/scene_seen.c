/* SPDX-License-Identifier: MIT */
#include "scene/scene_seen.h"

#include <math.h>
#include <stdlib.h>

#define FRAMES 16 /* from one look at the agents to the next */

uint32_t scene_period_level(const bench_scene *scene, throng_vec3 p) {
  const scene_seen *seen = &scene->seen;
  const bool spatial = scene->world.space == THRONG_SPACE_SPATIAL;
  const float x = p.x - seen->from.x, y = spatial ? p.y - seen->from.y : 0.0f, z = p.z - seen->from.z;
  const float distance = sqrtf(x * x + y * y + z * z);
  if (seen->distances.z <= 0 || distance < seen->distances.x) return 0;
  if (distance < seen->distances.y) return 1;
  return distance < seen->distances.z ? 2 : 3;
}

static throng_status set_periods(const bench_scene *scene, throng_world *world, throng_vec3 *position, float *period,
                                 throng_error *error) {
  const uint32_t count = throng_agents_count(world);
  const throng_status status = throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, count, position, 0, error);
  if (status != THRONG_OK) return status;
  for (uint32_t k = 0; k < count; k++) period[k] = (float)(1u << scene_period_level(scene, position[k]));
  return throng_agents_write(world, THRONG_COLUMN_STEER_PERIOD, NULL, count, period, 0, error);
}

bool scene_set_periods(const bench_scene *scene, throng_world *world, throng_error *error) {
  if (scene->seen.distances.z <= 0 || throng_world_frame(world) % FRAMES != 0) return true;
  const size_t count = (size_t)throng_agents_count(world) + 1;
  throng_vec3 *position = malloc(count * sizeof *position);
  float *period = malloc(count * sizeof *period);
  bool ok = position && period;
  if (ok) {
    ok = set_periods(scene, world, position, period, error) == THRONG_OK;
  } else {
    *error = (throng_error){.status = THRONG_ERROR_OUT_OF_MEMORY, .text = "no memory for the periods"};
  }
  free(position);
  free(period);
  return ok;
}
