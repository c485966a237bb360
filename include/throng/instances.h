/* throng/instances.h: fills the buffers that engines draw instances from. Each agent becomes one instance: its position
 * and the rotation that turns a model from rest to the agent's facing. At rest a model looks along throng's +z, yaw 0,
 * and its up is throng's +y; with host axes these are the host's axes for them. docs/INTEGRATION.md says which form
 * which engine takes.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_INSTANCES_H
#define THRONG_INSTANCES_H

#include "agents.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The floats of an instance. A matrix maps a point of the model to the world, as a column vector; its last row is
 * (0, 0, 0, 1). "Rows" and "columns" say which of its elements follow each other. */
typedef enum throng_instance_form {
  THRONG_INSTANCE_POSITION_YAW = 0,  /* 4: x, y, z, and the yaw in radians, -pi to pi (default) */
  THRONG_INSTANCE_POSITION_ROTATION, /* 7: x, y, z, and a unit quaternion x, y, z, w with w >= 0 */
  THRONG_INSTANCE_ROWS_3X4,          /* 12: three rows of four */
  THRONG_INSTANCE_ROWS_4X4,          /* 16: four rows of four */
  THRONG_INSTANCE_COLUMNS_4X4,       /* 16: four columns of four */
  THRONG_INSTANCE_FORM_COUNT
} throng_instance_form;

/* How throng_agents_read_instances writes. */
typedef struct throng_instances_def {
  throng_instance_form form;
  bool by_id;         /* false (default): in the order of throng_world_view; true: by ascending id index */
  size_t stride;      /* bytes from one instance to the next; 0 (default): tightly packed */
  float scale;        /* matrices: how large the model is, 1e-9 to 1e9 (default 1) */
  throng_vec3 offset; /* added to the positions, within +-1e9, in the host's axes (default 0) */
  float alpha;        /* when, from the previous pose (0) to the pose after the last frame (1, default). Below 1 the
                         world needs throng_world_def.keep_previous_pose */
  uint32_t cookie;    /* set by throng_default_instances_def; do not touch */
} throng_instances_def;

/* Thread-safe. */
THRONG_API throng_instances_def throng_default_instances_def(void);

/* The bytes of a tightly packed instance; 0 for a form that does not exist. Thread-safe. */
THRONG_API size_t throng_instance_bytes(throng_instance_form form);

/* Writes an instance of every agent: number k at (char *)data + k * stride. `count` must be throng_agents_count. All
 * values are in the host's axes; positions are those of throng_agents_read plus the offset. In spatial worlds the yaw
 * is that of the facing along the ground, and a model stays upright: its right side is horizontal. A facing straight up
 * or down has the yaw 0. The ghosts of a piece have no instance. The bits are the same on every machine and instruction
 * set.
 *   With alpha below 1 the pose is between the previous pose and the present one: p + alpha d, where d is their
 * difference, along a periodic axis its minimum image. The y of planar worlds is the present one. A yaw turns by the
 * shorter arc, and by exactly half a turn through growing yaws. A spatial facing is f + alpha d, scaled to length 1; if
 * the two facings are opposite (its length was below 1e-3), the previous one below alpha 0.5, otherwise the present
 * one. The two poses are equal, until the next frame, of agents that were added or taken, of what the host wrote or
 * moved, and of all agents after throng_world_edit, a load or a frame with dt = 0. A shift of the origin shifts both.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE and NOT_FINITE (count or a member of the definition), UNSUPPORTED (alpha
 * below 1 in a world that keeps no previous poses), NOT_INDEXED (in view order, after a removal). Thread-safe between
 * steps. It uses threads as throng_agents_read does. */
THRONG_API throng_status throng_agents_read_instances(const throng_world *world, const throng_instances_def *def,
                                                      uint32_t count, void *data, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
