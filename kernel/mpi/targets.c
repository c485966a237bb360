/* targets.c: the own targets of agents (THRONG_TARGET_OWN) in a frame. They may be anywhere in the world. A rank knows
 * where each target of its agents is: it owns the target or has it as a ghost, whose position says which rank owns it.
 * So it asks that rank for the target's state after the frame. The owner remembers what it was asked for: only changes
 * are sent. Read in this order: throng_mpi_list_wants, throng_mpi_ask, throng_mpi_pack_answers,
 * throng_mpi_settle_targets. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/assertion.h"
#include "mpi/mpi_internal.h"

bool throng_mpi_keeps_target(const throng_mpi *mpi, uint32_t index, uint32_t meta) {
  const struct requests *once = &mpi->targets.once;
  const struct request key = {index, (uint16_t)(meta >> 16), REQUEST_ONCE, mpi->rank, mpi->rank};
  if (!mpi->targets.used) return false;
  return throng_mpi_find_want(&mpi->targets.wants, key.index, key.generation) ||
         (once->count > 0 && bsearch(&key, once->item, once->count, sizeof key, throng_mpi_by_asker));
}

throng_status throng_mpi_list_wants(throng_mpi *mpi, throng_error *error) {
  struct wants *wants = &mpi->targets.wants;
  throng_view view;
  const throng_status status = throng_world_view(mpi->world, &view, error);
  for (size_t k = 0; status == THRONG_OK && k < wants->count; k++) {
    struct want *want = &wants->item[k];
    const throng_agent_id id = {want->index, want->generation, mpi->world_def.id_world};
    uint32_t element;
    if (want->owner == mpi->rank || want->owner == OWNER_NONE) continue;
    want->owner = OWNER_NONE;
    if (!throng_piece_find(mpi->world, id, &element)) continue;
    if (throng_mpi_is_followed(mpi, want->index, view.meta[element])) continue;
    want->owner = mpi->rank;
    if (throng_view_is_ghost(&view, element))
      want->owner = throng_mpi_owner(&mpi->cuts, view.position_x[element], view.position_z[element]);
  }
  return status;
}

/* Asking. */

static int by_receiver(const struct request *x, const struct request *y) {
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  return throng_mpi_compare_ids(x->index, x->generation, y->index, y->generation);
}

/* Lists what this rank wants of each other rank, in the order of by_receiver. */
static bool list_standing(throng_mpi *mpi) {
  const struct wants *wants = &mpi->targets.wants;
  struct requests *standing = &mpi->targets.next_told;
  size_t *next = mpi->targets.next, sum = 0;
  memset(next, 0, (size_t)mpi->ranks * sizeof *next);
  for (size_t k = 0; k < wants->count; k++) {
    const int owner = wants->item[k].owner;
    ASSERT_ALONE(owner >= OWNER_NONE && owner < mpi->ranks); /* throng_mpi_list_wants has found it */
    if (owner >= 0 && owner != mpi->rank) next[owner]++;
  }
  for (int rank = 0; rank < mpi->ranks; rank++) {
    const size_t count = next[rank];
    next[rank] = sum;
    sum += count;
  }
  if (!throng_mpi_request_room(standing, sum)) return false;
  standing->count = sum;
  for (size_t k = 0; k < wants->count; k++) {
    const struct want *want = &wants->item[k];
    if (want->owner < 0 || want->owner == mpi->rank) continue;
    standing->item[next[want->owner]++] =
        (struct request){want->index, want->generation, REQUEST_ADD, mpi->rank, want->owner};
  }
  return true;
}

/* Lists what differs from the frame before. */
static bool list_changes(struct targets *targets) {
  const struct requests *before = &targets->told, *now = &targets->next_told;
  size_t a = 0, b = 0;
  while (a < before->count || b < now->count) {
    int order = a == before->count;
    if (a < before->count) order = b == now->count ? -1 : by_receiver(&before->item[a], &now->item[b]);
    struct request change = order <= 0 ? before->item[a] : now->item[b];
    a += order <= 0;
    b += order >= 0;
    if (order == 0) continue;
    if (order < 0) change.kind = REQUEST_REMOVE;
    if (!throng_mpi_add_request(&targets->out, change)) return false;
  }
  return true;
}

/* An own agent leaves for rank `to`: asks for its target on behalf of that rank. */
static bool ask_for_target(throng_mpi *mpi, const throng_agent_id *target, int to) {
  struct targets *targets = &mpi->targets;
  if (target->index == 0) return true;
  const struct want *want = throng_mpi_find_want(&targets->wants, target->index, target->generation);
  if (!throng_mpi_add_want(&targets->lost, target->index, target->generation)) return false;
  if (!want || want->owner < 0) return true;
  return throng_mpi_add_request(&targets->out,
                                (struct request){target->index, target->generation, REQUEST_ONCE, to, want->owner});
}

