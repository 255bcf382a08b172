// The Timer: one task, timed in the ways of PyTorch's Timer. Over a callable it needs no compiler and no process;
// over a statement as text it builds a stub, times it in a process of its own, and can count its instructions, too;
// over any other TimeSource it is the same. Loops: timer/autorange.h, timer/steady_timing.h; statements:
// timer/stub_timing.h.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "icount/harness/timer_args.h"
#include "icount/stats/callgrind_stats.h"
#include "icount/timer/autorange.h"
#include "icount/timer/steady_timing.h"

namespace icount {

// Keeps the optimiser from removing work whose result nobody looks at. Free of everything else, so that stubs
// and users' own programs may include it.

/// The compiler must have `value` ready here, and may not assume that it stays the same.
template <typename Value>
inline void do_not_optimize(Value&& value) {
  using Plain = std::remove_reference_t<Value>;
  if constexpr (std::is_const_v<Plain>)
    asm volatile("" : : "g"(&value) : "memory");
  else
    asm volatile("" : "+m"(value) : : "memory");
}

/// All memory may have been read and written here.
inline void clobber_memory() { asm volatile("" : : : "memory"); }

// How many threads a library of this process uses, set for a while: what a Timer over a callable does with num_threads.
// For statements as text the stub does it (harness/stubs/stub_server.h).

/// Reads and sets a number of threads.
struct ThreadControl {
  std::function<int()> get;
  std::function<void(int)> set;
};

/// That of LibTorch, else of OpenMP, when this program has one loaded; looked up by name, so nothing is linked for it.
std::optional<ThreadControl> find_thread_control();

/// Sets a number of threads and restores the one before at its end.
class ThreadScope {
 public:
  /// Without a control, one thread is taken for what there is; Error{kUsage} for any other number.
  ThreadScope(const std::optional<ThreadControl>& control, int num_threads);
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;
  ~ThreadScope();

 private:
  const std::optional<ThreadControl>& control_;
  int before_ = 0;
};

struct StubTimingOptions;
class StatementSource;

/// A statement as text, under the names that PyTorch's Timer gives its arguments.
struct TimerTask {
  std::string stmt;
  std::string setup = {};         ///< runs before each block, outside the timed part
  std::string global_setup = {};  ///< file scope; C++ and TorchScript only
  Language language = Language::kCpp;
  int num_threads = 1;
  std::optional<std::string> label = {}, sub_label = {}, description = {}, env = {};
  bool torch = true;  ///< C++: false for plain C++, without LibTorch
};

/// What collect_callgrind takes and keeps, under the names of PyTorch's Timer.
struct CollectCallgrindOptions {
  int64_t number = 100;
  int repeats = 1;
  bool collect_baseline = true;  ///< false: CallgrindStats::baseline is empty; only Python statements have one
  bool retain_out_file = false;  ///< CallgrindStats::stmt_callgrind_out is the text of the profile
};

/// What a callable may need beside itself.
struct CallableOptions {
  std::function<void()> setup = {};           ///< runs before each block, outside the timed part
  std::optional<ThreadControl> threads = {};  ///< absent: LibTorch's or OpenMP's, where this program has one
};

/// Runs a loop in this process; the clock is the steady one.
class CallableTimeSource : public TimeSource {
 public:
  /// `loop(n)` runs the statement n times.
  explicit CallableTimeSource(std::function<void(int64_t)> loop, std::function<void()> setup = {})
      : loop_(std::move(loop)), setup_(std::move(setup)) {}
  double run_block(int64_t number) override;

 private:
  std::function<void(int64_t)> loop_;
  std::function<void()> setup_;
};

class Timer {
 public:
  /// Times `statement()`, whose result is kept from the optimiser. `spec` says what it is for printing; its num_threads
  /// is set while a method runs and restored after. Error{kUsage} from there when it is not 1 and nothing can set it.
  template <std::invocable Statement>
  explicit Timer(Statement statement, TaskSpec spec = {}, CallableOptions options = {})
      : Timer(std::make_unique<CallableTimeSource>(make_loop(std::move(statement)), std::move(options.setup)),
              std::move(spec), std::move(options.threads)) {}
  /// Times whatever `source` runs.
  Timer(std::unique_ptr<TimeSource> source, TaskSpec spec);
  /// Times a statement as text, in this process's environment. Compiled when first needed; what is wrong with it is an
  /// Error{kTool} from there with the compiler's words. Error{kUsage} for a Python task with a global_setup.
  explicit Timer(const TimerTask& task);
  /// The same with a toolchain, an environment (empty: this process's), a cache folder, a core or limits of your own;
  /// with options.on_device for work that a CUDA device does (timer/stub_timing.h says what that takes).
  Timer(const TimerTask& task, StubTimingOptions options);
  Timer(Timer&&) noexcept;
  Timer& operator=(Timer&&) noexcept;
  ~Timer();

  /// Warm-up, then one block. Error{kUsage} when number is below 1.
  /// A statement that the compiler removed has times here, too, as in PyTorch: those of an empty loop.
  Measurement timeit(int64_t number = 1'000'000);
  /// Error{kTool} for a statement as text that the compiler removed: its blocks would hardly ever fill the time. With
  /// StubTimingOptions::cold_bytes the block that finds this out may itself exceed block_limit.
  Measurement blocked_autorange(const BlockedOptions& options = {});
  /// Errors as there.
  Measurement adaptive_autorange(const AdaptiveOptions& options = {});
  /// Beyond PyTorch: until the median's interval is narrow enough, with the reason why it stopped.
  SteadyResult time_steadily(const SteadyOptions& options = {});

  /// Instructions of `number` runs, counted under Callgrind. Statements as text only: Error{kUsage} for a callable,
  /// which says what to do instead. Error{kTool} when the statement fails or there is no Valgrind.
  CallgrindStats collect_callgrind(int64_t number = 100);
  /// The same `repeats` times, each in a process of its own. Error{kUsage} when repeats is below 1.
  std::vector<CallgrindStats> collect_callgrind(int64_t number, int repeats);
  /// The same, as the options say: as many as options.repeats.
  std::vector<CallgrindStats> collect_callgrind(const CollectCallgrindOptions& options);

  const TaskSpec& task_spec() const { return spec_; }
  TimeSource& source() { return *source_; }

 private:
  Timer(std::unique_ptr<TimeSource> source, TaskSpec spec, std::optional<ThreadControl> threads);
  Timer(std::unique_ptr<StatementSource> source, TaskSpec spec);

  /// `work()`, with the threads of a callable set meanwhile.
  template <typename Work>
  auto with_threads(Work work);

  /// The search for a block size; Error{kTool} when it shows that the compiler removed the statement.
  BlockSizeSearch search(double min_run_time);

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
  StatementSource* statement_ = nullptr;  // source_, when it is one
  TaskSpec spec_;
  std::optional<ThreadControl> threads_;
  bool is_callable_ = false;  // threads are then set here; a stub sets them itself
};

}  // namespace icount
