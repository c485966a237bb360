/* query.c: finds agents near a point. Results are exact, with the same differences as in a frame. An agent is in a ball
 * if the distance that the host reads is at most the radius that it gave. Nothing is allocated, and only the results
 * are written.
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "agents/lookup.h"
#include "base/assertion.h"
#include "base/float_environment.h"
#include "state.h"

/* The torus cells that a ball touches along an axis. */
struct ranges {
  uint32_t count;
  struct {
    uint32_t first, last;
  } range[8];
};
struct ball {
  const throng_world *world;
  float centre[3], most_sq; /* the largest square whose distance in the host's unit is at most the radius */
  uint32_t mask;
  struct ranges axis[3];
};

static void add_range(struct ranges *ranges, int64_t first, int64_t last, uint32_t size) {
  ASSERT_ALONE(ranges->count + 2 <= 8 && (size & (size - 1)) == 0);
  ASSERT_ALONE(first <= last);
  if (last - first + 1 >= (int64_t)size) {
    ranges->range[ranges->count].first = 0;
    ranges->range[ranges->count++].last = size - 1;
    return;
  }
  uint32_t a = (uint32_t)(first & (size - 1)), b = (uint32_t)(last & (size - 1));
  ranges->range[ranges->count].first = a;
  ranges->range[ranges->count++].last = a <= b ? b : size - 1;
  if (a <= b) return;
  ranges->range[ranges->count].first = 0;
  ranges->range[ranges->count++].last = b;
}

/* If two ranges share a torus cell, replaces all ranges by one for the whole axis. Otherwise agents in this cell would
 * be found twice. */
static void without_overlap(struct ranges *ranges, uint32_t size) {
  for (uint32_t a = 0; a < ranges->count; a++) {
    for (uint32_t b = a + 1; b < ranges->count; b++) {
      if (ranges->range[a].last < ranges->range[b].first || ranges->range[b].last < ranges->range[a].first) continue;
      ranges->count = 1;
      ranges->range[0].first = 0;
      ranges->range[0].last = size - 1;
      return;
    }
  }
}

static int64_t floor_int(double a) {
  int64_t whole = (int64_t)a;
  return (double)whole > a ? whole - 1 : whole;
}

/* Adds cells of a periodic axis. In a piece of a world, the agents' cells begin at axis->first. */
static void add_periodic(struct ranges *ranges, const struct grid_axis *axis, int64_t first, int64_t last,
                         uint32_t size) {
  const int64_t border = axis->first, on = axis->period;
  if (first < border) add_range(ranges, first + on, (last < border ? last : border - 1) + on, size);
  if (last >= border) add_range(ranges, first < border ? border : first, last, size);
}

/* Returns the distance to which coordinates along axis k may differ where the computed distance is at most `radius`: up
 * to 2^-21 of the radius and of the largest coordinate are rounding of differences, images and squares. */
static double reach_along(const struct grid *grid, int k, float centre, double radius) {
  const double low = fabs((double)grid->bounds_min[k]), high = fabs((double)grid->bounds_max[k]);
  const double farthest = (low > high ? low : high) + fabs((double)centre) + (double)grid->space->axis[k].length;
  return radius + (radius + farthest) * 0x1p-21;
}

/* Returns the cells along axis k that agents within `radius` may be in, and one more on each side, because the cells of
 * agents round. */
