/* test_neighbour_forms.c: tests of forms of the rules over neighbours on a few agents: separation from the nearest
 * only, attraction, cohesion that arrives, lateral forms, and avoidance cones.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265f

static throng_world_def wide_world(void) {
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 10.0f;
  return def;
}

static void require_vector(throng_vec3 a, float x, float y, float z) {
  const double off = stage_distance(a, (throng_vec3){x, y, z});
  if (off <= 1e-5) return;
  fail_msg("acceleration (%.7g, %.7g, %.7g), expected (%.7g, %.7g, %.7g)", (double)a.x, (double)a.y, (double)a.z,
           (double)x, (double)y, (double)z);
}

static void separation_from_the_nearest(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  throng_group_def g = stage_idle_group();
  g.max_acceleration = 10.0f;
  g.separation.weight = 1.0f;
  const throng_vec3 three[] = {{0, 0, 0}, {2, 0, 0}, {0, 0, 4}};
  require_vector(stage_wanted_by_first(&def, &g, 3, three, NULL), -5.0f, 0,
                 -2.5f); /* k R / d each, R the perception radius */
  g.separation.nearest_only = true;
  require_vector(stage_wanted_by_first(&def, &g, 3, three, NULL), -5.0f, 0, 0);
  const throng_vec3 equal[] = {
      {0, 0, 0}, {2, 0, 0}, {-2, 0, 0}, {0, 0, 2}}; /* equal distances: the smallest z row, then the smallest x */
  require_vector(stage_wanted_by_first(&def, &g, 4, equal, NULL), 5.0f, 0, 0);
  const throng_vec3 same[] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}; /* the coincident one is the nearest */
  assert_true(fabs(stage_length(stage_wanted_by_first(&def, &g, 3, same, NULL)) - 10.0) < 1e-4);
}

static void attraction_pulls(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  throng_group_def g = stage_idle_group();
  g.max_acceleration = 10.0f;
  g.attraction.weight = 1.0f;
  g.attraction.strength = 8.0f;
  const throng_vec3 two[] = {{0, 0, 0}, {2, 0, 0}}, close[] = {{0, 0, 0}, {0.1f, 0, 0}};
  require_vector(stage_wanted_by_first(&def, &g, 2, two, NULL), 2.0f, 0, 0);    /* k / d^2 */
  require_vector(stage_wanted_by_first(&def, &g, 2, close, NULL), 10.0f, 0, 0); /* max_acceleration */
  const throng_vec3 between[] = {{0, 0, 0}, {2, 0, 0}, {-2, 0, 0}, {0, 0, 4}}, same[] = {{0, 0, 0}, {0, 0, 0}};
  require_vector(stage_wanted_by_first(&def, &g, 4, between, NULL), 0, 0, 0.5f);
  require_vector(stage_wanted_by_first(&def, &g, 2, same, NULL), 0, 0, 0);
  g.attraction.radius = 3.0f;
  require_vector(stage_wanted_by_first(&def, &g, 4, between, NULL), 0, 0, 0);
  g.attraction.mask = 2u; /* a layer without agents */
  require_vector(stage_wanted_by_first(&def, &g, 2, two, NULL), 0, 0, 0);
}

static void cohesion_that_arrives(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  throng_group_def g = stage_idle_group();
  g.max_speed = 2.0f;
  g.max_acceleration = 100.0f;
  g.cohesion.weight = 1.0f;
  g.cohesion.form = THRONG_COHESION_ARRIVE;
  g.cohesion.slow_radius = 4.0f;
  g.cohesion.target_radius = 0.1f;
  g.cohesion.coast = false;
  g.cohesion.time_to_target = 0.5f;
  const throng_vec3 far[] = {{0, 0, 0}, {8, 0, 0}, {6, 0, 0}}, near[] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
  const throng_vec3 about[] = {{0, 0, 0}, {-2, 0, 0}, {2, 0, 0}}, moving[] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  require_vector(stage_wanted_by_first(&def, &g, 3, far, NULL), 4.0f, 0, 0);      /* max_speed / time_to_target */
  require_vector(stage_wanted_by_first(&def, &g, 3, near, NULL), 2.0f, 0, 0);     /* slower: at slow_radius / 2 */
  require_vector(stage_wanted_by_first(&def, &g, 3, about, NULL), 0, 0, 0);       /* at the mean already */
  require_vector(stage_wanted_by_first(&def, &g, 3, about, moving), -2.0f, 0, 0); /* brakes */
  require_vector(stage_wanted_by_first(&def, &g, 1, about, moving), 0, 0, 0);     /* no neighbours: no acceleration */
  g.cohesion.coast = true;
  require_vector(stage_wanted_by_first(&def, &g, 3, about, moving), 0, 0, 0); /* no acceleration near the mean */
  g.cohesion.slow_radius = g.cohesion.target_radius = -1.0f;                  /* 4 m and 2 m: 0.4 and 0.2 of the 10 m */
  require_vector(stage_wanted_by_first(&def, &g, 3, near, NULL), 0, 0, 0);    /* the mean is 2 m away */
  const throng_vec3 beyond[] = {{0, 0, 0}, {2, 0, 0}, {4, 0, 0}};
  require_vector(stage_wanted_by_first(&def, &g, 3, beyond, NULL), 3.0f, 0, 0);
}

