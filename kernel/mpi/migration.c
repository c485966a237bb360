/* migration.c: decides which agents go where. Read throng_mpi_begin() and throng_mpi_exchange() first: they run in
 * every frame.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/assertion.h"
#include "mpi/cpu_clock.h"
#include "mpi/mpi_internal.h"

static void empty_lists(struct peers *peers) {
  for (int k = 0; k < peers->count; k++) peers->own[k].count = peers->ghosts[k].count = 0;
}

/* An own agent after its move. */
struct mover {
  uint32_t element, index, meta;
  float x, z;
  bool followed;
};

static struct mover mover_at(const throng_piece_agents *agents, uint32_t element, bool followed) {
  ASSERT_ALONE(element < agents->count && !(agents->meta[element] & THRONG_META_GHOST));
  return (struct mover){element,
                        agents->id_index[element],
                        agents->meta[element],
                        agents->position_x[element],
                        agents->position_z[element],
                        followed};
}

/* Whether this rank needs an agent that leaves it as a ghost. */
static bool is_needed_here(const throng_mpi *mpi, const struct mover *mover) {
  return mover->followed || throng_mpi_concerns(&mpi->cuts, mpi->rank, mover->x, mover->z) ||
         throng_mpi_keeps_target(mpi, mover->index, mover->meta);
}

/* Whether the ranks that need an agent with another owner are peers. */
static bool reaches_all(const throng_mpi *mpi, const struct peers *peers, const struct mover *mover, int owner) {
  for (int rank = 0, k = 0; rank < mpi->ranks; rank++) {
    const bool peer = k < peers->count && peers->rank[k] == rank;
    k += peer;
    if (peer || rank == mpi->rank) continue;
    if (rank == owner || throng_mpi_concerns(&mpi->cuts, rank, mover->x, mover->z)) return false;
  }
  return true;
}

/* Puts an own agent on the lists of the ranks that need it. Returns its owner, or -1 without memory. *reached: whether
 * these ranks are peers. An agent that is not finite stays, so that the frame fails here. */
static int address(throng_mpi *mpi, struct peers *peers, const struct mover *mover, bool *reached) {
  const bool finite = isfinite(mover->x) && isfinite(mover->z);
  const int owner = finite ? throng_mpi_owner(&mpi->cuts, mover->x, mover->z) : mpi->rank;
  bool listed = true;
  *reached = owner == mpi->rank || reaches_all(mpi, peers, mover, owner);
  for (int k = 0; k < peers->count; k++) {
    if (peers->rank[k] == owner) {
      listed = throng_mpi_list(&peers->own[k], mover->element) && listed;
    } else if (mover->followed || throng_mpi_concerns(&mpi->cuts, peers->rank[k], mover->x, mover->z)) {
      listed = throng_mpi_list(&peers->ghosts[k], mover->element) && listed;
    }
  }
  return listed ? owner : -1;
}

/* Sends one agent, and gives it away if another rank owns it now. */
static throng_status send_mover(throng_mpi *mpi, struct peers *peers, const struct mover *mover, throng_error *error) {
  bool reached;
  const int owner = address(mpi, peers, mover, &reached);
  if (owner < 0) return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for messages");
  if (!reached) { /* it crossed a whole region in one frame, or most of it */
    mpi->repeat |= REPEAT_FAR;
    return throng_mpi_fail(error, THRONG_ERROR_CAPACITY, "an agent moved beyond the neighbouring regions");
  }
  if (owner == mpi->rank) return THRONG_OK;
  const bool stays = is_needed_here(mpi, mover);
  ASSERT_ALONE(mpi->owned > 0);
  mpi->owned--;
  return throng_piece_give(mpi->world, &mover->element, 1, stays, error);
}

