/* throng/behaviour.h: the behaviours of a group's list, and how their accelerations are combined. A behaviour gives a
 * linear acceleration, an angular one (align, face, look, rotation_match) or both (kinematic_wander). Sources: M =
 * Millington, AI for Games, 3rd ed., ch. 3; B = Bourg & Seemann, AI for Game Developers, ch. 2-4; R = Reynolds,
 * Steering Behaviors for Autonomous Characters, 1999; T = desired-velocity seek tutorial. A range without an upper end
 * goes to 1e9; a time_to_target that must be > 0 must be at least 1e-6. throng_behaviour_get_parameter returns all
 * ranges.
 *
 * In the formulas, p and v are the agent's position and velocity, q and u the target's. A is max_acceleration, S
 * max_speed. dp = q - p (the minimum image in periodic worlds), dv = u - v. dir(x) = x / |x| (0 if x is 0), clip(x, m)
 * = x scaled down to length m if it is longer. w is the agent's yaw rate, W max_yaw_rate, B max_yaw_acceleration.
 * yaw(x) = atan2(x.x, x.z), wrap(x) = x plus a multiple of 2 pi, in (-pi, pi].
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_BEHAVIOUR_H
#define THRONG_BEHAVIOUR_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_BEHAVIOURS 8u /* maximum in a group's list */
#define THRONG_PRIORITIES 8u     /* priorities 0 to 7; 0 comes first */
#define THRONG_MAX_PARAMETERS 9u /* maximum of a kind */

/* The kind of a behaviour's target. The velocity of a goal and of a point is 0. A behaviour whose target is the goal
 * gives no acceleration to an agent without a goal. A behaviour whose target agent was removed gives no acceleration
 * (throng_world_lost_target_count counts the live agents with such a behaviour). Agents that lose all their targets
 * brake: throng_when_lost. */
typedef enum throng_target_kind {
  THRONG_TARGET_GOAL = 0, /* each agent's own THRONG_COLUMN_GOAL (default) */
  THRONG_TARGET_POINT,    /* one point for all agents of the group */
  THRONG_TARGET_AGENT,    /* one agent for all agents of the group, as it moves */
  /* each agent's own THRONG_COLUMN_TARGET, as it moves. An agent whose target is none or was removed gets no
   * acceleration. Crowds that gather share a target if they have the same. Squads of one group may each keep a
   * formation around a leader of their own */
  THRONG_TARGET_OWN
} throng_target_kind;

/* A behaviour's target. */
typedef struct throng_target {
  throng_target_kind kind;
  throng_vec3 point;     /* metres, within the limit of positions; along periodic axes inside the box or on a face. y
                            is ignored in planar worlds */
  throng_agent_id agent; /* an agent of this world that exists when the group is set */
} throng_target;

/* Seek (M 3.3.3): A dir(dp). With a time_to_target, the desired-velocity form (T): clip((S dir(dp) - v) /
 * time_to_target, A); it needs a finite max_speed. */
typedef struct throng_seek {
  float time_to_target; /* seconds, 0 or >= 1e-6 (default 0): the velocity toward the target is reached in this time,
                           which needs a finite max_speed; 0 = full acceleration, the classic form */
} throng_seek;

/* Flee (M 3.3.3), the opposite of seek: -A dir(dp), or clip((-S dir(dp) - v) / time_to_target, A). */
typedef struct throng_flee {
  float time_to_target; /* seconds, 0 or >= 1e-6 (default 0): the velocity away from the target is reached in this
                           time, which needs a finite max_speed; 0 = full acceleration, the classic form */
  float panic_radius;   /* metres, >= 0 (default 0): no acceleration if the target is farther away; 0 = at any
                           distance */
} throng_flee;

/* Gather, an option of arrive for crowds that share a target: agents of one group if the target is a point or an agent,
 * agents whose goals are at most target_radius apart if it is the goal. The target radius grows with the bodies that
 * wait at the target, so that agents which come later stop behind them.
 *   An agent also stops where bodies fill the way to its target. These are neighbours that share the target, are nearer
 * to it and slower than max_speed / 10. The way is full where they take 30 % of the disc around the target that ends at
 * the agent (20 % of the ball in spatial worlds); or, farther from the target than half the perception radius, 75 %
 * (50 %) of the part of that disc within the perception radius. So crowds of any size come to rest. An agent that has
 * stopped makes way: it moves away from a neighbour that shares the target and comes nearer than twice the sum of their
 * radii, as fast as that neighbour comes.
 *   In planar worlds no agent stops in a door because the way is full. A door is where the straight line to the target
 * leads past a wall or a row of blocked cells, closer than 4 body radii and closer than the wall is long; it ends where
 * the body is past the wall (for cells, the centre). Agents outside of a full room go on pushing.
 *   Gather needs a body_radius above 0, and contact so that bodies do not overlap. Separation with a radius above two
 * body radii, and avoidance, keep waiting agents in motion. */

