/* tests/frame/test_zero_time.c: a frame of 0 seconds changes no column of any agent: in random crowds, with every kind
 * of behaviour, every preset, every facing, bodies in contact, scenery and faces. It grows the frame number, and the
 * explanation of the watched agent is of that frame.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/full.h"
#include "support/groups.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define PRESETS 5u

static uint64_t base_seed;
static const float frame_times[] = {1.0f / 20.0f, 1.0f / 60.0f, 1.0f / 240.0f};

/* The halves of a step with these times; a step is one call. */
struct way {
  const char *name;
  float steer, integrate; /* below 0: one throng_world_step of 0 s */
};
static const struct way ways[] = {
    {"step", -1.0f, 0.0f}, {"steer and integrate", 0.0f, 0.0f}, {"steer with a time, integrate without", 0.05f, 0.0f}};

/* Lets no time pass, in each way, and compares every column. */
static void let_no_time_pass(throng_world *world, const char *what) {
  throng_error error;
  uint64_t before[THRONG_COLUMN_COUNT];
  require_ok(throng_world_index(world, &error), &error);
  for (int c = 0; c < THRONG_COLUMN_COUNT; c++) before[c] = throng_world_hash(world, THRONG_BIT(c));
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    const uint64_t frame = throng_world_frame(world);
    if (ways[k].steer < 0.0f) {
      require_ok(throng_world_step(world, 0.0f, &error), &error);
    } else {
      require_ok(throng_world_steer(world, ways[k].steer, &error), &error);
      require_ok(throng_world_integrate(world, ways[k].integrate, &error), &error);
    }
    assert_true(throng_world_frame(world) == frame + 1);
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++) {
      if (!(STATE_COLUMNS >> c & 1) || throng_world_hash(world, THRONG_BIT(c)) == before[c]) continue;
      fail_msg("%s: column %d has changed after %s", what, c, ways[k].name);
    }
  }
  require_sound(world, what);
}

