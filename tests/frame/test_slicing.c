/* test_slicing.c: tests of time slicing: who is due, what is kept in between, and what that does to flocks.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/random.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t base_seed = 20271127;
#define KEPT THRONG_BIT(THRONG_COLUMN_KEPT_ACCELERATION)

/* Returns a random crowd with periods: number k of a series of every space and boundary. */
static crowd *sliced_crowd(uint32_t k, uint32_t count) {
  const crowd_recipe recipe = {(throng_space)(k % 2), k / 2 % CROWD_BOUNDARIES, LAYOUT_UNIFORM, count, true, false};
  crowd *c = crowd_random(base_seed + k, &recipe);
  crowd_slice(c, base_seed + k);
  return c;
}

static float kept_of(const throng_world *world, throng_agent_id id) {
  return stage_read(world, THRONG_COLUMN_KEPT_ACCELERATION, id).x;
}

/* A group of flocking agents with this period, on a world of its own. */
static throng_world *flock(uint32_t period, uint32_t count, throng_agent_id *ids) {
  throng_group_def g = throng_default_group_def();
  throng_vec3 *position = calloc(count, sizeof *position), *velocity = calloc(count, sizeof *velocity);
  if (position == NULL || velocity == NULL) abort();
  test_rng rng = rng_from(base_seed);
  g.steer_period = period;
  for (uint32_t i = 0; i < count; i++) {
    position[i] = (throng_vec3){rng_float(&rng, 0, 5), 0, rng_float(&rng, 0, 5)};
    velocity[i] = (throng_vec3){rng_float(&rng, -1, 1), 0, rng_float(&rng, -1, 1)};
  }
  throng_world *world = stage_world(NULL, &g);
  stage_add(world, count, position, velocity, NULL, ids);
  free(position);
  free(velocity);
  return world;
}

/* Agents of period p are due every p frames, some of them in each frame, and keep their acceleration in between. */
static void agents_are_due_in_turn(void **state) {
  (void)state;
  for (uint32_t period = 2; period <= 8; period *= 2) {
    throng_agent_id id[60];
    throng_world *world = flock(period, 60, id);
    float kept[60];
    uint32_t last[60], due_in_frame[32] = {0};
    for (uint32_t i = 0; i < 60; i++) assert_true(isnan(kept_of(world, id[i])));
    for (uint32_t frame = 0; frame < 32; frame++) {
      stage_step(world, 0.02f);
      for (uint32_t i = 0; i < 60; i++) {
        const float now = kept_of(world, id[i]);
        assert_true(isfinite(now));
        if (frame > 0 && now == kept[i]) continue;
        if (frame > 0 && last[i] > 0) assert_int_equal(frame - last[i], period);
        if (frame > 0) assert_true(frame - last[i] <= period);
        kept[i] = now;
        last[i] = frame;
        due_in_frame[frame]++;
      }
    }
    assert_int_equal(due_in_frame[0], 60);
    for (uint32_t frame = 1; frame < 32; frame++) assert_true(due_in_frame[frame] > 0 && due_in_frame[frame] < 60);
    throng_world_destroy(world);
  }
}

/* Worlds in which every agent has the period 1 have the same bits with the columns and without them. */
static void period_one_changes_nothing(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 24; k++) {
    crowd *c = sliced_crowd(k, 200);
    crowd_make_unsliced(c);
    throng_world *plain = crowd_world(c, NULL), *sliced = crowd_world(c, NULL);
    const float one = 1.0f;
    throng_error error;
    require_ok(throng_agents_write(sliced, THRONG_COLUMN_STEER_PERIOD, NULL, c->count, &one, THRONG_STRIDE_ONE, &error),
               &error);
    for (uint32_t frame = 0; frame < 12; frame++) {
      stage_step(plain, 0.02f);
      stage_step(sliced, 0.02f);
    }
    assert_true(throng_world_hash(plain, STATE_COLUMNS) == throng_world_hash(sliced, STATE_COLUMNS));
    throng_world_destroy(plain);
    throng_world_destroy(sliced);
    crowd_free(c);
  }
}

