/* tests/record/test_recording.c: tests that a replay repeats a recorded run to the bit and names the first difference,
 * that recordings are short, and that wrong arguments are refused.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"
#include "support/recordings.h"
#include "support/snapshots.h"
#include "support/stage.h"
#include "support/wrong.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;
#define FRAMES 12u

static throng_world *random_world(uint64_t seed, const crowd_recipe *recipe) {
  crowd *c = crowd_random(seed, recipe);
  const crowd_world_options options = {.threads = 1 + (uint32_t)(seed % 3)};
  throng_world *world = crowd_world(c, &options);
  furnish_world(world, seed);
  crowd_free(c);
  return world;
}

/* Changes the world as a host may between frames: nothing, agents, a group's definition, or one agent's velocity. */
static void meddle(throng_world *world, uint32_t frame, uint64_t seed) {
  throng_error error;
  throng_group_def g;
  if (frame % 4 == 1) stir_world(world, seed + frame);
  if (frame % 4 == 2) {
    require_ok(throng_world_get_group(world, 0, &g, &error), &error);
    g.max_acceleration *= 1.5f;
    const throng_status status = throng_world_set_group(world, 0, &g, &error);
    if (status != THRONG_OK) assert_int_equal(status, THRONG_ERROR_STALE_ID); /* its target was removed */
  }
  static throng_agent_id ids[4096];
  uint32_t count;
  require_ok(throng_agents_get_ids(world, ids, 4096, &count, &error), &error);
  if (frame % 4 == 3 && count > 0) {
    const throng_agent_id id = ids[count / 2];
    const throng_vec3 v = {0.25f, 0, 0.5f};
    require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, &id, 1, &v, 0, &error), &error);
  }
}

/* Records FRAMES steps with changes between them. Returns how many steps succeeded. hash: the state after each of
 * those. */
static uint32_t record(throng_world *world, tape *t, throng_record_detail detail, uint64_t seed,
                       uint64_t hash[FRAMES]) {
  throng_recorder *recorder;
  throng_error error;
  const throng_record_hook hook = tape_hook(t);
  uint32_t frames = 0;
  require_ok(throng_recorder_create(world, &hook, detail, &recorder, &error), &error);
  for (uint32_t k = 0; k < FRAMES; k++) {
    meddle(world, k, seed);
    if (throng_recorder_step(recorder, TAPE_DT, &error) == THRONG_OK)
      hash[frames++] = throng_world_hash(world, STATE_COLUMNS);
  }
  throng_recorder_destroy(recorder);
  return frames;
}

static void recordings_come_out_again(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 40; round++) {
    const uint64_t seed = base_seed + round;
    const crowd_recipe recipe = {.space = round % 2 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR,
                                 .boundary = (uint32_t)(round % CROWD_BOUNDARIES),
                                 .layout = (crowd_layout)(round % LAYOUT_COUNT),
                                 .count = 300};
    throng_world *world = random_world(seed, &recipe);
    tape t = {0};
    uint64_t hash[FRAMES];
    const uint32_t frames = record(world, &t, round % 2 ? THRONG_RECORD_AGENTS : THRONG_RECORD_FRAMES, seed, hash);
    throng_replay replay;
    throng_world *other = tape_replay(&t, seed, &replay);
    for (uint32_t k = 0; k < frames; k++) {
      throng_replay_difference difference = {.differs = true};
      throng_error error;
      assert_false(throng_replay_has_ended(&replay));
      require_ok(throng_replay_step(&replay, other, &difference, &error), &error);
      assert_false(difference.differs);
      assert_true(throng_world_hash(other, STATE_COLUMNS) == hash[k]);
    }
    assert_true(throng_replay_has_ended(&replay));
    throng_error error;
    require_error(throng_replay_step(&replay, other, NULL, &error), THRONG_ERROR_BAD_VALUE, &error);
    throng_world_destroy(other);
    throng_world_destroy(world);
    free(t.bytes);
  }
}

