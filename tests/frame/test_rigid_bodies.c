/* tests/frame/test_rigid_bodies.c: tests of THRONG_ACTUATION_RIGID_BODY by Bourg & Seemann's examples: turning circles
 * (2.4), chasing and intercepting (2.4, 2.5), and the square and zigzag patterns (3.3). test_reference_a compares the
 * exact bits.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979
static const float frame_time = 0.02f;

/* A body of 10 kg and 10 kg m^2. Straight on it reaches max_thrust / (mass drag) = 5 m/s; its thrusters turn it by at
 * most max_side bow / (moment_of_inertia angular_drag) = 0.45 rad/s. */
static throng_group_def body_group(void) {
  throng_group_def g = stage_idle_group();
  g.actuation = THRONG_ACTUATION_RIGID_BODY;
  g.facing = THRONG_FACING_STEERED;
  g.mass = g.moment_of_inertia = 10.0f;
  g.rigid_body = (throng_rigid_body){.max_thrust = 10.0f, .max_side = 3.0f, .bow = 3.0f};
  g.drag = 0.2f;
  g.angular_drag = 2.0f;
  g.max_acceleration = 2.0f;
  g.max_yaw_rate = 10.0f;
  return g;
}

static throng_agent_id add_body(throng_world *world, throng_vec3 p, throng_vec3 v) {
  throng_agent_id id;
  stage_add(world, 1, &p, &v, NULL, &id);
  return id;
}
static void set_pattern(throng_world *world, const throng_pattern_instruction *list, uint32_t count) {
  throng_pattern_def def = throng_default_pattern_def();
  throng_error error;
  def.instructions = list;
  def.count = count;
  require_ok(throng_world_set_pattern(world, 0, &def, &error), &error);
}

static void require_near(double value, double wanted, double most, const char *what) {
  if (fabs(value - wanted) <= most) return;
  print_error("%s is %.9g, expected %.9g to within %.3g\n", what, value, wanted, most);
  fail();
}

/* What the pattern wants, what the body of this mass does. The facing is +z, the right -x. */
static void forces_and_torques(void **state) {
  (void)state;
  static const struct {
    float right, thrust, mass;              /* mass: of the agent; NaN: of the group */
    double forward, to_right, turn_to_left; /* m/s^2, rad/s^2 */
  } cases[] = {
      {0, 1, NAN, 1.0, 0, 0},     {0, 0.25f, NAN, 0.5, 0, 0},   {0, -1, NAN, -0.4, 0, 0},    {1, 0, NAN, 0, 0.3, -0.9},
      {-1, 0, NAN, 0, -0.3, 0.9}, {0.1f, 0, NAN, 0, 0.2, -0.6}, {1, 1, NAN, 1.0, 0.3, -0.9}, {0, 1, 20, 0.5, 0, 0},
      {1, 0, 20, 0, 0.15, -0.9},  {-1, 1, 5, 2.0, -0.6, 0.9},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    throng_group_def g = body_group();
    g.rigid_body.max_reverse = 4.0f;
    group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATTERN, 1.0f);
    throng_world *world = stage_world(NULL, &g);
    throng_error error;
    const throng_pattern_instruction push = {.right = cases[k].right, .thrust = cases[k].thrust};
    set_pattern(world, &push, 1);
    const throng_agent_id id = add_body(world, (throng_vec3){0, 0, 0}, (throng_vec3){0, 0, 0});
    stage_write(world, THRONG_COLUMN_MASS, id, (throng_vec3){cases[k].mass, 0, 0});
    require_ok(throng_world_steer(world, frame_time, &error), &error);
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
    require_near((double)a.z, cases[k].forward, 1e-5, "forward");
    require_near((double)-a.x, cases[k].to_right, 1e-5, "to the right");
    require_near((double)stage_read(world, THRONG_COLUMN_YAW_ACCELERATION, id).x, cases[k].turn_to_left, 1e-5, "turn");
    throng_world_destroy(world);
  }
}

