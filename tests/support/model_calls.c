/* tests/support/model_calls.c: the model's operations that change a world. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "support/crowds.h"
#include "support/fingerprint.h"
#include "support/groups.h"
#include "support/model.h"

#define CROWD 30u /* maximum number of agents added in one call */
#define MOST 12u  /* maximum number of agents written or removed in one call */

static model_agent *random_agent(model *m, test_rng *rng) {
  return m->count == 0 ? NULL : &m->agent[rng_below(rng, m->count)];
}

/* Changes x or z of *place to a value that is not finite or outside the world. Returns the error that it causes. */
static throng_status bad_place(const model *m, test_rng *rng, throng_vec3 *place) {
  const int axis = rng_chance(rng, 0.5f) ? 0 : 2;
  float *const at = axis == 0 ? &place->x : &place->z;
  const float bad[] = {NAN, INFINITY, -INFINITY, 3e6f, -3e6f}, box[] = {-0.5f, MODEL_SIDE + 0.5f};
  const uint32_t which = rng_below(rng, m->def.boundary[axis] == THRONG_BOUNDARY_UNBOUNDED ? 5 : 7);
  *at = which < 5 ? bad[which] : box[which - 5] - (float)m->origin[axis];
  return which < 3 ? THRONG_ERROR_NOT_FINITE : THRONG_ERROR_OUT_OF_RANGE;
}

/* Adding. */

typedef struct newcomers {
  model_agent agent[CROWD];
  uint32_t count;
  throng_agents_def def;
  throng_status expected;
} newcomers;

/* Makes up to CROWD agents to add, in some cases one of them at a bad position, and the expected status. */
static void invite(model *m, test_rng *rng, newcomers *n) {
  memset(n, 0, sizeof *n);
  n->count = rng_below(rng, rng_chance(rng, 0.5f) ? CROWD + 1 : 4);
  if (m->count + n->count > MODEL_AGENTS) n->count = 0;
  const throng_vec3 common = model_place(m, rng);
  const bool heap = rng_chance(rng, 0.1f), goals = rng_chance(rng, 0.5f);
  for (uint32_t k = 0; k < n->count; k++) {
    model_agent *a = &n->agent[k];
    a->position = heap ? common : model_place(m, rng);
    a->velocity = (throng_vec3){rng_float(rng, -1, 1), model_is_spatial(m) ? rng_float(rng, -1, 1) : 0.0f, 0.5f};
    a->group = (uint8_t)rng_below(rng, MODEL_GROUPS);
    a->goal = rng_chance(rng, 0.5f) ? model_place(m, rng) : (throng_vec3){NAN, NAN, NAN};
    a->has_goal = goals && !isnan(a->goal.x);
    if (n->expected == THRONG_OK && model_clearance(m, a->position) < 0.0) n->expected = THRONG_ERROR_BLOCKED;
  }
  if (n->count > 0 && n->expected == THRONG_OK && rng_chance(rng, 0.15f))
    n->expected = bad_place(m, rng, &n->agent[rng_below(rng, n->count)].position);
  const size_t stride = sizeof *n->agent;
  n->def = throng_default_agents_def();
  n->def.position = (throng_span){&n->agent->position, stride};
  n->def.velocity = (throng_span){&n->agent->velocity, stride};
  n->def.group = (throng_span){&n->agent->group, stride};
  if (goals) n->def.goal = (throng_span){&n->agent->goal, stride};
}

static bool welcome(model *m, newcomers *n, const throng_agent_id *ids, throng_status got, const throng_error *error,
                    const char *call) {
  DO(model_answers(m, got, n->expected, error, call));
  for (uint32_t k = 0; k < n->count && got == THRONG_OK; k++) {
    n->agent[k].id = ids[k];
    EXPECT(ids[k].world == m->def.id_world && ids[k].index > 0 && ids[k].generation > 0, "%s gave an invalid id", call);
    EXPECT(model_find(m, ids[k]) == NULL, "%s gave id %u to a second agent", call, ids[k].index);
    model_insert(m, &n->agent[k]);
    m->indexed = false;
  }
  return true;
}

