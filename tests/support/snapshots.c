/* tests/support/snapshots.c
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/snapshots.h"
#include "support/stand.h"

#include <stdlib.h>
#include <string.h>

#include "record/archive.h"

static snapshot allocate(size_t size) {
  snapshot s = {malloc(size ? size : 1), size};
  if (s.bytes == NULL) abort();
  return s;
}

snapshot snapshot_take(const throng_world *world) {
  throng_error error;
  size_t size = 0, again = 0;
  require_ok(throng_world_save_snapshot(world, NULL, 0, &size, &error), &error);
  snapshot s = allocate(size);
  require_ok(throng_world_save_snapshot(world, s.bytes, size, &again, &error), &error);
  assert_true(again == size);
  return s;
}

snapshot snapshot_take_indexed(throng_world *world) {
  throng_error error;
  require_ok(throng_world_index(world, &error), &error);
  return snapshot_take(world);
}

snapshot snapshot_copy(const snapshot *s, size_t size) {
  snapshot copy = allocate(size);
  memset(copy.bytes, 0, size);
  memcpy(copy.bytes, s->bytes, size < s->size ? size : s->size);
  return copy;
}

void snapshot_free(snapshot *s) {
  free(s->bytes);
  *s = (snapshot){NULL, 0};
}

void snapshot_seal(snapshot *s) {
  struct archive patch = {.mode = ARCHIVE_WRITE, .out = s->bytes, .size = s->size};
  uint64_t size = s->size, checksum;
  if (s->size < 28) return;
  patch.at = 12;
  throng_archive_u64(&patch, &size);
  checksum = throng_archive_checksum(s->bytes, s->size - 8);
  patch.at = s->size - 8;
  throng_archive_u64(&patch, &checksum);
}

bool snapshot_equal(const snapshot *a, const snapshot *b) {
  return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

bool snapshot_is_of(const snapshot *s, const throng_world *world) {
  snapshot now = snapshot_take(world);
  const bool same = snapshot_equal(s, &now);
  snapshot_free(&now);
  return same;
}

throng_world *snapshot_world(const snapshot *s, const crowd_world_options *options) {
  throng_world_def def;
  throng_error error;
  throng_world *world = NULL;
  require_ok(throng_snapshot_get_def(s->bytes, s->size, &def, &error), &error);
  const crowd plain = {.def = def};
  def = crowd_world_def(&plain, options);
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_world_load_snapshot(world, s->bytes, s->size, &error), &error);
  return world;
}

/* Returns the square (or cube) from the agents' lowest corner that contains all agents in x and z. */
static place place_of(const throng_world *world) {
  const throng_world_def def = throng_world_get_def(world);
  throng_view view;
  throng_error error;
  require_ok(throng_world_view(world, &view, &error), &error);
  place at = {def.space, {0, 0, 0}, 4.0f * def.perception_radius};
  if (view.count == 0) return at;
  throng_vec3 low = {view.position_x[0], 0, view.position_z[0]}, high = low;
  for (uint32_t k = 0; k < view.count; k++) {
    const float x = view.position_x[k], z = view.position_z[k];
    low = (throng_vec3){x < low.x ? x : low.x, 0, z < low.z ? z : low.z};
    high = (throng_vec3){x > high.x ? x : high.x, 0, z > high.z ? z : high.z};
  }
  at.side = high.x - low.x > high.z - low.z ? high.x - low.x : high.z - low.z;
  if (at.side < def.perception_radius) at.side = def.perception_radius;
  at.origin = low;
  if (def.space == THRONG_SPACE_SPATIAL) at.origin.y = view.position_y[0];
  return at;
}

static void furnish_with_shapes(throng_world *world, const place *at, test_rng *rng) {
  stand s = random_stand(rng, at);
  throng_error error;
  throng_status status;
  do {
    const throng_scenery_def def = stand_def(&s);
    status = throng_world_set_scenery(world, &def, &error);
    if (status == THRONG_OK || s.balls + s.boxes + s.planes + s.walls == 0) return;
    if (s.planes > 0) {
      s.planes--;
    } else if (s.boxes > 0) {
      s.boxes--;
    } else if (s.balls > 0) {
      s.balls--;
    } else {
      s.walls--;
    }
  } while (true);
}

