/* sight.c: see sight.h. It uses double precision with + - * / and comparisons alone. Formulas: docs/ARITHMETIC.md,
 * "Sight". SPDX-License-Identifier: MIT */
#include "scenery/sight.h"

bool throng_sight_is_limited(const struct scenery *scenery, const struct cells *cells, const float p[3], float reach) {
  const double wider = 1.001 * (double)reach; /* distances are compared in floats */
  if (scenery->shapes && !throng_scenery_is_empty(scenery, vec_of(p), wider)) return true;
  if (cells->blocked && wider * cells->inverse > 8.0) return true; /* too many cells for a quick test */
  return cells->blocked && !throng_cells_is_free(cells, p[0], p[2], (float)wider);
}

bool throng_sight_is_blocked(const struct scenery *scenery, const struct cells *cells, const float p[3],
                             const float q[3]) {
  if (cells->blocked && throng_cells_hide(cells, p[0], p[2], q[0], q[2])) return true;
  if (!scenery->shapes) return false;
  const struct vec from = vec_of(p), to = vec_of(q);
  struct scenery_near near = throng_scenery_near(scenery, from, vec_sub(to, from), 0.0);
  uint32_t k;
  while (throng_scenery_next(&near, &k)) {
    if (throng_shape_hides(&scenery->shape[k], from, to)) return true;
  }
  return false;
}
