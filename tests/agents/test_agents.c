/* tests/agents/test_agents.c: compares ids with a simple model; checks adding, removing, reading and writing, and that
 * a failing call changes nothing.
 * SPDX-License-Identifier: MIT */
#include "state.h"
#include "support/agents.h"
#include "support/check.h"
#include "support/crowds.h"
#include "support/groups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

static throng_agents_def at(const throng_vec3 *positions) {
  throng_agents_def def = throng_default_agents_def();
  def.position = (throng_span){positions, 0};
  return def;
}

static uint64_t full_hash(const throng_world *world) { return throng_world_hash(world, STATE_COLUMNS); }

/* The model: the live id of each index, and the ids of all removed agents. */
#define MODEL_SIZE 4096u
typedef struct model {
  throng_agent_id live[MODEL_SIZE];
  float x[MODEL_SIZE]; /* the agent's position.x */
  uint32_t count;
  throng_agent_id dead[MODEL_SIZE];
  uint32_t dead_count;
  uint16_t last_generation[MODEL_SIZE];
} model;

static void model_add(test_rng *rng, throng_world *world, model *m) {
  throng_vec3 p[50];
  throng_agent_id ids[50];
  const uint32_t count = rng_below(rng, 50);
  if (m->count + count > 1500) return;
  for (uint32_t k = 0; k < count; k++) p[k] = (throng_vec3){rng_float(rng, -50, 50), 0, rng_float(rng, -50, 50)};
  const throng_agents_def def = at(p);
  throng_error error;
  require_ok(throng_agents_add(world, &def, count, ids, &error), &error);
  for (uint32_t k = 0; k < count; k++) {
    assert_true(ids[k].index > 0 && ids[k].index < MODEL_SIZE && ids[k].generation > 0 && ids[k].world == 7);
    for (uint32_t i = 0; i < m->count; i++) assert_true(m->live[i].index != ids[k].index);
    assert_true(ids[k].generation > m->last_generation[ids[k].index]);
    m->last_generation[ids[k].index] = ids[k].generation;
    m->live[m->count] = ids[k];
    m->x[m->count++] = p[k].x;
  }
}

static void model_remove(test_rng *rng, throng_world *world, model *m) {
  throng_agent_id ids[50];
  uint32_t count = 0;
  const uint32_t wanted = rng_below(rng, 50);
  while (count < wanted && m->count > 0) {
    const uint32_t k = rng_below(rng, m->count);
    ids[count++] = m->live[k];
    if (m->dead_count < MODEL_SIZE) m->dead[m->dead_count++] = m->live[k];
    m->count--;
    m->live[k] = m->live[m->count];
    m->x[k] = m->x[m->count];
  }
  throng_error error;
  require_ok(throng_agents_remove(world, ids, count, &error), &error);
}

static void model_compare(test_rng *rng, const throng_world *world, const model *m) {
  throng_error error;
  assert_int_equal(throng_agents_count(world), m->count);
  throng_vec3 p[64];
  throng_agent_id ids[64];
  float wanted[64];
  uint32_t count = 0;
  for (uint32_t k = 0; k < 64 && m->count > 0; k++, count++) {
    const uint32_t i = rng_below(rng, m->count);
    ids[k] = m->live[i];
    wanted[k] = m->x[i];
    assert_true(throng_agents_is_valid(world, ids[k]));
  }
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, ids, count, p, 0, &error), &error);
  for (uint32_t k = 0; k < count; k++) assert_true(p[k].x == wanted[k]);
  for (uint32_t k = 0; k < 20 && m->dead_count > 0; k++) {
    const throng_agent_id gone = m->dead[rng_below(rng, m->dead_count)];
    assert_false(throng_agents_is_valid(world, gone));
    require_error(throng_agents_read(world, THRONG_COLUMN_POSITION, &gone, 1, p, 0, &error), THRONG_ERROR_STALE_ID,
                  &error);
    assert_int_equal(error.agent.index, gone.index);
  }
}