/* Settle, an option of arrive for people who wait in company: the crowd gathers, and stands still. An agent that stops
 * for one of the reasons above heeds neither separation nor avoidance and makes no way: contact alone moves it. That
 * also holds for an agent that has lost all its targets (throng_when_lost) and brakes by this behaviour.
 *   Two goals are also one if their distance is at most the sum of the two body radii, and an agent without a goal
 * counts as if its goal were its position. So an agent stops beside others that stand on its goal. An agent slower than
 * max_speed / 4 stays where two thirds of these bodies fill its way. An agent farther than its perception radius from
 * its target looks for others only while it is that slow. */

/* Arrive (M 3.3.4): desired speed S outside slow_radius, S |dp| / slow_radius inside, 0 inside target_radius;
 * clip((desired - v) / time_to_target, A). Needs a finite max_speed. The agent comes to rest if
 * dt (2 + S dt / slow_radius) < 4 time_to_target; with longer frames it oscillates about its target. */
typedef struct throng_arrive {
  float slow_radius;    /* metres, >= 0 (default 2): within it the wanted speed is in proportion to the distance */
  float target_radius;  /* metres, >= 0 (default 0.1): within it the agent brakes to rest */
  float time_to_target; /* seconds, > 0 (default 0.1): the wanted velocity is reached in this time */
  bool coast;           /* default false: the agent brakes within target_radius. true: no acceleration there (M), so
                           that it coasts through */
  bool gather;          /* default false: each agent goes on to the target itself. true: a crowd with one target
                           waits around it ("Gather" above) */
  bool settle;          /* default false: separation and avoidance act on agents that wait. true: a crowd gathers,
                           with or without `gather`, and stands still while it waits ("Settle" above) */
} throng_arrive;

/* Pursue (M 3.3.8): seek q + u T, the target's position after the time T = min(|dp| / S, max_prediction). To arrive
 * there instead, use offset_pursuit with a zero offset. Needs a finite max_speed. */
typedef struct throng_pursue {
  float time_to_target;  /* as in throng_seek */
  float max_prediction;  /* seconds, >= 0 (default 1): the longest prediction */
  bool by_speed;         /* default false: T uses max_speed. true: T uses the agent's present speed, as in M; at rest
                            it is max_prediction */
  bool stop_at_walls;    /* default false: walls do not matter. true: the prediction ends where the straight line
                            from q along u first meets a wall, box, plane, circle or ball of the scenery, a blocked
                            cell or a face of a box world: T is at most the time until then */
  bool give_up_at_walls; /* default false: walls do not matter. true: the prediction is given up where that line
                            meets something within T: T is then 0, the agent seeks q itself (field). Without effect
                            beside stop_at_walls */
} throng_pursue;

/* Evade (M 3.3.8): flee from q + u T, T as in pursue. Needs a finite max_speed. */
typedef struct throng_evade {
  float time_to_target;                           /* as in throng_flee */
  float max_prediction;                           /* as in throng_pursue */
  float panic_radius;                             /* as in throng_flee */
  bool by_speed, stop_at_walls, give_up_at_walls; /* as in throng_pursue */
} throng_evade;

/* Intercept (B 2.5): seek q + u T with T = min(|dp| / |dv|, max_prediction), the time to reach the target. T is 0,
 * which is plain seek, if |dv| is below least_speed or the target is behind the agent's facing. With a turn above 0 the
 * agent chases that point (throng_chase) instead of seeking it, as B's rigid body does: with A along its facing, and
 * turn A to the side of the point while that is more than dead_band off the facing.
 *   With `exact`, T is the time in which an agent that moves straight at max_speed can meet the target: the smallest
 * positive root of |dp + u T| = S T, at most max_prediction. Without such a root, because the target gets away, T is
 * that of throng_pursue, min(|dp| / S, max_prediction). least_speed and the facing then do not matter. It needs a
 * finite max_speed. */
