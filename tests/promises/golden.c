/* tests/promises/golden.c: small scenes with different rules and behaviours, whose hashes are in golden_hashes.h. Uses
 * only the public headers and calls no function of libm, so that it builds for any target and gives the same scene.
 * SPDX-License-Identifier: MIT */
#include "promises/golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define AGENTS 1200u
/* A boundary of a scene after those of throng_boundary: periodic along x, unbounded along y, a box along z. */
#define CORRIDOR 3u

typedef struct scene {
  const char *name;
  throng_space space;
  uint32_t boundary; /* a throng_boundary, or CORRIDOR */
  throng_separation_law law;
  throng_update update;
  float side;     /* metres */
  float offset;   /* each coordinate of the box's centre, in metres */
  uint32_t rules; /* the groups of the scene: bits of enum golden_rules */
  bool cells;
  uint32_t budget;
} scene;

static const scene scenes[] = {
    {"planar_box_flock", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 20, 10, FLOCK, false, 0},
    {"planar_periodic_flock", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_LINEAR,
     THRONG_UPDATE_EXPLICIT, 19.3f, 0, FLOCK, false, 0},
    {"planar_unbounded_mixed", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_UNBOUNDED, THRONG_SEPARATION_INVERSE_SQUARE,
     THRONG_UPDATE_BALLISTIC, 24, -300, FLOCK | WALKERS | WANDERERS, false, 0},
    {"planar_cells_walkers", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 32, 16, WALKERS | WANDERERS, true, 0},
    {"planar_clumps", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_LINEAR, THRONG_UPDATE_SEMI_IMPLICIT,
     40, 0, CROWDED | WALKERS, false, 0},
    {"spatial_box_flock", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 8, 4, FLOCK, false, 0},
    {"spatial_periodic_mixed", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE_SQUARE,
     THRONG_UPDATE_BALLISTIC, 7.7f, -3, FLOCK | WALKERS | WANDERERS, false, 0},
    {"spatial_unbounded_walkers", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_UNBOUNDED, THRONG_SEPARATION_LINEAR,
     THRONG_UPDATE_EXPLICIT, 10, 500, WALKERS | WANDERERS | CROWDED, false, 0},
    {"planar_budget", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 6, 3, FLOCK | WALKERS | CROWDED, false, 16},
    {"spatial_budget", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_UNBOUNDED, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 2, 0, FLOCK | WALKERS | CROWDED, false, 8},
    {"planar_flow_field", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 32, 16, COMMUTERS | WANDERERS, true, 0},
    {"planar_solid_cells", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 32, 16, WALKERS | LIGHT | HEAVY, true, 0},
    {"spatial_solid_periodic", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_BALLISTIC, 5, -2, FLOCK | LIGHT | HEAVY, false, 0},
    {"planar_paths", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_UNBOUNDED, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 30, 0, FOLLOWERS | WANDERERS, false, 0},
    {"spatial_periodic_paths", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_BALLISTIC, 12, 2, FOLLOWERS | WALKERS, false, 0},
    {"planar_turners", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_BALLISTIC, 20,
     -7, TURNERS | WALKERS | WANDERERS, false, 0},
    {"spatial_turners", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 8, 0, TURNERS | WANDERERS, false, 0},
    {"planar_scenery", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_SEMI_IMPLICIT,
     24, 100, STROLLERS | LIGHT | WANDERERS, false, 0},
    {"spatial_scenery", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_UNBOUNDED, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_BALLISTIC, 16, -8, STROLLERS | LIGHT, false, 0},
    {"planar_vehicles", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 24, 12, VEHICLES | WALKERS, false, 0},
    {"spatial_vehicles", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_LINEAR, THRONG_UPDATE_EXPLICIT, 9,
     0, VEHICLES, false, 0},
    {"planar_forms", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_SEMI_IMPLICIT,
     16, 3, QUEUERS | BOIDS | WALKERS, false, 0},
    {"spatial_forms", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE_SQUARE,
     THRONG_UPDATE_SEMI_IMPLICIT, 8, 0, QUEUERS | BOIDS, false, 8},
    {"planar_patterns", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 24, 5, PLAYERS | LIGHT | WANDERERS, false, 0},
    {"planar_kinematic", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 24, -12, SPRINTERS | WANDERERS, false, 0},
    {"spatial_kinematic", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_BALLISTIC, 9, 3, SPRINTERS | WALKERS, false, 0},
    {"planar_lurkers", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_SEMI_IMPLICIT,
     24, -12, LURKERS | WANDERERS, false, 0},
    {"spatial_lurkers", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_UNBOUNDED, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_EXPLICIT, 16, 64, LURKERS | WANDERERS, false, 0},
    {"planar_formation", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 40, 7, MARCHERS | WANDERERS, false, 0},
    {"spatial_periodic_formation", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_LINEAR,
     THRONG_UPDATE_BALLISTIC, 15, 0, MARCHERS | WALKERS, false, 0},
    {"planar_masses", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_LINEAR, THRONG_UPDATE_SEMI_IMPLICIT,
     18, 4, HAULERS | VEHICLES | WALKERS, false, 0},
    {"spatial_masses", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE_SQUARE,
     THRONG_UPDATE_BALLISTIC, 7, 0, HAULERS | WANDERERS, false, 0},
    {"planar_speeds", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_SEMI_IMPLICIT,
     24, -9, OWN_SPEEDS | COMMUTERS | LIGHT | LURKERS | QUEUERS | FOLLOWERS, true, 0},
    {"spatial_speeds", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_BALLISTIC, 15, 2, OWN_SPEEDS | SPRINTERS | WALKERS | LIGHT | MARCHERS, false, 0},
    {"planar_sliced", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 17, 3, SLICED | WANDERERS | LIGHT, false, 0},
    {"spatial_sliced", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_LINEAR, THRONG_UPDATE_BALLISTIC, 7,
     -2, SLICED | FLOCK | QUEUERS, false, 0},
    {"planar_hunters", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 24, 1, OWN_TARGETS | PLAYERS | WALKERS | WANDERERS | VEHICLES, false, 0},
    {"spatial_hunters", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_BALLISTIC,
     16, -40, OWN_TARGETS | LURKERS | SPRINTERS | WALKERS, false, 0},
    {"spatial_patterns", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_EXPLICIT, 10, -3, PLAYERS | LIGHT | WANDERERS, false, 0},
    {"spatial_upright", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 9, 5, UPRIGHT | TURNERS | VEHICLES | WALKERS | PLAYERS, false, 0},
    {"planar_corridor", THRONG_SPACE_PLANAR, CORRIDOR, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_SEMI_IMPLICIT, 26, 5,
     FOLLOWERS | WALKERS | WANDERERS | LIGHT, false, 0},
    {"spatial_corridor", THRONG_SPACE_SPATIAL, CORRIDOR, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_BALLISTIC, 9, -20,
     FOLLOWERS | FLOCK | CROWDED, false, 8},
    {"spatial_steered", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_BALLISTIC, 9, 0, STEERED | TURNERS | SPRINTERS | HAULERS | WALKERS, false, 0},
    {"planar_laws", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 20, 5, OWN_LAWS | FLOCK | WALKERS | WANDERERS | CROWDED, false, 0},
    {"spatial_laws", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_LINEAR, THRONG_UPDATE_EXPLICIT, 8, -3,
     OWN_LAWS | FLOCK | WALKERS | WANDERERS | QUEUERS, false, 8},
    {"planar_lateral", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_SEMI_IMPLICIT,
     20, 5, LATERAL | BOIDS | FLOCK | CROWDED, false, 0},
    {"spatial_lateral", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_LINEAR,
     THRONG_UPDATE_SEMI_IMPLICIT, 8, 0, LATERAL | OWN_LAWS | BOIDS | WALKERS | QUEUERS, false, 0},
    {"planar_together", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 20, 5, TOGETHER | TURNERS | HAULERS | SLICED, false, 8},
    {"spatial_together", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_BALLISTIC,
     8, 0, TOGETHER | STEERED | TURNERS | HAULERS | WALKERS, false, 0},
    {"planar_periodic_field", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 24, -6, COMMUTERS | WANDERERS, true, 0},
    {"planar_periodic_feelers", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 22, 40, STROLLERS | LURKERS, true, 0},
    {"planar_attractors", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 27, -7, DRAWN | WALKERS | WANDERERS, false, 0},
    {"spatial_attractors", THRONG_SPACE_SPATIAL, CORRIDOR, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_BALLISTIC, 9, 11,
     DRAWN | FLOCK | WANDERERS, false, 0},
    {"planar_paced_walkers", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 18, 7, PACED | WALKERS, false, 0},
    {"planar_paced", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_BALLISTIC, 18,
     -3, PACED | OWN_SPEEDS | WALKERS | QUEUERS | COMMUTERS | CROWDED, false, 0},
    {"spatial_paced", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_LINEAR,
     THRONG_UPDATE_SEMI_IMPLICIT, 8, 0, PACED | WALKERS | FLOCK, false, 8},
    {"spatial_ships", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 9, 0, SHIPS | UPRIGHT | STEERED | TURNERS | HAULERS | WALKERS, false, 0},
    {"planar_speed_zones", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 25, -7, ZONED | WALKERS | WANDERERS | SLICED | OWN_SPEEDS, false, 0},
    {"spatial_speed_zones", THRONG_SPACE_SPATIAL, CORRIDOR, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_BALLISTIC, 9, 11,
     ZONED | FLOCK | WANDERERS, false, 0},
    {"planar_reciprocal", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 21, -4, RECIPROCAL | FLOCK | WALKERS | WANDERERS | LIGHT | HAULERS, false, 0},
    {"planar_reciprocal_clumps", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_UNBOUNDED, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_BALLISTIC, 7, 2, RECIPROCAL | CROWDED | SLICED | VEHICLES | OWN_SPEEDS, false, 0},
    {"planar_reciprocal_budget", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 6, 3, RECIPROCAL | CROWDED | QUEUERS | HEAVY, false, 8},
    {"planar_reciprocal_cells", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 32, 16, RECIPROCAL | COMMUTERS | LIGHT | WALKERS, true, 0},
    {"planar_reciprocal_scenery", THRONG_SPACE_PLANAR, CORRIDOR, THRONG_SEPARATION_INVERSE, THRONG_UPDATE_EXPLICIT, 24,
     -30, RECIPROCAL | STROLLERS | LURKERS | HEAVY, false, 0},
    {"spatial_reciprocal", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 8, -4, RECIPROCAL | FLOCK | WALKERS | WANDERERS | LIGHT | HAULERS, false, 0},
    {"spatial_reciprocal_clumps", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_UNBOUNDED, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_BALLISTIC, 3, 2, RECIPROCAL | CROWDED | SLICED | VEHICLES | OWN_SPEEDS, false, 0},
    {"spatial_reciprocal_scenery", THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_BOX, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_EXPLICIT, 12, -8, RECIPROCAL | STROLLERS | LURKERS | HEAVY, false, 8},
    {"planar_budget_contact", THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, THRONG_SEPARATION_INVERSE,
     THRONG_UPDATE_SEMI_IMPLICIT, 6, 3, CROWDED | LIGHT | HEAVY, false, 1},
};

