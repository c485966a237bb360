/* tests/promises/golden_hashes.h: printed by `test_golden --update`. A changed hash breaks a promise to hosts.
 * SPDX-License-Identifier: MIT */
#ifndef GOLDEN_HASHES_H
#define GOLDEN_HASHES_H

#include <stdint.h>

static const struct golden_hash {
  const char *scene;
  uint64_t hash[2]; /* after 12 and 60 frames */
} golden_hashes[] = {
    {"planar_box_flock", {0x3dd084798f8d4e45, 0x43bf6761ea10f6c8}},
    {"planar_periodic_flock", {0xbaeec1ab2bb036f7, 0x30002ac27f2256c8}},
    {"planar_unbounded_mixed", {0x5fb8d294a6139ca2, 0xe5c7ea44629c37f1}},
    {"planar_cells_walkers", {0xa059f974706d4b83, 0x27ec6c45e5b3232b}},
    {"planar_clumps", {0xa1824adfab49d544, 0x80c7f54491396083}},
    {"spatial_box_flock", {0xf24fc1deffcbd026, 0xc58cb3a2b60430ea}},
    {"spatial_periodic_mixed", {0xc1684375898b8460, 0x5076e0fce8da34a7}},
    {"spatial_unbounded_walkers", {0x4f8967c1407b4dd4, 0x151f0deef22f0210}},
    {"planar_budget", {0x3763bf8767d0f339, 0x20e485cf0ccda172}},
    {"spatial_budget", {0xe598f127ec3576eb, 0xc75b2ae4d76b18cb}},
    {"planar_flow_field", {0xe84c7e4b7b6bdcbd, 0x415a0c265377a42e}},
    {"planar_solid_cells", {0xb7b8134a4d3bef12, 0xbac56cf240dcf52a}},
    {"spatial_solid_periodic", {0xaaef562e8e64df8f, 0x0ff0d1805120e86b}},
    {"planar_paths", {0x41db994894814bb9, 0x8bbf803b4990f489}},
    {"spatial_periodic_paths", {0x2f7749ac6ec67d1b, 0x386284105bbed30f}},
    {"planar_turners", {0x8273694ff2313e70, 0x60ff6f8270e2ba87}},
    {"spatial_turners", {0xb17d1b798f804ea2, 0x781c4a886d0aecb1}},
    {"planar_scenery", {0xeadcc5f63b5d9714, 0xd6ba00b3d85917ef}},
    {"spatial_scenery", {0x835d009dcc30c957, 0x18874807a50f8ef4}},
    {"planar_vehicles", {0x8cf8192675567392, 0xbf622c433868126f}},
    {"spatial_vehicles", {0x1e3e98c1cc953aee, 0x0bba410dee73e1a5}},
    {"planar_forms", {0xb3a11bc09ccf91b7, 0xf58603c1fea479e5}},
    {"spatial_forms", {0x06e21a311167e1ba, 0x55507519fcec8af4}},
    {"planar_patterns", {0xc0d6efdd03463cb6, 0xb9b928b4f259cd00}},
    {"planar_kinematic", {0xdaeae78b4861c594, 0xbd0c0c5c8262d796}},
    {"spatial_kinematic", {0x04fc0d7136cd9497, 0x0c7595275faae1a2}},
    {"planar_lurkers", {0xd1df2112f21f31b3, 0xd23d92de45664d23}},
    {"spatial_lurkers", {0x7644e3291f033dd5, 0x61a9d663fd94c4bd}},
    {"planar_formation", {0x195f8c50b3d086aa, 0x1862d9e89c3d4146}},
    {"spatial_periodic_formation", {0xbf1c46c426a8419d, 0xfd9c796fdf6cf7d7}},
    {"planar_masses", {0x5c35703a8cfc769b, 0xbe2b0be6199ff8ea}},
    {"spatial_masses", {0x577c0d0b8be98ab9, 0x102d463165d4a7ca}},
};

#endif
