/* partition.c: cuts the world into regions. The cuts are equal on all ranks, because all compute them from the same
 * sums of whole numbers. Results do not depend on where the cuts are.
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/assertion.h"
#include "mpi/mpi_internal.h"

#define BINS_PER_RADIUS 8.0
#define MOST_BINS 65536.0   /* of a histogram along an axis */
#define MOST_SQUARES 1024.0 /* along an axis, for the estimate of work */
#define WORK_OF_AGENT 40u   /* in neighbours: the work for an agent without any */
#define WELL_BALANCED 1.05  /* maximum work of a rank over the mean: new cuts would gain nothing */
#define TICKS_PER_SECOND 1e9
#define COLUMN_COST 2.0 /* of a metre of a cut between columns, in metres of a cut between slabs */

/* Bins along an axis. */
struct bins {
  double low, width;
  uint32_t count, least; /* least: minimum of a region, so that it is R long */
};

static uint32_t bin_of(const struct bins *bins, float p) {
  ASSERT_ALONE(bins->count >= 1 && bins->width > 0.0);
  const double at = floor(((double)p - bins->low) / bins->width);
  if (!(at > 0.0)) return 0;
  return at < (double)bins->count ? (uint32_t)at : bins->count - 1;
}

static struct bins make_bins(const struct side *side, double radius) {
  const double length = (double)side->high - (double)side->low;
  ASSERT_ALONE(radius > 0.0 && length >= 0.0);
  double count = floor(length / radius * BINS_PER_RADIUS);
  if (!(count >= 1.0)) count = 1.0;
  if (count > MOST_BINS) count = MOST_BINS;
  struct bins bins = {(double)side->low, length > 0.0 ? length / count : 1.0, (uint32_t)count, 1};
  while (bins.width * bins.least < radius * 0.999 && bins.least < bins.count) bins.least++;
  return bins;
}

int throng_mpi_owner(const struct cuts *cuts, float x, float z) {
  if (cuts->fork) return throng_mpi_tree_owner(cuts, x, z);
  uint32_t slab = 0, column = 0;
  while (slab + 1 < cuts->slabs && z >= cuts->z[slab + 1]) slab++;
  const float *at = cuts->x + (size_t)slab * (cuts->columns + 1);
  while (column + 1 < cuts->columns && x >= at[column + 1]) column++;
  ASSERT_ALONE(slab < cuts->slabs && column < cuts->columns);
  return (int)(slab * cuts->columns + column);
}

throng_mpi_region throng_mpi_region_of(const struct cuts *cuts, int rank) {
  ASSERT_ALONE(rank >= 0 && (cuts->region || (cuts->x && cuts->z)));
  if (cuts->region) return cuts->region[rank];
  ASSERT_ALONE((uint32_t)rank < cuts->slabs * cuts->columns);
  const uint32_t slab = (uint32_t)rank / cuts->columns, column = (uint32_t)rank % cuts->columns;
  const float *x = cuts->x + (size_t)slab * (cuts->columns + 1) + column;
  return (throng_mpi_region){x[0], x[1], cuts->z[slab], cuts->z[slab + 1]};
}

static bool within(const struct side *side, float low, float high, float halo, float p) {
  if (side->period == 0.0f) return p >= low - halo && p <= high + halo;
  if (low == -INFINITY) low = side->low;
  if (high == INFINITY) high = side->high;
  for (int image = -1; image <= 1; image++) {
    const float at = p + (float)image * side->period;
    if (at >= low - halo && at <= high + halo) return true;
  }
  return false;
}

bool throng_mpi_concerns(const struct cuts *cuts, int rank, float x, float z) {
  const throng_mpi_region region = throng_mpi_region_of(cuts, rank);
  return within(&cuts->side_x, region.min_x, region.max_x, cuts->halo, x) &&
         within(&cuts->side_z, region.min_z, region.max_z, cuts->halo, z);
}

