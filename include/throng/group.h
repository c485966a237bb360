/* throng/group.h: the definition of a group: its limits, its rules over neighbours and its behaviours. A group is a
 * number from 0 to 255.
 * Sources: M = Millington, AI for Games, 3rd ed., ch. 3; B = Bourg & Seemann, AI for Game Developers, ch. 2-4; R =
 * Reynolds, Steering Behaviors for Autonomous Characters, 1999; T = desired-velocity seek tutorial.
 * A range without an upper end goes to 1e9. A value that must be > 0 must not be a denormal. A time_to_target must be
 * at least 1e-6.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_GROUP_H
#define THRONG_GROUP_H

#include "base.h"
#include "behaviour.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The maximum number of groups of a world, and of layers. */
#define THRONG_MAX_GROUPS 256u
#define THRONG_MAX_LAYERS 32u

/* A world (throng/world.h). */
typedef struct throng_world throng_world;

/* How the facing changes (M 3.1.3). INSTANT and SMOOTH do not change it while the speed is 0 or below the group's
 * facing_speed.
 * STEERED ignores the motion. The yaw has a rate, THRONG_COLUMN_YAW_RATE, which the
 * group's angular behaviours accelerate (align, face, look, kinematic_wander: behaviour.h). The world's update rule
 * updates the rate and the yaw as it updates velocity and position. STEERED needs a finite max_yaw_rate. If a group
 * changes to or from STEERED after throng_world_steer, call throng_world_steer again before throng_world_integrate.
 * In spatial worlds this holds for groups with `upright`. Other facings turn toward the directions that their
 * behaviours want, at max_yaw_rate or slower, and have no rate of their own. */
typedef enum throng_facing {
  THRONG_FACING_INSTANT = 0, /* points along the velocity (default) */
  THRONG_FACING_SMOOTH,      /* turns toward the velocity by the fraction 1 - exp(-dt / facing_time) of the angle per
                                frame */
  THRONG_FACING_FIXED,       /* stays as it was set */
  THRONG_FACING_STEERED      /* the angular behaviours turn it */
} throng_facing;

/* Upright. In spatial worlds the facing of a group with `upright` stays horizontal, as that of a walker (the 2 1/2 D of
 * M 3.1.2). It follows the horizontal part of the velocity: an agent that stands still or moves straight up keeps it,
 * and facing_speed is compared with the horizontal speed. FIXED facings stay horizontal too. After a frame every facing
 * is horizontal: if the host has written another one, its horizontal direction takes its place, or +z if it is
 * vertical. The position moves in all three dimensions as before. */

/* How an agent applies its acceleration after blending and limiting: the last stage of steering (M 3.1.3, B 2.4).
 *   A VEHICLE has wheels and drives along its facing. Its acceleration forward is at most max_thrust, and backward at
 * most max_brake. Perpendicular to the facing it is at most max_lateral and at most |v|^2 / turning_radius. So a
 * vehicle at rest cannot move sideways; at low speed its smallest circle has the radius turning_radius, and at higher
 * speed |v|^2 / max_lateral. With an INSTANT or SMOOTH facing, a max_yaw_rate W limits it to |v| W too. While it drives
 * backward, such a facing is opposite to the motion. Accelerations that a host adds after throng_world_steer are not
 * limited.
 *   A RIGID_BODY (B 2.4), such as a ship, wants a force: the blended acceleration times the agent's mass. It is pushed
 * by an engine along its facing, and to the side by thrusters at its bow, whose force turns it: the torque is the force
 * times `bow`. Thrusters also push for the angular acceleration that angular behaviours want. It turns about the
 * vertical; in spatial worlds max_lift is a further force up or down, which turns nothing.
 *   docs/CATALOGUE.md, "Limits and motion", says what each needs, and how a vehicle finds its way. */
typedef enum throng_actuation {
  THRONG_ACTUATION_FREE = 0, /* the whole acceleration (default) */
  THRONG_ACTUATION_VEHICLE,
  THRONG_ACTUATION_RIGID_BODY
} throng_actuation;

/* The limits of a VEHICLE. */
typedef struct throng_vehicle {
  float max_thrust;     /* m/s^2, >= 0 (default 3): limits the acceleration forward; 0 = it never accelerates forward */
  float max_brake;      /* m/s^2, >= 0 (default 3): limits the acceleration backward; 0 = it never brakes or drives
                           backward */
  float max_lateral;    /* m/s^2, >= 0 (default 2): limits the acceleration to the side; 0 = it never turns */
  float turning_radius; /* metres, > 0 (default 1): the smallest circle, at low speed */
} throng_vehicle;

/* The forces of a RIGID_BODY, besides the group's mass and moment_of_inertia. An agent may have its own mass. chase,
 * intercept and patterns want max_acceleration forward and to the side. They can use the whole engine and the whole
 * thrusters at once if max_acceleration * mass is at least 1.5 times the larger force. */
typedef struct throng_rigid_body {
  float max_thrust;  /* newtons, >= 0 (default 240): the engine's largest force forward */
  float max_reverse; /* newtons, >= 0 (default 0): its largest force backward; 0 = only drag slows the body down */
  float max_side;    /* newtons, >= 0 (default 80): the largest force of the bow thrusters, to either side */
  float bow;         /* metres, > 0 (default 1): how far ahead of the centre of mass they push */
  float max_lift;    /* newtons, >= 0 (default 0): spatial worlds: the largest force up or down; 0 = none */
} throng_rigid_body;

