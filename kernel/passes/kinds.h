/* passes/kinds.h: the table of behaviour kinds. A new kind takes these five places:
 *   1. include/throng/behaviour.h: its struct, with unit, range, default and meaning of each parameter; its constant
 *      before THRONG_BEHAVIOUR_KINDS; its member in the union of throng_behaviour;
 *   2. here: its row. Defaults, checks, the group table, snapshots, scene files, Python and docs/manual/parameters
 *      follow from it;
 *   3. passes/steering/: its pass, BEHAVIOUR(name). A new file goes into kernel/CMakeLists.txt;
 *   4. docs/: its formula in ARITHMETIC.md, which the pass follows line by line; its row in CATALOGUE.md: what it does;
 *   5. tests/: its reference in reference/reference_a_behaviours.c, written from that page and not from the pass,
 *      and a test in groups/.
 * A kind that remembers something needs a column, too: see columns/columns.h.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_KINDS_H
#define THRONG_KERNEL_PASSES_KINDS_H

#include <stddef.h>

#include <throng/callback.h>
#include <throng/flow_field.h>
#include <throng/formation.h>
#include <throng/path.h>
#include <throng/pattern.h>

#include "base/definitions.h"

/* What a kind reads, gives and needs of its group and world. */
enum kind_needs {
  NEEDS_NOTHING = 0,
  NEEDS_TARGET = 1 << 0,      /* reads throng_behaviour.target */
  NEEDS_SPEED = 1 << 1,       /* a finite max_speed */
  NEEDS_SPEED_TIMED = 1 << 2, /* a finite max_speed where its time_to_target is above 0 */
  NEEDS_MEMORY = 1 << 3,      /* columns with one value per agent, so a list may have it only once */
  NEEDS_OTHER = 1 << 4,       /* reads throng_behaviour.other too */
  NEEDS_YAW = 1 << 5,         /* THRONG_FACING_STEERED: it gives an angular acceleration */
  TURNS_ALONE = 1 << 6,       /* it gives no linear acceleration, and so it is on no level */
  NEEDS_GUIDE = 1 << 7,       /* the path or the flow field of its index */
  MOVES_ALONE = 1 << 8        /* it moves an agent without any target */
};

#define KIND_LEAST_TIME 1e-6f

/* The first parameters of the angular kinds. */
#define TURN_PARAMETERS(PARAMETER, name)                                                                               \
  PARAMETER(name, FLOAT, slow_radius, 0.8f, 0.0f, KIND_MOST)                                                           \
  PARAMETER(name, FLOAT, target_radius, 0.01f, 0.0f, KIND_MOST)                                                        \
  PARAMETER(name, FLOAT, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)

/* The types of parameters, by name: the C type of the member, and its description. Enumerations have words in files. */
#define MEMBER_FLOAT float
#define MEMBER_BOOL bool
#define MEMBER_UINT32 uint32_t
#define MEMBER_RAYS throng_rays
#define AS_FLOAT .type = THRONG_PARAMETER_FLOAT
#define AS_BOOL .type = THRONG_PARAMETER_BOOL
#define AS_UINT32 .type = THRONG_PARAMETER_UINT32
#define AS_ENUM(...)                                                                                                   \
  .type = THRONG_PARAMETER_ENUM, .words = (const char *const[]) { __VA_ARGS__, NULL }
#define AS_RAYS AS_ENUM("single", "parallel", "whiskers", "fan")