bool call_add(model *m, test_rng *rng) {
  newcomers n;
  throng_agent_id ids[CROWD + 1];
  throng_error error;
  invite(m, rng, &n);
  model_expect(m, n.expected);
  const throng_status got = throng_agents_add(m->world, &n.def, n.count, ids, &error);
  return welcome(m, &n, ids, got, &error, "add");
}

static bool index_in_use(const model *m, uint32_t index) {
  for (uint32_t k = 0; k < m->count; k++)
    if (m->agent[k].id.index == index) return true;
  return false;
}

bool call_add_with_ids(model *m, test_rng *rng) {
  newcomers n;
  throng_agent_id ids[CROWD + 1];
  throng_error error;
  invite(m, rng, &n);
  uint32_t index = 0;
  for (uint32_t k = 0; k < n.count; k++) {
    do index += 1 + rng_below(rng, 30);
    while (index_in_use(m, index));
    ids[k] = (throng_agent_id){index, (uint16_t)(60000 + rng_below(rng, 100)), m->def.id_world};
    for (uint32_t g = 0; g < MODEL_GONE; g++)
      if (memcmp(&m->gone[g], &ids[k], sizeof *ids) == 0) m->gone[g] = (throng_agent_id){0, 0, 0}; /* valid again */
  }
  if (n.count > 0 && n.expected == THRONG_OK && rng_chance(rng, 0.2f)) {
    const model_agent *other = random_agent(m, rng);
    throng_agent_id *bad = &ids[n.count - 1];
    const uint32_t how = rng_below(rng, 4);
    n.expected = how == 3 ? THRONG_ERROR_FOREIGN_ID : THRONG_ERROR_STALE_ID;
    if (how == 0) bad->generation = 0;
    if (how == 1) bad->index = 0;
    if (how == 2) bad->index = n.count > 1 ? ids[0].index : other != NULL ? other->id.index : 0;
    if (how == 3) bad->world++;
  }
  model_expect(m, n.expected);
  const throng_status got = throng_agents_add_with_ids(m->world, &n.def, n.count, ids, &error);
  return welcome(m, &n, ids, got, &error, "add_with_ids");
}

bool call_remove(model *m, test_rng *rng) {
  throng_agent_id ids[MOST + 1];
  throng_error error;
  throng_status expected = THRONG_OK;
  uint32_t count = 0, at = 0;
  for (const uint32_t wanted = rng_below(rng, MOST); count < wanted && at < m->count; at += 1 + rng_below(rng, 8))
    ids[count++] = m->agent[at].id;
  if (rng_chance(rng, 0.2f)) { /* one of them is wrong */
    const uint32_t how = rng_below(rng, 3);
    expected = THRONG_ERROR_STALE_ID;
    ids[count] = how == 0 && count > 0 ? ids[0] : m->gone[rng_below(rng, MODEL_GONE)];
    if (how == 2) ids[count] = (throng_agent_id){1, 1, (uint16_t)(m->def.id_world + 1)};
    if (how == 2) expected = THRONG_ERROR_FOREIGN_ID;
    count++;
  }
  model_expect(m, expected);
  DO(model_answers(m, throng_agents_remove(m->world, ids, count, &error), expected, &error, "remove"));
  for (uint32_t k = 0; k < count && expected == THRONG_OK; k++) {
    if (!model_find(m, ids[k])->has_moved) model_change(m);
    model_remove(m, ids[k]);
    m->removed = true;
  }
  return true;
}

/* Frames. */

static float random_dt(test_rng *rng) {
  static const float times[] = {0.0f, 1e-6f, 1.0f / 240, 1.0f / 60, 1.0f / 60, 0.1f, 0.1f, 1.0f};
  return rng_pick(rng, times, 8);
}

bool call_step(model *m, test_rng *rng) {
  throng_error error;
  const float dt = random_dt(rng);
  DO(model_answers(m, throng_world_step(m->world, dt, &error), THRONG_OK, &error, "step"));
  return model_follows(m, dt);
}

