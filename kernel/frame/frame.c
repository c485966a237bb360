/* frame.c: one frame, from the committed columns to the next ones. Read throng_frame_steer_strip() to settle_strip()
 * first: they are the list of passes. Everything up to the commit writes only back columns and scratch, so that a frame
 * that fails changes nothing.
 * SPDX-License-Identifier: MIT */

#include "frame/frame.h"

#include <string.h>

#include "base/assertion.h"
#include "agents/lookup.h"
#include "frame/commit.h"
#include "frame/constrain.h"
#include "frame/exchange.h"
#include "frame/explain_internal.h"
#include "grid/grid_thin.h"
#include "frame/profile_internal.h"
#include "groups/group_internal.h"
#include "state.h"

/* Steer: accelerations of all rules, blended, then limited by queues, paces, reciprocal avoidance and vehicles. */
void throng_frame_steer_strip(const throng_world *world, const struct frame *frame, struct strip *strip,
                              struct lap *lap) {
  const struct pass_table *passes = world->passes;
  const uint32_t features = frame->groups->features;
  const bool sliced = features & FEATURE_SLICED;
  if (sliced) passes->neighbours->due(frame, strip);
  if (frame->groups->rules & NEIGHBOUR_RULES || features & (FEATURE_QUEUE | FEATURE_PACE)) {
    if (!sliced || !passes->neighbours->walk_due(frame, strip)) passes->neighbours->walk(frame, strip);
  }
  lap_end(lap, THRONG_PASS_NEIGHBOURS, &strip->neighbours_ns);
  if (frame->groups->kinds || frame->groups->brakes) passes->behaviours->list(frame, strip);
  passes->behaviours->blend(frame, strip);
  if (features & FEATURE_QUEUE) passes->limits->queue(frame, strip);
  if (features & FEATURE_PACE) passes->limits->pace(frame, strip);
  if (features & FEATURE_RECIPROCAL && frame->dt > 0.0f) passes->reciprocal->filter(frame, strip);
  if (features & FEATURE_VEHICLES) passes->limits->drive(frame, strip);
  if (features & FEATURE_RIGID_BODIES) passes->limits->propel(frame, strip);
  lap_end(lap, THRONG_PASS_BEHAVIOURS, &strip->behaviours_ns);
}

/* Constrain: stops agents between the positions `from` and `to`; `velocity` may be NULL. */
static void constrain_strip(const throng_world *world, const struct frame *frame, const struct strip *strip,
                            float *const from[3], float *const to[3], float *const velocity[3]) {
  if (world->objects.scenery.shapes) {
    throng_constrain_to_scenery(&world->objects.scenery, &world->objects.cells, frame, strip, from, to, velocity);
  } else if (world->objects.cells.blocked) {
    throng_constrain_to_cells(&world->objects.cells, world->passes->motion, &world->grid.space, strip, from, to,
                              velocity);
  }
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
  throng_profile_moves(frame, strip);
  if (frame->groups->features & FEATURE_STEERED_YAW) world->passes->motion->spin(frame, strip);
  lap_end(lap, THRONG_PASS_INTEGRATE, &strip->integrate_ns);
  if (!frame->sweeps) return;
  constrain_strip(world, frame, strip, front + COLUMN_POSITION_X, back + COLUMN_POSITION_X, back + COLUMN_VELOCITY_X);
  if (!frame->contact) throng_constrain_wrap(frame, strip);
  lap_end(lap, THRONG_PASS_CONSTRAIN, &strip->constrain_ns);
}

/* Push: one contact iteration, after all strips have completed the one before. */
static void push_strip(const throng_world *world, const struct frame *frame, struct strip *strip, float *const from[3],
                       float *const to[3], struct lap *lap) {
  world->passes->contact->push(frame, strip, from, to);
  constrain_strip(world, frame, strip, from, to, NULL);
  lap_end(lap, THRONG_PASS_CONTACT, &strip->contact_ns);
}

/* Settle: facing, checks, and the lists of movers and leavers. After contact, `at` holds the positions of its last
 * iteration. */
static void settle_strip(const throng_world *world, const struct frame *frame, struct strip *strip, float *const at[3],
                         struct lap *lap) {
  if (frame->contact) {
    world->passes->contact->release(frame, strip, at);
    if (frame->sweeps) throng_constrain_wrap(frame, strip);
    if (frame->groups->features & FEATURE_YIELD) throng_constrain_blocked(frame, strip);
    lap_end(lap, THRONG_PASS_CONTACT, &strip->contact_ns);
  }
  if (frame->dt > 0.0f) world->passes->motion->face(frame, strip);
  if (!world->piece.set || !throng_exchange_defers(world, frame, strip)) {
    world->passes->motion->settle(frame, strip);
    throng_grid_list_leavers(&world->grid, strip->number, lap->worker);
  }
  lap_end(lap, THRONG_PASS_FACING, &strip->integrate_ns);
}

