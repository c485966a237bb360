/* group_room.c: memory for group definitions and for the group table. SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/assertion.h"
#include "groups/group_internal.h"

#define LOOKED_UP 16u /* elements that a pass may load from the beginning of a row, also past the last row */

static size_t definition_bytes(uint32_t groups) { return groups * sizeof(throng_group_def); }
static size_t table_bytes(uint32_t groups) { return ((size_t)PARAM_COUNT * groups + LOOKED_UP) * sizeof(float); }

throng_status throng_groups_make_room(struct throng_world *world, uint32_t groups, throng_error *error) {
  ASSERT(world, groups <= THRONG_MAX_GROUPS);
  const throng_allocator *allocator = &world->def.allocator;
  uint32_t room = 1;
  while (room < groups) room *= 2;
  if (room <= world->group_room) return THRONG_OK;
  throng_group_def *definitions = throng_allocate(allocator, definition_bytes(room));
  float *rows = throng_allocate(allocator, table_bytes(room));
  if (!definitions || !rows) {
    throng_release(allocator, definitions, definition_bytes(room));
    throng_release(allocator, rows, table_bytes(room));
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u groups", room);
  }
  ASSERT(world, room >= groups && room > world->group_room);
  const size_t had = definition_bytes(world->group_room);
  if (had > 0) memcpy(definitions, world->group, had);
  throng_groups_release(world);
  world->group = definitions;
  world->group_room = room;
  world->groups.rows = rows;
  world->groups.row = room;
  return THRONG_OK;
}

void throng_groups_release(struct throng_world *world) {
  const throng_allocator *allocator = &world->def.allocator;
  throng_release(allocator, world->group, definition_bytes(world->group_room));
  throng_release(allocator, world->groups.rows, table_bytes(world->group_room));
  world->group = NULL;
  world->groups.rows = NULL;
  world->group_room = 0;
}
