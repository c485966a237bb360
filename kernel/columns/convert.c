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

struct host_component throng_convert_component(const throng_axes *axes, throng_column column, bool spatial, size_t c) {
  const enum quantity quantity = (enum quantity)throng_column_rows[column].quantity[spatial];
  if (!axes || quantity < QUANTITY_LENGTH) return (struct host_component){true, false, c, 1.0f};
  const bool angle = quantity == QUANTITY_ANGLE || (quantity == QUANTITY_WAY && c == 0);
  if (angle) return (struct host_component){false, throng_axes_turn(axes, 1.0f) < 0.0f, c, 1.0f};
  const float units = axes->units_per_metre;
  if (quantity == QUANTITY_LENGTH) return (struct host_component){false, false, c, units};
  if (quantity == QUANTITY_WAY) {
    return (struct host_component){false, axes_turned(c == 1 ? axes->x : axes->z, 1.0f) < 0.0f, c, units};
  }
  float along[3] = {0.0f, 0.0f, 0.0f}, host[3];
  along[c] = 1.0f;
  throng_axes_give(axes, 1.0f, along, host);
  const size_t place = host[0] != 0.0f ? 0 : host[1] != 0.0f ? 1 : 2;
  return (struct host_component){false, host[place] < 0.0f, place, quantity == QUANTITY_DIRECTION ? 1.0f : units};
}

void throng_convert_give(const throng_axes *axes, throng_column column, bool spatial, void *element) {
  float v[3], host[3];
  const uint32_t components = column_components(column, spatial);
  if (throng_convert_component(axes, column, spatial, 0).same) return;
  memcpy(v, element, components * sizeof(float));
  for (size_t c = 0; c < components; c++) {
    const struct host_component to = throng_convert_component(axes, column, spatial, c);
    host[to.place] = component_give(&to, v[c]);
  }
  memcpy(element, host, components * sizeof(float));
}
