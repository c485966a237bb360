/* tests/reference/reference_a_internal.h: what the files of reference A share.
 * SPDX-License-Identifier: MIT */
#ifndef REFERENCE_A_INTERNAL_H
#define REFERENCE_A_INTERNAL_H

#include "reference/reference_a.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TWO_PI 6.28318530717959f

typedef throng_vec3 vec;

/* One frame's constants. */
typedef struct frame {
  const crowd *crowd;
  bool spatial;
  float dt;
  ref_axis axis[3];
  const float *weight; /* per agent: the number of neighbours that it counts as; 0 if other agents represent it */
} frame;

/* The wanted accelerations of the rules over neighbours, and the limit of the queue and of the time gap. */
typedef struct rule_accelerations {
  vec separation, cohesion, alignment, avoidance, attraction;
  vec facings; /* the sum of those of the neighbours that alignment counts */
  vec lane;    /* unit vector along the queue line */
  float most;  /* maximum acceleration along `lane`; infinite: no agent is ahead */
  float ahead; /* of a pace: sum over the agents ahead */
} rule_accelerations;

static inline vec vec_add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec vec_sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec vec_scale(vec a, float s) { return (vec){a.x * s, a.y * s, a.z * s}; }

static inline float vec_dot(const frame *f, vec a, vec b) {
  return f->spatial ? a.x * b.x + a.y * b.y + a.z * b.z : a.x * b.x + a.z * b.z;
}

static inline float vec_inv_len(const frame *f, vec a) {
  const float q = vec_dot(f, a, a);
  return q > 0x1p-120f ? 1.0f / sqrtf(q) : 0.0f;
}

static inline vec vec_dir(const frame *f, vec a) { return vec_scale(a, vec_inv_len(f, a)); }

static inline vec vec_clip(const frame *f, vec a, float limit) {
  const float q = vec_dot(f, a, a);
  if (!(q > limit * limit)) return a;
  const vec along = isinf(q) ? vec_scale(a, 0x1p-66f) : a;
  return vec_scale(along, limit / sqrtf(vec_dot(f, along, along)));
}

/* Returns 1 / dt, at most 10^6; 0 if dt is 0. */
static inline float frame_rate(const frame *f) {
  if (f->dt == 0.0f) return 0.0f;
  return 1.0f / f->dt < 1e6f ? 1.0f / f->dt : 1e6f;
}

/* Returns the vector from p to q, by the minimum image in periodic worlds. Its y is 0 in planar worlds. */
static inline vec frame_difference(const frame *f, vec p, vec q) {
  return (vec){ref_a_difference(&f->axis[0], p.x, q.x), f->spatial ? ref_a_difference(&f->axis[1], p.y, q.y) : 0.0f,
               ref_a_difference(&f->axis[2], p.z, q.z)};
}

static inline vec facing_of_yaw(float yaw) {
  const ref_angle a = ref_a_sincos(yaw);
  return (vec){a.sin, 0.0f, a.cos};
}

static inline vec frame_facing(const frame *f, const crowd_agent *a) {
  return f->spatial ? a->facing : facing_of_yaw(a->facing.x);
}

/* Returns the horizontal unit vector to the agent's right. */
static inline vec frame_right(const frame *f, const crowd_agent *a) {
  if (!f->spatial) {
    const ref_angle yaw = ref_a_sincos(a->facing.x);
    return (vec){-yaw.cos, 0.0f, yaw.sin};
  }
  const vec side = vec_dir(f, (vec){-a->facing.z, 0.0f, a->facing.x});
  const bool none = side.x == 0.0f && side.z == 0.0f;
  return none ? (vec){-1.0f, 0.0f, 0.0f} : side;
}

/* Returns the horizontal direction of a facing of a spatial world; +z if it is vertical. */
static inline vec frame_level(const frame *f, vec facing) {
  const vec level = vec_dir(f, (vec){facing.x, 0.0f, facing.z});
  const bool vertical = level.x == 0.0f && level.z == 0.0f;
  return vertical ? (vec){0.0f, 0.0f, 1.0f} : level;
}

