/* target_lists.c: the lists of targets.c. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "mpi/assertion.h"
#include "mpi/mpi_internal.h"

int throng_mpi_compare_ids(uint32_t index, uint16_t generation, uint32_t other_index, uint16_t other_generation) {
  if (index != other_index) return index < other_index ? -1 : 1;
  return generation < other_generation ? -1 : generation > other_generation;
}
static int by_id(const void *a, const void *b) {
  const struct want *x = a, *y = b;
  return throng_mpi_compare_ids(x->index, x->generation, y->index, y->generation);
}

bool throng_mpi_request_room(struct requests *list, size_t room) {
  const size_t grown = room + room / 2 + 64;
  if (room <= list->room) return true;
  struct request *more = realloc(list->item, grown * sizeof *more);
  if (!more) return false;
  list->item = more;
  list->room = grown;
  return true;
}

bool throng_mpi_add_request(struct requests *list, struct request request) {
  if (!throng_mpi_request_room(list, list->count + 1)) return false;
  ASSERT_ALONE(list->count < list->room);
  list->item[list->count++] = request;
  return true;
}

bool throng_mpi_want_room(struct wants *list, size_t room) {
  const size_t grown = room + room / 2 + 64;
  if (room <= list->room) return true;
  struct want *more = realloc(list->item, grown * sizeof *more);
  if (!more) return false;
  list->item = more;
  list->room = grown;
  return true;
}

bool throng_mpi_add_want(struct wants *list, uint32_t index, uint16_t generation) {
  if (!throng_mpi_want_room(list, list->count + 1)) return false;
  list->item[list->count++] = (struct want){index, generation, OWNER_UNKNOWN, 1};
  return true;
}

void throng_mpi_unite_wants(struct wants *list) {
  size_t kept = 0;
  if (list->count > 0) qsort(list->item, list->count, sizeof *list->item, by_id);
  for (size_t k = 0; k < list->count; k++) {
    if (kept > 0 && by_id(&list->item[kept - 1], &list->item[k]) == 0) {
      list->item[kept - 1].users += list->item[k].users;
    } else {
      list->item[kept++] = list->item[k];
    }
  }
  list->count = kept;
}

struct want *throng_mpi_find_want(const struct wants *list, uint32_t index, uint16_t generation) {
  const struct want key = {.index = index, .generation = generation};
  return list->count > 0 ? bsearch(&key, list->item, list->count, sizeof key, by_id) : NULL;
}

throng_status throng_mpi_no_memory_for_targets(throng_error *error) {
  return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for targets");
}

throng_status throng_mpi_read_targets(const throng_mpi *mpi, const uint32_t *elements, uint32_t count,
                                      throng_agent_id **targets, throng_error *error) {
  const size_t bytes = sizeof(throng_piece_head) + sizeof(throng_agent_id);
  throng_agent_id *target = malloc(((size_t)count + 1) * (sizeof *target + bytes));
  *targets = NULL;
  if (!target) return throng_mpi_no_memory_for_targets(error);
  char *records = (char *)(target + count + 1);
  const throng_status status =
      throng_piece_pack(mpi->world, THRONG_BIT(THRONG_COLUMN_TARGET), elements, count, records, error);
  if (status != THRONG_OK) {
    free(target);
    return status;
  }
  for (uint32_t k = 0; k < count; k++)
    memcpy(&target[k], records + k * bytes + sizeof(throng_piece_head), sizeof *target);
  *targets = target;
  return THRONG_OK;
}

/* Requests. */

int throng_mpi_by_asker(const void *a, const void *b) {
  const struct request *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return throng_mpi_compare_ids(x->index, x->generation, y->index, y->generation);
}