static void thousands_of_adds_and_removes(void **state) {
  (void)state;
  model *m = calloc(1, sizeof *m);
  if (m == NULL) abort();
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 7);
  test_rng rng = rng_from(base_seed);
  throng_error error;
  for (uint32_t round = 0; round < 600; round++) {
    model_add(&rng, world, m);
    model_remove(&rng, world, m);
    if (rng_chance(&rng, 0.3f)) require_ok(throng_world_index(world, &error), &error);
    if (rng_chance(&rng, 0.1f)) require_ok(throng_world_step(world, 0.0f, &error), &error);
    model_compare(&rng, world, m);
    if (round % 20 == 0) require_sound(world, "random adds and removes");
  }
  throng_world_destroy(world);
  free(m);
}

/* An index whose generations have run out is retired: no id comes back. */
static void generations_run_out(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0);
  throng_error error;
  const throng_vec3 p = {0, 0, 0};
  const throng_agents_def def = at(&p);
  const throng_agent_id last = {1, 65535, 0};
  require_ok(throng_agents_add_with_ids(world, &def, 1, &last, &error), &error);
  require_ok(throng_agents_remove(world, &last, 1, &error), &error);
  for (uint32_t k = 0; k < 10; k++) {
    const throng_agent_id id = add_one(world, 0, 0);
    assert_true(id.index != 1);
  }
  throng_agent_id id = add_one(world, 1, 1);
  const uint32_t index = id.index;
  uint32_t reused = 0;
  for (uint32_t k = 0; k < 1000; k++) {
    const throng_agent_id before = id;
    require_ok(throng_agents_remove(world, &id, 1, &error), &error);
    assert_false(throng_agents_is_valid(world, before));
    id = add_one(world, 1, 1);
    if (id.index == index) reused++;
    assert_true(id.index != before.index || id.generation != before.generation);
  }
  assert_true(reused > 0);
  require_sound(world, "generations");
  throng_world_destroy(world);
}

static void every_generation_of_one_index(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0);
  throng_error error;
  throng_agent_id id = add_one(world, 0, 0);
  const uint32_t first = id.index;
  uint32_t lives = 1;
  while (id.index == first && lives < 70000) {
    require_ok(throng_agents_remove(world, &id, 1, &error), &error);
    id = add_one(world, 0, 0);
    if (id.index == first) lives++;
  }
  assert_int_equal(lives, 65535);
  assert_int_equal(throng_agents_count(world), 1);
  throng_world_destroy(world);
}

