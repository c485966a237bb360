/* test_catalogue.c: tests of what behaviours do, of their parameters, and of the checks of a group's list.
 * test_reference_a.c compares their bits with the reference.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float frame_time = 1.0f / 60.0f;

/* Returns a group with one behaviour, whose target is the agent `prey`. */
static throng_group_def hunter(throng_behaviour_kind kind, throng_agent_id prey, float speed) {
  throng_group_def g = stage_idle_group();
  g.max_speed = speed;
  g.max_acceleration = 10.0f;
  throng_behaviour *b = group_want(&g, kind, 1.0f);
  b->target.kind = THRONG_TARGET_AGENT;
  b->target.agent = prey;
  return g;
}

typedef struct hunt {
  double caught_at; /* seconds; INFINITY: not within the time */
  double nearest;
} hunt;

/* The prey moves from the origin along +z at 1 m/s; the hunter begins at `start` with `velocity` and at most
 * `speed`. */
static hunt run_hunt(throng_behaviour_kind kind, throng_vec3 start, throng_vec3 velocity, float speed, float seconds) {
  throng_group_def prey_group = stage_idle_group();
  prey_group.max_speed = 1.0f;
  throng_world_def def = throng_default_world_def();
  throng_world *world = stage_world(&def, &prey_group);
  const throng_vec3 p[2] = {{0, 0, 0}, start}, v[2] = {{0, 0, 1}, velocity};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, v, NULL, ids);
  const throng_group_def g = hunter(kind, ids[0], speed);
  const uint8_t group = 1;
  require_ok(throng_world_set_group(world, 1, &g, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 1, &group, 0, &error), &error);
  hunt h = {INFINITY, INFINITY};
  for (int frame = 0; (float)frame * frame_time < seconds; frame++) {
    stage_step(world, frame_time);
    const double d = stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[0]),
                                    stage_read(world, THRONG_COLUMN_POSITION, ids[1]));
    assert_true(isfinite(d));
    h.nearest = fmin(h.nearest, d);
    if (d < 0.1 && isinf(h.caught_at)) h.caught_at = (frame + 1) * (double)frame_time;
  }
  throng_world_destroy(world);
  return h;
}

/* Intercept reaches a prey sooner than seek, and reaches some that seek does not. */
static void interception_beats_line_of_sight(void **state) {
  (void)state;
  /* From the side at 1.3 times the prey's speed: interception arrives in 15 / sqrt(1.3^2 - 1) = 18 s, line of sight in
   * 15 * 1.3 / (1.3^2 - 1) = 28 s, and a little more for the start from rest. */
  const throng_vec3 side = {15, 0, 0}, rest = {0, 0, 0};
  const hunt lead = run_hunt(THRONG_BEHAVIOUR_INTERCEPT, side, rest, 1.3f, 40.0f);
  const hunt sight = run_hunt(THRONG_BEHAVIOUR_SEEK, side, rest, 1.3f, 40.0f);
  assert_true(lead.caught_at < 19.5);
  assert_true(sight.caught_at > 26.0 && sight.caught_at < 32.0);
  /* A hunter that is slower but ahead of the prey. */
  const throng_vec3 ahead = {10, 0, 6};
  assert_true(run_hunt(THRONG_BEHAVIOUR_INTERCEPT, ahead, rest, 0.9f, 60.0f).nearest < 0.3);
  assert_true(run_hunt(THRONG_BEHAVIOUR_SEEK, ahead, rest, 0.9f, 60.0f).nearest > 2.0);
  /* A hunter that is slower and behind never reaches the prey; all values stay finite. */
  assert_true(run_hunt(THRONG_BEHAVIOUR_INTERCEPT, (throng_vec3){0, 0, -3}, rest, 0.9f, 60.0f).nearest > 2.5);
}

