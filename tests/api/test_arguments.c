/* tests/api/test_arguments.c: calls public functions with each pointer NULL, wrong cookies, all kinds of bad ids,
 * indices past the last, and counts that overflow. Checks the documented status, that the error text names the
 * argument, and that the world is unchanged. test_arguments_values.c tests floats, test_tiles.c tiles.
 * SPDX-License-Identifier: MIT */
#include "support/full.h"
#include "support/groups.h"
#include "support/wrong.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER FULL_NUMBER

static throng_world *world, *spatial, *periodic;
static throng_agent_id id[FULL_AGENTS];
static throng_agent_id removed;
static const throng_vec3 origin;

static int make_worlds(void **state) {
  (void)state;
  throng_world_def def = full_def(THRONG_SPACE_SPATIAL);
  throng_error error;
  spatial = full_world(&def, NULL);
  def = full_def(THRONG_SPACE_PLANAR);
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  periodic = full_world(&def, NULL);
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.profile = true;
  world = full_world(&def, id);
  removed = id[FULL_AGENTS - 1];
  require_ok(throng_agents_remove(world, &removed, 1, &error), &error);
  require_ok(throng_world_step(world, 0.01f, &error), &error);
  wrong_watch(world);
  return 0;
}

static int destroy_worlds(void **state) {
  (void)state;
  throng_world_destroy(world);
  throng_world_destroy(spatial);
  throng_world_destroy(periodic);
  return 0;
}

static void names(void **state) {
  (void)state;
  static const int numbers[] = {-1, 1000, INT32_MIN, INT32_MAX};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    SAYS("unknown status", throng_status_name, (throng_status)numbers[k]);
    SAYS("?", throng_isa_name, (throng_isa)numbers[k]);
    SAYS("?", throng_threads_name, (throng_threads)numbers[k]);
    SAYS("?", throng_pass_name, (throng_pass)numbers[k]);
    SAYS("?", throng_column_name, (throng_column)numbers[k]);
    ANSWERS(0, throng_column_components, (throng_column)numbers[k], THRONG_SPACE_PLANAR);
    ANSWERS(0, throng_column_components, THRONG_COLUMN_POSITION, (throng_space)numbers[k]);
    ANSWERS(false, throng_agent_id_equal, (throng_agent_id){1, 1, 0}, (throng_agent_id){(uint32_t)numbers[k], 1, 0});
    ANSWERS(false, throng_isa_is_available, (throng_isa)numbers[k]);
    ANSWERS(0, throng_instance_bytes, (throng_instance_form)numbers[k]);
    ANSWERS(NULL, throng_behaviour_name, (throng_behaviour_kind)numbers[k]);
    throng_parameter parameter;
    ANSWERS(false, throng_behaviour_get_parameter, (throng_behaviour_kind)numbers[k], 0, &parameter);
    ANSWERS(false, throng_behaviour_get_parameter, THRONG_BEHAVIOUR_SEEK, (uint32_t)numbers[k], &parameter);
    ANSWERS(false, throng_behaviour_get_parameter, THRONG_BEHAVIOUR_SEEK, 0, NULL);
    throng_behaviour behaviour = throng_default_behaviour(THRONG_BEHAVIOUR_AVOID_WALLS);
    assert_true(throng_behaviour_get_parameter(THRONG_BEHAVIOUR_AVOID_WALLS, 0, &parameter));
    ANSWERS(0, throng_behaviour_get_value, NULL, &parameter);
    ANSWERS(0, throng_behaviour_get_value, &behaviour, NULL);
    ANSWERS(false, throng_behaviour_set_value, NULL, &parameter, 1);
    ANSWERS(false, throng_behaviour_set_value, &behaviour, NULL, 1);
    throng_group_def group = throng_default_group_def();
    ANSWERS(false, throng_group_def_get_parameter, (uint32_t)numbers[k], &parameter);
    ANSWERS(false, throng_group_def_get_parameter, 0, NULL);
    assert_true(throng_group_def_get_parameter(0, &parameter));
    ANSWERS(0, throng_group_def_get_value, NULL, &parameter);
    ANSWERS(0, throng_group_def_get_value, &group, NULL);
    ANSWERS(false, throng_group_def_set_value, NULL, &parameter, 1);
    ANSWERS(false, throng_group_def_set_value, &group, NULL, 1);
    ANSWERS(NULL, throng_group_def_add, &group, (throng_behaviour_kind)numbers[k]);
    ANSWERS(NULL, throng_group_def_find, &group, (throng_behaviour_kind)numbers[k]);
    ANSWERS(NULL, throng_group_def_add, NULL, THRONG_BEHAVIOUR_SEEK);
    ANSWERS(NULL, throng_group_def_find, NULL, THRONG_BEHAVIOUR_SEEK);
    SURVIVES(throng_world_def_set_boundary, NULL, (throng_boundary)numbers[k]);
    assert_true(SURVIVES(throng_default_behaviour, (throng_behaviour_kind)numbers[k]).weight == 0.0f);
  }
  ANSWERS(THRONG_ISA_COUNT, throng_isa_from_name, NULL);
  ANSWERS(THRONG_ISA_COUNT, throng_isa_from_name, "AVX2 ");
  ANSWERS(THRONG_THREADS_COUNT, throng_threads_from_name, NULL);
  ANSWERS(THRONG_THREADS_COUNT, throng_threads_from_name, "");
  ANSWERS(THRONG_THREADS_COUNT, throng_threads_from_name, "Team");
}

