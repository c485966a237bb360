/* tests/frame/test_yield.c: tests of yielding: solid agents pass narrow doors, lanes, and agents that stand in their
 * way. test_reference_a compares the exact bits.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <stdio.h>

#define HZ 60
#define DT (1.0f / HZ)
#define BODY 0.25f /* metres: the radius of all bodies */
#define MOST 80u

static uint64_t base_seed;
static throng_update update; /* of all worlds; a test that changes it sets it back */

/* Returns a walker of 1.4 m/s. If not `rules`, contact alone keeps it from others. */
static throng_group_def walker(bool rules) {
  throng_group_def g = throng_default_group_def();
  g.max_speed = 1.4f;
  g.max_acceleration = 4.0f;
  g.body_radius = BODY;
  g.contact = 1.0f;
  g.field_of_view = THRONG_VIEW_WIDE;
  g.facing_speed = 0.1f;
  g.cohesion.weight = g.alignment.weight = 0.0f;
  g.separation.weight = rules ? 0.5f : 0.0f;
  g.separation.radius = 0.8f;
  g.separation.strength = 0.5f;
  g.avoidance.weight = rules ? 1.0f : 0.0f;
  g.avoidance.horizon = 1.5f;
  return g;
}

static void walk_to(throng_group_def *g, throng_behaviour_kind kind, float x, float z) {
  throng_behaviour *b = group_want(g, kind, 1.0f);
  b->target.kind = THRONG_TARGET_POINT;
  b->target.point = (throng_vec3){x, 0.0f, z};
  if (kind == THRONG_BEHAVIOUR_SEEK) {
    b->seek.time_to_target = 0.3f;
  } else {
    b->arrive.slow_radius = 1.5f;
    b->arrive.target_radius = 0.05f;
    b->arrive.time_to_target = 0.5f;
  }
}

/* Creates a box world with walls. The walls are {x, z, x, z}. */
static throng_world *walled(float half, const float (*walls)[4], uint32_t count, const throng_group_def *g) {
  throng_world_def def = throng_default_world_def();
  throng_scenery_def scenery = throng_default_scenery_def();
  throng_vec3 from[2], to[2];
  throng_error error;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_min = (throng_vec3){-half, -half, -half};
  def.box_max = (throng_vec3){half, half, half};
  def.perception_radius = 2.0f;
  def.contact_iterations = 6;
  def.update = update;
  throng_world *world = stage_world(&def, g);
  for (uint32_t k = 0; k < count; k++) {
    from[k] = (throng_vec3){walls[k][0], 0.0f, walls[k][1]};
    to[k] = (throng_vec3){walls[k][2], 0.0f, walls[k][3]};
  }
  scenery.wall_from.data = from;
  scenery.wall_to.data = to;
  scenery.wall_count = count;
  require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
  return world;
}

static throng_world *behind_a_door(float width, const throng_group_def *g) {
  const float walls[2][4] = {{-20, 0, -0.5f * width, 0}, {0.5f * width, 0, 20, 0}};
  return walled(20.0f, walls, 2, g);
}

/* Returns the deepest overlap of two bodies, in metres. */
static float deepest(const throng_vec3 *p, uint32_t count) {
  double deep = 0.0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < i; j++) deep = fmax(deep, 2.0 * (double)BODY - stage_distance(p[i], p[j]));
  return (float)deep;
}

static void read_places(const throng_world *world, const throng_agent_id *ids, uint32_t count, throng_vec3 *p) {
  throng_error error;
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, ids, count, p, 0, &error), &error);
}

