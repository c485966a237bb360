/* test_pace_crowds.c: tests that crowds with a pace walk as people do: speeds one way and against each other, a narrow
 * lane, doors, exits. The people of all scenes have wishes of 1.34 +- 0.26 m/s.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define DT 0.025f
#define MOST_PEOPLE 1000
#define MOST_WALLS 16
#define SEEDS 3

/* People, their walls, and where they go. */
typedef struct scene {
  throng_world *world;
  test_rng rng;
  uint32_t count; /* people who are left */
  throng_agent_id id[MOST_PEOPLE];
  throng_vec3 position[MOST_PEOPLE], velocity[MOST_PEOPLE], goal[MOST_PEOPLE];
  float speed[MOST_PEOPLE];
  uint32_t exit[MOST_PEOPLE];
  throng_vec3 from[MOST_WALLS], to[MOST_WALLS];
  uint32_t walls;
} scene;

static throng_group_def people(void) {
  throng_group_def g = throng_default_group_def();
  g.max_speed = 1.34f;
  g.max_acceleration = 4.0f;
  g.contact = 1.0f;
  g.separation.weight = 0.5f;
  g.separation.radius = 0.8f;
  g.separation.strength = 0.5f;
  g.cohesion.weight = g.alignment.weight = 0.0f;
  g.avoidance.weight = 1.0f;
  g.avoidance.horizon = 1.5f;
  g.field_of_view = THRONG_VIEW_WIDE;
  g.facing_speed = 0.1f;
  g.pace.on = true;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.5f;
  return g;
}

/* A normal deviate with standard deviation 1. */
static float normal(test_rng *rng) {
  float sum = 0.0f;
  for (int k = 0; k < 12; k++) sum += rng_float(rng, 0.0f, 1.0f);
  return sum - 6.0f;
}

static void wall(scene *s, float ax, float az, float bx, float bz) {
  s->from[s->walls] = (throng_vec3){ax, 0, az};
  s->to[s->walls++] = (throng_vec3){bx, 0, bz};
}

static void begin(scene *s, uint64_t seed) {
  memset(s, 0, sizeof *s);
  s->rng = rng_from(seed);
}

/* Adds somebody at a random place of a rectangle. */
static void add(scene *s, float low_x, float low_z, float high_x, float high_z) {
  const float x = rng_float(&s->rng, low_x, high_x), z = rng_float(&s->rng, low_z, high_z);
  s->speed[s->count] = fmaxf(1.34f + 0.26f * normal(&s->rng), 0.6f);
  s->goal[s->count] = s->position[s->count] = (throng_vec3){x, 0, z};
  s->count++;
}

/* Creates the world. A torus if `length` is above 0: [0, length] x [0, width]. */
static void build(scene *s, float length, float width) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = people();
  throng_error error;
  def.perception_radius = 2.5f;
  def.contact_iterations = 6;
  if (length > 0.0f) {
    def.boundary[0] = def.boundary[2] = THRONG_BOUNDARY_PERIODIC;
    def.box_max = (throng_vec3){length, 0, width};
  }
  s->world = stage_world(&def, &g);
  throng_agents_def agents = throng_default_agents_def();
  agents.position = (throng_span){s->position, 0};
  agents.goal = (throng_span){s->goal, 0};
  agents.max_speed = (throng_span){s->speed, 0};
  require_ok(throng_agents_add(s->world, &agents, s->count, s->id, &error), &error);
  throng_scenery_def scenery = throng_default_scenery_def();
  scenery.wall_from = (throng_span){s->from, 0};
  scenery.wall_to = (throng_span){s->to, 0};
  scenery.wall_count = s->walls;
  if (s->walls) require_ok(throng_world_set_scenery(s->world, &scenery, &error), &error);
}

static void read(scene *s) {
  throng_error error;
  if (s->count == 0) return;
  require_ok(throng_agents_read(s->world, THRONG_COLUMN_POSITION, s->id, s->count, s->position, 0, &error), &error);
  require_ok(throng_agents_read(s->world, THRONG_COLUMN_VELOCITY, s->id, s->count, s->velocity, 0, &error), &error);
}
static void write_goals(scene *s) {
  throng_error error;
  if (s->count == 0) return;
  require_ok(throng_agents_write(s->world, THRONG_COLUMN_GOAL, s->id, s->count, s->goal, 0, &error), &error);
}
static void take_out(scene *s, uint32_t k) {
  throng_error error;
  require_ok(throng_agents_remove(s->world, &s->id[k], 1, &error), &error);
  s->count--;
  s->id[k] = s->id[s->count];
  s->position[k] = s->position[s->count];
  s->goal[k] = s->goal[s->count];
  s->exit[k] = s->exit[s->count];
}