static void chosen_ids(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 3);
  throng_error error;
  throng_vec3 p[3] = {{1, 0, 1}, {2, 0, 2}, {3, 0, 3}};
  const throng_agents_def def = at(p);
  const throng_agent_id ids[3] = {{70, 5, 3}, {2, 65535, 3}, {9, 1, 3}};
  require_ok(throng_agents_add_with_ids(world, &def, 3, ids, &error), &error);
  for (uint32_t k = 0; k < 3; k++) assert_true(throng_agents_is_valid(world, ids[k]));
  const uint64_t hash = full_hash(world);
  const struct {
    throng_agent_id ids[2];
    throng_status status;
    uint32_t culprit;
  } bad[] = {
      {{{11, 1, 3}, {0, 0, 3}}, THRONG_ERROR_STALE_ID, 0},     {{{11, 1, 3}, {70, 6, 3}}, THRONG_ERROR_STALE_ID, 70},
      {{{11, 1, 3}, {70, 5, 3}}, THRONG_ERROR_STALE_ID, 70},   {{{11, 1, 3}, {11, 2, 3}}, THRONG_ERROR_STALE_ID, 11},
      {{{11, 1, 3}, {12, 1, 4}}, THRONG_ERROR_FOREIGN_ID, 12},
  };
  for (uint32_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    require_error(throng_agents_add_with_ids(world, &def, 2, bad[k].ids, &error), bad[k].status, &error);
    if (bad[k].culprit != 0) assert_int_equal(error.agent.index, bad[k].culprit);
    assert_true(full_hash(world) == hash && throng_agents_count(world) == 3);
  }
  /* An id with generation 0, or with an index above 2^31 - 1, is invalid. */
  const throng_agent_id no_generation = {11, 0, 3}, too_large = {0x80000000u, 1, 3};
  assert_true(throng_agents_add_with_ids(world, &def, 1, &no_generation, &error) != THRONG_OK);
  assert_true(throng_agents_add_with_ids(world, &def, 1, &too_large, &error) != THRONG_OK);
  assert_true(full_hash(world) == hash);
  /* New agents never get an id index that is in use. */
  throng_agent_id fresh[40];
  for (uint32_t k = 0; k < 40; k++) {
    fresh[k] = add_one(world, 5, 5);
    assert_true(fresh[k].index != 70 && fresh[k].index != 2 && fresh[k].index != 9);
  }
  throng_agent_id all[43];
  uint32_t count = 0;
  require_ok(throng_agents_get_ids(world, all, 43, &count, &error), &error);
  assert_int_equal(count, 43);
  for (uint32_t k = 1; k < 43; k++) assert_true(all[k - 1].index < all[k].index);
  count = 0;
  require_error(throng_agents_get_ids(world, all, 42, &count, &error), THRONG_ERROR_CAPACITY, &error);
  assert_int_equal(count, 43);
  require_sound(world, "chosen ids");
  throng_world_destroy(world);
}

static void stale_and_foreign(void **state) {
  (void)state;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 1);
  throng_error error;
  const throng_agent_id good = add_one(world, 1, 2), other = add_one(world, 3, 4);
  const throng_agent_id bad[] = {{0, 0, 0},
                                 {0, 1, 1},
                                 {good.index, (uint16_t)(good.generation + 1), 1},
                                 {good.index + 1000, 1, 1},
                                 {0xffffffffu, 1, 1},
                                 {good.index, good.generation, 2}};
  const uint64_t hash = full_hash(world);
  throng_vec3 p[2] = {{9, 0, 9}, {8, 0, 8}};
  for (uint32_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    const bool foreign = bad[k].world == 2;
    const throng_status expected = foreign ? THRONG_ERROR_FOREIGN_ID : THRONG_ERROR_STALE_ID;
    const throng_agent_id pair[2] = {other, bad[k]};
    assert_false(throng_agents_is_valid(world, bad[k]));
    require_error(throng_agents_remove(world, pair, 2, &error), expected, &error);
    require_error(throng_agents_read(world, THRONG_COLUMN_POSITION, pair, 2, p, 0, &error), expected, &error);
    require_error(throng_agents_write(world, THRONG_COLUMN_POSITION, pair, 2, p, 0, &error), expected, &error);
    assert_true(full_hash(world) == hash && throng_agents_count(world) == 2);
  }
  const throng_agent_id twice[2] = {good, good};
  require_error(throng_agents_remove(world, twice, 2, &error), THRONG_ERROR_STALE_ID, &error);
  assert_int_equal(error.agent.index, good.index);
  assert_true(full_hash(world) == hash && throng_agents_is_valid(world, good));
  require_ok(throng_agents_remove(world, &good, 1, &error), &error);
  require_error(throng_agents_remove(world, &good, 1, &error), THRONG_ERROR_STALE_ID, &error);
  assert_true(throng_agents_is_valid(world, other));
  throng_world_destroy(world);
}

static float read_float(const throng_world *world, throng_column column, throng_agent_id id) {
  float value[3] = {NAN, NAN, NAN};
  throng_error error;
  require_ok(throng_agents_read(world, column, &id, 1, value, sizeof value, &error), &error);
  return value[0];
}

