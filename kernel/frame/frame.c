/* frame.c: one frame, from the committed columns to the next ones. Its parts are in the order of a frame: the passes of
 * a strip, the stages, then the frame that runs them. Everything up to the commit writes only back columns and scratch,
 * so that a frame that fails changes nothing.
 * SPDX-License-Identifier: MIT */

#include "frame/frame.h"

#include <string.h>

#include "agents/lookup.h"
#include "base/assertion.h"
#include "frame/commit.h"
#include "frame/constrain.h"
#include "frame/explain_internal.h"
#include "frame/profile_internal.h"
#include "grid/grid_thin.h"
#include "groups/group_internal.h"
#include "state.h"

void throng_frame_run_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct frame_run *run = context;
  throng_world *world = run->world;
  struct strip *strip = &world->strips[worker];
  ASSERT(world, worker < world->strip_count && end <= world->grid.strips);
  for (uint32_t k = begin; k < end; k++) {
    strip_open(strip, &world->grid, k);
    ASSERT(world, strip->begin <= strip->end && strip->end <= world->agents.count);
    ASSERT(world, strip->end - strip->begin <= STRIP_AGENTS); /* the capacity of its scratch */
    struct lap lap = lap_start(&world->tracer, worker, strip->begin, strip->end);
    run->stage(run, strip, &lap);
  }
}

void throng_frame_run_strips(struct frame_run run) {
  throng_world *world = run.world;
  throng_executor_run(&world->executor, world->grid.strips, 1, throng_frame_run_task, world->grid.strip_start, &run);
}

/* The passes of a strip. */

/* Steer: accelerations of all rules, blended, then limited by queues, paces, reciprocal avoidance and vehicles. */
void throng_frame_steer_strip(const throng_world *world, const struct frame *frame, struct strip *strip,
                              struct lap *lap) {
  const struct pass_table *passes = world->passes;
  const uint64_t features = frame->groups->features;
  const bool sliced = features & FEATURE_SLICED;
  if (sliced) passes->neighbours->due(frame, strip);
  if (frame->groups->rules & NEIGHBOUR_RULES || features & (FEATURE_QUEUE | FEATURE_PACE)) {
    if (!sliced || !passes->neighbours->walk_due(frame, strip)) passes->neighbours->walk(frame, strip);
  }
  lap_end(lap, THRONG_PASS_NEIGHBOURS, &strip->neighbours_ns);
  if (frame->groups->kinds || frame->groups->brakes) passes->behaviours->list(frame, strip);
  passes->behaviours->blend(frame, strip);
  if (features & (FEATURE_QUEUE | FEATURE_GAP)) passes->limits->queue(frame, strip);
  if (features & FEATURE_PACE) passes->limits->pace(frame, strip);
  if (features & FEATURE_RECIPROCAL && frame->dt > 0.0f) passes->reciprocal->filter(frame, strip);
  if (features & FEATURE_VEHICLES) passes->limits->drive(frame, strip);
  if (features & FEATURE_RIGID_BODIES) passes->limits->propel(frame, strip);
  lap_end(lap, THRONG_PASS_BEHAVIOURS, &strip->behaviours_ns);
}

/* A frame of 0 seconds: the back columns become the front columns, also those that steering has written. */
static void keep_strip(const throng_world *world, const struct strip *strip) {
  const struct columns *front = &world->agents.front, *back = &world->agents.back;
  const size_t size = (strip->end - strip->begin) * sizeof(float);
  for (int c = 0; c < COLUMN_COUNT; c++) {
    if (front->f[c]) memcpy(back->f[c] + strip->begin, front->f[c] + strip->begin, size);
  }
}

