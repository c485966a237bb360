/* test_busy.c: makes calls that change a world while another call on it runs: from callbacks, hooks and other threads.
 * Each must return THRONG_ERROR_BUSY and change nothing. tests/check_arguments.sh finds calls that are missing here.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"
#include "support/stand.h"

#include <throng/passes.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 1500u /* enough for several strips and threads */

/* A world, and the arguments of the calls. */
typedef struct scene {
  throng_world *world;
  throng_recorder *recorder;
  throng_replay replay;
  throng_agent_id *ids; /* [COUNT] */
  void *bytes;          /* a snapshot */
  size_t size;
  bool record_hook_calls;
  _Atomic uint32_t tried, let_in; /* the numbers of all calls, and of those that did not return BUSY */
  _Atomic uint32_t asserted;
  _Atomic bool on; /* whether hooks and callbacks make calls */
} scene;

static throng_group_def callback_group(void) {
  throng_group_def g = throng_default_group_def();
  group_want(&g, THRONG_BEHAVIOUR_CALLBACK, 1.0f);
  return g;
}

/* Every call that changes a world. */

typedef throng_status change(scene *s, throng_error *error);
static const throng_vec3 spot = {3.0f, 0.0f, 3.0f};

static throng_status add(scene *s, throng_error *error) {
  throng_agents_def def = throng_default_agents_def();
  def.position.data = &spot;
  return throng_agents_add(s->world, &def, 1, NULL, error);
}
static throng_status add_with_ids(scene *s, throng_error *error) {
  throng_agents_def def = throng_default_agents_def();
  const throng_agent_id id = {COUNT + 100, 1, 0};
  def.position.data = &spot;
  return throng_agents_add_with_ids(s->world, &def, 1, &id, error);
}
static throng_status take_away(scene *s, throng_error *error) {
  return throng_agents_remove(s->world, &s->ids[7], 1, error);
}
static throng_status reserve(scene *s, throng_error *error) {
  return throng_agents_reserve(s->world, 4 * COUNT, error);
}
static throng_status write_position(scene *s, throng_error *error) {
  return throng_agents_write(s->world, THRONG_COLUMN_POSITION, &s->ids[5], 1, &spot, 0, error);
}
static throng_status move(scene *s, throng_error *error) {
  return throng_agents_move(s->world, &s->ids[5], 1, &spot, NULL, error);
}
static throng_status write_goal(scene *s, throng_error *error) {
  return throng_agents_write(s->world, THRONG_COLUMN_GOAL, &s->ids[5], 1, &spot, 0, error);
}
static throng_status edit(scene *s, throng_error *error) {
  throng_edit columns;
  return throng_world_edit(s->world, &columns, error);
}
static throng_status edit_accelerations(scene *s, throng_error *error) {
  throng_edit columns;
  return throng_world_edit_accelerations(s->world, &columns, error);
}
static throng_status step(scene *s, throng_error *error) { return throng_world_step(s->world, 0.02f, error); }
static throng_status steer(scene *s, throng_error *error) { return throng_world_steer(s->world, 0.02f, error); }
static throng_status integrate(scene *s, throng_error *error) { return throng_world_integrate(s->world, 0.02f, error); }
static throng_status make_index(scene *s, throng_error *error) { return throng_world_index(s->world, error); }
static throng_status shift(scene *s, throng_error *error) {
  return throng_world_shift_origin(s->world, (throng_vec3){8.0f, 0.0f, 8.0f}, NULL, error);
}
static throng_status set_group(scene *s, throng_error *error) {
  const throng_group_def g = throng_default_group_def();
  return throng_world_set_group(s->world, 0, &g, error);
}
static throng_status set_callback(scene *s, throng_error *error) {
  return throng_world_set_callback(s->world, 0, NULL, NULL, error);
}
static throng_status set_cells(scene *s, throng_error *error) { return throng_world_set_cells(s->world, NULL, error); }
static throng_status set_scenery(scene *s, throng_error *error) {
  stand stones = {0};
  add_ball(&stones, -50.0f, 0.0f, -50.0f, 1.0f);
  const throng_scenery_def def = stand_def(&stones);
  return throng_world_set_scenery(s->world, &def, error);
}
static throng_status set_flow_field(scene *s, throng_error *error) {
  return throng_world_set_flow_field(s->world, 0, NULL, error);
}
static throng_status set_path(scene *s, throng_error *error) {
  const throng_vec3 points[2] = {{0, 0, 0}, {9, 0, 9}};
  throng_path_def def = throng_default_path_def();
  def.points.data = points;
  def.count = 2;
  return throng_world_set_path(s->world, 0, &def, error);
}
static throng_status set_pattern(scene *s, throng_error *error) {
  return throng_world_set_pattern(s->world, 0, NULL, error);
}
static throng_status set_formation(scene *s, throng_error *error) {
  return throng_world_set_formation(s->world, 0, NULL, error);
}
static throng_status set_speed_zones(scene *s, throng_error *error) {
  return throng_world_set_speed_zones(s->world, NULL, error);
}
static throng_status set_attractors(scene *s, throng_error *error) {
  return throng_world_set_attractors(s->world, NULL, error);
}
static throng_status fill_formation(scene *s, throng_error *error) {
  return throng_world_fill_formation(s->world, 0, NULL, error);
}
static throng_status watch(scene *s, throng_error *error) { return throng_world_watch(s->world, s->ids[2], error); }
static throng_status reset_profile(scene *s, throng_error *error) {
  return throng_world_reset_profile(s->world, error);
}
static throng_status compute_fields(scene *s, throng_error *error) {
  return throng_world_compute_flow_fields(s->world, NULL, 0, NULL, error);
}
static throng_status radius_batch(scene *s, throng_error *error) {
  uint32_t count = 0;
  return throng_world_query_radius_batch(s->world, &spot, 1, 1.0f, THRONG_ALL_LAYERS, NULL, 0, &count, error);
}
static throng_status nearest_batch(scene *s, throng_error *error) {
  uint32_t count = 0;
  throng_neighbour found;
  return throng_world_query_nearest_batch(s->world, &spot, 1, 1, THRONG_ALL_LAYERS, &found, &count, error);
}
static throng_status load(scene *s, throng_error *error) {
  return throng_world_load_snapshot(s->world, s->bytes, s->size, error);
}
static bool keep_nothing(const void *bytes, size_t size, void *context) {
  (void)bytes, (void)size, (void)context;
  return true;
}
static throng_status create_recorder(scene *s, throng_error *error) {
  const throng_record_hook hook = {keep_nothing, NULL};
  throng_recorder *recorder = NULL;
  const throng_status status = throng_recorder_create(s->world, &hook, THRONG_RECORD_FRAMES, &recorder, error);
  if (status == THRONG_OK) throng_recorder_destroy(recorder);
  return status;
}
static throng_status step_recorder(scene *s, throng_error *error) {
  return throng_recorder_step(s->recorder, 0.02f, error);
}
static throng_status begin_replay(scene *s, throng_error *error) {
  return throng_replay_begin(&s->replay, s->world, s->bytes, s->size, error);
}
static throng_status step_replay(scene *s, throng_error *error) {
  return throng_replay_step(&s->replay, s->world, NULL, error);
}