static void defaults_of_new_agents(void **state) {
  (void)state;
  throng_error error;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0);
  throng_vec3 p[3] = {{1, 5, 1}, {2, 6, 2}, {3, 0, 3}}, v[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, -2}};
  throng_agents_def def = at(p);
  def.velocity = (throng_span){v, 0};
  throng_agent_id id[3];
  require_ok(throng_agents_add(world, &def, 3, id, &error), &error);
  assert_true(read_float(world, THRONG_COLUMN_FACING, id[0]) == 0.0f);
  assert_true(fabsf(read_float(world, THRONG_COLUMN_FACING, id[1]) - 1.5707964f) < 1e-6f);
  assert_true(fabsf(fabsf(read_float(world, THRONG_COLUMN_FACING, id[2])) - 3.1415927f) < 1e-6f);
  assert_true(isnan(read_float(world, THRONG_COLUMN_GOAL, id[0])));
  throng_vec3 back[3];
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, 3, back, 0, &error), &error);
  assert_memory_equal(back, p, sizeof p); /* planar worlds keep y too */
  uint8_t groups[3] = {9, 9, 9};
  require_ok(throng_agents_read(world, THRONG_COLUMN_GROUP, NULL, 3, groups, 0, &error), &error);
  assert_true(groups[0] == 0 && groups[1] == 0 && groups[2] == 0);
  assert_int_equal(throng_world_group_agent_count(world, 0), 3);
  assert_int_equal(throng_world_group_agent_count(world, 1), 0);
  throng_world_destroy(world);

  world = new_world(THRONG_SPACE_SPATIAL, 0);
  const throng_vec3 f[3] = {{0, 3, 0}, {1e-20f, 0, 0}, {-2, 1, 2}},
                    extreme[3] = {{0, 1e-38f, 0}, {1e30f, 1e30f, 0}, {0, 0, -3e38f}};
  def = at(p);
  def.velocity = (throng_span){v, 0};
  require_ok(throng_agents_add(world, &def, 3, id, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, 3, back, 0, &error), &error);
  assert_true(back[0].z == 1.0f && back[1].x == 1.0f && back[2].z == -1.0f);
  require_ok(throng_agents_write(world, THRONG_COLUMN_FACING, NULL, 3, f, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, 3, back, 0, &error), &error);
  assert_true(back[0].y == 1.0f && fabsf(back[1].x - 1.0f) < 1e-6f && fabsf(back[2].x + 2.0f / 3.0f) < 1e-6f);
  require_ok(throng_agents_write(world, THRONG_COLUMN_FACING, NULL, 3, extreme, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, 3, back, 0, &error), &error);
  assert_true(fabsf(back[0].y - 1.0f) < 1e-6f && fabsf(back[1].x - 0.70710678f) < 1e-6f &&
              fabsf(back[2].z + 1.0f) < 1e-6f);
  throng_world_destroy(world);
}

