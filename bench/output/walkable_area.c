/* SPDX-License-Identifier: MIT */
#include "output/walkable_area.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/free_area.h"

#define TWO_PI 6.28318530717958647692
#define ROUND 32              /* corners of a circle, on it: so agents at the circle are in the area */
#define HALF_WALL 5e-4        /* metres */
#define UNITS_PER_METRE 1e4   /* of the smallest unit */
#define UNITS_PER_HALF_WALL 5 /* at least: so rounding keeps walls apart from lines */
#define MARGIN 1.0            /* metres around everything, along axes without faces */

typedef struct area_work {
  double per_metre; /* units */
  double min[2], max[2];
  double period[2]; /* 0: not periodic */
  area_edges edges;
  free_area area;
  bool *has_agents; /* of each shell */
} area_work;

static void see(seen_rectangle *seen, double x, double z) {
  const double point[2] = {x, z};
  for (int k = 0; k < 2; k++) {
    seen->min[k] = seen->any ? fmin(seen->min[k], point[k]) : point[k];
    seen->max[k] = seen->any ? fmax(seen->max[k], point[k]) : point[k];
  }
  seen->any = true;
}

void seen_rectangle_add(seen_rectangle *seen, const bench_crowd *crowd) {
  for (uint32_t k = 0; k < crowd->count; k++) see(seen, (double)crowd->position[k].x, (double)crowd->position[k].z);
}

static bool is_planar(const bench_scene *scene) { return scene->world.space == THRONG_SPACE_PLANAR; }

static void see_scenery(seen_rectangle *seen, const bench_scene *scene) {
  const scene_scenery *scenery = &scene->scenery;
  const scene_cells *cells = &scene->cells;
  if (!is_planar(scene)) return;
  for (uint32_t k = 0; k < scenery->wall_count; k++) {
    see(seen, (double)scenery->from[k].x, (double)scenery->from[k].z);
    see(seen, (double)scenery->to[k].x, (double)scenery->to[k].z);
  }
  for (uint32_t k = 0; k < scenery->circle_count; k++)
    for (int sign = -1; sign <= 1; sign += 2)
      see(seen, (double)scenery->centre[k].x + sign * (double)scenery->radius[k],
          (double)scenery->centre[k].z + sign * (double)scenery->radius[k]);
  if (!cells->width) return;
  see(seen, (double)cells->origin_x, (double)cells->origin_z);
  see(seen, (double)cells->origin_x + (double)cells->cell * cells->width,
      (double)cells->origin_z + (double)cells->cell * cells->height);
}

/* Sets the rectangle of the area, and the unit: 0.1 mm, or ten, a hundred, ... times that if the scene is so large. */
static void measure(area_work *work, const bench_scene *scene, const seen_rectangle *seen) {
  const throng_world_def *def = &scene->world;
  seen_rectangle all = *seen;
  double reach = 0;
  see_scenery(&all, scene);
  for (int k = 0; k < 2; k++) {
    const int axis = 2 * k;
    const bool open = def->boundary[axis] == THRONG_BOUNDARY_UNBOUNDED;
    work->min[k] = open ? all.min[k] - MARGIN : (double)(&def->box_min.x)[axis];
    work->max[k] = open ? all.max[k] + MARGIN : (double)(&def->box_max.x)[axis];
    reach = fmax(reach, fmax(fabs(work->min[k]), fabs(work->max[k])));
    work->period[k] = def->boundary[axis] == THRONG_BOUNDARY_PERIODIC ? work->max[k] - work->min[k] : 0;
    reach = fmax(reach, fmax(fabs(all.min[k]), fabs(all.max[k])) + work->period[k]);
  }
  work->per_metre = UNITS_PER_METRE;
  while ((reach + 1) * work->per_metre > (double)AREA_MAX_COORDINATE) work->per_metre /= 10;
}

static area_point to_units(const area_work *work, double x, double z) {
  return (area_point){llround(x * work->per_metre), llround(z * work->per_metre)};
}

/* Adds an outline that turns left around what is covered. */
static bool add_outline(area_work *work, const area_point *points, int count) {
  for (int k = 0; k < count; k++)
    if (!area_edges_add(&work->edges, points[k], points[(k + 1) % count])) return false;
  return true;
}

/* The rectangle turns right: what is covered is around it. */
static bool add_rectangle(area_work *work) {
  const double *min = work->min, *max = work->max;
  const area_point corners[4] = {to_units(work, min[0], min[1]), to_units(work, min[0], max[1]),
                                 to_units(work, max[0], max[1]), to_units(work, max[0], min[1])};
  return add_outline(work, corners, 4);
}

static double way_along(const area_work *work, int k, double from, double to) {
  return work->period[k] > 0 ? remainder(to - from, work->period[k]) : to - from;
}

/* Adds a wall as a rectangle, which is also longer by half its width at both ends: so walls that meet make a clean
 * corner. */
