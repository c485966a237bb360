/* tests/world/test_query_edges.c: radii that are an agent's distance, and the floats beside them. A query finds an
 * agent if and only if its distance is at most the radius: in both spaces, with every boundary, in every host's axes
 * and unit, near the origin and at the limit of positions, for agents that were moved after the sort too.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AGENTS 192u /* three agents may be displaced, and the world still answers */
#define HUGE_RADIUS 3.4e38f

static uint64_t base_seed;

/* A world, the numbers that made it, and the distances of all agents from a centre, nearest first. */
struct scene {
  uint64_t seed;
  throng_world *world;
  throng_world_def def;
  test_rng rng;
  throng_agent_id id[AGENTS];
  throng_vec3 position[AGENTS];
  uint32_t count;
  throng_neighbour all[AGENTS], found[AGENTS];
};

static const float units[] = {1.0f, 100.0f, 0.25f, 0.3048f, 39.370079f, 1e6f, 1e-6f};

static throng_axes axes_of(uint32_t k) {
  const throng_axes axes[] = {throng_axes_own(),
                              throng_axes_unity(),
                              throng_axes_unreal(),
                              throng_axes_godot(),
                              {THRONG_AXIS_MINUS_Y, THRONG_AXIS_MINUS_Z, THRONG_AXIS_X, 1.0f}};
  return axes[k % 5];
}

static float number(const throng_vec3 *v, int k) { return k == 0 ? v->x : k == 1 ? v->y : v->z; }

/* A point of the box; some coordinates are multiples of R / 4, where cells and squares are even. */
static throng_vec3 random_point(struct scene *s) {
  throng_vec3 p;
  float *to[3] = {&p.x, &p.y, &p.z};
  const float step = s->def.perception_radius * s->def.axes.units_per_metre / 4.0f;
  for (int k = 0; k < 3; k++) {
    const float low = number(&s->def.box_min, k), high = number(&s->def.box_max, k);
    float at = rng_float(&s->rng, low, high);
    if (rng_chance(&s->rng, 0.3f)) at = low + step * floorf((at - low) / step);
    *to[k] = at < low ? low : at > high ? high : at;
  }
  return p;
}

/* The side of the box is 4 to 10^6 perception radii, and it begins at the origin or far away from it. */
static void set_box(struct scene *s) {
  static const float sides[] = {4.5f, 20.0f, 300.0f, 1e6f}, starts[] = {0.0f, -7.3f, 1000.3f, -1e6f};
  const float unit = s->def.perception_radius * s->def.axes.units_per_metre;
  const float side = rng_pick(&s->rng, sides, 4), start = side > 1e5f ? -0.5f * side : rng_pick(&s->rng, starts, 4);
  float *low[3] = {&s->def.box_min.x, &s->def.box_min.y, &s->def.box_min.z};
  float *high[3] = {&s->def.box_max.x, &s->def.box_max.y, &s->def.box_max.z};
  for (int k = 0; k < 3; k++) {
    *low[k] = start * unit;
    *high[k] = (start + side) * unit;
    s->def.boundary[k] = (throng_boundary)rng_below(&s->rng, 3);
  }
}

