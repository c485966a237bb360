/* sweep.c: one run of a sweep: many small worlds whose parameters follow from an array index. A process makes its runs
 * on one thread, so start one process a core. README.md in this folder says how, with Slurm and with GNU parallel.
 *   Walkers leave a room of 8 by 8 metres by a door. The index chooses the width of the door, the number of walkers and
 * the seed. Each run writes one line of JSON: parameters, results, and the hash of the world after the last frame.
 * The same index gives the same hash on every machine: a line that differs was computed wrongly.
 *
 * usage: sweep [INDEX] [runs=N] [door=METRES] [agents=N] [seed=N] [seconds=S]
 *   INDEX    the task, 0 or more; without it, the environment variable SLURM_ARRAY_TASK_ID
 *   runs     runs of each task: task INDEX makes the runs INDEX * N to INDEX * N + N - 1 (1)
 *   others   replace what the run's number chooses
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#define DT (1.0f / 20.0f)
#define ROOM 8.0f
#define MOST_AGENTS 100u
#define SEEDS 50u

static const float doors[] = {0.8f, 1.0f, 1.2f, 1.6f, 2.0f};
static const uint32_t crowds[] = {20, 40, 60, 80};
#define DOORS (sizeof doors / sizeof *doors)
#define CROWDS (sizeof crowds / sizeof *crowds)
#define RUNS (DOORS * CROWDS * SEEDS)

/* What the command line gives; a value of 0 is not given. */
struct options {
  uint64_t index, runs, agents, seed;
  double door, seconds;
  bool has_index;
};

struct run {
  uint64_t number, seed;
  uint32_t agents;
  float door; /* metres */
  uint32_t frames;
};

struct result {
  uint32_t left;    /* walkers that have left the room */
  float last, mean; /* seconds until the last of them, and the mean of all of them, had left */
  uint64_t hash;
};

static void require(throng_status status, const throng_error *error) {
  if (status == THRONG_OK) return;
  fprintf(stderr, "%s: %s\n", throng_status_name(status), error->text);
  exit(1);
}

static void refuse(const char *argument) {
  fprintf(stderr,
          "sweep: cannot use \"%s\"\nusage: sweep [INDEX] [runs=N] [door=METRES] [agents=N] [seed=N] [seconds=S]\n",
          argument);
  exit(2);
}

/* The parameters of a run: the seed changes fastest, then the crowd, then the door. */
static struct run choose(uint64_t number, const struct options *options) {
  struct run run = {.number = number,
                    .seed = options->seed ? options->seed : 1 + number % SEEDS,
                    .agents = options->agents ? (uint32_t)options->agents : crowds[number / SEEDS % CROWDS],
                    .door = options->door > 0 ? (float)options->door : doors[number / SEEDS / CROWDS % DOORS],
                    .frames = (uint32_t)((options->seconds > 0 ? options->seconds : 120.0) / (double)DT)};
  return run;
}

static throng_world *make_world(const struct run *run) {
  throng_world *world = NULL;
  throng_error error;
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 2.0f;
  def.seed = run->seed;
  def.thread_count = 1;
  def.capacity = run->agents;
  require(throng_world_create(&def, &world, &error), &error);
  const float low = (ROOM - run->door) * 0.5f, high = (ROOM + run->door) * 0.5f;
  const throng_vec3 from[] = {{0, 0, 0}, {0, 0, 0}, {0, 0, ROOM}, {ROOM, 0, 0}, {ROOM, 0, high}};
  const throng_vec3 to[] = {{0, 0, ROOM}, {ROOM, 0, 0}, {ROOM, 0, ROOM}, {ROOM, 0, low}, {ROOM, 0, ROOM}};
  throng_scenery_def scenery = throng_default_scenery_def();
  scenery.wall_from.data = from;
  scenery.wall_to.data = to;
  scenery.wall_count = sizeof from / sizeof *from;
  require(throng_world_set_scenery(world, &scenery, &error), &error);
  const throng_group_def walkers = throng_walkers_group_def();
  require(throng_world_set_group(world, 0, &walkers, &error), &error);
  return world;
}