/* Definitions without a cookie or with a wrong one. */
static void cookies(void **state) {
  (void)state;
  throng_world *made = NULL;
#define COOKIE(type, function, before, def)                                                                            \
  do {                                                                                                                 \
    type wrong = def;                                                                                                  \
    wrong.cookie ^= 1u;                                                                                                \
    WRONG(BAD_COOKIE, "cookie", function, before, &wrong);                                                             \
    memset(&wrong, 0, sizeof wrong);                                                                                   \
    WRONG(BAD_COOKIE, "cookie", function, before, &wrong);                                                             \
    memset(&wrong, 0xff, sizeof wrong);                                                                                \
    WRONG(BAD_COOKIE, "cookie", function, before, &wrong);                                                             \
  } while (0)
#define ONE world
#define NUMBERED world, NUMBER
  COOKIE(throng_cells_def, throng_world_set_cells, ONE, throng_default_cells_def());
  COOKIE(throng_scenery_def, throng_world_set_scenery, ONE, throng_default_scenery_def());
  COOKIE(throng_flow_field_def, throng_world_set_flow_field, NUMBERED, throng_default_flow_field_def());
  COOKIE(throng_path_def, throng_world_set_path, NUMBERED, throng_default_path_def());
  COOKIE(throng_pattern_def, throng_world_set_pattern, NUMBERED, throng_default_pattern_def());
  COOKIE(throng_formation_def, throng_world_set_formation, NUMBERED, throng_default_formation_def());
  COOKIE(throng_attractors_def, throng_world_set_attractors, ONE, throng_default_attractors_def());
  COOKIE(throng_speed_zones_def, throng_world_set_speed_zones, ONE, throng_default_speed_zones_def());
  COOKIE(throng_group_def, throng_world_set_group, NUMBERED, throng_default_group_def());
#undef COOKIE
#undef ONE
#undef NUMBERED
  throng_world_def def = throng_default_world_def();
  throng_agents_def agents = throng_default_agents_def();
  throng_cells_def cells = full_cells();
  throng_instances_def instances = throng_default_instances_def();
  const throng_flow_goal goal = {{1, 0, 1}, 0};
  float vectors[512];
  for (uint32_t wrong = 0; wrong < 3; wrong++) {
    def.cookie = agents.cookie = cells.cookie = wrong == 2 ? THRONG_ALL_LAYERS : wrong;
    WRONG(BAD_COOKIE, "cookie", throng_world_create, &def, &made);
    instances.cookie = agents.cookie;
    WRONG(BAD_COOKIE, "cookie", throng_agents_read_instances, world, &instances, 0, NULL);
    WRONG(BAD_COOKIE, "cookie", throng_agents_add, world, &agents, 0, NULL);
    WRONG(BAD_COOKIE, "cookie", throng_agents_add_with_ids, world, &agents, 0, NULL);
    WRONG(BAD_COOKIE, "cookie", throng_flow_field_compute, NULL, &cells, &goal, 1, vectors, NULL, NULL);
    WRONG(BAD_COOKIE, "cookie", throng_world_compute_flow_field, world, &cells, &goal, 1, vectors, NULL, NULL);
    WRONG(BAD_COOKIE, "cookie", throng_world_compute_zone_costs, world, &cells, 1, vectors);
  }
  assert_null(made);
}