#define SCENES (sizeof scenes / sizeof scenes[0])

/* splitmix64 */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Returns a random multiple of 2^-24 in [0, 1): the same on every machine, because nothing rounds. */
static float unit(uint64_t *state) { return (float)(next_random(state) >> 40) * 0x1p-24f; }

void golden_check(throng_status status, const throng_error *error, const char *scene_name) {
  if (status == THRONG_OK) return;
  fprintf(stderr, "%s: %s: %s\n", scene_name, throng_status_name(status), error->text);
  exit(1);
}

/* Makes `agent` the target of the LURKERS' evade. The prediction of its motion stops at the first wall
 * (stop_at_walls). */
static void set_hunter(const scene *s, throng_world *world, throng_agent_id agent) {
  throng_group_def g;
  throng_error error;
  uint32_t number = 0;
  while (1u << number != LURKERS) number++;
  golden_check(throng_world_get_group(world, number, &g, &error), &error, s->name);
  throng_behaviour *evade = throng_group_def_find(&g, THRONG_BEHAVIOUR_EVADE);
  evade->evade.stop_at_walls = true;
  evade->target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = agent};
  golden_check(throng_world_set_group(world, number, &g, &error), &error, s->name);
}

/* Gives most agents another one as their own target, and every group of the scene behaviours toward it. */
static void set_prey(const scene *s, throng_world *world, const throng_agent_id *ids, uint64_t *random) {
  static throng_agent_id prey[AGENTS];
  throng_error error;
  for (uint32_t bit = 0; bit < KINDS; bit++) {
    throng_group_def g;
    if (!(s->rules & 1u << bit)) continue;
    golden_check(throng_world_get_group(world, bit, &g, &error), &error, s->name);
    for (uint32_t k = 0; k < g.behaviour_count; k++) g.behaviour[k].target.kind = THRONG_TARGET_OWN;
    if (g.facing != THRONG_FACING_STEERED) {
      golden_add(&g, THRONG_BEHAVIOUR_PURSUE, 0.5f)->target.kind = THRONG_TARGET_OWN;
      golden_add(&g, THRONG_BEHAVIOUR_INTERPOSE, 0.125f)->other.kind = THRONG_TARGET_OWN;
      golden_add(&g, THRONG_BEHAVIOUR_OFFSET_PURSUIT, 0.25f)->target.kind = THRONG_TARGET_OWN;
    }
    golden_check(throng_world_set_group(world, bit, &g, &error), &error, s->name);
  }
  for (uint32_t i = 0; i < AGENTS; i++) {
    const uint32_t other = (i + 1 + (uint32_t)(unit(random) * (AGENTS - 1))) % AGENTS;
    prey[i] = i % 7 == 0 ? (throng_agent_id){0, 0, 0} : ids[other];
  }
  golden_check(throng_agents_write(world, THRONG_COLUMN_TARGET, ids, AGENTS, prey, 0, &error), &error, s->name);
}

