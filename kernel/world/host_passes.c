/* host_passes.c: the passes over the caller's own columns (throng/passes.h). They work on a world that has copies of
 * the caller's columns. Each call of build_grid replaces the agents of this world, in the caller's order. No frame of
 * this world is ever committed.
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <throng/passes.h>

#include "agents/room.h"
#include "agents/values.h"
#include "base/float_environment.h"
#include "base/span.h"
#include "frame/commit.h"
#include "frame/frame.h"
#include "groups/group_internal.h"

#define GRAIN 4096u /* agents per task */
#define GENERATION 1u

struct throng_passes {
  throng_world *world;
  bool has_grid;
};

throng_passes_agents_def throng_default_passes_agents_def(void) {
  throng_passes_agents_def def;
  memset(&def, 0, sizeof def);
  def.cookie = THRONG_PASSES_AGENTS_COOKIE;
  return def;
}

throng_status throng_passes_create(const throng_world_def *def, throng_passes **out, throng_error *error) {
  REQUIRE_POINTER(out, error);
  throng_world *world = NULL;
  TRY(throng_world_create(def, &world, error));
  throng_passes *passes = throng_allocate(&world->def.allocator, sizeof *passes);
  if (!passes) {
    throng_world_destroy(world);
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for passes");
  }
  passes->world = world;
  *out = passes;
  return THRONG_OK;
}

void throng_passes_destroy(throng_passes *passes) {
  if (!passes) return;
  throng_world *world = passes->world;
  CLAIM_OR_RETURN(world);
  claim_give_back(&world->claim);
  throng_release(&world->def.allocator, passes, sizeof *passes);
  throng_world_destroy(world);
}

const throng_world *throng_passes_get_world(const throng_passes *passes) { return passes ? passes->world : NULL; }

static OUT_OF_LINE throng_status set_group_inner(throng_passes *passes, uint32_t group, const throng_group_def *def,
                                                 throng_error *error) {
  REQUIRE_POINTER(def, error);
  TRY(throng_groups_check(passes->world, group, def, error));
  const char *what = def->behaviour_count > 0               ? "a list of behaviours"
                     : def->queue.width > 0.0f              ? "a queue"
                     : def->pace.on                         ? "a pace"
                     : group_is_reciprocal(def)             ? "reciprocal avoidance"
                     : def->walls_hide                      ? "walls_hide"
                     : def->facing == THRONG_FACING_STEERED ? "THRONG_FACING_STEERED"
                     : def->steer_period > 1                ? "a steer_period above 1"
                                                            : NULL;
  if (!what) return throng_groups_set(passes->world, group, def, error);
  return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "group %u has %s: that needs a world", group, what);
}

throng_status throng_passes_set_group(throng_passes *passes, uint32_t group, const throng_group_def *def,
                                      throng_error *error) {
  REQUIRE_POINTER(passes, error);
  throng_world *world = passes->world;
  RETURN_ALONE(world, error, set_group_inner(passes, group, def, error));
}

static throng_status require_grid(const throng_passes *passes, throng_error *error) {
  if (passes->has_grid) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_NOT_INDEXED, "there is no grid: throng_passes_build_grid first");
}

/* The caller's vectors. */

static inline float component(const float *base, size_t stride, uint32_t k) {
  return *(const float *)((const char *)base + (size_t)k * stride);
}

static inline void put(float *base, size_t stride, uint32_t k, float value) {
  *(float *)((char *)base + (size_t)k * stride) = value;
}

static inline size_t stride_of(size_t stride) { return stride ? stride : sizeof(float); }

static throng_status check_pointers(bool given, bool x, bool y, bool z, size_t stride, const char *what,
                                    throng_error *error) {
  if (given && (!x || !y || !z)) {
    return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "'%s.%s' is NULL", what, !x ? "x" : !y ? "y" : "z");
  }
  if (given && stride_of(stride) % sizeof(float) != 0) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s.stride is %zu, must be a multiple of %zu", what, stride,
                       sizeof(float));
  }
  return THRONG_OK;
}

static throng_status check_in(const throng_world *world, const throng_vectors *v, const char *what,
                              throng_error *error) {
  return check_pointers(world->agents.count > 0, v->x, v->y || !world->space.spatial, v->z, v->stride, what, error);
}

