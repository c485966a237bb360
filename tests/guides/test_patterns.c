/* test_patterns.c: tests of what agents do that play a pattern, and of definitions that are refused.
 * test_reference_a.c compares their bits with the reference.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265f

static const float frame_time = 1.0f / 60.0f;
static const float speed = 2.0f, force = 3.0f;

typedef throng_pattern_instruction instruction;
/* An instruction without cue and step. */
#define FORCE(right, thrust, heading, distance)                                                                        \
  { right, thrust, heading, distance, 0, 0, 0, 0 }

static void set_pattern(throng_world *world, uint32_t number, const instruction *list, uint32_t count, bool loop) {
  throng_pattern_def def = throng_default_pattern_def();
  throng_error error;
  def.instructions = list;
  def.count = count;
  def.loop = loop;
  require_ok(throng_world_set_pattern(world, number, &def, &error), &error);
  assert_int_equal(throng_world_pattern_instruction_count(world, number), count);
}

static throng_group_def player(void) {
  throng_group_def g = stage_idle_group();
  g.max_speed = speed;
  g.max_acceleration = force;
  group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATTERN, 1.0f);
  return g;
}

/* Returns a world with one agent that plays the list. It is at the origin and moves along +z at full speed. */
static throng_world *play_by(const throng_group_def *g, const instruction *list, uint32_t count, bool loop,
                             throng_agent_id *id) {
  const throng_world_def def = throng_default_world_def();
  const throng_vec3 p = {0, 0, 0}, v = {0, 0, speed};
  throng_world *world = stage_world(&def, g);
  set_pattern(world, 0, list, count, loop);
  stage_add(world, 1, &p, &v, NULL, id);
  return world;
}
static throng_world *play(const instruction *list, uint32_t count, bool loop, throng_agent_id *id) {
  const throng_group_def g = player();
  return play_by(&g, list, count, loop, id);
}

static float yaw_of(const throng_world *world, throng_agent_id id) {
  return stage_read(world, THRONG_COLUMN_FACING, id).x;
}
static float place_of(const throng_world *world, throng_agent_id id) {
  return stage_read(world, THRONG_COLUMN_PATTERN_INSTRUCTION, id).x;
}
static void set_place(throng_world *world, throng_agent_id id, float place) {
  stage_write(world, THRONG_COLUMN_PATTERN_INSTRUCTION, id, (throng_vec3){place, 0, 0});
}

static void require_force(throng_world *world, throng_agent_id id, float x, float z) {
  throng_error error;
  require_ok(throng_world_steer(world, frame_time, &error), &error);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
  if (!(fabsf(a.x - x) < 1e-5f && fabsf(a.z - z) < 1e-5f))
    fail_msg("acceleration (%g, %g), expected (%g, %g)", (double)a.x, (double)a.z, (double)x, (double)z);
}

/* Checks the force of each instruction. The agent's facing is +z, its right -x. The way, which the host writes, is the
 * turn so far, by which the force tapers off. */
static void forces_by_hand(void **state) {
  (void)state;
  const instruction list[] = {FORCE(0, 0.5f, 0, 0), FORCE(0.5f, 0, 0, 0), FORCE(-1, 0, 0, 0),    FORCE(1, 1, 0, 0),
                              FORCE(0, -1, 0, 0),   FORCE(1, 0, 2.0f, 0), FORCE(-1, 0, 2.0f, 0), FORCE(0, 0, 0, 5)};
  const float diagonal = force * sqrtf(0.5f);
  const float wanted[][2] = {{0, 1.5f}, {-1.5f, 0}, {3, 0}, {-diagonal, diagonal}, {0, -3}, {-1.5f, 0}, {3, 0}, {0, 0}};
  throng_agent_id id;
  throng_world *world = play(list, 8, false, &id);
  stage_write(world, THRONG_COLUMN_PATTERN_WAY, id, (throng_vec3){-1.0f, 0, 0}); /* half of 2 rad to the right */
  for (int k = 0; k < 8; k++) {
    set_place(world, id, (float)k);
    require_force(world, id, wanted[k][0], wanted[k][1]);
  }
  set_place(world, id, 5);
  stage_write(world, THRONG_COLUMN_PATTERN_WAY, id, (throng_vec3){-1.95f, 0, 0});
  require_force(world, id, -0.05f * force, 0);
  set_place(world, id, 8);
  require_force(world, id, 0, 0);
  set_place(world, id, NAN); /* NAN: begins at instruction 0 with a way of 0 */
  require_force(world, id, 0, 1.5f);
  stage_step(world, frame_time);
  assert_true(place_of(world, id) == 0.0f && stage_read(world, THRONG_COLUMN_PATTERN_WAY, id).x == 0.0f);
  throng_world_destroy(world);
}

