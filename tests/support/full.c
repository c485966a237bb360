/* tests/support/full.c: see full.h.
 * SPDX-License-Identifier: MIT */
#include "support/full.h"
#include "support/groups.h"

#include <math.h>

#define MAP 16

void full_box_in_host(throng_world_def *def) {
  throng_vec3 corner[2];
  throng_error error;
  require_ok(throng_axes_to_host(&def->axes, &def->box_min, 1, &corner[0], &error), &error);
  require_ok(throng_axes_to_host(&def->axes, &def->box_max, 1, &corner[1], &error), &error);
  def->box_min =
      (throng_vec3){fminf(corner[0].x, corner[1].x), fminf(corner[0].y, corner[1].y), fminf(corner[0].z, corner[1].z)};
  def->box_max =
      (throng_vec3){fmaxf(corner[0].x, corner[1].x), fmaxf(corner[0].y, corner[1].y), fmaxf(corner[0].z, corner[1].z)};
}

throng_world_def full_def(throng_space space) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_min = (throng_vec3){0, 0, 0};
  def.box_max = (throng_vec3){FULL_SIDE, FULL_SIDE, FULL_SIDE};
  def.perception_radius = 2.0f;
  def.id_world = FULL_WORLD_ID;
  def.thread_count = 1;
  return def;
}

throng_group_def full_group(const throng_world_def *def, uint32_t group) {
  throng_group_def g = throng_default_group_def();
  const bool planar = def->space == THRONG_SPACE_PLANAR;
  g.avoidance.weight = 1.0f;
  g.contact = 1.0f;
  if (group == 1) {
    g.cohesion.weight = 0.5f;
    group_want(&g, THRONG_BEHAVIOUR_WANDER, 0.5f);
    group_want(&g, THRONG_BEHAVIOUR_AVOID_WALLS, 1.0f);
    group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATH, 1.0f)->follow_path.index = FULL_NUMBER;
    group_want(&g, THRONG_BEHAVIOUR_FOLLOW_FIELD, 0.5f)->follow_field.index = FULL_NUMBER;
    group_want(&g, THRONG_BEHAVIOUR_FORMATION, 0.5f)->formation.index = FULL_NUMBER;
    group_want(&g, THRONG_BEHAVIOUR_CALLBACK, 1.0f)->callback.index = FULL_NUMBER;
    group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  }
  if (group == 2 && planar) {
    g.facing = THRONG_FACING_STEERED;
    g.max_yaw_rate = 3.0f;
    group_want(&g, THRONG_BEHAVIOUR_LOOK, 1.0f);
  }
  if (group == 2) group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATTERN, 1.0f)->follow_pattern.index = FULL_NUMBER;
  if (group == 2) group_want(&g, THRONG_BEHAVIOUR_ATTRACTORS, 0.5f);
  return g;
}

throng_agents_def full_agents(uint32_t count) {
  static _Thread_local throng_vec3 position[FULL_AGENTS], velocity[FULL_AGENTS], goal[FULL_AGENTS];
  static _Thread_local uint8_t group[FULL_AGENTS];
  static _Thread_local float radius[FULL_AGENTS], mass[FULL_AGENTS], speed[FULL_AGENTS];
  for (uint32_t k = 0; k < FULL_AGENTS; k++) {
    const float a = (float)(k % 8), b = (float)(k / 8);
    position[k] = (throng_vec3){8.0f + 2.0f * a, 8.0f + a, 8.0f + 2.0f * b};
    velocity[k] = (throng_vec3){0.25f * b - 1.0f, 0, 0.5f * a - 2.0f};
    goal[k] = (throng_vec3){20.0f - a, 10, 12.0f + b};
    group[k] = (uint8_t)(k % 3);
    radius[k] = 0.25f + 0.01f * a;
    mass[k] = 60.0f + b;
    speed[k] = k % 5 == 0 ? NAN : 1.0f + 0.25f * a;
  }
  throng_agents_def def = throng_default_agents_def();
  if (count > FULL_AGENTS) fail_msg("full_agents has %u agents, not %u", FULL_AGENTS, count);
  def.position.data = position;
  def.velocity.data = velocity;
  def.goal.data = goal;
  def.group.data = group;
  def.perception_radius = def.body_radius = (throng_span){radius, 0};
  def.mass.data = mass;
  def.max_speed.data = speed;
  return def;
}

throng_cells_def full_cells(void) {
  static _Thread_local uint8_t blocked[MAP * MAP];
  for (int k = 0; k < MAP * MAP; k++) blocked[k] = k % MAP > 12 && k / MAP > 12;
  throng_cells_def def = throng_default_cells_def();
  def.width = def.height = MAP;
  def.cell = FULL_SIDE / MAP;
  def.blocked = blocked;
  return def;
}

throng_scenery_def full_scenery(throng_space space) {
  static const throng_vec3 centre[2] = {{40, 40, 40}, {44, 44, 12}}, from = {38, 0, 20}, to = {38, 0, 30},
                           low = {50, 50, 50}, high = {54, 55, 56}, floor_point = {0, 0, 0}, up = {0, 3, 0};
  static const float radius[2] = {3.0f, 2.0f};
  throng_scenery_def def = throng_default_scenery_def();
  def.obstacle_centre.data = centre;
  def.obstacle_radius.data = radius;
  def.obstacle_count = 2;
  def.wall_from.data = &from;
  def.wall_to.data = &to;
  def.wall_count = space == THRONG_SPACE_PLANAR;
  def.box_min.data = &low;
  def.box_max.data = &high;
  def.plane_point.data = &floor_point;
  def.plane_normal.data = &up;
  def.box_count = def.plane_count = space == THRONG_SPACE_SPATIAL;
  return def;
}

