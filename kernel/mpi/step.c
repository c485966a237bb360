/* step.c: one world over many ranks. Read throng_mpi_step() first. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/assertion.h"
#include "mpi/cpu_clock.h"
#include "mpi/mpi_internal.h"

#define MPI_COOKIE 0x6d706931u
#define SLACK (1.0f + 1.0f / 32.0f) /* of a reach, for rounding */
#define BUDGET_REACH 3.0f           /* in perception radii: cells round each candidate count, too */

throng_mpi_def throng_default_mpi_def(void) {
  return (throng_mpi_def){.comm = MPI_COMM_WORLD, .balance_every = 100, .cookie = MPI_COOKIE};
}

static throng_status check_def(const throng_mpi_def *def, throng_error *error) {
  if (def->cookie != MPI_COOKIE) {
    return throng_mpi_fail(error, THRONG_ERROR_BAD_COOKIE,
                           "MPI definition has a wrong cookie: it is not from throng_default_mpi_def()");
  }
  if ((unsigned)def->balance >= THRONG_MPI_BALANCE_COUNT)
    return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "mpi.balance is %d, allowed: WORK, AGENTS, TIME",
                           (int)def->balance);
  if ((unsigned)def->cut >= THRONG_MPI_CUT_COUNT)
    return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "mpi.cut is %d, allowed: BLOCKS, SLABS, RCB", (int)def->cut);
  if ((unsigned)def->overlap >= THRONG_MPI_OVERLAP_COUNT)
    return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "mpi.overlap is %d, allowed: AUTO, ON, OFF",
                           (int)def->overlap);
  if (def->slabs == 0 || def->cut == THRONG_MPI_CUT_BLOCKS) return THRONG_OK;
  return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "mpi.slabs is %u, allowed with this mpi.cut: 0", def->slabs);
}

throng_world *throng_mpi_world(throng_mpi *mpi) { return mpi ? mpi->world : NULL; }
uint64_t throng_mpi_agents_count(const throng_mpi *mpi) { return mpi ? mpi->total : 0; }

throng_mpi_stats throng_mpi_get_stats(const throng_mpi *mpi) {
  if (!mpi) return (throng_mpi_stats){0};
  throng_mpi_stats stats = mpi->stats;
  stats.cpu_seconds = cpu_seconds() - mpi->cpu_begun;
  return stats;
}

throng_status throng_mpi_get_region(const throng_mpi *mpi, int rank, throng_mpi_region *region, throng_error *error) {
  if (!mpi || !region) return throng_mpi_fail(error, THRONG_ERROR_NULL_ARGUMENT, "mpi or region is NULL");
  if (rank < 0 || rank >= mpi->ranks)
    return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "rank is %d, allowed: 0 to %d", rank, mpi->ranks - 1);
  *region = throng_mpi_region_of(&mpi->cuts, rank);
  return THRONG_OK;
}

uint64_t throng_mpi_hash(const throng_mpi *mpi, uint64_t columns) {
  if (!mpi) return 0;
  uint64_t own = throng_world_hash(mpi->world, columns), sum = 0;
  MPI_Allreduce(&own, &sum, 1, MPI_UINT64_T, MPI_SUM, mpi->comm);
  return sum;
}

/* Whether this holds for some group. The ranks have the same groups. */
static bool some_group(const throng_world *world, bool (*holds)(const throng_group_def *def)) {
  throng_group_def def;
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    if (throng_world_get_group(world, g, &def, NULL) == THRONG_OK && holds(&def)) return true;
  }
  return false;
}

static bool is_solid(const throng_group_def *def) { return def->contact > 0.0f; }

static bool uses_own_targets(const throng_group_def *def) {
  for (uint32_t k = 0; k < def->behaviour_count; k++) {
    if (def->behaviour[k].target.kind == THRONG_TARGET_OWN || def->behaviour[k].other.kind == THRONG_TARGET_OWN)
      return true;
  }
  return false;
}

