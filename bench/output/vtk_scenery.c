/* Writes the scenery and the edges of the box as lines and polygons.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "output/vtk.h"
#include "output/vtk_xml.h"

#define TWO_PI 6.28318530717958647692
#define ROUND 32u /* corners of a circle, and of each ring of a ball */
#define RINGS 16u /* rings of a ball, from pole to pole */

/* Points, and the lines and polygons between them. Without arrays (points is NULL) it only counts: a first run of
 * add_all gives the sizes of the arrays, a second one fills them. */
typedef struct vtk_mesh {
  throng_vec3 *points;
  int32_t *line_points, *line_ends, *polygon_points, *polygon_ends;
  uint32_t point_count, line_point_count, lines, polygon_point_count, polygons;
} vtk_mesh;

static void add_point(vtk_mesh *mesh, double x, double y, double z) {
  if (mesh->points) mesh->points[mesh->point_count] = (throng_vec3){(float)x, (float)y, (float)z};
  mesh->point_count++;
}

static void add_line(vtk_mesh *mesh, uint32_t from, uint32_t to) {
  if (mesh->points) {
    mesh->line_points[mesh->line_point_count] = (int32_t)from;
    mesh->line_points[mesh->line_point_count + 1] = (int32_t)to;
    mesh->line_ends[mesh->lines] = (int32_t)mesh->line_point_count + 2;
  }
  mesh->line_point_count += 2;
  mesh->lines++;
}

static void add_polygon(vtk_mesh *mesh, const uint32_t *corners, uint32_t count) {
  for (uint32_t i = 0; i < count && mesh->points; i++)
    mesh->polygon_points[mesh->polygon_point_count + i] = (int32_t)corners[i];
  mesh->polygon_point_count += count;
  if (mesh->points) mesh->polygon_ends[mesh->polygons] = (int32_t)mesh->polygon_point_count;
  mesh->polygons++;
}

/* Adds the eight corners of a box: bits 1, 2 and 4 choose the greater x, y and z. Returns the index of the first. */
static uint32_t add_corners(vtk_mesh *mesh, const throng_vec3 *min, const throng_vec3 *max) {
  const uint32_t first = mesh->point_count;
  for (int bits = 0; bits < 8; bits++)
    add_point(mesh, (double)(bits & 1 ? max->x : min->x), (double)(bits & 2 ? max->y : min->y),
              (double)(bits & 4 ? max->z : min->z));
  return first;
}

static void add_box(vtk_mesh *mesh, const throng_vec3 *min, const throng_vec3 *max) {
  static const uint32_t faces[6][4] = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1},
                                       {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
  const uint32_t first = add_corners(mesh, min, max);
  for (int face = 0; face < 6; face++) {
    uint32_t corners[4];
    for (int i = 0; i < 4; i++) corners[i] = first + faces[face][i];
    add_polygon(mesh, corners, 4);
  }
}

/* Adds the edges of a box. Of a flat box it adds the four edges on the ground. */
static void add_edges(vtk_mesh *mesh, const throng_vec3 *min, const throng_vec3 *max, bool flat) {
  const uint32_t first = add_corners(mesh, min, max);
  for (uint32_t from = 0; from < 8; from++)
    for (uint32_t axis = 1; axis <= 4; axis *= 2)
      if (!(from & axis) && !(flat && (from | axis) & 2)) add_line(mesh, first + from, first + (from | axis));
}

static void add_circle(vtk_mesh *mesh, const throng_vec3 *centre, double radius) {
  uint32_t corners[ROUND];
  for (uint32_t i = 0; i < ROUND; i++) {
    corners[i] = mesh->point_count;
    add_point(mesh, (double)centre->x + radius * sin(TWO_PI * i / ROUND), (double)centre->y,
              (double)centre->z + radius * cos(TWO_PI * i / ROUND));
  }
  add_polygon(mesh, corners, ROUND);
}

static void add_ball(vtk_mesh *mesh, const throng_vec3 *centre, double radius) {
  const uint32_t first = mesh->point_count;
  for (uint32_t ring = 0; ring <= RINGS; ring++)
    for (uint32_t i = 0; i < ROUND; i++) {
      const double down = TWO_PI / 2 * ring / RINGS, round = TWO_PI * i / ROUND;
      add_point(mesh, (double)centre->x + radius * sin(down) * sin(round), (double)centre->y + radius * cos(down),
                (double)centre->z + radius * sin(down) * cos(round));
    }
  for (uint32_t ring = 0; ring < RINGS; ring++)
    for (uint32_t i = 0; i < ROUND; i++) {
      const uint32_t a = first + ring * ROUND, next = (i + 1) % ROUND;
      add_polygon(mesh, (const uint32_t[]){a + i, a + ROUND + i, a + ROUND + next, a + next}, 4);
    }
}

/* Adds the part of a plane above or below the ground of the world's box. Upright planes are left out. */
static void add_plane(vtk_mesh *mesh, const throng_vec3 *point, const throng_vec3 *normal,
                      const throng_world_def *def) {
  static const int round[4] = {0, 1, 3, 2};
  if (normal->y == 0) return;
  const uint32_t first = mesh->point_count;
  for (int i = 0; i < 4; i++) {
    const double x = (double)(round[i] & 1 ? def->box_max.x : def->box_min.x);
    const double z = (double)(round[i] & 2 ? def->box_max.z : def->box_min.z);
    add_point(mesh, x,
              (double)point->y -
                  ((x - (double)point->x) * (double)normal->x + (z - (double)point->z) * (double)normal->z) /
                      (double)normal->y,
              z);
  }
  add_polygon(mesh, (const uint32_t[]){first, first + 1, first + 2, first + 3}, 4);
}

