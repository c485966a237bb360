/* columns.c: the memory of the agents' arrays. It uses neither the world nor the grid. SPDX-License-Identifier: MIT */
#include "columns/columns.h"
#include "base/assertion.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

#define X(NAME, name, arrays, names, planar, spatial, low, high, flags, owner, kinds)                                  \
  [THRONG_COLUMN_##NAME] = {name,   COLUMN_FIRST_##arrays names,                                                       \
                            arrays, {QUANTITY_##planar, QUANTITY_##spatial},                                           \
                            flags,  OWNER_##owner,                                                                     \
                            low,    high,                                                                              \
                            kinds},
const struct column_row throng_column_rows[THRONG_COLUMN_COUNT] = {COLUMNS(X)};
#undef X

const char *throng_column_name(throng_column column) {
  return (unsigned)column < THRONG_COLUMN_COUNT ? throng_column_rows[column].name : "?";
}

uint32_t throng_column_components(throng_column column, throng_space space) {
  const bool known = (unsigned)column < THRONG_COLUMN_COUNT && (unsigned)space <= THRONG_SPACE_SPATIAL;
  return known ? column_components(column, space == THRONG_SPACE_SPATIAL) : 0;
}

throng_status throng_columns_out_of_memory(uint32_t agents, throng_error *error) {
  return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u agents", agents);
}

static size_t array_bytes(uint32_t capacity) { return ((size_t)capacity + COLUMN_PADDING) * sizeof(float); }

static void release_column(void *column, uint32_t capacity, const throng_allocator *allocator) {
  throng_release(allocator, column, array_bytes(capacity));
}

static void release_columns(struct columns *columns, uint32_t capacity, const throng_allocator *allocator) {
  for (int c = 0; c < COLUMN_COUNT; c++) release_column(columns->f[c], capacity, allocator);
  release_column(columns->id, capacity, allocator);
  release_column(columns->meta, capacity, allocator);
  memset(columns, 0, sizeof *columns);
}

static void release_vector(float *vector[3], uint32_t capacity, const throng_allocator *allocator) {
  for (int c = 0; c < 3; c++) {
    release_column(vector[c], capacity, allocator);
    vector[c] = NULL;
  }
}

static void release_turning(struct agents *agents, const throng_allocator *allocator) {
  for (int k = 0; k < TURNINGS; k++) {
    release_column(agents->turning[k], agents->capacity, allocator);
    agents->turning[k] = NULL;
  }
}

void throng_columns_release_contact(struct agents *agents, const throng_allocator *allocator) {
  for (int k = 0; k < 2; k++) release_vector(agents->contact[k], agents->capacity, allocator);
}

void throng_columns_release_zoned_speed(struct agents *agents, const throng_allocator *allocator) {
  release_column(agents->zoned_speed, agents->capacity, allocator);
  agents->zoned_speed = NULL;
}

void throng_columns_release_fates(struct agents *agents, const throng_allocator *allocator) {
  release_column(agents->fate, agents->capacity, allocator);
  release_column(agents->border, agents->capacity, allocator);
  agents->fate = agents->border = NULL;
}

static size_t seen_bytes(const struct agents *agents, uint32_t capacity) {
  return (agents->seen_floats + 1) * array_bytes(capacity);
}

/* Allocates what reciprocal avoidance reads and writes. The last agent's place is infinitely far away. */
static bool make_seen(struct agents *agents, uint32_t capacity, bool spatial, const throng_allocator *allocator) {
  const size_t elements = (size_t)capacity + COLUMN_PADDING;
  agents->seen_floats = spatial ? SEEN_FLOATS_SPATIAL : SEEN_FLOATS;
  agents->seen = throng_allocate(allocator, seen_bytes(agents, capacity));
  if (!agents->seen) return false;
  agents->seen[(elements - 1) * agents->seen_floats] = INFINITY;
  agents->wished = agents->seen + elements * agents->seen_floats;
  return true;
}

void throng_columns_release_seen(struct agents *agents, const throng_allocator *allocator) {
  throng_release(allocator, agents->seen, seen_bytes(agents, agents->capacity));
  agents->seen = agents->wished = NULL;
}

void throng_columns_release(struct agents *agents, const throng_allocator *allocator) {
  release_columns(&agents->front, agents->capacity, allocator);
  release_columns(&agents->back, agents->capacity, allocator);
  release_vector(agents->acceleration, agents->capacity, allocator);
  release_turning(agents, allocator);
  throng_columns_release_contact(agents, allocator);
  throng_columns_release_zoned_speed(agents, allocator);
  throng_columns_release_fates(agents, allocator);
  throng_columns_release_seen(agents, allocator);
}

/* Allocates a column of 4-byte elements and copies the first `count` of `from`, which may be NULL. */
static void *grow_column(const void *from, uint32_t count, uint32_t capacity, const throng_allocator *allocator) {
  void *grown = throng_allocate(allocator, array_bytes(capacity));
  if (grown && from) memcpy(grown, from, count * sizeof(float));
  return grown;
}

static bool grow_columns(const struct columns *from, struct columns *grown, uint32_t count, uint32_t capacity,
                         const throng_allocator *allocator) {
  bool complete = true;
  for (int c = 0; c < COLUMN_COUNT; c++) {
    if (!from->f[c]) continue;
    grown->f[c] = grow_column(from->f[c], count, capacity, allocator);
    complete = complete && grown->f[c];
  }
  grown->id = grow_column(from->id, count, capacity, allocator);
  grown->meta = grow_column(from->meta, count, capacity, allocator);
  return complete && grown->id && grown->meta;
}

/* Grows the arrays of a vector; y only if `height`. */
static bool grow_vector(float *const from[3], float *grown[3], bool height, uint32_t count, uint32_t capacity,
                        const throng_allocator *allocator) {
  bool complete = true;
  for (int c = 0; c < 3; c++) {
    if (c == 1 && !height) continue;
    grown[c] = grow_column(from[c], count, capacity, allocator);
    complete = complete && grown[c];
  }
  return complete;
}

throng_status throng_columns_grow(const struct agents *agents, struct agents *grown, uint32_t capacity, bool spatial,
                                  const throng_allocator *allocator, throng_error *error) {
  ASSERT_ALONE(capacity >= agents->count);
  const uint32_t count = agents->count;
  memset(grown, 0, sizeof *grown);
  grown->count = count;
  grown->capacity = capacity;
  grown->ids = agents->ids;
  bool complete = grow_columns(&agents->front, &grown->front, count, capacity, allocator) &&
                  grow_columns(&agents->back, &grown->back, count, capacity, allocator) &&
                  grow_vector(agents->acceleration, grown->acceleration, spatial || agents->acceleration[1], count,
                              capacity, allocator);
  for (int k = 0; k < TURNINGS && agents->turning[k]; k++) {
    grown->turning[k] = grow_column(agents->turning[k], count, capacity, allocator);
    complete = complete && grown->turning[k];
  }
  for (int k = 0; k < 2 && agents->contact[k][0]; k++) {
    complete = complete && grow_vector(agents->contact[k], grown->contact[k], spatial, 0, capacity, allocator);
  }
  if (agents->zoned_speed) {
    grown->zoned_speed = grow_column(NULL, 0, capacity, allocator);
    complete = complete && grown->zoned_speed;
  }
  if (agents->fate) {
    grown->fate = grow_column(NULL, 0, capacity, allocator);
    grown->border = grow_column(NULL, 0, capacity, allocator);
    complete = complete && grown->fate && grown->border;
  }
  if (agents->seen) {
    const bool made = make_seen(grown, capacity, spatial, allocator);
    if (made) memcpy(grown->wished, agents->wished, count * sizeof(float));
    complete = complete && made;
  }
  if (complete) return THRONG_OK;
  throng_columns_release(grown, allocator);
  return throng_columns_out_of_memory(capacity, error);
}

throng_status throng_columns_need(struct agents *agents, int first, int components, float fill,
                                  const throng_allocator *allocator, throng_error *error) {
  ASSERT_ALONE(first >= 0 && components >= 1 && components <= 3 && first + components <= COLUMN_COUNT);
  ASSERT_ALONE(!agents->front.f[first] && !agents->back.f[first]);
  ASSERT_ALONE(agents->count <= agents->capacity);
  float *made[6] = {0};
  for (int c = 0; c < 2 * components; c++) {
    made[c] = throng_allocate(allocator, array_bytes(agents->capacity));
    if (made[c]) continue;
    for (int undo = 0; undo < c; undo++) release_column(made[undo], agents->capacity, allocator);
    return throng_columns_out_of_memory(agents->capacity, error);
  }
  for (int c = 0; c < components; c++) {
    agents->front.f[first + c] = made[2 * c];
    agents->back.f[first + c] = made[2 * c + 1];
    for (uint32_t slot = 0; slot < agents->count; slot++) made[2 * c][slot] = fill;
  }
  return THRONG_OK;
}

throng_status throng_columns_create(struct agents *agents, bool spatial, const throng_allocator *allocator,
                                    throng_error *error) {
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    if (row->owner != OWNER_WORLD) continue;
    const bool flat = column_lacks_y(row, spatial);
    for (int c = 0; c < (int)column_components((throng_column)column, spatial); c++) {
      if (!flat || c != 1) TRY(throng_columns_need(agents, row->first + c, 1, column_fill(row), allocator, error));
    }
  }
  return THRONG_OK;
}