static throng_status exchange_nothing(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                                      void *context) {
  (void)world, (void)agents, (void)error, (void)context;
  return THRONG_OK;
}
static throng_status set_piece(scene *s, throng_error *error) {
  throng_piece_def def = throng_default_piece_def();
  def.exchange = exchange_nothing;
  return throng_piece_set(s->world, &def, error);
}
static throng_status set_live_groups(scene *s, throng_error *error) {
  return throng_piece_set_live_groups(s->world, NULL, error);
}
static throng_status set_outer_box(scene *s, throng_error *error) {
  return throng_piece_set_outer_box(s->world, spot, spot, error);
}
static throng_status set_inner_box(scene *s, throng_error *error) {
  return throng_piece_set_inner_box(s->world, spot, spot, error);
}
static throng_status set_rim(scene *s, throng_error *error) { return throng_piece_set_rim(s->world, 1.0f, error); }
static throng_status set_frame(scene *s, throng_error *error) { return throng_piece_set_frame(s->world, 9, error); }
static throng_status need_columns(scene *s, throng_error *error) {
  return throng_piece_need_columns(s->world, 1, error);
}
static throng_status take(scene *s, throng_error *error) {
  return throng_piece_take(s->world, 0, NULL, 0, true, error);
}
static throng_status drop_ghosts(scene *s, throng_error *error) { return throng_piece_drop_ghosts(s->world, error); }

