// Cases of Google Benchmark in the forms that it knows, with costs that are known: a body of N nops. Arguments of its
// own: --crash, --hang and --exit add a case that does that between two others, --escape adds cases that
// processes, threads and code escape from, --chatter prints, --duplicate adds a second case of one name.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

template <int kNops>
inline void nops() {
  asm volatile(".rept %c0\n nop\n .endr" ::"i"(kNops));
}

template <int kNops>
void BM_nops(benchmark::State& state) {
  for (auto _ : state) nops<kNops>();
}
BENCHMARK_TEMPLATE(BM_nops, 10);
BENCHMARK_TEMPLATE(BM_nops, 110);

void BM_pause(benchmark::State& state) {
  for (auto _ : state) {
    nops<110>();
    state.PauseTiming();
    nops<2000>();
    benchmark::DoNotOptimize(std::vector<int>(100, 1).data());
    state.ResumeTiming();
  }
}
BENCHMARK(BM_pause);

__attribute__((noinline)) void fill(std::vector<int>& values) {
  for (int i = 0; i < 20; ++i) values.push_back(i);
}
// The same calls while the timing pauses: 6 allocations count, and 6 do not.
void BM_pause_alike(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    {
      std::vector<int> values;
      fill(values);
    }
    state.ResumeTiming();
    std::vector<int> values;
    fill(values);
    benchmark::DoNotOptimize(values.data());
  }
}
BENCHMARK(BM_pause_alike);

void BM_pause_often(benchmark::State& state) {
  for (auto _ : state)
    for (int i = 0; i < 3; ++i) {
      state.PauseTiming();
      nops<2000>();
      state.ResumeTiming();
      nops<110>();
    }
}
BENCHMARK(BM_pause_often);

void BM_keep_running(benchmark::State& state) {
  while (state.KeepRunning()) nops<110>();
}
BENCHMARK(BM_keep_running);

void BM_batch(benchmark::State& state) {
  while (state.KeepRunningBatch(8)) nops<800>();
}
BENCHMARK(BM_batch);

void BM_linear(benchmark::State& state) {
  for (auto _ : state)
    for (int64_t i = 0; i < state.range(0); ++i) nops<50>();
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_linear)->RangeMultiplier(4)->Range(16, 1024)->Complexity();

struct Filled : benchmark::Fixture {
  std::vector<int> values;
  void SetUp(const benchmark::State& state) override { values.assign(static_cast<size_t>(state.range(0)), 7); }
  void TearDown(const benchmark::State&) override { values.clear(); }
};
BENCHMARK_DEFINE_F(Filled, copy)(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<int> copy = values;
    benchmark::DoNotOptimize(copy.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["depth"] = 7;
  state.counters["rate"] = benchmark::Counter(12, benchmark::Counter::kIsRate);
}
BENCHMARK_REGISTER_F(Filled, copy)->Arg(64)->Arg(1000);

void BM_captured(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    std::string doubled = text + text;
    benchmark::DoNotOptimize(doubled.data());
  }
}
BENCHMARK_CAPTURE(BM_captured, long_text, std::string(100, 'b'));

// What these cost depends on what is free on the heap, and on what earlier cases leave.
void BM_grow(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<int> values;
    for (int i = 0; i < 3000; ++i) values.push_back(i);
    benchmark::DoNotOptimize(values.data());
  }
}
BENCHMARK(BM_grow);

void BM_blocks(benchmark::State& state) {
  static std::vector<std::string> kept;
  for (auto _ : state) {
    for (size_t size = 1000; size < 20000; size += 700) kept.emplace_back(size, 'x');
    for (size_t i = 0; i < kept.size(); i += 3) kept[i] = std::string();
  }
  benchmark::DoNotOptimize(kept.data());
}
BENCHMARK(BM_blocks)->Arg(1)->Arg(2);

