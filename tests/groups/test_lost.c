/* tests/groups/test_lost.c: agents that lose all their targets brake to rest, and agents at rest have velocity 0.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>
#include <stdio.h>

#define SPEED 1.4f

/* The ways in which an agent loses its target. */
enum loss { GOAL_REMOVED, AGENT_REMOVED, PATH_REMOVED, FIELD_REMOVED, FORMATION_REMOVED, NO_PLACE, LOSSES };
static const char *const loss_name[LOSSES] = {"goal removed",  "target agent removed", "path removed",
                                              "field removed", "formation removed",    "no place in the formation"};

static throng_group_def walker(void) {
  throng_group_def g = stage_idle_group();
  g.max_speed = SPEED;
  g.max_acceleration = 4.0f;
  g.when_target_lost = THRONG_WHEN_LOST_BRAKE;
  return g;
}

static void set_path(throng_world *world, bool exists) {
  const throng_vec3 points[2] = {{0, 0, 0}, {60, 0, 0}};
  throng_path_def def = throng_default_path_def();
  throng_error error;
  def.points.data = points;
  def.count = 2;
  require_ok(throng_world_set_path(world, 3, exists ? &def : NULL, &error), &error);
}

static void set_field(throng_world *world, bool exists) {
  const float vectors[2] = {1, 0};
  throng_flow_field_def def = throng_default_flow_field_def();
  throng_error error;
  def.width = def.height = 1;
  def.cell = 1.0f;
  def.vectors = vectors;
  require_ok(throng_world_set_flow_field(world, 3, exists ? &def : NULL, &error), &error);
}

static void set_formation(throng_world *world, uint32_t count) {
  const throng_vec3 places[1] = {{0, 0, -1}};
  throng_formation_def def = throng_default_formation_def();
  throng_error error;
  def.places.data = places;
  def.count = count;
  require_ok(throng_world_set_formation(world, 3, count > 0 ? &def : NULL, &error), &error);
}

/* Returns a group with one behaviour, whose target lose() removes in the way `loss`. */
static throng_group_def bound_group(enum loss loss, float weight, throng_agent_id leader) {
  static const throng_behaviour_kind kinds[LOSSES] = {THRONG_BEHAVIOUR_ARRIVE,      THRONG_BEHAVIOUR_PURSUE,
                                                      THRONG_BEHAVIOUR_FOLLOW_PATH, THRONG_BEHAVIOUR_FOLLOW_FIELD,
                                                      THRONG_BEHAVIOUR_FORMATION,   THRONG_BEHAVIOUR_FORMATION};
  throng_group_def g = walker();
  throng_behaviour *b = group_want(&g, kinds[loss], weight);
  if (loss == PATH_REMOVED) b->follow_path.index = 3;
  if (loss == FIELD_REMOVED) b->follow_field.index = 3;
  if (loss >= FORMATION_REMOVED) b->formation.index = 3;
  if (loss == AGENT_REMOVED || loss >= FORMATION_REMOVED) {
    b->target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = leader};
  }
  return g;
}

static void lose(throng_world *world, enum loss loss, throng_agent_id agent, throng_agent_id leader) {
  throng_error error;
  if (loss == GOAL_REMOVED) stage_write(world, THRONG_COLUMN_GOAL, agent, (throng_vec3){NAN, NAN, NAN});
  if (loss == AGENT_REMOVED) require_ok(throng_agents_remove(world, &leader, 1, &error), &error);
  if (loss == PATH_REMOVED) set_path(world, false);
  if (loss == FIELD_REMOVED) set_field(world, false);
  if (loss == FORMATION_REMOVED) set_formation(world, 0);
}

/* Returns a world with an agent of group 1 that moves at full speed and has just lost its target. */
static throng_world *lost_world(throng_space space, enum loss loss, throng_group_def g, throng_agent_id *agent) {
  throng_world_def def = throng_default_world_def();
  const throng_group_def idle = walker();
  const throng_vec3 p[2] = {{50, 0, 0}, {0, 0, 0}}, v[2] = {{0, 0, 0}, {SPEED, 0, 0}},
                    goal[2] = {{50, 0, 0}, {60, 0, 0}};
  throng_agent_id ids[2];
  throng_error error;
  def.space = space;
  throng_world *world = stage_world(&def, &idle);
  set_path(world, true);
  set_field(world, true);
  set_formation(world, 1);
  stage_add(world, 2, p, v, goal, ids);
  for (uint32_t k = 0; k < g.behaviour_count; k++) {
    if (g.behaviour[k].target.kind == THRONG_TARGET_AGENT) g.behaviour[k].target.agent = ids[0];
  }
  require_ok(throng_world_set_group(world, 1, &g, &error), &error);
  const uint8_t group = 1;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 1, &group, 0, &error), &error);
  lose(world, loss, ids[1], ids[0]);
  *agent = ids[1];
  return world;
}

