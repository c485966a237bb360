/* passes/kinds.h: the table of behaviour kinds. A new kind is five places:
 *   1. its struct of parameters (floats alone), its constant and its member in the union of include/throng/behaviour.h;
 *   2. its row here: name, what it needs, and of each parameter default, lowest and highest;
 *   3. its pass, BEHAVIOUR(name), in a file of this directory: lane for lane the formula of docs/ARITHMETIC.md;
 *   4. its reference in tests/reference/reference_a_behaviours.c, from the same page and not from the pass;
 *   5. its test, in tests/groups/test_catalogue.c.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KINDS_H
#define THRONG_KINDS_H

#include "base/definitions.h"

/* What a kind needs of its group and world. */
enum kind_needs {
  NEEDS_NOTHING = 0,
  NEEDS_TARGET = 1 << 0,      /* reads throng_behaviour.target */
  NEEDS_SPEED = 1 << 1,       /* a finite max_speed */
  NEEDS_SPEED_TIMED = 1 << 2, /* the same where its first parameter but a number, a time, is above 0 */
  NEEDS_MEMORY = 1 << 3,      /* has a column of the agents: may stand once in a list */
  NEEDS_OTHER = 1 << 4,       /* reads throng_behaviour.other too */
  NEEDS_NUMBER = 1 << 5,      /* its first parameter is a number: whole */
  NEEDS_YAW = 1 << 6,         /* THRONG_FACING_STEERED: it gives an angular acceleration */
  TURNS_ALONE = 1 << 7,       /* and no linear one: it is on no level */
  NEEDS_PLANAR = 1 << 8       /* a planar world: it looks at the yaw */
};

#define KIND_LEAST_TIME 1e-6f

/* What the angular kinds begin with. */
#define TURN_PARAMETERS(PARAMETER, name)                                                                               \
  PARAMETER(name, slow_radius, 0.8f, 0.0f, KIND_MOST)                                                                  \
  PARAMETER(name, target_radius, 0.01f, 0.0f, KIND_MOST)                                                               \
  PARAMETER(name, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)

