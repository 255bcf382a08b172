#include "icount/suite/wall_time.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>

#include "icount/base/error.h"
#include "icount/base/parallel.h"
#include "icount/suite/labels.h"
#include "icount/suite/plan.h"
#include "icount/suite/python_torch.h"
#include "icount/timer/steady_timing.h"

namespace icount {
std::string to_text(const CoreRange& range) {
  return range.first == range.last ? fmt::format("{}", range.first) : fmt::format("{}-{}", range.first, range.last);
}

CorePool::CorePool(const CoreRange& range) : range_(range), taken_(static_cast<size_t>(range.size())) {
  ICOUNT_CHECK(range.first >= 0 && range.last >= range.first, "a core pool needs a core");
}

std::optional<CoreRange> CorePool::reserve(int cores) {
  ICOUNT_CHECK(cores >= 1, "a reservation is of one core or more");
  if (cores > size()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} cores were asked for, but there are only cores {}", cores, to_text(range_)));
  }
  int free = 0;
  for (int i = 0; i < size(); ++i) {
    free = taken_[i] ? 0 : free + 1;
    if (free < cores) continue;
    for (int j = i - cores + 1; j <= i; ++j) taken_[j] = true;
    return CoreRange{range_.first + i - cores + 1, range_.first + i};
  }
  return std::nullopt;
}

void CorePool::release(const CoreRange& range) {
  for (int core = range.first; core <= range.last; ++core) {
    ICOUNT_CHECK(core >= range_.first && core <= range_.last && taken_[core - range_.first],
                 "released cores that were not reserved");
    taken_[core - range_.first] = false;
  }
}

