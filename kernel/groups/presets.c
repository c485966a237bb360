/* presets.c: definitions of groups that look right without tuning. All their numbers are here.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include <throng/group.h>

/* Cruise: wander drives the agents forward by its weight * max_acceleration, and drag brakes them by drag * speed. Both
 * are equal at the cruise speed, which is below max_speed. Cohesion also drives stragglers, which are faster. */
static void cruise_at(throng_group_def *def, float speed, float weight) {
  throng_group_def_add(def, THRONG_BEHAVIOUR_WANDER)->weight = weight;
  def->drag = weight * def->max_acceleration / speed;
}

throng_group_def throng_flock_group_def(void) {
  throng_group_def def = throng_default_group_def();
  def.max_speed = 10.0f;
  def.max_acceleration = 12.0f;
  def.field_of_view = 5.24f;
  def.separation.weight = 1.5f;
  def.separation.radius = 1.0f;
  def.separation.strength = 3.0f;
  def.cohesion.form = THRONG_COHESION_SEEK;
  def.cohesion.weight = 0.25f;
  def.alignment.time_to_target = 0.3f;
  cruise_at(&def, 6.0f, 0.2f);
  return def;
}

throng_group_def throng_school_group_def(void) {
  throng_group_def def = throng_default_group_def();
  def.max_speed = 4.0f;
  def.max_acceleration = 6.0f;
  def.field_of_view = THRONG_VIEW_WIDE;
  def.separation.weight = 1.6f;
  def.separation.radius = 1.0f;
  def.separation.strength = 0.25f;
  def.cohesion.form = THRONG_COHESION_SEEK;
  def.cohesion.weight = 0.25f;
  def.alignment.time_to_target = 0.3f;
  cruise_at(&def, 2.0f, 0.2f);
  return def;
}

/* The pace and the distances of people, fitted to recordings: docs/PEDESTRIANS.md, "Which model when". */
static void walk_as_people(throng_pace *pace) {
  static const float density[] = {0.28f, 0.46f, 0.64f, 1.24f, 1.61f, 1.98f, 2.39f, 2.85f, 3.31f, 3.86f};
  static const float factor[] = {1.0f, 0.97f, 0.83f, 0.54f, 0.43f, 0.39f, 0.36f, 0.27f, 0.2f, 0.15f};
  pace->on = true;
  pace->points = sizeof density / sizeof *density;
  memcpy(pace->density, density, sizeof density);
  memcpy(pace->factor, factor, sizeof factor);
  pace->radius = 1.4f;
  pace->self = 0.16f;
  pace->oncoming = 0.05f;
  pace->oncoming_weight = 0.55f;
  pace->time_to_target = 0.45f;
  pace->time_gap = 0.35f;
  pace->gap = 0.1f;
  pace->alike = 0.95f;
  pace->push = 0.08f;
}

throng_group_def throng_walkers_group_def(void) {
  throng_group_def def = throng_default_group_def();
  def.max_speed = 1.34f;
  def.max_acceleration = 4.0f;
  def.body_radius = 0.2f;
  def.contact = 1.0f;
  def.field_of_view = THRONG_VIEW_WIDE;
  def.facing = THRONG_FACING_SMOOTH;
  def.facing_time = 0.2f;
  def.facing_speed = 0.1f;
  def.separation.weight = 0.4f;
  def.separation.radius = 1.2f;
  def.separation.strength = 0.42f;
  def.cohesion.weight = def.alignment.weight = 0.0f;
  def.avoidance.weight = 0.35f;
  def.avoidance.horizon = 2.0f;
  def.avoidance.urgency = 0.5f;
  walk_as_people(&def.pace);
  throng_arrive *arrive = &throng_group_def_add(&def, THRONG_BEHAVIOUR_ARRIVE)->arrive;
  arrive->slow_radius = 1.0f;
  arrive->time_to_target = 0.5f;
  arrive->settle = true;
  return def;
}

throng_group_def throng_vehicles_group_def(void) {
  throng_group_def def = throng_default_group_def();
  def.max_speed = 14.0f;
  def.max_acceleration = 8.0f;
  def.body_radius = 1.0f;
  def.mass = 1200.0f;
  def.max_yaw_rate = 1.5f;
  def.actuation = THRONG_ACTUATION_VEHICLE;
  def.vehicle = (throng_vehicle){.max_thrust = 3.0f, .max_brake = 8.0f, .max_lateral = 5.0f, .turning_radius = 6.0f};
  def.separation.weight = def.cohesion.weight = def.alignment.weight = 0.0f;
  def.avoidance.weight = 1.0f;
  def.queue.width = 1.5f;
  def.queue.gap = 3.0f;
  def.queue.time_to_target = 2.0f;
  throng_arrive *arrive = &throng_group_def_add(&def, THRONG_BEHAVIOUR_ARRIVE)->arrive;
  arrive->slow_radius = 15.0f;
  arrive->target_radius = 1.0f;
  arrive->time_to_target = 0.5f;
  return def;
}

throng_group_def throng_moved_group_def(void) {
  throng_group_def def = throng_default_group_def();
  def.max_speed = INFINITY;
  def.body_radius = 0.3f;
  def.mass = 1e6f;
  def.contact = 1.0f;
  def.separation.weight = def.cohesion.weight = def.alignment.weight = 0.0f;
  return def;
}