/* ROW(CONSTANT, name, needs, parameters); PARAMETER(name, member, default, lowest, highest). */
/* clang-format off */
#define BEHAVIOUR_KINDS(ROW, PARAMETER)                                                                                \
  ROW(SEEK, seek, NEEDS_TARGET | NEEDS_SPEED_TIMED,                                                                    \
      PARAMETER(seek, time_to_target, 0.0f, 0.0f, KIND_MOST))                                                          \
  ROW(FLEE, flee, NEEDS_TARGET | NEEDS_SPEED_TIMED,                                                                    \
      PARAMETER(flee, time_to_target, 0.0f, 0.0f, KIND_MOST)                                                           \
      PARAMETER(flee, panic_radius, 0.0f, 0.0f, KIND_MOST))                                                            \
  ROW(ARRIVE, arrive, NEEDS_TARGET | NEEDS_SPEED,                                                                      \
      PARAMETER(arrive, slow_radius, 2.0f, 0.0f, KIND_MOST)                                                            \
      PARAMETER(arrive, target_radius, 0.1f, 0.0f, KIND_MOST)                                                          \
      PARAMETER(arrive, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)                                              \
      PARAMETER(arrive, coast, 0.0f, 0.0f, 1.0f))                                                                      \
  ROW(PURSUE, pursue, NEEDS_TARGET | NEEDS_SPEED,                                                                      \
      PARAMETER(pursue, time_to_target, 0.0f, 0.0f, KIND_MOST)                                                         \
      PARAMETER(pursue, max_prediction, 1.0f, 0.0f, KIND_MOST)                                                         \
      PARAMETER(pursue, by_speed, 0.0f, 0.0f, 1.0f)                                                                    \
      PARAMETER(pursue, stop_at_walls, 0.0f, 0.0f, 1.0f))                                                              \
  ROW(EVADE, evade, NEEDS_TARGET | NEEDS_SPEED,                                                                        \
      PARAMETER(evade, time_to_target, 0.0f, 0.0f, KIND_MOST)                                                          \
      PARAMETER(evade, max_prediction, 1.0f, 0.0f, KIND_MOST)                                                          \
      PARAMETER(evade, panic_radius, 0.0f, 0.0f, KIND_MOST)                                                            \
      PARAMETER(evade, by_speed, 0.0f, 0.0f, 1.0f)                                                                     \
      PARAMETER(evade, stop_at_walls, 0.0f, 0.0f, 1.0f))                                                               \
  ROW(INTERCEPT, intercept, NEEDS_TARGET | NEEDS_SPEED_TIMED,                                                          \
      PARAMETER(intercept, time_to_target, 0.0f, 0.0f, KIND_MOST)                                                      \
      PARAMETER(intercept, max_prediction, 10.0f, 0.0f, KIND_MOST)                                                     \
      PARAMETER(intercept, least_speed, 0.01f, 0.0f, KIND_MOST))                                                       \
  ROW(CHASE, chase, NEEDS_TARGET,                                                                                      \
      PARAMETER(chase, turn, 1.0f, -1.0f, 1.0f)                                                                        \
      PARAMETER(chase, dead_band, 0.05f, 0.0f, 1.5707964f)                                                             \
      PARAMETER(chase, slow_distance, 0.0f, 0.0f, KIND_MOST))                                                          \
  ROW(VELOCITY_MATCH, velocity_match, NEEDS_TARGET,                                                                    \
      PARAMETER(velocity_match, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST))                                     \
  ROW(OFFSET_PURSUIT, offset_pursuit, NEEDS_TARGET | NEEDS_SPEED,                                                      \
      PARAMETER(offset_pursuit, right, 0.0f, -KIND_MOST, KIND_MOST)                                                    \
      PARAMETER(offset_pursuit, up, 0.0f, -KIND_MOST, KIND_MOST)                                                       \
      PARAMETER(offset_pursuit, forward, -1.0f, -KIND_MOST, KIND_MOST)                                                 \
      PARAMETER(offset_pursuit, slow_radius, 2.0f, 0.0f, KIND_MOST)                                                    \
      PARAMETER(offset_pursuit, target_radius, 0.1f, 0.0f, KIND_MOST)                                                  \
      PARAMETER(offset_pursuit, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)                                      \
      PARAMETER(offset_pursuit, max_prediction, 1.0f, 0.0f, KIND_MOST))                                                \
  ROW(CLEAR_WAY, clear_way, NEEDS_TARGET,                                                                              \
      PARAMETER(clear_way, length, 3.0f, 0.0f, KIND_MOST)                                                              \
      PARAMETER(clear_way, width, 1.0f, 0.0f, KIND_MOST))                                                              \
  ROW(INTERPOSE, interpose, NEEDS_TARGET | NEEDS_OTHER | NEEDS_SPEED,                                                  \
      PARAMETER(interpose, slow_radius, 2.0f, 0.0f, KIND_MOST)                                                         \
      PARAMETER(interpose, target_radius, 0.1f, 0.0f, KIND_MOST)                                                       \
      PARAMETER(interpose, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)                                           \
      PARAMETER(interpose, max_prediction, 1.0f, 0.0f, KIND_MOST))                                                     \
  ROW(WANDER, wander, NEEDS_MEMORY,                                                                                    \
      PARAMETER(wander, radius, 1.0f, 0.0f, KIND_MOST)                                                                 \
      PARAMETER(wander, offset, 2.0f, 0.0f, KIND_MOST)                                                                 \
      PARAMETER(wander, rate, 4.0f, 0.0f, 6.0f))                                                                       \
  ROW(AVOID_OBSTACLES, avoid_obstacles, NEEDS_NOTHING,                                                                 \
      PARAMETER(avoid_obstacles, look_ahead, 0.0f, 0.0f, KIND_MOST)                                                    \
      PARAMETER(avoid_obstacles, look_ahead_time, 2.0f, 0.0f, KIND_MOST)                                               \
      PARAMETER(avoid_obstacles, strength, 3.0f, 0.0f, KIND_MOST)                                                      \
      PARAMETER(avoid_obstacles, nearest_only, 0.0f, 0.0f, 1.0f))                                                      \
  ROW(AVOID_WALLS, avoid_walls, NEEDS_MEMORY,                                                                          \
      PARAMETER(avoid_walls, rays, 3.0f, 0.0f, 3.0f)                                                                   \
      PARAMETER(avoid_walls, look_ahead, 0.5f, 0.0f, KIND_MOST)                                                        \
      PARAMETER(avoid_walls, look_ahead_time, 1.0f, 0.0f, KIND_MOST)                                                   \
      PARAMETER(avoid_walls, avoid_distance, 0.8f, 0.0f, KIND_MOST)                                                    \
      PARAMETER(avoid_walls, whisker, 0.6f, 0.0f, 1.0f)                                                                \
      PARAMETER(avoid_walls, angle, 0.26f, 0.0f, 1.5707963f)                                                           \
      PARAMETER(avoid_walls, widest, 1.2f, 0.0f, 1.5707963f)                                                           \
      PARAMETER(avoid_walls, spread_rate, 6.0f, 0.0f, KIND_MOST))                                                      \
  ROW(FOLLOW_FIELD, follow_field, NEEDS_SPEED | NEEDS_NUMBER,                                                          \
      PARAMETER(follow_field, field, 0.0f, 0.0f, 63.0f)                                                                \
      PARAMETER(follow_field, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST))                                       \
  ROW(FOLLOW_PATH, follow_path, NEEDS_MEMORY | NEEDS_NUMBER | NEEDS_SPEED_TIMED,                                       \
      PARAMETER(follow_path, path, 0.0f, 0.0f, 63.0f)                                                                  \
      PARAMETER(follow_path, time_to_target, 0.1f, 0.0f, KIND_MOST)                                                    \
      PARAMETER(follow_path, offset, 1.0f, -KIND_MOST, KIND_MOST)                                                      \
      PARAMETER(follow_path, offset_time, 0.0f, -KIND_MOST, KIND_MOST)                                                 \
      PARAMETER(follow_path, predict_time, 0.0f, 0.0f, KIND_MOST)                                                      \
      PARAMETER(follow_path, window, 5.0f, 0.0f, KIND_MOST)                                                            \
      PARAMETER(follow_path, slow_radius, 2.0f, 0.0f, KIND_MOST)                                                       \
      PARAMETER(follow_path, target_radius, 0.1f, 0.0f, KIND_MOST))                                                    \
  ROW(CALLBACK, callback, NEEDS_NUMBER,                                                                                \
      PARAMETER(callback, number, 0.0f, 0.0f, 7.0f))                                                                   \
  ROW(ALIGN, align, NEEDS_YAW | TURNS_ALONE | NEEDS_TARGET,                                                            \
      TURN_PARAMETERS(PARAMETER, align)                                                                                \
      PARAMETER(align, offset, 0.0f, -3.14159265f, 3.14159265f))                                                       \
  ROW(FACE, face, NEEDS_YAW | TURNS_ALONE | NEEDS_TARGET,                                                              \
      TURN_PARAMETERS(PARAMETER, face))                                                                                \
  ROW(LOOK, look, NEEDS_YAW | TURNS_ALONE,                                                                             \
      TURN_PARAMETERS(PARAMETER, look))                                                                                \
  ROW(FOLLOW_PATTERN, follow_pattern, NEEDS_MEMORY | NEEDS_NUMBER | NEEDS_PLANAR,                                      \
      PARAMETER(follow_pattern, pattern, 0.0f, 0.0f, 63.0f))                                                           \
  ROW(KINEMATIC_SEEK, kinematic_seek, NEEDS_TARGET | NEEDS_SPEED,                                                      \
      PARAMETER(kinematic_seek, radius, 0.0f, 0.0f, KIND_MOST))                                                        \
  ROW(KINEMATIC_FLEE, kinematic_flee, NEEDS_TARGET | NEEDS_SPEED,                                                      \
      PARAMETER(kinematic_flee, radius, 0.0f, 0.0f, KIND_MOST))                                                        \
  ROW(KINEMATIC_ARRIVE, kinematic_arrive, NEEDS_TARGET | NEEDS_SPEED,                                                  \
      PARAMETER(kinematic_arrive, radius, 0.1f, 0.0f, KIND_MOST)                                                       \
      PARAMETER(kinematic_arrive, time_to_target, 0.25f, KIND_LEAST_TIME, KIND_MOST))                                  \
  ROW(KINEMATIC_WANDER, kinematic_wander, NEEDS_YAW | NEEDS_SPEED,                                                     \
      PARAMETER(kinematic_wander, turn, 1.0f, 0.0f, 1.0f))                                                             \
  ROW(HIDE, hide, NEEDS_TARGET | NEEDS_SPEED,                                                                          \
      PARAMETER(hide, reach, 20.0f, 0.0f, KIND_MOST)                                                                   \
      PARAMETER(hide, distance, 0.5f, 0.0f, KIND_MOST)                                                                 \
      PARAMETER(hide, slow_radius, 2.0f, 0.0f, KIND_MOST)                                                              \
      PARAMETER(hide, target_radius, 0.1f, 0.0f, KIND_MOST)                                                            \
      PARAMETER(hide, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST))                                               \
  ROW(HUG_WALLS, hug_walls, NEEDS_SPEED,                                                                               \
      PARAMETER(hug_walls, reach, 3.0f, 0.0f, KIND_MOST)                                                               \
      PARAMETER(hug_walls, distance, 0.5f, 0.0f, KIND_MOST)                                                            \
      PARAMETER(hug_walls, look_ahead_time, 0.2f, 0.0f, KIND_MOST)                                                     \
      PARAMETER(hug_walls, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST))                                          \
  ROW(FORMATION, formation, NEEDS_MEMORY | NEEDS_NUMBER | NEEDS_TARGET | NEEDS_SPEED,                                  \
      PARAMETER(formation, number, 0.0f, 0.0f, 63.0f)                                                                  \
      PARAMETER(formation, slow_radius, 1.0f, 0.0f, KIND_MOST)                                                         \
      PARAMETER(formation, target_radius, 0.0f, 0.0f, KIND_MOST)                                                       \
      PARAMETER(formation, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST))
/* clang-format on */

#endif
