/* Measures the time of one behaviour: steers a world in which flock2's agents have only that behaviour, and a world in
 * which they have none. The two worlds take turns, frame by frame.
 * SPDX-License-Identifier: MIT */
#include "micro/bench_cases.h"

#include <math.h>
#include <stdlib.h>

#include "micro/ceiling.h"

/* Two sides: 0 without the behaviour, 1 with it. */
typedef struct behaviour_bench {
  gbench_state *state;
  bench_scene scene;
  bench_crowd crowd;
  throng_world *world[2];
  double fastest[2]; /* seconds of the fastest throng_world_steer */
} behaviour_bench;

static bool needs_steered_yaw(int behaviour) {
  return (behaviour >= THRONG_BEHAVIOUR_ALIGN && behaviour <= THRONG_BEHAVIOUR_LOOK) ||
         behaviour == THRONG_BEHAVIOUR_KINEMATIC_WANDER || behaviour == THRONG_BEHAVIOUR_ROTATION_MATCH;
}

/* Returns the scene's first group without separation, cohesion, alignment and avoidance. If has_it, it has the
 * behaviour, whose target is each agent's own goal. */
static throng_group_def lonely_group(const bench_scene *scene, int behaviour, bool has_it) {
  throng_group_def def = scene->groups[0].def;
  def.separation.weight = def.cohesion.weight = def.alignment.weight = def.avoidance.weight = 0;
  def.behaviour_count = 0;
  if (needs_steered_yaw(behaviour)) {
    def.facing = THRONG_FACING_STEERED;
    def.max_yaw_rate = 3;
  }
  if (has_it) throng_group_def_add(&def, (throng_behaviour_kind)behaviour);
  return def;
}

/* Sets a flow field over the scene's box. Its vectors turn around the middle of the box. */
static bool set_field(throng_world *world, const bench_scene *scene, throng_error *error) {
  enum { SIDE = 256 };
  static float vectors[2 * SIDE * SIDE];
  throng_flow_field_def def = throng_default_flow_field_def();
  for (int k = 0; k < SIDE * SIDE; k++) {
    vectors[2 * k] = (float)(k / SIDE - SIDE / 2);
    vectors[2 * k + 1] = (float)(SIDE / 2 - k % SIDE);
  }
  def.width = def.height = SIDE;
  def.cell = (scene->world.box_max.x - scene->world.box_min.x) / (float)SIDE;
  def.origin.x = scene->world.box_min.x;
  def.origin.z = scene->world.box_min.z;
  def.vectors = vectors;
  return throng_world_set_flow_field(world, 0, &def, error) == THRONG_OK;
}

/* Sets a closed path of 64 segments around the middle of the box. Agents are spread over the whole box. */
static bool set_path(throng_world *world, const bench_scene *scene, throng_error *error) {
  const throng_vec3 low = scene->world.box_min, high = scene->world.box_max;
  throng_vec3 points[64];
  for (int k = 0; k < 64; k++) {
    double angle = k * 6.283185307179586 / 64, radius = 0.4 * (double)(high.x - low.x);
    points[k] = (throng_vec3){(float)(0.5 * (double)(low.x + high.x) + radius * cos(angle)), 0,
                              (float)(0.5 * (double)(low.z + high.z) + radius * sin(angle))};
  }
  throng_path_def def = throng_default_path_def();
  def.points.data = points;
  def.count = 64;
  def.closed = true;
  return throng_world_set_path(world, 0, &def, error) == THRONG_OK;
}

/* Sets circles and walls, one of each per square of 8 m, for behaviours that need scenery. Both worlds have them. */
static bool set_scenery(throng_world *world, const bench_scene *scene, throng_error *error) {
  enum { MOST = 4096 };
  static throng_vec3 centre[MOST], from[MOST], to[MOST];
  static float radius[MOST];
  const throng_vec3 low = scene->world.box_min, high = scene->world.box_max;
  throng_scenery_def def = throng_default_scenery_def();
  for (float x = low.x + 4; x < high.x && def.obstacle_count < MOST; x += 8) {
    for (float z = low.z + 4; z < high.z && def.obstacle_count < MOST; z += 8) {
      const uint32_t k = def.obstacle_count++;
      centre[k] = (throng_vec3){x, 0, z};
      radius[k] = 0.5f;
      from[k] = (throng_vec3){x + 2, 0, z + 2};
      to[k] = (throng_vec3){x + 4, 0, z + 5};
    }
  }
  def.wall_count = def.obstacle_count;
  def.obstacle_centre.data = centre;
  def.obstacle_radius.data = radius;
  def.wall_from.data = from;
  def.wall_to.data = to;
  return throng_world_set_scenery(world, &def, error) == THRONG_OK;
}
/* Moves agents out of the circles of set_scenery. */
static void leave_columns(bench_crowd *crowd, const bench_scene *scene) {
  const throng_vec3 low = scene->world.box_min;
  for (uint32_t i = 0; i < crowd->count; i++) {
    throng_vec3 *p = &crowd->position[i];
    const double x = fmod((double)(p->x - low.x), 8) - 4, z = fmod((double)(p->z - low.z), 8) - 4;
    if (hypot(x, z) < 0.6) p->x += 1.3f;
  }
}
static bool looks_at_scenery(int kind) {
  return kind == THRONG_BEHAVIOUR_AVOID_OBSTACLES || kind == THRONG_BEHAVIOUR_AVOID_WALLS ||
         kind == THRONG_BEHAVIOUR_HIDE || kind == THRONG_BEHAVIOUR_HUG_WALLS;
}

