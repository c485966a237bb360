/* throng/recording.h: records the changes and the results of each frame. A replay repeats the run elsewhere and
 * finds the first frame, agent and column that differ.
 * A recording begins with a snapshot (throng/snapshot.h). Each frame then adds what the host changed since the last
 * frame (definitions, agents added or removed, goals, values written through throng_world_edit), the dt, and marks:
 * hashes of the state after the step. A snapshot does not contain callbacks and other hooks; the host sets them again
 * before a replay.
 * A frame takes about 100 bytes, and 4 per agent if agents are marked. Changes come on top: about 300 bytes if agents
 * were added or removed, 25 per added agent, up to 120 per removed agent. Recording a frame takes the time of two
 * snapshots and of a hash of each column, and of about one more snapshot if the host changed something. The recorder's
 * memory is a little more than three snapshots.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_RECORDING_H
#define THRONG_RECORDING_H

#include "agents.h"
#include "base.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Receives the bytes of a recording, in order. Returns false if it could not keep them. */
typedef struct throng_record_hook {
  bool (*write)(const void *bytes, size_t size, void *context);
  void *context;
} throng_record_hook;

/* A recording in progress. */
typedef struct throng_recorder throng_recorder;

/* What a recording marks in each frame. It determines how exactly a replay can name the first difference. */
typedef enum throng_record_detail {
  THRONG_RECORD_FRAMES = 0, /* a mark per column: a replay names frame and column */
  THRONG_RECORD_AGENTS      /* also a mark per agent: a replay names frame, agent and column */
} throng_record_detail;

/* Begins a recording of the world, and indexes it if needed. The recorder must be destroyed before the world.
 * *recorder is set only on success.
 * Errors: NULL_ARGUMENT (world, hook, its write, recorder), BAD_VALUE (detail), those of throng_world_index, WRITE
 * (the hook returned false), OUT_OF_MEMORY. */
THRONG_API throng_status throng_recorder_create(throng_world *world, const throng_record_hook *hook,
                                                throng_record_detail detail, throng_recorder **recorder,
                                                throng_error *error);
/* Destroys the recorder; NULL is allowed. The recording is complete after every frame. Called while another call
 * changes the world, it does nothing, and an assertion fails. */
THRONG_API void throng_recorder_destroy(throng_recorder *recorder);

/* Does what throng_world_step does, and calls the hook once with all bytes of the frame. Frames that the world stepped
 * without the recorder are recorded as a change by the host. Allocates if the world has grown.
 * Errors: NULL_ARGUMENT, those of throng_world_step (nothing is recorded), WRITE (the hook returned false: the world
 * returns to its state before the call, indexed, and the recording can continue), OUT_OF_MEMORY. */
THRONG_API throng_status throng_recorder_step(throng_recorder *recorder, float dt, throng_error *error);

/* The state of a replay. throng_replay_begin sets it and throng_replay_step changes it; do not change it. The caller
 * owns the bytes, which must live as long as the replay. */
typedef struct throng_replay {
  const void *bytes;
  size_t size, at;
} throng_replay;

/* The first difference between a replay and its recording. */
typedef struct throng_replay_difference {
  bool differs;                /* false: the frame is as recorded, and the other members are 0 */
  uint64_t frame;              /* throng_world_frame() after that frame */
  throng_agent_id agent;       /* the smallest id whose mark differs; null without comparable marks: agents were not
                                  marked, or their number or the columns differ */
  throng_column column;        /* the first column, in the order of throng_column, in which any agent differs */
  uint64_t recorded, replayed; /* throng_world_hash of that column */
} throng_replay_difference;

/* Writes the definition of the recorded world to *def, as throng_snapshot_get_def does.
 * Errors: BAD_VALUE (the bytes are not a recording), UNSUPPORTED (another version), and those of
 * throng_snapshot_get_def. */
THRONG_API throng_status throng_replay_get_def(const void *bytes, size_t size, throng_world_def *def,
                                               throng_error *error);

/* Sets the world to the state at the beginning of the recording. On error the world does not change.
 * Errors: NULL_ARGUMENT, BAD_VALUE (the bytes are not a recording), UNSUPPORTED (another version), and those of
 * throng_world_load_snapshot. */
THRONG_API throng_status throng_replay_begin(throng_replay *replay, throng_world *world, const void *bytes, size_t size,
                                             throng_error *error);

/* Whether every frame has been replayed. true for NULL. */
THRONG_API bool throng_replay_has_ended(const throng_replay *replay);

/* Replays the next frame: makes the recorded changes and steps the world, which must be as the last replayed frame
 * left it. If the result differs from the recording, the call still succeeds and writes *difference, which may be
 * NULL. On error the world does not change.
 * Errors: NULL_ARGUMENT, BAD_VALUE (the recording has ended; the frame is cut off, changed or malformed: the text names
 * its first byte; the frame is not the world's next one), those of throng_world_load_snapshot and throng_world_step. */
THRONG_API throng_status throng_replay_step(throng_replay *replay, throng_world *world,
                                            throng_replay_difference *difference, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