/* The mask of a rule that includes all layers. An agent's rule considers the agents whose group's layer has its bit set
 * in the mask. The relation is one-way: the other agent's rules may ignore this agent. */
#define THRONG_ALL_LAYERS 0xFFFFFFFFu

/* Values for field_of_view (B 4.2.2) in radians: 270, 180, 90 (narrow in B) and 45 degrees. A flock with a wide view
 * spreads; a flock with a narrow view forms files. */
#define THRONG_VIEW_WIDE 4.71238898f
#define THRONG_VIEW_LIMITED 3.14159265f
#define THRONG_VIEW_NARROW 1.57079633f
#define THRONG_VIEW_NARROWEST 0.785398163f

/* The largest `nearest` of a rule. With `nearest` k > 0, separation, cohesion or alignment counts only the k nearest of
 * the neighbours that it would count, as starlings do (Ballerini et al. 2008). Of equally near ones the first in
 * canonical order (docs/GLOSSARY.md) count; at the agent's own position the ids decide how near. Each counts once, also
 * in worlds with a neighbour_budget. The frame of a flock takes up to twice as long; with masks, avoidance, a pace, a
 * law other than INVERSE, different views, or different values for cohesion and alignment it takes longer. */
#define THRONG_MAX_NEAREST 32u

/* Separation's acceleration from a neighbour at distance d, with separation's radius r and strength k and the group's
 * max_acceleration A (M 3.3.13, B 4.2.5). Neighbours at most 1e-6 R away, with the world's perception radius R, count
 * as at the same point. For separation, cohesion, alignment and avoidance they are within every radius and view. The
 * two ids then fix a direction, and a distance of 1.5e-11 R to 1.7e-6 R. If that distance is greater than r, the
 * acceleration of LINEAR is A. */
typedef enum throng_separation_law {
  THRONG_SEPARATION_INVERSE = 0,    /* k r / d */
  THRONG_SEPARATION_LINEAR,         /* A (r - d) / r */
  THRONG_SEPARATION_INVERSE_SQUARE, /* min(k / d^2, A) */
  THRONG_SEPARATION_AS_WORLD        /* throng_world_def.separation_law; only for groups */
} throng_separation_law;

/* How separation accelerates. LATERAL (B 4.2.5) turns the agent and does not accelerate it along its facing: the
 * acceleration from each neighbour has the strength of the law, and is perpendicular to the facing, away from the side
 * of the neighbour. If the neighbour is straight ahead or behind, within 1e-5 radians, agents with an odd id index turn
 * right, the others left. LATERAL needs a behaviour that moves agents forward, such as wander. The frame of a flock
 * takes 6 to 7 times as long as with PUSH. */
typedef enum throng_separation_form {
  THRONG_SEPARATION_PUSH = 0, /* along the line between the two agents (M 3.3.13; default) */
  THRONG_SEPARATION_LATERAL
} throng_separation_form;

/* Separation (M 3.3.13, B 4.2.5): accelerates away from every neighbour within `radius`.
 * `law` gives the strength, and `form` the direction. The sum is limited to max_acceleration, then weighted. */
typedef struct throng_separation {
  float weight;                /* >= 0 (default 1): factor of the acceleration; 0 = off */
  float radius;                /* metres, >= 0 (default 0): neighbours farther away do not count; at most the world's
                                  perception_radius; 0 = the perception radius. In idle groups (throng_when_lost:
                                  behaviour.h) at most 2 body_radius */
  float strength;              /* m/s^2 or m^3/s^2, >= 0 (default 1): k of the law: m/s^2 in the inverse law, m^3/s^2
                                  in the inverse square law; LINEAR ignores it */
  float field_of_view;         /* radians, 0 to 2 pi (default 2 pi): total angle in which neighbours count for this
                                  rule alone */
  uint32_t mask;               /* default THRONG_ALL_LAYERS: the layers that count */
  uint32_t priority;           /* 0 to 7 (default 0): level of the rule, 0 comes first: throng_combine */
  bool nearest_only;           /* default false: all neighbours count. true: only the nearest. Of several equally
                                  near neighbours it is the first in canonical order (docs/GLOSSARY.md); if they are
                                  at the agent's own position, the ids decide */
  throng_separation_law law;   /* default THRONG_SEPARATION_AS_WORLD: how the acceleration depends on the distance.
                                  If the laws of live groups differ, the frame of a flock takes 3 times as long as
                                  with INVERSE */
  throng_separation_form form; /* default THRONG_SEPARATION_PUSH: its direction */
  uint32_t nearest;            /* 0 to 32 (default 0): only so many of the nearest neighbours count; 0 = all:
                                  THRONG_MAX_NEAREST */
} throng_separation;

/* Attraction (M 3.3.13, the inverse-square law with the opposite sign): accelerates toward every neighbour within
 * `radius`, by min(strength / d^2, max_acceleration) each. The sum is limited to max_acceleration, then weighted.
 * Neighbours at the agent's own position do not attract. */
typedef struct throng_attraction {
  float weight;            /* >= 0 (default 0): factor of the acceleration; 0 = off */
  float radius;            /* as in throng_separation */
  float strength;          /* m^3/s^2, >= 0 (default 1): k of k / d^2 */
  uint32_t mask, priority; /* as in throng_separation */
} throng_attraction;

