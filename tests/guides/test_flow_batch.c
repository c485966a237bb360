/* tests/guides/test_flow_batch.c: tests of flow fields that are computed at once on a world's threads. They have the
 * bits of single calls; an error names its request and changes no array; so does each allocation that fails.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/jobs.h"
#include "support/maps.h"
#include "support/memory.h"
#include "support/stage.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t base_seed;

#define MOST 9u
#define MARK 12345.5f /* in arrays that must not change */

/* Requests with their maps. `single` has the results of single calls. */
typedef struct batch {
  uint32_t count;
  throng_flow_request request[MOST];
  throng_cells_def cells[MOST];
  throng_flow_goal goals[MOST][3];
  float cost[MOST][MAP_CELLS];
  map at_once[MOST], single[MOST];
} batch;
static batch b;

static void mark(map *m) {
  for (uint32_t k = 0; k < MAP_CELLS; k++) m->vectors[2 * k] = m->vectors[2 * k + 1] = m->distance[k] = MARK;
}

/* Encloses a cell, if the map does not repeat. */
static void enclose(map *m, uint32_t cell) {
  const int64_t i = cell % m->width, j = cell / m->width;
  for (int64_t row = j - 1; row <= j + 1; row++)
    for (int64_t column = i - 1; column <= i + 1; column++)
      if (row >= 0 && column >= 0 && row < m->height && column < m->width)
        m->blocked[row * m->width + column] = row != j || column != i;
}

/* Makes request k: a map with 1 to 3 goals. One of 5 has one cell, one of 5 a goal that no other cell reaches, one of 3
 * costs, one of 4 no distances. `frame`: the map's size and place; NULL: random. */
static void make_request(test_rng *rng, uint32_t k, const map *frame) {
  map *m = &b.at_once[k];
  map_random(rng, m, rng_below(rng, 4));
  if (frame) {
    m->width = frame->width, m->height = frame->height, m->cell = frame->cell;
    m->origin_x = frame->origin_x, m->origin_z = frame->origin_z;
    for (uint32_t cell = 0; cell < MAP_CELLS; cell++) m->blocked[cell] = rng_chance(rng, 0.25f);
    m->blocked[rng_below(rng, m->width * m->height)] = 0;
  } else if (rng_below(rng, 5) == 0) {
    m->width = m->height = 1;
    m->blocked[0] = 0;
  }
  throng_flow_request *request = &b.request[k];
  const uint32_t first = map_free_cell(rng, m);
  const bool alone = rng_below(rng, 5) == 0;
  if (alone) enclose(m, first);
  request->goal_count = alone ? 1 : 1 + rng_below(rng, 3);
  for (uint32_t g = 0; g < request->goal_count; g++) {
    const uint32_t cell = g == 0 ? first : map_free_cell(rng, m);
    b.goals[k][g] = map_goal(m, cell, m->cell * rng_pick(rng, (const float[]){0, 1.01f, 3.6f}, 3));
  }
  for (uint32_t cell = 0; cell < MAP_CELLS; cell++) b.cost[k][cell] = rng_float(rng, 0.25f, 4.0f);
  m->cost = rng_below(rng, 3) == 0 ? b.cost[k] : NULL;
  mark(m);
  b.single[k] = *m;
  b.cells[k] = map_cells(m);
  request->cells = &b.cells[k];
  request->goals = b.goals[k];
  request->vectors = m->vectors;
  request->distance = rng_below(rng, 4) == 0 ? NULL : m->distance;
}

/* Computes the fields one by one, as what is expected. */
static void compute_singly(const throng_world *world) {
  throng_error error;
  for (uint32_t k = 0; k < b.count; k++) {
    const throng_flow_request r = b.request[k];
    map *m = &b.single[k];
    require_ok(throng_world_compute_flow_field(world, r.cells, r.goals, r.goal_count, m->vectors,
                                               r.distance ? m->distance : NULL, NULL, &error),
               &error);
  }
}

static void require_single_bits(uint64_t seed, const char *how) {
  for (uint32_t k = 0; k < b.count; k++)
    if (memcmp(&b.at_once[k], &b.single[k], sizeof(map)) != 0)
      fail_msg("seed %" PRIu64 ", %s: field %u of %u is not that of a single call", seed, how, k, b.count);
}

