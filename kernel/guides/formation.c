/* formation.c: see formation.h; and who gets which slot. SPDX-License-Identifier: MIT */
#include "guides/formation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "groups/behaviour.h"
#include "base/float_environment.h"
#include "state.h"
#include "agents/values.h"

throng_formation_def throng_default_formation_def(void) {
  throng_formation_def def;
  memset(&def, 0, sizeof def);
  def.cookie = THRONG_FORMATION_COOKIE;
  return def;
}

static size_t slot_bytes(uint32_t slots) { return (size_t)slots * SLOT_FLOATS * sizeof(float); }

void throng_formation_release(struct formation *formation, const throng_allocator *allocator) {
  throng_release(allocator, formation->slot, slot_bytes(formation->slots));
  memset(formation, 0, sizeof *formation);
}

/* In periodic worlds half the shortest side: the way to a slot is then the short way round, however its frame is turned. */
static float longest_slot(const throng_world_def *def) {
  if (def->boundary != THRONG_PERIODIC) return KIND_MOST;
  const float x = def->box_max.x - def->box_min.x, y = def->box_max.y - def->box_min.y,
              z = def->box_max.z - def->box_min.z;
  const float shortest = x < z ? x : z;
  return 0.5f * (def->space == THRONG_SPATIAL && y < shortest ? y : shortest);
}

static throng_status check_formation(const throng_world *world, const throng_formation_def *def, throng_error *error) {
  if (def->cookie != THRONG_FORMATION_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "formation definition has a wrong cookie: it is not from throng_default_formation_def()");
  }
  if (def->count < 1 || def->count > THRONG_MAX_FORMATION_SLOTS) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "formation.count is %u, allowed: 1 to %u", def->count,
                       THRONG_MAX_FORMATION_SLOTS);
  }
  if (!def->slots.data) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "formation.slots.data is NULL");
  const float most = longest_slot(&world->def);
  for (uint32_t k = 0; k < def->count; k++) {
    static const char *const axis[] = {"right", "up", "forward"};
    float slot[3];
    memcpy(slot, span_at(def->slots, sizeof slot, k), sizeof slot);
    for (int c = 0; c < 3; c++) {
      char field[40];
      if (c == 1 && !world->grid.spatial) continue;
      snprintf(field, sizeof field, "formation.slots[%u].%s", k, axis[c]);
      TRY(throng_check_range(slot[c], -most, most, field, error));
    }
  }
  return THRONG_OK;
}

throng_status throng_formation_make(const throng_world *world, const throng_formation_def *def,
                                    struct formation *formation, throng_error *error) {
  TRY(check_formation(world, def, error));
  float *slot = throng_allocate(&world->def.allocator, slot_bytes(def->count));
  if (!slot) {
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a formation of %u slots", def->count);
  }
  for (uint32_t k = 0; k < def->count; k++) {
    memcpy(slot + SLOT_FLOATS * k, span_at(def->slots, 3 * sizeof *slot, k), 3 * sizeof *slot);
    if (!world->grid.spatial) slot[SLOT_FLOATS * k + 1] = 0.0f;
  }
  *formation = (struct formation){def->count, slot};
  return THRONG_OK;
}

static OUT_OF_LINE throng_status world_set_formation_inner(throng_world *world, uint32_t number,
                                                           const throng_formation_def *def, throng_error *error) {
  REQUIRE_POINTER(world, error);
  if (number >= THRONG_MAX_FORMATIONS) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "number is %u, allowed: 0 to %u", number,
                       THRONG_MAX_FORMATIONS - 1);
  }
  struct formation formation = {0};
  if (def) TRY(throng_formation_make(world, def, &formation, error));
  throng_formation_release(&world->formation[number], &world->def.allocator);
  world->formation[number] = formation;
  return THRONG_OK;
}

throng_status throng_world_set_formation(throng_world *world, uint32_t number, const throng_formation_def *def,
                                         throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, world_set_formation_inner(world, number, def, error));
}

uint32_t throng_world_formation_slots(const throng_world *world, uint32_t number) {
  return world && number < THRONG_MAX_FORMATIONS ? world->formation[number].slots : 0;
}

/* Filling: docs/ARITHMETIC.md, "Formations". Every open slot has a queue of the free agents nearest to it; the best of all the heads is
 * the next to be placed. A queue that has run dry is made anew of who is still free. */

#define QUEUE_LENGTH 64u

