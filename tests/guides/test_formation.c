/* test_formation.c: tests of formations: which agent gets which place, against a search of all pairs, and how agents
 * keep their places. test_reference_a.c compares the behaviour's bits with the reference.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a.h"
#include "support/groups.h"
#include "support/memory.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float frame_time = 1.0f / 60.0f;

static void set_places(throng_world *world, uint32_t number, const throng_vec3 *places, uint32_t count) {
  throng_formation_def def = throng_default_formation_def();
  throng_error error;
  def.places.data = places;
  def.count = count;
  require_ok(throng_world_set_formation(world, number, &def, &error), &error);
}

/* Makes group 1 keep formation 0 around `target`, at up to `speed`. */
static void set_keepers(throng_world *world, throng_target target, float speed) {
  throng_group_def g = stage_idle_group();
  throng_error error;
  g.max_speed = speed;
  g.max_acceleration = 10.0f;
  g.when_target_lost = THRONG_WHEN_LOST_COAST;
  group_want(&g, THRONG_BEHAVIOUR_FORMATION, 1.0f)->target = target;
  require_ok(throng_world_set_group(world, 1, &g, &error), &error);
}

static void join(throng_world *world, const throng_agent_id *ids, uint32_t count) {
  const uint8_t group = 1;
  throng_error error;
  for (uint32_t k = 0; k < count; k++)
    require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[k], 1, &group, 0, &error), &error);
}

static throng_formation_fill fill(throng_world *world) {
  throng_formation_fill result;
  throng_error error;
  require_ok(throng_world_fill_formation(world, 1, &result, &error), &error);
  return result;
}

static void require_fill(throng_formation_fill got, uint32_t placed, uint32_t open, uint32_t left_over) {
  if (got.placed != placed || got.open_places != open || got.left_over != left_over)
    print_error("got %u placed, %u open, %u left over\n", got.placed, got.open_places, got.left_over);
  assert_true(got.placed == placed && got.open_places == open && got.left_over == left_over);
}

static float place_of(throng_world *world, throng_agent_id id) {
  return stage_read(world, THRONG_COLUMN_FORMATION_PLACE, id).x;
}

static throng_target leader(throng_agent_id id) { return (throng_target){.kind = THRONG_TARGET_AGENT, .agent = id}; }
static throng_target point(float x, float z) {
  return (throng_target){.kind = THRONG_TARGET_POINT, .point = {x, 0, z}};
}

static throng_world *plain_world(void) {
  const throng_group_def g = stage_idle_group();
  return stage_world(NULL, &g);
}

static void the_formula_by_hand(void **state) {
  (void)state;
  throng_world *world = plain_world();
  const throng_vec3 p[2] = {{3, 0, 4}, {0, 0, 0}}, v[2] = {{1, 0, 0}, {0, 0, 0}};
  const throng_vec3 places[2] = {{9, 9, 9}, {2, 5, -3}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, v, NULL, ids);
  set_places(world, 0, places, 2);
  throng_group_def g = stage_idle_group();
  g.max_speed = 2.0f;
  g.max_acceleration = 10.0f;
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_FORMATION, 1.0f);
  b->target = leader(ids[0]);
  b->formation.time_to_target = 1.0f;
  require_ok(throng_world_set_group(world, 1, &g, &error), &error);
  join(world, ids + 1, 1);
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1])) == 0.0); /* no place yet */
  stage_write(world, THRONG_COLUMN_FORMATION_PLACE, ids[1], (throng_vec3){1, 0, 0});
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  /* The leader's facing is +x, its right +z. So the place is at (0, 0, 6), and the wanted velocity is (1, 0, 2),
   * clipped to 2 m/s. */
  const throng_vec3 wanted = {(float)(2 / sqrt(5)), 0, (float)(4 / sqrt(5))};
  assert_true(stage_distance(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]), wanted) < 1e-5);
  throng_world_destroy(world);
}

