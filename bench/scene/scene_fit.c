/* scene_fit.c: scales a scene to a number of agents, blocks the cells of its obstacles, or moves it to a map.
 * SPDX-License-Identifier: MIT */
#include "scene/scene_fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene_math.h"

#define MAX_SIDE_CELLS 16384u

static void scale_vec3(throng_vec3 *vector, double scale) {
  vector->x = (float)((double)vector->x * scale);
  vector->y = (float)((double)vector->y * scale);
  vector->z = (float)((double)vector->z * scale);
}

static void scale_float(float *value, double scale) { *value = (float)((double)*value * scale); }

static void scale_region(scene_region *region, double scale) {
  scale_vec3(&region->min, scale);
  scale_vec3(&region->max, scale);
  scale_vec3(&region->centre, scale);
  scale_float(&region->radius, scale);
  scale_float(&region->inner_radius, scale);
}

/* Scales the positions and lengths of the scene by `scale`. Speeds and radii of agents, patterns and formations are not
 * scaled. */
static void scale_places(bench_scene *scene, double scale) {
  scale_vec3(&scene->world.box_min, scale);
  scale_vec3(&scene->world.box_max, scale);
  for (uint32_t i = 0; i < scene->spawn_count; i++) {
    scale_region(&scene->spawns[i].region, scale);
    scale_region(&scene->spawns[i].goal.region, scale);
    scale_vec3(&scene->spawns[i].goal.point, scale);
  }
  for (uint32_t i = 0; i < scene->obstacle_count; i++) {
    scale_vec3(&scene->obstacles[i].min, scale);
    scale_vec3(&scene->obstacles[i].max, scale);
    scale_vec3(&scene->obstacles[i].centre, scale);
    scale_float(&scene->obstacles[i].radius, scale);
  }
  scale_float(&scene->obstacle_cell, scale);
  for (uint32_t f = 0; f < scene->field_count; f++) {
    for (uint32_t g = 0; g < scene->fields[f].goal_count; g++) {
      scale_vec3(&scene->fields[f].goals[g].point, scale);
      scale_float(&scene->fields[f].goals[g].radius, scale);
    }
  }
  for (uint32_t i = 0; i < scene->path_count; i++)
    for (uint32_t k = 0; k < scene->paths[i].count; k++) scale_vec3(&scene->paths[i].points[k], scale);
  for (uint32_t i = 0; i < scene->attractors.count; i++) {
    scale_vec3(&scene->attractors.list[i].position, scale);
    scale_float(&scene->attractors.list[i].radius, scale);
    scale_float(&scene->attractors.list[i].least_distance, scale);
  }
  for (uint32_t i = 0; i < scene->zones.count; i++) {
    throng_speed_zone *zone = &scene->zones.list[i];
    float *const sizes[] = {&zone->radius, &zone->width, &zone->length, &zone->height};
    scale_vec3(&zone->centre, scale);
    for (int k = 0; k < 4; k++) scale_float(sizes[k], scale);
  }
  scale_vec3(&scene->zones.raster.origin, scale);
  scale_float(&scene->zones.raster.cell, scale);
}

static bool covers(const scene_obstacle *obstacle, double x, double z) {
  if (obstacle->shape == OBSTACLE_BOX)
    return x >= (double)obstacle->min.x && x <= (double)obstacle->max.x && z >= (double)obstacle->min.z &&
           z <= (double)obstacle->max.z;
  double dx = x - (double)obstacle->centre.x, dz = z - (double)obstacle->centre.z;
  return dx * dx + dz * dz <= (double)obstacle->radius * (double)obstacle->radius;
}

/* Sets [*begin, *end) to the cells from `low` to `high` metres along an axis, limited to [0, count]. */
static void cell_range(double low, double high, double cell, uint32_t count, uint32_t *begin, uint32_t *end) {
  double first = floor(low / cell), last = floor(high / cell) + 1;
  *begin = first <= 0 ? 0 : first >= count ? count : (uint32_t)first;
  *end = last <= 0 ? 0 : last >= count ? count : (uint32_t)last;
}

/* Blocks the cells whose centres the obstacle covers. */
static void rasterise(scene_cells *cells, const scene_obstacle *obstacle) {
  bool box = obstacle->shape == OBSTACLE_BOX;
  double radius = (double)obstacle->radius, cell = (double)cells->cell;
  double x0 = box ? (double)obstacle->min.x : (double)obstacle->centre.x - radius;
  double x1 = box ? (double)obstacle->max.x : (double)obstacle->centre.x + radius;
  double z0 = box ? (double)obstacle->min.z : (double)obstacle->centre.z - radius;
  double z1 = box ? (double)obstacle->max.z : (double)obstacle->centre.z + radius;
  uint32_t i0, i1, j0, j1;
  cell_range(x0 - (double)cells->origin_x, x1 - (double)cells->origin_x, cell, cells->width, &i0, &i1);
  cell_range(z0 - (double)cells->origin_z, z1 - (double)cells->origin_z, cell, cells->height, &j0, &j1);
  for (uint32_t j = j0; j < j1; j++)
    for (uint32_t i = i0; i < i1; i++)
      if (covers(obstacle, (double)cells->origin_x + (i + 0.5) * cell, (double)cells->origin_z + (j + 0.5) * cell))
        cells->blocked[(size_t)j * cells->width + i] = 1;
}

