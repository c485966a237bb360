/* objects.c: sets cells, scenery, guides and callbacks, and reads them.
 * SPDX-License-Identifier: MIT */
#include "world/objects.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "agents/lookup.h"
#include "agents/values.h"
#include "base/assertion.h"
#include "base/float_environment.h"

/* Functions of one kind, with the argument types that struct object_row has. */
#define MAKE_AND_RELEASE(kind)                                                                                         \
  static throng_status object_make_##kind(const struct space *space, const throng_allocator *allocator,                \
                                          const void *def, void *object, throng_error *error) {                        \
    return throng_##kind##_make(space, allocator, def, object, error);                                                 \
  }                                                                                                                    \
  static void object_release_##kind(void *object, const throng_allocator *allocator) {                                 \
    throng_##kind##_release(object, allocator);                                                                        \
  }
#define SHIFT(kind)                                                                                                    \
  static throng_status object_check_shift_##kind(const void *object, const float shift[3], float limit,                \
                                                 throng_error *error) {                                                \
    return throng_##kind##_check_shift(object, shift, limit, error);                                                   \
  }                                                                                                                    \
  static void object_shift_##kind(void *object, const float shift[3]) { throng_##kind##_shift(object, shift); }
MAKE_AND_RELEASE(cells)
MAKE_AND_RELEASE(scenery)
MAKE_AND_RELEASE(flow_field)
MAKE_AND_RELEASE(path)
MAKE_AND_RELEASE(pattern)
MAKE_AND_RELEASE(formation)
MAKE_AND_RELEASE(attractors)
MAKE_AND_RELEASE(speed_zones)
SHIFT(cells)
SHIFT(scenery)
SHIFT(flow_field)
SHIFT(path)
SHIFT(attractors)
SHIFT(speed_zones)

static bool cells_are_set(const void *object) { return ((const struct cells *)object)->blocked; }
static bool scenery_is_set(const void *object) { return ((const struct scenery *)object)->shapes; }
static bool flow_field_is_set(const void *object) { return ((const struct flow_field *)object)->vectors; }
static bool path_is_set(const void *object) { return ((const struct path *)object)->segments; }
static bool pattern_is_set(const void *object) { return ((const struct pattern *)object)->count; }
static bool formation_is_set(const void *object) { return ((const struct formation *)object)->places; }
static bool attractors_are_set(const void *object) { return ((const struct attractors *)object)->count; }
static bool speed_zones_are_set(const void *object) { return speed_zones_exist(object); }

static bool cells_block(const void *object, struct vec p) {
  return throng_cells_is_blocked(object, (float)p.x, (float)p.z);
}
static bool scenery_blocks(const void *object, struct vec p) { return !throng_scenery_is_free(object, p, 0.0); }

#define PLACE(member) sizeof((struct objects *)0)->member, offsetof(struct objects, member)
#define LIST(member) sizeof *((struct objects *)0)->member, offsetof(struct objects, member)
#define MADE(kind) .make = object_make_##kind, .release = object_release_##kind
#define SHIFTED(kind) .check_shift = object_check_shift_##kind, .shift = object_shift_##kind
const struct object_row throng_object_rows[OBJECT_KINDS] = {
    [OBJECT_CELLS] = {"cells", 1, PLACE(cells), cells_are_set, MADE(cells), SHIFTED(cells), .blocks = cells_block,
                      .inside = "in a blocked cell"},
    [OBJECT_SCENERY] = {"scenery", 1, PLACE(scenery), scenery_is_set, MADE(scenery), SHIFTED(scenery),
                        .blocks = scenery_blocks, .inside = "inside scenery"},
    [OBJECT_FLOW_FIELD] = {"flow field", THRONG_MAX_FLOW_FIELDS, LIST(flow_field), flow_field_is_set, MADE(flow_field),
                           SHIFTED(flow_field)},
    [OBJECT_PATH] = {"path", THRONG_MAX_PATHS, LIST(path), path_is_set, MADE(path), SHIFTED(path)},
    [OBJECT_PATTERN] = {"pattern", THRONG_MAX_PATTERNS, LIST(pattern), pattern_is_set, MADE(pattern)},
    [OBJECT_FORMATION] = {"formation", THRONG_MAX_FORMATIONS, LIST(formation), formation_is_set, MADE(formation)},
    [OBJECT_ATTRACTORS] = {"attractors", 1, PLACE(attractors), attractors_are_set, MADE(attractors),
                           SHIFTED(attractors)},
    [OBJECT_SPEED_ZONES] = {"speed zones", 1, PLACE(speed_zones), speed_zones_are_set, MADE(speed_zones),
                            SHIFTED(speed_zones)},
};

