/* tests/promises/golden_groups.c: the groups of the golden scenes. SPDX-License-Identifier: MIT */
#include "promises/golden.h"

throng_behaviour *golden_add(throng_group_def *g, throng_behaviour_kind kind, float weight) {
  throng_behaviour *behaviour = throng_group_def_add(g, kind);
  behaviour->weight = weight;
  return behaviour;
}

void golden_avoid(throng_group_def *g, uint32_t bit) {
  g->avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
  g->avoidance.weight = 1.0f;
  g->avoidance.horizon = 1.5f;
  g->avoidance.radius = bit % 3 ? 0.75f : 0.0f;
  g->avoidance.alike = bit % 2 ? 0.5f : 2.0f;
  g->avoidance.margin = bit % 4 ? 0.0f : 0.0625f;
  if (bit % 5 == 1) g->avoidance.mask = ~(1u << 3);
}

/* Returns the groups that use an object of the world: flow field, path, scenery, formation or pattern. */
static throng_group_def bound_group_of(int kind) {
  throng_group_def g = throng_default_group_def();
  switch (kind) {
  case COMMUTERS:
    g.cohesion.weight = 0.0f;
    g.avoidance.weight = 1.0f;
    golden_add(&g, THRONG_BEHAVIOUR_FOLLOW_FIELD, 1.0f)->follow_field.index = 7;
    g.layer = 4;
    break;
  case FOLLOWERS:
    g.cohesion.weight = g.alignment.weight = 0.0f;
    g.separation.strength = 0.1f;
    golden_add(&g, THRONG_BEHAVIOUR_FOLLOW_PATH, 2.0f)->follow_path.predict_time = 0.25f;
    break;
  case STROLLERS:
    g.cohesion.weight = g.alignment.weight = 0.0f;
    golden_add(&g, THRONG_BEHAVIOUR_SEEK, 0.5f);
    golden_add(&g, THRONG_BEHAVIOUR_AVOID_OBSTACLES, 1.0f);
    golden_add(&g, THRONG_BEHAVIOUR_AVOID_WALLS, 1.5f);
    break;
  case LURKERS:
    g.cohesion.weight = g.alignment.weight = 0.0f;
    golden_add(&g, THRONG_BEHAVIOUR_HUG_WALLS, 1.0f);
    golden_add(&g, THRONG_BEHAVIOUR_HIDE, 0.5f)->hide.reach = 8.0f;
    golden_add(&g, THRONG_BEHAVIOUR_EVADE, 0.25f)->evade.by_speed = true;
    golden_add(&g, THRONG_BEHAVIOUR_ARRIVE, 0.125f)->arrive.coast = true;
    break;
  case MARCHERS:
    g.cohesion.weight = g.alignment.weight = 0.0f;
    g.separation.strength = 0.1f;
    golden_add(&g, THRONG_BEHAVIOUR_FORMATION, 2.0f)->formation.index = 3;
    break;
  case PLAYERS:
    g.cohesion.weight = g.alignment.weight = 0.0f;
    golden_add(&g, THRONG_BEHAVIOUR_FOLLOW_PATTERN, 1.5f)->follow_pattern.index = 3;
    break;
  }
  return g;
}

