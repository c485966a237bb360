/* scene_spawn.c: places the agents of a scene and gives them goals. An agent's random numbers depend only on the seed,
 * its spawn, and its number in the spawn (start and velocity) or its id index (goal and maximum speed).
 * SPDX-License-Identifier: MIT */
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

#include "scene/scene_math.h"

#define MAX_TRIES 1000
#define GOLDEN_TURN 0.38196601125010515 /* the sunflower's angle between successive seeds, as a fraction of a turn */

/* Each spawn has five streams of random numbers: for its agents' starts, for their goals, for the centres of clumps of
 * starts and of clumps of goals, and for maximum speeds. */
static uint64_t place_stream(uint64_t spawn) { return spawn * 4; }
static uint64_t goal_stream(uint64_t spawn) { return spawn * 4 + 1; }
static uint64_t speed_stream(uint64_t spawn) { return UINT64_MAX - spawn; }
/* Returns the stream for the centres of clumps. `stream`: that of the agents' starts or goals. */
static uint64_t clump_stream(uint64_t stream) { return stream | 2; }

static bool any_goals(const bench_scene *scene) {
  for (uint32_t i = 0; i < scene->spawn_count; i++)
    if (scene->spawns[i].goal.kind != GOAL_NONE) return true;
  return false;
}

static bool any_masses(const bench_scene *scene) {
  for (uint32_t i = 0; i < scene->spawn_count; i++)
    if (!isnan(scene->spawns[i].mass)) return true;
  return false;
}

static bool any_max_speeds(const bench_scene *scene) {
  for (uint32_t i = 0; i < scene->spawn_count; i++)
    if (!isnan(scene->spawns[i].max_speed)) return true;
  return false;
}

static bool any_targets(const bench_scene *scene) {
  for (uint32_t g = 0; g < scene->group_count; g++)
    if (scene->groups[g].target_group != SCENE_NO_GROUP) return true;
  return false;
}

bool crowd_allocate(bench_crowd *crowd, uint32_t count, const bench_scene *scene, bench_problem *problem) {
  size_t n = count ? count : 1;
  const bool goals = scene && any_goals(scene), masses = scene && any_masses(scene),
             max_speeds = scene && any_max_speeds(scene), targets = scene && any_targets(scene);
  *crowd = (bench_crowd){.count = count};
  crowd->id = malloc(n * sizeof *crowd->id);
  crowd->position = malloc(n * sizeof *crowd->position);
  crowd->velocity = malloc(n * sizeof *crowd->velocity);
  crowd->group = malloc(n);
  crowd->goal = goals ? malloc(n * sizeof *crowd->goal) : NULL;
  crowd->mass = masses ? malloc(n * sizeof *crowd->mass) : NULL;
  crowd->max_speed = max_speeds ? malloc(n * sizeof *crowd->max_speed) : NULL;
  crowd->target = targets ? malloc(n * sizeof *crowd->target) : NULL;
  if (crowd->id && crowd->position && crowd->velocity && crowd->group && (crowd->goal || !goals) &&
      (crowd->mass || !masses) && (crowd->max_speed || !max_speeds) && (crowd->target || !targets))
    return true;
  crowd_release(crowd);
  return problem_set(problem, "out of memory for %u agents", count);
}

void crowd_release(bench_crowd *crowd) {
  free(crowd->id);
  free(crowd->position);
  free(crowd->velocity);
  free(crowd->goal);
  free(crowd->mass);
  free(crowd->max_speed);
  free(crowd->target);
  free(crowd->group);
  *crowd = (bench_crowd){0};
}

static throng_vec3 in_box(random_state *random, throng_vec3 min, throng_vec3 max) {
  throng_vec3 place;
  place.x = random_between(random, min.x, max.x);
  place.y = random_between(random, min.y, max.y);
  place.z = random_between(random, min.z, max.z);
  return place;
}

static throng_vec3 at(throng_vec3 centre, double dx, double dy, double dz) {
  return (throng_vec3){(float)((double)centre.x + dx), (float)((double)centre.y + dy), (float)((double)centre.z + dz)};
}

/* Returns a point of a disc, or of a ball in spatial worlds. `angle` is a fraction of a turn, `part` the fraction of
 * the area or volume that is nearer to the centre, `height` (of a ball) a fraction of its height. All are in [0, 1); if
 * they are uniformly random, so is the point. */
static throng_vec3 in_disc(throng_space space, const scene_region *region, throng_vec3 centre, double angle,
                           double part, double height) {
  double inner = (double)region->inner_radius, outer = (double)region->radius, sine, cosine;
  sincos_turns(angle, &sine, &cosine);
  if (space == THRONG_SPACE_PLANAR) {
    double radius = sqrt(inner * inner + part * (outer * outer - inner * inner));
    return at(centre, radius * sine, 0, radius * cosine);
  }
  double radius = cube_root(inner * inner * inner + part * (outer * outer * outer - inner * inner * inner));
  double y = height * 2 - 1, across = sqrt(1 - y * y);
  return at(centre, radius * across * sine, radius * y, radius * across * cosine);
}

