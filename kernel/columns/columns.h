/* columns.h: the structure of arrays that holds the agents. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_COLUMNS_COLUMNS_H
#define THRONG_KERNEL_COLUMNS_COLUMNS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <throng/agents.h>
#include <throng/formation.h>
#include <throng/pattern.h>

#include "columns/ids.h"

#define MOST_SPEED 1e18f      /* m/s along an axis; its square is finite */
#define MOST_YAW_RATE 1e4f    /* rad/s: the turn of a frame is exact to a thousandth */
#define MOST_ANGLE 3.1415928f /* pi, rounded up */

/* The quantity of a column. It gives the number of components, and how the host's axes convert them. */
enum quantity {
  QUANTITY_BYTE,      /* 1 uint8_t */
  QUANTITY_NUMBER,    /* 1 */
  QUANTITY_PAIR,      /* 2 numbers */
  QUANTITY_ID,        /* 2: the bits of a throng_agent_id; the generation is in the low half of the second */
  QUANTITY_LENGTH,    /* 1: metres, or their rate */
  QUANTITY_ANGLE,     /* 1: radians about the vertical, or their rate */
  QUANTITY_VECTOR,    /* 3: metres along x, y and z, or their rate */
  QUANTITY_DIRECTION, /* 3: a unit vector */
  QUANTITY_WAY        /* 3: an angle, then metres along x and z */
};

/* When a column is created, and what writes it. */
enum column_owner {
  OWNER_WORLD,  /* every world has it; every frame writes it */
  OWNER_HOST,   /* created when the host first writes it; frames keep it */
  OWNER_MEMORY, /* memory of kinds of behaviours: created for a group with such a behaviour; written by frames in which
                   such a behaviour takes part */
  OWNER_KIND,   /* created for a group with one of the kinds; frames keep it */
  OWNER_YAW,    /* created for a group with a steered yaw; frames in which such a group is live write it */
  OWNER_YIELD,  /* created for a group with contact; frames in which agents may yield write it */
  OWNER_PERIOD, /* created for a group with a steer_period above 1, or with the column of periods; every frame then
                   writes it */
  OWNER_NONE    /* not an array of `struct columns` */
};

enum column_flag {
  COLUMN_MAY_BE_NAN = 1, /* NaN = none, the value of new agents. Other columns begin with 0 */
  COLUMN_OF_GROUP = 2,   /* NaN = the group's value */
  COLUMN_ABOVE_LOW = 4,  /* `low` itself is not allowed */
  COLUMN_WHOLE = 8,      /* whole numbers */
  COLUMN_STEERED = 16,   /* written by throng_world_steer; not part of the state */
  COLUMN_MAKES_DUE = 32, /* an agent whose value the host writes is due in the next frame: "Time slicing" */
  COLUMN_DERIVED = 64    /* computed from other columns when it is read; not part of the state */
};

/* The columns: a row for each throng_column, in that order. To add a column, add a row here, a line of the manual
 * (throng/agents.h) and a test.
 *     X(NAME, name in texts, number of arrays, (their names), quantity in planar worlds, in spatial worlds,
 *       low, high, flags, OWNER, bits of its kinds of behaviours)
 * COLUMN_ and an array's name form its enumerator. A planar world creates as many arrays as an agent has components
 * there, but no y of velocities and of kept accelerations. It creates the y of positions once an agent has a y other
 * than 0. */