/* Returns the groups with solid bodies, masses, limits of turns, vehicles or kinematic behaviours. */
static throng_group_def bodily_group_of(int kind, throng_space space) {
  throng_group_def g = throng_default_group_def();
  switch (kind) {
  case LIGHT: /* solid; lighter than HEAVY */
    g.cohesion.weight = g.alignment.weight = 0.0f;
    golden_add(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f);
    g.contact = 0.75f;
    g.mass = 60.0f;
    break;
  case HEAVY: /* solid; no separation */
    g.cohesion.weight = g.alignment.weight = g.separation.weight = 0.0f;
    golden_add(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
    g.body_radius = 0.35f;
    g.contact = 1.0f;
    g.mass = 250.0f;
    break;
  case HAULERS: /* solid; most agents have masses of their own, see populate() */
    g.cohesion.weight = 0.25f;
    g.contact = 1.0f;
    g.max_acceleration = 6.0f;
    g.mass = 70.0f;
    golden_add(&g, THRONG_BEHAVIOUR_SEEK, 0.75f)->seek.time_to_target = 0.25f;
    if (space == THRONG_SPACE_SPATIAL) break;
    g.facing = THRONG_FACING_STEERED;
    g.max_yaw_rate = 4.0f;
    golden_add(&g, THRONG_BEHAVIOUR_LOOK, 1.0f);
    break;
  case TURNERS:
    g.field_of_view = 4.0f;
    g.max_yaw_rate = 1.5f;
    g.angular_drag = 0.25f;
    if (space == THRONG_SPACE_SPATIAL) break;
    g.facing = THRONG_FACING_STEERED;
    golden_add(&g, THRONG_BEHAVIOUR_LOOK, 1.0f);
    golden_add(&g, THRONG_BEHAVIOUR_FACE, 0.5f)->face.slow_radius = 0.4f;
    golden_add(&g, THRONG_BEHAVIOUR_SEEK, 0.5f);
    golden_add(&g, THRONG_BEHAVIOUR_ALIGN, -0.25f)->align.offset = 2.0f;
    break;
  case VEHICLES:
    g.cohesion.weight = 0.25f;
    g.max_yaw_rate = 3.0f;
    g.actuation = THRONG_ACTUATION_VEHICLE;
    g.vehicle.turning_radius = 0.5f;
    golden_add(&g, THRONG_BEHAVIOUR_SEEK, 0.5f);
    golden_add(&g, THRONG_BEHAVIOUR_WANDER, 0.25f);
    break;
  case SPRINTERS:
    g.max_acceleration = 200.0f;
    g.max_yaw_rate = 6.0f;
    g.max_yaw_acceleration = 500.0f;
    golden_add(&g, THRONG_BEHAVIOUR_KINEMATIC_SEEK, 0.25f)->kinematic_seek.radius = 2.0f;
    golden_add(&g, THRONG_BEHAVIOUR_KINEMATIC_ARRIVE, 0.5f);
    golden_add(&g, THRONG_BEHAVIOUR_KINEMATIC_FLEE, 0.125f)->kinematic_flee.radius = 4.0f;
    if (space == THRONG_SPACE_SPATIAL) break;
    g.facing = THRONG_FACING_STEERED;
    golden_add(&g, THRONG_BEHAVIOUR_KINEMATIC_WANDER, 0.5f)->kinematic_wander.turn = 0.75f;
    break;
  }
  return g;
}

/* Returns the groups with less common forms of rules over neighbours. */
static throng_group_def forms_group_of(int kind) {
  throng_group_def g = throng_default_group_def();
  switch (kind) {
  case QUEUERS: /* seek their goals in queues; attracted to each other */
    g.alignment.weight = 0.0f;
    g.cohesion.form = THRONG_COHESION_ARRIVE;
    g.separation.nearest_only = true;
    g.attraction.weight = 0.25f;
    g.attraction.radius = 0.8f;
    g.avoidance.weight = 0.5f;
    g.avoidance.form = THRONG_AVOIDANCE_CONE_NEAREST;
    g.queue.width = 0.3f;
    golden_add(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
    break;
  case BOIDS: /* the rules of Bourg & Seemann, AI for Game Developers, ch. 4 */
    g.cohesion.form = THRONG_COHESION_LATERAL;
    g.cohesion.radius = 0.8f;
    g.alignment.form = THRONG_ALIGNMENT_LATERAL;
    g.alignment.radius = 0.6f;
    g.avoidance.weight = 0.5f;
    g.avoidance.form = THRONG_AVOIDANCE_CONE_MEAN;
    golden_add(&g, THRONG_BEHAVIOUR_WANDER, 0.5f)->wander.radius = 0.0f;
    break;
  }
  return g;
}

throng_group_def golden_group(int kind, throng_space space) {
  const int bound = COMMUTERS | FOLLOWERS | STROLLERS | LURKERS | MARCHERS | PLAYERS, forms = QUEUERS | BOIDS;
  if (kind & bound) return bound_group_of(kind);
  if (kind & forms) return forms_group_of(kind);
  if (kind >= COMMUTERS && kind != SLICED) return bodily_group_of(kind, space);
  throng_group_def g = throng_default_group_def();
  switch (kind) {
  case FLOCK:
    g.field_of_view = 4.71238898f;
    g.separation.radius = 0.6f;
    g.alignment.time_to_target = 0.5f;
    break;
  case WALKERS:
    g.cohesion.weight = g.alignment.weight = 0.0f;
    g.separation.strength = 0.2f;
    g.avoidance.weight = 2.0f;
    golden_add(&g, THRONG_BEHAVIOUR_SEEK, 0.75f)->seek.time_to_target = 0.4f;
    g.field_of_view = 3.0f;
    g.facing = THRONG_FACING_SMOOTH;
    g.layer = 3;
    break;
  case WANDERERS:
    g.separation.mask = g.cohesion.mask = ~(1u << 3);
    g.cohesion.form = THRONG_COHESION_SEEK; /* the other groups arrive */
    golden_add(&g, THRONG_BEHAVIOUR_ARRIVE, 0.25f);
    golden_add(&g, THRONG_BEHAVIOUR_WANDER, 1.5f);
    g.drag = 0.5f;
    g.max_speed = 2.0f;
    g.layer = 5;
    break;
  case SLICED: /* many agents have periods of their own, see populate() */
    g.avoidance.weight = 0.5f;
    g.cohesion.weight = 0.5f;
    g.field_of_view = 4.5f;
    g.layer = 1;
    g.steer_period = 4;
    golden_add(&g, THRONG_BEHAVIOUR_SEEK, 0.25f);
    break;
  default: /* CROWDED: forms dense clumps */
    g.separation.weight = 0.05f;
    g.cohesion.weight = 2.0f;
    g.alignment.weight = 0.0f;
    g.body_radius = 0.05f;
    g.avoidance.weight = 0.5f;
    golden_add(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
    g.drag = 0.2f;
    break;
  }
  return g;
}

void golden_pace(throng_group_def *g, uint8_t number) {
  g->pace.on = true;
  g->pace.radius = 0.9f;
  g->pace.time_to_target = 0.5f;
  g->pace.oncoming = 0.05f * (float)number;
  if (number % 2) return;
  g->pace.points = 3; /* another table than the other groups have */
  g->pace.mask = ~1u;
}
