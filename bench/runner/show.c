/* SPDX-License-Identifier: MIT */
#include "runner/show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "common/files.h"
#include "common/text.h"
#include "output/csv.h"
#include "output/movie.h"
#include "output/picture.h"
#include "output/trajectories.h"
#include "output/vtk.h"
#include "runner/stepping.h"

typedef struct show_job {
  const run_options *options;
  const measure_context *context;
  run_show *show;
  run_steps stepping;
  run_frame frame;
  picture_camera camera;
  picture_page *picture;
  movie_file movie;
  vtk_series series;
  seen_rectangle seen;
  trajectory_file trajectories;
  output_file recording;
  bool movie_begun, series_begun, trajectories_begun, recording_begun;
} show_job;

bool show_wanted(const run_options *options) {
  return options->movie || options->vtk || options->csv_every || options->trajectories || options->record ||
         options->trails > 0;
}

bool show_check(const run_options *options, const bench_scene *scene, bench_problem *problem) {
  if (options->movie) {
    if (!text_ends_with(options->movie, ".mp4"))
      return option_refuse("--movie", options->movie, "a name that ends in .mp4", problem);
    if (!file_check(options->movie, "--movie", problem) || !movie_check(problem)) return false;
  }
  if (options->vtk && !folder_check(options->vtk, "--vtk", problem)) return false;
  if (options->trajectories && !trajectories_check(options->trajectories, scene, problem)) return false;
  return !options->record || file_check(options->record, "--record", problem);
}

/* Returns how many frames of the scene there are per movie frame. Without --movie-every the movie plays at the scene's
 * own speed. */
static uint32_t movie_every(const run_options *options, const bench_scene *scene) {
  if (options->movie_every) return options->movie_every;
  const double real_time = scene->dt > 0 ? 1 / ((double)options->movie_fps * (double)scene->dt) : 1;
  return (uint32_t)fmin(fmax(round(real_time), 1), SCENE_MAX_FRAMES);
}

/* Whether a first run must find out where the agents will be. The view of a movie does not change, and trajectories
 * begin with their area; in a world without a box both depend on the agents' positions in all frames. */
static bool must_look_ahead(const run_options *options, const bench_scene *scene) {
  return (options->movie || options->trajectories) && scene_is_open(scene);
}

void show_work(const run_options *options, const bench_scene *scene, uint64_t *steps, uint64_t *outputs) {
  const uint64_t frames = scene->frames;
  *steps = *outputs = 0;
  if (!show_wanted(options)) return;
  *steps = must_look_ahead(options, scene) ? 2 * frames : frames;
  if (options->movie) *outputs += frames / movie_every(options, scene) + 1;
  if (options->vtk) *outputs += frames / options->vtk_every + 1;
  if (options->csv_every) *outputs += frames / options->csv_every + 1;
  if (options->trajectories) *outputs += frames / options->trajectories_every + 1;
}

/* Returns how many frames there are from frame `at` to the next frame with an output, or to the end. Output i is
 * written every every[i] frames; 0: never. */
static uint32_t until_next(uint32_t at, uint32_t frames, const uint32_t *every, int count) {
  uint32_t next = frames - at;
  for (int i = 0; i < count; i++)
    if (every[i] && every[i] - at % every[i] < next) next = every[i] - at % every[i];
  return next;
}

/* Steps all frames. Sets showing->camera to the positions of the agents in the movie's frames, and showing->seen to
 * those in the trajectories. If the user stops this run, `last` receives the state. */
static bool look_ahead(show_job *showing, const measurement *run, last_frame *last, bench_problem *problem) {
  const measure_context *context = showing->context;
  const bench_scene *scene = context->scene;
  const run_options *options = showing->options;
  const uint32_t frames = scene->frames;
  const uint32_t every[] = {options->movie ? showing->show->movie_every : 0,
                            options->trajectories ? options->trajectories_every : 0};
  run_steps stepping;
  run_frame frame = {0};
  uint32_t done = 0;
  if (!stepping_begin(&stepping, run, context, "looking ahead", scene->frames, false, problem)) return false;
  bool ok = true;
  for (uint32_t at = 0; ok; at += done) {
    ok = run_frame_read(&frame, stepping.world, context->start, problem);
    if (ok && every[0] && (at % every[0] == 0 || at == frames))
      picture_camera_see(&showing->camera, scene, &frame.crowd);
    if (ok && every[1] && at % every[1] == 0) seen_rectangle_add(&showing->seen, &frame.crowd);
    if (at == frames || context->stop->cut) break;
    ok = ok && stepping_go(&stepping, until_next(at, frames, every, 2), &done, NULL, problem);
  }
  if (context->stop->cut) ok = ok && last_frame_read(last, stepping.world, context, problem);
  run_frame_release(&frame);
  stepping_end(&stepping);
  return ok;
}

