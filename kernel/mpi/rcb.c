/* rcb.c: cuts by Zoltan's recursive coordinate bisection, which cuts the agents in two along the axis on which they are
 * farther apart, and then each half. Only Zoltan's boxes are used: who owns an agent is decided by the tree of cuts.
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "mpi/assertion.h"
#include "mpi/mpi_internal.h"

static throng_status no_memory(throng_error *error) {
  return throng_mpi_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for the cuts");
}

/* Whether one cut has the regions a to b - 1 on its lower side, and the regions b to c - 1 on its upper side. */
static bool divides(const throng_mpi_region *region, int a, int b, int c, struct fork *fork) {
  float low = -INFINITY, high = INFINITY;
  ASSERT_ALONE(a >= 0 && a < b && b < c); /* both sides have regions */
  for (int k = a; k < b; k++) low = fmaxf(low, fork->along_z ? region[k].max_z : region[k].max_x);
  for (int k = b; k < c; k++) high = fminf(high, fork->along_z ? region[k].min_z : region[k].min_x);
  fork->at = high;
  return low <= high;
}

/* Makes the tree of the regions a to c - 1, from *made on, and makes them parts of `whole`. Returns whether they have a
 * tree: Zoltan numbers the parts so that those on one side of a cut are neighbours. */
static bool make_tree(struct cuts *cuts, int a, int c, throng_mpi_region whole, int *made, int *root) {
  const int count = c - a, at = *made;
  *root = ~a;
  if (count == 1) cuts->region[a] = whole;
  if (count == 1) return true;
  *root = (*made)++;
  for (int k = 0; k < 2 * (count - 1); k++) {
    const int b = a + 1 + (k / 2 + count / 2 - 1) % (count - 1); /* the middle first */
    struct fork fork = {.along_z = k % 2};
    if (!divides(cuts->region, a, b, c, &fork)) continue;
    throng_mpi_region low = whole, high = whole;
    *(fork.along_z ? &low.max_z : &low.max_x) = *(fork.along_z ? &high.min_z : &high.min_x) = fork.at;
    const bool complete = make_tree(cuts, a, b, low, made, &fork.low) && make_tree(cuts, b, c, high, made, &fork.high);
    ASSERT_ALONE(!complete || *made == at + count - 1); /* a tree of `count` regions has one fork fewer */
    cuts->fork[at] = fork;
    return complete;
  }
  return false;
}

#ifdef THRONG_HAS_ZOLTAN
#include <zoltan.h>

bool throng_mpi_has_rcb(void) { return true; }

/* The agents that this rank gives Zoltan. */
struct points {
  const throng_view *view;
  const uint64_t *weight; /* 0: not given */
  uint32_t begin, end;
};

static int count_axes(void *points, int *error) {
  (void)points;
  *error = ZOLTAN_OK;
  return 2;
}

static int count_points(void *context, int *error) {
  const struct points *points = context;
  int count = 0;
  for (uint32_t k = points->begin; k < points->end; k++) count += points->weight[k] > 0;
  *error = ZOLTAN_OK;
  return count;
}

static void list_points(void *context, int id_size, int local_size, ZOLTAN_ID_PTR id, ZOLTAN_ID_PTR local, int weights,
                        float *weight, int *error) {
  const struct points *points = context;
  (void)id_size;
  (void)local_size;
  (void)weights;
  uint32_t count = 0;
  for (uint32_t k = points->begin; k < points->end; k++) {
    if (points->weight[k] == 0) continue;
    id[count] = points->view->id_index[k];
    local[count] = k;
    weight[count++] = (float)points->weight[k];
  }
  *error = ZOLTAN_OK;
}

static void place_points(void *context, int id_size, int local_size, int count, ZOLTAN_ID_PTR id, ZOLTAN_ID_PTR local,
                         int axes, double *position, int *error) {
  const throng_view *view = ((const struct points *)context)->view;
  (void)id_size;
  (void)local_size;
  (void)id;
  for (int k = 0; k < count; k++) {
    position[axes * k] = (double)view->position_x[local[k]];
    position[axes * k + 1] = (double)view->position_z[local[k]];
  }
  *error = ZOLTAN_OK;
}

static bool configure(struct Zoltan_Struct *zoltan, struct points *points) {
  static const char *const parameters[][2] = {{"DEBUG_LEVEL", "0"}, /* first, because the others may print */
                                              {"LB_METHOD", "RCB"},     {"KEEP_CUTS", "1"}, {"OBJ_WEIGHT_DIM", "1"},
                                              {"RETURN_LISTS", "NONE"}, {"REMAP", "0"},     {"IMBALANCE_TOL", "1.01"}};
  bool ok = true;
  for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++)
    ok = ok && Zoltan_Set_Param(zoltan, parameters[k][0], parameters[k][1]) == ZOLTAN_OK;
  return ok && Zoltan_Set_Num_Geom_Fn(zoltan, count_axes, points) == ZOLTAN_OK &&
         Zoltan_Set_Geom_Multi_Fn(zoltan, place_points, points) == ZOLTAN_OK &&
         Zoltan_Set_Num_Obj_Fn(zoltan, count_points, points) == ZOLTAN_OK &&
         Zoltan_Set_Obj_List_Fn(zoltan, list_points, points) == ZOLTAN_OK;
}