typedef struct throng_intercept {
  float time_to_target; /* as in throng_seek, without effect if turn is above 0 */
  float max_prediction; /* seconds, >= 0 (default 10): the longest prediction */
  float least_speed;    /* m/s, >= 0 (default 0.01): no prediction if the closing speed is lower */
  float turn;           /* 0 to 1 (default 0): above 0 the agent chases the point, as in throng_chase, instead of
                           seeking it */
  float dead_band;      /* radians, 0 to pi / 2 (default 0.05): as in throng_chase, for a turn above 0 */
  bool exact;           /* default false: B's time to close. true: the root of the quadratic equation */
} throng_intercept;

/* Line-of-sight chase and evasion (B 2.4), the sum of two accelerations, clipped to A. One is A along the facing,
 * except within slow_distance of the target. The other is |turn| A at right angles to the facing, toward the target's
 * side, while the direction to the target is more than dead_band off the facing. A target exactly behind counts as on
 * the right. A negative turn evades: the agent turns toward the direction opposite to the target, and always has the
 * acceleration along the facing. */
typedef struct throng_chase {
  float turn;          /* -1 to 1 (default 1): the fraction of max_acceleration that turns; negative: away from the
                          target */
  float dead_band;     /* radians, 0 to pi / 2 (default 0.05): no turn if the target is within this angle of the
                          facing */
  float slow_distance; /* metres, >= 0 (default 0): within it there is no acceleration along the facing */
} throng_chase;

/* Velocity match (M 3.3.6): clip(dv / time_to_target, A). */
typedef struct throng_velocity_match {
  float time_to_target; /* seconds, > 0 (default 0.1): the target's velocity is reached in this time */
} throng_velocity_match;

/* Offset pursuit (R): arrive at a point fixed in the target's local coordinates, (right, up, forward) of its facing.
 * The point is predicted by T = min(distance / S, max_prediction) with the target's velocity. A goal and a point
 * face +z; their right is -x. Needs a finite max_speed. */
typedef struct throng_offset_pursuit {
  float right;                                      /* metres, any sign (default 0): the point, to the target's right */
  float up;                                         /* metres, any sign (default 0): the point, above the target;
                                                       planar worlds ignore it */
  float forward;                                    /* metres, any sign (default -1): the point, ahead of the target;
                                                       negative: behind it */
  float slow_radius, target_radius, time_to_target; /* as in throng_arrive */
  float max_prediction;                             /* as in throng_pursue */
} throng_offset_pursuit;

/* Clear way (R), out of a leader's way. It acts while the agent is in the box ahead of the target, `length` long and
 * `width` to each side (in spatial worlds a cylinder): A away from the line along the target's facing. An agent exactly
 * on that line gets A to the target's right. */
typedef struct throng_clear_way {
  float length; /* metres, >= 0 (default 3): of the box ahead of the target */
  float width;  /* metres, >= 0 (default 1): of the box to each side; in spatial worlds the radius of the cylinder */
} throng_clear_way;

/* Interpose (R): arrive at the midpoint of the target and the other target, both predicted by
 * T = min(distance to the midpoint / S, max_prediction). Needs a finite max_speed. */
typedef struct throng_interpose {
  float slow_radius, target_radius, time_to_target; /* as in throng_arrive */
  float max_prediction;                             /* as in throng_pursue */
} throng_interpose;

/* Wander (M 3.3.11): A toward offset * facing + radius * d. The agent's own direction d walks randomly, on a circle
 * (planar; an angle relative to its yaw) or a sphere (spatial; in the world's axes). Per frame the angle changes by
 * binomial * rate * sqrt(dt); binomial is the difference of two uniform draws (variance 1/6). A list may have it only
 * once. */
typedef struct throng_wander {
  float radius;                                     /* metres, >= 0 (default 1): of the circle or sphere */
  float offset;                                     /* metres, >= 0 (default 2): how far ahead the circle is; 0 =
                                                       around the agent */
  float rate;                                       /* radians per square root of a second, 0 to 6 (default 4): how
                                                       fast the point moves on the circle */
  bool faces;                                       /* default false: accelerates toward the point. true: M's main
                                                       form, for groups with THRONG_FACING_STEERED: the agent turns
                                                       to face the point, as face does, and accelerates along its
                                                       facing. The angular part counts by weight */
  float slow_radius, target_radius, time_to_target; /* as in throng_align, only with `faces` */
} throng_wander;