/* What the host does to agent 0 of a flock; whether the agent is then due, and whether another one is. */
typedef void host_edit(throng_world *world, const throng_agent_id *id);
static void write_value(throng_world *world, throng_column column, throng_agent_id id, float value) {
  throng_error error;
  require_ok(throng_agents_write(world, column, &id, 1, &value, 0, &error), &error);
}
static void edit_position(throng_world *world, const throng_agent_id *id) {
  stage_write(world, THRONG_COLUMN_POSITION, id[0], (throng_vec3){2, 0, 2});
}
static void edit_velocity(throng_world *world, const throng_agent_id *id) {
  stage_write(world, THRONG_COLUMN_VELOCITY, id[0], (throng_vec3){1, 0, 0});
}
static void edit_by_move(throng_world *world, const throng_agent_id *id) {
  throng_error error;
  require_ok(throng_agents_move(world, id, 1, &(throng_vec3){2, 0, 2}, NULL, &error), &error);
}
static void edit_radius(throng_world *world, const throng_agent_id *id) {
  write_value(world, THRONG_COLUMN_PERCEPTION_RADIUS, id[0], 0.7f);
}
static void edit_mass(throng_world *world, const throng_agent_id *id) {
  write_value(world, THRONG_COLUMN_MASS, id[0], 70.0f);
}
static void edit_body(throng_world *world, const throng_agent_id *id) {
  write_value(world, THRONG_COLUMN_BODY_RADIUS, id[0], 0.3f);
}
static void edit_facing(throng_world *world, const throng_agent_id *id) {
  write_value(world, THRONG_COLUMN_FACING, id[0], 0.3f);
}
static void edit_group(throng_world *world, const throng_agent_id *id) {
  const uint8_t group = 0;
  throng_error error;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, id, 1, &group, 0, &error), &error);
}
static void edit_all(throng_world *world, const throng_agent_id *id) {
  throng_edit edit;
  throng_error error;
  (void)id;
  require_ok(throng_world_edit(world, &edit, &error), &error);
}
static void change_group(throng_world *world, float max_speed) {
  throng_group_def g;
  throng_error error;
  require_ok(throng_world_get_group(world, 0, &g, &error), &error);
  if (max_speed > 0.0f) g.max_speed = max_speed;
  throng_group_def_add(&g, THRONG_BEHAVIOUR_SEEK)->weight = 0.0f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
}
static void edit_definition(throng_world *world, const throng_agent_id *id) {
  (void)id;
  change_group(world, 2.0f);
}
static void edit_behaviours(throng_world *world, const throng_agent_id *id) {
  (void)id;
  change_group(world, 0.0f);
}
static void edit_goal(throng_world *world, const throng_agent_id *id) {
  stage_write(world, THRONG_COLUMN_GOAL, id[0], (throng_vec3){9, 0, 9});
}
static void edit_period(throng_world *world, const throng_agent_id *id) {
  write_value(world, THRONG_COLUMN_STEER_PERIOD, id[0], 4.0f);
}

static void edited_agents_are_due(void **state) {
  (void)state;
  static const struct {
    host_edit *edit;
    bool due, all;
  } edits[] = {{edit_position, true, false},  {edit_velocity, true, false},    {edit_by_move, true, false},
               {edit_radius, true, false},    {edit_mass, true, false},        {edit_body, true, false},
               {edit_facing, true, false},    {edit_group, true, false},       {edit_all, true, true},
               {edit_definition, true, true}, {edit_behaviours, false, false}, {edit_goal, false, false},
               {edit_period, false, false}};
  for (size_t k = 0; k < sizeof edits / sizeof *edits; k++) {
    throng_agent_id id[40], added;
    throng_world *world = flock(8, 40, id);
    stage_step(world, 0.02f);
    edits[k].edit(world, id);
    assert_true(isnan(kept_of(world, id[0])) == edits[k].due);
    assert_true(isnan(kept_of(world, id[1])) == edits[k].all);
    stage_add(world, 1, &(throng_vec3){2.5f, 0, 2.5f}, NULL, NULL, &added);
    assert_true(isnan(kept_of(world, added)));
    stage_step(world, 0.02f);
    assert_true(isfinite(kept_of(world, id[0])) && isfinite(kept_of(world, added)));
    throng_world_destroy(world);
  }
}