/* Writes each column for some agents and reads it for all, with a stride that leaves gaps between the values. */
static void columns_round_trip(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed + 5);
  for (uint32_t space = 0; space < 2; space++) {
    const crowd_recipe recipe = {(throng_space)space, THRONG_BOUNDARY_UNBOUNDED, LAYOUT_UNIFORM, 100, false, false};
    crowd *c = crowd_random(base_seed + 60 + space, &recipe);
    c->group_count = 2;
    c->groups[1] = throng_default_group_def();
    for (uint32_t i = 0; i < c->count; i++) c->agents[i].group = 0;
    group_want(&c->groups[0], THRONG_BEHAVIOUR_WANDER, 1.0f);
    throng_world *world = crowd_world(c, NULL);
    throng_error error;
    static const throng_column columns[] = {THRONG_COLUMN_POSITION, THRONG_COLUMN_VELOCITY, THRONG_COLUMN_GOAL,
                                            THRONG_COLUMN_PERCEPTION_RADIUS, THRONG_COLUMN_BODY_RADIUS};
    for (uint32_t k = 0; k < 5; k++) {
      const uint32_t width = columns[k] < THRONG_COLUMN_PERCEPTION_RADIUS ? 3 : 1;
      float in[10][5], out[100][5];
      throng_agent_id ids[10];
      require_ok(throng_agents_read(world, columns[k], NULL, 100, out, sizeof out[0], &error), &error);
      for (uint32_t i = 0; i < 10; i++) {
        ids[i] = c->agents[i * 7 + k].id;
        for (uint32_t a = 0; a < 3; a++) in[i][a] = rng_float(&rng, 0.0f, 1.0f) * c->def.perception_radius;
        if (space == 0 && columns[k] == THRONG_COLUMN_VELOCITY) in[i][1] = 0.0f;
      }
      require_ok(throng_agents_write(world, columns[k], ids, 10, in, sizeof in[0], &error), &error);
      float after[100][5];
      require_ok(throng_agents_read(world, columns[k], NULL, 100, after, sizeof after[0], &error), &error);
      for (uint32_t i = 0; i < 100; i++) {
        const uint32_t of = i >= k && (i - k) % 7 == 0 ? (i - k) / 7 : 99;
        const float *wanted = of < 10 ? in[of] : out[i];
        for (uint32_t a = 0; a < width; a++)
          if (!(columns[k] == THRONG_COLUMN_GOAL && space == 0 && a == 1))
            assert_memory_equal(&after[i][a], &wanted[a], sizeof(float));
      }
      if (columns[k] != THRONG_COLUMN_POSITION) continue;
      assert_false(throng_world_is_indexed(world));
      require_ok(throng_world_index(world, &error), &error);
    }
    assert_true(throng_world_is_indexed(world)); /* only positions make a world dirty */
    /* Write a group; remove a goal. */
    const uint8_t one = 1;
    const throng_vec3 none = {NAN, NAN, NAN};
    require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &c->agents[3].id, 1, &one, 0, &error), &error);
    assert_int_equal(throng_world_group_agent_count(world, 1), 1);
    assert_int_equal(throng_world_group_agent_count(world, 0), 99);
    require_ok(throng_agents_write(world, THRONG_COLUMN_GOAL, &c->agents[0].id, 1, &none, 0, &error), &error);
    assert_true(isnan(read_float(world, THRONG_COLUMN_GOAL, c->agents[0].id)));
    throng_world_destroy(world);
    crowd_free(c);
  }
}

static void failing_adds_change_nothing(void **state) {
  (void)state;
  throng_error error;
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0);
  throng_group_def wanderer = throng_default_group_def();
  group_want(&wanderer, THRONG_BEHAVIOUR_WANDER, 1.0f);
  require_ok(throng_world_set_group(world, 4, &wanderer, &error), &error);
  add_one(world, 1, 1);
  const uint64_t hash = full_hash(world);
  const throng_vec3 good[2] = {{1, 0, 1}, {2, 0, 2}};
  const throng_vec3 nan[2] = {{1, 0, 1}, {2, 0, NAN}}, far[2] = {{1, 0, 1}, {3e6f, 0, 2}},
                    up[2] = {{0, 0, 0}, {0, 1, 0}};
  const float wide[2] = {1.0f, 1.5f}, negative[2] = {0.0f, -1.0f}, no_radius[2] = {0.5f, 0.0f},
              yaws[2] = {0.0f, INFINITY};
  const uint8_t groups[2] = {4, 3};