/* Returns the mean speed along the way on a torus of 20 x 10 m, from second 20 to second 30. With two `ways` half of
 * the people walk the other way. */
static double walk_round(uint64_t seed, double density, uint32_t ways) {
  static scene s;
  begin(&s, seed);
  for (uint32_t k = 0; k < (uint32_t)(density * 200); k++) add(&s, 0, 0, 20, 10);
  build(&s, 20, 10);
  double sum = 0;
  for (int frame = 0; frame < 1200; frame++) {
    if (frame % 20 == 0) {
      read(&s);
      for (uint32_t k = 0; k < s.count; k++) {
        const float way = k % ways ? -1.0f : 1.0f, x = s.position[k].x + 8 * way;
        s.goal[k] = (throng_vec3){x < 0 ? x + 20 : x >= 20 ? x - 20 : x, 0, s.position[k].z};
        if (frame >= 800) sum += (double)(way * s.velocity[k].x) / s.count / 20;
      }
      write_goals(&s);
    }
    stage_step(s.world, DT);
  }
  throng_world_destroy(s.world);
  return sum;
}

static double weidmann(double density) { return 1.34 * (1 - exp(-1.913 * (1 / density - 1 / 5.4))); }

static void speeds(const char *name, uint32_t ways, const double (*cases)[2], size_t count) {
  for (size_t k = 0; k < count; k++) {
    const double density = cases[k][0], right = weidmann(density);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      const double speed = walk_round(seed, density, ways);
      print_message("%s at %.1f /m^2, seed %d: %.3f m/s, Weidmann %.2f (%+.0f %%)\n", name, density, (int)seed, speed,
                    right, 100 * (speed / right - 1));
      assert_true(fabs(speed / right - 1) <= cases[k][1]);
    }
  }
}

static void one_way(void **state) {
  (void)state;
  static const double cases[][2] = {{0.5, 0.15}, {1, 0.15}, {2, 0.15}, {3, 0.15}};
  speeds("one way", 1, cases, 4);
}
static void counterflow(void **state) {
  (void)state;
  static const double cases[][2] = {{1, 0.2}, {2, 0.3}};
  speeds("counterflow", 2, cases, 2);
}

/* A lane of 2 m, 40 people each way at 0.5 /m^2. */
static void narrow_lane(void **state) {
  (void)state;
  static scene s;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    begin(&s, seed);
    wall(&s, -60, -1, 60, -1);
    wall(&s, -60, 1, 60, 1);
    for (int k = 0; k < 40; k++) add(&s, -45, -0.75f, -5, 0.75f);
    for (int k = 0; k < 40; k++) add(&s, 5, -0.75f, 45, 0.75f);
    for (uint32_t k = 0; k < 80; k++) s.goal[k] = (throng_vec3){k < 40 ? 200.0f : -200.0f, 0, 0};
    build(&s, 0, 0);
    double time = 0;
    for (; s.count > 0 && time < 300; time += (double)DT) {
      stage_step(s.world, DT);
      read(&s);
      for (uint32_t k = s.count; k-- > 0;)
        if (s.goal[k].x > 0 ? s.position[k].x > 48 : s.position[k].x < -48) take_out(&s, k);
    }
    print_message("lane, seed %d: last of 80 at %.0f s, %u left\n", (int)seed, time, s.count);
    assert_int_equal(s.count, 0);
    throng_world_destroy(s.world);
  }
}

/* A wall along z at x, with doors of this width. */
static void wall_with_doors(scene *s, float x, float low, float high, const float *door, int doors, float width) {
  float from = low;
  for (int k = 0; k < doors; k++) {
    wall(s, x, from, x, door[k] - width / 2);
    from = door[k] + width / 2;
  }
  wall(s, x, from, x, high);
}

/* Sends people to their door, and through it. Takes out those who are 4 m beyond it. Returns how many went through in
 * this frame. `beyond`: the direction of the way out along x. */
