/* tests/world/test_moves.c: agents that the host moves and removes. The world stays indexed: queries are compared with
 * a search over all agents, and states with a world in which the host wrote, removed and indexed.
 * SPDX-License-Identifier: MIT */
#include "support/brute_force.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/recordings.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEW 40u

static uint64_t base_seed;

/* A world whose agents are moved and removed, and one in which the same is written, removed and indexed. */
typedef struct twins {
  bench *bench; /* the crowd, and the moved world */
  throng_world *written;
  test_rng rng;
  uint32_t sorted, changed; /* agents at the last sort; how many were moved or removed since */
  bool moved[BRUTE_MOST];   /* by place in the crowd */
  bool removed, dirty;
} twins;

static void note_sort(twins *t) {
  t->sorted = t->bench->crowd->count;
  t->changed = 0;
  t->removed = t->dirty = false;
  memset(t->moved, 0, sizeof t->moved);
}

static void note_change(twins *t) {
  t->changed++;
  if (t->changed > 1 && 64 * t->changed > t->sorted) t->dirty = true;
}

static float between(float low, float high, float share) {
  const float p = low + (high - low) * share;
  return p < high ? p : low;
}

/* Returns a place for an agent: near its own, on another agent, on faces of a box, anywhere, or where it is. */
static throng_vec3 random_place(twins *t, const crowd_agent *a) {
  const throng_world_def *def = &t->bench->crowd->def;
  const uint32_t how = rng_below(&t->rng, 6);
  const float r = def->perception_radius * (how == 0 ? 0.1f : how == 1 ? 2.0f : 40.0f);
  if (how == 2) return t->bench->crowd->agents[rng_below(&t->rng, t->bench->crowd->count)].position;
  if (how == 3) return a->position;
  float p[3] = {a->position.x, a->position.y, a->position.z};
  const float low[3] = {def->box_min.x, def->box_min.y, def->box_min.z},
              high[3] = {def->box_max.x, def->box_max.y, def->box_max.z};
  for (int c = 0; c < 3; c++) {
    p[c] += rng_float(&t->rng, -r, r);
    const float limit = 1048576.0f * def->perception_radius;
    if (def->boundary[c] == THRONG_BOUNDARY_UNBOUNDED) {
      p[c] = fmaxf(-limit, fminf(p[c], limit));
    } else if (!(p[c] >= low[c] && p[c] < high[c])) {
      p[c] = between(low[c], high[c], rng_float(&t->rng, 0.0f, 0.999f));
    }
  }
  if (how == 5 && def->boundary[0] == THRONG_BOUNDARY_BOX) p[0] = rng_chance(&t->rng, 0.5f) ? low[0] : high[0];
  return (throng_vec3){p[0], p[1], p[2]};
}

/* Moves up to `most` agents in both worlds; an agent may be named twice. */
static void move_some(twins *t, uint32_t most) {
  crowd *c = t->bench->crowd;
  throng_agent_id ids[FEW];
  throng_vec3 places[FEW], velocities[FEW];
  throng_error error;
  const uint32_t count = 1 + rng_below(&t->rng, most);
  const bool turns = rng_chance(&t->rng, 0.5f);
  uint32_t who[FEW];
  for (uint32_t k = 0; k < count; k++) {
    who[k] = k > 0 && rng_chance(&t->rng, 0.1f) ? who[0] : rng_below(&t->rng, c->count);
    ids[k] = c->agents[who[k]].id;
    places[k] = random_place(t, &c->agents[who[k]]);
    velocities[k] = (throng_vec3){rng_float(&t->rng, -2, 2), crowd_is_spatial(c) ? 0.5f : 0.0f, 1};
  }
  require_ok(throng_agents_move(t->bench->world, ids, count, places, turns ? velocities : NULL, &error), &error);
  require_ok(throng_agents_write(t->written, THRONG_COLUMN_POSITION, ids, count, places, 0, &error), &error);
  if (turns)
    require_ok(throng_agents_write(t->written, THRONG_COLUMN_VELOCITY, ids, count, velocities, 0, &error), &error);
  for (uint32_t k = 0; k < count; k++) {
    if (!t->moved[who[k]]) note_change(t);
    t->moved[who[k]] = true;
    c->agents[who[k]].position = stage_read(t->written, THRONG_COLUMN_POSITION, ids[k]);
  }
}