/* Instruction, yaw and position of an agent in each frame. */
#define MOST_FRAMES 4000
typedef struct trail {
  int frames;
  float place[MOST_FRAMES], yaw[MOST_FRAMES];
  throng_vec3 at[MOST_FRAMES];
} trail;

static void record(throng_world *world, throng_agent_id id, int frames, trail *t) {
  t->frames = frames;
  for (int k = 0; k < frames; k++) {
    stage_step(world, frame_time);
    t->place[k] = place_of(world, id);
    t->yaw[k] = yaw_of(world, id);
    t->at[k] = stage_read(world, THRONG_COLUMN_POSITION, id);
  }
}

/* Checks that odd instructions are corners of many frames, with no faster turn than the force allows, and that even
 * ones are straight. Returns the number of corners. heading: the yaw after each. */
static int require_filleted(const trail *t, uint32_t period, float heading[], int most) {
  int corners = 0, length = 0;
  for (int k = 2; k < t->frames; k++) {
    const float turn = fabsf(remainderf(t->yaw[k] - t->yaw[k - 1], 2 * PI));
    const bool corner = (int)t->place[k] % 2 == 1;
    assert_true(t->place[k] < (float)period);
    assert_true(corner ? turn < 1.01f * force * frame_time / speed : turn < 1e-3f || (int)t->place[k - 1] % 2 == 1);
    length += corner;
    if (corner || (int)t->place[k - 1] % 2 == 0) continue;
    assert_true(length > 40); /* a quarter turn at full force takes 63 frames, more with the taper */
    assert_true(corners < most);
    length = 0;
    heading[corners++] = t->yaw[k];
  }
  return corners;
}

static void a_square_has_filleted_corners(void **state) {
  (void)state;
  const instruction side[] = {FORCE(0, 1, 0, 10), FORCE(1, 0, PI / 2, 0)};
  static trail t;
  throng_agent_id id;
  float heading[40];
  throng_world *world = play(side, 2, true, &id);
  record(world, id, MOST_FRAMES, &t);
  const int corners = require_filleted(&t, 2, heading, 40);
  assert_true(corners >= 6);
  for (int k = 0; k < corners; k++) /* quarter turns to the right: -90, 180, 90, 0 degrees */
    assert_true(fabsf(remainderf(heading[k] + (float)(k + 1) * PI / 2, 2 * PI)) < 0.02f * (float)(k + 1));
  float low[2] = {0, 0}, high[2] = {0, 0};
  for (int k = 0; k < t.frames; k++) {
    low[0] = fminf(low[0], t.at[k].x), high[0] = fmaxf(high[0], t.at[k].x);
    low[1] = fminf(low[1], t.at[k].z), high[1] = fmaxf(high[1], t.at[k].z);
  }
  for (int c = 0; c < 2; c++) { /* a side and two corners, whose radius is at least speed² / force */
    const float width = high[c] - low[c];
    assert_true(width > 10.0f + 2 * speed * speed / force && width < 22.0f);
  }
  assert_true(high[0] < 1.0f && high[1] > 10.0f);
  throng_world_destroy(world);
}