/* Chase, with a constant turn and a thrust along the facing, reaches the prey. With a negative turn it gets away. */
static void line_of_sight_chase_and_evasion(void **state) {
  (void)state;
  const throng_vec3 start = {0, 0, -8}, away = {0, 0, -1};
  assert_true(run_hunt(THRONG_BEHAVIOUR_CHASE, start, away, 2.0f, 40.0f).nearest < 0.5);
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[2] = {{0, 0, 0}, {1, 0, 3}}, v[2] = {{0, 0, 0}, {0, 0, -1}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, v, NULL, ids);
  throng_group_def evader = hunter(THRONG_BEHAVIOUR_CHASE, ids[0], 2.0f);
  evader.behaviour[0].chase.turn = -1.0f;
  const uint8_t group = 1;
  require_ok(throng_world_set_group(world, 1, &evader, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 1, &group, 0, &error), &error);
  for (int frame = 0; frame < 600; frame++) stage_step(world, frame_time);
  assert_true(stage_distance(p[0], stage_read(world, THRONG_COLUMN_POSITION, ids[1])) > 10.0);
  throng_world_destroy(world);
}

static throng_vec3 acceleration_of(throng_world *world, throng_agent_id id) {
  throng_error error;
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  return stage_read(world, THRONG_COLUMN_ACCELERATION, id);
}

static void require_near(throng_vec3 a, double x, double y, double z) {
  const double off = stage_distance(a, (throng_vec3){(float)x, (float)y, (float)z});
  if (off > 1e-4)
    print_error("acceleration (%g, %g, %g), expected (%g, %g, %g)\n", (double)a.x, (double)a.y, (double)a.z, x, y, z);
  assert_true(off <= 1e-4);
}

/* Returns what a behaviour wants of an agent at rest at the origin. Its target is an agent at `q` with velocity `u`;
 * max_acceleration is 10, max_speed 2. */
static throng_vec3 wish_for(throng_behaviour behaviour, throng_space space, throng_vec3 q, throng_vec3 u) {
  throng_group_def g = stage_idle_group();
  throng_world_def def = throng_default_world_def();
  def.space = space;
  g.max_speed = INFINITY;
  throng_world *world = stage_world(&def, &g);
  const throng_vec3 p[2] = {q, {0, 0, 0}}, v[2] = {u, {0, 0, 0}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, v, NULL, ids);
  throng_group_def own = hunter(behaviour.kind, ids[0], 2.0f);
  own.behaviour[0] = behaviour;
  own.behaviour[0].target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[0]};
  const uint8_t group = 1;
  require_ok(throng_world_set_group(world, 1, &own, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 1, &group, 0, &error), &error);
  const throng_vec3 a = acceleration_of(world, ids[1]);
  throng_world_destroy(world);
  return a;
}

