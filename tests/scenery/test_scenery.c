/* tests/scenery/test_scenery.c: tests of motion among obstacles, walls, boxes and planes: an agent's motion crosses no
 * shape, shapes change nothing for agents far from them, and the scenery grid changes no bit.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/random.h"
#include "support/stage.h"
#include "support/stand.h"

#include "state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

/* Distances from shapes, in long double. */
typedef struct lv {
  long double x, y, z;
} lv;
static lv lv_of(throng_vec3 p) { return (lv){(long double)p.x, (long double)p.y, (long double)p.z}; }
static lv lv_between(lv a, lv b, long double t) {
  return (lv){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}
static long double lv_distance(lv a, lv b) {
  return sqrtl((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}
static long double ball_distance(const stand *s, uint32_t k, lv p) {
  return lv_distance(lv_of(s->centre[k]), p) - (long double)s->radius[k];
}
static long double wall_distance(const stand *s, uint32_t k, lv p) {
  lv a = lv_of(s->from[k]), b = lv_of(s->to[k]);
  a.y = b.y = 0;
  const long double dx = b.x - a.x, dz = b.z - a.z;
  const long double t = ((p.x - a.x) * dx + (p.z - a.z) * dz) / (dx * dx + dz * dz);
  return lv_distance(lv_between(a, b, t < 0 ? 0 : (t > 1 ? 1 : t)), p);
}
static long double box_distance(const stand *s, uint32_t k, lv p) {
  const long double at[3] = {p.x, p.y, p.z};
  const float low[3] = {s->low[k].x, s->low[k].y, s->low[k].z}, high[3] = {s->high[k].x, s->high[k].y, s->high[k].z};
  long double sum = 0, deepest = -INFINITY;
  for (int c = 0; c < 3; c++) {
    const long double out = fmaxl((long double)low[c] - at[c], at[c] - (long double)high[c]);
    deepest = fmaxl(deepest, out);
    if (out > 0) sum += out * out;
  }
  return sum > 0 ? sqrtl(sum) : deepest;
}
static long double plane_distance(const stand *s, uint32_t k, lv p) {
  const lv n = lv_of(s->normal[k]), q = lv_of(s->point[k]), none = {0, 0, 0};
  return (n.x * (p.x - q.x) + n.y * (p.y - q.y) + n.z * (p.z - q.z)) / lv_distance(n, none);
}
typedef long double distance_function(const stand *s, uint32_t k, lv p);

/* Returns the smaller of `least` and the smallest distance of shape k from the line a to b. Along the
 * line the distance from a shape is convex, and it changes by at most the length of the line. */
static long double least_along(distance_function *distance, const stand *s, uint32_t k, lv a, lv b, long double least) {
  const long double at_a = distance(s, k, a), length = lv_distance(a, b);
  if (at_a - length >= least || length == 0) return fminl(least, at_a);
  long double low = 0, high = 1;
  for (int step = 0; step < 70; step++) {
    const long double m = low + (high - low) * 0.4L, n = low + (high - low) * 0.6L;
    if (distance(s, k, lv_between(a, b, m)) < distance(s, k, lv_between(a, b, n))) {
      high = n;
    } else {
      low = m;
    }
  }
  least = fminl(least, distance(s, k, lv_between(a, b, (low + high) / 2)));
  return fminl(least, fminl(at_a, distance(s, k, b)));
}
/* Returns the smallest distance of the line a to b from all shapes; with `walls` from walls only. */
static long double clearance(const stand *s, lv a, lv b, bool walls) {
  long double least = INFINITY;
  for (uint32_t k = 0; k < s->walls; k++) least = least_along(wall_distance, s, k, a, b, least);
  if (walls) return least;
  for (uint32_t k = 0; k < s->balls; k++) least = least_along(ball_distance, s, k, a, b, least);
  for (uint32_t k = 0; k < s->boxes; k++) least = least_along(box_distance, s, k, a, b, least);
  for (uint32_t k = 0; k < s->planes; k++) least = least_along(plane_distance, s, k, a, b, least);
  return least;
}

/* Returns on which side of the line a to b the point p is: 1, -1, or 0 if rounding could change that. */
static int certain_side(lv a, lv b, lv p) {
  const long double left = (b.x - a.x) * (p.z - a.z), right = (b.z - a.z) * (p.x - a.x), area = left - right;
  const long double doubt = 1e-18L * (fabsl(left) + fabsl(right));
  return area > doubt ? 1 : (area < -doubt ? -1 : 0);
}
/* Whether the line p to q certainly crosses a wall. */
static bool crosses(const stand *s, lv p, lv q) {
  for (uint32_t k = 0; k < s->walls; k++) {
    const lv a = lv_of(s->from[k]), b = lv_of(s->to[k]);
    if (certain_side(a, b, p) * certain_side(a, b, q) < 0 && certain_side(p, q, a) * certain_side(p, q, b) < 0)
      return true;
  }
  return false;
}

#define AGENTS 100
static throng_vec3 before[AGENTS], after[AGENTS], velocity[AGENTS], slowed[AGENTS], alone[AGENTS];

static throng_vec3 random_velocity(test_rng *rng, throng_space space) {
  const float speed = rng_pick(rng, (const float[]){0.1f, 3.0f, 40.0f, 900.0f, 10000.0f}, 5);
  throng_vec3 v = {rng_float(rng, -speed, speed), 0, rng_float(rng, -speed, speed)};
  if (space == THRONG_SPACE_SPATIAL) v.y = rng_float(rng, -speed, speed);
  if (rng_chance(rng, 0.2f)) v.x = 0.0f;
  if (rng_chance(rng, 0.2f)) v.z = 0.0f;
  return v;
}

/* Checks a frame. before and after: positions. velocity and slowed: velocities without and with scenery. alone:
 * positions after the frame without scenery. */
static void check_frame(const stand *s, const throng_world *world, float body, float dt, uint64_t seed) {
  for (int k = 0; k < AGENTS; k++) {
    const lv p = lv_of(before[k]), q = lv_of(after[k]), aim = lv_of(alone[k]);
    const long double whole = lv_distance(p, aim), size = fabsl(p.x) + fabsl(p.y) + fabsl(p.z) + whole + 1;
    const long double at_start = clearance(s, p, p, false), on_way = clearance(s, p, q, false);
    const bool inside = !throng_world_is_free(world, after[k], 0), crossed = crosses(s, p, q);
    /* The agent ends at least `body` metres from all shapes, or, if it began nearer, at least as far from them as it
     * began. During the frame it may come nearer, when it slides round the end of a wall. */
    const long double kept = fminl((long double)body, at_start);
    const bool too_near = clearance(s, q, q, false) < kept - 1e-6L * size, through = on_way < -1e-6L * size;
    const bool too_far = lv_distance(p, q) > whole + 1e-6L * size;
    const bool free = clearance(s, p, aim, false) > (long double)body + 1e-5L * size;
    const bool disturbed = free && (memcmp(&after[k], &alone[k], sizeof *after) != 0 ||
                                    memcmp(&slowed[k], &velocity[k], sizeof *slowed) != 0);
    const bool faster = stage_length(slowed[k]) > stage_length(velocity[k]) * (1 + 1e-6);
    if (!inside && !crossed && !too_near && !through && !too_far && !disturbed && !faster) continue;
    print_error("seed %" PRIu64
                ", agent %d: from (%a, %a, %a) with (%a, %a, %a) * %a to (%a, %a, %a):%s%s%s%s%s%s%s [%Lg of %Lg]\n",
                seed, k + 1, (double)before[k].x, (double)before[k].y, (double)before[k].z, (double)velocity[k].x,
                (double)velocity[k].y, (double)velocity[k].z, (double)dt, (double)after[k].x, (double)after[k].y,
                (double)after[k].z, inside ? " inside" : "", crossed ? " crossed a wall" : "",
                too_near ? " too near" : "", through ? " through" : "", too_far ? " too far" : "",
                disturbed ? " disturbed by nothing" : "", faster ? " faster" : "", clearance(s, q, q, false), kept);
    fail();
  }
}

/* Returns a random free point, sometimes at or near a wall or the surface of an obstacle. */
static throng_vec3 free_point(test_rng *rng, const throng_world *world, const place *at, const stand *s) {
  for (;;) {
    throng_vec3 p = random_point(rng, at);
    if (s->walls && rng_chance(rng, 0.2f)) {
      const uint32_t k = rng_below(rng, s->walls);
      const float t = rng_float(rng, -0.1f, 1.1f);
      p.x = s->from[k].x + (s->to[k].x - s->from[k].x) * t;
      p.z = s->from[k].z + (s->to[k].z - s->from[k].z) * t;
      if (rng_chance(rng, 0.5f)) p.x = nextafterf(p.x, p.x + 1);
    } else if (s->balls && rng_chance(rng, 0.2f)) {
      const uint32_t k = rng_below(rng, s->balls);
      p = s->centre[k];
      p.x += s->radius[k] * rng_pick(rng, (const float[]){1.0f, 1.0001f, 1.01f}, 3);
      if (at->space == THRONG_SPACE_PLANAR) p.y = 0;
    }
    const throng_vec3 o = at->origin;
    const bool in_box = p.x >= o.x && p.x <= o.x + at->side && p.z >= o.z && p.z <= o.z + at->side &&
                        (at->space == THRONG_SPACE_PLANAR || (p.y >= o.y && p.y <= o.y + at->side));
    if (in_box && throng_world_is_free(world, p, 0)) return p;
  }
}

/* Steps both worlds with the same random velocities; `empty` has no scenery. Returns dt. */
static float storm_frame(test_rng *rng, throng_world *world, throng_world *empty, throng_space space) {
  throng_error error;
  const float dt = rng_pick(rng, (const float[]){0.01f, 0.125f, 1.0f}, 3);
  for (int k = 0; k < AGENTS; k++) velocity[k] = random_velocity(rng, space);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, before, 0, &error), &error);
  require_ok(throng_agents_write(empty, THRONG_COLUMN_POSITION, NULL, AGENTS, before, 0, &error), &error);
  require_ok(throng_agents_write(empty, THRONG_COLUMN_VELOCITY, NULL, AGENTS, velocity, 0, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, NULL, AGENTS, velocity, 0, &error), &error);
  stage_step(world, dt);
  stage_step(empty, dt);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, after, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, AGENTS, slowed, 0, &error), &error);
  require_ok(throng_agents_read(empty, THRONG_COLUMN_POSITION, NULL, AGENTS, alone, 0, &error), &error);
  require_ok(throng_agents_read(empty, THRONG_COLUMN_VELOCITY, NULL, AGENTS, velocity, 0, &error), &error);
  return dt;
}

