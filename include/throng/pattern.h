/* throng/pattern.h: patterns of movement for agents to play (THRONG_BEHAVIOUR_FOLLOW_PATTERN, throng/behaviour.h): lists of
 * instructions, each a force that lasts until the agent has turned so far or gone so far.
 * Source: Bourg & Seemann, AI for Game Developers, 3.3 (patterns in physically simulated environments).
 *   Each agent that plays has three columns (throng/agents.h): THRONG_COLUMN_PATTERN, which pattern it plays if not its group's;
 * THRONG_COLUMN_PATTERN_INSTRUCTION, which instruction of it; and THRONG_COLUMN_PATTERN_WAY, how far it has come with that.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PATTERN_H
#define THRONG_PATTERN_H

#include "agents.h"
#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_PATTERNS 64u /* of a world: numbers 0 to 63 */
/* How many instructions a pattern can have. */
#define THRONG_MAX_INSTRUCTIONS 65536u

/* The acceleration clip(f thrust A + r right taper A, A), f the facing and r one's own right. It ends, and the next one begins, in the
 * first frame that starts with a limit reached; without limits never. What counts is what the agent's motion did in the
 * frames since it began, pushes and walls included; what the host writes does not count.
 *   heading: the changes of yaw from frame to frame, summed up, to the side that the instruction turns to: a turn may be of more
 * than half a circle, and the other way counts against it. With right = 0 either side.
 *   taper = max(1 - turned / heading, 0.05), at most 1: it brakes the turn before its end; 1 without a heading limit. A turn ends
 * in an arc up to twenty times as wide as it began, so that a whole turn does not close: short ones do, as a polygon's corners. */
typedef struct throng_pattern_instruction {
  float right;    /* -1 to 1: share of max_acceleration to one's own right; below 0 to the left */
  float thrust;   /* -1 to 1: share of max_acceleration along the facing */
  float heading;  /* radians, 0 to 1e4; 0 = no such limit */
  float distance; /* metres, 0 to 1e9, straight from where the instruction began; 0 = no such limit. What a
                     frame adds must not be lost in a float: up to some 100 km at 1 m/s and 60 frames a second */
} throng_pattern_instruction;

/* A list of instructions. */
typedef struct throng_pattern_def {
  const throng_pattern_instruction *instructions; /* [count]; copied */
  uint32_t count;                                 /* 1 to 65 536 */
  bool loop;                                      /* after the last instruction the first (default true); else nothing more: the agent coasts */
  uint32_t cookie;                                /* set by throng_default_pattern_def; do not touch */
} throng_pattern_def;

/* Thread-safe. */
THRONG_API throng_pattern_def throng_default_pattern_def(void);

/* Sets the world's pattern of that number, or takes it away (def == NULL): who plays it is left alone from then on. Agents keep
 * their place; past the end of a shorter pattern it is that pattern's end. No shift of the origin matters to it. Planar worlds only.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE (number, count, a member out of its range), NOT_FINITE, UNSUPPORTED (a spatial
 * world), OUT_OF_MEMORY. Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_set_pattern(throng_world *world, uint32_t number, const throng_pattern_def *def,
                                                  throng_error *error);

/* How many instructions a pattern has; 0 where there is none. Thread-safe between steps. */
THRONG_API uint32_t throng_world_pattern_instruction_count(const throng_world *world, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