/* Adds one rectangle for each range of adjacent blocked cells in a row. */
static void add_cells(vtk_mesh *mesh, const scene_cells *cells, double y) {
  for (uint32_t j = 0; j < cells->height; j++)
    for (uint32_t i = 0, end; i < cells->width; i = end) {
      const uint8_t *row = cells->blocked + (size_t)j * cells->width;
      for (end = i + 1; end < cells->width && (row[end] != 0) == (row[i] != 0);) end++;
      if (!row[i]) continue;
      const double side = (double)cells->cell, x = (double)cells->origin_x, z = (double)cells->origin_z;
      const uint32_t first = mesh->point_count;
      add_point(mesh, x + side * i, y, z + side * j);
      add_point(mesh, x + side * end, y, z + side * j);
      add_point(mesh, x + side * end, y, z + side * (j + 1));
      add_point(mesh, x + side * i, y, z + side * (j + 1));
      add_polygon(mesh, (const uint32_t[]){first, first + 1, first + 2, first + 3}, 4);
    }
}

static void add_all(vtk_mesh *mesh, const bench_scene *scene) {
  const scene_scenery *scenery = &scene->scenery;
  const throng_world_def *def = &scene->world;
  const bool flat = def->space == THRONG_SPACE_PLANAR;
  if (!scene_is_open(scene)) add_edges(mesh, &def->box_min, &def->box_max, flat);
  for (uint32_t k = 0; k < scenery->wall_count; k++) {
    const uint32_t first = mesh->point_count;
    add_point(mesh, (double)scenery->from[k].x, 0, (double)scenery->from[k].z);
    add_point(mesh, (double)scenery->to[k].x, 0, (double)scenery->to[k].z);
    add_line(mesh, first, first + 1);
  }
  for (uint32_t k = 0; k < scenery->circle_count; k++)
    (scenery->balls ? add_ball : add_circle)(mesh, &scenery->centre[k], (double)scenery->radius[k]);
  for (uint32_t k = 0; k < scenery->box_count; k++) add_box(mesh, &scenery->box_min[k], &scenery->box_max[k]);
  for (uint32_t k = 0; k < scenery->plane_count && !scene_is_open(scene); k++)
    add_plane(mesh, &scenery->point[k], &scenery->normal[k], def);
  if (scene->cells.width) add_cells(mesh, &scene->cells, 0);
}

static vtk_mesh count_all(const bench_scene *scene) {
  vtk_mesh counts = {0};
  add_all(&counts, scene);
  return counts;
}

bool vtk_has_scenery(const bench_scene *scene) { return count_all(scene).point_count > 0; }

static void release(vtk_mesh *mesh) {
  free(mesh->points);
  free(mesh->line_points);
  free(mesh->line_ends);
  free(mesh->polygon_points);
  free(mesh->polygon_ends);
}

bool vtk_write_scenery(FILE *stream, const bench_scene *scene, bench_problem *problem) {
  const vtk_mesh counts = count_all(scene);
  vtk_mesh mesh = {0};
  mesh.points = malloc((counts.point_count + 1) * sizeof *mesh.points);
  mesh.line_points = malloc((counts.line_point_count + 1) * sizeof *mesh.line_points);
  mesh.line_ends = malloc((counts.lines + 1) * sizeof *mesh.line_ends);
  mesh.polygon_points = malloc((counts.polygon_point_count + 1) * sizeof *mesh.polygon_points);
  mesh.polygon_ends = malloc((counts.polygons + 1) * sizeof *mesh.polygon_ends);
  if (!mesh.points || !mesh.line_points || !mesh.line_ends || !mesh.polygon_points || !mesh.polygon_ends) {
    release(&mesh);
    return problem_set(problem, "out of memory for %u points of the scenery", counts.point_count);
  }
  add_all(&mesh, scene);
  vtk_begin(stream, 0, &(vtk_counts){.points = mesh.point_count, .lines = mesh.lines, .polygons = mesh.polygons});
  fputs("<Points>\n", stream);
  vtk_array(stream, "position", VTK_FLOAT32, 3, mesh.points, mesh.point_count);
  fputs("</Points>\n<Lines>\n", stream);
  vtk_array(stream, "connectivity", VTK_INT32, 1, mesh.line_points, mesh.line_point_count);
  vtk_array(stream, "offsets", VTK_INT32, 1, mesh.line_ends, mesh.lines);
  fputs("</Lines>\n<Polys>\n", stream);
  vtk_array(stream, "connectivity", VTK_INT32, 1, mesh.polygon_points, mesh.polygon_point_count);
  vtk_array(stream, "offsets", VTK_INT32, 1, mesh.polygon_ends, mesh.polygons);
  fputs("</Polys>\n", stream);
  vtk_end(stream);
  release(&mesh);
  return !ferror(stream);
}
