/* tests/agents/test_instances.c: instances against the facings and positions that throng_agents_read gives, in double
 * precision: all forms, both spaces, host axes, both orders, strides, and refused definitions.
 * SPDX-License-Identifier: MIT */
#include "support/random.h"
#include "support/stage.h"

#include <throng/instances.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint64_t base_seed;

#define AGENTS 600u
#define STRIDE 80u

/* What throng_agents_read gives, by ascending id index. */
static throng_vec3 position[AGENTS], facing[AGENTS];
static float yaw[AGENTS];
static unsigned char written[AGENTS][STRIDE];

static void vector(throng_vec3 v, double to[3]) {
  to[0] = (double)v.x;
  to[1] = (double)v.y;
  to[2] = (double)v.z;
}

/* A direction of throng's in the host's axes. */
static void in_host_axes(const throng_world *world, double x, double y, double z, double host[3]) {
  const throng_axes axes = throng_world_get_def(world).axes;
  const throng_axis all[3] = {axes.x, axes.y, axes.z};
  const double own[3] = {x, y, z};
  for (int c = 0; c < 3; c++) host[all[c] % 3] = all[c] >= THRONG_AXIS_MINUS_X ? -own[c] : own[c];
}
static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static void cross(const double a[3], const double b[3], double to[3]) {
  for (int c = 0; c < 3; c++) to[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}
static void times(const double m[3][3], const double v[3], double to[3]) {
  for (int c = 0; c < 3; c++) to[c] = dot(m[c], v);
}
static void near_to(const double a[3], const double b[3], double tolerance) {
  for (int c = 0; c < 3; c++) {
    if (fabs(a[c] - b[c]) <= tolerance) continue;
    fail_msg("(%g, %g, %g), expected (%g, %g, %g)", a[0], a[1], a[2], b[0], b[1], b[2]);
  }
}

/* Where the agent looks, in the host's axes: from its facing, or from its yaw about the host's vertical axis. */
static void ahead_of(const throng_world *world, uint32_t k, double ahead[3]) {
  double up[3], rest[3], side[3];
  if (throng_world_get_def(world).space == THRONG_SPACE_SPATIAL) {
    vector(facing[k], ahead);
    return;
  }
  in_host_axes(world, 0, 1, 0, up);
  in_host_axes(world, 0, 0, 1, rest);
  for (int c = 0; c < 3; c++) up[c] = fabs(up[c]); /* the positive direction of the host's axis */
  cross(up, rest, side);
  for (int c = 0; c < 3; c++) ahead[c] = cos((double)yaw[k]) * rest[c] + sin((double)yaw[k]) * side[c];
}

/* The rotation of an instance; returns the floats before it. */
static void rotation_of(const float *it, throng_instance_form form, double m[3][3]) {
  const bool columns = form == THRONG_INSTANCE_COLUMNS_4X4;
  if (form != THRONG_INSTANCE_POSITION_ROTATION) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) m[i][j] = (double)(columns ? it[4 * j + i] : it[4 * i + j]);
    return;
  }
  const double x = (double)it[3], y = (double)it[4], z = (double)it[5], w = (double)it[6];
  const double of[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                           {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                           {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  assert_true(fabs(x * x + y * y + z * z + w * w - 1) < 1e-6 && w >= 0);
  memcpy(m, of, sizeof of);
}

/* The rotation is a proper one, turns the model ahead, and keeps its right side horizontal. */
static void check_rotation(const throng_world *world, uint32_t k, double m[3][3], double scale) {
  double rest[3], right[3], up[3], to[3], ahead[3], third[3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) m[i][j] /= scale;
  in_host_axes(world, 0, 0, 1, rest);
  in_host_axes(world, 1, 0, 0, right);
  in_host_axes(world, 0, 1, 0, up);
  ahead_of(world, k, ahead);
  times((const double(*)[3])m, rest, to);
  near_to(to, ahead, 2e-6);
  times((const double(*)[3])m, right, to);
  assert_true(fabs(dot(to, up)) < 2e-6 && fabs(dot(to, to) - 1) < 4e-6 && fabs(dot(to, ahead)) < 4e-6);
  times((const double(*)[3])m, up, to);
  assert_true(dot(to, up) > -2e-6 && fabs(dot(to, to) - 1) < 4e-6);
  cross(m[0], m[1], third);
  near_to(third, m[2], 4e-6);
}

static void check_position(const float *it, throng_instance_form form, throng_vec3 offset, uint32_t k) {
  float at[3] = {it[0], it[1], it[2]};
  const float expected[3] = {position[k].x + offset.x, position[k].y + offset.y, position[k].z + offset.z};
  if (form == THRONG_INSTANCE_COLUMNS_4X4) {
    memcpy(at, it + 12, sizeof at);
    assert_true(it[3] == 0.0f && it[7] == 0.0f && it[11] == 0.0f && it[15] == 1.0f);
  } else if (form >= THRONG_INSTANCE_ROWS_3X4) {
    for (int c = 0; c < 3; c++) at[c] = it[4 * c + 3];
    if (form == THRONG_INSTANCE_ROWS_4X4)
      assert_true(it[12] == 0.0f && it[13] == 0.0f && it[14] == 0.0f && it[15] == 1.0f);
  }
  assert_memory_equal(at, expected, sizeof at);
}

static void check_form(const throng_world *world, throng_instances_def def, const uint32_t *number) {
  throng_error error;
  const uint32_t count = throng_agents_count(world);
  const size_t bytes = throng_instance_bytes(def.form);
  memset(written, 0xAB, sizeof written);
  def.stride = STRIDE;
  require_ok(throng_agents_read_instances(world, &def, count, written, &error), &error);
  for (uint32_t at = 0; at < count; at++) {
    const uint32_t k = def.by_id ? at : number[at];
    float it[STRIDE / sizeof(float)];
    double m[3][3];
    memcpy(it, written[at], sizeof it);
    for (size_t b = bytes; b < STRIDE; b++) assert_int_equal(written[at][b], 0xAB);
    check_position(it, def.form, def.offset, k);
    if (def.form == THRONG_INSTANCE_POSITION_YAW) {
      if (throng_world_get_def(world).space == THRONG_SPACE_PLANAR) assert_true(it[3] == yaw[k]);
      continue;
    }
    rotation_of(it, def.form, m);
    check_rotation(world, k, m, def.form == THRONG_INSTANCE_POSITION_ROTATION ? 1.0 : (double)def.scale);
  }
  if (def.form != THRONG_INSTANCE_ROWS_3X4) return;
  static float packed[AGENTS][12];
  def.stride = 0;
  require_ok(throng_agents_read_instances(world, &def, count, packed, &error), &error);
  for (uint32_t k = 0; k < count; k++) assert_memory_equal(packed[k], written[k], sizeof packed[k]);
}

/* The place of each element of the view among the ids. */
static void number_view(const throng_world *world, uint32_t *number) {
  static throng_agent_id ids[AGENTS];
  throng_view view;
  throng_error error;
  uint32_t count = 0;
  require_ok(throng_agents_get_ids(world, ids, AGENTS, &count, &error), &error);
  require_ok(throng_world_view(world, &view, &error), &error);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t at = 0;
    while (ids[at].index != view.id_index[k]) at++;
    number[k] = at;
  }
}

static const throng_axes unreal = {THRONG_AXIS_Y, THRONG_AXIS_Z, THRONG_AXIS_X, 100.0f};
static const throng_axes mirrored = {THRONG_AXIS_MINUS_X, THRONG_AXIS_MINUS_Y, THRONG_AXIS_Z, 1.0f};

/* Agents at random places, with random facings. */
static throng_world *random_world(test_rng *rng, throng_space space, throng_axes axes) {
  throng_world_def def = throng_default_world_def();
  throng_group_def group = stage_idle_group();
  throng_error error;
  static throng_vec3 at[AGENTS], way[AGENTS];
  static float angle[AGENTS];
  def.space = space;
  def.axes = axes;
  for (uint32_t k = 0; k < AGENTS; k++) {
    at[k] = (throng_vec3){rng_float(rng, -50, 50), rng_float(rng, -50, 50), rng_float(rng, -50, 50)};
    way[k] = (throng_vec3){rng_float(rng, -1, 1), rng_float(rng, -1, 1), rng_float(rng, -1, 1)};
    angle[k] = rng_float(rng, -3.14159f, 3.14159f);
  }
  const void *looks = space == THRONG_SPACE_SPATIAL ? (const void *)way : (const void *)angle;
  throng_world *world = stage_world(&def, &group);
  stage_add(world, AGENTS, at, NULL, NULL, NULL);
  require_ok(throng_agents_write(world, THRONG_COLUMN_FACING, NULL, AGENTS, looks, 0, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  return world;
}

static void instances_look_where_agents_do(void **state) {
  (void)state;
  const throng_axes own = throng_axes_own(), axes[4] = {own, unreal, mirrored, own};
  for (uint32_t round = 0; round < 16; round++) {
    test_rng rng = rng_from(base_seed + round);
    const throng_space space = (throng_space)(round % 2);
    throng_world *world = random_world(&rng, space, axes[round / 2 % 4]);
    throng_error error;
    static uint32_t number[AGENTS];
    void *looks = space == THRONG_SPACE_SPATIAL ? (void *)facing : (void *)yaw;
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, position, 0, &error), &error);
    require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, AGENTS, looks, 0, &error), &error);
    number_view(world, number);
    for (int form = 0; form < 2 * THRONG_INSTANCE_FORM_COUNT; form++) {
      throng_instances_def def = throng_default_instances_def();
      def.form = (throng_instance_form)(form % THRONG_INSTANCE_FORM_COUNT);
      def.by_id = form >= THRONG_INSTANCE_FORM_COUNT;
      def.scale = rng_pick(&rng, (const float[]){1, 1, 0.25f, 170}, 4);
      if (rng_chance(&rng, 0.5f)) def.offset = (throng_vec3){0.5f, -90, rng_float(&rng, 0, 1)};
      check_form(world, def, number);
    }
    throng_world_destroy(world);
  }
}