static void worlds_that_are_null(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_world *made = NULL;
  WRONG(NULL_ARGUMENT, "def", throng_world_create, NULL, &made);
  WRONG(NULL_ARGUMENT, "out", throng_world_create, &def, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_step, NULL, 0.1f);
  WRONG(NULL_ARGUMENT, "world", throng_world_steer, NULL, 0.1f);
  WRONG(NULL_ARGUMENT, "world", throng_world_integrate, NULL, 0.1f);
  WRONG(NULL_ARGUMENT, "world", throng_world_index, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_shift_origin, NULL, origin, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_set_group, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_get_group, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_agents_reserve, NULL, 0);
  WRONG(NULL_ARGUMENT, "world", throng_agents_add, NULL, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_agents_add_with_ids, NULL, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_agents_remove, NULL, NULL, 0);
  WRONG(NULL_ARGUMENT, "world", throng_agents_get_ids, NULL, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_agents_read, NULL, THRONG_COLUMN_POSITION, NULL, 0, NULL, 0);
  WRONG(NULL_ARGUMENT, "world", throng_agents_read_instances, NULL, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_agents_write, NULL, THRONG_COLUMN_POSITION, NULL, 0, NULL, 0);
  WRONG(NULL_ARGUMENT, "world", throng_agents_move, NULL, NULL, 0, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_view, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_edit, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_edit_accelerations, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_set_cells, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_set_scenery, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_set_flow_field, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_sample_flow_field, NULL, 0, (throng_vec3){0}, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_compute_flow_field, NULL, NULL, NULL, 0, NULL, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_compute_flow_fields, NULL, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_set_path, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_set_pattern, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_set_formation, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_set_attractors, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_set_speed_zones, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_fill_formation, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_set_callback, NULL, 0, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_query_radius, NULL, origin, 1, 1, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_query_nearest, NULL, origin, 1, 1, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_query_radius_batch, NULL, NULL, 0, 1, 1, NULL, 0, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_query_nearest_batch, NULL, NULL, 0, 1, 1, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_watch, NULL, id[0]);
  WRONG(NULL_ARGUMENT, "world", throng_world_explain, NULL, id[0], NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_get_profile, NULL, NULL);
  WRONG(NULL_ARGUMENT, "world", throng_world_reset_profile, NULL);
  assert_null(made);
}

static void questions_to_no_world(void **state) {
  (void)state;
  throng_error error;
  SURVIVES(throng_world_destroy, NULL);
  ANSWERS(0, throng_agents_count, NULL);
  ANSWERS(false, throng_agents_is_valid, NULL, id[0]);
  ANSWERS(0, throng_world_group_agent_count, NULL, 0);
  ANSWERS(0, throng_world_lost_target_count, NULL);
  ANSWERS(false, throng_world_is_indexed, NULL);
  ANSWERS(0, throng_world_frame, NULL);
  ANSWERS(0, throng_world_hash, NULL, 0);
  ANSWERS(false, throng_world_check, NULL, &error);
  assert_int_equal(error.status, THRONG_ERROR_NULL_ARGUMENT);
  ANSWERS(false, throng_world_check, NULL, NULL);
  ANSWERS(false, throng_world_is_free, NULL, origin, 0);
  ANSWERS(0, throng_world_path_length, NULL, 0);
  ANSWERS(0, throng_world_pattern_instruction_count, NULL, 0);
  ANSWERS(0, throng_world_formation_place_count, NULL, 0);
  ANSWERS(0, throng_world_attractor_count, NULL);
  ANSWERS(0, throng_world_speed_zone_count, NULL);
  const throng_world_def got = SURVIVES(throng_world_get_def, NULL), def = throng_default_world_def();
  assert_memory_equal(&got, &def, sizeof def);
}

/* Calls queries with indices past the last object, and with points that are not finite or far outside the world. */
static void questions_past_the_end(void **state) {
  (void)state;
  static const uint32_t numbers[] = {64, 256, 0x80000000u, UINT32_MAX};
  static const float odd[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1e-45f, -0.0f, 0x1p31f, -0x1p63f};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    ANSWERS(0, throng_world_path_length, world, numbers[k]);
    ANSWERS(0, throng_world_pattern_instruction_count, world, numbers[k]);
    ANSWERS(0, throng_world_formation_place_count, world, numbers[k]);
    ANSWERS(0, throng_world_group_agent_count, world, numbers[k]);
  }
  for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
    const bool small = fabsf(odd[k]) < 1.0f;
    ANSWERS(small, throng_world_is_free, world, (throng_vec3){odd[k], 5, 5}, 0);
    ANSWERS(small, throng_world_is_free, world, (throng_vec3){5, 5, odd[k]}, 0);
    ANSWERS(true, throng_world_is_free, world, (throng_vec3){5, odd[k], 5}, 0); /* planar worlds ignore y */
    ANSWERS(small, throng_world_is_free, spatial, (throng_vec3){5, 5, odd[k]}, 0);
    SURVIVES(throng_world_is_free, spatial, (throng_vec3){5, odd[k], 5}, 0); /* the floor is at 0 */
    ANSWERS(small, throng_world_is_free, world, (throng_vec3){5, 5, 5}, odd[k]);
    throng_vec3 v = {7, 7, 7};
    if (isfinite(odd[k])) {
      require_ok(throng_world_sample_flow_field(world, NUMBER, (throng_vec3){odd[k], NAN, odd[k]}, &v, &wrong_error),
                 &wrong_error);
      assert_true(isfinite(v.x) && isfinite(v.z) && v.y == 0.0f);
    } else {
      WRONG(NOT_FINITE, "point is", throng_world_sample_flow_field, world, NUMBER, (throng_vec3){odd[k], 0, 0}, &v);
      WRONG(NOT_FINITE, "point is", throng_world_sample_flow_field, world, NUMBER, (throng_vec3){0, 0, odd[k]}, &v);
    }
  }
  assert_true(SURVIVES(throng_world_hash, world, UINT32_MAX) != 0);
}

