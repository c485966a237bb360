/* borders.h: what feelers see beside the shapes of scenery: the faces of a box world and blocked cells. Formulas:
 * docs/ARITHMETIC.md, "Scenery". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_STEERING_BORDERS_H
#define THRONG_KERNEL_PASSES_STEERING_BORDERS_H

#include <math.h>

#include "base/compiler.h"
#include "passes/steering/surfaces.h"
#include "scenery/feelers.h"

/* The borders that the agents of a block see. */
struct borders {
  lm faced, mapped;      /* lanes that may see faces; lanes that may see cells */
  float low[3], high[3]; /* the faces; infinite along axes that are not a box's */
  const struct cells *cells;
};

/* The lanes in which a behaviour's parameter sees_all is true. */
LANES_INLINE lm sees_all_of(lf parameter) { return lf_greater(parameter, lf_zero()); }

/* Returns the borders that the lanes of `sees` may see. */
LANES_INLINE struct borders load_borders(const struct frame *frame, lm sees) {
  const throng_vec3 min = frame->def->box_min, max = frame->def->box_max;
  const float low[3] = {min.x, min.y, min.z}, high[3] = {max.x, max.y, max.z};
  struct borders borders = {.faced = lm_first(0),
                            .mapped = frame->cells->blocked ? sees : lm_first(0),
                            .low = {-INFINITY, -INFINITY, -INFINITY},
                            .high = {INFINITY, INFINITY, INFINITY},
                            .cells = frame->cells};
  for (int axis = 0; axis < 3; axis++) {
    if (frame->def->boundary[axis] != THRONG_BOUNDARY_BOX) continue;
    borders.faced = sees;
    borders.low[axis] = low[axis];
    borders.high[axis] = high[axis];
  }
  return borders;
}
LANES_INLINE lm see_borders(const struct borders *borders) { return lm_or(borders->faced, borders->mapped); }

/* The lanes whose p is at most `reach` from one of the faces, or outside them. */
LANES_INLINE lm beyond(float low, float high, lf p, lf reach) {
  return lm_or(lf_less_equal(lf_sub(p, lf_set1(low)), reach), lf_less_equal(lf_sub(lf_set1(high), p), reach));
}
/* Removes lanes whose agents are farther than `reach` from every face, as most agents are. */
LANES_INLINE void cut_borders(struct borders *borders, const struct feeler *feeler, lf reach, bool spatial) {
  if (!lm_any(borders->faced)) return;
  reach = lf_mul(reach, lf_set1(1.0f + 0x1p-18f)); /* more than rounding errors */
  lm near = lm_or(beyond(borders->low[0], borders->high[0], feeler->p.x, reach),
                  beyond(borders->low[2], borders->high[2], feeler->p.z, reach));
  if (spatial) near = lm_or(near, beyond(borders->low[1], borders->high[1], feeler->p.y, reach));
  borders->faced = lm_and(borders->faced, near);
}

/* Finds the hit with the face toward which a ray leads along an axis. */
LANES_INLINE void meet_face(struct lane_rays *ray, const struct borders *borders, int axis, lf p, lf from, lf way,
                            bool spatial) {
  const lm forth = lf_greater(way, lf_zero()), moves = lf_greater(lf_abs(way), lf_zero());
  const lf face = lf_select(forth, lf_set1(borders->high[axis]), lf_set1(borders->low[axis]));
  const lf part = lf_div(lf_sub(lf_sub(face, p), from), way);
  const lf inward = lf_select(forth, lf_set1(-1.0f), lf_set1(1.0f)), zero = lf_zero();
  const lv3 normal = {axis == 0 ? inward : zero, axis == 1 ? inward : zero, axis == 2 ? inward : zero};
  keep_hit(ray, within_unit(lm_and(borders->faced, moves), part), part, normal, spatial);
}
LANES_INLINE void meet_faces(struct lane_rays *ray, const struct borders *borders, const struct feeler *feeler,
                             bool spatial) {
  meet_face(ray, borders, 0, feeler->p.x, ray->from.x, ray->way.x, spatial);
  if (spatial) meet_face(ray, borders, 1, feeler->p.y, ray->from.y, ray->way.y, true);
  meet_face(ray, borders, 2, feeler->p.z, ray->from.z, ray->way.z, spatial);
}