static struct ranges axis_ranges(const struct grid *grid, int k, uint32_t bits, float centre, double radius) {
  struct ranges ranges = {0, {{0, 0}}};
  const struct grid_axis *axis = &grid->space->axis[k];
  const uint32_t size = 1u << bits;
  radius = reach_along(grid, k, centre, radius);
  const double low = ((double)centre - radius - (double)axis->origin) * (double)axis->inverse;
  const double high = ((double)centre + radius - (double)axis->origin) * (double)axis->inverse;
  if (axis->period == 0) { /* only cells within the agents' bounds, so that a huge radius does not take longer */
    int64_t least = throng_grid_cell(axis, grid->bounds_min[k]), most = throng_grid_cell(axis, grid->bounds_max[k]);
    int64_t first = low <= (double)least ? least : floor_int(low) - 1;
    int64_t last = high >= (double)most ? most : floor_int(high) + 1;
    if (first < least) first = least;
    if (last > most) last = most;
    if (first <= last) add_range(&ranges, first, last, size);
    return ranges;
  }
  const int64_t period = axis->period;
  if (high - low + 4.0 >= (double)period) {
    add_range(&ranges, 0, size - 1, size);
    return ranges;
  }
  int64_t first = floor_int(low) - 1, last = floor_int(high) + 1;
  if (first >= period)
    first = period - 1; /* the centre may be at the far face, and rounding may then put it into the
                                              next cell */
  if (first < 0) add_periodic(&ranges, axis, first + period, period - 1, size);
  add_periodic(&ranges, axis, first < 0 ? 0 : first, last < period ? last : period - 1, size);
  if (last >= period) add_periodic(&ranges, axis, 0, last - period, size);
  without_overlap(&ranges, size);
  return ranges;
}

/* The distance that the host reads for a squared one. It never falls where the square grows. */
static float given_distance(const throng_axes *axes, float square) { return axes_give_length(axes, sqrtf(square)); }

/* Returns the largest square whose distance is at most `radius`, in the host's unit. The loops run a few times: they
 * correct the rounding of the unit, the square and the root. */
static float most_square(const throng_axes *axes, float radius) {
  const float own = axes_take_length(axes, radius);
  ASSERT_ALONE(radius >= 0.0f);
  float square = own * own < FLT_MAX ? own * own : FLT_MAX;
  while (given_distance(axes, square) > radius) square = next_float(square, false);
  while (square < FLT_MAX && given_distance(axes, next_float(square, true)) <= radius)
    square = next_float(square, true);
  return square;
}

/* `radius`: in the host's unit. */
static struct ball make_ball(const throng_world *world, throng_vec3 centre, float radius, uint32_t mask) {
  ASSERT(world, !world->dirty);
  const struct grid *grid = &world->grid;
  const struct torus *torus = &grid->torus;
  const float most_sq = most_square(grid->space->axes, radius);
  struct ball ball = {world, {centre.x, centre.y, centre.z}, most_sq, mask, {{0, {{0, 0}}}}};
  const uint32_t bits[3] = {torus->bits_x, torus->bits_y, torus->bits_z};
  for (int k = 0; k < 3; k++) {
    if (k != 1 || grid->space->spatial)
      ball.axis[k] = axis_ranges(grid, k, bits[k], ball.centre[k], sqrt((double)most_sq));
  }
  if (!grid->space->spatial) ball.axis[1].count = 1; /* planar: one row, number 0 */
  return ball;
}

static float distance_sq(const struct ball *ball, uint32_t slot) {
  float *const *f = ball->world->agents.front.f;
  const struct grid *grid = &ball->world->grid;
  float dx = space_difference(&grid->space->axis[0], f[COLUMN_POSITION_X][slot], ball->centre[0]);
  float dz = space_difference(&grid->space->axis[2], f[COLUMN_POSITION_Z][slot], ball->centre[2]);
  float sum = dx * dx;
  if (grid->space->spatial) {
    float dy = space_difference(&grid->space->axis[1], f[COLUMN_POSITION_Y][slot], ball->centre[1]);
    sum = sum + dy * dy;
  }
  return sum + dz * dz;
}

/* Collects results in a heap with the farthest on top, and counts them. */
struct found {
  throng_neighbour *heap;
  uint32_t capacity, kept;
  uint64_t count;
};

