/* commit.c: see commit.h. It also sorts a dirty world. SPDX-License-Identifier: MIT */
#include "frame/commit.h"

#include <float.h>
#include <math.h>

#include "agents/lookup.h"
#include "agents/values.h"
#include "base/assertion.h"

#define INSPECT_GRAIN 4096u /* maximum of agents per task */

void throng_strip_reset(struct strip *strip) {
  strip->bad_id = strip->bad_wish = 0;
  strip->listed_strips = strip->listed_end = 0;
  strip->candidates_tested = strip->neighbours_found = strip->lost_moves = 0;
  strip->neighbours_ns = strip->behaviours_ns = strip->integrate_ns = strip->constrain_ns = strip->contact_ns = 0;
  for (int c = 0; c < 3; c++) {
    strip->bounds_min[c] = FLT_MAX;
    strip->bounds_max[c] = -FLT_MAX;
  }
}

static void join_bounds(const throng_world *world, float min[3], float max[3]) {
  for (int c = 0; c < 3; c++) {
    min[c] = FLT_MAX;
    max[c] = -FLT_MAX;
    for (uint32_t worker = 0; worker < world->strip_count; worker++) {
      const struct strip *strip = &world->strips[worker];
      if (strip->bounds_min[c] < min[c]) min[c] = strip->bounds_min[c];
      if (strip->bounds_max[c] > max[c]) max[c] = strip->bounds_max[c];
    }
  }
}

static uint32_t smaller_id(uint32_t a, uint32_t b) { return b != 0 && (a == 0 || b < a) ? b : a; }

static uint32_t smallest_bad_id(const throng_world *world) {
  uint32_t smallest = 0;
  for (uint32_t worker = 0; worker < world->strip_count; worker++) {
    smallest = smaller_id(smallest, world->strips[worker].bad_id);
  }
  return smallest;
}

throng_status throng_commit_check_callbacks(const throng_world *world, throng_error *error) {
  uint32_t bad = 0;
  for (uint32_t worker = 0; worker < world->strip_count; worker++) {
    bad = smaller_id(bad, world->strips[worker].bad_wish);
  }
  if (bad == 0) return THRONG_OK;
  return throng_fail_agent(error, THRONG_ERROR_NOT_FINITE, throng_lookup_id_of(world, bad),
                           "a callback gave agent %u an acceleration that is not finite", bad);
}

throng_status throng_commit_check_frame(const throng_world *world, throng_error *error) {
  uint32_t bad = smallest_bad_id(world);
  if (bad == 0) return THRONG_OK;
  uint32_t slot = 0;
  ASSERT(world, ids_is_live(&world->agents.ids, bad));
  while (world->agents.front.id[slot] != bad) slot++;
  float *const *f = world->agents.back.f;
  bool spatial = world->space.spatial;
  float p[3] = {f[COLUMN_POSITION_X][slot], spatial ? f[COLUMN_POSITION_Y][slot] : 0.0f, f[COLUMN_POSITION_Z][slot]};
  float v[3] = {f[COLUMN_VELOCITY_X][slot], spatial ? f[COLUMN_VELOCITY_Y][slot] : 0.0f, f[COLUMN_VELOCITY_Z][slot]};
  bool finite = true;
  for (int c = 0; c < 3; c++) finite = finite && fabsf(p[c]) <= FLT_MAX && fabsf(v[c]) <= FLT_MAX;
  if (finite && (world->groups.features & FEATURE_STEERED_YAW)) {
    float yaw = f[COLUMN_FACING_X][slot], rate = f[COLUMN_YAW_RATE][slot];
    if (!(fabsf(yaw) <= FLT_MAX) || !(fabsf(rate) <= FLT_MAX)) {
      return throng_fail_agent(error, THRONG_ERROR_NOT_FINITE, throng_lookup_id_of(world, bad),
                               "agent %u would have %s %g and yaw rate %g: not finite", bad,
                               spatial ? "facing.x" : "yaw", (double)yaw, (double)rate);
    }
  }
  throng_status status = finite ? THRONG_ERROR_OUT_OF_RANGE : THRONG_ERROR_NOT_FINITE;
  const throng_vec3 at = axes_show(world->space.axes, p[0], p[1], p[2]);
  const throng_vec3 along = axes_show(world->space.axes, v[0], v[1], v[2]);
  return throng_fail_agent(error, status, throng_lookup_id_of(world, bad),
                           "agent %u would be at (%g, %g, %g) with velocity (%g, %g, %g): %s", bad, (double)at.x,
                           (double)at.y, (double)at.z, (double)along.x, (double)along.y, (double)along.z,
                           finite ? "too far out or too fast" : "not finite");
}