/* Sets the groups, writes their numbers to `kinds`, and returns how many they are. */
static uint32_t set_groups(const scene *s, throng_world *world, uint8_t kinds[KINDS]) {
  uint32_t kind_count = 0;
  throng_error error;
  for (uint8_t bit = 0; bit < KINDS; bit++) {
    if (!(s->rules & 1u << bit)) continue;
    const bool steered = s->rules & STEERED;
    throng_group_def g = golden_group(1 << bit, steered ? THRONG_SPACE_PLANAR : s->space);
    g.upright = s->rules & UPRIGHT || (steered && bit % 2);
    if (s->rules & TOGETHER) g.alignment.turns = g.facing == THRONG_FACING_STEERED;
    if (s->rules & LATERAL) g.separation.form = THRONG_SEPARATION_LATERAL;
    if (s->rules & OWN_LAWS) g.separation.law = (throng_separation_law)(bit % 4);
    if (s->rules & DRAWN) golden_add(&g, THRONG_BEHAVIOUR_ATTRACTORS, 0.5f)->attractors.nearest_only = bit % 2;
    if (s->rules & RECIPROCAL) golden_avoid(&g, bit);
    if (s->rules & PACED) golden_pace(&g, bit);
    if (s->rules & SHIPS && g.facing == THRONG_FACING_STEERED) {
      g.actuation = THRONG_ACTUATION_RIGID_BODY;
      g.moment_of_inertia = 60.0f;
      g.rigid_body.max_lift = 50.0f;
    }
    kinds[kind_count++] = bit;
    golden_check(throng_world_set_group(world, bit, &g, &error), &error, s->name);
  }
  return kind_count;
}

