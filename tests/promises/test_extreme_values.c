/* tests/promises/test_extreme_values.c: every value of a stated range is allowed: frames succeed, and agents go where
 * they want. Goals beyond the limit of positions are refused. SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/full.h"
#include "support/random.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "columns/columns.h"

#define SPACES 2
#define SEEDS 3
#define RATES 3

static uint64_t base_seed;
static const float frames_per_second[RATES] = {20.0f, 60.0f, 240.0f};

/* Goals. */

enum walker { SEEK, ARRIVE, PURSUE, CHASE, FLOCK, SCHOOL, WALKERS, VEHICLES, QUEUE, KINEMATIC, WALKER_KINDS };

/* Returns a group that goes to its goals. Its lengths are those for R = 1 m. */
static throng_group_def walker_of(enum walker kind) {
  throng_group_def g = kind == FLOCK      ? throng_flock_group_def()
                       : kind == SCHOOL   ? throng_school_group_def()
                       : kind == VEHICLES ? throng_vehicles_group_def()
                                          : throng_walkers_group_def();
  static const throng_behaviour_kind added[WALKER_KINDS] = {
      [SEEK] = THRONG_BEHAVIOUR_SEEK,     [ARRIVE] = THRONG_BEHAVIOUR_ARRIVE,
      [PURSUE] = THRONG_BEHAVIOUR_PURSUE, [CHASE] = THRONG_BEHAVIOUR_CHASE,
      [FLOCK] = THRONG_BEHAVIOUR_SEEK,    [SCHOOL] = THRONG_BEHAVIOUR_SEEK,
      [QUEUE] = THRONG_BEHAVIOUR_SEEK,    [KINEMATIC] = THRONG_BEHAVIOUR_KINEMATIC_SEEK};
  if (kind != WALKERS && kind != VEHICLES) {
    g.behaviour_count = 0;
    throng_group_def_add(&g, added[kind]);
  }
  if (kind == QUEUE) g.queue.width = 0.5f;
  g.perception_radius = 0.0f;
  return g;
}

static float limit_of(float radius) { return 0x1p20f * radius; }

/* Returns how far an agent at the origin comes toward its goal along +x or -x, in a second. */
static double way_toward(float goal, float radius, int boundary, enum walker kind, float rate, throng_vec3 velocity) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = walker_of(kind);
  throng_agent_id id;
  def.perception_radius = radius;
  def.box_min = (throng_vec3){-4.0f * radius, -4.0f * radius, -4.0f * radius};
  def.box_max = (throng_vec3){4.0f * radius, 4.0f * radius, 4.0f * radius};
  throng_world_def_set_boundary(&def, (throng_boundary)boundary);
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 1, &(throng_vec3){0, 0, 0}, &velocity, &(throng_vec3){goal, 0, 0.25f * goal}, &id);
  for (int frame = 0; frame < (int)rate; frame++) stage_step(world, 1.0f / rate);
  const double way = (double)stage_read(world, THRONG_COLUMN_POSITION, id).x;
  throng_world_destroy(world);
  return goal > 0.0f ? way : -way;
}

/* An agent goes as far toward a goal at the limit as toward one 1 km away. */
static void agents_go_to_goals_at_the_limit(void **state) {
  (void)state;
  static const float radius[] = {2.0f, 100.0f, 1e6f};
  for (uint64_t seed = base_seed; seed < base_seed + SEEDS; seed++) {
    test_rng rng = rng_from(seed);
    for (int kind = 0; kind < WALKER_KINDS; kind++) {
      for (int k = 0; k < RATES; k++) {
        const throng_vec3 v = {rng_float(&rng, -1.0f, 1.0f), 0.0f, rng_float(&rng, -1.0f, 1.0f)};
        const float r = radius[(k + (int)seed) % 3], sign = rng_chance(&rng, 0.5f) ? 1.0f : -1.0f;
        const int boundary = r > 50.0f && rng_chance(&rng, 0.5f) ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_UNBOUNDED;
        const enum walker walker = (enum walker)kind;
        const double near = way_toward(sign * 1e3f, r, boundary, walker, frames_per_second[k], v);
        const double far = way_toward(sign * limit_of(r), r, boundary, walker, frames_per_second[k], v);
        if (!(fabs(far - near) <= 1e-3 * fabs(near)))
          print_error("seed %llu, kind %d, R %g, %g frames per second: %g m to a far goal, %g m to a near one\n",
                      (unsigned long long)seed, kind, (double)r, (double)frames_per_second[k], far, near);
        assert_true(fabs(far - near) <= 1e-3 * fabs(near));
      }
    }
  }
}

/* Checks the error of a goal that is too far out. */
static void require_too_far(throng_status status, const throng_error *error, float limit) {
  require_error(status, THRONG_ERROR_OUT_OF_RANGE, error);
  assert_non_null(strstr(error->text, "goal[1].z"));
  assert_true(has_number(error->text, limit));
}

