/* snapshot_groups.c: the groups of a snapshot. SPDX-License-Identifier: MIT */
#include <string.h>

#include "record/snapshot_parts.h"
#include "groups/group.h"

static void code_target(struct archive *archive, throng_target *target) {
  ARCHIVE_ENUM(archive, throng_target_kind, target->kind);
  throng_archive_float(archive, &target->point.x);
  throng_archive_float(archive, &target->point.y);
  throng_archive_float(archive, &target->point.z);
  throng_archive_u32(archive, &target->agent.index);
  throng_archive_u16(archive, &target->agent.generation);
  throng_archive_u16(archive, &target->agent.world);
}

/* A parameter of `object`, a behaviour or a group's definition, with all its bits. */
static void code_parameter(struct archive *archive, void *object, const throng_parameter *parameter) {
  void *at = (char *)object + parameter->offset;
  switch (parameter->type) {
  case THRONG_PARAMETER_FLOAT:
    throng_archive_float(archive, at);
    break;
  case THRONG_PARAMETER_BOOL:
    throng_archive_bool(archive, at);
    break;
  default:
    throng_archive_u32(archive, at);
    break;
  }
}

static void code_behaviour(struct archive *archive, throng_behaviour *behaviour) {
  ARCHIVE_ENUM(archive, throng_behaviour_kind, behaviour->kind);
  throng_archive_float(archive, &behaviour->weight);
  throng_archive_u32(archive, &behaviour->priority);
  code_target(archive, &behaviour->target);
  code_target(archive, &behaviour->other);
  throng_parameter parameter;
  for (uint32_t k = 0; throng_behaviour_get_parameter(behaviour->kind, k, &parameter); k++) {
    code_parameter(archive, behaviour, &parameter);
  }
}

/* What an agent can do. */
static void code_limits(struct archive *archive, throng_group_def *d) {
  float *const values[] = {&d->max_speed,
                           &d->max_acceleration,
                           &d->drag,
                           &d->body_radius,
                           &d->mass,
                           &d->contact,
                           &d->perception_radius,
                           &d->field_of_view,
                           &d->facing_time,
                           &d->facing_speed,
                           &d->max_yaw_rate,
                           &d->max_yaw_acceleration,
                           &d->angular_drag,
                           &d->vehicle.max_thrust,
                           &d->vehicle.max_brake,
                           &d->vehicle.max_lateral,
                           &d->vehicle.turning_radius};
  for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) throng_archive_float(archive, values[k]);
  ARCHIVE_ENUM(archive, throng_facing, d->facing);
  ARCHIVE_ENUM(archive, throng_actuation, d->actuation);
  throng_archive_u32(archive, &d->layer);
}

/* The rules over neighbours. */
static void code_rules(struct archive *archive, throng_group_def *d) {
  float *const values[] = {&d->separation.weight,
                           &d->separation.radius,
                           &d->separation.strength,
                           &d->separation.field_of_view,
                           &d->cohesion.weight,
                           &d->cohesion.slow_radius,
                           &d->cohesion.target_radius,
                           &d->cohesion.time_to_target,
                           &d->alignment.weight,
                           &d->alignment.time_to_target,
                           &d->avoidance.weight,
                           &d->avoidance.horizon,
                           &d->avoidance.cone,
                           &d->attraction.weight,
                           &d->attraction.radius,
                           &d->attraction.strength,
                           &d->queue.width,
                           &d->queue.gap,
                           &d->queue.time_to_target,
                           &d->queue.oncoming};
  uint32_t *const numbers[] = {&d->separation.mask, &d->separation.priority, &d->cohesion.mask,  &d->cohesion.priority,
                               &d->alignment.mask,  &d->alignment.priority,  &d->avoidance.mask, &d->avoidance.priority,
                               &d->attraction.mask, &d->attraction.priority, &d->queue.mask};
  for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) throng_archive_float(archive, values[k]);
  for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) throng_archive_u32(archive, numbers[k]);
  ARCHIVE_ENUM(archive, throng_cohesion_form, d->cohesion.form);
  ARCHIVE_ENUM(archive, throng_alignment_form, d->alignment.form);
  ARCHIVE_ENUM(archive, throng_avoidance_form, d->avoidance.form);
  throng_archive_bool(archive, &d->separation.nearest_only);
}

static void code_group(struct archive *archive, throng_group_def *d) {
  code_limits(archive, d);
  code_rules(archive, d);
  ARCHIVE_ENUM(archive, throng_combine, d->combine);
  throng_archive_float(archive, &d->combine_threshold);
  throng_archive_floats(archive, d->combine_chance, THRONG_PRIORITIES);
  throng_archive_u32(archive, &d->behaviour_count);
  for (uint32_t k = 0; k < d->behaviour_count && k < THRONG_MAX_BEHAVIOURS; k++) {
    code_behaviour(archive, &d->behaviour[k]);
  }
}

void throng_snapshot_write_groups(struct archive *archive, const throng_world *world) {
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    if (!world->group_defined[g]) continue;
    throng_group_def def = world->group[g];
    const size_t begun = throng_archive_begin(archive, TAG_GROUP, g);
    code_group(archive, &def);
    throng_archive_end(archive, begun);
  }
}

static throng_status check_group(const throng_world *world, uint32_t g, const throng_group_def *def,
                                 throng_error *error) {
  throng_group_def bound = *def;
  for (uint32_t k = 0; k < bound.behaviour_count && k < THRONG_MAX_BEHAVIOURS; k++) {
    throng_target *const target[2] = {&bound.behaviour[k].target, &bound.behaviour[k].other};
    for (int which = 0; which < 2; which++) { /* who was aimed at may have been removed since */
      if (target[which]->kind == THRONG_TARGET_AGENT) target[which]->kind = THRONG_TARGET_GOAL;
    }
  }
  return throng_groups_check(world, g, &bound, error);
}

throng_status throng_snapshot_read_groups(struct archive *file, const throng_world *world,
                                          struct snapshot_groups *groups, throng_error *error) {
  groups->sections = *file;
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    struct archive body;
    if (!throng_archive_next(file, TAG_GROUP, g, &body)) continue;
    throng_group_def def = throng_default_group_def();
    code_group(&body, &def);
    if (!throng_archive_complete(&body)) return throng_archive_malformed("group", g, error);
    TRY(check_group(world, g, &def, error));
    groups->defined[g] = true;
    groups->columns |= throng_groups_columns(&def);
    groups->contact = groups->contact || def.contact > 0.0f;
  }
  return groups->defined[0] ? THRONG_OK : throng_archive_malformed("group", 0, error);
}

void throng_snapshot_put_groups(const struct snapshot_groups *groups, throng_world *world) {
  struct archive sections = groups->sections, body;
  memset(world->group, 0, sizeof world->group);
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    if (!throng_archive_next(&sections, TAG_GROUP, g, &body)) continue;
    world->group[g] = throng_default_group_def();
    code_group(&body, &world->group[g]);
  }
}