/* The list of every kind that has no object. */
static const union {
  struct flow_field flow_field[THRONG_MAX_FLOW_FIELDS];
  struct path path[THRONG_MAX_PATHS];
  struct pattern pattern[THRONG_MAX_PATTERNS];
  struct formation formation[THRONG_MAX_FORMATIONS];
} none;

static size_t list_bytes(const struct object_row *row) { return row->count * row->size; }

/* The pointer to a kind's list in struct objects. Its type depends on the kind. */
static const void *list_of(const struct objects *objects, const struct object_row *row) {
  const void *list;
  memcpy(&list, (const char *)objects + row->offset, sizeof list);
  return list;
}
static void set_list(struct objects *objects, const struct object_row *row, const void *list) {
  memcpy((char *)objects + row->offset, &list, sizeof list);
}

void throng_objects_init(struct objects *objects) {
  memset(objects, 0, sizeof *objects);
  objects->flow_field = none.flow_field;
  objects->path = none.path;
  objects->pattern = none.pattern;
  objects->formation = none.formation;
}

const void *throng_objects_at(const struct objects *objects, enum object_kind kind, uint32_t index) {
  const struct object_row *row = &throng_object_rows[kind];
  ASSERT_ALONE(index < row->count);
  if (row->count == 1) return (const char *)objects + row->offset;
  return (const char *)list_of(objects, row) + row->size * index;
}

bool throng_objects_have_room(const struct objects *objects, enum object_kind kind) {
  const struct object_row *row = &throng_object_rows[kind];
  return row->count == 1 || list_of(objects, row) != &none;
}

throng_status throng_objects_make_room(struct objects *objects, enum object_kind kind,
                                       const throng_allocator *allocator, throng_error *error) {
  const struct object_row *row = &throng_object_rows[kind];
  if (throng_objects_have_room(objects, kind)) return THRONG_OK;
  void *list = throng_allocate(allocator, list_bytes(row));
  if (!list) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a %s", row->name);
  set_list(objects, row, list);
  return THRONG_OK;
}

static bool has_any(const struct objects *objects, enum object_kind kind) {
  const struct object_row *row = &throng_object_rows[kind];
  for (uint32_t index = 0; index < row->count; index++) {
    if (row->is_set(throng_objects_at(objects, kind, index))) return true;
  }
  return false;
}

void throng_objects_release_unused(struct objects *objects, const throng_allocator *allocator) {
  for (enum object_kind kind = 0; kind < OBJECT_KINDS; kind++) {
    const struct object_row *row = &throng_object_rows[kind];
    if (row->count == 1 || list_of(objects, row) == &none || has_any(objects, kind)) continue;
    throng_release(allocator, (void *)(uintptr_t)list_of(objects, row), list_bytes(row));
    set_list(objects, row, &none);
  }
}

void throng_objects_release(struct objects *objects, const throng_allocator *allocator) {
  FOR_EACH_OBJECT(kind, index) {
    const struct object_row *row = &throng_object_rows[kind];
    void *object = object_to_change(objects, kind, index);
    if (!row->is_set(object)) continue;
    row->release(object, allocator);
    memset(object, 0, row->size);
  }
  throng_objects_release_unused(objects, allocator);
}

/* Setting. */

