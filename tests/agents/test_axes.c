/* tests/agents/test_axes.c: columns in the axes and units of a host. Checks the engines' directions of ahead, right, up
 * and yaw; all 48 arrangements of three axes; that conversion there and back is exact if nothing rounds, and within the
 * stated bound if it does; and that wrong axes are refused.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/floats.h"
#include "support/full.h"
#include "support/wrong.h"

#include <throng/passes.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAYS 48 /* six orders of three axes, each with eight pairs of signs */
#define ELEMENT (3 * sizeof(float))

static throng_axes way(int number, float units) {
  static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  int axis[3];
  for (int c = 0; c < 3; c++) axis[c] = orders[number / 8][c] + (number >> c & 1 ? 3 : 0);
  return (throng_axes){(throng_axis)axis[0], (throng_axis)axis[1], (throng_axis)axis[2], units};
}

static throng_vec3 to_host(const throng_axes *axes, throng_vec3 v) {
  throng_error error;
  require_ok(throng_axes_to_host(axes, &v, 1, &v, &error), &error);
  return v;
}

static void require_vec(throng_vec3 got, throng_vec3 wanted, float tolerance, const char *what) {
  if (fabsf(got.x - wanted.x) <= tolerance && fabsf(got.y - wanted.y) <= tolerance &&
      fabsf(got.z - wanted.z) <= tolerance)
    return;
  print_error("%s: (%g, %g, %g) instead of (%g, %g, %g)\n", what, (double)got.x, (double)got.y, (double)got.z,
              (double)wanted.x, (double)wanted.y, (double)wanted.z);
  fail();
}

/* Creates a world with these axes and loads a snapshot of `world` into it. Loading keeps the new world's axes. */
static throng_world *world_as(const throng_world *world, const throng_axes *axes) {
  throng_error error;
  size_t size = 0;
  require_ok(throng_world_save_snapshot(world, NULL, 0, &size, &error), &error);
  void *bytes = malloc(size);
  assert_non_null(bytes);
  require_ok(throng_world_save_snapshot(world, bytes, size, &size, &error), &error);
  throng_world_def def;
  require_ok(throng_snapshot_get_def(bytes, size, &def, &error), &error);
  assert_true(def.axes.x == THRONG_AXIS_X && def.axes.units_per_metre == 1.0f);
  def.axes = *axes;
  full_box_in_host(&def);
  def.thread_count = 1;
  throng_world *host = NULL;
  require_ok(throng_world_create(&def, &host, &error), &error);
  require_ok(throng_world_set_callback(host, FULL_NUMBER, full_callback, NULL, &error), &error);
  const throng_status status = throng_world_load_snapshot(host, bytes, size, &error);
  if (status == THRONG_ERROR_BAD_VALUE) { /* the new world lacks the callback: clear it and try again */
    require_ok(throng_world_set_callback(host, FULL_NUMBER, NULL, NULL, &error), &error);
    require_ok(throng_world_load_snapshot(host, bytes, size, &error), &error);
  } else {
    require_ok(status, &error);
  }
  free(bytes);
  const throng_axes kept = throng_world_get_def(host).axes;
  assert_memory_equal(&kept, axes, sizeof kept);
  assert_true(throng_world_hash(host, STATE_COLUMNS) == throng_world_hash(world, STATE_COLUMNS));
  return host;
}

