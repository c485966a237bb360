/* columns.c: the memory of the agents' arrays. It uses neither the world nor the grid. SPDX-License-Identifier: MIT */
#include "base/assertion.h"
#include "columns/columns.h"

#include <math.h>
#include <stddef.h>
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

/* Arrays that are no columns. */

struct array_row {
  unsigned set;     /* enum array_set */
  size_t offset;    /* of the pointer in struct agents */
  size_t values[2]; /* per agent, by spatial */
  bool keeps;
};
#define X(SET, member, planar, spatial, keeps)                                                                         \
  {ARRAYS_##SET, offsetof(struct agents, member), {planar, spatial}, keeps},
static const struct array_row array_rows[] = {AGENT_ARRAYS(X)};
#undef X
#define ARRAY_ROWS (sizeof array_rows / sizeof *array_rows)

static void *get_array(const struct agents *agents, const struct array_row *row) {
  void *array;
  memcpy(&array, (const char *)agents + row->offset, sizeof array);
  return array;
}
static void set_array(struct agents *agents, const struct array_row *row, void *array) {
  memcpy((char *)agents + row->offset, &array, sizeof array);
}
static size_t row_bytes(const struct agents *agents, const struct array_row *row) {
  return row->values[agents->spatial] * array_bytes(agents->capacity);
}

unsigned throng_columns_arrays(const struct agents *agents) {
  unsigned sets = 0;
  for (size_t k = 0; k < ARRAY_ROWS; k++) {
    if (array_rows[k].values[agents->spatial] && get_array(agents, &array_rows[k])) sets |= array_rows[k].set;
  }
  return sets;
}

void throng_columns_release_arrays(struct agents *agents, unsigned sets, const throng_allocator *allocator) {
  for (size_t k = 0; k < ARRAY_ROWS; k++) {
    const struct array_row *row = &array_rows[k];
    if (!(sets & row->set) || !row->values[agents->spatial]) continue;
    throng_release(allocator, get_array(agents, row), row_bytes(agents, row));
    set_array(agents, row, NULL);
  }
}

/* Creates the arrays of these sets. On failure some of them exist. */
static bool make_arrays(struct agents *agents, unsigned sets, const throng_allocator *allocator) {
  for (size_t k = 0; k < ARRAY_ROWS; k++) {
    const struct array_row *row = &array_rows[k];
    if (!(sets & row->set) || !row->values[agents->spatial]) continue;
    void *array = throng_allocate(allocator, row_bytes(agents, row));
    set_array(agents, row, array);
    if (!array) return false;
  }
  const size_t last = (size_t)agents->capacity + COLUMN_PADDING - 1;
  if (sets & ARRAYS_SEEN) agents->seen[last * (agents->spatial ? SEEN_FLOATS_SPATIAL : SEEN_FLOATS)] = INFINITY;
  return true;
}

throng_status throng_columns_need_arrays(struct agents *agents, unsigned sets, const throng_allocator *allocator,
                                         throng_error *error) {
  sets &= ~throng_columns_arrays(agents);
  if (make_arrays(agents, sets, allocator)) return THRONG_OK;
  throng_columns_release_arrays(agents, sets, allocator);
  return throng_columns_out_of_memory(agents->capacity, error);
}

static bool grow_arrays(const struct agents *agents, struct agents *grown, const throng_allocator *allocator) {
  if (!make_arrays(grown, throng_columns_arrays(agents) | ARRAYS_ALWAYS, allocator)) return false;
  for (size_t k = 0; k < ARRAY_ROWS; k++) {
    const struct array_row *row = &array_rows[k];
    const void *from = get_array(agents, row);
    const size_t bytes = row->values[grown->spatial] * agents->count * sizeof(float);
    if (row->keeps && bytes > 0 && from) memcpy(get_array(grown, row), from, bytes);
  }
  return true;
}

void throng_columns_release(struct agents *agents, const throng_allocator *allocator) {
  release_columns(&agents->front, agents->capacity, allocator);
  release_columns(&agents->back, agents->capacity, allocator);
  throng_columns_release_arrays(agents, ~0u, allocator);
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

throng_status throng_columns_grow(const struct agents *agents, struct agents *grown, uint32_t capacity, bool spatial,
                                  const throng_allocator *allocator, throng_error *error) {
  ASSERT_ALONE(capacity >= agents->count);
  const uint32_t count = agents->count;
  memset(grown, 0, sizeof *grown);
  grown->count = count;
  grown->capacity = capacity;
  grown->ids = agents->ids;
  grown->spatial = spatial;
  const bool complete = grow_columns(&agents->front, &grown->front, count, capacity, allocator) &&
                        grow_columns(&agents->back, &grown->back, count, capacity, allocator) &&
                        grow_arrays(agents, grown, allocator);
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

/* Creates the arrays of the previous pose. */
static throng_status create_previous(struct agents *agents, const throng_allocator *allocator, throng_error *error) {
  for (int c = COLUMN_PREVIOUS; c < COLUMN_COUNT; c++) {
    const int pose = column_of_pose(c);
    if (agents->front.f[pose]) TRY(throng_columns_need(agents, c, 1, 0.0f, allocator, error));
  }
  return THRONG_OK;
}

throng_status throng_columns_create(struct agents *agents, bool spatial, bool previous,
                                    const throng_allocator *allocator, throng_error *error) {
  agents->spatial = spatial;
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    const struct column_row *row = &throng_column_rows[column];
    if (row->owner != OWNER_WORLD) continue;
    const bool flat = column_lacks_y(row, spatial);
    for (int c = 0; c < (int)column_components((throng_column)column, spatial); c++) {
      if (!flat || c != 1) TRY(throng_columns_need(agents, row->first + c, 1, column_fill(row), allocator, error));
    }
  }
  return previous ? create_previous(agents, allocator, error) : THRONG_OK;
}

void throng_columns_forget_pose(struct columns *front, uint32_t begin, uint32_t end) {
  for (int c = COLUMN_PREVIOUS; c < COLUMN_COUNT; c++) {
    if (front->f[c]) memcpy(front->f[c] + begin, front->f[column_of_pose(c)] + begin, (end - begin) * sizeof(float));
  }
}

void throng_columns_note_write(struct columns *front, throng_column column, const uint32_t *slots, uint32_t count) {
  const struct column_row *row = &throng_column_rows[column];
  for (int c = COLUMN_PREVIOUS; c < COLUMN_COUNT; c++) {
    const int pose = column_of_pose(c);
    if (!front->f[c] || pose < row->first || pose >= row->first + row->arrays) continue;
    for (uint32_t k = 0; k < count; k++) front->f[c][slots[k]] = front->f[pose][slots[k]];
  }
}

throng_status throng_columns_need_yaw_rate(struct agents *agents, const throng_allocator *allocator,
                                           throng_error *error) {
  TRY(throng_columns_need_arrays(agents, ARRAYS_TURNING, allocator, error));
  const throng_status status = throng_columns_need(agents, COLUMN_YAW_RATE, 1, 0.0f, allocator, error);
  if (status != THRONG_OK) throng_columns_release_arrays(agents, ARRAYS_TURNING, allocator);
  return status;
}

void throng_columns_list_written(const struct column_writers *writers, bool spatial, bool written[COLUMN_COUNT]) {
  memset(written, 0, COLUMN_COUNT * sizeof *written);
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
  for (int c = 0; c < COLUMN_COUNT; c++) {
    if (had->f[c]) continue;
    release_column(agents->front.f[c], agents->capacity, allocator);
    release_column(agents->back.f[c], agents->capacity, allocator);
    agents->front.f[c] = agents->back.f[c] = NULL;
  }
  if (!had_yaw_rate) throng_columns_release_arrays(agents, ARRAYS_TURNING, allocator);
}
