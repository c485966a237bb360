/* The time line of some frames: the kernel's events, recorded, and written as a Chrome trace, which ui.perfetto.dev and
 * chrome://tracing open.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

#include <stdio.h>

#include "runner/measure.h"

/* One worker's events, as they came: by their ends. In a cache line of its own, which the worker keeps. */
typedef struct trace_row {
  _Alignas(64) throng_trace_event *events;
  size_t count, capacity;
  bool cut; /* memory did not suffice */
} trace_row;

typedef struct frame_trace {
  trace_row *rows; /* [workers] */
  uint32_t workers;
} frame_trace;

/* Runs the combination that `run` names and records its first `frames` timed frames. */
bool trace_record(frame_trace *trace, const measurement *run, const measure_context *context, uint32_t frames,
                  bench_problem *problem);
/* Sorts the events by their begins and writes them. */
bool trace_write(FILE *stream, frame_trace *trace, const bench_scene *scene, const measurement *run);
void trace_release(frame_trace *trace);

#endif
