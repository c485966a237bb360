/* SPDX-License-Identifier: MIT */
#include "runner/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

static bool grow(trace_row *row) {
  size_t capacity = row->capacity ? 2 * row->capacity : 4096;
  throng_trace_event *events = realloc(row->events, capacity * sizeof *events);
  if (!events) return false;
  row->events = events;
  row->capacity = capacity;
  return true;
}

static void record(const throng_trace_event *event, void *context) {
  const frame_trace *trace = context;
  trace_row *row = &trace->rows[event->worker];
  if (event->frame < trace->first || row->cut) return;
  row->cut = row->count == row->capacity && !grow(row);
  if (!row->cut) row->events[row->count++] = *event;
}

bool trace_record(frame_trace *trace, const measurement *run, const measure_context *context, uint32_t frames,
                  bench_problem *problem) {
  const throng_trace_hook hook = {record, trace};
  trace->workers = run->threads;
  trace->rows = aligned_alloc(_Alignof(trace_row), trace->workers * sizeof *trace->rows);
  if (!trace->rows) return problem_set(problem, "out of memory");
  memset(trace->rows, 0, trace->workers * sizeof *trace->rows);
  trace->first = UINT64_MAX; /* nothing is recorded while the world is made */
  if (!measure_hooked(run, context, &hook, frames, &trace->first, problem)) return false;
  for (uint32_t worker = 0; worker < trace->workers; worker++)
    if (trace->rows[worker].cut) return problem_set(problem, "out of memory for a trace of %u frames", frames);
  return true;
}

/* Orders events by their beginning. Of two events that begin together the longer one comes first, because it contains
 * the other. */
static int compare(const void *a, const void *b) {
  const throng_trace_event *x = a, *y = b;
  if (x->begin_ns != y->begin_ns) return x->begin_ns < y->begin_ns ? -1 : 1;
  if (x->end_ns != y->end_ns) return x->end_ns > y->end_ns ? -1 : 1;
  return (x->pass > y->pass) - (x->pass < y->pass);
}

static void write_event(FILE *stream, const throng_trace_event *event, uint64_t origin) {
  uint64_t begin = event->begin_ns - origin, length = event->end_ns - event->begin_ns;
  fprintf(stream,
          ",\n{\"name\":\"%s\",\"ph\":\"X\",\"pid\":0,\"tid\":%u,\"ts\":%" PRIu64 ".%03u,\"dur\":%" PRIu64
          ".%03u,\"args\":{\"frame\":%" PRIu64 ",\"begin\":%u,\"end\":%u}}",
          throng_pass_name(event->pass), event->worker, begin / 1000, (unsigned)(begin % 1000), length / 1000,
          (unsigned)(length % 1000), event->frame + 1, event->begin, event->end);
}

/* Names the process after the scene and the instruction set, and each thread "worker N". */
static bool write_names(FILE *stream, const bench_scene *scene, const measurement *run) {
  char text[FIELD_NAME_SIZE + 64];
  snprintf(text, sizeof text, "%s, %u agents, %s", scene->name, run->agents, throng_isa_name(run->isa));
  cJSON *name = cJSON_CreateString(text);
  char *quoted = name ? cJSON_PrintUnformatted(name) : NULL;
  cJSON_Delete(name);
  if (!quoted) return false;
  fprintf(stream, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"name\":%s}}", quoted);
  cJSON_free(quoted);
  for (uint32_t worker = 0; worker < run->threads; worker++)
    fprintf(stream, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":%u,\"args\":{\"name\":\"worker %u\"}}",
            worker, worker);
  return true;
}

bool trace_write(FILE *stream, frame_trace *trace, const bench_scene *scene, const measurement *run) {
  uint64_t origin = UINT64_MAX;
  fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", stream);
  if (!write_names(stream, scene, run)) return false;
  for (uint32_t worker = 0; worker < trace->workers; worker++) {
    const trace_row *row = &trace->rows[worker];
    if (row->count) qsort(row->events, row->count, sizeof *row->events, compare);
    if (row->count && row->events[0].begin_ns < origin) origin = row->events[0].begin_ns;
  }
  for (uint32_t worker = 0; worker < trace->workers; worker++)
    for (size_t k = 0; k < trace->rows[worker].count; k++) write_event(stream, &trace->rows[worker].events[k], origin);
  fputs("\n]}\n", stream);
  return !ferror(stream);
}

void trace_release(frame_trace *trace) {
  for (uint32_t worker = 0; trace->rows && worker < trace->workers; worker++) free(trace->rows[worker].events);
  free(trace->rows);
  *trace = (frame_trace){0};
}