typedef struct spawn_place {
  const bench_scene *scene;
  const scene_region *region;
  uint64_t stream;
  uint64_t index, count; /* number of this agent; number of agents that are placed in the region */
} spawn_place;

static throng_vec3 draw_place(const spawn_place *place, random_state *random, bool first_try) {
  const scene_region *region = place->region;
  throng_space space = place->scene->world.space;
  throng_vec3 centre = region->centre;
  if (region->shape == REGION_BOX) return in_box(random, region->min, region->max);
  if (region->shape == REGION_CLUMPS) {
    random_state own = random_for(place->scene->seed, clump_stream(place->stream), place->index % region->clumps);
    centre = in_box(&own, region->min, region->max);
  } else if (region->even && space == THRONG_SPACE_PLANAR && first_try) {
    double turns = (double)place->index * GOLDEN_TURN;
    double part = ((double)place->index + 0.5) / (double)place->count;
    return in_disc(space, region, centre, turns - floor(turns), part, 0);
  }
  double angle = random_unit(random), part = random_unit(random), height = random_unit(random);
  return in_disc(space, region, centre, angle, part, height);
}

/* Returns a random point in a random free cell, at least a twentieth of a cell from its borders. */
static throng_vec3 in_free_cell(const scene_cells *cells, random_state *random) {
  uint32_t cell = cells->free[(size_t)(random_unit(random) * cells->free_count)];
  double i = cell % cells->width + 0.05 + 0.9 * random_unit(random);
  double j = cell / cells->width + 0.05 + 0.9 * random_unit(random);
  return at((throng_vec3){cells->origin_x, 0, cells->origin_z}, i * (double)cells->cell, 0, j * (double)cells->cell);
}

static bool find_place(const spawn_place *place, random_state *random, throng_vec3 *found, const char *what,
                       bench_problem *problem) {
  const bench_scene *scene = place->scene;
  if (scene->cells.free) {
    if (!scene->cells.free_count)
      return problem_set(problem, "%s: no free cell for %llu agents, allowed is a map with a free cell", scene->file,
                         (unsigned long long)place->count);
    *found = in_free_cell(&scene->cells, random);
    return true;
  }
  for (int i = 0; i < MAX_TRIES; i++) {
    *found = draw_place(place, random, i == 0);
    if (scene_is_free(scene, (double)found->x, (double)found->y, (double)found->z)) return true;
  }
  return problem_set(problem, "%s: field '%s': no free point inside the world for agent %llu of %llu in %d tries",
                     scene->file, what, (unsigned long long)place->index, (unsigned long long)place->count, MAX_TRIES);
}

static bool draw_goal(const bench_scene *scene, uint32_t spawn_index, uint64_t index, throng_vec3 start,
                      throng_vec3 *goal, bench_problem *problem) {
  const scene_spawn *spawn = &scene->spawns[spawn_index];
  throng_vec3 point = spawn->goal.point;
  *goal = (throng_vec3){NAN, NAN, NAN};
  if (spawn->goal.kind == GOAL_NONE) return true;
  random_state random = random_for(scene->seed, goal_stream(spawn_index), index);
  spawn_place place = {scene, &spawn->goal.region, goal_stream(spawn_index), index, scene->agents};
  if (scene->cells.free || spawn->goal.kind == GOAL_REGION) return find_place(&place, &random, goal, "goal", problem);
  if (spawn->goal.kind == GOAL_OPPOSITE)
    *goal = at(point, (double)point.x - (double)start.x, (double)point.y - (double)start.y,
               (double)point.z - (double)start.z);
  else if (spawn->goal.kind == GOAL_OFFSET)
    *goal = at(start, (double)point.x, (double)point.y, (double)point.z);
  else
    *goal = point;
  return true;
}

/* The sum of four uniform numbers is nearly normal. It lies within 3.47 deviations, so no speed is negative. */
static float draw_max_speed(const bench_scene *scene, uint32_t spawn_index, uint64_t index) {
  const scene_spawn *spawn = &scene->spawns[spawn_index];
  if (spawn->max_speed_deviation == 0.0f) return spawn->max_speed;
  random_state random = random_for(scene->seed, speed_stream(spawn_index), index);
  double sum = 0;
  for (int k = 0; k < 4; k++) sum += random_unit(&random) - 0.5;
  return (float)((double)spawn->max_speed + (double)spawn->max_speed_deviation * sqrt(3.0) * sum);
}

static throng_vec3 draw_velocity(const bench_scene *scene, const scene_spawn *spawn, random_state *random,
                                 throng_vec3 start, throng_vec3 goal) {
  bool planar = scene->world.space == THRONG_SPACE_PLANAR;
  throng_vec3 velocity = in_box(random, spawn->velocity.min, spawn->velocity.max);
  double speed = (double)spawn->velocity.toward_goal;
  if (speed > 0 && spawn->goal.kind != GOAL_NONE) {
    double dx = (double)goal.x - (double)start.x, dz = (double)goal.z - (double)start.z;
    double dy = planar ? 0 : (double)goal.y - (double)start.y;
    double distance = sqrt(dx * dx + dy * dy + dz * dz);
    if (distance > 0) velocity = at(velocity, dx / distance * speed, dy / distance * speed, dz / distance * speed);
  }
  if (planar) velocity.y = 0;
  return velocity;
}