/* Steers, then integrates. In some cases it writes a group between them, after which integrate must fail. */
bool call_halves(model *m, test_rng *rng) {
  throng_error error;
  const float dt = random_dt(rng);
  DO(model_answers(m, throng_world_steer(m->world, dt, &error), THRONG_OK, &error, "steer"));
  model_sort(m);
  DO(model_agrees(m));
  if (rng_chance(rng, 0.3f)) {
    const model_agent *a = random_agent(m, rng);
    if (a == NULL) return true;
    DO(model_answers(m, throng_agents_write(m->world, THRONG_COLUMN_GROUP, &a->id, 1, &a->group, 0, &error), THRONG_OK,
                     &error, "write"));
    model_expect(m, THRONG_ERROR_NOT_STEERED);
    return model_answers(m, throng_world_integrate(m->world, dt, &error), THRONG_ERROR_NOT_STEERED, &error,
                         "integrate");
  }
  DO(model_answers(m, throng_world_integrate(m->world, dt, &error), THRONG_OK, &error, "integrate"));
  return model_follows(m, dt);
}

bool call_index(model *m, test_rng *rng) {
  throng_error error;
  (void)rng;
  DO(model_answers(m, throng_world_index(m->world, &error), THRONG_OK, &error, "index"));
  model_sort(m);
  return true;
}

/* Columns. */

bool call_write_positions(model *m, test_rng *rng) {
  throng_vec3 places[MOST];
  throng_agent_id ids[MOST];
  throng_error error;
  throng_status expected = THRONG_OK;
  uint32_t count = 0;
  for (uint32_t at = rng_below(rng, 4); at < m->count && count < MOST; at += 1 + rng_below(rng, 20)) {
    ids[count] = m->agent[at].id;
    places[count] = model_place(m, rng);
    if (model_clearance(m, places[count++]) < 0.0) expected = THRONG_ERROR_BLOCKED;
  }
  if (count > 0 && expected == THRONG_OK && rng_chance(rng, 0.15f))
    expected = bad_place(m, rng, &places[rng_below(rng, count)]);
  if (count > 0 && rng_chance(rng, 0.1f)) { /* a stale id is reported before a bad position */
    ids[count - 1] = m->gone[rng_below(rng, MODEL_GONE)];
    expected = THRONG_ERROR_STALE_ID;
  }
  model_expect(m, expected);
  const throng_status got = throng_agents_write(m->world, THRONG_COLUMN_POSITION, ids, count, places, 0, &error);
  DO(model_answers(m, got, expected, &error, "write positions"));
  for (uint32_t k = 0; k < count && got == THRONG_OK; k++) {
    model_find(m, ids[k])->position = places[k];
    m->indexed = false;
  }
  return true;
}

/* Moves a few agents, or in some cases all; one of them may be named twice, or have a bad position or velocity. */
bool call_move(model *m, test_rng *rng) {
  throng_vec3 places[MODEL_AGENTS], velocities[MODEL_AGENTS];
  throng_agent_id ids[MODEL_AGENTS];
  throng_error error;
  throng_status expected = THRONG_OK;
  const bool all = rng_chance(rng, 0.1f), turns = rng_chance(rng, 0.5f);
  const uint32_t wanted = m->count == 0 ? 0 : all ? m->count : rng_below(rng, 4);
  uint32_t blocked = UINT32_MAX;
  for (uint32_t k = 0; k < wanted; k++) {
    ids[k] = m->agent[all ? k : rng_below(rng, m->count)].id;
    places[k] = model_place(m, rng);
    velocities[k] = (throng_vec3){rng_float(rng, -1, 1), 0.0f, rng_float(rng, -1, 1)};
    if (blocked == UINT32_MAX && model_clearance(m, places[k]) < 0.0) blocked = k;
  }
  if (blocked != UINT32_MAX) expected = THRONG_ERROR_BLOCKED;
  if (wanted > 0 && expected == THRONG_OK && rng_chance(rng, 0.2f)) {
    blocked = rng_below(rng, wanted);
    if (turns && rng_chance(rng, 0.3f)) {
      velocities[blocked].z = NAN;
      expected = THRONG_ERROR_NOT_FINITE;
    } else {
      expected = bad_place(m, rng, &places[blocked]);
    }
  }
  model_expect(m, expected);
  const throng_status got =
      throng_agents_move(m->world, all ? NULL : ids, wanted, places, turns ? velocities : NULL, &error);
  DO(model_answers(m, got, expected, &error, "move"));
  if (got != THRONG_OK) {
    EXPECT(memcmp(&error.agent, &ids[blocked], sizeof *ids) == 0, "move named agent %u, expected %u", error.agent.index,
           ids[blocked].index);
    return true;
  }
  for (uint32_t k = 0; k < wanted; k++) {
    model_agent *a = model_find(m, ids[k]);
    a->position = places[k];
    if (turns) a->velocity = velocities[k];
    if (!a->has_moved) model_change(m);
    a->has_moved = true;
  }
  return true;
}

