/* tests/world/test_faces.c: positions at the faces of boxes whose length is not exactly a float. Tests that agents of a
 * box are strictly inside it, and that every position that an agent may have is allowed as the centre of a query.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define BOXES 1200u
#define AGENTS 6u

static uint64_t base_seed;

/* A box whose length, max - min, usually rounds. */
static throng_world_def random_box(test_rng *rng, throng_boundary boundary) {
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
  def.space = (throng_space)rng_below(rng, 2);
  throng_world_def_set_boundary(&def, boundary);
  def.perception_radius = ldexpf(rng_float(rng, 1.0f, 2.0f), (int)rng_below(rng, 7) - 3);
  const float least = 4.0f * def.perception_radius;
  float *low = &def.box_min.x, *high = &def.box_max.x;
  for (int c = 0; c < 3; c++) {
    const float side = least * ldexpf(rng_float(rng, 1.01f, 2.0f), (int)rng_below(rng, 18));
    const float nearer = side * ldexpf(rng_float(rng, 0.5f, 1.0f), -(int)rng_below(rng, 12)); /* the face nearer to 0 */
    const bool up = rng_chance(rng, 0.5f);
    low[c] = up ? nearer - side : -nearer;
    high[c] = up ? nearer : side - nearer;
  }
  return def;
}

static float first_inside(const throng_world_def *def, int c) {
  const float low = (&def->box_min.x)[c];
  return def->boundary[0] == THRONG_BOUNDARY_PERIODIC ? low : nextafterf(low, INFINITY);
}
static float last_inside(const throng_world_def *def, int c) { return nextafterf((&def->box_max.x)[c], -INFINITY); }

/* Writes random positions. Each coordinate is the first or the last float inside the box, or one between. */
static void random_positions(test_rng *rng, const throng_world_def *def, throng_vec3 position[AGENTS]) {
  for (uint32_t k = 0; k < AGENTS; k++) {
    for (int c = 0; c < 3; c++) {
      const float first = first_inside(def, c), last = last_inside(def, c);
      const float inside[3] = {first, last, first + (last - first) * rng_float(rng, 0.0f, 0.99f)};
      (&position[k].x)[c] = inside[rng_below(rng, 3)];
    }
  }
}

static throng_world *world_with(const throng_world_def *def, const throng_vec3 *position, uint32_t count,
                                throng_agent_id *id) {
  throng_world *world = NULL;
  throng_error error;
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = position;
  require_ok(throng_world_create(def, &world, &error), &error);
  require_ok(throng_agents_add(world, &agents, count, id, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  return world;
}

/* Whether `id` is among the results, at distance 0. */
static void require_found(const throng_neighbour *found, uint32_t count, throng_agent_id id, const char *what) {
  for (uint32_t n = 0; n < count; n++)
    if (throng_agent_id_equal(found[n].id, id) && found[n].distance == 0.0f) return;
  fail_msg("seed %" PRIu64 ", %s: %u results, without agent %u at distance 0", base_seed, what, count, id.index);
}

static void require_queries(throng_world *world, throng_vec3 centre, throng_agent_id id) {
  throng_neighbour found[AGENTS];
  uint32_t count = 0;
  throng_error error;
  require_ok(throng_world_query_radius(world, centre, 0.0f, THRONG_ALL_LAYERS, found, AGENTS, &count, &error), &error);
  require_found(found, count, id, "radius");
  require_ok(throng_world_query_nearest(world, centre, AGENTS, THRONG_ALL_LAYERS, found, &count, &error), &error);
  assert_int_equal(count, AGENTS);
  require_found(found, count, id, "nearest");
  require_ok(throng_world_query_radius_batch(world, &centre, 1, 0.0f, THRONG_ALL_LAYERS, found, AGENTS, &count, &error),
             &error);
  require_found(found, count, id, "batch");
  require_ok(throng_world_query_nearest_batch(world, &centre, 1, AGENTS, THRONG_ALL_LAYERS, found, &count, &error),
             &error);
  require_found(found, count, id, "nearest batch");
}

static void agents_may_ask_where_they_are(void **state) {
  (void)state;
  for (uint32_t b = 0; b < BOXES; b++) {
    test_rng rng = rng_from(base_seed + b);
    const throng_world_def def = random_box(&rng, b % 2 ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_PERIODIC);
    throng_vec3 position[AGENTS];
    throng_agent_id id[AGENTS];
    throng_error error;
    random_positions(&rng, &def, position);
    throng_world *world = world_with(&def, position, AGENTS, id);
    for (uint32_t k = 0; k < AGENTS; k++) {
      throng_vec3 at;
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, &id[k], 1, &at, 0, &error), &error);
      assert_memory_equal(&at, &position[k], sizeof at);
      require_queries(world, at, id[k]);
    }
    throng_world_destroy(world);
  }
}

