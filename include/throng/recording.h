/* throng/recording.h: what a world was told, frame by frame, and what came of it: to run it again elsewhere, and to find the first
 * frame, agent and column that come out otherwise.
 *   A recording begins with a snapshot (throng/snapshot.h). Each frame then adds what the host changed since the one before,
 * whatever it was (definitions, agents added or removed, goals, views written to), the dt, and marks of the state that the step led
 * to. What a snapshot does not hold, callbacks above all, the one who replays has to set as it was.
 *   A frame takes about 100 bytes, 4 more an agent if agents are marked, and what was changed: where agents came or went some 300, and
 * 25 (came) to 120 (went) for each. The time of a frame grows by two snapshots, a hash of each column and, where something was
 * changed, the search for it, about another snapshot's time. The recorder holds a little more than three snapshots in memory.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_RECORDING_H
#define THRONG_RECORDING_H

#include "agents.h"
#include "base.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the bytes of a recording, in order. false: they could not be kept. */
typedef struct throng_record_hook {
  bool (*write)(const void *bytes, size_t size, void *context);
  void *context;
} throng_record_hook;

/* Records a world. */
typedef struct throng_recorder throng_recorder;

/* What a recording marks in each frame, and so how exactly a replay names the first difference. */
typedef enum throng_record_detail {
  THRONG_RECORD_FRAMES = 0, /* each column: frame and column */
  THRONG_RECORD_AGENTS      /* each agent, too: frame, agent and column */
} throng_record_detail;

/* Begins a recording of the world, which it indexes if need be. The recorder must be destroyed before the world.
 * Errors: NULL_ARGUMENT (world, hook, its write, recorder), BAD_VALUE (detail), those of throng_world_index, WRITE (the hook answered false),
 * OUT_OF_MEMORY; *recorder is set only on success. */
THRONG_API throng_status throng_recorder_create(throng_world *world, const throng_record_hook *hook,
                                                throng_record_detail detail, throng_recorder **recorder,
                                                throng_error *error);
/* NULL is allowed. The recording is complete after every frame. */
THRONG_API void throng_recorder_destroy(throng_recorder *recorder);

/* throng_world_step, recorded: one call of the hook with all of the frame. Frames that the world was stepped without it are recorded as a
 * change by the host. Errors: NULL_ARGUMENT, those of throng_world_step (nothing is recorded), WRITE (the hook answered false: the
 * world is taken back to where it was, indexed, and the recording can go on), OUT_OF_MEMORY. Allocates where the world has grown. */
THRONG_API throng_status throng_recorder_step(throng_recorder *recorder, float dt, throng_error *error);

/* Where a replay is: begun by throng_replay_begin, moved on by throng_replay_step; not to be touched. The bytes stay the caller's
 * and must live as long. */
typedef struct throng_replay {
  const void *bytes;
  size_t size, at;
} throng_replay;

/* The first thing that came out otherwise. */
typedef struct throng_replay_difference {
  bool differs;                /* false: the frame came out as recorded, and the rest is 0 */
  uint64_t frame;              /* throng_world_frame() after it */
  throng_agent_id agent;       /* the smallest id index that differs; null where agents were not marked */
  throng_column column;        /* the first column, in their order, in which anybody differs */
  uint64_t recorded, replayed; /* throng_world_hash of that column */
} throng_replay_difference;

/* The definition of the recorded world, as throng_snapshot_get_def gives it. */
THRONG_API throng_status throng_replay_get_def(const void *bytes, size_t size, throng_world_def *def,
                                                 throng_error *error);

/* Makes the world what the recorded one was at the beginning. Errors: NULL_ARGUMENT, BAD_VALUE (no recording), UNSUPPORTED (another
 * version), and those of throng_world_load_snapshot; the world is as before then. */
THRONG_API throng_status throng_replay_begin(throng_replay *replay, throng_world *world, const void *bytes, size_t size,
                                             throng_error *error);

/* Whether every frame was replayed. true for NULL. */
THRONG_API bool throng_replay_has_ended(const throng_replay *replay);

/* The next frame: makes the recorded changes and steps the world, which must be as the frame before left it. Where it comes
 * out otherwise the call still succeeds, and says so in *difference (NULL: not wanted). Errors: NULL_ARGUMENT, BAD_VALUE (the
 * end; a frame that is cut off, changed or not well-formed: the text says at which byte; another frame than the world's next),
 * those of throng_world_load_snapshot and throng_world_step; the world is as before then. */
THRONG_API throng_status throng_replay_step(throng_replay *replay, throng_world *world,
                                            throng_replay_difference *difference, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
