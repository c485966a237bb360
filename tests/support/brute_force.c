/* tests/support/brute_force.c: see brute_force.h. SPDX-License-Identifier: MIT */
#include "support/brute_force.h"

#include "reference/reference_a.h"
#include "support/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_distance_and_id(const void *left, const void *right) {
  const answer *a = left, *b = right;
  if (a->neighbour.distance != b->neighbour.distance) return a->neighbour.distance < b->neighbour.distance ? -1 : 1;
  return a->neighbour.id.index < b->neighbour.id.index ? -1 : 1;
}

/* Returns the squared distance as a frame computes it: to the minimum image; in planar worlds of x and z only. */
float brute_squared_distance(const crowd *c, throng_vec3 from, throng_vec3 to) {
  const ref_axis x = ref_a_axis(&c->def, 0), y = ref_a_axis(&c->def, 1), z = ref_a_axis(&c->def, 2);
  const float dx = ref_a_difference(&x, from.x, to.x), dz = ref_a_difference(&z, from.z, to.z);
  if (!crowd_is_spatial(c)) return dx * dx + dz * dz;
  const float dy = ref_a_difference(&y, from.y, to.y);
  return dx * dx + dy * dy + dz * dz;
}

/* Writes all agents whose layer is in the mask to `all`, nearest first. Returns their number. */
static uint32_t look_at_all(const crowd *c, throng_vec3 centre, uint32_t mask, answer *all) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    const crowd_agent *a = &c->agents[i];
    if (!(mask & 1u << crowd_group(c, a)->layer)) continue;
    const float d2 = brute_squared_distance(c, centre, a->position);
    all[count++] = (answer){d2, {a->id, sqrtf(d2)}};
  }
  qsort(all, count, sizeof *all, by_distance_and_id);
  return count;
}

static void require_same(const crowd *c, const char *what, const answer *wanted, uint32_t wanted_count,
                         const throng_neighbour *got, uint32_t count) {
  bool same = count == wanted_count;
  for (uint32_t k = 0; k < count && same; k++)
    same = memcmp(&wanted[k].neighbour.id, &got[k].id, sizeof(throng_agent_id)) == 0 &&
           wanted[k].neighbour.distance == got[k].distance;
  if (same) return;
  print_error("seed %" PRIu64 ", %s: %u results, expected %u\n", c->seed, what, count, wanted_count);
  for (uint32_t k = 0; k < count && k < wanted_count && k < 8; k++)
    print_error("  %u at %a, expected %u at %a\n", got[k].id.index, (double)got[k].distance,
                wanted[k].neighbour.id.index, (double)wanted[k].neighbour.distance);
  fail();
}

void brute_require_radius(bench *b, throng_vec3 centre, float radius, uint32_t mask) {
  throng_error error;
  const uint32_t all = look_at_all(b->crowd, centre, mask, b->all);
  uint32_t wanted = 0;
  answer *near = b->all;
  for (uint32_t k = 0; k < all; k++)
    if (b->all[k].neighbour.distance <= radius) near[wanted++] = b->all[k];
  uint32_t count = 12345;
  require_ok(throng_world_query_radius(b->world, centre, radius, mask, NULL, 0, &count, &error), &error);
  assert_int_equal(count, wanted);
  require_ok(throng_world_query_radius(b->world, centre, radius, mask, b->found, BRUTE_MOST, &count, &error), &error);
  require_same(b->crowd, "radius", near, wanted, b->found, count);
  require_ok(throng_world_query_radius(b->world, centre, radius, mask, b->found, wanted, &count, &error),
             &error); /* the array has exactly the needed size */
  if (wanted < 2) return;
  require_error(throng_world_query_radius(b->world, centre, radius, mask, b->found, wanted - 1, &count, &error),
                THRONG_ERROR_CAPACITY, &error);
  assert_int_equal(count, wanted);
}

void brute_require_nearest(bench *b, throng_vec3 centre, uint32_t k, uint32_t mask) {
  throng_error error;
  const uint32_t all = look_at_all(b->crowd, centre, mask, b->all);
  uint32_t count = 12345;
  require_ok(throng_world_query_nearest(b->world, centre, k, mask, b->found, &count, &error), &error);
  require_same(b->crowd, "nearest", b->all, all < k ? all : k, b->found, count);
}

throng_vec3 brute_random_centre(test_rng *rng, const crowd *c) {
  const float r = c->def.perception_radius;
  const bool at_agent = c->count > 0 && rng_chance(rng, 0.5f), beside = rng_chance(rng, 0.5f);
  throng_vec3 p = at_agent ? c->agents[rng_below(rng, c->count)].position : (throng_vec3){0, 0, 0};
  for (int axis = 0; axis < 3; axis++) {
    const float low = (&c->def.box_min.x)[axis], high = (&c->def.box_max.x)[axis], reach = axis == 1 ? 9 * r : 50 * r;
    const bool unbounded = c->def.boundary[axis] == THRONG_BOUNDARY_UNBOUNDED;
    float *at = &(&p.x)[axis];
    if (at_agent) {
      if (unbounded && beside && axis == 0) *at += rng_float(rng, -3.0f * r, 3.0f * r);
    } else {
      *at = unbounded ? rng_float(rng, -reach, reach) : low + (high - low) * rng_float(rng, 0.0f, 0.999f);
    }
  }
  return p;
}

bench *brute_open(uint64_t seed, const crowd_recipe *recipe, uint32_t threads) {
  bench *b = calloc(1, sizeof *b);
  if (b == NULL) abort();
  const crowd_world_options options = {.threads = threads};
  throng_error error;
  b->crowd = crowd_random(seed, recipe);
  b->world = crowd_world(b->crowd, &options);
  require_ok(throng_world_index(b->world, &error), &error);
  return b;
}

void brute_close(bench *b) {
  throng_world_destroy(b->world);
  crowd_free(b->crowd);
  free(b);
}