/* The rays or points of a block's agents, and the hit or the nearest cell of each. In arrays, because cells are looked
 * up one by one. */
struct lane_cells {
  float x[LANES], z[LANES], way_x[LANES], way_z[LANES];
  float found[LANES], normal_x[LANES], normal_z[LANES];
};

static OUT_OF_LINE void feel_cells(const struct cells *cells, uint32_t asked, struct lane_cells *lane) {
  lanes_rest();
  for (uint32_t k = 0; k < LANES; k++) {
    struct cell_hit hit = {2.0f, 0.0f, 0.0f};
    if (asked >> k & 1) hit = throng_cells_feel(cells, lane->x[k], lane->z[k], lane->way_x[k], lane->way_z[k]);
    lane->found[k] = hit.part;
    lane->normal_x[k] = hit.normal_x;
    lane->normal_z[k] = hit.normal_z;
  }
}
/* Returns the outermost cell along an axis, counted from cells_begin, that an agent's feelers may reach. They end at
 * most `way` from p. `sign`: 1 for the upper end, -1 for the lower. Cells outside of the map count as those at its
 * edge. The slack is more than rounding errors. */
LANES_INLINE lu outermost_cell(const struct cells *cells, int axis, lf p, lf way, float sign) {
  const float origin = cells_origin(cells, axis), inverse = 1.0f / cells->cell;
  const float begin = (float)cells_begin(cells, axis), count = (float)cells_end(cells, axis) - begin;
  const float farthest = fabsf(origin) + count * cells->cell;
  const lf end = lf_add(p, way), largest = lf_add(lf_add(lf_abs(p), lf_abs(way)), lf_set1(farthest));
  const lf place = lf_sub(lf_mul(lf_sub(end, lf_set1(origin)), lf_set1(inverse)), lf_set1(begin));
  const lf slack = lf_mul(largest, lf_set1(sign * inverse * 0x1p-20f));
  return lf_truncate(lf_min(lf_max(lf_add(place, slack), lf_zero()), lf_set1(count - 1.0f)));
}
static OUT_OF_LINE uint32_t bits_near_cells(const struct cells *cells, uint32_t asked, uint32_t range[4][LANES]) {
  uint32_t bits = 0;
  for (uint32_t k = 0; k < LANES; k++) {
    const struct cell_range cell = {range[0][k], range[1][k], range[2][k], range[3][k]};
    bits |= (uint32_t)!cells_surely_free(cells, &cell) << k;
  }
  return bits & asked;
}
/* Removes lanes whose rays surely meet no cell, as most do. */
LANES_INLINE void cut_cells(struct borders *borders, const struct feeler *feeler, const struct lane_rays *ray,
                            int rays) {
  const lf zero = lf_zero();
  lf low_x = zero, high_x = zero, low_z = zero, high_z = zero;
  if (!lm_any(borders->mapped)) return;
  for (int k = 0; k < rays; k++) {
    const lv3 from = ray[k].from, to = lv3_add(from, ray[k].way, false);
    low_x = lf_min(low_x, lf_min(from.x, to.x));
    high_x = lf_max(high_x, lf_max(from.x, to.x));
    low_z = lf_min(low_z, lf_min(from.z, to.z));
    high_z = lf_max(high_z, lf_max(from.z, to.z));
  }
  const struct cells *cells = borders->cells;
  uint32_t range[4][LANES];
  lu_store(range[0], outermost_cell(cells, 0, feeler->p.x, low_x, -1.0f));
  lu_store(range[1], outermost_cell(cells, 0, feeler->p.x, high_x, 1.0f));
  lu_store(range[2], outermost_cell(cells, 1, feeler->p.z, low_z, -1.0f));
  lu_store(range[3], outermost_cell(cells, 1, feeler->p.z, high_z, 1.0f));
  borders->mapped = lanes_of_bits(bits_near_cells(cells, lm_bits(borders->mapped), range));
}

