/* tests/scenery/test_box_cells.c: worlds whose box has the size of their map. Rounding may put a face a few floats
 * beyond the map's edge; agents must not pass a wall of blocked cells there.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORLDS 800u
#define LONGEST 200u

static uint64_t base_seed;

/* A map of `length` cells along one axis and 3 along the other. Its middle row, which runs along the first axis, is
 * blocked. */
struct strait {
  uint32_t length;
  bool along_z;
  float cell, origin, across; /* the origin along the first axis and along the other */
  float low, high;            /* the faces of the box along the first axis */
};

static float *along(const struct strait *s, throng_vec3 *v) { return s->along_z ? &v->z : &v->x; }
static float *across(const struct strait *s, throng_vec3 *v) { return s->along_z ? &v->x : &v->z; }

static float some_floats_up(float a, int floats) {
  for (; floats != 0; floats += floats > 0 ? -1 : 1) a = nextafterf(a, floats > 0 ? INFINITY : -INFINITY);
  return a;
}

/* Returns the far face of the box, by one of several formulas that a host may use. They round differently. */
static float far_face(test_rng *rng, const struct strait *s) {
  const float n = (float)s->length, exact = (float)((double)s->origin + (double)s->cell * s->length);
  switch (rng_below(rng, 4)) {
  case 0:
    return s->origin + s->cell * n;
  case 1:
    return s->cell * (s->origin / s->cell + n);
  case 2:
    return (s->origin + s->cell * (n * 0.5f)) + s->cell * (n * 0.5f);
  default:
    return some_floats_up(exact, (int)rng_below(rng, 3));
  }
}

static struct strait random_strait(test_rng *rng, float units) {
  struct strait s = {.length = 2 + rng_below(rng, LONGEST - 2), .along_z = rng_chance(rng, 0.5f)};
  s.cell = rng_chance(rng, 0.5f) ? 0.05f * (float)(1 + rng_below(rng, 40)) : rng_float(rng, 0.03f, 40.0f);
  s.cell *= units;
  s.origin = -s.cell * rng_float(rng, -0.5f, 1.5f) * (float)s.length;
  if (rng_chance(rng, 0.2f)) s.origin = -s.cell * (float)s.length; /* the far edge is at 0 */
  if (rng_chance(rng, 0.2f)) s.origin = 0.0f;
  if (rng_chance(rng, 0.2f)) s.origin += rng_chance(rng, 0.5f) ? 3000.0f * units : -3000.0f * units;
  s.across = rng_chance(rng, 0.5f) ? 0.0f : -17.3f * units;
  s.low = some_floats_up(s.origin, -(int)rng_below(rng, 3));
  s.high = far_face(rng, &s);
  return s;
}

static throng_world *strait_world(const struct strait *s, const throng_axes *axes) {
  static uint8_t blocked[3 * LONGEST];
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  throng_cells_def cells = throng_default_cells_def();
  throng_error error;
  def.thread_count = 1;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  if (axes) def.axes = *axes;
  *along(s, &def.box_min) = s->low;
  *along(s, &def.box_max) = s->high;
  *across(s, &def.box_min) = s->across;
  *across(s, &def.box_max) = s->across + 3.0f * s->cell;
  g.max_speed = INFINITY;
  cells.width = s->along_z ? 3 : s->length;
  cells.height = s->along_z ? s->length : 3;
  for (uint32_t k = 0; k < 3 * s->length; k++) blocked[k] = (s->along_z ? k % 3 : k / s->length) == 1;
  cells.blocked = blocked;
  cells.cell = s->cell;
  *along(s, &cells.origin) = s->origin;
  *across(s, &cells.origin) = s->across;
  throng_world *world = stage_world(&def, &g);
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  return world;
}

