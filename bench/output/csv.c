/* SPDX-License-Identifier: MIT */
#include "output/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"

#define HEADER "id,x,y,z,vx,vy,vz,group"
#define FIELDS 8
static const char *const field_names[FIELDS] = {"id", "x", "y", "z", "vx", "vy", "vz", "group"};

typedef struct csv_row {
  uint32_t id;
  uint8_t group;
  float number[6];
  uint64_t line;
} csv_row;

typedef struct row_list {
  csv_row *rows;
  size_t count, capacity;
} row_list;

typedef struct cut_line {
  const char *begin[FIELDS], *end[FIELDS];
} cut_line;

/* Whether the current line has no end-of-line character. Then it is the last line, and the file may be cut off. */
static bool is_cut_off(const line_reader *reader) { return reader->offset > reader->text->size; }

/* Divides a line into its fields. */
static bool cut(const line_reader *reader, cut_line *cut, bench_problem *problem) {
  int count = 0;
  const char *begin = reader->begin;
  for (;;) {
    const char *comma = memchr(begin, ',', (size_t)(reader->end - begin));
    const char *end = comma ? comma : reader->end;
    if (count < FIELDS) {
      cut->begin[count] = begin;
      cut->end[count] = end;
    }
    count++;
    if (!comma) break;
    begin = comma + 1;
  }
  if (count == FIELDS) return true;
  return problem_at(problem, reader->text->file, reader->number, "%d fields%s, allowed are the 8 fields " HEADER, count,
                    is_cut_off(reader) ? " where the file ends" : "");
}

static bool refuse(const line_reader *reader, const cut_line *cut, int field, const char *allowed,
                   bench_problem *problem) {
  int shown = (int)(cut->end[field] - cut->begin[field]);
  return problem_at(problem, reader->text->file, reader->number, "field '%s': value '%.*s', allowed %s",
                    field_names[field], shown < 40 ? shown : 40, cut->begin[field], allowed);
}

static bool read_row(const line_reader *reader, const bench_scene *scene, csv_row *row, bench_problem *problem) {
  cut_line fields;
  uint64_t id, group;
  char allowed[48];
  if (!cut(reader, &fields, problem)) return false;
  if (!text_to_uint(fields.begin[0], fields.end[0], &id) || id < 1 || id > SCENE_MAX_AGENTS)
    return refuse(reader, &fields, 0, "a whole number from 1 to 2147483646", problem);
  for (int i = 0; i < 6; i++)
    if (!text_to_float(fields.begin[i + 1], fields.end[i + 1], &row->number[i]))
      return refuse(reader, &fields, i + 1, "a finite number", problem);
  if (scene->world.space == THRONG_SPACE_PLANAR && row->number[4] != 0)
    return refuse(reader, &fields, 5, "0 in a planar world", problem);
  if (!text_to_uint(fields.begin[7], fields.end[7], &group) || group >= scene->group_count) {
    snprintf(allowed, sizeof allowed, "a group of the scene, 0 to %u", scene->group_count - 1);
    return refuse(reader, &fields, 7, allowed, problem);
  }
  row->id = (uint32_t)id;
  row->group = (uint8_t)group;
  row->line = reader->number;
  return true;
}

static bool append(row_list *list, const csv_row *row) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? list->capacity * 2 : 1024;
    struct csv_row *rows = realloc(list->rows, capacity * sizeof *rows);
    if (!rows) return false;
    list->rows = rows;
    list->capacity = capacity;
  }
  list->rows[list->count++] = *row;
  return true;
}

static int by_id_and_line(const void *left, const void *right) {
  const csv_row *a = left, *b = right;
  if (a->id != b->id) return a->id < b->id ? -1 : 1;
  return a->line < b->line ? -1 : a->line > b->line;
}

static bool read_rows(row_list *list, line_reader *reader, const bench_scene *scene, bench_problem *problem) {
  const char *file = reader->text->file;
  if (!line_next(reader) || (size_t)(reader->end - reader->begin) != strlen(HEADER) ||
      memcmp(reader->begin, HEADER, strlen(HEADER)) != 0)
    return problem_at(problem, file, 1, "the header is not " HEADER "%s",
                      is_cut_off(reader) ? ": the file ends here" : "");
  while (line_next(reader)) {
    csv_row row;
    if (!read_row(reader, scene, &row, problem)) return false;
    if (list->count == SCENE_MAX_AGENTS)
      return problem_at(problem, file, reader->number, "more than 2147483646 agents");
    if (!append(list, &row)) return problem_set(problem, "%s: too large for memory", file);
  }
  return true;
}

