/* tests/world/test_changes.c: after random changes, the sort that places only changed agents gives the bits of the sort
 * that places all agents. Each change is made in two worlds; in one of them every sort is told that the old order
 * cannot be used. SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include "state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 12000u /* agents of a world */
#define ROUNDS 8
#define POSITION THRONG_BIT(THRONG_COLUMN_POSITION)

static uint64_t base_seed;

typedef struct pair {
  throng_world *worlds[2]; /* the second one sorts all agents */
  test_rng rng;
  float side;       /* agents are added in a square or cube of this many metres */
  bool piece;       /* the worlds are pieces */
  bool removed;     /* since the last sort */
  uint32_t largest; /* the largest id index so far */
  throng_agent_id ids[MOST];
  throng_vec3 places[MOST], velocities[MOST];
} pair;
static pair t;

static throng_status exchange(throng_world *in, const throng_piece_agents *agents, throng_error *error, void *context) {
  (void)in, (void)agents, (void)error, (void)context;
  return THRONG_OK;
}

static uint32_t count_of(void) { return t.worlds[0]->agents.count - t.worlds[0]->piece.ghosts; }

/* Makes the two worlds without agents. */
static void open_worlds(uint64_t seed, uint32_t agents) {
  throng_world_def def = throng_default_world_def();
  const throng_group_def group = throng_default_group_def();
  throng_piece_def piece = throng_default_piece_def();
  const throng_vec3 all = {INFINITY, INFINITY, INFINITY}, low = {-INFINITY, -INFINITY, -INFINITY};
  throng_error error;
  t.rng = rng_from(seed);
  t.piece = rng_chance(&t.rng, 0.25f);
  t.removed = false;
  t.largest = 0;
  def.space = (throng_space)rng_below(&t.rng, 2);
  const bool clump = agents <= 300 && rng_chance(&t.rng, 0.2f); /* all agents in a few cells */
  const float room = (float)agents / 4.0f;
  t.side = clump ? 0.3f : 6.0f + (def.space == THRONG_SPACE_SPATIAL ? cbrtf(room) : sqrtf(room));
  throng_world_def_set_boundary(&def, (throng_boundary)rng_below(&t.rng, 3));
  def.box_min = (throng_vec3){0, 0, 0};
  const float box = clump ? 8.0f : t.side;
  def.box_max = (throng_vec3){box, box, box};
  def.thread_count = 1 + rng_below(&t.rng, 3);
  def.sparse_ids = rng_chance(&t.rng, 0.3f);
  piece.exchange = exchange;
  for (int w = 0; w < 2; w++) {
    require_ok(throng_world_create(&def, &t.worlds[w], &error), &error);
    for (uint32_t g = 0; g < 2; g++) require_ok(throng_world_set_group(t.worlds[w], g, &group, &error), &error);
    if (!t.piece) continue;
    require_ok(throng_piece_set(t.worlds[w], &piece, &error), &error);
    require_ok(throng_piece_set_inner_box(t.worlds[w], low, all, &error), &error);
  }
}

static void close_worlds(void) {
  for (int w = 0; w < 2; w++) throng_world_destroy(t.worlds[w]);
}

/* Draws a place that is not inside scenery. */
static throng_vec3 random_place(void) {
  throng_vec3 place;
  do {
    place.x = rng_float(&t.rng, 0, t.side);
    place.y = rng_float(&t.rng, 0, t.side);
    place.z = rng_float(&t.rng, 0, t.side);
    if (!t.worlds[0]->space.spatial) place.y = 0.0f;
  } while (!throng_world_is_free(t.worlds[0], place, 0.0f));
  return place;
}

/* Draws a number of agents to change: usually few. */
static uint32_t draw_count(uint32_t most) {
  const float share = rng_chance(&t.rng, 0.6f) ? 0.01f : rng_chance(&t.rng, 0.7f) ? 0.05f : 1.0f;
  const uint32_t limit = (uint32_t)(share * (float)most) + 1;
  const uint32_t count = 1 + rng_below(&t.rng, limit);
  return count < most ? count : most;
}

/* Draws `count` different agents. */
static void draw_ids(uint32_t count) {
  throng_error error;
  uint32_t all;
  require_ok(throng_agents_get_ids(t.worlds[0], t.ids, MOST, &all, &error), &error);
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t other = k + rng_below(&t.rng, all - k);
    const throng_agent_id id = t.ids[k];
    t.ids[k] = t.ids[other];
    t.ids[other] = id;
  }
}