/* Random crowds have every layout, groups of every sort, slices, paths, patterns, formations, zones and contact. */
static void random_crowds_keep_their_bits(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 180; k++) {
    const crowd_recipe recipe = {
        (throng_space)(k % 2), k / 2 % CROWD_BOUNDARIES, (crowd_layout)(k % LAYOUT_COUNT), 110, k % 3 != 0, k % 5 == 0};
    crowd *c = crowd_random(base_seed + k, &recipe);
    const crowd_world_options options = {.threads = 1 + k % 2, .profile = k % 4 == 0};
    throng_world *world = crowd_world(c, &options);
    char what[96];
    throng_error error;
    snprintf(what, sizeof what, "crowd of seed %" PRIu64 ", layout %s", c->seed, crowd_layout_name(recipe.layout));
    let_no_time_pass(world, what);
    for (uint32_t frame = 0; frame < 3; frame++)
      require_ok(throng_world_step(world, frame_times[k % 3], &error), &error);
    let_no_time_pass(world, what);
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* 64 solid agents, most of them in overlap, some at the faces, some in walls by a part of their bodies, some faster
 * than they may be. */
static void crowd_the_world(throng_world *world, const throng_group_def *g, uint64_t seed) {
  enum { AGENTS = 64 };
  test_rng rng = rng_from(seed);
  const bool spatial = throng_world_get_def(world).space == THRONG_SPACE_SPATIAL;
  throng_vec3 p[AGENTS], v[AGENTS], goal[AGENTS];
  throng_error error;
  for (uint32_t k = 0; k < AGENTS; k++) {
    const float high = k % 4 == 0 ? FULL_SIDE : 30.0f, up = spatial ? rng_float(&rng, 1.0f, 24.0f) : 0.5f;
    p[k] = (throng_vec3){rng_float(&rng, 8.0f, 24.0f), up, rng_float(&rng, 8.0f, 24.0f)};
    if (k % 8 == 0) p[k].x = 0.0f;
    if (k % 8 == 1) p[k].z = nextafterf(FULL_SIDE, 0.0f);
    if (k % 8 == 2 && k > 2) p[k] = p[k - 1];
    v[k] = (throng_vec3){rng_float(&rng, -9.0f, 9.0f), spatial ? rng_float(&rng, -9.0f, 9.0f) : 0.0f, -3.0f};
    goal[k] = (throng_vec3){rng_float(&rng, 0.0f, high), up, rng_float(&rng, 0.0f, high)};
  }
  require_ok(throng_world_set_group(world, 3, g, &error), &error);
  throng_agents_def agents = throng_default_agents_def();
  const uint8_t group = 3;
  uint8_t groups[AGENTS];
  for (uint32_t k = 0; k < AGENTS; k++) groups[k] = group;
  agents.position.data = p;
  agents.velocity.data = v;
  agents.goal.data = goal;
  agents.group.data = groups;
  require_ok(throng_agents_add(world, &agents, AGENTS, NULL, &error), &error);
}

/* Tries a group in both spaces, in a box and in a periodic world; the full world adds groups, scenery and guides. */
static void try_group(const throng_group_def *g, uint64_t seed, const char *what) {
  for (uint32_t k = 0; k < 4; k++) {
    throng_world_def def = full_def((throng_space)(k % 2));
    char text[128];
    throng_error error;
    throng_world_def_set_boundary(&def, k < 2 ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_PERIODIC);
    def.update = (throng_update)(seed % 3);
    throng_world *world = full_world(&def, NULL);
    crowd_the_world(world, g, seed);
    snprintf(text, sizeof text, "%s, world %u, seed %" PRIu64, what, k, seed);
    let_no_time_pass(world, text);
    require_ok(throng_world_step(world, frame_times[(seed + k) % 3], &error), &error);
    let_no_time_pass(world, text);
    throng_world_destroy(world);
  }
}

static throng_group_def solid_group(uint64_t seed) {
  throng_group_def g = throng_default_group_def();
  g.body_radius = 0.6f;
  g.contact = 1.0f;
  g.max_speed = 2.0f;
  g.drag = 0.3f;
  g.facing = (throng_facing)(seed % 3);
  g.max_yaw_rate = seed % 2 ? 3.0f : INFINITY;
  return g;
}

static void every_kind_keeps_every_column(void **state) {
  (void)state;
  for (int kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++) {
    const uint64_t seed = base_seed + (uint64_t)kind;
    throng_group_def g = solid_group(seed);
    throng_behaviour *b = group_want(&g, (throng_behaviour_kind)kind, 1.0f);
    const char *name = throng_behaviour_name(b->kind);
    if (kind_turns(b->kind)) g.facing = THRONG_FACING_STEERED, g.max_yaw_rate = 3.0f;
    if (b->kind == THRONG_BEHAVIOUR_CALLBACK) b->callback.index = FULL_NUMBER;
    if (b->kind == THRONG_BEHAVIOUR_FOLLOW_PATH) b->follow_path.index = FULL_NUMBER;
    if (b->kind == THRONG_BEHAVIOUR_FOLLOW_PATTERN) b->follow_pattern.index = FULL_NUMBER;
    if (b->kind == THRONG_BEHAVIOUR_FOLLOW_FIELD) b->follow_field.index = FULL_NUMBER;
    if (b->kind == THRONG_BEHAVIOUR_FORMATION) b->formation.index = FULL_NUMBER;
    try_group(&g, seed, name);
  }
}

static void every_preset_keeps_every_column(void **state) {
  (void)state;
  const throng_group_def presets[PRESETS] = {throng_default_group_def(), throng_flock_group_def(),
                                             throng_school_group_def(), throng_walkers_group_def(),
                                             throng_vehicles_group_def()};
  for (uint32_t k = 0; k < PRESETS; k++) {
    for (uint64_t seed = base_seed; seed < base_seed + 3; seed++) try_group(&presets[k], seed, "preset");
  }
}

/* Queues, paces, reciprocal avoidance, rigid bodies, steer periods and upright facings. */
static void every_rule_keeps_every_column(void **state) {
  (void)state;
  for (uint64_t seed = base_seed; seed < base_seed + 12; seed++) {
    test_rng rng = rng_from(seed);
    const throng_world_def def = full_def(THRONG_SPACE_PLANAR);
    throng_group_def g = crowd_random_group(&rng, def.perception_radius, true);
    g.behaviour_count = 0;
    g.contact = 0.5f;
    g.body_radius = 0.7f;
    g.facing = (throng_facing)(seed % 3);
    g.upright = seed % 2;
    g.steer_period = 1u << seed % 4;
    if (seed % 2) g.avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
    group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f);
    group_want(&g, THRONG_BEHAVIOUR_WANDER, 0.5f);
    if (!isfinite(g.max_speed)) g.max_speed = 3.0f;
    try_group(&g, seed, "rules");
  }
}

/* Callbacks run, and the watched agent's explanation is of the frame that took no time. */
static void the_frame_is_explained(void **state) {
  (void)state;
  const throng_world_def def = full_def(THRONG_SPACE_PLANAR);
  throng_agent_id ids[FULL_AGENTS];
  throng_error error;
  throng_explanation explanation;
  throng_world *world = full_world(&def, ids);
  require_ok(throng_world_watch(world, ids[0], &error), &error);
  const uint64_t frame = throng_world_frame(world);
  require_ok(throng_world_step(world, 0.0f, &error), &error);
  require_ok(throng_world_explain(world, ids[0], &explanation, &error), &error);
  assert_true(explanation.frame == frame && explanation.count > 0);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_zero_time", 5410);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_crowds_keep_their_bits),   cmocka_unit_test(every_kind_keeps_every_column),
      cmocka_unit_test(every_preset_keeps_every_column), cmocka_unit_test(every_rule_keeps_every_column),
      cmocka_unit_test(the_frame_is_explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