static bool add_wall(area_work *work, const throng_vec3 *from, const throng_vec3 *to, double shift_x, double shift_z) {
  const double x = (double)from->x + shift_x, z = (double)from->z + shift_z;
  const double dx = way_along(work, 0, (double)from->x, (double)to->x);
  const double dz = way_along(work, 1, (double)from->z, (double)to->z), length = hypot(dx, dz);
  const double half = fmax(HALF_WALL, UNITS_PER_HALF_WALL / work->per_metre);
  const double along_x = length > 0 ? dx / length * half : half, along_z = length > 0 ? dz / length * half : 0;
  const area_point corners[4] = {to_units(work, x - along_x + along_z, z - along_z - along_x),
                                 to_units(work, x + dx + along_x + along_z, z + dz + along_z - along_x),
                                 to_units(work, x + dx + along_x - along_z, z + dz + along_z + along_x),
                                 to_units(work, x - along_x - along_z, z - along_z + along_x)};
  return add_outline(work, corners, 4);
}

static bool add_circle(area_work *work, const throng_vec3 *centre, double radius, double shift_x, double shift_z) {
  area_point corners[ROUND];
  for (int k = 0; k < ROUND; k++)
    corners[k] = to_units(work, (double)centre->x + shift_x + radius * cos(TWO_PI * k / ROUND),
                          (double)centre->z + shift_z + radius * sin(TWO_PI * k / ROUND));
  return add_outline(work, corners, ROUND);
}

static bool is_blocked(const scene_cells *cells, int64_t i, int64_t j) {
  return i >= 0 && j >= 0 && i < cells->width && j < cells->height &&
         cells->blocked[(size_t)j * cells->width + (size_t)i];
}

/* A border of the blocked cells from `begin` to `end` of the row `row`, with the next or the previous row. If
 * `upright`, rows are columns. */
typedef struct cell_border {
  const scene_cells *cells;
  int64_t row, begin, end;
  bool next, upright;
} cell_border;

/* Whether cell `at` of the border's row is blocked, or if `beside` of the row on the border's other side. */
static bool border_blocked(const cell_border *border, int64_t at, bool beside) {
  const int64_t row = beside ? (border->next ? border->row + 1 : border->row - 1) : border->row;
  return border->upright ? is_blocked(border->cells, row, at) : is_blocked(border->cells, at, row);
}

/* Returns the border's beginning, or its end if `at_end`. Agents can stop on a border. So that they are in the area,
 * each border is one unit inside the blocked cells. Its ends move with the borders that begin there: into the last
 * blocked cell, or into the next cell if that is blocked too. Where blocked cells touch only at a corner, and at the
 * edge of the map, nothing moves, so that no gap opens. */
static area_point border_point(const area_work *work, const cell_border *border, bool at_end) {
  const scene_cells *cells = border->cells;
  const int64_t line = border->next ? border->row + 1 : border->row, at = at_end ? border->end : border->begin;
  const int64_t i = border->upright ? line : at, j = border->upright ? at : line;
  const bool goes_on = border_blocked(border, at_end ? at : at - 1, false);
  const bool corner_only = !goes_on && border_blocked(border, at_end ? at : at - 1, true);
  const int across = border->next ? -1 : 1, along = goes_on == at_end ? 1 : -1;
  area_point point = to_units(work, (double)cells->origin_x + (double)cells->cell * (double)i,
                              (double)cells->origin_z + (double)cells->cell * (double)j);
  if (corner_only) return point;
  if (i > 0 && i < cells->width) point.x += border->upright ? across : along;
  if (j > 0 && j < cells->height) point.y += border->upright ? along : across;
  return point;
}

static bool add_border(area_work *work, const cell_border *border) {
  const area_point low = border_point(work, border, false), high = border_point(work, border, true);
  /* The row after the line is on the left of the way from low to high; the column after it is on the right. */
  return border->next == border->upright ? area_edges_add(&work->edges, low, high)
                                         : area_edges_add(&work->edges, high, low);
}

/* Adds the borders of a row with one of the rows beside it. Borders without a gap make one edge. */
static bool add_borders(area_work *work, cell_border border) {
  const int64_t length = border.upright ? border.cells->height : border.cells->width;
  for (border.begin = border.end = 0; border.end <= length; border.end++) {
    if (border_blocked(&border, border.end, false) && !border_blocked(&border, border.end, true)) continue;
    if (border.begin < border.end && !add_border(work, &border)) return false;
    border.begin = border.end + 1;
  }
  return true;
}

static bool add_cells(area_work *work, const scene_cells *cells) {
  for (int upright = 0; upright < 2; upright++)
    for (int64_t row = 0; row < (upright ? cells->width : cells->height); row++)
      for (int next = 0; next < 2; next++)
        if (!add_borders(work, (cell_border){.cells = cells, .row = row, .next = next, .upright = upright}))
          return false;
  return true;
}