/* Checks accelerations that the host may have written. */
static void accelerations_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const throng_world *world = context;
  const struct accelerations now = throng_value_accelerations(world);
  const float *const columns[4] = {now.linear[0], now.linear[1], now.linear[2], now.yaw};
  struct strip *strip = &((throng_world *)context)->strips[worker];
  for (int c = 0; c < 4; c++) {
    uint32_t bad = 0; /* without an early exit the compiler vectorises the loop */
    for (uint32_t slot = begin; columns[c] && slot < end; slot++) bad |= !(fabsf(columns[c][slot]) <= FLT_MAX);
    for (uint32_t slot = begin; bad && slot < end; slot++) {
      if (!(fabsf(columns[c][slot]) <= FLT_MAX))
        strip->bad_id = smaller_id(strip->bad_id, world->agents.front.id[slot]);
    }
  }
}

throng_status throng_commit_check_accelerations(throng_world *world, throng_error *error) {
  for (uint32_t worker = 0; worker < world->strip_count; worker++) throng_strip_reset(&world->strips[worker]);
  throng_executor_run(&world->executor, world->agents.count, INSPECT_GRAIN, accelerations_task, NULL, world);
  const uint32_t bad = smallest_bad_id(world);
  if (bad == 0) return THRONG_OK;
  const throng_agent_id id = throng_lookup_id_of(world, bad);
  float linear[3], yaw;
  throng_value_load(world, THRONG_COLUMN_ACCELERATION, throng_lookup_slot(world, id), linear);
  throng_value_load(world, THRONG_COLUMN_YAW_ACCELERATION, throng_lookup_slot(world, id), &yaw);
  return throng_fail_agent(error, THRONG_ERROR_NOT_FINITE, id,
                           "agent %u has acceleration (%g, %g, %g) and yaw acceleration %g: not finite", bad,
                           (double)linear[0], (double)linear[1], (double)linear[2], (double)yaw);
}

/* The sort uses each mover's slot and cells as indices of its tables. */
static void check_movers(const throng_world *world) {
  const struct grid *grid = &world->grid;
  for (uint32_t strip = 0; strip < grid->strips; strip++) {
    const struct grid_mover *mover = grid->mover + grid->lists[strip].first;
    for (uint32_t k = 0; k < grid->lists[strip].count; k++, mover++) {
      ASSERT(world, mover->to == GRID_NOWHERE || mover->to >> torus_bits(&grid->next) == 0);
      ASSERT(world, mover->slot >= grid->start[mover->from] && mover->slot < grid->start[mover->from + 1]);
    }
  }
}

/* Notes the slots of the agents that were added, so that later searches for them begin there. */
static void added_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  throng_world *world = context;
  (void)worker;
  for (uint32_t slot = begin; slot < end; slot++) {
    if (world->added_from == 0 || world->grid.order[slot] >= world->added_from) {
      ids_note_slot(&world->agents.ids, world->agents.front.id[slot], slot);
    }
  }
}

