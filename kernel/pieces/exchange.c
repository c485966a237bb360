/* exchange.c: see exchange.h. SPDX-License-Identifier: MIT */
#include "pieces/exchange.h"

#include <float.h>
#include <math.h>

#include "base/assertion.h"
#include "frame/commit.h"

bool throng_exchange_has_contact(const throng_world *world) {
  if (world->groups.features & FEATURE_CONTACT || !world->piece.def.contact)
    return world->groups.features & FEATURE_CONTACT;
  for (uint32_t g = 0; g < world->group_room; g++) {
    if (world->group_defined[g] && world->group[g].contact > 0.0f) return true;
  }
  return false;
}

bool throng_exchange_contact(const throng_world *world, float *const position[3], bool pushed) {
  const throng_piece_def *piece = &world->piece.def;
  ASSERT(world, world->piece.set && !world->piece.exchanging);
  float *const seen[3] = {position[0], world->space.spatial ? position[1] : NULL, position[2]};
  return piece->contact ? piece->contact(seen, pushed, piece->context) : pushed;
}

/* Fates. */

/* Writes the slots of [begin, end) whose fate is from `first` to `last`, and returns their number. The list needs room
 * for all slots. */
static uint32_t list_fates(const struct agents *agents, uint32_t begin, uint32_t end, enum fate first, enum fate last,
                           uint32_t *list) {
  uint32_t count = 0;
  ASSERT_ALONE(begin <= end && end - begin <= STRIP_CAPACITY && first <= last);
  for (uint32_t slot = begin; slot < end; slot++) { /* no branch: which agents are at a border cannot be predicted */
    list[count] = slot;
    count += agents->fate[slot] - (uint32_t)first <= (uint32_t)last - (uint32_t)first;
  }
  return count;
}

/* What a frame computed for ghosts does not count. */
static void keep_ghosts(const throng_world *world, const struct strip *strip) {
  const struct agents *agents = &world->agents;
  uint32_t ghost[STRIP_CAPACITY];
  const uint32_t ghosts = list_fates(agents, strip->begin, strip->end, FATE_LEAVES, FATE_LEAVES, ghost);
  for (int c = COLUMN_POSITION_X; c <= COLUMN_FACING_Z; c++) {
    if (!agents->front.f[c]) continue;
    for (uint32_t k = 0; k < ghosts; k++) agents->back.f[c][ghost[k]] = agents->front.f[c][ghost[k]];
  }
}

bool throng_exchange_defers(const throng_world *world, const struct frame *frame, const struct strip *strip) {
  const struct piece_state *piece = &world->piece;
  if (!world->passes->motion->fates(frame, strip, piece->inner_min, piece->inner_max, world->agents.fate)) return false;
  keep_ghosts(world, strip);
  world->grid.lists[strip->number] = (struct grid_mover_list){strip->begin, 0, true};
  return true;
}

/* Adds the own agents at the border to the list, and notes the slots of ghosts: their records are looked up by id. If
 * the host has `begin`, the argument `rim` chooses the strips of the rim or the others. */
static void list_border(throng_world *world, bool rim) {
  struct agents *agents = &world->agents;
  const struct grid *grid = &world->grid;
  uint32_t *count = &world->piece.border_count;
  for (uint32_t strip = 0; strip < grid->strips; strip++) {
    if (world->piece.def.begin && (grid->phase[strip] == 0) != rim) continue;
    if (!grid->lists[strip].waits) continue;
    const uint32_t begin = grid->strip_start[strip], end = grid->strip_start[strip + 1];
    uint32_t ghost[STRIP_CAPACITY];
    const uint32_t ghosts = list_fates(agents, begin, end, FATE_LEAVES, FATE_LEAVES, ghost);
    for (uint32_t k = 0; k < ghosts; k++) ids_note_slot(&agents->ids, agents->front.id[ghost[k]], ghost[k]);
    *count += list_fates(agents, begin, end, FATE_BORDER, FATE_BORDER, agents->border + *count);
    ASSERT(world, *count <= agents->count);
  }
}