/* Makes the columns of all ranks the same. */
static throng_status share_columns(throng_mpi *mpi, throng_error *error) {
  const throng_space space = mpi->world_def.space;
  mpi->columns = throng_piece_columns(mpi->world);
  MPI_Allreduce(MPI_IN_PLACE, &mpi->columns, 1, MPI_UINT64_T, MPI_BOR, mpi->comm);
  const throng_status status = throng_mpi_agree(mpi, throng_piece_need_columns(mpi->world, mpi->columns, error), error);
  mpi->ghost_columns = throng_piece_seen_columns(mpi->world);
  mpi->record_bytes = throng_piece_record_bytes(space, mpi->columns);
  mpi->ghost_bytes = throng_piece_record_bytes(space, mpi->ghost_columns);
  mpi->targets.used = mpi->columns & THRONG_BIT(THRONG_COLUMN_TARGET) && some_group(mpi->world, uses_own_targets);
  return status;
}

/* A frame depends on the groups that have agents anywhere. They change only between frames. */
static throng_status share_live_groups(throng_mpi *mpi, throng_error *error) {
  uint8_t live[THRONG_MAX_GROUPS];
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) live[g] = throng_world_group_agent_count(mpi->world, g) > 0;
  MPI_Allreduce(MPI_IN_PLACE, live, THRONG_MAX_GROUPS, MPI_UINT8_T, MPI_MAX, mpi->comm);
  return throng_piece_set_live_groups(mpi->world, live, error);
}

/* Agents that the host has moved may be outside the outer box of the last cut. */
static throng_status index_anywhere(throng_mpi *mpi, throng_error *error) {
  const throng_vec3 low = {-INFINITY, -INFINITY, -INFINITY}, high = {INFINITY, INFINITY, INFINITY};
  const throng_status status = throng_piece_set_outer_box(mpi->world, low, high, error);
  return status == THRONG_OK ? throng_world_index(mpi->world, error) : status;
}

/* After a throng_mpi_sync or new cuts: notes whether frames can go on from here. Returns `status`. */
static throng_status become_ready(throng_mpi *mpi, throng_status status) {
  mpi->ready = status == THRONG_OK;
  if (mpi->ready) mpi->changes = throng_piece_changes(mpi->world);
  return status;
}

throng_status throng_mpi_sync(throng_mpi *mpi, throng_error *error) {
  throng_error own;
  if (!error) error = &own;
  if (!mpi) return throng_mpi_fail(error, THRONG_ERROR_NULL_ARGUMENT, "'mpi' is NULL");
  throng_status status = throng_mpi_compare(mpi, throng_piece_hash_definition(mpi->world),
                                            "definition, groups, objects or frame number", error);
  mpi->ready = false;
  if (status == THRONG_OK) status = throng_mpi_agree(mpi, index_anywhere(mpi, error), error);
  if (status == THRONG_OK) status = share_columns(mpi, error);
  if (status == THRONG_OK) status = throng_mpi_find_followed(mpi, error);
  if (status == THRONG_OK) status = throng_mpi_find_peers(mpi, error);
  if (status == THRONG_OK) status = throng_mpi_redistribute(mpi, error);
  if (status != THRONG_OK) return status;
  mpi->owned = throng_agents_count(mpi->world);
  MPI_Allreduce(&mpi->owned, &mpi->total, 1, MPI_UINT64_T, MPI_SUM, mpi->comm);
  mpi->solid = some_group(mpi->world, is_solid);
  status = throng_mpi_agree(mpi, share_live_groups(mpi, error), error);
  return become_ready(mpi, status);
}

/* Removes the agents that other ranks own. */
static throng_status keep_own(throng_mpi *mpi, throng_error *error) {
  throng_view view;
  throng_status status = throng_world_view(mpi->world, &view, error);
  if (status != THRONG_OK) return status;
  throng_agent_id *gone = malloc(((size_t)view.count + 1) * sizeof *gone);
  uint32_t count = 0;
  if (!gone) return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for agents");
  for (uint32_t k = 0; k < view.count; k++) {
    if (throng_mpi_owner(&mpi->cuts, view.position_x[k], view.position_z[k]) != mpi->rank)
      gone[count++] = throng_view_id(&view, k);
  }
  status = throng_agents_remove(mpi->world, gone, count, error);
  free(gone);
  return status;
}

