/* tests/promises/test_all_or_nothing.c: writes NaN and infinity wherever a host can: edit views, accelerations,
 * callbacks, columns. Checks that the next call that reads the value returns THRONG_ERROR_NOT_FINITE and names the
 * agent with the smallest id index, that the world is unchanged bit for bit, and that after a repair it continues as
 * if nothing had happened. Also checks positions and speeds just beyond their limits.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/fingerprint.h"
#include "support/full.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 700u
#define DT (1.0f / 64.0f)

static uint64_t base_seed;
static const float poisons[] = {NAN, -NAN, INFINITY, -INFINITY};
#define POISONS 4u

/* The arrays of the edit views. */
static const struct {
  const char *name;
  size_t offset;
} arrays[] = {{"position_x", offsetof(throng_edit, position_x)},
              {"position_y", offsetof(throng_edit, position_y)},
              {"position_z", offsetof(throng_edit, position_z)},
              {"velocity_x", offsetof(throng_edit, velocity_x)},
              {"velocity_y", offsetof(throng_edit, velocity_y)},
              {"velocity_z", offsetof(throng_edit, velocity_z)},
              {"acceleration_x", offsetof(throng_edit, acceleration_x)},
              {"acceleration_y", offsetof(throng_edit, acceleration_y)},
              {"acceleration_z", offsetof(throng_edit, acceleration_z)},
              {"yaw_acceleration", offsetof(throng_edit, yaw_acceleration)}};
#define ARRAYS (sizeof arrays / sizeof *arrays)
#define FIRST_ACCELERATION 6u

static float *array_of(const throng_edit *edit, size_t which) {
  float *array;
  memcpy(&array, (const char *)edit + arrays[which].offset, sizeof array);
  return array;
}

static void require_named(const throng_world *world, const throng_error *error, uint32_t index, uint64_t before,
                          const char *what) {
  if (error->agent.index == index && throng_agents_is_valid(world, error->agent) && fingerprint(world) == before)
    return;
  print_error("%s: the error names agent %u, expected %u: '%s'; the world is %s\n", what, error->agent.index, index,
              error->text, fingerprint(world) == before ? "unchanged" : "changed");
  fail();
}

/* Steps both worlds twice and checks that they stay equal. */
static void require_same_future(throng_world *mended, throng_world *undisturbed, const char *what) {
  throng_error error;
  for (int frame = 0; frame < 2; frame++) {
    require_ok(throng_world_step(mended, DT, &error), &error);
    require_ok(throng_world_step(undisturbed, DT, &error), &error);
  }
  if (fingerprint(mended) == fingerprint(undisturbed)) return;
  print_error("%s: the repaired world differs from an undisturbed one after two frames\n", what);
  fail();
}

/* The agents to which bad values were written, and their values before. */
typedef struct poisoning {
  uint32_t id_index[3], count, smallest;
  float was[3];
} poisoning;

static uint32_t slot_of(const throng_edit *edit, uint32_t id_index) {
  uint32_t slot = 0;
  while (edit->id_index[slot] != id_index) slot++;
  return slot;
}

static poisoning poison(const throng_edit *edit, size_t which, float value, test_rng *rng) {
  poisoning p = {.count = 1 + rng_below(rng, 3), .smallest = UINT32_MAX};
  float *array = array_of(edit, which);
  for (uint32_t k = 0; k < p.count; k++) {
    const uint32_t slot = (rng_below(rng, edit->count / 3) * 3 + k) % edit->count; /* a different slot for each k */
    p.id_index[k] = edit->id_index[slot];
    p.was[k] = array[slot];
    array[slot] = value;
    if (p.id_index[k] < p.smallest) p.smallest = p.id_index[k];
  }
  return p;
}

static void mend(const throng_edit *edit, size_t which, const poisoning *p) {
  for (uint32_t k = 0; k < p->count; k++) array_of(edit, which)[slot_of(edit, p->id_index[k])] = p->was[k];
}