/* If one agent's velocity is changed a little during a replay, the next step reports the frame, a column and, if the
 * recording has them, the agent. */
static void the_first_difference_is_named(void **state) {
  (void)state;
  for (int agents = 0; agents < 2; agents++) {
    throng_world *world = quiet_world();
    tape t = {0};
    tape_record(world, &t, agents ? THRONG_RECORD_AGENTS : THRONG_RECORD_FRAMES, 8);
    throng_replay replay;
    throng_world *other = tape_replay(&t, 1, &replay);
    throng_replay_difference d;
    throng_error error;
    for (int k = 0; k < 3; k++) {
      require_ok(throng_replay_step(&replay, other, &d, &error), &error);
      assert_false(d.differs);
    }
    const throng_agent_id id = {121, 1, 0};
    throng_vec3 v;
    require_ok(throng_agents_read(other, THRONG_COLUMN_VELOCITY, &id, 1, &v, 0, &error), &error);
    v.x += 1e-4f;
    require_ok(throng_agents_write(other, THRONG_COLUMN_VELOCITY, &id, 1, &v, 0, &error), &error);
    require_ok(throng_replay_step(&replay, other, &d, &error), &error);
    assert_true(d.differs && d.frame == 4 && d.recorded != d.replayed);
    assert_true(d.column == THRONG_COLUMN_POSITION || d.column == THRONG_COLUMN_VELOCITY ||
                d.column == THRONG_COLUMN_FACING);
    assert_true(d.recorded != throng_world_hash(other, 1u << d.column) &&
                d.replayed == throng_world_hash(other, 1u << d.column));
    assert_int_equal(d.agent.index, agents ? 121 : 0);
    throng_world_destroy(other);
    throng_world_destroy(world);
    free(t.bytes);
  }
}

/* If the hook fails, the step changes nothing, and later steps can be recorded. */
static void a_hook_that_refuses(void **state) {
  (void)state;
  throng_world *world = quiet_world();
  tape t = {.refuse = 1};
  throng_recorder *recorder = NULL;
  throng_error error;
  const throng_record_hook hook = tape_hook(&t);
  require_error(throng_recorder_create(world, &hook, THRONG_RECORD_AGENTS, &recorder, &error), THRONG_ERROR_WRITE,
                &error);
  assert_null(recorder);
  require_ok(throng_recorder_create(world, &hook, THRONG_RECORD_AGENTS, &recorder, &error), &error);
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS), frame = throng_world_frame(world);
  t.refuse = 1;
  require_error(throng_recorder_step(recorder, TAPE_DT, &error), THRONG_ERROR_WRITE, &error);
  assert_true(hash == throng_world_hash(world, STATE_COLUMNS) && frame == throng_world_frame(world));
  require_error(throng_recorder_step(recorder, NAN, &error), THRONG_ERROR_NOT_FINITE, &error);
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  throng_recorder_destroy(recorder);
  throng_replay replay;
  throng_world *other = tape_replay(&t, 0, &replay);
  throng_replay_difference d;
  for (int k = 0; k < 2; k++) {
    require_ok(throng_replay_step(&replay, other, &d, &error), &error);
    assert_false(d.differs);
  }
  assert_true(throng_replay_has_ended(&replay));
  throng_world_destroy(other);
  throng_world_destroy(world);
  free(t.bytes);
}

/* A frame without changes takes at most 200 bytes, one with a changed velocity at most 400. */
static void recordings_are_short(void **state) {
  (void)state;
  throng_world *world = quiet_world();
  tape t = {0};
  throng_recorder *recorder;
  throng_error error;
  const throng_record_hook hook = tape_hook(&t);
  require_ok(throng_recorder_create(world, &hook, THRONG_RECORD_FRAMES, &recorder, &error), &error);
  size_t before = t.size;
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  assert_true(t.size - before <= 200);
  before = t.size;
  const throng_agent_id id = {77, 1, 0};
  const throng_vec3 v = {1, 0, 1};
  require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, &id, 1, &v, 0, &error), &error);
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  assert_true(t.size - before <= 400);
  throng_recorder_destroy(recorder);
  throng_world_destroy(world);
  free(t.bytes);
}