/* How cohesion and alignment use the mean of the neighbours. LATERAL (B 4.2.3, 4.2.4) turns the agent and does not
 * accelerate it along its facing: the acceleration is perpendicular to the facing, toward the side of the mean. Its
 * length is max_acceleration * angle / pi, where `angle` is between the facing and the direction of the mean. If the
 * mean is exactly behind, agents with an odd id index turn right, the others left. LATERAL needs another behaviour that
 * moves agents forward, such as wander with a radius of 0. */
typedef enum throng_cohesion_form {
  THRONG_COHESION_SEEK = 0, /* max_acceleration * dir(mean - p) */
  THRONG_COHESION_ARRIVE, /* arrive (behaviour.h) at the mean position (M 3.4.2; default): with `coast`, no pull within
                             target_radius of it. Needs a finite max_speed. Slower if cohesion and alignment have
                             different masks */
  THRONG_COHESION_LATERAL
} throng_cohesion_form;
typedef enum throng_alignment_form {
  THRONG_ALIGNMENT_MATCH = 0, /* clip((mean velocity - v) / time_to_target, max_acceleration) (M 3.4.2; default) */
  THRONG_ALIGNMENT_LATERAL    /* turns toward the mean velocity; no acceleration if the mean is 0 */
} throng_alignment_form;

/* Cohesion: accelerates toward the mean position of the neighbours. */
typedef struct throng_cohesion {
  float weight;              /* as in throng_separation */
  float radius;              /* as in throng_separation, above 0 it slows the neighbour walk of all groups */
  uint32_t mask, priority;   /* as in throng_separation */
  throng_cohesion_form form; /* default THRONG_COHESION_ARRIVE: how the mean position accelerates */
  float slow_radius;         /* metres, >= -1 (default -1): form arrive: as in throng_arrive; negative: 0.4 of the
                                group's perception radius */
  float target_radius;       /* metres, >= -1 (default -1): form arrive: as in throng_arrive; negative: 0.2 of the
                                group's perception radius */
  float time_to_target;      /* as in throng_arrive, form arrive */
  bool coast;                /* default true: form arrive: no acceleration within target_radius (M), so that a flock
                                stays in motion. false: the middle of the flock brakes to rest */
  uint32_t nearest;          /* as in throng_separation */
} throng_cohesion;

/* Alignment: accelerates toward the mean velocity of the neighbours. With `turns`, which needs THRONG_FACING_STEERED,
 * it also turns toward their mean facing, as align (behaviour.h) does (M 3.3.5, 3.4.2): with time_to_target and
 * `weight`, bounded by max_yaw_acceleration. Without neighbours, or where their facings cancel, it does not turn.
 * Such an agent is due in every frame ("Time slicing" below). */
typedef struct throng_alignment {
  float weight;               /* as in throng_separation */
  float radius;               /* as in throng_cohesion */
  float time_to_target;       /* seconds, > 0 (default 0.1): the mean velocity is reached in this time */
  uint32_t mask, priority;    /* as in throng_separation */
  throng_alignment_form form; /* default THRONG_ALIGNMENT_MATCH: how the mean velocity accelerates */
  float turn_slow_radius;     /* radians, >= 0 (default 0.8): with `turns`, as slow_radius of throng_align */
  float turn_target_radius;   /* radians, >= 0 (default 0.01): with `turns`, as target_radius of throng_align */
  bool turns;                 /* default false: the facing does not matter. true: it also turns a steered facing
                                 toward the neighbours' mean facing */
  uint32_t nearest;           /* as in throng_separation */
} throng_alignment;

/* Collision avoidance (M 3.3.14). PREDICT considers the neighbours whose distance at closest approach, within `horizon`
 * seconds, is below the sum of the body radii. It reacts to the neighbour whose closest approach comes first (on a tie,
 * to the one with the smallest id index; bodies that overlap have time 0): the acceleration is max_acceleration away
 * from the neighbour's relative position at that time. If that is shorter than a thousandth of the sum of radii, the
 * agent accelerates to the right of its motion relative to the neighbour's: two agents that meet head-on take opposite
 * sides.
 *   The cone forms (M 3.3.14) do not predict. They consider the neighbours whose direction is less than cone / 2 from
 * the agent's own direction, dir(v), or its facing at rest. The agent evades (behaviour.h) their mean position, which
 * moves with their mean velocity, or the nearest of them; `horizon` is the maximum prediction. Two agents that would
 * pass side by side, but are in each other's cones, swerve without need. Two that converge from outside the cones
 * collide.
 *   RECIPROCAL is the last filter of what the agent wants. It needs weight > 0, and ignores the weight's size and the
 * priority. docs/CATALOGUE.md, "Reciprocal avoidance", says what it does and where it fits. */
typedef enum throng_avoidance_form {
  THRONG_AVOIDANCE_PREDICT = 0, /* the default */
  THRONG_AVOIDANCE_CONE_MEAN,
  THRONG_AVOIDANCE_CONE_NEAREST, /* of several equally near neighbours, as separation.nearest_only */
  THRONG_AVOIDANCE_RECIPROCAL
} throng_avoidance_form;