static void goals_beyond_the_limit_are_refused(void **state) {
  (void)state;
  static const float factor[] = {1.0000001f, 2.0f, 1e12f, 1e30f};
  for (int k = 0; k < 4; k++) {
    for (int boundary = 0; boundary < THRONG_BOUNDARY_PERIODIC; boundary++) {
      throng_world_def def = throng_default_world_def();
      throng_world_def_set_boundary(&def, (throng_boundary)boundary);
      const throng_group_def g = stage_idle_group();
      throng_world *world = stage_world(&def, &g);
      const float limit = limit_of(def.perception_radius), far = (k % 2 ? 1.0f : -1.0f) * factor[k] * limit;
      const throng_vec3 p[2] = {{1, 0, 1}, {2, 0, 2}}, goals[2] = {{1, 0, 1}, {1, 0, far}};
      throng_agent_id ids[2];
      throng_error error;
      stage_add(world, 2, p, NULL, p, ids);
      throng_agents_def agents = throng_default_agents_def();
      agents.position.data = p;
      agents.goal.data = goals;
      require_too_far(throng_agents_add(world, &agents, 2, NULL, &error), &error, limit);
      require_too_far(throng_agents_write(world, THRONG_COLUMN_GOAL, ids, 2, goals, 0, &error), &error, limit);
      assert_true(throng_agent_id_equal(error.agent, ids[1]));
      assert_true(throng_agents_count(world) == 2 && stage_read(world, THRONG_COLUMN_GOAL, ids[1]).z == 2.0f);
      throng_world_destroy(world);
    }
  }
}

/* The limit is in metres, whatever the host's unit. */
static void limits_are_in_metres(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.axes.units_per_metre = 100.0f;
  const throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(&def, &g);
  const float limit = limit_of(def.perception_radius);
  throng_vec3 p[2] = {{1, 0, 1}, {2, 0, 2}}, goals[2] = {{1, 0, 1}, {1, 0, 100.0f * limit}};
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, NULL, goals, ids);
  goals[1].z *= 1.001f;
  require_too_far(throng_agents_write(world, THRONG_COLUMN_GOAL, ids, 2, goals, 0, &error), &error, limit);
  throng_world_destroy(world);
}

/* A shift of origin that would put a goal beyond the limit is refused, and changes nothing. */
static void no_shift_puts_a_goal_beyond_the_limit(void **state) {
  (void)state;
  const throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p = {1, 0, 1}, goal = {limit_of(1.0f), 0, 1};
  throng_agent_id id;
  throng_error error;
  stage_add(world, 1, &p, NULL, &goal, &id);
  require_error(throng_world_shift_origin(world, (throng_vec3){-64, 0, 0}, NULL, &error), THRONG_ERROR_OUT_OF_RANGE,
                &error);
  assert_true(throng_agent_id_equal(error.agent, id) && strstr(error.text, "goal"));
  assert_true(stage_read(world, THRONG_COLUMN_GOAL, id).x == goal.x);
  require_ok(throng_world_shift_origin(world, (throng_vec3){64, 0, 0}, NULL, &error), &error);
  throng_world_destroy(world);
}

/* Parameters and columns. */

/* Steps a world whose group 0 has this definition. Returns whether the definition is legal. */
static bool step_with(int space, int boundary, const throng_group_def *def, const char *name) {
  throng_world_def world_def = full_def((throng_space)space);
  throng_error error;
  throng_world_def_set_boundary(&world_def, (throng_boundary)boundary);
  throng_world *world = full_world(&world_def, NULL);
  const bool legal = throng_world_set_group(world, 0, def, &error) == THRONG_OK;
  for (int frame = 0; legal && frame < 4; frame++) {
    const throng_status status = throng_world_step(world, frame % 2 ? 0.05f : 1.0f / 240.0f, &error);
    if (status != THRONG_OK) print_error("space %d, boundary %d, %s: %s\n", space, boundary, name, error.text);
    assert_int_equal(status, THRONG_OK);
  }
  throng_world_destroy(world);
  return legal;
}

static void group_fields_at_both_ends(void **state) {
  (void)state;
  throng_parameter p;
  uint32_t legal = 0;
  for (int space = 0; space < SPACES; space++) {
    const throng_world_def world_def = full_def((throng_space)space);
    for (uint32_t k = 0; throng_group_def_get_parameter(k, &p); k++) {
      for (int variant = 0; variant < 8 && p.type == THRONG_PARAMETER_FLOAT; variant++) {
        throng_group_def g = full_group(&world_def, 0);
        g.avoidance.weight = g.attraction.weight = 1.0f;
        if (variant / 2 == 1) g.actuation = THRONG_ACTUATION_VEHICLE;
        if (variant / 2 == 2) {
          g.facing = THRONG_FACING_STEERED;
          g.max_yaw_rate = 3.0f;
          g.actuation = THRONG_ACTUATION_RIGID_BODY;
          g.moment_of_inertia = 5.0f;
          g.upright = true;
        }
        if (variant / 2 == 3) {
          g.queue.width = g.contact = 1.0f;
          g.pace.on = true;
          g.avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
        }
        throng_group_def_set_value(&g, &p, variant % 2 ? p.highest : p.lowest);
        legal += step_with(space, (int)(k % 3), &g, p.name);
      }
    }
  }
  assert_true(legal > 600);
}

