/* world.c: creates and destroys worlds. SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/room.h"
#include "base/arithmetic.h"
#include "base/float_environment.h"
#include "frame/commit.h"
#include "frame/frame.h"
#include "groups/group_internal.h"
#include "passes/isa.h"
#include "state.h"
#include "world/inspect.h"
#include "world/objects.h"
#include "world/world_def.h"

throng_world_def throng_default_world_def(void) {
  throng_world_def def;
  memset(&def, 0, sizeof def);
  def.space = THRONG_SPACE_PLANAR;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_UNBOUNDED);
  def.box_max = (throng_vec3){100.0f, 100.0f, 100.0f};
  def.perception_radius = 1.0f;
  def.separation_law = THRONG_SEPARATION_INVERSE;
  def.update = THRONG_UPDATE_SEMI_IMPLICIT;
  def.seed = 1;
  def.contact_iterations = 4;
  def.axes = throng_axes_own();
  def.isa = THRONG_ISA_AUTO;
  def.threads = THRONG_THREADS_AUTO;
  def.cookie = THRONG_WORLD_COOKIE;
  return def;
}

void throng_world_def_set_boundary(throng_world_def *def, throng_boundary boundary) {
  if (!def) return;
  for (int k = 0; k < 3; k++) def->boundary[k] = boundary;
}

const char *const throng_world_spaces[] = {"THRONG_SPACE_PLANAR", "THRONG_SPACE_SPATIAL", NULL};
const char *const throng_world_boundaries[] = {"THRONG_BOUNDARY_UNBOUNDED", "THRONG_BOUNDARY_BOX",
                                               "THRONG_BOUNDARY_PERIODIC", NULL};
const char *const throng_world_separation_laws[] = {"THRONG_SEPARATION_INVERSE", "THRONG_SEPARATION_LINEAR",
                                                    "THRONG_SEPARATION_INVERSE_SQUARE", NULL};
const char *const throng_world_updates[] = {"THRONG_UPDATE_SEMI_IMPLICIT", "THRONG_UPDATE_EXPLICIT",
                                            "THRONG_UPDATE_BALLISTIC", NULL};

void throng_world_clear_signs(throng_world_def *def) {
  throng_vec3 *const corner[2] = {&def->box_min, &def->box_max};
  for (int k = 0; k < 2; k++) {
    corner[k]->x += 0.0f;
    corner[k]->y += 0.0f;
    corner[k]->z += 0.0f;
  }
}

static throng_status check_most(unsigned value, unsigned last, const char *field, throng_error *error) {
  if (value <= last) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s is %u, allowed: 0 to %u", field, value, last);
}

/* Checks the box along axis k. */
static throng_status check_side(const throng_world_def *def, int k, throng_error *error) {
  const float limit = space_limit(def->perception_radius), min = (&def->box_min.x)[k], max = (&def->box_max.x)[k];
  if (def->boundary[k] == THRONG_BOUNDARY_UNBOUNDED || (k == 1 && def->space == THRONG_SPACE_PLANAR)) return THRONG_OK;
  const bool far_min = !(fabsf(min) <= limit), far = far_min || !(fabsf(max) <= limit);
  const struct axes_coordinate host = throng_axes_give_coordinate(&def->axes, k, far_min ? min : max, min, max);
  const char axis = host.axis;
  if (!(fabsf(min) <= FLT_MAX) || !(fabsf(max) <= FLT_MAX)) {
    return throng_fail(error, THRONG_ERROR_NOT_FINITE, "world.box_min.%c, box_max.%c are %g, %g, must be finite", axis,
                       axis, host.low, host.high);
  }
  if (!(min < max)) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.box_min.%c is %.9g, must be below box_max.%c, %.9g", axis,
                       host.low, axis, host.high);
  }
  if (def->boundary[k] == THRONG_BOUNDARY_BOX && !(next_float(min, true) < max)) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "world.box_min.%c is %.9g, next to box_max.%c, %.9g: there must be a float between them", axis,
                       host.low, axis, host.high);
  }
  if (far) {
    const double most = (double)axes_give_length(&def->axes, limit);
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "world.box_%s.%c is %.9g, allowed: -%.9g to %.9g",
                       host.value == host.low ? "min" : "max", axis, host.value, most, most);
  }
  if (def->boundary[k] == THRONG_BOUNDARY_PERIODIC && max - min < 4.0f * def->perception_radius) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "world.box is %.9g m along %c, a periodic one needs 4 perception_radius, %.9g",
                       (double)(max - min), axis, (double)(4.0f * def->perception_radius));
  }
  return THRONG_OK;
}

