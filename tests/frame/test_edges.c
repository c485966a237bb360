/* test_edges.c: tests of rare cases of rounding, growth and the order of calls.
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <throng/throng.h>

#include "reference/reference_a.h"

static throng_world *world_of(const throng_world_def *def) {
  throng_world *world = NULL;
  throng_error error;
  if (throng_world_create(def, &world, &error) != THRONG_OK) fail_msg("%s", error.text);
  return world;
}

static throng_world_def box_def(throng_boundary boundary, float side) {
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, boundary);
  def.box_max = (throng_vec3){side, side, side};
  def.thread_count = 1;
  return def;
}

static throng_status add_one(throng_world *world, const float position[3], const float velocity[3],
                             throng_agent_id *id) {
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = position;
  agents.velocity.data = velocity;
  throng_error error;
  return throng_agents_add(world, &agents, 1, id, &error);
}

static void set_free_group(throng_world *world, float max_speed) {
  throng_group_def group = throng_default_group_def();
  group.max_speed = max_speed;
  group.separation.weight = group.cohesion.weight = group.alignment.weight = 0.0f;
  assert_int_equal(throng_world_set_group(world, 0, &group, NULL), THRONG_OK);
}

/* If an agent moves very far in one frame of a periodic world, it is inside the box afterwards, or the frame fails and
 * changes nothing. */
static void leaps_in_a_periodic_world(void **state) {
  (void)state;
  const throng_world_def def = box_def(THRONG_BOUNDARY_PERIODIC, 100.0f);
  for (float speed = 1.0f; speed < 1e18f; speed *= 3.7f) {
    throng_world *world = world_of(&def);
    set_free_group(world, INFINITY);
    throng_agent_id id;
    assert_int_equal(add_one(world, (const float[3]){13.7f, 0, 50}, (const float[3]){speed, 0, -speed}, &id),
                     THRONG_OK);
    const uint64_t before = throng_world_hash(world, 0);
    throng_error error;
    const throng_status status = throng_world_step(world, 1.0f, &error);
    float p[3];
    assert_int_equal(throng_agents_read(world, THRONG_COLUMN_POSITION, &id, 1, p, 0, NULL), THRONG_OK);
    if (status == THRONG_OK) {
      assert_true(p[0] >= 0.0f && p[0] < 100.0f && p[2] >= 0.0f && p[2] < 100.0f);
    } else {
      assert_int_equal(status, THRONG_ERROR_OUT_OF_RANGE);
      assert_int_equal(error.agent.index, id.index);
      assert_true(throng_world_hash(world, 0) == before);
    }
    throng_world_destroy(world);
  }
}

/* A wall of scenery cells across a box of the map's size has no gap at the box's far face, however the size rounds. */
static void no_gap_along_the_far_edge(void **state) {
  (void)state;
  for (uint32_t cells = 3; cells < 40; cells++) {
    for (int k = 0; k < 4; k++) {
      const float cell = (const float[]){0.1f, 0.3f, 0.7f, 1.1f}[k], side = (float)cells * cell;
      uint8_t blocked[40 * 40] = {0};
      memset(blocked + cells, 1, cells); /* the second row is a wall from face to face */
      throng_cells_def wall = throng_default_cells_def();
      wall.width = wall.height = cells;
      wall.cell = cell;
      wall.blocked = blocked;
      const throng_world_def def = box_def(THRONG_BOUNDARY_BOX, side);
      throng_world *world = world_of(&def);
      assert_int_equal(throng_world_set_cells(world, &wall, NULL), THRONG_OK);
      set_free_group(world, INFINITY);
      throng_agent_id id;
      assert_int_equal(add_one(world, (const float[3]){side, 0, 0.5f * cell}, (const float[3]){0.2f, 0, cell}, &id),
                       THRONG_OK);
      for (int frame = 0; frame < 6; frame++) assert_int_equal(throng_world_step(world, 0.5f, NULL), THRONG_OK);
      float p[3];
      assert_int_equal(throng_agents_read(world, THRONG_COLUMN_POSITION, &id, 1, p, 0, NULL), THRONG_OK);
      assert_true(p[2] < cell);
      throng_world_destroy(world);
    }
  }
}