static void note_added(throng_world *world) {
  if (world->added_from < world->agents.count) {
    throng_executor_run(&world->executor, world->agents.count, INSPECT_GRAIN, added_task, NULL, world);
    if (world->added_from == 0) ids_know_slots(&world->agents.ids);
  }
  world->added_from = UINT32_MAX;
}

/* Chooses the threads of the next frame. */
static void choose_threads(throng_world *world) {
  const bool leaves = throng_executor_leaves_openmp(&world->executor);
  throng_executor_fit(&world->executor, world->agents.count);
  if (leaves && world->def.log.write) {
    world->def.log.write("throng: two late frames in a second: the world goes over to threads of its own",
                         world->def.log.context);
  }
}

/* Makes the sort write the previous pose too. It sorts the pose before the frame from the front arrays of the pose, and
 * the new pose into the front arrays of the previous one. */
static void keep_pose(const throng_world *world, struct grid_move *move) {
  const struct columns *front = &world->agents.front, *back = &world->agents.back;
  for (int c = COLUMN_PREVIOUS; c < COLUMN_COUNT; c++) {
    const int pose = column_of_pose(c);
    if (!front->f[c]) continue;
    move->from[c] = front->f[pose];
    move->to[c] = back->f[c];
    move->to[pose] = front->f[c];
  }
}

/* Before the sort of a dirty world: counts the agents that came and went since the last order. throng_grid_list_marked
 * has listed the slots without an agent as movers to GRID_NOWHERE. Returns the number of agents in the last order, or,
 * if the sort cannot use that order, their number now. */
static uint32_t compare_counts(throng_world *world, struct grid_move *move) {
  const uint32_t count = world->agents.count;
  if (!world->placed) return count;
  const uint32_t sorted = grid_sorted_agents(&world->grid), arrivals = count > sorted ? count - sorted : 0;
  world->placed = count == sorted || throng_grid_takes_traffic(&world->grid, sorted, arrivals, true);
  if (!world->placed) return count;
  move->arrivals = arrivals;
  move->departures = sorted + arrivals - count;
  return sorted;
}

/* Sorts every column into grid order. If from_back[c], the new values are in the back array, and the front array
 * receives them. If not, the back array receives the values of the front array, and the two are exchanged.
 * `ends_frame`: agents may have come and gone. */
static void sort_columns(throng_world *world, const bool from_back[COLUMN_COUNT], bool ends_frame) {
  struct columns *front = &world->agents.front, *back = &world->agents.back;
  struct grid_move move = {.passes = world->passes->sort,
                           .from_id = front->id,
                           .from_meta = front->meta,
                           .to_id = back->id,
                           .to_meta = back->meta};
  for (int c = 0; c < COLUMN_COUNT; c++) {
    move.from[c] = from_back[c] ? back->f[c] : front->f[c];
    move.to[c] = from_back[c] ? front->f[c] : back->f[c];
  }
  if (ends_frame) keep_pose(world, &move);
  if (world->placed && throng_grid_keeps_torus(&world->grid)) check_movers(world);
  const uint32_t count = ends_frame ? world->hooks->commit(world, &move) : compare_counts(world, &move);
  choose_threads(world);
  throng_grid_sort(&world->grid, count, world->placed, &move, &world->executor, &world->tracer);
  for (int c = 0; c < COLUMN_COUNT; c++) {
    front->f[c] = move.to[c];
    back->f[c] = from_back[c] ? back->f[c] : (float *)(uintptr_t)move.from[c];
  }
  front->id = move.to_id;
  front->meta = move.to_meta;
  back->id = (uint32_t *)(uintptr_t)move.from_id;
  back->meta = (uint32_t *)(uintptr_t)move.from_meta;
  ASSERT(world, world->grid.start[(size_t)1 << torus_bits(&world->grid.torus)] == world->agents.count);
  ASSERT(world, world->grid.strip_start[world->grid.strips] == world->agents.count);
  ids_forget_slots(&world->agents.ids);
  note_added(world);
  world->dirty = world->written = world->removed = world->steered = false;
  world->placed = true;
  world->has_previous |= ends_frame && world->def.keep_previous_pose;
}

