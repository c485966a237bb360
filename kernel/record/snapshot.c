/* snapshot.c: saves and loads snapshots; docs/FORMATS.md has their format. A load first reads and checks everything,
 * and allocates the memory that the world lacks. Only then it changes the world. If a check fails, the load releases
 * the objects that it made.
 * SPDX-License-Identifier: MIT */
#include "agents/room.h"
#include "frame/commit.h"
#include "groups/group_internal.h"
#include "record/recording_internal.h"
#include "record/snapshot_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/float_environment.h"

static const uint8_t magic[8] = {'t', 'h', 'r', 'o', 'n', 'g', 's', 'n'};
#define FORMAT 3u
#define HEADER_BYTES 20u
#define CHECKSUM_BYTES 8u

/* Saving. */

static void write_definition(struct archive *archive, const throng_world *world) {
  throng_snapshot_write_definition(archive, world);
  throng_snapshot_write_groups(archive, world);
  throng_snapshot_write_objects(archive, world);
}

/* A function that writes the sections of a world's agents. */
typedef void agents_writer(struct archive *archive, const throng_world *world);

static void write_world(struct archive *archive, const throng_world *world, agents_writer *write_agents,
                        uint64_t size) {
  uint8_t letters[sizeof magic];
  uint32_t format = FORMAT;
  memcpy(letters, magic, sizeof magic);
  throng_archive_bytes(archive, letters, sizeof letters);
  throng_archive_u32(archive, &format);
  throng_archive_u64(archive, &size);
  write_definition(archive, world);
  write_agents(archive, world);
  uint64_t checksum = archive->mode == ARCHIVE_WRITE ? throng_archive_checksum(archive->out, archive->at) : 0;
  throng_archive_u64(archive, &checksum);
}

static throng_status write_snapshot(const throng_world *world, agents_writer *write_agents, void *bytes,
                                    size_t capacity, size_t *size, throng_error *error) {
  struct archive measure = {.mode = ARCHIVE_MEASURE};
  write_world(&measure, world, write_agents, 0);
  *size = measure.at;
  if (!bytes) return THRONG_OK;
  if (capacity < measure.at) {
    return throng_fail(error, THRONG_ERROR_CAPACITY, "bytes has room for %zu, the snapshot needs %zu", capacity,
                       measure.at);
  }
  struct archive archive = {.mode = ARCHIVE_WRITE, .out = bytes, .size = measure.at};
  write_world(&archive, world, write_agents, measure.at);
  ASSERT(world, !archive.failed && archive.at == measure.at);
  return THRONG_OK;
}

static OUT_OF_LINE throng_status save_inner(const throng_world *world, void *bytes, size_t capacity, size_t *size,
                                            throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(size, error);
  TRY(world_refuse_ghosts(world, "a snapshot", error));
  if (world_has_changed(world)) {
    return throng_fail(error, THRONG_ERROR_NOT_INDEXED,
                       "agents changed since the last step: throng_world_index before throng_world_save_snapshot");
  }
  return write_snapshot(world, throng_snapshot_write_agents, bytes, capacity, size, error);
}

throng_status throng_world_save_snapshot(const throng_world *world, void *bytes, size_t capacity, size_t *size,
                                         throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, save_inner(world, bytes, capacity, size, error));
}

throng_status throng_piece_save_definition(const throng_world *world, void *bytes, size_t capacity, size_t *size,
                                           throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(size, error);
  return write_snapshot(world, throng_snapshot_write_no_agents, bytes, capacity, size, error);
}

/* Loading. */

