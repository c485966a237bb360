/* fill_formation.c: gives the places of a group's formation to its agents. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "agents/lookup.h"
#include "agents/values.h"
#include "base/arithmetic.h"
#include "base/assertion.h"
#include "base/float_environment.h"
#include "groups/behaviour_internal.h"
#include "state.h"

/* The method is in docs/ARITHMETIC.md, "Formations". Every open place has a list of the nearest free agents. The
 * nearest agent at the head of a list gets its place next. An empty list is filled again with the agents that are
 * still free. */

#define LIST_LENGTH 64u

struct member {
  uint32_t at;     /* its slot */
  uint32_t leader; /* id index of its own target; 0 if all members share the target */
  bool free;
  float d[3]; /* from it to the target */
};
struct pair {
  float distance_sq;
  uint32_t member; /* by ascending id index */
};
struct nearest_list {
  bool open;         /* of an open place of the present target */
  float position[3]; /* the place, relative to the target, in the world's axes */
  uint32_t next, length;
  struct pair nearest[LIST_LENGTH]; /* ascending */
};
struct filling {
  throng_world *world;
  const struct formation *formation;
  struct member *member;     /* [members] the agents with the present target; free: the agent has no place yet */
  struct nearest_list *list; /* [formation->places] */
  uint32_t members;
};