/* Adds agents at t.places, with ids that throng chooses or that the test does. */
static void add_at_places(uint32_t count) {
  throng_agents_def def = throng_default_agents_def();
  throng_agent_id got[2], *ids = NULL;
  throng_error error;
  uint8_t groups[2] = {0, 1};
  const bool given = rng_chance(&t.rng, 0.3f);
  if (count_of() + count > MOST / 2 || count == 0) return;
  for (uint32_t k = 0; k < count; k++) {
    t.velocities[k].x = rng_float(&t.rng, -2, 2);
    t.velocities[k].z = rng_float(&t.rng, -2, 2);
    if (given) t.ids[k] = (throng_agent_id){t.largest + count - k, (uint16_t)(1 + k % 5), 0};
  }
  def.position.data = t.places;
  def.velocity.data = t.velocities;
  def.group = (throng_span){&groups[rng_below(&t.rng, 2)], THRONG_STRIDE_ONE};
  for (int w = 0; w < 2; w++) {
    if (given) require_ok(throng_agents_add_with_ids(t.worlds[w], &def, count, t.ids, &error), &error);
    if (given) continue;
    ids = malloc(count * sizeof *ids);
    if (ids == NULL) abort();
    require_ok(throng_agents_add(t.worlds[w], &def, count, ids, &error), &error);
    got[w] = ids[count - 1];
    free(ids);
  }
  if (!given) assert_true(throng_agent_id_equal(got[0], got[1]));
  t.largest = t.worlds[0]->agents.ids.used;
}

static void add_some(void) {
  const uint32_t count = draw_count(count_of() + 1);
  for (uint32_t k = 0; k < count; k++) t.places[k] = random_place();
  add_at_places(count);
}

static void remove_ids(uint32_t count, bool together) {
  throng_error error;
  for (int w = 0; w < 2; w++) {
    if (together) require_ok(throng_agents_remove(t.worlds[w], t.ids, count, &error), &error);
    for (uint32_t k = 0; k < count && !together; k++)
      require_ok(throng_agents_remove(t.worlds[w], &t.ids[k], 1, &error), &error);
  }
  t.removed = true;
}

/* Removes agents; usually adds as many, in the cells that they leave. */
static void remove_some(void) {
  const uint32_t count = draw_count(count_of());
  throng_error error;
  draw_ids(count);
  require_ok(throng_agents_read(t.worlds[0], THRONG_COLUMN_POSITION, t.ids, count, t.places, 0, &error), &error);
  remove_ids(count, rng_chance(&t.rng, 0.5f));
  if (rng_chance(&t.rng, 0.5f)) add_at_places(count);
}

/* Removes the agents in the last slots: no other agent takes their slots. */
static void remove_last(void) {
  const struct agents *agents = &t.worlds[0]->agents;
  const uint32_t count = rng_chance(&t.rng, 0.1f) ? agents->count : draw_count(agents->count);
  uint32_t own = 0;
  for (uint32_t slot = agents->count; slot-- > agents->count - count;) {
    const uint32_t meta = agents->front.meta[slot];
    if (meta & META_GHOST) continue;
    t.ids[own++] = (throng_agent_id){agents->front.id[slot], (uint16_t)meta_generation(meta), 0};
  }
  remove_ids(own, true);
}

static void move_some(bool write) {
  const uint32_t count = draw_count(count_of());
  throng_error error;
  draw_ids(count);
  for (uint32_t k = 0; k < count; k++) t.places[k] = random_place();
  for (int w = 0; w < 2; w++) {
    require_ok(write ? throng_agents_write(t.worlds[w], THRONG_COLUMN_POSITION, t.ids, count, t.places, 0, &error)
                     : throng_agents_move(t.worlds[w], t.ids, count, t.places, NULL, &error),
               &error);
  }
}

/* Writes through the pointers of throng_world_edit: some agents change places with others. */
static void edit_some(void) {
  const uint32_t count = t.worlds[0]->agents.count, changes = draw_count(count);
  const uint64_t state = t.rng.state;
  throng_error error;
  throng_edit edit;
  for (int w = 0; w < 2 && !t.removed; w++) {
    t.rng.state = state; /* the slots of the two worlds are equal: they were compared after the last sort */
    require_ok(throng_world_edit(t.worlds[w], &edit, &error), &error);
    for (uint32_t k = 0; k < changes; k++) {
      const throng_vec3 place = random_place();
      const uint32_t slot = rng_below(&t.rng, count);
      edit.position_x[slot] = place.x;
      if (edit.position_y) edit.position_y[slot] = place.y;
      edit.position_z[slot] = place.z;
    }
  }
}

