/* throng/behaviour.h: what an agent wants by itself: a group's short list of behaviours, and how they are combined.
 * Each gives an acceleration, linear, angular (align, face, look) or both (kinematic_wander); all are evaluated in batches,
 * lane by lane, over the agents of all groups.
 * Sources: M = Millington, AI for Games, 3rd ed., ch. 3; B = Bourg & Seemann, AI for Game Developers, ch. 2-4;
 * R = Reynolds, Steering Behaviors for Autonomous Characters, 1999; T = desired-velocity seek tutorial.
 * Ranges without an end go to 1e9, and a time_to_target that is > 0 begins at 1e-6 (throng_behaviour_get_parameter tells them).
 *
 * In the formulas: p, v position and velocity, A max_acceleration, S max_speed, q and u the target's position and
 * velocity, dp = q - p (the short way round in periodic worlds), dv = u - v, dir(x) = x / |x| (0 where x is 0),
 * clip(x, m) = x scaled down to length m if longer; yaw(x) = atan2(x.x, x.z), w the yaw rate, W max_yaw_rate,
 * B max_yaw_acceleration, wrap(x) = x into (-pi, pi].
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_BEHAVIOUR_H
#define THRONG_BEHAVIOUR_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_BEHAVIOURS 8u /* in a group's list */
#define THRONG_PRIORITIES 8u     /* levels: 0 comes first */
#define THRONG_MAX_PARAMETERS 8u /* of a kind */

/* Where a behaviour is bound. A goal, a point and a removed agent have no velocity; an agent without a goal, and one whose
 * target agent was removed, is left alone by the behaviour (throng_world_lost_target_count counts the latter). */
typedef enum throng_target_kind {
  THRONG_TARGET_GOAL = 0, /* each agent's own THRONG_COLUMN_GOAL (default) */
  THRONG_TARGET_POINT,    /* one point for the group */
  THRONG_TARGET_AGENT     /* one agent for the group, as it moves */
} throng_target_kind;

/* What a behaviour is about. */
typedef struct throng_target {
  throng_target_kind kind;
  throng_vec3 point;     /* metres, within the limit of positions, in periodic worlds within the box; y is ignored in
                            planar worlds */
  throng_agent_id agent; /* of this world, alive when the group is set */
} throng_target;

/* Seek (M 3.3.3): A dir(dp). With a time, the desired-velocity form (T): clip((S dir(dp) - v) / time_to_target, A), which
 * needs a finite max_speed. */
typedef struct throng_seek {
  float time_to_target; /* seconds, 1e-6 or more, or 0 = the classic form (default 0) */
} throng_seek;

/* Flee (M 3.3.3): seek's opposite, -A dir(dp) or clip((-S dir(dp) - v) / time_to_target, A). */
typedef struct throng_flee {
  float time_to_target; /* seconds, 1e-6 or more, or 0 = the classic form (default 0) */
  float panic_radius;   /* metres, >= 0: nothing where |dp| is larger; 0 = however far (default 0) */
} throng_flee;

/* Arrive (M 3.3.4): desired speed S outside slow_radius, S |dp| / slow_radius inside, 0 inside target_radius;
 * clip((desired - v) / time_to_target, A). Needs a finite max_speed. */
typedef struct throng_arrive {
  float slow_radius;    /* metres, >= 0 (default 2) */
  float target_radius;  /* metres, >= 0 (default 0.1) */
  float time_to_target; /* seconds, > 0 (default 0.1) */
  bool coast;           /* false: brakes to rest inside target_radius (default); true: does nothing there and coasts (M) */
} throng_arrive;

/* Pursue (M 3.3.8): seek q + u T, where the target will be after T = min(|dp| / S, max_prediction). To arrive there, use
 * offset_pursuit without an offset. Needs a finite max_speed. */
