/* snapshot_objects.c: cells, scenery and guides of a snapshot. An object of the world that equals the saved one is
 * kept. To find this out, the world's object is serialised and the bytes are compared.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/assertion.h"
#include "record/snapshot_parts.h"

/* Memory that a definition points to while an object is made from it. */
struct loan {
  const throng_allocator *allocator;
  void *memory;
  size_t size;
};

/* Allocates `count` elements of `element` bytes. First checks that the body has `bytes` for each. */
static throng_status borrow(struct loan *loan, const struct archive *body, uint64_t count, size_t bytes, size_t element,
                            throng_error *error) {
  if (count == 0 || count > (body->size - body->at) / bytes) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "a section states %llu elements, but is too short for them or has none",
                       (unsigned long long)count);
  }
  loan->size = (size_t)count * element;
  loan->memory = throng_allocate(loan->allocator, loan->size);
  if (loan->memory) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory to read %llu elements", (unsigned long long)count);
}

static void give_back(struct loan *loan) { throng_release(loan->allocator, loan->memory, loan->size); }

/* A definition of an object of any kind. */
union definition {
  throng_cells_def cells;
  throng_scenery_def scenery;
  throng_flow_field_def flow_field;
  throng_path_def path;
  throng_pattern_def pattern;
  throng_formation_def formation;
  throng_attractors_def attractors;
  throng_speed_zones_def speed_zones;
};

/* Cells. */

static void code_cells_head(struct archive *archive, throng_cells_def *def) {
  throng_archive_u32(archive, &def->width);
  throng_archive_u32(archive, &def->height);
  throng_archive_float(archive, &def->cell);
  throng_archive_float(archive, &def->origin.x);
  throng_archive_float(archive, &def->origin.z);
}

static void write_cells(struct archive *archive, const void *object) {
  const struct cells *cells = object;
  throng_cells_def def = throng_default_cells_def();
  def.width = cells->width;
  def.height = cells->height;
  def.cell = cells->cell;
  def.origin = (throng_vec3){cells->origin_x, 0.0f, cells->origin_z};
  code_cells_head(archive, &def);
  throng_archive_bytes(archive, cells->blocked, (size_t)cells->width * cells->height);
}

static throng_status read_cells(struct archive *body, struct loan *loan, union definition *read, throng_error *error) {
  throng_cells_def *def = &read->cells;
  (void)loan, (void)error;
  *def = throng_default_cells_def();
  code_cells_head(body, def);
  def->blocked = throng_archive_take(body, (uint64_t)def->width * def->height, 1);
  return THRONG_OK;
}

/* Scenery. */

static void code_shape(struct archive *archive, struct shape *shape) {
  throng_archive_floats(archive, shape->a, 3);
  if (shape->kind == SHAPE_BALL) {
    throng_archive_float(archive, &shape->radius);
  } else {
    throng_archive_floats(archive, shape->b, 3);
  }
}

static void code_counts(struct archive *archive, uint32_t counts[SHAPE_KINDS]) {
  for (int kind = 0; kind < SHAPE_KINDS; kind++) throng_archive_u32(archive, &counts[kind]);
}

static void write_scenery(struct archive *archive, const void *object) {
  const struct scenery *scenery = object;
  uint32_t counts[SHAPE_KINDS];
  memcpy(counts, scenery->given, sizeof counts);
  code_counts(archive, counts);
  for (int kind = 0; kind < SHAPE_KINDS; kind++) {
    for (uint32_t k = 0; k < counts[kind]; k++) {
      struct shape shape = scenery->shape[scenery->first[kind] + k];
      code_shape(archive, &shape);
    }
  }
}

/* The span of an array of points, or of radii, within the shapes. */
static throng_span span_of(const void *first) { return (throng_span){first, sizeof(struct shape)}; }

static throng_scenery_def scenery_def_of(const struct shape *shapes, const uint32_t counts[SHAPE_KINDS]) {
  const struct shape *walls = shapes + counts[SHAPE_BALL], *boxes = walls + counts[SHAPE_WALL],
                     *planes = boxes + counts[SHAPE_BOX];
  throng_scenery_def def = throng_default_scenery_def();
  def.obstacle_count = counts[SHAPE_BALL];
  def.obstacle_centre = span_of(shapes->a);
  def.obstacle_radius = span_of(&shapes->radius);
  def.wall_count = counts[SHAPE_WALL];
  def.wall_from = span_of(walls->a);
  def.wall_to = span_of(walls->b);
  def.box_count = counts[SHAPE_BOX];
  def.box_min = span_of(boxes->a);
  def.box_max = span_of(boxes->b);
  def.plane_count = counts[SHAPE_PLANE];
  def.plane_normal = span_of(planes->a);
  def.plane_point = span_of(planes->b);
  return def;
}