static void a_zigzag_has_filleted_corners(void **state) {
  (void)state;
  const instruction list[] = {FORCE(0, 1, 0, 3),  FORCE(1, 0, PI / 4, 0), FORCE(0, 1, 0, 6), FORCE(-1, 0, PI / 2, 0),
                              FORCE(0, 1, 0, 12), FORCE(1, 0, PI / 2, 0), FORCE(0, 1, 0, 6), FORCE(-1, 0, PI / 4, 0)};
  static trail t;
  throng_agent_id id;
  float heading[40];
  throng_world *world = play(list, 8, true, &id);
  record(world, id, 3000, &t);
  const int corners = require_filleted(&t, 8, heading, 40);
  const float wanted[] = {-PI / 4, PI / 4, -PI / 4, 0};
  assert_true(corners >= 6);
  for (int k = 0; k < corners; k++) assert_true(fabsf(heading[k] - wanted[k % 4]) < 0.2f);
  assert_true(t.at[t.frames - 1].z > 60.0f && fabsf(t.at[t.frames - 1].x) < 10.0f);
  throng_world_destroy(world);
}

/* A smooth facing lags behind the motion, so without a taper it overshoots a turn by about facing_time times the turn
 * rate. The taper reduces this to less than a tenth. */
static void the_taper_cuts_the_overshoot(void **state) {
  (void)state;
  const instruction tapered[] = {FORCE(1, 0, PI / 2, 0), FORCE(0, 0, 0, 0)},
                    free_turn[] = {FORCE(1, 0, 0, 0), FORCE(0, 0, 0, 0)};
  throng_group_def g = player();
  float over[2];
  g.facing = THRONG_FACING_SMOOTH;
  g.facing_time = 0.3f;
  for (int taper = 0; taper < 2; taper++) {
    throng_agent_id id;
    throng_world *world = play_by(&g, taper ? tapered : free_turn, 2, false, &id);
    for (int frame = 0; frame < 1200; frame++) {
      stage_step(world, frame_time);
      if (!taper && yaw_of(world, id) <= -PI / 2 && place_of(world, id) == 0.0f) set_place(world, id, 1);
    }
    assert_true(place_of(world, id) == 1.0f);
    over[taper] = -PI / 2 - yaw_of(world, id);
    throng_world_destroy(world);
  }
  const float rate = force / speed;
  assert_true(over[0] > 0.8f * rate * g.facing_time);
  assert_true(over[1] >= 0.0f && over[1] < 0.1f * over[0]);
}

/* Turns to both sides end after their heading change, also if it is more than half a circle or a whole one. */
static void long_turns_end(void **state) {
  (void)state;
  const float headings[] = {0.5f, 3.0f, PI, 3.5f, 1.5f * PI, 6.2f, 6.4f, 13.0f};
  for (int k = 0; k < 16; k++) {
    const float side = k % 2 ? -1.0f : 1.0f, heading = headings[k / 2];
    const instruction list[] = {FORCE(side, 0, heading, 0), FORCE(0, 0, 0, 0)};
    throng_agent_id id;
    throng_world *world = play(list, 2, false, &id);
    float turned = 0.0f, before = yaw_of(world, id);
    for (int frame = 0; frame < 4000 && !(place_of(world, id) == 1.0f); frame++) {
      stage_step(world, frame_time);
      turned += remainderf(yaw_of(world, id) - before, 2 * PI);
      before = yaw_of(world, id);
    }
    assert_true(place_of(world, id) == 1.0f);
    assert_true(fabsf(-turned * side - heading) < 0.01f);
    throng_world_destroy(world);
  }
  /* An instruction with a side does not end if the agent turns to the other side. One without a side ends by a turn to
   * either side. */
  for (int sided = 0; sided < 2; sided++) {
    const instruction list[] = {FORCE(sided ? 1.0f : 0.0f, 0, 1.0f, 0), FORCE(0, 0, 0, 0)};
    throng_group_def g = player();
    throng_agent_id id;
    if (sided) g.behaviour[0].weight = -1.0f;
    throng_world *world = play_by(&g, list, 2, false, &id);
    for (int frame = 0; frame < 300; frame++) {
      throng_error error;
      require_ok(throng_world_steer(world, frame_time, &error), &error);
      const float yaw = yaw_of(world, id);
      if (!sided) stage_push(world, id, (throng_vec3){force * cosf(yaw), 0, -force * sinf(yaw)}); /* left */
      require_ok(throng_world_integrate(world, frame_time, &error), &error);
    }
    assert_true(place_of(world, id) == (sided ? 0.0f : 1.0f));
    throng_world_destroy(world);
  }
}