/* The number of ranges of consecutive id indices, in the order of ids. */
static uint32_t ranges_of(const throng_agent_id *ids, uint32_t count) {
  uint32_t ranges = 1;
  for (uint32_t k = 1; k < count; k++) ranges += ids[k].index != ids[k - 1].index + 1;
  return ranges;
}

/* Adding and removing agents shifts all columns of a snapshot, which has more than 60 000 bytes. Yet a recorded frame
 * has at most 600 bytes, and for each agent that came or went 36 in each of 8 columns: the heads of a copy and of own
 * bytes, and a number. */
static void coming_and_going_is_short(void **state) {
  (void)state;
  enum { AGENTS = 3000 };
  static throng_vec3 p[AGENTS], goal[AGENTS];
  static throng_agent_id ids[2 * AGENTS];
  test_rng rng = rng_from(base_seed + 700);
  throng_world *world = quiet_world();
  tape t = {0};
  throng_recorder *recorder;
  throng_error error;
  const throng_record_hook hook = tape_hook(&t);
  for (int k = 0; k < AGENTS; k++) {
    p[k] = (throng_vec3){rng_float(&rng, 0, 60), 0, rng_float(&rng, 0, 60)};
    goal[k] = (throng_vec3){rng_float(&rng, 0, 60), 0, rng_float(&rng, 0, 60)};
  }
  stage_add(world, AGENTS, p, NULL, goal, ids);
  require_ok(throng_recorder_create(world, &hook, THRONG_RECORD_FRAMES, &recorder, &error), &error);
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  uint32_t count = AGENTS;
  const size_t before = t.size;
  size_t most = 0;
  for (uint32_t frame = 0; frame < 60; frame++) {
    const uint32_t gone = rng_chance(&rng, 0.5f) ? rng_below(&rng, 20) : 0,
                   came = rng_chance(&rng, 0.5f) ? rng_below(&rng, 20) : 0;
    for (uint32_t k = 0; k < gone; k++) {
      const uint32_t at = rng_below(&rng, count);
      require_ok(throng_agents_remove(world, &ids[at], 1, &error), &error);
      ids[at] = ids[--count];
    }
    stage_add(world, came, p, NULL, goal, ids + count);
    count += came;
    require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
    most += 600 + 8 * 36 * (size_t)(gone + came);
  }
  assert_true(t.size - before <= most);
  /* Positions that equal goals: two numbers per agent; per range, in two columns, two heads or up to 48 equal bytes. */
  throng_agents_def here = throng_default_agents_def();
  here.position.data = here.goal.data = p;
  require_ok(throng_agents_add(world, &here, 100, ids + count, &error), &error);
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_POSITION, ids + count, 100, goal, 0, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_GOAL, ids + count, 100, goal, 0, &error), &error);
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  const size_t last = t.size;
  require_ok(throng_agents_write(world, THRONG_COLUMN_POSITION, ids + count, 100, goal, 0, &error), &error);
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  assert_true(t.size - last <= 1000 + 2 * 48 * (size_t)ranges_of(ids + count, 100));
  throng_recorder_destroy(recorder);
  throng_replay replay;
  throng_world *other = tape_replay(&t, 1, &replay);
  while (!throng_replay_has_ended(&replay)) {
    throng_replay_difference d;
    require_ok(throng_replay_step(&replay, other, &d, &error), &error);
    assert_false(d.differs);
  }
  assert_true(throng_world_hash(other, STATE_COLUMNS) == throng_world_hash(world, STATE_COLUMNS));
  throng_world_destroy(other);
  throng_world_destroy(world);
  free(t.bytes);
}

