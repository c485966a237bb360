/* test_idle.c: agents of groups that nothing drives stand, and come to rest after others pushed them.
 * Nobody who walks through them gets stuck. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

#define SIDE 6
#define COUNT (SIDE * SIDE)
#define RATES 3
#define SEEDS 3

static const int rates[RATES] = {20, 60, 240};
static uint64_t base_seed;

enum kind { PEOPLE, SEPARATION_ALONE, DEFAULT_GROUP, RECIPROCAL, FACING, SOLID_FORCE, KINDS };
static const char *const kind_name[KINDS] = {"walkers without behaviours",
                                             "separation alone",
                                             "default group without cohesion and alignment",
                                             "reciprocal avoidance",
                                             "behaviours that turn or avoid walls",
                                             "steering that is a force"};

static throng_group_def people(void) {
  throng_group_def g = throng_walkers_group_def();
  g.pace.on = false;
  g.separation.radius = 0.8f; /* some of the worlds see 1 m */
  g.behaviour_count = 0;
  return g;
}

static throng_group_def idle_group(enum kind kind) {
  throng_group_def g = kind == DEFAULT_GROUP ? throng_default_group_def() : people();
  if (kind == SEPARATION_ALONE) g.avoidance.weight = 0.0f;
  if (kind == DEFAULT_GROUP) g.cohesion.weight = g.alignment.weight = 0.0f;
  if (kind == RECIPROCAL) g.avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
  if (kind == SOLID_FORCE) {
    g.steering_is_force = true;
    g.mass = 1.0f;
  }
  if (kind != FACING) return g;
  g.facing = THRONG_FACING_STEERED;
  g.max_yaw_rate = 4.0f;
  g.upright = true;
  throng_group_def_add(&g, THRONG_BEHAVIOUR_LOOK);
  throng_group_def_add(&g, THRONG_BEHAVIOUR_AVOID_WALLS);
  throng_group_def_add(&g, THRONG_BEHAVIOUR_CALLBACK);
  return g;
}

/* People stand near each other, and one walks through. */
static throng_world *gathering(const throng_group_def *g, throng_space space, uint64_t seed, throng_agent_id id[COUNT],
                               throng_vec3 at[COUNT], throng_agent_id *walker) {
  throng_world_def def = throng_default_world_def();
  test_rng rng = rng_from(seed);
  throng_error error;
  def.space = space;
  def.perception_radius = 2.5f;
  throng_world *world = stage_world(&def, g);
  const throng_group_def walks = throng_walkers_group_def();
  require_ok(throng_world_set_group(world, 1, &walks, &error), &error);
  for (int k = 0; k < COUNT; k++) {
    const float x = (float)(k % SIDE) - 0.5f * (float)(SIDE - 1), z = (float)(k / SIDE) - 0.5f * (float)(SIDE - 1);
    at[k] = (throng_vec3){0.9f * x + rng_float(&rng, -0.1f, 0.1f), 0, 0.9f * z + rng_float(&rng, -0.1f, 0.1f)};
  }
  stage_add(world, COUNT, at, NULL, NULL, id);
  const throng_vec3 start = {-5, 0, rng_float(&rng, -0.2f, 0.2f)}, goal = {9, 0, 0.1f};
  stage_add(world, 1, &start, NULL, &goal, walker);
  const uint8_t group = 1;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, walker, 1, &group, 0, &error), &error);
  return world;
}

static void they_stand(enum kind kind, throng_space space, int rate, uint64_t seed, double *most) {
  throng_agent_id id[COUNT], walker;
  throng_vec3 at[COUNT];
  const throng_group_def g = idle_group(kind);
  throng_world *world = gathering(&g, space, seed, id, at, &walker);
  int frame = 0;
  for (; frame < 40 * rate && stage_read(world, THRONG_COLUMN_POSITION, walker).x < 5.0f; frame++)
    stage_step(world, 1.0f / (float)rate);
  assert_true(frame < 40 * rate);
  for (frame = 0; frame < 10 * rate; frame++) stage_step(world, 1.0f / (float)rate);
  for (int k = 0; k < COUNT; k++) {
    const double far = stage_distance(stage_read(world, THRONG_COLUMN_POSITION, id[k]), at[k]);
    const double speed = stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id[k]));
    *most = fmax(*most, far);
    if (far >= 1.0 || speed > 1e-3)
      fail_msg("%s, %s, %d frames per second, seed %llu: agent %d is %.2f m away, %g m/s", kind_name[kind],
               space ? "spatial" : "planar", rate, (unsigned long long)seed, k, far, speed);
  }
  throng_world_destroy(world);
}

static void idle_agents_stand(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    double most = 0.0;
    for (int mode = 0; mode < RATES * SEEDS; mode++)
      they_stand((enum kind)kind, (throng_space)((mode + kind) % 2), rates[mode % RATES],
                 base_seed + (uint64_t)(mode / RATES), &most);
    print_message("%s, 20, 60 and 240 frames per second, seeds %llu to %llu: at most %.2f m from their places\n",
                  kind_name[kind], (unsigned long long)base_seed, (unsigned long long)base_seed + SEEDS - 1, most);
  }
}

static void nothing(const throng_block *block, void *context) {
  (void)block;
  (void)context;
}

/* Returns the speed after 3 s of a lone agent of a group that begins at 1 m/s. */
static double speed_later(const throng_group_def *g, bool calls) {
  const throng_vec3 p = {0, 0, 0}, v = {1, 0, 0};
  throng_agent_id id;
  throng_error error;
  throng_world *world = stage_world(NULL, g);
  if (calls) require_ok(throng_world_set_callback(world, 0, nothing, NULL, &error), &error);
  stage_add(world, 1, &p, &v, NULL, &id);
  for (int frame = 0; frame < 180; frame++) stage_step(world, 1.0f / 60.0f);
  const double speed = stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id));
  throng_world_destroy(world);
  return speed;
}