/* Calls every function that inspects a dirty world; each must fail and name the agent with the smallest id index. */
static void meet(throng_world *world, const poisoning *p, const char *what) {
  throng_error error;
  const throng_status bad = THRONG_ERROR_NOT_FINITE;
  const uint64_t before = fingerprint(world);
  throng_vec3 centre = {1, 1, 1};
  throng_neighbour near;
  uint32_t count;
  require_error(throng_world_step(world, DT, &error), bad, &error);
  require_named(world, &error, p->smallest, before, what);
  require_error(throng_world_step(world, 0.0f, &error), bad, &error);
  require_named(world, &error, p->smallest, before, what);
  require_error(throng_world_steer(world, DT, &error), bad, &error);
  require_named(world, &error, p->smallest, before, what);
  require_error(throng_world_index(world, &error), bad, &error);
  require_named(world, &error, p->smallest, before, what);
  if (throng_world_get_def(world).boundary[0] != THRONG_BOUNDARY_PERIODIC) {
    require_error(throng_world_shift_origin(world, (throng_vec3){8, 0, 8}, NULL, &error), bad, &error);
    require_named(world, &error, p->smallest, before, what);
  }
  require_error(throng_world_integrate(world, DT, &error), THRONG_ERROR_NOT_STEERED, &error);
  require_error(throng_world_query_nearest(world, centre, 1, 1, &near, &count, &error), THRONG_ERROR_NOT_INDEXED,
                &error);
  assert_true(fingerprint(world) == before && throng_world_check(world, &error));
}

static void through_a_view(throng_world *world, throng_world *undisturbed, size_t which, float value, test_rng *rng) {
  throng_error error;
  throng_edit edit;
  if (which < FIRST_ACCELERATION) {
    require_ok(throng_world_edit(world, &edit, &error), &error);
    if (array_of(&edit, which) == NULL) return;
    const poisoning p = poison(&edit, which, value, rng);
    meet(world, &p, arrays[which].name);
    require_ok(throng_world_edit(world, &edit, &error), &error);
    mend(&edit, which, &p);
    require_ok(throng_world_edit(undisturbed, &edit, &error), &error); /* an edit makes all agents due */
  } else {
    require_ok(throng_world_steer(world, DT, &error), &error);
    require_ok(throng_world_edit_accelerations(world, &edit, &error), &error);
    if (array_of(&edit, which) == NULL) return;
    const poisoning p = poison(&edit, which, value, rng);
    for (int again = 0; again < 2; again++) { /* a second try fails in the same way */
      const uint64_t before = fingerprint(world);
      require_error(throng_world_integrate(world, DT, &error), THRONG_ERROR_NOT_FINITE, &error);
      require_named(world, &error, p.smallest, before, arrays[which].name);
      assert_true(throng_world_is_indexed(world));
    }
    mend(&edit, which, &p);
    require_ok(throng_world_integrate(world, DT, &error), &error);
    require_ok(throng_world_step(undisturbed, DT, &error), &error);
  }
  require_same_future(world, undisturbed, arrays[which].name);
}

/* Writes bad values to each array of the views, in random crowds of every space and boundary. Agents of planar crowds
 * have heights, so that planar worlds have position_y too. */
static void views(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed);
  for (uint32_t kind = 0; kind < 6; kind++) {
    const crowd_recipe recipe = {
        (throng_space)(kind % 2), (throng_boundary)(kind / 2), LAYOUT_UNIFORM, COUNT, false, false};
    crowd *c = crowd_random(base_seed + kind, &recipe);
    const crowd_world_options options = {.threads = 1 + kind % 3};
    throng_world *world = crowd_world(c, &options), *undisturbed = crowd_world(c, &options);
    for (size_t which = 0; which < ARRAYS; which++)
      for (uint32_t k = 0; k < POISONS; k++) through_a_view(world, undisturbed, which, poisons[k], &rng);
    throng_world_destroy(world);
    throng_world_destroy(undisturbed);
    crowd_free(c);
  }
}

/* A value at or next to a limit of an axis, and whether the library must accept it. */
typedef struct border {
  float value;
  bool good;
} border;
#define BORDERS 4

static void borders_of(const throng_world_def *def, size_t which, border to[BORDERS]) {
  const float min[] = {def->box_min.x, def->box_min.y, def->box_min.z},
              max[] = {def->box_max.x, def->box_max.y, def->box_max.z};
  const bool velocity = which > 2, free = velocity || def->boundary[0] == THRONG_BOUNDARY_UNBOUNDED;
  const float most = velocity ? 1e18f : 0x1p20f * def->perception_radius;
  const float low = free ? -most : min[which], high = free ? most : max[which];
  to[0] = (border){low, true};
  to[1] = (border){nextafterf(low, -INFINITY), false};
  to[2] = (border){high, true};
  to[3] = (border){nextafterf(high, INFINITY), false};
}