static void pointers_that_are_null(void **state) {
  (void)state;
  throng_neighbour near[FULL_AGENTS];
  throng_agents_def agents = throng_default_agents_def();
  uint32_t count;
  WRONG(NULL_ARGUMENT, "def", throng_world_set_group, world, 0, NULL);
  WRONG(NULL_ARGUMENT, "def", throng_world_get_group, world, 0, NULL);
  WRONG(NULL_ARGUMENT, "def", throng_agents_add, world, NULL, 1, NULL);
  WRONG(NULL_ARGUMENT, "position", throng_agents_add, world, &agents, 1, NULL);
  WRONG(NULL_ARGUMENT, "def", throng_agents_add_with_ids, world, NULL, 1, id);
  WRONG(NULL_ARGUMENT, "position", throng_agents_add_with_ids, world, &agents, 1, id);
  agents = full_agents(1);
  WRONG(NULL_ARGUMENT, "ids", throng_agents_add_with_ids, world, &agents, 1, NULL);
  WRONG(NULL_ARGUMENT, "ids", throng_agents_remove, world, NULL, 1);
  WRONG(NULL_ARGUMENT, "ids", throng_agents_get_ids, world, NULL, FULL_AGENTS, &count);
  WRONG(NULL_ARGUMENT, "count", throng_agents_get_ids, world, id, FULL_AGENTS, NULL);
  WRONG(NULL_ARGUMENT, "positions", throng_agents_move, world, id, 1, NULL, &origin);
  WRONG(NULL_ARGUMENT, "view", throng_world_view, world, NULL);
  WRONG(NULL_ARGUMENT, "edit", throng_world_edit, world, NULL);
  WRONG(NULL_ARGUMENT, "edit", throng_world_edit_accelerations, world, NULL);
  WRONG(NULL_ARGUMENT, "vector", throng_world_sample_flow_field, world, NUMBER, (throng_vec3){0}, NULL);
  WRONG(NULL_ARGUMENT, "found", throng_world_query_radius, world, origin, 1, 1, NULL, 1, &count);
  WRONG(NULL_ARGUMENT, "count", throng_world_query_radius, world, origin, 1, 1, near, 1, NULL);
  WRONG(NULL_ARGUMENT, "found", throng_world_query_nearest, world, origin, 1, 1, NULL, &count);
  WRONG(NULL_ARGUMENT, "count", throng_world_query_nearest, world, origin, 1, 1, near, NULL);
  WRONG(NULL_ARGUMENT, "centres", throng_world_query_radius_batch, world, NULL, 1, 1, 1, near, 1, &count);
  WRONG(NULL_ARGUMENT, "found", throng_world_query_radius_batch, world, &origin, 1, 1, 1, NULL, 1, &count);
  WRONG(NULL_ARGUMENT, "counts", throng_world_query_radius_batch, world, &origin, 1, 1, 1, near, 1, NULL);
  WRONG(NULL_ARGUMENT, "centres", throng_world_query_nearest_batch, world, NULL, 1, 1, 1, near, &count);
  WRONG(NULL_ARGUMENT, "found", throng_world_query_nearest_batch, world, &origin, 1, 1, 1, NULL, &count);
  WRONG(NULL_ARGUMENT, "counts", throng_world_query_nearest_batch, world, &origin, 1, 1, 1, near, NULL);
  WRONG(NULL_ARGUMENT, "explanation", throng_world_explain, world, id[0], NULL);
  WRONG(NULL_ARGUMENT, "profile", throng_world_get_profile, world, NULL);
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    WRONG(NULL_ARGUMENT, "data", throng_agents_read, world, (throng_column)column, id, 1, NULL, 0);
    WRONG(NULL_ARGUMENT, "data", throng_agents_write, world, (throng_column)column, id, 1, NULL, 0);
  }
}