/* Obstacle avoidance (B 4.3, R) for the scenery's circles and balls. A feeler of length L = look_ahead +
 * look_ahead_time |v| points along v. An obstacle counts if its centre, projected on the feeler, is ahead of the agent
 * and nearer than L, and if the distance of its centre from the feeler's line is less than the sum of its radius and
 * the agent's. It pushes sideways, away from its centre, with strength L / (distance to the centre). If the centre is
 * exactly ahead, agents with an odd id index go right, the others left. The first blocked cell and the first face of a
 * box world on the feeler count too, wherever it meets them: they push sideways, away from their surface, with strength
 * L / (distance to the hit). The sum is clipped to A; it is 0 at rest. A feeler should be longer than the sum of the
 * radii. */
typedef struct throng_avoid_obstacles {
  float look_ahead;      /* metres, >= 0 (default 0): the feeler's length L is look_ahead + look_ahead_time * speed */
  float look_ahead_time; /* seconds, >= 0 (default 2): the part of the feeler's length that grows with the speed */
  float strength;        /* m/s^2, >= 0 (default 3): the push is strength * L / (distance to the centre) */
  bool nearest_only;     /* default false: all obstacles on the feeler count. true: only the nearest */
  bool sees_all;         /* default true: blocked cells and faces of a box world count, too */
} throng_avoid_obstacles;

/* The rays of wall avoidance. The long ray has length L = look_ahead + look_ahead_time |v| along v. A whisker is a
 * shorter ray at an angle to the long one. In spatial worlds all rays are level. */
typedef enum throng_rays {
  THRONG_RAYS_SINGLE = 0, /* the long ray: grazes convex corners */
  THRONG_RAYS_PARALLEL,   /* two long rays, from the left and right edge of the body */
  THRONG_RAYS_WHISKERS,   /* the long ray and a whisker to each side: may be caught in corners */
  /* The long ray and two whiskers, whose angle grows by spread_rate up to `widest` while a ray hits, and shrinks back
   * while none does. The agent reacts to the same whisker until that whisker no longer hits (default). */
  THRONG_RAYS_FAN
} throng_rays;

/* Wall avoidance (M 3.3.15) for all shapes of the scenery, blocked cells and the faces of a box world. The agent reacts
 * to the nearest hit of its rays (on a tie the long ray, then the left one): it seeks, with A, the point hit + normal *
 * avoid_distance, with the normal on the agent's side. The acceleration is 0 without a hit, and at rest. A list may
 * have it only once, because the fan has memory (THRONG_COLUMN_FAN). */
typedef struct throng_avoid_walls {
  throng_rays rays;      /* default THRONG_RAYS_FAN: which rays look for walls */
  float look_ahead;      /* metres, >= 0 (default 0.5): the ray's length L is look_ahead + look_ahead_time * speed */
  float look_ahead_time; /* seconds, >= 0 (default 1): the part of the ray's length that grows with the speed */
  float avoid_distance;  /* metres, >= 0 (default 0.8): from the wall to the point that the agent seeks; should be
                            greater than the body radius */
  float whisker;         /* 0 to 1 (default 0.6): length of a whisker as a fraction of L */
  float angle;           /* radians, 0 to pi / 2 (default 0.26): angle of a whisker, smallest angle of a fan; 0.26 is
                            15 degrees */
  float widest;          /* radians, 0 to pi / 2 (default 1.2): largest angle of a fan */
  float spread_rate;     /* radians per second, >= 0 (default 6): how fast a fan opens and closes */
  bool sees_all;         /* default true: circles and balls, blocked cells, and faces of a box world count, too */
} throng_avoid_walls;

/* Follow a flow field (R): clip((S clip(field(p), 1) - v) / time_to_target, A), with field(p) as in
 * throng_world_sample_flow_field: a vector shorter than 1 is a slower walk. Where the field is 0 (goals of a computed
 * field, and cells without a route) the agent brakes to rest; other agents may still push it. Needs a finite max_speed.
 * No acceleration if the world has no such field. */
typedef struct throng_follow_field {
  uint32_t index;       /* 0 to 63 (default 0): index of the world's flow field */
  float time_to_target; /* as in throng_arrive */
} throng_follow_field;

/* Callback: the acceleration that a function of the host writes (callback.h). */
typedef struct throng_call {
  uint32_t index; /* 0 to 7 (default 0): index of the world's callback */
} throng_call;