static bool nearer(const throng_neighbour *a, const throng_neighbour *b) {
  return a->distance < b->distance || (a->distance == b->distance && a->id.index < b->id.index);
}
static void sift_down(throng_neighbour *heap, uint32_t count, uint32_t at) {
  throng_neighbour moved = heap[at];
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && nearer(&heap[child], &heap[child + 1])) child++;
    if (!nearer(&moved, &heap[child])) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
}
static void keep(struct found *found, throng_neighbour neighbour) {
  found->count++;
  if (found->capacity == 0) return;
  if (found->kept == found->capacity) {
    if (!nearer(&neighbour, &found->heap[0])) return;
    found->heap[0] = neighbour;
    sift_down(found->heap, found->kept, 0);
    return;
  }
  uint32_t at = found->kept++;
  while (at > 0 && nearer(&found->heap[(at - 1) / 2], &neighbour)) {
    found->heap[at] = found->heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  found->heap[at] = neighbour;
}
static void sort_found(struct found *found) {
  for (uint32_t left = found->kept; left > 1; left--) {
    throng_neighbour farthest = found->heap[0];
    found->heap[0] = found->heap[left - 1];
    found->heap[left - 1] = farthest;
    sift_down(found->heap, left - 1, 0);
  }
}

/* Keeps the agent in a slot if it is in the ball and its layer in the mask. */
static void look_at(const struct ball *ball, uint32_t slot, struct found *found) {
  const throng_world *world = ball->world;
  float sq = distance_sq(ball, slot);
  if (!(sq <= ball->most_sq)) return;
  uint32_t layer = world->group[meta_group(world->agents.front.meta[slot])].layer;
  if (!(ball->mask & 1u << layer)) return;
  keep(found, (throng_neighbour){throng_lookup_id_at(world, slot), given_distance(world->space.axes, sq)});
}

/* Removals have emptied the slots from the number of agents on. */
static void look_into_row(const struct ball *ball, uint32_t row, struct found *found) {
  const throng_world *world = ball->world;
  const struct grid *grid = &world->grid;
  const bool changed = grid_has_changed(grid);
  for (uint32_t r = 0; r < ball->axis[0].count; r++) {
    uint32_t base = row << grid->torus.bits_x;
    uint32_t from = grid->start[base + ball->axis[0].range[r].first];
    uint32_t to = grid->start[base + ball->axis[0].range[r].last + 1];
    if (to > world->agents.count) to = world->agents.count;
    for (uint32_t slot = from; slot < to; slot++) {
      if (!changed || !grid_is_displaced(grid, slot)) look_at(ball, slot, found);
    }
  }
}

static void look_at_displaced(const struct ball *ball, struct found *found) {
  const struct displaced *displaced = &ball->world->grid.displaced;
  for (uint32_t k = 0; k < displaced->count; k++) {
    if (displaced->slot[k] < ball->world->agents.count) look_at(ball, displaced->slot[k], found);
  }
}

static void look_into(const struct ball *ball, struct found *found) {
  const struct ranges *y = &ball->axis[1], *z = &ball->axis[2];
  for (uint32_t rz = 0; rz < z->count; rz++) {
    for (uint32_t row_z = z->range[rz].first; row_z <= z->range[rz].last; row_z++) {
      for (uint32_t ry = 0; ry < y->count; ry++) {
        for (uint32_t row_y = y->range[ry].first; row_y <= y->range[ry].last; row_y++) {
          look_into_row(ball, row_z << ball->world->grid.torus.bits_y | row_y, found);
        }
      }
    }
  }
}

static throng_status check_centre(const throng_world *world, throng_vec3 centre, throng_error *error) {
  const float c[3] = {centre.x, world->space.spatial ? centre.y : 0.0f, centre.z};
  for (int k = 0; k < 3; k++) {
    const struct grid_axis *axis = &world->space.axis[k];
    const float low = axis->period ? axis->origin : -world->space.limit;
    const float high = axis->period ? world->space.end[k] : world->space.limit;
    if (c[k] >= low && c[k] <= high) continue;
    const struct axes_coordinate host = throng_axes_give_coordinate(world->space.axes, k, c[k], low, high);
    return throng_fail(error, fabsf(c[k]) <= FLT_MAX ? THRONG_ERROR_OUT_OF_RANGE : THRONG_ERROR_NOT_FINITE,
                       "centre.%c is %.9g, allowed: %.9g to %.9g", host.axis, host.value, host.low, host.high);
  }
  return THRONG_OK;
}

static throng_status check_indexed(const throng_world *world, throng_error *error) {
  if (!world->dirty) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_NOT_INDEXED,
                     "agents were added, their positions written, or over 1/64 of them moved or removed: "
                     "throng_world_index or a step first");
}

