/* tests/reference/crowd.h: the state of a world as the references use it. Agents are in ascending order of id index.
 * SPDX-License-Identifier: MIT */
#ifndef CROWD_H
#define CROWD_H

#include <math.h>

#include <throng/throng.h>

#define CROWD_MAX_GROUPS 8u

typedef struct crowd_agent {
  throng_agent_id id;
  throng_vec3 position;
  throng_vec3 velocity;
  throng_vec3 facing; /* planar: x is the yaw, the rest 0 */
  throng_vec3 goal;   /* x is NaN if the agent has no goal */
  throng_vec3 wander; /* planar: x is the angle, the rest 0 */
  float path_parameter;
  float formation_place;     /* NaN: none */
  float pattern;             /* the agent's own; NaN: the group's */
  float pattern_instruction; /* NaN: not begun */
  throng_vec3 pattern_way;   /* what the agent did since the instruction began: turn in radians, movement in metres
                                along x and along z */
  float pattern_time;        /* seconds since then */
  float perception;          /* the agent's own radius; NaN: the group's */
  float body;                /* the agent's own; NaN: the group's */
  float mass;                /* the agent's own; NaN: the group's */
  float max_speed;           /* the agent's own; NaN: the group's */
  float max_yaw_rate;        /* the agent's own; NaN: the group's */
  float weight;              /* the agent's own, of the rule that its group names; NaN: the group's */
  throng_agent_id target;    /* the agent's own; index 0: none */
  uint8_t group;
  throng_vec3 acceleration; /* set by the last steer, like the next_… values below, which integrate uses */
  float next_path_parameter;
  float next_pattern_instruction;
  throng_vec3 next_pattern_way;
  float next_pattern_time;
  float yaw_rate;         /* planar worlds, and upright facings of spatial ones */
  float yaw_acceleration; /* the same; of the last steer */
  throng_vec3 swing;      /* other steered facings of spatial worlds, rad/s; of the last steer */
  float blocked_time;     /* seconds */
  float period;           /* the agent's own steer period; NaN: the group's */
  throng_vec3 kept;       /* kept acceleration; x is NaN if nothing is kept */
  throng_vec3 next_kept;  /* set by steer */
  float zone_factor;      /* the smallest factor of the zones that it was in when the frame began; 0: it was in none */
  float wanted_way;       /* metres that it would have moved in the frame, had nothing stopped it */
  float wished_way;       /* the same before reciprocal avoidance changed its acceleration; NaN: it did not */
} crowd_agent;

#define CROWD_MAX_FIELDS 2u
#define CROWD_FIELD_SIDE 8u

/* A flow field. Its members are those of throng_flow_field_def. */
typedef struct crowd_field {
  uint32_t width, height;
  float cell, origin_x, origin_z;
  float vectors[2 * CROWD_FIELD_SIDE * CROWD_FIELD_SIDE];
} crowd_field;

#define CROWD_MAX_PATHS 4u
#define CROWD_PATH_POINTS 40u

typedef struct crowd_path {
  uint32_t count; /* 0: there is no such path */
  bool closed;
  throng_vec3 point[CROWD_PATH_POINTS];
} crowd_path;

#define CROWD_MAX_PATTERNS 4u
#define CROWD_INSTRUCTIONS 6u

typedef struct crowd_pattern {
  uint32_t count; /* 0: there is no such pattern */
  bool loop, stands;
  throng_pattern_instruction instruction[CROWD_INSTRUCTIONS];
} crowd_pattern;

#define CROWD_MAX_FORMATIONS 3u
#define CROWD_PLACES 24u

typedef struct crowd_formation {
  uint32_t count;                  /* 0: there is no such formation */
  throng_vec3 place[CROWD_PLACES]; /* right, up, forward */
} crowd_formation;

#define CROWD_MAX_ATTRACTORS 24u
#define CROWD_MAX_ZONES 16u
#define CROWD_MAX_RASTER 64u

typedef struct crowd {
  throng_world_def def;
  throng_group_def groups[CROWD_MAX_GROUPS];
  uint32_t group_count;
  crowd_field fields[CROWD_MAX_FIELDS]; /* all of them exist */
  crowd_path paths[CROWD_MAX_PATHS];
  crowd_pattern patterns[CROWD_MAX_PATTERNS];

  crowd_formation formations[CROWD_MAX_FORMATIONS];
  throng_attractor attractors[CROWD_MAX_ATTRACTORS];
  uint32_t attractor_count;
  throng_speed_zone zones[CROWD_MAX_ZONES];
  uint32_t zone_count;
  throng_speed_raster raster; /* width 0: none; its factors are raster_factor */
  float raster_factor[CROWD_MAX_RASTER];
  uint32_t count;
  crowd_agent *agents;
  uint64_t frame;
  uint64_t seed;                     /* crowd_random made the crowd from it; messages print it */
  const throng_scenery_def *scenery; /* for sight; NULL: none */
  const throng_cells_def *cells;
} crowd;

static inline bool crowd_is_spatial(const crowd *c) { return c->def.space == THRONG_SPACE_SPATIAL; }

static inline const throng_group_def *crowd_group(const crowd *c, const crowd_agent *a) { return &c->groups[a->group]; }

