/* test_flock.c: tests of whole flocks: how far headings agree, how far apart neighbours stay, and how the field of view
 * changes the shape of a flock.
 * SPDX-License-Identifier: MIT */
#include "support/random.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_AGENTS 400u
#define TWO_PI 6.28318530717959f

typedef struct flock {
  throng_world *world;
  throng_world_def def;
  uint32_t count;
  throng_vec3 position[MOST_AGENTS], velocity[MOST_AGENTS];
} flock;

static throng_vec3 random_heading(test_rng *rng, bool spatial) {
  const float angle = rng_float(rng, 0.0f, TWO_PI), y = spatial ? rng_float(rng, -1.0f, 1.0f) : 0.0f;
  const float level = sqrtf(1.0f - y * y);
  return (throng_vec3){level * sinf(angle), y, level * cosf(angle)};
}

/* Creates a world with `count` agents in a square or cube of `side` metres, with random headings. */
static void flock_start(flock *f, const throng_world_def *def, const throng_group_def *g, uint32_t count, float side,
                        uint64_t seed) {
  test_rng rng = rng_from(seed);
  const bool spatial = def->space == THRONG_SPACE_SPATIAL;
  f->def = *def;
  f->count = count;
  f->world = stage_world(def, g);
  for (uint32_t i = 0; i < count; i++) {
    const float y = spatial ? rng_float(&rng, 0.0f, side) : 0.0f;
    f->position[i] = (throng_vec3){rng_float(&rng, 0.0f, side), y, rng_float(&rng, 0.0f, side)};
    f->velocity[i] = random_heading(&rng, spatial);
  }
  stage_add(f->world, count, f->position, f->velocity, NULL, NULL);
}

static void flock_run(flock *f, float seconds) {
  throng_error error;
  for (int frame = 0; (float)frame < seconds * 60.0f; frame++) stage_step(f->world, 1.0f / 60.0f);
  require_ok(throng_agents_read(f->world, THRONG_COLUMN_POSITION, NULL, f->count, f->position, 0, &error), &error);
  require_ok(throng_agents_read(f->world, THRONG_COLUMN_VELOCITY, NULL, f->count, f->velocity, 0, &error), &error);
}

static double distance(const flock *f, uint32_t i, uint32_t j) {
  const float *a = &f->position[i].x, *b = &f->position[j].x, *low = &f->def.box_min.x, *high = &f->def.box_max.x;
  double sum = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    double d = fabs((double)a[axis] - (double)b[axis]), side = (double)high[axis] - (double)low[axis];
    if (f->def.boundary[0] == THRONG_BOUNDARY_PERIODIC && d > side / 2) d = side - d;
    sum += d * d;
  }
  return sqrt(sum);
}

/* Returns the length of the mean heading: 1 if all headings are equal, near 0 if they are random. */
static double polarisation(const flock *f) {
  double sum[3] = {0};
  for (uint32_t i = 0; i < f->count; i++) {
    const double speed = stage_length(f->velocity[i]);
    const float *v = &f->velocity[i].x;
    for (int axis = 0; axis < 3 && speed > 0.0; axis++) sum[axis] += (double)v[axis] / speed;
  }
  return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / f->count;
}

static double mean_nearest(const flock *f) {
  double sum = 0.0;
  for (uint32_t i = 0; i < f->count; i++) {
    double nearest = INFINITY;
    for (uint32_t j = 0; j < f->count; j++)
      if (j != i) nearest = fmin(nearest, distance(f, i, j));
    sum += nearest;
  }
  return sum / f->count;
}

static void require_flock(const flock *f, uint64_t seed, double radius) {
  const double p = polarisation(f), nearest = mean_nearest(f);
  const bool good = p > 0.9 && (radius == 0.0 || fabs(nearest / radius - 1.0) < 0.1);
  if (!good) print_error("seed %" PRIu64 ": polarisation %.3f, nearest neighbours at %.3f m\n", seed, p, nearest);
  assert_true(good);
}

/* In a periodic world, agents of the default group turn from random headings to a common one. */
static void the_default_group_flocks(void **state) {
  (void)state;
  const throng_group_def g = throng_default_group_def();
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.perception_radius = 3.0f;
  def.box_max = (throng_vec3){12, 12, 12};
  for (uint64_t seed = 1; seed <= 5; seed++) {
    flock f;
    flock_start(&f, &def, &g, 300, 12.0f, seed);
    assert_true(polarisation(&f) < 0.3);
    flock_run(&f, 30.0f);
    require_flock(&f, seed, 0.0);
    throng_world_destroy(f.world);
  }
}

/* Returns a group in which separation is stronger than alignment, and alignment stronger than cohesion, so that nearest
 * neighbours keep the separation radius. */
static throng_group_def spaced_group(float radius) {
  throng_group_def g = throng_default_group_def();
  g.separation.weight = 2.0f;
  g.separation.strength = 3.0f;
  g.separation.radius = radius;
  g.cohesion.weight = 0.3f;
  g.alignment.weight = 0.5f;
  return g;
}

static void neighbours_keep_the_separation_radius(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    const float radius = space ? 1.0f : 0.8f, side = space ? 10.0f : 14.0f;
    const throng_group_def g = spaced_group(radius);
    throng_world_def def = throng_default_world_def();
    def.space = (throng_space)space;
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
    def.perception_radius = space ? 2.5f : 3.0f;
    def.box_max = (throng_vec3){side, side, side};
    for (uint64_t seed = 1; seed <= 3; seed++) {
      flock f;
      flock_start(&f, &def, &g, space ? 400 : 300, side, seed);
      flock_run(&f, 90.0f);
      require_flock(&f, seed, (double)radius);
      throng_world_destroy(f.world);
    }
  }
}