/* Widens the bounds of the frame by the arrivals. */
static void add_bounds(throng_world *world) {
  struct strip *strip = &world->strips[0];
  const uint32_t end = world->agents.count + world->piece.arrivals;
  for (int c = 0; c < 3; c++) {
    const float *p = world->agents.back.f[COLUMN_POSITION_X + c];
    if (c == 1 && !world->space.spatial) continue;
    for (uint32_t slot = world->agents.count; slot < end; slot++) {
      if (p[slot] < strip->bounds_min[c]) strip->bounds_min[c] = p[slot];
      if (p[slot] > strip->bounds_max[c]) strip->bounds_max[c] = p[slot];
    }
  }
}

/* The exchange begins: no agent has come or gone. */
static void open_exchange(throng_world *world, const struct frame *frame) {
  struct piece_state *piece = &world->piece;
  commit_list_written(world, frame->groups->kinds, piece->written);
  piece->arrivals = piece->border_count = 0;
  piece->departures = piece->ghosts;
}

typedef throng_status host_exchange(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                                    void *context);

/* Calls `begin` or `exchange` of the host with the border agents that it has not seen. */
static throng_status call_host(throng_world *world, host_exchange *function, bool rim, throng_error *error) {
  struct piece_state *piece = &world->piece;
  const struct agents *agents = &world->agents;
  const uint32_t listed = piece->border_count;
  ASSERT(world, function && !piece->exchanging);
  list_border(world, rim);
  float *const *position = agents->back.f + COLUMN_POSITION_X;
  const throng_piece_agents seen = {.border_count = piece->border_count - listed,
                                    .border = agents->border + listed,
                                    .count = agents->count,
                                    .id_index = agents->front.id,
                                    .meta = agents->front.meta,
                                    .position_x = position[0],
                                    .position_y = world->space.spatial ? position[1] : NULL,
                                    .position_z = position[2]};
  piece->exchanging = true;
  const throng_status answer = function(world, &seen, error, piece->def.context);
  piece->exchanging = false;
  return answer;
}

void throng_exchange_begin(throng_world *world, const struct frame *frame) {
  struct piece_state *piece = &world->piece;
  open_exchange(world, frame);
  piece->beginning = true;
  piece->begun = call_host(world, piece->def.begin, true, &piece->begun_error);
  piece->beginning = false;
}

/* Whether an element is an own agent that a border list of this frame had. */
static bool is_listed(const throng_world *world, uint32_t slot) {
  const struct agents *agents = &world->agents;
  const struct grid *grid = &world->grid;
  if (slot >= agents->count || agents->front.meta[slot] & META_GHOST) return false;
  const uint32_t strip = grid_range_of(grid->strip_start, grid->strips, slot);
  if (world->piece.beginning && grid->phase[strip] > 0) return false;
  return grid->lists[strip].waits && agents->fate[slot] == FATE_BORDER; /* strips that do not wait have no fates */
}

static throng_status give(throng_world *world, const uint32_t *elements, uint32_t count, bool as_ghosts,
                          throng_error *error) {
  uint32_t *fate = world->agents.fate, given = 0;
  while (given < count && is_listed(world, elements[given])) /* an element that was given is not listed again */
    fate[elements[given++]] = as_ghosts ? FATE_BECOMES_GHOST : FATE_LEAVES;
  if (given < count) {
    const uint32_t refused = given;
    while (given > 0) fate[elements[--given]] = FATE_BORDER;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "elements[%u] is %u, must be an own agent of the border list that was not given before", refused,
                       elements[refused]);
  }
  if (!as_ghosts) world->piece.departures += count;
  return THRONG_OK;
}

throng_status throng_piece_give(throng_world *world, const uint32_t *elements, uint32_t count, bool as_ghosts,
                                throng_error *error) {
  REQUIRE_POINTER(world, error);
  if (count > 0) REQUIRE_POINTER(elements, error);
  if (world->piece.exchanging) return give(world, elements, count, as_ghosts, error);
  return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "throng_piece_give works only in the exchange of a frame");
}

/* Lists every agent of the strip that leaves the piece once: as a mover to GRID_NOWHERE. */
static void list_departures(const throng_world *world, struct strip *strip) {
  struct grid_mover_list *list = &world->grid.lists[strip->number];
  struct grid_mover *mover = world->grid.mover + list->first;
  const uint32_t *fate = world->agents.fate;
  uint32_t count = 0;
  for (uint32_t k = 0; k < list->count; k++) {
    if (fate[mover[k].slot] != FATE_LEAVES) mover[count++] = mover[k];
  }
  for (uint32_t slot = strip->begin; slot < strip->end; slot++) {
    if (fate[slot] != FATE_LEAVES) continue;
    mover[count++] = (struct grid_mover){slot, strip->cell[slot - strip->begin], GRID_NOWHERE};
  }
  ASSERT(world, count <= strip->end - strip->begin); /* each agent once */
  *list = (struct grid_mover_list){list->first, count, true};
  strip->listed_end = list->first + count;
}

