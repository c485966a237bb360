/* trace.h: times the parts of a frame for the profile and the host's trace hook. Without both, no clock is read.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_TRACE_H
#define THRONG_KERNEL_BASE_TRACE_H

#include "base/clock.h"
#include "base/executor.h"

struct tracer {
  throng_trace_hook hook; /* event is NULL: none */
  bool timed;             /* there is a hook or a profile */
  uint64_t frame;         /* number of the current frame */
};

/* One worker's consecutive passes over the agents [begin, end). */
struct lap {
  const struct tracer *tracer;
  uint32_t worker, begin, end;
  uint64_t time; /* when it began */
};

/* The part of lap_end for worlds with a hook or a profile. */
void throng_trace_lap(struct lap *lap, throng_pass pass, uint64_t *sum);

static inline struct lap lap_start(const struct tracer *tracer, uint32_t worker, uint32_t begin, uint32_t end) {
  return (struct lap){tracer, worker, begin, end, tracer->timed ? throng_clock_now() : 0};
}
/* Ends a lap spent on `pass`, adds its time to *sum (NULL: no sum), and begins the next lap. */
static inline void lap_end(struct lap *lap, throng_pass pass, uint64_t *sum) {
  if (lap->tracer->timed) throng_trace_lap(lap, pass, sum);
}

/* Runs throng_executor_run with a lap of `pass` for each task. If first_agent is NULL, items are agents. */
void throng_trace_run(const struct tracer *tracer, const struct executor *executor, throng_pass pass, uint32_t count,
                      uint32_t grain, throng_task *task, const uint32_t *first_agent, void *context);

#endif
