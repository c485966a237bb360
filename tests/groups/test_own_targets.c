/* tests/groups/test_own_targets.c: tests of THRONG_COLUMN_TARGET and THRONG_TARGET_OWN: behaviours toward each agent's
 * own target. test_reference_a compares the exact bits with the formulas.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/groups.h"
#include "support/random.h"
#include "support/recordings.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AGENTS 120u

static uint64_t base_seed;

static void set_target(throng_world *world, throng_agent_id agent, throng_agent_id target) {
  throng_error error;
  require_ok(throng_agents_write(world, THRONG_COLUMN_TARGET, &agent, 1, &target, 0, &error), &error);
}
static throng_agent_id target_of(const throng_world *world, throng_agent_id agent) {
  throng_agent_id target;
  throng_error error;
  require_ok(throng_agents_read(world, THRONG_COLUMN_TARGET, &agent, 1, &target, 0, &error), &error);
  return target;
}

static bool is_bound_to_one(throng_behaviour_kind kind) {
  return kind <= THRONG_BEHAVIOUR_INTERPOSE || kind == THRONG_BEHAVIOUR_HIDE ||
         (kind >= THRONG_BEHAVIOUR_KINEMATIC_SEEK && kind <= THRONG_BEHAVIOUR_KINEMATIC_ARRIVE) || kind_turns(kind);
}

/* Returns a world of moving agents in group 0, with one behaviour toward `target`. */
static throng_world *hunters(throng_behaviour_kind kind, throng_space space, uint32_t threads, throng_agent_id *ids) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = throng_default_group_def();
  throng_vec3 p[AGENTS], v[AGENTS];
  test_rng rng = rng_from(base_seed);
  throng_error error;
  throng_world *world;
  def.space = space;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){16, 16, 16};
  def.thread_count = threads;
  if (space == THRONG_SPACE_PLANAR) g.facing = THRONG_FACING_STEERED, g.max_yaw_rate = 2.0f;
  group_want(&g, kind, 1.0f);
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++) {
    p[k] = (throng_vec3){rng_float(&rng, 0, 16), space ? rng_float(&rng, 0, 16) : 0, rng_float(&rng, 0, 16)};
    v[k] = (throng_vec3){rng_float(&rng, -1, 1), space ? rng_float(&rng, -1, 1) : 0, rng_float(&rng, -1, 1)};
  }
  stage_add(world, AGENTS, p, v, NULL, ids);
  return world;
}

static void bind(throng_world *world, throng_behaviour_kind kind, throng_target target) {
  throng_group_def g;
  throng_error error;
  require_ok(throng_world_get_group(world, 0, &g, &error), &error);
  group_want(&g, kind, 1.0f)->target = target;
  if (kind == THRONG_BEHAVIOUR_INTERPOSE) group_want(&g, kind, 1.0f)->other = target;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
}

/* If all own targets are one agent, the bits are those of a shared target, whatever the threads. */
static void one_own_target_is_a_shared_target(void **state) {
  (void)state;
  for (int kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++)
    for (int space = 0; space < 2; space++) {
      uint64_t hash[2];
      if (!is_bound_to_one((throng_behaviour_kind)kind) || kind == THRONG_BEHAVIOUR_LOOK) continue;
      if (space && kind_turns((throng_behaviour_kind)kind)) continue;
      for (uint32_t own = 0; own < 2; own++) {
        throng_agent_id ids[AGENTS];
        throng_error error;
        throng_world *world = hunters((throng_behaviour_kind)kind, (throng_space)space, 1 + 2 * own, ids);
        const throng_target shared = {.kind = THRONG_TARGET_AGENT, .agent = ids[7]},
                            owned = {.kind = THRONG_TARGET_OWN};
        bind(world, (throng_behaviour_kind)kind, own ? owned : shared);
        for (uint32_t k = 0; k < AGENTS && own; k++)
          if (k != 7) set_target(world, ids[k], ids[7]);
        for (uint32_t k = 0; k < 20; k++) {
          /* The leader itself moves differently: it is its own shared target, but has no own target. Put it back. */
          stage_step(world, 0.05f);
          const throng_vec3 p = {1, 0, (float)k * 0.1f}, v = {1, 0, 0.5f};
          require_ok(throng_agents_move(world, &ids[7], 1, &p, &v, &error), &error);
          stage_write(world, THRONG_COLUMN_FACING, ids[7], space ? v : (throng_vec3){0.5f, 0, 0});
          if (!space) stage_write(world, THRONG_COLUMN_YAW_RATE, ids[7], (throng_vec3){0, 0, 0});
        }
        hash[own] = throng_world_hash(world, MOTION_COLUMNS);
        throng_world_destroy(world);
      }
      if (hash[0] != hash[1]) fail_msg("%s: the bits differ", throng_behaviour_name((throng_behaviour_kind)kind));
    }
}

