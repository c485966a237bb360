/* SPDX-License-Identifier: MIT */
#include "people.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"

bool people_are_in(const bench_scene *scene) { return scene_group_has_body(&scene->groups[0].def); }

/* Obstacles. They are listed twice: first without memory, to count them. */

static void add_corner(peer_people *people, double x, double z) {
  if (people->corner) {
    people->corner[people->corner_count][0] = (float)x;
    people->corner[people->corner_count][1] = (float)z;
  }
  people->corner_count++;
}
static void end_obstacle(peer_people *people) {
  if (people->corners_end) people->corners_end[people->obstacle_count] = people->corner_count;
  people->obstacle_count++;
}
static void add_wall(peer_people *people, throng_vec3 from, throng_vec3 to) {
  add_corner(people, (double)from.x, (double)from.z);
  add_corner(people, (double)to.x, (double)to.z);
  end_obstacle(people);
}

static bool same_point(throng_vec3 a, throng_vec3 b) { return a.x == b.x && a.z == b.z; }

/* Returns twice the area of the triangle of wall k and the end of wall j; below 0 if it is clockwise. */
static double turn_of(const scene_scenery *scenery, uint32_t k, uint32_t j) {
  const throng_vec3 a = scenery->from[k], b = scenery->to[k], c = scenery->to[j];
  return ((double)b.x - (double)a.x) * ((double)c.z - (double)a.z) -
         ((double)b.z - (double)a.z) * ((double)c.x - (double)a.x);
}

/* Returns the number of walls from wall k on that enclose a convex polygon; 0 if they do not. */
static uint32_t walls_around(const scene_scenery *scenery, uint32_t k) {
  uint32_t end = k + 1;
  while (end < scenery->wall_count && !same_point(scenery->to[end - 1], scenery->from[k]) &&
         same_point(scenery->from[end], scenery->to[end - 1]))
    end++;
  const uint32_t count = end - k;
  if (count < 3 || !same_point(scenery->to[end - 1], scenery->from[k])) return 0;
  for (uint32_t c = 0; c < count; c++)
    if (turn_of(scenery, k, k + 1) * turn_of(scenery, k + c, k + (c + 1) % count) <= 0) return 0;
  return count;
}

static void add_scenery(peer_people *people, const scene_scenery *scenery) {
  for (uint32_t k = 0, around; k < scenery->wall_count; k += around ? around : 1) {
    around = walls_around(scenery, k);
    if (!around) add_wall(people, scenery->from[k], scenery->to[k]);
    for (uint32_t c = 0; c < around; c++) {
      const throng_vec3 corner = scenery->from[turn_of(scenery, k, k + 1) > 0 ? k + c : k + around - 1 - c];
      add_corner(people, (double)corner.x, (double)corner.z);
    }
    if (around) end_obstacle(people);
  }
  for (uint32_t k = 0; k < scenery->circle_count; k++) {
    for (uint32_t c = 0; c < PEOPLE_CIRCLE_CORNERS; c++) {
      const double angle = 2.0 * acos(-1.0) * c / PEOPLE_CIRCLE_CORNERS, radius = (double)scenery->radius[k];
      add_corner(people, (double)scenery->centre[k].x + radius * cos(angle),
                 (double)scenery->centre[k].z + radius * sin(angle));
    }
    end_obstacle(people);
  }
}

/* Covers the blocked cells with rectangles. Each is as wide as possible, then as high as possible. `covered` is zeroed
 * memory of one byte per cell. */
static void add_cells(peer_people *people, const scene_cells *cells, uint8_t *covered) {
  const double cell = (double)cells->cell, x = (double)cells->origin_x, z = (double)cells->origin_z;
  const uint32_t width = cells->width;
#define IS_LEFT(i, j) (cells->blocked[(size_t)(j)*width + (i)] && !covered[(size_t)(j)*width + (i)])
  for (uint32_t j = 0; j < cells->height; j++)
    for (uint32_t i = 0; i < width; i++) {
      uint32_t right = i, top = j, along = 0;
      while (right < width && IS_LEFT(right, j)) right++;
      if (right == i) continue;
      do {
        memset(covered + (size_t)top * width + i, 1, right - i);
        top++;
        for (along = i; top < cells->height && along < right && IS_LEFT(along, top);) along++;
      } while (along == right);
      add_corner(people, x + cell * i, z + cell * j);
      add_corner(people, x + cell * right, z + cell * j);
      add_corner(people, x + cell * right, z + cell * top);
      add_corner(people, x + cell * i, z + cell * top);
      end_obstacle(people);
    }
#undef IS_LEFT
}

