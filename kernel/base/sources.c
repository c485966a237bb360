/* sources.c: which sources this library was built from. SPDX-License-Identifier: MIT */
#include <throng/piece.h>

/* CMake defines it: package/hash_sources.cmake. The one-file distribution has none. */
#ifndef THRONG_SOURCES_HASH
#define THRONG_SOURCES_HASH 0
#endif

uint64_t throng_piece_sources(void) { return THRONG_SOURCES_HASH; }