static bool lay_out_obstacles(bench_scene *scene, bench_problem *problem) {
  if (!scene->obstacle_count) return true;
  throng_vec3 min = scene->world.box_min, max = scene->world.box_max;
  double cell = (double)scene->obstacle_cell;
  double width = ceil(((double)max.x - (double)min.x) / cell), height = ceil(((double)max.z - (double)min.z) / cell);
  if (width > MAX_SIDE_CELLS || height > MAX_SIDE_CELLS)
    return problem_set(problem, "%s: field 'obstacles.cell': value %g makes %.0f x %.0f cells, allowed %u per side",
                       scene->file, cell, width, height, MAX_SIDE_CELLS);
  scene_cells *cells = &scene->cells;
  *cells = (scene_cells){.width = (uint32_t)width,
                         .height = (uint32_t)height,
                         .cell = scene->obstacle_cell,
                         .origin_x = min.x,
                         .origin_z = min.z};
  cells->blocked = calloc(cells->width, cells->height);
  if (!cells->blocked) return problem_set(problem, "%s: out of memory for the obstacles", scene->file);
  for (uint32_t i = 0; i < scene->obstacle_count; i++) rasterise(cells, &scene->obstacles[i]);
  return true;
}

static bool check_sides(const bench_scene *scene, uint32_t agents, bench_problem *problem) {
  const throng_world_def *def = &scene->world;
  const float *min = &def->box_min.x, *max = &def->box_max.x;
  double radius = (double)def->perception_radius;
  for (int axis = 0; axis < 3; axis++) {
    if (!scene_has_axis(scene, axis) || def->boundary[axis] == THRONG_BOUNDARY_UNBOUNDED) continue;
    double side = (double)max[axis] - (double)min[axis];
    double reach = fmax(fabs((double)min[axis]), fabs((double)max[axis]));
    if (def->boundary[axis] == THRONG_BOUNDARY_PERIODIC && side < 4 * radius)
      return problem_set(problem,
                         "%s: a periodic side of %g m with %u agents, allowed at least 4 perception radii, %g m",
                         scene->file, side, agents, 4 * radius);
    if (reach > 0x1p20 * radius)
      return problem_set(problem, "%s: field 'world.box_max': %g m with %u agents, allowed 2^20 perception radii, %g m",
                         scene->file, reach, agents, 0x1p20 * radius);
  }
  return true;
}

bool scene_group_has_body(const throng_group_def *group) { return group->contact > 0 || group->avoidance.weight != 0; }

bool scene_has_axis(const bench_scene *scene, int axis) {
  return axis != 1 || scene->world.space == THRONG_SPACE_SPATIAL;
}

static bool has_boundary(const bench_scene *scene, throng_boundary boundary) {
  for (int axis = 0; axis < 3; axis++)
    if (scene_has_axis(scene, axis) && scene->world.boundary[axis] == boundary) return true;
  return false;
}
bool scene_is_open(const bench_scene *scene) { return has_boundary(scene, THRONG_BOUNDARY_UNBOUNDED); }
bool scene_wraps(const bench_scene *scene) { return has_boundary(scene, THRONG_BOUNDARY_PERIODIC); }

double scene_way_along(const bench_scene *scene, int axis, double from, double to) {
  const throng_world_def *def = &scene->world;
  if (!scene_has_axis(scene, axis) || def->boundary[axis] != THRONG_BOUNDARY_PERIODIC) return to - from;
  return remainder(to - from, (double)(&def->box_max.x)[axis] - (double)(&def->box_min.x)[axis]);
}

void scene_name_boundary(const bench_scene *scene, char text[40]) {
  static const char *const names[] = {"unbounded", "box", "periodic"};
  const char *name[3];
  for (int axis = 0; axis < 3; axis++) name[axis] = names[scene->world.boundary[axis]];
  const bool planar = !scene_has_axis(scene, 1);
  if (name[0] == name[2] && (planar || name[0] == name[1]))
    snprintf(text, 40, "%s", name[0]);
  else if (planar)
    snprintf(text, 40, "%s, %s", name[0], name[2]);
  else
    snprintf(text, 40, "%s, %s, %s", name[0], name[1], name[2]);
}

bool scene_grows(const bench_scene *scene) { return scene->keep_density && !scene->map; }

bool scene_fit(bench_scene *scene, uint32_t agents, bench_problem *problem) {
  if (scene_grows(scene) && agents != scene->agents) {
    double ratio = (agents ? (double)agents : 1) / (scene->agents ? (double)scene->agents : 1);
    scale_places(scene, scene->world.space == THRONG_SPACE_PLANAR ? sqrt(ratio) : cube_root(ratio));
  }
  scene->agents = agents;
  return check_sides(scene, agents, problem) && lay_out_obstacles(scene, problem);
}

