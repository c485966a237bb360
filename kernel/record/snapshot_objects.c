/* snapshot_objects.c: cells, scenery, flow fields, paths, patterns and formations of a snapshot. What a world has already, bytes
 * tell: its own object, written, is compared with the section. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "record/snapshot_parts.h"

/* The objects are read into what their definitions point to, for a moment. */
struct loan {
  const throng_allocator *allocator;
  void *memory;
  size_t size;
};

/* `count` elements, of which the body holds `bytes` each: checked before memory is asked for. */
static throng_status borrow(struct loan *loan, const throng_world *world, const struct archive *body, uint64_t count,
                            size_t bytes, size_t element, throng_error *error) {
  *loan = (struct loan){.allocator = &world->def.allocator};
  if (count == 0 || count > (body->size - body->at) / bytes) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "a section says that it has %llu elements, and has not",
                       (unsigned long long)count);
  }
  loan->size = (size_t)count * element;
  loan->memory = throng_allocate(loan->allocator, loan->size);
  if (loan->memory) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory to read %llu elements", (unsigned long long)count);
}

static void give_back(struct loan *loan) { throng_release(loan->allocator, loan->memory, loan->size); }

/* Cells. */

static void code_cells_head(struct archive *archive, throng_cells_def *def) {
  throng_archive_u32(archive, &def->width);
  throng_archive_u32(archive, &def->height);
  throng_archive_float(archive, &def->cell);
  throng_archive_float(archive, &def->origin_x);
  throng_archive_float(archive, &def->origin_z);
}

static void write_cells(struct archive *archive, const throng_world *world, uint32_t number) {
  const struct cells *cells = &world->cells;
  throng_cells_def def = {cells->width, cells->height, cells->cell, cells->origin_x, cells->origin_z, NULL, 0};
  (void)number;
  code_cells_head(archive, &def);
  throng_archive_bytes(archive, cells->blocked, (size_t)cells->width * cells->height);
}

