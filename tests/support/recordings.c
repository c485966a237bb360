/* tests/support/recordings.c
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/recordings.h"

#include <stdlib.h>
#include <string.h>

static bool write_tape(const void *bytes, size_t size, void *context) {
  tape *t = context;
  if (t->refuse > 0) {
    t->refuse--;
    return false;
  }
  t->bytes = realloc(t->bytes, t->size + size);
  assert_non_null(t->bytes);
  memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
  return true;
}

throng_record_hook tape_hook(tape *t) { return (throng_record_hook){write_tape, t}; }

void tape_record(throng_world *world, tape *t, throng_record_detail detail, uint32_t frames) {
  throng_recorder *recorder;
  throng_error error;
  const throng_record_hook hook = tape_hook(t);
  require_ok(throng_recorder_create(world, &hook, detail, &recorder, &error), &error);
  for (uint32_t k = 0; k < frames; k++) require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  throng_recorder_destroy(recorder);
}

throng_world *tape_replay(const tape *t, uint64_t seed, throng_replay *replay) {
  throng_world_def def;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_replay_get_def(t->bytes, t->size, &def, &error), &error);
  def.thread_count = 1 + (uint32_t)(seed % 2);
  def.isa = seed % 3 == 0 ? THRONG_ISA_BASELINE : THRONG_ISA_AUTO;
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_replay_begin(replay, world, t->bytes, t->size, &error), &error);
  return world;
}

throng_world *quiet_world(void) {
  throng_world_def def = throng_default_world_def();
  throng_world *world = NULL;
  throng_error error;
  throng_agents_def agents = throng_default_agents_def();
  throng_vec3 p[200];
  for (int k = 0; k < 200; k++) p[k] = (throng_vec3){3 * (float)(k % 20), 0, 3 * (float)(k / 20)};
  require_ok(throng_world_create(&def, &world, &error), &error);
  agents.position.data = p;
  require_ok(throng_agents_add(world, &agents, 200, NULL, &error), &error);
  return world;
}
