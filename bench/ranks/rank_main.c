/* throng-mpi-run: steps a scene over the ranks of MPI.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_out.h"
#include "common/profiled_frames.h"
#include "common/streams.h"
#include "ranks/rank_checkpoints.h"
#include "ranks/rank_options.h"
#include "ranks/rank_outputs.h"
#include "scene/scene.h"
#include "scene/scene_seen.h"

enum { EXIT_RUN_FAILED = 1, EXIT_BAD_INPUT = 2, EXIT_DIFFERENT = 3 };

/* All columns of the state count. */
#define STATE (~(THRONG_BIT(THRONG_COLUMN_ACCELERATION) | THRONG_BIT(THRONG_COLUMN_YAW_ACCELERATION)))

/* What a rank did in the measured frames. */
typedef struct rank_result {
  double agents;                                            /* on average */
  double step_ms, exchange_ms, wait_ms, contact_ms, cpu_ms; /* per frame */
  double bytes, ghosts, migrants;                           /* sent per frame */
  double ghost_bytes;                                       /* per ghost */
} rank_result;

typedef struct rank_run {
  rank_options options;
  bench_scene scene;
  bench_crowd crowd;
  throng_world *world; /* belongs to mpi, if that is set */
  throng_mpi *mpi;
  int rank, ranks;
  uint32_t measured;        /* frames after the warm-up */
  uint32_t next_checkpoint; /* 0 or 1 */
  double seconds;
  rank_outputs outputs;
  double output_seconds, output_cpu; /* spent on outputs so far */
  double mean_neighbours;            /* for the picture */
  rank_result own, *all;             /* [ranks] on rank 0 */
  uint64_t hash, plain;
} rank_run;

/* With --mixed-isa, rank k takes the k-th instruction set that the machine has. */
static throng_isa isa_of(const rank_run *run) {
  throng_isa have[THRONG_ISA_COUNT];
  int count = 0;
  for (int isa = THRONG_ISA_AUTO + 1; isa < THRONG_ISA_COUNT; isa++) {
    if (throng_isa_is_available((throng_isa)isa)) have[count++] = (throng_isa)isa;
  }
  return run->options.rank_isas && count > 0 ? have[run->rank % count] : THRONG_ISA_AUTO;
}

/* What a rank does alone: the others do not wait for it. */
static bool prepare(rank_run *run, bench_problem *problem) {
  bench_scene *scene = &run->scene;
  const rank_options *options = &run->options;
  if (!scene_load(scene, options->scene, problem)) return false;
  if (options->frames > 0) scene->frames = options->frames;
  if (!scene_fit(scene, options->agents > 0 ? options->agents : scene->agents, problem) ||
      !crowd_spawn(&run->crowd, scene, problem) || (run->rank == 0 && !rank_outputs_check(options, problem)))
    return false;
  run->all = calloc((size_t)run->ranks, sizeof *run->all);
  return run->all || problem_set(problem, "out of memory");
}

static bool build_world(rank_run *run, bool profile, bench_problem *problem) {
  run->world = scene_build(&run->scene, &run->crowd, run->options.threads, isa_of(run), profile, problem);
  return run->world != NULL;
}

static bool fail_frame(const rank_run *run, const throng_error *error, uint64_t frame, bench_problem *problem) {
  return problem_set(problem, "%s: frame %llu: %s: %s", run->scene.file, (unsigned long long)frame,
                     throng_status_name(error->status), error->text);
}

/* Checks that the checkpoint is one of this run. */
static bool check_restart(const rank_run *run, bench_problem *problem) {
  const unsigned long long agents = throng_mpi_agents_count(run->mpi),
                           frame = throng_world_frame(throng_mpi_world(run->mpi));
  if (agents != run->crowd.count)
    return problem_set(problem, "%s: a checkpoint of %llu agents, the run has %u", run->options.restart, agents,
                       run->crowd.count);
  if (frame < run->scene.frames) return true;
  return problem_set(problem, "%s: a checkpoint of frame %llu, the run ends with frame %u", run->options.restart, frame,
                     run->scene.frames);
}

static bool cut_world(rank_run *run, bench_problem *problem) {
  throng_error error;
  if (run->options.restart)
    return rank_restart(&run->options, run->world, &run->mpi, &run->next_checkpoint, problem) &&
           check_restart(run, problem);
  if (throng_mpi_create(run->world, &run->options.mpi, &run->mpi, &error) == THRONG_OK) return true;
  return problem_set(problem, "%s: %s: %s", run->scene.file, throng_status_name(error.status), error.text);
}

