/* throng/group.h: what the agents of one group can do and want. A group is a number from 0 to 255 with a definition;
 * agents of many groups lie mixed in memory.
 * Sources: M = Millington, AI for Games, 3rd ed., ch. 3; B = Bourg & Seemann, AI for Game Developers, ch. 2-4;
 * R = Reynolds, Steering Behaviors for Autonomous Characters, 1999; T = desired-velocity seek tutorial.
 * Ranges without an end go to 1e9; what is > 0 is no denormal, and a time_to_target at least 1e-6.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_GROUP_H
#define THRONG_GROUP_H

#include "base.h"
#include "behaviour.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many groups a world can have, and how many layers they can be in. */
#define THRONG_MAX_GROUPS 256u
#define THRONG_MAX_LAYERS 32u

/* A world (throng/world.h). */
typedef struct throng_world throng_world;

/* How the facing follows the motion (M 3.1.3). The first three never change it while the speed is 0 or below the
 * group's facing_speed. STEERED (planar worlds alone) does not look at the motion: the yaw has a rate of its own,
 * THRONG_COLUMN_YAW_RATE, which the group's angular behaviours accelerate (align, face, look, kinematic_wander:
 * behaviour.h), updated by the world's rule as the velocity is. Needs a finite max_yaw_rate. A group that changes to
 * or from it between throng_world_steer and throng_world_integrate asks for another throng_world_steer. */
typedef enum throng_facing {
  THRONG_FACING_INSTANT = 0, /* points along the velocity (default) */
  THRONG_FACING_SMOOTH,      /* turns toward it by 1 - exp(-dt / facing_time) a frame, the short way round */
  THRONG_FACING_FIXED,       /* stays as it was set */
  THRONG_FACING_STEERED      /* turns as the angular behaviours want */
} throng_facing;

/* What of the wanted acceleration, blended and limited, an agent can do: the last stage of steering (M 3.1.3, B
 * 2.4). VEHICLE is driven along its facing and has wheels. Forward at most max_thrust, backward at most max_brake;
 * aside, square to the facing, at most max_lateral and at most |v|^2 / turning_radius: nothing at rest, circles of
 * turning_radius at low speed, and of |v|^2 / max_lateral where that is more. It may go backward; a facing that
 * follows the motion then turns round, at once unless it is smooth or has a max_yaw_rate. What a host adds after
 * throng_world_steer is not limited. */
typedef enum throng_actuation {
  THRONG_ACTUATION_FREE = 0, /* all (default) */
  THRONG_ACTUATION_VEHICLE
} throng_actuation;

/* What a VEHICLE can do. */
typedef struct throng_vehicle {
  float max_thrust;     /* m/s^2, >= 0 (default 3); 0 = it coasts */
  float max_brake;      /* m/s^2, >= 0 (default 3); 0 = it neither brakes nor goes backward */
  float max_lateral;    /* m/s^2, >= 0 (default 2); 0 = it goes straight on */
  float turning_radius; /* metres, > 0 (default 1): the smallest */
} throng_vehicle;

/* Which agents i considers for a rule: those whose group's layer bit is set in the mask. One-way: j may still ignore
 * i. */
#define THRONG_ALL_LAYERS 0xFFFFFFFFu

/* Fields of view (B 4.2.2), for field_of_view below: 270, 180, 90 (Bourg's narrow view) and 45 degrees, in radians.
 * In front of a wide view a flock spreads, in front of a narrow one it strings out into files. */
#define THRONG_VIEW_WIDE 4.71238898f
#define THRONG_VIEW_LIMITED 3.14159265f
#define THRONG_VIEW_NARROW 1.57079633f
#define THRONG_VIEW_NARROWEST 0.785398163f

/* Separation (M 3.3.13, B 4.2.5): away from every neighbour within `radius`, with the strength of the world's law
 * (throng_world_def.separation_law); the sum is clipped to max_acceleration before it is weighted. */
