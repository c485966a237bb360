/* tests/world/test_piece.c: the functions of throng/piece.h with wrong arguments, and records that a piece refuses.
 * tests/promises/test_pieces.c tests what pieces compute.
 * SPDX-License-Identifier: MIT */
#include "support/wrong.h"

#include <math.h>
#include <string.h>

#define AGENTS 20u
#define POSITION (1u << THRONG_COLUMN_POSITION)
#define VELOCITY (1u << THRONG_COLUMN_VELOCITY)

static throng_world *world; /* a piece with AGENTS own agents, and one ghost with the index AGENTS + 1 */
static throng_piece_def piece;
static uint32_t given; /* how the exchange gives agents: 0: not at all; 1: wrongly */

static throng_status exchange(throng_world *in, const throng_piece_agents *agents, throng_error *error, void *context) {
  (void)context;
  const uint32_t wrong[] = {agents->count, UINT32_MAX};
  const uint32_t twice[] = {agents->border[0], agents->border[0]};
  if (given == 0) return THRONG_OK;
  require_error(throng_piece_give(in, NULL, 1, false, error), THRONG_ERROR_NULL_ARGUMENT, error);
  require_error(throng_piece_give(in, wrong, 1, false, error), THRONG_ERROR_BAD_VALUE, error);
  require_error(throng_piece_give(in, wrong + 1, 1, true, error), THRONG_ERROR_BAD_VALUE, error);
  require_ok(throng_piece_give(in, twice, 1, true, error), error);
  return throng_piece_give(in, twice + 1, 1, true, error); /* an element that was given before: the frame fails */
}

static throng_world *make_world(void) {
  throng_world_def def = throng_default_world_def();
  throng_agents_def agents = throng_default_agents_def();
  throng_vec3 position[AGENTS];
  throng_group_def group = throng_default_group_def();
  throng_world *made = NULL;
  throng_error error;
  for (uint32_t k = 0; k < AGENTS; k++) position[k] = (throng_vec3){(float)k, 0.0f, 0.5f * (float)k};
  agents.position = (throng_span){position, 0};
  require_ok(throng_world_create(&def, &made, &error), &error);
  require_ok(throng_world_set_group(made, 0, &group, &error), &error);
  require_ok(throng_agents_add(made, &agents, AGENTS, NULL, &error), &error);
  require_ok(throng_world_index(made, &error), &error);
  return made;
}

/* A record of an agent with a position. */
struct record {
  throng_piece_head head;
  float x, z;
};
static struct record record(uint32_t index, uint16_t generation, uint8_t group) {
  return (struct record){{index, generation, group, 0}, 1.0f, 2.0f};
}