static void each_formula_by_hand(void **state) {
  (void)state;
  const throng_vec3 q = {3, 0, 4}, u = {1, 0, 0}, still = {0, 0, 0};
  throng_behaviour b = throng_default_behaviour(THRONG_BEHAVIOUR_FLEE);
  require_near(wish_for(b, THRONG_SPACE_PLANAR, q, u), -6, 0, -8);
  b.flee.panic_radius = 4.9f;
  require_near(wish_for(b, THRONG_SPACE_PLANAR, q, u), 0, 0, 0);
  b = throng_default_behaviour(THRONG_BEHAVIOUR_PURSUE); /* T = 5 / 2: q + u T = (5.5, 0, 4) */
  b.pursue.max_prediction = 9.0f;
  require_near(wish_for(b, THRONG_SPACE_PLANAR, q, u), 10 * 5.5 / hypot(5.5, 4), 0, 40 / hypot(5.5, 4));
  b.pursue.max_prediction = 1.0f;
  require_near(wish_for(b, THRONG_SPACE_PLANAR, q, u), 10 * 4 / hypot(4, 4), 0, 40 / hypot(4, 4));
  b = throng_default_behaviour(THRONG_BEHAVIOUR_EVADE);
  require_near(wish_for(b, THRONG_SPACE_PLANAR, q, u), -10 * 4 / hypot(4, 4), 0, -40 / hypot(4, 4));
  b = throng_default_behaviour(THRONG_BEHAVIOUR_VELOCITY_MATCH);
  b.velocity_match.time_to_target = 0.5f;
  require_near(wish_for(b, THRONG_SPACE_PLANAR, q, u), 2, 0, 0);
  /* The leader looks along +x: its right is +z, up is +y. */
  b = throng_default_behaviour(THRONG_BEHAVIOUR_OFFSET_PURSUIT);
  b.offset_pursuit = (throng_offset_pursuit){.right = 2,
                                             .up = 5,
                                             .forward = -3,
                                             .slow_radius = 0,
                                             .target_radius = 0,
                                             .time_to_target = 1,
                                             .max_prediction = 0};
  require_near(wish_for(b, THRONG_SPACE_PLANAR, q, u), 0, 0, 2);
  require_near(wish_for(b, THRONG_SPACE_SPATIAL, q, u), 0, 2 * 5 / hypot(5, 6), 2 * 6 / hypot(5, 6));
  /* The agent is in the way of a leader that moves along +z. It is not if the leader has passed, or passes 1.5 m
   * away. */
  b = throng_default_behaviour(THRONG_BEHAVIOUR_CLEAR_WAY);
  require_near(wish_for(b, THRONG_SPACE_PLANAR, (throng_vec3){-0.5f, 0, -2}, (throng_vec3){0, 0, 1}), 10, 0, 0);
  require_near(wish_for(b, THRONG_SPACE_SPATIAL, (throng_vec3){0, 0, -2}, (throng_vec3){0, 0, 1}), -10, 0, 0);
  require_near(wish_for(b, THRONG_SPACE_PLANAR, (throng_vec3){-0.5f, 0, 2}, (throng_vec3){0, 0, 1}), 0, 0, 0);
  require_near(wish_for(b, THRONG_SPACE_PLANAR, (throng_vec3){-1.5f, 0, -2}, (throng_vec3){0, 0, 1}), 0, 0, 0);
  /* The target is exactly behind: thrust along the facing (+z) and to the agent's right (-x). */
  b = throng_default_behaviour(THRONG_BEHAVIOUR_CHASE);
  require_near(wish_for(b, THRONG_SPACE_PLANAR, (throng_vec3){0, 0, -3}, still), -10 / sqrt(2), 0, 10 / sqrt(2));
  require_near(wish_for(b, THRONG_SPACE_PLANAR, (throng_vec3){0.1f, 0, 3}, still), 0, 0, 10);
  require_near(wish_for(b, THRONG_SPACE_PLANAR, (throng_vec3){3, 0, 3}, still), 10 / sqrt(2), 0, 10 / sqrt(2));
}

static void options(void **state) {
  (void)state;
  const throng_vec3 q = {3, 0, 4}, near = {0, 0, 0.09f}, u = {1, 0, 0};
  throng_behaviour b = throng_default_behaviour(THRONG_BEHAVIOUR_PURSUE);
  b.pursue.by_speed = true; /* at rest the prediction is max_prediction, although 5 / 2 s is less */
  b.pursue.max_prediction = 9.0f;
  require_near(wish_for(b, THRONG_SPACE_PLANAR, q, u), 10 * 12 / hypot(12, 4), 0, 40 / hypot(12, 4));
  b.pursue.max_prediction = 1e9f;
  require_near(wish_for(b, THRONG_SPACE_PLANAR, (throng_vec3){0, 0, 0}, (throng_vec3){0, 0, 0}), 0, 0, 0);
  /* An agent within target_radius at 2 m/s brakes; with coast it does not. */
  for (int coast = 0; coast < 2; coast++) {
    throng_group_def g = stage_idle_group();
    g.max_speed = 2.0f;
    g.max_acceleration = 10.0f;
    throng_behaviour *arrive = group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f);
    arrive->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = near};
    arrive->arrive.coast = coast;
    throng_world *world = stage_world(NULL, &g);
    throng_agent_id id;
    stage_add(world, 1, &(throng_vec3){0, 0, 0}, &(throng_vec3){0, 0, 2}, NULL, &id);
    require_near(acceleration_of(world, id), 0, 0, coast ? 0 : -10);
    stage_write(world, THRONG_COLUMN_POSITION, id, (throng_vec3){0, 0, -1.91f}); /* 2 m away: 2 m/s is wanted */
    require_near(acceleration_of(world, id), 0, 0, 0);
    throng_world_destroy(world);
  }
}