/* Follow a path (M 3.3.12) of the world (throng/path.h). First the point of the path that is nearest to p + v
 * predict_time is found. Only points within `window` metres of the last path parameter, measured along the path, are
 * considered; on a tie the one nearest to the last parameter wins. This point gives the new path parameter. Then the
 * agent seeks the point `offset` farther along the path. With a time_to_target of 0: A dir(dp). Otherwise clip((s
 * dir(dp) - v) / time_to_target, A), which needs a finite max_speed. s is S; near the end of an open path it is S *
 * (metres left) / slow_radius within slow_radius, and 0 within target_radius. The sign of `offset` (if that is 0, of
 * offset_time) is the direction.
 *   Because of the window, agents do not jump to another part of the path where it crosses or touches itself, and an
 * agent that was pushed away returns to the part where it was. If the host moves an agent elsewhere, it should write
 * NaN to THRONG_COLUMN_PATH_PARAMETER. With a window of 0 agents take the nearest point of the whole path. With a
 * predict_time the path parameter never moves against the direction: agents cut corners, and may skip a part between
 * two sections that nearly touch. A list may have it only once. No acceleration if the world has no such path.
 *   A VEHICLE that turns only by driving (group.h) looks farther ahead, so that it drives no extra circles. Its offset
 * is at least 2 turning_radius + v^2 / (2 max_brake), but at most a quarter of a closed path. Its window is 0 or at
 * least 2 turning_radius. So it cuts a right angle by about one turning_radius. */
typedef struct throng_follow_path {
  uint32_t index;                   /* 0 to 63 (default 0): index of the world's path */
  float time_to_target;             /* seconds, 0 or >= 1e-6 (default 0.1): as in throng_seek; above 0 the agent also
                                       stops at the end of an open path */
  float offset;                     /* metres, any sign (default 1): the agent seeks the point this far ahead on the
                                       path; the sign is the direction; at most the length of a closed path */
  float offset_time;                /* seconds, any sign (default 0): the offset is increased by speed * offset_time,
                                       with a speed of at least S / 10, so that agents at rest start */
  float predict_time;               /* seconds, >= 0 (default 0): searches the path near where the agent will be
                                       after this time; 0 = not predictive */
  float window;                     /* metres, >= 0 (default 5): searches only this far to each side of the last path
                                       parameter; 0 = the whole path */
  float slow_radius, target_radius; /* as in throng_arrive, at the end of an open path */
} throng_follow_path;

/* Keep a formation (M 3.7) of the world (throng/formation.h): arrive at the agent's place, (right, up, forward) of
 * the target as in offset_pursuit, and move along with the target: clip((clip(u + w, S) - v) / time_to_target, A),
 * with arrive's desired velocity w toward the place. Agents are in their places while the target keeps speed and
 * heading; offset_pursuit would trail behind. In a turn of W rad/s, an agent r metres from the target trails by
 * about W r slow_radius / S. An agent that is behind its place approaches it at most at the speed S - |u|. No agent
 * overshoots if slow_radius >= 4 S time_to_target. A list may have it only once. Needs a finite max_speed. No
 * acceleration for an agent without a place (THRONG_COLUMN_FORMATION_PLACE) or a target. */
typedef struct throng_formation {
  uint32_t index;       /* 0 to 63 (default 0): index of the world's formation */
  float slow_radius;    /* metres, >= 0 (default 1): as in throng_arrive, toward the place */
  float target_radius;  /* metres, >= 0 (default 0): as in throng_arrive, toward the place */
  float time_to_target; /* as in throng_arrive */
} throng_formation;

/* The angular behaviours, for groups with THRONG_FACING_STEERED. Each turns toward a yaw. The remaining turn is
 * f = wrap(wanted yaw - yaw). The desired rate is W if |f| is above slow_radius, W |f| / slow_radius below it, and 0
 * below target_radius, with the sign of f (half a turn: anticlockwise). The result is clip((desired - w) /
 * time_to_target, B). If no yaw is wanted, f is 0: the agent brakes its turn. No turn overshoots if slow_radius >= W^2
 * / B and slow_radius >= 4 W time_to_target.
 *   In spatial worlds this holds for groups with `upright`; the yaw is that of the horizontal part of a direction.
 * Other facings turn toward the direction itself, along the great circle (M 3.3.5 with the angle between the two
 * directions): at the desired rate, but never farther in a frame than is left, so that no turn overshoots. They have
 * no inertia: time_to_target, B and angular_drag do not count. From the exactly opposite direction they turn to the
 * right. If no direction is wanted, the facing stays. Several behaviours are added as turns in space, by weight; their
 * sum is at most W.
 *
 * Align (M 3.3.5): to the target's yaw + offset; in spatial worlds to its facing, turned about the vertical by offset.
 * A goal and a point look along +z, yaw 0, so that `offset` is a fixed yaw. */