typedef struct throng_separation {
  float weight;        /* >= 0; 0 = off (default 1) */
  float radius;        /* metres, 0 < radius <= the world's perception_radius; 0 = perception radius (default 0) */
  float strength;      /* k, m/s^2 (inverse), m^3/s^2 (inverse square), unused (linear); >= 0 (default 1) */
  float field_of_view; /* radians, total, 0 to 2 pi (default 2 pi: all round) */
  uint32_t mask;       /* layers considered (default all) */
  uint32_t priority;   /* 0 to 7 (default 0): see throng_combine */
  bool nearest_only;   /* away from the nearest of them alone (default false); of equally near ones the first in the
                          grid's order, on the agent's own spot the one that its id and theirs say */
} throng_separation;

/* Attraction (M 3.3.13, the inverse-square law with the other sign): toward every neighbour within `radius`, with
 * min(strength / d^2, max_acceleration) each; the sum is clipped to max_acceleration. Those on the agent's own place
 * do not attract. */
typedef struct throng_attraction {
  float weight;      /* >= 0; 0 = off (default 0) */
  float radius;      /* metres, 0 < radius <= the world's perception_radius; 0 = perception radius (default 0) */
  float strength;    /* m^3/s^2, >= 0 (default 1) */
  uint32_t mask;     /* default all */
  uint32_t priority; /* 0 to 7 (default 0) */
} throng_attraction;

/* What cohesion and alignment do with the mean of the neighbours. LATERAL (B 4.2.3, 4.2.4) steers and does not push:
 * an acceleration square to the facing, toward the side on which the mean lies, of max_acceleration * angle / pi,
 * the angle between the facing and the mean's direction; where that is exactly behind, agents of odd id index go
 * right, the others left. Boids of that kind have something that drives them along their facing: wander without a
 * circle, or a vehicle. */
typedef enum throng_cohesion_form {
  THRONG_COHESION_SEEK = 0, /* max_acceleration * dir(mean - p) (M 3.4.2; default) */
  THRONG_COHESION_ARRIVE,   /* arrive (behaviour.h) at the mean position: the middle of a flock rests */
  THRONG_COHESION_LATERAL
} throng_cohesion_form;
typedef enum throng_alignment_form {
  THRONG_ALIGNMENT_MATCH = 0, /* clip((mean velocity - v) / time_to_target, max_acceleration) (M 3.4.2; default) */
  THRONG_ALIGNMENT_LATERAL    /* toward the direction of the mean velocity; nothing where the velocities cancel */
} throng_alignment_form;

/* Cohesion: toward the mean position of the neighbours. */
typedef struct throng_cohesion {
  float weight;      /* >= 0; 0 = off (default 1) */
  uint32_t mask;     /* default all */
  uint32_t priority; /* likewise */
  throng_cohesion_form form;
  float slow_radius;    /* metres, >= 0, of THRONG_COHESION_ARRIVE, which needs a finite max_speed (default 2) */
  float target_radius;  /* metres, >= 0, likewise (default 0.1) */
  float time_to_target; /* seconds, > 0, likewise (default 0.1) */
} throng_cohesion;

/* Alignment: toward the mean velocity of the neighbours. */
typedef struct throng_alignment {
  float weight;         /* >= 0; 0 = off (default 1) */
  float time_to_target; /* seconds, > 0 (default 0.1) */
  uint32_t mask;        /* default all */
  uint32_t priority;    /* likewise */
  throng_alignment_form form;
} throng_alignment;

