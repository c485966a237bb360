/* tests/support/shrink.h: from a long list of numbers on which something fails to a short one.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_SHRINK_H
#define TEST_SHRINK_H

#include <stdbool.h>
#include <stdint.h>

typedef bool fails_on(const uint64_t *numbers, uint32_t count, void *context);

/* Leaves of numbers[count], on which `fails` is true, a list on which it still is and no longer is if any one number
 * is left out; answers how many those are. Whole parts are left out first, from halves down (Zeller, Hildebrandt:
 * Simplifying and isolating failure-inducing input, 2002). */
uint32_t shrink(uint64_t *numbers, uint32_t count, fails_on *fails, void *context);

#endif