typedef struct throng_align {
  float slow_radius;    /* radians, >= 0 (default 0.8): within it the yaw rate falls in proportion to the angle that
                           is left */
  float target_radius;  /* radians, >= 0 (default 0.01): within it the yaw rate is braked to 0 */
  float time_to_target; /* seconds, > 0 (default 0.1): the wanted yaw rate is reached in this time */
  float offset;         /* radians, -pi to pi (default 0): added to the target's yaw; pi = the opposite direction */
} throng_align;
/* Face (M 3.3.9): to yaw(dp), or the direction of dp; none is wanted at the target itself. */
typedef struct throng_face {
  float slow_radius, target_radius, time_to_target; /* as in throng_align */
} throng_face;
/* Look where you are going (M 3.3.10): to yaw(v), or the direction of v; none is wanted at rest. */
typedef struct throng_look {
  float slow_radius, target_radius, time_to_target; /* as in throng_align */
} throng_look;

/* Rotation match, velocity_match for the rotation (M 3.3.6): clip((w of the target - w) / time_to_target, B). The yaw
 * rate of a goal, of a point and of an agent whose facing is not steered is 0. In spatial worlds it is for groups with
 * `upright`; other facings have no rate, and do not turn by it. */
typedef struct throng_rotation_match {
  float time_to_target; /* as in throng_align */
} throng_rotation_match;

/* Follow a pattern of the world (throng/pattern.h; B 3.1, 3.3): the acceleration of the agent's current instruction.
 * If the facing follows the motion, only a moving agent turns: a pattern for agents at rest
 * should begin with thrust alone. A steered yaw is turned by the behaviour, too. With a fixed facing no agent turns.
 * A list may have it only once. No acceleration if the world has no such pattern. */
typedef struct throng_follow_pattern {
  uint32_t index; /* 0 to 63 (default 0): index of the world's pattern. An agent's own THRONG_COLUMN_PATTERN, if it
                     has one, replaces it */
} throng_follow_pattern;

/* The kinematic behaviours (M 3.2). Each wants a velocity x and gives the acceleration that reaches x within the frame,
 * clip((x - v) / dt, A). dt is that of throng_world_step or throng_world_steer, but at least 1e-6 s; if it is 0, the
 * acceleration is 0. The acceleration is blended, limited and explained like all others. With max_acceleration >= 2 S /
 * dt and no drag the velocity is x after the frame, except for rounding. With a smaller max_acceleration it takes
 * several frames, and agents slide.
 *
 * Seek (M 3.2.1): x = S dir(dp), 0 within `radius`. If S dt is longer than twice the radius, the agent jumps over
 * the target again and again. Needs a finite max_speed. */
typedef struct throng_kinematic_seek {
  float radius; /* metres, >= 0 (default 0): the agent stops within it */
  /* default false: straight to the target. true: B's chase in continuous coordinates (B 2.1): along each axis of the
   * world on its own at S, or slower to reach the target's coordinate within the frame; clipped to S. The agent goes
   * diagonally until one coordinate is the target's, then straight along the other axis */
  bool by_axis;
} throng_kinematic_seek;
/* Flee (M 3.2.1): x = -S dir(dp), 0 beyond `radius`. Needs a finite max_speed. */
typedef struct throng_kinematic_flee {
  float radius; /* metres, >= 0 (default 0): the agent stops beyond it; 0 = at no distance */
  bool by_axis; /* default false: straight away from the target. true: the evasion of B 2.1: S away from the target
                   along each axis of the world in which they differ, clipped to S */
} throng_kinematic_flee;
/* Arrive (M 3.2.1): x = dir(dp) min(|dp| / time_to_target, S), 0 within `radius`. Needs a finite max_speed. */
typedef struct throng_kinematic_arrive {
  float radius;         /* metres, >= 0 (default 0.1): the agent stops within it */
  float time_to_target; /* seconds, > 0 (default 0.25): the target is reached in this time */
} throng_kinematic_arrive;
/* Wander (M 3.2.2), for groups with THRONG_FACING_STEERED and a finite max_speed: x = S along the facing, and
 * an angular acceleration clip((turn W b - w) / dt, B); b is the difference of two uniform draws per frame (variance
 * 1/6). With max_yaw_acceleration >= 2 W / dt the yaw rate becomes turn W b. The linear part is on the level of the
 * behaviour's priority; the angular part counts by weight. As in M, the random walk depends on the length of frames;
 * that of THRONG_BEHAVIOUR_WANDER does not. In spatial worlds without `upright` the facing turns at two such rates:
 * turn W b to the right, and another upward. */
