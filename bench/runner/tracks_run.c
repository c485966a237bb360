/* SPDX-License-Identifier: MIT */
#include "runner/tracks_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/files.h"
#include "common/json_out.h"
#include "common/progress.h"
#include "common/stop.h"
#include "runner/run_state.h"
#include "tracks/track_walk.h"

#define WINDOW_SECONDS 4.8
#define DEFAULT_DT 0.025f    /* seconds: at most this for a frame */
#define MAX_FRAMES 1000000.0 /* per recorded step */

/* The measures of one model: over the whole recording, and over all windows of WINDOW_SECONDS. */
typedef struct model_result {
  track_measures whole, windows;
  uint32_t window_count;
} model_result;

typedef struct tracks_state {
  const run_options *options;
  tracks recording;
  track_walk walk;
  uint32_t window_steps;
  track_model model[TRACK_MODELS_MAX];
  model_result result[TRACK_MODELS_MAX];
  uint32_t model_count;
  char results[FILE_PATH_SIZE];
  run_progress progress;
} tracks_state;

static bool choose_times(tracks_state *state, bench_problem *problem) {
  const run_options *options = state->options;
  const float dt = options->has_dt ? options->dt : DEFAULT_DT;
  track_walk *walk = &state->walk;
  walk->step_seconds = 1 / (double)options->replay_fps;
  const double frames = dt > 0 ? ceil(walk->step_seconds / (double)dt * (1 - 1e-6)) : INFINITY;
  if (frames > MAX_FRAMES)
    return problem_set(problem, "option '--dt': value '%g', allowed with --replay-tracks is at least %g", (double)dt,
                       walk->step_seconds / MAX_FRAMES);
  walk->frames = (uint32_t)fmax(frames, 1);
  state->window_steps = (uint32_t)fmax(round(WINDOW_SECONDS / walk->step_seconds), 1);
  return true;
}

static bool choose_output(tracks_state *state, bench_problem *problem) {
  const run_options *options = state->options;
  if (options->json) {
    snprintf(state->results, sizeof state->results, "%s", options->json);
    return file_check(options->json, "--json", problem);
  }
  return folder_check(options->out, "--out", problem) &&
         path_join(state->results, options->out, "results.json", problem) &&
         file_check(state->results, "--out", problem);
}

/* Lets each model begin once, so that rules that the kernel refuses are bad input, and not a failed run. */
static bool try_models(const tracks_state *state, bench_problem *problem) {
  for (uint32_t k = 0; k < state->model_count; k++) {
    track_measures none = {0};
    if (!track_walk_go(&state->walk, &state->model[k], 0, 0, TRACK_ALL, &none, problem)) return false;
  }
  return true;
}

static bool prepare(tracks_state *state, bench_problem *problem) {
  const run_options *options = state->options;
  if (!choose_times(state, problem)) return false;
  const float dt = (float)(state->walk.step_seconds / state->walk.frames);
  if (!track_models_find(state->model, &state->model_count, options->replay_model, dt, problem) ||
      !choose_output(state, problem) || !tracks_read(&state->recording, options->replay_tracks, problem))
    return false;
  state->walk.recording = &state->recording;
  return try_models(state, problem);
}

static bool count_frames(void *context, uint32_t frames, bench_problem *problem) {
  tracks_state *state = context;
  progress_stepped(&state->progress, frames, 0);
  return !stop_wanted() || problem_set(problem, "stopped by %s, nothing was written", stop_name());
}

/* The number of windows in the recording: one begins at each step that has the whole window after it. */
static uint32_t windows_of(const tracks_state *state) {
  const uint32_t steps = state->recording.step_count;
  return steps > state->window_steps ? steps - state->window_steps : 0;
}

static bool has_persons(const tracks_state *state, uint32_t window) {
  return track_walk_count(&state->recording, window, window + state->window_steps) > 0;
}

static bool run_model(tracks_state *state, uint32_t k, bench_problem *problem) {
  const tracks *recording = &state->recording;
  model_result *result = &state->result[k];
  progress_part(&state->progress, state->model[k].name, recording->person_count, 0);
  if (!track_walk_go(&state->walk, &state->model[k], 0, recording->step_count - 1, TRACK_ALL, &result->whole, problem))
    return false;
  for (uint32_t first = 0; first < windows_of(state); first++) {
    if (!has_persons(state, first)) continue;
    result->window_count++;
    if (!track_walk_go(&state->walk, &state->model[k], first, first + state->window_steps, TRACK_ENDS, &result->windows,
                       problem))
      return false;
  }
  return true;
}

static bool run_models(tracks_state *state, bench_problem *problem) {
  uint64_t steps = state->recording.step_count - 1;
  for (uint32_t first = 0; first < windows_of(state); first++)
    if (has_persons(state, first)) steps += state->window_steps;
  state->walk.stepped = count_frames;
  state->walk.context = state;
  progress_start(&state->progress, "throng-run", steps * state->walk.frames * state->model_count, 0,
                 state->options->quiet);
  bool ok = true;
  for (uint32_t k = 0; k < state->model_count && ok; k++) ok = run_model(state, k, problem);
  progress_finish(&state->progress);
  return ok;
}

/* NaN if there is nothing to average. */
static double mean(double sum, uint64_t count) { return count ? sum / (double)count : NAN; }