static struct found find_within(const throng_world *world, throng_vec3 centre, float radius, uint32_t mask,
                                throng_neighbour *heap, uint32_t capacity) {
  struct ball ball = make_ball(world, centre, radius, mask);
  struct found found = {heap, capacity, 0, 0};
  look_into(&ball, &found);
  look_at_displaced(&ball, &found);
  return found;
}

static throng_status check_radius(float radius, throng_error *error) {
  return throng_check_range(radius, 0.0f, FLT_MAX, "radius", error);
}

static OUT_OF_LINE throng_status query_radius_inner(const throng_world *world, throng_vec3 centre, float radius,
                                                    uint32_t mask, throng_neighbour *out, uint32_t capacity,
                                                    uint32_t *count, throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(count, error);
  if (capacity > 0 && !out) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "'found' is NULL");
  centre = axes_take_point(world->space.axes, centre);
  TRY(check_indexed(world, error));
  TRY(check_centre(world, centre, error));
  TRY(check_radius(radius, error));
  struct found found = find_within(world, centre, radius, mask, out, capacity);
  *count = (uint32_t)found.count;
  if (out && found.count > capacity) {
    return throng_fail(error, THRONG_ERROR_CAPACITY, "found has room for %u, there are %u", capacity, *count);
  }
  sort_found(&found);
  return THRONG_OK;
}

throng_status throng_world_query_radius(const throng_world *world, throng_vec3 centre, float radius, uint32_t mask,
                                        throng_neighbour *out, uint32_t capacity, uint32_t *count,
                                        throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status,
                              query_radius_inner(world, centre, radius, mask, out, capacity, count, error));
}

/* Returns a radius around `centre` that includes all agents, in metres. */
static double whole_world_radius(const throng_world *world, throng_vec3 centre) {
  const float c[3] = {centre.x, centre.y, centre.z};
  double sum = 0.0;
  for (int k = 0; k < 3; k++) {
    if (k == 1 && !world->space.spatial) continue;
    double low = fabs((double)c[k] - (double)world->grid.bounds_min[k]);
    double high = fabs((double)world->grid.bounds_max[k] - (double)c[k]);
    sum += (low > high ? low : high) * (low > high ? low : high);
  }
  return sqrt(sum) * 1.001 + (double)world->space.radius;
}

/* Searches balls around `centre`, each with twice the radius of the ball before, until a ball contains k agents or the
 * whole world. */
static uint32_t find_nearest(const throng_world *world, throng_vec3 centre, uint32_t k, uint32_t mask,
                             throng_neighbour *out) {
  const double whole = whole_world_radius(world, centre);
  for (double radius = 0.5 * (double)world->space.radius;; radius *= 2.0) {
    const float given = axes_give_length(world->space.axes, (float)radius);
    struct found found = find_within(world, centre, given, mask, out, k);
    if (found.kept < k && radius < whole) continue;
    sort_found(&found);
    return found.kept;
  }
}

static OUT_OF_LINE throng_status query_nearest_inner(const throng_world *world, throng_vec3 centre, uint32_t k,
                                                     uint32_t mask, throng_neighbour *found, uint32_t *count,
                                                     throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(found, error);
  REQUIRE_POINTER(count, error);
  if (k == 0) return throng_fail(error, THRONG_ERROR_BAD_VALUE, "k is 0, must be at least 1");
  centre = axes_take_point(world->space.axes, centre);
  TRY(check_indexed(world, error));
  TRY(check_centre(world, centre, error));
  *count = find_nearest(world, centre, k, mask, found);
  return THRONG_OK;
}

throng_status throng_world_query_nearest(const throng_world *world, throng_vec3 centre, uint32_t k, uint32_t mask,
                                         throng_neighbour *found, uint32_t *count, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, query_nearest_inner(world, centre, k, mask, found, count, error));
}

/* Batches. */

struct batch {
  const throng_world *world;
  const throng_vec3 *centres;
  float radius;
  uint32_t mask, capacity;
  throng_neighbour *found;
  uint32_t *counts;
  bool nearest;
};