/* Sets a pattern that moves agents along a square with sides of one perception radius. */
static bool set_pattern(throng_world *world, const bench_scene *scene, throng_error *error) {
  const throng_pattern_instruction square[] = {{.thrust = 1, .distance = scene->world.perception_radius},
                                               {.right = 1, .heading = 1.5707963f}};
  throng_pattern_def def = throng_default_pattern_def();
  def.instructions = square;
  def.count = 2;
  return throng_world_set_pattern(world, 0, &def, error) == THRONG_OK;
}

/* Sets one attractor with a radius of 6 m per square of 8 m, at most the largest number. */
static bool set_attractors(throng_world *world, const bench_scene *scene, throng_error *error) {
  static throng_attractor list[THRONG_MAX_ATTRACTORS];
  const throng_vec3 low = scene->world.box_min, high = scene->world.box_max;
  throng_attractors_def def = throng_default_attractors_def();
  def.attractors = list;
  for (float x = low.x + 4; x < high.x && def.count < THRONG_MAX_ATTRACTORS; x += 8) {
    for (float z = low.z + 4; z < high.z && def.count < THRONG_MAX_ATTRACTORS; z += 8) {
      throng_attractor *attractor = &list[def.count++];
      *attractor = throng_default_attractor();
      attractor->position = (throng_vec3){x, 0, z};
      attractor->radius = 6.0f;
    }
  }
  return throng_world_set_attractors(world, &def, error) == THRONG_OK;
}

/* Adds a formation of 64 places to the scene. Its target is each agent's goal. */
static bool add_formation(bench_scene *scene) {
  scene_formation *block = malloc(sizeof *block);
  throng_vec3 *places = malloc(64 * sizeof *places);
  for (int k = 0; places && k < 64; k++) places[k] = (throng_vec3){(float)(k % 8), 0, (float)(k / 8)};
  if (block && places) {
    *block = (scene_formation){.count = 64, .places = places};
    scene->formations = block;
    scene->formation_count = 1;
    return true;
  }
  free(block);
  free(places);
  return false;
}
/* Gives every agent one of the 64 places. */
static bool set_places(throng_world *world, const bench_crowd *crowd, throng_error *error) {
  float *own = malloc((crowd->count + 1) * sizeof *own);
  if (!own) return false;
  for (uint32_t i = 0; i < crowd->count; i++) own[i] = (float)(i % 64);
  bool ok = throng_agents_write(world, THRONG_COLUMN_FORMATION_PLACE, NULL, crowd->count, own, 0, error) == THRONG_OK;
  free(own);
  return ok;
}

static bool open(behaviour_bench *bench, gbench_state *state, const bench_case *which) {
  bench_problem problem;
  *bench = (behaviour_bench){.state = state, .fastest = {INFINITY, INFINITY}};
  bool ok = scene_load(&bench->scene, which->scene, &problem) && scene_fit(&bench->scene, which->agents, &problem) &&
            (add_formation(&bench->scene) || problem_set(&problem, "out of memory")) &&
            crowd_spawn(&bench->crowd, &bench->scene, &problem);
  if (ok && !bench->crowd.goal) {
    bench->crowd.goal = malloc(bench->crowd.count * sizeof *bench->crowd.goal);
    for (uint32_t i = 0; bench->crowd.goal && i < bench->crowd.count; i++)
      bench->crowd.goal[i] = bench->crowd.position[bench->crowd.count - 1 - i];
  }
  const bool scenery = looks_at_scenery(which->behaviour);
  if (ok && scenery) leave_columns(&bench->crowd, &bench->scene);
  for (int side = 0; side < 2 && ok; side++) {
    throng_error error;
    bench->scene.groups[0].def = lonely_group(&bench->scene, which->behaviour, side == 1);
    bench->world[side] = scene_build(&bench->scene, &bench->crowd, which->threads, which->isa, false, &problem);
    ok = bench->world[side] != NULL && ((set_field(bench->world[side], &bench->scene, &error) &&
                                         set_path(bench->world[side], &bench->scene, &error) &&
                                         set_pattern(bench->world[side], &bench->scene, &error) &&
                                         set_attractors(bench->world[side], &bench->scene, &error) &&
                                         set_places(bench->world[side], &bench->crowd, &error) &&
                                         (!scenery || set_scenery(bench->world[side], &bench->scene, &error))) ||
                                        problem_set(&problem, "%s", error.text));
    for (int frame = 0; frame < 3 && ok; frame++)
      ok = throng_world_step(bench->world[side], bench->scene.dt, &error) == THRONG_OK ||
           problem_set(&problem, "%s", error.text);
  }
  if (!ok) gbench_fail(state, problem.text);
  return ok;
}

static void close(behaviour_bench *bench) {
  throng_world_destroy(bench->world[0]);
  throng_world_destroy(bench->world[1]);
  crowd_release(&bench->crowd);
  scene_release(&bench->scene);
}

static double steer(behaviour_bench *bench, int side) {
  double begin = ceiling_clock();
  throng_error error;
  if (throng_world_steer(bench->world[side], bench->scene.dt, &error) != THRONG_OK)
    gbench_fail(bench->state, error.text);
  double seconds = ceiling_clock() - begin;
  if (seconds < bench->fastest[side]) bench->fastest[side] = seconds;
  return seconds;
}

void bench_behaviour(gbench_state *state, const void *context) {
  const bench_case *which = context;
  behaviour_bench bench;
  if (open(&bench, state, which)) {
    while (gbench_continue(state)) {
      steer(&bench, 0);
      gbench_set_seconds(state, steer(&bench, 1));
    }
    double nanoseconds = 1e9 * (bench.fastest[1] - bench.fastest[0]) / which->agents;
    gbench_set_items(state, which->agents);
    gbench_set_counter(state, "ns_per_agent", nanoseconds);
    gbench_set_counter(state, "ns_without", 1e9 * bench.fastest[0] / which->agents);
  }
  close(&bench);
}