static void storms(throng_space space, uint32_t rounds, uint64_t first_seed) {
  for (uint32_t round = 0; round < rounds; round++) {
    const uint64_t seed = first_seed + round;
    test_rng rng = rng_from(seed);
    const place at = random_place(&rng, space);
    const stand s = random_stand(&rng, &at);
    const float body = rng_chance(&rng, 0.4f) ? 0.0f : rng_float(&rng, 0, 0.05f) * at.side;
    const throng_boundary boundary = (throng_boundary)(round % 2);
    const throng_update update = (throng_update)(round % 3);
    throng_world *world = stand_world(space, boundary, at.side, at.origin, body, update);
    throng_world *empty = stand_world(space, boundary, at.side, at.origin, body, update);
    set_stand(world, &s);
    for (int k = 0; k < AGENTS; k++) before[k] = free_point(&rng, world, &at, &s);
    stage_add(world, AGENTS, before, NULL, NULL, NULL);
    stage_add(empty, AGENTS, before, NULL, NULL, NULL);
    for (int frame = 0; frame < 8; frame++) {
      const float dt = storm_frame(&rng, world, empty, space);
      check_frame(&s, world, body, dt, seed);
      require_sound(world, "scenery");
    }
    throng_error error;
    throng_edit edit; /* makes the world dirty, so that the index checks every agent */
    require_ok(throng_world_edit(world, &edit, &error), &error);
    require_ok(throng_world_index(world, &error), &error);
    throng_world_destroy(world);
    throng_world_destroy(empty);
  }
}

