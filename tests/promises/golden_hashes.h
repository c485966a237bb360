/* tests/promises/golden_hashes.h: printed by `test_golden --update`. A changed hash breaks a promise to hosts.
 * SPDX-License-Identifier: MIT */
#ifndef GOLDEN_HASHES_H
#define GOLDEN_HASHES_H

#include <stdint.h>

static const struct golden_hash {
  const char *scene;
  uint64_t hash[2]; /* after 12 and 60 frames */
} golden_hashes[] = {
    {"planar_box_flock", {0x4f9c89f582a0b6fe, 0xc78b6fb7ddf1e1c5}},
    {"planar_periodic_flock", {0xbaeec1ab2bb036f7, 0x30002ac27f2256c8}},
    {"planar_unbounded_mixed", {0x5fb8d294a6139ca2, 0xe5c7ea44629c37f1}},
    {"planar_cells_walkers", {0xa059f974706d4b83, 0x84984ed720255dd9}},
    {"planar_clumps", {0xacffc6ee99989082, 0xd9352a1ec4077b8f}},
    {"spatial_box_flock", {0x6c1ba20fd3b72682, 0x3af90e675a7c06d3}},
    {"spatial_periodic_mixed", {0xc1684375898b8460, 0x5076e0fce8da34a7}},
    {"spatial_unbounded_walkers", {0x4f8967c1407b4dd4, 0x151f0deef22f0210}},
    {"planar_budget", {0x3763bf8767d0f339, 0x03e9d4c7a696d85d}},
    {"spatial_budget", {0xe598f127ec3576eb, 0xa88e5c2ef03231eb}},
    {"planar_flow_field", {0x16c03b4ef437d827, 0x4c7d445cecd5d6a9}},
    {"planar_solid_cells", {0x91e385baca9e6d96, 0x152b2acf1dec7bc4}},
    {"spatial_solid_periodic", {0xaaef562e8e64df8f, 0x0ff0d1805120e86b}},
    {"planar_paths", {0x41db994894814bb9, 0x8bbf803b4990f489}},
    {"spatial_periodic_paths", {0x2f7749ac6ec67d1b, 0x386284105bbed30f}},
    {"planar_turners", {0x42a96e0334cb8d7a, 0xfdbb02eff9a25ecb}},
    {"spatial_turners", {0xb17d1b798f804ea2, 0x781c4a886d0aecb1}},
    {"planar_scenery", {0xbe5a60d3a0f7a045, 0x2580f63562ce74d0}},
    {"spatial_scenery", {0x835d009dcc30c957, 0x18874807a50f8ef4}},
    {"planar_vehicles", {0xe9cd586268f7cb4b, 0x9ef30c2ac8418254}},
    {"spatial_vehicles", {0xcd214c62e2ddc944, 0x3e50a8c568e89e64}},
    {"planar_forms", {0xacb65951aa9b549d, 0xbce9b0308e517baa}},
    {"spatial_forms", {0x06e21a311167e1ba, 0x55507519fcec8af4}},
    {"planar_patterns", {0xc0d6efdd03463cb6, 0xb9b928b4f259cd00}},
    {"planar_kinematic", {0xca5724a6285c607d, 0xcf08a545afa2f611}},
    {"spatial_kinematic", {0x04fc0d7136cd9497, 0x0c7595275faae1a2}},
    {"planar_lurkers", {0x74e5174a66e54b95, 0xb8a11b849f5ce0ce}},
    {"spatial_lurkers", {0x7644e3291f033dd5, 0x61a9d663fd94c4bd}},
    {"planar_formation", {0x17723550a9097bc3, 0x516cdddaf5e1d84f}},
    {"spatial_periodic_formation", {0xbf1c46c426a8419d, 0xfd9c796fdf6cf7d7}},
    {"planar_masses", {0x293fe75993ea6339, 0xd076401064716bb2}},
    {"spatial_masses", {0x577c0d0b8be98ab9, 0x102d463165d4a7ca}},
};

#endif