/* ROW(CONSTANT, name, needs, parameters). A parameter is PARAMETER(name, TYPE, member, default, lowest, highest). */
/* clang-format off */
#define BEHAVIOUR_KINDS(ROW, PARAMETER)                                                                                \
  ROW(SEEK, seek, NEEDS_TARGET | NEEDS_SPEED_TIMED,                                                                    \
      PARAMETER(seek, FLOAT, time_to_target, 0.0f, 0.0f, KIND_MOST))                                                   \
  ROW(FLEE, flee, NEEDS_TARGET | NEEDS_SPEED_TIMED,                                                                    \
      PARAMETER(flee, FLOAT, time_to_target, 0.0f, 0.0f, KIND_MOST)                                                    \
      PARAMETER(flee, FLOAT, panic_radius, 0.0f, 0.0f, KIND_MOST))                                                     \
  ROW(ARRIVE, arrive, NEEDS_TARGET | NEEDS_SPEED,                                                                      \
      PARAMETER(arrive, FLOAT, slow_radius, 2.0f, 0.0f, KIND_MOST)                                                     \
      PARAMETER(arrive, FLOAT, target_radius, 0.1f, 0.0f, KIND_MOST)                                                   \
      PARAMETER(arrive, FLOAT, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)                                       \
      PARAMETER(arrive, BOOL, coast, false, false, true)                                                               \
      PARAMETER(arrive, BOOL, gather, false, false, true)                                                              \
      PARAMETER(arrive, BOOL, settle, false, false, true))                                                             \
  ROW(PURSUE, pursue, NEEDS_TARGET | NEEDS_SPEED,                                                                      \
      PARAMETER(pursue, FLOAT, time_to_target, 0.0f, 0.0f, KIND_MOST)                                                  \
      PARAMETER(pursue, FLOAT, max_prediction, 1.0f, 0.0f, KIND_MOST)                                                  \
      PARAMETER(pursue, BOOL, by_speed, false, false, true)                                                            \
      PARAMETER(pursue, BOOL, stop_at_walls, false, false, true)                                                       \
      PARAMETER(pursue, BOOL, give_up_at_walls, false, false, true))                                                   \
  ROW(EVADE, evade, NEEDS_TARGET | NEEDS_SPEED,                                                                        \
      PARAMETER(evade, FLOAT, time_to_target, 0.0f, 0.0f, KIND_MOST)                                                   \
      PARAMETER(evade, FLOAT, max_prediction, 1.0f, 0.0f, KIND_MOST)                                                   \
      PARAMETER(evade, FLOAT, panic_radius, 0.0f, 0.0f, KIND_MOST)                                                     \
      PARAMETER(evade, BOOL, by_speed, false, false, true)                                                             \
      PARAMETER(evade, BOOL, stop_at_walls, false, false, true)                                                        \
      PARAMETER(evade, BOOL, give_up_at_walls, false, false, true))                                                    \
  ROW(INTERCEPT, intercept, NEEDS_TARGET | NEEDS_SPEED_TIMED,                                                          \
      PARAMETER(intercept, FLOAT, time_to_target, 0.0f, 0.0f, KIND_MOST)                                               \
      PARAMETER(intercept, FLOAT, max_prediction, 10.0f, 0.0f, KIND_MOST)                                              \
      PARAMETER(intercept, FLOAT, least_speed, 0.01f, 0.0f, KIND_MOST)                                                 \
      PARAMETER(intercept, FLOAT, turn, 0.0f, 0.0f, 1.0f)                                                              \
      PARAMETER(intercept, FLOAT, dead_band, 0.05f, 0.0f, 1.5707964f)                                                  \
      PARAMETER(intercept, BOOL, exact, false, false, true))                                                           \
  ROW(CHASE, chase, NEEDS_TARGET,                                                                                      \
      PARAMETER(chase, FLOAT, turn, 1.0f, -1.0f, 1.0f)                                                                 \
      PARAMETER(chase, FLOAT, dead_band, 0.05f, 0.0f, 1.5707964f)                                                      \
      PARAMETER(chase, FLOAT, slow_distance, 0.0f, 0.0f, KIND_MOST))                                                   \
  ROW(VELOCITY_MATCH, velocity_match, NEEDS_TARGET,                                                                    \
      PARAMETER(velocity_match, FLOAT, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST))                              \
  ROW(OFFSET_PURSUIT, offset_pursuit, NEEDS_TARGET | NEEDS_SPEED,                                                      \
      PARAMETER(offset_pursuit, FLOAT, right, 0.0f, -KIND_MOST, KIND_MOST)                                             \
      PARAMETER(offset_pursuit, FLOAT, up, 0.0f, -KIND_MOST, KIND_MOST)                                                \
      PARAMETER(offset_pursuit, FLOAT, forward, -1.0f, -KIND_MOST, KIND_MOST)                                          \
      PARAMETER(offset_pursuit, FLOAT, slow_radius, 2.0f, 0.0f, KIND_MOST)                                             \
      PARAMETER(offset_pursuit, FLOAT, target_radius, 0.1f, 0.0f, KIND_MOST)                                           \
      PARAMETER(offset_pursuit, FLOAT, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)                               \
      PARAMETER(offset_pursuit, FLOAT, max_prediction, 1.0f, 0.0f, KIND_MOST))                                         \
  ROW(CLEAR_WAY, clear_way, NEEDS_TARGET,                                                                              \
      PARAMETER(clear_way, FLOAT, length, 3.0f, 0.0f, KIND_MOST)                                                       \
      PARAMETER(clear_way, FLOAT, width, 1.0f, 0.0f, KIND_MOST))                                                       \
  ROW(INTERPOSE, interpose, NEEDS_TARGET | NEEDS_OTHER | NEEDS_SPEED,                                                  \
      PARAMETER(interpose, FLOAT, slow_radius, 2.0f, 0.0f, KIND_MOST)                                                  \
      PARAMETER(interpose, FLOAT, target_radius, 0.1f, 0.0f, KIND_MOST)                                                \
      PARAMETER(interpose, FLOAT, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)                                    \
      PARAMETER(interpose, FLOAT, max_prediction, 1.0f, 0.0f, KIND_MOST))                                              \
  ROW(WANDER, wander, NEEDS_MEMORY | MOVES_ALONE,                                                                      \
      PARAMETER(wander, FLOAT, radius, 1.0f, 0.0f, KIND_MOST)                                                          \
      PARAMETER(wander, FLOAT, offset, 2.0f, 0.0f, KIND_MOST)                                                          \
      PARAMETER(wander, FLOAT, rate, 4.0f, 0.0f, 6.0f)                                                                 \
      PARAMETER(wander, BOOL, faces, false, false, true)                                                               \
      TURN_PARAMETERS(PARAMETER, wander))                                                                              \
  ROW(AVOID_OBSTACLES, avoid_obstacles, NEEDS_NOTHING,                                                                 \
      PARAMETER(avoid_obstacles, FLOAT, look_ahead, 0.0f, 0.0f, KIND_MOST)                                             \
      PARAMETER(avoid_obstacles, FLOAT, look_ahead_time, 2.0f, 0.0f, KIND_MOST)                                        \
      PARAMETER(avoid_obstacles, FLOAT, strength, 3.0f, 0.0f, KIND_MOST)                                               \
      PARAMETER(avoid_obstacles, BOOL, nearest_only, false, false, true)                                               \
      PARAMETER(avoid_obstacles, BOOL, sees_all, true, false, true))                                                   \
  ROW(AVOID_WALLS, avoid_walls, NEEDS_MEMORY,                                                                          \
      PARAMETER(avoid_walls, RAYS, rays, THRONG_RAYS_FAN, 0, THRONG_RAYS_FAN)                                          \
      PARAMETER(avoid_walls, FLOAT, look_ahead, 0.5f, 0.0f, KIND_MOST)                                                 \
      PARAMETER(avoid_walls, FLOAT, look_ahead_time, 1.0f, 0.0f, KIND_MOST)                                            \
      PARAMETER(avoid_walls, FLOAT, avoid_distance, 0.8f, 0.0f, KIND_MOST)                                             \
      PARAMETER(avoid_walls, FLOAT, whisker, 0.6f, 0.0f, 1.0f)                                                         \
      PARAMETER(avoid_walls, FLOAT, angle, 0.26f, 0.0f, 1.5707963f)                                                    \
      PARAMETER(avoid_walls, FLOAT, widest, 1.2f, 0.0f, 1.5707963f)                                                    \
      PARAMETER(avoid_walls, FLOAT, spread_rate, 6.0f, 0.0f, KIND_MOST)                                                \
      PARAMETER(avoid_walls, BOOL, sees_all, true, false, true))                                                       \
  ROW(FOLLOW_FIELD, follow_field, NEEDS_SPEED | NEEDS_GUIDE,                                                           \
      PARAMETER(follow_field, UINT32, index, 0, 0, THRONG_MAX_FLOW_FIELDS - 1)                                         \
      PARAMETER(follow_field, FLOAT, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST))                                \
  ROW(FOLLOW_PATH, follow_path, NEEDS_MEMORY | NEEDS_SPEED_TIMED | NEEDS_GUIDE,                                        \
      PARAMETER(follow_path, UINT32, index, 0, 0, THRONG_MAX_PATHS - 1)                                                \
      PARAMETER(follow_path, FLOAT, time_to_target, 0.1f, 0.0f, KIND_MOST)                                             \
      PARAMETER(follow_path, FLOAT, offset, 1.0f, -KIND_MOST, KIND_MOST)                                               \
      PARAMETER(follow_path, FLOAT, offset_time, 0.0f, -KIND_MOST, KIND_MOST)                                          \
      PARAMETER(follow_path, FLOAT, predict_time, 0.0f, 0.0f, KIND_MOST)                                               \
      PARAMETER(follow_path, FLOAT, window, 5.0f, 0.0f, KIND_MOST)                                                     \
      PARAMETER(follow_path, FLOAT, slow_radius, 2.0f, 0.0f, KIND_MOST)                                                \
      PARAMETER(follow_path, FLOAT, target_radius, 0.1f, 0.0f, KIND_MOST))                                             \
  ROW(CALLBACK, callback, MOVES_ALONE,                                                                                 \
      PARAMETER(callback, UINT32, index, 0, 0, THRONG_MAX_CALLBACKS - 1))                                              \
  ROW(ALIGN, align, NEEDS_YAW | TURNS_ALONE | NEEDS_TARGET,                                                            \
      TURN_PARAMETERS(PARAMETER, align)                                                                                \
      PARAMETER(align, FLOAT, offset, 0.0f, -3.14159265f, 3.14159265f))                                                \
  ROW(FACE, face, NEEDS_YAW | TURNS_ALONE | NEEDS_TARGET,                                                              \
      TURN_PARAMETERS(PARAMETER, face))                                                                                \
  ROW(LOOK, look, NEEDS_YAW | TURNS_ALONE,                                                                             \
      TURN_PARAMETERS(PARAMETER, look))                                                                                \
  ROW(FOLLOW_PATTERN, follow_pattern, NEEDS_MEMORY | MOVES_ALONE,                                                      \
      PARAMETER(follow_pattern, UINT32, index, 0, 0, THRONG_MAX_PATTERNS - 1))                                         \
  ROW(KINEMATIC_SEEK, kinematic_seek, NEEDS_TARGET | NEEDS_SPEED,                                                      \
      PARAMETER(kinematic_seek, FLOAT, radius, 0.0f, 0.0f, KIND_MOST)                                                  \
      PARAMETER(kinematic_seek, BOOL, by_axis, false, false, true))                                                    \
  ROW(KINEMATIC_FLEE, kinematic_flee, NEEDS_TARGET | NEEDS_SPEED,                                                      \
      PARAMETER(kinematic_flee, FLOAT, radius, 0.0f, 0.0f, KIND_MOST)                                                  \
      PARAMETER(kinematic_flee, BOOL, by_axis, false, false, true))                                                    \
  ROW(KINEMATIC_ARRIVE, kinematic_arrive, NEEDS_TARGET | NEEDS_SPEED,                                                  \
      PARAMETER(kinematic_arrive, FLOAT, radius, 0.1f, 0.0f, KIND_MOST)                                                \
      PARAMETER(kinematic_arrive, FLOAT, time_to_target, 0.25f, KIND_LEAST_TIME, KIND_MOST))                           \
  ROW(KINEMATIC_WANDER, kinematic_wander, NEEDS_YAW | NEEDS_SPEED | MOVES_ALONE,                                       \
      PARAMETER(kinematic_wander, FLOAT, turn, 1.0f, 0.0f, 1.0f)                                                       \
      PARAMETER(kinematic_wander, BOOL, uniform, false, false, true))                                                  \
  ROW(HIDE, hide, NEEDS_TARGET | NEEDS_SPEED,                                                                          \
      PARAMETER(hide, FLOAT, reach, 20.0f, 0.0f, KIND_MOST)                                                            \
      PARAMETER(hide, FLOAT, distance, 0.5f, 0.0f, KIND_MOST)                                                          \
      PARAMETER(hide, FLOAT, slow_radius, 2.0f, 0.0f, KIND_MOST)                                                       \
      PARAMETER(hide, FLOAT, target_radius, 0.1f, 0.0f, KIND_MOST)                                                     \
      PARAMETER(hide, FLOAT, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)                                         \
      PARAMETER(hide, BOOL, sees_all, true, false, true))                                                              \
  ROW(HUG_WALLS, hug_walls, NEEDS_SPEED | MOVES_ALONE,                                                                 \
      PARAMETER(hug_walls, FLOAT, reach, 3.0f, 0.0f, KIND_MOST)                                                        \
      PARAMETER(hug_walls, FLOAT, distance, 0.5f, 0.0f, KIND_MOST)                                                     \
      PARAMETER(hug_walls, FLOAT, look_ahead_time, 0.2f, 0.0f, KIND_MOST)                                              \
      PARAMETER(hug_walls, FLOAT, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)                                    \
      PARAMETER(hug_walls, BOOL, sees_all, true, false, true))                                                         \
  ROW(FORMATION, formation, NEEDS_MEMORY | NEEDS_TARGET | NEEDS_SPEED,                                                 \
      PARAMETER(formation, UINT32, index, 0, 0, THRONG_MAX_FORMATIONS - 1)                                             \
      PARAMETER(formation, FLOAT, slow_radius, 1.0f, 0.0f, KIND_MOST)                                                  \
      PARAMETER(formation, FLOAT, target_radius, 0.0f, 0.0f, KIND_MOST)                                                \
      PARAMETER(formation, FLOAT, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST))                                   \
  ROW(ATTRACTORS, attractors, NEEDS_NOTHING,                                                                           \
      PARAMETER(attractors, BOOL, nearest_only, false, false, true))                                                   \
  ROW(ROTATION_MATCH, rotation_match, NEEDS_YAW | TURNS_ALONE | NEEDS_TARGET,                                          \
      PARAMETER(rotation_match, FLOAT, time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST))
/* clang-format on */

/* KIND_PARAMETER(arrive, coast) is the position of a parameter in its row: 3. */
#define KIND_PARAMETER(name, member) PARAMETER_##name##_##member
#define ROW(CONSTANT, name, needs, parameters) enum { parameters };
#define PARAMETER(name, TYPE, member, value, low, high) KIND_PARAMETER(name, member),
BEHAVIOUR_KINDS(ROW, PARAMETER)
#undef ROW
#undef PARAMETER

#endif