bool call_write_others(model *m, test_rng *rng) {
  model_agent *a = random_agent(m, rng);
  throng_error error;
  if (a == NULL) return true;
  const uint32_t which = rng_below(rng, 6);
  static const throng_column columns[] = {THRONG_COLUMN_VELOCITY,    THRONG_COLUMN_GOAL,
                                          THRONG_COLUMN_GROUP,       THRONG_COLUMN_MASS,
                                          THRONG_COLUMN_BODY_RADIUS, THRONG_COLUMN_PERCEPTION_RADIUS};
  const bool wrong = rng_chance(rng, 0.2f), takes_away = which == 1 && rng_chance(rng, 0.3f);
  const throng_vec3 fast = {rng_float(rng, -20, 20), 0.0f, wrong ? 1e19f : rng_float(rng, -20, 20)},
                    none = {NAN, NAN, NAN};
  throng_vec3 goal = takes_away ? none : model_place(m, rng);
  if (wrong) goal = (throng_vec3){1, 1, INFINITY};
  const uint8_t group = (uint8_t)(wrong ? 200 : rng_below(rng, MODEL_GROUPS));
  const float number = wrong ? -1.0f : rng_float(rng, 0.1f, 0.45f);
  const void *const values[] = {&fast, &goal, &group, &number, &number, &number};
  const throng_status refusals[] = {THRONG_ERROR_BAD_VALUE, THRONG_ERROR_NOT_FINITE, THRONG_ERROR_NO_GROUP,
                                    THRONG_ERROR_BAD_VALUE, THRONG_ERROR_BAD_VALUE,  THRONG_ERROR_BAD_VALUE};
  const throng_status expected = wrong ? refusals[which] : THRONG_OK;
  model_expect(m, expected);
  const throng_status got = throng_agents_write(m->world, columns[which], &a->id, 1, values[which], 0, &error);
  DO(model_answers(m, got, expected, &error, "write"));
  if (wrong) return true;
  if (which == 0) a->velocity = fast;
  if (which == 1) a->goal = goal, a->has_goal = !takes_away;
  if (which == 2) a->group = group;
  return true;
}

/* Writes positions through the edit view, which checks nothing. The next step must find a bad position and name the
 * first such agent. */
bool call_edit(model *m, test_rng *rng) {
  throng_edit edit;
  throng_error error;
  if (m->removed) {
    model_expect(m, THRONG_ERROR_NOT_INDEXED);
    return model_answers(m, throng_world_edit(m->world, &edit, &error), THRONG_ERROR_NOT_INDEXED, &error, "edit");
  }
  DO(model_answers(m, throng_world_edit(m->world, &edit, &error), THRONG_OK, &error, "edit"));
  m->indexed = false;
  EXPECT(edit.count == m->count, "the edit view has %u agents, expected %u", edit.count, m->count);
  throng_agent_id broken[2] = {{0, 0, 0}};
  const bool wrong = rng_chance(rng, 0.5f);
  for (uint32_t k = 0; k < 2 && edit.count > 0; k++) {
    const uint32_t slot = rng_below(rng, edit.count);
    uint32_t at = 0;
    while (at < m->count && m->agent[at].id.index != edit.id_index[slot]) at++;
    EXPECT(at < m->count, "the edit view has an unknown id index, %u", edit.id_index[slot]);
    throng_vec3 p = model_place(m, rng);
    broken[k] = m->agent[at].id;
    if (wrong) (void)bad_place(m, rng, &p);
    if (!wrong && model_clearance(m, p) < 0.0) continue;
    edit.position_x[slot] = p.x;
    edit.position_z[slot] = p.z;
    if (!wrong) m->agent[at].position.x = p.x, m->agent[at].position.z = p.z;
    if (!wrong && model_is_spatial(m)) edit.position_y[slot] = m->agent[at].position.y = p.y;
  }
  if (!wrong || edit.count == 0) return true;
  m->print = fingerprint(m->world);
  const uint32_t first = broken[0].index < broken[1].index ? broken[0].index : broken[1].index;
  const throng_status got = throng_world_step(m->world, 0.1f, &error);
  EXPECT(got == THRONG_ERROR_NOT_FINITE || got == THRONG_ERROR_OUT_OF_RANGE, "a step after bad positions returned %s",
         throng_status_name(got));
  EXPECT(error.agent.index == first, "the error of a step names agent %u, expected %u", error.agent.index, first);
  EXPECT(fingerprint(m->world) == m->print, "a step failed and changed the world");
  for (uint32_t k = 0; k < 2; k++) { /* write good positions again */
    const throng_vec3 *was = &model_find(m, broken[k])->position;
    DO(model_answers(m, throng_agents_write(m->world, THRONG_COLUMN_POSITION, &broken[k], 1, was, 0, &error), THRONG_OK,
                     &error, "write"));
  }
  return true;
}

