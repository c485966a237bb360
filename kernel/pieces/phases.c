/* phases.c: see phases.h. SPDX-License-Identifier: MIT */
#include "pieces/phases.h"

#include <math.h>
#include <string.h>

#include "base/assertion.h"
#include "pieces/exchange.h"

#define MOST_PARTS 4u   /* phases after the first */
#define PART_STRIPS 16u /* minimum of a worker's strips in a phase */

struct phases {
  struct frame_run run;
  uint32_t count, now; /* count 1: all strips run */
};

/* Returns the number of phases: 1 if the rim has all strips, which then have phase 0. */
static uint32_t count_phases(const throng_world *world) {
  const struct grid *grid = &world->grid;
  if (world->piece.rim == INFINITY) {
    memset(grid->phase, 0, grid->strips * sizeof *grid->phase);
    return 1;
  }
  const uint32_t parts = grid->strips / (PART_STRIPS * world->executor.team);
  return 1 + (parts < 1 ? 1 : parts > MOST_PARTS ? MOST_PARTS : parts);
}

/* Whether the agents [begin, end) are nearer than `nearest` to a side of the inner box along an axis, or outside. */
static bool are_near_side(const throng_world *world, int axis, uint32_t begin, uint32_t end, float nearest) {
  const float low = world->piece.inner_min[axis] + nearest, high = world->piece.inner_max[axis] - nearest;
  const float *p = world->agents.front.f[COLUMN_POSITION_X + axis];
  int inside = 1; /* a NaN is not inside */
  for (uint32_t slot = begin; slot < end; slot++) inside &= (p[slot] > low) & (p[slot] < high);
  return !inside;
}

/* Whether a strip belongs to the rim. The agents of a row are ordered by bin. So the first and the last agent of a
 * strip are the outermost ones, to within a cell, unless the strip goes on from the row's last bin to its first. */
static bool is_rim(const throng_world *world, uint32_t begin, uint32_t end) {
  const struct grid *grid = &world->grid;
  ASSERT(world, begin < end && end <= world->agents.count);
  const struct true_cell first = throng_grid_cell_of(grid, &world->agents.front, begin);
  const struct true_cell last = throng_grid_cell_of(grid, &world->agents.front, end - 1);
  const struct grid_axis *along = &grid->space->axis[0];
  const bool row = first.row_y == last.row_y && first.row_z == last.row_z && !throng_grid_may_alias(grid) &&
                   space_unwrap(along, first.bin) <= space_unwrap(along, last.bin);
  for (int c = 0; c < 3; c++) {
    if (c == 1 && !grid->space->spatial) continue;
    const float near_row = world->piece.rim + world->def.perception_radius;
    const bool near =
        row ? are_near_side(world, c, begin, begin + 1, near_row) || are_near_side(world, c, end - 1, end, near_row)
            : are_near_side(world, c, begin, end, world->piece.rim);
    if (near) return true;
  }
  return false;
}

static uint32_t phase_of(const throng_world *world, uint32_t strip, uint32_t phases) {
  const uint32_t *start = world->grid.strip_start;
  ASSERT(world, strip < world->grid.strips && phases >= 2);
  if (is_rim(world, start[strip], start[strip + 1])) return 0;
  return 1 + throng_executor_part_of(&world->executor, start[strip], world->agents.count, phases - 1);
}

/* Whether a strip runs in this phase. The first phase finds the phases of all strips. */
static bool runs_now(const struct phases *phases, uint32_t strip) {
  const throng_world *world = phases->run.world;
  uint8_t *phase = world->grid.phase;
  if (phases->count <= 1) return true;
  if (phases->now == 0) phase[strip] = (uint8_t)phase_of(world, strip, phases->count);
  return phase[strip] == phases->now;
}

static bool has_ghosts_alone(const throng_world *world, const struct strip *strip) {
  if (strip->begin < strip->end && !(world->agents.front.meta[strip->begin] & META_GHOST)) return false;
  uint32_t all = META_GHOST; /* no early exit, so that the compiler vectorises the loop */
  for (uint32_t slot = strip->begin; slot < strip->end; slot++) all &= world->agents.front.meta[slot];
  return all != 0;
}

/* Whether no pass needs to run for a strip, because it has ghosts alone. They wait for the exchange. */
static bool skips(const struct frame_run *run, uint32_t number, struct strip *strip) {
  if (run->world->piece.ghosts == 0) return false;
  strip_open(strip, &run->world->grid, number);
  if (!has_ghosts_alone(run->world, strip)) return false;
  if (run->settles) throng_exchange_defers(run->world, run->frame, strip);
  return true;
}

static void phase_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  struct phases *phases = context;
  struct strip *strip = &phases->run.world->strips[worker];
  for (uint32_t k = begin; k < end; k++) {
    if (!runs_now(phases, k) || skips(&phases->run, k, strip)) continue;
    throng_frame_run_task(k, k + 1, worker, &phases->run);
  }
}

/* After a phase: the host begins to send, or goes on. */
static void send_early(const struct phases *phases) {
  const throng_piece_def *piece = &phases->run.world->piece.def;
  ASSERT(phases->run.world, phases->run.to ? piece->contact_begin != NULL : piece->begin != NULL);
  if (phases->now > 0) {
    if (phases->now + 1 < phases->count && piece->progress) piece->progress(piece->context);
  } else if (phases->run.to) {
    piece->contact_begin(phases->run.to, piece->context);
  } else {
    throng_exchange_begin(phases->run.world, phases->run.frame);
  }
}

void throng_phases_run(struct frame_run run) {
  const throng_world *world = run.world;
  const throng_piece_def *piece = &world->piece.def;
  const bool early = run.to ? piece->contact_begin != NULL : run.settles && piece->begin; /* the host sends early */
  struct phases phases = {run, .count = early ? count_phases(world) : 1};
  for (; phases.now < phases.count; phases.now++) {
    throng_executor_run(&world->executor, world->grid.strips, 1, phase_task, world->grid.strip_start, &phases);
    if (early) send_early(&phases);
  }
}