static bool record(const void *bytes, size_t size, void *context) { return fwrite(bytes, 1, size, context) == size; }

static bool begin_recording(show_job *showing, bench_problem *problem) {
  throng_error error;
  if (!output_open(&showing->recording, showing->options->record, problem)) return false;
  showing->recording_begun = true;
  const throng_record_hook hook = {record, showing->recording.stream};
  if (throng_recorder_create(showing->stepping.world, &hook, THRONG_RECORD_AGENTS, &showing->stepping.recorder,
                             &error) == THRONG_OK)
    return true;
  return problem_set(problem, "%s: %s: %s", showing->options->record, throng_status_name(error.status), error.text);
}

static bool begin_trajectories(show_job *showing, bench_problem *problem) {
  const run_options *options = showing->options;
  const measure_context *context = showing->context;
  if (!run_frame_read(&showing->frame, showing->stepping.world, context->start, problem)) return false;
  showing->trajectories_begun = true;
  return trajectories_begin(&showing->trajectories, options->trajectories, context->scene, options->trajectories_every,
                            &showing->seen, &showing->frame.crowd, problem);
}

/* Begins the trails, the movie, the VTK series, the trajectories and the recording. */
static bool begin(show_job *showing, bench_problem *problem) {
  const run_options *options = showing->options;
  const bench_scene *scene = showing->context->scene;
  const bench_crowd *start = showing->context->start;
  if (options->trails > 0 && !trails_create(&showing->show->trails, scene, (double)options->trails,
                                            start->count ? start->id[start->count - 1] : 0, problem))
    return false;
  if (options->movie) {
    const picture_style style = show_style(showing->show, options);
    showing->picture = picture_create(scene, &showing->camera, &style, problem);
    if (!showing->picture) return false;
    showing->movie_begun = true;
    if (!movie_begin(&showing->movie, options->movie, picture_width(showing->picture), picture_height(showing->picture),
                     options->movie_fps, problem))
      return false;
  }
  if (options->vtk) {
    showing->series_begun = true;
    if (!vtk_series_begin(&showing->series, options->vtk, scene, problem)) return false;
  }
  if (options->trajectories && !begin_trajectories(showing, problem)) return false;
  return !options->record || begin_recording(showing, problem);
}

static bool add_to_movie(show_job *showing, bench_problem *problem) {
  picture_page *picture = showing->picture;
  const size_t bytes = (size_t)4 * (size_t)picture_width(picture) * (size_t)picture_height(picture);
  if (!picture_draw(picture, &showing->frame, 0, problem) ||
      !movie_add(&showing->movie, picture_pixels(picture), bytes, problem))
    return false;
  showing->show->movie_frames++;
  return true;
}

static bool write_csv(show_job *showing, bench_problem *problem) {
  char name[64], path[FILE_PATH_SIZE];
  output_file output;
  snprintf(name, sizeof name, CSV_FRAME_NAME, showing->frame.number);
  if (!path_join(path, showing->options->out, name, problem) || !output_open(&output, path, problem) ||
      !output_close(&output, csv_write(output.stream, &showing->frame.crowd), problem))
    return false;
  showing->show->csv_files++;
  return true;
}

static bool write_vtk(show_job *showing, bench_problem *problem) {
  if (!vtk_series_add(&showing->series, showing->stepping.world, &showing->frame, problem)) return false;
  showing->show->vtk_files++;
  return true;
}

static bool write_trajectories(show_job *showing, bench_problem *problem) {
  if (!trajectories_add(&showing->trajectories, &showing->frame, problem)) return false;
  showing->show->trajectory_frames++;
  return true;
}

/* Writes the outputs of the frame that is `at` steps from the start. */
static bool write_frame(show_job *showing, uint32_t at, bench_problem *problem) {
  const run_options *options = showing->options;
  run_progress *progress = showing->context->progress;
  trail_ring *trails = &showing->show->trails;
  if (options->trails > 0 && at % trails->every == 0) trails_add(trails, showing->stepping.world);
  const bool movie = options->movie && at % showing->show->movie_every == 0;
  const bool vtk = options->vtk && at % options->vtk_every == 0;
  const bool csv = options->csv_every && at % options->csv_every == 0;
  const bool trajectories = options->trajectories && at % options->trajectories_every == 0;
  if (!movie && !vtk && !csv && !trajectories) return true;
  if (!run_frame_read(&showing->frame, showing->stepping.world, showing->context->start, problem)) return false;
  if (movie && !add_to_movie(showing, problem)) return false;
  if (movie) progress_wrote(progress);
  if (vtk && !write_vtk(showing, problem)) return false;
  if (vtk) progress_wrote(progress);
  if (csv && !write_csv(showing, problem)) return false;
  if (csv) progress_wrote(progress);
  if (trajectories && !write_trajectories(showing, problem)) return false;
  if (trajectories) progress_wrote(progress);
  return true;
}