/* Behaviours that want an angular acceleration get it from the thrusters, which also push to the side. */
static void thrusters_face_a_target(void **state) {
  (void)state;
  throng_group_def g = body_group();
  group_want(&g, THRONG_BEHAVIOUR_FACE, 1.0f)->face.slow_radius = 1.0f;
  throng_behaviour *face = throng_group_def_find(&g, THRONG_BEHAVIOUR_FACE);
  face->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {-1000, 0, 1000}};
  face->face.time_to_target = 0.5f;
  g.max_yaw_rate = 0.4f;
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  const throng_agent_id id = add_body(world, (throng_vec3){0, 0, 0}, (throng_vec3){0, 0, 0});
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  const float turn = stage_read(world, THRONG_COLUMN_YAW_ACCELERATION, id).x;
  require_near((double)turn, -0.4 * 0.785398 / 0.5, 1e-4, "turn"); /* rate = max_yaw_rate * angle / slow_radius */
  require_near((double)stage_read(world, THRONG_COLUMN_ACCELERATION, id).x, (double)turn / 3.0, 1e-5, "aside");
  for (int k = 0; k < 2000; k++) stage_step(world, frame_time);
  const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, id);
  const double bearing = atan2(-1000.0 - (double)p.x, 1000.0 - (double)p.z);
  require_near((double)stage_read(world, THRONG_COLUMN_FACING, id).x, bearing, 0.011, "yaw"); /* its target_radius */
  throng_world_destroy(world);
}

/* Half the width of the area in which the agent moves in a time. */
static double radius_of(throng_world *world, throng_agent_id id, double seconds) {
  throng_vec3 low = {INFINITY, 0, INFINITY}, high = {-INFINITY, 0, -INFINITY};
  for (int k = 0; k < (int)(seconds / (double)frame_time); k++) {
    stage_step(world, frame_time);
    const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, id);
    low = (throng_vec3){fminf(low.x, p.x), 0, fminf(low.z, p.z)};
    high = (throng_vec3){fmaxf(high.x, p.x), 0, fmaxf(high.z, p.z)};
  }
  require_near((double)(high.x - low.x), (double)(high.z - low.z), 0.01, "width of a circle");
  return 0.25 * (double)(high.x - low.x + high.z - low.z);
}

/* With full thrusters the body turns at w = 0.45 rad/s, whatever its speed. Its velocity v follows v = damp (v + a dt),
 * where a turns by w dt in each frame: in the plane of complex numbers |v| = damp |a| dt / |1 - damp e^(-i w dt)|. So
 * the circle grows with the speed. */
static void circles_grow_with_the_speed(void **state) {
  (void)state;
  static const float thrusts[] = {1.0f, 2.5f, 5.0f, 10.0f};
  double before = 0.0;
  for (int k = 0; k < 4; k++) {
    throng_group_def g = body_group();
    g.rigid_body.max_thrust = thrusts[k];
    group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATTERN, 1.0f);
    throng_world *world = stage_world(NULL, &g);
    const throng_pattern_instruction push = {.right = 1, .thrust = 1};
    set_pattern(world, &push, 1);
    const throng_agent_id id = add_body(world, (throng_vec3){0, 0, 0}, (throng_vec3){0, 0, 0});
    for (int frame = 0; frame < 3000; frame++) stage_step(world, frame_time);
    require_near((double)stage_read(world, THRONG_COLUMN_YAW_RATE, id).x, -0.45, 1e-4, "yaw rate");
    const double dt = (double)frame_time, damp = 1.0 / (1.0 + 0.2 * dt), w = 0.45;
    const double force = sqrt((double)thrusts[k] * (double)thrusts[k] + 9.0);
    const double speed = damp * force / 10.0 * dt / sqrt(1.0 - 2.0 * damp * cos(w * dt) + damp * damp);
    const double radius = speed * dt / (2.0 * sin(0.5 * w * dt)), got = radius_of(world, id, 2.0 * PI / w);
    require_near(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id)), speed, 1e-3 * speed, "speed");
    require_near(got, radius, 2e-3 * radius, "radius");
    assert_true(got > 1.2 * before);
    before = got;
    throng_world_destroy(world);
  }
}

