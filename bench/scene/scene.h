/* scene.h: a scene is a world, its groups, the starts and goals of its agents, and its scenery. bench/scenes/README.md
 * describes the files. A scene is used in these steps:
 *   scene_load     reads and checks the file
 *   scene_fit      sets the number of agents (and the size). Or scene_use_map replaces the scene's box by a map
 *   crowd_spawn    places the agents. Or csv_read reads them from a file, and crowd_complete gives the rest
 *   scene_build    creates a world. Every call creates the same world, on every machine
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_H
#define BENCH_SCENE_H

#include <throng/throng.h>

#include "common/problem.h"
#include "scene/fields.h"
#include "scene/scene_scenery.h"

typedef enum region_shape { REGION_BOX = 0, REGION_DISC, REGION_CLUMPS } region_shape;

typedef struct scene_region {
  region_shape shape;
  throng_vec3 min, max;       /* BOX: the box of the agents; CLUMPS: the box of the clumps' centres */
  throng_vec3 centre;         /* DISC; in spatial worlds it is a ball */
  float radius, inner_radius; /* DISC: agents are between the two radii; CLUMPS: `radius` of each clump */
  bool even;                  /* DISC in planar worlds: the agents are spread evenly, not randomly */
  uint32_t clumps;            /* CLUMPS: how many clumps */
} scene_region;

typedef enum goal_kind { GOAL_NONE = 0, GOAL_POINT, GOAL_OPPOSITE, GOAL_OFFSET, GOAL_REGION } goal_kind;

typedef struct scene_goal {
  goal_kind kind;
  throng_vec3 point;   /* POINT: the goal. OPPOSITE: the goal is the start mirrored at it. OFFSET: start + point */
  scene_region region; /* REGION: the goal is a random point in it */
} scene_goal;

typedef struct scene_velocity {
  throng_vec3 min, max; /* m/s; each component is uniformly random between these */
  float toward_goal;    /* m/s, added in the direction of the goal */
} scene_velocity;

typedef struct scene_spawn {
  uint32_t group;
  float share;     /* the spawn has the fraction share / (sum of all shares) of the agents */
  float mass;      /* mass of each agent in kilograms; NaN: the group's mass */
  float max_speed; /* maximum speed of each agent, or their mean; NaN: the group's */
  float max_speed_deviation;
  scene_region region;
  scene_velocity velocity;
  scene_goal goal;
} scene_spawn;

/* Where the scene is seen from: agents nearer than distances.x have the period 1, nearer than distances.y 2, nearer
 * than distances.z 4, and all others 8. distances.z is 0 where agents have their groups' periods. */
typedef struct scene_seen {
  throng_vec3 from, distances; /* metres */
} scene_seen;

typedef struct scene_group {
  char name[FIELD_NAME_SIZE]; /* "" = none */
  uint32_t colour;            /* 0xRRGGBB, or SCENE_NO_COLOUR */
  uint32_t target_group;      /* the group whose agents are this group's own targets, or SCENE_NO_GROUP */
  throng_group_def def;
} scene_group;

#define SCENE_NO_COLOUR 0xFFFFFFFFu
#define SCENE_NO_GROUP 0xFFFFFFFFu

typedef enum obstacle_shape { OBSTACLE_CIRCLE = 0, OBSTACLE_BOX } obstacle_shape;

typedef struct scene_obstacle {
  obstacle_shape shape;
  throng_vec3 min, max, centre;
  float radius;
} scene_obstacle;

#define SCENE_MAX_FIELD_GOALS 16u

typedef struct scene_field_goal {
  throng_vec3 point;
  float radius;
} scene_field_goal;

/* A flow field that leads to its goals. Its index in the world is its position in the list. */
typedef struct scene_field {
  uint32_t goal_count;
  scene_field_goal goals[SCENE_MAX_FIELD_GOALS];
  uint32_t zone_layers; /* bits of layers: the field avoids the speed zones of these layers where that is faster */
} scene_field;

/* The members have the meanings of throng_path_def. */
typedef struct scene_path {
  bool closed;
  uint32_t count;
  throng_vec3 *points;
} scene_path;

/* The members have the meanings of throng_pattern_def. */
typedef struct scene_pattern {
  bool loop, stands;
  uint32_t count;
  throng_pattern_instruction *instructions;
} scene_pattern;

/* The members have the meanings of throng_formation_def. */
typedef struct scene_formation {
  uint32_t count;
  throng_vec3 *places;
} scene_formation;

/* The members have the meanings of throng_attractors_def. */
typedef struct scene_attractors {
  uint32_t count;
  throng_attractor *list;
} scene_attractors;

/* The members have the meanings of throng_speed_zones_def. */
typedef struct scene_zones {
  uint32_t count;
  throng_speed_zone *list;
  throng_speed_raster raster; /* width 0: none. Its factors are `factor` */
  float *factor;
} scene_zones;

/* Cells as in throng_cells_def; width 0: no cells. */
typedef struct scene_cells {
  uint32_t width, height;
  float cell, origin_x, origin_z;
  uint8_t *blocked;
  uint32_t *free; /* indices of a map's free cells, on which agents start; NULL without a map */
  uint32_t free_count;
} scene_cells;