static void between_two(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[3] = {{-4, 0, 0}, {4, 0, 2}, {0, 0, -6}}, v[3] = {{0, 0, 0.5f}, {0, 0, 0.5f}, {0, 0, 0}};
  throng_agent_id ids[3];
  throng_error error;
  stage_add(world, 3, p, v, NULL, ids);
  throng_group_def own = hunter(THRONG_BEHAVIOUR_INTERPOSE, ids[0], 3.0f);
  own.behaviour[0].other = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[1]};
  own.when_target_lost = THRONG_WHEN_LOST_COAST;
  const uint8_t group = 1;
  require_ok(throng_world_set_group(world, 1, &own, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[2], 1, &group, 0, &error), &error);
  for (int frame = 0; frame < 900; frame++) stage_step(world, frame_time);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_POSITION, ids[0]),
                    b = stage_read(world, THRONG_COLUMN_POSITION, ids[1]);
  const throng_vec3 middle = {0.5f * (a.x + b.x), 0, 0.5f * (a.z + b.z)};
  assert_true(stage_distance(middle, stage_read(world, THRONG_COLUMN_POSITION, ids[2])) <
              0.7); /* arrive lags a little behind the moving middle */
  require_ok(throng_agents_remove(world, &ids[1], 1, &error), &error);
  assert_int_equal(throng_world_lost_target_count(world), 1);
  assert_true(stage_length(acceleration_of(world, ids[2])) == 0.0);
  throng_world_destroy(world);
}

/* If the target is removed, the agents get no acceleration from the behaviour and are counted as having lost it. A
 * definition with the removed id is refused. */
static void a_target_that_is_gone(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[3] = {{0, 0, 0}, {3, 0, 0}, {0, 0, 5}};
  throng_agent_id ids[3];
  throng_error error;
  stage_add(world, 3, p, NULL, NULL, ids);
  const throng_group_def seeker = hunter(THRONG_BEHAVIOUR_SEEK, ids[0], 2.0f);
  const uint8_t groups[2] = {1, 1};
  require_ok(throng_world_set_group(world, 1, &seeker, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 2, groups, 0, &error), &error);
  assert_int_equal(throng_world_lost_target_count(world), 0);
  require_near(acceleration_of(world, ids[1]), -10, 0, 0);
  require_ok(throng_agents_remove(world, &ids[0], 1, &error), &error);
  assert_int_equal(throng_world_lost_target_count(world), 2);
  assert_int_equal(throng_world_lost_target_count(NULL), 0);
  require_near(acceleration_of(world, ids[1]), 0, 0, 0);
  require_error(throng_world_set_group(world, 2, &seeker, &error), THRONG_ERROR_STALE_ID, &error);
  throng_group_def off = seeker;
  off.behaviour[0].target.agent.world = 7;
  require_error(throng_world_set_group(world, 2, &off, &error), THRONG_ERROR_FOREIGN_ID, &error);
  /* A new agent with the same id index is not the target. */
  throng_agent_id heir;
  stage_add(world, 1, p, NULL, NULL, &heir);
  assert_int_equal(heir.index, ids[0].index);
  require_near(acceleration_of(world, ids[1]), 0, 0, 0);
  throng_world_destroy(world);
}

