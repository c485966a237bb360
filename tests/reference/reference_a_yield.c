/* tests/reference/reference_a_yield.c: reference A's yielding: which agents are blocked, and how others make way for
 * them. Reference A has no scenery, so only the faces of a box and other bodies block.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

#define DRAW_RANK 24u
#define DRAW_SIDE 25u

bool ref_a_yields(const frame *f) {
  bool boxed = false;
  for (int axis = 0; axis < 3; axis++) boxed |= ref_a_axis(&f->crowd->def, axis).boxed;
  return (boxed || ref_a_has_obstacles(f->crowd)) && ref_a_has_contact(f);
}

bool ref_a_is_impatient(const crowd_agent *a) { return a->blocked_time > 0.3f; }

float ref_a_most_aside(const frame *f, const crowd_agent *a) { return crowd_max_speed(f->crowd, a) * (0.8f * f->dt); }

/* Returns draw k, new each second. */
static float draw_of(const frame *f, const crowd_agent *a, uint32_t k) {
  const float rate = 1.0f / f->dt < 1e6f ? 1.0f / f->dt : 1e6f;
  const uint64_t frames = (uint64_t)(rate + 0.5f), tick = f->crowd->frame / (frames > 0 ? frames : 1);
  return ref_a_draw(f->crowd->def.seed, a->id, tick, k);
}

static bool gives_way(const frame *f, const crowd_agent *me, const crowd_agent *other) {
  const float mine = draw_of(f, me, DRAW_RANK), others = draw_of(f, other, DRAW_RANK);
  if (!ref_a_is_impatient(me)) return true;
  return mine < others || (mine == others && other->id.index < me->id.index);
}

bool ref_a_make_way(const frame *f, const crowd_agent *me, const crowd_agent *other, vec d, float contact, float part,
                    vec *way) {
  const float guard = 1e-6f * f->crowd->def.perception_radius, room = contact * 1.2f, d2 = vec_dot(f, d, d);
  const vec facing = frame_facing(f, other), right = frame_right(f, other);
  const float ahead = -vec_dot(f, d, facing);
  if (!ref_a_is_impatient(other) || !(d2 < room * room) || !(d2 > guard * guard) || !(ahead >= 0.0f)) return false;
  if (!gives_way(f, me, other)) return false;
  const float distance = sqrtf(d2), side = (draw_of(f, other, DRAW_SIDE) < 0.5f ? 0.3f : -0.3f) * distance;
  const float most = ref_a_most_aside(f, me), left = room - distance;
  const vec away = vec_sub(vec_scale(right, side), vec_add(d, vec_scale(facing, ahead * 0.8f)));
  *way = vec_scale(vec_dir(f, away), (left < most ? left : most) * part);
  return true;
}

static bool near_face(const frame *f, vec p, float reach) {
  const float at[3] = {p.x, p.y, p.z};
  for (int k = 0; k < 3; k++) {
    const ref_axis *axis = &f->axis[k];
    if (axis->boxed && (at[k] - axis->min < reach || axis->max - at[k] < reach)) return true;
  }
  return false;
}

/* Whether agent i is near a body that is an obstacle: that of a group that is much heavier than its own, or one that
 * nothing drives. */
static bool near_obstacle(const frame *f, uint32_t i, const vec *committed) {
  const crowd *c = f->crowd;
  const throng_group_def *mine = crowd_group(c, &c->agents[i]);
  const float radius = c->def.perception_radius, own = 3.0f * crowd_body(c, &c->agents[i]);
  for (uint32_t j = 0; j < c->count; j++) {
    const throng_group_def *g = crowd_group(c, &c->agents[j]);
    const bool heavier = mine->mass * 100.0f < g->mass, stands = ref_a_is_driven(mine) && !ref_a_is_driven(g);
    if (!(g->contact > 0.0f) || !(heavier || stands)) continue;
    const vec d = frame_difference(f, committed[i], committed[j]);
    const float reach = own + ref_a_solid_radius(c, &c->agents[j]), d2 = vec_dot(f, d, d);
    if (d2 <= radius * radius && d2 < reach * reach) return true;
  }
  return false;
}

void ref_a_note_blocked(const frame *f, crowd_agent *a, uint32_t i, const vec *positions) {
  const crowd *c = f->crowd;
  const throng_group_def *g = crowd_group(c, a);
  const vec committed = positions[i], way = vec_sub(a->position, committed);
  const float dt = f->dt, moved = sqrtf(vec_dot(f, way, way)), limit = crowd_force_limit(c, a);
  const float speed = crowd_max_speed(c, a);
  const float least = (limit < speed ? limit : speed) * (0.5f * (dt * dt));
  const bool blocked = g->contact > 0.0f && !isinf(speed) && a->wanted_way - moved > least &&
                       moved < speed * (0.2f * dt) &&
                       (near_face(f, committed, 3.0f * crowd_body(c, a)) || near_obstacle(f, i, positions));
  const float longer = a->blocked_time + dt, shorter = a->blocked_time - dt;
  if (blocked)
    a->blocked_time = longer < 1.0f ? longer : 1.0f;
  else
    a->blocked_time = shorter > 0.0f ? shorter : 0.0f;
}