throng_status throng_mpi_become_piece(throng_mpi *mpi, throng_error *error) {
  throng_piece_def piece = throng_default_piece_def();
  piece.begin = throng_mpi_begin;
  piece.progress = throng_mpi_progress;
  piece.exchange = throng_mpi_exchange;
  piece.contact_begin = throng_mpi_begin_contact;
  piece.contact = throng_mpi_contact;
  piece.agree = throng_mpi_agree_on_frame;
  piece.context = mpi;
  return throng_piece_set(mpi->world, &piece, error);
}

/* Compares the worlds that the ranks have made, and cuts them. */
static throng_status cut_world(throng_mpi *mpi, throng_error *error) {
  const uint64_t columns = throng_piece_columns(mpi->world) & ~(THRONG_PIECE_HEIGHT | THRONG_PIECE_PREVIOUS_POSE);
  throng_status status = throng_mpi_agree(mpi, throng_world_index(mpi->world, error), error);
  if (status == THRONG_OK)
    status = throng_mpi_compare(mpi, throng_piece_hash_definition(mpi->world),
                                "definition, groups, objects or frame number", error);
  if (status == THRONG_OK)
    status = throng_mpi_compare(mpi, throng_world_hash(mpi->world, columns | THRONG_BIT(THRONG_COLUMN_GROUP)),
                                "set of agents", error);
  if (status == THRONG_OK) status = throng_mpi_cut_world(mpi, true, error);
  if (status == THRONG_OK) status = throng_mpi_agree(mpi, throng_mpi_become_piece(mpi, error), error);
  if (status == THRONG_OK) status = throng_mpi_agree(mpi, keep_own(mpi, error), error);
  return status == THRONG_OK ? throng_mpi_sync(mpi, error) : status;
}

/* Whether messages travel while agents move. */
static bool overlaps(const throng_mpi *mpi) {
  MPI_Comm machine;
  int ranks;
  MPI_Comm_split_type(mpi->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &ranks);
  MPI_Comm_free(&machine);
  return mpi->def.overlap == THRONG_MPI_OVERLAP_AUTO ? ranks < mpi->ranks : mpi->def.overlap == THRONG_MPI_OVERLAP_ON;
}