#define CELLS 16u
static void furnish_with_cells(throng_world *world, const place *at, test_rng *rng) {
  uint8_t blocked[CELLS * CELLS];
  throng_view view;
  throng_error error;
  throng_cells_def def = throng_default_cells_def();
  require_ok(throng_world_view(world, &view, &error), &error);
  def.width = def.height = CELLS;
  def.cell = at->side / CELLS;
  def.origin.x = at->origin.x;
  def.origin.z = at->origin.z;
  def.blocked = blocked;
  if (def.cell < 1e-3f || def.cell > 1e6f) return;
  for (uint32_t k = 0; k < CELLS * CELLS; k++)
    blocked[k] = rng_chance(rng, 0.4f) ? (uint8_t)(1 + rng_below(rng, 3)) : 0;
  /* Leave the 3 x 3 cells around each agent free, so that rounding cannot put an agent into a blocked cell. */
  for (uint32_t k = 0; k < view.count; k++) {
    const int i = (int)((view.position_x[k] - at->origin.x) / def.cell),
              j = (int)((view.position_z[k] - at->origin.z) / def.cell);
    for (int d = 0; d < 9; d++) {
      const int a = i + d % 3 - 1, b = j + d / 3 - 1;
      if (a >= 0 && b >= 0 && a < (int)CELLS && b < (int)CELLS) blocked[b * (int)CELLS + a] = 0;
    }
  }
  (void)throng_world_set_cells(world, &def, &error); /* may fail far from the origin: then there are no cells */
}

void furnish_world(throng_world *world, uint64_t seed) {
  const throng_world_def def = throng_world_get_def(world);
  test_rng rng = rng_from(seed);
  if (crowd_wraps(&def)) return;
  const place at = place_of(world);
  if (def.space == THRONG_SPACE_PLANAR) furnish_with_cells(world, &at, &rng);
  furnish_with_shapes(world, &at, &rng);
}

uint64_t stir_world(throng_world *world, uint64_t seed) {
  test_rng rng = rng_from(seed);
  throng_error error;
  uint32_t count = 0;
  throng_agent_id ids[64], *all = malloc(((size_t)throng_agents_count(world) + 1) * sizeof *all);
  if (all == NULL) abort();
  require_ok(throng_agents_get_ids(world, all, throng_agents_count(world), &count, &error), &error);
  uint32_t gone = 0, added = 0;
  throng_vec3 places[64];
  for (uint32_t k = 0; k < count && gone < 20; k++) {
    if (rng_chance(&rng, 0.2f)) require_ok(throng_agents_remove(world, &all[k], 1, &error), &error), gone++;
  }
  count = 0;
  require_ok(throng_agents_get_ids(world, all, throng_agents_count(world) + gone, &count, &error), &error);
  for (uint32_t k = 0; k < count && added < 30; k += 1 + rng_below(&rng, 3)) {
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, &all[k], 1, &places[added++], 0, &error), &error);
  }
  throng_agents_def def = throng_default_agents_def();
  def.position.data = places;
  require_ok(throng_agents_add(world, &def, added, ids, &error), &error);
  uint64_t hash = added;
  for (uint32_t k = 0; k < added; k++) hash = hash * 31 + ids[k].index * 65536ull + ids[k].generation;
  free(all);
  return hash;
}

throng_world *small_furnished_world(uint64_t seed, const throng_allocator *allocator) {
  const uint32_t boundary = (uint32_t)(seed / 2 % CROWD_BOUNDARIES);
  const crowd_recipe recipe = {(throng_space)(seed % 2), boundary, LAYOUT_UNIFORM, 12, false, false};
  const crowd_world_options options = {.threads = 1, .allocator = allocator};
  crowd *c = crowd_random(seed, &recipe);
  for (uint32_t k = 0; k < CROWD_MAX_FIELDS; k++) {
    if (c->fields[k].width > 3) c->fields[k].width = 3;
    if (c->fields[k].height > 3) c->fields[k].height = 3;
  }
  for (uint32_t k = 0; k < CROWD_MAX_PATHS; k++) {
    if (c->paths[k].count > 8) c->paths[k].count = 8, c->paths[k].closed = false;
  }
  throng_world *world = crowd_world(c, &options);
  furnish_world(world, seed);
  stir_world(world, seed);
  throng_world_step(world, 0.02f, NULL);
  throng_error error;
  require_ok(throng_world_index(world, &error), &error);
  crowd_free(c);
  return world;
}
