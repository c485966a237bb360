/* tests/support/model.c
 * SPDX-License-Identifier: MIT */
#include "support/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/crowds.h"
#include "support/fingerprint.h"
#include "support/groups.h"

bool model_fail(model *m, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(m->why, sizeof m->why, format, arguments);
  va_end(arguments);
  return false;
}

bool model_is_spatial(const model *m) { return m->def.space == THRONG_SPACE_SPATIAL; }

static float lattice(test_rng *rng) {
  return (float)(rng_below(rng, MODEL_SIDE * 16 - 1) + 1) * 0.0625f + (rng_chance(rng, 0.1f) ? 0x1p-12f : 0.0f);
}

throng_vec3 model_place(const model *m, test_rng *rng) {
  float at[3];
  for (int c = 0; c < 3; c++) {
    at[c] = lattice(rng);
    if (fmodf(at[c], 4.0f) == 0.0f) at[c] += 0.03125f;
    at[c] -= (float)m->origin[c];
  }
  if (!model_is_spatial(m) && rng_chance(rng, 0.7f)) at[1] = 0.0f;
  return (throng_vec3){at[0], at[1], at[2]};
}

/* Returns the distance from p to the nearest blocked cell: the larger of its distances along x and along z. It is
 * negative inside a blocked cell, and INFINITY if there is none. */
static double cell_clearance(const model *m, const double p[3]) {
  double least = INFINITY;
  for (int k = 0; k < MODEL_CELLS * MODEL_CELLS && m->has_cells; k++) {
    const double size = (double)MODEL_SIDE / MODEL_CELLS, x = (k % MODEL_CELLS) * size, z = floor(k / 4.0) * size;
    if (!m->blocked[k]) continue;
    for (int image = 0; image < 9; image++) {
      const int at_x = image / 3 - 1, at_z = image % 3 - 1;
      if (at_x && m->def.boundary[0] != THRONG_BOUNDARY_PERIODIC) continue;
      if (at_z && m->def.boundary[2] != THRONG_BOUNDARY_PERIODIC) continue;
      const double i = x + at_x * (double)MODEL_SIDE, j = z + at_z * (double)MODEL_SIDE;
      least = fmin(least, fmax(fmax(i - p[0], p[0] - i - size), fmax(j - p[2], p[2] - j - size)));
    }
  }
  return least;
}

double model_clearance(const model *m, throng_vec3 place) {
  const double p[3] = {(double)place.x + m->origin[0], model_is_spatial(m) ? (double)place.y + m->origin[1] : 0.0,
                       (double)place.z + m->origin[2]};
  double least = cell_clearance(m, p);
  for (uint32_t k = 0; k < m->balls; k++) {
    const double ball[3] = {(double)m->ball[k].x, (double)m->ball[k].y, (double)m->ball[k].z};
    double sum = 0.0;
    for (int c = 0; c < 3; c++) {
      double d = c == 1 && !model_is_spatial(m) ? 0.0 : fabs(p[c] - ball[c]);
      if (m->def.boundary[c] == THRONG_BOUNDARY_PERIODIC && d > 0.5 * MODEL_SIDE) d = MODEL_SIDE - d;
      sum += d * d;
    }
    least = fmin(least, sqrt(sum) - (double)m->radius);
  }
  return least;
}

/* The list of live agents. */

model_agent *model_find(model *m, throng_agent_id id) {
  for (uint32_t k = 0; k < m->count; k++)
    if (memcmp(&m->agent[k].id, &id, sizeof id) == 0) return &m->agent[k];
  return NULL;
}

void model_insert(model *m, const model_agent *agent) {
  uint32_t at = m->count++;
  for (; at > 0 && m->agent[at - 1].id.index > agent->id.index; at--) m->agent[at] = m->agent[at - 1];
  m->agent[at] = *agent;
}

void model_remove(model *m, throng_agent_id id) {
  model_agent *agent = model_find(m, id);
  const size_t behind = (size_t)(m->agent + m->count - agent) - 1;
  memmove(agent, agent + 1, behind * sizeof *agent);
  m->count--;
  m->gone[m->removals++ % MODEL_GONE] = id;
}

