/* axes.h: elements of columns in a host's axes and units. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_AGENTS_AXES_H
#define THRONG_KERNEL_AGENTS_AXES_H

#include "state.h"

/* Whether the host's axes can be; NULL, throng's own, can. */
throng_status throng_axes_check(const throng_axes *axes, throng_error *error);

/* The host's element as throng's: itself where the column has nothing to convert, else in `room`. */
const void *throng_axes_convert_given(const struct throng_world *world, const throng_axes *axes, throng_column column,
                                      const void *element, float room[3]);
/* Makes throng's element the host's, in place. */
void throng_axes_convert_read(const struct throng_world *world, const throng_axes *axes, throng_column column,
                              void *element);

/* The same, where axes may be NULL: throng's own, which cost nothing. */
static inline const void *axes_take(const struct throng_world *world, const throng_axes *axes, throng_column column,
                                    const void *element, float room[3]) {
  return axes ? throng_axes_convert_given(world, axes, column, element, room) : element;
}
static inline void axes_give(const struct throng_world *world, const throng_axes *axes, throng_column column,
                             void *element) {
  if (axes) throng_axes_convert_read(world, axes, column, element);
}

#endif