throng_status throng_mpi_send_requests(throng_mpi *mpi, size_t *count, throng_error *error) {
  struct targets *targets = &mpi->targets;
  struct requests *out = &targets->out;
  const bool room = throng_mpi_room(mpi, &mpi->out, out->count * sizeof *out->item);
  if (!room) out->count = 0; /* the others wait for this rank: it sends nothing */
  size_t *size = targets->bytes, *next = targets->next, sum = 0;
  memset(size, 0, (size_t)mpi->ranks * sizeof *size);
  for (size_t k = 0; k < out->count; k++) {
    ASSERT_ALONE(out->item[k].to >= 0 && out->item[k].to < mpi->ranks);
    size[out->item[k].to] += sizeof *out->item;
  }
  for (int rank = 0; rank < mpi->ranks; sum += size[rank++]) next[rank] = sum;
  for (size_t k = 0; k < out->count; k++) {
    const struct request *item = &out->item[k];
    memcpy(mpi->out.data + next[item->to], item, sizeof *item);
    next[item->to] += sizeof *item;
  }
  mpi->stats.request_bytes += sum - size[mpi->rank];
  const throng_status status = throng_mpi_deliver(mpi, mpi->out.data, size, sizeof *out->item, count, error);
  return room ? status : throng_mpi_no_memory_for_targets(error);
}

/* Takes over the requests in mpi->in. Returns false without memory. */
static bool take_requests(throng_mpi *mpi, size_t count) {
  struct targets *targets = &mpi->targets;
  struct request *in = (struct request *)(void *)mpi->in.data;
  const struct requests *old = &targets->asked;
  struct requests *heard = &targets->next_asked, *once = &targets->once;
  targets->asked_changes = false;
  if (count == 0) return true;
  qsort(in, count, sizeof *in, throng_mpi_by_asker);
  if (!throng_mpi_request_room(heard, old->count + count) || !throng_mpi_request_room(once, count)) return false;
  size_t next = 0;
  heard->count = 0;
  for (size_t k = 0; k < count; k++) {
    if (in[k].kind == REQUEST_ONCE) {
      const bool again = once->count > 0 && throng_mpi_by_asker(&once->item[once->count - 1], &in[k]) == 0;
      if (!again) once->item[once->count++] = in[k];
      continue;
    }
    while (next < old->count && throng_mpi_by_asker(&old->item[next], &in[k]) < 0)
      heard->item[heard->count++] = old->item[next++];
    ASSERT_ALONE(in[k].kind == REQUEST_ADD || in[k].kind == REQUEST_REMOVE);
    ASSERT_ALONE(in[k].kind == REQUEST_ADD ||
                 (next < old->count && throng_mpi_by_asker(&old->item[next], &in[k]) == 0)); /* it was added before */
    if (in[k].kind == REQUEST_REMOVE) next++;
    if (in[k].kind == REQUEST_ADD) heard->item[heard->count++] = in[k];
  }
  while (next < old->count) heard->item[heard->count++] = old->item[next++];
  targets->asked_changes = true;
  return true;
}

throng_status throng_mpi_hear(throng_mpi *mpi, throng_error *error) {
  size_t count;
  const throng_status status = throng_mpi_send_requests(mpi, &count, error);
  if (status != THRONG_OK) return status;
  return take_requests(mpi, count) ? THRONG_OK : throng_mpi_no_memory_for_targets(error);
}

bool throng_mpi_open_targets(throng_mpi *mpi) {
  struct targets *targets = &mpi->targets;
  targets->bytes = malloc(2 * (size_t)mpi->ranks * sizeof *targets->bytes);
  targets->next = targets->bytes ? targets->bytes + mpi->ranks : NULL;
  return targets->bytes != NULL;
}

void throng_mpi_release_targets(struct targets *targets) {
  struct wants *const wants[] = {&targets->wants, &targets->merged, &targets->gained, &targets->lost, &targets->moved};
  struct requests *const requests[] = {&targets->told,       &targets->next_told, &targets->asked,
                                       &targets->next_asked, &targets->once,      &targets->out};
  for (size_t k = 0; k < sizeof wants / sizeof *wants; k++) free(wants[k]->item);
  for (size_t k = 0; k < sizeof requests / sizeof *requests; k++) free(requests[k]->item);
  free(targets->elements.element);
  free(targets->answers.data);
  free(targets->bytes);
}
