/* tests/support/crowd_patterns.c: random patterns, groups that play them, and the agents' current instructions.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/groups.h"

#include <math.h>

static void random_instruction(test_rng *rng, throng_pattern_instruction *i, float radius) {
  static const float shares[] = {-1.0f, -0.4f, 0.0f, 0.0f, 0.7f, 1.0f}, headings[] = {0.0f, 1e-3f, 0.3f, 1.5f, 7.0f},
                     distances[] = {0.0f, 0.01f, 0.2f, 2.0f};
  i->right = rng_pick(rng, shares, 6);
  i->thrust = rng_pick(rng, shares, 6);
  i->heading = rng_pick(rng, headings, 5);
  i->distance = radius * rng_pick(rng, distances, 4);
  i->cue = i->turn = i->step = i->wait = 0.0f;
  if (rng_chance(rng, 0.6f)) return;
  i->right = i->thrust = i->heading = i->distance = 0.0f;
  i->turn = rng_chance(rng, 0.3f) ? 0.0f : rng_float(rng, -3.14159f, 3.14159f);
  i->step = radius * rng_pick(rng, distances + 1, 3);
  if (rng_chance(rng, 0.3f)) i->step = -i->step;
  if (rng_chance(rng, 0.6f)) return;
  i->step = 0.0f;
  i->wait = rng_chance(rng, 0.3f) ? 0.0f : rng_float(rng, 0.0f, 0.2f);
}

bool crowd_plays(const crowd *c) {
  for (uint32_t g = 0; g < c->group_count; g++)
    if (group_wants(&c->groups[g], THRONG_BEHAVIOUR_FOLLOW_PATTERN)) return true;
  return false;
}

void crowd_random_patterns(crowd *c) {
  test_rng rng = rng_from(c->seed * 0x9e3779b97f4a7c15u + 77);
  for (uint32_t i = 0; i < c->count; i++)
    c->agents[i].pattern = c->agents[i].pattern_instruction = NAN, c->agents[i].pattern_time = 0.0f;
  for (uint32_t k = 0; k < CROWD_MAX_PATTERNS; k++) {
    crowd_pattern *p = &c->patterns[k];
    *p = (crowd_pattern){.count = rng_chance(&rng, 0.2f) ? 0 : 1 + rng_below(&rng, CROWD_INSTRUCTIONS),
                         .loop = rng_chance(&rng, 0.6f)};
    p->stands = !p->loop && rng_chance(&rng, 0.5f);
    for (uint32_t i = 0; i < p->count; i++) random_instruction(&rng, &p->instruction[i], c->def.perception_radius);
  }
  for (uint32_t g = 0; g < c->group_count; g++) {
    if (c->groups[g].behaviour_count == THRONG_MAX_BEHAVIOURS || rng_chance(&rng, 0.5f)) continue;
    throng_behaviour *b = throng_group_def_add(&c->groups[g], THRONG_BEHAVIOUR_FOLLOW_PATTERN);
    b->weight = rng_float(&rng, -1.0f, 2.0f);
    b->priority = rng_below(&rng, THRONG_PRIORITIES);
    b->follow_pattern.index = rng_below(&rng, CROWD_MAX_PATTERNS + 1); /* may not exist */
  }
  if (!crowd_plays(c)) return;
  const bool own = rng_chance(&rng, 0.5f);
  for (uint32_t i = 0; i < c->count; i++) {
    crowd_agent *a = &c->agents[i];
    if (own && rng_chance(&rng, 0.5f)) a->pattern = (float)rng_below(&rng, CROWD_MAX_PATTERNS + 1);
    if (rng_chance(&rng, 0.5f)) continue;
    a->pattern_instruction = (float)rng_below(&rng, CROWD_INSTRUCTIONS + 2);
    const float reach = c->def.perception_radius;
    a->pattern_time = rng_float(&rng, 0.0f, 0.2f);
    a->pattern_way =
        (throng_vec3){rng_float(&rng, -2.0f, 2.0f), rng_float(&rng, -reach, reach), rng_float(&rng, -reach, reach)};
  }
}

void crowd_set_patterns(const crowd *c, throng_world *world) {
  throng_error error;
  for (uint32_t k = 0; k < CROWD_MAX_PATTERNS; k++) {
    throng_pattern_def def = throng_default_pattern_def();
    def.instructions = c->patterns[k].instruction;
    def.count = c->patterns[k].count;
    def.loop = c->patterns[k].loop;
    def.stands = c->patterns[k].stands;
    require_ok(throng_world_set_pattern(world, k, def.count > 0 ? &def : NULL, &error), &error);
  }
}

throng_status crowd_write_instructions(const crowd *c, throng_world *world, throng_error *error) {
  const size_t stride = sizeof *c->agents;
  if (!crowd_plays(c)) return THRONG_OK;
  bool own = false;
  for (uint32_t i = 0; i < c->count; i++) own |= c->agents[i].pattern == c->agents[i].pattern;
  throng_status status = throng_agents_write(world, THRONG_COLUMN_PATTERN_INSTRUCTION, NULL, c->count,
                                             &c->agents->pattern_instruction, stride, error);
  if (status == THRONG_OK)
    status =
        throng_agents_write(world, THRONG_COLUMN_PATTERN_WAY, NULL, c->count, &c->agents->pattern_way, stride, error);
  if (status == THRONG_OK)
    status =
        throng_agents_write(world, THRONG_COLUMN_PATTERN_TIME, NULL, c->count, &c->agents->pattern_time, stride, error);
  if (status != THRONG_OK || !own) return status;
  return throng_agents_write(world, THRONG_COLUMN_PATTERN, NULL, c->count, &c->agents->pattern, stride, error);
}