/* Each agent accelerates toward its own target; without one, not at all. */
static void everyone_goes_to_its_own(void **state) {
  (void)state;
  throng_agent_id ids[AGENTS];
  throng_error error;
  throng_world *world = hunters(THRONG_BEHAVIOUR_SEEK, THRONG_SPACE_PLANAR, 2, ids);
  throng_group_def g = stage_idle_group();
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->target.kind = THRONG_TARGET_OWN;
  g.when_target_lost = THRONG_WHEN_LOST_COAST;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  for (uint32_t k = 0; k < AGENTS; k++)
    if (k % 9 != 0) set_target(world, ids[k], ids[(k * 7 + 1) % AGENTS == k ? 0 : (k * 7 + 1) % AGENTS]);
  for (int frame = 0; frame < 30; frame++) {
    require_ok(throng_world_steer(world, 0.1f, &error), &error);
    for (uint32_t k = 0; k < AGENTS; k++) {
      const throng_agent_id prey = target_of(world, ids[k]);
      const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[k]);
      if (k % 9 == 0) assert_true(prey.index == 0 && stage_length(a) == 0.0);
      if (k % 9 == 0) continue;
      const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, ids[k]);
      const throng_vec3 q = stage_read(world, THRONG_COLUMN_POSITION, prey);
      const double x = remainder((double)q.x - (double)p.x, 16.0), z = remainder((double)q.z - (double)p.z, 16.0);
      const double along = (x * (double)a.x + z * (double)a.z) / (hypot(x, z) * stage_length(a));
      assert_true(along > 0.9999 || fabs(fabs(x) - 8.0) < 0.01 || fabs(fabs(z) - 8.0) < 0.01);
    }
    require_ok(throng_world_integrate(world, 0.1f, &error), &error);
  }
  throng_world_destroy(world);
}

/* If a prey is removed, its hunter is counted and named, and brakes to rest. A newcomer with the prey's index is not
 * the prey. Agents without a target, or whose group reads none, do not count. */
static void removed_prey(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.when_target_lost = THRONG_WHEN_LOST_BRAKE;
  g.max_speed = 2.0f;
  group_want(&g, THRONG_BEHAVIOUR_PURSUE, 1.0f)->target.kind = THRONG_TARGET_OWN;
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p[4] = {{0, 0, 0}, {20, 0, 0}, {0, 0, 20}, {20, 0, 20}},
                    v[4] = {{1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
  throng_agent_id ids[4], lost[4], newcomer, none = {0, 0, 0};
  throng_error error;
  uint32_t count = 9;
  stage_add(world, 4, p, v, NULL, ids);
  set_target(world, ids[0], ids[1]);
  set_target(world, ids[2], ids[3]);
  stage_step(world, 0.1f);
  assert_int_equal(throng_world_lost_target_count(world), 0);
  require_ok(throng_world_get_lost_agents(world, NULL, 0, &count, &error), &error);
  assert_int_equal(count, 0);
  require_ok(throng_agents_remove(world, &ids[1], 1, &error), &error);
  assert_int_equal(throng_world_lost_target_count(world), 1);
  require_error(throng_world_get_lost_agents(world, lost, 0, &count, &error), THRONG_ERROR_CAPACITY, &error);
  require_error(throng_world_get_lost_agents(world, NULL, 4, &count, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_get_lost_agents(world, lost, 4, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_get_lost_agents(NULL, lost, 4, &count, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_ok(throng_world_get_lost_agents(world, lost, 4, &count, &error), &error);
  assert_true(count == 1 && throng_agent_id_equal(lost[0], ids[0]));
  stage_add(world, 1, &(throng_vec3){-20, 0, 0}, NULL, NULL, &newcomer);
  assert_true(newcomer.index == ids[1].index && newcomer.generation != ids[1].generation);
  assert_true(throng_agent_id_equal(target_of(world, ids[0]), ids[1]));
  for (int frame = 0; frame < 40; frame++) stage_step(world, 0.1f);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[0])) == 0.0);
  assert_true(stage_read(world, THRONG_COLUMN_POSITION, ids[0]).x > 0.0f);
  assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[2])) > 1.9);
  assert_int_equal(throng_world_lost_target_count(world), 1);
  set_target(world, ids[0], none); /* not lost by removal: it has none */
  assert_int_equal(throng_world_lost_target_count(world), 0);
  group_want(&g, THRONG_BEHAVIOUR_PURSUE, 0.0f);
  require_ok(throng_agents_remove(world, &ids[3], 1, &error), &error);
  assert_int_equal(throng_world_lost_target_count(world), 1);
  require_ok(throng_world_set_group(world, 0, &g, &error), &error); /* the behaviour has no weight */
  assert_int_equal(throng_world_lost_target_count(world), 0);
  throng_world_destroy(world);
}

