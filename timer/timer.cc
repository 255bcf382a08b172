#include "icount/timer/timer.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>

#include "icount/base/error.h"
#include "icount/timer/statement_source.h"

namespace icount {
namespace {

std::optional<ThreadControl> look_up(const char* getter, const char* setter) {
  const auto get = reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, getter));
  const auto set = reinterpret_cast<void (*)(int)>(::dlsym(RTLD_DEFAULT, setter));
  if (!get || !set) return std::nullopt;
  return ThreadControl{get, set};
}

}  // namespace

std::optional<ThreadControl> find_thread_control() {
  // at::get_num_threads(), at::set_num_threads(int): LibTorch sets OpenMP's number and those of its own pools.
  if (auto libtorch = look_up("_ZN2at15get_num_threadsEv", "_ZN2at15set_num_threadsEi")) return libtorch;
  return look_up("omp_get_max_threads", "omp_set_num_threads");
}

ThreadScope::ThreadScope(const std::optional<ThreadControl>& control, int num_threads) : control_(control) {
  if (control_) {
    before_ = control_->get();
    if (before_ != num_threads) control_->set(num_threads);
  } else if (num_threads != 1) {
    throw Error(ErrorKind::kUsage, fmt::format("num_threads is {}, but this program has neither LibTorch nor OpenMP to "
                                               "set it in; say how with CallableOptions::threads",
                                               num_threads));
  }
}

ThreadScope::~ThreadScope() {
  if (control_ && control_->get() != before_) control_->set(before_);
}

namespace {

TaskSpec spec_of(const TimerTask& task) {
  TaskSpec spec{task.stmt,      task.setup,       task.global_setup, task.label,
                task.sub_label, task.description, task.env,          task.num_threads};
  return task.language == Language::kPython ? clean_python_spec(std::move(spec)) : clean_cpp_spec(std::move(spec));
}

std::unique_ptr<StatementSource> source_of(const TimerTask& task, const TaskSpec& spec, StubTimingOptions options) {
  TimerArgs args;
  args.stmt = spec.stmt;
  args.setup = spec.setup;
  args.global_setup = compiler_text(spec.global_setup);
  args.language = task.language;
  args.num_threads = task.num_threads;
  args.torch = task.torch;
  if (options.environment.block().empty()) options.environment = current_environment();
  return std::make_unique<StatementSource>(std::move(args), std::move(options));
}

}  // namespace

double CallableTimeSource::run_block(int64_t number) {
  using Clock = std::chrono::steady_clock;
  if (setup_) setup_();
  loop_(1);  // a warm-up outside the clock, as PyTorch's compiled loop does
  Clock::time_point start = Clock::now();
  loop_(number);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Timer::Timer(std::unique_ptr<TimeSource> source, TaskSpec spec) : source_(std::move(source)), spec_(std::move(spec)) {}

Timer::Timer(std::unique_ptr<TimeSource> source, TaskSpec spec, std::optional<ThreadControl> threads)
    : source_(std::move(source)),
      spec_(std::move(spec)),
      threads_(threads ? std::move(threads) : find_thread_control()),
      is_callable_(true) {}

Timer::Timer(std::unique_ptr<StatementSource> source, TaskSpec spec)
    : statement_(source.get()), spec_(std::move(spec)) {
  source_ = std::move(source);
}

Timer::Timer(const TimerTask& task) : Timer(task, StubTimingOptions{}) {}

Timer::Timer(const TimerTask& task, StubTimingOptions options)
    : Timer(source_of(task, spec_of(task), std::move(options)), spec_of(task)) {}

Timer::Timer(Timer&&) noexcept = default;
Timer& Timer::operator=(Timer&&) noexcept = default;
Timer::~Timer() = default;

template <typename Work>
auto Timer::with_threads(Work work) {
  if (!is_callable_) return work();
  const ThreadScope scope(threads_, spec_.num_threads);
  return work();
}

BlockSizeSearch Timer::search(double min_run_time) {
  BlockSizeSearch found = search_block_size(*source_, min_run_time);
  if (!statement_) return found;  // a callable's result is kept; what a source of the user's says is handed on
  if (const auto removed = probe_removed(*source_, found))
    throw Error(ErrorKind::kTool, *removed + "; use its result, as in icount::keep(y)");
  return found;
}

Measurement Timer::timeit(int64_t number) {
  return with_threads([&] { return icount::timeit(*source_, spec_, number); });
}

Measurement Timer::blocked_autorange(const BlockedOptions& options) {
  return with_threads(
      [&] { return icount::blocked_autorange(*source_, spec_, options, search(options.min_run_time)); });
}

Measurement Timer::adaptive_autorange(const AdaptiveOptions& options) {
  return with_threads(
      [&] { return icount::adaptive_autorange(*source_, spec_, options, search(kAdaptiveSearchSeconds)); });
}

SteadyResult Timer::time_steadily(const SteadyOptions& options) {
  return with_threads([&] { return icount::time_steadily(*source_, spec_, options); });
}

CallgrindStats Timer::collect_callgrind(int64_t number) { return std::move(collect_callgrind(number, 1).front()); }

std::vector<CallgrindStats> Timer::collect_callgrind(int64_t number, int repeats) {
  return collect_callgrind(CollectCallgrindOptions{.number = number, .repeats = repeats});
}

std::vector<CallgrindStats> Timer::collect_callgrind(const CollectCallgrindOptions& options) {
  if (!statement_)
    throw Error(ErrorKind::kUsage,
                "a callable can't be counted: Valgrind must start the process that runs it, and this process is "
                "already running; give the statement as text, Timer({.stmt = \"...\"}), or count a program that runs "
                "it: icount count -- PROGRAM");
  return statement_->collect(spec_, options);
}

}  // namespace icount