static bool step_and_write(show_job *showing, bench_problem *problem) {
  const run_options *options = showing->options;
  const uint32_t frames = showing->context->scene->frames;
  const uint32_t every[] = {options->movie ? showing->show->movie_every : 0, options->vtk ? options->vtk_every : 0,
                            options->csv_every, options->trajectories ? options->trajectories_every : 0,
                            showing->show->trails.every};
  uint32_t at = 0;
  for (;;) {
    uint32_t done = 0;
    if (!write_frame(showing, at, problem)) return false;
    if (at == frames) break;
    if (!stepping_go(&showing->stepping, until_next(at, frames, every, 5), &done, NULL, problem)) return false;
    at += done;
    if (options->record) showing->show->recorded_frames += done;
    if (showing->context->stop->cut) break;
  }
  showing->show->complete = at == frames;
  showing->show->hash = throng_world_hash(showing->stepping.world, 0);
  return true;
}

/* Completes all outputs. Movie, trajectories and recording are kept only if nothing failed. `ok`: nothing has failed so
 * far; if not, `problem` has the first problem, and later ones are dropped. */
static bool finish(show_job *showing, bool ok, bench_problem *problem) {
  bench_problem other;
  if (showing->movie_begun) {
    const bool kept = movie_end(&showing->movie, ok, ok || showing->movie.broken ? problem : &other);
    ok = ok && kept;
  }
  if (showing->series_begun) ok = vtk_series_end(&showing->series, ok ? problem : &other) && ok;
  if (showing->trajectories_begun) ok = trajectories_end(&showing->trajectories, ok, ok ? problem : &other) && ok;
  if (showing->recording_begun) ok = output_close(&showing->recording, ok, ok ? problem : &other) && ok;
  return ok;
}

picture_style show_style(const run_show *show, const run_options *options) {
  return (picture_style){options->colour, options->trails > 0 ? &show->trails : NULL};
}

void show_release(run_show *show) { trails_release(&show->trails); }

bool show_run(run_show *show, const run_options *options, const measurement *run, const measure_context *context,
              last_frame *last, bench_problem *problem) {
  show_job showing = {.options = options, .context = context, .show = show};
  show->movie_every = movie_every(options, context->scene);
  if (must_look_ahead(options, context->scene)) {
    if (!look_ahead(&showing, run, last, problem)) return false;
    if (context->stop->cut) return true;
  }
  const char *during = options->movie ? "drawing" : "writing frames";
  if (!stepping_begin(&showing.stepping, run, context, during, context->scene->frames, false, problem)) return false;
  bool ok = begin(&showing, problem) && step_and_write(&showing, problem);
  if (context->stop->cut) ok = ok && last_frame_read(last, showing.stepping.world, context, problem);
  ok = finish(&showing, ok, problem);
  stepping_end(&showing.stepping);
  picture_destroy(showing.picture);
  vtk_series_release(&showing.series);
  run_frame_release(&showing.frame);
  return ok;
}

void show_report(FILE *stream, const run_show *show, const run_options *options, const char *before,
                 const char *after) {
  if (show->movie_frames)
    fprintf(stream, "%s%s (%" PRIu32 " frames, one of %" PRIu32 ")%s", before, options->movie, show->movie_frames,
            show->movie_every, after);
  if (show->vtk_files)
    fprintf(stream, "%s%s/series.pvd (%" PRIu32 " frames)%s", before, options->vtk, show->vtk_files, after);
  if (show->csv_files)
    fprintf(stream, "%s%s/agents-*.csv (%" PRIu32 " frames)%s", before, options->out, show->csv_files, after);
  if (show->trajectory_frames)
    fprintf(stream, "%s%s (%" PRIu32 " frames)%s", before, options->trajectories, show->trajectory_frames, after);
  if (show->recorded_frames)
    fprintf(stream, "%s%s (%" PRIu64 " frames)%s", before, options->record, show->recorded_frames, after);
}