/* The vectors right, up and forward of a facing, in the world's axes. */
struct axes {
  float of[3][3];
};
static struct axes axes_of(const throng_world *world, const float facing[3]) {
  if (!world->space.spatial) {
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

static struct pair measure(const struct filling *filling, const struct nearest_list *list, uint32_t member) {
  const struct grid *grid = &filling->world->grid;
  float d[3];
  ASSERT(filling->world, member < filling->members);
  for (int c = 0; c < 3; c++) {
    d[c] = filling->member[member].d[c] + list->position[c];
    d[c] = space_difference(&grid->space->axis[c], d[c], 0.0f);
  }
  return (struct pair){grid->space->spatial ? d[0] * d[0] + d[1] * d[1] + d[2] * d[2] : d[0] * d[0] + d[2] * d[2],
                       member};
}

/* Fills a list by insertion sort: few agents get into it. */
static void fill_list(const struct filling *filling, struct nearest_list *list) {
  struct pair *nearest = list->nearest;
  list->next = list->length = 0;
  for (uint32_t k = 0; k < filling->members; k++) {
    if (!filling->member[k].free) continue;
    const struct pair pair = measure(filling, list, k);
    if (list->length == LIST_LENGTH && !(pair.distance_sq < nearest[LIST_LENGTH - 1].distance_sq)) continue;
    uint32_t at = list->length < LIST_LENGTH ? list->length++ : LIST_LENGTH - 1;
    for (; at > 0 && pair.distance_sq < nearest[at - 1].distance_sq; at--) nearest[at] = nearest[at - 1];
    nearest[at] = pair;
  }
}

/* Returns the free agent that is nearest to the list's place; NULL if no agent is free. */
static const struct pair *head_of(const struct filling *filling, struct nearest_list *list) {
  const bool may_lack_some = list->length == LIST_LENGTH;
  ASSERT(filling->world, list->next <= list->length && list->length <= LIST_LENGTH);
  while (list->next < list->length && !filling->member[list->nearest[list->next].member].free) list->next++;
  if (list->next == list->length && may_lack_some) fill_list(filling, list);
  return list->next < list->length ? &list->nearest[list->next] : NULL;
}

/* Gives open places to free agents, the nearest pair first, and returns their number. Places are visited in ascending
 * order, so that a tie goes to the smallest. */
static uint32_t place_nearest(struct filling *filling) {
  float *own = filling->world->agents.front.f[COLUMN_FORMATION_PLACE];
  for (uint32_t placed = 0;; placed++) {
    const struct pair *best = NULL;
    uint32_t place = 0;
    for (uint32_t k = 0; k < filling->formation->places; k++) {
      const struct pair *head = filling->list[k].open ? head_of(filling, &filling->list[k]) : NULL;
      if (!head || (best && !(head->distance_sq < best->distance_sq))) continue;
      best = head;
      place = k;
    }
    if (!best) return placed;
    ASSERT(filling->world, filling->member[best->member].free && filling->list[place].open);
    own[filling->member[best->member].at] = (float)place;
    filling->member[best->member].free = false;
    filling->list[place].open = false;
  }
}

/* Returns the id index of an agent's own target, or 0 if it has none that is live. */
static uint32_t leader_of(const throng_world *world, uint32_t at) {
  throng_agent_id target;
  throng_value_load(world, THRONG_COLUMN_TARGET, at, &target);
  return target.index != 0 && throng_agents_is_valid(world, target) ? target.index : 0;
}

/* Lists the group's agents by ascending id index. */
static void list_members(struct filling *filling, uint32_t group, const throng_target *target) {
  const throng_world *world = filling->world;
  throng_lookup_expect(world, world->agents.count);
  struct id_loop all = throng_lookup_all(world);
  for (uint32_t index; (index = lookup_next(&all)) != 0;) {
    const uint32_t at = throng_lookup_slot(world, (throng_agent_id){index, 0, 0});
    if (meta_group(world->agents.front.meta[at]) != group) continue;
    const uint32_t leader = target->kind == THRONG_TARGET_OWN ? leader_of(world, at) : 0;
    ASSERT(world, filling->members < world->group_agents[group]); /* the size of the list */
    filling->member[filling->members++] = (struct member){.at = at, .leader = leader};
  }
}

/* Puts the members with one leader next to each other, in their order, by merging halves. `spare` has as much room. */
static void sort_by_leader(struct member *member, struct member *spare, uint32_t members) {
  if (members < 2) return;
  const uint32_t half = members / 2;
  sort_by_leader(member, spare, half);
  sort_by_leader(member + half, spare, members - half);
  memcpy(spare, member, members * sizeof *member);
  uint32_t a = 0, b = half;
  for (uint32_t k = 0; k < members; k++) {
    const bool first = b == members || (a < half && spare[a].leader <= spare[b].leader);
    member[k] = first ? spare[a++] : spare[b++];
  }
}

/* Measures the members' distances from the target at `origin`; NaN: each has a goal. Places that they already have are
 * closed. */
static void measure_members(struct filling *filling, const throng_target *target, const float origin[3]) {
  const throng_world *world = filling->world;
  float *const *f = world->agents.front.f;
  for (uint32_t k = 0; k < filling->members; k++) {
    struct member *member = &filling->member[k];
    const uint32_t at = member->at;
    const float place = f[COLUMN_FORMATION_PLACE][at];
    const bool placed = place < (float)filling->formation->places; /* not so for a NaN */
    if (placed) filling->list[(uint32_t)place].open = false;
    member->free = !placed;
    for (int c = 0; c < 3; c++) {
      if (c == 1 && !world->space.spatial) continue;
      const float *goal = f[COLUMN_GOAL_X + c], own = goal ? goal[at] : NAN;
      const float q = target->kind == THRONG_TARGET_GOAL ? own : origin[c], p = f[COLUMN_POSITION_X + c][at];
      member->d[c] = space_difference(&world->space.axis[c], q, p);
    }
    if (isnan(member->d[0])) member->free = false;
  }
}

/* Computes the positions of the places and the nearest agents of each open one. */
static void locate_places(struct filling *filling, const float facing[3]) {
  const struct axes axes = axes_of(filling->world, facing);
  for (uint32_t k = 0; k < filling->formation->places; k++) {
    const float *place = filling->formation->place + PLACE_FLOATS * k;
    struct nearest_list *list = &filling->list[k];
    for (int c = 0; c < 3; c++) {
      list->position[c] = axes.of[0][c] * place[0] + axes.of[2][c] * place[2];
      if (filling->world->space.spatial) list->position[c] = list->position[c] + axes.of[1][c] * place[1];
    }
    if (list->open) fill_list(filling, list);
  }
}

/* Returns how many members have no place. */
static uint32_t count_left_over(const struct filling *filling) {
  const float *own = filling->world->agents.front.f[COLUMN_FORMATION_PLACE];
  uint32_t count = 0;
  for (uint32_t k = 0; k < filling->members; k++)
    count += !(own[filling->member[k].at] < (float)filling->formation->places);
  return count;
}

/* Fills the formation of one target, and adds to *fill. */
static void fill_for(struct filling *filling, const throng_target *target, throng_formation_fill *fill) {
  const uint32_t places = filling->formation->places;
  float values[TARGET_PARAMS];
  throng_behaviours_target(filling->world, target, values);
  for (uint32_t k = 0; k < places; k++) filling->list[k].open = true;
  measure_members(filling, target, values + TARGET_POSITION);
  locate_places(filling, values + TARGET_FACING);
  fill->placed += place_nearest(filling);
  for (uint32_t k = 0; k < places; k++) fill->open_places += filling->list[k].open;
  fill->left_over += count_left_over(filling);
}

/* Fills the formation of each leader of its own. Members without one get no place. */
static void fill_for_each(struct filling *filling, struct member *spare, throng_formation_fill *fill) {
  struct member *all = filling->member;
  const uint32_t members = filling->members;
  sort_by_leader(all, spare, members);
  for (uint32_t begin = 0, end; begin < members; begin = end) {
    for (end = begin + 1; end < members && all[end].leader == all[begin].leader;) end++;
    filling->member = all + begin;
    filling->members = end - begin;
    if (all[begin].leader == 0) {
      fill->left_over += count_left_over(filling);
      continue;
    }
    const uint32_t slot = throng_lookup_slot(filling->world, (throng_agent_id){all[begin].leader, 0, 0});
    const throng_target leader = {.kind = THRONG_TARGET_AGENT, .agent = throng_lookup_id_at(filling->world, slot)};
    fill_for(filling, &leader, fill);
  }
  filling->member = all;
  filling->members = members;
}

/* Returns the behaviour that names the group's formation; NULL if there is none with a weight. */
static const throng_behaviour *behaviour_of(const throng_group_def *def) {
  for (uint32_t k = 0; k < def->behaviour_count; k++) {
    const throng_behaviour *b = &def->behaviour[k];
    if (b->kind == THRONG_BEHAVIOUR_FORMATION && b->weight != 0.0f) return b;
  }
  return NULL;
}

static OUT_OF_LINE throng_status world_fill_formation_inner(throng_world *world, uint32_t group,
                                                            throng_formation_fill *fill, throng_error *error) {
  if (group >= THRONG_MAX_GROUPS || !world->group_defined[group]) {
    return throng_fail(error, THRONG_ERROR_NO_GROUP, "group %u is not defined", group);
  }
  const throng_behaviour *b = behaviour_of(&world->group[group]);
  if (!b) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group %u keeps no formation: no such behaviour with a weight",
                       group);
  }
  TRY(world_refuse_ghosts(world, "throng_world_fill_formation", error));
  const uint32_t index = b->formation.index;
  struct filling filling = {.world = world, .formation = &world->objects.formation[index]};
  const uint32_t places = filling.formation->places;
  if (places == 0) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "group %u keeps formation %u, which the world does not have",
                       group, index);
  }
  const throng_allocator *allocator = &world->def.allocator;
  const bool own = b->target.kind == THRONG_TARGET_OWN;
  const size_t members = ((size_t)world->group_agents[group] + 1) * (own ? 2 : 1);
  filling.member = throng_allocate(allocator, members * sizeof *filling.member);
  filling.list = throng_allocate(allocator, places * sizeof *filling.list);
  throng_status status = THRONG_OK;
  if (filling.member && filling.list) {
    throng_formation_fill filled = {0};
    list_members(&filling, group, &b->target);
    if (own) {
      fill_for_each(&filling, filling.member + members / 2, &filled);
    } else {
      fill_for(&filling, &b->target, &filled);
    }
    if (fill) *fill = filled;
  } else {
    status = throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory to fill a formation of %u places", places);
  }
  throng_release(allocator, filling.member, members * sizeof *filling.member);
  throng_release(allocator, filling.list, places * sizeof *filling.list);
  return status;
}

throng_status throng_world_fill_formation(throng_world *world, uint32_t group, throng_formation_fill *fill,
                                          throng_error *error) {
  RETURN_ALONE(world, error, world_fill_formation_inner(world, group, fill, error));
}