/* Creates the arrays that the blend writes for steered facings: all, or none. */
static bool need_turning(struct agents *agents, bool spatial, const throng_allocator *allocator) {
  float **const array = spatial ? agents->turning : &agents->acceleration[1];
  for (int k = 0; k < (spatial ? TURNINGS : 1); k++) {
    ASSERT_ALONE(!array[k]);
    array[k] = throng_allocate(allocator, array_bytes(agents->capacity));
    if (array[k]) continue;
    release_turning(agents, allocator);
    return false;
  }
  return true;
}
static void drop_turning(struct agents *agents, bool spatial, const throng_allocator *allocator) {
  release_turning(agents, allocator);
  if (spatial) return;
  release_column(agents->acceleration[1], agents->capacity, allocator);
  agents->acceleration[1] = NULL;
}

throng_status throng_columns_need_yaw_rate(struct agents *agents, bool spatial, const throng_allocator *allocator,
                                           throng_error *error) {
  if (!need_turning(agents, spatial, allocator)) return throng_columns_out_of_memory(agents->capacity, error);
  throng_status status = throng_columns_need(agents, COLUMN_YAW_RATE, 1, 0.0f, allocator, error);
  if (status != THRONG_OK) drop_turning(agents, spatial, allocator);
  return status;
}

throng_status throng_columns_need_contact(struct agents *agents, bool spatial, const throng_allocator *allocator,
                                          throng_error *error) {
  if (agents->contact[0][0]) return THRONG_OK;
  float *const none[3] = {NULL, NULL, NULL};
  if (grow_vector(none, agents->contact[0], spatial, 0, agents->capacity, allocator) &&
      grow_vector(none, agents->contact[1], spatial, 0, agents->capacity, allocator)) {
    return THRONG_OK;
  }
  throng_columns_release_contact(agents, allocator);
  return throng_columns_out_of_memory(agents->capacity, error);
}

