/* tests/frame/test_motion.c: tests limits, update rules, drag, arriving and boundaries.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

static uint64_t base_seed;

/* At 1 m/s an agent moves 0.02 m in 0.02 s, by every update rule. */
static void a_metre_a_second(void **state) {
  (void)state;
  const throng_group_def g = stage_idle_group();
  for (int update = 0; update < 3; update++) {
    throng_world_def def = throng_default_world_def();
    def.update = (throng_update)update;
    throng_world *world = stage_world(&def, &g);
    const throng_vec3 p = {0, 0, 0}, v = {1, 0, 0};
    throng_agent_id id;
    stage_add(world, 1, &p, &v, NULL, &id);
    stage_step(world, 0.02f);
    assert_true(stage_read(world, THRONG_COLUMN_POSITION, id).x == 0.02f);
    throng_world_destroy(world);
  }
}

/* Speed 1, acceleration 2, dt = 1/2: all results are exact floats. */
static void update_rules(void **state) {
  (void)state;
  static const float wanted[3] = {1.0f, 0.5f, 0.75f};
  const throng_group_def g = stage_idle_group();
  for (int space = 0; space < 2; space++)
    for (int update = 0; update < 3; update++) {
      throng_world_def def = throng_default_world_def();
      def.update = (throng_update)update;
      def.space = (throng_space)space;
      throng_world *world = stage_world(&def, &g);
      const throng_vec3 p = {8, 4, 16}, v = {0, 0, -1}, a = {0, 0, -2};
      throng_agent_id id;
      throng_error error;
      stage_add(world, 1, &p, &v, NULL, &id);
      require_ok(throng_world_steer(world, 0.5f, &error), &error);
      stage_push(world, id, a);
      require_ok(throng_world_integrate(world, 0.5f, &error), &error);
      const throng_vec3 after = stage_read(world, THRONG_COLUMN_POSITION, id);
      assert_true(after.x == 8.0f && after.y == 4.0f && after.z == 16.0f - wanted[update]);
      assert_true(stage_read(world, THRONG_COLUMN_VELOCITY, id).z == -2.0f);
      throng_world_destroy(world);
    }
}

static void no_time_moves_nobody(void **state) {
  (void)state;
  throng_group_def g = throng_default_group_def();
  group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f);
  g.drag = 2.0f;
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[2] = {{1, 2, 3}, {1.5f, 0, 3}}, v[2] = {{0.5f, 0, 0.25f}, {0, 0, 0}};
  throng_agent_id ids[2];
  stage_add(world, 2, p, v, NULL, ids);
  const uint64_t hash =
      throng_world_hash(world, THRONG_BIT(THRONG_COLUMN_POSITION) | THRONG_BIT(THRONG_COLUMN_VELOCITY) |
                                   THRONG_BIT(THRONG_COLUMN_WANDER));
  for (int k = 0; k < 5; k++) stage_step(world, 0.0f);
  assert_true(throng_world_hash(world, THRONG_BIT(THRONG_COLUMN_POSITION) | THRONG_BIT(THRONG_COLUMN_VELOCITY) |
                                           THRONG_BIT(THRONG_COLUMN_WANDER)) == hash);
  assert_true(throng_world_frame(world) == 5);
  throng_world_destroy(world);
}

static void drag_and_speed_limit(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.drag = 3.0f;
  g.max_speed = 10.0f;
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[2] = {{0, 0, 0}, {50, 0, 0}}, v[2] = {{5, 0, 0}, {0, 0, 1000}};
  throng_agent_id ids[2];
  stage_add(world, 2, p, v, NULL, ids);
  stage_step(world, 0.5f);
  assert_true(stage_read(world, THRONG_COLUMN_VELOCITY, ids[0]).x == 2.0f); /* 5 / (1 + 3/2) */
  assert_true(stage_read(world, THRONG_COLUMN_VELOCITY, ids[1]).z == 10.0f);
  for (int k = 0; k < 600; k++) stage_step(world, 0.05f);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[0])) < 1e-30);
  throng_world_destroy(world);
}

static void no_limit_but_drag(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.max_speed = INFINITY;
  g.max_acceleration = 4.0f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  g.drag = 0.5f;
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p = {0, 0, 0}, goal = {100000, 0, 0};
  throng_agent_id id;
  stage_add(world, 1, &p, NULL, &goal, &id);
  for (int k = 0; k < 3000; k++) stage_step(world, 0.01f);
  assert_true(fabs(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id)) - 8.0) < 1e-3); /* A / c */
  throng_world_destroy(world);
}

/* How far an agent went past its goal, its last speed and distance, and how often it came within target_radius. */
typedef struct arrival {
  double overshoot, speed, distance;
  uint32_t entries;
} arrival;