#define CHANGES (sizeof changes / sizeof changes[0])
static const struct {
  const char *name;
  change *make;
} changes[] = {
    {"add", add},
    {"add_with_ids", add_with_ids},
    {"remove", take_away},
    {"reserve", reserve},
    {"write a position", write_position},
    {"move", move},
    {"write a goal", write_goal},
    {"edit", edit},
    {"edit_accelerations", edit_accelerations},
    {"step", step},
    {"steer", steer},
    {"integrate", integrate},
    {"index", make_index},
    {"shift_origin", shift},
    {"set_group", set_group},
    {"set_callback", set_callback},
    {"set_cells", set_cells},
    {"set_scenery", set_scenery},
    {"set_flow_field", set_flow_field},
    {"set_path", set_path},
    {"set_pattern", set_pattern},
    {"set_formation", set_formation},
    {"set_attractors", set_attractors},
    {"set_speed_zones", set_speed_zones},
    {"fill_formation", fill_formation},
    {"watch", watch},
    {"reset_profile", reset_profile},
    {"compute_flow_fields", compute_fields},
    {"query_radius_batch", radius_batch},
    {"query_nearest_batch", nearest_batch},
    {"load_snapshot", load},
    {"recorder_create", create_recorder},
    {"recorder_step", step_recorder},
    {"replay_begin", begin_replay},
    {"replay_step", step_replay},
    {"piece_set", set_piece},
    {"piece_set_inner_box", set_inner_box},
    {"piece_set_rim", set_rim},
    {"piece_set_outer_box", set_outer_box},
    {"piece_set_live_groups", set_live_groups},
    {"piece_set_frame", set_frame},
    {"piece_need_columns", need_columns},
    {"piece_take", take},
    {"piece_drop_ghosts", drop_ghosts},
};

/* Makes every call, and counts those that do not return BUSY. */
static void try_all(scene *s) {
  if (!atomic_exchange(&s->on, false))
    return; /* a call that does not return BUSY may call hooks, which come here
                                                  again */
  for (size_t k = 0; k < CHANGES; k++) {
    throng_error error = {.status = THRONG_OK};
    const throng_status status = changes[k].make(s, &error);
    atomic_fetch_add(&s->tried, 1);
    if (status == THRONG_ERROR_BUSY && error.status == status && strstr(error.text, "busy")) continue;
    print_error("%s: %s\n", changes[k].name, throng_status_name(status));
    atomic_fetch_add(&s->let_in, 1);
  }
  atomic_store(&s->on, true);
}

/* Makes calls that only read the world. They are allowed at any time and must succeed. */
static void look_on(const scene *s) {
  throng_error error;
  throng_neighbour found;
  throng_vec3 p;
  throng_group_def g;
  throng_view view;
  uint32_t count = 0;
  require_ok(throng_world_query_nearest(s->world, spot, 1, THRONG_ALL_LAYERS, &found, &count, &error), &error);
  require_ok(throng_agents_read(s->world, THRONG_COLUMN_POSITION, &s->ids[3], 1, &p, 0, &error), &error);
  require_ok(throng_world_get_group(s->world, 0, &g, &error), &error);
  require_ok(throng_world_view(s->world, &view, &error), &error);
  assert_true(count == 1 && view.count == COUNT && throng_agents_count(s->world) == COUNT);
  assert_true(throng_agents_is_valid(s->world, s->ids[9]) && throng_world_is_indexed(s->world));
}

static void callback(const throng_block *block, void *context) {
  scene *s = context;
  try_all(s);
  if (atomic_load(&s->on)) look_on(s);
  for (uint32_t k = 0; k < block->count; k++) block->acceleration_x[k] = 0.5f;
}

static void failed(const char *condition, const char *file, int line, void *context) {
  (void)condition, (void)file, (void)line;
  atomic_fetch_add(&((scene *)context)->asserted, 1);
}