/* A stage: settles a strip that has waited, and lists the agents that leave. */
static void settle_waiting(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  const throng_world *world = run->world;
  if (!world->grid.lists[strip->number].waits) return;
  world->passes->motion->cells(run->frame, strip);
  world->passes->motion->settle(run->frame, strip);
  list_departures(world, strip);
  throng_grid_list_leavers(&world->grid, strip->number, lap->worker);
}

throng_status throng_exchange_run(throng_world *world, const struct frame *frame, throng_status status,
                                  throng_error *error) {
  const struct piece_state *piece = &world->piece;
  ASSERT(world, piece->set && piece->def.exchange);
  throng_error ignored;
  if (status == THRONG_OK && frame->contact && !piece->def.contact)
    status = throng_fail(error, THRONG_ERROR_UNSUPPORTED, "a group has contact, but piece.contact is NULL");
  if (!piece->def.begin) {
    open_exchange(world, frame);
  } else if (status == THRONG_OK && piece->begun != THRONG_OK) {
    status = piece->begun;
    if (error) *error = piece->begun_error;
  }
  const throng_status answer = call_host(world, piece->def.exchange, false, status == THRONG_OK ? error : &ignored);
  add_bounds(world);
  throng_frame_run_strips((struct frame_run){world, frame, .stage = settle_waiting});
  return status == THRONG_OK ? answer : status;
}

/* The checks. */

/* The id in a slot, which may be that of an arrival. */
static throng_agent_id id_at(const throng_world *world, uint32_t slot) {
  const struct columns *front = &world->agents.front;
  return (throng_agent_id){front->id[slot], (uint16_t)meta_generation(front->meta[slot]), world->def.id_world};
}

/* Returns OUT_OF_RANGE if an own agent of `columns` in slots [begin, end) is outside the outer box. */
static throng_status check_outer_box(const throng_world *world, const struct columns *columns, uint32_t begin,
                                     uint32_t end, throng_error *error) {
  const struct space *space = &world->space;
  for (uint32_t slot = begin; slot < end; slot++) {
    if (world->agents.front.meta[slot] & META_GHOST) continue;
    for (int c = 0; c < 3; c++) {
      const float *p = columns->f[COLUMN_POSITION_X + c];
      if (!p || !grid_is_outside(&space->axis[c], p[slot])) continue;
      const throng_agent_id id = id_at(world, slot);
      return throng_fail_agent(error, THRONG_ERROR_OUT_OF_RANGE, id, "agent %u is at %c = %g, outside the outer box",
                               id.index, "xyz"[c], (double)p[slot]);
    }
  }
  return THRONG_OK;
}

throng_status throng_exchange_check(const throng_world *world, throng_error *error) {
  return check_outer_box(world, &world->agents.front, 0, world->agents.count, error);
}

static throng_status check_arrival(const throng_world *world, uint32_t slot, throng_error *error) {
  const struct space *space = &world->space;
  float *const *f = world->agents.back.f;
  for (int c = 0; c < 3; c++) {
    if (c == 1 && !space->spatial) continue;
    const float p = f[COLUMN_POSITION_X + c][slot], v = f[COLUMN_VELOCITY_X + c][slot];
    if (p >= space->low[c] && p <= space->high[c] && fabsf(v) <= MOST_SPEED) continue;
    const throng_agent_id id = id_at(world, slot);
    const bool finite = fabsf(p) <= FLT_MAX && fabsf(v) <= FLT_MAX;
    return throng_fail_agent(error, finite ? THRONG_ERROR_OUT_OF_RANGE : THRONG_ERROR_NOT_FINITE, id,
                             "agent %u was taken with %c = %g and a velocity of %g along it", id.index, "xyz"[c],
                             (double)p, (double)v);
  }
  return THRONG_OK;
}