/* What a body does that plays a pattern of straight instructions and corners, in turn: where each straight part begins,
 * and its yaw at the end of it. */
#define PARTS 9
typedef struct walk {
  throng_vec3 begin[PARTS];
  double yaw[PARTS];
  double fastest; /* the largest yaw rate, rad/s */
} walk;
static walk play(float thrust, const throng_pattern_instruction *list, uint32_t count) {
  throng_group_def g = body_group();
  g.rigid_body.max_thrust = thrust;
  group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATTERN, 1.0f);
  throng_world *world = stage_world(NULL, &g);
  set_pattern(world, list, count);
  const throng_agent_id id = add_body(world, (throng_vec3){0, 0, 0}, (throng_vec3){0, 0, thrust / 2.0f});
  walk w = {.fastest = 0.0};
  double yaw = 0.0;
  int parts = 0;
  bool straight = false;
  for (int k = 0; k < 60000 && parts < PARTS + straight; k++) {
    const bool before = straight;
    stage_step(world, frame_time);
    const int now = (int)stage_read(world, THRONG_COLUMN_PATTERN_INSTRUCTION, id).x;
    straight = list[now].right == 0.0f;
    if (straight && !before) w.begin[parts++] = stage_read(world, THRONG_COLUMN_POSITION, id);
    const double turned = remainder((double)stage_read(world, THRONG_COLUMN_FACING, id).x - yaw, 2.0 * PI);
    yaw += turned;
    w.fastest = fmax(w.fastest, fabs(turned / (double)frame_time));
    if (straight) w.yaw[parts - 1] = yaw;
  }
  assert_int_equal(parts, PARTS);
  throng_world_destroy(world);
  return w;
}

/* The square: 60 m straight on, then 90 degrees to the right. The corners are arcs, so wide that the body cuts each of
 * them by many metres; at half the speed they are narrower. The drag stops the turn within 1 degree beyond the corner,
 * and the square closes to within 8 m of 440 m. */
static void squares(void **state) {
  (void)state;
  const throng_pattern_instruction list[] = {{.thrust = 0.5f, .distance = 60},
                                             {.right = 0.15f, .thrust = 0.5f, .heading = 1.57079633f}};
  double cut[2];
  for (int slow = 0; slow < 2; slow++) {
    const walk w = play(slow ? 5.0f : 10.0f, list, 2);
    for (int k = 1; k < PARTS; k++) {
      const double turned = w.yaw[k - 1] - w.yaw[k];
      assert_true(turned > 0.5 * PI && turned < 0.5 * PI + 0.018);
      const double side = stage_distance(w.begin[k - 1], w.begin[k]), second = stage_distance(w.begin[1], w.begin[2]);
      if (k >= 2) require_near(side, second, 0.5, "side");
      if (k >= 4) assert_true(stage_distance(w.begin[k], w.begin[k - 4]) < 8.0);
    }
    /* The first side ends at z = 60; the next one begins where the arc does. */
    cut[slow] = -(double)w.begin[1].x;
    assert_true(cut[slow] > 5.0 && (double)w.begin[1].z - 60.0 > 5.0);
    assert_true(w.fastest < 0.45);
  }
  assert_true(cut[0] > 1.5 * cut[1]);
}

/* The zigzag: corners of 1 rad to the right and to the left in turn. The body keeps to one direction, half a corner to
 * the right of its first facing. */
static void zigzags(void **state) {
  (void)state;
  const throng_pattern_instruction list[] = {{.thrust = 0.5f, .distance = 40},
                                             {.right = 0.15f, .thrust = 0.5f, .heading = 1.0f},
                                             {.thrust = 0.5f, .distance = 40},
                                             {.right = -0.15f, .thrust = 0.5f, .heading = 1.0f}};
  const walk w = play(10.0f, list, 4);
  for (int k = 0; k < PARTS; k++) {
    const bool aside = k % 2 == 1;
    assert_true(aside ? w.yaw[k] < -1.0 && w.yaw[k] > -1.018 : fabs(w.yaw[k]) < 0.018);
    if (k < 3) continue;
    const double x = (double)(w.begin[k].x - w.begin[k - 2].x), z = (double)(w.begin[k].z - w.begin[k - 2].z);
    require_near(atan2(x, z), -0.5056, 0.01, "direction");
  }
  assert_true(w.fastest < 0.45);
}