throng_status throng_columns_need_zoned_speed(struct agents *agents, const throng_allocator *allocator,
                                              throng_error *error) {
  if (agents->zoned_speed) return THRONG_OK;
  agents->zoned_speed = throng_allocate(allocator, array_bytes(agents->capacity));
  return agents->zoned_speed ? THRONG_OK : throng_columns_out_of_memory(agents->capacity, error);
}

throng_status throng_columns_need_fates(struct agents *agents, const throng_allocator *allocator, throng_error *error) {
  if (agents->fate) return THRONG_OK;
  agents->fate = throng_allocate(allocator, array_bytes(agents->capacity));
  agents->border = throng_allocate(allocator, array_bytes(agents->capacity));
  if (agents->fate && agents->border) return THRONG_OK;
  throng_columns_release_fates(agents, allocator);
  return throng_columns_out_of_memory(agents->capacity, error);
}

throng_status throng_columns_need_seen(struct agents *agents, bool spatial, const throng_allocator *allocator,
                                       throng_error *error) {
  if (agents->seen || make_seen(agents, agents->capacity, spatial, allocator)) return THRONG_OK;
  return throng_columns_out_of_memory(agents->capacity, error);
}

void throng_columns_list_written(const struct column_writers *writers, bool spatial, bool written[COLUMN_COUNT]) {
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    for (int c = row->first; c < row->first + row->arrays; c++) {
      written[c] = row->owner == OWNER_WORLD || (row->owner == OWNER_MEMORY && row->kinds & writers->kinds) ||
                   (row->owner == OWNER_YAW && writers->yaw) || (row->owner == OWNER_YIELD && writers->yield) ||
                   row->owner == OWNER_PERIOD;
    }
  }
  written[COLUMN_POSITION_Y] = spatial;
}

void throng_columns_drop(struct agents *agents, const struct columns *had, const throng_allocator *allocator) {
  const bool had_yaw_rate = had->f[COLUMN_YAW_RATE] || !agents->front.f[COLUMN_YAW_RATE];
  const bool spatial = agents->front.f[COLUMN_FACING_Y];
  for (int c = 0; c < COLUMN_COUNT; c++) {
    if (had->f[c]) continue;
    release_column(agents->front.f[c], agents->capacity, allocator);
    release_column(agents->back.f[c], agents->capacity, allocator);
    agents->front.f[c] = agents->back.f[c] = NULL;
  }
  if (!had_yaw_rate) drop_turning(agents, spatial, allocator);
}
