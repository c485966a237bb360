/* groups/group_fields.h: the table of a group definition's fields. A new field needs two additions: its member in
 * include/throng/group.h, whose comment is the manual, and its row here. Defaults, checks, snapshots, scene files
 * and Python use the row; docs/manual/parameters prints both and compares them. The behaviours, their count and the
 * cookie have no rows.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GROUPS_GROUP_FIELDS_H
#define THRONG_KERNEL_GROUPS_GROUP_FIELDS_H

#include <float.h>
#include <math.h>

#include <throng/group.h>

#include "base/arithmetic.h"
#include "passes/passes_internal.h"

/* Types in addition to those of passes/kinds.h: LIMIT is a float that may be INFINITY, LAYERS is a mask. */
#define MEMBER_LIMIT float
#define MEMBER_LAYERS uint32_t
#define MEMBER_FACING throng_facing
#define MEMBER_ACTUATION throng_actuation
#define MEMBER_SEPARATION_LAW throng_separation_law
#define MEMBER_SEPARATION_FORM throng_separation_form
#define MEMBER_COHESION_FORM throng_cohesion_form
#define MEMBER_ALIGNMENT_FORM throng_alignment_form
#define MEMBER_AVOIDANCE_FORM throng_avoidance_form
#define MEMBER_COMBINE throng_combine
#define MEMBER_WHEN_LOST throng_when_lost
#define MEMBER_OWN_WEIGHT throng_own_weight
#define AS_LIMIT .type = THRONG_PARAMETER_FLOAT, .infinite = true
#define AS_LAYERS .type = THRONG_PARAMETER_LAYERS
#define AS_FACING AS_ENUM("instant", "smooth", "fixed", "steered")
#define AS_ACTUATION AS_ENUM("free", "vehicle", "rigid_body")
#define AS_SEPARATION_LAW AS_ENUM("inverse", "linear", "inverse_square", "as_world")
#define AS_SEPARATION_FORM AS_ENUM("push", "lateral")
#define AS_COHESION_FORM AS_ENUM("seek", "arrive", "lateral")
#define AS_ALIGNMENT_FORM AS_ENUM("match", "lateral")
#define AS_AVOIDANCE_FORM AS_ENUM("predict", "cone_mean", "cone_nearest", "reciprocal")
#define AS_COMBINE AS_ENUM("weighted", "priority", "budget", "dither")
#define AS_OWN_WEIGHT AS_ENUM("none", "separation", "cohesion", "alignment", "avoidance", "attraction", "behaviour")
#define AS_WHEN_LOST AS_ENUM("brake", "coast")

/* The rows that several rules have. */
#define MASK_AND_PRIORITY(FIELD, rule)                                                                                 \
  FIELD(LAYERS, rule.mask, THRONG_ALL_LAYERS, 0, THRONG_ALL_LAYERS)                                                    \
  FIELD(UINT32, rule.priority, 0, 0, THRONG_PRIORITIES - 1)