/* A periodic world may have a side of exactly 4 R, for any R. Its agents have neighbours across the seam. */
static void sides_of_four_radii(void **state) {
  (void)state;
  for (int r = 1; r < 200; r++) {
    throng_world_def def = box_def(THRONG_BOUNDARY_PERIODIC, 4.0f * (float)r);
    def.perception_radius = (float)r;
    throng_world *world = world_of(&def);
    throng_group_def group = throng_default_group_def();
    group.cohesion.weight = 0.0f; /* it would cancel the separation */
    assert_int_equal(throng_world_set_group(world, 0, &group, NULL), THRONG_OK);
    const float side = 4.0f * (float)r, near = 0.01f * (float)r;
    assert_int_equal(add_one(world, (const float[3]){near, 0, near}, (const float[3]){0, 0, 0}, NULL), THRONG_OK);
    assert_int_equal(add_one(world, (const float[3]){side - near, 0, side - near}, (const float[3]){0, 0, 0}, NULL),
                     THRONG_OK);
    assert_int_equal(throng_world_steer(world, 0.1f, NULL), THRONG_OK);
    float a[2][3];
    assert_int_equal(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, NULL, 2, a, 0, NULL), THRONG_OK);
    for (int c = 0; c < 3; c += 2) { /* separation: the nearest image of the second agent is at (-near, -near) */
      assert_true(a[0][c] > 1.0f && fabsf(a[0][c] + a[1][c]) < 1e-3f);
    }
    throng_world_destroy(world);
  }
}

/* A removed id stays invalid, also after the host has added an agent with its index and a lower generation. */
static void stale_ids_stay_stale(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_world *world = world_of(&def);
  const float p[3] = {1, 0, 1};
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = p;
  const throng_agent_id third = {1, 3, 0}, second = {1, 2, 0};
  assert_int_equal(throng_agents_add_with_ids(world, &agents, 1, &third, NULL), THRONG_OK);
  assert_int_equal(throng_agents_remove(world, &third, 1, NULL), THRONG_OK);
  assert_int_equal(throng_agents_add_with_ids(world, &agents, 1, &second, NULL), THRONG_OK);
  assert_int_equal(throng_agents_remove(world, &second, 1, NULL), THRONG_OK);
  throng_agent_id plain;
  assert_int_equal(throng_agents_add(world, &agents, 1, &plain, NULL), THRONG_OK);
  assert_int_equal(plain.index, 1);
  assert_int_equal(plain.generation, 4);
  assert_false(throng_agents_is_valid(world, third));
  throng_world_destroy(world);
}

/* throng_agents_reserve keeps the accelerations of throng_world_steer. An integrate or a step ends them; an integrate
 * that fails does not. */
static void room_between_the_halves(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_world *world = world_of(&def);
  assert_int_equal(add_one(world, (const float[3]){0, 0, 0}, (const float[3]){1, 0, 0}, NULL), THRONG_OK);
  assert_int_equal(add_one(world, (const float[3]){0.5f, 0, 0}, (const float[3]){0, 0, 0}, NULL), THRONG_OK);
  assert_int_equal(throng_world_steer(world, 0.1f, NULL), THRONG_OK);
  const uint64_t column = THRONG_BIT(THRONG_COLUMN_ACCELERATION);
  const uint64_t before = throng_world_hash(world, column);
  assert_int_equal(throng_agents_reserve(world, 5000, NULL), THRONG_OK);
  assert_true(throng_world_hash(world, column) == before);
  assert_int_equal(throng_world_integrate(world, 0.1f, NULL), THRONG_OK);
  assert_true(throng_world_hash(world, column) != before); /* after the frame they are hashed as 0 */

  assert_int_equal(throng_world_steer(world, 0.1f, NULL), THRONG_OK);
  throng_edit edit;
  assert_int_equal(throng_world_edit_accelerations(world, &edit, NULL), THRONG_OK);
  edit.acceleration_x[0] = INFINITY;
  assert_int_equal(throng_world_integrate(world, 0.1f, NULL), THRONG_ERROR_NOT_FINITE);
  assert_int_equal(throng_world_step(world, 0.1f, NULL), THRONG_OK);
  assert_int_equal(throng_world_integrate(world, 0.1f, NULL), THRONG_ERROR_NOT_STEERED);
  throng_world_destroy(world);
}

/* A velocity whose square overflows is refused, because max_speed could not limit it. */
static void speeds_beyond_floats(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_world *world = world_of(&def);
  const float zero[3] = {0, 0, 0};
  assert_int_equal(add_one(world, zero, (const float[3]){1e25f, 0, 0}, NULL), THRONG_ERROR_BAD_VALUE);
  assert_int_equal(add_one(world, zero, (const float[3]){1e17f, 0, 0}, NULL), THRONG_OK);
  assert_int_equal(throng_world_step(world, 0.1f, NULL), THRONG_OK);
  float v[3];
  assert_int_equal(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, 1, v, 0, NULL), THRONG_OK);
  assert_true(fabsf(v[0] - 1.5f) < 1e-6f);
  throng_world_destroy(world);
}

