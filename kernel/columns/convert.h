/* convert.h: elements of columns in the host's axes and length unit. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_COLUMNS_CONVERT_H
#define THRONG_KERNEL_COLUMNS_CONVERT_H

#include "base/host_axes.h"
#include "columns/columns.h"

/* Converts a host's element to throng's. Returns `element` if nothing changes, otherwise `room`. */
const void *throng_convert_take(const throng_axes *axes, throng_column column, bool spatial, const void *element,
                                float room[3]);
/* How to convert component c of throng's element: change its sign if `turned`, multiply it by `factor`, and write it as
 * component `place` of the host's element. `same`: copy its bits unchanged, because they may be no float (an id). */
struct host_component {
  bool same, turned;
  size_t place;
  float factor;
};
struct host_component throng_convert_component(const throng_axes *axes, throng_column column, bool spatial, size_t c);
static inline float component_give(const struct host_component *to, float value) {
  return (to->turned ? -value : value) * to->factor;
}
static inline float component_take(const struct host_component *from, float value) {
  return (from->turned ? -value : value) / from->factor;
}
/* Converts throng's element to the host's, in place. */
void throng_convert_give(const throng_axes *axes, throng_column column, bool spatial, void *element);

#endif