/* Followed agents inside the inner box are not in the list of the border. */
static throng_status send_followed(throng_mpi *mpi, struct peers *peers, const throng_piece_agents *agents,
                                   throng_error *error) {
  throng_status status = THRONG_OK;
  for (uint32_t k = 0; k < mpi->followed_count && status == THRONG_OK; k++) {
    uint32_t element;
    if (!throng_piece_find(mpi->world, mpi->followed[k], &element) || agents->meta[element] & THRONG_META_GHOST)
      continue;
    const struct mover mover = mover_at(agents, element, true);
    status = send_mover(mpi, peers, &mover, error);
  }
  return status;
}

static throng_status address_all(throng_mpi *mpi, struct peers *peers, const throng_piece_agents *agents,
                                 throng_error *error) {
  throng_status status = send_followed(mpi, peers, agents, error);
  for (uint32_t k = 0; k < agents->border_count && status == THRONG_OK; k++) {
    const uint32_t element = agents->border[k];
    if (throng_mpi_is_followed(mpi, agents->id_index[element], agents->meta[element])) continue;
    const struct mover mover = mover_at(agents, element, false);
    status = send_mover(mpi, peers, &mover, error);
  }
  return status;
}

/* The piece has no capacity for what came: the frame runs again with more. */
static void repeat_with_room(throng_mpi *mpi, const struct peers *peers, const throng_piece_agents *agents,
                             uint32_t targets) {
  mpi->repeat = REPEAT_ROOM;
  mpi->needed = agents->count + targets;
  for (int k = 0; k < peers->count; k++)
    mpi->needed += (uint32_t)(peers->counts_in[COUNTS * k] + peers->counts_in[COUNTS * k + 1]);
}

/* Sends the targets that other ranks asked for, and takes those that this rank asked for. */
static throng_status exchange_targets(throng_mpi *mpi, const struct peers *peers, const throng_piece_agents *agents,
                                      throng_status status, throng_error *error) {
  const struct placed placed = {agents->meta, agents->position_x, agents->position_z};
  if (status == THRONG_OK) status = throng_mpi_note_arrivals(mpi, peers, error);
  status = throng_mpi_pack_answers(mpi, &placed, status, error);
  throng_error later;
  uint32_t count;
  const throng_status sent = throng_mpi_send_answers(mpi, &count, status == THRONG_OK ? error : &later);
  if (mpi->repeat == REPEAT_ROOM) mpi->needed += count;
  if (status == THRONG_OK) status = sent;
  if (status != THRONG_OK) return status;
  status = throng_piece_take(mpi->world, mpi->ghost_columns, mpi->in.data, count, false, error);
  if (status == THRONG_ERROR_CAPACITY) repeat_with_room(mpi, peers, agents, count);
  return status;
}

static struct peers *peers_of_frame(throng_mpi *mpi) { return mpi->far ? &mpi->all : &mpi->near; }

throng_status throng_mpi_begin(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                               void *context) {
  throng_mpi *mpi = context;
  struct peers *peers = peers_of_frame(mpi);
  const double begun = cpu_seconds() - mpi->mpi_seconds;
  mpi->owned = throng_agents_count(world);
  mpi->repeat = 0;
  empty_lists(peers);
  throng_status status = mpi->targets.used ? throng_mpi_ask(mpi, agents, error) : THRONG_OK;
  if (status == THRONG_OK) status = address_all(mpi, peers, agents, error);
  if (status != THRONG_OK) empty_lists(peers);
  throng_error later;
  const throng_status sent = throng_mpi_begin_send(mpi, peers, status == THRONG_OK ? error : &later);
  mpi->begun = status == THRONG_OK ? sent : status;
  mpi->stats.exchange_seconds += cpu_seconds() - mpi->mpi_seconds - begun;
  return mpi->begun;
}

void throng_mpi_progress(void *context) {
  throng_mpi *mpi = context;
  throng_mpi_go_on(mpi, peers_of_frame(mpi));
}

#define RIM 0.25f /* in perception radii: agents rarely move farther in a frame */

/* Whether another rank needs an agent that has left the inner box from outside the rim. An agent that is not finite
 * fails the frame. */
