/* frame.c: one frame, from the committed columns to the next ones. Read steer_strip() and move_strip() first: they are the
 * list of passes. Everything up to the commit writes the back columns only, so a frame that fails has not happened.
 * SPDX-License-Identifier: MIT */

#include "float_environment.h"
#include "commit.h"
#include "grid_thin.h"
#include "profile.h"
#include "state.h"

/* What wanted to move: accelerations from neighbours, goals and wander, blended. */
static void steer_strip(const throng_world *world, const struct frame *frame, struct strip *strip) {
  const struct pass_table *passes = world->passes;
  const uint32_t rules = frame->groups->rules;
  uint64_t time = profile_start(frame);
  if (rules & NEIGHBOUR_RULES) (*passes->neighbours)(frame, strip);
  profile_add(frame, &strip->neighbours_ns, &time);
  if (rules & (1u << RULE_SEEK | 1u << RULE_ARRIVE)) passes->behaviours->goals(frame, strip);
  if (rules & 1u << RULE_WANDER) passes->behaviours->wander(frame, strip);
  passes->behaviours->blend(frame, strip);
  profile_add(frame, &strip->behaviours_ns, &time);
}

/* What then happens: velocity and position, scenery, facing, and the keys of the next index. */
static void move_strip(const throng_world *world, const struct frame *frame, struct strip *strip) {
  const struct motion_passes *motion = world->passes->motion;
  uint64_t time = profile_start(frame);
  motion->integrate(frame, strip);
  profile_add(frame, &strip->integrate_ns, &time);
  if (world->cells.blocked) throng_cells_constrain(&world->cells, frame, strip);
  profile_add(frame, &strip->constrain_ns, &time);
  motion->face(frame, strip);
  motion->settle(frame, strip);
  profile_add(frame, &strip->integrate_ns, &time);
}

struct frame_job {
  throng_world *world;
  const struct frame *frame;
  bool steer, move;
};

static void strip_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct frame_job *job = context;
  throng_world *world = job->world;
  struct strip *strip = &world->strips[worker];
  for (uint32_t k = begin; k < end; k++) {
    strip->begin = world->grid.strip_start[k];
    strip->end = world->grid.strip_start[k + 1];
    bool fused = job->steer && job->move; /* the accelerations then never leave the L1 cache */
    for (int c = 0; c < 3; c++) {
      bool column = !fused && world->acceleration[c];
      strip->acceleration[c] = column ? world->acceleration[c] + strip->begin : strip->blended[c];
    }
    if (job->steer) steer_strip(world, job->frame, strip);
    if (job->move) move_strip(world, job->frame, strip);
  }
}

static void run_strips(throng_world *world, const struct frame *frame, bool steer, bool move) {
  for (uint32_t worker = 0; worker < world->executor.workers; worker++) throng_strip_reset(&world->strips[worker]);
  uint32_t budget = world->def.neighbour_budget;
  if (steer && budget > 0) throng_grid_thin(&world->grid, &world->front, budget, world->frame, &world->executor);
  struct frame_job job = {world, frame, steer, move};
  throng_executor_run(&world->executor, world->grid.strips, 1, strip_task, &job);
}

static struct frame make_frame(throng_world *world, float dt) {
  throng_core_build_groups(world, dt);
  throng_grid_plan(&world->grid, world->count);
  struct frame frame = {.front = &world->front,
                        .back = &world->back,
                        .grid = &world->grid,
                        .groups = &world->groups,
                        .def = &world->def,
                        .dt = dt,
                        .number = world->frame,
                        .profile = world->def.profile};
  return frame;
}

static throng_status check_dt(float dt, throng_error *error) { return throng_check_range(dt, 0.0f, 1.0f, "dt", error); }

static OUT_OF_LINE throng_status step_inner(throng_world *world, float dt, throng_error *error) {
  REQUIRE_POINTER(world, error);
  TRY(check_dt(dt, error));
  if (world->dirty) TRY(throng_core_index(world, error));
  struct frame frame = make_frame(world, dt);
  uint64_t begin = profile_start(&frame), time = begin;
  run_strips(world, &frame, true, true);
  profile_add(&frame, &world->profile.steer_ns, &time);
  world->steered = false; /* the strips wrote over what a throng_steer left */
  TRY(throng_core_check_frame(world, error));
  throng_core_commit(world, frame.groups->rules);
  profile_add(&frame, &world->profile.index_ns, &time);
  throng_profile_frame(world, &frame, begin);
  return THRONG_OK;
}

throng_status throng_step(throng_world *world, float dt, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, step_inner(world, dt, error));
}

static OUT_OF_LINE throng_status steer_inner(throng_world *world, float dt, throng_error *error) {
  REQUIRE_POINTER(world, error);
  TRY(check_dt(dt, error));
  if (world->dirty) TRY(throng_core_index(world, error));
  struct frame frame = make_frame(world, dt);
  uint64_t time = profile_start(&frame);
  run_strips(world, &frame, true, false);
  world->steered = true;
  world->steered_rules = frame.groups->rules;
  profile_add(&frame, &world->profile.steer_ns, &time);
  throng_profile_half_frame(world, &frame);
  return THRONG_OK;
}

throng_status throng_steer(throng_world *world, float dt, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, steer_inner(world, dt, error));
}

static OUT_OF_LINE throng_status integrate_inner(throng_world *world, float dt, throng_error *error) {
  REQUIRE_POINTER(world, error);
  TRY(check_dt(dt, error));
  if (!world->steered) {
    return throng_fail(error, THRONG_ERROR_NOT_STEERED, "throng_integrate needs a throng_steer since the last change");
  }
  struct frame frame = make_frame(world, dt);
  uint64_t begin = profile_start(&frame), time = begin;
  run_strips(world, &frame, false, true);
  profile_add(&frame, &world->profile.steer_ns, &time);
  TRY(throng_core_check_frame(world, error));
  throng_core_commit(world, world->steered_rules);
  profile_add(&frame, &world->profile.index_ns, &time);
  throng_profile_frame(world, &frame, begin);
  return THRONG_OK;
}

throng_status throng_integrate(throng_world *world, float dt, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, integrate_inner(world, dt, error));
}