/* clang-format off */
#define COLUMNS(X)                                                                                                     \
  X(POSITION, "position", 3, (POSITION_X, POSITION_Y, POSITION_Z), VECTOR, VECTOR,                                     \
    -FLT_MAX, FLT_MAX, COLUMN_MAKES_DUE, WORLD, 0)                                                                     \
  X(VELOCITY, "velocity", 3, (VELOCITY_X, VELOCITY_Y, VELOCITY_Z), VECTOR, VECTOR,                                     \
    -MOST_SPEED, MOST_SPEED, COLUMN_MAKES_DUE, WORLD, 0)                                                               \
  X(FACING, "facing", 3, (FACING_X, FACING_Y, FACING_Z), ANGLE, DIRECTION,                                             \
    -MOST_ANGLE, MOST_ANGLE, COLUMN_MAKES_DUE, WORLD, 0)                                                               \
  X(GOAL, "goal", 3, (GOAL_X, GOAL_Y, GOAL_Z), VECTOR, VECTOR,                                                         \
    -FLT_MAX, FLT_MAX, COLUMN_MAY_BE_NAN, HOST, 0)                                                                     \
  X(WANDER, "wander", 3, (WANDER_X, WANDER_Y, WANDER_Z), ANGLE, DIRECTION,                                             \
    -MOST_ANGLE, MOST_ANGLE, 0, MEMORY, THRONG_BIT(THRONG_BEHAVIOUR_WANDER))                                           \
  X(PERCEPTION_RADIUS, "perception_radius", 1, (PERCEPTION_RADIUS), LENGTH, LENGTH,                                    \
    0, FLT_MAX, COLUMN_MAY_BE_NAN | COLUMN_OF_GROUP | COLUMN_ABOVE_LOW | COLUMN_MAKES_DUE, HOST, 0)                    \
  X(BODY_RADIUS, "body_radius", 1, (BODY_RADIUS), LENGTH, LENGTH,                                                      \
    0, 1e9f, COLUMN_MAY_BE_NAN | COLUMN_OF_GROUP | COLUMN_MAKES_DUE, HOST, 0)                                          \
  X(GROUP, "group", 0, (), BYTE, BYTE,                                                                                 \
    0, 255, COLUMN_MAKES_DUE, NONE, 0)                                                                                 \
  X(ACCELERATION, "acceleration", 0, (), VECTOR, VECTOR,                                                               \
    0, 0, COLUMN_STEERED, NONE, 0)                                                                                     \
  X(FAN, "fan", 2, (FAN_ANGLE, FAN_LATCH), PAIR, PAIR,                                                                 \
    0, 2, 0, MEMORY, THRONG_BIT(THRONG_BEHAVIOUR_AVOID_WALLS))                                                         \
  X(PATH_PARAMETER, "path_parameter", 1, (PATH_PARAMETER), LENGTH, LENGTH,                                             \
    0, FLT_MAX, COLUMN_MAY_BE_NAN, MEMORY, THRONG_BIT(THRONG_BEHAVIOUR_FOLLOW_PATH))                                   \
  X(YAW_RATE, "yaw_rate", 1, (YAW_RATE), ANGLE, ANGLE,                                                                 \
    -MOST_YAW_RATE, MOST_YAW_RATE, 0, YAW, 0)                                                                          \
  X(YAW_ACCELERATION, "yaw_acceleration", 0, (), ANGLE, ANGLE,                                                         \
    0, 0, COLUMN_STEERED, NONE, 0)                                                                                     \
  X(PATTERN, "pattern", 1, (PATTERN), NUMBER, NUMBER,                                                                  \
    0, THRONG_MAX_PATTERNS - 1, COLUMN_MAY_BE_NAN | COLUMN_WHOLE, HOST, 0)                                             \
  X(PATTERN_INSTRUCTION, "pattern_instruction", 1, (PATTERN_INSTRUCTION), NUMBER, NUMBER,                              \
    0, THRONG_MAX_INSTRUCTIONS, COLUMN_MAY_BE_NAN | COLUMN_WHOLE, MEMORY,                                              \
    THRONG_BIT(THRONG_BEHAVIOUR_FOLLOW_PATTERN))                                                                       \
  X(PATTERN_WAY, "pattern_way", 3, (PATTERN_TURNED, PATTERN_MOVED_X, PATTERN_MOVED_Z), WAY, WAY,                       \
    -1e9f, 1e9f, 0, MEMORY, THRONG_BIT(THRONG_BEHAVIOUR_FOLLOW_PATTERN))                                               \
  X(FORMATION_PLACE, "formation_place", 1, (FORMATION_PLACE), NUMBER, NUMBER,                                          \
    0, THRONG_MAX_FORMATION_PLACES - 1, COLUMN_MAY_BE_NAN | COLUMN_WHOLE, KIND, THRONG_BIT(THRONG_BEHAVIOUR_FORMATION))\
  X(MASS, "mass", 1, (MASS), NUMBER, NUMBER,                                                                           \
    0, 1e9f, COLUMN_MAY_BE_NAN | COLUMN_OF_GROUP | COLUMN_ABOVE_LOW | COLUMN_MAKES_DUE, HOST, 0)                       \
  X(BLOCKED_TIME, "blocked_time", 1, (BLOCKED_TIME), NUMBER, NUMBER,                                                   \
    0, 1, 0, YIELD, 0)                                                                                                 \
  X(MAX_SPEED, "max_speed", 1, (MAX_SPEED), LENGTH, LENGTH,                                                            \
    0, 1e9f, COLUMN_MAY_BE_NAN | COLUMN_OF_GROUP | COLUMN_MAKES_DUE, HOST, 0)                                          \
  X(STEER_PERIOD, "steer_period", 1, (STEER_PERIOD), NUMBER, NUMBER,                                                   \
    1, 8, COLUMN_MAY_BE_NAN | COLUMN_OF_GROUP | COLUMN_WHOLE, HOST, 0)                                                 \
  X(KEPT_ACCELERATION, "kept_acceleration", 3, (KEPT_X, KEPT_Y, KEPT_Z), VECTOR, VECTOR,                               \
    -FLT_MAX, FLT_MAX, COLUMN_MAY_BE_NAN, PERIOD, 0)                                                                   \
  X(PATTERN_CUE, "pattern_cue", 0, (), NUMBER, NUMBER,                                                                 \
    0, 0, COLUMN_DERIVED, NONE, 0)                                                                                     \
  X(TARGET, "target", 2, (TARGET_INDEX, TARGET_GENERATION), ID, ID,                                                    \
    0, 0, 0, HOST, 0)                                                                                                  \
  X(PATTERN_TIME, "pattern_time", 1, (PATTERN_TIME), NUMBER, NUMBER,                                                   \
    0, 1e9f, 0, MEMORY, THRONG_BIT(THRONG_BEHAVIOUR_FOLLOW_PATTERN))                                                   \
  X(MAX_YAW_RATE, "max_yaw_rate", 1, (MAX_YAW_RATE), NUMBER, NUMBER,                                                   \
    0, 1e4f, COLUMN_MAY_BE_NAN | COLUMN_ABOVE_LOW, HOST, 0)                                                            \
  X(WEIGHT, "weight", 1, (WEIGHT), NUMBER, NUMBER,                                                                     \
    -1e9f, 1e9f, COLUMN_MAY_BE_NAN | COLUMN_MAKES_DUE, HOST, 0)