typedef struct throng_kinematic_wander {
  float turn;   /* 0 to 1 (default 1): the fraction of max_yaw_rate that is used */
  bool uniform; /* default false: b is the difference of two draws. true: b is one uniform draw in [-1, 1), variance
                   1/3 (L = lectures after M) */
} throng_kinematic_wander;

/* Hide (R; Buckland, Programming Game AI by Example, ch. 3) from the target, behind the scenery's circles and balls and
 * behind blocked cells. Each obstacle whose surface is within `reach` of the agent has a hiding spot: on the line from
 * the target through its centre, with `distance` between its surface and the agent's body. A cell counts as the circle
 * through its corners. Spots in blocked cells or outside of a box world do not count. The agent arrives at the nearest
 * spot (on a tie, at that of the obstacle with the smallest number). It moves straight there: combine it with
 * avoid_obstacles. No acceleration without a spot. The farther the nearest cell, up to `reach`, the longer the search.
 * Needs a finite max_speed. */
typedef struct throng_hide {
  float reach;                                      /* metres, >= 0 (default 20): obstacles with a surface farther
                                                       away do not count */
  float distance;                                   /* metres, >= 0 (default 0.5): between the obstacle's surface and
                                                       the agent's body */
  float slow_radius, target_radius, time_to_target; /* as in throng_arrive */
  bool sees_all;                                    /* default true: blocked cells hide, too; spots in blocked cells
                                                       or outside of a box world do not count */
} throng_hide;

/* Hug walls, wall following (R): moves at speed S along surfaces of the scenery, circles and balls included, of blocked
 * cells, and along the faces of a box world, at a distance. The surface is the first one on the line from p to p + v
 * look_ahead_time. If there is none, it is the nearest surface within `reach` of that line's end; without one the
 * acceleration is 0. n is the surface's normal on the agent's side, h the agent's height above it: clip((S dir(s S
 * look_ahead_time + n (distance - h)) - v) / time_to_target, A). s is the direction of v along the surface, turned a
 * little away from the surface that is nearest to the agent now, which leads out of corners. If v has no such
 * direction, s is to the right of an agent that faces the surface. The agent approaches walls, follows them in either
 * direction, and rounds corners. With a look_ahead_time of 2 time_to_target it keeps the distance at convex corners;
 * with a longer one it cuts them. From 4 time_to_target on, it approaches walls without overshoot. Needs a finite
 * max_speed. */
typedef struct throng_hug_walls {
  float reach;           /* metres, >= 0 (default 3): surfaces farther away do not count */
  float distance;        /* metres, >= 0 (default 0.5): of the agent's centre from the surface; should be greater
                            than the body radius */
  float look_ahead_time; /* seconds, >= 0 (default 0.2): how far ahead the surface is looked for */
  float time_to_target;  /* as in throng_arrive */
  bool sees_all;         /* default true: blocked cells and faces of a box world count, too */
} throng_hug_walls;

/* Attractors (M 3.3.13): the world's attractors (throng/attractors.h) pull and push. One counts if the agent is
 * within its radius and the layer of its group is in its mask. The acceleration is clip(sum of s dir(dp), A), summed
 * in the order of the list. An agent exactly at a point gets none of it. A negative weight turns attraction into
 * repulsion. No acceleration if the world has none. The time depends on the attractors near an agent. */
typedef struct throng_heed_attractors {
  bool nearest_only; /* default false: all attractors count. true: only the nearest (on a tie the first of the list) */
} throng_heed_attractors;

/* The kinds of behaviours. Each has a struct of parameters, above, and a member of that name in throng_behaviour. */
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
  THRONG_BEHAVIOUR_ATTRACTORS,
  THRONG_BEHAVIOUR_ROTATION_MATCH,
  THRONG_BEHAVIOUR_KINDS
} throng_behaviour_kind;

/* One entry of a group's list: a kind, its weight and priority, its targets and parameters. */
typedef struct throng_behaviour {
  throng_behaviour_kind kind;
  float weight;         /* any sign, 0 = off (default 1): multiplies the acceleration */
  uint32_t priority;    /* 0 to 7 (default 0): see throng_combine; angular accelerations ignore it */
  throng_target target; /* only of kinds with a target */
  throng_target other;  /* only of interpose */
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
    throng_heed_attractors attractors;
    throng_rotation_match rotation_match;
  };
} throng_behaviour;

