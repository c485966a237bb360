/* presets.c: definitions of groups that look right without tuning. All their numbers are here.
 * SPDX-License-Identifier: MIT */
#include <math.h>

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
  def.separation.weight = 0.5f;
  def.separation.radius = 0.8f;
  def.separation.strength = 0.5f;
  def.cohesion.weight = def.alignment.weight = 0.0f;
  def.avoidance.weight = 1.0f;
  def.avoidance.horizon = 1.5f;
  def.pace.on = true;
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
