/* snapshot_definition.c: the parts of a world's definition that influence results. SPDX-License-Identifier: MIT */
#include <string.h>

#include "record/snapshot_parts.h"
#include "world/world_def.h"

static void code_point(struct archive *archive, throng_vec3 *point) {
  throng_archive_float(archive, &point->x);
  throng_archive_float(archive, &point->y);
  throng_archive_float(archive, &point->z);
}

static void code_facts(struct archive *archive, struct snapshot_facts *facts) {
  throng_world_def *def = &facts->def;
  ARCHIVE_ENUM(archive, throng_space, def->space);
  for (int k = 0; k < 3; k++) ARCHIVE_ENUM(archive, throng_boundary, def->boundary[k]);
  code_point(archive, &def->box_min);
  code_point(archive, &def->box_max);
  throng_archive_float(archive, &def->perception_radius);
  ARCHIVE_ENUM(archive, throng_separation_law, def->separation_law);
  ARCHIVE_ENUM(archive, throng_update, def->update);
  throng_archive_u64(archive, &def->seed);
  throng_archive_u16(archive, &def->id_world);
  throng_archive_u32(archive, &def->neighbour_budget);
  throng_archive_u32(archive, &def->contact_iterations);
  throng_archive_bool(archive, &def->sparse_ids);
  throng_archive_u64(archive, &facts->frame);
  throng_archive_u32(archive, &facts->callbacks);
}

static uint32_t callbacks_of(const throng_world *world) {
  uint32_t bits = 0;
  for (uint32_t k = 0; k < THRONG_MAX_CALLBACKS; k++) bits |= (world->callbacks.call[k] ? 1u : 0u) << k;
  return bits;
}

void throng_snapshot_write_definition(struct archive *archive, const throng_world *world) {
  struct snapshot_facts facts = {world->def, world->frame, callbacks_of(world)};
  const size_t begun = throng_archive_begin(archive, TAG_DEFINITION, 0);
  code_facts(archive, &facts);
  throng_archive_end(archive, begun);
}

throng_status throng_snapshot_read_definition(struct archive *file, struct snapshot_facts *facts, throng_error *error) {
  struct archive body;
  facts->def = throng_default_world_def();
  if (!throng_archive_next(file, TAG_DEFINITION, 0, &body)) return throng_archive_malformed("definition", 0, error);
  code_facts(&body, facts);
  if (!throng_archive_complete(&body) || facts->callbacks >> THRONG_MAX_CALLBACKS) {
    return throng_archive_malformed("definition", 0, error);
  }
  throng_world_clear_signs(&facts->def);
  return throng_world_check_def(&facts->def, error);
}

static throng_status check_names(const throng_world_def *a, const throng_world_def *b, throng_error *error) {
  const struct {
    const char *name;
    const char *const *names;
    unsigned a, b;
  } members[] = {{"space", throng_world_spaces, a->space, b->space},
                 {"boundary[0]", throng_world_boundaries, a->boundary[0], b->boundary[0]},
                 {"boundary[1]", throng_world_boundaries, a->space ? a->boundary[1] : 0, a->space ? b->boundary[1] : 0},
                 {"boundary[2]", throng_world_boundaries, a->boundary[2], b->boundary[2]},
                 {"separation_law", throng_world_separation_laws, a->separation_law, b->separation_law},
                 {"update", throng_world_updates, a->update, b->update}};
  for (size_t k = 0; k < sizeof members / sizeof members[0]; k++) {
    if (members[k].a == members[k].b) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.%s is %s, of the world that was saved %s", members[k].name,
                       members[k].names[members[k].b], members[k].names[members[k].a]);
  }
  return THRONG_OK;
}

static throng_status check_numbers(const throng_world_def *a, const throng_world_def *b, throng_error *error) {
  const struct {
    const char *name;
    uint64_t a, b;
  } numbers[] = {{"seed", a->seed, b->seed},
                 {"id_world", a->id_world, b->id_world},
                 {"neighbour_budget", a->neighbour_budget, b->neighbour_budget},
                 {"contact_iterations", a->contact_iterations, b->contact_iterations},
                 {"sparse_ids", a->sparse_ids, b->sparse_ids}};
  for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
    if (numbers[k].a == numbers[k].b) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.%s is %llu, but was %llu in the saved world",
                       numbers[k].name, (unsigned long long)numbers[k].b, (unsigned long long)numbers[k].a);
  }
  return THRONG_OK;
}

/* The faces of a THRONG_BOUNDARY_BOX axis may differ: throng_world_shift_origin moves them, and the load sets them to
 * the saved ones. */
static throng_status check_lengths(const throng_world_def *a, const throng_world_def *b, throng_error *error) {
  const bool periodic[3] = {a->boundary[0] == THRONG_BOUNDARY_PERIODIC,
                            a->boundary[1] == THRONG_BOUNDARY_PERIODIC && a->space == THRONG_SPACE_SPATIAL,
                            a->boundary[2] == THRONG_BOUNDARY_PERIODIC};
  const struct {
    const char *name;
    float a, b;
    bool matters;
  } lengths[] = {{"perception_radius", a->perception_radius, b->perception_radius, true},
                 {"box_min.x", a->box_min.x, b->box_min.x, periodic[0]},
                 {"box_max.x", a->box_max.x, b->box_max.x, periodic[0]},
                 {"box_min.y", a->box_min.y, b->box_min.y, periodic[1]},
                 {"box_max.y", a->box_max.y, b->box_max.y, periodic[1]},
                 {"box_min.z", a->box_min.z, b->box_min.z, periodic[2]},
                 {"box_max.z", a->box_max.z, b->box_max.z, periodic[2]}};
  for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
    if (!lengths[k].matters || lengths[k].a == lengths[k].b) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.%s is %.9g, but was %.9g in the saved world",
                       lengths[k].name, (double)lengths[k].b, (double)lengths[k].a);
  }
  return THRONG_OK;
}

throng_status throng_snapshot_check_definition(const struct snapshot_facts *facts, const throng_world *world,
                                               throng_error *error) {
  TRY(check_names(&facts->def, &world->def, error));
  TRY(check_numbers(&facts->def, &world->def, error));
  TRY(check_lengths(&facts->def, &world->def, error));
  const uint32_t now = callbacks_of(world);
  for (uint32_t k = 0; k < THRONG_MAX_CALLBACKS; k++) {
    if (((facts->callbacks ^ now) >> k & 1u) == 0) continue;
    const bool wanted = facts->callbacks >> k & 1u;
    return throng_fail(
        error, THRONG_ERROR_BAD_VALUE,
        "callback %u is %s, but was %s in the saved world: call throng_world_set_callback before the load", k,
        wanted ? "not set" : "set", wanted ? "set" : "not set");
  }
  return THRONG_OK;
}