/* Memory for an object of any kind. */
union object {
  struct cells cells;
  struct scenery scenery;
  struct flow_field flow_field;
  struct path path;
  struct pattern pattern;
  struct formation formation;
  struct attractors attractors;
  struct speed_zones speed_zones;
};

static throng_status check_index(uint32_t index, uint32_t count, throng_error *error) {
  if (index < count) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "index is %u, allowed: 0 to %u", index, count - 1);
}

/* Checks that no agent is at a position that the object blocks. The error names the agent with the smallest id
 * index. */
static throng_status check_agents(const throng_world *world, const struct object_row *row, const void *object,
                                  throng_error *error) {
  uint32_t bad = 0;
  for (uint32_t slot = 0; slot < world->agents.count; slot++) {
    const uint32_t id = world->agents.front.id[slot];
    if (bad != 0 && bad < id) continue;
    if (row->blocks(object, agent_position(world, slot))) bad = id;
  }
  if (bad == 0) return THRONG_OK;
  const throng_agent_id id = throng_lookup_id_of(world, bad);
  return throng_fail_agent(error, THRONG_ERROR_BLOCKED, id, "agent %u is %s", bad, row->inside);
}

static throng_status make_object(const throng_world *world, const struct object_row *row, const void *def, void *object,
                                 throng_error *error) {
  ASSERT(world, def && object);
  const throng_allocator *allocator = &world->def.allocator;
  TRY(row->make(&world->space, allocator, def, object, error));
  if (!row->blocks || !row->is_set(object)) return THRONG_OK;
  const throng_status status = check_agents(world, row, object, error);
  if (status != THRONG_OK) row->release(object, allocator);
  return status;
}

/* Sets or replaces an object. `def` is a definition of this kind; NULL removes the object. */
static OUT_OF_LINE throng_status set_object(throng_world *world, enum object_kind kind, uint32_t index, const void *def,
                                            throng_error *error) {
  const struct object_row *row = &throng_object_rows[kind];
  TRY(check_index(index, row->count, error));
  union object made;
  ASSERT(world, row->size <= sizeof made);
  memset(&made, 0, sizeof made);
  if (def) TRY(make_object(world, row, def, &made, error));
  const throng_allocator *allocator = &world->def.allocator;
  const throng_status status = def ? throng_objects_make_room(&world->objects, kind, allocator, error) : THRONG_OK;
  if (status != THRONG_OK) {
    row->release(&made, allocator);
    return status;
  }
  void *object = object_to_change(&world->objects, kind, index);
  if (!def && !row->is_set(object)) return THRONG_OK;
  row->release(object, allocator);
  memcpy(object, &made, row->size);
  world->piece.changes++;
  if (!def) throng_objects_release_unused(&world->objects, allocator);
  return THRONG_OK;
}

throng_status throng_world_set_cells(throng_world *world, const throng_cells_def *def, throng_error *error) {
  RETURN_ALONE(world, error, set_object(world, OBJECT_CELLS, 0, def, error));
}
throng_status throng_world_set_scenery(throng_world *world, const throng_scenery_def *def, throng_error *error) {
  RETURN_ALONE(world, error, set_object(world, OBJECT_SCENERY, 0, def, error));
}
throng_status throng_world_set_flow_field(throng_world *world, uint32_t index, const throng_flow_field_def *def,
                                          throng_error *error) {
  RETURN_ALONE(world, error, set_object(world, OBJECT_FLOW_FIELD, index, def, error));
}
throng_status throng_world_set_path(throng_world *world, uint32_t index, const throng_path_def *def,
                                    throng_error *error) {
  RETURN_ALONE(world, error, set_object(world, OBJECT_PATH, index, def, error));
}
throng_status throng_world_set_pattern(throng_world *world, uint32_t index, const throng_pattern_def *def,
                                       throng_error *error) {
  RETURN_ALONE(world, error, set_object(world, OBJECT_PATTERN, index, def, error));
}
throng_status throng_world_set_formation(throng_world *world, uint32_t index, const throng_formation_def *def,
                                         throng_error *error) {
  RETURN_ALONE(world, error, set_object(world, OBJECT_FORMATION, index, def, error));
}
throng_status throng_world_set_attractors(throng_world *world, const throng_attractors_def *def, throng_error *error) {
  RETURN_ALONE(world, error, set_object(world, OBJECT_ATTRACTORS, 0, def, error));
}