static void the_nearest_come_first(void **state) {
  (void)state;
  throng_world *world = plain_world();
  /* The places are at x = 0, -2 and -4 (the right of a target point is -x). The nearest pair is ids[1] and place 0,
   * although ids[0] has a smaller id index. */
  const throng_vec3 places[3] = {{0, 0, 0}, {2, 0, 0}, {4, 0, 0}};
  const throng_vec3 p[5] = {{1, 0, 0}, {0.5f, 0, 0}, {-3, 0, 0}, {-50, 0, 0}, {-60, 0, 0}};
  throng_agent_id ids[5];
  throng_error error;
  stage_add(world, 5, p, NULL, NULL, ids);
  set_places(world, 0, places, 3);
  set_keepers(world, point(0, 0), 2.0f);
  join(world, ids, 3);
  require_fill(fill(world), 3, 0, 0);
  assert_true(place_of(world, ids[1]) == 0.0f);
  assert_true(place_of(world, ids[2]) == 1.0f); /* 1 m from places 1 and 2: the smaller number */
  assert_true(place_of(world, ids[0]) == 2.0f);
  require_fill(fill(world), 0, 0, 0);
  /* More agents than places: agents that have a place keep it. */
  join(world, ids + 3, 2);
  require_fill(fill(world), 0, 0, 2);
  assert_true(isnan(place_of(world, ids[3])) && isnan(place_of(world, ids[4])));
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[4])) == 0.0);
  /* A removed agent's place is open until the next call, which gives it to the nearest agent without a place. */
  require_ok(throng_agents_remove(world, &ids[1], 1, &error), &error);
  stage_step(world, frame_time);
  assert_true(isnan(place_of(world, ids[3])));
  require_fill(fill(world), 1, 0, 1);
  assert_true(place_of(world, ids[3]) == 0.0f && place_of(world, ids[2]) == 1.0f && place_of(world, ids[0]) == 2.0f);
  /* After a shorter formation is set, agents with a number past its end have no place. */
  set_places(world, 0, places, 1);
  require_fill(fill(world), 0, 0, 3);
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0])) == 0.0);
  /* The host gives ids[4] the place of another agent: no other agent gets it. */
  stage_write(world, THRONG_COLUMN_FORMATION_PLACE, ids[4], (throng_vec3){0, 0, 0});
  require_fill(fill(world), 0, 0, 2);
  throng_world_destroy(world);
}

static void ties_go_to_the_smallest(void **state) {
  (void)state;
  throng_world *world = plain_world();
  const throng_vec3 places[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}}, heap[4] = {{0, 0, 0}};
  throng_agent_id ids[4];
  stage_add(world, 4, heap, NULL, NULL, ids);
  set_places(world, 0, places, 4);
  set_keepers(world, point(0, 0), 2.0f);
  join(world, ids, 4);
  require_fill(fill(world), 4, 0, 0);
  for (int k = 0; k < 4; k++) assert_true(place_of(world, ids[k]) == (float)k);
  throng_world_destroy(world);
}

static void who_has_no_target_gets_none(void **state) {
  (void)state;
  throng_world *world = plain_world();
  const throng_vec3 places[2] = {{0, 0, 0}, {0, 0, 1}}, p[3] = {{0, 0, 0}, {5, 0, 0}, {9, 0, 0}};
  const throng_vec3 goals[3] = {{0, 0, 0}, {NAN, 0, 0}, {9, 0, 1}};
  throng_agent_id ids[3];
  throng_error error;
  stage_add(world, 3, p, NULL, goals, ids);
  set_places(world, 0, places, 2);
  set_keepers(world, (throng_target){.kind = THRONG_TARGET_GOAL}, 2.0f);
  join(world, ids, 3);
  require_fill(fill(world), 2, 0, 1); /* the target is each agent's goal; the second has none */
  assert_true(place_of(world, ids[0]) == 0.0f && place_of(world, ids[2]) == 1.0f && isnan(place_of(world, ids[1])));
  for (int k = 0; k < 3; k++) stage_write(world, THRONG_COLUMN_FORMATION_PLACE, ids[k], (throng_vec3){NAN, 0, 0});
  set_keepers(world, leader(ids[0]), 2.0f);
  const uint8_t none = 0;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[0], 1, &none, 0, &error), &error);
  require_ok(throng_agents_remove(world, &ids[0], 1, &error), &error);
  require_fill(fill(world), 0, 2, 2);
  throng_world_destroy(world);
}