/* Writes the table of this frame if one is due. Its time does not count. */
static bool write_table(rank_run *run, bench_problem *problem) {
  if (!rank_outputs_due(&run->outputs)) return true;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime(), cpu = throng_mpi_get_stats(run->mpi).cpu_seconds;
  const bool ok = rank_outputs_write_table(&run->outputs, problem);
  run->output_cpu += throng_mpi_get_stats(run->mpi).cpu_seconds - cpu;
  run->output_seconds += MPI_Wtime() - begun;
  return ok;
}

/* Changes the agents' steering periods where the scene wants it. If a rank fails, all stop. */
static bool set_periods(const rank_run *run, throng_world *piece, bench_problem *problem) {
  throng_error error;
  int ok = scene_set_periods(&run->scene, piece, &error), all = ok;
  if (run->scene.seen.distances.z > 0) MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (!ok) fail_frame(run, &error, throng_world_frame(piece) + 1, problem);
  return all != 0;
}

static bool step_frames(rank_run *run, uint32_t frames, double *agents, bench_problem *problem) {
  throng_error error;
  *agents = 0.0;
  for (uint32_t k = 0; k < frames; k++) {
    throng_world *piece = throng_mpi_world(run->mpi);
    if (!set_periods(run, piece, problem)) return false;
    if (throng_mpi_step(run->mpi, run->scene.dt, &error) != THRONG_OK)
      return fail_frame(run, &error, throng_world_frame(piece) + 1, problem);
    if (!rank_save_checkpoint(&run->options, run->mpi, &run->next_checkpoint, problem) || !write_table(run, problem))
      return false;
    *agents += (double)throng_agents_count(piece) / frames;
  }
  return true;
}

/* Steps all frames and measures those after the warm-up. */
static bool measure(rank_run *run, bench_problem *problem) {
  const uint64_t first = throng_world_frame(throng_mpi_world(run->mpi));
  const uint32_t frames = run->scene.frames - (uint32_t)first;
  const uint32_t warmup = run->options.warmup < frames ? run->options.warmup : frames - 1;
  double agents;
  run->measured = frames - warmup;
  run->outputs = (rank_outputs){&run->options, &run->scene, &run->crowd, run->mpi, first, run->mean_neighbours};
  if (!write_table(run, problem) || !step_frames(run, warmup, &agents, problem)) return false;
  MPI_Barrier(MPI_COMM_WORLD);
  const throng_mpi_stats before = throng_mpi_get_stats(run->mpi);
  const double begun = MPI_Wtime() - run->output_seconds, output_cpu = run->output_cpu;
  if (!step_frames(run, frames - warmup, &agents, problem)) return false;
  const throng_mpi_stats after = throng_mpi_get_stats(run->mpi);
  const double own_cpu = after.cpu_seconds - before.cpu_seconds - (run->output_cpu - output_cpu);
  MPI_Barrier(MPI_COMM_WORLD);
  run->seconds = MPI_Wtime() - run->output_seconds - begun;
  const double each = 1e3 / (frames - warmup), ghosts = (double)(after.ghosts - before.ghosts);
  run->own = (rank_result){.agents = agents,
                           .step_ms = each * (after.step_seconds - before.step_seconds),
                           .exchange_ms = each * (after.exchange_seconds - before.exchange_seconds),
                           .wait_ms = each * (after.wait_seconds - before.wait_seconds),
                           .contact_ms = each * (after.contact_seconds - before.contact_seconds),
                           .cpu_ms = each * own_cpu,
                           .ghosts = ghosts / (frames - warmup),
                           .migrants = (double)(after.migrants - before.migrants) / (frames - warmup),
                           .bytes = (double)(after.ghost_bytes - before.ghost_bytes + after.migrant_bytes -
                                             before.migrant_bytes + after.contact_bytes - before.contact_bytes +
                                             after.request_bytes - before.request_bytes) /
                                    (frames - warmup),
                           .ghost_bytes = ghosts > 0 ? (double)(after.ghost_bytes - before.ghost_bytes) / ghosts : 0.0};
  return true;
}

/* Steps the scene as one world, on rank 0. */
static bool step_plain(rank_run *run, bench_problem *problem) {
  throng_world *world = scene_build(&run->scene, &run->crowd, 0, THRONG_ISA_AUTO, false, problem);
  throng_error error;
  if (!world) return false;
  bool ok = true;
  for (uint32_t k = 0; ok && k < run->scene.frames; k++) {
    ok = scene_set_periods(&run->scene, world, &error) && throng_world_step(world, run->scene.dt, &error) == THRONG_OK;
    if (!ok) fail_frame(run, &error, throng_world_frame(world) + 1, problem);
  }
  run->plain = throng_world_hash(world, STATE);
  throng_world_destroy(world);
  return ok;
}

