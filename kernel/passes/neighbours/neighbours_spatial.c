/* neighbours_spatial.c: the neighbour walk of spatial worlds. SPDX-License-Identifier: MIT */
#define SPATIAL 1
#include "passes/neighbours/walk.h"

void THRONG_TABLE(walk_spatial)(const struct frame *frame, struct strip *strip) { walk_strip(frame, strip); }