/* Finds where a ray comes from a free cell into a blocked one. */
LANES_INLINE void meet_cells(struct lane_rays *ray, const struct borders *borders, const struct feeler *feeler) {
  struct lane_cells lane;
  lf_store(lane.x, lf_add(feeler->p.x, ray->from.x));
  lf_store(lane.z, lf_add(feeler->p.z, ray->from.z));
  lf_store(lane.way_x, ray->way.x);
  lf_store(lane.way_z, ray->way.z);
  feel_cells(borders->cells, lm_bits(borders->mapped), &lane);
  const lf part = lf_load(lane.found);
  const lv3 normal = {lf_load(lane.normal_x), lf_zero(), lf_load(lane.normal_z)};
  keep_hit(ray, within_unit(borders->mapped, part), part, normal, false);
}

/* Finds the first hit with a border, after the shapes: of two equal hits the one with a shape stays. */
LANES_INLINE void meet_borders(struct lane_rays *ray, const struct borders *borders, const struct feeler *feeler,
                               bool spatial) {
  if (!spatial && lm_any(borders->mapped)) meet_cells(ray, borders, feeler);
  if (lm_any(borders->faced)) meet_faces(ray, borders, feeler, spatial);
}

LANES_INLINE void near_face(struct surface *surface, const struct borders *borders, int axis, lf p, lf x,
                            bool spatial) {
  const lf zero = lf_zero();
  if (borders->high[axis] == INFINITY) return;
  for (int side = 0; side < 2; side++) {
    const lf to_face = lf_sub(lf_set1(side ? borders->high[axis] : borders->low[axis]), p);
    const lf distance = side ? lf_sub(to_face, x) : lf_sub(x, to_face), inward = lf_set1(side ? -1.0f : 1.0f);
    const lv3 normal = {axis == 0 ? inward : zero, axis == 1 ? inward : zero, axis == 2 ? inward : zero};
    keep_surface(surface, borders->faced, distance, normal, spatial);
  }
}

static OUT_OF_LINE void find_near_cells(const struct cells *cells, uint32_t asked, const float reach[LANES],
                                        struct lane_cells *lane) {
  lanes_rest();
  for (uint32_t k = 0; k < LANES; k++) {
    struct cell_surface surface = {.distance = INFINITY};
    if (asked >> k & 1) surface = throng_cells_nearest(cells, lane->x[k], lane->z[k], reach[k]);
    lane->found[k] = surface.found ? surface.distance : INFINITY;
    lane->normal_x[k] = surface.normal_x;
    lane->normal_z[k] = surface.normal_z;
  }
}
LANES_INLINE void near_cells(struct surface *surface, const struct borders *borders, const struct feeler *feeler, lv3 x,
                             lf reach) {
  struct lane_cells lane;
  float reaches[LANES];
  lf_store(reaches, reach);
  lf_store(lane.x, lf_add(feeler->p.x, x.x));
  lf_store(lane.z, lf_add(feeler->p.z, x.z));
  find_near_cells(borders->cells, lm_bits(borders->mapped), reaches, &lane);
  const lf distance = lf_load(lane.found);
  const lv3 normal = {lf_load(lane.normal_x), lf_zero(), lf_load(lane.normal_z)};
  keep_surface(surface, lm_and(borders->mapped, lf_less(distance, lf_set1(INFINITY))), distance, normal, false);
}

/* Finds the surface nearest to x among the borders, after the shapes. */
LANES_INLINE void find_nearest_border(struct surface *surface, const struct borders *borders,
                                      const struct feeler *feeler, lv3 x, lf reach, bool spatial) {
  if (!spatial && lm_any(borders->mapped)) near_cells(surface, borders, feeler, x, reach);
  if (!lm_any(borders->faced)) return;
  near_face(surface, borders, 0, feeler->p.x, x.x, spatial);
  if (spatial) near_face(surface, borders, 1, feeler->p.y, x.y, true);
  near_face(surface, borders, 2, feeler->p.z, x.z, spatial);
}

#endif