static double agents_per_ms(const rank_run *run) {
  return (double)throng_mpi_agents_count(run->mpi) * run->measured / (1e3 * run->seconds);
}

/* Agents per millisecond of a rank's own time, without waiting. */
static double own_rate(const rank_result *r) {
  const double ms = r->step_ms + r->exchange_ms + r->contact_ms;
  return ms > 0.0 ? r->agents / ms : 0.0;
}

/* The most of a rank over the mean. */
static double imbalance(const rank_run *run) {
  double most = 0.0, sum = 0.0;
  for (int rank = 0; rank < run->ranks; rank++) {
    const double work = run->all[rank].step_ms + run->all[rank].exchange_ms;
    sum += work;
    most = work > most ? work : most;
  }
  return sum > 0.0 ? most * run->ranks / sum : 1.0;
}

static void print_text(const rank_run *run) {
  printf("%s: %llu agents, %u frames, %d ranks of %u threads\n", run->scene.name,
         (unsigned long long)throng_mpi_agents_count(run->mpi), run->scene.frames, run->ranks, run->options.threads);
  printf("%.0f agents/ms in all, imbalance %.2f, hash %016llx\n", agents_per_ms(run), imbalance(run),
         (unsigned long long)run->hash);
  puts("rank    agents  agents/ms   ms a frame:  step  exchange  contact  wait    CPU   sent a frame:  bytes  ghosts  "
       "migrants");
  for (int rank = 0; rank < run->ranks; rank++) {
    const rank_result *r = &run->all[rank];
    printf("%4d  %8.0f     %6.0f              %6.3f    %6.3f   %6.3f %6.3f %6.3f           %10.0f  %6.0f    %6.1f\n",
           rank, r->agents, own_rate(r), r->step_ms, r->exchange_ms, r->contact_ms, r->wait_ms, r->cpu_ms, r->bytes,
           r->ghosts, r->migrants);
  }
  if (run->options.check)
    printf("one world: hash %016llx: %s\n", (unsigned long long)run->plain,
           run->plain == run->hash ? "the same" : "DIFFERENT");
  if (run->options.out) printf("%s/picture.png\n%s/agents.csv\n", run->options.out, run->options.out);
  if (run->options.csv_every > 0) printf("%s/agents-*.csv\n", run->options.out);
}

static void add_hash(cJSON *json, const char *name, uint64_t hash) {
  char text[24];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
  cJSON_AddStringToObject(json, name, text);
}

static bool print_json(const rank_run *run) {
  cJSON *json = cJSON_CreateObject(), *ranks = cJSON_AddArrayToObject(json, "ranks");
  cJSON_AddStringToObject(json, "scene", run->scene.name);
  cJSON_AddNumberToObject(json, "agents", (double)throng_mpi_agents_count(run->mpi));
  cJSON_AddNumberToObject(json, "frames", run->scene.frames);
  cJSON_AddNumberToObject(json, "threads", run->options.threads);
  cJSON_AddNumberToObject(json, "agents_per_ms", agents_per_ms(run));
  cJSON_AddNumberToObject(json, "imbalance", imbalance(run));
  add_hash(json, "hash", run->hash);
  if (run->options.check) add_hash(json, "one_world_hash", run->plain);
  for (int rank = 0; rank < run->ranks; rank++) {
    const rank_result *r = &run->all[rank];
    const struct {
      const char *name;
      double value;
    } values[] = {{"agents", r->agents},
                  {"agents_per_ms", own_rate(r)},
                  {"step_ms", r->step_ms},
                  {"exchange_ms", r->exchange_ms},
                  {"contact_ms", r->contact_ms},
                  {"wait_ms", r->wait_ms},
                  {"cpu_ms", r->cpu_ms},
                  {"bytes", r->bytes},
                  {"ghosts", r->ghosts},
                  {"migrants", r->migrants},
                  {"bytes_per_ghost", r->ghost_bytes}};
    cJSON *item = cJSON_CreateObject();
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
      cJSON_AddNumberToObject(item, values[k].name, values[k].value);
    cJSON_AddItemToArray(ranks, item);
  }
  return json_write(stdout, json);
}

