/* groups/group_fields.c: see groups/group_fields.h. SPDX-License-Identifier: MIT */
#include "groups/group_fields.h"

#include <stddef.h>
#include <string.h>

#include "groups/parameters.h"

#define FIELD(TYPE, member, value, low, high)                                                                          \
  {#member,                                                                                                            \
   AS_##TYPE,                                                                                                          \
   .offset = offsetof(throng_group_def, member),                                                                       \
   .initial = (double)(value),                                                                                         \
   .lowest = (double)(low),                                                                                            \
   .highest = (double)(high)},
const throng_parameter throng_group_fields[] = {GROUP_FIELDS(FIELD){0}};
#define FIELDS (sizeof throng_group_fields / sizeof throng_group_fields[0] - 1)

/* Checks that the rows name the types of the members, and that every member but three has a row. */
#define FIELD_TYPE(TYPE, member, value, low, high)                                                                     \
  _Static_assert(_Generic(((throng_group_def *)0)->member, MEMBER_##TYPE : 1, default : 0), #member);
GROUP_FIELDS(FIELD_TYPE)
#define FIELD_BYTES(TYPE, member, value, low, high) +sizeof(MEMBER_##TYPE)
/* After walls_hide, separation.nearest_only, cohesion.coast, alignment.turns, steering_is_force, radii_in_bodies,
 * pace.on and look_ahead_in_bodies. */
#define FIELD_PADDING 22
_Static_assert((GROUP_FIELDS(FIELD_BYTES)) + FIELD_PADDING + sizeof(((throng_group_def *)0)->behaviour) +
                       2 * sizeof(uint32_t) ==
                   sizeof(throng_group_def),
               "a member without a row");

throng_group_def throng_default_group_def(void) {
  throng_group_def def;
  memset(&def, 0, sizeof def);
  for (const throng_parameter *p = throng_group_fields; p->name; p++) throng_parameter_write(&def, p, p->initial);
  def.cookie = THRONG_GROUP_COOKIE;
  return def;
}

bool throng_group_def_get_parameter(uint32_t k, throng_parameter *parameter) {
  if (!parameter || k >= FIELDS) return false;
  *parameter = throng_group_fields[k];
  return true;
}
double throng_group_def_get_value(const throng_group_def *def, const throng_parameter *parameter) {
  return def && parameter ? throng_parameter_read(def, parameter) : 0.0;
}
bool throng_group_def_set_value(throng_group_def *def, const throng_parameter *parameter, double value) {
  return def && parameter && throng_parameter_write(def, parameter, value);
}