/* Returns the seconds until all agents are through the door at z = 0, at most `limit`. */
static float time_through(float width, bool rules, const throng_vec3 *start, uint32_t count, float limit) {
  throng_group_def g = walker(rules);
  walk_to(&g, THRONG_BEHAVIOUR_SEEK, 0.0f, 10.0f);
  throng_world *world = behind_a_door(width, &g);
  throng_agent_id ids[2];
  throng_vec3 p[2];
  uint32_t frame = 0, out = 0;
  stage_add(world, count, start, NULL, NULL, ids);
  for (; out < count && (float)frame * DT < limit; frame++) {
    stage_step(world, DT);
    read_places(world, ids, count, p);
    assert_true(deepest(p, count) < 0.05f * 2.0f * BODY);
    out = 0;
    for (uint32_t k = 0; k < count; k++) out += p[k].z > BODY;
  }
  throng_world_destroy(world);
  return (float)frame * DT;
}

/* A pair needs at most 10 s more than the slower of the two needs alone, however it comes to the door. */
static void a_pair_passes_a_narrow_door(void **state) {
  (void)state;
  static const float widths[] = {0.55f, 0.6f, 0.8f, 0.95f}, ahead[] = {0.0f, 0.001f, 0.05f, 0.2f};
  float most = 0.0f;
  for (uint32_t k = 0; k < 2 * 4 * 4; k++) {
    const float width = widths[k / 2 % 4];
    const throng_vec3 start[2] = {{-0.6f, 0.0f, -3.0f}, {0.6f, 0.0f, -3.0f + ahead[k / 8]}};
    const float alone = time_through(width, k % 2, &start[0], 1, 60.0f);
    const float more = time_through(width, k % 2, start, 2, 60.0f) - alone;
    if (more > 10.0f)
      print_error("door of %g m, one agent ahead by %g m: %g s\n", (double)width, (double)ahead[k / 8], (double)more);
    assert_true(more <= 10.0f);
    most = more > most ? more : most;
  }
  print_message("a pair needs at most %.1f s more than one agent\n", (double)most);
}

/* Sets a flow field that leads to the door and then away from it. */
static void lead_through(throng_world *world, float width) {
  static float vectors[2 * 160 * 160];
  const float middle = width > 0.6f ? 0.5f * width - 0.3f : 0.0f;
  for (int k = 0; k < 160 * 160; k++) {
    const float x = -20.0f + ((float)(k % 160) + 0.5f) * 0.25f, z = -20.0f + ((float)(k / 160) + 0.5f) * 0.25f;
    const float near_x = fminf(fmaxf(x, -middle), middle);
    const float dx = z >= 0.1f ? 0.0f : near_x - x, dz = z >= 0.1f ? 1.0f : 0.3f - z, length = sqrtf(dx * dx + dz * dz);
    vectors[2 * k] = dx / length;
    vectors[2 * k + 1] = dz / length;
  }
  throng_flow_field_def def = throng_default_flow_field_def();
  throng_error error;
  def.width = def.height = 160;
  def.cell = 0.25f;
  def.origin = (throng_vec3){-20.0f, 0.0f, -20.0f};
  def.vectors = vectors;
  require_ok(throng_world_set_flow_field(world, 0, &def, &error), &error);
}

static bool is_apart(const throng_vec3 *p, uint32_t k) {
  for (uint32_t j = 0; j < k; j++)
    if (stage_distance(p[j], p[k]) < 2.1 * (double)BODY) return false;
  return true;
}

/* Places agents [from, to) in a rectangle, at random and without overlaps. */
static void scatter(test_rng *rng, float x0, float x1, float z0, float z1, throng_vec3 *p, uint32_t from, uint32_t to) {
  for (uint32_t k = from; k < to; k++) {
    p[k] = (throng_vec3){rng_float(rng, x0, x1), 0.0f, rng_float(rng, z0, z1)};
    while (!is_apart(p, k)) p[k] = (throng_vec3){rng_float(rng, x0, x1), 0.0f, rng_float(rng, z0, z1)};
  }
}