static throng_status bisect(struct Zoltan_Struct *zoltan, throng_error *error) {
  int changed, ids, locals, in, out, *from, *from_part, *to, *to_part;
  ZOLTAN_ID_PTR in_id, in_local, out_id, out_local;
  const int status = Zoltan_LB_Partition(zoltan, &changed, &ids, &locals, &in, &in_id, &in_local, &from, &from_part,
                                         &out, &out_id, &out_local, &to, &to_part);
  if (status == ZOLTAN_OK || status == ZOLTAN_WARN) return THRONG_OK;
  if (status == ZOLTAN_MEMERR) return no_memory(error);
  return throng_mpi_fail(error, THRONG_ERROR_UNSUPPORTED, "Zoltan cannot cut this world: its status is %d", status);
}

/* A side of a box. Those at the ends of the world are too large for a float. */
static float side_of(double at) { return (float)fmin(fmax(at, -(double)FLT_MAX), (double)FLT_MAX); }

static throng_status take_boxes(struct Zoltan_Struct *zoltan, int ranks, throng_mpi_region *region,
                                throng_error *error) {
  for (int k = 0; k < ranks; k++) {
    int axes;
    double low[3], high[3];
    if (Zoltan_RCB_Box(zoltan, k, &axes, &low[0], &low[1], &low[2], &high[0], &high[1], &high[2]) != ZOLTAN_OK)
      return throng_mpi_fail(error, THRONG_ERROR_UNSUPPORTED, "Zoltan has no box for rank %d", k);
    region[k] = (throng_mpi_region){side_of(low[0]), side_of(high[0]), side_of(low[1]), side_of(high[1])};
  }
  return THRONG_OK;
}

/* Lets Zoltan make the regions, on every rank the same. If all ranks have all agents, each gives a part of them.
 * Collective. */
static throng_status run_zoltan(const throng_mpi *mpi, const throng_view *view, const uint64_t *weight, bool alike,
                                throng_mpi_region *region, throng_error *error) {
  struct points points = {view, weight, 0, view->count};
  float version;
  if (alike) {
    points.begin = (uint32_t)((uint64_t)view->count * (uint64_t)mpi->rank / (uint64_t)mpi->ranks);
    points.end = (uint32_t)((uint64_t)view->count * ((uint64_t)mpi->rank + 1) / (uint64_t)mpi->ranks);
  }
  struct Zoltan_Struct *zoltan = Zoltan_Initialize(0, NULL, &version) == ZOLTAN_OK ? Zoltan_Create(mpi->comm) : NULL;
  throng_status status = zoltan && configure(zoltan, &points) ? THRONG_OK : no_memory(error);
  status = throng_mpi_agree(mpi, status, error);
  if (status == THRONG_OK) {
    status = bisect(zoltan, error);
    if (status == THRONG_OK) status = take_boxes(zoltan, mpi->ranks, region, error);
    status = throng_mpi_agree(mpi, status, error);
  }
  Zoltan_Destroy(&zoltan);
  return status;
}
#else
bool throng_mpi_has_rcb(void) { return false; }

static throng_status run_zoltan(const throng_mpi *mpi, const throng_view *view, const uint64_t *weight, bool alike,
                                throng_mpi_region *region, throng_error *error) {
  (void)mpi;
  (void)view;
  (void)weight;
  (void)alike;
  (void)region;
  return no_memory(error); /* not called: throng_mpi_create refuses this cut */
}
#endif

/* Without agents: the first rank owns what is below the high side of the world along x, the last rank what is above.
 * The regions between them are empty. They are at a finite place, because pieces need outer boxes around their regions.
 */
static void share_empty_world(const throng_mpi *mpi, throng_mpi_region *region) {
  const float end = mpi->cuts.side_x.high;
  for (int k = 0; k < mpi->ranks; k++) region[k] = (throng_mpi_region){.min_x = end, .max_x = end};
}

throng_status throng_mpi_cut_by_rcb(throng_mpi *mpi, const throng_view *view, const uint64_t *weight, bool alike,
                                    throng_error *error) {
  const size_t ranks = (size_t)mpi->ranks;
  struct cuts made = {.region = calloc(ranks, sizeof *made.region), .fork = calloc(ranks, sizeof *made.fork)};
  throng_status status = throng_mpi_agree(mpi, made.region && made.fork ? THRONG_OK : no_memory(error), error);
  uint64_t agents = 0, all = 0;
  for (uint32_t k = 0; k < view->count; k++) agents += weight[k] > 0;
  if (status == THRONG_OK) {
    MPI_Allreduce(&agents, &all, 1, MPI_UINT64_T, MPI_SUM, mpi->comm);
    share_empty_world(mpi, made.region);
    if (all > 0) status = run_zoltan(mpi, view, weight, alike, made.region, error);
  }
  if (status == THRONG_OK) {
    const throng_mpi_region world = {-INFINITY, INFINITY, -INFINITY, INFINITY};
    int forks = 0;
    MPI_Bcast(made.region, (int)(ranks * sizeof *made.region), MPI_BYTE, 0, mpi->comm);
    if (!make_tree(&made, 0, mpi->ranks, world, &forks, &made.root)) /* on all ranks or on none */
      status = throng_mpi_fail(error, THRONG_ERROR_UNSUPPORTED, "Zoltan's boxes are not parts of a tree of cuts");
  }
  if (status == THRONG_OK) {
    struct cuts *cuts = &mpi->cuts;
    throng_mpi_release_cuts(cuts);
    cuts->region = made.region;
    cuts->fork = made.fork;
    cuts->root = made.root;
    return THRONG_OK;
  }
  throng_mpi_release_cuts(&made);
  return status;
}