/* For every kind of loss, time step and weight: the agent is exactly at rest after 3 s, never speeds up, and brakes
 * with at most max_acceleration. */
static void brakes(void **state) {
  (void)state;
  static const float weights[] = {1.0f, 0.5f, 3.0f, -1.0f};
  static const int rates[] = {20, 60, 240};
  for (int space = 0; space < 2; space++)
    for (int loss = 0; loss < LOSSES; loss++)
      for (int w = 0; w < 4; w++)
        for (int r = 0; r < 3; r++) {
          throng_agent_id agent;
          const throng_agent_id none = {0, 0, 0};
          const throng_group_def g = bound_group((enum loss)loss, weights[w], none);
          throng_world *world = lost_world((throng_space)space, (enum loss)loss, g, &agent);
          double last = (double)SPEED;
          for (int frame = 0; frame < 3 * rates[r]; frame++) {
            stage_step(world, 1.0f / (float)rates[r]);
            const throng_vec3 v = stage_read(world, THRONG_COLUMN_VELOCITY, agent);
            assert_true(v.z == 0.0f && stage_length(v) <= last && v.x >= -1e-6f);
            assert_true(last - stage_length(v) <= 4.0 * 1.0001 / rates[r]);
            last = stage_length(v);
          }
          if (last != 0.0) {
            fail_msg("%s, weight %g, %d frames per second: speed %g after 3 s", loss_name[loss], (double)weights[w],
                     rates[r], last);
          }
          throng_world_destroy(world);
        }
}

/* The agent stops within time_to_target, and not much earlier. */
static void in_time(void **state) {
  (void)state;
  static const float times[] = {0.4f, 1.0f, 2.5f};
  for (int k = 0; k < 3; k++) {
    throng_agent_id agent;
    const throng_agent_id none = {0, 0, 0};
    throng_group_def g = bound_group(GOAL_REMOVED, 1.0f, none);
    g.behaviour[0].arrive.time_to_target = times[k];
    throng_world *world = lost_world(THRONG_SPACE_PLANAR, GOAL_REMOVED, g, &agent);
    int frames = 0;
    while (frames < 1000 && stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, agent)) > 0.0) {
      stage_step(world, 0.01f);
      frames++;
    }
    assert_in_range(frames, (int)(100.0f * times[k]) - 1, (int)(100.0f * times[k]) + 2);
    throng_world_destroy(world);
  }
}

static void nothing(const throng_block *block, void *context) {
  (void)block;
  (void)context;
}

/* Agents are not lost while one of their behaviours acts, or can act, on them. */
static void keeps_going(void **state) {
  (void)state;
  static const throng_behaviour_kind kinds[] = {THRONG_BEHAVIOUR_SEEK, THRONG_BEHAVIOUR_WANDER,
                                                THRONG_BEHAVIOUR_HUG_WALLS, THRONG_BEHAVIOUR_CALLBACK,
                                                THRONG_BEHAVIOUR_FOLLOW_FIELD};
  for (int k = 0; k < 5; k++) {
    throng_agent_id agent;
    throng_error error;
    const throng_agent_id none = {0, 0, 0};
    throng_group_def g = bound_group(GOAL_REMOVED, 1.0f, none);
    throng_behaviour *b = group_want(&g, kinds[k], 1.0f);
    if (kinds[k] == THRONG_BEHAVIOUR_SEEK)
      b->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {90, 0, 0}};
    if (kinds[k] == THRONG_BEHAVIOUR_FOLLOW_FIELD) b->follow_field.index = 3;
    throng_world *world = lost_world(THRONG_SPACE_PLANAR, GOAL_REMOVED, g, &agent);
    require_ok(throng_world_set_callback(world, 0, nothing, NULL, &error), &error);
    for (int frame = 0; frame < 180; frame++) stage_step(world, 1.0f / 60.0f);
    assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, agent)) > 0.5 * (double)SPEED);
    if (kinds[k] == THRONG_BEHAVIOUR_CALLBACK) { /* a callback index without a function has no effect */
      require_ok(throng_world_set_callback(world, 0, NULL, NULL, &error), &error);
      for (int frame = 0; frame < 180; frame++) stage_step(world, 1.0f / 60.0f);
      assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, agent)) == 0.0);
    }
    throng_world_destroy(world);
  }
}