void model_sort(model *m) {
  m->indexed = true;
  m->removed = false;
  m->sorted = m->count;
  m->changed = 0;
  for (uint32_t k = 0; k < m->count; k++) m->agent[k].has_moved = false;
}

void model_change(model *m) {
  const uint32_t most = m->sorted / 64 > 1 ? m->sorted / 64 : 1;
  if (++m->changed > most) m->indexed = false;
}

/* Comparisons. */

void model_expect(model *m, throng_status expected) {
  if (expected != THRONG_OK) m->print = fingerprint(m->world);
}

bool model_answers(model *m, throng_status got, throng_status expected, const throng_error *error, const char *call) {
  EXPECT(got == expected, "%s returned %s%s%s, expected %s", call, throng_status_name(got), got ? ": " : "",
         got ? error->text : "", throng_status_name(expected));
  EXPECT(got == THRONG_OK || fingerprint(m->world) == m->print, "%s failed and changed the world", call);
  return true;
}

static bool same_bits(const float *a, const float *b) { return memcmp(a, b, 3 * sizeof *a) == 0; }

/* Reads the world's agents to `now`, in ascending order of id index as in the model. */
static bool read_agents(model *m, model_agent now[MODEL_AGENTS]) {
  static throng_agent_id ids[MODEL_AGENTS];
  uint32_t count = 0;
  throng_error error = {0};
  const size_t stride = sizeof *now;
  EXPECT(throng_agents_get_ids(m->world, ids, MODEL_AGENTS, &count, &error) == THRONG_OK, "get_ids failed: %s",
         error.text);
  EXPECT(count == m->count, "get_ids gave %u agents, expected %u", count, m->count);
  for (uint32_t k = 0; k < count; k++) now[k].id = ids[k];
  const bool read =
      throng_agents_read(m->world, THRONG_COLUMN_POSITION, NULL, count, &now->position, stride, &error) == THRONG_OK &&
      throng_agents_read(m->world, THRONG_COLUMN_VELOCITY, NULL, count, &now->velocity, stride, &error) == THRONG_OK &&
      throng_agents_read(m->world, THRONG_COLUMN_GOAL, NULL, count, &now->goal, stride, &error) == THRONG_OK &&
      throng_agents_read(m->world, THRONG_COLUMN_GROUP, NULL, count, &now->group, stride, &error) == THRONG_OK;
  EXPECT(read, "reading a column failed: %s", error.text);
  for (uint32_t k = 0; k < count; k++) now[k].has_goal = !isnan(now[k].goal.x);
  return true;
}

static bool same_agent(model *m, const model_agent *is, const model_agent *was) {
  const uint32_t index = was->id.index;
  EXPECT(memcmp(&is->id, &was->id, sizeof is->id) == 0,
         "the list of ids has agent %u (generation %u) instead of agent %u", is->id.index, is->id.generation, index);
  EXPECT(is->group == was->group, "agent %u is in group %u, expected %u", index, is->group, was->group);
  EXPECT(is->has_goal == was->has_goal, "agent %u has %s goal, unlike the model", index, is->has_goal ? "a" : "no");
  EXPECT(!is->has_goal || same_bits(&is->goal.x, &was->goal.x), "the goal of agent %u differs", index);
  EXPECT(throng_agents_is_valid(m->world, was->id), "the id of agent %u is not valid", index);
  return true;
}

static bool same_whole(model *m) {
  throng_error error = {0};
  EXPECT(throng_world_check(m->world, &error), "throng_world_check failed: %s", error.text);
  EXPECT(throng_world_frame(m->world) == m->frame, "the frame number differs");
  EXPECT(throng_world_is_indexed(m->world) == m->indexed, "the world is%s indexed", m->indexed ? " not" : "");
  uint32_t members[MODEL_GROUPS] = {0};
  for (uint32_t k = 0; k < m->count; k++) members[m->agent[k].group]++;
  for (uint32_t g = 0; g < MODEL_GROUPS; g++)
    EXPECT(throng_world_group_agent_count(m->world, g) == members[g], "the number of agents of group %u differs", g);
  for (uint32_t k = 0; k < MODEL_GONE; k++)
    EXPECT(!throng_agents_is_valid(m->world, m->gone[k]), "the id of removed agent %u is still valid",
           m->gone[k].index);
  return true;
}

