/* tests/support/crowd_formations.c: random formations, and groups that keep them.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/groups.h"

#include <math.h>

/* Chooses the target of a formation: each agent's goal, the position of a random agent, or a random agent. */
static void random_leader(test_rng *rng, const crowd *c, throng_target *target) {
  target->kind = (throng_target_kind)rng_below(rng, c->count == 0 ? 1 : 3);
  if (c->count == 0) return;
  const crowd_agent *agent = &c->agents[rng_below(rng, c->count)];
  target->point = agent->position;
  target->agent = agent->id;
}

static void random_keeper(test_rng *rng, const crowd *c, throng_group_def *g) {
  static const float radii[] = {0.0f, 0.1f, 2.0f, 10.0f}, times[] = {0.02f, 0.1f, 1.0f};
  if (g->max_speed == INFINITY || g->behaviour_count == THRONG_MAX_BEHAVIOURS || rng_chance(rng, 0.5f)) return;
  throng_behaviour *b = throng_group_def_add(g, THRONG_BEHAVIOUR_FORMATION);
  b->weight = rng_float(rng, -1.0f, 2.0f);
  b->priority = rng_below(rng, THRONG_PRIORITIES);
  b->formation.index = rng_below(rng, CROWD_MAX_FORMATIONS + 1); /* may not exist */
  b->formation.slow_radius = c->def.perception_radius * rng_pick(rng, radii, 4);
  b->formation.target_radius = c->def.perception_radius * rng_pick(rng, radii, 4) * 0.2f;
  b->formation.time_to_target = rng_pick(rng, times, 3);
  random_leader(rng, c, &b->target);
}

static bool keeps(const crowd *c) {
  for (uint32_t g = 0; g < c->group_count; g++)
    if (group_wants(&c->groups[g], THRONG_BEHAVIOUR_FORMATION)) return true;
  return false;
}

void crowd_random_formations(crowd *c) {
  test_rng rng = rng_from(c->seed + 0xf0125u);
  const float reach = (crowd_wraps(&c->def) ? 1.9f : 3.0f) * c->def.perception_radius;
  for (uint32_t k = 0; k < CROWD_MAX_FORMATIONS; k++) {
    crowd_formation *formation = &c->formations[k];
    formation->count = rng_chance(&rng, 0.8f) ? 1 + rng_below(&rng, CROWD_PLACES) : 0;
    for (uint32_t s = 0; s < formation->count; s++)
      formation->place[s] =
          (throng_vec3){rng_float(&rng, -reach, reach), rng_float(&rng, -reach, reach), rng_float(&rng, -reach, reach)};
  }
  for (uint32_t g = 0; g < c->group_count; g++) random_keeper(&rng, c, &c->groups[g]);
  for (uint32_t i = 0; i < c->count; i++) { /* some places are beyond the formation's last */
    const bool placed = rng_chance(&rng, 0.8f);
    c->agents[i].formation_place = placed && keeps(c) ? (float)rng_below(&rng, CROWD_PLACES + 4) : NAN;
  }
}

void crowd_set_formations(const crowd *c, throng_world *world) {
  throng_error error;
  for (uint32_t k = 0; k < CROWD_MAX_FORMATIONS; k++) {
    throng_formation_def def = throng_default_formation_def();
    def.places.data = c->formations[k].place;
    def.count = c->formations[k].count;
    require_ok(throng_world_set_formation(world, k, def.count > 0 ? &def : NULL, &error), &error);
  }
}

throng_status crowd_write_places(const crowd *c, throng_world *world, throng_error *error) {
  if (!keeps(c)) return THRONG_OK;
  return throng_agents_write(world, THRONG_COLUMN_FORMATION_PLACE, NULL, c->count, &c->agents->formation_place,
                             sizeof *c->agents, error);
}