static bool others_need_late(const throng_mpi *mpi, const throng_piece_agents *agents) {
  for (uint32_t k = 0; k < agents->border_count; k++) {
    const float x = agents->position_x[agents->border[k]], z = agents->position_z[agents->border[k]];
    if (!isfinite(x) || !isfinite(z)) continue;
    for (int rank = 0; rank < mpi->ranks; rank++) {
      if (rank != mpi->rank && throng_mpi_concerns(&mpi->cuts, rank, x, z)) return true;
    }
    if (throng_mpi_owner(&mpi->cuts, x, z) != mpi->rank) return true;
  }
  return false;
}

/* Takes what the other ranks have sent. */
static throng_status take(throng_mpi *mpi, const struct peers *peers, const throng_piece_agents *agents,
                          throng_error *error) {
  if (others_need_late(mpi, agents)) {
    mpi->repeat |= REPEAT_LATE;
    return throng_mpi_fail(error, THRONG_ERROR_CAPACITY, "an agent left the inner box late");
  }
  const throng_status status = throng_mpi_take(mpi, peers, error);
  if (status == THRONG_ERROR_CAPACITY) repeat_with_room(mpi, peers, agents, 0);
  return status;
}

throng_status throng_mpi_exchange(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                                  void *context) {
  throng_mpi *mpi = context;
  (void)world;
  struct peers *peers = peers_of_frame(mpi);
  const double begun = cpu_seconds() - mpi->mpi_seconds;
  throng_error later;
  const throng_status sent = throng_mpi_end_send(mpi, peers, mpi->begun == THRONG_OK ? error : &later);
  throng_status status = mpi->begun == THRONG_OK ? sent : mpi->begun;
  if (status == THRONG_OK) status = take(mpi, peers, agents, error);
  if (mpi->targets.used) status = exchange_targets(mpi, peers, agents, status, error);
  mpi->stats.exchange_seconds += cpu_seconds() - mpi->mpi_seconds - begun;
  return status;
}

throng_status throng_mpi_fail_frame(throng_mpi *mpi, throng_status status, throng_error *error) {
  struct peers *peers = peers_of_frame(mpi);
  throng_error later;
  mpi->owned = throng_agents_count(mpi->world);
  mpi->repeat = 0;
  empty_lists(peers);
  if (mpi->targets.used) throng_mpi_ask(mpi, NULL, &later);
  throng_mpi_begin_send(mpi, peers, &later);
  throng_mpi_end_send(mpi, peers, &later);
  if (mpi->targets.used) {
    uint32_t count;
    throng_mpi_pack_answers(mpi, NULL, status, &later);
    throng_mpi_send_answers(mpi, &count, &later);
  }
  return throng_mpi_agree_on_frame(status, error, mpi);
}

/* Between frames. */

/* The agents of this piece that belong elsewhere. */
struct leavers {
  throng_agent_id *id;
  struct list stays; /* the elements of those that this rank needs as ghosts */
  char *records;
  uint32_t count;
};

static throng_status find_leavers(throng_mpi *mpi, const throng_view *view, struct leavers *leavers,
                                  throng_error *error) {
  for (uint32_t k = 0; k < view->count; k++) {
    const struct mover mover = {k,
                                view->id_index[k],
                                view->meta[k],
                                view->position_x[k],
                                view->position_z[k],
                                throng_mpi_is_followed(mpi, view->id_index[k], view->meta[k])};
    bool reached;
    const int owner = address(mpi, &mpi->all, &mover, &reached);
    bool listed = owner >= 0;
    if (owner == mpi->rank) continue;
    leavers->id[leavers->count++] = throng_view_id(view, k);
    if (is_needed_here(mpi, &mover)) listed = throng_mpi_list(&leavers->stays, k) && listed;
    if (!listed) return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for messages");
  }
  return THRONG_OK;
}

