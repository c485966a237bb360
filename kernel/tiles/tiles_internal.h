/* tiles/tiles_internal.h: what the files of this folder share. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_TILES_TILES_INTERNAL_H
#define THRONG_KERNEL_TILES_TILES_INTERNAL_H

#include <throng/tiles.h>

#define TILE_LIMIT THRONG_TILE_LIMIT
_Static_assert(4 * (int64_t)TILE_LIMIT <= INT32_MAX,
               "a difference of two tiles, and of two such differences, is an int32_t");

/* The step in x and z of each heading: heading 0 is +z, and headings grow in the direction in which the yaw grows. */
#define HEADINGS 8
static const int8_t heading_x[HEADINGS] = {0, 1, 1, 1, 0, -1, -1, -1},
                    heading_z[HEADINGS] = {1, 1, 0, -1, -1, -1, 0, 1};

static inline int32_t sign(int32_t a) { return (a > 0) - (a < 0); }
static inline int32_t magnitude(int32_t a) { return a < 0 ? -a : a; }
static inline int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }
static inline bool inside(int64_t a) { return a >= -TILE_LIMIT && a <= TILE_LIMIT; }

/* Checks that the columns exist and all tiles are within the limits. `field`, which must exist, is one tile's name in
 * the error text. */
throng_status throng_tiles_check_columns(const int32_t *x, const int32_t *z, uint32_t count, const char *field,
                                         throng_error *error);

#endif