/* Removes up to `most` agents from both worlds. */
static void remove_some(twins *t, uint32_t most) {
  crowd *c = t->bench->crowd;
  throng_agent_id ids[FEW];
  throng_error error;
  const uint32_t count = 1 + rng_below(&t->rng, most);
  if (count >= c->count) return;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t at = rng_below(&t->rng, c->count);
    ids[k] = c->agents[at].id;
    if (!t->moved[at]) note_change(t);
    memmove(&c->agents[at], &c->agents[at + 1], (c->count - at - 1) * sizeof *c->agents);
    memmove(&t->moved[at], &t->moved[at + 1], (c->count - at - 1) * sizeof *t->moved);
    c->count--;
  }
  t->removed = true;
  require_ok(throng_agents_remove(t->bench->world, ids, count, &error), &error);
  require_ok(throng_agents_remove(t->written, ids, count, &error), &error);
  for (uint32_t k = 0; k < count; k++) assert_false(throng_agents_is_valid(t->bench->world, ids[k]));
}

/* Adds an agent, with the index above all others, at the place of another one. */
static void add_one(twins *t) {
  crowd *c = t->bench->crowd;
  throng_error error;
  if (c->count + 1 >= BRUTE_MOST) return;
  crowd_agent *last = &c->agents[c->count - 1];
  throng_agents_def def = throng_default_agents_def();
  def.position = (throng_span){&c->agents[rng_below(&t->rng, c->count)].position, 0};
  const throng_agent_id id = {last->id.index + 1, 7, c->def.id_world};
  require_ok(throng_agents_add_with_ids(t->bench->world, &def, 1, &id, &error), &error);
  require_ok(throng_agents_add_with_ids(t->written, &def, 1, &id, &error), &error);
  c->agents = realloc(c->agents, ((size_t)c->count + 2) * sizeof *c->agents);
  if (c->agents == NULL) abort();
  crowd_agent *added = &c->agents[c->count++];
  memset(added, 0, sizeof *added);
  added->id = id;
  added->position = stage_read(t->written, THRONG_COLUMN_POSITION, id);
  t->moved[c->count - 1] = false;
  t->dirty = true;
}

static void require_queries(twins *t) {
  static const uint32_t masks[] = {THRONG_ALL_LAYERS, THRONG_ALL_LAYERS, 1u, 6u, 0u};
  bench *b = t->bench;
  const float r = b->crowd->def.perception_radius;
  const float radii[] = {0.0f, 0.1f * r, r, 2.7f * r, 40.0f * r, 3.4e38f};
  throng_vec3 centres[3];
  uint32_t counts[3], count;
  throng_neighbour many[3 * 9];
  throng_error error;
  for (uint32_t k = 0; k < 3; k++) {
    centres[k] = brute_random_centre(&t->rng, b->crowd);
    brute_require_radius(b, centres[k], rng_pick(&t->rng, radii, 6), masks[rng_below(&t->rng, 5)]);
    brute_require_nearest(b, centres[k], 1 + rng_below(&t->rng, k == 0 ? 1000 : 8), masks[rng_below(&t->rng, 5)]);
  }
  require_ok(throng_world_query_nearest_batch(b->world, centres, 3, 9, 7, many, counts, &error), &error);
  for (uint32_t k = 0; k < 3; k++) {
    require_ok(throng_world_query_nearest(b->world, centres[k], 9, 7, b->found, &count, &error), &error);
    assert_int_equal(counts[k], count);
    if (count > 0) assert_memory_equal(&many[k * 9], b->found, count * sizeof *many);
  }
  require_ok(throng_world_query_radius_batch(b->world, centres, 3, r, 7, NULL, 0, counts, &error), &error);
  for (uint32_t k = 0; k < 3; k++) {
    require_ok(throng_world_query_radius(b->world, centres[k], r, 7, NULL, 0, &count, &error), &error);
    assert_int_equal(counts[k], count);
  }
}