/* A body hunts a prey that swims past at a constant velocity, 60 m ahead. Returns the time until it is within 1 m, and
 * how far it has turned. */
typedef struct hunt {
  double seconds, turned;
} hunt;
static hunt hunt_by(throng_behaviour_kind kind, float speed) {
  throng_group_def prey = stage_idle_group(), hunter = body_group();
  throng_world *world = stage_world(NULL, &prey);
  throng_error error;
  const throng_vec3 p[] = {{-60, 0, 60}, {0, 0, 0}}, v[] = {{speed, 0, 0}, {0, 0, 0}};
  throng_agent_id ids[2];
  stage_add(world, 2, p, v, NULL, ids);
  throng_behaviour *b = group_want(&hunter, kind, 1.0f);
  b->target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[0]};
  if (kind == THRONG_BEHAVIOUR_INTERCEPT) b->intercept.turn = 1.0f;
  require_ok(throng_world_set_group(world, 1, &hunter, &error), &error);
  const uint8_t one = 1;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 1, &one, 0, &error), &error);
  hunt h = {0.0, 0.0};
  double distance = INFINITY;
  while (distance >= 1.0 && h.seconds < 100.0) {
    stage_step(world, frame_time);
    h.seconds += (double)frame_time;
    h.turned += fabs((double)stage_read(world, THRONG_COLUMN_YAW_RATE, ids[1]).x) * (double)frame_time;
    distance = stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[0]),
                              stage_read(world, THRONG_COLUMN_POSITION, ids[1]));
  }
  throng_world_destroy(world);
  return h;
}

/* Both catch a prey of up to half their speed. The chase takes 28 to 31 s and turns about, the interception takes 17 to
 * 20 s and hardly turns. */
static void hunters(void **state) {
  (void)state;
  for (float speed = 1.0f; speed < 2.6f; speed += 0.5f) {
    const hunt chase = hunt_by(THRONG_BEHAVIOUR_CHASE, speed), intercept = hunt_by(THRONG_BEHAVIOUR_INTERCEPT, speed);
    assert_true(chase.seconds > 26.0 && chase.seconds < 33.0 && chase.turned > 3.5);
    assert_true(intercept.seconds > 16.0 && intercept.seconds < 21.0 && intercept.turned < 1.7);
  }
}

/* The thrusters push fully beyond the dead band of 0.05 rad, and not at all within it, of a target at rest: chase and
 * intercept aim at it. */
static void dead_bands(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    const bool intercepts = k & 1, beyond = k & 2;
    const float side = k & 4 ? -1.0f : 1.0f, angle = side * (beyond ? 0.06f : 0.04f); /* yaw: to the left */
    throng_group_def g = body_group();
    const throng_behaviour_kind kind = intercepts ? THRONG_BEHAVIOUR_INTERCEPT : THRONG_BEHAVIOUR_CHASE;
    throng_behaviour *b = group_want(&g, kind, 1.0f);
    b->target.kind = THRONG_TARGET_POINT;
    b->target.point = (throng_vec3){50.0f * sinf(angle), 0, 50.0f * cosf(angle)};
    if (intercepts) b->intercept.turn = 1.0f;
    throng_world *world = stage_world(NULL, &g);
    throng_error error;
    const throng_agent_id id = add_body(world, (throng_vec3){0, 0, 0}, (throng_vec3){0, 0, 2});
    require_ok(throng_world_steer(world, frame_time, &error), &error);
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
    require_near((double)a.x, beyond ? (double)side * 0.3 : 0.0, 1e-6, "aside");
    require_near((double)a.z, 1.0, 1e-6, "thrust");
    throng_world_destroy(world);
  }
}

