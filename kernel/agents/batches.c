/* batches.c: see batches.h. The loops have no early end and few branches, so that compilers vectorise them.
 * SPDX-License-Identifier: MIT */
#include "agents/batches.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assertion.h"
#include "base/span.h"
#include "columns/convert.h"

/* Values in throng's axes, component by component. */
struct batch {
  uint32_t count;
  float v[3][BATCH];
};

/* Whether the values of a column can be in a batch. The others are taken, checked and stored one by one. */
static bool is_batched(const struct throng_world *world, throng_column column) {
  const struct column_row *row = &throng_column_rows[column];
  const uint8_t quantity = row->quantity[world->space.spatial];
  if (row->arrays == 0 || row->flags & COLUMN_WHOLE) return false;
  return quantity != QUANTITY_DIRECTION && quantity != QUANTITY_PAIR && quantity != QUANTITY_ID;
}

/* Copies elements of three floats each, one every `stride` bytes, to an array for each float. Inline, so that a call
 * with a constant stride has a loop of its own. */
static inline void split_threes(const char *data, size_t stride, uint32_t count, float *restrict x, float *restrict y,
                                float *restrict z) {
  for (uint32_t k = 0; k < count; k++) {
    float element[3];
    memcpy(element, data + k * stride, sizeof element);
    x[k] = element[0];
    y[k] = element[1];
    z[k] = element[2];
  }
}

static void take(const struct throng_world *world, struct column_span span, uint32_t from, uint32_t count,
                 struct batch *batch) {
  const bool spatial = world->space.spatial;
  ASSERT(world, is_batched(world, span.column));
  const uint32_t components = column_components(span.column, spatial);
  const size_t bytes = column_bytes(span.column, spatial), stride = span_stride(span.span, bytes);
  const char *data = span_at(span.span, bytes, from);
  struct host_component host[3];
  float *place[3];
  ASSERT(world, count <= BATCH);
  batch->count = count;
  for (uint32_t c = 0; c < components; c++) {
    host[c] = throng_convert_component(world->space.axes, span.column, spatial, c);
    place[host[c].place] = batch->v[c];
  }
  if (components == 3 && stride == 3 * sizeof(float)) {
    split_threes(data, 3 * sizeof(float), count, place[0], place[1], place[2]);
  } else if (components == 3) {
    split_threes(data, stride, count, place[0], place[1], place[2]);
  } else {
    for (uint32_t k = 0; k < count; k++) memcpy(&batch->v[0][k], data + k * stride, sizeof(float));
  }
  for (uint32_t c = 0; c < components; c++) {
    for (uint32_t k = 0; k < count && !host[c].same; k++) batch->v[c][k] = component_take(&host[c], batch->v[c][k]);
  }
}

/* Checking. */

static bool all_within(const float *v, uint32_t count, float low, float high) {
  uint32_t outside = 0;
  for (uint32_t k = 0; k < count; k++) outside |= (uint32_t) !(v[k] >= low) | (uint32_t) !(v[k] <= high);
  return outside == 0;
}
/* The same for values that may be NaN, and that are above `low` if `above`. */
static bool all_allowed(const float *v, uint32_t count, float low, float high, bool above) {
  uint32_t outside = 0;
  for (uint32_t k = 0; k < count; k++) outside |= (uint32_t)(v[k] < low) | (uint32_t)(v[k] > high);
  for (uint32_t k = 0; k < count && above; k++) outside |= v[k] == low;
  return outside == 0;
}