/* After changes: what works, and what does not. */
static void require_changed(twins *t) {
  const throng_world *world = t->bench->world;
  throng_error error;
  throng_view view;
  throng_neighbour near;
  uint32_t count;
  size_t size;
  require_sound(world, "after changes");
  assert_int_equal(throng_agents_count(world), t->bench->crowd->count);
  assert_true(throng_world_is_indexed(world) == !t->dirty);
  assert_true(throng_world_hash(world, STATE_COLUMNS) == throng_world_hash(t->written, STATE_COLUMNS));
  if (t->dirty)
    require_error(throng_world_query_nearest(world, (throng_vec3){1, 1, 1}, 1, 1, &near, &count, &error),
                  THRONG_ERROR_NOT_INDEXED, &error);
  if (!t->dirty) require_queries(t);
  require_error(throng_world_save_snapshot(world, NULL, 0, &size, &error), THRONG_ERROR_NOT_INDEXED, &error);
  if (t->removed) {
    throng_edit edit;
    require_error(throng_world_view(world, &view, &error), THRONG_ERROR_NOT_INDEXED, &error);
    require_error(throng_world_edit(t->bench->world, &edit, &error), THRONG_ERROR_NOT_INDEXED, &error);
    return;
  }
  require_ok(throng_world_view(world, &view, &error), &error);
  assert_int_equal(view.count, t->bench->crowd->count);
  for (uint32_t k = 0; k < view.count; k += 7) { /* the new values */
    const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, throng_view_id(&view, k));
    assert_true(p.x == view.position_x[k] && p.z == view.position_z[k]);
  }
}

static void require_same_views(const throng_world *a, const throng_world *b) {
  throng_view left, right;
  throng_error error;
  require_ok(throng_world_view(a, &left, &error), &error);
  require_ok(throng_world_view(b, &right, &error), &error);
  assert_int_equal(left.count, right.count);
  if (left.count == 0) return;
  assert_memory_equal(left.id_index, right.id_index, left.count * sizeof *left.id_index);
  assert_memory_equal(left.position_x, right.position_x, left.count * sizeof *left.position_x);
}

/* Sorts both worlds: by a step, by the halves of one, or by an index alone. */
static void go_on(twins *t) {
  throng_world *const worlds[2] = {t->bench->world, t->written};
  crowd *c = t->bench->crowd;
  throng_error error;
  const uint32_t how = rng_below(&t->rng, 4);
  require_ok(throng_world_index(t->written, &error), &error);
  for (int w = 0; w < 2; w++) {
    if (how == 0) {
      require_ok(throng_world_index(worlds[w], &error), &error);
    } else if (how == 1) {
      require_error(throng_world_integrate(worlds[w], 0.02f, &error), THRONG_ERROR_NOT_STEERED, &error);
      require_ok(throng_world_steer(worlds[w], 0.02f, &error), &error);
      require_ok(throng_world_integrate(worlds[w], 0.02f, &error), &error);
    } else {
      require_ok(throng_world_step(worlds[w], 0.02f, &error), &error);
    }
  }
  if (throng_world_hash(t->bench->world, STATE_COLUMNS) != throng_world_hash(t->written, STATE_COLUMNS)) {
    print_error("seed %" PRIu64 ": the bits differ from write, remove and index\n", c->seed);
    fail();
  }
  require_sound(t->bench->world, "after a sort");
  require_same_views(t->bench->world, t->written);
  for (uint32_t i = 0; i < c->count; i++)
    c->agents[i].position = stage_read(t->written, THRONG_COLUMN_POSITION, c->agents[i].id);
  note_sort(t);
  require_queries(t);
}

