/* test_gates.c: people of the walkers' preset pass doors, and gaps between agents that are too heavy to push. All come
 * through, at every frame rate in about the same time.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

#define MOST 60u
#define CELLS 200
#define CELL 0.2f
#define HALF 20.0f   /* metres: half of the box's side */
#define PILLARS 32u  /* heavy agents on each side of the gap */
#define PILLAR 0.3f  /* metres: the radius of their bodies */
#define LIMIT 300.0f /* seconds */
#define PEOPLE_GROUP 1
#define PILLARS_GROUP 2

enum gate { WALLS, AGENTS };

/* Sets a flow field that leads to the gate and then away from it. */
static void lead_through(throng_world *world, float width) {
  static float vectors[2 * CELLS * CELLS];
  const float middle = fmaxf(width / 2 - PILLAR * 2 / 3, 0);
  for (int k = 0; k < CELLS * CELLS; k++) {
    const float x = -HALF + ((float)(k % CELLS) + 0.5f) * CELL, z = -HALF + ((float)(k / CELLS) + 0.5f) * CELL;
    const float dx = z > 0 ? 0 : fminf(fmaxf(x, -middle), middle) - x, dz = z > 0 ? 1 : 0.4f - z;
    vectors[2 * k] = dx / hypotf(dx, dz);
    vectors[2 * k + 1] = dz / hypotf(dx, dz);
  }
  throng_flow_field_def def = throng_default_flow_field_def();
  throng_error error;
  def.width = def.height = CELLS;
  def.cell = CELL;
  def.origin = (throng_vec3){-HALF, 0, -HALF};
  def.vectors = vectors;
  require_ok(throng_world_set_flow_field(world, 0, &def, &error), &error);
}

static void add_to(throng_world *world, uint8_t group, const throng_vec3 *p, uint32_t count, throng_agent_id *ids) {
  uint8_t groups[2 * PILLARS];
  throng_agents_def def = throng_default_agents_def();
  throng_error error;
  for (uint32_t k = 0; k < count; k++) groups[k] = group;
  def.position.data = p;
  def.group.data = groups;
  require_ok(throng_agents_add(world, &def, count, ids, &error), &error);
}

/* Stands heavy agents side by side, but for the gap. */
static void stand(throng_world *world, float width) {
  const throng_group_def heavy = throng_moved_group_def();
  throng_error error;
  throng_agent_id ids[2 * PILLARS];
  throng_vec3 p[2 * PILLARS];
  for (uint32_t k = 0; k < 2 * PILLARS; k++) {
    const float x = width / 2 + PILLAR + (float)(k / 2) * 2 * PILLAR;
    p[k] = (throng_vec3){k % 2 ? x : -x, 0, 0};
  }
  require_ok(throng_world_set_group(world, PILLARS_GROUP, &heavy, &error), &error);
  add_to(world, PILLARS_GROUP, p, 2 * PILLARS, ids);
}

static void build_walls(throng_world *world, float width) {
  const throng_vec3 from[2] = {{-HALF, 0, 0}, {width / 2, 0, 0}}, to[2] = {{-width / 2, 0, 0}, {HALF, 0, 0}};
  throng_scenery_def scenery = throng_default_scenery_def();
  throng_error error;
  scenery.wall_from.data = from;
  scenery.wall_to.data = to;
  scenery.wall_count = 2;
  require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
}

static throng_world *make(enum gate gate, float width, const throng_group_def *people) {
  throng_world_def def = throng_default_world_def();
  throng_error error;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_min = (throng_vec3){-HALF, -HALF, -HALF};
  def.box_max = (throng_vec3){HALF, HALF, HALF};
  def.perception_radius = 2;
  throng_world *world = stage_world(&def, people);
  require_ok(throng_world_set_group(world, PEOPLE_GROUP, people, &error), &error);
  if (gate == WALLS) build_walls(world, width);
  if (gate == AGENTS) stand(world, width);
  lead_through(world, width);
  return world;
}