/* A radius of a group's definition in metres. */
static inline float crowd_metres(const throng_group_def *g, float radius) {
  return g->radii_in_bodies ? radius * (2.0f * g->body_radius) : radius;
}
static inline float crowd_body(const crowd *c, const crowd_agent *a) {
  return a->body == a->body ? a->body : crowd_group(c, a)->body_radius;
}

/* A radius of a group's definition in metres, for an agent: in groups with own_bodies its body over the group's scales
 * it. */
static inline float crowd_own_metres(const crowd *c, const crowd_agent *a, float radius) {
  const throng_group_def *g = crowd_group(c, a);
  const float metres = crowd_metres(g, radius);
  if (!g->own_bodies || !g->radii_in_bodies || a->body != a->body) return metres;
  return metres * (a->body / g->body_radius);
}
/* Returns the agent's perception radius: its own if it has one; if not, its group's; if that is 0, the world's. */
static inline float crowd_perception(const crowd *c, const crowd_agent *a) {
  const float radius = crowd_group(c, a)->perception_radius, most = c->def.perception_radius;
  if (a->perception == a->perception) return a->perception;
  if (radius == 0.0f) return most;
  const float metres = crowd_own_metres(c, a, radius);
  return metres < most ? metres : most;
}
static inline float crowd_max_yaw_rate(const crowd *c, const crowd_agent *a) {
  return a->max_yaw_rate == a->max_yaw_rate ? a->max_yaw_rate : crowd_group(c, a)->max_yaw_rate;
}
/* The weight of a rule for an agent; `of_group`: that of its group. k: the behaviour's position in the list. */
static inline float crowd_weight(const crowd *c, const crowd_agent *a, throng_own_weight rule, uint32_t k,
                                 float of_group) {
  const throng_group_def *g = crowd_group(c, a);
  const bool named = g->own_weight == rule && (rule != THRONG_OWN_WEIGHT_BEHAVIOUR || g->own_weight_entry == k);
  return named && a->weight == a->weight && of_group != 0.0f ? a->weight : of_group;
}

/* The law of separation of the agent's group. */
static inline throng_separation_law crowd_law(const crowd *c, const crowd_agent *a) {
  const throng_separation_law law = crowd_group(c, a)->separation.law;
  return law == THRONG_SEPARATION_AS_WORLD ? c->def.separation_law : law;
}

static inline float crowd_mass(const crowd *c, const crowd_agent *a) {
  return a->mass == a->mass ? a->mass : crowd_group(c, a)->mass;
}

/* What the column max_speed has; and the maximum speed in this frame. */
static inline float crowd_speed_column(const crowd *c, const crowd_agent *a) {
  return a->max_speed == a->max_speed ? a->max_speed : crowd_group(c, a)->max_speed;
}
static inline float crowd_max_speed(const crowd *c, const crowd_agent *a) {
  const float top = crowd_speed_column(c, a), zoned = top * a->zone_factor;
  if (a->zone_factor == 0.0f || isinf(top)) return top;
  return zoned < 1e9f ? zoned : 1e9f;
}

/* Returns group mass / agent mass, from 1e-9 to 1e9; 1 if the agent has no mass of its own. */
static inline float crowd_mass_ratio(const crowd *c, const crowd_agent *a) {
  if (a->mass != a->mass) return 1.0f;
  const float ratio = crowd_group(c, a)->mass / a->mass;
  if (ratio < 1e-9f) return 1e-9f;
  return ratio > 1e9f ? 1e9f : ratio;
}

static inline float crowd_limit(const crowd *c, const crowd_agent *a, float limit) {
  return limit * crowd_mass_ratio(c, a);
}

/* Returns the acceleration that the group's maximum force gives the agent; and, about the vertical, its maximum
 * torque. */
static inline float crowd_force_limit(const crowd *c, const crowd_agent *a) {
  const float limit = crowd_group(c, a)->max_acceleration;
  return crowd_limit(c, a, isinf(limit) ? 1e18f : limit);
}
static inline float crowd_torque_limit(const crowd *c, const crowd_agent *a) {
  const throng_group_def *g = crowd_group(c, a);
  return g->moment_of_inertia > 0.0f ? g->max_yaw_acceleration : crowd_limit(c, a, g->max_yaw_acceleration);
}

/* Returns what multiplies the acceleration that the agent wants, and its limit before that. The same for angular
 * accelerations. */
static inline float crowd_share(const crowd *c, const crowd_agent *a) {
  return crowd_group(c, a)->steering_is_force ? crowd_mass_ratio(c, a) : 1.0f;
}
static inline float crowd_acceleration(const crowd *c, const crowd_agent *a) {
  const throng_group_def *g = crowd_group(c, a);
  if (!g->steering_is_force) return crowd_force_limit(c, a);
  return isinf(g->max_acceleration) ? 1e18f : g->max_acceleration;
}
static inline float crowd_turn_share(const crowd *c, const crowd_agent *a) {
  return crowd_group(c, a)->moment_of_inertia > 0.0f ? 1.0f : crowd_share(c, a);
}
static inline float crowd_yaw_acceleration(const crowd *c, const crowd_agent *a) {
  const throng_group_def *g = crowd_group(c, a);
  return g->steering_is_force ? g->max_yaw_acceleration : crowd_torque_limit(c, a);
}

#endif