/* The first bin of each part, so that the parts have about equal work, and each at least `least` bins. */
static void cut_evenly(const uint64_t *work, const struct bins *bins, uint32_t parts, uint32_t *first) {
  double all = 0.0, sum = 0.0;
  for (uint32_t k = 0; k < bins->count; k++) all += (double)work[k];
  uint32_t part = 1;
  ASSERT_ALONE(parts >= 1 && (uint64_t)parts * bins->least <= bins->count);
  first[0] = 0;
  for (uint32_t k = 0; k < bins->count && part < parts; k++) {
    const double next = sum + (double)work[k], wanted = all * part / parts;
    while (part < parts && next >= all * part / parts) first[part++] = wanted - sum < next - wanted ? k : k + 1;
    sum = next;
  }
  while (part < parts) first[part++] = bins->count;
  first[parts] = bins->count;
  for (part = 1; part < parts; part++) {
    if (first[part] < first[part - 1] + bins->least) first[part] = first[part - 1] + bins->least;
  }
  for (part = parts; part-- > 1;) {
    if (first[part] + bins->least > first[part + 1]) first[part] = first[part + 1] - bins->least;
    ASSERT_ALONE(first[part] >= part * bins->least); /* the parts before it have their bins, too */
  }
}

static void place_cuts(const uint32_t *first, const struct bins *bins, uint32_t parts, float *at) {
  for (uint32_t k = 0; k <= parts; k++) at[k] = (float)(bins->low + bins->width * first[k]);
  at[0] = -INFINITY;
  at[parts] = INFINITY;
}

static void sum_up(const throng_mpi *mpi, uint64_t *numbers, size_t count, bool alike) {
  if (!alike) MPI_Allreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, MPI_SUM, mpi->comm);
}

/* Lets all ranks stop if one failed, before they wait for each other. A rank that computes alone does not wait. */
static throng_status agree(const throng_mpi *mpi, bool alone, throng_status status, throng_error *error) {
  return alone ? status : throng_mpi_agree(mpi, status, error);
}

static throng_status check_memory(bool complete, throng_error *error) {
  return complete ? THRONG_OK : throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for the cuts");
}

/* Weighs the own agents: writes weight[count], 0 for ghosts. */
static throng_status weigh(const throng_mpi *mpi, const throng_view *view, bool alike, uint64_t *weight,
                           throng_error *error) {
  const struct cuts *cuts = &mpi->cuts;
  const bool time = mpi->def.balance == THRONG_MPI_BALANCE_TIME && mpi->busy_seconds > 0.0;
  uint64_t each = 1;
  if (time) each = (uint64_t)(mpi->busy_seconds * TICKS_PER_SECOND / (double)(mpi->owned + 1)) + 1;
  for (uint32_t k = 0; k < view->count; k++) weight[k] = throng_view_is_ghost(view, k) ? 0 : each;
  if (time || mpi->def.balance == THRONG_MPI_BALANCE_AGENTS) return THRONG_OK;
  const double radius = (double)mpi->world_def.perception_radius;
  struct bins x = make_bins(&cuts->side_x, radius * BINS_PER_RADIUS),
              z = make_bins(&cuts->side_z, radius * BINS_PER_RADIUS);
  if (x.count > MOST_SQUARES) x = (struct bins){x.low, x.width * x.count / MOST_SQUARES, (uint32_t)MOST_SQUARES, 1};
  if (z.count > MOST_SQUARES) z = (struct bins){z.low, z.width * z.count / MOST_SQUARES, (uint32_t)MOST_SQUARES, 1};
  const double share = radius * radius / (x.width * z.width);
  const size_t row = x.count + 2, squares = row * (z.count + 2);
  uint64_t *agents = calloc(squares, sizeof *agents);
  const throng_status status = agree(mpi, alike, check_memory(agents, error), error);
  if (status != THRONG_OK) {
    free(agents);
    return status;
  }
  for (uint32_t k = 0; k < view->count; k++) {
    if (weight[k]) agents[(bin_of(&z, view->position_z[k]) + 1) * row + bin_of(&x, view->position_x[k]) + 1]++;
  }
  sum_up(mpi, agents, squares, alike);
  for (uint32_t k = 0; k < view->count; k++) {
    if (!weight[k]) continue;
    const size_t at = (bin_of(&z, view->position_z[k]) + 1) * row + bin_of(&x, view->position_x[k]) + 1;
    uint64_t around = 0;
    for (size_t next = at - row; next <= at + row; next += row)
      around += agents[next - 1] + agents[next] + agents[next + 1];
    weight[k] = WORK_OF_AGENT + (uint64_t)((double)around * share);
  }
  free(agents);
  return THRONG_OK;
}