/* A formation of places around the point q, and agents at p. */
typedef struct case_of {
  throng_world_def def;
  uint32_t agents, places;
  throng_vec3 p[300], place[300], q;
} case_of;

static float distance_sq(const case_of *c, uint32_t i, uint32_t s) {
  const ref_axis axis[3] = {ref_a_axis(&c->def, 0), ref_a_axis(&c->def, 1), ref_a_axis(&c->def, 2)};
  const float q[3] = {c->q.x, c->q.y, c->q.z}, p[3] = {c->p[i].x, c->p[i].y, c->p[i].z};
  const float place[3] = {-c->place[s].x, c->place[s].y, c->place[s].z}; /* a point's right is -x, up is +y */
  float d[3];
  for (int k = 0; k < 3; k++) {
    d[k] = ref_a_difference(&axis[k], p[k], q[k]) + place[k];
    d[k] = d[k] + ref_a_image(&axis[k], d[k]);
  }
  return c->def.space == THRONG_SPACE_SPATIAL ? d[0] * d[0] + d[1] * d[1] + d[2] * d[2] : d[0] * d[0] + d[2] * d[2];
}

/* Gives places as throng_world_fill_formation does: again and again to the nearest pair of an agent without a place and
 * a free place. has[i]: the place of agent i, or NAN. */
static void fill_by_all_pairs(const case_of *c, float *has) {
  bool taken[300] = {false};
  for (uint32_t i = 0; i < c->agents; i++) has[i] = NAN;
  for (;;) {
    float best = INFINITY;
    uint32_t agent = 0, place = 0;
    for (uint32_t s = 0; s < c->places; s++)
      for (uint32_t i = 0; i < c->agents && !taken[s]; i++) {
        if (!isnan(has[i]) || !(distance_sq(c, i, s) < best)) continue;
        best = distance_sq(c, i, s);
        agent = i;
        place = s;
      }
    if (best == INFINITY) return;
    has[agent] = (float)place;
    taken[place] = true;
  }
}

static throng_vec3 somewhere(test_rng *rng, float low, float high, bool lattice) {
  throng_vec3 p = {rng_float(rng, low, high), rng_float(rng, low, high), rng_float(rng, low, high)};
  return lattice ? (throng_vec3){floorf(p.x), floorf(p.y), floorf(p.z)} : p;
}

/* Makes a random case: on a lattice with many equal distances, or with all places far to one side, so that the same
 * agents are nearest to many places. */
static void random_case(test_rng *rng, case_of *c) {
  const bool lattice = rng_chance(rng, 0.5f), aside = rng_chance(rng, 0.5f);
  c->def = throng_default_world_def();
  c->def.space = (throng_space)rng_below(rng, 2);
  throng_world_def_set_boundary(&c->def, rng_chance(rng, 0.5f) ? THRONG_BOUNDARY_PERIODIC : THRONG_BOUNDARY_UNBOUNDED);
  c->def.box_min = (throng_vec3){-8, -8, -8};
  c->def.box_max = (throng_vec3){8, 8, 8};
  c->agents = rng_below(rng, 220);
  c->places = 1 + rng_below(rng, 220);
  c->q = somewhere(rng, -8.0f, 8.0f, lattice);
  for (uint32_t i = 0; i < c->agents; i++) c->p[i] = somewhere(rng, -8.0f, 8.0f, lattice);
  const float out = c->def.boundary[0] == THRONG_BOUNDARY_PERIODIC ? 4.0f : 20.0f; /* at most half a side */
  for (uint32_t s = 0; s < c->places; s++)
    c->place[s] = somewhere(rng, aside ? out : -6.0f, aside ? out + 4.0f : 6.0f, lattice);
}