/* Calls that fail: they change nothing. */
static void fail_some(void) {
  throng_agents_def def = throng_default_agents_def();
  throng_error error;
  throng_world *world = t.worlds[0];
  draw_ids(1);
  const throng_vec3 place = random_place(), places[3] = {place, {NAN, 0, 1}, place};
  const throng_agent_id twice[2] = {t.ids[0], t.ids[0]}, stale[2] = {t.ids[0], {t.largest + 1, 1, 0}};
  def.position.data = places;
  require_error(throng_agents_add(world, &def, 3, NULL, &error), THRONG_ERROR_NOT_FINITE, &error);
  require_error(throng_agents_add_with_ids(world, &def, 1, twice, &error), THRONG_ERROR_STALE_ID, &error);
  require_error(throng_agents_remove(world, twice, 2, &error), THRONG_ERROR_STALE_ID, &error);
  require_error(throng_agents_remove(world, stale, 2, &error), THRONG_ERROR_STALE_ID, &error);
  require_error(throng_agents_move(world, stale, 2, places, NULL, &error), THRONG_ERROR_STALE_ID, &error);
}

/* A piece takes agents or ghosts between frames, or drops its ghosts. */
static void take_some(void) {
  struct {
    throng_piece_head head;
    float p[3];
  } records[20];
  const uint32_t count = 1 + rng_below(&t.rng, 20);
  const bool ghosts = rng_chance(&t.rng, 0.5f);
  const bool spatial = t.worlds[0]->space.spatial;
  throng_error error;
  uint8_t packed[sizeof records];
  const size_t bytes = throng_piece_record_bytes(spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR, POSITION);
  assert_true(bytes <= sizeof records[0]);
  for (uint32_t k = 0; k < count; k++) {
    const throng_vec3 p = random_place();
    records[k].head = (throng_piece_head){++t.largest, 1, (uint8_t)(k % 2), 0};
    memcpy(records[k].p, spatial ? (float[]){p.x, p.y, p.z} : (float[]){p.x, p.z, 0}, sizeof records[k].p);
    memcpy(packed + k * bytes, &records[k], bytes);
  }
  for (int w = 0; w < 2; w++) {
    require_ok(throng_piece_take(t.worlds[w], POSITION, packed, count, !ghosts, &error), &error);
  }
}

static void drop_ghosts(void) {
  throng_error error;
  for (int w = 0; w < 2; w++) require_ok(throng_piece_drop_ghosts(t.worlds[w], &error), &error);
  t.removed = t.removed || t.worlds[0]->removed;
}

static void change(void) {
  throng_error error;
  if (t.worlds[0]->piece.ghosts > 0 && rng_chance(&t.rng, 0.3f)) drop_ghosts();
  const uint32_t what = rng_below(&t.rng, t.piece ? 20 : 19);
  if (what < 5 || count_of() == 0) {
    add_some();
  } else if (what < 11) {
    remove_some();
  } else if (what < 13) {
    remove_last();
  } else if (what < 16) {
    move_some(what == 15 && rng_chance(&t.rng, 0.5f));
  } else if (what == 16) {
    fail_some();
  } else if (what == 17) {
    edit_some();
  } else if (what == 19) {
    take_some();
  } else {
    for (int w = 0; w < 2; w++)
      require_ok(throng_agents_reserve(t.worlds[w], t.worlds[w]->agents.capacity + 7, &error), &error);
  }
}

static void require_same_column(const void *a, const void *b, uint32_t count, const char *name) {
  assert_true((a == NULL) == (b == NULL));
  if (a == NULL || count == 0 || memcmp(a, b, count * sizeof(float)) == 0) return;
  fail_msg("%s differs", name);
}

/* The two worlds have the same bits in the same slots. */
static void require_same(void) {
  const struct agents *a = &t.worlds[0]->agents, *b = &t.worlds[1]->agents;
  require_sound(t.worlds[0], "a sort of changed agents");
  assert_int_equal(a->count, b->count);
  require_same_column(a->front.id, b->front.id, a->count, "id");
  require_same_column(a->front.meta, b->front.meta, a->count, "meta");
  for (int c = 0; c < COLUMN_COUNT; c++) require_same_column(a->front.f[c], b->front.f[c], a->count, "a column");
  assert_true(throng_world_hash(t.worlds[0], STATE_COLUMNS) == throng_world_hash(t.worlds[1], STATE_COLUMNS));
  if (t.worlds[0]->piece.ghosts > 0) return;
  snapshot saved = snapshot_take(t.worlds[0]);
  assert_true(snapshot_is_of(&saved, t.worlds[1]));
  snapshot_free(&saved);
}

/* Sorts both worlds: by an index, by a step, or by the halves of one. */
static void sort_worlds(void) {
  const uint32_t how = rng_below(&t.rng, t.piece ? 4 : 5);
  throng_error error;
  for (int w = 0; w < 2; w++) {
    throng_world *world = t.worlds[w];
    if (w == 1 && world_has_changed(world)) world->placed = false;
    require_ok(throng_world_index(world, &error), &error);
  }
  require_same();
  t.removed = false;
  for (int w = 0; w < 2 && how > 0; w++) {
    if (how < 4) require_ok(throng_world_step(t.worlds[w], 0.05f, &error), &error);
    if (how < 4) continue;
    require_ok(throng_world_steer(t.worlds[w], 0.05f, &error), &error);
    require_ok(throng_world_integrate(t.worlds[w], 0.05f, &error), &error);
  }
  if (how > 0) require_same();
}