/* Runs 60 walkers through a door. All must be out after `limit` seconds, without a longer pause than `pause`. */
static void crowd_through(float width, bool rules, uint64_t seed, float limit, float pause) {
  throng_group_def g = walker(rules);
  group_want(&g, THRONG_BEHAVIOUR_FOLLOW_FIELD, 1.0f)->follow_field.time_to_target = 0.3f;
  throng_world *world = behind_a_door(width, &g);
  test_rng rng = rng_from(seed);
  throng_agent_id ids[60];
  throng_vec3 p[60];
  float deep = 0.0f, last = 0.0f, longest = 0.0f;
  uint32_t out = 0, frame = 0;
  lead_through(world, width);
  scatter(&rng, -6.0f, 6.0f, -8.6f, -0.6f, p, 0, 60);
  stage_add(world, 60, p, NULL, NULL, ids);
  for (; out < 60 && (float)frame * DT < limit; frame++) {
    stage_step(world, DT);
    read_places(world, ids, 60, p);
    uint32_t now = 0;
    for (uint32_t k = 0; k < 60; k++) now += p[k].z > BODY;
    if (frame % 8 == 0) deep = fmaxf(deep, deepest(p, 60));
    if (now > out) {
      const float waited = out > 0 ? (float)frame * DT - last : 0.0f;
      longest = fmaxf(longest, waited);
      last = (float)frame * DT;
      out = now;
    }
  }
  print_message("seed %llu, door %.2f m%s: %u of 60 out after %.0f s, longest pause %.1f s, overlap %.1f %%\n",
                (unsigned long long)seed, (double)width, rules ? "" : ", contact alone", out,
                (double)((float)frame * DT), (double)longest, (double)(deep / (2.0f * BODY) * 100.0f));
  assert_true(out == 60 && longest <= pause && deep < 0.05f * 2.0f * BODY);
  throng_world_destroy(world);
}

static void a_crowd_passes_a_narrow_door(void **state) {
  (void)state;
  for (uint64_t k = 0; k < 5; k++) crowd_through(0.65f, true, base_seed + k, 120.0f, 20.0f);
  for (uint64_t k = 0; k < 2; k++) crowd_through(0.65f, false, base_seed + k, 120.0f, 20.0f);
}

static void nobody_waits_for_ever_at_the_narrowest_door(void **state) {
  (void)state;
  for (uint64_t k = 0; k < 3; k++) crowd_through(0.55f, k % 2, base_seed + k, 300.0f, 60.0f);
}

/* Forty walkers each way in a lane of 2 m, 0.5 per square metre. Under contact alone, bodies overlap a little more. */
static void both_ways_pass_in_a_lane(void **state) {
  (void)state;
  for (uint64_t k = 0; k < 5; k++) {
    throng_group_def g = walker(k % 2);
    group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.3f;
    const float walls[2][4] = {{-69, -1, 69, -1}, {-69, 1, 69, 1}};
    throng_world *world = walled(70.0f, walls, 2, &g);
    test_rng rng = rng_from(base_seed + k);
    throng_agent_id ids[MOST];
    throng_vec3 p[MOST], goal[MOST];
    scatter(&rng, -40.0f, 0.0f, -0.74f, 0.74f, p, 0, 40);
    scatter(&rng, 0.0f, 40.0f, -0.74f, 0.74f, p, 40, MOST);
    for (uint32_t i = 0; i < MOST; i++) goal[i] = (throng_vec3){i < 40 ? 60.0f : -60.0f, 0.0f, p[i].z};
    stage_add(world, MOST, p, NULL, goal, ids);
    uint32_t frame = 0, through = 0;
    float deep = 0.0f;
    for (; through < MOST && frame < 240 * HZ; frame++) {
      stage_step(world, DT);
      read_places(world, ids, MOST, p);
      if (frame % 16 == 0) deep = fmaxf(deep, deepest(p, MOST));
      through = 0;
      for (uint32_t i = 0; i < MOST; i++) through += (i < 40 ? p[i].x : -p[i].x) > 42.0f;
    }
    print_message("seed %llu%s: %u of 80 through the lane after %.0f s, overlap %.1f %%\n",
                  (unsigned long long)(base_seed + k), k % 2 ? "" : ", contact alone", through,
                  (double)((float)frame * DT), (double)(deep / (2.0f * BODY) * 100.0f));
    assert_true(through == MOST && deep < (k % 2 ? 0.05f : 0.08f) * 2.0f * BODY);
    throng_world_destroy(world);
  }
}