struct member {
  uint32_t at; /* its place in the columns */
  bool free;
  float d[3]; /* from it to the frame's origin */
};
struct pair {
  float distance_sq;
  uint32_t member; /* by ascending id index */
};
struct queue {
  bool open;      /* of an open slot */
  float place[3]; /* from the frame's origin, in the world's axes */
  uint32_t next, length;
  struct pair nearest[QUEUE_LENGTH]; /* ascending */
};
struct filling {
  throng_world *world;
  const struct formation *formation;
  struct member *member; /* [members] the group's agents; who cannot be placed, or is, is not free */
  struct queue *queue;   /* [formation->slots] */
  uint32_t members;
};

/* The (right, up, forward) of a facing, in the world's axes. */
struct axes {
  float of[3][3];
};
static struct axes axes_of(const throng_world *world, const float facing[3]) {
  if (!world->grid.spatial) {
    float sine, cosine;
    scalar_sincos(facing[0], &sine, &cosine);
    return (struct axes){{{-cosine, 0.0f, sine}, {0.0f, 0.0f, 0.0f}, {sine, 0.0f, cosine}}};
  }
  const float *f = facing, q = f[2] * f[2] + f[0] * f[0], inverse = q > 0.0f ? 1.0f / sqrtf(q) : 0.0f;
  const float r[3] = {q > 0.0f ? -f[2] * inverse : -1.0f, 0.0f, f[0] * inverse};
  return (struct axes){{{r[0], r[1], r[2]},
                        {r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]},
                        {f[0], f[1], f[2]}}};
}

static float image(const struct grid_axis *axis, float d) {
  if (axis->period == 0) return 0.0f;
  const float half = axis->length * 0.5f;
  return d > half ? -axis->length : d < -half ? axis->length : 0.0f;
}

static struct pair measure(const struct filling *filling, const struct queue *queue, uint32_t member) {
  const struct grid *grid = &filling->world->grid;
  float d[3];
  for (int c = 0; c < 3; c++) {
    d[c] = filling->member[member].d[c] + queue->place[c];
    d[c] = d[c] + image(&grid->axis[c], d[c]);
  }
  return (struct pair){grid->spatial ? d[0] * d[0] + d[1] * d[1] + d[2] * d[2] : d[0] * d[0] + d[2] * d[2], member};
}

/* By insertion: few of the agents get in at all. */
static void fill_queue(const struct filling *filling, struct queue *queue) {
  struct pair *nearest = queue->nearest;
  queue->next = queue->length = 0;
  for (uint32_t k = 0; k < filling->members; k++) {
    if (!filling->member[k].free) continue;
    const struct pair pair = measure(filling, queue, k);
    if (queue->length == QUEUE_LENGTH && !(pair.distance_sq < nearest[QUEUE_LENGTH - 1].distance_sq)) continue;
    uint32_t at = queue->length < QUEUE_LENGTH ? queue->length++ : QUEUE_LENGTH - 1;
    for (; at > 0 && pair.distance_sq < nearest[at - 1].distance_sq; at--) nearest[at] = nearest[at - 1];
    nearest[at] = pair;
  }
}

/* The free agent nearest to a slot; NULL where none is left. */
static const struct pair *head_of(const struct filling *filling, struct queue *queue) {
  const bool short_of_some = queue->length == QUEUE_LENGTH;
  while (queue->next < queue->length && !filling->member[queue->nearest[queue->next].member].free) queue->next++;
  if (queue->next == queue->length && short_of_some) fill_queue(filling, queue);
  return queue->next < queue->length ? &queue->nearest[queue->next] : NULL;
}

/* Slot by slot in ascending order, so that the first of equally near ones is the smallest. */
static uint32_t place_nearest(struct filling *filling) {
  float *own = filling->world->front.f[COLUMN_FORMATION_SLOT];
  for (uint32_t placed = 0;; placed++) {
    const struct pair *best = NULL;
    uint32_t slot = 0;
    for (uint32_t k = 0; k < filling->formation->slots; k++) {
      const struct pair *head = filling->queue[k].open ? head_of(filling, &filling->queue[k]) : NULL;
      if (!head || (best && !(head->distance_sq < best->distance_sq))) continue;
      best = head;
      slot = k;
    }
    if (!best) return placed;
    own[filling->member[best->member].at] = (float)slot;
    filling->member[best->member].free = false;
    filling->queue[slot].open = false;
  }
}