/* Groups that something can drive, that coast, or that have no rule, keep the bits of their velocities. */
static void others_keep_their_velocity(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    throng_group_def g = people();
    if (k == 0) g.when_target_lost = THRONG_WHEN_LOST_COAST;
    if (k == 1) g.separation.weight = g.avoidance.weight = 0.0f;
    if (k == 2) g.cohesion.weight = 1.0f;
    if (k == 3) g.alignment.weight = 1.0f;
    if (k == 4) g.attraction.weight = 1.0f;
    if (k == 5) throng_group_def_add(&g, THRONG_BEHAVIOUR_ATTRACTORS);
    if (k == 6) throng_group_def_add(&g, THRONG_BEHAVIOUR_CALLBACK);
    if (k == 7) throng_group_def_add(&g, THRONG_BEHAVIOUR_FOLLOW_PATTERN);
    assert_true(speed_later(&g, k == 6) == 1.0);
  }
  const throng_group_def idle = people();
  assert_true(speed_later(&idle, false) == 0.0);
}

/* The explanation names the brake. */
static void the_brake_is_explained(void **state) {
  (void)state;
  const throng_group_def g = people();
  const throng_vec3 p = {0, 0, 0}, v = {0.1f, 0, 0};
  throng_agent_id id;
  throng_error error;
  throng_explanation e;
  throng_world *world = stage_world(NULL, &g);
  stage_add(world, 1, &p, &v, NULL, &id);
  require_ok(throng_world_watch(world, id, &error), &error);
  stage_step(world, 1.0f / 60.0f);
  require_ok(throng_world_explain(world, id, &e, &error), &error);
  assert_int_equal(e.count, 3);
  assert_string_equal(e.contribution[2].name, "brake");
  assert_true(e.contribution[2].weight == 1.0f && fabsf(e.contribution[2].acceleration.x + 1.0f) < 1e-5f);
  throng_world_destroy(world);
}

#define LONG 30.0f /* metres: the sides of the rectangle in which people stand */
#define WIDE 8.0f
#define STANDING 300 /* 1.25 per square metre */

/* Places people at random, without overlaps. */
static void spread(test_rng *rng, throng_vec3 at[STANDING]) {
  for (int k = 0; k < STANDING; k++) {
    bool apart = false;
    while (!apart) {
      at[k] = (throng_vec3){rng_float(rng, -LONG / 2, LONG / 2), 0, rng_float(rng, -WIDE / 2, WIDE / 2)};
      apart = true;
      for (int j = 0; j < k; j++) apart = apart && stage_distance(at[j], at[k]) > 0.45;
    }
  }
}

/* Returns the seconds in which somebody who avoids reciprocally walks 40 m, 30 of them through standing people. */
static double way_through(const throng_group_def *standing, int rate, uint64_t seed) {
  throng_world_def def = throng_default_world_def();
  test_rng rng = rng_from(seed);
  throng_vec3 at[STANDING];
  throng_agent_id walker;
  throng_error error;
  def.perception_radius = 2.5f;
  throng_world *world = stage_world(&def, standing);
  throng_group_def walks = people();
  walks.avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
  walks.avoidance.weight = 1.0f;
  walks.avoidance.radius = 1.25f;
  throng_group_def_add(&walks, THRONG_BEHAVIOUR_SEEK)->seek.time_to_target = 0.3f;
  require_ok(throng_world_set_group(world, 1, &walks, &error), &error);
  spread(&rng, at);
  stage_add(world, STANDING, at, NULL, NULL, NULL);
  const throng_vec3 start = {-20, 0, 0}, goal = {1000, 0, 0};
  stage_add(world, 1, &start, NULL, &goal, &walker);
  const uint8_t group = 1;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &walker, 1, &group, 0, &error), &error);
  int frame = 0;
  for (; frame < 120 * rate && stage_read(world, THRONG_COLUMN_POSITION, walker).x < 20; frame++)
    stage_step(world, 1.0f / (float)rate);
  throng_world_destroy(world);
  return (double)frame / rate;
}

/* RVO2 takes 33 to 39 s where all avoid reciprocally. Whoever avoids nobody has to be pushed aside. */
static void nobody_gets_stuck_among_them(void **state) {
  (void)state;
  throng_group_def standing[3] = {people(), people(), people()};
  static const double most[3] = {1.2 * 39, 90, 90};
  standing[0].avoidance.form = standing[1].avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
  standing[0].avoidance.weight = 1.0f;
  standing[0].avoidance.radius = standing[1].avoidance.radius = 1.25f;
  standing[1].avoidance.weight = standing[1].separation.weight = 0.0f;
  for (int k = 0; k < 3; k++) {
    double slowest = 0;
    for (int rate = 0; rate < RATES; rate++) {
      double mean = 0;
      for (uint64_t seed = 0; seed < SEEDS; seed++)
        mean += way_through(&standing[k], rates[rate], base_seed + seed) / SEEDS;
      slowest = fmax(slowest, mean);
    }
    print_message("kind %d, slowest frame rate: %.1f s\n", k, slowest);
    assert_true(slowest <= most[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(idle_agents_stand),
      cmocka_unit_test(others_keep_their_velocity),
      cmocka_unit_test(nobody_gets_stuck_among_them),
      cmocka_unit_test(the_brake_is_explained),
  };
  base_seed = test_seed("test_idle", 54);
  return cmocka_run_group_tests_name("idle", tests, NULL, NULL);
}
