/* tests/promises/test_extremes.c: tests worlds without agents and with one agent, all agents at one point, 1000 km from
 * the origin, speeds of 10 km/s, frames of 1 microsecond, full capacity, many agents and many frames. If
 * THRONG_TEST_LONG is set to a number other than 0, very_many has ten million agents instead of 160 000, and soak has
 * 100 000 frames instead of 2000.
 * SPDX-License-Identifier: MIT */
#include "support/fingerprint.h"
#include "support/full.h"
#include "support/memory.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

static bool is_long(void) {
  const char *text = getenv("THRONG_TEST_LONG");
  return text != NULL && text[0] != '\0' && text[0] != '0';
}

/* Calls steps, queries, reads, writes and views in a world with `count` agents, at most 4. */
static void use_all(throng_world *world, uint32_t count) {
  static const float times[] = {0.0f, 1e-6f, 1.0f / 60, 1.0f};
  throng_error error;
  throng_neighbour found[4];
  throng_agent_id ids[4];
  throng_view view;
  throng_vec3 p[4], centre = {9, 9, 9};
  uint32_t n = 77;
  for (int k = 0; k < 4; k++) {
    require_ok(throng_world_step(world, times[k], &error), &error);
    require_ok(throng_world_steer(world, times[k], &error), &error);
    require_ok(throng_world_integrate(world, times[k], &error), &error);
    require_ok(throng_world_index(world, &error), &error);
    require_ok(throng_world_query_radius(world, centre, 1e9f, THRONG_ALL_LAYERS, found, 4, &n, &error), &error);
    assert_int_equal(n, count);
    require_ok(throng_world_query_nearest(world, centre, 4, THRONG_ALL_LAYERS, found, &n, &error), &error);
    assert_int_equal(n, count);
    require_ok(throng_world_query_nearest_batch(world, &centre, 1, 4, THRONG_ALL_LAYERS, found, &n, &error), &error);
    assert_int_equal(n, count);
    require_ok(throng_agents_get_ids(world, ids, 4, &n, &error), &error);
    assert_int_equal(n, count);
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, count, p, 0, &error), &error);
    require_ok(throng_agents_write(world, THRONG_COLUMN_POSITION, NULL, count, p, 0, &error), &error);
    require_ok(throng_world_index(world, &error), &error);
    require_ok(throng_world_view(world, &view, &error), &error);
    assert_int_equal(view.count, count);
    require_ok(throng_world_fill_formation(world, 1, NULL, &error), &error);
    require_sound(world, "few agents");
  }
  assert_true((throng_world_hash(world, 0) == 0) == (count == 0));
}

static void nobody_and_one(void **state) {
  (void)state;
  for (uint32_t kind = 0; kind < 12; kind++) {
    throng_world_def def = full_def((throng_space)(kind % 2));
    const throng_agents_def agents = full_agents(1);
    const uint8_t group = 1;
    throng_agents_def one = agents;
    throng_agent_id id;
    throng_error error;
    throng_world_def_set_boundary(&def, (throng_boundary)(kind / 2 % 3));
    def.thread_count = 1 + kind / 6 * 3;
    throng_world *world = full_empty_world(&def);
    use_all(world, 0);
    one.group.data = &group;
    require_ok(throng_agents_add(world, &one, 1, &id, &error), &error);
    use_all(world, 1);
    require_ok(throng_agents_remove(world, &id, 1, &error), &error);
    use_all(world, 0);
    throng_world_destroy(world);
  }
}

/* Checks the number of agents, and that each is within [low, high] in x and z and at a free position. Returns the
 * largest speed in m/s. */
static double require_everybody(const throng_world *world, uint32_t count, const throng_vec3 *low,
                                const throng_vec3 *high, const char *what) {
  throng_vec3 *p = malloc(((size_t)count + 1) * sizeof *p), *v = malloc(((size_t)count + 1) * sizeof *v);
  throng_error error;
  double fastest = 0.0;
  if (p == NULL || v == NULL) abort();
  assert_int_equal(throng_agents_count(world), count);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, count, p, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, count, v, 0, &error), &error);
  for (uint32_t k = 0; k < count; k++) {
    const bool there = p[k].x >= low->x && p[k].x <= high->x && p[k].z >= low->z && p[k].z <= high->z;
    if (!there || !isfinite(p[k].y) || !throng_world_is_free(world, p[k], 0))
      fail_msg("%s: agent %u of the list is outside the world or blocked, at (%g, %g, %g)", what, k, (double)p[k].x,
               (double)p[k].y, (double)p[k].z);
    if (!(stage_length(v[k]) <= fastest)) fastest = stage_length(v[k]);
  }
  free(p);
  free(v);
  assert_true(isfinite(fastest));
  return fastest;
}