/* Coasting groups, and groups without a bound behaviour, keep the bits of the velocity. */
static void coasts(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    throng_agent_id agent;
    const throng_agent_id none = {0, 0, 0};
    throng_group_def g = k == 0 ? bound_group(GOAL_REMOVED, 1.0f, none) : walker();
    g.when_target_lost = k == 0 ? THRONG_WHEN_LOST_COAST : THRONG_WHEN_LOST_BRAKE;
    throng_world *world = lost_world(THRONG_SPACE_PLANAR, GOAL_REMOVED, g, &agent);
    for (int frame = 0; frame < 180; frame++) stage_step(world, 1.0f / 60.0f);
    assert_true(stage_read(world, THRONG_COLUMN_VELOCITY, agent).x == SPEED);
    throng_world_destroy(world);
  }
}

/* The explanation has the brake as the first behaviour's contribution. The rules over neighbours still act. */
static void explained(void **state) {
  (void)state;
  throng_agent_id agent;
  throng_error error;
  throng_explanation e;
  const throng_agent_id none = {0, 0, 0};
  throng_group_def g = bound_group(GOAL_REMOVED, 0.5f, none);
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 2.0f);
  g.behaviour[0].priority = 3;
  g.behaviour[0].arrive.time_to_target = 1.0f;
  throng_world *world = lost_world(THRONG_SPACE_PLANAR, GOAL_REMOVED, g, &agent);
  require_ok(throng_world_watch(world, agent, &error), &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  require_ok(throng_world_explain(world, agent, &e, &error), &error);
  assert_true(e.contribution[0].priority == 3 && e.contribution[0].acceleration.x == -SPEED);
  assert_true(e.contribution[1].acceleration.x == 0.0f);
  assert_true(e.acceleration.x == -0.5f * SPEED);
  throng_world_destroy(world);
}

/* The velocity of an agent that arrives becomes exactly 0; it does not stay at a denormal number. */
static void at_rest(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    throng_world_def def = throng_default_world_def();
    throng_group_def g = walker();
    const throng_vec3 p = {0, 0, 0}, goal = {5, 0, 3};
    throng_agent_id id;
    def.space = (throng_space)space;
    group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f);
    throng_world *world = stage_world(&def, &g);
    stage_add(world, 1, &p, NULL, &goal, &id);
    for (int frame = 0; frame < 900; frame++) stage_step(world, 1.0f / 60.0f);
    assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id)) == 0.0);
    assert_true(stage_distance(stage_read(world, THRONG_COLUMN_POSITION, id), goal) < 0.11);
    throng_world_destroy(world);
  }
}

/* Arrive comes to rest if dt (2 + S dt / slow_radius) < 4 time_to_target. Here the limit is a dt of 0.0927 s. */
static void arrive_time_steps(void **state) {
  (void)state;
  static const float dts[] = {0.05f, 0.088f, 0.097f};
  for (int k = 0; k < 3; k++) {
    throng_group_def g = walker();
    const throng_vec3 p = {0, 0, 0}, goal = {8.3f, 0, 0};
    throng_agent_id id;
    g.max_speed = 10.0f;
    g.max_acceleration = 1000.0f;
    throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f);
    b->arrive.slow_radius = 0.4f;
    b->arrive.target_radius = 0.0f;
    b->arrive.time_to_target = 0.1f;
    throng_world *world = stage_world(NULL, &g);
    stage_add(world, 1, &p, NULL, &goal, &id);
    for (int frame = 0; frame < 2000; frame++) stage_step(world, dts[k]);
    const double speed = stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id));
    assert_true(k < 2 ? speed < 1e-3 : speed > 0.1); /* target_radius 0: rounding of positions leaves a speed */
    throng_world_destroy(world);
  }
}

/* An agent that starts very slowly is not set to rest: only agents that slow down are. */
static void slow_start(void **state) {
  (void)state;
  throng_group_def g = walker();
  const throng_vec3 p = {0, 0, 0}, goal = {5, 0, 0};
  throng_agent_id id;
  g.max_acceleration = 1e-6f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  throng_world *world = stage_world(NULL, &g);
  stage_add(world, 1, &p, NULL, &goal, &id);
  for (int frame = 0; frame < 60; frame++) stage_step(world, 1.0f / 60.0f);
  assert_true(fabsf(stage_read(world, THRONG_COLUMN_VELOCITY, id).x - 1e-6f) < 1e-9f);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(brakes),
      cmocka_unit_test(in_time),
      cmocka_unit_test(keeps_going),
      cmocka_unit_test(coasts),
      cmocka_unit_test(explained),
      cmocka_unit_test(at_rest),
      cmocka_unit_test(arrive_time_steps),
      cmocka_unit_test(slow_start),
  };
  return cmocka_run_group_tests_name("lost", tests, NULL, NULL);
}