/* Collision avoidance (M 3.3.14): of the neighbours that would come closer than the sum of the body radii within
 * `horizon`, at closest approach, reacts to the first (tie: lowest id index): max_acceleration away from its
 * relative position at that time. Overlapping bodies count as time 0. Where that position is nearer than a
 * thousandth of the sum of radii, steps to the agent's own right, so that a mirrored pair never picks the same side.
 *   The cone forms (M 3.3.14) do not predict, and are cruder: with those neighbours whose direction is less than
 *   cone / 2 off
 * the agent's own, dir(v) (at rest its facing), evade (behaviour.h) their mean position, which moves with their mean
 * velocity, or the nearest of them alone, `horizon` being the longest prediction. A pair that passes side by side
 * inside each other's cones swerves for nothing, and one that converges from outside the cones collides. They need a
 * finite max_speed. */
typedef enum throng_avoidance_form {
  THRONG_AVOIDANCE_PREDICT = 0, /* the default */
  THRONG_AVOIDANCE_CONE_MEAN,
  THRONG_AVOIDANCE_CONE_NEAREST /* of equally near ones as separation.nearest_only */
} throng_avoidance_form;

/* Collision avoidance, as above. */
typedef struct throng_avoidance {
  float weight;      /* >= 0; 0 = off (default 0) */
  float horizon;     /* seconds, > 0 (default 2) */
  uint32_t mask;     /* default all */
  uint32_t priority; /* likewise */
  throng_avoidance_form form;
  float cone; /* radians, total, 0 to 2 pi, of the cone forms (default 1.05, 60 degrees) */
} throng_avoidance;

/* A queue (field): agents wait behind the one ahead. An agent's lane runs from it toward its own goal
 * (THRONG_COLUMN_GOAL), the gate; along its facing where it has none. The one ahead is the nearest along the lane of
 * those neighbours who are less than width beside it, do not come toward it faster than `oncoming`, and are nearer
 * to the agent's goal than it is itself: so the members of a queue with one goal never wait for each other in a
 * circle. Behind one who moves with speed u along the lane, at a distance that leaves `room` metres between the
 * bodies beyond `gap`, an agent may go max(u + room / time_to_target, 0): what the other rules want is cut down, or
 * turned into braking, along the lane, so that it comes to that in a quarter of time_to_target or in a frame: then
 * it comes to rest at the gap without swinging. This is a limit and not a wish: no weight or priority overrules it,
 * but max_acceleration bounds it. With a time_to_target of at least max_speed / max_acceleration, and a view that
 * reaches max_speed * time_to_target beyond gap and bodies, nobody runs into the one ahead, unless that one cuts in
 * from the side or, where a neighbour budget thins a clump, is not among those who represent it. Groups with
 * different goals whose ways cross may wait for each other for ever: let each consider its own layer alone. Agents
 * see as far as their perception radius; their field of view does not count. */
typedef struct throng_queue {
  float width;          /* metres to each side of the lane, >= 0; 0 = off (default 0) */
  float gap;            /* metres between bodies, >= 0 (default 0.3) */
  float time_to_target; /* seconds, > 0 (default 0.5) */
  float oncoming;       /* m/s, >= 0: who comes faster is no part of the queue (default 0.2) */
  uint32_t mask;        /* layers considered (default all) */
} throng_queue;

/* Masses (M 3.1.3: a = clip(F, F_max) / m, and torque / inertia). What behaviours want are accelerations; what an
 * agent can do is bounded by a force, F_max = mass * max_acceleration with the mass of its group, and by a torque,
 * with an inertia in proportion to the mass. An agent with a mass m of its own so has, wherever the group's stands,
 * the limits max_acceleration * mass / m, max_yaw_acceleration * mass / m and, of a vehicle, max_thrust * mass / m
 * and max_brake * mass / m: twice as heavy, half as fast to respond. Wishes below the limit stay as they are.
 * max_lateral stays too, as the grip of wheels grows with the weight on them, and so do speed limits, drags and
 * turning_radius. The ratio mass / m counts as 1e-9 to 1e9. */

