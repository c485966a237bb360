/* Minimum, median, maximum and spread of a number that was measured several times.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SUMMARY_H
#define BENCH_SUMMARY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPREAD_LIMIT 0.1 /* a larger spread gives a warning: other programs used the machine */

typedef struct summary {
  double min, median, max;
  double spread; /* (maximum - minimum) / median; 0 if the median is 0 */
} summary;

/* Sorts `count` values, at least 1, and returns their summary. */
summary summary_of(double *values, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
