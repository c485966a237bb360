/* trace.h: the clock of a frame, for the profile's sums and the host's trace hook; not read where there is neither.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_TRACE_H
#define THRONG_TRACE_H

#include "base/executor.h"

struct tracer {
  throng_trace_hook hook; /* event is NULL: none */
  bool timed;             /* there is a hook or a profile */
  uint64_t frame;         /* number of the frame at work */
};

/* A monotonic clock in nanoseconds. */
uint64_t throng_trace_clock(void);

/* One worker's passes over agents [begin, end), one after another. */
struct lap {
  const struct tracer *tracer;
  uint32_t worker, begin, end;
  uint64_t time; /* when it began */
};

/* What lap_end does where somebody wants the time. */
void throng_trace_lap(struct lap *lap, throng_pass pass, uint64_t *sum);

static inline struct lap lap_start(const struct tracer *tracer, uint32_t worker, uint32_t begin, uint32_t end) {
  return (struct lap){tracer, worker, begin, end, tracer->timed ? throng_trace_clock() : 0};
}
/* Ends a lap spent on `pass`, adds its time to *sum (NULL: nobody sums) and starts the next one. */
static inline void lap_end(struct lap *lap, throng_pass pass, uint64_t *sum) {
  if (lap->tracer->timed) throng_trace_lap(lap, pass, sum);
}

/* throng_executor_run, each piece a lap of `pass`. Where first_agent is NULL the items are agents. */
void throng_trace_run(const struct tracer *tracer, const struct executor *executor, throng_pass pass, uint32_t count,
                      uint32_t grain, throng_task *task, const uint32_t *first_agent, void *context);

#endif