/* Sets the groups and adds agents at random positions of the whole box; every 50th has the position of the agent before
 * it. The goals are four points. */
static void populate(const scene *s, throng_world *world) {
  static throng_vec3 position[AGENTS], velocity[AGENTS], goal[AGENTS];
  static float mass[AGENTS], speed[AGENTS], period[AGENTS];
  static uint8_t group[AGENTS];
  uint64_t random = 20230517;
  uint8_t kinds[KINDS];
  throng_error error;
  const uint32_t kind_count = set_groups(s, world, kinds);
  const float low = s->offset - s->side * 0.5f;
  for (uint32_t i = 0; i < AGENTS; i++) {
    const float x = unit(&random), y = unit(&random), z = unit(&random);
    position[i] = (throng_vec3){low + x * s->side, low + y * s->side, low + z * s->side};
    if (i % 50 == 49) position[i] = position[i - 1];
    velocity[i] = (throng_vec3){unit(&random) - 0.5f, s->space == THRONG_SPACE_SPATIAL ? unit(&random) - 0.5f : 0.0f,
                                unit(&random) - 0.5f};
    const float away = s->side * (i % 2 == 0 ? 0.125f : 0.875f), across = s->side * (i % 3 == 0 ? 0.25f : 0.75f);
    goal[i] = (throng_vec3){low + away, low + across, low + across};
    group[i] = kinds[i % kind_count];
    while (!throng_world_is_free(world, position[i], 0)) {
      position[i].x = low + unit(&random) * s->side;
      if (s->rules & (STROLLERS | LURKERS)) position[i].y = low + unit(&random) * s->side;
    }
  }
  throng_agents_def def = throng_default_agents_def();
  def.position = (throng_span){position, 0};
  def.velocity = (throng_span){velocity, 0};
  def.goal = (throng_span){goal, 0};
  def.group = (throng_span){group, 0};
  for (uint32_t i = 0; i < AGENTS; i++) mass[i] = i % 5 == 0 ? NAN : 35.0f + unit(&random) * 200.0f;
  if (s->rules & HAULERS) def.mass = (throng_span){mass, 0};
  for (uint32_t i = 0; i < AGENTS; i++) speed[i] = i % 5 == 0 ? NAN : (i % 11 == 0 ? 0.0f : unit(&random) * 3.0f);
  if (s->rules & OWN_SPEEDS) def.max_speed = (throng_span){speed, 0};
  for (uint32_t i = 0; i < AGENTS; i++) period[i] = i % 7 == 0 ? NAN : (float)(1u << i % 4);
  if (s->rules & SLICED) def.steer_period = (throng_span){period, 0};
  static throng_agent_id ids[AGENTS];
  golden_check(throng_agents_add(world, &def, AGENTS, ids, &error), &error, s->name);
  if (s->rules & OWN_TARGETS)
    set_prey(s, world, ids, &random);
  else if (s->rules & LURKERS)
    set_hunter(s, world, ids[AGENTS / 2]);
}