static void all_pairs_say_the_same(void **state) {
  (void)state;
  static case_of c;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    test_rng rng = rng_from(seed);
    random_case(&rng, &c);
    const throng_group_def idle = stage_idle_group();
    throng_world *world = stage_world(&c.def, &idle);
    throng_agent_id ids[300];
    throng_error error;
    set_places(world, 0, c.place, c.places);
    set_keepers(world, (throng_target){.kind = THRONG_TARGET_POINT, .point = c.q}, 2.0f);
    /* Agents are added in both orders: the id index decides between equal distances, not the slot. */
    for (uint32_t i = 0; i < c.agents; i++) ids[i] = (throng_agent_id){i + 1, 1, 0};
    for (uint32_t k = 0; k < c.agents; k++) {
      const uint32_t i = seed % 2 ? k : c.agents - 1 - k;
      throng_agents_def def = throng_default_agents_def();
      def.position.data = &c.p[i];
      require_ok(throng_agents_add_with_ids(world, &def, 1, &ids[i], &error), &error);
    }
    if (seed % 3 == 0) require_ok(throng_world_index(world, &error), &error);
    join(world, ids, c.agents);
    const uint32_t least = c.agents < c.places ? c.agents : c.places;
    require_fill(fill(world), least, c.places - least, c.agents - least);
    float has[300], expected[300];
    fill_by_all_pairs(&c, expected);
    if (c.agents > 0)
      require_ok(throng_agents_read(world, THRONG_COLUMN_FORMATION_PLACE, NULL, c.agents, has, 0, &error), &error);
    for (uint32_t i = 0; i < c.agents; i++)
      if (!(has[i] == expected[i] || (isnan(has[i]) && isnan(expected[i])))) {
        print_error("seed %u: agent %u has place %g, expected %g\n", (unsigned)seed, i, (double)has[i],
                    (double)expected[i]);
        fail();
      }
    throng_world_destroy(world);
  }
}

/* Moves five lines of five agents behind a leader that walks and turns (rad/s). Returns the largest distance of an
 * agent from its place at the end. */
static double worst_error(float turn_rate, float seconds) {
  throng_world *world = plain_world();
  throng_vec3 places[25], p[26] = {{0, 0, 0}}, v[26] = {{0, 0, 1}};
  throng_agent_id ids[26];
  for (int k = 0; k < 25; k++) {
    places[k] = (throng_vec3){(float)(k % 5 - 2), 0, -1.0f - (float)(k / 5)};
    p[k + 1] = (throng_vec3){(float)(k % 5 - 2) * 3, 0, -4.0f - (float)(k / 5) * 2};
  }
  stage_add(world, 26, p, v, NULL, ids);
  set_places(world, 0, places, 25);
  set_keepers(world, leader(ids[0]), 2.0f);
  join(world, ids + 1, 25);
  require_fill(fill(world), 25, 0, 0);
  float yaw = 0.0f;
  for (int frame = 0; (float)frame * frame_time < seconds; frame++) {
    yaw += turn_rate * frame_time;
    stage_write(world, THRONG_COLUMN_VELOCITY, ids[0], (throng_vec3){sinf(yaw), 0, cosf(yaw)});
    stage_step(world, frame_time);
  }
  const throng_vec3 q = stage_read(world, THRONG_COLUMN_POSITION, ids[0]);
  double worst = 0.0;
  for (int k = 1; k < 26; k++) {
    const throng_vec3 place = places[(int)place_of(world, ids[k])];
    const throng_vec3 there = {q.x - cosf(yaw) * place.x + sinf(yaw) * place.z, 0,
                               q.z + sinf(yaw) * place.x + cosf(yaw) * place.z};
    worst = fmax(worst, stage_distance(there, stage_read(world, THRONG_COLUMN_POSITION, ids[k])));
  }
  throng_world_destroy(world);
  return worst;
}

static void members_keep_their_places(void **state) {
  (void)state;
  assert_true(worst_error(0.0f, 30.0f) < 1e-3);
  /* At 0.1 rad/s the agent of the farthest place, 5.4 m from the leader, trails by about 0.1 * 5.4 / 2 m. */
  const double turning = worst_error(0.1f, 40.0f);
  assert_true(turning > 0.15 && turning < 0.35);
}

