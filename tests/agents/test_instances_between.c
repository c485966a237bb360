/* tests/agents/test_instances_between.c: the interpolation of instances by hand-made cases: half turns, host axes,
 * instruction sets, replays, memory and refused values. tests/agents/test_previous_poses.c has the random ones.
 * SPDX-License-Identifier: MIT */
#include "support/memory.h"
#include "support/random.h"
#include "support/recordings.h"
#include "support/stage.h"

#include <throng/instances.h>
#include <throng/piece.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

#define DT 0.1f
#define FLOATS 12 /* of a 3 x 4 matrix */
#define CROWD 900u

static void read_instances(const throng_world *world, throng_instance_form form, bool by_id, float alpha, void *data) {
  throng_instances_def def = throng_default_instances_def();
  throng_error error;
  def.form = form;
  def.by_id = by_id;
  def.alpha = alpha;
  require_ok(throng_agents_read_instances(world, &def, throng_agents_count(world), data, &error), &error);
}

static throng_world *resting_world(throng_space space) {
  throng_world_def def = throng_default_world_def();
  throng_group_def group = stage_idle_group();
  def.space = space;
  def.keep_previous_pose = true;
  return stage_world(&def, &group);
}

/* Turns by exactly half a turn, and from pi to -pi. A written facing is the previous one in the frame after. */
static void half_turns(void **state) {
  (void)state;
  const float pi = 3.14159274f;
  static const struct {
    float x, z;   /* the new facing */
    int quarters; /* the previous yaw */
    int expected; /* eighths of a turn at alpha 0.5 */
  } yaws[] = {{0, -1, 0, 2}, {0, 1, 2, -2}, {1, 0, -1, 0}, {-1, 0, 1, 4}, {0, -1, -2, -4}, {-1, 0, 2, -3}};
  throng_error error;
  for (size_t k = 0; k < sizeof yaws / sizeof yaws[0]; k++) {
    throng_world *world = resting_world(THRONG_SPACE_PLANAR);
    throng_agent_id id;
    float instance[4];
    const throng_vec3 p = {0, 0, 0}, v = {yaws[k].x, 0, yaws[k].z};
    const float yaw = (float)yaws[k].quarters * (pi / 2);
    stage_add(world, 1, &p, &v, NULL, &id);
    require_ok(throng_agents_write(world, THRONG_COLUMN_FACING, &id, 1, &yaw, 0, &error), &error);
    stage_step(world, DT);
    read_instances(world, THRONG_INSTANCE_POSITION_YAW, false, 0.5f, instance);
    assert_true(fabsf(instance[3] - (float)yaws[k].expected * (pi / 4)) < 1e-6f);
    read_instances(world, THRONG_INSTANCE_POSITION_YAW, false, 0.0f, instance);
    assert_true(instance[3] == yaw);
    throng_world_destroy(world);
  }
  throng_world *world = resting_world(THRONG_SPACE_SPATIAL);
  const throng_vec3 p = {0, 0, 0}, v = {0.6f, 0.48f, 0.64f}, away = {-0.6f, -0.48f, -0.64f};
  stage_add(world, 1, &p, &v, NULL, NULL);
  require_ok(throng_agents_write(world, THRONG_COLUMN_FACING, NULL, 1, &away, 0, &error), &error);
  stage_step(world, DT);
  for (int k = 0; k <= 8; k++) {
    float it[FLOATS];
    read_instances(world, THRONG_INSTANCE_ROWS_3X4, false, (float)k / 8, it);
    const float sign = k < 4 ? -1.0f : 1.0f;
    assert_true(fabsf(it[2] - sign * v.x) < 1e-5f && fabsf(it[6] - sign * v.y) < 1e-5f &&
                fabsf(it[10] - sign * v.z) < 1e-5f);
  }
  throng_world_destroy(world);
}

/* A crowd of its own kind in each space, with mirrored axes and other units too. */
static throng_world *crowd_world(throng_space space, throng_axes axes, throng_isa isa, uint32_t threads,
                                 uint64_t seed) {
  throng_world_def def = throng_default_world_def();
  throng_world *world = NULL;
  throng_error error;
  static throng_vec3 p[CROWD];
  test_rng rng = rng_from(seed);
  def.space = space;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.axes = axes;
  const float side = 20 * axes.units_per_metre;
  def.box_max = (throng_vec3){side, side, side};
  def.isa = isa;
  def.thread_count = threads;
  def.keep_previous_pose = true;
  require_ok(throng_world_create(&def, &world, &error), &error);
  for (uint32_t k = 0; k < CROWD; k++)
    for (int c = 0; c < 3; c++) (&p[k].x)[c] = rng_float(&rng, 0, side);
  stage_add(world, CROWD, p, NULL, NULL, NULL);
  for (int frame = 0; frame < 6; frame++) stage_step(world, DT);
  return world;
}