static throng_status check_out(const throng_world *world, const throng_vectors_out *v, const char *what,
                               throng_error *error) {
  return check_pointers(v->x, true, v->y || !world->space.spatial, v->z, v->stride, what, error);
}

/* Checks the array for facings; in planar worlds a facing is one number, which is x. */
static throng_status check_out_facing(const throng_world *world, const throng_vectors_out *v, throng_error *error) {
  const bool spatial = world->space.spatial;
  return check_pointers(v->x, true, v->y || !spatial, v->z || !spatial, v->stride, "facing", error);
}

/* The grid. */

static throng_agent_id id_of(const throng_world *world, uint32_t k) {
  return (throng_agent_id){k + 1, GENERATION, world->def.id_world};
}

static throng_status bad_facing(const throng_world *world, uint32_t k, bool finite, const char *what, double value,
                                throng_error *error) {
  return throng_fail_agent(error, finite ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE, id_of(world, k),
                           "agent %u: %s %g", k + 1, what, value);
}

static throng_status check_facing(const throng_world *world, const throng_vectors *v, uint32_t k, throng_error *error) {
  const size_t stride = stride_of(v->stride);
  const float x = component(v->x, stride, k);
  if (!world->space.spatial) {
    if (fabsf(x) <= 3.1415928f) return THRONG_OK;
    return bad_facing(world, k, isfinite(x), "yaws are -pi to pi, this is", (double)x, error);
  }
  const double y = (double)component(v->y, stride, k), z = (double)component(v->z, stride, k);
  const double length =
      sqrt((double)x * (double)x + y * y + z * z); /* in double precision it is finite if the floats are */
  if (fabs(length - 1.0) <= 1e-3) return THRONG_OK;
  return bad_facing(world, k, isfinite(length), "facings are unit vectors, this one's length is", length, error);
}

/* The optional columns, in the order of `spans`. */
#define SPANS 5
static const throng_column span_column[SPANS] = {THRONG_COLUMN_GROUP, THRONG_COLUMN_PERCEPTION_RADIUS,
                                                 THRONG_COLUMN_BODY_RADIUS, THRONG_COLUMN_MASS,
                                                 THRONG_COLUMN_MAX_SPEED};
static void list_spans(const throng_passes_agents_def *agents, throng_span spans[SPANS]) {
  spans[0] = agents->group;
  spans[1] = agents->perception_radius;
  spans[2] = agents->body_radius;
  spans[3] = agents->mass;
  spans[4] = agents->max_speed;
}

static throng_status check_definition(const throng_world *world, const throng_passes_agents_def *agents,
                                      throng_error *error) {
  if (agents->cookie != THRONG_PASSES_AGENTS_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "agents definition has a wrong cookie: it is not from throng_default_passes_agents_def()");
  }
  if (agents->count > MAX_AGENTS) {
    return throng_fail(error, THRONG_ERROR_CAPACITY, "%u agents, at most %u", agents->count, MAX_AGENTS);
  }
  const bool some = agents->count > 0, flat = !world->space.spatial;
  const throng_vectors *p = &agents->position, *v = &agents->velocity, *f = &agents->facing;
  TRY(check_pointers(some, p->x, p->y || flat, p->z, p->stride, "position", error));
  TRY(check_pointers(some, v->x, v->y || flat, v->z, v->stride, "velocity", error));
  return check_pointers(some && f->x, true, f->y || flat, f->z || flat, f->stride, "facing", error);
}

/* Checks all values but positions and velocities, before anything changes; the sort checks positions and velocities. */
static throng_status check_agents(const throng_world *world, const throng_passes_agents_def *agents,
                                  throng_error *error) {
  TRY(check_definition(world, agents, error));
  throng_span spans[SPANS];
  list_spans(agents, spans);
  for (int s = 0; s < SPANS; s++) {
    char field[48];
    if (!spans[s].data) continue;
    snprintf(field, sizeof field, "agents.%s.stride", throng_column_rows[span_column[s]].name);
    TRY(span_check_stride(spans[s].stride, column_bytes(span_column[s], world->space.spatial), field, error));
  }
  for (uint32_t k = 0; k < agents->count; k++) {
    if (agents->facing.x) TRY(check_facing(world, &agents->facing, k, error));
    for (int s = 0; s < SPANS; s++) {
      if (!spans[s].data) continue;
      const void *value = span_at(spans[s], column_bytes(span_column[s], world->space.spatial), k);
      throng_error why;
      const throng_status status = throng_value_check(world, span_column[s], value, k + 1, &why);
      if (status != THRONG_OK) return throng_fail_agent(error, status, id_of(world, k), "%s", why.text);
    }
  }
  return THRONG_OK;
}