/* Sets the objects that behaviours refer to: scenery, path, formation, flow field and pattern. */
static void furnish(throng_world *world, throng_space space) {
  const throng_vec3 centre = {3, 0, 0}, from = {-3, 0, -3}, to = {-3, 0, 3}, low = {-4, -1, -4}, high = {-3, 1, 4},
                    points[] = {{1, 0, 1}, {5, 0, 5}}, slots[] = {{0, 0, 0}, {1, 0, -1}};
  const float radius = 1.0f, vectors[2] = {1, 0};
  const throng_pattern_instruction go = {0.5f, 1, 1, 0, 0, 0, 0, 0};
  throng_scenery_def scenery = throng_default_scenery_def();
  throng_path_def path = throng_default_path_def();
  throng_pattern_def pattern = throng_default_pattern_def();
  throng_formation_def formation = throng_default_formation_def();
  throng_flow_field_def field = throng_default_flow_field_def();
  throng_error error;
  scenery.obstacle_centre.data = &centre;
  scenery.obstacle_radius.data = &radius;
  scenery.obstacle_count = 1;
  scenery.wall_from.data = &from;
  scenery.wall_to.data = &to;
  scenery.wall_count = space == THRONG_SPACE_PLANAR;
  scenery.box_min.data = &low;
  scenery.box_max.data = &high;
  scenery.box_count = space == THRONG_SPACE_SPATIAL;
  path.points.data = points;
  formation.places.data = slots;
  path.count = formation.count = 2;
  pattern.instructions = &go;
  field.vectors = vectors;
  field.width = field.height = pattern.count = 1;
  require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
  require_ok(throng_world_set_path(world, 0, &path, &error), &error);
  require_ok(throng_world_set_formation(world, 0, &formation, &error), &error);
  require_ok(throng_world_set_flow_field(world, 0, &field, &error), &error);
  require_ok(throng_world_set_pattern(world, 0, &pattern, &error), &error);
}

/* Every behaviour with 1000 agents at rest on their target, also with dt = 0: frames succeed and speeds are limited. */
static void edges_of_every_kind(void **state) {
  (void)state;
  static throng_vec3 heap[1000];
  for (int k = 0; k < THRONG_BEHAVIOUR_KINDS * 2; k++) {
    throng_group_def g = stage_idle_group();
    throng_world_def def = throng_default_world_def();
    def.space = (throng_space)(k % 2);
    g.max_speed = 2.0f;
    g.max_acceleration = 5.0f;
    group_want(&g, (throng_behaviour_kind)(k / 2), 1.0f);
    if (kind_turns((throng_behaviour_kind)(k / 2))) {
      g.facing = THRONG_FACING_STEERED;
      g.max_yaw_rate = 3.0f;
    }
    throng_world *world = stage_world(&def, &g);
    throng_error error;
    furnish(world, def.space);
    stage_add(world, 1000, heap, NULL, heap, NULL);
    if (k / 2 == THRONG_BEHAVIOUR_FORMATION) {
      throng_formation_fill fill;
      require_ok(throng_world_fill_formation(world, 0, &fill, &error), &error);
      assert_true(fill.placed == 2 && fill.left_over == 998);
    }
    for (int frame = 0; frame < 4; frame++) {
      require_ok(throng_world_step(world, frame == 2 ? 0.0f : frame_time, &error), &error);
      throng_view view;
      require_ok(throng_world_view(world, &view, &error), &error);
      for (uint32_t i = 0; i < view.count; i++) {
        const double y = view.velocity_y ? (double)view.velocity_y[i] : 0.0;
        const double speed = sqrt(pow((double)view.velocity_x[i], 2) + y * y + pow((double)view.velocity_z[i], 2));
        assert_true(speed <= 2.0 * (1 + 1e-6));
      }
    }
    throng_world_destroy(world);
  }
}

/* A parameter that is set through its description has the value that was set. A value that the type cannot hold is
 * refused and changes nothing. */