/* Definitions with a NULL array. */
static void arrays_that_are_null(void **state) {
  (void)state;
  throng_cells_def cells = full_cells();
  throng_flow_field_def field = full_field();
  throng_path_def path = full_path();
  throng_pattern_def pattern = full_pattern();
  throng_formation_def formation = full_formation();
  throng_attractors_def attractors = full_attractors();
  throng_speed_zones_def zones = full_zones();
  const throng_flow_goal goal = {{1, 0, 1}, 0};
  float vectors[512];
  WRONG(NULL_ARGUMENT, "cells", throng_flow_field_compute, NULL, NULL, &goal, 1, vectors, NULL, NULL);
  WRONG(NULL_ARGUMENT, "cells", throng_world_compute_flow_field, world, NULL, &goal, 1, vectors, NULL, NULL);
  WRONG(NULL_ARGUMENT, "requests", throng_world_compute_flow_fields, world, NULL, 1, NULL);
  WRONG(NULL_ARGUMENT, "goals", throng_flow_field_compute, NULL, &cells, NULL, 1, vectors, NULL, NULL);
  WRONG(NULL_ARGUMENT, "vectors", throng_flow_field_compute, NULL, &cells, &goal, 1, NULL, NULL, NULL);
  WRONG(BAD_VALUE, "goal_count", throng_flow_field_compute, NULL, &cells, &goal, 0, vectors, NULL, NULL);
  cells.blocked = NULL;
  field.vectors = NULL;
  path.points.data = formation.places.data = NULL;
  pattern.instructions = NULL;
  attractors.attractors = NULL;
  zones.zones = NULL;
  WRONG(NULL_ARGUMENT, "attractors", throng_world_set_attractors, world, &attractors);
  WRONG(NULL_ARGUMENT, "world", throng_world_compute_zone_costs, NULL, &cells, 1, vectors);
  WRONG(NULL_ARGUMENT, "cells", throng_world_compute_zone_costs, world, NULL, 1, vectors);
  WRONG(NULL_ARGUMENT, "cost", throng_world_compute_zone_costs, world, &cells, 1, NULL);
  WRONG(NULL_ARGUMENT, "speed_zones.zones", throng_world_set_speed_zones, world, &zones);
  zones.count = 0;
  zones.raster.factor = NULL;
  WRONG(NULL_ARGUMENT, "speed_zones.raster.factor", throng_world_set_speed_zones, world, &zones);
  WRONG(NULL_ARGUMENT, "blocked", throng_flow_field_compute, NULL, &cells, &goal, 1, vectors, NULL, NULL);
  WRONG(NULL_ARGUMENT, "blocked", throng_world_set_cells, world, &cells);
  WRONG(NULL_ARGUMENT, "vectors", throng_world_set_flow_field, world, NUMBER, &field);
  WRONG(NULL_ARGUMENT, "points", throng_world_set_path, world, NUMBER, &path);
  WRONG(NULL_ARGUMENT, "instructions", throng_world_set_pattern, world, NUMBER, &pattern);
  WRONG(NULL_ARGUMENT, "places", throng_world_set_formation, world, NUMBER, &formation);
  for (int part = 0; part < 6; part++) {
    throng_scenery_def scenery = full_scenery(part < 4 ? THRONG_SPACE_PLANAR : THRONG_SPACE_SPATIAL);
    throng_span *const spans[] = {&scenery.obstacle_centre, &scenery.obstacle_radius, &scenery.wall_from,
                                  &scenery.wall_to,         &scenery.box_min,         &scenery.plane_normal};
    static const char *const word[] = {"obstacle_centre", "obstacle_radius", "wall_from",
                                       "wall_to",         "box_min",         "plane_normal"};
    spans[part]->data = NULL;
    WRONG(NULL_ARGUMENT, word[part], throng_world_set_scenery, part < 4 ? world : spatial, &scenery);
  }
}

/* Indices past the last group or object. */
static void numbers_past_the_last(void **state) {
  (void)state;
  static const uint32_t numbers[] = {64, 255, 256, 0x80000000u, UINT32_MAX};
  throng_group_def group = throng_default_group_def();
  throng_flow_field_def field = full_field();
  throng_path_def path = full_path();
  throng_pattern_def pattern = full_pattern();
  throng_formation_def formation = full_formation();
  throng_vec3 v;
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    const uint32_t number = numbers[k];
    WRONG(BAD_VALUE, "index", throng_world_set_flow_field, world, number, &field);
    WRONG(BAD_VALUE, "index", throng_world_set_flow_field, world, number, NULL);
    WRONG(BAD_VALUE, "index", throng_world_sample_flow_field, world, number, (throng_vec3){0}, &v);
    WRONG(BAD_VALUE, "index", throng_world_set_path, world, number, &path);
    WRONG(BAD_VALUE, "index", throng_world_set_path, world, number, NULL);
    WRONG(BAD_VALUE, "index", throng_world_set_pattern, world, number, &pattern);
    WRONG(BAD_VALUE, "index", throng_world_set_pattern, world, number, NULL);
    WRONG(BAD_VALUE, "index", throng_world_set_formation, world, number, &formation);
    WRONG(BAD_VALUE, "index", throng_world_set_formation, world, number, NULL);
    WRONG(BAD_VALUE, "index", throng_world_set_callback, world, number, full_callback, NULL);
    WRONG(BAD_VALUE, "index", throng_world_set_callback, world, number, NULL, NULL);
    WRONG(NO_GROUP, "group", throng_world_get_group, world, number, &group);
    WRONG(NO_GROUP, "group", throng_world_fill_formation, world, number, NULL);
    if (number > 255) WRONG(BAD_VALUE, "group", throng_world_set_group, world, number, &group);
  }
  WRONG(BAD_VALUE, "there is no such flow field", throng_world_sample_flow_field, world, 5, (throng_vec3){0}, &v);
  WRONG(BAD_VALUE, "keeps no formation", throng_world_fill_formation, world, 0, NULL);
}

