/* convert.h: elements of columns in the host's axes and length unit. SPDX-License-Identifier: MIT */
#ifndef THRONG_COLUMNS_CONVERT_H
#define THRONG_COLUMNS_CONVERT_H

#include "base/axes.h"
#include "columns/columns.h"

/* The host's element as throng's: itself if there is nothing to convert, otherwise in `room`. */
const void *throng_convert_take(const throng_axes *axes, throng_column column, bool spatial, const void *element,
                                float room[3]);
/* Makes throng's element the host's, in place. */
void throng_convert_give(const throng_axes *axes, throng_column column, bool spatial, void *element);

#endif