typedef struct throng_pursue {
  float time_to_target; /* seconds: as in seek (default 0) */
  float max_prediction; /* seconds, >= 0 (default 1) */
  bool by_speed;        /* T by the agent's present speed |v| instead of S, as in M; at rest max_prediction (default false) */
  bool stop_at_walls;   /* the prediction ends where the straight line from q along u first meets a wall, box, plane, circle
                           or ball of the scenery or a blocked cell: T is at most the time until then (default false) */
} throng_pursue;

/* Evade (M 3.3.8): flee from q + u T, T as in pursue. Needs a finite max_speed. */
typedef struct throng_evade {
  float time_to_target; /* seconds: as in flee (default 0) */
  float max_prediction; /* seconds, >= 0 (default 1) */
  float panic_radius;   /* metres, >= 0: nothing where |dp| is larger; 0 = however far (default 0) */
  bool by_speed, stop_at_walls; /* as in pursue (default false, false) */
} throng_evade;

/* Intercept (B 2.5): seek q + u T with T = min(|dp| / |dv|, max_prediction), the time to close in. T = 0, a plain chase, where
 * |dv| is below least_speed, and while the target is behind (dp against the facing). */
typedef struct throng_intercept {
  float time_to_target; /* seconds: as in seek; above 0 needs a finite max_speed (default 0) */
  float max_prediction; /* seconds, >= 0 (default 10) */
  float least_speed;    /* m/s, >= 0 (default 0.01) */
} throng_intercept;

/* Line-of-sight chase and evasion (B 2.4): thrust A along the facing, off inside slow_distance, and a constant turning
 * acceleration |turn| A at right angles to it, to the side of the target, while the target is more than dead_band off
 * the facing; exactly behind, to one's own right. A negative turn evades: the same with the point opposite to the target, and
 * thrust always on. The sum is clipped to A. */
typedef struct throng_chase {
  float turn;          /* -1 to 1 (default 1) */
  float dead_band;     /* radians, 0 to pi / 2 (default 0.05) */
  float slow_distance; /* metres, >= 0 (default 0) */
} throng_chase;

/* Velocity match (M 3.3.6): clip(dv / time_to_target, A). */
typedef struct throng_velocity_match {
  float time_to_target; /* seconds, > 0 (default 0.1) */
} throng_velocity_match;

/* Offset pursuit (R): arrive at a place fixed in the target's frame, (right, up, forward) of its facing, predicted by
 * T = min(distance / S, max_prediction) of the target's velocity. A goal's and a point's frame has forward +z, right -x.
 * Needs a finite max_speed. */
typedef struct throng_offset_pursuit {
  float right, up, forward; /* metres; up is ignored in planar worlds (default 0, 0, -1: behind) */
  float slow_radius;        /* metres, >= 0: as in arrive (default 2) */
  float target_radius;      /* metres, >= 0 (default 0.1) */
  float time_to_target;     /* seconds, > 0 (default 0.1) */
  float max_prediction;     /* seconds, >= 0 (default 1) */
} throng_offset_pursuit;

/* Clearing the way of a leader (R): while the agent is in the box ahead of the target, `length` long and `width` to each side
 * (in spatial worlds a cylinder), A away from the line along the target's facing; on that line, to one's own right. */
typedef struct throng_clear_way {
  float length; /* metres, >= 0 (default 3) */
  float width;  /* metres, >= 0 (default 1) */
} throng_clear_way;

/* Interpose (R): arrive at the midpoint of the target and the other target, both predicted by
 * T = min(distance to the midpoint / S, max_prediction). Needs a finite max_speed. */
typedef struct throng_interpose {
  float slow_radius;    /* metres, >= 0: as in arrive (default 2) */
  float target_radius;  /* metres, >= 0 (default 0.1) */
  float time_to_target; /* seconds, > 0 (default 0.1) */
  float max_prediction; /* seconds, >= 0 (default 1) */
} throng_interpose;

