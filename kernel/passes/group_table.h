/* group_table.h: the groups' values that passes read. Before a frame, each group's definition becomes one value in each
 * table below, so that a block can load the values of its agents' groups.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_GROUP_TABLE_H
#define THRONG_KERNEL_PASSES_GROUP_TABLE_H

#include <throng/group.h>

#include "base/assertion.h"
#include "passes/kinds.h"

/* The rules in the order in which blend adds them: rules over neighbours, then the entries of the groups' lists. */
enum rule {
  RULE_SEPARATION,
  RULE_COHESION,
  RULE_ALIGNMENT,
  RULE_AVOIDANCE,
  RULE_ATTRACTION,
  RULE_LIST, /* THRONG_MAX_BEHAVIOURS entries from here on */
  RULE_COUNT = RULE_LIST + THRONG_MAX_BEHAVIOURS
};
#define NEAREST_RULES 3                         /* the first rules may count only their nearest neighbours */
#define NEIGHBOUR_RULES ((1u << RULE_LIST) - 1) /* bits 1u << rule of the rules over neighbours */
#define MASK_QUEUE RULE_LIST                    /* the queue's mask follows those of the rules over neighbours */
#define MASK_PACE (RULE_LIST + 1)

/* Forms of rules over neighbours other than the usual ones. */
enum neighbour_form {
  FORM_NEAREST_ONLY = 1 << 0, /* separation from the nearest neighbour alone */
  FORM_COHESION_ARRIVE = 1 << 1,
  FORM_COHESION_LATERAL = 1 << 2,
  FORM_ALIGNMENT_LATERAL = 1 << 3,
  FORM_CONE = 1 << 4, /* avoidance by a cone */
  FORM_CONE_NEAREST = 1 << 5,
  FORM_WALLS_HIDE = 1 << 6,     /* of all rules: hidden neighbours do not count */
  FORM_COHESION_COAST = 1 << 7, /* cohesion that arrives gives no acceleration near the mean */
  FORM_LINEAR = 1 << 8,         /* separation's law: THRONG_SEPARATION_LINEAR */
  FORM_INVERSE_SQUARE = 1 << 9,
  FORM_SEPARATION_LATERAL = 1 << 10
};

#define LONGEST_PERIOD 8u /* the longest steer_period */
_Static_assert((LONGEST_PERIOD & (LONGEST_PERIOD - 1)) == 0, "a mask of bits limits periods");

/* The values of a target. */
enum target_param {
  TARGET_POSITION,                       /* 3; NaN if there is no target, or if each agent has its own target */
  TARGET_VELOCITY = TARGET_POSITION + 3, /* 3 */
  TARGET_FACING = TARGET_VELOCITY + 3,   /* 3; planar: the yaw, then two unused */
  TARGET_YAW_RATE = TARGET_FACING + 3,
  TARGET_PARAMS
};
/* The values of one entry of a group's list. */
enum entry_param {
  ENTRY_PARAMETER, /* THRONG_MAX_PARAMETERS floats, at KIND_PARAMETER(name, member) */
  ENTRY_TARGET = ENTRY_PARAMETER + THRONG_MAX_PARAMETERS, /* TARGET_PARAMS, then again for the other target */
  ENTRY_PARAMS = ENTRY_TARGET + 2 * TARGET_PARAMS,
  /* For a flow field, instead of a target: */
  ENTRY_FIELD_ORIGIN_X = ENTRY_TARGET,
  ENTRY_FIELD_ORIGIN_Z,
  ENTRY_FIELD_INVERSE, /* 1 / cell; 0 if there is no such field */
  ENTRY_FIELD_LAST_X,  /* the number of the last sample along x and z */
  ENTRY_FIELD_LAST_Z,
  ENTRY_FIELD_REPEAT_X, /* the number of samples along an axis on which the field repeats; 0 along others */
  ENTRY_FIELD_REPEAT_Z
};

/* m/s^2: what an infinite max_acceleration counts as. Its products with ratios of masses and with weights are finite,
 * so that a weight of 0 makes 0 of it. */
#define NO_LIMIT_ACCELERATION 1e18f