static arrival arrive_from(float start, float amax, int space, float dt) {
  throng_group_def g = stage_idle_group();
  throng_world_def def = throng_default_world_def();
  def.space = (throng_space)space;
  g.max_speed = 2.0f;
  g.max_acceleration = amax;
  group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f);
  throng_world *world = stage_world(&def, &g);
  const throng_vec3 p = {0, 0, -start}, goal = {0, 0, 0};
  throng_agent_id id;
  stage_add(world, 1, &p, NULL, &goal, &id);
  arrival a = {0};
  bool inside = false;
  for (int k = 0; (float)k * dt < 30.0f; k++) {
    stage_step(world, dt);
    const throng_vec3 now = stage_read(world, THRONG_COLUMN_POSITION, id);
    a.overshoot = fmax(a.overshoot, (double)now.z);
    a.distance = stage_length(now);
    const bool in = a.distance <= (double)g.behaviour[0].arrive.target_radius;
    if (in && !inside) a.entries++;
    inside = in;
  }
  a.speed = stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id));
  throng_world_destroy(world);
  return a;
}

static void arriving(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    /* max_acceleration suffices to brake from max_speed if it is at least max_speed² / slow_radius = 4 / 2. */
    static const float enough[] = {2.0f, 3.0f, 20.0f};
    for (int k = 0; k < 3; k++) {
      const arrival a = arrive_from(10.0f, enough[k], space, 1.0f / 60.0f);
      assert_true(a.overshoot == 0.0 && a.entries == 1 && a.speed < 1e-6 && a.distance <= 0.1);
    }
    assert_true(arrive_from(10.0f, 1.0f, space, 1.0f / 60.0f).overshoot > 0.0);
  }
}

/* Arrive does not overshoot if dt is at most time_to_target (0.1 s). Above twice that the agent does not come to
 * rest. */
static void frames_in_the_stable_range(void **state) {
  (void)state;
  static const float fine[] = {1.0f / 1000.0f, 1.0f / 240.0f, 1.0f / 60.0f, 1.0f / 30.0f, 1.0f / 20.0f, 0.1f};
  for (int k = 0; k < 6; k++) {
    const arrival a = arrive_from(10.0f, 3.0f, 0, fine[k]);
    if (a.overshoot != 0.0 || a.entries != 1 || a.speed >= 1e-6)
      print_error("dt %.4f: overshoot %.4f m, %u entries, speed %.6f m/s\n", (double)fine[k], a.overshoot, a.entries,
                  a.speed);
    assert_true(a.overshoot == 0.0 && a.entries == 1 && a.speed < 1e-6);
  }
  assert_true(arrive_from(10.0f, 20.0f, 0, 0.21f).speed > 0.1);
}

/* Returns the largest distance from the goal in the eleventh second of an orbit around it. A weak drag c shrinks the
 * circle as exp(-2 c t / 3). */
static double orbit_peak(float drag, int space) {
  throng_group_def g = stage_idle_group();
  throng_world_def def = throng_default_world_def();
  def.space = (throng_space)space;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  g.drag = drag;
  throng_world *world = stage_world(&def, &g);
  const throng_vec3 p = {10, 0, 0}, v = {0, 0, 5.4772256f}, goal = {0, 0, 0}; /* v^2 / r = A = 3 */
  throng_agent_id id;
  stage_add(world, 1, &p, &v, &goal, &id);
  double peak = 0.0;
  for (int k = 0; k < 11 * 240; k++) {
    stage_step(world, 1.0f / 240.0f);
    if (k >= 10 * 240) peak = fmax(peak, stage_length(stage_read(world, THRONG_COLUMN_POSITION, id)));
  }
  throng_world_destroy(world);
  return peak;
}

static void seeking_orbits(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    const double free_peak = orbit_peak(0.0f, space), damped = orbit_peak(0.5f, space);
    assert_true(fabs(free_peak - 10.0) < 0.1);
    assert_true(damped < 0.5);
  }
}

static void seek_and_flee_and_the_goal_itself(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.max_speed = 2.0f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[3] = {{0, 0, 0}, {5, 1, 5}, {9, 0, 9}}, goals[3] = {{0, 7, 4}, {5, 0, 5}, {NAN, NAN, NAN}};
  throng_agent_id ids[3];
  throng_error error;
  stage_add(world, 3, p, NULL, goals, ids);
  for (int flee = 0; flee < 2; flee++) {
    group_want(&g, THRONG_BEHAVIOUR_SEEK, flee ? -1.0f : 1.0f);
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    require_ok(throng_world_steer(world, 0.1f, &error), &error);
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0]);
    assert_true(a.x == 0.0f && a.z == (flee ? -3.0f : 3.0f) && a.y == 0.0f);
    assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1])) == 0.0); /* at the goal */
    assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[2])) == 0.0); /* has no goal */
  }
  throng_world_destroy(world);
}

/* In a periodic world seek goes to the nearest image of the goal. */
static void goals_across_the_seam(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){16, 16, 16};
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  throng_world *world = stage_world(&def, &g);
  const throng_vec3 p = {15, 0, 8}, goal = {2, 0, 8};
  throng_agent_id id;
  throng_error error;
  stage_add(world, 1, &p, NULL, &goal, &id);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  assert_true(stage_read(world, THRONG_COLUMN_ACCELERATION, id).x == 3.0f);
  throng_world_destroy(world);
}

