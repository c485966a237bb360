/* SPDX-License-Identifier: MIT */
#include "common/summary.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

summary summary_of(double *values, uint32_t count) {
  qsort(values, count, sizeof *values, compare);
  const double min = values[0], max = values[count - 1];
  const double median = (values[(count - 1) / 2] + values[count / 2]) / 2;
  return (summary){min, median, max, median > 0 ? (max - min) / median : 0};
}