/* Removes the ghosts, and views the other agents. */
static throng_status view_own(throng_mpi *mpi, throng_view *view, throng_error *error) {
  const throng_vec3 low = {-INFINITY, -INFINITY, -INFINITY}, high = {INFINITY, INFINITY, INFINITY};
  throng_status status = throng_piece_drop_ghosts(mpi->world, error);
  if (status == THRONG_OK) status = throng_piece_set_outer_box(mpi->world, low, high, error);
  if (status == THRONG_OK) status = throng_world_index(mpi->world, error);
  return status == THRONG_OK ? throng_world_view(mpi->world, view, error) : status;
}

static throng_status list_leavers(throng_mpi *mpi, const throng_view *view, struct leavers *leavers,
                                  throng_error *error) {
  leavers->id = malloc(((size_t)view->count + 1) * sizeof *leavers->id);
  if (!leavers->id) return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for messages");
  const throng_status status = find_leavers(mpi, view, leavers, error);
  if (status != THRONG_OK) return status;
  leavers->records = malloc(leavers->stays.count * mpi->ghost_bytes + 1);
  if (!leavers->records) return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for messages");
  return throng_piece_pack(mpi->world, mpi->ghost_columns, leavers->stays.element, leavers->stays.count,
                           leavers->records, error);
}

/* Lists and packs all that this rank sends. Collective. */
static throng_status list_all(throng_mpi *mpi, struct leavers *leavers, throng_error *error) {
  throng_view view = {0};
  throng_error later;
  empty_lists(&mpi->all);
  throng_status status = view_own(mpi, &view, error);
  if (mpi->targets.used) {
    const throng_status located =
        throng_mpi_locate_targets(mpi, status == THRONG_OK ? &view : NULL, status == THRONG_OK ? error : &later);
    if (status == THRONG_OK) status = located;
  }
  if (status == THRONG_OK) status = list_leavers(mpi, &view, leavers, error);
  if (mpi->targets.used) {
    const struct placed placed = {view.meta, view.position_x, view.position_z};
    status = throng_mpi_pack_answers(mpi, &placed, status, error);
  }
  if (status != THRONG_OK) empty_lists(&mpi->all);
  return status;
}

/* Own agents and ghosts are in the region and its halo. */
static throng_status set_outer_box(throng_mpi *mpi, throng_error *error) {
  const throng_mpi_region region = throng_mpi_region_of(&mpi->cuts, mpi->rank);
  const struct side *x = &mpi->cuts.side_x, *z = &mpi->cuts.side_z;
  const float halo = mpi->cuts.halo * 1.01f;
  throng_vec3 low = {region.min_x == -INFINITY ? x->low - halo : region.min_x - halo, -INFINITY,
                     region.min_z == -INFINITY ? z->low - halo : region.min_z - halo};
  throng_vec3 high = {region.max_x == INFINITY ? x->high + halo : region.max_x + halo, INFINITY,
                      region.max_z == INFINITY ? z->high + halo : region.max_z + halo};
  return throng_piece_set_outer_box(mpi->world, low, high, error);
}

/* Removes the agents that the first `count` peers sent. */
static void give_back(throng_mpi *mpi, int count) {
  const struct peers *peers = &mpi->all;
  for (int k = 0; k < count; k++) {
    for (int n = 0; n < peers->counts_in[COUNTS * k]; n++) {
      throng_piece_head head;
      memcpy(&head, mpi->in.data + peers->at_in[k] + (size_t)n * mpi->record_bytes, sizeof head);
      const throng_agent_id id = {head.index, head.generation, mpi->world_def.id_world};
      throng_agents_remove(mpi->world, &id, 1, NULL);
    }
  }
}

/* Takes the agents that this rank owns from now on. If a rank cannot, no rank takes any, and none is lost. */
static throng_status take_own(throng_mpi *mpi, throng_error *error) {
  throng_status status = set_outer_box(mpi, error);
  int taken = 0;
  while (taken < mpi->all.count && status == THRONG_OK) {
    status = throng_mpi_take_from(mpi, &mpi->all, taken, true, error);
    taken += status == THRONG_OK;
  }
  status = throng_mpi_agree(mpi, status, error);
  if (status != THRONG_OK) give_back(mpi, taken);
  return status;
}