static void batch_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct batch *batch = context;
  const throng_axes *axes = batch->world->space.axes;
  (void)worker;
  for (uint32_t q = begin; q < end; q++) {
    const throng_vec3 centre = axes_take_point(axes, batch->centres[q]);
    throng_neighbour *out = batch->found ? batch->found + (size_t)q * batch->capacity : NULL;
    if (batch->nearest) {
      batch->counts[q] = find_nearest(batch->world, centre, batch->capacity, batch->mask, out);
      continue;
    }
    struct found found = find_within(batch->world, centre, batch->radius, batch->mask, out, batch->capacity);
    batch->counts[q] = (uint32_t)found.count;
    if (found.count > batch->capacity) continue;
    sort_found(&found);
  }
}

static throng_status check_batch(const throng_world *world, const throng_vec3 *centres, uint32_t query_count,
                                 const uint32_t *counts, throng_error *error) {
  if (query_count > 0) {
    REQUIRE_POINTER(centres, error);
    REQUIRE_POINTER(counts, error);
  }
  TRY(check_indexed(world, error));
  for (uint32_t q = 0; q < query_count; q++) {
    TRY(check_centre(world, axes_take_point(world->space.axes, centres[q]), error));
  }
  return THRONG_OK;
}

#define BATCH_GRAIN 16u  /* queries per task */
#define QUERY_AGENTS 16u /* a query takes about as long as a frame of this many agents */

/* Runs a batch of queries, on at least as many threads as a frame uses. */
static void run_batch(const throng_world *world, uint32_t query_count, struct batch *batch) {
  struct executor executor = world->executor;
  throng_executor_fit(&executor, (uint64_t)query_count * QUERY_AGENTS);
  if (executor.team < world->executor.team) executor.team = world->executor.team;
  throng_executor_run(&executor, query_count, BATCH_GRAIN, batch_task, NULL, batch);
}

static OUT_OF_LINE throng_status query_radius_batch_inner(throng_world *world, const throng_vec3 *centres,
                                                          uint32_t query_count, float radius, uint32_t mask,
                                                          throng_neighbour *found, uint32_t capacity, uint32_t *counts,
                                                          throng_error *error) {
  TRY(check_batch(world, centres, query_count, counts, error));
  if (capacity > 0 && query_count > 0) REQUIRE_POINTER(found, error);
  TRY(check_radius(radius, error));
  struct batch batch = {world, centres, radius, mask, capacity, found, counts, false};
  run_batch(world, query_count, &batch);
  for (uint32_t q = 0; q < query_count && found; q++) {
    if (counts[q] <= capacity) continue;
    return throng_fail(error, THRONG_ERROR_CAPACITY, "query %u found %u, there is room for %u", q, counts[q], capacity);
  }
  return THRONG_OK;
}

throng_status throng_world_query_radius_batch(throng_world *world, const throng_vec3 *centres, uint32_t query_count,
                                              float radius, uint32_t mask, throng_neighbour *found, uint32_t capacity,
                                              uint32_t *counts, throng_error *error) {
  RETURN_ALONE(world, error,
               query_radius_batch_inner(world, centres, query_count, radius, mask, found, capacity, counts, error));
}

static OUT_OF_LINE throng_status query_nearest_batch_inner(throng_world *world, const throng_vec3 *centres,
                                                           uint32_t query_count, uint32_t k, uint32_t mask,
                                                           throng_neighbour *found, uint32_t *counts,
                                                           throng_error *error) {
  TRY(check_batch(world, centres, query_count, counts, error));
  if (query_count > 0) REQUIRE_POINTER(found, error);
  if (k == 0) return throng_fail(error, THRONG_ERROR_BAD_VALUE, "k is 0, must be at least 1");
  struct batch batch = {world, centres, 0.0f, mask, k, found, counts, true};
  run_batch(world, query_count, &batch);
  return THRONG_OK;
}

throng_status throng_world_query_nearest_batch(throng_world *world, const throng_vec3 *centres, uint32_t query_count,
                                               uint32_t k, uint32_t mask, throng_neighbour *found, uint32_t *counts,
                                               throng_error *error) {
  RETURN_ALONE(world, error, query_nearest_batch_inner(world, centres, query_count, k, mask, found, counts, error));
}