static bool record(const void *bytes, size_t size, void *context) {
  scene *s = context;
  (void)bytes, (void)size;
  if (s->record_hook_calls) try_all(s);
  return true;
}

/* Creates a world, a recorder and a snapshot. `def` may have hooks whose context is the scene. */
static void open_scene(scene *s, throng_world_def def) {
  throng_error error;
  *s = (scene){.ids = calloc(COUNT, sizeof *s->ids)};
  def.profile = true;
  def.assertion = (throng_assert_hook){failed, s};
  require_ok(throng_world_create(&def, &s->world, &error), &error);
  const throng_group_def g = callback_group();
  require_ok(throng_world_set_group(s->world, 0, &g, &error), &error);
  require_ok(throng_world_set_callback(s->world, 0, callback, s, &error), &error);
  throng_vec3 *p = calloc(COUNT, sizeof *p);
  assert_true(p && s->ids);
  for (uint32_t k = 0; k < COUNT; k++) p[k] = (throng_vec3){(float)(k % 40), 0.0f, (float)(k / 40)};
  stage_add(s->world, COUNT, p, NULL, NULL, s->ids);
  free(p);
  require_ok(throng_world_index(s->world, &error), &error);
  require_ok(throng_world_save_snapshot(s->world, NULL, 0, &s->size, &error), &error);
  s->bytes = malloc(s->size);
  require_ok(throng_world_save_snapshot(s->world, s->bytes, s->size, &s->size, &error), &error);
  const throng_record_hook hook = {record, s};
  require_ok(throng_recorder_create(s->world, &hook, THRONG_RECORD_FRAMES, &s->recorder, &error), &error);
}

static void close_scene(scene *s) {
  atomic_store(&s->on, false);
  throng_recorder_destroy(s->recorder);
  throng_world_destroy(s->world);
  free(s->bytes);
  free(s->ids);
}

/* Checks that a hook, a callback or a thread made the calls, and that all of them returned BUSY. */
static void require_refused(const scene *s, const char *when) {
  if (s->tried == 0 || s->let_in > 0) print_error("%s: %u calls, %u let in\n", when, s->tried, s->let_in);
  assert_true(s->tried >= CHANGES && s->let_in == 0);
  require_sound(s->world, when);
  assert_int_equal(throng_agents_count(s->world), COUNT);
}

/* The hash after steps, a steer and a recorded step; with `calls` their callback tries to change the world. */
static uint64_t hash_after_frames(uint32_t threads, bool calls) {
  scene s;
  throng_error error;
  throng_world_def def = throng_default_world_def();
  def.thread_count = threads;
  open_scene(&s, def);
  s.on = calls;
  for (int frame = 0; frame < 3; frame++) stage_step(s.world, 0.02f);
  require_ok(throng_world_steer(s.world, 0.02f, &error), &error);
  require_ok(throng_world_integrate(s.world, 0.02f, &error), &error);
  s.record_hook_calls = true;
  require_ok(throng_recorder_step(s.recorder, 0.02f, &error), &error);
  if (calls) require_refused(&s, "a callback");
  assert_int_equal(throng_world_frame(s.world), 5);
  const uint64_t hash = throng_world_hash(s.world, STATE_COLUMNS);
  close_scene(&s);
  return hash;
}

static void in_a_callback(void **state) {
  (void)state;
  const uint64_t hash = hash_after_frames(1, false);
  for (uint32_t threads = 1; threads <= 3; threads++) assert_true(hash_after_frames(threads, true) == hash);
}

/* Hooks. */