static void wrong_arguments(void **state) {
  (void)state;
  throng_world *world = quiet_world();
  tape t = {0};
  const throng_record_hook hook = tape_hook(&t), empty = {NULL, NULL};
  throng_recorder *recorder = NULL;
  throng_replay replay;
  throng_world_def def;
  throng_error error;
  wrong_watch(world);
  WRONG(NULL_ARGUMENT, "world", throng_recorder_create, NULL, &hook, THRONG_RECORD_AGENTS, &recorder);
  WRONG(NULL_ARGUMENT, "hook", throng_recorder_create, world, NULL, THRONG_RECORD_AGENTS, &recorder);
  WRONG(NULL_ARGUMENT, "hook->write", throng_recorder_create, world, &empty, THRONG_RECORD_AGENTS, &recorder);
  WRONG(NULL_ARGUMENT, "recorder", throng_recorder_create, world, &hook, THRONG_RECORD_AGENTS, NULL);
  WRONG(BAD_VALUE, "2, allowed: THRONG_RECORD_FRAMES or THRONG_RECORD_AGENTS", throng_recorder_create, world, &hook,
        (throng_record_detail)2, &recorder);
  WRONG(BAD_VALUE, "detail is -1", throng_recorder_create, world, &hook, (throng_record_detail)-1, &recorder);
  WRONG(NULL_ARGUMENT, "recorder", throng_recorder_step, NULL, TAPE_DT);
  SURVIVES(throng_recorder_destroy, NULL);
  wrong_watch(NULL);
  require_ok(throng_recorder_create(world, &hook, THRONG_RECORD_AGENTS, &recorder, &error), &error);
  wrong_watch(world);
  WRONG(BAD_VALUE, "dt", throng_recorder_step, recorder, 2.0f);
  require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  throng_recorder_destroy(recorder);
  wrong_watch(world);
  WRONG(NULL_ARGUMENT, "bytes", throng_replay_get_def, NULL, 0, &def);
  WRONG(NULL_ARGUMENT, "def", throng_replay_get_def, t.bytes, t.size, NULL);
  WRONG(BAD_VALUE, "recording", throng_replay_get_def, t.bytes, 11, &def);
  WRONG(NULL_ARGUMENT, "replay", throng_replay_begin, NULL, world, t.bytes, t.size);
  WRONG(NULL_ARGUMENT, "world", throng_replay_begin, &replay, NULL, t.bytes, t.size);
  WRONG(NULL_ARGUMENT, "bytes", throng_replay_begin, &replay, world, NULL, t.size);
  WRONG(BAD_VALUE, "cut off", throng_replay_begin, &replay, world, t.bytes, 100);
  for (uint8_t other = 0; other < 6; other++) { /* older and newer formats */
    const uint8_t now = t.bytes[8];
    char versions[60];
    if (other == now) continue;
    snprintf(versions, sizeof versions, "version %u, this library reads version %u", other, now);
    t.bytes[8] = other;
    WRONG(UNSUPPORTED, versions, throng_replay_begin, &replay, world, t.bytes, t.size);
    t.bytes[8] = now;
  }
  assert_int_equal(t.bytes[8], 4);
  ANSWERS(true, throng_replay_has_ended, NULL);
  require_ok(throng_replay_begin(&replay, world, t.bytes, t.size, &error), &error);
  wrong_watch(world);
  WRONG(NULL_ARGUMENT, "replay", throng_replay_step, NULL, world, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_replay_step, &replay, NULL, NULL);
  wrong_watch(NULL);
  stage_step(world, TAPE_DT);
  wrong_watch(world);
  WRONG(BAD_VALUE, "its next step begins at frame 0, but the world is at frame 1", throng_replay_step, &replay, world,
        NULL);
  wrong_watch(NULL);
  throng_world_destroy(world);
  free(t.bytes);
}

int main(void) {
  base_seed = test_seed("test_recording", 21);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recordings_come_out_again), cmocka_unit_test(the_first_difference_is_named),
      cmocka_unit_test(a_hook_that_refuses),       cmocka_unit_test(recordings_are_short),
      cmocka_unit_test(coming_and_going_is_short), cmocka_unit_test(wrong_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
