/* tests/support/model.h: a simple model of a world (ids, positions, velocities, scenery), and random public calls that
 * are applied to world and model and then compared.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_MODEL_H
#define TEST_MODEL_H

#include <throng/throng.h>

#include "base/error.h"
#include "support/random.h"

#define MODEL_AGENTS 160u
#define MODEL_GROUPS 4u
#define MODEL_BALLS 3u
#define MODEL_SIDE 16 /* metres: the box reaches from 0 to MODEL_SIDE; R is 1 m */
#define MODEL_CELLS 4 /* cells per side of the map, of 4 m each */
#define MODEL_GONE 8u
#define MODEL_WHY 400u

typedef struct model_agent {
  throng_agent_id id;
  uint8_t group;
  bool has_goal, has_moved; /* has_moved: by throng_agents_move, since the last sort */
  throng_vec3 position, velocity, goal;
} model_agent;

typedef struct model {
  throng_world *world;
  throng_world_def def;
  model_agent agent[MODEL_AGENTS]; /* by ascending id index */
  uint32_t count;
  throng_agent_id gone[MODEL_GONE]; /* ids of removed agents; {0, 0, 0} where there is none */
  uint32_t removals;
  bool indexed, removed;    /* removed: agents were removed since the last sort, so that views fail */
  uint32_t sorted, changed; /* agents at the last sort; how many were moved or removed since */
  uint64_t frame;
  throng_group_def group[MODEL_GROUPS];
  double origin[3]; /* sum of the origin shifts: a position plus `origin` is the position in unshifted coordinates */
  uint32_t balls;
  throng_vec3 ball[MODEL_BALLS]; /* centres, in unshifted coordinates */
  float radius;
  bool has_cells;
  uint8_t blocked[MODEL_CELLS * MODEL_CELLS]; /* from the origin of the unshifted coordinates */
  uint64_t print;                             /* fingerprint of the world before a call that may fail */
  char why[MODEL_WHY];
  uint32_t planted; /* see model_run */
} model;

/* Creates a world from numbers[0] and does one operation per further number. The number determines the operation and
 * all its random choices. Returns false at the first difference between world and model, and describes it in `why`.
 * `planted` adds a defect for tests of shrink(): an add and then two removals count as a difference. If the environment
 * has THRONG_TEST_TRACE, each operation is printed before it is done. */
bool model_run(const uint64_t *numbers, uint32_t count, bool planted, char why[MODEL_WHY]);
/* Returns the name of the operation that a number determines. */
const char *model_operation(uint64_t number);

/* model.c: the model. Functions that return bool return false after model_fail. */
bool model_fail(model *m, const char *format, ...) THRONG_PRINTF(2, 3);
#define EXPECT(condition, ...)                                                                                         \
  do {                                                                                                                 \
    if (!(condition)) return model_fail(m, __VA_ARGS__);                                                               \
  } while (0)
#define DO(call)                                                                                                       \
  do {                                                                                                                 \
    if (!(call)) return false;                                                                                         \
  } while (0)
bool model_is_spatial(const model *m);
/* Returns a random position inside the box, on a lattice of 1/16 m or slightly beside it, never on a face of the box or
 * a border of cells. */
throng_vec3 model_place(const model *m, test_rng *rng);
/* Returns a position's distance from the nearest obstacle or blocked cell in metres; below 0 inside one. */
double model_clearance(const model *m, throng_vec3 place);
model_agent *model_find(model *m, throng_agent_id id);
void model_insert(model *m, const model_agent *agent);
void model_remove(model *m, throng_agent_id id);
/* Notes a sort; one more agent that was moved or removed. */
void model_sort(model *m);
void model_change(model *m);
/* Call model_expect before and model_answers after a call of the library. They check its status, and that a call which
 * fails leaves the world unchanged. */
void model_expect(model *m, throng_status expected);
bool model_answers(model *m, throng_status got, throng_status expected, const throng_error *error, const char *call);
/* Checks that world and model agree, bit for bit on positions, velocities and goals. */
bool model_agrees(model *m);
/* After a frame: checks that each agent is in a legal position at a legal speed and copies both to the model. */
bool model_follows(model *m, float dt);

/* model_calls.c: the operations. */
typedef bool model_call(model *m, test_rng *rng);
model_call call_add, call_add_with_ids, call_remove, call_step, call_halves, call_write_positions, call_move,
    call_write_others, call_group, call_shift, call_reserve, call_index, call_scenery, call_cells, call_things,
    call_edit;
/* model_queries.c: the operations that do not change agents. */
model_call call_radius, call_nearest, call_batch, call_look;

#endif
