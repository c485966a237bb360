/* columns.h: the structure of arrays that holds the agents. SPDX-License-Identifier: MIT */
#ifndef THRONG_COLUMNS_H
#define THRONG_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "columns/ids.h"

/* One array of floats each; NULL where the world does not have it. Planar worlds have no y but the position's (and that
 * only once an agent has one other than 0), and keep the yaw in COLUMN_FACING_X and the wander angle in COLUMN_WANDER_X. */
enum column {
  COLUMN_POSITION_X,
  COLUMN_POSITION_Y,
  COLUMN_POSITION_Z,
  COLUMN_VELOCITY_X,
  COLUMN_VELOCITY_Y,
  COLUMN_VELOCITY_Z,
  COLUMN_FACING_X,
  COLUMN_FACING_Y,
  COLUMN_FACING_Z,
  COLUMN_WANDER_X,
  COLUMN_WANDER_Y,
  COLUMN_WANDER_Z,
  COLUMN_FAN_ANGLE,
  COLUMN_FAN_LATCH,
  COLUMN_PATTERN_TURNED, /* planar worlds alone, as all of patterns */
  COLUMN_PATTERN_MOVED_X,
  COLUMN_PATTERN_MOVED_Z,
  COLUMN_YAW_RATE, /* planar worlds alone */
  COLUMN_GOAL_X,
  COLUMN_GOAL_Y,
  COLUMN_GOAL_Z,
  COLUMN_PERCEPTION_RADIUS,
  COLUMN_BODY_RADIUS,
  COLUMN_MASS,
  COLUMN_PATH_PARAMETER,
  COLUMN_PATTERN,
  COLUMN_PATTERN_INSTRUCTION,
  COLUMN_FORMATION_PLACE,
  COLUMN_COUNT
};

struct columns {
  float *f[COLUMN_COUNT];
  uint32_t *id;   /* id index */
  uint32_t *meta; /* group in bits 0-7, generation in bits 16-31 */
};

struct agents {
  uint32_t count, capacity;
  struct columns front;   /* the committed state, in grid order unless the world is dirty */
  struct columns back;    /* what a frame writes */
  float *acceleration[3]; /* planar worlds: [1] is angular, about y, and NULL until a yaw is steered */
  float *contact[2][3];   /* positions that a contact iteration reads and writes; NULL until a group has contact */
  struct id_table ids;
};

static inline uint32_t meta_make(uint32_t group, uint32_t generation) { return group | generation << 16; }
static inline uint32_t meta_group(uint32_t meta) { return meta & 0xFFu; }
static inline uint32_t meta_generation(uint32_t meta) { return meta >> 16; }

/* Every array has this many readable elements past the capacity, so that a block may load all its lanes. */
#define COLUMN_PADDING 64u

/* Memory; `spatial` is the world's. OUT_OF_MEMORY leaves everything as it was. */
throng_status throng_columns_out_of_memory(uint32_t agents, throng_error *error);
/* *grown = the agents in arrays for `capacity`; the id table is the same one. */
throng_status throng_columns_grow(const struct agents *agents, struct agents *grown, uint32_t capacity, bool spatial,
                                  const throng_allocator *allocator, throng_error *error);
/* Gives back all arrays but the id table's. */
void throng_columns_release(struct agents *agents, const throng_allocator *allocator);

/* Makes the columns [first, first + components), front and back. Their elements become `fill`. */
throng_status throng_columns_need(struct agents *agents, int first, int components, float fill,
                                  const throng_allocator *allocator, throng_error *error);
/* Makes the yaw rate's column, and the array of angular accelerations. */
throng_status throng_columns_need_yaw_rate(struct agents *agents, const throng_allocator *allocator,
                                           throng_error *error);
/* Makes contact's positions unless they are there. */
throng_status throng_columns_need_contact(struct agents *agents, bool spatial, const throng_allocator *allocator,
                                          throng_error *error);
void throng_columns_release_contact(struct agents *agents, const throng_allocator *allocator);
/* Gives back the columns that are NULL in `had`. */
void throng_columns_drop(struct agents *agents, const struct columns *had, const throng_allocator *allocator);

#endif
