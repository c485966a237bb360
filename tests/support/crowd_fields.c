/* tests/support/crowd_fields.c: see crowds.h. SPDX-License-Identifier: MIT */
#include "support/crowds.h"

void crowd_tile_field(const crowd *c, test_rng rng, crowd_field *field) {
  const float length[2] = {c->def.box_max.x - c->def.box_min.x, c->def.box_max.z - c->def.box_min.z};
  for (int k = 0; k < 2; k++) {
    const float cell = length[k] / (float)(k ? field->height : field->width);
    if (c->def.boundary[2 * k] != THRONG_BOUNDARY_PERIODIC || rng_chance(&rng, 0.5f)) continue;
    if (cell >= 1e-3f && cell <= 1e6f) field->cell = cell;
  }
}