namespace {

constexpr int kCoresLeftAlone = 3;  // as PyTorch leaves them, for the system and for us

/// The calling thread, and what it starts, runs on these cores alone. False where that is refused.
bool pin_thread(const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(static_cast<size_t>(core), &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

/// Table and row for `icount compare`: the first part of the label and the others.
TaskSpec spec_of(const Benchmark& benchmark) {
  const TimerArgs& args = benchmark.timer_args;
  TaskSpec spec;
  spec.stmt = args.stmt;
  spec.setup = args.setup;
  spec.global_setup = args.global_setup;
  spec.num_threads = args.num_threads;
  if (args.label.empty()) return spec;
  spec.label = args.label.front();
  spec.sub_label = to_text(Label(args.label.begin() + 1, args.label.end()));
  return spec;
}

TimingSession make_stub_session(std::span<const TimerArgs> statements, const StubTimingOptions& options) {
  auto timing = std::make_shared<const StubTiming>(statements, options);
  TimingSession session;
  session.failure = [timing](size_t statement) {
    const TimingFailure* failure = timing->failure(statement);
    return failure ? failure->error : std::string();
  };
  session.open = [timing](size_t statement) { return timing->open(statement); };
  return session;
}

/// Benchmarks of one toolchain: one session, as many at once as the cores allow.
class WallTimes {
 public:
  WallTimes(std::span<const Benchmark> benchmarks, const WallTimeOptions& options,
            const MakeTimingSession& make_session)
      : benchmarks_(benchmarks),
        options_(options),
        make_session_(make_session),
        pool_({0, static_cast<int>(options.cores.size()) - 1}) {
    progress_.total = benchmarks.size();
  }

  WallTimeSummary run() {
    std::vector<size_t> python, others;
    for (size_t i = 0; i < benchmarks_.size(); ++i)
      (benchmarks_[i].timer_args.language == Language::kPython ? python : others).push_back(i);
    // Programs are compiled before anything is timed: the compiler must not share the machine with a clock.
    std::vector<TimingSession> sessions;
    for (const std::vector<size_t>* group : {&others, &python}) sessions.push_back(make(*group));
    time_group(others, sessions[0]);
    time_group(python, sessions[1]);
    if (failure_) std::rethrow_exception(failure_);
    summary_.cancelled = summary_.timed + summary_.failed < benchmarks_.size();
    return summary_;
  }

 private:
  TimingSession make(const std::vector<size_t>& group) {
    if (group.empty() || stopped()) return {};
    std::vector<TimerArgs> statements;
    for (const size_t i : group) statements.push_back(benchmarks_[i].timer_args);
    StubTimingOptions timing = options_.timing;
    timing.on_progress = [this](const std::string& text) {
      progress_.stage = text;
      if (options_.on_progress) options_.on_progress(progress_);
    };
    const bool torch =
        std::any_of(statements.begin(), statements.end(), [](const TimerArgs& args) { return args.torch; });
    if (statements[0].language == Language::kPython && torch && !make_session_) {
      const auto found = probe_python_torch(timing.toolchain, timing.environment);
      if (const PythonTorch* python = std::get_if<PythonTorch>(&found))
        timing.toolchain.python = python->python.string();
    }
    return make_session_ ? make_session_(statements, timing) : make_stub_session(statements, timing);
  }

  void time_group(const std::vector<size_t>& group, const TimingSession& session) {
    if (group.empty() || !session.open) return;
    next_ = 0;
    // Not on this thread, which would stay on the cores of what it timed.
    const auto workers = start_threads(static_cast<size_t>(pool_.size()), [&] { work(group, session); });
    if (workers.empty())
      throw Error(ErrorKind::kIo, "cannot start a thread to time on: too many processes and threads, or no memory");
  }

  void work(const std::vector<size_t>& group, const TimingSession& session) {
    std::unique_lock lock(mutex_);
    while (next_ < group.size() && !stopped_locked()) {
      const size_t at = next_;
      const auto range = pool_.reserve(std::min(pool_.size(), benchmarks_[group[at]].timer_args.num_threads));
      if (!range) {
        wait_on(freed_, lock);
        continue;
      }
      ++next_;
      lock.unlock();
      const std::vector<int> cores(options_.cores.begin() + range->first, options_.cores.begin() + range->last + 1);
      time_one(group[at], at, session, cores);
      lock.lock();
      pool_.release(*range);
      freed_.notify_all();
    }
    freed_.notify_all();
  }

  void time_one(size_t index, size_t statement, const TimingSession& session, const std::vector<int>& cores) {
    std::string why = session.failure(statement);
    if (!why.empty()) return give_failure(index, why);
    try {
      const bool pinned = pin_thread(cores);
      const auto source = session.open(statement);
      SteadyOptions steady;
      steady.min_run_time = options_.min_run_time;
      const SteadyResult result = time_steadily(*source, spec_of(benchmarks_[index]), steady);
      Json facts = probe_timing_surroundings(pinned ? std::optional(cores.front()) : std::nullopt);
      if (cores.size() > 1 && pinned) facts["cores"] = cores;
      Json metadata = {{"surroundings", std::move(facts)}};
      if (!result.notes.empty()) metadata["notes"] = result.notes;
      const Measurement& m = result.measurement;
      give_time(index, Measurement(m.number_per_run(), m.raw_times(), m.task_spec(), std::move(metadata)));
    } catch (const Error& error) {
      if (!stopped()) give_failure(index, error.what());
    }
  }

  void give_time(size_t index, const Measurement& measurement) {
    const std::lock_guard lock(mutex_);
    guarded([&] { options_.on_time(index, measurement); });
    ++summary_.timed;
    say(index);
  }

  void give_failure(size_t index, const std::string& why) {
    const std::lock_guard lock(mutex_);
    guarded([&] { options_.on_failure(index, why); });
    ++summary_.failed;
    say(index);
  }

  void say(size_t index) {
    progress_.stage.clear();
    progress_.done = summary_.timed + summary_.failed;
    progress_.failed = summary_.failed;
    progress_.label = benchmark_name(benchmarks_[index]);
    if (options_.on_progress) guarded([&] { options_.on_progress(progress_); });
  }

  /// What a callback throws must not leave a thread.
  template <typename Call>
  void guarded(Call call) {
    if (failure_) return;
    try {
      call();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  bool stopped_locked() const { return failure_ || (options_.timing.cancelled && options_.timing.cancelled()); }
  bool stopped() {
    const std::lock_guard lock(mutex_);
    return stopped_locked();
  }

  std::span<const Benchmark> benchmarks_;
  const WallTimeOptions& options_;
  const MakeTimingSession& make_session_;
  std::mutex mutex_;  // everything below
  std::condition_variable freed_;
  CorePool pool_;
  size_t next_ = 0;
  BatchProgress progress_;
  WallTimeSummary summary_;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<int> choose_timing_cores(std::vector<int> allowed, int widest) {
  const int all = static_cast<int>(allowed.size());
  const int wanted = std::min(all, std::max({1, widest, all - kCoresLeftAlone}));
  return {allowed.end() - wanted, allowed.end()};
}

std::vector<int> probe_allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return {0};
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(static_cast<size_t>(core), &set)) cores.push_back(core);
  return cores;
}

WallTimeSummary run_wall_times(std::span<const Benchmark> benchmarks, const WallTimeOptions& options,
                               const MakeTimingSession& make_session) {
  if (benchmarks.empty()) return {};
  return WallTimes(benchmarks, options, make_session).run();
}

}  // namespace icount