/* The centre of a query may be on a face. In a periodic box the far face is the same place as the near face. */
static void centres_may_be_on_faces(void **state) {
  (void)state;
  for (uint32_t b = 0; b < BOXES; b++) {
    test_rng rng = rng_from(base_seed + BOXES + b);
    const throng_world_def def = random_box(&rng, b % 2 ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_PERIODIC);
    throng_vec3 position = {first_inside(&def, 0), first_inside(&def, 1), first_inside(&def, 2)}, centre;
    throng_agent_id id;
    throng_error error;
    throng_world *world = world_with(&def, &position, 1, &id);
    for (int c = 0; c < 3; c++) (&centre.x)[c] = (rng_chance(&rng, 0.5f) ? &def.box_min.x : &def.box_max.x)[c];
    throng_neighbour found;
    uint32_t count = 0;
    require_ok(throng_world_query_nearest(world, centre, 1, THRONG_ALL_LAYERS, &found, &count, &error), &error);
    assert_int_equal(count, 1);
    const float rounding = 1e-6f * (fabsf(def.box_min.x) + fabsf(def.box_max.x) + fabsf(def.box_min.y) +
                                    fabsf(def.box_max.y) + fabsf(def.box_min.z) + fabsf(def.box_max.z));
    if (def.boundary[0] == THRONG_BOUNDARY_PERIODIC && found.distance > rounding)
      fail_msg("seed %" PRIu64 ", box %u: an agent on the seam at distance %g", base_seed, b, (double)found.distance);
    require_ok(throng_world_query_radius(world, centre, found.distance, THRONG_ALL_LAYERS, &found, 1, &count, &error),
               &error);
    const float beyond = 1.01f * (def.box_max.x - def.box_min.x);
    centre.x = rng_chance(&rng, 0.5f) ? def.box_max.x + beyond : def.box_min.x - beyond;
    if (def.boundary[0] == THRONG_BOUNDARY_PERIODIC)
      require_error(throng_world_query_nearest(world, centre, 1, THRONG_ALL_LAYERS, &found, &count, &error),
                    THRONG_ERROR_OUT_OF_RANGE, &error);
    throng_world_destroy(world);
  }
}

/* Worlds in a host's axes. */

struct host {
  throng_axes axes;
  throng_world_def def;
  throng_world *world;
  throng_agent_id id[AGENTS];
};

static throng_axes random_axes(test_rng *rng) {
  const throng_axes all[4] = {throng_axes_own(), throng_axes_unity(), throng_axes_unreal(), throng_axes_godot()};
  throng_axes axes = all[rng_below(rng, 4)];
  if (rng_chance(rng, 0.7f))
    axes.units_per_metre = rng_pick(rng, (const float[]){100, 3.2808399f, 39.370079f, 0.3f}, 4);
  return axes;
}

/* A box in the host's axes: the faces are random, or one is 0, or the sides are whole numbers. */
static void host_box(test_rng *rng, struct host *h) {
  const throng_boundary boundary = rng_chance(rng, 0.7f) ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_PERIODIC;
  h->def = random_box(rng, boundary);
  h->axes = h->def.axes = random_axes(rng);
  const uint32_t kind = rng_below(rng, 3);
  for (int c = 0; c < 3; c++) {
    float *low = &(&h->def.box_min.x)[c], *high = &(&h->def.box_max.x)[c];
    const float side = (*high - *low) * h->axes.units_per_metre;
    *low *= h->axes.units_per_metre;
    *high *= h->axes.units_per_metre;
    if (kind == 1) *low = rng_chance(rng, 0.5f) ? 0.0f : -ceilf(side);
    if (kind == 1) *high = *low + ceilf(side);
    if (kind == 2) *low = ceilf(*low), *high = *low + ceilf(side);
  }
}

static void open_host(test_rng *rng, struct host *h) {
  throng_error error;
  throng_group_def g = throng_default_group_def();
  host_box(rng, h);
  g.max_speed = 1e6f;
  require_ok(throng_world_create(&h->def, &h->world, &error), &error);
  require_ok(throng_world_set_group(h->world, 0, &g, &error), &error);
}