/* Wrong counts in definitions: 0, and counts far larger than the arrays. The library must not read the arrays. */
static void counts_out_of_range(void **state) {
  (void)state;
  static const uint32_t many[] = {0, 1u << 23, 0x40000000u, 0x80000000u, UINT32_MAX};
  for (size_t k = 0; k < sizeof many / sizeof *many; k++) {
    const uint32_t count = many[k];
    throng_cells_def cells = full_cells();
    throng_flow_field_def field = full_field();
    throng_path_def path = full_path();
    throng_pattern_def pattern = full_pattern();
    throng_formation_def formation = full_formation();
    throng_attractors_def attractors = full_attractors();
    throng_speed_zones_def zones = full_zones();
    throng_scenery_def scenery = full_scenery(THRONG_SPACE_PLANAR);
    path.count = pattern.count = formation.count = cells.width = field.width = count;
    WRONG(BAD_VALUE, "path.count", throng_world_set_path, world, NUMBER, &path);
    WRONG(BAD_VALUE, "pattern.count", throng_world_set_pattern, world, NUMBER, &pattern);
    WRONG(BAD_VALUE, "formation.count", throng_world_set_formation, world, NUMBER, &formation);
    WRONG(BAD_VALUE, "width", throng_world_set_cells, world, &cells);
    WRONG(BAD_VALUE, "width", throng_world_set_flow_field, world, NUMBER, &field);
    cells = full_cells();
    field = full_field();
    cells.height = field.height = count;
    zones.raster.width = count;
    WRONG(BAD_VALUE, "speed_zones.raster.width", throng_world_set_speed_zones, world, &zones);
    zones = full_zones();
    zones.raster.height = count;
    WRONG(BAD_VALUE, "speed_zones.raster.height", throng_world_set_speed_zones, world, &zones);
    zones = full_zones();
    WRONG(BAD_VALUE, "height", throng_world_set_cells, world, &cells);
    WRONG(BAD_VALUE, "height", throng_world_set_flow_field, world, NUMBER, &field);
    if (count == 0) continue;
    attractors.count = count;
    WRONG(BAD_VALUE, "attractors.count", throng_world_set_attractors, world, &attractors);
    zones.count = count;
    WRONG(BAD_VALUE, "speed_zones.count", throng_world_set_speed_zones, world, &zones);
    scenery.obstacle_count = count;
    WRONG(BAD_VALUE, "obstacle_count", throng_world_set_scenery, world, &scenery);
    scenery = full_scenery(THRONG_SPACE_PLANAR);
    scenery.wall_count = count;
    WRONG(BAD_VALUE, "wall_count", throng_world_set_scenery, world, &scenery);
    scenery = full_scenery(THRONG_SPACE_SPATIAL);
    scenery.plane_count = count;
    WRONG(BAD_VALUE, "plane_count", throng_world_set_scenery, spatial, &scenery);
    scenery.plane_count = 65;
    WRONG(BAD_VALUE, "plane_count", throng_world_set_scenery, spatial, &scenery);
    scenery = full_scenery(THRONG_SPACE_SPATIAL);
    scenery.box_count = count;
    WRONG(BAD_VALUE, "box_count", throng_world_set_scenery, spatial, &scenery);
  }
}

