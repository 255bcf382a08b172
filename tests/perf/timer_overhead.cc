// What timing costs beside what is timed, for scripts/bench timer: blocked_autorange of a statement of about a
// microsecond, as a callable in this process and as text in a stub server. Prints one line of JSON for each.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "icount/timer/timer.h"

namespace {

using icount::Timer;

/// Counts the blocks and seconds that went through a source.
class Counted : public icount::TimeSource {
 public:
  explicit Counted(icount::TimeSource& source) : source_(source) {}
  double run_block(int64_t number) override {
    ++blocks;
    const double seconds = source_.run_block(number);
    timed += seconds;
    return seconds;
  }
  void expect_another() override { source_.expect_another(); }
  int64_t blocks = 0;
  double timed = 0;

 private:
  icount::TimeSource& source_;
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void measure(const char* name, Timer& timer) {
  timer.timeit(1);  // compiles and starts what has to be
  const icount::BlockSizeSearch search = icount::search_block_size(timer.source(), 0.2);
  Counted counted(timer.source());
  const double begin = now();
  const icount::Measurement measurement = icount::blocked_autorange(counted, timer.task_spec(), {});
  const double wall = now() - begin;
  std::printf(
      "{\"kind\": \"%s\", \"median\": %.9g, \"number\": %lld, \"overhead_of_block\": %.9g, \"wall\": %.9g, "
      "\"beside_a_block\": %.9g}\n",
      name, measurement.median(), static_cast<long long>(measurement.number_per_run()),
      search.overhead_seconds / search.steps.back().seconds, wall,
      (wall - counted.timed) / static_cast<double>(counted.blocks));
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  double x = 1;
  Timer callable([&x] {
    for (int i = 0; i < 580; ++i) x = x * 0.999999 + 1e-9;
    return x;
  });
  Timer text({.stmt = "for (int i = 0; i < 580; ++i) x = x * 0.999999 + 1e-9; icount::keep(x);",
              .setup = "double x = 1;",
              .torch = false});
  for (int round = 0; round < rounds; ++round) {
    measure("callable", callable);
    measure("text", text);
  }
  return 0;
}