/* Contact: bodies that are solid. Two agents whose groups both have `contact` > 0 are pushed apart where their
 * bodies overlap (the distance of their centres is below the sum of the body radii) after everybody has moved: by
 * the smaller of the two shares, along the line of centres, i by mass_j / (mass_i + mass_j) of it. In each of
 * contact_iterations (throng_world_def) all pairs are pushed at once (Jacobi); one with n overlaps takes 2 / (n + 1)
 * of their sum, so that a pair alone is parted exactly and a packed crowd comes to rest instead of swinging. Those
 * who stand on one point part along a direction that their ids fix. Walls, blocked cells and the world's faces stop
 * the pushed too. Neighbour budgets, layers and fields of view do not count. A pushed agent loses of its velocity
 * what ran against the push, at most push / dt, and gains none: nobody is thrown, and speed limits hold;
 * max_acceleration does not bound what others' bodies do.
 *   Two can meet if their centres were within the world's perception_radius R when the frame began, which is all
 *   that can
 * meet while 2 * body radius + 2 * max_speed * dt <= R; faster ones may pass through each other, or meet a frame
 * later. A group with contact may have a body_radius of at most R / 2; an agent's own larger radius counts as R / 2
 * here. While dt is 0 nobody is pushed. Source: the position projection of Macklin, Mueller, Chentanez, Kim, Unified
 * Particle Physics, 2014, and of Detour's crowds; the factor 2 / (n + 1) is ours (docs/ARITHMETIC.md says why). */

/* What the agents of a group can do and want. */
typedef struct throng_group_def {
  float max_speed;         /* m/s, > 0, may be INFINITY (default 1.5); |v| <= max_speed after a step */
  float max_acceleration;  /* m/s^2, > 0 and finite (default 3); bounds each behaviour and their weighted sum; less for those
                              who are heavier than the group's mass, see "Masses" above */
  float drag;              /* 1/s, >= 0 (default 0): v /= 1 + drag * dt, beside the speed limit (M 3.3.3) */
  float body_radius;       /* metres, >= 0 (default 0.2); an agent may have its own (THRONG_COLUMN_BODY_RADIUS) */
  float mass;              /* kilograms, > 0 (default 80); an agent may have its own (THRONG_COLUMN_MASS). Of two bodies in contact the
                              lighter gives way further. The group's limits are those of this mass: "Masses" above */
  float contact;           /* the share of an overlap of bodies that an iteration of contact resolves, 0 to 1; 0 = bodies
                              are no obstacle to each other (default): see "Contact" above */
  float perception_radius; /* metres, 0 < r <= the world's; 0 = the world's (default 0); an agent may have its own */
  float field_of_view;     /* radians, total, 0 to 2 pi (default 2 pi): for cohesion, alignment, avoidance and attraction
                              (B 4.2.2).
                              270 degrees see 135 to each side of the facing; neighbours on the border are seen */
  throng_facing facing;    /* default THRONG_FACING_INSTANT */
  float facing_time;       /* seconds, > 0, for THRONG_FACING_SMOOTH (default 0.1) */
  float facing_speed;      /* m/s, >= 0 (default 0): while the agent is slower than this its facing stays. In a crowd that
                              stands, the little that velocities still do would turn everybody on the spot */
  float max_yaw_rate;      /* rad/s, 0 < w <= 1e4, may be INFINITY (default): no facing that follows the motion or is
                              steered turns by more than max_yaw_rate * dt in a frame (but for the rounding of the
                              facing); in spatial worlds along the great circle */
  float max_yaw_acceleration; /* rad/s^2, > 0, may be INFINITY (default 10), for THRONG_FACING_STEERED: bounds each
                              angular behaviour and their weighted sum; by mass likewise */
  float angular_drag;      /* 1/s, >= 0 (default 0), for THRONG_FACING_STEERED: yaw rate /= 1 + angular_drag * dt */
  throng_actuation actuation; /* default THRONG_ACTUATION_FREE */
  throng_vehicle vehicle;  /* for THRONG_ACTUATION_VEHICLE */
  uint32_t layer;          /* 0 to 31 (default 0): what others' masks see this group as */

  throng_separation separation;
  throng_cohesion cohesion;
  throng_alignment alignment;
  throng_avoidance avoidance;
  throng_attraction attraction;
  throng_queue queue;

  throng_behaviour behaviour[THRONG_MAX_BEHAVIOURS + 1]; /* what its agents want by themselves; the last is a spare that
                                                            throng_group_def_add returns when the list is full */
  uint32_t behaviour_count; /* 0 to 8 (default 0); throng_group_def_add counts on, and throng_world_set_group refuses */

  throng_combine combine;                    /* default THRONG_COMBINE_WEIGHTED */
  float combine_threshold;                   /* m/s^2, >= 0 (default 0.01) */
  float combine_chance[THRONG_PRIORITIES];   /* 0 to 1 (default 0.8 each) */

  uint32_t cookie; /* set by throng_default_group_def; do not touch */
} throng_group_def;

