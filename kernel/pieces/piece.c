/* piece.c: makes a world a piece of a larger one. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include <throng/piece.h>

#include "agents/room.h"
#include "base/assertion.h"
#include "frame/frame.h"
#include "pieces/exchange.h"
#include "pieces/phases.h"

#define PIECE_COOKIE 0x70696531u

throng_piece_def throng_default_piece_def(void) { return (throng_piece_def){.cookie = PIECE_COOKIE}; }

static void set_box(struct piece_state *piece, const float min[3], const float max[3]) {
  memcpy(piece->inner_min, min, sizeof piece->inner_min);
  memcpy(piece->inner_max, max, sizeof piece->inner_max);
}

/* Sets the cells that agents have along a periodic axis. */
static void set_span(struct grid_axis *axis, float min, float max) {
  const double low = floor(((double)min - (double)axis->origin) * (double)axis->inverse) - 1.0;
  const double high = floor(((double)max - (double)axis->origin) * (double)axis->inverse) + 1.0;
  axis->first = 0;
  axis->span = axis->period;
  if (!(high - low + 1.0 < (double)axis->period)) return;
  axis->span = (int32_t)(high - low + 1.0);
  axis->first = (int32_t)(low - floor(low / (double)axis->period) * (double)axis->period);
  ASSERT_ALONE(axis->first >= 0 && axis->first <= axis->period && axis->span < axis->period);
}

static throng_status set_outer_box(throng_world *world, throng_vec3 min, throng_vec3 max, throng_error *error) {
  const float low[3] = {min.x, min.y, min.z}, high[3] = {max.x, max.y, max.z};
  struct space *space = &world->space;
  if (!world->piece.set) return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "the world is no piece");
  for (int c = 0; c < 3; c++) {
    if (low[c] <= high[c]) continue;
    return throng_fail(error, low[c] > high[c] ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE,
                       "outer box: min.%c is %g, max.%c is %g", "xyz"[c], (double)low[c], "xyz"[c], (double)high[c]);
  }
  for (int c = 0; c < 3; c++) {
    if (space->axis[c].period && !world->grid.thins) set_span(&space->axis[c], low[c], high[c]);
  }
  world->dirty = world->grid.replans = true;
  world->placed = world->steered = false; /* the order of the agents may differ */
  return THRONG_OK;
}

/* Other pieces know the columns that they see, and the group and the target of each agent. */
static void note_write(throng_world *world, throng_column column) {
  const uint64_t known =
      throng_piece_seen_columns(world) | THRONG_BIT(THRONG_COLUMN_GROUP) | THRONG_BIT(THRONG_COLUMN_TARGET);
  world->piece.changes += (known & THRONG_BIT(column)) != 0;
}

static const struct world_hooks piece_hooks = {.wrote = note_write,
                                               .check = throng_exchange_check,
                                               .has_contact = throng_exchange_has_contact,
                                               .run = throng_phases_run,
                                               .defers = throng_exchange_defers,
                                               .contact = throng_exchange_contact,
                                               .exchange = throng_exchange_run,
                                               .agree = throng_exchange_agree,
                                               .commit = throng_exchange_commit};

static throng_status set_inner(throng_world *world, const throng_piece_def *def, throng_error *error) {
  struct piece_state *piece = &world->piece;
  if (!def) {
    TRY(world_refuse_ghosts(world, "it becomes a whole world", error));
    set_outer_box(world, (throng_vec3){-INFINITY, -INFINITY, -INFINITY}, (throng_vec3){INFINITY, INFINITY, INFINITY},
                  error);
    throng_columns_release_arrays(&world->agents, ARRAYS_FATES, &world->def.allocator);
    throng_release(&world->def.allocator, piece->groups, sizeof *piece->groups);
    memset(piece, 0, sizeof *piece);
    world->hooks = &throng_whole_hooks;
    return THRONG_OK;
  }
  if (def->cookie != PIECE_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "piece definition has a wrong cookie: it is not from throng_default_piece_def()");
  }
  if (!def->exchange) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "piece.exchange is NULL");
  TRY(throng_room_make(world, 1, 1, false, error)); /* an exchange may bring the first agents */
  TRY(throng_columns_need_arrays(&world->agents, ARRAYS_FATES, &world->def.allocator, error));
  if (!piece->groups) piece->groups = throng_allocate(&world->def.allocator, sizeof *piece->groups);
  if (!piece->groups) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a piece");
  if (!piece->set) {
    memset(piece->groups, 0, sizeof *piece->groups);
    const float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    set_box(piece, low, high);
  }
  world->hooks = &piece_hooks;
  piece->def = *def;
  piece->set = true;
  return THRONG_OK;
}