/* Computes flow field 7 over the map, with two goals, and sets it. */
static void set_field(const scene *s, throng_world *world, const throng_cells_def *cells) {
  static float vectors[2 * 32 * 32];
  const float low = cells->origin.x;
  const throng_flow_goal goals[2] = {{{low + 0.1f * s->side, 0.0f, low + 0.9f * s->side}, 0.05f * s->side},
                                     {{low + 0.8f * s->side, 0.0f, low + 0.2f * s->side}, 0.0f}};
  throng_flow_field_def def = throng_default_flow_field_def();
  throng_error error;
  golden_check(throng_world_compute_flow_field(world, cells, goals, 2, vectors, NULL, NULL, &error), &error, s->name);
  def.width = def.height = 32;
  def.cell = cells->cell;
  def.origin.x = def.origin.z = low;
  def.vectors = vectors;
  golden_check(throng_world_set_flow_field(world, 7, &def, &error), &error, s->name);
}

/* Sets a map with pillars (every third cell of every third row) and a wall: most of row 17, open at both ends. */
static void set_cells(const scene *s, throng_world *world) {
  static uint8_t blocked[32 * 32];
  for (uint32_t j = 0; j < 32; j++)
    for (uint32_t i = 0; i < 32; i++) blocked[j * 32 + i] = (i % 3 == 1 && j % 3 == 1) || (j == 17 && i > 5 && i < 28);
  throng_cells_def def = throng_default_cells_def();
  def.width = def.height = 32;
  def.cell = s->side / 32.0f;
  def.origin.x = def.origin.z = s->offset - s->side * 0.5f;
  def.blocked = blocked;
  throng_error error;
  golden_check(throng_world_set_cells(world, &def, &error), &error, s->name);
  if (s->rules & COMMUTERS) set_field(s, world, &def);
}