throng_status throng_mpi_open(throng_world *world, const throng_mpi_def *def, throng_mpi **out, throng_error *error) {
  const throng_mpi_def standard = throng_default_mpi_def();
  if (!def) def = &standard;
  throng_status status = check_def(def, error);
  if (status != THRONG_OK) return status;
  throng_mpi *mpi = calloc(1, sizeof *mpi), here = {.comm = def->comm}; /* without memory, `here` tells the others */
  MPI_Comm_rank(here.comm, &here.rank);
  status =
      throng_mpi_agree(&here, mpi ? THRONG_OK : throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory"), error);
  if (status != THRONG_OK) {
    free(mpi);
    return status;
  }
  mpi->cpu_begun = cpu_seconds();
  mpi->world = world;
  mpi->def = *def;
  mpi->world_def = throng_world_get_def(world);
  MPI_Comm_dup(def->comm, &mpi->comm);
  MPI_Comm_rank(mpi->comm, &mpi->rank);
  MPI_Comm_size(mpi->comm, &mpi->ranks);
  const bool complete = throng_mpi_open_targets(mpi) && throng_mpi_open_delivery(mpi);
  const float reach = mpi->world_def.neighbour_budget ? BUDGET_REACH : 1.0f;
  mpi->cuts.halo = reach * mpi->world_def.perception_radius * SLACK;
  mpi->overlaps = overlaps(mpi);
  const uint64_t choices = (uint64_t)def->overlap << 8 | (uint64_t)def->cut << 2 | (uint64_t)def->balance;
  const uint64_t numbers = (uint64_t)def->balance_every << 32 | (uint64_t)def->slabs;
  throng_status opened = complete ? THRONG_OK : throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory");
  if (def->cut == THRONG_MPI_CUT_RCB && !throng_mpi_has_rcb())
    opened =
        throng_mpi_fail(error, THRONG_ERROR_UNSUPPORTED, "mpi.cut is RCB, but libthrong-mpi was built without Zoltan");
  throng_status same = throng_mpi_agree(mpi, opened, error);
  if (same == THRONG_OK) same = throng_mpi_compare_builds(mpi, error);
  if (same == THRONG_OK) same = throng_mpi_compare(mpi, choices, "cut, balance or overlap", error);
  if (same == THRONG_OK) same = throng_mpi_compare(mpi, numbers, "slabs or balance_every", error);
  if (same == THRONG_OK) {
    *out = mpi;
  } else {
    throng_mpi_close(mpi);
  }
  return same;
}

throng_status throng_mpi_abandon(throng_mpi *mpi, throng_status status) {
  throng_piece_drop_ghosts(mpi->world, NULL);
  throng_piece_set(mpi->world, NULL, NULL);
  throng_mpi_close(mpi);
  return status;
}

void throng_mpi_close(throng_mpi *mpi) {
  throng_mpi_release_contacts(mpi);
  throng_mpi_release_peers(&mpi->near);
  throng_mpi_release_peers(&mpi->all);
  throng_mpi_release_cuts(&mpi->cuts);
  throng_mpi_release_targets(&mpi->targets);
  throng_mpi_release_delivery(&mpi->delivery);
  free(mpi->followed);
  free(mpi->out.data);
  free(mpi->in.data);
  MPI_Comm_free(&mpi->comm);
  free(mpi);
}

throng_status throng_mpi_create(throng_world *world, const throng_mpi_def *def, throng_mpi **out, throng_error *error) {
  throng_error own;
  throng_mpi *mpi;
  if (!error) error = &own;
  if (!world || !out) return throng_mpi_fail(error, THRONG_ERROR_NULL_ARGUMENT, "world or mpi is NULL");
  throng_status status = throng_mpi_open(world, def, &mpi, error);
  if (status != THRONG_OK) return status;
  status = cut_world(mpi, error);
  if (status != THRONG_OK) return throng_mpi_abandon(mpi, status);
  *out = mpi;
  return THRONG_OK;
}

void throng_mpi_destroy(throng_mpi *mpi) {
  if (!mpi) return;
  throng_world_destroy(mpi->world);
  throng_mpi_close(mpi);
}

throng_status throng_mpi_check_synced(const throng_mpi *mpi, throng_status refusal, throng_error *error) {
  const uint64_t changed = throng_piece_columns(mpi->world) ^ mpi->columns; /* some ranks may keep previous poses */
  if (throng_piece_changes(mpi->world) == mpi->changes && !(changed & ~THRONG_PIECE_PREVIOUS_POSE)) return THRONG_OK;
  return throng_mpi_fail(error, refusal,
                         "its agents, columns, groups or objects changed since the last frame: throng_mpi_sync first");
}

static throng_status cut_again(throng_mpi *mpi, throng_error *error) {
  bool moved;
  throng_status status = throng_mpi_balance_again(mpi, &moved, error);
  if (status != THRONG_OK || !moved) return status;
  mpi->stats.cuts++;
  mpi->busy_seconds = 0.0;
  status = throng_mpi_find_peers(mpi, error);
  return status == THRONG_OK ? throng_mpi_redistribute(mpi, error) : status;
}

/* Every balance_every frames: new cuts. */
static throng_status balance(throng_mpi *mpi, throng_error *error) {
  const uint64_t frame = throng_world_frame(mpi->world);
  if (mpi->def.balance_every == 0 || mpi->ranks == 1 || frame == 0 || frame % mpi->def.balance_every != 0)
    return THRONG_OK;
  throng_status status = throng_mpi_agree(mpi, throng_mpi_check_synced(mpi, THRONG_ERROR_BAD_VALUE, error), error);
  return status == THRONG_OK ? become_ready(mpi, cut_again(mpi, error)) : status;
}

/* Makes room for the agents that a frame wanted to bring. */
static throng_status make_room(throng_mpi *mpi, throng_error *error) {
  const uint64_t needed = mpi->needed + mpi->needed / 2;
  if (mpi->needed == 0) return THRONG_OK;
  mpi->needed = 0;
  mpi->stats.growths++;
  return throng_agents_reserve(mpi->world, needed < UINT32_MAX ? (uint32_t)needed : UINT32_MAX, error);
}

static throng_status check_dt(float dt, throng_error *error) {
  if (dt >= 0.0f && dt <= 1.0f) return THRONG_OK;
  return throng_mpi_fail(error, isnan(dt) ? THRONG_ERROR_NOT_FINITE : THRONG_ERROR_BAD_VALUE,
                         "dt is %g, allowed: 0 to 1", (double)dt);
}

/* Runs the frame once. A rank that cannot begin it tells the others, which would wait for its messages. */
static throng_status try_frame(throng_mpi *mpi, float dt, throng_error *error) {
  throng_status status = check_dt(dt, error);
  if (status == THRONG_OK) status = throng_mpi_check_synced(mpi, THRONG_ERROR_BAD_VALUE, error);
  if (status == THRONG_OK) status = throng_world_index(mpi->world, error);
  if (status == THRONG_OK && mpi->targets.used) status = throng_mpi_list_wants(mpi, error);
  mpi->repeat = 0;
  if (mpi->solid) {
    if (status == THRONG_OK) status = throng_mpi_list_contacts(mpi, error);
    status = throng_mpi_agree_to_begin(mpi, status, dt, error); /* a dt of 0 has no contact rounds */
    if (status != THRONG_OK) return status;
  } else if (status != THRONG_OK) {
    return throng_mpi_fail_frame(mpi, status, error);
  }
  return throng_world_step(mpi->world, dt, error);
}

throng_status throng_mpi_step(throng_mpi *mpi, float dt, throng_error *error) {
  throng_error own;
  if (!error) error = &own;
  if (!mpi) return throng_mpi_fail(error, THRONG_ERROR_NULL_ARGUMENT, "'mpi' is NULL");
  if (!mpi->ready) /* on all ranks alike */
    return throng_mpi_fail(error, THRONG_ERROR_NOT_INDEXED,
                           "the last throng_mpi_sync or cut failed: throng_mpi_sync first");
  const double begun = cpu_seconds() - mpi->mpi_seconds;
  const throng_mpi_stats before = mpi->stats;
  throng_status status = balance(mpi, error);
  bool again = status == THRONG_OK;
  ASSERT_ALONE(mpi->sending.state == SENDING_NOTHING);
  mpi->far = false;
  mpi->dt = dt;
  while (again) {
    status = try_frame(mpi, dt, error);
    again = status != THRONG_OK && mpi->repeat != 0;
    if (!again) continue;
    mpi->stats.repeats++;
    mpi->far = mpi->far || mpi->repeat & REPEAT_FAR;
    if (mpi->repeat & REPEAT_LATE) {
      mpi->rim *= 2.0f;
      throng_piece_set_rim(mpi->world, mpi->rim, NULL); /* cannot fail: the world is a piece */
    }
    if (mpi->repeat & REPEAT_ROOM) status = throng_mpi_agree(mpi, make_room(mpi, error), error);
    again = mpi->repeat & REPEAT_ROOM ? status == THRONG_OK : true;
  }
  if (status == THRONG_OK && mpi->targets.used) throng_mpi_settle_targets(mpi);
  const double busy = cpu_seconds() - mpi->mpi_seconds - begun;
  mpi->busy_seconds += busy;
  mpi->stats.step_seconds += busy - (mpi->stats.exchange_seconds - before.exchange_seconds) -
                             (mpi->stats.contact_seconds - before.contact_seconds);
  mpi->stats.frames += status == THRONG_OK;
  return status;
}