static bool sort_rows(row_list *list, const char *file, bench_problem *problem) {
  bool sorted = true;
  for (size_t k = 1; k < list->count && sorted; k++) sorted = list->rows[k - 1].id < list->rows[k].id;
  if (!sorted) qsort(list->rows, list->count, sizeof *list->rows, by_id_and_line);
  /* twice: the first line in the file whose id was used already. first: the line that used it first. */
  const csv_row *twice = NULL, *first = NULL;
  for (size_t k = 1; k < list->count; k++)
    if (list->rows[k - 1].id == list->rows[k].id && (!twice || list->rows[k].line < twice->line)) {
      first = &list->rows[k - 1];
      twice = &list->rows[k];
    }
  if (!twice) return true;
  return problem_at(problem, file, twice->line, "field 'id': value '%u' is in line %" PRIu64 " already, allowed once",
                    twice->id, first->line);
}

static bool to_crowd(const row_list *list, const bench_scene *scene, bench_crowd *crowd, uint64_t **lines,
                     bench_problem *problem) {
  if (!crowd_allocate(crowd, (uint32_t)list->count, scene, problem)) return false;
  *lines = malloc((list->count ? list->count : 1) * sizeof **lines);
  if (!*lines) {
    crowd_release(crowd);
    return problem_set(problem, "out of memory for %zu agents", list->count);
  }
  for (size_t k = 0; k < list->count; k++) {
    const csv_row *row = &list->rows[k];
    crowd->id[k] = row->id;
    crowd->position[k] = (throng_vec3){row->number[0], row->number[1], row->number[2]};
    crowd->velocity[k] = (throng_vec3){row->number[3], row->number[4], row->number[5]};
    crowd->group[k] = row->group;
    (*lines)[k] = row->line;
  }
  return true;
}

bool csv_read(bench_crowd *crowd, uint64_t **lines, const char *file, const bench_scene *scene,
              bench_problem *problem) {
  bench_text text;
  row_list list = {0};
  *lines = NULL;
  if (!text_read_plain(&text, file, SIZE_MAX / 2, problem)) return false;
  line_reader reader = {.text = &text};
  bool ok = read_rows(&list, &reader, scene, problem) && sort_rows(&list, file, problem) &&
            to_crowd(&list, scene, crowd, lines, problem);
  free(list.rows);
  text_release(&text);
  return ok;
}

/* Sets the limits of the world along an axis: those of the box, or the grid limit along an unbounded axis. */
static void axis_limits(const bench_scene *scene, int axis, float *min, float *max) {
  const throng_world_def *def = &scene->world;
  float far_away = def->perception_radius * 0x1p20f;
  bool free_axis = def->boundary[axis] == THRONG_BOUNDARY_UNBOUNDED;
  *min = free_axis ? -far_away : (&def->box_min.x)[axis];
  *max = free_axis ? far_away : (&def->box_max.x)[axis];
}

bool csv_check_places(const bench_crowd *crowd, const uint64_t *lines, const char *file, const bench_scene *scene,
                      const throng_world *world, bench_problem *problem) {
  for (uint32_t k = 0; k < crowd->count; k++) {
    throng_vec3 p = crowd->position[k];
    for (int axis = 0; axis < 3; axis++) {
      float min, max, value = (&p.x)[axis];
      axis_limits(scene, axis, &min, &max);
      if (axis == 1 && scene->world.space == THRONG_SPACE_PLANAR) continue;
      if (value < min || value > max)
        return problem_at(problem, file, lines[k], "field '%s': value '%.9g', allowed %.9g to %.9g",
                          field_names[axis + 1], (double)value, (double)min, (double)max);
    }
    if (!throng_world_is_free(world, p, 0))
      return problem_at(problem, file, lines[k],
                        "field 'x': value '%.9g' with z %.9g is in a blocked cell or in scenery, allowed a free point",
                        (double)p.x, (double)p.z);
  }
  return true;
}

bool csv_write(FILE *stream, const bench_crowd *crowd) {
  fputs(HEADER "\n", stream);
  for (uint32_t k = 0; k < crowd->count; k++) {
    throng_vec3 p = crowd->position[k], v = crowd->velocity[k];
    fprintf(stream, "%u,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%u\n", crowd->id[k], (double)p.x, (double)p.y, (double)p.z,
            (double)v.x, (double)v.y, (double)v.z, crowd->group[k]);
  }
  return !ferror(stream);
}
