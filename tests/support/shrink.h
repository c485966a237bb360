/* tests/support/shrink.h: shortens a list of numbers on which something fails.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_SHRINK_H
#define TEST_SHRINK_H

#include <stdbool.h>
#include <stdint.h>

typedef bool fails_on(const uint64_t *numbers, uint32_t count, void *context);

/* Removes numbers from numbers[count] while `fails` stays true for the list, until removing any one of the remaining
 * numbers would make it false. Returns how many numbers are left. `fails` must be true for the whole list. Tries to
 * remove ranges first, from halves down (Zeller, Hildebrandt: Simplifying and isolating failure-inducing input,
 * 2002). */
uint32_t shrink(uint64_t *numbers, uint32_t count, fails_on *fails, void *context);

#endif
