// In-process speed of the reader on the profile that ICOUNT_BENCH_PROFILE names; scripts/bench reader makes one and
// runs this. The plain loop touches every byte and adds up every number: what any reader would need at least.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "icount/base/file.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"

namespace icount {
namespace {

const FileBytes& profile_bytes() {
  static const FileBytes bytes = [] {
    const char* path = std::getenv("ICOUNT_BENCH_PROFILE");
    return path ? load_file(path) : FileBytes(std::string("events: Ir\nfn=f\n1 1\n"));
  }();
  return bytes;
}

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(profile_bytes().view().size()));
}

void parse(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse_profile(profile_bytes().view(), "bench"));
  count_bytes(state);
}
BENCHMARK(parse)->Unit(benchmark::kMillisecond);

void parse_keeping_lines(benchmark::State& state) {
  ParseOptions options;
  options.keep_lines = true;
  for (auto _ : state) benchmark::DoNotOptimize(parse_profile(profile_bytes().view(), "bench", options));
  count_bytes(state);
}
BENCHMARK(parse_keeping_lines)->Unit(benchmark::kMillisecond);

void parse_into_cost_graph(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(make_cost_graph(parse_profile(profile_bytes().view(), "bench")));
  count_bytes(state);
}
BENCHMARK(parse_into_cost_graph)->Unit(benchmark::kMillisecond);

void plain_scanning_loop(benchmark::State& state) {
  for (auto _ : state) {
    uint64_t sum = 0, number = 0;
    for (const char c : profile_bytes().view()) {
      const auto digit = static_cast<unsigned char>(c - '0');
      if (digit < 10) {
        number = number * 10 + digit;
      } else {
        sum += number;
        number = 0;
      }
    }
    benchmark::DoNotOptimize(sum);
  }
  count_bytes(state);
}
BENCHMARK(plain_scanning_loop)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace icount

BENCHMARK_MAIN();
