// Cases of nanobench: a stand-in with the functions that the library calls around a benchmark, in its order, so that
// the test needs no download. Options of its own: --crash lets the second case crash.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace ankerl::nanobench {
class Bench;
namespace detail {
struct PerformanceCounters {
  void beginMeasure();
  void endMeasure();
  void updateResults(uint64_t) {}
};
class IterationLogic {
 public:
  explicit IterationLogic(Bench const& bench);
  uint64_t numIters() const noexcept;
  void add(std::chrono::nanoseconds elapsed, PerformanceCounters const& pc) noexcept;

 private:
  uint64_t left_ = 3;
};
}  // namespace detail
class Bench {
 public:
  Bench& name(char const* name);
  template <typename Op>
  Bench& run(char const* title, Op&& op) {
    name(title);
    detail::IterationLogic logic(*this);
    detail::PerformanceCounters counters;
    while (auto n = logic.numIters()) {
      counters.beginMeasure();
      const auto before = std::chrono::steady_clock::now();
      while (n-- > 0) op();
      const auto after = std::chrono::steady_clock::now();
      counters.endMeasure();
      counters.updateResults(logic.numIters());
      logic.add(after - before, counters);
    }
    return *this;
  }

 private:
  std::string name_;
};
// Out of line, as where ANKERL_NANOBENCH_IMPLEMENT stands in a file of its own.
#define OUT_OF_LINE __attribute__((noinline, noipa))
OUT_OF_LINE Bench& Bench::name(char const* name) {
  name_ = name;
  return *this;
}
namespace detail {
OUT_OF_LINE void PerformanceCounters::beginMeasure() {}
OUT_OF_LINE void PerformanceCounters::endMeasure() {}
OUT_OF_LINE IterationLogic::IterationLogic(Bench const&) {}
OUT_OF_LINE uint64_t IterationLogic::numIters() const noexcept { return left_; }
OUT_OF_LINE void IterationLogic::add(std::chrono::nanoseconds, PerformanceCounters const&) noexcept { --left_; }
}  // namespace detail
}  // namespace ankerl::nanobench

template <int kNops>
inline void nops() {
  asm volatile(".rept %c0\n nop\n .endr" ::"i"(kNops));
}

int main(int argc, char** argv) {
  const bool crashes = argc > 1 && !strcmp(argv[1], "--crash");
  ankerl::nanobench::Bench bench;
  int calls = 0;
  bench.run("ten", [&] {
    nops<10>();
    ++calls;
  });
  if (calls == 0) return 3;  // what comes behind a benchmark may need it
  bench.run("second", [&] {
    if (crashes) *static_cast<volatile int*>(nullptr) = 1;
    nops<20>();
  });
  bench.run("a hundred and ten", [&] {
    nops<110>();
    ++calls;
  });
}