/* Random moves, removals and additions, with all queries after each. */
static void against_a_twin(void **state) {
  (void)state;
  static const uint32_t counts[] = {3, 63, 300, 1000};
  uint64_t seed = base_seed;
  static twins t;
  for (uint32_t layout = 0; layout < LAYOUT_COUNT; layout++)
    for (uint32_t world = 0; world < 2 * CROWD_BOUNDARIES; world++)
      for (uint32_t n = 0; n < 4; n++, seed++) {
        const crowd_recipe recipe = {
            (throng_space)(world % 2), world / 2, (crowd_layout)layout, counts[n], n % 2 == 0, false};
        const crowd_world_options single = {.threads = 1};
        throng_error error;
        t.bench = brute_open(seed, &recipe, 1 + n % 3);
        t.written = crowd_world(t.bench->crowd, &single);
        t.rng = rng_from(seed);
        require_ok(throng_world_index(t.written, &error), &error);
        note_sort(&t);
        for (uint32_t round = 0; round < 4; round++) {
          for (uint32_t change = 0; change < 4; change++) {
            const uint32_t what = rng_below(&t.rng, 16), most = rng_chance(&t.rng, 0.1f) ? FEW : 4;
            if (what < 9) move_some(&t, most);
            if (what >= 9 && what < 15) remove_some(&t, most);
            if (what == 15) add_one(&t);
            if (t.changed > 0 || t.dirty) require_changed(&t);
          }
          go_on(&t);
        }
        throng_world_destroy(t.written);
        brute_close(t.bench);
      }
}

/* A crowd on a square lattice with a distance of 1 m. */
static throng_world *lattice(const throng_world_def *def, uint32_t side, throng_agent_id *ids) {
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(def, &idle);
  throng_vec3 *p = calloc((size_t)side * side, sizeof *p);
  throng_error error;
  if (p == NULL) abort();
  for (uint32_t k = 0; k < side * side; k++) p[k] = (throng_vec3){(float)(k % side), 0, (float)(k / side)};
  stage_add(world, side * side, p, NULL, NULL, ids);
  require_ok(throng_world_index(world, &error), &error);
  free(p);
  return world;
}

static uint32_t agents_at(const throng_world *world, throng_vec3 at, throng_neighbour found[64]) {
  uint32_t count = 0;
  throng_error error;
  require_ok(throng_world_query_radius(world, at, 0.0f, THRONG_ALL_LAYERS, found, 64, &count, &error), &error);
  return count;
}
/* Whether a query at a point finds the agent there; it must not find it twice. */
static bool finds(const throng_world *world, throng_vec3 at, throng_agent_id id) {
  throng_neighbour found[64];
  uint32_t times = 0;
  for (uint32_t k = agents_at(world, at, found); k > 0; k--) times += throng_agent_id_equal(found[k - 1].id, id);
  assert_true(times <= 1);
  return times == 1;
}
/* 1/64 of the agents may change; the count is of agents and not of calls, and begins again with each sort. */
static void the_limit_is_a_share(void **state) {
  (void)state;
  enum { SIDE = 32 };
  throng_agent_id ids[SIDE * SIDE];
  throng_error error;
  throng_world *world = lattice(NULL, SIDE, ids);
  const throng_vec3 there = {100.5f, 0, 3};
  for (int round = 0; round < 2; round++) {
    for (uint32_t k = 0; k < throng_agents_count(world) / 64; k++)
      for (int again = 0; again < 3; again++)
        require_ok(throng_agents_move(world, &ids[5 * k], 1, &there, NULL, &error), &error);
    assert_true(throng_world_is_indexed(world) && finds(world, there, ids[0]));
    require_ok(throng_agents_remove(world, &ids[0], round == 0, &error), &error); /* it has been counted */
    assert_true(throng_world_is_indexed(world));
    require_ok(throng_agents_move(world, &ids[1], 1, &there, NULL, &error), &error);
    assert_false(throng_world_is_indexed(world));
    require_ok(throng_world_step(world, 0.01f, &error), &error);
    ids[0] = ids[2];
  }
  throng_vec3 all[SIDE * SIDE]; /* all agents at once */
  const uint32_t count = throng_agents_count(world);
  for (uint32_t k = 0; k < count; k++) all[k] = (throng_vec3){(float)k, 0, 0.5f};
  require_ok(throng_agents_move(world, NULL, count, all, NULL, &error), &error);
  assert_false(throng_world_is_indexed(world));
  require_ok(throng_world_index(world, &error), &error);
  assert_true(finds(world, all[count - 1], ids[SIDE * SIDE - 1]));
  throng_world_destroy(world);
}