static bool ignored(const struct host *h, int place) {
  const throng_axis up = h->axes.y;
  return h->def.space == THRONG_SPACE_PLANAR && (int)up % 3 == place;
}

/* Returns a coordinate of a random face of the box, in the host's axes. place: the axis. */
static float host_face(test_rng *rng, const struct host *h, int place) {
  return (rng_chance(rng, 0.5f) ? &h->def.box_min.x : &h->def.box_max.x)[place];
}

static throng_vec3 host_point(test_rng *rng, const struct host *h) {
  throng_vec3 p = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    const float low = (&h->def.box_min.x)[k], high = (&h->def.box_max.x)[k];
    float *value = &(&p.x)[k];
    *value = low + (high - low) * rng_float(rng, 0.01f, 0.99f);
    if (h->def.boundary[0] != THRONG_BOUNDARY_UNBOUNDED && rng_chance(rng, 0.4f)) *value = host_face(rng, h, k);
    if (ignored(h, k)) *value = 0.0f;
  }
  return p;
}

/* Checks that p is strictly inside the faces that the host gave, and inside those that throng_world_get_def returns. */
static void require_inside(const struct host *h, const throng_world *world, throng_vec3 p, const char *when) {
  const throng_world_def told = throng_world_get_def(world);
  for (int k = 0; k < 3; k++) {
    const float value = (&p.x)[k], low[2] = {(&h->def.box_min.x)[k], (&told.box_min.x)[k]};
    const float high[2] = {(&h->def.box_max.x)[k], (&told.box_max.x)[k]};
    if (ignored(h, k)) continue;
    const bool periodic = h->def.boundary[0] == THRONG_BOUNDARY_PERIODIC; /* box_min stands for both faces */
    for (int n = 0; n < 2; n++)
      if (periodic ? value < low[n] || value >= high[n] : value <= low[n] || value >= high[n])
        fail_msg("seed %" PRIu64 ", %s: axis %d at %a, box %a to %a, %a units", base_seed, when, k, (double)value,
                 (double)low[n], (double)high[n], (double)h->axes.units_per_metre);
  }
}