/* Returns the number of frames until the first instruction ends; more than 3000 if it does not. */
static int frames_of(throng_world *world, throng_agent_id id) {
  int frames = 0;
  do {
    stage_step(world, frame_time);
  } while (place_of(world, id) != 1.0f && frames++ < 3000);
  return frames;
}

static void either_limit_ends_an_instruction(void **state) {
  (void)state;
  const struct {
    instruction first;
    int low, high;
  } cases[] = {{FORCE(0, 1, 0, 4), 119, 122},      /* 4 m at 2 m/s */
               {FORCE(1, 0, 100, 1), 29, 35},      /* the distance ends it: a chord of about 1 m */
               {FORCE(1, 0, 0.1f, 100), 4, 30},    /* the heading ends it */
               {FORCE(1, 0, 100, 0), 3000, 9999},  /* not within 50 s */
               {FORCE(0, 1, 100, 0), 3000, 9999}}; /* straight ahead with a heading limit: never */
  for (int k = 0; k < 5; k++) {
    const instruction list[] = {cases[k].first, FORCE(0, 0, 0, 0)};
    throng_agent_id id;
    throng_world *world = play(list, 2, false, &id);
    const int frames = frames_of(world, id);
    if (frames < cases[k].low || frames > cases[k].high) fail_msg("case %d: %d frames", k, frames);
    throng_world_destroy(world);
  }
}

static void patterns_loop_or_stop(void **state) {
  (void)state;
  const instruction list[] = {FORCE(0, 1, 0, 1), FORCE(0, -0.1f, 0, 1), FORCE(1, 0, 0.2f, 0)};
  for (int loop = 0; loop < 2; loop++) {
    throng_agent_id id;
    throng_world *world = play(list, 3, loop, &id);
    int rounds = 0;
    for (int frame = 0; frame < 600; frame++) {
      const float before = place_of(world, id);
      stage_step(world, frame_time);
      const float now = place_of(world, id);
      rounds += before == 2.0f && now == 0.0f;
      assert_true(!(before >= 0.0f) || now == before || now == before + 1.0f || (loop && now == 0.0f));
    }
    if (loop) {
      assert_true(rounds >= 3);
    } else {
      assert_true(rounds == 0 && place_of(world, id) == 3.0f);
      require_force(world, id, 0, 0);
      set_pattern(world, 0, list, 2, false); /* shorter: the agent is past its end */
      require_force(world, id, 0, 0);
      set_pattern(world, 0, list, 2, true);
      const float yaw = yaw_of(world, id);
      require_force(world, id, force * sinf(yaw), force * cosf(yaw)); /* begins again */
    }
    throng_world_destroy(world);
  }
}

/* The way counts motion across the seam, also more than half the box. It does not count positions that the host writes,
 * nor motion that the face of a box stops. */