/* The yaw of a facing. */
static inline float frame_yaw(const frame *f, vec facing) {
  if (!f->spatial) return facing.x;
  const vec level = frame_level(f, facing);
  return ref_a_atan2(level.x, level.z);
}

/* What determines neighbour j's position in the canonical order of agent i's neighbours. */
typedef struct canonical_place {
  int32_t row_z, row_y, bin;
  uint32_t agent; /* j's position in crowd.agents */
} canonical_place;

/* A neighbour. d is the vector to the neighbour, d2 is the squared length of d. */
typedef struct neighbour {
  canonical_place place;
  bool coincident;
  vec d;
  float d2;
  bool counts[3]; /* for separation, cohesion and alignment */
} neighbour;

/* The sums of the rules over the neighbours of one agent. */
typedef struct sums {
  float radius, nearest; /* for separation: its radius; with nearest_only, the smallest squared distance so far */
  float perception;
  vec separation, cohesion, velocity, facings;
  float together, aligned; /* sums of the weights of neighbours: for cohesion, for alignment */
  vec avoidance;
  uint32_t threat_agent;
} sums;

/* reference_a_attractors.c: the acceleration of ATTRACTORS. */
vec ref_a_attractors(const frame *f, const crowd_agent *a, const throng_heed_attractors *r);

/* reference_a_gather.c: arrive with gather. Returns false where it is plain arrive. */
bool ref_a_gather(const frame *f, const crowd_agent *a, const throng_behaviour *b, vec dp, vec *answer);

/* reference_a_neighbours.c. ref_a_find_neighbours writes all neighbours of agent i in canonical order, and returns
 * their number. */
uint32_t ref_a_find_neighbours(const frame *f, uint32_t i, neighbour *found);
bool ref_a_in_view(const frame *f, float field_of_view, vec facing, const neighbour *n);
canonical_place ref_a_place(const frame *f, vec from, vec to, uint32_t agent);
int ref_a_compare_places(const canonical_place *a, const canonical_place *b);
/* Returns the unit vector that is used as the direction from i to j if the two agents are coincident. */
vec ref_a_coincident_direction(const frame *f, uint32_t index_i, uint32_t index_j);
rule_accelerations ref_a_neighbour_rules(const frame *f, uint32_t i, void *scratch);
size_t ref_a_scratch_size(const crowd *c);

/* A half-plane of velocities, in spatial worlds a half-space: dot(n, v) >= c. */
typedef struct ref_half_space {
  vec n;
  float c;
} ref_half_space;
typedef struct ref_half_spaces {
  const ref_half_space *it;
  int count;
} ref_half_spaces;
/* reference_a_programs.c: returns the velocity of at most `limit` nearest to the wish that is in all half-spaces. */
vec ref_a_solve(const frame *f, ref_half_spaces hard, ref_half_spaces soft, vec wish, vec aside, float limit);
/* reference_a_reciprocal.c: returns the acceleration `wanted` of agent i, changed so that it avoids others. `scratch`
 * is that of the neighbour rules. */
vec ref_a_avoid_others(const frame *f, uint32_t i, vec wanted, void *scratch);

/* reference_a_budget.c: writes every agent's frame.weight to weight[]. Cells whose representatives count as at most
 * `spared` agents are not thinned. */
void ref_a_weights(const frame *f, uint32_t spared, float *weight);

/* reference_a_paths.c: returns the acceleration of FOLLOW_PATH and writes the path parameter after the frame. */
vec ref_a_follow_path(const frame *f, const crowd_agent *a, const throng_follow_path *r, float *next_parameter);

/* reference_a_more.c: computes attraction, the queue and the less common forms of the other rules from the `count`
 * neighbours, which are in canonical order. Overwrites the members of `rules` that it computes. */