static void *enqueue(throng_task *task, uint32_t count, uint32_t least, void *task_context, void *context) {
  (void)least;
  try_all(context);
  for (uint32_t begin = 0; begin < count; begin++) task(begin, begin + 1, begin % 2, task_context);
  return NULL;
}
static void finish(void *job, void *context) {
  (void)job;
  try_all(context);
}
static void event(const throng_trace_event *event, void *context) {
  (void)event;
  try_all(context);
}
static void *allocate(size_t size, size_t alignment, void *context) {
  try_all(context);
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
static void release(void *memory, size_t size, size_t alignment, void *context) {
  (void)size, (void)alignment, (void)context;
  free(memory);
}

/* Hooks try to change the world during each call that calls hooks: the halves of a step, the sort, batches, and calls
 * that allocate. */
static void in_hooks(void **state) {
  (void)state;
  static const uint32_t many = 100;
  scene s;
  throng_error error;
  throng_world_def def = throng_default_world_def();
  def.jobs = (throng_job_system){enqueue, finish, &s, 2};
  def.trace = (throng_trace_hook){event, &s};
  def.allocator = (throng_allocator){allocate, release, &s};
  memset(&s, 0, sizeof s);
  open_scene(&s, def);
  throng_vec3 centres[100] = {{0, 0, 0}};
  uint32_t counts[100];
  for (int k = 0; k < 8; k++) {
    s.tried = s.let_in = 0;
    if (k == 3) require_ok(write_position(&s, &error), &error); /* dirty */
    s.on = true;
    throng_status status = k == 0   ? throng_world_step(s.world, 0.02f, &error)
                           : k == 1 ? throng_world_steer(s.world, 0.02f, &error)
                           : k == 2 ? throng_world_integrate(s.world, 0.02f, &error)
                           : k == 3 ? throng_world_index(s.world, &error)
                           : k == 4 ? throng_world_query_radius_batch(s.world, centres, many, 1.0f, THRONG_ALL_LAYERS,
                                                                      NULL, 0, counts, &error)
                           : k == 5 ? throng_agents_reserve(s.world, 2 * COUNT, &error)
                           : k == 6 ? set_path(&s, &error)
                                    : write_goal(&s, &error);
    s.on = false;
    require_ok(status, &error);
    require_refused(&s, "hooks");
  }
  close_scene(&s);
}

/* Other threads. */

typedef struct visit {
  scene *scene;
  _Atomic int at; /* 1: the callback waits for the other thread; 2: the other thread has made its calls */
} visit;

static void wait_for_visitor(const throng_block *block, void *context) {
  visit *v = context;
  (void)block;
  int outside = 0;
  if (!atomic_compare_exchange_strong(&v->at, &outside, 1)) return;
  while (atomic_load(&v->at) != 2) {
  }
}

static void *visitor(void *context) {
  visit *v = context;
  while (atomic_load(&v->at) != 1) {
  }
  try_all(v->scene);
  atomic_store(&v->at, 2);
  return NULL;
}

static void from_another_thread(void **state) {
  (void)state;
  scene s;
  throng_error error;
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
  open_scene(&s, def);
  visit v = {&s, 0};
  require_ok(throng_world_set_callback(s.world, 0, wait_for_visitor, &v, &error), &error);
  s.on = true;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, visitor, &v), 0);
  stage_step(s.world, 0.02f);
  pthread_join(thread, NULL);
  require_refused(&s, "another thread");
  close_scene(&s);
}

typedef struct hammer {
  scene *scene;
  _Atomic uint32_t done, busy;
  _Atomic bool stop;
} hammer;

static void *change_on(void *context) {
  hammer *h = context;
  throng_agents_def def = throng_default_agents_def();
  def.position.data = &spot;
  while (!atomic_load(&h->stop)) {
    throng_agent_id id;
    throng_status status = throng_agents_add(h->scene->world, &def, 1, &id, NULL);
    assert_true(status == THRONG_OK || status == THRONG_ERROR_BUSY);
    atomic_fetch_add(status == THRONG_OK ? &h->done : &h->busy, 1);
    if (status != THRONG_OK) continue;
    while (throng_agents_remove(h->scene->world, &id, 1, NULL) == THRONG_ERROR_BUSY) {
    }
  }
  return NULL;
}

/* Two threads change one world without a lock: each call succeeds or returns BUSY, and the world stays sound. */
static void side_by_side(void **state) {
  (void)state;
  scene s;
  throng_error error;
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
  open_scene(&s, def);
  require_ok(throng_agents_reserve(s.world, 2 * COUNT, &error), &error);
  hammer h = {.scene = &s};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, change_on, &h), 0);
  uint32_t stepped = 0;
  for (uint32_t tries = 0; stepped < 50 || (h.done < 5 && tries < 100000000); tries++) {
    const throng_status status = throng_world_step(s.world, 0.001f, &error);
    if (status != THRONG_ERROR_BUSY) require_ok(status, &error);
    stepped += status == THRONG_OK;
  }
  atomic_store(&h.stop, true);
  pthread_join(thread, NULL);
  assert_true(h.done >= 5 && throng_world_frame(s.world) == stepped);
  require_ok(throng_world_index(s.world, &error), &error);
  require_sound(s.world, "side by side");
  assert_int_equal(throng_agents_count(s.world), COUNT);
  close_scene(&s);
}