static throng_status read_scenery(struct archive *body, struct loan *loan, union definition *read,
                                  throng_error *error) {
  const size_t least = 4 * sizeof(float); /* bytes of a shape, at least */
  uint32_t counts[SHAPE_KINDS], k = 0;
  code_counts(body, counts);
  const uint64_t sum = (uint64_t)counts[SHAPE_BALL] + counts[SHAPE_WALL] + counts[SHAPE_BOX] + counts[SHAPE_PLANE];
  TRY(borrow(loan, body, sum, least, sizeof(struct shape), error));
  struct shape *shapes = loan->memory;
  for (int kind = 0; kind < SHAPE_KINDS; kind++) {
    for (uint32_t i = 0; i < counts[kind]; i++, k++) {
      shapes[k].kind = (enum shape_kind)kind;
      code_shape(body, &shapes[k]);
    }
  }
  read->scenery = scenery_def_of(shapes, counts);
  return THRONG_OK;
}

/* Restores the saved bits of the planes' normals, because making the planes normalises the normals again and may change
 * them. */
static throng_status restore_normals(const struct loan *loan, void *object, throng_error *error) {
  const struct shape *shapes = loan->memory;
  struct scenery *scenery = object;
  for (uint32_t k = scenery_first_plane(scenery); k < scenery->shapes; k++) {
    const struct vec normal = vec_of(shapes[k].a);
    if (fabs(vec_dot(normal, normal) - 1.0) > 1e-6) return throng_archive_malformed("scenery", 0, error);
    memcpy(scenery->shape[k].a, shapes[k].a, sizeof shapes[k].a);
  }
  return THRONG_OK;
}

/* Flow fields. */

static void code_field_head(struct archive *archive, throng_flow_field_def *def) {
  throng_archive_u32(archive, &def->width);
  throng_archive_u32(archive, &def->height);
  throng_archive_float(archive, &def->cell);
  throng_archive_float(archive, &def->origin.x);
  throng_archive_float(archive, &def->origin.z);
}

static void write_field(struct archive *archive, const void *object) {
  const struct flow_field *field = object;
  throng_flow_field_def def = throng_default_flow_field_def();
  def.width = field->width;
  def.height = field->height;
  def.cell = field->cell;
  def.origin = (throng_vec3){field->origin_x, 0.0f, field->origin_z};
  code_field_head(archive, &def);
  for (uint32_t j = 0; j < field->height; j++) {
    throng_archive_floats(archive, field->vectors + (size_t)field->stride * j, 2 * (size_t)field->width);
  }
}

static throng_status read_field(struct archive *body, struct loan *loan, union definition *read, throng_error *error) {
  throng_flow_field_def *def = &read->flow_field;
  *def = throng_default_flow_field_def();
  code_field_head(body, def);
  const uint64_t cells = (uint64_t)def->width * def->height;
  TRY(borrow(loan, body, cells, 2 * sizeof(float), 2 * sizeof(float), error));
  throng_archive_floats(body, loan->memory, 2 * (size_t)cells);
  def->vectors = loan->memory;
  return THRONG_OK;
}

/* Paths. */

static void write_path(struct archive *archive, const void *object) {
  const struct path *path = object;
  bool closed = path->closed;
  uint32_t count = closed ? path->segments : path->segments + 1;
  throng_archive_u32(archive, &count);
  throng_archive_bool(archive, &closed);
  for (uint32_t k = 0; k < count; k++) throng_archive_floats(archive, path->segment[k].from, 3);
}

static throng_status read_path(struct archive *body, struct loan *loan, union definition *read, throng_error *error) {
  throng_path_def *def = &read->path;
  *def = throng_default_path_def();
  throng_archive_u32(body, &def->count);
  throng_archive_bool(body, &def->closed);
  TRY(borrow(loan, body, def->count, 3 * sizeof(float), 3 * sizeof(float), error));
  throng_archive_floats(body, loan->memory, 3 * (size_t)def->count);
  def->points.data = loan->memory;
  return THRONG_OK;
}

