/* guides/flow_field_internal.h: a flow field as the pass reads it, and its sampling. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GUIDES_FLOW_FIELD_INTERNAL_H
#define THRONG_KERNEL_GUIDES_FLOW_FIELD_INTERNAL_H

#include <stddef.h>

#include <throng/flow_field.h>

#include "base/executor.h"
#include "base/memory.h"
#include "base/space.h"

/* An interpolated vector counts as 0 if it is shorter than FLOW_LEAST, and also shorter than FLOW_LEAST times the
 * longest sample around it. So agents stop at a goal, and where vectors meet. */
#define FLOW_LEAST 0x1p-4f

#define LEAST_COST 1e-3f /* of a map's cell */
#define MOST_COST 1e3f

/* One more column and row are stored, so that every cell has four corners: the first ones again along an axis on which
 * the field repeats, because the axis is periodic and the field as long as the period; the last ones along others. */
struct flow_field {
  uint32_t width, height; /* 0: no field */
  uint32_t stride;        /* floats per row */
  float cell, origin_x, origin_z;
  float inverse;   /* 1 / cell */
  bool repeats[2]; /* along x and z */
  float *vectors;  /* [height + 1][width + 1][2] */
};

/* Checks a definition, and makes the field. On failure there is nothing to release. */
throng_status throng_flow_field_make(const struct space *space, const throng_allocator *allocator,
                                     const throng_flow_field_def *def, struct flow_field *field, throng_error *error);
void throng_flow_field_release(struct flow_field *field, const throng_allocator *allocator);

/* Computes a field as throng_flow_field_compute does. The map repeats along the periodic axes of `space`; NULL: along
 * none. */
throng_status throng_flow_field_compute_in(const struct space *space, const throng_axes *axes,
                                           const throng_flow_request *request, const throng_allocator *allocator,
                                           throng_error *error);
/* Computes fields as throng_world_compute_flow_fields does, on the workers of `executor`. */
throng_status throng_flow_field_compute_batch(const struct space *space, const struct executor *executor,
                                              const throng_flow_request *requests, uint32_t count,
                                              const throng_allocator *allocator, throng_error *error);

/* Returns the vector that an agent at a finite point reads. The field must have vectors. */
throng_vec3 throng_flow_field_sample(const struct flow_field *field, float x, float z);

/* Checks that the field can be shifted exactly and stays within +-limit. Only then may it be shifted. */
throng_status throng_flow_field_check_shift(const struct flow_field *field, const float shift[3], float limit,
                                            throng_error *error);
void throng_flow_field_shift(struct flow_field *field, const float shift[3]);

#endif