/* Checks that positions that the host has read are accepted as goals, as centres of queries, and as positions. */
static void require_accepted(struct host *h, const throng_vec3 *p) {
  throng_error error;
  throng_vec3 again[AGENTS];
  throng_neighbour found;
  uint32_t count = 0;
  require_ok(throng_agents_write(h->world, THRONG_COLUMN_GOAL, h->id, AGENTS, p, 0, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++)
    require_ok(throng_world_query_nearest(h->world, p[k], 1, THRONG_ALL_LAYERS, &found, &count, &error), &error);
  require_ok(throng_agents_write(h->world, THRONG_COLUMN_POSITION, h->id, AGENTS, p, 0, &error), &error);
  require_ok(throng_agents_read(h->world, THRONG_COLUMN_POSITION, h->id, AGENTS, again, 0, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) require_inside(h, h->world, again[k], "written back");
}

static void read_inside(struct host *h, throng_vec3 *p, const char *when) {
  throng_error error;
  require_ok(throng_agents_read(h->world, THRONG_COLUMN_POSITION, h->id, AGENTS, p, 0, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) require_inside(h, h->world, p[k], when);
}

static void positions_are_inside(void **state) {
  (void)state;
  for (uint32_t b = 0; b < BOXES; b++) {
    test_rng rng = rng_from(base_seed + 2 * BOXES + b);
    struct host h;
    throng_vec3 p[AGENTS], v[AGENTS];
    throng_error error;
    open_host(&rng, &h);
    const float speed = h.def.box_max.x - h.def.box_min.x;
    for (uint32_t k = 0; k < AGENTS; k++) {
      p[k] = host_point(&rng, &h);
      for (int c = 0; c < 3; c++) (&v[k].x)[c] = ignored(&h, c) ? 0.0f : rng_float(&rng, -speed, speed);
    }
    throng_agents_def agents = throng_default_agents_def();
    agents.position.data = p;
    agents.velocity.data = v;
    require_ok(throng_agents_add(h.world, &agents, AGENTS, h.id, &error), &error);
    read_inside(&h, p, "added");
    for (int frame = 0; frame < 4; frame++) {
      require_ok(throng_world_step(h.world, 0.25f, &error), &error);
      read_inside(&h, p, "stepped");
    }
    require_accepted(&h, p);
    for (uint32_t k = 0; k < AGENTS; k++) p[k] = host_point(&rng, &h);
    require_ok(throng_agents_write(h.world, THRONG_COLUMN_POSITION, h.id, AGENTS, p, 0, &error), &error);
    read_inside(&h, p, "written");
    throng_world_destroy(h.world);
  }
}

/* The box that throng_world_get_def returns is accepted for another world, and has the same faces in throng's axes as
 * the box that the host gave. */
static void boxes_are_told_as_they_were_given(void **state) {
  (void)state;
  for (uint32_t b = 0; b < BOXES; b++) {
    test_rng rng = rng_from(base_seed + 3 * BOXES + b);
    struct host h;
    throng_error error;
    throng_world *other = NULL;
    throng_vec3 inner[2], again[2];
    open_host(&rng, &h);
    const throng_world_def told = throng_world_get_def(h.world);
    require_ok(throng_world_create(&told, &other, &error), &error);
    require_ok(throng_axes_to_throng(&h.axes, &h.def.box_min, 1, &inner[0], &error), &error);
    require_ok(throng_axes_to_throng(&h.axes, &told.box_min, 1, &again[0], &error), &error);
    require_ok(throng_axes_to_throng(&h.axes, &h.def.box_max, 1, &inner[1], &error), &error);
    require_ok(throng_axes_to_throng(&h.axes, &told.box_max, 1, &again[1], &error), &error);
    for (int k = 0; k < 6; k++)
      if ((&inner[0].x)[k] != (&again[0].x)[k] && !(h.def.space == THRONG_SPACE_PLANAR && k % 3 == 1))
        fail_msg("seed %" PRIu64 ", box %u: face %d is %a, told %a", base_seed, b, k, (double)(&inner[0].x)[k],
                 (double)(&again[0].x)[k]);
    throng_world_destroy(other);
    throng_world_destroy(h.world);
  }
}

/* After a shift of origin, a face may lie between two floats of the host's axes. */
static void shifted_boxes_accept_their_faces(void **state) {
  (void)state;
  uint32_t shifted = 0;
  for (uint32_t b = 0; b < BOXES; b++) {
    test_rng rng = rng_from(base_seed + 6 * BOXES + b);
    struct host h;
    throng_error error;
    open_host(&rng, &h);
    const throng_vec3 wished = host_point(&rng, &h);
    if (h.def.boundary[0] == THRONG_BOUNDARY_BOX)
      shifted += throng_world_shift_origin(h.world, wished, NULL, &error) == THRONG_OK;
    h.def = throng_world_get_def(h.world);
    throng_vec3 p[AGENTS];
    for (uint32_t k = 0; k < AGENTS; k++) p[k] = host_point(&rng, &h);
    throng_agents_def agents = throng_default_agents_def();
    agents.position.data = p;
    require_ok(throng_agents_add(h.world, &agents, AGENTS, h.id, &error), &error);
    read_inside(&h, p, "shifted");
    require_ok(throng_world_step(h.world, 0.0f, &error), &error);
    read_inside(&h, p, "indexed");
    throng_world_destroy(h.world);
  }
  if (shifted < BOXES / 50) fail_msg("only %u boxes were shifted", shifted);
}

/* throng's own axes. */

static void beyond_a_face_is_outside(void **state) {
  (void)state;
  for (uint32_t b = 0; b < BOXES / 4; b++) {
    test_rng rng = rng_from(base_seed + 4 * BOXES + b);
    const throng_world_def def = random_box(&rng, b % 2 ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_PERIODIC);
    const bool periodic = def.boundary[0] == THRONG_BOUNDARY_PERIODIC;
    throng_vec3 p = {first_inside(&def, 0), first_inside(&def, 1), first_inside(&def, 2)};
    throng_agent_id id;
    throng_error error;
    throng_world *world = world_with(&def, &p, 1, &id);
    for (int c = 0; c < 3; c += def.space == THRONG_SPACE_SPATIAL ? 1 : 2) {
      for (int high = 0; high < 2; high++) {
        throng_vec3 q = p, at;
        const float face = high ? (&def.box_max.x)[c] : (&def.box_min.x)[c];
        (&q.x)[c] = nextafterf(face, high ? INFINITY : -INFINITY);
        require_error(throng_agents_write(world, THRONG_COLUMN_POSITION, &id, 1, &q, 0, &error),
                      THRONG_ERROR_OUT_OF_RANGE, &error);
        (&q.x)[c] = face;
        require_ok(throng_agents_write(world, THRONG_COLUMN_GOAL, &id, 1, &q, 0, &error), &error);
        require_ok(throng_agents_write(world, THRONG_COLUMN_POSITION, &id, 1, &q, 0, &error), &error);
        require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, &id, 1, &at, 0, &error), &error);
        assert_true((&at.x)[c] == (high && !periodic ? last_inside(&def, c) : first_inside(&def, c)));
        assert_true(throng_world_is_free(world, q, 0.0f));
      }
    }
    throng_world_destroy(world);
  }
}

/* The edit view writes the columns themselves. */
static void edited_positions_leave_the_faces(void **state) {
  (void)state;
  for (uint32_t b = 0; b < BOXES / 4; b++) {
    test_rng rng = rng_from(base_seed + 5 * BOXES + b);
    const throng_world_def def = random_box(&rng, b % 2 ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_PERIODIC);
    const bool periodic = b % 2 == 0;
    throng_vec3 position[AGENTS], at;
    throng_agent_id id[AGENTS];
    throng_error error;
    throng_edit edit;
    random_positions(&rng, &def, position);
    throng_world *world = world_with(&def, position, AGENTS, id);
    require_ok(throng_world_edit(world, &edit, &error), &error);
    for (uint32_t k = 0; k < AGENTS; k++) {
      edit.position_x[k] = (rng_chance(&rng, 0.5f) ? def.box_min : def.box_max).x;
      edit.position_z[k] = (rng_chance(&rng, 0.5f) ? def.box_min : def.box_max).z;
    }
    require_ok(throng_world_index(world, &error), &error);
    for (uint32_t k = 0; k < AGENTS; k++) {
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, &id[k], 1, &at, 0, &error), &error);
      assert_true(at.x == first_inside(&def, 0) || (!periodic && at.x == last_inside(&def, 0)));
      assert_true(at.z == first_inside(&def, 2) || (!periodic && at.z == last_inside(&def, 2)));
    }
    require_sound(world, "edited");
    throng_world_destroy(world);
  }
}