/* interpose between the goal and the own target: it brakes where either is missing. */
static void two_targets(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    throng_group_def g = stage_idle_group();
    g.when_target_lost = THRONG_WHEN_LOST_BRAKE;
    g.max_speed = 2.0f;
    throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_INTERPOSE, 1.0f);
    b->other.kind = THRONG_TARGET_OWN;
    throng_world *world = stage_world(NULL, &g);
    throng_agent_id ids[2];
    stage_add(world, 2, (throng_vec3[]){{0, 0, 0}, {20, 0, 40}}, (throng_vec3[]){{1, 0, 0}, {0, 0, 0}},
              (throng_vec3[]){{k & 1 ? 20 : NAN, 0, 0}, {NAN, 0, 0}}, ids);
    if (k & 2) set_target(world, ids[0], ids[1]);
    for (int frame = 0; frame < 40; frame++) stage_step(world, 0.1f);
    const double speed = stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[0]));
    assert_true(k == 3 ? speed > 1.5 : speed == 0.0);
    throng_world_destroy(world);
  }
}

static void what_is_refused(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_agent_id ids[3];
  throng_error error;
  stage_add(world, 3, (throng_vec3[]){{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, NULL, NULL, ids);
  const throng_agent_id gone = ids[2];
  require_ok(throng_agents_remove(world, &ids[2], 1, &error), &error);
  throng_agent_id foreign = ids[0], future = ids[0], far = ids[0];
  foreign.world++;
  future.generation++;
  far.index = 0x7FFFFFFFu;
  const struct {
    throng_agent_id id;
    throng_status status;
    const char *word;
  } bad[] = {{gone, THRONG_ERROR_STALE_ID, "names no live agent"},
             {future, THRONG_ERROR_STALE_ID, "target[1]"},
             {far, THRONG_ERROR_STALE_ID, "target[1]"},
             {foreign, THRONG_ERROR_FOREIGN_ID, "of world"},
             {ids[1], THRONG_ERROR_BAD_VALUE, "is the agent itself"}};
  for (int written = 0; written < 2; written++) {
    const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
      const throng_agent_id two[2] = {ids[1], bad[k].id};
      require_error(throng_agents_write(world, THRONG_COLUMN_TARGET, ids, 2, two, 0, &error), bad[k].status, &error);
      assert_non_null(strstr(error.text, bad[k].word));
      require_error(throng_agents_write(world, THRONG_COLUMN_TARGET, NULL, 2, two, 0, &error), bad[k].status, &error);
      throng_agents_def def = throng_default_agents_def();
      def.position.data = (throng_vec3[]){{3, 0, 0}, {4, 0, 0}};
      def.target.data = two;
      if (bad[k].status != THRONG_ERROR_BAD_VALUE)
        require_error(throng_agents_add(world, &def, 2, NULL, &error), bad[k].status, &error);
      assert_true(throng_world_hash(world, STATE_COLUMNS) == hash && throng_agents_count(world) == 2);
    }
    set_target(world, ids[0], ids[1]);
  }
  const throng_agent_id odd_null = {0, 5, 9};
  set_target(world, ids[0], odd_null);
  const throng_agent_id read = target_of(world, ids[0]);
  assert_true(read.index == 0 && read.generation == 0 && read.world == 0);

  throng_agents_def def = throng_default_agents_def();
  throng_agent_id hunter;
  def.position.data = &(throng_vec3){9, 0, 9};
  def.target.data = &ids[1];
  require_ok(throng_agents_add(world, &def, 1, &hunter, &error), &error);
  assert_true(throng_agent_id_equal(target_of(world, hunter), ids[1]));

  throng_world_destroy(world);
}

/* Behaviours that predict stop or give up at walls for each agent's own target as for a shared one, to the bit. */
static void walls_stop_own_targets(void **state) {
  (void)state;
  for (int k = 0; k < 16; k++) {
    const bool pursues = k & 1, spatial = k & 2;
    throng_world_def def = throng_default_world_def();
    def.space = spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
    throng_group_def g = stage_idle_group();
    throng_behaviour *b = group_want(&g, pursues ? THRONG_BEHAVIOUR_PURSUE : THRONG_BEHAVIOUR_EVADE, 1.0f);
    *(pursues ? &b->pursue.max_prediction : &b->evade.max_prediction) = 5.0f;
    *(pursues ? &b->pursue.stop_at_walls : &b->evade.stop_at_walls) = k & 4;
    *(pursues ? &b->pursue.give_up_at_walls : &b->evade.give_up_at_walls) = k & 8;
    throng_world *world = stage_world(&def, &g);
    throng_agent_id ids[3];
    throng_error error;
    stage_add(world, 3, (throng_vec3[]){{0, 0, -6}, {3, 0, -5}, {0, 0, 0}},
              (throng_vec3[]){{0, 0, 0}, {0, 0, 1}, {1, 0, 0}}, NULL, ids);
    throng_scenery_def scenery = throng_default_scenery_def();
    const throng_vec3 a[] = {{2, -1, -9}, {2.5f, 9, 9}}, c[] = {{2, 0, -9}, {2, 0, 9}};
    scenery.wall_from.data = spatial ? NULL : &c[0];
    scenery.wall_to.data = spatial ? NULL : &c[1];
    scenery.wall_count = spatial ? 0 : 1;
    scenery.box_min.data = spatial ? &a[0] : NULL;
    scenery.box_max.data = spatial ? &a[1] : NULL;
    scenery.box_count = spatial ? 1 : 0;
    require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
    b->target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[2]};
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    require_ok(throng_world_steer(world, 0.1f, &error), &error);
    const throng_vec3 shared[] = {stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0]),
                                  stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1])};
    b->target = (throng_target){.kind = THRONG_TARGET_OWN};
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    for (int i = 0; i < 2; i++) set_target(world, ids[i], ids[2]);
    require_ok(throng_world_steer(world, 0.1f, &error), &error);
    for (int i = 0; i < 2; i++) {
      const throng_vec3 own = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[i]);
      assert_memory_equal(&own, &shared[i], sizeof own);
      assert_true(stage_length(own) > 0.0);
    }
    throng_world_destroy(world);
  }
}