/* Collision avoidance, as described at throng_avoidance_form. */
typedef struct throng_avoidance {
  float weight;               /* >= 0 (default 0): factor of the acceleration; 0 = off; RECIPROCAL ignores its size */
  float horizon;              /* seconds, > 0 (default 2): later collisions do not count; for RECIPROCAL 1.5 suits
                                 walkers, and times below 1e-6 count as that */
  uint32_t mask, priority;    /* as in throng_separation */
  throng_avoidance_form form; /* default THRONG_AVOIDANCE_PREDICT: how collisions are found and avoided, as above */
  float cone;                 /* radians, 0 to 2 pi (default 1.05): total angle of the cone forms; 1.05 is 60 degrees */
  float radius;               /* metres, >= 0 (default 1.5): RECIPROCAL: neighbours farther away do not count; at
                                 most the world's perception_radius; 0 = perception radius. With a large radius dense
                                 crowds walk slowly */
  float alike;                /* -1 to 2 (default 0.5): RECIPROCAL: a neighbour is left out if the cosine of the
                                 angle between its course and the agent's is at least this; 2 = none is left out */
  float margin;               /* metres, >= 0 (default 0): RECIPROCAL: added to the sum of the two body radii */
  float wall_horizon;         /* seconds, > 0 (default 0.1): RECIPROCAL: an agent does not approach surfaces
                                 (scenery, blocked cells and faces of the box) so fast that its body would be in them
                                 after this time. At 0.5 s and more, agents stop at doors of 0.8 m */
  float urgency;              /* seconds, >= 0 (default 0): PREDICT: the time to contact up to which the agent avoids
                                 with max_acceleration. At longer times t it is less urgent: the factor is
                                 (urgency / t)^2, after Karamouzas, Skinner, Guy, Universal power law governing
                                 pedestrian interactions, 2014. 0 = max_acceleration at any time */
} throng_avoidance;

/* A queue: agents wait behind the agent ahead. An agent's queue line runs from it toward its own goal
 * (THRONG_COLUMN_GOAL); without a goal, along its facing. The agent ahead is the nearest one along the queue line that
 * is at most `width` beside it, does not come toward the agent faster than `oncoming`, and is nearer to the agent's
 * goal than the agent itself. So agents with the same goal never wait for each other in a circle.
 *   If the agent ahead moves with speed u along the queue line, and the distance between the bodies is `room` metres
 * longer than `gap`, the agent's speed along the queue line may be at most max(u + room / time_to_target, 0). The queue
 * reduces the acceleration along the queue line, or brakes, so that the agent reaches that speed within a quarter of
 * time_to_target, or within one frame if that is longer. This is a limit: no weight and no priority overrules it, but
 * max_acceleration bounds it. A queue uses the perception radius and ignores the field of view.
 *   No agent hits the agent ahead if time_to_target is at least max_speed / max_acceleration, and the perception radius
 * is at least gap + both body radii + max_speed * time_to_target, unless the agent ahead enters the queue line from the
 * side, or a neighbour budget thins a clump and the agent ahead is not a representative. */
typedef struct throng_queue {
  float width;          /* metres, >= 0 (default 0): agents farther to either side of the queue line are not ahead; 0
                           = off */
  float gap;            /* metres, >= 0 (default 0.3): between the bodies of waiting agents */
  float time_to_target; /* seconds, > 0 (default 0.5): in which an agent closes a gap */
  float oncoming;       /* m/s, >= 0 (default 0.2): an agent that comes toward this one faster is not ahead in the
                           queue */
  uint32_t mask;        /* as in throng_separation */
} throng_queue;

#define THRONG_PACE_POINTS 32u /* of a pace's table, at most */

/* Pace: in a crowd people walk slower. The people within `radius` in the half circle ahead (in spatial worlds the half
 * ball, as if all stood on one floor), around the direction of the queue line, give a density; near ones count more
 * than far ones. A table of densities and factors gives the factor: linear between two points, constant before the
 * first and after the last. The top speed of the agent is factor * max_speed. This is a limit, as a queue is, along the
 * velocity. A pace needs a finite max_speed. It counts fewer people if the perception radius is below `radius`, ignores
 * the field of view, and `radius` is always in metres.
 *   Time gap. With a time_gap, people also keep a distance to the agents ahead that go the same way: an agent closes
 * the free way, up to `gap` before the body of the agent ahead, in this time. Of two agents, only one is ahead. The
 * limit acts as a queue does.
 *   Formulas: docs/ARITHMETIC.md, "Pace". What the numbers are fitted to: docs/PEDESTRIANS.md. Sources: Weidmann,
 * Transporttechnik der Fussgaenger, 1993; Best, Narang, Curtis, Manocha, DenseSense, 2014; for the time gap Tordeux,
 * Chraibi, Seyfried, Collision-free speed model for pedestrian dynamics, 2016, with the speed of the agent ahead
 * added. */