void throng_commit_frame(throng_world *world, uint64_t kinds) {
  ASSERT(world, !world_has_changed(world) && world->placed);
  bool from_back[COLUMN_COUNT];
  commit_list_written(world, kinds, from_back);
  float min[3], max[3];
  join_bounds(world, min, max);
  sort_columns(world, from_back, true);
  throng_grid_set_bounds(&world->grid, world->agents.count, min, max);
  world->frame++;
}

/* The sort of a dirty world. The host may have written its columns: they are checked first. */

/* Whether the agent in a slot is inside a blocked cell or a shape. Its position must be finite. */
static bool stands_blocked(const throng_world *world, uint32_t slot) {
  float *const *f = world->agents.front.f;
  return throng_cells_is_blocked(&world->objects.cells, f[COLUMN_POSITION_X][slot], f[COLUMN_POSITION_Z][slot]) ||
         !throng_scenery_is_free(&world->objects.scenery, agent_position(world, slot), 0.0);
}

/* Returns the error of an agent's state; THRONG_OK if it has none. */
static throng_status slot_status(const throng_world *world, uint32_t slot) {
  float *const *f = world->agents.front.f;
  const struct space *space = &world->space;
  const float *height = f[COLUMN_POSITION_Y]; /* in planar worlds throng does not use y, but it must be finite */
  if (height && !(fabsf(height[slot]) <= FLT_MAX)) return THRONG_ERROR_NOT_FINITE;
  for (int c = 0; c < 3; c++) {
    if (c == 1 && !space->spatial) continue;
    float p = f[COLUMN_POSITION_X + c][slot], v = f[COLUMN_VELOCITY_X + c][slot];
    if (!(fabsf(p) <= FLT_MAX) || !(fabsf(v) <= FLT_MAX)) return THRONG_ERROR_NOT_FINITE;
    if (fabsf(v) > MOST_SPEED) return THRONG_ERROR_OUT_OF_RANGE;
    if (p < space->low[c] || p > space->high[c]) return THRONG_ERROR_OUT_OF_RANGE;
  }
  return stands_blocked(world, slot) ? THRONG_ERROR_BLOCKED : THRONG_OK;
}

static void inspect_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const throng_world *world = context;
  struct strip *strip = &world->strips[worker];
  strip->begin = begin;
  strip->end = end;
  world->passes->motion->inspect(&world->def, &world->grid, &world->agents.front, strip);
  if (!world->objects.cells.blocked && !world->objects.scenery.shapes) return;
  /* An agent that only frames have moved is outside of scenery. */
  const uint8_t *mark = world->placed && !world->written ? world->grid.displaced.state : NULL;
  for (uint32_t slot = begin; slot < end; slot++) { /* scenery is tested only if the position is finite */
    if (mark && mark[slot] == 0) continue;
    const bool bad = strip->bad_id != 0 ? slot_status(world, slot) != THRONG_OK : stands_blocked(world, slot);
    if (bad) strip->bad_id = smaller_id(strip->bad_id, world->agents.front.id[slot]);
  }
}

static void changes_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  throng_world *world = context;
  struct strip *strip = &world->strips[worker];
  for (uint32_t k = begin; k < end; k++) {
    if (world->written) {
      strip_open(strip, &world->grid, k);
      world->passes->motion->changes(&world->grid, &world->agents.front, strip);
    } else {
      throng_grid_list_marked(&world->grid, &world->agents.front, world->agents.count, k);
    }
    throng_grid_list_leavers(&world->grid, k, worker);
  }
}