static void print_cells(double error, double last_error, double near) {
  const struct {
    double value;
    const char *unit;
    int decimals;
  } cells[] = {{error, " m", 3}, {last_error, " m", 3}, {100 * near, " %", 2}};
  for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
    if (isnan(cells[k].value))
      printf(" %10s  ", "-");
    else
      printf(" %10.*f%s", cells[k].decimals, cells[k].value, cells[k].unit);
  }
}

static void print_measures(const track_measures *m) {
  print_cells(mean(m->error, m->error_rows), mean(m->last_error, m->persons), mean((double)m->near, m->rows));
}

static void print_recorded(const track_measures *m) { print_cells(NAN, NAN, mean((double)m->recorded_near, m->rows)); }

static void print_head(const tracks_state *state) {
  const tracks *recording = &state->recording;
  printf("%s: %u persons in %zu rows, %u steps of %g s (%u frames of the file, %u of the model)\n",
         state->options->replay_tracks, recording->person_count, recording->row_count, recording->step_count - 1,
         state->walk.step_seconds, recording->step_frames, state->walk.frames);
  printf("%u person%s recorded only once, left out\n", recording->lone_count, recording->lone_count == 1 ? "" : "s");
  fflush(stdout);
}

static void print_table(const tracks_state *state) {
  const model_result *first = &state->result[0];
  char windows[64];
  snprintf(windows, sizeof windows, "%u windows of %g s", first->window_count,
           state->window_steps * state->walk.step_seconds);
  printf("\n%-16s | %-39s | %s\n", "", "whole tracks", windows);
  printf("%-16s | %10s   %10s   %10s   | %10s   %10s   %10s\n", "model", "mean error", "last error", "nearer 0.4",
         "mean error", "last error", "nearer 0.4");
  for (uint32_t k = 0; k < state->model_count; k++) {
    printf("%-16s |", state->model[k].name);
    print_measures(&state->result[k].whole);
    printf(" |");
    print_measures(&state->result[k].windows);
    putchar('\n');
  }
  printf("%-16s |", "recording");
  print_recorded(&first->whole);
  printf(" |");
  print_recorded(&first->windows);
  putchar('\n');
}

/* Adds a number, or null for NaN. */
static void add_number(cJSON *object, const char *name, double value) {
  if (isnan(value))
    cJSON_AddNullToObject(object, name);
  else
    cJSON_AddNumberToObject(object, name, value);
}

static cJSON *add_measures(cJSON *parent, const char *name, const track_measures *m) {
  cJSON *object = cJSON_AddObjectToObject(parent, name);
  cJSON_AddNumberToObject(object, "persons", (double)m->persons);
  add_number(object, "mean_error", mean(m->error, m->error_rows));
  add_number(object, "last_error", mean(m->last_error, m->persons));
  add_number(object, "near_share", mean((double)m->near, m->rows));
  add_number(object, "recorded_near_share", mean((double)m->recorded_near, m->rows));
  return object;
}

static bool write_json(FILE *stream, const tracks_state *state) {
  const tracks *recording = &state->recording;
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "recording", state->options->replay_tracks);
  cJSON_AddNumberToObject(root, "persons", recording->person_count);
  cJSON_AddNumberToObject(root, "left_out", recording->lone_count);
  cJSON_AddNumberToObject(root, "rows", (double)recording->row_count);
  cJSON_AddNumberToObject(root, "steps", recording->step_count - 1);
  cJSON_AddNumberToObject(root, "step_seconds", state->walk.step_seconds);
  cJSON_AddNumberToObject(root, "step_frames", recording->step_frames);
  cJSON_AddNumberToObject(root, "model_frames", state->walk.frames);
  cJSON *list = cJSON_AddArrayToObject(root, "models");
  for (uint32_t k = 0; k < state->model_count; k++) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    cJSON_AddStringToObject(object, "model", state->model[k].name);
    add_measures(object, "tracks", &state->result[k].whole);
    cJSON *windows = add_measures(object, "windows", &state->result[k].windows);
    cJSON_AddNumberToObject(windows, "window_count", state->result[k].window_count);
    cJSON_AddNumberToObject(windows, "seconds", state->window_steps * state->walk.step_seconds);
  }
  return json_write(stream, root);
}

static int execute(tracks_state *state, bench_problem *problem) {
  output_file output;
  const bool quiet = state->options->quiet;
  if (!prepare(state, problem)) return EXIT_BAD_INPUT;
  if (!quiet) print_head(state);
  if (!run_models(state, problem)) return stop_wanted() ? stop_exit_status() : EXIT_RUN_FAILED;
  if (!quiet) print_table(state);
  if (!output_open(&output, state->results, problem) ||
      !output_close(&output, write_json(output.stream, state), problem))
    return EXIT_RUN_FAILED;
  if (!quiet) printf("\n%s\n", state->results);
  return EXIT_SUCCESS;
}

int tracks_run(const run_options *options, bench_problem *problem) {
  tracks_state *state = calloc(1, sizeof *state);
  if (!state) {
    problem_set(problem, "out of memory");
    return EXIT_RUN_FAILED;
  }
  state->options = options;
  const int status = execute(state, problem);
  tracks_release(&state->recording);
  free(state);
  return status;
}