/* Returns the body's position after `frames` of a chase of a point. */
static throng_vec3 chase_end(throng_space space, throng_vec3 target, float max_lift, int frames) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = body_group();
  def.space = space;
  g.upright = true;
  g.rigid_body.max_lift = max_lift;
  throng_behaviour *chase = group_want(&g, THRONG_BEHAVIOUR_CHASE, 1.0f);
  chase->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = target};
  throng_world *world = stage_world(&def, &g);
  const throng_agent_id id = add_body(world, (throng_vec3){0, 3, 0}, (throng_vec3){0, 0, 1});
  for (int k = 0; k < frames; k++) stage_step(world, frame_time);
  const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, id);
  throng_world_destroy(world);
  return p;
}

/* In spatial worlds the bodies move on a horizontal plane as in planar ones, and keep their height without a lift. With
 * one they reach another height. */
static void bodies_in_space(void **state) {
  (void)state;
  for (int frames = 50; frames < 450; frames += 100) { /* the turn toward the point, and half of the way */
    const throng_vec3 target = {-40, 3, 25}, flat = chase_end(THRONG_SPACE_PLANAR, target, 0, frames),
                      deep = chase_end(THRONG_SPACE_SPATIAL, target, 0, frames);
    require_near((double)deep.x, (double)flat.x, 2e-3, "x");
    require_near((double)deep.z, (double)flat.z, 2e-3, "z");
    assert_true(deep.y == 3.0f);
  }
  const throng_vec3 above = {-40, 30, 25};
  assert_true(chase_end(THRONG_SPACE_SPATIAL, above, 0, 600).y == 3.0f);
  assert_true(chase_end(THRONG_SPACE_SPATIAL, above, 5, 600).y > 8.0f);
}

/* The lift is that of the force, whatever the wish and the facing; it turns nothing. */
static void lifts(void **state) {
  (void)state;
  static const struct {
    float max_lift, mass, height;
    double up;
  } cases[] = {{0, NAN, 9, 0},  {4, NAN, 9, 0.4},    {4, NAN, -9, -0.4},
               {4, 20, 9, 0.2}, {1e6f, NAN, 9, 2.0}, {1e6f, NAN, -9, -2.0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    throng_world_def def = throng_default_world_def();
    throng_group_def g = body_group();
    throng_error error;
    def.space = THRONG_SPACE_SPATIAL;
    g.upright = true;
    g.rigid_body.max_lift = cases[k].max_lift;
    throng_behaviour *seek = group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
    seek->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {0, cases[k].height, 0}};
    throng_world *world = stage_world(&def, &g);
    const throng_agent_id id = add_body(world, (throng_vec3){0, 0, 0}, (throng_vec3){0, 0, 0});
    stage_write(world, THRONG_COLUMN_MASS, id, (throng_vec3){cases[k].mass, 0, 0});
    require_ok(throng_world_steer(world, frame_time, &error), &error);
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
    require_near((double)a.y, cases[k].up, 1e-5, "lift");
    assert_true(a.x == 0.0f && a.z == 0.0f);
    assert_true(stage_read(world, THRONG_COLUMN_YAW_ACCELERATION, id).x == 0.0f);
    throng_world_destroy(world);
  }
}

static void what_is_refused(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  g = body_group();
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  g.moment_of_inertia = 0.0f;
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  g = body_group();
  g.facing = THRONG_FACING_INSTANT;
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  throng_world_destroy(world);

  throng_world_def def = throng_default_world_def();
  const throng_group_def idle = stage_idle_group();
  def.space = THRONG_SPACE_SPATIAL;
  world = stage_world(&def, &idle);
  g = body_group();
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_UNSUPPORTED, &error);
  assert_non_null(strstr(error.text, "upright"));
  g.upright = true;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_and_torques),
      cmocka_unit_test(thrusters_face_a_target),
      cmocka_unit_test(circles_grow_with_the_speed),
      cmocka_unit_test(squares),
      cmocka_unit_test(zigzags),
      cmocka_unit_test(hunters),
      cmocka_unit_test(dead_bands),
      cmocka_unit_test(bodies_in_space),
      cmocka_unit_test(lifts),
      cmocka_unit_test(what_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