static throng_status check_hooks(const throng_world_def *def, throng_error *error) {
  if (!def->allocator.allocate != !def->allocator.release) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.allocator needs both allocate and release, or neither");
  }
  if (!def->jobs.enqueue != !def->jobs.finish) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.jobs needs both enqueue and finish, or neither");
  }
  if (def->jobs.enqueue && (def->jobs.worker_count < 1 || def->jobs.worker_count > EXECUTOR_MAX_WORKERS)) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.jobs.worker_count is %u, allowed: 1 to %u",
                       def->jobs.worker_count, EXECUTOR_MAX_WORKERS);
  }
  return THRONG_OK;
}

static throng_status check_axes(const throng_world_def *def, throng_error *error) {
  if (def->cookie != THRONG_WORLD_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "world definition has a wrong cookie: it is not from throng_default_world_def()");
  }
  return throng_axes_check(&def->axes, error);
}

throng_status throng_world_check_def(const throng_world_def *def, throng_error *error) {
  TRY(check_axes(def, error));
  TRY(throng_check_enum((int)def->space, throng_world_spaces, "world.space", error));
  for (int k = 0; k < 3; k++) {
    char field[] = "world.boundary[0]";
    field[sizeof field - 3] = (char)('0' + k);
    TRY(throng_check_enum((int)def->boundary[k], throng_world_boundaries, field, error));
  }
  TRY(throng_check_enum((int)def->separation_law, throng_world_separation_laws, "world.separation_law", error));
  TRY(throng_check_enum((int)def->update, throng_world_updates, "world.update", error));
  if ((unsigned)def->isa >= THRONG_ISA_COUNT) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.isa is %d, allowed: THRONG_ISA_AUTO to THRONG_ISA_NEON",
                       (int)def->isa);
  }
  if ((unsigned)def->threads >= THRONG_THREADS_COUNT) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "world.threads is %d, allowed: THRONG_THREADS_OPENMP to THRONG_THREADS_AUTO", (int)def->threads);
  }
  TRY(check_most(def->thread_count, EXECUTOR_MAX_WORKERS, "world.thread_count", error));
  TRY(check_most(def->capacity, MAX_AGENTS, "world.capacity", error));
  TRY(check_most(def->neighbour_budget, 1u << 24, "world.neighbour_budget", error));
  if (def->contact_iterations < 1 || def->contact_iterations > 16) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "world.contact_iterations is %u, allowed: 1 to 16",
                       def->contact_iterations);
  }
  TRY(throng_check_range(def->perception_radius, 1e-3f, 1e6f, "world.perception_radius", error));
  for (int k = 0; k < 3; k++) TRY(check_side(def, k, error));
  return check_hooks(def, error);
}

/* Finds the passes of `isa`. The error text names the instruction set by `name`, and `what` says where the host chose
 * it. */
static throng_status find_passes(throng_isa isa, const char *what, const char *name, const struct pass_table **passes,
                                 throng_error *error) {
  *passes = isa < THRONG_ISA_COUNT ? throng_isa_passes(isa) : NULL;
  if (*passes) return THRONG_OK;
  if (throng_isa_is_built(isa)) {
    return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "%s%.40s: this CPU does not have it", what, name);
  }
  char built[80];
  throng_isa_list_built(built, sizeof built);
  return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "%s%.40s: this build has %s", what, name, built);
}

/* Chooses the instruction set of the definition, or that of the environment variable THRONG_ISA if it is lower. */
static throng_status choose_passes(const throng_world_def *def, const struct pass_table **passes, throng_error *error) {
  TRY(find_passes(def->isa, "world.isa is ", throng_isa_name(def->isa), passes, error));
  const char *name = getenv("THRONG_ISA");
  if (!name || !*name) return THRONG_OK;
  const throng_isa isa = throng_isa_from_name(name);
  const struct pass_table *lowered = NULL;
  TRY(find_passes(isa, "THRONG_ISA=", name, &lowered, error));
  if (isa != THRONG_ISA_AUTO && lowered->isa < (*passes)->isa) *passes = lowered;
  return THRONG_OK;
}

/* Chooses the threads of the definition, or those of the environment variable THRONG_THREADS. */
static throng_status choose_threads(throng_world_def *def, throng_error *error) {
  const char *name = getenv("THRONG_THREADS");
  if (!name || !*name) return THRONG_OK;
  def->threads = throng_threads_from_name(name);
  if (def->threads < THRONG_THREADS_COUNT) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "THRONG_THREADS=%.40s: allowed: openmp, team, serial, auto",
                     name);
}