/* Returns what a host with these axes reads as the facing of an agent with this yaw. */
static float yaw_in_host(const throng_axes *axes, float yaw) {
  throng_world_def def = throng_default_world_def();
  const throng_vec3 origin = {0, 0, 0};
  throng_world *world = NULL;
  throng_error error;
  throng_agents_def agents = throng_default_agents_def();
  def.thread_count = 1;
  agents.position.data = &origin;
  agents.facing.data = &yaw;
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_agents_add(world, &agents, 1, NULL, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  throng_world *reader = world_as(world, axes);
  float host;
  require_ok(throng_agents_read(reader, THRONG_COLUMN_FACING, NULL, 1, &host, 0, &error), &error);
  throng_world_destroy(reader);
  throng_world_destroy(world);
  return host;
}

/* Compares with the conventions in the engines' manuals. */
static void engines(void **state) {
  (void)state;
  const struct {
    const char *name;
    throng_axes axes;
    throng_vec3 ahead, right, up;
  } rows[] = {{"Unity", throng_axes_unity(), {0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
              {"Unreal", throng_axes_unreal(), {100, 0, 0}, {0, 100, 0}, {0, 0, 100}},
              {"Godot", throng_axes_godot(), {0, 0, -1}, {1, 0, 0}, {0, 1, 0}}};
  for (int k = 0; k < 3; k++) {
    const throng_axes *axes = &rows[k].axes;
    require_vec(to_host(axes, (throng_vec3){0, 0, 1}), rows[k].ahead, 0, rows[k].name);
    require_vec(to_host(axes, (throng_vec3){-1, 0, 0}), rows[k].right, 0, rows[k].name);
    require_vec(to_host(axes, (throng_vec3){0, 1, 0}), rows[k].up, 0, rows[k].name);
  }
  for (float yaw = -3; yaw <= 3; yaw += 0.5f) {
    const throng_vec3 facing = {sinf(yaw), 0, cosf(yaw)};
    const float unity = yaw_in_host(&rows[0].axes, yaw), unreal = yaw_in_host(&rows[1].axes, yaw),
                godot = yaw_in_host(&rows[2].axes, yaw);
    /* Quaternion.Euler(0, y, 0) * Vector3.forward; FRotator(0, Yaw, 0).Vector(); -Basis.from_euler(Vector3(0, y,
     * 0)).z */
    require_vec(to_host(&rows[0].axes, facing), (throng_vec3){sinf(unity), 0, cosf(unity)}, 1e-6f, "Unity's yaw");
    require_vec(to_host(&rows[1].axes, facing), (throng_vec3){100 * cosf(unreal), 100 * sinf(unreal), 0}, 1e-4f,
                "Unreal's yaw");
    require_vec(to_host(&rows[2].axes, facing), (throng_vec3){-sinf(godot), 0, -cosf(godot)}, 1e-6f, "Godot's yaw");
  }
}

/* Turning the "ahead" vector by the host's yaw about the host's up axis must give the agent's facing. The turn is
 * computed by Rodrigues' formula in the host's axes, so its direction depends on their handedness. */
static void yaw_turns_by_the_hosts_hand(void **state) {
  (void)state;
  for (int k = 0; k < WAYS; k++) {
    const throng_axes axes = way(k, 1);
    const throng_vec3 ahead = to_host(&axes, (throng_vec3){0, 0, 1}), up = to_host(&axes, (throng_vec3){0, 1, 0});
    const float u[3] = {fabsf(up.x), fabsf(up.y), fabsf(up.z)}, a[3] = {ahead.x, ahead.y, ahead.z};
    for (float yaw = -3; yaw <= 3; yaw += 0.75f) {
      const float host = yaw_in_host(&axes, yaw), c = cosf(host), s = sinf(host);
      const throng_vec3 turned = {c * a[0] + s * (u[1] * a[2] - u[2] * a[1]),
                                  c * a[1] + s * (u[2] * a[0] - u[0] * a[2]),
                                  c * a[2] + s * (u[0] * a[1] - u[1] * a[0])};
      char what[64];
      snprintf(what, sizeof what, "way %d, yaw %g", k, (double)yaw);
      require_vec(to_host(&axes, (throng_vec3){sinf(yaw), 0, cosf(yaw)}), turned, 1e-6f, what);
    }
  }
}

static uint32_t elements_of(throng_space space, throng_column column) {
  switch (column) {
  case THRONG_COLUMN_POSITION:
  case THRONG_COLUMN_VELOCITY:
  case THRONG_COLUMN_GOAL:
  case THRONG_COLUMN_ACCELERATION:
  case THRONG_COLUMN_PATTERN_WAY:
  case THRONG_COLUMN_KEPT_ACCELERATION:
    return 3;
  case THRONG_COLUMN_FACING:
  case THRONG_COLUMN_WANDER:
    return space == THRONG_SPACE_SPATIAL ? 3 : 1;
  case THRONG_COLUMN_FAN:
    return 2;
  default:
    return 1;
  }
}

/* Returns the factor of a column with one component: `units` for a length, `turn` for a yaw, and otherwise 1. */
static float factor_of(throng_column column, float units, float turn) {
  switch (column) {
  case THRONG_COLUMN_PERCEPTION_RADIUS:
  case THRONG_COLUMN_BODY_RADIUS:
  case THRONG_COLUMN_MAX_SPEED:
  case THRONG_COLUMN_PATH_PARAMETER:
    return units;
  case THRONG_COLUMN_FACING:
  case THRONG_COLUMN_WANDER:
  case THRONG_COLUMN_YAW_RATE:
  case THRONG_COLUMN_YAW_ACCELERATION:
    return turn;
  default:
    return 1;
  }
}

/* Computes what a host should read where throng has v, by another method than the kernel's. */
static void expect(throng_space space, throng_column column, const throng_axes *axes, float turn, const float v[3],
                   float host[3]) {
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  const bool facing = column == THRONG_COLUMN_FACING || column == THRONG_COLUMN_WANDER;
  const float units = facing ? 1 : axes->units_per_metre;
  memcpy(host, v, ELEMENT);
  if (column == THRONG_COLUMN_FAN || column == THRONG_COLUMN_TARGET) return;
  if (elements_of(space, column) == 1) {
    host[0] = v[0] * factor_of(column, axes->units_per_metre, turn);
  } else if (column == THRONG_COLUMN_PATTERN_WAY) {
    host[0] = v[0] * turn;
    host[1] = v[1] * (all[0] < 3 ? units : -units);
    host[2] = v[2] * (all[2] < 3 ? units : -units);
  } else {
    for (int c = 0; c < 3; c++) host[all[c] % 3] = v[c] * (all[c] < 3 ? units : -units);
  }
}

/* Whether the bits are equal; all NaNs count as equal. */
static bool same(const float *a, const float *b, uint32_t count) {
  for (uint32_t c = 0; c < count; c++) {
    if (memcmp(&a[c], &b[c], sizeof a[c]) != 0 && !(isnan(a[c]) && isnan(b[c]))) return false;
  }
  return true;
}

static void require_column(throng_world *world, throng_column column, const throng_axes *axes, float turn,
                           const char *when) {
  const throng_space space = throng_world_get_def(world).space;
  const uint32_t elements = elements_of(space, column);
  float own[FULL_AGENTS][3] = {{0}}, host[FULL_AGENTS][3] = {{0}}, expected[3];
  throng_error error;
  throng_world *reader = world_as(world, axes);
  require_ok(throng_world_steer(reader, 0.02f, &error), &error);
  require_ok(throng_agents_read(world, column, NULL, FULL_AGENTS, own, ELEMENT, &error), &error);
  require_ok(throng_agents_read(reader, column, NULL, FULL_AGENTS, host, ELEMENT, &error), &error);
  for (uint32_t k = 0; k < FULL_AGENTS; k++) {
    expect(space, column, axes, turn, own[k], expected);
    if (same(host[k], expected, elements)) continue;
    print_error("%s, column %d, agent %u: (%g, %g, %g) reads as (%g, %g, %g)\n", when, (int)column, k,
                (double)own[k][0], (double)own[k][1], (double)own[k][2], (double)host[k][0], (double)host[k][1],
                (double)host[k][2]);
    fail();
  }
  if (!(READ_ONLY_COLUMNS &
        THRONG_BIT(column))) { /* writing the host's numbers must have the effect of writing throng's */
    require_ok(throng_agents_write(world, column, NULL, FULL_AGENTS, own, ELEMENT, &error), &error);
    require_ok(throng_agents_write(reader, column, NULL, FULL_AGENTS, host, ELEMENT, &error), &error);
    assert_true(throng_world_hash(reader, STATE_COLUMNS) == throng_world_hash(world, STATE_COLUMNS));
  }
  throng_world_destroy(reader);
}

/* Creates a world and steps it 5 times. One of its agents has no goal. */
static throng_world *lived_world(throng_space space) {
  const throng_world_def def = full_def(space);
  throng_agent_id id[FULL_AGENTS];
  throng_world *world = full_world(&def, id);
  const float none[3] = {NAN, NAN, NAN};
  throng_error error;
  require_ok(throng_agents_write(world, THRONG_COLUMN_GOAL, &id[5], 1, none, 0, &error), &error);
  for (int frame = 0; frame < 5; frame++) require_ok(throng_world_step(world, 0.02f, &error), &error);
  return world;
}

static void every_column_in_every_way(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    throng_world *world = lived_world((throng_space)space);
    for (int k = 0; k < 2 * WAYS; k++) {
      const throng_axes axes = way(k % WAYS, k < WAYS ? 1.0f : 0.25f);
      const float turn = yaw_in_host(&axes, 1);
      char when[64];
      snprintf(when, sizeof when, "space %d, way %d", space, k);
      for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
        throng_error error;
        if (column == THRONG_COLUMN_GROUP) continue;
        require_ok(throng_world_steer(world, 0.02f, &error), &error);
        require_column(world, (throng_column)column, &axes, turn, when);
      }
    }
    throng_world_destroy(world);
  }
}

/* Groups are bytes and do not depend on the axes. */
static void groups_stay(void **state) {
  (void)state;
  throng_world *world = lived_world(THRONG_SPACE_PLANAR);
  const throng_axes unreal = throng_axes_unreal();
  throng_world *reader = world_as(world, &unreal);
  uint8_t own[FULL_AGENTS], host[FULL_AGENTS];
  throng_error error;
  require_ok(throng_agents_read(world, THRONG_COLUMN_GROUP, NULL, FULL_AGENTS, own, 0, &error), &error);
  require_ok(throng_agents_read(reader, THRONG_COLUMN_GROUP, NULL, FULL_AGENTS, host, 0, &error), &error);
  assert_memory_equal(own, host, sizeof own);
  for (uint32_t i = 0; i < FULL_AGENTS; i++) host[i] = (uint8_t)(2 - own[i]);
  require_ok(throng_agents_write(reader, THRONG_COLUMN_GROUP, NULL, FULL_AGENTS, host, 0, &error), &error);
  require_ok(throng_agents_read(reader, THRONG_COLUMN_GROUP, NULL, FULL_AGENTS, own, 0, &error), &error);
  assert_memory_equal(own, host, sizeof own);
  throng_world_destroy(reader);
  throng_world_destroy(world);
}

/* Agents added in the host's axes must be equal to agents added in throng's axes, also after three frames. */
static void added_in_every_way(void **state) {
  (void)state;
  for (int k = 0; k < 2 * WAYS; k++) {
    throng_world_def def = full_def(k % 2 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR);
    const throng_axes axes = way(k / 2, 16);
    throng_world *own = full_empty_world(&def), *host = world_as(own, &axes);
    throng_agents_def agents = full_agents(FULL_AGENTS);
    throng_vec3 facing[FULL_AGENTS], converted[4][FULL_AGENTS];
    float yaw[FULL_AGENTS], radius[FULL_AGENTS], speed[FULL_AGENTS];
    for (uint32_t i = 0; i < FULL_AGENTS; i++) {
      facing[i] = (throng_vec3){1, (float)i, -2};
      yaw[i] = 0.05f * (float)i;
      radius[i] = 16 * ((const float *)agents.body_radius.data)[i];
      speed[i] = 16 * ((const float *)agents.max_speed.data)[i];
    }
    agents.facing.data = k % 2 ? (const void *)facing : (const void *)yaw;
    throng_error error;
    require_ok(throng_agents_add(own, &agents, FULL_AGENTS, NULL, &error), &error);
    const void *vectors[4] = {agents.position.data, agents.velocity.data, agents.goal.data, facing};
    for (int v = 0; v < 4; v++)
      require_ok(throng_axes_to_host(&axes, vectors[v], FULL_AGENTS, converted[v], &error), &error);
    const float turn = yaw_in_host(&axes, 1);
    for (uint32_t i = 0; i < FULL_AGENTS; i++) yaw[i] *= turn;
    agents.position.data = converted[0];
    agents.velocity.data = converted[1];
    agents.goal.data = converted[2];
    agents.facing.data = k % 2 ? (const void *)converted[3] : (const void *)yaw;
    agents.body_radius.data = agents.perception_radius.data = radius;
    agents.max_speed.data = speed;
    require_ok(throng_agents_add(host, &agents, FULL_AGENTS, NULL, &error), &error);
    assert_true(throng_world_hash(own, STATE_COLUMNS) == throng_world_hash(host, STATE_COLUMNS));
    for (int frame = 0; frame < 3; frame++) {
      require_ok(throng_world_step(own, 0.02f, &error), &error);
      require_ok(throng_world_step(host, 0.02f, &error), &error);
    }
    assert_true(throng_world_hash(own, STATE_COLUMNS) == throng_world_hash(host, STATE_COLUMNS));
    throng_world_destroy(own);
    throng_world_destroy(host);
  }
}

static int32_t bits_of(float value) {
  int32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Checks the rounding that the header states for 100 units per metre, for every float from 1 to 2. Other floats differ
 * only by powers of two. */
static void centimetres_round_once_each_way(void **state) {
  (void)state;
  enum { PIECE = 1 << 16, ALL = 1 << 23 };
  const throng_axes axes = throng_axes_unreal();
  throng_vec3 *own = malloc(3 * PIECE * sizeof *own), *host = own + PIECE, *back = host + PIECE;
  throng_error error;
  int32_t worst = 0;
  double most = 0;
  assert_non_null(own);
  for (int32_t first = 0; first < ALL; first += PIECE) {
    for (int32_t k = 0; k < PIECE; k++) {
      const float x = 1.0f + (float)(first + k) * FLT_EPSILON;
      own[k] = (throng_vec3){x, -x, 4 * x};
    }
    require_ok(throng_axes_to_host(&axes, own, PIECE, host, &error), &error);
    require_ok(throng_axes_to_throng(&axes, host, PIECE, back, &error), &error);
    for (int32_t k = 0; k < PIECE; k++) {
      const double exact = 100.0 * (double)own[k].x, off = fabs(-(double)host[k].y - exact) / exact;
      const int32_t apart = abs(bits_of(back[k].x) - bits_of(own[k].x));
      if (apart > worst) worst = apart;
      if (off > most) most = off;
    }
  }
  free(own);
  print_message("error there and back: %d units in the last place; one way: relative %.3g\n", worst, most);
  assert_int_equal(worst, 1);
  assert_true(most <= 6e-8);
}

/* The caller's floating-point environment must not change the results, and the calls must not change it. */
static void environment_of_the_caller(void **state) {
  (void)state;
  throng_world *world = lived_world(THRONG_SPACE_PLANAR);
  const throng_axes axes = throng_axes_unreal();
  throng_world *reader = world_as(world, &axes);
  const throng_vec3 odd = {0.1f, 1e-40f, 3.3f};
  const fp_environment before = fp_get();
  throng_vec3 plain[FULL_AGENTS + 2], other[FULL_AGENTS + 2];
  throng_error error;
  for (int kind = FLOATS_PLAIN; kind < FLOATS_KIND_COUNT; kind++) {
    throng_vec3 *out = kind == FLOATS_PLAIN ? plain : other;
    throng_status status[3];
    const fp_environment mine = fp_make((fp_kind)kind);
    fp_set(mine);
    status[0] = throng_agents_read(reader, THRONG_COLUMN_POSITION, NULL, FULL_AGENTS, out, 0, &error);
    status[1] = throng_axes_to_throng(&axes, &odd, 1, &out[FULL_AGENTS], &error);
    status[2] = throng_axes_to_host(&axes, &odd, 1, &out[FULL_AGENTS + 1], &error);
    const bool kept = fp_equal(fp_get(), mine);
    fp_set(before);
    for (int k = 0; k < 3; k++) require_ok(status[k], &error);
    assert_true(kept);
    if (kind != FLOATS_PLAIN) assert_memory_equal(plain, other, sizeof plain);
  }
  throng_world_destroy(reader);
  throng_world_destroy(world);
}

/* Checks that every call that takes axes refuses them. */
static void require_refused(throng_axes axes, throng_status status, const char *word) {
  throng_world_def def = full_def(THRONG_SPACE_PLANAR);
  throng_vec3 p = {9, 9, 9};
  throng_world *world = NULL;
  throng_passes *passes = NULL;
  def.axes = axes;
#define REFUSED(call)                                                                                                  \
  do {                                                                                                                 \
    throng_error error;                                                                                                \
    require_error(call, status, &error);                                                                               \
    if (!strstr(error.text, word)) fail_msg("'%s' does not name '%s'", error.text, word);                              \
  } while (0)
  REFUSED(throng_world_create(&def, &world, &error));
  REFUSED(throng_passes_create(&def, &passes, &error));
  REFUSED(throng_axes_to_throng(&axes, &p, 1, &p, &error));
  REFUSED(throng_axes_to_host(&axes, &p, 1, &p, &error));
  assert_true(!world && !passes && p.x == 9 && p.y == 9 && p.z == 9);
}

static void axes_that_cannot_be(void **state) {
  (void)state;
  const throng_status bad = THRONG_ERROR_BAD_VALUE;
  static const float units[] = {0, -1, -0.0f, 9e-7f, 1.1e6f, FLT_MAX};
  for (size_t k = 0; k < sizeof units / sizeof *units; k++) require_refused(way(0, units[k]), bad, "units_per_metre");
  require_refused(way(0, NAN), THRONG_ERROR_NOT_FINITE, "units_per_metre is ");
  require_refused(way(0, INFINITY), THRONG_ERROR_NOT_FINITE, "units_per_metre is inf");
  require_refused((throng_axes){0}, bad, "axes.x and axes.y lie both along the host's x");
  for (int wrong = -1; wrong <= 6; wrong += 7) {
    for (int c = 0; c < 3; c++) {
      throng_axes axes = throng_axes_unreal();
      throng_axis *all[3] = {&axes.x, &axes.y, &axes.z};
      const char *words[2][3] = {{"axes.x is -1", "axes.y is -1", "axes.z is -1"},
                                 {"axes.x is 6", "axes.y is 6", "axes.z is 6"}};
      *all[c] = (throng_axis)wrong;
      require_refused(axes, bad, words[wrong > 0][c]);
    }
  }
  require_refused((throng_axes){THRONG_AXIS_X, THRONG_AXIS_Y, THRONG_AXIS_MINUS_X, 1}, bad, "axes.x and axes.z");
  require_refused((throng_axes){THRONG_AXIS_X, THRONG_AXIS_Z, THRONG_AXIS_MINUS_Z, 1}, bad, "axes.y and axes.z");
}

static void other_arguments(void **state) {
  (void)state;
  throng_world *own = lived_world(THRONG_SPACE_PLANAR);
  const throng_axes axes = throng_axes_godot();
  throng_world *world = world_as(own, &axes);
  throng_vec3 p[FULL_AGENTS];
  throng_agent_id ids[FULL_AGENTS];
  throng_error error;
  uint32_t count;
  require_ok(throng_agents_get_ids(world, ids, FULL_AGENTS, &count, &error), &error);
  memset(p, 0, sizeof p);
  wrong_watch(world);
  WRONG(NULL_ARGUMENT, "from", throng_axes_to_throng, &axes, NULL, 1, p);
  WRONG(NULL_ARGUMENT, "to", throng_axes_to_throng, &axes, p, 1, NULL);
  WRONG(NULL_ARGUMENT, "from", throng_axes_to_host, NULL, NULL, 1, p);
  WRONG(NULL_ARGUMENT, "to", throng_axes_to_host, NULL, p, 1, NULL);
  p[0].x = 1; /* outside the box; the error text has Godot's coordinates, not throng's */
  WRONG(OUT_OF_RANGE, "position[0].x is 1, the world is -64 to 0", throng_agents_write, world, THRONG_COLUMN_POSITION,
        ids, 1, p, 0);
  p[0] = (throng_vec3){0, NAN, 0};
  WRONG(NOT_FINITE, "velocity[0]", throng_agents_write, world, THRONG_COLUMN_VELOCITY, ids, 1, p, 0);
  wrong_watch(NULL);
  throng_world_destroy(world);
  throng_world_destroy(own);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(engines),
      cmocka_unit_test(yaw_turns_by_the_hosts_hand),
      cmocka_unit_test(every_column_in_every_way),
      cmocka_unit_test(groups_stay),
      cmocka_unit_test(added_in_every_way),
      cmocka_unit_test(centimetres_round_once_each_way),
      cmocka_unit_test(environment_of_the_caller),
      cmocka_unit_test(axes_that_cannot_be),
      cmocka_unit_test(other_arguments),
  };
  return cmocka_run_group_tests_name("axes", tests, NULL, NULL);
}