static void planar_storms(void **state) {
  (void)state;
  storms(THRONG_SPACE_PLANAR, 60, base_seed);
}
static void spatial_storms(void **state) {
  (void)state;
  storms(THRONG_SPACE_SPATIAL, 40, base_seed + 1000);
}

/* Whether a point is in a polygon of walls: a ray along +x crosses its border an odd number of times. */
static bool in_polygon(const stand *s, throng_vec3 p) {
  bool inside = false;
  for (uint32_t k = 0; k < s->walls; k++) {
    const lv a = lv_of(s->from[k]), b = lv_of(s->to[k]), q = lv_of(p);
    if ((a.z > q.z) == (b.z > q.z)) continue;
    if (q.x < a.x + (b.x - a.x) * ((q.z - a.z) / (b.z - a.z))) inside = !inside;
  }
  return inside;
}

/* No agent enters or leaves a closed star of walls, which has sharp and blunt corners on both sides. */
static void nobody_leaves_a_star(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 60; round++) {
    const uint64_t seed = base_seed + 2000 + round;
    test_rng rng = rng_from(seed);
    const place at = random_place(&rng, THRONG_SPACE_PLANAR);
    static stand s;
    memset(&s, 0, sizeof s);
    throng_vec3 corner[24];
    const uint32_t corners = 3 + rng_below(&rng, 21);
    for (uint32_t k = 0; k < corners; k++) {
      const float angle = 6.2831853f * (float)k / (float)corners, r = at.side * rng_float(&rng, 0.02f, 0.5f);
      corner[k] = (throng_vec3){at.origin.x + at.side * 0.5f + r * sinf(angle), 0,
                                at.origin.z + at.side * 0.5f + r * cosf(angle)};
    }
    for (uint32_t k = 0; k < corners; k++) {
      const throng_vec3 a = corner[k], b = corner[(k + 1) % corners];
      add_wall(&s, a.x, a.z, b.x, b.z);
    }
    const float body = rng_chance(&rng, 0.5f) ? 0.0f : 0.01f * at.side;
    throng_world *world =
        stand_world(THRONG_SPACE_PLANAR, THRONG_BOUNDARY_UNBOUNDED, 1, at.origin, body, (throng_update)(round % 3));
    throng_error error;
    bool inside[AGENTS];
    set_stand(world, &s);
    for (int k = 0; k < AGENTS;) {
      before[k] = free_point(&rng, world, &at, &s);
      const lv p = lv_of(before[k]);
      if (clearance(&s, p, p, true) < 1e-9L) continue; /* on a wall */
      inside[k] = in_polygon(&s, before[k]);
      k++;
    }
    stage_add(world, AGENTS, before, NULL, NULL, NULL);
    for (int frame = 0; frame < 40; frame++) {
      for (int k = 0; k < AGENTS; k++) velocity[k] = random_velocity(&rng, THRONG_SPACE_PLANAR);
      if (frame % 4 == 3) { /* into a corner */
        require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, before, 0, &error), &error);
        for (int k = 0; k < AGENTS; k++) {
          const throng_vec3 to = corner[rng_below(&rng, corners)];
          velocity[k] = (throng_vec3){(to.x - before[k].x) * 3, 0, (to.z - before[k].z) * 3};
        }
      }
      require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, NULL, AGENTS, velocity, 0, &error), &error);
      stage_step(world, 0.5f);
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, after, 0, &error), &error);
      for (int k = 0; k < AGENTS; k++) {
        if (in_polygon(&s, after[k]) == inside[k]) continue;
        print_error("seed %" PRIu64 ", frame %d: agent %d got %s to (%a, %a)\n", seed, frame, k + 1,
                    inside[k] ? "out" : "in", (double)after[k].x, (double)after[k].z);
        fail();
      }
    }
    throng_world_destroy(world);
  }
}