static bool spawn_agents(bench_crowd *crowd, const bench_scene *scene, uint32_t spawn_index, uint32_t begin,
                         uint32_t end, bench_problem *problem) {
  const scene_spawn *spawn = &scene->spawns[spawn_index];
  for (uint32_t k = begin; k < end; k++) {
    uint32_t index = k - begin;
    random_state random = random_for(scene->seed, place_stream(spawn_index), index);
    spawn_place place = {scene, &spawn->region, place_stream(spawn_index), index, end - begin};
    throng_vec3 goal;
    if (!find_place(&place, &random, &crowd->position[k], "region", problem) ||
        !draw_goal(scene, spawn_index, k + 1, crowd->position[k], &goal, problem))
      return false;
    crowd->id[k] = k + 1;
    crowd->group[k] = (uint8_t)spawn->group;
    crowd->velocity[k] = draw_velocity(scene, spawn, &random, crowd->position[k], goal);
    if (crowd->goal) crowd->goal[k] = goal;
    if (crowd->mass) crowd->mass[k] = spawn->mass;
    if (crowd->max_speed) crowd->max_speed[k] = draw_max_speed(scene, spawn_index, k + 1);
  }
  return true;
}

/* Lists the agents group by group: those of group g are members[begin[g]] to members[begin[g + 1] - 1]. */
static void list_members(const bench_crowd *crowd, uint32_t begin[THRONG_MAX_GROUPS + 1], uint32_t *members) {
  uint32_t next[THRONG_MAX_GROUPS] = {0};
  for (uint32_t k = 0; k < crowd->count; k++) next[crowd->group[k]]++;
  begin[0] = 0;
  for (uint32_t g = 0; g < THRONG_MAX_GROUPS; g++) {
    begin[g + 1] = begin[g] + next[g];
    next[g] = begin[g];
  }
  for (uint32_t k = 0; k < crowd->count; k++) members[next[crowd->group[k]]++] = k;
}

/* Gives agent n of a group agent n of its target_group, counted from its first again if it has fewer agents; in the
 * same group the agent after it. */
static bool choose_targets(bench_crowd *crowd, const bench_scene *scene, bench_problem *problem) {
  if (!crowd->target) return true;
  uint32_t begin[THRONG_MAX_GROUPS + 1], *members = malloc((crowd->count ? crowd->count : 1) * sizeof *members);
  if (!members) return problem_set(problem, "out of memory for %u agents", crowd->count);
  list_members(crowd, begin, members);
  for (uint32_t k = 0; k < crowd->count; k++) crowd->target[k] = 0;
  for (uint32_t g = 0; g < scene->group_count; g++) {
    const uint32_t of = scene->groups[g].target_group, size = of == SCENE_NO_GROUP ? 0 : begin[of + 1] - begin[of];
    for (uint32_t n = 0; n < begin[g + 1] - begin[g] && size > (of == g ? 1u : 0u); n++)
      crowd->target[members[begin[g] + n]] = crowd->id[members[begin[of] + (of == g ? n + 1 : n) % size]];
  }
  free(members);
  return true;
}

bool crowd_spawn(bench_crowd *crowd, const bench_scene *scene, bench_problem *problem) {
  if (!crowd_allocate(crowd, scene->agents, scene, problem)) return false;
  double total = 0, sum = 0;
  for (uint32_t i = 0; i < scene->spawn_count; i++) total += (double)scene->spawns[i].share;
  uint32_t begin = 0;
  for (uint32_t i = 0; i < scene->spawn_count; i++) {
    sum += (double)scene->spawns[i].share;
    uint32_t end = i + 1 == scene->spawn_count ? scene->agents : (uint32_t)(scene->agents * (sum / total));
    if (!spawn_agents(crowd, scene, i, begin, end, problem)) {
      crowd_release(crowd);
      return false;
    }
    begin = end;
  }
  if (choose_targets(crowd, scene, problem)) return true;
  crowd_release(crowd);
  return false;
}

bool crowd_complete(bench_crowd *crowd, const bench_scene *scene, bench_problem *problem) {
  for (uint32_t k = 0; k < crowd->count; k++) {
    throng_vec3 goal = {NAN, NAN, NAN};
    uint32_t spawn = 0;
    while (spawn < scene->spawn_count && scene->spawns[spawn].group != crowd->group[k]) spawn++;
    const bool found = spawn < scene->spawn_count;
    if (found && !draw_goal(scene, spawn, crowd->id[k], crowd->position[k], &goal, problem)) return false;
    if (crowd->goal) crowd->goal[k] = goal;
    if (crowd->mass) crowd->mass[k] = found ? scene->spawns[spawn].mass : NAN;
    if (crowd->max_speed) crowd->max_speed[k] = found ? draw_max_speed(scene, spawn, crowd->id[k]) : NAN;
  }
  return choose_targets(crowd, scene, problem);
}
