/* Names the machine and the build in reports.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdbool.h>

#define MACHINE_NAME_SIZE 128

/* Reads the CPU's name from /proc/cpuinfo. Many virtual machines report a name without a number; family and model are
 * then added. Returns false if there is no name. */
bool machine_cpu(char name[MACHINE_NAME_SIZE]);

#if defined(__clang__)
#define MACHINE_COMPILER __VERSION__
#else
#define MACHINE_COMPILER "GCC " __VERSION__
#endif

#endif
