/* guides/formation_internal.h: a formation as the pass reads it. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GUIDES_FORMATION_INTERNAL_H
#define THRONG_KERNEL_GUIDES_FORMATION_INTERNAL_H

#include <throng/formation.h>

#include "base/memory.h"
#include "base/space.h"

#define PLACE_FLOATS 4 /* a power of two: a place lies in one cache line */

struct formation {
  uint32_t places; /* 0: no formation */
  float *place;    /* [places * PLACE_FLOATS] metres: right, up, forward; up is 0 in planar worlds */
};

/* Checks a definition, and makes the formation. On failure there is nothing to release. */
throng_status throng_formation_make(const struct space *space, const throng_allocator *allocator,
                                    const throng_formation_def *def, struct formation *formation, throng_error *error);
void throng_formation_release(struct formation *formation, const throng_allocator *allocator);

#endif
