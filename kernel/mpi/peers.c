/* peers.c: the ranks that exchange agents, and the messages between them. A message has the records of agents that the
 * receiver owns from now on, then those of its ghosts. Every rank knows the cuts, so one exchange is enough.
 * SPDX-License-Identifier: MIT */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/assertion.h"
#include "mpi/mpi_internal.h"

bool throng_mpi_room(throng_mpi *mpi, struct bytes *bytes, size_t size) {
  if (bytes->data && size <= bytes->room) return true;
  const size_t room = size + size / 2 + 1; /* an empty message has a place, too */
  char *grown = realloc(bytes->data, room);
  if (!grown) return false;
  *bytes = (struct bytes){grown, room};
  mpi->stats.growths++;
  return true;
}

bool throng_mpi_list(struct list *list, uint32_t element) {
  if (list->count == list->room) {
    const uint32_t room = list->room ? 2 * list->room : 256;
    uint32_t *grown = realloc(list->element, room * sizeof *grown);
    if (!grown) return false;
    list->element = grown;
    list->room = room;
  }
  ASSERT_ALONE(list->count < list->room);
  list->element[list->count++] = element;
  return true;
}

/* Whether two regions are so near that agents of one may be ghosts of the other. */
static bool reach_along(const struct side *side, const float a[2], const float b[2], float halo) {
  float low = a[0], high = a[1], other_low = b[0], other_high = b[1];
  if (side->period == 0.0f) return low <= other_high + halo && high >= other_low - halo;
  if (low == -INFINITY) low = side->low;
  if (high == INFINITY) high = side->high;
  if (other_low == -INFINITY) other_low = side->low;
  if (other_high == INFINITY) other_high = side->high;
  for (int image = -1; image <= 1; image++) {
    const float by = (float)image * side->period;
    if (low + by <= other_high + halo && high + by >= other_low - halo) return true;
  }
  return false;
}
static bool reach(const struct cuts *cuts, int a, int b) {
  ASSERT_ALONE(a != b && cuts->halo > 0.0f);
  const int first = a < b ? a : b, second = a < b ? b : a; /* both ranks must round alike */
  const throng_mpi_region of_a = throng_mpi_region_of(cuts, first), of_b = throng_mpi_region_of(cuts, second);
  const float halo = cuts->halo * 1.01f; /* wider than needed, so that rounding leaves no rank out */
  return reach_along(&cuts->side_x, (float[]){of_a.min_x, of_a.max_x}, (float[]){of_b.min_x, of_b.max_x}, halo) &&
         reach_along(&cuts->side_z, (float[]){of_a.min_z, of_a.max_z}, (float[]){of_b.min_z, of_b.max_z}, halo);
}

void throng_mpi_release_peers(struct peers *peers) {
  if (peers->own) {
    for (int k = 0; k < peers->count; k++) {
      free(peers->own[k].element);
      free(peers->ghosts[k].element);
    }
    MPI_Comm_free(&peers->graph);
  }
  free(peers->rank);
  free(peers->own);
  free(peers->ghosts);
  free(peers->counts);
  memset(peers, 0, sizeof *peers);
}

/* Makes the peers: the other ranks in reach, or `all`. */
static throng_status make_peers(const throng_mpi *mpi, struct peers *peers, bool all, throng_error *error) {
  struct peers made = {0};
  made.rank = malloc((size_t)mpi->ranks * sizeof *made.rank);
  for (int rank = 0; made.rank && rank < mpi->ranks; rank++) {
    if (rank != mpi->rank && (all || reach(&mpi->cuts, mpi->rank, rank))) made.rank[made.count++] = rank;
  }
  const size_t items = (size_t)made.count + 1;
  made.own = calloc(items, sizeof *made.own);
  made.ghosts = calloc(items, sizeof *made.ghosts);
  made.counts = calloc((2 * COUNTS + 4) * items, sizeof *made.counts);
  const bool complete = made.rank && made.own && made.ghosts && made.counts;
  throng_status status =
      complete ? THRONG_OK : throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for peers");
  status = throng_mpi_agree(mpi, status, error);
  if (status != THRONG_OK) {
    free(made.rank);
    free(made.own);
    free(made.ghosts);
    free(made.counts);
    return status;
  }
  made.counts_in = made.counts + COUNTS * items;
  made.bytes = made.counts_in + COUNTS * items;
  made.bytes_in = made.bytes + items;
  made.at = made.bytes_in + items;
  made.at_in = made.at + items;
  MPI_Dist_graph_create_adjacent(mpi->comm, made.count, made.rank, made.counts, made.count, made.rank, made.counts,
                                 MPI_INFO_NULL, 0, &made.graph); /* weights of 0: no hints */
  throng_mpi_release_peers(peers);
  *peers = made;
  return THRONG_OK;
}

