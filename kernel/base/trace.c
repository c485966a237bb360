/* trace.c: see trace.h. SPDX-License-Identifier: MIT */
#include "base/assertion.h"
#include "base/trace.h"

void throng_trace_lap(struct lap *lap, throng_pass pass, uint64_t *sum) {
  ASSERT_ALONE((unsigned)pass < THRONG_PASS_COUNT && lap->begin <= lap->end);
  const struct tracer *tracer = lap->tracer;
  const uint64_t now = throng_clock_now();
  if (sum) *sum += now - lap->time;
  if (tracer->hook.event && lap->begin < lap->end) {
    const throng_trace_event event = {.pass = pass,
                                      .worker = lap->worker,
                                      .begin = lap->begin,
                                      .end = lap->end,
                                      .frame = tracer->frame,
                                      .begin_ns = lap->time,
                                      .end_ns = now};
    tracer->hook.event(&event, tracer->hook.context);
  }
  lap->time = now;
}

struct traced_task {
  const struct tracer *tracer;
  throng_pass pass;
  throng_task *task;
  const uint32_t *first_agent;
  void *context;
};

static void run_lap(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct traced_task *traced = context;
  const uint32_t *first = traced->first_agent;
  struct lap lap = lap_start(traced->tracer, worker, first ? first[begin] : begin, first ? first[end] : end);
  traced->task(begin, end, worker, traced->context);
  lap_end(&lap, traced->pass, NULL);
}

void throng_trace_run(const struct tracer *tracer, const struct executor *executor, throng_pass pass, uint32_t count,
                      uint32_t grain, throng_task *task, const uint32_t *first_agent, void *context) {
  struct traced_task traced = {tracer, pass, task, first_agent, context};
  if (tracer->hook.event)
    throng_executor_run(executor, count, grain, run_lap, first_agent, &traced);
  else
    throng_executor_run(executor, count, grain, task, first_agent, context);
}

static const char *const names[THRONG_PASS_COUNT] = {"frame",     "strips",    "neighbours", "behaviours", "integrate",
                                                     "constrain", "contact",   "facing",     "index",      "check",
                                                     "keys",      "histogram", "scatter",    "bands"};

const char *throng_pass_name(throng_pass pass) { return (unsigned)pass < THRONG_PASS_COUNT ? names[pass] : "?"; }