static void distances_are_those_that_were_gone(void **state) {
  (void)state;
  const instruction list[] = {FORCE(0, 1, 0, 30), FORCE(0, 0, 0, 0)};
  const throng_group_def g = player();
  const throng_vec3 p = {9, 0, 18}, v = {0, 0, speed};
  for (int boxed = 0; boxed < 2; boxed++) {
    throng_world_def def = throng_default_world_def();
    throng_world_def_set_boundary(&def, boxed ? THRONG_BOUNDARY_BOX : THRONG_BOUNDARY_PERIODIC);
    def.box_max = (throng_vec3){20, 20, 20};
    throng_world *world = stage_world(&def, &g);
    throng_agent_id id;
    set_pattern(world, 0, list, 2, false);
    stage_add(world, 1, &p, &v, NULL, &id);
    for (int frame = 0; frame < 500; frame++) {
      stage_step(world, frame_time);
      if (frame == 300) stage_write(world, THRONG_COLUMN_POSITION, id, p);
    }
    const throng_vec3 way = stage_read(world, THRONG_COLUMN_PATTERN_WAY, id);
    const float reached = boxed ? 4.0f : 500.0f * frame_time * speed; /* 2 m to the face, twice */
    assert_true(fabsf(way.z - reached) < 0.01f && way.y == 0.0f && place_of(world, id) == 0.0f);
    assert_int_equal(frames_of(world, id) > 2999, boxed);
    throng_world_destroy(world);
  }
}

