// The jobs of a batch: which there are, which wait, and which a server works on. timer/collect_batch hands them to
// servers; how they end is timer/batch_gathering's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "icount/harness/stub_protocol.h"
#include "icount/timer/collect_batch.h"

namespace icount {

/// One child: a repeat of one statement.
struct PlannedJob {
  StubJob job;
  int attempts = 0;  ///< servers that it was handed to

  size_t statement() const { return static_cast<size_t>(job.benchmark); }
};

/// How many jobs a statement has.
int jobs_per_statement(const CollectOptions& options);
/// All jobs of a batch, in the order of its members.
std::vector<PlannedJob> plan_jobs(const CollectBatch& batch);

/// Whether any statement of the batch runs on several threads.
bool uses_threads(const CollectBatch& batch);

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

}  // namespace icount