static throng_world_def world_def(const map *frame, throng_boundary boundary) {
  throng_world_def def = throng_default_world_def();
  throng_world_def_set_boundary(&def, boundary);
  def.boundary[1] = THRONG_BOUNDARY_UNBOUNDED;
  def.perception_radius = frame ? frame->cell : 1.0f;
  if (!frame) return def;
  def.box_min = (throng_vec3){frame->origin_x, 0, frame->origin_z};
  def.box_max = (throng_vec3){frame->origin_x + frame->cell * (float)frame->width, 0,
                              frame->origin_z + frame->cell * (float)frame->height};
  return def;
}

static void compute_on(const throng_world_def *def, uint64_t seed, const char *how) {
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(def, &world, &error), &error);
  compute_singly(world);
  for (int again = 0; again < 2; again++) {
    for (uint32_t k = 0; k < b.count; k++) mark(&b.at_once[k]);
    require_ok(throng_world_compute_flow_fields(world, b.request, b.count, NULL, &error), &error);
    require_single_bits(seed, how);
  }
  throng_world_destroy(world);
}

/* Runs the batch with every kind of threads. */
static void compute_on_all_threads(throng_world_def def, uint64_t seed) {
  static const uint32_t threads[] = {1, 2, 5};
  char how[64];
  for (int kind = 0; kind < THRONG_THREADS_COUNT; kind++)
    for (uint32_t t = 0; t < 3; t++) {
      def.threads = (throng_threads)kind;
      def.thread_count = threads[t];
      snprintf(how, sizeof how, "%s, %u threads", throng_threads_name(def.threads), threads[t]);
      compute_on(&def, seed, how);
    }
  for (uint32_t t = 0; t < 4; t++) {
    test_jobs jobs = {.worker_count = threads[t % 2 + 1], .threaded = t < 2};
    jobs.environment = fp_make((fp_kind)(1 + t));
    jobs.rng = rng_from(seed);
    def.jobs = test_job_system(&jobs);
    snprintf(how, sizeof how, "a job system with %u workers", jobs.worker_count);
    compute_on(&def, seed, how);
    assert_true(b.count == 1 || jobs.jobs == 2);
    assert_true(jobs.broken == 0);
  }
}

static void bits_of_single_calls(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 12; round++) {
    const uint64_t seed = base_seed + round;
    test_rng rng = rng_from(seed);
    b.count = round == 0 ? 1 : 1 + rng_below(&rng, MOST);
    for (uint32_t k = 0; k < b.count; k++) make_request(&rng, k, NULL);
    throng_world_def def = world_def(NULL, THRONG_BOUNDARY_UNBOUNDED);
    if (round % 3 == 1) def.axes.units_per_metre = 3.0f;
    compute_on_all_threads(def, seed);
  }
}

static void bits_in_periodic_worlds(void **state) {
  (void)state;
  static map frame;
  for (uint32_t round = 0; round < 6; round++) {
    const uint64_t seed = base_seed + 100 + round;
    test_rng rng = rng_from(seed);
    map_random(&rng, &frame, 0);
    b.count = 2 + rng_below(&rng, MOST - 1);
    for (uint32_t k = 0; k < b.count; k++) make_request(&rng, k, &frame);
    compute_on_all_threads(world_def(&frame, THRONG_BOUNDARY_PERIODIC), seed);
  }
}

/* Many exits of one building: the requests share the map. */
static void one_map_and_many_goals(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed + 200);
  b.count = MOST;
  for (uint32_t k = 0; k < MOST; k++) {
    make_request(&rng, k, k == 0 ? NULL : &b.at_once[0]);
    if (k == 0) continue;
    memcpy(b.at_once[k].blocked, b.at_once[0].blocked, MAP_CELLS);
    memcpy(b.single[k].blocked, b.at_once[0].blocked, MAP_CELLS);
    const uint32_t cell = map_free_cell(&rng, &b.at_once[0]);
    b.goals[k][0] = map_goal(&b.at_once[0], cell, 0.0f);
    b.request[k].goal_count = 1;
    b.request[k].cells = &b.cells[0];
  }
  compute_on_all_threads(world_def(NULL, THRONG_BOUNDARY_UNBOUNDED), base_seed + 200);
}