/* Group values: one table each, with a float for each group. A block loads its agents' values by group. */
enum param {
  PARAM_MAX_SPEED,
  PARAM_DESIRED_SPEED, /* max_speed; 0 if it is infinite */
  PARAM_MAX_ACCELERATION,
  PARAM_DAMP, /* 1 / (1 + drag dt) */
  PARAM_BODY_RADIUS,
  PARAM_MASS,
  PARAM_DRIVEN,   /* 1, or 0 where nothing drives the agents */
  PARAM_CONTACT,  /* the fraction of an overlap that is resolved; 0 = bodies are not solid */
  PARAM_MAX_PUSH, /* the longest distance that contact pushes an agent in a frame */
  PARAM_PERCEPTION_RADIUS,
  PARAM_VIEW,            /* signed square of the cosine at the border of the field of view; -4 for all round */
  PARAM_SEPARATION_VIEW, /* in the form of PARAM_VIEW */
  PARAM_SEPARATION_RADIUS,
  PARAM_SEPARATION_STRENGTH,
  PARAM_ALIGNMENT_RATE, /* 1 / time_to_target */
  PARAM_HORIZON,
  PARAM_URGENCY_SQ,      /* avoidance.urgency, squared; 0 = max_acceleration at any time */
  PARAM_CONE,            /* in the form of PARAM_VIEW */
  PARAM_COHESION_SLOW,   /* slow_radius */
  PARAM_COHESION_TARGET, /* target_radius */
  PARAM_COHESION_RATE,   /* 1 / time_to_target */
  PARAM_COHESION_RADIUS,
  PARAM_ALIGNMENT_RADIUS,
  PARAM_ATTRACTION_RADIUS,
  PARAM_ATTRACTION_STRENGTH,
  PARAM_NEAREST,                                     /* NEAREST_RULES tables: `nearest`; 0 = all */
  PARAM_QUEUE_WIDTH = PARAM_NEAREST + NEAREST_RULES, /* 0 = no queue */
  PARAM_QUEUE_GAP,
  PARAM_QUEUE_ONCOMING,
  PARAM_QUEUE_RATE,     /* 1 / time_to_target */
  PARAM_QUEUE_GRIP,     /* 1 / the time to reach the allowed speed */
  PARAM_PACE_RADIUS_SQ, /* 0 = no pace */
  PARAM_PACE_ONCOMING,
  PARAM_PACE_SELF,
  PARAM_PACE_INVERSE, /* 1 / PARAM_PACE_RADIUS_SQ */
  PARAM_PACE_SHARE,   /* the density of a sum of 1 */
  PARAM_PACE_GRIP,    /* 1 / the time to reach the top speed */
  PARAM_PACE_ONCOMING_WEIGHT,
  PARAM_PACE_GAP,
  PARAM_PACE_GAP_RATE, /* 1 / time_gap; 0 = no time gap */
  PARAM_PACE_ALIKE,
  PARAM_PACE_PUSH,
  PARAM_FACING_SPEED_SQ,
  PARAM_FACING_FACTOR, /* fraction of the turn per frame; 1 = instant, 0 = fixed, below 0 = steered */
  PARAM_MAX_TURN,      /* max_yaw_rate dt, at most 4, which is more than half a turn */
  PARAM_MAX_YAW_RATE,  /* this and the next two: only for THRONG_FACING_STEERED */
  PARAM_MAX_YAW_ACCELERATION,
  PARAM_YAW_DAMP,             /* 1 / (1 + angular_drag dt) */
  PARAM_OWN_BODIES,           /* body_radius where body lengths are those of the agents; 0 elsewhere */
  PARAM_RADII_IN_BODIES,      /* 1: there the radii of rules are measured in them; 0 elsewhere */
  PARAM_PERCEPTION_IN_BODIES, /* 1: and the perception radius is; 0 elsewhere */
  PARAM_FEELER_IN_BODIES,     /* 1: look_ahead is in body lengths; 0 elsewhere */
  PARAM_FEELER_UNIT,          /* the body length where look_ahead is measured in it; 1 elsewhere */
  PARAM_UPRIGHT,              /* 1: the facing stays horizontal; 0 = others */
  PARAM_THRUST,               /* this and the next three: for vehicles; below 0 if the group has none */
  PARAM_BRAKE,
  PARAM_LATERAL,
  PARAM_CURVATURE,   /* 1 / turning_radius */
  PARAM_TURN_RADIUS, /* turning_radius of vehicles that find routes; 0 = others */
  PARAM_TURN_RATE,   /* rad/s in which their facing keeps up with the motion, besides max_yaw_rate */
  PARAM_IS_FORCE,    /* 1 where steering is a force, 0 elsewhere */
  PARAM_INERTIA,     /* moment_of_inertia; 0 if it follows the mass */
  PARAM_ENGINE,      /* for rigid bodies: max_thrust / mass; below 0 if the group has none */
  PARAM_REVERSE,     /* max_reverse / mass */
  PARAM_SIDE,        /* max_side / mass */
  PARAM_LEVER,       /* mass * bow / moment_of_inertia */
  PARAM_LIFT,        /* max_lift / mass */
  PARAM_REST_SQ,     /* slower agents of the group stop when they slow down: square of a speed; 0 = none */
  PARAM_LOST_BRAKE,  /* the largest deceleration of agents that brake */
  PARAM_LOST_PLACES, /* number of places in the formation of the group's list */
  PARAM_LOST_TIME,   /* time_to_target from which PARAM_LOST_BRAKE follows; 0 = none */
  PARAM_LOST_PART,   /* the fraction of the velocity that the brake takes in a frame, at most */
  PARAM_ALIGN_TURN,  /* alignment.weight where alignment turns; 0 elsewhere */
  PARAM_ALIGN_TIME,  /* this and the next two: for groups whose alignment turns */
  PARAM_ALIGN_SLOW,
  PARAM_ALIGN_TARGET,
  PARAM_AVOID_RATE,   /* this and the next four: for reciprocal avoidance; 1 / horizon, 0 in other groups */
  PARAM_AVOID_RADIUS, /* FLT_MAX where only the perception radius limits it */
  PARAM_AVOID_MARGIN,
  PARAM_AVOID_ALIKE,
  PARAM_AVOID_WALLS,                                                 /* 1 / wall_horizon */
  PARAM_THRESHOLD,                                                   /* combine_threshold */
  PARAM_CHANCE,                                                      /* THRONG_PRIORITIES tables: combine_chance */
  PARAM_PACE_DENSITY = PARAM_CHANCE + THRONG_PRIORITIES,             /* a table per point: INFINITY past the last one */
  PARAM_PACE_FACTOR = PARAM_PACE_DENSITY + THRONG_PACE_POINTS,       /* a table per point */
  PARAM_PACE_SLOPE = PARAM_PACE_FACTOR + THRONG_PACE_POINTS,         /* a table per point: slope up to the next one */
  PARAM_OWN_WEIGHT = PARAM_PACE_SLOPE + THRONG_PACE_POINTS,          /* the rule that THRONG_COLUMN_WEIGHT weighs; -1
                                                                        if there is none */
  PARAM_WEIGHT = PARAM_OWN_WEIGHT + 1,                               /* RULE_COUNT tables */
  PARAM_ENTRY = PARAM_WEIGHT + RULE_COUNT,                           /* ENTRY_PARAMS tables per entry */
  PARAM_FLOATS = PARAM_ENTRY + ENTRY_PARAMS * THRONG_MAX_BEHAVIOURS, /* from here on: integers, as bits */
  PARAM_MASK = PARAM_FLOATS,                                         /* MASK_PACE + 1 tables: layer masks */
  PARAM_FORMS = PARAM_MASK + MASK_PACE + 1,                          /* bits of enum neighbour_form */
  PARAM_COMBINE,                                                     /* enum throng_combine */
  PARAM_LOST_ENTRY,                                                  /* the entry that brakes lost agents; NO_ENTRY if
                                                                        none does */
  PARAM_LOST_NEEDS,                                                  /* bits of enum lost_needs */
  PARAM_FROM_SPEED,                                                  /* bits of enum from_speed */
  PARAM_LAYER,                                                       /* the bit of the group's layer */
  PARAM_PERIOD,                                                      /* steer_period - 1 */
  PARAM_LONGEST_PERIOD,                                              /* the same of the longest period that the group
                                                                        allows: 0 or 7 */
  PARAM_PRIORITY,                                                    /* RULE_COUNT tables: 0 to 7 */
  PARAM_KIND = PARAM_PRIORITY + RULE_COUNT,                          /* per entry; NO_KIND if the list is shorter */
  PARAM_TARGET_KIND = PARAM_KIND + THRONG_MAX_BEHAVIOURS,            /* per entry, then again for its other target */
  PARAM_COUNT = PARAM_TARGET_KIND + 2 * THRONG_MAX_BEHAVIOURS
};
#define NO_KIND 0xFFFFFFFFu
#define NO_ENTRY 0xFFFFFFFFu
#define NO_PRIORITY THRONG_PRIORITIES /* angular behaviours are on no level */