/* The rows of an array. */
#define PACE_DENSITY(FIELD, k, value) FIELD(FLOAT, pace.density[k], value, 0.0f, KIND_MOST)
#define PACE_FACTOR(FIELD, k, value) FIELD(FLOAT, pace.factor[k], value, 0.0f, 1.0f)
/* ROW(FIELD, k, value) of the points past the default table: they go on in steps of 1 person/m^2. */
#define PAST_DEFAULT_TABLE(FIELD, ROW, density)                                                                        \
  ROW(FIELD, 9, density(9))                                                                                            \
  ROW(FIELD, 10, density(10))                                                                                          \
  ROW(FIELD, 11, density(11))                                                                                          \
  ROW(FIELD, 12, density(12))                                                                                          \
  ROW(FIELD, 13, density(13))                                                                                          \
  ROW(FIELD, 14, density(14))                                                                                          \
  ROW(FIELD, 15, density(15))                                                                                          \
  ROW(FIELD, 16, density(16))                                                                                          \
  ROW(FIELD, 17, density(17))                                                                                          \
  ROW(FIELD, 18, density(18))                                                                                          \
  ROW(FIELD, 19, density(19))                                                                                          \
  ROW(FIELD, 20, density(20))                                                                                          \
  ROW(FIELD, 21, density(21))                                                                                          \
  ROW(FIELD, 22, density(22))                                                                                          \
  ROW(FIELD, 23, density(23))                                                                                          \
  ROW(FIELD, 24, density(24))                                                                                          \
  ROW(FIELD, 25, density(25))                                                                                          \
  ROW(FIELD, 26, density(26))                                                                                          \
  ROW(FIELD, 27, density(27))                                                                                          \
  ROW(FIELD, 28, density(28))                                                                                          \
  ROW(FIELD, 29, density(29))                                                                                          \
  ROW(FIELD, 30, density(30))                                                                                          \
  ROW(FIELD, 31, density(31))
#define AT_STEPS(k) ((float)(k)-5.0f)
#define AT_FLOOR(k) 0.2f

/* FIELD(TYPE, member, default, lowest, highest), in the order of the members. throng_groups_check also limits the
 * perception radius to the world's. */