/* All agents start at one point in the box. Their bodies are solid; some worlds have a neighbour budget. */
static void all_on_one_spot(void **state) {
  (void)state;
  enum { HEAP = 600 };
  static throng_vec3 p[HEAP];
  for (uint32_t k = 0; k < HEAP; k++) p[k] = (throng_vec3){16, 16, 16};
  for (uint32_t kind = 0; kind < 8; kind++) {
    throng_world_def def = full_def((throng_space)(kind % 2));
    def.neighbour_budget = kind & 2 ? 4 : 0;
    def.thread_count = kind & 4 ? 3 : 1;
    throng_world *world = full_empty_world(&def);
    stage_add(world, HEAP, p, NULL, NULL, NULL);
    double fastest = 0.0;
    for (int frame = 0; frame < 12; frame++) {
      stage_step(world, frame % 4 == 3 ? 1.0f : 0.05f);
      fastest = fmax(fastest, require_everybody(world, HEAP, &def.box_min, &def.box_max, "one spot"));
      require_sound(world, "one spot");
    }
    assert_true(fastest > 0.0 && fastest <= 1.5001);
    throng_world_destroy(world);
  }
}

/* Agents near the grid limit, 2^20 R, in four corners: checks steps, and queries against a loop over all agents. */
static void a_million_metres_out(void **state) {
  (void)state;
  enum { EACH = 50, OUT = 4 * EACH };
  test_rng rng = rng_from(base_seed);
  for (int space = 0; space < 2; space++) {
    throng_world_def def = throng_default_world_def();
    const throng_group_def g = throng_default_group_def();
    const throng_vec3 limit = {1048576, 1048576, 1048576}, lower = {-1048576, -1048576, -1048576};
    throng_vec3 p[OUT];
    throng_neighbour found[OUT];
    throng_error error;
    def.space = (throng_space)space;
    throng_world *world = stage_world(&def, &g);
    for (uint32_t k = 0; k < OUT; k++) {
      const float far = 1e6f + rng_float(&rng, 0, 2), x = k & 1 ? far : -far, z = k & 2 ? far : -far;
      p[k] = (throng_vec3){x, space == 0 ? 0.0f : -far, z + rng_float(&rng, -2, 2)};
    }
    stage_add(world, OUT, p, NULL, NULL, NULL);
    for (int frame = 0; frame < 30; frame++) stage_step(world, frame == 9 ? 1.0f : 1.0f / 30);
    require_everybody(world, OUT, &lower, &limit, "far out");
    require_sound(world, "far out");
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, OUT, p, 0, &error), &error);
    for (uint32_t k = 0; k < OUT; k += 7) {
      uint32_t count = 0, near = 0;
      for (uint32_t j = 0; j < OUT; j++) near += stage_distance(p[k], p[j]) <= 1.5;
      require_ok(throng_world_query_radius(world, p[k], 1.5f, THRONG_ALL_LAYERS, found, OUT, &count, &error), &error);
      assert_int_equal(count, near);
      assert_true(found[0].distance == 0.0f);
    }
    throng_world_destroy(world);
  }
}