static throng_status bad_slot(const throng_world *world, uint32_t id, throng_error *error) {
  uint32_t slot = 0;
  ASSERT(world, ids_is_live(&world->agents.ids, id));
  while (world->agents.front.id[slot] != id) slot++;
  float *const *f = world->agents.front.f;
  throng_status status = slot_status(world, slot);
  ASSERT(world, status != THRONG_OK); /* the pass `inspect` found the same error */
  const char *why = status == THRONG_ERROR_NOT_FINITE ? "not finite"
                    : status == THRONG_ERROR_BLOCKED  ? "inside a blocked cell or inside scenery"
                                                      : "outside the world, or too fast";
  const bool spatial = world->space.spatial;
  const float height = f[COLUMN_POSITION_Y] ? f[COLUMN_POSITION_Y][slot] : 0.0f;
  const throng_axes *axes = world->space.axes;
  const throng_vec3 at = axes_show(axes, f[COLUMN_POSITION_X][slot], height, f[COLUMN_POSITION_Z][slot]);
  const throng_vec3 along = axes_show(axes, f[COLUMN_VELOCITY_X][slot], spatial ? f[COLUMN_VELOCITY_Y][slot] : 0.0f,
                                      f[COLUMN_VELOCITY_Z][slot]);
  return throng_fail_agent(error, status, throng_lookup_id_of(world, id),
                           "agent %u at (%g, %g, %g) with velocity (%g, %g, %g): %s", id, (double)at.x, (double)at.y,
                           (double)at.z, (double)along.x, (double)along.y, (double)along.z, why);
}

/* Sorts a dirty world under `torus`; NULL: under the torus that suits the agents. */
static throng_status sort_dirty(throng_world *world, const struct torus *torus, throng_error *error) {
  world->tracer.frame = world->frame;
  struct lap lap = lap_start(&world->tracer, 0, 0, world->agents.count);
  for (uint32_t worker = 0; worker < world->strip_count; worker++) throng_strip_reset(&world->strips[worker]);
  throng_trace_run(&world->tracer, &world->executor, THRONG_PASS_CHECK, world->agents.count, INSPECT_GRAIN,
                   inspect_task, NULL, world);
  uint32_t bad = smallest_bad_id(world);
  if (bad != 0) return bad_slot(world, bad, error);
  TRY(world->hooks->check(world, error));
  float min[3], max[3];
  join_bounds(world, min, max);
  throng_grid_set_bounds(&world->grid, world->agents.count, min, max);
  throng_grid_plan(&world->grid, world->agents.count);
  if (torus) world->grid.next = *torus;
  if (world->written && world->removed) world->placed = false; /* `changes` does not see other agents in a slot */
  if (world->placed && throng_grid_keeps_torus(&world->grid)) {
    throng_grid_prepare_sort(&world->grid, grid_sorted_agents(&world->grid), &world->executor);
    throng_trace_run(&world->tracer, &world->executor, THRONG_PASS_KEYS, world->grid.strips,
                     INSPECT_GRAIN / STRIP_AGENTS, changes_task, world->grid.strip_start, world);
  }
  const bool from_back[COLUMN_COUNT] = {false};
  sort_columns(world, from_back, false);
  lap_end(&lap, THRONG_PASS_INDEX, NULL);
  return THRONG_OK;
}

throng_status throng_commit_index(throng_world *world, throng_error *error) { return sort_dirty(world, NULL, error); }

throng_status throng_commit_index_under(throng_world *world, const struct torus *torus, throng_error *error) {
  ASSERT(world, throng_grid_may_have_torus(&world->grid, torus, world->agents.count));
  return sort_dirty(world, torus, error);
}

static OUT_OF_LINE throng_status world_index_inner(throng_world *world, throng_error *error) {
  return world_has_changed(world) ? throng_commit_index(world, error) : THRONG_OK;
}

throng_status throng_world_index(throng_world *world, throng_error *error) {
  RETURN_ALONE(world, error, world_index_inner(world, error));
}

bool throng_world_is_indexed(const throng_world *world) { return world && !world->dirty; }