/* Patterns. */

static void code_instruction(struct archive *archive, throng_pattern_instruction *instruction) {
  throng_archive_float(archive, &instruction->right);
  throng_archive_float(archive, &instruction->thrust);
  throng_archive_float(archive, &instruction->heading);
  throng_archive_float(archive, &instruction->distance);
  throng_archive_float(archive, &instruction->cue);
  throng_archive_float(archive, &instruction->turn);
  throng_archive_float(archive, &instruction->step);
  throng_archive_float(archive, &instruction->wait);
}

static void write_pattern(struct archive *archive, const void *object) {
  const struct pattern *pattern = object;
  bool loop = pattern->loop, stands = pattern->stands;
  uint32_t count = pattern->count;
  throng_archive_u32(archive, &count);
  throng_archive_bool(archive, &loop);
  throng_archive_bool(archive, &stands);
  for (uint32_t k = 0; k < count; k++) code_instruction(archive, &pattern->instruction[k]);
}

static throng_status read_pattern(struct archive *body, struct loan *loan, union definition *read,
                                  throng_error *error) {
  throng_pattern_def *def = &read->pattern;
  *def = throng_default_pattern_def();
  throng_archive_u32(body, &def->count);
  throng_archive_bool(body, &def->loop);
  throng_archive_bool(body, &def->stands);
  TRY(borrow(loan, body, def->count, 8 * sizeof(float), sizeof(throng_pattern_instruction), error));
  throng_pattern_instruction *instructions = loan->memory;
  for (uint32_t k = 0; k < def->count; k++) code_instruction(body, &instructions[k]);
  def->instructions = instructions;
  return THRONG_OK;
}

/* Formations. */

static void write_formation(struct archive *archive, const void *object) {
  const struct formation *formation = object;
  uint32_t count = formation->places;
  throng_archive_u32(archive, &count);
  for (uint32_t k = 0; k < count; k++) throng_archive_floats(archive, formation->place + PLACE_FLOATS * k, 3);
}

static throng_status read_formation(struct archive *body, struct loan *loan, union definition *read,
                                    throng_error *error) {
  throng_formation_def *def = &read->formation;
  *def = throng_default_formation_def();
  throng_archive_u32(body, &def->count);
  TRY(borrow(loan, body, def->count, 3 * sizeof(float), 3 * sizeof(float), error));
  throng_archive_floats(body, loan->memory, 3 * (size_t)def->count);
  def->places.data = loan->memory;
  return THRONG_OK;
}

/* Attractors. */

static void code_attractor(struct archive *archive, throng_attractor *attractor) {
  uint32_t law = attractor->law;
  throng_archive_float(archive, &attractor->position.x);
  throng_archive_float(archive, &attractor->position.y);
  throng_archive_float(archive, &attractor->position.z);
  throng_archive_float(archive, &attractor->strength);
  throng_archive_float(archive, &attractor->radius);
  throng_archive_float(archive, &attractor->least_distance);
  throng_archive_u32(archive, &law);
  throng_archive_u32(archive, &attractor->mask);
  attractor->law = (throng_attractor_law)law;
}
#define ATTRACTOR_BYTES 32u

static void write_attractors(struct archive *archive, const void *object) {
  const struct attractors *attractors = object;
  uint32_t count = attractors->count;
  throng_archive_u32(archive, &count);
  for (uint32_t k = 0; k < count; k++) {
    throng_attractor attractor = attractors->list[k];
    code_attractor(archive, &attractor);
  }
}

static throng_status read_attractors(struct archive *body, struct loan *loan, union definition *read,
                                     throng_error *error) {
  throng_attractors_def *def = &read->attractors;
  *def = throng_default_attractors_def();
  throng_archive_u32(body, &def->count);
  TRY(borrow(loan, body, def->count, ATTRACTOR_BYTES, sizeof(throng_attractor), error));
  throng_attractor *attractors = loan->memory;
  for (uint32_t k = 0; k < def->count; k++) code_attractor(body, &attractors[k]);
  def->attractors = attractors;
  return THRONG_OK;
}

/* Speed zones. */