enum stander { IDLE, WITHOUT_A_GOAL, AT_ITS_GOAL, STANDERS };

struct passing {
  float seconds, moved, speed, left; /* until the walker is past; of the stander; at the end: of the walker, and of the
                                        stander from where it stood */
};

/* A walker passes an agent that stands `gap` metres from its wall, or in the middle of a lane of this width. */
static struct passing pass(enum stander kind, bool rules, float gap, float lane, float mass, uint32_t seconds) {
  throng_group_def g = walker(rules), stander = walker(kind == IDLE ? false : rules);
  const float x = lane > 0.0f ? 0.5f * lane : BODY, at = lane > 0.0f ? 0.5f * lane : gap + BODY;
  const float walls[2][4] = {{0, -19, 0, 19}, {lane, -19, lane, 19}};
  walk_to(&g, THRONG_BEHAVIOUR_ARRIVE, x, 8.0f);
  stander.mass = mass;
  if (kind != IDLE) walk_to(&stander, THRONG_BEHAVIOUR_ARRIVE, 0.0f, 0.0f);
  if (kind != IDLE) stander.behaviour[0].target.kind = THRONG_TARGET_GOAL;
  throng_world *world = walled(20.0f, walls, lane > 0.0f ? 2 : 1, &g);
  throng_error error;
  require_ok(throng_world_set_group(world, 1, &stander, &error), &error);
  const throng_vec3 p[2] = {{x, 0.0f, -8.0f}, {at, 0.0f, 0.0f}},
                    goal[2] = {{NAN, 0, 0}, {kind == AT_ITS_GOAL ? at : NAN, 0, 0}};
  const uint8_t group[2] = {0, 1};
  throng_agents_def agents = throng_default_agents_def();
  throng_agent_id ids[2];
  agents.position.data = p;
  agents.goal.data = goal;
  agents.group.data = group;
  require_ok(throng_agents_add(world, &agents, 2, ids, &error), &error);
  struct passing result = {INFINITY, 0.0f, 0.0f, 0.0f};
  for (uint32_t frame = 0; frame < seconds * HZ; frame++) {
    stage_step(world, DT);
    const float way = (float)stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[1]), p[1]);
    result.moved = fmaxf(result.moved, way);
    result.left = way;
    if (isinf(result.seconds) && stage_read(world, THRONG_COLUMN_POSITION, ids[0]).z > 7.5f)
      result.seconds = (float)frame * DT;
  }
  result.speed = (float)stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[0]));
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[1])) < 1e-3);
  throng_world_destroy(world);
  return result;
}

/* At most 20 s where 12 s are free. A body without a goal moves by at most its own diameter; one with a goal comes
 * back. */
static void who_walks_passes_who_stands(void **state) {
  (void)state;
  static const float lanes[] = {1.0f, 1.1f, 1.3f};
  float slowest = 0.0f, farthest = 0.0f;
  for (int kind = 0; kind < STANDERS; kind++)
    for (uint32_t k = 0; k < 2 * 8; k++) {
      const float gap = 0.1f * (float)(k / 2 + 1), lane = k / 2 < 5 ? 0.0f : lanes[k / 2 - 5];
      const struct passing done = pass((enum stander)kind, k % 2, gap, lane, 80.0f, 40);
      if (done.seconds > 20.0f || done.moved > 2.0f * BODY)
        print_error("stander %d, rules %u, gap %g, lane %g: %g s, moved %g m\n", kind, k % 2, (double)gap, (double)lane,
                    (double)done.seconds, (double)done.moved);
      slowest = fmaxf(slowest, done.seconds);
      farthest = fmaxf(farthest, done.moved);
      assert_true(done.seconds <= 20.0f && done.moved <= 2.0f * BODY);
      assert_true(kind != AT_ITS_GOAL || done.left < 0.06f);
    }
  print_message("past after at most %.1f s; standers moved by at most %.2f m\n", (double)slowest, (double)farthest);
}