/* What an agent must lack to be lost. */
enum lost_needs {
  LOST_WITHOUT_GOAL = 1 << 0,
  LOST_WITHOUT_PLACE = 1 << 1,   /* in the formation of the group's list */
  LOST_WITHOUT_EITHER = 1 << 2,  /* goal or place */
  LOST_WITHOUT_PATTERN = 1 << 3, /* of its own */
  LOST_WITHOUT_TARGET = 1 << 4,  /* of its own */
  LOST_WITHOUT_BOTH = 1 << 5,    /* goal or own target */
  LOST_WITHOUT_TARGET_OR_PLACE = 1 << 6
};

/* The table's value of give_up_at_walls where each agent's own target has a free time. */
#define EACH_FREE_TIME -1.0f

/* The group values that follow from max_speed. An agent with a maximum speed of its own has its own such values:
 * load_own_speed() in block.h. */
enum from_speed {
  FROM_SPEED_MAX_PUSH = 1 << 0,     /* PARAM_MAX_PUSH */
  FROM_SPEED_FACING_SPEED = 1 << 1, /* PARAM_FACING_SPEED_SQ */
  FROM_SPEED_REST = 1 << 2          /* PARAM_REST_SQ */
};
#define MOST_TURN 4.0f    /* more than half a turn: no limit */
#define PUSH_PACE 2.0f    /* fraction of max_speed; PARAM_MAX_PUSH is at least LEAST_PUSH dt */
#define LEAST_PUSH 2.0f   /* m/s */
#define FACING_PACE 0.01f /* fraction of max_speed */
#define REST_PACE 1e-6f   /* fraction of max_speed */
#define HEAVY 100.0f      /* a body of more than this many masses of another one is much heavier */
#define NEAR_RADII 3.0f   /* how near scenery or a body that is an obstacle a blocked agent is, in body radii */
#define IDLE_RATE 10.0f   /* 1/s: the brake of idle groups takes this part of the velocity */

