/* tests/frame/test_near_lists.c: the near lists of contact decide no bit: a whole world, which has them, against a
 * piece with the same agents, which has none.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/stage.h"
#include "support/stand.h"

#include <throng/piece.h>

#include <inttypes.h>
#include <math.h>

#define TRIPLES 100

static uint64_t base_seed;

static throng_status no_exchange(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                                 void *context) {
  (void)world;
  (void)agents;
  (void)error;
  (void)context;
  return THRONG_OK;
}
static bool no_ghosts(float *const position[3], bool pushed, void *context) {
  (void)position;
  (void)context;
  return pushed;
}
static void make_piece(throng_world *world) {
  throng_piece_def piece = throng_default_piece_def();
  throng_error error;
  piece.exchange = no_exchange;
  piece.contact = no_ghosts;
  require_ok(throng_piece_set(world, &piece, &error), &error);
}

/* Makes solid crowds that press: bodies of .02 to .2 R, some groups much heavier, some much faster. */
static void make_solid(crowd *c, test_rng *rng) {
  const float radius = c->def.perception_radius;
  c->def.contact_iterations = 1 + rng_below(rng, 8);
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    d->contact = rng_pick(rng, (const float[]){1, 1, 0.5f, 0}, 4);
    d->body_radius = rng_float(rng, 0.02f, 0.2f) * radius;
    d->mass = rng_pick(rng, (const float[]){1, 1, 1, 1000}, 4);
    if (rng_chance(rng, 0.5f)) d->max_speed = radius * rng_pick(rng, (const float[]){0.1f, 1, 100}, 3);
  }
}

/* Steps a whole world and a piece, and compares their bits. Destroys both. */
static void compare(throng_world *world[2], int frames, float dt, uint64_t seed) {
  make_piece(world[1]);
  for (int frame = 0; frame < frames; frame++) {
    throng_status status[2];
    throng_error error;
    for (int w = 0; w < 2; w++) status[w] = throng_world_step(world[w], dt, &error);
    assert_int_equal(status[0], status[1]);
    if (status[0] == THRONG_ERROR_OUT_OF_RANGE) break; /* some crowds are at the limit of the space */
    require_ok(status[0], &error);
    if (throng_world_hash(world[0], 0) == throng_world_hash(world[1], 0)) continue;
    fail_msg("seed %" PRIu64 ", frame %d: near lists change the state", seed, frame);
  }
  for (int w = 0; w < 2; w++) throng_world_destroy(world[w]);
}

static void crowds_that_press(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 240; round++) {
    const uint64_t seed = base_seed + round;
    const crowd_recipe recipe = {.space = (throng_space)(round % 2),
                                 .boundary = round / 2 % CROWD_BOUNDARIES,
                                 .layout = (crowd_layout)(round % LAYOUT_COUNT),
                                 .count = 300};
    crowd *c = crowd_random(seed, &recipe);
    test_rng rng = rng_from(seed + 1000);
    make_solid(c, &rng);
    const place at = {recipe.space, c->agents[0].position, c->def.perception_radius * rng_float(&rng, 1, 6)};
    static stand s;
    s = random_stand(&rng, &at);
    const throng_scenery_def scenery = stand_def(&s);
    const throng_isa isa = (throng_isa)(round % THRONG_ISA_COUNT);
    throng_world *world[2];
    for (int w = 0; w < 2; w++) {
      throng_error error;
      world[w] = crowd_world(c, &(crowd_world_options){.isa = throng_isa_is_available(isa) ? isa : THRONG_ISA_AUTO});
      if (round % 3 == 0) (void)throng_world_set_scenery(world[w], &scenery, &error); /* refused where agents are */
    }
    compare(world, 12, round % 4 ? 0.03f : 0.3f, seed);
    crowd_free(c);
  }
}

/* An agent that may be impatient, one that then makes way for it, and one behind that one, at about (x, z). No
 * bodies touch. */
static void place_triple(test_rng *rng, float x, float z, throng_vec3 p[3], float blocked[3]) {
  const float a = rng_float(rng, 0, 6.28f), b = a + rng_float(rng, -1, 1), gap = rng_float(rng, 0.51f, 0.58f);
  p[0] = (throng_vec3){x + rng_float(rng, 0, 1), 0, z + rng_float(rng, 0, 1)};
  p[1] = (throng_vec3){p[0].x + gap * cosf(a), 0, p[0].z + gap * sinf(a)};
  p[2] = (throng_vec3){p[1].x + 0.505f * cosf(b), 0, p[1].z + 0.505f * sinf(b)};
  blocked[0] = rng_chance(rng, 0.15f) ? 1.0f : 0.0f;
  blocked[1] = blocked[2] = 0.0f;
}

static void crowds_that_make_way(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 60; round++) {
    const uint64_t seed = base_seed + 10000 + round;
    test_rng rng = rng_from(seed);
    throng_world_def def = throng_default_world_def();
    throng_group_def group = stage_idle_group();
    throng_vec3 position[3 * TRIPLES];
    float blocked[3 * TRIPLES];
    throng_world *world[2];
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
    def.box_min = (throng_vec3){-10, -10, -10};
    def.box_max = (throng_vec3){40, 40, 40};
    def.contact_iterations = 4;
    def.perception_radius = 3.0f;
    group.contact = 1.0f;
    group.body_radius = 0.25f;
    group.max_speed = 1.5f;
    for (uint32_t k = 0; k < TRIPLES; k++) {
      place_triple(&rng, 3.0f * (float)(k % 10), 3.0f * (float)(k / 10), &position[3 * k], &blocked[3 * k]);
    }
    for (int w = 0; w < 2; w++) {
      throng_error error;
      world[w] = stage_world(&def, &group);
      stage_add(world[w], 3 * TRIPLES, position, NULL, NULL, NULL);
      require_ok(throng_agents_write(world[w], THRONG_COLUMN_BLOCKED_TIME, NULL, 3 * TRIPLES, blocked, 0, &error),
                 &error);
    }
    compare(world, 2, 0.1f, seed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(crowds_that_press), cmocka_unit_test(crowds_that_make_way)};
  base_seed = test_seed("near_lists", 20261201);
  return cmocka_run_group_tests_name("near_lists", tests, NULL, NULL);
}