static throng_group_def walkers(void) {
  throng_group_def people = throng_walkers_group_def();
  people.behaviour_count = 0;
  throng_group_def_add(&people, THRONG_BEHAVIOUR_FOLLOW_FIELD)->follow_field.time_to_target = 0.3f;
  return people;
}

static throng_group_def reciprocal(void) {
  throng_group_def people = walkers();
  people.pace.on = false;
  people.separation.radius = 0.8f;
  people.avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
  people.avoidance.weight = 1;
  people.avoidance.radius = 1.25f;
  people.avoidance.urgency = 0;
  return people;
}

/* Returns the seconds until all of `count` people are through. Fails if some are not. */
static double time_through(enum gate gate, float width, const throng_group_def *people, uint32_t count, int rate,
                           uint64_t seed) {
  throng_world *world = make(gate, width, people);
  test_rng rng = rng_from(seed);
  throng_vec3 p[MOST];
  throng_agent_id ids[MOST];
  throng_error error;
  for (uint32_t k = 0; k < count; k++) p[k] = (throng_vec3){rng_float(&rng, -4, 4), 0, rng_float(&rng, -7, -1)};
  add_to(world, PEOPLE_GROUP, p, count, ids);
  uint32_t inside = count;
  int frame = 0;
  for (; inside > 0; frame++) {
    if ((float)frame > LIMIT * (float)rate)
      fail_msg("gate %d of %g m, %d Hz, seed %d: %u are left", gate, width, rate, (int)seed, inside);
    stage_step(world, 1.0f / (float)rate);
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, ids, inside, p, 0, &error), &error);
    for (uint32_t k = inside; k-- > 0;) {
      if (p[k].z < 0.5f) continue;
      require_ok(throng_agents_remove(world, &ids[k], 1, &error), &error);
      ids[k] = ids[--inside];
    }
  }
  throng_world_destroy(world);
  return (double)frame / rate;
}

static double mean_time(enum gate gate, float width, const throng_group_def *people, uint32_t count, int rate) {
  double mean = 0;
  for (uint64_t seed = 1; seed <= 3; seed++) mean += time_through(gate, width, people, count, rate, seed) / 3;
  return mean;
}

static const int rates[] = {20, 60, 120, 240};

static void doors_take_as_long_at_every_frame_rate(void **state) {
  (void)state;
  static const struct {
    float width;
    double most; /* slowest / fastest */
  } doors[] = {{0.55f, 1.6}, {0.7f, 1.25}, {0.8f, 1.25}, {1.0f, 1.15}};
  const throng_group_def people = walkers();
  for (size_t d = 0; d < sizeof doors / sizeof *doors; d++) {
    double fastest = INFINITY, slowest = 0;
    for (int r = 0; r < 4; r++) {
      const double time = mean_time(WALLS, doors[d].width, &people, 60, rates[r]);
      fastest = fmin(fastest, time);
      slowest = fmax(slowest, time);
    }
    print_message("door of %g m, seeds 1 to 3: %.1f to %.1f s\n", (double)doors[d].width, fastest, slowest);
    assert_true(slowest <= doors[d].most * fastest);
  }
}

/* A gap 1.3 bodies wide takes at most 1.5 times as long as a door of that width. */
static void gaps_between_heavy_agents_let_all_through(void **state) {
  (void)state;
  const throng_group_def forms[] = {walkers(), reciprocal()};
  const float width = 1.3f * 0.4f;
  for (int form = 0; form < 2; form++) {
    for (uint32_t count = 1; count <= 60; count += count == 1 ? 19 : 40) {
      for (int r = 0; r < 4; r++) {
        const double gap = mean_time(AGENTS, width, &forms[form], count, rates[r]);
        const double door = mean_time(WALLS, width, &forms[form], count, rates[r]);
        print_message("form %d, %u people, %d Hz, seeds 1 to 3: gap %.1f s, door %.1f s\n", form, count, rates[r], gap,
                      door);
        assert_true(gap <= 1.5 * door);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(doors_take_as_long_at_every_frame_rate),
                                     cmocka_unit_test(gaps_between_heavy_agents_let_all_through)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
