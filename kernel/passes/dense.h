/* dense.h: finds windows with dense cells, of which a pass reads only the representatives.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_DENSE_H
#define THRONG_KERNEL_PASSES_DENSE_H

#include "base/compiler.h"
#include "passes/window.h"

/* Whether the window has a dense cell. Only frames with dense cells call it, so its code is small rather than fast. */
static COLD bool window_is_dense(const struct grid *grid, const struct window *window, bool spatial) {
  uint32_t from, to, all = 0, kept = 0;
  lv3 shift;
  bool shifted;
  FOR_EACH_RANGE(grid, grid->start, window, from, to, shift, shifted, spatial) all += to - from;
  FOR_EACH_RANGE(grid, grid->thin_start, window, from, to, shift, shifted, spatial) kept += to - from;
  return kept < all;
}

#endif