static void values_by_description(void **state) {
  (void)state;
  static const double bad[] = {-1, 0.5, 2, 4294967296.0, (double)NAN, (double)INFINITY};
  throng_behaviour b = throng_default_behaviour(THRONG_BEHAVIOUR_FOLLOW_PATH);
  throng_parameter index, time, by_speed, rays;
  assert_true(throng_behaviour_get_parameter(THRONG_BEHAVIOUR_FOLLOW_PATH, 0, &index));
  assert_true(throng_behaviour_get_parameter(THRONG_BEHAVIOUR_FOLLOW_PATH, 1, &time));
  assert_true(throng_behaviour_get_parameter(THRONG_BEHAVIOUR_PURSUE, 2, &by_speed));
  assert_true(throng_behaviour_get_parameter(THRONG_BEHAVIOUR_AVOID_WALLS, 0, &rays));
  assert_true(index.type == THRONG_PARAMETER_UINT32 && time.type == THRONG_PARAMETER_FLOAT &&
              by_speed.type == THRONG_PARAMETER_BOOL && rays.type == THRONG_PARAMETER_ENUM);
  assert_true(throng_behaviour_set_value(&b, &index, 63) && b.follow_path.index == 63);
  assert_true(throng_behaviour_set_value(&b, &time, 0.1) && b.follow_path.time_to_target == 0.1f);
  assert_true(throng_behaviour_get_value(&b, &index) == 63 && throng_behaviour_get_value(&b, &time) == (double)0.1f);
  b = throng_default_behaviour(THRONG_BEHAVIOUR_PURSUE);
  assert_true(throng_behaviour_set_value(&b, &by_speed, 1) && b.pursue.by_speed);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_false(throng_behaviour_set_value(&b, &by_speed, bad[k]));
    assert_true(bad[k] == 2 || !throng_behaviour_set_value(&b, &index, bad[k]));
  }
  assert_true(b.pursue.by_speed && throng_behaviour_get_value(&b, &by_speed) == 1);
  b = throng_default_behaviour(THRONG_BEHAVIOUR_AVOID_WALLS);
  assert_true(throng_behaviour_set_value(&b, &rays, THRONG_RAYS_PARALLEL) &&
              b.avoid_walls.rays == THRONG_RAYS_PARALLEL);
  assert_string_equal(rays.words[THRONG_RAYS_FAN], "fan");
  assert_true(rays.highest == THRONG_RAYS_FAN && rays.words[THRONG_RAYS_FAN + 1] == NULL);
}

/* Returns the description of the group parameter with this name. */
static throng_parameter group_parameter(const char *name) {
  throng_parameter p;
  for (uint32_t k = 0; throng_group_def_get_parameter(k, &p); k++)
    if (strcmp(p.name, name) == 0) return p;
  print_error("a group has no %s\n", name);
  fail();
  return p;
}

static void the_parameters_of_groups(void **state) {
  (void)state;
  throng_group_def g = throng_default_group_def();
  throng_parameter p;
  uint32_t count = 0, end = 0; /* end: of the previous parameter, in bytes */
  for (; throng_group_def_get_parameter(count, &p); count++) {
    assert_true(p.offset >= end && p.offset < sizeof g);
    assert_true(p.lowest <= p.initial && (p.initial <= p.highest || (p.infinite && isinf(p.initial))));
    assert_true(throng_group_def_get_value(&g, &p) == p.initial);
    assert_true((p.type == THRONG_PARAMETER_ENUM) == (p.words != NULL));
    for (uint32_t word = 0; p.words && word <= p.highest; word++) assert_non_null(p.words[word]);
    end = p.offset + (p.type == THRONG_PARAMETER_BOOL ? 1 : 4);
  }
  assert_true(count > 50);
  p = group_parameter("separation.mask");
  assert_true(p.type == THRONG_PARAMETER_LAYERS && p.initial == 4294967295.0);
  assert_true(throng_group_def_set_value(&g, &p, 5) && g.separation.mask == 5);
  p = group_parameter("cohesion.form");
  assert_true(throng_group_def_set_value(&g, &p, 1) && g.cohesion.form == THRONG_COHESION_ARRIVE);
  assert_string_equal(p.words[1], "arrive");
  p = group_parameter("max_yaw_rate");
  assert_true(p.infinite && isinf(throng_group_def_get_value(&g, &p)));
  p = group_parameter("combine_chance[7]");
  assert_true(throng_group_def_set_value(&g, &p, 0.25) && g.combine_chance[7] == 0.25f);
  p = group_parameter("separation.nearest_only");
  assert_true(throng_group_def_set_value(&g, &p, 1) && g.separation.nearest_only);
  assert_false(throng_group_def_set_value(&g, &p, 2));
}

