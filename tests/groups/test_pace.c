/* test_pace.c: tests of the pace of groups, on a few agents and on lattices. bench/validate tests how crowds walk.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define RADIUS 1.6
#define FULL_SPEED 1.34f
#define AREA (3.14159265 * RADIUS * RADIUS / 4) /* m^2 per unit of the sum */

static throng_world *new_world(const throng_group_def *g) {
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 2.0f;
  return stage_world(&def, g);
}

/* A group whose factor is 1 - density / 100: its limit tells the density. The grip is 4 per second. */
static throng_group_def telling_group(void) {
  throng_group_def g = stage_idle_group();
  g.max_speed = FULL_SPEED;
  g.max_acceleration = 1000.0f;
  g.pace.on = true;
  g.pace.radius = (float)RADIUS;
  g.pace.time_to_target = 1.0f;
  g.pace.oncoming = 0.2f;
  g.pace.points = 2;
  g.pace.density[0] = 0.0f;
  g.pace.density[1] = 100.0f;
  g.pace.factor[0] = 1.0f;
  g.pace.factor[1] = 0.0f;
  return g;
}

/* Returns the density that an agent at full speed meets: its acceleration is -density / 100 * max_speed * 4. */
static double density_of(const throng_world *world, throng_agent_id id) {
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
  return stage_length(a) * 100 / (double)(4 * FULL_SPEED);
}

/* Returns the sum over the neighbours of an agent that walks along +z toward a goal, with one neighbour. */
static double sum_with(const throng_group_def *g, throng_space space, throng_vec3 place, throng_vec3 velocity,
                       uint8_t group) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  def.perception_radius = 2.0f;
  throng_world *world = stage_world(&def, g);
  throng_group_def other = stage_idle_group();
  other.layer = 3;
  throng_error error;
  require_ok(throng_world_set_group(world, 1, &other, &error), &error);
  const throng_vec3 p[] = {{0, 0, 0}, place}, v[] = {{0, 0, FULL_SPEED}, velocity}, goals[] = {{0, 0, 50}, {0, 0, 50}};
  throng_agent_id ids[2];
  stage_add(world, 2, p, v, goals, ids);
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[1], 1, &group, 0, &error), &error);
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  const double sum = density_of(world, ids[0]) * AREA;
  throng_world_destroy(world);
  return sum;
}

static double share(double distance) { return 1 - distance * distance / (RADIUS * RADIUS); }

static void who_counts(void **state) {
  (void)state;
  const throng_group_def g = telling_group();
  throng_group_def all_but_3 = g, far_sighted = g, blind = g;
  all_but_3.pace.mask = ~(1u << 3);
  far_sighted.perception_radius = 1.0f;
  blind.field_of_view = 0.1f;
  blind.pace.self = 0.0f;
  const throng_vec3 still = {0, 0, 0};
  const struct {
    const throng_group_def *g;
    throng_vec3 place, velocity;
    uint8_t group;
    double expected;
  } cases[] = {{&g, {0, 0, 1}, {0, 0, 0}, 0, 0.3 + share(1)},             /* ahead */
               {&g, {1, 0, 0.5f}, {0, 0, 0}, 0, 0.3 + share(sqrt(1.25))}, /* to the side, but ahead */
               {&g, {1, 0, -0.5f}, {0, 0, 0}, 0, 0.3},                    /* behind */
               {&g, {0, 0, 0}, {0, 0, 0}, 0, 0.3},                        /* at the same place */
               {&g, {0, 0, 1.61f}, {0, 0, 0}, 0, 0.3},                    /* too far */
               {&g, {0, 0, 1}, {0, 0, -0.19f}, 0, 0.3 + share(1)},        /* comes toward the agent, slowly */
               {&g, {0, 0, 1}, {0, 0, -0.21f}, 0, 0.3},                   /* comes toward the agent */
               {&g, {0, 0, 1}, {1, 0, 0}, 0, 0.3 + share(1)},             /* crosses */
               {&g, {0, 0, 1}, {0, 0, 0}, 1, 0.3 + share(1)},             /* of another layer */
               {&all_but_3, {0, 0, 1}, {0, 0, 0}, 1, 0.3},                /* which the mask excludes */
               {&all_but_3, {0, 0, 1}, {0, 0, 0}, 0, 0.3 + share(1)},
               {&far_sighted, {0, 0, 0.5f}, {0, 0, 0}, 0, 0.3 + (1 - 0.25) / (RADIUS * RADIUS)}, /* up to 1 m */
               {&blind, {1, 0, 0.5f}, {0, 0, 0}, 0, share(sqrt(1.25))}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    for (int space = 0; space < 2; space++) {
      const double sum = sum_with(cases[k].g, (throng_space)space, cases[k].place, cases[k].velocity, cases[k].group);
      if (fabs(sum - cases[k].expected) > 1e-4)
        fail_msg("case %zu, space %d: sum %.6f, expected %.6f", k, space, sum, cases[k].expected);
    }
  }
  const throng_vec3 above = {0, 1, 1};
  assert_true(fabs(sum_with(&g, THRONG_SPACE_SPATIAL, above, still, 0) - (0.3 + share(sqrt(2)))) < 1e-4);
}

