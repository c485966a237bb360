/* neighbours.c: the neighbour walk of planar worlds, and the table. SPDX-License-Identifier: MIT */
#define SPATIAL 0
#include "passes/neighbours/walk.h"

static void walk(const struct frame *frame, struct strip *strip) {
  (is_spatial(frame) ? THRONG_TABLE(walk_spatial) : walk_strip)(frame, strip);
}

#if LANES == 16
static void pack(const struct frame *frame, struct strip *strip) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    CALL_IN_SPACE(is_spatial(frame), pack_block, frame, at, lanes_left(at, strip->end));
  }
}
#define PACK pack
#else
#define PACK NULL
#endif

static bool reads_packed(const struct frame *frame) {
  const bool reads = needed_variant(frame) & VARIANT_QUARTERS || frame->groups->features & FEATURE_SLICED;
  return reads && !frame->grid->dense;
}

const struct neighbour_passes THRONG_TABLE(neighbours) = {walk, THRONG_TABLE(due), THRONG_TABLE(walk_due), PACK,
                                                          reads_packed};