void throng_mpi_release_contacts(throng_mpi *mpi) {
  for (int k = 0; mpi->contact && k < mpi->near.count; k++) {
    free(mpi->contact[k].own);
    free(mpi->contact[k].ghosts);
  }
  free(mpi->contact);
  mpi->contact = NULL;
}

throng_status throng_mpi_find_peers(throng_mpi *mpi, throng_error *error) {
  throng_mpi_release_contacts(mpi);
  throng_status status = make_peers(mpi, &mpi->near, mpi->followed_count > 0, error);
  if (status == THRONG_OK && !mpi->all.own) status = make_peers(mpi, &mpi->all, true, error);
  if (status != THRONG_OK) return status;
  mpi->contact = calloc((size_t)mpi->near.count + 1, sizeof *mpi->contact);
  if (!mpi->contact) status = throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for peers");
  return throng_mpi_agree(mpi, status, error);
}

/* Sets the bytes and their places of the messages with these counts. Returns their sum, or SIZE_MAX if MPI cannot count
 * them. */
static size_t lay_out(const throng_mpi *mpi, const struct peers *peers, const int *counts, int *bytes, int *at) {
  size_t sum = 0;
  for (int k = 0; k < peers->count; k++) {
    ASSERT_ALONE(counts[COUNTS * k] >= 0 && counts[COUNTS * k + 1] >= 0);
    const size_t size =
        (size_t)counts[COUNTS * k] * mpi->record_bytes + (size_t)counts[COUNTS * k + 1] * mpi->ghost_bytes;
    if (sum + size > INT_MAX) return SIZE_MAX;
    bytes[k] = (int)size;
    at[k] = (int)sum;
    sum += size;
  }
  return sum;
}

static throng_status pack(throng_mpi *mpi, const struct peers *peers, throng_error *error) {
  throng_status status = THRONG_OK;
  for (int k = 0; k < peers->count && status == THRONG_OK; k++) {
    const struct list *own = &peers->own[k], *ghosts = &peers->ghosts[k];
    ASSERT_ALONE(own->count * mpi->record_bytes + ghosts->count * mpi->ghost_bytes == (size_t)peers->bytes[k]);
    char *to = mpi->out.data + peers->at[k];
    status = throng_piece_pack(mpi->world, mpi->columns, own->element, own->count, to, error);
    to += own->count * mpi->record_bytes;
    if (status == THRONG_OK)
      status = throng_piece_pack(mpi->world, mpi->ghost_columns, ghosts->element, ghosts->count, to, error);
    mpi->stats.migrants += own->count;
    mpi->stats.ghosts += ghosts->count;
    mpi->stats.migrant_bytes += own->count * mpi->record_bytes;
    mpi->stats.ghost_bytes += ghosts->count * mpi->ghost_bytes;
    mpi->stats.messages += own->count + ghosts->count > 0;
  }
  return status;
}

/* Fills what this rank sends. */
static throng_status prepare(throng_mpi *mpi, struct peers *peers, throng_error *error) {
  for (int k = 0; k < peers->count; k++) {
    peers->counts[COUNTS * k] = (int)peers->own[k].count;
    peers->counts[COUNTS * k + 1] = (int)peers->ghosts[k].count;
  }
  const size_t size = lay_out(mpi, peers, peers->counts, peers->bytes, peers->at);
  if (size == SIZE_MAX) return throng_mpi_fail(error, THRONG_ERROR_CAPACITY, "its messages are longer than 2 GiB");
  if (!throng_mpi_room(mpi, &mpi->out, size))
    return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for messages");
  return pack(mpi, peers, error);
}

/* The regions are connected, so if the ranks step with different dt, some rank has a peer with another one. */
static throng_status compare_dt(const struct peers *peers, throng_error *error) {
  for (int k = 0; k < peers->count; k++) {
    if (peers->counts_in[COUNTS * k + 2] == peers->counts[COUNTS * k + 2]) continue;
    return throng_mpi_fail(error, THRONG_ERROR_BAD_VALUE, "its dt is not that of rank %d", peers->rank[k]);
  }
  return THRONG_OK;
}