#define SIDE 20 /* agents along each side of a lattice */
/* Agents on a square lattice that fills a torus walk in random directions without goals. The mean of what they meet is
 * the density of the lattice. */
static void lattices(void **state) {
  (void)state;
  throng_group_def g = telling_group();
  g.pace.oncoming = 10.0f; /* all directions count */
  test_rng rng = rng_from(5);
  for (int rho = 1; rho <= 3; rho++) {
    const float spacing = 1 / sqrtf((float)rho);
    throng_world_def def = throng_default_world_def();
    def.boundary[0] = def.boundary[2] = THRONG_BOUNDARY_PERIODIC;
    def.box_max = (throng_vec3){SIDE * spacing, 0, SIDE * spacing};
    def.perception_radius = 2.0f;
    throng_world *world = stage_world(&def, &g);
    static throng_vec3 p[SIDE * SIDE], v[SIDE * SIDE];
    static throng_agent_id ids[SIDE * SIDE];
    throng_error error;
    for (int k = 0; k < SIDE * SIDE; k++) {
      const float angle = rng_float(&rng, 0.0f, 6.2831853f);
      p[k] = (throng_vec3){(float)(k % SIDE) * spacing, 0, (float)(k / SIDE) * spacing};
      v[k] = (throng_vec3){FULL_SPEED * sinf(angle), 0, FULL_SPEED * cosf(angle)};
    }
    stage_add(world, SIDE * SIDE, p, v, NULL, ids);
    for (int k = 0; k < SIDE * SIDE; k++)
      stage_write(world, THRONG_COLUMN_FACING, ids[k], (throng_vec3){atan2f(v[k].x, v[k].z), 0, 0});
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    double mean = 0;
    for (int k = 0; k < SIDE * SIDE; k++) mean += density_of(world, ids[k]) / (SIDE * SIDE);
    print_message("lattice of %d /m^2: %.3f /m^2\n", rho, mean);
    assert_true(fabs(mean - rho) <= 0.1 * rho);
    throng_world_destroy(world);
  }
}

/* Returns the factor of a group at this density, for an agent without neighbours: `self` alone makes the density. */
static double factor_at(throng_group_def g, double density) {
  g.pace.self = (float)(density * AREA);
  throng_world *world = new_world(&g);
  const throng_vec3 p = {0, 0, 0}, v = {0, 0, g.max_speed}, goal = {0, 0, 50};
  throng_agent_id id;
  throng_error error;
  stage_add(world, 1, &p, &v, &goal, &id);
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
  throng_world_destroy(world);
  return 1 + (double)(a.z * g.pace.time_to_target / (4 * g.max_speed));
}

static double weidmann(double density) { return 1 - exp(-1.913 * (1 / density - 1 / 5.4)); }

static void the_default_table(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.max_speed = FULL_SPEED;
  g.max_acceleration = 1000.0f;
  g.pace.on = true;
  g.pace.radius = (float)RADIUS;
  double worst = 0;
  for (double density = 0.02; density < 8; density += 0.02) {
    const double off = fabs(factor_at(g, density) - fmax(weidmann(density), 0.2));
    worst = off > worst ? off : worst;
  }
  print_message("the default table is up to %.4f from the formula\n", worst);
  assert_true(worst < 0.0041);
}