/* An agent counts once, also after a removal has given it another slot. */
static void a_moved_agent_counts_once(void **state) {
  (void)state;
  enum { SIDE = 12 }; /* two of 144 may change */
  throng_neighbour found[64];
  throng_agent_id ids[SIDE * SIDE];
  throng_error error;
  throng_view view;
  throng_world *world = lattice(NULL, SIDE, ids);
  require_ok(throng_world_view(world, &view, &error), &error);
  const throng_agent_id last = throng_view_id(&view, view.count - 1), first = throng_view_id(&view, 0);
  for (uint32_t k = 0; k < 4; k++) {
    const throng_vec3 there = {5.25f, 0, (float)k};
    require_ok(throng_agents_move(world, &last, 1, &there, NULL, &error), &error);
    assert_true(throng_world_is_indexed(world) && finds(world, there, last));
    if (k == 1) require_ok(throng_agents_remove(world, &first, 1, &error), &error);
  }
  require_sound(world, "two changes");
  require_ok(throng_agents_remove(world, &last, 1, &error), &error);
  assert_true(throng_world_is_indexed(world) && agents_at(world, (throng_vec3){5.25f, 0, 3}, found) == 0);
  throng_world_destroy(world);
}

/* One wrong value refuses all, and the error names its agent. */
static void wrong_values(void **state) {
  (void)state;
  throng_agent_id ids[400];
  throng_error error;
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  throng_world *world = lattice(&def, 20, ids);
  const throng_vec3 obstacle = {50, 0, 50};
  const float radius = 2.0f;
  throng_scenery_def scenery = throng_default_scenery_def();
  scenery.obstacle_centre.data = &obstacle;
  scenery.obstacle_radius.data = &radius;
  scenery.obstacle_count = 1;
  require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
  const uint64_t before = throng_world_hash(world, STATE_COLUMNS);
  static const struct {
    throng_vec3 position, velocity;
    throng_status status;
    const char *word;
  } wrong[] = {{{NAN, 0, 1}, {0, 0, 0}, THRONG_ERROR_NOT_FINITE, "position[2]"},
               {{1, 0, INFINITY}, {0, 0, 0}, THRONG_ERROR_NOT_FINITE, "position[2]"},
               {{1, 0, 100.5f}, {0, 0, 0}, THRONG_ERROR_OUT_OF_RANGE, "position[2].z"},
               {{-1, 0, 1}, {0, 0, 0}, THRONG_ERROR_OUT_OF_RANGE, "position[2].x"},
               {{50, 0, 51}, {0, 0, 0}, THRONG_ERROR_BLOCKED, "inside scenery"},
               {{1, 0, 1}, {0, 0, NAN}, THRONG_ERROR_NOT_FINITE, "velocity[2]"},
               {{1, 0, 1}, {2e18f, 0, 0}, THRONG_ERROR_BAD_VALUE, "velocity[2]"},
               {{1, 0, 1}, {0, 1, 0}, THRONG_ERROR_BAD_VALUE, "velocity[2].y"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    const throng_agent_id named[4] = {ids[9], ids[200], ids[3], ids[4]};
    const throng_vec3 p[4] = {{9, 0, 9.5f}, {9, 0, 9}, wrong[k].position, {NAN, 0, 0}},
                      v[4] = {[2] = wrong[k].velocity};
    require_error(throng_agents_move(world, named, 3, p, v, &error), wrong[k].status, &error);
    assert_true(throng_agent_id_equal(error.agent, ids[3]) && strstr(error.text, wrong[k].word));
    assert_true(strstr(error.text, "agent 4: ") != NULL);
    assert_true(throng_world_is_indexed(world) && throng_world_hash(world, STATE_COLUMNS) == before);
    assert_true(!finds(world, p[0], ids[9]) && finds(world, (throng_vec3){9, 0, 0}, ids[9]));
  }
  const throng_vec3 p[2] = {{1, 0, 1}, {2, 0, 2}};
  throng_agent_id pair[2] = {ids[9], ids[10]};
  require_ok(throng_agents_remove(world, &ids[10], 1, &error), &error);
  require_error(throng_agents_move(world, pair, 2, p, NULL, &error), THRONG_ERROR_STALE_ID, &error);
  assert_true(throng_agent_id_equal(error.agent, ids[10]) && strstr(error.text, "ids[1]"));
  pair[1].world++;
  require_error(throng_agents_move(world, pair, 2, p, NULL, &error), THRONG_ERROR_FOREIGN_ID, &error);
  assert_true(finds(world, (throng_vec3){9, 0, 0}, ids[9]));
  require_error(throng_agents_move(world, NULL, 399, NULL, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  throng_vec3 all[399]; /* without ids the order is that of throng_agents_read */
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, 399, all, 0, &error), &error);
  all[30].x = NAN;
  require_error(throng_agents_move(world, NULL, 399, all, NULL, &error), THRONG_ERROR_NOT_FINITE, &error);
  assert_true(throng_agent_id_equal(error.agent, ids[31]));
  throng_world_destroy(world);
}

/* A player in the host's axes; heights; the later of two values; a velocity that stays. */
static void values_are_those_of_write(void **state) {
  (void)state;
  throng_agent_id ids[400];
  throng_error error;
  throng_world_def def = throng_default_world_def();
  def.axes = throng_axes_unreal();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_max = (throng_vec3){9000, 9000, 300};
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(&def, &idle);
  throng_vec3 p[400];
  for (uint32_t k = 0; k < 400; k++) p[k] = (throng_vec3){1.0f + 100.0f * (float)(k % 20), 100.0f * (float)(k / 20), 0};
  stage_add(world, 400, p, NULL, NULL, ids);
  require_ok(throng_world_index(world, &error), &error);
  const throng_agent_id twice[3] = {ids[7], ids[8], ids[7]};
  const throng_vec3 places[3] = {{50, 60, 0}, {8000, 7000, 150}, {300, 8500, 200}}, velocity = {100, 200, 0};
  stage_write(world, THRONG_COLUMN_VELOCITY, ids[8], velocity);
  require_ok(throng_agents_move(world, twice, 3, places, NULL, &error), &error);
  assert_true(finds(world, places[2], ids[7]) && finds(world, places[1], ids[8]) && !finds(world, places[0], ids[7]));
  assert_true(!finds(world, p[7], ids[7]) && !finds(world, p[8], ids[8]));
  const throng_vec3 now = stage_read(world, THRONG_COLUMN_POSITION, ids[7]),
                    kept = stage_read(world, THRONG_COLUMN_VELOCITY, ids[8]);
  assert_memory_equal(&now, &places[2], sizeof now);
  assert_memory_equal(&kept, &velocity, sizeof kept);
  throng_neighbour near;
  uint32_t count;
  require_ok(throng_world_query_nearest(world, (throng_vec3){8000, 7300, 0}, 1, 1, &near, &count, &error), &error);
  assert_true(throng_agent_id_equal(near.id, ids[8]) && near.distance == 300.0f);
  throng_vec3 face = {9000, 0, 0}; /* becomes the nearest place inside, as for a write */
  require_ok(throng_agents_move(world, &ids[7], 1, &face, &velocity, &error), &error);
  const throng_vec3 inside = stage_read(world, THRONG_COLUMN_POSITION, ids[7]);
  assert_true(inside.x < 9000.0f && inside.x > 8999.9f);
  stage_write(world, THRONG_COLUMN_POSITION, ids[9], face);
  const throng_vec3 same = stage_read(world, THRONG_COLUMN_POSITION, ids[9]);
  assert_memory_equal(&same, &inside, sizeof same);
  throng_world_destroy(world);
}

/* What has a list of changes: more memory, the shift of origin, recordings and explanations. */
static void other_calls_know_the_list(void **state) {
  (void)state;
  throng_agent_id ids[400];
  throng_neighbour found[64];
  throng_error error;
  throng_world *world = lattice(NULL, 20, ids);
  const throng_vec3 there = {19.5f, 0, 40.25f}, shift = {16, 0, 32};
  require_ok(throng_agents_move(world, &ids[0], 1, &there, NULL, &error), &error);
  require_ok(throng_agents_remove(world, &ids[1], 1, &error), &error);
  require_ok(throng_agents_reserve(world, 5000, &error), &error);
  assert_true(throng_world_is_indexed(world) && finds(world, there, ids[0]));
  assert_true(agents_at(world, (throng_vec3){1, 0, 0}, found) == 0 && finds(world, (throng_vec3){19, 0, 19}, ids[399]));
  require_sound(world, "after reserve");
  throng_vec3 exact;
  require_ok(throng_world_shift_origin(world, shift, &exact, &error), &error);
  assert_memory_equal(&exact, &shift, sizeof exact);
  assert_true(finds(world, (throng_vec3){3.5f, 0, 8.25f}, ids[0]));
  assert_true(finds(world, (throng_vec3){3, 0, -13}, ids[399]));
  const throng_vec3 near = {4, 0, 4.5f};
  for (int k = 0; k < 2; k++) { /* accelerations are those of before */
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    if (k == 0) require_ok(throng_agents_move(world, &ids[5], 1, &near, NULL, &error), &error);
    if (k == 1) require_ok(throng_agents_remove(world, &ids[5], 1, &error), &error);
    require_error(throng_world_integrate(world, 0.01f, &error), THRONG_ERROR_NOT_STEERED, &error);
  }
  require_ok(throng_world_watch(world, ids[0], &error), &error);
  require_ok(throng_agents_move(world, &ids[0], 1, &(throng_vec3){5, 0, 6}, NULL, &error), &error);
  require_ok(throng_world_step(world, 0.01f, &error), &error);
  throng_explanation explanation;
  require_ok(throng_world_explain(world, ids[0], &explanation, &error), &error);
  assert_true(explanation.position.x == 5.0f && explanation.position.z == 6.0f);
  tape t = {0};
  const throng_record_hook hook = tape_hook(&t);
  throng_recorder *recorder = NULL;
  require_ok(throng_agents_move(world, &ids[0], 1, &there, NULL, &error), &error);
  require_ok(throng_recorder_create(world, &hook, THRONG_RECORD_AGENTS, &recorder, &error), &error);
  for (uint32_t frame = 0; frame < 4; frame++) {
    const throng_vec3 next = {(float)frame, 0, 0.5f};
    require_ok(throng_agents_move(world, &ids[frame], frame != 1, &next, &next, &error), &error);
    require_ok(throng_agents_remove(world, &ids[20 + frame], 1, &error), &error);
    require_ok(throng_recorder_step(recorder, TAPE_DT, &error), &error);
  }
  throng_recorder_destroy(recorder);
  throng_replay replay;
  throng_world *again = tape_replay(&t, 1, &replay);
  while (!throng_replay_has_ended(&replay)) {
    throng_replay_difference difference;
    require_ok(throng_replay_step(&replay, again, &difference, &error), &error);
    assert_false(difference.differs);
  }
  assert_true(throng_world_hash(again, STATE_COLUMNS) == throng_world_hash(world, STATE_COLUMNS));
  throng_world_destroy(again);
  throng_world_destroy(world);
  free(t.bytes);
}

static _Atomic uint32_t events;
static void count_event(const throng_trace_event *event, void *context) {
  (void)event, (void)context;
  events++;
}

/* Moves, removals and queries run no pass over the agents, and allocate nothing. */
static void nothing_is_sorted(void **state) {
  (void)state;
  enum { SIDE = 40 };
  throng_agent_id ids[SIDE * SIDE];
  throng_error error;
  test_memory memory = {0};
  throng_world_def def = throng_default_world_def();
  def.trace = (throng_trace_hook){count_event, NULL};
  def.allocator = test_allocator(&memory);
  throng_world *world = lattice(&def, SIDE, ids);
  const uint64_t calls = memory.calls;
  events = 0;
  for (uint32_t k = 0; k < 10; k++) {
    const throng_vec3 there = {200.0f + (float)k, 0, 7};
    require_ok(throng_agents_move(world, &ids[3 * k], 1, &there, &there, &error), &error);
    require_ok(throng_agents_remove(world, &ids[3 * k + 1], 1, &error), &error);
    assert_true(finds(world, there, ids[3 * k]));
  }
  assert_true(events == 0 && memory.calls == calls);
  require_ok(throng_world_step(world, 0.01f, &error), &error);
  assert_true(events > 0 && memory.calls == calls);
  throng_world_destroy(world);
  assert_true(memory.live == 0 && memory.mistakes == 0);
}

/* One of several threads that ask a changed world. */
typedef struct asker {
  const throng_world *world;
  uint64_t sum;
} asker;

static void *ask(void *argument) {
  asker *a = argument;
  throng_neighbour found[32];
  for (uint32_t k = 0; k < 300; k++) {
    const throng_vec3 centre = {(float)(k % 41) - 0.5f, 0, (float)(k * 7 % 45)};
    uint32_t count = 0, bits;
    throng_world_query_nearest(a->world, centre, 9, THRONG_ALL_LAYERS, found, &count, NULL);
    for (uint32_t n = 0; n < count; n++) {
      memcpy(&bits, &found[n].distance, sizeof bits);
      a->sum = a->sum * 31 + found[n].id.index + bits;
    }
    throng_world_query_radius(a->world, centre, 2.5f, THRONG_ALL_LAYERS, NULL, 0, &count, NULL);
    a->sum = a->sum * 31 + count;
  }
  return NULL;
}

/* Several threads ask a changed world at once. After an index the answers are the same. */
static void many_threads_may_ask(void **state) {
  (void)state;
  enum { SIDE = 40 };
  throng_agent_id ids[SIDE * SIDE];
  throng_error error;
  throng_world *world = lattice(NULL, SIDE, ids);
  for (uint32_t k = 0; k < 12; k++) {
    const throng_vec3 there = {3.0f * (float)k, 0, 41.5f - (float)k};
    require_ok(throng_agents_move(world, &ids[100 * k], 1, &there, NULL, &error), &error);
    require_ok(throng_agents_remove(world, &ids[90 * k + 3], 1, &error), &error);
  }
  pthread_t threads[4];
  asker together[4], alone = {world, 0}, indexed = {world, 0};
  for (uint32_t k = 0; k < 4; k++) {
    together[k] = (asker){world, 0};
    assert_int_equal(pthread_create(&threads[k], NULL, ask, &together[k]), 0);
  }
  for (uint32_t k = 0; k < 4; k++) pthread_join(threads[k], NULL);
  ask(&alone);
  require_ok(throng_world_index(world, &error), &error);
  ask(&indexed);
  for (uint32_t k = 0; k < 4; k++) assert_true(together[k].sum == indexed.sum);
  assert_true(alone.sum == indexed.sum);
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("moves", 41023);
  const struct CMUnitTest tests[] = {cmocka_unit_test(against_a_twin),
                                     cmocka_unit_test(the_limit_is_a_share),
                                     cmocka_unit_test(a_moved_agent_counts_once),
                                     cmocka_unit_test(wrong_values),
                                     cmocka_unit_test(values_are_those_of_write),
                                     cmocka_unit_test(other_calls_know_the_list),
                                     cmocka_unit_test(nothing_is_sorted),
                                     cmocka_unit_test(many_threads_may_ask)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
