/* tests/agents/test_previous_poses.c: instances between two frames, against a model of every agent's previous and
 * present pose that follows random calls of the host, and against the formulas of throng/instances.h.
 * SPDX-License-Identifier: MIT */
#include "support/random.h"
#include "support/stage.h"

#include <throng/instances.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

#define MOST 600u /* id indices */
#define SIDE 12.0f
#define DT 0.1f
#define FLOATS 12 /* of a 3 x 4 matrix */

struct pose {
  float at[3], turn[3]; /* turn: the yaw, or the facing */
};
struct model {
  throng_world *world;
  throng_world_def def;
  test_rng rng;
  bool live[MOST], known; /* known: previous poses are not the present ones */
  struct pose previous[MOST], now[MOST];
  uint32_t crossed[2], crossed_both;
};
static struct model m;

/* The formulas. */

static float mixed(int c, float previous, float now, float alpha) {
  const float min = (&m.def.box_min.x)[c], max = (&m.def.box_max.x)[c], length = max - min;
  const throng_boundary boundary = m.def.boundary[c];
  if (c == 1 && m.def.space == THRONG_SPACE_PLANAR) return now;
  float d = now - previous;
  if (boundary == THRONG_BOUNDARY_PERIODIC && d > length / 2)
    d -= length;
  else if (boundary == THRONG_BOUNDARY_PERIODIC && d < -length / 2)
    d += length;
  float p = alpha == 0.0f ? previous : previous + alpha * d;
  if (boundary == THRONG_BOUNDARY_UNBOUNDED) return p;
  if (boundary == THRONG_BOUNDARY_PERIODIC && p < min)
    p += length;
  else if (boundary == THRONG_BOUNDARY_PERIODIC && p >= max)
    p -= length;
  const float low = boundary == THRONG_BOUNDARY_BOX ? nextafterf(min, max) : min, high = nextafterf(max, min);
  return p < low ? low : p > high ? high : p;
}

static float mixed_yaw(float previous, float now, float alpha) {
  const float pi = 3.14159274f;
  float d = now - previous;
  if (d > pi)
    d -= 2 * pi;
  else if (d <= -pi)
    d += 2 * pi;
  float yaw = alpha == 0.0f ? previous : previous + alpha * d;
  if (yaw > pi)
    yaw -= 2 * pi;
  else if (yaw < -pi)
    yaw += 2 * pi;
  return yaw;
}

/* In double precision. Returns false near opposite facings, where rounding decides. */
static bool mixed_facing(const float previous[3], const float now[3], float alpha, double to[3]) {
  double length = 0;
  for (int c = 0; c < 3; c++) {
    to[c] = (double)previous[c] + (double)alpha * ((double)now[c] - (double)previous[c]);
    length += to[c] * to[c];
  }
  for (int c = 0; c < 3; c++) to[c] /= sqrt(length);
  return sqrt(length) > 0.01;
}

/* Reading. */

static struct pose pose_of(throng_agent_id id) {
  struct pose pose = {{0, 0, 0}, {0, 0, 0}};
  throng_error error;
  require_ok(throng_agents_read(m.world, THRONG_COLUMN_POSITION, &id, 1, pose.at, 0, &error), &error);
  require_ok(throng_agents_read(m.world, THRONG_COLUMN_FACING, &id, 1, pose.turn, 0, &error), &error);
  return pose;
}
static uint32_t list_ids(throng_agent_id ids[MOST]) {
  throng_error error;
  uint32_t count = 0;
  require_ok(throng_agents_get_ids(m.world, ids, MOST, &count, &error), &error);
  return count;
}

static void read_instances(throng_instance_form form, bool by_id, float alpha, void *data) {
  throng_instances_def def = throng_default_instances_def();
  throng_error error;
  def.form = form;
  def.by_id = by_id;
  def.alpha = alpha;
  require_ok(throng_agents_read_instances(m.world, &def, throng_agents_count(m.world), data, &error), &error);
}

static void check_agent(uint32_t index, float alpha, const float instance[4], const float matrix[FLOATS]) {
  const struct pose *previous = m.known ? &m.previous[index] : &m.now[index], *now = &m.now[index];
  float expected[3], at[3] = {matrix[3], matrix[7], matrix[11]};
  if (!m.known) alpha = 1.0f;
  for (int c = 0; c < 3; c++) {
    expected[c] = alpha == 1.0f ? now->at[c] : mixed(c, previous->at[c], now->at[c], alpha);
    if (m.def.boundary[c] == THRONG_BOUNDARY_PERIODIC && (c != 1 || m.def.space == THRONG_SPACE_SPATIAL))
      assert_true(at[c] >= (&m.def.box_min.x)[c] && at[c] < (&m.def.box_max.x)[c]);
  }
  if (memcmp(expected, at, sizeof at) != 0)
    fail_msg("agent %u, alpha %g: at (%.9g, %.9g, %.9g), expected (%.9g, %.9g, %.9g)", index, (double)alpha,
             (double)at[0], (double)at[1], (double)at[2], (double)expected[0], (double)expected[1],
             (double)expected[2]);
  assert_memory_equal(instance, at, sizeof at);
  if (m.def.space == THRONG_SPACE_PLANAR) {
    const float yaw = alpha == 1.0f ? now->turn[0] : mixed_yaw(previous->turn[0], now->turn[0], alpha);
    assert_memory_equal(&instance[3], &yaw, sizeof yaw);
    return;
  }
  const double facing[3] = {(double)matrix[2], (double)matrix[6], (double)matrix[10]};
  double right[3];
  const double length = facing[0] * facing[0] + facing[1] * facing[1] + facing[2] * facing[2];
  assert_true(fabs(length - 1) < 4e-6);
  if (!mixed_facing(previous->turn, now->turn, alpha, right)) return;
  for (int c = 0; c < 3; c++) {
    if (!(fabs(facing[c] - right[c]) < 2e-5))
      fail_msg("agent %u, alpha %g: facing[%d] is %.9g, expected %.9g", index, (double)alpha, c, facing[c], right[c]);
  }
}