/* Wander (M 3.3.11): an agent's own angle on a circle (planar; relative to its yaw) or direction on a sphere (spatial;
 * world axes) walks randomly; A toward offset * facing + radius * that direction. The angle's step is
 * binomial * rate * sqrt(dt), binomial the difference of two uniform draws (variance 1/6). Once in a list. */
typedef struct throng_wander {
  float radius; /* metres, >= 0 (default 1) */
  float offset; /* metres, >= 0; 0 = a circle around the agent (default 2) */
  float rate;   /* radians per square root of a second, 0 to 6 (default 4) */
} throng_wander;

/* Obstacle avoidance (B 4.3, R), of the scenery's circles and balls. The feeler has length L = look_ahead + look_ahead_time |v|
 * along v. An obstacle whose centre, projected on it, is ahead and nearer than L, and less than both radii beside it, pushes
 * sideways, away from its centre, with strength L / (distance to the centre). From a centre dead ahead agents of odd id
 * index go right, the others left. The sum is clipped to A; 0 at rest. A feeler should be longer than the radii. */
typedef struct throng_avoid_obstacles {
  float look_ahead;      /* metres, >= 0 (default 0) */
  float look_ahead_time; /* seconds, >= 0 (default 2) */
  float strength;        /* k, m/s^2, >= 0 (default 3) */
  bool nearest_only;     /* only the obstacle with the nearest centre counts, not all (default false) */
} throng_avoid_obstacles;

/* How wall avoidance feels its way. The long ray has length L = look_ahead + look_ahead_time |v| along v; a whisker is
 * shorter, and lies at an angle to it; both are level in spatial worlds. */
typedef enum throng_rays {
  THRONG_RAYS_SINGLE = 0, /* the long ray: grazes convex corners */
  THRONG_RAYS_PARALLEL,   /* two long ones from the body's left and right edge */
  THRONG_RAYS_WHISKERS,   /* the long ray and a whisker to each side: may be caught in corners */
  THRONG_RAYS_FAN         /* the same, but the angle grows by spread_rate from frame to frame while something is hit, up to
                             `widest`, and shrinks back else; and the whisker that was answered is answered until it no
                             longer hits (default) */
} throng_rays;

/* Wall avoidance (M 3.3.15), of the scenery's walls, boxes and planes: the nearest hit of a ray (a tie: the long one, then the
 * left one) is answered by seeking, with A, the point hit + normal * avoid_distance, the normal on the agent's side.
 * 0 where nothing is hit, and at rest. Once in a list: the fan has memory (THRONG_COLUMN_FAN). */
typedef struct throng_avoid_walls {
  throng_rays rays;      /* default THRONG_RAYS_FAN */
  float look_ahead;      /* metres, >= 0 (default 0.5) */
  float look_ahead_time; /* seconds, >= 0 (default 1) */
  float avoid_distance;  /* metres, >= 0; should be greater than the body radius (default 0.8) */
  float whisker;         /* length of a whisker as a part of L, 0 to 1 (default 0.6) */
  float angle;           /* radians, 0 to pi / 2, of a whisker; of the fan at rest (default 0.26, 15 degrees) */
  float widest;          /* radians, 0 to pi / 2, of the fan (default 1.2) */
  float spread_rate;     /* radians per second, >= 0 (default 6) */
} throng_avoid_walls;

/* Follow a flow field (R): clip((S dir(field(p)) - v) / time_to_target, A), the field as throng_world_sample_flow_field gives it.
 * Where that is 0 (a computed field's goals, and places without a way to one) the agent brakes to rest, and stays pushable.
 * Needs a finite max_speed; does nothing while the world has no such field. */
typedef struct throng_follow_field {
  uint32_t index;       /* of the world's flow field, 0 to 63 (default 0) */
  float time_to_target; /* seconds, > 0 (default 0.1) */
} throng_follow_field;

/* Call the host's own behaviour (callback.h): the acceleration that it writes. */
typedef struct throng_call {
  uint32_t index; /* of the world's callback, 0 to 7 (default 0) */
} throng_call;

