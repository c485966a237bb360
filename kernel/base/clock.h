/* clock.h: the clock of profiles, traces and late runs. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_CLOCK_H
#define THRONG_KERNEL_BASE_CLOCK_H

#include <stdint.h>

/* A monotonic clock in nanoseconds. */
uint64_t throng_clock_now(void);

#endif
