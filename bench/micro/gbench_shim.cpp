// SPDX-License-Identifier: MIT
#include "micro/gbench_shim.h"

#include <benchmark/benchmark.h>

#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "common/summary.h"

namespace {

summary summarise(std::vector<double> times) { return summary_of(times.data(), static_cast<uint32_t>(times.size())); }
double minimum(const std::vector<double> &times) { return summarise(times).min; }
double spread(const std::vector<double> &times) { return summarise(times).spread; }

bool any_failed = false;

benchmark::State &real(gbench_state *state) { return *reinterpret_cast<benchmark::State *>(state); }

// Interleaved repetitions end in any order. This class reports the cases in the order of registration; it holds back a
// case until all cases before it have been reported.
class ordered_reporter : public benchmark::BenchmarkReporter {
public:
  explicit ordered_reporter(benchmark::BenchmarkReporter &display) : display_(display) {}

  bool ReportContext(const Context &context) override { return display_.ReportContext(context); }

  void ReportRuns(const std::vector<Run> &runs) override {
    waiting_[runs.front().family_index].push_back(runs);
    for (const Run &run : runs) remember_spread(run);
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first <= next_; first = waiting_.begin()) {
      next_ = first->first + 1;
      for (const auto &group : first->second) display_.ReportRuns(group);
      waiting_.erase(first);
    }
  }

  void Finalize() override {
    display_.Finalize();
    for (const auto &[family, warning] : warnings_) std::cerr << warning << '\n';
  }

private:
  void remember_spread(const Run &run) {
    const double part = run.real_accumulated_time;
    if (run.aggregate_name != "spread" || !(part > SPREAD_LIMIT)) return;
    const int percent = static_cast<int>(100 * part + 0.5);
    warnings_[run.family_index] = "throng-bench: warning: the repetitions of " + run.run_name.str() + " spread over " +
                                  std::to_string(percent) + " % of their median; is the machine busy?";
  }

  benchmark::BenchmarkReporter &display_;
  std::map<int64_t, std::vector<std::vector<Run>>> waiting_; // by family
  std::map<int64_t, std::string> warnings_;
  int64_t next_ = 0; // families are numbered from 0, without gaps
};

} // namespace

void gbench_register(const char *name, gbench_case *measure, const void *context) {
  auto run = [measure, context](benchmark::State &state) {
    measure(reinterpret_cast<gbench_state *>(&state), context);
  };
  benchmark::RegisterBenchmark(name, run)
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime()
      ->ComputeStatistics("min", minimum)
      ->ComputeStatistics("spread", spread, benchmark::StatisticUnit::kPercentage);
}

bool gbench_continue(gbench_state *state) { return real(state).KeepRunning(); }

void gbench_set_seconds(gbench_state *state, double seconds) { real(state).SetIterationTime(seconds); }

void gbench_fail(gbench_state *state, const char *text) {
  any_failed = true;
  real(state).SkipWithError(text);
}

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

int gbench_run(int count, char **arguments, const char *const *defaults) {
  std::vector<char *> all(arguments, arguments + 1);
  for (; *defaults; defaults++) all.push_back(const_cast<char *>(*defaults)); // read only
  all.insert(all.end(), arguments + 1, arguments + count);
  int left = static_cast<int>(all.size());
  all.push_back(nullptr);
  benchmark::Initialize(&left, all.data());
  if (benchmark::ReportUnrecognizedArguments(left, all.data())) return 2;
  ordered_reporter reporter(*benchmark::CreateDefaultDisplayReporter());
  const size_t chosen = benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return chosen == 0 ? 2 : any_failed ? 1 : 0;
}