#define BAD(field, values, expected)                                                                                   \
  do {                                                                                                                 \
    throng_agents_def def = at(good);                                                                                  \
    def.field = (throng_span){values, 0};                                                                              \
    require_error(throng_agents_add(world, &def, 2, NULL, &error), expected, &error);                                  \
    assert_true(full_hash(world) == hash && throng_agents_count(world) == 1);                                          \
    assert_int_equal(throng_world_group_agent_count(world, 4), 0);                                                     \
  } while (0)
  BAD(position, nan, THRONG_ERROR_NOT_FINITE);
  BAD(position, far, THRONG_ERROR_OUT_OF_RANGE);
  BAD(position, NULL, THRONG_ERROR_NULL_ARGUMENT);
  BAD(velocity, nan, THRONG_ERROR_NOT_FINITE);
  BAD(velocity, up, THRONG_ERROR_BAD_VALUE); /* y of a planar velocity */
  BAD(facing, yaws, THRONG_ERROR_NOT_FINITE);
  BAD(group, groups, THRONG_ERROR_NO_GROUP);
  BAD(perception_radius, wide, THRONG_ERROR_BAD_VALUE);
  BAD(perception_radius, no_radius, THRONG_ERROR_BAD_VALUE);
  BAD(body_radius, negative, THRONG_ERROR_BAD_VALUE);
  BAD(body_radius, yaws, THRONG_ERROR_NOT_FINITE);
#undef BAD
  const throng_agent_id first = add_one(world, 2, 2);
  throng_vec3 back[2];
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, 2, back, 0, &error), &error);
  assert_true(throng_agents_is_valid(world, first));
  require_sound(world, "after failing adds");
  throng_world_destroy(world);
}

static void failing_writes_change_nothing(void **state) {
  (void)state;
  throng_error error;
  throng_world *world = new_world(THRONG_SPACE_SPATIAL, 0);
  throng_agent_id id[2] = {add_one(world, 1, 1), add_one(world, 2, 2)};
  require_ok(throng_world_index(world, &error), &error);
  const uint64_t hash = full_hash(world);
  const throng_vec3 nan[2] = {{1, 0, 1}, {2, NAN, 0}}, far[2] = {{1, 0, 1}, {0, -3e6f, 2}},
                    zero[2] = {{1, 0, 0}, {0, 0, 0}};
  const float radii[2] = {0.5f, -0.5f};
  const uint8_t groups[2] = {0, 200};
  throng_vec3 out[2];
  const struct {
    throng_column column;
    const void *data;
    throng_status expected;
  } bad[] = {
      {THRONG_COLUMN_POSITION, nan, THRONG_ERROR_NOT_FINITE},
      {THRONG_COLUMN_POSITION, far, THRONG_ERROR_OUT_OF_RANGE},
      {THRONG_COLUMN_VELOCITY, nan, THRONG_ERROR_NOT_FINITE},
      {THRONG_COLUMN_FACING, zero, THRONG_ERROR_BAD_VALUE},
      {THRONG_COLUMN_PERCEPTION_RADIUS, radii, THRONG_ERROR_BAD_VALUE},
      {THRONG_COLUMN_BODY_RADIUS, radii, THRONG_ERROR_BAD_VALUE},
      {THRONG_COLUMN_GROUP, groups, THRONG_ERROR_NO_GROUP},
      {(throng_column)99, nan, THRONG_ERROR_BAD_VALUE},
      {THRONG_COLUMN_POSITION, NULL, THRONG_ERROR_NULL_ARGUMENT},
  };
  for (uint32_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    require_error(throng_agents_write(world, bad[k].column, id, 2, bad[k].data, 0, &error), bad[k].expected, &error);
    assert_true(full_hash(world) == hash);
    assert_true(throng_world_is_indexed(world));
  }
  require_error(throng_agents_write(world, THRONG_COLUMN_POSITION, id, 2, zero, 8, &error), THRONG_ERROR_BAD_VALUE,
                &error);
  require_error(throng_agents_read(world, THRONG_COLUMN_POSITION, id, 2, out, 8, &error), THRONG_ERROR_BAD_VALUE,
                &error);
  require_error(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, 1, out, 0, &error), THRONG_ERROR_BAD_VALUE,
                &error);
  require_error(throng_agents_read(world, THRONG_COLUMN_COUNT, id, 2, out, 0, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, id, 2, out, 0, &error), THRONG_ERROR_NOT_STEERED,
                &error);
  assert_true(full_hash(world) == hash);
  throng_world_destroy(world);
}