static float crowd_instances[2][CROWD * 16];

static const throng_axes unreal = {THRONG_AXIS_Y, THRONG_AXIS_Z, THRONG_AXIS_X, 100.0f};
static const throng_axes mirrored = {THRONG_AXIS_MINUS_X, THRONG_AXIS_MINUS_Y, THRONG_AXIS_Z, 1.0f};

/* At alpha 0 every instance has the bits that it had before the step; between, it is between. */
static void alpha_0_is_the_frame_before(void **state) {
  (void)state;
  const throng_axes axes[3] = {throng_axes_own(), unreal, mirrored};
  for (uint32_t round = 0; round < 6; round++) {
    throng_world *world =
        crowd_world((throng_space)(round % 2), axes[round / 2], THRONG_ISA_AUTO, 1, base_seed + round);
    for (int form = 0; form < THRONG_INSTANCE_FORM_COUNT; form++) {
      const size_t floats = throng_instance_bytes((throng_instance_form)form) / sizeof(float);
      memset(crowd_instances, 0, sizeof crowd_instances);
      read_instances(world, (throng_instance_form)form, true, 1, crowd_instances[0]);
      stage_step(world, DT);
      read_instances(world, (throng_instance_form)form, true, 0, crowd_instances[1]);
      assert_memory_equal(crowd_instances[0], crowd_instances[1], sizeof crowd_instances[0]);
      if (form > THRONG_INSTANCE_POSITION_ROTATION) continue;
      static float now[CROWD * 16];
      const float length = 20 * axes[round / 2].units_per_metre;
      read_instances(world, (throng_instance_form)form, true, 1, now);
      read_instances(world, (throng_instance_form)form, true, 0.25f, crowd_instances[1]);
      for (uint32_t k = 0; k < CROWD; k++) {
        for (size_t c = 0; c < 3; c++) {
          const size_t i = floats * k + c;
          const float d = remainderf(now[i] - crowd_instances[0][i], length);
          const float off = remainderf(crowd_instances[1][i] - crowd_instances[0][i] - 0.25f * d, length);
          assert_true(fabsf(off) < 1e-6f * length);
        }
      }
    }
    throng_world_destroy(world);
  }
}

static void every_instruction_set_has_the_same_bits(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    bool first = true;
    for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT; isa++) {
      for (uint32_t threads = 1; threads <= 2; threads++) {
        if (!throng_isa_is_available((throng_isa)isa)) continue;
        throng_world *world = crowd_world((throng_space)space, throng_axes_own(), (throng_isa)isa, threads, base_seed);
        read_instances(world, THRONG_INSTANCE_ROWS_4X4, false, 0.3f, crowd_instances[!first]);
        if (!first) assert_memory_equal(crowd_instances[0], crowd_instances[1], sizeof crowd_instances[0]);
        first = false;
        throng_world_destroy(world);
      }
    }
  }
}

/* A shift of origin moves both poses, so that the crowd stays where it was. */
static void a_shift_moves_both_poses(void **state) {
  (void)state;
  throng_world *world = resting_world(THRONG_SPACE_PLANAR);
  const throng_vec3 p = {3, 0, 5}, v = {2, 0, -4}, wished = {7, 0, -2};
  throng_vec3 exact;
  throng_error error;
  float before[4], after[4];
  stage_add(world, 1, &p, &v, NULL, NULL);
  stage_step(world, 0.25f);
  read_instances(world, THRONG_INSTANCE_POSITION_YAW, false, 0.25f, before);
  require_ok(throng_world_shift_origin(world, wished, &exact, &error), &error);
  assert_true(exact.x == 7.0f && exact.z == -2.0f);
  read_instances(world, THRONG_INSTANCE_POSITION_YAW, false, 0.25f, after);
  assert_true(before[0] == 3.125f && after[0] == before[0] - 7.0f && after[2] == before[2] + 2.0f);
  throng_world_destroy(world);
}

/* Just below the lower face of a period, wrapping rounds to the upper face, which is outside. */
static void an_instance_is_inside_of_the_period(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_group_def group = stage_idle_group();
  const throng_vec3 p = {0, 0, 5}, v = {-0.01f, 0, 0};
  float instance[4];
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.keep_previous_pose = true;
  throng_world *world = stage_world(&def, &group);
  stage_add(world, 1, &p, &v, NULL, NULL);
  stage_step(world, DT);
  read_instances(world, THRONG_INSTANCE_POSITION_YAW, false, 1e-6f, instance);
  assert_true(instance[0] == nextafterf(100.0f, 0.0f));
  throng_world_destroy(world);
}