/* Checks the agents that the exchange may have left outside: those at the border, and new ones. */
static throng_status check_frame(const throng_world *world, throng_error *error) {
  const struct agents *agents = &world->agents;
  const uint32_t end = agents->count + world->piece.arrivals;
  for (uint32_t slot = agents->count; slot < end; slot++) TRY(check_arrival(world, slot, error));
  for (uint32_t k = 0; k < world->piece.border_count; k++) {
    const uint32_t slot = agents->border[k];
    if (agents->fate[slot] == FATE_BORDER) TRY(check_outer_box(world, &agents->back, slot, slot + 1, error));
  }
  return check_outer_box(world, &agents->back, agents->count, end, error);
}

/* Forgets the arrivals of a frame that failed. */
static void discard(throng_world *world) {
  struct agents *agents = &world->agents;
  for (uint32_t k = 0; k < world->piece.arrivals; k++)
    throng_ids_give_back(&agents->ids, agents->front.id[agents->count + k]);
  world->piece.arrivals = 0;
}

throng_status throng_exchange_agree(throng_world *world, throng_status status, throng_error *error) {
  const throng_piece_def *piece = &world->piece.def;
  if (status == THRONG_OK) status = check_frame(world, error);
  if (piece->agree) status = piece->agree(status, error, piece->context);
  if (status != THRONG_OK) discard(world);
  return status;
}

/* The commit. */

static void commit_agent(throng_world *world, uint32_t slot) {
  uint32_t *meta = &world->agents.front.meta[slot];
  const enum fate fate = world->agents.fate[slot];
  ASSERT(world, fate >= FATE_LEAVES && fate <= FATE_BECOMES_OWN);
  world_count_agent(world, *meta, -1);
  if (fate == FATE_LEAVES) {
    throng_ids_give_back(&world->agents.ids, world->agents.front.id[slot]);
    return;
  }
  *meta = fate == FATE_BECOMES_GHOST ? *meta | META_GHOST : *meta & ~META_GHOST;
  world_count_agent(world, *meta, 1);
}

static void move_agent(const struct grid_move *move, uint32_t from, uint32_t to) {
  for (int c = 0; c < COLUMN_COUNT; c++) {
    float *values = (float *)(uintptr_t)move->from[c];
    if (values) values[to] = values[from];
  }
  ((uint32_t *)(uintptr_t)move->from_id)[to] = move->from_id[from];
  ((uint32_t *)(uintptr_t)move->from_meta)[to] = move->from_meta[from];
}

/* Fills the slots of agents that leave with the last agents. Returns the number of agents. */
static uint32_t close_gaps(const throng_world *world, const struct grid_move *move) {
  const struct grid *grid = &world->grid;
  uint32_t count = world->agents.count + move->arrivals;
  ASSERT(world, move->departures <= count);
  for (uint32_t strip = grid->strips; strip-- > 0;) {
    if (!grid->lists[strip].waits) continue;
    for (uint32_t slot = grid->strip_start[strip + 1]; slot-- > grid->strip_start[strip];) {
      if (world->agents.fate[slot] == FATE_LEAVES && slot != --count) move_agent(move, count, slot);
    }
  }
  ASSERT(world, count == world->agents.count + move->arrivals - move->departures);
  return count;
}

uint32_t throng_exchange_commit(throng_world *world, struct grid_move *move) {
  struct agents *agents = &world->agents;
  struct piece_state *piece = &world->piece;
  const struct grid *grid = &world->grid;
  for (uint32_t strip = 0; strip < grid->strips; strip++) {
    if (!grid->lists[strip].waits) continue;
    uint32_t changed[STRIP_CAPACITY];
    const uint32_t count = list_fates(agents, grid->strip_start[strip], grid->strip_start[strip + 1], FATE_LEAVES,
                                      FATE_BECOMES_OWN, changed);
    for (uint32_t k = 0; k < count; k++) commit_agent(world, changed[k]);
  }
  for (uint32_t k = 0; k < piece->arrivals; k++) world_count_agent(world, agents->front.meta[agents->count + k], 1);
  uint32_t before = agents->count;
  move->arrivals = piece->arrivals;
  move->departures = piece->departures;
  if (!throng_grid_takes_traffic(grid, before, piece->arrivals, true)) {
    before = close_gaps(world, move);
    move->arrivals = move->departures = 0;
    world->placed = false;
  }
  ASSERT(world, piece->departures <= agents->count + piece->arrivals);
  agents->count += piece->arrivals - piece->departures;
  ASSERT(world, agents->count <= agents->capacity && agents->count == agents->ids.live);
  piece->arrivals = piece->departures = 0;
  return before;
}
