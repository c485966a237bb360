/* test_slide.c: an agent with reciprocal avoidance that stands alone at a surface, and wants to go into it, slides
 * along it as far as its wish leads that way. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"
#include "support/stand.h"

#include <math.h>
#include <string.h>

#define SPEED 1.4f
#define BODY 0.25f
#define CELLS 400

enum surface { WALL, BLOCKED_CELLS, FACE, BOX, PLANE, FACE_IN_SPACE, SURFACES };
static const char *const surface_name[SURFACES] = {"wall", "cells", "face", "box", "plane", "face in space"};
static uint64_t base_seed;

static bool is_spatial(enum surface surface) { return surface >= BOX; }

static throng_group_def walker(float angle) {
  throng_group_def g = stage_idle_group();
  g.max_speed = SPEED;
  g.max_acceleration = 4.0f;
  g.body_radius = BODY;
  g.contact = 1.0f;
  g.avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
  g.avoidance.weight = 1.0f;
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  b->seek.time_to_target = 0.3f;
  b->target.kind = THRONG_TARGET_POINT;
  b->target.point = (throng_vec3){1e5f * sinf(angle), 0, 1e5f * cosf(angle)};
  return g;
}

/* The agent touches the surface, which lies at z = BODY. */
static void build(throng_world *world, enum surface surface) {
  static uint8_t blocked[CELLS * CELLS];
  throng_error error;
  stand s;
  memset(&s, 0, sizeof s);
  if (surface == WALL) add_wall(&s, -90, BODY, 90, BODY);
  if (surface == BOX) {
    s.boxes = 1;
    s.low[0] = (throng_vec3){-90, -90, BODY};
    s.high[0] = (throng_vec3){90, 90, 90};
  }
  if (surface == PLANE) {
    s.planes = 1;
    s.point[0] = (throng_vec3){0, 0, BODY};
    s.normal[0] = (throng_vec3){0, 0, -1};
  }
  if (surface == WALL || surface == BOX || surface == PLANE) set_stand(world, &s);
  if (surface != BLOCKED_CELLS) return;
  throng_cells_def map = throng_default_cells_def();
  for (int k = 0; k < CELLS * CELLS; k++) blocked[k] = k / CELLS == CELLS / 2;
  map.width = map.height = CELLS;
  map.cell = 0.5f;
  map.origin = (throng_vec3){-100, 0, BODY - 100};
  map.blocked = blocked;
  require_ok(throng_world_set_cells(world, &map, &error), &error);
}

/* Returns how far the agent slides in 5 s, after 3 s in which it gets up speed. */
static float slide(enum surface surface, float angle, float hz) {
  const throng_group_def g = walker(angle);
  throng_world_def def = throng_default_world_def();
  const bool face = surface == FACE || surface == FACE_IN_SPACE;
  def.space = is_spatial(surface) ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.box_min = (throng_vec3){-100, -100, -100};
  def.box_max = (throng_vec3){100, 100, face ? BODY : 100};
  def.perception_radius = 2.0f;
  throng_world *world = stage_world(&def, &g);
  const throng_vec3 p = {0, 0, -0.001f};
  throng_agent_id id;
  build(world, surface);
  stage_add(world, 1, &p, NULL, NULL, &id);
  for (int frame = 0; frame < (int)(3 * hz); frame++) stage_step(world, 1 / hz);
  const throng_vec3 from = stage_read(world, THRONG_COLUMN_POSITION, id);
  for (int frame = 0; frame < (int)(5 * hz); frame++) stage_step(world, 1 / hz);
  const throng_vec3 to = stage_read(world, THRONG_COLUMN_POSITION, id);
  throng_world_destroy(world);
  return to.x - from.x;
}

static void an_agent_alone_slides(void **state) {
  (void)state;
  static const float rates[] = {20, 60, 120, 240};
  test_rng rng = rng_from(base_seed);
  for (int surface = 0; surface < SURFACES; surface++) {
    double worst = 0;
    for (int k = 0; k < 4; k++) {
      for (int degrees = -89; degrees <= 89; degrees += 1 + (int)rng_below(&rng, 6)) {
        const float angle = (float)degrees * 0.0174532925f;
        const float way = slide((enum surface)surface, angle, rates[k]);
        worst = fmax(worst, fabs((double)(way - 5 * SPEED * sinf(angle))));
      }
    }
    print_message("%s: within %.4f m in 5 s\n", surface_name[surface], worst);
    assert_true(worst < 0.02 * 5 * (double)SPEED);
  }
}

int main(void) {
  base_seed = test_seed("slide", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_agent_alone_slides)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