/* Destroying. */

static void destroy_all(const throng_block *block, void *context) {
  scene *s = context;
  (void)block;
  throng_recorder_destroy(s->recorder);
  throng_world_destroy(s->world);
}

static void destroyed_in_a_callback(void **state) {
  (void)state;
  scene s;
  throng_error error;
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
  open_scene(&s, def);
  require_ok(throng_world_set_callback(s.world, 0, destroy_all, &s, &error), &error);
  stage_step(s.world, 0.02f);
  require_ok(throng_recorder_step(s.recorder, 0.02f, &error), &error);
  require_sound(s.world, "destroy in a callback");
#if !defined(NDEBUG) || defined(THRONG_ASSERTIONS)
  assert_true(s.asserted >= 4 && s.asserted % 4 == 0);
#else
  assert_int_equal(s.asserted, 0);
#endif
  close_scene(&s);
}

/* Passes over the host's own columns. */

static throng_passes *own;
static _Atomic uint32_t passes_let_in, passes_tried;

static void change_passes(const throng_trace_event *event, void *context) {
  (void)event, (void)context;
  throng_error error;
  const throng_passes_agents_def none = throng_default_passes_agents_def();
  const throng_passes_wishes wishes = {0};
  const throng_passes_moved moved = {0};
  const throng_vectors acceleration = {0};
  const throng_group_def g = throng_default_group_def();
  if (!own) return;
  passes_tried++;
  passes_let_in += throng_passes_build_grid(own, &none, &error) != THRONG_ERROR_BUSY;
  passes_let_in += throng_passes_set_group(own, 0, &g, &error) != THRONG_ERROR_BUSY;
  passes_let_in += throng_passes_run_neighbours(own, 0.02f, &wishes, &error) != THRONG_ERROR_BUSY;
  passes_let_in += throng_passes_run_integrate(own, 0.02f, &acceleration, &moved, &error) != THRONG_ERROR_BUSY;
  throng_passes_destroy(own);
}

static void in_hooks_of_passes(void **state) {
  (void)state;
  scene s;
  memset(&s, 0, sizeof s);
  throng_error error;
  throng_world_def def = throng_default_world_def();
  def.thread_count = 1;
  def.trace = (throng_trace_hook){change_passes, NULL};
  def.assertion = (throng_assert_hook){failed, &s};
  require_ok(throng_passes_create(&def, &own, &error), &error);
  float x[64], z[64], zero[64] = {0};
  for (int k = 0; k < 64; k++) x[k] = (float)(k % 8), z[k] = (float)(k / 8);
  throng_passes_agents_def agents = throng_default_passes_agents_def();
  agents.count = 64;
  agents.position = (throng_vectors){.x = x, .z = z};
  agents.velocity = (throng_vectors){.x = zero, .z = zero};
  const throng_passes_wishes wishes = {.separation = {.x = x, .z = z}};
  const throng_passes_moved moved = {.position = {.x = x, .z = z}};
  require_ok(throng_passes_build_grid(own, &agents, &error), &error);
  require_ok(throng_passes_run_neighbours(own, 0.02f, &wishes, &error), &error);
  require_ok(throng_passes_run_integrate(own, 0.02f, &agents.velocity, &moved, &error), &error);
  assert_true(passes_tried >= 3 && passes_let_in == 0);
  throng_passes *whole = own;
  own = NULL;
  throng_passes_destroy(whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_a_callback),           cmocka_unit_test(in_hooks),
      cmocka_unit_test(from_another_thread),     cmocka_unit_test(side_by_side),
      cmocka_unit_test(destroyed_in_a_callback), cmocka_unit_test(in_hooks_of_passes),
  };
  return cmocka_run_group_tests_name("busy", tests, NULL, NULL);
}