throng_status throng_mpi_begin_send(throng_mpi *mpi, struct peers *peers, throng_error *error) {
  ASSERT_ALONE(mpi->sending.state == SENDING_NOTHING);
  throng_status status = prepare(mpi, peers, error);
  if (status != THRONG_OK) { /* the others wait for this rank: it sends nothing */
    memset(peers->counts, 0, COUNTS * (size_t)peers->count * sizeof *peers->counts);
    lay_out(mpi, peers, peers->counts, peers->bytes, peers->at);
  }
  for (int k = 0; k < peers->count; k++) memcpy(&peers->counts[COUNTS * k + 2], &mpi->dt, sizeof mpi->dt);
  mpi->sending.state = SENDING_COUNTS;
  const struct wait begun = throng_mpi_wait_begin();
  MPI_Ineighbor_alltoall(peers->counts, COUNTS, MPI_INT, peers->counts_in, COUNTS, MPI_INT, peers->graph,
                         &mpi->sending.request);
  throng_mpi_wait_end(mpi, begun);
  return status;
}

/* The counts have come. */
static void send_records(throng_mpi *mpi, struct peers *peers) {
  const size_t size = lay_out(mpi, peers, peers->counts_in, peers->bytes_in, peers->at_in);
  if (size == SIZE_MAX || !throng_mpi_room(mpi, &mpi->in, size))
    MPI_Abort(mpi->comm, 1); /* the messages are on their way: there is no way back */
  ASSERT_ALONE(mpi->sending.state == SENDING_COUNTS);
  mpi->sending.state = SENDING_RECORDS;
  MPI_Ineighbor_alltoallv(mpi->out.data, peers->bytes, peers->at, MPI_BYTE, mpi->in.data, peers->bytes_in, peers->at_in,
                          MPI_BYTE, peers->graph, &mpi->sending.request);
}

void throng_mpi_go_on(throng_mpi *mpi, struct peers *peers) {
  ASSERT_ALONE(mpi->sending.state != SENDING_NOTHING);
  const struct wait begun = throng_mpi_wait_begin();
  int done;
  MPI_Test(&mpi->sending.request, &done, MPI_STATUS_IGNORE);
  if (done && mpi->sending.state == SENDING_COUNTS) send_records(mpi, peers);
  throng_mpi_wait_end(mpi, begun);
}

throng_status throng_mpi_end_send(throng_mpi *mpi, struct peers *peers, throng_error *error) {
  ASSERT_ALONE(mpi->sending.state != SENDING_NOTHING);
  const struct wait begun = throng_mpi_wait_begin();
  MPI_Wait(&mpi->sending.request, MPI_STATUS_IGNORE);
  if (mpi->sending.state == SENDING_COUNTS) {
    send_records(mpi, peers);
    MPI_Wait(&mpi->sending.request, MPI_STATUS_IGNORE);
  }
  mpi->sending.state = SENDING_NOTHING;
  throng_mpi_wait_end(mpi, begun);
  return compare_dt(peers, error);
}

throng_status throng_mpi_take_from(throng_mpi *mpi, const struct peers *peers, int k, bool own, throng_error *error) {
  ASSERT_ALONE(k >= 0 && k < peers->count && mpi->sending.state == SENDING_NOTHING);
  const int *counts = &peers->counts_in[COUNTS * k];
  const char *from = mpi->in.data + peers->at_in[k];
  ASSERT_ALONE(counts[0] >= 0 && counts[1] >= 0);
  if (own) return throng_piece_take(mpi->world, mpi->columns, from, (uint32_t)counts[0], true, error);
  from += (size_t)counts[0] * mpi->record_bytes;
  return throng_piece_take(mpi->world, mpi->ghost_columns, from, (uint32_t)counts[1], false, error);
}

throng_status throng_mpi_take(throng_mpi *mpi, const struct peers *peers, throng_error *error) {
  throng_status status = THRONG_OK;
  for (int own = 1; own >= 0; own--) {
    for (int k = 0; k < peers->count && status == THRONG_OK; k++) {
      status = throng_mpi_take_from(mpi, peers, k, own, error);
      if (own && status == THRONG_OK) mpi->owned += (uint32_t)peers->counts_in[COUNTS * k];
    }
  }
  return status;
}