static uint32_t send(scene *s, const throng_vec3 *door, const float *beyond) {
  uint32_t through = 0;
  read(s);
  for (uint32_t k = s->count; k-- > 0;) {
    const uint32_t e = s->exit[k];
    const float past = (s->position[k].x - door[e].x) * beyond[e];
    const bool was = s->goal[k].x != door[e].x + 0.3f * beyond[e];
    if (past > 0.1f && !was) {
      s->goal[k] = (throng_vec3){door[e].x + 30 * beyond[e], 0, s->position[k].z};
      through++;
    }
    if (past > 4) take_out(s, k);
  }
  write_goals(s);
  return through;
}

static void doors(void **state) {
  (void)state;
  static const float widths[] = {0.8f, 1.0f, 1.2f, 1.6f, 2.0f};
  static scene s;
  for (int w = 0; w < 5; w++) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      const throng_vec3 door = {0, 0, 0};
      const float middle = 0, beyond = 1;
      begin(&s, seed);
      wall_with_doors(&s, 0, -5, 5, &middle, 1, widths[w]);
      wall(&s, -10, -5, 0, -5);
      wall(&s, -10, 5, 0, 5);
      wall(&s, -10, -5, -10, 5);
      for (int k = 0; k < 150; k++) add(&s, -9.7f, -4.7f, -0.3f, 4.7f);
      for (uint32_t k = 0; k < s.count; k++) s.goal[k] = (throng_vec3){0.3f, 0, 0};
      build(&s, 0, 0);
      double first = 0, last = 0, gap = 0;
      uint32_t through = 0;
      for (double time = 0; through < 150 && time < 400; time += (double)DT) {
        stage_step(s.world, DT);
        const uint32_t now = send(&s, &door, &beyond);
        if (now == 0) continue;
        if (through == 0) first = time;
        if (through >= 10 && through < 140) gap = fmax(gap, time - last);
        last = time;
        through += now;
      }
      const double flow = 149 / (last - first) / (double)widths[w];
      print_message("door %.1f m, seed %d: %.2f /(m s), longest gap %.1f s, %u through\n", (double)widths[w], (int)seed,
                    flow, gap, through);
      assert_int_equal(through, 150);
      assert_true(flow >= 1.2 && flow <= 1.9);
      if (widths[w] == 1.0f) assert_true(gap <= 3.0);
      throng_world_destroy(s.world);
    }
  }
}

static double empty_room(uint64_t seed, int exits) {
  static scene s;
  static const float z[] = {5, 15};
  const throng_vec3 door[] = {{0, 0, 5}, {0, 0, 15}, {30, 0, 5}, {30, 0, 15}};
  const float beyond[] = {-1, -1, 1, 1};
  begin(&s, seed);
  wall(&s, 0, 0, 30, 0);
  wall(&s, 0, 20, 30, 20);
  wall_with_doors(&s, 0, 0, 20, z, 2, 1);
  if (exits == 4) {
    wall_with_doors(&s, 30, 0, 20, z, 2, 1);
  } else {
    wall(&s, 30, 0, 30, 20);
  }
  for (int k = 0; k < 1000; k++) add(&s, 0.3f, 0.3f, 29.7f, 19.7f);
  for (uint32_t k = 0; k < s.count; k++) {
    s.exit[k] = (s.position[k].z > 10) + (exits == 4 && s.position[k].x > 15 ? 2u : 0u);
    const throng_vec3 d = door[s.exit[k]];
    s.goal[k] = (throng_vec3){d.x + 0.3f * beyond[s.exit[k]], 0, d.z};
  }
  build(&s, 0, 0);
  uint32_t through = 0;
  double time = 0;
  for (; through < 1000 && time < 1500; time += (double)DT) {
    stage_step(s.world, DT);
    through += send(&s, door, beyond);
  }
  throng_world_destroy(s.world);
  assert_int_equal(through, 1000);
  return time;
}

/* With half of the exits, a room takes twice as long to empty. */
static void halved_exits(void **state) {
  (void)state;
  const double four = empty_room(1, 4), two = empty_room(1, 2);
  print_message("1000 people: %.0f s through 4 exits, %.0f s through 2, ratio %.2f\n", four, two, two / four);
  assert_true(two / four >= 1.85 && two / four <= 2.15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_way), cmocka_unit_test(counterflow),  cmocka_unit_test(narrow_lane),
      cmocka_unit_test(doors),   cmocka_unit_test(halved_exits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
