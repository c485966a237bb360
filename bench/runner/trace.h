/* Records the kernel's trace events, and writes them as a Chrome trace for ui.perfetto.dev and chrome://tracing.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

#include <stdio.h>

#include "runner/measure.h"

/* One worker's events, in the order in which they ended. Each row fills a cache line of its own, so that workers do not
 * slow each other down. */
typedef struct trace_row {
  _Alignas(64) throng_trace_event *events;
  size_t count, capacity;
  bool cut; /* memory ran out: later events are missing */
} trace_row;

typedef struct frame_trace {
  trace_row *rows; /* [workers] */
  uint32_t workers;
  uint64_t first; /* the first timed frame, as the kernel counts: from 0 */
} frame_trace;

/* Steps the scene with the threads and the instruction set of `run`, and records the first `frames` timed frames. */
bool trace_record(frame_trace *trace, const measurement *run, const measure_context *context, uint32_t frames,
                  bench_problem *problem);
/* Sorts the events by their beginnings, and writes them. */
bool trace_write(FILE *stream, frame_trace *trace, const bench_scene *scene, const measurement *run);
void trace_release(frame_trace *trace);

#endif