/* Compares the instances with the model, in both orders. */
static void check(float alpha) {
  static throng_agent_id ids[MOST];
  static float instance[MOST][4], matrix[MOST][FLOATS], in_view[MOST][FLOATS];
  const uint32_t count = list_ids(ids);
  throng_view view;
  read_instances(THRONG_INSTANCE_POSITION_YAW, true, alpha, instance);
  read_instances(THRONG_INSTANCE_ROWS_3X4, true, alpha, matrix);
  for (uint32_t k = 0; k < count; k++) {
    assert_true(m.live[ids[k].index]);
    check_agent(ids[k].index, alpha, instance[k], matrix[k]);
  }
  if (throng_world_view(m.world, &view, NULL) != THRONG_OK) return;
  read_instances(THRONG_INSTANCE_ROWS_3X4, false, alpha, in_view);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t at = 0;
    while (ids[at].index != view.id_index[k]) at++;
    assert_memory_equal(in_view[k], matrix[at], sizeof in_view[0]);
  }
}

/* What the host does. */

static throng_vec3 any_place(void) {
  throng_vec3 p;
  for (int c = 0; c < 3; c++) (&p.x)[c] = rng_float(&m.rng, 0.01f, SIDE - 0.01f);
  return p;
}
static throng_vec3 any_way(float most) {
  throng_vec3 v;
  for (int c = 0; c < 3; c++) (&v.x)[c] = rng_float(&m.rng, -most, most);
  if (m.def.space == THRONG_SPACE_PLANAR) v.y = 0;
  return v;
}
static bool pick(throng_agent_id *id) {
  static throng_agent_id ids[MOST];
  const uint32_t count = list_ids(ids);
  if (count > 0) *id = ids[rng_below(&m.rng, count)];
  return count > 0;
}

/* The agents are at their present poses, as the world says, and only those. */
static void look(void) {
  static throng_agent_id ids[MOST];
  const uint32_t count = list_ids(ids);
  memset(m.live, 0, sizeof m.live);
  for (uint32_t k = 0; k < count; k++) {
    m.live[ids[k].index] = true;
    m.now[ids[k].index] = pose_of(ids[k]);
  }
}

static void note_crossings(void) {
  for (uint32_t k = 0; k < MOST; k++) {
    if (!m.live[k]) continue;
    bool crossed[2];
    for (int a = 0; a < 2; a++) {
      const int c = 2 * a;
      crossed[a] =
          m.def.boundary[c] == THRONG_BOUNDARY_PERIODIC && fabsf(m.now[k].at[c] - m.previous[k].at[c]) > 0.5f * SIDE;
      m.crossed[a] += crossed[a];
    }
    m.crossed_both += crossed[0] && crossed[1];
  }
}

static void step(void) {
  static throng_agent_id ids[MOST];
  static throng_vec3 velocity[MOST];
  throng_error error;
  const uint32_t count = list_ids(ids), how = rng_below(&m.rng, 8);
  for (uint32_t k = 0; k < count; k++) velocity[k] = any_way(30);
  if (count > 0)
    require_ok(throng_agents_write(m.world, THRONG_COLUMN_VELOCITY, NULL, count, velocity, 0, &error), &error);
  memcpy(m.previous, m.now, sizeof m.previous);
  if (how == 0) {
    require_ok(throng_world_steer(m.world, DT, &error), &error);
    require_ok(throng_world_integrate(m.world, DT, &error), &error);
  } else {
    require_ok(throng_world_step(m.world, how == 1 ? 0.0f : DT, &error), &error);
  }
  m.known = true;
  look();
  note_crossings();
}

static void add(void) {
  const uint32_t count = 1 + rng_below(&m.rng, 9);
  if (throng_agents_count(m.world) + count >= MOST / 2) return;
  throng_vec3 p[9], v[9];
  throng_agent_id ids[9];
  for (uint32_t k = 0; k < count; k++) {
    p[k] = any_place();
    v[k] = any_way(5);
  }
  stage_add(m.world, count, p, v, NULL, ids);
  look();
  for (uint32_t k = 0; k < count; k++) m.previous[ids[k].index] = m.now[ids[k].index];
}