/* The hash is a sum over the agents, so it does not depend on their order. A change of one bit changes it. */
static void the_hash(void **state) {
  (void)state;
  const crowd_recipe recipe = {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_UNBOUNDED, LAYOUT_UNIFORM, 200, false, false};
  crowd *c = crowd_random(base_seed + 90, &recipe);
  for (uint32_t g = 0; g < c->group_count; g++) c->groups[g].behaviour_count = 0; /* no target is in the other half */
  crowd *even = crowd_copy(c), *odd = crowd_copy(c);
  even->count = odd->count = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    crowd *half = i % 2 == 0 ? even : odd;
    half->agents[half->count++] = c->agents[i];
  }
  throng_world *whole = crowd_world(c, NULL), *a = crowd_world(even, NULL), *b = crowd_world(odd, NULL);
  assert_true(throng_world_hash(whole, 0) == throng_world_hash(a, 0) + throng_world_hash(b, 0));
  assert_true(throng_world_hash(whole, 0) == throng_world_hash(whole, MOTION_COLUMNS));
  const uint64_t before = throng_world_hash(whole, 0),
                 velocities = throng_world_hash(whole, THRONG_BIT(THRONG_COLUMN_VELOCITY));
  throng_error error;
  throng_vec3 p;
  require_ok(throng_agents_read(whole, THRONG_COLUMN_POSITION, &c->agents[77].id, 1, &p, 0, &error), &error);
  p.z = nextafterf(p.z, INFINITY);
  require_ok(throng_agents_write(whole, THRONG_COLUMN_POSITION, &c->agents[77].id, 1, &p, 0, &error), &error);
  assert_true(throng_world_hash(whole, 0) != before);
  assert_true(throng_world_hash(whole, THRONG_BIT(THRONG_COLUMN_VELOCITY)) == velocities);
  assert_true(throng_world_hash(NULL, 0) == 0);
  throng_world_destroy(whole);
  throng_world_destroy(a);
  throng_world_destroy(b);
  crowd_free(c);
  crowd_free(even);
  crowd_free(odd);
}

#define SEARCHED 6000u

/* Checks that reading an agent by its id gives the values of its slot. Views refuse after removals. */
static void require_found(const throng_world *world, throng_agent_id id) {
  throng_error error;
  throng_vec3 p, v;
  const struct columns *columns = &world->agents.front;
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, &id, 1, &p, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, &id, 1, &v, 0, &error), &error);
  uint32_t slot = 0;
  while (columns->id[slot] != id.index) slot++;
  assert_true(memcmp(&columns->f[COLUMN_POSITION_X][slot], &p.x, sizeof p.x) == 0 &&
              memcmp(&columns->f[COLUMN_POSITION_Z][slot], &p.z, sizeof p.z) == 0 &&
              memcmp(&columns->f[COLUMN_VELOCITY_X][slot], &v.x, sizeof v.x) == 0);
}

