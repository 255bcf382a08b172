#include "icount/timer/collect_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgrind/valgrind_log.h"
#include "icount/harness/stub_client.h"
#include "icount/harness/stub_source.h"
#include "icount/timer/batch_gathering.h"
#include "icount/timer/count_gaps.h"

namespace icount {
namespace {

/// One child: a repeat of one statement.
struct PlannedJob {
  StubJob job;
  int attempts = 0;  ///< servers that it was handed to

  size_t statement() const { return static_cast<size_t>(job.benchmark); }
};

/// Waiting jobs and those in flight. CollectOptions::running counts the latter, over all batches.
class JobQueue {
 public:
  explicit JobQueue(const CollectOptions& options) : options_(options) {}
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;
  ~JobQueue() { lose_in_flight(); }

  bool empty() const { return waiting_.empty(); }
  bool has_in_flight() const { return !in_flight_.empty(); }
  const std::deque<PlannedJob>& waiting() const { return waiting_; }

  void push(PlannedJob job) { waiting_.push_back(std::move(job)); }
  PlannedJob pop();
  /// A job whose server was lost is tried again alone: then its neighbours are not lost with it.
  bool may_submit() const;

  int64_t make_id() { return next_id_++; }
  /// The job was handed to a server.
  void note_submitted(const PlannedJob& job);
  /// The job of this id has ended; nullopt when it is none of ours.
  std::optional<PlannedJob> take_ended(int64_t id);
  /// The jobs that a lost server worked on; nothing is in flight then.
  std::vector<PlannedJob> lose_in_flight();

 private:
  void note_running(int change) const;

  const CollectOptions& options_;
  std::deque<PlannedJob> waiting_;
  std::map<int64_t, PlannedJob> in_flight_;
  int64_t next_id_ = 1;
};

/// How many jobs a statement has.
int jobs_per_statement(const CollectOptions& options) {
  return options.markers == Markers::kToggle ? 1 : options.repeats;
}

/// All jobs of a batch, in the order of its members.
std::vector<PlannedJob> plan_jobs(const CollectBatch& batch) {
  const CollectOptions& options = batch.options;
  const bool toggling = options.markers == Markers::kToggle;
  std::vector<PlannedJob> jobs;
  for (const size_t member : batch.members) {
    for (int repeat = 0; repeat < jobs_per_statement(options); ++repeat) {
      PlannedJob planned;
      planned.job.benchmark = static_cast<int64_t>(member);
      planned.job.mode = toggling ? JobMode::kToggle : JobMode::kCallgrind;
      planned.job.number = options.number;
      planned.job.repeats = options.repeats;
      planned.job.then = options.slope && repeat == 0 && !toggling ? options.number : 0;
      planned.job.threads = batch.statements[member].num_threads;
      planned.job.per_thread = options.per_thread && !toggling;
      planned.job.align = options.pins.holds(Pin::kStack);
      planned.job.limit_seconds = options.time_limit.count();
      planned.job.objects = repeat == 0;
      jobs.push_back(std::move(planned));
    }
  }
  return jobs;
}

/// Whether any statement of the batch runs on several threads.
bool uses_threads(const CollectBatch& batch) {
  return std::any_of(batch.members.begin(), batch.members.end(),
                     [&](size_t member) { return batch.statements[member].num_threads > 1; });
}

PlannedJob JobQueue::pop() {
  PlannedJob job = std::move(waiting_.front());
  waiting_.pop_front();
  return job;
}

bool JobQueue::may_submit() const {
  if (waiting_.empty()) return false;
  if (in_flight_.empty()) return true;
  const bool alone = waiting_.front().attempts > 0 || in_flight_.begin()->second.attempts > 1;
  const int running = options_.running ? options_.running->load() : static_cast<int>(in_flight_.size());
  return !alone && running < options_.jobs;
}

void JobQueue::note_submitted(const PlannedJob& job) {
  in_flight_[job.job.id] = job;
  note_running(1);
}

std::optional<PlannedJob> JobQueue::take_ended(int64_t id) {
  const auto at = in_flight_.find(id);
  if (at == in_flight_.end()) return std::nullopt;
  PlannedJob job = std::move(at->second);
  in_flight_.erase(at);
  note_running(-1);
  return job;
}

std::vector<PlannedJob> JobQueue::lose_in_flight() {
  std::vector<PlannedJob> lost;
  for (auto& [id, job] : in_flight_) lost.push_back(std::move(job));
  note_running(-static_cast<int>(lost.size()));
  in_flight_.clear();
  return lost;
}

void JobQueue::note_running(int change) const {
  if (options_.running) *options_.running += change;
}

namespace fs = std::filesystem;

constexpr int kAttempts = 2;          // of a job whose server was lost
constexpr Seconds kServerMargin{30};  // beyond a job's own limit, before a silent server counts as lost
constexpr int64_t kWarmUp = 10;       // runs before the region, at most

class Batch {
 public:
  Batch(const CollectBatch& plan, std::vector<CollectResult>& results)
      : plan_(plan),
        options_(plan.options),
        folder_("icount"),
        gathering_(plan, folder_.path(), results),
        results_(results),
        queue_(plan.options),
        warm_(plan.server.warm.has_value()) {}