/* Replaces the scenery grid by one of a single cell, so that every agent tests every shape. */
static void without_grid(throng_world *world) {
  struct scenery *s = &world->objects.scenery;
  const throng_allocator *allocator = &world->def.allocator;
  const size_t cells = (size_t)s->cells[0] * (size_t)s->cells[1] * (size_t)s->cells[2];
  throng_release(allocator, s->start, (cells + 1) * sizeof *s->start);
  throng_release(allocator, s->entry, s->entries * sizeof *s->entry);
  s->start = s->entry = NULL;
  assert_true(throng_scenery_build_grid(s, 1.0, allocator));
  assert_true(s->shapes == s->planes || s->cells[0] * s->cells[1] * s->cells[2] == 1);
}

static void the_grid_decides_no_bit(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 60; round++) {
    const uint64_t seed = base_seed + 3000 + round;
    test_rng rng = rng_from(seed);
    const place at = random_place(&rng, (throng_space)(round % 2));
    const stand s = random_stand(&rng, &at);
    const float body = rng_chance(&rng, 0.4f) ? 0.0f : rng_float(&rng, 0, 0.1f) * at.side;
    throng_world *world[2];
    throng_error error;
    for (int w = 0; w < 2; w++) {
      world[w] = stand_world(at.space, THRONG_BOUNDARY_UNBOUNDED, 1, at.origin, body, THRONG_UPDATE_SEMI_IMPLICIT);
      set_stand(world[w], &s);
    }
    without_grid(world[1]);
    for (int k = 0; k < AGENTS; k++) before[k] = free_point(&rng, world[0], &at, &s);
    for (int w = 0; w < 2; w++) stage_add(world[w], AGENTS, before, NULL, NULL, NULL);
    for (int frame = 0; frame < 20; frame++) {
      const float dt = rng_pick(&rng, (const float[]){0.01f, 0.125f, 1.0f}, 3);
      for (int k = 0; k < AGENTS; k++) velocity[k] = random_velocity(&rng, at.space);
      for (int w = 0; w < 2; w++) {
        require_ok(throng_agents_write(world[w], THRONG_COLUMN_VELOCITY, NULL, AGENTS, velocity, 0, &error), &error);
        stage_step(world[w], dt);
      }
      if (throng_world_hash(world[0], 0) == throng_world_hash(world[1], 0)) continue;
      print_error("seed %" PRIu64 ", frame %d: the scenery grid changes the state\n", seed, frame);
      fail();
    }
    throng_world_destroy(world[0]);
    throng_world_destroy(world[1]);
  }
}