/* Makes capacity, columns and ids for the agents. */
static throng_status resize(throng_world *world, const throng_passes_agents_def *agents, throng_error *error) {
  TRY(throng_room_make(world, agents->count, agents->count, false, error));
  throng_span spans[SPANS];
  list_spans(agents, spans);
  for (int s = 0; s < SPANS; s++) {
    if (spans[s].data && agents->count > 0) TRY(throng_value_need(world, span_column[s], error));
  }
  while (world->agents.ids.live > agents->count) throng_ids_give_back(&world->agents.ids, world->agents.ids.live);
  while (world->agents.ids.live < agents->count)
    throng_ids_take_exactly(&world->agents.ids, world->agents.ids.live + 1, GENERATION);
  world->agents.count = agents->count;
  ids_forget_slots(&world->agents.ids);
  return THRONG_OK;
}

struct copy_job {
  throng_world *world;
  const throng_passes_agents_def *agents;
};

static void copy_vectors(const throng_vectors *from, float *const to[3], uint32_t begin, uint32_t end) {
  const float *const bases[3] = {from->x, from->y, from->z};
  const size_t stride = stride_of(from->stride);
  for (int c = 0; c < 3; c++) {
    for (uint32_t k = begin; to[c] && k < end; k++) to[c][k] = component(bases[c], stride, k);
  }
}

/* Copies agents to slots in the caller's order; the sort follows. */
static void copy_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct copy_job *job = context;
  throng_world *world = job->world;
  const throng_passes_agents_def *agents = job->agents;
  struct columns *front = &world->agents.front;
  (void)worker;
  for (uint32_t k = begin; k < end; k++) {
    const uint32_t group = agents->group.data ? *(const uint8_t *)span_at(agents->group, 1, k) : 0;
    front->id[k] = k + 1;
    front->meta[k] = meta_make(group, GENERATION);
  }
  copy_vectors(&agents->position, front->f + COLUMN_POSITION_X, begin, end);
  copy_vectors(&agents->velocity, front->f + COLUMN_VELOCITY_X, begin, end);
  if (agents->facing.x) copy_vectors(&agents->facing, front->f + COLUMN_FACING_X, begin, end);
  for (uint32_t k = begin; !agents->facing.x && k < end; k++) throng_value_default_facing(world, k);
  float *blocked = front->f[COLUMN_BLOCKED_TIME]; /* the caller's agents have no memory */
  for (uint32_t k = begin; blocked && k < end; k++) blocked[k] = 0.0f;
  throng_span spans[SPANS];
  list_spans(agents, spans);
  for (int s = 1; s < SPANS; s++) {
    const struct column_row *row = &throng_column_rows[span_column[s]];
    float *to = front->f[row->first];
    for (uint32_t k = begin; to && k < end; k++) {
      to[k] = NAN;
      if (spans[s].data) memcpy(&to[k], span_at(spans[s], sizeof(float), k), sizeof *to);
      to[k] = value_stored(row, to[k]);
    }
  }
}

static OUT_OF_LINE throng_status grid_inner(throng_passes *passes, const throng_passes_agents_def *agents,
                                            throng_error *error) {
  REQUIRE_POINTER(agents, error);
  throng_world *world = passes->world;
  passes->has_grid = false;
  world->dirty = true; /* queries then fail too */
  world->placed = false;
  TRY(check_agents(world, agents, error));
  TRY(resize(world, agents, error));
  struct copy_job job = {world, agents};
  throng_executor_run(&world->executor, world->agents.count, GRAIN, copy_task, NULL, &job);
  memset(world->group_agents, 0, sizeof world->group_agents);
  for (uint32_t slot = 0; slot < world->agents.count; slot++)
    world->group_agents[meta_group(world->agents.front.meta[slot])]++;
  world->frame = agents->frame;
  TRY(throng_commit_index(world, error));
  passes->has_grid = true;
  return THRONG_OK;
}