/* Worlds. */

bool call_group(model *m, test_rng *rng) {
  const uint32_t g = rng_below(rng, MODEL_GROUPS);
  throng_group_def def = m->group[g], back;
  throng_error error;
  throng_status expected = THRONG_OK;
  def.max_speed = rng_float(rng, 0.5f, 8.0f);
  def.contact = rng_chance(rng, 0.5f) ? 1.0f : 0.0f;
  def.body_radius = rng_float(rng, 0.1f, 0.3f);
  def.steer_period = 1u << rng_below(rng, 4);
  throng_behaviour *b = &def.behaviour[0]; /* gets a random agent as its target */
  if (def.behaviour_count == 0) b = throng_group_def_add(&def, THRONG_BEHAVIOUR_SEEK);
  const model_agent *a = random_agent(m, rng);
  if (a != NULL) b->target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = a->id};
  if (rng_chance(rng, 0.1f)) {
    b->kind = THRONG_BEHAVIOUR_SEEK;
    b->seek.time_to_target = 0.0f;
    b->target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = m->gone[rng_below(rng, MODEL_GONE)]};
    expected = THRONG_ERROR_STALE_ID;
  } else if (rng_chance(rng, 0.1f)) {
    def.mass = -1.0f;
    expected = THRONG_ERROR_BAD_VALUE;
  }
  if (expected == THRONG_OK && b->target.kind == THRONG_TARGET_AGENT && a == NULL) b->target.kind = THRONG_TARGET_GOAL;
  model_expect(m, expected);
  DO(model_answers(m, throng_world_set_group(m->world, g, &def, &error), expected, &error, "set_group"));
  if (expected == THRONG_OK) m->group[g] = def;
  EXPECT(throng_world_get_group(m->world, g, &back, &error) == THRONG_OK, "get_group failed: %s", error.text);
  EXPECT(memcmp(&back, &m->group[g], sizeof back) == 0, "get_group gave another definition of group %u", g);
  return true;
}

static float moved(float p, float shift) { return p - shift; }

/* The world refuses a shift that is not exact for all positions (OUT_OF_RANGE). The model cannot predict that, so it
 * accepts the refusal. */
