/* SPDX-License-Identifier: MIT */
#include "output/vtk.h"

#include <math.h>
#include <stdlib.h>

#include "common/files.h"
#include "output/vtk_xml.h"

#define SERIES "series.pvd"
#define SCENERY "scenery.vtp"
#define AGENTS "agents-%08llu.vtp"

bool vtk_series_begin(vtk_series *series, const char *folder, const bench_scene *scene, bench_problem *problem) {
  output_file output;
  char path[FILE_PATH_SIZE];
  *series = (vtk_series){.folder = folder, .dt = (double)scene->dt};
  if (!vtk_has_scenery(scene)) return true;
  return path_join(path, folder, SCENERY, problem) && output_open(&output, path, problem) &&
         output_close(&output, vtk_write_scenery(output.stream, scene, problem), problem);
}

/* Columns of the file that run_frame does not have. */
typedef struct agent_columns {
  float *facing, *speed, *body, *goal;
  int32_t *number,
      *end; /* of VTK's cells, one per agent: its point (0, 1, ...) and the end of its points (1, 2, ...) */
} agent_columns;

static bool allocate(agent_columns *columns, size_t count) {
  const size_t n = count + 1;
  columns->facing = malloc(3 * n * sizeof *columns->facing);
  columns->speed = malloc(n * sizeof *columns->speed);
  columns->body = malloc(n * sizeof *columns->body);
  columns->goal = malloc(3 * n * sizeof *columns->goal);
  columns->number = malloc(n * sizeof *columns->number);
  return columns->facing && columns->speed && columns->body && columns->goal && columns->number;
}

static void release(agent_columns *columns) {
  free(columns->facing);
  free(columns->speed);
  free(columns->body);
  free(columns->goal);
  free(columns->number);
}

/* Computes speeds, facings as unit vectors, and VTK's cells. */
static void fill(agent_columns *columns, const run_frame *frame, bool planar) {
  for (uint32_t k = 0; k < frame->crowd.count; k++) {
    const throng_vec3 v = frame->crowd.velocity[k];
    const float yaw = frame->facing[planar ? k : 0];
    for (size_t axis = 0; axis < 3; axis++)
      columns->facing[3 * (size_t)k + axis] = planar ? (axis == 0   ? sinf(yaw)
                                                        : axis == 2 ? cosf(yaw)
                                                                    : 0)
                                                     : frame->facing[3 * (size_t)k + axis];
    columns->speed[k] = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
  }
  for (uint32_t k = 0; k <= frame->crowd.count; k++) columns->number[k] = (int32_t)k;
  columns->end = columns->number + 1;
}

static bool anybody_has_a_goal(const agent_columns *columns, uint32_t count) {
  for (size_t k = 0; k < count; k++)
    if (!isnan(columns->goal[3 * k])) return true;
  return false;
}

static void write_agents(FILE *stream, const run_frame *frame, const agent_columns *columns, double seconds) {
  const bench_crowd *crowd = &frame->crowd;
  const uint32_t count = crowd->count;
  vtk_begin(stream, seconds, &(vtk_counts){.points = count, .vertices = count});
  fputs("<PointData Scalars=\"speed\" Vectors=\"velocity\">\n", stream);
  vtk_array(stream, "id", VTK_UINT32, 1, crowd->id, count);
  vtk_array(stream, "group", VTK_UINT8, 1, crowd->group, count);
  vtk_array(stream, "velocity", VTK_FLOAT32, 3, crowd->velocity, count);
  vtk_array(stream, "speed", VTK_FLOAT32, 1, columns->speed, count);
  vtk_array(stream, "facing", VTK_FLOAT32, 3, columns->facing, count);
  vtk_array(stream, "body_radius", VTK_FLOAT32, 1, columns->body, count);
  if (anybody_has_a_goal(columns, count)) vtk_array(stream, "goal", VTK_FLOAT32, 3, columns->goal, count);
  fputs("</PointData>\n<Points>\n", stream);
  vtk_array(stream, "position", VTK_FLOAT32, 3, crowd->position, count);
  fputs("</Points>\n<Verts>\n", stream);
  vtk_array(stream, "connectivity", VTK_INT32, 1, columns->number, count);
  vtk_array(stream, "offsets", VTK_INT32, 1, columns->end, count);
  fputs("</Verts>\n", stream);
  vtk_end(stream);
}

static bool remember(vtk_series *series, uint64_t frame, bench_problem *problem) {
  if (series->count == series->capacity) {
    const uint32_t capacity = series->capacity ? 2 * series->capacity : 64;
    uint64_t *frames = realloc(series->frames, capacity * sizeof *frames);
    if (!frames) return problem_set(problem, "out of memory for %u frames", capacity);
    series->frames = frames;
    series->capacity = capacity;
  }
  series->frames[series->count++] = frame;
  return true;
}

bool vtk_series_add(vtk_series *series, const throng_world *world, const run_frame *frame, bench_problem *problem) {
  const uint32_t count = frame->crowd.count;
  agent_columns columns = {0};
  output_file output;
  throng_error error;
  char name[64], path[FILE_PATH_SIZE];
  snprintf(name, sizeof name, AGENTS, (unsigned long long)frame->number);
  bool ok = allocate(&columns, count) || problem_set(problem, "out of memory for %u agents", count);
  ok =
      ok && ((throng_agents_read(world, THRONG_COLUMN_BODY_RADIUS, NULL, count, columns.body, 0, &error) == THRONG_OK &&
              throng_agents_read(world, THRONG_COLUMN_GOAL, NULL, count, columns.goal, 0, &error) == THRONG_OK) ||
             problem_set(problem, "reading the agents back: %s", error.text));
  ok = ok && path_join(path, series->folder, name, problem) && output_open(&output, path, problem);
  if (ok) {
    fill(&columns, frame, throng_world_get_def(world).space == THRONG_SPACE_PLANAR);
    write_agents(output.stream, frame, &columns, (double)frame->number * series->dt);
    ok = output_close(&output, !ferror(output.stream), problem) && remember(series, frame->number, problem);
  }
  release(&columns);
  return ok;
}

bool vtk_series_end(vtk_series *series, bench_problem *problem) {
  output_file output;
  char path[FILE_PATH_SIZE];
  if (!path_join(path, series->folder, SERIES, problem) || !output_open(&output, path, problem)) return false;
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "<Collection>\n",
        output.stream);
  for (uint32_t k = 0; k < series->count; k++)
    fprintf(output.stream, "<DataSet timestep=\"%.17g\" group=\"\" part=\"0\" file=\"" AGENTS "\"/>\n",
            (double)series->frames[k] * series->dt, (unsigned long long)series->frames[k]);
  fputs("</Collection>\n</VTKFile>\n", output.stream);
  return output_close(&output, !ferror(output.stream), problem);
}

void vtk_series_release(vtk_series *series) {
  free(series->frames);
  *series = (vtk_series){0};
}