/* Looks up few or many agents by id. In each frame all agents move far, and some are removed and added. */
static void few_of_many(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed + 4000);
  throng_world_def def = throng_default_world_def();
  throng_group_def group = throng_default_group_def();
  throng_world *world = NULL;
  throng_error error;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max.x = def.box_max.z = 60.0f;
  group.max_speed = 30.0f;
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_world_set_group(world, 0, &group, &error), &error);
  throng_vec3 *p = calloc(SEARCHED, sizeof *p), *v = calloc(SEARCHED, sizeof *v);
  throng_agent_id *ids = calloc(SEARCHED, sizeof *ids);
  if (p == NULL || v == NULL || ids == NULL) abort();
  for (uint32_t k = 0; k < SEARCHED; k++) {
    p[k] = (throng_vec3){rng_float(&rng, 0, 59), 0, rng_float(&rng, 0, 59)};
    v[k] = (throng_vec3){rng_float(&rng, -20, 20), 0, rng_float(&rng, -20, 20)};
  }
  throng_agents_def agents = at(p);
  agents.velocity.data = v;
  require_ok(throng_agents_add(world, &agents, SEARCHED, ids, &error), &error);
  for (uint32_t frame = 0; frame < 60; frame++) {
    require_ok(throng_world_step(world, 0.05f, &error), &error);
    const uint32_t others = frame % 7 == 3 ? 200 : rng_below(&rng, 4);
    if (frame % 20 < 15) require_found(world, ids[7]);
    for (uint32_t k = 0; k < others; k++) require_found(world, ids[rng_below(&rng, SEARCHED)]);
    const uint32_t changes = frame % 5 == 4 ? 150 : frame % 2; /* sometimes enough to rebuild the id table */
    for (uint32_t k = 0; k < changes; k++) {
      const uint32_t gone = 8 + rng_below(&rng, SEARCHED - 8);
      require_ok(throng_agents_remove(world, &ids[gone], 1, &error), &error);
      ids[gone] = add_one(world, rng_float(&rng, 0, 59), rng_float(&rng, 0, 59));
      require_found(world, ids[rng_below(&rng, SEARCHED)]);
    }
    if (frame % 11 == 10) require_sound(world, "after searches");
  }
  throng_world_destroy(world);
  free(p);
  free(v);
  free(ids);
}

/* A sort notes where agents are that were added before it, so that the first search for them is short. */
static void slots_of_added_agents_are_noted(void **state) {
  (void)state;
  enum { OLD = 3000, NEW = 40 };
  test_rng rng = rng_from(base_seed + 5000);
  throng_error error;
  throng_agent_id ids[OLD + NEW];
  throng_world *world = new_world(THRONG_SPACE_PLANAR, 0);
  const struct agents *agents = &world->agents;
  for (uint32_t k = 0; k < OLD; k++) ids[k] = add_one(world, rng_float(&rng, 0, 40), rng_float(&rng, 0, 40));
  require_ok(throng_world_index(world, &error), &error);
  for (uint32_t k = 0; k < OLD; k++)
    assert_int_equal(agents->front.id[ids_last_slot(&agents->ids, ids[k].index)], ids[k].index);
  require_ok(throng_world_step(world, 0.01f, &error), &error);
  for (uint32_t k = 0; k < NEW; k++) {
    ids[OLD + k] = add_one(world, rng_float(&rng, 0, 40), rng_float(&rng, 0, 40));
    require_ok(throng_agents_remove(world, &ids[7 * k], 1, &error), &error);
    if (k % 8 == 5) require_ok(throng_agents_remove(world, &ids[OLD + k - 2], 1, &error), &error);
  }
  require_sound(world, "after additions and removals");
  require_ok(throng_world_step(world, 0.0f, &error), &error);
  for (uint32_t k = 0; k < NEW; k++)
    if (throng_agents_is_valid(world, ids[OLD + k]))
      assert_int_equal(agents->front.id[ids_last_slot(&agents->ids, ids[OLD + k].index)], ids[OLD + k].index);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_agents", 1234);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thousands_of_adds_and_removes),
      cmocka_unit_test(generations_run_out),
      cmocka_unit_test(every_generation_of_one_index),
      cmocka_unit_test(chosen_ids),
      cmocka_unit_test(stale_and_foreign),
      cmocka_unit_test(defaults_of_new_agents),
      cmocka_unit_test(columns_round_trip),
      cmocka_unit_test(failing_adds_change_nothing),
      cmocka_unit_test(failing_writes_change_nothing),
      cmocka_unit_test(the_hash),
      cmocka_unit_test(few_of_many),
      cmocka_unit_test(slots_of_added_agents_are_noted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