/* Takes all ghosts. Collective. */
static throng_status take_ghosts(throng_mpi *mpi, const struct leavers *leavers, throng_error *error) {
  throng_status status = throng_agents_remove(mpi->world, leavers->id, leavers->count, error);
  for (int k = 0; k < mpi->all.count && status == THRONG_OK; k++)
    status = throng_mpi_take_from(mpi, &mpi->all, k, false, error);
  if (status == THRONG_OK)
    status = throng_piece_take(mpi->world, mpi->ghost_columns, leavers->records, leavers->stays.count, false, error);
  if (mpi->targets.used) {
    throng_error later;
    uint32_t targets;
    const throng_status sent = throng_mpi_send_answers(mpi, &targets, status == THRONG_OK ? error : &later);
    if (status == THRONG_OK) status = sent;
    if (status == THRONG_OK)
      status = throng_piece_take(mpi->world, mpi->ghost_columns, mpi->in.data, targets, false, error);
  }
  if (status == THRONG_OK) status = throng_world_index(mpi->world, error);
  return status == THRONG_OK && mpi->targets.used ? throng_mpi_want_targets(mpi, error) : status;
}

/* No other rank needs an own agent inside the inner box, but for followed agents. The rim, which moves first, has all
 * agents that others may need. */
static throng_status set_inner_box(throng_mpi *mpi, throng_error *error) {
  const throng_mpi_region region = throng_mpi_region_of(&mpi->cuts, mpi->rank);
  const struct side *x = &mpi->cuts.side_x, *z = &mpi->cuts.side_z;
  const float halo = mpi->cuts.halo * 1.01f;
  throng_vec3 low = {region.min_x + halo, -INFINITY, region.min_z + halo};
  throng_vec3 high = {region.max_x - halo, INFINITY, region.max_z - halo};
  const bool whole_x = region.min_x == -INFINITY && region.max_x == INFINITY,
             whole_z = region.min_z == -INFINITY && region.max_z == INFINITY;
  if (x->period != 0.0f && !whole_x && low.x == -INFINITY) low.x = x->low + halo;
  if (x->period != 0.0f && !whole_x && high.x == INFINITY) high.x = x->high - halo;
  if (z->period != 0.0f && !whole_z && low.z == -INFINITY) low.z = z->low + halo;
  if (z->period != 0.0f && !whole_z && high.z == INFINITY) high.z = z->high - halo;
  mpi->inner_min = low;
  mpi->inner_max = high;
  const bool all = !mpi->overlaps || mpi->followed_count > 0;
  mpi->rim = all ? INFINITY : RIM * mpi->world_def.perception_radius;
  const throng_status status = throng_piece_set_rim(mpi->world, mpi->rim, error);
  return status == THRONG_OK ? throng_piece_set_inner_box(mpi->world, low, high, error) : status;
}

throng_status throng_mpi_redistribute(throng_mpi *mpi, throng_error *error) {
  struct leavers leavers = {0};
  throng_error later;
  mpi->dt = 0.0f; /* no rank steps */
  throng_status status = list_all(mpi, &leavers, error);
  throng_status sent = throng_mpi_begin_send(mpi, &mpi->all, status == THRONG_OK ? error : &later);
  if (status == THRONG_OK) status = sent;
  sent = throng_mpi_end_send(mpi, &mpi->all, status == THRONG_OK ? error : &later);
  if (status == THRONG_OK) status = sent;
  status = throng_mpi_agree(mpi, status, error);
  if (status == THRONG_OK) status = take_own(mpi, error);
  if (status == THRONG_OK) status = throng_mpi_agree(mpi, take_ghosts(mpi, &leavers, error), error);
  mpi->owned = throng_agents_count(mpi->world);
  if (status == THRONG_OK) status = throng_mpi_agree(mpi, set_inner_box(mpi, error), error);
  free(leavers.id);
  free(leavers.stays.element);
  free(leavers.records);
  return status;
}
