// SPDX-License-Identifier: MIT
#include "gbench_shim.h"

#include <benchmark/benchmark.h>

static benchmark::State &real(gbench_state *state) { return *reinterpret_cast<benchmark::State *>(state); }

void gbench_register(const char *name, gbench_case *measure, const void *context, bool times_itself) {
  auto run = [measure, context](benchmark::State &state) {
    measure(reinterpret_cast<gbench_state *>(&state), context);
  };
  auto *registered = benchmark::RegisterBenchmark(name, run)->Unit(benchmark::kMillisecond);
  if (times_itself) {
    registered->UseManualTime();
  } else {
    registered->UseRealTime();
  }
}

void gbench_set_seconds(gbench_state *state, double seconds) { real(state).SetIterationTime(seconds); }

bool gbench_continue(gbench_state *state) { return real(state).KeepRunning(); }

void gbench_pause(gbench_state *state) { real(state).PauseTiming(); }

void gbench_resume(gbench_state *state) { real(state).ResumeTiming(); }

void gbench_fail(gbench_state *state, const char *text) { real(state).SkipWithError(text); }

void gbench_set_items(gbench_state *state, double items_per_piece) {
  real(state).SetItemsProcessed(static_cast<int64_t>(items_per_piece * static_cast<double>(real(state).iterations())));
}

void gbench_set_counter(gbench_state *state, const char *name, double value) { real(state).counters[name] = value; }

void gbench_set_rate(gbench_state *state, const char *name, double value_per_piece) {
  real(state).counters[name] = benchmark::Counter(value_per_piece, benchmark::Counter::kIsIterationInvariantRate);
}

int gbench_run(int count, char **arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