/* A throng_world_integrate that fails because of another agent does not change an agent's way. */
static void failed_frames_add_no_way(void **state) {
  (void)state;
  const instruction go[] = {FORCE(0, 1, 0, 100)};
  const throng_group_def g = player();
  throng_group_def rocket = stage_idle_group();
  rocket.max_speed = INFINITY;
  throng_vec3 way[2];
  for (int failures = 0; failures < 2; failures++) {
    throng_agent_id id, other;
    throng_world *world = play_by(&g, go, 1, false, &id);
    throng_error error;
    require_ok(throng_world_set_group(world, 1, &rocket, &error), &error);
    throng_agents_def def = throng_default_agents_def();
    def.position.data = &(throng_vec3){50, 0, 50};
    def.velocity.data = &(throng_vec3){2e6f, 0, 0};
    def.group.data = &(uint8_t){1};
    require_ok(throng_agents_add(world, &def, 1, &other, &error), &error);
    require_ok(throng_world_steer(world, 0.1f, &error), &error);
    for (int k = 0; k < 3 * failures; k++)
      require_error(throng_world_integrate(world, 1.0f, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
    require_ok(throng_world_integrate(world, 0.001f, &error), &error);
    way[failures] = stage_read(world, THRONG_COLUMN_PATTERN_WAY, id);
    throng_world_destroy(world);
  }
  assert_memory_equal(&way[0], &way[1], sizeof *way);
}

static void agents_have_their_own_patterns(void **state) {
  (void)state;
  const instruction ahead[] = {FORCE(0, 1, 0, 2), FORCE(0, 0.5f, 0, 0)}, aside[] = {FORCE(1, 0, 0, 0)};
  const throng_world_def def = throng_default_world_def();
  const throng_group_def g = player();
  const throng_vec3 p[3] = {{0, 0, 0}, {5, 0, 0}, {9, 0, 0}}, v[3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  throng_world *world = stage_world(&def, &g);
  throng_agent_id ids[3];
  throng_error error;
  stage_add(world, 3, p, v, NULL, ids);
  require_force(world, ids[0], 0, 0); /* no pattern is set */
  assert_true(isnan(place_of(world, ids[0])) && isnan(stage_read(world, THRONG_COLUMN_PATTERN, ids[0]).x));
  set_pattern(world, 0, ahead, 2, false);
  set_pattern(world, 63, aside, 1, true);
  stage_write(world, THRONG_COLUMN_PATTERN, ids[1], (throng_vec3){63, 0, 0});
  stage_write(world, THRONG_COLUMN_PATTERN, ids[2], (throng_vec3){7, 0, 0}); /* not set */
  require_force(world, ids[0], 0, force);
  require_force(world, ids[1], -force, 0);
  require_force(world, ids[2], 0, 0);
  stage_write(world, THRONG_COLUMN_PATTERN, ids[1], (throng_vec3){NAN, 0, 0});
  require_force(world, ids[1], 0, force);
  for (int frame = 0; frame < 100; frame++) stage_step(world, frame_time);

  /* An origin shift, or setting the same pattern again, changes nothing. */
  const throng_vec3 way = stage_read(world, THRONG_COLUMN_PATTERN_WAY, ids[0]);
  const float place = place_of(world, ids[0]);
  require_ok(throng_world_shift_origin(world, (throng_vec3){1, 0, 1}, NULL, &error), &error);
  set_pattern(world, 0, ahead, 2, false);
  const throng_vec3 same = stage_read(world, THRONG_COLUMN_PATTERN_WAY, ids[0]);
  assert_true(way.z > 0.0f && memcmp(&same, &way, sizeof way) == 0 && place_of(world, ids[0]) == place);
  require_ok(throng_world_set_pattern(world, 0, NULL, &error), &error);
  assert_int_equal(throng_world_pattern_instruction_count(world, 0), 0);
  require_force(world, ids[0], 0, 0);
  stage_step(world, frame_time);
  assert_true(place_of(world, ids[0]) == place);
  throng_world_destroy(world);
}

static float cue_of(const throng_world *world, throng_agent_id id) {
  return stage_read(world, THRONG_COLUMN_PATTERN_CUE, id).x;
}

/* B's control data: 36 times 10 degrees to the right and a step of 2 m. The corners are those of a regular polygon, at
 * any frame time and for any kind of facing that can turn. */
static void turns_and_steps_make_a_polygon(void **state) {
  (void)state;
  const instruction list[] = {{.turn = PI / 18, .step = 2, .cue = 7}};
  static const float times[] = {1.0f / 60.0f, 0.1f, 0.35f};
  for (int k = 0; k < 6; k++) {
    throng_group_def g = player();
    g.max_acceleration = 1e4f;
    g.max_yaw_rate = 100.0f;
    g.max_yaw_acceleration = INFINITY;
    if (k % 2) g.facing = THRONG_FACING_STEERED;
    throng_agent_id id;
    throng_world *world = play_by(&g, list, 1, true, &id);
    double yaw = 0.0, x = 0.0, z = 0.0, worst = 0.0;
    int steps = 0;
    bool began = false;
    for (int frame = 0; frame < 4000 && steps < 36; frame++) {
      const throng_vec3 before = stage_read(world, THRONG_COLUMN_POSITION, id);
      stage_step(world, times[k / 2]);
      const throng_vec3 way = stage_read(world, THRONG_COLUMN_PATTERN_WAY, id),
                        p = stage_read(world, THRONG_COLUMN_POSITION, id);
      const double gone = hypot((double)(p.x - before.x), (double)(p.z - before.z));
      const bool next = fabs(hypot((double)way.y, (double)way.z) - gone) < 1e-6; /* an instruction has begun */
      assert_true(cue_of(world, id) == 7.0f);
      if (next && began) {
        yaw -= (double)PI / 18.0;
        x += 2.0 * sin(yaw);
        z += 2.0 * cos(yaw);
        worst = fmax(worst, hypot((double)before.x - x, (double)before.z - z));
        steps++;
      }
      began = true;
    }
    if (steps < 36 || worst > 0.02) fail_msg("case %d: %d steps, %g m off", k, steps, worst);
    assert_true(hypot(x, z) < 1e-4); /* the polygon is closed */
    throng_world_destroy(world);
  }
}

/* Patterns with forces end, too, when behaviours steer the yaw. After a turn the spin is braked. */
static void a_steered_yaw_ends_turns(void **state) {
  (void)state;
  const instruction list[] = {{.thrust = 1, .distance = 3, .cue = -2},
                              {.right = 1, .heading = PI / 2, .cue = 1e6f},
                              {.thrust = 1, .distance = 3}};
  throng_group_def g = player();
  g.facing = THRONG_FACING_STEERED;
  g.max_yaw_rate = 2.0f;
  throng_agent_id id;
  throng_world *world = play_by(&g, list, 3, false, &id);
  float cues[3] = {NAN, NAN, NAN};
  assert_true(isnan(cue_of(world, id)));
  for (int frame = 0; frame < 900; frame++) {
    stage_step(world, frame_time);
    const float now = place_of(world, id);
    if (now < 3.0f) cues[(int)now] = cue_of(world, id);
    if (now != 1.0f) continue;
    const float rate = stage_read(world, THRONG_COLUMN_YAW_RATE, id).x; /* to the right, at most 2 rad/s, tapered */
    assert_true(rate <= 0.0f && rate >= -2.0f);
  }
  assert_true(cues[0] == -2.0f && cues[1] == 1e6f && cues[2] == 0.0f);
  assert_true(place_of(world, id) == 3.0f && isnan(cue_of(world, id)));
  assert_true(fabsf(yaw_of(world, id) + PI / 2) < 0.05f);
  assert_true(fabsf(stage_read(world, THRONG_COLUMN_YAW_RATE, id).x) < 1e-3f);
  throng_world_destroy(world);
}

static void cues_are_only_read(void **state) {
  (void)state;
  const instruction list[] = {FORCE(0, 1, 0, 0)};
  throng_agent_id id;
  throng_error error;
  const float cue = 1.0f;
  throng_world *world = play(list, 1, true, &id);
  require_error(throng_agents_write(world, THRONG_COLUMN_PATTERN_CUE, &id, 1, &cue, 0, &error), THRONG_ERROR_BAD_VALUE,
                &error);
  assert_non_null(strstr(error.text, "pattern_cue"));
  const struct {
    instruction list[1];
    const char *text;
  } bad[] = {{{{.turn = 1, .heading = 1}}, "instructions[0].heading"},
             {{{.step = 1, .right = 1}}, "instructions[0].right"},
             {{{.step = 1, .distance = 1}}, "instructions[0].distance"},
             {{{.step = -1.1e9f}}, "instructions[0].step"},
             {{{.wait = -1}}, "instructions[0].wait"},
             {{{.wait = 1, .thrust = 1}}, "instructions[0].thrust"},
             {{{.wait = 1, .step = 1}}, "instructions[0].wait"},
             {{{.step = 1, .turn = 3.2f}}, "instructions[0].turn"}};
  throng_pattern_def def = throng_default_pattern_def();
  def.count = 1;
  for (int k = 0; k < 8; k++) {
    def.instructions = bad[k].list;
    require_error(throng_world_set_pattern(world, 0, &def, &error), THRONG_ERROR_BAD_VALUE, &error);
    assert_non_null(strstr(error.text, bad[k].text));
  }
  throng_world_destroy(world);
}

static void definitions_are_checked(void **state) {
  (void)state;
  const instruction good[] = {FORCE(0, 1, 0, 2), FORCE(1, 0, 1, 0)};
  const instruction bad[][2] = {
      {FORCE(0, 1, 0, 2), FORCE(1.01f, 0, 0, 0)}, {FORCE(0, 1, 0, 2), FORCE(0, -1.01f, 0, 0)},
      {FORCE(0, 1, 0, 2), FORCE(0, 0, -0.1f, 0)}, {FORCE(0, 1, 0, 2), FORCE(0, 0, 1.1e4f, 0)},
      {FORCE(0, 1, 0, 2), FORCE(0, 0, 0, -1)},    {FORCE(0, 1, 0, 2), FORCE(0, 0, 0, 1.1e9f)},
      {FORCE(0, 1, 0, 2), FORCE(NAN, 0, 0, 0)},   {FORCE(0, 1, 0, 2), FORCE(0, 0, INFINITY, 0)}};
  throng_agent_id id;
  throng_error error;
  throng_world *world = play(good, 2, true, &id);
  throng_pattern_def def = throng_default_pattern_def(), zero = {0};
  assert_true(def.loop && def.count == 0);
  def.count = 2;
  require_error(throng_world_set_pattern(world, 0, &def, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  def.instructions = good;
  require_error(throng_world_set_pattern(NULL, 0, &def, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_set_pattern(world, 64, &def, &error), THRONG_ERROR_BAD_VALUE, &error);
  require_error(throng_world_set_pattern(world, 0, &zero, &error), THRONG_ERROR_BAD_COOKIE, &error);
  for (int k = 0; k < 8; k++) {
    def.instructions = bad[k];
    const throng_status wanted = k < 6 ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE;
    require_error(throng_world_set_pattern(world, 0, &def, &error), wanted, &error);
    assert_non_null(strstr(error.text, "pattern.instructions[1]."));
  }
  for (uint32_t count = 0; count < 2; count++) {
    def.count = count ? THRONG_MAX_INSTRUCTIONS + 1 : 0;
    require_error(throng_world_set_pattern(world, 0, &def, &error), THRONG_ERROR_BAD_VALUE, &error);
  }
  assert_int_equal(throng_world_pattern_instruction_count(world, 0), 2);
  assert_int_equal(throng_world_pattern_instruction_count(world, 64), 0);
  assert_int_equal(throng_world_pattern_instruction_count(NULL, 0), 0);
  require_force(world, id, 0, force);
  throng_world_destroy(world);
}

static void columns_and_groups_are_checked(void **state) {
  (void)state;
  const instruction good[] = {FORCE(0, 1, 0, 2)};
  const struct {
    throng_column column;
    float value[3];
    throng_status status;
  } bad[] = {{THRONG_COLUMN_PATTERN, {64}, THRONG_ERROR_BAD_VALUE},
             {THRONG_COLUMN_PATTERN, {-1}, THRONG_ERROR_BAD_VALUE},
             {THRONG_COLUMN_PATTERN, {0.5f}, THRONG_ERROR_BAD_VALUE},
             {THRONG_COLUMN_PATTERN, {INFINITY}, THRONG_ERROR_NOT_FINITE},
             {THRONG_COLUMN_PATTERN_INSTRUCTION, {65537}, THRONG_ERROR_BAD_VALUE},
             {THRONG_COLUMN_PATTERN_INSTRUCTION, {1e30f}, THRONG_ERROR_BAD_VALUE},
             {THRONG_COLUMN_PATTERN_INSTRUCTION, {1.5f}, THRONG_ERROR_BAD_VALUE},
             {THRONG_COLUMN_PATTERN_WAY, {0, 2e9f, 0}, THRONG_ERROR_BAD_VALUE},
             {THRONG_COLUMN_PATTERN_WAY, {NAN, 0, 0}, THRONG_ERROR_NOT_FINITE}};
  throng_agent_id id;
  throng_error error;
  throng_world *world = play(good, 1, true, &id);
  set_place(world, id, 0);
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    require_error(throng_agents_write(world, bad[k].column, &id, 1, bad[k].value, 0, &error), bad[k].status, &error);
  }
  assert_true(place_of(world, id) == 0.0f && isnan(stage_read(world, THRONG_COLUMN_PATTERN, id).x));
  throng_group_def g = player();
  g.behaviour[0].follow_pattern.index = 64;
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  g = player();
  throng_group_def_add(&g, THRONG_BEHAVIOUR_FOLLOW_PATTERN);
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_by_hand),
      cmocka_unit_test(a_square_has_filleted_corners),
      cmocka_unit_test(a_zigzag_has_filleted_corners),
      cmocka_unit_test(the_taper_cuts_the_overshoot),
      cmocka_unit_test(long_turns_end),
      cmocka_unit_test(either_limit_ends_an_instruction),
      cmocka_unit_test(patterns_loop_or_stop),
      cmocka_unit_test(distances_are_those_that_were_gone),
      cmocka_unit_test(failed_frames_add_no_way),
      cmocka_unit_test(agents_have_their_own_patterns),
      cmocka_unit_test(turns_and_steps_make_a_polygon),
      cmocka_unit_test(a_steered_yaw_ends_turns),
      cmocka_unit_test(cues_are_only_read),
      cmocka_unit_test(definitions_are_checked),
      cmocka_unit_test(columns_and_groups_are_checked),
  };
  return cmocka_run_group_tests_name("patterns", tests, NULL, NULL);
}