/* The group's agents; the slots that some of them have are closed. */
static void gather_members(struct filling *filling, uint32_t group, const throng_target *target,
                           const float origin[3]) {
  const throng_world *world = filling->world;
  float *const *f = world->front.f;
  throng_core_expect_lookups(world, world->count);
  for (uint32_t index = 1; index <= world->ids.used; index++) {
    if (!ids_is_live(&world->ids, index)) continue;
    const uint32_t at = throng_core_slot_of(world, (throng_agent_id){index, 0, 0});
    if (meta_group(world->front.meta[at]) != group) continue;
    struct member *member = &filling->member[filling->members++];
    const float slot = f[COLUMN_FORMATION_SLOT][at];
    const bool placed = slot < (float)filling->formation->slots; /* not so for a NaN */
    if (placed) filling->queue[(uint32_t)slot].open = false;
    *member = (struct member){.at = at, .free = !placed};
    for (int c = 0; c < 3; c++) {
      if (c == 1 && !world->grid.spatial) continue;
      const float *goal = f[COLUMN_GOAL_X + c], own = goal ? goal[at] : NAN;
      const float q = target->kind == THRONG_TARGET_GOAL ? own : origin[c], p = f[COLUMN_POSITION_X + c][at];
      member->d[c] = (q + image(&world->grid.axis[c], q - p)) - p;
    }
    if (isnan(member->d[0])) member->free = false;
  }
}

/* Where the slots are; and the agents' distances. */
static void place_slots(struct filling *filling, const float facing[3]) {
  const struct axes axes = axes_of(filling->world, facing);
  for (uint32_t k = 0; k < filling->formation->slots; k++) {
    const float *slot = filling->formation->slot + SLOT_FLOATS * k;
    struct queue *queue = &filling->queue[k];
    for (int c = 0; c < 3; c++) {
      queue->place[c] = axes.of[0][c] * slot[0] + axes.of[2][c] * slot[2];
      if (filling->world->grid.spatial) queue->place[c] = queue->place[c] + axes.of[1][c] * slot[1];
    }
    if (queue->open) fill_queue(filling, queue);
  }
}

static void report(const struct filling *filling, uint32_t placed, throng_formation_fill *fill) {
  const float *own = filling->world->front.f[COLUMN_FORMATION_SLOT];
  const uint32_t slots = filling->formation->slots;
  *fill = (throng_formation_fill){.placed = placed};
  for (uint32_t k = 0; k < slots; k++) fill->open_slots += filling->queue[k].open;
  for (uint32_t k = 0; k < filling->members; k++) fill->left_over += !(own[filling->member[k].at] < (float)slots);
}

/* The behaviour that says what formation the group keeps. */
static const throng_behaviour *behaviour_of(const throng_group_def *def) {
  for (uint32_t k = 0; k < def->behaviour_count; k++) {
    const throng_behaviour *b = &def->behaviour[k];
    if (b->kind == THRONG_BEHAVIOUR_FORMATION && b->weight != 0.0f) return b;
  }
  return NULL;
}

static OUT_OF_LINE throng_status world_fill_formation_inner(throng_world *world, uint32_t group,
                                                            throng_formation_fill *fill, throng_error *error) {
  REQUIRE_POINTER(world, error);
  if (group >= THRONG_MAX_GROUPS || !world->group_defined[group]) {
    return throng_fail(error, THRONG_ERROR_NO_GROUP, "group %u is not defined", group);
  }
  const throng_behaviour *b = behaviour_of(&world->group[group]);
  if (!b) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group %u keeps no formation: no such behaviour with a weight",
                       group);
  }
  const uint32_t number = (uint32_t)b->formation.number;
  struct filling filling = {.world = world, .formation = &world->formation[number]};
  const uint32_t slots = filling.formation->slots;
  if (slots == 0) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group %u keeps formation %u, which the world does not have",
                       group, number);
  }
  const throng_allocator *allocator = &world->def.allocator;
  const size_t members = (size_t)world->group_agents[group] + 1;
  filling.member = throng_allocate(allocator, members * sizeof *filling.member);
  filling.queue = throng_allocate(allocator, slots * sizeof *filling.queue);
  throng_status status = THRONG_OK;
  if (filling.member && filling.queue) {
    float frame[TARGET_PARAMS];
    throng_behaviours_target(world, &b->target, frame);
    for (uint32_t k = 0; k < slots; k++) filling.queue[k].open = true;
    gather_members(&filling, group, &b->target, frame + TARGET_POSITION);
    place_slots(&filling, frame + TARGET_FACING);
    const uint32_t placed = place_nearest(&filling);
    if (fill) report(&filling, placed, fill);
  } else {
    status = throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory to fill a formation of %u slots", slots);
  }
  throng_release(allocator, filling.member, members * sizeof *filling.member);
  throng_release(allocator, filling.queue, slots * sizeof *filling.queue);
  return status;
}

throng_status throng_world_fill_formation(throng_world *world, uint32_t group, throng_formation_fill *fill,
                                          throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, world_fill_formation_inner(world, group, fill, error));
}