/* If one agent has radii of its own, the others keep their group's: the same bits as if the host had written the
 * group's radii to each of them. */
static void own_radii_of_some(void **state) {
  (void)state;
  uint64_t hash[2];
  for (int everybody = 0; everybody < 2; everybody++) {
    const throng_world_def def = box_def(THRONG_BOUNDARY_BOX, 4.0f);
    throng_world *world = world_of(&def);
    throng_group_def group = throng_default_group_def();
    group.perception_radius = 0.75f;
    group.avoidance.weight = 1.0f;
    assert_int_equal(throng_world_set_group(world, 0, &group, NULL), THRONG_OK);
    throng_agent_id id[40];
    for (int k = 0; k < 40; k++) {
      const float p[3] = {0.1f * (float)k, 0, 0.3f * (float)(k % 7)}, v[3] = {k % 2 ? 1.0f : -1.0f, 0, 0.5f};
      assert_int_equal(add_one(world, p, v, &id[k]), THRONG_OK);
    }
    for (int k = 0; k < (everybody ? 40 : 1); k++) {
      const float perception = k ? group.perception_radius : 0.5f, body = k ? group.body_radius : 0.1f;
      assert_int_equal(throng_agents_write(world, THRONG_COLUMN_PERCEPTION_RADIUS, &id[k], 1, &perception, 0, NULL),
                       THRONG_OK);
      assert_int_equal(throng_agents_write(world, THRONG_COLUMN_BODY_RADIUS, &id[k], 1, &body, 0, NULL), THRONG_OK);
    }
    for (int frame = 0; frame < 10; frame++) assert_int_equal(throng_world_step(world, 0.02f, NULL), THRONG_OK);
    hash[everybody] = throng_world_hash(world, 0);
    throng_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}

/* Two overlapping bodies at rest are threats to each other, also if the squares of their radii underflow. 1e9 m is the
 * largest radius. */
static void bodies_of_any_size(void **state) {
  (void)state;
  const float radii[] = {1e-30f, 1e-10f, 0.1f, 1e9f};
  for (size_t k = 0; k < sizeof radii / sizeof radii[0]; k++)
    for (int coincident = 0; coincident < 2; coincident++) {
      if (!coincident && radii[k] < 0.1f) continue;
      const throng_world_def def = box_def(THRONG_BOUNDARY_BOX, 10.0f);
      throng_world *world = world_of(&def);
      throng_group_def group = throng_default_group_def();
      group.separation.weight = group.cohesion.weight = group.alignment.weight = 0.0f;
      group.avoidance.weight = 1.0f;
      assert_int_equal(throng_world_set_group(world, 0, &group, NULL), THRONG_OK);
      for (int agent = 0; agent < 2; agent++) {
        const float p[3] = {5.0f + (coincident ? 0.0f : 0.15f * (float)agent), 0, 5}, v[3] = {0, 0, 0};
        throng_agent_id id;
        assert_int_equal(add_one(world, p, v, &id), THRONG_OK);
        assert_int_equal(throng_agents_write(world, THRONG_COLUMN_BODY_RADIUS, &id, 1, &radii[k], 0, NULL), THRONG_OK);
      }
      throng_error error;
      float a[2][3];
      if (throng_world_steer(world, 0.02f, &error) != THRONG_OK) fail_msg("%s", error.text);
      assert_int_equal(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, NULL, 2, a[0], 0, NULL), THRONG_OK);
      if (a[0][0] == 0.0f && a[0][2] == 0.0f)
        fail_msg("body radius %g: no acceleration by avoidance", (double)radii[k]);
      throng_world_destroy(world);
    }
}