/* Moves an agent from the first row against the wall, at the place where the wall meets a face of the box. */
static void require_wall(const struct strait *s, throng_world *world, bool far, float moved, const char *what) {
  const float face = far ? s->high : s->low, to_face = far ? s->cell : -s->cell;
  throng_vec3 p = {0, 0, 0}, v = {0, 0, 0};
  throng_agent_id id;
  *along(s, &p) = face - 0.5f * to_face - moved;
  *across(s, &p) = s->across + 0.5f * s->cell;
  *along(s, &v) = 30.0f * to_face;
  *across(s, &v) = 30.0f * s->cell;
  stage_add(world, 1, &p, NULL, NULL, &id);
  for (int frame = 0; frame < 6; frame++) {
    throng_error error;
    require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, &id, 1, &v, 0, &error), &error);
    stage_step(world, frame < 3 ? 1.0f / 60.0f : 0.25f);
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, &id, 1, &p, 0, &error), &error);
    if (*across(s, &p) < s->across + 1.001f * s->cell) continue;
    fail_msg("seed %" PRIu64 ", %s: cells %u of %a from %a, box %a to %a: at %a, %a", base_seed, what, s->length,
             (double)s->cell, (double)s->origin, (double)s->low, (double)s->high, (double)p.x, (double)p.z);
  }
  throng_error error;
  require_ok(throng_agents_remove(world, &id, 1, &error), &error);
}

static void boxes_of_the_map_have_no_gap(void **state) {
  (void)state;
  for (uint32_t k = 0; k < WORLDS; k++) {
    test_rng rng = rng_from(base_seed + k);
    const struct strait s = random_strait(&rng, 1.0f);
    throng_world *world = strait_world(&s, NULL);
    require_wall(&s, world, true, 0.0f, "far face");
    require_wall(&s, world, false, 0.0f, "near face");
    throng_world_destroy(world);
  }
}

/* The same with a host's unit of length: the conversion to metres rounds the cells once more. */
static void nor_in_the_hosts_unit(void **state) {
  (void)state;
  for (uint32_t k = 0; k < WORLDS; k++) {
    test_rng rng = rng_from(base_seed + WORLDS + k);
    throng_axes axes = throng_axes_own();
    axes.units_per_metre = rng_pick(&rng, (const float[]){100.0f, 3.2808399f, 39.370079f, 0.3f}, 4);
    const struct strait s = random_strait(&rng, axes.units_per_metre);
    throng_world *world = strait_world(&s, &axes);
    require_wall(&s, world, true, 0.0f, "far face, host's unit");
    require_wall(&s, world, false, 0.0f, "near face, host's unit");
    throng_world_destroy(world);
  }
}

/* The same after a shift of origin, and after the load of a snapshot. */
static void nor_after_a_shift_or_a_load(void **state) {
  (void)state;
  uint32_t shifted = 0;
  for (uint32_t k = 0; k < WORLDS; k++) {
    test_rng rng = rng_from(base_seed + 2 * WORLDS + k);
    const struct strait s = random_strait(&rng, 1.0f);
    throng_world *world = strait_world(&s, NULL), *loaded = strait_world(&s, NULL);
    throng_vec3 wished = {0, 0, 0}, exact = {0, 0, 0};
    throng_error error;
    *along(&s, &wished) = 0.5f * s.origin;
    if (throng_world_shift_origin(world, wished, &exact, &error) == THRONG_OK && *along(&s, &exact) != 0.0f) shifted++;
    size_t size = 0;
    require_ok(throng_world_save_snapshot(world, NULL, 0, &size, &error), &error);
    void *bytes = malloc(size);
    if (bytes == NULL) abort();
    require_ok(throng_world_save_snapshot(world, bytes, size, &size, &error), &error);
    require_ok(throng_world_load_snapshot(loaded, bytes, size, &error), &error);
    for (int far = 0; far < 2; far++) {
      require_wall(&s, world, far, *along(&s, &exact), "shifted");
      require_wall(&s, loaded, far, *along(&s, &exact), "loaded");
    }
    free(bytes);
    throng_world_destroy(world);
    throng_world_destroy(loaded);
  }
  if (shifted < WORLDS / 20) fail_msg("only %u worlds were shifted", shifted);
}

int main(void) {
  base_seed = test_seed("test_box_cells", 17729);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_of_the_map_have_no_gap),
      cmocka_unit_test(nor_in_the_hosts_unit),
      cmocka_unit_test(nor_after_a_shift_or_a_load),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