/* A crowd with all rules among scenery has the same bits for every instruction set and thread count. */
static void every_table_and_thread_count_agrees(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 10; round++) {
    const crowd_recipe recipe = {
        (throng_space)(round % 2), (throng_boundary)(round / 2 % 2), LAYOUT_UNIFORM, 400, true, false};
    crowd *c = crowd_random(base_seed + 4000 + round, &recipe);
    test_rng rng = rng_from(base_seed + 4100 + round);
    const float side = c->def.perception_radius * 6.0f;
    const place at = {recipe.space, c->agents[0].position, side};
    static stand s;
    s = random_stand(&rng, &at);
    uint64_t expected = 0;
    for (int isa = THRONG_ISA_AUTO; isa < THRONG_ISA_COUNT; isa++)
      for (uint32_t threads = 1; threads <= 3; threads += 2) {
        if (!throng_isa_is_available((throng_isa)isa)) continue;
        const crowd_world_options options = {.isa = (throng_isa)isa, .threads = threads};
        throng_world *world = crowd_world(c, &options);
        const throng_scenery_def def = stand_def(&s);
        throng_error error;
        throng_status status = throng_world_set_scenery(world, &def, &error);
        for (int tries = 0; status == THRONG_ERROR_BLOCKED && tries < 500; tries++) { /* agent in a shape */
          require_ok(throng_agents_remove(world, &error.agent, 1, &error), &error);
          status = throng_world_set_scenery(world, &def, &error);
        }
        require_ok(status, &error);
        for (int frame = 0; frame < 30; frame++) stage_step(world, 0.05f);
        const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
        if (expected == 0) expected = hash;
        assert_true(hash == expected);
        throng_world_destroy(world);
      }
    crowd_free(c);
  }
}