void scene_use_map(bench_scene *scene, const char *file, scene_cells *cells) {
  scene->map = file;
  scene_move_goals(scene, cells);
  float width = (float)cells->width * cells->cell, height = (float)cells->height * cells->cell;
  scene->world.space = THRONG_SPACE_PLANAR;
  throng_world_def_set_boundary(&scene->world, THRONG_BOUNDARY_BOX);
  scene->world.box_min = (throng_vec3){0, 0, 0};
  scene->world.box_max = (throng_vec3){width, 0, height};
  scene->obstacle_count = 0;
  scenery_release(&scene->scenery);
  scene_cells_release(&scene->cells);
  scene->cells = *cells;
  *cells = (scene_cells){0};
}

void scene_cells_release(scene_cells *cells) {
  free(cells->blocked);
  free(cells->free);
  *cells = (scene_cells){0};
}

static bool is_blocked(const scene_cells *cells, double i, double j) {
  if (i < 0 || j < 0 || i >= cells->width || j >= cells->height) return false;
  return cells->blocked[(size_t)j * cells->width + (size_t)i] != 0;
}

/* Whether a place is clear of all shapes and of their images across the seams. */
static bool is_clear(const bench_scene *scene, const double p[3], double distance) {
  const throng_world_def *def = &scene->world;
  for (int k = 0; k < 27; k++) {
    const int steps[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
    double at[3];
    bool image = true;
    for (int axis = 0; axis < 3; axis++) {
      const double side = (double)(&def->box_max.x)[axis] - (double)(&def->box_min.x)[axis];
      const bool wraps = scene_has_axis(scene, axis) && def->boundary[axis] == THRONG_BOUNDARY_PERIODIC;
      image = image && (wraps || steps[axis] == 0);
      at[axis] = p[axis] + steps[axis] * side;
    }
    if (image && !scenery_is_clear(&scene->scenery, at[0], at[1], at[2], distance)) return false;
  }
  return true;
}

bool scene_is_free(const bench_scene *scene, double x, double y, double z) {
  const throng_world_def *def = &scene->world;
  double reach = 0x1p20 * (double)def->perception_radius; /* the grid limit of coordinates */
  if (fabs(x) >= reach || fabs(y) >= reach || fabs(z) >= reach) return false;
  const double p[3] = {x, y, z};
  for (int axis = 0; axis < 3; axis++) {
    if (!scene_has_axis(scene, axis) || def->boundary[axis] == THRONG_BOUNDARY_UNBOUNDED) continue;
    if (p[axis] < (double)(&def->box_min.x)[axis] || p[axis] >= (double)(&def->box_max.x)[axis]) return false;
  }
  float body = 0;
  for (uint32_t g = 0; g < scene->group_count; g++) body = fmaxf(body, scene->groups[g].def.body_radius);
  if (!is_clear(scene, p, (double)body)) return false;
  const scene_cells *cells = &scene->cells;
  if (!cells->width) return true;
  double i = (x - (double)cells->origin_x) / (double)cells->cell,
         j = (z - (double)cells->origin_z) / (double)cells->cell;
  return !is_blocked(cells, i - 1e-3, j - 1e-3) && !is_blocked(cells, i + 1e-3, j - 1e-3) &&
         !is_blocked(cells, i - 1e-3, j + 1e-3) && !is_blocked(cells, i + 1e-3, j + 1e-3);
}

static bool read_number(const char *file, const char *format, uint64_t *number) {
  char line[128];
  bool found = false;
  FILE *stream = fopen(file, "r");
  if (!stream) return false;
  while (!found && fgets(line, sizeof line, stream)) found = sscanf(line, format, number) == 1;
  fclose(stream);
  return found;
}

/* Returns the smaller of the system's available memory and the container's memory limit, in bytes; UINT64_MAX if
 * neither is known. */
static uint64_t available_memory(void) {
  uint64_t available = UINT64_MAX, kib, limit;
  if (read_number("/proc/meminfo", "MemAvailable: %" SCNu64, &kib)) available = kib * 1024;
  if (read_number("/sys/fs/cgroup/memory.max", "%" SCNu64, &limit) && limit < available) available = limit;
  return available;
}

bool scene_check_memory(const bench_scene *scene, uint32_t agents, uint32_t largest_id, bench_problem *problem) {
  /* 250 bytes for the kernel's two sets of columns and its grid, 90 for the start and the end of the run; 16 per id. */
  uint64_t needed = (uint64_t)agents * (250 + 90) + (uint64_t)largest_id * 16;
  needed += (uint64_t)scene->cells.width * scene->cells.height;
  uint64_t available = available_memory();
  if (needed <= available) return true;
  return problem_set(problem,
                     "%s: %u agents with ids up to %u need about %" PRIu64 " MiB, allowed are the %" PRIu64
                     " MiB of available memory",
                     scene->file, agents, largest_id, needed >> 20, available >> 20);
}
