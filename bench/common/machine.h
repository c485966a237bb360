/* What the machine and the build are, for reports.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdbool.h>

#define MACHINE_NAME_SIZE 128

/* The CPU's name, with family and model where it has no number, as in many virtual machines; false where the system does not say. */
bool machine_cpu(char name[MACHINE_NAME_SIZE]);

#if defined(__clang__)
#define MACHINE_COMPILER __VERSION__
#else
#define MACHINE_COMPILER "GCC " __VERSION__
#endif

#endif