/* The parts of a frame that a parallel run executes for every strip. */
struct frame_job {
  throng_world *world;
  const struct frame *frame;
  bool zones, pack, see, steer, move, push, settle, exchanged, progress;
  uint32_t phases, phase;         /* of a piece of a world (exchange.h); at most 1 phase: all strips run */
  float *const *from, *const *to; /* positions that push reads and writes; settle reads `from` */
};

/* Whether a strip runs in this phase. The first phase finds the phases of all strips. */
static bool runs_now(const struct frame_job *job, uint32_t strip) {
  uint8_t *phase = job->world->grid.phase;
  if (job->phases <= 1) return true;
  if (job->phase == 0) phase[strip] = (uint8_t)throng_exchange_phase_of(job->world, strip, job->phases);
  return phase[strip] == job->phase;
}

static void strip_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct frame_job *job = context;
  throng_world *world = job->world;
  struct strip *strip = &world->strips[worker];
  ASSERT(world, worker < world->strip_count && end <= world->grid.strips);
  for (uint32_t k = begin; k < end; k++) {
    if (!runs_now(job, k)) continue;
    strip_open(strip, &world->grid, k);
    ASSERT(world, strip->begin <= strip->end && strip->end <= world->agents.count);
    ASSERT(world, strip->end - strip->begin <= STRIP_AGENTS); /* the capacity of its scratch */
    bool fused = job->steer && job->move;                     /* the accelerations then stay in the L1 cache */
    for (int c = 0; c < 3; c++) {
      bool column = !fused && world->agents.acceleration[c];
      strip->acceleration[c] = column ? world->agents.acceleration[c] + strip->begin : strip->blended[c];
    }
    for (int c = 0; c < TURNINGS && world->agents.turning[c]; c++) {
      strip->turning[c] = fused ? strip->turned[c] : world->agents.turning[c] + strip->begin;
    }
    struct lap lap = lap_start(&world->tracer, worker, strip->begin, strip->end);
    if (job->zones) world->passes->motion->zone_speeds(job->frame, strip);
    if (job->pack) world->passes->neighbours->pack(job->frame, strip);
    if (job->see) world->passes->reciprocal->pack(job->frame, strip);
    if (job->pack || job->see) lap_end(&lap, THRONG_PASS_NEIGHBOURS, &strip->neighbours_ns);
    if (job->steer || job->push || job->settle) world->passes->motion->cells(job->frame, strip);
    if (job->exchanged) throng_exchange_settle(world, job->frame, strip, worker);
    if (throng_exchange_skips(world, strip)) {
      if (job->settle) throng_exchange_defers(world, job->frame, strip);
      continue;
    }
    if (job->steer) throng_frame_steer_strip(world, job->frame, strip, &lap);
    if (job->steer) throng_explain_strip(&world->watch, world, job->frame, strip);
    if (job->move) move_strip(world, job->frame, strip, &lap);
    if (job->push) push_strip(world, job->frame, strip, job->from, job->to, &lap);
    if (job->settle) settle_strip(world, job->frame, strip, job->from, &lap);
    if (job->progress) world->passes->behaviours->progress(job->frame, strip);
  }
}

static void run_job(throng_world *world, struct frame_job *job) {
  throng_executor_run(&world->executor, world->grid.strips, 1, strip_task, world->grid.strip_start, job);
}

/* Whether the host begins to send before all strips have run. */
static bool sends_early(const throng_world *world, const struct frame_job *job) {
  return job->push ? world->piece.def.contact_begin != NULL : world->piece.def.begin != NULL;
}

/* After a phase: the host begins to send, or goes on. */
static OUT_OF_LINE void send_early(throng_world *world, const struct frame_job *job) {
  const throng_piece_def *piece = &world->piece.def;
  if (job->phase > 0) {
    if (job->phase + 1 < job->phases && piece->progress) piece->progress(piece->context);
  } else if (job->push) {
    piece->contact_begin(job->to, piece->context);
  } else {
    throng_exchange_begin(world, job->frame);
  }
}