/* Sets the zones, and creates the array that frames with zones write. */
static throng_status set_speed_zones(throng_world *world, const throng_speed_zones_def *def, throng_error *error) {
  const bool had = world->agents.zoned_speed;
  if (def) TRY(throng_columns_need_arrays(&world->agents, ARRAYS_ZONED_SPEED, &world->def.allocator, error));
  const throng_status status = set_object(world, OBJECT_SPEED_ZONES, 0, def, error);
  if (status != THRONG_OK && !had)
    throng_columns_release_arrays(&world->agents, ARRAYS_ZONED_SPEED, &world->def.allocator);
  return status;
}
throng_status throng_world_set_speed_zones(throng_world *world, const throng_speed_zones_def *def,
                                           throng_error *error) {
  RETURN_ALONE(world, error, set_speed_zones(world, def, error));
}

static throng_status set_callback(throng_world *world, uint32_t index, throng_callback *callback, void *context,
                                  throng_error *error) {
  TRY(check_index(index, THRONG_MAX_CALLBACKS, error));
  world->callbacks.call[index] = callback;
  world->callbacks.context[index] = context;
  return THRONG_OK;
}

throng_status throng_world_set_callback(throng_world *world, uint32_t index, throng_callback *callback, void *context,
                                        throng_error *error) {
  RETURN_ALONE(world, error, set_callback(world, index, callback, context, error));
}

/* The shift of origin. */

/* Puts the name of the object before the text of its error. */
static throng_status name_object(const struct object_row *row, uint32_t index, const throng_error *of_object,
                                 throng_error *error) {
  if (row->count == 1) return throng_fail(error, of_object->status, "%s: %.150s", row->name, of_object->text);
  return throng_fail(error, of_object->status, "%s %u: %.150s", row->name, index, of_object->text);
}

throng_status throng_objects_check_shift(const throng_world *world, const float shift[3], throng_error *error) {
  FOR_EACH_OBJECT(kind, index) {
    const struct object_row *row = &throng_object_rows[kind];
    const void *object = throng_objects_at(&world->objects, kind, index);
    throng_error of_object;
    if (!row->check_shift || !row->is_set(object)) continue;
    if (row->check_shift(object, shift, world->space.limit, &of_object) == THRONG_OK) continue;
    return name_object(row, index, &of_object, error);
  }
  return THRONG_OK;
}

void throng_objects_shift(struct objects *objects, const float shift[3]) {
  FOR_EACH_OBJECT(kind, index) {
    const struct object_row *row = &throng_object_rows[kind];
    void *object = object_to_change(objects, kind, index);
    if (row->shift && row->is_set(object)) row->shift(object, shift);
  }
}

/* Reading. */

static OUT_OF_LINE bool is_free_inner(const throng_world *world, throng_vec3 point, float radius) {
  if (!world || !(radius >= 0.0f && radius <= FLT_MAX)) return false;
  point = axes_take_point(world->space.axes, point);
  radius = axes_take_length(world->space.axes, radius);
  if (!world->space.spatial) point.y = 0.0f;
  if (throng_value_check(world, THRONG_COLUMN_POSITION, &point, 0, NULL) != THRONG_OK) return false;
  float held[3] = {point.x, point.y, point.z};
  space_hold(&world->space, held);
  const struct vec p = {(double)held[0], (double)held[1], (double)held[2]};
  return throng_cells_is_free(&world->objects.cells, held[0], held[2], radius) &&
         throng_scenery_is_free(&world->objects.scenery, p, (double)radius);
}
bool throng_world_is_free(const throng_world *world, throng_vec3 point, float radius) {
  RETURN_IN_FLOAT_ENVIRONMENT(bool, is_free_inner(world, point, radius));
}