/* A group that flocks: separation, cohesion and alignment at weight 1, the rest off. Thread-safe. */
THRONG_API throng_group_def throng_default_group_def(void);

/* Describes the k-th parameter of a definition, for files and sliders (throng_parameter: behaviour.h): every member
 * but the behaviours, their count and the cookie, in their order, the rules' own as "separation.weight", the chances
 * as "combine_chance[0]". False (and nothing written) past the last, or for NULL. Thread-safe. */
THRONG_API bool throng_group_def_get_parameter(uint32_t k, throng_parameter *parameter);
/* Reads and writes one: as throng_behaviour_get_value and throng_behaviour_set_value do. Thread-safe. */
THRONG_API double throng_group_def_get_value(const throng_group_def *def, const throng_parameter *parameter);
THRONG_API bool throng_group_def_set_value(throng_group_def *def, const throng_parameter *parameter, double value);

/* Appends a behaviour with its defaults and weight 1 to a definition's list, and returns it to be changed:
 *   throng_group_def_add(&def, THRONG_BEHAVIOUR_ARRIVE)->arrive.slow_radius = 3;
 * If the list is full, it returns the definition's spare entry, and throng_world_set_group says how many were added.
 * NULL (and nothing changed) only for NULL or an unknown kind. Thread-safe. */
THRONG_API throng_behaviour *throng_group_def_add(throng_group_def *def, throng_behaviour_kind kind);
/* The first behaviour of a kind in a definition's list, or NULL. Thread-safe. */
THRONG_API throng_behaviour *throng_group_def_find(throng_group_def *def, throng_behaviour_kind kind);

/* Defines group `group` (0 to 255), or changes it: it takes effect at the next step. Group 0 exists from the start,
 * with the default definition. The first group with wander, wall avoidance, a path, a pattern or a formation makes
 * room for a column, the first with contact and the first with THRONG_FACING_STEERED for others (allocates). Errors:
 * NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE and NOT_FINITE (which field, which value, what is allowed), STALE_ID and
 * FOREIGN_ID (a target agent), UNSUPPORTED (a yaw to be steered or a pattern, in a spatial world), OUT_OF_MEMORY.
 * Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_set_group(throng_world *world, uint32_t group, const throng_group_def *def,
                                          throng_error *error);

/* Reads a group back. Errors: NULL_ARGUMENT, NO_GROUP. Thread-safe between steps. */
THRONG_API throng_status throng_world_get_group(const throng_world *world, uint32_t group, throng_group_def *def,
                                          throng_error *error);

/* How many live agents have a behaviour whose target agent was removed, and so stand without that behaviour. 0 for
 * NULL. Thread-safe between steps. */
THRONG_API uint32_t throng_world_lost_target_count(const throng_world *world);

/* How many live agents the group has: 0 for an undefined group. Thread-safe between steps. */
THRONG_API uint32_t throng_world_group_agent_count(const throng_world *world, uint32_t group);

#ifdef __cplusplus
}
#endif

#endif