static void check_world(uint64_t seed, uint32_t agents) {
  open_worlds(seed, agents);
  for (uint32_t k = 0; k < agents; k++) t.places[k] = random_place();
  add_at_places(agents);
  sort_worlds();
  const bool furnished = rng_chance(&t.rng, 0.3f);
  for (int w = 0; w < 2 && furnished; w++) furnish_world(t.worlds[w], seed);
  for (int round = 0; round < ROUNDS; round++) {
    for (uint32_t changes = rng_below(&t.rng, 5); changes > 0; changes--) change();
    sort_worlds();
  }
  close_worlds();
}

static void random_changes(void **state) {
  (void)state;
  static const uint32_t counts[] = {1, 2, 7, 63, 300, 1500, 5000}, worlds[] = {40, 40, 40, 60, 60, 30, 30};
  uint64_t seed = base_seed;
  for (int n = 0; n < 7; n++) {
    for (uint32_t world = 0; world < worlds[n]; world++, seed++) check_world(seed, counts[n]);
  }
}

/* Removes and adds `changes` agents. Returns whether the sort uses the old order: the full sort of one worker has one
 * band. */
static bool sorts_by_changes(uint32_t changes) {
  enum { AGENTS = 5000 };
  throng_agent_id ids[AGENTS];
  throng_vec3 places[AGENTS];
  throng_error error;
  test_rng rng = rng_from(base_seed);
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(NULL, &idle);
  for (uint32_t k = 0; k < AGENTS; k++) {
    places[k].x = rng_float(&rng, 0, 40);
    places[k].y = 0;
    places[k].z = rng_float(&rng, 0, 40);
  }
  stage_add(world, AGENTS, places, NULL, NULL, ids);
  require_ok(throng_agents_write(world, THRONG_COLUMN_POSITION, ids, AGENTS, places, 0, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  assert_int_equal(world->grid.bands, 1);
  require_ok(throng_agents_remove(world, ids, changes, &error), &error);
  stage_add(world, changes, places + AGENTS - changes, NULL, NULL, NULL);
  require_ok(throng_world_index(world, &error), &error);
  require_sound(world, "removals and additions");
  const bool result = world->grid.bands > 1;
  throng_world_destroy(world);
  return result;
}

/* Without this test, the other one would pass if every sort placed all agents. */
static void few_changes_keep_the_order(void **state) {
  (void)state;
  assert_true(sorts_by_changes(1));
  assert_true(sorts_by_changes(50));
  assert_true(sorts_by_changes(100));
}

/* A piece takes an agent into an obstacle, and the host writes one into it by throng_world_edit. These calls do not
 * check positions, so that the next sort must. */
static void agents_inside_scenery_are_found(void **state) {
  (void)state;
  const throng_group_def idle = stage_idle_group();
  throng_scenery_def scenery = throng_default_scenery_def();
  throng_piece_def piece = throng_default_piece_def();
  throng_error error;
  throng_world *world = stage_world(NULL, &idle);
  const throng_vec3 free[2] = {{5, 0, 5}, {6, 0, 5}}, centre = {1, 0, 1};
  const float radius = 0.5f;
  const struct {
    throng_piece_head head;
    float x, z;
  } inside = {{9, 1, 0, 0}, 1.1f, 1.0f};
  stage_add(world, 2, free, NULL, NULL, NULL);
  scenery.obstacle_centre.data = &centre;
  scenery.obstacle_radius.data = &radius;
  scenery.obstacle_count = 1;
  require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
  piece.exchange = exchange;
  require_ok(throng_piece_set(world, &piece, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  require_ok(throng_piece_take(world, POSITION, &inside, 1, true, &error), &error);
  for (int k = 0; k < 2; k++) {
    require_error(throng_world_index(world, &error), THRONG_ERROR_BLOCKED, &error);
    assert_int_equal(error.agent.index, 9);
  }
  require_ok(throng_agents_remove(world, &error.agent, 1, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  throng_edit edit;
  require_ok(throng_world_edit(world, &edit, &error), &error);
  edit.position_x[0] = edit.position_z[0] = 1.1f;
  require_error(throng_world_step(world, 0.1f, &error), THRONG_ERROR_BLOCKED, &error);
  edit.position_x[0] = 5.5f;
  require_ok(throng_world_step(world, 0.1f, &error), &error);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("changes", 90417);
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_changes), cmocka_unit_test(few_changes_keep_the_order),
                                     cmocka_unit_test(agents_inside_scenery_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
