/* formation.c: see formation.h; and who gets which place. SPDX-License-Identifier: MIT */
#include "guides/formation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "groups/behaviour.h"
#include "base/float_environment.h"
#include "state.h"
#include "agents/values.h"
#include "agents/lookup.h"
#include "base/span.h"

throng_formation_def throng_default_formation_def(void) {
  throng_formation_def def;
  memset(&def, 0, sizeof def);
  def.cookie = THRONG_FORMATION_COOKIE;
  return def;
}

static size_t place_bytes(uint32_t places) { return (size_t)places * PLACE_FLOATS * sizeof(float); }

void throng_formation_release(struct formation *formation, const throng_allocator *allocator) {
  throng_release(allocator, formation->place, place_bytes(formation->places));
  memset(formation, 0, sizeof *formation);
}

/* In periodic worlds half the shortest side: the way to a place is then the short way round, however its frame is turned. */
static float longest_place(const throng_world_def *def) {
  if (def->boundary != THRONG_BOUNDARY_PERIODIC) return KIND_MOST;
  const float x = def->box_max.x - def->box_min.x, y = def->box_max.y - def->box_min.y,
              z = def->box_max.z - def->box_min.z;
  const float shortest = x < z ? x : z;
  return 0.5f * (def->space == THRONG_SPACE_SPATIAL && y < shortest ? y : shortest);
}

static throng_status check_formation(const throng_world *world, const throng_formation_def *def, throng_error *error) {
  if (def->cookie != THRONG_FORMATION_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "formation definition has a wrong cookie: it is not from throng_default_formation_def()");
  }
  if (def->count < 1 || def->count > THRONG_MAX_FORMATION_PLACES) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "formation.count is %u, allowed: 1 to %u", def->count,
                       THRONG_MAX_FORMATION_PLACES);
  }
  if (!def->places.data) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "formation.places.data is NULL");
  const float most = longest_place(&world->def);
  for (uint32_t k = 0; k < def->count; k++) {
    static const char *const axis[] = {"right", "up", "forward"};
    float place[3];
    memcpy(place, span_at(def->places, sizeof place, k), sizeof place);
    for (int c = 0; c < 3; c++) {
      char field[40];
      if (c == 1 && !world->grid.space.spatial) continue;
      snprintf(field, sizeof field, "formation.places[%u].%s", k, axis[c]);
      TRY(throng_check_range(place[c], -most, most, field, error));
    }
  }
  return THRONG_OK;
}

throng_status throng_formation_make(const throng_world *world, const throng_formation_def *def,
                                    struct formation *formation, throng_error *error) {
  TRY(check_formation(world, def, error));
  float *place = throng_allocate(&world->def.allocator, place_bytes(def->count));
  if (!place) {
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a formation of %u places", def->count);
  }
  for (uint32_t k = 0; k < def->count; k++) {
    memcpy(place + PLACE_FLOATS * k, span_at(def->places, 3 * sizeof *place, k), 3 * sizeof *place);
    if (!world->grid.space.spatial) place[PLACE_FLOATS * k + 1] = 0.0f;
  }
  *formation = (struct formation){def->count, place};
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

uint32_t throng_world_formation_place_count(const throng_world *world, uint32_t number) {
  return world && number < THRONG_MAX_FORMATIONS ? world->formation[number].places : 0;
}

/* Filling: docs/ARITHMETIC.md, "Formations". Every open place has a queue of the free agents nearest to it; the best of all the heads is
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
  bool open;         /* of an open place */
  float position[3]; /* from the frame's origin, in the world's axes */
  uint32_t next, length;
  struct pair nearest[QUEUE_LENGTH]; /* ascending */
};
struct filling {
  throng_world *world;
  const struct formation *formation;
  struct member *member; /* [members] the group's agents; who cannot be placed, or is, is not free */
  struct queue *queue;   /* [formation->places] */
  uint32_t members;
};