  void run() {
    for (PlannedJob& planned : plan_jobs(plan_)) queue_.push(std::move(planned));
    for (const size_t member : plan_.members) gathering_.expect(member, jobs_per_statement(options_));
    try {
      while (!queue_.empty() || !cold_.empty()) {
        if (queue_.empty()) leave_warm_server();
        serve();
      }
    } catch (const Error&) {
      if (!options_.cancelled || !options_.cancelled()) throw;
      gathering_.end_all_open(CollectStatus::kCancelled, "interrupted");
    }
  }

 private:
  bool toggling() const { return options_.markers == Markers::kToggle; }

  /// One server's life: until the queue is empty or the server is lost.
  void serve() {
    try {
      if (!start_server() || !measure_markers()) return server_.reset();
      while (!queue_.empty() || queue_.has_in_flight()) {
        while (queue_.may_submit()) submit_next();
        if (!queue_.has_in_flight()) break;
        take(server_->wait_ended(patience()));
      }
      server_.reset();
    } catch (const StubServerLost& lost) {
      const std::string why = reason_of_loss(lost.what(), server_ ? server_->hello().pid : 0);
      server_.reset();
      if (warm_)
        give_up_warm_server(fmt::format("the server was lost in the middle of the count: {}", why));
      else
        retry_lost(why);
    } catch (...) {
      server_.reset();
      throw;
    }
  }

  Seconds patience() const {
    return options_.time_limit.count() > 0 ? options_.time_limit + kServerMargin : Seconds(0);
  }

  /// False when the program ends before main, by its global set-up: that costs its own statements alone.
  bool start_server() {
    if (warm_ && find_warm()) return true;
    StubServerSpec spec = make_server_spec(plan_.server.prefix, plan_.server.program, plan_.valgrind, options_,
                                           uses_threads(plan_), folder_.path());
    spec.runs_global_setup = has_acting_global_setup();
    try {
      server_ = std::make_unique<StubClient>(spec);
    } catch (const Error& error) {
      const std::string why = reason_of_loss(error.what(), 0);
      if (!spec.runs_global_setup || error.kind() != ErrorKind::kTool || (options_.cancelled && options_.cancelled()))
        throw Error(error.kind(), why);
      while (!queue_.empty()) queue_.pop();
      gathering_.end_all_open(CollectStatus::kServerLost, why);
      return false;
    }
    note_server();
    // icount's own counter keeps what it translates for the set-ups; Callgrind would keep remains of their counts.
    const bool is_own = !plan_.valgrind.counter_folder.empty();
    if (is_own) server_->start_instrumentation();
    if (options_.warm && !preparing_lost_ && !prepare()) return start_server();
    if (!is_own) server_->start_instrumentation();
    return true;
  }