/* Runs a job in the phases of a piece of a world. */
static void run_phases(throng_world *world, struct frame_job *job) {
  job->phases = sends_early(world, job) ? throng_exchange_phases(world) : 1;
  for (job->phase = 0; job->phase < job->phases; job->phase++) {
    run_job(world, job);
    if (sends_early(world, job)) send_early(world, job);
  }
}

/* Chooses the frame's candidates in worlds with a neighbour budget. */
static void thin(throng_world *world, enum spared spared) {
  throng_grid_thin(&world->grid, &world->agents.front, world->def.neighbour_budget, spared, world->frame,
                   &world->executor);
}

void throng_frame_prepare_neighbours(throng_world *world, const struct frame *frame) {
  ASSERT(world, !world_has_changed(world) && frame->grid == &world->grid);
  const struct neighbour_passes *neighbours = world->passes->neighbours;
  if (world->def.neighbour_budget > 0) thin(world, SPARED_NONE);
  const bool pack = neighbours->pack && neighbours->reads_packed(frame);
  const bool see = frame->groups->features & FEATURE_RECIPROCAL;
  if (pack || see) run_job(world, &(struct frame_job){world, frame, .pack = pack, .see = see});
}

/* Runs contact iterations until no agent is pushed, at most contact_iterations. Returns the final positions. `steer`:
 * the frame has steered, and has found whether there are dense cells. */
static OUT_OF_LINE float *const *run_contact(throng_world *world, const struct frame *frame, bool steer) {
  float *const *at = frame->back->f + COLUMN_POSITION_X;
  bool pushed = true;
  const throng_piece_def *piece = &world->piece.def;
  if (world->def.neighbour_budget > 0 && (!steer || world->grid.dense)) thin(world, SPARED_OF_CONTACT);
  float *const moved[3] = {at[0], world->grid.space.spatial ? at[1] : NULL, at[2]}; /* without heights of the plane */
  if (piece->contact) piece->contact(moved, true, piece->context);
  for (uint32_t k = 0; k < world->def.contact_iterations && pushed; k++) {
    for (uint32_t worker = 0; worker < world->strip_count; worker++) world->strips[worker].pushed = false;
    float *const *to = world->agents.contact[k % 2];
    run_phases(world, &(struct frame_job){world, frame, .push = true, .from = at, .to = to});
    at = to;
    pushed = false;
    for (uint32_t worker = 0; worker < world->strip_count; worker++) pushed |= world->strips[worker].pushed;
    if (piece->contact) pushed = piece->contact(at, pushed, piece->context);
  }
  return at;
}

/* Whether the frame adds progress to pattern memory. */
static bool makes_progress(const struct frame *frame, uint32_t steered_kinds) {
  return frame->dt > 0.0f && frame->groups->kinds & steered_kinds & 1u << THRONG_BEHAVIOUR_FOLLOW_PATTERN;
}

/* In a run of its own: passes load whole vectors, so they also read speeds of the agents behind their strip. */
static OUT_OF_LINE void run_zones(throng_world *world, const struct frame *frame) {
  run_job(world, &(struct frame_job){world, frame, .zones = true});
}

void throng_frame_run_strips(throng_world *world, const struct frame *frame, bool steer, bool move) {
  for (uint32_t worker = 0; worker < world->strip_count; worker++) throng_strip_reset(&world->strips[worker]);
  if (speed_zones_exist(&world->objects.speed_zones)) run_zones(world, frame);
  if (steer && frame->groups->features & FEATURE_OWN_TARGETS) throng_lookup_know_all(world);
  if (steer) throng_frame_prepare_neighbours(world, frame);
  if (steer) throng_explain_begin(world);
  const bool contact = move && frame->contact;
  const bool progress = steer && move && makes_progress(frame, frame->groups->kinds);
  if (move) throng_grid_prepare_sort(&world->grid, world->agents.count, &world->executor);
  struct frame_job job = {world, frame, .steer = steer, .move = move, .settle = move && !contact};
  job.progress = progress && job.settle;
  if (!job.settle) run_job(world, &job);
  if (job.settle) run_phases(world, &job);
  if (!contact) return;
  float *const *at = run_contact(world, frame, steer);
  job = (struct frame_job){world, frame, .settle = true, .progress = progress, .from = at};
  run_phases(world, &job);
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

/* In a piece of a world, agents of other pieces may push: all pieces run the same iterations. */
static bool may_push(const throng_world *world) {
  if (world->groups.features & FEATURE_CONTACT || !world->piece.def.contact)
    return world->groups.features & FEATURE_CONTACT;
  for (uint32_t g = 0; g < world->group_room; g++) {
    if (world->group_defined[g] && world->group[g].contact > 0.0f) return true;
  }
  return false;
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
                        .contact = may_push(world) && dt > 0.0f,
                        .profile = world->def.profile};
  return frame;
}