static void the_table_of_kinds(void **state) {
  (void)state;
  throng_parameter p;
  for (int k = 0; k < THRONG_BEHAVIOUR_KINDS; k++) {
    const throng_behaviour_kind kind = (throng_behaviour_kind)k;
    const throng_behaviour b = throng_default_behaviour(kind);
    assert_non_null(throng_behaviour_name(kind));
    assert_true(b.kind == kind && b.weight == 1.0f && b.priority == 0);
    uint32_t count = 0, end = 0; /* end: of the previous parameter, in bytes */
    while (throng_behaviour_get_parameter(kind, count, &p)) {
      assert_true(p.name != NULL && p.offset >= end && p.offset < sizeof b);
      assert_true(p.lowest <= p.initial && p.initial <= p.highest && throng_behaviour_get_value(&b, &p) == p.initial);
      assert_true((p.type == THRONG_PARAMETER_ENUM) == (p.words != NULL) && !p.infinite);
      end = p.offset + (p.type == THRONG_PARAMETER_BOOL ? 1 : 4);
      count++;
    }
    assert_in_range(count, 1, THRONG_MAX_PARAMETERS);
    for (int other = 0; other < k; other++)
      assert_true(strcmp(throng_behaviour_name(kind), throng_behaviour_name((throng_behaviour_kind)other)) != 0);
  }
  assert_null(throng_behaviour_name(THRONG_BEHAVIOUR_KINDS));
  assert_false(throng_behaviour_get_parameter(THRONG_BEHAVIOUR_KINDS, 0, &p));
  assert_false(throng_behaviour_get_parameter(THRONG_BEHAVIOUR_SEEK, 99, &p));
  assert_false(throng_behaviour_get_parameter(THRONG_BEHAVIOUR_SEEK, 0, NULL));
  assert_true(throng_default_behaviour((throng_behaviour_kind)-1).weight == 0.0f);
}

/* If the list of `g` is full, throng_group_def_add writes to the spare entry and does not change the list. Such a
 * definition is refused. */
static void require_full_list(throng_world *world, throng_group_def g) {
  throng_behaviour *const spare = &g.behaviour[THRONG_MAX_BEHAVIOURS];
  const throng_group_def before = g;
  throng_error error;
  char expected[80];
  for (uint32_t added = THRONG_MAX_BEHAVIOURS + 1; added < THRONG_MAX_BEHAVIOURS + 4; added++) {
    assert_ptr_equal(throng_group_def_add(&g, THRONG_BEHAVIOUR_ARRIVE), spare);
    assert_true(spare->kind == THRONG_BEHAVIOUR_ARRIVE && spare->weight == 1.0f && g.behaviour_count == added);
    assert_memory_equal(g.behaviour, before.behaviour, THRONG_MAX_BEHAVIOURS * sizeof *g.behaviour);
    assert_true(g.max_speed == before.max_speed && g.cookie == before.cookie);
    require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
    snprintf(expected, sizeof expected, "a group holds %u behaviours, %u were added", THRONG_MAX_BEHAVIOURS, added);
    assert_string_equal(error.text, expected);
    assert_null(throng_group_def_find(&g, THRONG_BEHAVIOUR_ARRIVE));
  }
  g.behaviour_count = UINT32_MAX;
  assert_ptr_equal(throng_group_def_add(&g, THRONG_BEHAVIOUR_SEEK), spare);
  assert_int_equal(g.behaviour_count, UINT32_MAX);
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
}