static void at_a_border(throng_world *world, size_t which, const border *at, test_rng *rng) {
  throng_error error;
  throng_edit edit;
  require_ok(throng_world_edit(world, &edit, &error), &error);
  const poisoning p = poison(&edit, which, at->value, rng);
  const uint64_t before = fingerprint(world);
  if (at->good) {
    require_ok(throng_world_index(world, &error), &error);
  } else {
    require_error(throng_world_index(world, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
    require_named(world, &error, p.smallest, before, arrays[which].name);
  }
  assert_true(throng_world_check(world, &error));
  require_ok(throng_world_edit(world, &edit, &error), &error);
  mend(&edit, which, &p);
  require_ok(throng_world_index(world, &error), &error);
}

/* Limits of positions (faces, grid limit) and of speeds: the limit is accepted, the next float beyond it refused. */
static void borders(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed + 55);
  for (uint32_t kind = 0; kind < 6; kind++) {
    const crowd_recipe recipe = {
        (throng_space)(kind % 2), (throng_boundary)(kind / 2), LAYOUT_UNIFORM, COUNT, false, false};
    crowd *c = crowd_random(base_seed + 100 + kind, &recipe);
    const crowd_world_options options = {.threads = 1 + kind % 3};
    throng_world *world = crowd_world(c, &options);
    const throng_world_def def = throng_world_get_def(world);
    for (size_t which = 0; which < FIRST_ACCELERATION; which++) {
      if (which % 3 == 1 && def.space == THRONG_SPACE_PLANAR) continue;
      border at[BORDERS];
      borders_of(&def, which, at);
      for (int k = 0; k < BORDERS; k++) at_a_border(world, which, &at[k], &rng);
    }
    throng_world_destroy(world);
    crowd_free(c);
  }
}

#define MANY 20000u /* enough for several tasks that check them */

static throng_world *many_on_a_map(test_rng *rng) {
  throng_world_def def = throng_default_world_def();
  throng_cells_def cells = throng_default_cells_def();
  throng_agents_def agents = throng_default_agents_def();
  const uint8_t blocked[4] = {1};
  throng_vec3 *p = calloc(MANY, sizeof *p);
  throng_world *world = NULL;
  throng_error error;
  if (p == NULL) abort();
  for (uint32_t k = 0; k < MANY; k++) p[k] = (throng_vec3){rng_float(rng, 0, 90), 0, rng_float(rng, 0, 90)};
  def.thread_count = 3;
  cells.width = cells.height = 2;
  cells.cell = 10.0f;
  cells.origin.x = cells.origin.z = -20.0f;
  cells.blocked = blocked;
  agents.position.data = p;
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  require_ok(throng_agents_add(world, &agents, MANY, NULL, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  free(p);
  return world;
}

/* Faults of an agent, and the error that each must cause. */
static const struct {
  float x, velocity_x;
  throng_status status;
} faults[] = {{NAN, 0, THRONG_ERROR_NOT_FINITE},
              {1, -INFINITY, THRONG_ERROR_NOT_FINITE},
              {0x1p21f, 0, THRONG_ERROR_OUT_OF_RANGE},
              {1, 2e18f, THRONG_ERROR_OUT_OF_RANGE},
              {-15, 0, THRONG_ERROR_BLOCKED}};

/* Gives several agents different faults. The error must be for the agent with the smallest id index, and name it. */
static void faults_of_many(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed + 66);
  throng_world *world = many_on_a_map(&rng);
  for (int round = 0; round < 60; round++) {
    throng_error error;
    throng_edit edit;
    uint32_t slot[6], smallest = UINT32_MAX;
    const uint32_t count = 1 + rng_below(&rng, 6);
    throng_status status = THRONG_OK;
    require_ok(throng_world_edit(world, &edit, &error), &error);
    for (uint32_t k = 0; k < count; k++) {
      slot[k] = MANY / 6 * k + rng_below(&rng, MANY / 6);
      const size_t fault = rng_below(&rng, sizeof faults / sizeof *faults);
      edit.position_x[slot[k]] = faults[fault].x;
      edit.position_z[slot[k]] = -15.0f;
      edit.velocity_x[slot[k]] = faults[fault].velocity_x;
      if (edit.id_index[slot[k]] >= smallest) continue;
      smallest = edit.id_index[slot[k]];
      status = faults[fault].status;
    }
    const uint64_t before = fingerprint(world);
    require_error(throng_world_index(world, &error), status, &error);
    require_named(world, &error, smallest, before, "several faults");
    for (uint32_t k = 0; k < count; k++) {
      edit.position_x[slot[k]] = edit.position_z[slot[k]] = rng_float(&rng, 0, 90);
      edit.velocity_x[slot[k]] = 0.0f;
    }
    require_ok(throng_world_index(world, &error), &error);
  }
  throng_world_destroy(world);
}

static void heights_and_turns(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed + 77);
  for (int space = 0; space < 2; space++) {
    const throng_world_def def = full_def((throng_space)space);
    throng_world *world = full_world(&def, NULL), *undisturbed = full_world(&def, NULL);
    throng_edit edit;
    throng_error error;
    require_ok(throng_world_steer(world, DT, &error), &error);
    require_ok(throng_world_edit_accelerations(world, &edit, &error), &error);
    assert_true((edit.yaw_acceleration != NULL) == (space == 0) && (edit.acceleration_y != NULL) == (space == 1));
    require_ok(throng_world_edit(world, &edit, &error), &error);
    assert_non_null(edit.position_y);
    for (size_t which = 0; which < ARRAYS; which++)
      for (uint32_t k = 0; k < POISONS; k++) through_a_view(world, undisturbed, which, poisons[k], &rng);
    throng_world_destroy(world);
    throng_world_destroy(undisturbed);
  }
}

/* Callbacks. */

typedef struct prank {
  uint32_t first, second; /* id indices */
  int axis;
  float value;
} prank;

static void play(const throng_block *block, void *context) {
  const prank *p = context;
  float *const axes[3] = {block->acceleration_x, block->acceleration_y, block->acceleration_z};
  full_callback(block, NULL);
  for (uint32_t k = 0; k < block->count; k++)
    if (block->id_index[k] == p->first || block->id_index[k] == p->second) axes[p->axis][k] = p->value;
}

static void callbacks(void **state) {
  (void)state;
  for (uint32_t kind = 0; kind < 4; kind++) {
    throng_world_def def = full_def((throng_space)(kind % 2));
    throng_agent_id id[FULL_AGENTS];
    def.thread_count = 1 + kind;
    throng_world *world = full_world(&def, id), *undisturbed = full_world(&def, NULL);
    for (int axis = 0; axis < 3; axis++)
      for (uint32_t k = 0; k < POISONS && (axis != 1 || kind % 2 == 1); k++) {
        prank p = {id[34].index, id[7].index, axis, poisons[k]}; /* of group 1, which has the callback */
        throng_error error;
        require_ok(throng_world_set_callback(world, FULL_NUMBER, play, &p, &error), &error);
        const uint64_t before = fingerprint(world);
        require_error(throng_world_step(world, DT, &error), THRONG_ERROR_NOT_FINITE, &error);
        require_named(world, &error, id[7].index, before, "a callback, step");
        require_error(throng_world_steer(world, DT, &error), THRONG_ERROR_NOT_FINITE, &error);
        require_named(world, &error, id[7].index, before, "a callback, steer");
        require_error(throng_world_integrate(world, DT, &error), THRONG_ERROR_NOT_STEERED, &error);
        assert_true(throng_world_is_indexed(world));
        require_ok(throng_world_set_callback(world, FULL_NUMBER, full_callback, NULL, &error), &error);
        require_same_future(world, undisturbed, "a callback");
      }
    throng_world_destroy(world);
    throng_world_destroy(undisturbed);
  }
}

/* Writes and adds four elements, one of them bad. Both calls must fail. The error text must name the bad element. */
static void columns(void **state) {
  (void)state;
  static const throng_column all[] = {
      THRONG_COLUMN_POSITION,          THRONG_COLUMN_VELOCITY,    THRONG_COLUMN_FACING, THRONG_COLUMN_GOAL,
      THRONG_COLUMN_PERCEPTION_RADIUS, THRONG_COLUMN_BODY_RADIUS, THRONG_COLUMN_MASS,   THRONG_COLUMN_MAX_SPEED};
  for (int space = 0; space < 2; space++) {
    const throng_world_def def = full_def((throng_space)space);
    throng_agent_id id[FULL_AGENTS];
    throng_world *world = full_world(&def, id), *undisturbed = full_world(&def, NULL);
    for (size_t c = 0; c < sizeof all / sizeof *all; c++)
      for (uint32_t k = 0; k < POISONS; k++) {
        const bool narrow = all[c] >= THRONG_COLUMN_PERCEPTION_RADIUS || (all[c] == THRONG_COLUMN_FACING && space == 0);
        throng_vec3 value[4];
        throng_error error;
        if (isnan(poisons[k]) && (all[c] == THRONG_COLUMN_GOAL || all[c] >= THRONG_COLUMN_PERCEPTION_RADIUS))
          continue; /* a NaN means "none" here */
        for (int a = 0; a < 4; a++)
          value[a] = (throng_vec3){1, space == 0 && all[c] == THRONG_COLUMN_VELOCITY ? 0.0f : 1, 1};
        for (int component = 0; component < (narrow ? 1 : 3); component++) {
          throng_vec3 bad[4];
          memcpy(bad, value, sizeof bad);
          (&bad[2].x)[component] = poisons[k];
          const uint64_t before = fingerprint(world);
          require_error(throng_agents_write(world, all[c], id, 4, bad, sizeof *bad, &error), THRONG_ERROR_NOT_FINITE,
                        &error);
          assert_true(strstr(error.text, "[2]") != NULL && fingerprint(world) == before);
          throng_agents_def more = full_agents(4);
          throng_span *const span = all[c] == THRONG_COLUMN_POSITION            ? &more.position
                                    : all[c] == THRONG_COLUMN_VELOCITY          ? &more.velocity
                                    : all[c] == THRONG_COLUMN_FACING            ? &more.facing
                                    : all[c] == THRONG_COLUMN_GOAL              ? &more.goal
                                    : all[c] == THRONG_COLUMN_PERCEPTION_RADIUS ? &more.perception_radius
                                    : all[c] == THRONG_COLUMN_BODY_RADIUS       ? &more.body_radius
                                    : all[c] == THRONG_COLUMN_MASS              ? &more.mass
                                                                                : &more.max_speed;
          *span = (throng_span){bad, sizeof *bad};
          require_error(throng_agents_add(world, &more, 4, NULL, &error), THRONG_ERROR_NOT_FINITE, &error);
          assert_true(strstr(error.text, "[2]") != NULL && fingerprint(world) == before);
        }
      }
    require_same_future(world, undisturbed, "columns");
    throng_world_destroy(world);
    throng_world_destroy(undisturbed);
  }
}

/* Calls that do not check positions must work in a world with bad ones. */
static void other_calls_on_a_broken_world(void **state) {
  (void)state;
  const throng_world_def def = full_def(THRONG_SPACE_PLANAR);
  throng_agent_id id[FULL_AGENTS];
  throng_world *world = full_world(&def, id);
  throng_error error;
  throng_edit edit;
  throng_formation_fill fill;
  const throng_cells_def cells = full_cells();
  const throng_scenery_def scenery = full_scenery(THRONG_SPACE_PLANAR);
  require_ok(throng_world_edit(world, &edit, &error), &error);
  for (uint32_t k = 0; k < edit.count; k += 2) edit.position_x[k] = poisons[k / 2 % POISONS], edit.velocity_z[k] = NAN;
  const float none[FULL_AGENTS] = {NAN};
  for (uint32_t k = 0; k < FULL_AGENTS; k++)
    require_ok(throng_agents_write(world, THRONG_COLUMN_FORMATION_PLACE, &id[k], 1, none, 0, &error), &error);
  require_ok(throng_world_fill_formation(world, 1, &fill, &error), &error);
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
  require_ok(throng_world_watch(world, id[3], &error), &error);
  require_ok(throng_agents_reserve(world, 500, &error), &error);
  assert_true(throng_world_check(world, &error));
  require_ok(throng_agents_remove(world, id, FULL_AGENTS, &error), &error); /* removing all agents repairs the world */
  require_ok(throng_world_step(world, DT, &error), &error);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_all_or_nothing", 1861);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(views),
      cmocka_unit_test(borders),
      cmocka_unit_test(faults_of_many),
      cmocka_unit_test(heights_and_turns),
      cmocka_unit_test(callbacks),
      cmocka_unit_test(columns),
      cmocka_unit_test(other_calls_on_a_broken_world),
  };
  return cmocka_run_group_tests_name("all_or_nothing", tests, NULL, NULL);
}
