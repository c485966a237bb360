/* tests/golden_hashes.h: printed by `test_golden --update`; a change of it is a change of the contract.
 * SPDX-License-Identifier: MIT */
#ifndef GOLDEN_HASHES_H
#define GOLDEN_HASHES_H

#include <stdint.h>

static const struct golden_hash {
  const char *scene;
  uint64_t hash[2]; /* after 12 and 60 frames */
} golden_hashes[] = {
    {"planar_box_flock", {0x149c75bb3b4c1e9c, 0x08b772607439edbc}},
    {"planar_periodic_flock", {0xab2a1b1ba143b3c4, 0xcad899edc750510a}},
    {"planar_unbounded_mixed", {0xcd56f55a46c09a3a, 0x8fbdd0b9d9067339}},
    {"planar_cells_walkers", {0xafa658d92b580ba0, 0xc42fe7ce200d7ede}},
    {"planar_clumps", {0x84bdb45e96e773d0, 0x98300c0b9c1f522a}},
    {"spatial_box_flock", {0xee84f609b0788427, 0xa4ec2d362f1dfc0c}},
    {"spatial_periodic_mixed", {0x707579976a85da21, 0x088767c650274a3e}},
    {"spatial_unbounded_walkers", {0x6ecb9b01767152e4, 0x004c8f51d59097bf}},
    {"planar_budget", {0xc356cb9146adcbd6, 0x9a4cee6545d2e35d}},
    {"spatial_budget", {0x9629c5ae963f3b48, 0xf46c3d633cb592e9}},
    {"planar_flow_field", {0x6f3cc97c25ce8bb9, 0x03850b9870d2be5e}},
    {"planar_solid_cells", {0xd1ce2ab02a139175, 0x86851df4c2b48390}},
    {"spatial_solid_periodic", {0xa33cf386a109122f, 0x468c285647388cc0}},
    {"planar_paths", {0x8fd7e0cf39a94eaa, 0xe16bcab4d404c99f}},
    {"spatial_periodic_paths", {0x9f6ee72230ad3ef1, 0x87f80dd289cdd45c}},
    {"planar_turners", {0x37accf766cc50bd8, 0x30100c3e0e039248}},
    {"spatial_turners", {0x93d0c4d39ada2889, 0x9edbd8abbef862db}},
    {"planar_scenery", {0xf3c80b34f94066cf, 0x4066447078571276}},
    {"spatial_scenery", {0xee72555595ba9487, 0x97c1968287e54358}},
    {"planar_vehicles", {0x39da77b9c95e59f1, 0x9eed933ad804b8e3}},
    {"spatial_vehicles", {0x320884a718586554, 0x037bf9acfd8639db}},
    {"planar_forms", {0x76e6d83821b2f21f, 0x17d4a09c56a06c0a}},
    {"spatial_forms", {0xf7a055bae5994f47, 0x58c8d6f2527c8ce1}},
    {"planar_patterns", {0x10f480da9565cd1a, 0xe8f3519bc4ddb3ad}},
    {"planar_kinematic", {0xc75eba1830d40e45, 0xf891c059f8639757}},
    {"spatial_kinematic", {0x4e6597710f64a0d6, 0x4df6ddbe36b13be4}},
    {"planar_lurkers", {0xa1dad89285206e93, 0x0d690850211613b4}},
    {"spatial_lurkers", {0x4800eacf5e1a0568, 0x4f75808afe125b44}},
    {"planar_formation", {0x14fa75951ed978ac, 0xd5b8d8820f10da4c}},
    {"spatial_periodic_formation", {0xf2ba76b5fe249283, 0x457874de86fd57b7}},
    {"planar_masses", {0xfd678344b4e3a86a, 0x1373031479ce93c7}},
    {"spatial_masses", {0x7aedf823234061a3, 0xd1b66127139cabca}},
};

#endif
