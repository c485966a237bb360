// SPDX-License-Identifier: MIT
#include "gbench_shim.h"

#include <benchmark/benchmark.h>

namespace {

benchmark::State &real(gbench_state *state) { return *reinterpret_cast<benchmark::State *>(state); }

} // namespace

void gbench_register(const char *name, gbench_case *measure, const void *context) {
  auto run = [measure, context](benchmark::State &state) {
    measure(reinterpret_cast<gbench_state *>(&state), context);
  };
  benchmark::RegisterBenchmark(name, run)->Unit(benchmark::kMillisecond)->UseManualTime();
}

bool gbench_continue(gbench_state *state) { return real(state).KeepRunning(); }

void gbench_set_seconds(gbench_state *state, double seconds) { real(state).SetIterationTime(seconds); }

void gbench_fail(gbench_state *state, const char *text) { real(state).SkipWithError(text); }

void gbench_set_items(gbench_state *state, double items_per_piece) {
  real(state).SetItemsProcessed(static_cast<int64_t>(items_per_piece * static_cast<double>(real(state).iterations())));
}

void gbench_set_bytes(gbench_state *state, double bytes_per_piece) {
  real(state).SetBytesProcessed(static_cast<int64_t>(bytes_per_piece * static_cast<double>(real(state).iterations())));
}

void gbench_set_counter(gbench_state *state, const char *name, double value) { real(state).counters[name] = value; }

void gbench_set_rate(gbench_state *state, const char *name, double value_per_piece) {
  real(state).counters[name] = benchmark::Counter(value_per_piece, benchmark::Counter::kIsIterationInvariantRate);
}

double gbench_last_cache_bytes() {
  int last = 0, bytes = 0;
  for (const auto &cache : benchmark::CPUInfo::Get().caches) {
    if (cache.level < last || cache.type == "Instruction") continue;
    last = cache.level;
    bytes = cache.size;
  }
  return bytes;
}

int gbench_run(int count, char **arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
