/* tests/promises/golden_hashes.h: printed by `test_golden --update`. A changed hash breaks a promise to hosts.
 * SPDX-License-Identifier: MIT */
#ifndef GOLDEN_HASHES_H
#define GOLDEN_HASHES_H

#include <stdint.h>

static const struct golden_hash {
  const char *scene;
  uint64_t hash[2]; /* after 12 and 60 frames */
} golden_hashes[] = {
    {"planar_box_flock", {0xebde7d56fa641351, 0x6d09c274ae51d99c}},
    {"planar_periodic_flock", {0x1c402986641eab9b, 0xafc10e66cf1c2f74}},
    {"planar_unbounded_mixed", {0x0048659c44aead64, 0x4a50fad7d80ccc11}},
    {"planar_cells_walkers", {0xa3dad054c2a09209, 0xc735ceaae7b55a33}},
    {"planar_clumps", {0x628ce960612d29bd, 0xae435d8f50b21af8}},
    {"spatial_box_flock", {0x195e16513bf14b23, 0xa09443c0f99b0ea7}},
    {"spatial_periodic_mixed", {0x819e823ea4a50e0e, 0x7ffbf02978e6e0a6}},
    {"spatial_unbounded_walkers", {0x5810d06c264c45c5, 0x00cbe074faad1442}},
    {"planar_budget", {0x0999325ccc63e26d, 0x16781a27dc2e4789}},
    {"spatial_budget", {0x4c1da1e0e293f5f6, 0x626a85b3a6319cfc}},
    {"planar_flow_field", {0x882670dde3a02b28, 0x0a4b8beaa69faec4}},
    {"planar_solid_cells", {0xfe40fc41528316ce, 0x305cc758dd9c7cbf}},
    {"spatial_solid_periodic", {0xa76f1a1010a9fb7b, 0xdb484bbae41a863c}},
    {"planar_paths", {0x9e587dcb4844368b, 0x8bbf803b4990f489}},
    {"spatial_periodic_paths", {0x80cf4ee9225ef80e, 0xd80687e5eb64db23}},
    {"planar_turners", {0x887a2226683799ea, 0x381bab30a15afa21}},
    {"spatial_turners", {0xb17d1b798f804ea2, 0x781c4a886d0aecb1}},
    {"planar_scenery", {0x56358208d039d8da, 0x141d872b9cdb3ee3}},
    {"spatial_scenery", {0xcaa8fafe5d0e4175, 0x5db62b19cdc9fb8a}},
    {"planar_vehicles", {0x6bd4bb29b1a806ca, 0x332b40edeb231365}},
    {"spatial_vehicles", {0x96753d7fee015b0d, 0x03aa3a0b40a34a3d}},
    {"planar_forms", {0x5d1bfe2f7b290f69, 0x6774192d899806f2}},
    {"spatial_forms", {0x06e21a311167e1ba, 0x484a2b04d738b300}},
    {"planar_patterns", {0xe5adea8dc0412b72, 0xfcb601146887558f}},
    {"planar_kinematic", {0xdaeae78b4861c594, 0xbd0c0c5c8262d796}},
    {"spatial_kinematic", {0xea50c3e23151f787, 0x2b6454a0813e37d1}},
    {"planar_lurkers", {0x142853b5ee4755d6, 0x5808cd1092a47eaa}},
    {"spatial_lurkers", {0x7644e3291f033dd5, 0x61a9d663fd94c4bd}},
    {"planar_formation", {0x39351db25dfaeb17, 0xdba751ae3a15fa1e}},
    {"spatial_periodic_formation", {0x073a9744f8b942f6, 0xea1256e719aae90f}},
    {"planar_masses", {0x480d85cbca0a04ee, 0x8dd5341cc4e3fa30}},
    {"spatial_masses", {0x58b7d491ad97a5ab, 0x5d17c701bbefe283}},
    {"planar_speeds", {0x01cd9f1aa005d2a5, 0x9bbe19c2dd47b5a2}},
    {"spatial_speeds", {0x9f8d8aec0171f07d, 0xeef3034c6d9ba52d}},
    {"planar_sliced", {0x74528a1df425102d, 0x1ccf07716a8d14bf}},
    {"spatial_sliced", {0xc9bb18d3422a9986, 0x8badcf0e173f65e3}},
    {"planar_hunters", {0x38e5ec3ed44b042b, 0x773e7671bbfa5de8}},
    {"spatial_hunters", {0xbb65caec7d0625ff, 0xa6d2f4273e9d7454}},
    {"spatial_patterns", {0x9603a13259fa8955, 0x96ffdcc9a2d02087}},
    {"spatial_upright", {0x7fdf37e7a747c433, 0x8925a48ae230933f}},
    {"planar_corridor", {0x5620a62ca6d6c250, 0xfacb8884108d194b}},
    {"spatial_corridor", {0xd5a4b40609261a1e, 0x635f69786c5cc93a}},
    {"spatial_steered", {0x3cb8cb35af1cc2b8, 0x9bed13d605147835}},
};

#endif
