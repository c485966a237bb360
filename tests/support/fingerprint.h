/* tests/support/fingerprint.h: all that can be asked of a world, in one number. SPDX-License-Identifier: MIT */
#ifndef TEST_FINGERPRINT_H
#define TEST_FINGERPRINT_H

#include <throng/throng.h>

/* Every column, group, path, pattern, formation, flow field, the box, what is blocked, how many agents and frames;
 * not whether the world is indexed or steered. Equal worlds give equal numbers; a failed call leaves the number as
 * it was. */
uint64_t fingerprint(const throng_world *world);

#endif