/* Checks that the bytes are a complete, unchanged snapshot. `file` becomes the part between header and checksum. */
static throng_status open_file(const uint8_t *bytes, size_t size, struct archive *file, throng_error *error) {
  if (size < HEADER_BYTES + CHECKSUM_BYTES || memcmp(bytes, magic, sizeof magic) != 0) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "these %zu bytes are not a snapshot, or only its beginning",
                       size);
  }
  const uint32_t format = archive_get_u32(bytes + 8);
  if (format != FORMAT) {
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "version %u, this library reads version %u", format, FORMAT);
  }
  const uint64_t whole = archive_get_u64(bytes + 12);
  if (whole != size) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "there are %zu bytes, but %llu were saved", size,
                       (unsigned long long)whole);
  }
  const uint64_t said = archive_get_u64(bytes + size - CHECKSUM_BYTES),
                 is = throng_archive_checksum(bytes, size - CHECKSUM_BYTES);
  if (said != is) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "the checksum says %016llx, but these bytes have %016llx",
                       (unsigned long long)said, (unsigned long long)is);
  }
  *file =
      (struct archive){.mode = ARCHIVE_READ, .in = bytes + HEADER_BYTES, .size = size - HEADER_BYTES - CHECKSUM_BYTES};
  return THRONG_OK;
}

/* The parts that a load has read, and the objects that it has made. */
struct load {
  struct snapshot_facts facts;
  struct snapshot_groups groups;
  struct snapshot_objects objects;
  struct snapshot_agents agents;
};

/* Reads and checks everything except the agents' values, and makes the objects. */
static throng_status read_all(struct load *load, struct archive *file, const throng_world *world, throng_error *error) {
  TRY(throng_snapshot_read_definition(file, &load->facts, error));
  TRY(throng_snapshot_check_definition(&load->facts, world, error));
  TRY(throng_snapshot_read_groups(file, world, &load->groups, error));
  TRY(throng_snapshot_read_objects(file, world, &load->objects, error));
  throng_status status = throng_snapshot_read_agents(file, world, &load->agents, error);
  if (status == THRONG_OK && file->at != file->size) {
    status = throng_fail(error, THRONG_ERROR_BAD_VALUE, "there are %zu bytes after the agents", file->size - file->at);
  }
  if (status == THRONG_OK && (load->groups.columns & ~load->agents.columns)) {
    status = throng_fail(error, THRONG_ERROR_BAD_VALUE,
                         "the groups need the columns %016llx (bits), but the agents have %016llx",
                         (unsigned long long)load->groups.columns, (unsigned long long)load->agents.columns);
  }
  if (status != THRONG_OK) throng_snapshot_release_objects(&load->objects, world);
  return status;
}

/* Exchanges the load's objects, box and set of defined groups with the world's, so that the agents' values can be
 * checked against them. A second call undoes the first. */
static void exchange(struct load *load, throng_world *world) {
  bool defined[THRONG_MAX_GROUPS];
  const throng_vec3 low = world->def.box_min, high = world->def.box_max;
  throng_snapshot_exchange_objects(&load->objects, world);
  memcpy(defined, world->group_defined, sizeof defined);
  memcpy(world->group_defined, load->groups.defined, sizeof defined);
  memcpy(load->groups.defined, defined, sizeof defined);
  if (!world->space.box) return;
  world->def.box_min = load->facts.def.box_min;
  world->def.box_max = load->facts.def.box_max;
  load->facts.def.box_min = low;
  load->facts.def.box_max = high;
  throng_space_set_box(&world->space, &world->def);
  throng_cells_fit_box(&world->objects.cells, &world->space);
  throng_cells_fit_box(&world->objects.speed_zones.map, &world->space);
}

/* Allocates memory for the agents, and checks their values against the groups and objects of the snapshot. */
static throng_status try_agents(struct load *load, throng_world *world, throng_error *error) {
  TRY(throng_groups_make_room(world, load->groups.room, error));
  const unsigned arrays = (load->groups.contact ? ARRAYS_CONTACT : 0u) |
                          (speed_zones_exist(&load->objects.all.speed_zones) ? ARRAYS_ZONED_SPEED : 0u) |
                          (load->groups.reciprocal ? ARRAYS_SEEN : 0u);
  TRY(throng_columns_need_arrays(&world->agents, arrays, &world->def.allocator, error));
  TRY(throng_snapshot_make_object_room(&load->objects, world, error));
  TRY(throng_snapshot_make_room(&load->agents, world, error));
  exchange(load, world);
  throng_status status = throng_snapshot_check_agents(&load->agents, world, error);
  if (status != THRONG_OK) exchange(load, world);
  return status;
}