throng_status throng_frame_check_dt(float dt, throng_error *error) {
  return throng_check_range(dt, 0.0f, 1.0f, "dt", error);
}

/* In a piece of a world: the host exchanges agents with other pieces, and the strips that have waited are settled. */
static throng_status exchange_agents(throng_world *world, const struct frame *frame, throng_status status,
                                     throng_error *error) {
  if (status == THRONG_OK && frame->contact && !world->piece.def.contact)
    status = throng_fail(error, THRONG_ERROR_UNSUPPORTED, "a group has contact, but piece.contact is NULL");
  status = throng_exchange_call(world, frame, status, error);
  run_job(world, &(struct frame_job){world, frame, .exchanged = true});
  return status;
}

/* Asks the other pieces whether all commit the frame. */
static throng_status agree(throng_world *world, throng_status status, throng_error *error) {
  const throng_piece_def *piece = &world->piece.def;
  if (piece->agree) status = piece->agree(status, error, piece->context);
  if (status != THRONG_OK) throng_exchange_discard(world);
  return status;
}

OUT_OF_LINE throng_status throng_frame_step(throng_world *world, float dt, throng_error *error) {
  TRY(throng_frame_check_dt(dt, error));
  if (world_has_changed(world)) TRY(throng_commit_index(world, error));
  struct frame frame = throng_frame_make(world, dt);
  struct lap whole = lap_start(&world->tracer, 0, 0, world->agents.count), lap = whole;
  world->steered = false; /* the strips overwrite the accelerations of a throng_world_steer */
  throng_frame_run_strips(world, &frame, true, true);
  lap_end(&lap, THRONG_PASS_STRIPS, &world->profile.steer_ns);
  throng_status status = throng_commit_check_callbacks(world, error);
  if (world->piece.set) status = exchange_agents(world, &frame, status, error);
  if (status == THRONG_OK) status = throng_commit_check_frame(world, error);
  if (status == THRONG_OK && world->piece.set) status = throng_exchange_check_frame(world, error);
  if (world->piece.set) status = agree(world, status, error);
  TRY(status);
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

/* The halves of a step have no exchange. */
static throng_status refuse_piece(const throng_world *world, throng_error *error) {
  if (!world->piece.set) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "the world is a piece: it takes only throng_world_step");
}

static OUT_OF_LINE throng_status steer_inner(throng_world *world, float dt, throng_error *error) {
  TRY(refuse_piece(world, error));
  TRY(throng_frame_check_dt(dt, error));
  if (world_has_changed(world)) TRY(throng_commit_index(world, error));
  struct frame frame = throng_frame_make(world, dt);
  struct lap lap = lap_start(&world->tracer, 0, 0, world->agents.count);
  world->steered = false;
  throng_frame_run_strips(world, &frame, true, false);
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
  TRY(refuse_piece(world, error));
  TRY(throng_frame_check_dt(dt, error));
  if (!world->steered) {
    return throng_fail(error, THRONG_ERROR_NOT_STEERED,
                       "throng_world_integrate needs a throng_world_steer since the last change");
  }
  TRY(throng_commit_check_accelerations(world, error));
  struct frame frame = throng_frame_make(world, dt);
  if (world->wished_dt != dt) frame.wished = NULL;
  struct lap whole = lap_start(&world->tracer, 0, 0, world->agents.count), lap = whole;
  throng_frame_run_strips(world, &frame, false, true);
  lap_end(&lap, THRONG_PASS_STRIPS, &world->profile.steer_ns);
  TRY(throng_commit_check_frame(world, error));
  /* When the frame can no longer fail, because throng_world_integrate may be called again after a failure. */
  if (makes_progress(&frame, world->steered_kinds))
    run_job(world, &(struct frame_job){world, &frame, .progress = true});
  throng_commit_frame(world, world->steered_kinds);
  lap_end(&lap, THRONG_PASS_INDEX, &world->profile.index_ns);
  throng_profile_frame(world, &frame);
  lap_end(&whole, THRONG_PASS_FRAME, &world->profile.frame_ns);
  return THRONG_OK;
}

throng_status throng_world_integrate(throng_world *world, float dt, throng_error *error) {
  RETURN_ALONE(world, error, integrate_inner(world, dt, error));
}