static void open_scene(struct scene *s, uint64_t seed) {
  static const float radii[] = {1.0f, 0.37f, 1e-3f, 1e6f};
  *s = (struct scene){.seed = seed, .rng = rng_from(seed), .count = AGENTS, .def = throng_default_world_def()};
  s->def.space = (throng_space)(seed % 2);
  s->def.axes = axes_of((uint32_t)(seed / 2));
  if (seed % 3 > 0) s->def.axes.units_per_metre = rng_pick(&s->rng, units, 7);
  s->def.perception_radius = rng_pick(&s->rng, radii, 4);
  s->def.thread_count = 1;
  set_box(s);
  throng_error error;
  require_ok(throng_world_create(&s->def, &s->world, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) s->position[k] = random_point(s);
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = s->position;
  require_ok(throng_agents_add(s->world, &agents, AGENTS, s->id, &error), &error);
  require_ok(throng_world_index(s->world, &error), &error);
}

/* Moves two agents and removes one, without a sort. */
static void displace(struct scene *s) {
  throng_error error;
  for (uint32_t k = 0; k < 2; k++) s->position[k] = random_point(s);
  require_ok(throng_agents_move(s->world, s->id, 2, s->position, NULL, &error), &error);
  require_ok(throng_agents_remove(s->world, &s->id[--s->count], 1, &error), &error);
  assert_true(throng_world_is_indexed(s->world));
}

static int nearer(const void *left, const void *right) {
  const throng_neighbour *a = left, *b = right;
  if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
  return a->id.index < b->id.index ? -1 : 1;
}

static void require_first(const struct scene *s, const char *what, double number, uint32_t wanted, uint32_t count) {
  bool same = count == wanted;
  for (uint32_t k = 0; same && k < count; k++) same = memcmp(&s->all[k], &s->found[k], sizeof s->all[k]) == 0;
  if (same) return;
  fail_msg("seed %" PRIu64 ", %s %a, %g units, R %g: %u results, expected %u", s->seed, what, number,
           (double)s->def.axes.units_per_metre, (double)s->def.perception_radius, count, wanted);
}

static void require_radius(struct scene *s, throng_vec3 centre, float radius) {
  throng_error error;
  uint32_t wanted = 0, count = 0;
  if (!(radius >= 0.0f)) return;
  while (wanted < s->count && s->all[wanted].distance <= radius) wanted++;
  require_ok(throng_world_query_radius(s->world, centre, radius, 1, s->found, AGENTS, &count, &error), &error);
  require_first(s, "radius", (double)radius, wanted, count);
  require_ok(throng_world_query_radius(s->world, centre, radius, 1, NULL, 0, &count, &error), &error);
  assert_int_equal(count, wanted);
  require_ok(throng_world_query_radius_batch(s->world, &centre, 1, radius, 1, s->found, AGENTS, &count, &error),
             &error);
  require_first(s, "batch of radius", (double)radius, wanted, count);
}

static void require_nearest(struct scene *s, throng_vec3 centre, uint32_t k) {
  throng_error error;
  uint32_t count = 0;
  require_ok(throng_world_query_nearest(s->world, centre, k, 1, s->found, &count, &error), &error);
  require_first(s, "nearest", (double)k, k, count);
  require_ok(throng_world_query_nearest_batch(s->world, &centre, 1, k, 1, s->found, &count, &error), &error);
  require_first(s, "batch of nearest", (double)k, k, count);
}

/* The distance in double precision, from the positions that the host reads. */
static double true_distance(const struct scene *s, throng_vec3 centre, throng_agent_id id) {
  static const throng_axis upright[3] = {THRONG_AXIS_X, THRONG_AXIS_Y, THRONG_AXIS_Z};
  throng_vec3 p;
  throng_error error;
  double sum = 0.0;
  require_ok(throng_agents_read(s->world, THRONG_COLUMN_POSITION, &id, 1, &p, 0, &error), &error);
  for (int k = 0; k < 3; k++) {
    if (s->def.space == THRONG_SPACE_PLANAR && upright[k] == s->def.axes.y % 3) continue;
    const double side = (double)number(&s->def.box_max, k) - (double)number(&s->def.box_min, k);
    double d = fabs((double)number(&p, k) - (double)number(&centre, k));
    if (s->def.boundary[k] == THRONG_BOUNDARY_PERIODIC && d > side / 2) d = side - d;
    sum += d * d;
  }
  return sqrt(sum);
}

static void look_around(struct scene *s) {
  throng_error error;
  uint32_t count = 0;
  const throng_vec3 centre = rng_chance(&s->rng, 0.3f) ? s->position[rng_below(&s->rng, s->count)] : random_point(s);
  require_ok(throng_world_query_radius(s->world, centre, HUGE_RADIUS, 1, s->all, AGENTS, &count, &error), &error);
  assert_int_equal(count, s->count);
  qsort(s->all, count, sizeof *s->all, nearer);
  const float far = fabsf(s->def.box_min.x) + fabsf(s->def.box_max.x);
  for (uint32_t k = 0; k < count; k += 17) {
    const double error_of = fabs((double)s->all[k].distance - true_distance(s, centre, s->all[k].id));
    assert_true(error_of <= 1e-6 * (double)far);
  }
  for (uint32_t k = 0; k < 24; k++) {
    const uint32_t at = k < 8 ? k : rng_below(&s->rng, s->count);
    const float radius = s->all[at].distance;
    require_radius(s, centre, radius);
    require_radius(s, centre, nextafterf(radius, -1.0f));
    require_radius(s, centre, nextafterf(radius, INFINITY));
    require_nearest(s, centre, at + 1);
  }
  require_radius(s, centre, 0.0f);
  require_radius(s, centre, 1e-40f);
  require_radius(s, centre, 1e-24f);
}

static void a_distance_as_the_radius_finds_its_agent(void **state) {
  (void)state;
  for (uint64_t seed = base_seed; seed < base_seed + 150; seed++) {
    struct scene *s = malloc(sizeof *s);
    if (!s) abort();
    open_scene(s, seed);
    look_around(s);
    look_around(s);
    displace(s);
    look_around(s);
    throng_world_destroy(s->world);
    free(s);
  }
}

/* The text of a wrong radius has the number that the host gave, and a radius of any size is allowed in each unit. */
static void radii_are_in_the_unit_of_the_host(void **state) {
  (void)state;
  struct scene s;
  throng_error error;
  uint32_t count;
  for (uint32_t k = 0; k < 7; k++) {
    s = (struct scene){.def = throng_default_world_def()};
    s.def.axes.units_per_metre = units[k];
    require_ok(throng_world_create(&s.def, &s.world, &error), &error);
    const throng_vec3 centre = {0, 0, 0};
    require_ok(throng_world_query_radius(s.world, centre, HUGE_RADIUS, 1, NULL, 0, &count, &error), &error);
    require_error(throng_world_query_radius(s.world, centre, -3.0f, 1, NULL, 0, &count, &error), THRONG_ERROR_BAD_VALUE,
                  &error);
    assert_non_null(strstr(error.text, "is -3,"));
    throng_world_destroy(s.world);
  }
}

int main(void) {
  base_seed = test_seed("test_query_edges", 8054);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_distance_as_the_radius_finds_its_agent),
      cmocka_unit_test(radii_are_in_the_unit_of_the_host),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
