/* SPDX-License-Identifier: MIT */
#include "tracks/tracks.h"

#include <math.h>
#include <stdlib.h>

#include "tracks/track_rows.h"

/* Removes the rows of persons who have only one. The rows are by id. */
static void drop_lone(text_rows *list, uint32_t *lone) {
  size_t kept = 0;
  for (size_t k = 0; k < list->count; k++) {
    const text_row row = list->rows[k];
    const bool has_before = kept > 0 && list->rows[kept - 1].id == row.id;
    const bool has_after = k + 1 < list->count && list->rows[k + 1].id == row.id;
    if (has_before || has_after)
      list->rows[kept++] = row;
    else
      ++*lone;
  }
  list->count = kept;
}

static int by_number(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

/* Returns the most frequent difference between successive frames of one person; of equally frequent ones the
 * smallest. `numbers` has room for a number per row. */
static uint32_t find_step(const text_rows *list, uint32_t *numbers) {
  size_t count = 0, most = 0;
  for (size_t k = 1; k < list->count; k++)
    if (list->rows[k].id == list->rows[k - 1].id) numbers[count++] = list->rows[k].frame - list->rows[k - 1].frame;
  qsort(numbers, count, sizeof *numbers, by_number);
  uint32_t step = 0;
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin; end < count && numbers[end] == numbers[begin]; end++) {
    }
    if (end - begin <= most) continue;
    most = end - begin;
    step = numbers[begin];
  }
  return step;
}

/* The frames of a recording in ascending order, and the step of each. */
typedef struct frame_steps {
  uint32_t *frame, *step;
  size_t count;
} frame_steps;

/* Numbers the steps. Where a frame is not a whole number of steps after the frame before, as after a pause of the
 * recording, the difference is rounded. */
static void number_steps(frame_steps *steps, const text_rows *list, uint32_t step_frames) {
  for (size_t k = 0; k < list->count; k++) steps->frame[k] = list->rows[k].frame;
  qsort(steps->frame, list->count, sizeof *steps->frame, by_number);
  steps->count = 0;
  for (size_t k = 0; k < list->count; k++) {
    const uint32_t frame = steps->frame[k];
    const size_t n = steps->count;
    if (n > 0 && frame == steps->frame[n - 1]) continue;
    const double passed = n > 0 ? round((double)(frame - steps->frame[n - 1]) / step_frames) : 0;
    steps->frame[n] = frame;
    steps->step[n] = n > 0 ? steps->step[n - 1] + (passed > 1 ? (uint32_t)passed : 1) : 0;
    steps->count++;
  }
}

static uint32_t step_of(const frame_steps *steps, uint32_t frame) {
  const uint32_t *found = bsearch(&frame, steps->frame, steps->count, sizeof *steps->frame, by_number);
  return steps->step[found - steps->frame];
}

/* Sets the persons and rows, by id. */
static bool set_persons(tracks *recording, const text_rows *list, const frame_steps *steps, const char *file,
                        bench_problem *problem) {
  for (size_t k = 0; k < list->count; k++) {
    const text_row *row = &list->rows[k], *before = row - 1;
    const uint32_t step = step_of(steps, row->frame);
    if (step >= TRACKS_MAX_STEPS)
      return problem_at(problem, file, row->line, "frame %u is %u steps of %u frames after the first, allowed are %u",
                        row->frame, step, recording->step_frames, TRACKS_MAX_STEPS - 1);
    track *person;
    if (k == 0 || before->id != row->id) {
      person = &recording->persons[recording->person_count++];
      *person = (track){.id = row->id, .first = step};
    } else {
      person = &recording->persons[recording->person_count - 1];
      if ((uint64_t)(step - person->last) * recording->step_frames != row->frame - before->frame)
        return problem_at(problem, file, row->line,
                          "frame %u of person %u, allowed is a whole number of steps of %u frames after frame %u",
                          row->frame, row->id, recording->step_frames, before->frame);
      person->length += hypot(row->x - before->x, row->z - before->z);
    }
    person->last = step;
    person->end_x = row->x;
    person->end_z = row->z;
    recording->rows[k] = (track_row){step, recording->person_count - 1, row->x, row->z, row->vx, row->vz};
    if (step >= recording->step_count) recording->step_count = step + 1;
  }
  return true;
}

static int by_step_and_person(const void *left, const void *right) {
  const track_row *a = left, *b = right;
  if (a->step != b->step) return a->step < b->step ? -1 : 1;
  return a->person < b->person ? -1 : a->person > b->person;
}

static bool list_steps(tracks *recording) {
  qsort(recording->rows, recording->row_count, sizeof *recording->rows, by_step_and_person);
  recording->step_begin = calloc((size_t)recording->step_count + 1, sizeof *recording->step_begin);
  if (!recording->step_begin) return false;
  for (size_t k = 0; k < recording->row_count; k++) recording->step_begin[recording->rows[k].step + 1]++;
  for (uint32_t s = 0; s < recording->step_count; s++) recording->step_begin[s + 1] += recording->step_begin[s];
  return true;
}

static bool build(tracks *recording, text_rows *list, const char *file, bench_problem *problem) {
  drop_lone(list, &recording->lone_count);
  const size_t count = recording->row_count = list->count;
  if (count == 0) return problem_set(problem, "%s: no person is recorded twice, allowed are one or more", file);
  frame_steps steps = {malloc(count * sizeof *steps.frame), malloc(count * sizeof *steps.step), 0};
  recording->persons = malloc(count * sizeof *recording->persons);
  recording->rows = malloc(count * sizeof *recording->rows);
  bool ok = steps.frame && steps.step && recording->persons && recording->rows;
  if (!ok) problem_set(problem, "%s: too large for memory", file);
  if (ok) {
    recording->step_frames = find_step(list, steps.frame);
    number_steps(&steps, list, recording->step_frames);
    ok = set_persons(recording, list, &steps, file, problem) &&
         (list_steps(recording) || problem_set(problem, "%s: too large for memory", file));
  }
  free(steps.frame);
  free(steps.step);
  return ok;
}

bool tracks_read(tracks *recording, const char *file, bench_problem *problem) {
  bench_text text;
  text_rows list;
  *recording = (tracks){0};
  if (!text_read_plain(&text, file, SIZE_MAX / 2, problem)) return false;
  const bool ok = track_rows_read(&list, &text, problem) && build(recording, &list, file, problem);
  free(list.rows);
  text_release(&text);
  if (!ok) tracks_release(recording);
  return ok;
}

void tracks_release(tracks *recording) {
  free(recording->persons);
  free(recording->rows);
  free(recording->step_begin);
  *recording = (tracks){0};
}