/* The position and velocity of an agent after its motion. */
typedef struct ending {
  throng_vec3 p, v;
} ending;
/* Moves one agent from p with velocity v. push: sets its velocity to v again before each frame. */
static ending go(const stand *s, float body, throng_vec3 p, throng_vec3 v, float dt, int frames, bool push) {
  throng_world *world = stand_plain_world(body);
  throng_agent_id id;
  set_stand(world, s);
  stage_add(world, 1, &p, &v, NULL, &id);
  for (int frame = 0; frame < frames; frame++) {
    if (push) stage_write(world, THRONG_COLUMN_VELOCITY, id, v);
    stage_step(world, dt);
  }
  const ending e = {stage_read(world, THRONG_COLUMN_POSITION, id), stage_read(world, THRONG_COLUMN_VELOCITY, id)};
  throng_world_destroy(world);
  return e;
}

static void walls_take_the_velocity_into_them(void **state) {
  (void)state;
  static stand s;
  memset(&s, 0, sizeof s);
  add_wall(&s, 4, -10, 4, 10);
  ending e = go(&s, 0, (throng_vec3){2.5f, 0, 2.5f}, (throng_vec3){8, 0, 1}, 1, 1, false);
  assert_true(e.p.x < 4.0f && e.p.x > 3.999f && e.v.x == 0.0f && e.v.z == 1.0f && fabsf(e.p.z - 3.5f) < 1e-3f);
  e = go(&s, 0.25f, (throng_vec3){2.5f, 0, 2.5f}, (throng_vec3){8, 0, 1}, 1, 1, false);
  assert_true(e.p.x < 3.75f && e.p.x > 3.749f && e.v.x == 0.0f && e.v.z == 1.0f && fabsf(e.p.z - 3.5f) < 1e-3f);
  e = go(&s, 0, (throng_vec3){2.5f, 0, 2.5f}, (throng_vec3){8, 0, 0}, 1, 1, false); /* head-on: exactly 0 remains */
  assert_true(e.v.x == 0.0f && e.v.z == 0.0f && e.p.z == 2.5f);
  e = go(&s, 0, (throng_vec3){2.5f, 0, 2.5f}, (throng_vec3){8, 0, 1}, 1, 3, false); /* along the wall for 3 frames */
  assert_true(fabsf(e.p.z - 5.5f) < 1e-3f && e.p.x < 4.0f);
  e = go(&s, 0, (throng_vec3){2.5f, 0, 12}, (throng_vec3){8, 0, 1}, 1, 1, false); /* past the wall's end */
  assert_true(e.p.x == 10.5f && e.v.x == 8.0f);
  memset(&s, 0, sizeof s);
  add_wall(&s, 0, 0, 3, 4); /* along (0.6, 0.8) */
  e = go(&s, 0, (throng_vec3){3, 0, 1}, (throng_vec3){-8, 0, 6}, 1, 1, false);
  assert_true(e.v.x == 0.0f && e.v.z == 0.0f);
}

/* An agent that is pushed into a wall or an obstacle for 20 000 frames does not move into it or along it. */
static void nobody_creeps(void **state) {
  (void)state;
  static stand s;
  memset(&s, 0, sizeof s);
  add_wall(&s, 100.3f, -10, 107.9f, 13);
  add_ball(&s, 50, 0, 0, 5);
  for (int k = 0; k < 2; k++) {
    const float body = k ? 0.3f : 0.0f;
    const ending once = go(&s, body, (throng_vec3){101, 0, 3}, (throng_vec3){23, 0, -7.6f}, 0.1f, 3, true);
    const ending often = go(&s, body, (throng_vec3){101, 0, 3}, (throng_vec3){23, 0, -7.6f}, 0.1f, 20000, true);
    assert_true(stage_distance(once.p, often.p) < 1e-2);
    const ending round = go(&s, body, (throng_vec3){40, 0, 0}, (throng_vec3){3, 0, 0}, 0.1f, 20000, true);
    assert_true(round.p.x > 40 && (double)round.p.x <= 45.0 - (double)body && (double)round.p.x > 44.99 - (double)body);
  }
}