static void with_every_update(void **state) {
  (void)state;
  static const throng_update all[] = {THRONG_UPDATE_SEMI_IMPLICIT, THRONG_UPDATE_EXPLICIT, THRONG_UPDATE_BALLISTIC};
  for (uint32_t k = 0; k < 3; k++) {
    update = all[k];
    const throng_vec3 start[2] = {{-0.6f, 0.0f, -3.0f}, {0.6f, 0.0f, -3.0f}};
    const float alone = time_through(0.6f, false, &start[0], 1, 60.0f);
    const float both = time_through(0.6f, false, start, 2, 60.0f),
                past = pass(IDLE, true, 0.2f, 0.0f, 80.0f, 40).seconds;
    print_message("update %u: a pair through after %.1f s, one after %.1f s; past a stander after %.1f s\n",
                  (unsigned)update, (double)both, (double)alone, (double)past);
    assert_true(both <= alone + 10.0f && past <= 20.0f);
  }
  update = THRONG_UPDATE_SEMI_IMPLICIT;
}

/* Rounding makes each frame's movement shorter than the step, but stops no agent. */
static void rounding_blocks_nobody(void **state) {
  (void)state;
  throng_group_def g = walker(true);
  g.max_acceleration = 0.1f;
  const float walls[1][4] = {{400, 0.5f, 900, 0.5f}};
  throng_world *world = walled(1000.0f, walls, 1, &g);
  const throng_vec3 p = {600, 0, 0}, v = {0.25f, 0, 0};
  throng_agent_id id;
  stage_add(world, 1, &p, &v, NULL, &id);
  for (uint32_t frame = 0; frame < 10 * HZ; frame++) {
    stage_step(world, DT);
    assert_true(stage_read(world, THRONG_COLUMN_BLOCKED_TIME, id).x == 0.0f);
  }
  throng_world_destroy(world);
}

static void a_heavy_body_blocks(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 2 * 2; k++) {
    const struct passing done = pass(IDLE, k % 2, 0.2f, k / 2 ? 1.0f : 0.0f, 1e6f, 30);
    assert_true(isinf(done.seconds) && done.moved < 0.01f && done.speed < 0.01f * 1.4f);
  }
}

/* Far from scenery and from the faces of the box, nobody is impatient. */
static void nobody_yields_in_the_open(void **state) {
  (void)state;
  throng_group_def g = walker(true);
  walk_to(&g, THRONG_BEHAVIOUR_SEEK, 0.0f, 0.0f);
  throng_world *world = walled(20.0f, NULL, 0, &g);
  test_rng rng = rng_from(base_seed);
  throng_vec3 p[60];
  float blocked[60];
  throng_error error;
  scatter(&rng, -6.0f, 6.0f, -6.0f, 6.0f, p, 0, 60);
  stage_add(world, 60, p, NULL, NULL, NULL);
  for (uint32_t frame = 0; frame < 20 * HZ; frame++) stage_step(world, DT);
  require_ok(throng_agents_read(world, THRONG_COLUMN_BLOCKED_TIME, NULL, 60, blocked, 0, &error), &error);
  for (uint32_t k = 0; k < 60; k++) assert_true(blocked[k] == 0.0f);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_yield", 303);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pair_passes_a_narrow_door),
      cmocka_unit_test(a_crowd_passes_a_narrow_door),
      cmocka_unit_test(nobody_waits_for_ever_at_the_narrowest_door),
      cmocka_unit_test(both_ways_pass_in_a_lane),
      cmocka_unit_test(who_walks_passes_who_stands),
      cmocka_unit_test(with_every_update),
      cmocka_unit_test(rounding_blocks_nobody),
      cmocka_unit_test(a_heavy_body_blocks),
      cmocka_unit_test(nobody_yields_in_the_open),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