/* Sums the agents' weights along z, and then along x in each slab. */
static throng_status cut_by(throng_mpi *mpi, const throng_view *view, const uint64_t *weight, bool alike,
                            throng_error *error) {
  struct cuts *cuts = &mpi->cuts;
  const double radius = (double)mpi->world_def.perception_radius;
  const struct bins z = make_bins(&cuts->side_z, radius), x = make_bins(&cuts->side_x, radius);
  uint64_t *work = calloc(z.count + (size_t)cuts->slabs * x.count, sizeof *work);
  uint32_t *first = malloc((cuts->slabs + cuts->columns + 2) * sizeof *first);
  const throng_status status = agree(mpi, alike, check_memory(work && first, error), error);
  if (status == THRONG_OK) {
    for (uint32_t k = 0; k < view->count; k++) work[bin_of(&z, view->position_z[k])] += weight[k];
    sum_up(mpi, work, z.count, alike);
    cut_evenly(work, &z, cuts->slabs, first);
    place_cuts(first, &z, cuts->slabs, cuts->z);
    uint64_t *rows = work + z.count;
    for (uint32_t k = 0; k < view->count; k++) {
      uint32_t slab = 0;
      while (slab + 1 < cuts->slabs && view->position_z[k] >= cuts->z[slab + 1]) slab++;
      rows[(size_t)slab * x.count + bin_of(&x, view->position_x[k])] += weight[k];
    }
    sum_up(mpi, rows, (size_t)cuts->slabs * x.count, alike);
    for (uint32_t slab = 0; slab < cuts->slabs; slab++) {
      cut_evenly(rows + (size_t)slab * x.count, &x, cuts->columns, first);
      place_cuts(first, &x, cuts->columns, cuts->x + (size_t)slab * (cuts->columns + 1));
    }
  }
  free(work);
  free(first);
  return status;
}

/* Finds the sides of the world along x and z. */
static void find_sides(throng_mpi *mpi, const throng_view *view, bool alike) {
  struct cuts *cuts = &mpi->cuts;
  const throng_world_def *def = &mpi->world_def;
  const float *position[2] = {view->position_x, view->position_z};
  const float box[2][2] = {{def->box_min.x, def->box_max.x}, {def->box_min.z, def->box_max.z}};
  struct side *side[2] = {&cuts->side_x, &cuts->side_z};
  for (int c = 0; c < 2; c++) {
    const throng_boundary boundary = def->boundary[2 * c];
    float bounds[2] = {FLT_MAX, FLT_MAX}; /* minimum, and minimum of the negative: one reduction */
    for (uint32_t k = 0; k < view->count; k++) {
      bounds[0] = fminf(bounds[0], position[c][k]);
      bounds[1] = fminf(bounds[1], -position[c][k]);
    }
    if (!alike) MPI_Allreduce(MPI_IN_PLACE, bounds, 2, MPI_FLOAT, MPI_MIN, mpi->comm);
    const bool none = bounds[0] == FLT_MAX;
    *side[c] =
        boundary == THRONG_BOUNDARY_UNBOUNDED
            ? (struct side){none ? 0.0f : bounds[0], none ? 0.0f : -bounds[1], 0.0f}
            : (struct side){box[c][0], box[c][1], boundary == THRONG_BOUNDARY_PERIODIC ? box[c][1] - box[c][0] : 0.0f};
  }
}

/* Chooses the number of slabs for which the cuts are shortest. A cut along z costs less than one along x, because
 * strips are parts of rows along x, and it touches few of them. */