/* Move: velocity, position and spin; then constrain. */
static void move_strip(const throng_world *world, const struct frame *frame, struct strip *strip, struct lap *lap) {
  float *const *front = frame->front->f, *const *back = frame->back->f;
  if (frame->dt == 0.0f) {
    keep_strip(world, strip);
    lap_end(lap, THRONG_PASS_INTEGRATE, &strip->integrate_ns);
    return;
  }
  world->passes->motion->integrate(frame, strip);
  if (frame->groups->features & FEATURE_STEERED_YAW) world->passes->motion->spin(frame, strip);
  lap_end(lap, THRONG_PASS_INTEGRATE, &strip->integrate_ns);
  if (!frame->sweeps) return;
  throng_constrain(frame, world->passes->motion, strip, front + COLUMN_POSITION_X, back + COLUMN_POSITION_X,
                   back + COLUMN_VELOCITY_X);
  if (!frame->contact) throng_constrain_wrap(frame, strip);
  lap_end(lap, THRONG_PASS_CONSTRAIN, &strip->constrain_ns);
}

/* Settle: facing, checks, and the lists of movers and leavers. Needs the strip's cells. */
static void settle_strip(const throng_world *world, const struct frame *frame, struct strip *strip, struct lap *lap) {
  if (frame->dt > 0.0f) world->passes->motion->face(frame, strip);
  if (!world->hooks->defers(world, frame, strip)) {
    world->passes->motion->settle(frame, strip);
    throng_grid_list_leavers(&world->grid, strip->number, lap->worker);
  }
  lap_end(lap, THRONG_PASS_FACING, &strip->integrate_ns);
}

/* The stages. */

static void find_zone_speeds(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  (void)lap;
  run->world->passes->motion->zone_speeds(run->frame, strip);
}

static bool packs_agents(const throng_world *world, const struct frame *frame) {
  return world->passes->neighbours->pack && world->passes->neighbours->reads_packed(frame);
}

/* Packs agents for the passes that read many of them. */
static void pack_strip(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  const struct pass_table *passes = run->world->passes;
  if (packs_agents(run->world, run->frame)) passes->neighbours->pack(run->frame, strip);
  if (run->frame->groups->features & FEATURE_COURSES) passes->reciprocal->pack(run->frame, strip);
  lap_end(lap, THRONG_PASS_NEIGHBOURS, &strip->neighbours_ns);
}

/* In a step, accelerations stay in the strip's scratch, and so in the L1 cache. */
static void use_scratch(struct strip *strip) {
  for (int c = 0; c < 3; c++) strip->acceleration[c] = strip->blended[c];
  for (int c = 0; c < TURNINGS; c++) strip->turning[c] = strip->turned[c];
}

/* In the halves of a step, accelerations are in columns that the host may change in between. */
static void use_columns(const struct agents *agents, struct strip *strip) {
  for (int c = 0; c < 3; c++) {
    strip->acceleration[c] = agents->acceleration[c] ? agents->acceleration[c] + strip->begin : strip->blended[c];
  }
  for (int c = 0; c < TURNINGS && agents->turning[c]; c++) strip->turning[c] = agents->turning[c] + strip->begin;
}

/* Whether the frame adds progress to pattern memory. */
static bool makes_progress(const struct frame *frame, uint64_t steered_kinds) {
  return frame->dt > 0.0f && frame->groups->kinds & steered_kinds & THRONG_BIT(THRONG_BEHAVIOUR_FOLLOW_PATTERN);
}

static void add_progress(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  (void)lap;
  run->world->passes->behaviours->progress(run->frame, strip);
}

static void settle_step(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  settle_strip(run->world, run->frame, strip, lap);
  if (makes_progress(run->frame, run->frame->groups->kinds)) add_progress(run, strip, lap);
}

static void steer_strip(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  throng_world *world = run->world;
  world->passes->motion->cells(run->frame, strip);
  throng_frame_steer_strip(world, run->frame, strip, lap);
  throng_explain_strip(&world->watch, world, run->frame, strip);
}

/* A step: steer, move, and without contact also settle. */
static void step_strip(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  use_scratch(strip);
  steer_strip(run, strip, lap);
  move_strip(run->world, run->frame, strip, lap);
  if (!run->frame->contact) settle_step(run, strip, lap);
}

/* The first half of a step. */
static void steer_half(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  use_columns(&run->world->agents, strip);
  steer_strip(run, strip, lap);
}

/* The second half of a step: move, and without contact also settle. */
static void move_half(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  use_columns(&run->world->agents, strip);
  move_strip(run->world, run->frame, strip, lap);
  if (run->frame->contact) return;
  run->world->passes->motion->cells(run->frame, strip);
  settle_strip(run->world, run->frame, strip, lap);
}