static int new_owner(const throng_mpi *mpi, const throng_piece_agents *agents, uint32_t element) {
  const float x = agents->position_x[element], z = agents->position_z[element];
  return isfinite(x) && isfinite(z) ? throng_mpi_owner(&mpi->cuts, x, z) : mpi->rank;
}

/* Lists the agents that leave and asks for their targets. */
static throng_status list_departures(throng_mpi *mpi, const throng_piece_agents *agents, throng_error *error) {
  struct targets *targets = &mpi->targets;
  struct list *leaving = &targets->elements;
  leaving->count = 0;
  for (uint32_t k = 0; k < agents->border_count; k++) {
    const uint32_t element = agents->border[k];
    if (new_owner(mpi, agents, element) == mpi->rank) continue;
    if (!throng_mpi_list(leaving, element) ||
        !throng_mpi_add_want(&targets->moved, agents->id_index[element], (uint16_t)(agents->meta[element] >> 16)))
      return throng_mpi_no_memory_for_targets(error);
  }
  if (leaving->count == 0) return THRONG_OK;
  throng_agent_id *target;
  throng_status status = throng_mpi_read_targets(mpi, leaving->element, leaving->count, &target, error);
  for (uint32_t k = 0; status == THRONG_OK && k < leaving->count; k++) {
    if (!ask_for_target(mpi, &target[k], new_owner(mpi, agents, leaving->element[k])))
      status = throng_mpi_no_memory_for_targets(error);
  }
  free(target);
  return status;
}

throng_status throng_mpi_ask(throng_mpi *mpi, const throng_piece_agents *agents, throng_error *error) {
  struct targets *targets = &mpi->targets;
  targets->out.count = targets->once.count = 0;
  targets->gained.count = targets->lost.count = targets->moved.count = 0;
  throng_status status = THRONG_OK;
  if (agents && !(list_standing(mpi) && list_changes(targets))) status = throng_mpi_no_memory_for_targets(error);
  if (agents && status == THRONG_OK) status = list_departures(mpi, agents, error);
  if (status != THRONG_OK) targets->out.count = 0; /* this frame fails; the next one sends the requests */
  throng_error later;
  const throng_status heard = throng_mpi_hear(mpi, status == THRONG_OK ? error : &later);
  return status == THRONG_OK ? heard : status;
}

/* Answers. */

/* Lists the agent that a rank asked for, unless the rank gets it anyway. */
static bool list_answer(throng_mpi *mpi, const struct request *request, const struct placed *agents) {
  const throng_agent_id id = {request->index, request->generation, mpi->world_def.id_world};
  uint32_t element;
  if (request->from == mpi->rank || !throng_piece_find(mpi->world, id, &element)) return true;
  const float x = agents->x[element], z = agents->z[element];
  if (agents->meta[element] & THRONG_META_GHOST || throng_mpi_is_followed(mpi, id.index, agents->meta[element]) ||
      throng_mpi_owner(&mpi->cuts, x, z) == request->from || throng_mpi_concerns(&mpi->cuts, request->from, x, z))
    return true;
  mpi->targets.bytes[request->from] += mpi->ghost_bytes;
  return throng_mpi_list(&mpi->targets.elements, element);
}

/* Lists the answers of all ranks, one rank after another. */
static bool list_answers(throng_mpi *mpi, const struct placed *agents) {
  struct targets *targets = &mpi->targets;
  const struct requests *asked = targets->asked_changes ? &targets->next_asked : &targets->asked;
  const struct requests *once = &targets->once;
  size_t a = 0, b = 0;
  targets->elements.count = 0;
  while (a < asked->count || b < once->count) {
    int order = a == asked->count;
    if (a < asked->count) order = b == once->count ? -1 : throng_mpi_by_asker(&asked->item[a], &once->item[b]);
    const struct request *request = order <= 0 ? &asked->item[a] : &once->item[b];
    a += order <= 0;
    b += order >= 0;
    ASSERT_ALONE(request->from >= 0 && request->from < mpi->ranks);
    if (!list_answer(mpi, request, agents)) return false;
  }
  return true;
}