bool model_agrees(model *m) {
  static model_agent now[MODEL_AGENTS];
  DO(same_whole(m));
  DO(read_agents(m, now));
  for (uint32_t k = 0; k < m->count; k++) {
    const model_agent *is = &now[k], *was = &m->agent[k];
    DO(same_agent(m, is, was));
    EXPECT(same_bits(&is->position.x, &was->position.x), "agent %u is at (%g, %g, %g), expected (%g, %g, %g)",
           was->id.index, (double)is->position.x, (double)is->position.y, (double)is->position.z,
           (double)was->position.x, (double)was->position.y, (double)was->position.z);
    EXPECT(same_bits(&is->velocity.x, &was->velocity.x), "the velocity of agent %u differs", was->id.index);
  }
  return true;
}

/* Whether p is finite and inside the world's current box. */
static bool is_inside(const model *m, throng_vec3 p) {
  const throng_world_def def = throng_world_get_def(m->world);
  const float at[3] = {p.x, p.y, p.z}, low[3] = {def.box_min.x, def.box_min.y, def.box_min.z},
              high[3] = {def.box_max.x, def.box_max.y, def.box_max.z};
  for (int c = 0; c < 3; c++) {
    if (!isfinite(at[c])) return false;
    const throng_boundary boundary = m->def.boundary[c];
    if (boundary == THRONG_BOUNDARY_UNBOUNDED || (c == 1 && !model_is_spatial(m))) continue;
    if (at[c] < low[c] || at[c] > high[c] || (at[c] == high[c] && boundary == THRONG_BOUNDARY_PERIODIC)) return false;
  }
  return true;
}

static bool is_legal(model *m, const model_agent *is, const model_agent *was, float dt) {
  const throng_vec3 p = is->position, v = is->velocity, before = was->position;
  const double speed = sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
  const uint32_t index = was->id.index;
  EXPECT(is_inside(m, p), "agent %u moved out of the world, to (%g, %g, %g)", index, (double)p.x, (double)p.y,
         (double)p.z);
  EXPECT(model_clearance(m, p) > -1e-4, "agent %u moved %g m deep into an obstacle or blocked cell", index,
         -model_clearance(m, p));
  EXPECT(throng_world_is_free(m->world, p, 0), "agent %u moved to where throng_world_is_free is false", index);
  EXPECT(dt == 0.0f || speed <= (double)m->group[was->group].max_speed * 1.00001,
         "agent %u has a speed of %g m/s, above its limit", index, speed);
  EXPECT(model_is_spatial(m) || (p.y == before.y && v.y == 0.0f), "y of agent %u changed in a planar world", index);
  EXPECT(dt > 0.0f || same_bits(&p.x, &before.x), "agent %u moved although dt is 0", index);
  EXPECT(dt > 0.0f || same_bits(&v.x, &was->velocity.x), "the velocity of agent %u changed although dt is 0", index);
  return true;
}

bool model_follows(model *m, float dt) {
  static model_agent now[MODEL_AGENTS];
  m->frame++;
  model_sort(m);
  DO(same_whole(m));
  DO(read_agents(m, now));
  for (uint32_t k = 0; k < m->count; k++) {
    DO(same_agent(m, &now[k], &m->agent[k]));
    DO(is_legal(m, &now[k], &m->agent[k], dt));
    m->agent[k].position = now[k].position;
    m->agent[k].velocity = now[k].velocity;
  }
  return true;
}

/* Runs. */

static void define_groups(model *m) {
  for (uint32_t g = 0; g < MODEL_GROUPS; g++) m->group[g] = throng_default_group_def();
  m->group[0].contact = 1.0f;
  m->group[1].max_speed = 4.0f;
  group_want(&m->group[1], THRONG_BEHAVIOUR_ARRIVE, 1.0f);
  group_want(&m->group[1], THRONG_BEHAVIOUR_FOLLOW_PATH, 1.0f);
  group_want(&m->group[1], THRONG_BEHAVIOUR_FORMATION, 1.0f);
  m->group[2].avoidance.weight = 2.0f;
  m->group[2].contact = 0.5f;
  group_want(&m->group[2], THRONG_BEHAVIOUR_WANDER, 1.0f);
  group_want(&m->group[2], THRONG_BEHAVIOUR_AVOID_OBSTACLES, 1.0f);
  group_want(&m->group[2], THRONG_BEHAVIOUR_AVOID_WALLS, 1.0f);
  m->group[3].max_speed = 30.0f;
  m->group[3].max_acceleration = 500.0f;
  m->group[3].queue.width = 0.3f;
}