#define SQUADS 500u
#define SQUAD 8u

struct squads {
  throng_world *world;
  throng_vec3 places[SQUAD];
  throng_agent_id leader[SQUADS], follower[SQUADS][SQUAD];
};

/* 500 squads of 8 in one group, 20 m apart, each with a leader of its own in another group. */
static struct squads *gather_squads(void) {
  static struct squads squads;
  struct squads *s = &squads;
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 2.0f;
  throng_group_def followers = stage_idle_group(), leaders = stage_idle_group();
  followers.max_speed = 2.5f;
  followers.max_acceleration = 10.0f;
  followers.when_target_lost = THRONG_WHEN_LOST_BRAKE;
  group_want(&followers, THRONG_BEHAVIOUR_FORMATION, 1.0f)->target.kind = THRONG_TARGET_OWN;
  leaders.max_speed = 1.4f;
  s->world = stage_world(&def, &followers);
  throng_error error;
  require_ok(throng_world_set_group(s->world, 1, &leaders, &error), &error);
  for (uint32_t k = 0; k < SQUAD; k++)
    s->places[k] = (throng_vec3){k % 2 ? 0.6f : -0.6f, 0, -0.8f * (float)(1 + k / 2)};
  throng_formation_def formation = throng_default_formation_def();
  formation.places.data = s->places;
  formation.count = SQUAD;
  require_ok(throng_world_set_formation(s->world, 0, &formation, &error), &error);
  for (uint32_t i = 0; i < SQUADS; i++) {
    const throng_vec3 at = {20.0f * (float)(i % 25), 0, 20.0f * (float)(i / 25)};
    throng_vec3 near[SQUAD];
    for (uint32_t k = 0; k < SQUAD; k++)
      near[k] = (throng_vec3){at.x + (float)(k * 5 % 8) * 0.5f - 2.0f, 0, at.z - 1.0f - (float)(k % 3)};
    stage_add(s->world, 1, &at, &(throng_vec3){0, 0, 1.4f}, NULL, &s->leader[i]);
    stage_add(s->world, SQUAD, near, NULL, NULL, s->follower[i]);
    require_ok(throng_agents_write(s->world, THRONG_COLUMN_GROUP, &s->leader[i], 1, &(uint8_t){1}, 0, &error), &error);
    for (uint32_t k = 0; k < SQUAD; k++) set_target(s->world, s->follower[i][k], s->leader[i]);
  }
  return s;
}