/* clang-format on */

#define COLUMN_ARRAYS_0()
#define COLUMN_ARRAYS_1(a) COLUMN_##a,
#define COLUMN_ARRAYS_2(a, b) COLUMN_##a, COLUMN_##b,
#define COLUMN_ARRAYS_3(a, b, c) COLUMN_##a, COLUMN_##b, COLUMN_##c,
#define COLUMN_FIRST_0() COLUMN_COUNT
#define COLUMN_FIRST_1(a) COLUMN_##a
#define COLUMN_FIRST_2(a, b) COLUMN_##a
#define COLUMN_FIRST_3(a, b, c) COLUMN_##a

/* The arrays of floats. Planar worlds store the yaw in COLUMN_FACING_X and the wander angle in COLUMN_WANDER_X.
 * The arrays after those of the columns hold the previous pose: the position and facing before the last frame. They
 * exist if the world's definition has keep_previous_pose, for the same components that the pose has, except for the y
 * of planar worlds, which no frame changes. No result of a frame depends on them. */
#define X(NAME, name, arrays, names, ...) COLUMN_ARRAYS_##arrays names
enum column {
  COLUMNS(X) COLUMN_PREVIOUS,
  COLUMN_PREVIOUS_FACING = COLUMN_PREVIOUS + 3,
  COLUMN_COUNT = COLUMN_PREVIOUS + 6
};
#undef X

/* The array of the pose whose previous values are in an array. */
static inline int column_of_pose(int previous) {
  return previous < COLUMN_PREVIOUS_FACING ? COLUMN_POSITION_X + (previous - COLUMN_PREVIOUS)
                                           : COLUMN_FACING_X + (previous - COLUMN_PREVIOUS_FACING);
}

/* The last bits of a set of columns are THRONG_PIECE_PREVIOUS_POSE and THRONG_PIECE_HEIGHT, in snapshots
 * SNAPSHOT_HEIGHTS. */
_Static_assert(THRONG_COLUMN_COUNT <= 62, "a bit for each column");

struct column_row {
  const char *name;
  uint8_t first, arrays; /* enum column; COLUMN_COUNT and 0 if the column has no arrays */
  uint8_t quantity[2];   /* enum quantity, by spatial */
  uint8_t flags, owner;  /* enum column_flag, enum column_owner */
  float low, high;
  uint64_t kinds; /* bits of the kinds of behaviours that need the column */
};
extern const struct column_row throng_column_rows[THRONG_COLUMN_COUNT];