/* A face may be the border between a blocked cell inside and a free one outside, or the reverse. */
static void cells_count_where_the_agent_is(void **state) {
  (void)state;
  static const uint8_t blocked[6] = {0, 0, 1, 0, 0, 1};
  throng_world_def def = throng_default_world_def();
  throng_cells_def cells = throng_default_cells_def();
  throng_world *world = NULL;
  throng_error error;
  throng_agent_id id;
  throng_vec3 p = {1.5f, 0, 0.5f}, on_face[2] = {{3.0f, 0, 0.5f}, {5.0f, 0, 0.5f}};
  def.thread_count = 1;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_min = (throng_vec3){0, 0, 0};
  for (int k = 0; k < 2; k++) { /* at 3 the cell inside is blocked, the one outside free; at 5 the reverse */
    def.box_max = (throng_vec3){on_face[k].x, 1, 1};
    cells.width = 6;
    cells.height = 1;
    cells.blocked = blocked;
    throng_agents_def agents = throng_default_agents_def();
    agents.position.data = &p;
    require_ok(throng_world_create(&def, &world, &error), &error);
    require_ok(throng_world_set_cells(world, &cells, &error), &error);
    require_ok(throng_agents_add(world, &agents, 1, &id, &error), &error);
    assert_int_equal(throng_agents_write(world, THRONG_COLUMN_POSITION, &id, 1, &on_face[k], 0, &error),
                     k == 0 ? THRONG_ERROR_BLOCKED : THRONG_OK);
    assert_int_equal(throng_world_is_free(world, on_face[k], 0.0f), k == 1);
    require_ok(throng_world_index(world, &error), &error);
    throng_world_destroy(world);
  }
}

static void boxes_need_a_float_inside(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_world *world = NULL;
  throng_error error;
  def.thread_count = 1;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_min.x = 100.0f;
  def.box_max.x = nextafterf(100.0f, 200.0f);
  require_error(throng_world_create(&def, &world, &error), THRONG_ERROR_BAD_VALUE, &error);
  def.box_max.x = nextafterf(def.box_max.x, 200.0f);
  require_ok(throng_world_create(&def, &world, &error), &error);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_faces", 1459);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agents_may_ask_where_they_are),
      cmocka_unit_test(centres_may_be_on_faces),
      cmocka_unit_test(positions_are_inside),
      cmocka_unit_test(boxes_are_told_as_they_were_given),
      cmocka_unit_test(shifted_boxes_accept_their_faces),
      cmocka_unit_test(beyond_a_face_is_outside),
      cmocka_unit_test(edited_positions_leave_the_faces),
      cmocka_unit_test(cells_count_where_the_agent_is),
      cmocka_unit_test(boxes_need_a_float_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