/* clang-format off */
#define GROUP_FIELDS(FIELD)                                                                                            \
  FIELD(LIMIT, max_speed, 1.5f, FLT_MIN, KIND_MOST)                                                                    \
  FIELD(LIMIT, max_acceleration, 3.0f, FLT_MIN, KIND_MOST)                                                             \
  FIELD(FLOAT, drag, 0.0f, 0.0f, KIND_MOST)                                                                            \
  FIELD(FLOAT, body_radius, 0.2f, 0.0f, KIND_MOST)                                                                     \
  FIELD(FLOAT, mass, 80.0f, FLT_MIN, KIND_MOST)                                                                        \
  FIELD(FLOAT, contact, 0.0f, 0.0f, 1.0f)                                                                              \
  FIELD(LIMIT, max_push_speed, 0.0f, 0.0f, KIND_MOST)                                                                  \
  FIELD(FLOAT, perception_radius, 0.0f, 0.0f, KIND_MOST)                                                               \
  FIELD(FLOAT, field_of_view, SCALAR_TWO_PI, 0.0f, SCALAR_TWO_PI)                                                      \
  FIELD(BOOL, walls_hide, false, false, true)                                                                          \
  FIELD(FACING, facing, THRONG_FACING_INSTANT, 0, THRONG_FACING_STEERED)                                               \
  FIELD(FLOAT, facing_time, 0.1f, FLT_MIN, KIND_MOST)                                                                  \
  FIELD(FLOAT, facing_speed, -1.0f, -1.0f, KIND_MOST)                                                                  \
  FIELD(LIMIT, max_yaw_rate, INFINITY, FLT_MIN, MOST_YAW_RATE)                                                         \
  FIELD(LIMIT, max_yaw_acceleration, 10.0f, FLT_MIN, KIND_MOST)                                                        \
  FIELD(FLOAT, angular_drag, 0.0f, 0.0f, KIND_MOST)                                                                    \
  FIELD(ACTUATION, actuation, THRONG_ACTUATION_FREE, 0, THRONG_ACTUATION_RIGID_BODY)                                   \
  FIELD(FLOAT, vehicle.max_thrust, 3.0f, 0.0f, KIND_MOST)                                                              \
  FIELD(FLOAT, vehicle.max_brake, 3.0f, 0.0f, KIND_MOST)                                                               \
  FIELD(FLOAT, vehicle.max_lateral, 2.0f, 0.0f, KIND_MOST)                                                             \
  FIELD(FLOAT, vehicle.turning_radius, 1.0f, FLT_MIN, KIND_MOST)                                                       \
  FIELD(UINT32, layer, 0, 0, THRONG_MAX_LAYERS - 1)                                                                    \
  FIELD(UINT32, steer_period, 1, 1, LONGEST_PERIOD)                                                                    \
  FIELD(FLOAT, separation.weight, 1.0f, 0.0f, KIND_MOST)                                                               \
  FIELD(FLOAT, separation.radius, 0.0f, 0.0f, KIND_MOST)                                                               \
  FIELD(FLOAT, separation.strength, 1.0f, 0.0f, KIND_MOST)                                                             \
  FIELD(FLOAT, separation.field_of_view, SCALAR_TWO_PI, 0.0f, SCALAR_TWO_PI)                                           \
  MASK_AND_PRIORITY(FIELD, separation)                                                                                 \
  FIELD(BOOL, separation.nearest_only, false, false, true)                                                             \
  FIELD(SEPARATION_LAW, separation.law, THRONG_SEPARATION_AS_WORLD, 0, THRONG_SEPARATION_AS_WORLD)                     \
  FIELD(SEPARATION_FORM, separation.form, THRONG_SEPARATION_PUSH, 0, THRONG_SEPARATION_LATERAL)                        \
  FIELD(UINT32, separation.nearest, 0, 0, THRONG_MAX_NEAREST)                                                          \
  FIELD(FLOAT, cohesion.weight, 1.0f, 0.0f, KIND_MOST)                                                                 \
  FIELD(FLOAT, cohesion.radius, 0.0f, 0.0f, KIND_MOST)                                                                 \
  MASK_AND_PRIORITY(FIELD, cohesion)                                                                                   \
  FIELD(COHESION_FORM, cohesion.form, THRONG_COHESION_ARRIVE, 0, THRONG_COHESION_LATERAL)                              \
  FIELD(FLOAT, cohesion.slow_radius, -1.0f, -1.0f, KIND_MOST)                                                          \
  FIELD(FLOAT, cohesion.target_radius, -1.0f, -1.0f, KIND_MOST)                                                        \
  FIELD(FLOAT, cohesion.time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)                                              \
  FIELD(BOOL, cohesion.coast, true, false, true)                                                                       \
  FIELD(UINT32, cohesion.nearest, 0, 0, THRONG_MAX_NEAREST)                                                            \
  FIELD(FLOAT, alignment.weight, 1.0f, 0.0f, KIND_MOST)                                                                \
  FIELD(FLOAT, alignment.radius, 0.0f, 0.0f, KIND_MOST)                                                                \
  FIELD(FLOAT, alignment.time_to_target, 0.1f, KIND_LEAST_TIME, KIND_MOST)                                             \
  MASK_AND_PRIORITY(FIELD, alignment)                                                                                  \
  FIELD(ALIGNMENT_FORM, alignment.form, THRONG_ALIGNMENT_MATCH, 0, THRONG_ALIGNMENT_LATERAL)                           \
  FIELD(FLOAT, alignment.turn_slow_radius, 0.8f, 0.0f, KIND_MOST)                                                      \
  FIELD(FLOAT, alignment.turn_target_radius, 0.01f, 0.0f, KIND_MOST)                                                   \
  FIELD(BOOL, alignment.turns, false, false, true)                                                                     \
  FIELD(UINT32, alignment.nearest, 0, 0, THRONG_MAX_NEAREST)                                                           \
  FIELD(FLOAT, avoidance.weight, 0.0f, 0.0f, KIND_MOST)                                                                \
  FIELD(FLOAT, avoidance.horizon, 2.0f, FLT_MIN, KIND_MOST)                                                            \
  MASK_AND_PRIORITY(FIELD, avoidance)                                                                                  \
  FIELD(AVOIDANCE_FORM, avoidance.form, THRONG_AVOIDANCE_PREDICT, 0, THRONG_AVOIDANCE_RECIPROCAL)                      \
  FIELD(FLOAT, avoidance.cone, 1.05f, 0.0f, SCALAR_TWO_PI)                                                             \
  FIELD(FLOAT, avoidance.radius, 1.5f, 0.0f, KIND_MOST)                                                                \
  FIELD(FLOAT, avoidance.alike, 0.5f, -1.0f, 2.0f)                                                                     \
  FIELD(FLOAT, avoidance.margin, 0.0f, 0.0f, KIND_MOST)                                                                \
  FIELD(FLOAT, avoidance.wall_horizon, 0.1f, KIND_LEAST_TIME, KIND_MOST)                                               \
  FIELD(FLOAT, avoidance.urgency, 0.0f, 0.0f, KIND_MOST)                                                               \
  FIELD(FLOAT, attraction.weight, 0.0f, 0.0f, KIND_MOST)                                                               \
  FIELD(FLOAT, attraction.radius, 0.0f, 0.0f, KIND_MOST)                                                               \
  FIELD(FLOAT, attraction.strength, 1.0f, 0.0f, KIND_MOST)                                                             \
  MASK_AND_PRIORITY(FIELD, attraction)                                                                                 \
  FIELD(FLOAT, queue.width, 0.0f, 0.0f, KIND_MOST)                                                                     \
  FIELD(FLOAT, queue.gap, 0.3f, 0.0f, KIND_MOST)                                                                       \
  FIELD(FLOAT, queue.time_to_target, 0.5f, KIND_LEAST_TIME, KIND_MOST)                                                 \
  FIELD(FLOAT, queue.oncoming, 0.2f, 0.0f, KIND_MOST)                                                                  \
  FIELD(LAYERS, queue.mask, THRONG_ALL_LAYERS, 0, THRONG_ALL_LAYERS)                                                   \
  FIELD(COMBINE, combine, THRONG_COMBINE_WEIGHTED, 0, THRONG_COMBINE_DITHER)                                           \
  FIELD(FLOAT, combine_threshold, 0.01f, 0.0f, KIND_MOST)                                                              \
  FIELD(FLOAT, combine_chance[0], 0.8f, 0.0f, 1.0f)                                                                    \
  FIELD(FLOAT, combine_chance[1], 0.8f, 0.0f, 1.0f)                                                                    \
  FIELD(FLOAT, combine_chance[2], 0.8f, 0.0f, 1.0f)                                                                    \
  FIELD(FLOAT, combine_chance[3], 0.8f, 0.0f, 1.0f)                                                                    \
  FIELD(FLOAT, combine_chance[4], 0.8f, 0.0f, 1.0f)                                                                    \
  FIELD(FLOAT, combine_chance[5], 0.8f, 0.0f, 1.0f)                                                                    \
  FIELD(FLOAT, combine_chance[6], 0.8f, 0.0f, 1.0f)                                                                    \
  FIELD(FLOAT, combine_chance[7], 0.8f, 0.0f, 1.0f)                                                                    \
  FIELD(WHEN_LOST, when_target_lost, THRONG_WHEN_LOST_BRAKE, 0, THRONG_WHEN_LOST_COAST)                                \
  FIELD(BOOL, upright, false, false, true)                                                                             \
  FIELD(BOOL, steering_is_force, false, false, true)                                                                   \
  FIELD(FLOAT, moment_of_inertia, 0.0f, 0.0f, KIND_MOST)                                                               \
  FIELD(FLOAT, rigid_body.max_thrust, 240.0f, 0.0f, KIND_MOST)                                                         \
  FIELD(FLOAT, rigid_body.max_reverse, 0.0f, 0.0f, KIND_MOST)                                                          \
  FIELD(FLOAT, rigid_body.max_side, 80.0f, 0.0f, KIND_MOST)                                                            \
  FIELD(FLOAT, rigid_body.bow, 1.0f, FLT_MIN, KIND_MOST)                                                               \
  FIELD(FLOAT, rigid_body.max_lift, 0.0f, 0.0f, KIND_MOST)                                                             \
  FIELD(BOOL, radii_in_bodies, false, false, true)                                                                     \
  FIELD(FLOAT, pace.radius, 1.0f, 1e-6f, KIND_MOST)                                                                    \
  FIELD(FLOAT, pace.self, 0.3f, 0.0f, KIND_MOST)                                                                       \
  FIELD(FLOAT, pace.oncoming, 0.25f, 0.0f, KIND_MOST)                                                                  \
  FIELD(FLOAT, pace.time_to_target, 0.7f, KIND_LEAST_TIME, KIND_MOST)                                                  \
  FIELD(LAYERS, pace.mask, THRONG_ALL_LAYERS, 0, THRONG_ALL_LAYERS)                                                    \
  FIELD(UINT32, pace.points, 9, 2, THRONG_PACE_POINTS)                                                                 \
  PACE_DENSITY(FIELD, 0, 0.3f)                                                                                         \
  PACE_DENSITY(FIELD, 1, 0.5f)                                                                                         \
  PACE_DENSITY(FIELD, 2, 0.7f)                                                                                         \
  PACE_DENSITY(FIELD, 3, 1.35f)                                                                                        \
  PACE_DENSITY(FIELD, 4, 1.75f)                                                                                        \
  PACE_DENSITY(FIELD, 5, 2.15f)                                                                                        \
  PACE_DENSITY(FIELD, 6, 2.6f)                                                                                         \
  PACE_DENSITY(FIELD, 7, 3.1f)                                                                                         \
  PACE_DENSITY(FIELD, 8, 3.313f)                                                                                       \
  PAST_DEFAULT_TABLE(FIELD, PACE_DENSITY, AT_STEPS)                                                                    \
  PACE_FACTOR(FIELD, 0, 1.0f)                                                                                          \
  PACE_FACTOR(FIELD, 1, 0.9689f)                                                                                       \
  PACE_FACTOR(FIELD, 2, 0.9073f)                                                                                       \
  PACE_FACTOR(FIELD, 3, 0.6545f)                                                                                       \
  PACE_FACTOR(FIELD, 4, 0.5224f)                                                                                       \
  PACE_FACTOR(FIELD, 5, 0.4146f)                                                                                       \
  PACE_FACTOR(FIELD, 6, 0.3172f)                                                                                       \
  PACE_FACTOR(FIELD, 7, 0.2311f)                                                                                       \
  PACE_FACTOR(FIELD, 8, 0.2f)                                                                                          \
  PAST_DEFAULT_TABLE(FIELD, PACE_FACTOR, AT_FLOOR)                                                                     \
  FIELD(BOOL, pace.on, false, false, true)                                                                             \
  FIELD(FLOAT, pace.oncoming_weight, 0.0f, 0.0f, 1.0f)                                                                 \
  FIELD(FLOAT, pace.time_gap, 0.0f, 0.0f, KIND_MOST)                                                                   \
  FIELD(FLOAT, pace.gap, 0.0f, 0.0f, KIND_MOST)                                                                        \
  FIELD(FLOAT, pace.alike, 0.5f, -1.0f, 2.0f)                                                                          \
  FIELD(FLOAT, pace.push, 0.0f, 0.0f, 1.0f)                                                                            \
  FIELD(BOOL, own_bodies, false, false, true)                                                                          \
  FIELD(BOOL, look_ahead_in_bodies, false, false, true)                                                                \
  FIELD(OWN_WEIGHT, own_weight, THRONG_OWN_WEIGHT_NONE, 0, THRONG_OWN_WEIGHT_BEHAVIOUR)                                \
  FIELD(UINT32, own_weight_entry, 0, 0, THRONG_MAX_BEHAVIOURS - 1)
/* clang-format on */

/* The rows; no name past the last. */
extern const throng_parameter throng_group_fields[];

#endif