throng_status throng_piece_set(throng_world *world, const throng_piece_def *def, throng_error *error) {
  RETURN_ALONE(world, error, set_inner(world, def, error));
}

static throng_status set_inner_box(throng_world *world, throng_vec3 min, throng_vec3 max, throng_error *error) {
  const float low[3] = {min.x, min.y, min.z}, high[3] = {max.x, max.y, max.z};
  if (!world->piece.set) return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "the world is no piece");
  for (int c = 0; c < 3; c++) {
    if (!isnan(low[c]) && !isnan(high[c])) continue;
    return throng_fail(error, THRONG_ERROR_NOT_FINITE, "inner box: min.%c, max.%c are %g, %g: NaN is not allowed",
                       "xyz"[c], "xyz"[c], (double)low[c], (double)high[c]);
  }
  set_box(&world->piece, low, high);
  return THRONG_OK;
}

throng_status throng_piece_set_inner_box(throng_world *world, throng_vec3 min, throng_vec3 max, throng_error *error) {
  RETURN_ALONE(world, error, set_inner_box(world, min, max, error));
}

static throng_status set_rim(throng_world *world, float width, throng_error *error) {
  if (!world->piece.set) return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "the world is no piece");
  if (isnan(width)) return throng_fail(error, THRONG_ERROR_NOT_FINITE, "the rim's width is NaN");
  if (width < 0.0f)
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "the rim's width is %g, allowed: 0 and more", (double)width);
  world->piece.rim = width;
  return THRONG_OK;
}

throng_status throng_piece_set_rim(throng_world *world, float width, throng_error *error) {
  RETURN_ALONE(world, error, set_rim(world, width, error));
}

throng_status throng_piece_set_outer_box(throng_world *world, throng_vec3 min, throng_vec3 max, throng_error *error) {
  RETURN_ALONE(world, error, set_outer_box(world, min, max, error));
}

static throng_status set_live_groups(throng_world *world, const uint8_t *live, throng_error *error) {
  struct piece_state *piece = &world->piece;
  if (!piece->set) return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "the world is no piece");
  for (uint32_t g = 0; live && g < THRONG_MAX_GROUPS; g++) {
    if (live[g] && !world->group_defined[g])
      return throng_fail(error, THRONG_ERROR_NO_GROUP, "live[%u] is %u, but group %u is not defined", g, live[g], g);
  }
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) piece->groups->live[g] = live && live[g];
  world->steered = false;
  return THRONG_OK;
}

throng_status throng_piece_set_live_groups(throng_world *world, const uint8_t *live, throng_error *error) {
  RETURN_ALONE(world, error, set_live_groups(world, live, error));
}

static throng_status set_frame(throng_world *world, uint64_t frame) {
  world->frame = frame;
  world->piece.changes++;
  world->steered = false;
  return THRONG_OK;
}

throng_status throng_piece_set_frame(throng_world *world, uint64_t frame, throng_error *error) {
  RETURN_ALONE(world, error, set_frame(world, frame));
}

uint64_t throng_piece_changes(const throng_world *world) { return world ? world->piece.changes : 0; }

uint32_t throng_piece_ghost_count(const throng_world *world) { return world ? world->piece.ghosts : 0; }

static void move_agent(struct columns *columns, uint32_t from, uint32_t to) {
  for (int c = 0; c < COLUMN_COUNT; c++) {
    if (columns->f[c]) columns->f[c][to] = columns->f[c][from];
  }
  columns->id[to] = columns->id[from];
  columns->meta[to] = columns->meta[from];
}

/* Keeps the order of the own agents, so that agents that were added since the last sort stay behind the others. */
static throng_status drop_inner(throng_world *world) {
  struct agents *agents = &world->agents;
  if (world->piece.ghosts == 0) return THRONG_OK;
  uint32_t kept = 0, added_from = world->added_from;
  for (uint32_t slot = 0; slot < agents->count; slot++) {
    if (slot == world->added_from) added_from = kept;
    const uint32_t meta = agents->front.meta[slot];
    if (meta & META_GHOST) {
      world_count_agent(world, meta, -1);
      throng_ids_give_back(&agents->ids, agents->front.id[slot]);
    } else {
      if (kept != slot) move_agent(&agents->front, slot, kept);
      ids_note_slot(&agents->ids, agents->front.id[kept], kept);
      kept++;
    }
  }
  ASSERT(world, kept == agents->ids.live && world->piece.ghosts == 0);
  agents->count = kept;
  world->piece.changes++;
  world->added_from = added_from;
  ids_forget_slots(&agents->ids);
  world->dirty = true;
  world->removed = true;
  world->placed = world->steered = false;
  return THRONG_OK;
}

throng_status throng_piece_drop_ghosts(throng_world *world, throng_error *error) {
  RETURN_ALONE(world, error, drop_inner(world));
}