/* The number of components of a column, and their bytes. */
static inline uint32_t column_components(throng_column column, bool spatial) {
  switch ((enum quantity)throng_column_rows[column].quantity[spatial]) {
  case QUANTITY_PAIR:
  case QUANTITY_ID:
    return 2;
  case QUANTITY_VECTOR:
  case QUANTITY_DIRECTION:
  case QUANTITY_WAY:
    return 3;
  default:
    return 1;
  }
}
/* Whether a world lacks the array of a column's component 1: planar motion has no y, but a goal has one. */
static inline bool column_lacks_y(const struct column_row *row, bool spatial) {
  return !spatial && row->quantity[false] == QUANTITY_VECTOR && row->owner != OWNER_HOST;
}
static inline size_t column_bytes(throng_column column, bool spatial) {
  return column == THRONG_COLUMN_GROUP ? 1 : column_components(column, spatial) * sizeof(float);
}
/* The value of a column of a new agent. */
static inline float column_fill(const struct column_row *row) { return row->flags & COLUMN_MAY_BE_NAN ? NAN : 0.0f; }

struct columns {
  float *f[COLUMN_COUNT]; /* NULL: the world lacks the column */
  uint32_t *id;           /* id index */
  uint32_t *meta;         /* group in bits 0-7, META_GHOST, generation in bits 16-31 */
};

/* What turns steered facings of spatial worlds. A value that does not concern an agent is 0. */
enum turning {
  TURNING_YAW, /* rad/s^2 about the vertical: upright facings */
  TURNING_X,   /* and Y, Z: rad/s, a vector at right angles to the facing: other facings */
  TURNINGS = TURNING_X + 3
};

/* Sets of arrays that are no columns. All arrays of a set exist, or none. */
enum array_set {
  ARRAYS_ALWAYS = 1 << 0,      /* with the first capacity */
  ARRAYS_TURNING = 1 << 1,     /* a group steers yaws or facings */
  ARRAYS_CONTACT = 1 << 2,     /* a group has contact */
  ARRAYS_ZONED_SPEED = 1 << 3, /* the world has speed zones */
  ARRAYS_FATES = 1 << 4,       /* the world is a piece */
  ARRAYS_SEEN = 1 << 5         /* a group reads the courses of others */
};
/* The arrays: a row for each pointer of struct agents. `keeps`: growth copies the values.
 *     X(SET, member, 4-byte values per agent in planar worlds, in spatial worlds: 0 = no such array, keeps) */
/* clang-format off */
#define AGENT_ARRAYS(X)                                                                                                \
  X(ALWAYS, acceleration[0], 1, 1, true)                                                                               \
  X(ALWAYS, acceleration[1], 0, 1, true)                                                                               \
  X(ALWAYS, acceleration[2], 1, 1, true)                                                                               \
  X(TURNING, acceleration[1], 1, 0, true)                                                                              \
  X(TURNING, turning[TURNING_YAW], 0, 1, true)                                                                         \
  X(TURNING, turning[TURNING_X], 0, 1, true)                                                                           \
  X(TURNING, turning[TURNING_X + 1], 0, 1, true)                                                                       \
  X(TURNING, turning[TURNING_X + 2], 0, 1, true)                                                                       \
  X(CONTACT, contact[0][0], 1, 1, false)                                                                               \
  X(CONTACT, contact[0][1], 0, 1, false)                                                                               \
  X(CONTACT, contact[0][2], 1, 1, false)                                                                               \
  X(CONTACT, contact[1][0], 1, 1, false)                                                                               \
  X(CONTACT, contact[1][1], 0, 1, false)                                                                               \
  X(CONTACT, contact[1][2], 1, 1, false)                                                                               \
  X(CONTACT, near, NEAR_OF_AGENT, NEAR_OF_AGENT, false)                                                                \
  X(CONTACT, near_head, 1, 1, false)                                                                                   \
  X(CONTACT, solid_radius, 1, 1, false)                                                                                \
  X(CONTACT, pushed[0], 1, 1, false)                                                                                   \
  X(CONTACT, pushed[1], 1, 1, false)                                                                                   \
  X(ZONED_SPEED, zoned_speed, 1, 1, false)                                                                             \
  X(FATES, fate, 1, 1, false)                                                                                          \
  X(FATES, border, 1, 1, false)                                                                                        \
  X(SEEN, seen, SEEN_FLOATS, SEEN_FLOATS_SPATIAL, false)                                                               \
  X(SEEN, wished, 1, 1, true)
/* clang-format on */