/* In pieces: a record of the exchange of a frame has the pose before the frame, whichever piece takes it, and when. */
struct courier {
  uint64_t columns;
  char record[256];
  bool packs; /* the exchange packs the agent; if not, it takes the record */
};
static throng_status carry(throng_world *world, const throng_piece_agents *agents, throng_error *error, void *context) {
  struct courier *courier = context;
  const uint32_t first = 0;
  if (courier->packs) return throng_piece_pack(world, courier->columns, &first, 1, courier->record, error);
  (void)agents;
  return throng_piece_take(world, courier->columns, courier->record, 1, true, error);
}

static void records_have_the_previous_pose(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    for (int in_exchange = 0; in_exchange < 2; in_exchange++) {
      struct courier courier = {.packs = true};
      throng_piece_def def = throng_default_piece_def();
      throng_error error;
      const throng_vec3 p = {1, 0, 2}, v = {3, 0, 1}, other = {9, 0, 9};
      float expected[FLOATS], got[FLOATS];
      throng_world *from = resting_world((throng_space)space), *to = resting_world((throng_space)space);
      def.exchange = carry;
      def.context = &courier;
      stage_add(from, 1, &p, &v, NULL, NULL);
      courier.columns = throng_piece_columns(from);
      assert_true(courier.columns & THRONG_PIECE_PREVIOUS_POSE);
      assert_true(throng_piece_record_bytes((throng_space)space, courier.columns) <= sizeof courier.record);
      stage_step(from, DT); /* its facing is now that of its velocity */
      require_ok(throng_piece_set(from, &def, &error), &error);
      stage_step(from, DT);
      read_instances(from, THRONG_INSTANCE_ROWS_3X4, true, 0.5f, expected);
      throng_agents_def agents = throng_default_agents_def();
      agents.position.data = &other;
      require_ok(throng_agents_add_with_ids(to, &agents, 1, &(throng_agent_id){7, 1, 0}, &error), &error);
      stage_step(to, DT);
      require_ok(throng_piece_set(to, &def, &error), &error);
      require_ok(throng_agents_reserve(to, 64, &error), &error);
      courier.packs = false;
      if (in_exchange) stage_step(to, DT);
      if (!in_exchange) require_ok(throng_piece_take(to, courier.columns, courier.record, 1, true, &error), &error);
      require_ok(throng_world_index(to, &error), &error);
      float both[2][FLOATS];
      read_instances(to, THRONG_INSTANCE_ROWS_3X4, true, 0.5f, both);
      memcpy(got, both[0], sizeof got); /* id index 1 */
      assert_memory_equal(got, expected, sizeof got);
      assert_true(fabsf(got[3] - (p.x + 1.5f * DT * v.x)) < 1e-5f);
      throng_world_destroy(from);
      throng_world_destroy(to);
    }
  }
}

/* A change by the host between two recorded frames makes no streak in the replay. */
static void replays(void **state) {
  (void)state;
  tape t = {0};
  throng_world *recorded = quiet_world();
  throng_record_hook hook = tape_hook(&t);
  throng_recorder *recorder = NULL;
  throng_error error;
  require_ok(throng_recorder_create(recorded, &hook, THRONG_RECORD_AGENTS, &recorder, &error), &error);
  require_ok(throng_recorder_step(recorder, DT, &error), &error);
  throng_agent_id ids[CROWD];
  uint32_t count = 0;
  require_ok(throng_agents_get_ids(recorded, ids, CROWD, &count, &error), &error);
  const throng_vec3 far = {-40, 0, -50};
  require_ok(throng_agents_move(recorded, &ids[3], 1, &far, NULL, &error), &error);
  require_ok(throng_recorder_step(recorder, DT, &error), &error);
  throng_recorder_destroy(recorder);
  throng_world_destroy(recorded);
  throng_world_def def;
  throng_replay replay;
  require_ok(throng_replay_get_def(t.bytes, t.size, &def, &error), &error);
  assert_false(def.keep_previous_pose);
  def.keep_previous_pose = true;
  throng_world *world = NULL;
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_replay_begin(&replay, world, t.bytes, t.size, &error), &error);
  while (!throng_replay_has_ended(&replay)) require_ok(throng_replay_step(&replay, world, NULL, &error), &error);
  static float instance[CROWD][4];
  read_instances(world, THRONG_INSTANCE_POSITION_YAW, true, 0.5f, instance);
  assert_true(instance[3][0] == far.x && instance[3][2] == far.z);
  throng_world_destroy(world);
  free(t.bytes);
}