/* One contact iteration, after all strips have completed the one before. */
static void push_strip(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  const struct pass_table *passes = run->world->passes;
  if (run->near->iteration == 0) passes->motion->cells(run->frame, strip);
  if (passes->contact->push(run->frame, strip, run->near, run->from, run->to)) {
    if (run->frame->sweeps) throng_constrain(run->frame, passes->motion, strip, run->from, run->to, NULL);
    strip->strayed |= run->near->slot && passes->contact->has_strays(run->frame, strip, run->near, run->to);
    strip->pushed = true;
  }
  lap_end(lap, THRONG_PASS_CONTACT, &strip->contact_ns);
}

/* After the last contact iteration: the positions `from` become those of the back columns. */
static void release_strip(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  const struct frame *frame = run->frame;
  run->world->passes->motion->cells(frame, strip);
  run->world->passes->contact->release(frame, strip, run->from);
  if (frame->sweeps) throng_constrain_wrap(frame, strip);
  if (frame->groups->features & FEATURE_YIELD) throng_constrain_blocked(frame, strip);
  lap_end(lap, THRONG_PASS_CONTACT, &strip->contact_ns);
}

static void finish_step(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  release_strip(run, strip, lap);
  settle_step(run, strip, lap);
}

static void finish_half(const struct frame_run *run, struct strip *strip, struct lap *lap) {
  release_strip(run, strip, lap);
  settle_strip(run->world, run->frame, strip, lap);
}

/* The frame. */

static void reset_strips(throng_world *world) {
  for (uint32_t worker = 0; worker < world->strip_count; worker++) throng_strip_reset(&world->strips[worker]);
}

/* In a run of its own: passes load whole vectors, so they also read speeds of the agents behind their strip. */
static OUT_OF_LINE void prepare_speeds(throng_world *world, const struct frame *frame) {
  if (speed_zones_exist(&world->objects.speed_zones))
    throng_frame_run_strips((struct frame_run){world, frame, .stage = find_zone_speeds});
}

/* Chooses the frame's candidates in worlds with a neighbour budget. */
static void thin(throng_world *world, enum spared spared) {
  throng_grid_thin(&world->grid, &world->agents.front, world->def.neighbour_budget, spared, world->frame,
                   &world->executor);
}

void throng_frame_prepare_neighbours(throng_world *world, const struct frame *frame) {
  ASSERT(world, !world_has_changed(world) && frame->grid == &world->grid);
  if (world->def.neighbour_budget > 0) thin(world, SPARED_NONE);
  if (packs_agents(world, frame) || frame->groups->features & FEATURE_COURSES) {
    throng_frame_run_strips((struct frame_run){world, frame, .stage = pack_strip});
  }
}

/* Prepares what steer reads besides columns. */
static void prepare_steer(throng_world *world, const struct frame *frame) {
  if (frame->groups->features & FEATURE_OWN_TARGETS) throng_lookup_know_all(world);
  throng_frame_prepare_neighbours(world, frame);
  throng_explain_begin(world);
}

static struct near_lists make_near_lists(const throng_world *world) {
  const struct agents *agents = &world->agents;
  if (world->piece.set) return (struct near_lists){.slot = NULL};
  return (struct near_lists){.slot = agents->near,
                             .head = agents->near_head,
                             .radius = agents->solid_radius,
                             .pushed = {agents->pushed[0], agents->pushed[1]},
                             .margin = world->groups.longest_push};
}

/* Returns what the strips' last contact iteration found, and clears it. */
static bool take_found(throng_world *world, bool *strayed) {
  bool pushed = false;
  for (uint32_t worker = 0; worker < world->strip_count; worker++) {
    struct strip *strip = &world->strips[worker];
    pushed |= strip->pushed;
    *strayed |= strip->strayed;
    strip->pushed = strip->strayed = false;
  }
  return pushed;
}