/* Counts of agents that are too large, wrong strides and unknown columns. The library must refuse before it reads. */
static void counts_of_agents_that_overflow(void **state) {
  (void)state;
  static const uint32_t many[] = {0x7fffffffu, 0x80000000u, UINT32_MAX - FULL_AGENTS + 2, UINT32_MAX};
  const throng_agents_def agents = full_agents(1);
  throng_vec3 p;
  uint32_t count = 0;
  for (size_t k = 0; k < sizeof many / sizeof *many; k++) {
    WRONG(CAPACITY, "agents", throng_agents_add, world, &agents, many[k], NULL);
    WRONG(CAPACITY, "agents", throng_agents_add_with_ids, world, &agents, many[k], id);
    WRONG(CAPACITY, "agents", throng_agents_reserve, world, many[k]);
    WRONG(BAD_VALUE, "count", throng_agents_read, world, THRONG_COLUMN_POSITION, NULL, many[k], &p, 0);
    WRONG(BAD_VALUE, "count", throng_agents_write, world, THRONG_COLUMN_POSITION, NULL, many[k], &p, 0);
    WRONG(BAD_VALUE, "count", throng_agents_move, world, NULL, many[k], &p, &p);
  }
  WRONG(CAPACITY, "room for 3", throng_agents_get_ids, world, id, 3, &count);
  assert_int_equal(count, FULL_AGENTS - 1);
  WRONG(BAD_VALUE, "count", throng_agents_read, world, THRONG_COLUMN_POSITION, NULL, 1, &p, 0);
  WRONG(BAD_VALUE, "stride", throng_agents_read, world, THRONG_COLUMN_POSITION, id, 1, &p, 11);
  WRONG(BAD_VALUE, "stride", throng_agents_write, world, THRONG_COLUMN_POSITION, id, 1, &p, 11);
  for (int column = -1; column <= THRONG_COLUMN_COUNT; column += THRONG_COLUMN_COUNT + 1) {
    WRONG(BAD_VALUE, "column", throng_agents_read, world, (throng_column)column, id, 1, &p, 0);
    WRONG(BAD_VALUE, "column", throng_agents_write, world, (throng_column)column, id, 1, &p, 0);
  }
}

/* Ids that name no live agent of this world. */
static void ids_of_all_bad_kinds(void **state) {
  (void)state;
  throng_agent_id bad[] = {{0, 0, 0},
                           {0, 1, FULL_WORLD_ID},
                           removed,
                           id[0],
                           id[0],
                           {FULL_AGENTS + 1, 1, FULL_WORLD_ID},
                           id[0],
                           {5000, 1, 3},
                           {0x7fffffffu, 1, FULL_WORLD_ID},
                           id[0],
                           {UINT32_MAX, 65535, FULL_WORLD_ID}};
  bad[3].generation++;
  bad[4].generation = 0;
  bad[6].world++;
  bad[9].world = 0;
  throng_vec3 p[2] = {{9, 0, 9}, {9, 0, 9}};
  throng_explanation explanation;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    const throng_agent_id pair[2] = {id[1], bad[k]};
    const bool foreign = bad[k].index != 0 && bad[k].world != FULL_WORLD_ID;
    char number[16];
    snprintf(number, sizeof number, "{%u, ", bad[k].index);
    ANSWERS(false, throng_agents_is_valid, world, bad[k]);
#define BAD_ID(...)                                                                                                    \
  do {                                                                                                                 \
    if (foreign) WRONG(FOREIGN_ID, number, __VA_ARGS__);                                                               \
    if (!foreign) WRONG(STALE_ID, number, __VA_ARGS__);                                                                \
  } while (0)
    BAD_ID(throng_agents_remove, world, pair, 2);
    BAD_ID(throng_agents_read, world, THRONG_COLUMN_POSITION, pair, 2, p, 0);
    BAD_ID(throng_agents_write, world, THRONG_COLUMN_POSITION, pair, 2, p, 0);
    BAD_ID(throng_agents_write, world, THRONG_COLUMN_GOAL, pair, 2, p, 0);
    BAD_ID(throng_agents_move, world, pair, 2, p, NULL);
    BAD_ID(throng_world_explain, world, bad[k], &explanation);
    if (bad[k].index != 0) BAD_ID(throng_world_watch, world, bad[k]);
    for (int which = 0; which < 2; which++) {
      throng_group_def g = throng_default_group_def();
      throng_behaviour *b = throng_group_def_add(&g, THRONG_BEHAVIOUR_INTERPOSE);
      *(which == 0 ? &b->target : &b->other) = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = bad[k]};
      BAD_ID(throng_world_set_group, world, 0, &g);
    }
#undef BAD_ID
  }
  WRONG(NOT_STEERED, "agent", throng_world_explain, world, id[0], &explanation);
}

