/* tests/reference/reference_map.c
 * SPDX-License-Identifier: MIT */
#include "reference/reference_map.h"

#include <math.h>

static bool cell_is_blocked(const throng_cells_def *c, double i, double j) {
  if (!(i >= 0.0 && j >= 0.0 && i < (double)c->width && j < (double)c->height)) return false;
  return c->blocked[(size_t)j * c->width + (size_t)i] != 0;
}

/* Returns the number of the cell that holds x: cell * number <= x - origin < cell * (number + 1). The far edge belongs
 * to the last cell. -1 is before the first cell, `count` after the last one. */
static double number_of(double x, double origin, double cell, double count) {
  if (x - origin < 0.0) return -1.0;
  if (x - origin >= cell * count) return x > (double)(float)(origin + cell * count) ? count : count - 1.0;
  double number = floor((x - origin) / cell);
  while (cell * number > x - origin) number -= 1.0;
  while (cell * (number + 1.0) <= x - origin) number += 1.0;
  return number;
}
static double column_of(const throng_cells_def *c, float x) {
  return number_of((double)x, (double)c->origin.x, (double)c->cell, (double)c->width);
}
static double row_of(const throng_cells_def *c, float z) {
  return number_of((double)z, (double)c->origin.z, (double)c->cell, (double)c->height);
}

bool ref_map_is_blocked(const throng_cells_def *cells, throng_vec3 x) {
  return cell_is_blocked(cells, column_of(cells, x.x), row_of(cells, x.z));
}

static double border_part(double origin, double cell, double number, double count, double s, double w) {
  if (w == 0.0 || (w > 0.0 && number == count) || (w < 0.0 && number == -1.0)) return 2.0;
  return ((origin + cell * (w > 0.0 ? number + 1.0 : number)) - s) * (1.0 / w);
}

ref_map_hit ref_map_ray(const throng_cells_def *cells, throng_vec3 s, throng_vec3 w) {
  const ref_map_hit none = {2.0f, {0, 0, 0}};
  double i = column_of(cells, s.x), j = row_of(cells, s.z);
  for (;;) {
    const double tx =
        border_part((double)cells->origin.x, (double)cells->cell, i, (double)cells->width, (double)s.x, (double)w.x);
    const double tz =
        border_part((double)cells->origin.z, (double)cells->cell, j, (double)cells->height, (double)s.z, (double)w.z);
    const double t = tx <= tz ? tx : tz;
    if (!(t <= 1.0)) return none;
    const bool from_free = !cell_is_blocked(cells, i, j);
    const double step_x = tx <= tz ? (w.x > 0.0f ? 1.0 : -1.0) : 0.0, step_z = tx <= tz ? 0.0 : w.z > 0.0f ? 1.0 : -1.0;
    i += step_x;
    j += step_z;
    if (!from_free || !cell_is_blocked(cells, i, j)) continue;
    return (ref_map_hit){t > 0.0 ? (float)t : 0.0f, {(float)(0.0 - step_x), 0, (float)(0.0 - step_z)}};
  }
}

ref_map_surface ref_map_nearest(const throng_cells_def *cells, throng_vec3 x, float reach) {
  const double size = (double)cells->cell, y[2] = {(double)x.x - (double)cells->origin.x, //
                                                   (double)x.z - (double)cells->origin.z};
  ref_map_surface best = {false, 0, {0, 0, 0}};
  double least = (double)reach;
  for (uint32_t k = 0; k < cells->width * cells->height; k++) {
    if (cells->blocked[k] == 0) continue;
    const double number[2] = {(double)(k % cells->width), (double)(k / cells->width)};
    double depth[2], sign[2], out[2];
    for (int c = 0; c < 2; c++) {
      const double below = size * number[c] - y[c], above = y[c] - size * (number[c] + 1.0);
      depth[c] = above > below ? above : below;
      sign[c] = above > below ? 1.0 : -1.0;
      out[c] = depth[c] > 0.0 ? depth[c] : 0.0;
    }
    const double length = sqrt(out[0] * out[0] + out[1] * out[1]);
    const int deepest = depth[0] >= depth[1] ? 0 : 1;
    const double distance = length > 0.0 ? length : depth[deepest];
    if (best.found ? distance >= least : distance > least) continue;
    double normal[2] = {0.0, 0.0};
    if (length > 0.0) {
      for (int c = 0; c < 2; c++) normal[c] = sign[c] * out[c] / length;
    } else {
      normal[deepest] = sign[deepest];
    }
    least = distance;
    best = (ref_map_surface){true, (float)distance, {(float)normal[0], 0, (float)normal[1]}};
  }
  return best;
}

static bool is_inside(float x, float low, float high) { return x > low && x < high; }

throng_vec3 ref_map_cover(const throng_cells_def *cells, const ref_map_hider *who) {
  const double size = (double)cells->cell, r = size * 0.70710678118654752;
  const double p[2] = {(double)who->p.x, (double)who->p.z};
  throng_vec3 best = {NAN, 0, NAN};
  double nearest = INFINITY;
  for (uint32_t k = 0; k < cells->width * cells->height; k++) {
    if (cells->blocked[k] == 0) continue;
    const double d[2] = {((double)cells->origin.x + size * ((double)(k % cells->width) + 0.5)) - p[0],
                         ((double)cells->origin.z + size * ((double)(k / cells->width) + 0.5)) - p[1]};
    const double away[2] = {d[0] - (double)who->dp.x, d[1] - (double)who->dp.z};
    const double l = sqrt(away[0] * away[0] + away[1] * away[1]);
    if (!(sqrt(d[0] * d[0] + d[1] * d[1]) - r <= (double)who->reach && l > 0.0)) continue;
    const double part = ((r + (double)who->body) + (double)who->distance) / l;
    const double cover[2] = {d[0] + away[0] * part, d[1] + away[1] * part};
    const throng_vec3 at = {(float)(p[0] + cover[0]), 0, (float)(p[1] + cover[1])};
    if (ref_map_is_blocked(cells, at)) continue;
    if (who->box && !(is_inside(at.x, who->low.x, who->high.x) && is_inside(at.z, who->low.z, who->high.z))) continue;
    if (cover[0] * cover[0] + cover[1] * cover[1] >= nearest) continue;
    nearest = cover[0] * cover[0] + cover[1] * cover[1];
    best = (throng_vec3){(float)cover[0], 0, (float)cover[1]};
  }
  return best;
}