/* Follow a path (M 3.3.12) of the world (throng/path.h): the agent's parameter becomes that of the path's point nearest to
 * p + v predict_time, among those within `window` of what it was (of two equally near ones, the one less far along the path
 * from there); then it seeks the point `offset` farther on. With a time_to_target, clip((S dir(dp) - v) / time_to_target, A),
 * which needs a finite max_speed and comes to rest at an open path's end: S times the metres left / slow_radius within
 * slow_radius, 0 within target_radius; without, A dir(dp). The offset's sign (offset_time's where it is 0) is the direction.
 *   The window makes agents coherent: they do not jump where the path crosses or touches itself, and one pushed off it comes back to where
 * it was. One that was put elsewhere needs a NaN for its THRONG_COLUMN_PATH_PARAMETER. Without a window they take the nearest place
 * of all. With a predict_time the parameter never goes back: that cuts corners, and skips what lies between two sections that
 * nearly touch. Once in a list; does nothing while the world has no such path. */
typedef struct throng_follow_path {
  uint32_t index;       /* of the world's path, 0 to 63 (default 0) */
  float time_to_target; /* seconds, 1e-6 or more, or 0 = the classic form (default 0.1) */
  float offset;         /* metres along the path, any sign (default 1); at most once round a closed one */
  float offset_time;    /* seconds, any sign: the offset grows by speed * offset_time (default 0) */
  float predict_time;   /* seconds, >= 0; 0 = not predictive (default 0) */
  float window;         /* metres to each side, >= 0; 0 = the whole path (default 5) */
  float slow_radius;    /* metres, >= 0 (default 2) */
  float target_radius;  /* metres, >= 0 (default 0.1) */
} throng_follow_path;

/* Keep a formation (M 3.7) of the world (throng/formation.h): arrive at one's own place (right, up, forward) in the
 * target's frame as in offset_pursuit, and move along with it: clip((clip(u + w, S) - v) / time_to_target, A), w arrive's desired
 * velocity toward the place. So members stand in their places while the target keeps speed and heading, where offset_pursuit trails
 * behind; in a turn of w rad/s a member r metres from the target trails by about w r slow_radius / S. They close up with what S
 * leaves them over |u|. None overshoots where slow_radius >= 4 S time_to_target. Once in a list; needs a finite max_speed; does
 * nothing for an agent without a place (THRONG_COLUMN_FORMATION_PLACE) or a target. */
typedef struct throng_formation {
  uint32_t index;       /* of the world's formation, 0 to 63 (default 0) */
  float slow_radius;    /* metres, >= 0: as in arrive (default 1) */
  float target_radius;  /* metres, >= 0 (default 0) */
  float time_to_target; /* seconds, > 0 (default 0.1) */
} throng_formation;

/* The angular behaviours, of planar groups with THRONG_FACING_STEERED: each turns toward a yaw. For what is left of the turn,
 * f = wrap(wanted yaw - yaw): desired rate W outside slow_radius, W |f| / slow_radius inside, 0 inside target_radius, with the
 * sign of f (half a turn: anticlockwise); clip((desired - w) / time_to_target, B). Where no yaw is wanted, f is 0: the yaw is
 * kept and the spin is braked. No turn overshoots where slow_radius >= W^2 / B and slow_radius >= 4 W time_to_target.
 *
 * Align (M 3.3.5): to the target's yaw + offset. A goal and a point look along +z, yaw 0, so that `offset` is a fixed yaw. */