/* The mean distance of the followers from their places; no two of a squad have the same. */
static double mean_error(const struct squads *s) {
  double sum = 0.0;
  for (uint32_t i = 0; i < SQUADS; i++) {
    const throng_vec3 q = stage_read(s->world, THRONG_COLUMN_POSITION, s->leader[i]);
    const float yaw = stage_read(s->world, THRONG_COLUMN_FACING, s->leader[i]).x, c = cosf(yaw), n = sinf(yaw);
    bool taken[SQUAD] = {false};
    for (uint32_t k = 0; k < SQUAD; k++) {
      const uint32_t place = (uint32_t)stage_read(s->world, THRONG_COLUMN_FORMATION_PLACE, s->follower[i][k]).x;
      assert_true(place < SQUAD && !taken[place]);
      taken[place] = true;
      const throng_vec3 o = s->places[place], wanted = {q.x - c * o.x + n * o.z, 0, q.z + n * o.x + c * o.z};
      sum += stage_distance(stage_read(s->world, THRONG_COLUMN_POSITION, s->follower[i][k]), wanted);
    }
  }
  return sum / (SQUADS * SQUAD);
}

/* Their leaders walk in circles of 7 m at 1.4 m/s. */
static void squads_keep_formation(void **state) {
  (void)state;
  struct squads *s = gather_squads();
  static throng_vec3 moving[SQUADS];
  throng_formation_fill fill;
  throng_error error;
  require_ok(throng_world_fill_formation(s->world, 0, &fill, &error), &error);
  assert_true(fill.placed == SQUADS * SQUAD && fill.open_places == 0 && fill.left_over == 0);
  for (int frame = 0; frame < 600; frame++) {
    const float turned = 0.2f * (float)frame / 60.0f;
    for (uint32_t i = 0; i < SQUADS; i++) moving[i] = (throng_vec3){1.4f * sinf(turned), 0, 1.4f * cosf(turned)};
    require_ok(throng_agents_write(s->world, THRONG_COLUMN_VELOCITY, s->leader, SQUADS, moving, 0, &error), &error);
    stage_step(s->world, 1.0f / 60.0f);
  }
  const double off = mean_error(s);
  print_message("500 squads of 8: mean error %.3f m at 1.4 m/s\n", off);
  assert_true(off <= 0.3);
  require_ok(throng_agents_remove(s->world, &s->leader[3], 1, &error), &error);
  for (int frame = 0; frame < 120; frame++) stage_step(s->world, 1.0f / 60.0f);
  for (uint32_t k = 0; k < SQUAD; k++) /* without a leader they stand */
    assert_true(stage_length(stage_read(s->world, THRONG_COLUMN_VELOCITY, s->follower[3][k])) == 0.0);
  throng_world_destroy(s->world);
}

