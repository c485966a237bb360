/* tests/golden_hashes.h: printed by `test_golden --update`; a change of it is a change of the contract.
 * SPDX-License-Identifier: MIT */
#ifndef GOLDEN_HASHES_H
#define GOLDEN_HASHES_H

#include <stdint.h>

static const struct golden_hash {
  const char *scene;
  uint64_t hash;
} golden_hashes[] = {
    {"planar_box_flock", UINT64_C(0x08b772607439edbc)},
    {"planar_periodic_flock", UINT64_C(0xcad899edc750510a)},
    {"planar_unbounded_mixed", UINT64_C(0x8fbdd0b9d9067339)},
    {"planar_cells_walkers", UINT64_C(0xc42fe7ce200d7ede)},
    {"planar_clumps", UINT64_C(0x98300c0b9c1f522a)},
    {"spatial_box_flock", UINT64_C(0xa4ec2d362f1dfc0c)},
    {"spatial_periodic_mixed", UINT64_C(0x088767c650274a3e)},
    {"spatial_unbounded_walkers", UINT64_C(0x004c8f51d59097bf)},
    {"planar_budget", UINT64_C(0x9a4cee6545d2e35d)},
    {"spatial_budget", UINT64_C(0xf46c3d633cb592e9)},
    {"planar_flow_field", UINT64_C(0x03850b9870d2be5e)},
    {"planar_solid_cells", UINT64_C(0x86851df4c2b48390)},
    {"spatial_solid_periodic", UINT64_C(0x468c285647388cc0)},
    {"planar_paths", UINT64_C(0xe16bcab4d404c99f)},
    {"spatial_periodic_paths", UINT64_C(0xfc46c3c1deb4847d)},
    {"planar_turners", UINT64_C(0x30100c3e0e039248)},
    {"spatial_turners", UINT64_C(0x9edbd8abbef862db)},
    {"planar_scenery", UINT64_C(0x4066447078571276)},
    {"spatial_scenery", UINT64_C(0x97c1968287e54358)},
    {"planar_vehicles", UINT64_C(0x9eed933ad804b8e3)},
    {"spatial_vehicles", UINT64_C(0x037bf9acfd8639db)},
    {"planar_forms", UINT64_C(0x17d4a09c56a06c0a)},
    {"spatial_forms", UINT64_C(0x58c8d6f2527c8ce1)},
    {"planar_patterns", UINT64_C(0xe8f3519bc4ddb3ad)},
    {"planar_kinematic", UINT64_C(0xf891c059f8639757)},
    {"spatial_kinematic", UINT64_C(0x4df6ddbe36b13be4)},
    {"planar_lurkers", UINT64_C(0x0d690850211613b4)},
    {"spatial_lurkers", UINT64_C(0x4f75808afe125b44)},
    {"planar_formation", UINT64_C(0xd5b8d8820f10da4c)},
    {"spatial_periodic_formation", UINT64_C(0x457874de86fd57b7)},
    {"planar_masses", UINT64_C(0x1373031479ce93c7)},
    {"spatial_masses", UINT64_C(0xd1b66127139cabca)},
};

#endif
