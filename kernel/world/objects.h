/* objects.h: the kinds of objects of a world, with the functions of each.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_WORLD_OBJECTS_H
#define THRONG_KERNEL_WORLD_OBJECTS_H

#include "state.h"

enum object_kind {
  OBJECT_CELLS,
  OBJECT_SCENERY,
  OBJECT_FLOW_FIELD,
  OBJECT_PATH,
  OBJECT_PATTERN,
  OBJECT_FORMATION,
  OBJECT_ATTRACTORS,
  OBJECT_SPEED_ZONES,
  OBJECT_KINDS
};

struct object_row {
  const char *name;    /* for errors */
  uint32_t count;      /* how many a world can have; above 1: a list */
  size_t size, offset; /* bytes: of one object; of the object, or of the pointer to the list, in struct objects */
  bool (*is_set)(const void *object);
  /* Checks a definition and makes the object of it. On failure nothing is left to release. */
  throng_status (*make)(const struct space *space, const throng_allocator *allocator, const void *def, void *object,
                        throng_error *error);
  void (*release)(void *object, const throng_allocator *allocator);
  /* Checks that an object that is set can be shifted. NULL: a shift of origin does not change objects of this kind. */
  throng_status (*check_shift)(const void *object, const float shift[3], float limit, throng_error *error);
  void (*shift)(void *object, const float shift[3]);
  /* Whether an object that is set keeps agents from being at p. NULL: objects of this kind never do. */
  bool (*blocks)(const void *object, struct vec p);
  const char *inside; /* where such an agent is, for errors */
};
extern const struct object_row throng_object_rows[OBJECT_KINDS];

/* Sets up the objects of a world: none is set. */
void throng_objects_init(struct objects *objects);
/* Returns an object's address. */
const void *throng_objects_at(const struct objects *objects, enum object_kind kind, uint32_t index);
/* Whether objects of this kind can be set. */
bool throng_objects_have_room(const struct objects *objects, enum object_kind kind);
/* Makes sure that objects of this kind can be set: allocates the list if none of it is set. */
throng_status throng_objects_make_room(struct objects *objects, enum object_kind kind,
                                       const throng_allocator *allocator, throng_error *error);
/* The same address as above, of an object that is set, or that there is room for. */
static inline void *object_to_change(struct objects *objects, enum object_kind kind, uint32_t index) {
  return (void *)(uintptr_t)throng_objects_at(objects, kind, index);
}

/* A loop over every object that a world can have. */
#define FOR_EACH_OBJECT(kind, index)                                                                                   \
  for (enum object_kind kind = 0; kind < OBJECT_KINDS; kind++)                                                         \
    for (uint32_t index = 0; index < throng_object_rows[kind].count; index++)

/* Releases the list of each kind that has no object. */
void throng_objects_release_unused(struct objects *objects, const throng_allocator *allocator);
/* Releases all objects, and the lists. */
void throng_objects_release(struct objects *objects, const throng_allocator *allocator);

/* Checks that all objects of a world can be shifted exactly. Only then may throng_objects_shift be called. */
throng_status throng_objects_check_shift(const throng_world *world, const float shift[3], throng_error *error);
void throng_objects_shift(struct objects *objects, const float shift[3]);

#endif