/* Puts the walkers on a grid of 10 by 10 places, each moved by a draw from the run's seed. */
static void add_walkers(throng_world *world, const struct run *run) {
  static throng_vec3 position[MOST_AGENTS];
  const throng_vec3 goal = {ROOM + 2.0f, 0, ROOM * 0.5f};
  throng_error error;
  uint64_t state = run->seed * 0x9e3779b97f4a7c15u;
  for (uint32_t k = 0; k < run->agents; k++) {
    float draw[2];
    for (int c = 0; c < 2; c++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      draw[c] = (float)(state >> 40) / 16777216.0f; /* 0 to 1 */
    }
    position[k] = (throng_vec3){0.5f + 0.7f * (float)(k % 10) + 0.2f * draw[0], 0,
                                0.5f + 0.7f * (float)(k / 10) + 0.2f * draw[1]};
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = position;
  agents.goal = (throng_span){&goal, THRONG_STRIDE_ONE};
  require(throng_agents_add(world, &agents, run->agents, NULL, &error), &error);
}

/* Removes the walkers that are outside, and returns their number. */
static uint32_t remove_outside(throng_world *world) {
  static throng_agent_id outside[MOST_AGENTS];
  throng_view view;
  throng_error error;
  uint32_t count = 0;
  require(throng_world_view(world, &view, &error), &error);
  for (uint32_t k = 0; k < view.count; k++) {
    if (view.position_x[k] > ROOM + 0.5f) outside[count++] = throng_view_id(&view, k);
  }
  require(throng_agents_remove(world, outside, count, &error), &error);
  return count;
}

static struct result simulate(const struct run *run) {
  struct result result = {0};
  throng_error error;
  throng_world *world = make_world(run);
  add_walkers(world, run);
  for (uint32_t frame = 1; frame <= run->frames && result.left < run->agents; frame++) {
    require(throng_world_step(world, DT, &error), &error);
    const uint32_t count = remove_outside(world);
    if (count == 0) continue;
    result.left += count;
    result.last = (float)frame * DT;
    result.mean += (float)count * result.last;
    result.hash = result.hash * 31 + throng_world_hash(world, 0); /* the world may be empty at the end */
  }
  result.hash = result.hash * 31 + throng_world_hash(world, 0);
  if (result.left > 0) result.mean /= (float)result.left;
  throng_world_destroy(world);
  return result;
}

/* Reads "NAME=VALUE" into an option. */
static void read_option(struct options *options, const char *argument) {
  const char *value = strchr(argument, '=');
  char *end = NULL;
  const size_t length = value ? (size_t)(value - argument) : 0;
  uint64_t *whole = NULL;
  double *real = NULL;
  if (length == 4 && memcmp(argument, "runs", 4) == 0) whole = &options->runs;
  if (length == 4 && memcmp(argument, "seed", 4) == 0) whole = &options->seed;
  if (length == 6 && memcmp(argument, "agents", 6) == 0) whole = &options->agents;
  if (length == 4 && memcmp(argument, "door", 4) == 0) real = &options->door;
  if (length == 7 && memcmp(argument, "seconds", 7) == 0) real = &options->seconds;
  if (!whole && !real) refuse(argument);
  if (whole) *whole = strtoull(value + 1, &end, 10);
  if (real) *real = strtod(value + 1, &end);
  const bool sound =
      end != value + 1 && *end == 0 && value[1] != '-' && (whole ? *whole > 0 : *real > 0.0 && *real < 1e6);
  if (!sound) refuse(argument);
}

static void read_index(struct options *options, const char *text) {
  char *end = NULL;
  options->index = strtoull(text, &end, 10);
  options->has_index = true;
  if (*text == '-' || end == text || *end != 0) refuse(text);
}

int main(int count, char **arguments) {
  struct options options = {.runs = 1};
  const char *task = getenv("SLURM_ARRAY_TASK_ID");
  for (int k = 1; k < count; k++) {
    if (strchr(arguments[k], '=')) {
      read_option(&options, arguments[k]);
    } else {
      read_index(&options, arguments[k]);
    }
  }
  if (!options.has_index) read_index(&options, task ? task : "");
  if (options.agents > MOST_AGENTS) refuse("agents above 100");
  if (options.door > 6.0) refuse("door above 6");
  if (options.runs > RUNS || options.index >= RUNS / options.runs) refuse("an INDEX after the last run");
  for (uint64_t k = 0; k < options.runs; k++) {
    const struct run run = choose(options.index * options.runs + k, &options);
    const struct result result = simulate(&run);
    printf("{\"run\": %" PRIu64 ", \"door\": %g, \"agents\": %u, \"seed\": %" PRIu64
           ", \"left\": %u, \"last_s\": %g, \"mean_s\": %g, \"hash\": \"%016" PRIx64 "\"}\n",
           run.number, (double)run.door, run.agents, run.seed, result.left, (double)result.last, (double)result.mean,
           result.hash);
    fflush(stdout);
  }
  return ferror(stdout) ? 1 : 0;
}