static void ids_that_cannot_be_given(void **state) {
  (void)state;
  const throng_agents_def agents = full_agents(2);
  throng_agent_id spare = {500, 1, FULL_WORLD_ID}, other = spare;
  other.world = 1;
  const throng_agent_id bad[][2] = {{spare, {0, 0, FULL_WORLD_ID}},
                                    {spare, spare},
                                    {spare, id[5]},
                                    {spare, {501, 0, FULL_WORLD_ID}},
                                    {spare, {0x7fffffffu, 1, FULL_WORLD_ID}},
                                    {spare, {UINT32_MAX, 1, FULL_WORLD_ID}}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    WRONG(STALE_ID, "ids[1]", throng_agents_add_with_ids, world, &agents, 2, bad[k]);
  WRONG(FOREIGN_ID, "world 1", throng_agents_add_with_ids, world, &agents, 1, &other);
  const throng_agent_id twice[3] = {id[4], id[6], id[4]};
  WRONG(STALE_ID, "ids", throng_agents_remove, world, twice, 3);
}

static void calls_at_the_wrong_time(void **state) {
  (void)state;
  throng_edit edit;
  throng_vec3 a;
  throng_neighbour near[2];
  uint32_t count;
  throng_error error;
  WRONG(NOT_STEERED, "throng_world_steer", throng_world_integrate, world, 0.01f);
  WRONG(NOT_STEERED, "throng_world_steer", throng_world_edit_accelerations, world, &edit);
  WRONG(NOT_STEERED, "throng_world_steer", throng_agents_read, world, THRONG_COLUMN_ACCELERATION, id, 1, &a, 0);
  WRONG(NOT_STEERED, "throng_world_steer", throng_agents_read, world, THRONG_COLUMN_YAW_ACCELERATION, id, 1, &a, 0);
  WRONG(UNSUPPORTED, "profile", throng_world_reset_profile, spatial);
  throng_profile profile;
  WRONG(UNSUPPORTED, "profile", throng_world_get_profile, spatial, &profile);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, id, 1, &a, 0, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_POSITION, id, 1, &a, 0, &error), &error);
  wrong_watch(world);
  WRONG(NOT_INDEXED, "index", throng_world_query_radius, world, origin, 1, 1, near, 2, &count);
  WRONG(NOT_INDEXED, "index", throng_world_query_nearest, world, origin, 1, 1, near, &count);
  WRONG(NOT_INDEXED, "index", throng_world_query_radius_batch, world, &origin, 1, 1, 1, near, 2, &count);
  WRONG(NOT_INDEXED, "index", throng_world_query_nearest_batch, world, &origin, 1, 1, 1, near, &count);
  require_ok(throng_world_index(world, &error), &error);
  wrong_watch(world);
}

/* What spatial or periodic worlds do not have. */
static void features_of_other_worlds(void **state) {
  (void)state;
  const throng_cells_def cells = full_cells();
  const throng_scenery_def scenery = full_scenery(THRONG_SPACE_PLANAR), solid = full_scenery(THRONG_SPACE_SPATIAL);
  throng_cells_def high = cells;
  float cost[256];
  high.origin.y = NAN;
  wrong_watch(spatial);
  WRONG(NOT_FINITE, "cells.origin.y", throng_world_compute_zone_costs, spatial, &high, 1, cost);
  wrong_watch(spatial);
  WRONG(UNSUPPORTED, "cells", throng_world_set_cells, spatial, &cells);
  WRONG(UNSUPPORTED, "wall_count", throng_world_set_scenery, spatial, &scenery);
  wrong_watch(periodic);
  WRONG(UNSUPPORTED, "periodic", throng_world_shift_origin, periodic, (throng_vec3){1, 0, 0}, NULL);
  wrong_watch(world);
  WRONG(UNSUPPORTED, "box_count", throng_world_set_scenery, world, &solid);
  static const float far_or_none[] = {-1e30f, FLT_MAX, NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 5; k++) {
    const float odd = far_or_none[k];
    wrong_watch(world);
    if (k < 2) {
      WRONG(OUT_OF_RANGE, "wished.x", throng_world_shift_origin, world, (throng_vec3){odd, 0, 0}, NULL);
      WRONG(OUT_OF_RANGE, "wished.z", throng_world_shift_origin, world, (throng_vec3){0, 0, odd}, NULL);
      continue;
    }
    WRONG(NOT_FINITE, "wished.x", throng_world_shift_origin, world, (throng_vec3){odd, 0, 0}, NULL);
    WRONG(NOT_FINITE, "wished.z", throng_world_shift_origin, world, (throng_vec3){0, 0, odd}, NULL);
    wrong_watch(spatial);
    WRONG(NOT_FINITE, "wished.y", throng_world_shift_origin, spatial, (throng_vec3){0, odd, 0}, NULL);
  }
}

int main(void) {
  comma_locale();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names),
      cmocka_unit_test(cookies),
      cmocka_unit_test(worlds_that_are_null),
      cmocka_unit_test(questions_to_no_world),
      cmocka_unit_test(questions_past_the_end),
      cmocka_unit_test(pointers_that_are_null),
      cmocka_unit_test(arrays_that_are_null),
      cmocka_unit_test(numbers_past_the_last),
      cmocka_unit_test(counts_out_of_range),
      cmocka_unit_test(counts_of_agents_that_overflow),
      cmocka_unit_test(ids_of_all_bad_kinds),
      cmocka_unit_test(ids_that_cannot_be_given),
      cmocka_unit_test(calls_at_the_wrong_time),
      cmocka_unit_test(features_of_other_worlds),
  };
  return cmocka_run_group_tests_name("arguments", tests, make_worlds, destroy_worlds);
}