/* Linear between two points, constant before the first and after the last. */
static void a_table_of_the_caller(void **state) {
  (void)state;
  throng_group_def g = telling_group();
  g.pace.points = 3;
  memcpy(g.pace.density, (float[]){1, 2, 4}, 3 * sizeof(float));
  memcpy(g.pace.factor, (float[]){0.8f, 0.4f, 0.5f}, 3 * sizeof(float));
  const double cases[][2] = {{0, 0.8}, {0.99, 0.8}, {1.5, 0.6}, {2, 0.4}, {3, 0.45}, {4.5, 0.5}, {1000, 0.5}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    assert_true(fabs(factor_at(g, cases[k][0]) - cases[k][1]) < 1e-4);
}

/* An agent comes to its top speed without passing it, stays at rest where the factor is 0, and a faster agent's top
 * speed is higher in proportion. */
static void top_speeds(void **state) {
  (void)state;
  throng_group_def g = telling_group();
  g.max_acceleration = 4.0f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  g.pace.self = (float)(50 * AREA);
  throng_world *world = new_world(&g);
  const throng_vec3 p[] = {{0, 0, 0}, {90, 0, 0}}, goals[] = {{0, 0, 500}, {90, 0, 500}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, NULL, goals, ids);
  stage_write(world, THRONG_COLUMN_MAX_SPEED, ids[1], (throng_vec3){3, 0, 0});
  double fastest = 0;
  for (int k = 0; k < 200; k++) {
    stage_step(world, 0.02f);
    fastest = fmax(fastest, stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[0])));
  }
  assert_true(fabs(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[0])) - 0.67) < 1e-3);
  assert_true(fabs(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[1])) - 1.5) < 1e-3);
  assert_true(fastest < 0.68);
  g.pace.self = (float)(100 * AREA);
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  for (int k = 0; k < 1000; k++) stage_step(world, 0.02f);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[0])) < 1e-6);
  throng_world_destroy(world);
}

static void refuses(throng_world *world, const throng_group_def *g, throng_status status, const char *word,
                    const char *allowed) {
  throng_error error;
  require_error(throng_world_set_group(world, 0, g, &error), status, &error);
  if (!strstr(error.text, word) || !strstr(error.text, allowed))
    fail_msg("'%s' does not have '%s' and '%s'", error.text, word, allowed);
}

static void refused_values(void **state) {
  (void)state;
  throng_group_def g = telling_group();
  throng_world *world = new_world(&g);
  throng_error error;
  throng_group_def bad = g;
  bad.pace.radius = 2.1f;
  refuses(world, &bad, THRONG_ERROR_BAD_VALUE, "group.pace.radius is 2.1", "0 to 2");
  bad.pace.on = false; /* then nobody uses the radius */
  require_ok(throng_world_set_group(world, 0, &bad, &error), &error);
  bad = g;
  bad.pace.density[1] = bad.pace.density[0];
  refuses(world, &bad, THRONG_ERROR_BAD_VALUE, "group.pace.density[1] is 0", "above density[0], which is 0");
  bad = g;
  bad.pace.density[1] = NAN;
  refuses(world, &bad, THRONG_ERROR_NOT_FINITE, "group.pace.density[1]", "");
  bad.pace.density[1] = INFINITY;
  refuses(world, &bad, THRONG_ERROR_NOT_FINITE, "group.pace.density[1]", "");
  bad = g;
  bad.pace.factor[1] = 1.5f;
  refuses(world, &bad, THRONG_ERROR_BAD_VALUE, "group.pace.factor[1] is 1.5", "0 to 1");
  bad.pace.factor[1] = NAN;
  refuses(world, &bad, THRONG_ERROR_NOT_FINITE, "group.pace.factor[1]", "");
  bad = g;
  bad.pace.points = 1;
  refuses(world, &bad, THRONG_ERROR_BAD_VALUE, "group.pace.points is 1", "2 to 32");
  bad.pace.points = 33;
  refuses(world, &bad, THRONG_ERROR_BAD_VALUE, "group.pace.points is 33", "2 to 32");
  bad = g;
  bad.max_speed = INFINITY;
  refuses(world, &bad, THRONG_ERROR_BAD_VALUE, "group.max_speed is infinite", "pace");
  bad = throng_default_group_def(); /* the default table goes on to 32 points */
  bad.pace.on = true;
  bad.pace.points = THRONG_PACE_POINTS;
  require_ok(throng_world_set_group(world, 0, &bad, &error), &error);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_counts),        cmocka_unit_test(lattices),
      cmocka_unit_test(the_default_table), cmocka_unit_test(a_table_of_the_caller),
      cmocka_unit_test(top_speeds),        cmocka_unit_test(refused_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