/* The features that the live groups need besides rules. The neighbour walk chooses its variant by them. A new feature
 * takes the next bit. */
#define FEATURE_VIEW THRONG_BIT(0)              /* some field of view is less than all round */
#define FEATURE_FLOCK_MASKS THRONG_BIT(1)       /* some mask of cohesion or alignment excludes a live layer */
#define FEATURE_SEPARATION_RADIUS THRONG_BIT(2) /* some separation radius is smaller than the perception radius */
#define FEATURE_UNIFORM THRONG_BIT(3)           /* there is one live group */
#define FEATURE_SMOOTH_FACING THRONG_BIT(4)     /* some group's facing is not always its velocity's direction */
#define FEATURE_COMBINE THRONG_BIT(5)           /* some group does not blend by weight alone */
#define FEATURE_OTHER_MASKS THRONG_BIT(6)       /* some mask of separation or avoidance excludes a live layer */
#define FEATURE_SEPARATION_VIEW THRONG_BIT(7)   /* some separation's field of view differs from its group's */
#define FEATURE_BODY_RADII THRONG_BIT(8)        /* the groups' body radii differ */
#define FEATURE_CONTACT THRONG_BIT(9)           /* some group's bodies are solid */
#define FEATURE_TURN_LIMIT THRONG_BIT(10)       /* some max_yaw_rate is finite */
#define FEATURE_STEERED_YAW THRONG_BIT(11)      /* some group has THRONG_FACING_STEERED */
#define FEATURE_VEHICLES THRONG_BIT(12)         /* some group has THRONG_ACTUATION_VEHICLE */
#define FEATURE_MORE_RULES THRONG_BIT(13)       /* some group needs VARIANT_RARE of the neighbour walk */
#define FEATURE_QUEUE THRONG_BIT(14)            /* some group queues */
#define FEATURE_BLIND_SEPARATION THRONG_BIT(15) /* some separation's field of view is less than all round */
#define FEATURE_PERCEPTION_RADII THRONG_BIT(16) /* the groups' perception radii differ */
#define FEATURE_REST THRONG_BIT(17)             /* some group has PARAM_REST_SQ */
#define FEATURE_YIELD THRONG_BIT(18)            /* solid bodies may be blocked: scenery, faces, other bodies */
#define FEATURE_ROUTES THRONG_BIT(19)           /* some group has PARAM_TURN_RADIUS */
#define FEATURE_SIGHT THRONG_BIT(20)            /* some group has walls_hide, and the world has scenery or cells */
#define FEATURE_SLICED THRONG_BIT(21)       /* the world keeps accelerations: agents may have a steer_period above 1 */
#define FEATURE_OWN_TARGETS THRONG_BIT(22)  /* some entry has THRONG_TARGET_OWN */
#define FEATURE_FORCE THRONG_BIT(23)        /* some group's steering is a force */
#define FEATURE_RIGID_BODIES THRONG_BIT(24) /* some group has THRONG_ACTUATION_RIGID_BODY */
#define FEATURE_UPRIGHT THRONG_BIT(25)      /* some group's facing stays horizontal; spatial worlds */
#define FEATURE_COHESION_ARRIVES THRONG_BIT(26) /* some group's cohesion arrives */
#define FEATURE_COHESION_SEEKS THRONG_BIT(27)   /* some group's cohesion does not arrive */
#define FEATURE_LATERAL THRONG_BIT(28)          /* some group's separation is lateral */
#define FEATURE_ALIGNMENT_TURNS THRONG_BIT(29)  /* some group's alignment turns */
#define FEATURE_PACE THRONG_BIT(30)             /* some group has a pace */
#define FEATURE_RECIPROCAL THRONG_BIT(31)       /* some group has THRONG_AVOIDANCE_RECIPROCAL */
#define FEATURE_GAP THRONG_BIT(32)              /* some group keeps a time gap, or counts oncoming agents */
#define FEATURE_URGENCY THRONG_BIT(33)          /* some group's avoidance has an urgency */
#define FEATURE_NEAREST THRONG_BIT(34)          /* some rule counts only its nearest neighbours */
#define FEATURE_OWN_BODIES THRONG_BIT(35)       /* some group's body lengths are those of the agents */
#define FEATURE_COUNT 36
#define FEATURE_MASKS (FEATURE_FLOCK_MASKS | FEATURE_OTHER_MASKS)
#define FEATURE_COURSES (FEATURE_RECIPROCAL | FEATURE_GAP) /* passes read frame->seen */