/* A neighbour at exactly the radius counts, a farther one does not. */
static void radii_of_the_rules(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  throng_group_def g = stage_idle_group();
  g.cohesion.weight = 1.0f;
  g.cohesion.form = THRONG_COHESION_SEEK;
  g.cohesion.radius = 3.0f;
  const throng_vec3 p[] = {{0, 0, 0}, {3, 0, 0}, {0, 0, 4}}, v[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  require_vector(stage_wanted_by_first(&def, &g, 3, p, NULL), g.max_acceleration, 0, 0);
  g.cohesion.radius = nextafterf(3.0f, 0.0f);
  require_vector(stage_wanted_by_first(&def, &g, 3, p, NULL), 0, 0, 0);
  g.cohesion.weight = 0.0f;
  g.alignment.weight = 1.0f;
  g.alignment.radius = 3.0f;
  g.max_acceleration = 100.0f;
  g.alignment.time_to_target = 1.0f;
  require_vector(stage_wanted_by_first(&def, &g, 3, p, v), 1.0f, 0, 0);
  g.alignment.radius = 0.0f; /* the perception radius */
  require_vector(stage_wanted_by_first(&def, &g, 3, p, v), 0.5f, 0, 0.5f);
}

/* The acceleration is at right angles to the facing and grows with the angle. The agent's facing is +z, its right
 * -x. */
static void lateral_forms(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  throng_group_def g = stage_idle_group();
  g.max_acceleration = 8.0f;
  g.cohesion.weight = 1.0f;
  g.cohesion.form = THRONG_COHESION_LATERAL;
  const throng_vec3 ahead[] = {{0, 0, 0}, {0, 0, 3}}, left[] = {{0, 0, 0}, {3, 0, 0}},
                    oblique[] = {{0, 0, 0}, {-3, 0, -3}}, behind[] = {{0, 0, 0}, {0, 0, -3}, {0, 0, -4}};
  require_vector(stage_wanted_by_first(&def, &g, 2, ahead, NULL), 0, 0, 0);
  require_vector(stage_wanted_by_first(&def, &g, 2, left, NULL), 4.0f, 0, 0); /* max_acceleration / 2 at 90 degrees */
  require_vector(stage_wanted_by_first(&def, &g, 2, oblique, NULL), -6.0f, 0, 0); /* 3 / 4 of it at 135 degrees */
  require_vector(stage_wanted_by_first(&def, &g, 2, behind, NULL), -8.0f, 0, 0);  /* odd id index: to the right */
  g.cohesion.weight = 0.0f;
  g.alignment.weight = 1.0f;
  g.alignment.form = THRONG_ALIGNMENT_LATERAL;
  const throng_vec3 along[] = {{0, 0, 1}, {0, 0, 2}, {0, 0, 1}}, across[] = {{0, 0, 1}, {5, 0, 0}, {1, 0, 0}},
                    against[] = {{0, 0, 1}, {0, 0, -1}, {0, 0, -2}}, cancelled[] = {{0, 0, 1}, {3, 0, 1}, {-3, 0, -1}};
  require_vector(stage_wanted_by_first(&def, &g, 3, behind, along), 0, 0, 0);
  require_vector(stage_wanted_by_first(&def, &g, 3, behind, across), 4.0f, 0, 0);
  require_vector(stage_wanted_by_first(&def, &g, 3, behind, against), -8.0f, 0, 0);
  require_vector(stage_wanted_by_first(&def, &g, 3, behind, cancelled), 0, 0, 0);
}

/* Lateral separation has the strength of the law. It is at right angles to the facing, away from the neighbour's
 * side. */
static void lateral_separation(void **state) {
  (void)state;
  throng_world_def def = wide_world();
  throng_group_def g = stage_idle_group();
  g.max_acceleration = 8.0f;
  g.separation.weight = 1.0f;
  g.separation.form = THRONG_SEPARATION_LATERAL;
  const throng_vec3 ahead[] = {{0, 0, 0}, {3, 0, 4}}, behind[] = {{0, 0, 0}, {-3, 0, -4}},
                    both[] = {{0, 0, 0}, {3, 0, 4}, {-6, 0, 8}}, in_line[] = {{0, 0, 0}, {0, 0, 4}},
                    above[] = {{0, 0, 0}, {0, 3, 4}}, same[] = {{0, 0, 0}, {0, 0, 0}};
  for (int space = 0; space < 2; space++) {
    def.space = (throng_space)space;
    require_vector(stage_wanted_by_first(&def, &g, 2, ahead, NULL), -2.0f, 0, 0); /* k R / d */
    require_vector(stage_wanted_by_first(&def, &g, 2, behind, NULL), 2.0f, 0, 0);
    require_vector(stage_wanted_by_first(&def, &g, 3, both, NULL), -1.0f, 0, 0);
    require_vector(stage_wanted_by_first(&def, &g, 2, in_line, NULL), -2.5f, 0, 0); /* odd id index: to the right */
    const throng_vec3 a = stage_wanted_by_first(&def, &g, 2, same, NULL);
    assert_true(fabs(stage_length(a) - 8.0) < 1e-4 && a.z == 0.0f);
  }
  require_vector(stage_wanted_by_first(&def, &g, 2, above, NULL), 0, -2.0f, 0);
  g.separation.law = THRONG_SEPARATION_LINEAR;
  require_vector(stage_wanted_by_first(&def, &g, 2, ahead, NULL), -4.0f, 0, 0); /* max_acceleration (R - d) / R */
  g.separation.nearest_only = true;
  require_vector(stage_wanted_by_first(&def, &g, 3, both, NULL), -4.0f, 0, 0);
  g.separation.field_of_view = PI;
  require_vector(stage_wanted_by_first(&def, &g, 2, behind, NULL), 0, 0, 0);
}

/* Rigid bodies, which cannot push themselves aside, keep apart by their bow thrusters. */
static void lateral_separation_steers_rigid_bodies(void **state) {
  (void)state;
  throng_world_def def = wide_world();
  throng_group_def g = stage_idle_group();
  g.max_speed = 3.0f;
  g.facing = THRONG_FACING_STEERED;
  g.max_yaw_rate = 3.0f;
  g.drag = g.angular_drag = 0.5f;
  g.actuation = THRONG_ACTUATION_RIGID_BODY;
  g.moment_of_inertia = 80.0f;
  g.separation.form = THRONG_SEPARATION_LATERAL;
  throng_group_def_add(&g, THRONG_BEHAVIOUR_WANDER)->wander.radius = 0.0f; /* thrust ahead */
  double apart[2];
  for (int separates = 0; separates < 2; separates++) {
    g.separation.weight = (float)separates;
    throng_world *world = stage_world(&def, &g);
    const throng_vec3 p[2] = {{0, 0, 0}, {2, 0, 0}};
    throng_agent_id ids[2];
    stage_add(world, 2, p, NULL, NULL, ids);
    for (int frame = 0; frame < 200; frame++) stage_step(world, 0.02f);
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_POSITION, ids[0]),
                      b = stage_read(world, THRONG_COLUMN_POSITION, ids[1]);
    assert_true(a.z > 1.0f && b.z > 1.0f);
    apart[separates] = stage_distance(a, b);
    throng_world_destroy(world);
  }
  assert_true(apart[0] == 2.0 && apart[1] > 3.0);
}