typedef struct throng_pace {
  float radius;                      /* metres, >= 1e-6 (default 1): agents ahead within this distance count; with
                                        `on` at most the world's perception_radius */
  float self;                        /* >= 0 (default 0.3): what the agent itself adds to the sum. With the defaults
                                        an agent alone has the density 0.38 and the factor 0.987 */
  float oncoming;                    /* m/s, >= 0 (default 0.25): an agent that comes toward this one faster counts
                                        oncoming_weight */
  float time_to_target;              /* seconds, > 0 (default 0.7): the top speed is reached in a quarter of it */
  uint32_t mask;                     /* as in throng_separation */
  uint32_t points;                   /* 2 to 32 (default 9): how many points of the table count */
  float density[THRONG_PACE_POINTS]; /* persons/m^2, >= 0 (default 0.3, 0.5, 0.7, 1.35, 1.75, 2.15, 2.6, 3.1, 3.313):
                                        of the points; with `on`, each is above the one before. The default follows
                                        Weidmann's curve (docs/PEDESTRIANS.md) to 0.004, and stays 0.2 after its last
                                        point, because a crowd at a door would stall with less */
  float factor[THRONG_PACE_POINTS];  /* 0 to 1 (default 1, 0.9689, 0.9073, 0.6545, 0.5224, 0.4146, 0.3172, 0.2311,
                                        0.2): of the points: the part of max_speed at this density */
  bool on;                           /* default false: the group has no pace. true: it has one */
  float oncoming_weight;             /* 0 to 1 (default 0): how much an agent counts that comes toward this one */
  float time_gap;                    /* seconds, >= 0 (default 0): in which the agent closes the free way to the agent
                                        ahead, "Time gap" above; 0 = it keeps no distance */
  float gap;                         /* metres, >= 0 (default 0): between the bodies of agents that stand in line */
  float alike;                       /* -1 to 2 (default 0.5): with a time_gap, an agent goes the same way if the cosine
                                        of the angle between the courses is above this; 2 = none does. A course leads
                                        to the goal; without a goal it is the facing */
  float push;                        /* 0 to 1 (default 0): with a time_gap, the part of max_speed at which the agent
                                        walks on without a free way: 0 = it waits, 1 = it presses as hard as without a
                                        time_gap */
} throng_pace;

/* Masses (M 3.1.3: a = clip(F, F_max) / m, and torque / inertia). All agents of a group have the same maximum force:
 * F_max = mass * max_acceleration, with the group's mass. In the same way they have the same maximum torque, with an
 * inertia proportional to the mass. So an agent with its own mass m has the limits max_acceleration * mass / m and
 * max_yaw_acceleration * mass / m, and, as a vehicle, max_thrust * mass / m and max_brake * mass / m. An agent with
 * twice the mass responds half as fast. Accelerations below the limit do not depend on the mass. Neither do speed
 * limits, drags, turning_radius and max_lateral (the grip of wheels grows with the weight on them). The ratio mass / m
 * is limited to 1e-9 to 1e9.
 * With a moment_of_inertia, all agents of the group have this one, whatever their masses; their max_yaw_acceleration is
 * then that of the group. The size of the moment matters to a RIGID_BODY alone: as max_acceleration holds for the
 * group's mass, so max_yaw_acceleration holds for its moment of inertia. 1, 10 and 100 kg m^2 turn alike: a group whose
 * agents turn with more difficulty has a lower max_yaw_acceleration.
 * With steering_is_force, what the rules and behaviours want is a force, too, as in T: the acceleration that they want
 * of the group's mass, in newtons if this mass is 1 kg. The blended force, at most F_max, is divided by the agent's own
 * mass; the blended torque by its moment of inertia. So agents of 80 and 160 kg answer a wish for 60 N with 0.75 and
 * 0.375 m/s^2. Behaviours that want a velocity within the frame (kinematic ones, steps of patterns, the braking of
 * lost agents) want the force that the agent's own mass needs for it. An agent with less mass than its group obeys
 * faster, and overshoots if mass / m is above time_to_target / dt. */

/* Sight. With walls_hide, separation, cohesion, alignment, avoidance, attraction, queue and pace ignore a neighbour
 * that the agent cannot see: the straight line between the two positions crosses a wall or a plane, or passes through
 * the inside of a circle, ball, box or blocked cell. Bodies do not matter. A line that only touches a surface is free,
 * but the ends of a wall belong to the wall, so that walls which share an end leave no gap. No line passes between two
 * blocked cells that share only a corner. An agent exactly on a wall sees to both sides. Sight is mutual, and exact for
 * walls and cells. Behaviours of the list and contact do not depend on it. It costs nothing in worlds without scenery
 * and cells; docs/LIMITS.md has the cost in others. */

/* Contact: solid bodies. After all agents have moved, two agents whose groups both have `contact` > 0 are pushed apart
 * along the line of centres if their bodies overlap. The length of the push is the overlap times the smaller of the two
 * groups' `contact`; agent i moves the fraction mass_j / (mass_i + mass_j) of it. A pair without other overlaps is then
 * separated exactly (if `contact` is 1), and a packed crowd comes to rest. Walls, blocked cells and faces stop pushed
 * agents too. Layers and fields of view do not apply. A push only reduces velocities, by at most push / dt: no agent is
 * thrown. It takes the velocity against it away in 0.02 s, so that a crowd presses alike at all frame rates.
 * max_acceleration does not bound pushes; max_push_speed does, so that overlaps separate over several frames.
 * If the mass of agent j's group is more than 100 times that of i's group, i moves by the whole push, as fast as the
 * larger max_push_speed of the two.
 *   A group with contact may have a body_radius of at most half of the world's perception_radius R; an agent's own
 * larger radius counts as R / 2. docs/LIMITS.md says which fast bodies pass through each other.
 *   Yielding: an agent that was blocked for 0.3 s close to scenery, to a body of such a group, or to one of a group
 * without a rule or behaviour that moves it, becomes impatient (THRONG_COLUMN_BLOCKED_TIME). It heeds neither
 * separation nor avoidance, and agents ahead of it make way: docs/CATALOGUE.md, "Contact". */