static void code_speed_zone(struct archive *archive, throng_speed_zone *zone) {
  uint32_t shape = zone->shape;
  throng_archive_float(archive, &zone->centre.x);
  throng_archive_float(archive, &zone->centre.y);
  throng_archive_float(archive, &zone->centre.z);
  throng_archive_u32(archive, &shape);
  throng_archive_float(archive, &zone->radius);
  throng_archive_float(archive, &zone->width);
  throng_archive_float(archive, &zone->length);
  throng_archive_float(archive, &zone->yaw);
  throng_archive_float(archive, &zone->height);
  throng_archive_float(archive, &zone->factor);
  throng_archive_u32(archive, &zone->mask);
  zone->shape = (throng_speed_zone_shape)shape;
}
#define SPEED_ZONE_FLOATS 11u
_Static_assert(sizeof(throng_speed_zone) == SPEED_ZONE_FLOATS * sizeof(float), "read_speed_zones borrows floats");

static void code_raster_head(struct archive *archive, throng_speed_raster *raster) {
  throng_archive_u32(archive, &raster->width);
  throng_archive_u32(archive, &raster->height);
  throng_archive_float(archive, &raster->cell);
  throng_archive_float(archive, &raster->origin.x);
  throng_archive_float(archive, &raster->origin.z);
  throng_archive_u32(archive, &raster->mask);
}

static void write_speed_zones(struct archive *archive, const void *object) {
  const struct speed_zones *zones = object;
  const struct cells *map = &zones->map;
  throng_speed_raster raster = {NULL,       map->width, map->height, map->cell, {map->origin_x, 0.0f, map->origin_z},
                                zones->mask};
  uint32_t count = zones->count;
  throng_archive_u32(archive, &count);
  code_raster_head(archive, &raster);
  for (uint32_t k = 0; k < count; k++) {
    throng_speed_zone zone = zones->list[k].given;
    code_speed_zone(archive, &zone);
  }
  throng_archive_floats(archive, zones->factor, (size_t)map->width * map->height);
}

static throng_status read_speed_zones(struct archive *body, struct loan *loan, union definition *read,
                                      throng_error *error) {
  throng_speed_zones_def *def = &read->speed_zones;
  *def = throng_default_speed_zones_def();
  throng_archive_u32(body, &def->count);
  code_raster_head(body, &def->raster);
  const uint64_t cells = (uint64_t)def->raster.width * def->raster.height;
  const uint64_t floats = cells > UINT32_MAX ? UINT64_MAX : SPEED_ZONE_FLOATS * (uint64_t)def->count + cells;
  TRY(borrow(loan, body, floats, sizeof(float), sizeof(float), error));
  /* The zones, and behind them the factors. */
  throng_speed_zone *zones = loan->memory;
  float *factor = (float *)(void *)(zones + def->count);
  for (uint32_t k = 0; k < def->count; k++) code_speed_zone(body, &zones[k]);
  throng_archive_floats(body, factor, (size_t)cells);
  def->zones = def->count > 0 ? zones : NULL;
  def->raster.factor = cells > 0 ? factor : NULL;
  return THRONG_OK;
}

/* All of them. */

static const struct codec {
  uint32_t tag;
  void (*write)(struct archive *archive, const void *object);
  /* Reads the body as a definition; the caller checks that all of the body was used. */
  throng_status (*read)(struct archive *body, struct loan *loan, union definition *read, throng_error *error);
  throng_status (*finish)(const struct loan *loan, void *object, throng_error *error); /* NULL: nothing to do */
} codecs[OBJECT_KINDS] = {
    [OBJECT_CELLS] = {TAG_CELLS, write_cells, read_cells, NULL},
    [OBJECT_SCENERY] = {TAG_SCENERY, write_scenery, read_scenery, restore_normals},
    [OBJECT_FLOW_FIELD] = {TAG_FLOW_FIELD, write_field, read_field, NULL},
    [OBJECT_PATH] = {TAG_PATH, write_path, read_path, NULL},
    [OBJECT_PATTERN] = {TAG_PATTERN, write_pattern, read_pattern, NULL},
    [OBJECT_FORMATION] = {TAG_FORMATION, write_formation, read_formation, NULL},
    [OBJECT_ATTRACTORS] = {TAG_ATTRACTORS, write_attractors, read_attractors, NULL},
    [OBJECT_SPEED_ZONES] = {TAG_SPEED_ZONES, write_speed_zones, read_speed_zones, NULL},
};

void throng_snapshot_write_objects(struct archive *archive, const throng_world *world) {
  FOR_EACH_OBJECT(kind, index) {
    const void *object = throng_objects_at(&world->objects, kind, index);
    if (!throng_object_rows[kind].is_set(object)) continue;
    const size_t begun = throng_archive_begin(archive, codecs[kind].tag, index);
    codecs[kind].write(archive, object);
    throng_archive_end(archive, begun);
  }
}