typedef struct throng_align {
  float slow_radius;    /* radians, >= 0 (default 0.8) */
  float target_radius;  /* radians, >= 0 (default 0.01) */
  float time_to_target; /* seconds, > 0 (default 0.1) */
  float offset;         /* radians, -pi to pi (default 0); pi = the opposite way */
} throng_align;
/* Face (M 3.3.9): to yaw(dp); none at the target itself. */
typedef struct throng_face {
  float slow_radius, target_radius, time_to_target; /* as in throng_align */
} throng_face;
/* Look where you are going (M 3.3.10): to yaw(v); none at rest. */
typedef struct throng_look {
  float slow_radius, target_radius, time_to_target; /* as in throng_align */
} throng_look;

/* Follow a pattern of the world (throng/pattern.h; B 3.3): the acceleration of the instruction that the agent has come to. Planar
 * worlds only. A turn needs speed where the facing follows the motion: agents at rest should begin with thrust alone; and
 * none comes about where it is fixed. Once in a list; does nothing while the world has no such pattern. */
typedef struct throng_follow_pattern {
  uint32_t index; /* of the world's pattern, 0 to 63 (default 0); an agent's own THRONG_COLUMN_PATTERN goes first */
} throng_follow_pattern;

/* The kinematic behaviours (M 3.2): each wants a velocity x, at once and not by and by. It gives the acceleration that leads
 * there within the frame, clip((x - v) / dt, A), dt that of throng_world_step or throng_world_steer (from 1e-6 s up; 0 while dt is 0), and so
 * blends, and is limited and explained, as all others. With max_acceleration >= 2 S / dt the velocity is x after the frame, to
 * rounding: give such groups that, and no drag. A smaller one makes them slide like the rest.
 *
 * Seek (M 3.2.1): x = S dir(dp), 0 within `radius`. A frame's way longer than twice the radius steps over it, to and fro. Needs
 * a finite max_speed. */
typedef struct throng_kinematic_seek {
  float radius; /* metres, >= 0 (default 0) */
} throng_kinematic_seek;
/* Flee (M 3.2.1): x = -S dir(dp), 0 farther away than `radius`. Needs a finite max_speed. */
typedef struct throng_kinematic_flee {
  float radius; /* metres, >= 0; 0 = however far (default 0) */
} throng_kinematic_flee;
/* Arrive (M 3.2.1): x = dir(dp) min(|dp| / time_to_target, S), 0 within `radius`. Needs a finite max_speed. */
typedef struct throng_kinematic_arrive {
  float radius;         /* metres, >= 0 (default 0.1) */
  float time_to_target; /* seconds, > 0 (default 0.25) */
} throng_kinematic_arrive;
/* Wander (M 3.2.2), of planar groups with THRONG_FACING_STEERED and a finite max_speed: x = S along the facing as it is, and an
 * angular acceleration beside it, clip((turn W b - w) / dt, B), b the difference of two uniform draws of every frame (variance
 * 1/6): with max_yaw_acceleration >= 2 W / dt the yaw rate is turn W b. The linear part is on the entry's level, the angular
 * one counts by weight, as always. As in the book shorter frames walk less: for a walk that does not mind there is wander. */
typedef struct throng_kinematic_wander {
  float turn; /* 0 to 1 (default 1): how much of W it turns with */
} throng_kinematic_wander;

/* Hide (R; Buckland, Programming Game AI by Example, ch. 3) from the target behind the scenery's circles and balls: each whose
 * surface is within `reach` has a hiding place on the line from the target through its centre, `distance` between its surface and
 * the agent's body; the agent arrives at the nearest one (a tie: the lowest number). Nothing where no obstacle is in reach, and
 * behind one whose centre is the target. It goes there straight: avoid_obstacles beside it leads round. Needs a finite max_speed. */
typedef struct throng_hide {
  float reach;          /* metres, >= 0 (default 20) */
  float distance;       /* metres, >= 0 (default 0.5) */
  float slow_radius;    /* metres, >= 0: as in arrive (default 2) */
  float target_radius;  /* metres, >= 0 (default 0.1) */
  float time_to_target; /* seconds, > 0 (default 0.1) */
} throng_hide;