static void take_away(void) {
  throng_agent_id id;
  throng_error error;
  if (!pick(&id)) return;
  require_ok(throng_agents_remove(m.world, &id, 1, &error), &error);
  m.live[id.index] = false;
}

static void move_or_write(void) {
  throng_agent_id id;
  throng_error error;
  if (!pick(&id)) return;
  const throng_vec3 p = any_place();
  if (rng_chance(&m.rng, 0.5f)) {
    require_ok(throng_agents_move(m.world, &id, 1, &p, NULL, &error), &error);
  } else {
    require_ok(throng_agents_write(m.world, THRONG_COLUMN_POSITION, &id, 1, &p, 0, &error), &error);
  }
  look();
  memcpy(m.previous[id.index].at, m.now[id.index].at, sizeof p);
}

static void turn(void) {
  throng_agent_id id;
  throng_error error;
  if (!pick(&id)) return;
  const throng_vec3 way = any_way(1);
  const float yaw = rng_float(&m.rng, -3.14f, 3.14f);
  const void *value = m.def.space == THRONG_SPACE_PLANAR ? (const void *)&yaw : (const void *)&way;
  require_ok(throng_agents_write(m.world, THRONG_COLUMN_FACING, &id, 1, value, 0, &error), &error);
  look();
  memcpy(m.previous[id.index].turn, m.now[id.index].turn, sizeof way);
}

static void edit(void) {
  throng_edit edit;
  throng_error error;
  require_ok(throng_world_index(m.world, &error), &error);
  require_ok(throng_world_edit(m.world, &edit, &error), &error);
  if (edit.count > 0) edit.position_x[rng_below(&m.rng, edit.count)] = any_place().x;
  m.known = false;
  look();
}

static void load(void) {
  throng_error error;
  size_t size = 0;
  require_ok(throng_world_index(m.world, &error), &error);
  require_ok(throng_world_save_snapshot(m.world, NULL, 0, &size, &error), &error);
  void *bytes = malloc(size);
  require_ok(throng_world_save_snapshot(m.world, bytes, size, &size, &error), &error);
  require_ok(throng_world_load_snapshot(m.world, bytes, size, &error), &error);
  free(bytes);
  m.known = false;
  look();
}

static void shift(void) {
  throng_vec3 exact;
  throng_error error;
  const throng_vec3 wished = any_way(20);
  if (throng_world_shift_origin(m.world, wished, &exact, &error) != THRONG_OK) return; /* it would round */
  m.def = throng_world_get_def(m.world);
  for (uint32_t k = 0; k < MOST; k++)
    for (int c = 0; c < 3; c++) m.previous[k].at[c] -= (&exact.x)[c];
  look();
}

static void grow_or_sort(void) {
  throng_error error;
  require_ok(throng_world_index(m.world, &error), &error);
  if (rng_chance(&m.rng, 0.2f))
    require_ok(throng_agents_reserve(m.world, 2 * throng_agents_count(m.world) + 64, &error), &error);
  look(); /* an agent on a face is now inside */
}

static void open_model(uint64_t seed, const throng_boundary boundary[3]) {
  throng_group_def group = stage_idle_group();
  memset(&m, 0, sizeof m);
  m.rng = rng_from(seed);
  m.def = throng_default_world_def();
  m.def.space = (throng_space)(seed % 2);
  memcpy(m.def.boundary, boundary, sizeof m.def.boundary);
  m.def.box_max = (throng_vec3){SIDE, SIDE, SIDE};
  m.def.keep_previous_pose = true;
  m.world = stage_world(&m.def, &group);
  m.def = throng_world_get_def(m.world);
  assert_true(m.def.keep_previous_pose);
}

static void no_call_makes_a_streak(void **state) {
  (void)state;
  static void (*const calls[])(void) = {add,  take_away, take_away, move_or_write, move_or_write,
                                        turn, edit,      load,      shift,         grow_or_sort};
  uint32_t crossed[2] = {0, 0}, crossed_both = 0;
  for (uint64_t round = 0; round < 48; round++) {
    test_rng rng = rng_from(base_seed + round);
    throng_boundary boundary[3];
    for (int c = 0; c < 3; c++) boundary[c] = (throng_boundary)rng_below(&rng, 3);
    open_model(base_seed + round, boundary);
    for (int k = 0; k < 12; k++) add();
    for (uint32_t frame = 0; frame < 40; frame++) {
      step();
      check(rng_pick(&m.rng, (const float[]){0, 0.25f, 0.5f, 1}, 4));
      for (uint32_t k = rng_below(&m.rng, 5); k > 0; k--) {
        calls[rng_below(&m.rng, sizeof calls / sizeof calls[0])]();
        check(rng_float(&m.rng, 0, 1));
      }
    }
    require_sound(m.world, "after the last call");
    throng_world_destroy(m.world);
    for (int a = 0; a < 2; a++) crossed[a] += m.crossed[a];
    crossed_both += m.crossed_both;
  }
  assert_true(crossed[0] > 100 && crossed[1] > 100 && crossed_both > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_call_makes_a_streak)};
  base_seed = test_seed("previous_poses", 20261130);
  return cmocka_run_group_tests_name("previous_poses", tests, NULL, NULL);
}
