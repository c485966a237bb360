/* tests/reference/reference_sight.h: whether two points see each other, as in docs/ARITHMETIC.md, "Sight". It tests
 * every shape and every blocked cell that the line may meet.
 * SPDX-License-Identifier: MIT */
#ifndef REFERENCE_SIGHT_H
#define REFERENCE_SIGHT_H

#include <throng/throng.h>

/* `scenery` and `cells` may be NULL. Coordinates of walls and cells must be such that differences of them are exact in
 * double: at least 2^-30 of the largest. y is ignored in planar worlds. */
bool ref_sees(const throng_scenery_def *scenery, const throng_cells_def *cells, throng_vec3 p, throng_vec3 q,
              bool spatial);

#endif
