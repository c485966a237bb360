/* What is told of a number that was measured several times.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SUMMARY_H
#define BENCH_SUMMARY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPREAD_LIMIT 0.1 /* beyond it the machine was not quiet: a warning */

typedef struct summary {
  double min, median, max;
  double spread; /* from the least to the most, over the median; 0 where that is 0 */
} summary;

/* Of at least one value; sorts them. */
summary summary_of(double *values, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