/* A batch neither changes the world nor its next frames. */
static void worlds_stay_as_they_are(void **state) {
  (void)state;
  throng_error error;
  uint64_t hash[2];
  test_rng rng = rng_from(base_seed + 300);
  b.count = 5;
  for (uint32_t k = 0; k < b.count; k++) make_request(&rng, k, NULL);
  for (int computes = 0; computes < 2; computes++) {
    static throng_vec3 p[900];
    throng_world_def def = world_def(NULL, THRONG_BOUNDARY_UNBOUNDED);
    def.thread_count = 3;
    throng_world *world = NULL;
    const throng_group_def g = throng_default_group_def();
    throng_agents_def agents = throng_default_agents_def();
    for (uint32_t k = 0; k < 900; k++) p[k] = (throng_vec3){(float)(k % 30) * 0.7f, 0, (float)(k / 30) * 0.7f};
    agents.position.data = p;
    require_ok(throng_world_create(&def, &world, &error), &error);
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    require_ok(throng_agents_add(world, &agents, 900, NULL, &error), &error);
    for (int frame = 0; frame < 6; frame++) {
      require_ok(throng_world_step(world, 0.05f, &error), &error);
      const uint64_t before = throng_world_hash(world, STATE_COLUMNS);
      if (computes) require_ok(throng_world_compute_flow_fields(world, b.request, b.count, NULL, &error), &error);
      assert_true(throng_world_hash(world, STATE_COLUMNS) == before);
    }
    hash[computes] = throng_world_hash(world, STATE_COLUMNS);
    require_sound(world, "after batches");
    throng_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}

#ifdef __linux__
static uint32_t threads_now(void) {
  uint32_t threads = 0;
  DIR *tasks = opendir("/proc/self/task");
  assert_non_null(tasks);
  for (const struct dirent *entry; (entry = readdir(tasks));) threads += entry->d_name[0] != '.';
  closedir(tasks);
  return threads;
}

/* An empty world's frames have one thread, but a batch has one for each field, up to thread_count. */
static void fields_choose_the_threads(void **state) {
  (void)state;
  throng_error error;
  test_rng rng = rng_from(base_seed + 400);
  for (uint32_t k = 0; k < MOST; k++) make_request(&rng, k, NULL);
  for (uint32_t count = 0; count <= MOST; count += 3) {
    throng_world_def def = world_def(NULL, THRONG_BOUNDARY_UNBOUNDED);
    throng_world *world = NULL;
    const uint32_t before = threads_now();
    def.threads = THRONG_THREADS_TEAM;
    def.thread_count = 5;
    require_ok(throng_world_create(&def, &world, &error), &error);
    require_ok(throng_world_compute_flow_fields(world, b.request, count, NULL, &error), &error);
    const uint32_t wanted = count < 5 ? count : 5;
    assert_int_equal(threads_now() - before, wanted ? wanted - 1 : 0);
    throng_world_destroy(world);
  }
}
#endif

/* Errors. */

static void require_unchanged(const char *what, uint32_t k) {
  for (uint32_t r = 0; r < b.count; r++)
    for (uint32_t cell = 0; cell < MAP_CELLS; cell++)
      if (b.at_once[r].vectors[2 * cell] != MARK || b.at_once[r].vectors[2 * cell + 1] != MARK ||
          b.at_once[r].distance[cell] != MARK)
        fail_msg("%s in request %u changed the arrays of request %u", what, k, r);
}

enum { MISTAKES = 11 };
/* Makes one mistake in a request. `cells` becomes its map. */
static void spoil(uint32_t mistake, throng_flow_request *r, throng_cells_def *cells, throng_flow_goal *goal,
                  float *cost) {
  *cells = *r->cells;
  *goal = r->goals[0];
  for (uint32_t k = 0; k < MAP_CELLS; k++) cost[k] = 1.0f;
  r->cells = cells;
  r->goals = goal;
  r->goal_count = 1;
  uint32_t cell = 0;
  while (cell < cells->width * cells->height && !cells->blocked[cell]) cell++;
  const float wide = cells->cell * (float)cells->width;
  switch (mistake) {
  case 0:
    r->cells = NULL;
    break;
  case 1:
    cells->cookie++;
    break;
  case 2:
    cells->width = 0;
    break;
  case 3:
    cells->blocked = NULL;
    break;
  case 4:
    r->goals = NULL;
    break;
  case 5:
    r->goal_count = 0;
    break;
  case 6:
    goal->radius = -1.0f;
    break;
  case 7:
    goal->point.z = NAN;
    break;
  case 8:
    goal->point.x += 2.0f * wide;
    break;
  case 9:
    cost[0] = 1e-4f, cells->cost = cost;
    break;
  default:
    r->vectors = NULL;
    break;
  }
}

/* A mistake in one request or in two. The error is that of a single call of the first, with its index. */
static void errors_name_the_request(void **state) {
  (void)state;
  static float cost[2][MAP_CELLS];
  throng_world *world = NULL;
  throng_error error, single;
  throng_world_def def = world_def(NULL, THRONG_BOUNDARY_UNBOUNDED);
  def.thread_count = 3;
  require_ok(throng_world_create(&def, &world, &error), &error);
  for (uint32_t mistake = 0; mistake < MISTAKES; mistake++) {
    const uint64_t seed = base_seed + 500 + mistake;
    test_rng rng = rng_from(seed);
    b.count = 5;
    for (uint32_t k = 0; k < b.count; k++) {
      make_request(&rng, k, NULL);
      b.at_once[k].blocked[0] = 0; /* a wrong cost of a blocked cell is no mistake */
    }
    for (uint32_t k = 0; k < b.count; k++) {
      throng_flow_request list[5];
      throng_cells_def cells[2];
      throng_flow_goal goal[2];
      char start[32];
      memcpy(list, b.request, sizeof list);
      spoil(mistake, &list[k], &cells[0], &goal[0], cost[0]);
      if (k < 4) spoil((mistake + 1) % MISTAKES, &list[4], &cells[1], &goal[1], cost[1]);
      const throng_flow_request r = list[k];
      const throng_status expected =
          throng_world_compute_flow_field(world, r.cells, r.goals, r.goal_count, r.vectors, r.distance, NULL, &single);
      assert_true(expected != THRONG_OK);
      require_error(throng_world_compute_flow_fields(world, list, b.count, NULL, &error), expected, &error);
      assert_true(error.agent.index == 0);
      snprintf(start, sizeof start, "requests[%u]: ", k);
      assert_true(strncmp(error.text, start, strlen(start)) == 0);
      assert_string_equal(error.text + strlen(start), single.text);
      require_unchanged(single.text, k);
    }
  }
  require_error(throng_world_compute_flow_fields(world, NULL, 1, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_world_compute_flow_fields(NULL, b.request, 1, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_ok(throng_world_compute_flow_fields(world, NULL, 0, NULL, &error), &error);
  throng_world_destroy(world);
}

/* A goal in a blocked cell, and a map that does not tile a periodic axis. */
static void errors_of_periodic_worlds(void **state) {
  (void)state;
  static map frame;
  throng_error error;
  test_rng rng = rng_from(base_seed + 600);
  map_random(&rng, &frame, 0);
  b.count = 4;
  for (uint32_t k = 0; k < b.count; k++) make_request(&rng, k, &frame);
  const throng_world_def def = world_def(&frame, THRONG_BOUNDARY_PERIODIC);
  throng_world *world = NULL;
  require_ok(throng_world_create(&def, &world, &error), &error);
  b.cells[3].width--;
  require_error(throng_world_compute_flow_fields(world, b.request, 4, NULL, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "requests[3]: "));
  assert_non_null(strstr(error.text, "long along x"));
  b.cells[3].width++;
  uint32_t blocked = 0;
  while (!b.at_once[2].blocked[blocked]) blocked++;
  b.goals[2][0] = map_goal(&frame, blocked, 0.0f);
  require_error(throng_world_compute_flow_fields(world, b.request, 4, NULL, &error), THRONG_ERROR_BLOCKED, &error);
  assert_non_null(strstr(error.text, "requests[2]: goals[0]"));
  require_unchanged("a mistake", 2);
  throng_world_destroy(world);
}

/* Each allocation that fails leaves the arrays as they were, and no block. The memory is as the header says. */
static void allocations_that_fail(void **state) {
  (void)state;
  throng_error error;
  static const uint32_t counts[] = {1, 2, 7};
  for (uint32_t c = 0; c < 3; c++)
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
      test_rng rng = rng_from(base_seed + 700 + c);
      uint32_t failures = 0;
      size_t largest = 0;
      b.count = counts[c];
      for (uint32_t k = 0; k < b.count; k++) {
        make_request(&rng, k, NULL);
        const size_t cells = (size_t)(b.cells[k].width + 2) * (b.cells[k].height + 2);
        if (cells > largest) largest = cells;
      }
      throng_world_def def = world_def(NULL, THRONG_BOUNDARY_UNBOUNDED);
      throng_world *world = NULL;
      def.thread_count = threads;
      def.threads = THRONG_THREADS_TEAM;
      require_ok(throng_world_create(&def, &world, &error), &error);
      for (uint64_t k = 1;; k++) {
        test_memory memory = {.fail_at = k};
        const throng_allocator allocator = test_allocator(&memory);
        const throng_status status = throng_world_compute_flow_fields(world, b.request, b.count, &allocator, &error);
        assert_true(memory.live == 0 && memory.mistakes == 0);
        if (memory.calls < k) {
          require_ok(status, &error);
          break;
        }
        require_error(status, THRONG_ERROR_OUT_OF_MEMORY, &error);
        require_unchanged("an allocation that fails", b.count);
        failures++;
      }
      assert_int_equal(failures, 2);
      compute_singly(world);
      require_single_bits(base_seed + 700 + c, "after allocations that fail");
      throng_world_destroy(world);
    }
}

/* Adds up the bytes that it gives out. */
static void *count_bytes(size_t size, size_t alignment, void *context) {
  *(size_t *)context += size;
  return aligned_alloc(alignment, size);
}
static void free_block(void *memory, size_t size, size_t alignment, void *context) {
  (void)size, (void)alignment, (void)context;
  free(memory);
}

static void memory_is_as_documented(void **state) {
  (void)state;
  throng_error error;
  for (uint32_t count = 1; count <= MOST; count += 4)
    for (uint32_t threads = 1; threads <= 8; threads *= 2) {
      test_rng rng = rng_from(base_seed + 800);
      size_t bytes = 0, largest = 0;
      for (uint32_t k = 0; k < count; k++) {
        make_request(&rng, k, NULL);
        const size_t cells = (size_t)(b.cells[k].width + 2) * (b.cells[k].height + 2);
        if (cells > largest) largest = cells;
      }
      const throng_allocator allocator = {count_bytes, free_block, &bytes};
      throng_world_def def = world_def(NULL, THRONG_BOUNDARY_UNBOUNDED);
      throng_world *world = NULL;
      def.thread_count = threads;
      def.threads = THRONG_THREADS_TEAM;
      require_ok(throng_world_create(&def, &world, &error), &error);
      require_ok(throng_world_compute_flow_fields(world, b.request, count, &allocator, &error), &error);
      const size_t at_once = count < threads ? count : threads;
      assert_in_range(bytes, at_once * (17 * largest + 32768), at_once * (17 * largest + 32832) + 100 * count + 4096);
      throng_world_destroy(world);
    }
}

/* Other threads read the world, and compute fields of their own, beside batches. */
typedef struct beside {
  const throng_world *world;
  const throng_flow_request *request;
  _Atomic bool over;
  uint32_t reads;
} beside;

static void *read_beside(void *context) {
  static float vectors[2 * MAP_CELLS];
  beside *own = context;
  const throng_flow_request *r = own->request;
  do {
    throng_error error;
    require_ok(
        throng_world_compute_flow_field(own->world, r->cells, r->goals, r->goal_count, vectors, NULL, NULL, &error),
        &error);
    own->reads += throng_agents_count(own->world) == 0;
  } while (!atomic_load(&own->over));
  return NULL;
}

static void readers_run_beside(void **state) {
  (void)state;
  throng_error error;
  test_rng rng = rng_from(base_seed + 900);
  b.count = MOST;
  for (uint32_t k = 0; k < b.count; k++) make_request(&rng, k, NULL);
  throng_world_def def = world_def(NULL, THRONG_BOUNDARY_UNBOUNDED);
  throng_world *world = NULL;
  def.thread_count = 3;
  def.threads = THRONG_THREADS_TEAM;
  require_ok(throng_world_create(&def, &world, &error), &error);
  beside reader = {.world = world, .request = &b.request[0]};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, read_beside, &reader), 0);
  for (int round = 0; round < 10; round++)
    require_ok(throng_world_compute_flow_fields(world, b.request, b.count, NULL, &error), &error);
  atomic_store(&reader.over, true);
  pthread_join(thread, NULL);
  assert_true(reader.reads > 0);
  compute_singly(world);
  require_single_bits(base_seed + 900, "beside a reader");
  throng_world_destroy(world);
}

int main(void) {
  base_seed = test_seed("test_flow_batch", 7400);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bits_of_single_calls),      cmocka_unit_test(bits_in_periodic_worlds),
      cmocka_unit_test(one_map_and_many_goals),    cmocka_unit_test(worlds_stay_as_they_are),
#ifdef __linux__
      cmocka_unit_test(fields_choose_the_threads),
#endif
      cmocka_unit_test(errors_name_the_request),   cmocka_unit_test(errors_of_periodic_worlds),
      cmocka_unit_test(allocations_that_fail),     cmocka_unit_test(memory_is_as_documented),
      cmocka_unit_test(readers_run_beside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