static throng_status choose_slabs(throng_mpi *mpi, throng_error *error) {
  struct cuts *cuts = &mpi->cuts;
  const double radius = (double)mpi->world_def.perception_radius;
  const struct bins x = make_bins(&cuts->side_x, radius), z = make_bins(&cuts->side_z, radius);
  const uint32_t ranks = (uint32_t)mpi->ranks, most_x = x.count / x.least, most_z = z.count / z.least;
  const uint32_t wanted = mpi->def.cut == THRONG_MPI_CUT_SLABS ? ranks : mpi->def.slabs;
  double shortest = INFINITY;
  for (uint32_t slabs = 1; slabs <= ranks; slabs++) {
    const uint32_t columns = ranks / slabs;
    const bool asked = wanted == 0 || wanted == slabs;
    if (slabs * columns != ranks || !asked || slabs > most_z || columns > most_x) continue;
    const double length = (slabs - 1) * x.width * x.count + COLUMN_COST * (columns - 1) * z.width * z.count;
    if (length > shortest) continue;
    shortest = length;
    cuts->slabs = slabs;
    cuts->columns = columns;
  }
  ASSERT_ALONE(shortest == INFINITY || cuts->slabs * cuts->columns == ranks);
  if (shortest < INFINITY) return THRONG_OK;
  return throng_mpi_fail(
      error, THRONG_ERROR_BAD_VALUE,
      "the world cannot be cut into %d regions%s: with perception_radius %g m and %g x %g m there is "
      "room for %u along x and %u along z",
      mpi->ranks, wanted ? " with these slabs" : "", radius, x.width * x.count, z.width * z.count, most_x, most_z);
}

static throng_status weigh_and_cut(throng_mpi *mpi, const throng_view *view, bool alike, throng_error *error) {
  const bool rcb = mpi->def.cut == THRONG_MPI_CUT_RCB;
  uint64_t *weight = malloc(((size_t)view->count + 1) * sizeof *weight);
  throng_status status = agree(mpi, alike, check_memory(weight, error), error);
  if (status == THRONG_OK) status = weigh(mpi, view, alike, weight, error);
  if (rcb && alike) status = throng_mpi_agree(mpi, status, error); /* all ranks take part in it */
  if (status == THRONG_OK) {
    status = rcb ? throng_mpi_cut_by_rcb(mpi, view, weight, alike, error) : cut_by(mpi, view, weight, alike, error);
  }
  free(weight);
  return status;
}

static throng_status cut_into_slabs(throng_mpi *mpi, const throng_view *view, bool alike, throng_error *error) {
  struct cuts *cuts = &mpi->cuts;
  throng_status status = agree(mpi, alike, choose_slabs(mpi, error), error);
  if (status != THRONG_OK) return status;
  cuts->z = malloc((cuts->slabs + 1) * sizeof *cuts->z);
  cuts->x = malloc((size_t)cuts->slabs * (cuts->columns + 1) * sizeof *cuts->x);
  status = agree(mpi, alike, check_memory(cuts->z && cuts->x, error), error);
  return status == THRONG_OK ? weigh_and_cut(mpi, view, alike, error) : status;
}

throng_status throng_mpi_cut_world(throng_mpi *mpi, bool alike, throng_error *error) {
  throng_view view;
  const bool rcb = mpi->def.cut == THRONG_MPI_CUT_RCB, alone = alike && !rcb;
  throng_status status = agree(mpi, alone, throng_world_view(mpi->world, &view, error), error);
  if (status == THRONG_OK) {
    find_sides(mpi, &view, alike);
    status = rcb ? weigh_and_cut(mpi, &view, alike, error) : cut_into_slabs(mpi, &view, alike, error);
  }
  return alone ? throng_mpi_agree(mpi, status, error) : status;
}

throng_status throng_mpi_balance_again(throng_mpi *mpi, bool *moved, throng_error *error) {
  throng_view view;
  throng_status status = throng_world_view(mpi->world, &view, error);
  *moved = false;
  double own = mpi->def.balance == THRONG_MPI_BALANCE_TIME ? mpi->busy_seconds : (double)mpi->owned, most, sum;
  MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, mpi->comm);
  MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, mpi->comm);
  int even = most * mpi->ranks <= sum * WELL_BALANCED;
  MPI_Bcast(&even, 1, MPI_INT, 0, mpi->comm); /* a sum may round otherwise on another rank */
  status = throng_mpi_agree(mpi, status, error);
  if (status != THRONG_OK || (even && mpi->def.balance != THRONG_MPI_BALANCE_WORK)) return status;
  *moved = true;
  return weigh_and_cut(mpi, &view, false, error);
}
