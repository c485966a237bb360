/* tests/support/crowd_boundary.c: boundaries of random crowds. SPDX-License-Identifier: MIT */
#include "support/crowds.h"

throng_boundary crowd_boundary(uint32_t boundary, int axis) {
  static const throng_boundary mixes[CROWD_BOUNDARIES - 3][3] = {
      {THRONG_BOUNDARY_PERIODIC, THRONG_BOUNDARY_UNBOUNDED, THRONG_BOUNDARY_BOX},
      {THRONG_BOUNDARY_BOX, THRONG_BOUNDARY_PERIODIC, THRONG_BOUNDARY_UNBOUNDED},
      {THRONG_BOUNDARY_UNBOUNDED, THRONG_BOUNDARY_BOX, THRONG_BOUNDARY_PERIODIC}};
  return boundary < 3 ? (throng_boundary)boundary : mixes[boundary - 3][axis];
}

void crowd_set_boundary(throng_world_def *def, uint32_t boundary) {
  for (int axis = 0; axis < 3; axis++) def->boundary[axis] = crowd_boundary(boundary, axis);
}

bool crowd_wraps(const throng_world_def *def) {
  for (int axis = 0; axis < 3; axis++) {
    const bool used = axis != 1 || def->space == THRONG_SPACE_SPATIAL;
    if (used && def->boundary[axis] == THRONG_BOUNDARY_PERIODIC) return true;
  }
  return false;
}