/* An agent with the period 1 keeps nothing, so that it is due when its period grows. */
static void period_one_keeps_nothing(void **state) {
  (void)state;
  throng_agent_id id[20];
  throng_world *world = flock(8, 20, id);
  write_value(world, THRONG_COLUMN_STEER_PERIOD, id[0], 1.0f);
  stage_step(world, 0.02f);
  assert_true(isnan(kept_of(world, id[0])) && isfinite(kept_of(world, id[1])));
  write_value(world, THRONG_COLUMN_STEER_PERIOD, id[0], NAN);
  assert_true(stage_read(world, THRONG_COLUMN_STEER_PERIOD, id[0]).x == 8.0f);
  stage_step(world, 0.02f);
  assert_true(isfinite(kept_of(world, id[0])));
  throng_world_destroy(world);
}

/* A world that is saved and loaded in the middle goes on as if nothing had happened, with other threads, instruction
 * sets and orders of adding. */
static void snapshots_keep_turns(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 24; k++) {
    crowd *c = sliced_crowd(k, 300);
    const throng_isa isa = throng_isa_is_available(THRONG_ISA_AVX2) ? THRONG_ISA_AVX2 : THRONG_ISA_AUTO;
    const crowd_world_options options = {.threads = 2, .isa = isa}, tangled = {.history = 1 + k};
    throng_world *a = crowd_world(c, NULL), *b = crowd_world(c, &options), *t = crowd_world(c, &tangled);
    throng_error error;
    for (uint32_t frame = 0; frame < 12; frame++) {
      if (frame % 5 == 3) {
        snapshot s = snapshot_take(a);
        require_ok(throng_world_load_snapshot(b, s.bytes, s.size, &error), &error);
        snapshot_free(&s);
      }
      stage_step(a, 0.02f);
      stage_step(b, 0.02f);
      stage_step(t, 0.02f);
      const uint64_t hash = throng_world_hash(a, STATE_COLUMNS);
      assert_true(hash == throng_world_hash(b, STATE_COLUMNS));
      assert_true(hash == throng_world_hash(t, STATE_COLUMNS));
    }
    throng_world_destroy(a);
    throng_world_destroy(b);
    throng_world_destroy(t);
    crowd_free(c);
  }
}

/* A second throng_world_steer gives the same bits, and half frames those of a step. */
static void steering_twice_changes_nothing(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 12; k++) {
    crowd *c = sliced_crowd(k, 200);
    throng_world *steps = crowd_world(c, NULL), *halves = crowd_world(c, NULL);
    throng_error error;
    for (uint32_t frame = 0; frame < 10; frame++) {
      stage_step(steps, 0.02f);
      require_ok(throng_world_steer(halves, 0.02f, &error), &error);
      const uint64_t once = throng_world_hash(halves, STEERED_COLUMNS | KEPT);
      require_ok(throng_world_steer(halves, 0.02f, &error), &error);
      assert_true(throng_world_hash(halves, STEERED_COLUMNS | KEPT) == once);
      require_ok(throng_world_integrate(halves, 0.02f, &error), &error);
      assert_true(throng_world_hash(steps, STATE_COLUMNS) == throng_world_hash(halves, STATE_COLUMNS));
    }
    throng_world_destroy(steps);
    throng_world_destroy(halves);
    crowd_free(c);
  }
}

/* The first group with a period, like the first written period, makes the accelerations of a steer useless. */
static void new_columns_need_a_steer(void **state) {
  (void)state;
  throng_agent_id id[20];
  throng_error error;
  throng_world *world = flock(1, 20, id);
  throng_group_def g = throng_default_group_def();
  g.steer_period = 4;
  require_ok(throng_world_steer(world, 0.02f, &error), &error);
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_error(throng_world_integrate(world, 0.02f, &error), THRONG_ERROR_NOT_STEERED, &error);
  stage_step(world, 0.02f);
  throng_world_destroy(world);
}

