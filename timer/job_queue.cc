#include "icount/timer/job_queue.h"

#include <algorithm>
#include <utility>

namespace icount {

int jobs_per_statement(const CollectOptions& options) {
  return options.markers == Markers::kToggle ? 1 : options.repeats;
}

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

}  // namespace icount
