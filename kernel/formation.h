/* formation.h: the world's formations, as the pass reads them. SPDX-License-Identifier: MIT */
#ifndef THRONG_FORMATION_SLOTS_H
#define THRONG_FORMATION_SLOTS_H

#include <throng/formation.h>

#define SLOT_FLOATS 4 /* a power of two: a slot lies in one cache line */

struct formation {
  uint32_t slots; /* 0 = there is no formation */
  float *slot;    /* [slots * SLOT_FLOATS] metres: right, up, forward; up is 0 in planar worlds */
};

void throng_formation_release(struct formation *formation, const throng_allocator *allocator);

#endif