  bool has_acting_global_setup() const {
    return !plan_.server.interpreted && std::any_of(plan_.members.begin(), plan_.members.end(), [&](size_t member) {
      return acts_before_main(plan_.statements[member].global_setup);
    });
  }

  /// `what`, or the instruction that ended the server because Valgrind does not know it: flags of the user's hold for
  /// the server's own code, too. `pid` 0: it ended before it said its own.
  std::string reason_of_loss(const std::string& what, int pid) const {
    const fs::path log = folder_.path() / "log";
    if (warm_ || what.find("SIGILL") == std::string::npos || !fs::exists(log)) return what;
    const auto unknown = find_unhandled_instruction(load_text(log), pid);
    return unknown ? describe_unknown_instruction(*unknown) : what;
  }

  void note_server() {
    if (!server_->hello().valgrind) throw Error(ErrorKind::kTool, "the stub server does not run under Valgrind");
    gathering_.conditions().measuring.aslr_refused = server_->aslr_refused();
    gathering_.conditions().measuring.cpu_features = server_->hello().cpu;
    gathering_.conditions().lost_threads = server_->hello().lost_threads;
  }

  /// A server that stays warm; false when there is none, and the batch starts its own.
  bool find_warm() {
    std::string why;
    auto found = find_warm_server(*plan_.server.warm, plan_.valgrind, options_, why);
    if (!found) {
      warm_ = false;
      if (!why.empty())
        for (const PlannedJob& planned : queue_.waiting()) note_cold(planned.statement(), why);
      return false;
    }
    server_ = std::move(found->client);
    const bool interpreted = plan_.server.interpreted;  // the plan is no object
    gathering_.use_server(found->folder, interpreted ? plan_.server.object : plan_.server.file);
    gathering_.hide_setup_counts(options_.warm);
    note_server();
    return true;
  }

  void leave_warm_server() {
    warm_ = false;
    gathering_.use_server(folder_.path(), plan_.server.object);
    gathering_.hide_setup_counts(false);
    for (PlannedJob& planned : std::exchange(cold_, {})) queue_.push(std::move(planned));
  }

  /// All that is not counted yet is counted in a server of this batch's own.
  void give_up_warm_server(const std::string& why) {
    for (PlannedJob& planned : queue_.lose_in_flight()) queue_.push(std::move(planned));
    while (!queue_.empty()) count_cold(queue_.pop(), why);
  }

  void count_cold(PlannedJob planned, const std::string& why) {
    if (gathering_.has_ended(planned.statement())) return;
    planned.attempts = 0;
    planned.job.program.clear();
    cold_.push_back(planned);
    note_cold(planned.statement(), why);
  }

  void note_cold(size_t statement, const std::string& why) {
    const std::string note = cold_start_note(why);
    std::vector<std::string>& notes = results_[statement].notes;
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }

  /// Why this end says less than one in a process of the statement's own would; empty: it says as much. The unwinder
  /// does not know a program that came later: an exception that passes through it ends the process.
  std::string reason_for_cold(const JobOutcome& outcome) const {
    if (outcome.status == JobStatus::kUnfit) return outcome.note;
    if (plan_.server.interpreted) return {};
    if (outcome.status == JobStatus::kSignal || outcome.status == JobStatus::kThrew)
      return "it ended by a signal or an exception";
    if (outcome.status == JobStatus::kDone && gathering_.shows_exception(outcome)) return "it throws an exception";
    return {};
  }