/* An agent that keeps such a place by offset_pursuit instead stays more than 0.2 m away from it. */
static void offset_pursuit_trails(void **state) {
  (void)state;
  throng_world *world = plain_world();
  const throng_vec3 p[2] = {{0, 0, 0}, {1, 0, -3}}, v[2] = {{0, 0, 1}, {0, 0, 0}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, v, NULL, ids);
  throng_group_def g = stage_idle_group();
  g.max_speed = 2.0f;
  g.max_acceleration = 10.0f;
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_OFFSET_PURSUIT, 1.0f);
  b->target = leader(ids[0]);
  b->offset_pursuit.slow_radius = 1.0f;
  b->offset_pursuit.target_radius = 0.0f;
  require_ok(throng_world_set_group(world, 1, &g, &error), &error);
  join(world, ids + 1, 1);
  for (int frame = 0; frame < 1800; frame++) stage_step(world, frame_time);
  const throng_vec3 q = stage_read(world, THRONG_COLUMN_POSITION, ids[0]),
                    a = stage_read(world, THRONG_COLUMN_POSITION, ids[1]);
  assert_true(stage_distance((throng_vec3){q.x, 0, q.z - 1}, a) > 0.2);
  throng_world_destroy(world);
}

static void through_a_seam_and_a_shift(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){16, 16, 16};
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(&def, &idle);
  const throng_vec3 place = {0, 0, -5}, p[2] = {{8, 0, 2}, {8, 0, 10}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, NULL, NULL, ids);
  set_places(world, 0, &place, 1);
  set_keepers(world, leader(ids[0]), 2.0f);
  join(world, ids + 1, 1);
  require_fill(fill(world), 1, 0, 0);
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  assert_true(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]).z > 0.0f); /* the place is at z = 13 */
  throng_world_destroy(world);

  world = plain_world();
  stage_add(world, 2, p, NULL, NULL, ids);
  set_places(world, 0, &place, 1);
  set_keepers(world, leader(ids[0]), 2.0f);
  join(world, ids + 1, 1);
  require_fill(fill(world), 1, 0, 0);
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  const throng_vec3 before = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]);
  require_ok(throng_world_shift_origin(world, (throng_vec3){1024, 0, -512}, NULL, &error), &error);
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  assert_true(stage_distance(before, stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1])) == 0.0);
  assert_true(place_of(world, ids[1]) == 0.0f);
  throng_world_destroy(world);
}

static void filling_without_memory(void **state) {
  (void)state;
  test_memory memory = {0};
  throng_world_def def = throng_default_world_def();
  def.allocator = test_allocator(&memory);
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(&def, &idle);
  const throng_vec3 places[2] = {{0, 0, 0}, {1, 0, 0}}, p[2] = {{0, 0, 0}, {5, 0, 0}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, NULL, NULL, ids);
  set_places(world, 0, places, 2);
  set_keepers(world, point(0, 0), 2.0f);
  join(world, ids, 2);
  const uint64_t live = memory.live;
  for (uint64_t k = 1; k <= 2; k++) {
    memory.fail_at = memory.calls + k;
    require_error(throng_world_fill_formation(world, 1, NULL, &error), THRONG_ERROR_OUT_OF_MEMORY, &error);
    assert_true(memory.live == live && isnan(place_of(world, ids[0])));
  }
  memory.fail_at = 0;
  require_fill(fill(world), 2, 0, 0);
  throng_world_destroy(world);
  assert_true(memory.live == 0 && memory.mistakes == 0);
}