/* Positions and goals: within the limit; within the faces, but goals only along periodic axes. */
static bool all_inside(const struct space *space, const struct batch *batch, bool goals) {
  bool inside = true;
  for (int c = 0; c < 3; c++) {
    const bool flat = c == 1 && !space->spatial, faces = !goals || space->boundary[c] == THRONG_BOUNDARY_PERIODIC;
    const float limit = flat ? FLT_MAX : space->limit;
    const float low = faces && !flat ? fmaxf(-limit, space->face_low[c]) : -limit;
    const float high = faces && !flat ? fminf(limit, space->face_high[c]) : limit;
    inside &= all_within(batch->v[c], batch->count, low, high);
  }
  return inside;
}
static bool all_free(const struct throng_world *world, const struct batch *batch) {
  const struct scenery *scenery = &world->objects.scenery;
  for (uint32_t k = 0; k < batch->count && (world->objects.cells.blocked || scenery->shapes); k++) {
    float p[3] = {batch->v[0][k], world->space.spatial ? batch->v[1][k] : 0.0f, batch->v[2][k]};
    space_hold(&world->space, p);
    if (throng_cells_is_blocked(&world->objects.cells, p[0], p[2])) return false;
    if (!throng_scenery_is_free(scenery, vec_of(p), 0.0)) return false;
  }
  return true;
}

static bool is_valid(const struct throng_world *world, throng_column column, const struct batch *batch) {
  const struct column_row *row = &throng_column_rows[column];
  const uint32_t components = column_components(column, world->space.spatial), count = batch->count;
  if (column == THRONG_COLUMN_POSITION) return all_inside(&world->space, batch, false) && all_free(world, batch);
  if (column == THRONG_COLUMN_GOAL) return all_inside(&world->space, batch, true);
  const float high = column == THRONG_COLUMN_PERCEPTION_RADIUS ? world->space.radius : row->high;
  if (components == 1 && row->flags & COLUMN_MAY_BE_NAN) {
    return all_allowed(batch->v[0], count, row->low, high, row->flags & COLUMN_ABOVE_LOW);
  }
  bool valid = !(row->flags & COLUMN_ABOVE_LOW);
  for (uint32_t c = 0; c < components; c++) valid &= all_within(batch->v[c], count, row->low, high);
  const bool flat = column == THRONG_COLUMN_VELOCITY && !world->space.spatial;
  return valid && (!flat || all_within(batch->v[1], count, 0.0f, 0.0f));
}

bool throng_values_are_valid(const struct throng_world *world, struct column_span span, uint32_t from, uint32_t count) {
  struct batch batch;
  if (is_batched(world, span.column)) {
    take(world, span, from, count, &batch);
    return is_valid(world, span.column, &batch);
  }
  throng_error ignored;
  float room[3];
  for (uint32_t k = from; k < from + count; k++) {
    const void *element = throng_value_take(world, span, k, room);
    if (throng_value_check(world, span.column, element, k, &ignored) != THRONG_OK) return false;
  }
  return true;
}

throng_status throng_values_need_height(struct throng_world *world, struct column_span positions, uint32_t count,
                                        throng_error *error) {
  if (world->agents.front.f[COLUMN_POSITION_Y]) return THRONG_OK;
  const size_t bytes = 3 * sizeof(float), stride = span_stride(positions.span, bytes);
  const struct host_component host = throng_convert_component(world->space.axes, THRONG_COLUMN_POSITION, false, 1);
  const char *y = (const char *)positions.span.data + host.place * sizeof(float);
  bool high = false;
  for (uint32_t k = 0; k < count; k++) {
    float value;
    memcpy(&value, y + k * stride, sizeof value);
    high |= (host.same ? value : component_take(&host, value)) != 0.0f;
  }
  return high ? throng_value_need_y(world, error) : THRONG_OK;
}

/* Storing. */

/* space_hold() along one axis. */
static void hold_along(const struct space *space, int axis, float *v, uint32_t count) {
  const float low = space->low[axis], high = space->high[axis], beyond = space->axis[axis].period ? low : high;
  for (uint32_t k = 0; k < count; k++) v[k] = v[k] < low ? low : v[k] > high ? beyond : v[k];
}