/* Hug walls, wall following (R): along the surfaces of the scenery, circles and balls too, at a distance. Where the way
 * v look_ahead_time meets one, or else within `reach` of its end the nearest one, has the normal n, on the agent's side, and the
 * agent is h above it there: clip((S dir(s S look_ahead_time + n (distance - h)) - v) / time_to_target, A), s the direction of v
 * along the surface (a little away from what is nearest now, which leads out of corners; if there is none, to the right hand of
 * one who faces the surface). So it comes to walls, follows them either way with S, and rounds corners. 0 where no surface is
 * in reach. A look_ahead_time of 2 time_to_target keeps the distance round convex corners too; a longer one cuts them, and comes
 * nearer to the wall without overshoot from 4 on. Needs a finite max_speed. */
typedef struct throng_hug_walls {
  float reach;           /* metres, >= 0 (default 3) */
  float distance;        /* metres, >= 0, of the agent's centre; should be greater than the body radius (default 0.5) */
  float look_ahead_time; /* seconds, >= 0 (default 0.2) */
  float time_to_target;  /* seconds, > 0 (default 0.1) */
} throng_hug_walls;

/* The kinds: each has parameters of its own, above, and a place in throng_behaviour by its name. */
typedef enum throng_behaviour_kind {
  THRONG_BEHAVIOUR_SEEK = 0,
  THRONG_BEHAVIOUR_FLEE,
  THRONG_BEHAVIOUR_ARRIVE,
  THRONG_BEHAVIOUR_PURSUE,
  THRONG_BEHAVIOUR_EVADE,
  THRONG_BEHAVIOUR_INTERCEPT,
  THRONG_BEHAVIOUR_CHASE,
  THRONG_BEHAVIOUR_VELOCITY_MATCH,
  THRONG_BEHAVIOUR_OFFSET_PURSUIT,
  THRONG_BEHAVIOUR_CLEAR_WAY,
  THRONG_BEHAVIOUR_INTERPOSE,
  THRONG_BEHAVIOUR_WANDER,
  THRONG_BEHAVIOUR_AVOID_OBSTACLES,
  THRONG_BEHAVIOUR_AVOID_WALLS,
  THRONG_BEHAVIOUR_FOLLOW_FIELD,
  THRONG_BEHAVIOUR_FOLLOW_PATH,
  THRONG_BEHAVIOUR_CALLBACK,
  THRONG_BEHAVIOUR_ALIGN,
  THRONG_BEHAVIOUR_FACE,
  THRONG_BEHAVIOUR_LOOK,
  THRONG_BEHAVIOUR_FOLLOW_PATTERN,
  THRONG_BEHAVIOUR_KINEMATIC_SEEK,
  THRONG_BEHAVIOUR_KINEMATIC_FLEE,
  THRONG_BEHAVIOUR_KINEMATIC_ARRIVE,
  THRONG_BEHAVIOUR_KINEMATIC_WANDER,
  THRONG_BEHAVIOUR_HIDE,
  THRONG_BEHAVIOUR_HUG_WALLS,
  THRONG_BEHAVIOUR_FORMATION,
  THRONG_BEHAVIOUR_KINDS
} throng_behaviour_kind;

/* One entry of a group's list: a kind, how much it counts, its target and its parameters. */
typedef struct throng_behaviour {
  throng_behaviour_kind kind;
  float weight;         /* any sign, 0 = off (default 1): multiplies the acceleration; negative reverses it */
  uint32_t priority;    /* 0 to 7 (default 0): see throng_combine; of no effect on what turns */
  throng_target target; /* of the kinds that have one */
  throng_target other;  /* of interpose */
  union {
    throng_seek seek;
    throng_flee flee;
    throng_arrive arrive;
    throng_pursue pursue;
    throng_evade evade;
    throng_intercept intercept;
    throng_chase chase;
    throng_velocity_match velocity_match;
    throng_offset_pursuit offset_pursuit;
    throng_clear_way clear_way;
    throng_interpose interpose;
    throng_wander wander;
    throng_avoid_obstacles avoid_obstacles;
    throng_avoid_walls avoid_walls;
    throng_follow_field follow_field;
    throng_call callback;
    throng_follow_path follow_path;
    throng_align align;
    throng_face face;
    throng_look look;
    throng_follow_pattern follow_pattern;
    throng_kinematic_seek kinematic_seek;
    throng_kinematic_flee kinematic_flee;
    throng_kinematic_arrive kinematic_arrive;
    throng_kinematic_wander kinematic_wander;
    throng_hide hide;
    throng_hug_walls hug_walls;
    throng_formation formation;
  };
} throng_behaviour;

