/* groups/parameters.h: reads, writes and checks parameters by their description: those of behaviours
 * (passes/kinds.h) and of groups (groups/group_fields.h). `object` is the throng_behaviour or throng_group_def.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GROUPS_PARAMETERS_H
#define THRONG_KERNEL_GROUPS_PARAMETERS_H

#include <throng/behaviour.h>

#include "base/error.h"

/* Returns the value of a parameter. The parameter's memory may have any bits, even bits that no value of its C type
 * has. */
double throng_parameter_read(const void *object, const throng_parameter *parameter);
/* Returns false, and writes nothing, if the type cannot hold the value. */
bool throng_parameter_write(void *object, const throng_parameter *parameter, double value);
/* Makes the -0 of a float +0. */
void throng_parameter_clear_sign(void *object, const throng_parameter *parameter);
/* Checks whether the value is allowed. The error names "group.<name>" or "group.behaviour[<entry>].<kind>.<name>". */
throng_status throng_parameter_check(const void *object, const throng_parameter *parameter, const char *kind,
                                     uint32_t entry, throng_error *error);

#endif
