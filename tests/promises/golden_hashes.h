/* tests/promises/golden_hashes.h: printed by `test_golden --update`. A changed hash breaks a promise to hosts.
 * SPDX-License-Identifier: MIT */
#ifndef GOLDEN_HASHES_H
#define GOLDEN_HASHES_H

#include <stdint.h>

static const struct golden_hash {
  const char *scene;
  uint64_t hash[2]; /* after 12 and 60 frames */
} golden_hashes[] = {
    {"planar_box_flock", {0xba3ccc3de4174c0d, 0x9b819d171708f5f7}},
    {"planar_periodic_flock", {0x1254605ba9978c3e, 0xd8c4666ea2489f1d}},
    {"planar_unbounded_mixed", {0xb76af1c1a8604ed2, 0x28d878c789be7720}},
    {"planar_cells_walkers", {0xa3dad054c2a09209, 0xc735ceaae7b55a33}},
    {"planar_clumps", {0xd83573024c2527f1, 0x97e74762c6d8a644}},
    {"spatial_box_flock", {0x9d6c5d959435ed7c, 0x0e254593bc2f4db6}},
    {"spatial_periodic_mixed", {0x5e1a36e738d181be, 0x15fa54f59a92584d}},
    {"spatial_unbounded_walkers", {0x7bae634bfddf31b4, 0xc4d65486148aebfe}},
    {"planar_budget", {0xbb4c950fafc3fe1a, 0xea3fc00731788a22}},
    {"spatial_budget", {0x4576bc7607836342, 0xdc26e77e8fbe65e4}},
    {"planar_flow_field", {0x882670dde3a02b28, 0x0a4b8beaa69faec4}},
    {"planar_solid_cells", {0xfe40fc41528316ce, 0x305cc758dd9c7cbf}},
    {"spatial_solid_periodic", {0x57826cb42ffdc2e6, 0xa14f7ef46f780f45}},
    {"planar_paths", {0x9e587dcb4844368b, 0x8bbf803b4990f489}},
    {"spatial_periodic_paths", {0x80cf4ee9225ef80e, 0xd80687e5eb64db23}},
    {"planar_turners", {0x55dd806d10e9ce3b, 0x8ff3691a2462905b}},
    {"spatial_turners", {0xa4c35c638454473a, 0x72e0b20d4006447e}},
    {"planar_scenery", {0x56358208d039d8da, 0x141d872b9cdb3ee3}},
    {"spatial_scenery", {0xcaa8fafe5d0e4175, 0x5db62b19cdc9fb8a}},
    {"planar_vehicles", {0x49d6a001a572821b, 0x6c086454fe389e61}},
    {"spatial_vehicles", {0x3a8c7674f05fce6b, 0x01e56ae8356f7d6b}},
    {"planar_forms", {0x84ddecf47c8fad66, 0xe856477962eff443}},
    {"spatial_forms", {0xe07a17dff2016f78, 0x9ea0e568c18529d0}},
    {"planar_patterns", {0xe5adea8dc0412b72, 0xfcb601146887558f}},
    {"planar_kinematic", {0x1d4540fa3ba1edd7, 0xb289018f707f4a60}},
    {"spatial_kinematic", {0x77d7aa22146d6353, 0xa63fcb7e32d4e074}},
    {"planar_lurkers", {0x142853b5ee4755d6, 0x5808cd1092a47eaa}},
    {"spatial_lurkers", {0x7644e3291f033dd5, 0x61a9d663fd94c4bd}},
    {"planar_formation", {0x39351db25dfaeb17, 0xdba751ae3a15fa1e}},
    {"spatial_periodic_formation", {0x073a9744f8b942f6, 0xea1256e719aae90f}},
    {"planar_masses", {0xd954968091964e10, 0xc61daae2f3fa5720}},
    {"spatial_masses", {0x9fa6853bffd620a5, 0x105fe773506ad681}},
    {"planar_speeds", {0xee3237ebd436abcc, 0x7f2a4d8bcc5506a4}},
    {"spatial_speeds", {0xb51dc7d266afa276, 0xa93bc763fc77ce68}},
    {"planar_sliced", {0x993c322e86ce1ab5, 0x8d670aeb4367f284}},
    {"spatial_sliced", {0xb1992c313ecc2779, 0x4ce73778d5621ab7}},
    {"planar_hunters", {0x1de3f55b6f6de119, 0x56a974f1e1b34010}},
    {"spatial_hunters", {0x5c0043651c143bda, 0x3272c89e1fa959bf}},
    {"spatial_patterns", {0x9603a13259fa8955, 0x96ffdcc9a2d02087}},
    {"spatial_upright", {0x3d08307e75263603, 0x97c99c82e17d359b}},
    {"planar_corridor", {0x5620a62ca6d6c250, 0xfacb8884108d194b}},
    {"spatial_corridor", {0x80c4129d8d2c0298, 0x8bdffd5979a6e524}},
    {"spatial_steered", {0x43542b7b3da6f6cd, 0x28453d127e7f4be5}},
    {"planar_laws", {0xc7387c43d0b66610, 0x484bc85d322fccdd}},
    {"spatial_laws", {0x7dc0e1aaecc5bf06, 0x6071ed45926c24f7}},
    {"planar_lateral", {0x34d598a16d448f3b, 0x82666f34e8472d6d}},
    {"spatial_lateral", {0xf7ccf896ff024493, 0xb6ca8ae0238948d7}},
    {"planar_together", {0x23b14a2f3d9f96ad, 0x25511f958d894043}},
    {"spatial_together", {0x7928ed95126770af, 0xab64100a9963f8a1}},
    {"planar_periodic_field", {0xb3c9e9c2caa15066, 0x14cf88a49b1197d4}},
    {"planar_periodic_feelers", {0xd926ecc94f98426f, 0x7fb023ab32faaac9}},
    {"planar_attractors", {0x358e55a5344c7fda, 0x904ab74b6179469f}},
    {"spatial_attractors", {0x8beda56550217398, 0x8d0c68c776963c07}},
    {"spatial_ships", {0xbcf7668b46a2f1f1, 0xdcdcf6860e954616}},
    {"planar_speed_zones", {0x4c6a7e2b016de2ee, 0x40b82f5e1813f5b7}},
    {"spatial_speed_zones", {0x99988c4c8b051f41, 0xb616d0803484595d}},
    {"planar_reciprocal", {0x74e4d291ee80294a, 0x7269944fca76a5ca}},
    {"planar_reciprocal_clumps", {0x7cad7608dc30d22d, 0xb3588ab15adbca98}},
    {"planar_reciprocal_budget", {0xa244c74003a551af, 0x4e4fea3ecc5cfca0}},
};

#endif