/* Where an agent wants to go: toward its goal, or along its facing. */
vec ref_a_course(const frame *f, const crowd_agent *a);
void ref_a_more_rules(const frame *f, const crowd_agent *me, const neighbour *found, uint32_t count, const sums *s,
                      rule_accelerations *rules);
/* Returns the acceleration `wanted`, with its part along the queue line limited to near->most. */
vec ref_a_wait(const frame *f, const crowd_agent *me, const rule_accelerations *near, vec wanted);
/* Returns the acceleration `wanted`, limited along the velocity by the pace of the group. */
vec ref_a_keep_pace(const frame *f, const crowd_agent *me, const rule_accelerations *near, vec wanted);

/* reference_a_blend.c. All wanted accelerations of an agent, in the order in which the blend adds them. */
typedef struct wishes {
  int count;
  struct {
    float weight;
    uint32_t priority;
    vec acceleration;
  } wish[THRONG_MAX_CONTRIBUTIONS];
} wishes;

/* Adds a wish; one of weight 0 is none. */
void ref_a_wish(wishes *w, float weight, uint32_t priority, vec acceleration);
/* Returns the weighted sum of the wishes of a level, or of all levels. *there: whether there is any. */
vec ref_a_sum(const wishes *w, uint32_t level, bool all, bool *there);
vec ref_a_combine(const frame *f, const crowd_agent *a, const throng_group_def *g, const wishes *w);

/* The memory of an agent's behaviours, and of time slicing. */
typedef struct memory {
  vec kept;
  vec facings; /* the sum of those of the neighbours, for alignment that turns */
  vec wander;
  float path_parameter;
  float pattern_instruction;
  vec pattern_way;
  float pattern_time;
} memory;

/* reference_a_patterns.c: ref_a_follow_pattern returns the acceleration of FOLLOW_PATTERN and writes
 * pattern_instruction, pattern_way and pattern_time to *next. ref_a_go_on_way adds the agent's turn and movement in
 * this frame to its pattern_way, and the time, after it has turned the facing of an agent that stands or steps back;
 * `facing` and `position` are the agent's before the frame. */
vec ref_a_follow_pattern(const frame *f, const crowd_agent *a, const throng_follow_pattern *r, memory *next);
/* Returns the angular acceleration of an agent with a steered yaw that plays a pattern; upright in spatial worlds. */
float ref_a_pattern_turn(const frame *f, const crowd_agent *a, const throng_follow_pattern *r);
/* The same of a facing of a spatial world that is not upright. */
vec ref_a_pattern_swing(const frame *f, const crowd_agent *a, const throng_follow_pattern *r);
void ref_a_go_on_way(const frame *f, crowd_agent *a, vec position, vec facing);

/* reference_a_behaviours.c: returns an agent's blended acceleration and writes its memory after the frame. */
vec ref_a_steer_agent(const frame *f, uint32_t i, memory *next, void *scratch);

/* A target, relative to the agent that is steered. */
typedef struct ref_mark {
  bool exists;
  vec d; /* from the steered agent to the target */
  vec position, velocity, facing;
  float yaw; /* planar worlds */
  float yaw_rate;
} ref_mark;
ref_mark ref_a_look_at(const frame *f, const crowd_agent *a, const throng_target *target);

/* reference_a_turns.c: ref_a_steer_turn writes yaw_acceleration and swing; 0 if the facing is not
 * THRONG_FACING_STEERED. `facings` is the sum of the neighbours' facings, for alignment. ref_a_only_turns: whether the
 * kind gives no linear acceleration. ref_a_swing_to: how a facing that is not upright turns toward the direction of
 * `way`. */
void ref_a_steer_turn(const frame *f, crowd_agent *a, vec facings);
bool ref_a_only_turns(throng_behaviour_kind kind);
vec ref_a_swing_to(const frame *f, const crowd_agent *a, vec way, float slow, float target);
/* reference_a_facing.c: moves the wander memory by a random step, and returns the vector to the new wander point. */
vec ref_a_wander_point(const frame *f, const crowd_agent *a, const throng_wander *w, vec *next);