/* Avoidance acts only in frames in which the agent is due; the kept acceleration has no part of it. */
static void avoidance_is_not_kept(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_agent_id id[2];
  g.avoidance.weight = 0.01f; /* so little that they remain threats to each other */
  g.steer_period = 4;
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 10.0f;
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 2, (throng_vec3[]){{0, 0, 0}, {4, 0, 0.1f}}, (throng_vec3[]){{1, 0, 0}, {-1, 0, 0}}, NULL, id);
  uint32_t swerves = 0;
  for (uint32_t frame = 0; frame < 12; frame++) {
    throng_error error;
    require_ok(throng_world_steer(world, 0.02f, &error), &error);
    swerves += stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, id[0])) > 0.0;
    require_ok(throng_world_integrate(world, 0.02f, &error), &error);
    assert_true(kept_of(world, id[0]) == 0.0f);
  }
  assert_true(swerves == 3 || swerves == 4); /* new agents are due once more */
  throng_world_destroy(world);
}

/* Agents that queue, and agents of groups that combine by priority, are due in every frame. */
static void some_groups_are_always_due(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 2; k++) {
    throng_agent_id id[20];
    throng_error error;
    throng_world *world = flock(8, 20, id);
    throng_group_def g = throng_default_group_def();
    g.steer_period = 8;
    if (k == 0) g.queue.width = 0.5f;
    if (k == 1) g.combine = THRONG_COMBINE_PRIORITY;
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    stage_step(world, 0.02f);
    for (uint32_t i = 0; i < 20; i++) assert_true(isnan(kept_of(world, id[i])));
    throng_world_destroy(world);
  }
}

static void other_periods_are_refused(void **state) {
  (void)state;
  static const float bad[] = {0.0f, 3.0f, 5.0f, 16.0f, -1.0f, 1.5f, 7.0f};
  static const uint32_t wrong[] = {0, 3, 5, 6, 7, 9, 16, UINT32_MAX};
  throng_agent_id id[3];
  throng_error error;
  throng_world *world = flock(1, 3, id);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    const throng_column column = THRONG_COLUMN_STEER_PERIOD;
    require_error(throng_agents_write(world, column, id, 1, &bad[k], 0, &error), THRONG_ERROR_BAD_VALUE, &error);
  }
  const float infinite = INFINITY;
  require_error(throng_agents_write(world, THRONG_COLUMN_STEER_PERIOD, id, 1, &infinite, 0, &error),
                THRONG_ERROR_NOT_FINITE, &error);
  throng_group_def g = throng_default_group_def();
  assert_int_equal(g.steer_period, 1);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    g.steer_period = wrong[k];
    require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  }
  throng_world_destroy(world);
}

/* An explanation is that of the last frame in which the agent was due, and has its number. */
static void explanations_are_of_due_frames(void **state) {
  (void)state;
  throng_agent_id id[30];
  throng_error error;
  throng_explanation e;
  throng_world *world = flock(4, 30, id);
  require_ok(throng_world_watch(world, id[7], &error), &error);
  float kept = NAN;
  uint64_t due = 0;
  for (uint64_t frame = 0; frame < 14; frame++) {
    const throng_vec3 before = stage_read(world, THRONG_COLUMN_POSITION, id[7]);
    stage_step(world, 0.02f);
    const float now = kept_of(world, id[7]);
    if (!(now == kept)) due = frame;
    require_ok(throng_world_explain(world, id[7], &e, &error), &error);
    assert_true(e.frame == due && e.count == 3);
    if (due == frame) assert_memory_equal(&before, &e.position, sizeof before);
    kept = now;
  }
  assert_true(due > 8 && due < 13);
  require_ok(throng_world_watch(world, id[7], &error), &error); /* not due in the next frame: nothing to explain */
  stage_step(world, 0.02f);
  if (kept_of(world, id[7]) == kept)
    require_error(throng_world_explain(world, id[7], &e, &error), THRONG_ERROR_NOT_STEERED, &error);
  throng_world_destroy(world);
}