static void behaviours_at_both_ends(void **state) {
  (void)state;
  throng_parameter p;
  uint32_t legal = 0;
  for (int space = 0; space < SPACES; space++) {
    const throng_world_def world_def = full_def((throng_space)space);
    for (int number = 0; number < THRONG_BEHAVIOUR_KINDS; number++) {
      const throng_behaviour_kind kind = (throng_behaviour_kind)number;
      for (uint32_t k = 0; throng_behaviour_get_parameter(kind, k, &p); k++) {
        for (int variant = 0; variant < 4 && p.type == THRONG_PARAMETER_FLOAT; variant++) {
          throng_group_def g = full_group(&world_def, 0);
          g.behaviour_count = 0;
          g.facing = THRONG_FACING_STEERED;
          g.max_yaw_rate = 3.0f;
          if (variant / 2) g.actuation = THRONG_ACTUATION_VEHICLE;
          throng_behaviour *b = throng_group_def_add(&g, kind);
          b->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {20.0f, 5.0f, 20.0f}};
          b->other.kind = b->target.kind = variant / 2 ? THRONG_TARGET_GOAL : THRONG_TARGET_POINT;
          const bool indexed = kind == THRONG_BEHAVIOUR_FOLLOW_PATH || kind == THRONG_BEHAVIOUR_FOLLOW_FIELD ||
                               kind == THRONG_BEHAVIOUR_FORMATION || kind == THRONG_BEHAVIOUR_FOLLOW_PATTERN;
          if (indexed) b->follow_path.index = FULL_NUMBER; /* all these kinds begin with their index */
          throng_behaviour_set_value(b, &p, variant % 2 ? p.highest : p.lowest);
          legal += step_with(space, (int)(k % 3), &g, p.name);
        }
      }
    }
  }
  assert_true(legal > 500);
}

/* Every component of every column at both ends of its range, nearly 0, and at the limit of positions. */
static void columns_at_both_ends(void **state) {
  (void)state;
  uint32_t legal = 0;
  for (int space = 0; space < SPACES; space++) {
    throng_world_def def = full_def((throng_space)space);
    throng_agent_id ids[FULL_AGENTS];
    for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
      const struct column_row *row = &throng_column_rows[column];
      const uint32_t components = throng_column_components((throng_column)column, (throng_space)space);
      const bool numbers = column != THRONG_COLUMN_GROUP && column != THRONG_COLUMN_TARGET;
      for (uint32_t k = 0; numbers && k < 6 * components; k++) {
        const float end[6] = {row->low, row->high, 1e-45f, -1e-45f, limit_of(2.0f), -limit_of(2.0f)};
        float values[FULL_AGENTS][3];
        throng_error error;
        throng_world_def_set_boundary(&def, (throng_boundary)(k % 3));
        throng_world *world = full_world(&def, ids);
        if (throng_agents_read(world, (throng_column)column, ids, FULL_AGENTS, values, sizeof *values, &error) ==
            THRONG_OK) {
          for (uint32_t i = 0; i < FULL_AGENTS; i += 2) {
            for (uint32_t c = 0; c < components; c++) values[i][c] = isnan(values[i][c]) ? 1.0f : values[i][c];
            values[i][k / 6] = end[k % 6];
          }
          const throng_status status =
              throng_agents_write(world, (throng_column)column, ids, FULL_AGENTS, values, sizeof *values, &error);
          for (int frame = 0; status == THRONG_OK && frame < 4; frame++) stage_step(world, 0.02f);
          legal += status == THRONG_OK;
        }
        throng_world_destroy(world);
      }
    }
  }
  assert_true(legal > 150);
}

int main(void) {
  base_seed = test_seed("test_extreme_values", 1);
  printf("seeds %llu to %llu; 20, 60 and 240 frames per second\n", (unsigned long long)base_seed,
         (unsigned long long)(base_seed + SEEDS - 1));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agents_go_to_goals_at_the_limit),
      cmocka_unit_test(goals_beyond_the_limit_are_refused),
      cmocka_unit_test(limits_are_in_metres),
      cmocka_unit_test(no_shift_puts_a_goal_beyond_the_limit),
      cmocka_unit_test(group_fields_at_both_ends),
      cmocka_unit_test(behaviours_at_both_ends),
      cmocka_unit_test(columns_at_both_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