/* Agents with up to 10 km/s per axis among scenery and cells: none may end inside a shape, in short or long frames. */
static void very_fast(void **state) {
  (void)state;
  static const float times[] = {1e-6f, 1.0f / 240, 1.0f / 60, 1.0f};
  test_rng rng = rng_from(base_seed + 1);
  for (uint32_t kind = 0; kind < 6; kind++) {
    throng_world_def def = full_def((throng_space)(kind % 2));
    def.update = (throng_update)(kind / 2);
    throng_world *world = full_world(&def, NULL);
    throng_group_def g = stage_idle_group();
    throng_vec3 v[FULL_AGENTS];
    throng_error error;
    g.max_speed = 1e4f;
    g.max_acceleration = 1e6f;
    g.contact = kind < 2 ? 1.0f : 0.0f;
    for (uint32_t k = 0; k < 3; k++) require_ok(throng_world_set_group(world, k, &g, &error), &error);
    double fastest = 0.0;
    for (uint32_t frame = 0; frame < 200; frame++) {
      for (uint32_t k = 0; k < FULL_AGENTS; k++) {
        const float up = kind % 2 ? rng_float(&rng, -1e4f, 1e4f) : 0.0f;
        v[k] = (throng_vec3){rng_float(&rng, -1e4f, 1e4f), up, rng_float(&rng, -1e4f, 1e4f)};
      }
      require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, NULL, FULL_AGENTS, v, 0, &error), &error);
      stage_step(world, times[frame % 4]);
      const double speed = require_everybody(world, FULL_AGENTS, &def.box_min, &def.box_max, "very fast");
      fastest = fmax(fastest, speed);
    }
    require_sound(world, "very fast");
    assert_true(fastest > 9000.0 && fastest <= 10000.1);
    throng_world_destroy(world);
  }
}

/* After 10 000 frames of 1 microsecond, 0.01 s in all, no agent may have moved 5 cm. */
static void very_short_frames(void **state) {
  (void)state;
  const throng_world_def def = full_def(THRONG_SPACE_PLANAR);
  throng_agent_id ids[FULL_AGENTS];
  throng_world *world = full_world(&def, ids);
  throng_vec3 before[FULL_AGENTS];
  throng_error error;
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, FULL_AGENTS, before, 0, &error), &error);
  for (int frame = 0; frame < 10000; frame++) stage_step(world, 1e-6f);
  require_everybody(world, FULL_AGENTS, &def.box_min, &def.box_max, "short frames");
  for (uint32_t k = 0; k < FULL_AGENTS; k++)
    assert_true(stage_distance(before[k], stage_read(world, THRONG_COLUMN_POSITION, ids[k])) < 0.05);
  throng_world_destroy(world);
}

/* Fills the capacity exactly, replaces agents without allocating, and adds one more. */
static void exactly_full(void **state) {
  (void)state;
  static const uint32_t rooms[] = {1, 63, 64, 65, 200, 1024};
  static throng_vec3 p[1024];
  for (uint32_t k = 0; k < 1024; k++) p[k] = (throng_vec3){(float)(k % 32), 0, (float)(k / 32)};
  for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++)
    for (int late = 0; late < 2; late++) {
      test_memory memory = {0};
      throng_world_def def = full_def(THRONG_SPACE_PLANAR);
      throng_agents_def agents = throng_default_agents_def();
      throng_agent_id ids[1024], more;
      throng_error error;
      throng_world *world = NULL;
      def.allocator = test_allocator(&memory);
      def.capacity = late ? 0 : rooms[r];
      require_ok(throng_world_create(&def, &world, &error), &error);
      if (late) require_ok(throng_agents_reserve(world, rooms[r], &error), &error);
      const uint64_t calls = memory.calls;
      agents.position.data = p;
      require_ok(throng_agents_add(world, &agents, rooms[r], ids, &error), &error);
      for (int frame = 0; frame < 3; frame++) stage_step(world, 0.02f);
      for (uint32_t k = 0; k < 20; k++) { /* remove one agent, add one */
        throng_agent_id *id = &ids[k * 7 % rooms[r]];
        require_ok(throng_agents_remove(world, id, 1, &error), &error);
        require_ok(throng_agents_add(world, &agents, 1, id, &error), &error);
        stage_step(world, 0.02f);
      }
      assert_true(memory.calls == calls);
      require_ok(throng_agents_add(world, &agents, 1, &more, &error), &error);
      stage_step(world, 0.02f);
      assert_true(throng_agents_count(world) == rooms[r] + 1 && throng_agents_is_valid(world, more));
      require_sound(world, "full and one more");
      throng_world_destroy(world);
      assert_true(memory.live == 0 && memory.mistakes == 0);
    }
}