static bool begin(model *m, uint64_t number) {
  test_rng rng = rng_from(number);
  throng_error error = {0};
  m->def = throng_default_world_def();
  m->def.space = (throng_space)rng_below(&rng, 2);
  crowd_set_boundary(&m->def, rng_below(&rng, CROWD_BOUNDARIES));
  m->def.box_max = (throng_vec3){MODEL_SIDE, MODEL_SIDE, MODEL_SIDE};
  m->def.id_world = (uint16_t)rng_below(&rng, 3);
  m->def.capacity = rng_chance(&rng, 0.5f) ? rng_below(&rng, 100) : 0;
  m->def.neighbour_budget = rng_chance(&rng, 0.2f) ? 1 + rng_below(&rng, 8) : 0;
  m->def.update = (throng_update)rng_below(&rng, 3);
  m->def.thread_count = 1;
  model_sort(m);
  define_groups(m);
  EXPECT(throng_world_create(&m->def, &m->world, &error) == THRONG_OK, "create failed: %s", error.text);
  for (uint32_t g = 0; g < MODEL_GROUPS; g++)
    EXPECT(throng_world_set_group(m->world, g, &m->group[g], &error) == THRONG_OK, "set_group failed: %s", error.text);
  return true;
}

static const struct {
  const char *name;
  model_call *call;
  uint32_t share; /* frequency: share / sum of all shares */
} operations[] = {{"add", call_add, 6},
                  {"add_with_ids", call_add_with_ids, 3},
                  {"remove", call_remove, 6},
                  {"step", call_step, 8},
                  {"steer and integrate", call_halves, 3},
                  {"write positions", call_write_positions, 4},
                  {"move", call_move, 5},
                  {"write other columns", call_write_others, 4},
                  {"set a group", call_group, 3},
                  {"shift the origin", call_shift, 3},
                  {"reserve", call_reserve, 1},
                  {"index", call_index, 3},
                  {"set scenery", call_scenery, 2},
                  {"set cells", call_cells, 2},
                  {"set paths and the like", call_things, 2},
                  {"edit", call_edit, 3},
                  {"query radius", call_radius, 4},
                  {"query nearest", call_nearest, 4},
                  {"query in batches", call_batch, 2},
                  {"look", call_look, 3}};
#define OPERATIONS (sizeof operations / sizeof *operations)

static size_t operation_of(uint64_t number) {
  uint32_t shares = 0, at = 0;
  for (size_t k = 0; k < OPERATIONS; k++) shares += operations[k].share;
  uint32_t left = (uint32_t)(number >> 32) % shares;
  while (left >= operations[at].share) left -= operations[at++].share;
  return at;
}

const char *model_operation(uint64_t number) { return operations[operation_of(number)].name; }

/* The planted defect: fails at the second removal after an add. */
static bool plant(model *m, size_t operation) {
  if (operations[operation].call == call_add) m->planted |= 1;
  if (operations[operation].call == call_remove && m->planted > 0) m->planted += 2;
  EXPECT(m->planted < 5, "a removal was forgotten (planted)");
  return true;
}

bool model_run(const uint64_t *numbers, uint32_t count, bool planted, char why[MODEL_WHY]) {
  static model m;
  memset(&m, 0, sizeof m);
  const bool traced = getenv("THRONG_TEST_TRACE") != NULL;
  bool same = count == 0 || begin(&m, numbers[0]);
  for (uint32_t k = 1; k < count && same; k++) {
    const size_t operation = operation_of(numbers[k]);
    test_rng rng = rng_from(numbers[k]);
    if (traced) fprintf(stderr, "%u: %s\n", k, operations[operation].name);
    same = operations[operation].call(&m, &rng) && model_agrees(&m) && (!planted || plant(&m, operation));
  }
  throng_world_destroy(m.world);
  memcpy(why, m.why, MODEL_WHY);
  return same;
}