/* The (right, up, forward) of a facing, in the world's axes. */
struct axes {
  float of[3][3];
};
static struct axes axes_of(const throng_world *world, const float facing[3]) {
  if (!world->grid.space.spatial) {
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

static struct pair measure(const struct filling *filling, const struct queue *queue, uint32_t member) {
  const struct grid *grid = &filling->world->grid;
  float d[3];
  for (int c = 0; c < 3; c++) {
    d[c] = filling->member[member].d[c] + queue->position[c];
    d[c] = space_difference(&grid->space.axis[c], d[c], 0.0f);
  }
  return (struct pair){grid->space.spatial ? d[0] * d[0] + d[1] * d[1] + d[2] * d[2] : d[0] * d[0] + d[2] * d[2],
                       member};
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

/* The free agent nearest to a place; NULL where none is left. */
static const struct pair *head_of(const struct filling *filling, struct queue *queue) {
  const bool short_of_some = queue->length == QUEUE_LENGTH;
  while (queue->next < queue->length && !filling->member[queue->nearest[queue->next].member].free) queue->next++;
  if (queue->next == queue->length && short_of_some) fill_queue(filling, queue);
  return queue->next < queue->length ? &queue->nearest[queue->next] : NULL;
}

/* Place by place in ascending order, so that the first of equally near ones is the smallest. */
static uint32_t place_nearest(struct filling *filling) {
  float *own = filling->world->agents.front.f[COLUMN_FORMATION_PLACE];
  for (uint32_t placed = 0;; placed++) {
    const struct pair *best = NULL;
    uint32_t place = 0;
    for (uint32_t k = 0; k < filling->formation->places; k++) {
      const struct pair *head = filling->queue[k].open ? head_of(filling, &filling->queue[k]) : NULL;
      if (!head || (best && !(head->distance_sq < best->distance_sq))) continue;
      best = head;
      place = k;
    }
    if (!best) return placed;
    own[filling->member[best->member].at] = (float)place;
    filling->member[best->member].free = false;
    filling->queue[place].open = false;
  }
}

/* The group's agents; the places that some of them have are closed. */
static void gather_members(struct filling *filling, uint32_t group, const throng_target *target,
                           const float origin[3]) {
  const throng_world *world = filling->world;
  float *const *f = world->agents.front.f;
  throng_lookup_expect(world, world->agents.count);
  for (uint32_t index = 1; index <= world->agents.ids.used; index++) {
    if (!ids_is_live(&world->agents.ids, index)) continue;
    const uint32_t at = throng_lookup_slot(world, (throng_agent_id){index, 0, 0});
    if (meta_group(world->agents.front.meta[at]) != group) continue;
    struct member *member = &filling->member[filling->members++];
    const float place = f[COLUMN_FORMATION_PLACE][at];
    const bool placed = place < (float)filling->formation->places; /* not so for a NaN */
    if (placed) filling->queue[(uint32_t)place].open = false;
    *member = (struct member){.at = at, .free = !placed};
    for (int c = 0; c < 3; c++) {
      if (c == 1 && !world->grid.space.spatial) continue;
      const float *goal = f[COLUMN_GOAL_X + c], own = goal ? goal[at] : NAN;
      const float q = target->kind == THRONG_TARGET_GOAL ? own : origin[c], p = f[COLUMN_POSITION_X + c][at];
      member->d[c] = space_difference(&world->grid.space.axis[c], q, p);
    }
    if (isnan(member->d[0])) member->free = false;
  }
}

/* Where the places are; and the agents' distances. */
static void locate_places(struct filling *filling, const float facing[3]) {
  const struct axes axes = axes_of(filling->world, facing);
  for (uint32_t k = 0; k < filling->formation->places; k++) {
    const float *place = filling->formation->place + PLACE_FLOATS * k;
    struct queue *queue = &filling->queue[k];
    for (int c = 0; c < 3; c++) {
      queue->position[c] = axes.of[0][c] * place[0] + axes.of[2][c] * place[2];
      if (filling->world->grid.space.spatial) queue->position[c] = queue->position[c] + axes.of[1][c] * place[1];
    }
    if (queue->open) fill_queue(filling, queue);
  }
}

static void report(const struct filling *filling, uint32_t placed, throng_formation_fill *fill) {
  const float *own = filling->world->agents.front.f[COLUMN_FORMATION_PLACE];
  const uint32_t places = filling->formation->places;
  *fill = (throng_formation_fill){.placed = placed};
  for (uint32_t k = 0; k < places; k++) fill->open_places += filling->queue[k].open;
  for (uint32_t k = 0; k < filling->members; k++) fill->left_over += !(own[filling->member[k].at] < (float)places);
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
  const uint32_t places = filling.formation->places;
  if (places == 0) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group %u keeps formation %u, which the world does not have",
                       group, number);
  }
  const throng_allocator *allocator = &world->def.allocator;
  const size_t members = (size_t)world->group_agents[group] + 1;
  filling.member = throng_allocate(allocator, members * sizeof *filling.member);
  filling.queue = throng_allocate(allocator, places * sizeof *filling.queue);
  throng_status status = THRONG_OK;
  if (filling.member && filling.queue) {
    float frame[TARGET_PARAMS];
    throng_behaviours_target(world, &b->target, frame);
    for (uint32_t k = 0; k < places; k++) filling.queue[k].open = true;
    gather_members(&filling, group, &b->target, frame + TARGET_POSITION);
    locate_places(&filling, frame + TARGET_FACING);
    const uint32_t placed = place_nearest(&filling);
    if (fill) report(&filling, placed, fill);
  } else {
    status = throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory to fill a formation of %u places", places);
  }
  throng_release(allocator, filling.member, members * sizeof *filling.member);
  throng_release(allocator, filling.queue, places * sizeof *filling.queue);
  return status;
}

throng_status throng_world_fill_formation(throng_world *world, uint32_t group, throng_formation_fill *fill,
                                          throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, world_fill_formation_inner(world, group, fill, error));
}