/* Facings straight up and down, and along the axes. */
static void special_facings(void **state) {
  (void)state;
  static const throng_vec3 ways[] = {{0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
  enum { COUNT = sizeof ways / sizeof ways[0] };
  throng_world_def def = throng_default_world_def();
  throng_group_def group = stage_idle_group();
  throng_error error;
  throng_vec3 at[COUNT];
  uint32_t number[COUNT];
  def.space = THRONG_SPACE_SPATIAL;
  for (uint32_t k = 0; k < COUNT; k++) at[k] = (throng_vec3){(float)k, 0, 0};
  throng_world *world = stage_world(&def, &group);
  stage_add(world, COUNT, at, NULL, NULL, NULL);
  require_ok(throng_agents_write(world, THRONG_COLUMN_FACING, NULL, COUNT, ways, 0, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  memcpy(position, at, sizeof at);
  memcpy(facing, ways, sizeof ways);
  number_view(world, number);
  for (int form = 0; form < THRONG_INSTANCE_FORM_COUNT; form++) {
    throng_instances_def instances = throng_default_instances_def();
    instances.form = (throng_instance_form)form;
    check_form(world, instances, number);
  }
  throng_world_destroy(world);
}

static void refused(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_group_def group = stage_idle_group();
  throng_error error;
  throng_agent_id ids[2];
  float data[32];
  const throng_vec3 at[2] = {{0, 0, 0}, {1, 0, 0}};
  throng_world *world = stage_world(&def, &group);
  stage_add(world, 2, at, NULL, NULL, ids);
  require_ok(throng_world_index(world, &error), &error);
#define REFUSED(expected, count, data, ...)                                                                            \
  do {                                                                                                                 \
    throng_instances_def bad = throng_default_instances_def();                                                         \
    __VA_ARGS__;                                                                                                       \
    require_error(throng_agents_read_instances(world, &bad, count, data, &error), expected, &error);                   \
  } while (0)
  REFUSED(THRONG_ERROR_BAD_COOKIE, 2, data, bad.cookie = 0);
  REFUSED(THRONG_ERROR_BAD_VALUE, 2, data, bad.form = THRONG_INSTANCE_FORM_COUNT);
  REFUSED(THRONG_ERROR_BAD_VALUE, 2, data, bad.stride = 15);
  REFUSED(THRONG_ERROR_BAD_VALUE, 2, data, bad.stride = THRONG_STRIDE_ONE);
  REFUSED(THRONG_ERROR_BAD_VALUE, 2, data, bad.scale = 0);
  REFUSED(THRONG_ERROR_NOT_FINITE, 2, data, bad.scale = NAN);
  REFUSED(THRONG_ERROR_NOT_FINITE, 2, data, bad.offset.y = INFINITY);
  REFUSED(THRONG_ERROR_BAD_VALUE, 1, data, (void)bad);
  REFUSED(THRONG_ERROR_NULL_ARGUMENT, 2, NULL, (void)bad);
  assert_true(throng_instance_bytes(THRONG_INSTANCE_FORM_COUNT) == 0 &&
              throng_instance_bytes(THRONG_INSTANCE_ROWS_3X4) == 48);
  require_ok(throng_agents_remove(world, &ids[0], 1, &error), &error);
  REFUSED(THRONG_ERROR_NOT_INDEXED, 1, data, (void)bad);
  throng_instances_def by_id = throng_default_instances_def();
  by_id.by_id = true;
  require_ok(throng_agents_read_instances(world, &by_id, 1, data, &error), &error);
  assert_true(data[0] == 1.0f);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(instances_look_where_agents_do),
                                     cmocka_unit_test(special_facings), cmocka_unit_test(refused)};
  base_seed = test_seed("instances", 20261203);
  return cmocka_run_group_tests_name("instances", tests, NULL, NULL);
}