static OUT_OF_LINE throng_status sample_inner(const throng_world *world, uint32_t index, throng_vec3 point,
                                              throng_vec3 *vector, throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(vector, error);
  TRY(check_index(index, THRONG_MAX_FLOW_FIELDS, error));
  const struct flow_field *field = &world->objects.flow_field[index];
  if (!field->vectors) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "index is %u, but there is no such flow field", index);
  }
  const throng_axes *axes = world->space.axes;
  point = axes_take_point(axes, point);
  if (!isfinite(point.x) || !isfinite(point.z)) {
    const throng_vec3 host = axes_show(axes, point.x, point.y, point.z);
    return throng_fail(error, THRONG_ERROR_NOT_FINITE, "point is (%g, %g, %g), must be finite", (double)host.x,
                       (double)host.y, (double)host.z);
  }
  *vector = axes_give_direction(axes, throng_flow_field_sample(field, point.x, point.z));
  return THRONG_OK;
}
throng_status throng_world_sample_flow_field(const throng_world *world, uint32_t index, throng_vec3 point,
                                             throng_vec3 *vector, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, sample_inner(world, index, point, vector, error));
}

static OUT_OF_LINE throng_status compute_inner(const throng_world *world, const throng_flow_request *request,
                                               const throng_allocator *allocator, throng_error *error) {
  REQUIRE_POINTER(world, error);
  return throng_flow_field_compute_in(&world->space, world->space.axes, request, allocator, error);
}
throng_status throng_world_compute_flow_field(const throng_world *world, const throng_cells_def *cells,
                                              const throng_flow_goal *goals, uint32_t goal_count, float *vectors,
                                              float *distance, const throng_allocator *allocator, throng_error *error) {
  const throng_flow_request request = {cells, goals, goal_count, vectors, distance};
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, compute_inner(world, &request, allocator, error));
}

static OUT_OF_LINE throng_status compute_fields_inner(const throng_world *world, const throng_flow_request *requests,
                                                      uint32_t request_count, const throng_allocator *allocator,
                                                      throng_error *error) {
  return throng_flow_field_compute_batch(&world->space, &world->executor, requests, request_count, allocator, error);
}
throng_status throng_world_compute_flow_fields(throng_world *world, const throng_flow_request *requests,
                                               uint32_t request_count, const throng_allocator *allocator,
                                               throng_error *error) {
  RETURN_ALONE(world, error, compute_fields_inner(world, requests, request_count, allocator, error));
}

static OUT_OF_LINE float path_length_inner(const throng_world *world, uint32_t index) {
  if (!world || index >= THRONG_MAX_PATHS) return 0.0f;
  return axes_give_length(world->space.axes, world->objects.path[index].length);
}
float throng_world_path_length(const throng_world *world, uint32_t index) {
  RETURN_IN_FLOAT_ENVIRONMENT(float, path_length_inner(world, index));
}
uint32_t throng_world_pattern_instruction_count(const throng_world *world, uint32_t index) {
  return world && index < THRONG_MAX_PATTERNS ? world->objects.pattern[index].count : 0;
}
uint32_t throng_world_formation_place_count(const throng_world *world, uint32_t index) {
  return world && index < THRONG_MAX_FORMATIONS ? world->objects.formation[index].places : 0;
}
uint32_t throng_world_attractor_count(const throng_world *world) { return world ? world->objects.attractors.count : 0; }
uint32_t throng_world_speed_zone_count(const throng_world *world) {
  return world ? world->objects.speed_zones.count : 0;
}

static OUT_OF_LINE throng_status zone_costs_inner(const throng_world *world, const throng_cells_def *cells,
                                                  uint32_t layers, float *cost, throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(cells, error);
  REQUIRE_POINTER(cost, error);
  return throng_speed_zones_costs(&world->objects.speed_zones, &world->space, cells, layers, cost, error);
}
throng_status throng_world_compute_zone_costs(const throng_world *world, const throng_cells_def *cells, uint32_t layers,
                                              float *cost, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, zone_costs_inner(world, cells, layers, cost, error));
}