/* Time slicing. An agent with a steer_period p above 1 is due in one of p frames; the frame's number and the index of
 * its id decide in which. Separation, cohesion, alignment, avoidance and attraction are evaluated only in frames in
 * which the agent is due. Their weighted sum, without avoidance, is kept (THRONG_COLUMN_KEPT_ACCELERATION), and takes
 * their place in the frames between. Everything else takes part in every frame. Avoidance, but for the reciprocal form,
 * acts only when the agent is due: docs/GUIDE.md, "Dense crowds", says what follows.
 *   Some agents are due in every frame: impatient ones ("Yielding" above), those of groups that queue or have a pace,
 * because these limits must see the agents ahead now, those of groups whose alignment turns, because no turn is kept,
 * and those of groups that do not combine by weight, because priorities need each rule by itself.
 *   An agent is due in the next frame after it was added, and after the host wrote its position, velocity, facing,
 * group, mass or one of its radii. All agents are due after throng_world_edit; those of a group after
 * throng_world_set_group changed more of its definition than the behaviours. An agent with a period of 1 keeps nothing,
 * so it is due in the frame in which its period grows. */

/* Body lengths. Radii may follow the group's body_radius (B 4.2.2): with `radii_in_bodies`, perception_radius and the
 * `radius` of separation, cohesion, alignment and attraction are multiples of the group's body length, 2 body_radius.
 * In metres they must be at most the world's perception_radius, too, and a radius above 0 needs a body_radius above
 * 0. 0 keeps its meaning. The radii of agents (THRONG_COLUMN_PERCEPTION_RADIUS) are in metres.
 *   An agent's own body radius (THRONG_COLUMN_BODY_RADIUS) changes no radius, unless the group has `own_bodies`: then
 * these radii, and the body length of idle groups, are the agent's own. The perception radius is still at most the
 * world's. With `look_ahead_in_bodies` the look_ahead of
 * avoid_obstacles and avoid_walls is in body lengths as well, the agent's own with `own_bodies`. */

/* Own weights. For agents with a THRONG_COLUMN_WEIGHT, it replaces the weight of one rule or behaviour, which the group
 * names. The group's own weight of it must not be 0. Whether agents are lost or a group is idle (throng_when_lost)
 * depends on the group's weights alone. */
typedef enum throng_own_weight {
  THRONG_OWN_WEIGHT_NONE = 0, /* (default) */
  THRONG_OWN_WEIGHT_SEPARATION,
  THRONG_OWN_WEIGHT_COHESION,
  THRONG_OWN_WEIGHT_ALIGNMENT,
  THRONG_OWN_WEIGHT_AVOIDANCE, /* not of the reciprocal form, which has no weight */
  THRONG_OWN_WEIGHT_ATTRACTION,
  THRONG_OWN_WEIGHT_BEHAVIOUR /* the behaviour at own_weight_entry of the list */
} throng_own_weight;