throng_status throng_passes_build_grid(throng_passes *passes, const throng_passes_agents_def *agents,
                                       throng_error *error) {
  REQUIRE_POINTER(passes, error);
  throng_world *world = passes->world;
  RETURN_ALONE(world, error, grid_inner(passes, agents, error));
}

throng_status throng_passes_get_order(const throng_passes *passes, uint32_t *order, uint32_t capacity,
                                      throng_error *error) {
  REQUIRE_POINTER(passes, error);
  TRY(require_grid(passes, error));
  const throng_world *world = passes->world;
  if (capacity < world->agents.count) {
    return throng_fail(error, THRONG_ERROR_CAPACITY, "order has room for %u, there are %u agents", capacity,
                       world->agents.count);
  }
  if (world->agents.count > 0) REQUIRE_POINTER(order, error);
  for (uint32_t slot = 0; slot < world->agents.count; slot++) order[slot] = world->agents.front.id[slot] - 1;
  return THRONG_OK;
}

/* The neighbours. */

struct wish_job {
  throng_world *world;
  const struct frame *frame;
  const throng_passes_wishes *wishes;
};

/* Writes a strip's rule, or its blended acceleration, in the caller's order. `weight` has a value per group; 0 if the
 * group does not have the rule. */
static void give_wish(const throng_world *world, const struct strip *strip, float (*from)[STRIP_CAPACITY],
                      const float *weight, const throng_vectors_out *to) {
  if (!to->x) return;
  const size_t stride = stride_of(to->stride);
  float *const bases[3] = {to->x, to->y, to->z};
  for (int c = 0; c < 3; c++) {
    const bool computed = c != 1 || world->space.spatial;
    for (uint32_t slot = strip->begin; bases[c] && slot < strip->end; slot++) {
      const bool wanted = computed && (!weight || weight[meta_group(world->agents.front.meta[slot])] != 0.0f);
      put(bases[c], stride, world->agents.front.id[slot] - 1, wanted ? from[c][slot - strip->begin] : 0.0f);
    }
  }
}

static void wish_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct wish_job *job = context;
  throng_world *world = job->world;
  const struct frame *frame = job->frame;
  const throng_vectors_out *const to[RULE_LIST] = {&job->wishes->separation, &job->wishes->cohesion,
                                                   &job->wishes->alignment, &job->wishes->avoidance,
                                                   &job->wishes->attraction};
  struct strip *strip = &world->strips[worker];
  for (uint32_t k = begin; k < end; k++) {
    strip_open(strip, &world->grid, k);
    for (int c = 0; c < 3; c++) strip->acceleration[c] = strip->blended[c];
    struct lap lap = lap_start(&world->tracer, worker, strip->begin, strip->end);
    world->passes->motion->cells(frame, strip);
    throng_frame_steer_strip(world, frame, strip, &lap);
    for (int rule = 0; rule < RULE_LIST; rule++) {
      give_wish(world, strip, strip->rule[rule], group_row(frame->groups, PARAM_WEIGHT + rule), to[rule]);
    }
    give_wish(world, strip, strip->blended, NULL, &job->wishes->acceleration);
  }
}

static throng_status check_wishes(const throng_world *world, const throng_passes_wishes *wishes, throng_error *error) {
  TRY(check_out(world, &wishes->separation, "separation", error));
  TRY(check_out(world, &wishes->cohesion, "cohesion", error));
  TRY(check_out(world, &wishes->alignment, "alignment", error));
  TRY(check_out(world, &wishes->avoidance, "avoidance", error));
  TRY(check_out(world, &wishes->attraction, "attraction", error));
  return check_out(world, &wishes->acceleration, "acceleration", error);
}

static OUT_OF_LINE throng_status neighbours_inner(throng_passes *passes, float dt, const throng_passes_wishes *wishes,
                                                  throng_error *error) {
  REQUIRE_POINTER(wishes, error);
  throng_world *world = passes->world;
  TRY(throng_frame_check_dt(dt, error));
  TRY(check_wishes(world, wishes, error));
  TRY(require_grid(passes, error));
  struct frame frame = throng_frame_make(world, dt);
  for (uint32_t worker = 0; worker < world->strip_count; worker++) throng_strip_reset(&world->strips[worker]);
  throng_frame_prepare_neighbours(world, &frame);
  struct wish_job job = {world, &frame, wishes};
  throng_executor_run(&world->executor, world->grid.strips, 1, wish_task, world->grid.strip_start, &job);
  return THRONG_OK;
}

