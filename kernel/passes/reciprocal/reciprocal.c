/* reciprocal.c: reciprocal avoidance of planar worlds, and the table. SPDX-License-Identifier: MIT */
#define SPATIAL 0
#include "passes/reciprocal/filter.h"

static void pack(const struct frame *frame, struct strip *strip) {
  (frame->grid->space->spatial ? THRONG_TABLE(pack_spatial) : pack_strip)(frame, strip);
}
static void filter(const struct frame *frame, struct strip *strip) {
  (frame->grid->space->spatial ? THRONG_TABLE(filter_spatial) : filter_strip)(frame, strip);
}

const struct reciprocal_passes THRONG_TABLE(reciprocal) = {pack, filter};