static throng_status read_cells(struct archive *body, const throng_world *world, uint32_t number,
                                struct snapshot_objects *objects, throng_error *error) {
  throng_cells_def def = throng_default_cells_def();
  code_cells_head(body, &def);
  def.blocked = throng_archive_take(body, (uint64_t)def.width * def.height, 1);
  if (!throng_archive_complete(body)) return throng_archive_malformed("cells", number, error);
  return throng_cells_make(world, &def, &objects->cells, error);
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

static void write_scenery(struct archive *archive, const throng_world *world, uint32_t number) {
  const struct scenery *scenery = &world->scenery;
  uint32_t counts[SHAPE_KINDS] = {0};
  (void)number;
  for (uint32_t k = 0; k < scenery->shapes; k++) counts[scenery->shape[k].kind]++;
  code_counts(archive, counts);
  for (uint32_t k = 0; k < scenery->shapes; k++) {
    struct shape shape = scenery->shape[k];
    code_shape(archive, &shape);
  }
}

/* Where an array of points, or of radii, begins among shapes. */
static throng_span span_of(const void *first) { return (throng_span){first, sizeof(struct shape)}; }

/* A normal made to have length 1 again might be another one: the very bits are put back. */
static throng_status restore_normals(const struct shape *shapes, struct scenery *scenery, throng_error *error) {
  for (uint32_t k = scenery->shapes - scenery->planes; k < scenery->shapes; k++) {
    const struct vec normal = vec_of(shapes[k].a);
    if (fabs(vec_dot(normal, normal) - 1.0) > 1e-6) return throng_archive_malformed("scenery", 0, error);
    memcpy(scenery->shape[k].a, shapes[k].a, sizeof shapes[k].a);
  }
  return THRONG_OK;
}

static throng_status make_scenery(const throng_world *world, const struct shape *shapes,
                                  const uint32_t counts[SHAPE_KINDS], struct scenery *scenery, throng_error *error) {
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
  TRY(throng_scenery_make(world, &def, scenery, error));
  throng_status status = restore_normals(shapes, scenery, error);
  if (status != THRONG_OK) throng_scenery_release(scenery, &world->def.allocator);
  return status;
}

static throng_status read_scenery(struct archive *body, const throng_world *world, uint32_t number,
                                  struct snapshot_objects *objects, throng_error *error) {
  const size_t least = 4 * sizeof(float); /* of a shape */
  uint32_t counts[SHAPE_KINDS], k = 0;
  struct loan loan;
  code_counts(body, counts);
  const uint64_t sum = (uint64_t)counts[SHAPE_BALL] + counts[SHAPE_WALL] + counts[SHAPE_BOX] + counts[SHAPE_PLANE];
  TRY(borrow(&loan, world, body, sum, least, sizeof(struct shape), error));
  struct shape *shapes = loan.memory;
  for (int kind = 0; kind < SHAPE_KINDS; kind++) {
    for (uint32_t i = 0; i < counts[kind]; i++, k++) {
      shapes[k].kind = (enum shape_kind)kind;
      code_shape(body, &shapes[k]);
    }
  }
  throng_status status = throng_archive_complete(body) ? make_scenery(world, shapes, counts, &objects->scenery, error)
                                                       : throng_archive_malformed("scenery", number, error);
  give_back(&loan);
  return status;
}

/* Flow fields. */

static void code_field_head(struct archive *archive, throng_flow_field_def *def) {
  throng_archive_u32(archive, &def->width);
  throng_archive_u32(archive, &def->height);
  throng_archive_float(archive, &def->cell);
  throng_archive_float(archive, &def->origin_x);
  throng_archive_float(archive, &def->origin_z);
}

static void write_field(struct archive *archive, const throng_world *world, uint32_t number) {
  const struct flow_field *field = &world->flow_field[number];
  throng_flow_field_def def = throng_default_flow_field_def();
  def.width = field->width;
  def.height = field->height;
  def.cell = field->cell;
  def.origin_x = field->origin_x;
  def.origin_z = field->origin_z;
  code_field_head(archive, &def);
  for (uint32_t j = 0; j < field->height; j++) {
    throng_archive_floats(archive, field->vectors + (size_t)field->stride * j, 2 * (size_t)field->width);
  }
}

static throng_status read_field(struct archive *body, const throng_world *world, uint32_t number,
                                struct snapshot_objects *objects, throng_error *error) {
  throng_flow_field_def def = throng_default_flow_field_def();
  struct loan loan;
  code_field_head(body, &def);
  const uint64_t cells = (uint64_t)def.width * def.height;
  TRY(borrow(&loan, world, body, cells, 2 * sizeof(float), 2 * sizeof(float), error));
  throng_archive_floats(body, loan.memory, 2 * (size_t)cells);
  def.vectors = loan.memory;
  throng_status status = throng_archive_complete(body)
                             ? throng_flow_field_make(world, &def, &objects->flow_field[number], error)
                             : throng_archive_malformed("flow field", number, error);
  give_back(&loan);
  return status;
}

/* Paths. */

static void write_path(struct archive *archive, const throng_world *world, uint32_t number) {
  const struct path *path = &world->path[number];
  bool closed = path->closed;
  uint32_t count = closed ? path->segments : path->segments + 1;
  throng_archive_u32(archive, &count);
  throng_archive_bool(archive, &closed);
  for (uint32_t k = 0; k < count; k++) throng_archive_floats(archive, path->segment[k].from, 3);
}

static throng_status read_path(struct archive *body, const throng_world *world, uint32_t number,
                               struct snapshot_objects *objects, throng_error *error) {
  throng_path_def def = throng_default_path_def();
  struct loan loan;
  throng_archive_u32(body, &def.count);
  throng_archive_bool(body, &def.closed);
  TRY(borrow(&loan, world, body, def.count, 3 * sizeof(float), 3 * sizeof(float), error));
  throng_archive_floats(body, loan.memory, 3 * (size_t)def.count);
  def.points.data = loan.memory;
  throng_status status = throng_archive_complete(body) ? throng_path_make(world, &def, &objects->path[number], error)
                                                       : throng_archive_malformed("path", number, error);
  give_back(&loan);
  return status;
}

/* Patterns. */

static void code_instruction(struct archive *archive, throng_pattern_instruction *instruction) {
  throng_archive_float(archive, &instruction->right);
  throng_archive_float(archive, &instruction->thrust);
  throng_archive_float(archive, &instruction->heading);
  throng_archive_float(archive, &instruction->distance);
}

static void write_pattern(struct archive *archive, const throng_world *world, uint32_t number) {
  const struct pattern *pattern = &world->pattern[number];
  bool loop = pattern->loop;
  uint32_t count = pattern->count;
  throng_archive_u32(archive, &count);
  throng_archive_bool(archive, &loop);
  for (uint32_t k = 0; k < count; k++) code_instruction(archive, &pattern->instruction[k]);
}

static throng_status read_pattern(struct archive *body, const throng_world *world, uint32_t number,
                                  struct snapshot_objects *objects, throng_error *error) {
  throng_pattern_def def = throng_default_pattern_def();
  struct loan loan;
  throng_archive_u32(body, &def.count);
  throng_archive_bool(body, &def.loop);
  TRY(borrow(&loan, world, body, def.count, 4 * sizeof(float), sizeof(throng_pattern_instruction), error));
  throng_pattern_instruction *instructions = loan.memory;
  for (uint32_t k = 0; k < def.count; k++) code_instruction(body, &instructions[k]);
  def.instructions = instructions;
  throng_status status = throng_archive_complete(body)
                             ? throng_pattern_make(world, &def, &objects->pattern[number], error)
                             : throng_archive_malformed("pattern", number, error);
  give_back(&loan);
  return status;
}

/* Formations. */

static void write_formation(struct archive *archive, const throng_world *world, uint32_t number) {
  const struct formation *formation = &world->formation[number];
  uint32_t count = formation->places;
  throng_archive_u32(archive, &count);
  for (uint32_t k = 0; k < count; k++) throng_archive_floats(archive, formation->place + PLACE_FLOATS * k, 3);
}

static throng_status read_formation(struct archive *body, const throng_world *world, uint32_t number,
                                    struct snapshot_objects *objects, throng_error *error) {
  throng_formation_def def = throng_default_formation_def();
  struct loan loan;
  throng_archive_u32(body, &def.count);
  TRY(borrow(&loan, world, body, def.count, 3 * sizeof(float), 3 * sizeof(float), error));
  throng_archive_floats(body, loan.memory, 3 * (size_t)def.count);
  def.places.data = loan.memory;
  throng_status status = throng_archive_complete(body)
                             ? throng_formation_make(world, &def, &objects->formation[number], error)
                             : throng_archive_malformed("formation", number, error);
  give_back(&loan);
  return status;
}

/* All of them. */

static bool has_cells(const throng_world *world, uint32_t number) { return (void)number, world->cells.blocked; }
static bool has_scenery(const throng_world *world, uint32_t number) { return (void)number, world->scenery.shapes; }
static bool has_field(const throng_world *world, uint32_t number) { return world->flow_field[number].vectors; }
static bool has_path(const throng_world *world, uint32_t number) { return world->path[number].segments; }
static bool has_pattern(const throng_world *world, uint32_t number) { return world->pattern[number].count; }
static bool has_formation(const throng_world *world, uint32_t number) { return world->formation[number].places; }

static const struct kind {
  uint32_t tag, count;
  bool (*has)(const throng_world *world, uint32_t number);
  void (*write)(struct archive *archive, const throng_world *world, uint32_t number);
  throng_status (*read)(struct archive *body, const throng_world *world, uint32_t number,
                        struct snapshot_objects *objects, throng_error *error);
  size_t offset, size; /* among the objects */
} kinds[] = {
#define PLACE(member) offsetof(struct snapshot_objects, member), sizeof((struct snapshot_objects *)0)->member
    {TAG_CELLS, 1, has_cells, write_cells, read_cells, PLACE(cells)},
    {TAG_SCENERY, 1, has_scenery, write_scenery, read_scenery, PLACE(scenery)},
    {TAG_FLOW_FIELD, THRONG_MAX_FLOW_FIELDS, has_field, write_field, read_field, PLACE(flow_field[0])},
    {TAG_PATH, THRONG_MAX_PATHS, has_path, write_path, read_path, PLACE(path[0])},
    {TAG_PATTERN, THRONG_MAX_PATTERNS, has_pattern, write_pattern, read_pattern, PLACE(pattern[0])},
    {TAG_FORMATION, THRONG_MAX_FORMATIONS, has_formation, write_formation, read_formation, PLACE(formation[0])},
#undef PLACE
};
#define KINDS (sizeof kinds / sizeof kinds[0])

void throng_snapshot_write_objects(struct archive *archive, const throng_world *world) {
  for (size_t k = 0; k < KINDS; k++) {
    for (uint32_t number = 0; number < kinds[k].count; number++) {
      if (!kinds[k].has(world, number)) continue;
      const size_t begun = throng_archive_begin(archive, kinds[k].tag, number);
      kinds[k].write(archive, world, number);
      throng_archive_end(archive, begun);
    }
  }
}

static bool is_same(const struct kind *kind, const throng_world *world, uint32_t number, const struct archive *body) {
  struct archive compared = *body;
  if (!kind->has(world, number)) return false;
  compared.mode = ARCHIVE_COMPARE;
  kind->write(&compared, world, number);
  return throng_archive_complete(&compared);
}

static struct snapshot_objects objects_of(const throng_world *world) {
  struct snapshot_objects objects = {.cells = world->cells, .scenery = world->scenery};
  memcpy(objects.flow_field, world->flow_field, sizeof objects.flow_field);
  memcpy(objects.path, world->path, sizeof objects.path);
  memcpy(objects.pattern, world->pattern, sizeof objects.pattern);
  memcpy(objects.formation, world->formation, sizeof objects.formation);
  return objects;
}

static throng_status read_object(const struct kind *kind, struct archive *file, const throng_world *world,
                                 uint32_t number, struct snapshot_objects *objects, throng_error *error) {
  struct archive body;
  const bool wanted = throng_archive_next(file, kind->tag, number, &body);
  if (wanted && is_same(kind, world, number, &body)) return THRONG_OK;
  memset((char *)objects + kind->offset + kind->size * number, 0, kind->size);
  return wanted ? kind->read(&body, world, number, objects, error) : THRONG_OK;
}

throng_status throng_snapshot_read_objects(struct archive *file, const throng_world *world,
                                           struct snapshot_objects *objects, throng_error *error) {
  throng_status status = THRONG_OK;
  *objects = objects_of(world);
  for (size_t k = 0; k < KINDS; k++) {
    for (uint32_t number = 0; number < kinds[k].count && status == THRONG_OK; number++) {
      status = read_object(&kinds[k], file, world, number, objects, error);
    }
  }
  if (status != THRONG_OK) throng_snapshot_release_objects(objects, world);
  return status;
}

void throng_snapshot_exchange_objects(struct snapshot_objects *objects, throng_world *world) {
  const struct snapshot_objects before = objects_of(world);
  world->cells = objects->cells;
  world->scenery = objects->scenery;
  memcpy(world->flow_field, objects->flow_field, sizeof objects->flow_field);
  memcpy(world->path, objects->path, sizeof objects->path);
  memcpy(world->pattern, objects->pattern, sizeof objects->pattern);
  memcpy(world->formation, objects->formation, sizeof objects->formation);
  *objects = before;
}

void throng_snapshot_release_objects(struct snapshot_objects *objects, const throng_world *world) {
  const throng_allocator *allocator = &world->def.allocator;
  if (objects->cells.blocked != world->cells.blocked) throng_cells_release(&objects->cells, allocator);
  if (objects->scenery.shape != world->scenery.shape) throng_scenery_release(&objects->scenery, allocator);
  for (uint32_t k = 0; k < THRONG_MAX_FLOW_FIELDS; k++) {
    struct flow_field *field = &objects->flow_field[k];
    if (field->vectors != world->flow_field[k].vectors) throng_flow_field_release(field, allocator);
  }
  for (uint32_t k = 0; k < THRONG_MAX_PATHS; k++) {
    if (objects->path[k].segment != world->path[k].segment) throng_path_release(&objects->path[k], allocator);
  }
  for (uint32_t k = 0; k < THRONG_MAX_PATTERNS; k++) {
    struct pattern *pattern = &objects->pattern[k];
    if (pattern->instruction != world->pattern[k].instruction) throng_pattern_release(pattern, allocator);
  }
  for (uint32_t k = 0; k < THRONG_MAX_FORMATIONS; k++) {
    struct formation *formation = &objects->formation[k];
    if (formation->place != world->formation[k].place) throng_formation_release(formation, allocator);
  }
}