/* Runs contact iterations until no agent is pushed, at most contact_iterations. Returns the final positions. */
static OUT_OF_LINE float *const *run_contact(throng_world *world, const struct frame *frame) {
  float *const *at = frame->back->f + COLUMN_POSITION_X;
  struct near_lists near = make_near_lists(world);
  bool pushed = true, strayed = false;
  world->hooks->contact(world, at, true);
  take_found(world, &strayed);
  for (uint32_t k = 0; k < world->def.contact_iterations && pushed; k++) {
    near.iteration = k;
    near.hold = near.slot && k > 0 && !strayed;
    float *const *to = world->agents.contact[k % 2];
    world->hooks->run((struct frame_run){world, frame, .stage = push_strip, .from = at, .to = to, .near = &near});
    at = to;
    pushed = world->hooks->contact(world, at, take_found(world, &strayed));
  }
  return at;
}

/* Steers and moves all strips. The back columns then hold the new state. */
static void run_step(throng_world *world, const struct frame *frame) {
  reset_strips(world);
  prepare_speeds(world, frame);
  prepare_steer(world, frame);
  throng_grid_prepare_sort(&world->grid, world->agents.count, &world->executor);
  world->hooks->run((struct frame_run){world, frame, .stage = step_strip, .settles = !frame->contact});
  if (!frame->contact) return;
  if (world->def.neighbour_budget > 0 && world->grid.dense) thin(world, SPARED_OF_CONTACT);
  float *const *at = run_contact(world, frame);
  world->hooks->run((struct frame_run){world, frame, .stage = finish_step, .settles = true, .from = at});
}

/* Steers all strips. */
static void run_steer(throng_world *world, const struct frame *frame) {
  reset_strips(world);
  prepare_speeds(world, frame);
  prepare_steer(world, frame);
  throng_frame_run_strips((struct frame_run){world, frame, .stage = steer_half});
}

void throng_frame_move(throng_world *world, const struct frame *frame) {
  reset_strips(world);
  prepare_speeds(world, frame);
  throng_grid_prepare_sort(&world->grid, world->agents.count, &world->executor);
  throng_frame_run_strips((struct frame_run){world, frame, .stage = move_half});
  if (!frame->contact) return;
  if (world->def.neighbour_budget > 0) thin(world, SPARED_OF_CONTACT);
  float *const *at = run_contact(world, frame);
  throng_frame_run_strips((struct frame_run){world, frame, .stage = finish_half, .from = at});
}

static float rate_of(float dt) {
  if (dt == 0.0f) return 0.0f;
  return 1.0f / dt < 1e6f ? 1.0f / dt : 1e6f;
}

/* Returns the front columns as passes read them. */
static const struct columns *front_of(throng_world *world) {
  if (!speed_zones_exist(&world->objects.speed_zones)) return &world->agents.front;
  world->zoned = world->agents.front;
  world->zoned.f[COLUMN_MAX_SPEED] = world->agents.zoned_speed;
  return &world->zoned;
}

struct frame throng_frame_make(throng_world *world, float dt) {
  throng_groups_build(world, dt);
  throng_grid_plan(&world->grid, world->agents.count);
  world->tracer.frame = world->frame;
  struct frame frame = {.front = front_of(world),
                        .back = &world->agents.back,
                        .ids = &world->agents.ids,
                        .grid = &world->grid,
                        .groups = &world->groups,
                        .flow_field = world->objects.flow_field,
                        .path = world->objects.path,
                        .pattern = world->objects.pattern,
                        .formation = world->objects.formation,
                        .attractors = &world->objects.attractors,
                        .speed_zones = &world->objects.speed_zones,
                        .own_speed = world->agents.front.f[COLUMN_MAX_SPEED],
                        .def = &world->def,
                        .callbacks = &world->callbacks,
                        .scenery = &world->objects.scenery,
                        .cells = &world->objects.cells,
                        .seen = world->agents.seen,
                        .wished = world->groups.features & FEATURE_YIELD && world->groups.features & FEATURE_RECIPROCAL
                                      ? world->agents.wished
                                      : NULL,
                        .dt = dt + 0.0f,
                        .rate = rate_of(dt),
                        .number = world->frame,
                        .sweeps = world->objects.scenery.shapes || world->objects.cells.blocked,
                        .contact = world->hooks->has_contact(world) && dt > 0.0f,
                        .profile = world->def.profile};
  return frame;
}