bool call_shift(model *m, test_rng *rng) {
  throng_error error;
  throng_vec3 shift = {0, 0, 0};
  const float by[3] = {0.25f * ((float)rng_below(rng, 65) - 32.0f), (float)rng_below(rng, 9) - 4.0f,
                       (float)rng_below(rng, 9) - 4.0f};
  const throng_vec3 wished = {by[0] + rng_float(rng, -0.12f, 0.12f), by[1] + rng_float(rng, -0.49f, 0.49f),
                              by[2] + rng_float(rng, -0.49f, 0.49f)};
  m->print = fingerprint(m->world);
  const throng_status got = throng_world_shift_origin(m->world, wished, &shift, &error);
  float kept[3]; /* the shift that the world allows */
  uint32_t fixed = 0;
  for (int c = 0; c < 3; c++) {
    const bool used = c != 1 || model_is_spatial(m), wraps = m->def.boundary[c] == THRONG_BOUNDARY_PERIODIC;
    kept[c] = used && !wraps ? by[c] : 0.0f;
    fixed += !used || wraps;
  }
  if (fixed == 3) return model_answers(m, got, THRONG_ERROR_UNSUPPORTED, &error, "shift_origin");
  model_sort(m);
  if (got == THRONG_ERROR_OUT_OF_RANGE) return model_answers(m, got, got, &error, "shift_origin");
  DO(model_answers(m, got, THRONG_OK, &error, "shift_origin"));
  EXPECT(shift.x == kept[0] && shift.y == kept[1] && shift.z == kept[2],
         "shift_origin reported another shift than the rounded one");
  for (uint32_t k = 0; k < m->count; k++) {
    throng_vec3 *p = &m->agent[k].position, *goal = &m->agent[k].goal;
    *p = (throng_vec3){moved(p->x, shift.x), moved(p->y, shift.y), moved(p->z, shift.z)};
    *goal = (throng_vec3){moved(goal->x, shift.x), moved(goal->y, shift.y), moved(goal->z, shift.z)};
  }
  m->origin[0] += (double)shift.x;
  m->origin[1] += (double)shift.y;
  m->origin[2] += (double)shift.z;
  return true;
}

bool call_reserve(model *m, test_rng *rng) {
  throng_error error;
  const bool wrong = rng_chance(rng, 0.2f);
  const uint32_t capacity = wrong ? 0x7fffffffu : rng_below(rng, 400);
  const throng_status expected = wrong ? THRONG_ERROR_CAPACITY : THRONG_OK;
  model_expect(m, expected);
  return model_answers(m, throng_agents_reserve(m->world, capacity, &error), expected, &error, "reserve");
}

/* Checks the status `got` of setting scenery or cells. It must be BLOCKED if an agent is more than 0.1 mm inside them,
 * and OK if every agent is more than 0.1 mm outside. Copies them to the model if they were set. */
static bool set_solid(model *m, const model *wanted, throng_status got, const throng_error *error, const char *call) {
  double least = INFINITY;
  for (uint32_t k = 0; k < m->count; k++) least = fmin(least, model_clearance(wanted, m->agent[k].position));
  const throng_status expected = least < -1e-4 ? THRONG_ERROR_BLOCKED : fabs(least) < 1e-4 ? got : THRONG_OK;
  DO(model_answers(m, got, expected, error, call));
  if (got == THRONG_OK) {
    m->balls = wanted->balls;
    m->radius = wanted->radius;
    m->has_cells = wanted->has_cells;
    memcpy(m->ball, wanted->ball, sizeof m->ball);
    memcpy(m->blocked, wanted->blocked, sizeof m->blocked);
  }
  return true;
}

bool call_scenery(model *m, test_rng *rng) {
  static model wanted;
  throng_error error;
  throng_vec3 centre[MODEL_BALLS];
  float radius[MODEL_BALLS];
  throng_scenery_def def = throng_default_scenery_def();
  wanted = *m;
  wanted.has_cells = false; /* no agent is in a blocked cell already */
  wanted.balls = rng_below(rng, MODEL_BALLS + 1);
  wanted.radius = rng_float(rng, 0.3f, 2.0f);
  for (uint32_t k = 0; k < wanted.balls; k++) {
    const throng_vec3 p = {(float)rng_below(rng, MODEL_SIDE), (float)rng_below(rng, MODEL_SIDE),
                           (float)rng_below(rng, MODEL_SIDE)};
    wanted.ball[k] = p;
    centre[k] = (throng_vec3){p.x - (float)m->origin[0], p.y - (float)m->origin[1], p.z - (float)m->origin[2]};
    radius[k] = wanted.radius;
  }
  def.obstacle_centre.data = centre;
  def.obstacle_radius.data = radius;
  def.obstacle_count = wanted.balls;
  m->print = fingerprint(m->world);
  const throng_status got = throng_world_set_scenery(m->world, wanted.balls > 0 ? &def : NULL, &error);
  if (wanted.balls == 0) {
    m->balls = 0;
    return model_answers(m, got, THRONG_OK, &error, "set_scenery");
  }
  const bool had_cells = m->has_cells;
  DO(set_solid(m, &wanted, got, &error, "set_scenery"));
  m->has_cells = had_cells;
  return true;
}

