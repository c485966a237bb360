/* snapshot_groups.c: the groups of a snapshot. SPDX-License-Identifier: MIT */
#include <string.h>

#include "groups/group_fields.h"
#include "groups/group_internal.h"
#include "record/snapshot_parts.h"

static void code_target(struct archive *archive, throng_target *target) {
  ARCHIVE_ENUM(archive, throng_target_kind, target->kind);
  throng_archive_float(archive, &target->point.x);
  throng_archive_float(archive, &target->point.y);
  throng_archive_float(archive, &target->point.z);
  throng_archive_u32(archive, &target->agent.index);
  throng_archive_u16(archive, &target->agent.generation);
  throng_archive_u16(archive, &target->agent.world);
}

/* Describes a parameter of `object`, which is a behaviour or a group's definition, with all bits. */
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

static void code_group(struct archive *archive, throng_group_def *d) {
  for (const throng_parameter *p = throng_group_fields; p->name; p++) code_parameter(archive, d, p);
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
    for (int which = 0; which < 2; which++) { /* the target agent may have been removed since the group was set */
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
    groups->room = g + 1;
    groups->columns |= throng_groups_columns(&def);
    groups->contact = groups->contact || def.contact > 0.0f;
    groups->reciprocal = groups->reciprocal || group_reads_courses(&def);
  }
  return groups->defined[0] ? THRONG_OK : throng_archive_malformed("group", 0, error);
}

void throng_snapshot_put_groups(const struct snapshot_groups *groups, throng_world *world) {
  struct archive sections = groups->sections, body;
  memset(world->group, 0, world->group_room * sizeof *world->group);
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    if (!throng_archive_next(&sections, TAG_GROUP, g, &body)) continue;
    world->group[g] = throng_default_group_def();
    code_group(&body, &world->group[g]);
    throng_groups_clear_signs(&world->group[g]);
  }
}