throng_flow_field_def full_field(void) {
  static _Thread_local float vectors[2 * MAP * MAP];
  for (int k = 0; k < MAP * MAP; k++) {
    vectors[2 * k] = (float)(8 - k % MAP);
    vectors[2 * k + 1] = (float)(6 - k / MAP);
  }
  throng_flow_field_def def = throng_default_flow_field_def();
  def.width = def.height = MAP;
  def.cell = FULL_SIDE / MAP;
  def.vectors = vectors;
  return def;
}

throng_path_def full_path(void) {
  static const throng_vec3 points[4] = {{8, 10, 8}, {24, 10, 8}, {24, 12, 24}, {8, 12, 24}};
  throng_path_def def = throng_default_path_def();
  def.points.data = points;
  def.count = 4;
  def.closed = true;
  return def;
}

throng_pattern_def full_pattern(void) {
  static const throng_pattern_instruction instructions[3] = {
      {0, 1, 0, 2, 0, 0, 0, 0}, {1, 0.5f, 1.5f, 0, 0, 0, 0, 0}, {-1, 0.5f, 1.5f, 3, 0, 0, 0, 0}};
  throng_pattern_def def = throng_default_pattern_def();
  def.instructions = instructions;
  def.count = 3;
  return def;
}

throng_formation_def full_formation(void) {
  static const throng_vec3 places[5] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {1, 1, -1}, {-1, 1, -1}};
  throng_formation_def def = throng_default_formation_def();
  def.places.data = places;
  def.count = 5;
  return def;
}

throng_attractors_def full_attractors(void) {
  static _Thread_local throng_attractor list[3];
  for (int k = 0; k < 3; k++) {
    list[k] = throng_default_attractor();
    list[k].position = (throng_vec3){8.0f + 8.0f * (float)k, 10, 12};
    list[k].law = k == 1 ? THRONG_ATTRACTOR_INVERSE_SQUARE : THRONG_ATTRACTOR_LINEAR;
    list[k].strength = k == 2 ? -1.0f : 0.5f;
  }
  throng_attractors_def def = throng_default_attractors_def();
  def.attractors = list;
  def.count = 3;
  return def;
}

throng_speed_zones_def full_zones(void) {
  static _Thread_local throng_speed_zone list[2];
  for (int k = 0; k < 2; k++) {
    list[k] = throng_default_speed_zone();
    list[k].centre = (throng_vec3){6.0f + 14.0f * (float)k, 10, 18};
    list[k].shape = k == 1 ? THRONG_SPEED_ZONE_RECTANGLE : THRONG_SPEED_ZONE_CIRCLE;
    list[k].yaw = 0.5f;
    list[k].height = 8.0f;
  }
  throng_speed_zones_def def = throng_default_speed_zones_def();
  static const float factor[16] = {1, 0.5f, 1, 1, 1, 1, 0.75f, 0.9f, 0.25f, 1, 1, 1, 1, 1, 0.5f, 1};
  def.zones = list;
  def.count = 2;
  def.raster.factor = factor;
  def.raster.width = def.raster.height = 4;
  def.raster.cell = FULL_SIDE / 4;
  return def;
}

void full_callback(const throng_block *block, void *context) {
  (void)context;
  for (uint32_t k = 0; k < block->count; k++) block->acceleration_z[k] = 16.0f - block->position_z[k];
}

static void furnish(throng_world *world, const throng_world_def *def) {
  throng_error error;
  const throng_cells_def cells = full_cells();
  const throng_scenery_def scenery = full_scenery(def->space);
  const throng_flow_field_def field = full_field();
  const throng_path_def path = full_path();
  const throng_pattern_def pattern = full_pattern();
  const throng_formation_def formation = full_formation();
  const throng_attractors_def attractors = full_attractors();
  const throng_speed_zones_def zones = full_zones();
  const bool planar = def->space == THRONG_SPACE_PLANAR, periodic = def->boundary[0] == THRONG_BOUNDARY_PERIODIC;
  if (!periodic) require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
  if (!periodic && planar) require_ok(throng_world_set_cells(world, &cells, &error), &error);
  require_ok(throng_world_set_flow_field(world, FULL_NUMBER, &field, &error), &error);
  require_ok(throng_world_set_path(world, FULL_NUMBER, &path, &error), &error);
  require_ok(throng_world_set_formation(world, FULL_NUMBER, &formation, &error), &error);
  require_ok(throng_world_set_pattern(world, FULL_NUMBER, &pattern, &error), &error);
  require_ok(throng_world_set_attractors(world, &attractors, &error), &error);
  require_ok(throng_world_set_speed_zones(world, &zones, &error), &error);
  require_ok(throng_world_set_callback(world, FULL_NUMBER, full_callback, NULL, &error), &error);
}

throng_world *full_empty_world(const throng_world_def *def) {
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(def, &world, &error), &error);
  furnish(world, def);
  for (uint32_t g = 0; g < 3; g++) {
    const throng_group_def group = full_group(def, g);
    require_ok(throng_world_set_group(world, g, &group, &error), &error);
  }
  return world;
}

throng_world *full_world(const throng_world_def *def, throng_agent_id ids[FULL_AGENTS]) {
  throng_world *world = full_empty_world(def);
  throng_error error;
  const throng_agents_def agents = full_agents(FULL_AGENTS);
  require_ok(throng_agents_add(world, &agents, FULL_AGENTS, ids, &error), &error);
  require_ok(throng_world_fill_formation(world, 1, NULL, &error), &error);
  for (int frame = 0; frame < 3; frame++) require_ok(throng_world_step(world, 1.0f / 32.0f, &error), &error);
  return world;
}