/* A behaviour with its kind's defaults and weight 1; all zero for no kind. Thread-safe. */
THRONG_API throng_behaviour throng_default_behaviour(throng_behaviour_kind kind);

/* The name of a kind as this header has it ("seek"); NULL past the last. Thread-safe. */
THRONG_API const char *throng_behaviour_name(throng_behaviour_kind kind);

/* How a parameter is stored. */
typedef enum throng_parameter_type {
  THRONG_PARAMETER_FLOAT = 0,
  THRONG_PARAMETER_BOOL,
  THRONG_PARAMETER_UINT32,
  THRONG_PARAMETER_LAYERS, /* uint32_t: a bit for each layer */
  THRONG_PARAMETER_ENUM    /* an enumeration of this library, such as throng_rays */
} throng_parameter_type;

/* One parameter of a behaviour's kind or of a group's definition (group.h), for files and sliders. */
typedef struct throng_parameter {
  const char *name; /* of the member: "slow_radius"; of a member within a member "separation.radius" */
  throng_parameter_type type;
  bool infinite;                   /* INFINITY is allowed, too */
  uint32_t offset;                 /* bytes from the beginning of the throng_behaviour or throng_group_def */
  double initial, lowest, highest; /* the default, and what is allowed */
  const char *const *words;        /* of an enumeration: the words for 0 to `highest`, then NULL; else NULL */
} throng_parameter;

/* Describes the k-th parameter of a kind; false (and nothing written) past the last, or for NULL. Thread-safe. */
THRONG_API bool throng_behaviour_get_parameter(throng_behaviour_kind kind, uint32_t k, throng_parameter *parameter);
/* Reads a parameter of the behaviour's kind: a bool is 0 or 1, layers are their bits as a number. 0 for NULL. Thread-safe. */
THRONG_API double throng_behaviour_get_value(const throng_behaviour *behaviour, const throng_parameter *parameter);
/* Writes a parameter of the behaviour's kind. False (and nothing written) for NULL, and for a value that the type cannot
 * hold: a bool holds 0 and 1, all others but floats hold whole numbers from 0. Whether the value is allowed is checked by
 * throng_world_set_group. Thread-safe. */
THRONG_API bool throng_behaviour_set_value(throng_behaviour *behaviour, const throng_parameter *parameter, double value);

/* How the weighted accelerations become one. Rules over neighbours and behaviours of one priority are a level; its sum is
 * the sum of weight * acceleration over them. Angular accelerations are apart: always the sum by weight, clipped to B. */
typedef enum throng_combine {
  THRONG_COMBINE_WEIGHTED = 0, /* clip(all levels' sum, A) (M 3.4.2; default) */
  THRONG_COMBINE_PRIORITY,     /* the first level whose sum is longer than combine_threshold, clipped to A; if none is, the
                                  last level's (M 3.4.1) */
  THRONG_COMBINE_BUDGET,       /* in order, each level takes what the ones before have left of A (R) */
  THRONG_COMBINE_DITHER        /* as PRIORITY, but a level is passed over with probability 1 - combine_chance in a frame; if
                                  all are, nothing (R) */
} throng_combine;

#ifdef __cplusplus
}
#endif

#endif
