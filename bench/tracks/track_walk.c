/* SPDX-License-Identifier: MIT */
#include "tracks/track_walk.h"

#include <math.h>
#include <stdlib.h>

#define OUTSIDE UINT32_MAX

/* One run of a model. Arrays over persons have an element for each person of the recording. */
typedef struct walkers {
  const track_walk *walk;
  throng_world *world;
  uint32_t *entered;     /* over persons: the step in which the person entered; OUTSIDE before that */
  bool *counts;          /* over persons: whether its errors count */
  uint32_t inside;       /* persons in the world now */
  throng_agent_id *ids;  /* of these */
  throng_vec3 *read;     /* their positions */
  throng_vec3 *position; /* over persons: the simulated position of those in the world */
} walkers;

static bool refuse(const track_model *model, const throng_error *error, bench_problem *problem) {
  return problem_set(problem, "model '%.60s': %s: %s", model->name, throng_status_name(error->status), error->text);
}

static uint32_t person_of(throng_agent_id id) { return id.index - 1; }

static bool enter(walkers *w, const track_row *row, throng_error *error) {
  const track *person = &w->walk->recording->persons[row->person];
  const double seconds = (person->last - person->first) * w->walk->step_seconds;
  const throng_agent_id id = {.index = row->person + 1, .generation = 1};
  const throng_vec3 position = {(float)row->x, 0, (float)row->z}, velocity = {(float)row->vx, 0, (float)row->vz};
  const throng_vec3 goal = {(float)person->end_x, 0, (float)person->end_z};
  const float speed = (float)(person->length / seconds);
  throng_agents_def def = throng_default_agents_def();
  def.position.data = &position;
  def.velocity.data = &velocity;
  def.goal.data = &goal;
  def.max_speed.data = &speed;
  w->ids[w->inside++] = id;
  return throng_agents_add_with_ids(w->world, &def, 1, &id, error) == THRONG_OK;
}

/* Adds the persons whose first row is in this step, and reads the positions of all. */
static bool update(walkers *w, uint32_t step, throng_error *error) {
  const tracks *recording = w->walk->recording;
  for (size_t k = recording->step_begin[step]; k < recording->step_begin[step + 1]; k++) {
    const track_row *row = &recording->rows[k];
    if (w->entered[row->person] != OUTSIDE) continue;
    w->entered[row->person] = step;
    if (!enter(w, row, error)) return false;
  }
  if (throng_agents_read(w->world, THRONG_COLUMN_POSITION, w->ids, w->inside, w->read, 0, error) != THRONG_OK)
    return false;
  for (uint32_t k = 0; k < w->inside; k++) w->position[person_of(w->ids[k])] = w->read[k];
  return true;
}

/* Removes the persons whose last row is in this step. */
static bool leave(walkers *w, uint32_t step, throng_error *error) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < w->inside; k++) {
    const throng_agent_id id = w->ids[k];
    if (w->walk->recording->persons[person_of(id)].last > step)
      w->ids[kept++] = id;
    else if (throng_agents_remove(w->world, &id, 1, error) != THRONG_OK)
      return false;
  }
  w->inside = kept;
  return true;
}

static double distance(double dx, double dz) { return sqrt(dx * dx + dz * dz); }

static void measure(const walkers *w, uint32_t step, uint32_t first, uint32_t last, track_measures *measures) {
  const tracks *recording = w->walk->recording;
  const size_t begin = recording->step_begin[step], end = recording->step_begin[step + 1];
  for (size_t k = begin; k < end; k++) {
    const track_row *row = &recording->rows[k];
    const throng_vec3 at = w->position[row->person];
    const uint32_t leaves = recording->persons[row->person].last;
    bool near = false, recorded_near = false;
    for (size_t other = begin; other < end && !(near && recorded_near); other++) {
      if (other == k) continue;
      const throng_vec3 its = w->position[recording->rows[other].person];
      near = near || distance((double)its.x - (double)at.x, (double)its.z - (double)at.z) < TRACK_NEAR;
      recorded_near =
          recorded_near || distance(recording->rows[other].x - row->x, recording->rows[other].z - row->z) < TRACK_NEAR;
    }
    if (step > first) {
      measures->rows++;
      measures->near += near;
      measures->recorded_near += recorded_near;
    }
    if (!w->counts[row->person] || w->entered[row->person] == step) continue;
    const double error = distance((double)at.x - row->x, (double)at.z - row->z);
    measures->error += error;
    measures->error_rows++;
    if (step != (leaves < last ? leaves : last)) continue;
    measures->last_error += error;
    measures->persons++;
  }
}

/* Marks who is recorded in both steps, and returns their number. `marks` may be NULL. */
static uint32_t mark_ends(const tracks *recording, uint32_t first, uint32_t last, bool *marks) {
  size_t k = recording->step_begin[first], other = recording->step_begin[last];
  uint32_t count = 0;
  while (k < recording->step_begin[first + 1] && other < recording->step_begin[last + 1]) { /* both are by person */
    const uint32_t a = recording->rows[k].person, b = recording->rows[other].person;
    if (a == b) {
      if (marks) marks[a] = true;
      count++;
    }
    k += a <= b;
    other += b <= a;
  }
  return count;
}

uint32_t track_walk_count(const tracks *recording, uint32_t first, uint32_t last) {
  return mark_ends(recording, first, last, NULL);
}

static bool begin(walkers *w, const track_model *model, uint32_t first, uint32_t last, track_counted counted,
                  bench_problem *problem) {
  const tracks *recording = w->walk->recording;
  const uint32_t count = recording->person_count;
  throng_error error;
  w->entered = malloc(count * sizeof *w->entered);
  w->counts = calloc(count, sizeof *w->counts);
  w->ids = malloc(count * sizeof *w->ids);
  w->read = malloc(count * sizeof *w->read);
  w->position = malloc(count * sizeof *w->position);
  if (!w->entered || !w->counts || !w->ids || !w->read || !w->position)
    return problem_set(problem, "out of memory for %u persons", count);
  for (uint32_t k = 0; k < count; k++) {
    w->entered[k] = OUTSIDE;
    w->counts[k] = counted == TRACK_ALL;
  }
  if (counted == TRACK_ENDS) mark_ends(recording, first, last, w->counts);
  return (throng_world_create(&model->world, &w->world, &error) == THRONG_OK &&
          throng_world_set_group(w->world, 0, &model->group, &error) == THRONG_OK) ||
         refuse(model, &error, problem);
}

static bool step_frames(walkers *w, throng_error *error) {
  const float dt = (float)(w->walk->step_seconds / w->walk->frames);
  for (uint32_t k = 0; k < w->walk->frames; k++)
    if (throng_world_step(w->world, dt, error) != THRONG_OK) return false;
  return true;
}

bool track_walk_go(const track_walk *walk, const track_model *model, uint32_t first, uint32_t last,
                   track_counted counted, track_measures *measures, bench_problem *problem) {
  walkers w = {.walk = walk};
  throng_error error;
  bool ok = begin(&w, model, first, last, counted, problem);
  for (uint32_t step = first; step <= last && ok; step++) {
    ok = update(&w, step, &error) || refuse(model, &error, problem);
    if (!ok) break;
    measure(&w, step, first, last, measures);
    if (step == last) break;
    ok = (leave(&w, step, &error) && step_frames(&w, &error)) || refuse(model, &error, problem);
    ok = ok && (!walk->stepped || walk->stepped(walk->context, walk->frames, problem));
  }
  throng_world_destroy(w.world);
  free(w.entered);
  free(w.counts);
  free(w.ids);
  free(w.read);
  free(w.position);
  return ok;
}