/* The definition of a group. */
typedef struct throng_group_def {
  float max_speed; /* m/s, > 0 or INFINITY (default 1.5): |v| <= max_speed after a step (M 3.3.3). An agent may have
                      its own (THRONG_COLUMN_MAX_SPEED), which takes the place of this one wherever max_speed or S is
                      named. What needs a finite max_speed needs it of the group */
  /* m/s^2, > 0 or INFINITY (default 3): bounds each rule and behaviour, and their weighted sum (M 3.3.3). Heavier
   * agents have less: "Masses" above. INFINITY, no limit, needs a finite max_speed and another update than
   * THRONG_UPDATE_BALLISTIC. It counts as 1e18 m/s^2 where a rule or behaviour accelerates by max_acceleration
   * itself, as seek does: the agent then goes at max_speed in that direction after one frame */
  float max_acceleration;
  float drag;              /* 1/s, >= 0 (default 0): v /= 1 + drag * dt, before the speed limit (M 3.3.3) */
  float body_radius;       /* metres, >= 0 (default 0.2): of the agents' bodies; an agent may have its own
                              (THRONG_COLUMN_BODY_RADIUS). With contact at most half the world's perception_radius */
  float mass;              /* kilograms, > 0 (default 80): an agent may have its own (THRONG_COLUMN_MASS). The limits
                              hold for this mass: "Masses" above. In contact, the lighter body moves more */
  float contact;           /* 0 to 1 (default 0): the fraction of an overlap of two bodies that one contact iteration
                              removes; both groups need it; 0 = bodies are not solid: "Contact" above */
  float max_push_speed;    /* m/s, >= 0 or INFINITY (default 0): contact moves an agent by at most max_push_speed *
                              dt in a frame; 0 = the larger of 2 max_speed and 2 m/s */
  float perception_radius; /* metres, >= 0 (default 0): agents within it are neighbours (M, B 4.2.2); at most the
                              world's; 0 = the world's; an agent may have its own (THRONG_COLUMN_PERCEPTION_RADIUS) */
  /* radians, 0 to 2 pi (default 2 pi): total angle in which neighbours count for cohesion, alignment, avoidance and
   * attraction (B 4.2.2). 270 degrees are 135 to each side of the facing. Neighbours on the border, and up to 1e-6
   * radians beyond it, count as in view for every facing */
  float field_of_view;
  bool walls_hide;            /* default false: scenery hides no neighbour. true: neighbours hidden by scenery or a
                                 blocked cell do not count for this group's rules over neighbours, queue and pace:
                                 "Sight" above */
  throng_facing facing;       /* default THRONG_FACING_INSTANT: how the facing follows the motion */
  float facing_time;          /* seconds, > 0 (default 0.1): time constant of THRONG_FACING_SMOOTH */
  float facing_speed;         /* m/s, >= -1 (default -1): below this speed the facing does not change. Otherwise
                                 agents of a crowd at rest would turn with every small velocity. Negative: 1 % of
                                 max_speed, or 0 if max_speed is infinite */
  float max_yaw_rate;         /* rad/s, > 0 to 1e4 or INFINITY (default INFINITY): a facing that follows the motion
                                 or is steered turns by at most max_yaw_rate * dt per frame, within the rounding of
                                 the facing; in spatial worlds along the great circle (M 3.1.3) */
  float max_yaw_acceleration; /* rad/s^2, > 0 or INFINITY (default 10): for THRONG_FACING_STEERED: bounds each
                                 angular behaviour and their weighted sum (M 3.3.5). Heavier agents have less:
                                 "Masses" above */
  float angular_drag;         /* 1/s, >= 0 (default 0): for THRONG_FACING_STEERED: yaw rate /= 1 + angular_drag * dt
                                 (M 3.3.3) */
  throng_actuation actuation; /* default THRONG_ACTUATION_FREE: how an agent applies the wanted acceleration */
  throng_vehicle vehicle;     /* for THRONG_ACTUATION_VEHICLE */
  uint32_t layer;             /* 0 to 31 (default 0): the bit that stands for this group's agents in masks */
  uint32_t steer_period;      /* frames, 1 to 8 (default 1): 1, 2, 4 or 8, from one evaluation of an agent's rules
                                 over neighbours to the next ("Time slicing" above). THRONG_COLUMN_STEER_PERIOD
                                 replaces it for an agent */

  throng_separation separation;
  throng_cohesion cohesion;
  throng_alignment alignment;
  throng_avoidance avoidance;
  throng_attraction attraction;
  throng_queue queue;

  throng_behaviour behaviour[THRONG_MAX_BEHAVIOURS + 1]; /* the behaviours; the last element is a spare entry, which
                                                            throng_group_def_add returns if the list is full */
  uint32_t behaviour_count;                              /* 0 to 8 (default 0). throng_group_def_add may count beyond
                                                            8; throng_world_set_group then refuses */

  throng_combine combine;                  /* default THRONG_COMBINE_WEIGHTED: how accelerations become one */
  float combine_threshold;                 /* m/s^2, >= 0 (default 0.01): PRIORITY and DITHER pass over a level whose
                                              sum is not longer */
  float combine_chance[THRONG_PRIORITIES]; /* 0 to 1 (default 0.8): DITHER: the chance that the level of each
                                              priority takes part in a frame */
  throng_when_lost when_target_lost;       /* default THRONG_WHEN_LOST_BRAKE: what agents do that have lost all their
                                              targets */
  bool upright;                            /* default false: facings of spatial worlds point anywhere. true: they
                                              stay horizontal, "Upright" above. Planar worlds: no effect */

  bool steering_is_force;       /* default false: what agents want is an acceleration. true: it is a force, divided
                                   by their masses: "Masses" above. Not with THRONG_ACTUATION_VEHICLE */
  float moment_of_inertia;      /* kg m^2, >= 0 (default 0): about the vertical, for THRONG_FACING_STEERED: "Masses"
                                   above. Its size counts for RIGID_BODY alone; 0 = in proportion to the mass */
  throng_rigid_body rigid_body; /* for THRONG_ACTUATION_RIGID_BODY */
  bool radii_in_bodies;         /* default false: radii are in metres. true: they are in body lengths, "Body lengths"
                                   above */
  throng_pace pace;
  bool own_bodies;              /* default false: body lengths are those of the group. true: of each agent, "Body
                                   lengths" above. Needs a body_radius above 0 */
  bool look_ahead_in_bodies;    /* default false: look_ahead is in metres. true: it is in body lengths, "Body lengths"
                                   above */
  throng_own_weight own_weight; /* default THRONG_OWN_WEIGHT_NONE: what THRONG_COLUMN_WEIGHT weighs, "Own weights"
                                   above */
  uint32_t own_weight_entry;    /* 0 to 7 (default 0): position in the list, for THRONG_OWN_WEIGHT_BEHAVIOUR */

  uint32_t cookie; /* set by throng_default_group_def; do not touch */
} throng_group_def;

/* Returns the defaults of all fields: a group that flocks, with separation, cohesion and alignment of weight 1 and all
 * other rules off. Use it to build a group of your own, field by field. Nothing drives its agents
 * forward. For agents that look right at once, begin with one of the presets below. Thread-safe. */
THRONG_API throng_group_def throng_default_group_def(void);

/* Presets: definitions that look right without tuning. Change any field, such as max_speed or layer, or add behaviours,
 * as with the default definition. They work in every world with a perception_radius R of at least 1 m, walkers of at
 * least 1.4 m; the comment of each names a suitable R. All are thread-safe.
 *   In a flock and a school, wander drives the agents forward and drag brakes them. Their balance is a cruise speed
 * below max_speed, so that stragglers that see the others catch up. For a speed of about c, set drag to the weight of
 * wander * max_acceleration / c; cohesion adds a little. Their cohesion is THRONG_COHESION_SEEK.
 *   Birds about 1 m apart that cruise at 6 to 8 m/s and reach 10 m/s, for R = 2.5 to 5 m. A small R makes many small
 * flocks. Without a goal they fly on; add seek with a weight of 0.3 to keep them near a place. */