/* Fast agents stay in a box. At a face they lose the velocity towards it; away from the faces they keep theirs. */
static void boxes_contain(void **state) {
  (void)state;
  enum { AGENTS = 200 };
  test_rng rng = rng_from(base_seed);
  for (int space = 0; space < 2; space++) {
    throng_group_def g = stage_idle_group();
    throng_world_def def = throng_default_world_def();
    def.space = (throng_space)space;
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
    def.box_min = (throng_vec3){-3, -2, -1};
    def.box_max = (throng_vec3){4, 5, 6};
    g.max_speed = INFINITY;
    throng_world *world = stage_world(&def, &g);
    throng_vec3 p[AGENTS], v[AGENTS], q[AGENTS], u[AGENTS];
    throng_error error;
    for (int k = 0; k < AGENTS; k++) {
      p[k] = (throng_vec3){rng_float(&rng, -3, 4), rng_float(&rng, -2, 5), rng_float(&rng, -1, 6)};
      v[k] = (throng_vec3){rng_float(&rng, -90, 90), space ? rng_float(&rng, -90, 90) : 0.0f, rng_float(&rng, -90, 90)};
    }
    stage_add(world, AGENTS, p, v, NULL, NULL);
    for (int frame = 0; frame < 10; frame++) {
      stage_step(world, 0.05f);
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, q, 0, &error), &error);
      require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, AGENTS, u, 0, &error), &error);
      for (int k = 0; k < AGENTS; k++) {
        const float low = nextafterf(-3.0f, 0.0f), high = nextafterf(4.0f, 0.0f);
        assert_true(q[k].x > -3.0f && q[k].x < 4.0f && q[k].z > -1.0f && q[k].z < 6.0f);
        if (space == 0)
          assert_true(q[k].y == p[k].y); /* in planar worlds y is unchanged */
        else
          assert_true(q[k].y > -2.0f && q[k].y < 5.0f);
        if (q[k].x == low) assert_true(u[k].x >= 0.0f);
        if (q[k].x == high) assert_true(u[k].x <= 0.0f);
        if (q[k].x > low && q[k].x < high) assert_true(u[k].x == v[k].x);
      }
    }
    throng_world_destroy(world);
  }
}

/* A wrapped coordinate is in [min, max) even if a tiny negative number plus the side rounds to the side. */
static void periodic_wraps(void **state) {
  (void)state;
  static const float lows[] = {0.0f, -7.3f, 1000.1f}, sides[] = {4.0f, 10.7f, 33.3f};
  static const float moves[] = {-1e-9f, -1e-3f, -0.7f, 0.7f, 40.0f, -100.0f, 1e-9f, 0.0f};
  for (int a = 0; a < 9; a++) {
    throng_world_def def = throng_default_world_def();
    const float low = lows[a / 3], high = lows[a / 3] + sides[a % 3];
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
    def.box_min = (throng_vec3){low, low, low};
    def.box_max = (throng_vec3){high, high, high};
    if (high - low < 4.0f) continue;
    throng_group_def g = stage_idle_group();
    throng_world *world = stage_world(&def, &g);
    throng_agent_id ids[24];
    throng_vec3 p[24], v[24];
    const float starts[3] = {low, low + 1.0f, nextafterf(high, 0.0f) < high ? nextafterf(high, -INFINITY) : low};
    for (int k = 0; k < 24; k++)
      p[k] = (throng_vec3){starts[k % 3], 0, starts[k % 3]}, v[k] = (throng_vec3){moves[k / 3], 0, moves[7 - k / 3]};
    stage_add(world, 24, p, v, NULL, ids);
    stage_step(world, 1.0f);
    const double side = (double)high - (double)low;
    for (int k = 0; k < 24; k++) {
      const throng_vec3 q = stage_read(world, THRONG_COLUMN_POSITION, ids[k]);
      assert_true(q.x >= low && q.x < high && q.z >= low && q.z < high);
      /* The bound: the rounding errors of a few sums of the box limits and the distance moved. */
      const double bound = 6e-8 * (4.0 * fabs((double)high) + 4.0 * fabs((double)low) + 2.0 * fabs((double)v[k].x));
      assert_true(fabs(remainder((double)q.x - (double)p[k].x - (double)v[k].x, side)) <= bound);
      assert_true(stage_read(world, THRONG_COLUMN_VELOCITY, ids[k]).x == v[k].x);
    }
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_motion", 8);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_metre_a_second),
      cmocka_unit_test(update_rules),
      cmocka_unit_test(no_time_moves_nobody),
      cmocka_unit_test(drag_and_speed_limit),
      cmocka_unit_test(no_limit_but_drag),
      cmocka_unit_test(arriving),
      cmocka_unit_test(frames_in_the_stable_range),
      cmocka_unit_test(seeking_orbits),
      cmocka_unit_test(seek_and_flee_and_the_goal_itself),
      cmocka_unit_test(goals_across_the_seam),
      cmocka_unit_test(boxes_contain),
      cmocka_unit_test(periodic_wraps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