throng_status throng_passes_run_neighbours(throng_passes *passes, float dt, const throng_passes_wishes *wishes,
                                           throng_error *error) {
  REQUIRE_POINTER(passes, error);
  throng_world *world = passes->world;
  RETURN_ALONE(world, error, neighbours_inner(passes, dt, wishes, error));
}

/* The integration. */

struct motion_job {
  throng_world *world;
  const throng_vectors *acceleration;
  const throng_passes_moved *moved;
};

static void take_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct motion_job *job = context;
  const throng_world *world = job->world;
  const float *const bases[3] = {job->acceleration->x, job->acceleration->y, job->acceleration->z};
  const size_t stride = stride_of(job->acceleration->stride);
  (void)worker;
  for (int c = 0; c < 3; c++) {
    if (c == 1 && !world->space.spatial) continue;
    for (uint32_t slot = begin; slot < end; slot++) {
      world->agents.acceleration[c][slot] = component(bases[c], stride, world->agents.front.id[slot] - 1);
    }
  }
}

/* Writes back columns to the caller's vectors, in the caller's order. Components that planar worlds do not have are not
 * written; with `flat` they are set to 0. */
static void give_moved(const throng_world *world, float *const from[3], const throng_vectors_out *to, bool flat,
                       uint32_t begin, uint32_t end) {
  if (!to->x) return;
  const size_t stride = stride_of(to->stride);
  float *const bases[3] = {to->x, to->y, to->z};
  for (int c = 0; c < 3; c++) {
    if (!bases[c] || (!from[c] && !flat)) continue;
    for (uint32_t slot = begin; slot < end; slot++) {
      put(bases[c], stride, world->agents.front.id[slot] - 1, from[c] ? from[c][slot] : 0.0f);
    }
  }
}

static void give_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct motion_job *job = context;
  const throng_world *world = job->world;
  float *const *f = world->agents.back.f;
  (void)worker;
  give_moved(world, f + COLUMN_POSITION_X, &job->moved->position, false, begin, end);
  give_moved(world, f + COLUMN_VELOCITY_X, &job->moved->velocity, true, begin, end);
  give_moved(world, f + COLUMN_FACING_X, &job->moved->facing, false, begin, end);
}

static OUT_OF_LINE throng_status integrate_inner(throng_passes *passes, float dt, const throng_vectors *acceleration,
                                                 const throng_passes_moved *moved, throng_error *error) {
  REQUIRE_POINTER(acceleration, error);
  REQUIRE_POINTER(moved, error);
  throng_world *world = passes->world;
  TRY(throng_frame_check_dt(dt, error));
  TRY(require_grid(passes, error));
  TRY(check_in(world, acceleration, "acceleration", error));
  TRY(check_out(world, &moved->position, "position", error));
  TRY(check_out(world, &moved->velocity, "velocity", error));
  TRY(check_out_facing(world, &moved->facing, error));
  struct motion_job job = {world, acceleration, moved};
  throng_executor_run(&world->executor, world->agents.count, GRAIN, take_task, NULL, &job);
  world->steered = true; /* the check reads accelerations only if this is set */
  throng_status status = throng_commit_check_accelerations(world, error);
  world->steered = false;
  TRY(status);
  struct frame frame = throng_frame_make(world, dt);
  throng_frame_move(world, &frame);
  TRY(throng_commit_check_frame(world, error));
  throng_executor_run(&world->executor, world->agents.count, GRAIN, give_task, NULL, &job);
  return THRONG_OK;
}

throng_status throng_passes_run_integrate(throng_passes *passes, float dt, const throng_vectors *acceleration,
                                          const throng_passes_moved *moved, throng_error *error) {
  REQUIRE_POINTER(passes, error);
  throng_world *world = passes->world;
  RETURN_ALONE(world, error, integrate_inner(passes, dt, acceleration, moved, error));
}
