/* tests/support/model.h: a plain model of a world (what ids there are, where agents are, what stands in their way), and
 * random public calls that are made of both and compared.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_MODEL_H
#define TEST_MODEL_H

#include <throng/throng.h>

#include "base/error.h"
#include "support/random.h"

#define MODEL_AGENTS 160u
#define MODEL_GROUPS 4u
#define MODEL_BALLS 3u
#define MODEL_SIDE 16 /* metres: boxes reach from 0 to there, R is 1 m */
#define MODEL_CELLS 4 /* of 4 m a side */
#define MODEL_GONE 8u
#define MODEL_WHY 400u

typedef struct model_agent {
  throng_agent_id id;
  uint8_t group;
  bool has_goal;
  throng_vec3 position, velocity, goal;
} model_agent;

typedef struct model {
  throng_world *world;
  throng_world_def def;
  model_agent agent[MODEL_AGENTS]; /* by ascending id index */
  uint32_t count;
  throng_agent_id gone[MODEL_GONE]; /* ids whose agents were removed; null ones at first */
  uint32_t removals;
  bool indexed;
  uint64_t frame;
  throng_group_def group[MODEL_GROUPS];
  double origin[3]; /* a place plus this is where it was before all shifts; what follows is kept there */
  uint32_t balls;
  throng_vec3 ball[MODEL_BALLS];
  float radius;
  bool has_cells;
  uint8_t blocked[MODEL_CELLS * MODEL_CELLS];
  uint64_t print; /* of the world before a call that must fail */
  char why[MODEL_WHY];
  uint32_t planted; /* see model_run */
} model;

/* Makes a world by the first number and does one operation for each of the others: the number says which, and all
 * its choices. False where world and model part; `why` says how. `planted` adds a defect for tests of the search: an
 * add and, later, two removals are one removal too many. THRONG_TEST_TRACE in the environment prints each operation
 * before it is done. */
bool model_run(const uint64_t *numbers, uint32_t count, bool planted, char why[MODEL_WHY]);
/* What a number does. */
const char *model_operation(uint64_t number);

/* model.c: the model by itself. */
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
/* Places on a lattice of 1/16 m, never on a face or a border of cells. */
throng_vec3 model_place(const model *m, test_rng *rng);
/* How far a place is outside of all that stands there, in metres; below 0 inside. */
double model_clearance(const model *m, throng_vec3 place);
model_agent *model_find(model *m, throng_agent_id id);
void model_insert(model *m, const model_agent *agent);
void model_remove(model *m, throng_agent_id id);
/* Before and after a call: a failing one leaves the world as it was. */
void model_expect(model *m, throng_status expected);
bool model_answers(model *m, throng_status got, throng_status expected, const throng_error *error, const char *call);
/* World and model agree on everything; bit for bit on positions and velocities. */
bool model_agrees(model *m);
/* After a frame: what it may not do to anybody; then the model takes the new positions and velocities over. */
bool model_follows(model *m, float dt);

/* model_calls.c: the operations. */
typedef bool model_call(model *m, test_rng *rng);
model_call call_add, call_add_with_ids, call_remove, call_step, call_halves, call_write_positions, call_write_others,
    call_group, call_shift, call_reserve, call_index, call_scenery, call_cells, call_things, call_edit;
/* model_queries.c: those that ask. */
model_call call_radius, call_nearest, call_batch, call_look;

#endif