/* The memory of previous poses comes with that of the agents, and only if the definition asks. */
static void memory(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    test_memory counted[2] = {{0}, {0}};
    throng_error error;
    throng_world *world[2];
    for (int keeps = 0; keeps < 2; keeps++) {
      throng_world_def def = throng_default_world_def();
      throng_group_def group = stage_idle_group();
      const throng_vec3 p = {1, 0, 1};
      def.space = (throng_space)space;
      def.capacity = 960;
      def.keep_previous_pose = keeps;
      def.allocator = test_allocator(&counted[keeps]);
      world[keeps] = stage_world(&def, &group);
      stage_add(world[keeps], 1, &p, NULL, NULL, NULL);
      const uint64_t calls = counted[keeps].calls;
      stage_step(world[keeps], DT);
      stage_step(world[keeps], DT);
      assert_true(counted[keeps].calls == calls);
    }
    const uint64_t arrays = space ? 12 : 6;
    assert_true(counted[1].live_bytes - counted[0].live_bytes == arrays * 1024 * sizeof(float));
    for (int keeps = 0; keeps < 2; keeps++) require_ok(throng_agents_reserve(world[keeps], 4992, &error), &error);
    assert_true(counted[1].live_bytes - counted[0].live_bytes == arrays * 5056 * sizeof(float));
    for (int keeps = 0; keeps < 2; keeps++) {
      throng_world_destroy(world[keeps]);
      assert_true(counted[keeps].live_bytes == 0 && counted[keeps].mistakes == 0);
    }
  }
}

static void failing_allocations(void **state) {
  (void)state;
  for (uint64_t fail_at = 1;; fail_at++) {
    test_memory counted = {.fail_at = fail_at};
    throng_world_def def = throng_default_world_def();
    throng_world *world = NULL;
    throng_error error;
    def.space = THRONG_SPACE_SPATIAL;
    def.keep_previous_pose = true;
    def.allocator = test_allocator(&counted);
    const throng_status status = throng_world_create(&def, &world, &error);
    throng_world_destroy(world);
    assert_true(counted.live_bytes == 0 && counted.mistakes == 0);
    if (status == THRONG_OK) break;
    assert_int_equal(status, THRONG_ERROR_OUT_OF_MEMORY);
  }
}

static void refused(void **state) {
  (void)state;
  float instance[4];
  throng_error error;
  throng_group_def group = stage_idle_group();
  const throng_vec3 p = {1, 0, 1};
  for (int keeps = 0; keeps < 2; keeps++) {
    throng_world_def def = throng_default_world_def();
    throng_instances_def instances = throng_default_instances_def();
    def.keep_previous_pose = keeps;
    throng_world *world = stage_world(&def, &group);
    stage_add(world, 1, &p, NULL, NULL, NULL);
    const struct {
      float alpha;
      throng_status status;
    } cases[] = {{-0.125f, THRONG_ERROR_BAD_VALUE}, {nextafterf(1, 2), THRONG_ERROR_BAD_VALUE},
                 {NAN, THRONG_ERROR_NOT_FINITE},    {INFINITY, THRONG_ERROR_NOT_FINITE},
                 {0.0f, THRONG_ERROR_UNSUPPORTED},  {nextafterf(1, 0), THRONG_ERROR_UNSUPPORTED}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
      instances.alpha = cases[k].alpha;
      const throng_status status = throng_agents_read_instances(world, &instances, 1, instance, &error);
      const bool allowed = keeps && cases[k].status == THRONG_ERROR_UNSUPPORTED;
      assert_int_equal(status, allowed ? THRONG_OK : cases[k].status);
      if (allowed) assert_true(instance[0] == 1.0f && instance[2] == 1.0f);
      if (!allowed) assert_non_null(strstr(error.text, "instances.alpha"));
      if (status == THRONG_ERROR_UNSUPPORTED) assert_non_null(strstr(error.text, "world.keep_previous_pose"));
    }
    throng_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(half_turns),
                                     cmocka_unit_test(alpha_0_is_the_frame_before),
                                     cmocka_unit_test(every_instruction_set_has_the_same_bits),
                                     cmocka_unit_test(a_shift_moves_both_poses),
                                     cmocka_unit_test(an_instance_is_inside_of_the_period),
                                     cmocka_unit_test(records_have_the_previous_pose),
                                     cmocka_unit_test(replays),
                                     cmocka_unit_test(memory),
                                     cmocka_unit_test(failing_allocations),
                                     cmocka_unit_test(refused)};
  base_seed = test_seed("instances_between", 20261130);
  return cmocka_run_group_tests_name("instances_between", tests, NULL, NULL);
}