/* Adds and removes batches of agents for many frames. Memory must not grow; all agents must stay in legal positions. */
static void soak(void **state) {
  (void)state;
  enum { BATCH = 10, BATCHES = 12 };
  const uint32_t frames = is_long() ? 100000 : 2000;
  test_rng rng = rng_from(base_seed + 2);
  test_memory memory = {0};
  throng_world_def def = full_def(THRONG_SPACE_PLANAR);
  const throng_agents_def agents = full_agents(BATCH);
  throng_agent_id ids[BATCHES][BATCH];
  bool there[BATCHES] = {false};
  uint32_t count = FULL_AGENTS;
  throng_error error;
  def.allocator = test_allocator(&memory);
  def.capacity = FULL_AGENTS + BATCH * BATCHES;
  throng_world *world = full_world(&def, NULL);
  const uint64_t calls = memory.calls, bytes = memory.live_bytes;
  for (uint32_t frame = 0; frame < frames; frame++) {
    const uint32_t b = rng_below(&rng, BATCHES);
    if (there[b]) {
      require_ok(throng_agents_remove(world, ids[b], BATCH, &error), &error);
    } else {
      require_ok(throng_agents_add(world, &agents, BATCH, ids[b], &error), &error);
    }
    there[b] = !there[b];
    count += there[b] ? BATCH : -(uint32_t)BATCH;
    stage_step(world, 1.0f / 60);
    if (frame % 100 != 0) continue;
    require_everybody(world, count, &def.box_min, &def.box_max, "soak");
    require_sound(world, "soak");
    for (uint32_t k = 0; k < BATCHES; k++)
      for (uint32_t a = 0; a < BATCH && there[k]; a++) assert_true(throng_agents_is_valid(world, ids[k][a]));
    assert_true(memory.calls == calls && memory.live_bytes == bytes);
  }
  throng_world_destroy(world);
  assert_true(memory.live == 0 && memory.mistakes == 0);
}

/* side^2 agents in a box of `side` metres: checks all positions, and nearest agents against a loop over all agents. */
static void very_many(void **state) {
  (void)state;
  const uint32_t side = is_long() ? 3163 : 400, count = side * side;
  throng_vec3 *p = malloc((size_t)count * sizeof *p), *v = malloc((size_t)count * sizeof *v);
  throng_world_def def = throng_default_world_def();
  throng_agents_def agents = throng_default_agents_def();
  throng_world *world = NULL;
  throng_error error;
  test_rng rng = rng_from(base_seed + 3);
  if (p == NULL || v == NULL) abort();
  for (uint32_t k = 0; k < count; k++) {
    p[k] = (throng_vec3){(float)(k % side) + rng_float(&rng, 0, 0.5f), 0, (float)(k / side) + rng_float(&rng, 0, 0.5f)};
    v[k] = (throng_vec3){rng_float(&rng, -1, 1), 0, rng_float(&rng, -1, 1)};
  }
  def.perception_radius = 2.0f;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_max = (throng_vec3){(float)side, 1, (float)side};
  agents.position.data = p;
  agents.velocity.data = v;
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_agents_add(world, &agents, count, NULL, &error), &error);
  for (int frame = 0; frame < 3; frame++) stage_step(world, 1.0f / 60);
  require_everybody(world, count, &def.box_min, &def.box_max, "very many");
  require_sound(world, "very many");
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, count, p, 0, &error), &error);
  for (uint32_t q = 0; q < 10; q++) {
    const throng_vec3 centre = {rng_float(&rng, 0, (float)side), 0, rng_float(&rng, 0, (float)side)};
    throng_neighbour nearest;
    uint32_t found = 0;
    double least = INFINITY;
    for (uint32_t k = 0; k < count; k++) least = fmin(least, stage_distance(centre, p[k]));
    require_ok(throng_world_query_nearest(world, centre, 1, THRONG_ALL_LAYERS, &nearest, &found, &error), &error);
    assert_true(found == 1 && fabs((double)nearest.distance - least) < 1e-3);
  }
  throng_world_destroy(world);
  free(p);
  free(v);
}

int main(void) {
  base_seed = test_seed("test_extremes", 10007);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nobody_and_one), cmocka_unit_test(all_on_one_spot),   cmocka_unit_test(a_million_metres_out),
      cmocka_unit_test(very_fast),      cmocka_unit_test(very_short_frames), cmocka_unit_test(exactly_full),
      cmocka_unit_test(soak),           cmocka_unit_test(very_many),
  };
  return cmocka_run_group_tests_name("extremes", tests, NULL, NULL);
}