  /// Has the server keep the state of the statements after set-up and warm-up. False when a statement took the server
  /// with it: a new one goes on without.
  bool prepare() {
    if (!server_->hello().has("prepare") || toggling() || !options_.pins.holds(Pin::kStack)) return true;
    std::vector<int64_t> benchmarks;
    for (const size_t member : plan_.members)
      if (!gathering_.has_ended(member)) benchmarks.push_back(static_cast<int64_t>(member));
    try {
      server_->prepare(benchmarks, std::min<int64_t>(options_.number, kWarmUp), options_.time_limit);
    } catch (const StubServerLost&) {
      preparing_lost_ = true;
      server_.reset();
    }
    return !preparing_lost_;
  }

  /// The empty region, once per server: what the markers themselves cost. A server that runs already counts the first
  /// statements beside it; false when it can't load the program, whose jobs then wait for another one.
  bool measure_markers() {
    StubJob job;
    job.id = queue_.make_id();
    job.benchmark = kEmptyBenchmark;
    job.mode = toggling() ? JobMode::kToggle : JobMode::kCallgrind;
    job.number = options_.number;
    job.then = options_.slope && !toggling() ? options_.number : 0;
    job.per_thread = options_.per_thread && !toggling();
    job.limit_seconds = options_.time_limit.count();
    if (warm_) job.program = plan_.server.file;
    server_->submit(job);
    while (warm_ && queue_.may_submit()) submit_next();
    std::vector<JobOutcome> earlier;  // need what the markers cost
    JobOutcome outcome = server_->wait_ended(patience());
    for (; outcome.id != job.id; outcome = server_->wait_ended(patience())) earlier.push_back(outcome);
    if (warm_ && outcome.status != JobStatus::kDone) {
      gathering_.drop(outcome);
      for (const JobOutcome& one : earlier) gathering_.drop(one);
      give_up_warm_server(describe_job_end(outcome, job.limit_seconds));
      return false;
    }
    if (outcome.status != JobStatus::kDone)
      throw Error(ErrorKind::kTool, fmt::format("an empty region could not be measured: it {}",
                                                describe_job_end(outcome, job.limit_seconds)));
    gathering_.take_markers(job, outcome);
    for (const JobOutcome& one : earlier) take(one);
    return true;
  }

  void submit_next() {
    PlannedJob planned = queue_.pop();
    if (gathering_.has_ended(planned.statement())) return;  // an earlier repeat failed
    planned.job.id = queue_.make_id();
    if (warm_) planned.job.program = plan_.server.file;
    ++planned.attempts;
    queue_.note_submitted(planned);  // first: it is not lost with a server that is gone already
    server_->submit(planned.job);
  }

  void retry_lost(const std::string& why) {
    if (!queue_.has_in_flight()) throw Error(ErrorKind::kTool, fmt::format("the stub server was lost: {}", why));
    for (PlannedJob& planned : queue_.lose_in_flight()) {
      if (gathering_.has_ended(planned.statement())) continue;
      if (planned.attempts < kAttempts)
        queue_.push(std::move(planned));
      else
        gathering_.end(planned.statement(), CollectStatus::kServerLost,
                       fmt::format("the server was lost while measuring it: {}", why));
    }
  }

  void take(const JobOutcome& outcome) {
    const std::optional<PlannedJob> planned = queue_.take_ended(outcome.id);
    if (!planned) return;
    if (const std::string why = warm_ ? reason_for_cold(outcome) : std::string(); !why.empty()) {
      gathering_.drop(outcome);
      return count_cold(*planned, why);
    }
    gathering_.take(planned->job, outcome);
  }

  const CollectBatch& plan_;
  const CollectOptions& options_;
  ScratchDir folder_;
  BatchGathering gathering_;
  std::vector<CollectResult>& results_;
  JobQueue queue_;
  bool warm_;  ///< measures in a server that stays warm
  std::unique_ptr<StubClient> server_;
  std::vector<PlannedJob> cold_;  ///< what the warm server could not count
  bool preparing_lost_ = false;
};

}  // namespace

void run_collect_batch(const CollectBatch& batch, std::vector<CollectResult>& results) { Batch(batch, results).run(); }

}  // namespace icount
