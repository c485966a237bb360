/* tests/pieces/test_piece.c: the functions of throng/piece.h with wrong arguments, and records that a piece refuses.
 * tests/promises/test_pieces.c tests what pieces compute.
 * SPDX-License-Identifier: MIT */
#include "support/random.h"
#include "support/wrong.h"

#include <math.h>
#include <string.h>

#define AGENTS 20u
#define POSITION THRONG_BIT(THRONG_COLUMN_POSITION)
#define VELOCITY THRONG_BIT(THRONG_COLUMN_VELOCITY)

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

/* The ghost has no instance, wherever its slot is. */
static void ghosts_have_no_instance(void **state) {
  (void)state;
  float in_view[AGENTS][4], by_id[AGENTS][4];
  throng_instances_def def = throng_default_instances_def();
  throng_view view;
  throng_error error;
  uint32_t own = 0;
  require_ok(throng_agents_read_instances(world, &def, AGENTS, in_view, &error), &error);
  def.by_id = true;
  require_ok(throng_agents_read_instances(world, &def, AGENTS, by_id, &error), &error);
  require_ok(throng_world_view(world, &view, &error), &error);
  assert_int_equal(view.count, AGENTS + 1);
  for (uint32_t k = 0; k < view.count; k++) {
    if (throng_view_is_ghost(&view, k)) continue;
    assert_true(in_view[own][0] == view.position_x[k] && in_view[own][2] == view.position_z[k]);
    assert_memory_equal(in_view[own++], by_id[view.id_index[k] - 1], sizeof in_view[0]);
  }
  assert_int_equal(own, AGENTS);
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
  ANSWERS(0, throng_piece_changes, NULL);
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
  WRONG(BAD_VALUE, "columns", throng_piece_pack, world, THRONG_BIT(THRONG_COLUMN_MASS), &first, 1, out);
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

#define MANY 20000u

/* What the hooks of a frame have seen. */
struct seen {
  uint32_t refused, listed, late, progress;
  bool gives; /* they give agents wrongly */
};

/* Gives every agent that is not in the border list, and takes one. */
static throng_status begin_wrongly(throng_world *in, const throng_piece_agents *agents, throng_error *error,
                                   void *context) {
  struct seen *seen = context;
  const struct record other = record(MANY + 1, 1, 0);
  require_error(throng_piece_take(in, POSITION, &other, 1, true, error), THRONG_ERROR_UNSUPPORTED, error);
  for (uint32_t k = 0, next = 0; k < agents->count && seen->gives; k++) {
    const bool listed = next < agents->border_count && agents->border[next] == k;
    next += listed;
    if (listed) continue;
    require_error(throng_piece_give(in, &k, 1, false, error), THRONG_ERROR_BAD_VALUE, error);
    seen->refused++;
  }
  seen->listed += agents->border_count;
  seen->progress = 0;
  return THRONG_OK;
}

static void count_progress(void *context) { ((struct seen *)context)->progress++; }

#define NEAR 5.0f
#define FAR 35.0f

/* Gives every agent inside the inner box. */
static throng_status exchange_wrongly(throng_world *in, const throng_piece_agents *agents, throng_error *error,
                                      void *context) {
  struct seen *seen = context;
  seen->late += agents->border_count;
  for (uint32_t k = 0; k < agents->count && seen->gives; k++) {
    if (agents->position_z[k] < NEAR || agents->position_z[k] > FAR) continue;
    require_error(throng_piece_give(in, &k, 1, false, error), THRONG_ERROR_BAD_VALUE, error);
    seen->refused++;
  }
  return THRONG_OK;
}

/* Makes a world of agents at these places; `seen`: a piece. */
static throng_world *make_many(const throng_vec3 *position, uint32_t count, uint32_t threads, struct seen *seen) {
  throng_error error;
  throng_world_def def = throng_default_world_def();
  throng_agents_def agents = throng_default_agents_def();
  throng_group_def group = throng_default_group_def();
  throng_piece_def hooks = throng_default_piece_def();
  throng_world *many = NULL;
  def.thread_count = threads;
  agents.position = (throng_span){position, 0};
  require_ok(throng_world_create(&def, &many, &error), &error);
  group.separation.weight = 1.0f;
  group.max_speed = 1000.0f;
  require_ok(throng_world_set_group(many, 0, &group, &error), &error);
  require_ok(throng_agents_add(many, &agents, count, NULL, &error), &error);
  hooks.begin = begin_wrongly;
  hooks.progress = count_progress;
  hooks.exchange = exchange_wrongly;
  hooks.context = seen;
  if (seen) require_ok(throng_piece_set(many, &hooks, &error), &error);
  return many;
}

/* The first frame lists all agents, the second only those near two sides: it must not remember the first. */
static void agents_that_are_not_listed_cannot_be_given(void **state) {
  (void)state;
  throng_error error;
  static throng_vec3 position[MANY];
  for (uint32_t k = 0; k < MANY; k++) position[k] = (throng_vec3){(float)(k % 200), 0.0f, 0.4f * (float)(k / 200)};
  const throng_vec3 low = {-INFINITY, 0, NEAR}, high = {INFINITY, 0, FAR};
  for (uint32_t threads = 1; threads <= 2; threads++) {
    struct seen seen = {0};
    throng_world *many = make_many(position, MANY, threads, &seen), *plain = make_many(position, MANY, 1, NULL);
    require_ok(throng_world_step(many, 0.1f, &error), &error);
    assert_int_equal(seen.listed, MANY);
    assert_int_equal(seen.late, 0);
    seen = (struct seen){.gives = true};
    require_ok(throng_piece_set_inner_box(many, low, high, &error), &error);
    require_ok(throng_world_step(many, 0.1f, &error), &error);
    assert_in_range(seen.refused, MANY, 2 * MANY - 1);
    assert_in_range(seen.progress, 1, 3);
    if (threads == 1) assert_int_equal(seen.progress, 3);
    for (int k = 0; k < 2; k++) require_ok(throng_world_step(plain, 0.1f, &error), &error);
    assert_true(throng_world_hash(many, 0) == throng_world_hash(plain, 0));
    throng_world_destroy(many);
    throng_world_destroy(plain);
  }
}

/* Agents that do not move are never late, wherever the world's rows begin on the torus. */
static void the_rim_has_all_near_a_side(void **state) {
  (void)state;
  throng_error error;
  static throng_vec3 position[5000];
  test_rng rng = rng_from(76);
  for (uint32_t trial = 0; trial < 50; trial++) {
    const float x = rng_float(&rng, -500.0f, 500.0f), z = rng_float(&rng, -500.0f, 500.0f);
    struct seen seen = {0};
    for (uint32_t k = 0; k < 5000; k++)
      position[k] = (throng_vec3){x + rng_float(&rng, 0.0f, 150.0f), 0.0f, z + rng_float(&rng, 0.0f, 10.0f)};
    throng_world *many = make_many(position, 5000, 1, &seen);
    const throng_vec3 low = {x + 20.0f, 0, z + 2.0f}, high = {x + 130.0f, 0, z + 8.0f};
    require_ok(throng_piece_set_inner_box(many, low, high, &error), &error);
    require_ok(throng_world_step(many, 0.0f, &error), &error);
    if (seen.late > 0) print_error("trial %u of seed 76: %u late\n", trial, seen.late);
    assert_int_equal(seen.late, 0);
    assert_true(seen.listed > 0);
    throng_world_destroy(many);
  }
}

/* Gives away the only agent that came late. */
static throng_status give_late(throng_world *in, const throng_piece_agents *agents, throng_error *error,
                               void *context) {
  struct seen *seen = context;
  seen->late += agents->border_count;
  return agents->border_count == 1 ? throng_piece_give(in, agents->border, 1, false, error) : THRONG_OK;
}

/* One agent leaves the inner box from far inside, after the rim has moved. */
static void agents_may_come_from_afar(void **state) {
  (void)state;
  throng_error error;
  static throng_vec3 position[MANY];
  for (uint32_t k = 0; k < MANY; k++) position[k] = (throng_vec3){(float)(k % 200), 0.0f, 0.4f * (float)(k / 200)};
  struct seen seen = {0};
  throng_world *many = make_many(position, MANY, 1, &seen);
  throng_piece_def hooks = throng_default_piece_def();
  hooks.begin = begin_wrongly;
  hooks.exchange = give_late;
  hooks.context = &seen;
  require_ok(throng_piece_set(many, &hooks, &error), &error);
  const throng_vec3 low = {-INFINITY, 0, NEAR}, high = {INFINITY, 0, FAR}, fast = {0, 0, 200};
  require_ok(throng_piece_set_inner_box(many, low, high, &error), &error);
  const throng_agent_id flyer = {10001, 1, 0}; /* at z = 20 */
  require_ok(throng_agents_write(many, THRONG_COLUMN_VELOCITY, &flyer, 1, &fast, 0, &error), &error);
  require_ok(throng_world_step(many, 0.1f, &error), &error);
  assert_int_equal(seen.late, 1);
  assert_int_equal(throng_agents_count(many), MANY - 1);
  uint32_t element;
  assert_false(throng_piece_find(many, flyer, &element));
  throng_world_destroy(many);
}

/* A world without agents lacks the workers' memory, which a piece must have. */
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
      cmocka_unit_test(ghosts_have_no_instance),
      cmocka_unit_test(numbers),
      cmocka_unit_test(records_to_pack),
      cmocka_unit_test(records_to_take),
      cmocka_unit_test(calls_outside_an_exchange),
      cmocka_unit_test(agents_that_are_not_listed_cannot_be_given),
      cmocka_unit_test(the_rim_has_all_near_a_side),
      cmocka_unit_test(agents_may_come_from_afar),
      cmocka_unit_test(an_exchange_brings_the_first_agent),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