/* Returns a behaviour with its kind's defaults and weight 1; all zero if `kind` is invalid. Thread-safe. */
THRONG_API throng_behaviour throng_default_behaviour(throng_behaviour_kind kind);

/* Returns the name of a kind, such as "seek"; NULL past the last kind. Thread-safe. */
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
  const char *name; /* name of the member, such as "slow_radius"; of a member within a member, "separation.radius" */
  throng_parameter_type type;
  bool infinite;                   /* INFINITY is allowed, too */
  uint32_t offset;                 /* bytes from the beginning of the throng_behaviour or throng_group_def */
  double initial, lowest, highest; /* the default, and what is allowed */
  const char *const *words;        /* for an enumeration: the words for 0 to `highest`, then NULL; otherwise NULL */
} throng_parameter;

/* Writes the description of a kind's parameter k, from 0, to *parameter. Returns false, and writes nothing, if k is
 * past the last parameter or `parameter` is NULL. Thread-safe. */
THRONG_API bool throng_behaviour_get_parameter(throng_behaviour_kind kind, uint32_t k, throng_parameter *parameter);
/* Returns the value of a parameter of the behaviour's kind: a bool as 0 or 1, layers as a number with their bits. 0 for
 * NULL. Thread-safe. */
THRONG_API double throng_behaviour_get_value(const throng_behaviour *behaviour, const throng_parameter *parameter);
/* Writes a parameter of the behaviour's kind. Returns false, and writes nothing, for NULL and for a value that the type
 * cannot hold: a bool holds 0 and 1; layers, enumerations and uint32_t hold whole numbers from 0.
 * throng_world_set_group checks whether the value is within the parameter's range. Thread-safe. */
THRONG_API bool throng_behaviour_set_value(throng_behaviour *behaviour, const throng_parameter *parameter,
                                           double value);

/* How an agent's accelerations are combined into one. A level is all rules over neighbours and behaviours of one
 * priority; its sum is the sum of weight * acceleration. Angular accelerations are separate: always the sum by weight,
 * clipped to B. */
typedef enum throng_combine {
  THRONG_COMBINE_WEIGHTED = 0, /* clip(all levels' sum, A) (M 3.4.2; default) */
  THRONG_COMBINE_PRIORITY, /* the sum of the first level whose sum is longer than combine_threshold; if there is none,
                                  the sum of the last level; clipped to A (M 3.4.1) */
  THRONG_COMBINE_BUDGET,   /* in order of priority, each level's sum is clipped to what the levels before it have left
                                  of A, and added (R) */
  THRONG_COMBINE_DITHER /* as PRIORITY, but each frame skips a level with probability 1 - combine_chance[priority]; 0 if
                                  all are skipped (R) */
} throng_combine;

/* What an agent does when nothing drives it: when it has lost all its targets, or its group is idle.
 *   An agent is lost if its group's list has behaviours that need a target, a path or a flow field, and none of them
 * has what it needs for this agent. If anything else in the list moves agents, the agent is not lost: wander, wall
 * hugging, a pattern or a callback that is set in the world.
 *   A group is idle if separation or avoidance has a weight above 0, cohesion, alignment and attraction have none, and
 * its list has no behaviours with a weight other than avoid_obstacles, avoid_walls, angular ones, and callbacks that
 * are not set in the world. A group with 8 such behaviours is not idle. Agents of an idle group make way, and then
 * stand. Their separation acts only where bodies overlap: its radius is at most 2 body_radius of the group. If the host
 * drives such agents by velocities or accelerations of its own, choose COAST. A group in which all rules have the
 * weight 0 keeps its velocities anyway. */
typedef enum throng_when_lost {
  THRONG_WHEN_LOST_BRAKE = 0, /* a lost agent brakes to rest within the time_to_target of the first of these
                                 behaviours, as far as max_acceleration allows; with max_acceleration if that behaviour
                                 has no time_to_target. The brake has the weight and priority of that behaviour. An
                                 idle agent brakes to rest by 10 / s of its velocity, at most by max_acceleration, with
                                 the weight 1 and the priority 7 (default) */
  THRONG_WHEN_LOST_COAST      /* the agent keeps its velocity, and separation its radius */
} throng_when_lost;

#ifdef __cplusplus
}
#endif

#endif