/* Numbers the pieces of a flock. Two agents are in the same piece if a chain of agents at most `reach` apart connects
 * them. Returns the number of pieces. */
static uint32_t find_pieces(const flock *f, double reach, uint32_t piece[MOST_AGENTS]) {
  uint32_t pieces = 0, stack[MOST_AGENTS];
  for (uint32_t i = 0; i < f->count; i++) piece[i] = UINT32_MAX;
  for (uint32_t i = 0; i < f->count; i++) {
    if (piece[i] != UINT32_MAX) continue;
    uint32_t depth = 0;
    stack[depth++] = i;
    piece[i] = pieces;
    while (depth > 0) {
      const uint32_t at = stack[--depth];
      for (uint32_t j = 0; j < f->count; j++) {
        if (piece[j] != UINT32_MAX || distance(f, at, j) > reach) continue;
        piece[j] = pieces;
        stack[depth++] = j;
      }
    }
    pieces++;
  }
  return pieces;
}

/* Returns length / width of the largest piece, from the eigenvalues of its covariance; at most 20. */
static double elongation(const flock *f, const uint32_t piece[MOST_AGENTS]) {
  uint32_t size[MOST_AGENTS] = {0}, largest = 0;
  for (uint32_t i = 0; i < f->count; i++) size[piece[i]]++;
  for (uint32_t k = 0; k < f->count; k++) largest = size[k] > size[largest] ? k : largest;
  double x = 0, z = 0, xx = 0, xz = 0, zz = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    if (piece[i] != largest) continue;
    x += (double)f->position[i].x / size[largest];
    z += (double)f->position[i].z / size[largest];
  }
  for (uint32_t i = 0; i < f->count; i++) {
    if (piece[i] != largest) continue;
    const double dx = (double)f->position[i].x - x, dz = (double)f->position[i].z - z;
    xx += dx * dx, xz += dx * dz, zz += dz * dz;
  }
  const double trace = xx + zz, spread = sqrt((xx - zz) * (xx - zz) + 4 * xz * xz);
  return trace - spread <= (trace + spread) / 400.0 ? 20.0 : sqrt((trace + spread) / (trace - spread));
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static double median_of_ten(double values[10]) {
  qsort(values, 10, sizeof *values, compare);
  return 0.5 * (values[4] + values[5]);
}

typedef struct formation {
  double elongation, pieces, nearest; /* medians over ten flocks of 20 */
} formation;

/* Returns a group of boids as in Bourg & Seemann: a constant thrust ahead, and steering at right angles to the
 * facing. */
static throng_group_def lateral_group(void) {
  throng_group_def g = spaced_group(0.8f);
  g.cohesion.form = THRONG_COHESION_LATERAL;
  g.alignment.form = THRONG_ALIGNMENT_LATERAL;
  throng_behaviour *ahead = throng_group_def_add(&g, THRONG_BEHAVIOUR_WANDER);
  ahead->wander.radius = 0.0f;
  ahead->weight = 0.5f;
  return g;
}

static formation formation_of(const throng_group_def *group, float field_of_view, float perception_radius) {
  throng_group_def g = *group;
  throng_world_def def = throng_default_world_def();
  double shape[10], pieces[10], nearest[10];
  def.perception_radius = 4.0f;
  g.perception_radius = perception_radius;
  g.field_of_view = field_of_view; /* not that of separation, which is a full circle */
  g.alignment.time_to_target = 0.5f;
  for (uint32_t k = 0; k < 10; k++) {
    flock f;
    uint32_t piece[MOST_AGENTS];
    flock_start(&f, &def, &g, 20, 4.0f, 100 + k);
    flock_run(&f, 60.0f);
    pieces[k] = find_pieces(&f, (double)perception_radius, piece);
    shape[k] = elongation(&f, piece);
    nearest[k] = mean_nearest(&f);
    throng_world_destroy(f.world);
  }
  return (formation){median_of_ten(shape), median_of_ten(pieces), median_of_ten(nearest)};
}

/* Checks that flocks are round with a wide view, longer with a limited view, and longest with a narrow one. */
static void require_views_shape(const char *form, const throng_group_def *g) {
  const formation wide = formation_of(g, THRONG_VIEW_WIDE, 4.0f), limited = formation_of(g, THRONG_VIEW_LIMITED, 4.0f),
                  narrow = formation_of(g, THRONG_VIEW_NARROWEST, 4.0f),
                  small = formation_of(g, THRONG_VIEW_WIDE, 1.2f);
  print_message("%s: elongation: wide %.2f, limited %.2f, narrow %.2f; pieces %.1f, %.1f, %.1f; small radius %.1f; "
                "nearest %.2f m\n",
                form, wide.elongation, limited.elongation, narrow.elongation, wide.pieces, limited.pieces,
                narrow.pieces, small.pieces, narrow.nearest);
  assert_true(wide.elongation < limited.elongation && limited.elongation < narrow.elongation);
  assert_true(narrow.elongation > 3.0 * wide.elongation);
  assert_true(narrow.nearest > 0.7); /* narrow views keep the separation radius, too */
  assert_true(small.pieces > wide.pieces);
}

static void fields_of_view_shape_the_flock(void **state) {
  (void)state;
  const throng_group_def blended = spaced_group(0.8f), lateral = lateral_group();
  throng_group_def boids = lateral; /* every rule of Bourg & Seemann */
  boids.separation.form = THRONG_SEPARATION_LATERAL;
  require_views_shape("blended", &blended);
  require_views_shape("lateral", &lateral);
  require_views_shape("boids", &boids);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_default_group_flocks),
      cmocka_unit_test(neighbours_keep_the_separation_radius),
      cmocka_unit_test(fields_of_view_shape_the_flock),
  };
  return cmocka_run_group_tests_name("flock", tests, NULL, NULL);
}