static void lists_are_checked(void **state) {
  (void)state;
  throng_group_def g = throng_default_group_def();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  for (uint32_t k = 0; k < THRONG_MAX_BEHAVIOURS; k++) assert_non_null(throng_group_def_add(&g, THRONG_BEHAVIOUR_FLEE));
  assert_null(throng_group_def_add(NULL, THRONG_BEHAVIOUR_FLEE));
  assert_null(throng_group_def_find(NULL, THRONG_BEHAVIOUR_FLEE));
  assert_null(throng_group_def_find(&g, THRONG_BEHAVIOUR_SEEK));
  require_ok(throng_world_set_group(world, 1, &g, &error), &error);
  require_full_list(world, g);
  g.behaviour_count = 1;
  g.behaviour[0].kind = THRONG_BEHAVIOUR_KINDS;
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "behaviour[0].kind"));
  g.behaviour[0].kind = THRONG_BEHAVIOUR_FLEE;
  g.behaviour[0].priority = THRONG_PRIORITIES;
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  g.behaviour[0].priority = 0;
  g.behaviour[0].target.kind = (throng_target_kind)9;
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "target.kind"));
  g.behaviour[0].target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {0, NAN, NAN}};
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_NOT_FINITE, &error);
  assert_non_null(strstr(error.text, "target.point.z"));
  g.behaviour[0].target.point.z = 1.0f; /* y does not count in planar worlds */
  require_ok(throng_world_set_group(world, 1, &g, &error), &error);
  throng_world_def round_def = throng_default_world_def();
  throng_world_def_set_boundary(&round_def, THRONG_BOUNDARY_PERIODIC);
  throng_group_def idle = stage_idle_group();
  throng_world *round_world = stage_world(&round_def, &idle);
  g.behaviour[0].target.point.x = 260.0f; /* too far outside the box, which is 0 to 100 */
  require_error(throng_world_set_group(round_world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  throng_world_destroy(round_world);
  require_ok(throng_world_shift_origin(world, (throng_vec3){1, 0, 0}, NULL, &error),
             &error); /* y = NaN does not prevent a shift */
  g.cohesion.priority = 8;
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  g.cohesion.priority = 0;
  g.combine = (throng_combine)4;
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  g.combine = THRONG_COMBINE_WEIGHTED;
  group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f);
  throng_group_def_add(&g, THRONG_BEHAVIOUR_WANDER);
  require_error(throng_world_set_group(world, 1, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "wander"));
  throng_world_destroy(world);
}

/* Tests each way to combine flee with seek: flee alone, seek with what flee leaves of the budget, the clipped sum, and
 * a random choice per frame. */
static void ways_to_combine(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.max_acceleration = 4.0f;
  throng_behaviour *flee = group_want(&g, THRONG_BEHAVIOUR_FLEE, 0.75f),
                   *seek = group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  flee->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {1, 0, 0}};
  flee->flee.panic_radius = 2.0f;
  seek->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {0, 0, 9}};
  seek->priority = 3;
  g.combine = THRONG_COMBINE_PRIORITY;
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_agent_id id;
  stage_add(world, 1, &(throng_vec3){0, 0, 0}, NULL, NULL, &id);
  require_near(acceleration_of(world, id), -3, 0, 0);
  g.combine = THRONG_COMBINE_BUDGET; /* 3 of 4 are taken, 1 is left */
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_near(acceleration_of(world, id), -3, 0, 1);
  g.combine = THRONG_COMBINE_WEIGHTED;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_near(acceleration_of(world, id), -4 * 3 / 5.0, 0, 4 * 4 / 5.0);
  g.combine = THRONG_COMBINE_DITHER;
  g.combine_chance[0] = 0.25f;
  g.combine_chance[3] = 0.5f;
  g.max_speed = 1e-6f; /* the agent hardly moves */
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  uint32_t flights = 0, goals = 0, nothing = 0;
  for (int frame = 0; frame < 4000; frame++) {
    const throng_vec3 a = acceleration_of(world, id);
    flights += a.x < 0.0f;
    goals += a.z > 0.0f;
    nothing += a.x == 0.0f && a.z == 0.0f;
    stage_step(world, 0.0f);
  }
  assert_int_equal(flights + goals + nothing, 4000);
  assert_true(abs((int)flights - 1000) < 120 && abs((int)goals - 1500) < 140); /* over four standard deviations */
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(interception_beats_line_of_sight),
      cmocka_unit_test(line_of_sight_chase_and_evasion),
      cmocka_unit_test(each_formula_by_hand),
      cmocka_unit_test(options),
      cmocka_unit_test(between_two),
      cmocka_unit_test(a_target_that_is_gone),
      cmocka_unit_test(edges_of_every_kind),
      cmocka_unit_test(the_table_of_kinds),
      cmocka_unit_test(values_by_description),
      cmocka_unit_test(the_parameters_of_groups),
      cmocka_unit_test(lists_are_checked),
      cmocka_unit_test(ways_to_combine),
  };
  return cmocka_run_group_tests_name("catalogue", tests, NULL, NULL);
}