/* A snapshot with live and lost targets goes on as the world does. */
static void snapshots(void **state) {
  (void)state;
  throng_agent_id ids[AGENTS];
  throng_error error;
  throng_world *world = hunters(THRONG_BEHAVIOUR_PURSUE, THRONG_SPACE_SPATIAL, 2, ids);
  bind(world, THRONG_BEHAVIOUR_PURSUE, (throng_target){.kind = THRONG_TARGET_OWN});
  for (uint32_t k = 0; k < AGENTS; k++) set_target(world, ids[k], ids[(k + 50) % AGENTS]);
  stage_step(world, 0.1f);
  require_ok(throng_agents_remove(world, &ids[60], 9, &error), &error);
  stage_step(world, 0.1f);
  snapshot saved = snapshot_take(world);
  throng_world *copy = snapshot_world(&saved, NULL);
  assert_true(throng_world_lost_target_count(copy) == 9 && throng_world_lost_target_count(world) == 9);
  for (int frame = 0; frame < 10; frame++) {
    stage_step(world, 0.1f);
    stage_step(copy, 0.1f);
    assert_true(throng_world_hash(world, STATE_COLUMNS) == throng_world_hash(copy, STATE_COLUMNS));
  }
  snapshot_free(&saved);
  throng_world_destroy(copy);
  throng_world_destroy(world);
}

/* A recording in which targets change, are removed, and come back as agents with the same index: a replay has the same
 * bits, the same targets and the same lost agents. */
static void recordings(void **state) {
  (void)state;
  throng_agent_id ids[AGENTS], newcomer;
  throng_error error;
  throng_recorder *recorder;
  throng_replay replay;
  tape t = {0};
  const throng_record_hook hook = tape_hook(&t);
  uint64_t hash[12];
  uint32_t lost[12];
  throng_world *world = hunters(THRONG_BEHAVIOUR_PURSUE, THRONG_SPACE_SPATIAL, 2, ids);
  bind(world, THRONG_BEHAVIOUR_PURSUE, (throng_target){.kind = THRONG_TARGET_OWN});
  require_ok(throng_recorder_create(world, &hook, THRONG_RECORD_AGENTS, &recorder, &error), &error);
  for (uint32_t frame = 0; frame < 12; frame++) {
    if (frame == 2) /* the column is created */
      for (uint32_t k = 0; k < AGENTS; k++) set_target(world, ids[k], ids[(k + 50) % AGENTS]);
    if (frame == 5) require_ok(throng_agents_remove(world, &ids[60], 9, &error), &error);
    if (frame == 7) stage_add(world, 1, &(throng_vec3){8, 8, 8}, NULL, NULL, &newcomer);
    if (frame == 9) set_target(world, ids[11], newcomer);
    require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
    hash[frame] = throng_world_hash(world, STATE_COLUMNS);
    lost[frame] = throng_world_lost_target_count(world);
  }
  assert_true(lost[4] == 0 && lost[5] == 9 && lost[11] == 8);
  throng_recorder_destroy(recorder);
  for (uint64_t seed = 0; seed < 4; seed++) {
    throng_world *copy = tape_replay(&t, seed, &replay);
    for (uint32_t frame = 0; frame < 12; frame++) {
      throng_replay_difference d;
      require_ok(throng_replay_step(&replay, copy, &d, &error), &error);
      assert_false(d.differs);
      assert_true(throng_world_hash(copy, STATE_COLUMNS) == hash[frame]);
      assert_int_equal(throng_world_lost_target_count(copy), lost[frame]);
    }
    assert_true(throng_agent_id_equal(target_of(copy, ids[11]), newcomer));
    assert_true(throng_agent_id_equal(target_of(copy, ids[12]), ids[62])); /* removed */
    throng_world_destroy(copy);
  }
  throng_world_destroy(world);
  free(t.bytes);
}

int main(void) {
  base_seed = test_seed("test_own_targets", 515);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_own_target_is_a_shared_target),
      cmocka_unit_test(everyone_goes_to_its_own),
      cmocka_unit_test(removed_prey),
      cmocka_unit_test(two_targets),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(walls_stop_own_targets),
      cmocka_unit_test(squads_keep_formation),
      cmocka_unit_test(snapshots),
      cmocka_unit_test(recordings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