typedef struct bench_scene {
  char name[FIELD_NAME_SIZE];
  const char *file;
  const char *map; /* the file of the map, or NULL */
  uint32_t agents, frames;
  float dt;
  uint64_t seed;
  bool keep_density;
  throng_world_def world;
  uint32_t group_count, spawn_count, obstacle_count, path_count, pattern_count, formation_count;
  scene_group *groups;
  scene_spawn *spawns;
  scene_obstacle *obstacles;
  scene_path *paths;
  scene_pattern *patterns;
  scene_formation *formations;
  scene_attractors attractors;
  scene_zones zones;
  float obstacle_cell;
  scene_cells cells;
  uint32_t field_count;
  scene_field *fields;
  scene_scenery scenery;
  scene_seen seen;
} bench_scene;

/* The agents at the start or the end of a run, by ascending id index. */
typedef struct bench_crowd {
  uint32_t count;
  uint32_t *id;
  throng_vec3 *position, *velocity;
  throng_vec3 *goal; /* NULL: no agent has a goal; x is NaN: this agent has none */
  float *mass;       /* NULL: all agents have their group's mass; NaN: this agent has its group's mass */
  float *max_speed;  /* the same of maximum speeds */
  uint32_t *target;  /* id index of its own target; 0: none. NULL: no agent has one */
  uint8_t *group;
} bench_crowd;

/* The texts of the built-in scenes. A NULL name ends the list. */
typedef struct built_in_scene {
  const char *name, *json;
} built_in_scene;
extern const built_in_scene built_in_scenes[];
/* Returns the name of built-in scene k, at most their number; NULL after the last. */
const char *scene_built_in_name(uint32_t k);

#define SCENE_MAX_AGENTS 2147483646u /* the library's limit, for agents and for id indices */
#define SCENE_MAX_FRAMES 1000000000u
#define SCENE_MAX_SEED 9007199254740992u /* 2^53 */

/* Loads a built-in scene or a file. */
bool scene_load(bench_scene *scene, const char *name, bench_problem *problem);
void scene_release(bench_scene *scene);

/* Whether the group's rules use its bodies, contact or avoidance. Pictures then show them at their size. */
bool scene_group_has_body(const throng_group_def *group);
/* Whether axis 0, 1 or 2 matters: in planar worlds y does not. */
bool scene_has_axis(const bench_scene *scene, int axis);
/* Whether the world has no faces along some axis that matters. */
bool scene_is_open(const bench_scene *scene);
/* Whether the world is periodic along some axis that matters. */
bool scene_wraps(const bench_scene *scene);
/* Returns the difference to - from along an axis: the minimum image if it is periodic. */
double scene_way_along(const bench_scene *scene, int axis, double from, double to);
/* Writes the world's boundary: one word, or one for each axis that matters. */
void scene_name_boundary(const bench_scene *scene, char text[40]);

/* Whether the scene grows with its number of agents. A map does not. */
bool scene_grows(const bench_scene *scene);
/* Sets the number of agents. A scene that grows is scaled so that the density stays the same. Checks the size of the
 * world, and blocks the cells of the scene's obstacles. */
bool scene_fit(bench_scene *scene, uint32_t agents, bench_problem *problem);
/* Replaces the scene's box, obstacles and scenery by a planar box with the cells of the map. The scene takes the memory
 * of `cells`, which is zeroed. `file` is the map's name and must outlive the scene. */
void scene_use_map(bench_scene *scene, const char *file, scene_cells *cells);
throng_cells_def scene_cells_def(const scene_cells *cells);
void scene_cells_release(scene_cells *cells);

/* Whether an agent may start at a point. The point must be inside the world, at least the largest body radius away from
 * scenery, and more than a thousandth of a cell away from blocked cells, so that rounding cannot put the agent into
 * one. */
bool scene_is_free(const bench_scene *scene, double x, double y, double z);

/* Allocates the arrays of `count` agents. The values that an agent may lack are allocated only if a spawn or a group of
 * `scene` gives some; `scene` may be NULL. */
bool crowd_allocate(bench_crowd *crowd, uint32_t count, const bench_scene *scene, bench_problem *problem);
void crowd_release(bench_crowd *crowd);
/* Allocates the crowd and places the scene's agents by its spawns. Their id indices are 1, 2, 3, ... */
bool crowd_spawn(bench_crowd *crowd, const bench_scene *scene, bench_problem *problem);
/* Gives agents that were read from a file what the first spawn of their group and the group give. */
bool crowd_complete(bench_crowd *crowd, const bench_scene *scene, bench_problem *problem);

/* Checks that memory suffices for `agents` agents with id indices up to `largest_id`. An agent takes about 340 bytes in
 * the kernel and in this program, an id index 16. */
bool scene_check_memory(const bench_scene *scene, uint32_t agents, uint32_t largest_id, bench_problem *problem);

/* Creates an indexed world with the scene's groups, guides, cells and scenery, and the agents of `crowd`; NULL: no
 * agents. If the kernel refuses something, the problem begins with the scene's file. */
throng_world *scene_build(const bench_scene *scene, const bench_crowd *crowd, uint32_t threads, throng_isa isa,
                          bool profile, bench_problem *problem);

#endif