/* An agent that begins on a wall may leave to both sides. One that begins very near it stays on its side. */
static void beginnings_on_surfaces(void **state) {
  (void)state;
  static stand s;
  memset(&s, 0, sizeof s);
  add_wall(&s, 0, -5, 0, 5);
  add_ball(&s, 20, 0, 0, 2);
  for (int side = -1; side <= 1; side += 2) {
    const throng_vec3 out = {(float)side * 3, 0, 0.5f}, in = {(float)-side * 3, 0, 0.5f};
    const float near[] = {0x1p-149f, 1e-30f, 1e-12f, 1e-7f};
    ending e = go(&s, 0, (throng_vec3){0, 0, 1}, out, 1, 1, false);
    assert_true(e.p.x == 3 * (float)side && e.p.z == 1.5f);
    for (int k = 0; k < 4; k++) {
      const throng_vec3 p = {(float)side * near[k], 0, 1};
      e = go(&s, 0, p, out, 1, 1, false);
      assert_true(e.p.x * (float)side > 2.9f);
      e = go(&s, 0, p, in, 1, 1, false);
      assert_true(e.p.x * (float)side > 0.0f && e.p.z >= 1.0f && e.v.x == 0.0f);
      e = go(&s, 0, p, in, 1, 10, true);
      assert_true((e.p.x * (float)side > 0.0f) || e.p.z > 5.0f);
    }
  }
  ending e = go(&s, 0, (throng_vec3){18, 0, 0}, (throng_vec3){3, 0, 0}, 1, 3, true); /* on the circle, inward */
  assert_true(e.p.x == 18.0f && e.p.z == 0.0f);
  e = go(&s, 0, (throng_vec3){18, 0, 0}, (throng_vec3){-3, 0, 1}, 1, 1, false);
  assert_true(e.p.x == 15.0f && e.p.z == 1.0f);
  e = go(&s, 0, (throng_vec3){18, 0, 0}, (throng_vec3){0, 0, 1}, 1, 1, false);
  assert_true(fabsf(e.p.x - 18.0f) < 1e-3f && e.p.z == 1.0f);
  e = go(&s, 0, (throng_vec3){17, 0, 0}, (throng_vec3){0, 0, 0}, 1, 5, false); /* at rest */
  assert_true(e.p.x == 17.0f && e.p.z == 0.0f);
}

/* A body that is wider than the gap between two walls is not pushed, and can move on along the gap. */
static void bodies_too_large(void **state) {
  (void)state;
  static stand s;
  memset(&s, 0, sizeof s);
  add_wall(&s, -100, 0.2f, 100, 0.2f);
  add_wall(&s, -100, -0.3f, 100, -0.3f);
  ending e = go(&s, 1, (throng_vec3){0, 0, 0}, (throng_vec3){0, 0, 0}, 0.1f, 10, false);
  assert_true(e.p.x == 0 && e.p.z == 0);
  e = go(&s, 1, (throng_vec3){0, 0, 0}, (throng_vec3){2, 0, 0}, 0.1f, 100, true);
  assert_true(fabsf(e.p.x - 20) < 1e-2f && e.p.z > -0.05f && e.p.z < 0.05f);
  e = go(&s, 1, (throng_vec3){0, 0, 0}, (throng_vec3){2, 0, 0.7f}, 0.1f, 100, true);
  assert_true(e.p.x > 15 && e.p.z < 0.2f);
  s.walls = 1;
  e = go(&s, 1, (throng_vec3){0, 0, 0}, (throng_vec3){1, 0, -1}, 0.1f, 20, true);
  assert_true(fabsf(e.p.x - 2) < 1e-4f && fabsf(e.p.z + 2) < 1e-4f);
}

/* An agent that is pushed into a corner of 10 to 170 degrees stays inside it. Head-on, it comes to rest. */
static void corners(void **state) {
  (void)state;
  for (int degrees = 10; degrees < 180; degrees += 10) {
    static stand s;
    memset(&s, 0, sizeof s);
    const float a = (float)degrees * 0.5f * 0.0174533f;
    add_wall(&s, 0, 0, -10 * cosf(a), 10 * sinf(a));
    add_wall(&s, 0, 0, -10 * cosf(a), -10 * sinf(a));
    for (int aside = -1; aside <= 1; aside++) {
      const throng_vec3 v = {5000, 0, (float)aside};
      const ending e = go(&s, 0.05f, (throng_vec3){-3, 0, 0.001f}, v, 1, 20, true);
      assert_true(e.p.x < 0.0f && e.p.x > -3.0f);
      assert_true(stage_length(e.v) <= stage_length(v) + 1e-3);
    }
    const ending head_on = go(&s, 0.05f, (throng_vec3){-3, 0, 0.0f}, (throng_vec3){5, 0, 0}, 1, 20, true);
    assert_true(head_on.v.x == 0.0f && head_on.v.z == 0.0f && fabsf(head_on.p.z) < 0.1f);
  }
}