/* The reciprocal of a separation radius may overflow: all instruction sets give the same bits. */
static void tiny_separation_radii(void **state) {
  (void)state;
  enum { AGENTS = 33 };
  uint64_t expected = 0;
  for (int isa = THRONG_ISA_AUTO; isa < THRONG_ISA_COUNT; isa++) {
    if (!throng_isa_is_available((throng_isa)isa)) continue;
    throng_world_def def = box_def(THRONG_BOUNDARY_BOX, 4.0f);
    def.isa = (throng_isa)isa;
    def.separation_law = THRONG_SEPARATION_LINEAR;
    throng_world *world = world_of(&def);
    throng_group_def group = throng_default_group_def();
    group.separation.radius = 1e-39f;
    assert_int_equal(throng_world_set_group(world, 0, &group, NULL), THRONG_OK);
    throng_agent_id id[AGENTS];
    for (int k = 0; k < AGENTS; k++) {
      const int at = k < 30 ? k : 7; /* agents 30 to 32 have the position of agent 7 */
      const float p[3] = {0.13f * (float)at, 0, 0.31f * (float)(at % 9)}, v[3] = {0.5f, 0, at % 2 ? 1.0f : -1.0f};
      assert_int_equal(add_one(world, p, v, &id[k]), THRONG_OK);
    }
    throng_error error;
    for (int frame = 0; frame < 10; frame++)
      if (throng_world_step(world, 0.02f, &error) != THRONG_OK) fail_msg("%s", error.text);
    const uint64_t hash = throng_world_hash(world, 0);
    if (expected == 0) expected = hash;
    assert_true(hash == expected);
    float a[3], b[3];
    assert_int_equal(throng_agents_read(world, THRONG_COLUMN_POSITION, &id[31], 1, a, 0, NULL), THRONG_OK);
    assert_int_equal(throng_agents_read(world, THRONG_COLUMN_POSITION, &id[32], 1, b, 0, NULL), THRONG_OK);
    assert_true(fabsf(a[0] - b[0]) + fabsf(a[2] - b[2]) > 1e-4f); /* they have been pushed apart */
    throng_world_destroy(world);
  }
}

/* Two coincident agents are pushed apart with max_acceleration, even if the square of the push overflows before it is
 * clipped. It overflows here, because the lattice points of these two ids are very close to each other. */
static void strong_separation_on_one_spot(void **state) {
  (void)state;
  enum { AGENTS = 15493, ONE = 9370, OTHER = AGENTS };
  const float strength = 1e9f, unit = 1e-6f * 0x1p-16f;
  const uint32_t h = ref_a_mix(ONE), other = ref_a_mix(OTHER);
  const float dx = unit * ((float)(other & 0xFFFF) - (float)(h & 0xFFFF)),
              dz = unit * ((float)(other >> 16) - (float)(h >> 16));
  assert_true(strength / sqrtf(dx * dx + dz * dz) > 0x1p64f);
  static float p[AGENTS][3];
  for (int k = 0; k < AGENTS; k++) p[k][0] = 3.0f * (float)(k % 128), p[k][2] = 3.0f * (float)(k / 128);
  memcpy(p[OTHER - 1], p[ONE - 1], sizeof p[0]);
  for (int isa = THRONG_ISA_AUTO; isa < THRONG_ISA_COUNT; isa++) {
    if (!throng_isa_is_available((throng_isa)isa)) continue;
    throng_world_def def = throng_default_world_def();
    def.isa = (throng_isa)isa;
    throng_world *world = world_of(&def);
    throng_group_def group = throng_default_group_def();
    group.separation.strength = strength;
    group.cohesion.weight = group.alignment.weight = 0.0f;
    assert_int_equal(throng_world_set_group(world, 0, &group, NULL), THRONG_OK);
    throng_agents_def all = throng_default_agents_def();
    all.position.data = p;
    static throng_agent_id id[AGENTS];
    assert_int_equal(throng_agents_add(world, &all, AGENTS, id, NULL), THRONG_OK);
    assert_true(id[ONE - 1].index == ONE && id[OTHER - 1].index == OTHER);
    assert_int_equal(throng_world_steer(world, 0.1f, NULL), THRONG_OK);
    float a[2][3];
    const throng_agent_id pair[2] = {id[ONE - 1], id[OTHER - 1]};
    assert_int_equal(throng_agents_read(world, THRONG_COLUMN_ACCELERATION, pair, 2, a, 0, NULL), THRONG_OK);
    assert_true(fabsf(hypotf(a[0][0], a[0][2]) - group.max_acceleration) < 1e-5f);
    assert_true(a[0][0] * dx < 0.0f && a[0][2] * dz < 0.0f && a[0][0] == -a[1][0] && a[0][2] == -a[1][2]);
    throng_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaps_in_a_periodic_world), cmocka_unit_test(no_gap_along_the_far_edge),
      cmocka_unit_test(sides_of_four_radii),       cmocka_unit_test(stale_ids_stay_stale),
      cmocka_unit_test(room_between_the_halves),   cmocka_unit_test(speeds_beyond_floats),
      cmocka_unit_test(own_radii_of_some),         cmocka_unit_test(bodies_of_any_size),
      cmocka_unit_test(tiny_separation_radii),     cmocka_unit_test(strong_separation_on_one_spot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
