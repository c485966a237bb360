/* convert.c: see convert.h. SPDX-License-Identifier: MIT */
#include "columns/convert.h"

#include <string.h>

const void *throng_convert_take(const throng_axes *axes, throng_column column, bool spatial, const void *element,
                                float room[3]) {
  const enum quantity quantity = (enum quantity)throng_column_rows[column].quantity[spatial];
  if (!axes || quantity < QUANTITY_LENGTH) return element;
  const float units = axes->units_per_metre;
  float host[3];
  memcpy(host, element, column_bytes(column, spatial));
  if (quantity == QUANTITY_VECTOR) throng_axes_take(axes, units, host, room);
  if (quantity == QUANTITY_DIRECTION) throng_axes_take(axes, 1.0f, host, room);
  if (quantity == QUANTITY_LENGTH) room[0] = host[0] / units;
  if (quantity == QUANTITY_ANGLE || quantity == QUANTITY_WAY) room[0] = throng_axes_turn(axes, host[0]);
  if (quantity == QUANTITY_WAY) {
    room[1] = axes_turned(axes->x, host[1] / units);
    room[2] = axes_turned(axes->z, host[2] / units);
  }
  return room;
}

void throng_convert_give(const throng_axes *axes, throng_column column, bool spatial, void *element) {
  const enum quantity quantity = (enum quantity)throng_column_rows[column].quantity[spatial];
  if (!axes || quantity < QUANTITY_LENGTH) return;
  const float units = axes->units_per_metre;
  float v[3], host[3];
  memcpy(v, element, column_bytes(column, spatial));
  if (quantity == QUANTITY_VECTOR) throng_axes_give(axes, units, v, host);
  if (quantity == QUANTITY_DIRECTION) throng_axes_give(axes, 1.0f, v, host);
  if (quantity == QUANTITY_LENGTH) host[0] = v[0] * units;
  if (quantity == QUANTITY_ANGLE || quantity == QUANTITY_WAY) host[0] = throng_axes_turn(axes, v[0]);
  if (quantity == QUANTITY_WAY) {
    host[1] = axes_turned(axes->x, v[1]) * units;
    host[2] = axes_turned(axes->z, v[2]) * units;
  }
  memcpy(element, host, column_bytes(column, spatial));
}