/* reference_a_facing.c: ref_a_limit_turn limits the turn from the facing `before` to the group's yaw rate.
 * ref_a_spin turns a steered facing; `yaw` is that at the start of the frame. */
void ref_a_limit_turn(const frame *f, crowd_agent *a, vec before);
void ref_a_spin(const frame *f, crowd_agent *a, float yaw);
/* reference_a_routes.c: what a behaviour wants, and the route of a vehicle. */
typedef struct ref_route {
  vec d; /* to a place, or a direction */
  float time, near, backing;
  bool place, settles, turns, stops;
  vec way, heading; /* these and the next two are results */
  float longer, fastest;
} ref_route;
bool ref_a_finds_routes(const throng_group_def *g);
/* Whether a place with velocity u settles for the agent. */
bool ref_a_settles(const frame *f, const crowd_agent *a, vec u);
/* Sets the results: way = d, heading = 0, longer = 1 and fastest = INFINITY if the agent finds no routes. */
void ref_a_route(const frame *f, const crowd_agent *a, ref_route *r);
vec ref_a_hold_back(const frame *f, const crowd_agent *a, const ref_route *r, vec wanted);
/* Whether a list has an entry with a target, a path or a field, and a weight. */
bool ref_a_has_bound_entry(const throng_group_def *g);
bool ref_a_is_idle(const throng_group_def *g);
/* Whether something drives the group's agents. The crowds have no callbacks. */
bool ref_a_is_driven(const throng_group_def *g);
/* Returns `wanted`, limited to what the group's vehicle can do if it has one. */
vec ref_a_drive(const frame *f, const crowd_agent *a, vec wanted);
/* Turns the agent's linear and angular acceleration into those of a rigid body if its group has them. */
void ref_a_propel(const frame *f, crowd_agent *a);
float ref_a_clamp(float value, float limit);

/* reference_a.c: both work along one axis. ref_a_contain stops an agent at the faces of a box; ref_a_wrap_round wraps
 * its position in a periodic world. */
void ref_a_contain(const ref_axis *axis, float *position, float *velocity);
void ref_a_wrap_round(const ref_axis *axis, float *position);

/* reference_a_yield.c: ref_a_yields returns whether blocked times exist and change in this frame. ref_a_make_way writes
 * the way that `me` makes for `other`, whose body is d away; false: none. `contact` is their contact distance, `part`
 * the fraction of an overlap by which `me` gives way. ref_a_most_aside returns how far an agent makes way in a frame.
 * ref_a_note_blocked updates the blocked time of agent i after contact. `positions` are those of all agents when the
 * frame began. */
bool ref_a_yields(const frame *f);
bool ref_a_is_impatient(const crowd_agent *a);
float ref_a_most_aside(const frame *f, const crowd_agent *a);
bool ref_a_make_way(const frame *f, const crowd_agent *me, const crowd_agent *other, vec d, float contact, float part,
                    vec *way);
void ref_a_note_blocked(const frame *f, crowd_agent *a, uint32_t i, const vec *positions);

/* reference_a_slicing.c: whether the agent's rules over neighbours are evaluated in this frame, and its period. */
bool ref_a_is_due(const frame *f, const crowd_agent *a);
uint32_t ref_a_period(const frame *f, const crowd_agent *a);

/* reference_a_contact.c: ref_a_has_heavy returns whether a solid group with agents is more than 100 times as heavy as
 * another one. ref_a_has_obstacles returns whether it is, or whether something drives some solid groups and nothing
 * drives others. ref_a_solid_radius returns the radius that counts in contact. */
bool ref_a_has_contact(const frame *f);
bool ref_a_has_heavy(const crowd *c);
bool ref_a_has_obstacles(const crowd *c);
float ref_a_solid_radius(const crowd *c, const crowd_agent *a);
/* Pushes the agents of `c` apart; `committed` has their positions at the start of the frame. */
void ref_a_contact(const frame *f, crowd *c, const vec *committed);

#endif