static throng_status pack_answers(throng_mpi *mpi, const struct placed *agents, throng_error *error) {
  struct targets *targets = &mpi->targets;
  const struct list *list = &targets->elements;
  if (!list_answers(mpi, agents) || !throng_mpi_room(mpi, &targets->answers, list->count * mpi->ghost_bytes))
    return throng_mpi_no_memory_for_targets(error);
  mpi->stats.ghosts += list->count;
  mpi->stats.ghost_bytes += list->count * mpi->ghost_bytes;
  return throng_piece_pack(mpi->world, mpi->ghost_columns, list->element, list->count, targets->answers.data, error);
}

throng_status throng_mpi_pack_answers(throng_mpi *mpi, const struct placed *agents, throng_status status,
                                      throng_error *error) {
  const size_t bytes = (size_t)mpi->ranks * sizeof *mpi->targets.bytes;
  memset(mpi->targets.bytes, 0, bytes);
  if (status == THRONG_OK) status = pack_answers(mpi, agents, error);
  if (status != THRONG_OK) memset(mpi->targets.bytes, 0, bytes);
  return status;
}

throng_status throng_mpi_send_answers(throng_mpi *mpi, uint32_t *count, throng_error *error) {
  const struct targets *targets = &mpi->targets;
  size_t records;
  const throng_status status =
      throng_mpi_deliver(mpi, targets->answers.data, targets->bytes, mpi->ghost_bytes, &records, error);
  *count = (uint32_t)records;
  return status;
}

/* After the frame. */

throng_status throng_mpi_note_arrivals(throng_mpi *mpi, const struct peers *peers, throng_error *error) {
  struct targets *targets = &mpi->targets;
  const uint64_t before = (THRONG_BIT(THRONG_COLUMN_TARGET) - 1) | THRONG_PIECE_HEIGHT;
  const size_t at = throng_piece_record_bytes(mpi->world_def.space, mpi->columns & before);
  ASSERT_ALONE(mpi->columns & THRONG_BIT(THRONG_COLUMN_TARGET)); /* records have targets: targets.used */
  bool complete = true;
  for (int k = 0; k < peers->count; k++) {
    for (int n = 0; n < peers->counts_in[COUNTS * k] && complete; n++) {
      const char *record = mpi->in.data + peers->at_in[k] + (size_t)n * mpi->record_bytes;
      throng_piece_head head;
      throng_agent_id target;
      memcpy(&head, record, sizeof head);
      memcpy(&target, record + at, sizeof target);
      complete = throng_mpi_add_want(&targets->moved, head.index, head.generation) &&
                 (target.index == 0 || throng_mpi_add_want(&targets->gained, target.index, target.generation));
    }
  }
  complete = complete && throng_mpi_want_room(&targets->merged, targets->wants.count + targets->gained.count);
  return complete ? THRONG_OK : throng_mpi_no_memory_for_targets(error);
}

/* Adds the targets of agents that came, and leaves out those that no agent has. */
static void merge_gained(struct targets *targets) {
  const struct wants old = targets->wants, *gained = &targets->gained;
  struct wants *merged = &targets->merged;
  size_t a = 0, b = 0;
  merged->count = 0;
  while (a < old.count || b < gained->count) {
    int order = a == old.count;
    if (a < old.count)
      order = b == gained->count ? -1
                                 : throng_mpi_compare_ids(old.item[a].index, old.item[a].generation,
                                                          gained->item[b].index, gained->item[b].generation);
    struct want next = order <= 0 ? old.item[a] : gained->item[b];
    if (order == 0) next.users += gained->item[b].users;
    a += order <= 0;
    b += order >= 0;
    ASSERT_ALONE(merged->count < merged->room);
    if (next.users > 0) merged->item[merged->count++] = next;
  }
  targets->wants = *merged;
  *merged = old;
}

static void swap(struct requests *a, struct requests *b) {
  const struct requests was = *a;
  *a = *b;
  *b = was;
}

void throng_mpi_settle_targets(throng_mpi *mpi) {
  struct targets *targets = &mpi->targets;
  swap(&targets->told, &targets->next_told);
  if (targets->asked_changes) swap(&targets->asked, &targets->next_asked);
  for (size_t k = 0; k < targets->lost.count; k++) {
    struct want *want =
        throng_mpi_find_want(&targets->wants, targets->lost.item[k].index, targets->lost.item[k].generation);
    ASSERT_ALONE(!want || want->users > 0);
    if (want) want->users--;
  }
  for (size_t k = 0; k < targets->moved.count; k++) {
    struct want *want =
        throng_mpi_find_want(&targets->wants, targets->moved.item[k].index, targets->moved.item[k].generation);
    if (want) want->owner = OWNER_UNKNOWN;
  }
  if (targets->lost.count == 0 && targets->gained.count == 0) return;
  throng_mpi_unite_wants(&targets->gained);
  merge_gained(targets);
}
