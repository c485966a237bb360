/* tests/support/fingerprint.c
 * SPDX-License-Identifier: MIT */
#include "support/fingerprint.h"

/* Fowler, Noll, Vo: FNV-1a. */
static uint64_t mix(uint64_t h, const void *data, size_t bytes) {
  const unsigned char *byte = data;
  for (size_t k = 0; k < bytes; k++) h = (h ^ byte[k]) * 0x100000001b3u;
  return h;
}

static uint64_t mix_groups(uint64_t h, const throng_world *world) {
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    throng_group_def def;
    const uint32_t agents = throng_world_group_agent_count(world, g);
    h = mix(h, &agents, sizeof agents);
    if (throng_world_get_group(world, g, &def, NULL) == THRONG_OK) h = mix(h, &def, sizeof def);
  }
  return h;
}

/* Hashes what is blocked, and the flow fields, at points in four directions from the origin, with |x| from 2^-2 to
 * 2^11 metres. */
static uint64_t mix_places(uint64_t h, const throng_world *world) {
  for (int k = 0; k < 4 * 14; k++) {
    const float far = 0.25f * (float)(1 << k / 4), x = k & 1 ? far : -far, z = k & 2 ? 0.5f * far : -0.5f * far;
    const throng_vec3 p = {x, x, z};
    const bool is_free[3] = {throng_world_is_free(world, p, 0), throng_world_is_free(world, p, 0.25f * far),
                             throng_world_is_free(world, p, far)};
    h = mix(h, is_free, sizeof is_free);
    for (uint32_t number = 0; number < THRONG_MAX_FLOW_FIELDS; number++) {
      throng_vec3 v;
      if (throng_world_sample_flow_field(world, number, p, &v, NULL) == THRONG_OK) h = mix(h, &v, sizeof v);
    }
  }
  return h;
}

uint64_t fingerprint(const throng_world *world) {
  const uint64_t steered = THRONG_BIT(THRONG_COLUMN_ACCELERATION) | THRONG_BIT(THRONG_COLUMN_YAW_ACCELERATION);
  const throng_world_def def = throng_world_get_def(world);
  const uint64_t numbers[] = {throng_world_hash(world, (THRONG_BIT(THRONG_COLUMN_COUNT) - 1) & ~steered),
                              throng_agents_count(world), throng_world_frame(world),
                              throng_world_lost_target_count(world)};
  uint64_t h = mix(0xcbf29ce484222325u, numbers, sizeof numbers);
  h = mix(h, &def.box_min, sizeof def.box_min);
  h = mix(h, &def.box_max, sizeof def.box_max);
  for (uint32_t k = 0; k < THRONG_MAX_PATHS; k++) {
    const float length = throng_world_path_length(world, k);
    const uint32_t counts[2] = {throng_world_pattern_instruction_count(world, k),
                                throng_world_formation_place_count(world, k)};
    h = mix(h, &length, sizeof length);
    h = mix(h, counts, sizeof counts);
  }
  return mix_places(mix_groups(h, world), world);
}