throng_status throng_frame_check_dt(float dt, throng_error *error) {
  return throng_check_range(dt, 0.0f, 1.0f, "dt", error);
}

OUT_OF_LINE throng_status throng_frame_step(throng_world *world, float dt, throng_error *error) {
  TRY(throng_frame_check_dt(dt, error));
  if (world_has_changed(world)) TRY(throng_commit_index(world, error));
  struct frame frame = throng_frame_make(world, dt);
  struct lap whole = lap_start(&world->tracer, 0, 0, world->agents.count), lap = whole;
  world->steered = false; /* the strips overwrite the accelerations of a throng_world_steer */
  run_step(world, &frame);
  lap_end(&lap, THRONG_PASS_STRIPS, &world->profile.steer_ns);
  throng_status status = throng_commit_check_callbacks(world, error);
  status = world->hooks->exchange(world, &frame, status, error);
  if (status == THRONG_OK) status = throng_commit_check_frame(world, error);
  TRY(world->hooks->agree(world, status, error));
  throng_explain_end(&world->watch);
  throng_commit_frame(world, frame.groups->kinds);
  lap_end(&lap, THRONG_PASS_INDEX, &world->profile.index_ns);
  throng_profile_frame(world, &frame);
  lap_end(&whole, THRONG_PASS_FRAME, &world->profile.frame_ns);
  return THRONG_OK;
}

throng_status throng_world_step(throng_world *world, float dt, throng_error *error) {
  RETURN_ALONE(world, error, throng_frame_step(world, dt, error));
}

static OUT_OF_LINE throng_status steer_inner(throng_world *world, float dt, throng_error *error) {
  TRY(world_refuse_piece(world, "it takes only throng_world_step", error));
  TRY(throng_frame_check_dt(dt, error));
  if (world_has_changed(world)) TRY(throng_commit_index(world, error));
  struct frame frame = throng_frame_make(world, dt);
  struct lap lap = lap_start(&world->tracer, 0, 0, world->agents.count);
  world->steered = false;
  run_steer(world, &frame);
  TRY(throng_commit_check_callbacks(world, error));
  throng_explain_end(&world->watch);
  world->steered = true;
  world->steered_kinds = frame.groups->kinds;
  world->wished_dt = frame.wished ? dt : 0.0f;
  lap_end(&lap, THRONG_PASS_STRIPS, &world->profile.steer_ns);
  throng_profile_half_frame(world, &frame);
  return THRONG_OK;
}

throng_status throng_world_steer(throng_world *world, float dt, throng_error *error) {
  RETURN_ALONE(world, error, steer_inner(world, dt, error));
}

static OUT_OF_LINE throng_status integrate_inner(throng_world *world, float dt, throng_error *error) {
  TRY(world_refuse_piece(world, "it takes only throng_world_step", error));
  TRY(throng_frame_check_dt(dt, error));
  if (!world->steered) {
    return throng_fail(error, THRONG_ERROR_NOT_STEERED,
                       "throng_world_integrate needs a throng_world_steer since the last change");
  }
  TRY(throng_commit_check_accelerations(world, error));
  struct frame frame = throng_frame_make(world, dt);
  if (world->wished_dt != dt) frame.wished = NULL;
  struct lap whole = lap_start(&world->tracer, 0, 0, world->agents.count), lap = whole;
  throng_frame_move(world, &frame);
  lap_end(&lap, THRONG_PASS_STRIPS, &world->profile.steer_ns);
  TRY(throng_commit_check_frame(world, error));
  /* When the frame can no longer fail, because throng_world_integrate may be called again after a failure. */
  if (makes_progress(&frame, world->steered_kinds))
    throng_frame_run_strips((struct frame_run){world, &frame, .stage = add_progress});
  throng_commit_frame(world, world->steered_kinds);
  lap_end(&lap, THRONG_PASS_INDEX, &world->profile.index_ns);
  throng_profile_frame(world, &frame);
  lap_end(&whole, THRONG_PASS_FRAME, &world->profile.frame_ns);
  return THRONG_OK;
}

throng_status throng_world_integrate(throng_world *world, float dt, throng_error *error) {
  RETURN_ALONE(world, error, integrate_inner(world, dt, error));
}