struct agents {
  uint32_t count, capacity;
  bool spatial;               /* the world's space */
  struct columns front;       /* the committed state, in grid order unless the world is dirty */
  struct columns back;        /* what a frame writes */
  float *acceleration[3];     /* planar worlds: [1] is the yaw acceleration, and NULL until a yaw is steered */
  float *turning[TURNINGS];   /* NULL in planar worlds, and until a facing is steered */
  float *contact[2][3];       /* positions that contact iterations read and write; NULL until a group has contact */
  uint32_t *near, *near_head; /* near lists of contact iterations: passes/motion/near_lists.h; NULL as `contact` */
  float *solid_radius;        /* near lists read it */
  uint32_t *pushed[2];        /* near lists read them: which blocks the last two iterations pushed */
  float *zoned_speed;         /* the agents' maximum speeds in this frame; NULL until the world has speed zones */
  float *seen;   /* [capacity + COLUMN_PADDING][SEEN_FLOATS or SEEN_FLOATS_SPATIAL] what reciprocal avoidance and
                    time gaps read of an agent; the last element is infinitely far away. NULL until a group needs it */
  float *wished; /* [capacity + COLUMN_PADDING] what passes/blocked.h keeps; NULL as `seen` */
  /* In a piece of a world, and NULL in others: what the exchange of the frame does with each agent (enum fate), and the
   * list of agents that it is given. */
  uint32_t *fate, *border;
  struct id_table ids;
};

/* In the frame of a piece: where an agent is after the exchange. */
enum fate {
  FATE_STAYS,         /* here, as before: an own agent, or a ghost that was taken again */
  FATE_BORDER,        /* the same; an own agent outside the inner box */
  FATE_LEAVES,        /* elsewhere */
  FATE_BECOMES_GHOST, /* here; the agent was given to another piece */
  FATE_BECOMES_OWN    /* here; a ghost that was taken as an own agent */
};

#define META_GHOST 0x100u /* another piece owns the agent: throng/piece.h */
static inline uint32_t meta_make(uint32_t group, uint32_t generation) { return group | generation << 16; }
static inline uint32_t meta_group(uint32_t meta) { return meta & 0xFFu; }
static inline uint32_t meta_generation(uint32_t meta) { return meta >> 16; }

/* Every array has this many more elements than its capacity, so that a block can always load all its lanes. */
#define COLUMN_PADDING 64u
#define NEAR_OF_AGENT 4u /* elements of `near` for each agent */
#define SEEN_FLOATS 8u
#define SEEN_FLOATS_SPATIAL 12u

/* Memory. `spatial` is the world's. A call that returns OUT_OF_MEMORY changes nothing. */
throng_status throng_columns_out_of_memory(uint32_t agents, throng_error *error);
/* Copies the agents into arrays for `capacity`, in *grown. The id table is shared. */
throng_status throng_columns_grow(const struct agents *agents, struct agents *grown, uint32_t capacity, bool spatial,
                                  const throng_allocator *allocator, throng_error *error);
/* Releases all arrays but those of the id table. */
void throng_columns_release(struct agents *agents, const throng_allocator *allocator);

/* Creates the arrays [first, first + components), front and back, with all elements `fill`. */
throng_status throng_columns_need(struct agents *agents, int first, int components, float fill,
                                  const throng_allocator *allocator, throng_error *error);
/* Creates the columns that every world has, and those of the previous pose if `previous`; `agents` has none yet. */
throng_status throng_columns_create(struct agents *agents, bool spatial, bool previous,
                                    const throng_allocator *allocator, throng_error *error);
/* Makes the previous pose of the agents in slots [begin, end) their pose, if the world keeps one. */
void throng_columns_forget_pose(struct columns *front, uint32_t begin, uint32_t end);
/* Does the same for slots[count], after the host has written `column`, with what it has written of their pose. */
void throng_columns_note_write(struct columns *front, throng_column column, const uint32_t *slots, uint32_t count);
/* Creates the column of yaw rates and ARRAYS_TURNING. */
throng_status throng_columns_need_yaw_rate(struct agents *agents, const throng_allocator *allocator,
                                           throng_error *error);
/* The sets of arrays that exist: bits of enum array_set. */
unsigned throng_columns_arrays(const struct agents *agents);
/* Creates the arrays of these sets, unless they exist: all, or none. */
throng_status throng_columns_need_arrays(struct agents *agents, unsigned sets, const throng_allocator *allocator,
                                         throng_error *error);
void throng_columns_release_arrays(struct agents *agents, unsigned sets, const throng_allocator *allocator);
/* What writes columns in a frame, besides those that every world has. */
struct column_writers {
  uint64_t kinds;  /* bits of the kinds of behaviours that steered */
  bool yaw, yield; /* yaws are steered; agents may yield */
};
/* Lists the arrays that a frame writes. */
void throng_columns_list_written(const struct column_writers *writers, bool spatial, bool written[COLUMN_COUNT]);
/* Releases the columns that are NULL in `had`. */
void throng_columns_drop(struct agents *agents, const struct columns *had, const throng_allocator *allocator);

#endif