static void wrong_formations(void **state) {
  (void)state;
  throng_world *world = plain_world();
  throng_error error;
  throng_vec3 places[2] = {{0, 0, 0}, {1, NAN, -1}};
  throng_formation_def def = throng_default_formation_def(), zeroed;
  memset(&zeroed, 0, sizeof zeroed);
  require_error(throng_world_set_formation(NULL, 0, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_set_formation(world, 64, NULL, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_set_formation(world, 0, &zeroed, &error), THRONG_ERROR_BAD_COOKIE, &error);
  require_error(throng_world_set_formation(world, 0, &def, &error), THRONG_ERROR_BAD_VALUE, &error);
  def.count = 4097;
  require_error(throng_world_set_formation(world, 0, &def, &error), THRONG_ERROR_BAD_VALUE, &error);
  def.count = 2;
  require_error(throng_world_set_formation(world, 0, &def, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  def.places.data = places;
  require_ok(throng_world_set_formation(world, 63, &def, &error), &error); /* planar worlds ignore `up` */
  assert_int_equal(throng_world_formation_place_count(world, 63), 2);
  places[1].z = INFINITY;
  require_error(throng_world_set_formation(world, 63, &def, &error), THRONG_ERROR_NOT_FINITE, &error);
  places[1].z = -2e9f;
  require_error(throng_world_set_formation(world, 63, &def, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "formation.places[1].forward"));
  assert_int_equal(throng_world_formation_place_count(world, 63), 2);
  require_ok(throng_world_set_formation(world, 63, NULL, &error), &error);
  assert_int_equal(throng_world_formation_place_count(world, 63), 0);
  assert_int_equal(throng_world_formation_place_count(world, 64) + throng_world_formation_place_count(NULL, 0), 0);

  require_error(throng_world_fill_formation(NULL, 0, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_fill_formation(world, 1, NULL, &error), THRONG_ERROR_NO_GROUP, &error);
  require_error(throng_world_fill_formation(world, 256, NULL, &error), THRONG_ERROR_NO_GROUP, &error);
  require_error(throng_world_fill_formation(world, 0, NULL, &error), THRONG_ERROR_BAD_VALUE, &error);
  set_keepers(world, point(0, 0), 2.0f);
  require_error(throng_world_fill_formation(world, 1, NULL, &error), THRONG_ERROR_BAD_VALUE, &error);
  places[1] = places[0];
  set_places(world, 0, places, 2);
  require_fill(fill(world), 0, 2, 0);
  require_ok(throng_world_fill_formation(world, 1, NULL, &error), &error);
  throng_world_destroy(world);
}

/* In a periodic world a place may be at most half of the shortest side from the target. */
static void places_of_a_periodic_world(void **state) {
  (void)state;
  const throng_group_def idle = stage_idle_group();
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){20, 20, 16};
  throng_world *world = stage_world(&def, &idle);
  throng_formation_def places = throng_default_formation_def();
  throng_error error;
  const throng_vec3 fits = {-8, 1e9f, 8}, too_far = {0, 0, 8.01f};
  places.count = 1;
  places.places.data = &fits;
  require_ok(throng_world_set_formation(world, 0, &places, &error), &error);
  places.places.data = &too_far;
  require_error(throng_world_set_formation(world, 0, &places, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "formation.places[0].forward is 8.01"));
  throng_world_destroy(world);
}

static void wrong_places_and_lists(void **state) {
  (void)state;
  throng_world *world = plain_world();
  throng_agent_id id;
  throng_error error;
  stage_add(world, 1, &(throng_vec3){0, 0, 0}, NULL, NULL, &id);
  assert_true(isnan(place_of(world, id))); /* no value was written yet */
  const float bad[] = {-1.0f, 0.5f, 4096.0f}, infinite = INFINITY;
  for (int k = 0; k < 3; k++)
    require_error(throng_agents_write(world, THRONG_COLUMN_FORMATION_PLACE, &id, 1, &bad[k], 0, &error),
                  THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_agents_write(world, THRONG_COLUMN_FORMATION_PLACE, &id, 1, &infinite, 0, &error),
                THRONG_ERROR_NOT_FINITE, &error);
  stage_write(world, THRONG_COLUMN_FORMATION_PLACE, id, (throng_vec3){4095, 0, 0});
  assert_true(place_of(world, id) == 4095.0f);
  throng_group_def g = stage_idle_group();
  throng_group_def_add(&g, THRONG_BEHAVIOUR_FORMATION)->formation.index = 64;
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  g.behaviour[0].formation.index = UINT32_MAX;
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  g.behaviour[0].formation.index = 0;
  g.max_speed = INFINITY;
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  g.max_speed = 1.0f;
  throng_group_def_add(&g, THRONG_BEHAVIOUR_FORMATION);
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_formula_by_hand),        cmocka_unit_test(the_nearest_come_first),
      cmocka_unit_test(ties_go_to_the_smallest),    cmocka_unit_test(who_has_no_target_gets_none),
      cmocka_unit_test(all_pairs_say_the_same),     cmocka_unit_test(members_keep_their_places),
      cmocka_unit_test(offset_pursuit_trails),      cmocka_unit_test(through_a_seam_and_a_shift),
      cmocka_unit_test(filling_without_memory),     cmocka_unit_test(wrong_formations),
      cmocka_unit_test(places_of_a_periodic_world), cmocka_unit_test(wrong_places_and_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