/* Writes the values of a batch, and may change the batch. */
static void store(struct throng_world *world, throng_column column, const uint32_t *slots, struct batch *batch) {
  const struct column_row *row = &throng_column_rows[column];
  const uint32_t components = column_components(column, world->space.spatial), count = batch->count;
  float *const *to = world->agents.front.f + row->first;
  const bool due = row->flags & COLUMN_MAKES_DUE && world->agents.front.f[COLUMN_KEPT_X];
  const bool may_be_nan = row->flags & COLUMN_MAY_BE_NAN;
  for (uint32_t k = 0; k < count && due; k++) throng_value_make_due(world, slots[k]);
  for (uint32_t k = 0; k < count && components == 3 && may_be_nan; k++) {
    if (batch->v[0][k] != batch->v[0][k]) batch->v[1][k] = batch->v[2][k] = NAN;
  }
  for (uint32_t c = 0; c < components; c++) {
    float *v = batch->v[c], *array = to[c];
    if (!array) continue;
    if (column == THRONG_COLUMN_POSITION) hold_along(&world->space, (int)c, v, count);
    const bool changes = may_be_nan || value_is_magnitude(row);
    for (uint32_t k = 0; k < count && changes; k++) v[k] = value_stored(row, v[k]);
    for (uint32_t k = 0; k < count; k++) array[slots[k]] = v[k];
  }
}

void throng_values_store(struct throng_world *world, struct column_span span, uint32_t from, uint32_t count,
                         const uint32_t *slots) {
  struct batch batch;
  float room[3];
  if (is_batched(world, span.column)) {
    take(world, span, from, count, &batch);
    store(world, span.column, slots, &batch);
    return;
  }
  for (uint32_t k = 0; k < count; k++) {
    throng_value_store(world, span.column, slots[k], throng_value_take(world, span, from + k, room));
  }
}

/* Loading. */

/* A component of the values to read. `from`: its array, by slot; NULL for y in a world without heights. There y is 0.
 * But if the agent has no value, y is `fill`; component 0, at byte `first` of the element, is then NaN. */
struct component {
  const float *from;
  float fill;
  size_t first;
  struct host_component to;
};

static void load_component(const struct component *it, const uint32_t *slots, uint32_t count, char *data,
                           size_t stride) {
  char *to = data + it->to.place * sizeof(float);
  for (uint32_t k = 0; k < count && it->to.same && it->from; k++) {
    memcpy(to + k * stride, it->from + slots[k], sizeof(float));
  }
  if (it->to.same && it->from) return;
  for (uint32_t k = 0; k < count; k++) {
    float value, first = 0.0f;
    if (!it->from) memcpy(&first, data + k * stride + it->first, sizeof first);
    value = it->from ? it->from[slots[k]] : first == first ? 0.0f : it->fill;
    if (!it->to.same) value = component_give(&it->to, value);
    memcpy(to + k * stride, &value, sizeof value);
  }
}

/* Holds a position or goal inside the box, because rounding may have put it on a face or beyond. */
static void hold_element(const struct space *space, bool goal, char *element) {
  float p[3];
  memcpy(p, element, sizeof p);
  space_hold_host(space, goal, p);
  memcpy(element, p, sizeof p);
}

void throng_values_load(const struct throng_world *world, throng_column column, const uint32_t *slots, uint32_t count,
                        char *data, size_t stride) {
  const struct column_row *row = &throng_column_rows[column];
  const struct space *space = &world->space;
  const throng_axes *axes = space->axes;
  float *const *from = world->agents.front.f + row->first;
  const bool stored = row->arrays > 0 && !(row->flags & (COLUMN_STEERED | COLUMN_OF_GROUP)) && from[0];
  for (uint32_t k = 0; k < count && !stored; k++) {
    throng_value_load(world, column, slots[k], data + k * stride);
    throng_convert_give(axes, column, space->spatial, data + k * stride);
  }
  const size_t first = throng_convert_component(axes, column, space->spatial, 0).place * sizeof(float);
  for (size_t c = 0; c < column_components(column, space->spatial) && stored; c++) {
    const struct host_component to = throng_convert_component(axes, column, space->spatial, c);
    load_component(&(struct component){from[c], column_fill(row), first, to}, slots, count, data, stride);
  }
  const bool goal = column == THRONG_COLUMN_GOAL;
  if (!axes || !(goal || column == THRONG_COLUMN_POSITION)) return;
  for (uint32_t k = 0; k < count; k++) hold_element(space, goal, data + k * stride);
}