/* Sets formation 3, a rectangle of 400 places around the second agent, and fills it with MARCHERS. */
static void set_formation(const scene *s, throng_world *world) {
  static throng_vec3 slots[400];
  throng_formation_def def = throng_default_formation_def();
  throng_group_def g = golden_group(MARCHERS, s->space);
  uint32_t group = 0;
  throng_error error;
  for (int k = 0; k < 400; k++)
    slots[k] = (throng_vec3){(float)(k % 20) * 0.75f - 7, (float)(k % 3) * 0.5f, (float)(k / 20) * -0.75f + 7};
  while (1u << group != MARCHERS) group++;
  def.places.data = slots;
  def.count = 400;
  golden_check(throng_world_set_formation(world, 3, &def, &error), &error, s->name);
  g.behaviour[0].target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = {2, 1, 0}};
  golden_check(throng_world_set_group(world, group, &g, &error), &error, s->name);
  golden_check(throng_world_fill_formation(world, group, NULL, &error), &error, s->name);
}

/* Sets a closed path that crosses itself and, in periodic worlds, the seam. */
static void set_path(const scene *s, throng_world *world) {
  static const signed char corners[][3] = {{-7, 0, -7}, {7, 3, 7}, {7, -2, -7}, {-7, 1, 7}, {-3, 7, 0}, {-6, 2, -3}};
  throng_vec3 point[6];
  throng_path_def def = throng_default_path_def();
  for (int k = 0; k < 6; k++)
    point[k] =
        (throng_vec3){s->offset + corners[k][0] * s->side * 0.0625f, s->offset + corners[k][1] * s->side * 0.0625f,
                      s->offset + corners[k][2] * s->side * 0.0625f};
  throng_error error;
  def.points.data = point;
  def.count = 6;
  def.closed = true;
  golden_check(throng_world_set_path(world, 0, &def, &error), &error, s->name);
}

static void set_pattern(const scene *s, throng_world *world) {
  static const throng_pattern_instruction instructions[] = {{0, 1, 0, 0.5f, 0, 0, 0, 0},
                                                            {1, 0.25f, 0.75f, 0, 0, 0, 0, 0},
                                                            {-0.5f, 0, 1.5f, 0.25f, 0, 0, 0, 0},
                                                            {0.25f, -0.5f, 0.0625f, 0, 0, 0, 0, 0}};
  throng_pattern_def def = throng_default_pattern_def();
  throng_error error;
  def.instructions = instructions;
  def.count = 4;
  golden_check(throng_world_set_pattern(world, 3, &def, &error), &error, s->name);
}

/* Sets the scenery. Planar: three circles, and walls with a corner and a gap. Spatial: three balls, three boxes, a
 * floor plane and a sloping plane. */
