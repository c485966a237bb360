/* tests/support/fingerprint.h: a hash of the state that the interface can read. SPDX-License-Identifier: MIT */
#ifndef TEST_FINGERPRINT_H
#define TEST_FINGERPRINT_H

#include <throng/throng.h>

/* Returns a hash of all state columns and groups; the lengths of paths, patterns and formations; flow fields and
 * blocked points near the origin; the box; the numbers of agents, frames and lost targets. Whether the world is indexed
 * or steered is not part of it. Equal worlds have equal hashes; a failed call must not change the hash. */
uint64_t fingerprint(const throng_world *world);

#endif