/* Returns the mean cosine between an agent's velocity and the mean velocity of its neighbours. */
static double local_order(const throng_view *v, float radius, bool spatial) {
  double sum = 0.0;
  for (uint32_t i = 0; i < v->count; i++) {
    double mean[3] = {0, 0, 0};
    const double own[3] = {(double)v->velocity_x[i], spatial ? (double)v->velocity_y[i] : 0.0,
                           (double)v->velocity_z[i]};
    for (uint32_t j = 0; j < v->count; j++) {
      const float x = v->position_x[j] - v->position_x[i], z = v->position_z[j] - v->position_z[i],
                  y = spatial ? v->position_y[j] - v->position_y[i] : 0.0f;
      if (j == i || x * x + y * y + z * z > radius * radius) continue;
      mean[0] += (double)v->velocity_x[j];
      mean[1] += spatial ? (double)v->velocity_y[j] : 0.0;
      mean[2] += (double)v->velocity_z[j];
    }
    const double dot = own[0] * mean[0] + own[1] * mean[1] + own[2] * mean[2],
                 lengths = sqrt((own[0] * own[0] + own[1] * own[1] + own[2] * own[2]) *
                                (mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]));
    sum += lengths > 0.0 ? dot / lengths : 0.0;
  }
  return sum / v->count;
}

/* Steps a flock in a box, and returns the mean of its local order over the last frames. */
static double order_of_flock(throng_space space, uint32_t period) {
  enum { AGENTS = 3000, FRAMES = 240, MEASURED = 10 };
  static throng_vec3 position[AGENTS], velocity[AGENTS];
  const bool spatial = space == THRONG_SPACE_SPATIAL;
  const float side = spatial ? 8.7f : 21.7f; /* about 20 neighbours */
  throng_world_def def = throng_default_world_def();
  def.space = space;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){side, side, side};
  throng_group_def g = throng_default_group_def();
  g.separation.strength = 0.05f;
  g.cohesion.weight = 0.1f;
  g.alignment.time_to_target = 1.0f;
  g.steer_period = period;
  test_rng rng = rng_from(base_seed);
  for (uint32_t i = 0; i < AGENTS; i++) {
    position[i] =
        (throng_vec3){rng_float(&rng, 0, side), spatial ? rng_float(&rng, 0, side) : 0.0f, rng_float(&rng, 0, side)};
    velocity[i] =
        (throng_vec3){rng_float(&rng, -1, 1), spatial ? rng_float(&rng, -1, 1) : 0.0f, rng_float(&rng, -1, 1)};
  }
  throng_world *world = stage_world(&def, &g);
  stage_add(world, AGENTS, position, velocity, NULL, NULL);
  double sum = 0.0;
  for (uint32_t frame = 0; frame < FRAMES; frame++) {
    throng_view view;
    throng_error error;
    stage_step(world, 1.0f / 60.0f);
    if (frame % 5 != 4 || frame < FRAMES - 5 * MEASURED) continue;
    require_ok(throng_world_view(world, &view, &error), &error);
    sum += local_order(&view, def.perception_radius, spatial) / MEASURED;
  }
  throng_world_destroy(world);
  return sum;
}

/* With a period of 4, the local order of a flock stays within 3 %. */
static void flocks_keep_their_order(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    const double now = order_of_flock((throng_space)space, 1), sliced = order_of_flock((throng_space)space, 4);
    printf("%s: local order %.4f with period 1, %.4f with period 4\n", space ? "spatial" : "planar", now, sliced);
    assert_true(now > 0.5 && fabs(sliced - now) <= 0.03 * now);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agents_are_due_in_turn),         cmocka_unit_test(period_one_changes_nothing),
      cmocka_unit_test(edited_agents_are_due),          cmocka_unit_test(period_one_keeps_nothing),
      cmocka_unit_test(snapshots_keep_turns),           cmocka_unit_test(steering_twice_changes_nothing),
      cmocka_unit_test(new_columns_need_a_steer),       cmocka_unit_test(avoidance_is_not_kept),
      cmocka_unit_test(some_groups_are_always_due),     cmocka_unit_test(other_periods_are_refused),
      cmocka_unit_test(explanations_are_of_due_frames), cmocka_unit_test(flocks_keep_their_order),
  };
  return cmocka_run_group_tests_name("slicing", tests, NULL, NULL);
}