static throng_group_def avoiding_group(throng_avoidance_form form) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 2.0f;
  g.max_acceleration = 3.0f;
  g.body_radius = 0.3f;
  g.avoidance.weight = 1.0f;
  g.avoidance.horizon = 4.0f;
  g.avoidance.form = form;
  return g;
}

/* A neighbour in the cone that will pass at a distance is a threat for the cone forms only. A neighbour outside the
 * cone that will collide is a threat for the predicting form only. */
static void cones_and_predictions(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  const throng_group_def predicts = avoiding_group(THRONG_AVOIDANCE_PREDICT);
  const throng_vec3 abreast[] = {{0, 0, 0}, {1, 0, 4}}, passing[] = {{0, 0, 1}, {0, 0, -1}};
  const throng_vec3 apart[] = {{0, 0, 0}, {3, 0, 0}}, converging[] = {{1, 0, 1}, {-1, 0, 1}};
  for (int form = THRONG_AVOIDANCE_CONE_MEAN; form <= THRONG_AVOIDANCE_CONE_NEAREST; form++) {
    const throng_group_def cone = avoiding_group((throng_avoidance_form)form);
    require_vector(stage_wanted_by_first(&def, &predicts, 2, abreast, passing), 0, 0, 0);
    assert_true(fabs(stage_length(stage_wanted_by_first(&def, &cone, 2, abreast, passing)) - 3.0) < 1e-5);
    require_vector(stage_wanted_by_first(&def, &cone, 2, apart, converging), 0, 0, 0);
    assert_true(fabs(stage_length(stage_wanted_by_first(&def, &predicts, 2, apart, converging)) - 3.0) < 1e-5);
  }
  /* Two neighbours in the cone: away from the mean of both or from the nearer one, where they will be in
   * |d| / max_speed seconds. */
  const throng_vec3 in_front[] = {{0, 0, 0}, {1, 0, 4}, {-1, 0, 2}, {0, 0, -1}},
                    standing[] = {{0, 0, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  const throng_group_def mean = avoiding_group(THRONG_AVOIDANCE_CONE_MEAN),
                         nearest = avoiding_group(THRONG_AVOIDANCE_CONE_NEAREST);
  const float share = 3.0f / sqrtf(5.0f);
  require_vector(stage_wanted_by_first(&def, &mean, 4, in_front, standing), 0, 0, -3.0f);
  require_vector(stage_wanted_by_first(&def, &nearest, 4, in_front, standing), share, 0, -2.0f * share);
  const throng_vec3 crossing[] = {{0, 0, 1}, {-2, 0, 0}, {9, 0, 9}, {0, 0, 0}}; /* at (1, 4) - (2, 0) |d| / 2 */
  const float at = 1.0f - sqrtf(17.0f), inverse = 3.0f / sqrtf(at * at + 16.0f);
  require_vector(stage_wanted_by_first(&def, &nearest, 2, in_front, crossing), -at * inverse, 0, -4.0f * inverse);
}

/* Two agents move head-on to goals behind each other: they pass almost without touching. */
static void mirrored_pairs_pass(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  throng_group_def g = avoiding_group(THRONG_AVOIDANCE_PREDICT);
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 0.5f)->seek.time_to_target = 0.5f;
  throng_world *world = stage_world(&def, &g);
  const throng_vec3 positions[] = {{0, 0, 0}, {0, 0, 8}}, velocities[] = {{0, 0, 1}, {0, 0, -1}},
                    goals[] = {{0, 0, 20}, {0, 0, -12}};
  throng_agent_id ids[2];
  stage_add(world, 2, positions, velocities, goals, ids);
  double nearest = INFINITY;
  for (int frame = 0; frame < 1200; frame++) {
    stage_step(world, 1.0f / 60.0f);
    const double d = stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[0]),
                                    stage_read(world, THRONG_COLUMN_POSITION, ids[1]));
    nearest = d < nearest ? d : nearest;
  }
  print_message("mirrored pair: nearest %.3f m of 0.6 m\n", nearest);
  assert_true(nearest > 0.57);
  assert_true(stage_read(world, THRONG_COLUMN_POSITION, ids[0]).z > 10.0f);
  assert_true(stage_read(world, THRONG_COLUMN_POSITION, ids[1]).z < -2.0f);
  throng_world_destroy(world);
}

