/* throng/pattern.h: patterns of movement that agents play (THRONG_BEHAVIOUR_FOLLOW_PATTERN, throng/behaviour.h). A
 * pattern is a list of instructions. An instruction is a force that acts until the agent has turned or moved by a given
 * amount, or a turn, a step and a wait. Source: B = Bourg & Seemann, AI for Game Developers, 3.1 (control data) and 3.3
 * (patterns in physically simulated environments).
 *   Columns (throng/agents.h) hold an agent's progress. THRONG_COLUMN_PATTERN is its own pattern, if it does not play
 * its group's. THRONG_COLUMN_PATTERN_INSTRUCTION is the current instruction. THRONG_COLUMN_PATTERN_WAY is its
 * turn and movement since that instruction began, THRONG_COLUMN_PATTERN_TIME the seconds. THRONG_COLUMN_PATTERN_CUE is
 * the cue of the current instruction.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PATTERN_H
#define THRONG_PATTERN_H

#include "agents.h"
#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_PATTERNS 64u /* of a world: indices 0 to 63 */
/* The maximum number of a pattern's instructions. */
#define THRONG_MAX_INSTRUCTIONS 65536u

/* Gives clip(f thrust A + r right taper A, A). f: facing; r: unit vector to the right; A: max_acceleration; clip(a, m)
 * shortens a to length m if it is longer. If an instruction has reached a limit at the beginning of a frame, the next
 * one begins. Without limits it never ends. The turn and the distance are those of the agent's motion since the
 * instruction began, including the effect of pushes and walls, but not of changes that the host writes.
 *   The turn counts toward the instruction's side; with right = 0, to either side. The taper, 1 without a heading limit
 * (docs/ARITHMETIC.md, "Patterns"), reduces the acceleration to the side before the end of a turn. So a full circle
 * does not close: use several short turns.
 *   With THRONG_FACING_STEERED, the agent turns to the right at right * taper * max_yaw_rate, as soon as
 * max_yaw_acceleration allows. The behaviour's weight multiplies the angular acceleration.
 *   An instruction with a `step` is a turn by any angle at once, then a step of any length (B, example 3-2). The step's
 * direction is the facing when the instruction began, turned by `turn`; below 0 the agent steps back. It goes to the
 * end of the step at max_speed, as kinematic_seek does. The step ends when the agent has gone 0.9999 of the step's
 * length along that direction. If the agent stands afterwards, it brakes in time: its speed is at most sqrt(A d) at
 * the distance d from the end.
 *   An instruction with a `turn` or a `wait`, but without a step, stands: the agent brakes to rest as fast as it can,
 * and turns in place. It ends when the turn is within 0.005 rad of its end, and after `wait` seconds.
 *   A facing that follows the motion, or is fixed, turns while an agent stands or steps back: to the step's direction
 * at once, or by max_yaw_rate. A steered facing turns as its yaw rate and yaw acceleration allow.
 *   In spatial worlds a pattern is horizontal: f is the horizontal direction of the facing, or +z if that is vertical.
 * Forces have no vertical part, so a climb goes on. The velocity of a step has none, so a step brakes a climb. */
typedef struct throng_pattern_instruction {
  float right;    /* -1 to 1: fraction of max_acceleration to the agent's right; below 0: to its left */
  float thrust;   /* -1 to 1: fraction of max_acceleration along the facing */
  float heading;  /* radians, 0 to 1e4: limit of the turn; 0 = none */
  float distance; /* metres, 0 to 1e9: limit of the straight distance from where the instruction began; 0 = none.
                     The sum of movements is in floats. Rounding loses the movement of a frame if the sum is too
                     large: at 1 m/s and 60 frames per second, up to about 100 km are safe */
  float cue; /* any number of the caller's, -1e9 to 1e9, such as 1 for "fire". THRONG_COLUMN_PATTERN_CUE returns the cue
                of an agent's current instruction */
  float turn; /* radians to the right, -pi to pi; below 0 to the left. With a turn, a step or a wait, right, thrust,
                 heading and distance must be 0 */
  float step; /* metres, -1e9 to 1e9: the step after the turn; below 0 back */
  float wait; /* seconds, 0 to 1e9: stands so long; only without a step */
} throng_pattern_instruction;

/* A list of instructions. */
typedef struct throng_pattern_def {
  const throng_pattern_instruction *instructions; /* [count]; copied */
  uint32_t count;                                 /* 1 to 65 536 */
  bool loop;       /* true (default): after the last instruction the first begins again. false: the behaviour then gives
                      no acceleration, unless `stands` */
  bool stands;     /* false (default). true: after the last instruction, without a loop, the agent brakes to rest as
                      fast as it can, and its steered facing stops turning */
  uint32_t cookie; /* set by throng_default_pattern_def; do not touch */
} throng_pattern_def;

/* Thread-safe. */
THRONG_API throng_pattern_def throng_default_pattern_def(void);

/* Sets one of the world's patterns, 0 to 63, or removes it (def == NULL): the behaviour then gives no acceleration.
 * Agents keep their instruction number; a number past the last instruction counts as the pattern's end.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE (index, count, a member out of its range), NOT_FINITE, OUT_OF_MEMORY.
 * Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_set_pattern(throng_world *world, uint32_t index, const throng_pattern_def *def,
                                                  throng_error *error);

/* Returns the number of a pattern's instructions; 0 if there is no such pattern. Thread-safe between steps. */
THRONG_API uint32_t throng_world_pattern_instruction_count(const throng_world *world, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