static void round_an_obstacle(void **state) {
  (void)state;
  static stand s;
  memset(&s, 0, sizeof s);
  add_ball(&s, 10, 99, 0, 3);
  ending e = go(&s, 0.5f, (throng_vec3){0, 0, 0.1f}, (throng_vec3){2, 0, 0}, 0.1f, 200, true);
  assert_true(e.p.x > 20 && e.p.z > 3.5f && e.p.z < 3.6f); /* it slid round on the side where it began */
  e = go(&s, 0.5f, (throng_vec3){0, 0, 0.1f}, (throng_vec3){10000, 0, 0}, 1, 1, true);
  assert_true(e.p.x < 20.0f && fabsf(e.p.z) < 300.0f);
}

static uint8_t pillars[64 * 64];

/* Among blocked cells, walls and circles, unbounded or in a box, every agent ends at a free point and crosses no
 * wall. */
static void with_cells_and_a_box(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 40; round++) {
    const uint64_t seed = base_seed + 5000 + round;
    test_rng rng = rng_from(seed);
    place at = random_place(&rng, THRONG_SPACE_PLANAR);
    at.side = 40;
    const stand s = random_stand(&rng, &at);
    const throng_boundary boundary = (throng_boundary)(round % 2);
    throng_world *world =
        stand_world(THRONG_SPACE_PLANAR, boundary, at.side, at.origin, 0.1f, (throng_update)(round % 3));
    throng_cells_def cells = throng_default_cells_def();
    throng_error error;
    for (uint32_t k = 0; k < 64 * 64; k++) pillars[k] = rng_chance(&rng, 0.15f);
    cells.width = cells.height = 64;
    cells.cell = 0.625f;
    cells.origin.x = at.origin.x;
    cells.origin.z = at.origin.z;
    cells.blocked = pillars;
    require_ok(throng_world_set_cells(world, &cells, &error), &error);
    set_stand(world, &s);
    for (int k = 0; k < AGENTS;) {
      before[k] = free_point(&rng, world, &at, &s);
      if (throng_world_is_free(world, before[k], 0)) k++;
    }
    stage_add(world, AGENTS, before, NULL, NULL, NULL);
    for (int frame = 0; frame < 20; frame++) {
      for (int k = 0; k < AGENTS; k++) velocity[k] = random_velocity(&rng, THRONG_SPACE_PLANAR);
      require_ok(throng_agents_write(world, THRONG_COLUMN_VELOCITY, NULL, AGENTS, velocity, 0, &error), &error);
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, before, 0, &error), &error);
      stage_step(world, rng_pick(&rng, (const float[]){0.01f, 0.125f, 1.0f}, 3));
      require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, AGENTS, after, 0, &error), &error);
      for (int k = 0; k < AGENTS; k++) {
        const bool bad = !throng_world_is_free(world, after[k], 0) || crosses(&s, lv_of(before[k]), lv_of(after[k]));
        if (bad) print_error("seed %" PRIu64 ", frame %d, agent %d: not free, or crossed a wall\n", seed, frame, k + 1);
        assert_false(bad);
      }
    }
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_scenery", 1250);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walls_take_the_velocity_into_them),
      cmocka_unit_test(nobody_creeps),
      cmocka_unit_test(beginnings_on_surfaces),
      cmocka_unit_test(bodies_too_large),
      cmocka_unit_test(corners),
      cmocka_unit_test(round_an_obstacle),
      cmocka_unit_test(planar_storms),
      cmocka_unit_test(spatial_storms),
      cmocka_unit_test(nobody_leaves_a_star),
      cmocka_unit_test(with_cells_and_a_box),
      cmocka_unit_test(the_grid_decides_no_bit),
      cmocka_unit_test(every_table_and_thread_count_agrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