static void forms_are_checked(void **state) {
  (void)state;
  const throng_world_def def = wide_world();
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(&def, &g);
  throng_error error;
  g.max_speed = INFINITY;
  g.cohesion.form = THRONG_COHESION_ARRIVE;
  g.avoidance.form = THRONG_AVOIDANCE_CONE_MEAN;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error); /* not checked with weight 0 */
  g.cohesion.weight = 1.0f;
  assert_int_equal(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE);
  assert_non_null(strstr(error.text, "max_speed is infinite, but cohesion.form"));
  g.cohesion.weight = 0.0f;
  g.avoidance.weight = 1.0f;
  assert_int_equal(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE);
  assert_non_null(strstr(error.text, "max_speed is infinite, but avoidance.form"));
  g.avoidance.form = (throng_avoidance_form)4;
  assert_int_equal(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE);
  assert_string_equal(error.text, "group.avoidance.form is 4, allowed: predict, cone_mean, cone_nearest or reciprocal");
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(separation_from_the_nearest),
      cmocka_unit_test(attraction_pulls),
      cmocka_unit_test(cohesion_that_arrives),
      cmocka_unit_test(radii_of_the_rules),
      cmocka_unit_test(lateral_forms),
      cmocka_unit_test(lateral_separation),
      cmocka_unit_test(lateral_separation_steers_rigid_bodies),
      cmocka_unit_test(cones_and_predictions),
      cmocka_unit_test(mirrored_pairs_pass),
      cmocka_unit_test(forms_are_checked),
  };
  return cmocka_run_group_tests_name("neighbour forms", tests, NULL, NULL);
}