/* Whether no rank has failed. The first that has a problem prints it; ranks without one stopped because of another. */
static bool all_ok(const rank_run *run, bool ok, const bench_problem *problem) {
  const int none = 2 * run->ranks;
  int failed = ok ? none : run->rank + (problem->text[0] == '\0' ? run->ranks : 0), first;
  MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == run->rank) fprintf(stderr, "throng-mpi-run: %s\n", problem->text);
  return first == none;
}

static void release_world(rank_run *run) {
  if (!run->mpi) throng_world_destroy(run->world);
  throng_mpi_destroy(run->mpi);
}

/* Steps the frames that throng-run profiles, so that the picture has the same mean number of neighbours. They have a
 * world of their own, because a profile takes time. Returns the same exit status on all ranks. */
static int count_neighbours(const rank_run *run, double *mean) {
  rank_run profiled = *run;
  bench_problem problem = {{0}};
  profiled.options.checkpoint = NULL;
  profiled.options.csv_every = 0;
  int status = EXIT_BAD_INPUT;
  if (all_ok(run, build_world(&profiled, true, &problem), &problem) &&
      all_ok(run, cut_world(&profiled, &problem), &problem)) {
    throng_world *piece = throng_mpi_world(profiled.mpi);
    const uint32_t frames = run->scene.frames - (uint32_t)throng_world_frame(piece);
    throng_profile profile = {0};
    double agents;
    profiled.outputs = (rank_outputs){.options = &profiled.options};
    const bool ok = step_frames(&profiled, warm_up_frames(frames), &agents, &problem) &&
                    throng_world_reset_profile(piece, NULL) == THRONG_OK &&
                    step_frames(&profiled, profiled_frames(frames), &agents, &problem) &&
                    throng_world_get_profile(piece, &profile, NULL) == THRONG_OK;
    status = all_ok(run, ok, &problem) ? EXIT_SUCCESS : EXIT_RUN_FAILED;
    uint64_t sum[2] = {profile.neighbours_found, profile.agent_updates};
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    *mean = sum[1] > 0 ? (double)sum[0] / (double)sum[1] : 0.0;
  }
  release_world(&profiled);
  return status;
}

static int run_scene(rank_run *run) {
  bench_problem problem = {{0}};
  if (!all_ok(run, prepare(run, &problem), &problem) ||
      !all_ok(run, rank_check_checkpoints(&run->options, &run->next_checkpoint, &problem), &problem))
    return EXIT_BAD_INPUT;
  const int counted = run->options.out ? count_neighbours(run, &run->mean_neighbours) : EXIT_SUCCESS;
  if (counted != EXIT_SUCCESS) return counted;
  if (!all_ok(run, build_world(run, false, &problem), &problem) || !all_ok(run, cut_world(run, &problem), &problem))
    return EXIT_BAD_INPUT;
  if (!all_ok(run, measure(run, &problem), &problem)) return EXIT_RUN_FAILED;
  run->hash = throng_mpi_hash(run->mpi, STATE);
  if (!all_ok(run, rank_outputs_write_last(&run->outputs, &problem), &problem)) return EXIT_RUN_FAILED;
  MPI_Gather(&run->own, (int)sizeof run->own, MPI_BYTE, run->all, (int)sizeof run->own, MPI_BYTE, 0, MPI_COMM_WORLD);
  bool ok = true;
  if (run->rank == 0 && run->options.check) ok = step_plain(run, &problem);
  if (!all_ok(run, ok, &problem)) return EXIT_RUN_FAILED;
  if (run->rank == 0 && run->options.json) ok = print_json(run);
  if (run->rank == 0 && !run->options.json) print_text(run);
  if (!ok) return EXIT_RUN_FAILED;
  return run->rank == 0 && run->options.check && run->plain != run->hash ? EXIT_DIFFERENT : EXIT_SUCCESS;
}

int main(int count, char **arguments) {
  rank_run run = {0};
  bench_problem problem = {{0}};
  int provided, status = EXIT_SUCCESS;
  streams_begin();
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &run.ranks);
  if (!rank_options_read(&run.options, count, arguments, &problem)) {
    if (run.rank == 0) fprintf(stderr, "throng-mpi-run: %s\n", problem.text);
    status = EXIT_BAD_INPUT;
  } else if (run.options.help) {
    if (run.rank == 0) option_print_help(&rank_option_table);
  } else {
    status = run_scene(&run);
  }
  release_world(&run);
  crowd_release(&run.crowd);
  scene_release(&run.scene);
  free(run.all);
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return streams_end("throng-mpi-run", status);
}