/* The kinds and targets that the live groups have at one position of their lists. */
struct entry_use {
  uint64_t kinds;      /* bits of the kinds at this position */
  uint32_t targets[2]; /* bits of the kinds of their targets, and of their other targets */
  bool mixed;          /* live groups have different kinds there: a pass writes only the lanes with its own kind */
  bool turns;          /* some kind at this position is angular */
  bool brakes;         /* some group's lost agents brake at this position */
  bool gathers;        /* some group has arrive with gather there */
};

_Static_assert(FEATURE_COUNT <= 64 && THRONG_BEHAVIOUR_KINDS < 64, "a bit for each");

struct group_table {
  float *rows;                            /* [PARAM_COUNT][row] see group_row(); with 16 more elements */
  uint32_t row;                           /* there is memory for the groups below this number */
  uint32_t layers;                        /* number of layers with live groups */
  uint32_t live_layer[THRONG_MAX_LAYERS]; /* [layers] the bits of these layers */
  uint32_t layer_row[THRONG_MAX_GROUPS];  /* a live group's position in live_layer */

  throng_separation_law separation_law; /* of all live groups that separate; AS_WORLD if their laws differ */

  uint32_t rules;  /* bits 1u << rule of rules with a weight in a live group */
  uint32_t levels; /* bits 1u << priority of rules with a weight */
  uint64_t kinds;  /* bits of the kinds of entries with a weight in a live group */
  struct entry_use entry[THRONG_MAX_BEHAVIOURS];
  uint64_t features;               /* FEATURE_... that a live group needs */
  uint32_t largest;                /* the largest number of a live group */
  float solid_body;                /* the largest body radius of the live groups with contact */
  float longest_push;              /* metres: the largest PARAM_MAX_PUSH of these groups, at most R / 8 */
  uint32_t nearest[NEAREST_RULES]; /* the largest PARAM_NEAREST of the live groups, for each of its rules */
  uint32_t pace_points;            /* the largest number of points of the live groups with a pace */
  uint32_t pace_like;    /* the group whose table all of these have; THRONG_MAX_GROUPS if their tables differ */
  bool brakes;           /* some entry brakes */
  bool heavy_bodies;     /* some solid group is much heavier than another one */
  bool body_obstacles;   /* so it is, or something drives some solid groups, and nothing drives others */
  bool reciprocal_masks; /* some mask of reciprocal avoidance excludes a live layer */
};

/* A parameter's value of each group. A pass may load 16 elements, whatever the number of groups. */
static inline float *group_row(const struct group_table *table, int param) {
  ASSERT_ALONE(param >= 0 && param < PARAM_COUNT);
  return table->rows + (size_t)table->row * (size_t)param;
}

#endif
