/* SPDX-License-Identifier: MIT */
#include "output/trajectories.h"

#include <math.h>
#include <stdlib.h>

#include "common/text.h"
#include "output/trajectory_text.h"

static bool is_database(const char *path) { return text_ends_with(path, ".sqlite"); }

bool trajectories_check(const char *path, const bench_scene *scene, bench_problem *problem) {
  if (scene->dt <= 0)
    return problem_set(problem, "option '--trajectories': frames of 0 seconds, allowed longer ones: they have a rate");
  return file_check(path, "--trajectories", problem) && (!is_database(path) || trajectory_database_check(problem));
}

static bool allocate(trajectory_file *file, const bench_crowd *crowd, bench_problem *problem) {
  file->id = malloc(((size_t)crowd->count + 1) * sizeof *file->id);
  file->last = malloc(((size_t)crowd->count + 1) * sizeof *file->last);
  if (!file->id || !file->last) return problem_set(problem, "out of memory for %u agents", crowd->count);
  for (uint32_t k = 0; k < crowd->count; k++) {
    file->id[k] = crowd->id[k];
    file->last[k] = crowd->position[k];
    if (file->next_id <= crowd->id[k]) file->next_id = (uint64_t)crowd->id[k] + 1;
  }
  return true;
}

bool trajectories_begin(trajectory_file *file, const char *path, const bench_scene *scene, uint32_t every,
                        const seen_rectangle *seen, const bench_crowd *crowd, bench_problem *problem) {
  const double rate = 1 / ((double)scene->dt * every);
  walkable_area area;
  *file = (trajectory_file){.scene = scene};
  if (!allocate(file, crowd, problem) || !walkable_area_make(&area, scene, seen, crowd, problem)) return false;
  bool ok = is_database(path) ? output_begin(&file->output, path, problem) : output_open(&file->output, path, problem);
  if (ok && is_database(path)) {
    file->database = trajectory_database_begin(file->output.temporary, path, rate, &area, problem);
    ok = file->database != NULL;
  } else if (ok) {
    trajectory_text_begin(file->output.stream, rate, area.wkt);
  }
  walkable_area_release(&area);
  return ok;
}

/* Whether an agent has crossed a seam since the frame before: it is nearer to an image of where it was. */
static bool has_wrapped(const bench_scene *scene, const throng_vec3 *from, const throng_vec3 *to) {
  for (int axis = 0; axis < 3; axis++) {
    const double before = (double)(&from->x)[axis], after = (double)(&to->x)[axis];
    if (scene_way_along(scene, axis, before, after) != after - before) return true;
  }
  return false;
}

static bool add_agent(trajectory_file *file, const run_frame *frame, uint32_t k, bench_problem *problem) {
  const throng_vec3 p = frame->crowd.position[k];
  if (!file->database) {
    trajectory_text_add(file->output.stream, file->id[k], file->frames, p.x, p.z);
    return true;
  }
  const bool planar = file->scene->world.space == THRONG_SPACE_PLANAR;
  const float *facing = &frame->facing[planar ? k : 3 * (size_t)k];
  const double position[2] = {(double)p.x, (double)p.z};
  const double way[2] = {planar ? sin((double)facing[0]) : (double)facing[0],
                         planar ? cos((double)facing[0]) : (double)facing[2]};
  return trajectory_database_add_agent(file->database, file->frames, file->id[k], position, way, problem);
}

bool trajectories_add(trajectory_file *file, const run_frame *frame, bench_problem *problem) {
  if (file->database && !trajectory_database_add_frame(file->database, file->frames, problem)) return false;
  for (uint32_t k = 0; k < frame->crowd.count; k++) {
    const throng_vec3 p = frame->crowd.position[k];
    if (has_wrapped(file->scene, &file->last[k], &p)) file->id[k] = file->next_id++;
    file->last[k] = p;
    if (!add_agent(file, frame, k, problem)) return false;
  }
  file->frames++;
  if (!file->output.stream || !ferror(file->output.stream)) return true;
  return problem_set(problem, "%s: cannot write: the disk is full or broken", file->output.path);
}

bool trajectories_end(trajectory_file *file, bool ok, bench_problem *problem) {
  bench_problem other;
  if (file->database) ok = trajectory_database_end(file->database, ok, problem) && ok;
  if (file->output.stream) ok = ok && !ferror(file->output.stream);
  if (file->output.path[0]) ok = output_close(&file->output, ok, ok || !file->database ? problem : &other) && ok;
  free(file->id);
  free(file->last);
  return ok;
}
