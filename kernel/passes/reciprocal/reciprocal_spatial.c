/* reciprocal_spatial.c: reciprocal avoidance of spatial worlds. SPDX-License-Identifier: MIT */
#define SPATIAL 1
#include "passes/reciprocal/filter.h"

void THRONG_TABLE(pack_spatial)(const struct frame *frame, struct strip *strip) { pack_strip(frame, strip); }
void THRONG_TABLE(filter_spatial)(const struct frame *frame, struct strip *strip) { filter_strip(frame, strip); }
