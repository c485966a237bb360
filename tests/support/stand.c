/* tests/support/stand.c
 * SPDX-License-Identifier: MIT */
#include "support/stage.h"
#include "support/stand.h"

#include <math.h>
#include <string.h>

throng_scenery_def stand_def(const stand *s) {
  throng_scenery_def def = throng_default_scenery_def();
  def.obstacle_centre.data = s->centre;
  def.obstacle_radius.data = s->radius;
  def.obstacle_count = s->balls;
  def.wall_from.data = s->from;
  def.wall_to.data = s->to;
  def.wall_count = s->walls;
  def.box_min.data = s->low;
  def.box_max.data = s->high;
  def.box_count = s->boxes;
  def.plane_point.data = s->point;
  def.plane_normal.data = s->normal;
  def.plane_count = s->planes;
  return def;
}

void set_stand(throng_world *world, const stand *s) {
  const throng_scenery_def def = stand_def(s);
  throng_error error;
  require_ok(throng_world_set_scenery(world, &def, &error), &error);
}

void add_wall(stand *s, float x0, float z0, float x1, float z1) {
  s->from[s->walls] = (throng_vec3){x0, 7.0f, z0}; /* y is ignored */
  s->to[s->walls++] = (throng_vec3){x1, NAN, z1};
}
void add_ball(stand *s, float x, float y, float z, float radius) {
  s->centre[s->balls] = (throng_vec3){x, y, z};
  s->radius[s->balls++] = radius;
}

throng_vec3 random_point(test_rng *rng, const place *at) {
  throng_vec3 p = {at->origin.x + rng_float(rng, 0, at->side), 0, at->origin.z + rng_float(rng, 0, at->side)};
  if (at->space == THRONG_SPACE_SPATIAL) p.y = at->origin.y + rng_float(rng, 0, at->side);
  return p;
}

place random_place(test_rng *rng, throng_space space) {
  static const float origins[] = {0.0f, -17.3f, 1000.1f, -60000.0f}, sides[] = {3.0f, 40.0f, 700.0f};
  const float at = rng_pick(rng, origins, 4);
  return (place){
      space, {at, space == THRONG_SPACE_SPATIAL ? -at : 0.0f, rng_pick(rng, origins, 4)}, rng_pick(rng, sides, 3)};
}

static void add_random_box(test_rng *rng, const place *at, stand *s) {
  throng_vec3 low = random_point(rng, at), high = low;
  high.x += rng_float(rng, 0.01f, 0.2f) * at->side;
  high.y += rng_float(rng, 0.01f, 0.2f) * at->side;
  high.z += rng_float(rng, 0.01f, 0.2f) * at->side;
  s->low[s->boxes] = low;
  s->high[s->boxes++] = high;
}

stand random_stand(test_rng *rng, const place *at) {
  static stand s;
  memset(&s, 0, sizeof s);
  const uint32_t count = 1 + rng_below(rng, 40);
  for (uint32_t k = 0; k < count; k++) {
    const throng_vec3 p = random_point(rng, at), q = random_point(rng, at);
    const float size = rng_pick(rng, (const float[]){0.01f, 0.1f, 1.0f}, 3);
    if (rng_chance(rng, 0.4f)) {
      add_ball(&s, p.x, p.y, p.z, rng_float(rng, 0.01f, 0.2f) * size * at->side);
    } else if (at->space == THRONG_SPACE_SPATIAL) {
      add_random_box(rng, at, &s);
    } else {
      throng_vec3 a = s.walls && rng_chance(rng, 0.6f) ? s.to[s.walls - 1] : p;
      throng_vec3 b = {a.x + (q.x - a.x) * size, 0, a.z + (q.z - a.z) * size};
      if (rng_chance(rng, 0.3f)) b.x = a.x;
      if (a.x == b.x && a.z == b.z) b.z += at->side;
      add_wall(&s, a.x, a.z, b.x, b.z);
    }
  }
  const uint32_t planes = at->space == THRONG_SPACE_SPATIAL ? rng_below(rng, 4) : 0;
  for (uint32_t k = 0; k < planes; k++) { /* floors, some of them sloping */
    const throng_vec3 n = {rng_float(rng, -0.3f, 0.3f), rng_float(rng, 1, 5), rng_float(rng, -0.3f, 0.3f)};
    s.normal[s.planes] = rng_chance(rng, 0.5f) ? n : (throng_vec3){0, 3, 0};
    s.point[s.planes] = random_point(rng, at);
    s.point[s.planes++].y = at->origin.y + rng_float(rng, 0, 0.2f) * at->side;
  }
  return s;
}

borders random_borders(test_rng *rng, const place *at) {
  borders b = {.mapped = at->space == THRONG_SPACE_PLANAR && rng_chance(rng, 0.6f), .box = rng_chance(rng, 0.6f)};
  const float before = rng_float(rng, 0.01f, 0.2f) * at->side,
              after = at->side + rng_float(rng, 0.01f, 0.2f) * at->side;
  b.low = (throng_vec3){at->origin.x - before, at->origin.y - before, at->origin.z - before};
  b.high = (throng_vec3){at->origin.x + after, at->origin.y + after, at->origin.z + after};
  b.cells = throng_default_cells_def();
  b.cells.width = 1 + rng_below(rng, 24);
  b.cells.height = 1 + rng_below(rng, 24);
  b.cells.cell = at->side / rng_float(rng, 6, 20);
  b.cells.origin = (throng_vec3){at->origin.x + rng_float(rng, -0.2f, 0.4f) * at->side, 0,
                                 at->origin.z + rng_float(rng, -0.2f, 0.4f) * at->side};
  const float density = rng_float(rng, 0.02f, 0.4f);
  for (uint32_t k = 0; k < b.cells.width * b.cells.height; k++) b.blocked[k] = rng_chance(rng, density);
  return b;
}

const throng_cells_def *borders_cells(borders *b) {
  b->cells.blocked = b->blocked;
  return b->mapped ? &b->cells : NULL;
}

void set_borders_box(throng_world_def *def, const borders *b) {
  if (!b->box) return;
  throng_world_def_set_boundary(def, THRONG_BOUNDARY_BOX);
  def->box_min = b->low;
  def->box_max = b->high;
}

void set_borders_cells(throng_world *world, borders *b) {
  throng_error error;
  if (b->mapped) require_ok(throng_world_set_cells(world, borders_cells(b), &error), &error);
}

throng_world *stand_world(throng_space space, throng_boundary boundary, float side, throng_vec3 origin, float body,
                          throng_update update) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  def.space = space;
  throng_world_def_set_boundary(&def, boundary);
  def.update = update;
  def.box_min = origin;
  def.box_max = (throng_vec3){origin.x + side, origin.y + side, origin.z + side};
  g.max_speed = INFINITY;
  g.body_radius = body;
  return stage_world(&def, &g);
}

throng_world *stand_plain_world(float body) {
  return stand_world(THRONG_SPACE_PLANAR, THRONG_BOUNDARY_UNBOUNDED, 1.0f, (throng_vec3){0, 0, 0}, body,
                     THRONG_UPDATE_SEMI_IMPLICIT);
}