static void set_scenery(const scene *s, throng_world *world) {
  const float side = s->side, low = s->offset - side * 0.5f, middle = s->offset;
  const throng_vec3 centre[3] = {{low + 0.25f * side, middle, low + 0.25f * side},
                                 {low + 0.75f * side, middle, low + 0.375f * side},
                                 {low + 0.5f * side, low + 0.25f * side, low + 0.8125f * side}};
  const float radius[3] = {0.0625f * side, 0.03125f * side, 0.09375f * side};
  const throng_vec3 from[3] = {{low + 0.125f * side, low, middle},
                               {low + 0.4375f * side, low, middle},
                               {low + 0.625f * side, low, low + 0.5625f * side}};
  const throng_vec3 to[3] = {{low + 0.4375f * side, 0, middle},
                             {low + 0.4375f * side, 0, low + 0.625f * side},
                             {low + 0.9375f * side, 0, low + 0.5625f * side}};
  const throng_vec3 far[3] = {{from[0].x + 2, middle, from[0].z + 1},
                              {from[1].x + 1, middle, from[1].z + 2},
                              {from[2].x + 1, middle, from[2].z + 1}};
  const throng_vec3 point[2] = {{middle, low + 0.0625f * side, middle}, {low + 0.0625f * side, middle, middle}},
                    normal[2] = {{0, 1, 0}, {1, 0.5f, 0}};
  throng_scenery_def def = throng_default_scenery_def();
  throng_error error;
  def.obstacle_centre.data = centre;
  def.obstacle_radius.data = radius;
  def.obstacle_count = 3;
  if (s->space == THRONG_SPACE_PLANAR) {
    def.wall_from.data = from;
    def.wall_to.data = to;
    def.wall_count = 3;
  } else {
    def.box_min.data = from;
    def.box_max.data = far;
    def.box_count = 3;
    def.plane_point.data = point;
    def.plane_normal.data = normal;
    def.plane_count = 2;
  }
  golden_check(throng_world_set_scenery(world, &def, &error), &error, s->name);
}

size_t golden_scene_count(void) { return SCENES; }

const char *golden_scene_name(size_t number) { return scenes[number].name; }

throng_world *golden_scene_world(size_t number, throng_isa isa, uint32_t threads, const throng_job_system *jobs) {
  const scene *s = &scenes[number];
  throng_world_def def = throng_default_world_def();
  const float half = s->side * 0.5f;
  def.space = s->space;
  static const throng_boundary corridor[3] = {THRONG_BOUNDARY_PERIODIC, THRONG_BOUNDARY_UNBOUNDED, THRONG_BOUNDARY_BOX};
  for (int k = 0; k < 3; k++) def.boundary[k] = s->boundary == CORRIDOR ? corridor[k] : (throng_boundary)s->boundary;
  def.box_min = (throng_vec3){s->offset - half, s->offset - half, s->offset - half};
  def.box_max = (throng_vec3){s->offset + half, s->offset + half, s->offset + half};
  def.separation_law = s->law;
  def.update = s->update;
  def.neighbour_budget = s->budget;
  def.keep_previous_pose = number % 2; /* no bit depends on it */
  def.isa = isa;
  def.thread_count = threads;
  if (jobs != NULL) def.jobs = *jobs;
  throng_world *world = NULL;
  throng_error error;
  golden_check(throng_world_create(&def, &world, &error), &error, s->name);
  if (s->cells) set_cells(s, world);
  if (s->rules & FOLLOWERS) set_path(s, world);
  if (s->rules & PLAYERS) set_pattern(s, world);
  if (s->rules & (STROLLERS | LURKERS)) set_scenery(s, world);
  if (s->rules & DRAWN) golden_set_attractors(world, s->name);
  if (s->rules & ZONED) golden_set_zones(world, s->name);
  populate(s, world);
  if (s->rules & MARCHERS) set_formation(s, world);
  return world;
}
