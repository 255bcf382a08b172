// The Timer: one task, timed in the ways of the ancestor's Timer. Over a callable it needs no compiler and no
// process; over any other TimeSource (a stub server's session) it is the same. Loops: timer/autorange.h,
// timer/steady_timing.h.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "timer/autorange.h"
#include "timer/do_not_optimize.h"
#include "timer/steady_timing.h"

namespace icount {

/// Runs a loop in this process; the clock is the steady one.
class CallableTimeSource : public TimeSource {
 public:
  /// `loop(n)` runs the statement n times.
  explicit CallableTimeSource(std::function<void(int64_t)> loop) : loop_(std::move(loop)) {}
  double run_block(int64_t number) override;

 private:
  std::function<void(int64_t)> loop_;
};

class Timer {
 public:
  /// Times `statement()`, whose result is kept from the optimiser. `spec` says what it is for printing.
  template <std::invocable Statement>
  explicit Timer(Statement statement, TaskSpec spec = {})
      : Timer(std::make_unique<CallableTimeSource>(make_loop(std::move(statement))), std::move(spec)) {}
  /// Times whatever `source` runs.
  Timer(std::unique_ptr<TimeSource> source, TaskSpec spec)
      : source_(std::move(source)), spec_(std::move(spec)) {}

  Measurement timeit(int64_t number = 1'000'000) { return icount::timeit(*source_, spec_, number); }
  Measurement blocked_autorange(const BlockedOptions& options = {}) {
    return icount::blocked_autorange(*source_, spec_, options);
  }
  Measurement adaptive_autorange(const AdaptiveOptions& options = {}) {
    return icount::adaptive_autorange(*source_, spec_, options);
  }
  SteadyResult time_steadily(const SteadyOptions& options = {}) {
    return icount::time_steadily(*source_, spec_, options);
  }

  const TaskSpec& task_spec() const { return spec_; }
  TimeSource& source() { return *source_; }

 private:
  template <typename Statement>
  static std::function<void(int64_t)> make_loop(Statement statement) {
    return [statement = std::move(statement)](int64_t number) mutable {
      for (int64_t i = 0; i < number; ++i) {
        if constexpr (std::is_void_v<std::invoke_result_t<Statement&>>)
          statement();
        else
          do_not_optimize(statement());
        clobber_memory();
      }
    };
  }

  std::unique_ptr<TimeSource> source_;
  TaskSpec spec_;
};

}  // namespace icount
