/* tests/agents/test_batches.c: many values at once are checked and stored as one by one: all columns, both spaces, axes
 * with faces and seams, host axes, scenery, values at and beyond their limits.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/stand.h"

#include "agents/batches.h"
#include "state.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint64_t base_seed;

#define AGENTS 300u
#define ELEMENT 3u /* floats */

/* A value that is often at a limit of the column or of the space, or just beyond it. */
static float odd_value(test_rng *rng, const throng_world *world, const struct column_row *row, int axis) {
  const struct space *space = &world->space;
  const float values[] = {
      0,    -0.0f,     1,       -1,      NAN,          0.5f, row->low, row->high, space->face_low[axis],
      1e9f, -INFINITY, FLT_MIN, FLT_MAX, space->limit, 2,    4,        1e-45f,    space->face_high[axis]};
  const float value = rng_pick(rng, values, sizeof values / sizeof values[0]);
  return rng_chance(rng, 0.1f) ? nextafterf(value, rng_chance(rng, 0.5f) ? -INFINITY : INFINITY) : value;
}
static float usual_value(test_rng *rng, const throng_world *world, const struct column_row *row, int axis) {
  const float low = fmaxf(row->low, fmaxf(world->space.face_low[axis], -100.0f));
  const float high = fminf(row->high, fminf(world->space.face_high[axis], 100.0f));
  return rng_float(rng, low, low < high ? high : low + 1.0f);
}
/* Fills elements; `odd`: the chance of odd components. */
static void fill(test_rng *rng, const throng_world *world, throng_column column, float odd,
                 float elements[AGENTS][ELEMENT]) {
  const struct column_row *row = &throng_column_rows[column];
  memset(elements, 0, AGENTS * sizeof *elements);
  for (uint32_t k = 0; k < AGENTS; k++) {
    for (int c = 0; c < 3; c++) {
      elements[k][c] = rng_chance(rng, odd) ? odd_value(rng, world, row, c) : usual_value(rng, world, row, c);
    }
    if (column == THRONG_COLUMN_VELOCITY && rng_chance(rng, 0.9f)) elements[k][1] = 0.0f;
    if (column == THRONG_COLUMN_TARGET && rng_chance(rng, 0.9f)) memset(elements[k], 0, sizeof *elements);
    if (column == THRONG_COLUMN_GROUP) memset(elements[k], rng_chance(rng, 0.99f) ? 0 : 200, sizeof *elements);
  }
}

/* Whether an element may be written, and if so, writes it alone. */
static bool write_one(throng_world *world, struct column_span span, uint32_t k, uint32_t slot) {
  float room[3];
  throng_error error;
  const void *element = throng_value_take(world, span, k, room);
  if (throng_value_check(world, span.column, element, k, &error) != THRONG_OK) return false;
  if (span.column == THRONG_COLUMN_POSITION && ((const float *)element)[1] != 0.0f) {
    require_ok(throng_value_need_y(world, &error), &error);
  }
  throng_value_store(world, span.column, slot, element);
  return true;
}

static void batches_are_as_one_by_one(void **state) {
  (void)state;
  uint32_t valid = 0, doubted = 0;
  for (uint32_t round = 0; round < 60; round++) {
    const uint64_t seed = base_seed + round;
    const crowd_recipe recipe = {
        (throng_space)(round % 2), round / 2 % CROWD_BOUNDARIES, LAYOUT_UNIFORM, AGENTS, true, false};
    crowd *c = crowd_random(seed, &recipe);
    test_rng rng = rng_from(seed + 1000);
    throng_world *world[2];
    throng_error error;
    static stand s;
    const throng_vec3 corner = c->agents[0].position;
    const place at = {recipe.space, {corner.x + 0.5f, corner.y, corner.z}, 50.0f};
    s = random_stand(&rng, &at);
    const throng_scenery_def scenery = stand_def(&s);
    for (int w = 0; w < 2; w++) {
      world[w] = crowd_world(c, NULL);
      (void)throng_world_set_scenery(world[w], &scenery, &error); /* refused where agents are */
    }
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
      if (throng_column_rows[column].flags & (COLUMN_STEERED | COLUMN_DERIVED)) continue;
      static float elements[AGENTS][ELEMENT];
      fill(&rng, world[0], (throng_column)column, rng_pick(&rng, (const float[]){0, 0.001f, 0.2f}, 3), elements);
      const struct column_span span = {(throng_column)column, {elements, sizeof *elements}};
      for (int w = 0; w < 2; w++) require_ok(throng_value_need(world[w], (throng_column)column, &error), &error);
      for (uint32_t from = 0; from < AGENTS; from += 100) {
        uint32_t slots[100];
        bool all = true;
        for (uint32_t k = 0; k < 100; k++) {
          float room[3];
          slots[k] = (from + k * 7) % AGENTS;
          const void *element = throng_value_take(world[0], span, from + k, room);
          all &= throng_value_check(world[0], (throng_column)column, element, k, &error) == THRONG_OK;
        }
        const bool sure = throng_values_are_valid(world[0], span, from, 100);
        if (sure && !all) fail_msg("seed %" PRIu64 ": %s passes", seed, throng_column_rows[column].name);
        valid += sure;
        doubted += all && !sure;
        if (!all) continue;
        if (column == THRONG_COLUMN_POSITION) {
          const struct column_span some = {span.column, {elements[from], sizeof *elements}};
          require_ok(throng_values_need_height(world[0], some, 100, &error), &error);
        }
        throng_values_store(world[0], span, from, 100, slots);
        for (uint32_t k = 0; k < 100; k++) assert_true(write_one(world[1], span, from + k, slots[k]));
      }
      for (int k = 0; k < COLUMN_COUNT; k++) {
        const float *many = world[0]->agents.front.f[k], *one = world[1]->agents.front.f[k];
        assert_true((many == NULL) == (one == NULL));
        if (many) assert_memory_equal(many, one, AGENTS * sizeof(float));
      }
    }
    for (int w = 0; w < 2; w++) throng_world_destroy(world[w]);
    crowd_free(c);
  }
  print_message("%u batches are valid, %u more are doubted\n", valid, doubted);
  assert_true(valid > 500 && doubted < valid);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(batches_are_as_one_by_one)};
  base_seed = test_seed("batches", 20261202);
  return cmocka_run_group_tests_name("batches", tests, NULL, NULL);
}