BENCHMARK_TEMPLATE(BM_nops, 20)->Repetitions(1);
BENCHMARK_TEMPLATE(BM_nops, 30)->Repetitions(2);
BENCHMARK_TEMPLATE(BM_nops, 40)->Repetitions(5);
BENCHMARK_TEMPLATE(BM_nops, 140)->Repetitions(4)->ReportAggregatesOnly(true);
void before_case(const benchmark::State&) { nops<1000>(); }
void behind_case(const benchmark::State&) { nops<2000>(); }
BENCHMARK_TEMPLATE(BM_nops, 150)->Setup(before_case)->Teardown(behind_case);
BENCHMARK_TEMPLATE(BM_nops, 50)->Iterations(1);
BENCHMARK_TEMPLATE(BM_nops, 60)->Iterations(7);
BENCHMARK_TEMPLATE(BM_nops, 70)->Threads(2);
BENCHMARK_TEMPLATE(BM_nops, 80)->MinTime(0.01);
BENCHMARK_TEMPLATE(BM_nops, 90)->Name("odd/name<with>,all:kinds (of) [signs]");

void BM_skipped(benchmark::State& state) {
  state.SkipWithError("nothing to do");
  for (auto _ : state) nops<10>();
}

void BM_costly(benchmark::State& state) {
  for (auto _ : state)
    for (int i = 0; i < 6000; ++i) nops<100>();
}

void BM_crash(benchmark::State& state) {
  for (auto _ : state) *static_cast<volatile int*>(nullptr) = 1;
}
void BM_hang(benchmark::State& state) {
  for (auto _ : state)
    for (volatile int i = 1; i != 0;) i = 1;
}
void BM_exit(benchmark::State& state) {
  for (auto _ : state) std::exit(0);
}

void BM_child(benchmark::State& state) {
  for (auto _ : state) {
    const pid_t child = fork();
    if (child == 0) {
      nops<10'000>();
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
}
void BM_thread_outlives(benchmark::State& state) {
  for (auto _ : state) std::thread(pause).detach();
}
void BM_code_of_a_memfd(benchmark::State& state) {
  const int file = memfd_create("jit", 0);
  if (ftruncate(file, 4096)) abort();
  for (auto _ : state) benchmark::DoNotOptimize(mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0));
}
// What is done while timing is paused is none of the region's, and a thread that is waited for is counted.
void BM_child_in_pause(benchmark::State& state) {
  for (auto _ : state) {
    nops<10>();
    state.PauseTiming();
    (void)!std::system("true");
    state.ResumeTiming();
    std::thread([] { nops<100>(); }).join();
  }
}

int main(int argc, char** argv) {
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "--crash"))
      benchmark::RegisterBenchmark("crash", BM_crash);
    else if (!strcmp(argv[i], "--hang"))
      benchmark::RegisterBenchmark("hang", BM_hang);
    else if (!strcmp(argv[i], "--exit"))
      benchmark::RegisterBenchmark("exit", BM_exit);
    else if (!strcmp(argv[i], "--skip"))
      benchmark::RegisterBenchmark("skip", BM_skipped);
    else if (!strcmp(argv[i], "--escape")) {
      benchmark::RegisterBenchmark("child", BM_child)->Iterations(3);
      benchmark::RegisterBenchmark("thread", BM_thread_outlives)->Iterations(3);
      benchmark::RegisterBenchmark("jit", BM_code_of_a_memfd)->Iterations(3);
      benchmark::RegisterBenchmark("pause", BM_child_in_pause)->Iterations(3);
    } else if (!strcmp(argv[i], "--costly"))
      benchmark::RegisterBenchmark("costly", BM_costly);
    else if (!strcmp(argv[i], "--chatter"))
      std::puts("a line of my own");
    else if (!strcmp(argv[i], "--duplicate"))
      benchmark::RegisterBenchmark("BM_nops<10>", BM_nops<15>);
    else
      argv[kept++] = argv[i];
  }
  argc = kept;
  for (int i = 1; i <= 3; ++i)
    benchmark::RegisterBenchmark(("lambda/" + std::to_string(i)).c_str(), [i](benchmark::State& state) {
      for (auto _ : state)
        for (int k = 0; k < i; ++k) nops<10>();
    });
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