static bool add_shapes(area_work *work, const scene_scenery *scenery, double shift_x, double shift_z) {
  bool ok = true;
  for (uint32_t k = 0; k < scenery->wall_count && ok; k++)
    ok = add_wall(work, &scenery->from[k], &scenery->to[k], shift_x, shift_z);
  for (uint32_t k = 0; k < scenery->circle_count && ok; k++)
    ok = add_circle(work, &scenery->centre[k], (double)scenery->radius[k], shift_x, shift_z);
  return ok;
}

/* In periodic worlds shapes reach across seams: their images count too. A scene has cells only in a box. */
static bool add_all(area_work *work, const bench_scene *scene) {
  const int images_x = work->period[0] > 0, images_z = work->period[1] > 0;
  if (!add_rectangle(work)) return false;
  if (!is_planar(scene)) return true;
  for (int i = -images_x; i <= images_x; i++)
    for (int j = -images_z; j <= images_z; j++)
      if (!add_shapes(work, &scene->scenery, i * work->period[0], j * work->period[1])) return false;
  return add_cells(work, &scene->cells);
}

/* Marks the shells that have an agent. If none has one, marks the largest. Returns how many are marked. */
static uint32_t mark_shells(area_work *work, const bench_crowd *crowd) {
  const free_area *area = &work->area;
  uint32_t marked = 0, largest = 0;
  for (uint32_t shell = 0; shell < area->ring_count; shell++) {
    if (area->rings[shell].shell != shell) continue;
    if (area->rings[shell].twice_area > area->rings[largest].twice_area) largest = shell;
    for (uint32_t k = 0; k < crowd->count && !work->has_agents[shell]; k++) {
      const area_point at = to_units(work, (double)crowd->position[k].x, (double)crowd->position[k].z);
      work->has_agents[shell] = free_area_has(area, shell, area_doubled(at));
    }
    marked += work->has_agents[shell];
  }
  if (marked || !area->ring_count) return marked;
  work->has_agents[largest] = true;
  return 1;
}

static void write_ring(FILE *stream, const area_work *work, const area_ring *ring) {
  const area_point *points = &work->area.points[ring->begin];
  for (size_t k = 0; k <= ring->count; k++) {
    const area_point p = points[k % ring->count];
    fprintf(stream, "%s%.9g %.9g", k ? ", " : "(", (double)p.x / work->per_metre, (double)p.y / work->per_metre);
  }
  fputs(")", stream);
}

static void write_polygon(FILE *stream, const area_work *work, uint32_t shell) {
  const free_area *area = &work->area;
  fputs("(", stream);
  write_ring(stream, work, &area->rings[shell]);
  for (uint32_t k = 0; k < area->ring_count; k++) {
    if (k == shell || area->rings[k].shell != shell) continue;
    fputs(", ", stream);
    write_ring(stream, work, &area->rings[k]);
  }
  fputs(")", stream);
}

static bool write_wkt(walkable_area *result, area_work *work, const bench_crowd *crowd) {
  size_t size;
  FILE *stream = open_memstream(&result->wkt, &size);
  if (!stream) return false;
  const uint32_t marked = mark_shells(work, crowd);
  fputs(marked == 1 ? "POLYGON " : marked ? "MULTIPOLYGON (" : "POLYGON EMPTY", stream);
  for (uint32_t shell = 0, written = 0; shell < work->area.ring_count; shell++) {
    if (!work->has_agents[shell]) continue;
    const area_ring *ring = &work->area.rings[shell];
    const int64_t min[2] = {ring->low.x, ring->low.y}, max[2] = {ring->high.x, ring->high.y};
    for (int k = 0; k < 2; k++) {
      const double low = (double)min[k] / work->per_metre, high = (double)max[k] / work->per_metre;
      result->min[k] = written ? fmin(result->min[k], low) : low;
      result->max[k] = written ? fmax(result->max[k], high) : high;
    }
    if (written++) fputs(", ", stream);
    write_polygon(stream, work, shell);
  }
  if (marked > 1) fputs(")", stream);
  const bool failed = ferror(stream);
  return fclose(stream) == 0 && !failed;
}

bool walkable_area_make(walkable_area *area, const bench_scene *scene, const seen_rectangle *seen,
                        const bench_crowd *crowd, bench_problem *problem) {
  area_work work = {0};
  *area = (walkable_area){0};
  measure(&work, scene, seen);
  bool ok = add_all(&work, scene) && area_edges_split(&work.edges) && free_area_find(&work.area, &work.edges);
  work.has_agents = ok ? calloc(work.area.ring_count + 1, sizeof *work.has_agents) : NULL;
  ok =
      (work.has_agents && write_wkt(area, &work, crowd)) || problem_set(problem, "out of memory for the walkable area");
  free(work.has_agents);
  free_area_release(&work.area);
  area_edges_release(&work.edges);
  return ok;
}

void walkable_area_release(walkable_area *area) {
  free(area->wkt);
  *area = (walkable_area){0};
}
