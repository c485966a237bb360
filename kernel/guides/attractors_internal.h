/* guides/attractors_internal.h: the attractors of a world as the pass reads them. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GUIDES_ATTRACTORS_INTERNAL_H
#define THRONG_KERNEL_GUIDES_ATTRACTORS_INTERNAL_H

#include <throng/attractors.h>

#include "guides/reach.h"

struct attractors {
  uint32_t count;         /* 0: none */
  throng_attractor *list; /* [count] in the caller's order, in throng's axes and metres */
  struct reach reach;     /* a ball for each attractor, with its radius */
};

/* Checks a definition, and makes the attractors. On failure there is nothing to release. */
throng_status throng_attractors_make(const struct space *space, const throng_allocator *allocator,
                                     const throng_attractors_def *def, struct attractors *attractors,
                                     throng_error *error);
void throng_attractors_release(struct attractors *attractors, const throng_allocator *allocator);
/* As throng_scenery_check_shift and throng_scenery_shift. */
throng_status throng_attractors_check_shift(const struct attractors *attractors, const float shift[3], float limit,
                                            throng_error *error);
void throng_attractors_shift(struct attractors *attractors, const float shift[3]);

#endif