/* Whether the section's object equals the world's. */
static bool is_same(enum object_kind kind, const void *object, const struct archive *body) {
  struct archive compared = *body;
  if (!throng_object_rows[kind].is_set(object)) return false;
  compared.mode = ARCHIVE_COMPARE;
  codecs[kind].write(&compared, object);
  return throng_archive_complete(&compared);
}

static throng_status make_object(const throng_world *world, enum object_kind kind, uint32_t index, struct archive *body,
                                 struct loan *loan, void *object, throng_error *error) {
  const struct object_row *row = &throng_object_rows[kind];
  union definition read;
  TRY(codecs[kind].read(body, loan, &read, error));
  if (!throng_archive_complete(body)) return throng_archive_malformed(row->name, index, error);
  struct space space = world->space;
  space.axes = NULL; /* a snapshot has throng's own */
  TRY(row->make(&space, loan->allocator, &read, object, error));
  const throng_status status = codecs[kind].finish ? codecs[kind].finish(loan, object, error) : THRONG_OK;
  if (status != THRONG_OK) row->release(object, loan->allocator);
  return status;
}

static throng_status read_object(enum object_kind kind, uint32_t index, struct archive *file, const throng_world *world,
                                 struct snapshot_objects *objects, throng_error *error) {
  struct archive body;
  bool *kept = &objects->kept[kind][index];
  if (!throng_archive_next(file, codecs[kind].tag, index, &body)) return THRONG_OK;
  void *object = object_to_change(&objects->all, kind, index);
  const void *own = throng_objects_at(&world->objects, kind, index);
  *kept = is_same(kind, own, &body);
  if (*kept) {
    memcpy(object, own, throng_object_rows[kind].size);
    return THRONG_OK;
  }
  struct loan loan = {.allocator = &world->def.allocator};
  const throng_status status = make_object(world, kind, index, &body, &loan, object, error);
  give_back(&loan);
  return status;
}

throng_status throng_snapshot_read_objects(struct archive *file, const throng_world *world,
                                           struct snapshot_objects *objects, throng_error *error) {
  memset(objects, 0, sizeof *objects);
  objects->all.flow_field = objects->flow_field;
  objects->all.path = objects->path;
  objects->all.pattern = objects->pattern;
  objects->all.formation = objects->formation;
  FOR_EACH_OBJECT(kind, index) {
    ASSERT(world, index < SNAPSHOT_OBJECTS);
    const throng_status status = read_object(kind, index, file, world, objects, error);
    if (status == THRONG_OK) continue;
    throng_snapshot_release_objects(objects, world);
    return status;
  }
  return THRONG_OK;
}

throng_status throng_snapshot_make_object_room(const struct snapshot_objects *objects, throng_world *world,
                                               throng_error *error) {
  FOR_EACH_OBJECT(kind, index) {
    if (!throng_object_rows[kind].is_set(throng_objects_at(&objects->all, kind, index))) continue;
    TRY(throng_objects_make_room(&world->objects, kind, &world->def.allocator, error));
  }
  return THRONG_OK;
}

static void exchange_bytes(unsigned char *a, unsigned char *b, size_t size) {
  for (size_t k = 0; k < size; k++) {
    const unsigned char was = a[k];
    a[k] = b[k];
    b[k] = was;
  }
}

void throng_snapshot_exchange_objects(struct snapshot_objects *objects, throng_world *world) {
  FOR_EACH_OBJECT(kind, index) {
    const struct object_row *row = &throng_object_rows[kind];
    void *read = object_to_change(&objects->all, kind, index), *own = object_to_change(&world->objects, kind, index);
    ASSERT(world, !row->is_set(read) || throng_objects_have_room(&world->objects, kind));
    if (row->is_set(read) || row->is_set(own)) exchange_bytes(read, own, row->size);
  }
}

void throng_snapshot_release_objects(struct snapshot_objects *objects, const throng_world *world) {
  const throng_allocator *allocator = &world->def.allocator;
  FOR_EACH_OBJECT(kind, index) {
    const struct object_row *row = &throng_object_rows[kind];
    void *object = object_to_change(&objects->all, kind, index);
    if (!objects->kept[kind][index] && row->is_set(object)) row->release(object, allocator);
  }
}
