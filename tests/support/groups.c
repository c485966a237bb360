/* tests/support/groups.c: see groups.h. SPDX-License-Identifier: MIT */
#include "support/groups.h"

#include <math.h>
#include <stdlib.h>

throng_behaviour *group_add(throng_group_def *g, throng_behaviour_kind kind) {
  return g->behaviour_count < THRONG_MAX_BEHAVIOURS ? throng_group_def_add(g, kind) : NULL;
}

throng_behaviour *group_want(throng_group_def *g, throng_behaviour_kind kind, float weight) {
  throng_behaviour *behaviour = throng_group_def_find(g, kind);
  if (behaviour == NULL) behaviour = group_add(g, kind);
  if (behaviour == NULL) abort();
  behaviour->weight = weight;
  return behaviour;
}

bool group_wants(const throng_group_def *g, throng_behaviour_kind kind) {
  for (uint32_t k = 0; k < g->behaviour_count; k++)
    if (g->behaviour[k].kind == kind && g->behaviour[k].weight != 0.0f) return true;
  return false;
}

void group_forget(throng_group_def *g, throng_behaviour_kind kind) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < g->behaviour_count; k++)
    if (g->behaviour[k].kind != kind) g->behaviour[kept++] = g->behaviour[k];
  g->behaviour_count = kept;
}

bool kind_turns(throng_behaviour_kind kind) {
  return (kind >= THRONG_BEHAVIOUR_ALIGN && kind <= THRONG_BEHAVIOUR_LOOK) ||
         kind == THRONG_BEHAVIOUR_KINEMATIC_WANDER || kind == THRONG_BEHAVIOUR_ROTATION_MATCH;
}

void group_look_ahead(throng_group_def *g) {
  g->facing = THRONG_FACING_INSTANT;
  for (throng_behaviour_kind kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++)
    if (kind_turns(kind)) group_forget(g, kind);
  for (uint32_t k = 0; k < g->behaviour_count; k++)
    if (g->behaviour[k].kind == THRONG_BEHAVIOUR_WANDER) g->behaviour[k].wander.faces = false;
}

throng_vec3 group_blend_one(const throng_group_def *g, throng_vec3 a, bool spatial) {
  const float q = spatial ? a.x * a.x + a.y * a.y + a.z * a.z : a.x * a.x + a.z * a.z;
  const float limit = g->max_acceleration, scale = limit / sqrtf(q);
  return q > limit * limit ? (throng_vec3){a.x * scale, a.y * scale, a.z * scale} : a;
}