#if defined(__OPTIMIZE__) || !defined(__GNUC__)
#define BUILD_NOTE ""
#else
#define BUILD_NOTE "; compiled without optimisation: slow"
#endif

static void log_world(const throng_world *world) {
  const throng_world_def *def = &world->def;
  if (!def->log.write) return;
  char text[120];
  snprintf(text, sizeof text, "throng %d.%d.%d: %s world, %s, %u worker%s" BUILD_NOTE, THRONG_VERSION_MAJOR,
           THRONG_VERSION_MINOR, THRONG_VERSION_PATCH, def->space == THRONG_SPACE_SPATIAL ? "spatial" : "planar",
           throng_isa_name(def->isa), def->thread_count, def->thread_count == 1 ? "" : "s");
  def->log.write(text, def->log.context);
}

static OUT_OF_LINE throng_status world_create_inner(const throng_world_def *def, throng_world **out,
                                                    throng_error *error) {
  REQUIRE_POINTER(def, error);
  REQUIRE_POINTER(out, error);
  TRY(check_axes(def, error));
  throng_world_def own = *def;
  const bool converts = !throng_axes_are_own(&def->axes);
  if (converts) {
    throng_axes_take_box(&def->axes, &own.box_min, &own.box_max);
    throng_axes_take_boundary(&def->axes, def->boundary, own.boundary);
  }
  throng_world_clear_signs(&own);
  def = &own;
  TRY(throng_world_check_def(def, error));
  const struct pass_table *passes = NULL;
  TRY(choose_passes(def, &passes, error));
  TRY(choose_threads(&own, error));

  throng_world *world = throng_allocate(&def->allocator, sizeof *world);
  if (!world) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a world");
  world->def = *def;
  world->passes = passes;
  world->hooks = &throng_whole_hooks;
  world->def.isa = passes->isa;
  const bool can_run = throng_executor_create(&world->executor, def);
  world->def.threads = world->executor.threads;
  world->def.thread_count = world->executor.workers;
  world->tracer = (struct tracer){.hook = def->trace, .timed = def->profile || def->trace.event};
  world->space = throng_space_make(def);
  throng_grid_init(&world->grid, def, &world->space, world->executor.workers, passes->neighbours->pack);
  world->space.axes = converts ? &world->def.axes : NULL;
  throng_space_set_box(&world->space, &world->def);
  world->agents.ids.sparse = def->sparse_ids;
  throng_objects_init(&world->objects);
#ifndef NDEBUG
  world->claim.check = throng_inspect_after_call;
#endif
  throng_status status =
      can_run ? THRONG_OK
              : throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u workers", world->executor.workers);
  if (status == THRONG_OK) status = throng_groups_make_room(world, 1, error);
  if (status == THRONG_OK) {
    world->group[0] = throng_default_group_def();
    world->group_defined[0] = true;
    status = throng_room_create_columns(world, error);
  }
  if (status == THRONG_OK) status = throng_commit_index(world, error);
  if (status != THRONG_OK) {
    throng_world_destroy(world);
    return status;
  }
  log_world(world);
  *out = world;
  return THRONG_OK;
}

throng_status throng_world_create(const throng_world_def *def, throng_world **out, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, world_create_inner(def, out, error));
}

void throng_world_destroy(throng_world *world) {
  if (!world) return;
  CLAIM_OR_RETURN(world);
  const throng_allocator allocator = world->def.allocator;
  throng_room_release(world);
  throng_groups_release(world);
  throng_release(&allocator, world->piece.groups, sizeof *world->piece.groups);
  throng_objects_release(&world->objects, &allocator);
  throng_executor_release(&world->executor, &allocator);
  throng_release(&allocator, world, sizeof *world);
}

static OUT_OF_LINE throng_world_def get_def_inner(const throng_world *world) {
  throng_world_def def = world->def;
  if (!def.jobs.enqueue && throng_executor_lost_threads()) def.thread_count = 1;
  if (world->space.axes) {
    throng_axes_give_box(&def.axes, &def.box_min, &def.box_max);
    throng_world_clear_signs(&def);
    throng_axes_give_boundary(&def.axes, world->def.boundary, def.boundary);
  }
  return def;
}

throng_world_def throng_world_get_def(const throng_world *world) {
  if (!world) return throng_default_world_def();
  RETURN_IN_FLOAT_ENVIRONMENT(throng_world_def, get_def_inner(world));
}

uint64_t throng_world_frame(const throng_world *world) { return world ? world->frame : 0; }