bool call_cells(model *m, test_rng *rng) {
  static model wanted;
  throng_error error;
  throng_cells_def def = throng_default_cells_def();
  wanted = *m;
  wanted.balls = 0;
  wanted.has_cells = true;
  for (int k = 0; k < MODEL_CELLS * MODEL_CELLS; k++) wanted.blocked[k] = rng_chance(rng, 0.1f);
  def.width = def.height = MODEL_CELLS;
  def.cell = (float)MODEL_SIDE / MODEL_CELLS;
  def.origin.x = -(float)m->origin[0];
  def.origin.z = -(float)m->origin[2];
  def.blocked = wanted.blocked;
  const bool clears = rng_chance(rng, 0.4f);
  m->print = fingerprint(m->world);
  const throng_status got = throng_world_set_cells(m->world, clears ? NULL : &def, &error);
  if (clears) {
    m->has_cells = false;
    return model_answers(m, got, THRONG_OK, &error, "set_cells");
  }
  if (model_is_spatial(m)) return model_answers(m, got, THRONG_ERROR_UNSUPPORTED, &error, "set_cells");
  const uint32_t balls = m->balls;
  const float radius = m->radius;
  DO(set_solid(m, &wanted, got, &error, "set_cells"));
  m->balls = balls;
  m->radius = radius;
  return true;
}

/* Sets or clears path 0, which group 1 follows, or formation 0, which it keeps; or sets pattern 63. */
bool call_things(model *m, test_rng *rng) {
  throng_error error;
  throng_vec3 points[4];
  throng_path_def path = throng_default_path_def();
  throng_formation_def formation = throng_default_formation_def();
  throng_pattern_def pattern = throng_default_pattern_def();
  const throng_pattern_instruction go = {.thrust = 1, .distance = 2};
  for (uint32_t k = 0; k < 4; k++) points[k] = model_place(m, rng);
  for (uint32_t k = 1; k < 4; k++) points[k].x = points[k - 1].x > 0.0f ? points[k].x : points[k].x + 0.0625f;
  const uint32_t which = rng_below(rng, 4);
  const bool clears = rng_chance(rng, 0.3f);
  if (which == 0) {
    path.points.data = points;
    path.count = 2;
    path.closed = rng_chance(rng, 0.5f);
    const bool same = memcmp(&points[0], &points[1], sizeof *points) == 0;
    if (same) return true;
    const throng_status got = throng_world_set_path(m->world, 0, clears ? NULL : &path, &error);
    if (got == THRONG_ERROR_BAD_VALUE && !model_is_spatial(m)) return true; /* two points that differ only in y */
    DO(model_answers(m, got, THRONG_OK, &error, "set_path"));
    EXPECT((throng_world_path_length(m->world, 0) > 0.0f) == !clears, "the path's length is %s",
           clears ? "not 0" : "0");
  } else if (which == 1) {
    for (uint32_t k = 0; k < 4; k++) points[k] = (throng_vec3){(float)k - 2.0f, 0, -1};
    formation.places.data = points;
    formation.count = 4;
    DO(model_answers(m, throng_world_set_formation(m->world, 0, clears ? NULL : &formation, &error), THRONG_OK, &error,
                     "set_formation"));
    const bool kept = group_wants(&m->group[1], THRONG_BEHAVIOUR_FORMATION);
    const throng_status expected = clears || !kept ? THRONG_ERROR_BAD_VALUE : THRONG_OK;
    throng_formation_fill fill;
    model_expect(m, expected);
    DO(model_answers(m, throng_world_fill_formation(m->world, 1, &fill, &error), expected, &error, "fill_formation"));
    EXPECT(expected != THRONG_OK || fill.placed <= 4, "fill_formation filled %u of 4 places", fill.placed);
  } else if (which == 2) {
    pattern.instructions = &go;
    pattern.count = 1;
    model_expect(m, THRONG_OK);
    DO(model_answers(m, throng_world_set_pattern(m->world, 63, &pattern, &error), THRONG_OK, &error, "set_pattern"));
  }
  return true;
}