static OUT_OF_LINE throng_status load_inner(throng_world *world, const void *bytes, size_t size, throng_error *error) {
  struct load load = {0};
  struct archive file;
  TRY(open_file(bytes, size, &file, error));
  TRY(world_refuse_ghosts(world, "it loads a snapshot", error));
  TRY(read_all(&load, &file, world, error));
  const unsigned had_arrays = throng_columns_arrays(&world->agents) | ARRAYS_ALWAYS;
  const bool had_strips = world->strips;
  const struct columns had = world->agents.front;
  throng_status status = try_agents(&load, world, error);
  if (status == THRONG_OK) {
    throng_snapshot_put_groups(&load.groups, world);
    throng_snapshot_put_agents(&load.agents, world);
    world->piece.changes++;
    world->frame = load.facts.frame;
    memset(&world->watch.last, 0, sizeof world->watch.last);
    status = throng_commit_index_under(world, &load.agents.torus, error); /* cannot fail: every agent was checked */
  } else {
    throng_columns_drop(&world->agents, &had, &world->def.allocator);
    throng_columns_release_arrays(&world->agents, ~had_arrays, &world->def.allocator);
    if (!had_strips) throng_room_release_strips(world);
  }
  throng_snapshot_release_objects(&load.objects, world);
  throng_objects_release_unused(&world->objects, &world->def.allocator);
  return status;
}

uint64_t throng_piece_hash_definition(const throng_world *world) {
  struct archive measure = {.mode = ARCHIVE_MEASURE};
  if (!world) return 0;
  write_definition(&measure, world);
  uint8_t *bytes = throng_allocate(&world->def.allocator, measure.at);
  if (!bytes) return 0;
  struct archive archive = {.mode = ARCHIVE_WRITE, .out = bytes, .size = measure.at};
  write_definition(&archive, world);
  const uint64_t hash = throng_archive_checksum(bytes, measure.at);
  throng_release(&world->def.allocator, bytes, measure.at);
  return hash;
}

/* Puts "snapshot: " before the text, because other calls have some of these errors too. */
static void name_snapshot(throng_error *error) {
  char text[sizeof error->text];
  if (!error) return;
  memcpy(text, error->text, sizeof text);
  snprintf(error->text, sizeof error->text, "snapshot: %.*s", (int)sizeof text - 11, text);
}

throng_status throng_snapshot_load(throng_world *world, const void *bytes, size_t size, throng_error *error) {
  REQUIRE_POINTER(bytes, error);
  const throng_status status = load_inner(world, bytes, size, error);
  if (status != THRONG_OK) name_snapshot(error);
  return status;
}

throng_status throng_world_load_snapshot(throng_world *world, const void *bytes, size_t size, throng_error *error) {
  RETURN_ALONE(world, error, throng_snapshot_load(world, bytes, size, error));
}

static OUT_OF_LINE throng_status world_def_inner(const void *bytes, size_t size, throng_world_def *def,
                                                 throng_error *error) {
  struct snapshot_facts facts;
  struct archive file;
  TRY(open_file(bytes, size, &file, error));
  TRY(throng_snapshot_read_definition(&file, &facts, error));
  *def = facts.def;
  return THRONG_OK;
}

throng_status throng_snapshot_get_def(const void *bytes, size_t size, throng_world_def *def, throng_error *error) {
  REQUIRE_POINTER(bytes, error);
  REQUIRE_POINTER(def, error);
  const struct float_environment caller = float_environment_enter();
  const throng_status status = world_def_inner(bytes, size, def, error);
  float_environment_leave(caller);
  if (status != THRONG_OK) name_snapshot(error);
  return status;
}