static int set_up(void **state) {
  (void)state;
  throng_error error;
  const struct record ghost = record(AGENTS + 1, 1, 0);
  world = make_world();
  piece = throng_default_piece_def();
  piece.exchange = exchange;
  require_ok(throng_piece_set(world, &piece, &error), &error);
  require_ok(throng_piece_take(world, POSITION, &ghost, 1, false, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  wrong_watch(NULL); /* a piece with ghosts has no snapshot */
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  throng_world_destroy(world);
  return 0;
}

static void definitions(void **state) {
  (void)state;
  throng_piece_def def = throng_default_piece_def();
  const throng_vec3 here = {0, 0, 0}, nowhere = {0, NAN, 0};
  WRONG(NULL_ARGUMENT, "world", throng_piece_set, NULL, &piece);
  WRONG(NULL_ARGUMENT, "exchange", throng_piece_set, world, &def);
  def = piece;
  def.cookie++;
  WRONG(BAD_COOKIE, "cookie", throng_piece_set, world, &def);
  WRONG(UNSUPPORTED, "ghosts", throng_piece_set, world, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_piece_set_inner_box, NULL, here, here);
  WRONG(NOT_FINITE, "inner box", throng_piece_set_inner_box, world, nowhere, here);
  WRONG(NOT_FINITE, "inner box", throng_piece_set_inner_box, world, here, nowhere);
  const uint8_t live[THRONG_MAX_GROUPS] = {[THRONG_MAX_GROUPS - 1] = 1};
  WRONG(NULL_ARGUMENT, "world", throng_piece_set_live_groups, NULL, live);
  WRONG(NO_GROUP, "live[255]", throng_piece_set_live_groups, world, live);
  WRONG(NULL_ARGUMENT, "world", throng_piece_set_outer_box, NULL, here, here);
  WRONG(NOT_FINITE, "outer box", throng_piece_set_outer_box, world, nowhere, here);
  WRONG(NOT_FINITE, "outer box", throng_piece_set_outer_box, world, here, nowhere);
  WRONG(NULL_ARGUMENT, "world", throng_piece_set_rim, NULL, 1.0f);
  WRONG(NOT_FINITE, "rim", throng_piece_set_rim, world, NAN);
  WRONG(BAD_VALUE, "-1", throng_piece_set_rim, world, -1.0f);
  WRONG(NULL_ARGUMENT, "world", throng_piece_set_frame, NULL, 1);
  WRONG(NULL_ARGUMENT, "world", throng_piece_drop_ghosts, NULL);
  throng_world *whole = make_world();
  WRONG(UNSUPPORTED, "no piece", throng_piece_set_inner_box, whole, here, here);
  WRONG(UNSUPPORTED, "no piece", throng_piece_set_outer_box, whole, here, here);
  WRONG(UNSUPPORTED, "no piece", throng_piece_set_rim, whole, 1.0f);
  WRONG(UNSUPPORTED, "no piece", throng_piece_set_live_groups, whole, live);
  throng_world_destroy(whole);
}

static void numbers(void **state) {
  (void)state;
  uint32_t element = 7;
  ANSWERS(false, throng_piece_find, NULL, (throng_agent_id){1, 1, 0}, &element);
  ANSWERS(false, throng_piece_find, world, (throng_agent_id){0, 0, 0}, &element);
  ANSWERS(false, throng_piece_find, world, (throng_agent_id){1, 2, 0}, &element);
  ANSWERS(false, throng_piece_find, world, (throng_agent_id){AGENTS + 2, 1, 0}, &element);
  ANSWERS(true, throng_piece_find, world, (throng_agent_id){AGENTS + 1, 1, 0}, &element);
  ANSWERS(0, throng_piece_hash_definition, NULL);
  assert_true(throng_piece_sources() != 0);
  ANSWERS(0, throng_piece_ghost_count, NULL);
  ANSWERS(1, throng_piece_ghost_count, world);
  ANSWERS(0, throng_piece_columns, NULL);
  ANSWERS(0, throng_piece_seen_columns, NULL);
  ANSWERS(0, throng_piece_record_bytes, (throng_space)2, POSITION);
  ANSWERS(sizeof(struct record), throng_piece_record_bytes, THRONG_SPACE_PLANAR, POSITION);
  ANSWERS(AGENTS, throng_agents_count, world); /* the ghost does not count */
}

static void records_to_pack(void **state) {
  (void)state;
  struct record out[2];
  const uint32_t first = 0, past = AGENTS + 1;
  WRONG(NULL_ARGUMENT, "world", throng_piece_pack, NULL, POSITION, &first, 1, out);
  WRONG(NULL_ARGUMENT, "elements", throng_piece_pack, world, POSITION, NULL, 1, out);
  WRONG(NULL_ARGUMENT, "records", throng_piece_pack, world, POSITION, &first, 1, NULL);
  WRONG(BAD_VALUE, "elements", throng_piece_pack, world, POSITION, &past, 1, out);
  WRONG(BAD_VALUE, "columns", throng_piece_pack, world, 0x40000000u, &first, 1, out);
  WRONG(BAD_VALUE, "columns", throng_piece_pack, world, 1u << THRONG_COLUMN_MASS, &first, 1, out);
  WRONG(NULL_ARGUMENT, "world", throng_piece_need_columns, NULL, POSITION);
  WRONG(BAD_VALUE, "columns", throng_piece_need_columns, world, 0x40000000u);
}

/* Each record is refused, and nothing is taken. */
static void records_to_take(void **state) {
  (void)state;
  struct record in[2] = {record(50, 1, 0), record(0, 1, 0)};
  WRONG(NULL_ARGUMENT, "world", throng_piece_take, NULL, POSITION, in, 1, true);
  WRONG(NULL_ARGUMENT, "records", throng_piece_take, world, POSITION, NULL, 1, true);
  WRONG(BAD_VALUE, "columns", throng_piece_take, world, 0x40000000u, in, 1, true);
  WRONG(STALE_ID, "no id", throng_piece_take, world, POSITION, in, 2, true);
  in[1] = record(UINT32_MAX, 1, 0);
  WRONG(STALE_ID, "no id", throng_piece_take, world, POSITION, in, 2, true);
  in[1] = record(51, 0, 0);
  WRONG(STALE_ID, "no id", throng_piece_take, world, POSITION, in, 2, true);
  in[1] = record(50, 1, 0);
  WRONG(STALE_ID, "twice", throng_piece_take, world, POSITION, in, 2, true);
  in[1] = record(3, 1, 0);
  WRONG(STALE_ID, "already", throng_piece_take, world, POSITION, in, 2, false);
  in[1] = record(51, 1, 9);
  WRONG(NO_GROUP, "group 9", throng_piece_take, world, POSITION, in, 2, true);
  in[1] = record(51, 1, 0);
  in[1].head.zero = 1;
  WRONG(BAD_VALUE, "byte 7", throng_piece_take, world, POSITION, in, 2, true);
  assert_int_equal(throng_agents_count(world), AGENTS);
  throng_world *whole = make_world();
  WRONG(UNSUPPORTED, "no piece", throng_piece_take, whole, POSITION, in, 1, false);
  throng_world_destroy(whole);
}

static void calls_outside_an_exchange(void **state) {
  (void)state;
  const uint32_t first = 0;
  throng_error error;
  WRONG(NULL_ARGUMENT, "world", throng_piece_give, NULL, &first, 1, false);
  WRONG(UNSUPPORTED, "exchange", throng_piece_give, world, &first, 1, false);
  WRONG(UNSUPPORTED, "piece", throng_world_steer, world, 0.1f);
  require_ok(throng_piece_drop_ghosts(world, &error), &error);
  const uint64_t hash = throng_world_hash(world, 0);
  given = 1;
  require_error(throng_world_step(world, 0.1f, &error), THRONG_ERROR_BAD_VALUE, &error);
  given = 0;
  assert_true(throng_world_hash(world, 0) == hash);
  require_sound(world, "after a frame in which an exchange failed");
  require_ok(throng_world_step(world, 0.1f, &error), &error);
  require_ok(throng_piece_set(world, NULL, &error), &error);
}

static throng_status bring_one(throng_world *in, const throng_piece_agents *agents, throng_error *error,
                               void *context) {
  const struct record first = record(7, 1, 0);
  (void)context;
  return agents->count == 0 ? throng_piece_take(in, POSITION, &first, 1, true, error) : THRONG_OK;
}

/* A world without agents lacks the workers' memory, which a piece must have. */
#define MANY 5000u

/* Gives every agent that is not in the border list. */
static throng_status begin_wrongly(throng_world *in, const throng_piece_agents *agents, throng_error *error,
                                   void *context) {
  uint32_t *refused = context;
  for (uint32_t k = 0, next = 0; k < agents->count; k++) {
    const bool listed = next < agents->border_count && agents->border[next] == k;
    next += listed;
    if (listed) continue;
    require_error(throng_piece_give(in, &k, 1, false, error), THRONG_ERROR_BAD_VALUE, error);
    ++*refused;
  }
  return THRONG_OK;
}

#define NEAR 5.0f
#define FAR 35.0f

/* Gives every agent inside the inner box. */
static throng_status exchange_wrongly(throng_world *in, const throng_piece_agents *agents, throng_error *error,
                                      void *context) {
  uint32_t *refused = context;
  assert_int_equal(agents->border_count, 0); /* `begin` has listed those outside */
  for (uint32_t k = 0; k < agents->count; k++) {
    if (*refused == 0 || agents->position_z[k] < NEAR || agents->position_z[k] > FAR) continue;
    require_error(throng_piece_give(in, &k, 1, false, error), THRONG_ERROR_BAD_VALUE, error);
    ++*refused;
  }
  return THRONG_OK;
}

/* The first frame lists all agents, the second only those near two sides: it must not remember the first. */
static void agents_that_are_not_listed_cannot_be_given(void **state) {
  (void)state;
  throng_error error;
  static throng_vec3 position[MANY];
  throng_world_def def = throng_default_world_def();
  throng_agents_def agents = throng_default_agents_def();
  throng_group_def group = throng_default_group_def();
  throng_piece_def hooks = throng_default_piece_def();
  throng_world *many = NULL;
  uint32_t refused = 0;
  for (uint32_t k = 0; k < MANY; k++) position[k] = (throng_vec3){(float)(k % 50), 0.0f, 0.4f * (float)(k / 50)};
  agents.position = (throng_span){position, 0};
  require_ok(throng_world_create(&def, &many, &error), &error);
  require_ok(throng_world_set_group(many, 0, &group, &error), &error);
  require_ok(throng_agents_add(many, &agents, MANY, NULL, &error), &error);
  hooks.begin = begin_wrongly;
  hooks.exchange = exchange_wrongly;
  hooks.context = &refused;
  require_ok(throng_piece_set(many, &hooks, &error), &error);
  require_ok(throng_world_step(many, 0.1f, &error), &error);
  assert_int_equal(refused, 0);
  const throng_vec3 low = {-INFINITY, 0, NEAR}, high = {INFINITY, 0, FAR};
  require_ok(throng_piece_set_inner_box(many, low, high, &error), &error);
  require_ok(throng_world_step(many, 0.1f, &error), &error);
  assert_in_range(refused, MANY, 2 * MANY - 1);
  throng_world_destroy(many);
}

static void an_exchange_brings_the_first_agent(void **state) {
  (void)state;
  const throng_world_def def = throng_default_world_def();
  throng_piece_def bringing = throng_default_piece_def();
  throng_world *empty = NULL;
  throng_error error;
  bringing.exchange = bring_one;
  require_ok(throng_world_create(&def, &empty, &error), &error);
  require_ok(throng_world_step(empty, 0.1f, &error), &error);
  require_ok(throng_piece_set(empty, &bringing, &error), &error);
  for (int frame = 0; frame < 3; frame++) {
    require_ok(throng_world_step(empty, 0.1f, &error), &error);
    require_sound(empty, "a piece whose agents come in an exchange");
    assert_int_equal(throng_agents_count(empty), 1);
  }
  throng_world_destroy(empty);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(definitions),
      cmocka_unit_test(numbers),
      cmocka_unit_test(records_to_pack),
      cmocka_unit_test(records_to_take),
      cmocka_unit_test(calls_outside_an_exchange),
      cmocka_unit_test(agents_that_are_not_listed_cannot_be_given),
      cmocka_unit_test(an_exchange_brings_the_first_agent),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
