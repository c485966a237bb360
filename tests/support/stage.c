/* tests/support/stage.c
 * SPDX-License-Identifier: MIT */
#include "support/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

throng_group_def stage_idle_group(void) {
  throng_group_def g = throng_default_group_def();
  g.separation.weight = g.cohesion.weight = g.alignment.weight = 0.0f;
  g.max_speed = 1000.0f;
  g.facing_speed = 0.0f;
  g.when_target_lost = THRONG_WHEN_LOST_COAST; /* tests add rules, and check what these alone give */
  return g;
}

throng_group_def stage_avoiding_group(void) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 2.0f;
  g.max_acceleration = 1e4f;
  g.avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
  g.avoidance.weight = 1.0f;
  g.avoidance.horizon = 2.0f;
  g.avoidance.radius = 0.0f;
  g.avoidance.alike = 2.0f;
  return g;
}

throng_world *stage_world(const throng_world_def *def, const throng_group_def *group) {
  throng_world_def d = def == NULL ? throng_default_world_def() : *def;
  throng_world *world = NULL;
  throng_error error;
  d.thread_count = 1;
  require_ok(throng_world_create(&d, &world, &error), &error);
  require_ok(throng_world_set_group(world, 0, group, &error), &error);
  return world;
}

void stage_add(throng_world *world, uint32_t count, const throng_vec3 *positions, const throng_vec3 *velocities,
               const throng_vec3 *goals, throng_agent_id *ids) {
  throng_agents_def def = throng_default_agents_def();
  throng_error error;
  def.position.data = positions;
  def.velocity.data = velocities;
  def.goal.data = goals;
  require_ok(throng_agents_add(world, &def, count, ids, &error), &error);
}

void stage_refuses_values(throng_world *world, const throng_agent_id ids[2], throng_column column, const char *name,
                          const float values[2], throng_agents_def def, throng_status status) {
  static const throng_vec3 p[] = {{0, 0, 0}, {1, 0, 0}};
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
  throng_error error;
  char text[64];
  snprintf(text, sizeof text, "%s[1] is ", name);
  def.position.data = p;
  require_error(throng_agents_write(world, column, ids, 2, values, 0, &error), status, &error);
  assert_non_null(strstr(error.text, text));
  require_error(throng_agents_add(world, &def, 2, NULL, &error), status, &error);
  assert_non_null(strstr(error.text, text));
  assert_true(throng_world_hash(world, STATE_COLUMNS) == hash && throng_agents_count(world) == 2);
}

void stage_step(throng_world *world, float dt) {
  throng_error error;
  require_ok(throng_world_step(world, dt, &error), &error);
}

throng_vec3 stage_read(const throng_world *world, throng_column column, throng_agent_id id) {
  throng_vec3 value = {0.0f, 0.0f, 0.0f};
  throng_error error;
  require_ok(throng_agents_read(world, column, &id, 1, &value, sizeof value, &error), &error);
  return value;
}

throng_vec3 stage_steered(throng_world *world, throng_agent_id id) {
  throng_error error;
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  return stage_read(world, THRONG_COLUMN_ACCELERATION, id);
}

void stage_write(throng_world *world, throng_column column, throng_agent_id id, throng_vec3 value) {
  throng_error error;
  require_ok(throng_agents_write(world, column, &id, 1, &value, sizeof value, &error), &error);
}

void stage_push(throng_world *world, throng_agent_id id, throng_vec3 value) {
  throng_edit edit;
  throng_error error;
  require_ok(throng_world_edit_accelerations(world, &edit, &error), &error);
  for (uint32_t k = 0; k < edit.count; k++) {
    if (edit.id_index[k] != id.index) continue;
    edit.acceleration_x[k] = value.x;
    edit.acceleration_z[k] = value.z;
    if (edit.acceleration_y != NULL) edit.acceleration_y[k] = value.y;
  }
}

double stage_length(throng_vec3 v) {
  return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

double stage_distance(throng_vec3 a, throng_vec3 b) {
  const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
  return sqrt(x * x + y * y + z * z);
}

void stage_refuses_blocked(throng_world *world, const throng_vec3 good[3], const throng_vec3 bad[3],
                           throng_agent_id ids[3]) {
  throng_agents_def def = throng_default_agents_def();
  throng_error error;
  def.position.data = bad;
  require_error(throng_agents_add(world, &def, 3, ids, &error), THRONG_ERROR_BLOCKED, &error);
  assert_non_null(strchr(error.text, '2')); /* the text has the index of the bad position */
  assert_int_equal(throng_agents_count(world), 0);
  def.position.data = good;
  require_ok(throng_agents_add(world, &def, 3, ids, &error), &error);
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
  require_error(throng_agents_write(world, THRONG_COLUMN_POSITION, ids, 3, bad, 0, &error), THRONG_ERROR_BLOCKED,
                &error);
  assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);
}

throng_vec3 stage_wanted_by_first(const throng_world_def *def, const throng_group_def *group, uint32_t count,
                                  const throng_vec3 *positions, const throng_vec3 *velocities) {
  throng_world *world = stage_world(def, group);
  throng_agent_id ids[8];
  throng_error error;
  stage_add(world, count, positions, velocities, NULL, ids);
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0]);
  throng_world_destroy(world);
  return a;
}