THRONG_API throng_group_def throng_flock_group_def(void);
/* Fish about half a metre apart that cruise at 2 to 3 m/s and reach 4 m/s, for R = 2 m. */
THRONG_API throng_group_def throng_school_group_def(void);
/* People who walk at 1.34 m/s to their goals, avoid each other, slow down in a crowd, keep a distance to the person
 * ahead, and stop at the goal. Their bodies are solid, with a radius of 0.2 m; for R = 1.5 to 2.5 m. Without goals they
 * stand. Set pace.push to 1 for people who press. People's speeds have a standard deviation of 0.26 m/s: give agents
 * speeds of their own (THRONG_COLUMN_MAX_SPEED). docs/PEDESTRIANS.md compares them with people. */
THRONG_API throng_group_def throng_walkers_group_def(void);
/* Cars that drive at 14 m/s to their goals and stop there. They avoid each other and wait behind the car ahead, for
 * R = 40 m. Their bodies are not solid; a contact of 1 needs R >= 2 m. On a road add follow_path, with
 * arrive's weight 0. */
THRONG_API throng_group_def throng_vehicles_group_def(void);
/* Agents that the host moves with throng_agents_move, such as players and cars of a physics engine. No rule moves them.
 * Their bodies are solid, with a radius of 0.3 m (at most R / 2) and a mass of 1e6 kg: they push people out of their
 * way at any speed, and people do not push them. At 5 m/s through a dense crowd of walkers they are less than 0.1 m
 * deep in a body after each frame. Write their velocities too, so that other agents avoid them. */
THRONG_API throng_group_def throng_moved_group_def(void);

/* Writes the description of a definition's parameter k, from 0, to *parameter, for files and sliders (throng_parameter:
 * behaviour.h). The parameters are all members in their order, without the behaviours, their count and the cookie. A
 * rule's parameter has a name such as "separation.weight"; elements of arrays are "combine_chance[0]",
 * "pace.density[0]" and so on. Returns false,
 * and writes nothing, if k is past the last parameter or `parameter` is NULL. Thread-safe. */
THRONG_API bool throng_group_def_get_parameter(uint32_t k, throng_parameter *parameter);
/* Read and write a parameter, as throng_behaviour_get_value and throng_behaviour_set_value do. Thread-safe. */
THRONG_API double throng_group_def_get_value(const throng_group_def *def, const throng_parameter *parameter);
THRONG_API bool throng_group_def_set_value(throng_group_def *def, const throng_parameter *parameter, double value);

/* Appends a behaviour with its defaults and weight 1 to a definition's list, and returns it for changes:
 *     throng_group_def_add(&def, THRONG_BEHAVIOUR_ARRIVE)->arrive.slow_radius = 3;
 * If the list is full, it returns the definition's spare entry; throng_world_set_group then refuses and names the
 * count. It returns NULL, and changes nothing, only for NULL or an unknown kind. Thread-safe. */
THRONG_API throng_behaviour *throng_group_def_add(throng_group_def *def, throng_behaviour_kind kind);
/* Returns the first behaviour of a kind in a definition's list; NULL if there is none. Thread-safe. */
THRONG_API throng_behaviour *throng_group_def_find(throng_group_def *def, throng_behaviour_kind kind);

/* Defines group `group`, 0 to 255, or changes it, from the next step on. Group 0 exists from the start with the
 * default definition. The first group with wander, wall avoidance, a path, a pattern, a formation, contact or
 * THRONG_FACING_STEERED allocates the columns that it needs.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE and NOT_FINITE (the text names field, value and what is allowed),
 * STALE_ID and FOREIGN_ID (a target agent), UNSUPPORTED (a rigid body that is not upright in
 * a spatial world), OUT_OF_MEMORY.
 * Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_set_group(throng_world *world, uint32_t group, const throng_group_def *def,
                                                throng_error *error);

/* Reads the definition of a group. Errors: NULL_ARGUMENT, NO_GROUP. Thread-safe between steps. */
THRONG_API throng_status throng_world_get_group(const throng_world *world, uint32_t group, throng_group_def *def,
                                                throng_error *error);

/* Returns the number of live agents with a behaviour whose target agent was removed, lost (throng_when_lost) or not.
 * 0 for NULL. The time is proportional to the agents if a group has THRONG_TARGET_OWN. Thread-safe between steps. */
THRONG_API uint32_t throng_world_lost_target_count(const throng_world *world);
/* Writes the ids of these agents, by ascending index, to ids[capacity]. *count is their number.
 * Errors: NULL_ARGUMENT, CAPACITY (only *count is written). Thread-safe between steps. */
THRONG_API throng_status throng_world_get_lost_agents(const throng_world *world, throng_agent_id *ids,
                                                      uint32_t capacity, uint32_t *count, throng_error *error);

/* Returns the number of live agents of a group; 0 for an undefined group. Thread-safe between steps. */
THRONG_API uint32_t throng_world_group_agent_count(const throng_world *world, uint32_t group);

#ifdef __cplusplus
}
#endif

#endif