static void add_faces(peer_people *people, const throng_world_def *def) {
  const throng_vec3 low = def->box_min, high = def->box_max;
  if (def->boundary[0] == THRONG_BOUNDARY_BOX) {
    add_wall(people, low, (throng_vec3){low.x, 0, high.z});
    add_wall(people, (throng_vec3){high.x, 0, low.z}, high);
  }
  if (def->boundary[2] == THRONG_BOUNDARY_BOX) {
    add_wall(people, low, (throng_vec3){high.x, 0, low.z});
    add_wall(people, (throng_vec3){low.x, 0, high.z}, high);
  }
}

static bool list_obstacles(peer_people *people) {
  const scene_scenery *scenery = &people->scene->scenery;
  const scene_cells *cells = &people->scene->cells;
  people->obstacle_count = people->corner_count = 0;
  if (scenery->wall_count + scenery->circle_count > 0) {
    add_scenery(people, scenery);
  } else if (cells->width) {
    uint8_t *covered = calloc((size_t)cells->width * cells->height, 1);
    if (!covered) return false;
    add_cells(people, cells, covered);
    free(covered);
  }
  add_faces(people, &people->scene->world);
  return true;
}

static peer_way way_of(const bench_scene *scene, throng_group_def group) {
  const throng_behaviour *follow = throng_group_def_find(&group, THRONG_BEHAVIOUR_FOLLOW_FIELD);
  if (follow) return (peer_way){.kind = WAY_FIELD, .field = follow->follow_field.index};
  follow = throng_group_def_find(&group, THRONG_BEHAVIOUR_FOLLOW_PATH);
  if (!follow) return (peer_way){.kind = WAY_GOAL};
  const throng_vec3 *point = scene->paths[follow->follow_path.index].points;
  return (peer_way){.kind = WAY_PATH, .path = {point[1].x - point[0].x, point[1].z - point[0].z}};
}

void people_destroy(peer_people *people) {
  if (!people) return;
  throng_world_destroy(people->world);
  free(people->corners_end);
  free(people->corner);
  free(people);
}

peer_people *people_create(const bench_scene *scene, const bench_crowd *crowd) {
  bench_problem problem;
  peer_people *people = calloc(1, sizeof *people);
  if (!people) return NULL;
  people->scene = scene;
  people->crowd = crowd;
  for (int k = 0; k < 2; k++) people->periodic[k] = scene->world.boundary[2 * k] == THRONG_BOUNDARY_PERIODIC;
  for (uint32_t g = 0; g < scene->group_count; g++) people->way[g] = way_of(scene, scene->groups[g].def);
  people->world = scene_build(scene, NULL, 1, THRONG_ISA_AUTO, false, &problem);
  bool ok = people->world && list_obstacles(people);
  if (ok) {
    people->corners_end = malloc((people->obstacle_count + 1) * sizeof *people->corners_end);
    people->corner = malloc((people->corner_count + 1) * sizeof *people->corner);
    ok = people->corners_end && people->corner && list_obstacles(people);
  }
  if (ok) return people;
  people_destroy(people);
  return NULL;
}

/* Agents. */

static const throng_group_def *group_of(const peer_people *people, uint32_t agent) {
  return &people->scene->groups[people->crowd->group[agent]].def;
}

static float speed_of(const peer_people *people, uint32_t agent) {
  const float *own = people->crowd->max_speed;
  return own && !isnan(own[agent]) ? own[agent] : group_of(people, agent)->max_speed;
}

engine_person people_person(const peer_people *people, uint32_t agent) {
  const throng_group_def *group = group_of(people, agent);
  return (engine_person){.radius = group->body_radius,
                         .max_speed = speed_of(people, agent),
                         .neighbour_radius = people->scene->world.perception_radius,
                         .horizon = group->avoidance.horizon,
                         .wall_horizon = group->avoidance.wall_horizon};
}

void people_wish(const peer_people *people, uint32_t agent, const float at[2], float wish[2]) {
  const peer_way *own = &people->way[people->crowd->group[agent]];
  const throng_vec3 *goal = people->crowd->goal;
  throng_vec3 way = {own->path[0], 0, own->path[1]};
  if (own->kind == WAY_FIELD) {
    throng_world_sample_flow_field(people->world, own->field, (throng_vec3){at[0], 0, at[1]}, &way, NULL);
  } else if (own->kind == WAY_GOAL && goal && !isnan(goal[agent].x)) {
    way = (throng_vec3){goal[agent].x - at[0], 0, goal[agent].z - at[1]};
  }
  const float length = sqrtf(way.x * way.x + way.z * way.z), speed = speed_of(people, agent);
  const float scale = length > 1 ? speed / length : speed;
  wish[0] = way.x * scale;
  wish[1] = way.z * scale;
}
